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
    found = tree.queues.get(name)
    if found is not None:
        return found
    above, dot, _ = name.rpartition(".")
    if not dot:
        return None
    parent = grow(tree, above, leaf=False)
    policy = tree.policy_for(name)
    if parent is None or parent.leaf or tree.policy_conflict(policy, parent.policy, leaf):
        return None
    queue = tree.new_queue(name, parent, leaf, policy)
    parent.children.append(queue)
    tree.queues[name] = queue
    return queue
