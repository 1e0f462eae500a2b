"""Elements that an allocation file has and this Hadoop version does not read: what to say about them."""

from __future__ import annotations

from collections.abc import Iterable

from fairsim.config.values import QUEUE_ELEMENTS, TOP_ELEMENTS
from fairsim.diag import WARNING, Finding, Pos, did_you_mean
from fairsim.profiles import Profile

#: Elements of files for other programs; none of YARN's was meant.
MR1_ELEMENTS = (
    "minMaps", "minReduces", "maxMaps", "maxReduces", "maxRunningJobs", "poolMaxJobsDefault", "userMaxJobsDefault",
    "defaultPoolSchedulingMode",
)  # fmt: skip
IMPALA_ELEMENTS = ("groupQueryLimit", "userQueryLimit")
_SPARK_ELEMENTS = ("minShare",)
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


def near_element(tag: str, known: Iterable[str]) -> str:
    """Returns the known element that was most likely meant, "" where none is near or it is one of another program."""
    return "" if _program_of(tag) else did_you_mean(tag, known)


def _program_of(tag: str) -> str:
    if tag in MR1_ELEMENTS:
        return "MapReduce 1"
    return "Impala" if tag in IMPALA_ELEMENTS else "Spark" if tag in _SPARK_ELEMENTS else ""


def _near(tag: str, known: Iterable[str]) -> str:
    program = _program_of(tag)
    if program:
        return f"this is for {program}; YARN has nothing of the kind"
    near = near_element(tag, known)
    return f"did you mean <{near}>?" if near else ""
