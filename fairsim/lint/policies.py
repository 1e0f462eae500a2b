"""5xx: scheduling policies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairsim.config.names import ROOT
from fairsim.config.values import POLICIES
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.lint.amounts import listed, named
from fairsim.lint.case import Case
from fairsim.lint.rule import TREE, Family, Hit
from fairsim.model.queues import Queue
from fairsim.shares.solve import divided_types

FAMILY = Family()

_DEFAULT = "defaultQueueSchedulingPolicy"


def _field(case: Case, name: str) -> Any:
    """Returns the element that gives a queue its policy, None for Hadoop's own default."""
    written = case.raw.queues.get(name)
    field = written.fields.get("schedulingPolicy") if written is not None else None
    if field is None:
        field = case.raw.defaults.get(_DEFAULT)
    return None if field is None else field.element


def _own(case: Case, name: str) -> bool:
    written = case.raw.queues.get(name)
    return written is not None and "schedulingPolicy" in written.fields


def _parent(name: str) -> str:
    return name.rpartition(".")[0]


@FAMILY.told("FS501", ERROR)
def policy_unknown() -> None:
    """A scheduling policy does not exist.

    When: the text is not fair, fifo or drf, in any case, and cannot be the name of a class of one's own.
    Effect: the file is not loaded.
    Write: fair, fifo or drf.
    Versions: all
    Source: SchedulingPolicy.parse
    Bad: <queue name="a"><schedulingPolicy>round-robin</schedulingPolicy></queue>
    Good: <queue name="a"><schedulingPolicy>fair</schedulingPolicy></queue>
    """


@FAMILY.rule("FS502", ERROR)
def default_policy_fifo(case: Case) -> Iterator[Hit]:
    """The default policy is fifo, which parents cannot have.

    When: defaultQueueSchedulingPolicy is fifo.
    Effect: from 2.9 on the file is not loaded. Before, all leaves without a policy of their own become fifo; parents
        stay fair.
    Write: fair or drf, and fifo in the leaves that are to have it.
    Versions: 2.9 and later refuse it; 2.6 to 2.8: a warning
    Source: YARN-4784
    Bad: <defaultQueueSchedulingPolicy>FIFO</defaultQueueSchedulingPolicy>
    Good: <defaultQueueSchedulingPolicy>fair</defaultQueueSchedulingPolicy>
    """
    field = case.raw.defaults.get(_DEFAULT)
    if field is not None and field.value == "fifo" and not case.profile.features.no_default_fifo:
        yield Hit(
            field.element, f"{_DEFAULT} is fifo", "leaves without a policy of their own are fifo; parents stay fair",
            "write fair or drf here, and <schedulingPolicy>fifo</schedulingPolicy> in the leaves "
            "(Hadoop 2.9 and later refuse the file)", WARNING,
        )  # fmt: skip


@FAMILY.rule("FS503", ERROR, TREE)
def fifo_on_parent(case: Case) -> Iterator[Hit]:
    """A parent queue is to be fifo, which only leaves can be.

    When: the policy of a queue with child queues, with type="parent" or with a reservation is fifo.
    Effect: from 2.9 on the queue and all below it are not made, and their applications are rejected, though the file
        loads. Before, the policy is passed over.
    Write: fair or drf in the parent, fifo in its leaves.
    Versions: 2.9 and later; 2.6 to 2.8: a warning
    Source: YARN-4212
    Bad: <queue name="p"><schedulingPolicy>fifo</schedulingPolicy><queue name="a"/></queue>
    Good: <queue name="p"><queue name="a"><schedulingPolicy>fifo</schedulingPolicy></queue></queue>
    """
    hint = "write <schedulingPolicy>fair</schedulingPolicy> here, and fifo in the leaves below"
    if not case.profile.features.policy_check:
        for queue in case.queues:
            policy = queue.fields.get("schedulingPolicy")
            if not queue.leaf and queue.name != ROOT and policy is not None and policy.value == "fifo":
                effect = f"passed over: {queue.name} is {queue.policy}"
                yield Hit(policy.element, f"schedulingPolicy of {queue.name} is fifo", effect, hint, WARNING)
        return
    for element, names in _at_fault(case, "fifo is for leaf"):
        own = _own(case, names[0])
        yield Hit(
            element, f"the parent {listed(names)} is fifo" + ("" if own else f", by {_DEFAULT}"),
            f"{listed(names)} and all below are not made: applications are rejected", hint,
        )  # fmt: skip


def _at_fault(case: Case, reason: str) -> Iterator[tuple[Any, list[str]]]:
    """Yields the elements whose policy keeps queues from being made for this reason, with those queues."""
    found: dict[int, tuple[Any, list[str]]] = {}
    for lost in case.tree.lost:
        if lost.name == lost.fault and lost.reason.startswith(reason):
            element = _field(case, lost.name)
            found.setdefault(id(element), (element, []))[1].append(lost.name)
    yield from found.values()


def without_vcores(case: Case) -> dict[Queue, Queue]:
    """Returns the drf leaves in which no master starts, as a queue above is not drf, with that queue; up to 2.8.

    That queue divides no vcores: the share has none, and so has the room for masters (FSLeafQueue.canRunAppAM), unless
    maxAMShare is -1, or there are minimums of vcores on the way down.
    """
    tree = case.tree
    found: dict[Queue, Queue] = {}
    if case.profile.features.policy_check or not any(queue.policy == "drf" for queue in case.queues):
        return found
    above: dict[Queue, tuple[Queue | None, int]] = {tree.root: (None, 0)}  # what divides no vcores, the share of them
    for queue in case.queues[1:]:
        assert queue.parent is not None
        fault, vcores = above[queue.parent]
        if queue.parent.policy != "drf":
            fault, vcores = queue.parent, 0
        elif fault is not None:
            vcores = max(vcores, queue.min[1])
        above[queue] = fault, vcores
        if fault is not None and queue.leaf and queue.policy == "drf":
            part: float = tree.max_am_share(queue).value
            if part > 0 and int(vcores * part) == 0:
                found[queue] = fault
    return found


def _drf_below_fair(case: Case) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yields each fair parent with the drf queues that are not made below it, and with those that are and stay fair.

    Up to 3.3 root.default is there before the file is read. Up to 2.8 all are made: the first are those that wait.
    """
    tree = case.tree
    if not case.profile.features.policy_check:
        waiting: dict[str, list[str]] = {}
        for queue, fault in without_vcores(case).items():
            waiting.setdefault(fault.name, []).append(queue.name)
        for parent, names in waiting.items():
            yield parent, names, []
        return
    lost: dict[str, list[str]] = {}
    for one in tree.lost:
        if one.name == one.fault and one.reason == "drf below fair":
            lost.setdefault(_parent(one.name), []).append(one.name)
    kept = []
    if not case.profile.features.no_default_queue and tree.policy_for(ROOT) == "fair":
        default = tree.queues.get("root.default")
        if default is not None and default.policy != "drf" and tree.policy_for(default.name) == "drf":
            kept = [default.name]
    if kept:
        lost.setdefault(ROOT, [])
    for parent, names in lost.items():
        yield parent, names, kept if parent == ROOT else []


@FAMILY.rule("FS504", ERROR, TREE)
def drf_under_fair(case: Case) -> Iterator[Hit]:
    """A drf queue stands below a fair one, and is not made.

    When: the policy of a queue is drf, and that of its parent is fair: its own, or the default, which is fair too.
        Policies are not inherited. Up to 2.8 leaves only, and not with maxAMShare -1.
    Effect: the file loads, and the queue and all below it are missing: applications are rejected. Up to 3.3 a
        root.default stays, with the policy fair. Up to 2.8 the queue is made, and has a share of 0 vcores: half of
        that is the room for masters, so applications wait in ACCEPTED for ever.
    Write: drf in the parents too, up to root; or drf as the default policy.
    Versions: all
    Source: YARN-4212, FairSharePolicy, FSLeafQueue.canRunAppAM
    Bad: <queue name="p"><queue name="a"><schedulingPolicy>drf</schedulingPolicy></queue></queue>
    Good:
        <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
        <queue name="p"><queue name="a"/></queue>
    """
    for parent, lost, kept in _drf_below_fair(case):
        lost, kept = ([name for name in names if _own(case, name)] for names in (lost, kept))
        if lost or kept:
            yield _conflict(case, parent, lost, kept, _field(case, (lost or kept)[0]))


def _conflict(case: Case, parent: str, lost: list[str], kept: list[str], at: Any) -> Hit:
    effect = f"{listed(lost)} and all below are not made: applications are rejected" if lost else ""
    if not case.profile.features.policy_check:
        effect = f"no share of vcores, and no room for a master: applications in {listed(lost)} wait for ever"
    if kept:
        effect += f"{'; ' if lost else ''}{listed(kept)} stays fair"
    path = parent.split(".")
    above = listed([".".join(path[: length + 1]) for length in range(len(path))])
    hint = f"write <schedulingPolicy>drf</schedulingPolicy> in {above}"
    if _DEFAULT not in case.raw.defaults and not any(_own(case, name) for name in (parent, ROOT)):
        hint = f"write <{_DEFAULT}>drf</{_DEFAULT}> below <allocations>, or drf in {above}"
    return Hit(at, f"{listed(lost + kept)} of policy drf below {parent}, which is fair", effect, hint,
               ERROR if lost else WARNING)  # fmt: skip


@FAMILY.rule("FS505", ERROR, TREE)
def default_drf_lost_under_fair_parent(case: Case) -> Iterator[Hit]:
    """The default policy drf meets a parent that is fair.

    When: the default policy is drf, a parent is fair by its own element, and a queue below it has no policy.
    Effect: that queue takes the default, not the policy of its parent; drf below fair is not made: it and all below it
        are missing, and applications are rejected. Up to 2.8 it is made, and no master ever starts in it.
    Write: fair in the queue as well, or no policy in the parent.
    Versions: all
    Source: AllocationConfiguration, YARN-4212
    Bad:
        <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
        <queue name="p"><schedulingPolicy>fair</schedulingPolicy><queue name="a"/></queue>
    Good:
        <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
        <queue name="p"><queue name="a"/></queue>
    """
    for parent, lost, kept in _drf_below_fair(case):
        lost, kept = ([name for name in names if not _own(case, name)] for names in (lost, kept))
        if not (lost or kept):
            continue
        hit = _conflict(case, parent, lost, kept, _field(case, parent))
        message = f"{listed(lost + kept)} below {parent}, which is fair, by default drf"
        hint = f"take schedulingPolicy out of {parent}, or write fair in {listed(lost + kept)}"
        yield hit._replace(message=message, hint=hint)


@FAMILY.rule("FS506", ERROR, TREE)
def root_policy_fifo(case: Case) -> Iterator[Hit]:
    """Root is to be fifo, which only leaves can be.

    When: the policy of root is fifo.
    Effect: from 3.4 on no queue can be made at all, and every application is rejected. Before, root stays fair.
    Write: fair or drf in root, fifo in the leaves.
    Versions: 3.4 and later; 2.6 to 3.3: a warning
    Source: QueueManager, FSQueue
    Bad: <queue name="root"><schedulingPolicy>fifo</schedulingPolicy><queue name="a"/></queue>
    Good: <queue name="root"><queue name="a"><schedulingPolicy>fifo</schedulingPolicy></queue></queue>
    """
    if case.tree.policy_for(ROOT) != "fifo":
        return
    features = case.profile.features
    if not _own(case, ROOT) and not features.policy_check:
        return  # FS502
    fatal = features.policy_check and features.no_default_queue
    yield Hit(
        _field(case, ROOT), "the policy of root is fifo",
        "no queue can be made below it: every application is rejected" if fatal else "passed over: root stays fair",
        "write <schedulingPolicy>fair</schedulingPolicy> in root, and fifo in the leaves", ERROR if fatal else WARNING,
    )  # fmt: skip


@FAMILY.rule("FS507", INFO)
def custom_policy_class(case: Case) -> Iterator[Hit]:
    """A policy is a class of one's own.

    When: a policy is the name of a class that does not come with Hadoop.
    Effect: the ResourceManager needs a jar with it, else the file is not loaded; fairsim cannot tell what it does.
    Write: fair, fifo or drf, if the class is no longer needed.
    Versions: all
    Source: SchedulingPolicy.parse
    Bad: <queue name="a"><schedulingPolicy>com.ex.P</schedulingPolicy></queue>
    Good: <queue name="a"><schedulingPolicy>fair</schedulingPolicy></queue>
    """
    found: dict[str, tuple[Any, list[str]]] = {}
    default = case.raw.defaults.get(_DEFAULT)
    if default is not None and default.value not in POLICIES:
        found[default.value] = default.element, [_DEFAULT]
    for key, tag, field in case.fields("schedulingPolicy"):
        if field.value not in POLICIES:
            found.setdefault(field.value, (field.element, []))[1].append(named(key, tag))
    for policy, (element, names) in found.items():
        yield Hit(
            element, f"{listed(names)}: the class {policy:.80}",
            "needs a jar on the ResourceManager; what it does is not simulated",
        )  # fmt: skip


@FAMILY.rule("FS508", INFO, TREE)
def vcores_ignored_by_fair(case: Case) -> Iterator[Hit]:
    """A minimum of vcores below a parent that divides memory only.

    When: minResources has vcores, and the policy of the parent is fair.
    Effect: shares are computed of memory alone; the vcores raise no share.
    Write: drf as the default policy, if vcores are to be shared; else nothing needs to change.
    Versions: all
    Source: FairSharePolicy
    Bad: <queue name="a"><minResources>4096 mb, 8 vcores</minResources></queue>
    Good:
        <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
        <queue name="a"><minResources>4096 mb, 8 vcores</minResources></queue>
    """
    found: list[Queue] = [
        queue
        for queue in case.queues
        if queue.parent is not None and queue.min[1] > 0 and 1 not in divided_types(case.tree, queue.parent.policy)
    ]
    if found:
        names = listed([queue.name for queue in found])
        yield Hit(
            found[0].fields["minResources"].element, f"minResources of {names}: vcores, below a policy of memory alone",
            "the vcores raise no share",
            f"write <{_DEFAULT}>drf</{_DEFAULT}> (and drf in parents that are fair) if vcores are to be shared",
        )  # fmt: skip
