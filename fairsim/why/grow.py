"""Queues that come into being while the scheduler runs.

Follows QueueManager.createQueue: intermediate queues are parents, the last one is a leaf; each has the policy that the
file gives to its name, else defaultQueueSchedulingPolicy, and the limits of a queue without an element of its own.
"""

from __future__ import annotations

from fairsim.model.queues import Queue, QueueTree


def grow(tree: QueueTree, name: str, *, leaf: bool = True) -> Queue | None:
    """Returns the queue of this full name, made in `tree` with the parents it needs when it is not there.

    None where Hadoop would not make it: a leaf stands in its way, or the policies do not go together.
    """
    missing = []
    level = name
    while (queue := tree.queues.get(level)) is None:
        missing.append(level)
        level, dot, _ = level.rpartition(".")
        if not dot:
            return None
    for level in reversed(missing):
        policy = tree.policy_for(level)
        is_leaf = leaf and level is name
        if queue.leaf or tree.policy_conflict(policy, queue.policy, is_leaf):
            return None
        parent, queue = queue, tree.new_queue(level, queue, is_leaf, policy)
        parent.children.append(queue)
        tree.queues[level] = queue
    return queue
