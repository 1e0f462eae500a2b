"""Why expat stopped, in words for the person who wrote the file."""

from __future__ import annotations

import re
from typing import NamedTuple

from fairsim.diag import Pos, did_you_mean
from fairsim.xmlio.decode import START, Source
from fairsim.xmlio.lines import Lines
from fairsim.xmlio.node import Node
from fairsim.xmlio.refusal import XmlRefused, beyond_limit, not_well_formed

CURLY = "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u2032\u2033\u00ab\u00bb"
HTML_NAMES = ("nbsp", "copy", "mdash", "ndash", "hellip", "euro", "laquo", "raquo", "ldquo", "rdquo", "lsquo", "rsquo")
USE_QUOTES = 'write it as name="value", in straight quotes'
USE_AMP = "write &amp; for a plain &"

# expat's error codes (expat.h)
SYNTAX, NO_ELEMENTS, INVALID, UNCLOSED, PARTIAL, MISMATCH, DUPLICATE, JUNK = 2, 3, 4, 5, 6, 7, 8, 9
UNDEFINED, RECURSIVE, ASYNC, CHAR_REF, BINARY_REF, EXTERNAL_IN_ATTRIBUTE, MISPLACED_DECLARATION = (
    11, 12, 13, 14, 15, 16, 17,
)  # fmt: skip
UNCLOSED_CDATA, BAD_DECLARATION, AMPLIFIED = 20, 30, 43


class Reason(NamedTuple):
    """What is wrong, what to write instead, and the second place it takes to understand it."""

    message: str
    hint: str = ""
    pos: Pos | None = None
    other: Pos | None = None


def explain(source: Source, code: int, index: int, opened: list[Node], has_root: bool) -> XmlRefused:
    """Returns the refusal for an error of expat, given as code and byte index.

    `opened` are the elements open at that place, outermost first; `has_root` is whether a root element has begun.
    """
    utf8 = source.utf8
    lines = Lines(utf8)
    if code == UNCLOSED_CDATA:
        index = max(utf8.rfind(b"<![CDATA[", 0, index), 0)  # expat points to the end
    pos = lines.pos(index)
    wrong_byte = _wrong_byte(utf8, index)
    if wrong_byte:
        return _refusal(wrong_byte, pos)
    before = utf8[max(0, index - 20_000) : index].decode("utf-8", "replace")
    after = utf8[index : index + 400].decode("utf-8", "replace")
    if code == AMPLIFIED:
        return beyond_limit("entities expand to far more text than the file has; fairsim stops there", pos)
    if source.version_11 and (code == CHAR_REF or (code == INVALID and after > "\x7f")):
        return beyond_limit("fairsim does not read this character of an XML 1.1 file", pos, 'declare version="1.0"')
    if code == MISMATCH:
        return _refusal(_mismatch(after, opened, lines), Pos(pos.line, pos.column - 2))  # expat points behind </
    if code == NO_ELEMENTS:
        return _refusal(_ended(lines, opened, has_root), pos)
    if code in (INVALID, SYNTAX):
        return _refusal(_invalid(before, after, has_root=has_root), pos)
    reason = _by_code(code, after)
    return _refusal(reason, pos)


def _refusal(reason: Reason, pos: Pos) -> XmlRefused:
    return not_well_formed(reason.message, reason.pos or pos, reason.hint, other=reason.other)


def _wrong_byte(utf8: bytes, index: int) -> Reason | None:
    """Returns the reason if the parser stopped at bytes that are not UTF-8, or at a NUL."""
    try:
        utf8[max(0, index - 8) : index + 8].decode()
    except UnicodeDecodeError:
        try:
            utf8.decode()
        except UnicodeDecodeError as bad:
            if bad.start <= index + 8:
                byte = utf8[bad.start]
                guess = bytes([byte]).decode("cp1252", "replace")
                meant = f" ({guess} in windows-1252)" if guess.isprintable() and guess != "\ufffd" else ""
                message = f"the file is not UTF-8: the byte 0x{byte:02X}{meant} cannot stand there"
                hint = "save the file as UTF-8, or name its encoding in the XML declaration"
                return Reason(message, hint, Lines(utf8).pos(bad.start))
    if utf8[index : index + 1] == b"\0":
        return Reason("the file has a zero byte: it is binary, or UTF-16 without a byte order mark", "save it as UTF-8")
    return None


def _mismatch(after: str, opened: list[Node], lines: Lines) -> Reason:
    tag, where = opened[-1].tag, lines.pos(opened[-1].at)
    name = (re.match(r"[^\s>]*", after) or [""])[0]
    message = f"</{name}> cannot close <{tag}>, which opens in line {where.line}"
    if name in [element.tag for element in opened[:-1]]:
        hint = f"close <{tag}> first: with </{tag}>, or as <{tag} …/>"
    elif did_you_mean(name, [tag]):
        hint = f"write </{tag}>"
    else:
        hint = f"take </{name}> out, or write </{tag}>"
    return Reason(message, hint, other=where)


def _ended(lines: Lines, opened: list[Node], has_root: bool) -> Reason:
    if opened:
        tag, where = opened[-1].tag, lines.pos(opened[-1].at)
        return Reason(f"the file ends while <{tag}> of line {where.line} is open", f"add </{tag}>", other=where)
    if not has_root and not lines.utf8.strip():
        return Reason("the file is empty", "an allocation file holds at least <allocations/>", START)
    return Reason("the file has no element", "an allocation file holds at least <allocations/>")


def _by_code(code: int, after: str) -> Reason:
    from pyexpat import ErrorString

    name = (re.match(r"[&<]?/?([^\s=<>&;\"'/]*)", after) or [""] * 2)[1]
    if code in (UNCLOSED, PARTIAL, UNCLOSED_CDATA, ASYNC):
        return _unclosed(after, name)
    if code == DUPLICATE:
        return Reason(f"the attribute {name} is written twice", "keep one of the two")
    if code == JUNK:
        return _junk(after, name)
    if code == UNDEFINED:
        more = "; it is a name of HTML" if name in HTML_NAMES else ""
        return Reason(f"the entity &{name}; is not declared{more}", f"{USE_AMP}, or write the character itself")
    if code == CHAR_REF:
        return Reason(f"{after.partition(';')[0][:20]}; stands for no character that XML allows", "take it out")
    if code == MISPLACED_DECLARATION:
        message = "something stands before the XML declaration, if only a blank or an empty line"
        return Reason(message, "<?xml …?> must be the very first characters of the file, and there only once")
    if code == BAD_DECLARATION:
        return Reason("the XML declaration is malformed", 'write <?xml version="1.0" encoding="UTF-8"?>')
    if code == RECURSIVE:
        return Reason(f"the entity &{name}; refers to itself")
    if code in (BINARY_REF, EXTERNAL_IN_ATTRIBUTE):
        return Reason(f"the entity &{name}; cannot be used here")
    return Reason(f"the file is not well-formed: {ErrorString(code)}")


def _unclosed(after: str, name: str) -> Reason:
    kinds = (("<!--", "comment", "-->"), ("<![CDATA[", "CDATA section", "]]>"), ("<?", "instruction", "?>"))
    for start, kind, end in kinds:
        if after.startswith(start):
            return Reason(f"the {kind} that begins here is never ended", f"add {end}")
    if after.startswith("<!DOCTYPE"):
        return Reason("the DOCTYPE that begins here is never ended", "take it out")
    return Reason(f"the tag <{name} is not ended", "add >, and look for a quote that is missing")


def _junk(after: str, name: str) -> Reason:
    if after.startswith("<?xml"):
        return Reason("a second XML declaration stands behind the root element", "are these two files in one?")
    if after.startswith("<") and name:
        message = f"<{name}> is a second root element"
        return Reason(message, "put everything into one <allocations> element")
    return Reason("something stands after the end of the root element", "take it out, or make it a comment")


def _invalid(before: str, after: str, *, has_root: bool) -> Reason:
    """Returns the reason for a character that cannot stand where it does."""
    char = after[:1]
    shown = char if char.isprintable() and char.isascii() else f"U+{ord(char or ' '):04X}"
    if before.rfind("<!--") > before.rfind("-->"):
        message = "a comment holds --, or another comment"
        return Reason(message, "within <!-- and -->, write no -- and no second <!--")
    if char in CURLY and char:
        return Reason(f"a typographic quote ({char}) stands where a straight one belongs", USE_QUOTES)
    if re.search(r"&[^\s;<>\"'&]{0,40}$", before):
        return Reason("an & begins nothing known here", USE_AMP)
    if char and (char < " " or char in "\ufffe\uffff"):
        return Reason(f"the character {shown} cannot stand in an XML file", "take it out")
    if char == ">" and before.endswith("]]"):
        return Reason("]]> cannot stand in text", "write ]]&gt;")
    if not has_root and not re.search("<[^!?]|<$", before):
        first = f"{before.rpartition('>')[2]}{after}".split() or ["?"]
        message = f"the file does not begin with an element, but with {first[0][:20]}"
        return Reason(message, "is it an XML file?")
    if re.search(r"<\?[xX][mM][lL]$", before):
        return Reason("an instruction cannot be called xml here", "take it out")
    if before.endswith(("<!", "<!-")):
        return Reason(f"<!{shown} begins nothing", "a comment is written <!-- … -->")
    if before.endswith("<") and char == "/":
        name = after[1:].partition(">")[0][:40]
        return Reason(f"</{name}> closes nothing: no element is open", "take it out")
    if before.endswith(("<", "</")):
        message = f"a tag cannot begin with {shown if char.strip() else 'a blank'}"
        return Reason(message, "write &lt; for a plain <, and no blank after < of a tag")
    tag = re.search(r"<([^\s<>/=\"']+)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)(\"[^\"]*|'[^']*)?$", before)
    if tag is not None:
        return _in_tag(tag, char, shown)
    return Reason(f"the character {shown} cannot stand here")


def _in_tag(tag: re.Match[str], char: str, shown: str) -> Reason:
    """Returns the reason for a wrong character within the tag that `tag` matches up to there."""
    name, inside, quoted = tag[1], tag[2], tag[3]
    if quoted is not None:
        return Reason(f"a value in <{name}> holds <, or its closing quote is missing", "close it, or write &lt;")
    if inside.rstrip().endswith("="):
        return Reason(f"a value in <{name}> has no quotes", USE_QUOTES)
    if char == "<":
        return Reason(f"the tag <{name} is not ended", "add >")
    if char in "\"'":
        return Reason(f"a value in <{name}> has no attribute name and = before it", USE_QUOTES)
    word = re.search(r"([^\s=\"']+)\s*$", inside)
    if word is not None and char != "=":
        return Reason(f"the attribute {word[1]} of <{name}> has no value", USE_QUOTES)
    if inside.endswith(("'", '"')):
        return Reason(f"a blank is missing between the attributes of <{name}>", "add one")
    if char == "=":
        return Reason(f"the tag <{name} has an = in a wrong place", "put a blank between the tag and its attribute")
    return Reason(f"the character {shown} cannot stand in the tag <{name}>", USE_QUOTES)
