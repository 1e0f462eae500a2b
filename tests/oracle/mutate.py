"""Allocation files made by changing real ones: elements cut, doubled, moved, renamed, given other values; damage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from tests.oracle.grammar import Grower
from tests.oracle.spans import Span, elements

TREE = Path(__file__).parents[2]
LARGEST = 15_000  # bytes: an answer for a large file takes long
_PIECES = ("<", ">", "</queue>", "<!--", "-->", "<![CDATA[", "]]>", "&", "&#0;", "\xff", "\0", "-1", "NaN", "  ", "\n")
_NAMES = ("root", "default", "a", "users", " a", "a.b", "ROOT", "x")


@cache
def sources() -> tuple[tuple[str, bytes], ...]:
    """Returns name and bytes of the files to change: the samples, and the collection beside the checkout, if any."""
    beside = TREE.parent / "shared" / "corpus" / "real"
    paths = [*sorted((TREE / "sample-configs").glob("*.xml*")), *sorted(beside.glob("*.xml"))]
    return tuple((path.name, path.read_bytes()) for path in paths if path.stat().st_size <= LARGEST)


def mutated(data: bytes, others: Sequence[tuple[str, bytes]], random: Random, grower: Grower) -> bytes:
    """Returns the file with some changes; `others` lend elements."""
    text = data.decode("latin-1")
    for _ in range(random.choice((1, 1, 2, 3, 5, 8))):
        text = _damaged(text, random) if random.random() < 0.1 else _edited(text, others, random, grower)
    return text.encode("latin-1", "replace")


def _edited(text: str, others: Sequence[tuple[str, bytes]], random: Random, grower: Grower) -> str:
    spans = elements(text)
    if not spans:
        return text
    span = random.choice(spans)
    whole = text[span.start : span.end]
    kind = random.randrange(10)
    if kind == 0:
        return text[: span.start] + text[span.end :]
    if kind == 1:
        return text[: span.end] + whole + text[span.end :]
    if kind == 2:  # moved: into another element, or out of this one
        at = random.choice(spans).inner
        if span.start <= at < span.end:
            return text[: span.start] + text[span.inner : span.inner_end] + text[span.end :]
        rest = text[: span.start] + text[span.end :]
        at -= len(whole) if at > span.start else 0
        return rest[:at] + whole + rest[at:]
    if kind == 3:
        return _named(text, span, random)
    if kind == 4 and others:  # an element of another file
        other = random.choice(others)[1].decode("latin-1")
        lent = elements(other)
        if lent:
            one = random.choice(lent)
            return text[: span.inner] + other[one.start : one.end] + text[span.inner :]
        return text
    if kind == 5:
        queues = [one for one in spans if one.tag in ("queue", "pool", "allocations")]
        at = random.choice(queues or spans).inner
        grown = grower.queue(2) if random.random() < 0.5 else grower.fields(random.random() < 0.6)
        return text[:at] + _latin(grown) + text[at:]
    if kind == 6:
        top = next((one for one in spans if one.tag == "allocations"), span)
        return text[: top.inner] + _latin(grower.top()) + text[top.inner :]
    return _valued(text, [one for one in spans if "<" not in text[one.inner : one.inner_end]], random, grower)


def _named(text: str, span: Span, random: Random) -> str:
    """Returns the text with another attribute, or another tag, of one element."""
    head = text[span.start : span.inner]
    if random.random() < 0.7:
        quote = head.find('"')
        end = head.find('"', quote + 1)
        if 0 < quote < end:
            head = head[: quote + 1] + random.choice(_NAMES) + head[end:]
        else:
            closing = "/>" if head.endswith("/>") else ">"
            mark = random.choice((' type="parent"', ' create="false"', ' name="a"', ' queue="root.a"'))
            head = head.removesuffix(closing) + mark + closing
    else:
        head = head.replace(span.tag, random.choice((span.tag.lower(), "pool", "queue", "weight", "user")), 1)
    return text[: span.start] + head + text[span.inner :]


def _valued(text: str, leaves: list[Span], random: Random, grower: Grower) -> str:
    """Returns the text with another value in one element: of another element, or grown."""
    if not leaves:
        return text
    span = random.choice(leaves)
    if random.random() < 0.3:
        other = random.choice(leaves)
        value = text[other.inner : other.inner_end]
    else:
        value = _latin(grower.value(span.tag))
    return text[: span.inner] + value + text[span.inner_end :]


def _damaged(text: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    kind = random.randrange(3)
    if kind == 0:
        return text[:at] + text[at + random.randint(1, 30) :]
    if kind == 1:
        return text[:at] + random.choice(_PIECES) + text[at:]
    return text[:at] + chr(random.randrange(256)) + text[at + 1 :]


def _latin(text: str) -> str:
    """Returns the UTF-8 bytes of the text, each as one character."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")
