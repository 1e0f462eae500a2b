"""`fairsim why` as a program: the cases that people ask about, its JSON, its exit codes, its errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

import jsonschema
import pytest

from fairsim.cli.main import run
from fairsim.report.schemas import load_schema
from tests.unit.test_state import NEW, NEW_ASK, OLD, app, dump, leaf, res

SCHEMA = load_schema("why", strict=True)


class Ask(Protocol):
    def __call__(self, inner: str, *words: str, state: Any = None, code: int | None = None) -> dict[str, Any]: ...


@pytest.fixture
def ask(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Ask:
    """Asks twice, for text and for JSON; returns the object, with what the text says under `text`."""

    def asked(inner: str, *words: str, state: Any = None, code: int | None = None) -> dict[str, Any]:
        path = tmp_path / "alloc.xml"
        path.write_text(f"<allocations>{inner}</allocations>", encoding="utf-8")
        given = []
        for number, one in enumerate(state if isinstance(state, list) else [state] if state else []):
            file = tmp_path / (f"state{number}.yaml" if isinstance(one, str) else f"state{number}.json")
            file.write_text(one if isinstance(one, str) else json.dumps(one), encoding="utf-8")
            given += ["--state", str(file)]
        codes = []
        texts = []
        for form in ("text", "json"):
            codes.append(run(["why", str(path), *words, *given, "--format", form]))
            texts.append(capfd.readouterr().out)
        found: dict[str, Any] = json.loads(texts[1])
        jsonschema.validate(found, SCHEMA)
        assert codes == [0 if found["verdict"] == "runs" else 1] * 2
        assert code in (None, codes[0])
        assert texts[0].splitlines()[0] == found["result"]
        assert sum(one["first"] for one in found["checks"]) == (found["stopped_by"] is not None)
        return {**found, "text": texts[0]}

    return asked


def line(found: dict[str, Any], name: str) -> str:
    """Returns the line of the text that begins with this check."""
    lines: list[str] = found["text"].splitlines()
    return next(one for one in lines if one.startswith(name))


# --- reports of people who run it -------------------------------------------------------------------------------------

FRED = ("--user", "fred")


@pytest.mark.parametrize(("hadoop", "says"), [
    ("2.8", "fred in root.spare: waits (room for masters of root.spare: 0 + 1024 > 0 MB, never)"),
    ("2.9", "fred in root.spare: runs"),
    ("3.5", "fred in root.spare: runs"),
])  # fmt: skip
def test_weight_0(ask: Ask, hadoop: str, says: str) -> None:
    inner = '<queue name="prod"/><queue name="spare"><weight>0</weight></queue>'
    found = ask(inner, *FRED, "--queue", "spare", "--am", "1g,1c", "--cluster", "100g,50c", "--hadoop", hadoop)
    assert found["result"] == says


@pytest.mark.parametrize(("hadoop", "verdict"), [("2.8", "waits"), ("3.5", "runs")])
def test_one_vcore_left(ask: Ask, hadoop: str, verdict: str) -> None:
    inner = '<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queue name="q"/>'
    found = ask(inner, *FRED, "--queue", "q", "--am", "1g,1c", "--cluster", "8g,1c", "--hadoop", hadoop)
    assert found["verdict"] == verdict
    assert ("0 + 1 > 0 vcores, never" in found["result"]) == (verdict == "waits")


@pytest.mark.parametrize(("hadoop", "says"), [
    ("3.1", "waits (room for masters of root.s: 0 + 1 > 0 vcores, never)"),
    ("3.2", "refused (the maximum of root.s is 0 vcores)"),
    ("3.5", "refused (the maximum of root.s is 0 vcores)"),
])  # fmt: skip
def test_a_maximum_of_0_vcores(ask: Ask, hadoop: str, says: str) -> None:
    inner = '<queue name="s"><maxResources>90000 mb,0vcores</maxResources></queue>'
    found = ask(inner, *FRED, "--queue", "s", "--am", "1g,1c", "--cluster", "100g,100c", "--hadoop", hadoop)
    assert found["result"] == f"fred in root.s: {says}"
    assert "raise maxResources of root.s" in found["text"] or "give root.s a maxResources" in found["text"]
    assert "alloc.xml:1 <maxResources> of root.s" in found["text"]


def test_a_minimum_allocation_of_0(ask: Ask) -> None:
    zero = ("-D", "yarn.scheduler.minimum-allocation-mb=0", "-D", "yarn.scheduler.minimum-allocation-vcores=0")
    words = (*FRED, "--queue", "q", "--am", "1g,1c", "--cluster", "100g,100c", *zero)
    found = ask('<queue name="q"/>', *words, "--hadoop", "2.8")
    assert found["result"] == "fred in root.q: waits (the request is rounded to nothing, never)"
    assert ask('<queue name="q"/>', *words, "--hadoop", "2.9")["verdict"] == "runs"


def test_80_jobs_and_a_limit_of_10(ask: Ask) -> None:
    inner = '\n<user name="u1"><maxRunningApps>10</maxRunningApps></user><userMaxAppsDefault>5</userMaxAppsDefault>'
    rows = [f"- {{id: job{n}, queue: q{n % 3}, user: u1, state: waiting, start: {n}}}" for n in range(11, 81)]
    state = "users: {u1: {running: 10, waiting: 70}}\napps:\n" + "\n".join(rows)
    words = ("--cluster", "800g,200c", "--app")
    found = ask(inner, *words, "job80", state=state)
    assert found["result"] == (
        "job80 of u1 in root.q2: waits (user limit: 10 of 10 applications of u1 run, position 70 in line)"
    )
    assert (found["stopped_by"], found["position"]) == ("user_limit", 70)
    assert line(found, "running limit of u1").endswith('alloc.xml:2 <user name="u1">')
    assert ask(inner, *words, "job11", state=state)["position"] == 1
    other = ask(inner, "--user", "u2", "--queue", "q", "--cluster", "800g,200c", state=state)
    assert other["verdict"] == "runs"


def test_a_limit_of_the_parent(ask: Ask) -> None:
    inner = '<queue name="p">\n<maxRunningApps>2</maxRunningApps><queue name="a"/><queue name="b"/></queue>'
    state = "queues: {p.a: {running: 2}}"
    found = ask(inner, *FRED, "--queue", "p.b", "--cluster", "800g,200c", state=state, code=1)
    assert found["result"] == "fred in root.p.b: waits (running limit of root.p: 2 of 2 run, position 1 in line)"
    assert line(found, "running limit of root.p ").endswith("alloc.xml:2 <maxRunningApps> of root.p")


CLOSED = '<queue name="root"><aclSubmitApps> </aclSubmitApps><aclAdministerApps> </aclAdministerApps></queue>'


def test_the_error_names_another_queue(ask: Ask) -> None:
    rules = '<queuePlacementPolicy><rule name="specified" create="false"/>\n<rule name="user"/></queuePlacementPolicy>'
    found = ask(CLOSED + rules, "--user", "u", "--queue", "x", "--cluster", "8g,8c", code=1)
    assert found["result"] == "u in root.u: refused (u may not submit to root.u)"
    assert found["stopped_by"] == "acl"
    placement = found["checks"][0]
    assert placement["sources"][0]["line"] == 2
    assert [text.split(":")[0].split(",")[1].strip() for text in placement["details"]] == ["specified", "user"]


def test_no_rule_takes_it(ask: Ask) -> None:
    rules = '<rule name="specified" create="false"/><rule name="reject"/>'
    inner = f'<queue name="prod"/><queuePlacementPolicy>{rules}</queuePlacementPolicy>'
    found = ask(inner, *FRED, "--queue", "prdo", "--cluster", "8g,8c", code=1)
    assert (found["verdict"], found["stopped_by"], found["queue"]) == ("refused", "placement", None)
    assert "did you mean root.prod?" in found["text"]


def test_a_new_queue_and_its_cap(ask: Ask) -> None:
    inner = '<queueMaxResourcesDefault>4096 mb,4 vcores</queueMaxResourcesDefault><queue name="a"/>'
    state = "queues: {free: {used: '4g,4c', running: 1, am_used: '1g,1c'}}"
    words = (*FRED, "--queue", "free", "--am", "1g,1c", "--cluster", "80g,80c")
    new = ask(inner, *words)
    assert "a new queue (root.free)" in line(new, "placement")
    assert "<queueMaxResourcesDefault>" in line(new, "maximum of root.free")
    found = ask(inner, *words, state=state)
    assert found["result"] == "fred in root.free: waits (maximum of root.free: 4096 + 1024 > 4096 MB, 4 + 1 > 4 vcores)"


def test_the_first_job_took_all(ask: Ask) -> None:
    state = "apps: [{id: long, queue: u1, user: u1, used: '100g,100c', am: '1g,1c'}]"
    words = ("--user", "u2", "--am", "1g,1c", "--cluster", "100g,100c")
    found = ask("", *words, state=state, code=1)
    assert found["result"] == "u2 in root.u2: waits (room for masters of root.u2: 0 + 1 > 0 vcores)"
    drf = "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
    found = ask(drf, *words, state=state, code=1)
    assert found["result"] == "u2 in root.u2: waits (no room: 0 MB free, 0 vcores free in the cluster)"
    assert "uses 0 of 51200 MB, 0 of 50 vcores: within its share" in line(found, "fair share")
    assert "yarn.scheduler.fair.preemption is false" in line(found, "preemption")
    assert "root.u2 has no fairSharePreemptionTimeout" in line(found, "preemption")
    on = "<defaultFairSharePreemptionTimeout>60</defaultFairSharePreemptionTimeout>"
    found = ask(drf + on, *words, "-D", "yarn.scheduler.fair.preemption=true", state=state, code=1)
    assert "could help: starved after 60 s, containers of others end 15 s later" in line(found, "preemption")
    assert "can lose containers: long in root.u1, 51200 MB above its share" in found["text"]


def test_the_master_is_too_large(ask: Ask) -> None:
    words = (*FRED, "--queue", "a", "--am", "10g,1c")
    found = ask('<queue name="a"/>', *words, "--cluster", "10x20g,20c", code=1)
    assert found["result"] == (
        "fred in root.a: refused (the master is larger than the maximum allocation: 10240 MB of 8192)"
    )
    larger = ("-D", "yarn.scheduler.maximum-allocation-mb=16384")
    assert ask('<queue name="a"/>', *words, *larger, "--cluster", "10x20g,20c")["verdict"] == "runs"
    found = ask('<queue name="a"/>', *words, *larger, "--cluster", "10x8g,20c", code=1)
    assert found["stopped_by"] == "largest_node"


# --- the state of a ResourceManager -----------------------------------------------------------------------------------

HERE = '<queue name="a"><maxRunningApps>2</maxRunningApps></queue><queue name="p"><queue name="b"/></queue>'


@pytest.mark.parametrize("answer", [OLD, NEW], ids=["old", "new"])
def test_the_scheduler_alone(ask: Ask, answer: dict[str, Any]) -> None:
    found = ask(HERE, *FRED, "--queue", "a", state=answer, code=1)
    assert found["cluster"] == {"memory-mb": 16384, "vcores": 16}
    assert found["result"] == "fred in root.a: waits (running limit of root.a: 2 of 2 run, position 2 in line)"
    assert any("saved as well, tells whose they are" in text for text in found["assumed"])


def test_scheduler_and_apps(ask: Ask) -> None:
    apps = {"apps": {"app": [
        app(1, "RUNNING", user="ann", allocatedMB=1024, allocatedVCores=1),
        app(2, "RUNNING", user="ann", allocatedMB=1024, allocatedVCores=1),
        app(3, "ACCEPTED", user="bob", resourceRequests=[NEW_ASK]), app(4, "ACCEPTED", resourceRequests=[NEW_ASK]),
    ]}}  # fmt: skip
    found = ask(HERE, "--app", "application_1_0004", state=[NEW, apps], code=1)
    assert found["user"] == "fred"
    assert found["result"].endswith("waits (running limit of root.a: 2 of 2 run, position 2 in line)")
    more = ask(HERE, "--app", "application_1_0004", "--set", "root.a.maxRunningApps=4",
               "--set", "root.a.maxAMShare=1", state=[NEW, apps])  # fmt: skip
    assert "the state tells usage of root.p.b, but no application: one is taken as running there" in more["assumed"]
    assert (more["verdict"], more["container"]) == ("runs", {"memory-mb": 2048, "vcores": 1})
    first = ask(HERE, "--app", "application_1_0001", state=[NEW, apps])
    assert first["reason"] == "its master runs, and the state does not tell that it waits for anything"


def test_a_running_application_that_wants_more(ask: Ask) -> None:
    apps = {"apps": {"app": [app(1, "RUNNING", allocatedMB=2048, allocatedVCores=2, resourceRequests=[NEW_ASK])]}}
    inner = HERE.replace("<maxRunningApps>2</maxRunningApps>", "<maxResources>3072 mb,9 vcores</maxResources>")
    found = ask(inner, "--app", "application_1_0001", state=[NEW, apps], code=1)
    assert found["result"].endswith("waits (maximum of root.a: 2048 + 2048 > 3072 MB)")
    assert ask(inner, "--app", "application_1_0001", "--ask", "1g,1c", state=[NEW, apps])["verdict"] == "runs"


def test_nodes_give_the_cluster_and_what_is_free(ask: Ask) -> None:
    def node(number: int, free: int) -> dict[str, Any]:
        return {"id": f"n{number}:8041", "nodeHostName": f"n{number}", "state": "RUNNING", "usedMemoryMB": 8192 - free,
                "availMemoryMB": free, "usedVirtualCores": 4, "availableVirtualCores": 4}  # fmt: skip

    nodes = {"nodes": {"node": [node(1, 1024), node(2, 1024)]}}
    one = leaf("root.a", usedResources=res(14336, 8), amUsedResources=res(1024, 1), numPendingApps=0)
    busy = dump({"queue": [one]})
    busy["scheduler"]["schedulerInfo"]["rootQueue"]["usedResources"] = res(14336, 8)
    found = ask('<queue name="a"/>', *FRED, "--queue", "a", "--am", "2g,1c", state=[busy, nodes], code=1)
    assert found["cluster"] == {"memory-mb": 16384, "vcores": 16}
    assert found["result"] == "fred in root.a: waits (no node has room)"
    assert ask('<queue name="a"/>', *FRED, "--queue", "a", "--am", "1g,1c", state=[busy, nodes])["verdict"] == "runs"


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--queue", "a"], "no user is given"),
        (["--user", "fred", "--app", "x"], "--app names an application of the state"),
        (["--app", "batch-1", "--state", "sample-configs/state.yaml"], "did you mean batch-17?"),
        (["--app", "batch-17", "--user", "fred", "--state", "sample-configs/state.yaml"], "batch-17 is of scheduler"),
        (["--app", "batch-17", "--queue", "a", "--state", "sample-configs/state.yaml"], "is in root.research.nightly"),
        (["--app", "batch-17", "--ask", "1g,1c", "--state", "sample-configs/state.yaml"], "has no master yet"),
        (["--user", "fred", "--ask", "1g,1c"], "--ask is about an application of the state"),
        (["--user", "fred", "--am", "0,0"], "'0,0' is no size of a master"),
        (["--user", "fred", "--cluster", "1g,1c"], "why takes one size of the cluster"),
        (["--user", "fred", "--groups", "a", "--no-groups"], "exclude each other"),
        (["--user", "fred", "--state", "sample-configs/busy.xml"], "the file is XML, not the state of a cluster"),
        (["--user", "fred", "--state", "sample-configs/apps.yaml"], "the state must be a map"),
        (["--user", "fred", "--state", "nowhere.yaml"], "cannot be read"),
    ],
)
def test_errors(
    words: list[str], message: str, root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    assert run(["why", "sample-configs/departments.xml", "--cluster", "800g,200c", *words]) == 2
    assert message in capfd.readouterr().err


def test_a_state_that_does_not_go_with_the_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    alloc, state = tmp_path / "alloc.xml", tmp_path / "state.yaml"
    alloc.write_text('<allocations><queue name="p"><queue name="a"/></queue></allocations>', encoding="utf-8")
    state.write_text("apps: [{queue: p, used: '1g,1c'}]", encoding="utf-8")
    assert run(["why", str(alloc), "--user", "u", "--cluster", "8g,8c", "--state", str(state)]) == 2
    assert "the state has applications in root.p, but it is a parent" in capfd.readouterr().err
    state.write_text("apps: [{queue: p.a.x, used: '1g,1c'}]", encoding="utf-8")
    assert run(["why", str(alloc), "--user", "u", "--cluster", "8g,8c", "--state", str(state)]) == 2
    assert "the state has the queue root.p.a.x" in capfd.readouterr().err


def test_markdown(capfd: pytest.CaptureFixture[str], root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    words = ["why", "sample-configs/busy.xml", "--user", "ann", "--queue", "busy", "--cluster", "8g,8c"]
    assert run([*words, "--format", "markdown"]) == 0
    out = capfd.readouterr().out
    assert out.startswith("ann in root.busy: runs\n")
    assert "| check |" in out


def test_a_narrow_terminal(capfd: pytest.CaptureFixture[str], root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    words = ["why", "sample-configs/busy.xml", "--user", "ann", "--queue", "busy", "--cluster", "8g,8c"]
    assert run([*words, "--state", "sample-configs/state.yaml", "--width", "60"]) == 1
    out = capfd.readouterr().out
    assert max(map(len, out.splitlines())) <= 60
    assert "    from: yarn.scheduler.fair.allow-undeclared-pools,\n" in out
    assert "the state uses more than the cluster has: give the cluster\nthat the state belongs to" in out
