"""Findings as text and as mappings: the place, the line of the source with a caret, what Hadoop does, what to write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsim.diag import Finding, Pos
from fairsim.report.cells import display_width, escape, wrap
from fairsim.report.style import PLAIN, Style

WIDTH = 120  # columns that findings take where no terminal says otherwise
MIN_SOURCE = 40  # columns of source that are shown on any terminal
TAB = " " * 4
CUT = "…"
MORE = "    = "


def place(where: str, pos: Pos | None) -> str:
    """Returns `name:line:column`, or the name alone."""
    return f"{escape(where)}:{pos.line}:{pos.column}" if pos else escape(where)


def finding_text(
    finding: Finding,
    where: str,
    source: Sequence[str] = (),
    hadoop: str = "",
    style: Style = PLAIN,
    width: int | None = None,
) -> str:
    """Returns a finding as text that ends in a line break.

    `where` names the input, `source` are its lines (empty when there are none to show), `hadoop` is the version
    that `finding.effect` holds for.
    """
    width = width or WIDTH
    severity = style.paint(finding.severity, finding.severity)
    head = f"{style.paint('title', place(where, finding.pos))}: {severity} {finding.code} {finding.name}"
    shown = snippet(finding.pos, source, finding.message, style, width)
    lines = [head, *shown] if shown else [f"{head}: {escape(finding.message)}"]
    if finding.other:
        remark = "the other place"
        lines += snippet(finding.other, source, remark, style, width) or [
            f"{MORE}{remark}: {place(where, finding.other)}"
        ]
    says_who = not hadoop or finding.effect.startswith("Hadoop")
    lines += _more(finding.effect if says_who or not finding.effect else f"Hadoop {hadoop}: {finding.effect}", width)
    lines += _more(finding.hint, width)
    return "\n".join([*lines, ""])


def finding_record(finding: Finding, where: str) -> dict[str, Any]:
    """Returns a finding as a mapping for JSON: lines and columns from 1, null where there is no place."""
    other = finding.other
    return {
        "file": where,
        "line": finding.pos.line if finding.pos else None,
        "column": finding.pos.column if finding.pos else None,
        "severity": finding.severity,
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "effect": finding.effect or None,
        "hint": finding.hint or None,
        "refuses": finding.refuses,
        "other": {"line": other.line, "column": other.column} if other else None,
    }


def end_of(pos: Pos, source: Sequence[str]) -> Pos:
    """Returns where the tag or word at a place ends: line, and the column behind its last character."""
    if not 1 <= pos.line <= len(source):
        return pos
    line, start = source[pos.line - 1], pos.column - 1
    if line[start : start + 1] != "<" or line.startswith("<!", start):
        return Pos(pos.line, pos.column + max(_token_size(line, min(start, len(line))), 1))
    quote = ""
    for number in range(pos.line - 1, len(source)):
        for at in range(start if number == pos.line - 1 else 0, len(source[number])):
            letter = source[number][at]
            if quote:
                quote = "" if letter == quote else quote
            elif letter in "\"'":
                quote = letter
            elif letter == ">":
                return Pos(number + 1, at + 2)
    return Pos(pos.line, pos.column + 1)


def snippet(
    pos: Pos | None,
    source: Sequence[str],
    remark: str = "",
    style: Style = PLAIN,
    width: int | None = None,
    *,
    numbered: bool = True,
) -> list[str]:
    """Returns the source line and the carets below it with a remark; nothing when the line is not at hand.

    A long line is cut on both sides of the carets, tabs become four blanks, what does not print is escaped.
    """
    if pos is None or not 1 <= pos.line <= len(source):
        return []
    gutter = f" {pos.line:>2} | " if numbered else "    "
    below = " " * (len(gutter) - 2) + ("| " if numbered else "  ")
    line = source[pos.line - 1]
    start = min(max(pos.column - 1, 0), len(line))
    room = max((width or WIDTH) - len(gutter), MIN_SOURCE)
    before, marked, after = _clipped(line, start, _token_size(line, start), room)
    carets = " " * display_width(before) + style.paint("caret", "^" * max(display_width(marked), 1))
    lines = [f"{gutter}{before}{marked}{after}".rstrip(), below + carets]
    if remark:
        remark = escape(remark)
        used = display_width(before) + display_width(marked) + 1
        if used + display_width(remark) <= room:
            lines[1] += f" {style.paint('caret', remark)}"
        else:
            lines += _more(remark, width)
    return lines


def _more(text: str, width: int | None) -> list[str]:
    """A remark on lines of its own, nothing for an empty text."""
    if not text:
        return []
    text = escape(text)
    room = max((width or WIDTH) - len(MORE), MIN_SOURCE)
    first, *others = [text] if display_width(text) <= room else wrap(text, room)
    return [MORE + first, *[" " * len(MORE) + other for other in others]]


def _token_size(line: str, start: int) -> int:
    """How many characters of the line the carets stand under: the start of a tag, or a word."""
    end = start + 1
    if line[start : start + 1] == "<":
        while end < len(line) and line[end] not in " \t<>":
            end += 1
        return end - start + (line[end : end + 1] == ">")
    if line[start : start + 1].isspace():
        return 1
    while end < len(line) and not line[end].isspace() and line[end] not in "<>\"',;+":
        end += 1
    return end - start


def _clipped(line: str, start: int, size: int, room: int) -> tuple[str, str, str]:
    """The parts of the line before, under and after the carets, printable and together no wider than `room`."""
    marked = _fitting(line[start : start + size], room - 2 * len(CUT))
    left = room - max(display_width(marked), 1)
    before = _printable(line[max(0, start - room) : start])
    after = _printable(line[start + size : start + size + room])
    if display_width(before) + display_width(after) > left or start > room:
        behind = min(display_width(after), left // 3)
        if display_width(before) > left - behind or start > room:
            before = CUT + _end(before, left - behind - len(CUT))
        rest = left - display_width(before)
        if display_width(after) > rest:
            after = _fitting(after, rest)
    return before, marked, after


def _printable(text: str) -> str:
    return escape(text.replace("\t", TAB))


def _fitting(text: str, room: int) -> str:
    """The beginning of a text in at most `room` columns, the cut marked."""
    text = _printable(text[: room + 1])
    if display_width(text) <= room:
        return text
    while display_width(text) > room - len(CUT):
        text = text[:-1]
    return text + CUT


def _end(text: str, room: int) -> str:
    """The end of a printable text in at most `room` columns."""
    while display_width(text) > room:
        text = text[1:]
    return text
