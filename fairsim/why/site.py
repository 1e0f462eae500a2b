"""The yarn-site properties that decide whether an application runs, each with the place it comes from.

Follows FairSchedulerConfiguration (getMinimumAllocation, getMaximumAllocation, getIncrementAllocation, preemption).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fairsim.config.properties import FAIR_PREFIX, RESOURCE_PREFIX
from fairsim.config.resource_types import read_limits
from fairsim.model.resources import MEMORY, VCORES, Amount, ResourceTypes
from fairsim.profiles import Profile
from fairsim.why.parts import Source

if TYPE_CHECKING:
    from fairsim.config.site import Site

_SHORT = {MEMORY: "mb", VCORES: "vcores"}


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
    maximum_from: tuple[Source, ...]
    preemption: Sourced
    threshold: Sourced
    wait_before_kill: Sourced


def site_rules(site: Site, profile: Profile, types: ResourceTypes) -> SiteRules:
    """Returns the rules that the properties make."""

    def one(name: str) -> Sourced:
        typed = site.typed(FAIR_PREFIX + name, profile)
        return Sourced(typed.value, source_of(FAIR_PREFIX + name, typed.origin))

    limits = read_limits(site, types, profile)
    return SiteRules(
        limits.minimum, limits.increment, limits.maximum,
        tuple(_bound_from(site, profile, name, "minimum") for name in types.names),
        tuple(_bound_from(site, profile, name, "maximum") for name in types.names),
        one("preemption"), one("preemption.cluster-utilization-threshold"), one("waitTimeBeforeKill"),
    )  # fmt: skip


def _bound_from(site: Site, profile: Profile, name: str, kind: str) -> Source:
    """Returns where a bound comes from: the property of the resource type goes before the older one."""
    newer = f"{RESOURCE_PREFIX}{name}.{kind}-allocation"
    typed = site.typed(newer, profile)
    short = _SHORT.get(name)
    if short is None or typed.value not in (None, -1):
        return source_of(newer, typed.origin)
    usual = f"yarn.scheduler.{kind}-allocation-{short}"
    return source_of(usual, site.typed(usual, profile).origin)


def source_of(name: str, origin: str) -> Source:
    """Returns the source of a property whose value comes from `origin`: default, an option, or file:line:column."""
    if origin.startswith("default"):
        return Source(name, "default")
    where, *place = origin.rsplit(":", 2)
    if len(place) == 2 and all(part.isdigit() for part in place):
        return Source(name, "site", where, int(place[0]))
    return Source(name, "site", origin.split(" ", maxsplit=1)[0] if origin.startswith("-D") else origin)
