"""Limits that are checked on the bytes, before a parser spends time or memory on them."""

from __future__ import annotations

import re

from fairsim.diag import Pos
from fairsim.xmlio.lines import Lines
from fairsim.xmlio.refusal import XmlRefused, not_well_formed

MAX_BYTES = 64 * 1024 * 1024
MAX_ATTRIBUTES = 10_000  # of one element: the JDK's jdk.xml.elementAttributeLimit (before JDK 24)
MAX_NODES = 3_000_000  # elements, attributes and comments of a file: ours
MAX_NAME = 1_000  # characters: jdk.xml.maxXMLNameLimit

_BLOCK = 16_384
_START_TAG = rb"<[^\s<>/=\"'!?]++"
_ATTRIBUTE = rb"\s*+[^\s<>/=\"']++\s*+=\s*+(?:\"[^\"<]*+\"|'[^'<]*+')"
_BLANKS = re.compile(rb"[ \t\r\n]+")


def find_doctype(utf8: bytes) -> int | None:
    """Returns the index of the DOCTYPE, or None if the first thing after comments and the like is something else."""
    at, size = 0, len(utf8)
    while at < size:
        if utf8.startswith(b"<!DOCTYPE", at):
            return at
        if utf8.startswith(b"<!--", at):
            at = utf8.find(b"-->", at + 4) + 3
        elif utf8.startswith(b"<?", at):
            at = utf8.find(b"?>", at + 2) + 2
        elif blanks := _BLANKS.match(utf8, at):
            at = blanks.end()
            continue
        else:
            return None
        if at < 4:  # never ended
            return None
    return None


def check_attributes(utf8: bytes) -> None:
    """Raises `XmlRefused` if an element has more attributes than the JDK takes (XMLSecurityManager).

    A start tag holds no further `<`, so one with that many attributes covers whole blocks without any.
    """
    done = 0
    for block in range(0, len(utf8) - _BLOCK + 1, _BLOCK):
        if block < done or utf8.find(b"<", block, block + _BLOCK) >= 0:
            continue
        start = utf8.rfind(b"<", done, block)
        done = utf8.find(b"<", block)
        done = len(utf8) if done < 0 else done
        tag = re.compile(_START_TAG).match(utf8, start) if start >= 0 else None
        at, count = tag.end() if tag else done, 0
        attributes = re.compile(_ATTRIBUTE)
        while (attribute := attributes.match(utf8, at)) is not None:
            at, count = attribute.end(), count + 1
            if count > MAX_ATTRIBUTES:
                message = f"an element has more than {MAX_ATTRIBUTES} attributes, the limit of Java's XML parser"
                raise not_well_formed(message, Lines(utf8).pos(start), "take them out: Hadoop reads name and type")


def long_name(name: str, pos: Pos) -> XmlRefused:
    """Returns the refusal for a name longer than the JDK takes."""
    message = f"the name {name[:20]}… has {len(name)} characters; Java's XML parser takes at most {MAX_NAME}"
    return not_well_formed(message, pos)
