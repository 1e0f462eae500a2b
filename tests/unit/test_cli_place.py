"""`fairsim place` as a program: where applications land, the trace, lists, many rows, expectations."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fairsim.cli.main import run
from fairsim.report.schemas import load_schema

SCHEMA = load_schema("place", strict=True)
ALLOC = """<allocations>
  <queue name="root">
    <aclSubmitApps> </aclSubmitApps>
    <aclAdministerApps> admins</aclAdministerApps>
    <queue name="eng" type="parent">
      <aclSubmitApps> eng</aclSubmitApps>
    </queue>
    <queue name="etl">
      <aclSubmitApps>fred ops</aclSubmitApps>
    </queue>
    <queue name="open"><aclSubmitApps>*</aclSubmitApps></queue>
  </queue>
  <queuePlacementPolicy>
    <rule name="specified" create="false"/>
    <rule name="nestedUserQueue">
      <rule name="primaryGroup" create="false"/>
    </rule>
    <rule name="reject"/>
  </queuePlacementPolicy>
</allocations>
"""


@pytest.fixture
def alloc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "fair-scheduler.xml"
    path.write_text(ALLOC, encoding="utf-8")
    return path


class Said:
    def __init__(self, code: int, out: str, err: str):
        self.code, self.out, self.err = code, out, err

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@pytest.fixture
def place(alloc: Path, capfd: pytest.CaptureFixture[str]) -> Any:
    def call(*args: str) -> Said:
        code = run(["place", str(alloc), *args])
        return Said(code, *capfd.readouterr())

    return call


@pytest.fixture
def answer(place: Any) -> Any:
    def call(*args: str, code: int = 0) -> Any:
        said = place(*args, "--format", "json")
        assert said.code == code, said.err
        found = json.loads(said.out)
        jsonschema.validate(found, SCHEMA)
        return found

    return call


# --- one submission


def test_the_file_of_the_folder_is_found(alloc: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["place", "--user", "fred", "--queue", "etl"]) == 0
    out, err = capfd.readouterr()
    assert out == "fred etl -> root.etl (rule 1, specified, fair-scheduler.xml:14)\n"
    assert err == "fairsim: using fair-scheduler.xml\n"


def test_a_queue_that_is_made(answer: Any) -> None:
    found = answer("--user", "ann", "--groups", "eng,ops")
    assert (found["outcome"], found["queue"], found["requested"]) == ("placed", "root.eng.ann", None)
    assert found["rule"] == {"number": 2, "name": "nestedUserQueue", "line": 15}
    assert found["created"] == [{"queue": "root.eng.ann", "leaf": True, "max": None}]
    assert found["acl"]["submit"]["text"].endswith("fair-scheduler.xml:6): group eng")
    assert found["acl"]["submit"]["line"] == 6
    assert [(one["rule"], one["depth"], one["name"], one["verdict"], one["code"]) for one in found["trace"]] == [
        (1, 0, "specified", "passes", "REQ_IS_DEFAULT"),
        (2, 0, "nestedUserQueue", "places", "CREATE_ALLOWED"),
        (2, 1, "primaryGroup", "places", "STATIC"),
        (3, 0, "reject", None, None),
    ]  # fmt: skip


REFUSALS = [
    (["--user", "ann", "--queue", "etl", "--groups", "x"], "failed", "acl", "ACL_SCHED", "root.etl"),
    (["--user", "ann", "--queue", "etl", "-D", "yarn.acl.enable=true"], "exception", "acl", "ACL_RM", "root.etl"),
    (["--user", "ann", "--queue", "none", "--groups", "x"], "failed", "rules", "NO_PLACEMENT", "ask for a queue"),
    (["--user", "ann", "--queue", "opne", "--groups", "x"], "failed", "rules", "NO_PLACEMENT", "mean root.open?"),
    (["--user", "fred", "--queue", "etl.x", "--groups", "x"], "failed", "rules", "NO_PLACEMENT", "root.etl"),
    (["--user", "ann", "--queue", "eng", "--groups", "eng"], "failed", "queue", "NOT_A_LEAF", "it has none|has none"),
    (["--user", "ann", "--queue", "", "--groups", "eng"], "exception", "name", "EMPTY_REQ", "name a queue"),
    (["--user", "ann", "--queue", "etl "], "exception", "rules", "BAD_NAME", "ask for etl"),
    (["--user", "ann"], "exception", "rules", "NO_GROUPS", "--groups eng,ops"),
    (["--user", "ann", "--no-groups"], "exception", "rules", "GROUP_LOOKUP", "the ResourceManager must know"),
    (["--user", "fred", "--queue", "etl", "--am", "9g,1c"], "exception", "am_size", "AM_TOO_BIG", "maximum-allocation"),
]  # fmt: skip


@pytest.mark.parametrize(("args", "outcome", "step", "code", "hint"), REFUSALS)
def test_refusal(answer: Any, args: list[str], outcome: str, step: str, code: str, hint: str) -> None:
    found = answer(*args, code=1)
    assert (found["outcome"], found["step"], found["code"], found["queue"]) == (outcome, step, code, None)
    assert any(part in found["hint"] for part in hint.split("|")), found["hint"]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "markdown"])
def test_the_exit_code_is_that_of_the_answer_in_every_form(place: Any, form: str) -> None:
    assert place("--user", "fred", "--queue", "etl", "--format", form).code == 0
    assert place("--user", "ann", "--queue", "etl", "--groups", "x", "--format", form).code == 1


def test_lines_and_csv_have_the_same_keys(place: Any) -> None:
    args = ("--user", "ann", "--groups", "eng,ops")
    told = json.loads(place(*args, "--format", "jsonl").out)
    (row,) = csv.DictReader(io.StringIO(place(*args, "--format", "csv").out))
    assert list(row) == list(told)
    assert (row["queue"], row["groups"], row["created"]) == ("root.eng.ann", "eng; ops", "root.eng.ann")


def test_explain_shows_every_rule_and_check(place: Any) -> None:
    said = place("--user", "ann", "--groups", "eng,ops", "--explain")
    assert said.lines[0].startswith("ann,eng,ops -> root.eng.ann (rule 2, nestedUserQueue, ")
    text = said.out
    for part in ("1 specified", "2 nestedUserQueue", "  inside: primaryGroup", "3 reject", "not reached", "group eng",
                 "made for it: root.eng.ann (leaf)", "not checked: --am"):  # fmt: skip
        assert part in text
    assert text.index("2 nestedUserQueue") < text.index("inside: primaryGroup") < text.index("3 reject")


def test_a_rule_inside_that_throws_stops_the_outer_one(place: Any) -> None:
    said = place("--user", "ann", "--no-groups", "--explain")
    assert said.code == 1
    assert "the rule inside does" in said.out


def test_lists_that_keep_the_user_out_are_shown(place: Any) -> None:
    out = place("--user", "ann", "--groups", "x", "--queue", "etl", "--explain").out
    assert "aclSubmitApps of root.etl" in out
    assert "user fred; group ops" in out
    assert "aclSubmitApps of root (" in out


def test_groups_that_nobody_gave_are_told_when_they_matter(place: Any) -> None:
    remark = "no groups of ann are given"
    assert remark in place("--user", "ann", "--queue", "etl").out
    assert remark in place("--user", "ann").out
    assert remark not in place("--user", "ann", "--queue", "open").out
    assert remark not in place("--user", "ann", "--queue", "etl", "--groups", "").out


def test_rules_of_yarn_site(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.xml"
    path.write_text('<allocations><queue name="a"/></allocations>', encoding="utf-8")
    assert run(["place", str(path), "--user", "ann"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "ann -> root.ann (rule 2, user, of yarn-site)", "", "made for it: root.ann (leaf)",
    ]  # fmt: skip
    assert run(["place", str(path), "--user", "ann", "-D", "yarn.scheduler.fair.user-as-default-queue=false"]) == 0
    assert capfd.readouterr().out.startswith("ann -> root.default (rule 2, default, of yarn-site)")


def test_what_if(place: Any) -> None:
    said = place("--user", "zoe", "--queue", "etl", "--set", "root.etl.aclSubmitApps=zoe")
    assert said.code == 0
    assert "what if: root.etl.aclSubmitApps=zoe" in said.out


def test_administering(answer: Any, place: Any) -> None:
    args = ("--user", "fred", "--queue", "etl", "--groups", "x", "-D", "yarn.acl.enable=true")
    assert answer(*args)["acl"]["administer"] == {"allowed": True, "text": "yarn.admin.acl lets everybody in"}
    closed = answer(*args, "-D", "yarn.admin.acl=root")["acl"]["administer"]
    assert closed["allowed"] is False
    assert "administer  may not" in place(*args, "-D", "yarn.admin.acl=root", "--explain").out


# --- sources of groups


def test_groups_file_and_core_site(answer: Any, tmp_path: Path, place: Any) -> None:
    (tmp_path / "groups.txt").write_text("ann: eng ops\nbob:\n", encoding="utf-8")
    (tmp_path / "core-site.xml").write_text(
        "<configuration><property><name>hadoop.user.group.static.mapping.overrides</name>"
        "<value>bob=eng;carl=</value></property></configuration>",
        encoding="utf-8",
    )
    assert answer("--user", "ann", "--groups-file", "groups.txt")["groups"] == ["eng", "ops"]
    assert answer("--user", "zoe", "--groups-file", "groups.txt", code=1)["code"] == "GROUP_LOOKUP"
    assert answer("--user", "bob", "--groups-file", "groups.txt", code=1)["code"] == "NO_GROUPS"
    assert answer("--user", "bob", "--groups-file", "groups.txt", "--core-site", "core-site.xml")["groups"] == ["eng"]
    said = place("--user", "carl", "--groups", "eng", "--core-site", "core-site.xml")
    assert said.code == 1
    assert "it wins over all others" in said.err


# --- queues made on the fly


def test_live_queues(answer: Any, tmp_path: Path, place: Any) -> None:
    (tmp_path / "live.txt").write_text("# now\nleaf root.eng.ann\nparent new\n", encoding="utf-8")
    assert answer("--user", "ann", "--groups", "eng", "--live", "live.txt")["created"] == []
    rm = {"scheduler": {"schedulerInfo": {"type": "fairScheduler", "rootQueue": {
        "queueName": "root", "childQueues": {"queue": [
            {"queueName": "root.eng", "childQueues": {"queue": [
                {"queueName": "root.eng.ann", "type": "fairSchedulerLeafQueueInfo", "numActiveApps": 1},
            ]}}]}}}}}  # fmt: skip
    (tmp_path / "rm.json").write_text(json.dumps(rm), encoding="utf-8")
    assert answer("--user", "ann", "--groups", "eng", "--live", "rm.json")["created"] == []
    for text, words in (
        ("leaf root.eng\n", "is a parent queue"), ("leaf\n", "is no queue"),
        ("leaf a\nparent a\n", "a leaf and a parent"), ("<x/>", "the file is XML"),
        ("leaf root.etl.x\n", "root.etl is a leaf queue"), ("leaf root.a..b\n", "is empty"),
    ):  # fmt: skip
        (tmp_path / "live.txt").write_text(text, encoding="utf-8")
        said = place("--user", "ann", "--live", "live.txt")
        assert said.code == 2
        assert words in said.err


# --- who and list


def test_list(answer: Any, place: Any) -> None:
    found = answer("--user", "fred", "--groups", "x", "--list")
    assert [(one["queue"], one["of"], one["line"]) for one in found["queues"]] == [
        ("root.etl", "root.etl", 9), ("root.open", "root.open", 11),
    ]  # fmt: skip
    assert found["leaf_queues"] == 2
    assert place("--user", "fred", "--groups", "x", "--list").lines[0] == "fred,x may submit to 2 of 2 leaf queues"
    assert answer("--user", "ann", "--groups", "eng", "--list")["parents"] == ["root.eng"]


def test_list_of_nobody(place: Any, alloc: Path) -> None:
    alloc.write_text(ALLOC.replace("<aclSubmitApps>*</aclSubmitApps>", ""), encoding="utf-8")
    said = place("--user", "zoe", "--groups", "x", "--list")
    assert (said.code, said.lines) == (1, ["zoe,x may submit to 0 of 2 leaf queues"])


def test_who(answer: Any, place: Any) -> None:
    found = answer("--who", "etl")
    assert (found["users"], found["groups"], found["everybody"]) == (["fred"], ["ops", "admins"], False)
    assert [(one["queue"], one["list"], one["line"]) for one in found["lists"]] == [
        ("root.etl", "aclSubmitApps", 9), ("root.etl", "aclAdministerApps", None),
        ("root", "aclSubmitApps", 3), ("root", "aclAdministerApps", 4),
    ]  # fmt: skip
    assert place("--who", "etl").lines[0] == "root.etl: user fred and groups ops, admins may submit"
    assert "everybody may submit" in place("--who", "open").lines[0]
    assert answer("--who", "eng.new")["exists"] is False
    said = place("--who", "opne")
    assert said.code == 2
    assert "did you mean root.open?" in said.err


# --- many submissions

ROWS = "fred\t\tetl\nann\teng,ops\t\n\n# remark\nann\t-\tetl\nzoe\t\t\n"
JSON_ROWS = (
    '{"user": "fred", "queue": "etl"}\n{"user": "ann", "groups": ["eng", "ops"]}\n'
    '{"user": "ann", "groups": null, "queue": "etl"}\n{"user": "zoe", "queue": null}\n'
)
WANTED = ["fred etl -> root.etl", "ann,eng,ops -> root.eng.ann", "ann,- etl -> failed:ACL_SCHED",
          "zoe -> exception:NO_GROUPS"]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.tsv", ROWS),
        ("rows", ROWS.replace("\n", "\r\n")),
        ("rows.csv", "queue,user,groups\netl,fred,\n,ann,eng;ops\netl,ann,-\n,zoe,\n"),
        ("rows.csv", 'fred,,etl\nann,"eng,ops",\nann,-,etl\nzoe'),
        ("rows.jsonl", JSON_ROWS),
    ],
)  # fmt: skip
def test_rows_of_every_form(place: Any, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode("utf-8"))
    said = place("--batch", name)
    assert (said.code, said.lines) == (1, WANTED)
    assert said.err == "fairsim: 4 submissions: 2 placed, 1 exception, 1 failed\n"


def test_rows_as_json(answer: Any, place: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.tsv").write_text(ROWS, encoding="utf-8")
    found = answer("--batch", "rows.tsv", code=1)
    assert found["counts"] == {"placed": 2, "failed": 1, "exception": 1}
    assert [one["queue"] for one in found["results"]] == ["root.etl", "root.eng.ann", None, None]
    lines = [json.loads(line) for line in place("--batch", "rows.tsv", "--format", "jsonl").lines]
    assert lines == found["results"]
    rows = list(csv.DictReader(io.StringIO(place("--batch", "rows.tsv", "--format", "csv").out)))
    assert [row["outcome"] for row in rows] == ["placed", "placed", "failed", "exception"]
    assert list(rows[0]) == list(lines[0])
    assert place("--batch", "rows.tsv", "--format", "markdown").lines[0].startswith("| user | groups |")


def test_a_row_is_what_the_same_submission_alone_is(place: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.tsv").write_text("ann\teng\tetl\n" * 3 + "fred\tx\tetl\n", encoding="utf-8")
    rows = [json.loads(line) for line in place("--batch", "rows.tsv", "--format", "jsonl").lines]
    alone = json.loads(place("--user", "ann", "--groups", "eng", "--queue", "etl", "--format", "jsonl").out)
    assert rows[:3] == [alone] * 3


def test_state_from_row_to_row(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.xml"
    path.write_text("<allocations/>", encoding="utf-8")
    rows = tmp_path / "rows.tsv"
    rows.write_text("ann\t\ta\nann\t\ta.b\nann\t\ta\nbob\t\tc.d\nbob\t\tc\n", encoding="utf-8")
    assert run(["place", str(path), "--batch", str(rows)]) == 0
    alone = capfd.readouterr().out.splitlines()
    assert alone[1] == "ann a.b -> root.a.b"
    assert run(["place", str(path), "--batch", str(rows), "--stateful"]) == 1
    assert capfd.readouterr().out.splitlines() == [
        "ann a -> root.a", "ann a.b -> failed:NOT_A_LEAF", "ann a -> root.a", "bob c.d -> root.c.d",
        "bob c -> failed:NOT_A_LEAF",
    ]  # fmt: skip


BAD_ROWS = [
    ("fred\tx\ty\tz\n", 1, "4 columns"),
    ("fred\t\tetl\n\n\t\tetl\n", 3, "no user"),
    ('fred,"etl\n', 1, "a quote is not closed"),
    ("fred\t\tetl\nfr\udcffed\t\tetl\n", 2, "not UTF-8"),
    ('{"user": "fred"}\n{"user": 3}\n', 2, "no object with a user"),
    ('{"user": "fred"}\n{\n', 2, "not JSON"),
    ('{"user": "fred", "Queue": "x"}\n', 1, "unknown key"),
    ('{"user": "fred", "groups": "x"}\n', 1, "neither a list of names nor null"),
    ('{"user": "fred", "queue": ["x"]}\n', 1, "neither a name nor null"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "words"), BAD_ROWS)
def test_a_bad_row_is_named(place: Any, tmp_path: Path, text: str, line: int, words: str) -> None:
    (tmp_path / "rows").write_bytes(text.encode("utf-8", "surrogateescape"))
    said = place("--batch", "rows")
    assert said.code == 2
    assert f"rows:{line}:1: " in said.err
    assert words in said.err


def test_what_does_not_print_is_escaped(place: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.tsv").write_text("fr\x1b[1med\t\tetl\n", encoding="utf-8")
    assert place("--batch", "rows.tsv").lines == ["fr\\x1b[1med etl -> failed:ACL_SCHED"]
    assert "\x1b" not in place("--user", "fr\x1b[1med", "--queue", "etl", "--explain").out


def test_a_line_without_end(place: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.tsv").write_bytes(b"fred\t\tetl\n" + b"x" * 3_000_000)
    said = place("--batch", "rows.tsv")
    assert said.code == 2
    assert "rows.tsv:2:1: the line is longer than 1 MB" in said.err


def test_rows_go_into_a_file_whole_or_not_at_all(place: Any, tmp_path: Path) -> None:
    (tmp_path / "rows").write_text("fred\t\tetl\n", encoding="utf-8")
    assert place("--batch", "rows", "-o", "out.txt").out == ""
    assert (tmp_path / "out.txt").read_text() == "fred etl -> root.etl\n"
    (tmp_path / "rows").write_text("fred\t\tetl\n\t\t\n\tx\ty\n", encoding="utf-8")
    assert place("--batch", "rows", "-o", "out.txt").code == 2
    assert (tmp_path / "out.txt").read_text() == "fred etl -> root.etl\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fair-scheduler.xml", "out.txt", "rows"]
    said = place("--batch", "rows", "-o", "rows")
    assert said.code == 2
    assert "is an input of this run" in said.err


# --- expectations


def test_expectations_that_hold(answer: Any, tmp_path: Path, place: Any) -> None:
    (tmp_path / "want.txt").write_text(
        "# a remark\nfred etl -> root.etl\nann,eng -> root.eng.ann\n*,eng -> root.eng.*\n* etl -> reject:acl\n"
        "ann,- -> exception:GROUP_LOOKUP\n* open -> placed\n* \"\" -> exception\n* nowhere -> exception:NO_GROUPS\n",
        encoding="utf-8",
    )
    assert answer("--expect", "want.txt") | {"hadoop": ""} == {
        "schema": 1, "command": "place", "hadoop": "", "expectations": 8, "met": 8, "failed": [],
    }  # fmt: skip
    assert place("--expect", "want.txt").lines == ["want.txt: 8 of 8 expectations hold"]


def test_expectations_that_fail(answer: Any, tmp_path: Path) -> None:
    (tmp_path / "want.txt").write_text("fred etl -> root.open\n* etl -> placed\nfred etl -> fatal\n", encoding="utf-8")
    found = answer("--expect", "want.txt", code=1)
    assert [(one["line"], one["expected"], one["outcome"]) for one in found["failed"]] == [
        (1, "fred etl -> root.open", "root.etl"), (2, "* etl -> placed", "failed:ACL_SCHED"),
        (3, "fred etl -> fatal", "root.etl"),
    ]  # fmt: skip


def test_rows_as_text_are_expectations(place: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.tsv").write_text(ROWS, encoding="utf-8")
    place("--batch", "rows.tsv", "-o", "want.txt")
    assert place("--expect", "want.txt").code == 0


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("fred etl\n", 1, "no answer behind an arrow"),
        ("\nfred -> \n", 2, "no answer behind an arrow"),
        (" -> root.x\n", 1, "has no user"),
        ("fred -> etl\n", 1, "neither a full queue name nor an outcome"),
        ("fred -> rejekt\n", 1, "did you mean reject?"),
        ("fred -> placed:x\n", 1, "takes no reason"),
        ("fred -> root.x\nload-error\n", 2, "among other expectations"),
        ("# nothing\n", 0, "has no expectations"),
    ],
)
def test_a_bad_expectation_is_named(place: Any, tmp_path: Path, text: str, line: int, words: str) -> None:
    (tmp_path / "want.txt").write_text(text, encoding="utf-8")
    said = place("--expect", "want.txt")
    assert said.code == 2
    assert words in said.err
    assert not line or f"want.txt:{line}:1" in said.err


def test_a_file_that_should_not_load(place: Any, tmp_path: Path, alloc: Path) -> None:
    (tmp_path / "want.txt").write_text("load-error\n", encoding="utf-8")
    assert place("--expect", "want.txt").code == 1
    alloc.write_text("<allocations><queue/></allocations>", encoding="utf-8")
    assert place("--expect", "want.txt").code == 0
    (tmp_path / "want.txt").write_text("fred -> root.x\n", encoding="utf-8")
    assert place("--expect", "want.txt").code == 2


# --- options

USAGE = [
    ([], "no user is given"),
    (["--user", " "], "no user is given"),
    (["--list"], "no user is given"),
    (["--user", "a", "--who", "b"], "--who is about many users"),
    (["--user", "a", "--list", "--who", "b"], "--list and --who exclude each other"),
    (["--user", "a", "--list", "--queue", "b"], "--queue does not go with --list"),
    (["--who", "a", "--explain"], "--explain does not go with --who"),
    (["--user", "a", "--stateful"], "--stateful belongs to --batch"),
    (["--user", "a", "--groups", "b", "--no-groups"], "--groups and --no-groups exclude each other"),
    (["--who", "a", "--groups", "b"], "--groups is about one user"),
    (["--user", "a", "--am", "0g,0c"], "is no size of a master"),
    (["--who", ""], "the name of the queue is empty"),
    (["--batch", "nowhere.tsv"], "cannot be read"),
    (["--expect", "nowhere.txt"], "cannot be read"),
    (["--user", "a", "--groups-file", "nowhere.txt"], "cannot be read"),
    (["--user", "a", "--live", "nowhere.txt"], "cannot be read"),
    (["--user", "a", "--am", "1g,1c", "--cluster", "1g,1c", "--cluster", "2g,2c"], "one size of the cluster"),
]


@pytest.mark.parametrize(("args", "words"), USAGE, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_usage(place: Any, args: list[str], words: str) -> None:
    said = place(*args)
    assert said.code == 2
    assert words in said.err
    assert said.out == ""


def test_a_queue_of_many_levels(place: Any) -> None:
    for command in ("place", "why"):
        deep = ".".join(["b"] * 1500)
        arguments = [command, "--user", "ann", "--queue", deep] + (["--cluster", "8g,8c"] if command == "why" else [])
        assert run(arguments) in (0, 1)


@pytest.mark.parametrize("head", ["groups,queue", "user,foo", "user,user"])
def test_a_head_that_is_none(alloc: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], head: str) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(f"{head}\nann,a\n", encoding="utf-8")
    assert run(["place", str(alloc), "--batch", str(rows)]) == 2
    assert "the line names columns" in capfd.readouterr().err


def test_json_among_columns(alloc: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text('ann,a\n{"user":"bob"}\n', encoding="utf-8")
    assert run(["place", str(alloc), "--batch", str(rows)]) == 2
    assert "a JSON object among lines of columns" in capfd.readouterr().err


def test_what_a_batch_prints_is_expected_again(alloc: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    users = [("ann", ["domain users", "a,b", "-", 'say "x"']), ("#ann", ["-"]), ("*", None), ("a b", [])]
    rows.write_text("".join(f"{json.dumps({'user': user, 'groups': groups})}\n" for user, groups in users),
                    encoding="utf-8")  # fmt: skip
    run(["place", str(alloc), "--batch", str(rows)])
    text = capfd.readouterr().out
    (tmp_path / "expected.txt").write_text(text, encoding="utf-8")
    assert run(["place", str(alloc), "--expect", str(tmp_path / "expected.txt")]) == 0
    assert capfd.readouterr().out.endswith("4 of 4 expectations hold\n")
    assert text.startswith('ann,"domain users","a,b","-","say ""x""" -> ')


def test_line_breaks_in_names_stay_in_their_line(alloc: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(["place", str(alloc), "--user", "a\nb", "--queue", "x\ny"])
    first = capfd.readouterr().out.split("\n")[0]
    assert "x\\ny" in first
    assert "a\\nb" in first
