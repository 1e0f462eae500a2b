"""Any application, written out as JSON or YAML, reads back as itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairsim.model.workload import BATCH, DROP, HOLD, RESTART, AppSpec, Dist, Locality, Stage
from tests.traces.reading import GPU, trace_of

NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=8)
PLAIN_NAMES = st.from_regex(r"[a-z][a-z0-9_.-]{0,8}", fullmatch=True)
MS = st.integers(0, 10**9)
SECONDS = st.integers(1, 10**6).map(lambda ms: ms / 1000)
AMOUNTS = st.tuples(st.integers(0, 2**40), st.integers(0, 2**31 - 1), st.integers(0, 100))


@st.composite
def dists(draw: st.DrawFn) -> Dist:
    kind = draw(st.sampled_from(["const", "uniform", "exp", "normal", "lognormal", "weibull", "pareto", "choice"]))
    low = draw(st.none() | SECONDS)
    high = None if low is None else low + draw(SECONDS)
    first, second = draw(SECONDS), draw(SECONDS)
    if kind == "choice":
        return Dist(kind, (first, second, first), (1.0, 0.0, second), low, high)
    if kind in ("const", "exp"):
        return Dist(kind, (first,), (), low, high)
    return Dist(kind, (first, first + second), (), low, high)


PLACES = st.one_of(
    st.just(Locality()),
    st.builds(lambda names: Locality("hosts", tuple(names)), st.lists(PLAIN_NAMES, min_size=1, unique=True)),
    st.builds(lambda names: Locality("racks", tuple(f"/{name}" for name in names)), st.sets(PLAIN_NAMES, min_size=1)),
    st.builds(lambda each: Locality("spread", (), each), st.integers(1, 1000)),
)


@st.composite
def stages(draw: st.DrawFn, names: list[str]) -> tuple[Stage, ...]:
    found: list[Stage] = []
    for name in names:
        before = [stage.name for stage in found if stage.mode == BATCH]
        mode = draw(st.sampled_from([BATCH, BATCH, HOLD]))
        containers = draw(st.integers(1, 5))
        times = st.lists(st.integers(1, 10**9), min_size=containers, max_size=containers).map(tuple)
        found.append(
            Stage(
                name, containers, draw(AMOUNTS),
                tuple(draw(st.lists(st.sampled_from(before), unique=True))) if before else (),
                draw(st.integers(-5, 100)), draw(st.booleans()), draw(MS), draw(st.floats(0, 1)),
                draw(st.sampled_from([0, 1, 3])), mode, draw(st.sampled_from([RESTART, DROP])),
                None if mode == HOLD else draw(dists() | times), draw(PLACES),
            )
        )  # fmt: skip
    return tuple(found)


@st.composite
def specs(draw: st.DrawFn, name: str) -> AppSpec:
    return AppSpec(
        name, draw(MS), draw(NAMES), draw(stages(draw(st.lists(NAMES, max_size=4, unique=True)))),
        draw(st.none() | NAMES), draw(st.none() | st.lists(PLAIN_NAMES, max_size=3, unique=True).map(tuple)),
        draw(st.none() | AMOUNTS), draw(MS), draw(st.none() | st.integers(1, 10**9)), draw(NAMES),
        draw(st.integers(-(2**31), 2**31 - 1)),
    )  # fmt: skip


def written_dist(dist: Dist) -> str:
    args = [f"{arg!r}:{weight!r}" for arg, weight in zip(dist.args, dist.weights, strict=False)] or map(repr, dist.args)
    clip = "" if dist.low is None else f" in [{dist.low!r},{dist.high!r}]"
    return f"{dist.kind}({','.join(args)}){clip}"


def written_place(place: Locality) -> str:
    if place.kind == "spread":
        return f"spread({place.each})"
    return f"{place.kind}:{';'.join(place.names)}" if place.names else "any"


def written_stage(stage: Stage) -> dict[str, Any]:
    record: dict[str, Any] = {
        "name": stage.name, "count": stage.containers, "resource": GPU.as_map(stage.size), "after": list(stage.after),
        "stage_priority": stage.priority, "relax": stage.relax, "delay": stage.delay_ms / 1000,
        "slowstart": stage.slowstart, "parallel": stage.parallel or None, "mode": stage.mode,
        "on_preempt": stage.on_preempt, "locality": written_place(stage.locality),
    }  # fmt: skip
    if isinstance(stage.duration, Dist):
        record["duration"] = written_dist(stage.duration)
    elif stage.duration is not None:
        record["durations"] = [f"{ms}ms" for ms in stage.duration]
    return record


def written(app: AppSpec) -> dict[str, Any]:
    return {
        "id": app.id, "arrival": f"{app.arrival_ms}ms", "user": app.user, "queue": app.queue,
        "groups": None if app.groups is None else list(app.groups), "am": GPU.as_map(app.am) if app.am else "none",
        "hold": app.hold_ms / 1000, "kill_after": app.kill_after_ms and app.kill_after_ms / 1000, "type": app.type,
        "priority": app.priority, "stages": [written_stage(stage) for stage in app.stages],
    }  # fmt: skip


QUIET = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("form", ["lines", "list", "yaml"])
@QUIET
@given(data=st.data())
def test_what_is_written_is_read(tmp_path: Path, form: str, data: st.DataObject) -> None:
    names = data.draw(st.lists(NAMES.filter(lambda name: "#" not in name), min_size=1, max_size=4, unique=True))
    apps = [data.draw(specs(name)) for name in names]
    records = [written(app) for app in apps]
    if form == "lines":
        text = "".join(json.dumps(record) + "\n" for record in records)
    else:
        text = json.dumps({"apps": records} if form == "yaml" else records, indent=1, ensure_ascii=form == "list")
    with trace_of(tmp_path, text, types=GPU) as trace:
        assert list(trace.apps()) == sorted(apps, key=lambda app: app.arrival_ms)
        assert trace.warnings == ()
