"""8xx: minimums, maxima and shares against each other, against containers, and against the cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fairsim.config.resource_text import ResourceSpec
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.lint.amounts import as_text, listed, of
from fairsim.lint.case import Case
from fairsim.lint.policies import without_vcores
from fairsim.lint.rooms import Room, ample, below, closed, divided_types_of, fits_checked, rooms, smallest_containers
from fairsim.lint.rule import CLUSTER, SITE, TREE, Family, Hit
from fairsim.model.queues import Queue
from fairsim.model.resources import INT_MAX, Amount

FAMILY = Family()
_MAX, _DEFAULT = "maxResources", "queueMaxResourcesDefault"
#: What MapReduce asks for its master if nothing else is said.
_MASTER_MB, _MASTER_VCORES = 1536, 1
_UNBALANCED = 4
#: Where minimums and weights add up to less, and the cluster is not larger, no sum of shares leaves 32 bits.
_HARMLESS = 2**29


def _unlimited(part: int) -> bool:
    return part >= INT_MAX


def _maximum(case: Case, queue: Queue) -> Amount | None:
    """The maximum that the file gives a queue, None without one, and for percentages of a cluster nobody knows."""
    limit = case.tree.max_limit(queue).value
    if limit is None or (limit.fractions is not None and case.cluster is None):
        return None
    amount: Amount = limit.at(case.types.zero() if case.cluster is None else case.size)
    return amount


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
    over = [kind for kind in divided_types_of(case, root) if total[kind] > case.size[kind]]
    if over:
        first = next(child for child in root.children if "minResources" in child.fields)
        yield Hit(
            first.fields["minResources"].element,
            f"the minimums below root are {of(case, total, over)}, the cluster has {of(case, case.size, over)}",
            "each queue gets its minimum as its share, more than there is; weights say nothing",
            "lower minimums until they fit",
        )  # fmt: skip


def _sum_of_minimums(case: Case, parent: Queue) -> Amount:
    minimums = [_minimum(case, child) for child in parent.children]
    return tuple(sum(parts) for parts in zip(case.types.zero(), *minimums, strict=True))


def _minimum(case: Case, queue: Queue) -> Amount:
    """The minimum as it counts: up to 2.8 no more than the maximum."""
    if case.profile.features.max_raised_to_min or not any(queue.min):
        return queue.min
    most = case.maxima.get(queue)
    return queue.min if most is None else tuple(map(min, queue.min, most))


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
        kinds = divided_types_of(case, parent)
        most = case.maxima.get(parent)
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
    Effect: from 2.9 on the maximum counts as large as the minimum; up to 2.8 the maximum wins. In 2.8 a minimum of
        memory above the default takes its place whole: with 0 vcores nothing runs, which is an error.
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
        if not over:
            continue
        effect, severity = "the maximum is raised to it" if raised else "the maximum wins", WARNING
        if not raised and case.maxima.get(queue) != most:
            effect = "the minimum takes the place of the default maximum"
            if 0 in queue.min[:2]:
                effect, severity = f"{effect}: applications wait for ever, as it has 0 of a type", ERROR
        yield Hit(
            queue.fields["minResources"].element,
            f"minResources of {queue.name}: {of(case, queue.min, over)}, above the maximum, {of(case, most, over)}",
            effect, "write a minimum within the maximum", severity, other=_place(case, queue),
        )  # fmt: skip


@FAMILY.rule("FS804", WARNING, TREE)
def child_min_above_parent_max(case: Case) -> Iterator[Hit]:
    """A minimum is above the maximum of a queue above.

    When: minResources is more than the maximum of a queue on the way to root, in a type.
    Effect: the queue never gets it. With preemption some versions take containers from
        others for it, again and again.
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
    for queue, levels in _limited(case).items():
        if not any(queue.min):
            continue
        for level in reversed(levels):
            most = case.maxima[level]
            over = [kind for kind, part in enumerate(queue.min) if part > most[kind]]
            if over:
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
    found = []
    for queue, levels in _limited(case).items():
        most = case.maxima.get(queue) if _MAX in queue.fields else None
        above = [case.maxima[level] for level in levels if level.parent is not None]
        if most is not None and any(_above(most, other) for other in above):
            found.append(queue)
    if found:
        yield Hit(found[0].fields[_MAX].element, f"above the maximum of a parent: {listed(_names(found))}", "no effect",
                  "write a maximum within it, or none")  # fmt: skip


def _limited(case: Case) -> dict[Queue, tuple[Queue, ...]]:
    """Returns the queues below others that have a maximum, with these, root first."""
    levels: dict[Queue, tuple[Queue, ...]] = {}
    for queue in case.queues:
        if queue.parent is not None:
            above = levels.get(queue.parent, ())
            if queue.parent in case.maxima:
                above = (*above, queue.parent)
            if above:
                levels[queue] = above
    return levels


def _above(most: Amount, other: Amount) -> bool:
    """Tells whether a maximum is above another in all types that the other limits."""
    limited = [kind for kind, part in enumerate(other) if not _unlimited(part)]
    return bool(limited) and all(most[kind] > other[kind] for kind in limited)


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
    if not fits_checked(case):
        return
    usual = " by default" if case.site is None else ""
    sizes = smallest_containers(case)
    found = []
    for queue, most in case.maxima.items():
        if any(map(int.__lt__, most, sizes[queue])):
            small = [kind for kind, part in enumerate(most) if 0 < part < sizes[queue][kind]]
            if small:
                found.append((queue, most, small))
    for names, place, most, small in _by_place(case, found):
        yield Hit(
            place, f"the maximum of {names} is {of(case, most, small)}",
            f"the smallest container has {of(case, case.smallest, small)}{usual}: none fits, and applications wait for "
            "ever", f"write room for several containers of {as_text(case, case.smallest)}", WARNING if usual else ERROR,
        )  # fmt: skip


@FAMILY.rule("FS807", WARNING, TREE)
def max_below_am(case: Case) -> Iterator[Hit]:
    """The maximum of a queue has no room for an application master.

    When: what masters may use of a leaf that has all of its maximum (maxAMShare of it, by default half) is less than
        the smallest container: then it is an error, and without a yarn-site a warning. Or it, or the maximum itself,
        is less than the master that MapReduce asks for by default (1536 MB, in whole increments).
    Effect: applications with such a master wait in ACCEPTED for ever, however empty the cluster is.
    Write: a maximum for a master and some containers, or a larger maxAMShare.
    Versions: all
    Source: FSLeafQueue.canRunAppAM, FSQueue.fitsInMaxShare
    Bad: <queue name="a"><maxResources>1024 mb, 1 vcores</maxResources></queue>
    Good: <queue name="a"><maxResources>8192 mb, 4 vcores</maxResources></queue>
    """
    master = case.container((_MASTER_MB, _MASTER_VCORES, *case.types.zero()[2:]))
    if not case.maxima or ample(case, master):
        return
    usual = " by default" if case.site is None else ""
    fits = fits_checked(case)
    sizes = smallest_containers(case)
    none: list[tuple[Queue, Queue, Amount, list[int]]] = []
    some: list[tuple[Queue, Queue, Amount, list[int]]] = []
    for queue, room in rooms(case).items():
        smallest = sizes[queue]
        container = room.container if fits else case.tree.unlimited()
        if not all(map(int.__ge__, container, smallest)) or 0 in room.container[:2] or closed(case, queue):
            continue  # FS806, FS330, FS413
        part = room.masters(case, queue)
        masters = container if part is None else part
        least = tuple(map(min, container, masters))
        if small := [kind for kind, part in enumerate(masters) if part < smallest[kind]]:
            none.append((room.holder, queue, masters, small))
        elif small := [kind for kind, part in enumerate(least) if part < master[kind]]:
            some.append((room.holder, queue, least, small))
    for names, place, most, small in _by_holder(case, none):
        yield Hit(
            place, f"masters in {names} have {of(case, most, small)} at most, by maxResources and maxAMShare",
            f"the smallest container has {of(case, case.smallest, small)}{usual}: no application ever starts",
            "write a larger maximum, or a larger maxAMShare", WARNING if usual else ERROR,
        )  # fmt: skip
    for names, place, most, small in _by_holder(case, some):
        yield Hit(
            place, f"a master in {names} has {of(case, most, small)} at most, by maxResources and maxAMShare",
            f"that of MapReduce has {of(case, master, small)} unless it is set smaller: it never starts",
            "write a maximum for a master and some containers",
        )  # fmt: skip


def _by_holder(
    case: Case, found: Iterable[tuple[Queue, Queue, Amount, list[int]]]
) -> Iterator[tuple[str, object, Amount, list[int]]]:
    """Yields what was found of leaves, once for each maximum and amount: names, place of the maximum, amount, types."""
    groups: dict[tuple[int, Amount], list[tuple[Queue, Queue, Amount, list[int]]]] = {}
    for one in found:
        groups.setdefault((id(_place(case, one[0])), one[2]), []).append(one)
    for group in groups.values():
        holder, _, amount, kinds = group[0]
        yield listed([queue.name for _, queue, _, _ in group]), _place(case, holder), amount, kinds


@FAMILY.rule("FS808", WARNING, TREE, CLUSTER)
def am_share_too_small_for_one_am(case: Case) -> Iterator[Hit]:
    """While others are busy, a queue has no room for a single master.

    When: with all queues active, the share of a leaf times its maxAMShare is less than the smallest container; an
        error where it is even while all others are idle, and a yarn-site is given.
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
    usual = " by default" if case.site is None else ""
    bounded: dict[Queue, Room] | None = None
    alone: dict[Queue, Room] = {}
    sizes, waiting, fits = smallest_containers(case), without_vcores(case), fits_checked(case)
    never: list[Queue] = []
    busy: list[Queue] = []
    for queue, masters in zip(shares.queues, am_limits(case.tree, shares), strict=True):
        smallest = sizes[queue]
        if masters is None or not below(masters, smallest) or closed(case, queue) or queue in waiting:
            continue  # FS413, FS504
        if bounded is None:
            bounded, alone = rooms(case), rooms(case, case.size)
        room = bounded.get(queue)
        known = room is not None and (
            (fits and below(room.container, smallest)) or below(room.masters(case, queue), smallest)
        )
        if not known:  # by FS806, FS807
            (never if below(alone[queue].masters(case, queue, case.size), smallest) else busy).append(queue)
    for found, effect, severity in (
        (never, "applications wait for ever, however idle the others are", WARNING if usual else ERROR),
        (busy, "with all queues busy, applications wait until others are idle", WARNING),
    ):
        if found:
            yield Hit(
                found[0].element, f"no room for one master of {of(case, case.smallest, (0, 1))}{usual}: "
                f"{listed(_names(found))}", effect, "raise weight, minResources or maxAMShare", severity,
            )  # fmt: skip


# -- the cluster


@FAMILY.rule("FS809", INFO, TREE, CLUSTER)
def max_sum_below_cluster(case: Case) -> Iterator[Hit]:
    """The maxima together are less than the cluster.

    When: every queue below root has a maximum, in memory they add up to less than all nodes have, and the rules make
        no queues on the fly.
    Effect: the rest is never used.
    Write: larger maxima.
    Versions: all
    Source: FSQueue.fitsInMaxShare
    Bad:
        <queue name="a"><maxResources>30%</maxResources></queue>
        <queue name="b"><maxResources>30%</maxResources></queue>
        <queuePlacementPolicy><rule name="specified" create="false"/><rule name="reject"/></queuePlacementPolicy>
    Given: --cluster 100g,100c
    Good:
        <queue name="a"><maxResources>60%</maxResources></queue>
        <queue name="b"><maxResources>60%</maxResources></queue>
        <queuePlacementPolicy><rule name="specified" create="false"/><rule name="reject"/></queuePlacementPolicy>
    Given: --cluster 100g,100c
    """
    if case.makes_queues:
        return
    children = case.tree.root.children
    maxima = [case.maxima.get(child) for child in children]
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
    Effect: from 3.2 on a leaf rejects applications; below a parent, and before 3.2, they wait for ever. Of a type of
        yarn.resource-types it is a warning: only requests for it are refused.
    Write: a larger percentage of that type.
    Versions: 2.9 and later
    Source: ConfigurableResource
    Bad: <queue name="a"><maxResources>5%</maxResources></queue>
    Given: --cluster 65536m,16c
    Good: <queue name="a"><maxResources>memory-mb=5%, vcores=25%</maxResources></queue>
    Given: --cluster 65536m,16c
    """
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
        leaf = any(queue.leaf and _place(case, queue) is place for queue, _, _ in found)
        effect = "applications wait for ever"
        if zero[0] > 1:
            effect = f"requests for {kinds} are never met"
        elif leaf and case.profile.features.zero_resource_rejected:
            effect = "applications are rejected"
        yield Hit(
            place, f"the maximum of {names} is 0 {kinds} of this cluster", effect,
            f"write a larger percentage of {kinds}", ERROR if zero[0] < 2 else WARNING,
        )  # fmt: skip


def _absolute(queue: Queue) -> ResourceSpec | None:
    """The maximum that a queue has of its own in absolute numbers."""
    field = queue.fields.get(_MAX)
    return field.value if field is not None and field.value.fractions is None else None


@FAMILY.rule("FS812", INFO, TREE, CLUSTER)
def max_above_cluster(case: Case) -> Iterator[Hit]:
    """A maximum is larger than the cluster.

    When: maxResources in absolute numbers is more than all nodes have, in every type; 2147483647 is not meant.
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
        most = None if spec is None else spec.at(case.size)
        if most is not None and all(map(int.__gt__, most, case.size)) and not all(map(_unlimited, most[:2])):
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
        groups: dict[Amount, list[tuple[str, object]]] = {}
        for key, _, field in case.fields("maxContainerAllocation"):
            spec: ResourceSpec = field.value
            most = spec.at(case.size) if spec.fractions is None else case.types.zero()
            if any(part > largest[kind] and not _unlimited(part) for kind, part in enumerate(most)):
                groups.setdefault(most, []).append((key, field.element))
        for most, places in groups.items():
            over = [kind for kind, part in enumerate(most) if part > largest[kind] and not _unlimited(part)]
            names = listed([key for key, _ in places])
            yield Hit(places[0][1], f"maxContainerAllocation of {names}: {of(case, most, over)}",
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

    When: maxResources of a leaf in absolute numbers is no multiple of the increment of memory, and the maximum
        allocation is.
    Effect: the last part of it is never used: containers come in whole increments.
    Write: a multiple.
    Versions: 2.8 and later
    Source: DominantResourceCalculator.normalize, FSQueue.fitsInMaxShare
    Bad: <queue name="a"><maxResources>5000 mb, 5 vcores</maxResources></queue>
    Given: -D yarn.scheduler.increment-allocation-mb=1024
    Good: <queue name="a"><maxResources>5120 mb, 5 vcores</maxResources></queue>
    Given: -D yarn.scheduler.increment-allocation-mb=1024
    """
    step = case.limits.increment[0]
    if step <= 0 or case.limits.maximum[0] % step or not fits_checked(case):
        return
    found = []
    for queue in case.queues:
        spec = _absolute(queue) if queue.leaf else None
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

    large = case.cluster is not None and max(case.size) > _HARMLESS
    if not large and all(_harmless(queue.children) for queue in case.queues if queue.children):
        return
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


def _harmless(children: Sequence[Queue]) -> bool:
    """Tells that no sum of shares of these queues can leave 32 bits, on a cluster that is not too large itself."""
    return sum(max(*child.min, 1) + abs(child.weight) for child in children) < _HARMLESS
