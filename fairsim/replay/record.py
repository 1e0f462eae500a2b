"""What is remembered of a run: numbers for each queue, user and the cluster, none of them grows with the workload.

Sums over time are exact: usage, shares and numbers of applications change at moments, and each stretch between two of
them counts with its length.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from fairsim.model.resources import Amount
from fairsim.model.workload import AppSpec
from fairsim.placement.submission import Landing
from fairsim.replay.decisions import ALLOCATE, FINISH, RESERVE, UNRESERVE, Decision
from fairsim.replay.scheduler import Scheduler
from fairsim.replay.spread import Spread
from fairsim.replay.state import Attempt, Container, Key, QueueState, add, subtract
from fairsim.shares.solve import divided_types, solve

FINISHED, KILLED, FAILED, REFUSED = "finished", "killed", "failed", "refused"


class Tally:
    """Applications and waits of a queue, a user or all. Waits in ms.

    master: from arrival to the container of the master; first: from arrival to the first container beside it;
    container: from asking to getting one; whole: from arrival to the end.
    """

    __slots__ = (
        "apps", "container", "containers", "ended", "first", "lost", "master", "pending", "pending_ms", "running",
        "running_ms", "since", "whole",
    )  # fmt: skip

    def __init__(self) -> None:
        self.apps = self.pending = self.running = self.containers = self.lost = 0
        self.pending_ms = self.running_ms = self.since = 0
        self.ended = {FINISHED: 0, KILLED: 0, FAILED: 0, REFUSED: 0}
        self.master, self.first, self.container, self.whole = Spread(), Spread(), Spread(), Spread()

    def count(self, time: int, pending: int, running: int) -> None:
        """So many more applications wait for their master, or run."""
        self.until(time)
        self.pending += pending
        self.running += running

    def until(self, time: int) -> None:
        """Brings the sums over time up to a moment."""
        self.pending_ms += self.pending * (time - self.since)
        self.running_ms += self.running * (time - self.since)
        self.since = time


class QueueRecord(Tally):
    """A queue: besides, usage against its shares.

    `used_ms` and `share_ms` are sums over the time in which it wants something, `short_ms` is the time in which it
    uses less than its share while it wants more, `masters_ms` that in which nothing but masters runs in it and some
    still wait, `held_ms` that in which a running limit holds applications back.
    """

    __slots__ = ("at", "demand", "held", "held_ms", "kinds", "leaf", "masters_ms", "most", "name", "only_masters",
                 "share", "share_ms", "short_ms", "state", "steady", "used", "used_ms", "wants_ms")  # fmt: skip

    def __init__(self, state: QueueState, kinds: range, zero: Amount):
        super().__init__()
        self.state = state
        self.name = state.name
        self.leaf = state.leaf
        self.kinds = kinds
        self.used = self.share = self.demand = self.steady = self.most = zero
        self.used_ms = self.share_ms = zero
        self.wants_ms = self.short_ms = self.masters_ms = self.held_ms = self.at = 0
        self.only_masters = self.held = False

    def look(self) -> None:
        """Takes note of what is true from now on."""
        state = self.state
        self.held = bool(state.waiting)
        self.only_masters = self.leaf and self.pending > 0 and any(self.used) and state.am_used == self.used

    def settle(self, time: int) -> None:
        """Counts the stretch up to a moment, with what has been true in it."""
        length = time - self.at
        if not length:
            return
        self.at = time
        if self.held:
            self.held_ms += length
        used, demand = self.used, self.demand
        if not (any(used) or any(demand)):
            return
        self.wants_ms += length
        self.used_ms = tuple([total + part * length for total, part in zip(self.used_ms, used, strict=True)])
        self.share_ms = tuple([total + part * length for total, part in zip(self.share_ms, self.share, strict=True)])
        if any(demand[kind] > used[kind] for kind in self.kinds):
            if all(used[kind] < self.share[kind] for kind in self.kinds):
                self.short_ms += length
            if self.only_masters:
                self.masters_ms += length


class AppRecord:
    """An application that is not over."""

    __slots__ = ("asked", "first", "got", "master", "place", "queue", "spec", "tallies")

    def __init__(self, spec: AppSpec, queue: QueueRecord, tallies: list[Tally]):
        self.spec = spec
        self.queue = queue
        self.tallies = tallies
        self.master = self.first = -1  # when it got its master, and the first container beside it
        self.got = 0
        self.asked: dict[Key, deque[list[int]]] = {}  # time and number of what is asked for and not given

    def delay(self, key: Key, time: int) -> int | None:
        """Returns how long the container given now was asked for."""
        waiting = self.asked.get(key)
        if not waiting:
            return None
        since = waiting[0]
        since[1] -= 1
        if not since[1]:
            waiting.popleft()
        return time - since[0]


class Recorder:
    """Looks on a simulation, and remembers. `steady` are the steady shares, by name."""

    def __init__(self, scheduler: Scheduler, also: Callable[[int, str, object], None] | None = None):
        self.scheduler = scheduler
        self.also = also  # is told everything: of time, what, and the thing itself
        self.queues: dict[str, QueueRecord] = {}
        self.users: dict[str, Tally] = {}
        self.total = Tally()
        self.running: dict[int, AppRecord] = {}
        self.by_id: dict[str, int] = {}
        self.number = 0
        self.time = 0
        self.updates = 0
        self.room_ms = scheduler.zero  # capacity over time
        self._room, self._room_at = scheduler.cluster, 0
        self.kept: dict[str, int] = {}  # nodes kept for a container, and since when
        self.kept_ms = 0
        self.refusals: dict[str, int] = {}
        for state in scheduler.queues.values():
            self.queue(state)
        self.set_steady()

    def queue(self, state: QueueState) -> QueueRecord:
        """Returns what is remembered of a queue."""
        record = self.queues.get(state.name)
        if record is None or record.state is not state:
            kinds = divided_types(self.scheduler.tree, state.policy)
            new = QueueRecord(state, kinds, self.scheduler.zero)
            new.at = new.since = self.time
            if record is not None:  # it was dropped, and made again
                record.settle(self.time)
                for name in ("used_ms", "share_ms", "wants_ms", "short_ms", "masters_ms", "held_ms", "most"):
                    setattr(new, name, getattr(record, name))
                for name in Tally.__slots__:
                    setattr(new, name, getattr(record, name))
            record = self.queues[state.name] = new
            record.share, record.demand = state.share, state.demand
        return record

    def set_steady(self) -> None:
        """Works out the steady shares of the queues that there are."""
        shares = solve(self.scheduler.tree, self.scheduler.cluster)
        for queue, share in zip(shares.queues, shares.steady, strict=True):
            if queue.name in self.queues:
                self.queues[queue.name].steady = share

    def path(self, state: QueueState) -> Iterator[QueueRecord]:
        """Yields what is remembered of a queue and of those above it."""
        queue: QueueState | None = state
        while queue is not None:
            yield self.queue(queue)
            queue = queue.parent

    # -- what happens

    def submitted(self, time: int, spec: AppSpec, landing: Landing) -> None:
        """An application came, and was placed or not."""
        self.time = time
        self.number += 1
        if landing.made:
            self.set_steady()
        user = self.users.get(spec.user)
        if user is None:
            user = self.users[spec.user] = Tally()
        known = self.scheduler.apps.get(self.number)
        tallies = [self.total, user, *(self.path(known.queue) if known is not None else ())]
        for tally in tallies:
            tally.apps += 1
            if known is None:
                tally.ended[REFUSED] += 1
            else:
                tally.count(time, 1, 0)
        if known is None:
            self.refusals[landing.code] = self.refusals.get(landing.code, 0) + 1
        else:
            queue = self.queue(known.queue)
            self.running[self.number] = AppRecord(spec, queue, tallies)
            self.by_id[spec.id] = self.number
            self._renew(queue, time)
        if self.also is not None:
            self.also(time, "submitted", (self.number, spec, landing))

    def asked(self, time: int, attempt: Attempt, key: Key, more: int) -> None:
        """A master asks for so many containers more."""
        app = self.running.get(attempt.app)
        if app is not None and more > 0:
            app.asked.setdefault(key, deque()).append([time, more])
        if self.also is not None:
            self.also(time, "asked", (attempt.app, key, more))

    def decided(self, time: int, decision: Decision) -> None:
        """The scheduler decided something."""
        self.time = time
        container = decision.container
        if container is not None:
            if decision.kind == ALLOCATE:
                self._given(time, container)
            elif decision.kind == FINISH:
                self._taken(time, container, decision.detail)
            elif decision.kind == RESERVE:
                self.kept[container.node.name] = time
            elif decision.kind == UNRESERVE:
                self.kept_ms += time - self.kept.pop(container.node.name, time)
        if self.also is not None:
            self.also(time, "decided", decision)

    def _given(self, time: int, container: Container) -> None:
        node = container.node.name
        if node in self.kept and container.node.reserved is None:
            self.kept_ms += time - self.kept.pop(node)
        self._use(time, container, add)
        app = self.running.get(container.attempt.app)
        if app is None:
            return
        spec = app.spec
        master = container.attempt.managed and app.master < 0
        delay = None if master else app.delay(container.key, time)
        app.got += 1
        starts = app.master < 0
        if starts:
            app.master = time
        for tally in app.tallies:
            tally.containers += 1
            if starts:
                tally.count(time, -1, 1)
                if master:
                    tally.master.add(time - spec.arrival_ms)
            if not master:
                if app.first < 0:
                    tally.first.add(time - spec.arrival_ms)
                if delay is not None:
                    tally.container.add(delay)
        if not master and app.first < 0:
            app.first = time

    def _taken(self, time: int, container: Container, code: int) -> None:
        self._use(time, container, subtract)
        app = self.running.get(container.attempt.app)
        if app is not None and code != 0:
            for tally in app.tallies:
                tally.lost += 1

    def _use(self, time: int, container: Container, change: Callable[[Amount, Amount], Amount]) -> None:
        size = container.size
        for record in self.path(container.attempt.queue):
            record.settle(time)
            record.used = used = change(record.used, size)
            if used[0] > record.most[0]:
                record.most = used
            if record.leaf:
                record.look()

    def handed(self, time: int, container: Container) -> None:
        """A container begins to work."""
        if self.also is not None:
            self.also(time, "handed", container)

    def updated(self, time: int) -> None:
        """Shares and demands are new."""
        self.time = time
        self.updates += 1
        scheduler = self.scheduler
        if scheduler.renewed:
            for state in scheduler.renewed:
                record = self.queue(state)
                record.settle(time)
                record.share, record.demand = state.share, state.demand
                record.look()
            scheduler.renewed.clear()
        if scheduler.cluster != self._room:
            self._count_room(time)
            self.set_steady()
        if self.also is not None:
            self.also(time, "updated", None)

    def _count_room(self, time: int) -> None:
        length = time - self._room_at
        self.room_ms = tuple([total + part * length for total, part in zip(self.room_ms, self._room, strict=True)])
        self._room, self._room_at = self.scheduler.cluster, time

    def ended(self, time: int, spec: AppSpec, how: str) -> None:
        """An application is over: finished, killed or failed."""
        self.time = time
        number = self.by_id.pop(spec.id)
        app = self.running.pop(number)
        waits = app.master < 0
        for tally in app.tallies:
            tally.count(time, -waits, -(not waits))
            tally.ended[how] += 1
            tally.whole.add(time - spec.arrival_ms)
        self._renew(app.queue, time)
        if self.also is not None:
            self.also(time, "ended", (number, spec, how))

    @staticmethod
    def _renew(queue: QueueRecord, time: int) -> None:
        queue.settle(time)
        queue.look()

    def close(self, time: int) -> None:
        """The run is over, or as far as it is looked at."""
        self.time = time
        self._count_room(time)
        for record in self.queues.values():
            record.settle(time)
        for tally in (self.total, *self.users.values(), *self.queues.values()):
            tally.until(time)
        for since in self.kept.values():
            self.kept_ms += time - since
        self.kept.clear()
