"""The explanation of one queue's shares as tables: a step for each level, from the cluster down."""

from __future__ import annotations

from collections.abc import Iterator

from fairsim.javanum import shortest_float32
from fairsim.model.queues import QueueTree
from fairsim.report.shares import plain_number
from fairsim.report.table import RIGHT, Column, Table
from fairsim.report.views import short_name
from fairsim.shares.explain import Explanation, Member, Step

#: As many siblings are listed; of more, those nearest to the queue that is explained.
MOST = 12

_DECIDED = {
    "weight": "weight * ratio, cut to a whole number",
    "min": "weight * ratio is below its min",
    "max": "weight * ratio is above its max",
    "idle": "idle: counts only for the steady share",
    "zero weight": "weight 0: its min",
    "no max": "its max is 0",
}


def blocks(tree: QueueTree, one: Explanation, same: bool) -> Iterator[Table | str]:
    """Yields what text and Markdown show: a headline, a table for each step, remarks.

    `same` tells that steady and instantaneous shares are equal, so that one explanation is of both.
    """
    kinds = {step.kind: index for index, step in enumerate(one.steps)}
    name = "steady share, and instantaneous share," if same else f"{one.mode} share"
    yield f"{name} of {one.queue}, from the cluster down"
    for step in one.steps:
        yield _step(tree, one, step)
    if not kinds:
        yield "root has the whole cluster"
    for name in one.undivided:
        yield f"{name} is not divided by every parent on the way (policy fair divides memory-mb only): 0 below there"
    yield from one.starved


def _step(tree: QueueTree, one: Explanation, step: Step) -> Table:
    unit = short_name(step.kind)
    unlimited = dict(zip(tree.types.names, tree.unlimited(), strict=True))[step.kind]
    members, left_out = _near(step.members, one.queue)
    rows = [
        (
            member.queue,
            plain_number(shortest_float32(member.weight)),
            member.min or None,
            None if member.max >= unlimited else member.max,
            member.share,
            _DECIDED[member.decided],
        )
        for member in members
    ]
    columns = [
        Column("queue", "queue", rank=0, style="name"),
        Column("weight", "weight", RIGHT),
        Column("min", "min", RIGHT, unit),
        Column("max", "max", RIGHT, unit, none="unlimited"),
        Column("share", "share", RIGHT, unit, rank=0, style="number"),
        Column("decided", "decided by", wrap=True),
    ]
    return Table(columns, rows, _title(step, unit), _notes(step, unit, left_out))


def _title(step: Step, unit: str) -> str:
    return f"{step.parent} ({step.policy}) divides {step.total} {unit}"


def _notes(step: Step, unit: str, left_out: int) -> list[str]:
    notes = []
    if left_out:
        notes.append(f"{left_out} more siblings are not shown")
    if step.taken:
        notes.append(f"{step.taken} {unit} are taken by fixed shares; the others divide {step.target}")
    elif step.target != step.total:
        notes.append(f"all maxima together are {step.target} {unit}: no more is divided")
    if step.ratio:
        notes.append(f"ratio {step.ratio!r} (share for each weight of 1)")
    if step.sum != step.total:
        more = step.sum - step.total
        notes.append(f"the shares sum to {step.sum} {unit}, {abs(more)} {'more' if more > 0 else 'less'} than there is")
    return notes


def _near(members: list[Member], queue: str) -> tuple[list[Member], int]:
    """Returns the members to list, and how many are left out; the one on the path is always there."""
    if len(members) <= MOST:
        return members, 0
    place = next(
        (index for index, member in enumerate(members) if f"{queue}.".startswith(f"{member.queue}.")),
        0,
    )
    first = min(max(place - MOST // 2, 0), len(members) - MOST)
    return members[first : first + MOST], len(members) - MOST
