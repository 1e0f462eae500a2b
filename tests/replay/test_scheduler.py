"""The scheduler by small stories whose ends can be worked out by hand; tests/oracle compares it with Hadoop's own."""

from __future__ import annotations

import pytest

from fairsim.config.allocation import read_allocation
from fairsim.model.resources import ResourceTypes
from fairsim.replay.scheduler import InvalidAsk, Unsupported
from fairsim.replay.state import AskUpdate
from fairsim.xmlio.reader import read_document
from tests.replay.small import Small

FULL = {"yarn.scheduler.fair.assignmultiple": "true"}
NEVER_RESERVE = {"yarn.scheduler.reservation-threshold.increment-multiple": "100"}


def test_an_application_is_seen_at_the_update_after_its_ask() -> None:
    small = Small("<queue name='a'/>")
    small.node(8192, 8)
    small.update()
    small.app(1, "a", (1024, 1))
    assert small.beat() == []  # its demand is still 0
    small.update()
    assert small.beat() == ["allocate 1.1"]
    small.asks(1, (1024, 1), 10, 20)
    assert small.beat() == []  # the demand of the last update is used up
    small.update()
    assert small.beat(8) == [f"allocate 1.{number}" for number in range(2, 9)]
    assert small.scheduler.nodes["h1"].free == (0, 0)


def test_vcores_free_in_the_cluster_limit_masters() -> None:
    small = Small("<queue name='a'/>")
    small.node(16384, 8)
    for app in range(1, 5):
        small.app(app, "a", (1024, 2), user=f"u{app}")
    small.update()
    assert small.beat(4) == ["allocate 1.1"]


def test_masters_take_all_the_room_and_nothing_else_runs() -> None:
    small = Small("<queue name='a'><maxAMShare>-1</maxAMShare></queue>")
    small.node(4096, 4)
    for app in range(1, 5):
        small.app(app, "a", (1024, 1))
    small.update()
    assert small.beat(5) == [f"allocate {app}.1" for app in range(1, 5)]
    for app in range(1, 5):
        small.asks(app, (1024, 1))
    small.update()
    assert small.beat(5) == []


def reserving(site: dict[str, str]) -> Small:
    small = Small("<queue name='a'/><queue name='b'/>", site=site)
    small.node(8192, 8)
    small.app(1, "a")
    small.asks(1, (6144, 1))
    small.update()
    assert small.beat() == ["allocate 1.1"]
    small.app(2, "b")
    small.app(3, "b")
    small.asks(3, (1024, 1))
    return small


def test_a_reservation_keeps_the_node_from_others() -> None:
    small = reserving({})
    small.asks(2, (4096, 1))
    small.update()
    assert small.beat(2) == ["reserve 2.1"]  # application 3 gets nothing although 2048 MB are free
    assert small.beat(ended=((1, 1),)) == ["finish 1.1 0", "allocate 2.1 reserved"]  # and nothing else
    assert small.beat() == ["allocate 3.1"]


def test_a_key_that_does_not_fit_keeps_later_ones_of_its_application_waiting() -> None:
    small = reserving(NEVER_RESERVE)
    small.asks(2, (4096, 1), priority=10)
    small.asks(2, (1024, 1), priority=20)
    small.update()
    assert small.beat() == ["allocate 3.1"]


def test_assignmultiple_stops_at_half_of_a_node_and_one_more() -> None:
    small = Small("<queue name='a'/>", site=FULL)
    small.node(16384, 8)
    small.app(1, "a")
    small.asks(1, (1024, 1), 20)
    small.update()
    assert small.beat() == [f"allocate 1.{number}" for number in range(1, 6)]


def test_weights_one_to_three_share_a_cluster_one_to_three() -> None:
    small = Small("<queue name='a'><weight>1</weight></queue><queue name='b'><weight>3</weight></queue>")
    small.node(16384, 16)
    for app, queue in ((1, "a"), (2, "b")):
        small.app(app, queue)
        small.asks(app, (1024, 1), 16)
    small.update()
    small.beat(16)
    queues = small.scheduler.queues
    assert (queues["root.a"].used, queues["root.b"].used) == ((4096, 4), (12288, 12))


def test_a_minimum_comes_before_the_rest() -> None:
    small = Small("<queue name='a'><minResources>3072 mb,0 vcores</minResources></queue><queue name='b'/>")
    small.node(8192, 8)
    for app, queue in ((1, "a"), (2, "b")):
        small.app(app, queue)
        small.asks(app, (1024, 1), 8)
    small.update()
    assert small.beat(4) == ["allocate 1.1", "allocate 1.2", "allocate 1.3", "allocate 2.1"]


def test_fifo_serves_the_first_application_first() -> None:
    small = Small("<queue name='a'><schedulingPolicy>fifo</schedulingPolicy></queue>")
    small.node(8192, 8)
    for app in (2, 1):  # 2 came first
        small.app(app, "a")
        small.asks(app, (1024, 1), 2)
    small.update()
    assert small.beat(4) == ["allocate 2.1", "allocate 2.2", "allocate 1.1", "allocate 1.2"]


def test_a_limit_of_a_parent_holds_applications_of_all_its_leaves() -> None:
    small = Small("<queue name='p'><maxRunningApps>1</maxRunningApps><queue name='a'/><queue name='b'/></queue>")
    small.node(8192, 8)
    for app, queue in ((1, "p.a"), (2, "p.b"), (3, "p.a")):
        small.app(app, queue, (1024, 1))
    small.update()
    assert small.beat(3) == ["allocate 1.1"]
    start = len(small.scheduler.decisions)
    small.scheduler.remove_app(1)
    assert [(one.kind, one.app) for one in small.scheduler.decisions[start:]] == [("finish", 1), ("runnable", 2)]
    small.update()
    assert small.beat(3) == ["allocate 2.1"]


def test_one_at_a_time_in_the_order_of_arrival() -> None:
    small = Small("<queue name='a'><maxRunningApps>1</maxRunningApps></queue>")
    small.node(8192, 8)
    for app in (3, 1, 2):
        small.app(app, "a", (1024, 1))
    ran = []
    for _ in range(3):
        small.update()
        (only,) = small.beat(2)
        ran.append(only)
        small.scheduler.remove_app(int(only.split()[1].partition(".")[0]))
    assert ran == ["allocate 3.1", "allocate 1.1", "allocate 2.1"]


def test_a_released_container_of_which_the_node_told_frees_it_later() -> None:
    small = Small("<queue name='a'/>")
    small.node(4096, 4)
    small.app(1, "a")
    small.asks(1, (1024, 1))
    small.update()
    small.beat()
    scheduler = small.scheduler
    scheduler.allocate(1)
    scheduler.heartbeat("h1", [(1, 1, 1)], [])
    scheduler.allocate(1, releases=[(1, 1, 1)])
    assert scheduler.queues["root.a"].used == (0, 0)
    assert scheduler.nodes["h1"].free == (3072, 3)
    scheduler.heartbeat("h1", [], [(1, 1, 1)])
    assert scheduler.nodes["h1"].free == (4096, 4)


def test_what_a_lost_node_held_is_asked_for_again_if_no_master_had_it() -> None:
    small = Small("<queue name='a'/>")
    small.node(4096, 4)
    small.node(4096, 4, "h2")
    small.app(1, "a")
    small.asks(1, (1024, 1), 2)
    small.update()
    small.beat()
    small.scheduler.allocate(1)
    assert small.beat(node="h2") == ["allocate 1.2"]
    small.scheduler.remove_node("h1")  # its container was taken: the master has to ask itself
    small.scheduler.remove_node("h2")
    small.node(4096, 4, "h3")
    small.update()
    assert small.beat(3, node="h3") == ["allocate 1.3"]


def test_an_ask_for_what_the_queue_may_never_have_is_refused() -> None:
    small = Small("<queue name='a'><maxResources>4096 mb,0 vcores</maxResources></queue>", site={})
    small.node(4096, 4)
    small.app(1, "a")
    with pytest.raises(InvalidAsk):
        small.scheduler.allocate(1, [AskUpdate((1, -1), (1024, 1), 1)])


def test_old_versions_are_not_modelled() -> None:
    with pytest.raises(Unsupported):
        Small(hadoop="2.8")


def test_a_queue_that_waited_for_its_place_is_known_to_placement() -> None:
    small = Small("<queue name='p'><queue name='a'/></queue>")
    small.node(8192, 8)
    small.app(1, "p.a")
    document = read_document(b"<allocations><queue name='p'/></allocations>", secure=False)
    small.scheduler.reload(read_allocation(document, small.scheduler.profile, ResourceTypes()))
    small.scheduler.remove_app(1)
    small.scheduler.check()  # now the parent may go, and the leaf of that name is made
    small.app(2, "p")
    assert [queue.name for queue in small.scheduler.root.children].count("root.p") == 1
    assert small.scheduler.apps[2].queue is small.scheduler.queues["root.p"]
