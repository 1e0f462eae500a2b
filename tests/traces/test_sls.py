"""Traces of SLS: jobs, tasks, the cluster, the file of nodes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsim.errors import InputError
from fairsim.model.cluster import Node
from fairsim.model.workload import AppSpec, Dist, Locality, Stage
from fairsim.traces.sls_nodes import read_sls_nodes
from tests.traces.reading import GPU, PLAIN, apps_of, cases, error_of, told, trace_of

OLD = """\
{
  "am.type" : "mapreduce",   // 2.x
  "job.start.ms" : 12, "job.end.ms" : 95375, "job.queue.name" : "sls_queue_1",
  "job.id" : "job_1", "job.user" : "default",
  "job.tasks" : [ {
    "container.host" : "/default-rack/node1", "container.start.ms" : 6664, "container.end.ms" : 23707,
    "container.priority" : 20, "container.type" : "map" }, {
    "container.host" : "/default-rack/node3", "container.start.ms" : "6665", "container.end.ms" : "21593",
    "container.priority" : "20", "container.type" : "map" }, {
    "container.host" : "/default-rack/node2", "container.start.ms" : 68770, "container.end.ms" : 75613,
    "container.memory": "2048", "container.vcores": 2, "container.priority" : 10, "container.type" : "reduce" },
  ]
}
"""


def job(*tasks: Any, **more: Any) -> str:
    named = {key.replace("_", "."): value for key, value in more.items()}
    return json.dumps({"job.queue.name": "q", "job.tasks": list(tasks), **named}) + "\n"


def task(ms: int, **more: Any) -> dict[str, Any]:
    return {"container.duration.ms": ms, **{key.replace("_", "."): value for key, value in more.items()}}


def test_a_job_as_the_documentation_has_it(tmp_path: Path) -> None:
    [app] = apps_of(tmp_path, OLD)
    assert app == AppSpec(
        "job_1", 12, "default",
        (
            Stage("map", 1, (1024, 1), duration=Dist("const", (17.043,)), locality=Locality("hosts", ("node1",))),
            Stage("map2", 1, (1024, 1), duration=Dist("const", (14.928,)), locality=Locality("hosts", ("node3",))),
            Stage(
                "reduce", 1, (2048, 2), ("map", "map2"), 10, duration=Dist("const", (6.843,)),
                locality=Locality("hosts", ("node2",)),
            ),
        ),
        "sls_queue_1", type="mapreduce",
    )  # fmt: skip
    with trace_of(tmp_path, OLD) as trace:
        assert trace.kind == "sls"
        assert trace.nodes == tuple(Node(f"node{number}", "/default-rack", (10240, 10)) for number in (1, 3, 2))
        assert [text.partition("t.json")[2] for text in trace.warnings] == [
            "l:1: remarks (//) or commas before a closing bracket are not JSON: passed over",
            "l: the trace names no cluster: its nodes are the 3 hosts of its tasks",
        ]


def test_equal_tasks_are_one_stage(tmp_path: Path) -> None:
    reduces, other = task(500, container_type="reduce", count="4"), task(9, container_type="am")
    tasks = [task(1000, count=2), task(3000), reduces, other]
    [app] = apps_of(tmp_path, job(*tasks))
    assert app.stages == (
        Stage("map", 3, (1024, 1), duration=(1000, 1000, 3000)),
        Stage("reduce", 4, (1024, 1), ("map",), 10, duration=Dist("const", (0.5,))),
    )
    with trace_of(tmp_path, job(*tasks)) as trace:
        assert trace.nodes is None
        assert "tasks that are neither map nor reduce are left out" in trace.warnings[0]


def test_which_duration_counts(tmp_path: Path) -> None:
    first = {"container.duration.ms": "7", "duration.ms": 8, "container.start.ms": 1, "container.end.ms": 10}
    second = {"duration.ms": 8, "container.start.ms": 1, "container.end.ms": 10}
    third = {"container.start.ms": 1, "container.end.ms": 10}
    [app] = apps_of(tmp_path, job(first, second, third, {"container.end.ms": 4}))
    assert app.stages[0].duration == (7, 8, 9, 4)


def test_a_dag_has_delays(tmp_path: Path) -> None:
    data = job(task(5, container_request_delay=250), task(6), task(5, container_request_delay=-1), am_type="dag")
    [app] = apps_of(tmp_path, data)
    assert [(stage.name, stage.delay_ms, stage.duration, stage.after) for stage in app.stages] == [
        ("task", 250, Dist("const", (0.005,)), ()), ("task2", 0, (6, 5), ()),
    ]  # fmt: skip


def test_a_stream_has_rounds(tmp_path: Path) -> None:
    data = job(task(3000, count=3), task(5000), job_start_ms=1000, job_end_ms=11_000, am_type="stream")
    [app] = apps_of(tmp_path, data)
    assert [(stage.containers, stage.parallel, stage.after) for stage in app.stages] == [(12, 3, ()), (2, 1, ())]
    assert error_of(tmp_path, job(task(1), am_type="stream")) == (
        "1:1: T004 record 1, job.end.ms: a stream lives from job.start.ms to job.end.ms, and the end is not later | "
        "write an end after the start"
    )


def test_resources_by_name(tmp_path: Path) -> None:
    more = {"container.memory-mb": 4096, "container.vcores": "2", "container.yarn.io/gpu": 1}
    data = job({**task(1), **more}, **{"am.memory-mb": 2048, "am.yarn.io/gpu": "3"})
    [app] = apps_of(tmp_path, data, types=GPU)
    assert (app.am, app.stages[0].size) == ((2048, 1, 3), (4096, 2, 1))
    reason = "there is no resource type 'yarn.io/gpu' | known are memory-mb, vcores"
    assert error_of(tmp_path, data) == f"1:1: T005 record 1, am.yarn.io/gpu: {reason}"


def test_several_equal_jobs_and_the_cluster(tmp_path: Path) -> None:
    data = '{"num.nodes": "3", "num.racks": 2}\n' + job(task(1), job_id="j", job_count=3) + job(task(2), job_start_ms=5)
    with trace_of(tmp_path, data) as trace:
        assert trace.nodes == tuple(Node(f"node{index}", f"/rack{index % 2}", (10240, 10)) for index in range(3))
        assert [app.id for app in trace.apps()] == ["j", "j#2", "j#3", "app000002"]
    for racks, wanted in ((0, 1), (9, 3)):
        with trace_of(tmp_path, job(task(1)) + f'{{"num.nodes": 3, "num.racks": {racks}}}') as trace:
            assert trace.nodes is not None
            assert len({node.rack for node in trace.nodes}) == wanted


@pytest.mark.parametrize(("data", "wanted"), cases("sls"))
def test_what_is_refused(tmp_path: Path, data: str, wanted: str) -> None:
    assert error_of(tmp_path, data) == wanted


def test_remarks(tmp_path: Path) -> None:
    data = job(
        task(1, container_execution_type="OPPORTUNISTIC", container_allocation_id=3), job_label_expression="x", colour=1
    )
    with trace_of(tmp_path, data) as trace:
        assert [text.partition(":1: ")[2] for text in trace.warnings] == [
            "unknown key 'colour' in a job",
            "W102 labels are ignored: the fair scheduler knows no node labels",
            "opportunistic containers are read as guaranteed ones",
        ]


def test_the_file_of_nodes(tmp_path: Path) -> None:
    path = tmp_path / "nodes.json"
    path.write_text(
        '{"rack": "default-rack", "nodes": [{"node": "node1"}, {"node": "node2", "memory-mb": "2048", "vcores": 4}]}\n'
        '{"rack": "/r2", "nodes": [{"node": "node3", "yarn.io/gpu": 2, "labels": "x(exclusive=true)"}]}'
    )
    assert read_sls_nodes(str(path), GPU) == (
        Node("node1", "/default-rack", (10240, 10, 0)),
        Node("node2", "/default-rack", (2048, 4, 0)),
        Node("node3", "/r2", (10240, 10, 2)),
    )


@pytest.mark.parametrize(("data", "wanted"), cases("sls nodes"))
def test_bad_files_of_nodes(tmp_path: Path, data: str, wanted: str) -> None:
    path = tmp_path / "nodes.json"
    path.write_text(data)
    with pytest.raises(InputError) as caught:
        read_sls_nodes(str(path), PLAIN)
    assert told(caught.value) == wanted
