"""What-if changes, `--set root.busy.weight=2`, made to what was read before the queues are built."""

from __future__ import annotations

from typing import NamedTuple

from fairsim.config.allocation import RawAllocation, RawQueue
from fairsim.config.names import DEFAULT_QUEUE, ROOT, full_name, near_queue
from fairsim.config.values import ALIASES, QUEUE_ELEMENTS, TOP_ELEMENTS, Parser, ValueRefused, Values
from fairsim.diag import did_you_mean
from fairsim.errors import UsageError
from fairsim.model.queues import Field

WHERE = "--set"
#: Short names beside those of the elements.
SHORT = {
    "min": "minResources", "max": "maxResources", "policy": "schedulingPolicy", "schedulingMode": "schedulingPolicy",
}  # fmt: skip


class Change(NamedTuple):
    """One change: the full name of a queue (empty: the whole file), the element, the new text (empty: drop it)."""

    queue: str
    element: str
    text: str


def parse_changes(texts: tuple[str, ...]) -> tuple[list[Change], str | None]:
    """Returns the changes of the file, and the text of `cluster=...` if one is there. Raises UsageError."""
    changes: list[Change] = []
    cluster = None
    for text in texts:
        target, equals, value = text.partition("=")
        target = target.strip()
        if not equals or not target:
            hint = "write root.a.weight=2 or cluster=800g,200c"
            raise UsageError(f"{text!r} is not a change", where=WHERE, hint=hint)
        if target == "cluster":
            cluster = value
            continue
        queue, dot, name = target.rpartition(".")
        known = QUEUE_ELEMENTS if dot else TOP_ELEMENTS
        element = SHORT.get(name, name) if dot else ALIASES.get(name, name)
        if element not in known or element == "reservation":
            raise _unknown_element(name, dot != "")
        changes.append(Change(full_name(queue) if dot else "", element, value))
    return changes, cluster


def _unknown_element(name: str, of_queue: bool) -> UsageError:
    known = sorted({*QUEUE_ELEMENTS, *SHORT} - {"reservation"}) if of_queue else [*TOP_ELEMENTS, "cluster"]
    near = did_you_mean(name, known)
    if name == "reservation":
        hint = "write <reservation/> into the file"
    elif near:
        hint = f"did you mean {near}?"
    elif of_queue:
        hint = "write QUEUE.ELEMENT=VALUE; elements: " + ", ".join(known)
    else:
        hint = "write QUEUE.ELEMENT=VALUE, or one of " + ", ".join(known)
    return UsageError(f"{name!r} is not a setting of {'a queue' if of_queue else 'the file'}", where=WHERE, hint=hint)


def apply_changes(raw: RawAllocation, changes: list[Change]) -> None:
    """Changes what was read, in place. Raises UsageError where the change has no target or Hadoop refuses it."""
    values = Values(raw.profile, raw.types)
    by_name = {full_name(key): queue for key, queue in raw.queues.items()}
    for change in changes:
        if not change.queue:
            parser, feature, _ = TOP_ELEMENTS[change.element]
            _put(raw, raw.defaults, change, parser, feature, values)
            continue
        queue = by_name.get(change.queue)
        if queue is None:
            queue = by_name[change.queue] = _implicit(raw, change.queue, by_name)
        parser, feature = QUEUE_ELEMENTS[change.element]
        on_parent = change.element == "maxAMShare" and queue.key in raw.parents and change.text
        if on_parent and raw.profile.features.am_share_on_parent_refused:
            raise UsageError(
                f"{change.queue} is a parent: Hadoop {raw.profile.label} refuses a file with maxAMShare there",
                where=WHERE,
                hint="set it on the leaves",
            )
        _put(raw, queue.fields, change, parser, feature, values)


def _implicit(raw: RawAllocation, name: str, by_name: dict[str, RawQueue]) -> RawQueue:
    """Returns an entry for a queue that exists without being written: root, and root.default up to 3.3."""
    exists = name == ROOT or (name == DEFAULT_QUEUE and not raw.profile.features.no_default_queue)
    if not exists:
        near = near_queue(name, by_name)
        raise UsageError(
            f"no queue {name} in the file",
            where=WHERE,
            hint=f"did you mean {near}?" if near else "changes can not add queues",
        )
    queue = raw.queues[name] = RawQueue(name, raw.document.root, len(raw.queues))
    (raw.parents if name == ROOT else raw.leaves)[name] = None
    return queue


def _put(
    raw: RawAllocation,
    fields: dict[str, Field],
    change: Change,
    parser: Parser,
    feature: str | None,
    values: Values,
) -> None:
    label = raw.profile.label
    if feature is not None and not getattr(raw.profile.features, feature):
        raise UsageError(f"Hadoop {label} does not know {change.element}", where=WHERE)
    if not change.text:
        fields.pop(change.element, None)
        return
    try:
        fields[change.element] = Field(parser(values, change.text), None)
    except ValueRefused as error:
        message = f"{change.element}: {error.message}; Hadoop {label} would not load such a file"
        raise UsageError(message, where=WHERE, hint=error.hint) from None
