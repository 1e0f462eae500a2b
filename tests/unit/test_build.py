"""From what a file says to the queues that exist, by version, and to the values in force with their origin.

The trees are those that the jars of 2.7.7, 2.8.5, 2.9.2, 2.10.2, 3.0.3, 3.1.4, 3.2.2, 3.3.6, 3.4.1 and 3.5.0 make.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from fairsim.config.build import build_tree
from fairsim.config.changes import apply_changes, parse_changes
from fairsim.model.queues import QueueTree, Setting
from fairsim.model.resources import LONG_MAX, Amount
from tests.helpers import GPU, raw_of, tree_of

INT_MAX = 2**31 - 1
EARLY = ("2.7.7", "2.8.5")  # policies are not checked
MIDDLE = ("2.9.2", "2.10.2", "3.0.3", "3.1.4", "3.2.2", "3.3.6")
LATE = ("3.4.1", "3.5.0")  # no root.default of its own
ALL = (*EARLY, *MIDDLE, *LATE)


def queue(name: str, inner: str = "", policy: str = "", kind: str = "") -> str:
    attribute = f' type="{kind}"' if kind else ""
    text = f"<schedulingPolicy>{policy}</schedulingPolicy>" if policy else ""
    return f'<queue name="{name}"{attribute}>{text}{inner}</queue>'


def default(policy: str) -> str:
    return f"<defaultQueueSchedulingPolicy>{policy}</defaultQueueSchedulingPolicy>"


def shown(tree: QueueTree) -> str:
    """Returns the queues by name, `/` behind parents, policies but fair behind a colon."""
    names = []
    for name in sorted(tree.queues):
        one = tree.queues[name]
        policy = "" if one.policy == "fair" else f":{one.policy}"
        names.append(name + "/" * (not one.leaf) + policy)
    return " ".join(names)


class Case(NamedTuple):
    """A file, and the queues that early, middle and late versions make of it."""

    label: str
    inner: str
    early: str
    middle: str
    late: str


RESERVED = "<reservation/>"
CASES = [
    Case("nothing", "", "root/ root.default", "root/ root.default", "root/"),
    Case("root written as a leaf", queue("root"), "root/ root.default", "root/ root.default", "root/"),
    Case("root as a parent", queue("root", kind="parent"), "root/ root.default", "root/ root.default", "root/"),
    Case("root reservable", queue("root", RESERVED), "root/ root.default", "root/ root.default", "root/"),
    Case("default", queue("default"), "root/ root.default", "root/ root.default", "root/ root.default"),
    # -- policies that do not go together
    Case("fifo parent", default("drf") + queue("a", queue("b"), "fifo"),
         "root/:drf root.a/:drf root.a.b:drf root.default:drf", "root/:drf root.default:drf", "root/:drf"),
    Case("fifo parent, default fair", queue("a", queue("b"), "fifo"),
         "root/ root.a/ root.a.b root.default", "root/ root.default", "root/"),
    Case("fifo typed parent", queue("p", "", "fifo", "parent"),
         "root/ root.default root.p/", "root/ root.default", "root/"),
    Case("fifo reservable", queue("p", RESERVED, "fifo"), "root/ root.default root.p/", "root/ root.default", "root/"),
    Case("fifo root", queue("root", queue("b"), "fifo"),
         "root/ root.b root.default", "root/ root.b root.default", "root/:fifo"),
    Case("fifo root, default drf", default("drf") + queue("root", queue("b"), "fifo"),
         "root/ root.b:drf root.default:drf", "root/ root.default", "root/:fifo"),
    Case("fifo leaf", queue("b", "", "fifo"),
         "root/ root.b:fifo root.default", "root/ root.b:fifo root.default", "root/ root.b:fifo"),
    Case("drf root", queue("root", queue("b"), "drf"),
         "root/:drf root.b root.default", "root/:drf root.b root.default", "root/:drf root.b"),
    Case("drf leaf below fair", queue("a", "", "drf") + queue("b"),
         "root/ root.a:drf root.b root.default", "root/ root.b root.default", "root/ root.b"),
    Case("drf parent below fair", queue("a", queue("x"), "drf") + queue("b"),
         "root/ root.a/:drf root.a.x root.b root.default", "root/ root.b root.default", "root/ root.b"),
    Case("drf reservable", queue("p", RESERVED, "drf"),
         "root/ root.default root.p/:drf", "root/ root.default", "root/"),
    Case("drf below fair below drf", queue("root", queue("p", queue("q", "", "drf")), "drf"),
         "root/:drf root.default root.p/ root.p.q:drf", "root/:drf root.default root.p/", "root/:drf root.p/"),
    Case("default drf, a fair parent", default("drf") + queue("p", queue("a") + queue("b", "", "fair"), "fair"),
         "root/:drf root.default:drf root.p/ root.p.a:drf root.p.b", "root/:drf root.default:drf root.p/ root.p.b",
         "root/:drf root.p/ root.p.b"),
    Case("default drf, root fair", default("drf") + queue("root", queue("a"), "fair"),
         "root/ root.a:drf root.default:drf", "root/ root.default", "root/"),
    Case("default drf, root and default fair",
         default("drf") + queue("root", queue("default", "", "fair") + queue("a"), "fair"),
         "root/ root.a:drf root.default", "root/ root.default", "root/ root.default"),
    Case("default queue drf", queue("default", "", "drf"), "root/ root.default:drf", "root/ root.default", "root/"),
    Case("default queue fifo", queue("root", queue("default", "", "fifo"), "drf"),
         "root/:drf root.default:fifo", "root/:drf root.default:fifo", "root/:drf root.default:fifo"),
    Case("all below is lost", queue("p", queue("q", queue("r")), "drf") + queue("ok"),
         "root/ root.default root.ok root.p/:drf root.p.q/ root.p.q.r", "root/ root.default root.ok", "root/ root.ok"),
    # -- root.default is a leaf before the file is read
    Case("children of default", queue("default", queue("x")),
         "root/ root.default/", "root/ root.default/", "root/ root.default/ root.default.x"),
    Case("grandchildren of default", queue("default", queue("x", queue("y"))), "root/ root.default/",
         "root/ root.default/", "root/ root.default/ root.default.x/ root.default.x.y"),
    Case("default typed", queue("default", kind="parent"), "root/ root.default/", "root/ root.default/",
         "root/ root.default/"),
    Case("default reservable", queue("default", RESERVED), "root/ root.default/", "root/ root.default/",
         "root/ root.default/"),
    # -- root of another case, root below root
    Case("ROOT", queue("ROOT", queue("a")),
         "root/ root.ROOT/ root.ROOT.a root.default", "root/ root.ROOT/ root.ROOT.a root.default",
         "root/ root.ROOT/ root.ROOT.a"),
    Case("root in root", queue("root", queue("root", queue("a"))),
         "root/ root.default root.root/ root.root.a", "root/ root.default root.root/ root.root.a",
         "root/ root.root/ root.root.a"),
    # -- leaf and parent at once: what Hadoop drops depends on the order of its sets
    Case("leaf, then parent", queue("a") + queue("a", queue("b")),
         "root/ root.a/ root.default", "root/ root.a/ root.default", "root/ root.a/"),
    Case("parent, then leaf", queue("a", queue("b")) + queue("a"),
         "root/ root.a/ root.default", "root/ root.a/ root.default", "root/ root.a/"),
    Case("leaf and typed parent", queue("a") + queue("a", kind="parent"),
         "root/ root.a/ root.default", "root/ root.a/ root.default", "root/ root.a/"),
    Case("leaf and parent with three children",
         queue("a") + queue("a", queue("b") + queue("c") + queue("dd")) + queue("z"),
         "root/ root.a/ root.a.dd root.default root.z", "root/ root.a/ root.a.dd root.default root.z",
         "root/ root.a/ root.a.dd root.z"),
    Case("leaf and parent, deeper", queue("a", queue("b")) + queue("a", queue("b", queue("c"))),
         "root/ root.a/ root.a.b/ root.a.b.c root.default", "root/ root.a/ root.a.b/ root.a.b.c root.default",
         "root/ root.a/ root.a.b/ root.a.b.c"),
    # -- reservable queues are parents
    Case("reservable", queue("a", RESERVED) + queue("b"),
         "root/ root.a/ root.b root.default", "root/ root.a/ root.b root.default", "root/ root.a/ root.b"),
    Case("reservable and leaf", queue("a", RESERVED) + queue("a"),
         "root/ root.a/ root.default", "root/ root.a/ root.default", "root/ root.a/"),
]  # fmt: skip


@pytest.mark.parametrize("one", CASES, ids=[one.label for one in CASES])
def test_queues(one: Case) -> None:
    for versions, wanted in ((EARLY, one.early), (MIDDLE, one.middle), (LATE, one.late)):
        for hadoop in versions:
            assert shown(tree_of(one.inner, hadoop)) == wanted, hadoop


def test_default_fifo_before_it_is_refused() -> None:
    for hadoop in EARLY:
        assert shown(tree_of(default("fifo") + queue("a", queue("b")), hadoop)) == (
            "root/ root.a/ root.a.b:fifo root.default:fifo"
        )


FIFO_CLASS = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FifoPolicy"


@pytest.mark.parametrize(
    ("versions", "wanted"),
    [
        (EARLY, "root/ root.a:fifo root.default:fifo root.p/ root.p.b:fifo"),
        (MIDDLE, "root/ root.a:fifo root.default"),
        (LATE, "root/:fifo"),
    ],
)
def test_default_fifo_by_the_name_of_its_class(versions: tuple[str, ...], wanted: str) -> None:
    for hadoop in versions:
        assert shown(tree_of(default(FIFO_CLASS) + queue("a") + queue("p", queue("b")), hadoop)) == wanted, hadoop


def test_names_with_dots_make_levels_in_2_6() -> None:
    assert shown(tree_of(queue("a.b") + queue("a.c"), "2.6")) == "root/ root.a/ root.a.b root.a.c root.default"


def test_an_empty_name_in_2_7() -> None:
    assert shown(tree_of(queue("", queue("a")), "2.7.7")) == "root/ root./ root..a root.default"


@pytest.mark.parametrize(
    ("inner", "hadoop", "wanted"),
    [
        (queue("a", "", "drf"), "3.4", [("root.a", "root.a", "drf below fair")]),
        (queue("p", queue("q", queue("r")), "drf"), "3.3",
         [("root.p", "root.p", "drf below fair"), ("root.p.q", "root.p", "drf below fair"),
          ("root.p.q.r", "root.p", "drf below fair")]),
        (queue("p", queue("a"), "fifo"), "2.9",
         [("root.p", "root.p", "fifo is for leaf queues only"),
          ("root.p.a", "root.p", "fifo is for leaf queues only")]),
        (queue("root", queue("a"), "fifo"), "3.4", [("root.a", "root.a", "fair below fifo")]),
        (queue("default", queue("x")), "3.3",
         [("root.default.x", "root.default", "Hadoop made root.default a leaf before it read the file")]),
        (queue("a") + queue("a", queue("b")), "3.4",
         [("root.a.b", "root.a", "written as a leaf and as a parent: what was made below it is dropped")]),
        (queue("a", queue("b")) + queue("a", RESERVED), "2.9",
         [("root.a.b", "root.a", "written as a leaf and as a parent: what was made below it is dropped")]),
        (queue("a.b") + queue("a"), "2.6", [("root.a.b", "root.a.b", "its place is taken by a leaf queue")]),
        (queue("a", queue("b")), "3.4", []),
    ],
)  # fmt: skip
def test_queues_that_are_never_made(inner: str, hadoop: str, wanted: list[tuple[str, str, str]]) -> None:
    raw = raw_of(inner, hadoop)
    tree = build_tree(raw)
    assert [(lost.name, lost.fault, lost.reason) for lost in tree.lost] == wanted
    assert all(lost.element is not None for lost in tree.lost)


@pytest.mark.parametrize(
    ("inner", "hadoop", "name", "notes"),
    [
        (queue("p", queue("a"), "fifo"), "2.8", "root.p", ["fifo is refused for parents: fair"]),
        (default("drf") + queue("p", queue("a"), "fifo"), "2.8", "root.p", ["fifo is refused for parents: drf"]),
        (queue("root", queue("a"), "fifo"), "2.8", "root", ["fifo is refused for parents: fair"]),
        (queue("root", queue("a"), "fifo"), "3.3", "root",
         ["policy stays fair: fifo above root.default (fair) is refused"]),
        (queue("default", "", "drf"), "3.3", "root", ["policy stays fair: fair above root.default (drf) is refused"]),
        (queue("p", queue("a"), "drf"), "2.8", "root.p", []),
    ],
)  # fmt: skip
def test_notes(inner: str, hadoop: str, name: str, notes: list[str]) -> None:
    assert tree_of(inner, hadoop).queues[name].notes == notes


# --- order


@pytest.mark.parametrize(
    ("hadoop", "wanted"),
    [
        ("2.9", ["default", "q6", "q5", "q8", "q7", "q9", "q10", "q11", "q12", "q2", "q1", "q4", "q3"]),
        ("3.0", ["default", "q6", "q5", "q8", "q7", "q9", "q10", "q11", "q12", "q2", "q1", "q4", "q3"]),
        ("3.4", [f"q{number}" for number in range(1, 13)]),
    ],
)
def test_children_stand_in_the_order_of_creation_where_it_matters(hadoop: str, wanted: list[str]) -> None:
    """The order of a hash set up to the first long sums; later sums do not depend on it: the order of the file."""
    tree = tree_of("".join(queue(f"q{number}") for number in range(1, 13)), hadoop)
    assert [child.name.removeprefix("root.") for child in tree.root.children] == wanted
    in_order = [one.name.removeprefix("root.") for one in tree.in_order()]
    file_order = [f"q{number}" for number in range(1, 13)]
    assert in_order == ["root", *(["default"] if hadoop != "3.4" else []), *file_order]


def test_parents_stand_before_their_children() -> None:
    tree = tree_of(queue("b", queue("z") + queue("a")) + queue("a"), "3.3")
    assert [one.name for one in tree.in_order()] == ["root", "root.default", "root.b", "root.b.z", "root.b.a", "root.a"]
    assert [one.name for one in tree.queues["root.b.a"].path()] == ["root", "root.b", "root.b.a"]


# --- effective values and their origin

VALUES = """
<queue name="root">
 <maxContainerAllocation>4096 mb, 4 vcores</maxContainerAllocation>
 <fairSharePreemptionTimeout>30</fairSharePreemptionTimeout>
 <queue name="own">
  <weight>2</weight><minResources>10 mb, 1 vcores</minResources><maxResources>50%</maxResources>
  <maxRunningApps>5</maxRunningApps><maxAMShare>0.25</maxAMShare><schedulingPolicy>fifo</schedulingPolicy>
  <maxContainerAllocation>2048 mb, 2 vcores</maxContainerAllocation>
  <minSharePreemptionTimeout>7</minSharePreemptionTimeout>
  <fairSharePreemptionThreshold>0.75</fairSharePreemptionThreshold>
  <allowPreemptionFrom>false</allowPreemptionFrom><aclSubmitApps>al</aclSubmitApps>
 </queue>
 <queue name="p">
  <allowPreemptionFrom>false</allowPreemptionFrom>
  <minSharePreemptionTimeout>9</minSharePreemptionTimeout>
  <maxContainerAllocation>50%</maxContainerAllocation>
  <queue name="leaf"><allowPreemptionFrom>true</allowPreemptionFrom></queue>
 </queue>
</queue>
"""
FILE_DEFAULTS = """
<userMaxAppsDefault>3</userMaxAppsDefault>
<queueMaxAppsDefault>20</queueMaxAppsDefault>
<queueMaxAMShareDefault>0.125</queueMaxAMShareDefault>
<queueMaxResourcesDefault>1000 mb, 10 vcores</queueMaxResourcesDefault>
<defaultQueueSchedulingPolicy>fair</defaultQueueSchedulingPolicy>
<defaultMinSharePreemptionTimeout>70</defaultMinSharePreemptionTimeout>
<defaultFairSharePreemptionTimeout>80</defaultFairSharePreemptionTimeout>
<defaultFairSharePreemptionThreshold>0.5</defaultFairSharePreemptionThreshold>
"""
HADOOP = ("default", "Hadoop")


def origins(tree: QueueTree, name: str) -> dict[str, tuple[object, str, str]]:
    """Returns value, origin and what it comes from, by element."""
    found = {}
    for element, setting in tree.settings(tree.queues[name]):
        value = setting.value.text if hasattr(setting.value, "fractions") else setting.value
        found[element] = (value, setting.origin, setting.of)
    return found


def test_own_values() -> None:
    assert origins(tree_of(VALUES + FILE_DEFAULTS), "root.own") == {
        "weight": (2.0, "own", "root.own"),
        "minResources": ((10, 1), "own", "root.own"),
        "maxResources": ("50%", "own", "root.own"),
        "maxRunningApps": (5, "own", "root.own"),
        "schedulingPolicy": ("fifo", "own", "root.own"),
        "maxAMShare": (0.25, "own", "root.own"),
        "maxContainerAllocation": ("2048 mb, 2 vcores", "own", "root.own"),
        "minSharePreemptionTimeout": (7000, "own", "root.own"),
        "fairSharePreemptionTimeout": (30000, "inherited", "root"),
        "fairSharePreemptionThreshold": (0.75, "own", "root.own"),
        "allowPreemptionFrom": (False, "own", "root.own"),
        "aclSubmitApps": ("al", "own", "root.own"),
        "aclAdministerApps": (" ", *HADOOP),
    }


def test_inherited_values_and_defaults_of_the_file() -> None:
    assert origins(tree_of(VALUES + FILE_DEFAULTS), "root.p.leaf") == {
        "weight": (1.0, *HADOOP),
        "minResources": ((0, 0), *HADOOP),
        "maxResources": ("1000 mb, 10 vcores", "file-default", "queueMaxResourcesDefault"),
        "maxRunningApps": (20, "file-default", "queueMaxAppsDefault"),
        "schedulingPolicy": ("fair", "file-default", "defaultQueueSchedulingPolicy"),
        "maxAMShare": (0.125, "file-default", "queueMaxAMShareDefault"),
        "maxContainerAllocation": ("4096 mb, 4 vcores", "inherited", "root"),
        "minSharePreemptionTimeout": (9000, "inherited", "root.p"),
        "fairSharePreemptionTimeout": (30000, "inherited", "root"),
        "fairSharePreemptionThreshold": (0.5, "file-default", "defaultFairSharePreemptionThreshold"),
        "allowPreemptionFrom": (False, "inherited", "root.p"),
        "aclSubmitApps": (" ", *HADOOP),
        "aclAdministerApps": (" ", *HADOOP),
    }


def test_defaults_of_hadoop() -> None:
    tree = tree_of(queue("a"))
    assert origins(tree, "root.a") == {
        "weight": (1.0, *HADOOP),
        "minResources": ((0, 0), *HADOOP),
        "maxResources": (None, *HADOOP),
        "maxRunningApps": (INT_MAX, *HADOOP),
        "schedulingPolicy": ("fair", *HADOOP),
        "maxAMShare": (0.5, *HADOOP),
        "maxContainerAllocation": (None, *HADOOP),
        "minSharePreemptionTimeout": (LONG_MAX, *HADOOP),
        "fairSharePreemptionTimeout": (LONG_MAX, *HADOOP),
        "fairSharePreemptionThreshold": (0.5, *HADOOP),
        "allowPreemptionFrom": (True, *HADOOP),
        "aclSubmitApps": (" ", *HADOOP),
        "aclAdministerApps": (" ", *HADOOP),
    }
    assert tree.acl(tree.root, "aclSubmitApps") == Setting("*", *HADOOP)


def test_root_takes_the_defaults_too() -> None:
    tree = tree_of(FILE_DEFAULTS)
    found = origins(tree, "root")
    assert "maxAMShare" not in found  # leaves only
    assert found["maxRunningApps"] == (20, "file-default", "queueMaxAppsDefault")
    assert found["maxResources"] == ("1000 mb, 10 vcores", "file-default", "queueMaxResourcesDefault")
    assert found["minSharePreemptionTimeout"] == (70000, "file-default", "defaultMinSharePreemptionTimeout")
    assert found["fairSharePreemptionTimeout"] == (80000, "file-default", "defaultFairSharePreemptionTimeout")


def test_elements_that_a_version_does_not_know_are_not_among_its_settings() -> None:
    assert "maxContainerAllocation" not in origins(tree_of(VALUES, "3.1"), "root.own")
    assert "allowPreemptionFrom" not in origins(tree_of(VALUES.replace("50%", "1 mb, 1 vcores"), "2.8"), "root.own")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("memory-mb=9223372036854775807, vcores=2147483647", ("10 mb, 2 vcores", "inherited")),
        ("vcores=2147483647", ("10 mb, 2 vcores", "inherited")),
        ("50%", ("10 mb, 2 vcores", "inherited")),
        ("memory-mb=9223372036854775806, vcores=2147483647", (None, "own")),
        ("memory-mb=99", (None, "own")),
    ],
)
def test_a_container_limit_without_a_bound_is_inherited(text: str, wanted: tuple[str | None, str]) -> None:
    limit = "<maxContainerAllocation>{}</maxContainerAllocation>"
    tree = tree_of(queue("p", limit.format("10 mb, 2 vcores") + queue("a", limit.format(text))))
    setting = tree.max_container(tree.queues["root.p.a"])
    assert (setting.value.text, setting.origin) == (wanted[0] or text, wanted[1])
    alone = tree_of(queue("root", limit.format("vcores=2147483647")))
    assert alone.max_container(alone.root).origin == "own"


@pytest.mark.parametrize(("kind", "wanted"), [("legacy", 7000), ("default", 5000), ("both", 5000)])
def test_legacy_timeout_of_the_file(kind: str, wanted: int) -> None:
    legacy = "<fairSharePreemptionTimeout>7</fairSharePreemptionTimeout>"
    proper = "<defaultFairSharePreemptionTimeout>5</defaultFairSharePreemptionTimeout>"
    inner = {"legacy": legacy, "default": proper, "both": legacy + proper}[kind]
    for hadoop in ("2.6", "3.0", "3.1", "3.4"):
        tree = tree_of(inner + queue("a"), hadoop)
        assert tree.preemption(tree.queues["root.a"], "fairSharePreemptionTimeout").value == wanted


# --- maxima

MIN = "<minResources>{}</minResources>"
MAX = "<maxResources>{}</maxResources>"
TOP = "<queueMaxResourcesDefault>{}</queueMaxResourcesDefault>"
CLUSTER = (1000, 10)


@pytest.mark.parametrize(
    ("inner", "wanted"),
    [
        ("", {"2.6 2.7": (INT_MAX, INT_MAX), "2.8 2.9": (LONG_MAX, INT_MAX), "2.10 3.0 3.4": (LONG_MAX, LONG_MAX)}),
        (queue("a", MAX.format("5 mb, 2 vcores")), {"2.6 2.8 3.4": (5, 2)}),
        (queue("a", MAX.format("50%")), {"2.9 3.1 3.4": (500, 5)}),
        (queue("a", MAX.format("0.1%")), {"2.9 3.4": (1, 0)}),
        (queue("a", MAX.format("memory-mb=50%")), {"3.1": (500, 5), "3.2 3.4": (500, 10)}),
        (TOP.format("5 mb, 2 vcores"), {"2.7": (INT_MAX, INT_MAX), "2.8 3.4": (5, 2)}),
        # a minimum above the maximum: cut up to 2.8, raised later
        (queue("a", MIN.format("9 mb, 1 vcores") + MAX.format("5 mb, 2 vcores")),
         {"2.6 2.7 2.8": (5, 2), "2.9 3.0 3.4": (9, 2)}),
        # 2.8 lets a minimum with more memory take the place of the default, as a whole
        (TOP.format("5 mb, 2 vcores") + queue("a", MIN.format("9 mb, 1 vcores")), {"2.8": (9, 1), "2.9 3.4": (9, 2)}),
        # vcores that a name=value text leaves out are -1, in force 0
        (queue("a", MAX.format("memory-mb=5")), {"3.2 3.4": (5, 0)}),
        (queue("a", MAX.format("memory-mb=5") + MIN.format("1 mb, 3 vcores")), {"3.2 3.4": (5, 3)}),
        (queue("a", MAX.format("memory-mb=-5, vcores=2")), {"3.2": (0, 2)}),
        (queue("a", MIN.format("50%") + MAX.format("5 mb, 2 vcores")), {"2.9 3.4": (5, 2)}),
    ],
)  # fmt: skip
def test_maximum(inner: str, wanted: dict[str, Amount]) -> None:
    for versions, amount in wanted.items():
        for hadoop in versions.split():
            tree = tree_of(inner if "queue name" in inner else inner + queue("a"), hadoop)
            assert tree.max_at(tree.queues["root.a"], CLUSTER) == amount, hadoop


def test_maximum_of_custom_types() -> None:
    tree = tree_of(queue("a", MAX.format("5 mb, 2 vcores")) + queue("b", MAX.format("yarn.io/gpu=50%")), types=GPU)
    assert tree.max_at(tree.queues["root.a"], (1000, 10, 7)) == (5, 2, 0)
    assert tree.max_at(tree.queues["root.b"], (1000, 10, 7)) == (1000, 10, 3)
    assert tree.unlimited() == (LONG_MAX, LONG_MAX, LONG_MAX)


@pytest.mark.parametrize(("hadoop", "wanted"), [("2.8", None), ("2.9", "5 mb, 2 vcores"), ("3.3", "5 mb, 2 vcores")])
def test_root_default_is_an_ad_hoc_child_when_it_is_not_written(hadoop: str, wanted: str | None) -> None:
    limit = "<maxChildResources>5 mb, 2 vcores</maxChildResources>"
    tree = tree_of(queue("root", limit + queue("a")), hadoop)
    setting = tree.max_limit(tree.queues["root.default"])
    assert (setting.value.text if setting.value else None) == wanted
    assert setting.origin == ("default" if wanted is None else "inherited")
    assert tree.max_limit(tree.queues["root.a"]).value is None
    written = tree_of(queue("root", limit + queue("default")), hadoop)
    assert written.max_limit(written.queues["root.default"]).value is None


def test_no_value_reaches_queues_below_a_root_of_another_case() -> None:
    tree = tree_of(queue("ROOT", "<weight>2</weight>" + queue("a", "<weight>3</weight>")))
    for name in ("root.ROOT", "root.ROOT.a"):
        assert tree.queues[name].weight == 1.0
        assert tree.queues[name].index == -1


def test_weight_and_minimum_in_force() -> None:
    inner = queue("a", "<weight>.3</weight>" + MIN.format("9 mb, 1 vcores")) + queue("b", MIN.format("50%"))
    tree = tree_of(inner)
    assert (tree.queues["root.a"].weight, tree.queues["root.a"].min) == (0.30000001192092896, (9, 1))
    assert (tree.queues["root.b"].weight, tree.queues["root.b"].min) == (1.0, (0, 0))
    assert tree.minimum(tree.queues["root.b"])[:3] == ((0, 0), "own", "root.b")


def test_a_change_is_an_origin() -> None:
    raw = raw_of(queue("a", "<weight>2</weight>"))
    apply_changes(raw, parse_changes(("root.a.weight=3", "queueMaxAppsDefault=7"))[0])
    tree = build_tree(raw)
    assert tree.weight(tree.queues["root.a"])[:2] == (3.0, "changed")
    assert tree.max_running_apps(tree.queues["root.a"])[:2] == (7, "changed")


def test_where_a_value_stands() -> None:
    tree = tree_of(queue("a", "\n <weight>2</weight>"))
    setting = tree.weight(tree.queues["root.a"])
    assert tree.locate is not None
    assert tree.locate(setting.element) == (2, 2)


def test_users_are_kept() -> None:
    tree = tree_of('<user name="u"><maxRunningApps>3</maxRunningApps></user>')
    assert {name: limit.value for name, limit in tree.users.items()} == {"u": 3}
