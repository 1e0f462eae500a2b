"""Edits that mend findings: byte for byte, with comments and layout kept.

Safe edits write what was plainly meant, or what Hadoop reads anyway; the others change who may do what, how large a
limit is, or what kind a queue has, so somebody must want them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from fairsim.config.unknown import near_element
from fairsim.config.values import QUEUE_ELEMENTS, TOP_ELEMENTS
from fairsim.diag import Finding
from fairsim.xmlio.spans import Span, Tag, offset, offsets, tags_of

SAFE, UNSAFE = "safe", "unsafe"
_BOM = b"\xef\xbb\xbf"
_ALIASES = {
    "pool": "queue", "schedulingMode": "schedulingPolicy", "defaultQueueSchedulingMode": "defaultQueueSchedulingPolicy",
    "fairSharePreemptionTimeout": "defaultFairSharePreemptionTimeout",
}  # fmt: skip
_RULES = ("specified", "user", "primaryGroup", "secondaryGroupExistingQueue", "nestedUserQueue", "default", "reject")


class Edit(NamedTuple):
    """Bytes from start to end that become others, for a finding."""

    start: int
    end: int
    new: bytes
    finding: Finding


class Site(NamedTuple):
    """The element of a finding, in its text."""

    utf8: bytes
    tag: Tag
    finding: Finding

    def read(self, span: Span) -> str:
        """Returns the text of a span."""
        return self.utf8[span.start : span.end].decode("utf-8")

    @property
    def name(self) -> str:
        """The name of the element."""
        return self.read(self.tag.names[0])

    @property
    def value(self) -> str | None:
        """The text of the element, None where it is not plain text (entities, markup, CDATA)."""
        text = self.read(self.tag.inner) if self.tag.inner else ""
        return None if not text or "<" in text or "&" in text else text


#: What a fixer returns: each span with its new text, nothing where it cannot tell.
Changes = list[tuple[Span, str]]
Fixer = Callable[[Site], Changes]


def _rename(site: Site, name: str) -> Changes:
    return [(span, name) for span in site.tag.names] if name and name != site.name else []


def _text(site: Site, new: str) -> Changes:
    return [(site.tag.inner, new)] if site.tag.inner and new != site.value else []


def _misspelt_in_queue(site: Site) -> Changes:
    return _rename(site, near_element(site.name, QUEUE_ELEMENTS))


def _misspelt_at_top(site: Site) -> Changes:
    return _rename(site, near_element(site.name, (*TOP_ELEMENTS, "queue", "user", "queuePlacementPolicy")))


def _alias(site: Site) -> Changes:
    return _rename(site, _ALIASES.get(site.name, ""))


def _queue_tag(site: Site) -> Changes:
    return _rename(site, "queue")


def _blanks_of_name(site: Site) -> Changes:
    span = site.tag.attributes.get("name")
    return [(span, site.read(span).strip())] if span else []


def _blanks_of_acl(site: Site) -> Changes:
    value = site.value
    return _text(site, value.strip()) if value is not None and value.strip() else []


def _users_of_acl(site: Site) -> Changes:
    value = site.value
    if value is None:
        return []
    users, _, groups = value.partition(" ")
    while users.endswith(",") and groups.strip():
        more, _, groups = groups.lstrip().partition(" ")
        users += more
    return _text(site, f"{users} {groups}" if groups else users)


_UNITS = {
    **dict.fromkeys(("g", "gb", "gib"), ("mb", 1024)), **dict.fromkeys(("t", "tb", "tib"), ("mb", 1024 * 1024)),
    **dict.fromkeys(("m", "mib", "mbytes", "megabytes"), ("mb", 1)),
    **dict.fromkeys(("core", "cores", "vcore", "cpu", "cpus", "vcpu", "vcpus"), ("vcores", 1)),
}  # fmt: skip
_PART = re.compile(r"\s*(\d+)\s*([A-Za-z]+)\s*")
_PAIR = re.compile(r"\s*([^\s=]+)\s*=\s*(\d+)\s*([A-Za-z]+)\s*")


def _units(site: Site) -> Changes:
    """`4 gb, 2 cores` is `4096 mb, 2 vcores`."""
    parts = []
    for part in (site.value or "").split(","):
        match = _PART.fullmatch(part)
        if match is None:
            return []
        unit, factor = _UNITS.get(match[2].lower(), (match[2].lower(), 1))
        if unit not in ("mb", "vcores"):
            return []
        parts.append(f"{int(match[1]) * factor} {unit}")
    return _text(site, ", ".join(parts)) if len(parts) == 2 else []


def _units_of_pairs(site: Site) -> Changes:
    """`memory-mb=4g, vcores=2` is `memory-mb=4096, vcores=2`."""
    parts = []
    for part in (site.value or "").split(","):
        match = _PAIR.fullmatch(part)
        if match is None:
            parts.append(part.strip())
            continue
        unit, factor = _UNITS.get(match[3].lower(), ("", 1))
        if (match[1], unit) not in (("memory-mb", "mb"), ("vcores", "vcores")):
            return []
        parts.append(f"{match[1]}={int(match[2]) * factor}")
    return _text(site, ", ".join(parts))


def _thousands(site: Site) -> Changes:
    value = site.value or ""
    return _text(site, re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", value))


def _type(site: Site) -> Changes:
    span = site.tag.attributes.get("type")
    return [(span, "parent")] if span and site.read(span).strip().lower() == "parent" else []


def _rule_name(site: Site) -> Changes:
    span = site.tag.attributes.get("name")
    name = site.read(span).strip() if span else ""
    right = next((one for one in _RULES if one.lower() == name.lower()), "")
    return [(span, right)] if span and right else []


#: What mends a finding, by its code, and whether that is safe.
FIXERS: dict[str, tuple[str, Fixer]] = {
    "FS107": (SAFE, _misspelt_at_top),
    "FS108": (SAFE, _misspelt_in_queue),
    "FS113": (SAFE, _queue_tag),
    "FS118": (SAFE, _alias),
    "FS203": (SAFE, _blanks_of_name),
    "FS211": (UNSAFE, _type),
    "FS304": (SAFE, _units),
    "FS305": (UNSAFE, _thousands),
    "FS308": (SAFE, _units),
    "FS315": (SAFE, _units_of_pairs),
    "FS603": (UNSAFE, _users_of_acl),
    "FS604": (SAFE, _blanks_of_acl),
    "FS704": (SAFE, _rule_name),
}


def fixable(code: str, *, unsafe: bool) -> bool:
    """Tells whether there is an edit for findings of this code."""
    return code in FIXERS and (unsafe or FIXERS[code][0] == SAFE)


def edits_of(data: bytes, findings: Iterable[Finding], *, unsafe: bool) -> list[Edit]:
    """Returns the edits for the findings in the bytes of a file, in the order of their places; none overlaps another.

    A file that is not UTF-8 or has a DOCTYPE has none. The file must be well-formed.
    """
    mark = len(_BOM) if data.startswith(_BOM) else 0
    utf8 = data[mark:]
    wanted = [one for one in findings if one.pos is not None and fixable(one.code, unsafe=unsafe)]
    if not wanted or not _is_plain(utf8):
        return []
    tags, starts = tags_of(utf8), offsets(utf8)
    edits: list[Edit] = []
    taken: set[int] = set()
    for finding in wanted:
        assert finding.pos is not None
        tag = tags.get(offset(utf8, starts, finding.pos))
        if tag is None or tag.names[0].start in taken:
            continue
        changes = FIXERS[finding.code][1](Site(utf8, tag, finding))
        if changes:
            taken.add(tag.names[0].start)  # one edit for an element at a time
        edits += [Edit(mark + span.start, mark + span.end, _escaped(new), finding) for span, new in changes]
    return sorted(edits)


def _is_plain(utf8: bytes) -> bool:
    if b"<!DOCTYPE" in utf8:
        return False
    try:
        utf8.decode("utf-8")
    except UnicodeDecodeError:
        return False
    declared = re.match(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']+)", utf8)
    return declared is None or declared[1].lower() in (b"utf-8", b"us-ascii")


def _escaped(text: str) -> bytes:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;").encode()


def applied(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Returns the bytes with the edits made; everything outside of them stays as it is."""
    parts, last = [], 0
    for edit in edits:
        parts += [data[last : edit.start], edit.new]
        last = edit.end
    return b"".join([*parts, data[last:]])
