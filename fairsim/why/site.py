"""The yarn-site properties that decide whether an application runs, each with the place it comes from.

Follows FairSchedulerConfiguration (getMinimumAllocation, getMaximumAllocation, getIncrementAllocation, preemption).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fairsim.config.properties import FAIR_PREFIX, RESOURCE_PREFIX
from fairsim.javanum import LONG_MAX
from fairsim.model.resources import Amount, ResourceTypes
from fairsim.why.parts import Source


class Sourced(NamedTuple):
    """A value and where it comes from."""

    value: Any
    source: Source


class SiteRules(NamedTuple):
    """Sizes of containers by resource type, and the switches of preemption (times in ms)."""

    minimum: Amount
    increment: Amount
    maximum: Amount
    minimum_from: tuple[Source, ...]
    increment_from: tuple[Source, ...]
    maximum_from: tuple[Source, ...]
    preemption: Sourced
    threshold: Sourced
    wait_before_kill: Sourced
    wait_before_next: Sourced
    interval: Sourced
    heartbeat: Sourced
    acl_enable: Sourced


#: Gives the value of a property and where it comes from: "default", an option, or file, line and column.
Typed = Callable[[str], tuple[Any, str]]


def site_rules(typed: Typed, types: ResourceTypes) -> SiteRules:
    """Returns the rules that the properties make."""

    def one(name: str, prefix: str = FAIR_PREFIX) -> Sourced:
        value, origin = typed(prefix + name)
        return Sourced(value, source_of(prefix + name, origin))

    def amount(kind: str) -> tuple[Amount, tuple[Source, ...]]:
        parts = [
            _size(typed, name, f"yarn.scheduler.{kind}-allocation-{short}", kind)
            for name, short in (("memory-mb", "mb"), ("vcores", "vcores"))
        ]
        fallback = LONG_MAX if kind == "maximum" else 0
        parts += [_custom(typed, name, kind, fallback) for name in types.custom]
        return tuple(part.value for part in parts), tuple(part.source for part in parts)

    minimum, increment, maximum = amount("minimum"), amount("increment"), amount("maximum")
    return SiteRules(
        minimum[0], increment[0], maximum[0], minimum[1], increment[1], maximum[1],
        one("preemption"), one("preemption.cluster-utilization-threshold"), one("waitTimeBeforeKill"),
        one("waitTimeBeforeNextStarvationCheck"), one("preemptionInterval"),
        one("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", ""), one("yarn.acl.enable", ""),
    )  # fmt: skip


def _size(typed: Typed, name: str, usual: str, kind: str) -> Sourced:
    """The property of a resource type wins over the older one (from 2.10, 3.0 and 3.1 on)."""
    newer = f"{RESOURCE_PREFIX}{name}.{kind}-allocation"
    value, origin = typed(newer)
    number = None if value is None or value == -1 else _number(str(value))
    if number is not None:
        return Sourced(number, source_of(newer, origin))
    value, origin = typed(usual)
    return Sourced(value, source_of(usual, origin))


def _custom(typed: Typed, name: str, kind: str, fallback: int) -> Sourced:
    prop = f"{RESOURCE_PREFIX}{name}.{kind}-allocation"
    value, origin = typed(prop)
    number = None if value is None else _number(str(value))
    return Sourced(fallback if number is None else number, source_of(prop, origin))


def _number(text: str) -> int | None:
    digits = text.strip().split(" ")[0].rstrip("Mik")
    return int(digits) if digits.isascii() and digits.isdigit() else None


def source_of(name: str, origin: str) -> Source:
    """Returns the source of a property whose value comes from `origin`: default, an option, or file:line:column."""
    if origin.startswith("default"):
        return Source(name, "default")
    where, *place = origin.rsplit(":", 2)
    if len(place) == 2 and all(part.isdigit() for part in place):
        return Source(name, "site", where, int(place[0]))
    return Source(name, "site", origin.split(" ", maxsplit=1)[0] if origin.startswith("-D") else origin)
