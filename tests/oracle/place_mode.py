"""The mode place: what becomes of submissions, and who may do what."""

from __future__ import annotations

import base64
import re
from random import Random
from typing import Any

from fairsim.config.properties import FAIR_PREFIX
from fairsim.config.site import Site
from fairsim.placement.access import ADMINISTER, SUBMIT
from fairsim.placement.live import BadName, NoLeaf
from fairsim.placement.rules import User
from fairsim.placement.submission import Placement, Settings, Submission
from fairsim.profiles import Profile
from fairsim.xmlio.reader import XmlRefused, read_document
from tests.oracle.ask import Request
from tests.oracle.cases import Case
from tests.oracle.compare import Answer, Verdict, World, hadoop_verdict, read

CLUSTER = {"memory-mb": 819200, "vcores": 200}
FIELDS = ("outcome", "step", "queue", "made")
_OUTCOMES = {"accepted": "placed", "rejected": "failed"}
_ODD_WEIGHT = re.compile(rb"(<weight>)[^<]*[A-Za-z][^<]*")  # with NaN and the like the search for shares may hang
_OVERRIDES = "hadoop.user.group.static.mapping.overrides"
_STEPS = {"rules": "placement", "name": "placement"}
_USERS = ("ann", "bob", "Fred", "first.last", "root", " x ", "a", "b", "users", "q1", "A.B", "\u00a0u", "default")
_DYNAMIC = ("root.q1", "root.q2", "root.a.z", "root.users.b", "root.ann", "root.eng")
_NAMES = ("", "root", "A..B", ".A", "A.", "A ", "\u00a0A", "root.a.b", "new.leaf", "Root.a", "root.")
_GROUPS = ("a", "b", "c", "users", "prod", "eng", "q1", "q2", "domain users", "g.h", " g ", "root", "default", "d.e")


def make(case: Case, hadoop: Profile) -> Request:
    """Returns the request of a case: submissions and questions about access that go with its file."""
    random = Random(case.seed)  # noqa: S311 - repeatable, not secret
    names = _names(case.alloc)
    request: Request = {
        "mode": "place",
        "alloc_b64": base64.b64encode(_ODD_WEIGHT.sub(rb"\g<1>1", case.alloc)).decode(),
        "site": dict(case.site),
        "cluster": CLUSTER,
        "submissions": [_submission(random, names) for _ in range(random.choice((1, 3, 6)))],
        "acl": [
            {"user": random.choice(_USERS), "groups": _groups(random) or [], "queue": _queue(random, names) or "a",
             "op": random.choice(("submit", "administer"))}
            for _ in range(4)
        ],
    }  # fmt: skip
    if random.random() < 0.3:
        request["stateful"] = True
    if random.random() < 0.3:
        request["site"][_OVERRIDES] = "dr.who=;bob=;ann=eng,ops;Fred=users"
    if random.random() < 0.3:
        request["dynamic"] = random.choices(_DYNAMIC, k=2)
    return request


def _names(data: bytes) -> list[str]:
    try:
        root = read_document(data, secure=False).root
    except XmlRefused:
        return []
    found: list[str] = []
    stack = [(root, "")]
    while stack and len(found) < 60:
        element, above = stack.pop()
        for child in element:
            if child.tag in ("queue", "pool"):
                name = f"{above}{child.get('name') or ''}"
                found.append(name)
                stack.append((child, f"{name}."))
    return found


def _queue(random: Random, names: list[str]) -> str | None:
    shape = random.random()
    if shape < 0.2:
        return random.choice((None, None, "default", "root.default"))
    if shape < 0.3:
        return random.choice(_NAMES)
    name = random.choice(names) if names and shape < 0.8 else random.choice(("a", "b", "q1", "ann", "zz", "eng"))
    return random.choice((name, name, f"root.{name}", name.upper(), f"{name}.x"))


def _groups(random: Random) -> list[str] | None:
    if random.random() < 0.08:
        return None
    return random.sample(_GROUPS, random.choice((0, 1, 2, 3)))


def _submission(random: Random, names: list[str]) -> dict[str, Any]:
    told: dict[str, Any] = {"user": random.choice(_USERS), "groups": _groups(random)}
    queue = _queue(random, names)
    if queue is not None:
        told["queue"] = queue
    if random.random() < 0.2:
        told["am"] = random.choice(({"memory-mb": 9000, "vcores": 1}, {"memory-mb": 2048, "vcores": 3}))
    return told


def fairsim(request: Request, hadoop: Profile) -> Answer:
    """Returns what fairsim says."""
    try:
        placement = _placement(read(request, hadoop), request["cluster"])
    except Verdict as verdict:
        return verdict.answer
    for name in request.get("dynamic", ()):
        try:
            placement.live.leaf(name, keep=True)
        except (BadName, NoLeaf):
            continue
    found: dict[str, list[Any]] = {}
    for number, told in enumerate(request["submissions"]):
        groups = _known(told, request["site"])
        size = told.get("am", {"memory-mb": 1024, "vcores": 1})
        user = User(told["user"], groups)
        submission = Submission(user, told.get("queue"), (size["memory-mb"], size["vcores"]))
        landing = placement.submit(submission, keep=bool(request.get("stateful")))
        step = "" if landing.outcome != "exception" else _STEPS.get(landing.step, landing.step)
        queue = landing.queue if landing.outcome == "placed" else ""
        made = [[one.name, one.leaf] for one in landing.made]
        found[f"submission {number}"] = [landing.outcome, step, queue, made]
    for number, asked in enumerate(request["acl"]):
        known = placement.live.get(asked["queue"])
        kind = SUBMIT if asked["op"] == "submit" else ADMINISTER
        groups = _known(asked, request["site"]) or ()
        allowed = known is not None and placement.access.may(asked["user"], groups, known.name, kind).allowed
        found[f"access {number}"] = [allowed, "", "", []]
    return {"queues": found}


def _known(told: dict[str, Any], site: dict[str, str]) -> tuple[str, ...] | None:
    """Returns the groups as Hadoop's Groups tells them: of an override, else those found; none found is a failure."""
    for pair in site.get(_OVERRIDES, "").split(";"):
        user, _, names = pair.partition("=")
        if user == told["user"]:
            return tuple(names.split(",")) if names else ()
    return tuple(told["groups"]) or None if told["groups"] is not None else None


def _placement(world: World, node: dict[str, int]) -> Placement:
    """Returns the placement in a cluster of one node."""
    site, hadoop = world.site, world.hadoop
    cluster = node["memory-mb"], node["vcores"]
    settings = Settings(
        site.boolean(FAIR_PREFIX + "allow-undeclared-pools", hadoop).value,
        site.boolean(FAIR_PREFIX + "user-as-default-queue", hadoop).value,
        site.boolean("yarn.acl.enable", hadoop).value,
        _largest(site, hadoop, cluster),
    )
    return Placement(world.raw, world.tree, settings, cluster)


def _largest(site: Site, hadoop: Profile, node: tuple[int, int]) -> tuple[int, int]:
    memory = site.integer("yarn.scheduler.maximum-allocation-mb", hadoop).value
    vcores = site.integer("yarn.scheduler.maximum-allocation-vcores", hadoop).value
    return min(memory, node[0]), min(vcores, node[1])


def reduced(answer: Any, request: Request, hadoop: Profile) -> Answer:
    """Returns the oracle's answer in the common form."""
    verdict = hadoop_verdict(answer | {"queues": answer.get("submissions")} if "submissions" in answer else answer)
    if verdict is not None:
        return verdict
    found: dict[str, list[Any]] = {}
    for number, one in enumerate(answer["submissions"]):
        outcome = _OUTCOMES.get(one["outcome"], one["outcome"])
        step = one["step"] if outcome == "exception" else ""
        queue = one["queue"] if outcome == "placed" else ""
        made = [[created["name"], created["leaf"]] for created in one.get("created", ())]
        found[f"submission {number}"] = [outcome, step, queue, made]
    for number, allowed in enumerate(answer["acl"]):
        found[f"access {number}"] = [allowed, "", "", []]
    return {"queues": found}
