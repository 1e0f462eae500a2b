"""From the inputs of a command line to the scene that the engines work on: queues, cluster sizes, properties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairsim.cli.options import Inputs
from fairsim.cli.output import Output
from fairsim.config.changes import parse_changes
from fairsim.config.cluster import parse_clusters
from fairsim.config.load import load_allocation
from fairsim.config.site import Site, read_site
from fairsim.diag import ERROR, Finding
from fairsim.errors import RefusedError, UsageError
from fairsim.model.cluster import Cluster
from fairsim.model.queues import QueueTree
from fairsim.model.resources import Amount
from fairsim.profiles import Profile, profile
from fairsim.report.findings import place


class Scene(NamedTuple):
    """What an answer is about: the queues in force, the sizes of the cluster with their labels, yarn-site."""

    tree: QueueTree
    sizes: list[tuple[str, Amount]]
    site: Site
    findings: list[Finding]
    notes: list[str]


def set_scene(inputs: Inputs, out: Output) -> Scene:
    """Returns the scene of a command that needs a cluster. Raises FairsimError for whatever stands in the way."""
    changes, other_cluster = parse_changes(inputs.changes)
    texts = (other_cluster,) if other_cluster is not None else inputs.clusters
    if not texts:
        raise UsageError("no cluster is given", where="--cluster", hint="write --cluster 800g,200c, or name a file")
    files = [*inputs.yarn_site, *inputs.resource_types]  # the order in which Hadoop adds them
    site = read_site(files, defines=inputs.defines)
    version = inputs.profile
    clusters = parse_clusters(texts, site.resource_types(version))
    first = clusters[0]
    if first.hadoop and out.settings is not None and out.settings.get("hadoop") is None:
        version = profile(first.hadoop)
        out.hadoop = version.label
    if first.yarn_site or first.yarn_site_file:
        beside = [first.yarn_site_file] if first.yarn_site_file else []
        site = read_site([*files, *beside], (first.source, first.yarn_site), inputs.defines)
    _check_site(site, version, out)
    types = site.resource_types(version)
    for cluster in clusters:
        types = cluster.types(types)
    source = inputs.allocation
    loaded = load_allocation(source.data, source.name, version, types, changes)
    findings = [*([loaded.remark] if loaded.remark else []), *loaded.findings]
    _talk(findings, source.name, out)
    return Scene(loaded.tree, _sizes(clusters, loaded.tree), site, findings, _notes(loaded.tree, clusters, version))


def _sizes(clusters: Sequence[Cluster], tree: QueueTree) -> list[tuple[str, Amount]]:
    from fairsim.units import format_amount

    amounts = [cluster.total(tree.types) for cluster in clusters]
    return [(format_amount(amount, tree.types, human=True), amount) for amount in amounts]


def _check_site(site: Site, version: Profile, out: Output) -> None:
    found = site.findings(version)
    errors = [one.finding for one in found if one.finding.severity == ERROR]
    if errors:
        refused = RefusedError("the ResourceManager does not start", errors)
        refused.where = next(one.where for one in found if one.finding.severity == ERROR)
        raise refused
    for one in found:
        out.say(f"{place(one.where, one.finding.pos)}: {_line(one.finding)}")


def _talk(findings: Sequence[Finding], name: str, out: Output) -> None:
    """Says on standard error what is not in force; a long list is cut unless --verbose."""
    most = len(findings) if out.verbose else 8
    for finding in findings[:most]:
        out.say(f"{place(name, finding.pos)}: {_line(finding)}")
    if len(findings) > most:
        out.say(f"{len(findings) - most} more remarks of this kind; --verbose shows them all")


def _line(finding: Finding) -> str:
    parts = [finding.message, finding.effect] if finding.effect else [finding.message]
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{finding.severity} {finding.code} " + ": ".join(parts) + hint


def _notes(tree: QueueTree, clusters: Sequence[Cluster], version: Profile) -> list[str]:
    notes = [version.remark] if version.remark else []
    default = tree.queues.get("root.default")
    if default is not None and default.index < 0 and not version.features.no_default_queue:
        notes.append("root.default is not in the file: Hadoop up to 3.3 makes it at start, and it takes a steady share")
    for lost in tree.lost:
        reason = lost.reason if lost.fault == lost.name else f"{lost.fault}: {lost.reason}"
        notes.append(f"not created: {lost.name} ({reason})")
    notes += [note for cluster in clusters for note in cluster.notes]
    return notes
