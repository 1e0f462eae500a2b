"""The modes that can be compared: how each makes a request, and how its answers are brought into one form.

A further mode is one more row of MODES.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fairsim.profiles import Profile
from tests.oracle import lint_mode, load_mode, place_cases, place_mode, run_cases, run_mode, shares_mode
from tests.oracle.ask import Request
from tests.oracle.cases import Case
from tests.oracle.compare import Answer, Difference, differences

# Of processor time: an answer takes 5 ms. A hang that fairsim foretells need not be waited for as long.
TIMEOUT_MS = 2000
FORETOLD_MS = 300


class Mode(NamedTuple):
    """One mode of the oracle.

    `make` turns a case into a request; `fairsim` answers it; `reduced` brings the oracle's answer into the same form;
    `fields` name the values of a queue; `shrinks` the parts of a request (maps and lists) that a smaller request may
    lack, beside the elements of the file.
    """

    name: str
    make: Callable[[Case, Profile], Request]
    fairsim: Callable[[Request, Profile], Answer]
    reduced: Callable[[Any, Request, Profile], Answer]
    fields: tuple[str, ...]
    shrinks: tuple[str, ...]
    batch: int = 500  # so many cases are made, and asked, at a time


def _both(one: Answer, other: Answer) -> Answer:
    """Returns two answers to one request as one."""
    if "queues" not in one or "queues" not in other:
        return other if "queues" in one else one
    queues = {name: values + other["queues"].get(name, []) for name, values in one["queues"].items()}
    return one | other | {"queues": queues}


def _both_fairsim(request: Request, hadoop: Profile) -> Answer:
    return _both(load_mode.fairsim(request, hadoop), shares_mode.fairsim(request, hadoop))


def _both_reduced(answer: Any, request: Request, hadoop: Profile) -> Answer:
    return _both(load_mode.reduced(answer, request, hadoop), shares_mode.reduced(answer, request, hadoop))


_OF_PLACE = ("site", "submissions", "acl", "dynamic")

MODES = {
    mode.name: mode
    for mode in (
        Mode("lint", load_mode.make, lint_mode.fairsim, lint_mode.reduced, lint_mode.FIELDS, ("site",)),
        Mode("load", load_mode.make, load_mode.fairsim, load_mode.reduced, load_mode.FIELDS, ("site",)),
        Mode("place", place_mode.make, place_mode.fairsim, place_mode.reduced, place_mode.FIELDS, _OF_PLACE),
        Mode("rules", place_cases.make, place_mode.fairsim, place_mode.reduced, place_mode.FIELDS, _OF_PLACE),
        Mode("run", lambda case, hadoop: run_cases.make_run(case.seed, hadoop), run_mode.fairsim, run_mode.reduced,
             run_mode.FIELDS, ("site", "events"), batch=20),
        Mode("shares", shares_mode.make, shares_mode.fairsim, shares_mode.reduced, shares_mode.FIELDS,
             ("site", "apps")),
        Mode("both", shares_mode.make, _both_fairsim, _both_reduced, load_mode.FIELDS + shares_mode.FIELDS,
             ("site", "apps")),
    )
}  # fmt: skip


class Asked(NamedTuple):
    """A request with both answers in one form, and what differs."""

    request: Request
    hadoop: Answer
    fairsim: Answer
    found: list[Difference]


def answered(mode: Mode, request: Request, hadoop: Profile) -> Answer:
    """Returns fairsim's answer; an exception of fairsim's is an answer that agrees with none."""
    try:
        return mode.fairsim(request, hadoop)
    except Exception as error:  # noqa: BLE001 - a fault of fairsim is what this is looking for
        return {"fault": f"{type(error).__name__}: {error}"}


def timed(request: Request, ours: Answer) -> Request:
    """Returns the request with the time that Hadoop is given for it."""
    return request | {"timeout_ms": FORETOLD_MS if "hang" in ours else TIMEOUT_MS}


def compared(mode: Mode, request: Request, theirs: Any, ours: Answer, hadoop: Profile) -> Asked:
    """Returns the two answers to a request, compared."""
    reduced = mode.reduced(theirs, request, hadoop)
    return Asked(request, reduced, ours, differences(reduced, ours, mode.fields))
