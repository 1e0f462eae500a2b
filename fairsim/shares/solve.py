"""Steady and instantaneous fair shares of a whole queue tree.

Follows FSParentQueue.recomputeSteadyShares and updateInternal, and the policies' computeShares and
computeSteadyShares: fair divides memory only, drf every type (memory and vcores up to 2.10). A share of vcores is
cut to 2^31-1 where it is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import ceil
from typing import NamedTuple

from fairsim.diag import Pos
from fairsim.javanum import to_int, to_long
from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import INT_MAX, Amount
from fairsim.shares.search import HadoopHangs, Line, search

#: From this many siblings × types × clusters on numpy pays for its import.
WIDE = 6000


_TOO_LARGE = 2.0**63


class Hangs(Exception):
    """Hadoop's search for the shares below `queue` of resource type `name` never ends."""

    def __init__(self, queue: Queue, name: str, mode: str):
        super().__init__(f"the {mode} shares of {name} below {queue.name}")
        self.queue, self.name, self.mode = queue, name, mode
        self.place: Pos | None = None
        self.cluster: Amount | None = None  # None: before any node has joined

    def suspects(self) -> list[Queue]:
        """Returns the children whose weight is no ordinary number: those to look at first."""
        return [child for child in self.queue.children if not -1e18 < child.weight < 1e18]


class Shares(NamedTuple):
    """The shares at one cluster size; all lists are in the order of `queues`.

    Amounts in the units of the resource types (memory in MB). `maxima` are the effective maxima at this size,
    `active` tells which queues count for the instantaneous shares.
    """

    cluster: Amount
    queues: list[Queue]
    steady: list[Amount]
    instantaneous: list[Amount]
    maxima: list[Amount]
    active: list[bool]


class _Plan:
    """What is the same for every cluster size: queues in file order, their places, parents level by level."""

    def __init__(self, tree: QueueTree):
        self.tree = tree
        self.line: Line = tree.profile.line
        self.queues = tree.in_order()
        place = self.place = {queue: index for index, queue in enumerate(self.queues)}
        self.levels: list[list[Queue]] = []
        level = [tree.root]
        while level:
            parents = [queue for queue in level if queue.children]
            self.levels.append(parents)
            level = [child for queue in parents for child in queue.children]
        self.children = {
            queue: [place[child] for child in queue.children] for parents in self.levels for queue in parents
        }


def divided_types(tree: QueueTree, policy: str) -> range:
    """Returns the indexes of the types that a parent with this policy divides among its children."""
    if policy == "drf":
        return range(len(tree.types.names) if tree.profile.features.all_types else 2)
    return range(0) if policy == "fifo" else range(1)


def can_run(tree: QueueTree, queue: Queue) -> bool:
    """Returns false where maxRunningApps of the queue or an ancestor lets no application run, ever."""
    return all(tree.max_running_apps(level).value > 0 for level in queue.path())


def active_queues(tree: QueueTree, queues: Sequence[Queue], leaves: frozenset[str] | None) -> list[bool]:
    """Returns for each queue whether it is active: it, or a leaf below it, runs an application.

    `queues` stand parents first. `leaves` names the active leaves, None stands for all that may run one
    (maxRunningApps above 0 up the path).
    """
    default = tree.defaults.get("queueMaxAppsDefault")
    closed = default is not None and default.value <= 0
    if closed or any(field.value <= 0 for queue in queues if (field := queue.fields.get("maxRunningApps"))):
        running = {queue.name for queue in queues if queue.leaf and can_run(tree, queue)}
        leaves = frozenset(running if leaves is None else running & leaves)
    active: dict[Queue, bool] = {}
    for queue in reversed(queues):
        if queue.leaf:
            active[queue] = leaves is None or queue.name in leaves
        else:
            active[queue] = any(active[child] for child in queue.children)
    return [active[queue] for queue in queues]


def solve(tree: QueueTree, cluster: Amount, leaves: frozenset[str] | None = None) -> Shares:
    """Returns the shares of every queue at one cluster size; see `solve_many`."""
    return solve_many(tree, [cluster], leaves)[0]


class Instantaneous:
    """The instantaneous shares of one tree in one cluster while leaves become active and idle.

    Only what a change reaches is divided anew: siblings of which another one is active, or whose parent has another
    share.
    """

    def __init__(self, tree: QueueTree, cluster: Amount):
        self.plan = _Plan(tree)
        self.cluster = cluster
        self.maxima = _maxima(self.plan, cluster)
        self.leaves: frozenset[str] = frozenset()
        self.active: dict[Queue, int] = {}  # active leaves at or below a queue
        self.found: dict[Queue, Amount] = dict.fromkeys(self.plan.queues, tree.types.zero())
        self.found[tree.root] = cluster

    def shares(self, leaves: Collection[str]) -> Iterator[tuple[str, Amount]]:
        """Yields name and share of the queues that may have another one than at the call before (at first all).

        `leaves` run applications. Raises Hangs where Hadoop would not end.
        """
        tree, plan = self.plan.tree, self.plan
        changed = self.leaves ^ frozenset(leaves)
        stale: set[Queue] = set()
        if not self.active:
            self.active = dict.fromkeys(plan.queues, 0)
            for queue, share in self.found.items():
                yield queue.name, share
        for name in changed:
            queue = tree.queues[name]
            step = 1 if name in leaves else -1
            level: Queue | None = queue
            while level is not None:
                before = self.active[level]
                self.active[level] = before + step
                if level.parent is not None and (before == 0 or before + step == 0):
                    stale.add(level.parent)
                level = level.parent
        self.leaves = frozenset(leaves)
        for parents in plan.levels:
            for parent in parents:
                if parent in stale:
                    for child, share in self._divided(parent):
                        if share != self.found[child]:
                            self.found[child] = share
                            stale.add(child)
                            yield child.name, share

    def _divided(self, parent: Queue) -> Iterator[tuple[Queue, Amount]]:
        plan, zero = self.plan, self.plan.tree.types.zero()
        children = plan.children[parent]
        active = [index for index in children if self.active[plan.queues[index]]]
        columns = [[0] * len(active) for _ in zero]
        weights = [plan.queues[index].weight for index in active]
        for kind in divided_types(plan.tree, parent.policy):
            mins = [plan.queues[index].min[kind] for index in active]
            maxs = [self.maxima[index][kind] for index in active]
            try:
                found = search(weights, mins, maxs, self.found[parent][kind], line=plan.line).shares
            except HadoopHangs:
                flags = [self.active[queue] > 0 for queue in plan.queues]
                hang = _hangs(plan, parent, kind, flags)
                hang.cluster = self.cluster
                raise hang from None
            columns[kind] = found if kind != 1 else [min(share, INT_MAX) for share in found]
        shares = dict(zip(active, zip(*columns, strict=True), strict=True))
        for index in children:
            yield plan.queues[index], shares.get(index, zero)


def solve_many(tree: QueueTree, clusters: Sequence[Amount], leaves: frozenset[str] | None = None) -> list[Shares]:
    """Returns the shares of every queue at each of the cluster sizes (amounts by type), solved in lockstep.

    `leaves` names the active leaf queues, None makes all of them active. Raises Hangs where Hadoop would not end.
    """
    plan = _Plan(tree)
    start = _start(plan) if plan.line != "L" else None
    active = active_queues(tree, plan.queues, leaves)
    maxima = [_maxima(plan, cluster) for cluster in clusters]
    steady = _divide(plan, clusters, maxima, None, start)
    # with every queue active the two are the same sum
    instantaneous = steady if all(active) and start is None else _divide(plan, clusters, maxima, active)
    return [
        Shares(cluster, plan.queues, steady[run], instantaneous[run], maxima[run], active)
        for run, cluster in enumerate(clusters)
    ]


#: Shares by type, then queue, in the order of a plan.
Columns = list[list[int]]


def _start(plan: _Plan) -> Columns | None:
    """Returns what is left of the steady shares sought before any node has joined, None where nothing is.

    The total is 0 then, and all shares that matter are sought again later. Two things remain. Int sums may wrap below
    0 (and a weight may be NaN), so that the search never ends: raises Hangs. And up to 2.8 queues begin with the
    default policy: where that is drf and a parent's own is not, its children keep the vcores of the start.
    """
    tree, early = plan.tree, not plan.tree.profile.features.policy_check
    field = tree.defaults.get("defaultQueueSchedulingPolicy")
    default = "drf" if field is not None and field.value == "drf" else "fair"
    kept = early and default == "drf" and any(queue.policy != "drf" for queue in plan.children if queue.parent)
    families: dict[Queue | None, list[Queue]] = {}  # in line I with those that were there for a while only
    for queue in [queue for queue, made in tree.steps if made] or plan.queues:
        families.setdefault(queue.parent, []).append(queue)
    wraps = any(_wraps(tree, children) for children in families.values())
    if not kept and not wraps:
        return None
    nothing = tree.types.zero()
    shares = _grown(plan, default) if early else None
    if wraps:
        _divide_plain(plan, [nothing], [_maxima(plan, nothing)], None, shares)
    return shares if kept else None


def _wraps(tree: QueueTree, children: Sequence[Queue]) -> bool:
    """Tells whether the shares of the children may add up to more than an int, or to nothing that can be told."""
    nothing = tree.types.zero()
    return any(child.weight != child.weight for child in children) or any(
        sum(max(child.min[kind], to_int(child.weight)) for child in children if tree.max_at(child, nothing)[kind] > 0)
        > INT_MAX
        for kind in range(len(nothing))
    )


def _grown(plan: _Plan, default: str) -> Columns:
    """Returns the steady shares when all queues are made, while root is fair and all others have the default policy.

    In line I they are sought whenever a queue is made (QueueManager.getQueue), later on once for all.
    """
    tree = plan.tree
    nothing = tree.types.zero()
    shares = {tree.root: list(nothing)}
    maxima: dict[Queue, Amount] = {}
    members: dict[Queue, list[Queue]] = {}

    def divide(top: Queue) -> None:
        below = [top]
        while below:
            parent = below.pop()
            children = members.get(parent, [])
            weights = [child.weight for child in children]
            for kind in divided_types(tree, "fair" if parent is tree.root else default):
                mins = [child.min[kind] for child in children]
                maxs = [maxima[child][kind] for child in children]
                try:
                    found = search(weights, mins, maxs, shares[parent][kind], line=plan.line).shares
                except HadoopHangs:
                    raise _hangs(plan, parent, kind, None) from None
                for child, share in zip(children, found, strict=True):
                    shares[child][kind] = share if kind != 1 else min(share, INT_MAX)
            below += [child for child in children if child in members]

    for queue, made in tree.steps or [(queue, True) for queue in tree.queues.values()]:
        if queue.parent is None:
            continue
        if not made:
            members[queue.parent].remove(queue)
            continue
        members.setdefault(queue.parent, []).append(queue)
        maxima[queue] = tree.max_at(queue, nothing)
        shares[queue] = list(nothing)
        if plan.line == "I":
            divide(queue.parent)
    divide(tree.root)
    return [[shares[queue][kind] for queue in plan.queues] for kind in range(len(nothing))]


def _maxima(plan: _Plan, cluster: Amount) -> list[Amount]:
    tree = plan.tree
    cache: dict[tuple[int, Amount], Amount] = {}  # the queues of a large tree share a few limits
    shared = tree.profile.features.max_raised_to_min
    found = []
    for queue in plan.queues:
        field = queue.fields.get("maxResources")
        if not shared or (field is None and queue.index < 0):
            found.append(tree.max_at(queue, cluster))
            continue
        key = (0 if field is None else id(field.value), queue.min)
        most = cache.get(key)
        if most is None:
            most = cache[key] = tree.max_at(queue, cluster)
        found.append(most)
    return found


def _divide(
    plan: _Plan,
    clusters: Sequence[Amount],
    maxima: Sequence[list[Amount]],
    active: list[bool] | None,
    start: Columns | None = None,
) -> list[list[Amount]]:
    """Returns the shares at each cluster; `active` None for steady ones. `start`: those of before, default 0."""
    wide = sum(map(len, plan.children.values())) * len(clusters) >= WIDE
    columns = (_divide_wide if wide else _divide_plain)(plan, clusters, maxima, active, start)
    return [list(zip(*types, strict=True)) for types in columns]


def _divide_plain(
    plan: _Plan,
    clusters: Sequence[Amount],
    maxima: Sequence[list[Amount]],
    active: list[bool] | None,
    start: Columns | None = None,
) -> list[list[list[int]]]:
    """Returns shares[cluster][type][queue], one set of siblings after the other."""
    result = []
    for cluster, most in zip(clusters, maxima, strict=True):
        shares = [[0] * len(plan.queues) for _ in cluster] if start is None else [list(column) for column in start]
        for column, total in zip(shares, cluster, strict=True):
            column[plan.place[plan.tree.root]] = total
        for parent in (queue for level in plan.levels for queue in level):
            members = plan.children[parent]
            weights = [plan.queues[index].weight for index in members]
            chosen = None if active is None else [active[index] for index in members]
            for kind in divided_types(plan.tree, parent.policy):
                mins = [plan.queues[index].min[kind] for index in members]
                maxs = [most[index][kind] for index in members]
                try:
                    found = search(
                        weights, mins, maxs, shares[kind][plan.place[parent]], line=plan.line, active=chosen
                    ).shares
                except HadoopHangs:
                    hang = _hangs(plan, parent, kind, active)
                    hang.cluster = cluster
                    raise hang from None
                for index, share in zip(members, found, strict=True):
                    shares[kind][index] = share if kind != 1 else min(share, INT_MAX)
        result.append(shares)
    return result


def _hangs(plan: _Plan, parent: Queue, kind: int, active: list[bool] | None) -> Hangs:
    hang = Hangs(parent, plan.tree.types.names[kind], "steady" if active is None else "instantaneous")
    first = next(iter([*hang.suspects(), parent]))
    if plan.tree.locate is not None and first.element is not None:
        hang.place = plan.tree.locate(first.element)
    return hang


def _divide_wide(
    plan: _Plan,
    clusters: Sequence[Amount],
    maxima: Sequence[list[Amount]],
    active: list[bool] | None,
    start: Columns | None = None,
) -> list[list[list[int]]]:
    """Returns what `_divide_plain` returns, level by level with numpy, all clusters in lockstep."""
    import numpy as np

    from fairsim.shares.kernel import solve_groups

    count, kinds = len(clusters), range(len(clusters[0]))
    weights = np.array([queue.weight for queue in plan.queues], dtype=np.float64)
    chosen = None if active is None else np.array(active, dtype=bool)
    mins = np.array([queue.min for queue in plan.queues], dtype=np.int64).T
    maxs = np.array(maxima, dtype=np.int64).transpose(2, 0, 1)
    shares = [np.zeros((count, len(plan.queues)), dtype=np.int64) for _ in kinds]
    for kind in kinds:
        if start is not None:
            shares[kind][:] = start[kind]
        shares[kind][:, plan.place[plan.tree.root]] = [cluster[kind] for cluster in clusters]
    for level in plan.levels:
        for kind in kinds:
            parents = [queue for queue in level if kind in divided_types(plan.tree, queue.policy)]
            if not parents:
                continue
            members = np.array([index for queue in parents for index in plan.children[queue]], dtype=np.intp)
            sizes = np.array([len(plan.children[queue]) for queue in parents])
            starts = (np.cumsum(np.tile(sizes, count)) - np.tile(sizes, count)).astype(np.intp)
            places = [plan.place[queue] for queue in parents]
            found, hung = solve_groups(
                np.tile(weights[members], count),
                np.tile(mins[kind][members], count),
                maxs[kind][:, members].ravel(),
                starts,
                shares[kind][:, places].ravel(),
                active=None if chosen is None else np.tile(chosen[members], count),
                line=plan.line,
            )
            if hung.any():
                run, place = divmod(int(np.flatnonzero(hung)[0]), len(parents))
                hang = _hangs(plan, parents[place], kind, active)
                hang.cluster = clusters[run]
                raise hang
            if kind == 1:
                np.minimum(found, INT_MAX, out=found)
            shares[kind][:, members] = found.reshape(count, -1)
    return [[column[index].tolist() for column in shares] for index in range(count)]


def am_limits(tree: QueueTree, shares: Shares) -> list[Amount | None]:
    """Returns for each queue the room for masters in an empty cluster, None for parents; see `am_limit`."""
    default = tree.defaults.get("queueMaxAMShareDefault")
    usual: float = 0.5 if default is None else default.value
    features, cluster = tree.profile.features, shares.cluster
    plain = features.am_limit_rounded_up and (features.am_limit_custom_types or len(cluster) == 2)
    plain = plain and 0 <= usual <= 1  # then no sum leaves 64 bits
    found: list[Amount | None] = []
    for queue, share, most in zip(shares.queues, shares.instantaneous, shares.maxima, strict=True):
        if not queue.leaf:
            found.append(None)
        elif plain and "maxAMShare" not in queue.fields:
            parts = zip(share, cluster, most, strict=True)
            found.append(tuple([ceil(usual * (part or min(free, limit))) for part, free, limit in parts]))
        else:
            found.append(am_limit(tree, queue, share, most, cluster))
    return found


def am_limit(tree: QueueTree, queue: Queue, share: Amount, most: Amount, available: Amount) -> Amount | None:
    """Returns the room for masters of a leaf, None when maxAMShare switches the check off.

    share: the instantaneous fair share; most: the effective maximum; available: what is free in the cluster. Up to
    2.8 the product is cut and only drf looks at vcores (2^31-1 stands for what is not looked at); later it is rounded
    up, and a share of 0 is replaced by min(available, most) (FSLeafQueue.canRunAppAM, computeMaxAMResource).
    """
    field = queue.fields.get("maxAMShare") or tree.defaults.get("queueMaxAMShareDefault")
    part: float = 0.5 if field is None else field.value  # as tree.max_am_share, without its origin
    if abs(part + 1.0) < 0.0001:
        return None
    features = tree.profile.features
    if not features.am_limit_rounded_up:
        memory = (to_long if features.long_values else to_int)(share[0] * part)
        drf = queue.policy == "drf"
        return (memory, *(to_int(amount * part) if drf else INT_MAX for amount in share[1:]))
    limit = list(share)
    for kind in range(len(share) if features.am_limit_custom_types else 2):
        value = part * (share[kind] or min(available[kind], most[kind]))
        limit[kind] = ceil(value) if -_TOO_LARGE < value < _TOO_LARGE else to_long(value)
    return tuple(limit)
