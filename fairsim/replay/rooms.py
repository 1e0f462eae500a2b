"""Which nodes could get something, and which of them reports next."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairsim.model.resources import Amount
from fairsim.replay.state import fits

if TYPE_CHECKING:
    from fairsim.replay.hosts import Host

#: A moment: time in ms, kind of event, order among those of that kind.
Moment = tuple[int, int, int]
_KEPT = 32


class Room:
    """The hosts with room for one of some sizes, by when they report. `sizes` None: all that are not reserved."""

    __slots__ = ("hosts", "inside", "later", "sizes")

    def __init__(self, sizes: Iterable[Amount] | None, hosts: Iterable[Host]):
        self.sizes = None if sizes is None else tuple(sizes)
        self.hosts: dict[int, list[tuple[int, int, Host]]] = {}  # by period: phase, order, host
        self.inside: set[Host] = set()
        self.later: dict[Host, bool] = {}  # to be looked at before it is used again, and whether they are gone
        for host in hosts:
            if self._suits(host):
                self.inside.add(host)
                self.hosts.setdefault(host.period, []).append((host.phase, host.order, host))
        for ring in self.hosts.values():
            ring.sort(key=lambda entry: entry[:2])

    def _suits(self, host: Host) -> bool:
        node = host.node
        if node.reserved is not None:
            return False
        sizes = self.sizes
        if sizes is None:
            return True
        free = node.free
        for size in sizes:  # noqa: SIM110 - looked at for every node that changes, in every room
            if fits(size, free):
                return True
        return False

    def look_at(self, host: Host, *, gone: bool = False) -> bool:
        """Takes a host in or out; returns whether that is a change."""
        suits = not gone and self._suits(host)
        if suits == (host in self.inside):
            return False
        ring = self.hosts.setdefault(host.period, [])
        if suits:
            self.inside.add(host)
            insort(ring, (host.phase, host.order, host))
        else:
            self.inside.discard(host)
            del ring[bisect_left(ring, (host.phase, host.order))]
        return True

    def next(self, moment: Moment, kind: int, version: int) -> tuple[int, Host] | None:
        """Returns time and host of the next report after a moment of a host that did not get nothing at this version.

        `kind` is that of reports.
        """
        now, what, order = moment
        best: tuple[int, int, Host] | None = None
        for period, ring in self.hosts.items():
            phase = now % period
            if what < kind:
                start = bisect_left(ring, (phase,))
            elif what == kind:
                start = bisect_left(ring, (phase, order + 1))
            else:
                start = bisect_left(ring, (phase + 1,))
            count = len(ring)
            for step in range(count):
                place = start + step
                wraps = place >= count
                at, number, host = ring[place - count if wraps else place]
                if host.tried != version:
                    time = now - phase + at + (period if wraps else 0)
                    if best is None or (time, number) < best[:2]:
                        best = (time, number, host)
                    break
        return None if best is None else (best[0], best[2])


class Rooms:
    """The rooms for the sizes that are open now, and for some that were before."""

    def __init__(self) -> None:
        self.known: dict[frozenset[Amount] | None, Room] = {}
        self.least: dict[frozenset[Amount], frozenset[Amount]] = {}
        self.current: Room | None = None
        self.spent: tuple[Room, int] | None = None  # nobody is left in this room at this version

    def of(self, sizes: frozenset[Amount], anywhere: bool, hosts: Iterable[Host]) -> Room:
        """Returns the room for some sizes; `anywhere`: a full node may be of use, too."""
        key = None if anywhere else self._least(sizes)
        room = self.known.get(key)
        if room is None:
            if len(self.known) >= _KEPT:
                del self.known[next(iter(self.known))]
            room = self.known[key] = Room(key, hosts)
        if room is not self.current:
            self.current = room
            for host, gone in room.later.items():
                if room.look_at(host, gone=gone):
                    self.spent = None
            room.later.clear()
        return room

    def _least(self, sizes: frozenset[Amount]) -> frozenset[Amount]:
        """Returns the sizes that no other one fits into."""
        found = self.least.get(sizes)
        if found is None:
            if len(self.least) > 10_000:
                self.least.clear()
            found = self.least[sizes] = frozenset(
                size for size in sizes if not any(other != size and fits(other, size) for other in sizes)
            )
        return found

    def look_at(self, host: Host, *, gone: bool = False) -> None:
        """A host has other room than before, is kept or let go, or gone."""
        for room in self.known.values():
            if room is not self.current:
                room.later[host] = gone
            elif room.look_at(host, gone=gone):
                self.spent = None

    def next(self, room: Room, moment: Moment, kind: int, version: int) -> tuple[int, Host] | None:
        """Returns when which host of a room reports next; see `Room.next`."""
        if self.spent == (room, version):
            return None
        found = room.next(moment, kind, version)
        if found is None:
            self.spent = (room, version)
        return found
