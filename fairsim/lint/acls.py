"""6xx: who may submit and administer."""

from __future__ import annotations

from collections.abc import Iterator

from fairsim.diag import WARNING
from fairsim.lint.case import Case
from fairsim.lint.rule import Family, Hit

FAMILY = Family()
_ACLS = ("aclSubmitApps", "aclAdministerApps")


@FAMILY.rule("FS603", WARNING)
def acl_blank_after_comma(case: Case) -> Iterator[Hit]:
    """A blank after a comma makes a group of the next user.

    When: a comma is followed by a blank in the users of a list.
    Effect: the first blank of the text ends the users: in `alice, bob` bob is a group, and the user bob is not let in.
    Write: no blanks between users: `alice,bob`; one blank stands between users and groups only.
    Versions: all
    Source: AccessControlList
    Bad: <queue name="a"><aclSubmitApps>alice, bob</aclSubmitApps></queue>
    Good: <queue name="a"><aclSubmitApps>alice,bob</aclSubmitApps></queue>
    """
    for key, tag, field in case.fields(*_ACLS):
        users, blank, groups = field.value.partition(" ")
        if blank and users.endswith(",") and groups.strip():
            yield Hit(
                field.element, f"{tag} of {key}: {field.value!r}",
                f"{groups.strip()!r} is read as groups, not as users",
                f"write {users + groups.strip()!r} if these are users",
            )  # fmt: skip
