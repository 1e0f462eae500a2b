"""Where the elements of an allocation file stand in its text, however broken it is: what can be cut, moved, replaced.

Positions are in the decoded text; latin-1 keeps every byte, so a text can always go back to bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_TOKEN = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<![^<>]*>|</?[^<>]*>", re.DOTALL)
_NAME = re.compile(r"</?\s*([^\s<>/]*)")
_ATTRIBUTE = re.compile(r"""\s+[^\s=<>"']+\s*=\s*(?:"[^"]*"|'[^']*')""")


class Span(NamedTuple):
    """An element: its tag, where it begins and ends, and where what is inside begins and ends."""

    tag: str
    start: int
    end: int
    inner: int
    inner_end: int


def elements(text: str) -> list[Span]:
    """Returns every element with both its tags (or one that ends itself), in the order of their ends."""
    found: list[Span] = []
    open_tags: list[tuple[str, int, int]] = []
    for token in _TOKEN.finditer(text):
        if token[0][:2] in ("<!", "<?"):
            continue
        name = _NAME.match(token[0])
        tag = name[1] if name else ""
        if not token[0].startswith("</"):
            if token[0].endswith("/>"):
                found.append(Span(tag, token.start(), token.end(), token.end(), token.end()))
            else:
                open_tags.append((tag, token.start(), token.end()))
        elif any(tag == other for other, _, _ in open_tags):
            while True:
                other, start, inner = open_tags.pop()
                if other == tag:
                    break
            found.append(Span(tag, start, token.end(), inner, token.start()))
    return found


def attributes(text: str) -> list[tuple[int, int]]:
    """Returns where the attributes of all tags stand, the blanks before each included."""
    tags = [token for token in _TOKEN.finditer(text) if not token[0].startswith(("<!", "</", "<?"))]
    return [
        (token.start() + found.start(), token.start() + found.end())
        for token in tags
        for found in _ATTRIBUTE.finditer(token[0])
    ]


def pieces(text: str) -> list[tuple[int, int]]:
    """Returns the places of tags, comments and the texts between them: the text in pieces."""
    found: list[tuple[int, int]] = []
    at = 0
    for token in _TOKEN.finditer(text):
        if token.start() > at:
            found.append((at, token.start()))
        found.append((token.start(), token.end()))
        at = token.end()
    if at < len(text):
        found.append((at, len(text)))
    return found


def without(text: str, cuts: Iterable[tuple[int, int]]) -> str:
    """Returns the text without these pieces, which may overlap."""
    kept, at = [], 0
    for start, end in sorted(cuts):
        if start > at:
            kept.append(text[at:start])
        at = max(at, end)
    kept.append(text[at:])
    return "".join(kept)
