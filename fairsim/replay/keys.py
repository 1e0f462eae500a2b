"""Sort keys that put siblings in the order of the comparisons in `order`, wherever these are an order.

`key_of` gives the key of one sibling under a policy, `ordered` tells whether the keys of a family may be used at all:
where a weight or a part of the cluster is 0, or minimums are 0 in part, a comparison may meet NaN, and what Java's
collections make of it is no order that a key could give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairsim.javanum import divide, float32
from fairsim.replay.order import MEMORY, VCORES, Order, Sibling

Key = tuple[object, ...]
KeyOf = Callable[[Sibling], Key]


def key_of(order: Order, policy: str) -> KeyOf:
    """Returns the function that gives the key of a sibling."""
    if policy == "fifo":
        return _fifo
    if policy == "fair":
        return _fair_memory if order.features.memory_only_demand else _fair_all
    if not order.features.double_drf:
        return lambda one: _drf_float(order, one)
    if len(order.counted) == 2:
        return lambda one: _drf_two(order, one)
    return lambda one: _drf_many(order, one)


def ordered(order: Order, policy: str, family: Iterable[Sibling], maxima: Iterable[tuple[int, ...]] = ()) -> bool:
    """Tells whether the keys of siblings give the order of their comparison, whatever they use and want."""
    if policy == "fifo":
        return True
    if policy == "fair":
        if any(one.weight < 0 for one in family):
            return False
        return order.features.memory_only_demand or all(most[MEMORY] > 0 for most in maxima)
    if not all(order.cluster[kind] > 0 for kind in order.counted):
        return False
    for one in family:
        if not one.weight > 0:
            return False
        least = [one.min[kind] > 0 for kind in order.counted]
        if any(least) and not (all(least) and _needs_are_its_own(order)):
            return False
    return True


def _needs_are_its_own(order: Order) -> bool:
    features = order.features
    return features.drf_needy_mended or len(order.counted) > 2 or not features.double_drf


def _fifo(one: Sibling) -> Key:
    return (one.start, one.sort_name)


def _fair_memory(one: Sibling) -> Key:
    used, weight, demand, least = one.used[MEMORY], one.weight, one.demand[MEMORY], one.min[MEMORY]
    if least > 0:
        least = min(least, demand)
        if used < least:
            share = (False, used / weight) if weight > 0 else (True, used)
            return (demand == 0, False, used / max(least, 1), *share, one.start, one.sort_name)
    if weight > 0:
        return (demand == 0, True, 0.0, False, used / weight, one.start, one.sort_name)
    return (demand == 0, True, 0.0, True, used, one.start, one.sort_name)


def _fair_all(one: Sibling) -> Key:
    return (not any(one.demand), *_fair_memory(one)[1:])


def _drf_two(order: Order, one: Sibling) -> Key:
    used, least, weight = one.used, one.min, one.weight
    memory, vcores = used[MEMORY] / order.cluster[MEMORY], used[VCORES] / order.cluster[VCORES]
    first, second = (VCORES, MEMORY) if vcores > memory else (MEMORY, VCORES)
    if used[first] < least[first]:
        return (False, used[first] / least[first], used[second] / least[second], one.start, one.sort_name)
    memory, vcores = memory / weight, vcores / weight
    return (True, *((vcores, memory) if first == VCORES else (memory, vcores)), one.start, one.sort_name)


def _drf_many(order: Order, one: Sibling) -> Key:
    triples = []
    for kind in order.counted:
        used = float32(one.used[kind])
        share = float32(used / float32(order.cluster[kind]))
        triples.append((share, float32(share / one.weight), float32(divide(used, float32(one.min[kind])))))
    largest = max(range(len(triples)), key=lambda place: triples[place][0])
    first = order.counted[largest]
    triples.sort(key=_share, reverse=True)
    if one.used[first] < one.min[first]:
        return (False, *[least for _, _, least in triples], one.start, one.sort_name)
    return (True, *[share for _, share, _ in triples], one.start, one.sort_name)


def _share(triple: tuple[float, float, float]) -> float:
    return triple[0]


def _drf_float(order: Order, one: Sibling) -> Key:
    shares = []
    for kind in (MEMORY, VCORES):
        pool = float32(float32(order.cluster[kind]) * one.weight)
        shares.append(float32(divide(float32(one.used[kind]), pool)))
    first, second = (MEMORY, VCORES) if shares[MEMORY] > shares[VCORES] else (VCORES, MEMORY)
    if one.min[first] > 0:
        least = float32(float32(one.used[first]) / float32(one.min[first]))
        if least < 1.0:
            return (False, least, float32(float32(one.used[second]) / float32(one.min[second])), one.start,
                    one.sort_name)  # fmt: skip
    return (True, shares[first], shares[second], one.start, one.sort_name)
