"""Applications of a what-if: what they ask for and where they are."""

from __future__ import annotations

from typing import NamedTuple

from fairsim.model.resources import Amount


class App(NamedTuple):
    """One application, in the order of submission.

    demand: usage plus all that it still asks for, by resource type; start: its start time in ms (decides in fifo
    queues); user: empty when unknown (then no user limit counts).
    """

    name: str
    queue: str
    demand: Amount
    start: int = 0
    user: str = ""
