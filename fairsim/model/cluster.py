"""A cluster: groups of equal nodes, and what its description says besides.

Standard library only. Capacities are kept as written (a quantity may carry its own unit) and become an `Amount`
for a given set of resource types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fairsim.diag import Pos
from fairsim.errors import InputError
from fairsim.javanum import hash_set_order
from fairsim.model.resources import LONG_MAX, MEMORY, VCORES, Amount, ResourceTypes
from fairsim.patterns import Pattern

DEFAULT_RACK = "/default-rack"
DEFAULT_PORT = 8041
_COUNTER = Pattern(r"\{i(?:/([0-9]+))?\}")

#: UnitsConversionUtil: numerator and denominator of each unit of a resource type, smallest first. Case matters.
UNITS: dict[str, tuple[int, int]] = {
    "p": (1, 10**12), "n": (1, 10**9), "u": (1, 10**6), "m": (1, 1000), "": (1, 1),
    "k": (1000, 1), "M": (10**6, 1), "G": (10**9, 1), "T": (10**12, 1), "P": (10**15, 1),
    "Ki": (1024, 1), "Mi": (1024**2, 1), "Gi": (1024**3, 1), "Ti": (1024**4, 1), "Pi": (1024**5, 1),
}  # fmt: skip


class Quantity(NamedTuple):
    """So many of a custom resource type; `unit` "" means the unit of the type itself."""

    name: str
    value: int
    unit: str = ""


class NodeGroup(NamedTuple):
    """`size` equal nodes, each with this capacity.

    `name` and `rack` may hold `{i}` (1 to size) and `{i/K}` (whole division); an empty name stands for `n` and the
    number of the node in the cluster. `counted` is false for a text without a count: one node to those who need
    nodes, or only a total. `heartbeat_ms` None means the interval of yarn-site.
    """

    size: int
    memory_mb: int
    vcores: int
    custom: tuple[Quantity, ...] = ()
    rack: str = DEFAULT_RACK
    name: str = ""
    port: int = DEFAULT_PORT
    partition: str = ""
    heartbeat_ms: int | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    counted: bool = True

    def capacity(self, types: ResourceTypes) -> Amount:
        """Returns the capacity of one node; types it does not have are 0, quantities of other types are left out.

        Raises InputError when a quantity is not whole in the unit of its type.
        """
        values = {MEMORY: self.memory_mb, VCORES: self.vcores}
        units = dict(zip(types.names, types.units, strict=True))
        for quantity in self.custom:
            unit = units.get(quantity.name)
            if unit is not None:
                values[quantity.name] = convert(quantity.value, quantity.unit or unit, unit, quantity.name)
        return types.amount(values)


class Node(NamedTuple):
    """One node; Hadoop's id of it is `name:port`."""

    name: str
    rack: str
    capacity: Amount
    port: int = DEFAULT_PORT
    partition: str = ""
    heartbeat_ms: int | None = None


class Property(NamedTuple):
    """A yarn-site property that came with the cluster: text as in Hadoop, and where it is written."""

    name: str
    value: str
    pos: Pos


class Cluster(NamedTuple):
    """Nodes by group, and what the description says besides.

    `source` is the argument or file it was read from. `units` holds the custom types that the description declares
    or uses and their unit, in its order. `hadoop` and `yarn_site_file` are "" when not given (a path is as
    written); `replay` holds the checked, unread keys that only replay uses (strings, lists, maps).
    """

    groups: tuple[NodeGroup, ...]
    source: str = ""
    units: tuple[tuple[str, str], ...] = ()
    hadoop: str = ""
    yarn_site: tuple[Property, ...] = ()
    yarn_site_file: str = ""
    replay: Mapping[str, object] = {}
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Returns the number of nodes."""
        return sum(group.size for group in self.groups)

    @property
    def counted(self) -> bool:
        """Returns whether every item said how many nodes it stands for; if not, the sizes may be totals."""
        return all(group.counted for group in self.groups)

    @property
    def custom_names(self) -> tuple[str, ...]:
        """Returns the custom resource types that are declared or used, in the order of the description."""
        return tuple(name for name, _unit in self.units)

    def types(self, known: ResourceTypes | None = None) -> ResourceTypes:
        """Returns `known` with the custom types of this cluster added, in Hadoop's order.

        A type of `known` keeps its unit. Without `known`, or when it has no custom types, the cluster alone says
        which there are.
        """
        units = dict(self.units)
        if known is not None:
            units.update(zip(known.names[2:], known.units[2:], strict=True))
            if set(units) == set(known.custom):
                return known
        return ordered_types(units)

    def total(self, types: ResourceTypes) -> Amount:
        """Returns the sum over all nodes (ClusterNodeTracker.getClusterCapacity)."""
        amounts = [(group.size, group.capacity(types)) for group in self.groups]
        return tuple(
            sum(count * amount[position] for count, amount in amounts) for position in range(len(types.names))
        )

    def largest(self, types: ResourceTypes) -> Amount:
        """Returns the largest capacity of each type alone (ClusterNodeTracker.getMaxAllowedAllocation)."""
        amounts = [group.capacity(types) for group in self.groups]
        return tuple(max((amount[position] for amount in amounts), default=0) for position in range(len(types.names)))

    def nodes(self, types: ResourceTypes) -> Iterator[Node]:
        """Yields the nodes in order, with names and racks filled in."""
        number = 0
        for group in self.groups:
            capacity = group.capacity(types)
            for index in range(1, group.size + 1):
                number += 1
                name = fill_in(group.name, index) if group.name else f"n{number}"
                rack = fill_in(group.rack, index)
                yield Node(name, rack, capacity, group.port, group.partition, group.heartbeat_ms)


def fill_in(pattern: str, index: int) -> str:
    """Returns `pattern` with `{i}` as `index` and `{i/K}` as `index // K`."""
    return _COUNTER.sub(lambda match: str(index // int(match[1]) if match[1] else index), pattern)


def ordered_types(custom: Mapping[str, str] | Iterable[tuple[str, str]], last: Iterable[str] = ()) -> ResourceTypes:
    """Returns the resource types with the custom ones (name and unit) in Hadoop's order.

    ResourceUtils keeps them in a HashMap together with memory-mb and vcores, which are put in after them; then it
    takes those two first. `last` names the types that are not counted, which follow all others (3.3 and later).
    Measured on 2.10.2 to 3.5.0.
    """
    units = dict(custom)
    behind = set(last)
    order = [name for name in hash_set_order([*units, MEMORY, VCORES]) if name not in (MEMORY, VCORES)]
    names = [name for name in order if name not in behind] + [name for name in order if name in behind]
    return ResourceTypes((MEMORY, VCORES, *names), ("Mi", "", *(units[name] for name in names)))


def convert(value: int, unit: str, to_unit: str, name: str) -> int:
    """Returns `value`, counted in `unit`, counted in `to_unit`; both are units of UnitsConversionUtil.

    Hadoop cuts a fraction off and throws on overflow; here both raise InputError, without a place.
    """
    numerator = value * UNITS[unit][0] * UNITS[to_unit][1]
    result, rest = divmod(numerator, UNITS[unit][1] * UNITS[to_unit][0])
    own = f"the unit {to_unit!r}" if to_unit else "whole ones"
    if rest:
        raise InputError(
            f"{value}{unit} of {name} is not a whole number in the unit of this resource type",
            hint=f"{name} is counted in {own}: write {result}{to_unit} or {result + 1}{to_unit}",
        )
    if result > LONG_MAX:
        raise InputError(f"{value}{unit} of {name} is more than 2^63-1 in the unit of this resource type")
    return result
