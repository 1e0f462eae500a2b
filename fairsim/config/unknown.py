"""Elements that an allocation file has and this Hadoop version does not read: what to say about them."""

from __future__ import annotations

from collections.abc import Iterable

from fairsim.config.values import QUEUE_ELEMENTS, TOP_ELEMENTS
from fairsim.diag import WARNING, Finding, Pos, did_you_mean
from fairsim.profiles import Profile

_STRUCTURE = ("queue", "pool", "user", "queuePlacementPolicy")


def unknown_at_top(tag: str, pos: Pos, profile: Profile) -> Finding:
    """Returns the remark about an element below <allocations> that is not read there; Hadoop logs a warning."""
    if tag in TOP_ELEMENTS:
        return _too_new(tag, pos, profile)
    if tag in QUEUE_ELEMENTS:
        return Finding("FS110", "queue-element-at-top-level", WARNING, f"<{tag}> outside of a queue", pos,
                       "ignored", "move it into a <queue>")  # fmt: skip
    return Finding("FS107", "unknown-top-level-element", WARNING, f"unknown element <{tag}>", pos,
                   "ignored", _near(tag, (*TOP_ELEMENTS, *_STRUCTURE)))  # fmt: skip


def unknown_in_queue(tag: str, pos: Pos, profile: Profile) -> Finding:
    """Returns the remark about an element in a queue that is not read there; Hadoop says nothing."""
    if tag in QUEUE_ELEMENTS:
        return _too_new(tag, pos, profile)
    if tag in TOP_ELEMENTS or tag in _STRUCTURE:
        return Finding("FS109", "top-level-element-inside-queue", WARNING, f"<{tag}> inside a queue", pos,
                       "silently ignored", "move it directly below <allocations>")  # fmt: skip
    return Finding("FS108", "unknown-queue-element", WARNING, f"unknown element <{tag}>", pos,
                   "silently ignored", _near(tag, QUEUE_ELEMENTS))  # fmt: skip


def _too_new(tag: str, pos: Pos, profile: Profile) -> Finding:
    effect = f"ignored: Hadoop {profile.label} does not know it"
    return Finding("FS426", "element-unsupported-in-target", WARNING, f"<{tag}>", pos, effect)


def _near(tag: str, known: Iterable[str]) -> str:
    near = did_you_mean(tag, known)
    return f"did you mean <{near}>?" if near else ""
