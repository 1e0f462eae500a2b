"""From files to a report of findings, and the report to where it goes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from fairsim.cli import exits
from fairsim.cli.options import ManyInputs
from fairsim.cli.output import Output, Source
from fairsim.cli.reading import STDIN, read_input
from fairsim.cli.scene import clusters_of, site_of
from fairsim.cli.trouble import explain, lines_of
from fairsim.config.settings import Settings
from fairsim.diag import ERROR, SEVERITIES
from fairsim.errors import FairsimError, InputError, UsageError
from fairsim.lint.baseline import fingerprints, read_baseline, write_baseline
from fairsim.lint.catalog import all_rules
from fairsim.lint.rule import Rule
from fairsim.lint.run import XML, Around, Found, Looked, finish, look, look_at_site, merged
from fairsim.lint.select import Selection
from fairsim.model.resources import ResourceTypes
from fairsim.report import lint as report_text
from fairsim.report.lint import Report, Result

#: In a folder, the files whose names have these words are looked at.
IN_FOLDERS = "*fair*scheduler*.xml"


class Wishes(NamedTuple):
    """The options of the command beside those that all commands share."""

    groups_file: str | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    per_file_ignore: tuple[str, ...]
    fail_on: str | None
    exit_zero: bool
    statistics: bool
    baseline: str | None
    write_baseline: str | None
    show_files: bool
    fix: bool
    unsafe_fixes: bool
    diff: bool


class Scene:
    """What the files are looked at with: versions, what is known beside the files, the rules that are on."""

    def __init__(self, inputs: ManyInputs, arounds: dict[str, Around], selection: Selection):
        self.profiles = inputs.profiles
        self.labels = tuple(version.label for version in inputs.profiles)
        self.arounds = arounds
        self.selection = selection
        self.rules = [rule for code, rule in all_rules().items() if selection.on(code)]

    def look(self, data: bytes, name: str) -> tuple[list[Found], int, list[Looked]]:
        """Returns the findings in the bytes of a file, the number that its remarks keep back, and each look."""
        looks = [look(data, version, self.arounds[version.label], self.rules) for version in self.profiles]
        found, hidden = finish(looks, [rule.code for rule in self.rules], self.labels)
        return [one for one in found if self.selection.on(one.finding.code, name)], hidden, looks


def answer(inputs: ManyInputs, out: Output, wishes: Wishes) -> int:
    """Writes the report and returns the exit code. Raises FairsimError."""
    settings = out.settings
    assert settings is not None
    paths = list(_paths(inputs.paths))
    if wishes.show_files:
        out.write("".join(f"{path}\n" for path in paths))
        return exits.ANSWERED
    selection = Selection(
        wishes.select or settings.texts("select"),
        wishes.ignore or settings.texts("ignore"),
        wishes.per_file_ignore or settings.texts("per-file-ignore"),
    )
    known = _known(wishes, settings, out)
    scene = Scene(inputs, _arounds(inputs, out, wishes), selection)
    if wishes.fix or wishes.unsafe_fixes or wishes.diff:
        from fairsim.cli.lint_fix import mend

        code = mend(paths, scene, out, unsafe=wishes.unsafe_fixes, only_show=wishes.diff)
        if wishes.diff:
            return code
    report, unread = _report(paths, scene, out)
    if wishes.write_baseline is not None:
        text = write_baseline([(one.file, one.finding) for one in report.results])
        out.write_file(wishes.write_baseline, text, "--write-baseline")
        out.say(f"{len(report.results)} findings written to {wishes.write_baseline}")
        return exits.NOT_ANSWERED if unread else exits.ANSWERED
    if known:
        kept = [one for one in report.results if one.fingerprint not in known]
        gone = known - {one.fingerprint for one in report.results}
        if gone:
            out.detail(f"{len(gone)} findings of the baseline are there no more: write it again")
        report = report._replace(results=kept, known=len(report.results) - len(kept))
    _show(report, out, wishes, settings)
    if unread:
        return exits.NOT_ANSWERED
    return exits.NO if _fails(report, wishes, settings) else exits.ANSWERED


def _fails(report: Report, wishes: Wishes, settings: Settings) -> bool:
    level = wishes.fail_on or settings.text("fail-on") or ERROR
    if wishes.exit_zero or level == "never":
        return False
    if level not in SEVERITIES:
        raise UsageError(f"{level!r} is no severity", where="--fail-on", hint="error, warning, info or never")
    return report_text.worst(report) <= SEVERITIES.index(level)


def _known(wishes: Wishes, settings: Settings, out: Output) -> set[str]:
    path = wishes.baseline or settings.text("baseline")
    if path is None or wishes.write_baseline is not None:
        return set()
    source = read_input(path, out)
    return read_baseline(source.data, source.name)


# -- which files


def _paths(given: Sequence[str]) -> Iterator[str]:
    """Yields the files of what is named: files, patterns, folders; each once, those of one name sorted."""
    seen: set[str] = set()
    for name in given:
        for path in _files(name):
            if path not in seen:
                seen.add(path)
                yield path


def _files(name: str) -> list[str]:
    if name == STDIN or os.path.isfile(name):
        return [name]
    import glob  # most runs name files

    if os.path.isdir(name):
        pattern = os.path.join(glob.escape(name), "**", IN_FOLDERS)
        found = sorted(path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path))
        if not found:
            hint = "name the files, or a pattern such as 'conf/**/*.xml'"
            raise InputError(f"the folder has no file named like {IN_FOLDERS}", where=name, hint=hint)
        return found
    if glob.has_magic(name):
        found = sorted(path for path in glob.glob(name, recursive=True) if os.path.isfile(path))
        if not found:
            raise InputError("no file fits the pattern", where=name)
        return found
    return [name]  # it is not there: said when it is read


# -- what is found


def _report(paths: Sequence[str], scene: Scene, out: Output) -> tuple[Report, bool]:
    """Returns the report, and whether a file could not be read (said on standard error)."""
    results: list[Result] = []
    files: list[str] = []
    missing: dict[str, None] = {}
    suppressed = 0
    unread = False
    for path in paths:
        try:
            source = read_input(path, out, out.given.get("stdin_name", "<stdin>"))
        except InputError as error:
            explain(error, out)
            unread = True
            continue
        out.sources.pop()  # a thousand files need not be kept
        out.inputs.append(source.name)
        files.append(source.name)
        found, hidden, looks = scene.look(source.data, source.name)
        suppressed += hidden
        for one in looks:
            missing.update(dict.fromkeys(one.missing))
        results += _results(found, source.name, lines_of(source) if found else [])
    results += _of_site(scene)
    order = {file: number for number, file in enumerate(files)}
    results.sort(key=lambda one: order.get(one.file, len(order)))
    marks = fingerprints((one.file, one.finding) for one in results)
    results = [one._replace(fingerprint=mark) for one, mark in zip(results, marks, strict=True)]
    return Report(results, files, scene.labels, _not_checked(scene.rules, missing), suppressed), unread


def _arounds(inputs: ManyInputs, out: Output, wishes: Wishes) -> dict[str, Around]:
    """What is known beside the files, by the label of the version: resource types differ."""
    users = None
    if wishes.groups_file is not None:
        from fairsim.config.groups import read_groups

        users = read_groups(wishes.groups_file, lambda path: read_input(path, out).data)
    site = site_of(inputs, None)
    arounds = {}
    for version in inputs.profiles:
        cluster, its_site = None, site
        if inputs.clusters:
            types = site.resource_types(version) if site else ResourceTypes()
            cluster = clusters_of(inputs.clusters, types, inputs.cluster_label)[0]
            if cluster.yarn_site or cluster.yarn_site_file:
                its_site = site_of(inputs, cluster)
        arounds[version.label] = Around(its_site, cluster, users)
    return arounds


def _of_site(scene: Scene) -> list[Result]:
    """What the reader of yarn-site finds, once for all files."""
    runs = []
    for version in scene.profiles:
        site = scene.arounds[version.label].site
        runs.append(look_at_site(site, version) if site else [])
    found = [one for one in merged(runs) if scene.selection.on(one.finding.code, one.where)]
    return _results(found, "", [])


def _results(found: Sequence[Found], file: str, lines: Sequence[str]) -> list[Result]:
    kept: dict[str, Sequence[str]] = {file: lines}
    results = []
    for one in found:
        name = one.where if one.where is not None else file
        if name not in kept:
            kept[name] = _lines(name)
        results.append(Result(name, one.finding, one.hadoop, kept[name], ""))
    return results


def _lines(path: str) -> list[str]:
    """The lines of a file beside the allocation file, none for what is no file (-D)."""
    with suppress(OSError, FairsimError), open(path, "rb") as stream:
        return lines_of(Source(path, stream.read()))
    return []


def _not_checked(rules: Sequence[Rule], missing: Iterable[str]) -> list[tuple[str, list[str]]]:
    return [
        (need, codes)
        for need in missing
        if (codes := [rule.code for rule in rules if rule.check and (need in rule.needs or need == XML)])
    ]


# -- where it goes


def _show(report: Report, out: Output, wishes: Wishes, settings: Settings) -> None:
    for kind, path in out.copies:
        out.write_file(path, _rendered(kind, report, out, plain=True), "--format")
    kind = out.format
    in_github = out.environ.get("GITHUB_ACTIONS") == "true"
    if in_github and settings.get("format") is None and out.text_width() is None and out.path is None:
        kind = "github"  # nobody asked for another form, and no terminal is there
    if wishes.statistics:
        table = report_text.statistics(report)
        out.format = kind if kind in ("json", "jsonl") else "text"
        out.show(table, document=lambda: {"schema": 1, "command": "lint", "statistics": list(table.records())})
        return
    out.write(_rendered(kind, report, out))


def _rendered(kind: str, report: Report, out: Output, *, plain: bool = False) -> str:
    from fairsim.report.style import PLAIN

    style = PLAIN if plain else out.text_style()
    if kind == "text":
        return report_text.text(report, None if plain else out.text_width(), style)
    if kind == "concise":
        return report_text.concise(report, style)
    if kind in ("json", "jsonl"):
        from fairsim.report import jsonout

        if kind == "jsonl":
            return jsonout.lines(report_text.records(report))
        return jsonout.dumps(report_text.document(report))
    from fairsim.report.lint_ci import FORMATS

    return FORMATS[kind](report, _pages(report) if kind == "sarif" else ())


def _pages(report: Report) -> list[dict[str, Any]]:
    """The pages of the rules that were found, for formats that carry them."""
    from fairsim.lint.page import page_of

    rules = all_rules()
    pages = []
    for code in sorted({one.finding.code for one in report.results}):
        rule = rules.get(code)
        if rule is None:
            continue
        page = page_of(rule)
        help_text = f"{page.prose['When']} {page.prose['Write']}"
        pages.append({
            "code": code, "name": rule.name, "severity": rule.severity, "title": page.title,
            "effect": page.prose["Effect"], "help": help_text,
        })  # fmt: skip
    return pages


