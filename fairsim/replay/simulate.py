"""The simulated ResourceManager: nodes that report, masters that call, and updates, in simulated time.

Times are integer ms. Of it are Hadoop's: the scheduler, what a heartbeat carries, and when space is free again. A model
are: what masters do, how long they take to start, and when within its period a node reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop
from typing import Any

from fairsim.config.allocation import RawAllocation
from fairsim.model.cluster import Node as NodeSpec
from fairsim.model.workload import AppSpec, Stage
from fairsim.placement.rules import User
from fairsim.replay.events import ARRIVAL, CALL, CHANGE, HEARTBEAT, KILL, UPDATE
from fairsim.replay.hosts import Host, Running
from fairsim.replay.machines import Machines
from fairsim.replay.master import Master, Preferred
from fairsim.replay.scheduler import FINISH, InvalidAsk, Scheduler
from fairsim.replay.state import ANY, Container, ContainerId, fits
from fairsim.replay.watch import Times, Watcher


class Simulation(Machines):
    """One run: a scheduler, its nodes, and applications in the order of their arrival.

    `draw` gives the durations in ms of the containers of a stage, `places` for each of them the hosts and racks that
    it prefers. `plain`: every report and every update takes place. Else those are left out that do nothing, with the
    same outcome. Where waiting for locality is on, nodes that report in vain count, too, and none is left out; nor up
    to 3.1 where each report brings queues into another order.
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
        places: Callable[[AppSpec, Stage], Iterable[Sequence[Preferred]]],
        spread: bool = True,
        plain: bool = False,
    ):
        self.times = times = times or Times()
        super().__init__(scheduler, watcher, plain=plain)
        self.draw = draw
        self.places = places
        self.running: dict[int, Running] = {}
        self._apps = iter(apps)
        self._more = True  # there may be an application to come
        self._number = 0
        self.every_update = plain
        self._updated = -1  # the state of the scheduler at the last update
        self._next_update = self._updated_at = -1
        self._idle = 0
        self._seen = -1
        self._next_check = -1
        scheduler.add_nodes((spec.name, spec.rack, spec.capacity) for spec in nodes)
        for order, spec in enumerate(nodes):
            period = spec.heartbeat_ms or times.node
            self.host(spec.name, order, period * order // len(nodes) if spread else 0, period)
        self._next_arrival()

    # -- the loop

    def run(self, until: int | None = None) -> Iterator[int]:
        """Runs to the end, or to a time; yields the time now and then, for those who show how far it is."""
        calendar = self.calendar
        handlers: dict[int, Callable[[Any], None]] = {
            CHANGE: self._change, ARRIVAL: self._arrive, KILL: self._kill, CALL: self._call, HEARTBEAT: self._heartbeat,
            UPDATE: self._update,
        }  # fmt: skip
        steps = 0
        if self.every_update:
            calendar.put(0, UPDATE, None)
        ranks = self.scheduler.ranks
        while calendar and not self._over():
            time, kind, order, what = calendar.next()
            if until is not None and time > until:
                self.now = until
                return
            if kind == HEARTBEAT and what.beat != time:
                continue  # it is to report at another time by now
            if ranks is not None and ranks.sorts:
                self._reports_between(time, kind, order)
            self.moment = max(self.moment, (time, kind, order))  # what a report leads to comes after it
            self.now = self.scheduler.clock = time
            handlers[kind](what)
            self._hand_on()
            steps += 1
            if steps % 1000 == 0:
                yield time
        if until is not None and self.running:  # nothing happens any more
            self.now = max(self.now, until)

    def _over(self) -> bool:
        if not self.running and not self._more:
            return True
        # where every node reports, all has been tried when nothing changes for so long
        return self.every_report and not self.every_update and self._idle > 4 * len(self.hosts) + 1000

    def _reports_between(self, time: int, kind: int, order: int) -> None:
        """Nodes have reported in vain since the last event; up to 3.1 that sorts the lists of queues."""
        ranks = self.scheduler.ranks
        if ranks is not None and not self.every_report:
            everyone = self.rooms.of(frozenset(), True, self.hosts.values())
            found = everyone.next(self.moment, HEARTBEAT, -2)
            if found is not None and (found[0], HEARTBEAT, found[1].order) < (time, kind, order):
                ranks.walked()

    def _hand_on(self) -> None:
        """Tells the watcher what was decided, and orders the reports and the update that may change something."""
        scheduler = self.scheduler
        if scheduler.decisions:
            for decision in scheduler.decisions:
                self.watcher.decided(self.now, decision)
                if decision.kind == FINISH and decision.container is not None:
                    self._lost(decision.container, decision.detail)
            scheduler.decisions.clear()
        if scheduler.version != self._seen:
            self._idle = 0
            self._seen = scheduler.version
        if not self.every_report:
            self._order_reports()
        if not self.every_update and scheduler.version != self._updated and self._next_update < 0:
            period = self.times.update
            now = self.now
            self._next_update = -(-now // period) * period
            if self._next_update == now and self._updated_at == now:
                self._next_update += period
            self.calendar.put(self._next_update, UPDATE, None)

    def _order_reports(self) -> None:
        """Sees to it that the next node that could get something, or has to be let go, reports."""
        scheduler, rooms = self.scheduler, self.rooms
        ranks = scheduler.ranks
        assert ranks is not None
        ranks.settle()
        if ranks.drifts:
            self.every_report = True
            for one in self.hosts.values():
                self.report(one, self.next_report(one))
            return
        if scheduler.touched:
            for node in scheduler.touched:
                host = self.hosts.get(node.name)
                if host is not None:
                    rooms.look_at(host)
                    if node.reserved is not None:
                        ranks.touched.append(node)
            scheduler.touched.clear()
        for node in ranks.due():
            host = self.hosts[node.name]
            if host.tried != scheduler.version:
                self.report(host, self.next_report(host))
        rank = scheduler.root.rank
        if rank.sizes:
            room = rooms.of(rank.sizes, bool(rank.held), self.hosts.values())
            found = rooms.next(room, self.moment, HEARTBEAT, scheduler.version)
            if found is not None:
                self.report(found[1], found[0])

    def _change(self, what: Callable[[], None]) -> None:
        what()

    def reload(self, raw: RawAllocation) -> None:
        """The file is another one. Raises HalfReloaded where Hadoop does not come to the end."""
        self._order_check()
        self.scheduler.reload(raw)

    def _order_check(self) -> None:
        """The file is looked at every ten seconds, and with it queues made on the fly that may go again."""
        if self._next_check < 0 and self.scheduler.profile.features.dynamic_queues:
            period = self.times.check
            self._next_check = (self.now // period + 1) * period
            self.calendar.put(self._next_check, CHANGE, self._check)

    def _check(self) -> None:
        self._next_check = -1
        self.scheduler.check()

    def at(self, time: int, what: Callable[[], None]) -> None:
        """Has something done at a time: a change of the cluster or of the file."""
        self.calendar.put(time, CHANGE, what)

    def _update(self, _: None) -> None:
        now = self.now
        self._next_update = -1
        self._updated_at = now
        if self.every_update:
            self.calendar.put(now + self.times.update, UPDATE, None)
        self.scheduler.update()
        self._updated = self.scheduler.version
        self.watcher.updated(now)

    # -- nodes

    def _heartbeat(self, host: Host) -> None:
        host.beat = -1
        if self.hosts.get(host.name) is not host:
            return
        scheduler, now = self.scheduler, self.now
        if self._idle >= 0 and self.every_report:
            self._idle = self._idle + 1 if self._quiet() else 0
        ended, host.ended, host.killed = host.ended, host.killed, []
        ending = host.ending
        while ending and ending[0][0] <= now:
            container = heappop(ending)[2]
            if container.live:
                ended.append(container.id)
        started: Sequence[ContainerId] = ()
        if host.started:
            started = list(host.started)
            host.started.clear()
        before = scheduler.version
        scheduler.heartbeat(host.name, started, ended)
        host.tried = scheduler.version if scheduler.version == before else -1
        for attempt in scheduler.fresh:
            running = self.running.get(attempt.app)
            if running is not None:
                self._has_containers(running)
        scheduler.fresh.clear()
        if self.every_report or host.ended:
            self.report(host, now + host.period)
        elif ending:
            self.report(host, self.next_report(host, ending[0][0]))

    def _quiet(self) -> bool:
        return all(kind in (HEARTBEAT, UPDATE) for kind in self.calendar.kinds())

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
        running = self.running[number] = Running(spec, number, attempt, master)
        if spec.kill_after_ms is not None:
            self.calendar.put(self.now + spec.kill_after_ms, KILL, running)
        if spec.am is None:
            self._first_call(running, self.now)

    def _first_call(self, running: Running, time: int) -> None:
        running.first_call = time
        self._order_call(running, time)

    def _order_call(self, running: Running, earliest: int) -> None:
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

    def _has_containers(self, running: Running) -> None:
        attempt = running.attempt
        if running.first_call < 0 and attempt.master is not None:
            self.begin(attempt.master)
            self._first_call(running, self.now + self.times.master_start)
        elif attempt.new:
            self._order_call(running, self.now)

    def _call(self, running: Running) -> None:
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
        for ask in asks:
            if ask.where == ANY:
                more = ask.containers - running.attempt.asked(ask.key, ANY)
                self.watcher.asked(self.now, running.attempt, ask.key, more)
        if any(not fits(ask.size, most) for ask in asks):
            self._over_with(running, "failed")
            return
        try:
            given = scheduler.allocate(running.number, asks)
        except InvalidAsk:
            self._over_with(running, "failed")
            return
        for container in given:
            self.begin(container)
            took = master.start(container)
            if took is not None:
                self.ends(container, self.now + took)
        self._plan(running)

    def _plan(self, running: Running) -> None:
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

    def _again(self, running: Running) -> None:
        """The master is lost: a second attempt begins, and does again what had not ended."""
        scheduler = self.scheduler
        self._stop(running)
        scheduler.remove_attempt(running.number)
        for stage in running.master.stages:
            for container in list(stage.running):
                running.master.end(container, lost=True)
            stage.asked = 0
        running.first_call = running.queued = -1
        try:
            running.attempt = scheduler.add_attempt(running.number, running.attempt.number + 1)
        except InvalidAsk:  # another file lets its queue have none of what its master needs
            running.attempt = scheduler.attempts[running.number]
            self._over_with(running, "failed")

    def _kill(self, running: Running) -> None:
        if self.running.get(running.number) is running:
            self._over_with(running, "killed")

    def _over_with(self, running: Running, how: str) -> None:
        del self.running[running.number]
        self._stop(running)
        queue = running.attempt.queue
        self.scheduler.remove_app(running.number)
        if not queue.static and not queue.assigned:
            self._order_check()
        self.watcher.ended(self.now, running.spec, how)

    def _stop(self, running: Running) -> None:
        """What still runs of an application ends: the master by itself, the others when their nodes are told."""
        master = running.attempt.master
        for container in running.attempt.live.values():
            host = self.hosts.get(container.node.name)
            if host is None:
                continue
            self.note_started(host)
            host.started.pop(container.id, None)
            if container.acquired:
                if container is master:
                    host.ended.append(container.id)
                else:
                    host.killed.append(container.id)
                self.report(host, self.next_report(host))


__all__ = ["Simulation", "Times", "Watcher"]
