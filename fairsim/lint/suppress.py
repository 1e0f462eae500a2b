"""Remarks in the file that switch rules off: `<!-- fairsim: ignore FS601 because ... -->` before an element.

Such a comment is about the element that follows and all that stands in it, `ignore-file` about the whole file. The
reason is asked for: the next reader of the file wants to know it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from fairsim.diag import INFO, WARNING, Finding, Pos, did_you_mean
from fairsim.lint.rule import Family
from fairsim.lint.run import Found
from fairsim.xmlio.reader import Document, Element

FAMILY = Family()
_OURS = re.compile(r"\s*fairsim\s*:\s*(.*?)\s*", re.DOTALL)
_FORM = re.compile(r"(ignore-file|ignore)\b[\s:]*((?:FS\d{0,3}|ALL)(?:[\s,]+(?:FS\d{0,3}|ALL))*)?[\s,]*(.*)", re.DOTALL)
_BECAUSE = re.compile(r"(?:because\b|[-:\u2013\u2014]+)\s*", re.IGNORECASE)
_HINT = "write <!-- fairsim: ignore FS601 because ... --> before an element, or ignore-file for the whole file"


class Suppression:
    """One comment: codes and prefixes, the places it is about (`end` None: to the end of the file), and its reason."""

    __slots__ = ("codes", "end", "pos", "reason", "start", "used")

    def __init__(self, pos: Pos, codes: tuple[str, ...], reason: str, start: Pos | None, end: Pos | None):
        self.pos = pos
        self.codes = codes
        self.reason = reason
        self.start = start
        self.end = end
        self.used: set[str] = set()

    def takes(self, one: Found) -> bool:
        """Tells whether a finding is one that the comment is about, and remembers that it was of use."""
        pos = one.finding.pos
        if one.where is not None or (self.start is not None and pos is None):
            return False
        if pos is not None and self.start is not None and not (self.start <= pos and (not self.end or pos < self.end)):
            return False
        taken = [code for code in self.codes if one.finding.code.startswith(code)]
        self.used.update(taken)
        return bool(taken)


def suppressed(
    found: Sequence[Found], document: Document | None, ran: Collection[str], hadoop: tuple[str, ...]
) -> tuple[list[Found], int]:
    """Returns the findings without those that comments switch off, with findings about the comments; and their number.

    `ran` are the codes of the rules that were run: a comment about another one cannot be called unused. What Hadoop
    refuses the file for can be switched off, too.
    """
    comments = [] if document is None else [one for one in document.comments if "fairsim" in one.text]
    if document is None or not comments:
        return list(found), 0
    remarks: list[Finding] = []
    suppressions = []
    order = _order(document)
    for comment in comments:
        match = _OURS.fullmatch(comment.text)
        if match is None:
            continue
        suppression = _read(match[1], comment.pos, order, remarks)
        if suppression is not None:
            suppressions.append(suppression)
    kept = []
    for one in found:
        takers = [each for each in suppressions if each.takes(one)]  # all of them are of use
        if not takers:
            kept.append(one)
    for each in suppressions:
        remarks += _remarks(each, ran)
    own = [Found(finding, None, hadoop) for finding in remarks]
    return kept + own, len(found) - len(kept)


def _read(text: str, pos: Pos, order: list[tuple[Pos, int]], remarks: list[Finding]) -> Suppression | None:
    match = _FORM.fullmatch(text)
    if match is None or match[2] is None:
        word = text.split(None, 1)[0] if text else ""
        near = "" if match else did_you_mean(word, ("ignore", "ignore-file"))
        message = "names no rule to ignore" if match else f"{word!r} is no word for fairsim"
        hint = f"did you mean {near}?" if near else _HINT
        remarks.append(Finding("FS012", "suppression-not-understood", WARNING, message, pos, "it does nothing", hint))
        return None
    from fairsim.lint.catalog import RETIRED, all_rules  # most files have no such comment

    codes = tuple(code if code != "ALL" else "FS" for code in re.split(r"[\s,]+", match[2].strip(" \t\r\n,")) if code)
    unknown = [code for code in codes if code in RETIRED or not any(one.startswith(code) for one in all_rules())]
    for code in unknown:
        message = f"there is no rule {code}"
        remarks.append(Finding("FS012", "suppression-not-understood", WARNING, message, pos, "it does nothing", _HINT))
    codes = tuple(code for code in codes if code not in unknown)
    reason = _BECAUSE.sub("", match[3], count=1).strip()
    if match[1] == "ignore-file":
        return Suppression(pos, codes, reason, None, None)
    start, end = _element_behind(pos, order)
    return Suppression(pos, codes, reason, start or pos, end if start else pos)


def _order(document: Document) -> list[tuple[Pos, int]]:
    """Every element in the order of the file: its place, and the number of the first element behind all it holds."""
    places: list[Pos] = []
    ends: list[int] = []
    stack: list[tuple[Element, int | None]] = [(document.root, None)]  # a hostile file may nest deep
    while stack:
        element, number = stack.pop()
        if number is not None:
            ends[number] = len(places)
            continue
        stack.append((element, len(places)))
        places.append(document.pos(element))
        ends.append(0)
        stack.extend((child, None) for child in reversed(list(element)))
    return list(zip(places, ends, strict=True))


def _element_behind(pos: Pos, order: list[tuple[Pos, int]]) -> tuple[Pos | None, Pos | None]:
    """The places where the element behind a comment starts, and where the next one behind it does."""
    from bisect import bisect_right

    number = bisect_right(order, pos, key=lambda one: one[0])
    if number == len(order):
        return None, None
    start, behind = order[number]
    return start, order[behind][0] if behind < len(order) else None


def _remarks(each: Suppression, ran: Collection[str]) -> Iterator[Finding]:
    idle = [code for code in each.codes if code not in each.used and any(one.startswith(code) for one in ran)]
    if idle:
        message = f"{', '.join(idle)} would not be found here"
        yield Finding("FS010", "suppression-unused", WARNING, message, each.pos, "it does nothing", "take it out")
    if each.codes and not each.reason:
        hint = f"write <!-- fairsim: ignore {', '.join(each.codes)} because ... -->"
        yield Finding("FS011", "suppression-without-reason", INFO, "no reason is given", each.pos, "", hint)


# -- the pages of what is said about such comments


@FAMILY.told("FS010", WARNING)
def suppression_unused() -> None:
    """A remark switches off a rule that finds nothing there.

    When: nothing that stands in the element behind `fairsim: ignore` (or in the file, for `ignore-file`) is found by
        the rule, which was run.
    Effect: none on Hadoop; the remark would hide what somebody writes there later.
    Write: take the code out of the comment.
    Versions: all
    Source: fairsim
    Bad: <!-- fairsim: ignore FS603 because alice asked for it --><queue name="a"/>
    Good:
        <!-- fairsim: ignore FS603 because eng is a group -->
        <queue name="a"><aclSubmitApps>alice, eng</aclSubmitApps></queue>
    """


@FAMILY.told("FS011", INFO)
def suppression_without_reason() -> None:
    """A remark switches off a rule and does not say why.

    When: nothing stands behind the codes.
    Effect: none on Hadoop.
    Write: the reason behind the codes, for whoever reads the file next.
    Versions: all
    Source: fairsim
    Bad:
        <!-- fairsim: ignore FS603 -->
        <queue name="a"><aclSubmitApps>alice, eng</aclSubmitApps></queue>
    Good:
        <!-- fairsim: ignore FS603 because eng is a group -->
        <queue name="a"><aclSubmitApps>alice, eng</aclSubmitApps></queue>
    """


@FAMILY.told("FS012", WARNING)
def suppression_not_understood() -> None:
    """A comment that begins with `fairsim:` is no remark that fairsim understands.

    When: the word behind it is neither ignore nor ignore-file, or no rule of the catalogue is named.
    Effect: none on Hadoop; the comment switches nothing off.
    Write: `fairsim: ignore FS603 because eng is a group` before an element, `ignore-file` for the whole file.
    Versions: all
    Source: fairsim
    Bad: <!-- fairsim: ignroe FS603 because eng is a group --><queue name="a"/>
    Good: <!-- fairsim computes the shares of this file --><queue name="a"/>
    """
