"""How the XML layer says no: one exception that carries a finding."""

from __future__ import annotations

from fairsim.diag import ERROR, Finding, Pos
from fairsim.errors import FairsimError


class XmlRefused(FairsimError):
    """The bytes do not become a document; `finding` says why, where and what to write instead.

    `finding.refuses` is true when Hadoop's parser refuses them too, and false when it is fairsim alone that gives
    no answer (a limit of its own, or an external entity that it does not fetch).
    """

    def __init__(self, finding: Finding):
        super().__init__(finding.message, pos=finding.pos, hint=finding.hint or None)
        self.finding = finding


PARSE_FAILS = "Hadoop's XML parser refuses the file: the ResourceManager does not start, a reload keeps the old state"


def not_well_formed(message: str, pos: Pos | None, hint: str = "", *, other: Pos | None = None) -> XmlRefused:
    """Returns the refusal FS101 for bytes that the JDK's parser does not take either."""
    name = "xml-not-well-formed"
    return XmlRefused(Finding("FS101", name, ERROR, message, pos, PARSE_FAILS, hint, refuses=True, other=other))


def doctype_refused(pos: Pos) -> XmlRefused:
    """Returns the refusal FS103 of Hadoop's secure parser (YARN-11330)."""
    message = "the file has a DOCTYPE, which Hadoop refuses since 3.3.5 and 3.4.0"
    hint = "take the DOCTYPE out, and write the values of its entities where they are used"
    return XmlRefused(Finding("FS103", "doctype-present", ERROR, message, pos, PARSE_FAILS, hint, refuses=True))


def not_fetched(what: str, pos: Pos) -> XmlRefused:
    """Returns the refusal for something that Hadoop's parser would load from outside the file."""
    message = f"{what}: Hadoop would fetch it, fairsim never does, so what the file says cannot be told"
    hint = "write the contents into the file itself; Hadoop 3.3.5 and later refuse any DOCTYPE"
    return XmlRefused(Finding("FS103", "doctype-present", ERROR, message, pos, "", hint))


def beyond_limit(message: str, pos: Pos | None, hint: str = "") -> XmlRefused:
    """Returns the refusal for input beyond a limit of fairsim, which Hadoop may or may not share."""
    return XmlRefused(Finding("FS123", "file-beyond-limits", ERROR, message, pos, "", hint))
