"""What a DOCTYPE declares, looked at before expat expands any of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairsim.xmlio.lines import Lines
from fairsim.xmlio.refusal import beyond_limit, not_well_formed

MAX_EXPANSIONS = 64_000  # jdk.xml.entityExpansionLimit (before JDK 24)
MAX_EXPANDED = 50_000_000  # characters: jdk.xml.totalEntitySizeLimit (before JDK 24)
MAX_DOCTYPE = 32_768  # bytes: ours; what it declares may cost time at every element
MAX_ENTITIES = 200  # ours: expat expands nested entities by recursion

_DTD_TOKEN = re.compile(
    rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!ENTITY\s++([^\s%\"'<>&;]++)\s++(\"[^\"]*+\"|'[^']*+')"
    rb"|\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[\[\]>]|%[^\s;%\"'<>&]++;",
    re.DOTALL,
)
_REFERENCE = re.compile(rb"&([^\s#&;<>\"']++);")
_RETURN = re.compile(rb"&#(?:0*13|x0*[dD]);")
_AMPERSAND = re.compile(rb"&#(?:0*38|x0*26);")


def check_doctype(utf8: bytes, doctype: int) -> None:
    """Raises `XmlRefused` if entities are too many or would expand beyond the JDK's limits, or are parameter entities.

    Counts without expanding: what one reference to each entity costs, then every reference outside of entity
    declarations. References in comments and CDATA sections count too, which Java does not do.
    """
    if utf8.count(b"<!ENTITY") > MAX_ENTITIES:
        message = f"the DOCTYPE declares more than {MAX_ENTITIES} entities; fairsim stops there"
        raise beyond_limit(message, Lines(utf8).pos(doctype), "write their values where they are used")
    values, references = _internal_subset(utf8, doctype)
    if any(_RETURN.search(value) for value in values.values()):
        message = "the DOCTYPE declares an entity with a carriage return, which Java's XML parser treats in its own way"
        raise beyond_limit(message, Lines(utf8).pos(doctype), "take the DOCTYPE out")
    costs: dict[bytes, tuple[int, int]] = {}
    count = size = 0
    for name, at in references:
        one = _cost(name, values, costs)
        count, size = count + one[0], size + one[1]
        if count > MAX_EXPANSIONS or size > MAX_EXPANDED:
            message = f"entities expand to more than the {MAX_EXPANSIONS} references or {MAX_EXPANDED} characters"
            message += " that Java's XML parser takes"
            raise not_well_formed(message, Lines(utf8).pos(at), "write out what the entities stand for")


def _internal_subset(utf8: bytes, doctype: int) -> tuple[dict[bytes, bytes], Iterator[tuple[bytes, int]]]:
    """Returns the values of the entities that a DOCTYPE declares, and the references to them elsewhere, with index."""
    values: dict[bytes, bytes] = {}
    spans: list[tuple[int, int]] = []
    opened = False
    end = None
    for token in _DTD_TOKEN.finditer(utf8, doctype, doctype + MAX_DOCTYPE):
        first = token[0][:1]
        if token[1]:
            values.setdefault(token[1], _AMPERSAND.sub(b"&", token[2]))
        elif first == b"%":
            name = token[0].decode("utf-8", "replace")
            message = f"the DOCTYPE uses a parameter entity ({name}), which fairsim does not expand"
            raise beyond_limit(message, Lines(utf8).pos(token.start()), "take the DOCTYPE out")
        elif first in (b'"', b"'"):
            spans.append(token.span())
        elif first == b"[":
            opened = True
        elif first == b"]" or (first == b">" and not opened):
            end = token.end()
            break
    if end is None and len(utf8) > doctype + MAX_DOCTYPE:
        message = f"the DOCTYPE is longer than {MAX_DOCTYPE:,} bytes; fairsim stops there"
        raise beyond_limit(message, Lines(utf8).pos(doctype), "take the DOCTYPE out")
    spans.append((end or len(utf8), len(utf8)))
    declared = re.compile(b"&(" + b"|".join(map(re.escape, values)) + b");")
    found = (declared.finditer(utf8, *span) for span in spans)
    return values, ((match[1], match.start()) for matches in found for match in matches)


def _cost(name: bytes, values: dict[bytes, bytes], costs: dict[bytes, tuple[int, int]]) -> tuple[int, int]:
    """Returns how many expansions and characters a reference to `name` causes; recursion is bounded by MAX_ENTITIES."""
    if name not in values:
        return 0, 0
    if name not in costs:
        costs[name] = 0, 0  # an entity within itself: expat refuses it
        inner = [_cost(found[1], values, costs) for found in _REFERENCE.finditer(values[name])]
        size = len(values[name]) + sum(one[1] for one in inner)
        costs[name] = min(1 + sum(one[0] for one in inner), MAX_EXPANSIONS + 1), min(size, MAX_EXPANDED + 1)
    return costs[name]
