"""The children of queues kept in order, and only those that could get something: what the fast engine walks by.

`Assigner` visits every queue and every application below it, in an order sorted anew each time. Here each queue keeps
its children by their sort keys, and moves only those that have changed. In that list stand those alone that are open:
with an ask for which the maxima up the path and maxAMShare have room, wherever a node may be. All others get nothing
from any node, so leaving them out changes no decision. Of the open ones those are passed by of which no ask fits the
node and that can reserve none.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING

from fairsim.javanum import float32
from fairsim.model.resources import Amount
from fairsim.replay.keys import Key, KeyOf, key_of, ordered
from fairsim.replay.order import Sibling
from fairsim.replay.state import ANY, Attempt, Node, QueueState, add, fits
from fairsim.replay.state import Key as AskKey
from fairsim.shares.solve import am_limit

if TYPE_CHECKING:
    from fairsim.replay.scheduler import Scheduler

Sizes = frozenset[Amount]
_NONE: Sizes = frozenset()
_UNLIMITED = 2**62


class Counts:
    """How often each size occurs; `sizes` are those that do."""

    __slots__ = ("counts", "sizes")

    def __init__(self) -> None:
        self.counts: dict[Amount, int] = {}
        self.sizes: Sizes = _NONE

    def more(self, sizes: Iterable[Amount]) -> None:
        """Counts each size once more."""
        counts = self.counts
        known = len(counts)
        for size in sizes:
            counts[size] = counts.get(size, 0) + 1
        if len(counts) != known:
            self.sizes = frozenset(counts)

    def less(self, sizes: Iterable[Amount]) -> None:
        """Counts each size once less."""
        counts = self.counts
        known = len(counts)
        for size in sizes:
            left = counts[size] - 1
            if left:
                counts[size] = left
            else:
                del counts[size]
        if len(counts) != known:
            self.sizes = frozenset(counts)


class Place:
    """Where an application stands in its leaf: among those whose master runs, or that wait for it; and what it asks."""

    __slots__ = ("held", "key", "master", "sizes")

    def __init__(self, key: Key, master: bool, sizes: Sizes, held: Sizes):
        self.key = key
        self.master = master
        self.sizes = sizes
        self.held = held  # sizes for which it could keep a node


class Rank:
    """The open children of a queue in order; `sizes` and `held` are what they ask for, and could keep nodes for.

    `kept` counts the sizes for which nodes are kept. Of a leaf `children` are the applications whose master runs,
    `masters` those that wait for it.
    """

    __slots__ = ("asked", "asked_held", "children", "held", "kept", "key", "key_of", "listed", "masters",
                 "masters_asked", "masters_held", "ordered", "sizes", "unlimited")  # fmt: skip

    def __init__(self, keys: KeyOf):
        self.key_of = keys
        self.ordered = True
        self.unlimited = False  # its maximum is none
        self.children: list[tuple[Key, QueueState | Attempt]] = []
        self.asked, self.asked_held = Counts(), Counts()
        self.masters: list[tuple[Key, Attempt]] = []
        self.masters_asked, self.masters_held = Counts(), Counts()
        self.kept = Counts()  # nodes kept for applications below, by what the maxima are asked
        self.sizes = self.held = _NONE
        self.key: Key = ()
        self.listed = False  # it stands in the list of its parent


class Ranks:
    """The ranks of all queues of a scheduler. `settle` brings them up to date."""

    def __init__(self, scheduler: Scheduler):
        self.scheduler = scheduler
        self.structure = -1
        self.keys: dict[str, KeyOf] = {}
        self.limit = 0  # so many nodes an application may keep
        self.levels: list[dict[QueueState, None]] = []
        self.single: dict[Amount, Sizes] = {}
        self.holding: dict[Attempt, dict[AskKey, Amount]] = {}  # those that keep nodes: what the maxima are asked
        self.suspects: dict[Attempt, bool] = {}  # whose nodes may have to be let go; True: each for its own reason
        self.touched: list[Node] = []  # kept nodes that are not as they were
        self.sorts = False  # walks sort the lists of children themselves, and somebody looks at these lists
        self.drifts = False  # each walk sorts them into another order: where a comparison is none, up to 3.1

    # -- bringing up to date

    def settle(self) -> None:
        """Takes account of everything that has changed."""
        scheduler = self.scheduler
        if self.structure != scheduler.structure:
            self._begin_anew()
        if not scheduler.changed and not scheduler.moved:
            return
        moved = scheduler.moved
        for attempt in scheduler.changed:
            self._place(attempt)
            if attempt.kept or attempt in self.holding:
                self._hold(attempt)
            moved[attempt.queue] = None
        scheduler.stale.update(scheduler.changed)
        scheduler.changed.clear()
        levels = self.levels
        for queue in moved:
            try:
                levels[queue.depth][queue] = None
            except IndexError:
                levels += [{} for _ in range(len(levels), queue.depth + 1)]
                levels[queue.depth][queue] = None
        moved.clear()
        for depth in range(len(levels) - 1, -1, -1):
            level = levels[depth]
            if level:
                for queue in level:
                    if self._weigh(queue) and depth:
                        levels[depth - 1][queue.parent] = None  # type: ignore[index]
                level.clear()

    def _begin_anew(self) -> None:
        scheduler = self.scheduler
        self.structure = scheduler.structure
        self.limit = ceil(float32(len(scheduler.nodes) * scheduler.switches.reservable))
        order = scheduler.order
        self.keys = {policy: key_of(order, policy) for policy in ("fair", "drf", "fifo")}
        scheduler.stale.update(scheduler.changed)
        scheduler.changed.clear()
        scheduler.moved.clear()
        self.holding.clear()
        for node in scheduler.nodes.values():
            if node.reserved is not None:
                scheduler.changed[node.reserved.attempt] = None
        for queue in scheduler.queues.values():
            queue.rank = Rank(self.keys[queue.policy])
            queue.rank.unlimited = min(queue.max) >= _UNLIMITED
            self._check_order(queue)
            scheduler.moved[queue] = None
            for attempt in queue.runnable:
                attempt.rank = None
                scheduler.changed[attempt] = None
        self._check_lists()

    def _check_lists(self) -> None:
        scheduler = self.scheduler
        if not scheduler.profile.features.tree_set_of_queues:
            parents = [queue for queue in scheduler.queues.values() if not queue.leaf]
            self.drifts = any(not queue.rank.ordered for queue in parents)
            self.sorts = self.drifts or self._limits()

    def made(self, queue: QueueState) -> None:
        """A queue is new."""
        parent = queue.parent
        if self.structure != self.scheduler.structure or parent is None:
            return
        queue.rank = Rank(self.keys[queue.policy])
        queue.rank.unlimited = min(queue.max) >= _UNLIMITED
        self._check_order(queue)
        before = parent.rank.ordered
        self._check_order(parent)
        if parent.rank.ordered != before:
            self.structure = -1
        elif not queue.leaf:
            self._check_lists()

    def _check_order(self, queue: QueueState) -> None:
        """Sees whether keys give the order of what is in a queue; where they do not, names stand for them."""
        rank: Rank = queue.rank
        rank.ordered = self._ordered(queue)
        if not rank.ordered:
            rank.key_of = _name_of

    def _ordered(self, queue: QueueState) -> bool:
        scheduler = self.scheduler
        by_memory = scheduler.profile.features.memory_only_demand or scheduler.switches.limits.minimum[0] > 0
        if queue.policy == "fair" and not by_memory:  # who wants vcores alone is compared in two ways
            return False
        if not queue.leaf:
            children = queue.children
            return ordered(scheduler.order, queue.policy, children, [one.max for one in children])
        if queue.policy == "drf":
            cluster = scheduler.order.cluster
            sized = scheduler.switches.size_based_weight
            return not sized and all(cluster[kind] > 0 for kind in scheduler.order.counted)
        return True

    def _place(self, attempt: Attempt) -> None:
        """Puts an application into the lists of its leaf, out of them, or to another place in them."""
        rank: Rank = attempt.queue.rank
        old: Place | None = attempt.rank
        new = self._place_of(attempt, rank)
        if old is not None:
            entries = rank.masters if old.master else rank.children
            if new is not None and new.key == old.key and new.master == old.master:
                if new.sizes == old.sizes and new.held == old.held:
                    return
            else:
                del entries[bisect_left(entries, (old.key,))]
            (rank.masters_asked if old.master else rank.asked).less(old.sizes)
            (rank.masters_held if old.master else rank.asked_held).less(old.held)
        if new is not None:
            if old is None or new.key != old.key or new.master != old.master:
                insort(rank.masters if new.master else rank.children, (new.key, attempt))
            (rank.masters_asked if new.master else rank.asked).more(new.sizes)
            (rank.masters_held if new.master else rank.asked_held).more(new.held)
        attempt.rank = new

    def _place_of(self, attempt: Attempt, rank: Rank) -> Place | None:
        """Returns where an application belongs, None where it can get nothing."""
        if not attempt.runs or attempt.stopped or not attempt.keys or attempt.demand == attempt.used:
            return None
        local = False
        if len(attempt.keys) == 1 and len(places := attempt.asks[attempt.keys[0]]) == 1:
            size = places[ANY].size
            asked = self.single.get(size)
            if asked is None:
                asked = self.single[size] = frozenset((size,))
        else:
            sizes: set[Amount] = set()
            for key in attempt.keys:
                places = attempt.asks[key]
                size = places[ANY].size
                sizes.add(size)
                if len(places) > 1:
                    local = True
                    if any(ask.size != size for ask in places.values()):
                        sizes.add(self.scheduler.zero)  # what the maxima are asked for is not what is given
            asked = frozenset(sizes)
        master = attempt.managed and not attempt.am_running
        return Place(rank.key_of(attempt), master, asked, self._held(attempt, asked, local))

    def _held(self, attempt: Attempt, sizes: Sizes, local: bool) -> Sizes:
        """Returns the sizes for which an application might keep a node."""
        assigner, zero = self.scheduler.assigner, self.scheduler.zero
        if not assigner.starved(attempt):
            return _NONE
        if not local and sum(map(len, attempt.reservations.values())) >= self.limit:
            return _NONE
        return frozenset([size for size in sizes if size == zero or assigner.large(attempt, size)])

    def _hold(self, attempt: Attempt) -> None:
        """Notes for which sizes an application keeps nodes, all the way up its path."""
        zero = self.scheduler.zero
        new = {
            key: zero if (ask := attempt.ask(key, ANY)) is None else ask.size
            for key in attempt.kept
        }  # fmt: skip
        old = self.holding.get(attempt, {})
        if new:
            self.suspects.setdefault(attempt, False)
        if new == old:
            return
        self.suspects[attempt] = True
        queue: QueueState | None = attempt.queue
        while queue is not None:
            queue.rank.kept.less(old.values())
            queue.rank.kept.more(new.values())
            queue = queue.parent
        if new:
            self.holding[attempt] = new
        else:
            del self.holding[attempt]

    def due(self) -> list[Node]:
        """Returns the kept nodes whose next report does something: they are let go, or get what they are kept for."""
        for attempt in self.holding:
            if attempt.managed and not attempt.am_running:  # maxAMShare goes by what changes all the time
                self.suspects.setdefault(attempt, False)
        if not self.suspects and not self.touched:
            return []
        lets_go = self.scheduler.assigner.lets_go
        due = []
        for node in self.touched:
            held = node.reserved
            if held is not None and (fits(held.size, node.free) or lets_go(node)):
                due.append(node)
        self.touched.clear()
        for attempt, each in self.suspects.items():
            for key, nodes in attempt.kept.items():
                # what all nodes of a key have in common is asked of one; the rest has not changed since it was kept
                if each or len(attempt.asks.get(key, ())) != 1 or lets_go(next(iter(nodes))):
                    due += filter(lets_go, nodes)
        self.suspects.clear()
        return due

    def _weigh(self, queue: QueueState) -> bool:
        """Works out what is open in a queue, and its place among its siblings; returns whether that is new."""
        rank: Rank = queue.rank
        sizes, held = rank.asked.sizes, rank.asked_held.sizes
        if not rank.unlimited:
            used, most = queue.used, queue.max
            if rank.kept.sizes and any(not fits(add(used, size), most) for size in rank.kept.sizes):
                self._suspect(queue)
            sizes = frozenset([size for size in sizes if fits(add(used, size), most)])
        if rank.masters_asked.sizes:
            masters = self._masters_with_room(queue)
            sizes |= masters
            held |= masters & rank.masters_held.sizes
        if held:
            held &= sizes
        old, old_held = rank.sizes, rank.held
        new = (sizes is not old and sizes != old) or (held is not old_held and held != old_held)
        if new:
            rank.sizes, rank.held = sizes, held
        parent = queue.parent
        if parent is None:
            return False
        above: Rank = parent.rank
        if new:
            above.asked.less(old)
            above.asked.more(sizes)
            above.asked_held.less(old_held)
            above.asked_held.more(held)
        if sizes:
            key = above.key_of(queue)
            if rank.listed:
                if key == rank.key:
                    return new
                del above.children[bisect_left(above.children, (rank.key,))]
            insort(above.children, (key, queue))
            rank.key = key
            rank.listed = True
        elif rank.listed:
            del above.children[bisect_left(above.children, (rank.key,))]
            rank.listed = False
        return new

    def _suspect(self, queue: QueueState) -> None:
        for one in self.holding:
            if queue in one.queue.path():
                self.suspects.setdefault(one, False)

    def _masters_with_room(self, leaf: QueueState) -> Sizes:
        """Returns the sizes of masters for which maxAMShare may have room.

        Where it goes by what the cluster has left, which changes all the time, there may always be.
        """
        scheduler = self.scheduler
        room = am_limit(scheduler.tree, leaf.queue, leaf.share, leaf.max, scheduler.cluster)
        if room is not None and min(room) < 0:
            room = None  # the less is left the more room there is
        used, most, am_used = leaf.used, leaf.max, leaf.am_used
        return frozenset([
            size for size in leaf.rank.masters_asked.sizes
            if fits(add(used, size), most) and (room is None or fits(add(am_used, size), room))
        ])  # fmt: skip

    # -- the lists of children, which walks sort up to 3.1

    def _limits(self) -> bool:
        """Tells whether there are running limits, which let applications start by the order of the lists."""
        tree = self.scheduler.tree
        limits = {"maxRunningApps", "queueMaxAppsDefault", "userMaxAppsDefault"}
        written = any("maxRunningApps" in queue.fields for queue in tree.queues.values())
        return written or bool(tree.users) or not limits.isdisjoint(tree.defaults)

    def walked(self) -> None:
        """A walk has seen every queue, and nothing has come of it."""
        if self.sorts:
            self.settle()
            stack = [self.scheduler.root]
            while stack:
                queue = stack.pop()
                if not queue.leaf and fits(queue.used, queue.max):
                    stack += self.sort(queue)

    def sort(self, queue: QueueState) -> list[QueueState]:
        """Sorts the children of a queue, and returns them."""
        if queue.rank.ordered:
            queue.children.sort(key=queue.rank.key_of)
            return queue.children
        return self.scheduler.order.queues(queue.policy, queue.children)


def _name_of(one: Sibling) -> Key:
    return (one.sort_name,)
