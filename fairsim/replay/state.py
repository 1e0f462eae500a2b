"""What the scheduler holds: nodes, containers, queues, and attempts of applications.

Follows FSSchedulerNode, FSQueue, FSLeafQueue, FSAppAttempt and AppSchedulingInfo. Amounts are tuples by resource type.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from fairsim.model.queues import Queue
from fairsim.model.resources import Amount

ANY = "*"
NODE_LOCAL, RACK_LOCAL, OFF_SWITCH = "node", "rack", "any"

#: What asks go by: the priority (small numbers first), then the id of the request.
Key = tuple[int, int]
#: Application, number of the container, attempt.
ContainerId = tuple[int, int, int]


def sort_name(name: str) -> bytes:
    """Returns bytes that are ordered as Java orders strings: by units of 16 bits."""
    return name.encode("utf-16-be", "surrogatepass")


def add(left: Amount, right: Amount) -> Amount:
    """Returns the sum, type by type."""
    if len(left) == 2:
        return left[0] + right[0], left[1] + right[1]
    return tuple([one + other for one, other in zip(left, right, strict=True)])


def subtract(left: Amount, right: Amount) -> Amount:
    """Returns the difference, type by type."""
    if len(left) == 2:
        return left[0] - right[0], left[1] - right[1]
    return tuple([one - other for one, other in zip(left, right, strict=True)])


def fits(amount: Amount, room: Amount) -> bool:
    """Tells whether no type of the amount is more than the room (Resources.fitsIn)."""
    if len(amount) == 2:
        return amount[0] <= room[0] and amount[1] <= room[1]
    return all(part <= most for part, most in zip(amount, room, strict=True))


class Ask:
    """How many containers of which size are asked for at one place: a host, a rack, or anywhere."""

    __slots__ = ("count", "relax", "size")

    def __init__(self, size: Amount, count: int, relax: bool = True):
        self.size = size
        self.count = count
        self.relax = relax


class AskUpdate(NamedTuple):
    """One line of what a master asks for: replaces what it said before of this key and place."""

    key: Key
    size: Amount
    containers: int
    where: str = ANY
    relax: bool = True


class Container:
    """A container from its allocation on. `served`: the places whose asks it used up, until a master has taken it."""

    __slots__ = ("acquired", "attempt", "id", "key", "live", "node", "served", "size")

    def __init__(self, identity: ContainerId, attempt: Attempt, node: Node, key: Key, size: Amount):
        self.id = identity
        self.attempt = attempt
        self.node = node
        self.key = key
        self.size = size
        self.acquired = False
        self.live = True
        self.served: tuple[tuple[str, Ask], ...] = ()


class Node:
    """A node. `launched` are the containers that it has reported; `free` may be below 0 after it shrank."""

    __slots__ = ("containers", "free", "launched", "name", "place", "rack", "reserved", "total")

    def __init__(self, name: str, rack: str, total: Amount, place: int = 0):
        self.name = name
        self.place = place  # when it joined
        self.rack = rack
        self.total = total
        self.free = total
        self.containers: dict[ContainerId, Container] = {}
        self.launched: set[ContainerId] = set()
        self.reserved: Container | None = None


class QueueState:
    """A queue with what is used, wanted and its due; `static` when the file names it.

    `used`, `demand`, `min`, `weight`, `start` and `sort_name` are what siblings are ordered by. `total` is the demand
    below it, not cut at its maximum; `rank` belongs to the engine that keeps its children in order.
    """

    __slots__ = (
        "am_used",
        "assigned",
        "children",
        "demand",
        "depth",
        "leaf",
        "max",
        "max_running",
        "min",
        "name",
        "parent",
        "policy",
        "queue",
        "rank",
        "runnable",
        "running",
        "share",
        "sort_name",
        "start",
        "static",
        "total",
        "used",
        "waiting",
        "weight",
    )  # fmt: skip

    def __init__(self, queue: Queue, parent: QueueState | None, zero: Amount):
        self.queue = queue
        self.name = queue.name
        self.sort_name = sort_name(queue.name)
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.rank: Any = None
        self.leaf = queue.leaf
        self.children: list[QueueState] = []
        self.static = True
        self.used = self.demand = self.share = self.am_used = self.total = zero
        self.start = 0
        self.assigned = 0  # accepted and not yet over
        self.running = 0  # applications, here and below
        self.runnable: list[Attempt] = []
        self.waiting: list[Attempt] = []
        # what the file says; see Scheduler
        self.policy = queue.policy
        self.weight = queue.weight
        self.min = queue.min
        self.max = zero
        self.max_running = 0

    def path(self) -> Iterator[QueueState]:
        """Yields this queue and all above it, root last."""
        queue: QueueState | None = self
        while queue is not None:
            yield queue
            queue = queue.parent

    def walk(self) -> Iterator[QueueState]:
        """Yields this queue and all below it, parents first, siblings in the order in which they were made."""
        stack = [self]
        while stack:
            queue = stack.pop()
            yield queue
            stack.extend(reversed(queue.children))


class Attempt:
    """One attempt of an application. `demand` and `share` are those of the last update.

    `managed`: its first container is that of its master, which counts for maxAMShare. `master`: the container of the
    master, once the ResourceManager has taken it. `runs`: the limits of running applications let it. `counted` is the
    part of it in the demand of its leaf; `rank` belongs to the engine that keeps applications in order.
    """

    __slots__ = (
        "am_blacklist", "am_running", "am_size", "app", "asks", "blacklist", "chances", "counted", "counter",
        "demand", "kept", "keys", "levels", "live", "managed", "master", "min", "name", "new", "number", "queue",
        "rank", "reservations", "runs", "share", "sort_name", "start", "stopped", "used", "user", "weight",
    )  # fmt: skip

    def __init__(self, app: int, number: int, name: str, user: str, queue: QueueState, start: int, managed: bool,
                 zero: Amount):  # fmt: skip
        self.app = app
        self.number = number
        self.name = name
        self.sort_name = sort_name(name)
        self.user = user
        self.queue = queue
        self.runs = False
        self.rank: Any = None
        self.start = start
        self.managed = managed
        self.used = self.demand = self.share = self.min = self.counted = zero
        self.weight = 1.0
        self.am_running = False
        self.am_size = zero
        self.master: Container | None = None
        self.stopped = False
        self.counter = 0
        self.asks: dict[Key, dict[str, Ask]] = {}
        self.keys: list[Key] = []  # those with something asked for anywhere, in order
        self.blacklist: set[str] = set()
        self.am_blacklist: set[str] = set()
        self.live: dict[ContainerId, Container] = {}
        self.new: list[Container] = []  # allocated and not yet taken by the master
        self.reservations: dict[str, set[str]] = {}  # hosts by rack
        self.kept: dict[Key, dict[Node, None]] = {}  # the same nodes, by what they are kept for
        self.chances: dict[Key, int] = {}
        self.levels: dict[Key, str] = {}

    @property
    def waits_for_master(self) -> bool:
        """Tells whether the container of the master is still to come."""
        return self.managed and self.master is None

    def new_id(self) -> ContainerId:
        """Returns the id of the next container."""
        self.counter += 1
        return self.app, self.counter, self.number

    # -- what is asked for

    def ask(self, key: Key, where: str) -> Ask | None:
        """Returns what is asked for at a place, None where nothing was ever said or all of it is served."""
        places = self.asks.get(key)
        return None if places is None else places.get(where)

    def asked(self, key: Key, where: str) -> int:
        """Returns how many containers are asked for at a place."""
        ask = self.ask(key, where)
        return 0 if ask is None else ask.count

    def relaxes(self, key: Key, where: str) -> bool:
        """Tells whether a container may go further away than this place (AppSchedulingInfo.canDelayTo)."""
        ask = self.ask(key, where)
        return ask is None or ask.relax

    def hear(self, updates: list[AskUpdate]) -> None:
        """Takes over what the master asks for. A key of which none is wanted anywhere goes with all its places."""
        if self.stopped:
            return
        by_key: dict[Key, dict[str, AskUpdate]] = {}
        for update in updates:
            by_key.setdefault(update.key, {})[update.where] = update
        for key, places in by_key.items():
            known = self.asks.setdefault(key, {})
            for where, update in places.items():
                known[where] = Ask(update.size, update.containers, update.relax)
            if ANY in places:
                self._settle(key)

    def _settle(self, key: Key) -> None:
        if self.asks[key][ANY].count <= 0:
            del self.asks[key]
            if key in self.keys:
                self.keys.remove(key)
        elif key not in self.keys:
            self.keys.append(key)
            self.keys.sort()

    def serve(self, key: Key, kind: str, node: Node) -> tuple[tuple[str, Ask], ...]:
        """Counts one container less at each place that an allocation of this kind serves; returns these places."""
        places = self.asks[key]
        wheres = {NODE_LOCAL: (node.name, node.rack, ANY), RACK_LOCAL: (node.rack, ANY), OFF_SWITCH: (ANY,)}[kind]
        served = []
        for where in wheres:
            ask = places[where]
            served.append((where, Ask(ask.size, 1, ask.relax)))
            ask.count -= 1
            if ask.count == 0:
                del places[where]
                if where == ANY:
                    self.keys.remove(key)
        if not places:
            del self.asks[key]
        return tuple(served)

    def take_back(self, container: Container) -> None:
        """Asks again for a container that died before its master had it (recoverResourceRequestsForContainer)."""
        if self.stopped:
            return
        known = self.asks.setdefault(container.key, {})
        for where, ask in container.served:
            before = known.get(where)
            known[where] = Ask(ask.size, 1 if before is None else before.count + 1, ask.relax)
        self._settle(container.key)

    def wanted(self) -> Amount:
        """Returns what it uses and what it still asks for, together (FSAppAttempt.updateDemand)."""
        total = self.used
        for key in self.keys:
            ask = self.asks[key][ANY]
            total = tuple([one + other * ask.count for one, other in zip(total, ask.size, strict=True)])
        return total
