"""The fast engine's walk down the tree, by ranks."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import TYPE_CHECKING

from fairsim.model.resources import Amount
from fairsim.replay.assign import Assigner
from fairsim.replay.ranks import Place, Rank, Ranks, Sizes
from fairsim.replay.state import ANY, Attempt, Node, QueueState, add, fits
from fairsim.shares.solve import am_limit

if TYPE_CHECKING:
    from fairsim.replay.scheduler import Scheduler

_NONE: Sizes = frozenset()


class FastAssigner(Assigner):
    """Assigns by ranks."""

    def __init__(self, scheduler: Scheduler, ranks: Ranks):
        super().__init__(scheduler)
        self.ranks = ranks
        self.passes_by = min(self.switches.node_threshold, self.switches.rack_threshold) < 0

    def start(self, node: Node) -> Amount:
        """Returns what the node gets from the whole tree."""
        self.ranks.settle()
        return self._assign(self.scheduler.root, node)

    def _assign(self, queue: QueueState, node: Node) -> Amount:
        rank: Rank = queue.rank
        if self.ranks.sorts and not queue.leaf:
            if not fits(queue.used, queue.max):
                return self.nothing
        elif not rank.sizes or (self.passes_by and not self._suits(rank.sizes, rank.held, node)):
            return self.nothing
        if queue.leaf:
            return self._assign_leaf(queue, rank, node)
        for child in self._in_order(queue, rank):
            assigned = self._assign(child, node)
            if any(assigned):
                return assigned
        return self.nothing

    def _suits(self, sizes: Sizes, held: Sizes, node: Node) -> bool:
        if held:
            return True
        free = node.free
        for size in sizes:  # noqa: SIM110 - for every queue on the way of every container
            if fits(size, free):
                return True
        return False

    def _in_order(self, queue: QueueState, rank: Rank) -> Iterator[QueueState]:
        if self.ranks.sorts:
            return iter(self.ranks.sort(queue))
        if rank.ordered:
            return (child for _, child in rank.children)  # type: ignore[misc]
        order = self.scheduler.order
        return (child for child in order.queues(queue.policy, queue.children) if child.rank.sizes)

    def _assign_leaf(self, leaf: QueueState, rank: Rank, node: Node) -> Amount:
        free, passes_by = node.free, self.passes_by
        fitting = {size for size in rank.sizes if fits(size, free)}
        masters = self._masters(leaf, rank) if rank.masters else _NONE
        for attempt in self._apps(leaf, rank, bool(masters)):
            place: Place = attempt.rank
            if passes_by and not place.held and fitting.isdisjoint(place.sizes):
                continue
            if place.master and attempt.asks[attempt.keys[0]][ANY].size not in masters:
                continue
            names = attempt.am_blacklist if attempt.waits_for_master else attempt.blacklist
            if names and (node.name in names or node.rack in names):
                continue
            assigned = self._offer(attempt, node, attempt.keys, reserved=False)
            if any(assigned):
                return assigned
        return self.nothing

    def _masters(self, leaf: QueueState, rank: Rank) -> Sizes:
        """Returns the sizes of masters for which maxAMShare has room at this moment."""
        scheduler = self.scheduler
        sizes = rank.masters_asked.sizes
        room = am_limit(scheduler.tree, leaf.queue, leaf.share, leaf.max, scheduler.available)
        if room is None:
            return sizes
        used = leaf.am_used
        return frozenset([size for size in sizes if fits(add(used, size), room)])

    def _apps(self, leaf: QueueState, rank: Rank, masters: bool) -> Iterator[Attempt]:
        """Yields the applications in order, those that wait for their master only where one may have room."""
        if not rank.ordered:
            wanting = [attempt for attempt in leaf.runnable if attempt.rank is not None]
            return iter(self.scheduler.order.apps(leaf.policy, wanting))
        if masters:
            if not rank.children:
                return (attempt for _, attempt in rank.masters)
            return (attempt for _, attempt in merge(rank.children, rank.masters))  # type: ignore[misc]
        return (attempt for _, attempt in rank.children)  # type: ignore[misc]
