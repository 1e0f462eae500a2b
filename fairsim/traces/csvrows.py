"""A native trace as CSV: a row for each stage, a first line that names the columns."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import IO, Any

from fairsim.traces.faults import NO_ARRIVAL, PARSE, VALUE, Bad, Notes
from fairsim.traces.files import MOST_BYTES, Frame, decoded, lines, too_long
from fairsim.traces.formats import InFile
from fairsim.traces.native import APP_KEYS, STAGE_KEYS, Entry, Native

_STAGE_COLUMNS = {
    {"name": "stage", "priority": "", "label": "stage_label"}.get(key, key): key
    for key in STAGE_KEYS
    if key not in ("durations", "priority")
}
_APP_COLUMNS = tuple(key for key in APP_KEYS if key not in ("stages", "repeat"))
COLUMNS = (*_APP_COLUMNS, *_STAGE_COLUMNS)


class Csv(InFile):
    """A row for each stage, rows of one application below each other; a first line names the columns."""

    def __init__(self, stream: IO[bytes], native: Native, notes: Notes):
        super().__init__(stream)
        self.native = native
        self.notes = notes
        self.mark = ","
        self.columns: list[str] = []

    def frames(self) -> Iterator[Frame]:
        rows = _rows(lines(self.stream))
        head = next(rows, None)
        if head is None:
            return
        self._head(head)
        id_at = self.columns.index("id") if "id" in self.columns else -1
        arrival_at = self.columns.index("arrival") if "arrival" in self.columns else -1
        held: list[Frame] = []
        name, size = "", 0
        for row in rows:
            try:
                cells = self._cells(row.data)
            except Bad:
                cells = []
            own = cells[id_at].strip() if 0 <= id_at < len(cells) else ""
            fresh = own != name if own else 0 <= arrival_at < len(cells) and bool(cells[arrival_at].strip())
            if held and (fresh or not cells):
                yield _joined(held)
                held, size = [], 0
            if fresh or not held:
                name = own
            held.append(row)
            size += len(row.data)
            if size > MOST_BYTES:
                raise too_long(held[0].line)
        if held:
            yield _joined(held)

    def _head(self, row: Frame) -> None:
        if b"\t" in row.data and b"," not in row.data:
            self.mark = "\t"
        columns = [cell.strip() for cell in self._cells(row.data, 1000)]
        while columns and not columns[-1]:
            columns.pop()
        for key in columns:
            if columns.count(key) > 1:
                raise Bad(PARSE, f"the column {key!r:.60} stands there twice", "keep one of the two", line=row.line - 1)
        self.notes.line = row.line
        for key in columns:
            if key not in COLUMNS:
                self.notes.unknown(key, "the first line", COLUMNS)
        self.columns = columns

    def _cells(self, data: bytes, most: int | None = None) -> list[str]:
        written = decoded(data).rstrip("\r\n")
        if '"' in written:
            import csv  # most files have no quotes

            try:
                cells = next(csv.reader([written], delimiter=self.mark, strict=True))
            except csv.Error as error:
                raise Bad(PARSE, f"not CSV: {error}", "double a quote that stands inside quotes") from None
        else:
            cells = written.split(self.mark)
        most = most or len(self.columns)
        if len(cells) > most and any(cells[most:]):
            hint = "put commas inside a cell in quotes, or write ; instead: 2g;1c"
            raise Bad(PARSE, f"the row has {len(cells)} cells for {most} columns", hint)
        return cells

    def entry(self, data: bytes, label: str) -> Entry | None:
        record: dict[str, Any] = {}
        stages: list[dict[str, str]] = []
        places: list[int] = []
        for row in _rows(lines(io.BytesIO(data))):
            line = row.line - 1
            try:
                cells = self._cells(row.data)
                stage = self._sort_in(cells, record, first=not places and not record)
            except Bad as bad:
                bad.line += line
                raise
            if stage:
                stages.append(stage)
                places.append(line)
        record["stages"] = stages
        try:
            return self.native.app(record, label)
        except Bad as bad:
            if bad.code == NO_ARRIVAL:
                bad.hint = "write it in the first row; the rows of one application stand below each other"
            if bad.stage is not None:
                bad.line = places[bad.stage]
                bad.field = {"name": "stage", "label": "stage_label"}.get(bad.field, bad.field)
                bad.stage = None
            raise

    def _sort_in(self, cells: Sequence[str], record: dict[str, Any], *, first: bool) -> dict[str, str]:
        """Puts the cells of the application into its record, and returns those of the stage by its keys."""
        stage = {}
        for column, cell in zip(self.columns, cells, strict=False):
            value = cell.strip()
            if not value:
                continue
            if column in _STAGE_COLUMNS:
                stage[_STAGE_COLUMNS[column]] = value
            elif first:
                if column in _APP_COLUMNS:
                    record[column] = value
            elif column in _APP_COLUMNS and record.get(column) != value:
                reason = f"the first row of the application says {record.get(column, '')!r:.60}"
                raise Bad(VALUE, reason, "write it in the first row only", field=column, value=value)
        return stage


def _joined(rows: Sequence[Frame]) -> Frame:
    """One frame of several; lines that were left out between them are empty ones."""
    if len(rows) == 1:
        return rows[0]
    pieces, line = [], rows[0].line
    for row in rows:
        pieces += [b"\n" * (row.line - line), row.data]
        line = row.line + row.data.count(b"\n")
    return Frame(rows[0].start, rows[-1].end, rows[0].line, b"".join(pieces))


def _rows(physical: Iterator[Frame]) -> Iterator[Frame]:
    """Yields rows; one with an open quote goes on in the next line."""
    for row in physical:
        if row.data.count(b'"') % 2:
            pieces = [row]
            size = len(row.data)
            for more in physical:
                pieces.append(more)
                size += len(more.data)
                if more.data.count(b'"') % 2 or size > MOST_BYTES:
                    break
            yield _joined(pieces)
        else:
            yield row


def looks_like_csv(begin: bytes) -> bool:
    """Returns whether the first line that says something names columns of a trace."""
    line = next((one for one in begin.splitlines() if one.strip() and not one.startswith(b"#")), b"")
    cells = [cell.strip(b' "') for cell in line.replace(b"\t", b",").split(b",")]
    return len(cells) > 1 and (b"arrival" in cells or sum(cell.decode("latin-1") in COLUMNS for cell in cells) > 2)
