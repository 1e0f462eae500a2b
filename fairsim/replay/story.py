"""What becomes of one application of a run, line by line."""

from __future__ import annotations

from typing import Any, NamedTuple

from fairsim.placement.submission import PLACED
from fairsim.replay.decisions import ALLOCATE, FINISH, RESERVE, RUNNABLE, UNRESERVE
from fairsim.replay.obstacle import obstacle
from fairsim.replay.scheduler import Scheduler
from fairsim.units import format_amount

MOST = 10_000


class Line(NamedTuple):
    """A moment in ms, and what happened."""

    time: int
    text: str


class Story:
    """Listens for one application, by its id; `lines` tell of it, `missed` how many more there would have been."""

    def __init__(self, scheduler: Scheduler, app_id: str):
        self.scheduler = scheduler
        self.id = app_id
        self.number = 0
        self.lines: list[Line] = []
        self.missed = 0
        self._last = ""

    def hear(self, time: int, what: str, thing: Any) -> None:
        """Takes notice of what happens."""
        if what == "submitted":
            number, spec, landing = thing
            if spec.id == self.id:
                self.number = number
                asked = f" for {spec.queue}" if spec.queue is not None else ""
                if landing.outcome == PLACED:
                    self._say(time, f"{spec.user} asks{asked}: placed in {landing.queue} by rule {landing.rule.name}")
                else:
                    self._say(time, f"{spec.user} asks{asked}: refused ({landing.code}): {landing.text}")
            return
        if not self.number:
            return
        if what == "updated":
            self._waits(time)
        elif what == "asked" and thing[0] == self.number:
            self._say(time, f"asks for {thing[2]} container{'s' * (thing[2] != 1)} of priority {thing[1][0]}")
        elif what == "decided" and thing.app == self.number:
            self._decided(time, thing)
        elif what == "ended" and thing[0] == self.number:
            self._say(time, f"is over: {thing[2]}")
            self.number = 0

    def _say(self, time: int, text: str) -> None:
        if len(self.lines) >= MOST:
            self.missed += 1
        else:
            self.lines.append(Line(time, text))

    def _decided(self, time: int, decision: Any) -> None:
        if decision.kind == RUNNABLE:
            self._say(time, "may run: no running limit holds it back any more")
            return
        container = decision.container
        size = format_amount(container.size, self.scheduler.tree.types)
        number = container.id[1]
        name = "its master" if number == 1 and container.attempt.managed else f"container {number}"
        node = container.node.name
        text = {
            ALLOCATE: f"gets {name}, {size}, on {node}",
            RESERVE: f"{node} is kept for {name}, {size}",
            UNRESERVE: f"{node} is no longer kept",
            FINISH: f"{name} on {node} ends" + (", killed" if decision.detail else ""),
        }[decision.kind]
        self._say(time, text)

    def _waits(self, time: int) -> None:
        attempt = self.scheduler.attempts.get(self.number)
        if attempt is None:
            return
        found = obstacle(self.scheduler, attempt)
        if found and found != self._last:
            self._say(time, f"waits for {found}")
        self._last = found
