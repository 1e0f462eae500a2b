"""One run of `fairsim shares` as its answer shows it: the values of each queue."""

from __future__ import annotations

from typing import NamedTuple

from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import MEMORY, Amount
from fairsim.shares.apps import masters_that_fit
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


def bounded(tree: QueueTree, amount: Amount) -> tuple[int | None, ...] | None:
    """Returns a maximum with None for the types that are unlimited; None when all are."""
    parts = tuple(
        None if value >= unlimited else value for value, unlimited in zip(amount, tree.unlimited(), strict=True)
    )
    return parts if any(part is not None for part in parts) else None


def room_for_masters(view: View, index: int) -> Amount | None:
    """Returns the AM limit of a leaf in an empty cluster; None for parents and where the check is off."""
    queue = view.shares.queues[index]
    if not queue.leaf:
        return None
    shares = view.shares
    return am_limit(view.tree, queue, shares.instantaneous[index], shares.maxima[index], shares.cluster)


def fitting_masters(view: View, index: int) -> int | None:
    """Returns how many masters of the given size fit, None where nothing limits them or none is given."""
    queue, shares = view.shares.queues[index], view.shares
    if view.master is None or not queue.leaf:
        return None
    return masters_that_fit(
        view.tree, queue, shares.instantaneous[index], shares.maxima[index], shares.cluster, view.master
    )


def percent(view: View, index: int) -> float:
    """Returns the largest part of the cluster, over all types, that the instantaneous share is; in percent."""
    amount = view.shares.instantaneous[index]
    return max((100.0 * part / whole for part, whole in zip(amount, view.shares.cluster, strict=True) if whole),
               default=0.0)  # fmt: skip


def short_name(name: str) -> str:
    """Returns MB for memory-mb, the name of any other type."""
    return "MB" if name == MEMORY else name
