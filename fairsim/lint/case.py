"""What the rules look at: one file, as one Hadoop version reads it, with what is known around it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fairsim.config.allocation import CHILD_QUEUE_TAGS, RawAllocation
from fairsim.config.names import DEFAULT_QUEUE, full_name
from fairsim.config.placement_syntax import Rule
from fairsim.config.resource_types import Limits, container_size, read_limits
from fairsim.config.site import Site, build_site
from fairsim.javanum import trim
from fairsim.model.cluster import Cluster
from fairsim.model.queues import Field, Queue, QueueTree
from fairsim.model.resources import LONG_MAX, Amount, ResourceTypes
from fairsim.placement.access import Access
from fairsim.profiles import Profile
from fairsim.xmlio.reader import Document, Element

if TYPE_CHECKING:
    from fairsim.shares.solve import Shares


class Case:
    """One file under one version.

    `raw` is the file as it was read, with what Hadoop refuses left out; `tree` the queues in force, None where Hadoop
    would not load the file. `site`, `cluster` and `users` (groups by user) are None where nothing was given.
    """

    def __init__(
        self,
        raw: RawAllocation,
        tree: QueueTree | None,
        site: Site | None = None,
        cluster: Cluster | None = None,
        users: dict[str, tuple[str, ...]] | None = None,
    ):
        self.raw = raw
        self.profile: Profile = raw.profile
        self.types: ResourceTypes = raw.types
        self.document: Document = raw.document
        self.root: Element = raw.document.root
        self.site = site
        self.cluster = cluster
        self.users = users
        self._tree = tree

    @property
    def loads(self) -> bool:
        """Tells whether Hadoop would load the file."""
        return self._tree is not None

    @property
    def tree(self) -> QueueTree:
        """The queues in force; only rules that need TREE may ask."""
        assert self._tree is not None
        return self._tree

    @cached_property
    def size(self) -> Amount:
        """The size of the cluster by resource type; only rules that need CLUSTER may ask."""
        assert self.cluster is not None
        return self.cluster.total(self.types)

    @cached_property
    def shares(self) -> Shares | None:
        """The shares at this size with every queue active, None where Hadoop never finds them; needs CLUSTER, TREE."""
        from fairsim.shares.solve import Hangs, solve  # loads what computes

        try:
            return solve(self.tree, self.size)
        except Hangs:
            return None

    @cached_property
    def maxima(self) -> dict[Queue, Amount]:
        """The maxima in force, of queues for which one is written; without a cluster those in percent are left out."""
        size = self.types.zero() if self.cluster is None else self.size
        found: dict[Queue, Amount] = {}
        known: dict[tuple[int, Amount], Amount] = {}  # the queues of a large file share a few limits
        for queue in self.queues:
            limit = self.tree.max_limit(queue).value
            if limit is None or (limit.fractions is not None and self.cluster is None):
                continue
            key = id(limit), queue.min
            if key not in known:
                known[key] = self.tree.max_at(queue, size)
            found[queue] = known[key]
        return found

    @cached_property
    def limits(self) -> Limits:
        """Minimum, increment and maximum of a container, Hadoop's defaults where no yarn-site is given."""
        return read_limits(self.site or build_site(), self.types, self.profile)

    @cached_property
    def smallest(self) -> Amount:
        """The smallest container that Hadoop gives: the minimum allocation, in whole increments."""
        return self.container(self.types.zero())

    def container(self, size: Amount) -> Amount:
        """The size of the container that Hadoop gives for a request."""
        most = (LONG_MAX,) * len(self.types.names)
        return container_size(size, self.limits, most, self.profile, master=False)

    @cached_property
    def queues(self) -> list[Queue]:
        """The queues in force, parents first, in the order of the file."""
        return self.tree.in_order()

    @cached_property
    def makes_queues(self) -> bool:
        """Tells whether applications may end up in queues that are made on the fly; only rules that need TREE may ask.

        Without rules in the file yarn-site tells; Hadoop's default is yes.
        """
        if self.raw.rules is not None:
            return any(_makes(rule, self.tree) for rule in self.raw.rules)
        name = "yarn.scheduler.fair.allow-undeclared-pools"
        return self.site is None or bool(self.property(name)) or DEFAULT_QUEUE not in self.tree.queues

    @cached_property
    def access(self) -> Access:
        """The lists of who may submit and administer."""
        return Access(self.raw, self.profile)

    # -- the file as written

    @cached_property
    def queue_elements(self) -> list[tuple[str, Element, Element | None]]:
        """Every <queue> and <pool> of the file in document order: full name as written, the element, its parent."""
        found: list[tuple[str, Element, Element | None]] = []
        tops = list(self.root) if self.root.tag == "allocations" else []
        stack: list[tuple[Element, str, Element | None]] = [
            (element, "", None) for element in reversed(tops) if element.tag in ("queue", "pool")
        ]
        while stack:
            element, above, parent = stack.pop()
            name = trim(element.get("name") or "")
            full = f"{above}.{name}" if above else name if name.lower() == "root" and parent is None else f"root.{name}"
            found.append((full, element, parent))
            stack.extend((child, full, element) for child in reversed(list(element)) if child.tag in CHILD_QUEUE_TAGS)
        return found

    @cached_property
    def value_elements(self) -> list[tuple[str, Element]]:
        """Every element of the file that holds a value or ought to: the queue or user it is in ("" at the top), it."""
        if self.root.tag != "allocations":
            return []
        found: list[tuple[str, Element]] = []
        for element in self.root:
            if element.tag == "user":
                found += [(f"user {element.get('name') or ''}", child) for child in element]
            elif element.tag not in ("queue", "pool", "queuePlacementPolicy"):
                found.append(("", element))
        for name, queue, _ in self.queue_elements:
            found += [(name, child) for child in queue if child.tag not in CHILD_QUEUE_TAGS]
        return found

    def fields(self, *tags: str) -> Iterator[tuple[str, str, Field]]:
        """Yields the values with these tags that the file gives to queues: key of the queue, tag, value."""
        if len(tags) == 1:
            yield from (value for _, value in self._by_tag.get(tags[0], ()))
            return
        found = [entry for tag in tags for entry in self._by_tag.get(tag, ())]
        found.sort(key=lambda entry: entry[0])
        yield from (value for _, value in found)

    @cached_property
    def _by_tag(self) -> dict[str, list[tuple[int, tuple[str, str, Field]]]]:
        """The values of queues by their tag, each with its number in the order of the file."""
        found: dict[str, list[tuple[int, tuple[str, str, Field]]]] = {}
        number = 0
        for key, queue in self.raw.queues.items():
            for tag, field in queue.fields.items():
                found.setdefault(tag, []).append((number, (key, tag, field)))
                number += 1
        return found

    # -- yarn-site

    def property(self, name: str) -> Any:
        """The value of a yarn-site property that is in force, its default where nothing is written."""
        assert self.site is not None
        return self.site.typed(name, self.profile).value

    def written(self, name: str) -> Any:
        """The property as it is written (a `SiteValue`), None where it is not."""
        assert self.site is not None
        return self.site.written(self.profile).get(name)


def _makes(rule: Rule, tree: QueueTree) -> bool:
    """Tells whether a rule of placement may make a queue."""
    if rule.name == "default":
        return rule.create and full_name(rule.queue or "default") not in tree.queues
    made = rule.create and rule.name != "reject"
    return made or (rule.nested is not None and _makes(rule.nested, tree))
