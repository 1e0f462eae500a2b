"""The nodes of a simulation: when they report, and what of.

A report is put into the calendar where it may change something: when a container has ended, or could be given. Until it
comes, what it would have told is told when somebody asks.
"""

from __future__ import annotations

from heapq import heappush

from fairsim.model.cluster import Node as NodeSpec
from fairsim.replay.events import HEARTBEAT, UPDATE, Calendar
from fairsim.replay.hosts import Host
from fairsim.replay.rooms import Moment, Rooms
from fairsim.replay.scheduler import Scheduler
from fairsim.replay.state import Container
from fairsim.replay.watch import Times, Watcher


class Machines:
    """Nodes, the calendar, and the moment that it has come to."""

    times: Times

    def __init__(self, scheduler: Scheduler, watcher: Watcher, *, plain: bool):
        self.scheduler = scheduler
        self.watcher = watcher
        self.calendar = Calendar()
        self.now = 0
        self.moment: Moment = (-1, UPDATE, 0)
        self.hosts: dict[str, Host] = {}
        self.rooms = Rooms()
        self._begun = 0
        waits = scheduler.switches.node_threshold, scheduler.switches.rack_threshold
        self.every_report = plain or scheduler.ranks is None or min(waits) >= 0

    def host(self, name: str, order: int, phase: int, period: int) -> Host:
        host = self.hosts[name] = Host(self.scheduler.nodes[name], order, phase, period)
        if self.every_report:
            self.report(host, self.next_report(host))
        return host

    def add_node(self, spec: NodeSpec) -> None:
        """A node joins."""
        self.scheduler.add_node(spec.name, spec.rack, spec.capacity)
        period = spec.heartbeat_ms or self.times.node
        order = max((host.order for host in self.hosts.values()), default=-1) + 1
        host = self.host(spec.name, order, (self.now + 1) % period, period)
        self.rooms.look_at(host)

    def remove_node(self, name: str) -> None:
        """A node is lost, with all that runs there."""
        host = self.hosts.pop(name)
        self.rooms.look_at(host, gone=True)
        self.note_started(host)
        self.scheduler.remove_node(name)

    def report(self, host: Host, time: int) -> None:
        """Puts a report of a node into the calendar, unless one comes sooner."""
        if host.beat < 0 or time < host.beat:
            host.beat = time
            self.calendar.put(time, HEARTBEAT, host, host.order)

    def next_report(self, host: Host, earliest: int = 0) -> int:
        """Returns when a node reports next, after this moment and not before a time."""
        time = host.next_after(max(self.now, earliest))
        return time if (time, HEARTBEAT, host.order) > self.moment else time + host.period

    def ends(self, container: Container, time: int) -> None:
        """A container that has begun will have done its work at a time."""
        host = self.hosts[container.node.name]
        self._begun += 1
        heappush(host.ending, (time, self._begun, container))
        self.report(host, self.next_report(host, time))

    def note_started(self, host: Host) -> None:
        """Tells the scheduler which containers a node has reported as running, where its reports were left out."""
        for identity, time in list(host.started.items()):
            if (time, HEARTBEAT, host.order) <= self.moment:
                del host.started[identity]
                self.scheduler.note_started(host.name, identity)

    def begin(self, container: Container) -> None:
        """A container begins on its node."""
        host = self.hosts[container.node.name]
        host.started[container.id] = self.next_report(host)
        self.watcher.handed(self.now, container)
