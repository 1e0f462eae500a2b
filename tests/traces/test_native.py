"""Native traces: every field, three forms of the same workload, order of arrival, repeats, dates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsim.model.workload import DROP, HOLD, AppSpec, Dist, Locality, Stage
from tests.traces.reading import GPU, LINE, apps_of, every_minute, trace_of

WANTED = [
    AppSpec(
        "etl", 0, "fred",
        (
            Stage("map", 400, (2048, 1), locality=Locality("spread", (), 3), duration=Dist("lognormal", (45.0, 20.0))),
            Stage("reduce", 40, (4096, 2), ("map",), 10, slowstart=0.8, duration=Dist("const", (60.0,))),
        ),
        "root.batch", ("analysts", "etl"), (1536, 1),
    ),
    AppSpec(
        "sql", 12_500, "ann",
        (
            Stage(
                "exec", 4, (6144, 2), mode=HOLD, on_preempt=DROP, relax=False, locality=Locality("hosts", ("h1", "h2"))
            ),
            Stage(
                "work", 3, (1024, 1), parallel=2, delay_ms=90_000,
                duration=Dist("choice", (10.0, 600.0), (0.9, 0.1), 5.0, 300.0),
            ),
        ),
        "adhoc", None, None, 5000, 7_200_000, "query", 3,
    ),
    AppSpec("idle", 13_000, "default", (), hold_ms=1500),
]  # fmt: skip

JSONL = """\
{"id": "etl", "arrival": 0, "user": "fred", "groups": ["analysts", "etl"], "queue": "root.batch", "am": "1536 mb, \
1 vcores", "stages": [ \
  {"name": "map", "count": 400, "resource": "2g,1c", "duration": "lognormal(45,20)", "locality": "spread(3)"}, \
  {"name": "reduce", "count": 40, "resource": {"memory-mb": 4096, "vcores": 2}, "duration": 60, "slowstart": 0.8, \
"priority": 10}]}
{"id": "sql", "arrival": 12.5, "user": "ann", "queue": " adhoc ", "type": "query", "name": "report 7", \
"priority": 3, "am": "none", "hold": 5, "kill_after": "2h", "stages": [ \
  {"name": "exec", "count": "4", "resource": "6g,2c", "mode": "hold", "on_preempt": "drop", "relax": false, \
"locality": "hosts:h1;h2"}, \
  {"name": "work", "after": [], "count": 3, "delay": "90s", "parallel": 2, \
"duration": "choice(10:0.9,600:0.1) in [5,300]"}]}
{"id": "idle", "arrival": 13, "hold": 1.5}
"""
YAML = """\
version: 1
defaults: {am: "1536 mb, 1 vcores"}
apps:
  - id: etl
    arrival: 0
    user: fred
    groups: [analysts, etl]
    queue: root.batch
    stages:
      - {name: map, count: 400, resource: "2g,1c", duration: "lognormal(45,20)", locality: spread(3)}
      - {name: reduce, count: 40, resource: "4g,2c", duration: 60s, slowstart: 0.8, stage_priority: 10}
  - {id: sql, arrival: 12.5, user: ann, queue: adhoc, type: query, name: report 7, priority: 3, am: none, hold: 5s,
     kill_after: 2h, stages: [
      {name: exec, count: 4, resource: "6g,2c", mode: hold, on_preempt: drop, relax: false, locality: "hosts:h1;h2"},
      {name: work, after: [], count: 3, delay: 90, parallel: 2, duration: "choice(10:0.9,600:0.1) in [5,300]"}]}
  - {id: idle, arrival: 13s, am: "1g,1c", hold: 1500ms}
"""
CSV = """\
id,arrival,user,groups,queue,type,name,priority,am,hold,kill_after,stage,after,count,resource,duration,stage_priority,locality,relax,delay,slowstart,parallel,mode,on_preempt
etl,0,fred,analysts;etl,root.batch,,,,1536mb;1c,,,map,-,400,2g;1c,"lognormal(45,20)",,spread(3),,,,,,
,,,,,,,,,,,reduce,map,40,4g;2c,const(60),10,,,,0.8,,,
sql,12.5,ann,,adhoc,query,report 7,3,none,5,2h,exec,,4,"6g,2c",,,hosts:h1;h2,false,,,,hold,drop
sql,,ann,,adhoc,query,,3,none,,,work,-,3,,choice(10:0.9;600:0.1) in [5;300],,,,90s,,2,,
# a remark

idle,13,,,,,,,,1.5,
"""


FORMS = [("t.jsonl", JSONL), ("t.yaml", YAML), ("t.csv", CSV), ("t", YAML), ("t", CSV)]


@pytest.mark.parametrize(("name", "data"), FORMS)
def test_three_forms_of_one_workload(tmp_path: Path, name: str, data: str) -> None:
    assert apps_of(tmp_path, data, name) == WANTED


def test_json_in_other_shapes(tmp_path: Path) -> None:
    records = [json.loads(line) for line in JSONL.splitlines()]
    assert apps_of(tmp_path, json.dumps(records, indent=2)) == WANTED
    assert apps_of(tmp_path, json.dumps(records)) == WANTED
    assert apps_of(tmp_path, "\n\n".join(json.dumps(one, indent=1) for one in records)) == WANTED
    assert apps_of(tmp_path, "".join(json.dumps(one) for one in records)) == WANTED
    assert apps_of(tmp_path, json.dumps({"version": 1, "apps": records}, indent="\t"), "t.json") == WANTED
    assert apps_of(tmp_path, f"// what ran\n[{JSONL.strip().replace(chr(10), ',' + chr(10))},]") == WANTED


def test_tabs_between_cells(tmp_path: Path) -> None:
    rows = "id\tarrival\tresource\tduration\na\t1\t2g,1c\tuniform(1,2)\n"
    assert apps_of(tmp_path, rows)[0].stages == (Stage("s0", 1, (2048, 1), duration=Dist("uniform", (1.0, 2.0))),)


def test_defaults_of_json_lines(tmp_path: Path) -> None:
    head = '{"version": 1, "defaults": {"am": "none", "user": "ann", "stage_priority": 5, "resource": "3g,2c"}}\n'
    first, second = apps_of(tmp_path, head + LINE + '{"arrival": 1, "user": "bob", "am": "1g,1c"}')
    assert (first.am, first.user, first.stages[0].priority, first.stages[0].size) == (None, "ann", 5, (3072, 2))
    assert (second.id, second.am, second.user) == ("app000002", (1024, 1), "bob")


def test_names_where_none_are_written(tmp_path: Path) -> None:
    stages = [{"duration": 1}, {"duration": 2}, {"name": "x", "duration": 3}, {"duration": 4, "after": "s0;x"}]
    [app] = apps_of(tmp_path, json.dumps({"arrival": 0, "stages": stages}))
    assert app.id == "app000001"
    assert [(stage.name, stage.after) for stage in app.stages] == [
        ("s0", ()), ("s1", ("s0",)), ("x", ("s1",)), ("s3", ("s0", "x")),
    ]  # fmt: skip


def test_a_duration_for_each_container(tmp_path: Path) -> None:
    [app] = apps_of(tmp_path, '{"arrival": 0, "stages": [{"durations": [1, 0.0004, "2m"]}]}')
    assert (app.stages[0].containers, app.stages[0].duration) == (3, (1000, 1, 120_000))
    [app] = apps_of(tmp_path, '{"arrival": 0, "stages": [{"durations": [1, 0.0004, 2.5]}]}')
    assert app.stages[0].duration == (1000, 1, 2500)


SIZES = [
    ("2048 mb, 1 vcores", (2048, 1, 0)),
    ("1 vcores, 2048 mb", (2048, 1, 0)),
    ("2g,1c", (2048, 1, 0)),
    ("1.5g;2", (1536, 2, 0)),
    ("memory-mb=2048,vcores=1,yarn.io/gpu=3", (2048, 1, 3)),
    ("<memory:2048, vCores:1>", (2048, 1, 0)),
    ({"memory": "2g", "cpu": 1, "yarn.io/gpu": 2}, (2048, 1, 2)),
]


@pytest.mark.parametrize(("written", "wanted"), SIZES)
def test_sizes(tmp_path: Path, written: object, wanted: tuple[int, ...]) -> None:
    [app] = apps_of(tmp_path, json.dumps({"arrival": 0, "am": written}), types=GPU)
    assert app.am == wanted


DISTS: list[tuple[object, Dist]] = [
    (30, Dist("const", (30.0,))),
    ("30", Dist("const", (30.0,))),
    ("1.5m", Dist("const", (90.0,))),
    ("const(2)", Dist("const", (2.0,))),
    ("uniform(20, 300)", Dist("uniform", (20.0, 300.0))),
    ("exp(30)", Dist("exp", (30.0,))),
    ("normal(10,0)", Dist("normal", (10.0, 0.0))),
    ("Lognormal (45;20)", Dist("lognormal", (45.0, 20.0))),
    ("weibull(1.5,60)", Dist("weibull", (1.5, 60.0))),
    ("pareto(1,2.5)in[1,9]", Dist("pareto", (1.0, 2.5), (), 1.0, 9.0)),
    ("choice(1:2,3)", Dist("choice", (1.0, 3.0), (2.0, 1.0))),
    ("exp(30) in [1, 600]", Dist("exp", (30.0,), (), 1.0, 600.0)),
]


@pytest.mark.parametrize(("written", "wanted"), DISTS)
def test_distributions(tmp_path: Path, written: object, wanted: Dist) -> None:
    [app] = apps_of(tmp_path, json.dumps({"arrival": 0, "stages": [{"duration": written}]}))
    assert app.stages[0].duration == wanted


PLACES = [
    ("any", Locality()),
    ("hosts:h1; h2", Locality("hosts", ("h1", "h2"))),
    ("racks:r1,/dc/r2", Locality("racks", ("/r1", "/dc/r2"))),
    ("spread(3)", Locality("spread", (), 3)),
]


@pytest.mark.parametrize(("written", "wanted"), PLACES)
def test_localities(tmp_path: Path, written: str, wanted: Locality) -> None:
    [app] = apps_of(tmp_path, json.dumps({"arrival": 0, "stages": [{"duration": 1, "locality": written}]}))
    assert app.stages[0].locality == wanted


ARRIVALS = [(0, 0), (12.5, 12_500), ("0.0014", 1), ("90s", 90_000), ("5m", 300_000), ("2 h", 7_200_000),
            ("1d", 86_400_000), ("250ms", 250), ("1e3", 1_000_000)]  # fmt: skip


@pytest.mark.parametrize(("written", "wanted"), ARRIVALS)
def test_arrivals(tmp_path: Path, written: object, wanted: int) -> None:
    assert apps_of(tmp_path, json.dumps({"arrival": written}))[0].arrival_ms == wanted


def test_dates_count_from_the_first(tmp_path: Path) -> None:
    dates = [
        "2024-05-01T10:00:00.250+02:00", "2024-05-01T08:00:00Z", "2024-05-01 03:30:01-04:30", "2024-04-30t23:59:60z",
    ]  # fmt: skip
    data = "".join(json.dumps({"id": f"a{index}", "arrival": date}) + "\n" for index, date in enumerate(dates))
    apps = apps_of(tmp_path, data)
    assert [(app.id, app.arrival_ms) for app in apps] == [
        ("a3", 0), ("a1", 28_800_000), ("a0", 28_800_250), ("a2", 28_801_000),
    ]  # fmt: skip
    with trace_of(tmp_path, data) as trace:
        assert trace.first_ms == 1_714_521_600_000
    with trace_of(tmp_path, LINE) as trace:
        assert trace.first_ms is None


def test_applications_come_in_order_of_arrival_and_of_the_file(tmp_path: Path) -> None:
    data = "".join(f'{{"id": "a{index}", "arrival": {index * 7 % 5}}}\n' for index in range(50))
    apps = apps_of(tmp_path, data)
    numbers = sorted(range(50), key=lambda index: (index * 7 % 5, index))
    assert [app.id for app in apps] == [f"a{index}" for index in numbers]


def test_repeated_applications_are_merged_in(tmp_path: Path) -> None:
    data = (
        '{"id": "x", "arrival": 3}\n{"id": "r", "arrival": 1, "repeat": {"count": 3, "every": 2}}\n'
        '{"id": "y", "arrival": 5}\n{"id": "s", "arrival": 2, "repeat": {"count": 2, "every": "exp(60)"}}\n'
    )
    apps = apps_of(tmp_path, data, gaps=every_minute)
    assert [(app.id, app.arrival_ms) for app in apps] == [
        ("r", 1000), ("s", 2000), ("x", 3000), ("r#2", 3000), ("r#3", 5000), ("y", 5000), ("s#2", 62_000),
    ]  # fmt: skip


def test_repeats_among_dates(tmp_path: Path) -> None:
    data = (
        '{"id": "x", "arrival": "2024-05-01T08:00:05Z"}\n'
        '{"id": "r", "arrival": "2024-05-01T08:00:00Z", "repeat": {"count": 3, "every": 3}}\n'
    )
    apps = apps_of(tmp_path, data)
    assert [(app.id, app.arrival_ms) for app in apps] == [("r", 0), ("r#2", 3000), ("x", 5000), ("r#3", 6000)]


def test_who_has_groups(tmp_path: Path) -> None:
    data = (
        '{"arrival": 0, "repeat": {"count": 3, "every": 1}}\n'
        '{"arrival": 0, "groups": []}\n{"arrival": 0, "groups": "a, b"}\n'
    )
    with trace_of(tmp_path, data) as trace:
        assert trace.groupless == 3
    assert [app.groups for app in apps_of(tmp_path, data)] == [None, (), ("a", "b"), None, None]


REMARKS: list[tuple[dict[str, Any], str]] = [
    ({"usr": "x"}, "unknown key 'usr' in an application, 2 times; did you mean user?"),
    ({"label": "gpu"}, "W102 labels are ignored: the fair scheduler knows no node labels, 2 times"),
    ({"stages": [{"duration": 1, "on_preempt": "resume"}]},
     "on_preempt resume is read as restart: lost containers begin anew, 2 times"),
    ({"stages": [{"duration": 1, "mode": "hold"}]}, "the duration of a stage in mode hold is not used, 2 times"),
    ({"repeat": {"count": 1, "every": 1, "evry": 2}}, "unknown key 'evry' in repeat, 2 times; did you mean every?"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "wanted"), REMARKS)
def test_remarks_come_once_with_the_first_place(tmp_path: Path, more: dict[str, Any], wanted: str) -> None:
    line = json.dumps({"arrival": 0, **more}) + "\n"
    with trace_of(tmp_path, LINE + line + line) as trace:
        assert trace.warnings == (f"{tmp_path / 't.jsonl'}:2: {wanted}",)


def test_a_trace_without_applications(tmp_path: Path) -> None:
    for name, data in (("t.jsonl", "# none\n"), ("t.yaml", "apps: []\n"), ("t.csv", "id,arrival,stage\n")):
        with trace_of(tmp_path, data, name) as trace:
            assert (trace.count, trace.containers, trace.end_ms, list(trace.apps())) == (0, 0, 0, [])
            assert trace.warnings == (f"{tmp_path / name}: W104 the trace has no applications",)


def test_an_unknown_column_is_left_out(tmp_path: Path) -> None:
    with trace_of(tmp_path, "id,arrival,quue,\na,1,x,\n", "t.csv") as trace:
        assert trace.warnings == (f"{tmp_path / 't.csv'}:1: unknown key 'quue' in the first line; did you mean queue?",)
        assert [app.queue for app in trace.apps()] == [None]
