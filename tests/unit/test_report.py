"""Tables and findings in every form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsim.diag import ERROR, WARNING, Finding, Pos
from fairsim.errors import UsageError
from fairsim.report import cells, csvout, jsonout, markdown, text
from fairsim.report.findings import finding_record, finding_text, snippet
from fairsim.report.schemas import load_schema
from fairsim.report.style import Style
from fairsim.report.table import RIGHT, Column, Table

COLUMNS = [
    Column("queue", "queue", rank=0),
    Column("policy", "policy", rank=3),
    Column("weight", "weight", RIGHT, rank=2),
    Column("max_mb", "max", RIGHT, "MB", none="unlimited"),
    Column("steady_mb", "steady", RIGHT, "MB", rank=0),
    Column("percent", "share", RIGHT, "%", digits=1),
    Column("notes", "notes", wrap=True, none="", style="note"),
]
ROWS = [
    ("root", "fair", 1.0, None, 819200, 100.0, None),
    ("root.etl", "drf", 0.25, 409600, 204800, 25.0, ["raised to min", "capped"]),
    ("root.engineering.batch.nightly", "fair", 3.0, None, 7, 0.0009, []),
]
TABLE = Table(COLUMNS, ROWS, "Shares", ["every leaf is active"])


def rendered(width: int | None) -> str:
    return text.render(TABLE, width)


def test_text_for_a_pipe_is_as_wide_as_it_needs_to_be() -> None:
    assert rendered(None) == """\
Shares

queue                           policy  weight     max MB  steady MB  share %  notes
root                            fair       1.0  unlimited     819200    100.0
root.etl                        drf       0.25     409600     204800     25.0  raised to min; capped
root.engineering.batch.nightly  fair       3.0  unlimited          7      0.0

every leaf is active
"""


def test_text_that_fits_does_not_change() -> None:
    assert rendered(200) == rendered(101) == rendered(None)


def test_running_text_is_wrapped_in_its_column_first() -> None:
    table = Table(
        [Column("queue", "queue"), Column("mb", "steady", RIGHT, "MB"), Column("notes", "notes", wrap=True)],
        [("root.a", 5, "one two three four five six seven eight nine ten"), ("root.b", 66, "")],
    )
    assert text.render(table, 48) == """\
queue   steady MB  notes
root.a          5  one two three four five six
                   seven eight nine ten
root.b         66
"""


def test_then_running_text_goes_below_its_row() -> None:
    assert rendered(82) == """\
Shares

queue                           policy  weight     max MB  steady MB  share %
root                            fair       1.0  unlimited     819200    100.0
root.etl                        drf       0.25     409600     204800     25.0
    raised to min; capped
root.engineering.batch.nightly  fair       3.0  unlimited          7      0.0

every leaf is active
"""


def test_then_long_names_take_a_line_of_their_own() -> None:
    assert rendered(74) == """\
Shares

queue                        policy  weight     max MB  steady MB  share %
root                         fair       1.0  unlimited     819200    100.0
root.etl                     drf       0.25     409600     204800     25.0
    raised to min; capped
root.engineering.batch.nightly
                             fair       3.0  unlimited          7      0.0

every leaf is active
"""


def test_then_the_least_important_columns_go_below_their_row() -> None:
    assert rendered(40) == """\
Shares

queue                          steady MB
root                              819200
    policy: fair  weight: 1.0
    share %: 100.0
root.etl                          204800
    policy: drf  weight: 0.25
    max MB: 409600  share %: 25.0
    raised to min; capped
root.engineering.batch.nightly
                                       7
    policy: fair  weight: 3.0
    share %: 0.0

every leaf is active
"""


def test_a_very_narrow_terminal_gets_records() -> None:
    table = Table(COLUMNS, ROWS[1:2])
    assert text.render(table, 18) == """\
queue
root.etl
    policy: drf
    weight: 0.25
    max MB: 409600
    steady MB: 204800
    share %: 25.0
    raised to min;
    capped
"""


@pytest.mark.parametrize("width", range(1, 110))
def test_nothing_is_ever_cut(width: int) -> None:
    words = rendered(width).split()
    for row in ROWS:
        assert row[0] in words
        assert str(row[4]) in words


@given(st.lists(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1), min_size=1))
def test_names_of_any_script_stay_whole_at_any_width(names: list[str]) -> None:
    table = Table([Column("queue", "queue"), Column("mb", "MB", RIGHT)], [(name, 12) for name in names])
    for width in (None, 5, 20, 40):
        lines = text.render(table, width).splitlines()
        for name in names:
            assert any(line.startswith(cells.escape(name)) for line in lines)


def test_wide_and_combining_characters_keep_columns_straight() -> None:
    rows = [("root.漢字", 1), ("root.e\u0301", 22), ("root.ab", 3)]
    table = Table([Column("q", "queue"), Column("n", "n", RIGHT)], rows)
    assert text.render(table).splitlines() == ["queue       n", "root.漢字   1", "root.e\u0301     22", "root.ab     3"]


def test_what_a_terminal_would_obey_is_made_visible() -> None:
    table = Table([Column("q", "queue")], [("root.\x1b[31mred\t\u202e\n",)], title="a\x07")
    assert text.render(table) == "a\\x07\n\nqueue\nroot.\\x1b[31mred\\t\\u202e\\n\n"


def test_an_empty_table_is_its_head() -> None:
    table = Table(COLUMNS[:2], [])
    assert text.render(table) == "queue  policy\n"
    assert csvout.render(table) == "queue,policy\n"
    assert markdown.render(table) == "| queue | policy |\n| --- | --- |\n"
    assert jsonout.lines(table.records()) == ""


def test_colour_is_around_cells_and_changes_no_column() -> None:
    plain, painted = text.render(TABLE, 50), text.render(TABLE, 50, Style(True))
    assert "\x1b[33mraised to min; capped\x1b[0m" in painted
    assert "\x1b[1mShares\x1b[0m\n" in painted
    stripped = painted
    for code in ("\x1b[1m", "\x1b[33m", "\x1b[0m"):
        stripped = stripped.replace(code, "")
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()


def test_values_of_all_kinds() -> None:
    column = Column("x", "x", none="none", digits=2)
    values = [None, True, False, 3, 2.5, "s", ["a", "b"], 10**30]
    assert list(cells.shown(column, values)) == ["none", "yes", "no", "3", "2.50", "s", "a; b", str(10**30)]
    assert list(cells.raw(values)) == ["", "true", "false", "3", "2.5", "s", "a; b", str(10**30)]
    assert list(cells.shown(Column("x", "x", show=hex), [255, None])) == ["0xff", "-"]
    assert list(cells.shown(Column("x", "x"), [0.1, 1e-9])) == ["0.1", "1e-09"]


def test_csv_has_keys_exact_numbers_and_quotes_where_needed() -> None:
    table = Table(COLUMNS, [*ROWS, ('root."x",y', "fair", 1.5, 2, 3, 100 / 3, ["a, b"])], "Shares", ["left out"])
    assert csvout.render(table) == """\
queue,policy,weight,max_mb,steady_mb,percent,notes
root,fair,1.0,,819200,100.0,
root.etl,drf,0.25,409600,204800,25.0,raised to min; capped
root.engineering.batch.nightly,fair,3.0,,7,0.0009,
"root.""x"",y",fair,1.5,2,3,33.333333333333336,"a, b"
"""


@given(st.lists(st.tuples(st.text(), st.text(), st.integers()), min_size=1))
def test_csv_reads_back(rows: list[tuple[str, str, int]]) -> None:
    table = Table([Column(key, key) for key in "abc"], rows)
    read = list(csv.reader(io.StringIO(csvout.render(table), newline="")))
    assert read[1:] == [[a, b, str(c)] for a, b, c in rows]


def test_markdown_shows_every_character_as_it_is() -> None:
    table = Table(
        [Column("queue", "queue"), Column("mb", "steady", RIGHT, "MB")],
        [("root._x_|<b>`*", 5), ("root.a", 6)],
        title="A & B",
        notes=["*one*"],
    )
    assert markdown.render(table) == """\
### A &amp; B

| queue | steady MB |
| --- | ---: |
| root.\\_x\\_\\|\\<b\\>\\`\\* | 5 |
| root.a | 6 |

- \\*one\\*
"""


def test_json_has_a_line_for_each_record() -> None:
    queues = [{"queue": "root.é", "max": None}, {"queue": "b", "max": 1}]
    document = {"schema": 1, "queues": queues, "notes": [], "x": {"y": 1}}
    assert jsonout.dumps(document) == """\
{
 "schema": 1,
 "queues": [
  {"queue": "root.é", "max": null},
  {"queue": "b", "max": 1}
 ],
 "notes": [],
 "x": {"y": 1}
}
"""
    assert json.loads(jsonout.dumps(document)) == document
    assert jsonout.dumps({}) == "{}\n"


def test_json_writes_numbers_that_json_lacks_as_strings() -> None:
    values = [float("nan"), float("inf"), float("-inf"), 1.5, 2**70]
    assert jsonout.dumps({"a": values}) == f'{{\n "a": ["NaN", "Infinity", "-Infinity", 1.5, {2**70}]\n}}\n'
    assert jsonout.lines([{"a": values[0]}, {"a": {"b": (values[1],)}}]) == '{"a": "NaN"}\n{"a": {"b": ["Infinity"]}}\n'


def test_json_lines_of_a_table() -> None:
    table = Table(COLUMNS, ROWS[:2]).select(["queue", "policy", "weight"])
    assert jsonout.lines(table.records()) == (
        '{"queue": "root", "policy": "fair", "weight": 1.0}\n{"queue": "root.etl", "policy": "drf", "weight": 0.25}\n'
    )


def test_json_takes_numbers_of_numpy_and_sets_but_no_objects() -> None:
    numpy = pytest.importorskip("numpy")
    assert jsonout.lines([{"a": numpy.int64(5), "b": {"z", "y"}}]) == '{"a": 5, "b": ["y", "z"]}\n'
    with pytest.raises(TypeError, match="object is not a JSON value"):
        jsonout.dumps({"a": object()})


def test_columns_are_chosen_by_key() -> None:
    chosen = TABLE.select(["steady_mb", "queue"])
    assert csvout.render(chosen).splitlines()[1] == "819200,root"
    assert chosen.rows[0] == (819200, "root")
    with pytest.raises(UsageError) as caught:
        TABLE.select(["stedy_mb"])
    assert caught.value.hint == "did you mean steady_mb?"
    with pytest.raises(UsageError):
        TABLE.select([])


def test_a_table_from_columns_is_the_same() -> None:
    table = Table.from_columns(COLUMNS, [list(values) for values in zip(*ROWS, strict=True)], "Shares", TABLE.notes)
    assert text.render(table) == text.render(TABLE)
    assert list(table.records()) == list(TABLE.records())


# -- findings

SOURCE = [
    "<allocations>",
    '  <queue name="a">',
    "    <weight></weight>",
    "\t<weight>two</weight>",
    "  </queue>",
]
EMPTY = Finding("FS104", "empty-value-element", ERROR, "no text inside", Pos(3, 5), "the load fails", "drop it", True)


def test_a_finding_shows_the_line_and_what_to_do() -> None:
    assert finding_text(EMPTY, "fs.xml", SOURCE, "3.3.6") == """\
fs.xml:3:5: error FS104 empty-value-element
  3 |     <weight></weight>
    |     ^^^^^^^^ no text inside
    = Hadoop 3.3.6: the load fails
    = drop it
"""


def test_a_finding_without_a_line_to_show() -> None:
    assert finding_text(EMPTY._replace(effect="", hint=""), "fs.xml") == (
        "fs.xml:3:5: error FS104 empty-value-element: no text inside\n"
    )
    assert finding_text(Finding("FS1", "n", WARNING, "m"), "a\nb") == "a\\nb: warning FS1 n: m\n"


def test_a_second_place_is_shown() -> None:
    finding = EMPTY._replace(other=Pos(4, 2), effect="", hint="")
    assert finding_text(finding, "fs.xml", SOURCE).splitlines()[3:] == [
        "  4 |     <weight>two</weight>",
        "    |     ^^^^^^^^ the other place",
    ]
    assert finding_text(finding, "fs.xml").splitlines()[1:] == ["    = the other place: fs.xml:4:2"]


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("\ta\tb", 4, ["  1 |     a    b", "    |          ^"]),
        ("x \x1b\u202ey zz", 7, ["  1 | x \\x1b\\u202ey zz", "    |               ^^"]),
        ("漢字 <q>", 4, ["  1 | 漢字 <q>", "    |      ^^^"]),
        ("abc", 9, ["  1 | abc", "    |    ^"]),
        ("", 1, ["  1 |", "    | ^"]),
        ("a=12,b=3", 3, ["  1 | a=12,b=3", "    |   ^^"]),
        ("<queue name='x'>", 1, ["  1 | <queue name='x'>", "    | ^^^^^^"]),
    ],
)
def test_carets_stand_under_what_is_meant(line: str, column: int, expected: Sequence[str]) -> None:
    assert snippet(Pos(1, column), [line]) == expected


def test_long_lines_are_cut_around_the_carets() -> None:
    line = "<a>" * 5000 + "<bad>x</bad>" + "<z>" * 5000
    shown, below = snippet(Pos(1, 15001), [line], "here", width=80)
    assert len(shown) <= 80
    assert shown[below.index("^") :].startswith("<bad>")
    assert shown.startswith("  1 | …")
    assert shown.endswith("…")
    shown, below = snippet(Pos(1, 15002), ["y" * 30000], "a remark", width=80)[:2]
    assert len(shown) <= 80
    assert len(below) <= 80


@given(st.text(max_size=300), st.integers(1, 320), st.integers(30, 150))
def test_snippets_of_any_text_fit_and_print(line: str, column: int, width: int) -> None:
    lines = snippet(Pos(1, column), [line], width=width)
    assert all(one.isprintable() for one in lines)
    assert all(cells.display_width(one) <= max(width, 46) for one in lines)


def test_long_remarks_get_lines_of_their_own() -> None:
    lines = finding_text(EMPTY._replace(message="word " * 30, hint=""), "f", SOURCE, "3.4", width=60).splitlines()
    assert lines[2] == "    |     ^^^^^^^^"
    assert lines[3].startswith("    = word")
    assert all(len(line) <= 60 for line in lines)


def test_a_finding_as_a_mapping_fits_the_schema() -> None:
    schema = load_schema("shares", strict=True)
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/finding", "$defs": schema["$defs"]})
    for finding in (EMPTY, EMPTY._replace(pos=None, other=Pos(1, 2))):
        validator.validate(json.loads(jsonout.lines([finding_record(finding, "f.xml")])))


def test_the_schemas_are_schemas_and_open_to_additions() -> None:
    schema = load_schema("shares")
    jsonschema.Draft202012Validator.check_schema(schema)
    answer = {"schema": 1, "command": "shares", "hadoop": "3.4.3", "not_created": [], "findings": [], "notes": []}
    amount = {"memory-mb": 1, "vcores": 1}
    answer |= {"cluster": amount, "queues": [], "something_new": 1}
    jsonschema.Draft202012Validator(schema).validate(answer)
    assert not jsonschema.Draft202012Validator(load_schema("shares", strict=True)).is_valid(answer)
