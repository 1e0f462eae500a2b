"""The forms in which a native trace is written, behind one interface: JSON and YAML here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, Protocol

from fairsim.config.yamlio import MAX_BYTES, Map, Seq, Value, plain, read_yaml
from fairsim.errors import InputError
from fairsim.model.cluster import Node
from fairsim.traces.faults import PARSE, VALUE, Bad, Notes
from fairsim.traces.files import CHUNK, Frame, find_field, lines, objects, read_json
from fairsim.traces.native import Entry, Native


class Format(Protocol):
    """Reads the records of a file: `frames` finds them, `entry` reads one, `again` fetches the text of a frame."""

    kind: str

    def frames(self) -> Iterator[Frame]:
        """Yields the records from the place on where the file is."""

    def entry(self, data: Any, label: str) -> Entry | None:
        """Returns the application of a record, None for a record that is none. Raises Bad."""

    def again(self, start: int, end: int) -> Any:
        """Returns the data of the frame with these bounds."""

    def line_of(self, start: int) -> int:
        """Returns the line of the frame that begins there."""

    def nodes(self) -> tuple[Node, ...] | None:
        """Returns the nodes that the trace tells, once all frames are read; None for none."""


class InFile:
    """What formats have in common whose records are pieces of the file."""

    kind = "native"

    def __init__(self, stream: IO[bytes]):
        self.stream = stream

    def again(self, start: int, end: int) -> bytes:
        self.stream.seek(start)
        return self.stream.read(end - start)

    def line_of(self, start: int) -> int:
        self.stream.seek(0)
        line = 1
        while start:
            data = self.stream.read(min(start, CHUNK))
            line += data.count(b"\n")
            start -= len(data)
        return line

    def nodes(self) -> tuple[Node, ...] | None:
        return None


class Json(InFile):
    """An application a line, or JSON objects of any shape; the first may be {"version": 1, "defaults": {...}}."""

    def __init__(self, stream: IO[bytes], native: Native, notes: Notes, *, by_line: bool):
        super().__init__(stream)
        self.native = native
        self.notes = notes
        self._find = lines if by_line else objects
        self._first = True

    def frames(self) -> Iterator[Frame]:
        return self._find(self.stream)

    def entry(self, data: bytes, label: str) -> Entry | None:
        record = read_json(data, self.notes)
        if self._first:
            self._first = False
            if isinstance(record, dict) and "arrival" not in record and ("version" in record or "defaults" in record):
                try:
                    _head(self.native, record, self.notes)
                except BadHead as failed:
                    find_field(data, failed.bad)
                    raise
                return None
        try:
            return self.native.app(record, label)
        except Bad as bad:
            find_field(data, bad)
            raise


def _head(native: Native, record: dict[str, Any], notes: Notes) -> None:
    for key in record:
        if key not in ("version", "defaults", "apps"):
            notes.unknown(key, "the head of the trace", ("version", "defaults", "apps"))
    if str(record.get("version", 1)) != "1":
        raise BadHead(Bad(VALUE, "this version is not known", "write version: 1", field="version",
                          value=record["version"]))  # fmt: skip
    if record.get("defaults") is not None:
        try:
            native.set_defaults(record["defaults"])
        except Bad as bad:
            raise BadHead(bad) from None


class BadHead(Exception):
    """What is wrong with what all records rest on: no other record can be read."""

    def __init__(self, bad: Bad):
        super().__init__(bad.reason)
        self.bad = bad


class Yaml:
    """A map with version, defaults and apps, read whole."""

    kind = "native"

    def __init__(self, stream: IO[bytes], native: Native, notes: Notes, where: str):
        self.stream = stream
        self.native = native
        self.notes = notes
        self.where = where
        self._apps: tuple[Value, ...] = ()

    def frames(self) -> Iterator[Frame]:
        try:
            data = self.stream.read(MAX_BYTES + 1)
            if data.lstrip().startswith(b"{"):
                data = data.replace(b"\t", b" ")  # JSON may be indented with tabs, YAML may not
            root = read_yaml(data, self.where)
        except InputError as error:
            hint = error.hint or ("write a large trace as JSON lines" if "at most" in error.message else None)
            raise InputError(f"{PARSE} {error.message}", where=error.where, pos=error.pos, hint=hint) from None
        apps: Value | None = root
        if isinstance(root, Map):
            head = plain(root)
            assert isinstance(head, dict)
            try:
                _head(self.native, head, self.notes)
            except BadHead as failed:
                _find(root, failed.bad, 1)
                raise
            apps = next((value for key, value in root.items if key.text == "apps"), None)
        if not isinstance(apps, Seq):
            pos = (apps or root).pos
            raise InputError(f"{PARSE} the trace has no list of apps", where=self.where, pos=pos,
                             hint="write apps: [{arrival: 0, stages: [{duration: 30}]}]")  # fmt: skip
        self._apps = apps.items
        for index, value in enumerate(self._apps):
            yield Frame(index, index + 1, value.pos.line, value)

    def entry(self, data: Value, label: str) -> Entry | None:
        try:
            return self.native.app(plain(data), label)
        except Bad as bad:
            _find(data, bad, data.pos.line)
            raise

    def again(self, start: int, end: int) -> Value:
        return self._apps[start:end][0]

    def line_of(self, start: int) -> int:
        return self._apps[start].pos.line

    def nodes(self) -> tuple[Node, ...] | None:
        return None


def _find(value: Value, bad: Bad, first_line: int) -> None:
    """Gives Bad the place of its field."""
    if bad.stage is not None:
        stages = _inside(value, "stages")
        value = stages.items[bad.stage] if isinstance(stages, Seq) else value
    for key in bad.field.split(".") if bad.field else ():
        value = _inside(value, key)
    bad.line, bad.column = value.pos.line - first_line, value.pos.column


def _inside(value: Value, key: str) -> Value:
    pairs = value.items if isinstance(value, Map) else ()
    return next((inner for name, inner in pairs if name.text == key), value)
