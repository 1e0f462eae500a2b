"""What a scheduler decides, in the words in which it says so."""

from __future__ import annotations

from typing import NamedTuple

from fairsim.replay.state import Container

ALLOCATE, RESERVE, UNRESERVE, FINISH, RUNNABLE = "allocate", "reserve", "unreserve", "finish", "runnable"
COMPLETED, ABORTED = 0, -100  # exit of a container that its node reported; that was released or lost


class Decision(NamedTuple):
    """One thing that the scheduler did, in the order in which it did them.

    `container` is None for RUNNABLE; `detail` is the exit code of FINISH, and tells of ALLOCATE whether a reservation
    is fulfilled.
    """

    kind: str
    app: int
    container: Container | None = None
    detail: int = 0


class Unsupported(Exception):
    """What is asked for is not modelled."""


class InvalidAsk(Exception):
    """SchedulerInvalidResoureRequestException: a master asks for what its queue may never have."""
