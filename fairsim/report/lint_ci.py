"""What the linter found, in the forms that other tools read: SARIF, annotations of GitHub, JUnit, GitLab."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from fairsim import __version__
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.report import jsonout
from fairsim.report.findings import end_of
from fairsim.report.lint import Report, Result

_LEVELS = {ERROR: "error", WARNING: "warning", INFO: "note"}


def _words(one: Result, report: Report) -> str:
    """Message, effect and hint in one text; where several versions were asked about, those it holds for."""
    finding = one.finding
    parts = [finding.message]
    if finding.effect:
        parts.append(finding.effect)
    text = ": ".join(parts)
    if len(report.hadoop) > 1:
        text += f" (Hadoop {', '.join(one.hadoop)})"
    return f"{text}. {finding.hint}" if finding.hint else text


# -- SARIF 2.1.0


def sarif(report: Report, rules: Sequence[dict[str, Any]]) -> str:
    """Returns a log with one run. `rules` are the pages of the rules found: code, name, title, help, severity."""
    numbers = {rule["code"]: number for number, rule in enumerate(rules)}
    driver = {
        "name": "fairsim", "version": __version__, "semanticVersion": __version__,
        "rules": [
            {
                "id": rule["code"], "name": rule["name"], "shortDescription": {"text": rule["title"]},
                "fullDescription": {"text": rule["effect"]}, "help": {"text": rule["help"]},
                "defaultConfiguration": {"level": _LEVELS[rule["severity"]]},
            }
            for rule in rules
        ],
    }  # fmt: skip
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(one, report, numbers) for one in report.results],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return jsonout.dumps(log)


def _sarif_result(one: Result, report: Report, numbers: dict[str, int]) -> dict[str, Any]:
    finding = one.finding
    location: dict[str, Any] = {"artifactLocation": {"uri": uri(one.file)}}
    if finding.pos:
        end = end_of(finding.pos, one.lines)
        location["region"] = {
            "startLine": finding.pos.line, "startColumn": finding.pos.column,
            "endLine": end.line, "endColumn": end.column,
        }  # fmt: skip
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": _words(one, report)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"fairsim/v1": one.fingerprint},
        "properties": {"hadoop": list(one.hadoop)},
    }
    if finding.code in numbers:
        result["ruleIndex"] = numbers[finding.code]
    if finding.other:
        region = {"startLine": finding.other.line, "startColumn": finding.other.column}
        result["relatedLocations"] = [{
            "physicalLocation": {"artifactLocation": {"uri": uri(one.file)}, "region": region},
            "message": {"text": "the other place"},
        }]  # fmt: skip
    return result


def uri(file: str) -> str:
    """Returns the name of a file as a reference: relative ones stay relative."""
    path = PurePosixPath(file.replace("\\", "/"))
    text = quote(str(path), safe="/~!$&'()*+,;=@-._:" if path.is_absolute() else "/~!$&'()*+,;=@-._")
    return f"file://{text}" if path.is_absolute() else text


# -- GitHub


def github(report: Report, _rules: Sequence[dict[str, Any]] = ()) -> str:
    """Returns a workflow command for each finding, which becomes an annotation of the line."""
    kinds = {ERROR: "error", WARNING: "warning", INFO: "notice"}
    lines = []
    for one in report.results:
        finding = one.finding
        fields = {"file": one.file}
        if finding.pos:
            end = end_of(finding.pos, one.lines)
            fields |= {"line": str(finding.pos.line), "endLine": str(end.line)}
            if end.line == finding.pos.line:  # columns count within one line only
                fields |= {"col": str(finding.pos.column), "endColumn": str(end.column)}
        fields["title"] = f"{finding.code} {finding.name}"
        head = ",".join(f"{name}={_github(value, ':,')}" for name, value in fields.items())
        lines.append(f"::{kinds[finding.severity]} {head}::{_github(_words(one, report))}\n")
    return "".join(lines)


def _github(text: str, more: str = "") -> str:
    for letter in "%\r\n" + more:
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


# -- JUnit


def junit(report: Report, _rules: Sequence[dict[str, Any]] = ()) -> str:
    """Returns a suite for each file: a failed case for each finding, or one that passed."""
    from xml.etree import ElementTree as ET  # written only, never read

    suites = ET.Element("testsuites", name="fairsim lint", tests="0", failures="0")
    tests = failures = 0
    files = list(dict.fromkeys([*report.files, *(one.file for one in report.results)]))
    by_file: dict[str, list[Result]] = {file: [] for file in files}
    for one in report.results:
        by_file[one.file].append(one)
    for file, results in by_file.items():
        count = max(len(results), 1)
        suite = ET.SubElement(suites, "testsuite", name=_xml(file), tests=str(count), failures=str(len(results)))
        tests += count
        failures += len(results)
        if not results:
            ET.SubElement(suite, "testcase", name="fairsim lint", classname=_xml(file))
        for one in results:
            finding = one.finding
            at = f":{finding.pos.line}:{finding.pos.column}" if finding.pos else ""
            case = ET.SubElement(
                suite, "testcase", name=f"{finding.code} {finding.name}{at}", classname=_xml(file)
            )
            failure = ET.SubElement(case, "failure", type=finding.severity, message=_xml(finding.message))
            failure.text = _xml(f"{file}{at}: {_words(one, report)}")
    suites.set("tests", str(tests))
    suites.set("failures", str(failures))
    ET.indent(suites, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    """A text without what XML 1.0 cannot hold."""
    return "".join(
        letter if letter in "\t\n\r" or " " <= letter <= "\ud7ff" or "\ue000" <= letter <= "\ufffd" or letter > "\uffff"
        else f"\\x{ord(letter):02x}"
        for letter in text
    )  # fmt: skip


# -- GitLab


def gitlab(report: Report, _rules: Sequence[dict[str, Any]] = ()) -> str:
    """Returns a report of code quality (the issues of Code Climate)."""
    levels = {ERROR: "critical", WARNING: "minor", INFO: "info"}
    issues = []
    for one in report.results:
        finding = one.finding
        lines = {"begin": finding.pos.line if finding.pos else 1}
        issues.append({
            "description": f"{finding.code} {_words(one, report)}",
            "check_name": finding.name,
            "fingerprint": one.fingerprint,
            "severity": levels[finding.severity],
            "location": {"path": one.file.removeprefix("./"), "lines": lines},
        })  # fmt: skip
    inner = jsonout.lines(issues).rstrip("\n").replace("\n", ",\n ")
    return f"[\n {inner}\n]\n" if issues else "[]\n"


FORMATS: dict[str, Callable[[Report, Sequence[dict[str, Any]]], str]] = {
    "sarif": sarif, "github": github, "junit": junit, "gitlab": gitlab,
}  # fmt: skip
