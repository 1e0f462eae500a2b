"""What people ask of a replay, in workloads whose course can be worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from fairsim.model.cluster import Node
from fairsim.model.workload import AppSpec, Stage
from fairsim.replay.record import Recorder
from fairsim.replay.simulate import Simulation
from fairsim.replay.spread import Spread
from fairsim.replay.story import Story
from fairsim.report.replay import Run, cluster_record, jams, queue_record, span
from tests.replay.small import Small

SECOND, MINUTE = 1000, 60_000


def app(name: str, queue: str, count: int, took: int, *, arrival: int = 0, size: tuple[int, int] = (1024, 1),
        am: tuple[int, int] | None = None, user: str = "u", start: float = 0) -> AppSpec:  # fmt: skip
    """An application of one stage, whose master runs elsewhere unless `am` says how large it is."""
    stages = (Stage("s", count, size, duration=(took,) * count),) if count else ()
    return AppSpec(name, arrival, user, stages, queue, am=am, hold_ms=0 if count else took)


def replayed(inner: str, apps: Sequence[AppSpec], nodes: int = 1, until: int | None = None, why: str = "",
             vcores: int = 8) -> Run:  # fmt: skip
    """Runs a workload on nodes of 8 GB."""
    scheduler = Small(inner).scheduler
    recorder = Recorder(scheduler)
    story = Story(scheduler, why) if why else None
    recorder.also = story.hear if story is not None else None
    simulation = Simulation(
        scheduler, [Node(f"n{number}", "/r", (8192, vcores)) for number in range(nodes)], apps, recorder,
        draw=lambda spec, stage: stage.duration or (), places=lambda spec, stage: (),  # type: ignore[arg-type,return-value]
    )  # fmt: skip
    recorder.set_steady()
    for _ in simulation.run(until):
        pass
    recorder.close(max(simulation.now, recorder.time))
    return Run("x.xml", scheduler, recorder, simulation.now, False, story, {})


def test_one_application_at_a_time() -> None:
    run = replayed("<queue name='a'><maxRunningApps>1</maxRunningApps></queue>",
                   [app(f"x{number}", "a", 1, 10 * SECOND) for number in range(3)])  # fmt: skip
    record = run.recorder.queues["root.a"]
    # each asks at its first call; the update is at the end of that moment, the node reports a second later, the master
    # takes the container at its next call, it runs for 10 s, and the next one may start
    assert record.first.record() == {"count": 3, "p50": 12_000, "p90": 23_000, "p99": 23_000, "max": 23_000}
    assert record.ended["finished"] == 3
    assert jams(run) == [
        "root.a: running limits (of queues or users) held applications back for 22s",
    ]


def test_masters_take_all_room() -> None:
    inner = "<queue name='a'><maxAMShare>1.0</maxAMShare></queue>"
    apps = [app(f"x{number}", "a", 1, 10 * SECOND, am=(1024, 1)) for number in range(12)]
    run = replayed(inner, apps, until=5 * MINUTE, vcores=64)
    record = run.recorder.queues["root.a"]
    assert (record.running, record.pending, record.ended["finished"]) == (8, 4, 0)  # eight masters fill the node
    assert any(line.startswith("root.a: nothing but masters ran for ") for line in jams(run))
    half = replayed("<queue name='a'/>", apps, until=20 * MINUTE, vcores=64)
    assert half.recorder.queues["root.a"].ended["finished"] == 12


def test_weights_one_to_three() -> None:
    inner = "<queue name='a'><weight>1</weight></queue><queue name='b'><weight>3</weight></queue>"
    run = replayed(inner, [app("x", "a", 300, 20 * SECOND), app("y", "b", 300, 20 * SECOND)], nodes=4,
                   until=2 * MINUTE)  # fmt: skip
    assert [run.recorder.queues[f"root.{name}"].used[0] for name in "ab"] == [8 * 1024, 24 * 1024]
    told = queue_record(run.recorder.queues["root.b"], run.end_ms)
    assert (told["share_mb"], told["steady_mb"], told["below_share_ms"]) == (24_576, 24_576, 8000)
    assert [run.recorder.queues[f"root.{name}"].steady for name in "ab"] == [(8192, 0), (24_576, 0)]


def test_the_minimum_comes_first() -> None:
    inner = "<queue name='a'><minResources>4096 mb,4 vcores</minResources></queue><queue name='b'/><queue name='c'/>"
    apps = [app("x", "b", 100, MINUTE), app("y", "c", 100, MINUTE), app("z", "a", 100, MINUTE, arrival=100)]
    run = replayed(inner, apps, until=15 * SECOND)
    assert [run.recorder.queues[f"root.{name}"].used[0] for name in "abc"] == [4096, 2048, 2048]


def test_first_come_first_served() -> None:
    inner = "<queue name='a'><schedulingPolicy>fifo</schedulingPolicy></queue>"
    run = replayed(inner, [app(f"x{number}", "a", 8, 10 * SECOND, arrival=number) for number in range(3)])
    waits = list(run.recorder.queues["root.a"].first.counts)
    assert waits == sorted(waits)
    assert run.recorder.queues["root.a"].ended["finished"] == 3
    assert len(waits) == 3  # one after the other: no two begin together


def test_a_limit_on_a_parent() -> None:
    inner = "<queue name='p'><maxRunningApps>1</maxRunningApps><queue name='a'/><queue name='b'/></queue>"
    run = replayed(inner, [app("x", "p.a", 1, 10 * SECOND), app("y", "p.b", 1, 10 * SECOND)])
    assert [run.recorder.queues[f"root.p.{name}"].first.most for name in "ab"] == [1000, 12_000]


def test_the_story_of_an_application() -> None:
    inner = "<queue name='a'><maxRunningApps>1</maxRunningApps></queue>"
    run = replayed(inner, [app("x", "a", 1, 10 * SECOND), app("y", "a", 1, 10 * SECOND, arrival=100)], why="y")
    assert run.story is not None
    assert [(line.time, line.text) for line in run.story.lines] == [
        (100, "u asks for a: placed in root.a by rule specified"),
        (100, "asks for 1 container of priority 20"),
        (500, "waits for maxRunningApps of root.a: 1 of 1 run"),
        (11_000, "may run: no running limit holds it back any more"),
        (11_000, "waits for its turn"),
        (12_000, "gets container 1, 1024m,1c, on n0"),
        (23_000, "container 1 on n0 ends"),  # at 12.1 s its master takes it, at 22.1 s it ends, and its node says so
        (23_100, "is over: finished"),
    ]


def test_what_can_never_run_is_said() -> None:
    run = replayed("<queue name='a'><maxRunningApps>0</maxRunningApps></queue><queue name='b'/>",
                   [app("x", "a", 1, SECOND), app("y", "b", 1, SECOND, size=(16_384, 1))])  # fmt: skip
    assert run.recorder.total.pending == 1
    assert run.recorder.queues["root.b"].ended["failed"] == 1
    assert "root.a: at the end 1 application still waits for maxRunningApps of root.a: 0 of 0 run" in jams(run)


def test_what_is_used_of_the_cluster() -> None:
    run = replayed("<queue name='a'/>", [app("x", "a", 8, 8 * SECOND)])
    told = cluster_record(run)
    assert told["containers"] == 8
    assert told["used_part_mb"] == 8 * 1024 * 8000 / (8192 * run.end_ms)
    assert told["jain"] == 1.0


def test_times_in_short() -> None:
    assert [span(ms) for ms in (0, 500, 9999, 45_000, 3_599_000, 7_500_000, 10**9)] == [
        "0s", "0.5s", "10s", "45s", "59m59s", "2h05m", "11d13h",
    ]  # fmt: skip


def test_quantiles_of_many_times() -> None:
    spread, values = Spread(), [number * 37 % 100_003 + 1 for number in range(100_000)]
    for value in values:
        spread.add(value)
    values.sort()
    for part in (0.5, 0.9, 0.99):
        right, found = values[int(part * len(values)) - 1], spread.quantile(part)
        assert found is not None
        assert abs(found - right) <= right / 1000
    assert len(spread.counts) < 20_000
    assert (spread.count, spread.most, spread.total) == (len(values), values[-1], sum(values))
    assert Spread().record() == {"count": 0, "p50": None, "p90": None, "p99": None, "max": None}
