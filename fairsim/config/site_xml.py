"""The XML of Hadoop's configuration files: properties in the order of the file, with places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairsim.diag import INFO, WARNING, Finding, Pos
from fairsim.errors import InputError
from fairsim.javanum import trim
from fairsim.xmlio.reader import Document, Element, XmlRefused, read_document


class Entry(NamedTuple):
    """One `<property>`: name trimmed, text as written and None when there is none, the place of the value."""

    name: str
    text: str | None
    final: bool
    pos: Pos


class Configuration(NamedTuple):
    """What one file says: to the streaming reader of 2.9 and later, and to the DOM reader up to 2.8."""

    entries: tuple[Entry, ...]
    older: tuple[Entry, ...]
    findings: tuple[Finding, ...]


def read_configuration(data: bytes, where: str) -> Configuration:
    """Returns the properties of a file such as yarn-site.xml (Configuration.Parser, up to 2.8 loadResource).

    From 2.9 every `<property>` at any depth counts whatever the root is called, namespace prefixes do not matter, and
    `name`, `value` and `final` may be attributes (measured on 2.9.2 to 3.5.0). Up to 2.8 every child of the root
    counts whatever it is called, and no attribute (measured on 2.6.5, 2.7.7, 2.8.5). Approximation: of a value that
    is cut by markup or CDATA only the first text counts from 2.9 too.
    Raises InputError for XML that no parser takes and for files of another kind.
    """
    try:
        document = read_document(data, secure=False)
    except XmlRefused as refused:
        hint = refused.hint if data.strip() else "a file without properties is <configuration/>"
        raise InputError(refused.message, where=where, pos=refused.pos, hint=hint) from refused
    return _Reader(document, where).read()


class _Reader:
    def __init__(self, document: Document, where: str):
        self.document = document
        self.where = where
        self.entries: list[Entry] = []
        self.findings: list[Finding] = []

    def read(self) -> Configuration:
        root = self.document.root
        kind = _local(root)
        for element in _walk(root):
            if _local(element) == "property":
                self.property(element)
            elif _local(element) == "include":
                self.include(element)
        if kind != "configuration":
            self.other_root(kind)
        return Configuration(tuple(self.entries), tuple(self.older(root)), tuple(self.findings))

    def property(self, element: Element) -> None:
        name, text = element.get("name"), element.get("value")
        final = element.get("final") == "true"
        place = self.document.pos(element)
        for field in _walk(element):
            kind = _local(field)
            if kind == "name":
                name = trim(field.text) if field.text else name
            elif kind == "value":
                place = self.document.pos(field)
                text = field.text or text
                if len(field):
                    message = f"the value of {name or 'a property'} has elements inside; only its first text is read"
                    hint = "write & and < as &amp; and &lt;"
                    self.findings.append(Finding("FS929", "configuration-form", WARNING, message, place, hint=hint))
            elif kind == "final":
                final = field.text == "true"
        if name:
            self.entries.append(Entry(name, text, final, place))

    def older(self, root: Element) -> Iterator[Entry]:
        """Yields what the DOM reader takes."""
        for element in _flat(root):
            name, text, final, place = "", None, False, self.document.pos(element)
            for field in element:
                if field.text is None:
                    continue
                if field.tag == "name":
                    name = trim(field.text)
                elif field.tag == "value":
                    text, place = field.text, self.document.pos(field)
                elif field.tag == "final":
                    final = field.text == "true"
            if name:
                yield Entry(name, text, final, place)

    def include(self, element: Element) -> None:
        href = element.get("href")
        if href is not None:
            message = f"the included file {href!r:.80} is not read"
            hint = "give the file on its own; later files win"
            effect = "Hadoop reads it at this place"
            place = self.document.pos(element)
            self.findings.append(Finding("FS119", "xinclude-used", WARNING, message, place, effect, hint))

    def other_root(self, kind: str) -> None:
        place = self.document.pos(self.document.root)
        if not self.entries:
            hint = "the root of such a file is <configuration>"
            if kind == "allocations":
                hint = "this is an allocation file: give it as ALLOC"
            raise InputError(f"<{kind}> is not a Hadoop configuration", where=self.where, pos=place, hint=hint)
        message = f"the root is <{kind}>, not <configuration>"
        effect = "Hadoop logs that, and reads the properties all the same"
        hint = "write <configuration>"
        self.findings.append(Finding("FS929", "configuration-form", INFO, message, place, effect, hint))


def _local(element: Element) -> str:
    return element.tag.rpartition(":")[2]


def _flat(root: Element) -> Iterator[Element]:
    """Yields the children of the root, and those of a `<configuration>` among them in its place."""
    for element in root:
        if element.tag == "configuration":
            yield from _flat(element)
        else:
            yield element


def _walk(element: Element) -> Iterator[Element]:
    """Yields the elements below `element` in document order."""
    stack = [iter(element)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        else:
            yield child
            stack.append(iter(child))
