"""JSON saved from the ResourceManager to a state: /ws/v1/cluster/scheduler, /ws/v1/cluster/apps, /ws/v1/cluster/nodes.

Read from Hadoop 2.6 to 3.5 (FairSchedulerInfo, FairSchedulerQueueInfo, FairSchedulerLeafQueueInfo, AppInfo, NodeInfo,
ResourceInfo). Lists with one member may be objects, `null` and `{}` are empty lists, numbers may be texts.
"""

from __future__ import annotations

import json
from typing import Any

from fairsim.config.names import full_name
from fairsim.config.node_values import Place
from fairsim.diag import Pos
from fairsim.javanum import INT_MAX, LONG_MAX
from fairsim.model.resources import Amount, ResourceTypes
from fairsim.model.state import PENDING, RUNNING, AppUse, Ask, QueueUse, State

_ENDED = ("FINISHED", "FAILED", "KILLED", "FINISHING")
_EARLY = ("NEW", "NEW_SAVING", "SUBMITTED")
_HINT = "save /ws/v1/cluster/scheduler, /ws/v1/cluster/apps or /ws/v1/cluster/nodes of the ResourceManager as it is"
MAX_DEPTH = 100


def state_from_rm(data: bytes, where: str, types: ResourceTypes) -> State:
    """Returns the state in one answer of the ResourceManager. Raises InputError with the path inside the JSON."""
    root = _parse(data, where)
    reader = _Reader(where, types)
    if isinstance(root, dict) and "apps" in root:
        return reader.apps(root["apps"])
    if isinstance(root, dict) and "nodes" in root:
        return reader.nodes(root["nodes"])
    if isinstance(root, dict) and "app" in root and isinstance(root["app"], dict):
        return reader.apps({"app": [root["app"]]}, every=False)
    return reader.scheduler(_root_queue(root, where))


def cluster_in(data: bytes, where: str) -> str:
    """Returns the size of the cluster that an answer of the scheduler tells, as `--cluster` takes it; "" if none."""
    root = _parse(data, where)
    if not isinstance(root, dict) or not isinstance(root.get("scheduler"), dict):
        return ""
    size = _root_queue(root, where).get("clusterResources")
    if not isinstance(size, dict):
        return ""
    reader = _Reader(where, ResourceTypes())
    memory, vcores = reader.amount(size, "rootQueue.clusterResources")
    custom = [f"{name}={value}" for name, value in reader.custom(size).items() if value]
    return ",".join([f"{memory}m", f"{vcores}c", *custom])


def _parse(data: bytes, where: str) -> Any:
    place = Place(where)
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        raise Place(where, Pos(error.lineno, error.colno)).error(f"not JSON: {error.msg}") from None
    except (ValueError, RecursionError):
        raise place.error("the JSON cannot be read: not UTF-8, nested too deeply or with numbers too long") from None


def _root_queue(root: Any, where: str) -> dict[str, Any]:
    place = Place(where)
    inner = root.get("scheduler") if isinstance(root, dict) else None
    info = inner.get("schedulerInfo") if isinstance(inner, dict) else None
    if not isinstance(info, dict):
        raise place.error("the JSON has neither `scheduler`, `apps` nor `nodes`", _HINT)
    kind = info.get("type")
    queue = info.get("rootQueue")
    if isinstance(queue, list) and len(queue) == 1:
        queue = queue[0]
    if not isinstance(queue, dict):
        other = isinstance(kind, str) and kind != "fairScheduler"
        said = f"it is of the {kind}" if other else "it has no rootQueue"
        raise place.error(f"the JSON is not of the FairScheduler: {said:.80}", _HINT)
    return queue


class _Reader:
    """Reads one answer."""

    def __init__(self, where: str, types: ResourceTypes):
        self.place = Place(where)
        self.where = where
        self.types = types

    # -- /ws/v1/cluster/scheduler

    def scheduler(self, root: dict[str, Any]) -> State:
        queues: dict[str, QueueUse] = {}
        self.queue(root, "rootQueue", queues, 0)
        notes: tuple[str, ...] = ()
        if any(one.am_used is None and one.leaf for one in queues.values()):
            notes = (f"{self.where} does not tell what masters use (Hadoop up to 2.7)",)
        return State(queues, sources=(self.where,), notes=notes)

    def queue(self, value: dict[str, Any], path: str, queues: dict[str, QueueUse], depth: int) -> None:
        name = value.get("queueName")
        if not isinstance(name, str) or not name.strip():
            what = "is missing" if name is None else "is no name"
            raise self.place.error(f"{path}.queueName {what}", "every queue has a queueName, such as root.a")
        if depth > MAX_DEPTH:
            raise self.place.error(f"queues are nested more than {MAX_DEPTH} deep")
        children = _members(value.get("childQueues"), "queue")
        kind = value.get("type")
        kind = kind[0] if isinstance(kind, list) and kind else kind
        leaf = not children and (kind == "fairSchedulerLeafQueueInfo" or "numActiveApps" in value)
        masters = value.get("amUsedResources")
        queues[full_name(name)] = QueueUse(
            self.amount(value["usedResources"], f"{path}.usedResources") if "usedResources" in value else None,
            self.amount(masters, f"{path}.amUsedResources") if isinstance(masters, dict) and leaf else None,
            started=self.number(value, "numActiveApps", path) if leaf and "numActiveApps" in value else None,
            pending=self.number(value, "numPendingApps", path) if leaf and "numPendingApps" in value else None,
            leaf=leaf,
        )
        for index, child in enumerate(children):
            at = f"{path}.childQueues[{index}]"
            if not isinstance(child, dict):
                raise self.place.error(f"{at} is not an object")
            self.queue(child, at, queues, depth + 1)

    # -- /ws/v1/cluster/apps

    def apps(self, value: Any, *, every: bool = True) -> State:
        found: list[AppUse] = []
        for index, entry in enumerate(_members(value, "app")):
            path = f"apps.app[{index}]"
            if not isinstance(entry, dict):
                raise self.place.error(f"{path} is not an object")
            state = str(entry.get("state") or "").upper()
            if state in _ENDED or state in _EARLY or not state:
                continue
            found.append(self.app(entry, path, state))
        seen: set[str] = set()
        for one in found:
            if one.id in seen:
                raise self.place.error(f"the application {one.id:.60} is there twice", "keep one of the two")
            seen.add(one.id)
        return State(apps=tuple(found), apps_known=every, sources=(self.where,))

    def app(self, entry: dict[str, Any], path: str, state: str) -> AppUse:
        for key in ("id", "queue"):
            if not isinstance(entry.get(key), str) or not entry[key].strip():
                raise self.place.error(f"{path}.{key} is missing")
        used = self.used(entry, path)
        asks = self.asks(entry.get("resourceRequests"), path)
        started = state == "RUNNING" or any(used)
        return AppUse(
            entry["id"], full_name(entry["queue"]), str(entry.get("user") or ""), RUNNING if started else PENDING, used,
            asks[0].size if asks and not started else None,
            start=max(self.number(entry, "startedTime", path), 0) if "startedTime" in entry else 0,
            asks=asks,
        )  # fmt: skip

    def used(self, entry: dict[str, Any], path: str) -> Amount:
        """What the containers of an application hold; -1 stands for nothing any more."""
        memory = self.number(entry, "allocatedMB", path) if "allocatedMB" in entry else 0
        vcores = self.number(entry, "allocatedVCores", path) if "allocatedVCores" in entry else 0
        found = {self.types.names[0]: max(memory, 0), self.types.names[1]: max(vcores, 0)}
        by_partition = entry.get("resourceInfo")
        if isinstance(by_partition, dict):
            for part in _members(by_partition.get("resourceUsagesByPartition"), "resourceUsagesByPartition"):
                if isinstance(part, dict) and isinstance(part.get("used"), dict):
                    found.update({name: value for name, value in self.custom(part["used"]).items() if value > 0})
        return self.types.amount(found)

    def asks(self, value: Any, path: str) -> tuple[Ask, ...]:
        """Containers asked for anywhere (`*`), in order of priority; 2.7 and older write the parts as objects."""
        found: list[tuple[int, int, Ask]] = []
        for index, entry in enumerate(_members(value, "resourceRequest")):
            at = f"{path}.resourceRequests[{index}]"
            if not isinstance(entry, dict) or entry.get("resourceName", "*") != "*":
                continue
            size, count = entry.get("capability"), entry.get("numContainers", 1)
            count = self.whole(count, f"{at}.numContainers")
            if not isinstance(size, dict) or count <= 0:
                continue
            priority = entry.get("priority", 0)
            priority = priority.get("priority", 0) if isinstance(priority, dict) else priority
            rank = self.whole(priority, f"{at}.priority")
            found.append((rank, index, Ask(self.amount(size, f"{at}.capability"), count)))
        return tuple(ask for _, _, ask in sorted(found, key=lambda one: one[:2]))

    # -- /ws/v1/cluster/nodes

    def nodes(self, value: Any) -> State:
        free: list[tuple[str, Amount]] = []
        for index, entry in enumerate(_members(value, "node")):
            path = f"nodes.node[{index}]"
            if not isinstance(entry, dict):
                raise self.place.error(f"{path} is not an object")
            if str(entry.get("state") or "RUNNING") != "RUNNING":
                continue
            memory, vcores = (self.number(entry, key, path) for key in ("availMemoryMB", "availableVirtualCores"))
            found = {self.types.names[0]: memory, self.types.names[1]: vcores}
            if isinstance(entry.get("availableResource"), dict):
                found.update(self.custom(entry["availableResource"]))
            name = str(entry.get("nodeHostName") or entry.get("id") or f"node {index + 1}")
            free.append((name, self.types.amount(found)))
        return State(free=tuple(free), sources=(self.where,))

    # -- values

    def amount(self, value: Any, path: str) -> Amount:
        """Returns a ResourceInfo as an amount; vcores are called vCores, in old requests virtualCores."""
        if not isinstance(value, dict):
            raise self.place.error(f"{path} is not an object with memory and vCores")
        memory = self.number(value, "memory" if "memory" in value else "memorySize", path)
        vcores = self.number(value, "vCores" if "vCores" in value else "virtualCores", path)
        found = {self.types.names[0]: memory, self.types.names[1]: vcores, **self.custom(value)}
        return self.types.amount(found)

    def custom(self, value: dict[str, Any]) -> dict[str, int]:
        """Returns what a ResourceInfo has besides memory and vcores."""
        found = {}
        for entry in _members(value.get("resourceInformations"), "resourceInformation"):
            name = entry.get("name") if isinstance(entry, dict) else None
            if isinstance(name, str) and name not in ("memory-mb", "vcores"):
                found[entry["name"]] = self.whole(entry.get("value"), f"value of {entry['name']}")
        return found

    def number(self, entry: dict[str, Any], key: str, path: str) -> int:
        if key not in entry:
            raise self.place.error(f"{path}.{key} is missing", _HINT)
        return self.whole(entry[key], f"{path}.{key}")

    def whole(self, value: Any, path: str) -> int:
        if isinstance(value, str) and value.strip().removeprefix("-").isdecimal() and len(value) < 21:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not -INT_MAX <= value <= LONG_MAX:
            raise self.place.error(f"{path} is not a whole number: {value!r:.40}")
        return value


def _members(value: Any, key: str) -> list[Any]:
    """Returns the list that is meant: a list, an object that holds one (or a single member) under `key`, or none."""
    if isinstance(value, list):
        flat: list[Any] = []
        for one in value:  # older ResourceManagers nest {"queue": [...]} in a list
            inside = one.get(key) if isinstance(one, dict) else None
            flat += inside if isinstance(inside, list) else [inside] if isinstance(inside, dict) else [one]
        return flat
    if not isinstance(value, dict):
        return []
    inner = value.get(key)
    if inner is None:
        return [value] if value.get("queueName") or value.get("id") or value.get("capability") else []
    return inner if isinstance(inner, list) else [inner]
