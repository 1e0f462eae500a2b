"""What is refused: place, code, record, field, value, reason and hint of every check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsim.errors import InputError
from tests.traces.reading import GPU, LINE, cases, error_of, every_minute, trace_of


@pytest.mark.parametrize(("line", "wanted"), cases("records"))
def test_records(tmp_path: Path, line: str, wanted: str) -> None:
    assert error_of(tmp_path, LINE + line + "\n") == wanted


@pytest.mark.parametrize(("stage", "wanted"), cases("stages"))
def test_stages(tmp_path: Path, stage: str, wanted: str) -> None:
    record = json.dumps({"arrival": 0, "stages": [{"duration": 1, **json.loads(stage)}]})
    assert error_of(tmp_path, record, types=GPU).partition(": ")[2] == wanted


def test_stages_among_each_other(tmp_path: Path) -> None:
    def refused(*stages: dict[str, Any]) -> str:
        named = [{"name": name, "duration": 1, **stage} for name, stage in zip("abc", stages, strict=False)]
        return error_of(tmp_path, json.dumps({"arrival": 0, "stages": named}))

    assert refused({"after": ["c"]}, {}, {}) == (
        "1:1: T007 record 1, stages[0].after 'c': the stages wait for each other in a circle | "
        "take one of the names out"
    )
    assert refused({"mode": "hold"}, {}) == (
        "1:1: T007 record 1, stages[1].after 'a': 'a' is in mode hold: it ends when all others have ended | "
        "write after: [], or name a stage in mode batch"
    )
    assert refused({}, {"name": "a"}).endswith(
        "T011 record 1, stages[1].name 'a': two stages have this name | give each its own"
    )


def test_the_place_of_a_field_in_json(tmp_path: Path) -> None:
    record = '{"arrival": 0,\n "stages": [{"duration": 1, "resource": "2g,1c"},\n  {"resource" : "2x", "duration": 1}]}'
    assert error_of(tmp_path, record).startswith("3:4: T005 record 1, stages[1].resource '2x': ")


def test_ids_of_copies(tmp_path: Path) -> None:
    data = '{{"id": "a", "arrival": 0, "repeat": {{"count": 3, "every": 5}}}}\n{{"id": "a#{}", "arrival": 1}}\n'
    assert error_of(tmp_path, data.format(3)) == (
        "2:1: T003 id 'a#3': run 3 of 'a' has this id | "
        "give each its own; in CSV the rows of one application stand below each other"
    )
    for other in ("4", "1", "02", "x"):
        with trace_of(tmp_path, data.format(other)) as trace:
            assert trace.count == 4


def test_ids_are_compared_themselves(tmp_path: Path) -> None:
    data = "".join(f'{{"id": "a{index}", "arrival": 0}}\n' for index in range(5000))
    with trace_of(tmp_path, data) as trace:
        assert trace.count == 5000
    assert error_of(tmp_path, data + '{"id": "a4321", "arrival": 0}').startswith(
        "5001:1: T003 record 5001, id 'a4321': an application in line 4322 has this id"
    )


@pytest.mark.parametrize(("data", "wanted"), cases("yaml"))
def test_yaml(tmp_path: Path, data: str, wanted: str) -> None:
    assert error_of(tmp_path, data, "t.yaml") == wanted


HEAD = "id,arrival,user,stage,count,resource,duration\n"
@pytest.mark.parametrize(("rows", "wanted"), cases("csv"))
def test_csv(tmp_path: Path, rows: str, wanted: str) -> None:
    assert error_of(tmp_path, HEAD + rows, "t.csv") == wanted


def test_a_column_twice(tmp_path: Path) -> None:
    wanted = "2:1: T001 the column 'id' stands there twice | keep one of the two"
    assert error_of(tmp_path, "# trace\nid,id,arrival\n") == wanted


def test_unknown_keys_are_errors_when_strict(tmp_path: Path) -> None:
    assert error_of(tmp_path, '{"arrival": 0,\n "usr": "x"}', strict=True) == (
        "2:2: T012 record 1, usr: unknown key in an application | did you mean user?"
    )
    assert error_of(tmp_path, LINE + '{"arrival": 0, "stages": [{"color": 1}]}', strict=True).startswith(
        "2:28: T012 record 2, stages[0].color: unknown key in a stage | keys are name, after, count, "
    )
    assert error_of(tmp_path, "id,arrival,quue\n", strict=True) == (
        "1:1: T012 quue: unknown key in the first line | did you mean queue?"
    )
    assert error_of(tmp_path, "a: 1\napps: []\n", "t.yaml", strict=True) == (
        "1:1: T012 a: unknown key in the head of the trace | keys are version, defaults, apps"
    )
    assert error_of(tmp_path, '{"version": 1, "defaults": {"arrival": 1}}\n' + LINE, strict=True).startswith(
        "1:29: T012 arrival: unknown key in defaults | keys are user, "
    )


def test_bad_records_are_skipped(tmp_path: Path) -> None:
    name = str(tmp_path / "t.jsonl")
    data = LINE + "bad\n" + LINE + '{"arrival": -1}\n' + '{"id": "app000002", "arrival": 0}\n'
    with trace_of(tmp_path, data, skip_bad=3) as trace:
        assert [app.id for app in trace.apps()] == ["app000001", "app000002"]
        assert [text.partition(": T")[::2] for text in trace.skipped] == [
            (f"{name}:2", "001 record 2: not JSON: expecting value"),
            (f"{name}:4", "004 record 4, arrival -1: the time is negative"),
            (f"{name}:5", "003 record 5, id 'app000002': an application in line 3 has this id"),
        ]
    assert error_of(tmp_path, data, skip_bad=2).startswith("5:1: T003 record 5")


def test_what_all_records_rest_on_is_not_skipped(tmp_path: Path) -> None:
    data = '{"version": 1, "defaults": {"am": "2x"}}\n' + LINE
    assert error_of(tmp_path, data, skip_bad=9).startswith("1:29: T005 defaults.am '2x'")


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    with trace_of(tmp_path, LINE * 2) as trace:
        (tmp_path / "t.jsonl").write_text(LINE[:-2] + "]\n" + LINE.replace(": 0", ": 7"))
        with pytest.raises(InputError, match="the file was changed while fairsim read it"):
            list(trace.apps())


def test_a_repeat_that_never_ends(tmp_path: Path) -> None:
    data = '{"arrival": 0, "repeat": {"count": 1000000, "every": "300000d"}}'
    wanted = "1:1: T004 record 1, repeat: the last run comes too late | at most 11574074 days are read"
    assert error_of(tmp_path, data, gaps=every_minute) == wanted
