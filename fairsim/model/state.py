"""What runs on a cluster at one moment: usage and applications per queue and user."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from fairsim.model.resources import Amount

#: States of an application: it has a master; it may run and has none yet; a running limit holds it back; one of the
#: last two, which the source does not tell apart.
RUNNING, ACCEPTED, WAITING, PENDING = "running", "accepted", "waiting", "pending"


class Ask(NamedTuple):
    """So many containers of one size that an application waits for."""

    size: Amount
    number: int


class AppUse(NamedTuple):
    """One application. `start` (ms) orders those that wait; None for an amount that the source does not tell.

    `demand` is usage and all that is asked for; `asks` are the containers it waits for, in order of priority.
    """

    id: str
    queue: str
    user: str
    state: str
    used: Amount
    am: Amount | None = None
    demand: Amount | None = None
    start: int = 0
    asks: tuple[Ask, ...] = ()


class UserUse(NamedTuple):
    """Applications of one user that run (or may, and wait for their master), and that a limit holds back."""

    running: int | None = None
    waiting: int | None = None


class QueueUse(NamedTuple):
    """Usage and numbers of applications of one queue; None where the source says nothing.

    `running` and `waiting` are as in `UserUse`. `started` and `pending` are what the ResourceManager shows instead:
    applications that have had a container, and all others.
    """

    used: Amount | None = None
    am_used: Amount | None = None
    running: int | None = None
    waiting: int | None = None
    started: int | None = None
    pending: int | None = None
    leaf: bool = True


class State(NamedTuple):
    """All that is known about one moment.

    `queues` by full name, `users` over all queues; numbers of a queue or user count all its applications, those
    listed in `apps` too. `apps_known` tells that `apps` holds every application that has not ended. `free` is what each
    node has left, by name, when the source lists nodes. `sources` names the files; empty: nothing runs.
    """

    queues: Mapping[str, QueueUse] = {}
    users: Mapping[str, UserUse] = {}
    apps: tuple[AppUse, ...] = ()
    apps_known: bool = False
    free: tuple[tuple[str, Amount], ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
