"""What is odd about a queue, in short remarks."""

from __future__ import annotations

from typing import Any

from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import Amount
from fairsim.report.views import View, short_name
from fairsim.shares.solve import can_run, divided_types


def notes_of(view: View, index: int) -> list[str]:
    """Returns what is odd about a queue, in short."""
    tree, shares = view.tree, view.shares
    queue = shares.queues[index]
    notes = list(queue.notes)
    if not queue.fields and not queue.children:
        return notes
    if queue.parent is not None:
        notes += _bounds(view, queue, index)
    if queue.children:
        notes += _excess(view, queue, index)
    if queue.fields:
        notes += _settings(tree, queue, shares.maxima[index])
    return notes


def _bounds(view: View, queue: Queue, index: int) -> list[str]:
    """Notes on what decided the share: the instantaneous one of active queues, else the steady one."""
    shares, parent = view.shares, queue.parent
    assert parent is not None
    amounts = shares.instantaneous[index] if shares.active[index] else shares.steady[index]
    kinds = divided_types(view.tree, parent.policy)
    at_min = [kind for kind in kinds if amounts[kind] == queue.min[kind] > 0]
    at_max = [kind for kind in kinds if amounts[kind] == shares.maxima[index][kind] > 0 and kind not in at_min]
    notes = []
    for word, held in (("raised to min", at_min), ("capped at max", at_max)):
        if held:
            names = ", ".join(short_name(view.tree.types.names[kind]) for kind in held)
            notes.append(word if len(kinds) == 1 else f"{word} ({names})")
    if queue.weight <= 0:
        notes.append("weight 0: its min, no more" if any(queue.min) else "weight 0: no share")
    return notes


def _excess(view: View, queue: Queue, index: int) -> list[str]:
    """Notes on children whose shares come to more than the parent's."""
    place = view.place
    over = []
    for kind in divided_types(view.tree, queue.policy):
        for mode, amounts in (("", view.shares.instantaneous), ("steady ", view.shares.steady)):
            excess = sum(amounts[place[child]][kind] for child in queue.children) - amounts[index][kind]
            if excess > 0:
                unit = " MB" if kind == 0 else f" {short_name(view.tree.types.names[kind])}"
                over.append(f"{mode}shares below sum to {excess}{unit} more")
                break
    return over


def _settings(tree: QueueTree, queue: Queue, most: Amount) -> list[str]:
    notes = []
    if (field := queue.fields.get("minResources")) and field.value.fractions is not None:
        notes.append("min in percent is not read: 0")
    limit = queue.fields.get("maxResources")
    if limit is not None:
        notes += _max_notes(tree, queue, most, limit.value)
    if queue.leaf and "maxRunningApps" in queue.fields and not can_run(tree, queue):
        notes.append("maxRunningApps 0: no application runs")
    policy = tree.configured_policy(queue).value
    if policy not in ("fair", "drf", "fifo"):
        notes.append(f"policy {policy} is not known here: treated as fair")
    return notes


def _max_notes(tree: QueueTree, queue: Queue, most: Amount, spec: Any) -> list[str]:
    notes = []
    if spec.amount is not None and spec.amount[1] < 0:
        notes.append("max names no vcores: Hadoop reads -1, so 0")
    elif spec.amount is not None and any(part < low for part, low in zip(spec.amount, queue.min, strict=True)):
        raised = tree.profile.features.max_raised_to_min
        notes.append("max is below min: max raised to min" if raised else "max is below min: max wins")
    zero = [short_name(name) for name, part in zip(tree.types.names[:2], most, strict=False) if part == 0]
    if zero:
        notes.append(f"max 0 {' and '.join(zero)}: no container fits")
    return notes
