"""The calendar of a simulation: what happens when, and in which order at the same moment."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

#: The order of what happens at one moment: the cluster changes, applications arrive or are killed, masters
#: call, nodes report (by their place in the cluster), the scheduler updates. It is fixed, so runs repeat.
CHANGE, ARRIVAL, KILL, CALL, HEARTBEAT, UPDATE = range(6)


class Calendar:
    """Events by time in ms, then by kind, then by `order`, then in the order in which they were put in."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, int, Any]] = []
        self._number = 0
        self._counts = [0] * (UPDATE + 1)

    def __bool__(self) -> bool:
        return bool(self._heap)

    def put(self, time: int, kind: int, what: Any, order: int = 0) -> None:
        """Puts an event in."""
        self._number += 1
        self._counts[kind] += 1
        heappush(self._heap, (time, kind, order, self._number, what))

    def next(self) -> tuple[int, int, int, Any]:
        """Returns time, kind, order and subject of the next event, and takes it out."""
        time, kind, order, _, what = heappop(self._heap)
        self._counts[kind] -= 1
        return time, kind, order, what

    def kinds(self) -> list[int]:
        """Returns the kinds of events that are still to come."""
        return [kind for kind, count in enumerate(self._counts) if count]

    @property
    def time(self) -> int:
        """The time of the next event."""
        return self._heap[0][0]
