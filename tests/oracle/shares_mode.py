"""Mode `shares`: the shares of queues and applications in an empty cluster, as Hadoop and as fairsim tell them."""

from __future__ import annotations

from typing import Any

from fairsim.model.apps import App
from fairsim.profiles import Profile
from fairsim.shares.apps import app_shares, runnable
from fairsim.shares.solve import Hangs, am_limits, solve
from tests.oracle.ask import Request
from tests.oracle.cases import Case
from tests.oracle.compare import Answer, Verdict, World, hadoop_verdict, plain, read
from tests.oracle.load_mode import file_and_site, leaves

FIELDS = ("leaf", "policy", "min", "max", "steady", "instantaneous", "am_limit", "runnable_apps")
_SIZE_BASED = "yarn.scheduler.fair.sizebasedweight"
_FIRST_START = 1_000_000  # the oracle's clock: an application without a start comes 1 ms after the one before


def make(case: Case, hadoop: Profile) -> Request:
    """Returns the request of a case; its applications go to the leaves that fairsim finds."""
    request = file_and_site(case) | {"mode": "shares", "cluster": dict(case.cluster)}
    try:
        names = leaves(read(request, hadoop))
    except Verdict:
        names = []
    apps: dict[str, list[dict[str, object]]] = {}
    if names:
        for app in case.apps:
            apps.setdefault(names[min(int(app.place * len(names)), len(names) - 1)], []).append(app.told)
    if apps:
        request["apps"] = apps
    return request


# -- Hadoop


def reduced(answer: Any, request: Request, hadoop: Profile) -> Answer:
    """Returns the oracle's answer in the common form."""
    verdict = hadoop_verdict(answer)
    if verdict is not None:
        return verdict
    found = {"queues": {queue["name"]: _hadoop_queue(queue) for queue in answer["queues"]}}
    found["apps"] = {
        name: [[app["runnable"], list(app["fair"].values())] for app in apps] for name, apps in answer["apps"].items()
    }
    found["absent"] = answer.get("not_found", [])
    return found


def _hadoop_queue(queue: Any) -> list[Any]:
    part = queue.get("max_am_share")
    off = part is not None and part != "NaN" and abs(float(part) + 1.0) < 0.0001
    room = None if off or "am_limit" not in queue else list(queue["am_limit"].values())
    amounts = [list(queue[key].values()) for key in ("min", "max", "steady", "fair")]
    return [queue["leaf"], queue["policy"].lower(), *amounts, room, queue["runnable_apps"]]


# -- fairsim


def fairsim(request: Request, hadoop: Profile) -> Answer:
    """Returns what fairsim says; whatever it raises goes up."""
    try:
        return _answer(read(request, hadoop), request)
    except Verdict as verdict:
        return verdict.answer
    except Hangs:
        return {"hang": True}


def _answer(world: World, request: Request) -> Answer:
    tree = world.tree
    known = set(leaves(world))
    asked: dict[str, list[dict[str, Any]]] = request.get("apps", {})
    apps: list[App] = []
    for name, several in asked.items():
        if name in known:
            apps += [_app(world, name, told, apps[-1].start if apps else _FIRST_START) for told in several]
    waits = runnable(tree, apps)
    active = frozenset(app.queue for app, reason in zip(apps, waits, strict=True) if not reason)
    shares = solve(tree, world.types.amount(request.get("cluster", {})), active)
    divided = app_shares(tree, shares, apps, waits, world.site.boolean(_SIZE_BASED, world.hadoop).value)
    running = dict.fromkeys((queue.name for queue in shares.queues), 0)
    by_queue: dict[str, list[Any]] = {}
    for app, reason, share in zip(apps, waits, divided, strict=True):
        by_queue.setdefault(app.queue, []).append([not reason, share])
        if not reason:
            for queue in tree.queues[app.queue].path():
                running[queue.name] += 1
    queues = {
        queue.name: [queue.leaf, queue.policy, queue.min, most, steady, now, room, running[queue.name]]
        for queue, most, steady, now, room in zip(
            shares.queues, shares.maxima, shares.steady, shares.instantaneous, am_limits(tree, shares), strict=True
        )
    }
    absent = [name for name in asked if name not in known]
    return {"queues": plain(queues), "apps": plain(by_queue), "absent": absent}


def _app(world: World, queue: str, told: dict[str, Any], before: int) -> App:
    one = told.get("demand", {})
    demand = tuple(part * told.get("containers", 1) for part in world.types.amount(one))
    return App("", queue, demand, told.get("start", before + 1), told.get("user", "user"))
