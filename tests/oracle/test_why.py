"""The verdict of `fairsim why` against a real scheduler: small random clusters, one application more.

A case is a file, nodes, and applications that come one after the other and take what they get; then comes the one asked
about. What Hadoop shows before it came is the state that fairsim is given; Hadoop says what became of it: refused, held
back by a running limit, its master started or not. ORACLE_VERSIONS names the versions, ORACLE_WHY_CASES how many cases.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from fairsim.model.resources import Amount
from fairsim.model.state import ACCEPTED, RUNNING, WAITING, AppUse, State
from fairsim.profiles import profile
from fairsim.why.parts import REFUSED, Answer
from tests.oracle.ask import Oracle
from tests.oracle.test_oracle import number, why_not
from tests.why_cases import answer, stops

pytestmark = pytest.mark.java

VERSIONS = os.environ.get("ORACLE_VERSIONS", "3.4.1").split()
CASES = int(os.environ.get("ORACLE_WHY_CASES", "80"))
SITE = {"yarn.scheduler.reservation-threshold.increment-multiple": "1000"}  # a reserved node is another question
_SIZE = "yarn.scheduler.{}-allocation-{}"
SIZES = [
    {_SIZE.format("minimum", "mb"): "700"},
    {_SIZE.format("minimum", "mb"): "512", _SIZE.format("increment", "mb"): "300"},
    {_SIZE.format("minimum", "vcores"): "2"},
    {_SIZE.format("increment", "vcores"): "2", _SIZE.format("maximum", "mb"): "4096"},
]
UPDATE = {"event": "update"}
ANYWHERE = "<queuePlacementPolicy><rule name='specified'/><rule name='default'/></queuePlacementPolicy>"
TARGET = 99


def mb(size: Amount) -> dict[str, int]:
    return {"memory-mb": size[0], "vcores": size[1]}


def amount(size: dict[str, int]) -> Amount:
    return size["memory-mb"], size["vcores"]


class Case:
    """One cluster with what runs on it; `events` lead to the moment at which the application asked about comes."""

    def __init__(self, inner: str, nodes: Sequence[Amount], queue: str, user: str = "u1", am: Amount = (1024, 1)):
        self.inner = inner + ANYWHERE
        self.nodes = nodes
        self.queue, self.user, self.am = queue, user, am
        self.site = dict(SITE)
        self.events: list[dict[str, Any]] = [
            {"event": "add_node", "node": f"n{place}", "size": mb(size)} for place, size in enumerate(nodes)
        ]
        # up to 2.8 the first submission after a start does not look at the largest node yet
        first = {"event": "app", "app": 90, "user": "u0", "am": mb((1024, 1))}
        self.events += [first, {"event": "remove_app", "app": 90}]
        self.apps: list[tuple[int, str, str]] = []  # place of its event, queue, user

    def add(self, queue: str, user: str, am: Amount, task: Amount = (1024, 1), tasks: int = 0) -> None:
        identity = len(self.apps) + 1
        self.apps.append((len(self.events), queue, user))
        came = {"event": "app", "app": identity, "user": user, "queue": queue, "am": mb(am), "at": identity}
        self.events.append(came)
        self.beat(2)
        for count in (tasks, 0) if tasks else ():
            ask = {"priority": 1, "size": mb(task), "count": count}
            self.events.append({"event": "allocate", "app": identity, "asks": [ask]})
            self.beat(3 if count else 0)

    def beat(self, rounds: int) -> None:
        self.events += self.beats(rounds)

    def beats(self, rounds: int) -> list[dict[str, Any]]:
        """Returns an update, and so many heartbeats of every node."""
        return [UPDATE, *[{"event": "heartbeat", "node": f"n{node}"} for node in range(len(self.nodes))] * rounds]

    def before(self) -> list[dict[str, Any]]:
        """Returns the events up to the moment that is the state."""
        return [*self.events, *self.beats(2)]

    def question(self) -> dict[str, Any]:
        last = {"event": "app", "app": TARGET, "user": self.user, "queue": self.queue, "am": mb(self.am), "at": 1000}
        events = [*self.before(), {"event": "show", "show": True}, last, *self.beats(len(self.apps) + 2)]
        events.append({"event": "show", "show": True})
        return {"mode": "run", "alloc": f"<allocations>{self.inner}</allocations>", "clock": 0, "events": events,
                "site": self.site}  # fmt: skip

    # -- what Hadoop said

    def told(self, found: dict[str, Any]) -> str:
        """Returns refused, limit (a running limit holds it back), runs or waits."""
        events = found["events"][len(self.before()) + 1 :]
        came = events[0]
        if came.get("outcome") != "accepted":
            return REFUSED
        if not came["runnable"]:
            return "limit"
        given = [one for event in events for one in event.get("decisions", ())]
        return "runs" if any(one["do"] == "allocate" and one["container"][0] == TARGET for one in given) else "waits"

    def state(self, found: dict[str, Any]) -> State:
        """Returns the state that Hadoop showed before the application came."""
        shown = found["events"][len(self.before())]
        masters: dict[int, Amount] = {}
        for event in found["events"][: len(self.before())]:
            for one in event.get("decisions", ()):
                if one["do"] == "allocate":
                    masters.setdefault(one["container"][0], amount(one["size"]))
        apps = []
        for identity, (place, _, user) in enumerate(self.apps, 1):
            one = shown["apps"].get(str(identity))
            if one is None:
                continue
            asked = amount(self.events[place]["am"])
            state = RUNNING if identity in masters else ACCEPTED if one["runnable"] else WAITING
            am = masters.get(identity, asked)
            apps.append(AppUse(f"app{identity:04}", one["queue"], user, state, amount(one["used"]), am, start=identity))
        free = tuple((name, amount(node["free"])) for name, node in shown["nodes"].items())
        return State(apps=tuple(apps), apps_known=True, free=free, sources=("hadoop",))

    def ours(self, found: dict[str, Any], hadoop: str) -> Answer:
        cluster = "+".join(f"1x{memory}m,{vcores}c" for memory, vcores in self.nodes)
        return answer(self.inner, cluster=cluster, queue=self.queue, user=self.user, am=self.am, site=self.site,
                      hadoop=hadoop, loaded=self.state(found))  # fmt: skip


def differs(case: Case, found: dict[str, Any], hadoop: str) -> str:
    """Returns how fairsim and Hadoop differ, empty if they do not."""
    if not found.get("events"):
        return f"no run: {found}"
    before = found["events"][len(case.before())]
    if any("reserved" in node for node in before["nodes"].values()):
        return ""  # up to 2.7 whatever does not fit reserves a node, and keeps it from others
    ours = case.ours(found, hadoop)
    share = next((one for one in ours.checks if one.name == "fair_share"), None)
    shown = found["events"][-1]["queues"].get(ours.queue)
    if case.told(found) in ("runs", "waits") and share is not None and share.numbers["share"] != shown["fair"]:
        if profile(hadoop).line != "L" and "<maxResources>" in case.inner:
            return ""  # sums of maxima overflow there, and what comes out hangs on the order of the last heartbeat
        return f"share: Hadoop {shown['fair']}, fairsim {share.numbers['share']}\n{case.question()}"
    given = [one["size"] for event in found["events"][len(case.before()) :] for one in event.get("decisions", ())
             if one["do"] == "allocate" and one["container"][0] == TARGET]  # fmt: skip
    if given and amount(given[0]) != ours.ask:
        return f"size: Hadoop {given[0]}, fairsim {ours.ask}\n{case.question()}"
    deciding = ours.checks[ours.first].name if ours.first is not None else ""
    mine = "limit" if deciding in ("user_limit", "queue_limit") else ours.verdict
    theirs = case.told(found)
    return "" if mine == theirs else f"Hadoop: {theirs}, fairsim: {stops(ours)} ({ours.reason})\n{case.question()}"


# --- cases made by hand -----------------------------------------------------------------------------------------------


def by_hand() -> dict[str, tuple[Case, str, str]]:
    """Returns cases by name, with what they end in 2.8, and from 2.9 on."""
    found: dict[str, tuple[Case, str, str]] = {}
    big = [(16384, 16)]
    found["room"] = Case("<queue name='a'/>", big, "a"), "runs", "runs"
    case = Case("<userMaxAppsDefault>2</userMaxAppsDefault><queue name='a'/>", big, "a")
    case.add("a", "u1", (1024, 1))
    case.add("b", "u1", (1024, 1))
    found["user limit"] = case, "limit", "limit"
    pair = "<queue name='a'/><queue name='b'/></queue>"
    case = Case(f"<queue name='p'><maxRunningApps>1</maxRunningApps>{pair}", big, "p.a")
    case.add("p.b", "u2", (1024, 1))
    found["limit of a parent"] = case, "limit", "limit"
    case = Case("<queue name='a'/>", [(8192, 16)], "a", am=(2048, 1))
    case.add("a", "u2", (3072, 1))
    found["room for masters"] = case, "waits", "waits"
    case = Case("<queue name='a'/>", [(16384, 8)], "a", am=(1024, 2))
    case.add("a", "u2", (1024, 2))
    found["vcores free, below fair"] = case, "runs", "waits"
    spare = "<queue name='prod'/><queue name='spare'><weight>0</weight></queue>"
    found["weight 0"] = Case(spare, big, "spare"), "waits", "runs"
    drf = "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queue name='q'/>"
    found["one vcore"] = Case(drf, [(8192, 1)], "q"), "waits", "runs"
    case = Case(f"<queue name='p'><maxResources>4096 mb,4 vcores</maxResources>{pair}", big, "p.a")
    case.add("p.b", "u2", (1024, 1), (1024, 1), 3)
    found["maximum of a parent"] = case, "waits", "waits"
    case = Case("<queue name='a'/><queue name='b'/>", [(4096, 8), (4096, 8)], "b", am=(2048, 1))
    case.add("a", "u2", (1024, 1), (3072, 1), 2)
    found["no node has room"] = case, "waits", "waits"
    found["larger than every node"] = Case("<queue name='a'/>", [(4096, 8)], "a", am=(5120, 1)), REFUSED, REFUSED
    found["no node has both"] = (
        Case("<queue name='a'><maxAMShare>-1</maxAMShare></queue>", [(8192, 1), (1024, 4)], "a", am=(4096, 3)),
        "runs", "waits",
    )  # fmt: skip
    return found


@cache
def oracle_answers(version: str) -> list[dict[str, Any]]:
    """Returns the answers to all cases of one version, those by hand first: one JVM."""
    with Oracle(version) as oracle:
        return oracle.ask([case.question() for case in [*(one for one, _, _ in by_hand().values()), *drawn()]])


@pytest.fixture(params=VERSIONS)
def hadoop(request: pytest.FixtureRequest) -> str:
    version: str = request.param
    reason = why_not(version)
    if reason:
        pytest.skip(reason)
    return version


@pytest.mark.parametrize("name", list(by_hand()))
def test_cases_by_hand(hadoop: str, name: str) -> None:
    if number(hadoop) < (2, 8):
        pytest.skip("for Hadoop 2.8 and newer")
    case, old, new = by_hand()[name]
    found = oracle_answers(hadoop)[list(by_hand()).index(name)]
    assert case.told(found) == (new if number(hadoop) >= (2, 9) else old)
    assert differs(case, found, hadoop) == ""


# --- cases drawn ------------------------------------------------------------------------------------------------------


@cache
def drawn() -> list[Case]:
    return [draw(random.Random(seed)) for seed in range(CASES)]  # noqa: S311 - repeatable


def draw(chance: random.Random) -> Case:
    maybe = chance.random
    policy = chance.choice(["", "drf", "fair"])
    leaves: list[str] = []
    inner = f"<defaultQueueSchedulingPolicy>{policy}</defaultQueueSchedulingPolicy>" if policy else ""
    if maybe() < 0.3:
        inner += f"<queueMaxAMShareDefault>{chance.choice(['0.1', '0.3', '1.0', '-1.0'])}</queueMaxAMShareDefault>"
    if maybe() < 0.4:
        inner += f"<userMaxAppsDefault>{chance.randint(1, 4)}</userMaxAppsDefault>"
    if maybe() < 0.2:
        inner += f"<user name='u1'><maxRunningApps>{chance.randint(1, 4)}</maxRunningApps></user>"
    if maybe() < 0.2:
        inner += f"<queueMaxAppsDefault>{chance.randint(1, 5)}</queueMaxAppsDefault>"
    for name in "abc"[: chance.randint(1, 3)]:
        below = "xy"[: chance.choice([0, 0, 1, 2])]
        leaves += [f"{name}.{leaf}" for leaf in below] or [name]
        children = "".join(f"<queue name='{leaf}'>{settings(chance, leaf=True)}</queue>" for leaf in below)
        inner += f"<queue name='{name}'>{settings(chance, leaf=not below)}{children}</queue>"
    nodes = [(1024 * chance.randint(2, 12), chance.randint(1, 10)) for _ in range(chance.randint(1, 3))]
    size = (chance.choice([1024, 1024, 1500, 2048, 3072, 6000]), chance.choice([1, 1, 1, 2, 3]))
    wanted = chance.choice([*leaves, *leaves, *leaves, "new"])
    case = Case(inner, nodes, wanted, chance.choice(["u1", "u2"]), size)
    case.site |= chance.choice([{}, {}, {}, *SIZES])
    for _ in range(chance.randint(0, 6)):
        case.add(
            chance.choice([*leaves, "new"]), chance.choice(["u1", "u2", "u3"]),
            (chance.choice([1024, 1024, 2048]), chance.choice([1, 1, 2])),
            (chance.choice([1024, 2048]), chance.choice([1, 2])), chance.choice([0, 1, 4, 9]),
        )  # fmt: skip
    return case


def settings(chance: random.Random, *, leaf: bool) -> str:
    maybe = chance.random
    found = ""
    if maybe() < 0.4:
        found += f"<weight>{chance.choice(['0.5', '2', '3', '0'])}</weight>"
    if maybe() < 0.25:
        found += f"<maxRunningApps>{chance.randint(0, 3)}</maxRunningApps>"
    if maybe() < 0.3:
        limit = f"{1024 * chance.randint(0, 12)} mb,{chance.randint(0, 9)} vcores"
        found += f"<maxResources>{limit}</maxResources>"
    if maybe() < 0.2:
        found += f"<minResources>{1024 * chance.randint(0, 4)} mb,{chance.randint(0, 3)} vcores</minResources>"
    if leaf and maybe() < 0.3:
        found += f"<maxAMShare>{chance.choice(['0.1', '0.2', '0.8', '1.0', '-1.0'])}</maxAMShare>"
    if leaf and maybe() < 0.15:
        found += "<schedulingPolicy>fifo</schedulingPolicy>"
    if maybe() < 0.1:
        limit = f"{1024 * chance.randint(1, 4)} mb,{chance.randint(1, 3)} vcores"
        found += f"<maxContainerAllocation>{limit}</maxContainerAllocation>"
    return found


def test_cases_drawn(hadoop: str) -> None:
    found = oracle_answers(hadoop)[len(by_hand()) :]
    wrong = [f"case {place}: {text}" for place, (case, one) in enumerate(zip(drawn(), found, strict=True))
             if (text := differs(case, one, hadoop))]  # fmt: skip
    assert wrong == []
    ends = {case.told(one) for case, one in zip(drawn(), found, strict=True)}
    assert ends == {"runs", "waits", "limit", REFUSED}  # every verdict was asked for
