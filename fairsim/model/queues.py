"""The effective queue tree of one Hadoop version: what is in force for each queue, and where it comes from.

Effective values follow AllocationConfiguration, FSQueue, FSParentQueue and FSLeafQueue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from fairsim.diag import Pos
from fairsim.model.resources import INT_MAX, LONG_MAX, Amount, ResourceTypes
from fairsim.profiles import Profile


class Limit(Protocol):
    """A resource limit that may depend on the size of the cluster."""

    def at(self, cluster: Amount) -> Amount:
        """Returns the amount at a cluster of this size."""


class Field(NamedTuple):
    """One value of the file: the parsed value, and the element that holds it (None: a what-if change put it there)."""

    value: Any
    element: Any


class Setting(NamedTuple):
    """An effective value and its origin.

    `origin` is own, inherited, file-default, default or changed (by a what-if); `of` names the queue or the element
    that it comes from, `element` holds its place, None for Hadoop's own defaults.
    """

    value: Any
    origin: str
    of: str
    element: Any = None


class Written(Protocol):
    """What the file says under one name, and its place among the queues of the file."""

    fields: dict[str, Field]
    element: Any
    index: int


class Lost(NamedTuple):
    """A queue that the file declares and Hadoop never creates: full name, the queue at fault, reason, element."""

    name: str
    fault: str
    reason: str
    element: Any

    @property
    def why(self) -> str:
        """Returns the reason, with the queue at fault where it is another one."""
        return self.reason if self.fault == self.name else f"{self.fault}: {self.reason}"


NO_FIELDS: Mapping[str, Field] = {}


def _from(field: Field, origin: str, of: str) -> Setting:
    return Setting(field.value, origin if field.element is not None else "changed", of, field.element)


class Queue:
    """One queue that exists after the file is loaded.

    `index` is its place in the file (-1 for queues that the file does not name), `children` stand in the order in
    which they were made (see `build_tree`), `notes` say what is odd about it.
    """

    __slots__ = ("children", "element", "fields", "index", "leaf", "min", "name", "notes", "parent", "policy", "weight")

    def __init__(self, name: str, parent: Queue | None, leaf: bool, policy: str, zero: Amount):
        self.name = name
        self.parent = parent
        self.leaf = leaf
        self.policy = policy
        self.children: list[Queue] = []
        self.fields = NO_FIELDS
        self.element: Any = None
        self.index = -1
        self.weight = 1.0
        self.min = zero
        self.notes: list[str] = []

    def walk(self) -> Iterator[Queue]:
        """Yields this queue and all below it, parents first, siblings in the order of the file."""
        stack = [self]
        while stack:
            queue = stack.pop()
            yield queue
            if queue.children:
                stack.extend(sorted(queue.children, key=_file_order, reverse=True))

    def path(self) -> list[Queue]:
        """Returns the queues from root down to this one."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


_file_order = attrgetter("index")


def allows(parent: str, child: str) -> bool:
    """Tells whether a parent of one policy takes a child of the other (SchedulingPolicy.isChildPolicyAllowed)."""
    return parent != "fifo" and not (parent == "fair" and child == "drf")


class QueueTree:
    """The queues that one Hadoop version creates from one file, with everything that is in force.

    `written` is what the file says by name, also of queues that do not exist.
    """

    def __init__(
        self,
        profile: Profile,
        types: ResourceTypes,
        defaults: Mapping[str, Field],
        root: Queue,
        written: Mapping[str, Written],
    ):
        self.profile = profile
        self.types = types
        self.defaults = defaults
        self.written = written
        policy = defaults.get("defaultQueueSchedulingPolicy")
        self.default_policy: str = policy.value if policy else "fair"
        self.root = root
        self._zero = types.zero()
        self.queues: dict[str, Queue] = {root.name: root}
        self.lost: list[Lost] = []
        self.steps: list[tuple[Queue, bool]] = []  # 2.6 and 2.7: queues in the order made (true) and removed (false)
        self.users: Mapping[str, Field] = {}
        self.locate: Callable[[Any], Pos] | None = None  # the place of an element in the file

    def in_order(self) -> list[Queue]:
        """Returns every queue, parents first, siblings in the order of the file."""
        return list(self.root.walk())

    # -- queues that come into being

    def policy_for(self, name: str) -> str:
        """Returns the policy with which a queue of this full name is made: its own in the file, else the default."""
        written = self.written.get(name)
        field = written.fields.get("schedulingPolicy") if written is not None else None
        return self.default_policy if field is None else str(field.value)

    def policy_conflict(self, policy: str, above: str, leaf: bool) -> str:
        """Returns why no queue of this policy is made below a parent of the policy `above`, empty where one is.

        From 2.9 on (SchedulingPolicy.isChildPolicyAllowed, FSParentQueue.verifyAndSetPolicyFromConf).
        """
        if not self.profile.features.policy_check:
            return ""
        if not allows(above, policy):
            return f"{policy} below {above}"
        return "fifo is for leaf queues only" if policy == "fifo" and not leaf else ""

    def new_queue(self, name: str, parent: Queue, leaf: bool, policy: str) -> Queue:
        """Returns a queue with what the file says of it; it is not put into the tree (QueueManager.createQueue)."""
        queue = Queue(name, parent, leaf, policy, self._zero)
        if policy == "fifo" and not leaf:  # up to 2.8, where a new queue begins with the default policy
            queue.policy = "fair" if self.default_policy == "fifo" else self.default_policy
            queue.notes.append(f"fifo is refused for parents: {queue.policy}")
        self.settle(queue)
        return queue

    def settle(self, queue: Queue) -> None:
        """Gives a queue what the file says under exactly its full name."""
        written = self.written.get(queue.name)
        if written is None:
            return
        queue.fields = written.fields
        queue.element = written.element
        queue.index = written.index
        if not written.fields:
            return
        field = written.fields.get("weight")
        if field is not None:
            queue.weight = field.value
        field = written.fields.get("minResources")
        if field is not None and field.value.fractions is None:
            queue.min = field.value.amount

    def unlimited(self) -> Amount:
        """Returns the maximum of a queue without maxResources: the largest numbers of this version."""
        features = self.profile.features
        if not features.long_values:
            return (INT_MAX,) * len(self.types.names)
        vcores = LONG_MAX if features.custom_types else INT_MAX
        return (LONG_MAX, vcores) + (LONG_MAX,) * len(self.types.custom)

    # -- effective values with their origin

    def _own_or_default(self, queue: Queue, name: str, default_element: str, fallback: Any) -> Setting:
        if field := queue.fields.get(name):
            return _from(field, "own", queue.name)
        if field := self.defaults.get(default_element):
            return _from(field, "file-default", default_element)
        return Setting(fallback, "default", "Hadoop")

    def weight(self, queue: Queue) -> Setting:
        """Returns the weight (a float rounded to 32 bits); root's is not used."""
        return self._own_or_default(queue, "weight", "", 1.0)

    def minimum(self, queue: Queue) -> Setting:
        """Returns the minimum; a percentage counts as nothing (FSQueue.getMinShare)."""
        field = queue.fields.get("minResources")
        if field is None:
            return Setting(self.types.zero(), "default", "Hadoop")
        return _from(field, "own", queue.name)._replace(value=queue.min)

    def max_limit(self, queue: Queue) -> Setting:
        """Returns the configured maximum as a `Limit`, None when it is unlimited."""
        if queue.index < 0 and queue.parent is not None and self.profile.features.max_child_resources:
            field = queue.parent.fields.get("maxChildResources")
            if field is not None:
                return _from(field, "inherited", queue.parent.name)
        return self._own_or_default(queue, "maxResources", "queueMaxResourcesDefault", None)

    def max_at(self, queue: Queue, cluster: Amount) -> Amount:
        """Returns the effective maximum at this cluster, raised to the minimum where this version does so."""
        setting = self.max_limit(queue)
        most = self.unlimited() if setting.value is None else setting.value.at(cluster)
        features = self.profile.features
        if features.max_raised_to_min:
            if any(queue.min):
                return tuple(map(max, most, queue.min))
            return most if min(most) >= 0 else tuple(max(part, 0) for part in most)
        if features.queue_max_default and setting.origin != "own" and queue.min[0] > most[0]:
            return queue.min  # 2.8: the minimum takes the place of a smaller default
        return most

    def max_running_apps(self, queue: Queue) -> Setting:
        """Returns the limit of running applications."""
        return self._own_or_default(queue, "maxRunningApps", "queueMaxAppsDefault", INT_MAX)

    def max_am_share(self, queue: Queue) -> Setting:
        """Returns the part of the share that masters may use; -1 switches the check off."""
        return self._own_or_default(queue, "maxAMShare", "queueMaxAMShareDefault", 0.5)

    def configured_policy(self, queue: Queue) -> Setting:
        """Returns the policy that the file asks for; `queue.policy` is the one in force."""
        return self._own_or_default(queue, "schedulingPolicy", "defaultQueueSchedulingPolicy", "fair")

    def acl(self, queue: Queue, kind: str) -> Setting:
        """Returns the text of aclSubmitApps or aclAdministerApps: `*` for root, nobody elsewhere when not written."""
        if field := queue.fields.get(kind):
            return _from(field, "own", queue.name)
        return Setting("*" if queue.parent is None else " ", "default", "Hadoop")

    def max_container(self, queue: Queue) -> Setting:
        """Returns the `Limit` of one container: own, else of the nearest ancestor, None without any.

        A percentage counts as nothing, and so does a limit without a bound (FSQueue.getMaximumContainerAllocation).
        """
        for level in reversed(queue.path()):
            field = level.fields.get("maxContainerAllocation")
            if field is None or field.value.fractions is not None:
                continue
            memory, vcores, *custom = field.value.amount
            if level.parent is None or memory < LONG_MAX or vcores < INT_MAX or any(most < LONG_MAX for most in custom):
                return _from(field, "own" if level is queue else "inherited", level.name)
        return Setting(None, "default", "Hadoop")

    def preemption(self, queue: Queue, name: str) -> Setting:
        """Returns minSharePreemptionTimeout, fairSharePreemptionTimeout (ms) or fairSharePreemptionThreshold.

        Own, else the parent's, for root the default elements, else never (LONG_MAX ms) and 0.5.
        """
        for level in reversed(queue.path()):
            if field := level.fields.get(name):
                return _from(field, "own" if level is queue else "inherited", level.name)
        default = "default" + name[0].upper() + name[1:]
        for element in (default, name):  # the second: the legacy fairSharePreemptionTimeout at the top
            if field := self.defaults.get(element):
                return _from(field, "file-default", element)
        return Setting(0.5 if name.endswith("Threshold") else LONG_MAX, "default", "Hadoop")

    def preemptable(self, queue: Queue) -> Setting:
        """Returns whether containers of the queue may be preempted: false as soon as any queue of the path says so."""
        for level in queue.path():
            field = level.fields.get("allowPreemptionFrom")
            if field is not None and not field.value:
                return _from(field, "own" if level is queue else "inherited", level.name)
        return Setting(True, "default", "Hadoop")

    def settings(self, queue: Queue) -> list[tuple[str, Setting]]:
        """Returns every effective value of a queue by the name of its element."""
        found = [
            ("weight", self.weight(queue)),
            ("minResources", self.minimum(queue)),
            ("maxResources", self.max_limit(queue)),
            ("maxRunningApps", self.max_running_apps(queue)),
            ("schedulingPolicy", self.configured_policy(queue)),
        ]
        if queue.leaf:
            found.append(("maxAMShare", self.max_am_share(queue)))
        if self.profile.features.max_container_allocation:
            found.append(("maxContainerAllocation", self.max_container(queue)))
        found += [
            (name, self.preemption(queue, name))
            for name in ("minSharePreemptionTimeout", "fairSharePreemptionTimeout", "fairSharePreemptionThreshold")
        ]
        if self.profile.features.allow_preemption_from:
            found.append(("allowPreemptionFrom", self.preemptable(queue)))
        found += [(kind, self.acl(queue, kind)) for kind in ("aclSubmitApps", "aclAdministerApps")]
        return found
