"""Descriptions of clusters: texts, ranges, YAML, and JSON of the ResourceManager."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsim.config.cluster import cluster_from_bytes, parse_cluster, parse_clusters
from fairsim.config.cluster_rm import cluster_from_rm
from fairsim.config.yamlio import Map, Scalar, Seq, plain, read_yaml
from fairsim.diag import Pos
from fairsim.errors import InputError, UsageError
from fairsim.model.cluster import Cluster, NodeGroup, Property, Quantity, ordered_types
from fairsim.model.resources import ResourceTypes
from fairsim.units import format_amount

GPU = ResourceTypes(("memory-mb", "vcores", "yarn.io/gpu"), ("Mi", "", ""))


def text_error(text: str, types: ResourceTypes | None = None) -> tuple[str, int | None, str, str | None]:
    with pytest.raises(InputError) as caught:
        parse_clusters([text], types)
    error = caught.value
    assert error.pos is None or error.pos.line == 1
    return error.where or "", error.pos.column if error.pos else None, error.message, error.hint


def file_error(text: str, types: ResourceTypes | None = None) -> tuple[str, str, str | None]:
    with pytest.raises(InputError) as caught:
        cluster_from_bytes(text.encode(), "c.yaml", types)
    error = caught.value
    place = f":{error.pos.line}:{error.pos.column}" if error.pos else ""
    return f"{error.where}{place}", error.message, error.hint


# ---------------------------------------------------------------------------------------------------------------------
STEP_HINT = "add the step after a slash: 400g,100c..1600g,400c/1g,1c, or /10x where the counts of nodes differ"


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("800g,200c", [NodeGroup(1, 819200, 200, counted=False)]),
        (" 800 GB , 200 vcores ", [NodeGroup(1, 819200, 200, counted=False)]),
        ("8192,8", [NodeGroup(1, 8192, 8, counted=False)]),
        ("8192 mb, 8 vcores", [NodeGroup(1, 8192, 8, counted=False)]),
        ("8 vcores, 8192 mb", [NodeGroup(1, 8192, 8, counted=False)]),
        ("<memory:8192, vCores:8>", [NodeGroup(1, 8192, 8, counted=False)]),
        (
            "<memory:8192, vCores:8, yarn.io/gpu: 2>",
            [NodeGroup(1, 8192, 8, (Quantity("yarn.io/gpu", 2),), counted=False)],
        ),
        ("memory-mb=8192,vcores=8", [NodeGroup(1, 8192, 8, counted=False)]),
        ("1.5t,3", [NodeGroup(1, 1572864, 3, counted=False)]),
        ("40x20g,5c", [NodeGroup(40, 20480, 5)]),
        ("1x20g,5c", [NodeGroup(1, 20480, 5)]),
        (
            "40x20g,5c@/r1+10x64g,16c,yarn.io/gpu=4#gpu",
            [
                NodeGroup(40, 20480, 5, rack="/r1"),
                NodeGroup(10, 65536, 16, (Quantity("yarn.io/gpu", 4),), partition="gpu"),
            ],
        ),
        (
            " 3 X <memory:1g, vCores:2> @ /dc1/r{i/2} # p-1 ",
            [NodeGroup(3, 1024, 2, rack="/dc1/r{i/2}", partition="p-1")],
        ),
        ("1g,1,disk=4Gi,a=0", [NodeGroup(1, 1024, 1, (Quantity("disk", 4, "Gi"), Quantity("a", 0)), counted=False)]),
        ("0g,0c", [NodeGroup(1, 0, 0, counted=False)]),
    ],
)
def test_texts(text: str, groups: list[NodeGroup]) -> None:
    cluster = parse_cluster(text)
    assert list(cluster.groups) == groups
    assert cluster.counted == all(group.counted for group in groups)


SIZE_HINT = "write a size such as 800g,200c"
MANY_HINT = "write MEMORY,VCORES and then NAME=NUMBER; thousands are written without marks"
ORDER_HINT = "write memory, then vcores: 800g,200c"
COUNTER_HINT = "{i} counts the nodes of the group from 1, {i/40} divides that by 40"
NAME_HINT = "a letter, then letters, digits and . _ -; in front at most one namespace and a slash: yarn.io/gpu"
BOTH_HINT = "memory comes first: 800g,200c; thousands are written without marks"


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("", None, "the size of the cluster is empty", SIZE_HINT),
        ("800g", 1, "'800g' has no vcores", ORDER_HINT),
        ("vcores=4", 1, "'vcores=4' has no memory", ORDER_HINT),
        ("memory=4,vcore=1", 1, "'memory=4,vcore=1' has no vcores", "did you mean vcores, not vcore?"),
        ("vcores=4,memry=1", 1, "'vcores=4,memry=1' has no memory", "did you mean memory, not memry?"),
        ("800,000m,200c", 10, "'200c' is one amount too many", MANY_HINT),
        ("1,000", 3, "'000' is not a number of vcores", "thousands are written without marks: 1000, not 1,000"),
        ("1,024m", 3, "'024m' is an amount of memory, not vcores", BOTH_HINT),
        ("800g,200c,foo", 11, "'foo' is one amount too many", MANY_HINT),
        ("8zb,200c", 1, "'zb' is not a unit of memory", "units of memory are k, m, g, t and p: 8g is 8192 MB"),
        ("8g,2 cors", 4, "'cors' is not a unit of vcores", "did you mean cores?"),
        ("8g,2c,memory=3", 7, "memory is given twice, first in column 1", "keep one of the two"),
        ("8g,2c, a=1 ,a=2", 13, "a is given twice, first in column 8", "keep one of the two"),
        ("memory=1,2g,1c", 10, "memory is given twice, first in column 1", "keep one of the two"),
        ("8g,2c,gpu=4g", 11, "'g' is not a unit of gpu", "did you mean G? (case matters)"),
        ("8g,2c,1gpu=4", 7, "'1gpu' cannot be the name of a resource type", NAME_HINT),
        ("8g,2c,=4", 7, "'' cannot be the name of a resource type", NAME_HINT),
        ("0x8g,1c", 1, "the number of nodes must be from 1 to 1000000, not '0'", None),
        ("40x8g,1c+9999999x8g,1c", 10, "the number of nodes must be from 1 to 1000000, not '9999999'", None),
        ("999999x8g,1c+2x8g,1c", 14, "there are more than 1000000 nodes in all", None),
        ("40*20g,5c", 3, "the count is followed by an x", "write 40x"),
        ("1g,1c@r1", 7, "the rack 'r1' does not begin with a slash", "write /r1"),
        ("1g,1c@/", 7, "'/' cannot be a rack", "write a path such as /r1 or /dc1/r1"),
        ("1g,1c@/r{j}", 7, "'{j}' in '/r{j}' is not a counter", COUNTER_HINT),
        ("1g,1c@/r{i/0}", 7, "'{i/0}' in '/r{i/0}' is not a counter", COUNTER_HINT),
        ("1g,1c@/r{i", 7, "'{i' in '/r{i' is not a counter", COUNTER_HINT),
        ("1g,1c#-a", 7, "'-a' cannot be a partition", "use letters, digits, - and _, a letter or digit first"),
        ("1g,1c#a@/b", 8, "the rack comes before the partition", "write 40x20g,5c@/r1#gpu"),
        ("1g,1c+", 7, "a size is missing here", SIZE_HINT),
        ("1g,1c;;2g,2c", 7, "a size is missing here", SIZE_HINT),
        ("<memory:1, vCores:1", 1, "the closing > is missing", "write <memory:8192, vCores:8>"),
        ("1g,1c+2x5000000000p,1c", 7,
         "the memory of all nodes together is more than Hadoop can count (2^63-1 MB)", None),
        ("2x1g,2000000000c", 1, "the vcores of all nodes together are more than Hadoop can count (2^31-1)", None),
        ("foo/bar", None, "there is no file 'foo/bar', and it is not a size either",
         "write a size such as 800g,200c, or the name of a .yaml or .json file"),
    ],
)  # fmt: skip
def test_texts_refused(text: str, column: int | None, message: str, hint: str | None) -> None:
    assert text_error(text) == ("--cluster", column, message, hint)


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("1g,1c,gpu=1", 7, "yarn-site does not know the resource type 'gpu'", "did you mean yarn.io/gpu?"),
        ("1g,1c,yarn.io/gpo=1", 7, "yarn-site does not know the resource type 'yarn.io/gpo'",
         "did you mean yarn.io/gpu?"),
        ("1g,1c,fpga=1", 7, "yarn-site does not know the resource type 'fpga'",
         "yarn.resource-types names yarn.io/gpu"),
        ("1g,1c,yarn.io/gpu=1500m", 19, "1500m of yarn.io/gpu is not a whole number in the unit of this resource type",
         "yarn.io/gpu is counted in whole ones: write 1 or 2"),
    ],
)  # fmt: skip
def test_texts_with_known_types_refused(text: str, column: int, message: str, hint: str) -> None:
    assert text_error(text, GPU) == ("--cluster", column, message, hint)


@pytest.mark.parametrize(
    ("text", "sources", "totals"),
    [
        (
            "400g,100c..1600g,400c/400g,100c",
            ["400g,100c", "800g,200c", "1200g,300c", "1600g,400c"],
            [(409600, 100), (819200, 200), (1228800, 300), (1638400, 400)],
        ),
        ("1g,1c..2g,1c/1g,0c", ["1g,1c", "2g,1c"], [(1024, 1), (2048, 1)]),
        ("1000,1..3000,3/1000,1", ["1000m,1c", "2000m,2c", "3000m,3c"], [(1000, 1), (2000, 2), (3000, 3)]),
        ("10x1g,1c..30x1g,1c/10x", ["10x1g,1c", "20x1g,1c", "30x1g,1c"], [(10240, 10), (20480, 20), (30720, 30)]),
        ("10x1g,1c..10x3g,1c/1g,0c", ["10x1g,1c", "10x2g,1c", "10x3g,1c"], [(10240, 10), (20480, 10), (30720, 10)]),
        ("1g,1c;2g,2c", ["1g,1c", "2g,2c"], [(1024, 1), (2048, 2)]),
    ],
)
def test_ranges(text: str, sources: list[str], totals: list[tuple[int, int]]) -> None:
    clusters = parse_clusters([text])
    assert [cluster.source for cluster in clusters] == sources
    assert [cluster.total(cluster.types()) for cluster in clusters] == totals


def test_range_over_a_custom_type() -> None:
    clusters = parse_clusters(["1g,1c,yarn.io/gpu=2..1g,1c,yarn.io/gpu=6/0,0,yarn.io/gpu=2"])
    assert [cluster.source for cluster in clusters] == [f"1g,1c,yarn.io/gpu={count}" for count in (2, 4, 6)]
    assert [cluster.total(GPU)[2] for cluster in clusters] == [2, 4, 6]


def test_several_arguments_are_several_clusters() -> None:
    clusters = parse_clusters(["1g,1c", "2g,2c..3g,2c/1g,0c"])
    assert [cluster.source for cluster in clusters] == ["1g,1c", "2g,2c", "3g,2c"]


RANGE_HINT = "write 400g,100c..1600g,400c/400g,100c"


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("400g,100c..1600g,400c", 1, "a range of sizes needs a step", STEP_HINT),
        ("400g,100c..1600g,400c/400g,90c", 12, "vcores does not get from 100 to 400 in steps of 90",
         "choose a step that divides the difference"),
        ("400g,100c..1600g,400c/400g,0c", 12, "vcores does not get from 100 to 400 without a step",
         "give the step for it too"),
        ("400g,100c..1600g,400c/400g,50c", 12,
         "the parts of the range need different numbers of steps: 3 for memory, 6 for vcores", "adjust the step"),
        ("1g,1c..1g,1c/0g,0c", 8, "the parts of the range need different numbers of steps: none", "adjust the step"),
        ("2g,1c..1g,1c/1g,1c", 8, "memory goes down, from 2048 to 1024", "write the smaller size first"),
        ("1g,1c..2g,1c/1g", 14, "'1g' has no vcores", ORDER_HINT),
        ("1g,1c@/r..2g,1c/1g,0c", 6, "a range takes single sizes, without @", RANGE_HINT),
        ("1g,1c+1g,1c..2g,1c/1g,0c", 6, "a range takes single sizes, without +", RANGE_HINT),
        ("2x1g,1c..2g,1c/1g,0c", 10, "one end of the range has a count, the other has none",
         "write both as COUNTxSIZE"),
        ("2x1g,1c..4x2g,1c/2x", 10, "count and size of the nodes both change in this range", "let one of them change"),
        ("2x1g,1c..4x1g,1c/1g,1c", 18, "'1g,1c' is not a number of nodes to step by", "write a step such as 10x"),
        ("1,1..100000,1/1,0", 6, "the range has 99999 steps", "give a range of 1 to 999 steps"),
        ("1g,1c,a=1..2g,1c/1g,0c", 12, "the resource types of start, end and step differ",
         "name the same ones in each"),
        ("1g,1c,a=1k..2g,1c,a=1/1g,0c", 13, "the units of a differ", "write the same unit in each"),
    ],
)  # fmt: skip
def test_ranges_refused(text: str, column: int, message: str, hint: str) -> None:
    assert text_error(text) == ("--cluster", column, message, hint)


def test_one_cluster_is_needed() -> None:
    with pytest.raises(UsageError) as caught:
        parse_cluster("1g,1c..3g,1c/1g,0c")
    assert caught.value.message == "'1g,1c..3g,1c/1g,0c' describes 3 clusters; one is needed here"
    assert caught.value.hint == "write one size, such as 1g,1c"


def test_the_text_loads_neither_yaml_nor_json() -> None:
    code = (
        "import sys; from fairsim.config.cluster import parse_cluster; parse_cluster('40x20g,5c@/r1+64g,16c,gpu=4#g');"
        "print([name for name in ('yaml', 'json', 'lxml', 'dataclasses', 'pathlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


amounts = st.tuples(st.integers(0, 2**60), st.integers(0, 2**20), st.integers(0, 2**60))


@given(amounts)
def test_printed_amounts_read_back(amount: tuple[int, int, int]) -> None:
    assert parse_cluster(format_amount(amount, GPU), GPU).total(GPU) == amount


@given(st.lists(st.tuples(st.integers(1, 1000), st.integers(0, 2**40), st.integers(0, 1000)), min_size=1, max_size=5))
def test_groups_add_up(groups: list[tuple[int, int, int]]) -> None:
    cluster = parse_cluster("+".join(f"{size}x{memory}m,{vcores}c" for size, memory, vcores in groups))
    types = ResourceTypes()
    nodes = list(cluster.nodes(types))
    assert len(nodes) == cluster.size
    assert cluster.total(types) == tuple(sum(node.capacity[position] for node in nodes) for position in range(2))
    assert cluster.largest(types) == tuple(max(node.capacity[position] for node in nodes) for position in range(2))
    assert len({node.name for node in nodes}) == len(nodes)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        parse_clusters([text])


# ---------------------------------------------------------------------------------------------------------------------
def test_nodes_have_names_racks_and_ports() -> None:
    nodes = list(parse_cluster("2x1g,1c@/r{i/2}+1x2g,2c").nodes(ResourceTypes()))
    assert [(node.name, node.rack, node.port, node.capacity) for node in nodes] == [
        ("n1", "/r0", 8041, (1024, 1)),
        ("n2", "/r1", 8041, (1024, 1)),
        ("n3", "/default-rack", 8041, (2048, 2)),
    ]


def test_types_of_a_cluster() -> None:
    cluster = parse_cluster("1g,1c,zeta=1,yarn.io/gpu=2")
    assert cluster.custom_names == ("zeta", "yarn.io/gpu")
    assert cluster.types().names == ("memory-mb", "vcores", "zeta", "yarn.io/gpu")
    assert cluster.types(ResourceTypes()).names == cluster.types().names
    known = ResourceTypes(("memory-mb", "vcores", "disk"), ("Mi", "", "G"))
    assert set(cluster.types(known).custom) == {"zeta", "yarn.io/gpu", "disk"}
    assert parse_cluster("1g,1c", known).types(known) is known
    assert cluster.total(ResourceTypes()) == (1024, 1)  # other types are left out


def test_types_are_in_the_order_of_hadoop() -> None:
    names = "zeta,alpha,yarn.io/gpu,nvidia.com/gpu,yarn.io/fpga,disk,net,x1,x2,x3,x4,x5,x6,x7,x8,x9,x10,x11,x12"
    measured = "zeta,x8,x9,yarn.io/gpu,yarn.io/fpga,disk,x10,alpha,x12,x1,x11,nvidia.com/gpu,x2,x3,net,x4,x5,x6,x7"
    assert ordered_types(dict.fromkeys(names.split(","), "")).custom == tuple(measured.split(","))
    assert ordered_types({"a": "", "b": "G", "c": ""}, last=["b"]) == (
        ("memory-mb", "vcores", "a", "c", "b"), ("Mi", "", "", "", "G"),
    )  # fmt: skip


def test_quantities_are_converted_to_the_unit_of_the_type() -> None:
    types = ResourceTypes(("memory-mb", "vcores", "disk"), ("Mi", "", "G"))
    assert parse_cluster("1g,1c,disk=2T", types).total(types) == (1024, 1, 2000)
    assert parse_cluster("1g,1c,disk=2", types).total(types) == (1024, 1, 2)


def test_a_cluster_without_nodes() -> None:
    empty = Cluster(())
    assert (empty.size, empty.total(GPU), empty.largest(GPU)) == (0, (0, 0, 0), (0, 0, 0))


# ---------------------------------------------------------------------------------------------------------------------
FULL = """\
version: 1
hadoop: 3.3.6                      # selects version-dependent rules
nodes:
  - {count: 4000, memory: 128g, vcores: 32, rack: "/r{i/40}", name: "p{i}", partition: "", heartbeat_ms: 1000}
  - {count: 2000, memory: 64g, vcores: 16, partition: secondary, resources: {nvidia.com/gpu: 0}}
  - {name: special1, memory: 256g, vcores: 64, attributes: {os: linux}}      # single node
partitions: {secondary: {exclusive: true}}       # cs-lite only
resource_types: [{name: nvidia.com/gpu, units: ""}]
yarn_site: {yarn.scheduler.fair.preemption: true, yarn.scheduler.fair.update-interval-ms: 500}
yarn_site_file: conf/yarn-site.xml
rm_cost: {c_hb: 20, c_q: 5, c_app: 156, c_alloc: 944}
localization: {executor: lce, node_mb_s: 1000, unpack_ratio: 1.5}
events: [{at: 3600, remove: p17}, {at: 2h, add: {count: 10, memory: 128g, vcores: 32}}]
"""


def test_the_whole_yaml() -> None:
    cluster = cluster_from_bytes(FULL.encode(), "conf/c.yaml")
    assert cluster == Cluster(
        (
            NodeGroup(4000, 131072, 32, rack="/r{i/40}", name="p{i}", heartbeat_ms=1000),
            NodeGroup(2000, 65536, 16, (Quantity("nvidia.com/gpu", 0),), partition="secondary"),
            NodeGroup(1, 262144, 64, name="special1", attributes=(("os", "linux"),)),
        ),
        "conf/c.yaml",
        (("nvidia.com/gpu", ""),),
        "3.3.6",
        (
            Property("yarn.scheduler.fair.preemption", "true", Pos(9, 13)),
            Property("yarn.scheduler.fair.update-interval-ms", "500", Pos(9, 51)),
        ),
        "conf/conf/yarn-site.xml",
        {
            "partitions": {"secondary": {"exclusive": "true"}},
            "rm_cost": {"c_hb": "20", "c_q": "5", "c_app": "156", "c_alloc": "944"},
            "localization": {"executor": "lce", "node_mb_s": "1000", "unpack_ratio": "1.5"},
            "events": [
                {"at": "3600", "remove": "p17"},
                {"at": "2h", "add": {"count": "10", "memory": "128g", "vcores": "32"}},
            ],
        },
    )
    assert cluster.size == 6001
    names = [node.name for node in cluster.nodes(cluster.types())]
    assert (names[0], names[3999], names[4000], names[6000]) == ("p1", "p4000", "n4001", "special1")


KNOWN_KEYS = (
    "known keys are version, hadoop, nodes, partitions, resource_types, yarn_site, yarn_site_file, rm_cost, "
    "localization, events"
)
NODES = "nodes: [{memory: 1g, vcores: 1}]\n"


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("", "c.yaml", "the file is empty", None),
        ("# nothing\n", "c.yaml", "the file is empty", None),
        ("800g,200c", "c.yaml:1:1",
         "the description of a cluster must be a map of keys and values, not the text '800g,200c'", None),
        ("version: 1\n", "c.yaml:1:1", "the description has no nodes",
         "write nodes: [{count: 40, memory: 20g, vcores: 5}]"),
        ("version: 2\n" + NODES, "c.yaml:1:10", "version 2 is not known", "write version: 1"),
        ("nods: []\n", "c.yaml:1:1", "unknown key 'nods' in the description of a cluster", "did you mean nodes?"),
        ("zzz: []\n", "c.yaml:1:1", "unknown key 'zzz' in the description of a cluster",
         KNOWN_KEYS),
        ("nodes:\n  - {memory: 1g, vcore: 1}\n", "c.yaml:2:18", "unknown key 'vcore' in a node",
         "did you mean vcores?"),
        ("nodes:\n  - {memory: 1g, vcores: 1, memory: 2g}\n", "c.yaml:2:29",
         "the key 'memory' is written twice, first at 2:6", "keep one of the two"),
        (NODES + NODES, "c.yaml:2:1", "the key 'nodes' is written twice, first at 1:1", "keep one of the two"),
        ("nodes: {memory: 1g, vcores: 1}\n", "c.yaml:1:8", "nodes must be a list, not a map", None),
        ("nodes: [1g]\n", "c.yaml:1:9", "a node must be a map of keys and values, not the text '1g'", None),
        ("nodes: [{memory: 1g}]\n", "c.yaml:1:9", "the nodes have no vcores",
         "write {count: 40, memory: 20g, vcores: 5}"),
        ("nodes: [{memory: , vcores: 1}]\n", "c.yaml:1:9", "the nodes have no memory",
         "write {count: 40, memory: 20g, vcores: 5}"),
        ("nodes: [{memory: 1q, vcores: 1}]\n", "c.yaml:1:18", "'q' is not a unit of memory",
         "units of memory are k, m, g, t and p: 8g is 8192 MB"),
        ("nodes: [{memory: '1,000', vcores: 1}]\n", "c.yaml:1:18", "'1,000' has marks between thousands", "write 1000"),
        ("nodes: [{memory: [1g], vcores: 1}]\n", "c.yaml:1:18", "memory must be a single value, not a list", None),
        ("nodes: [{memory: 1g, vcores: 1:30}]\n", "c.yaml:1:30", "'1:30' is not an amount of vcores",
         "write a whole number, such as 200 or 200c"),
        ("nodes: [{memory: 1g, vcores: 010}]\n", "c.yaml:1:30", "'010' is not a number of vcores",
         "thousands are written without marks: 1000, not 1,000"),
        ("nodes: [{count: 0, memory: 1g, vcores: 1}]\n", "c.yaml:1:17",
         "the number of nodes must be from 1 to 1000000, not '0'", None),
        ("nodes: [{count: -1, memory: 1g, vcores: 1}]\n", "c.yaml:1:17",
         "the number of nodes must be from 1 to 1000000, not '-1'", None),
        ("nodes: [{count: 2, name: p, memory: 1g, vcores: 1}]\n", "c.yaml:1:26", "2 nodes cannot all be named 'p'",
         'number them: "p{i}"'),
        ("nodes: [{count: 2, name: 'p{i/2}', memory: 1g, vcores: 1}]\n", "c.yaml:1:26",
         "2 nodes cannot all be named 'p{i/2}'", 'number them: "p{i}"'),
        ("nodes: [{name: 'p{x}', memory: 1g, vcores: 1}]\n", "c.yaml:1:16", "'{x}' in 'p{x}' is not a counter",
         COUNTER_HINT),
        ("nodes: [{name: a b, memory: 1g, vcores: 1}]\n", "c.yaml:1:16", "'a b' cannot be a host name",
         "use letters, digits and . _ -"),
        ("nodes:\n- {name: a, memory: 1g, vcores: 1}\n- {name: a, memory: 1g, vcores: 1}\n", "c.yaml:3:3",
         "two nodes are named a:8041, first at 2:3", "give each node a name or port of its own"),
        ("nodes:\n- {count: 9, name: 'p{i}', memory: 1g, vcores: 1}\n- {name: p7, memory: 1g, vcores: 1}\n",
         "c.yaml:3:3", "two nodes are named p7:8041, first at 2:3", "give each node a name or port of its own"),
        ("nodes: [{rack: r1, memory: 1g, vcores: 1}]\n", "c.yaml:1:16", "the rack 'r1' does not begin with a slash",
         "write /r1"),
        ("nodes: [{port: 65536, memory: 1g, vcores: 1}]\n", "c.yaml:1:16", "port must be from 0 to 65535, not 65536",
         None),
        ("nodes: [{port: x, memory: 1g, vcores: 1}]\n", "c.yaml:1:16", "port must be a whole number, not 'x'", None),
        ("nodes: [{heartbeat_ms: 0, memory: 1g, vcores: 1}]\n", "c.yaml:1:24",
         "heartbeat_ms must be from 1 to 2147483647, not 0", None),
        ("nodes: [{partition: a b, memory: 1g, vcores: 1}]\n", "c.yaml:1:21", "'a b' cannot be a partition",
         "use letters, digits, - and _, a letter or digit first"),
        ("nodes: [{memory: 1g, vcores: 1, resources: {vcores: 2}}]\n", "c.yaml:1:45",
         "vcores is not a custom resource type", "memory and vcores are the first two amounts"),
        ("nodes: [{memory: 1g, vcores: 1, resources: {gpu: x}}]\n", "c.yaml:1:50", "'x' is not an amount of gpu",
         "write a whole number, with a unit if need be, such as 4 or 16Gi"),
        ("resource_types: [{name: yarn.io/gpu}]\nnodes: [{memory: 1g, vcores: 1, resources: {yarn.io/gpo: 2}}]\n",
         "c.yaml:2:45", "resource_types does not declare 'yarn.io/gpo'", "did you mean yarn.io/gpu?"),
        ("resource_types: [{name: a}, {name: a}]\n" + NODES, "c.yaml:1:36", "the resource type a is declared twice",
         "keep one of the two"),
        ("resource_types: [{name: a, units: g}]\n" + NODES, "c.yaml:1:35", "'g' is not a unit of a resource type",
         "did you mean G? (case matters)"),
        ("resource_types: [{name: memory-mb}]\n" + NODES, "c.yaml:1:25", "memory-mb is not a custom resource type",
         "memory and vcores are the first two amounts"),
        ("resource_types: [{units: G}]\n" + NODES, "c.yaml:1:18", "a resource type has no name",
         "write {name: yarn.io/gpu}"),
        ("resource_types: [{name: a, units: G}]\nnodes: [{memory: 1g, vcores: 1, resources: {a: 1M}}]\n", "c.yaml:2:48",
         "1M of a is not a whole number in the unit of this resource type",
         "a is counted in the unit 'G': write 0G or 1G"),
        ("hadoop: 4.9\n" + NODES, "c.yaml:1:9", "Hadoop 4.9 is not a line that fairsim knows",
         "known lines: 2.6, 2.7, 2.8, 2.9, 2.10, 3.0, 3.1, 3.2, 3.3, 3.4, 3.5"),
        ("yarn_site: {a: [1]}\n" + NODES, "c.yaml:1:16", "a must be one text", "write lists as in yarn-site.xml: a,b"),
        ("rm_cost: {c_h: 1}\n" + NODES, "c.yaml:1:11", "unknown key 'c_h' in rm_cost", "did you mean c_hb?"),
        ("rm_cost: {c_hb: -1}\n" + NODES, "c.yaml:1:17", "c_hb must be a number of 0 or more, not '-1'", None),
        ("localization: {executor: x}\n" + NODES, "c.yaml:1:26", "executor must be lce or dce, not 'x'", None),
        ("partitions: {a: {exclusive: yes}}\n" + NODES, "c.yaml:1:29",
         "exclusive must be true or false, not 'yes'", None),
        ("events: [{at: x, remove: n1}]\n" + NODES, "c.yaml:1:15", "'x' is not a time",
         "write seconds, or a unit: 3600, 90s, 15m, 2h"),
        ("events: [{at: 1}]\n" + NODES, "c.yaml:1:10", "an event needs a time, and either remove or add",
         "write {at: 3600, remove: n17} or {at: 3600, add: {memory: 128g, vcores: 32}}"),
        ("events: [{at: 1, add: {memory: 1g}}]\n" + NODES, "c.yaml:1:23", "the nodes have no vcores",
         "write {count: 40, memory: 20g, vcores: 5}"),
        ("nodes: &a []\n", "c.yaml:1:8", "the anchor &a is not read", "take it out"),
        ("nodes: *a\n", "c.yaml:1:8", "the alias *a is not read", "write the value out again"),
        ("nodes: !!python/object:os.system []\n", "c.yaml:1:8",
         "the tag tag:yaml.org,2002:python/object:os.system is not read", "take it out: every value is read as text"),
        ("nodes: []\n---\nnodes: []\n", "c.yaml:2:1", "a second document begins", "keep one document per file"),
        ("? [a]\n: b\n", "c.yaml:1:3", "a key must be a text", None),
        ("nodes:\n\t- a\n", "c.yaml:2:1", "not YAML: found character '\\t' that cannot start any token",
         "indent with blanks, not with tabs"),
        ("nodes: [\n", "c.yaml:2:1", "not YAML: expected the node content, but found '<stream end>'", None),
        ("nodes: a\x00\n", "c.yaml:1:9", "not YAML: the character U+0000 may not occur", None),
        ("[" * 60, "c.yaml:1:51", "lists and maps are nested more than 50 deep", None),
        ("<?xml?>", "c.yaml", "the file is XML, not a description of a cluster",
         "save it as JSON: ask for /ws/v1/cluster/nodes with the header Accept: application/json"),
    ],
)  # fmt: skip
def test_yaml_refused(text: str, place: str, message: str, hint: str | None) -> None:
    assert file_error(text) == (place, message, hint)


def test_yaml_that_is_not_utf8() -> None:
    with pytest.raises(InputError) as caught:
        cluster_from_bytes(b"nodes:\n  - {name: \xff}\n", "c.yaml")
    assert (caught.value.message, caught.value.pos) == ("the file is not UTF-8", Pos(2, 1))


def test_yaml_and_the_types_of_yarn_site() -> None:
    text = "nodes: [{memory: 1g, vcores: 1, resources: {fpga: 1}}]\n"
    assert file_error(text, GPU)[1:] == (
        "yarn-site does not know the resource type 'fpga'", "yarn.resource-types names yarn.io/gpu",
    )  # fmt: skip
    own = "yarn_site: {yarn.resource-types: 'fpga, disk', yarn.resource-types.disk.units: G}\n" + text
    cluster = cluster_from_bytes(own.encode(), "c.yaml", GPU)  # its own yarn_site comes after yarn-site.xml
    assert cluster.units == (("fpga", ""),)
    other = "resource_types: [{name: yarn.io/gpu, units: G}]\n" + NODES
    assert file_error(other, GPU) == (
        "c.yaml:1:45", "yarn.io/gpu has the unit 'G' here and '' in yarn-site", "write the same unit",
    )  # fmt: skip


def test_yaml_values_are_texts() -> None:
    value = read_yaml(b"{a: no, b: 010, c: 1:30, d: 1e3, e: ~, f: '~', g: 2001-01-01, h: [x, [y]]}", "x")
    assert plain(value) == {
        "a": "no", "b": "010", "c": "1:30", "d": "1e3", "e": None, "f": "~", "g": "2001-01-01", "h": ["x", ["y"]],
    }  # fmt: skip
    assert read_yaml(b"\xef\xbb\xbfa: [b]", "x") == Map(
        ((Scalar("a", Pos(1, 1)), Seq((Scalar("b", Pos(1, 5)),), Pos(1, 4))),), Pos(1, 1)
    )


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for name in ("c.yaml", "c.json"):
        with contextlib.suppress(InputError):
            cluster_from_bytes(data, name)


def test_files_by_ending_or_by_being_there(tmp_path: Path) -> None:
    for name, text in (("c.yaml", NODES), ("c.json", '{"nodes": null}'), ("plain", NODES), ("rm", '{"nodes": null}')):
        (tmp_path / name).write_text(text)
        assert parse_cluster(str(tmp_path / name)).source == str(tmp_path / name)
    missing = str(tmp_path / "missing.yml")
    hint = "write a size such as 800g,200c, or an existing file"
    assert text_error(missing) == (missing, None, "the cluster file cannot be read: No such file or directory", hint)


# ---------------------------------------------------------------------------------------------------------------------
def rm_node(**changes: Any) -> dict[str, Any]:
    node = {
        "rack": "/r1", "state": "RUNNING", "id": "h1:45454", "nodeHostName": "h1", "nodeHTTPAddress": "h1:8042",
        "lastHealthUpdate": 1, "version": "3.3.6", "healthReport": "", "numContainers": 2, "usedMemoryMB": 1024,
        "availMemoryMB": 7168, "usedVirtualCores": 1, "availableVirtualCores": 7,
    }  # fmt: skip
    return {**node, **changes}


def rm(*nodes: dict[str, Any], types: ResourceTypes | None = None, decommissioning: bool = False) -> Cluster:
    data = json.dumps({"nodes": {"node": list(nodes)}}).encode()
    return cluster_from_rm(data, "nodes.json", types, decommissioning=decommissioning)


GPUS = [
    {"name": "memory-mb", "units": "Mi", "value": 8192, "resourceType": "COUNTABLE"},
    {"name": "vcores", "units": "", "value": 8},
    {"name": "yarn.io/gpu", "units": "", "value": 4, "minimumAllocation": 0, "maximumAllocation": 2**63 - 1},
]


def test_rm_nodes_of_every_version() -> None:
    assert rm(rm_node()).groups == (NodeGroup(1, 8192, 8, rack="/r1", name="h1", port=45454),)
    newer = rm_node(
        totalResource={"memory": 8192, "vCores": 8, "resourceInformations": {"resourceInformation": GPUS}},
        nodeLabels=["gpu"],
        usedMemoryMB=0,
    )
    cluster = rm(newer)
    assert cluster.groups[0].custom == (Quantity("yarn.io/gpu", 4),)
    assert cluster.groups[0].partition == "gpu"
    assert (cluster.units, cluster.hadoop, cluster.counted) == ((("yarn.io/gpu", ""),), "3.3.6", True)
    assert cluster.total(cluster.types()) == (8192, 8, 4)
    half = {"memory": 1, "vCores": 1, "resourceInformations": {"resourceInformation": {"name": "a", "value": 2}}}
    middle = rm(rm_node(usedResource=half, availableResource=half))
    assert middle.groups[0].custom == (Quantity("a", 4),)
    assert middle.groups[0].memory_mb == 8192


@pytest.mark.parametrize("nodes", [None, {}, {"node": None}, {"node": []}, ""])
def test_rm_without_nodes(nodes: object) -> None:
    cluster = cluster_from_rm(json.dumps({"nodes": nodes}).encode(), "nodes.json")
    assert cluster.groups == ()
    assert cluster.notes == ("no node is running: the cluster has no resources",)


def test_rm_with_a_single_object() -> None:
    assert cluster_from_rm(json.dumps({"nodes": {"node": rm_node()}}).encode(), "nodes.json").size == 1


def test_rm_states() -> None:
    states = ("RUNNING", "LOST", "LOST", "DECOMMISSIONING", "UNHEALTHY")
    nodes = [rm_node(state=state, id=f"h{number}:1") for number, state in enumerate(states)]
    assert rm(*nodes).size == 1
    assert rm(*nodes).notes == (
        "nodes left out because they are not running: 1 DECOMMISSIONING, 2 LOST, 1 UNHEALTHY",
    )
    assert rm(*nodes, decommissioning=True).size == 2


def test_rm_versions() -> None:
    mixed = rm(rm_node(), rm_node(id="h2:1", version="3.4.1"))
    assert mixed.hadoop == ""
    assert mixed.notes == (
        "the nodes run different versions (1 with 3.3.6, 1 with 3.4.1): none is taken as default",
    )


def test_rm_version_of_a_vendor() -> None:
    cluster = rm(rm_node(version="3.1.1.7.1.9.0-387"))
    assert cluster.hadoop == ""
    assert cluster.notes == (
        "the nodes run 3.1.1.7.1.9.0-387, which fairsim does not know: it is not taken as default",
    )


def test_rm_id_without_a_port() -> None:
    assert rm(rm_node(id="")).groups[0][5:7] == ("h1", 8041)
    assert rm(rm_node(id="[::1]:45")).groups[0][5:7] == ("[::1]", 45)


def test_rm_metrics() -> None:
    metrics = {"clusterMetrics": {"totalMB": 8192, "totalVirtualCores": 8, "totalNodes": 3}}
    cluster = cluster_from_rm(json.dumps(metrics).encode(), "m.json")
    assert cluster.groups == (NodeGroup(1, 8192, 8, counted=False),)
    assert not cluster.counted
    metrics["clusterMetrics"]["totalClusterResourcesAcrossPartition"] = {  # type: ignore[assignment]
        "memory": 8192, "vCores": 8, "resourceInformations": {"resourceInformation": GPUS},
    }  # fmt: skip
    assert cluster_from_rm(json.dumps(metrics).encode(), "m.json").groups[0].custom == (Quantity("yarn.io/gpu", 4),)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("{", Pos(1, 2), "not JSON: Expecting property name enclosed in double quotes"),
        ('{\n "nodes": x}', Pos(2, 11), "not JSON: Expecting value"),
        ("{}", None, "the JSON has neither `nodes` nor `clusterMetrics`"),
        ("[]", None, "the JSON has neither `nodes` nor `clusterMetrics`"),
        ('{"nodes": {"node": [1]}}', None, "nodes.node[0] is not an object"),
        ('{"nodes": {"node": [{"state": "RUNNING"}]}}', None, "nodes.node[0].usedMemoryMB is missing"),
        ('{"nodes": {"node": [{"totalResource": {"memory": -1}}]}}', None,
         "nodes.node[0].totalResource.memory is not a whole number of 0 or more: -1"),
        ('{"nodes": {"node": [{"totalResource": {"memory": 1.5}}]}}', None,
         "nodes.node[0].totalResource.memory is not a whole number of 0 or more: 1.5"),
        ('{"nodes": {"node": [{"totalResource": {"memory": true}}]}}', None,
         "nodes.node[0].totalResource.memory is not a whole number of 0 or more: True"),
        ('{"nodes": ' + "[" * 100000, None,
         "the JSON cannot be read: not UTF-8, nested too deeply or with numbers too long"),
        ('{"nodes": ' + "9" * 5000 + "}", None,
         "the JSON cannot be read: not UTF-8, nested too deeply or with numbers too long"),
    ],
)  # fmt: skip
def test_rm_json_refused(text: str, place: Pos | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        cluster_from_bytes(text.encode(), "nodes.json")
    assert (caught.value.where, caught.value.pos, caught.value.message) == ("nodes.json", place, message)


def test_rm_with_types_that_yarn_site_does_not_know() -> None:
    total = {"memory": 1, "vCores": 1, "resourceInformations": {"resourceInformation": [{"name": "b", "value": 1}]}}
    with pytest.raises(InputError, match="yarn-site does not know the resource type 'b'"):
        rm(rm_node(totalResource=total), types=GPU)


def test_rm_with_an_unknown_unit() -> None:
    total = {"memory": 1, "vCores": 1, "resourceInformations": {"resourceInformation": {"name": "b", "units": "g"}}}
    with pytest.raises(InputError) as caught:
        rm(rm_node(totalResource=total))
    path = "nodes.node[0].totalResource.resourceInformations.resourceInformation[0]"
    assert caught.value.message == f"{path}.units is 'g', which is not a unit of resource types"


def test_rm_with_one_node_twice() -> None:
    with pytest.raises(InputError, match="two nodes are named h1:45454"):
        rm(rm_node(), rm_node())
