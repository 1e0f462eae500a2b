"""What the chain is made of: checks with their numbers and sources, the landing of an application, the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fairsim.model.resources import Amount

#: What a check says: it lets the application pass; it stops it; it stops nothing and tells something; it could not be
#: made; it was not reached.
PASSES, STOPS, TELLS, UNKNOWN, SKIPPED = "passes", "stops", "tells", "unknown", "skipped"

RUNS, WAITS, REFUSED = "runs", "waits", "refused"


class Source(NamedTuple):
    """Where a number comes from: the element or property, and its file and line (None: Hadoop's default, or --set).

    `origin` is file, default, changed (by a what-if), site (yarn-site or -D), cluster or state.
    """

    what: str
    origin: str
    file: str | None = None
    line: int | None = None


class Check(NamedTuple):
    """One check of the chain.

    name: its stable name; queue: the queue (or user, or nothing) it is about; verdict: one of the words above; text:
    what was compared, with the numbers; ends: what a check that stops leads to, `waits` or `refused`; reason: the same
    in few words, for the result; numbers: for programs, integers and amounts by name; details: lines that say more;
    hint: what to do.
    """

    name: str
    queue: str
    verdict: str
    text: str
    sources: tuple[Source, ...] = ()
    ends: str = WAITS
    reason: str = ""
    numbers: Mapping[str, Any] = {}
    details: tuple[str, ...] = ()
    hint: str = ""


class Permission(NamedTuple):
    """Whether the user may submit to the queue, in words, and the lists that say so; what helps when not."""

    allowed: bool
    text: str
    sources: tuple[Source, ...] = ()
    details: tuple[str, ...] = ()
    hint: str = ""


class Landing(NamedTuple):
    """Where an application lands, or why it lands nowhere.

    outcome: placed or refused; queue: full name, empty when none; created: queues that come into being for it,
    parents first; text: by which rule, or the reason; step: the check that refuses (placement or acl); trace: each rule
    in words, in order; permission: None when access was not checked.
    """

    outcome: str
    queue: str
    text: str
    created: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    trace: tuple[str, ...] = ()
    permission: Permission | None = None
    hint: str = ""


#: Gives the landing of an application for the queue that was asked for (None: none was).
Placer = Callable[[str | None], Landing]


class Question(NamedTuple):
    """The application asked about: its user, the size of its master, and for one that is in the state its name.

    `am_assumed` tells that nobody gave the size; `ask` is the size of the container that a running application waits
    for, None for what the state says.
    """

    user: str
    am: Amount
    am_assumed: bool = False
    app: str | None = None
    ask: Amount | None = None


class Answer(NamedTuple):
    """The end of the chain.

    verdict: runs, waits or refused; reason: in few words, empty when it runs; queue: full name, empty when it lands
    nowhere; first: the place of the deciding check in `checks`, None when it runs; position: its place in the waiting
    line, None when it is in none; assumed: approximations and what was taken for granted.
    """

    verdict: str
    reason: str
    queue: str
    user: str
    app: str | None
    ask: Amount
    checks: Sequence[Check]
    first: int | None
    position: int | None
    assumed: Sequence[str]
