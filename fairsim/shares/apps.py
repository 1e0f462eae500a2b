"""Applications inside leaf queues: which may run, the share of each, and how many masters fit.

Follows MaxRunningAppsEnforcer.canAppBeRunnable, FSLeafQueue.updateInternal, FSAppAttempt.getWeight (FairScheduler
.getAppWeight) and FSLeafQueue.canRunAppAM.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairsim.javanum import INT_MAX, LONG_MAX, float32
from fairsim.model.apps import App
from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import Amount, add
from fairsim.shares.search import HadoopHangs, search
from fairsim.shares.solve import Hangs, Shares, am_limit, divided_types


def runnable(tree: QueueTree, apps: Sequence[App]) -> list[str]:
    """Returns for each application an empty string when it runs, else the limit that makes it wait.

    Applications are taken in the order given; each counts against its leaf, every ancestor and its user.
    """
    running: dict[str, int] = {}
    by_user: dict[str, int] = {}
    waits = []
    for app in apps:
        path = tree.queues[app.queue].path()
        full = next((queue for queue in path if running.get(queue.name, 0) >= tree.max_running_apps(queue).value), None)
        reason = f"maxRunningApps of {full.name}" if full is not None else ""
        if not reason and app.user and by_user.get(app.user, 0) >= user_limit(tree, app.user):
            reason = f"running applications of user {app.user}"
        if not reason:
            for queue in path:
                running[queue.name] = running.get(queue.name, 0) + 1
            by_user[app.user] = by_user.get(app.user, 0) + 1
        waits.append(reason)
    return waits


def user_limit(tree: QueueTree, user: str) -> int:
    """Returns how many applications of this user may run at a time."""
    field = tree.users.get(user) or tree.defaults.get("userMaxAppsDefault")
    return INT_MAX if field is None else int(field.value)


def app_weight(demand_mb: int, size_based: bool) -> float:
    """Returns the weight of an application: 1, or log2(1 + demand in MB) with sizebasedweight, as a float."""
    return float32(math.log1p(demand_mb) / math.log(2)) if size_based else 1.0


def app_shares(
    tree: QueueTree, shares: Shares, apps: Sequence[App], waits: Sequence[str], size_based: bool = False
) -> list[Amount]:
    """Returns the instantaneous fair share of each application; 0 for those that wait."""
    if size_based and not tree.profile.features.policy_check:
        apps = _as_asked(tree, shares, apps, waits)
    found = [tree.types.zero()] * len(apps)
    by_queue: dict[str, list[int]] = {}
    for index, app in enumerate(apps):
        if not waits[index]:
            by_queue.setdefault(app.queue, []).append(index)
    share_of = {queue.name: share for queue, share in zip(shares.queues, shares.instantaneous, strict=True)}
    for name, members in by_queue.items():
        queue = tree.queues[name]
        divided = _divide(tree, queue, share_of[name], [apps[index] for index in members], size_based)
        for index, amount in zip(members, divided, strict=True):
            found[index] = amount
    return found


def _as_asked(tree: QueueTree, shares: Shares, apps: Sequence[App], waits: Sequence[str]) -> list[App]:
    """Returns the applications with the demand that Hadoop up to 2.8 knows of each.

    A queue asks its children, or its running and then its waiting applications, one after the other, and no more of
    them once the sum has reached its maximum: for those the demand stays 0 (FSParentQueue, FSLeafQueue.updateDemand).
    """
    zero = tree.types.zero()
    found = [app._replace(demand=zero) for app in apps]
    members: dict[str, list[int]] = {}
    for index in sorted(range(len(apps)), key=lambda index: waits[index] != ""):
        members.setdefault(apps[index].queue, []).append(index)
    maxima = dict(zip(shares.queues, shares.maxima, strict=True))
    demands = dict.fromkeys(shares.queues, zero)

    def count(queue: Queue, more: Amount) -> bool:
        """Adds to the demand of the queue; tells whether it is at the maximum."""
        most = maxima[queue]
        demands[queue] = tuple(map(min, add(demands[queue], more), most))
        return demands[queue] == most

    stack = [(tree.root, iter(tree.root.children))]
    while stack:
        queue, children = stack[-1]
        child = next(children, None)
        if child is not None and child.children:
            stack.append((child, iter(child.children)))
            continue
        if child is None:
            stack.pop()
            full = bool(stack) and count(stack[-1][0], demands[queue])
        else:
            for index in members.get(child.name, ()):
                if demands[child] == maxima[child]:
                    break
                found[index] = apps[index]
                count(child, apps[index].demand)
            full = count(queue, demands[child])
        while full and stack:  # the parent asks no further child
            queue, _ = stack.pop()
            full = bool(stack) and count(stack[-1][0], demands[queue])
    return found


def _divide(tree: QueueTree, queue: Queue, share: Amount, apps: list[App], size_based: bool) -> list[Amount]:
    if queue.policy == "fifo":
        first = min(range(len(apps)), key=lambda index: apps[index].start)
        return [share if index == first else tree.types.zero() for index in range(len(apps))]
    weights = [app_weight(app.demand[0], size_based) for app in apps]
    mins, maxs = [0] * len(apps), [LONG_MAX if tree.profile.line != "I" else INT_MAX] * len(apps)
    columns = [[0] * len(apps) for _ in share]
    line = tree.profile.line
    for kind in divided_types(tree, queue.policy):
        try:
            columns[kind] = search(weights, mins, maxs, share[kind], line=line).shares
        except HadoopHangs:
            raise Hangs(queue, tree.types.names[kind], "application") from None
        if kind == 1:  # as queues, applications keep vcores in 32 bits
            columns[kind] = [min(part, INT_MAX) for part in columns[kind]]
    return list(zip(*columns, strict=True))


def masters_that_fit(
    tree: QueueTree, queue: Queue, share: Amount, most: Amount, cluster: Amount, master: Amount
) -> int | None:
    """Returns how many masters of this size run in an otherwise empty cluster; None for as many as fit otherwise.

    The masters that already run lower what is free, which is the base of the limit where the share is 0 (2.9 and
    later).
    """

    def fits(count: int) -> bool:
        """Tells whether one more runs beside `count - 1` of them."""
        free = tuple(total - part * (count - 1) for total, part in zip(cluster, master, strict=True))
        room = am_limit(tree, queue, share, most, free)
        return room is None or all(part * count <= limit for part, limit in zip(master, room, strict=True))

    if am_limit(tree, queue, share, most, cluster) is None or not any(master):
        return None
    low, high = 0, 1
    while fits(high) and high < INT_MAX:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
