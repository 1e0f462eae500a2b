"""Applications of `--apps`, sizes, and names of leaf queues: good ones, and what is said about bad ones."""

from __future__ import annotations

import pytest

from fairsim.config import apps as module
from fairsim.config.apps import chosen_leaves, leaf_named, parse_size, read_apps
from fairsim.diag import Pos
from fairsim.errors import FairsimError, InputError, UsageError
from fairsim.model.apps import App
from tests.helpers import GPU, PLAIN, tree_of

TREE = tree_of(
    '<queue name="a"/><queue name="p"><queue name="c"/><queue name="d"/></queue><queue name="empty" type="parent"/>'
    '<queue name="lost"><schedulingPolicy>drf</schedulingPolicy><queue name="x"/></queue>'
)
FORM = "write root.a=3 (repeat --apps for more queues), or name a .yaml, .json or .csv file"
UNITS = "units of memory are k, m, g, t and p: 8g is 8192 MB"
LISTS = "fairsim shares lists the queues"


def read(*texts: str, **files: bytes) -> list[App]:
    """Returns the applications; the file x.yaml is given as x_yaml."""
    return read_apps(texts, TREE, lambda name: files[name.replace(".", "_")])


def error(*texts: str, **files: bytes) -> tuple[str, str | None, Pos | None, str | None]:
    with pytest.raises((InputError, UsageError)) as caught:
        read(*texts, **files)
    found = caught.value
    return found.message, found.where, found.pos, found.hint


# --- QUEUE=NUMBER


def test_a_number_of_applications() -> None:
    assert read("root.a=2", " p.c = 1 ") == [App("app1", "root.a", (0, 0)), App("app2", "root.a", (0, 0)),
                                             App("app3", "root.p.c", (0, 0))]  # fmt: skip
    assert read("a=0") == []
    assert read() == []


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("p=1", "root.p is a parent; applications run in leaf queues", "leaves below it: root.p.c, root.p.d"),
        ("root=1", "root is a parent; applications run in leaf queues",
         "leaves below it: root.a, root.p.c, root.p.d"),
        ("empty=1", "root.empty is a parent; applications run in leaf queues", "it has no leaf queues"),
        ("lost=1", "Hadoop does not create root.lost: drf below fair", None),
        ("lost.x=1", "Hadoop does not create root.lost.x: drf below fair (root.lost)", None),
        ("zz=1", "there is no queue root.zz", LISTS),
        ("c=1", "there is no queue root.c", "did you mean root.p.c?"),
        ("p.cc=1", "there is no queue root.p.cc", "did you mean root.p.c?"),
        ("a=1000001", "more than 1000000 applications", None),
        ("a=99999999999999999999", "count '99999999999999999999' is not a whole number", "write count in digits"),
        ("a=\u0663", "count '\u0663' is not a whole number", "write count in digits"),
        ("a=x", "'a=x' is not QUEUE=NUMBER", FORM),
        ("a=", "'a=' is not QUEUE=NUMBER", FORM),
        ("=3", "'=3' is not QUEUE=NUMBER", FORM),
        ("a=-1", "'a=-1' is not QUEUE=NUMBER", FORM),
        ("a=b=2", "'a=b=2' is not QUEUE=NUMBER", FORM),
        ("a", "'a' is not QUEUE=NUMBER", FORM),
        ("", "'' is not QUEUE=NUMBER", FORM),
    ],
)  # fmt: skip
def test_a_bad_number_of_applications(text: str, message: str, hint: str | None) -> None:
    assert error(text) == (message, "--apps", None, hint)


def test_all_applications_together_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 5)
    assert len(read("a=3", "p.c=2")) == 5
    assert error("a=3", "p.c=3") == ("more than 5 applications", "--apps", None, None)
    assert error("x.csv", x_csv=b"queue\n" + b"a\n" * 6) == ("more than 5 applications", "x.csv", None, None)


# --- files

ROWS = [
    App("etl-1", "root.a", (2048, 1), 5, "u"),
    App("etl-2", "root.a", (2048, 1), 5, "u"),
    App("app3", "root.p.c", (0, 0)),
]


def test_yaml() -> None:
    text = b"- {queue: root.a, count: 2, demand: '2g,1c', start: 5, user: u, app: etl}\n- queue: p.c\n"
    assert read("x.yaml", x_yaml=text) == ROWS


def test_json() -> None:
    text = b'[{"queue": "a", "count": 2, "demand": "2g,1c", "start": 5, "user": "u", "app": "etl"}, {"queue": "p.c"}]'
    assert read("x.json", x_json=text) == ROWS


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
def test_csv(newline: bytes) -> None:
    text = b'queue,count,demand,start,user,app\na,2,"2g,1c",5,u,etl\n\np.c,,,,,\n'
    assert read("x.csv", x_csv=text.replace(b"\n", newline)) == ROWS
    assert read("X.CSV", X_CSV=b"\xef\xbb\xbf" + text) == ROWS


def test_files_and_numbers_stand_side_by_side() -> None:
    assert [app.name for app in read("a=1", "x.csv", "p.c=1", x_csv=b"queue,app\na,etl\na,\n")] == [
        "app1", "etl", "app3", "app4",
    ]  # fmt: skip


def test_one_application_keeps_its_name() -> None:
    rows = b"- {queue: a, app: etl}\n- {queue: a, app: b, count: 0}\n"
    assert [app.name for app in read("x.yaml", x_yaml=rows)] == ["etl"]


@pytest.mark.parametrize(
    ("data", "message", "pos", "hint"),
    [
        (b"", "the file is empty", None, None),
        (b"a: 1\n", "the list of applications must be a list, not a map", Pos(1, 1), None),
        (b"- [a]\n", "an application must be a map of keys and values, not a list", Pos(1, 3), None),
        (b"- {}\n", "an application without a queue", None, "write queue: root.a"),
        (b"- count: 2\n", "an application without a queue", Pos(1, 10), "write queue: root.a"),
        (b"- queu: a\n", "unknown key 'queu' in an application", Pos(1, 3), "did you mean queue?"),
        (b"- queue: a\n  queue: a\n", "the key 'queue' is written twice, first at 1:3", Pos(2, 3),
         "keep one of the two"),
        (b"- queue: [a]\n", "queue must be a single value, not a list", Pos(1, 10), None),
        (b"- queue: root.zz\n", "there is no queue root.zz", Pos(1, 10), LISTS),
        (b"- queue: p\n", "root.p is a parent; applications run in leaf queues", Pos(1, 10),
         "leaves below it: root.p.c, root.p.d"),
        (b"- queue: a\n  count: x\n", "count 'x' is not a whole number", Pos(2, 10), "write count in digits"),
        (b"- queue: a\n  count: 2.5\n", "count '2.5' is not a whole number", Pos(2, 10), "write count in digits"),
        (b"- queue: a\n  count: 1000001\n", "more than 1000000 applications", Pos(1, 10), None),
        (b"- queue: a\n  start: -1\n", "start '-1' is not a whole number", Pos(2, 10), "write start in digits"),
        (b"- queue: a\n  demand: 2q\n", "'q' is not a unit of memory", Pos(2, 11), UNITS),
        (b"- queue: a\n  demand: 2g\n", "'2g' has no vcores", Pos(2, 11), "write memory, then vcores: 2g,1c"),
        (b"[}", "not YAML: expected the node content, but found '}'", Pos(1, 2), None),
        (b"\xff", "the file is not UTF-8", Pos(1, 1), "save it as UTF-8"),
    ],
)  # fmt: skip
def test_a_bad_yaml_file(data: bytes, message: str, pos: Pos | None, hint: str | None) -> None:
    assert error("x.yaml", x_yaml=data) == (message, "x.yaml", pos, hint)


@pytest.mark.parametrize(
    ("data", "message", "pos", "hint"),
    [
        (b"", "the file is empty", None, "begin with a line of columns: queue,app,user,count,demand,start"),
        (b"queue,cuont\na,2\n", "unknown column 'cuont'", Pos(1, 7), "did you mean count?"),
        (b"foo\na\n", "unknown column 'foo'", Pos(1, 1), "columns: queue, app, user, count, demand, start"),
        (b"queue,queue\na,b\n", "a column stands there twice", Pos(1, 1), "keep one of the two"),
        (b"queue\na,2\n", "more cells than columns", Pos(2, 1), None),
        (b"queue,count\n,2\n", "an application without a queue", Pos(2, 1), "write queue: root.a"),
        (b"queue,count\na,x\n", "count 'x' is not a whole number", Pos(2, 1), "write count in digits"),
        (b"queue\r\na\r\n\r\nzz\r\n", "there is no queue root.zz", Pos(4, 1), LISTS),
        (b"queue,demand\na,1q\n", "'q' is not a unit of memory", Pos(2, 1), UNITS),
        (b'queue\n"a\n', "not CSV: unexpected end of data", Pos(2, 1),
         "one application a line, commas between the cells"),
        (b"\xff\n", "the file is not UTF-8", None, None),
    ],
)  # fmt: skip
def test_a_bad_csv_file(data: bytes, message: str, pos: Pos | None, hint: str | None) -> None:
    assert error("x.csv", x_csv=data) == (message, "x.csv", pos, hint)


# --- sizes


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("2g,1c", (2048, 1, 0)), ("512m,1", (512, 1, 0)), ("1g,1c,yarn.io/gpu=2", (1024, 1, 2))],
)
def test_a_size(text: str, wanted: tuple[int, ...]) -> None:
    assert parse_size(text, GPU, "--am") == wanted


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("1q", "'q' is not a unit of memory", UNITS),
        ("8192", "'8192' has no vcores", "write memory, then vcores: 2g,1c"),
    ],
)
def test_a_bad_size(text: str, message: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_size(text, PLAIN, "--am")
    assert (caught.value.message, caught.value.where, caught.value.hint) == (message, "--am", hint)


# --- names of leaf queues


def test_the_full_name_of_a_leaf() -> None:
    assert leaf_named(TREE, "p.c", "x") == leaf_named(TREE, "root.p.c", "x") == "root.p.c"


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["a"], {"root.a"}),
        (["root.a"], {"root.a"}),
        (["a,p.c"], {"root.a", "root.p.c"}),
        (["a", " p.d ,"], {"root.a", "root.p.d"}),
        (["p"], {"root.p.c", "root.p.d"}),
        (["p.*"], {"root.p.c", "root.p.d"}),
        (["root.p.?"], {"root.p.c", "root.p.d"}),
        (["[ap]*"], {"root.a", "root.p.c", "root.p.d"}),
        (["*"], {"root.a", "root.p.c", "root.p.d"}),
        (["root"], {"root.a", "root.p.c", "root.p.d"}),
    ],
)
def test_chosen_leaves(texts: list[str], wanted: set[str]) -> None:
    assert chosen_leaves(TREE, texts, "--active") == wanted


@pytest.mark.parametrize(
    ("texts", "message", "hint"),
    [
        (["zz"], "there is no queue root.zz", LISTS),
        (["a", "pp"], "there is no queue root.pp", LISTS),
        (["lost.x"], "Hadoop does not create root.lost.x: drf below fair (root.lost)", None),
        (["x*"], "no leaf queue is meant by 'x*'", None),
        (["empty"], "no leaf queue is meant by 'empty'", None),
        ([""], "no queue is named", "name queues, or leave the option out: all are active"),
        ([" , "], "no queue is named", "name queues, or leave the option out: all are active"),
    ],
)
def test_no_leaf_is_chosen(texts: list[str], message: str, hint: str | None) -> None:
    with pytest.raises(FairsimError) as caught:
        chosen_leaves(TREE, texts, "--active")
    assert (caught.value.message, caught.value.where, caught.value.hint) == (message, "--active", hint)
