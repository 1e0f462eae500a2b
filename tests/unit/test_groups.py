"""Groups of users: three kinds of files, and which source wins."""

from __future__ import annotations

import pytest

from fairsim.config.groups import UserGroups, parse_overrides, read_groups, split_groups
from fairsim.errors import InputError, UsageError

PASSWD = b"root:x:0:0::/root:/bin/sh\nfred:x:1000:100:Fred:/home/fred:/bin/sh\nann:x:1001:7::/:/bin/sh\n"
GROUP = b"# groups\nroot:x:0:\nusers:x:100:fred\nops:x:20:ann,fred\neng:x:30:fred\nlate:x:20:zoe\n"


def read(text: bytes, option: str = "groups.txt") -> dict[str, tuple[str, ...]]:
    return read_groups(option, lambda path: {"groups.txt": text, "p": PASSWD, "g": GROUP}[path])


def test_system_files_have_the_primary_group_first_then_the_order_of_the_file() -> None:
    assert read(b"", "passwd:p,group:g") == {
        "root": ("root",), "fred": ("users", "ops", "eng"), "ann": ("7", "ops"), "zoe": ("late",),
    }  # fmt: skip


def test_a_list_of_users() -> None:
    text = b"\xef\xbb\xbf# who\r\nfred: eng ops eng\r\nann : domain users, eng\r\nbob:\r\n\r\ncarl=a,b;dora=;eve= x\r\n"
    assert read(text) == {
        "fred": ("eng", "ops"), "ann": ("domain users", "eng"), "bob": (), "carl": ("a", "b"), "dora": (),
        "eve": (" x",),
    }  # fmt: skip


OVERRIDES = [
    ("dr.who=;", {"dr.who": ()}),
    ("a=g1,g2;b=g3", {"a": ("g1", "g2"), "b": ("g3",)}),
    (" a = g ,h;", {" a ": (" g ", "h")}),
    ("a", {"a": ()}),
    ("a==g", {"a": ("g",)}),
    ("a=,g,,g", {"a": ("g",)}),
    ("", {}),
]


@pytest.mark.parametrize(("text", "wanted"), OVERRIDES)
def test_overrides_are_cut_as_hadoop_does(text: str, wanted: dict[str, tuple[str, ...]]) -> None:
    assert parse_overrides(text, "core-site.xml") == wanted


@pytest.mark.parametrize("text", ["a=b=c", "a=b;=", "x=y=z;a=b"])
def test_overrides_with_which_nothing_starts(text: str) -> None:
    with pytest.raises(InputError, match="no Hadoop service starts"):
        parse_overrides(text, "core-site.xml")


@pytest.mark.parametrize(
    ("text", "where", "line"),
    [(b"fred eng", "groups.txt", 1), (b"a: b\n: c", "groups.txt", 2), (b"a: b\n\xff: c", "groups.txt", 2)],
)
def test_a_line_that_tells_nothing(text: bytes, where: str, line: int) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert caught.value.where == where
    assert caught.value.pos is not None
    assert caught.value.pos.line == line
    assert caught.value.hint


def test_system_files_in_another_form() -> None:
    with pytest.raises(UsageError, match="does not name both files"):
        read(b"", "passwd:p")
    with pytest.raises(InputError, match="fewer than 4 parts"):
        read_groups("passwd:p,group:g", lambda path: b"fred\n" if path == "p" else GROUP)


def test_a_name_once_and_without_blanks() -> None:
    assert split_groups(" a, b ,a,, c d ") == ("a", "b", "c d")
    assert split_groups("") == ()


def test_which_source_wins() -> None:
    overrides, listed = {"bob": ("fixed",)}, {"bob": ("listed",), "ann": ("x",)}
    assert UserGroups(("given",), listed, overrides).of("bob") == ("fixed",)
    assert UserGroups(("given",), listed, overrides).of("ann") == ("given",)
    assert UserGroups(None, listed).of("ann") is None
    assert UserGroups(False, listed).of("ann") == ("x",)
    assert UserGroups(False, listed).of("zoe") is None  # a source is there, and does not know her
    assert UserGroups().of("zoe") == ()
    assert [UserGroups().assumed, UserGroups(()).assumed, UserGroups(False, {}).assumed] == [True, False, False]
