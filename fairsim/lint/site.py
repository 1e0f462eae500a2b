"""9xx: preemption, and what yarn-site says."""

from __future__ import annotations

from collections.abc import Iterator

from fairsim.config.names import DEFAULT_QUEUE, near_queue
from fairsim.config.properties import AM_PREEMPTION_PREFIX, FAIR_PREFIX, RESOURCE_PREFIX
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.lint.amounts import listed
from fairsim.lint.case import Case
from fairsim.lint.rule import SITE, TREE, Family, Hit
from fairsim.model.queues import Queue
from fairsim.model.resources import LONG_MAX
from fairsim.patterns import Pattern

FAMILY = Family()
_PREEMPTION = FAIR_PREFIX + "preemption"
_UTILISATION = FAIR_PREFIX + "preemption.cluster-utilization-threshold"
_CLASS = "yarn.resourcemanager.scheduler.class"
_FAIR = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler"
_TIMEOUT, _MIN_TIMEOUT = "fairSharePreemptionTimeout", "minSharePreemptionTimeout"
_THRESHOLD = "fairSharePreemptionThreshold"
_DEFAULTS = (
    "defaultFairSharePreemptionTimeout", _TIMEOUT, "defaultMinSharePreemptionTimeout",
    "defaultFairSharePreemptionThreshold",
)  # fmt: skip
_SCHEMES = ("file", "hdfs", "s3a", "viewfs")
_SCHEME = Pattern(r"([A-Za-z][A-Za-z0-9+.-]++):/")


def _true(case: Case, name: str) -> bool:
    return bool(case.property(FAIR_PREFIX + name))


# -- preemption


@FAMILY.rule("FS901", WARNING, SITE)
def preemption_off(case: Case) -> Iterator[Hit]:
    """The file speaks of preemption, which is off.

    When: a timeout, a threshold or allowPreemptionFrom is written, and yarn.scheduler.fair.preemption is not true.
    Effect: none of it is in force: nothing is ever preempted.
    Write: yarn.scheduler.fair.preemption true.
    Versions: all
    Source: FairScheduler
    Bad: <defaultMinSharePreemptionTimeout>60</defaultMinSharePreemptionTimeout>
    Given: -D yarn.scheduler.fair.preemption=false
    Good: <defaultMinSharePreemptionTimeout>60</defaultMinSharePreemptionTimeout>
    Given: -D yarn.scheduler.fair.preemption=true
    """
    if case.property(_PREEMPTION):
        return
    elements = [(tag, case.raw.defaults[tag].element) for tag in _DEFAULTS if tag in case.raw.defaults]
    tags = (_TIMEOUT, _MIN_TIMEOUT, _THRESHOLD, "allowPreemptionFrom")
    elements += [(f"{tag} of {key}", field.element) for key, tag, field in case.fields(*tags)]
    if elements:
        yield Hit(elements[0][1], f"{listed([name for name, _ in elements])}: {_PREEMPTION} is not true",
                  "not in force: nothing is preempted", f"set {_PREEMPTION} to true")  # fmt: skip


def _never(case: Case, timeout: str) -> list[bool]:
    """Tells for each queue whether its timeout never ends."""
    return [case.tree.preemption(queue, timeout).value == LONG_MAX for queue in case.queues]


@FAMILY.rule("FS902", WARNING, TREE)
def threshold_without_timeout(case: Case) -> Iterator[Hit]:
    """A threshold of preemption has no timeout.

    When: fairSharePreemptionThreshold is written for a queue, and no timeout for the fair share is, for it, above or
        below.
    Effect: the timeout is endless: the threshold says nothing.
    Write: fairSharePreemptionTimeout, too.
    Versions: all
    Source: FSQueue
    Bad: <queue name="a"><fairSharePreemptionThreshold>0.8</fairSharePreemptionThreshold></queue>
    Good:
        <queue name="a"><fairSharePreemptionThreshold>0.8</fairSharePreemptionThreshold>
        <fairSharePreemptionTimeout>60</fairSharePreemptionTimeout></queue>
    """
    if not any(_THRESHOLD in queue.fields for queue in case.queues):
        return
    ends: set[Queue] = set()  # with a timeout of their own, or below
    for queue, never in zip(reversed(case.queues), reversed(_never(case, _TIMEOUT)), strict=True):
        if not never or any(child in ends for child in queue.children):
            ends.add(queue)
    found = [queue for queue in case.queues if _THRESHOLD in queue.fields and queue not in ends]
    if found:
        yield Hit(found[0].fields[_THRESHOLD].element, f"{_THRESHOLD} of {listed([queue.name for queue in found])}",
                  f"says nothing: {_TIMEOUT} is endless", f"write {_TIMEOUT} (in s)")  # fmt: skip


@FAMILY.rule("FS903", WARNING, TREE, SITE)
def preemption_on_but_no_timeouts(case: Case) -> Iterator[Hit]:
    """Preemption is on, and every timeout is endless.

    When: yarn.scheduler.fair.preemption is true, and no queue has a timeout.
    Effect: nothing is ever preempted.
    Write: defaultFairSharePreemptionTimeout, or timeouts in queues.
    Versions: all
    Source: FSQueue
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.preemption=true
    Good: <defaultFairSharePreemptionTimeout>300</defaultFairSharePreemptionTimeout><queue name="a"/>
    Given: -D yarn.scheduler.fair.preemption=true
    """
    if case.property(_PREEMPTION) and all(_never(case, _TIMEOUT)) and all(_never(case, _MIN_TIMEOUT)):
        yield Hit(case.root, f"{_PREEMPTION} is true, and no timeout is written", "nothing is ever preempted",
                  "write <defaultFairSharePreemptionTimeout>300</defaultFairSharePreemptionTimeout>",
                  other=None)  # fmt: skip


@FAMILY.rule("FS904", WARNING, TREE)
def min_timeout_without_min(case: Case) -> Iterator[Hit]:
    """A timeout for the minimum, and no minimum.

    When: minSharePreemptionTimeout is written for a leaf without minResources.
    Effect: nobody is starved for a minimum of 0.
    Write: minResources, or fairSharePreemptionTimeout.
    Versions: all
    Source: FSLeafQueue
    Bad: <queue name="a"><minSharePreemptionTimeout>30</minSharePreemptionTimeout></queue>
    Good:
        <queue name="a"><minResources>1024 mb, 1 vcores</minResources>
        <minSharePreemptionTimeout>30</minSharePreemptionTimeout></queue>
    """
    found = [queue for queue in case.queues if queue.leaf and _MIN_TIMEOUT in queue.fields and not any(queue.min)]
    if found:
        yield Hit(found[0].fields[_MIN_TIMEOUT].element, f"{_MIN_TIMEOUT} of {listed([one.name for one in found])}",
                  "no effect: there is no minResources", f"write minResources, or {_TIMEOUT}")  # fmt: skip


@FAMILY.rule("FS905", WARNING, TREE, SITE)
def nothing_preemptable(case: Case) -> Iterator[Hit]:
    """Preemption is on, and nothing may be preempted.

    When: yarn.scheduler.fair.preemption is true, and allowPreemptionFrom is false for root, or for every leaf where the
        rules make no queues on the fly.
    Effect: there is never anybody to take containers from.
    Write: allowPreemptionFrom false in those queues only that must not lose any.
    Versions: 2.9 and later
    Source: FSQueue
    Bad: <queue name="root"><allowPreemptionFrom>false</allowPreemptionFrom><queue name="a"/></queue>
    Given: -D yarn.scheduler.fair.preemption=true
    Good:
        <queue name="a"><allowPreemptionFrom>false</allowPreemptionFrom></queue><queue name="b"/>
        <defaultFairSharePreemptionTimeout>9</defaultFairSharePreemptionTimeout>
    Given: -D yarn.scheduler.fair.preemption=true
    """
    if not case.profile.features.allow_preemption_from or not case.property(_PREEMPTION):
        return
    root = case.tree.preemptable(case.tree.root)
    settings = [case.tree.preemptable(queue) for queue in case.queues if queue.leaf]
    if settings and not any(setting.value for setting in settings) and not (root.value and case.makes_queues):
        yield Hit(settings[0].element, "allowPreemptionFrom is false for every leaf", "nothing can be preempted",
                  "write it in those queues only that must not lose containers")  # fmt: skip


@FAMILY.rule("FS906", WARNING, SITE)
def cluster_threshold_too_high(case: Case) -> Iterator[Hit]:
    """Preemption waits for more than a full cluster.

    When: preemption.cluster-utilization-threshold is 1 or more.
    Effect: the use of the cluster must be above it: nothing is ever preempted.
    Write: less than 1; 0.8 is the default.
    Versions: all
    Source: FairScheduler.shouldAttemptPreemption
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.preemption.cluster-utilization-threshold=1.0
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.preemption.cluster-utilization-threshold=0.8
    """
    value = case.written(_UTILISATION)
    if value is not None and case.property(_UTILISATION) >= 1:
        yield Hit(value, f"{_UTILISATION} is {value.text.strip()}", "never exceeded: nothing is preempted",
                  "write less than 1, such as the default 0.8")  # fmt: skip


# -- what keeps the scheduler from its work


@FAMILY.rule("FS907", ERROR, SITE)
def scheduler_class_not_fair(case: Case) -> Iterator[Hit]:
    """The scheduler is not the FairScheduler.

    When: yarn.resourcemanager.scheduler.class names another class; a warning where a yarn-site.xml without it is given.
    Effect: the allocation file is not read at all.
    Write: org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler.
    Versions: all
    Source: yarn-default.xml
    Bad: <queue name="a"/>
    Given: -D yarn.resourcemanager.scheduler.class=org.example.CapacityScheduler
    Good: <queue name="a"/>
    Given: -D
        yarn.resourcemanager.scheduler.class=org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler
    """
    assert case.site is not None
    value = case.written(_CLASS)
    if value is not None:
        if not value.text.strip().endswith(".FairScheduler"):
            yield Hit(value, f"{_CLASS} is {value.text.strip():.80}", "the allocation file is not read",
                      f"write {_FAIR}")  # fmt: skip
        return
    first = next((one for one in case.site.written(case.profile).values() if not one.own), None)
    if first is not None:
        yield Hit(first._replace(pos=None), f"{_CLASS} is not set", "the CapacityScheduler is Hadoop's default: the "
                  "allocation file is not read", f"write {_FAIR}, if no other file does", WARNING)  # fmt: skip


@FAMILY.rule("FS908", ERROR, SITE)
def allocation_bounds(case: Case) -> Iterator[Hit]:
    """The minimum allocation is out of bounds.

    When: yarn.scheduler.minimum-allocation-mb or -vcores is below 0, or above the maximum (by default 8192 and 4).
    Effect: the ResourceManager does not start.
    Write: a minimum within the maximum.
    Versions: all
    Source: FairScheduler.validateConf
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.minimum-allocation-mb=16384
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.minimum-allocation-mb=1024
    """
    for short in ("mb", "vcores"):
        low, high = (f"yarn.scheduler.{bound}-allocation-{short}" for bound in ("minimum", "maximum"))
        least, most = case.property(low), case.property(high)
        if least < 0 or least > most:
            why = "is below 0" if least < 0 else f"is above {high}, {most}"
            yield Hit(
                case.written(low) or case.written(high), f"{low}, {least}, {why}",
                "the ResourceManager does not start", "write a minimum within the maximum", refuses=True,
            )  # fmt: skip


@FAMILY.rule("FS909", ERROR, SITE)
def increment_invalid(case: Case) -> Iterator[Hit]:
    """The increment of containers is not above 0.

    When: an increment of memory or vcores is 0 or less; from 3.1 on also where it is no number with a unit.
    Effect: from 2.9 on the ResourceManager does not start. Before, sizes of containers come out wrong: with 0 each has
        0 of that type, so that nothing limits their number.
    Write: a number above 0.
    Versions: 2.9 and later; 2.6 to 2.8: a warning
    Source: FairScheduler.validateConf, ResourceCalculator.roundUp
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.increment-allocation-mb=0
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.increment-allocation-mb=512
    """
    starts = case.profile.version < (2, 9, 0)
    for kind, short in enumerate(("mb", "vcores")):
        step = case.limits.increment[kind]
        if step <= 0:
            newer = f"{RESOURCE_PREFIX}{case.types.names[kind]}.increment-allocation"
            value = case.written(newer) if case.profile.version >= (3, 1, 0) else None
            value = value or case.written(f"yarn.scheduler.increment-allocation-{short}")
            name = case.types.names[kind]
            effect = f"every container has 0 {name}" if step == 0 else "sizes of containers come out wrong"
            yield Hit(
                value, f"the increment of {name} is {step}", effect if starts else "the ResourceManager does not start",
                "write a number above 0", WARNING if starts else ERROR, refuses=not starts,
            )  # fmt: skip


@FAMILY.rule("FS910", WARNING, SITE)
def increment_shadowed(case: Case) -> Iterator[Hit]:
    """An increment is set under both of its names.

    When: yarn.scheduler.increment-allocation-mb (or -vcores) and yarn.resource-types.memory-mb.increment-allocation
        (or vcores) are both set.
    Effect: the newer name wins.
    Write: one of the two.
    Versions: 3.1 and later
    Source: YARN-7557
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.increment-allocation-mb=512 -D yarn.resource-types.memory-mb.increment-allocation=1024
    Good: <queue name="a"/>
    Given: -D yarn.resource-types.memory-mb.increment-allocation=512
    """
    if case.profile.version < (3, 1, 0):
        return
    for short, kind in (("mb", "memory-mb"), ("vcores", "vcores")):
        old = case.written(f"yarn.scheduler.increment-allocation-{short}")
        new = case.written(f"{RESOURCE_PREFIX}{kind}.increment-allocation")
        if old is not None and new is not None:
            yield Hit(old, f"{old.name} is set, and so is {new.name}", "not in force: the newer name wins", "drop it")


@FAMILY.rule("FS911", INFO, SITE)
def increment_larger_than_minimum(case: Case) -> Iterator[Hit]:
    """The increment is larger than the minimum allocation.

    When: yarn.scheduler.minimum-allocation-mb is set, and smaller than the increment of memory (by default 1024).
    Effect: the smallest container is one increment.
    Write: yarn.scheduler.increment-allocation-mb, too.
    Versions: all
    Source: DominantResourceCalculator.normalize
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.minimum-allocation-mb=256
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.minimum-allocation-mb=256 -D yarn.scheduler.increment-allocation-mb=256
    """
    value = case.written("yarn.scheduler.minimum-allocation-mb")
    low, step = case.limits.minimum[0], case.limits.increment[0]
    if value is not None and 0 < low < step:
        yield Hit(value, f"the minimum allocation is {low} MB, the increment {step} MB",
                  f"no container is smaller than {step} MB", "set yarn.scheduler.increment-allocation-mb")  # fmt: skip


# -- how containers are assigned


@FAMILY.rule("FS912", WARNING, SITE)
def max_assign_inert(case: Case) -> Iterator[Hit]:
    """A number of containers per heartbeat is not in force.

    When: max.assign is set, and assignmultiple is not true, or dynamic.max.assign is (the default from 2.8 on).
    Effect: none.
    Write: assignmultiple true and dynamic.max.assign false.
    Versions: all
    Source: FairScheduler.shouldContinueAssigning
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.max.assign=3
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.max.assign=3 -D yarn.scheduler.fair.assignmultiple=true
        -D yarn.scheduler.fair.dynamic.max.assign=false
    """
    value = case.written(FAIR_PREFIX + "max.assign")
    if value is None or value.text.strip() == "-1":
        return
    if not _true(case, "assignmultiple"):
        yield Hit(value, f"{value.name} is set, and assignmultiple is not true",
                  "not in force: one container a heartbeat",
                  f"set {FAIR_PREFIX}assignmultiple to true")  # fmt: skip
    elif case.profile.version >= (2, 8, 0) and _true(case, "dynamic.max.assign"):
        yield Hit(value, f"{value.name} is set, and dynamic.max.assign is true",
                  "not in force: a node gives up to half of what it has free",
                  f"set {FAIR_PREFIX}dynamic.max.assign to false")  # fmt: skip


@FAMILY.rule("FS913", WARNING, SITE)
def continuous_scheduling(case: Case) -> Iterator[Hit]:
    """Continuous scheduling is on.

    When: continuous-scheduling-enabled is true.
    Effect: a thread holds the lock of the scheduler again and again; on large clusters all else gets slow. From 3.1 on
        it is deprecated.
    Write: assignmultiple instead.
    Versions: all
    Source: YARN-6486
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.continuous-scheduling-enabled=true
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.assignmultiple=true
    """
    if _true(case, "continuous-scheduling-enabled"):
        old = case.profile.version >= (3, 1, 0)
        yield Hit(
            case.written(FAIR_PREFIX + "continuous-scheduling-enabled"), "continuous scheduling is on",
            f"{'deprecated; ' if old else ''}slow on large clusters", "set assignmultiple to true instead",
        )  # fmt: skip


@FAMILY.rule("FS914", WARNING, SITE)
def update_interval_invalid(case: Case) -> Iterator[Hit]:
    """Shares are not updated as it is written.

    When: update-interval-ms is 0 or less.
    Effect: below 0 it is 500. With 0 there is, from 2.9 on, no thread that updates shares: nothing is ever assigned;
        2.8 updates them only when nodes come or go, 2.6 and 2.7 without a pause.
    Write: 500.
    Versions: all
    Source: AbstractYarnScheduler
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.update-interval-ms=0
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.update-interval-ms=500
    """
    value = case.written(FAIR_PREFIX + "update-interval-ms")
    time = case.property(FAIR_PREFIX + "update-interval-ms")
    if value is not None and time <= 0:
        effect = "500 is used"
        if time == 0:
            effect = "shares are updated without a pause"
            if case.profile.version >= (2, 8, 0):
                effect = "shares are updated only when nodes come or go"
            if case.profile.version >= (2, 9, 0):
                effect = "shares are never updated: nothing is ever assigned"
        yield Hit(value, f"{value.name} is {time}", effect, "write 500")


@FAMILY.rule("FS915", WARNING, SITE)
def locality_threshold_ineffective(case: Case) -> Iterator[Hit]:
    """A threshold of locality is not in force.

    When: of locality.threshold.node and .rack one is below 0 or not set, and the other is; or one is above 1.
    Effect: with one below 0 nobody waits for local nodes at all; above 1 is 1.
    Write: both, from 0 to 1.
    Versions: all
    Source: FSAppAttempt.getAllowedLocalityLevel
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.locality.threshold.node=0.5
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.locality.threshold.node=0.5 -D yarn.scheduler.fair.locality.threshold.rack=0.5
    """
    names = [f"{FAIR_PREFIX}locality.threshold.{where}" for where in ("node", "rack")]
    parts = [case.property(name) for name in names]
    for name, part, other in zip(names, parts, reversed(parts), strict=True):
        value = case.written(name)
        if value is not None and part >= 0 > other:
            yield Hit(value, f"{name} is set, and the other threshold is not", "nobody waits for local nodes",
                      "set both, or none")  # fmt: skip
        elif value is not None and part > 1:
            yield Hit(value, f"{name} is {value.text.strip()}", "counts as 1", "write a number from 0 to 1")


# -- other properties


@FAMILY.rule("FS916", ERROR, SITE)
def allocation_file_path(case: Case) -> Iterator[Hit]:
    """The allocation file is named in a way that Hadoop does not take.

    When: yarn.scheduler.fair.allocation.file has another scheme than file, hdfs, s3a or viewfs.
    Effect: the ResourceManager does not start. Before 2.10 and 3.1 schemes are not known: the file is not found.
    Write: an absolute path, or an address in hdfs, s3a or viewfs.
    Versions: 2.10, 3.1 and later; a warning before
    Source: AllocationFileLoaderService.getAllocationFile
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.allocation.file=http://host/fair-scheduler.xml
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.allocation.file=/etc/hadoop/conf/fair-scheduler.xml
    """
    value = case.written(FAIR_PREFIX + "allocation.file")
    match = _SCHEME.match(value.text.strip()) if value is not None else None
    if match is None:
        return
    scheme = match[1]
    any_scheme = case.profile.features.file_on_any_filesystem
    if any_scheme and scheme.lower() not in _SCHEMES:
        yield Hit(value, f"the allocation file is {value.text.strip():.80}", "the ResourceManager does not start",
                  f"write a path, or one of {listed([f'{one}://' for one in _SCHEMES], 4)}", refuses=True)  # fmt: skip
    elif not any_scheme:
        yield Hit(value, f"the allocation file is {value.text.strip():.80}", "not found: the file is not read",
                  "write a path of the machine", WARNING)  # fmt: skip


@FAMILY.told("FS917", INFO)
def obsolete_property() -> None:
    """A property is not read any more.

    When: this version does not read it, or only with another one that is off.
    Effect: none.
    Write: drop it.
    Versions: by property
    Source: FairSchedulerConfiguration
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.preemptionInterval=5000
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.waitTimeBeforeKill=5000
    """


@FAMILY.told("FS918", WARNING)
def unknown_fair_property() -> None:
    """A property of the scheduler is not known.

    When: the name begins with yarn.scheduler.fair. in any case, and is none that this version reads.
    Effect: none; names are compared with their case.
    Write: the right name.
    Versions: all
    Source: FairSchedulerConfiguration
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.premption=true
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.sizebasedweight=true
    """


@FAMILY.told("FS919", WARNING)
def boolean_property_invalid() -> None:
    """A switch is neither true nor false.

    When: a property that is true or false has another text.
    Effect: its default is used, without a word.
    Write: true or false.
    Versions: all
    Source: Configuration.getBoolean
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.preemption=yes
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.sizebasedweight=TRUE
    """


@FAMILY.rule("FS920", ERROR, SITE)
def migration_mode_set(case: Case) -> Iterator[Hit]:
    """A property of the converter is set.

    When: migration.mode is true; or no-terminal-rule.check without it, which is an info.
    Effect: with migration.mode the threads of the scheduler are not started: nothing is ever assigned. The other one
        has no effect of its own.
    Write: drop it; it is for fs2cs only.
    Versions: 3.3 and later
    Source: FairScheduler.serviceInit
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.migration.mode=true
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.migration.mode=false
    """
    if case.profile.version < (3, 3, 0):
        return
    hint = "drop it; it is for the converter fs2cs"
    if _true(case, "migration.mode"):
        name = FAIR_PREFIX + "migration.mode"
        effect = "the threads of the scheduler are not started: nothing is assigned"
        yield Hit(case.written(name), f"{name} is true", effect, hint)
    elif _true(case, "no-terminal-rule.check"):
        name = FAIR_PREFIX + "no-terminal-rule.check"
        yield Hit(case.written(name), f"{name} is true", "no effect without migration.mode", hint, INFO)


@FAMILY.rule("FS921", WARNING, TREE, SITE)
def am_preemption_queue_name(case: Case) -> Iterator[Hit]:
    """A property about the masters of a queue names none.

    When: the text behind yarn.scheduler.fair.am.preemption. is no full name of a queue, nor, without a queue of a
        like name, of one that may be made on the fly.
    Effect: none.
    Write: the full name, with root.
    Versions: 3.3 and later
    Source: FSAppAttempt
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.am.preemption.a=false
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.am.preemption.root.a=false
    """
    assert case.site is not None
    if case.profile.version < (3, 3, 0):
        return
    for name, value in case.site.written(case.profile).items():
        queue = name.removeprefix(AM_PREEMPTION_PREFIX)
        if queue != name and queue not in case.tree.queues:
            near = near_queue(queue if queue.startswith("root.") else f"root.{queue}", case.tree.queues)
            near = f"root.{queue}" if f"root.{queue}" in case.tree.queues else near
            if not near and queue.startswith("root.") and case.makes_queues:
                continue
            hint = f"did you mean {AM_PREEMPTION_PREFIX}{near}?" if near else "write the full name, with root."
            yield Hit(value, f"{name}: there is no queue {queue}", "not in force", hint)


@FAMILY.rule("FS922", WARNING, TREE, SITE)
def undeclared_pools_off_without_default(case: Case) -> Iterator[Hit]:
    """Queues are not made on the fly, but root.default is.

    When: allow-undeclared-pools is false, the file has no placement policy, and no queue is called default.
    Effect: from 3.4 on who asks for a queue that is not there lands in root.default, which is made with the defaults.
    Write: the queue default, or a placement policy.
    Versions: 3.4 and later
    Source: QueuePlacementPolicy, YARN-7769
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.allow-undeclared-pools=false
    Good: <queue name="a"/><queue name="default"/>
    Given: -D yarn.scheduler.fair.allow-undeclared-pools=false
    """
    name = FAIR_PREFIX + "allow-undeclared-pools"
    if not case.profile.features.no_default_queue or case.raw.rules is not None or case.property(name):
        return
    if DEFAULT_QUEUE not in case.tree.queues:
        yield Hit(case.written(name), f"{name} is false, and {DEFAULT_QUEUE} is not written",
                  "who asks for no queue of the file lands there; it is made with the defaults",
                  'write <queue name="default"/>')  # fmt: skip


@FAMILY.told("FS923", ERROR)
def resource_type_redefined() -> None:
    """A resource type is not one that Hadoop takes.

    When: yarn.resource-types names memory, vcores, a type twice, or one with a wrong name, unit or kind.
    Effect: the ResourceManager does not start.
    Write: the types beyond memory and vcores, once each.
    Versions: 2.10 and later
    Source: ResourceUtils
    Bad: <queue name="a"/>
    Given: -D yarn.resource-types=memory-mb,gpu
    Good: <queue name="a"/>
    Given: -D yarn.resource-types=gpu
    """


@FAMILY.rule("FS924", INFO, SITE)
def vendor_doc_swap(case: Case) -> Iterator[Hit]:
    """Two properties that are easily mixed up say the opposite.

    When: allow-undeclared-pools and user-as-default-queue are both set, one true, the other false.
    Effect: the first tells whether queues may be made on the fly, the second whether users get queues of their own; a
        page of a vendor has it the other way round.
    Write: nothing, if this is meant.
    Versions: all
    Source: FairScheduler.md
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.fair.allow-undeclared-pools=true -D yarn.scheduler.fair.user-as-default-queue=false
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.allow-undeclared-pools=true -D yarn.scheduler.fair.user-as-default-queue=true
    """
    names = [FAIR_PREFIX + name for name in ("allow-undeclared-pools", "user-as-default-queue")]
    values = [case.written(name) for name in names]
    if case.raw.rules is None and all(values) and case.property(names[0]) != case.property(names[1]):
        yield Hit(values[0], f"{names[0]} and {names[1]} say the opposite",
                  "the first is about queues made on the fly, the second about queues of users",
                  "nothing, if this is meant")  # fmt: skip


@FAMILY.told("FS925", ERROR)
def number_property_invalid() -> None:
    """A number in yarn-site is none.

    When: a property that is a number has another text, or one out of its range, or variables without end.
    Effect: the ResourceManager does not start: a NumberFormatException.
    Write: digits.
    Versions: all
    Source: Configuration.getInt, getLong, getFloat
    Bad: <queue name="a"/>
    Given: -D yarn.scheduler.minimum-allocation-mb=1g
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.minimum-allocation-mb=1024
    """


@FAMILY.told("FS926", WARNING)
def property_not_expanded() -> None:
    """A variable in a property is not known here.

    When: the value has ${...} of something that no given file sets; Hadoop also knows those of Java and, from 3.0 on,
        of the environment.
    Effect: fairsim takes the text as it is.
    Write: the value, with -D.
    Versions: all
    Source: Configuration.substituteVars
    Bad: <queue name="a"/>
    Given: -D 'yarn.scheduler.fair.allocation.file=${user.home}/f.xml'
    Good: <queue name="a"/>
    Given: -D yarn.scheduler.fair.allocation.file=/f.xml
    """


@FAMILY.told("FS927", WARNING)
def final_property_kept() -> None:
    """A property is final in an earlier file.

    When: a later source sets a property that an earlier file has made final, to another value.
    Effect: the first value stays.
    Write: it in one place.
    Versions: all
    Source: Configuration
    Bad: <queue name="a"/>
    Given: --yarn-site '<property><name>yarn.acl.enable</name><value>true</value><final>true</final></property>'
        -D yarn.acl.enable=false
    Good: <queue name="a"/>
    Given: --yarn-site '<property><name>yarn.acl.enable</name><value>true</value></property>' -D yarn.acl.enable=false
    """


@FAMILY.told("FS928", WARNING)
def property_not_used() -> None:
    """A property says nothing here.

    When: -D or the cluster sets one that fairsim does not use, or that this version does not read, or that is about a
        resource type nobody names.
    Effect: none on the answers.
    Write: the right name.
    Versions: all
    Source: none of Hadoop's
    Bad: <queue name="a"/>
    Given: -D yarn.acl.enabled=true
    Good: <queue name="a"/>
    Given: -D yarn.acl.enable=false
    """


@FAMILY.told("FS929", INFO)
def configuration_form() -> None:
    """A configuration file is not in the usual form.

    When: the root of a yarn-site.xml is not configuration, or elements in it are not properties.
    Effect: Hadoop logs that, and reads the properties all the same.
    Write: configuration, with properties in it.
    Versions: all
    Source: Configuration
    Bad: <queue name="a"/>
    Given: --yarn-site '<conf><property><name>yarn.acl.enable</name><value>false</value></property></conf>'
    Good: <queue name="a"/>
    Given: --yarn-site '<property><name>yarn.acl.enable</name><value>false</value></property>'
    """
