"""The simulated ResourceManager: nodes that report, masters that call, and updates, in simulated time.

Times are integer ms. Of it are Hadoop's: the scheduler, what a heartbeat carries, and when space is free again. A model
are: what masters do, how long they take to start, and when within its period a node reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from fairsim.model.cluster import Node as NodeSpec
from fairsim.model.workload import AppSpec, Stage
from fairsim.placement.rules import User
from fairsim.placement.submission import Landing
from fairsim.replay.events import ARRIVAL, CALL, CHANGE, END, HEARTBEAT, KILL, UPDATE, Calendar
from fairsim.replay.master import Master
from fairsim.replay.scheduler import FINISH, Decision, InvalidAsk, Scheduler
from fairsim.replay.state import Attempt, Container, ContainerId, Node, fits


class Times(NamedTuple):
    """Periods in ms: of updates, of nodes, of masters; and how long a master needs until its first call."""

    update: int = 500
    node: int = 1000
    master: int = 1000
    master_start: int = 3000


class Watcher(Protocol):
    """What looks on. `time` is the moment."""

    def submitted(self, time: int, spec: AppSpec, landing: Landing) -> None:
        """An application came, and was placed or not."""

    def decided(self, time: int, decision: Decision) -> None:
        """The scheduler decided something."""

    def handed(self, time: int, container: Container) -> None:
        """A container begins to work."""

    def updated(self, time: int) -> None:
        """Shares and demands are new."""

    def ended(self, time: int, spec: AppSpec, how: str) -> None:
        """An application is over: finished, killed or failed."""


class _Running:
    """An application that was accepted."""

    __slots__ = ("attempt", "called", "failed", "first_call", "master", "number", "queued", "spec")

    def __init__(self, spec: AppSpec, number: int, attempt: Attempt, master: Master):
        self.spec = spec
        self.number = number
        self.attempt = attempt
        self.master = master
        self.first_call = -1  # its calls are at this time and every period after it
        self.queued = -1  # when its next call is due, -1 for none
        self.called = -1
        self.failed = ""


class Host:
    """A node as the machine it is: what it will report, and when."""

    __slots__ = ("asleep", "ended", "killed", "name", "node", "order", "period", "phase", "started", "tried")

    def __init__(self, node: Node, order: int, phase: int, period: int):
        self.node = node
        self.name = node.name
        self.order = order
        self.phase = phase
        self.period = period
        self.started: list[ContainerId] = []  # to be reported as running
        self.ended: list[ContainerId] = []  # to be reported as ended
        self.killed: list[ContainerId] = []  # it is told at its next report, and they have ended by the one after
        self.asleep = False
        self.tried = -1  # the state of the scheduler at which it last got nothing

    def next_after(self, time: int) -> int:
        """Returns when it reports next, not before `time`."""
        return self.phase + -(-max(time - self.phase, 0) // self.period) * self.period


class Simulation:
    """One run: a scheduler, its nodes, and applications in the order of their arrival.

    `draw` gives the durations in ms of the containers of a stage, `places` host and rack that one of its containers
    prefers. `changes` are calls that change the cluster, by time.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        nodes: Sequence[NodeSpec],
        apps: Iterable[AppSpec],
        watcher: Watcher,
        *,
        times: Times | None = None,
        draw: Callable[[AppSpec, Stage], Sequence[int]],
        places: Callable[[AppSpec, Stage], Sequence[tuple[str, str]]],
        spread: bool = True,
    ):
        self.scheduler = scheduler
        self.watcher = watcher
        self.times = times = times or Times()
        self.draw = draw
        self.places = places
        self.calendar = Calendar()
        self.now = 0
        self.hosts: dict[str, Host] = {}
        self.running: dict[int, _Running] = {}
        self._apps = iter(apps)
        self._more = True  # there may be an application to come
        self._number = 0
        self._sleepers: list[Host] = []
        self._seen = self._updated = -1  # states of the scheduler: at the last event, at the last update
        self._next_update = self._updated_at = -1
        waits = scheduler.switches.node_threshold, scheduler.switches.rack_threshold
        self._counts_chances = min(waits) >= 0  # then a report that brings nothing counts, too
        self._idle = 0
        for order, spec in enumerate(nodes):
            scheduler.add_node(spec.name, spec.rack, spec.capacity)
            period = spec.heartbeat_ms or times.node
            phase = period * order // len(nodes) if spread else 0
            host = Host(scheduler.nodes[spec.name], order, phase, period)
            self.hosts[spec.name] = host
            self.calendar.put(host.phase, HEARTBEAT, host, order)
        self._next_arrival()

    # -- the loop

    def run(self, until: int | None = None) -> Iterator[int]:
        """Runs to the end, or to a time; yields the time now and then, for those who show how far it is."""
        calendar = self.calendar
        handlers: dict[int, Callable[[Any], None]] = {
            CHANGE: self._change, ARRIVAL: self._arrive, KILL: self._kill, END: self._end, CALL: self._call,
            HEARTBEAT: self._heartbeat, UPDATE: self._update,
        }  # fmt: skip
        steps = 0
        while calendar and not self._over():
            if until is not None and calendar.time > until:
                self.now = until
                return
            self.now, kind, what = calendar.next()
            self.scheduler.clock = self.now
            handlers[kind](what)
            self._hand_on()
            steps += 1
            if steps % 1000 == 0:
                yield self.now

    def _over(self) -> bool:
        if not self.running and not self._more:
            return True
        # where chances are counted nodes never sleep: all has been tried when nothing changes for so long
        return self._idle > 4 * len(self.hosts) + 1000

    def _hand_on(self) -> None:
        """Tells the watcher what was decided, wakes nodes that may get something now, and orders an update."""
        scheduler = self.scheduler
        for decision in scheduler.decisions:
            self.watcher.decided(self.now, decision)
            if decision.kind == FINISH and decision.container is not None:
                self._lost(decision.container, decision.detail)
        scheduler.decisions.clear()
        if scheduler.version != self._seen:
            self._idle = 0
            self._seen = scheduler.version
            for host in self._sleepers:
                host.asleep = False
                self.calendar.put(host.next_after(self.now), HEARTBEAT, host, host.order)
            self._sleepers.clear()
        if scheduler.version != self._updated and self._next_update < 0:
            period = self.times.update
            self._next_update = -(-self.now // period) * period
            if self._next_update == self.now and self._updated_at == self.now:
                self._next_update += period
            self.calendar.put(self._next_update, UPDATE, None)

    def _change(self, what: Callable[[], None]) -> None:
        what()

    def _update(self, _: None) -> None:
        self._next_update = -1
        self._updated_at = self.now
        self.scheduler.update()
        self._updated = self.scheduler.version
        self.watcher.updated(self.now)

    # -- nodes

    def _heartbeat(self, host: Host) -> None:
        if host.asleep or self.hosts.get(host.name) is not host:
            return
        scheduler = self.scheduler
        quiet = not host.started and not host.ended and not host.killed
        if quiet and host.tried == scheduler.version:
            if not self._counts_chances:
                host.asleep = True
                self._sleepers.append(host)
                return
            if all(kind in (HEARTBEAT, UPDATE) for kind in self.calendar.kinds()):
                self._idle += 1
        started, ended = host.started, host.ended
        host.started, host.ended, host.killed = [], host.killed, []
        before = scheduler.version
        scheduler.heartbeat(host.name, started, ended)
        host.tried = scheduler.version if scheduler.version == before else -1
        for attempt in scheduler.fresh:
            running = self.running.get(attempt.app)
            if running is not None:
                self._has_containers(running)
        scheduler.fresh.clear()
        self.calendar.put(self.now + host.period, HEARTBEAT, host, host.order)

    def _wake(self, host: Host) -> None:
        if host.asleep:
            host.asleep = False
            self._sleepers.remove(host)
            self.calendar.put(host.next_after(self.now), HEARTBEAT, host, host.order)

    def _end(self, container: Container) -> None:
        """A container has done its work: its node says so at its next report."""
        host = self.hosts.get(container.node.name)
        if host is None or not container.live:
            return
        if container.id in host.started:
            host.started.remove(container.id)
        host.ended.append(container.id)
        self._wake(host)

    # -- applications

    def _next_arrival(self) -> None:
        spec = next(self._apps, None)
        if spec is None:
            self._more = False
        else:
            self.calendar.put(spec.arrival_ms, ARRIVAL, spec)

    def _arrive(self, spec: AppSpec) -> None:
        self._number += 1
        number = self._number
        self._next_arrival()
        scheduler = self.scheduler
        user = User(spec.user, spec.groups if spec.groups is not None else (spec.user,))
        landing = scheduler.submit(number, user, spec.queue, spec.am)
        self.watcher.submitted(self.now, spec, landing)
        if number not in scheduler.apps:
            return
        attempt = scheduler.add_attempt(number)
        master = Master(spec, lambda stage: self.draw(spec, stage), lambda stage: self.places(spec, stage))
        running = self.running[number] = _Running(spec, number, attempt, master)
        if spec.kill_after_ms is not None:
            self.calendar.put(self.now + spec.kill_after_ms, KILL, running)
        if spec.am is None:
            self._first_call(running, self.now)

    def _first_call(self, running: _Running, time: int) -> None:
        running.first_call = time
        self._order_call(running, time)

    def _order_call(self, running: _Running, earliest: int) -> None:
        """Puts the next call of a master into the calendar, at its next turn not before a time."""
        if running.first_call < 0:
            return
        period = self.times.master
        time = running.first_call + -(-max(earliest - running.first_call, 0) // period) * period
        if time == running.called:
            time += period
        if running.queued < 0 or time < running.queued:
            running.queued = time
            self.calendar.put(time, CALL, running)

    def _has_containers(self, running: _Running) -> None:
        attempt = running.attempt
        if running.first_call < 0 and attempt.master is not None:
            self._begin(attempt.master)
            self._first_call(running, self.now + self.times.master_start)
        elif attempt.new:
            self._order_call(running, self.now)

    def _begin(self, container: Container) -> None:
        """A container begins on its node."""
        host = self.hosts[container.node.name]
        host.started.append(container.id)
        self._wake(host)
        self.watcher.handed(self.now, container)

    def _call(self, running: _Running) -> None:
        if running.queued != self.now or self.running.get(running.number) is not running:
            return
        running.queued = -1
        running.called = self.now
        master, scheduler = running.master, self.scheduler
        if master.over_at is not None and self.now >= master.over_at:
            self._over_with(running, "finished")
            return
        asks = master.asks(self.now, running.attempt)
        most = scheduler.largest_in(running.attempt.queue)
        if any(not fits(ask.size, most) for ask in asks):
            self._over_with(running, "failed")
            return
        try:
            given = scheduler.allocate(running.number, asks)
        except InvalidAsk:
            self._over_with(running, "failed")
            return
        for container in given:
            self._begin(container)
            took = master.start(container)
            if took is not None:
                self.calendar.put(self.now + took, END, container)
        self._plan(running)

    def _plan(self, running: _Running) -> None:
        """Orders the next call where the master knows one, and the end when all is done."""
        master = running.master
        if master.idle() and master.over_at is None:
            master.over_at = self.now + running.spec.hold_ms
        if master.over_at is not None:
            if master.over_at <= self.now:
                self._over_with(running, "finished")
            else:
                self._order_call(running, master.over_at)
            return
        due = master.next_due(self.now)
        if due is not None:
            self._order_call(running, due)

    def _lost(self, container: Container, code: int) -> None:
        """A container has ended, and the ResourceManager knows: its master hears of it at its next call."""
        running = self.running.get(container.attempt.app)
        if running is None or container.attempt is not running.attempt:
            return
        if container is running.attempt.master:
            if not running.attempt.stopped:
                self._again(running)
            return
        if not container.acquired:
            return
        running.master.end(container, lost=code != 0)
        self._order_call(running, self.now)

    def _again(self, running: _Running) -> None:
        """The master is lost: a second attempt begins, and does again what had not ended."""
        scheduler = self.scheduler
        self._stop(running)
        scheduler.remove_attempt(running.number)
        for stage in running.master.stages:
            for container in list(stage.running):
                running.master.end(container, lost=True)
            stage.asked = 0
        running.attempt = scheduler.add_attempt(running.number, running.attempt.number + 1)
        running.first_call = running.queued = -1

    def _kill(self, running: _Running) -> None:
        if self.running.get(running.number) is running:
            self._over_with(running, "killed")

    def _over_with(self, running: _Running, how: str) -> None:
        del self.running[running.number]
        self._stop(running)
        self.scheduler.remove_app(running.number)
        self.watcher.ended(self.now, running.spec, how)

    def _stop(self, running: _Running) -> None:
        """What still runs of an application ends: the master by itself, the others when their nodes are told."""
        master = running.attempt.master
        for container in running.attempt.live.values():
            host = self.hosts.get(container.node.name)
            if host is None:
                continue
            if container.id in host.started:
                host.started.remove(container.id)
            if container.acquired:
                (host.ended if container is master else host.killed).append(container.id)
                self._wake(host)
