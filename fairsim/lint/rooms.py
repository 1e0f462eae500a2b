"""What a queue has room for at best: single containers, and application masters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairsim.lint.case import Case
from fairsim.lint.limits import no_masters, unlimited_masters
from fairsim.model.queues import Queue
from fairsim.model.resources import Amount


def divided_types_of(case: Case, queue: Queue) -> Sequence[int]:
    """The types that a parent divides among its children."""
    from fairsim.shares.solve import divided_types

    return divided_types(case.tree, queue.policy)


def fits_checked(case: Case) -> bool:
    """Tells whether a container must fit into the maxima; up to 2.7 only what is in use already is compared."""
    return case.profile.version >= (2, 8, 0)


def smallest_containers(case: Case) -> dict[Queue, Amount]:
    """The smallest container that fits into each queue's own rules: maxContainerAllocation cuts it, too."""
    found = dict.fromkeys(case.queues, case.smallest)
    if not any(True for _ in case.fields("maxContainerAllocation")):
        return found
    if case.profile.features.max_container_allocation:
        for queue in reversed(case.queues):
            cap = case.tree.max_container(queue).value
            if queue.children:
                found[queue] = tuple(map(min, *(found[child] for child in queue.children), case.smallest))
            elif cap is not None and cap.amount is not None:
                found[queue] = tuple(map(min, case.smallest, cap.amount))
    return found


class Room(NamedTuple):
    """What a leaf can have at best: `container` bounds a single one, `share` is its share, `holder` has the maximum."""

    container: Amount
    share: Amount
    holder: Queue

    def masters(self, case: Case, queue: Queue, size: Amount | None = None) -> Amount | None:
        """Returns what masters may use of the share, None where they may use all.

        Of what the parent does not divide there is no share: the queue's own maximum counts, and the size.
        """
        from fairsim.shares.solve import am_limit

        most = case.maxima.get(queue, case.tree.unlimited())
        free = most if size is None else tuple(map(min, most, size))
        divided = range(1) if queue.parent is None else divided_types_of(case, queue.parent)
        share = tuple(part if kind in divided else free[kind] for kind, part in enumerate(self.share))
        return am_limit(case.tree, queue, share, most, share)


def rooms(case: Case, size: Amount | None = None) -> dict[Queue, Room]:
    """Returns the room of the leaves at, or below, a written maximum; with a size, of all leaves of such a cluster."""
    nothing = case.tree.unlimited()
    found: dict[Queue, Room] = {}
    levels: dict[Queue, Room] = {}
    for queue in case.queues:
        most = case.maxima.get(queue)
        room = levels.get(queue.parent) if queue.parent is not None else None
        if room is None and size is not None:
            room = Room(nothing, size, queue)
        if most is not None:
            above, share, holder = room or (nothing, nothing, queue)
            container = tuple(map(min, above, most))
            share = tuple(map(min, most, map(max, share, queue.min))) if queue.parent is not None else share
            room = Room(container, share, holder if container == above and room is not None else queue)
        elif room is not None and any(queue.min):
            room = room._replace(share=tuple(map(max, room.share, queue.min)))
        if room is not None:
            levels[queue] = room
            if queue.leaf:
                found[queue] = room
    return found


def ample(case: Case, master: Amount) -> bool:
    """Tells, for the usual file, that even the smallest maximum has room for a master."""
    default = case.tree.defaults.get("queueMaxAMShareDefault")
    parts: list[float] = [0.5 if default is None else default.value]
    parts += [field.value for _, _, field in case.fields("maxAMShare")]
    part = min([part for part in parts if not unlimited_masters(part)], default=1.0)
    least = [min(column) for column in zip(*case.maxima.values(), strict=True)]
    return all(
        size == low == 0 or most * part >= max(size, low)
        for most, size, low in zip(least, master, case.smallest, strict=True)
    )


def closed(case: Case, queue: Queue) -> bool:
    """Tells whether maxAMShare lets no master start, whatever the queue has."""
    return no_masters(case.tree.max_am_share(queue).value)


def below(room: Amount | None, size: Amount) -> bool:
    return room is not None and any(map(int.__lt__, room, size))
