"""One run of `fairsim shares` as its answer shows it: the values of each queue."""

from __future__ import annotations

from typing import NamedTuple

from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import MEMORY, Amount
from fairsim.shares.solve import Shares, am_limit


class View(NamedTuple):
    """One cluster size: the queues, their shares, and how to show them.

    `label` names the size where there are several; `master` is the size of a master to fit into the room for them.
    """

    tree: QueueTree
    shares: Shares
    place: dict[Queue, int]
    human: bool = False
    master: Amount | None = None
    label: str = ""


def make_view(
    tree: QueueTree, shares: Shares, *, human: bool = False, master: Amount | None = None, label: str = ""
) -> View:
    """Returns the view of one run."""
    return View(tree, shares, {queue: index for index, queue in enumerate(shares.queues)}, human, master, label)


# -- values of one queue


def bounded(amount: Amount, unlimited: Amount) -> tuple[int | None, ...] | None:
    """Returns a maximum with None for the types that are unlimited (`tree.unlimited()`); None when all are."""
    if amount == unlimited:
        return None
    parts = tuple([None if part >= limit else part for part, limit in zip(amount, unlimited, strict=True)])
    return parts if any(part is not None for part in parts) else None


def room_for_masters(view: View, index: int) -> tuple[int | None, ...] | None:
    """Returns the AM limit of a leaf in an empty cluster; None for parents and where the check is off.

    None in it: this type is not looked at (vcores outside of drf up to 2.8).
    """
    shares, tree = view.shares, view.tree
    queue = shares.queues[index]
    if not queue.leaf:
        return None
    room = am_limit(tree, queue, shares.instantaneous[index], shares.maxima[index], shares.cluster)
    if room is None or tree.profile.features.am_limit_rounded_up or queue.policy == "drf":
        return room
    return (room[0], *(None for _ in room[1:]))


def fitting_masters(view: View, index: int) -> int | None:
    """Returns how many masters of the given size fit, None where nothing limits them or none is given."""
    queue, shares = view.shares.queues[index], view.shares
    if view.master is None or not queue.leaf:
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
