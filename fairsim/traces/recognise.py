"""Which format a trace has, by what it begins with; and files that are something else."""

from __future__ import annotations

import json
from typing import IO, Any

from fairsim.diag import Pos
from fairsim.errors import InputError
from fairsim.model.resources import ResourceTypes
from fairsim.traces.csvrows import Csv, looks_like_csv
from fairsim.traces.faults import PARSE, Bad, Notes
from fairsim.traces.files import lines, objects, read_json
from fairsim.traces.formats import Format, Json
from fairsim.traces.native import Native
from fairsim.traces.sls import Sls, is_sls

LOOK_AT = 65_536
_YAML_ENDINGS = (".yaml", ".yml")
_YAML_BEGINS = (b"version:", b"defaults:", b"apps:", b"---", b"- ", b"%YAML")
_FORMS = "a trace is JSON lines, YAML or CSV of fairsim, or JSON of SLS"

#: Keys by which the first object tells that it is of another program, and what can be done.
_OTHERS = (
    ("workloads", "a workload for the generator of SLS (SYNTH)", "write the jobs out as SLS or native trace"),
    ("mapTasks", "a trace of Rumen", "turn it into a trace of SLS: rumen2sls.sh --rumen-file=FILE --output-dir=DIR"),
    ("resourceRequestSpecs", "a workload of DynoYARN", "write it as native trace"),
    ("amResourceRequest", "a workload of DynoYARN", "write it as native trace"),
    ("Event", "an event log of Spark", "write its stages as native trace"),
)


def format_of(stream: IO[bytes], where: str, types: ResourceTypes, notes: Notes) -> Format:
    """Returns the reader for what is in the stream, whose place does not change. Raises InputError for other files."""
    start = stream.tell()
    begin = stream.read(LOOK_AT)
    stream.seek(start)
    native = Native(types, notes)
    first = _skip_remarks(begin)
    if not begin.strip():
        raise _no_trace(where, "the file is empty", _FORMS)
    if b"\0" in begin:
        raise _no_trace(where, "the file is binary, not text", _FORMS)
    if where.lower().endswith(_YAML_ENDINGS):
        return _yaml(stream, native, notes, where)
    if first.startswith((b"{", b"[")):
        return _json(stream, start, where, native, types)
    if not first:
        return Json(stream, native, notes, by_line=True)  # nothing but remarks
    if looks_like_csv(first):
        return Csv(stream, native, notes)
    if first.startswith(_YAML_BEGINS):
        return _yaml(stream, native, notes, where)
    if first.startswith(b"<"):
        raise _no_trace(where, "the file is XML, not a trace", _FORMS)
    hint = f"{_FORMS}; CSV begins with a line of columns: id,arrival,user,queue,stage,count,resource,duration"
    raise _no_trace(where, "this is not a trace", hint)


def _no_trace(where: str, reason: str, hint: str) -> InputError:
    return InputError(f"{PARSE} {reason}", where=where, pos=Pos(1, 1), hint=hint)


def _skip_remarks(begin: bytes) -> bytes:
    """Returns the beginning from the first line on that is no remark."""
    while True:
        begin = begin.lstrip()
        if not begin.startswith((b"#", b"//")):
            return begin
        begin = begin.partition(b"\n")[2]


def _json(stream: IO[bytes], start: int, where: str, native: Native, types: ResourceTypes) -> Format:
    by_line = True
    line = next(lines(stream), None)
    try:
        record: Any = json.loads(line.data) if line else None
    except (ValueError, RecursionError):
        by_line = False
        record = None
    if not isinstance(record, dict):
        stream.seek(start)
        whole = _first_object(stream)
        by_line = whole is None and line is not None and line.data.rstrip().endswith(b"}")
        record = whole or {}
    stream.seek(start)
    if is_sls(record):
        return Sls(stream, types, native.notes)
    if isinstance(record.get("apps"), list):
        return _yaml(stream, native, native.notes, where)  # JSON is YAML
    if "arrival" not in record:
        if "apps" in record:
            raise _no_trace(where, "this is an answer of the ResourceManager, not a trace", _FORMS)
        for key, what, hint in _OTHERS:
            if key in record:
                raise _no_trace(where, f"this is {what}, which is not read", hint)
    return Json(stream, native, native.notes, by_line=by_line)


def _first_object(stream: IO[bytes]) -> dict[str, Any] | None:
    """Returns the first object, None where it cannot be read: then its own line says best what is wrong."""
    try:
        frame = next(objects(stream), None)
        found = read_json(frame.data, Notes("")) if frame else None
    except Bad:
        return None
    return found if isinstance(found, dict) else None


def _yaml(stream: IO[bytes], native: Native, notes: Notes, where: str) -> Format:
    from fairsim.traces.yamlform import Yaml

    return Yaml(stream, native, notes, where)
