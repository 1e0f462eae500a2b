"""Checks of a runnable application: room for masters, maxima up the tree, a node that is large enough, free space.

Follows FSQueue.assignContainerPreCheck, FSLeafQueue.canRunAppAM, FSAppAttempt.assignContainer and hasContainerForNode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fairsim.javanum import shortest_float32
from fairsim.model.queues import Queue
from fairsim.model.resources import Amount, add
from fairsim.shares.solve import am_limit
from fairsim.why.limits import Words, fits
from fairsim.why.parts import PASSES, STOPS, TELLS, UNKNOWN, Check, Source


class Ground(NamedTuple):
    """What a container has to fit into.

    cluster: the sum of all nodes; sizes: the capacities of the nodes, None when only the sum is known; free: what each
    node has left by name, None when it is not known; empty: nothing runs.
    """

    cluster: Amount
    sizes: Sequence[Amount] | None
    free: Sequence[tuple[str, Amount]] | None
    empty: bool


def over_maximum(queue: Queue, used: Mapping[str, Amount], maxima: Mapping[str, Amount]) -> list[Queue]:
    """Returns the queues of the path that use more than their maximum already, root first."""
    return [level for level in queue.path() if not fits(used[level.name], maxima[level.name])]


def am_check(words: Words, queue: Queue, masters: Amount, ask: Amount, share: Amount, most: Amount, free: Amount,
             cluster: Amount) -> Check:  # fmt: skip
    """Returns whether one more master of size `ask` fits beside `masters` into the room that the leaf has for them.

    share: instantaneous; most: effective maximum of the leaf; free: what the cluster has left.
    """
    tree = words.tree
    part = tree.max_am_share(queue)
    source = words.setting(part, "maxAMShare")
    number = shortest_float32(part.value)
    limit = am_limit(tree, queue, share, most, free)
    total = add(masters, ask)
    if limit is None:
        text = f"maxAMShare {number:g} switches the check off"
        numbers: dict[str, object] = {"used": words.map(masters), "limit": None}
        return Check("am_share", queue.name, PASSES, text, (source,), numbers=numbers)
    looked_at = tree.profile.features.am_limit_rounded_up or queue.policy == "drf"
    kinds = range(len(total)) if looked_at else range(1)
    numbers = {
        "used": words.map(masters), "ask": words.map(ask), "sum": words.map(total),
        "limit": words.map([most if kind in kinds else None for kind, most in enumerate(limit)]),
    }  # fmt: skip
    details = []
    for kind in kinds:
        base = _base(words, queue, kind, share, most, free)
        sign = "within" if total[kind] <= limit[kind] else "more than"
        if total[kind] or not masters[kind]:
            sums = f"{masters[kind]} used + {ask[kind]} = {total[kind]}"
            details.append(f"{words.names[kind]}: {sums}, {sign} {limit[kind]} ({number:g} x {base})")
    over = [kind for kind in kinds if total[kind] > limit[kind]]
    if not over:
        text = f"masters would use {words.amount(total)} of {_shown(words, limit, kinds)}"
        return Check("am_share", queue.name, PASSES, text, (source,), numbers=numbers, details=tuple(details))
    said = ", ".join(f"{masters[kind]} + {ask[kind]} > {limit[kind]} {words.names[kind]}" for kind in over)
    alone = am_limit(tree, queue, share, most, cluster)
    never = alone is not None and any(ask[kind] > alone[kind] for kind in kinds)
    capped = any(not share[kind] and most[kind] < free[kind] for kind in over)
    raised = "maxResources" if capped else "maxAMShare" if share[over[0]] else "maxAMShare or weight"
    raise_it = f"raise {raised} of {queue.name}"
    if never:
        text = f"a master of this size never fits into the room for masters: {said}"
        hint = f"{raise_it}, or ask for a smaller master"
    else:
        text = f"the room for masters is full: {said}"
        freed = any(not share[kind] for kind in over)
        wait = "wait until a master ends" + (" or the cluster has more free" if freed else "")
        hint = f"{wait}, or {raise_it}"
    reason = f"room for masters of {queue.name}: {said}" + (", never" if never else "")
    return Check("am_share", queue.name, STOPS, text, (source,), reason=reason, numbers=numbers, details=tuple(details),
                 hint=hint)  # fmt: skip


def _shown(words: Words, limit: Amount, kinds: range) -> str:
    return ", ".join(f"{limit[kind]} {words.names[kind]}" for kind in kinds if kind < 2 or limit[kind])


def _base(words: Words, queue: Queue, kind: int, share: Amount, most: Amount, free: Amount) -> str:
    features = words.tree.profile.features
    replaced = features.am_limit_rounded_up and not share[kind] and (kind < 2 or features.am_limit_custom_types)
    if not replaced:
        return f"the share, {share[kind]}"
    why = "the share is 0" if queue.weight <= 0 or kind == 0 else "the share has none"
    what = "what the cluster has free" if free[kind] <= most[kind] else "the maximum of the queue"
    return f"{what}, {min(free[kind], most[kind])}, as {why}"


def maximum_checks(
    words: Words, queue: Queue, used: Mapping[str, Amount], maxima: Mapping[str, Amount], ask: Amount
) -> Iterator[Check]:
    """Yields for the leaf and each ancestor with a maximum whether usage and the container stay within it."""
    tree, none = words.tree, True
    with_container = tree.profile.version >= (2, 8, 0)  # YARN-3655: before, at what is used already
    unlimited = tree.unlimited()
    for level in reversed(queue.path()):
        most = maxima[level.name]
        if all(part >= limit for part, limit in zip(most, unlimited, strict=True)):
            continue
        none = False
        now = used[level.name]
        total = add(now, ask) if with_container else now
        shown = [None if part >= limit else part for part, limit in zip(most, unlimited, strict=True)]
        source = _maximum_source(words, level)
        numbers = {"used": words.map(now), "ask": words.map(ask), "sum": words.map(total), "limit": words.map(shown)}
        if fits(total, most):
            text = f"{words.amount(total)} of {words.amount(shown)}, this container included"
            if not with_container:
                text = f"{words.amount(now)} of {words.amount(shown)} used (the container itself is not counted)"
            yield Check("maximum", level.name, PASSES, text, source, numbers=numbers)
            continue
        parts = [
            f"{have} + {want} > {limit} {name}" if with_container else f"{have} > {limit} {name}"
            for have, want, limit, name in zip(now, ask, most, words.names, strict=True)
            if (have + want if with_container else have) > limit
        ]
        said = ", ".join(parts)
        never = not fits(ask, most)
        text = f"the container never fits into the maximum: {said}" if never else f"the queue is at its maximum: {said}"
        wait = f"raise maxResources of {level.name}"
        hint = wait if never else f"wait until containers in {level.name} end, or {wait}"
        reason = f"maximum of {level.name}: {said}" + (", never" if never else "")
        yield Check("maximum", level.name, STOPS, text, source, reason=reason, numbers=numbers, hint=hint)
    if none:
        yield Check("maximum", queue.name, PASSES, "no queue up to root has a maximum", numbers={"limit": None})


def _maximum_source(words: Words, level: Queue) -> tuple[Source, ...]:
    setting = words.tree.max_limit(level)
    inherited = setting.origin == "inherited"
    found = [words.setting(setting, "maxChildResources" if inherited else "maxResources")]
    if words.tree.profile.features.max_raised_to_min and any(level.min):
        field = words.field(level, "minResources")  # the larger of the two is in force
        found += [field] if field is not None else []
    return tuple(found)


def node_check(words: Words, ground: Ground, ask: Amount) -> Check:
    """Returns whether some node is large enough for the container when it is empty."""
    source = (Source("nodes", "cluster"),)
    numbers: dict[str, object] = {"ask": words.map(ask)}
    if ground.sizes is None:
        if fits(ask, ground.cluster):
            text = "the cluster is given as a sum: whether one node is large enough is not known"
            return Check("node", "", UNKNOWN, text, numbers=numbers, hint="write the nodes: --cluster 40x20g,5c")
        over = words.over(ask, ground.cluster)
        return Check("node", "", STOPS, f"the whole cluster has less: {over}", source,
                     reason=f"the container is larger than the cluster: {over}, never", numbers=numbers,
                     hint="ask for a smaller container")  # fmt: skip
    if any(fits(ask, size) for size in ground.sizes):
        number = sum(fits(ask, size) for size in ground.sizes)
        text = f"{number} of {len(ground.sizes)} nodes are large enough"
        return Check("node", "", PASSES, text, source, numbers=numbers)
    text = f"none of {len(ground.sizes)} nodes has {words.amount(ask)}"
    return Check("node", "", STOPS, text, source, reason=f"{text}, never", numbers=numbers,
                 hint="ask for a smaller container")  # fmt: skip


def room_check(words: Words, ground: Ground, ask: Amount, used: Amount) -> Check:
    """Returns whether the container fits into what is free at this moment; `used` is what all use together."""
    free = tuple(total - part for total, part in zip(ground.cluster, used, strict=True))
    numbers = {"ask": words.map(ask), "used": words.map(used), "free": words.map(free)}
    if ground.free is not None:
        large = [name for name, left in ground.free if fits(ask, left)]
        if large:
            more = f" and {len(large) - 1} more" if len(large) > 1 else ""
            return Check("room", "", PASSES, f"node {large[0]}{more} has that much free", (Source("nodes", "state"),),
                         numbers=numbers)  # fmt: skip
        best = max((left for _, left in ground.free), default=words.types.zero())
        text = f"no node has {words.amount(ask)} free (the one with most memory: {words.amount(best)})"
        return Check("room", "", STOPS, text, (Source("nodes", "state"),), reason="no node has room", numbers=numbers,
                     hint="wait until containers end")  # fmt: skip
    if fits(ask, free):
        text = f"{words.amount(free)} are free"
        if not ground.empty:
            text += "; whether in one piece on a node is not known"
        return Check("room", "", PASSES, text, numbers=numbers)
    short = ", ".join(
        f"{left} {name} free" for left, want, name in zip(free, ask, words.names, strict=True) if want > left
    )
    return Check("room", "", STOPS, f"the cluster is full: {short}, {words.amount(ask)} needed",
                 (Source("usage", "state"),), reason=f"no room: {short} in the cluster", numbers=numbers,
                 hint="wait until containers end: free space goes to queues with the least use for their weight",
                 )  # fmt: skip


def share_check(words: Words, queue: Queue, shares: Mapping[str, Amount], used: Mapping[str, Amount]) -> Check:
    """Returns how usage and instantaneous share compare from the leaf up: who has more waits for those with less."""
    share, have = shares[queue.name], used[queue.name]
    details = []
    for level in reversed(queue.path()[1:]):
        kinds = [kind for kind, part in enumerate(shares[level.name]) if part or kind == 0]
        parts = [f"{used[level.name][kind]} of {shares[level.name][kind]} {words.names[kind]}" for kind in kinds]
        above = [kind for kind in kinds if used[level.name][kind] > shares[level.name][kind]]
        said = "above its share: others come first" if above else "within its share"
        details.append(f"{level.name} uses {', '.join(parts)}: {said}")
    numbers = {"used": words.map(have), "share": words.map(share)}
    text = details[0].partition(" ")[2] if details else "the root queue"
    return Check("fair_share", queue.name, TELLS, text, numbers=numbers, details=tuple(details[1:]))

