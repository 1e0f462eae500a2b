"""What holds for every input of the XML layer: it ends in a document or a refusal, and the two parsers agree."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsim.config.recognise import recognise
from fairsim.xmlio.decode import decode
from fairsim.xmlio.fast import read_fast
from fairsim.xmlio.node import Document, Element
from fairsim.xmlio.reader import XmlRefused, _Builder, read_document

NAMES = st.sampled_from(["allocations", "queue", "weight", "rule", "w-1", "_z", "a.b"])
NAMED = st.one_of(NAMES, st.sampled_from(["x:y", "é", "xmlns"]))
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"))
SPACE = st.sampled_from(["", " ", "\n", "\r\n", "\t", "\r"])
PIECES = st.one_of(
    TEXT.map(escape),
    SPACE,
    st.sampled_from(["2.0", "&#50;", "&#13;", "&lt;", "<!-- c -->", "<!---->", "a: b='c'", "]]", ">", "é"]),
)
MARKUP = st.sampled_from(["<![CDATA[q]]>", "<![CDATA[]]>", "<?p d?>", "<q/>", "&e;", "]]>", "&", "<", "--", "\x01"])
DAMAGE = st.sampled_from([
    "<", ">", "&", "'", '"', "=", "/", "<!--", "-->", "]]>", "<![CDATA[", "<?", "?>", "\0", " ", "é",
])  # fmt: skip
FRAGMENTS = st.sampled_from([
    b"<allocations>", b"</allocations>", b"<queue name='a'>", b"</queue>", b"<w/>", b"2.0", b"&amp;", b"&e;", b"\xe9",
    b"<!DOCTYPE a [", b"<!ENTITY e 'v'>", b"<!ENTITY e SYSTEM 'f'>", b"<!ENTITY % p ''>", b"%p;", b"]>",
    b"<!ATTLIST a b CDATA 'c'>",
    b"<?xml version='1.0'?>", b"<?xml version='1.1' encoding='UTF-16'?>", b"<?xml version='1.0' encoding='GBK'?>",
    b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?p", b"?>", b"\x85",
    b"{{ x }}", b"${X}", b"<", b">", b"&", b"'", b'"', b"=", b" ", b"\r\n",
])  # fmt: skip


@st.composite
def elements(draw: st.DrawFn, names: st.SearchStrategy[str], pieces: st.SearchStrategy[str], depth: int = 3) -> str:
    name = draw(names)
    attributes = draw(st.dictionaries(names, TEXT | SPACE, max_size=2))
    tag = name + "".join(f"{draw(SPACE) or ' '}{key}={quoteattr(value)}" for key, value in attributes.items())
    inner = pieces if depth == 0 else pieces | elements(names, pieces, depth - 1)
    content = "".join(draw(st.lists(inner, max_size=4)))
    return f"<{tag}>{content}</{name}{draw(SPACE)}>"


def everything(document: Document) -> Iterator[tuple[object, ...]]:
    """All that a caller can learn of a document."""

    def of(element: Element) -> Iterator[tuple[object, ...]]:
        attributes = [(name, element.get(name)) for name in document.attribute_names(element)]
        children = (document.has_children(element), document.first_is_markup(element), len(element))
        yield element.tag, attributes, element.text, document.pos(element), children
        for child in element:
            yield from of(child)

    yield from of(document.root)
    yield tuple(document.comments)


def exact(utf8: bytes) -> Document:
    return _Builder(decode(utf8), secure=True).parse(None)


@given(elements(NAMES, PIECES))
def test_lxml_and_expat_give_the_same_document(text: str) -> None:
    fast = read_fast(text.encode())
    assert fast is not None
    assert list(everything(fast)) == list(everything(exact(text.encode())))


@given(elements(NAMED, PIECES | MARKUP), st.lists(st.tuples(st.integers(0, 200), DAMAGE), max_size=2))
def test_lxml_takes_nothing_that_expat_refuses(text: str, damage: list[tuple[int, str]]) -> None:
    for at, piece in damage:
        text = text[:at] + piece + text[at:]
    data = text.encode()
    fast = read_fast(data)
    if fast is not None:
        assert list(everything(fast)) == list(everything(exact(data)))


@given(elements(NAMED, PIECES | MARKUP))
def test_places_are_where_the_tags_are(text: str) -> None:
    try:
        document = read_document(text.encode(), secure=True)
    except XmlRefused:
        return
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    waiting = [document.root]
    while waiting:
        element = waiting.pop()
        line, column = document.pos(element)
        assert lines[line - 1][column - 1 :].startswith("<" + element.tag)
        waiting.extend(element)
    for (line, column), _ in document.comments:
        assert lines[line - 1][column - 1 :].startswith("<!--")


@given(elements(NAMED, PIECES), st.sampled_from(["UTF-8", "UTF-16", "GB18030"]))
def test_the_encoding_makes_no_difference(text: str, name: str) -> None:
    data = f"<?xml version='1.0' encoding='{name}'?>{text}".encode(name)
    plain = f"<?xml version='1.0' encoding='UTF-8'?>{text}".encode()
    rows = [list(everything(read_document(one, secure=True))) for one in (data, plain)]
    assert [row[:3] for row in rows[0][:-1]] == [row[:3] for row in rows[1][:-1]]  # the declarations shift the places


@pytest.mark.parametrize("secure", [True, False])
@given(data=st.one_of(st.binary(), st.lists(FRAGMENTS, max_size=12).map(b"".join)))
def test_every_input_ends_in_a_document_or_a_refusal(data: bytes, secure: bool) -> None:
    document = None
    try:
        document = read_document(data, secure=secure)
        list(everything(document))
    except XmlRefused as refused:
        finding = refused.finding
        assert finding.message
        assert finding.pos is None or (finding.pos.line >= 1 and finding.pos.column >= 1)
        if finding.code == "FS101":
            assert finding.refuses
    recognise(data, document)
