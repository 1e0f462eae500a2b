"""Files that are not allocation files of YARN, or not yet: told apart by what they hold."""

from __future__ import annotations

import re
from typing import NamedTuple

from fairsim.config.unknown import IMPALA_ELEMENTS, MR1_ELEMENTS
from fairsim.diag import Pos
from fairsim.xmlio.node import Document

LOOK_AT = 262_144  # bytes from the start of a file: what a file is, its beginning tells

START = Pos(1, 1)
RENDER = "render the template first, and give fairsim the result"
_COMPRESSED = (
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
_YARN_TAGS = (
    "queue", "minResources", "maxResources", "maxRunningApps", "maxAMShare", "maxContainerAllocation",
    "maxChildResources", "schedulingPolicy", "aclSubmitApps", "aclAdministerApps", "queueMaxAppsDefault",
    "userMaxAppsDefault", "queueMaxResourcesDefault", "queueMaxAMShareDefault", "defaultQueueSchedulingPolicy",
    "queuePlacementPolicy", "fairSharePreemptionThreshold", "allowPreemptionFrom",
)  # fmt: skip

_BLANK_OR_COMMENT = r"(?: \s+ | <!--.*?(?:-->|\Z) | <\?.*?(?:\?>|\Z) | \#[^\n]*\n )*+"
_FIRST_LINE = (
    _BLANK_OR_COMMENT
    + r"""(?: (?P<json> \{\s*["}] | \[\s*[\[{"] )
    | (?P<html> <!DOCTYPE\s+html | <(?:html|head|body)\b )
    | (?P<yaml> ---\s | [A-Za-z][\w.-]*\s*[:=](?:\s|\w) ) )"""
)

# Without any of these in it, a well-formed file needs no closer look (and no compiling of the expressions below).
_SUSPICIOUS = (
    "{{", "{%", "#{", "<%", "$", "@", "__", "<html", "<HTML", "<property", "<configuration", "<minShare>", "<minShare ",
    *IMPALA_ELEMENTS,
    *MR1_ELEMENTS,
)  # fmt: skip

# One scan finds all evidence. Comments are skipped, since they tell nothing about what the file is.
_EVIDENCE = (
    r"""(?=[<{$\#@_]) (?:
      (?P<comment> <!--.*?(?:-->|\Z) )
    | (?P<html> <(?:html|HTML)\b )
    | (?P<configuration> <configuration\b )
    | (?P<property> <property\b )
    | (?P<name> <name>\s*(?:yarn|dfs|fs|mapreduce|mapred|hadoop|llama)\.[\w.-]* )
    | (?P<jinja> \{%[^%\n]{0,80}(?:%\})? | \{\{(?!GO)[^{}\n]{0,80}(?:\}\})? )
    | (?P<go> \{\{[^{}\n]{0,80}(?:\}\})? )
    | (?P<erb> <%(?!--) )
    | (?P<shell> \$\{[^{}<>\s]{1,100}\} | (?<![\w$])\$[A-Z_][A-Z0-9_]+\b )
    | (?P<ruby> \#\{[^{}<>\n]{1,100}\} )
    | (?P<at> (?<![\w.@-])@[A-Za-z][\w.-]*@(?![\w.@-]) )
    | (?P<marker> (?<=[>\s,])__[A-Z](?:_?[A-Z0-9])*__(?=\s*(?:mb|vcores|,|</)) )
    | (?P<mr1> <(?:MR1)\s*> )
    | (?P<spark> <minShare\ ?> )
    | (?P<impala> <(?:IMPALA)\s*> )
    | (?P<yarn> <(?:YARN)(?=[\s/>]) ) )""".replace("MR1", "|".join(MR1_ELEMENTS))
    .replace("GO", r"-?\s*(?:[.$]|(?:if|range|end|include|template|with)\b)")
    .replace("IMPALA", "|".join(IMPALA_ELEMENTS))
    .replace("YARN", "|".join(_YARN_TAGS))
)

_TEMPLATES = (
    ("jinja", "a template for Jinja (Ansible, Salt)"),
    ("go", "a template for Go (Helm, consul-template)"),
    ("erb", "a template for ERB (Puppet, Chef)"),
    ("ruby", "a template with Ruby expressions"),
    ("shell", "a template with variables of a shell"),
    ("at", "a template with markers between @ signs"),
    ("marker", "a template with markers to be replaced"),
)


class Recognised(NamedTuple):
    """What a file is instead: a fixed word, a sentence, the place that shows it, and what to do."""

    kind: str
    message: str
    pos: Pos
    hint: str


def recognise(data: bytes, document: Document | None) -> Recognised | None:
    """Returns what the file is if it is no allocation file of YARN, or not yet one; None if nothing speaks against it.

    `document` is the file parsed, or None if it is not well-formed. Looks at the first LOOK_AT bytes only. An
    allocation file with some elements of MR1 or Impala in it is one all the same: such elements are ignored by YARN.
    """
    found = _by_first_bytes(data)
    if found is not None:
        return found
    text = _text(data[:LOOK_AT])
    if document is None:
        if _is_binary(data):
            return Recognised("binary", "the file is binary, not text", START, "an allocation file is XML text")
        found = _by_first_characters(text)
        if found is not None:
            return found
    elif not any(word in text for word in _SUSPICIOUS):
        return None
    hits = _scan(text)
    for look in (_configuration, _template, _property, _other_scheduler):
        found = look(text, hits)
        if found is not None:
            return found
    return None


def _by_first_bytes(data: bytes) -> Recognised | None:
    if not data.strip():
        hint = "an allocation file holds at least <allocations/>"
        return Recognised("empty", "the file is empty", START, hint)
    for magic, name in _COMPRESSED:
        if data.startswith(magic):
            return Recognised("compressed", f"the file is compressed ({name})", START, "unpack it first")
    return None


def _is_binary(data: bytes) -> bool:
    """Tells by the characters that no text has: NUL, unless every other byte is one, or many control characters."""
    begin = data[:4096]
    wide = begin.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"))
    odd = sum(byte < 32 and byte not in b"\t\n\f\r\x1b" for byte in begin)
    return not wide and (b"\0" in begin or odd * 50 > len(begin))


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def _by_first_characters(text: str) -> Recognised | None:
    """Returns what a file is that is not well-formed XML, if its beginning tells."""
    first = re.compile(_FIRST_LINE, re.VERBOSE | re.DOTALL | re.IGNORECASE).match(text)
    if first is None:
        return None
    kind = str(first.lastgroup)
    if kind == "json" and not first["json"].startswith(("{{", "{%")):
        hint = "an allocation file is XML: <allocations> with <queue> elements"
        return Recognised("json", "the file is JSON", _pos(text, first.start("json")), hint)
    if kind == "yaml" and "<allocations" not in text:
        hint = "an allocation file is XML: <allocations> with <queue> elements"
        return Recognised("yaml", "the file is YAML, or a list of properties", _pos(text, first.start("yaml")), hint)
    if kind == "html":
        hint = "download the file itself: the raw view of the site, not its page"
        return Recognised("html", "the file is a web page", _pos(text, first.start("html")), hint)
    return None


def _scan(text: str) -> dict[str, re.Match[str]]:
    """Returns the first hit of each kind of evidence. In a list of users, __NAME__ may be a name."""
    hits: dict[str, re.Match[str]] = {}
    for hit in re.compile(_EVIDENCE, re.VERBOSE | re.DOTALL).finditer(text):
        kind = str(hit.lastgroup)
        if kind not in hits and not (kind == "marker" and text.startswith("<acl", text.rfind("<", 0, hit.start()))):
            hits[kind] = hit
    return hits


def _configuration(text: str, hits: dict[str, re.Match[str]]) -> Recognised | None:
    if "html" in hits and "yarn" not in hits:
        hint = "download the file itself: the raw view of the site, not its page"
        return Recognised("html", "the file is a web page", _pos(text, hits["html"].start()), hint)
    root = hits.get("configuration")
    if root is None or "yarn" in hits:
        return None
    pos = _pos(text, root.start())
    capacity = text.find("yarn.scheduler.capacity.")
    if capacity >= 0:
        hint = "fairsim reads the FairScheduler's file; Hadoop's fs2cs converts the other way round only"
        pos = _pos(text, capacity)
        return Recognised("capacity-scheduler", "the file configures the CapacityScheduler", pos, hint)
    if "yarn.scheduler.fair." in text or "yarn.resourcemanager." in text or "yarn.nodemanager." in text:
        hint = "give it as --yarn-site, and the file that yarn.scheduler.fair.allocation.file names as ALLOC"
        return Recognised("yarn-site", "the file is a yarn-site.xml, not an allocation file", pos, hint)
    hint = "an allocation file begins with <allocations>"
    message = "the file is a configuration of Hadoop, not an allocation file"
    return Recognised("hadoop-configuration", message, pos, hint)


def _template(text: str, hits: dict[str, re.Match[str]]) -> Recognised | None:
    found = [(hits[kind].start(), kind, words) for kind, words in _TEMPLATES if kind in hits]
    if not found:
        return None
    _, kind, words = min(found)
    hit = hits[kind]
    shown = hit[0].partition("\n")[0][:40]
    message = f"the file is {words}, not yet filled in: {shown}"
    return Recognised(f"template-{kind}", message, _pos(text, hit.start()), RENDER)


def _property(text: str, hits: dict[str, re.Match[str]]) -> Recognised | None:
    if "property" not in hits or "name" not in hits:
        return None
    pos = _pos(text, hits["property"].start())
    message = "the file has properties of yarn-site.xml in it, which have no effect there"
    return Recognised("yarn-site-properties", message, pos, "move the <property> elements to yarn-site.xml")


def _other_scheduler(text: str, hits: dict[str, re.Match[str]]) -> Recognised | None:
    if "spark" in hits and "yarn" not in hits:
        pos = _pos(text, hits["spark"].start())
        message = "the file is a pool file of Spark (spark.scheduler.allocation.file): minShare counts cores of one app"
        return Recognised("spark-pools", message, pos, "YARN reads queues: <queue> with <weight>, <minResources>")
    if "mr1" in hits and "yarn" not in hits:
        pos = _pos(text, hits["mr1"].start())
        message = "the file is a pool file of MapReduce 1: YARN knows no slots, and ignores its limits"
        hint = "write minResources, maxResources and maxRunningApps instead of the limits in maps, reduces and jobs"
        return Recognised("mr1-pools", message, pos, hint)
    if "impala" in hits:
        pos = _pos(text, hits["impala"].start())
        message = "the file has query limits of Impala in it, which YARN ignores"
        return Recognised("impala", message, pos, "what else it says is read as YARN would")
    return None


def _pos(text: str, index: int) -> Pos:
    """Returns the place of a character; line ends as in XML."""
    before = text[:index]
    lines = before.count("\n") + before.count("\r") - before.count("\r\n")
    return Pos(lines + 1, index - max(before.rfind("\n"), before.rfind("\r")))
