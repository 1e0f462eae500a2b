"""JSON saved from the ResourceManager to a cluster: `/ws/v1/cluster/nodes`, or the totals of `/ws/v1/cluster/metrics`.

Read from Hadoop 2.6 to 3.5 (NodesInfo, NodeInfo, ResourceInfo, ClusterMetricsInfo).
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from fairsim.config.node_values import Place, check_cluster, check_type
from fairsim.diag import Pos
from fairsim.errors import FairsimError
from fairsim.model.cluster import DEFAULT_PORT, DEFAULT_RACK, UNITS, Cluster, NodeGroup, Quantity
from fairsim.model.resources import LONG_MAX, MEMORY, VCORES, ResourceTypes
from fairsim.profiles import profile

_RUNNING = ("RUNNING", "")
_LOWERED = "DECOMMISSIONING"


def cluster_from_rm(
    data: bytes, where: str, types: ResourceTypes | None = None, *, decommissioning: bool = False
) -> Cluster:
    """Returns the cluster of RM JSON: one group for each running node, with its own name and port.

    `decommissioning` keeps nodes in that state too (their total is lowered to what is in use). Metrics give one
    group that is not counted: a total, not a node. Raises InputError with the place or the path inside the JSON.
    """
    place = Place(where)
    try:
        root = json.loads(data)
    except json.JSONDecodeError as error:
        raise Place(where, Pos(error.lineno, error.colno)).error(f"not JSON: {error.msg}") from None
    except (ValueError, RecursionError):  # UnicodeDecodeError, digits beyond the limit of int(), nesting
        raise place.error("the JSON cannot be read: not UTF-8, nested too deeply or with numbers too long") from None
    if isinstance(root, dict) and "nodes" in root:
        return _Reader(where, types, decommissioning).nodes(root["nodes"])
    if isinstance(root, dict) and isinstance(root.get("clusterMetrics"), dict):
        return _Reader(where, types, decommissioning).metrics(root["clusterMetrics"])
    hint = "save /ws/v1/cluster/nodes of the ResourceManager as it is"
    raise place.error("the JSON has neither `nodes` nor `clusterMetrics`", hint)


class _Reader:
    """Reads one answer; collects units of custom types, versions and states on the way."""

    def __init__(self, where: str, types: ResourceTypes | None, decommissioning: bool):
        self.place = Place(where)
        self.types = types
        self.states = (*_RUNNING, _LOWERED) if decommissioning else _RUNNING
        self.units: dict[str, str] = {}

    def nodes(self, value: Any) -> Cluster:
        entries = _entries(value, "node")
        left_out: Counter[str] = Counter()
        versions: Counter[str] = Counter()
        groups = []
        for index, entry in enumerate(entries):
            path = f"nodes.node[{index}]"
            if not isinstance(entry, dict):
                raise self.place.error(f"{path} is not an object")
            state = str(entry.get("state") or "")
            if state not in self.states:
                left_out[state] += 1
                continue
            groups.append(self.node(entry, path))
            if entry.get("version"):
                versions[str(entry["version"])] += 1
        notes = []
        if left_out:
            said = ", ".join(f"{count} {state}" for state, count in sorted(left_out.items()))
            notes.append(f"nodes left out because they are not running: {said}")
        if len(versions) > 1:
            said = ", ".join(f"{count} with {version}" for version, count in sorted(versions.items()))
            notes.append(f"the nodes run different versions ({said}): none is taken as default")
        if not groups:
            notes.append("no node is running: the cluster has no resources")
        hadoop = next(iter(versions)) if len(versions) == 1 else ""
        if hadoop and not _is_known(hadoop):
            notes.append(f"the nodes run {hadoop:.60}, which fairsim does not know: it is not taken as default")
            hadoop = ""
        units = tuple(self.units.items())
        cluster = Cluster(tuple(groups), self.place.where, units, hadoop=hadoop, notes=tuple(notes))
        return check_cluster(cluster, [self.place] * len(groups))

    def node(self, entry: dict[str, Any], path: str) -> NodeGroup:
        total = entry.get("totalResource")
        if isinstance(total, dict):
            memory, vcores, custom = self.resource(total, f"{path}.totalResource")
        else:
            memory = self.number(entry, "usedMemoryMB", path) + self.number(entry, "availMemoryMB", path)
            vcores = self.number(entry, "usedVirtualCores", path) + self.number(entry, "availableVirtualCores", path)
            custom = self.sum_of_custom(entry, path)
        host, _colon, port = str(entry.get("id") or "").rpartition(":")
        if not host or not (port.isascii() and port.isdigit() and len(port) < 6):
            host, port = str(entry.get("nodeHostName") or ""), str(DEFAULT_PORT)
        labels = entry.get("nodeLabels")
        label = labels[0] if isinstance(labels, list) and labels else labels
        return NodeGroup(
            1, memory, vcores, custom,
            rack=str(entry.get("rack") or DEFAULT_RACK), name=host, port=int(port),
            partition=label if isinstance(label, str) else "",
        )  # fmt: skip

    def sum_of_custom(self, entry: dict[str, Any], path: str) -> tuple[Quantity, ...]:
        sums: dict[str, Quantity] = {}
        for key in ("usedResource", "availableResource"):
            part = entry.get(key)
            if isinstance(part, dict):
                for quantity in self.resource(part, f"{path}.{key}", mandatory=False)[2]:
                    before = sums.get(quantity.name)
                    sums[quantity.name] = quantity._replace(value=quantity.value + (before.value if before else 0))
        return tuple(sums.values())

    def resource(
        self, value: dict[str, Any], path: str, *, mandatory: bool = True
    ) -> tuple[int, int, tuple[Quantity, ...]]:
        """Returns memory, vcores and custom quantities of a ResourceInfo."""
        memory = self.number(value, "memory", path) if mandatory else 0
        vcores = self.number(value, "vCores", path) if mandatory else 0
        custom = []
        for index, entry in enumerate(_entries(value.get("resourceInformations"), "resourceInformation")):
            at = f"{path}.resourceInformations.resourceInformation[{index}]"
            if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
                raise self.place.error(f"{at} has no name")
            name, unit = entry["name"], str(entry.get("units") or "")
            if name not in (MEMORY, VCORES):
                check_type(name, self.types, self.place)
                if unit not in UNITS:
                    raise self.place.error(f"{at}.units is {unit!r:.40}, which is not a unit of resource types")
                self.units.setdefault(name, unit)
                custom.append(Quantity(name, self.number(entry, "value", at), unit))
        return memory, vcores, tuple(custom)

    def metrics(self, value: dict[str, Any]) -> Cluster:
        path = "clusterMetrics"
        memory, vcores = self.number(value, "totalMB", path), self.number(value, "totalVirtualCores", path)
        custom: tuple[Quantity, ...] = ()
        across = value.get("totalClusterResourcesAcrossPartition")
        if isinstance(across, dict):
            custom = self.resource(across, f"{path}.totalClusterResourcesAcrossPartition", mandatory=False)[2]
        note = "the metrics give totals only: what needs nodes cannot be told from them"
        group = NodeGroup(1, memory, vcores, custom, counted=False)
        cluster = Cluster((group,), self.place.where, tuple(self.units.items()), notes=(note,))
        return check_cluster(cluster, [self.place])

    def number(self, entry: dict[str, Any], key: str, path: str) -> int:
        value = entry.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LONG_MAX:
            said = "is missing" if key not in entry else f"is not a whole number of 0 or more: {value!r:.40}"
            raise self.place.error(f"{path}.{key} {said}")
        return value


def _is_known(version: str) -> bool:
    try:
        profile(version)
    except FairsimError:
        return False
    return True


def _entries(value: Any, key: str) -> list[Any]:
    """Returns the list below `key`; the RM writes null or {} for an empty one and an object for a single entry."""
    inner = value.get(key) if isinstance(value, dict) else None
    if inner is None:
        return []
    return inner if isinstance(inner, list) else [inner]
