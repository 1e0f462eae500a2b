"""What the rules look at: one file, as one Hadoop version reads it, with what is known around it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from fairsim.config.allocation import CHILD_QUEUE_TAGS, RawAllocation
from fairsim.config.site import Site
from fairsim.javanum import trim
from fairsim.model.cluster import Cluster
from fairsim.model.queues import Field, Queue, QueueTree
from fairsim.model.resources import Amount, ResourceTypes
from fairsim.placement.access import Access
from fairsim.profiles import Profile
from fairsim.xmlio.reader import Document, Element


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
    def queues(self) -> list[Queue]:
        """The queues in force, parents first, in the order of the file."""
        return self.tree.in_order()

    @cached_property
    def access(self) -> Access:
        """The lists of who may submit and administer."""
        return Access(self.raw)

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

    def fields(self, *tags: str) -> Iterator[tuple[str, str, Field]]:
        """Yields the values that the file gives to queues: key of the queue, tag, value; only these tags, if any."""
        for key, queue in self.raw.queues.items():
            for tag, field in queue.fields.items():
                if not tags or tag in tags:
                    yield key, tag, field

    # -- yarn-site

    def property(self, name: str) -> Any:
        """The value of a yarn-site property that is in force, its default where nothing is written."""
        assert self.site is not None
        return self.site.typed(name, self.profile).value

    def written(self, name: str) -> Any:
        """The property as it is written (a `SiteValue`), None where it is not."""
        assert self.site is not None
        return self.site.written(self.profile).get(name)
