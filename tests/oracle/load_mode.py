"""Mode `load`: what a starting ResourceManager holds before any node joined, as Hadoop and as fairsim tell it.

Mode `both`: the same when the nodes have joined, and the answer of mode `shares` with it, in one question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairsim.config.names import full_name, trim_name
from fairsim.config.placement_syntax import Rule
from fairsim.config.values import POLICIES
from fairsim.javanum import INT_MAX, hash_set_order
from fairsim.model.queues import Queue
from fairsim.model.resources import Amount
from fairsim.placement.access import Entry
from fairsim.profiles import Profile
from fairsim.shares.solve import Hangs, solve
from tests.oracle.ask import Request
from tests.oracle.cases import Case
from tests.oracle.compare import Answer, Verdict, World, hadoop_verdict, plain, read

FIELDS = (
    "leaf", "policy", "weight", "min", "max", "max_configured", "max_child", "max_container_allocation",
    "max_running_apps", "max_am_share", "min_share_preemption_timeout_ms", "fair_share_preemption_timeout_ms",
    "fair_share_preemption_threshold", "preemptable", "reservable",
)  # fmt: skip
_RIGHTS = {"submit": "aclSubmitApps", "admin": "aclAdministerApps"}
_RESERVATION_RIGHTS = {
    "admin": "aclAdministerReservations", "list": "aclListReservations", "submit": "aclSubmitReservations",
}  # fmt: skip
_NOBODY = {"all": False, "users": [], "groups": []}
_EVERYBODY = _NOBODY | {"all": True}


def make(case: Case, hadoop: Profile) -> Request:
    """Returns the request of a case."""
    return file_and_site(case) | {"mode": "load"}


def file_and_site(case: Case) -> Request:
    """Returns what every request has: the file, yarn-site, resource types."""
    import base64

    request: Request = {}
    try:
        request["alloc"] = case.alloc.decode("utf-8")
    except UnicodeDecodeError:
        request["alloc_b64"] = base64.b64encode(case.alloc).decode()
    if case.site:
        request["site"] = dict(case.site)
    if case.custom:
        request["resource_types"] = {name: {"units": ""} for name in case.custom}
    return request


# -- Hadoop


def reduced(answer: Any, request: Request, hadoop: Profile) -> Answer:
    """Returns the oracle's answer in the common form."""
    verdict = hadoop_verdict(answer)
    if verdict is not None:
        return verdict
    config = answer["config"]
    kept = {key: config[key] for key in _DEFAULTS}
    kept["default_policy"] = _policy(kept["default_policy"])
    kept |= {key: config[key] for key in ("leaf", "parent")}
    kept["acls"] = _rights(config["acls"], _RIGHTS)
    kept["reservation_acls"] = {
        key: kinds for key, kinds in config.get("reservation_acls", {}).items() if kinds
    }
    kept["placement"] = [_hadoop_rule(rule, hadoop) for rule in config["placement"]]
    return {"queues": {queue["name"]: _hadoop_queue(queue) for queue in answer["queues"]}, "config": kept}


_DEFAULTS = (
    "default_policy", "queue_max_apps_default", "queue_max_am_share_default", "user_max_apps_default", "user_max_apps",
)  # fmt: skip


def _policy(name: str) -> str:
    return name.lower() if name.lower() in POLICIES else name


def _rights(acls: Mapping[str, Any], kinds: Iterable[str]) -> dict[str, Any]:
    """Returns the rights of each queue as they are in force: everybody at root, nobody elsewhere when not written."""
    found = {}
    for queue, written in acls.items():
        absent = _EVERYBODY if queue == "root" else _NOBODY
        found[queue] = {kind: written.get(kind, absent) for kind in kinds}
        if queue != "root" and all(right == _NOBODY for right in found[queue].values()):
            del found[queue]
    return found


def _hadoop_queue(queue: Any) -> list[Any]:
    def amount(key: str) -> list[int] | None:
        value = queue.get(key)
        return None if value is None else list(value.values())

    return [
        queue["leaf"], _policy(queue["policy"]), queue["weight"], amount("min"), amount("max"),
        amount("max_configured"), amount("max_child"), amount("max_container_allocation"), queue["max_running_apps"],
        queue["max_am_share"] if queue["leaf"] else None, queue["min_share_preemption_timeout_ms"],
        queue["fair_share_preemption_timeout_ms"], queue["fair_share_preemption_threshold"],
        queue.get("preemptable", True), queue.get("reservable", False),
    ]  # fmt: skip


def _hadoop_rule(rule: Any, hadoop: Profile) -> list[Any]:
    name = rule["class"].removesuffix("PlacementRule")
    name = "secondaryGroupExistingQueue" if name == "SecondaryGroupExisting" else name[0].lower() + name[1:]
    parent = rule.get("parent")
    return [
        name,
        rule.get("create"),
        rule.get("queue"),
        None if parent is None else _hadoop_rule(parent, hadoop),
    ]


# -- fairsim


def fairsim(request: Request, hadoop: Profile) -> Answer:
    """Returns what fairsim says; whatever it raises goes up."""
    try:
        world = read(request, hadoop)
        solve(world.tree, world.types.zero(), frozenset())
    except Verdict as verdict:
        return verdict.answer
    except Hangs:
        return {"hang": True}
    raw, tree = world.raw, world.tree
    defaults = {name: field.value for name, field in raw.defaults.items()}
    acls = {key: _written(queue.fields, _RIGHTS, hadoop) for key, queue in raw.queues.items()}
    reservations = {key: _written(queue.fields, _RESERVATION_RIGHTS, hadoop) for key, queue in raw.queues.items()}
    config = {
        "default_policy": defaults.get("defaultQueueSchedulingPolicy", "fair"),
        "queue_max_apps_default": defaults.get("queueMaxAppsDefault", INT_MAX),
        "queue_max_am_share_default": defaults.get("queueMaxAMShareDefault", 0.5),
        "user_max_apps_default": defaults.get("userMaxAppsDefault", INT_MAX),
        "user_max_apps": {name: field.value for name, field in raw.users.items()},
        "leaf": hash_set_order(raw.leaves),
        "parent": hash_set_order(raw.parents),
        "acls": _rights(acls, _RIGHTS),
        "reservation_acls": {key: kinds for key, kinds in reservations.items() if kinds},
        "placement": _placement(world),
    }
    cluster = world.types.amount(request.get("cluster", {}))
    queues = {queue.name: _values(world, queue, cluster) for queue in tree.in_order()}
    return {"queues": plain(queues), "config": plain(config)}


def _values(world: World, queue: Queue, cluster: Amount) -> list[Any]:
    tree, features = world.tree, world.hadoop.features
    limit = tree.max_limit(queue).value
    child = queue.fields.get("maxChildResources")
    container = tree.max_container(queue).value
    most = None
    if features.max_container_allocation:
        most = tree.unlimited() if container is None else container.at(cluster)
    configured = tree.unlimited() if limit is None else limit.at(cluster)
    return [
        queue.leaf,
        queue.policy,
        queue.weight,
        queue.min,
        tree.max_at(queue, cluster),
        configured if features.max_child_resources else None,
        None if child is None else child.value.at(cluster),
        most,
        tree.max_running_apps(queue).value,
        tree.max_am_share(queue).value if queue.leaf else None,
        tree.preemption(queue, "minSharePreemptionTimeout").value,
        tree.preemption(queue, "fairSharePreemptionTimeout").value,
        tree.preemption(queue, "fairSharePreemptionThreshold").value,
        tree.preemptable(queue).value,
        "reservation" in queue.fields,
    ]


def _written(fields: Mapping[str, Any], kinds: Mapping[str, str], hadoop: Profile) -> dict[str, Any]:
    return {kind: _list(fields[tag].value, hadoop) for kind, tag in kinds.items() if tag in fields}


def _list(text: str, hadoop: Profile) -> dict[str, Any]:
    entry = Entry(text, lines=hadoop.features.acl_lines)
    if entry.everybody:
        return _EVERYBODY
    return _NOBODY | {"users": sorted({*entry.users}), "groups": sorted({*entry.groups})}


def _placement(world: World) -> list[Any]:
    hadoop, rules = world.hadoop, world.raw.rules
    if rules is not None:
        return [_rule(rule, hadoop) for rule in rules]
    create = world.site.boolean("yarn.scheduler.fair.allow-undeclared-pools", hadoop).value
    by_user = world.site.boolean("yarn.scheduler.fair.user-as-default-queue", hadoop).value
    found: list[Any] = [["specified", create, None, None]]
    if by_user:
        found.append(["user", create, None, None])
    if not by_user or not create:
        found.append(["default", True, "root.default", None])
    return found


def _rule(rule: Rule, hadoop: Profile) -> list[Any]:
    queue = default_queue(rule.queue, hadoop) if rule.name == "default" else None
    nested = None if rule.nested is None else _rule(rule.nested, hadoop)
    name = "user" if rule.name == "nestedUserQueue" and hadoop.features.placement_rewrite else rule.name
    create = rule.create or (name == "reject" and hadoop.features.placement_rewrite)  # which ignores the flag
    return [name, create, queue, nested]


def default_queue(written: str, hadoop: Profile) -> str:
    """Returns the queue of rule default; from 3.3 on an illegal name counts as none."""
    if not hadoop.features.placement_rewrite:
        full = written if written.startswith("root.") else f"root.{written}"
        return full if written else "root.default"
    legal = written == trim_name(written, hadoop) and not written.startswith(".") and not written.endswith(".")
    return full_name(written) if written and legal else "root.default"


def leaves(world: World) -> Sequence[str]:
    """Returns the names of the leaf queues, in the order of the file."""
    return [queue.name for queue in world.tree.in_order() if queue.leaf]
