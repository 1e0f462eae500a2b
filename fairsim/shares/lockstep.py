"""The share search of many small sibling sets at once, one question of each set per pass over all siblings, in numpy.

The questions are those of `search.seek`: interpolation learns where a set's sum of shares is below, at and above its
target, until the sign at every ratio that Hadoop's doublings and halvings visit is known or has been asked for.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fairsim.shares.search import HALVINGS, LAST_RATIO, LEAST_RATIO, NARROW

Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Number = TypeVar("Number", np.float64, np.int64)

#: Passes after which siblings with a settled share are looked for and left out.
SETTLE_EVERY = 5


def lockstep(weight: Floats, low: Floats, high: Floats, sizes: Longs, target: Longs) -> Floats:
    """Returns the ratio (g,) at which Hadoop's halvings end in each set.

    weight, low, high (n,): the siblings of all sets, one set after another; sizes (g,): how many siblings, above 0;
    target (g,): below 2^53, and reached by the sum of the maximums.
    """
    ratios = np.empty(len(sizes))
    number = np.arange(len(sizes))
    sets = _Sets(weight, low, high, sizes, target)
    turn = 0
    while True:
        sets.ask()
        ended, answer = sets.answers()
        ratios[number[ended]] = answer[ended]
        if ended.all():
            return ratios
        turn += 1
        sets.advance(turn % 3 == 0)
        if 4 * np.count_nonzero(ended) > len(ended):
            sets.keep(~ended)
            number = number[~ended]
        if turn % SETTLE_EVERY == 0:
            sets.settle()


def group_sums(values: npt.NDArray[Number], sizes: Longs) -> npt.NDArray[Number]:
    """Returns the sum of each group (g,) of the values (n,), 0 for an empty one."""
    starts = np.cumsum(sizes) - sizes
    filled = sizes > 0
    if len(sizes) and filled.all():
        return np.add.reduceat(values, starts)
    sums = np.zeros(len(sizes), values.dtype)
    if filled.any():
        sums[filled] = np.add.reduceat(values, starts[filled])
    return sums


def group_counts(flags: Flags, sizes: Longs) -> Longs:
    """Returns how many flags (n,) are set in each group (g,)."""
    return group_sums(flags.astype(np.int64), sizes)


class _Sets:
    """The sets still sought: their siblings (n,), and what is known of each set (g,)."""

    def __init__(self, weight: Floats, least: Floats, most: Floats, sizes: Longs, target: Longs) -> None:
        self.weight, self.least, self.most = weight, least, most
        self.sizes = sizes
        self.rest = target.astype(np.float64)  # the target less the shares that are settled
        count = len(sizes)
        slope = group_sums(weight, sizes)
        self.slope = np.where((slope > 0.0) & np.isfinite(slope), slope, np.maximum(self.rest, 1.0))
        self.ratio = np.clip(self.rest / self.slope, LEAST_RATIO, LAST_RATIO)  # the next question
        self.low, self.high = np.zeros(count), np.full(count, np.inf)  # too little is used below, too much above
        self.below, self.above = np.zeros(count), np.zeros(count)  # by how much, halved as Illinois does
        self.first, self.last = np.full(count, np.inf), np.full(count, -np.inf)  # ratios that hit the target
        self.moved = np.zeros(count)  # the sign of the last answer
        self.stride, self.shrink = 1.25 / self.slope, np.full(count, 0.25)  # of steps while one end is open
        self.width = np.full(count, np.inf)
        # filled by `answers`
        self.start = self.unit = self.point = self.low
        self.floor = self.ceiling = sizes
        self.known = sizes > 0

    def ask(self) -> None:
        """Learns the sign of used(ratio) - target of each set at its next question."""
        value = self.weight * np.repeat(self.ratio, self.sizes)
        np.maximum(value, self.least, out=value)
        np.minimum(value, self.most, out=value)
        np.floor(value, out=value)
        excess = group_sums(value, self.sizes) - self.rest
        negative, positive = excess < 0.0, excess > 0.0
        self.below = np.where(negative, excess, np.where(positive & (self.moved > 0.0), self.below / 2.0, self.below))
        self.above = np.where(positive, excess, np.where(negative & (self.moved < 0.0), self.above / 2.0, self.above))
        np.copyto(self.low, self.ratio, where=negative)
        np.copyto(self.high, self.ratio, where=positive)
        self.moved = np.sign(excess)
        hit = self.moved == 0.0
        if hit.any():
            np.minimum(self.first, self.ratio, out=self.first, where=hit)
            np.maximum(self.last, self.ratio, out=self.last, where=hit)

    def answers(self) -> tuple[Flags, Floats]:
        """Returns which sets need no more questions, and for these the ratio at which the halvings end.

        Doubling ends at `start`, the first power of two above `low`, once more is known to be used there. The ratios
        of the halvings are then the whole multiples of start * 2^-25, and the next one in doubt is the multiple with
        the most trailing zero bits between `low` and `high`.
        """
        self.start = np.ldexp(1.0, np.maximum(np.frexp(self.low)[1], 0))
        self.known = self.start >= np.minimum(self.high, self.first)
        self.unit = self.start * LEAST_RATIO
        self.floor = np.floor(self.low / self.unit).astype(np.int64)
        self.ceiling = np.minimum(np.ceil(self.high / self.unit), 2.0**HALVINGS).astype(np.int64)
        below = self.ceiling - 1
        bits = np.maximum(np.frexp((self.floor ^ below).astype(np.float64))[1] - 1, 0)
        doubt = below > self.floor
        self.point = np.where(doubt, below >> bits << bits, self.ceiling) * self.unit
        hit = (self.first <= self.point) & (self.point <= self.last)
        return self.known & (~doubt | hit), self.point

    def advance(self, look: bool) -> None:
        """Chooses the next question of each set. look: whether to find out which sets hardly move."""
        inner = self.low + (self.high - self.low) * (self.below / (self.below - self.above))
        grid = np.minimum(np.maximum(np.rint(inner / self.unit), self.floor + 1), self.ceiling - 1) * self.unit
        plain = np.where(self.known, self.point, self.start)
        direct = ~self.known & (self.high <= 1.125 * self.low)
        if look:
            width = self.high - self.low
            direct |= width > self.width / 8.0
            self.width = width
        self.ratio = np.where(direct, plain, np.where(self.known, grid, inner))
        upward, downward = self.high == np.inf, self.low == 0.0
        hit = self.first < np.inf
        if upward.any():
            step = np.maximum(self.low - self.stride * self.below, self.low * (1.0 + NARROW))
            np.copyto(self.ratio, np.minimum(step, LAST_RATIO), where=upward)
        if downward.any():
            step = np.maximum(self.high - self.stride * self.above, self.high * self.shrink)
            np.copyto(self.ratio, np.maximum(step, LEAST_RATIO), where=downward & ~upward)
            np.copyto(self.shrink, self.shrink * self.shrink, where=downward)
        np.copyto(self.stride, self.stride * 4.0, where=upward | downward)
        if hit.any() and not look:
            slope = np.where(upward | downward, self.slope, (self.above - self.below) / (self.high - self.low))
            edge = np.where(
                plain < self.first,
                np.maximum(plain, self.first - 1.1 / slope),
                np.minimum(plain, self.last + 1.1 / slope),
            )
            np.copyto(self.ratio, edge, where=hit)
        told = (self.ratio <= self.low) | (self.ratio >= self.high)
        told |= (self.ratio >= self.first) & (self.ratio <= self.last)
        told |= hit if look else False
        np.copyto(self.ratio, plain, where=told)

    def settle(self) -> None:
        """Leaves out the siblings whose share is the same at both ends of what is unknown."""
        lower = np.maximum(self.low, LEAST_RATIO)
        upper = np.where(self.known, np.minimum(self.high, self.start), np.minimum(self.high, LAST_RATIO))
        at = []
        for end in (lower, upper):
            value = self.weight * np.repeat(end, self.sizes)
            at.append(np.floor(np.minimum(np.maximum(value, self.least), self.most)))
        kept = at[0] != at[1]
        self.rest = self.rest - group_sums(np.where(kept, 0.0, at[0]), self.sizes)
        self.sizes = group_counts(kept, self.sizes)
        self.weight, self.least, self.most = self.weight[kept], self.least[kept], self.most[kept]

    def keep(self, chosen: Flags) -> None:
        """Leaves out the sets that are not chosen."""
        inside = np.repeat(chosen, self.sizes)
        for name in ("weight", "least", "most"):
            setattr(self, name, getattr(self, name)[inside])
        for name in _OF_SETS:
            setattr(self, name, getattr(self, name)[chosen])


_OF_SETS = (
    "sizes", "rest", "slope", "ratio", "low", "high", "below", "above", "first", "last", "moved", "stride", "shrink",
    "width", "start", "unit", "point", "floor", "ceiling", "known",
)  # fmt: skip
