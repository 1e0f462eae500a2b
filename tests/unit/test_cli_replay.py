"""`fairsim replay` as a program: its answers in every form, the files beside it, its errors, the same bytes again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fairsim.cli.main import run
from fairsim.report.schemas import load_schema

SCHEMA = load_schema("replay", strict=True)
ALLOC = """<allocations>
  <queue name="a"><maxRunningApps>1</maxRunningApps></queue>
  <queue name="b"><weight>3</weight></queue>
</allocations>"""
TRACE = """{"version": 1, "defaults": {"user": "bob"}}
{"id": "x", "arrival": 0, "user": "ann", "queue": "a", "stages": [{"count": 4, "resource": "2g,1c", "duration": 20}]}
{"id": "y", "arrival": 1, "queue": "a", "stages": [{"count": 2, "duration": "exp(10)"}]}
{"id": "z", "arrival": 2, "queue": "b", "repeat": {"count": 3, "every": 5}, "stages": [{"count": 9, "duration": 9}]}
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fair-scheduler.xml").write_text(ALLOC, encoding="utf-8")
    (tmp_path / "t.jsonl").write_text(TRACE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def replay(files: Path, capfd: pytest.CaptureFixture[str]) -> Any:
    def call(*args: str, code: int = 0) -> tuple[str, str]:
        found = run(["replay", "--cluster", "2x8g,8c", "--trace", "t.jsonl", *args])
        out, err = capfd.readouterr()
        assert found == code, err
        return out, err

    return call


def test_the_answer_is_the_same_in_every_form(replay: Any) -> None:
    text, _ = replay()
    assert text.startswith("fair-scheduler.xml: 5 applications, ")
    document = json.loads(replay("--format", "json")[0])
    jsonschema.validate(document, SCHEMA)
    queues = {one["queue"]: one for one in document["queues"]}
    assert queues["root.a"]["apps"] == 2
    assert queues["root.b"]["finished"] == 3
    assert document["cluster"]["containers"] == queues["root"]["containers"] == 5 + 4 + 2 + 3 * 9
    assert document["trace"] == {"apps": 5, "containers": 33, "end_ms": 12_000}
    assert document["variants"] == []
    lines = [json.loads(line) for line in replay("--format", "jsonl")[0].splitlines()]
    assert [line["kind"] for line in lines].count("user") == 2
    assert replay("--format", "csv")[0].startswith("queue,apps,finished,")
    assert replay("--format", "markdown")[0].count("| root.a |") == 1


def test_two_files_side_by_side(files: Path, replay: Any) -> None:
    (files / "new.xml").write_text(ALLOC.replace(">1<", ">5<"), encoding="utf-8")
    document = json.loads(replay("fair-scheduler.xml", "new.xml", "--format", "json")[0])
    jsonschema.validate(document, SCHEMA)
    assert [one["variant"] for one in document["variants"]] == ["fair-scheduler.xml", "new.xml"]
    waits = [one["queues"][1]["wait_ms"]["max"] for one in document["variants"]]
    assert waits[0] > waits[1]
    text, _ = replay("--set", "root.a.maxRunningApps=5")
    assert "B  fair-scheduler.xml with root.a.maxRunningApps=5" in text
    assert "differs" in text


def test_a_story(replay: Any) -> None:
    text, _ = replay("--why", "y")
    assert "waits for maxRunningApps of root.a: 1 of 1 run" in text
    document = json.loads(replay("--why", "z#2", "--format", "json")[0])
    jsonschema.validate(document, SCHEMA)
    assert document["story"][0]["time_ms"] == 7000
    _, err = replay("--why", "zz", code=2)
    assert "no application zz came" in err


def test_files_beside(files: Path, replay: Any) -> None:
    replay("--log", "log.jsonl", "--timeline", "line.csv", "--every", "10s")
    log = [json.loads(line) for line in (files / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["what"] for line in log].count("submit") == 5
    assert sum(line["what"] == "allocate" for line in log) == 5 + 33
    given = next(one for one in log if one["what"] == "allocate")
    assert {"app", "container", "node", "size", "reserved"} <= given.keys()
    rows = (files / "line.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("time_ms,queue,AppsSubmitted,AppsPending,AppsRunning")
    assert rows[1].startswith("0,root,1,1,0")
    replay("--timeline", "line.jsonl")
    assert json.loads((files / "line.jsonl").read_text(encoding="utf-8").splitlines()[0])["queue"] == "root"


def test_until_and_reload(files: Path, replay: Any) -> None:
    document = json.loads(replay("--until", "10s", "--format", "json")[0])
    assert document["cluster"]["simulated_ms"] == 10_000
    assert document["cluster"]["running"] + document["cluster"]["pending"] > 0
    (files / "later.xml").write_text(ALLOC.replace(">1<", ">5<"), encoding="utf-8")
    before = json.loads(replay("--format", "json")[0])["queues"][1]["wait_ms"]["max"]
    after = json.loads(replay("--reload", "5s=later.xml", "--format", "json")[0])["queues"][1]["wait_ms"]["max"]
    assert after < before


def test_periods_are_those_of_yarn_site(replay: Any) -> None:
    usual = json.loads(replay("--format", "json")[0])["cluster"]["master_wait_ms"]["p50"]
    slow = json.loads(replay("-D", "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms=5000", "-D",
                             "yarn.scheduler.fair.update-interval-ms=2000", "--format", "json")[0])  # fmt: skip
    assert slow["cluster"]["master_wait_ms"]["p50"] > 2 * usual


def test_nodes_come_and_go(files: Path, replay: Any) -> None:
    (files / "c.yaml").write_text(
        "nodes:\n  - {count: 2, memory: 8g, vcores: 8}\n"
        "events:\n  - {at: 10, remove: n1}\n  - {at: 20, add: {count: 3, memory: 16g, vcores: 8}}\n", encoding="utf-8"
    )  # fmt: skip
    document = json.loads(replay("--cluster", "c.yaml", "--format", "json")[0])
    assert document["cluster"]["nodes"] == 4
    assert document["cluster"]["lost"] > 0


@pytest.mark.parametrize(("args", "what"), [
    (["--cluster", "16g,8c"], "a sum is no nodes to run on"),
    (["--until", "soon"], "'soon': this is not a time"),
    (["--every", "0"], "the step is 0"),
    (["--reload", "x"], "'x' is no reload"),
    (["--timeline", "x.txt"], "has no known form"),
    (["--log", "t.jsonl"], "t.jsonl is an input of this run"),
    (["--hadoop", "2.8"], "scheduling is modelled from Hadoop 2.9 on"),
    (["-D", "yarn.scheduler.fair.continuous-scheduling-enabled=true"], "continuous scheduling goes by the clock"),
    (["--why", "x", "--set", "root.a.weight=2"], "--why is about one run"),
])  # fmt: skip
def test_what_does_not_go(replay: Any, args: list[str], what: str) -> None:
    out, err = replay(*args, code=2)
    assert what in err
    assert out == ""


def test_a_bad_record(files: Path, replay: Any) -> None:
    (files / "t.jsonl").write_text(TRACE + '{"id": "w", "user": "x"}\n', encoding="utf-8")
    _, err = replay(code=2)
    assert "t.jsonl:5:1" in err
    assert "T002" in err
    _, err = replay("--skip-bad", "1")
    assert "T002" in err


def test_what_can_never_run_is_told(files: Path, replay: Any) -> None:
    more = '{"id": "big", "arrival": 0, "user": "u", "queue": "b", "stages": [{"resource": "64g,1c", "duration": 1}]}\n'
    (files / "t.jsonl").write_text(TRACE + more, encoding="utf-8")
    text, _ = replay()
    assert "big: a container of its stage s0 is larger than any node or the maximum allocation" in text


def _process(files: Path, *args: str, **env: str) -> bytes:
    command = [sys.executable, "-m", "fairsim", "replay", "--cluster", "2x8g,8c", "--trace", "t.jsonl", *args]
    done = subprocess.run(command, cwd=files, env=os.environ | env, capture_output=True, check=True)
    return done.stdout


def test_the_same_bytes_again(files: Path) -> None:
    found = set()
    for seed in ("0", "1", "42"):
        found.add(_process(files, "--seed", "7", "--format", "json", "--log", "log.jsonl", PYTHONHASHSEED=seed)
                  + (files / "log.jsonl").read_bytes())  # fmt: skip
    assert len(found) == 1
    assert _process(files, "--seed", "8", "--format", "json") not in found


def test_numbers_are_drawn_only_where_there_are_any(files: Path) -> None:
    (files / "t.jsonl").write_text(TRACE.replace("exp(10)", "10"), encoding="utf-8")
    code = (
        "import sys; from fairsim.cli.main import run; "
        "code = run(['replay', '--cluster', '2x8g,8c', '--trace', 't.jsonl', '--format', 'json']); "
        "assert not {'numpy', 'rich', 'yaml'} & set(sys.modules), sorted(sys.modules); sys.exit(code)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=files, check=True, capture_output=True)


def test_an_interrupt_tells_what_came_until_then(files: Path) -> None:
    many = '{"id": "x", "arrival": 0, "user": "u", "queue": "b", "repeat": {"count": 100000, "every": 3}, "stages": [{"count": 9, "duration": 9}]}\n'  # noqa: E501
    (files / "t.jsonl").write_text(many, encoding="utf-8")
    code = (  # where the tests run in the background SIGINT is ignored, and that is handed on
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from fairsim.cli.main import run; sys.exit(run(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "replay", "--cluster", "2x8g,8c", "--trace", "t.jsonl", "--format", "json",
               "--log", "log.jsonl"]  # fmt: skip
    with subprocess.Popen(command, cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            time.sleep(6)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    document = json.loads(out)
    jsonschema.validate(document, SCHEMA)
    assert document["partial"]
    assert 0 < document["cluster"]["apps"] < 100_000
    assert (files / "log.jsonl").read_text(encoding="utf-8").endswith("}\n")
