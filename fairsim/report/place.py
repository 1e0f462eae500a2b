"""The answer of `fairsim place`: one line, with --explain every rule and check; and as records for programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsim.placement.access import ADMINISTER, SUBMIT, Entry, Verdict
from fairsim.placement.submission import EXCEPTION, FAILED, FATAL, PLACED, Landing, Placement
from fairsim.report.table import Column, Table

if TYPE_CHECKING:
    from fairsim.config.placement_syntax import Rule
    from fairsim.placement.rules import Step

ENDS = {
    EXCEPTION: "the client's call fails",
    FAILED: "the application ends FAILED",
    FATAL: "the ResourceManager ends",
}
#: The keys of a flat record, in order: the columns of csv, the members of JSON lines.
KEYS = (
    "user", "groups", "requested", "outcome", "queue", "rule", "rule_name", "line", "created", "code", "reason",
)  # fmt: skip
_ODD = re.compile(r'[\s,"]|^#')  # in a name, read as something else
_BY_GROUP = ("primaryGroup", "secondaryGroupExistingQueue")


class Told:
    """What an answer is about: the engine, the name of the file, who submits, the queue asked for, remarks.

    `groups` is None where they cannot be looked up; `assumed` tells that nobody gave any, `sized` that the size of the
    master is known.
    """

    __slots__ = ("assumed", "file", "groups", "notes", "placement", "requested", "sized", "user")

    def __init__(
        self, placement: Placement, file: str, user: str, groups: Sequence[str] | None, assumed: bool,
        requested: str | None, sized: bool, notes: Sequence[str] = (),
    ):  # fmt: skip
        self.placement = placement
        self.file = file
        self.user = user
        self.groups = groups
        self.assumed = assumed
        self.requested = requested
        self.sized = sized
        self.notes = notes


# -- one line


def quoted(name: str) -> str:
    """Returns a name of a queue as expectations have it: in quotes where it is empty or has blanks at its ends."""
    return name if name and name == name.strip() and not name.startswith('"') else f'"{name}"'


def word(name: str) -> str:
    """Returns a name of a user or group as expectations have it: in quotes where it would be read as something else."""
    plain = name.isidentifier() or (name not in ("", "-", "*") and not _ODD.search(name))
    return name if plain else '"' + name.replace('"', '""') + '"'


def submission(user: str, groups: Sequence[str] | bool | None, requested: str | None) -> str:
    """Returns a submission as expectations have it: `fred,eng,ops root.x`; groups False: nobody told them."""
    names = "" if isinstance(groups, bool) else ",-" if groups is None else "".join(f",{word(one)}" for one in groups)
    asked = "" if requested is None else f" {quoted(requested)}"
    return f"{word(user)}{names}{asked}"


def who(told: Told) -> str:
    """Returns the submission as expectations have it."""
    return submission(told.user, False if told.assumed else told.groups, told.requested).replace("\n", "\\n")


def result(told: Told, landing: Landing) -> str:
    """Returns the answer in one line: `fred x -> root.x (rule 1, specified, fair-scheduler.xml:7)`."""
    if landing.outcome == PLACED:
        assert landing.rule is not None
        text = f"{who(told)} -> {landing.queue} ({rule_text(told, landing.rule)})"
    else:
        text = f"{who(told)} -> {landing.outcome} ({landing.code}): {landing.text}; {ENDS[landing.outcome]}"
    return text.replace("\n", "\\n")


def rule_text(told: Told, rule: Rule) -> str:
    """Returns a rule in words, with its place: `rule 1, specified, fair-scheduler.xml:7`."""
    line = line_of(told.placement, rule.element)
    place = f"{told.file}:{line}" if line is not None else "of yarn-site"
    return f"rule {number_of(told.placement, rule)}, {rule.name}, {place}"


def number_of(placement: Placement, rule: Rule) -> int:
    """Returns the place of a rule in the policy, from 1."""
    return next(number for number, one in enumerate(placement.policy.rules, 1) if one is rule)


def line_of(placement: Placement, element: Any) -> int | None:
    """Returns the line of an element, None for what the file does not say."""
    locate = placement.tree.locate
    return None if element is None or locate is None else locate(element).line


def made_text(told: Told, landing: Landing) -> str:
    """Returns the queues made for an application: `root.eng (parent), root.eng.fred (leaf, at most 9 mb ...)`."""
    found = []
    for one in landing.made:
        cap = cap_of(told, one.name) if one.leaf else ""
        found.append(f"{one.name} ({'leaf' if one.leaf else 'parent'}{cap and f', at most {cap}'})")
    return ", ".join(found).replace("\n", "\\n")


def cap_of(told: Told, name: str) -> str:
    """Returns the maximum of a queue made on the fly, with its place, empty when there is none."""
    setting = told.placement.tree.max_limit(told.placement.queue(name))
    if setting.value is None:
        return ""
    kind = "maxResources" if setting.of == name else setting.of
    if setting.of == name.rpartition(".")[0]:
        kind = "maxChildResources"
    if setting.element is None:
        return f"{kind} of --set"
    return f"{(setting.element.text or '').strip()}: {kind}, {told.file}:{line_of(told.placement, setting.element)}"


def no_groups_note(user: str) -> str:
    """Returns the remark that nobody said anything about the groups of a user."""
    return f"no groups of {user} are given: taken as in none; --groups eng,ops tells them"


def groups_matter(told: Told, landing: Landing) -> bool:
    """Returns whether other groups of the user could have led to another answer."""
    if any(step.rule.name in _BY_GROUP for step in landing.steps or ()):
        return True
    if landing.access is None or landing.access.allowed:
        return False
    levels = told.placement.access.lists(landing.queue)
    return any(entry.groups for _, lists in levels for entry in lists.values())


def blocks(
    told: Told, landing: Landing, hint: str, administer: tuple[bool, str] | None, explain: bool
) -> list[Table | str]:
    """Returns what text and Markdown show: the result, then what is worth a remark, with `explain` all there is."""
    notes = []
    if landing.made and not explain:
        notes.append(f"made for it: {made_text(told, landing)}")
    if "_dot_" in landing.queue and "_dot_" not in landing.requested:
        notes.append("in a queue named after a user or a group each dot becomes _dot_")
    if told.assumed and groups_matter(told, landing):
        notes.append(no_groups_note(told.user))
    if hint:
        notes.append(f"what helps: {hint}")
    notes += told.notes
    shown: list[Table | str] = [result(told, landing)]
    if explain:
        shown += [_trace(told, landing), _checks(told, landing, administer, notes)]
    else:
        shown += notes
    return shown


# -- the trace


def _rows(told: Told, landing: Landing) -> Iterator[tuple[int, int, Rule, Step | None]]:
    """Yields number, depth, rule and what it did (None: nothing), a rule before the one inside it."""
    steps = {id(step.rule): step for step in landing.steps or ()}
    for number, rule in enumerate(told.placement.policy.rules, 1):
        level: Rule | None = rule
        depth = 0
        while level is not None:
            yield number, depth, level, steps.get(id(level))
            level, depth = level.nested, depth + 1


def _trace(told: Told, landing: Landing) -> Table:
    rows = []
    reached = {number for number, _, _, step in _rows(told, landing) if step is not None}
    for number, depth, rule, step in _rows(told, landing):
        label = f"{number} {rule.name}" if not depth else f"{'  ' * depth}inside: {rule.name}"
        place = line_of(told.placement, rule.element)
        verdict, why = (step.verdict, step.text) if step else ("-", "not reached")
        if step is None and number in reached and not depth:
            verdict, why = "throws", "the rule inside does"
        rows.append((
            label, rule.create, (step.candidate if step else "") or None, (step.state if step else "") or None, verdict,
            why, place,
        ))  # fmt: skip
    columns = [
        Column("rule", "rule", rank=0, style="name"),
        Column("create", "create"),
        Column("queue", "queue", rank=0),
        Column("state", "is"),
        Column("verdict", "", rank=0),
        Column("why", "why", wrap=True),
        Column("line", "line", "right", none=""),
    ]
    placement = told.placement
    title = f"Hadoop {placement.tree.profile.label}, {told.file}"
    if placement.implicit:
        title += ": no queuePlacementPolicy, so the rules are those of yarn-site"
    return Table(columns, rows, title)


def _checks(told: Told, landing: Landing, administer: tuple[bool, str] | None, notes: Sequence[str]) -> Table:
    rows: list[tuple[str, str, str]] = []
    if landing.step in ("rules", "name"):
        rows.append((landing.step, "stops", landing.text))
    if landing.access is not None:
        allowed = landing.access.allowed
        rows.append(("access", "ok" if allowed else "stops", verdict_text(told, landing.access)))
        if not allowed:
            rows += [("  looked at", "", text) for text in consulted(told, landing.queue)]
    if landing.step == "queue":
        rows.append(("queue", "stops", landing.text))
    elif landing.outcome == PLACED:
        made = made_text(told, landing)
        rows.append(("queue", "ok", f"made for it: {made}" if made else f"{landing.queue} exists"))
    if landing.step in ("am_size", "zero"):
        rows.append(("master", "stops", landing.text))
    elif landing.outcome == PLACED:
        known = told.sized
        text = "fits" if known else "not checked: --am 2g,1c tells its size"
        rows.append(("master", "ok" if known else "-", text))
    if administer is not None and landing.outcome == PLACED:
        rows.append(("administer", "may" if administer[0] else "may not", administer[1]))
    columns = [
        Column("check", "check", rank=0, style="name"), Column("verdict", "", rank=0, none=""),
        Column("text", "what was looked at", wrap=True, rank=0),
    ]  # fmt: skip
    return Table(columns, rows, "", notes)


# -- access


def verdict_text(told: Told, verdict: Verdict) -> str:
    """Returns the list that lets a user in: `aclSubmitApps of root.a (fair-scheduler.xml:5): group eng`."""
    if verdict.entry is None:
        return "no list of the queue or of one above it lets the user in"
    entry = verdict.entry
    why = "everybody"
    if not entry.everybody:
        group = next((name for name in told.groups or () if name in entry.groups), "")
        why = f"user {told.user}" if told.user in entry.users else f"group {group}"
    return f"{list_text(told.placement, told.file, verdict.queue, verdict.kind)}: {why}"


def list_text(placement: Placement, file: str, queue: str, kind: str) -> str:
    """Returns the name of a list, with its place: `aclSubmitApps of root.a (fair-scheduler.xml:5)`."""
    raw = placement.tree.written.get(queue)
    field = raw.fields.get(kind) if raw is not None else None
    if field is None:
        origin = "not written"
    else:
        line = line_of(placement, field.element)
        origin = "--set" if line is None else f"{file}:{line}"
    return f"{kind} of {queue} ({origin})"


def entry_text(entry: Entry) -> str:
    """Returns whom a list lets in: `users ann, bob; groups eng`."""
    if entry.everybody:
        return "everybody"
    parts = [
        f"{word}{'s' * (len(names) > 1)} {', '.join(names)}"
        for word, names in (("user", entry.users), ("group", entry.groups))
        if names
    ]
    return "; ".join(parts) or "nobody"


def consulted(told: Told, queue: str) -> list[str]:
    """Returns the lists that count for submitting to a queue, in words, from the queue up to root."""
    return [
        f"{list_text(told.placement, told.file, name, kind)}: {entry_text(lists[kind])}"
        for name, lists in told.placement.access.lists(queue)
        for kind in (SUBMIT, ADMINISTER)
    ]


# -- records


def record(told: Told, landing: Landing) -> dict[str, Any]:
    """Returns the answer as a flat record with the keys of KEYS."""
    placed, rule = landing.outcome == PLACED, landing.rule
    return {
        "user": told.user,
        "groups": None if told.groups is None else list(told.groups),
        "requested": told.requested,
        "outcome": landing.outcome,
        "queue": landing.queue if placed else None,
        "rule": None if rule is None else number_of(told.placement, rule),
        "rule_name": None if rule is None else rule.name,
        "line": None if rule is None else line_of(told.placement, rule.element),
        "created": [one.name for one in landing.made],
        "code": landing.code or None,
        "reason": landing.text or None,
    }


def flat_table(records: Sequence[Mapping[str, Any]]) -> Table:
    """Returns records as the table of csv."""
    rows = [tuple(one[key] for key in KEYS) for one in records]
    return Table([Column(key, key) for key in KEYS], rows)


def document(
    told: Told, landing: Landing, hint: str, administer: tuple[bool, str] | None, findings: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Returns the answer as the JSON object of `fairsim place`."""
    flat = record(told, landing)
    placement, rule = told.placement, landing.rule
    access = landing.access
    return {
        "schema": 1,
        "command": "place",
        "hadoop": placement.tree.profile.label,
        **{key: flat[key] for key in ("user", "groups", "requested", "outcome", "queue")},
        "rule": None if rule is None else {"number": flat["rule"], "name": rule.name, "line": flat["line"]},
        "created": [
            {"queue": one.name, "leaf": one.leaf, "max": (cap_of(told, one.name) if one.leaf else "") or None}
            for one in landing.made
        ],
        "step": landing.step or None,
        "code": flat["code"],
        "reason": flat["reason"],
        "hint": hint or None,
        "implied_rules": placement.implicit,
        "trace": [
            {
                "rule": number, "depth": depth, "name": rule.name, "create": rule.create,
                "line": line_of(placement, rule.element),
                "candidate": (step.candidate if step else "") or None, "state": (step.state if step else "") or None,
                "verdict": step.verdict if step else None, "code": step.code if step else None,
                "text": step.text if step else None,
            }
            for number, depth, rule, step in _rows(told, landing)
        ],
        "acl": None if access is None or administer is None else {
            "enabled": placement.settings.acl_enable,
            "submit": _verdict_record(told, access),
            "administer": {"allowed": administer[0], "text": administer[1]},
        },
        "master_checked": told.sized,
        "findings": list(findings),
        "notes": list(told.notes),
    }  # fmt: skip


def _verdict_record(told: Told, verdict: Verdict) -> dict[str, Any]:
    entry = verdict.entry
    return {
        "allowed": verdict.allowed,
        "queue": verdict.queue or None,
        "list": verdict.kind or None,
        "line": None if entry is None else line_of(told.placement, entry.element),
        "text": verdict_text(told, verdict),
    }
