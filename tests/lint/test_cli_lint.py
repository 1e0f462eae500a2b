"""`fairsim lint` and `fairsim explain` as they are called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from fairsim.cli.main import run
from fairsim.report.schemas import load_schema

SCHEMA = load_schema("lint", strict=True)
BAD = """<?xml version="1.0"?>
<allocations>
  <queue name="a"><aclSubmitApps>alice, bob</aclSubmitApps></queue>
  <queue name="b">
    <weight></weight>
  </queue>
</allocations>
"""
GOOD = '<allocations><queue name="root"><queue name="a"><weight>2.0</weight></queue></queue></allocations>\n'
Lint = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Lint:
    """Gives a function that lints in a folder with bad.xml and good.xml: exit code, output, talk."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    Path("bad.xml").write_text(BAD, encoding="utf-8")
    Path("good.xml").write_text(GOOD, encoding="utf-8")

    def call(*args: str) -> tuple[int, str, str]:
        code = run(["lint", *args])
        read = capfd.readouterr()
        return code, read.out, read.err

    return call


def found(lint: Lint, *args: str) -> Any:
    _, out, _ = lint(*args, "--format", "json")
    document = json.loads(out)
    jsonschema.validate(document, SCHEMA)
    return document


def codes(lint: Lint, *args: str) -> list[str]:
    return [one["code"] for one in found(lint, *args)["findings"] if one["code"] in ("FS104", "FS603")]


def test_findings_have_their_places(lint: Lint) -> None:
    document = found(lint, "bad.xml")
    by_code = {one["code"]: one for one in document["findings"]}
    acl, empty = by_code["FS603"], by_code["FS104"]
    assert (acl["line"], acl["column"], acl["end_line"], acl["end_column"]) == (3, 19, 3, 34)
    assert (empty["line"], empty["column"], empty["severity"], empty["refuses"]) == (5, 5, "error", True)
    assert empty["effect"].startswith("the load fails: a start fails; a reload keeps what was in force")
    assert document["files"] == ["bad.xml"]


def test_text_shows_line_effect_and_what_to_write(lint: Lint) -> None:
    code, out, _ = lint("bad.xml", "--select", "FS104,FS603")
    assert code == 1
    assert out.startswith(
        "bad.xml:3:19: warning FS603 acl-blank-after-comma\n"
        '  3 |   <queue name="a"><aclSubmitApps>alice, bob</aclSubmitApps></queue>\n'
    )
    assert "    = Hadoop 3.5.0: the load fails" in out
    assert "\n1 error, 1 warning in 1 file (Hadoop 3.5.0)\nbad.xml would not load on Hadoop 3.5.0\n" in out


def test_exit_codes(lint: Lint) -> None:
    assert lint("good.xml")[0] == 0
    assert lint("bad.xml")[0] == 1
    assert lint("bad.xml", "--exit-zero")[0] == 0
    assert lint("bad.xml", "--fail-on", "never")[0] == 0
    assert lint("bad.xml", "--ignore", "FS104")[0] == 0
    assert lint("bad.xml", "--ignore", "FS104", "--fail-on", "warning")[0] == 1
    for kind in ("text", "concise", "json", "jsonl", "sarif", "github", "junit", "gitlab"):
        assert lint("bad.xml", "--format", kind)[0] == 1, kind
    code, out, err = lint("bad.xml", "nowhere.xml")
    assert (code, "FS104" in out) == (2, True)  # what can be read is looked at all the same
    assert "nowhere.xml: cannot be read" in err


def test_rules_are_chosen_by_code_and_prefix(lint: Lint) -> None:
    assert codes(lint, "bad.xml") == ["FS603", "FS104"]
    assert codes(lint, "bad.xml", "--select", "FS6") == ["FS603"]
    assert codes(lint, "bad.xml", "--select", "ALL", "--ignore", "FS6") == ["FS104"]
    assert codes(lint, "bad.xml", "--select", "FS603", "--ignore", "FS6") == ["FS603"]  # the longer one wins
    assert codes(lint, "bad.xml", "--per-file-ignore", "*ad.xml:FS603") == ["FS104"]
    assert codes(lint, "bad.xml", "--per-file-ignore", "other/*.xml:FS603") == ["FS603", "FS104"]
    code, _, err = lint("bad.xml", "--select", "FS7777")
    assert code == 2
    assert "there is no rule 'FS7777'" in err
    assert lint("bad.xml", "--per-file-ignore", "FS603")[0] == 2


def test_several_versions_are_marked(lint: Lint) -> None:
    Path("v.xml").write_text('<allocations><queue name="a.b"/></allocations>', encoding="utf-8")
    _, out, _ = lint("v.xml", "--hadoop", "2.6,3.4", "--format", "concise", "--select", "FS202")
    assert out == "v.xml:1:14: error FS202 queue-name-has-dot [3.4.3]: queue name 'a.b' contains a dot\n"
    document = found(lint, "bad.xml", "--hadoop", "2.10,3.4", "--select", "FS1")
    assert [one["hadoop"] for one in document["findings"]] == [["2.10.2", "3.4.3"]]


def test_files_folders_and_patterns(lint: Lint) -> None:
    for name in ("conf/fair-scheduler.xml", "conf/old/fair_scheduler_1.xml", "conf/yarn-site.xml"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(GOOD, encoding="utf-8")
    both = "conf/fair-scheduler.xml\nconf/old/fair_scheduler_1.xml\n"
    assert lint("conf", "--show-files")[:2] == (0, both)
    assert lint("conf", "conf/fair-scheduler.xml", "--show-files")[1] == both
    assert lint("conf/**/*.xml", "--show-files")[1].count("\n") == 3
    assert lint("conf/*.yaml", "--show-files")[0] == 2
    assert lint("conf/old/..", "--show-files")[0] == 0


def test_standard_input(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BAD.encode())))
    assert found(lint, "-", "--stdin-name", "fs.xml")["files"] == ["fs.xml"]


def test_baseline_keeps_back_what_is_known(lint: Lint) -> None:
    code, _, err = lint("bad.xml", "--select", "FS104,FS603", "--write-baseline", "known.json")
    assert (code, "2 findings written to known.json" in err) == (0, True)
    assert found(lint, "bad.xml", "--select", "FS104,FS603", "--baseline", "known.json")["in_baseline"] == 2
    more = BAD.replace("<allocations>", "<allocations>\n\n")
    more = more.replace("</allocations>", '<queue name="c"><weight/></queue></allocations>')
    Path("bad.xml").write_text(more, encoding="utf-8")
    document = found(lint, "bad.xml", "--select", "FS104,FS603", "--baseline", "known.json")
    assert [(one["code"], one["line"]) for one in document["findings"]] == [("FS104", 9)]
    Path("known.json").write_text("[]", encoding="utf-8")
    assert lint("bad.xml", "--baseline", "known.json")[0] == 2
    assert lint("bad.xml", "--write-baseline", "bad.xml")[0] == 2
    assert "<allocations>" in Path("bad.xml").read_text(encoding="utf-8")


def test_several_formats_at_once(lint: Lint) -> None:
    code, out, _ = lint("bad.xml", "--format", "concise", "--format", "sarif=out.sarif", "--format", "junit=out.xml")
    assert code == 1
    assert out.count(" FS104 ") == 1
    assert json.loads(Path("out.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert ET.parse("out.xml").getroot().tag == "testsuites"  # noqa: S314 - our own
    assert lint("bad.xml", "--format", "json", "--format", "text")[0] == 2
    assert lint("bad.xml", "--format", "sarif=bad.xml")[0] == 2
    assert lint("bad.xml", "--format", "yaml")[0] == 2


def test_annotations_in_a_workflow(lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    out = lint("bad.xml", "--select", "FS603")[1]
    assert out.startswith("::warning file=bad.xml,line=3,endLine=3,col=19,endColumn=34,title=FS603 acl-blank-after-com")
    assert not lint("bad.xml", "--format", "text")[1].startswith("::")


def test_junit_has_a_case_for_each_finding(lint: Lint) -> None:
    root = ET.fromstring(lint("bad.xml", "good.xml", "--select", "FS104,FS603", "--format", "junit")[1])  # noqa: S314
    assert (root.get("tests"), root.get("failures")) == ("3", "2")
    assert [len(suite.findall("testcase/failure")) for suite in root] == [2, 0]


def test_gitlab_report(lint: Lint) -> None:
    issues = json.loads(lint("bad.xml", "--select", "FS104,FS603", "--format", "gitlab")[1])
    assert [(one["severity"], one["location"]["lines"]["begin"]) for one in issues] == [("minor", 3), ("critical", 5)]
    assert len({one["fingerprint"] for one in issues}) == 2
    assert json.loads(lint("good.xml", "--select", "FS104", "--format", "gitlab")[1]) == []


def test_statistics(lint: Lint) -> None:
    _, out, _ = lint("bad.xml", "bad.xml", "--select", "FS104,FS603", "--statistics")
    assert out.splitlines()[0].split() == ["count", "code", "name", "severity"]
    assert {line.split()[1] for line in out.splitlines()[1:3]} == {"FS104", "FS603"}


def test_what_was_not_checked_is_said(lint: Lint) -> None:
    Path("none.xml").write_text("<allocations>", encoding="utf-8")
    assert [one["needs"] for one in found(lint, "none.xml")["not_checked"]] == ["well-formed XML"]


def test_settings_choose_rules(lint: Lint) -> None:
    Path(".fairsim.yaml").write_text('ignore: [FS104]\nfail-on: warning\nper-file-ignore: ["good.xml:FS"]\n')
    assert codes(lint, "bad.xml") == ["FS603"]
    assert lint("bad.xml")[0] == 1
    assert lint("good.xml")[0] == 0
    assert codes(lint, "bad.xml", "--ignore", "FS6") == ["FS104"]


def test_explain(lint: Lint, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "fs603"]) == 0
    text = capfd.readouterr().out
    assert text.startswith("FS603 acl-blank-after-comma (warning)\n")
    assert "    <queue name=\"a\"><aclSubmitApps>alice, bob</aclSubmitApps></queue>" in text
    assert run(["explain", "acl-blank-after-comma", "--format", "markdown"]) == 0
    assert capfd.readouterr().out.startswith("## FS603")
    assert run(["explain", "--all", "--format", "json"]) == 0
    document = json.loads(capfd.readouterr().out)
    jsonschema.validate(document, load_schema("explain", strict=True))
    assert [one["code"] for one in document["rules"]] == sorted(one["code"] for one in document["rules"])
    assert run(["explain"]) == 2
    assert run(["explain", "FS60x"]) == 2
    capfd.readouterr()
    assert run(["explain", "acl-blank-after-coma"]) == 2
    assert "did you mean acl-blank-after-comma?" in capfd.readouterr().err
