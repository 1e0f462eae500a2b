"""XML declarations, encodings other than UTF-8, and XML 1.1: what few files have."""

from __future__ import annotations

import re
from typing import NoReturn

from fairsim.diag import Pos
from fairsim.xmlio.encodings import DASH, DOUBTFUL, REPLACE, find_encoding, java_may_know
from fairsim.xmlio.refusal import beyond_limit, not_well_formed

START = Pos(1, 1)
WRITE_DECLARATION = 'write <?xml version="1.0" encoding="UTF-8"?>, or leave the line out'

_DECLARATION = re.compile(
    r"""<\?xml [\s]++ version [\s]*+ = [\s]*+ (?: "(?P<v1>[^"]*)" | '(?P<v2>[^']*)' )
    (?: [\s]++ encoding [\s]*+ = [\s]*+ (?: "(?P<e1>[^"]*)" | '(?P<e2>[^']*)' ) )?
    (?: [\s]++ standalone [\s]*+ = [\s]*+ (?: "(?:yes|no)" | '(?:yes|no)' ) )?
    [\s]*+ \?>""".replace(r"[\s]", r"[ \t\r\n]"),
    re.VERBOSE,
)
_ENCODING_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
_TAB_IN_VALUE = re.compile(r"""=[ \t\n]*+("[^"<\t]*+\t|'[^'<\t]*+\t)""")
_FORBIDDEN_11 = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")


def decode_declared(body: bytes) -> tuple[bytes, bool]:
    """Returns a file that begins with an XML declaration as UTF-8, and whether it is XML 1.1."""
    end = body.find(b"?>") + 2
    if end < 2:
        _bad_declaration(body[:2000].decode("latin-1"))
    version, name = _declared(body[:end].decode("latin-1"))
    if name is not None and name.upper() != "UTF-8":
        body = body[:end] + _to_utf8(body[end:], name)
    return (_version_11(body), True) if version == "1.1" else (body, False)


def decode_wide(data: bytes, codec: str) -> tuple[bytes, bool]:
    """Returns a UTF-16 file (without byte order mark) as UTF-8, and whether it is XML 1.1."""
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as bad:
        message = "the file is UTF-16 with half a character in it"
        raise not_well_formed(message, _place(data[: bad.start].decode(codec)), "save it as UTF-8") from None
    version, name = "1.0", None
    if text.startswith(("<?xml ", "<?xml\t", "<?xml\r", "<?xml\n", "<?xml?")):
        version, name = _declared(text[: text.find("?>") + 2])
    if name is not None and not _fits(name.upper(), codec):
        message = f"the XML declaration says encoding {name}, but the bytes are UTF-16 ({codec[-2:].upper()})"
        raise not_well_formed(message, START, "save the file in the declared encoding, or declare the one it is in")
    body = text.encode()
    return (_version_11(body), True) if version == "1.1" else (body, False)


def _fits(name: str, codec: str) -> bool:
    """True if the JDK goes on reading a UTF-16 file properly after it has seen the declared name."""
    if name in ("UTF-16", "ISO-10646-UCS-2"):
        return True
    if codec == "utf-16-le":
        return name in ("UTF-16LE", "UTF_16LE", "X-UTF-16LE", "UNICODELITTLE", "UNICODELITTLEUNMARKED")
    return name in ("UTF-16BE", "UTF_16BE", "X-UTF-16BE", "UTF16", "UTF_16", "UNICODE", "UNICODEBIG")


def _declared(text: str) -> tuple[str, str | None]:
    """Returns version and encoding name of an XML declaration, both checked for their form."""
    match = _DECLARATION.fullmatch(text)
    if match is None:
        _bad_declaration(text)
    version = match["v1"] if match["v1"] is not None else match["v2"]
    name: str | None = match["e1"] if match["e1"] is not None else match["e2"]
    if version not in ("1.0", "1.1"):
        raise not_well_formed(f"XML version {version!r} does not exist for the parser", START, WRITE_DECLARATION)
    if name is not None and not _ENCODING_NAME.fullmatch(name):
        raise not_well_formed(f"{name!r} cannot be the name of an encoding", START, WRITE_DECLARATION)
    return version, name


def _bad_declaration(text: str) -> NoReturn:
    if re.search("[\u201c-\u201f\u2032\u2033]|\xe2\x80[\x98-\x9f\xb2\xb3]", text):
        message = "the XML declaration has typographic quotes"
    elif ">" in text.removesuffix("?>") or "?>" not in text:
        message = "the XML declaration is not ended by ?>"
    elif re.search("\x85|\u2028|\xe2\x80\xa8", text):
        raise beyond_limit("the XML declaration has a line end of XML 1.1", START, WRITE_DECLARATION)
    else:
        message = "the XML declaration is malformed"
    raise not_well_formed(message, START, WRITE_DECLARATION)


def _to_utf8(data: bytes, name: str) -> bytes:
    """Returns what follows the declaration, decoded from the named encoding."""
    encoding = find_encoding(name)
    if encoding is None:
        if java_may_know(name):
            hint = "convert the file to UTF-8"
            raise beyond_limit(f"fairsim does not know the encoding {name} of the XML declaration", START, hint)
        raise not_well_formed(f"Java knows no encoding of the name {name!r}", START, WRITE_DECLARATION)
    if encoding.codec.startswith(("utf-16", "utf-32")):
        message = f"the XML declaration says encoding {name}, but the bytes are not {encoding.codec[:6].upper()}"
        raise not_well_formed(message, START, WRITE_DECLARATION)
    try:
        text = data.decode(encoding.codec, encoding.errors)
    except UnicodeDecodeError as bad:
        pos = _place(data[: bad.start].decode(encoding.codec, REPLACE))
        message = f"the byte 0x{data[bad.start]:02X} means nothing in the declared encoding {name}"
        hint = "save the file as UTF-8 and declare that"
        if encoding.codec == "ascii":
            raise not_well_formed(message, pos, hint) from None
        message += "; Hadoop reads some U+FFFD there, fairsim does not follow it"
        raise beyond_limit(message, pos, hint) from None
    doubtful = re.search(f"[{DOUBTFUL[encoding.codec]}]", text) if encoding.codec in DOUBTFUL else None
    if doubtful:
        message = f"the file has a character that Java may read otherwise in the encoding {name}"
        raise beyond_limit(message, _place(text[: doubtful.start()]), "save the file as UTF-8 and declare that")
    if encoding.codec in DASH:
        text = text.replace("\u2015", "\u2014")
    return text.encode()


def _place(before: str) -> Pos:
    return Pos(before.count("\n") + 1, len(before) - before.rfind("\n"))


def _version_11(body: bytes) -> bytes:
    """Returns an XML 1.1 file unless it has what is read otherwise there than in XML 1.0.

    Control characters are refused by the JDK, too. With NEL, LS (line ends of XML 1.1) and tabs in attribute values it
    does one thing or another, by what stands elsewhere in the file: no answer. What is left (control characters as
    references, other name characters) expat refuses.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return body  # expat finds the place
    wrong = _FORBIDDEN_11.search(text)
    if wrong:
        message = f"the control character U+{ord(wrong[0]):04X} cannot stand in an XML 1.1 file"
        raise not_well_formed(message, _place(text[: wrong.start()]), "take it out")
    odd = re.search("[\x85\u2028]", text) or _TAB_IN_VALUE.search(text)
    if odd:
        what = "a tab in an attribute value" if odd[0].endswith("\t") else "a line end of XML 1.1 (NEL or LS)"
        message = f"the file declares XML 1.1 and has {what}; fairsim does not follow Java there"
        raise beyond_limit(message, _place(text[: odd.end() - 1]), 'declare version="1.0"')
    return body
