"""Which names were seen, for as many names as a trace may have: about 20 bytes for each."""

from __future__ import annotations

from array import array
from collections.abc import Callable


class Ids:
    """Numbers names in the order in which they come.

    The names are not kept, only their hashes, in an open table of their numbers. `same` tells whether the name with
    this number is the one looked for; it is asked only when the hashes are equal, so an answer never depends on them.
    """

    def __init__(self, same: Callable[[int, str], bool]):
        self._same = same
        self._hashes = array("q")
        self._table = array("I", [0]) * 1024  # number + 1, 0 for a free place

    def __len__(self) -> int:
        return len(self._hashes)

    def find(self, name: str) -> int:
        """Returns the number of a name, -1 for one that is new."""
        key = hash(name)
        table, hashes = self._table, self._hashes
        mask = len(table) - 1
        slot = key & mask
        while number := table[slot]:
            if hashes[number - 1] == key and self._same(number - 1, name):
                return number - 1
            slot = (slot + 1) & mask
        return -1

    def add(self, name: str) -> None:
        """Takes a new name in."""
        self._hashes.append(hash(name))
        if len(self._hashes) * 3 > len(self._table) * 2:
            self._table = array("I", [0]) * (2 * len(self._table))
            for number in range(len(self._hashes)):
                self._put(number)
        else:
            self._put(len(self._hashes) - 1)

    def _put(self, number: int) -> None:
        table = self._table
        mask = len(table) - 1
        slot = self._hashes[number] & mask
        while table[slot]:
            slot = (slot + 1) & mask
        table[slot] = number + 1
