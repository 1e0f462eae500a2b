"""Each check of the chain, where it lets an application pass and where it stops it; and the order of the checks."""

from __future__ import annotations

import pytest

from fairsim.model.resources import Amount
from fairsim.why.grow import grow
from fairsim.why.parts import PASSES, STOPS, TELLS, UNKNOWN, Landing, Permission
from tests.helpers import tree_of
from tests.why_cases import LARGE, answer, check, names, stops

A = '<queue name="a"/>'
Case = tuple[dict[str, object], str]


def quiet(**more: str) -> dict[str, str]:
    return {**LARGE, **{name.replace("__", "."): value for name, value in more.items()}}


# --- placement and access --------------------------------------------------------------------------------------------


def test_a_refused_landing_ends_the_chain() -> None:
    found = answer(A, place=lambda _: Landing("refused", "", "no rule takes it", trace=("rule 1: passed",)))
    assert (stops(found), found.reason, found.queue) == ("refused placement", "no rule takes it", "")
    assert found.checks[0].details == ("rule 1: passed",)
    assert names(found.checks) == ["placement"]


def test_access() -> None:
    def place(allowed: bool) -> Landing:
        return Landing("placed", "root.a", "rule 1", permission=Permission(allowed, "by a list"))

    assert stops(answer(A, place=lambda _: place(True))) == "runs"
    found = answer(A, place=lambda _: place(False))
    assert (stops(found), found.reason) == ("refused acl root.a", "fred may not submit to root.a")
    assert "running limit" not in found.reason
    assert check(answer(A), "acl").verdict == UNKNOWN


def test_a_parent_takes_no_applications() -> None:
    found = answer('<queue name="p"><queue name="c"/></queue>', queue="p")
    assert stops(found) == "refused placement"
    assert found.checks[0].hint == "leaves below it: root.p.c"


# --- sizes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("am", "site", "want"),
    [
        ((8192, 4), {}, "runs"),
        ((8193, 4), {}, "refused maximum_allocation"),
        ((8192, 5), {}, "refused maximum_allocation"),
        ((8193, 4), {"yarn.scheduler.maximum-allocation-mb": "9000"}, "runs"),
        ((8193, 4), {"yarn.resource-types.memory-mb.maximum-allocation": "9000"}, "runs"),
    ],
)
def test_maximum_allocation(am: Amount, site: dict[str, str], want: str) -> None:
    assert stops(answer(A, am=am, site=site)) == want


def test_maximum_allocation_names_the_property_and_its_source() -> None:
    found = answer(A, am=(9000, 1), site={})
    assert found.reason == "the master is larger than the maximum allocation: 9000 MB of 8192"
    one = check(found, "maximum_allocation")
    assert [source.what for source in one.sources] == ["yarn.scheduler.maximum-allocation-mb"]
    assert "--yarn-site" in one.hint
    given = check(answer(A, am=(9000, 1), site={"yarn.scheduler.maximum-allocation-mb": "8500"}), "maximum_allocation")
    assert given.sources[0].origin == "site"
    assert "--yarn-site" not in given.hint


@pytest.mark.parametrize(
    ("am", "cluster", "hadoop", "want"),
    [
        ((20480, 2), "3x20g,5c", "3.4", "runs"),
        ((20481, 2), "3x20g,5c", "3.4", "refused largest_node"),
        ((1024, 6), "3x20g,5c", "3.4", "refused largest_node"),
        ((20481, 2), "3x20g,5c", "2.6", "waits node"),
        ((16384, 8), "1x20g,4c+1x10g,8c", "3.4", "waits node"),  # each type fits on some node, no node has both
        ((20481, 2), "60g,15c", "3.4", "runs"),  # a sum: nodes are not known
        ((70000, 2), "60g,15c", "3.4", "refused largest_node"),
        ((70000, 2), "60g,15c", "2.6", "waits node"),
    ],
)
def test_largest_node(am: Amount, cluster: str, hadoop: str, want: str) -> None:
    inner = '<queue name="a"><maxAMShare>-1</maxAMShare><maxResources>65000 mb,100 vcores</maxResources></queue>'
    assert stops(answer(inner, am=am, cluster=cluster, hadoop=hadoop)) == want


def test_a_container_above_the_cluster() -> None:
    inner = '<queue name="a"><maxAMShare>-1</maxAMShare></queue>'
    assert answer(inner, am=(70000, 2), cluster="60g,15c").reason == (
        "the master is larger than the largest node: 70000 MB of 61440"
    )
    found = answer(inner, am=(70000, 2), cluster="60g,15c", hadoop="2.6")
    assert found.reason == "the container is larger than the cluster: 70656 MB of 61440, never"


LIMITED = (
    '<queue name="p"><maxContainerAllocation>2048 mb,2 vcores</maxContainerAllocation><queue name="a"/></queue>'
    '<queue name="b"><maxContainerAllocation>1024 mb,1 vcores</maxContainerAllocation></queue>'
)


@pytest.mark.parametrize(
    ("queue", "am", "hadoop", "want"),
    [
        ("p.a", (2048, 2), "3.4", "runs"),
        ("p.a", (2049, 2), "3.4", "refused container_limit root.p.a"),
        ("b", (1024, 2), "3.4", "refused container_limit root.b"),
        ("b", (1024, 2), "3.1", "runs"),
        ("p.new", (4096, 4), "3.4", "runs"),  # a queue that is still to be made
    ],
)
def test_container_limit(queue: str, am: Amount, hadoop: str, want: str) -> None:
    assert stops(answer(LIMITED, queue=queue, am=am, hadoop=hadoop)) == want


def test_container_limit_has_its_line() -> None:
    one = check(answer("\n" + LIMITED, queue="p.a", am=(4096, 1)), "container_limit")
    assert one.sources[0].line == 2
    assert one.sources[0].what == "<maxContainerAllocation> of root.p"


@pytest.mark.parametrize(
    ("asked", "site", "hadoop", "want"),
    [
        ((1, 1), {}, "3.4", (1024, 1)),
        ((1025, 1), {}, "3.4", (2048, 1)),
        ((1500, 3), {"yarn.scheduler.increment-allocation-mb": "500"}, "3.4", (1500, 3)),
        ((1500, 3), {"yarn.scheduler.minimum-allocation-mb": "700"}, "2.6", (2048, 3)),
        ((1500, 3), {"yarn.scheduler.minimum-allocation-mb": "700"}, "2.7", (3072, 1)),
        ((1500, 3), {"yarn.scheduler.minimum-allocation-vcores": "2"}, "2.8", (2048, 2)),
        ((1500, 3), {}, "2.8", (2048, 1)),
        ((8100, 1), {"yarn.scheduler.increment-allocation-mb": "3000"}, "3.4", (8192, 1)),
    ],
)
def test_the_request_is_rounded(asked: Amount, site: dict[str, str], hadoop: str, want: Amount) -> None:
    assert answer(A, am=asked, site=site, hadoop=hadoop).ask == want


def test_a_minimum_of_0_up_to_2_8() -> None:
    site = {"yarn.scheduler.minimum-allocation-mb": "0", "yarn.scheduler.minimum-allocation-vcores": "0"}
    assert stops(answer(A, site=site, hadoop="2.8")) == "waits request root.a"
    old = answer(A, site=site, hadoop="2.7")
    assert (stops(old), old.ask, check(old, "request").verdict) == ("runs", (0, 0), TELLS)
    assert stops(answer(A, site=site, hadoop="2.9")) == "runs"


ZERO = '<queue name="a"><maxResources>90000 mb,0vcores</maxResources></queue>'


@pytest.mark.parametrize(
    ("hadoop", "want"), [("3.2", "refused zero_resource root.a"), ("3.1", "waits am_share root.a"), ("2.6", "runs")]
)
def test_zero_resource(hadoop: str, want: str) -> None:
    assert stops(answer(ZERO, hadoop=hadoop)) == want


def test_zero_resource_looks_at_the_leaf_alone() -> None:
    inner = '<queue name="p"><maxResources>90000 mb,0vcores</maxResources><queue name="a"/></queue>'
    found = answer(inner, queue="p.a")
    assert check(found, "zero_resource").verdict == PASSES
    assert stops(found) == "waits maximum root.p"
    assert found.reason.endswith("never")


# --- running limits --------------------------------------------------------------------------------------------------

USERS = '<user name="u1"><maxRunningApps>10</maxRunningApps></user><userMaxAppsDefault>5</userMaxAppsDefault>'


@pytest.mark.parametrize(
    ("user", "state", "want"),
    [
        ("u1", "users: {u1: {running: 9}}", "runs"),
        ("u1", "users: {u1: {running: 10, waiting: 69}}", "waits user_limit u1"),
        ("u2", "users: {u2: {running: 4}, u1: {running: 10}}", "runs"),
        ("u2", "users: {u2: {running: 5}}", "waits user_limit u2"),
        ("u2", "queues: {b: {users: {u2: {running: 3}}}, c: {users: {u2: {running: 2}}}}", "waits user_limit u2"),
    ],
)
def test_user_limit(user: str, state: str, want: str) -> None:
    assert stops(answer(USERS, user=user, state=state)) == want


def test_user_limit_counts_all_queues_and_tells_the_place() -> None:
    found = answer(USERS, user="u1", state="users: {u1: {running: 10, waiting: 69}}")
    assert found.reason == "user limit: 10 of 10 applications of u1 run, position 70 in line"
    assert found.position == 70
    assert check(found, "user_limit").sources[0].what == '<user name="u1">'


PARENT = '<queue name="p"><maxRunningApps>2</maxRunningApps><queue name="a"/><queue name="b"/></queue>'


@pytest.mark.parametrize(
    ("state", "want"),
    [
        ("queues: {p.a: {running: 1}}", "runs"),
        ("queues: {p.a: {running: 2}}", "waits queue_limit root.p"),
        ("queues: {p.a: {running: 1}, p.b: {running: 1, waiting: 3}}", "waits queue_limit root.p"),
        ("apps: [{queue: p.a, used: '1g,1c'}, {queue: p.b, state: accepted}]", "waits queue_limit root.p"),
        ("apps: [{queue: p.a, used: '1g,1c'}, {queue: p.b, state: waiting}]", "runs"),
    ],
)
def test_limits_of_ancestors(state: str, want: str) -> None:
    assert stops(answer(PARENT, queue="p.a", state=state)) == want


def test_place_in_the_line_of_an_ancestor() -> None:
    found = answer(PARENT, queue="p.a", state="queues: {p.a: {running: 1}, p.b: {running: 1, waiting: 3}}")
    assert found.reason == "running limit of root.p: 2 of 2 run, position 4 in line"
    assert (found.position, check(found, "queue_limit").sources[0].line) == (4, 1)


def test_the_user_is_looked_at_before_the_queues_and_the_leaf_before_root() -> None:
    inner = (
        '<userMaxAppsDefault>1</userMaxAppsDefault><queue name="root"><maxRunningApps>1</maxRunningApps>'
        '<queue name="a"><maxRunningApps>1</maxRunningApps></queue></queue>'
    )
    full = "queues: {a: {users: {fred: {running: 1}}}}"
    found = answer(inner, state=full)
    assert stops(found) == "waits user_limit fred"
    order = [(one.name, one.queue) for one in found.checks if one.verdict == STOPS]
    assert order == [("user_limit", "fred"), ("queue_limit", "root.a"), ("queue_limit", "root")]
    assert stops(answer(inner, state=full, user="ann")) == "waits queue_limit root.a"


def test_a_limit_of_0_never_lets_anything_run() -> None:
    found = answer('<queue name="a"><maxRunningApps>0</maxRunningApps></queue>')
    assert stops(found) == "waits queue_limit root.a"
    assert "no application ever runs there" in check(found, "queue_limit").hint


def test_an_application_without_a_user() -> None:
    state = "apps: [{id: x, queue: a, state: waiting}, {queue: a, state: accepted}, {queue: a, state: accepted}]"
    found = answer("<userMaxAppsDefault>1</userMaxAppsDefault>" + A, state=state, app="x")
    assert (stops(found), check(found, "user_limit").verdict) == ("runs", UNKNOWN)


def test_waiting_applications_come_in_order() -> None:
    rows = ", ".join(f"{{id: w{number}, queue: p.a, state: waiting, start: {number}}}" for number in range(1, 5))
    state = f"queues: {{p.b: {{running: 2}}}}\napps: [{rows}]"
    for number in range(1, 5):
        found = answer(PARENT, state=state, app=f"w{number}")
        assert (stops(found), found.position) == ("waits queue_limit root.p", number)
    assert answer(PARENT, state=state, queue="p.a").position == 5


def test_an_application_that_runs_is_past_the_limits() -> None:
    state = "apps: [{id: r, queue: p.a, used: '2g,2c', ask: '4g,1c'}, {id: s, queue: p.b, used: '1g,1c'}]"
    found = answer(PARENT, state=state, app="r")
    assert stops(found) == "runs"
    assert check(found, "queue_limit", "root.p").text == "1 of 2 applications run besides it"
    assert found.ask == (4096, 1)


# --- room for masters ------------------------------------------------------------------------------------------------

HALVES = '<queue name="a"/><queue name="b"/>'


@pytest.mark.parametrize(
    ("state", "am", "want"),
    [
        ("queues: {a: {running: 9, used: '9g,9c', am_used: '9g,9c'}, b: {running: 1}}", (1024, 1), "runs"),
        ("queues: {a: {running: 9, used: '25g,9c', am_used: '25g,9c'}, b: {running: 1}}",
         (1024, 1), "waits am_share root.a"),
        ("queues: {a: {running: 9, used: '25g,9c', am_used: '25g,9c'}, b: {}}", (1024, 1), "runs"),
    ],
)  # fmt: skip
def test_room_for_masters(state: str, am: Amount, want: str) -> None:
    assert stops(answer(HALVES, cluster="10x10g,10c", state=state, am=am)) == want


def test_the_sum_that_stops_a_master() -> None:
    state = "queues: {a: {running: 9, used: '25g,9c', am_used: '25g,9c'}, b: {running: 1}}"
    found = answer(HALVES, cluster="10x10g,10c", state=state)
    assert found.reason == "room for masters of root.a: 25600 + 1024 > 25600 MB"
    one = check(found, "am_share")
    assert one.details[0] == "MB: 25600 used + 1024 = 26624, more than 25600 (0.5 x the share, 51200)"
    assert one.numbers["sum"] == {"memory-mb": 26624, "vcores": 10}


def test_vcores_below_fair_are_a_part_of_what_is_free() -> None:
    one = {"cluster": "1x16g,8c", "queue": "a", "am": (1024, 2)}
    running = "apps: [{queue: a, used: '1g,2c', am: '1g,2c'}]"
    assert stops(answer(A, **one)) == "runs"  # type: ignore[arg-type]
    found = answer(A, state=running, **one)  # type: ignore[arg-type]
    assert found.reason == "room for masters of root.a: 2 + 2 > 3 vcores"
    assert "0.5 x what the cluster has free, 6" in check(found, "am_share").details[1]
    assert stops(answer(A, state=running, hadoop="2.8", **one)) == "runs"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hadoop", "want"), [("2.8", "waits am_share root.spare"), ("2.9", "runs"), ("3.4", "runs")]
)
def test_weight_0(hadoop: str, want: str) -> None:
    inner = '<queue name="prod"/><queue name="spare"><weight>0</weight></queue>'
    found = answer(inner, cluster="10x10g,5c", queue="spare", hadoop=hadoop)
    assert stops(found) == want
    assert found.reason.endswith("never") == (hadoop == "2.8")


@pytest.mark.parametrize(("hadoop", "want"), [("2.8", "waits am_share root.q"), ("2.9", "runs")])
def test_one_vcore(hadoop: str, want: str) -> None:
    inner = '<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queue name="q"/>'
    assert stops(answer(inner, cluster="8g,1c", queue="q", hadoop=hadoop)) == want


def test_max_am_share_of_minus_1() -> None:
    state = "queues: {a: {running: 9, used: '40g,9c', am_used: '40g,9c'}, b: {running: 1}}"
    inner = '<queue name="a"><maxAMShare>-1</maxAMShare></queue><queue name="b"/>'
    assert stops(answer(inner, cluster="10x10g,10c", state=state)) == "runs"


def test_masters_that_came_before_are_served_first() -> None:
    state = "apps: [{queue: a, state: accepted, am: '30g,1c'}, {id: x, queue: a, state: accepted, am: '30g,1c'}]"
    found = answer(A, cluster="10x10g,10c", state=state, app="x")
    assert found.reason == "room for masters of root.a: 30720 + 30720 > 51200 MB"
    assert any("came before" in text for text in found.assumed)


def test_masters_that_the_state_does_not_tell_are_assumed() -> None:
    found = answer(A, cluster="10x10g,10c", state="queues: {a: {running: 60, used: '60g,9c'}}")
    assert stops(found) == "waits am_share root.a"
    assert found.assumed == ("the state does not tell the masters of root.a: 60 of 1024, 1 are taken",)


# --- maxima, nodes, free space ---------------------------------------------------------------------------------------

CAPPED = '<queue name="p"><maxResources>20480 mb,20 vcores</maxResources><queue name="a"/></queue>'


@pytest.mark.parametrize(
    ("used", "hadoop", "want"),
    [
        ("19g,9c", "3.4", "runs"),
        ("19457m,9c", "3.4", "waits maximum root.p"),
        ("1g,20c", "3.4", "waits maximum root.p"),
        ("20g,20c", "2.7", "runs"),
        ("20g,20c", "2.6", "runs"),  # the container is not counted: one too many is let in
        ("20481m,20c", "2.6", "waits maximum root.p"),
    ],
)
def test_maximum_of_an_ancestor(used: str, hadoop: str, want: str) -> None:
    state = f"queues: {{p.a: {{used: '{used}', running: 3, am_used: '1g,1c'}}}}"
    assert stops(answer(CAPPED, queue="p.a", state=state, hadoop=hadoop)) == want


def test_the_sum_that_is_over_the_maximum() -> None:
    found = answer(CAPPED, queue="p.a", state="queues: {p.a: {used: '20g,9c', running: 3, am_used: '1g,1c'}}")
    assert found.reason == "maximum of root.p: 20480 + 1024 > 20480 MB"
    assert check(found, "maximum").sources[0].what == "<maxResources> of root.p"


def test_a_queue_over_its_maximum_is_passed_by_before_masters_are_looked_at() -> None:
    inner = '<queue name="a"><maxResources>20480 mb,20 vcores</maxResources></queue>'
    over = answer(inner, state="queues: {a: {used: '30g,9c', running: 3, am_used: '30g,9c'}}")
    at = answer(inner, state="queues: {a: {used: '20g,9c', running: 3, am_used: '20g,9c'}}")
    assert (stops(over), stops(at)) == ("waits maximum root.a", "waits am_share root.a")


def test_a_made_queue_has_the_limit_of_its_parent() -> None:
    inner = '<queue name="p" type="parent"><maxChildResources>512 mb,1 vcores</maxChildResources></queue>'
    found = answer(inner, queue="p.fred")
    assert found.reason == "room for masters of root.p.fred: 0 + 1024 > 256 MB, never"
    assert check(found, "maximum").text == "the container never fits into the maximum: 0 + 1024 > 512 MB"
    assert check(found, "maximum").sources[0].what == "<maxChildResources> of root.p"


@pytest.mark.parametrize(
    ("used", "want"), [("99g,1c", "runs"), ("99.5g,1c", "waits room"), ("1g,100c", "waits room")]
)
def test_free_space(used: str, want: str) -> None:
    inner = '<queue name="a"><maxAMShare>-1</maxAMShare></queue><queue name="b"/>'
    assert stops(answer(inner, cluster="10x10g,10c", state=f"queues: {{b: {{used: '{used}', running: 1}}}}")) == want


@pytest.mark.parametrize(("am", "want"), [((3072, 1), "runs"), ((3073, 1), "waits room")])
def test_free_space_of_nodes(am: Amount, want: str) -> None:
    state = "queues: {b: {used: '96g,1c', running: 1}}\nfree: {n1: '1g,9c', n2: '3g,9c'}"
    found = answer(HALVES, cluster="10x10g,10c", state=state, am=am, site=LARGE | {
        "yarn.scheduler.increment-allocation-mb": "1"})  # fmt: skip
    assert stops(found) == want


def test_a_sum_leaves_the_nodes_open() -> None:
    assert check(answer(A, cluster="800g,200c"), "node").verdict == UNKNOWN
    assert check(answer(A, cluster="40x20g,5c"), "node").verdict == PASSES


# --- shares and preemption -------------------------------------------------------------------------------------------

FULL = "queues: {b: {used: '100g,50c', running: 1}}"
ON = LARGE | {"yarn.scheduler.fair.preemption": "true"}
OFF = "yarn.scheduler.fair.preemption is false (Hadoop's default)"
NO_TIME = "root.a has no fairSharePreemptionTimeout (Hadoop's default)"
TIMES = "<defaultFairSharePreemptionTimeout>60</defaultFairSharePreemptionTimeout>"


def test_fair_share_tells_usage_up_the_path() -> None:
    inner = '<queue name="p"><queue name="a"/></queue><queue name="b"/>'
    state = "queues: {p.a: {used: '60g,1c', running: 1, am_used: '1g,1c'}, b: {running: 1}}"
    one = check(answer(inner, cluster="10x10g,10c", queue="p.a", state=state), "fair_share")
    assert one.verdict == TELLS
    assert one.text == "uses 61440 of 51200 MB: above its share: others come first"
    assert one.details == ("root.p uses 61440 of 51200 MB: above its share: others come first",)


@pytest.mark.parametrize(
    ("inner", "site", "says"),
    [
        (HALVES, LARGE, f"would not help: {OFF} and {NO_TIME}"),
        (HALVES, ON, f"would not help: {NO_TIME}"),
        (HALVES + TIMES, LARGE, f"would not help: {OFF}"),
        (HALVES + TIMES, ON, "could help: starved after 60 s, containers of others end 15 s later"),
        (HALVES + TIMES, ON | {"yarn.scheduler.fair.preemption.cluster-utilization-threshold": "1"},
         "would not help now: 100 % of the cluster are used, preemption begins above 100 %"),
        ('<queue name="a"/><queue name="b"><allowPreemptionFrom>false</allowPreemptionFrom></queue>' + TIMES, ON,
         "could help: starved after 60 s, containers of others end 15 s later"),
        ('<queue name="a"><fairSharePreemptionThreshold>0</fairSharePreemptionThreshold></queue>' + TIMES, ON,
         "would not help: the application does not count as starved"),
    ],
)  # fmt: skip
def test_preemption_needs_both_switches(inner: str, site: dict[str, str], says: str) -> None:
    found = answer(inner, cluster="10x10g,10c", state=FULL, site=site)
    assert (stops(found), check(found, "preemption").text) == ("waits room", says)


def test_preemption_names_who_can_lose_containers() -> None:
    one = check(answer(HALVES + TIMES, cluster="10x10g,10c", state=FULL, site=ON), "preemption")
    assert "can lose containers: root.b, 51200 MB above its share" in one.details
    spared = '<queue name="a"/><queue name="b"><allowPreemptionFrom>false</allowPreemptionFrom></queue>'
    one = check(answer(spared + TIMES, cluster="10x10g,10c", state=FULL, site=ON), "preemption")
    assert one.details[-2:] == (
        "nobody is above the share: there is nothing to take",
        "nothing is taken from root.b (allowPreemptionFrom is false)",
    )
    apps = "apps: [{id: big, queue: b, user: u, used: '100g,50c'}]"
    one = check(answer(HALVES + TIMES, cluster="10x10g,10c", state=apps, site=ON), "preemption")
    assert "can lose containers: big in root.b, 51200 MB above its share" in one.details


def test_preemption_does_not_help_against_a_limit() -> None:
    found = answer(PARENT + TIMES, queue="p.a", state="queues: {p.a: {running: 2}}", site=ON)
    assert check(found, "preemption").text == "would not help: it makes room, and room is not what is missing"
    assert check(answer(A), "preemption").text == "not needed"


def test_preemption_for_the_minimum() -> None:
    inner = (
        '<queue name="a"><minResources>2048 mb,1 vcores</minResources><minSharePreemptionTimeout>5'
        '</minSharePreemptionTimeout></queue><queue name="b"/>'
    )
    one = check(answer(inner, cluster="10x10g,10c", state=FULL, site=ON), "preemption")
    assert one.text.startswith("could help: starved after 5 s")
    assert one.numbers["killed_after_ms"] == 20000


def test_fifo_starves_nobody_but_the_first() -> None:
    inner = '<queue name="a"><schedulingPolicy>fifo</schedulingPolicy></queue><queue name="b"/>' + TIMES
    state = "queues: {b: {used: '99g,50c', running: 1}, a: {used: '1g,1c', running: 1, am_used: '1g,1c'}}"
    one = check(answer(inner, cluster="10x10g,10c", state=state, site=ON), "preemption")
    assert one.text == "would not help: the application does not count as starved"


# --- order -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hadoop", "first"),
    [
        ("2.8", ["maximum_allocation", "largest_node", "placement", "acl", "user_limit"]),
        ("3.2", ["maximum_allocation", "largest_node", "placement", "zero_resource", "acl", "user_limit"]),
        ("3.3", ["placement", "maximum_allocation", "largest_node", "acl", "zero_resource", "user_limit"]),
    ],
)
def test_the_order_is_that_of_the_version(hadoop: str, first: list[str]) -> None:
    assert names(answer(A, hadoop=hadoop).checks)[: len(first)] == first


def test_later_checks_tell_what_would_come_next() -> None:
    inner = '<queue name="a"><maxRunningApps>1</maxRunningApps><maxResources>512 mb,9 vcores</maxResources></queue>'
    found = answer(inner, state="queues: {a: {running: 1}}")
    assert [one.name for one in found.checks if one.verdict == STOPS] == ["queue_limit", "am_share", "maximum"]
    assert stops(found) == "waits queue_limit root.a"


def test_limits_of_yarn_site_count_with_their_units() -> None:
    """An increment may be written with a unit, from 3.1 on; 1 Gi is 1024 MB."""
    site = {**LARGE, "yarn.resource-types.memory-mb.increment-allocation": "2Gi"}
    assert answer("<queue name='a'/>", am=(2049, 1), site=site).ask[0] == 4096
    assert answer("<queue name='a'/>", am=(2049, 1), site=site, hadoop="3.0").ask[0] == 3072


def test_a_queue_that_the_file_has_and_hadoop_did_not_make_has_the_values_of_the_file() -> None:
    """A fifo parent is not made at the load; made as a leaf for an application it takes what stands in the file."""
    policy, most = "<schedulingPolicy>fifo</schedulingPolicy>", "<maxResources>9 mb, 0 vcores</maxResources>"
    tree = tree_of(f'<queue name="z">{policy}{most}<queue name="y"/></queue>', "3.4")
    assert "root.z" not in tree.queues
    made = grow(tree, "root.z")
    assert made is not None
    assert (made.leaf, made.policy, tree.max_at(made, (100, 100))) == (True, "fifo", (9, 0))


def test_a_queue_is_not_made_with_a_policy_of_the_file_that_its_parent_refuses() -> None:
    tree = tree_of('<queue name="p"><schedulingPolicy>drf</schedulingPolicy></queue>', "3.4")
    assert grow(tree, "root.p") is None
    assert grow(tree, "root.q") is not None
