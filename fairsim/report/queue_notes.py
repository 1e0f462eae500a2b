"""What is odd about a queue, in short remarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import Amount
from fairsim.report.views import View, short_name
from fairsim.shares.solve import can_run, divided_types

KNOWN = ("fair", "drf", "fifo")
_SETTINGS = {"minResources", "maxResources", "maxRunningApps"}


def notes_of(view: View) -> list[list[str]]:
    """Returns for each queue what is odd about it, in short."""
    kinds = {policy: divided_types(view.tree, policy) for policy in {queue.policy for queue in view.shares.queues}}
    shares, tree = view.shares, view.tree
    found = []
    for index, (queue, room) in enumerate(zip(shares.queues, view.rooms, strict=True)):
        notes = list(queue.notes)
        if queue.fields and queue.parent is not None:
            amounts = (shares.instantaneous if shares.active[index] else shares.steady)[index]
            low, high = queue.min, shares.maxima[index]
            for kind in kinds[queue.parent.policy]:
                if amounts[kind] == low[kind] or amounts[kind] == high[kind] or not queue.weight > 0:
                    notes += _bounds(view, queue, kinds[queue.parent.policy], index)
                    break
        if queue.children:
            notes += _excess(view, queue, index)
        elif not queue.leaf and queue.parent is not None and "reservation" not in queue.fields:
            notes.append("a parent without children: no application goes here")
        if not _SETTINGS.isdisjoint(queue.fields) or queue.policy not in KNOWN or (not index and tree.defaults):
            notes += _settings(tree, queue, shares.maxima[index])
        if room is not None and not all(part is None or part > 0 for part in room[:2]):
            notes.append("no room for a master: no application ever starts here")
        found.append(notes)
    return found


def _bounds(view: View, queue: Queue, kinds: Sequence[int], index: int) -> list[str]:
    """Notes on what decided the share: the instantaneous one of active queues, else the steady one."""
    shares, low = view.shares, queue.min
    amounts = shares.instantaneous[index] if shares.active[index] else shares.steady[index]
    high = shares.maxima[index]
    notes = []
    at_min = [kind for kind in kinds if amounts[kind] == low[kind] > 0]
    at_max = [kind for kind in kinds if low[kind] != amounts[kind] == high[kind] < view.unlimited[kind] and high[kind]]
    if at_min or at_max:
        steady = "" if shares.active[index] else "steady share "
        for word, held in (("at its min", at_min), ("at its max", at_max)):
            if held:
                names = ", ".join(short_name(view.tree.types.names[kind]) for kind in held)
                notes.append(f"{steady}{word}" if len(kinds) == 1 else f"{steady}{word} ({names})")
    if queue.weight <= 0:
        word = "weight 0" if queue.weight == 0 else "weight below 0"
        notes.append(f"{word}: its min, no more" if any(low) else f"{word}: no share")
    elif queue.weight != queue.weight:
        notes.append("weight NaN: no share")
    return notes


def _excess(view: View, queue: Queue, index: int) -> list[str]:
    """A note on children whose shares come to more than the parent's by more than rounding."""
    place = [view.place[child] for child in queue.children]
    for mode, amounts in (("", view.shares.instantaneous), ("steady ", view.shares.steady)):
        over = []
        for kind in divided_types(view.tree, queue.policy):
            excess = sum([amounts[child][kind] for child in place]) - amounts[index][kind]
            if excess > len(place):
                over.append(f"{excess} {short_name(view.tree.types.names[kind])}")
        if over:
            return [f"{mode}shares below sum to {', '.join(over)} more"]
    return []


def _settings(tree: QueueTree, queue: Queue, most: Amount) -> list[str]:
    fields = queue.fields
    notes = []
    if (field := fields.get("minResources")) and field.value.fractions is not None:
        notes.append("min in percent is not read: 0")
    if field := fields.get("maxResources"):
        notes += _max_notes(tree, queue, most, field.value)
    if queue.parent is None and tree.max_limit(queue).value is not None:
        notes.append("its max does not lower its share, but holds back all containers of the cluster")
    if queue.leaf and (field := fields.get("maxRunningApps")) and field.value <= 0 and not can_run(tree, queue):
        notes.append(f"maxRunningApps {field.value}: no application runs")
    if queue.policy not in KNOWN:
        notes.append(f"policy {queue.policy} is not known here: treated as fair")
    return notes


def _max_notes(tree: QueueTree, queue: Queue, most: Amount, spec: Any) -> list[str]:
    notes = []
    if spec.amount is not None:
        if spec.amount[1] < 0:
            notes.append("max names no vcores: Hadoop reads -1, so 0")
        elif any(queue.min) and any(part < low for part, low in zip(spec.amount, queue.min, strict=True)):
            raised = tree.profile.features.max_raised_to_min
            notes.append("max is below min: max raised to min" if raised else "max is below min: max wins")
    if 0 in most[:2]:
        zero = [short_name(name) for name, part in zip(tree.types.names[:2], most, strict=False) if part == 0]
        notes.append(f"max 0 {' and '.join(zero)}: no container fits")
    return notes
