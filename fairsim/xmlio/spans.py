"""Where the parts of tags stand in the bytes of a well-formed file, for edits that leave everything else as it is."""

from __future__ import annotations

import re
from typing import NamedTuple

from fairsim.diag import Pos

_TOKEN = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.DOTALL)
_NAME = re.compile(rb"</?([^\s/>]+)")
_ATTRIBUTE = re.compile(rb"\s([^\s=]+)\s*=\s*(\"[^\"]*\"|'[^']*')")


class Span(NamedTuple):
    """Where something begins and ends, in bytes."""

    start: int
    end: int


class Tag(NamedTuple):
    """An element: the names in its tags, its attributes' values within the quotes, and what is between its tags.

    `inner` is None for a tag that ends itself.
    """

    names: tuple[Span, ...]
    attributes: dict[str, Span]
    inner: Span | None


def tags_of(utf8: bytes) -> dict[int, Tag]:
    """Returns every element of a well-formed text without a DOCTYPE, by the byte at which its start tag begins."""
    found: dict[int, Tag] = {}
    above: list[tuple[int, Span, dict[str, Span], int]] = []
    for token in _TOKEN.finditer(utf8):
        text = token[0]
        if text[1:2] in (b"!", b"?"):
            continue
        match = _NAME.match(text)
        if match is None:
            continue
        name = Span(token.start() + match.start(1), token.start() + match.end(1))
        if text[1:2] == b"/":
            start, opened, attributes, inner = above.pop()
            found[start] = Tag((opened, name), attributes, Span(inner, token.start()))
            continue
        attributes = {
            one[1].decode("utf-8", "replace"): Span(token.start() + one.start(2) + 1, token.start() + one.end(2) - 1)
            for one in _ATTRIBUTE.finditer(text)
        }
        if text.endswith(b"/>"):
            found[token.start()] = Tag((name,), attributes, None)
        else:
            above.append((token.start(), name, attributes, token.end()))
    return found


def offsets(utf8: bytes) -> list[int]:
    """Returns the byte at which each line starts, lines as in `Pos`."""
    return [0, *(match.end() for match in re.finditer(rb"\r\n?|\n", utf8))]


def offset(utf8: bytes, starts: list[int], pos: Pos) -> int:
    """Returns the byte of a place: line and column from 1, columns in characters."""
    start = starts[pos.line - 1]
    end = starts[pos.line] if pos.line < len(starts) else len(utf8)
    return start + len(utf8[start:end].decode("utf-8", "replace")[: pos.column - 1].encode())
