"""The bytes of a file to the UTF-8 that expat is given, decoded as the JDK's parser decodes them."""

from __future__ import annotations

from typing import NamedTuple

from fairsim.diag import Pos
from fairsim.xmlio.refusal import beyond_limit, not_well_formed

START = Pos(1, 1)
BOM_UTF8 = b"\xef\xbb\xbf"

_WIDE = (  # first bytes, codec, length of the byte order mark
    (b"\xfe\xff", "utf-16-be", 2),
    (b"\xff\xfe", "utf-16-le", 2),
    (b"\x00<\x00?", "utf-16-be", 0),
    (b"<\x00?\x00", "utf-16-le", 0),
)
_NOT_READ = ((b"Lo\xa7\x94", "EBCDIC"), (b"\0\0\0<", "UTF-32"), (b"<\0\0\0", "UTF-32"))
_PLAIN = (  # the declarations that nearly all files have
    b'<?xml version="1.0"?>',
    b'<?xml version="1.0" encoding="UTF-8"?>',
    b'<?xml version="1.0" encoding="utf-8"?>',
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
)


class Source(NamedTuple):
    """A file ready for expat: UTF-8 without byte order mark, and whether it declares XML 1.1."""

    utf8: bytes
    version_11: bool


def decode(data: bytes) -> Source:
    """Returns the file as UTF-8.

    Raises `XmlRefused` for a declaration or an encoding that the JDK refuses, or that is not known here.

    Follows the JDK's detection (XMLEntityManager): byte order mark or first four bytes, then the encoding declared.
    UTF-8 passes unchanged and is checked by expat.
    """
    for magic, name in _NOT_READ:
        if data.startswith(magic):
            raise beyond_limit(f"the file is in {name}, which fairsim does not read", START, "convert it to UTF-8")
    for magic, codec, mark in _WIDE:
        if data.startswith(magic):
            from fairsim.xmlio.charset import decode_wide

            return checked(*decode_wide(data[mark:], codec))
    body = data[3:] if data.startswith(BOM_UTF8) else data
    if body.startswith((b"<?xml ", b"<?xml\t", b"<?xml\r", b"<?xml\n", b"<?xml?")) and not body.startswith(_PLAIN):
        from fairsim.xmlio.charset import decode_declared

        return checked(*decode_declared(body))
    return checked(body, False)


def checked(body: bytes, version_11: bool) -> Source:
    """Returns the source unless expat would take its first bytes for another encoding, as the JDK does not."""
    if b"\0" in body[:2]:
        message = "the file has a zero byte: it is binary, or UTF-16 without a byte order mark"
        raise not_well_formed(message, START, "save it as UTF-8")
    if body.startswith((BOM_UTF8, b"\xfe\xff", b"\xff\xfe")):
        raise not_well_formed("the file has two byte order marks", START, "take out the first three bytes")
    return Source(body, version_11)
