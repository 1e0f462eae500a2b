"""What stands between an application and its next container, at one moment of a run."""

from __future__ import annotations

from fairsim.javanum import INT_MAX
from fairsim.replay.scheduler import Scheduler
from fairsim.replay.state import ANY, Attempt, add, fits
from fairsim.shares.solve import am_limit
from fairsim.units import format_amount


def obstacle(scheduler: Scheduler, attempt: Attempt) -> str:
    """Returns in words what an application waits for, empty where it asks for nothing."""
    if not attempt.runs:
        return _running_limit(scheduler, attempt)
    if not attempt.keys:
        return ""
    tree, leaf = scheduler.tree, attempt.queue
    size = attempt.asks[attempt.keys[0]][ANY].size

    def amount(of: tuple[int, ...]) -> str:
        return format_amount(of, tree.types)

    if attempt.managed and not attempt.am_running:
        room = am_limit(tree, leaf.queue, leaf.share, leaf.max, scheduler.available)
        if room is not None and not fits(add(leaf.am_used, size), room):
            return (
                f"maxAMShare of {leaf.name}: masters use {amount(leaf.am_used)}, and have room for {amount(room)}; "
                f"its master needs {amount(size)}"
            )
    for queue in leaf.path():
        if not fits(add(queue.used, size), queue.max):
            return f"maximum of {queue.name}: {amount(queue.used)} used of {amount(queue.max)}, {amount(size)} needed"
    if not any(fits(size, node.total) for node in scheduler.nodes.values()):
        return f"a node: none is as large as {amount(size)}"
    if not any(fits(size, node.free) for node in scheduler.nodes.values()):
        return f"a node: none has {amount(size)} free"
    if attempt.demand == attempt.used:
        return "the next update, which sees what it asks for"
    return "its turn"


def _running_limit(scheduler: Scheduler, attempt: Attempt) -> str:
    limits = scheduler.limits
    most = limits.user_limit(attempt.user)
    if limits.by_user.get(attempt.user, 0) >= most:
        return f"running limit of user {attempt.user}: {limits.by_user.get(attempt.user, 0)} of {most} run"
    for queue in attempt.queue.path():
        if queue.running >= queue.max_running:
            return f"maxRunningApps of {queue.name}: {queue.running} of {queue.max_running} run"
    return "a running limit" if min(queue.max_running for queue in attempt.queue.path()) < INT_MAX else ""
