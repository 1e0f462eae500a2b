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
    if parent is None or parent.leaf:
        return None
    default = tree.defaults.get("defaultQueueSchedulingPolicy")
    policy: str = default.value if default else "fair"
    if tree.profile.features.policy_check:
        if parent.policy == "fifo" or (parent.policy == "fair" and policy == "drf") or (policy == "fifo" and not leaf):
            return None
    elif policy == "fifo" and not leaf:
        policy = "fair"
    queue = Queue(name, parent, leaf, policy, tree.types.zero())
    parent.children.append(queue)
    tree.queues[name] = queue
    return queue
