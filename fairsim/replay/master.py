"""What a master does: it asks for the containers of its stages, runs them, and ends when all have ended.

A model of masters, none of Hadoop's: stages begin when those they come after have ended; of each stage no more than
`parallel` containers are asked for or running at once; what is lost is asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from fairsim.model.workload import AppSpec, Stage
from fairsim.replay.state import ANY, AskUpdate, Attempt, Container, Key

#: A host and its rack.
Preferred = tuple[str, str]


class StageRun:
    """How far a stage is: containers to be asked for, asked for, running, ended."""

    __slots__ = ("asked", "begun", "due", "durations", "ended", "key", "left", "places", "running", "stage")

    def __init__(self, stage: Stage, number: int):
        self.stage = stage
        self.key: Key = (stage.priority, number)
        self.begun = False
        self.due = -1  # when it begins, once what it comes after has ended
        self.left = list(range(stage.containers - 1, -1, -1))  # tasks not given to a container yet, the next one last
        self.asked = 0
        self.running: dict[Container, int] = {}
        self.ended = 0
        self.durations: Sequence[int] = ()
        self.places: Iterator[Sequence[Preferred]] = iter(())


class Master:
    """The master of one application.

    `draw` gives the durations in ms of a stage's containers, `places` for each of them the hosts that it prefers, with
    their racks (a rack alone has an empty host).
    """

    def __init__(self, spec: AppSpec, draw: Callable[[Stage], Sequence[int]],
                 places: Callable[[Stage], Iterable[Sequence[Preferred]]]):  # fmt: skip
        self.spec = spec
        self.draw = draw
        self.places = places
        self.stages = [StageRun(stage, number) for number, stage in enumerate(spec.stages)]
        self.by_key = {run.key: run for run in self.stages}
        self.by_name = {run.stage.name: run for run in self.stages}
        self.over_at: int | None = None

    def asks(self, now: int, attempt: Attempt) -> list[AskUpdate]:
        """Returns what it asks for at a call: containers of stages that have begun, as many as may run at once."""
        updates: list[AskUpdate] = []
        for run in self.stages:
            if not run.begun and not self._begins(run, now):
                continue
            stage = run.stage
            room = (stage.parallel or stage.containers) - run.asked - len(run.running)
            more = min(room, len(run.left) - run.asked)
            if more > 0:
                run.asked += more
                updates += self._updates(run, attempt, more)
        return updates

    def _begins(self, run: StageRun, now: int) -> bool:
        before = [self.by_name[name] for name in run.stage.after]
        total = sum(one.stage.containers for one in before)
        if before and sum(one.ended for one in before) < run.stage.slowstart * total:
            return False
        if run.due < 0:
            run.due = now + run.stage.delay_ms
        if now < run.due:
            return False
        run.begun = True
        run.durations = self.draw(run.stage)
        run.places = iter(self.places(run.stage))
        return True

    def next_due(self, now: int) -> int | None:
        """Returns when a stage begins that waits for nothing but time."""
        dues = [run.due for run in self.stages if not run.begun and run.due > now]
        return min(dues, default=None)

    def _updates(self, run: StageRun, attempt: Attempt, more: int) -> list[AskUpdate]:
        stage, key = run.stage, run.key
        wheres: dict[str, int] = {}
        for preferred in islice(run.places, more):
            for where in dict.fromkeys(where for place in preferred for where in place if where):
                wheres[where] = wheres.get(where, 0) + 1
        relax = stage.relax or not wheres
        updates = [
            AskUpdate(key, stage.size, attempt.asked(key, where) + count, where, relax)
            for where, count in wheres.items()
        ]
        updates.append(AskUpdate(key, stage.size, attempt.asked(key, ANY) + more, ANY, relax))
        return updates

    def start(self, container: Container) -> int | None:
        """A container is handed over: returns how long it runs in ms, None where it runs until the master ends it."""
        run = self.by_key[container.key]
        task = run.left.pop()
        run.asked -= 1
        run.running[container] = task
        return None if run.stage.mode == "hold" else run.durations[task]

    def end(self, container: Container, *, lost: bool) -> None:
        """A container has ended; what was lost is done again, unless the stage says `drop`."""
        run = self.by_key.get(container.key)
        if run is None or container not in run.running:
            return
        task = run.running.pop(container)
        if lost and run.stage.on_preempt != "drop":
            run.left.append(task)
        else:
            run.ended += 1

    def idle(self) -> bool:
        """Tells whether every stage that has an end has ended."""
        return all(run.ended >= run.stage.containers for run in self.stages if run.stage.mode != "hold")
