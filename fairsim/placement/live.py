"""The queues as they are while applications come: those of the file, and those made on the fly.

Follows QueueManager.getLeafQueue, getQueue and createQueue.
"""

from __future__ import annotations

from fairsim.config.names import UNICODE_BLANKS, full_name, parent_of
from fairsim.javanum import trim
from fairsim.model.queues import QueueTree


class Known:
    """One queue that exists: a leaf or a parent, of the file (static) or made on the fly, with its policy."""

    __slots__ = ("leaf", "name", "policy", "static")

    def __init__(self, name: str, leaf: bool, static: bool, policy: str):
        self.name = name
        self.leaf = leaf
        self.static = static
        self.policy = policy

    @property
    def state(self) -> str:
        """Returns what it is, in words."""
        return f"{'' if self.static else 'ad hoc '}{'leaf' if self.leaf else 'parent'}"


class BadName(Exception):
    """A part of a queue's name is empty or has blanks around it: InvalidQueueNameException."""

    def __init__(self, name: str, node: str, offset: int):
        super().__init__(f"the part {node!r} of {name} at offset {offset} is empty or has blanks around it")
        self.node, self.offset = node, offset


class NoLeaf(Exception):
    """The queue cannot take applications; `code` is NOT_A_LEAF or POLICY_CONFLICT, `at` the queue in the way."""

    def __init__(self, code: str, message: str, at: str):
        super().__init__(message)
        self.code, self.at = code, at
        self.made: list[Known] = []


class Live:
    """The queues of one scheduler, by full name in `known`."""

    def __init__(self, tree: QueueTree):
        self.tree = tree
        self.features = tree.profile.features
        self.known = {
            queue.name: Known(queue.name, queue.leaf, True, queue.policy) for queue in tree.queues.values()
        }
        version = tree.profile.version
        self.checks_nodes = self.features.nonempty_names
        self.blanks = UNICODE_BLANKS + ("\u180e" if version < (3, 0) else "")

    def get(self, name: str) -> Known | None:
        """Returns the queue of a name, with or without `root.`."""
        return self.known.get(full_name(name))

    def deepest(self, name: str) -> Known:
        """Returns the queue itself, else the nearest one above it that exists."""
        level = full_name(name)
        while (found := self.known.get(level)) is None:
            level = parent_of(level)
        return found

    def add(self, name: str, leaf: bool) -> None:
        """Makes a queue that was made on the fly before. Raises BadName, and NoLeaf where another kind stands there."""
        full = full_name(name)
        found = self.known.get(full)
        if found is None and leaf:
            self.leaf(full, keep=True)
        elif found is None:
            above = parent_of(full)
            self.add(above, leaf=False)
            self.known[full] = Known(full, False, False, self.tree.policy_for(full))
        elif found.leaf != leaf:
            raise NoLeaf("NOT_A_LEAF", f"{full} is a {found.state} queue", full)

    def leaf(self, name: str, *, keep: bool) -> tuple[str, list[Known]]:
        """Returns the full name of the leaf for an application, and the queues made for it, parents first.

        `keep`: they stay. Raises BadName and NoLeaf, with the queues made before that in `NoLeaf.made`.
        """
        full = full_name(name)
        found = self.known.get(full)
        if found is not None:
            if not found.leaf:
                raise NoLeaf("NOT_A_LEAF", f"{full} is not a leaf queue", full)
            return full, []
        missing = [full]
        while (above := parent_of(missing[-1])) not in self.known:
            self._check_node(full, missing[-1], above)
            missing.append(above)
        self._check_node(full, missing[-1], above)
        parent = self.known[above]
        if parent.leaf:
            raise NoLeaf("NOT_A_LEAF", f"{full} cannot be made: {above} is a leaf queue", above)
        made: list[Known] = []
        for level in reversed(missing):
            policy = self.tree.policy_for(level)
            reason = self.tree.policy_conflict(policy, parent.policy, level is full)
            if reason:
                error = NoLeaf("POLICY_CONFLICT", f"{level} cannot be made: {reason}", level)
                error.made = made
                raise error
            parent = Known(level, level is full, False, policy)
            made.append(parent)
            if keep:
                self.known[level] = parent
        return full, made

    def _check_node(self, full: str, level: str, above: str) -> None:
        if not self.checks_nodes:
            return
        node = level[len(above) + 1 :]
        bare = node.strip(self.blanks) if self.features.unicode_trim else trim(node)
        if not node or bare != node:
            raise BadName(full, node, len(above) + 1)
