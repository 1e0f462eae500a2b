"""The file of a trace, opened so that it can be read twice; and its text, record by record."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from fairsim.diag import Pos
from fairsim.errors import InputError, UsageError
from fairsim.traces.faults import PARSE, UNKNOWN, Bad, Notes

if TYPE_CHECKING:
    from gzip import GzipFile

STDIN = "-"
CHUNK = 1 << 20
MOST_BYTES = 64 << 20  # of one record
BOM = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
_PACKED = ((b"PK\x03\x04", "zip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"))
_WIDE = (b"\xff\xfe", b"\xfe\xff")

# A string that is not closed ends with its line: what is wrong is found out when the object is read.
_TOKEN = re.compile(rb'"(?:[^"\\\n]++|\\.)*+("?)|//[^\n]*+|[{}\[\]]', re.DOTALL)
_OPEN, _OPEN_LIST, _CLOSE_LIST = b"{[]"
_BETWEEN = re.compile(rb"[\s,]*+")
_TIDY = re.compile(r'("(?:[^"\\\n]++|\\.)*+"?)|//[^\n]*+|,(?=(?:\s|//[^\n]*+\n)*+[}\]])', re.DOTALL)


class Frame(NamedTuple):
    """A record that is not read yet: where it begins and ends in the file, its first line, its text."""

    start: int
    end: int
    line: int
    data: Any


def open_file(path: str, stdin: IO[bytes] | None) -> tuple[IO[bytes], str]:
    """Returns the file, ready to be read more than once, and its name for messages.

    Standard input and what gzip packed go to a temporary file first. Raises InputError.
    """
    if not path.strip():
        raise UsageError("the name of a file is empty", hint="name the file, or - for standard input")
    if path == STDIN and stdin is None:
        raise UsageError("standard input is closed", hint="name a file instead of -")
    name = "<stdin>" if path == STDIN else path
    try:
        if path == STDIN and stdin is not None:
            stream = _copied(stdin)
        else:
            stream = open(path, "rb")  # noqa: SIM115 - the trace closes it
            if not stream.seekable():
                stream = _copied(stream)
        return _unpacked(stream, name), name
    except InputError:
        stream.close()
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", where=name) from None


def _copied(source: IO[bytes] | GzipFile) -> IO[bytes]:
    target = tempfile.TemporaryFile()  # noqa: SIM115 - the trace closes it
    try:
        shutil.copyfileobj(source, target, CHUNK)
    except BaseException:
        target.close()
        raise
    target.seek(0)
    return target


def _unpacked(stream: IO[bytes], name: str) -> IO[bytes]:
    begin = stream.read(8)
    stream.seek(0)
    if begin.startswith(GZIP):
        import gzip
        import zlib

        try:
            with stream, gzip.GzipFile(fileobj=stream) as packed:
                return _unpacked(_copied(packed), name)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            message = f"{PARSE} the file cannot be unpacked (gzip): {error}"
            raise InputError(message, where=name, hint="is it whole?") from None
    for magic, kind in _PACKED:
        if begin.startswith(magic):
            raise InputError(f"{PARSE} the file is compressed ({kind})", where=name, hint="unpack it, or use gzip")
    if begin.startswith(_WIDE):
        raise InputError(f"{PARSE} the file is UTF-16", where=name, pos=Pos(1, 1), hint="save it as UTF-8")
    if begin.startswith(BOM):
        stream.seek(len(BOM))
    return stream


def decoded(data: bytes) -> str:
    """Returns the text of a record. Raises Bad for bytes that are not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start)
        if b"\0" in data:
            raise Bad(PARSE, "the file is binary, not text", "a trace is JSON, YAML or CSV", line=line) from None
        raise Bad(PARSE, "the text is not UTF-8", "save the file as UTF-8", line=line) from None


def lines(stream: IO[bytes], number: int = 0) -> Iterator[Frame]:
    """Yields the lines from here on that hold something; `number` lines are before them. `#` begins a remark."""
    start = stream.tell()
    while line := stream.readline(MOST_BYTES + 1):
        number += 1
        if len(line) > MOST_BYTES:
            raise too_long(number)
        end = start + len(line)
        if not line.isspace() and not line.startswith((b"#", b"//")):
            yield Frame(start, end, number, line)
        start = end


def too_long(line: int) -> Bad:
    """Returns what is wrong with the record that begins in this line of the file."""
    hint = "write one application in each record, and equal containers as one stage"
    return Bad(PARSE, f"a record is longer than {MOST_BYTES >> 20} MB", hint, line=line - 1)


def objects(stream: IO[bytes]) -> Iterator[Frame]:
    """Yields the JSON objects from here on: one behind the other, in lists, or with commas between them.

    Raises Bad for what stands between them and is no object.
    """
    base, rest, more = stream.tell(), b"", True
    line = 1  # of the place `begin`, where the open object begins, or where to look for one
    begin = at = depth = lists = 0
    while more:
        data = stream.read(max(CHUNK, len(rest)))
        more = bool(data)
        rest += data
        for token in _TOKEN.finditer(rest, at):
            start, end = token.span()
            mark = rest[start]
            if more and end == len(rest) and mark in b'"/':
                break  # it may go on
            if depth == 0:
                line = _next_line(rest, begin, start, line)
                begin = start
                if mark in b'"}' or (mark == _CLOSE_LIST and not lists):
                    raise _no_object(rest, start, line)
                lists += (mark == _OPEN_LIST) - (mark == _CLOSE_LIST)
            at = end
            if mark == _OPEN or (depth and mark == _OPEN_LIST):
                depth += 1
            elif depth and mark in b"}]":
                depth -= 1
                if depth:
                    continue
                yield Frame(base + begin, base + end, line, rest[begin:end])
            if depth == 0:
                line += rest.count(b"\n", begin, end)
                begin = end
        if depth == 0:
            end = begin if more else len(rest)
            line_at_end = _next_line(rest, begin, end, line)
            if lists and not more:
                raise Bad(PARSE, "the list is not closed", "is the file whole?", line=line_at_end - 1)
        elif not more:
            yield Frame(base + begin, base + len(rest), line, rest[begin:])
        if len(rest) - begin > MOST_BYTES:
            raise too_long(line)
        base, rest, at, begin = base + begin, rest[begin:], max(at - begin, 0), 0


def _next_line(data: bytes, begin: int, end: int, line: int) -> int:
    """Returns the line of `end`; nothing but blanks and commas may stand before it."""
    found = _BETWEEN.match(data, begin, end)
    if found is not None and found.end() < end:
        raise _no_object(data, found.end(), line + data.count(b"\n", begin, found.end()))
    return line + data.count(b"\n", begin, end)


def _no_object(data: bytes, at: int, line: int) -> Bad:
    word = data[at : at + 40].split(b"\n")[0].decode("utf-8", "replace")
    return Bad(PARSE, f"{word!r} stands between the objects", "each record is an object: {...}", line=line - 1)


def read_json(data: bytes, notes: Notes) -> Any:
    """Returns the value of a JSON text. Raises Bad, also for a key that is written twice.

    Remarks behind // and commas before a closing bracket are passed over, with a remark.
    """
    written = decoded(data)
    try:
        return _loads(written)
    except json.JSONDecodeError as error:
        tidy = _TIDY.sub(lambda match: match[1] or " " * len(match[0]), written)
        if tidy != written:
            try:
                found = _loads(tidy)
            except json.JSONDecodeError as again:
                raise _not_json(again) from None
            notes.tell("remarks (//) or commas before a closing bracket are not JSON: passed over")
            return found
        raise _not_json(error) from None


def find_field(data: bytes, bad: Bad) -> None:
    """Gives Bad the line and column of its field, when the text has it with the value that is refused."""
    key = bad.field.rpartition("].")[2].removeprefix("defaults.").removeprefix("repeat.")
    if not key or bad.line or bad.column > 1:
        return
    pattern = f"{re.escape(json.dumps(key, ensure_ascii=False))}\\s*:\\s*"
    if isinstance(bad.value, str | int | float):
        pattern += re.escape(json.dumps(bad.value, ensure_ascii=False))
    elif bad.code != UNKNOWN:
        return
    written = data.decode("utf-8", "replace")
    found = re.search(pattern, written)
    if found is not None:
        bad.line = written.count("\n", 0, found.start())
        bad.column = found.start() - written.rfind("\n", 0, found.start())


def _not_json(error: json.JSONDecodeError) -> Bad:
    reason = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
    hint = 'names and texts stand in double quotes, as in {"arrival": 0, "user": "fred"}'
    return Bad(PARSE, reason, hint, line=error.lineno - 1, column=error.colno)


def _loads(written: str) -> Any:
    try:
        return _DECODER.decode(written)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        hint = "a record is a map with a list of stages"
        raise Bad(PARSE, "lists and maps are nested too deeply", hint) from None
    except ValueError:  # more digits than int() takes
        raise Bad(PARSE, "a number has too many digits", "write numbers of seconds, MB and vcores") from None


def _pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    if len(found) < len(items):
        seen: set[str] = set()
        for key, _ in items:
            if key in seen:
                raise Bad(PARSE, f"the key {key!r:.60} is written twice", "keep one of the two")
            seen.add(key)
    return found


def _constant(name: str) -> Any:
    raise Bad(PARSE, f"not JSON: {name} is no number", "write a finite number")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
