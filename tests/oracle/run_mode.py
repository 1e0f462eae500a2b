"""Mode run: the decisions of a whole run, event by event, and the state where it is shown."""

from __future__ import annotations

from typing import Any

from fairsim.config.allocation import RawAllocation, read_allocation
from fairsim.config.build import build_tree
from fairsim.placement.rules import User
from fairsim.profiles import Profile
from fairsim.replay.reload import HalfReloaded
from fairsim.replay.scheduler import ALLOCATE, FINISH, RUNNABLE, Decision, InvalidAsk, Scheduler
from fairsim.replay.state import ANY, AskUpdate, ContainerId
from fairsim.replay.switches import read_switches
from fairsim.shares.solve import Hangs
from fairsim.xmlio.reader import read_document
from tests.oracle.ask import Request
from tests.oracle.compare import Answer, Verdict, hadoop_verdict, read

FIELDS = ("event",)
#: What a master gets that asks for what its queue may never have (3.5 writes the name without its old mistake), and
#: what the oracle says of a node or an application that is not there.
_EXPECTED = (
    "SchedulerInvalidResoureRequestException", "SchedulerInvalidResourceRequestException", "IllegalArgumentException",
    "NullPointerException",
)  # fmt: skip


class NotModelled(Exception):
    """An event that fairsim does not know."""


class Driver:
    """Feeds the events of a request to a scheduler."""

    def __init__(self, scheduler: Scheduler):
        self.scheduler = scheduler
        self.types = scheduler.tree.types

    def world_of(self, text: str) -> RawAllocation:
        hadoop = self.scheduler.profile
        document = read_document(text.encode(), secure=hadoop.features.secure_xml)
        return read_allocation(document, hadoop, self.types)

    def amount(self, size: dict[str, int]) -> tuple[int, ...]:
        return self.types.amount(size)

    def handle(self, event: dict[str, Any]) -> dict[str, Any]:
        """Returns what the event led to, as the answer of the oracle in short."""
        scheduler = self.scheduler
        start = len(scheduler.decisions)
        if "at" in event:
            scheduler.clock = event["at"]
        answer: dict[str, Any] = {}
        try:
            answer = self.happen(event)
        except (InvalidAsk, HalfReloaded, KeyError):  # KeyError: a name that a smaller request no longer has
            answer = {"error": True}
        answer["decisions"] = in_order(event, [self.told(one) for one in scheduler.decisions[start:]])
        if event.get("show"):
            answer["show"] = self.show()
        return answer

    def happen(self, event: dict[str, Any]) -> dict[str, Any]:
        scheduler = self.scheduler
        kind = event["event"]
        if kind == "add_node":
            scheduler.add_node(event["node"], event.get("rack", "/default-rack"), self.amount(event["size"]))
        elif kind == "remove_node":
            scheduler.remove_node(event["node"])
        elif kind == "resize_node":
            scheduler.resize_node(event["node"], self.amount(event["size"]))
        elif kind == "app":
            return self.app(event)
        elif kind == "attempt":
            attempt = scheduler.add_attempt(event["app"], event["attempt"])
            return {"runnable": attempt in attempt.queue.runnable}
        elif kind == "remove_attempt":
            scheduler.remove_attempt(event["app"])
        elif kind == "remove_app":
            scheduler.remove_app(event["app"])
        elif kind == "allocate":
            return self.allocate(event)
        elif kind == "heartbeat":
            scheduler.heartbeat(event["node"], self.names(event, "running"), self.names(event, "completed"))
        elif kind == "update":
            scheduler.update()
        elif kind == "reload":
            scheduler.reload(self.world_of(event["alloc"]))
        elif kind == "check":
            scheduler.check()
        elif kind != "show":
            raise NotModelled(kind)
        return {}

    def app(self, event: dict[str, Any]) -> dict[str, Any]:
        am = event.get("am")
        user = User(event["user"], tuple(event["groups"]) if event.get("groups") else None)
        landing = self.scheduler.submit(event["app"], user, event.get("queue"), None if am is None else self.amount(am))
        if event["app"] not in self.scheduler.apps:
            return {"outcome": landing.outcome}
        attempt = self.scheduler.add_attempt(event["app"])
        return {"outcome": "placed", "queue": landing.queue, "runnable": attempt in attempt.queue.runnable}

    def allocate(self, event: dict[str, Any]) -> dict[str, Any]:
        default = -1 if self.scheduler.profile.version >= (3, 0, 0) else 0
        asks = [
            AskUpdate((one.get("priority", 1), one.get("request_id", default)), self.amount(one["size"]),
                      one.get("count", 1), one.get("where", ANY), one.get("relax", True))
            for one in event.get("asks", ())
        ]  # fmt: skip
        releases: list[ContainerId] = [(event["app"], one, 1) for one in event.get("release", ())]
        given = self.scheduler.allocate(event["app"], asks, releases, event.get("blacklist_add", ()),
                                        event.get("blacklist_remove", ()))  # fmt: skip
        return {"given": [name(one.id) for one in given]}

    def names(self, event: dict[str, Any], key: str) -> list[ContainerId]:
        return [(one[0], one[1], one[2] if len(one) > 2 else 1) for one in event.get(key, ())]

    def told(self, one: Decision) -> list[Any]:
        if one.container is None:
            return [one.kind, one.app]
        held = one.container
        if one.kind == FINISH:
            return [one.kind, name(held.id), one.detail]
        where = [one.kind, name(held.id), held.node.name, held.key[0], list(held.size)]
        return [*where, bool(one.detail)] if one.kind == ALLOCATE else where

    def show(self) -> dict[str, Any]:
        scheduler = self.scheduler
        queues = {
            queue.name: [list(queue.used), list(queue.demand), list(queue.share), queue.running,
                         len(queue.waiting) if queue.leaf else None, list(queue.am_used) if queue.leaf else None]
            for queue in scheduler.queues.values()
        }  # fmt: skip
        apps = {
            str(app): [attempt.queue.name, attempt in attempt.queue.runnable, list(attempt.used),
                       list(attempt.demand), list(attempt.share)]
            for app, attempt in scheduler.attempts.items() if not attempt.stopped
        }  # fmt: skip
        nodes = {
            node.name: [list(node.free), sorted(name(one) for one in node.containers),
                        name(node.reserved.id) if node.reserved else None]
            for node in scheduler.nodes.values()
        }  # fmt: skip
        return {"queues": queues, "apps": apps, "nodes": nodes, "available": list(scheduler.available[:2])}


def name(identity: ContainerId) -> list[int]:
    """A container as the oracle names it."""
    return list(identity[:2]) if identity[2] == 1 else list(identity)


def in_order(event: dict[str, Any], decisions: list[list[Any]]) -> list[list[Any]]:
    """Returns the decisions in an order that says nothing where Hadoop's own order is that of a hash table.

    These are the containers that end with a node or an attempt, and applications that start together.
    """
    if event["event"] in ("remove_node", "remove_attempt", "remove_app"):
        return sorted(decisions, key=repr)
    running = [one for one in decisions if one[0] == RUNNABLE]
    return [one for one in decisions if one[0] != RUNNABLE] + sorted(running)


def driver(request: Request, hadoop: Profile, *, fast: bool = True) -> Driver:
    """Returns a driver for the file and the properties of a request. Raises Verdict where the file is refused."""
    world = read(request, hadoop)
    tree = build_tree(world.raw, as_created=True)
    scheduler = Scheduler(world.raw, tree, read_switches(world.site, world.types, hadoop), fast=fast)
    scheduler.clock = request.get("clock", 1_000_000)
    return Driver(scheduler)


def fairsim(request: Request, hadoop: Profile, *, fast: bool = True) -> Answer:
    """Returns what fairsim says."""
    try:
        running = driver(request, hadoop, fast=fast)
    except Verdict as verdict:
        return verdict.answer
    try:
        told = {f"event {number}": [running.handle(event)] for number, event in enumerate(request.get("events", ()))}
    except Hangs:
        return {"hang": True}
    return {"queues": told}


def reduced(answer: Any, request: Request, hadoop: Profile) -> Answer:
    """Returns the oracle's answer in the common form."""
    if "events" not in answer:
        verdict = hadoop_verdict(answer)
        return verdict if verdict is not None else {"fault": str(answer)[:500]}
    names = ["memory-mb", "vcores", *request.get("resource_types", ())]
    told = {}
    for number, (event, found) in enumerate(zip(request.get("events", ()), answer["events"], strict=True)):
        told[f"event {number}"] = [_reduced_event(event, found, names)]
    return {"queues": told}


def _reduced_event(event: dict[str, Any], found: dict[str, Any], names: list[str]) -> dict[str, Any]:
    short: dict[str, Any] = {}
    if "error" in found:
        known = found["error"]["class"].rpartition(".")[2] in _EXPECTED
        short["error"] = True if known else found["error"]
    elif event["event"] == "app":
        outcome = str(found.get("outcome"))
        short["outcome"] = {"accepted": "placed", "rejected": "failed"}.get(outcome, outcome)
        if outcome == "accepted":
            short |= {"queue": found["queue"], "runnable": found["runnable"]}
    elif event["event"] == "attempt":
        short["runnable"] = found["runnable"]
    elif event["event"] == "allocate":
        short["given"] = found.get("given", [])
    short["decisions"] = in_order(event, [_decision(one, names) for one in found.get("decisions", ())])
    if "queues" in found:
        short["show"] = _shown(found, names)
    return short


def _size(size: dict[str, int], names: list[str]) -> list[int]:
    return [size.get(name, 0) for name in names]


def _decision(one: dict[str, Any], names: list[str]) -> list[Any]:
    kind = one["do"]
    if kind == RUNNABLE:
        return [kind, one["app"]]
    if kind == FINISH:
        return [kind, one["container"], one["exit"]]
    where = [kind, one["container"], one["node"], one["priority"], _size(one["size"], names)]
    return [*where, bool(one.get("reserved"))] if kind == ALLOCATE else where


def _shown(found: dict[str, Any], names: list[str]) -> dict[str, Any]:
    queues = {
        name: [_size(one["used"], names), _size(one["demand"], names), _size(one["fair"], names), one["runnable"],
               one.get("waiting"), _size(one["am_used"], names) if "am_used" in one else None]
        for name, one in found["queues"].items()
    }  # fmt: skip
    apps = {
        app: [one["queue"], one["runnable"], _size(one["used"], names), _size(one["demand"], names),
              _size(one["fair"], names)]
        for app, one in found["apps"].items()
    }  # fmt: skip
    nodes = {
        name: [_size(one["free"], names), one["containers"], one.get("reserved")]
        for name, one in found["nodes"].items()
    }  # fmt: skip
    available = [found["root_available"]["memory-mb"], found["root_available"]["vcores"]]
    return {"queues": queues, "apps": apps, "nodes": nodes, "available": available}
