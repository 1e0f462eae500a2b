"""The pages of the rules: as mappings, as text for a terminal, as Markdown, and the list of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsim.lint.page import Example, page_of
from fairsim.lint.rule import Rule
from fairsim.report.cells import escape, wrap
from fairsim.report.style import PLAIN, Style
from fairsim.report.table import Column, Table

WIDTH = 100
_LABELS = (("when", "found"), ("effect", "Hadoop"), ("write", "write"), ("versions", "versions"),
           ("needs", "needs"), ("source", "source"))  # fmt: skip


def record(rule: Rule) -> dict[str, Any]:
    """Returns a page as a mapping, as in the schema of `explain`."""
    page = page_of(rule)
    return {
        "code": rule.code, "name": rule.name, "severity": rule.severity, "title": page.title,
        **{name.lower(): text for name, text in page.prose.items()},
        "needs": list(rule.needs),
        "bad": _example(page.bad), "good": _example(page.good),
    }  # fmt: skip


def _example(example: Example) -> dict[str, Any]:
    return {"text": example.text, "given": example.given or None}


def index(records: Sequence[dict[str, Any]]) -> Table:
    """Returns the list of all rules."""
    rows = [(one["code"], one["severity"], one["name"], one["title"]) for one in records]
    columns = [
        Column("code", "code"), Column("severity", "severity"), Column("name", "name"),
        Column("title", "title", wrap=True),
    ]  # fmt: skip
    return Table(columns, rows)


def text(one: dict[str, Any], width: int | None = None, style: Style = PLAIN) -> str:
    """Returns a page for a terminal of this width."""
    room = min(width or WIDTH, WIDTH)
    severity = style.paint(one["severity"], one["severity"])
    lines = [f"{style.paint('title', one['code'])} {one['name']} ({severity})", ""]
    lines += [escape(line) for line in wrap(one["title"], room)]
    lines.append("")
    for key, label in _LABELS:
        value = ", ".join(one[key]) if isinstance(one[key], list) else one[key]
        if value:
            first, *others = wrap(value, max(room - 10, 20))
            lines.append(f"{style.paint('dim', label.ljust(8))}  {escape(first)}")
            lines += [f"{'':10}{escape(line)}" for line in others]
    for kind in ("bad", "good"):
        given = f" (with {one[kind]['given']})" if one[kind]["given"] else ""
        lines += ["", style.paint(kind, kind) + given]
        lines += [f"    {escape(line)}" for line in one[kind]["text"].splitlines()]
    return "\n".join(lines) + "\n"


def markdown(one: dict[str, Any]) -> str:
    """Returns a page as Markdown."""
    parts = [f"## {one['code']} {one['name']}\n", f"{one['title']} *{one['severity']}*\n"]
    for key, label in _LABELS:
        value = ", ".join(one[key]) if isinstance(one[key], list) else one[key]
        if value:
            parts.append(f"- **{label}**: {value}")
    for kind in ("bad", "good"):
        given = f" (with `{one[kind]['given']}`)" if one[kind]["given"] else ""
        parts += [f"\n{kind}{given}:\n", "```xml", one[kind]["text"].rstrip("\n"), "```"]
    return "\n".join(parts) + "\n"
