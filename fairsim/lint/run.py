"""Runs the rules over one file under one version, and puts the findings of several versions together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from fairsim.config.allocation import read_allocation
from fairsim.config.build import build_tree
from fairsim.config.load import remark_on
from fairsim.config.site import Site
from fairsim.diag import Finding, Pos
from fairsim.lint.case import Case
from fairsim.lint.rule import CLUSTER, SITE, TREE, USERS, Hit, Rule
from fairsim.model.cluster import Cluster
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import Profile
from fairsim.xmlio.reader import XmlRefused, read_document

XML = "well-formed XML"
LOAD_FAILS = "the load fails: a start fails; a reload keeps what was in force, which only the log tells"


class Around(NamedTuple):
    """What is known beside the file: yarn-site, the cluster, users with their groups; None where nothing was given."""

    site: Site | None = None
    cluster: Cluster | None = None
    users: dict[str, tuple[str, ...]] | None = None


class Found(NamedTuple):
    """A finding, the input it is about (None: the file itself), and the versions it holds for."""

    finding: Finding
    where: str | None
    hadoop: tuple[str, ...]


class Looked(NamedTuple):
    """What one look at a file brought: findings, the needs that kept rules from running, and what was looked at.

    `case` is None where the file is not well-formed.
    """

    found: list[Found]
    missing: tuple[str, ...]
    case: Case | None


def look(data: bytes, profile: Profile, around: Around, rules: Iterable[Rule]) -> Looked:
    """Returns what the rules, and the readers, find in the bytes of a file under one version."""
    label = profile.label
    rules = list(rules)
    try:
        document = read_document(data, secure=profile.features.secure_xml)
    except XmlRefused as error:
        return Looked(_all_told([error.finding, remark_on(data, None) if data.strip() else None], label), (XML,), None)
    types = around.site.resource_types(profile) if around.site else ResourceTypes()
    if around.cluster is not None:
        types = around.cluster.types(types)
    raw = read_allocation(document, profile, types)
    tree = None if raw.refusals else build_tree(raw)
    case = Case(raw, tree, around.site, around.cluster, around.users)
    present = {TREE: tree, SITE: around.site, CLUSTER: around.cluster, USERS: around.users}
    found = _all_told([*raw.findings, remark_on(data, document)], label)
    missing: dict[str, None] = {}
    for rule in rules:
        if rule.check is None:
            continue
        absent = [need for need in rule.needs if present[need] is None]
        if absent:
            missing.update(dict.fromkeys(absent))
            continue
        found += [_found(hit, rule, document.pos, label) for hit in rule.check(case)]
    return Looked(found, tuple(missing), case)


def finish(
    looks: Sequence[Looked], ran: Collection[str], hadoop: tuple[str, ...]
) -> tuple[list[Found], int]:
    """Returns the findings of the looks at one file under several versions as one list, without those that remarks in
    the file keep back, and the number of these. `ran` are the codes of the rules that were run.
    """
    from fairsim.lint.suppress import suppressed  # speaks of Found

    found = merged([one.found for one in looks])
    document = next((one.case.document for one in looks if one.case is not None), None)
    kept, hidden = suppressed(found, document, ran, hadoop)
    return sorted(kept, key=_order), hidden


def look_at_site(site: Site, profile: Profile) -> list[Found]:
    """Returns what the reader finds in yarn-site, for one version."""
    label = profile.label
    return [Found(_told(one.finding, label), one.where, (label,)) for one in site.findings(profile)]


def merged(runs: Sequence[Iterable[Found]]) -> list[Found]:
    """Returns the findings of several versions as one list: what is the same is there once, with all its versions."""
    by_key: dict[Any, list[str]] = {}
    for run in runs:
        for one in run:
            versions = by_key.setdefault((one.finding, one.where), [])
            versions += [version for version in one.hadoop if version not in versions]
    found = [Found(finding, where, tuple(versions)) for (finding, where), versions in by_key.items()]
    return sorted(found, key=_order)


def _order(one: Found) -> tuple[Any, ...]:
    return one.where or "", one.finding.pos or (0, 0), one.finding.code, one.finding.message


def _all_told(findings: Iterable[Finding | None], label: str) -> list[Found]:
    return [Found(_told(finding, label), None, (label,)) for finding in findings if finding is not None]


def _told(finding: Finding, label: str) -> Finding:
    """What a reader said, in words that are the same for each version."""
    if finding.refuses and not finding.code.startswith("FS9"):
        return finding._replace(effect=LOAD_FAILS)
    effect, message = (text.replace(f"Hadoop {label}", "Hadoop") for text in (finding.effect, finding.message))
    return finding._replace(effect=effect, message=message)


def _found(hit: Hit, rule: Rule, pos: Callable[[Any], Pos], label: str) -> Found:
    where, place = _place(hit.at, pos)
    other = None if hit.other is None else _place(hit.other, pos)[1]
    severity = hit.severity or rule.severity
    finding = Finding(rule.code, rule.name, severity, hit.message, place, hit.effect, hit.hint, hit.refuses, other)
    return Found(finding, where, (label,))


def _place(at: Any, pos: Callable[[Any], Pos]) -> tuple[str | None, Pos | None]:
    """The input and the place of what a hit is at."""
    if at is None or isinstance(at, Pos):
        return None, at
    if hasattr(at, "where"):  # a value of yarn-site
        return at.where, at.pos
    return None, pos(at)
