"""What a running scheduler makes of a changed allocation file, and of queues that are no longer needed.

Follows AllocationReloadListener, QueueManager.updateAllocationConfiguration, removeEmptyDynamicQueues and
removePendingIncompatibleQueues of 3.2 and later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairsim.config.allocation import RawAllocation
from fairsim.config.names import DEFAULT_QUEUE, full_name, parent_of
from fairsim.javanum import hash_set_order
from fairsim.model.queues import NO_FIELDS, QueueTree, allows
from fairsim.replay.state import QueueState

if TYPE_CHECKING:
    from fairsim.replay.scheduler import Scheduler

#: A queue that is to be made once what stands in its way is empty: full name, and whether it is a leaf.
Pending = dict[tuple[str, bool], None]


class HalfReloaded(Exception):
    """A queue that the new file no longer has is already gone: Hadoop ends the reload with a NullPointerException.

    Queues, limits and placement rules are new by then; waiting applications are not looked at again.
    """

    def __init__(self, queue: str):
        super().__init__(f"{queue} is no longer in the file, and no longer there")
        self.queue = queue


class Queues:
    """Changes the queues of a scheduler; `pending` are those that still wait for others to become empty."""

    def __init__(self, scheduler: Scheduler, raw: RawAllocation):
        self.scheduler = scheduler
        self.pending: Pending = {}
        self.written = _configured(raw)  # what the file names

    def reload(self, raw: RawAllocation) -> None:
        """Puts another file into force. Raises HalfReloaded."""
        scheduler = self.scheduler
        old = scheduler.tree
        tree = QueueTree(old.profile, old.types, raw.defaults, old.root, raw.queues)
        tree.queues = old.queues
        tree.users = raw.users
        tree.locate = raw.document.pos
        scheduler.tree = tree
        self._set_policies(scheduler.root)
        for keys, leaf in ((raw.leaves, True), (raw.parents, False)):
            for key in hash_set_order(keys):
                self._ensure(full_name(key), leaf)
        for state in scheduler.queues.values():
            self._settle(state)
        before, self.written = self.written, _configured(raw)
        for name in hash_set_order(before):
            if name in self.written:
                continue
            if name not in scheduler.queues:
                raise HalfReloaded(name)
            scheduler.queues[name].static = False

    def check(self) -> None:
        """Drops queues made on the fly with nothing in or below them, then makes those that waited for that."""
        scheduler = self.scheduler
        parents: dict[str, QueueState] = {}
        for state in list(scheduler.queues.values()):
            if not state.static and not state.children and self._empty(state):
                self._remove(state)
                if state.parent is not None and not state.parent.static:
                    parents[state.parent.name] = state.parent
        while parents:
            state = parents.pop(next(iter(parents)))
            if self._empty(state):  # with all below it, queues of the file too
                self._remove(state)
                if state.parent is not None and not state.parent.static:
                    parents[state.parent.name] = state.parent
        for name, leaf in list(self.pending):
            removed = self._clear(name, leaf)
            if removed:
                made = self._get_or_make(name, leaf)
                if made is not None and name in self.written:
                    made.static = True
                    scheduler.placement.live.known[name].static = True
            if removed is not False:
                del self.pending[name, leaf]

    # -- policies and settings

    def _set_policies(self, state: QueueState) -> bool:
        """Gives every queue its policy, children first, until one is not allowed below its parent."""
        tree = self.scheduler.tree
        policy = tree.policy_for(state.name)
        for child in state.children:
            if not allows(policy, tree.policy_for(child.name)) or not self._set_policies(child):
                return False
        state.queue.policy = state.policy = policy
        return True

    def _settle(self, state: QueueState) -> None:
        queue = state.queue
        queue.fields, queue.element, queue.index = NO_FIELDS, None, -1
        queue.weight, queue.min = 1.0, self.scheduler.zero
        self.scheduler.tree.settle(queue)
        self.scheduler.settle(state)

    # -- queues that come and go

    def _ensure(self, name: str, leaf: bool) -> None:
        if self._clear(name, leaf) is False:
            self.pending[name, leaf] = None
            return
        state = self._get_or_make(name, leaf)
        if state is not None:
            state.static = True

    def _clear(self, name: str, leaf: bool) -> bool | None:
        """Removes what stands in the way of a queue: True, False where it is not empty, None where nothing does."""
        queues = self.scheduler.queues
        if name.startswith(DEFAULT_QUEUE + "."):
            return None
        state = queues.get(name)
        if state is not None:
            return None if state.leaf == leaf or state.parent is None else self._remove_if_empty(state)
        above = parent_of(name)
        while above:
            state = queues.get(above)
            if state is not None:
                return self._remove_if_empty(state) if state.leaf else None
            above = parent_of(above)
        return None

    def _get_or_make(self, name: str, leaf: bool) -> QueueState | None:
        """Returns a queue, made with those above it where it is not there; None where Hadoop does not make it."""
        scheduler = self.scheduler
        state = scheduler.queues.get(name)
        if state is not None:
            return state if state.leaf == leaf else None
        missing = [name]
        while (above := parent_of(missing[-1])) not in scheduler.queues:
            missing.append(above)
        state = scheduler.queues[above]
        if state.leaf:
            return None
        tree = scheduler.tree
        for level in reversed(missing):
            is_leaf = leaf and level is name
            policy = tree.policy_for(level)
            if tree.policy_conflict(policy, state.policy, is_leaf):
                return None
            state = scheduler.make_queue(level, state, is_leaf, policy)
        return state

    def _empty(self, state: QueueState) -> bool:
        return all(not below.runnable and not below.waiting and not below.assigned for below in state.walk())

    def _remove_if_empty(self, state: QueueState) -> bool:
        if not self._empty(state):
            return False
        self._remove(state)
        return True

    def _remove(self, state: QueueState) -> None:
        scheduler = self.scheduler
        for below in list(state.walk()):
            scheduler.queues.pop(below.name, None)
            scheduler.tree.queues.pop(below.name, None)
            scheduler.placement.live.known.pop(below.name, None)
        if state.parent is not None and state in state.parent.children:  # else it went with one above it
            state.parent.children.remove(state)
            state.parent.queue.children.remove(state.queue)


def _configured(raw: RawAllocation) -> dict[str, None]:
    names = [full_name(key) for keys in (raw.leaves, raw.parents) for key in hash_set_order(keys)]
    return dict.fromkeys(names)
