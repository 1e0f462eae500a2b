"""Who may submit to a queue and administer it.

Follows AccessControlList and ConfiguredYarnAuthorizer (up to 2.8 FSQueue.hasAccess and AllocationConfiguration
.getQueueAcl): an entry of the queue or of any queue above it lets a user in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsim.config.allocation import RawAllocation
from fairsim.config.names import ROOT, parent_of
from fairsim.javanum import trim
from fairsim.profiles import Profile

SUBMIT = "aclSubmitApps"
ADMINISTER = "aclAdministerApps"
EVERYBODY = "*"
NOBODY = " "


class Entry:
    """One list: everybody, or users and groups by name. `text` as written, `element` None where nothing is written.

    `lines`: a line break ends a name, as a comma does (2.8.2 and later).
    """

    __slots__ = ("element", "everybody", "groups", "text", "users")

    def __init__(self, text: str, element: Any = None, *, lines: bool = True):
        self.text = text
        self.element = element
        parts = text.split(" ", 1)
        self.everybody = any(trim(part) == EVERYBODY for part in parts)
        self.users: tuple[str, ...] = ()
        self.groups: tuple[str, ...] = ()
        if not self.everybody:
            self.users = _names(parts[0], lines)
            self.groups = _names(parts[1], lines) if len(parts) > 1 else ()

    def allows(self, user: str, groups: Sequence[str]) -> bool:
        """Returns whether the list lets a user with these groups in."""
        if self.everybody or user in self.users:
            return True
        return bool(self.groups) and any(group in self.groups for group in groups)


def _names(text: str, lines: bool) -> tuple[str, ...]:
    """The names between commas (and line breaks); blanks around them do not count (StringUtils.getTrimmedStrings)."""
    if lines:
        text = text.replace("\n", ",")
    return tuple(name for part in text.split(",") if (name := part.strip(" \t\n\x0b\x0c\r")))


_ALL, _NONE = Entry(EVERYBODY), Entry(NOBODY)  # where nothing is written


class Verdict:
    """Whether a user may do something in a queue, and the list that says so (None: no list does)."""

    __slots__ = ("allowed", "entry", "kind", "queue")

    def __init__(self, queue: str = "", kind: str = "", entry: Entry | None = None):
        self.queue = queue
        self.kind = kind
        self.entry = entry
        self.allowed = entry is not None


class Access:
    """The lists of one file, by the names under which Hadoop keeps them."""

    def __init__(self, raw: RawAllocation, profile: Profile):
        self.lines = profile.features.acl_lines
        self.table: dict[str, Mapping[str, Entry]] = {
            key: {kind: self._entry(queue.fields.get(kind), key) for kind in (SUBMIT, ADMINISTER)}
            for key, queue in raw.queues.items()
        }
        if ROOT not in self.table:
            self.table[ROOT] = {SUBMIT: Entry(EVERYBODY), ADMINISTER: Entry(EVERYBODY)}
        self.chains: dict[str, list[tuple[str, Mapping[str, Entry]]]] = {}

    def _entry(self, field: Any, key: str) -> Entry:
        if field is None:
            return _ALL if key == ROOT else _NONE
        return Entry(field.value, field.element, lines=self.lines)

    def lists(self, queue: str) -> Sequence[tuple[str, Mapping[str, Entry]]]:
        """Returns the lists that count for a queue, from it up to root; queues that no file names have none."""
        while queue and queue not in self.table:
            queue = parent_of(queue)
        chain = self.chains.get(queue)
        if chain is None:
            chain = self.chains[queue] = []
            name = queue
            while name:
                if name in self.table:
                    chain.append((name, self.table[name]))
                name = parent_of(name)
        return chain

    def may(self, user: str, groups: Sequence[str], queue: str, *kinds: str) -> Verdict:
        """Returns whether the user may do one of `kinds` (aclSubmitApps, aclAdministerApps) in a queue."""
        for kind in kinds:
            for name, lists in self.lists(queue):
                if lists[kind].allows(user, groups):
                    return Verdict(name, kind, lists[kind])
        return Verdict()

    def submit(self, user: str, groups: Sequence[str], queue: str) -> Verdict:
        """Returns whether the user may submit to a queue: the right to administer it is enough."""
        return self.may(user, groups, queue, SUBMIT, ADMINISTER)
