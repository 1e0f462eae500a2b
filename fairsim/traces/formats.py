"""The forms in which a native trace is written, behind one interface; JSON here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, Protocol

from fairsim.model.cluster import Node
from fairsim.traces.faults import VALUE, Bad, Notes
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
                    read_head(self.native, record, self.notes)
                except BadHead as failed:
                    find_field(data, failed.bad)
                    raise
                return None
        try:
            return self.native.app(record, label)
        except Bad as bad:
            find_field(data, bad)
            raise


def read_head(native: Native, record: dict[str, Any], notes: Notes) -> None:
    """Takes what stands above the applications: version and defaults. Raises BadHead."""
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
