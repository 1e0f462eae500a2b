"""Opens a trace: checks every record once, and gives the applications in order of their arrival.

Of each application only its arrival and its place in the file are kept (about 45 bytes); the records themselves are
read again when they are due.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from heapq import heappop, heappush, heapreplace
from itertools import repeat as repeated
from typing import IO, Self

from fairsim.diag import Pos
from fairsim.errors import InputError
from fairsim.model.cluster import Node
from fairsim.model.resources import ResourceTypes
from fairsim.model.workload import AppSpec, Dist
from fairsim.traces.dists import const_ms
from fairsim.traces.faults import KINDS, TIME, TWICE, VALUE, Bad, Notes
from fairsim.traces.files import Frame, open_file
from fairsim.traces.formats import BadHead, Format
from fairsim.traces.ids import Ids
from fairsim.traces.native import Entry, Repeat
from fairsim.traces.recognise import format_of
from fairsim.traces.values import MOST_MS

#: Draws the times in ms between the runs of a repeated application: by its id, the distribution, and how many.
Gaps = Callable[[str, Dist, int], Iterator[int]]


def open_trace(
    path: str,
    types: ResourceTypes,
    *,
    gaps: Gaps | None = None,
    stdin: IO[bytes] | None = None,
    strict: bool = False,
    skip_bad: int = 0,
) -> Trace:
    """Returns the trace of a file, checked to its end; `-` is `stdin`. Files that gzip packed are unpacked.

    `gaps` draws what `repeat` says with a distribution. `strict` makes unknown keys errors; `skip_bad` records may be
    wrong and are left out. Raises InputError with file and line, code, record, field, value, and what to write instead.
    """
    stream, name = open_file(path, stdin)
    try:
        return Trace(stream, name, types, gaps, Notes(name, strict=strict), skip_bad)
    except BaseException:
        stream.close()
        raise


class Trace:
    """A workload. Times count from the first arrival where the file has dates, else from 0.

    kind: native or sls. count: applications, repeated ones as often as they come. containers: of all their stages.
    end_ms: the last arrival. first_ms: what time 0 is, in ms since 1970; None where the file has no dates. nodes: those
    that the trace tells, None for none. groupless: applications whose groups nobody tells. warnings, skipped: remarks,
    and the records that were left out, each with its place.
    """

    def __init__(
        self, stream: IO[bytes], where: str, types: ResourceTypes, gaps: Gaps | None, notes: Notes, skip_bad: int
    ):
        self.where = where
        self.count = self.containers = self.end_ms = self.groupless = 0
        self.first_ms: int | None = None
        self._stream = stream
        self._gaps = gaps
        self._notes = notes
        self._left = skip_bad
        self._skipped: list[str] = []
        self._arrivals, self._starts, self._ends = array("q"), array("q"), array("q")
        self._ids = Ids(self._has_id)
        self._dated: bool | None = None
        self._sorted = True
        self._marked = array("q")  # applications whose id looks like that of a copy
        self._format: Format = format_of(stream, where, types, notes)
        self.kind = self._format.kind
        self._read_all()
        notes.line = 0
        self.nodes: tuple[Node, ...] | None = self._format.nodes()
        if not self.count:
            notes.tell("W104 the trace has no applications")
        self.warnings = notes.texts()
        self.skipped = tuple(self._skipped)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()

    # -- the first time: check and count

    def _read_all(self) -> None:
        number = 0
        line = 1
        try:
            for frame in self._format.frames():
                number += 1
                line = self._notes.line = frame.line
                try:
                    entry = self._format.entry(frame.data, f"app{len(self._starts) + 1:06d}")
                    if entry is None:
                        number -= 1
                    else:
                        self._admit(entry, frame)
                except Bad as bad:
                    self._skip(self._error(bad, line, number))
        except BadHead as failed:
            raise self._error(failed.bad, line, 0) from None
        except Bad as bad:  # where the next record begins cannot be told
            raise self._error(bad, 1, 0) from None
        self._check_copies()
        if self._dated and self._arrivals:
            self.first_ms = min(self._arrivals)
            self.end_ms -= self.first_ms

    def _admit(self, entry: Entry, frame: Frame) -> None:
        app, repeat = entry.app, entry.repeat
        if self._dated not in (None, entry.dated):
            kinds = ("dates", "times from the start")
            reason = f"the records before have {kinds[entry.dated]}, this one {kinds[not entry.dated]}"
            raise Bad(KINDS, reason, "write the same kind in all records", field="arrival")
        earlier = self._ids.find(app.id)
        if earlier >= 0:
            at = self._stream.tell()
            line = self._format.line_of(self._starts[earlier])
            self._stream.seek(at)
            raise self._taken(app.id, f"an application in line {line} has this id")
        times, last = 1, app.arrival_ms
        if repeat is not None:
            times = repeat.times
            last += self._span(app.id, repeat)
            if last - app.arrival_ms > MOST_MS:
                raise Bad(TIME, "the last run comes too late", f"at most {MOST_MS // 86_400_000} days are read",
                          field="repeat")  # fmt: skip
        if self._arrivals and app.arrival_ms < self._arrivals[-1]:
            self._sorted = False
        if "#" in app.id and app.id.rpartition("#")[2].isdecimal():
            self._marked.append(len(self._starts))
        self._dated = entry.dated
        self._ids.add(app.id)
        self._arrivals.append(app.arrival_ms)
        self._starts.append(frame.start)
        self._ends.append(frame.end)
        self.end_ms = max(self.end_ms, last) if self.count else last
        self.count += times
        self.groupless += times * (app.groups is None)
        self.containers += times * sum([stage.containers for stage in app.stages])

    def _taken(self, name: str, reason: str) -> Bad:
        hint = "give each its own; in CSV the rows of one application stand below each other"
        return Bad(TWICE, reason, hint, field="id", value=name)

    def _check_copies(self) -> None:
        """Refuses an id that a copy of a repeated application has."""
        for index in self._marked:
            entry = self._entry(index)
            base, _, digits = entry.app.id.rpartition("#")
            earlier = self._ids.find(base)
            repeat = self._entry(earlier).repeat if earlier >= 0 else None
            if repeat is not None and digits == str(int(digits)) and 2 <= int(digits) <= repeat.times:
                line = self._format.line_of(self._starts[index])
                bad = self._taken(entry.app.id, f"run {digits} of {base!r:.60} has this id")
                raise self._error(bad, line, 0)

    def _has_id(self, index: int, name: str) -> bool:
        at = self._stream.tell()
        found = self._entry(index).app.id == name
        self._stream.seek(at)
        return found

    def _error(self, bad: Bad, line: int, number: int) -> InputError:
        return InputError(
            bad.text(number), where=self.where, pos=Pos(line + bad.line, bad.column), hint=bad.hint or None
        )

    def _skip(self, error: InputError) -> None:
        if self._left <= 0:
            raise error from None
        self._left -= 1
        line = error.pos.line if error.pos else 0
        self._skipped.append(f"{self.where}:{line}: {error.message}")

    # -- the second time: in order of arrival

    def apps(self) -> Iterator[AppSpec]:
        """Yields the applications in order of arrival, those that arrive together in the order of the file."""
        first = self.first_ms or 0
        due: list[_Due] = []
        for index in self._order():
            here = self._arrivals[index] - first
            while due and due[0][:2] < (here, index):
                yield _next_run(due)
            entry = self._entry(index)
            app = entry.app._replace(arrival_ms=here) if first else entry.app
            yield app
            if entry.repeat is not None:
                runs = _runs(app, self._between(app.id, entry.repeat))
                run = next(runs, None)
                if run is not None:
                    heappush(due, (run.arrival_ms, index, run, runs))
        while due:
            yield _next_run(due)

    def _order(self) -> Iterator[int]:
        numbers = range(len(self._arrivals))
        return iter(numbers if self._sorted else array("q", sorted(numbers, key=self._arrivals.__getitem__)))

    def _entry(self, index: int) -> Entry:
        data = self._format.again(self._starts[index], self._ends[index])
        try:
            entry = self._format.entry(data, f"app{index + 1:06d}")
        except Bad:
            entry = None
        if entry is None or entry.app.arrival_ms != self._arrivals[index]:
            raise InputError("the file was changed while fairsim read it", where=self.where, hint="start again")
        return entry

    # -- what comes again

    def _span(self, name: str, repeat: Repeat) -> int:
        """Returns the ms from the first run to the last."""
        gap = const_ms(repeat.every)
        return gap * (repeat.times - 1) if gap is not None else sum(self._between(name, repeat))

    def _between(self, name: str, repeat: Repeat) -> Iterator[int]:
        gap = const_ms(repeat.every)
        if gap is not None:
            return repeated(gap, repeat.times - 1)
        if self._gaps is None:
            hint = "write a time such as 10m, or give a seed"
            reason = "the times between runs are drawn by lot, and nothing draws them"
            raise Bad(VALUE, reason, hint, field="repeat.every")
        return self._gaps(name, repeat.every, repeat.times - 1)


#: A run to come: its arrival, the number of the application, the run itself, and those after it.
_Due = tuple[int, int, AppSpec, Iterator[AppSpec]]


def _runs(app: AppSpec, gaps: Iterator[int]) -> Iterator[AppSpec]:
    arrival = app.arrival_ms
    for number, gap in enumerate(gaps, 2):
        arrival += gap
        yield app._replace(id=f"{app.id}#{number}", arrival_ms=arrival)


def _next_run(due: list[_Due]) -> AppSpec:
    """Takes the run that is due first out of the heap, and puts the one after it in."""
    _, index, run, runs = due[0]
    after = next(runs, None)
    if after is None:
        heappop(due)
    else:
        heapreplace(due, (after.arrival_ms, index, after, runs))
    return run
