"""The answer of `fairsim why`: one line, then the chain as a table; and as an object for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fairsim.model.queues import QueueTree
from fairsim.model.resources import Amount
from fairsim.report.table import Column, Table
from fairsim.units import format_amount
from fairsim.why.parts import PASSES, RUNS, SKIPPED, STOPS, TELLS, UNKNOWN, Answer, Check, Source

_LABELS = {
    "placement": "placement", "acl": "access", "zero_resource": "zero resource",
    "maximum_allocation": "maximum allocation", "largest_node": "largest node", "container_limit": "container limit",
    "user_limit": "running limit", "queue_limit": "running limit", "request": "request", "am_share": "room for masters",
    "maximum": "maximum", "node": "node size", "room": "free space", "fair_share": "fair share",
    "preemption": "preemption",
}  # fmt: skip
_OF_A_QUEUE = ("user_limit", "queue_limit", "maximum")
_VERDICTS = {PASSES: "ok", STOPS: "would stop", TELLS: "", UNKNOWN: "not known", SKIPPED: "-"}
FIRST = "STOPS"
DETAIL = ""  # says more about the check above


class Told(NamedTuple):
    """What stands around the chain: the cluster, the groups of the user (None: not given), the queue asked for, the
    names of the state files (empty: an empty cluster), remarks, findings as mappings.
    """

    tree: QueueTree
    cluster: Amount
    groups: Sequence[str] | None
    requested: str | None
    state: Sequence[str]
    notes: Sequence[str]
    findings: Sequence[dict[str, Any]] = ()


def result(answer: Answer) -> str:
    """Returns the answer in one line: `fred in root.a: waits (running limit of root.a: 2 of 2 run, ...)`."""
    who = f"{answer.app} of {answer.user}" if answer.app and answer.user else answer.app or answer.user
    where = f"{who} in {answer.queue}" if answer.queue else who
    return f"{where}: {answer.verdict} ({answer.reason})" if answer.reason else f"{where}: {answer.verdict}"


def blocks(answer: Answer, told: Told) -> list[Table | str]:
    """Returns what text and Markdown show: the result, then the chain with what to do and what is assumed below it."""
    tree = told.tree
    rows: list[tuple[str, str, str, str]] = []
    for place, check in enumerate(answer.checks):
        verdict = FIRST if place == answer.first else _VERDICTS[check.verdict]
        label = _LABELS[check.name]
        rows.append((
            f"{label} of {check.queue}" if check.name in _OF_A_QUEUE and check.queue else label, verdict, check.text,
            sources_text(check.sources),
        ))  # fmt: skip
        rows += [(DETAIL, "", line, "") for line in check.details]
    columns = [
        Column("check", "check", rank=0, style="name"),
        Column("verdict", "", rank=0, none=""),
        Column("text", "what was compared", wrap=True, rank=0),
        Column("from", "from", wrap=True, rank=2, none="", style="dim"),
    ]
    cluster = format_amount(told.cluster, tree.types)
    size = format_amount(answer.ask, tree.types)
    what = "container" if answer.app and not any(check.name == "am_share" for check in _looked_at(answer)) else "master"
    title = f"Hadoop {tree.profile.label}, cluster {cluster}, {what} {size}"
    first = answer.checks[answer.first] if answer.first is not None else None
    notes = [f"what helps: {first.hint}"] if first is not None and first.hint else []
    helps = next((check for check in answer.checks if check.name == "preemption" and check.hint), None)
    if helps is not None:
        notes.append(f"preemption: {helps.hint}")
    return [result(answer), Table(columns, rows, title, [*notes, *answer.assumed, *told.notes])]


def _looked_at(answer: Answer) -> list[Check]:
    return [check for check in answer.checks if check.verdict != SKIPPED]


def sources_text(sources: Sequence[Source]) -> str:
    """Returns the sources of a check in words, Hadoop's defaults together at the end."""
    written = [source_text(one) for one in sources if one.origin != "default"]
    defaults = [one.what for one in sources if one.origin == "default"]
    if defaults:
        written.append(f"{', '.join(defaults)} (Hadoop's default{'s' * (len(defaults) > 1)})")
    return "; ".join(written)


def source_text(source: Source) -> str:
    """Returns a source in words: `fair-scheduler.xml:7 <maxRunningApps> of root.a`."""
    place = f"{source.file}:{source.line}" if source.line is not None else source.file or ""
    if source.origin == "changed":
        return f"{source.what} (--set)"
    return f"{place} {source.what}" if place and place != source.what else source.what


def document(answer: Answer, told: Told) -> dict[str, Any]:
    """Returns the answer as the JSON object of `fairsim why`."""
    tree = told.tree
    return {
        "schema": 1,
        "command": "why",
        "hadoop": tree.profile.label,
        "cluster": tree.types.as_map(told.cluster),
        "user": answer.user or None,
        "groups": None if told.groups is None else list(told.groups),
        "requested": told.requested,
        "app": answer.app,
        "queue": answer.queue or None,
        "verdict": answer.verdict,
        "reason": answer.reason or None,
        "result": result(answer),
        "stopped_by": None if answer.first is None else answer.checks[answer.first].name,
        "position": answer.position,
        "container": tree.types.as_map(answer.ask),
        "state": list(told.state) or None,
        "checks": [_check(check, place == answer.first) for place, check in enumerate(answer.checks)],
        "assumed": list(answer.assumed),
        "findings": list(told.findings),
        "notes": list(told.notes),
    }


def _check(check: Check, first: bool) -> dict[str, Any]:
    return {
        "check": check.name,
        "of": check.queue or None,
        "verdict": check.verdict,
        "first": first,
        "ends": check.ends if check.verdict == STOPS else None,
        "text": check.text,
        "numbers": dict(check.numbers),
        "sources": [one._asdict() for one in check.sources],
        "details": list(check.details),
        "hint": check.hint or None,
    }


def runs(answer: Answer) -> bool:
    """Returns whether the application runs."""
    return answer.verdict == RUNS
