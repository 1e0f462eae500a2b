"""A YAML description of a cluster: nodes, resource types, yarn-site values, and what only replay uses."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from fairsim.config.node_values import (
    MANDATORY,
    Place,
    check_cluster,
    check_name,
    check_partition,
    check_rack,
    check_type,
    is_resource_name,
    read_quantity,
    read_size,
)
from fairsim.config.yamlio import Scalar, Value, YamlFile, by_name, plain, read_yaml
from fairsim.diag import Pos, did_you_mean
from fairsim.errors import FairsimError
from fairsim.model.cluster import DEFAULT_PORT, DEFAULT_RACK, UNITS, Cluster, NodeGroup, Property, Quantity
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import profile
from fairsim.units import parse_memory, parse_vcores

_KEYS = (
    "version", "hadoop", "nodes", "partitions", "resource_types", "yarn_site", "yarn_site_file",
    "rm_cost", "localization", "events",
)  # fmt: skip
_NODE_KEYS = (
    "count", "memory", "vcores", "resources", "rack", "name", "port", "partition", "heartbeat_ms", "attributes",
)  # fmt: skip
_COSTS = ("c_hb", "c_q", "c_app", "c_alloc", "c_upd")
_LOCALIZATION = (
    "executor", "node_mb_s", "stream_mb_s", "stat_ms", "unpack_mb_s", "unpack_ratio", "localizer_start_ms",
    "target_size_mb", "cleanup_interval_ms", "fetch_threads",
)  # fmt: skip
_EXECUTORS = ("lce", "dce")
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")
_TIME = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,3})?(?:ms|[smhd])?")


def cluster_from_yaml(data: bytes, where: str, types: ResourceTypes | None = None) -> Cluster:
    """Returns the cluster that the YAML describes; `where` is the name of the file, and paths in it are beside it.

    `types` are the resource types of yarn-site, if known. Unknown and repeated keys and bad values raise InputError
    with line and column. Keys that only replay uses are checked and kept in `Cluster.replay` as texts, lists, maps.
    """
    reader = _Reader(where, types)
    return reader.cluster(read_yaml(data, where))


class _Reader(YamlFile):
    """Reads one description; knows the resource types that it declares and uses."""

    def __init__(self, where: str, types: ResourceTypes | None):
        super().__init__(where)
        self.types = types
        self.declared: ResourceTypes | None = None
        self.units: dict[str, str] = {}

    def at(self, value: Value) -> Place:
        return Place(self.where, value.pos)

    def cluster(self, root: Value) -> Cluster:
        top = self.fields(root, "the description of a cluster", _KEYS)
        if (version := by_name(top, "version")) and self.text(version, "version") != "1":
            self.fail(f"version {self.text(version, 'version')} is not known", version.pos, "write version: 1")
        hadoop = self.hadoop(by_name(top, "hadoop"))
        site = self.yarn_site(by_name(top, "yarn_site"))
        self.types = _types_of(site) or self.types
        self.declare(by_name(top, "resource_types"))
        if "nodes" not in top:
            hint = "write nodes: [{count: 40, memory: 20g, vcores: 5}]"
            self.fail("the description has no nodes", root.pos, hint)
        items = self.seq(top["nodes"][1], "nodes").items
        groups = tuple(self.node(item) for item in items)
        cluster = Cluster(
            groups, self.where, (), hadoop, site, self.beside(by_name(top, "yarn_site_file")), self.replay(top),
        )  # fmt: skip
        check_cluster(cluster, [self.at(item) for item in items])
        return cluster._replace(units=tuple(self.units.items()))

    def hadoop(self, value: Value | None) -> str:
        if value is None:
            return ""
        text = self.text(value, "hadoop")
        try:
            profile(text)
        except FairsimError as error:
            self.fail(error.message, value.pos, error.hint)
        return text

    def declare(self, value: Value | None) -> None:
        """Reads `resource_types`; quantities of nodes must then be among them."""
        if value is None:
            return
        for item in self.seq(value, "resource_types").items:
            pair = self.fields(item, "a resource type", ("name", "units"))
            if "name" not in pair:
                self.fail("a resource type has no name", item.pos, "write {name: yarn.io/gpu}")
            written = pair["name"][1]
            name = check_type(self.text(written, "name"), self.types, self.at(written))
            if name in self.units:
                self.fail(f"the resource type {name} is declared twice", written.pos, "keep one of the two")
            unit = pair["units"][1] if "units" in pair else Scalar("", written.pos, plain=False)
            self.units[name] = self.unit(name, self.text(unit, "units"), unit.pos)
        self.declared = ResourceTypes(("memory-mb", "vcores", *self.units), ("Mi", "", *self.units.values()))

    def unit(self, name: str, text: str, pos: Pos) -> str:
        if text not in UNITS:
            near = did_you_mean(text, [unit for unit in UNITS if unit])
            hint = f"did you mean {near}? (case matters)" if near else "units are " + " ".join(filter(None, UNITS))
            self.fail(f"{text!r:.60} is not a unit of a resource type", pos, hint)
        if self.types is not None and name in self.types.names:
            own = self.types.units[self.types.names.index(name)]
            if own != text:
                self.fail(f"{name} has the unit {text!r:.60} here and {own!r} in yarn-site", pos, "write the same unit")
        return text

    def node(self, item: Value) -> NodeGroup:
        """Returns one group of nodes."""
        keys = self.fields(item, "a node", _NODE_KEYS)
        for key in ("memory", "vcores"):
            if key not in keys:
                self.fail(f"the nodes have no {key}", item.pos, "write {count: 40, memory: 20g, vcores: 5}")
        memory, vcores = keys["memory"][1], keys["vcores"][1]
        size = 1
        if count := by_name(keys, "count"):
            size = read_size(self.text(count, "count"), self.at(count))
        rack, name, partition = (by_name(keys, key) for key in ("rack", "name", "partition"))
        label = self.text(partition, "partition") if partition else ""
        port, beat = by_name(keys, "port"), by_name(keys, "heartbeat_ms")
        return NodeGroup(
            size,
            self.at(memory).parse(parse_memory, self.text(memory, "memory")),
            self.at(vcores).parse(parse_vcores, self.text(vcores, "vcores")),
            self.quantities(by_name(keys, "resources")),
            rack=check_rack(self.text(rack, "rack"), self.at(rack)) if rack else DEFAULT_RACK,
            name=check_name(self.text(name, "name"), size, self.at(name)) if name else "",
            port=self.integer(port, "port", 0, 65535) if port else DEFAULT_PORT,
            partition=check_partition(label, self.at(partition)) if partition and label else "",
            heartbeat_ms=self.integer(beat, "heartbeat_ms", 1, 2**31 - 1) if beat else None,
            attributes=self.attributes(by_name(keys, "attributes")),
        )

    def quantities(self, value: Value | None) -> tuple[Quantity, ...]:
        if value is None:
            return ()
        types = self.declared or self.types
        result = []
        for key, item in self.map(value, "resources").items:
            if self.declared is not None and key.text not in self.declared.names:
                near = did_you_mean(key.text, self.declared.custom)
                hint = f"did you mean {near}?" if near else f"add it: {{name: {key.text}}}"
                self.fail(f"resource_types does not declare {key.text!r:.60}", key.pos, hint)
            name = check_type(key.text, types, self.at(key))
            result.append(read_quantity(self.text(item, name), name, types, self.at(item)))
            known = types.units[types.names.index(name)] if types and name in types.names else ""
            self.units.setdefault(name, known)
        return tuple(result)

    def attributes(self, value: Value | None) -> tuple[tuple[str, str], ...]:
        if value is None:
            return ()
        return tuple((key.text, self.text(item, key.text)) for key, item in self.map(value, "attributes").items)

    def yarn_site(self, value: Value | None) -> tuple[Property, ...]:
        """Returns the properties as texts, as Hadoop would see them in a file."""
        if value is None:
            return ()
        properties = []
        for key, item in self.map(value, "yarn_site").items:
            if not isinstance(item, Scalar):
                self.fail(f"{key.text} must be one text", item.pos, "write lists as in yarn-site.xml: a,b")
            properties.append(Property(key.text.strip(), "" if item.is_null else item.text, key.pos))
        return tuple(properties)

    def beside(self, value: Value | None) -> str:
        """Returns a path that is written relative to this file."""
        return os.path.join(os.path.dirname(self.where), self.text(value, "yarn_site_file")) if value else ""

    def replay(self, top: Mapping[str, tuple[Scalar, Value]]) -> dict[str, object]:
        """Returns the keys that only replay uses, checked."""
        checks = {
            "partitions": self.check_partitions,
            "rm_cost": self.check_costs,
            "localization": self.check_localization,
            "events": self.check_events,
        }
        kept: dict[str, object] = {}
        for key, check in checks.items():
            if key in top:
                check(top[key][1])
                kept[key] = plain(top[key][1])
        return kept

    def check_partitions(self, value: Value) -> None:
        for key, item in self.map(value, "partitions").items:
            check_partition(key.text, self.at(key))
            for exclusive in (pair[1] for pair in self.fields(item, "a partition", ("exclusive",)).values()):
                self.boolean(exclusive, "exclusive")

    def check_costs(self, value: Value) -> None:
        for name, (_key, item) in self.fields(value, "rm_cost", _COSTS).items():
            self.number(item, name)

    def check_localization(self, value: Value) -> None:
        for name, (_key, item) in self.fields(value, "localization", _LOCALIZATION).items():
            if name != "executor":
                self.number(item, name)
            elif self.text(item, name) not in _EXECUTORS:
                self.fail(f"executor must be lce or dce, not {self.text(item, name)!r}", item.pos)

    def check_events(self, value: Value) -> None:
        for item in self.seq(value, "events").items:
            keys = self.fields(item, "an event", ("at", "remove", "add"))
            if "at" not in keys or ("remove" in keys) == ("add" in keys):
                hint = "write {at: 3600, remove: n17} or {at: 3600, add: {memory: 128g, vcores: 32}}"
                self.fail("an event needs a time, and either remove or add", item.pos, hint)
            time = keys["at"][1]
            if not _TIME.fullmatch(self.text(time, "at")):
                hint = "write seconds, or a unit: 3600, 90s, 15m, 2h"
                self.fail(f"{self.text(time, 'at')!r} is not a time", time.pos, hint)
            if "add" in keys:
                self.node(keys["add"][1])
            else:
                removed = keys["remove"][1]
                check_name(self.text(removed, "remove"), 1, self.at(removed))

    def number(self, value: Value, what: str) -> None:
        text = self.text(value, what)
        if not _NUMBER.fullmatch(text):
            self.fail(f"{what} must be a number of 0 or more, not {text!r:.60}", value.pos)


def _types_of(site: tuple[Property, ...]) -> ResourceTypes | None:
    """Returns the resource types that the description's own yarn_site names; `Site` checks them later."""
    values = {item.name: item.value for item in site}
    written = (name.strip() for name in values.get("yarn.resource-types", "").split(","))
    names = [name for name in dict.fromkeys(written) if is_resource_name(name) and name not in MANDATORY]
    if not names:
        return None
    units = [values.get(f"yarn.resource-types.{name}.units", "") for name in names]
    known = [unit if unit in UNITS else "" for unit in units]
    return ResourceTypes(("memory-mb", "vcores", *names), ("Mi", "", *known))
