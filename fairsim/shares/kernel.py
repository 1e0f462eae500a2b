"""The share search over wide sibling sets, many sibling sets and many scenarios at once, in numpy.

Every answer is bit for bit that of `search.plain_search` (ComputeFairShares of Hadoop 2.6 to 3.5; see there for the
lines L, M and I). Sets of thousands of siblings are sought one after another, each with few passes over its siblings
(`_Wide`); smaller ones in lockstep (`lockstep.py`). Shares are kept as float64, in which sums of integers are exact
below 2^53, and a sum that is not exact lies on the same side of such a target; targets from 2^53 on are compared with
sums of integers (`_Exact`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairsim.javanum import INT_MAX, LONG_MAX, wrap_int
from fairsim.shares.lockstep import group_counts, group_sums, lockstep
from fairsim.shares.search import LAST_RATIO, HadoopHangs, Line, add_int, check_line, double_and_halve, seek

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

#: Below this, sums of float64 integers are exact.
EXACT = 2**53
#: Sets of at least this many siblings are sought alone, and all sets if there are no more than FEW.
WIDE = 1024
FEW = 16
#: Siblings per round in lockstep, and per step of a pass: their arrays stay in the processor's cache.
CHUNK = 2**15
BLOCK = 2**14
#: Siblings of a scenario batch whose arrays exist at the same time.
BATCH = 2**18
#: Siblings of a wide set from which the ratio is guessed.
SAMPLE = 2048
_BELOW_LONG_MAX = math.nextafter(2.0**63, 0.0)


def solve_groups(
    weights: npt.ArrayLike,
    mins: npt.ArrayLike,
    maxs: npt.ArrayLike,
    starts: npt.ArrayLike,
    totals: npt.ArrayLike,
    active: npt.ArrayLike | None = None,
    *,
    line: Line = "L",
) -> tuple[Longs, Flags]:
    """Returns the shares of all siblings (n,) and, for each group (g,), whether Hadoop would never finish it.

    weights (n,): rounded to float32; mins, maxs (n,): longs; starts (g,): index of each group's first sibling, rising
    from 0, a group ends where the next one starts and may be empty; totals (g,): what each group divides; active
    (n,): None for steady shares. The variable shares of a group that never finishes are 0. Raises ValueError when
    the shapes do not fit.
    """
    weight = np.ascontiguousarray(weights, np.float64)
    least, most = np.ascontiguousarray(mins, np.int64), np.ascontiguousarray(maxs, np.int64)
    first, total = np.asarray(starts, np.int64), np.asarray(totals, np.int64)
    alive = None if active is None else np.asarray(active, np.bool_)
    _check(weight, least, most, first, total, alive, line)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return _solve(weight, least, most, np.diff(first, append=len(weight)), total, alive, line)


def solve_batch(
    weights: npt.ArrayLike,
    mins: npt.ArrayLike,
    maxs: npt.ArrayLike,
    totals: npt.ArrayLike,
    active: npt.ArrayLike | None = None,
    *,
    line: Line = "L",
) -> tuple[Longs, Flags]:
    """Returns the shares (s, n) of n siblings in s scenarios, and for each scenario whether Hadoop would never finish.

    weights, mins, maxs, active: (n,) where all scenarios agree, else (s, n); totals (s,). Memory beyond arguments and
    result is bounded: the scenarios are solved in chunks. Otherwise as `solve_groups`.
    """
    total = np.asarray(totals, np.int64)
    if total.ndim != 1:
        raise ValueError(f"totals must have one dimension, not {total.ndim}")
    columns = [np.asarray(weights, np.float64), np.asarray(mins, np.int64), np.asarray(maxs, np.int64)]
    if active is not None:
        columns.append(np.asarray(active, np.bool_))
    width = max(column.shape[-1] if column.ndim else 1 for column in columns)
    wide = [np.broadcast_to(column, (len(total), width)) for column in columns]
    shares = np.zeros((len(total), width), np.int64)
    hung = np.zeros(len(total), np.bool_)
    step = max(BATCH // max(width, 1), 1)
    for begin in range(0, len(total), step):
        part = slice(begin, begin + step)
        flat = [column[part].ravel() for column in wide]
        count = len(total[part])
        found, hung[part] = solve_groups(
            flat[0], flat[1], flat[2], np.arange(count) * width, total[part], *flat[3:], line=line
        )
        shares[part] = found.reshape(count, width)
    return shares, hung


def _check(
    weight: Floats, least: Longs, most: Longs, first: Longs, total: Longs, alive: Flags | None, line: Line
) -> None:
    check_line(line)
    for column in (weight, least, most, *(() if alive is None else (alive,))):
        if column.shape != (len(weight),):
            raise ValueError(f"weights, mins, maxs and active must all have the shape {(len(weight),)}")
    if first.ndim != 1 or first.shape != total.shape:
        raise ValueError("starts and totals must have one dimension and the same length")
    ends = np.append(first, len(weight))
    if ends[0] != 0 or (np.diff(ends) < 0).any():
        raise ValueError("starts must rise from 0 and not pass the number of siblings")


def _solve(
    weight: Floats, least: Longs, most: Longs, sizes: Longs, total: Longs, alive: Flags | None, line: Line
) -> tuple[Longs, Flags]:
    if not len(weight):
        return np.zeros(0, np.int64), np.zeros(len(sizes), np.bool_)
    free = None
    taken = np.zeros(len(sizes), np.int64)
    if not (weight.min() > 0.0 and most.min() > 0) or (alive is not None and not alive.all()):
        shared = most > 0 if alive is None else (most > 0) & alive
        unweighted = weight <= 0.0
        held = np.where(shared & unweighted, np.maximum(least, 0), 0)
        taken = _sums(held, sizes, line, math.inf)
        free = shared & ~unweighted
        weight, least, most = weight[free], least[free], most[free]
        sizes = group_counts(free, sizes)
    found, hung = _divide(weight, least, most, sizes, np.maximum(total - taken, 0), line)
    if free is None:
        return found, hung
    held[free] = found
    return held, hung


def _divide(
    weight: Floats, least: Longs, most: Longs, sizes: Longs, rest: Longs, line: Line
) -> tuple[Longs, Flags]:
    """Returns shares and hung groups of siblings that all have a variable share; rest (g,): total less fixed shares."""
    # one block of memory, which the allocator keeps for the next call where it would hand back two halves
    low, high = np.empty((2, len(weight)))
    low[:], high[:] = least, most
    if line == "L":
        reach = group_sums(high, sizes)
        target = np.minimum(reach, rest).astype(np.int64)  # exact where less than 2^53 is left
        if (rest >= EXACT).any():
            target = np.where(rest < EXACT, target, np.minimum(_sums(most, sizes, line, INT_MAX), rest))
    else:
        target = np.minimum(_sums(most, sizes, line, INT_MAX), rest)
        np.minimum(high, float(INT_MAX), out=high)
        reach = group_sums(high, sizes)
    if math.isnan(weight.min(initial=math.inf)):  # a NaN yields the share 0, but its maximum counted above
        nothing = np.isnan(weight)
        weight = np.where(nothing, 0.0, weight)
        low[nothing] = high[nothing] = 0.0
        reach = group_sums(high, sizes)
    hung = (reach < target) & (sizes > 0)
    if (target >= EXACT).any():
        hung = np.where(target < EXACT, hung, _long_sums(_cast(high), sizes) < target)
    groups = _Groups(weight, low, high, sizes, np.cumsum(sizes), target)
    ratio = _ratios(groups, hung)
    if line != "L":
        _unwrap(groups, hung, ratio)
    shares = np.empty(len(weight), np.int64)
    ratios = None if len(ratio) == 1 else np.repeat(ratio, sizes)
    for part in _blocks(len(weight)):
        value = weight[part] * (ratio[0] if ratios is None else ratios[part])
        np.maximum(value, low[part], out=value)
        shares[part] = _cast(np.minimum(value, high[part], out=value))
    if hung.any():
        shares[np.repeat(hung, sizes)] = 0
    return shares, hung


class _Groups(NamedTuple):
    """Siblings with a variable share (n,), one group after another, and of each group size, end and target (g,)."""

    weight: Floats
    low: Floats
    high: Floats
    sizes: Longs
    ends: Longs
    target: Longs

    def siblings(self, group: int) -> tuple[Floats, Floats, Floats]:
        """Returns views of the weights, minimums and maximums of one group."""
        part = slice(self.ends[group] - self.sizes[group], self.ends[group])
        return self.weight[part], self.low[part], self.high[part]

    def chunks(self, chosen: Longs) -> Iterator[Longs]:
        """Yields the chosen groups in runs that have about CHUNK siblings together."""
        grown = np.cumsum(self.sizes[chosen])
        begin = 0
        while begin < len(chosen):
            before = grown[begin - 1] if begin else 0
            end = max(int(np.searchsorted(grown, before + CHUNK, "right")), begin + 1)
            yield chosen[begin:end]
            begin = end


def _ratios(groups: _Groups, hung: Flags) -> Floats:
    """Returns the ratio of each group, 1.0 for those that are empty or hung."""
    sizes, target = groups.sizes, groups.target
    ratio = np.ones(len(sizes))
    sought = ~hung & (sizes > 0)
    alone = sought & ((sizes >= WIDE) | (target >= EXACT))
    if np.count_nonzero(sought & ~alone) <= FEW:
        alone = sought
    for group in np.flatnonzero(alone).tolist():
        ratio[group] = _seek(*groups.siblings(group), int(target[group]))
    for chosen in groups.chunks(np.flatnonzero(sought & ~alone)):
        inside: slice | Longs = slice(groups.ends[chosen[0]] - sizes[chosen[0]], groups.ends[chosen[-1]])
        if sizes[chosen[0] : chosen[-1] + 1].sum() > sizes[chosen].sum():  # others lie between
            together = np.zeros(len(sizes), np.bool_)
            together[chosen] = True
            inside = np.flatnonzero(np.repeat(together, sizes))
        columns = (groups.weight[inside], groups.low[inside], groups.high[inside])
        ratio[chosen] = lockstep(*columns, sizes[chosen], target[chosen])
    return ratio


def _unwrap(groups: _Groups, hung: Flags, ratio: Floats) -> None:
    """Corrects `ratio` or `hung` of the groups whose sum of shares passes 2^31-1, and wraps, where doubling ends."""
    fraction, exponent = np.frexp(ratio)
    start = np.ldexp(1.0, np.maximum(np.where(fraction == 0.5, exponent - 1, exponent), 0))
    value = groups.weight * np.repeat(start, groups.sizes)
    used = group_sums(np.floor(np.minimum(np.maximum(value, groups.low), groups.high)), groups.sizes)
    for group in np.flatnonzero((used > INT_MAX) & ~hung).tolist():
        try:
            ratio[group] = double_and_halve(
                _Exact(*groups.siblings(group), target=0).wrapped, int(groups.target[group]), LAST_RATIO
            )
        except HadoopHangs:
            hung[group] = True


def _seek(weight: Floats, low: Floats, high: Floats, target: int) -> float:
    """Returns the ratio of one group whose sum of shares reaches the target at some ratio."""
    kind = _Wide if target < EXACT else _Exact
    excess: Callable[[float], float] = kind(weight, low, high, target)
    slope = float(np.add.reduce(weight))
    if not 0.0 < slope < math.inf:
        return seek(excess, 1.0, max(target, 1.0))[0]
    guess = target / slope
    step = len(weight) // SAMPLE
    if step > 1:
        sample = _Wide(weight[::step], low[::step], high[::step], target // step)
        if sample(LAST_RATIO) >= 0.0:
            guess = seek(sample, guess, slope / step)[0]
            slope = max((sample(guess * 1.01) - sample(guess * 0.99)) / (guess * 0.02) * step, slope / 64.0)
    return seek(excess, guess, slope)[0]


class _Wide:
    """used(ratio) - target of one group, as float64."""

    def __init__(self, weight: Floats, low: Floats, high: Floats, target: int) -> None:
        self.weight, self.target = weight, float(target)
        self.low = low if low.max() > 0.0 else None
        # a share cut at a maximum above the target is above the target either way
        self.high = high if high.min() <= target or weight.max() == math.inf else None
        self.buffer = np.empty(min(BLOCK, len(weight)))

    def __call__(self, ratio: float) -> float:
        total = 0.0
        for part in _blocks(len(self.weight)):
            weight = self.weight[part]
            value = np.multiply(weight, ratio, out=self.buffer[: len(weight)])
            if self.low is not None:
                np.maximum(value, self.low[part], out=value)
            if self.high is not None:
                np.minimum(value, self.high[part], out=value)
            total += float(np.add.reduce(np.floor(value, out=value)))
        return total - self.target


class _Exact:
    """used(ratio) - target of one group as an integer, the sum cut at 2^63-1 as in line L."""

    def __init__(self, weight: Floats, low: Floats, high: Floats, target: int) -> None:
        self.weight, self.low, self.high, self.target = weight, low, high, target

    def __call__(self, ratio: float) -> int:
        shares = _cast(np.minimum(np.maximum(self.weight * ratio, self.low), self.high))
        return int(_long_sums(shares, np.array([len(shares)]))[0]) - self.target

    def wrapped(self, ratio: float) -> int:
        """Returns what lines M and I find, which keep the low 32 bits."""
        return wrap_int(self(ratio))


def _blocks(count: int) -> Iterator[slice]:
    """Yields slices that cover `count` values in steps whose arrays stay in the processor's cache."""
    for begin in range(0, count, BLOCK):
        yield slice(begin, begin + BLOCK)


def _cast(value: Floats) -> Longs:
    """Returns Java's longs of numbers that are not negative: cut, at most 2^63-1."""
    if value.max(initial=0.0) < 2.0**63:
        return value.astype(np.int64)
    longs = np.minimum(value, _BELOW_LONG_MAX).astype(np.int64)
    longs[value >= 2.0**63] = LONG_MAX
    return longs


def _sums(values: Longs, sizes: Longs, line: Line, stop: float) -> Longs:
    """Returns each group's sum of longs that are not negative, as the line adds them; M and I end at the sum `stop`."""
    sums = _long_sums(values, sizes)
    if line == "L":
        return sums
    np.minimum(sums, INT_MAX, out=sums)
    if values.max(initial=0) > LONG_MAX - INT_MAX:  # such a long may wrap: then the order matters
        wraps = group_counts(values > LONG_MAX - INT_MAX, sizes) > 0
        ends = np.cumsum(sizes)
        for group in np.flatnonzero(wraps).tolist():
            sum_ = 0
            for value in values[ends[group] - sizes[group] : ends[group]].tolist():
                sum_ = add_int(sum_, value)
                if sum_ == stop:
                    break
            sums[group] = sum_
    return sums


def _long_sums(values: Longs, sizes: Longs) -> Longs:
    low = group_sums(values & 0xFFFFFFFF, sizes)
    high = group_sums(values >> 32, sizes) + (low >> 32)
    return np.where(high >= 2**31, LONG_MAX, (high << 32) | (low & 0xFFFFFFFF))
