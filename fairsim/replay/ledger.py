"""What is used by whom: containers from their allocation to their end, in nodes, applications and queues."""

from __future__ import annotations

from fairsim.model.resources import Amount
from fairsim.replay.decisions import ALLOCATE, COMPLETED, FINISH, RESERVE, UNRESERVE, Decision
from fairsim.replay.state import Attempt, Container, ContainerId, Node, QueueState, add, subtract


class Ledger:
    """The books of a scheduler. `version` goes up with all that a decision may depend on.

    `changed`, `moved` and `touched` are the applications, queues and nodes that are not as they were when whoever
    needs to know of it looked last: the fast engine at applications and queues, the simulation at nodes. `stale` are
    applications that the next update looks at, `entered` leaves where others run than at the last one. `structure`
    goes up with all that concerns every queue. `renewed` are queues whose demand or share an update has changed;
    whoever looks on empties it.
    """

    root: QueueState

    def __init__(self, zero: Amount):
        self.zero = zero
        self.cluster = self.available = zero
        self.nodes: dict[str, Node] = {}
        self.decisions: list[Decision] = []
        self.version = 0
        self.changed: dict[Attempt, None] = {}
        self.moved: dict[QueueState, None] = {}
        self.touched: dict[Node, None] = {}
        self.stale: dict[Attempt, None] = {}
        self.entered: dict[QueueState, None] = {}
        self.renewed: dict[QueueState, None] = {}
        self.structure = 0
        self.orphans: list[Container] = []  # died before the master had them: asked for again after the event

    def refresh_available(self) -> None:
        """Keeps what the cluster has left, as the metrics of root hold it between two such moments."""
        self.available = subtract(self.cluster, self.root.used)

    def forget(self) -> None:
        """Drops the marks of what has changed."""
        self.changed.clear()
        self.moved.clear()
        self.stale.clear()
        self.entered.clear()

    # -- containers

    def start(self, container: Container, kind: str, *, reserved: bool) -> None:
        """Books a container that is allocated now."""
        self.version += 1
        attempt, node = container.attempt, container.node
        self.changed[attempt] = None
        self.touched[node] = None
        container.served = attempt.serve(container.key, kind, node)
        attempt.live[container.id] = container
        attempt.new.append(container)
        attempt.used = add(attempt.used, container.size)
        self._use(attempt.queue, container.size)
        node.containers[container.id] = container
        node.free = subtract(node.free, container.size)
        self.decisions.append(Decision(ALLOCATE, attempt.app, container, int(reserved)))

    def reserve(self, container: Container) -> None:
        """Keeps a node for a container."""
        self.version += 1
        node, attempt = container.node, container.attempt
        node.reserved = container
        self.changed[attempt] = None
        self.touched[node] = None
        attempt.reservations.setdefault(node.rack, set()).add(node.name)
        attempt.kept.setdefault(container.key, {})[node] = None
        self.decisions.append(Decision(RESERVE, attempt.app, container))

    def unreserve(self, node: Node, *, fulfilled: bool = False) -> None:
        """Lets a node go again."""
        container = node.reserved
        assert container is not None
        self.version += 1
        self.changed[container.attempt] = None
        self.touched[node] = None
        node.reserved = None
        container.attempt.reservations[node.rack].discard(node.name)
        kept = container.attempt.kept[container.key]
        del kept[node]
        if not kept:
            del container.attempt.kept[container.key]
        if not fulfilled:
            self.decisions.append(Decision(UNRESERVE, container.attempt.app, container))

    def complete(self, container: Container, exit_code: int) -> None:
        """Ends a container: usage falls at once, its node is free when it reports so, or at once if it never did."""
        attempt = container.attempt
        if not container.live:
            return
        self.version += 1
        container.live = False
        if container in attempt.new:
            attempt.new.remove(container)
        del attempt.live[container.id]
        attempt.used = subtract(attempt.used, container.size)
        self.changed[attempt] = None
        self._use(attempt.queue, tuple([-part for part in container.size]))
        self.decisions.append(Decision(FINISH, attempt.app, container, exit_code))
        if container.id not in container.node.launched:
            self.release(container.node, container.id)
        self.refresh_available()
        if not container.acquired and exit_code != COMPLETED:
            self.orphans.append(container)

    def _use(self, leaf: QueueState, size: Amount) -> None:
        """Books usage of a leaf and of all queues above it."""
        queue: QueueState | None = leaf
        moved = self.moved
        while queue is not None:
            queue.used = add(queue.used, size)
            moved[queue] = None
            queue = queue.parent

    def release(self, node: Node, identity: ContainerId) -> None:
        """A node has told that a container has ended: its room is free."""
        container = node.containers.pop(identity, None)
        node.launched.discard(identity)
        if container is not None:
            self.version += 1
            self.touched[node] = None
            node.free = add(node.free, container.size)
