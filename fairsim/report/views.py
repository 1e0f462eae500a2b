"""One run of `fairsim shares` as its answer shows it: the values of each queue."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import MEMORY, Amount
from fairsim.shares.solve import Shares, am_limits


class View:
    """One cluster size: the queues, their shares, and how to show them.

    `label` names the size where there are several; `master` is the size of a master to fit into the room for them.
    """

    def __init__(
        self, tree: QueueTree, shares: Shares, *, human: bool = False, master: Amount | None = None, label: str = ""
    ):
        self.tree = tree
        self.shares = shares
        self.human = human
        self.master = master
        self.label = label
        self.unlimited = tree.unlimited()

    @cached_property
    def place(self) -> dict[Queue, int]:
        """The place of each queue in the lists of shares."""
        return {queue: index for index, queue in enumerate(self.shares.queues)}

    @cached_property
    def rooms(self) -> Sequence[tuple[int | None, ...] | None]:
        """The AM limit of each active leaf in an empty cluster, None for other queues.

        None in it: this type is not looked at (vcores outside of drf up to 2.8; all where the check is off). An idle
        leaf has no limit to speak of: Hadoop asks for it when the first application has made the queue active.
        """
        limits = am_limits(self.tree, self.shares)
        unlimited = (None,) * len(self.tree.types.names)
        every_type = self.tree.profile.features.am_limit_rounded_up
        return [
            None
            if not active or not queue.leaf
            else unlimited
            if room is None
            else room
            if every_type or queue.policy == "drf"
            else (room[0], *unlimited[1:])
            for queue, room, active in zip(self.shares.queues, limits, self.shares.active, strict=True)
        ]


# -- values of one queue


def bounded(amount: Amount, unlimited: Amount) -> tuple[int | None, ...] | None:
    """Returns a maximum with None for the types that are unlimited (`tree.unlimited()`); None when all are."""
    if amount == unlimited:
        return None
    parts = tuple([None if part >= limit else part for part, limit in zip(amount, unlimited, strict=True)])
    return parts if any(part is not None for part in parts) else None


def any_number(amount: Sequence[int | None]) -> bool:
    """Returns whether any type has a bound."""
    return any(part is not None for part in amount)


def fitting_masters(view: View, index: int) -> int | None:
    """Returns how many masters of the given size fit, None where nothing limits them or none is given."""
    queue, shares = view.shares.queues[index], view.shares
    if view.master is None or not queue.leaf or not shares.active[index]:
        return None
    from fairsim.shares.apps import masters_that_fit

    return masters_that_fit(
        view.tree, queue, shares.instantaneous[index], shares.maxima[index], shares.cluster, view.master
    )


def percents(view: View) -> list[float]:
    """Returns for each queue the largest part of the cluster, over all types, that its share at the moment is; in %."""
    parts = [
        [100.0 * amount / whole for amount in column]
        for column, whole in zip(zip(*view.shares.instantaneous, strict=True), view.shares.cluster, strict=True)
        if whole
    ]
    if not parts:
        return [0.0] * len(view.shares.queues)
    return list(map(max, *parts)) if len(parts) > 1 else parts[0]


def short_name(name: str) -> str:
    """Returns MB for memory-mb, the name of any other type."""
    return "MB" if name == MEMORY else name
