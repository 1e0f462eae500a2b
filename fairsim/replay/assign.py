"""What a node gets when it reports: down the tree to an application, a container or a reservation.

Follows FairScheduler.attemptScheduling, FSParentQueue and FSLeafQueue.assignContainer, FSAppAttempt.assignContainer.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from fairsim.javanum import divide, float32
from fairsim.model.resources import Amount
from fairsim.replay.state import (
    ANY,
    NODE_LOCAL,
    OFF_SWITCH,
    RACK_LOCAL,
    Ask,
    Attempt,
    Container,
    Key,
    Node,
    QueueState,
    add,
    fits,
)
from fairsim.shares.solve import am_limit

if TYPE_CHECKING:
    from fairsim.replay.scheduler import Scheduler


class Assigner:
    """Assigns containers of one scheduler; `served` are the attempts that got one in this event."""

    def __init__(self, scheduler: Scheduler):
        self.scheduler = scheduler
        self.switches = scheduler.switches
        self.features = scheduler.profile.features
        self.served: list[Attempt] = []
        zero = scheduler.zero
        self.nothing = zero
        self.reserved: Amount = (-1, *zero[1:])  # what a new reservation counts as

    def attempt(self, node: Node) -> None:
        """Gives a node work: a reservation first, which lets nothing else in as long as it is valid."""
        if node.reserved is not None and self._reservation(node):
            return
        half = tuple(int(part * 0.5) for part in node.free)
        got, count = self.nothing, 0
        while node.reserved is None:
            assigned = self.start(node)
            if not any(assigned):
                break
            count += 1
            got = add(got, assigned)
            if not self._goes_on(count, got, half):
                break

    def start(self, node: Node) -> Amount:
        """Returns what the node gets from the whole tree."""
        return self._assign(self.scheduler.root, node)

    def _goes_on(self, count: int, got: Amount, half: Amount) -> bool:
        switches = self.switches
        if not switches.assign_multiple:
            return False
        if switches.dynamic_max_assign:
            return fits(got, half)
        return switches.max_assign <= 0 or count < switches.max_assign

    def _assign(self, queue: QueueState, node: Node) -> Amount:
        """Returns the size of the container, zero for none, `reserved` where the node is kept for one."""
        if node.reserved is not None or not fits(queue.used, queue.max):
            return self.nothing
        order = self.scheduler.order
        if not queue.leaf:
            for child in order.queues(queue.policy, queue.children):
                assigned = self._assign(child, node)
                if any(assigned):
                    return assigned
            return self.nothing
        wanting = [attempt for attempt in queue.runnable if attempt.demand != attempt.used]
        for attempt in order.apps(queue.policy, wanting):
            names = attempt.am_blacklist if attempt.waits_for_master else attempt.blacklist
            if node.name in names or node.rack in names:
                continue
            if self._no_room_for_master(attempt):
                continue
            assigned = self._offer(attempt, node, attempt.keys, reserved=False)
            if any(assigned):
                return assigned
        return self.nothing

    def _no_room_for_master(self, attempt: Attempt) -> bool:
        if attempt.am_running or not attempt.managed:
            return False
        if not attempt.keys:
            return True
        ask = attempt.asks[attempt.keys[0]][ANY]
        leaf = attempt.queue
        room = am_limit(self.scheduler.tree, leaf.queue, leaf.share, leaf.max, self.scheduler.available)
        return room is not None and not fits(add(leaf.am_used, ask.size), room)

    # -- one application

    def _has_for(self, attempt: Attempt, key: Key, node: Node) -> bool:
        """Tells whether a key has something that this node, and the maxima up the tree, could take at all."""
        ask = attempt.ask(key, ANY)
        if ask is None or ask.count <= 0:
            return False
        rack = attempt.asked(key, node.rack) > 0
        if not (ask.relax or rack):
            return False
        if rack and not attempt.relaxes(key, node.rack) and attempt.asked(key, node.name) <= 0:
            return False
        if self.features.memory_only_demand:  # YARN-6964 came with it
            if not fits(ask.size, node.total):
                return False
        elif ask.size[0] > node.total[0]:
            return False
        size = ask.size
        queue: QueueState | None = attempt.queue
        while queue is not None:
            if not fits(add(queue.used, size), queue.max):
                return False
            queue = queue.parent
        return True

    def _offer(self, attempt: Attempt, node: Node, keys: list[Key], *, reserved: bool) -> Amount:
        for key in keys:
            if not reserved and not self._has_for(attempt, key, node):
                continue
            attempt.chances[key] = attempt.chances.get(key, 0) + 1
            level = self._level(attempt, key)
            local, rack = attempt.ask(key, node.name), attempt.ask(key, node.rack)
            in_rack = rack is not None and rack.count > 0
            if in_rack and local is not None and local.count > 0:
                return self._place(attempt, node, key, local, NODE_LOCAL, reserved=reserved)
            if rack is not None and not rack.relax:
                continue
            if in_rack and level != NODE_LOCAL:
                assert rack is not None
                return self._place(attempt, node, key, rack, RACK_LOCAL, reserved=reserved)
            anywhere = attempt.ask(key, ANY)
            if anywhere is not None and not anywhere.relax:
                continue
            if anywhere is not None and anywhere.count > 0 and (len(attempt.asks[key]) <= 1 or level == OFF_SWITCH):
                return self._place(attempt, node, key, anywhere, OFF_SWITCH, reserved=reserved)
        return self.nothing

    def _level(self, attempt: Attempt, key: Key) -> str:
        """Returns how far from its data a container may go after so many chances passed up."""
        switches = self.switches
        if switches.node_threshold < 0 or switches.rack_threshold < 0:
            return OFF_SWITCH
        level = attempt.levels.setdefault(key, "")
        if not level:
            attempt.levels[key] = NODE_LOCAL
            return NODE_LOCAL
        if level == OFF_SWITCH:
            return level
        threshold = min(switches.node_threshold if level == NODE_LOCAL else switches.rack_threshold, 1.0)
        if attempt.chances.get(key, 0) > len(self.scheduler.nodes) * threshold:
            level = attempt.levels[key] = RACK_LOCAL if level == NODE_LOCAL else OFF_SWITCH
            attempt.chances[key] = 0
        return level

    def _place(self, attempt: Attempt, node: Node, key: Key, ask: Ask, kind: str, *, reserved: bool) -> Amount:
        if not fits(ask.size, node.free):
            return self._reserve(attempt, node, key, ask.size, kind, reserved=reserved)
        level = attempt.levels.get(key)
        if level is not None and kind != level and (level == OFF_SWITCH or kind == NODE_LOCAL):
            attempt.levels[key] = kind
        held = node.reserved if reserved else None
        container = held or Container(attempt.new_id(), attempt, node, key, ask.size)
        size = ask.size
        self.scheduler.start(container, kind, reserved=reserved)
        if reserved:
            self.scheduler.unreserve(node, fulfilled=True)
        if not attempt.am_running and attempt.managed:
            attempt.am_running = True
            attempt.am_size = size
            attempt.queue.am_used = add(attempt.queue.am_used, size)
        self.served.append(attempt)
        return size

    # -- reservations

    def _reserve(self, attempt: Attempt, node: Node, key: Key, size: Amount, kind: str, *, reserved: bool) -> Amount:
        if not self.starved(attempt) or not self.large(attempt, size):
            return self.nothing
        if node.reserved is not None and node.reserved.attempt is not attempt:
            return self.nothing
        if kind != NODE_LOCAL:
            scheduler = self.scheduler
            if kind == OFF_SWITCH:
                held = sum(map(len, attempt.reservations.values()))
                nodes = len(scheduler.nodes)
            else:
                held = len(attempt.reservations.get(node.rack, ()))
                nodes = scheduler.racks.get(node.rack, 0)
            if held >= ceil(float32(nodes * self.switches.reservable)):
                return self.nothing
        if not reserved:
            self.scheduler.reserve(Container(attempt.new_id(), attempt, node, key, size))
        return self.reserved

    def _reservation(self, node: Node) -> bool:
        """Serves the reservation of a node; tells whether it is still valid."""
        held = node.reserved
        assert held is not None
        attempt = held.attempt
        if not self._has_for(attempt, held.key, node) or self._no_room_for_master(attempt):
            self.scheduler.unreserve(node)
            return False
        if fits(held.size, node.free):
            self._offer(attempt, node, [held.key], reserved=True)
        return True

    def lets_go(self, node: Node) -> bool:
        """Tells whether a kept node would be let go at its next report, unless what it is kept for fits."""
        held = node.reserved
        assert held is not None
        return not self._has_for(held.attempt, held.key, node) or self._no_room_for_master(held.attempt)

    def starved(self, attempt: Attempt) -> bool:
        """Tells whether an application uses less than its share."""
        if attempt.queue.policy != "drf":
            return attempt.used[0] < attempt.share[0]
        if attempt.used == attempt.share:
            return False
        return max(self._parts(attempt.used), default=0.0) < max(self._parts(attempt.share), default=0.0)

    def large(self, attempt: Attempt, size: Amount) -> bool:
        """Tells whether nodes are kept for containers of this size."""
        least = self.switches.reserve_from
        if attempt.queue.policy != "drf":
            return size[0] >= least[0]
        if size == least:
            return True
        return sorted(self._parts(size), reverse=True) >= sorted(self._parts(least), reverse=True)

    def _parts(self, amount: Amount) -> list[float]:
        """The parts of the cluster that an amount is, by type; types that the cluster has not are left out."""
        cluster = self.scheduler.cluster
        parts = [divide(part, total) for part, total in zip(amount, cluster, strict=True) if total]
        return parts if self.features.double_drf else [float32(part) for part in parts]
