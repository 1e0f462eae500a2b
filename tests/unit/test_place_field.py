"""Questions of administrators about placement and access, and the answers that they should have had: text and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fairsim.cli.main import run
from fairsim.report.schemas import load_schema

SCHEMA = load_schema("place", strict=True)
CLOSED = "<aclSubmitApps> </aclSubmitApps><aclAdministerApps> </aclAdministerApps>"


def rules(*elements: str) -> str:
    return f"<queuePlacementPolicy>{''.join(elements)}</queuePlacementPolicy>"


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """Gives a function: file and options to the exit code, the printed text and the JSON."""
    monkeypatch.chdir(tmp_path)

    def call(inner: str, *args: str) -> tuple[int, str, Any]:
        Path("a.xml").write_text(f"<allocations>\n{inner}\n</allocations>\n", encoding="utf-8")
        code = run(["place", "a.xml", *args])
        text = capfd.readouterr().out
        assert run(["place", "a.xml", *[arg for arg in args if arg != "--explain"], "--format", "json"]) == code
        found = json.loads(capfd.readouterr().out)
        jsonschema.validate(found, SCHEMA)
        return code, text, found

    return call


def test_a_maximum_without_vcores(ask: Any) -> None:
    inner = '<queue name="s"><maxResources>90000 mb,0vcores</maxResources></queue>'
    args = ("--user", "u", "--queue", "s", "--am", "1g,1c", "--cluster", "100g,100c")
    code, text, found = ask(inner, *args, "--hadoop", "3.4")
    assert (code, found["code"], found["step"]) == (1, "ZERO_RESOURCE", "zero")
    assert "the maximum of root.s is 0 vcores, and the master asks for some" in text
    assert "what helps: write a maxResources above 0 for root.s" in text
    code, text, found = ask(inner, *args, "--hadoop", "3.1")
    assert (code, found["queue"]) == (0, "root.s")


def test_lists_below_an_open_root_change_nothing(ask: Any) -> None:
    inner = '<queue name="a"><aclAdministerApps>alice</aclAdministerApps></queue>'
    site = ("-D", "yarn.acl.enable=true", "-D", "yarn.admin.acl=root")
    code, text, found = ask(inner, "--user", "bob", "--queue", "a", *site, "--explain")
    assert code == 0
    assert found["acl"]["administer"] == {"allowed": True, "text": "aclAdministerApps of root (not written): everybody"}
    assert "administer  may  aclAdministerApps of root (not written): everybody" in text
    half = f'<queue name="root"><aclSubmitApps> </aclSubmitApps>{inner}</queue>'
    assert ask(half, "--user", "bob", "--queue", "a")[2]["acl"]["submit"]["list"] == "aclAdministerApps"


def test_a_refusal_names_another_queue_than_the_one_asked_for(ask: Any) -> None:
    policy = rules('<rule name="specified" create="false"/>', '<rule name="user"/>')
    inner = f'<queue name="root">{CLOSED}</queue>{policy}'
    code, text, found = ask(inner, "--user", "u", "--queue", "x", "--groups", "g", "--explain")
    assert (code, found["code"]) == (1, "ACL_SCHED")
    assert text.startswith("u,g x -> failed (ACL_SCHED): no list lets the user submit to root.u")
    steps = [(one["candidate"], one["verdict"]) for one in found["trace"]]
    assert steps == [("root.x", "passes"), ("root.u", "places")]
    assert "aclSubmitApps of root (a.xml:2): nobody" in text


def test_dots_in_names_of_users(ask: Any) -> None:
    code, text, found = ask(rules('<rule name="user"/>'), "--user", "first.last")
    assert (code, found["queue"]) == (0, "root.first_dot_last")
    assert "each dot becomes _dot_" in text


@pytest.mark.parametrize(("hadoop", "outcome"), [("2.8", "failed"), ("3.2", "failed"), ("3.4", "exception")])
def test_groups_that_cannot_be_looked_up(ask: Any, hadoop: str, outcome: str) -> None:
    inner = rules('<rule name="primaryGroup"/>')
    code, text, found = ask(inner, "--user", "u", "--no-groups", "--hadoop", hadoop)
    assert (code, found["outcome"], found["code"]) == (1, outcome, "GROUP_LOOKUP")
    assert "the groups of the user cannot be looked up" in text


def test_a_rule_before_specified(ask: Any) -> None:
    inner = '<queue name="q"/><queue name="users" type="parent"/>' + rules(
        '<rule name="nestedUserQueue"><rule name="default" queue="users"/></rule>',
        '<rule name="specified"/>', '<rule name="default"/>',
    )  # fmt: skip
    code, text, found = ask(inner, "--user", "tenant1", "--queue", "q", "--hadoop", "3.2", "--explain")
    assert (code, found["queue"], found["rule"]["number"]) == (0, "root.users.tenant1", 1)
    assert [one["verdict"] for one in found["trace"]] == ["places", "places", None, None]
    assert "2 specified" in text
    assert "not reached" in text
    assert run(["place", "a.xml", "--user", "tenant1", "--queue", "q", "--hadoop", "3.4"]) == 2  # unreachable


def test_one_user_for_everybody_and_the_users_themselves(ask: Any) -> None:
    inner = '<queue name="analysts"/>' + rules('<rule name="primaryGroup" create="false"/>', '<rule name="default"/>')
    Path("users.csv").write_text("user,groups\nhive,hive\nann,analysts\n", encoding="utf-8")
    code, text, _ = ask(inner, "--batch", "users.csv")
    assert (code, text.splitlines()) == (0, ["hive,hive -> root.default", "ann,analysts -> root.analysts"])


def test_a_queue_that_is_not_there(ask: Any) -> None:
    inner = '<queue name="prod"/>' + rules('<rule name="specified" create="false"/>', '<rule name="reject"/>')
    code, text, found = ask(inner, "--user", "u", "--queue", "ide1")
    assert (code, found["code"]) == (1, "NO_PLACEMENT")
    assert "ask for a queue of the file (root.prod)" in text


def test_a_queue_that_hadoop_does_not_make(ask: Any) -> None:
    inner = '<queue name="a"><schedulingPolicy>drf</schedulingPolicy></queue>' + rules(
        '<rule name="specified" create="false"/>', '<rule name="reject"/>'
    )
    code, text, found = ask(inner, "--user", "u", "--queue", "a")
    assert (code, found["code"]) == (1, "NO_PLACEMENT")
    assert "the file has root.a (a.xml:2), but Hadoop never makes it: drf below fair" in text


def test_a_policy_whose_last_rule_may_pass(ask: Any, capfd: pytest.CaptureFixture[str]) -> None:
    rules_ = rules('<rule name="specified" create="false"/>', '<rule name="primaryGroup" create="false"/>')
    Path("a.xml").write_text(f"<allocations>{rules_}</allocations>", encoding="utf-8")
    assert run(["place", "a.xml", "--user", "u"]) == 2
    assert "FS706 rule-list-not-terminal" in capfd.readouterr().err


def test_a_parent_queue(ask: Any) -> None:
    code, text, found = ask('<queue name="p"><queue name="c"/></queue>', "--user", "u", "--queue", "p")
    assert (code, found["code"], found["hint"]) == (1, "NOT_A_LEAF", "ask for a leaf below it: root.p.c")
    assert text.startswith("u p -> failed (NOT_A_LEAF): root.p is not a leaf queue; the application ends FAILED")


def test_a_new_queue_and_its_limit(ask: Any) -> None:
    inner = "<queueMaxResourcesDefault>4096 mb,4 vcores</queueMaxResourcesDefault><queue name=\"a\"/>"
    code, text, found = ask(inner, "--user", "u", "--queue", "free")
    cap = "4096 mb,4 vcores: queueMaxResourcesDefault, a.xml:2"
    assert (code, found["created"]) == (0, [{"queue": "root.free", "leaf": True, "max": cap}])
    assert f"made for it: root.free (leaf, at most {cap})" in text
    child = '<queue name="p" type="parent"><maxChildResources>1024 mb,1 vcores</maxChildResources></queue>'
    assert "1024 mb,1 vcores: maxChildResources, a.xml:2" in ask(child, "--user", "u", "--queue", "p.x")[1]


def test_which_queues_may_i_use(ask: Any) -> None:
    inner = (
        f'<queue name="root">{CLOSED}<queue name="a"><aclSubmitApps>u1</aclSubmitApps></queue>'
        '<queue name="b"><aclSubmitApps> g1</aclSubmitApps></queue><queue name="c"/></queue>'
    )
    code, text, found = ask(inner, "--user", "u1", "--groups", "g1", "--list")
    assert (code, [one["queue"] for one in found["queues"]]) == (0, ["root.a", "root.b"])
    assert text.startswith("u1,g1 may submit to 2 of 3 leaf queues\n")


def test_a_reservable_queue_that_the_policies_keep_away(ask: Any, tmp_path: Path) -> None:
    inner = '<queue name="b"><schedulingPolicy>fifo</schedulingPolicy><reservation/></queue>'
    assert ask(inner, "--user", "u", "--queue", "b")[2]["queue"] == "root.b"  # not there yet, so nothing is reserved
    (tmp_path / "live").write_text("leaf root.b\n", encoding="utf-8")
    code, text, found = ask(inner, "--user", "u", "--queue", "b", "--live", "live")
    assert (code, found["code"]) == (1, "NOT_A_LEAF")  # now it is, and root.b.b-default cannot be made below a leaf
    assert "what helps: take <reservation/> out of root.b (a.xml:2)" in text
