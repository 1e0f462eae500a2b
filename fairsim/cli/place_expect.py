"""`fairsim place --expect`: placements that must come out, for a check before a file goes live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsim.cli import exits
from fairsim.cli.options import Inputs
from fairsim.cli.output import Block, Output
from fairsim.cli.place_answer import Desk, Wishes
from fairsim.cli.reading import read_input
from fairsim.cli.scene import set_scene
from fairsim.config.expectations import ANYBODY, LOAD_ERROR, PLACED, REJECT, Expectation, read_expectations
from fairsim.errors import RefusedError
from fairsim.placement.submission import Landing
from fairsim.report.table import RIGHT, Column, Table

#: An expectation, and what came of it (None: the file loads, or does not, against what was expected).
Outcome = tuple[Expectation, Landing | None]


def check_expectations(inputs: Inputs, out: Output, wishes: Wishes) -> int:
    """Writes which expectations fail, and returns the exit code. Raises FairsimError, as where the file is refused."""
    source = read_input(str(wishes.expect), out)
    wanted = read_expectations(source.data, source.name)
    refused = wanted[0].word == LOAD_ERROR
    try:
        scene = set_scene(inputs, out, cluster_needed=False)
    except RefusedError as error:
        if not refused:
            raise
        out.say(f"{error.where or inputs.allocation.name}: {error.message}, as expected")
        return _report(out, source.name, [], len(wanted))
    if refused:
        return _report(out, source.name, [(one, None) for one in wanted], len(wanted))
    desk = Desk(inputs, out, wishes, scene)
    found = [(one, _landing(desk, one)) for one in wanted]
    return _report(out, source.name, [one for one in found if not _met(*one)], len(wanted))


def _landing(desk: Desk, one: Expectation) -> Landing:
    groups = desk.groups.of(one.user) if isinstance(one.groups, bool) else one.groups
    return desk.submit(one.user, groups, one.queue)


def _met(one: Expectation, landing: Landing) -> bool:
    if one.word == PLACED:
        return landing.outcome == PLACED and one.wanted in ("", landing.queue)
    if one.word == REJECT:
        return landing.outcome != PLACED and landing.code.startswith(one.wanted)
    return landing.outcome == one.word and landing.code.startswith(one.wanted)


def _came(landing: Landing | None) -> str:
    if landing is None:
        return "the file loads"
    return landing.queue.replace(ANYBODY, "*") if landing.outcome == PLACED else f"{landing.outcome}:{landing.code}"


def _report(out: Output, where: str, failed: Sequence[Outcome], total: int) -> int:
    rows = [
        (one.line, one.text, _came(landing), (landing.text if landing else "").replace(ANYBODY, "*") or None)
        for one, landing in failed
    ]
    met = total - len(failed)
    line = f"{where}: {met} of {total} expectation{'s' * (total != 1)} hold{'s' * (total == 1)}"
    columns = [
        Column("line", "line", RIGHT, rank=0),
        Column("expected", "expected", rank=0),
        Column("outcome", "but", rank=0),
        Column("reason", "why", wrap=True, none=""),
    ]
    table = Table(columns, rows)
    blocks: list[Block] = [table] if out.format == "csv" else [line, *([table] if rows else [])]

    def document() -> dict[str, Any]:
        return {
            "schema": 1, "command": "place", "hadoop": out.hadoop, "expectations": total, "met": met,
            "failed": list(table.records()),
        }  # fmt: skip

    out.show(*blocks, document=document, records=table.records)
    return exits.NO if failed else exits.ANSWERED
