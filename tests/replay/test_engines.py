"""Both engines decide the same; `python -m tests.replay.engines` compares as many cases as one likes."""

from __future__ import annotations

from random import Random

import pytest

from fairsim.profiles import profile
from fairsim.replay.keys import key_of, ordered
from fairsim.replay.order import Order
from fairsim.replay.state import sort_name
from tests.replay.engines import difference


@pytest.mark.parametrize("hadoop", ["2.10", "3.1", "3.2", "3.3", "3.5"])
@pytest.mark.parametrize("start", [1])
def test_the_same_decisions(hadoop: str, start: int) -> None:
    assert [found for seed in range(start, start + 8) if (found := difference(seed, profile(hadoop)))] == []


class One:
    """A sibling."""

    def __init__(self, random: Random, kinds: int, name: str):
        few = (0, 1, 1024, 2048, 4096, 10_000)
        self.used = tuple(random.choice(few) for _ in range(kinds))
        self.demand = tuple(random.choice(few) for _ in range(kinds))
        self.min = tuple(random.choice((0, 0, 0, 1000, 4096)) for _ in range(kinds))
        self.weight = random.choice((1.0, 1.0, 2.0, 0.5, 0.0))
        self.start = random.choice((0, 0, 5))
        self.sort_name = sort_name(name)


@pytest.mark.parametrize("hadoop", ["2.10", "3.1", "3.2", "3.3.5", "3.3.6", "3.5"])
@pytest.mark.parametrize("policy", ["fair", "drf", "fifo"])
def test_keys_give_the_order_of_the_comparison(hadoop: str, policy: str) -> None:
    used = 0
    for seed in range(6000):
        random = Random(f"{policy} {seed}")  # noqa: S311 - repeatable, not secret
        kinds = random.choice((2, 2, 3))
        order = Order(profile(hadoop), kinds)
        order.cluster = tuple(random.choice((100_000, 7777, 0)) for _ in range(kinds))
        one, other = One(random, kinds, "\ufffdx"), One(random, kinds, "\U00010000x")
        if not ordered(order, policy, [one, other], [(1, 1)] * 2):
            continue
        if not order.features.memory_only_demand and any(a.demand[0] == 0 and any(a.demand) for a in (one, other)):
            continue  # nobody asks for containers without memory there; see Ranks
        used += 1
        key = key_of(order, policy)
        left, right = key(one), key(other)
        assert order.comparison(policy)(one, other) == (left > right) - (left < right), (seed, vars(one), vars(other))
    assert used > 100
