"""XML bytes to a located document, as the JDK's DOM parser would build it for Hadoop."""

from __future__ import annotations

import pyexpat

from fairsim.diag import Pos
from fairsim.xmlio import guard
from fairsim.xmlio.decode import Source, decode
from fairsim.xmlio.lines import Lines
from fairsim.xmlio.node import MARKUP_FIRST, TEXT_FIRST, Document, Element, Node, NodeDocument
from fairsim.xmlio.refusal import XmlRefused, beyond_limit, doctype_refused, not_fetched

__all__ = ["Document", "Element", "Node", "XmlRefused", "read_document"]

MAX_DEPTH = 500
FAST_FROM = 500_000  # bytes: from here lxml is the quicker way, its import included
_CHUNK = 1 << 20  # expat goes on to the end of what it was given after a handler has raised

_NO_ATTRIBUTES: dict[str, str] = {}


def read_document(data: bytes, *, secure: bool) -> Document:
    """Returns the document that Hadoop's DOM parser would make of `data`, with places.

    `secure` is the parser of Hadoop >= 3.3.5 and >= 3.4.0, which refuses any DOCTYPE (YARN-11330).
    Raises `XmlRefused` with a finding: FS101 not well-formed, FS103 DOCTYPE or something to fetch, FS123 beyond a
    limit of fairsim. Nothing outside `data` is ever read.

    Follows DocumentBuilderFactory's defaults in the JDK (not namespace-aware, not validating) with comments ignored,
    as AllocationFileLoaderService sets them up; all versions.
    """
    if len(data) > guard.MAX_BYTES:
        message = f"the file has {len(data):,} bytes; fairsim reads at most {guard.MAX_BYTES:,}"
        raise beyond_limit(message, None)
    source = decode(data)
    guard.check_attributes(source.utf8)
    if len(data) >= FAST_FROM and not source.version_11:
        from fairsim.xmlio.fast import read_fast  # only here: lxml takes long to import

        document = read_fast(source.utf8)
        if document is not None:
            return document
    doctype = guard.find_doctype(source.utf8)
    return _Builder(source, secure).parse(doctype)


class _Builder:
    """Turns expat's events into nodes; used once."""

    def __init__(self, source: Source, secure: bool):
        self.source = source
        self.lines = Lines(source.utf8)
        self.secure = secure
        self.root: Node | None = None
        self.top: Node | None = None
        self.above: list[Node] = []  # the open elements around `top`
        self.text: list[str] | None = None  # the pieces of the first text of `top`, while it may still grow
        self.nodes = 0
        self.declared: set[tuple[str, str]] = set()
        self.attribute_size = 0  # counted when the DOCTYPE may give attributes to elements
        self.doctype: Pos | None = None
        self.comments: list[tuple[int, str]] = []
        self.later: list[tuple[Node, int]] = []
        parser = self.parser = pyexpat.ParserCreate("UTF-8")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartCdataSectionHandler = self.start_cdata
        parser.EndCdataSectionHandler = self.close_text
        parser.ProcessingInstructionHandler = self.instruction
        parser.CommentHandler = self.comment
        parser.StartDoctypeDeclHandler = self.start_doctype
        parser.AttlistDeclHandler = self.declare_attribute
        parser.ExternalEntityRefHandler = self.external

    def here(self) -> Pos:
        return self.lines.pos(max(self.parser.CurrentByteIndex, 0))

    def parse(self, doctype: int | None) -> NodeDocument:
        utf8 = self.source.utf8
        if doctype is not None:
            self.doctype = self.lines.pos(doctype)
            if self.secure:
                self.feed(utf8[:doctype], final=False)
                raise doctype_refused(self.doctype)
            from fairsim.xmlio.doctype import check_doctype  # rare: keeps start-up short

            check_doctype(utf8, doctype)
        self.feed(utf8, final=True)
        assert self.root is not None, "expat accepts no document without a root"
        for name in filter(None, self.parser.intern):  # expat's table of names holds None, too
            if len(name) > guard.MAX_NAME:
                raise guard.long_name(name, self.lines.pos(self.root.at))
        return NodeDocument(self.root, self.doctype, self.comments, self.later, self.lines)

    def feed(self, utf8: bytes, *, final: bool) -> None:
        view = memoryview(utf8)
        try:
            for at in range(0, len(view) - _CHUNK, _CHUNK):
                self.parser.Parse(view[at : at + _CHUNK], False)
            self.parser.Parse(view[(max(len(view) - 1, 0) // _CHUNK) * _CHUNK :], final)
        except pyexpat.ExpatError as error:
            from fairsim.xmlio.explain import explain  # only when something is wrong

            opened = [node for node in (*self.above, self.top) if node is not None]
            raise explain(self.source, error.code, self.parser.ErrorByteIndex, opened, self.root is not None) from None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        node = Node(tag, attributes or _NO_ATTRIBUTES, self.parser.CurrentByteIndex)
        top = self.top
        if top is None:
            self.root = node
        else:
            if self.text is not None:
                self.close_text()
            if isinstance(top.children, list):
                top.children.append(node)
            else:
                top.children = [node]
                top.first = top.first or MARKUP_FIRST
            self.above.append(top)
            if len(self.above) >= MAX_DEPTH:
                raise beyond_limit(f"elements are nested more than {MAX_DEPTH} deep; fairsim stops there", self.here())
        self.top = node
        self.count(1 + len(attributes))
        if self.doctype is not None:
            self.attribute_size += sum(map(len, attributes.values()))
            if self.attribute_size > guard.MAX_BYTES:
                raise beyond_limit("default values make the attributes too large; fairsim stops there", self.here())

    def count(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > guard.MAX_NODES:
            message = f"the file has more than {guard.MAX_NODES:,} elements, attributes and comments"
            raise beyond_limit(f"{message}; fairsim stops there", self.here())

    def end(self, _tag: str) -> None:
        if self.text is not None:
            self.close_text()
        self.top = self.above.pop() if self.above else None

    def characters(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)
        elif self.top is not None and not self.top.first:
            self.top.first = TEXT_FIRST
            self.text = [data]
        elif self.top is not None and data and not data.isspace():
            self.later.append((self.top, self.parser.CurrentByteIndex))

    def close_text(self) -> None:
        if self.text is not None and self.top is not None:
            self.top.text = "".join(self.text)
            self.text = None

    def start_cdata(self) -> None:
        self.close_text()
        self.characters("")  # an empty section is a text node too

    def instruction(self, _target: str, _data: str) -> None:
        if self.top is not None:
            self.close_text()
            self.top.first = self.top.first or MARKUP_FIRST

    def comment(self, text: str) -> None:
        self.count(1)
        self.comments.append((self.parser.CurrentByteIndex, text))

    def start_doctype(self, _name: str, system: str | None, _public: str | None, _subset: bool) -> None:
        if self.doctype is None or self.secure:
            raise doctype_refused(self.here())
        if system is not None:
            raise not_fetched(f"the DOCTYPE names an external file ({system})", self.doctype)

    def declare_attribute(self, element: str, name: str, _kind: str, _default: str | None, _required: bool) -> None:
        if (element, name) in self.declared:
            raise beyond_limit(f"the DOCTYPE declares the attribute {name} of <{element}> twice", self.here())
        self.declared.add((element, name))

    def external(self, _context: str, _base: str | None, system: str | None, _public: str | None) -> int:
        raise not_fetched(f"an entity stands for an external file ({system})", self.here())

