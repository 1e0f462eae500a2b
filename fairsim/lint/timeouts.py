"""4xx: timeouts, thresholds and switches of preemption."""

from __future__ import annotations

from collections.abc import Iterator

from fairsim.diag import ERROR, WARNING
from fairsim.javanum import LONG_MAX, parse_float, parse_long
from fairsim.lint.amounts import named
from fairsim.lint.case import Case
from fairsim.lint.limits import THRESHOLD, TIMEOUTS, TOP_THRESHOLD, TOP_TIMEOUTS, text_of, values
from fairsim.lint.rule import TREE, Family, Hit
from fairsim.model.queues import Field, Queue

FAMILY = Family()
_MAX_SECONDS = LONG_MAX // 1000
_LOOKS_LIKE_MS = 10_000


def _thresholds(case: Case) -> Iterator[tuple[str, Field, float]]:
    for key, tag, field in values(case, THRESHOLD, TOP_THRESHOLD):
        value = parse_float(text_of(field))
        if value is not None:
            yield named(key, tag), field, value


@FAMILY.rule("FS416", WARNING)
def threshold_out_of_range(case: Case) -> Iterator[Hit]:
    """A preemption threshold is not between 0 and 1.

    When: fairSharePreemptionThreshold or its default is below 0 or above 1.
    Effect: it is cut to 0, with which nothing is ever preempted for a fair share, or to 1.
    Write: a part of 1: 0.5 for half of the share.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><fairSharePreemptionThreshold>50</fairSharePreemptionThreshold></queue>
    Good: <queue name="a"><fairSharePreemptionThreshold>0.5</fairSharePreemptionThreshold></queue>
    """
    for name, field, value in _thresholds(case):
        if value > 1 or value < 0:
            effect = "cut to 1: the whole share" if value > 1 else "cut to 0: never preempts for the fair share"
            hint = f"write {value / 100:g} for {value:g} percent" if 1 < value <= 100 else "write a part such as 0.5"
            yield Hit(field.element, f"{name} is {text_of(field)}", effect, hint)


@FAMILY.rule("FS417", WARNING)
def threshold_zero(case: Case) -> Iterator[Hit]:
    """A preemption threshold of 0 is never undercut.

    When: fairSharePreemptionThreshold or its default is 0 or NaN.
    Effect: no application is ever below 0 of its share, so nothing is preempted for a fair share.
    Write: a part such as 0.5, which is the default.
    Versions: all
    Source: FSAppAttempt, FSLeafQueue
    Bad: <queue name="a"><fairSharePreemptionThreshold>0</fairSharePreemptionThreshold></queue>
    Good: <queue name="a"><fairSharePreemptionThreshold>0.5</fairSharePreemptionThreshold></queue>
    """
    for name, field, value in _thresholds(case):
        if value == 0 or value != value:
            yield Hit(
                field.element, f"{name} is {text_of(field)}", "never preempts for the fair share",
                "write a part such as 0.5",
            )  # fmt: skip


@FAMILY.told("FS418", ERROR)
def timeout_not_integer() -> None:
    """A preemption timeout is no whole number.

    When: a timeout has a unit or decimals, or is blank.
    Effect: the file is not loaded.
    Write: whole seconds, without a unit.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><minSharePreemptionTimeout>60s</minSharePreemptionTimeout></queue>
    Good: <queue name="a"><minSharePreemptionTimeout>60</minSharePreemptionTimeout></queue>
    """


def _seconds(case: Case) -> Iterator[tuple[str, Field, int]]:
    for key, tag, field in case.fields(*TIMEOUTS):
        yield named(key, tag), field, _as_seconds(field)
    for tag in TOP_TIMEOUTS:
        default = case.raw.defaults.get(tag)
        if default is not None:
            yield tag, default, _as_seconds(default)


def _as_seconds(field: Field) -> int:
    seconds = parse_long(text_of(field))
    assert seconds is not None
    return seconds


@FAMILY.rule("FS419", WARNING)
def timeout_looks_like_ms(case: Case) -> Iterator[Hit]:
    """A preemption timeout looks like milliseconds.

    When: a timeout is 10000 or more and a multiple of 1000.
    Effect: it counts in seconds: 30000 is more than 8 hours.
    Write: seconds.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><fairSharePreemptionTimeout>30000</fairSharePreemptionTimeout></queue>
    Good: <queue name="a"><fairSharePreemptionTimeout>30</fairSharePreemptionTimeout></queue>
    """
    for name, field, seconds in _seconds(case):
        if _LOOKS_LIKE_MS <= seconds <= _MAX_SECONDS and seconds % 1000 == 0:
            hours, minutes = divmod(seconds // 60, 60)
            yield Hit(
                field.element, f"{name} is {seconds}, in seconds", f"waits {hours} h {minutes} min",
                f"write {seconds // 1000} if milliseconds were meant",
            )  # fmt: skip


@FAMILY.rule("FS420", WARNING)
def timeout_not_positive(case: Case) -> Iterator[Hit]:
    """A preemption timeout of 0 or less has run out before it begins.

    When: a timeout is 0 or negative; -1 does not mean never.
    Effect: whoever is below the share or minimum counts as starved at once, and containers of others are preempted.
    Write: seconds to wait; for never leave the element out, here and in the queues above.
    Versions: all
    Source: FSQueue, FSLeafQueue
    Bad: <queue name="a"><minSharePreemptionTimeout>-1</minSharePreemptionTimeout></queue>
    Good: <queue name="a"/>
    """
    for name, field, seconds in _seconds(case):
        if -_MAX_SECONDS <= seconds <= 0:
            yield Hit(
                field.element, f"{name} is {seconds}", "starved at once: preempts without waiting",
                f"write seconds to wait, or {_MAX_SECONDS} for never",
            )  # fmt: skip


@FAMILY.rule("FS421", WARNING)
def timeout_overflow(case: Case) -> Iterator[Hit]:
    """A preemption timeout is too large to count in milliseconds.

    When: a timeout is beyond 9223372036854775 seconds, on either side of 0.
    Effect: a thousand times that does not fit into 64 bits; what is left of it counts, and may be negative: the
        largest number of all means at once.
    Write: for never leave the element out, or write 9223372036854775.
    Versions: all
    Source: AllocationFileParser
    Bad: <defaultMinSharePreemptionTimeout>9223372036854775807</defaultMinSharePreemptionTimeout>
    Good: <queue name="a"/>
    """
    for name, field, seconds in _seconds(case):
        if abs(seconds) > _MAX_SECONDS:
            left: int = field.value
            effect = "preempts without waiting" if left <= 0 else f"waits {left // 1000} seconds"
            yield Hit(
                field.element, f"{name}: {seconds} seconds are {left} ms in 64 bits", effect,
                f"leave it out for never, or write {_MAX_SECONDS}",
            )  # fmt: skip


@FAMILY.rule("FS422", WARNING)
def boolean_not_true(case: Case) -> Iterator[Hit]:
    """A flag is neither true nor false.

    When: allowPreemptionFrom has another text than true or false, in any case.
    Effect: everything but true is false: containers of the queue are never preempted.
    Write: true or false.
    Versions: 2.9 and later
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><allowPreemptionFrom>yes</allowPreemptionFrom></queue>
    Good: <queue name="a"><allowPreemptionFrom>true</allowPreemptionFrom></queue>
    """
    for key, tag, field in case.fields("allowPreemptionFrom"):
        if text_of(field).lower() not in ("true", "false"):
            yield Hit(
                field.element, f"{tag} of {key} is {text_of(field)!r:.60}", "counts as false", "write true or false"
            )


@FAMILY.rule("FS423", WARNING, TREE)
def preemptable_under_protected_parent(case: Case) -> Iterator[Hit]:
    """A queue is opened to preemption below one that is not.

    When: allowPreemptionFrom is true below a queue where it is false.
    Effect: false above holds for everything below.
    Write: false only in the queues that are to be spared.
    Versions: 2.9 and later
    Source: YARN-5831, FSQueue
    Bad:
        <queue name="p"><allowPreemptionFrom>false</allowPreemptionFrom>
          <queue name="a"><allowPreemptionFrom>true</allowPreemptionFrom></queue>
        </queue>
    Good:
        <queue name="p"><queue name="a"/>
          <queue name="b"><allowPreemptionFrom>false</allowPreemptionFrom></queue>
        </queue>
    """
    closed: dict[Queue, Queue] = {}
    for queue in case.queues:
        field = queue.fields.get("allowPreemptionFrom")
        above = closed.get(queue.parent) if queue.parent is not None else None
        if above is not None:
            closed[queue] = above
            if field is not None and field.value:
                first = above.fields["allowPreemptionFrom"]
                yield Hit(
                    field.element, f"allowPreemptionFrom of {queue.name} is true, that of {above.name} false",
                    f"nothing is preempted from {queue.name}: false above holds for all below",
                    f"take false out of {above.name}, and write it into the queues that are to be spared",
                    other=first.element,
                )  # fmt: skip
        elif field is not None and not field.value:
            closed[queue] = queue
