"""From the inputs of a command line to the scene that the engines work on: queues, cluster sizes, properties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from fairsim.cli.options import Inputs, blamed
from fairsim.cli.output import Output, Source
from fairsim.config.load import load_allocation
from fairsim.diag import ERROR, Finding
from fairsim.errors import RefusedError, UsageError
from fairsim.model.queues import QueueTree
from fairsim.model.resources import INT_MAX, Amount, ResourceTypes
from fairsim.profiles import Profile, profile

if TYPE_CHECKING:
    from fairsim.config.allocation import RawAllocation
    from fairsim.config.changes import Change
    from fairsim.config.site import Site
    from fairsim.model.cluster import Cluster


class PropertySources(Protocol):
    """Where yarn-site properties come from: files, and NAME=VALUE texts."""

    @property
    def yarn_site(self) -> tuple[str, ...]: ...

    @property
    def resource_types(self) -> tuple[str, ...]: ...

    @property
    def defines(self) -> tuple[str, ...]: ...


class Scene:
    """What an answer is about: the queues in force, the sizes of the cluster with their labels, yarn-site (if any).

    `raw` is the file as it was read, `clusters` are what `sizes` came from.
    """

    def __init__(
        self,
        tree: QueueTree,
        sizes: list[tuple[str, Amount]],
        site: Site | None,
        findings: list[Finding],
        notes: list[str],
        clusters: Sequence[Cluster],
        raw: RawAllocation,
    ):
        self.tree = tree
        self.sizes = sizes
        self.site = site
        self.findings = findings
        self.notes = notes
        self.clusters = clusters
        self.raw = raw

    def switched_on(self, name: str) -> bool:
        """Returns a yarn-site property that is true or false, false when nothing is written."""
        return self.site is not None and self.site.boolean(name, self.tree.profile).value


def set_scene(inputs: Inputs, out: Output, *, cluster_needed: bool = True) -> Scene:
    """Returns the scene of a command. Raises FairsimError for whatever stands in the way.

    Without a cluster, where none is needed, there are no sizes in it.
    """
    changes, texts = _changes(inputs)
    if not texts and cluster_needed:
        raise UsageError("no cluster is given", where="--cluster", hint="write --cluster 800g,200c, or name a file")
    version = inputs.profile
    site = site_of(inputs, None)
    types = site.resource_types(version) if site else ResourceTypes()
    label = inputs.cluster_label
    if texts is not inputs.clusters:
        label = "--set cluster"
        out.sources.append(Source(label, texts[0].encode("utf-8", "surrogateescape")))
    clusters = clusters_of(texts, types, label) if texts else []
    first = clusters[0] if clusters else None
    if first and first.hadoop and out.settings is not None and out.settings.get("hadoop") is None:
        version = profile(first.hadoop)
        out.hadoop = version.label
    if first and (first.yarn_site or first.yarn_site_file):
        site = site_of(inputs, first)
    if site:
        _check_site(site, version, out)
        types = site.resource_types(version)
    for cluster in clusters:
        types = cluster.types(types)
    if types.custom and not version.features.custom_types:
        out.say(f"Hadoop {version.label} knows memory and vcores only: {', '.join(types.custom)} left out")
        types = ResourceTypes()
    source = inputs.allocation
    loaded = load_allocation(source.data, source.name, version, types, changes)
    findings = [*([loaded.remark] if loaded.remark else []), *sorted(loaded.findings, key=_place)]
    _talk(findings, source.name, out)
    sizes = _sizes(clusters, loaded.tree)
    notes = [f"what if: {change}" for change in inputs.changes] + _notes(loaded.tree, clusters, version)
    if not version.features.long_values and any(max(amount) > INT_MAX for _, amount in sizes):
        message = f"Hadoop {version.label} counts in 32 bits: no more than {INT_MAX} MB or vcores"
        raise UsageError(message, where="--cluster", hint="give a smaller cluster, or --hadoop 2.8 or later")
    return Scene(loaded.tree, sizes, site, findings, notes, clusters, loaded.raw)


def clusters_of(texts: Sequence[str], types: ResourceTypes, label: str) -> Sequence[Cluster]:
    from fairsim.config.cluster import parse_clusters  # not every command has a cluster

    with blamed("--cluster", label):
        return parse_clusters(texts, types)


def _changes(inputs: Inputs) -> tuple[list[Change], tuple[str, ...]]:
    """Returns the changes of --set, and the texts of the cluster, which --set may replace."""
    if not inputs.changes:
        return [], inputs.clusters
    from fairsim.config.changes import parse_changes

    changes, cluster = parse_changes(inputs.changes)
    return changes, inputs.clusters if cluster is None else (cluster,)


def site_of(inputs: PropertySources, cluster: Cluster | None) -> Site | None:
    """Returns the properties of all sources, None when there is none: most runs need not load what reads them."""
    files = [*inputs.yarn_site, *inputs.resource_types]  # the order in which Hadoop adds them
    if not files and not inputs.defines and cluster is None:
        return None
    from fairsim.config.site import read_site

    if cluster is None:
        return read_site(files, defines=inputs.defines)
    beside = [cluster.yarn_site_file] if cluster.yarn_site_file else []
    return read_site([*files, *beside], (cluster.source, cluster.yarn_site), inputs.defines)


def _sizes(clusters: Sequence[Cluster], tree: QueueTree) -> list[tuple[str, Amount]]:
    if not clusters:
        return []
    from fairsim.units import format_amount

    amounts = [cluster.total(tree.types) for cluster in clusters]
    return [(format_amount(amount, tree.types, human=True), amount) for amount in dict.fromkeys(amounts)]


def _check_site(site: Site, version: Profile, out: Output) -> None:
    found = site.findings(version)
    errors = [one.finding for one in found if one.finding.severity == ERROR]
    if errors:
        verdict = f"the ResourceManager of Hadoop {version.label} would not start"
        refused = RefusedError(verdict, errors, verdict)
        refused.where = next(one.where for one in found if one.finding.severity == ERROR)
        raise refused
    for one in found:
        _say(one.finding, one.where, out)
    scheduler = site.text("yarn.resourcemanager.scheduler.class", version)
    if scheduler is not None and not scheduler.strip().endswith(".FairScheduler"):
        out.say(f"yarn-site names another scheduler, {scheduler.strip()}: it does not read this file")


def _talk(findings: Sequence[Finding], name: str, out: Output) -> None:
    """Says on standard error what is not in force; a long list is cut unless --verbose."""
    most = len(findings) if out.verbose else 8
    for finding in findings[:most]:
        _say(finding, name, out)
    if len(findings) > most:
        out.say(f"{len(findings) - most} more remarks of this kind; --verbose shows them all")


def _place(finding: Finding) -> tuple[int, ...]:
    return finding.pos or (0, 0)


def _say(finding: Finding, where: str, out: Output) -> None:
    from fairsim.report.findings import place

    parts = [finding.message, finding.effect] if finding.effect else [finding.message]
    hint = f" ({finding.hint})" if finding.hint else ""
    out.say(f"{place(where, finding.pos)}: {finding.severity} {finding.code} {': '.join(parts)}{hint}")


def _notes(tree: QueueTree, clusters: Sequence[Cluster], version: Profile) -> list[str]:
    notes = [version.remark] if version.remark else []
    default = tree.queues.get("root.default")
    if default is not None and default.index < 0 and not version.features.no_default_queue:
        notes.append("root.default is not in the file: Hadoop up to 3.3 makes it at start, and it takes its part")
    for lost in tree.lost:
        line = f", line {tree.locate(lost.element).line}" if tree.locate and lost.element is not None else ""
        notes.append(f"not created: {lost.name} ({lost.why}){line}")
    notes += [note for cluster in clusters for note in cluster.notes]
    if not all(any(cluster.total(tree.types)) for cluster in clusters):
        notes.append("the cluster has no nodes that count: every share is 0")
    return notes
