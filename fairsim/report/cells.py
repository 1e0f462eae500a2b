"""Values to cell texts, a column at a time, and what texts look like on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairsim.report.table import Cell, Column

BETWEEN = "; "  # stands between several remarks in one cell


def shown(column: Column, values: Sequence[Cell]) -> Sequence[str]:
    """Returns the texts of a column for people: nothing rounded unless the column fixes its digits."""
    show = column.show
    if show is not None:
        return visible(_around_none(values, column.none, lambda some: list(map(show, some))))
    number = repr if column.digits is None else f"%.{column.digits}f".__mod__
    return visible(_around_none(values, column.none, lambda some: _texts(some, number, ("no", "yes"))))


def raw(values: Sequence[Cell]) -> Sequence[str]:
    """Returns the texts of a column for programs: exact numbers, true and false, an empty text for None."""
    return _around_none(values, "", lambda some: _texts(some, repr, ("false", "true")))


def _around_none(
    values: Sequence[Cell], none: str, convert: Callable[[Sequence[Any]], Sequence[str]]
) -> Sequence[str]:
    """Converts the values that are there in one go, and puts `none` in the place of the others."""
    if None not in values:
        return convert(values)
    texts = iter(convert([value for value in values if value is not None]))
    return [none if value is None else next(texts) for value in values]


def _texts(values: Sequence[Any], number: Callable[[float], str], answers: tuple[str, str]) -> Sequence[str]:
    """The texts of values of a column; quick for a column of one kind, as long columns are."""
    kinds = set(map(type, values))
    if kinds <= {str}:
        return values
    if kinds == {int}:
        return list(map(str, values))
    if kinds == {float}:
        return list(map(number, values))
    if kinds <= {list, tuple}:
        return list(map(BETWEEN.join, values))
    return [_text(value, number, answers) for value in values]


def _text(value: Any, number: Callable[[float], str], answers: tuple[str, str]) -> str:
    if isinstance(value, bool):
        return answers[value]
    if isinstance(value, float):
        return number(float(value))
    if isinstance(value, list | tuple):
        return BETWEEN.join(value)
    return str(value)


def visible(texts: Sequence[str]) -> Sequence[str]:
    """Returns texts that are safe to print: control and direction characters as backslash escapes."""
    if "".join(texts).isprintable():
        return texts
    return [text if text.isprintable() else escape(text) for text in texts]


def encodable(texts: Sequence[str], encoding: str | None) -> Sequence[str]:
    """Returns the texts with what an encoding does not have as backslash escapes, as they will be written."""
    if encoding is None or all_ascii(texts):
        return texts
    return [text.encode(encoding, "backslashreplace").decode(encoding) for text in texts]


def escape(text: str) -> str:
    r"""Returns the text with everything that does not print as backslash escapes: tab as \t, ESC as \x1b."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def display_width(text: str) -> int:
    """Returns how many terminal columns a printable text takes: two for wide characters, none for combining ones."""
    if text.isascii() or max(text) < "\u0300":  # Latin letters and their like
        return len(text)
    from unicodedata import combining, east_asian_width  # rare, and half a millisecond to load

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def widest(texts: Sequence[str]) -> int:
    """Returns the display width of the widest text, 0 when there are none."""
    if all_ascii(texts):
        return max(map(len, texts), default=0)
    return max(map(display_width, texts), default=0)


def all_ascii(texts: Sequence[str]) -> bool:
    """Returns whether every text is ASCII, so that its length is its width."""
    return all(map(str.isascii, texts))


def pad(text: str, width: int, right: bool) -> str:
    """Returns the text filled up with blanks to a display width, never cut."""
    fill = " " * (width - display_width(text))
    return fill + text if right else text + fill


def wrap(text: str, width: int) -> list[str]:
    """Returns the text broken at blanks into lines of at most `width`; a longer word stays whole."""
    lines: list[str] = []
    line, used = "", 0
    for word in text.split():
        size = display_width(word)
        if line and used + 1 + size > width:
            lines.append(line)
            line, used = word, size
        else:
            line, used = (f"{line} {word}", used + 1 + size) if line else (word, size)
    lines.append(line)
    return lines
