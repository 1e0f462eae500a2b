"""Small workloads in simulated time, whose course can be worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from fairsim.model.cluster import Node
from fairsim.model.workload import AppSpec, Stage
from fairsim.placement.submission import Landing
from fairsim.replay.scheduler import ALLOCATE, FINISH, Decision
from fairsim.replay.simulate import Simulation, Times
from fairsim.replay.state import Attempt, Container, Key
from tests.replay.small import Small

SECOND = 1000


class Diary:
    """Writes down what happens, and when."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []

    def submitted(self, time: int, spec: AppSpec, landing: Landing) -> None:
        self.lines.append((time, f"{spec.id} {landing.outcome} {landing.queue}"))

    def asked(self, time: int, attempt: Attempt, key: Key, more: int) -> None:
        pass

    def decided(self, time: int, decision: Decision) -> None:
        if decision.kind in (ALLOCATE, FINISH) and decision.container is not None:
            self.lines.append((time, f"{decision.kind} {decision.app}.{decision.container.id[1]}"))

    def handed(self, time: int, container: Container) -> None:
        pass

    def updated(self, time: int) -> None:
        pass

    def ended(self, time: int, spec: AppSpec, how: str) -> None:
        self.lines.append((time, f"{spec.id} {how}"))


def simulated(apps: Sequence[AppSpec], inner: str = "<queue name='a'/>", took: int = 10 * SECOND, nodes: int = 1,
              until: int | None = None) -> tuple[Diary, Simulation]:  # fmt: skip
    """Returns what happens to a workload on nodes of 8 GB; every container runs `took` ms."""
    small, diary = Small(inner), Diary()
    simulation = Simulation(
        small.scheduler, [Node(f"n{number}", "/r", (8192, 8)) for number in range(nodes)], apps, diary,
        times=Times(), draw=lambda spec, stage: [took] * stage.containers, places=lambda spec, stage: (),
    )  # fmt: skip
    for _ in simulation.run(until):
        pass
    return diary, simulation


def app(name: str, *stages: Stage, arrival: int = 0, **more: object) -> AppSpec:
    return AppSpec(name, arrival, "u", stages, "a", **more)  # type: ignore[arg-type]


def test_the_course_of_one_application() -> None:
    diary, simulation = simulated([app("x", Stage("s", 2, (1024, 1)))])
    assert diary.lines == [
        (0, "x placed root.a"),
        (1 * SECOND, "allocate 1.1"),  # the first heartbeat after the update that saw it
        (5 * SECOND, "allocate 1.2"),  # its master calls at 4 s; the update is at the end of that moment
        (6 * SECOND, "allocate 1.3"),
        (15 * SECOND, "finish 1.2"),  # handed over at 5 s, ended at 15 s, and the node says so at once
        (16 * SECOND, "finish 1.3"),
        (16 * SECOND, "x finished"),
        (16 * SECOND, "finish 1.1"),
    ]
    assert simulation.scheduler.nodes["n0"].free == (7168, 7)  # until the node tells that the master has ended


def test_stages_wait_for_those_before() -> None:
    diary, _ = simulated([app("x", Stage("map", 1, (1024, 1)), Stage("reduce", 1, (1024, 1), after=("map",)))])
    times = dict(reversed([(what, time) for time, what in diary.lines]))
    assert times["finish 1.2"] < times["allocate 1.3"]


def test_no_more_than_wanted_at_a_time() -> None:
    diary, simulation = simulated([app("x", Stage("s", 5, (1024, 1), parallel=2))])
    running = most = 0
    for _, what in diary.lines:
        running += what.startswith("allocate") - what.startswith("finish")
        most = max(most, running)
    assert most == 3  # two, and the master
    assert not simulation.running


def test_a_queue_that_can_never_run_ends_the_simulation() -> None:
    diary, simulation = simulated([app("x")], "<queue name='a'><maxRunningApps>0</maxRunningApps></queue>")
    assert diary.lines == [(0, "x placed root.a")]
    assert len(simulation.running) == 1


def test_killed_applications_leave_nothing_behind() -> None:
    diary, simulation = simulated([app("x", Stage("s", 2, (1024, 1)), kill_after_ms=8 * SECOND)])
    assert (8 * SECOND, "x killed") in diary.lines
    assert simulation.scheduler.root.used == (0, 0)


def test_the_same_again() -> None:
    apps = [app(f"x{n}", Stage("s", 3, (2048, 1)), arrival=n * 700) for n in range(12)]
    first, second = simulated(apps, nodes=3), simulated(apps, nodes=3)
    assert first[0].lines == second[0].lines
    assert not first[1].running
