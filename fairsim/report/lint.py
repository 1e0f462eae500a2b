"""What the linter found, for people and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fairsim.diag import SEVERITIES, Finding
from fairsim.report.cells import escape
from fairsim.report.findings import end_of, finding_text, place
from fairsim.report.style import PLAIN, Style
from fairsim.report.table import RIGHT, Column, Table


class Result(NamedTuple):
    """A finding: the file it is in, the lines of that file, the versions it holds for, what identifies it."""

    file: str
    finding: Finding
    hadoop: tuple[str, ...]
    lines: Sequence[str]
    fingerprint: str


class Report(NamedTuple):
    """Everything that one run found. `files` are the allocation files looked at, `hadoop` the versions.

    `not_checked`: what is missing, with the codes of the rules that need it. `suppressed` and `known` are the numbers
    of findings that remarks in the files and the baseline keep back.
    """

    results: list[Result]
    files: list[str]
    hadoop: tuple[str, ...]
    not_checked: list[tuple[str, list[str]]]
    suppressed: int = 0
    known: int = 0


def text(report: Report, width: int | None = None, style: Style = PLAIN) -> str:
    """Returns every finding with its line of the file, and the numbers at the end."""
    parts = []
    for one in report.results:
        finding = one.finding
        label = "" if finding.code.startswith("FS01") else ", ".join(one.hadoop)  # not what Hadoop does
        if one.hadoop != report.hadoop:
            finding = finding._replace(name=f"{finding.name} [{label}]")
        parts.append(finding_text(finding, one.file, one.lines, label, style, width))
    return "\n".join([*parts, *summary(report)]) + "\n"


def concise(report: Report, style: Style = PLAIN) -> str:
    """Returns a line for each finding; what versions do with it, which may differ, is not told."""
    lines = []
    merged: dict[Any, tuple[Result, set[str]]] = {}
    for one in report.results:
        finding = one.finding
        key = (one.file, finding.pos, finding.code, finding.severity, finding.message)
        merged.setdefault(key, (one, set()))[1].update(one.hadoop)
    for one, hadoop in merged.values():
        finding = one.finding
        severity = style.paint(finding.severity, finding.severity)
        labels = [version for version in report.hadoop if version in hadoop]
        versions = f" [{', '.join(labels)}]" if len(labels) < len(report.hadoop) else ""
        head = f"{place(one.file, finding.pos)}: {severity} {finding.code} {finding.name}{versions}"
        lines.append(f"{head}: {escape(finding.message)}\n")
    return "".join(lines)


def summary(report: Report) -> list[str]:
    """Returns the numbers at the end, and what was not looked at for want of input."""
    many = Counter(one.finding.severity for one in report.results)
    counts = ", ".join(_count(many[severity], severity) for severity in SEVERITIES if many[severity])
    files = _count(len(report.files), "file")
    refused: dict[str, set[str]] = {}
    for one in report.results:
        if one.finding.refuses and one.file in report.files:
            refused.setdefault(one.file, set()).update(one.hadoop)
    lines = [f"{counts or 'no findings'} in {files} (Hadoop {', '.join(report.hadoop)})"]
    for file, versions in refused.items():
        which = ", ".join(version for version in report.hadoop if version in versions)
        lines.append(f"{escape(file)} would not load on Hadoop {which}")
    if report.suppressed:
        lines.append(f"{_count(report.suppressed, 'finding')} kept back by remarks in the file")
    if report.known:
        lines.append(f"{_count(report.known, 'finding')} kept back by the baseline")
    if report.not_checked:
        missing = ", ".join(f"{len(codes)} need {need}" for need, codes in report.not_checked)
        lines.append(f"rules not checked: {missing}")
    return lines


def statistics(report: Report) -> Table:
    """Returns how often each rule was found, the most frequent first."""
    many = Counter((one.finding.code, one.finding.name, one.finding.severity) for one in report.results)
    rows = [(number, *key) for key, number in sorted(many.items(), key=lambda item: (-item[1], item[0]))]
    return Table(
        [Column("count", "count", RIGHT), *(Column(name, name) for name in ("code", "name", "severity"))],
        rows,
    )


def records(report: Report) -> Iterator[dict[str, Any]]:
    """Yields the findings as mappings, as in the schema of `lint`."""
    for one in report.results:
        finding = one.finding
        pos, other = finding.pos, finding.other
        end = end_of(pos, one.lines) if pos else None
        yield {
            "code": finding.code, "name": finding.name, "severity": finding.severity, "file": one.file,
            "line": pos.line if pos else None, "column": pos.column if pos else None,
            "end_line": end.line if end else None, "end_column": end.column if end else None,
            "message": finding.message, "effect": finding.effect or None, "hint": finding.hint or None,
            "refuses": finding.refuses, "hadoop": list(one.hadoop),
            "other": {"line": other.line, "column": other.column} if other else None,
            "fingerprint": one.fingerprint,
        }  # fmt: skip


def document(report: Report) -> dict[str, Any]:
    """Returns the report as the JSON document of the schema `lint`."""
    return {
        "schema": 1,
        "command": "lint",
        "hadoop": list(report.hadoop),
        "files": report.files,
        "findings": list(records(report)),
        "not_checked": [{"needs": need, "codes": codes} for need, codes in report.not_checked],
        "suppressed": report.suppressed,
        "in_baseline": report.known,
    }


def worst(report: Report) -> int:
    """Returns the rank of the worst severity found: 0 is error; more than any severity where nothing was found."""
    return min((SEVERITIES.index(one.finding.severity) for one in report.results), default=len(SEVERITIES))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 or noun == "info" else f"{number} {noun}s"
