"""Many submissions: what is remembered from row to row never changes an answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fairsim.cli.place_answer import Desk
from fairsim.cli.place_batch import Answers
from fairsim.config.batch_rows import Rows
from fairsim.config.build import build_tree
from fairsim.config.groups import UserGroups
from fairsim.placement.rules import User
from fairsim.placement.submission import Placement, Settings, Submission
from fairsim.profiles import profile
from fairsim.report import place_rows
from tests.helpers import raw_of
from tests.oracle.cases import make_case
from tests.oracle.place_cases import USERS, make

HADOOP = ("2.10", "3.2", "3.3", "3.5")


def worlds(hadoop: str, count: int) -> Iterator[tuple[Placement, Placement, list[dict[str, Any]]]]:
    """Two equal engines for each random file that loads, and submissions: each for several users."""
    version = profile(hadoop)
    for seed in range(count):
        request = make(make_case(seed, version), version)
        raw = raw_of(request["alloc"].removeprefix("<allocations>").removesuffix("</allocations>"), hadoop)
        if raw.refusals:
            continue
        settings = Settings(acl_enable=request["site"].get("yarn.acl.enable") == "true")
        told = [one | {"user": user} for one in request["submissions"] for user in (*USERS, "zoe")]
        Random(seed).shuffle(told)  # noqa: S311 - repeatable, not secret
        yield Placement(raw, build_tree(raw), settings), Placement(raw, build_tree(raw), settings), told * 2


@pytest.mark.parametrize("stateful", [False, True])
@pytest.mark.parametrize("hadoop", HADOOP)
def test_a_row_is_answered_as_alone(hadoop: str, stateful: bool) -> None:
    seen = 0
    for first, second, told in worlds(hadoop, 60):
        desk = cast(Desk, SimpleNamespace(placement=first, groups=UserGroups(), am=None))
        written = place_rows.Rows(first, "jsonl")
        answers = Answers(desk, Rows("rows.jsonl", ""), written, stateful)
        for one in told:
            groups = None if one["groups"] is None else tuple(dict.fromkeys(one["groups"]))
            line = json.dumps({"user": one["user"], "groups": groups, "queue": one.get("queue")})
            text, outcome = answers[line]
            landing = second.submit(Submission(User(one["user"], groups), one.get("queue")), keep=stateful)
            assert outcome == landing.outcome
            found = json.loads(text)
            queue = landing.queue if outcome == "placed" else None
            assert (found["user"], found["queue"], found["code"]) == (one["user"], queue, landing.code or None)
            assert found["created"] == [known.name for known in landing.made]
            seen += 1
    assert seen > 1000
