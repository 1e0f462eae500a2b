"""Access lists: how their text is read, and whose right comes from which queue."""

from __future__ import annotations

import pytest

from fairsim.placement.access import ADMINISTER, SUBMIT, Access, Entry
from fairsim.placement.administer import Administrators
from fairsim.profiles import profile
from tests.helpers import raw_of

TEXTS = [
    ("a,b g1,g2", ("a", "b"), ("g1", "g2")),
    (" g1,g2", (), ("g1", "g2")),
    ("a, b g", ("a",), ("b g",)),  # one group with a blank in it
    ("\n    a,b g", (), ("a", "b g")),  # cut at the first blank of the indent
    ("a g1 g2", ("a",), ("g1 g2",)),
    (" ", (), ()),
    ("", (), ()),
    ("a,* g", ("a", "*"), ("g",)),
    ("a\nb g\n h", ("a", "b"), ("g", "h")),
    ("a\tb", ("a\tb",), ()),
    ("*x", ("*x",), ()),
]


@pytest.mark.parametrize(("text", "users", "groups"), TEXTS)
def test_text(text: str, users: tuple[str, ...], groups: tuple[str, ...]) -> None:
    entry = Entry(text)
    assert (entry.everybody, entry.users, entry.groups) == (False, users, groups)


def test_a_line_break_ends_a_name_from_2_8_2_on() -> None:
    before = Entry("\na\nb g\n,h", lines=False)
    assert (before.users, before.groups) == (("a\nb",), ("g", "h"))
    features = [profile(hadoop).features.acl_lines for hadoop in ("2.7", "2.8.1", "2.8.2", "2.9", "3.0")]
    assert features == [False, False, True, True, True]


@pytest.mark.parametrize("text", ["*", " *", "a *", "* g", "* ", "\t* "])
def test_everybody(text: str) -> None:
    assert Entry(text).everybody
    assert Entry(text).allows("anybody", [])


def test_names_are_compared_letter_by_letter() -> None:
    entry = Entry("Ann eng")
    assert [entry.allows(user, groups) for user, groups in (
        ("Ann", []), ("ann", []), ("bob", ["eng"]), ("bob", ["Eng"]), ("eng", []), ("bob", ["Ann"]),
    )] == [True, False, True, False, False, False]  # fmt: skip


INNER = (
    '<queue name="root"><aclSubmitApps> </aclSubmitApps><aclAdministerApps>boss</aclAdministerApps>'
    '<queue name="a"><aclSubmitApps>ann eng</aclSubmitApps>'
    '<queue name="b"><aclAdministerApps> leads</aclAdministerApps></queue></queue><queue name="c"/></queue>'
)


def told(access: Access, user: str, groups: list[str], queue: str) -> str:
    verdict = access.submit(user, groups, queue)
    return f"{verdict.kind} {verdict.queue}" if verdict.allowed else "no"


@pytest.mark.parametrize("hadoop", ["2.10", "3.2", "3.5"])
def test_rights_come_down_and_administrators_may_submit(hadoop: str) -> None:
    access = Access(raw_of(INNER, hadoop), profile(hadoop))
    assert told(access, "ann", [], "root.a") == f"{SUBMIT} root.a"
    assert told(access, "ann", [], "root.a.b") == f"{SUBMIT} root.a"
    assert told(access, "ann", [], "root.a.b.new.one") == f"{SUBMIT} root.a"
    assert told(access, "ann", [], "root.c") == "no"
    assert told(access, "bob", ["x", "leads"], "root.a.b") == f"{ADMINISTER} root.a.b"
    assert told(access, "bob", ["leads"], "root.a") == "no"
    assert told(access, "boss", [], "root.c") == f"{ADMINISTER} root"
    assert told(access, "ann", [], "root") == "no"


def test_root_is_open_where_nothing_is_written() -> None:
    access = Access(raw_of('<queue name="a"><aclSubmitApps> </aclSubmitApps></queue>'), profile("3.5"))
    assert told(access, "anybody", [], "root.a") == f"{SUBMIT} root"
    half = Access(raw_of('<queue name="root"><aclSubmitApps> </aclSubmitApps></queue>'), profile("3.5"))
    assert told(half, "anybody", [], "root.a") == f"{ADMINISTER} root"


def test_administrators() -> None:
    access = Access(raw_of(INNER), profile("3.5"))
    off, on = Administrators(False, " "), Administrators(True, "root admins")
    assert off.may(access, "zoe", [], "root.a")[:2] == (True, "yarn.acl.enable is off: everybody may")
    assert on.may(access, "zoe", ["admins"], "root.a")[:2] == (True, "yarn.admin.acl lets zoe in")
    assert Administrators(True).may(access, "zoe", [], "root.a")[:2] == (True, "yarn.admin.acl lets everybody in")
    assert not on.may(access, "ann", [], "root.a")[0]
    allowed, _, verdict = on.may(access, "boss", [], "root.a")
    assert allowed
    assert verdict is not None
    assert verdict.queue == "root"
