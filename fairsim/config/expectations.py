"""The lines of `--expect`: a submission, an arrow, what should become of it.

    fred,eng,ops etl -> root.etl
    ann              -> root.users.ann
    * secret         -> reject:ACL
    old-user         -> exception

The user `*` is anybody whom no list names; in the answer it stands for that user. Names in quotes are taken as they
are, with two quotes for one.
"""

from __future__ import annotations

import re

from fairsim.config.groups import GroupNames
from fairsim.config.names import full_name
from fairsim.diag import Pos, did_you_mean
from fairsim.errors import InputError

#: A name that no file has: stands for `*`.
ANYBODY = "anybody-else"
PLACED, REJECT, EXCEPTION, FAILED, FATAL, LOAD_ERROR = "placed", "reject", "exception", "failed", "fatal", "load-error"
WORDS = (PLACED, REJECT, EXCEPTION, FAILED, FATAL, LOAD_ERROR)
_HINT = "write `fred,eng x -> root.x`, or reject, exception, failed or fatal behind the arrow, with :REASON if wanted"
_NAME = r'"(?:[^"]|"")*"|[^\s,"][^\s,]*'
_SUBMISSION = re.compile(rf"(?P<user>{_NAME})(?P<groups>(?:,(?:{_NAME})?)*)(?:\s+(?P<queue>.+))?", re.DOTALL)
_GROUP = re.compile(rf",({_NAME})?")


class Expectation:
    """One line: who (groups False: not told), the queue asked for (None: none), and what should come of it.

    `word` is one of WORDS, `placed` with the queue in `wanted` (empty: any), else with the begin of a reason.
    """

    __slots__ = ("groups", "line", "queue", "text", "user", "wanted", "word")

    def __init__(self, line: int, text: str):
        self.line = line
        self.text = text
        self.user = ""
        self.groups: GroupNames | bool | None = False
        self.queue: str | None = None
        self.word = PLACED
        self.wanted = ""


def read_expectations(data: bytes, where: str) -> list[Expectation]:
    """Returns the expectations in order. Raises InputError with the line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8", where=where, hint="save it as UTF-8") from None
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            found.append(_read(bare, number, where))
    if not found:
        raise InputError("the file has no expectations", where=where, hint=_HINT)
    if len({one.word == LOAD_ERROR for one in found}) > 1:
        at = Pos(next(one.line for one in found if one.word == LOAD_ERROR), 1)
        hint = "put it into a file of its own: where the file does not load, nothing is placed"
        raise InputError("load-error stands among other expectations", where=where, pos=at, hint=hint)
    return found


def _read(text: str, number: int, where: str) -> Expectation:
    asked, arrow, answer = text.rpartition("->")
    asked, answer = asked.strip(), answer.strip()
    one = Expectation(number, text)
    pos = Pos(number, 1)
    if not arrow or not answer:
        if text.strip() == LOAD_ERROR:
            asked, answer = "*", LOAD_ERROR
        else:
            raise InputError(f"{text!r:.60} has no answer behind an arrow", where=where, pos=pos, hint=_HINT)
    parts = _SUBMISSION.fullmatch(asked)
    if parts is None:
        what = "has no user" if asked[:1] in ("", ",") else "is no submission"
        raise InputError(f"{text!r:.60} {what}", where=where, pos=pos, hint=_HINT)
    user, groups, queue = parts["user"], parts["groups"], (parts["queue"] or "").strip()
    one.user = ANYBODY if user == "*" else _word(user)
    if groups:
        names = [name for name in _GROUP.findall(groups) if name]
        one.groups = None if names == ["-"] else tuple(dict.fromkeys(map(_word, names)))
    if queue:
        one.queue = _unquoted(queue)
    _answer(one, answer, where, pos)
    return one


def _word(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _answer(one: Expectation, text: str, where: str, pos: Pos) -> None:
    word, colon, reason = text.partition(":")
    if word in WORDS:
        one.word, one.wanted = word, reason.strip().upper()
        if colon and word in (PLACED, LOAD_ERROR):
            hint = f"write {word}, or the full name of a queue"
            raise InputError(f"{word} takes no reason", where=where, pos=pos, hint=hint)
        return
    name = _unquoted(text)
    if name != "root" and not name.startswith("root."):
        near = did_you_mean(name, WORDS)
        hint = f"did you mean {near}?" if near else f"write {full_name(name)}, or one of {', '.join(WORDS)}"
        raise InputError(f"{name!r:.60} is neither a full queue name nor an outcome", where=where, pos=pos, hint=hint)
    one.wanted = name.replace("*", ANYBODY)
