"""`fairsim shares` as a program: numbers that must come out, its JSON, its repeatability."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fairsim.cli.main import run

QUARTERS = """<?xml version="1.0"?>
<allocations>
  <queue name="queueA"><maxResources>1073741824 mb 1000 vcores</maxResources><weight>.25</weight></queue>
  <queue name="queueB"><maxResources>1073741824 mb 1000 vcores</maxResources><weight>.75</weight></queue>
</allocations>
"""
BUSY = """<allocations>
  <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
  <queue name="busy"/>
  <queue name="sometimes_busy"><weight>3</weight></queue>
</allocations>
"""
SCHEMA = json.loads(
    (Path(__file__).parents[2] / "fairsim" / "report" / "schema" / "shares.json").read_text(encoding="utf-8")
)


def answer(capfd: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert run(["shares", *args, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    return found


def amounts(found: dict[str, Any], key: str, kind: str = "memory-mb") -> dict[str, int]:
    return {queue["queue"]: queue[key][kind] for queue in found["queues"]}


@pytest.fixture
def quarters(tmp_path: Path) -> str:
    path = tmp_path / "alloc.xml"
    path.write_text(QUARTERS, encoding="utf-8")
    return str(path)


def test_quarters_on_3_3_share_with_root_default(quarters: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = answer(capfd, quarters, "--cluster", "8192m,8c", "--active", "queueA,queueB", "--hadoop", "3.3")
    assert amounts(found, "steady") == {
        "root": 8192, "root.default": 4096, "root.queueA": 1024, "root.queueB": 3072
    }  # fmt: skip
    assert amounts(found, "instantaneous") == {
        "root": 8192, "root.default": 0, "root.queueA": 2048, "root.queueB": 6144
    }  # fmt: skip


def test_quarters_on_3_4_have_it_all(quarters: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = answer(capfd, quarters, "--cluster", "8192m,8c", "--active", "queueA,queueB", "--hadoop", "3.4")
    assert amounts(found, "steady") == {"root": 8192, "root.queueA": 2048, "root.queueB": 6144}


def test_busy_pair(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "busy.xml"
    path.write_text(BUSY, encoding="utf-8")
    found = answer(capfd, str(path), "--cluster", "800g,200c", "--hadoop", "3.4")
    for key in ("steady", "instantaneous"):
        assert amounts(found, key) == {"root": 819200, "root.busy": 204800, "root.sometimes_busy": 614400}
        assert amounts(found, key, "vcores") == {"root": 200, "root.busy": 50, "root.sometimes_busy": 150}


def test_shape_of_the_json(quarters: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = answer(capfd, quarters, "--cluster", "8192m,8c", "--hadoop", "3.3.6")
    assert list(found)[:5] == ["schema", "command", "hadoop", "cluster", "queues"]
    assert (found["schema"], found["command"], found["hadoop"]) == (1, "shares", "3.3.6")
    assert found["cluster"] == {"memory-mb": 8192, "vcores": 8}
    queue = found["queues"][2]
    assert queue == {
        "queue": "root.queueA", "parent": "root", "leaf": True, "policy": "fair", "weight": 0.25,
        "min": {"memory-mb": 0, "vcores": 0}, "max": {"memory-mb": 1073741824, "vcores": 1000},
        "steady": {"memory-mb": 1024, "vcores": 0}, "instantaneous": {"memory-mb": 1024, "vcores": 0},
        "active": True, "am_limit": {"memory-mb": 512, "vcores": 4}, "max_running_apps": None, "line": 3, "notes": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ["sample-configs/departments.xml", "--am", "2g,1c", "--explain", "finance.closing"],
        ["sample-configs/departments.xml", "--apps", "research.genome=3"],
        ["sample-configs/policies.xml", "--hadoop", "3.3"],
        ["sample-configs/gpu.xml", "-D", "yarn.resource-types=yarn.io/gpu"],
        ["sample-configs/busy.xml", "--cluster", "8g,8c"],
    ],
)
def test_every_kind_of_answer_fits_the_schema(
    words: list[str], capfd: pytest.CaptureFixture[str], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    answer(capfd, *words, "--cluster", "800g,200c")


def test_default_of_hadoop_and_environment(
    quarters: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRSIM_HADOOP", "2.10")
    assert answer(capfd, quarters, "--cluster", "8g,8c")["hadoop"] == "2.10.2"
    assert answer(capfd, quarters, "--cluster", "8g,8c", "--hadoop", "3.5")["hadoop"] == "3.5.0"


def test_hang_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nan.xml"
    path.write_text('<allocations><queue name="a"><weight>NaN</weight></queue></allocations>', encoding="utf-8")
    assert run(["shares", str(path), "--cluster", "8g,8c"]) == 2
    error = capfd.readouterr().err
    assert "Hadoop 3.5.0 would hang on a cluster of 8192, 8: its search" in error
    assert "memory-mb below root" in error


def test_standard_input(quarters: str) -> None:
    command = [sys.executable, "-m", "fairsim", "shares", "-", "--cluster", "8g,8c", "--stdin-name", "given.xml"]
    done = subprocess.run(command, input=QUARTERS + "<x>", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "given.xml:6:1" in done.stderr


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "markdown"])
def test_same_bytes_whatever_the_hash_seed_and_locale(form: str, root: Path) -> None:
    command = [
        sys.executable, "-m", "fairsim", "shares", "sample-configs/departments.xml", "--cluster", "800g,200c",
        "--hadoop", "3.2.0", "--format", form,
    ]  # fmt: skip
    found = set()
    for seed, locale in (("0", "C.UTF-8"), ("1", "C.UTF-8"), ("2", "POSIX")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale}
        done = subprocess.run(command, capture_output=True, check=True, cwd=root, env=environment)
        found.add(done.stdout)
    assert len(found) == 1


def test_small_files_load_no_heavy_modules(root: Path) -> None:
    code = (
        "import sys; from fairsim.cli.main import run; "
        "assert run(['shares', 'sample-configs/departments.xml', '--cluster', '800g,200c']) == 0; "
        "print(sorted({'numpy', 'lxml', 'yaml', 'rich', 'json'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("args", "environ", "error"),
    [
        (["--cluster", "zz"], {}, "--cluster: 'zz' is not an amount of memory"),
        ([], {"FAIRSIM_CLUSTER": "zz"}, "--cluster (FAIRSIM_CLUSTER): 'zz' is not an amount of memory"),
        (["--set", "cluster=zz"], {}, "--set cluster: 'zz' is not an amount of memory"),
        (["--cluster", "8g,8c"], {"FAIRSIM_HADOOP": "9"}, "--hadoop (FAIRSIM_HADOOP): unknown Hadoop version '9'"),
        (["--cluster", "8g,8c", "--am", "0,0"], {}, "--am: '0,0' is no size of a master"),
        (["--cluster", "8g,8c", "--am", "2g,1c,fpga=1"], {}, "--am: the cluster has no fpga"),
    ],
)
def test_errors_name_where_the_value_came_from(
    args: list[str],
    environ: dict[str, str],
    error: str,
    quarters: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert run(["shares", quarters, *args]) == 2
    assert capfd.readouterr().err.startswith(f"fairsim: error: {error}\n")


def test_output_spares_the_inputs(quarters: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cluster = tmp_path / "cluster.yaml"
    cluster.write_text("nodes: [{count: 2, memory: 4g, vcores: 4}]\n", encoding="utf-8")
    link = tmp_path / "link.xml"
    link.symlink_to(quarters)
    for target in (quarters, str(link), str(cluster)):
        before = Path(target).read_bytes()
        assert run(["shares", quarters, "--cluster", str(cluster), "-o", target]) == 2
        assert "is an input of this run" in capfd.readouterr().err
        assert Path(target).read_bytes() == before


@pytest.mark.parametrize("hadoop", ["2.6", "2.7", "2.8", "2.9"])
def test_room_for_masters_by_type(hadoop: str, quarters: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = answer(capfd, quarters, "--cluster", "8192m,8c", "--hadoop", hadoop)
    vcores = {queue["queue"]: queue["am_limit"] and queue["am_limit"]["vcores"] for queue in found["queues"]}
    assert vcores == dict.fromkeys(vcores, None) if hadoop < "2.9" else vcores["root.queueA"] is not None


def test_queue_max_am_share_of_hadoop_s_own_test(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """testQueueMaxAMShare: 20480 MB, two active queues, a fifth for masters: two of 1024 MB run."""
    path = tmp_path / "am.xml"
    path.write_text('<allocations><queue name="queue1"><maxAMShare>.2</maxAMShare></queue></allocations>', "utf-8")
    args = ["--cluster", "20480m,20c", "--hadoop", "3.3", "--am", "1024m,1c", "--active", "queue1,default"]
    found = answer(capfd, str(path), *args)
    queue = next(queue for queue in found["queues"] if queue["queue"] == "root.queue1")
    assert (queue["instantaneous"]["memory-mb"], queue["am_limit"]["memory-mb"], queue["am_fit"]) == (10240, 2049, 2)


def test_idle_queues_have_no_room_for_masters(quarters: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = answer(capfd, quarters, "--cluster", "8192m,8c", "--active", "queueA")
    assert [queue["am_limit"] is None for queue in found["queues"]] == [True, False, True]


def test_a_switched_off_check_is_not_a_missing_one(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "off.xml"
    path.write_text('<allocations><queue name="a"><maxAMShare>-1</maxAMShare></queue></allocations>', "utf-8")
    assert run(["shares", str(path), "--cluster", "8g,8c", "--columns", "queue,am_limit"]) == 0
    assert [line.split() for line in capfd.readouterr().out.splitlines()[2:5]] == [
        ["queue", "AM", "room"], ["root", "-"], ["root.a", "unlimited"],
    ]  # fmt: skip


def test_explanation_says_when_the_queue_is_starved(quarters: str, capfd: pytest.CaptureFixture[str]) -> None:
    found = answer(capfd, quarters, "--cluster", "8192m,8c", "--explain", "queueA")
    (explained,) = found["explain"]
    assert explained["mode"] == "instantaneous"
    assert explained["starved"][0].startswith("starved for its fair share below 1024 MB (0.5 of the share")
    assert explained["starved"][-1].startswith("preemption is off")
    assert [child["max"] for child in explained["steps"][0]["children"]] == [1073741824, 1073741824]
    found = answer(
        capfd, quarters, "--cluster", "8192m,8c", "--explain", "queueA", "-D", "yarn.scheduler.fair.preemption=true"
    )
    assert not found["explain"][0]["starved"][-1].startswith("preemption is off")


def test_int_sums_are_named_as_the_reason_of_a_hang(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.xml"
    path.write_text('<allocations><queue name="A"/><queue name="B"/></allocations>', encoding="utf-8")
    sizes = ["--cluster", "4g,4c", "--cluster", "1572864000m,10c"]
    assert run(["shares", str(path), *sizes, "--hadoop", "2.8", "--active", "A,B"]) == 2
    error = capfd.readouterr().err
    assert "would hang on a cluster of 1572864000, 10" in error
    assert "adds up shares in 32 bits" in error


@pytest.mark.parametrize(
    ("args", "remark"),
    [
        (["-D", "yarn.resourcemanager.scheduler.class=x.CapacityScheduler"], "yarn-site names another scheduler"),
        (["--format", "csv", "--explain", "queueA"], "csv has the queues only"),
        (["--format", "jsonl", "--apps", "queueA=1"], "jsonl has the queues only"),
    ],
)
def test_remarks(args: list[str], remark: str, quarters: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["shares", quarters, "--cluster", "8g,8c", *args]) == 0
    assert remark in capfd.readouterr().err


def test_notes_on_what_takes_no_application(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "parent.xml"
    path.write_text('<allocations><queue name="p" type="parent"/></allocations>', encoding="utf-8")
    found = answer(capfd, str(path), "--cluster", "0m,0c")
    assert found["queues"][1]["notes"] == ["a parent without children: no application goes here"]
    assert found["notes"][-1] == "the cluster has no nodes that count: every share is 0"


def test_no_applications(quarters: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["shares", quarters, "--cluster", "8g,8c", "--apps", "queueA=0"]) == 0
    out = capfd.readouterr().out
    assert out.count("running applications of 0") == 1
    assert "application  queue" not in out


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--apps", "queueA=1.5"], "--apps: 'queueA=1.5' is not QUEUE=NUMBER"),
        (["--explain", ""], "--explain: the name of the queue is empty"),
        (["-o", ""], "--output: the name of the file is empty"),
        (["--yarn-site", "/dev/null"], "/dev/null:1:1: the file is empty"),
    ],
)
def test_small_mistakes_are_named(
    args: list[str], error: str, quarters: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["shares", quarters, "--cluster", "8g,8c", *args]) == 2
    assert capfd.readouterr().err.startswith(f"fairsim: error: {error}\n")


def test_columns_stay_aligned_where_characters_are_escaped(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "names.xml"
    path.write_text('<allocations><queue name="\u00e9\u4e2d"/><queue name="b"/></allocations>', encoding="utf-8")
    command = [sys.executable, "-m", "fairsim", "shares", str(path), "--cluster", "8g,8c"]
    environ = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(root)}
    done = subprocess.run(command, env=environ, capture_output=True, check=True)
    lines = done.stdout.decode("ascii").splitlines()[2:6]
    assert lines[2].startswith("root.\\xe9\\u4e2d  fair")
    assert {line.find("fair") for line in lines[1:]} == {lines[0].find("policy")}
