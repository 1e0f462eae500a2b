"""`fairsim place --batch`: many submissions, read, answered and written as they come."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING

from fairsim.cli import exits
from fairsim.cli.reading import STDIN, claim_standard_input
from fairsim.config.batch_rows import BadRow, Rows
from fairsim.diag import Pos
from fairsim.errors import InputError, UsageError
from fairsim.placement.rules import User
from fairsim.placement.submission import PLACED, Submission
from fairsim.report import place_rows

if TYPE_CHECKING:
    from fairsim.cli.output import Output
    from fairsim.cli.place_answer import Desk

CHUNK = 1 << 20  # bytes that are read at once
MOST_KEPT = 50_000  # answers
BOM = b"\xef\xbb\xbf"
SKIPPED = ("", "")

#: The text of an answer and its outcome.
Answer = tuple[str, str]


class Answers(dict[str, Answer]):
    """The answers by line: a workload has the same users and queues again and again.

    `shared` are those by groups and queue, where neither a rule nor a list looks at the name of the user. With
    `stateful` a queue that comes into being may change any answer, so they are all forgotten then.
    """

    def __init__(self, desk: Desk, rows: Rows, written: place_rows.Rows, stateful: bool):
        super().__init__()
        self.read, self.row, self.tail = rows.read, written.row, written.tail
        self.submit, self.groups, self.am = desk.placement.submit, desk.groups.of, desk.am
        self.policy = desk.placement.policy
        self.stateful = stateful
        self.shared: dict[tuple[Sequence[str] | None, str | None], Answer] = {}
        lists = desk.placement.access.table.values()
        self.listed = frozenset(user for pair in lists for entry in pair.values() for user in entry.users)

    def __missing__(self, line: str) -> Answer:
        row = self.read(line)
        if row is None:
            return SKIPPED
        user, told, queue = row
        groups = self.groups(user) if isinstance(told, bool) else told
        listed = user in self.listed
        shared = None if listed else self.shared.get((groups, queue))
        if shared is None:
            landing = self.submit(Submission(User(user, groups), queue, self.am), keep=self.stateful)
            shared = self.tail(landing), landing.outcome
            if self.stateful and landing.made:
                self.clear()
                self.shared.clear()
                return self.row(user, told, groups, queue, shared[0]), shared[1]
            if not listed and not self.policy.personal:
                if len(self.shared) >= MOST_KEPT:
                    self.shared.clear()
                self.shared[groups, queue] = shared
        answer = self.row(user, told, groups, queue, shared[0]), shared[1]
        if len(self) >= MOST_KEPT:
            self.clear()
        self[line] = answer
        return answer


def run_batch(desk: Desk, path: str, *, stateful: bool) -> int:
    """Writes an answer for each line of the file, says how many there were, and returns the exit code."""
    out = desk.out
    written = place_rows.Rows(desk.placement, out.format)
    counts: Counter[str] = Counter()
    out.inputs.append(path)
    with _opened(path, out) as stream, out.target() as write:
        name = "<stdin>" if path == STDIN else path
        chunks = _chunks(stream, name)
        first = next(chunks, [])
        with _placed(name, lambda _: 1):
            rows = Rows(path, first[0] if first else "")
        write(written.head)
        answers = Answers(desk, rows, written, stateful)
        empty = True
        if rows.has_head:
            first[0] = ""
        for texts in _answered(answers, chain([first], chunks), counts, name):
            if written.between and texts and not empty:
                write(written.between)
            write(written.between.join(texts))
            if path == STDIN and out.path is None:
                sys.stdout.flush()
            empty = empty and not texts
        write(written.end(counts))
    told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items(), key=_placed_first))
    total = sum(counts.values())
    out.say(f"{total} submission{'s' * (total != 1)}{': ' * bool(told)}{told}")
    return exits.ANSWERED if counts[PLACED] == total else exits.NO


def _placed_first(item: tuple[str, int]) -> tuple[bool, str]:
    return item[0] != PLACED, item[0]


def _chunks(stream: IO[bytes], name: str) -> Iterator[list[str]]:
    """Yields the lines without their ends, many at once. Raises InputError for bytes that are not UTF-8."""
    rest = b""
    done = 0
    read = getattr(stream, "read1", stream.read)  # of a pipe what is there
    data = read(CHUNK).removeprefix(BOM)
    while data:
        whole, end, rest = (rest + data).rpartition(b"\n")
        if end:
            lines = _decoded(whole, done, name)
            done += len(lines)
            yield lines
        elif len(rest) > CHUNK:
            pos = Pos(done + 1, 1)
            raise InputError("the line is longer than 1 MB", where=name, pos=pos, hint="write one submission a line")
        data = read(CHUNK)
    if rest:
        yield _decoded(rest, done, name)


def _decoded(data: bytes, done: int, name: str) -> list[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = done + data.count(b"\n", 0, error.start) + 1
        raise InputError("the line is not UTF-8", where=name, pos=Pos(line, 1), hint="save the file as UTF-8") from None
    return (text.replace("\r\n", "\n").removesuffix("\r") if "\r" in text else text).split("\n")


def _answered(
    answers: Answers, chunks: Iterable[list[str]], counts: Counter[str], name: str
) -> Iterator[list[str]]:
    done = 0
    for lines in chunks:
        with _placed(name, lambda line, lines=lines, done=done: done + lines.index(line) + 1):  # type: ignore[misc]
            found = list(map(answers.__getitem__, lines))
        done += len(lines)
        counts.update([outcome for _, outcome in found])
        del counts[""]
        yield [text for text, _ in found if text]


@contextmanager
def _placed(name: str, number: Callable[[str], int]) -> Iterator[None]:
    """Gives the error of a line its place."""
    try:
        yield
    except BadRow as bad:
        error = bad.error
        raise InputError(error.message, where=name, pos=Pos(number(bad.line), 1), hint=error.hint) from None


@contextmanager
def _opened(path: str, out: Output) -> Iterator[IO[bytes]]:
    if path == STDIN:
        claim_standard_input(out)
        if sys.stdin is None:
            raise UsageError("standard input is closed", hint="name a file instead of -")
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115 - closed below, whose errors are not about opening
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", where=path) from None
    with stream:
        yield stream
