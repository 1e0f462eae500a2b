"""What runs on a cluster, read from our own YAML and from JSON of the ResourceManager in its old and new shapes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairsim.config.state import read_state
from fairsim.config.state_rm import cluster_in
from fairsim.errors import InputError
from fairsim.model.state import ACCEPTED, PENDING, RUNNING, WAITING, Ask, QueueUse, State, UserUse
from tests.helpers import GPU, PLAIN


def yaml(text: str) -> State:
    return read_state([("state.yaml", text.encode())], PLAIN)


def rm(*answers: Any) -> State:
    return read_state([(f"{number}.json", json.dumps(one).encode()) for number, one in enumerate(answers)], PLAIN)


# --- our own file -----------------------------------------------------------------------------------------------------


def test_queues_and_users() -> None:
    state = yaml(
        "queues:\n  a: {used: '40g,10c', am_used: '2g,1c', users: {fred: {running: 2, waiting: 1}, "
        "ann: {running: 1}}}\n"
        "  root.b: {running: 4, waiting: 2}\nusers:\n  joe: {running: 7}\n"
    )
    assert state.queues["root.a"] == QueueUse((40960, 10), (2048, 1), 3, 1)
    assert state.queues["root.b"] == QueueUse(None, None, 4, 2)
    assert state.users["joe"] == UserUse(7, None)
    assert yaml("queues: {a: {users: {u: {running: 2}}}, b: {users: {u: {running: 3}}}}").users == {"u": UserUse(5, 0)}


def test_apps_and_their_states() -> None:
    state = yaml(
        "apps:\n- {id: x, queue: a, user: u, used: '2g,1c', ask: '4g,2c', count: 3}\n"
        "- {queue: a, am: '1g,1c', start: 7}\n- {queue: a, state: waiting}\nfree: {n1: '3g,1c'}\n"
    )
    first, second, third = state.apps
    assert (first.id, first.state, first.used, first.asks) == ("x", RUNNING, (2048, 1), (Ask((4096, 2), 3),))
    assert (second.id, second.state, second.am, second.start) == ("app2", ACCEPTED, (1024, 1), 7)
    assert (third.state, third.start) == (WAITING, 2)
    assert state.free == (("n1", (3072, 1)),)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("queues:\n  a: {usd: '1g,1c'}", "unknown key 'usd' in the queue root.a", 2),
        ("queues:\n  a: {used: '1g'}", "'1g' has no vcores", 2),
        ("queues:\n  a: {running: -1}", "running must be from 0 to", 2),
        ("queues:\n  a: {}\n  root.a: {}", "root.a is written twice", 3),
        ("queues:\n  a: {running: 1, users: {u: {running: 2}}}", "root.a has 1 running applications, its users 2", 2),
        ("apps:\n- {user: u}", "an application without a queue", 2),
        ("apps:\n- {queue: a, state: stuck}", "'stuck' is not a state of an application", 2),
        ("apps:\n- {queue: a, id: x}\n- {queue: a, id: x}", "the application x is written twice", 3),
        ("- a", "the state must be a map", 1),
        ("<clusterMetrics/>", "the file is XML", None),
    ],
)
def test_what_is_wrong_has_its_place(text: str, message: str, line: int | None) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")) as caught:
        yaml(text)
    assert (caught.value.where, caught.value.pos and caught.value.pos.line) == ("state.yaml", line)


# --- the scheduler's JSON ---------------------------------------------------------------------------------------------


def res(memory: int, vcores: int) -> dict[str, int]:
    return {"memory": memory, "vCores": vcores}


def leaf(name: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "fairSchedulerLeafQueueInfo", "queueName": name, "usedResources": res(2048, 2), "numActiveApps": 2,
        "numPendingApps": 1, **more,
    }  # fmt: skip


def dump(children: Any) -> dict[str, Any]:
    root = {"queueName": "root", "usedResources": res(4096, 4), "clusterResources": res(16384, 16),
            "childQueues": children}  # fmt: skip
    return {"scheduler": {"schedulerInfo": {"type": "fairScheduler", "rootQueue": root}}}


OLD = dump([leaf("root.a"), {"queueName": "root.p", "usedResources": res(0, 0), "childQueues": [leaf("root.p.b")]}])
NEW = dump({"queue": [
    leaf("root.a", amUsedResources=res(1024, 1)),
    {"queueName": "root.p", "usedResources": res(0, 0), "childQueues": {"queue": leaf("root.p.b")}},
]})  # fmt: skip
NESTED = dump([{"queue": [leaf("root.a"), {"queueName": "root.p", "usedResources": res(0, 0),
                                           "childQueues": {"queue": [leaf("root.p.b")]}}]}])  # fmt: skip


@pytest.mark.parametrize("answer", [OLD, NEW, NESTED], ids=["old", "new", "nested"])
def test_shapes_of_the_scheduler(answer: dict[str, Any]) -> None:
    state = rm(answer)
    assert list(state.queues) == ["root", "root.a", "root.p", "root.p.b"]
    assert [one.leaf for one in state.queues.values()] == [False, True, False, True]
    masters = (1024, 1) if answer is NEW else None
    assert state.queues["root.a"] == QueueUse((2048, 2), masters, None, None, 2, 1)
    assert state.queues["root"].used == (4096, 4)
    assert cluster_in(json.dumps(answer).encode(), "x.json") == "16384m,16c"


def test_a_single_queue_and_numbers_as_texts() -> None:
    texts = {"memory": "10", "vCores": "2"}
    one = leaf("root.a", numActiveApps="3", usedResources=texts, type=["fairSchedulerLeafQueueInfo"])
    state = rm(dump({"queue": one}))
    assert (state.queues["root.a"].started, state.queues["root.a"].used) == (3, (10, 2))
    assert list(rm(dump(one)).queues) == ["root", "root.a"]


def test_a_root_without_children() -> None:
    assert list(rm(dump(None)).queues) == ["root"]
    assert not rm(dump(None)).queues["root"].leaf


def test_custom_types() -> None:
    info = {"resourceInformation": [{"name": "memory-mb", "value": 2048}, {"name": "yarn.io/gpu", "value": 3}]}
    answer = dump({"queue": [leaf("root.a", usedResources={**res(2048, 2), "resourceInformations": info})]})
    state = read_state([("x.json", json.dumps(answer).encode())], GPU)
    assert state.queues["root.a"].used == (2048, 2, 3)


# --- applications -----------------------------------------------------------------------------------------------------


def app(number: int, state: str, **more: Any) -> dict[str, Any]:
    return {"id": f"application_1_{number:04}", "user": "fred", "queue": "root.a", "state": state,
            "startedTime": number, "allocatedMB": -1, "allocatedVCores": -1, **more}  # fmt: skip


NEW_ASK = {"priority": 0, "resourceName": "*", "capability": res(2048, 1), "numContainers": 1}
OLD_ASK = {"priority": {"priority": 0}, "resourceName": "*", "capability": {"memory": 2048, "virtualCores": 1},
           "numContainers": 1}  # fmt: skip


@pytest.mark.parametrize("ask", [NEW_ASK, OLD_ASK], ids=["new", "old"])
def test_apps(ask: dict[str, Any]) -> None:
    state = rm({"apps": {"app": [
        app(1, "RUNNING", allocatedMB=4096, allocatedVCores=2), app(2, "ACCEPTED", resourceRequests=[ask]),
        app(3, "FINISHED"), app(4, "SUBMITTED"), app(5, "ACCEPTED"),
    ]}})  # fmt: skip
    assert state.apps_known
    assert [(one.state, one.used, one.am) for one in state.apps] == [
        (RUNNING, (4096, 2), None), (PENDING, (0, 0), (2048, 1)), (PENDING, (0, 0), None),
    ]  # fmt: skip


def test_asks_are_those_for_anywhere_by_priority() -> None:
    rows = [{**NEW_ASK, "priority": 20, "numContainers": 5}, {**NEW_ASK, "resourceName": "n1"},
            {**NEW_ASK, "priority": 1, "capability": res(512, 1)}, {**NEW_ASK, "numContainers": 0}]  # fmt: skip
    state = rm({"apps": {"app": app(1, "RUNNING", allocatedMB=1024, allocatedVCores=1, resourceRequests=rows)}})
    assert state.apps[0].asks == (Ask((512, 1), 1), Ask((2048, 1), 5))


@pytest.mark.parametrize("empty", [None, {}, {"app": []}])
def test_no_apps(empty: Any) -> None:
    assert rm({"apps": empty}) == State(apps_known=True, sources=("0.json",))


def test_files_complete_each_other() -> None:
    nodes = {"nodes": {"node": [{"id": "n1:1", "nodeHostName": "n1", "state": "RUNNING", "availMemoryMB": 512,
                                 "availableVirtualCores": 3}, {"id": "n2:1", "state": "LOST"}]}}  # fmt: skip
    state = rm(NEW, {"apps": {"app": [app(1, "RUNNING")]}}, nodes)
    assert (len(state.queues), len(state.apps), state.free) == (4, 1, (("n1", (512, 3)),))
    assert state.sources == ("0.json", "1.json", "2.json")


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([NEW, OLD], "queues are in another state file too, 0.json"),
        ([{"scheduler": {"schedulerInfo": {"type": "capacityScheduler"}}}], "it is of the capacityScheduler"),
        ([{"clusterInfo": {}}], "the JSON has neither `scheduler`, `apps` nor `nodes`"),
        ([{"apps": {"app": [app(1, "RUNNING", queue=None)]}}], r"apps.app\[0\].queue is missing"),
        ([{"apps": {"app": [app(1, "RUNNING"), app(1, "RUNNING")]}}], "application_1_0001 is there twice"),
        ([dump({"queue": [leaf("root.a", numActiveApps="x")]})], "numActiveApps is not a whole number: 'x'"),
        ([dump({"queue": [{"usedResources": res(1, 1)}]})], "queueName is missing"),
    ],
)
def test_json_that_is_no_state(answers: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rm(*answers)


@pytest.mark.parametrize(("data", "message"), [(b'{"apps": ', "not JSON"), (b"{\xff", "cannot be read")])
def test_broken_json(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_state([("x.json", data)], PLAIN)
