"""The properties of yarn-site that scheduling goes by (FairSchedulerConfiguration)."""

from __future__ import annotations

from typing import NamedTuple

from fairsim.config.properties import FAIR_PREFIX
from fairsim.config.resource_types import Limits, read_limits
from fairsim.config.site import Site
from fairsim.model.resources import Amount, ResourceTypes
from fairsim.profiles import Profile


class Switches(NamedTuple):
    """How containers are assigned, and how large they may be.

    `reserve_from`: the smallest container for which a node is reserved; `reservable`: the part of the nodes that one
    application may reserve; thresholds of locality: the part of the nodes to pass up, below 0 for no waiting.
    """

    limits: Limits
    reserve_from: Amount
    assign_multiple: bool = False
    dynamic_max_assign: bool = True
    max_assign: int = -1
    node_threshold: float = -1.0
    rack_threshold: float = -1.0
    size_based_weight: bool = False
    reservable: float = 0.05
    acl_enable: bool = False
    undeclared_pools: bool = True
    user_queues: bool = True


def read_switches(site: Site, types: ResourceTypes, profile: Profile) -> Switches:
    """Returns the switches that the properties make for one version."""
    limits = read_limits(site, types, profile)

    def fair(name: str) -> object:
        return site.typed(FAIR_PREFIX + name, profile).value

    multiple = site.real("yarn.scheduler.reservation-threshold.increment-multiple", profile).value
    return Switches(
        limits,
        tuple(int(step * multiple) for step in limits.increment),
        bool(fair("assignmultiple")),
        bool(fair("dynamic.max.assign")),
        site.integer(FAIR_PREFIX + "max.assign", profile).value,
        site.real(FAIR_PREFIX + "locality.threshold.node", profile).value,
        site.real(FAIR_PREFIX + "locality.threshold.rack", profile).value,
        bool(fair("sizebasedweight")),
        site.real(FAIR_PREFIX + "reservable-nodes", profile).value,
        site.boolean("yarn.acl.enable", profile).value,
        bool(fair("allow-undeclared-pools")),
        bool(fair("user-as-default-queue")),
    )
