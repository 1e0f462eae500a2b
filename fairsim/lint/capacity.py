"""8xx: minimums, maxima and shares against each other, against containers, and against the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fairsim.config.resource_text import ResourceSpec
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.lint.amounts import as_text, listed, of
from fairsim.lint.case import Case
from fairsim.lint.rule import CLUSTER, SITE, TREE, Family, Hit
from fairsim.model.queues import Queue
from fairsim.model.resources import INT_MAX, Amount

FAMILY = Family()
_MAX, _DEFAULT = "maxResources", "queueMaxResourcesDefault"
#: What MapReduce asks for its master if nothing else is said.
_MASTER_MB, _MASTER_VCORES = 1536, 1
_UNBALANCED = 4


def _unlimited(part: int) -> bool:
    return part >= INT_MAX


def _divided(case: Case, queue: Queue) -> Sequence[int]:
    """The types that a parent divides among its children."""
    from fairsim.shares.solve import divided_types

    return divided_types(case.tree, queue.policy)


def _maximum(case: Case, queue: Queue) -> Amount | None:
    """The maximum that the file gives a queue, None without one, and for percentages of a cluster nobody knows."""
    limit = case.tree.max_limit(queue).value
    if limit is None or (limit.fractions is not None and case.cluster is None):
        return None
    amount: Amount = limit.at(case.types.zero() if case.cluster is None else case.size)
    return amount


def _maxima(case: Case) -> dict[str, Amount]:
    found = {queue.name: _maximum(case, queue) for queue in case.queues}
    return {name: most for name, most in found.items() if most is not None}


def _place(case: Case, queue: Queue) -> object:
    """Where the maximum of a queue is written."""
    return case.tree.max_limit(queue).element


# -- minimums


@FAMILY.rule("FS801", WARNING, TREE, CLUSTER)
def min_sum_exceeds_cluster(case: Case) -> Iterator[Hit]:
    """The minimums together are more than the cluster.

    When: minResources of the queues below root add up to more than all nodes have, in a type that root divides.
    Effect: minimums are not scaled down: each queue has its own as its share, weights say nothing, and shares add up
        to more than there is.
    Write: minimums that fit.
    Versions: all
    Source: ComputeFairShares
    Bad:
        <queue name="a"><minResources>80 mb, 1 vcores</minResources></queue>
        <queue name="b"><minResources>40 mb, 1 vcores</minResources></queue>
    Given: --cluster 100m,10c
    Good:
        <queue name="a"><minResources>60 mb, 1 vcores</minResources></queue>
        <queue name="b"><minResources>40 mb, 1 vcores</minResources></queue>
    Given: --cluster 100m,10c
    """
    root = case.tree.root
    total = _sum_of_minimums(case, root)
    over = [kind for kind in _divided(case, root) if total[kind] > case.size[kind]]
    if over:
        first = next(child for child in root.children if "minResources" in child.fields)
        yield Hit(
            first.fields["minResources"].element,
            f"the minimums below root are {of(case, total, over)}, the cluster has {of(case, case.size, over)}",
            "each queue gets its minimum as its share, more than there is; weights say nothing",
            "lower minimums until they fit",
        )  # fmt: skip


def _sum_of_minimums(case: Case, parent: Queue) -> Amount:
    return tuple(sum(parts) for parts in zip(case.types.zero(), *(child.min for child in parent.children), strict=True))


@FAMILY.rule("FS802", WARNING, TREE)
def min_sum_exceeds_parent(case: Case) -> Iterator[Hit]:
    """The minimums of children are more than their parent has.

    When: minResources below a queue add up to more than its maxResources; an info where only its minResources is less,
        and not 0.
    Effect: the parent's own share does not cover them: they are promised and not kept.
    Write: a minimum for the parent that covers those of its children.
    Versions: all
    Source: FSParentQueue
    Bad:
        <queue name="p"><maxResources>10 mb, 4 vcores</maxResources>
        <queue name="a"><minResources>8 mb, 1 vcores</minResources></queue>
        <queue name="b"><minResources>8 mb, 1 vcores</minResources></queue></queue>
    Good:
        <queue name="p"><maxResources>20 mb, 4 vcores</maxResources>
        <queue name="a"><minResources>8 mb, 1 vcores</minResources></queue>
        <queue name="b"><minResources>8 mb, 1 vcores</minResources></queue></queue>
    """
    for parent in case.queues:
        if parent.parent is None or not parent.children:
            continue
        total = _sum_of_minimums(case, parent)
        kinds = _divided(case, parent)
        most = _maximum(case, parent)
        over = [kind for kind in kinds if most is not None and total[kind] > most[kind]]
        less = [kind for kind in kinds if 0 < parent.min[kind] < total[kind]]
        if over and most is not None:
            yield Hit(
                _place(case, parent), f"the minimums below {parent.name} are {of(case, total, over)}",
                f"its maximum is {of(case, most, over)}: they cannot all be kept",
                "lower minimums, or raise the maximum",
            )  # fmt: skip
        elif less:
            yield Hit(
                parent.fields["minResources"].element,
                f"the minimums below {parent.name} are {of(case, total, less)}",
                f"its own is {of(case, parent.min, less)}: beyond it nothing is promised",
                "raise the minimum of the parent", INFO,
            )  # fmt: skip


@FAMILY.rule("FS803", WARNING, TREE)
def min_above_max(case: Case) -> Iterator[Hit]:
    """A minimum is above the maximum of its queue.

    When: minResources is more than maxResources (or its default) of the same queue, in a type.
    Effect: from 2.9 on the maximum counts as large as the minimum; up to 2.8 the maximum wins.
    Write: a minimum within the maximum.
    Versions: all
    Source: FSQueue.getMaxShare
    Bad:
        <queue name="a"><minResources>8 mb, 8 vcores</minResources><maxResources>4 mb, 8 vcores</maxResources></queue>
    Good:
        <queue name="a"><minResources>4 mb, 8 vcores</minResources><maxResources>8 mb, 8 vcores</maxResources></queue>
    """
    raised = case.profile.features.max_raised_to_min
    for queue in case.queues:
        most = _maximum(case, queue) if any(queue.min) else None
        if most is None:
            continue
        over = [kind for kind, part in enumerate(queue.min) if part > most[kind]]
        if over:
            yield Hit(
                queue.fields["minResources"].element,
                f"minResources of {queue.name}: {of(case, queue.min, over)}, above the maximum, {of(case, most, over)}",
                "the maximum is raised to it" if raised else "the maximum wins", "write a minimum within the maximum",
                other=_place(case, queue),
            )  # fmt: skip


@FAMILY.rule("FS804", WARNING, TREE)
def child_min_above_parent_max(case: Case) -> Iterator[Hit]:
    """A minimum is above the maximum of a queue above.

    When: minResources is more than the maximum of a queue on the way to root, in a type.
    Effect: the queue never gets it. With preemption it counts as starved for ever.
    Write: a minimum within the maxima above.
    Versions: all
    Source: FSQueue.fitsInMaxShare
    Bad:
        <queue name="p"><maxResources>10 mb, 4 vcores</maxResources>
        <queue name="a"><minResources>20 mb, 1 vcores</minResources></queue></queue>
    Good:
        <queue name="p"><maxResources>20 mb, 4 vcores</maxResources>
        <queue name="a"><minResources>20 mb, 1 vcores</minResources></queue></queue>
    """
    maxima = _maxima(case)
    for queue in case.queues:
        if not any(queue.min):
            continue
        for level in reversed(queue.path()[:-1]):
            most = maxima.get(level.name)
            over = [kind for kind, part in enumerate(queue.min) if most is not None and part > most[kind]]
            if over and most is not None:
                yield Hit(
                    queue.fields["minResources"].element,
                    f"minResources of {queue.name}: {of(case, queue.min, over)}, above the maximum of {level.name}, "
                    f"{of(case, most, over)}",
                    "never reached", "write a minimum within it", other=_place(case, level),
                )  # fmt: skip
                break


@FAMILY.rule("FS805", INFO, TREE)
def child_max_above_parent_max(case: Case) -> Iterator[Hit]:
    """A maximum is above that of a queue above.

    When: maxResources is more than the maximum of a queue on the way to root, in all limited types.
    Effect: none: the smaller one counts.
    Write: a maximum within it, or none.
    Versions: all
    Source: FSQueue.fitsInMaxShare
    Bad:
        <queue name="p"><maxResources>10 mb, 4 vcores</maxResources>
        <queue name="a"><maxResources>20 mb, 8 vcores</maxResources></queue></queue>
    Good:
        <queue name="p"><maxResources>20 mb, 4 vcores</maxResources>
        <queue name="a"><maxResources>20 mb, 4 vcores</maxResources></queue></queue>
    """
    maxima = _maxima(case)
    found: list[Queue] = []
    for queue in case.queues:
        most = maxima.get(queue.name) if _MAX in queue.fields else None
        above = [maxima[level.name] for level in queue.path()[1:-1] if level.name in maxima]
        if most is not None and any(all(map(int.__gt__, most, other)) for other in above):
            found.append(queue)
    if found:
        yield Hit(found[0].fields[_MAX].element, f"above the maximum of a parent: {listed(_names(found))}", "no effect",
                  "write a maximum within it, or none")  # fmt: skip


def _by_place(
    case: Case, found: Iterable[tuple[Queue, Amount, list[int]]]
) -> Iterator[tuple[str, object, Amount, list[int]]]:
    """Yields what was found of maxima, once for each place: a default is that of many queues. Names, place, amount."""
    groups: dict[int, list[tuple[Queue, Amount, list[int]]]] = {}
    for one in found:
        groups.setdefault(id(_place(case, one[0])), []).append(one)
    for group in groups.values():
        queue, amount, kinds = group[0]
        yield listed([one[0].name for one in group]), _place(case, queue), amount, kinds


def _names(queues: Sequence[Queue]) -> list[str]:
    return [queue.name for queue in queues]


# -- containers


@FAMILY.rule("FS806", ERROR, TREE)
def max_below_smallest_container(case: Case) -> Iterator[Hit]:
    """The maximum of a queue is less than one container.

    When: maxResources (or its default) is above 0 and below the minimum allocation in whole increments, in a type; a
        warning where no yarn-site is given, and Hadoop's defaults are taken.
    Effect: no container fits, ever: applications wait in ACCEPTED.
    Write: a maximum of several containers.
    Versions: 2.8 and later
    Source: FSQueue.fitsInMaxShare
    Bad: <queue name="a"><maxResources>512 mb, 1 vcores</maxResources></queue>
    Given: -D yarn.scheduler.minimum-allocation-mb=1024
    Good: <queue name="a"><maxResources>4096 mb, 4 vcores</maxResources></queue>
    """
    if case.profile.version < (2, 8, 0):
        return
    smallest = case.smallest
    usual = " by default" if case.site is None else ""
    found = []
    for queue in case.queues:
        most = _effective(case, queue)
        small = [] if most is None else [kind for kind, part in enumerate(most) if 0 < part < smallest[kind]]
        if small and most is not None:
            found.append((queue, most, small))
    for names, place, most, small in _by_place(case, found):
        yield Hit(
            place, f"the maximum of {names} is {of(case, most, small)}",
            f"the smallest container has {of(case, smallest, small)}{usual}: none fits, and applications wait for ever",
            f"write at least {as_text(case, smallest)}", WARNING if usual else ERROR,
        )  # fmt: skip


def _effective(case: Case, queue: Queue) -> Amount | None:
    """The maximum in force of a queue for which one is written."""
    if _maximum(case, queue) is None:
        return None
    return case.tree.max_at(queue, case.types.zero() if case.cluster is None else case.size)


@FAMILY.rule("FS807", WARNING, TREE)
def max_below_am(case: Case) -> Iterator[Hit]:
    """The maximum of a queue is less than a master of MapReduce.

    When: maxResources of a leaf holds the smallest container, and not the master that MapReduce asks for by default
        (1536 MB, in whole increments).
    Effect: jobs that do not ask for a smaller master wait in ACCEPTED.
    Write: a maximum for a master and some containers.
    Versions: all
    Source: FSAppAttempt
    Bad: <queue name="a"><maxResources>1024 mb, 1 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>8192 mb, 4 vcores</maxResources></queue>
    """
    smallest = case.smallest
    master = case.container((_MASTER_MB, _MASTER_VCORES, *case.types.zero()[2:]))
    found = []
    for queue in case.queues:
        most = _effective(case, queue) if queue.leaf else None
        if most is None or not all(map(int.__ge__, most, smallest)):
            continue
        small = [kind for kind, part in enumerate(most) if part < master[kind]]
        if small:
            found.append((queue, most, small))
    for names, place, most, small in _by_place(case, found):
        yield Hit(
            place, f"the maximum of {names} is {of(case, most, small)}",
            f"a master of MapReduce takes {of(case, master, small)} unless it is set smaller",
            "write a maximum for a master and some containers",
        )  # fmt: skip


@FAMILY.rule("FS808", WARNING, TREE, CLUSTER)
def am_share_too_small_for_one_am(case: Case) -> Iterator[Hit]:
    """While others are busy, a queue has no room for a single master.

    When: with all queues active, the share of a leaf times its maxAMShare is less than the smallest container.
    Effect: applications wait in ACCEPTED until other queues are idle.
    Write: a larger weight, minResources, or a larger maxAMShare.
    Versions: all
    Source: FSLeafQueue.canRunAppAM, YARN-1913
    Bad:
        <queue name="a"><maxAMShare>0.1</maxAMShare></queue><queue name="b"><weight>99</weight></queue>
    Given: --cluster 100000m,100c
    Good:
        <queue name="a"><weight>10</weight></queue><queue name="b"><weight>90</weight></queue>
    Given: --cluster 100000m,100c
    """
    from fairsim.shares.solve import am_limits

    shares = case.shares
    if shares is None or not any(case.size):
        return
    smallest = case.smallest
    kinds = range(len(smallest) if case.profile.features.am_limit_rounded_up else 1)
    found = [
        queue
        for queue, room, most in zip(shares.queues, am_limits(case.tree, shares), shares.maxima, strict=True)
        if room is not None and any(room[kind] < smallest[kind] for kind in kinds)
        and all(part >= low for part, low in zip(most, smallest, strict=True))  # else FS806 says so
    ]  # fmt: skip
    if found:
        yield Hit(
            found[0].element, f"no room for one master of {of(case, smallest, (0, 1))}: {listed(_names(found))}",
            "with all queues busy, applications wait until others are idle",
            "raise weight, minResources or maxAMShare",
        )  # fmt: skip


# -- the cluster


@FAMILY.rule("FS809", INFO, TREE, CLUSTER)
def max_sum_below_cluster(case: Case) -> Iterator[Hit]:
    """The maxima together are less than the cluster.

    When: every queue below root has a maximum, and in memory they add up to less than all nodes have.
    Effect: the rest is never used.
    Write: larger maxima.
    Versions: all
    Source: FSQueue.fitsInMaxShare
    Bad:
        <queue name="a"><maxResources>30%</maxResources></queue>
        <queue name="b"><maxResources>30%</maxResources></queue>
    Given: --cluster 100g,100c
    Good:
        <queue name="a"><maxResources>60%</maxResources></queue>
        <queue name="b"><maxResources>60%</maxResources></queue>
    Given: --cluster 100g,100c
    """
    children = case.tree.root.children
    maxima = [_effective(case, child) for child in children]
    known = [most[0] for most in maxima if most is not None and not _unlimited(most[0])]
    if children and len(known) == len(children) and sum(known) < case.size[0]:
        yield Hit(
            _place(case, children[0]), f"the maxima below root are {sum(known)} MB, the cluster has {case.size[0]} MB",
            f"{case.size[0] - sum(known)} MB are never used", "raise maxima, or leave some out",
        )  # fmt: skip


@FAMILY.rule("FS810", INFO, TREE, CLUSTER)
def share_below_one_container(case: Case) -> Iterator[Hit]:
    """The share of a queue is less than one container.

    When: with all queues active, a leaf has less memory as its share than the smallest container.
    Effect: it is above its share as soon as it runs anything, and comes after all others.
    Write: a larger weight, or minResources.
    Versions: all
    Source: ComputeFairShares
    Bad: <queue name="a"><weight>0.001</weight></queue><queue name="b"/>
    Given: --cluster 100000m,100c
    Good: <queue name="a"><weight>0.1</weight></queue><queue name="b"/>
    Given: --cluster 100000m,100c
    """
    shares = case.shares
    if shares is None or not case.size[0]:
        return
    found = [
        queue for queue, share in zip(shares.queues, shares.steady, strict=True)
        if queue.leaf and queue.weight > 0 and share[0] < case.smallest[0]
    ]  # fmt: skip
    if found:
        yield Hit(found[0].element, f"a share below {case.smallest[0]} MB, one container: {listed(_names(found))}",
                  "above the share with the first container", "raise weight, or write minResources")  # fmt: skip


@FAMILY.rule("FS811", ERROR, TREE, CLUSTER)
def percent_rounds_to_zero(case: Case) -> Iterator[Hit]:
    """A percentage of this cluster is nothing.

    When: maxResources (or its default) is a percentage above 0, and of this cluster 0 in a type that it has.
    Effect: from 3.2 on applications are rejected, before they wait for ever, until the cluster is larger.
    Write: a larger percentage of that type.
    Versions: 2.9 and later
    Source: ConfigurableResource
    Bad: <queue name="a"><maxResources>5%</maxResources></queue>
    Given: --cluster 65536m,16c
    Good: <queue name="a"><maxResources>memory-mb=5%, vcores=25%</maxResources></queue>
    Given: --cluster 65536m,16c
    """
    rejected = case.profile.features.zero_resource_rejected
    found = []
    for queue in case.queues:
        limit = case.tree.max_limit(queue).value
        if limit is None or limit.fractions is None:
            continue
        most = case.tree.max_at(queue, case.size)
        zero = [
            kind for kind, part in enumerate(limit.fractions)
            if part > 0 and most[kind] == 0 and case.size[kind] > 0
        ]  # fmt: skip
        if zero:
            found.append((queue, most, zero))
    for names, place, _, zero in _by_place(case, found):
        kinds = " and ".join(case.types.names[kind] for kind in zero)
        yield Hit(
            place, f"the maximum of {names} is 0 {kinds} of this cluster",
            "applications are rejected" if rejected else "applications wait for ever",
            f"write a larger percentage of {kinds}",
        )  # fmt: skip


def _absolute(queue: Queue) -> ResourceSpec | None:
    """The maximum that a queue has of its own in absolute numbers."""
    field = queue.fields.get(_MAX)
    return field.value if field is not None and field.value.fractions is None else None


@FAMILY.rule("FS812", INFO, TREE, CLUSTER)
def max_above_cluster(case: Case) -> Iterator[Hit]:
    """A maximum is larger than the cluster.

    When: maxResources in absolute numbers is more than all nodes have, in every type.
    Effect: none on this cluster; the number may be that of another.
    Write: no maximum, or the one that is meant.
    Versions: all
    Source: FSQueue.fitsInMaxShare
    Bad: <queue name="a"><maxResources>999999 mb, 999 vcores</maxResources></queue>
    Given: --cluster 1000m,10c
    Good: <queue name="a"><maxResources>900 mb, 9 vcores</maxResources></queue>
    Given: --cluster 1000m,10c
    """
    found = []
    for queue in case.queues:
        spec = _absolute(queue)
        if spec is not None and all(map(int.__gt__, spec.at(case.size), case.size)):
            found.append(queue)
    if found:
        yield Hit(found[0].fields[_MAX].element, f"larger than the cluster: maxResources of {listed(_names(found))}",
                  "no effect", "leave it out, or write the maximum that is meant")  # fmt: skip


@FAMILY.rule("FS813", WARNING, TREE, CLUSTER)
def container_larger_than_node(case: Case) -> Iterator[Hit]:
    """A limit of containers is above the largest node.

    When: maxContainerAllocation, or a maximum allocation that yarn-site sets, is more than any node has. Needs the
        nodes: --cluster 40x20g,5c.
    Effect: the largest node is the limit: larger requests are refused.
    Write: the size of the largest node.
    Versions: 2.7 and later
    Source: YARN-2604, ClusterNodeTracker
    Bad: <queue name="a"><maxContainerAllocation>memory-mb=262144, vcores=4</maxContainerAllocation></queue>
    Given: --cluster 10x65536m,16c
    Good: <queue name="a"><maxContainerAllocation>memory-mb=65536, vcores=4</maxContainerAllocation></queue>
    Given: --cluster 10x65536m,16c
    """
    assert case.cluster is not None
    if case.profile.version < (2, 7, 0) or not case.cluster.counted or not case.cluster.groups:
        return
    sizes = [group.capacity(case.types) for group in case.cluster.groups]
    largest = tuple(map(max, *sizes)) if len(sizes) > 1 else sizes[0]
    if case.profile.features.max_container_allocation:
        for key, _, field in case.fields("maxContainerAllocation"):
            spec: ResourceSpec = field.value
            most = spec.at(case.size) if spec.fractions is None else case.types.zero()
            over = [kind for kind, part in enumerate(most) if part > largest[kind] and not _unlimited(part)]
            if over:
                yield Hit(field.element, f"maxContainerAllocation of {key}: {of(case, most, over)}",
                          f"no node has more than {of(case, largest, over)}: larger requests are refused",
                          "write the size of the largest node")  # fmt: skip
    if case.site is None:
        return
    for kind, short in enumerate(("mb", "vcores")):
        value = case.written(f"yarn.scheduler.maximum-allocation-{short}")
        if value is not None and case.limits.maximum[kind] > largest[kind]:
            yield Hit(value, f"{value.name} is {case.limits.maximum[kind]}",
                      f"no node has more than {of(case, largest, [kind])}: larger requests are refused",
                      "write the size of the largest node")  # fmt: skip


@FAMILY.rule("FS814", INFO, TREE, CLUSTER)
def unbalanced_max(case: Case) -> Iterator[Hit]:
    """A maximum has far more of one type than of the other.

    When: maxResources in absolute numbers is below the cluster in memory and vcores, and its part of the one is more
        than four times its part of the other.
    Effect: the smaller part is what limits.
    Write: parts that go together.
    Versions: all
    Source: FSQueue.fitsInMaxShare
    Bad: <queue name="a"><maxResources>900 mb, 1 vcores</maxResources></queue>
    Given: --cluster 1000m,100c
    Good: <queue name="a"><maxResources>900 mb, 90 vcores</maxResources></queue>
    Given: --cluster 1000m,100c
    """
    found = []
    size = case.size
    for queue in case.queues:
        spec = _absolute(queue)
        most = size if spec is None else spec.at(size)
        if not (0 < most[0] < size[0] and 0 < most[1] < size[1]):
            continue
        memory, vcores = most[0] * size[1], most[1] * size[0]  # the parts, over a common denominator
        if memory > _UNBALANCED * vcores or vcores > _UNBALANCED * memory:
            found.append(queue)
    if found:
        yield Hit(
            found[0].fields[_MAX].element, f"memory and vcores far apart: maxResources of {listed(_names(found))}",
            "the smaller part limits", "write parts that go together",
        )  # fmt: skip


@FAMILY.rule("FS815", INFO, TREE, SITE)
def min_not_multiple_of_increment(case: Case) -> Iterator[Hit]:
    """A maximum is no whole number of increments.

    When: maxResources of a leaf in absolute numbers is no multiple of the increment of memory.
    Effect: the last part of it is never used: containers come in whole increments.
    Write: a multiple.
    Versions: all
    Source: DominantResourceCalculator.normalize
    Bad: <queue name="a"><maxResources>5000 mb, 5 vcores</maxResources></queue>
    Given: -D yarn.scheduler.increment-allocation-mb=1024
    Good: <queue name="a"><maxResources>5120 mb, 5 vcores</maxResources></queue>
    Given: -D yarn.scheduler.increment-allocation-mb=1024
    """
    step = case.limits.increment[0]
    found = []
    for queue in case.queues:
        spec = _absolute(queue) if queue.leaf and step > 0 else None
        if spec is not None:
            memory = spec.at(case.types.zero())[0]
            if memory > step and memory % step and not _unlimited(memory):
                found.append(queue)
    if found:
        yield Hit(found[0].fields[_MAX].element, f"no multiple of {step} MB: maxResources of {listed(_names(found))}",
                  "what is left over is never used", f"write multiples of {step} MB")  # fmt: skip


@FAMILY.rule("FS816", ERROR, TREE)
def share_search_never_ends(case: Case) -> Iterator[Hit]:
    """The search for the shares never ends.

    When: before any node has joined, or on the cluster that is given, the sum that Hadoop adds up in 32 bits overflows
        (large minimums or weights), or weights are no ordinary numbers.
    Effect: the scheduler stands still with its lock held; at the start the ResourceManager does not come up.
    Write: smaller minimums, ordinary weights.
    Versions: 2.6 to 2.9, 3.0, 3.1.0, 3.1.1, 3.2.0; others only with a weight that is not a number
    Source: ComputeFairShares, YARN-8833
    Bad: <queue name="a"><minResources>2147483647 mb, 0 vcores</minResources></queue>
    Given: --hadoop 2.7
    Good: <queue name="a"><minResources>2147483 mb, 0 vcores</minResources></queue>
    Given: --hadoop 2.7
    """
    if case.profile.line == "L" and all(queue.weight == queue.weight for queue in case.queues):
        return
    from fairsim.shares.solve import Hangs, solve

    for size in (case.types.zero(), *(() if case.cluster is None else (case.size,))):
        try:
            solve(case.tree, size, frozenset())
            solve(case.tree, size)
        except Hangs as hang:
            first = next(iter(hang.suspects()), max(hang.queue.children, key=lambda child: max(child.min)))
            when = "on this cluster" if any(size) else "already at the start"
            yield Hit(
                first.element or case.root, f"Hadoop never finds {hang}", f"the scheduler stands still, {when}",
                "write smaller minimums and ordinary weights",
            )  # fmt: skip
            return
