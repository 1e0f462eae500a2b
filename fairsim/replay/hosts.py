"""What runs in a simulation: nodes as machines, and applications with their masters."""

from __future__ import annotations

from fairsim.model.workload import AppSpec
from fairsim.replay.master import Master
from fairsim.replay.state import Attempt, Container, ContainerId, Node


class Running:
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
    """A node as the machine it is: what it will report, and when.

    `started` are containers to be reported as running, with the time of that report; `ending` those that run, by when
    they end; `ended` those that have; `killed` is told at the next report, and they have ended by the one after.
    """

    __slots__ = ("beat", "ended", "ending", "killed", "name", "node", "order", "period", "phase", "started", "tried")

    def __init__(self, node: Node, order: int, phase: int, period: int):
        self.node = node
        self.name = node.name
        self.order = order
        self.phase = phase
        self.period = period
        self.beat = -1  # when it reports next, as far as the calendar knows
        self.started: dict[ContainerId, int] = {}
        self.ending: list[tuple[int, int, Container]] = []
        self.ended: list[ContainerId] = []
        self.killed: list[ContainerId] = []
        self.tried = -1  # the state of the scheduler at which it last got nothing

    def next_after(self, time: int) -> int:
        """Returns when it reports next, not before `time`."""
        return self.phase + -(-max(time - self.phase, 0) // self.period) * self.period
