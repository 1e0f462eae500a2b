"""The fair scheduler: each event of the ResourceManager handled to its end, and the decisions it leads to.

Follows FairScheduler and AbstractYarnScheduler from 2.9 on, without their threads: who calls `update` and the others
decides when things happen. This is the plain form, which defines what the answer is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fairsim.config.allocation import RawAllocation
from fairsim.config.names import parent_of
from fairsim.config.resource_types import container_size
from fairsim.model.queues import QueueTree
from fairsim.model.resources import Amount
from fairsim.placement.live import Known
from fairsim.placement.rules import User
from fairsim.placement.submission import PLACED, Landing, Placement, Settings, Submission
from fairsim.replay.assign import Assigner
from fairsim.replay.decisions import (
    ABORTED,
    ALLOCATE,
    COMPLETED,
    FINISH,
    RESERVE,
    RUNNABLE,
    UNRESERVE,
    Decision,
    InvalidAsk,
    Unsupported,
)
from fairsim.replay.ledger import Ledger
from fairsim.replay.limits import RunningLimits
from fairsim.replay.order import Order
from fairsim.replay.ranks import Ranks
from fairsim.replay.reload import Queues
from fairsim.replay.state import ANY, AskUpdate, Attempt, Container, ContainerId, Key, Node, QueueState, add, subtract
from fairsim.replay.switches import Switches
from fairsim.replay.updates import FastUpdater, Updater
from fairsim.replay.walk import FastAssigner
from fairsim.shares.apps import user_limit

MASTER: Key = (0, -1)  # the key of a master's container: AM_CONTAINER_PRIORITY

class AppKnown(NamedTuple):
    """An accepted application: user, groups, leaf, size of the master (None: unmanaged)."""

    user: User
    queue: QueueState
    am_size: Amount | None


class Scheduler(Ledger):
    """A fair scheduler under one allocation file. `clock` is in ms; `decisions` grow with every event.

    `timestamp` is the start of the cluster, a part of the names of applications. Both engines, the plain one and the
    fast one, decide the same: the plain one walks all queues and adds up all demands each time, and defines the answer.
    """

    def __init__(
        self, raw: RawAllocation, tree: QueueTree, switches: Switches, timestamp: int = 1, *, fast: bool = True
    ):
        if tree.profile.version < (2, 9, 0):
            raise Unsupported("scheduling is modelled from Hadoop 2.9 on")
        self.tree = tree
        self.profile = tree.profile
        self.switches = switches
        self.timestamp = timestamp
        self.clock = 0
        super().__init__(tree.types.zero())
        self.racks: dict[str, int] = {}
        self.attempts: dict[int, Attempt] = {}  # the current one of each application
        self.apps: dict[int, AppKnown] = {}
        self.queues: dict[str, QueueState] = {}
        self.fresh: list[Attempt] = []  # those that got a container in a heartbeat; whoever looks on empties it
        self.order = Order(tree.profile, len(self.zero))
        self.limits = RunningLimits(lambda user: user_limit(self.tree, user))
        self._largest = switches.limits.maximum
        self._largest_by_queue: dict[str, Amount] = {}
        self._largest_at = -1
        self._joined = 0
        self.root = self._queue_states(tree)
        self.placement = self._placement(raw)
        self.reloaded = Queues(self, raw)
        self.fast = fast
        self.ranks = Ranks(self) if fast else None
        self.assigner = Assigner(self) if self.ranks is None else FastAssigner(self, self.ranks)
        self.updater = FastUpdater(self) if fast else Updater(self)

    # -- queues

    def _queue_states(self, tree: QueueTree) -> QueueState:
        root = self._add_queue(tree.root.name, None)
        stack = [tree.root]
        while stack:
            queue = stack.pop()
            for child in queue.children:
                self._add_queue(child.name, self.queues[queue.name])
                stack.append(child)
        return root

    def _add_queue(self, name: str, parent: QueueState | None) -> QueueState:
        state = QueueState(self.tree.queues[name], parent, self.zero)
        self.queues[name] = state
        if parent is not None:
            parent.children.append(state)
        self.settle(state)
        return state

    def settle(self, state: QueueState) -> None:
        """Gives a queue what the file says."""
        queue = state.queue
        state.policy, state.weight, state.min = queue.policy, queue.weight, queue.min
        state.max = self.tree.max_at(queue, self.cluster)
        state.max_running = self.tree.max_running_apps(queue).value

    def make_queue(self, name: str, parent: QueueState, leaf: bool, policy: str) -> QueueState:
        """Returns a new queue below a parent; it is no queue of the file yet (QueueManager.createQueue)."""
        queue = self.tree.new_queue(name, parent.queue, leaf, policy)
        parent.queue.children.append(queue)
        self.tree.queues[name] = queue
        state = self._add_queue(name, parent)
        state.static = False
        self.placement.live.known.setdefault(name, Known(name, leaf, False, policy))
        if self.ranks is not None:
            self.ranks.made(state)
            self.updater.made()
        return state

    def reload(self, raw: RawAllocation) -> None:
        """The file has changed, and loads. Raises HalfReloaded where Hadoop does not come to the end."""
        self.version += 1
        self.structure += 1
        try:
            self.reloaded.reload(raw)
        finally:
            self.placement = self._placement(raw)
        self._started(self.limits.reloaded(self.root))

    def check(self) -> None:
        """What the thread that looks at the file does every ten seconds: from 3.2 on empty ad hoc queues go."""
        if self.profile.features.dynamic_queues:
            self.structure += 1
            self.reloaded.check()

    def _placement(self, raw: RawAllocation) -> Placement:
        switches = self.switches
        settings = Settings(switches.undeclared_pools, switches.user_queues, switches.acl_enable)
        placement = Placement(raw, self.tree, settings, self.cluster)
        for state in self.queues.values():
            placement.live.known[state.name].static = state.static
        return placement

    # -- nodes

    def add_node(self, name: str, rack: str, total: Amount) -> None:
        """A node joins."""
        self.add_nodes([(name, rack, total)])

    def add_nodes(self, nodes: Iterable[tuple[str, str, Amount]]) -> None:
        """Nodes join: name, rack and size of each."""
        total = self.cluster
        for name, rack, size in nodes:
            self._joined += 1
            node = self.nodes[name] = Node(name, rack, size, self._joined)
            self.racks[rack] = self.racks.get(rack, 0) + 1
            self.touched[node] = None
            total = add(total, size)
        self._resized(total)

    def remove_node(self, name: str) -> None:
        """A node is lost: its containers end, and those that no master has yet are asked for again."""
        node = self.nodes[name]
        for container in list(node.containers.values()):
            self.complete(container, ABORTED)
        if node.reserved is not None:
            self.unreserve(node)
        del self.nodes[name]
        self.racks[node.rack] -= 1
        self.touched.pop(node, None)
        self._resized(subtract(self.cluster, node.total))
        self._deliver()

    def resize_node(self, name: str, total: Amount) -> None:
        """A node has another size from now on."""
        node = self.nodes[name]
        more = subtract(total, node.total)
        node.free = add(node.free, more)
        node.total = total
        self.touched[node] = None
        self._resized(add(self.cluster, more))

    def _resized(self, total: Amount) -> None:
        self.version += 1
        self.structure += 1
        most = self.switches.limits.maximum
        if self.nodes:
            sizes = [node.total for node in self.nodes.values()]
            most = tuple(map(min, most, map(max, zip(*sizes, strict=True))))
        self._largest = most
        self.cluster = self.order.cluster = self.placement.cluster = total
        for state in self.queues.values():
            state.max = self.tree.max_at(state.queue, total)
        self.refresh_available()

    def largest(self) -> Amount:
        """Returns the largest container: the maximum allocation, and of each type what the largest node has."""
        return self._largest

    def largest_in(self, queue: QueueState) -> Amount:
        """Returns the largest container of a queue (maxContainerAllocation, 3.2 and later)."""
        if not self.profile.features.max_container_allocation:
            return self._largest
        if self._largest_at != self.structure:
            self._largest_at = self.structure
            self._largest_by_queue.clear()
        most = self._largest_by_queue.get(queue.name)
        if most is None:
            limit = self.tree.max_container(queue.queue).value
            most = self._largest if limit is None else tuple(map(min, self._largest, limit.amount))
            self._largest_by_queue[queue.name] = most
        return most

    def heartbeat(
        self, name: str, running: Sequence[ContainerId] = (), completed: Sequence[ContainerId] = ()
    ) -> None:
        """A node reports, and gets work."""
        node = self.nodes[name]
        for identity in running:
            self.note_started(name, identity)
        for identity in completed:
            attempt = self.attempts.get(identity[0])
            container = None if attempt is None else attempt.live.get(identity)
            if container is not None:
                self.complete(container, COMPLETED)
            self.release(node, identity)
        self.assigner.attempt(node)
        self.refresh_available()
        self._deliver()

    def note_started(self, name: str, identity: ContainerId) -> None:
        """A node has told that a container runs."""
        node = self.nodes[name]
        if identity[0] in self.attempts and identity in node.containers:
            node.launched.add(identity)

    # -- applications

    def submit(self, app: int, user: User, queue: str | None, am_size: Amount | None) -> Landing:
        """An application comes; it is known from now on where it is placed."""
        self.placement.settings.largest = self.largest()
        asked = am_size
        if asked is None:  # an unmanaged master asks for nothing
            landing = self.placement.submit(Submission(user, queue, None), keep=True)
        else:
            landing = self.placement.submit(Submission(user, queue, asked), keep=True)
        for known in landing.made:
            self.make_queue(known.name, self.queues[parent_of(known.name)], known.leaf, known.policy)
        if landing.outcome == PLACED:
            leaf = self.queues[landing.queue]
            if asked is not None:
                asked = container_size(asked, self.switches.limits, self.largest(), self.profile, master=True)
            self.apps[app] = AppKnown(user, leaf, asked)
            leaf.assigned += 1
        return landing

    def add_attempt(self, app: int, number: int = 1) -> Attempt:
        """An attempt of an accepted application begins; a managed one asks for its master's container."""
        known = self.apps[app]
        name = f"application_{self.timestamp}_{app:04}"
        attempt = Attempt(app, number, name, known.user.name, known.queue, self.clock, known.am_size is not None,
                          self.zero)  # fmt: skip
        self.attempts[app] = attempt
        self.version += 1
        self.changed[attempt] = None
        self.limits.track(attempt, runs=self.limits.can_run(attempt))
        self.entered[attempt.queue] = None
        if known.am_size is not None:
            self.allocate(app, [AskUpdate(MASTER, known.am_size, 1)])
        return attempt

    def remove_attempt(self, app: int) -> None:
        """An attempt ends, with all its containers; waiting applications may start."""
        attempt = self.attempts[app]
        if attempt.stopped:
            return
        for container in list(attempt.live.values()):
            self.complete(container, ABORTED)
        held = [self.nodes[name] for names in attempt.reservations.values() for name in names]
        for node in sorted(held, key=lambda node: node.place):
            self.unreserve(node)
        self.version += 1
        self.changed[attempt] = None
        attempt.stopped = True
        attempt.asks.clear()
        attempt.keys.clear()
        if attempt.am_running:
            attempt.queue.am_used = subtract(attempt.queue.am_used, attempt.am_size)
            self.moved[attempt.queue] = None
        self.entered[attempt.queue] = None
        self._started(self.limits.untrack(attempt))
        self._deliver()

    def _started(self, attempts: Iterable[Attempt]) -> None:
        for attempt in attempts:
            self.changed[attempt] = None
            self.entered[attempt.queue] = None
            self.decisions.append(Decision(RUNNABLE, attempt.app))

    def remove_app(self, app: int) -> None:
        """An application is over."""
        if app in self.attempts:
            self.remove_attempt(app)
            del self.attempts[app]
        known = self.apps.pop(app, None)
        if known is not None:
            known.queue.assigned -= 1

    def allocate(
        self,
        app: int,
        asks: Sequence[AskUpdate] = (),
        releases: Sequence[ContainerId] = (),
        blacklist: Sequence[str] = (),
        unblacklist: Sequence[str] = (),
    ) -> list[Container]:
        """A master reports: returns the containers allocated since it did so last.

        Raises InvalidAsk, and does nothing else, where it asks for a type of which its queue may have nothing.
        """
        attempt = self.attempts[app]
        leaf = attempt.queue
        if self.profile.features.zero_resource_rejected:
            for update in asks:
                if any(part > 0 and most == 0 for part, most in zip(update.size, leaf.max, strict=True)):
                    raise InvalidAsk(f"application {app} asks for a type of which {leaf.name} may have nothing")
        most = self.largest_in(leaf)
        limits = self.switches.limits
        sized = [
            update._replace(size=container_size(update.size, limits, most, self.profile, master=False))
            for update in asks
        ]
        for identity in releases:
            container = attempt.live.get(identity)
            if container is not None:
                self.complete(container, ABORTED)
        if sized or blacklist or unblacklist:
            self.version += 1
            self.changed[attempt] = None
        attempt.hear(sized)
        names = attempt.am_blacklist if attempt.waits_for_master else attempt.blacklist
        names.update(blacklist)
        names.difference_update(unblacklist)
        self._deliver()
        return self._pull(attempt)

    def _pull(self, attempt: Attempt) -> list[Container]:
        given, attempt.new = attempt.new, []
        for container in given:
            container.acquired = True
            container.served = ()
        return given

    # -- the rest

    def update(self) -> None:
        """The update thread's round: demands, then shares."""
        before = self.available
        self.refresh_available()
        if self.updater.update() or self.available != before:
            self.version += 1

    def _deliver(self) -> None:
        """What the ResourceManager does when the event is over: masters are taken, lost asks come back."""
        for container in self.orphans:
            container.attempt.take_back(container)
            self.changed[container.attempt] = None
        self.orphans.clear()
        for attempt in self.assigner.served:
            if attempt.waits_for_master and not attempt.stopped and attempt.new:
                attempt.master = self._pull(attempt)[0]
                self.changed[attempt] = None
        self.fresh += self.assigner.served
        self.assigner.served.clear()


__all__ = [
    "ABORTED", "ALLOCATE", "ANY", "COMPLETED", "FINISH", "RESERVE", "RUNNABLE", "UNRESERVE", "Decision", "InvalidAsk",
    "Scheduler", "Unsupported",
]  # fmt: skip
