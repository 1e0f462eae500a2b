"""Who may kill, view and move the applications of a queue.

Follows ApplicationACLsManager and QueueACLsManager: without yarn.acl.enable everybody may; with it the owner, the
administrators of yarn.admin.acl and those of the queue's aclAdministerApps. An application's own lists are not known.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairsim.placement.access import ADMINISTER, Access, Entry, Verdict


class Administrators:
    """Everybody who may, whatever the queue; `text` is yarn.admin.acl."""

    __slots__ = ("enabled", "entry")

    def __init__(self, enabled: bool, text: str = "*", *, lines: bool = True):
        self.enabled = enabled
        self.entry = Entry(text, lines=lines)

    def may(self, access: Access, user: str, groups: Sequence[str], queue: str) -> tuple[bool, str, Verdict | None]:
        """Returns whether a user may administer applications of others in a queue, by what, and the list, if one."""
        if not self.enabled:
            return True, "yarn.acl.enable is off: everybody may", None
        if self.entry.allows(user, groups):
            everybody = " lets everybody in" if self.entry.everybody else f" lets {user} in"
            return True, f"yarn.admin.acl{everybody}", None
        verdict = access.may(user, groups, queue, ADMINISTER)
        return verdict.allowed, "", verdict
