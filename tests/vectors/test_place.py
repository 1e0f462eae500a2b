"""Placement worked by hand, and as Hadoop's own tests have it: one row a submission, in both generations of rules.

`new` is the answer from 3.3 on, `old` that up to 3.2; the classes are TestQueuePlacementPolicy, TestPlacementRuleFS,
TestAppManagerWithFairScheduler, TestFairScheduler and TestFairSchedulerQueueACLs for the rows that they have.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from fairsim.placement.submission import Settings
from tests.place_cases import place, policy, queues

NEW, OLD = ("3.3.6", "3.4.1", "3.5.0"), ("2.10.2", "3.1.4", "3.2.2")
LOAD = "load-error"
EMPTY, NO_LEAF, NODE, NAME = "exception:EMPTY_REQ", "failed:NOT_A_LEAF", "failed:BAD_NODE", "exception:BAD_NAME"
NONE, REJECTS = "failed:NO_PLACEMENT", "failed:NO_PLACEMENT"


class Row(NamedTuple):
    case: int
    policy: str
    queues: str
    user: str
    queue: str | None
    new: str
    old: str | None = None  # None: as in new
    groups: str | None = ""  # default: USERgroup, USERsubgroup1, USERsubgroup2


ROWS = [
    Row(1, "S U", "", "someuser", "specifiedq", "root.specifiedq"),
    Row(2, "S U", "", "someuser", None, "root.someuser"),
    Row(3, "S U- D", "someuser", "someuser", None, "root.someuser"),
    Row(4, "S U- D", "someuser", "otheruser", "default", "root.default"),
    Row(5, "S R", "", "someuser", "default", NONE, REJECTS),
    Row(6, "S U-", "", "x", "load", LOAD),
    Row(7, "S D U", "", "x", "load", LOAD),
    Row(8, "G D:otherdefault-", "", "user1", "root.otherdefault", LOAD, "failed:NO_RULE"),
    Row(9, "S- D:root.someDefaultQueue", "someDefaultQueue", "user1", None, "root.someDefaultQueue"),
    Row(10, "S- N(P)", "", "user1", None, "root.user1group.user1", LOAD),
    Row(11, "S- N(P)", "specifiedq", "user2", "root.specifiedq", "root.specifiedq", LOAD),
    Row(12, "S- N(P)", "user3group", "user3", None, NONE, LOAD),
    Row(13, "S- N(P) D", "user3group", "user3", None, LOAD, "root.default"),
    Row(14, "N(P-) D", "", "user1", None, "root.default"),
    Row(15, "N(P-) D", "user1group/", "user1", None, "root.user1group.user1"),
    Row(16, "N-(P-) D", "user2group.user2", "user2", None, "root.user2group.user2"),
    Row(17, "N-(P-) D", "user2group/", "user2", None, "root.default"),
    Row(18, "N(G) D", "user1subgroup1/", "user1", None, "root.user1subgroup1.user1"),
    Row(19, "N(S-) D", "parent1/", "user1", "root.parent1", "root.parent1.user1"),
    Row(20, "N(S-) D", "parent1/", "user1", "default", "root.default"),
    Row(21, "S- N(D:root.parent)", "", "user1", None, "root.parent.user1", LOAD),
    Row(22, "S- N(D:root.parent)", "parent", "user1", None, NONE, LOAD),
    Row(23, "S- N(D:root.parent-) D", "parent/", "user1", None, "root.parent.user1"),
    Row(24, "U", "", "first.last", None, "root.first_dot_last"),
    Row(25, "S- N(P)", "", "user1", None, "root.user1_dot_group.user1", LOAD, "user1.group"),
    Row(26, "P- D", "", "x", "root.fake", "exception:NO_GROUPS", "failed:NO_GROUPS", "-"),
    Row(27, "S D", "", "user1", "A ", NAME, NODE),
    Row(27, "S D", "", "user1", "A\u00a0", NAME, NODE),
    Row(28, "S- D", "", "user1", "A ", NAME, "root.default"),
    Row(29, "S U", "", "user1", ".A", NAME, "failed:BAD_NAME"),
    Row(29, "S U", "", "user1", "A.", NAME, "failed:BAD_NAME"),
    Row(30, "U", "", "user1", ".A", "root.user1", "failed:BAD_NAME"),
    Row(31, "S U", "", "user1", "A.B", "root.A.B"),
    Row(32, "S U", "", "user1", "A..B", "fatal:BAD_NODE", NODE),
    Row(34, "S U", "child1.g", "tintin", "root.child1", NO_LEAF),
    Row(35, "S U", "a", "bob", "a.x", NO_LEAF),
    *[
        Row(36, "S U- P- G D", "user1 user3group user4subgroup1 user4subgroup2 user5subgroup2", user, None, wanted)
        for user, wanted in (
            ("user1", "root.user1"), ("user3", "root.user3group"), ("user4", "root.user4subgroup1"),
            ("user5", "root.user5subgroup2"), ("otheruser", "root.default"),
        )
    ],
    Row(37, "U- S D", "user1", "user1", "somequeue", "root.user1"),
    Row(37, "U- S D", "user1", "otheruser", "somequeue", "root.somequeue"),
    Row(40, "U- D", "", "ann", None, "root.default"),
    Row(42, "U", "", "root", None, NO_LEAF, "root.root"),
    Row(42, "U- D", "", "root", None, NO_LEAF, "root.default"),
    Row(43, "S D", "", "bob", "root", NO_LEAF, "root.root"),
    Row(44, "U", "", "Fred", "root.fred", "root.fred", "root.Fred"),
    Row(45, "D", "", "bob", "root.Default", "root.Default", "root.default"),
    Row(46, "D:.bad", "", "bob", None, "root.default", NODE),
    Row(47, "U(P)", "", "ann", None, "root.anngroup.ann", "root.ann"),
    Row(48, "N(U)", "", "ann", None, LOAD),
    Row(48, "N(U) D", "", "ann", None, LOAD, "root.ann.ann"),
    Row(49, "N(R) D", "", "ann", None, LOAD, REJECTS),
    Row(50, "N(D) R", "", "ann", None, LOAD, NO_LEAF),
    Row(51, "S- D-", "", "bob", None, LOAD, "failed:NO_RULE"),
]  # fmt: skip


def groups_of(row: Row) -> list[str]:
    if row.groups == "-":
        return []
    return [row.groups] if row.groups else [row.user + end for end in ("group", "subgroup1", "subgroup2")]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.case} {row.policy} {row.user}")
def test_row(row: Row) -> None:
    inner = queues(row.queues) + policy(row.policy)
    for versions, wanted in ((NEW, row.new), (OLD, row.new if row.old is None else row.old)):
        for hadoop in versions:
            assert place(inner, row.user, groups_of(row), row.queue, hadoop) == wanted, hadoop


# --- rows that need more than a line


@pytest.mark.parametrize(("hadoop", "wanted"), [("2.6", "failed:EMPTY_REQ"), ("3.2", EMPTY), ("3.5", EMPTY)])
def test_33_the_empty_name(hadoop: str, wanted: str) -> None:
    assert place(policy("S U"), "user1", ["g"], "", hadoop) == wanted


@pytest.mark.parametrize("hadoop", [*NEW, *OLD])
def test_38_no_policy_and_undeclared_queues_are_not_allowed(hadoop: str) -> None:
    settings = Settings(undeclared_pools=False)
    assert place(queues("jerry"), "someuser", [], "newqueue", hadoop, settings=settings) == "root.default"
    assert place(queues("jerry"), "jerry", [], None, hadoop, settings=settings) == "root.jerry"


@pytest.mark.parametrize(
    ("hadoop", "wanted"),
    [("2.10", "root.default"), ("3.2", "root.default"), ("3.3", "root.default"), ("3.4", "root.eng")],
)
def test_39_the_primary_group_among_the_secondary_ones(hadoop: str, wanted: str) -> None:
    assert place(queues("eng") + policy("G D"), "bob", ["eng", "ops"], None, hadoop) == wanted


@pytest.mark.parametrize("hadoop", [*NEW, *OLD])
def test_40_a_queue_made_on_the_fly_is_not_known_to_a_rule(hadoop: str) -> None:
    assert place(policy("U- D"), "ann", [], None, hadoop, live=[("root.ann", True)]) == "root.default"


def test_41_a_leaf_made_on_the_fly_where_a_parent_is_needed() -> None:
    for versions, wanted in ((NEW, "root.default"), (OLD, NO_LEAF)):
        for hadoop in versions:
            found = place(policy("N(P-) N(S) D"), "ann", ["g"], "q", hadoop, live=[("root.q", True)])
            assert found == wanted, hadoop


@pytest.mark.parametrize(("hadoop", "wanted"), [("3.2", LOAD), ("3.3", NONE), ("3.4", "root.default.ann")])
def test_50_nested_in_the_default_queue(hadoop: str, wanted: str) -> None:
    assert place(policy("N(D)"), "ann", [], None, hadoop) == wanted


def test_52_an_empty_create_flag() -> None:
    inner = '<queuePlacementPolicy><rule name="user" create=""/></queuePlacementPolicy>'
    assert [place(inner, "ann", [], None, hadoop) for hadoop in ("3.5", "3.2")] == ["root.ann", LOAD]


# --- access


CLOSED = "<aclSubmitApps> </aclSubmitApps><aclAdministerApps> </aclAdministerApps>"
S = policy("S- U")


def in_root(inner: str, own: str = CLOSED) -> str:
    return f'<queue name="root">{own}{inner}</queue>'


def submit_list(name: str, text: str, kind: str = "aclSubmitApps", inner: str = "") -> str:
    return f'<queue name="{name}"><{kind}>{text}</{kind}>{inner}</queue>'


@pytest.mark.parametrize("hadoop", [*NEW, *OLD])
def test_53_a_list_counts_whether_or_not_access_is_enabled(hadoop: str) -> None:
    inner = in_root(submit_list("queue1", "userallow")) + policy("S D")
    assert place(inner, "userallow", [], "queue1", hadoop) == "root.queue1"
    assert place(inner, "usernotallow", [], "queue1", hadoop) == "failed:ACL_SCHED"


@pytest.mark.parametrize("hadoop", [*NEW, *OLD])
def test_54_root_lets_everybody_in_where_nothing_is_written(hadoop: str) -> None:
    assert place(f'<queue name="noaccess">{CLOSED}</queue>', "anyone", [], "noaccess", hadoop) == "root.noaccess"


@pytest.mark.parametrize("hadoop", [*NEW, *OLD])
def test_55_administrators_may_submit(hadoop: str) -> None:
    lists = "<aclSubmitApps> </aclSubmitApps><aclAdministerApps>test </aclAdministerApps>"
    inner = in_root(f'<queue name="q">{lists}</queue>')
    assert place(inner, "test", [], "q", hadoop) == "root.q"
    assert place(inner, "other", [], "q", hadoop) == "failed:ACL_SCHED"


@pytest.mark.parametrize("hadoop", NEW)
def test_56_access_to_a_queue_that_is_still_to_be_made(hadoop: str) -> None:
    inner = in_root('<queue name="submitonly" type="parent"><aclSubmitApps>test </aclSubmitApps></queue>'
                    f'<queue name="noaccess" type="parent">{CLOSED}</queue>')  # fmt: skip
    settings = Settings(acl_enable=True)
    assert place(inner, "test", [], "submitonly.child", hadoop, settings=settings) == "root.submitonly.child"
    assert place(inner, "test", [], "noaccess.child", hadoop, settings=settings) == "exception:ACL_RM"


@pytest.mark.parametrize("hadoop", [*NEW, *OLD])
def test_57_administrators_of_root(hadoop: str) -> None:
    own = "<aclSubmitApps> </aclSubmitApps><aclAdministerApps>root_admin </aclAdministerApps>"
    inner = in_root(f'<queue name="queueA">{CLOSED}</queue>', own)
    assert place(inner, "root_admin", [], "queueA", hadoop) == "root.queueA"


@pytest.mark.parametrize("hadoop", [*NEW, *OLD])
def test_58_root_closed_for_one_of_the_two(hadoop: str) -> None:
    inner = in_root('<queue name="a"/>', "<aclSubmitApps>alice</aclSubmitApps>")
    assert place(inner, "bob", [], "a", hadoop) == "root.a"


@pytest.mark.parametrize("hadoop", ["3.2.2", *NEW])
def test_59_a_master_larger_than_a_container_of_the_queue(hadoop: str) -> None:
    inner = ('<queue name="limited"><maxContainerAllocation>1024 mb, 4 vcores</maxContainerAllocation></queue>'
             '<queue name="unlimited"/>')  # fmt: skip
    settings = Settings(largest=(8192, 4))
    wanted = {"limited": "exception:AM_TOO_BIG", "unlimited": "root.unlimited"}
    for queue, outcome in wanted.items():
        assert place(inner, "ann", [], queue, hadoop, am=(1025, 1), settings=settings, cluster=(16384, 16)) == outcome
    assert place(inner, "ann", [], "limited", hadoop, am=(1024, 1), settings=settings) == "root.limited"
    assert place(inner, "ann", [], "unlimited", hadoop, am=(8193, 1), settings=settings) == "exception:AM_TOO_BIG"


@pytest.mark.parametrize("hadoop", ["3.2.2", *NEW])
def test_60_a_queue_that_may_have_none_of_what_a_master_asks(hadoop: str) -> None:
    inner = '<queue name="z"><minResources>0 mb,2vcores</minResources><maxResources>0 mb,2vcores</maxResources></queue>'
    settings = Settings(largest=(8192, 4))
    assert place(inner, "ann", [], "z", hadoop, am=(5120, 1), settings=settings) == "failed:ZERO_RESOURCE"
