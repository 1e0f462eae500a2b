"""The instantaneous shares that an update leaves in queues and applications."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairsim.javanum import INT_MAX, LONG_MAX
from fairsim.replay.state import QueueState
from fairsim.shares.search import search
from fairsim.shares.solve import divided_types, solve

if TYPE_CHECKING:
    from fairsim.replay.scheduler import Scheduler


def set_shares(scheduler: Scheduler) -> None:
    """Sets the share of each queue and of each application that runs (FSParentQueue, FSLeafQueue.updateInternal)."""
    active = frozenset(queue.name for queue in scheduler.queues.values() if queue.leaf and queue.running > 0)
    shares = solve(scheduler.tree, scheduler.cluster, active)
    for queue, share in zip(shares.queues, shares.instantaneous, strict=True):
        scheduler.queues[queue.name].share = share
    for state in scheduler.queues.values():
        if state.leaf and state.runnable:
            _divide(scheduler, state)


def _divide(scheduler: Scheduler, leaf: QueueState) -> None:
    if leaf.policy == "fifo":  # the others keep what they had
        first = min(leaf.runnable, key=lambda attempt: attempt.start)
        first.share = leaf.share
        return
    weights = [attempt.weight for attempt in leaf.runnable]
    mins, maxs = [0] * len(weights), [LONG_MAX] * len(weights)
    columns = [list(column) for column in zip(*(attempt.share for attempt in leaf.runnable), strict=True)]
    for kind in divided_types(scheduler.tree, leaf.policy):
        columns[kind] = search(weights, mins, maxs, leaf.share[kind], line=scheduler.profile.line).shares
        if kind == 1:
            columns[kind] = [min(part, INT_MAX) for part in columns[kind]]
    for attempt, share in zip(leaf.runnable, zip(*columns, strict=True), strict=True):
        attempt.share = share
