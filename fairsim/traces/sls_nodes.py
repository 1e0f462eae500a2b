"""The nodes of Hadoop's scheduler load simulator (SLS): `{"rack": R, "nodes": [{"node": N}]}` again and again."""

from __future__ import annotations

from collections.abc import Container
from typing import IO, Any

from fairsim.diag import Pos
from fairsim.errors import InputError
from fairsim.model.cluster import Node
from fairsim.model.resources import ResourceTypes
from fairsim.traces.faults import PARSE, VALUE, Bad, Notes
from fairsim.traces.files import find_field, objects, open_file, read_json
from fairsim.traces.sizes import parse_part, plain_size, type_named
from fairsim.traces.sls import NODE, filled
from fairsim.traces.values import text


def read_sls_nodes(path: str, types: ResourceTypes, stdin: IO[bytes] | None = None) -> tuple[Node, ...]:
    """Returns the nodes in the order of the file; what it does not say of a size is 10240 MB and 10 vcores.

    Labels are passed over: the fair scheduler knows none. Raises InputError with file, line and field.
    """
    stream, name = open_file(path, stdin)
    nodes: dict[str, Node] = {}
    number, line = 0, 1
    with stream:
        try:
            for number, frame in enumerate(objects(stream), 1):
                line = frame.line
                try:
                    _rack(read_json(frame.data, Notes(name)), types, nodes)
                except Bad as bad:
                    find_field(frame.data, bad)
                    raise _placed(bad, name, line, number) from None
        except Bad as bad:
            raise _placed(bad, name, 1, 0) from None
    if not nodes:
        hint = 'write {"rack": "r1", "nodes": [{"node": "n1"}]}'
        raise InputError(f"{PARSE} the file has no nodes", where=name, pos=Pos(1, 1), hint=hint)
    return tuple(nodes.values())


def _placed(bad: Bad, name: str, line: int, number: int) -> InputError:
    return InputError(bad.text(number), where=name, pos=Pos(line + bad.line, bad.column), hint=bad.hint or None)


def _rack(record: dict[str, Any], types: ResourceTypes, nodes: dict[str, Node]) -> None:
    if record.get("rack") is None:
        raise Bad(VALUE, "the rack has no name", 'write "rack": "r1"', field="rack")
    rack = "/" + text(record["rack"]).removeprefix("/")
    listed = record.get("nodes")
    if not isinstance(listed, list):
        raise Bad(VALUE, "the rack has no list of nodes", 'write "nodes": [{"node": "n1"}]', field="nodes")
    for index, item in enumerate(listed):
        try:
            node = _node(item, rack, types, nodes)
        except Bad as bad:
            bad.field = f"nodes[{index}]{'.' if bad.field else ''}{bad.field}"
            raise
        nodes[node.name] = node


def _node(item: Any, rack: str, types: ResourceTypes, before: Container[str]) -> Node:
    if not isinstance(item, dict):
        raise Bad(VALUE, "a node is an object", 'write {"node": "n1"}', value=item)
    if item.get("node") is None:
        raise Bad(VALUE, "the node has no name", 'write "node": "n1"', field="node")
    host = text(item["node"])
    if host in before:
        raise Bad(VALUE, "a node before has this name", "give each its own", field="node", value=host)
    capacity = types.as_map(filled(types, NODE))
    for key, value in item.items():
        name = type_named(key, types)
        if name is not None and value is not None:
            try:
                capacity[name] = parse_part(name, plain_size(value), types)
            except Bad as bad:
                raise bad.about(key, value) from None
    return Node(host, rack, types.amount(capacity))
