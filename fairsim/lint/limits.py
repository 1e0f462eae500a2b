"""4xx: numbers, limits and flags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairsim.config.resource_types import read_limits
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.javanum import INT_MAX, LONG_MAX, parse_float, parse_long, shortest_float32, trim
from fairsim.lint.amounts import DEFAULT_MAXIMUM, NAMED, as_text, form, listed, named, of
from fairsim.lint.case import Case
from fairsim.lint.rule import SITE, TREE, Family, Hit
from fairsim.model.queues import Field, Queue
from fairsim.patterns import Pattern

FAMILY = Family()

_ROOT = "root"
_AM_DEFAULT = "queueMaxAMShareDefault"
_APPS_DEFAULT = "queueMaxAppsDefault"
TIMEOUTS = ("minSharePreemptionTimeout", "fairSharePreemptionTimeout")
TOP_TIMEOUTS = ("defaultMinSharePreemptionTimeout", "defaultFairSharePreemptionTimeout", "fairSharePreemptionTimeout")
THRESHOLD, TOP_THRESHOLD = "fairSharePreemptionThreshold", "defaultFairSharePreemptionThreshold"
_FLOAT = Pattern(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
_INTEGER = Pattern(r"[+-]?[0-9]++")


def values(case: Case, *tags: str) -> Iterator[tuple[str, str, Field]]:
    """Yields the values with these tags, in queues and at the top: key of the queue (empty at the top), tag, value."""
    yield from case.fields(*tags)
    for tag in tags:
        field = case.raw.defaults.get(tag)
        if field is not None:
            yield "", tag, field


def text_of(field: Field) -> str:
    """Returns the text of a value as Java trims it."""
    return trim(field.element.text or "")


def unlimited_masters(share: float) -> bool:
    """Tells whether maxAMShare switches the limit of masters off (FSLeafQueue.canRunAppAM)."""
    return abs(share + 1.0) < 0.0001


def no_masters(share: float) -> bool:
    """Tells whether no master fits into this share of a queue."""
    return not share > 0 and not unlimited_masters(share)


# -- weights


@FAMILY.told("FS401", ERROR)
def weight_not_a_number() -> None:
    """A weight is no number.

    When: the text of weight is nothing that Java reads as a number.
    Effect: the file is not loaded.
    Write: a number such as 5 or 0.5.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><weight>high</weight></queue>
    Good: <queue name="a"><weight>5</weight></queue>
    """


def _weights(case: Case) -> Iterator[tuple[str, Field, float]]:
    for key, _, field in case.fields("weight"):
        if key != _ROOT:  # FS427
            yield key, field, field.value


@FAMILY.rule("FS402", WARNING)
def weight_negative(case: Case) -> Iterator[Hit]:
    """A weight below 0 counts as 0.

    When: a weight is negative.
    Effect: the queue gets its minimum as its share and no more, as with a weight of 0.
    Write: a positive weight.
    Versions: all
    Source: ComputeFairShares
    Bad: <queue name="a"><weight>-1</weight></queue>
    Good: <queue name="a"><weight>1</weight></queue>
    """
    for key, field, weight in _weights(case):
        if weight < 0:
            yield Hit(
                field.element, f"weight of {key} is {text_of(field)}", "counts as 0: the share is the minimum",
                "write a positive weight; 1 is the default",
            )  # fmt: skip


@FAMILY.rule("FS403", INFO, TREE)
def weight_zero(case: Case) -> Iterator[Hit]:
    """A weight of 0 leaves a queue nothing but its minimum.

    When: a weight is 0, and the limit of application masters is not switched off.
    Effect: the share is the minimum; beyond it the queue runs on what others leave. Up to 2.8 a share of 0 leaves no
        room for a master either: without a minimum nothing runs, however empty the cluster is.
    Write: a small weight such as 0.01; or maxAMShare -1, where the 0 is meant.
    Versions: all; 2.6 to 2.8: a warning for a leaf without a minimum
    Source: YARN-1458, YARN-5077
    Bad: <queue name="a"><weight>0</weight></queue>
    Good: <queue name="a"><weight>0</weight><maxAMShare>-1</maxAMShare></queue>
    """
    tree = case.tree
    old = not case.profile.features.am_limit_rounded_up
    for key, field, weight in _weights(case):
        queue = tree.queues.get(key)
        if weight != 0 or queue is None:
            continue
        share = tree.max_am_share(queue).value
        if queue.leaf and unlimited_masters(share):
            continue
        stuck = old and queue.leaf and queue.min[0] == 0 and not no_masters(share)
        effect = "the share is the minimum; beyond it the queue runs on what others leave"
        if stuck:
            effect = "the share is 0, and so is the room for application masters: nothing runs"
        yield Hit(
            field.element, f"weight of {key} is 0", effect,
            "write a small weight such as 0.01, or add <maxAMShare>-1</maxAMShare> if this is meant",
            WARNING if stuck else INFO,
        )  # fmt: skip


@FAMILY.rule("FS404", ERROR)
def weight_nan(case: Case) -> Iterator[Hit]:
    """A weight that is not a number can stop the scheduler.

    When: a weight is written as NaN.
    Effect: the file loads, and the share of the queue is 0. While the maxima of those beside it that run something do
        not take up all there is, the search for the shares never ends, and holds the lock of the scheduler.
    Write: a number.
    Versions: all
    Source: ComputeFairShares
    Bad: <queue name="a"><weight>NaN</weight></queue>
    Good: <queue name="a"><weight>1</weight></queue>
    """
    for key, field, weight in _weights(case):
        if weight != weight:
            yield Hit(
                field.element, f"weight of {key} is not a number",
                "the search for the shares may never end, with the scheduler locked",
                "write a number; 1 is the default",
            )  # fmt: skip


@FAMILY.rule("FS405", WARNING)
def weight_infinite(case: Case) -> Iterator[Hit]:
    """An infinite weight takes all.

    When: a weight is Infinity, or too large for a float (3.4e38 and more).
    Effect: the queue gets up to its maximum, its siblings their minimum. Versions that add shares in 32 bits may never
        end the search for the shares, even at the start, or find shares far above the cluster.
    Write: a weight of ordinary size.
    Versions: all; an error in 2.6 to 2.9, 3.0, 3.1.0, 3.1.1 and 3.2.0
    Source: ComputeFairShares, YARN-8833
    Bad: <queue name="a"><weight>1e39</weight></queue>
    Good: <queue name="a"><weight>100</weight></queue>
    """
    long_sums = case.profile.line == "L"
    for key, field, weight in _weights(case):
        if weight == float("inf"):
            effect = "the queue takes all up to its maximum; its siblings get their minimum"
            if not long_sums:
                effect = "the search for the shares may never end, with the scheduler locked"
            yield Hit(
                field.element, f"weight of {key}: {text_of(field)[:40]} is infinite as a float", effect,
                "write a weight of ordinary size, such as 100", WARNING if long_sums else ERROR,
            )  # fmt: skip


@FAMILY.rule("FS406", INFO)
def odd_number_literal(case: Case) -> Iterator[Hit]:
    """A number is written as only Java reads it.

    When: a number has a suffix (2f, 1d), is hexadecimal with an exponent, or has digits of another script.
    Effect: Hadoop takes it; most other programs that read the file do not.
    Write: plain digits.
    Versions: all
    Source: Double.parseDouble, Integer.parseInt
    Bad: <queue name="a"><weight>2f</weight></queue>
    Good: <queue name="a"><weight>2.0</weight></queue>
    """
    floats = ("weight", "maxAMShare", THRESHOLD, _AM_DEFAULT, TOP_THRESHOLD)
    for key, tag, field in values(case, *floats):
        text = text_of(field)
        value = parse_float(text)
        if value is not None and abs(value) < float("inf") and not _FLOAT.fullmatch(text):
            yield _odd(named(key, tag), field, f"{shortest_float32(value):g}")
    whole = ("maxRunningApps", *TIMEOUTS, _APPS_DEFAULT, "userMaxAppsDefault", *TOP_TIMEOUTS[:2])
    for key, tag, field in (*values(case, *whole), *_users(case)):
        text = text_of(field)
        value = parse_long(text)
        if value is not None and not _INTEGER.fullmatch(text):
            yield _odd(named(key, tag), field, str(value))


def _odd(name: str, field: Field, plain: str) -> Hit:
    return Hit(
        field.element, f"{name}: {text_of(field)!r:.60} is a number to Java only", f"read as {plain}", f"write {plain}"
    )


def _users(case: Case) -> Iterator[tuple[str, str, Field]]:
    for user, field in case.raw.users.items():
        yield f"user {user}", "maxRunningApps", field


# -- running applications


@FAMILY.told("FS407", ERROR)
def integer_malformed() -> None:
    """A number of applications is no whole number.

    When: maxRunningApps or one of its defaults has decimals, an exponent or a unit, or is above 2147483647.
    Effect: the file is not loaded.
    Write: digits only.
    Versions: all
    Source: AllocationFileParser, AllocationFileQueueParser
    Bad: <queueMaxAppsDefault>10.0</queueMaxAppsDefault>
    Good: <queueMaxAppsDefault>10</queueMaxAppsDefault>
    """


@FAMILY.rule("FS408", WARNING)
def max_running_apps_zero(case: Case) -> Iterator[Hit]:
    """A queue that may run no application keeps them waiting.

    When: maxRunningApps or queueMaxAppsDefault is 0 or less.
    Effect: applications are taken, never rejected, and stay pending for ever; so do those of all queues below.
    Write: a positive number; to close a queue, let nobody submit to it.
    Versions: all
    Source: MaxRunningAppsEnforcer
    Bad: <queue name="a"><maxRunningApps>0</maxRunningApps></queue>
    Good: <queue name="a"><maxRunningApps>10</maxRunningApps></queue>
    """
    for key, tag, field in values(case, "maxRunningApps", _APPS_DEFAULT):
        if field.value <= 0:
            where = f"in {key} and below" if key else "in every queue without a number of its own, root among them"
            yield Hit(
                field.element, f"{named(key, tag)} is {field.value}",
                f"applications {where} are accepted and wait for ever", "write a positive number, or leave it out",
            )  # fmt: skip


@FAMILY.rule("FS409", WARNING)
def user_max_apps_zero(case: Case) -> Iterator[Hit]:
    """A user who may run no application waits for ever.

    When: maxRunningApps of a user or userMaxAppsDefault is 0 or less.
    Effect: applications of the user, or of everybody without a limit of their own, are accepted and never run.
    Write: a positive number.
    Versions: all
    Source: MaxRunningAppsEnforcer
    Bad: <userMaxAppsDefault>0</userMaxAppsDefault>
    Good: <userMaxAppsDefault>5</userMaxAppsDefault>
    """
    for key, tag, field in (*_users(case), *values(case, "userMaxAppsDefault")):
        if field.value <= 0:
            who = f"applications of {key}" if key else "applications of all users without a limit of their own"
            yield Hit(
                field.element, f"{named(key, tag)} is {field.value}", f"{who} are accepted and wait for ever",
                "write a positive number, or leave it out",
            )  # fmt: skip


@FAMILY.rule("FS410", WARNING, TREE)
def queue_max_apps_default_caps_cluster(case: Case) -> Iterator[Hit]:
    """The default for running applications also holds for root and other parents.

    When: queueMaxAppsDefault is set, and root, or a parent of several leaves, has no maxRunningApps of its own.
    Effect: the number that was meant for each queue bounds all applications of the cluster, or of that parent.
    Write: maxRunningApps in root and in the parents.
    Versions: all
    Source: MaxRunningAppsEnforcer
    Bad: <queueMaxAppsDefault>5</queueMaxAppsDefault><queue name="a"/><queue name="b"/>
    Good:
        <queueMaxAppsDefault>5</queueMaxAppsDefault>
        <queue name="root"><maxRunningApps>1000</maxRunningApps><queue name="a"/><queue name="b"/></queue>
    """
    field = case.raw.defaults.get(_APPS_DEFAULT)
    if field is None or not 0 < field.value < INT_MAX:
        return
    names = [queue.name for queue in _bounded_parents(case, "maxRunningApps")]
    if names:
        effect = f"{field.value} applications at a time in the whole cluster"
        if names[0] != _ROOT:
            effect = f"{field.value} applications at a time in all of {names[0]}"
        yield Hit(
            field.element, f"{_APPS_DEFAULT} {field.value} also holds for {listed(names)}", effect,
            f"write <maxRunningApps>1000</maxRunningApps>, or what you want, in {listed(names)}",
        )  # fmt: skip


def _bounded_parents(case: Case, tag: str) -> list[Queue]:
    """Returns root and the parents of several leaves that have no such element of their own."""
    leaves: dict[Queue, int] = {}
    for queue in reversed(case.queues):
        own = 1 if queue.leaf else leaves.get(queue, 0)
        leaves[queue] = own
        if queue.parent is not None:
            leaves[queue.parent] = leaves.get(queue.parent, 0) + own
    return [
        queue
        for queue in case.queues
        if not queue.leaf and tag not in queue.fields and (queue.parent is None or leaves[queue] > 1)
    ]


@FAMILY.rule("FS411", WARNING, TREE)
def queue_max_resources_default_caps_cluster(case: Case) -> Iterator[Hit]:
    """The default maximum also holds for root and other parents.

    When: queueMaxResourcesDefault is set, and root, or a parent of several leaves, has no maxResources of its own.
    Effect: what was meant for each queue bounds the whole cluster, or all of that parent.
    Write: maxResources in root and in the parents: 100%, or from 2.8 on an amount above the cluster.
    Versions: 2.8 and later
    Source: AllocationConfiguration, FSQueue
    Bad: <queueMaxResourcesDefault>40000 mb, 40 vcores</queueMaxResourcesDefault>
    Good:
        <queueMaxResourcesDefault>40000 mb, 40 vcores</queueMaxResourcesDefault>
        <queue name="root"><maxResources>100%</maxResources></queue>
    """
    field = case.raw.defaults.get(DEFAULT_MAXIMUM)
    if field is None:
        return
    spec = field.value
    if spec.fractions is not None:
        if min(spec.fractions[:2]) >= 1:
            return
    elif min(spec.amount[:2]) >= INT_MAX or (form(case, spec) == NAMED and spec.amount[1] < 0):
        return  # without a bound; without vcores nothing runs anywhere: FS312
    if case.cluster is not None and all(most >= size for most, size in zip(spec.at(case.size), case.size, strict=True)):
        return
    names = [queue.name for queue in _bounded_parents(case, "maxResources")]
    if names:
        whole = "the whole cluster" if names[0] == _ROOT else f"all of {names[0]}"
        most = "100%" if case.profile.features.percentages else f"{INT_MAX} mb, {INT_MAX} vcores"
        yield Hit(
            field.element, f"{DEFAULT_MAXIMUM} {spec.text!r:.80} also holds for {listed(names)}",
            f"{whole} never uses more than that",
            f"write <maxResources>{most}</maxResources>, or what you want, in {listed(names)}",
        )  # fmt: skip


@FAMILY.rule("FS412", INFO, TREE)
def child_apps_above_parent(case: Case) -> Iterator[Hit]:
    """A queue may run more applications than a queue above it.

    When: maxRunningApps of a queue is larger than that of a queue above it.
    Effect: the smaller number above is what holds.
    Write: a number in the parent that its queues can reach.
    Versions: all
    Source: MaxRunningAppsEnforcer
    Bad:
        <queue name="p"><maxRunningApps>5</maxRunningApps>
          <queue name="a"><maxRunningApps>9</maxRunningApps></queue>
        </queue>
    Good:
        <queue name="p"><maxRunningApps>9</maxRunningApps>
          <queue name="a"><maxRunningApps>9</maxRunningApps></queue>
        </queue>
    """
    least: dict[Queue, tuple[int, Queue | None]] = {}
    above: dict[Queue, list[Queue]] = {}
    for queue in case.queues:
        most, holder = (INT_MAX, None) if queue.parent is None else least[queue.parent]
        field = queue.fields.get("maxRunningApps")
        if field is not None and field.value > most and holder is not None:
            above.setdefault(holder, []).append(queue)
        elif field is not None and 0 < field.value <= most:
            most, holder = field.value, queue
        least[queue] = most, holder
    for holder, queues in above.items():
        bound, first = holder.fields["maxRunningApps"], queues[0].fields["maxRunningApps"]
        yield Hit(
            first.element,
            f"maxRunningApps of {listed([queue.name for queue in queues])} is above the {bound.value} of {holder.name}",
            f"{bound.value} applications at most run in all of {holder.name}",
            f"write {max(queue.fields['maxRunningApps'].value for queue in queues)} in {holder.name}, or less below it",
            other=bound.element,
        )  # fmt: skip


# -- masters


@FAMILY.rule("FS413", ERROR, TREE)
def am_share_blocks_everything(case: Case) -> Iterator[Hit]:
    """A share for application masters into which none fits.

    When: maxAMShare of a leaf, or the default where a leaf uses it, is 0, NaN, or negative and not -1.
    Effect: no application master is ever started: applications stay accepted for ever.
    Write: a part such as 0.5; -1 switches the limit off.
    Versions: all
    Source: FSLeafQueue.canRunAppAM
    Bad: <queue name="a"><maxAMShare>0</maxAMShare></queue>
    Good: <queue name="a"><maxAMShare>-1</maxAMShare></queue>
    """
    default = case.raw.defaults.get(_AM_DEFAULT)
    users = []
    for queue in case.queues:
        field = queue.fields.get("maxAMShare")
        if not queue.leaf:
            continue
        if field is None:
            users.append(queue.name)
        elif no_masters(field.value):
            yield _blocking(field, f"maxAMShare of {queue.name}", queue.name)
    if default is not None and no_masters(default.value):
        yield _blocking(default, _AM_DEFAULT, listed(users) if users else "queues made on the fly")


def _blocking(field: Field, name: str, where: str) -> Hit:
    return Hit(
        field.element, f"{name} is {text_of(field)}", f"no application master is ever started in {where}",
        "write a part such as 0.5, or -1 for no limit",
    )  # fmt: skip


@FAMILY.rule("FS414", WARNING)
def am_share_above_one(case: Case) -> Iterator[Hit]:
    """A share for application masters is above 1.

    When: maxAMShare or queueMaxAMShareDefault is more than 1, often as a percentage.
    Effect: it is cut to 1.0, so masters may fill the whole queue.
    Write: a part of 1: 0.3 for 30 percent.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><maxAMShare>30</maxAMShare></queue>
    Good: <queue name="a"><maxAMShare>0.3</maxAMShare></queue>
    """
    for key, tag, field in values(case, "maxAMShare", _AM_DEFAULT):
        value = parse_float(text_of(field))
        if value is not None and value > 1:
            part = f"write {value / 100:g} for {value:g} percent" if value <= 100 else "write a part such as 0.5"
            yield Hit(
                field.element, f"{named(key, tag)} is {text_of(field)}",
                "cut to 1.0: masters may fill the whole queue", part,
            )  # fmt: skip


@FAMILY.rule("FS415", INFO)
def am_share_disabled(case: Case) -> Iterator[Hit]:
    """Application masters may fill a queue.

    When: maxAMShare or queueMaxAMShareDefault is -1 or 1.
    Effect: with many small applications the masters can take all there is, and wait for each other's containers.
    Write: a part such as 0.5.
    Versions: all
    Source: YARN-1913, YARN-4866
    Bad: <queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>
    Good: <queueMaxAMShareDefault>0.5</queueMaxAMShareDefault>
    """
    found = []
    for key, tag, field in values(case, "maxAMShare", _AM_DEFAULT):
        if unlimited_masters(field.value) or parse_float(text_of(field)) == 1.0:
            found.append((named(key, tag), field))
    if found:
        names = [name for name, _ in found]
        if len(found) > 1:
            names = [name.removeprefix("maxAMShare of ") for name in names]
        name = names[0] if len(found) == 1 else f"maxAMShare of {listed(names)}"
        yield Hit(
            found[0][1].element, f"{name} sets no limit ({text_of(found[0][1])})",
            "masters of many small applications may fill the queue and leave nothing for their containers",
            "write a part such as 0.5",
        )  # fmt: skip


# -- single containers


@FAMILY.rule("FS424", WARNING, TREE)
def container_allocation_above_max(case: Case) -> Iterator[Hit]:
    """A container may be larger than its queue.

    When: maxContainerAllocation of a queue is above its maxResources, or above the maximum allocation of yarn-site.
    Effect: what is larger than the queue is taken and never placed; what is larger than yarn-site allows is refused,
        whatever the queue says.
    Write: the smaller of the two.
    Versions: 3.2 and later
    Source: YARN-8468
    Bad:
        <queue name="a">
          <maxResources>4096 mb, 4 vcores</maxResources>
          <maxContainerAllocation>8192 mb, 4 vcores</maxContainerAllocation>
        </queue>
    Good:
        <queue name="a">
          <maxResources>4096 mb, 4 vcores</maxResources>
          <maxContainerAllocation>4096 mb, 4 vcores</maxContainerAllocation>
        </queue>
    """
    most = None
    if case.site is not None and case.profile.features.max_container_allocation:
        most = read_limits(case.site, case.types, case.profile).maximum
    for key, tag, field in case.fields("maxContainerAllocation"):
        queue, spec = case.tree.queues.get(key), field.value
        if queue is None or spec.amount is None:
            continue
        bounded = [kind for kind, part in enumerate(spec.amount) if part < (LONG_MAX, INT_MAX, LONG_MAX)[min(kind, 2)]]
        own = queue.fields.get("maxResources")
        if own is not None and (own.value.amount is not None or case.cluster is not None):
            limit = case.tree.max_at(queue, case.size if case.cluster is not None else ())
            over = [kind for kind in bounded if spec.amount[kind] > limit[kind] > 0]
            if over:
                yield Hit(
                    field.element,
                    f"{named(key, tag)}: {of(case, spec.amount, over)} is above its maxResources "
                    f"({of(case, limit, over)})",
                    "a container above maxResources is accepted and never placed",
                    f"write {as_text(case, tuple(map(min, spec.amount, limit)))}", other=own.element,
                )  # fmt: skip
                continue
        over = [kind for kind in bounded if most is not None and spec.amount[kind] > most[kind]]
        if over and most is not None:
            yield Hit(
                field.element,
                f"{named(key, tag)}: {of(case, spec.amount, over)} is above the maximum allocation of yarn-site "
                f"({of(case, most, over)})",
                "the maximum of yarn-site holds", f"write {as_text(case, tuple(map(min, spec.amount, most)))}",
            )  # fmt: skip


@FAMILY.rule("FS425", WARNING, SITE)
def container_allocation_below_am(case: Case) -> Iterator[Hit]:
    """The largest container of a queue is smaller than the smallest of the cluster.

    When: maxContainerAllocation is below the minimum allocation of yarn-site. It is that allocation which stands for
        the size of an application master here.
    Effect: a request above maxContainerAllocation is refused, an application master's at submission; what is not above
        it gets containers below the minimum allocation.
    Write: at least what an application master asks for.
    Versions: 3.2 and later
    Source: YARN-8468, SchedulerUtils
    Bad: <queue name="a"><maxContainerAllocation>512 mb, 1 vcores</maxContainerAllocation></queue>
    Given: -D yarn.scheduler.minimum-allocation-mb=1024
    Good: <queue name="a"><maxContainerAllocation>4096 mb, 2 vcores</maxContainerAllocation></queue>
    Given: -D yarn.scheduler.minimum-allocation-mb=1024
    """
    if case.site is None or not case.profile.features.max_container_allocation:
        return
    least = read_limits(case.site, case.types, case.profile).minimum
    for key, tag, field in case.fields("maxContainerAllocation"):
        spec = field.value
        if spec.amount is None:
            continue
        under = [kind for kind, part in enumerate(spec.amount) if 0 <= part < least[kind]]
        if under:
            yield Hit(
                field.element,
                f"{named(key, tag)}: {of(case, spec.amount, under)} is below the minimum allocation "
                f"({of(case, least, under)})",
                "every request above it is refused, an application master's at submission",
                f"write {as_text(case, tuple(map(max, spec.amount, least)))} or more",
            )  # fmt: skip


@FAMILY.told("FS426", WARNING)
def element_unsupported_in_target() -> None:
    """An element is younger than this version.

    When: an element of the file came with a later version than the one that is asked about.
    Effect: it is passed over, in a queue without a word.
    Write: what this version knows; or run a version that reads the element.
    Versions: maxChildResources and allowPreemptionFrom come with 2.9, queueMaxResourcesDefault with 2.8, reservation
        with 2.7, maxContainerAllocation with 3.2
    Source: the history of AllocationFileLoaderService
    Bad: <queue name="a"><maxContainerAllocation>4096 mb, 2 vcores</maxContainerAllocation></queue>
    Given: --hadoop 3.1
    Good: <queue name="a"/>
    Given: --hadoop 3.1
    """


@FAMILY.rule("FS427", INFO)
def setting_on_implicit_weight_root(case: Case) -> Iterator[Hit]:
    """A setting of root does nothing, or more than it seems.

    When: root has a weight other than 1, a minimum, or allowPreemptionFrom false.
    Effect: root has no siblings, so weight and minimum decide nothing; false protects every queue there is.
    Write: nothing in root; or the setting in the queues below.
    Versions: all
    Source: FSQueue
    Bad: <queue name="root"><weight>5</weight></queue>
    Good: <queue name="root"/>
    """
    root = case.raw.queues.get(_ROOT)
    fields = root.fields if root is not None else {}
    hint = "take it out of root; it belongs into the queues below"
    weight, least, open_ = (fields.get(tag) for tag in ("weight", "minResources", "allowPreemptionFrom"))
    if weight is not None and weight.value != 1:
        yield Hit(weight.element, f"weight of root is {text_of(weight)}", "no effect: root has no siblings", hint)
    if least is not None and any(least.value.amount or ()):
        yield Hit(least.element, f"minResources of root is {text_of(least)!r:.60}", _idle_minimum(fields), hint)
    if open_ is not None and not open_.value and not _preempts(case):
        yield Hit(
            open_.element, "allowPreemptionFrom of root is false",
            "holds for every queue: once preemption is on, nothing can be preempted", hint,
        )  # fmt: skip


def _idle_minimum(fields: dict[str, Any]) -> str:
    raised = "; it only raises maxResources" if "maxResources" in fields else ""
    return f"no share is computed with it: root has the whole cluster{raised}"


def _preempts(case: Case) -> bool:
    return case.site is not None and bool(case.property("yarn.scheduler.fair.preemption"))  # then FS905 says it


@FAMILY.told("FS428", ERROR)
def number_malformed() -> None:
    """A share or threshold is no number.

    When: maxAMShare, fairSharePreemptionThreshold or one of their defaults is nothing that Java reads as a number.
    Effect: the file is not loaded.
    Write: a number such as 0.5.
    Versions: all
    Source: AllocationFileParser, AllocationFileQueueParser
    Bad: <queue name="a"><maxAMShare>50%</maxAMShare></queue>
    Good: <queue name="a"><maxAMShare>0.5</maxAMShare></queue>
    """
