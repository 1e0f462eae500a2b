"""What to write instead, for an application that is not placed."""

from __future__ import annotations

from fairsim.config.names import full_name, near_queue
from fairsim.placement.access import SUBMIT
from fairsim.placement.submission import PLACED, Landing
from fairsim.report.place import Told, line_of

#: As many leaves below a parent are named.
MOST = 4
_LAST_RULE = 'end the rules with <rule name="default" queue="..."/>, so that there is a queue for everybody'


def hint_of(told: Told, landing: Landing) -> str:
    """Returns what helps, empty when the application is placed."""
    if landing.outcome == PLACED:
        return ""
    find = {
        "NO_PLACEMENT": _unplaced, "NO_RULE": _unplaced, "REJECT_RULE": _unplaced, "NOT_A_LEAF": _not_a_leaf,
        "ACL_RM": _access, "ACL_SCHED": _access, "BAD_NAME": _bad_name, "BAD_NODE": _bad_node,
        "NO_GROUPS": _groups, "GROUP_LOOKUP": _groups, "AM_TOO_BIG": _too_big,
    }.get(landing.code)  # fmt: skip
    if find is not None:
        return find(told, landing)
    return {
        "ACL_SPELLING": "ask for the queue by its name in the file, beginning with root. in small letters",
        "EMPTY_REQ": "name a queue, or leave --queue out to ask for none",
        "ZERO_RESOURCE": f"write a maxResources above 0 for {landing.queue}",
        "POLICY_CONFLICT": "write the queue in the file with a schedulingPolicy that goes with that of its parent",
    }.get(landing.code, "")  # fmt: skip


def _unplaced(told: Told, landing: Landing) -> str:
    placement = told.placement
    requested = landing.requested
    name = full_name(requested)
    lost = next((one for one in placement.tree.lost if one.name == name), None)
    if lost is not None:
        line = line_of(placement, lost.element)
        return f"the file has {name} ({told.file}:{line}), but Hadoop never makes it: {lost.why}"
    if requested != "default" and name not in placement.tree.queues:
        near = near_queue(name, [queue.name for queue in placement.tree.queues.values() if queue.leaf])
        if near:
            return f"there is no queue {name}; did you mean {near}?"
    leaves = [queue.name for queue in placement.tree.queues.values() if queue.leaf]
    some = f" ({', '.join(leaves[:MOST])}{', ...' * (len(leaves) > MOST)})" if leaves else ""
    last = placement.policy.rules[-1]
    line = line_of(placement, last.element)
    where = f" (the last one, {last.name}, is at {told.file}:{line})" if line is not None else ""
    return f"ask for a queue of the file{some}, or {_LAST_RULE}{where}"


def _not_a_leaf(told: Told, landing: Landing) -> str:
    tree = told.placement.tree
    live = told.placement.live
    name = landing.queue
    known = live.get(name)
    if known is not None and not known.leaf:
        leaves = [one.name for one in live.known.values() if one.leaf and one.name.startswith(f"{name}.")]
        some = ", ".join(leaves[:MOST]) + (", ..." if len(leaves) > MOST else "")
        return f"ask for a leaf below it: {some}" if leaves else f"ask for a leaf queue: {name} has none"
    above = live.deepest(name).name
    queue = tree.written.get(above)
    line = line_of(told.placement, queue.element) if queue is not None else None
    where = f" ({told.file}:{line})" if line is not None else ""
    if above == name:  # it is a leaf, and reservable: applications go below it
        return f"take <reservation/> out of {above}{where}, or let it load: as it is, it is a leaf made on the fly"
    name = above.rpartition(".")[2]
    return f'ask for {above} itself, or make it a parent: <queue name="{name}" type="parent">{where}'


def _access(told: Told, landing: Landing) -> str:
    placement = told.placement
    queue = landing.queue
    while queue not in placement.access.table:
        queue = queue.rpartition(".")[0]
    names = " or ".join([told.user, *(told.groups or ())[:2]])
    lists = placement.access.table[queue]
    line = line_of(placement, lists[SUBMIT].element)
    where = f"{told.file}:{line}" if line is not None else f"{told.file}, where it is not written"
    form = "users by commas, one blank, groups by commas"
    return f"add {names} to aclSubmitApps of {queue} ({where}): {form}"


def _too_big(told: Told, landing: Landing) -> str:
    from fairsim.units import format_amount  # rare

    placement, tree = told.placement, told.placement.tree
    limits = []
    if placement.settings.largest is not None:
        size = format_amount(placement.settings.largest, tree.types)
        limits.append(f"{size} by yarn.scheduler.maximum-allocation-mb and -vcores and the nodes")
    queue = tree.queues.get(full_name(landing.queue or landing.requested))
    limit = tree.max_container(queue) if queue is not None and tree.profile.features.max_container_allocation else None
    if limit is not None and limit.value is not None:
        line = line_of(placement, limit.element)
        where = f" ({told.file}:{line})" if line is not None else ""
        limits.append(f"{format_amount(limit.value.amount, tree.types)} by maxContainerAllocation of {limit.of}{where}")
    return f"ask for no more than {', and '.join(limits)}"


def _bad_name(_told: Told, landing: Landing) -> str:
    bare = landing.requested.strip().strip(".").strip()
    return f"ask for {bare}" if bare not in ("", "root") else "name a leaf queue"


def _bad_node(_told: Told, landing: Landing) -> str:
    parts = [part.strip() for part in landing.queue.split(".")]
    return f"ask for {'.'.join(filter(None, parts))}: no part of a name is empty or has blanks around it"


def _groups(told: Told, _landing: Landing) -> str:
    if told.assumed:
        return f"tell the groups of {told.user}: --groups eng,ops"
    user = told.user
    return f"the ResourceManager must know a group of {user} (`id {user}` there), or put another rule before this one"
