"""Native traces in YAML, which is loaded only for these."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from fairsim.config.yamlio import MAX_BYTES, Map, Seq, Value, plain, read_yaml
from fairsim.errors import InputError
from fairsim.model.cluster import Node
from fairsim.traces.faults import PARSE, Bad, Notes
from fairsim.traces.files import Frame
from fairsim.traces.formats import BadHead, read_head
from fairsim.traces.native import Entry, Native


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
                read_head(self.native, head, self.notes)
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
