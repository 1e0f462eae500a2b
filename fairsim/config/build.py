"""From what a file says to the queues that exist: Hadoop's QueueManager at the first load.

Follows QueueManager.updateAllocationConfiguration and createQueue, FSParentQueue.verifyAndSetPolicyFromConf and
SchedulingPolicy.isChildPolicyAllowed. Order of creation: root (and root.default up to 3.3), all leaves with the
parents they need, then parents without leaves; within a pass the order of a Java HashSet of full names.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairsim.config.allocation import RawAllocation
from fairsim.config.names import DEFAULT_QUEUE, ROOT, ancestors, full_name, parent_of
from fairsim.javanum import hash_set_order
from fairsim.model.queues import Lost, Queue, QueueTree, allows

BELOW_DEFAULT = DEFAULT_QUEUE + "."


def build_tree(raw: RawAllocation, *, as_created: bool = False) -> QueueTree:
    """Returns the effective queue tree of a file that this Hadoop version loads.

    `as_created`: children stand in the order in which Hadoop creates them also where shares do not depend on it.
    """
    return _Manager(raw).load(as_created=as_created)


class _Manager:
    """The queues while they are made."""

    def __init__(self, raw: RawAllocation):
        self.raw = raw
        self.features = raw.profile.features
        root = Queue(ROOT, None, False, "fair", raw.types.zero())
        self.tree = QueueTree(raw.profile, raw.types, raw.defaults, root, raw.queues)
        self.tree.users = raw.users
        self.tree.locate = raw.document.pos
        self.queues = self.tree.queues
        self.refused: dict[str, tuple[str, str]] = {}  # full name → queue at fault, reason

    def load(self, *, as_created: bool) -> QueueTree:
        root = self.tree.root
        self.tree.settle(root)
        existing = [root]
        if not self.features.no_default_queue:
            existing.append(self._add(DEFAULT_QUEUE, root, leaf=True, policy="fair"))
        self._set_existing_policies(existing)
        raw = self.raw
        # the order matters where int sums depend on it, and where queues stand in each other's way
        clash = not raw.leaves.keys().isdisjoint(raw.parents) or any(
            key.startswith(BELOW_DEFAULT) for key in raw.parents
        )
        exact_order = as_created or clash or raw.profile.line != "L"
        for keys, leaf in ((raw.leaves, True), (raw.parents, False)):
            for key in hash_set_order(keys) if exact_order else keys:
                self._ensure(full_name(key), leaf)
        self._find_lost(raw.queues)
        return self.tree

    # -- policies

    def _set_existing_policies(self, existing: list[Queue]) -> None:
        """Gives the queues of before the file their policies; a conflict leaves the old ones (fair)."""
        root, *children = existing
        wanted = self.tree.policy_for(ROOT)
        if not self.features.policy_check:
            root.policy = "fair" if wanted == "fifo" else wanted
            if wanted == "fifo":
                root.notes.append("fifo is refused for parents: fair")
            for child in children:
                child.policy = self.tree.policy_for(child.name)
            return
        for child in children:
            policy = self.tree.policy_for(child.name)
            if not allows(wanted, policy):
                root.notes.append(f"policy stays fair: {wanted} above {child.name} ({policy}) is refused")
                return
            child.policy = policy
        root.policy = wanted

    # -- creation

    def _ensure(self, name: str, leaf: bool) -> None:
        # Hadoop never removes a queue for the sake of one below root.default; up to 3.1 it does not even create that
        below_default = name.startswith(BELOW_DEFAULT)
        if below_default and not self.features.dynamic_queues:
            return
        existing = self.queues.get(name)
        if existing is not None:
            if existing.leaf == leaf or name == ROOT or below_default:
                return
            self._remove(existing)
        self._create(name, leaf, may_remove=not below_default)

    def _remove(self, queue: Queue) -> None:
        if self.raw.profile.line == "I":
            self.tree.steps.append((queue, False))
        for below in list(queue.walk()):
            del self.queues[below.name]
        if queue.parent is not None:
            queue.parent.children.remove(queue)

    def _create(self, name: str, leaf: bool, may_remove: bool) -> None:
        missing = [name]
        while (above := parent_of(missing[-1])) not in self.queues:
            missing.append(above)
        parent = self.queues[above]
        if parent.leaf:
            if not may_remove:
                return
            grand = parent.parent
            self._remove(parent)
            assert grand is not None
            missing.append(parent.name)
            parent = grand
        for level in reversed(missing):
            is_leaf = leaf and level is name
            policy = self.tree.policy_for(level)
            if policy != parent.policy or policy == "fifo":
                reason = self.tree.policy_conflict(policy, parent.policy, is_leaf)
                if reason:
                    self.refused[level] = (level, reason)
                    return
            parent = self._add(level, parent, is_leaf, policy)

    def _add(self, name: str, parent: Queue, leaf: bool, policy: str) -> Queue:
        queue = self.tree.new_queue(name, parent, leaf, policy)
        parent.children.append(queue)
        self.queues[name] = queue
        if self.raw.profile.line == "I":
            self.tree.steps.append((queue, True))
        return queue

    # -- what is missing

    def _find_lost(self, keys: Iterable[str]) -> None:
        for key in [key for key in keys if key not in self.queues and full_name(key) not in self.queues]:
            name = full_name(key)
            fault, reason = self._why_lost(name)
            self.tree.lost.append(Lost(name, fault, reason, self.raw.queues[key].element))

    def _why_lost(self, name: str) -> tuple[str, str]:
        """Returns the queue at fault and the reason for a queue that is not there."""
        path = [*ancestors(name), name]
        for level in reversed(path):
            if level in self.refused:
                return self.refused[level]
        for level in path:
            if level in self.raw.leaves and level in self.raw.parents:
                return level, "written as a leaf and as a parent: what was made below it is dropped"
        if name.startswith(BELOW_DEFAULT):
            return DEFAULT_QUEUE, "Hadoop made root.default a leaf before it read the file"
        return name, "its place is taken by a leaf queue"
