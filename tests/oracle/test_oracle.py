"""The oracle itself: small cases worked out by hand, put to Hadoop's classes.

They show that the modes place and run ask Hadoop what they say they ask, and they keep what
docs/hadoop-behaviour.md tells of placement, reload, preemption and the order of queues. All
questions of one version go to one JVM. ORACLE_VERSIONS="3.2.2 3.4.1" names more versions.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.java

HERE = Path(__file__).parent
VERSIONS = os.environ.get("ORACLE_VERSIONS", "3.4.1").split()
QUESTIONS: dict[str, dict[str, Any]] = {}
Answer = dict[str, Any]
Numbers = tuple[int, ...]


@cache
def why_not(version: str) -> str | None:
    """Returns why the oracle of this version can not be asked here; None if it can."""
    missing = [tool for tool in ("java", "javac", "mvn") if not shutil.which(tool)]
    if missing:
        return f"no {', '.join(missing)}"
    built = any((HERE / "target" / version).glob("jars-*.txt"))
    cached = any((Path.home() / ".m2/repository/org/apache/hadoop").glob(f"hadoop-*/{version}/*.jar"))
    if not built and not cached:
        return f"no jars of Hadoop {version}: tests/oracle/run {version} --build-only fetches them"
    build = [sys.executable, str(HERE / "run"), version, "--build-only"]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    return f"the oracle can not be built: {done.stderr[-500:]}" if done.returncode else None


@cache
def answers(version: str) -> dict[str, Answer]:
    """Returns the answers to all questions of this module, by their names."""
    lines = "".join(json.dumps({"id": name, **asked}) + "\n" for name, asked in QUESTIONS.items())
    done = subprocess.run(
        [sys.executable, str(HERE / "run"), version], input=lines, capture_output=True, text=True, check=False
    )
    found = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert found.keys() == QUESTIONS.keys(), done.stderr[-2000:]
    return found


@pytest.fixture(params=VERSIONS)
def hadoop(request: pytest.FixtureRequest) -> str:
    version: str = request.param
    reason = why_not(version)
    if reason:
        pytest.skip(reason)
    return version


def number(version: str) -> Numbers:
    return tuple(int(part) for part in version.split("."))


def since(version: str, first: str) -> bool:
    return number(version) >= number(first)


def only(version: str, *, since: str = "0", before: str = "99") -> None:
    """Skips the test on other versions than these."""
    if not number(since) <= number(version) < number(before):
        pytest.skip(f"for Hadoop {since} and newer, before {before}")


def question(name: str, **parts: Any) -> str:
    """Registers a question and returns its name."""
    assert name not in QUESTIONS
    QUESTIONS[name] = parts
    return name


def mb(memory: int, vcores: int = 1) -> dict[str, int]:
    return {"memory-mb": memory, "vcores": vcores}


# --- place -----------------------------------------------------------------------------------------------------------

RULES = {
    "S": "specified", "U": "user", "P": "primaryGroup", "G": "secondaryGroupExistingQueue",
    "N": "nestedUserQueue", "D": "default", "R": "reject",
}  # fmt: skip


def policy(text: str) -> str:
    """Returns the element for a short form: `S- N(P) D:root.q` (a minus is create="false", a colon a queue)."""
    return f"<queuePlacementPolicy>{''.join(map(rule, text.split()))}</queuePlacementPolicy>"


def rule(text: str) -> str:
    match = re.fullmatch(r"([A-Z])(?:\((.*)\))?(?::([^-]*))?(-?)", text)
    assert match, text
    letter, nested, queue, minus = match.groups()
    more = (f' queue="{queue}"' if queue else "") + (' create="false"' if minus else "")
    return f"<rule name=\"{RULES[letter]}\"{more}>{rule(nested) if nested else ''}</rule>"


def tree(names: str) -> str:
    """Returns queue elements for `root.a parent:root.b root.c.d`."""
    found: dict[str, Any] = {}
    parents = set()
    for name in names.split():
        kind, _, path = name.rpartition(":")
        level = found
        for node in path.removeprefix("root.").split("."):
            level = level.setdefault(node, {})
        if kind == "parent":
            parents.add(path)

    def write(level: dict[str, Any], above: str) -> str:
        texts = []
        for node, below in level.items():
            name = f"{above}.{node}"
            kind = " type='parent'" if name in parents else ""
            texts.append(f"<queue name='{node}'{kind}>{write(below, name)}</queue>")
        return "".join(texts)

    return write(found, "root")


def outcome(answer: Answer, index: int = 0) -> str:
    """Returns the answer to a submission in a few words."""
    if answer["loaded"] is False:
        return "refused"
    found = answer["submissions"][index]
    if found["outcome"] == "accepted":
        return str(found["queue"])
    if found["outcome"] == "exception":
        return f"exception: {found['step']}"
    if found["outcome"] == "fatal":
        return f"fatal: {found['class'].rpartition('.')[2]}"
    reasons = {
        "is not a leaf queue": "no leaf",
        "rejected by placement rules": "no rule",
        "rejected by queue placement policy": "no rule",
        "Illegal node name": "bad node",
        "illegal queue name": "bad request",
        "empty queue name": "empty request",
        "Unable to match app": "no rule left",
        "Error assigning app": "error in a rule",
        "cannot submit applications to queue": "acl",
        "does not have permission to submit": "acl",
        "zero amount of resource": "zero",
    }
    message: str = found["message"]
    return next((short for text, short in reasons.items() if text in message), message)


FIVE = "root.user1 root.user3group root.user4subgroup1 root.user4subgroup2 root.user5subgroup2"
FIVE_RULES = "S U- P- G D"
# number in our notes; rules; queues of the file and "dynamic:" ones; user; requested; up to 3.2; from 3.3 on.
# Groups of a user u are [ugroup, usubgroup1, usubgroup2] unless a list stands behind the user.
PLACED: list[tuple[str, str, str, str, str, str, str]] = [
    ("1", "S U", "", "someuser", "specifiedq", "root.specifiedq", "root.specifiedq"),
    ("2", "S U", "", "someuser", "default", "root.someuser", "root.someuser"),
    ("3", "S U- D", "root.someuser", "someuser", "default", "root.someuser", "root.someuser"),
    ("4", "S U- D", "root.someuser", "otheruser", "default", "root.default", "root.default"),
    ("5", "S R", "", "someuser", "default", "no rule", "no rule"),
    ("6", "S U-", "", "someuser", "default", "refused", "refused"),
    ("7", "S D U", "", "someuser", "default", "refused", "refused"),
    ("8", "G D:otherdefault-", "", "user1", "root.otherdefault",
     "fatal: IllegalStateException | 2.9: no rule left", "refused"),
    ("9", "S- D:root.some", "root.some", "user1", "default", "root.some", "root.some"),
    ("10", "S- N(P)", "", "user1", "default", "refused", "root.user1group.user1"),
    ("11", "S- N(P)", "root.specifiedq", "user2", "root.specifiedq", "refused", "root.specifiedq"),
    ("12", "S- N(P)", "root.user3group", "user3", "default", "refused", "no rule"),
    ("13", "S- N(P) D", "root.user3group", "user3", "default", "root.default", "refused"),
    ("14", "N(P-) D", "", "user1", "default", "root.default", "root.default"),
    ("15", "N(P-) D", "parent:root.user1group", "user1", "default", "root.user1group.user1", "root.user1group.user1"),
    ("16", "N(P-)- D", "root.user2group.user2", "user2", "default", "root.user2group.user2", "root.user2group.user2"),
    ("17", "N(P-)- D", "parent:root.user2group", "user2", "default", "root.default", "root.default"),
    ("18", "N(G) D", "parent:root.user1subgroup1", "user1", "default", "root.user1subgroup1.user1",
     "root.user1subgroup1.user1"),
    ("19", "N(S-) D", "parent:root.parent1", "user1", "root.parent1", "root.parent1.user1", "root.parent1.user1"),
    ("20", "N(S-) D", "parent:root.parent1", "user1", "default", "root.default", "root.default"),
    ("21", "S- N(D:root.parent)", "", "user1", "default", "refused", "root.parent.user1"),
    ("22", "S- N(D:root.parent)", "root.parent", "user1", "default", "refused", "no rule"),
    ("23", "S- N(D:root.parent-) D", "parent:root.parent", "user1", "default", "root.parent.user1",
     "root.parent.user1"),
    ("24", "U", "", "first.last", "default", "root.first.last | 2.7: root.first_dot_last", "root.first_dot_last"),
    ("25", "S- N(P)", "", "user1 user1.group", "default", "refused", "root.user1_dot_group.user1"),
    ("26", "P- D", "", "x -", "root.fake", "error in a rule", "exception: placement"),
    ("27", "S D", "", "user1", "A ", "root.A  | 2.8: bad node", "exception: placement"),
    ("28", "S- D", "", "user1", "A ", "root.default", "exception: placement"),
    ("29", "S U", "", "user1", ".A", "root..A | 2.7: bad request", "exception: placement"),
    ("30", "U", "", "user1", ".A", "root.user1 | 2.7: bad request", "root.user1"),
    ("31", "S U", "", "user1", "A.B", "root.A.B", "root.A.B"),
    ("32", "S U", "", "user1", "A..B", "root.A..B | 2.8: bad node", "fatal: InvalidQueueNameException"),
    ("33", "S U", "", "user1", "", "empty request | 3.1.1: exception: placement", "exception: placement"),
    ("34", "S U", "root.child1.g", "tintin", "root.child1", "no leaf", "no leaf"),
    ("35", "S U", "root.a", "bob", "a.x", "no leaf", "no leaf"),
    ("36a", FIVE_RULES, FIVE, "user1", "default", "root.user1", "root.user1"),
    ("36b", FIVE_RULES, FIVE, "user3", "default", "root.user3group", "root.user3group"),
    ("36c", FIVE_RULES, FIVE, "user4", "default", "root.user4subgroup1", "root.user4subgroup1"),
    ("36d", FIVE_RULES, FIVE, "user5", "default", "root.user5subgroup2", "root.user5subgroup2"),
    ("36e", FIVE_RULES, FIVE, "other", "default", "root.default", "root.default"),
    ("37a", "U- S D", "root.user1", "user1", "somequeue", "root.user1", "root.user1"),
    ("37b", "U- S D", "root.user1", "other", "somequeue", "root.somequeue", "root.somequeue"),
    ("39", "G D", "root.eng", "bob eng,ops", "default", "root.default", "root.default | 3.4: root.eng"),
    ("40", "U- D", "dynamic:root.ann", "ann", "default", "root.default", "root.default"),
    ("41", "N(P-) N(S) D", "dynamic:root.q", "ann", "q", "no leaf", "root.default"),
    ("42a", "U", "", "root", "default", "root.root", "no leaf"),
    ("42b", "U- D", "", "root", "default", "root.default", "no leaf"),
    ("43", "S D", "", "bob", "root", "root.root", "no leaf"),
    ("44", "U", "", "Fred", "root.fred", "root.Fred", "root.fred"),
    ("45", "D", "", "bob", "root.Default", "root.default", "root.Default"),
    ("46", "D:.bad", "", "bob", "default", "root..bad | 2.8: bad node", "root.default"),
    ("47", "U(P)", "", "ann", "default", "root.ann", "root.anngroup.ann"),
    ("48a", "N(U)", "", "ann", "default", "refused", "refused"),
    ("48b", "N(U) D", "", "ann", "default", "root.ann.ann", "refused"),
    ("49", "N(R) D", "", "ann", "default", "no rule", "refused"),
    ("50a", "N(D)", "", "ann", "default", "refused", "no rule | 3.4: root.default.ann"),
    ("50b", "N(D) R", "", "ann", "default", "no leaf", "refused"),
    ("51", "S- D-", "", "bob", "default", "fatal: IllegalStateException | 2.9: no rule left", "refused"),
]  # fmt: skip


def groups_of(user: str) -> tuple[str, list[str]]:
    name, _, groups = user.partition(" ")
    if groups == "-":
        return name, []
    return name, groups.split(",") if groups else [f"{name}group", f"{name}subgroup1", f"{name}subgroup2"]


def expected(text: str, version: str) -> str:
    """Returns the text, or what follows `| 3.4:` for that version and newer ones."""
    first, *later = text.split(" | ")
    for part in later:
        start, _, value = part.partition(": ")
        if since(version, start):
            first = value
    return first


for row in PLACED:
    number_, rules_, queues_, user_, queue_ = row[:5]
    name_, groups_ = groups_of(user_)
    dynamic_ = [queue.removeprefix("dynamic:") for queue in queues_.split() if queue.startswith("dynamic:")]
    static_ = " ".join(queue for queue in queues_.split() if not queue.startswith("dynamic:"))
    question(
        f"placed {number_}", mode="place", alloc=f"<allocations>{tree(static_)}{policy(rules_)}</allocations>",
        dynamic=dynamic_, submissions=[{"user": name_, "groups": groups_, "queue": queue_}],
    )  # fmt: skip


@pytest.mark.parametrize("row", PLACED, ids=[row[0] for row in PLACED])
def test_where_a_submission_lands(hadoop: str, row: tuple[str, ...]) -> None:
    want = expected(row[6] if since(hadoop, "3.3") else row[5], hadoop)
    assert outcome(answers(hadoop)[f"placed {row[0]}"]) == want


EMPTY_CREATE = question(
    "52", mode="place", submissions=[{"user": "ann"}],
    alloc="<allocations><queuePlacementPolicy><rule name='user' create=''/></queuePlacementPolicy></allocations>",
)  # fmt: skip


def test_52_an_empty_create(hadoop: str) -> None:
    assert outcome(answers(hadoop)[EMPTY_CREATE]) == ("root.ann" if since(hadoop, "3.3") else "refused")


DECLARED_ONLY = question(
    "undeclared queues are off", mode="place", alloc='<allocations><queue name="jerry"/></allocations>',
    site={"yarn.scheduler.fair.allow-undeclared-pools": "false"},
    submissions=[{"user": "someuser", "queue": "newqueue"}, {"user": "jerry"}],
)  # fmt: skip


def test_38_rules_without_a_policy_element(hadoop: str) -> None:
    answer = answers(hadoop)[DECLARED_ONLY]
    # Where there is no root.default (3.4) the last rule, which may create, makes it.
    assert [outcome(answer, index) for index in (0, 1)] == ["root.default", "root.jerry"]
    assert [rule["create"] for rule in answer["rules"]] == [False, False, True]
    assert [found["name"] for found in answer["submissions"][0].get("created", [])] == (
        ["root.default"] if since(hadoop, "3.4") else []
    )


GROUPS = question(
    "groups", mode="place", alloc=f"<allocations>{policy('P- G D')}</allocations>",
    site={"hadoop.user.group.static.mapping.overrides": "known="},
    submissions=[
        {"user": "failing", "groups": None}, {"user": "nobody", "groups": []}, {"user": "known"},
        {"user": "ann", "groups": ["a", "b"]}, {"user": "ann", "groups": []}, {"user": "ann", "groups": ["a", "b"]},
    ],
)  # fmt: skip
SECONDARY = question(
    "secondary groups", mode="place", alloc=f'<allocations><queue name="a"/>{policy("G D")}</allocations>',
    site={"hadoop.user.group.static.mapping.overrides": "known="},
    submissions=[
        {"user": "failing", "groups": None}, {"user": "nobody", "groups": []}, {"user": "known"},
        {"user": "ann", "groups": ["a", "b"]}, {"user": "bob", "groups": ["b", "a"]},
    ],
)  # fmt: skip


def test_users_without_groups(hadoop: str) -> None:
    stopped = "exception: placement" if since(hadoop, "3.3") else "error in a rule"
    found = [outcome(answers(hadoop)[GROUPS], index) for index in range(6)]
    empty = "fatal: IndexOutOfBoundsException" if not since(hadoop, "2.8") else stopped
    assert found == [stopped, stopped, empty, "root.default", stopped, "root.default"]


def test_secondary_groups_of_users_without_groups(hadoop: str) -> None:
    # "known" has an empty list by a setting, which is not an error; "nobody" has none from the mapping, which is one.
    stopped = "exception: placement" if since(hadoop, "3.3") else "error in a rule"
    found = [outcome(answers(hadoop)[SECONDARY], index) for index in range(5)]
    assert found == [stopped, stopped, "root.default", "root.a" if since(hadoop, "3.4") else "root.default", "root.a"]


MANY = [
    {"user": "ann", "queue": "a.b"}, {"user": "ann", "queue": "a"}, {"user": "bob", "queue": "a.b"},
    {"user": "bob", "queue": "c"}, {"user": "bob", "queue": "c.d"}, {"user": "bob", "queue": "x..y"},
    {"user": "bob", "queue": "x"},
]  # fmt: skip
ALONE = [question(f"alone {n}", mode="place", alloc="<allocations/>", submissions=[one]) for n, one in enumerate(MANY)]
TOGETHER = question("together", mode="place", alloc="<allocations/>", submissions=MANY)
CUMULATIVE = question("cumulative", mode="place", alloc="<allocations/>", submissions=MANY, stateful=True, queues=True)


def test_a_submission_leaves_nothing_to_the_next_unless_asked(hadoop: str) -> None:
    told = answers(hadoop)
    together = told[TOGETHER]["submissions"]
    for index, name in enumerate(ALONE):
        alone = told[name]["submissions"][0]
        assert {**alone, "message": ""} == {**together[index], "message": ""}
    assert [outcome(told[TOGETHER], index) for index in range(5)] == [
        "root.a.b", "root.a", "root.a.b", "root.c", "root.c.d",
    ]  # fmt: skip
    # root.a is a parent by then, and root.c a leaf.
    assert [outcome(told[CUMULATIVE], index) for index in range(5)] == [
        "root.a.b", "no leaf", "root.a.b", "root.c", "no leaf",
    ]  # fmt: skip
    names = {queue["name"] for queue in told[CUMULATIVE]["queues"]}
    assert {"root.a", "root.a.b", "root.c"} <= names
    assert "root.c.d" not in names


def acl(users: str, *, admin: str = " ") -> str:
    return f"<aclSubmitApps>{users}</aclSubmitApps><aclAdministerApps>{admin}</aclAdministerApps>"


ACL_FILE = f"""<allocations><queue name="root">{acl(" ", admin="root_admin ")}
<queue name="queue1">{acl("userallow ")}</queue>
<queue name="byadmin">{acl(" ", admin="test ")}</queue>
<queue name="ops" type="parent">{acl(" eng,ops")}</queue>
</queue>{policy("S R")}</allocations>"""
ACLS = question(
    "acls", mode="place", alloc=ACL_FILE,
    submissions=[
        {"user": "userallow", "queue": "queue1"}, {"user": "usernotallow", "queue": "queue1"},
        {"user": "test", "queue": "byadmin"}, {"user": "root_admin", "queue": "queue1"},
        {"user": "ann", "groups": ["x", "eng"], "queue": "ops.new"},
        {"user": "ann", "groups": ["x"], "queue": "ops.new"},
    ],
    acl=[
        {"user": "userallow", "queue": "root.queue1", "op": "submit"},
        {"user": "userallow", "queue": "root.queue1", "op": "administer"},
        {"user": "test", "queue": "root.byadmin", "op": "submit"},
        {"user": "test", "queue": "root.byadmin", "op": "administer"},
        {"user": "root_admin", "queue": "root.ops", "op": "administer"},
        {"user": "ann", "groups": ["eng"], "queue": "root.ops", "op": "submit"},
        {"user": "root_admin", "queue": "root.none", "op": "submit"},
    ],
)  # fmt: skip
ACLS_ON = question("acls with acl.enable", **{**QUESTIONS[ACLS], "site": {"yarn.acl.enable": "true"}})
ROOT_ADMIN_OPEN = question(
    "58", mode="place",
    alloc='<allocations><queue name="root"><aclSubmitApps>alice</aclSubmitApps><queue name="q"/></queue></allocations>',
    submissions=[{"user": "bob", "queue": "q"}],
)  # fmt: skip


def test_acls(hadoop: str) -> None:
    told = answers(hadoop)
    want = ["root.queue1", "acl", "root.byadmin", "root.queue1", "root.ops.new", "acl"]
    assert [outcome(told[ACLS], index) for index in range(6)] == want
    # One question asks the queue for one right: that the other right lets in, too, is the business of who asks.
    assert told[ACLS]["acl"] == [True, False, False, True, True, True, False]
    if since(hadoop, "3.3"):  # there it is the ResourceManager that refuses, before the scheduler
        want = [text.replace("acl", "exception: acl") for text in want]
    assert [outcome(told[ACLS_ON], index) for index in range(6)] == want
    assert outcome(told[ROOT_ADMIN_OPEN]) == "root.q"


AM_SIZES = question(
    "am sizes", mode="place", cluster=mb(16384, 16),
    alloc="""<allocations><queue name="limited"><maxContainerAllocation>1024 mb,1 vcores</maxContainerAllocation>
    </queue><queue name="zero"><maxResources>0 mb,2 vcores</maxResources></queue>
    <queue name="cap" type="parent"><maxContainerAllocation>1024 mb,1 vcores</maxContainerAllocation>
    <queue name="known"/></queue></allocations>""",
    submissions=[
        {"user": "u", "queue": "limited", "am": mb(1025)}, {"user": "u", "queue": "root.limited", "am": mb(1025)},
        {"user": "u", "queue": "cap.known", "am": mb(1025)}, {"user": "u", "queue": "cap.new", "am": mb(1025)},
        {"user": "u", "queue": "zero", "am": mb(1024)}, {"user": "u", "queue": "free", "am": mb(8193)},
    ],
)  # fmt: skip


def test_59_60_size_of_the_am(hadoop: str) -> None:
    only(hadoop, since="3.2")
    found = [outcome(answers(hadoop)[AM_SIZES], index) for index in range(6)]
    # A queue that is still to be made has no limit of its own, whatever its parent says.
    assert found == [*["exception: am_size"] * 3, "root.cap.new", "zero", "exception: am_size"]


BROKEN = "<allocations><queue name='a'>"
RELOADS = question(
    "reloads", mode="place", alloc=f'<allocations><queue name="a"/>{policy("U")}</allocations>',
    reload=[BROKEN, f"<allocations><queueMaxAppsDefault>x</queueMaxAppsDefault>{policy('D:root.a')}</allocations>"],
    submissions=[{"user": "ann"}],
)  # fmt: skip


def test_a_reload_that_fails_after_the_rules(hadoop: str) -> None:
    answer = answers(hadoop)[RELOADS]
    assert [reload["loaded"] for reload in answer["reloads"]] == [False, False]
    # From 3.3 on the new rules are in force all the same.
    assert outcome(answer) == ("root.a" if since(hadoop, "3.3") else "root.ann")


# --- the file and the shares -----------------------------------------------------------------------------------------

BIG = 2**31 - 1
G = 10**9
# TestComputeFairShares: total, [(weight, min, max)], shares; and whether it needs sums of 64 bits.
SEARCHES: dict[str, tuple[int, list[tuple[float, int, int]], list[int], bool]] = {
    "equal": (40, [(1, 0, BIG)] * 4, [10, 10, 10, 10], False),
    "low max": (40, [(1, 0, 100), (1, 0, 50), (1, 0, 11), (1, 0, 3)], [13, 13, 11, 3], False),
    "min": (40, [(1, 20, BIG), (1, 18, BIG), (1, 0, BIG), (1, 2, BIG)], [20, 18, 0, 2], False),
    "weighted": (45, [(2, 0, BIG), (1, 0, BIG), (1, 0, BIG), (0.5, 0, BIG)], [20, 10, 10, 5], False),
    "weighted max": (45, [(2, 0, 10), (1, 0, 11), (1, 0, 30), (0.5, 0, 20)], [10, 11, 16, 8], False),
    "weighted min": (45, [(2, 20, BIG), (1, 0, BIG), (1, 5, BIG), (0.5, 15, BIG)], [20, 5, 5, 15], False),
    "large": (16 * G, [(1, 0, 4 * G)] * 4, [4 * G] * 4, True),
    "large minimums": (16 * G, [(1, BIG, BIG), (1, 4 * G, 4 * G)], [BIG, 4 * G], True),
    "large max": (2 * G, [(1, 0, G), (1, 0, BIG)], [G, G], True),
    "large fixed": (1000, [(0, G, G), (0, BIG - 1, BIG), (1, 0, G)], [G, BIG - 1, 0], True),
}
for name_, (total_, items_, *_) in SEARCHES.items():
    question(f"search {name_}", mode="compute", total=total_, items=[[*item, True] for item in items_], timeout_ms=1000)


def wide_sums(version: str) -> bool:
    """Returns whether this release adds shares in 64 bits (line L of our notes)."""
    return since(version, "3.2.1") or (3, 1, 2) <= number(version) < (3, 2) or (2, 10) <= number(version) < (3, 0)


@pytest.mark.parametrize("name", SEARCHES)
def test_share_search_of_hadoops_own_test(hadoop: str, name: str) -> None:
    _, _, shares, wide = SEARCHES[name]
    if wide and not wide_sums(hadoop):
        pytest.skip("needs sums of 64 bits")
    assert answers(hadoop)[f"search {name}"]["instant"] == shares


def fair(answer: Answer, *names: str, share: str = "fair", type_: str = "memory-mb") -> list[int]:
    found = {queue["name"]: queue for queue in answer["queues"]}
    return [found[f"root.{name}"][share][type_] for name in names]


def weighted(*queues: tuple[str, float, str]) -> str:
    return "".join(
        f'<queue name="{name}"><weight>{weight}</weight>{more}</queue>' for name, weight, more in queues
    )  # fmt: skip


def shares(name: str, queues: str, cluster: dict[str, int], active: list[str], **more: Any) -> str:
    names = [f"root.{queue}" for queue in active]
    alloc = f"<allocations>{queues}</allocations>"
    return question(name, mode="shares", alloc=alloc, cluster=cluster, active=names, **more)


def most(memory: int, vcores: int) -> str:
    return f"<maxResources>{memory} mb,{vcores} vcores</maxResources>"


def least(memory: int) -> str:
    return f"<minResources>{memory} mb,0 vcores</minResources>"


DEFAULT = '<queue name="default"/>'
TREES = {
    "simple": (
        shares("simple", DEFAULT + '<queue name="queue1"/><queue name="queue2"/>', mb(10240, 10),
               ["default", "queue1", "queue2"]), {"default": 3414, "queue1": 3414, "queue2": 3414}),
    "hierarchical": (
        shares("hierarchical", DEFAULT + '<queue name="p"><queue name="queue2"/><queue name="queue3"/></queue>',
               mb(240, 240), ["default", "p.queue2", "p.queue3"]), {"default": 120, "p.queue2": 60, "p.queue3": 60}),
    "high max": (
        shares("high max", weighted(("a", 0.25, most(1073741824, 8)), ("b", 0.75, most(1073741824, 8))), mb(8192, 8),
               ["a", "b"]), {"a": 2048, "b": 6144}),
    "low max": (
        shares("low max", weighted(("a", 0.75, most(1024, 1)), ("b", 0.25, most(3072, 3))), mb(8192, 8), ["a", "b"]),
        {"a": 1024, "b": 3072}),
    "zero weight": (
        shares("zero weight", weighted(("a", 0, ""), ("b", 0, "")), mb(8192, 8), ["a", "b"]), {"a": 0, "b": 0}),
    "zero weight and min": (
        shares("zero weight and min", weighted(("a", 0, least(1)), ("b", 0, least(1))), mb(8192, 8), ["a", "b"]),
        {"a": 1, "b": 1}),
    "weight and min": (
        shares("weight and min", weighted(("a", 0.5, least(1024)), ("b", 0.5, least(1024))), mb(8192, 8), ["a", "b"]),
        {"a": 4096, "b": 4096}),
    "min": (
        shares("min", weighted(("a", 1, least(1024)), ("b", 1, least(2048))), mb(3072, 3), ["a", "b"]),
        {"a": 1024, "b": 2048}),
    "queues of users": (
        shares("queues of users", f'{DEFAULT}<queue name="p" type="parent">{least(1024)}</queue>', mb(16384, 16),
               ["default", "p.user1", "p.user2"], dynamic=["root.p.user1", "root.p.user2"]),
        {"p.user1": 4096, "p.user2": 4096}),
    "nobody active": (
        shares("nobody active", "<queue name='p'><weight>8</weight><queue name='a1'/><queue name='a2'/></queue>",
               mb(16384, 16), []), {"p": 0, "p.a1": 0, "p.a2": 0}),
    "two parents": (
        shares("two parents", f"""{DEFAULT}<queue name='a'><weight>8</weight><queue name='a1'/><queue name='a2'/>
               <queue name='a3'/><queue name='a4'/></queue><queue name='b'><queue name='b1'/><queue name='b2'/>
               </queue>""",
               mb(16384, 16), ["default", "a.a1", "a.a2", "b.b1"]),
        {"a.a1": 6554, "a.a2": 6554, "b.b1": 1638, "default": 1638, "a.a3": 0}),
}  # fmt: skip


@pytest.mark.parametrize("name", TREES)
def test_fair_shares_of_hadoops_own_tests(hadoop: str, name: str) -> None:
    asked, want = TREES[name]
    assert dict(zip(want, fair(answers(hadoop)[asked], *want), strict=True)) == want


DRF = "<queue name='root'><schedulingPolicy>drf</schedulingPolicy>%s</queue>"
AM_LIMITS = {
    name: question(
        f"am limit {name}", mode="shares", cluster=mb(20480, 20), active=["root.q"],
        alloc="<allocations>" + DRF % (
            f"<queue name='q'><schedulingPolicy>drf</schedulingPolicy><maxAMShare>.5</maxAMShare>{more}</queue>"
        ) + "</allocations>",
    )
    for name, more in {"w0 max": f"<weight>0</weight>{most(4096, 4)}", "w1": ""}.items()
}  # fmt: skip


def test_am_limit_of_hadoops_own_test(hadoop: str) -> None:
    only(hadoop, since="2.9")
    limits = {name: fair(answers(hadoop)[asked], "q", share="am_limit") for name, asked in AM_LIMITS.items()}
    assert limits == {"w0 max": [2048], "w1": [10240]}


DOUBTS: dict[str, dict[str, Any]] = {
    "memory only": {
        "mode": "load", "cluster": mb(8192, 8),
        "alloc": "<allocations><queue name='a'><maxResources>memory-mb=4096</maxResources></queue></allocations>",
    },
    "fifo root": {
        "mode": "load",
        "alloc": """<allocations><queue name='root'><schedulingPolicy>fifo</schedulingPolicy><queue name='a'/>
                 </queue></allocations>""",
    },
    "nothing": {"mode": "load", "alloc": "<allocations/>"},
    "NaN": {"mode": "compute", "total": 10000, "items": [["NaN", 0, 100000, True], [1, 0, 100000, True]]},
    "NaN and too little": {
        "mode": "compute", "total": 10000, "timeout_ms": 400,
        "items": [["NaN", 0, 100000, True], [1, 0, 100, True]],
    },
}  # fmt: skip
for name_, parts_ in DOUBTS.items():
    question(name_, **parts_)


def test_memory_alone_in_max_resources(hadoop: str) -> None:
    only(hadoop, since="3.2")
    queue = next(queue for queue in answers(hadoop)["memory only"]["queues"] if queue["name"] == "root.a")
    assert queue["max_configured"] == mb(4096, -1)
    assert queue["max"] == mb(4096, 0)


def test_fifo_at_root(hadoop: str) -> None:
    only(hadoop, since="2.9")
    queues = {queue["name"]: queue["policy"] for queue in answers(hadoop)["fifo root"]["queues"]}
    if since(hadoop, "3.4"):
        assert queues == {"root": "FIFO"}
    else:
        assert queues == {"root": "fair", "root.default": "fair", "root.a": "fair"}


def test_root_default_without_a_word_in_the_file(hadoop: str) -> None:
    names = [queue["name"] for queue in answers(hadoop)["nothing"]["queues"]]
    assert names == (["root"] if since(hadoop, "3.4") else ["root", "root.default"])


def test_nan_as_a_weight(hadoop: str) -> None:
    told = answers(hadoop)
    assert told["NaN"]["instant"] == [0, 10000]
    if wide_sums(hadoop):
        assert told["NaN and too little"]["hang"]


# --- run -------------------------------------------------------------------------------------------------------------

UPDATE = {"event": "update"}
BEAT: dict[str, Any] = {"event": "heartbeat", "node": "h1"}
SHOW = {"event": "show", "show": True}
PREEMPT = {"event": "preempt"}


def node(memory: int, vcores: int, name: str = "h1", **more: Any) -> dict[str, Any]:
    return {"event": "add_node", "node": name, "size": mb(memory, vcores), **more}


def app(identity: int, queue: str, **more: Any) -> dict[str, Any]:
    return {"event": "app", "app": identity, "queue": queue, **more}


def asks(identity: int, size: dict[str, int], count: int = 1, priority: int = 1, **more: Any) -> dict[str, Any]:
    ask_ = {"size": size, "count": count, "priority": priority}
    return {"event": "allocate", "app": identity, "asks": [ask_], **more}


def beat(running: list[list[int]] | None = None, completed: list[list[int]] | None = None) -> dict[str, Any]:
    return {**BEAT, "running": running or [], "completed": completed or []}


def run(name: str, events: list[dict[str, Any]], alloc: str = "<allocations/>", **more: Any) -> str:
    return question(name, mode="run", alloc=alloc, events=events, clock=0, **more)


def decisions(answer: Answer) -> list[list[str]]:
    """Returns for each event the decisions in short: `allocate 1.2`, `finish 1.2 -102`."""
    return [[short(decision) for decision in event.get("decisions", ())] for event in answer["events"]]


def short(decision: Answer) -> str:
    name = ".".join(map(str, decision["container"])) if "container" in decision else str(decision["app"])
    reserved = " reserved" if decision.get("reserved") else ""
    return f"{decision['do']} {name}{reserved}" + (f" {decision['exit']}" if "exit" in decision else "")


def flat(answer: Answer) -> list[str]:
    return [decision for event in decisions(answer) for decision in event]


def at(answer: Answer, index: int) -> Answer:
    found: Answer = answer["events"][index]
    return found


FIRST = run("first containers", [
    node(8192, 8), UPDATE, app(1, "a", am=mb(1024)), BEAT, UPDATE, SHOW, BEAT, asks(1, mb(1024), 10, 20), BEAT, UPDATE,
    *[BEAT] * 8, {"event": "allocate", "app": 1}, SHOW,
])  # fmt: skip


def test_an_app_is_seen_at_the_update_after_its_ask(hadoop: str) -> None:
    answer = answers(hadoop)[FIRST]
    told = decisions(answer)
    assert told[3] == []  # no update since the app came
    assert told[6] == ["allocate 1.1"]
    assert at(answer, 5)["queues"]["root.a"]["fair"]["memory-mb"] == 8192
    tasks = [f"allocate 1.{n}" for n in range(2, 9)]
    if since(hadoop, "2.9"):
        assert at(answer, 5)["queues"]["root.a"]["am_limit"] == mb(4096, 4)
        assert told[8] == []  # demand of the last update is used up
        assert told[10:18] == [[task] for task in tasks] + [[]]  # the last does not fit, and is too small to reserve
    else:
        assert told[8] == ["allocate 1.2"]
    assert at(answer, 18)["given"] == [[1, n] for n in range(2, 9)]
    assert at(answer, 19)["nodes"]["h1"]["free"] == mb(0, 0)


FOUR_AMS = run("four AMs", [
    node(16384, 8), *[app(n, "a", am=mb(1024, 2), user=f"u{n}") for n in (1, 2, 3, 4)], UPDATE, *[BEAT] * 4, SHOW,
])  # fmt: skip


def test_vcores_free_in_the_cluster_limit_ams(hadoop: str) -> None:
    answer = answers(hadoop)[FOUR_AMS]
    if since(hadoop, "2.9"):
        assert flat(answer) == ["allocate 1.1"]
    else:
        assert flat(answer) == [f"allocate {n}.1" for n in (1, 2, 3, 4)]
        one = mb(1024, 1) if since(hadoop, "2.7") else mb(1024, 2)  # 2.7, 2.8: an AM gets the smallest number of vcores
        assert at(answer, 6)["decisions"][0]["size"] == one


RESERVES = run("reservation", [
    node(8192, 8), app(1, "a"), asks(1, mb(6144)), UPDATE, BEAT, {"event": "allocate", "app": 1},
    app(2, "b", at=10), asks(2, mb(4096)), app(3, "b", at=20), asks(3, mb(1024)), UPDATE, BEAT,
    beat(running=[[1, 1]]), SHOW, beat(completed=[[1, 1]]), BEAT,
])  # fmt: skip


def test_reservation(hadoop: str) -> None:
    answer = answers(hadoop)[RESERVES]
    told = decisions(answer)
    assert told[4] == ["allocate 1.1"]
    assert told[11:13] == [["reserve 2.1"], []]  # app 3 gets nothing although 2048 MB are free
    assert at(answer, 13)["nodes"]["h1"]["reserved"] == [2, 1]
    assert told[14] == ["finish 1.1 0", "allocate 2.1 reserved"]  # and nothing else in this heartbeat
    assert told[15] == ["allocate 3.1"]


MULTIPLE = run(
    "assign multiple", [node(16384, 8), app(1, "a"), asks(1, mb(1024), 20), UPDATE, BEAT],
    site={"yarn.scheduler.fair.assignmultiple": "true"},
)  # fmt: skip


def test_half_of_a_node_and_one_more(hadoop: str) -> None:
    only(hadoop, since="2.8")
    assert decisions(answers(hadoop)[MULTIPLE])[4] == [f"allocate 1.{n}" for n in range(1, 6)]


WAITING = run(
    "waiting apps",
    [
        node(8192, 8), *[app(n, "a", am=mb(1024), at=n) for n in (1, 2, 3)], UPDATE, SHOW, BEAT, BEAT,
        {"event": "remove_app", "app": 1}, UPDATE, BEAT, SHOW, app(4, "a.b"),
    ],
    "<allocations><queue name='a'><maxRunningApps>1</maxRunningApps></queue></allocations>",
)  # fmt: skip


def test_waiting_apps(hadoop: str) -> None:
    answer = answers(hadoop)[WAITING]
    told = decisions(answer)
    assert [at(answer, n)["runnable"] for n in (1, 2, 3)] == [True, False, False]
    queue = at(answer, 5)["queues"]["root.a"]
    assert (queue["runnable"], queue["waiting"], queue["demand"]["memory-mb"]) == (1, 2, 3072)
    assert told[6:9] == [["allocate 1.1"], [], ["finish 1.1 -100", "runnable 2"]]
    assert told[10] == ["allocate 2.1"]
    assert at(answer, 12)["outcome"] == "rejected"


KILLS = run("ends", [
    node(4096, 4), node(4096, 4, "h2", rack="/r2"), app(1, "a"),
    {"event": "allocate", "app": 1, "asks": [{"size": mb(1024), "count": 3}], "blacklist_add": ["h2"]},
    UPDATE, BEAT, {**BEAT, "node": "h2"}, BEAT, {"event": "allocate", "app": 1, "blacklist_remove": ["h2"]},
    {**BEAT, "node": "h2"}, {"event": "allocate", "app": 1, "release": [1]}, beat(running=[[1, 2]]), SHOW,
    {"event": "remove_node", "node": "h2"}, {"event": "remove_app", "app": 1, "state": "KILLED"}, SHOW,
    {"event": "resize_node", "node": "h1", "size": mb(1024, 1)}, SHOW, beat(completed=[[1, 2]]), SHOW,
])  # fmt: skip


def test_blacklist_release_and_ends(hadoop: str) -> None:
    answer = answers(hadoop)[KILLS]
    told = decisions(answer)
    assert told[5:10] == [["allocate 1.1"], [], ["allocate 1.2"], [], ["allocate 1.3"]]
    assert told[10] == ["finish 1.1 -100"]  # released by the AM
    assert at(answer, 12)["queues"]["root.a"]["used"]["memory-mb"] == 1024 + 1024
    assert told[13] == ["finish 1.3 -100"]  # with its node
    assert told[14] == ["finish 1.2 -100"]
    # Usage falls at once; the node of a launched container is free when it says so (2.8+).
    assert at(answer, 15)["queues"]["root.a"]["used"]["memory-mb"] == 0
    assert at(answer, 17)["nodes"]["h1"]["free"]["memory-mb"] == (0 if since(hadoop, "2.8") else 1024)
    assert at(answer, 19)["nodes"]["h1"]["free"]["memory-mb"] == 1024


# A queue that has its min share (m: 2 of 2 containers) before one that has none and nothing (n).
DRF_ORDER = run(
    "order under drf",
    [
        node(16384, 16), app(1, "m"), asks(1, mb(1024), 6), UPDATE, BEAT, BEAT, BEAT, app(2, "n"), asks(2, mb(1024)),
        UPDATE, BEAT, BEAT,
    ],
    "<allocations>" + DRF % """<queue name='m'><minResources>2048 mb,2 vcores</minResources></queue><queue name='n'/>
    <queue name='default'/>""" + "</allocations>",
)  # fmt: skip


def test_drf_comparison_with_min_shares(hadoop: str) -> None:
    told = decisions(answers(hadoop)[DRF_ORDER])[10:]
    # YARN-11482: m was taken for needy because n uses less than the min share of m.
    wrong = since(hadoop, "3.0") and not since(hadoop, "3.3.6")
    assert told == ([["allocate 1.4"], ["allocate 1.5"]] if wrong else [["allocate 2.1"], ["allocate 1.4"]])


PREEMPTION = run(
    "victims",
    [
        node(14336, 14, port=8041), app(1, "a", am=mb(1024)), UPDATE, BEAT, asks(1, mb(1024), 13), UPDATE, *[BEAT] * 13,
        {"event": "allocate", "app": 1}, beat(running=[[1, n] for n in range(1, 15)]),
        app(2, "b", at=100_000), asks(2, mb(1024), 10), UPDATE, PREEMPT,
        {"event": "update", "at": 109_999}, PREEMPT, {"event": "update", "at": 110_000}, PREEMPT,
        {"event": "update", "at": 115_001}, PREEMPT, {"event": "allocate", "app": 1},
        {"event": "update", "at": 124_999}, PREEMPT, {"event": "update", "at": 135_002}, PREEMPT, SHOW, BEAT,
        beat(completed=[[1, 14], [1, 5]]),
    ],
    """<allocations><defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout>
    <defaultFairSharePreemptionThreshold>1.0</defaultFairSharePreemptionThreshold><queue name='a'/><queue name='b'/>
    </allocations>""",
    site={"yarn.scheduler.fair.preemption": "true"}, cluster_timestamp=1_700_000_000_000,
)  # fmt: skip


def test_victims_of_preemption(hadoop: str) -> None:
    answer = answers(hadoop)[PREEMPTION]
    told = decisions(answer)
    marks = {index: event for index, event in enumerate(told) if any("mark" in decision for decision in event)}
    if not since(hadoop, "2.9"):
        # One amount for the queue, taken from the app last in order, newest first. Strictly later than the timeout.
        assert marks[30] == [f"mark 1.{n}" for n in range(14, 7, -1)]
        return
    victims = (14, 5, 4, 3, 2, 13, 12)  # backwards through a HashMap of container ids; the AM would be the last
    assert marks == {28: [f"mark 1.{n}" for n in victims]}
    assert {(decision["for"], decision["due"]) for decision in at(answer, 28)["decisions"]} == {(2, 125_000)}
    assert at(answer, 31)["to_be_preempted"] == [[1, n] for n in sorted(victims)]
    assert told[32] == []
    assert told[34] == [f"finish 1.{n} -102" for n in victims]
    show = at(answer, 36)
    assert show["queues"]["root.a"]["used"]["memory-mb"] == 7 * 1024
    assert show["nodes"]["h1"]["free"]["memory-mb"] == 0  # until the node says that they are gone
    assert told[37] == []
    assert told[38] == ["allocate 2.1", "allocate 2.2"]  # both at once, though assignmultiple is off


AGAIN = question("victims again", **QUESTIONS[PREEMPTION])
STARVING = """<allocations><defaultFairSharePreemptionTimeout>10</defaultFairSharePreemptionTimeout>
<defaultFairSharePreemptionThreshold>1.0</defaultFairSharePreemptionThreshold><queue name='hog'/></allocations>"""


def full(containers: int) -> list[dict[str, Any]]:
    """Returns the events after which app 1 in root.hog holds a whole node, 1024 MB a container."""
    return [
        node(1024 * containers, containers), app(1, "hog"), asks(1, mb(1024), containers), UPDATE, *[BEAT] * containers,
        {"event": "allocate", "app": 1}, beat(running=[[1, n] for n in range(1, containers + 1)]),
    ]  # fmt: skip


FIVE_STARVE = run(
    "five starve alike",
    [
        *full(20),
        *[event for n in range(2, 7) for event in (app(n, f"q{n}", at=100_000), asks(n, mb(1024)))],
        UPDATE, PREEMPT, {"event": "update", "at": 111_000}, PREEMPT,
    ],
    STARVING, site={"yarn.scheduler.fair.preemption": "true"},
)  # fmt: skip
OWN_QUEUE = run(
    "two apps of one queue",
    [
        *full(8), app(2, "hog", at=100_000), asks(2, mb(1024), 8), UPDATE, PREEMPT, {"event": "update", "at": 115_000},
        PREEMPT, {"event": "update", "at": 121_000}, PREEMPT,
    ],
    STARVING, site={"yarn.scheduler.fair.preemption": "true"},
)  # fmt: skip


def marks_for(answer: Answer) -> list[int | None]:
    found = [decision for event in answer["events"] for decision in event.get("decisions", ())]
    return [decision.get("for") for decision in found if decision["do"] == "mark"]


def test_the_same_answer_twice(hadoop: str) -> None:
    told = answers(hadoop)
    assert {**told[AGAIN], "id": ""} == {**told[PREEMPTION], "id": ""}


def test_order_among_apps_that_starve_alike(hadoop: str) -> None:
    # A heap that puts the later of two equals above. Up to 2.8 no app is known for which a container is marked.
    want = [6, 4, 2, 3, 5] if since(hadoop, "2.9") else [None] * 5
    assert marks_for(answers(hadoop)[FIVE_STARVE]) == want


def test_apps_of_one_queue_preempt_each_other(hadoop: str) -> None:
    want = [2, 2, 2, 2] if since(hadoop, "2.9") else []
    assert marks_for(answers(hadoop)[OWN_QUEUE]) == want


THREE = weighted(("default", 1, ""), ("child1", 1, ""), ("child2", 1, ""))
STEADY = run("steady shares", [
    SHOW, node(6144, 6), SHOW,
    {"event": "reload", "alloc": "<allocations>" + DRF % (
        weighted(("default", 1, ""), ("child1", 1, ""), ("child2", 2, ""), ("child3", 2, ""))) + "</allocations>"},
    SHOW, {"event": "reload", "alloc": BROKEN}, SHOW, {"event": "remove_node", "node": "h1"}, SHOW,
], f"<allocations>{DRF % THREE}</allocations>")  # fmt: skip


def test_steady_shares_and_reloads_of_hadoops_own_test(hadoop: str) -> None:
    answer = answers(hadoop)[STEADY]

    def steady(index: int, *names: str) -> list[int]:
        return [at(answer, index)["queues"][f"root.{name}"]["steady"]["memory-mb"] for name in names]

    assert steady(0, "child1", "child2") == [0, 0]
    assert steady(2, "default", "child1", "child2") == [2048, 2048, 2048]
    assert steady(4, "child1", "child2", "child3") == [1024, 2048, 2048]
    assert at(answer, 5)["error"]["root_class"] == "org.xml.sax.SAXParseException"
    assert at(answer, 6)["queues"] == at(answer, 4)["queues"]
    assert steady(8, "child1", "child2", "child3") == [0, 0, 0]


RUNTIME = run(
    "queue made at run time", [node(6144, 6), SHOW, app(1, "user1"), SHOW], f"<allocations>{DEFAULT}</allocations>"
)


def test_steady_share_after_a_queue_was_made(hadoop: str) -> None:
    answer = answers(hadoop)[RUNTIME]
    assert at(answer, 1)["queues"]["root.default"]["steady"]["memory-mb"] == 6144
    assert [at(answer, 3)["queues"][f"root.{q}"]["steady"]["memory-mb"] for q in ("default", "user1")] == [3072, 3072]


AM_SHARE = run(
    "share of AMs", [
        node(20480, 20), app(9, "default"), *[app(n, "queue1", am=mb(1024), at=n) for n in (1, 2, 3)], UPDATE,
        *[beat()] * 4, SHOW,
    ],
    f"<allocations>{DEFAULT}<queue name='queue1'><maxAMShare>0.2</maxAMShare></queue></allocations>",
)  # fmt: skip
AM_LEFT = run(
    "limit of AMs while one runs", [node(20480, 20), app(1, "q", am=mb(1024)), UPDATE, BEAT, UPDATE, SHOW],
    "<allocations>" + DRF % """<queue name='q'><schedulingPolicy>drf</schedulingPolicy><weight>0</weight>
    <maxAMShare>.5</maxAMShare></queue>""" + "</allocations>",
)  # fmt: skip


def test_max_am_share_of_hadoops_own_test(hadoop: str) -> None:
    answer = answers(hadoop)[AM_SHARE]
    assert at(answer, -1)["queues"]["root.queue1"]["fair"]["memory-mb"] == 10240
    assert flat(answer) == ["allocate 1.1", "allocate 2.1"]
    if since(hadoop, "2.9"):
        assert at(answers(hadoop)[AM_LEFT], -1)["queues"]["root.q"]["am_limit"] == mb(9728, 10)


CHILD_MAX = run(
    "max of ad hoc children", [
        node(16384, 16), app(1, "a.x"), asks(1, mb(1024), 5), UPDATE, *[BEAT] * 4,
        {"event": "reload", "alloc": """<allocations><queue name='a' type='parent'>
         <maxChildResources>3072 mb,3 vcores</maxChildResources></queue></allocations>"""}, UPDATE, BEAT, BEAT,
    ],
    """<allocations><queue name='a' type='parent'><maxChildResources>2048 mb,2 vcores</maxChildResources></queue>
    </allocations>""",
)  # fmt: skip


def test_max_of_children_of_hadoops_own_test(hadoop: str) -> None:
    only(hadoop, since="2.9")
    assert decisions(answers(hadoop)[CHILD_MAX])[4:] == [
        ["allocate 1.1"], ["allocate 1.2"], [], [], [], [], ["allocate 1.3"], [],
    ]  # fmt: skip
