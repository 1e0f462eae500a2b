"""Random workloads in simulated time, and the log of what the scheduler decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import repeat
from random import Random
from typing import Any

from fairsim.config.allocation import RawAllocation
from fairsim.model.cluster import Node
from fairsim.model.resources import Amount
from fairsim.model.workload import HOLD, AppSpec, Stage
from fairsim.placement.submission import Landing
from fairsim.profiles import Profile
from fairsim.replay.reload import HalfReloaded
from fairsim.replay.scheduler import Decision
from fairsim.replay.simulate import Simulation, Times
from fairsim.replay.state import Attempt, Container, Key
from tests.oracle.run_cases import GPU, NODE_SIZES, SIZES_MB, Maker
from tests.oracle.run_mode import driver

HORIZON = 120_000
Sized = Callable[[int, int], Amount]


class Log:
    """Everything that happens, with its time."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []

    def submitted(self, time: int, spec: AppSpec, landing: Landing) -> None:
        self.lines.append((time, f"{spec.id} {landing.outcome} {landing.queue}"))

    def asked(self, time: int, attempt: Attempt, key: Key, more: int) -> None:
        pass

    def decided(self, time: int, decision: Decision) -> None:
        held = decision.container
        where = "" if held is None else f" {held.id} {held.node.name} {held.key} {held.size}"
        self.lines.append((time, f"{decision.kind} {decision.app}{where} {decision.detail}"))

    def handed(self, time: int, container: Container) -> None:
        self.lines.append((time, f"begins {container.id}"))

    def updated(self, time: int) -> None:
        pass

    def ended(self, time: int, spec: AppSpec, how: str) -> None:
        self.lines.append((time, f"{spec.id} {how}"))


def simulated(seed: int, hadoop: Profile, *, fast: bool) -> tuple[list[tuple[int, str]], dict[str, object]]:
    """Returns the log of a random workload up to the horizon, and the state at the end.

    Fast: by the fast engine, without the reports and updates that do nothing; else everything is done in full.
    """
    random = Random(f"workload {seed}")  # noqa: S311 - repeatable, not secret
    maker = Maker(random, hadoop)
    request: dict[str, Any] = {"alloc": maker.file(random.choice(("fair", "drf", "mixed"))), "site": maker.site()}
    if random.random() < 0.7:
        request["site"] = {name: text for name, text in request["site"].items() if "locality" not in name}
    if maker.gpu:
        request["resource_types"] = {GPU: {"units": ""}}
    request["clock"] = 0
    running = driver(request, hadoop, fast=fast)
    kinds = len(running.scheduler.zero)

    def sized(memory: int, vcores: int) -> Amount:
        return (memory, vcores, *[random.choice((0, 0, 1))] * (kinds - 2))

    nodes = [
        Node(f"h{number}", random.choice(maker.racks), sized(*random.choice(NODE_SIZES)),
             heartbeat_ms=random.choice((None, None, None, 700, 3000)))
        for number in range(random.choice((1, 2, 3, 8, 20, 40)))
    ]  # fmt: skip
    log = Log()
    apps = sorted((_app(random, number, maker.leaves, sized) for number in range(random.choice((3, 10, 30, 60)))),
                  key=lambda spec: spec.arrival_ms)  # fmt: skip

    def draw(spec: AppSpec, stage: Stage) -> Sequence[int]:
        own = Random(f"{seed} {spec.id} {stage.name}")  # noqa: S311
        return [own.choice((1, 500, 1000, 2345, 8000, 20_000)) for _ in range(stage.containers)]

    def places(spec: AppSpec, stage: Stage) -> Iterable[Sequence[tuple[str, str]]]:
        if stage.name != "local":
            return ()
        node = nodes[len(spec.id) * 7 % len(nodes)]
        return repeat(((node.name, node.rack),))

    simulation = Simulation(running.scheduler, nodes, apps, log, draw=draw, places=places,
                            times=Times(master_start=random.choice((0, 700, 3000))),
                            spread=random.random() < 0.7, plain=not fast)  # fmt: skip
    for _ in range(random.choice((0, 0, 1, 3))):
        _change(random, simulation, nodes, running.world_of(maker.file("fair")), sized)
    for _ in simulation.run(HORIZON):
        pass
    return log.lines, running.show()


def _app(random: Random, number: int, leaves: Sequence[str], sized: Sized) -> AppSpec:
    stages: list[Stage] = []
    for place in range(random.choice((0, 1, 1, 2, 3))):
        size = sized(random.choice(SIZES_MB), random.choice((1, 1, 2)))
        stages.append(Stage(
            "local" if random.random() < 0.1 else f"s{place}", random.choice((1, 3, 10, 40)), size,
            after=(stages[-1].name,) if stages and random.random() < 0.7 else (),
            priority=random.choice((1, 10, 20, 20)), parallel=random.choice((0, 0, 2)),
            slowstart=random.choice((1.0, 0.5)), delay_ms=random.choice((0, 0, 1500)), relax=random.random() < 0.9,
            mode=HOLD if random.random() < 0.1 else "batch", on_preempt=random.choice(("restart", "drop")),
        ))  # fmt: skip
    stages = list({stage.name: stage for stage in stages}.values())
    names = {stage.name for stage in stages}
    return AppSpec(
        f"a{number}", random.choice((0, 10, 500, 1000, 7777, 20_000, 60_000)) + random.choice((0, 0, 1, 250)),
        random.choice(("ann", "bob", "cid")),
        tuple(stage._replace(after=tuple(name for name in stage.after if name in names)) for stage in stages),
        queue=random.choice([*leaves, "new"]), am=None if random.random() < 0.15 else sized(1024, 1),
        hold_ms=random.choice((0, 0, 5000)), kill_after_ms=random.choice((None, None, None, 9000)),
    )  # fmt: skip


def _change(random: Random, simulation: Simulation, nodes: Sequence[Node], raw: RawAllocation, sized: Sized) -> None:
    time, shape = random.choice((5000, 12_345, 30_000)), random.random()
    if shape < 0.25:
        size = sized(*random.choice(NODE_SIZES))
        name = f"x{random.randrange(1000)}"
        simulation.at(time, lambda: simulation.add_node(Node(name, "/r0", size)))
    elif shape < 0.5:
        name = random.choice(nodes).name
        simulation.at(time, lambda: simulation.remove_node(name) if name in simulation.hosts else None)
    elif shape < 0.75:
        size, name = sized(*random.choice(NODE_SIZES)), random.choice(nodes).name
        simulation.at(time, lambda: simulation.scheduler.resize_node(name, size) if name in simulation.hosts else None)
    elif simulation.scheduler.profile.version >= (3, 2, 0):
        simulation.at(time, lambda: _reload(simulation, raw))


def _reload(simulation: Simulation, raw: RawAllocation) -> None:
    with suppress(HalfReloaded):
        simulation.reload(raw)
