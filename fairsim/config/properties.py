"""The yarn-site properties that change what the FairScheduler does: one table.

Followed: FairSchedulerConfiguration, YarnConfiguration and yarn-default.xml of Hadoop 2.6 to 3.5.
"""

from __future__ import annotations

from typing import NamedTuple

from fairsim.profiles import Profile, Version

FAIR_PREFIX = "yarn.scheduler.fair."
RESOURCE_TYPES = "yarn.resource-types"
RESOURCE_PREFIX = RESOURCE_TYPES + "."

BOOL, INT, LONG, FLOAT, TEXT = "boolean", "int", "long", "float", "text"

FAIR_SCHEDULER = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler"
CAPACITY_SCHEDULER = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler"

Plain = bool | int | float | str


class Known(NamedTuple):
    """A property: its type, default, the first version that reads it and the first that no longer does.

    `since` None: every version from 2.6. `earlier` is another default and the first version without it. `effect` says
    what the property does.
    """

    name: str
    kind: str
    default: Plain | None
    effect: str
    since: Version | None = None
    until: Version | None = None
    earlier: tuple[Plain, Version] | None = None

    def read_by(self, profile: Profile) -> bool:
        """Returns whether this version reads the property."""
        if self.since is not None and profile.version < self.since:
            return False
        return self.until is None or profile.version < self.until

    def default_in(self, profile: Profile) -> Plain | None:
        """Returns the default of this version, None when there is none."""
        if self.earlier is not None and profile.version < self.earlier[1]:
            return self.earlier[0]
        return self.default


_V27, _V28, _V29, _V210 = (2, 7, 0), (2, 8, 0), (2, 9, 0), (2, 10, 0)
_V30, _V31, _V33, _V34 = (3, 0, 0), (3, 1, 0), (3, 3, 0), (3, 4, 0)
_F = FAIR_PREFIX

_TABLE = (
    # FairSchedulerConfiguration, yarn.scheduler.fair.*
    Known(_F + "allocation.file", TEXT, "fair-scheduler.xml", "the allocation file"),
    Known(_F + "allow-undeclared-pools", BOOL, True, "queues that no file declares may come into being"),
    Known(_F + "user-as-default-queue", BOOL, True, "without a placement policy, jobs go to a queue named as the user"),
    Known(_F + "preemption", BOOL, False, "preemption runs; without it no timeout in the file matters"),
    Known(_F + "preemption.cluster-utilization-threshold", FLOAT, 0.8, "preempt only above this use of the cluster"),
    Known(_F + "waitTimeBeforeKill", INT, 15000, "ms from warning to kill"),
    Known(_F + "waitTimeBeforeNextStarvationCheck", LONG, 10000, "ms until an app is starved again", _V29),
    Known(_F + "preemptionInterval", INT, 5000, "ms between preemption checks", None, _V29),
    Known(_F + "am.preemption", BOOL, True, "AM containers may be preempted", _V34),
    Known(_F + "sizebasedweight", BOOL, False, "the weight of an app grows with its demand"),
    Known(_F + "assignmultiple", BOOL, False, "several containers per heartbeat"),
    Known(_F + "dynamic.max.assign", BOOL, True, "with assignmultiple: stop at half of what the node has free", _V28),
    Known(_F + "max.assign", INT, -1, "with assignmultiple: containers per heartbeat, 0 or less for no limit"),
    Known(_F + "locality.threshold.node", FLOAT, -1.0, "part of the nodes to pass up for a local one"),
    Known(_F + "locality.threshold.rack", FLOAT, -1.0, "part of the nodes to pass up for one in the rack"),
    Known(_F + "locality-delay-node-ms", LONG, -1, "ms to wait for a local node, with continuous scheduling"),
    Known(_F + "locality-delay-rack-ms", LONG, -1, "ms to wait for the rack, with continuous scheduling"),
    Known(_F + "continuous-scheduling-enabled", BOOL, False, "a thread of its own assigns between heartbeats"),
    Known(_F + "continuous-scheduling-sleep-ms", INT, 5, "ms between its rounds"),
    Known(_F + "update-interval-ms", LONG, 500, "ms between recomputations of the shares"),
    Known(_F + "reservable-nodes", FLOAT, 0.05, "part of the nodes an app may hold reservations on", _V28),
    Known(_F + "event-log-enabled", BOOL, False, "a log for machines", None, _V30),
    Known(_F + "migration.mode", BOOL, False, "for the converter: no scheduler threads start", _V33),
    Known(_F + "no-terminal-rule.check", BOOL, False, "for the converter", _V33),
    # YarnConfiguration
    Known("yarn.resourcemanager.scheduler.class", TEXT, CAPACITY_SCHEDULER, "must name the FairScheduler"),
    Known("yarn.scheduler.minimum-allocation-mb", INT, 1024, "requests are raised to it"),
    Known("yarn.scheduler.minimum-allocation-vcores", INT, 1, "requests are raised to it"),
    Known("yarn.scheduler.maximum-allocation-mb", INT, 8192, "larger requests are refused"),
    Known("yarn.scheduler.maximum-allocation-vcores", INT, 4, "larger requests are refused", earlier=(32, _V28)),
    Known("yarn.scheduler.increment-allocation-mb", LONG, 1024, "requests are rounded up to a multiple of it"),
    Known("yarn.scheduler.increment-allocation-vcores", INT, 1, "requests are rounded up to a multiple of it"),
    Known("yarn.scheduler.reservation-threshold.increment-multiple", FLOAT, 2.0, "only larger requests reserve", _V28),
    Known("yarn.scheduler.include-port-in-node-name", BOOL, False, "nodes are named host:port"),
    Known(RESOURCE_TYPES, TEXT, None, "names of custom resource types", _V210),
    Known(RESOURCE_PREFIX + "memory-mb.minimum-allocation", LONG, -1, "overrides yarn.scheduler.minimum-…", _V210),
    Known(RESOURCE_PREFIX + "memory-mb.maximum-allocation", LONG, -1, "overrides yarn.scheduler.maximum-…", _V210),
    Known(RESOURCE_PREFIX + "memory-mb.increment-allocation", TEXT, None, "overrides yarn.scheduler.increment-…", _V31),
    Known(RESOURCE_PREFIX + "vcores.minimum-allocation", LONG, -1, "overrides yarn.scheduler.minimum-…", _V210),
    Known(RESOURCE_PREFIX + "vcores.maximum-allocation", LONG, -1, "overrides yarn.scheduler.maximum-…", _V210),
    Known(RESOURCE_PREFIX + "vcores.increment-allocation", TEXT, None, "overrides yarn.scheduler.increment-…", _V31),
    Known("yarn.acl.enable", BOOL, False, "queue ACLs are checked"),
    Known("yarn.admin.acl", TEXT, "*", "administrators, who may submit and kill anywhere"),
    Known("yarn.acl.reservation-enable", BOOL, False, "reservation ACLs are checked", _V28),
    Known("yarn.authorization-provider", TEXT, None, "another class checks permissions, such as Ranger's", _V29),
    Known("yarn.resourcemanager.reservation-system.enable", BOOL, False, "reservations", _V27),
    Known("yarn.resourcemanager.reservation-system.class", TEXT, None, "class of the reservation system", _V27),
    Known("yarn.resourcemanager.reservation-system.plan.follower", TEXT, None, "class of the plan follower", _V27),
    Known(
        "yarn.resourcemanager.reservation-system.planfollower.time-step", LONG, 1000, "ms between its steps", _V27
    ),
    Known("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", LONG, 1000, "ms between heartbeats of a node"),
    Known(
        "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", LONG, 10000,
        "for so long the configured maximum holds even if no node is that large", _V27,
    ),
    Known(
        "yarn.resourcemanager.scheduler.autocorrect.container.allocation", BOOL, False,
        "requests shrink by containers already given", (3, 5, 0),
    ),
    Known(
        "yarn.resourcemanager.application-tag-based-placement.enable", BOOL, False,
        "an application tag may name the user for placement", _V33,
    ),
    Known(
        "yarn.resourcemanager.application-tag-based-placement.username.whitelist", TEXT, None,
        "users who may use such tags", _V33,
    ),
    Known("yarn.resourcemanager.auto-update.containers", BOOL, False, "containers change size at once", _V30),
    Known("yarn.cluster.max-application-priority", INT, 0, "no effect here: every app has priority 1", _V28),
    Known("hadoop.security.group.mapping", TEXT, None, "class that tells the groups of a user"),
    Known("hadoop.user.group.static.mapping.overrides", TEXT, "dr.who=;", "groups of users, over all other sources"),
    # NodeManager, used by replay
    Known("yarn.nodemanager.localizer.cache.target-size-mb", LONG, 10240, "size to which the cache is cut"),
    Known("yarn.nodemanager.localizer.cache.cleanup.interval-ms", LONG, 600000, "ms between cuts of the cache"),
    Known("yarn.nodemanager.localizer.fetch.thread-count", INT, 4, "threads that fetch public resources"),
)  # fmt: skip

KNOWN: dict[str, Known] = {known.name: known for known in _TABLE}

#: `yarn.scheduler.fair.am.preemption.<full queue name>`, a boolean, from 3.3.
AM_PREEMPTION_PREFIX = FAIR_PREFIX + "am.preemption."

#: What may follow `yarn.resource-types.<name>`, and its type.
RESOURCE_SUFFIXES = {
    ".units": TEXT, ".type": TEXT, ".tags": TEXT, ".minimum-allocation": LONG, ".maximum-allocation": LONG,
    ".increment-allocation": TEXT,
}  # fmt: skip


def known(name: str) -> Known | None:
    """Returns what is known about a property, also of the families with a queue or resource type in their name."""
    found = KNOWN.get(name)
    if found is None and name.startswith(AM_PREEMPTION_PREFIX):
        return Known(name, BOOL, True, "AM containers of this queue may be preempted", _V33)
    if found is None and name.startswith(RESOURCE_PREFIX):
        for suffix, kind in RESOURCE_SUFFIXES.items():
            if name.endswith(suffix):
                since = _V31 if suffix == ".increment-allocation" else _V210
                return Known(name, kind, None, "about a custom resource type", since)
    return found
