"""Resource types and amounts.

An amount is a plain tuple of integers, one for each type in the order of a `ResourceTypes`: memory-mb, vcores,
then the custom types. Hadoop keeps them in the same order (ResourceUtils: memory and vcores first).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

LONG_MAX = 2**63 - 1
INT_MAX = 2**31 - 1

MEMORY = "memory-mb"
VCORES = "vcores"

Amount = tuple[int, ...]


class ResourceTypes(NamedTuple):
    """The known resource types: `names` in Hadoop's order, `units` of each ("" for a plain count, "Mi" for memory)."""

    names: tuple[str, ...] = (MEMORY, VCORES)
    units: tuple[str, ...] = ("Mi", "")

    @property
    def custom(self) -> tuple[str, ...]:
        """Returns the names beyond memory-mb and vcores."""
        return self.names[2:]

    def zero(self) -> Amount:
        """Returns the amount that is 0 of every type."""
        return (0,) * len(self.names)

    def amount(self, values: Mapping[str, int]) -> Amount:
        """Returns the amount with `values` by type name, 0 where a type is not named."""
        return tuple(values.get(name, 0) for name in self.names)

    def as_map(self, amount: Amount) -> dict[str, int]:
        """Returns the amount as a map by type name, in order."""
        return dict(zip(self.names, amount, strict=True))


def add(left: Amount, right: Amount) -> Amount:
    """Returns the sum, type by type."""
    return tuple(a + b for a, b in zip(left, right, strict=True))
