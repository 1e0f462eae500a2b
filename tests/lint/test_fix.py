"""`fairsim lint --fix`: what is mended, byte by byte, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairsim.cli.main import run
from fairsim.diag import WARNING, Finding, Pos
from fairsim.lint.fix import FIXERS, applied, edits_of

Fix = Callable[..., tuple[int, str, str]]


@pytest.fixture
def fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Fix:
    """Gives a function that mends the inside of <allocations>: exit code, the new inside, talk."""
    monkeypatch.chdir(tmp_path)

    def call(inner: str, *args: str) -> tuple[int, str, str]:
        Path("a.xml").write_bytes(f"<allocations>{inner}</allocations>".encode())
        code = run(["lint", "a.xml", *args])
        text = Path("a.xml").read_bytes().decode()
        return code, text.removeprefix("<allocations>").removesuffix("</allocations>"), capfd.readouterr().err

    return call


@pytest.mark.parametrize(("code", "at", "old", "new"), [
    ("FS108", 18, '<queue name="a" ><wieght >2</wieght ></queue>', '<queue name="a" ><weight >2</weight ></queue>'),
    ("FS107", 1, "<queueMaxResourceDefault>1 mb, 1 vcores</queueMaxResourceDefault>",
     "<queueMaxResourcesDefault>1 mb, 1 vcores</queueMaxResourcesDefault>"),
    ("FS113", 17, '<queue name="a"><ue name="b"/></queue>', '<queue name="a"><queue name="b"/></queue>'),
    ("FS118", 1, '<pool name="a"><!-- pool --></pool>', '<queue name="a"><!-- pool --></queue>'),
    ("FS203", 1, "<queue\n  name='  a\t'/>", "<queue\n  name='a'/>"),
    ("FS211", 1, '<queue type = "Parent" name="a"/>', '<queue type = "parent" name="a"/>'),
    ("FS304", 1, "<maxResources>4 gb, 2 cores</maxResources>", "<maxResources>4096 mb, 2 vcores</maxResources>"),
    ("FS305", 1, "<maxResources>1,024 mb, 2 vcores</maxResources>", "<maxResources>1024 mb, 2 vcores</maxResources>"),
    ("FS308", 1, "<maxResources>12mbytes,2 vcores</maxResources>", "<maxResources>12 mb, 2 vcores</maxResources>"),
    ("FS315", 1, "<maxResources>memory-mb=4g,vcores=2</maxResources>",
     "<maxResources>memory-mb=4096, vcores=2</maxResources>"),
    ("FS603", 1, "<aclSubmitApps>a, b, c d,e</aclSubmitApps>", "<aclSubmitApps>a,b,c d,e</aclSubmitApps>"),
    ("FS604", 1, "<aclSubmitApps>\n  a,b\n</aclSubmitApps>", "<aclSubmitApps>a,b</aclSubmitApps>"),
    ("FS704", 1, '<rule name="Default"/>', '<rule name="default"/>'),
])  # fmt: skip
def test_edit(code: str, at: int, old: str, new: str) -> None:
    finding = Finding(code, "x", WARNING, "", Pos(2, at))
    data = f"<!-- é -->\r\n{old}\n".encode()
    edits = edits_of(data, [finding], unsafe=True)
    assert applied(data, edits).decode() == f"<!-- é -->\r\n{new}\n"
    assert bool(edits_of(data, [finding], unsafe=False)) == (FIXERS[code][0] == "safe")


@pytest.mark.parametrize(("code", "text"), [
    ("FS304", "<maxResources>4 parsecs, 2 cores</maxResources>"),
    ("FS304", "<maxResources>4 gb</maxResources>"),
    ("FS304", "<maxResources>4 gb, &#50; cores</maxResources>"),
    ("FS304", "<maxResources><![CDATA[4 gb, 2 cores]]></maxResources>"),
    ("FS304", "<maxResources>4 gb, 2 <!-- two --> cores</maxResources>"),
    ("FS108", "<somethingElse>2</somethingElse>"),
    ("FS704", '<rule name="mine"/>'),
])  # fmt: skip
def test_no_edit_where_it_is_not_plain_what_is_meant(code: str, text: str) -> None:
    assert edits_of(text.encode(), [Finding(code, "x", WARNING, "", Pos(1, 1))], unsafe=True) == []


def test_no_edit_in_other_encodings() -> None:
    finding = Finding("FS118", "x", WARNING, "", Pos(1, 44))
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><pool name="a"/>'
    assert edits_of(text.encode(), [finding], unsafe=True) == []
    assert edits_of(b"<!DOCTYPE a><pool/>", [Finding("FS118", "x", WARNING, "", Pos(1, 13))], unsafe=True) == []
    assert edits_of(text.replace("ISO-8859-1", "UTF-8").encode(), [finding._replace(pos=Pos(1, 39))], unsafe=True)


def test_the_file_is_mended_and_the_rest_reported(fix: Fix) -> None:
    inner = '\n <queue name="a" ><weigth>2</weigth><aclSubmitApps>ann, bob</aclSubmitApps></queue>\n'
    code, text, said = fix(inner, "--fix", "--hadoop", "3.4", "--select", "FS108,FS603")
    assert text == inner.replace("weigth", "weight")
    assert "a.xml: 1 finding mended" in said
    assert code == 0
    assert fix(text, "--fix", "--select", "FS108,FS603")[1] == text  # nothing is left to mend without doubt
    assert "ann,bob" in fix(text, "--fix", "--unsafe-fixes", "--select", "FS603")[1]


def test_what_changes_is_said(fix: Fix) -> None:
    inner = '<queue name="a"><weigth>3</weigth></queue><queue name="b"/>'
    said = fix(inner, "--fix", "--hadoop", "3.4", "--cluster", "4g,4c", "--select", "FS1")[2]
    assert "Hadoop 3.4.3: steady share of root.a: 2048m,0c -> 3072m,0c" in said
    assert "Hadoop 3.4.3: steady share of root.b: 2048m,0c -> 1024m,0c" in said
    said = fix('<queue name="a"><maxResources>4 gb, 2 cores</maxResources></queue>', "--fix", "--select", "FS3")[2]
    assert "Hadoop 3.5.0 would load it now, and did not before" in said
    Path("groups").write_text("ann: eng\n", encoding="utf-8")
    inner = '<queue name=" eng "/><queuePlacementPolicy><rule name="primaryGroup" create="false"/><rule name="reject"/>'
    inner += "</queuePlacementPolicy>"
    said = fix(inner, "--fix", "--hadoop", "2.7", "--groups-file", "groups", "--select", "FS203")[2]
    assert "Hadoop 2.7.7: ann lands in root.eng, before in refused (NO_PLACEMENT)" in said


def test_diff_writes_nothing(fix: Fix, capfd: pytest.CaptureFixture[str]) -> None:
    inner = '<queue name="a"><weigth>3</weigth></queue>'
    code, text, _ = fix(inner, "--diff", "--select", "FS1")
    assert (code, text) == (1, inner)
    assert fix(inner.replace("weigth", "weight"), "--diff", "--select", "FS1")[0] == 0
    Path("a.xml").write_text(f"<allocations>{inner}</allocations>", encoding="utf-8")
    assert run(["lint", "a.xml", "--diff", "-q"]) == 1
    lines = capfd.readouterr().out.splitlines()
    assert lines[:2] == ["--- a/a.xml", "+++ b/a.xml"]
    assert lines[3:] == [
        f"-<allocations>{inner}</allocations>", "\\ No newline at end of file",
        f"+<allocations>{inner.replace('weigth', 'weight')}</allocations>", "\\ No newline at end of file",
    ]  # fmt: skip


def test_an_edit_that_breaks_a_version_is_not_made(fix: Fix) -> None:
    # with the name put right, the file has what this version refuses
    inner = '<queue name="a"><maxAMShar>0.5</maxAMShar><queue name="b"/></queue>'
    assert fix(inner, "--fix", "--hadoop", "3.4", "--select", "FS108")[1] == inner
    assert fix(inner, "--fix", "--hadoop", "3.1", "--select", "FS108")[1] == inner.replace("maxAMShar", "maxAMShare")


def test_standard_input_is_not_mended(fix: Fix) -> None:
    assert run(["lint", "-", "--fix"]) == 2
