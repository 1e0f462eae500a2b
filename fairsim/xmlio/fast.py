"""The same document from lxml, for large files that hold nothing on which lxml and expat could differ."""

from __future__ import annotations

import re
from array import array
from typing import cast

from lxml import etree
from lxml.etree import _Element

from fairsim.diag import Pos
from fairsim.xmlio.guard import MAX_NAME, MAX_NODES, find_doctype
from fairsim.xmlio.lines import Lines
from fairsim.xmlio.node import Comment, Document, Element

_MANY_COLONS = 20_000
_BLOCK = MAX_NAME // 2

_ODD = re.compile(rb"<[^\s<>/=\"'!?:\x80-\xff]*+[:\x80-\xff]|[:\x80-\xff][^\s<>=\"':\x80-\xff]*+\s*+=\s*+[\"']")
_ODD_ASCII = re.compile(rb":[^\s<>=\"':]*+\s*+=\s*+[\"']")
_NO_NAME = re.compile(rb"[\s<>=/\"']")
_PREFIX = re.compile(rb"<[^\s<>/=\"'!?]*$")
_TOKEN = re.compile(rb"<!--(.*?)-->|<(?![/!?])", re.DOTALL)


def read_fast(utf8: bytes) -> Document | None:
    """Returns the document, or None if lxml may see it otherwise than expat, or refuses it.

    None is no verdict: the caller asks expat.
    """
    if not _same_for_both(utf8):
        return None
    parser = etree.XMLParser(
        encoding="UTF-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=False,
        strip_cdata=False,
        recover=False,
        ns_clean=False,
    )
    try:
        root = etree.fromstring(utf8, parser)
    except etree.XMLSyntaxError:
        return None
    return _LxmlDocument(root, utf8)


def _same_for_both(utf8: bytes) -> bool:
    """True if lxml's tree is expat's: no CDATA (merged by libxml2), no instructions, no DOCTYPE, no namespaces.

    Names beyond ASCII are out too, since libxml2 takes more characters in them, and so are names that the JDK finds
    too long. The tests are ordered and written so that they cost a fraction of parsing.
    """
    if b"\0" in utf8 or (b"[" in utf8 and b"<![" in utf8) or b"xmlns" in utf8 or find_doctype(utf8) is not None:
        return False
    if utf8.count(b"<") > 2 * MAX_NODES or utf8.count(b"=") > MAX_NODES:
        return False  # expat stops when it has counted them
    if utf8.startswith(b"<?") and not utf8.startswith((b"<?xml ", b"<?xml\t", b"<?xml\r", b"<?xml\n")):
        return False
    if b"?" in utf8 and utf8.find(b"<?", 2) >= 0:
        return False
    if not utf8.isascii():
        if _ODD.search(utf8):
            return False
    elif b":" in utf8 and (_ODD_ASCII.search(utf8) or _has_prefix(utf8)):
        return False
    # A name longer than the JDK takes covers at least one whole block.
    return all(
        utf8.find(b"<", block, block + _BLOCK) >= 0 or _NO_NAME.search(utf8, block, block + _BLOCK)
        for block in range(0, len(utf8) - _BLOCK + 1, _BLOCK)
    )


def _has_prefix(utf8: bytes) -> bool:
    """True if a tag has a colon in its name. Colons are rare, tags are not: so from the colons."""
    if utf8.count(b":") > _MANY_COLONS:
        return _ODD.search(utf8) is not None
    at = utf8.find(b":")
    while at >= 0:
        start = utf8.rfind(b"<", max(at - MAX_NAME - 1, 0), at)
        if start >= 0 and _PREFIX.match(utf8, start, at):
            return True
        at = utf8.find(b":", at + 1)
    return False


class _LxmlDocument(Document):
    """A document whose elements are lxml's; places come from one scan, when the first is asked for."""

    def __init__(self, root: _Element, utf8: bytes):
        self.root = cast(Element, root)
        self.doctype = None
        self._tree = root
        self._lines = Lines(utf8)
        self._ordinals: dict[_Element, int] = {}
        self._starts: array[int] | None = None
        self._comments: list[Comment] = []

    @property
    def comments(self) -> list[Comment]:
        """All comments in document order."""
        self._scan()
        return self._comments

    @property
    def later_texts(self) -> list[tuple[Element, Pos]]:
        """Texts that are not blank and not the `text` of their element; placed at the element before them."""
        found = []
        for element in self._tree.iter():
            above = element.getparent()
            if above is not None and element.tail and not element.tail.isspace():
                found.append((cast(Element, above), self.pos(cast(Element, element))))
        return found

    def pos(self, el: Element) -> Pos:
        """The place of the start tag of `el`."""
        starts = self._scan()
        if not self._ordinals:
            self._ordinals = {element: ordinal for ordinal, element in enumerate(self._tree.iter())}
        return self._lines.pos(starts[self._ordinals[cast(_Element, el)]])

    def attribute_names(self, el: Element) -> list[str]:
        """The names of the attributes of `el` in the order of the file."""
        return [str(name) for name in cast(_Element, el).keys()]  # noqa: SIM118 - iteration gives child elements

    def has_children(self, el: Element) -> bool:
        """True if `el` has any child node other than comments."""
        return el.text is not None or len(el) > 0

    def first_is_markup(self, el: Element) -> bool:
        """True if the first child node of `el` is an element (instructions do not come this way)."""
        return el.text is None and len(el) > 0

    def _scan(self) -> array[int]:
        """Returns where the start tags are: without CDATA and instructions, every other `<` that is no end tag's."""
        if self._starts is None:
            self._starts = array("I")
            for token in _TOKEN.finditer(self._lines.utf8):
                if token[1] is None:
                    self._starts.append(token.start())
                else:
                    text = token[1].decode().replace("\r\n", "\n").replace("\r", "\n")
                    self._comments.append(Comment(self._lines.pos(token.start()), text))
        return self._starts
