"""Checks that every form of a cluster description shares: resource types, names, racks, partitions, totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from fairsim.diag import Pos, did_you_mean
from fairsim.errors import InputError
from fairsim.model.cluster import Cluster, NodeGroup, Quantity, convert, fill_in
from fairsim.model.resources import INT_MAX, LONG_MAX, ResourceTypes
from fairsim.patterns import Pattern
from fairsim.units import parse_quantity

T = TypeVar("T")

MAX_NODES = 1_000_000

#: ResourceUtils.validateNameOfResourceNameAndThrowException
_RESOURCE_NAME = Pattern(
    r"(?:(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/)?[A-Za-z][A-Za-z0-9_.-]*"
)
_HOST = Pattern(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_RACK = Pattern(r"(?:/[^\s/{}@#+,:]+)+")
_PARTITION = Pattern(r"[0-9A-Za-z][0-9A-Za-z_-]{0,254}")
_BRACES = Pattern(r"\{[^{}]*\}?|\}")
_COUNTER = Pattern(r"\{i(?:/[1-9][0-9]{0,8})?\}")
#: Names that no custom type may have.
MANDATORY = ("memory", "memory-mb", "vcores")


def is_resource_name(name: str) -> bool:
    """Returns whether Hadoop (3.0 and later) takes `name` as the name of a resource type."""
    return _RESOURCE_NAME.fullmatch(name) is not None


class Place(NamedTuple):
    """A place of an input, for errors."""

    where: str
    pos: Pos | None = None

    def error(self, message: str, hint: str | None = None) -> InputError:
        """Returns the error for this place."""
        return InputError(message, where=self.where, pos=self.pos, hint=hint)

    def parse(self, function: Callable[..., T], *arguments: str) -> T:
        """Returns what the function returns; its InputError gets this place."""
        try:
            return function(*arguments)
        except InputError as error:
            raise self.error(error.message, error.hint) from None


def check_type(name: str, types: ResourceTypes | None, place: Place) -> str:
    """Returns `name` if it can be a custom resource type, and is one of `types` when those have custom ones."""
    if name in MANDATORY:
        raise place.error(f"{name} is not a custom resource type", "memory and vcores are the first two amounts")
    if not is_resource_name(name):
        hint = "a letter, then letters, digits and . _ -; in front at most one namespace and a slash: yarn.io/gpu"
        raise place.error(f"{name!r:.60} cannot be the name of a resource type", hint)
    if types is not None and types.custom and name not in types.custom:
        near = did_you_mean(name, types.custom)
        near = near or next((known for known in types.custom if known.endswith("/" + name)), "")
        known = ", ".join(types.custom)
        hint = f"did you mean {near}?" if near else f"yarn.resource-types names {known}"
        raise place.error(f"yarn-site does not know the resource type {name!r:.60}", hint)
    return name


def read_quantity(text: str, name: str, types: ResourceTypes | None, place: Place) -> Quantity:
    """Returns the quantity of a checked resource type; it must be whole in the unit of the type when that is known."""
    value, unit = place.parse(parse_quantity, text, name)
    if unit and types is not None and name in types.names:
        own = types.units[types.names.index(name)]
        place.parse(lambda: convert(value, unit, own, name))
    return Quantity(name, value, unit)


def check_name(text: str, size: int, place: Place) -> str:
    """Returns the pattern of host names if it is one that gives `size` names."""
    _check_counters(text, place)
    if not _HOST.fullmatch(_COUNTER.sub("1", text)):
        raise place.error(f"{text!r:.60} cannot be a host name", "use letters, digits and . _ -")
    if size > 1 and "{i}" not in text:
        hint = f'number them: "{_COUNTER.sub("", text):.60}{{i}}"'
        raise place.error(f"{size} nodes cannot all be named {text!r:.60}", hint)
    return text


def check_rack(text: str, place: Place) -> str:
    """Returns the rack (a path such as `/r1` or `/r{i/40}`) if Hadoop's NetworkTopology could take it."""
    _check_counters(text, place)
    if not text.startswith("/"):
        raise place.error(f"the rack {text!r:.60} does not begin with a slash", f"write /{text or 'r1'}")
    if not _RACK.fullmatch(_COUNTER.sub("1", text)):
        raise place.error(f"{text!r:.60} cannot be a rack", "write a path such as /r1 or /dc1/r1")
    return text


def check_partition(text: str, place: Place) -> str:
    """Returns the partition (node label) if CommonNodeLabelsManager could take it."""
    if not _PARTITION.fullmatch(text):
        hint = "use letters, digits, - and _, a letter or digit first"
        raise place.error(f"{text!r:.60} cannot be a partition", hint)
    return text


def _check_counters(text: str, place: Place) -> None:
    for match in _BRACES.finditer(text):
        if not _COUNTER.fullmatch(match[0]):
            hint = "{i} counts the nodes of the group from 1, {i/40} divides that by 40"
            raise place.error(f"{match[0]!r:.60} in {text!r:.60} is not a counter", hint)


def read_size(digits: str, place: Place) -> int:
    """Returns the number of nodes of a group, 1 to a million."""
    size = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else -1
    if not 1 <= size <= MAX_NODES:
        raise place.error(f"the number of nodes must be from 1 to {MAX_NODES}, not {digits!r:.60}")
    return size


def check_cluster(cluster: Cluster, places: Iterable[Place]) -> Cluster:
    """Returns the cluster if Hadoop can count it and no two nodes share a name; `places` has one for each group.

    Two nodes may share a host when their ports differ, as several NodeManagers on one machine do.
    """
    named = list(zip(cluster.groups, places, strict=True))
    memory = vcores = nodes = 0
    for group, place in named:
        nodes += group.size
        memory += group.size * group.memory_mb
        vcores += group.size * group.vcores
        if nodes > MAX_NODES:
            raise place.error(f"there are more than {MAX_NODES} nodes in all")
        if memory > LONG_MAX:
            raise place.error("the memory of all nodes together is more than Hadoop can count (2^63-1 MB)")
        if vcores > INT_MAX:
            raise place.error("the vcores of all nodes together are more than Hadoop can count (2^31-1)")
    if any(group.name for group in cluster.groups):
        _check_unique(named)
    return cluster


def _check_unique(named: list[tuple[NodeGroup, Place]]) -> None:
    seen: dict[tuple[str, int], Place] = {}
    number = 0
    for group, place in named:
        for index in range(1, group.size + 1):
            number += 1
            name = fill_in(group.name, index) if group.name else f"n{number}"
            first = seen.get((name, group.port))
            if first is not None:
                where = f", first at {first.pos.line}:{first.pos.column}" if first.pos else ""
                hint = "give each node a name or port of its own"
                raise place.error(f"two nodes are named {name}:{group.port}{where}", hint)
            seen[name, group.port] = place
