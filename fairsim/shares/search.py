"""The share search of Hadoop's FairScheduler over one set of siblings and one resource type.

`plain_search` is the algorithm as Hadoop runs it, step by step: it defines the answer. `search` gives the same answer
with fewer passes over the siblings, for sets too small to be worth loading numpy (`kernel.py` is for the others).

Class followed: ComputeFairShares. The lines of releases differ in their integers only:

| line | releases | values | sums |
|---|---|---|---|
| L | 2.10, 3.1.2 and later, 3.2.1 and later, 3.3 and newer | long | long, stop at 2^63-1 |
| M | 2.8, 2.9, 3.0, 3.1.0, 3.1.1, 3.2.0 | long | int |
| I | 2.6, 2.7 | int | int |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from fairsim.javanum import INT_MAX, LONG_MAX, to_int, to_long, wrap_int, wrap_long

Line = Literal["L", "M", "I"]

#: How often Hadoop halves the interval (COMPUTE_FAIR_SHARES_ITERATIONS).
HALVINGS = 25
#: The least ratio that the halvings can end at, reached when the minimums alone exceed the total.
LEAST_RATIO = 2.0**-HALVINGS
#: From this ratio on nothing grows: the smallest float above 0 is 2^-149, and 2^-149 * 2^212 is above every long.
LAST_RATIO = 2.0**212
#: An interval this much narrower than its upper end holds one or two of the points that the halvings can visit.
NARROW = 2.0**-24


class HadoopHangs(ArithmeticError):
    """The ratio doubles for ever: even an infinite one uses less than the target (YARN-1458, YARN-8833)."""


class Search(NamedTuple):
    """What the search found.

    shares: one integer per sibling, in the unit of the total. ratio: the weight-to-share ratio it ended at, 0.0 when
    every share is fixed. target: what the siblings with a variable share divide. taken: the sum of the fixed shares,
    as the line adds. fixed: whether a sibling's share is fixed (its max or weight is not above 0, or it is inactive).
    """

    shares: list[int]
    ratio: float
    target: int
    taken: int
    fixed: list[bool]


def plain_search(
    weights: Sequence[float],
    mins: Sequence[int],
    maxs: Sequence[int],
    total: int,
    *,
    line: Line = "L",
    active: Sequence[bool] | None = None,
) -> Search:
    """Returns the shares of all siblings, found exactly as Hadoop finds them: doubling, then at most 25 halvings.

    weights: already rounded to float32, any value of it. mins, maxs, total: in one unit, longs (line I: ints);
    unlimited is 2^63-1 or 2^31-1 as in that release. active: None for steady shares. Raises HadoopHangs.
    """
    begun, items = _begin(weights, mins, maxs, total, line, active)
    target = begun.target
    cast = to_long if line == "L" else to_int

    def share(weight: float, low: float, high: float, ratio: float) -> int:
        value = weight * ratio
        if value != value:  # Java's max and min hand a NaN on, and a NaN is cast to 0
            return 0
        return cast(min(max(value, low), high))

    def used(ratio: float) -> int:
        sum_ = 0
        for item in items:
            sum_ += share(*item, ratio)
        return min(sum_, LONG_MAX) if line == "L" else wrap_int(sum_)

    if not items:
        return begun
    ratio = double_and_halve(used, target)
    return _end(begun, ratio, [share(*item, ratio) for item in items])


def double_and_halve(used: Callable[[float], int], target: int, last: float = math.inf) -> float:
    """Returns the ratio at which Hadoop's search ends: upwards from 1 by doubling, then at most 25 halvings.

    used(ratio): the sum of the shares. Raises HadoopHangs when the ratio `last` still uses less than the target.
    """
    ratio = 1.0
    while used(ratio) < target:
        if ratio >= last:
            raise HadoopHangs
        ratio *= 2.0
    left, right = 0.0, ratio
    for _ in range(HALVINGS):
        middle = (left + right) / 2.0
        planned = used(middle)
        if planned == target:
            return middle
        if planned < target:
            left = middle
        else:
            right = middle
    return right


def search(
    weights: Sequence[float],
    mins: Sequence[int],
    maxs: Sequence[int],
    total: int,
    *,
    line: Line = "L",
    active: Sequence[bool] | None = None,
) -> Search:
    """Returns what `plain_search` returns, sooner: equal siblings are summed once, most points are not summed at all.

    Arguments and errors as `plain_search`.
    """
    begun, items = _begin(weights, mins, maxs, total, line, active)
    target = begun.target
    if not items:
        return begun
    limit = float(LONG_MAX if line == "L" else INT_MAX)
    counts: dict[tuple[float, float, float], int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    groups = []  # a weight that is NaN has the share 0
    for (weight, low, high), count in counts.items():
        if weight == weight:
            high = min(high, limit)
            groups.append((weight, min(low, high), high, count))

    def excess(ratio: float) -> int:
        sum_ = 0
        for weight, low, high, count in groups:
            value = weight * ratio
            # max() would be a call for every item, most of the time spent here
            sum_ += count * int(high if value > high else low if value < low else value)  # noqa: FURB136
        return min(sum_, LONG_MAX) - target

    if sum(count * min(int(high), LONG_MAX) for _, _, high, count in groups) < target:
        raise HadoopHangs
    slope = sum(weight * count for weight, _, _, count in groups)
    ratio, start = seek(excess, target / slope, slope) if 0 < slope < math.inf else seek(excess, 1.0, max(target, 1.0))
    if line != "L" and excess(start) + target > INT_MAX:  # the sum wraps, and may do so more than once
        ratio = double_and_halve(lambda ratio: wrap_int(excess(ratio) + target), target, LAST_RATIO)
    most = LONG_MAX if line == "L" else INT_MAX
    found = {}
    for weight, low, high in counts:
        value = weight * ratio
        found[weight, low, high] = min(int(min(max(value, low), high)), most) if value == value else 0
    return _end(begun, ratio, [found[item] for item in items])


def _begin(
    weights: Sequence[float],
    mins: Sequence[int],
    maxs: Sequence[int],
    total: int,
    line: Line,
    active: Sequence[bool] | None,
) -> tuple[Search, list[tuple[float, float, float]]]:
    """Returns what is known before the ratio is sought, and (weight, min, max) of those with a variable share."""
    check_line(line)
    shares = [0] * len(weights)
    fixed = [True] * len(weights)
    items = []
    taken = cap = 0
    add = _add_long if line == "L" else add_int
    for index, (weight, low, high) in enumerate(zip(weights, mins, maxs, strict=True)):
        if high <= 0 or (active is not None and not active[index]):
            continue
        if weight <= 0:  # a NaN is not
            shares[index] = max(low, 0)
            taken = add(taken, shares[index])
        else:
            fixed[index] = False
            items.append((weight, float(low), float(high)))
            if cap != (LONG_MAX if line == "L" else INT_MAX):
                cap = add(cap, high)
    return Search(shares, 0.0, min(cap, max(wrap_long(total - taken), 0)), taken, fixed), items


def check_line(line: str) -> None:
    """Raises ValueError unless the line is L, M or I."""
    if line not in ("L", "M", "I"):
        raise ValueError(f"no such line of releases: {line!r}")


def _end(begun: Search, ratio: float, found: list[int]) -> Search:
    answers = iter(found)
    shares = [share if held else next(answers) for share, held in zip(begun.shares, begun.fixed, strict=True)]
    return begun._replace(shares=shares, ratio=ratio)


def _add_long(left: int, right: int) -> int:
    return min(left + right, LONG_MAX)


def add_int(left: int, right: int) -> int:
    """Returns the sum as lines M and I keep it: added as longs, cut at 2^31-1, then the low 32 bits.

    A long that wraps (2^63-1 plus anything) turns negative and is not cut, so the order of the values matters.
    """
    return wrap_int(min(wrap_long(left + right), INT_MAX))


class _Known:
    """What is known of a rising step function: where it is below, at and above 0. It asks only about what is left."""

    __slots__ = ("above", "below", "excess", "first", "high", "last", "low")

    def __init__(self, excess: Callable[[float], float]) -> None:
        self.excess = excess
        self.low, self.below = 0.0, 0.0  # the largest argument with a negative value, and the value
        self.high, self.above = math.inf, 0.0  # the smallest argument with a positive value, and the value
        self.first, self.last = math.inf, -math.inf  # arguments with the value 0

    def ask(self, ratio: float) -> float:
        """Returns the function's value, or any value of the same sign if the sign is known."""
        if ratio <= self.low:
            return -1.0
        if ratio >= self.high:
            return 1.0
        if self.first <= ratio <= self.last:
            return 0.0
        value = self.excess(ratio)
        if value < 0:
            self.low, self.below = ratio, value
        elif value > 0:
            self.high, self.above = ratio, value
        else:
            self.first, self.last = min(self.first, ratio), max(self.last, ratio)
        return value


def seek(excess: Callable[[float], float], guess: float, slope: float) -> tuple[float, float]:
    """Returns the ratio at which Hadoop's halvings end, and the power of two at which its doubling ends.

    excess(ratio): a number with the sign of used(ratio) - target; it must never fall, and not stay below 0 for ever.
    guess: a ratio near the crossing; slope: roughly how fast the excess grows there. Both matter for speed only.

    The doublings and halvings at the end are Hadoop's own. They need the sign at every point, and interpolation has
    learned most of the signs beforehand: below a ratio that uses too little, all ratios use too little.
    """
    known = _Known(excess)
    _approach(known, min(max(guess, LEAST_RATIO), LAST_RATIO), slope)
    start = math.ldexp(1.0, math.frexp(known.low)[1]) if known.low >= 1.0 else 1.0  # the next power of two
    while known.ask(start) < 0:
        start *= 2.0
    left, right = 0.0, start
    for _ in range(HALVINGS):
        middle = (left + right) / 2.0
        sign = known.ask(middle)
        if sign == 0:
            return middle, start
        if sign < 0:
            left = middle
        else:
            right = middle
    return right, start


def _approach(known: _Known, ratio: float, slope: float) -> None:
    """Narrows what is not known to about one step of the halvings, by regula falsi (Illinois) or by bisecting."""
    stride, shrink = 1.25 / slope, 0.25
    below = above = 0.0  # the values at both ends, halved while only the other end moves
    moved, width = 0, math.inf
    for turn in range(4 * HALVINGS):
        value = known.ask(ratio)
        if value == 0:
            if known.low > 0.0 and known.high < math.inf:
                slope = (known.above - known.below) / (known.high - known.low)
            known.ask(max(ratio - 1.1 / slope, LEAST_RATIO))
            known.ask(ratio + 1.1 / slope)
            return
        if value < 0:
            below, above = value, above / 2.0 if moved < 0 else above
            moved = -1
        else:
            above, below = value, below / 2.0 if moved > 0 else below
            moved = 1
        low, high = known.low, known.high
        if high == math.inf:
            ratio = max(low - stride * value, low * (1.0 + NARROW))
            stride *= 4.0
        elif low == 0.0:
            if high <= LEAST_RATIO:
                return
            ratio = max(high - stride * value, high * shrink, LEAST_RATIO)
            stride, shrink = stride * 4.0, shrink * shrink
        else:
            if high - low <= NARROW * max(high, 1.0):
                return
            ratio = low + (high - low) * (below / (below - above))
            if turn % 3 == 2:
                if high - low > width / 8.0:
                    ratio = (low + high) / 2.0
                width = high - low
            # points of the halvings' own grid spare them questions
            unit = math.ldexp(LEAST_RATIO, max(math.frexp(high)[1], 0))
            ratio = round(ratio / unit) * unit
            if ratio <= low:
                ratio = (math.floor(low / unit) + 1) * unit
            elif ratio >= high:
                ratio = (math.ceil(high / unit) - 1) * unit
            if not low < ratio < high:
                return
