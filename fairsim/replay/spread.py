"""A set of times kept small: exact up to a thousand different ones, to one part in 1000 beyond that."""

from __future__ import annotations

_MOST = 1000
_BITS = 11


class Spread:
    """Times in ms, of which quantiles, the largest and the mean are asked for."""

    __slots__ = ("count", "counts", "exact", "most", "total")

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        self.exact = True
        self.count = self.total = self.most = 0

    def add(self, value: int) -> None:
        """Adds one time."""
        self.count += 1
        self.total += value
        self.most = max(self.most, value)
        if not self.exact:
            value = _rounded(value)
        counts = self.counts
        counts[value] = counts.get(value, 0) + 1
        if self.exact and len(counts) > _MOST:
            self.exact = False
            self.counts = {}
            for one, number in counts.items():
                value = _rounded(one)
                self.counts[value] = self.counts.get(value, 0) + number

    def quantile(self, part: float) -> int | None:
        """Returns the least value that so great a part is not above, None where there is none."""
        if not self.count:
            return None
        wanted = max(part * self.count, 1)
        seen = 0
        for value in sorted(self.counts):
            seen += self.counts[value]
            if seen >= wanted:
                return min(value, self.most)
        return self.most

    def record(self) -> dict[str, int | None]:
        """Returns number, p50, p90, p99 and the largest."""
        return {
            "count": self.count, "p50": self.quantile(0.5), "p90": self.quantile(0.9), "p99": self.quantile(0.99),
            "max": self.most if self.count else None,
        }  # fmt: skip


def _rounded(value: int) -> int:
    """Returns the nearest number of so few bits."""
    more = value.bit_length() - _BITS
    return value if more <= 0 else (value + (1 << more - 1)) >> more << more
