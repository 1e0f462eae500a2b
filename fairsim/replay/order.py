"""Who comes first: the comparison of siblings by each policy, of queues and of applications alike.

Follows the comparators of FairSharePolicy, DominantResourceFairnessPolicy and FifoPolicy. All of them are only as good
as their numbers: where a weight is 0 or a share is NaN they are no order, and what comes out is what Java's
collections make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Protocol, TypeVar

from fairsim.javanum import divide, float32, sign, tree_set_order
from fairsim.model.resources import Amount
from fairsim.profiles import Profile


class Sibling(Protocol):
    """What siblings are ordered by; `start` is 0 for queues."""

    sort_name: bytes
    used: Amount
    demand: Amount
    min: Amount
    weight: float
    start: int


S = TypeVar("S", bound=Sibling)
Compare = Callable[[Sibling, Sibling], int]
MEMORY, VCORES = 0, 1


def by_name(one: Sibling, other: Sibling) -> int:
    """Compares start time, then name as Java compares strings."""
    if one.start != other.start:
        return sign(one.start - other.start)
    return (one.sort_name > other.sort_name) - (one.sort_name < other.sort_name)


class Order:
    """The orders of one Hadoop version. `cluster` is the size of the cluster, which drf divides by.

    `uncounted` are the places of types that are no part of shares (volumes, 3.3 and later).
    """

    def __init__(self, profile: Profile, kinds: int, uncounted: Sequence[int] = ()):
        self.features = profile.features
        self.cluster: Amount = (0,) * kinds
        self.counted = [kind for kind in range(kinds) if kind not in uncounted]

    def comparison(self, policy: str) -> Compare:
        """Returns the comparison of a policy."""
        if policy == "fifo":
            return by_name
        if policy == "fair":
            return self._fair
        if not self.features.double_drf:
            return self._drf_float
        return self._drf_two if len(self.counted) == 2 else self._drf_many

    def queues(self, policy: str, children: list[S]) -> list[S]:
        """Returns the children of a queue in order; up to 3.1 their list itself is sorted."""
        compare = self.comparison(policy)
        if self.features.tree_set_of_queues:
            return tree_set_order(children, compare)
        children.sort(key=cmp_to_key(compare))
        return list(children)

    def apps(self, policy: str, apps: Sequence[S]) -> list[S]:
        """Returns the applications of a leaf in order."""
        return tree_set_order(apps, self.comparison(policy))

    # -- fair

    def _fair(self, one: Sibling, other: Sibling) -> int:
        found = self._without_demand(one) - self._without_demand(other)
        if found and max(one.demand[MEMORY], other.demand[MEMORY]) > 0:
            return found
        used, others = one.used[MEMORY], other.used[MEMORY]
        least = min(one.min[MEMORY], one.demand[MEMORY])
        others_least = min(other.min[MEMORY], other.demand[MEMORY])
        needy, other_needy = used < least, others < others_least
        if needy != other_needy:
            return -1 if needy else 1
        if needy:
            found = sign(used / max(least, 1) - others / max(others_least, 1))
            if found:
                return found
        if one.weight > 0 and other.weight > 0:
            found = sign(used / one.weight - others / other.weight)
        elif one.weight == other.weight:
            found = sign(used - others)
        else:
            found = sign(other.weight - one.weight)
        return found or by_name(one, other)

    def _without_demand(self, one: Sibling) -> int:
        if self.features.memory_only_demand:
            return int(one.demand[MEMORY] == 0)
        return int(not any(one.demand))

    # -- drf

    def _drf_two(self, one: Sibling, other: Sibling) -> int:
        """Memory and vcores in doubles (3.0 and later, YARN-7374)."""
        first, ratios = self._dominant(one)
        second, others = self._dominant(other)
        needy = one.used[first] < one.min[first]
        whose = other if self.features.drf_needy_mended else one
        other_needy = whose.used[second] < other.min[second]
        if needy != other_needy:
            return -1 if needy else 1
        if needy:
            ratios = [divide(part, least) for part, least in zip(one.used, one.min, strict=True)]
            others = [divide(part, least) for part, least in zip(other.used, other.min, strict=True)]
        return (
            sign(ratios[first] - others[second])
            or sign(ratios[1 - first] - others[1 - second])
            or by_name(one, other)
        )

    def _dominant(self, one: Sibling) -> tuple[int, list[float]]:
        shares = [divide(one.used[kind], self.cluster[kind]) for kind in (MEMORY, VCORES)]
        first = VCORES if shares[VCORES] > shares[MEMORY] else MEMORY
        return first, [divide(share, one.weight) for share in shares]

    def _drf_many(self, one: Sibling, other: Sibling) -> int:
        """Any types, in floats of 32 bits (YARN-6612)."""
        triples, others = self._triples(one), self._triples(other)
        first, second = self.counted[_largest(triples)], self.counted[_largest(others)]
        needy = one.used[first] < one.min[first]
        other_needy = other.used[second] < other.min[second]
        if needy != other_needy:
            return -1 if needy else 1
        column = 2 if needy else 1
        left = sorted(triples, key=cmp_to_key(_by_share))
        right = sorted(others, key=cmp_to_key(_by_share))
        for mine, theirs in zip(left, right, strict=True):
            found = sign(mine[column] - theirs[column])
            if found:
                return found
        return by_name(one, other)

    def _triples(self, one: Sibling) -> list[tuple[float, float, float]]:
        """Share of the cluster, share by weight, share of the minimum, by type."""
        found = []
        for kind in self.counted:
            used = float32(one.used[kind])
            share = float32(divide(used, float32(self.cluster[kind])))
            least = float32(divide(used, float32(one.min[kind])))
            found.append((share, float32(divide(share, one.weight)), least))
        return found

    def _drf_float(self, one: Sibling, other: Sibling) -> int:
        """Memory and vcores in floats of 32 bits; of equal shares vcores dominate (up to 2.10)."""
        order, shares = self._float_shares(one)
        other_order, others = self._float_shares(other)
        leasts = [float32(divide(float32(one.used[kind]), float32(one.min[kind]))) for kind in (MEMORY, VCORES)]
        other_leasts = [
            float32(divide(float32(other.used[kind]), float32(other.min[kind]))) for kind in (MEMORY, VCORES)
        ]
        needy, other_needy = leasts[order[0]] < 1.0, other_leasts[other_order[0]] < 1.0
        if needy != other_needy:
            return -1 if needy else 1
        if needy:
            shares, others = leasts, other_leasts
        for kind, other_kind in zip(order, other_order, strict=True):
            found = sign(shares[kind] - others[other_kind])
            if found:
                return found
        return by_name(one, other)

    def _float_shares(self, one: Sibling) -> tuple[tuple[int, int], list[float]]:
        shares = []
        for kind in (MEMORY, VCORES):
            pool = float32(float32(self.cluster[kind]) * one.weight)
            shares.append(float32(divide(float32(one.used[kind]), pool)))
        return ((MEMORY, VCORES) if shares[MEMORY] > shares[VCORES] else (VCORES, MEMORY)), shares


def _largest(triples: Sequence[tuple[float, float, float]]) -> int:
    largest = 0
    for place, triple in enumerate(triples):
        if triple[0] > triples[largest][0]:
            largest = place
    return largest


def _by_share(one: tuple[float, float, float], other: tuple[float, float, float]) -> int:
    return sign(other[0] - one[0])
