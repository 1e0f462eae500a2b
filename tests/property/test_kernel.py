"""The quick forms of the share search give what the loop gives, whatever the numbers."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairsim.javanum import INT_MAX, LONG_MAX
from fairsim.shares import kernel
from fairsim.shares.kernel import solve_batch, solve_groups
from fairsim.shares.search import HadoopHangs, Line, plain_search, search


class Siblings(NamedTuple):
    """One sibling set and what it divides."""

    weights: list[float]
    mins: list[int]
    maxs: list[int]
    total: int
    active: list[bool]


# every float32; those that files have; those at the edges of what the search can tell apart
WEIGHTS = st.one_of(
    st.sampled_from([1.0, 2.0, 3.0, 0.5, 0.25, float(np.float32(0.1)), float(np.float32(0.3))]),
    st.floats(0.015625, 100.0, width=32),
    st.floats(width=32),
    st.sampled_from([0.0, -0.0, -1.0, math.nan, math.inf, -math.inf, 2.0**-149, 2.0**-126, float(np.float32(3e38))]),
)
EDGES = sorted({2**power + step for power in (24, 25, 31, 32, 52, 53, 54, 62) for step in range(-3, 4)})
LONGS = st.one_of(
    st.just(LONG_MAX),
    st.integers(0, 300),
    st.integers(0, 10**7),
    st.sampled_from([*EDGES, LONG_MAX - 1, -1, -(2**63), INT_MAX]),
    st.integers(0, LONG_MAX),
)
INTS = LONGS.map(lambda value: max(min(value, INT_MAX), -INT_MAX))
LINES: st.SearchStrategy[Line] = st.sampled_from(["L", "L", "M", "I"])


@st.composite
def siblings(draw: st.DrawFn, line: Line, size: int = 12) -> Siblings:
    values = INTS if line == "I" else LONGS
    count = draw(st.integers(0, size))
    each = st.tuples(WEIGHTS, values, values)
    # any numbers, or a few different siblings, or one, many times
    few = draw(st.sampled_from([0, 1, 3]))
    if few:
        each = st.sampled_from(draw(st.lists(each, min_size=1, max_size=few)))
    items = draw(st.lists(each, min_size=count, max_size=count))
    weights, mins, maxs = [item[0] for item in items], [item[1] for item in items], [item[2] for item in items]
    cap = sum(high for high in maxs if high > 0)
    near = st.integers(-3, 3).map(lambda step: max(min(cap + step, LONG_MAX if line != "I" else INT_MAX), 0))
    total = draw(st.one_of(values.filter(lambda value: value >= 0), near))
    return Siblings(weights, mins, maxs, total, draw(st.lists(st.booleans(), min_size=count, max_size=count)))


@st.composite
def forests(draw: st.DrawFn) -> tuple[Line, list[Siblings]]:
    line = draw(LINES)
    return line, draw(st.lists(siblings(line), min_size=0, max_size=20))


def expected(of: Siblings, line: Line, active: bool) -> list[int] | None:
    """Returns what the loop finds, None where Hadoop would never finish."""
    try:
        return plain_search(*of[:4], line=line, active=of.active if active else None).shares
    except HadoopHangs:
        return None


def check(sets: list[Siblings], line: Line, active: bool) -> None:
    """Asserts that the kernel finds what the loop finds, on all sets at once."""
    shares, hung = solve_groups(
        [weight for one in sets for weight in one.weights],
        np.array([low for one in sets for low in one.mins], np.int64),
        np.array([high for one in sets for high in one.maxs], np.int64),
        np.cumsum([0, *(len(one.weights) for one in sets)], dtype=np.int64)[:-1],
        np.array([one.total for one in sets], np.int64),
        [flag for one in sets for flag in one.active] if active else None,
        line=line,
    )
    begin = 0
    for one, hangs in zip(sets, hung.tolist(), strict=True):
        want = expected(one, line, active)
        assert hangs == (want is None), (one, line)
        if want is not None:
            assert shares[begin : begin + len(want)].tolist() == want, (one, line)
        begin += len(one.weights)


@given(LINES.flatmap(lambda line: st.tuples(st.just(line), siblings(line, 30))), st.booleans())
def test_quick_search_is_the_loop(drawn: tuple[Line, Siblings], active: bool) -> None:
    line, one = drawn
    flags = one.active if active else None
    try:
        want = plain_search(*one[:4], line=line, active=flags)
    except HadoopHangs:
        with pytest.raises(HadoopHangs):
            search(*one[:4], line=line, active=flags)
    else:
        assert search(*one[:4], line=line, active=flags) == want


class TestKernel:
    """solve_groups is the loop on every group."""

    @pytest.fixture(
        scope="class",
        autouse=True,
        params=[
            {},  # as it is: all alone if few, else in lockstep
            {"FEW": 0, "CHUNK": 30},  # all in lockstep, in several chunks
            {"WIDE": 4, "FEW": 0, "BLOCK": 3, "SAMPLE": 2},  # some alone, in blocks, guessed from a sample
        ],
        ids=["as it is", "lockstep", "alone"],
    )
    @staticmethod
    def limits(request: pytest.FixtureRequest) -> Iterator[None]:
        """Small limits, so that small examples take the ways of large ones."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in request.param.items():
                patch.setattr(kernel, name, value)
            yield

    @given(forests(), st.booleans())
    @example(("L", [Siblings([1e30, 1.0], [0, 3], [9, 9], 5, [True, True])] * 20), False)
    @example(("L", [Siblings([3e38], [0], [LONG_MAX], 15371, [True])] * 20), False)
    def test_is_the_loop(self, forest: tuple[Line, list[Siblings]], active: bool) -> None:
        line, sets = forest
        check(sets, line, active)

    @given(st.integers(0, 2**32), st.sampled_from(["L", "L", "M"]))
    def test_is_the_loop_on_ordinary_queues(self, seed: int, line: Line) -> None:
        rng = random.Random(seed)  # noqa: S311
        sets = []
        for _ in range(20):
            count = rng.randint(1, 10)
            mins = [rng.choice([0, rng.randrange(5000)]) for _ in range(count)]
            maxs = [low + rng.randrange(1, 200_000) if rng.random() < 0.5 else LONG_MAX for low in mins]
            weights = [float(np.float32(rng.choice([1.0, rng.uniform(0.1, 10)]))) for _ in range(count)]
            active = [rng.random() < 0.8 for _ in range(count)]
            sets.append(Siblings(weights, mins, maxs, rng.choice([100, 819200, 10**7]) + rng.randrange(1000), active))
        check(sets, line, active=bool(seed % 2))


@pytest.mark.parametrize("count", [kernel.WIDE - 1, kernel.WIDE, 2 * kernel.SAMPLE + 1, kernel.BLOCK + 1])
@pytest.mark.parametrize("kind", ["random", "equal", "unlimited", "vcores", "tiny total"])
def test_wide_sets(count: int, kind: str) -> None:
    rng = np.random.default_rng(count)
    weights = rng.uniform(0.1, 10.0, count).astype(np.float32).astype(np.float64)
    mins = rng.integers(0, 5000, count)
    maxs = mins + rng.integers(1, 200_000, count)
    total = int(maxs.sum() // 3)
    if kind == "equal":
        weights, mins, maxs, total = np.ones(count), mins * 0, np.full(count, LONG_MAX), 10240 * count + 7
    elif kind == "unlimited":
        mins, maxs = mins * 0, np.full(count, LONG_MAX)
    elif kind == "vcores":
        mins, maxs, total = mins // 2000, mins // 2000 + 8, 3 * count
    elif kind == "tiny total":
        mins, total = mins * 0, 9
    shares, hung = solve_groups(weights, mins, maxs, [0], [total])
    assert not hung.any()
    assert shares.tolist() == search(weights.tolist(), mins.tolist(), maxs.tolist(), total).shares


@given(st.data())
def test_batch_is_one_by_one(data: st.DataObject) -> None:
    line = data.draw(LINES)
    rows = data.draw(st.lists(siblings(line, 6), min_size=1, max_size=8))
    width = max(1, *(len(row.weights) for row in rows))
    # rows of one width: what is missing has weight 0, and takes nothing
    weights = np.array([row.weights + [0.0] * (width - len(row.weights)) for row in rows]).reshape(-1, width)
    mins = np.array([row.mins + [0] * (width - len(row.mins)) for row in rows], np.int64).reshape(-1, width)
    maxs = np.array([row.maxs + [9] * (width - len(row.maxs)) for row in rows], np.int64).reshape(-1, width)
    active = np.array([row.active + [True] * (width - len(row.active)) for row in rows], bool).reshape(-1, width)
    totals = [row.total for row in rows]
    shared = [data.draw(st.booleans()) for _ in range(4)]  # columns that all scenarios agree in
    drawn: tuple[np.ndarray, ...] = (weights, mins, maxs, active)
    columns = [column[0] if same else column for column, same in zip(drawn, shared, strict=True)]
    shares, hung = solve_batch(columns[0], columns[1], columns[2], totals, columns[3], line=line)
    for number, total in enumerate(totals):
        w, low, high, on = (column if column.ndim == 1 else column[number] for column in columns)
        one = Siblings(w.tolist(), low.tolist(), high.tolist(), total, on.tolist())
        want = expected(one, line, active=True)
        assert hung[number] == (want is None)
        assert want is None or shares[number].tolist() == want


def test_batch_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    totals = np.arange(100) * 97
    whole, _ = solve_batch([1.0, 2.0, 3.0], [0, 5, 0], [LONG_MAX, 900, 4000], totals)
    monkeypatch.setattr(kernel, "BATCH", 10)
    parts, _ = solve_batch([1.0, 2.0, 3.0], [0, 5, 0], [LONG_MAX, 900, 4000], totals)
    assert (whole == parts).all()
    assert whole[60].tolist() == search([1.0, 2.0, 3.0], [0, 5, 0], [LONG_MAX, 900, 4000], 5820).shares


class TestLineL:
    """What holds for the releases that add as longs."""

    @given(siblings("L"), st.randoms(use_true_random=False))
    def test_order_has_no_effect(self, one: Siblings, rng: random.Random) -> None:
        order = list(range(len(one.weights)))
        rng.shuffle(order)
        weights, mins = [one.weights[i] for i in order], [one.mins[i] for i in order]
        maxs = [one.maxs[i] for i in order]
        turned = Siblings(weights, mins, maxs, one.total, one.active)
        shares, other = expected(one, "L", active=False), expected(turned, "L", active=False)
        assert (shares is None) == (other is None)
        assert shares is None or other == [shares[i] for i in order]

    @given(siblings("L"))
    def test_variable_shares_use_at_least_the_target(self, one: Siblings) -> None:
        try:
            found = search(*one[:4])
        except HadoopHangs:
            return
        used = sum(share for share, fixed in zip(found.shares, found.fixed, strict=True) if not fixed)
        assert used >= found.target
        assert all(0 <= share <= LONG_MAX for share in found.shares)

    @given(siblings("L"))
    def test_what_is_taken_stops_at_the_largest_long(self, one: Siblings) -> None:
        try:
            found = search(*one[:4])
        except HadoopHangs:
            return
        fixed = sum(share for share, held in zip(found.shares, found.fixed, strict=True) if held)
        assert found.taken == min(fixed, LONG_MAX)
        assert found.target <= max(one.total - found.taken, 0)
