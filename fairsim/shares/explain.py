"""Why a queue has its share: the sums from the cluster down, one step for each level and resource type."""

from __future__ import annotations

from typing import Any, NamedTuple

from fairsim.javanum import shortest_float32, to_long
from fairsim.model.queues import Queue, QueueTree, Setting
from fairsim.model.resources import LONG_MAX, Amount
from fairsim.shares.search import search
from fairsim.shares.solve import Shares, divided_types


class Member(NamedTuple):
    """One sibling in a step: its weight and bounds, its share, and what decided it.

    decided: weight, min, max, idle (not active), zero weight, no max.
    """

    queue: str
    weight: float
    min: int
    max: int
    share: int
    decided: str


class Step(NamedTuple):
    """How one parent's share of one type is divided: `total` less `taken` (fixed shares) is sought, by `ratio`.

    Each member with a weight gets weight × ratio, at least min, at most max, cut to an integer; `target` is what
    Hadoop looks for, `sum` what the shares come to.
    """

    parent: str
    policy: str
    kind: str
    total: int
    taken: int
    target: int
    ratio: float
    sum: int
    members: list[Member]


class Explanation(NamedTuple):
    """The steps to one queue's steady or instantaneous share.

    undivided: the types that some parent on the way does not divide; starved: when preemption counts the queue as
    starved.
    """

    queue: str
    mode: str
    steps: list[Step]
    undivided: list[str]
    starved: list[str]


def explain(tree: QueueTree, shares: Shares, queue: Queue, mode: str, preemption: bool) -> Explanation:
    """Returns how the share of `queue` came about; `mode` is steady or instantaneous.

    `preemption` tells whether it is switched on (yarn.scheduler.fair.preemption).
    """
    amounts = shares.steady if mode == "steady" else shares.instantaneous
    place = {one: index for index, one in enumerate(shares.queues)}
    steps = []
    undivided: list[str] = []
    for parent in queue.path()[:-1]:
        kinds = divided_types(tree, parent.policy)
        for kind, name in enumerate(tree.types.names):
            if kind in kinds:
                steps.append(_step(tree, shares, place, parent, kind, amounts[place[parent]][kind], mode))
            elif name not in undivided:
                undivided.append(name)
    starved = [] if mode == "steady" else _starved(tree, queue, amounts[place[queue]])
    if starved and not preemption:
        starved.append("preemption is off (yarn.scheduler.fair.preemption): nothing is taken from others for it")
    return Explanation(queue.name, mode, steps, undivided, starved)


def _starved(tree: QueueTree, queue: Queue, share: Amount) -> list[str]:
    """Returns below which usage, and after how long, the queue counts as starved (FSQueue, FSLeafQueue)."""
    if not queue.leaf:
        return []
    threshold = tree.preemption(queue, "fairSharePreemptionThreshold")
    after = tree.preemption(queue, "fairSharePreemptionTimeout")
    limit = to_long(share[0] * threshold.value)
    part = f"{shortest_float32(threshold.value)} of the share, {_origin(threshold)}"
    found = [f"starved for its fair share below {limit} MB ({part}) {_after(after)}"]
    if any(queue.min):
        after = tree.preemption(queue, "minSharePreemptionTimeout")
        found.append(f"starved for its min below {queue.min[0]} MB {_after(after)}")
    return found


def _after(setting: Setting) -> str:
    if setting.value == LONG_MAX:
        return "but never preempts for it: no timeout is set"
    return f"for {setting.value / 1000:g} s ({_origin(setting)})"


def _origin(setting: Setting) -> str:
    return {"own": "its own", "default": "Hadoop's default", "changed": "by --set"}.get(
        setting.origin, f"from {setting.of}"
    )


def _step(
    tree: QueueTree, shares: Shares, place: dict[Queue, int], parent: Queue, kind: int, total: int, mode: str
) -> Step:
    children = parent.children
    active = None if mode == "steady" else [shares.active[place[child]] for child in children]
    weights = [child.weight for child in children]
    mins = [child.min[kind] for child in children]
    maxs = [shares.maxima[place[child]][kind] for child in children]
    line: Any = tree.profile.line
    found = search(weights, mins, maxs, total, line=line, active=active)
    members = [
        Member(
            child.name, weights[index], mins[index], maxs[index], found.shares[index],
            _decided(weights[index], mins[index], maxs[index], found.ratio, active is None or active[index]),
        )
        for index, child in enumerate(children)
    ]  # fmt: skip
    members.sort(key=lambda member: tree.queues[member.queue].index)
    kind_name = tree.types.names[kind]
    return Step(
        parent.name, parent.policy, kind_name, total, found.taken, found.target, found.ratio, sum(found.shares), members
    )


def _decided(weight: float, low: int, high: int, ratio: float, active: bool) -> str:
    if high <= 0:
        return "no max"
    if not active:
        return "idle"
    if weight <= 0:
        return "zero weight"
    wanted = weight * ratio
    if wanted > high or low > high:
        return "max"
    return "min" if wanted < low else "weight"
