"""Times replays: by the number of queues and nodes, a day of a cluster, and against Hadoop's scheduler. See README.md.

Usage: python tests/bench/replay.py [--queues] [--nodes] [--day] [--large] [--hadoop VERSION] [--profile]
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from fairsim.config.allocation import read_allocation  # noqa: E402
from fairsim.config.build import build_tree  # noqa: E402
from fairsim.config.site import build_site  # noqa: E402
from fairsim.model.cluster import Node  # noqa: E402
from fairsim.model.resources import ResourceTypes  # noqa: E402
from fairsim.model.workload import AppSpec, Stage  # noqa: E402
from fairsim.profiles import profile  # noqa: E402
from fairsim.replay.decisions import ALLOCATE, Decision  # noqa: E402
from fairsim.replay.scheduler import Scheduler  # noqa: E402
from fairsim.replay.simulate import Simulation  # noqa: E402
from fairsim.replay.state import ANY, AskUpdate, ContainerId  # noqa: E402
from fairsim.replay.switches import read_switches  # noqa: E402
from fairsim.xmlio.reader import read_document  # noqa: E402

SITE = {"yarn.scheduler.maximum-allocation-mb": "65536"}
NODE = (65_536, 32)


class Case(NamedTuple):
    """A cluster and a workload. Durations are drawn with the mean `took_s`; applications arrive over `span_s`."""

    queues: int
    nodes: int
    apps: int
    each: int  # containers of an application
    span_s: int
    took_s: int = 60
    version: str = "3.4"

    def alloc(self) -> str:
        """Returns the allocation file: leaves in parents of some twenty."""
        random = Random(self.queues)  # noqa: S311 - repeatable, not secret
        side = max(self.queues // 20, 1)
        parents = "".join(
            f"<queue name='p{parent}'>" + "".join(
                f"<queue name='q{leaf}'><weight>{random.choice((1, 1, 2, 3))}</weight></queue>"
                for leaf in range(parent, self.queues, side)
            ) + "</queue>"
            for parent in range(side)
        )  # fmt: skip
        return f"<allocations>{parents}</allocations>"

    def specs(self) -> list[AppSpec]:
        """Returns the applications by arrival: two stages each."""
        random = Random(7)  # noqa: S311
        side = max(self.queues // 20, 1)
        maps, reduces = max(self.each * 4 // 5, 1), max(self.each // 5, 1)
        found = []
        for number in range(self.apps):
            leaf = random.randrange(self.queues)
            sizes = random.choice(((1024, 1), (2048, 1), (4096, 2))), random.choice(((4096, 1), (3072, 1)))
            stages = (Stage("map", maps, sizes[0]), Stage("reduce", reduces, sizes[1], after=("map",), priority=10))
            found.append(AppSpec(f"a{number}", random.randrange(self.span_s * 1000), f"u{random.randrange(50)}", stages,
                                 f"root.p{leaf % side}.q{leaf}"))  # fmt: skip
        return sorted(found, key=lambda spec: spec.arrival_ms)

    def draw(self, spec: AppSpec, stage: Stage) -> Sequence[int]:
        """Returns the durations of the containers of a stage in ms."""
        random = Random(f"{spec.id} {stage.name}")  # noqa: S311
        return [max(int(random.expovariate(1 / (self.took_s * 1000))), 1) for _ in range(stage.containers)]

    def scheduler(self) -> Scheduler:
        """Returns the scheduler."""
        hadoop = profile(self.version)
        raw = read_allocation(read_document(self.alloc().encode(), secure=False), hadoop, ResourceTypes())
        site = build_site(defines=[f"{name}={text}" for name, text in SITE.items()])
        return Scheduler(raw, build_tree(raw, as_created=True), read_switches(site, ResourceTypes(), hadoop))

    def simulation(self, *, plain: bool = False, scheduler: Scheduler | None = None) -> tuple[Simulation, Count]:
        """Returns a run and who counts; `plain`: every report and update takes place."""
        count = Count()
        nodes = [Node(f"n{number}", f"/r{number % 20}", NODE) for number in range(self.nodes)]
        return Simulation(scheduler or self.scheduler(), nodes, self.specs(), count, draw=self.draw,
                          places=lambda spec, stage: (), plain=plain), count  # fmt: skip


class Count:
    """Counts containers and keeps who got which, where."""

    def __init__(self) -> None:
        self.given: list[tuple[int, int, str]] = []

    def decided(self, _time: int, decision: Decision) -> None:
        """Counts an allocation."""
        held = decision.container
        if decision.kind == ALLOCATE and held is not None:
            self.given.append((held.id[0], held.id[1], held.node.name))

    def submitted(self, *_: Any) -> None: ...
    def asked(self, *_: Any) -> None: ...
    def handed(self, *_: Any) -> None: ...
    def updated(self, *_: Any) -> None: ...
    def ended(self, *_: Any) -> None: ...


def timed(case: Case, until: int | None = None, *, profiled: bool = False) -> tuple[float, Count, int]:
    """Returns the processor time in s of a run, what was given, and the simulated time in ms."""
    simulation, count = case.simulation()
    profiler = cProfile.Profile() if profiled else None
    start = time.process_time()
    if profiler is not None:
        profiler.enable()
    for _ in simulation.run(until):
        pass
    if profiler is not None:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("tottime").print_stats(25)
    return time.process_time() - start, count, simulation.now


def show(case: Case, *, profiled: bool = False) -> float:
    """Prints one line about a case; returns the ms per container."""
    seconds, count, end = timed(case, profiled=profiled)
    number = len(count.given)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{case.queues:6} {case.nodes:6} {case.apps:7} {number:10} {end // 1000:9} {seconds:8.1f} "
          f"{number / seconds:9.0f} {1000 * seconds / number:9.3f} {memory:6}", flush=True)  # fmt: skip
    return 1000 * seconds / number


HEAD = "queues  nodes    apps containers simulated    cpu s    each s    ms each    MiB"


class Tape:
    """Writes down, as events of the oracle's mode run, everything that a scheduler is told."""

    def __init__(self, scheduler: Scheduler):
        self.events: list[dict[str, Any]] = []
        for name in ("heartbeat", "update", "submit", "allocate", "remove_app"):
            setattr(scheduler, name, self._taped(scheduler, getattr(scheduler, name), getattr(self, f"_{name}")))

    def _taped(self, scheduler: Scheduler, call: Any, note: Any) -> Any:
        def taped(*args: Any, **more: Any) -> Any:
            note(scheduler, *args, **more)
            return call(*args, **more)

        return taped

    def _heartbeat(self, _: Scheduler, name: str, running: Sequence[ContainerId], ended: Sequence[ContainerId]) -> None:
        event: dict[str, Any] = {"event": "heartbeat", "node": name}
        if running:
            event["running"] = [list(one[:2]) for one in running]
        if ended:
            event["completed"] = [list(one[:2]) for one in ended]
        self.events.append(event)

    def _update(self, _: Scheduler) -> None:
        self.events.append({"event": "update"})

    def _submit(self, scheduler: Scheduler, app: int, user: Any, queue: str, am: Any) -> None:
        self.events.append({"event": "app", "app": app, "user": user.name, "queue": queue, "at": scheduler.clock,
                            "am": {"memory-mb": am[0], "vcores": am[1]}})  # fmt: skip

    def _allocate(self, _: Scheduler, app: int, asks: Sequence[AskUpdate] = ()) -> None:
        if any(ask.key == (0, -1) for ask in asks):
            return  # its master, which comes with the event app
        event: dict[str, Any] = {"event": "allocate", "app": app}
        if asks:
            event["asks"] = [
                {"priority": ask.key[0], "request_id": ask.key[1], "count": ask.containers,
                 "size": {"memory-mb": ask.size[0], "vcores": ask.size[1]}}
                for ask in asks if ask.where == ANY
            ]  # fmt: skip
        self.events.append(event)

    def _remove_app(self, _: Scheduler, app: int) -> None:
        self.events.append({"event": "remove_app", "app": app, "state": "FINISHED"})


def against_hadoop(case: Case, until: int, version: str) -> None:
    """Prints how much longer Hadoop's scheduler takes for the same run, with all that a cluster would send it."""
    from tests.oracle.ask import Oracle

    scheduler = case.scheduler()
    tape = Tape(scheduler)
    simulation, count = case.simulation(plain=True, scheduler=scheduler)
    for _ in simulation.run(until):
        pass
    nodes = [
        {"event": "add_node", "node": f"n{number}", "rack": f"/r{number % 20}",
         "size": {"memory-mb": NODE[0], "vcores": NODE[1]}}
        for number in range(case.nodes)
    ]  # fmt: skip
    request = {"mode": "run", "alloc": case.alloc(), "site": SITE, "clock": 0, "events": nodes + tape.events,
               "timed": True, "timeout_ms": 3_600_000}  # fmt: skip
    ours, theirs = [], []
    with Oracle(version) as oracle:
        for _ in range(3):
            seconds, fast, _end = timed(case, until)
            ours.append(seconds)
            answer = oracle.ask([request])[0]
            theirs.append(answer["elapsed_ms"] / 1000)
    given = [
        (*one["container"][:2], one["node"])
        for event in answer["events"] for one in event.get("decisions", ()) if one["do"] == ALLOCATE
    ]  # fmt: skip
    same = given == count.given == fast.given
    print(f"{case.queues} queues, {case.apps} apps, {case.nodes} nodes, {until // 1000} s, {len(tape.events)} events, "
          f"{len(given)} containers, the same decisions: {same}")  # fmt: skip
    print(f"  fairsim {min(ours):.2f} s, Hadoop {version} {', '.join(f'{one:.2f}' for one in theirs)} s: "
          f"{min(theirs) / min(ours):.1f} times", flush=True)  # fmt: skip


def main() -> int:
    """Reads the command line and runs what it asks for; without options, all but --day, --large and --hadoop."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queues", action="store_true", help="1 to 2000 leaf queues, the same load")
    parser.add_argument("--nodes", action="store_true", help="100 and 1000 nodes, the same load")
    parser.add_argument("--day", action="store_true", help="230,000 containers on 600 nodes in a day")
    parser.add_argument("--large", action="store_true", help="500,000 containers, 2000 queues, 10,000 nodes")
    parser.add_argument("--hadoop", metavar="VERSION", help="against Hadoop's own scheduler (Java, Maven)")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    given = parser.parse_args()
    everything = not (given.queues or given.nodes or given.day or given.large or given.hadoop)
    if not given.hadoop:
        print(HEAD)
    if given.queues or everything:
        for queues in (1, 10, 100, 1000, 2000):
            show(Case(queues, 100, 500, 20, 600), profiled=given.profile)
    if given.nodes or everything:
        for nodes in (100, 1000):
            show(Case(20, nodes, 500, 20, 600), profiled=given.profile)
    if given.day:
        show(Case(20, 600, 5000, 45, 86_400), profiled=given.profile)
    if given.large:
        show(Case(2000, 10_000, 10_000, 49, 1800, took_s=600), profiled=given.profile)
    if given.hadoop:
        against_hadoop(Case(20, 100, 1000, 20, 300), 600_000, given.hadoop)
        against_hadoop(Case(1000, 100, 5000, 4, 300), 300_000, given.hadoop)
    return 0


if __name__ == "__main__":
    sys.exit(main())
