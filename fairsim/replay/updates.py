"""The update thread's round: what applications and queues want, then what their shares are.

Follows FSLeafQueue.updateDemand, FSParentQueue.updateDemand and updateInternal. `Updater` adds everything up each time,
and defines the answer; `FastUpdater` looks only at what has changed since.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fairsim.javanum import INT_MAX, LONG_MAX
from fairsim.model.resources import Amount
from fairsim.replay.state import Attempt, QueueState, add, subtract
from fairsim.shares.apps import app_weight
from fairsim.shares.search import Line, search
from fairsim.shares.solve import Instantaneous, divided_types

if TYPE_CHECKING:
    from fairsim.replay.scheduler import Scheduler


class Updater:
    """Updates everything."""

    def __init__(self, scheduler: Scheduler):
        self.scheduler = scheduler
        self.line: Line = scheduler.profile.line
        self.nothing = scheduler.zero
        self.size_based = scheduler.switches.size_based_weight

    def update(self) -> bool:
        """Returns whether a demand or a share is another than before."""
        scheduler = self.scheduler
        before = self._all()
        self._update_demands()
        active = {queue.name for queue in scheduler.queues.values() if queue.leaf and queue.running > 0}
        for name, share in Instantaneous(scheduler.tree, scheduler.cluster).shares(active):
            scheduler.queues[name].share = share
        for state in scheduler.queues.values():
            if state.leaf and state.runnable:
                self.divide(state)
        scheduler.forget()
        scheduler.renewed.update(dict.fromkeys(scheduler.queues.values()))
        return self._all() != before

    def made(self) -> None:
        """A queue is new."""

    def _all(self) -> list[Amount]:
        found = []
        for queue in self.scheduler.queues.values():
            found += [queue.demand, queue.share]
            for attempt in queue.runnable:
                found += [attempt.demand, attempt.share]
        return found

    def _update_demands(self) -> None:
        for queue in reversed(list(self.scheduler.root.walk())):
            queue.total = self.nothing
            if queue.leaf:
                for attempt in (*queue.runnable, *queue.waiting):
                    self.demand(attempt)
                    queue.total = add(queue.total, attempt.demand)
            else:
                for child in queue.children:
                    queue.total = add(queue.total, self.passed_on(child.demand))
            queue.demand = tuple(map(min, queue.total, queue.max))

    def passed_on(self, demand: Amount) -> Amount:
        """Returns what a parent takes from the demand of a child: memory and vcores only."""
        return demand[:2] + self.nothing[2:]

    def demand(self, attempt: Attempt) -> None:
        """Sets what an application wants."""
        attempt.demand = attempt.wanted()
        attempt.weight = app_weight(attempt.demand[0], self.size_based)

    def divide(self, leaf: QueueState) -> bool:
        """Divides the share of a leaf among the applications that run there; returns whether one has another now."""
        runnable = leaf.runnable
        if leaf.policy == "fifo":  # the others keep what they had
            first = min(runnable, key=lambda attempt: attempt.start)
            changed = first.share != leaf.share
            first.share = leaf.share
            self.scheduler.changed[first] = None
            return changed
        weights = [attempt.weight for attempt in runnable]
        shares = list(runnable[0].share)
        columns: list[list[int]] = [[] for _ in shares]
        for kind in divided_types(self.scheduler.tree, leaf.policy):
            columns[kind] = self._column(weights, leaf.share[kind])
            if kind == 1:
                columns[kind] = [min(part, INT_MAX) for part in columns[kind]]
        changed = False
        for place, attempt in enumerate(runnable):
            share = tuple([column[place] if column else attempt.share[kind] for kind, column in enumerate(columns)])
            if share != attempt.share:
                changed = True
                attempt.share = share
                self.scheduler.changed[attempt] = None
        return changed

    def _column(self, weights: list[float], total: int) -> list[int]:
        count = len(weights)
        if not self.size_based:
            return [_equal_part(count, total, self.line)] * count
        return search(weights, [0] * count, [LONG_MAX] * count, total, line=self.line).shares


@lru_cache(maxsize=1 << 14)
def _equal_part(count: int, total: int, line: Line) -> int:
    return search([1.0] * count, [0] * count, [LONG_MAX] * count, total, line=line).shares[0]


class FastUpdater(Updater):
    """Updates what has changed: demands of applications and of queues above them, shares where who is active has."""

    def __init__(self, scheduler: Scheduler):
        super().__init__(scheduler)
        self.active: set[str] = set()
        self.solver: Instantaneous | None = None
        self.structure = -1

    def update(self) -> bool:
        """Returns whether a demand or a share is another than before."""
        scheduler = self.scheduler
        scheduler.stale.update(scheduler.changed)
        again: list[QueueState] = []
        if self.structure != scheduler.structure:
            self.structure = scheduler.structure
            again += scheduler.queues.values()
            self._begin_anew()
        changed = self._settle_demands(again)
        changed |= self._settle_shares()
        for leaf in scheduler.entered:
            if leaf.runnable:
                changed |= self.divide(leaf)
        scheduler.entered.clear()
        return changed

    def made(self) -> None:
        """A queue is new."""
        self.solver = None

    def _begin_anew(self) -> None:
        """Queues, their maxima or the cluster are others: everything is looked at."""
        scheduler = self.scheduler
        self.solver = None
        self.active.clear()
        for attempt in scheduler.stale:
            attempt.counted = self.nothing
        for queue in scheduler.queues.values():
            queue.total = self.nothing
            scheduler.moved[queue] = None
            if queue.leaf:
                scheduler.entered[queue] = None
                for attempt in (*queue.runnable, *queue.waiting):
                    attempt.counted = self.nothing
                    scheduler.stale[attempt] = None
        for queue in scheduler.queues.values():
            if queue.parent is not None:
                queue.parent.total = add(queue.parent.total, self.passed_on(queue.demand))

    def _settle_demands(self, again: list[QueueState]) -> bool:
        scheduler = self.scheduler
        changed = False
        levels: list[dict[QueueState, None]] = []
        for attempt in scheduler.stale:
            leaf = attempt.queue
            if attempt.stopped:
                wanted = self.nothing
            else:
                before, weight = attempt.demand, attempt.weight
                self.demand(attempt)
                wanted = attempt.demand
                if wanted != before:
                    changed = True
                    scheduler.changed[attempt] = None
                    if weight != attempt.weight:
                        scheduler.entered[leaf] = None
            if wanted != attempt.counted:
                leaf.total = add(leaf.total, subtract(wanted, attempt.counted))
                attempt.counted = wanted
                _put(levels, leaf)
        scheduler.stale.clear()
        for queue in again:
            _put(levels, queue)
        for level in reversed(levels):
            for queue in level:
                demand = tuple(map(min, queue.total, queue.max))
                if demand != queue.demand:
                    changed = True
                    scheduler.moved[queue] = scheduler.renewed[queue] = None
                    if queue.parent is not None:
                        more = subtract(self.passed_on(demand), self.passed_on(queue.demand))
                        queue.parent.total = add(queue.parent.total, more)
                        levels[queue.depth - 1][queue.parent] = None
                    queue.demand = demand
        return changed

    def _settle_shares(self) -> bool:
        scheduler = self.scheduler
        stale = self.solver is None
        for leaf in scheduler.entered:
            if (leaf.running > 0) != (leaf.name in self.active):
                stale = True
                (self.active.add if leaf.running > 0 else self.active.discard)(leaf.name)
        if not stale:
            return False
        if self.solver is None:
            self.solver = Instantaneous(scheduler.tree, scheduler.cluster)
        changed = False
        for name, share in self.solver.shares(self.active):
            queue = scheduler.queues[name]
            if share != queue.share:
                changed = True
                queue.share = share
                scheduler.moved[queue] = scheduler.renewed[queue] = None
                if queue.leaf:
                    scheduler.entered[queue] = None
        return changed


def _put(levels: list[dict[QueueState, None]], queue: QueueState) -> None:
    while len(levels) <= queue.depth:
        levels.append({})
    levels[queue.depth][queue] = None
