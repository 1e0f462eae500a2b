"""The bare share search: worked examples by line of releases, in all its forms (loop, quick search, numpy)."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from fairsim.javanum import INT_MAX, LONG_MAX, float32
from fairsim.shares.kernel import solve_batch, solve_groups
from fairsim.shares.search import HadoopHangs, Line, Search, plain_search, search

G = 10**9


class Item(NamedTuple):
    """One sibling; w as the allocation file has it."""

    w: float = 1.0
    low: int = 0
    high: int = LONG_MAX
    active: bool = True


class Row(NamedTuple):
    """One worked example; shares None: Hadoop never finishes. `now`: inactive siblings get nothing."""

    label: str
    total: int
    items: list[Item]
    shares: list[int] | None
    line: Line = "L"
    now: bool = False


def weighted(*weights: float) -> list[Item]:
    return [Item(weight) for weight in weights]


def old(*items: Item) -> list[Item]:
    """Returns the items with unlimited written as in 2.6 and 2.7."""
    return [item._replace(high=min(item.high, INT_MAX)) for item in items]


QUARTERS = [Item(0.25), Item(0.75), Item(1, active=False)]
HIGH_MINS = [Item(1, 4000, 2000), Item(1)]
ROWS = [
    Row("two queues and an idle default queue, steady", 8192, QUARTERS, [1024, 3072, 4096]),
    Row("two queues and an idle default queue, instantaneous", 8192, QUARTERS, [2048, 6144, 0], now=True),
    Row("two queues", 8192, weighted(0.25, 0.75), [2048, 6144]),
    Row("1, 3 and an idle default queue, steady", 819200, weighted(1, 3, 1), [163840, 491520, 163840]),
    Row("1 and 3", 819200, weighted(1, 3), [204800, 614400]),
    Row("1 and 3, vcores", 200, weighted(1, 3), [50, 150]),
    Row("a minimum above the fair part", 10000, [Item(1, 6000), Item(), Item()], [6000, 2000, 2000]),
    Row("two maximums, steady", 8192, [Item(0.75, 0, 1024), Item(0.25, 0, 3072), Item()], [1024, 1433, 5735]),
    Row("two maximums that end below the total", 8192, [Item(0.75, 0, 1024), Item(0.25, 0, 3072)], [1024, 3072]),
    Row("weight 0 gets its minimum", 10000, [Item(0, 1000), Item(), Item(0)], [1000, 9000, 0]),
    Row("weight 0 with a minimum above the total", 10000, [Item(0, 12000), Item(), Item(1, 500)], [12000, 0, 500]),
    Row("a minimum above the maximum", 6000, HIGH_MINS, [2000, 4000]),
    Row("a minimum above the maximum, ints", 6000, old(*HIGH_MINS), [2000, 4000], "I"),
    Row("a minimum above the maximum, mixed", 6000, HIGH_MINS, [2000, 0], "M"),
    Row("minimums above the total", 8192, [Item(1, 6000), Item(1, 5000), Item()], [6000, 5000, 0]),
    Row("minimums above the total, a vast weight", 8192, [Item(1, 6000), Item(1, 5000), Item(1e8)], [6000, 5000, 2]),
    Row("parents 8, 1 and the default queue", 16384, weighted(8, 1, 1), [13108, 1638, 1638]),
    Row("parents 8, 1 and the default queue, vcores", 10, weighted(8, 1, 1), [8, 1, 1]),
    Row("four children", 13108, weighted(1, 1, 1, 1), [3277] * 4),
    Row("two children of an odd amount", 13108, weighted(1, 1), [6554] * 2),
    Row("one vcore for two", 1, weighted(1, 1), [1, 1]),
    Row("a maximum at the top", 10000, [Item(1, 0, 3000), Item()], [3000, 7000]),
    Row("a minimum that leaves little", 3000, [Item(1, 2500), Item(3)], [2500, 500]),
    Row("minimums above the parent's share", 3000, [Item(1, 2500), Item(3, 1000)], [2500, 1000]),
    Row("a third with a maximum", 2**20, [Item(), Item(2), Item(1, 0, 65536), Item()], [245760, 491520, 65536, 245760]),
    Row("the same, vcores", 256, [Item(), Item(2), Item(1, 0, 16), Item()], [60, 120, 16, 60]),
    Row("the same, a type with maximum 0", 10, [Item(), Item(2), Item(1, 0, 0), Item()], [3, 6, 0, 3]),
    Row("three of four active", 2**20, [Item(), Item(2), Item(1, 0, 65536)], [327680, 655360, 65536]),
    Row("three of four active, vcores", 256, [Item(), Item(2), Item(1, 0, 16)], [80, 160, 16]),
    Row("three devices", 10, [Item(), Item(2), Item()], [3, 6, 3]),
    Row("a maximum of -1", 16, [Item(1, 0, -1), Item()], [0, 16]),
    Row("a maximum below the half", 16384, [Item(1, 0, 4096), Item()], [4096, 12288]),
    Row("thirds", 10240, weighted(1, 1, 1), [3414] * 3),
    Row("thirds of vcores", 10, weighted(1, 1, 1), [4] * 3),
    Row("halves of an odd amount", 1025, weighted(1, 1), [513] * 2),
    Row("sevenths", 100000, weighted(*[1] * 7), [14286] * 7),
    Row("5 vcores for 7", 5, weighted(*[1] * 7), [1] * 7),
    Row("1, 2, 4", 1000, weighted(1, 2, 4), [143, 286, 572]),
    Row("1, 2, 4, vcores", 10, weighted(1, 2, 4), [1, 3, 6]),
    Row(".1, .2, .7", 1000, weighted(0.1, 0.2, 0.7), [100, 200, 700]),
    Row(".1, .2, .7, vcores", 10, weighted(0.1, 0.2, 0.7), [1, 2, 7]),
    Row("2^62", 2**62, weighted(1, 2), [1537228718622113792, 3074457437244227584]),
    Row("2^62 in three", 2**62, weighted(1, 1, 1), [1537228718622113792] * 3),
    Row("a maximum that its double exceeds", 2**62, [Item(1, 0, 2**53 + 3)], [2**53 + 4]),
    Row("a maximum that its double falls short of", 2**62, [Item(1, 0, 2**53 + 1)], None),
    Row("25 halvings are too few for 10^9", G, weighted(1, 2), [333333344, 666666688]),
    Row("10^9 in three", G, weighted(1, 1, 1), [333333344] * 3),
    Row("10^8 at 1, 1000, 1000", 100000003, weighted(1, 1000, 1000), [49975, 49975015, 49975015]),
    Row("weights are floats", 838860800, weighted(0.3, 0.7), [251658250, 587202550]),
    Row("weights are floats, 10^8", 10**8, weighted(0.3, 0.7), [30000002, 70000001]),
    Row("a capped queue before an unlimited one", 10000, [Item(1, 0, 1000), Item()], [1000, 9000]),
    Row("a capped queue before an unlimited one, mixed", 10000, [Item(1, 0, 1000), Item()], [500, 500], "M"),
    Row("an unlimited queue before a capped one, mixed", 10000, [Item(), Item(1, 0, 1000)], [9000, 1000], "M"),
    Row("a percentage as maximum", 1000, [Item(9, 0, 290), Item()], [290, 710]),
    Row("a percentage as maximum, vcores", 100, [Item(9, 0, 28), Item()], [28, 72]),
    Row("halves", 10000, weighted(1, 1), [5000, 5000]),
    Row("three apps", 8192, weighted(1, 1, 1), [2731] * 3),
    Row("three apps weighted by size", 8192, weighted(10.001408576965332, 12.0003521774803, 0), [3724, 4468, 0]),
    Row("thirds, weight .3", 1000, weighted(0.3, 0.3, 0.3), [334] * 3),
    Row("3 for two of weight 5", 3, weighted(5, 5), [2, 2]),
    Row("no siblings", 1000, [], []),
    Row("nothing to divide", 0, weighted(1, 2), [0, 0]),
    Row("nothing to divide but minimums", 0, [Item(1, 7), Item()], [7, 0]),
    Row("an infinite weight", 1000, [Item(math.inf, 0, 300), Item()], [300, 700]),
    Row("a weight that is no number", 800, [Item(math.nan, 5, 300), Item(1, 0, 800)], [0, 800]),
    Row("what such a weight leaves to others", 1000, [Item(math.nan, 5, 300), Item(1, 0, 800)], None),
    Row("nothing but such weights", 1000, [Item(math.nan)], None),
    Row("a negative weight", 1000, [Item(-1, 100), Item()], [100, 900]),
    Row("the smallest weight", 1000, [Item(2.0**-149)], [1000]),
    Row("above 2^31-1, mixed", 3 * G, weighted(1), [INT_MAX], "M"),
    Row("two overflow the int, mixed", 1572864000, weighted(1, 1), None, "M"),
    Row("three do not, mixed", 1572864000, weighted(1, 1, 1), [524288000] * 3, "M"),
    Row("two overflow the int, ints", 1572864000, old(*weighted(1, 1)), None, "I"),
    Row("three do not, ints", 1572864000, old(*weighted(1, 1, 1)), [524288000] * 3, "I"),
]

# Hadoop's TestComputeFairShares, of which the last four are of line L
HADOOP_ROWS = [
    Row("equal", 40, old(*weighted(1, 1, 1, 1)), [10, 10, 10, 10]),
    Row("low maximums", 40, [Item(1, 0, 100), Item(1, 0, 50), Item(1, 0, 11), Item(1, 0, 3)], [13, 13, 11, 3]),
    Row("minimums", 40, old(Item(1, 20), Item(1, 18), Item(1, 0), Item(1, 2)), [20, 18, 0, 2]),
    Row("weighted", 45, old(*weighted(2, 1, 1, 0.5)), [20, 10, 10, 5]),
    Row(
        "weighted, maximums",
        45,
        [Item(2, 0, 10), Item(1, 0, 11), Item(1, 0, 30), Item(0.5, 0, 20)],
        [10, 11, 16, 8],
    ),
    Row("weighted, minimums", 45, old(Item(2, 20), Item(1), Item(1, 5), Item(0.5, 15)), [20, 5, 5, 15]),
]
LARGE_ROWS = [
    Row("large", 16 * G, [Item(1, 0, 4 * G)] * 4, [4 * G] * 4),
    Row("large minimums", 16 * G, [Item(1, LONG_MAX, LONG_MAX), Item(1, 4 * G, 4 * G)], [LONG_MAX, 4 * G]),
    Row("the maximums overflow", 2 * G, [Item(1, 0, G), Item()], [G, G]),
    Row(
        "the fixed shares overflow",
        1000,
        [Item(0, G, G), Item(0, LONG_MAX - 1, LONG_MAX), Item(1, 0, G)],
        [G, LONG_MAX - 1, 0],
    ),
]
BY_LINE = [row._replace(line=line, label=f"{row.label}, {line}") for row in HADOOP_ROWS for line in ("L", "M", "I")]
EVERY = [*ROWS, *BY_LINE, *LARGE_ROWS]


def columns(row: Row) -> tuple[list[float], list[int], list[int], list[bool] | None]:
    weights = [float32(item.w) for item in row.items]
    active = [item.active for item in row.items] if row.now else None
    return weights, [item.low for item in row.items], [item.high for item in row.items], active



FORMS: dict[str, Callable[..., Search]] = {"loop": plain_search, "quick": search}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("row", EVERY, ids=[row.label for row in EVERY])
def test_search(row: Row, form: str) -> None:
    weights, mins, maxs, active = columns(row)
    if row.shares is None:
        with pytest.raises(HadoopHangs):
            FORMS[form](weights, mins, maxs, row.total, line=row.line, active=active)
    else:
        assert FORMS[form](weights, mins, maxs, row.total, line=row.line, active=active).shares == row.shares


@pytest.mark.parametrize("row", EVERY, ids=[row.label for row in EVERY])
def test_kernel(row: Row) -> None:
    weights, mins, maxs, active = columns(row)
    shares, hung = solve_groups(weights, mins, maxs, [0], [row.total], active, line=row.line)
    assert hung.tolist() == [row.shares is None]
    assert row.shares is None or shares.tolist() == row.shares


@pytest.mark.parametrize("line", ["L", "M", "I"])
def test_kernel_on_all_rows_of_a_line_at_once(line: Line) -> None:
    rows = [row for row in EVERY if row.line == line] * 3  # enough groups to be sought in lockstep
    items = [item if row.now else item._replace(active=True) for row in rows for item in row.items]
    shares, hung = solve_groups(
        [float32(item.w) for item in items],
        np.array([item.low for item in items], np.int64),
        np.array([item.high for item in items], np.int64),
        np.cumsum([0, *(len(row.items) for row in rows)])[:-1],
        [row.total for row in rows],
        [item.active for item in items],
        line=line,
    )
    expected = [share for row in rows for share in (row.shares or [0] * len(row.items))]
    assert shares.tolist() == expected
    assert hung.tolist() == [row.shares is None for row in rows]


@pytest.mark.parametrize("find", FORMS.values(), ids=FORMS)
def test_what_a_search_says_beside_the_shares(find: Callable[..., Search]) -> None:
    weights = [0.0, 1.0, 3.0, 1.0, 1.0]
    found = find(weights, [100, 0, 0, 0, 0], [1000, 1000, 1000, 0, 50], 1100, active=[True, True, True, True, False])
    assert found == Search([100, 250, 750, 0, 0], 250.0, 1000, 100, [True, False, False, True, True])
    assert find([1.0, 1.0], [0, 0], [30, 40], 1000).target == 70
    nothing = find([0.0], [3], [9], 10)
    assert nothing == Search([3], 0.0, 0, 3, [True])


def test_ratio_when_minimums_exceed_the_total() -> None:
    assert search([1.0], [10], [20], 5).ratio == 2.0**-25


@pytest.mark.parametrize("find", FORMS.values(), ids=FORMS)
def test_taken_of_mixed_lines_wraps(find: Callable[..., Search]) -> None:
    # 2^31-1 and then 2^63-1: the long wraps, its low half is 2^31-2
    found = find([0.0, 0.0, 1.0], [INT_MAX, LONG_MAX, 0], [LONG_MAX] * 3, 2**31 + 5, line="M")
    assert found.taken == 2**31 - 2
    assert found.shares == [INT_MAX, LONG_MAX, 7]
    assert solve_groups([0.0, 0.0, 1.0], [INT_MAX, LONG_MAX, 0], [LONG_MAX] * 3, [0], [2**31 + 5], line="M")[
        0
    ].tolist() == [INT_MAX, LONG_MAX, 7]


def test_arguments_that_do_not_fit() -> None:
    for find in FORMS.values():
        with pytest.raises(ValueError, match="zip"):
            find([1.0], [0, 0], [1], 1)
        with pytest.raises(ValueError, match="no such line"):
            find([1.0], [0], [1], 1, line="X")
    with pytest.raises(ValueError, match="shape"):
        solve_groups([1.0], [0, 0], [1], [0], [1])
    with pytest.raises(ValueError, match="shape"):
        solve_groups([1.0], [0], [1], [0], [1], [True, True])
    with pytest.raises(ValueError, match="same length"):
        solve_groups([1.0], [0], [1], [0], [1, 2])
    for starts in ([1], [0, 2], [0, 1, 0]):
        with pytest.raises(ValueError, match="starts"):
            solve_groups([1.0], [0], [1], starts, [1] * len(starts))
    with pytest.raises(ValueError, match="no such line"):
        solve_groups([1.0], [0], [1], [0], [1], line="X")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one dimension"):
        solve_batch([1.0], [0], [1], 5)
    with pytest.raises(ValueError, match="broadcast"):
        solve_batch([1.0, 2.0], [0, 0, 0], [1, 1], [5])


def test_empty_groups_and_batches() -> None:
    shares, hung = solve_groups([], [], [], [0, 0], [5, 5])
    assert shares.tolist() == []
    assert hung.tolist() == [False, False]
    shares, hung = solve_groups([1.0, 1.0], [0, 0], [9, 9], [0, 0, 1, 1, 2], [5, 6, 7, 8, 9])
    assert shares.tolist() == [6, 8]
    assert not hung.any()
    assert solve_groups([], [], [], [], [])[1].shape == (0,)
    assert solve_batch([], [], [], [5, 6])[0].shape == (2, 0)
    assert solve_batch([1.0], [0], [9], [])[0].shape == (0, 1)


def test_arguments_are_left_alone() -> None:
    weights = np.array([math.nan, 1.0, 0.0])
    mins, maxs = np.array([1, 2, 3]), np.array([10, 20, 30])
    solve_groups(weights, mins, maxs, [0], [12])
    solve_groups(weights, mins, maxs, [0], [12], line="M")
    np.testing.assert_array_equal(weights, [math.nan, 1.0, 0.0])
    assert (mins.tolist(), maxs.tolist()) == ([1, 2, 3], [10, 20, 30])


def test_a_search_needs_no_numpy() -> None:
    code = "import sys, fairsim.shares.search; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
