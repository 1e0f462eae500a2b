"""What-if changes: what `--set` takes, what it does to a file that was read, and what it says when it can not."""

from __future__ import annotations

import pytest

from fairsim.config.build import build_tree
from fairsim.config.changes import SHORT, Change, apply_changes, parse_changes
from fairsim.config.values import QUEUE_ELEMENTS, TOP_ELEMENTS
from fairsim.errors import UsageError
from fairsim.model.queues import QueueTree
from tests.helpers import raw_of

FILE = (
    "<queueMaxAppsDefault>9</queueMaxAppsDefault>"
    '<queue name="busy"><weight>1</weight><maxResources>5 mb, 2 vcores</maxResources></queue>'
    '<queue name="p"><queue name="c"/></queue>'
)
WRITE = "write root.a.weight=2 or cluster=800g,200c"
NO_FIFO = "fifo can not be the default: parents may not be fifo"
FORM = "write QUEUE.ELEMENT=VALUE"


def changed(*texts: str, hadoop: str = "3.4", file: str = FILE) -> QueueTree:
    """Returns the queues after the changes."""
    raw = raw_of(file, hadoop)
    assert raw.refusals == []
    apply_changes(raw, parse_changes(texts)[0])
    return build_tree(raw)


# --- what is written


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("root.busy.weight=2", Change("root.busy", "weight", "2")),
        ("busy.weight=2", Change("root.busy", "weight", "2")),
        (" busy.weight = 2 ", Change("root.busy", "weight", " 2 ")),
        ("busy.weight=", Change("root.busy", "weight", "")),
        ("root.weight=2", Change("root", "weight", "2")),
        ("p.c.min=5 mb, 1 vcores", Change("root.p.c", "minResources", "5 mb, 1 vcores")),
        ("busy.max=memory-mb=5, vcores=2", Change("root.busy", "maxResources", "memory-mb=5, vcores=2")),
        ("busy.policy=drf", Change("root.busy", "schedulingPolicy", "drf")),
        ("busy.schedulingMode=drf", Change("root.busy", "schedulingPolicy", "drf")),
        ("busy.aclSubmitApps= ops", Change("root.busy", "aclSubmitApps", " ops")),
        ("queueMaxAppsDefault=3", Change("", "queueMaxAppsDefault", "3")),
        ("defaultQueueSchedulingMode=drf", Change("", "defaultQueueSchedulingPolicy", "drf")),
        ("a queue.with blanks.weight=1", Change("root.a queue.with blanks", "weight", "1")),
    ],
)
def test_a_change(text: str, wanted: Change) -> None:
    assert parse_changes((text,)) == ([wanted], None)


def test_changes_keep_their_order_and_the_cluster_stands_apart() -> None:
    changes, cluster = parse_changes(("a.weight=1", "cluster=8g,8c", "a.weight=2", "cluster=9g,9c"))
    assert [change.text for change in changes] == ["1", "2"]
    assert cluster == "9g,9c"
    assert parse_changes(()) == ([], None)
    assert parse_changes(("cluster=",)) == ([], "")


@pytest.mark.parametrize("name", sorted({*QUEUE_ELEMENTS, *SHORT} - {"reservation"}))
def test_every_element_of_a_queue_can_be_changed(name: str) -> None:
    ((change,), _) = parse_changes((f"a.{name}=x",))
    assert change.element in QUEUE_ELEMENTS


@pytest.mark.parametrize("name", sorted(TOP_ELEMENTS))
def test_every_element_of_the_file_can_be_changed(name: str) -> None:
    ((change,), _) = parse_changes((f"{name}=x",))
    assert change.element in TOP_ELEMENTS


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "'' is not a change", WRITE),
        ("abc", "'abc' is not a change", WRITE),
        ("busy.weight", "'busy.weight' is not a change", WRITE),
        ("=3", "'=3' is not a change", WRITE),
        (" =3", "' =3' is not a change", WRITE),
        ("busy.weigth=2", "'weigth' is not a setting of a queue", "did you mean weight?"),
        ("busy.Weight=2", "'Weight' is not a setting of a queue", "did you mean weight?"),
        ("busy.minResource=2", "'minResource' is not a setting of a queue", "did you mean minResources?"),
        ("busy.reservation=true", "'reservation' is not a setting of a queue", "write <reservation/> into the file"),
        ("queueMaxAppDefault=3", "'queueMaxAppDefault' is not a setting of the file",
         "did you mean queueMaxAppsDefault?"),
        ("Cluster=8g,8c", "'Cluster' is not a setting of the file", "did you mean cluster?"),
    ],
)  # fmt: skip
def test_what_is_no_change(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_changes((text,))
    assert (caught.value.message, caught.value.where, caught.value.hint) == (message, "--set", hint)


def test_unknown_settings_list_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        parse_changes(("root.busy=3",))
    assert caught.value.message == "'busy' is not a setting of a queue"
    assert caught.value.hint == f"{FORM}; elements: " + ", ".join(sorted({*QUEUE_ELEMENTS, *SHORT} - {"reservation"}))
    with pytest.raises(UsageError) as caught:
        parse_changes(("weight=3",))
    assert caught.value.message == "'weight' is not a setting of the file"
    assert caught.value.hint == f"{FORM}, or one of " + ", ".join([*TOP_ELEMENTS, "cluster"])


# --- what it does


def test_a_value_is_put_in_the_place_of_another() -> None:
    tree = changed("busy.weight=2.5f", "busy.maxRunningApps= 7 ")
    queue = tree.queues["root.busy"]
    assert queue.weight == 2.5
    assert tree.max_running_apps(queue)[:3] == (7, "changed", "root.busy")


def test_the_last_change_counts() -> None:
    assert changed("busy.weight=2", "busy.weight=3").queues["root.busy"].weight == 3.0


def test_an_empty_text_drops_a_value() -> None:
    tree = changed("busy.max=", "queueMaxAppsDefault=", "busy.minResources=")
    assert tree.max_limit(tree.queues["root.busy"]).value is None
    assert tree.max_running_apps(tree.queues["root.busy"]).origin == "default"


def test_defaults_of_the_file() -> None:
    tree = changed("queueMaxAppsDefault=3", "defaultQueueSchedulingPolicy=drf", "defaultMinSharePreemptionTimeout=5")
    assert tree.queues["root.p.c"].policy == "drf"
    assert tree.max_running_apps(tree.queues["root.p.c"])[:2] == (3, "changed")
    assert tree.preemption(tree.queues["root.p.c"], "minSharePreemptionTimeout").value == 5000


def test_a_policy_decides_which_queues_are_made() -> None:
    assert [lost.name for lost in changed("p.policy=fifo").lost] == ["root.p", "root.p.c"]
    assert [lost.name for lost in changed("p.policy=drf", "root.policy=drf").lost] == []


def test_root_can_be_changed_without_being_written() -> None:
    tree = changed("root.maxRunningApps=3", "root.policy=drf")
    assert tree.max_running_apps(tree.root).value == 3
    assert tree.root.policy == "drf"
    assert set(tree.queues) == {"root", "root.busy", "root.p", "root.p.c"}


def test_root_default_can_be_changed_where_it_exists_without_being_written() -> None:
    assert changed("root.default.weight=3", hadoop="3.3").queues["root.default"].weight == 3.0
    written = FILE + '<queue name="default"/>'
    assert changed("default.weight=3", file=written).queues["root.default"].weight == 3.0


def test_am_share_on_a_parent() -> None:
    assert changed("p.maxAMShare=.5", hadoop="3.2.2").queues["root.p"].fields["maxAMShare"].value == 0.5
    assert "maxAMShare" not in changed("p.maxAMShare=").queues["root.p"].fields


@pytest.mark.parametrize(
    ("text", "hadoop", "message", "hint"),
    [
        ("bzsy.weight=3", "3.4", "no queue root.bzsy in the file", "did you mean root.busy?"),
        ("c.weight=3", "3.4", "no queue root.c in the file", "did you mean root.p.c?"),
        ("new.weight=3", "3.4", "no queue root.new in the file", "changes can not add queues"),
        (".weight=3", "3.4", "no queue root. in the file", "changes can not add queues"),
        ("root.default.weight=3", "3.4", "no queue root.default in the file", "changes can not add queues"),
        ("busy.weight=x", "3.4", "weight: weight 'x' is not a number; Hadoop 3.4.3 would not load such a file",
         "write a number such as 2.0"),
        ("busy.max=4 gb, 2 vcores", "3.4",
         "maxResources: '4 gb, 2 vcores': memory must be in mb; Hadoop 3.4.3 would not load such a file",
         "write 1024 mb, 2 vcores or memory-mb=1024, vcores=2 or 50%"),
        ("busy.max=50%", "2.8",
         "maxResources: '50%': percentages are read from Hadoop 2.9 on; Hadoop 2.8.5 would not load such a file",
         "write 1024 mb, 2 vcores"),
        ("busy.policy=drff", "3.4",
         "schedulingPolicy: unknown scheduling policy 'drff'; Hadoop 3.4.3 would not load such a file",
         "did you mean drf?"),
        ("busy.maxRunningApps=1e3", "3.4",
         "maxRunningApps: '1e3' is not a 32-bit whole number; Hadoop 3.4.3 would not load such a file",
         "write digits only"),
        ("userMaxAppsDefault=x", "3.4",
         "userMaxAppsDefault: 'x' is not a 32-bit whole number; Hadoop 3.4.3 would not load such a file",
         "write digits only"),
        ("defaultQueueSchedulingPolicy=fifo", "3.4",
         f"defaultQueueSchedulingPolicy: {NO_FIFO}; Hadoop 3.4.3 would not load such a file",
         "write fair or drf here and <schedulingPolicy>fifo</schedulingPolicy> in the leaves"),
        ("p.maxAMShare=.5", "3.4", "root.p is a parent: Hadoop 3.4.3 refuses a file with maxAMShare there",
         "set it on the leaves"),
        ("busy.allowPreemptionFrom=true", "2.8", "Hadoop 2.8.5 does not know allowPreemptionFrom", None),
        ("busy.maxContainerAllocation=", "3.1", "Hadoop 3.1.4 does not know maxContainerAllocation", None),
        ("queueMaxResourcesDefault=1 mb, 1 vcores", "2.7", "Hadoop 2.7.7 does not know queueMaxResourcesDefault", None),
    ],
)  # fmt: skip
def test_a_change_that_can_not_be_made(text: str, hadoop: str, message: str, hint: str | None) -> None:
    raw = raw_of(FILE, hadoop)
    changes, _ = parse_changes((text,))
    with pytest.raises(UsageError) as caught:
        apply_changes(raw, changes)
    assert (caught.value.message, caught.value.where, caught.value.hint) == (message, "--set", hint)


def test_what_2_8_still_takes() -> None:
    assert changed("defaultQueueSchedulingPolicy=fifo", hadoop="2.8").queues["root.busy"].policy == "fifo"
