"""Files of every kind: encodings, packed ones, standard input, other programs' files, and damage."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from fairsim.errors import FairsimError, InputError, UsageError
from fairsim.traces.files import CHUNK
from fairsim.traces.trace import open_trace
from tests.traces.reading import LINE, PLAIN, apps_of, error_of, stdin, trace_of

FORMS = "a trace is JSON lines, YAML or CSV of fairsim, or JSON of SLS"
COLUMNS = "CSV begins with a line of columns: id,arrival,user,queue,stage,count,resource,duration"
CUT = "Compressed file ended before the end-of-stream marker was reached | is it whole?"
RUMEN = "turn it into a trace of SLS: rumen2sls.sh --rumen-file=FILE --output-dir=DIR"
SYNTH = "this is a workload for the generator of SLS (SYNTH), which is not read"
OTHERS = [
    (b"", f"1:1: T001 the file is empty | {FORMS}"),
    (b"\xef\xbb\xbf \n\n", f"1:1: T001 the file is empty | {FORMS}"),
    (LINE.encode("utf-16"), "1:1: T001 the file is UTF-16 | save it as UTF-8"),
    (LINE.encode("utf-16-le"), f"1:1: T001 the file is binary, not text | {FORMS}"),
    (b"\x00\x01\x02", f"1:1: T001 the file is binary, not text | {FORMS}"),
    (b"PK\x03\x04abc", "T001 the file is compressed (zip) | unpack it, or use gzip"),
    (b"\x1f\x8b\x08abc", f"T001 the file cannot be unpacked (gzip): {CUT}"),
    (gzip.compress(LINE.encode(), mtime=0)[:-9] + b"123456789", "T001 the file cannot be unpacked (gzip): "),
    (b"<allocations/>", f"1:1: T001 the file is XML, not a trace | {FORMS}"),
    (b"hello world\n", f"1:1: T001 this is not a trace | {FORMS}; {COLUMNS}"),
    (b'{"apps": {"app": []}}', f"1:1: T001 this is an answer of the ResourceManager, not a trace | {FORMS}"),
    (b'{"workloads": []}', f"1:1: T001 {SYNTH} | write the jobs out as SLS or native trace"),
    (b'{\n"jobID": "j",\n"mapTasks": []}', f"1:1: T001 this is a trace of Rumen, which is not read | {RUMEN}"),
    (b'{"resourceRequestSpecs": []}', "1:1: T001 this is a workload of DynoYARN, which is not read | "),
    (b'{"Event": "SparkListenerLogStart"}\n', "1:1: T001 this is an event log of Spark, which is not read | "),
]


@pytest.mark.parametrize(("data", "wanted"), OTHERS)
def test_files_that_are_no_traces(tmp_path: Path, data: bytes, wanted: str) -> None:
    assert error_of(tmp_path, data).startswith(wanted)


DEEP, LONG = "[" * 100_000, "9" * 4000
DAMAGE = [
    (b'{"arrival": 0, "user": "\xff"}\n', "1:1: T001 record 1: the text is not UTF-8 | save the file as UTF-8"),
    (LINE.encode() + b"\0\0\n", f"1:1: T001 the file is binary, not text | {FORMS}"),
    (LINE.encode() * 3000 + b"\0\0\xff\n", "3001:1: T001 record 3001: the file is binary, not text | "),
    ((LINE + DEEP).encode(), "2:1: T001 record 2: lists and maps are nested too deeply | "),
    (('{"arrival": 0, "x": ' + DEEP).encode(), "1:1: T001 record 1: lists and maps are nested too deeply"),
    (DEEP.encode(), "1:1: T001 the list is not closed | is the file whole?"),
    (f'{{"arrival": {LONG}{LONG}}}'.encode(), "1:1: T001 record 1: a number has too many digits"),
    (f'{{"arrival": {LONG}}}'.encode(), "1:2: T004 record 1, arrival of very many digits: the number is too large"),
    (b'[{"arrival": 0},\n', "2:1: T001 the list is not closed | is the file whole?"),
    (b'[{"arrival": 0},\n\n hello {"arrival": 1}]', "3:1: T001 'hello {\"arrival\": 1}]' stands between the objects"),
    (b'[{"arrival": 0},\n "x" ]', "2:1: T001 '\"x\" ]' stands between the objects"),
    (b'[{"arrival": 0}}]', "1:1: T001 '}]' stands between the objects"),
    (b'{"arrival": 0,\n"user": "x', "2:9: T001 record 1: not JSON: unterminated string"),
]


@pytest.mark.parametrize(("data", "wanted"), DAMAGE)
def test_damage(tmp_path: Path, data: bytes, wanted: str) -> None:
    assert error_of(tmp_path, data).startswith(wanted)


def test_a_record_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairsim.traces.files.MOST_BYTES", 1000)
    hint = "write one application in each record, and equal containers as one stage"
    long = '{"arrival": 0, "user": "' + "x" * 2000
    assert error_of(tmp_path, LINE + long).endswith(f"a record is longer than 0 MB | {hint}")
    assert error_of(tmp_path, "[" + LINE + ",\n" + long).startswith("3:1: T001 a record is longer")


@pytest.mark.parametrize("data", [
    b"\xef\xbb\xbf" + LINE.encode() * 2,
    LINE.replace("\n", "\r\n").encode() * 2,
    b"\n\n# remark\n// another\n" + LINE.encode() + b"\n" + LINE.rstrip().encode(),
    gzip.compress(LINE.encode() * 2, mtime=0),
    gzip.compress(gzip.compress(LINE.encode() * 2, mtime=0), mtime=0),
])  # fmt: skip
def test_the_same_two_applications(tmp_path: Path, data: bytes) -> None:
    assert apps_of(tmp_path, data) == apps_of(tmp_path, LINE * 2)
    with open_trace("-", PLAIN, stdin=stdin(data)) as trace:
        assert [app.id for app in trace.apps()] == ["app000001", "app000002"]


def test_csv_as_windows_writes_it(tmp_path: Path) -> None:
    data = b'\xef\xbb\xbfid,arrival,stage,resource,duration\r\na,0,m,"2g,1c","exp(5)"\r\n,,"r ""2""",,7\r\n'
    [app] = apps_of(tmp_path, data)
    assert [stage.name for stage in app.stages] == ["m", 'r "2"']


def test_standard_input_has_a_name(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        open_trace("-", PLAIN, stdin=stdin(b'{"arrival": -1}'))
    assert caught.value.where == "<stdin>"
    with pytest.raises(UsageError, match="standard input is closed"):
        open_trace("-", PLAIN)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (str(tmp_path), str(tmp_path / "none"), "a\0b"):
        with pytest.raises(InputError, match="cannot be read"):
            open_trace(path, PLAIN)
    with pytest.raises(UsageError, match="the name of a file is empty"):
        open_trace(" ", PLAIN)


def test_objects_across_the_pieces_in_which_a_file_is_read(tmp_path: Path) -> None:
    """Strings, escapes and remarks may stand where one piece ends and the next begins."""
    dice = Random(5)  # noqa: S311 - the same each time
    names = ["x" * dice.randrange(300) + dice.choice(['"', "\\", "{", "}", "//", "é", "]"]) for _ in range(8000)]
    quoted = [name.replace("\\", "\\\\").replace('"', '\\"') for name in names]
    data = "[\n" + ",\n".join(f'{{"arrival": 0, // {{ "\n "user": "{name}"}}' for name in quoted) + "\n]\n// end"
    assert len(data) > CHUNK
    assert [app.user for app in apps_of(tmp_path, data)] == names
    assert "16004:2: T001 record 8001: not JSON" in error_of(tmp_path, data + "\n{")


WHOLE = [
    b'{"version": 1, "defaults": {"am": "2g,1c"}}\n' + LINE.encode() * 3 + b'{"id": "x", "arrival": 5, "groups": []}\n',
    b'[{"arrival": 0, // x\n "stages": [{"duration": "exp(5) in [1,9]", "count": 2}]},\n{"arrival": 1},]',
    b'{"num.nodes": 3}{"am.type": "dag", "job.queue.name": "a", "job.tasks": [{"duration.ms": 5}]}',
    b'id,arrival,stage,resource,duration\na,0,m,"2g,1c","exp(5)"\n,,r,,7\nb,2,,,\n',
    b"version: 1\napps:\n  - {arrival: 0, stages: [{duration: exp(5), after: []}]}\n  - {arrival: 1}\n",
]
PIECES = [b"", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\xff", b"\n", b"-", b"9" * 30, b"null", b"true",
          b'{"a":1}', b"\xc3\xa9", b"e999", b" ", b"#", b"//"]  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_random_damage_never_gives_a_traceback(tmp_path: Path, seed: int) -> None:
    dice = Random(seed)  # noqa: S311 - the same each time
    for data in WHOLE:
        for _ in range(40):
            damaged = bytearray(data)
            for _ in range(dice.randrange(1, 5)):
                at = dice.randrange(len(damaged) + 1)
                damaged[at : at + dice.randrange(3)] = dice.choice(PIECES)
            with suppress(FairsimError), trace_of(tmp_path, bytes(damaged), skip_bad=dice.randrange(3)) as trace:
                assert len(list(trace.apps())) == trace.count
