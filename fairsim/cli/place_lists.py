"""`fairsim place --list` and `--who`: which queues a user may submit to, and who may submit to a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairsim.cli import exits
from fairsim.cli.output import CSV, Block
from fairsim.config.names import full_name, near_queue
from fairsim.errors import UsageError
from fairsim.placement.access import ADMINISTER, EVERYBODY, SUBMIT
from fairsim.report import place as report
from fairsim.report.table import RIGHT, Column, Table

if TYPE_CHECKING:
    from fairsim.cli.place_answer import Desk
    from fairsim.config.placement_syntax import Rule


def list_queues(desk: Desk, user: str) -> int:
    """Writes the leaf queues that a user may submit to, each with the list that says so; returns the exit code."""
    groups = desk.groups.of(user)
    assumed = desk.groups.assumed and user not in desk.groups.overrides
    told = report.Told(desk.placement, desk.file, user, groups, assumed, None, desk.am is not None, desk.notes)
    access, live = desk.placement.access, desk.placement.live
    rows: list[tuple[Any, ...]] = []
    parents: list[str] = []
    leaves = 0
    for known in live.known.values():
        verdict = access.submit(user, groups or (), known.name)
        leaves += known.leaf
        if not verdict.allowed:
            continue
        if not known.leaf:
            parents.append(known.name)
            continue
        entry = verdict.entry
        line = report.line_of(desk.placement, entry.element if entry is not None else None)
        rows.append((known.name, verdict.kind, verdict.queue, line, report.verdict_text(told, verdict)))
    count = f"{report.who(told)} may submit to {len(rows)} of {leaves} leaf queue{'s' * (leaves != 1)}"
    columns = [
        Column("queue", "queue", rank=0, style="name"),
        Column("list", "by", rank=1),
        Column("of", "of", rank=1),
        Column("line", "line", RIGHT, none="-"),
        Column("why", "why", wrap=True),
    ]
    table = Table(columns, rows)
    notes = _list_notes(told, parents)
    shown: list[Block] = [table] if desk.out.format == CSV else [count]
    if desk.out.format != CSV:
        brief = [(row[0], row[4]) for row in rows]
        shown += [Table([columns[0], Column("why", "by", wrap=True)], brief, "", notes)] if rows else notes

    def document() -> dict[str, Any]:
        return {
            "schema": 1, "command": "place", "hadoop": desk.out.hadoop, "user": user,
            "groups": None if groups is None else list(groups), "queues": list(table.records()), "leaf_queues": leaves,
            "parents": parents, "notes": notes,
        }  # fmt: skip

    desk.out.show(*shown, document=document, records=table.records)
    return exits.ANSWERED if rows else exits.NO


def _list_notes(told: report.Told, parents: list[str]) -> list[str]:
    notes = list(told.notes)
    by_group = any(entry.groups for lists in told.placement.access.table.values() for entry in lists.values())
    if told.assumed and by_group:
        notes.insert(0, report.no_groups_note(told.user))
    if parents and any(map(_makes, told.placement.policy.rules)):
        some = ", ".join(parents[:5]) + (", ..." if len(parents) > 5 else "")
        notes.append(f"queues that rules make on the fly are open too, below {some}")
    return notes


def _makes(rule: Rule) -> bool:
    """Tells whether queues may come into being by a rule."""
    return rule.create and rule.name not in ("reject", "secondaryGroupExistingQueue")


def who_may(desk: Desk, name: str) -> int:
    """Writes who may submit to a queue, by the lists of it and of those above; returns the exit code."""
    if not name.strip():
        raise UsageError("the name of the queue is empty", where="--who", hint="write --who root.a")
    placement, out = desk.placement, desk.out
    full = full_name(name.strip())
    nearest = placement.live.deepest(full).name
    notes = list(desk.notes)
    if nearest != full:
        near = near_queue(full, placement.live.known)
        if nearest == "root" and near:
            raise UsageError(f"there is no queue {full}", where="--who", hint=f"did you mean {near}?")
        meant = f"; did you mean {near}?" if near else ""
        notes.append(f"{full} does not exist: answered as for one made on the fly below {nearest}{meant}")
    rows: list[tuple[Any, ...]] = []
    users: dict[str, None] = {}
    groups: dict[str, None] = {}
    open_to_all = ""
    for level, lists in placement.access.lists(full):
        for kind in (SUBMIT, ADMINISTER):
            entry = lists[kind]
            text = report.list_text(placement, desk.file, level, kind)
            line = report.line_of(placement, entry.element)
            rows.append((level, kind, line, entry.everybody, list(entry.users), list(entry.groups)))
            users.update(dict.fromkeys(entry.users))
            groups.update(dict.fromkeys(entry.groups))
            if entry.everybody and not open_to_all:
                open_to_all = f"{text}: {EVERYBODY}"
    result = f"{full}: {_people(open_to_all, list(users), list(groups))}"
    if open_to_all and (users or groups):
        notes.append("lists below one that lets everybody in keep nobody out: rights come down from the parents")
    columns = [
        Column("queue", "queue", rank=0, style="name"),
        Column("list", "list", rank=0),
        Column("line", "line", RIGHT),
        Column("everybody", "everybody"),
        Column("users", "users", wrap=True, none="-"),
        Column("groups", "groups", wrap=True),
    ]
    table = Table(columns, rows, "", () if out.format == CSV else notes)
    blocks: list[Block] = [table] if out.format == CSV else [result, table]

    def document() -> dict[str, Any]:
        return {
            "schema": 1, "command": "place", "hadoop": out.hadoop, "queue": full, "exists": nearest == full,
            "everybody": bool(open_to_all), "users": list(users), "groups": list(groups),
            "lists": list(table.records()), "notes": notes,
        }  # fmt: skip

    out.show(*blocks, document=document, records=table.records)
    return exits.ANSWERED


def _people(open_to_all: str, users: list[str], groups: list[str]) -> str:
    if open_to_all:
        return f"everybody may submit ({open_to_all})"
    parts = [
        f"{word}{'s' * (len(names) > 1)} {', '.join(names)}"
        for word, names in (("user", users), ("group", groups))
        if names
    ]
    return f"{' and '.join(parts)} may submit" if parts else "nobody may submit"
