"""6xx: who may submit and administer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairsim.config.names import ROOT, full_name, parent_of
from fairsim.diag import WARNING
from fairsim.lint.amounts import listed
from fairsim.lint.case import Case
from fairsim.lint.rule import SITE, TREE, Family, Hit
from fairsim.model.queues import Field
from fairsim.placement.access import ADMINISTER, SUBMIT, Entry

FAMILY = Family()
_ACLS = (SUBMIT, ADMINISTER)
_RESERVATION_ACLS = ("aclAdministerReservations", "aclListReservations", "aclSubmitReservations")
_ALL_ACLS = (*_ACLS, *_RESERVATION_ACLS)
_ENABLE, _ADMIN, _RESERVATIONS = "yarn.acl.enable", "yarn.admin.acl", "yarn.acl.reservation-enable"


def _lists(case: Case, *tags: str) -> Iterator[tuple[str, Field, Entry]]:
    """Yields the access lists of the file: how messages call them, the value, who is meant."""
    for key, tag, field in case.fields(*tags):
        yield f"{tag} of {key}", field, _entry(case, field)


def _entry(case: Case, field: Field) -> Entry:
    return Entry(field.value, field.element, lines=case.profile.features.acl_lines)


def _nobody(entry: Entry) -> bool:
    return not (entry.everybody or entry.users or entry.groups)


def _on(case: Case, name: str) -> bool:
    return bool(case.property(name))


# -- who is let in by the lists above


@FAMILY.rule("FS601", WARNING)
def acl_root_open(case: Case) -> Iterator[Hit]:
    """The lists of queues keep nobody out, since root lets everybody in.

    When: a queue has a list, and the list of root of that kind is not written, or is *.
    Effect: who is let in by a queue above is let in: the lists below say nothing.
    Write: in root <aclSubmitApps> </aclSubmitApps> and <aclAdministerApps> with the administrators.
    Versions: all
    Source: AllocationConfiguration, ConfiguredYarnAuthorizer
    Bad: <queue name="a"><aclSubmitApps>alice</aclSubmitApps></queue>
    Good:
        <queue name="root"><aclSubmitApps> </aclSubmitApps><aclAdministerApps>admin</aclAdministerApps>
        <queue name="a"><aclSubmitApps>alice</aclSubmitApps></queue></queue>
    """
    for kind in _ACLS:
        root = case.access.table[ROOT][kind]
        if not root.everybody:
            continue
        closed = [
            (key, field) for key, _, field in case.fields(kind)
            if key != ROOT and not _entry(case, field).everybody
        ]  # fmt: skip
        if closed:
            what = "lets everybody in" if root.element is not None else "has none: everybody is let in"
            yield Hit(
                closed[0][1].element, f"{kind} of {listed([key for key, _ in closed])} keeps nobody out",
                f"the list of root {what}", f"write <{kind}> </{kind}> (one blank) in root, or names",
                other=root.element,
            )  # fmt: skip


@FAMILY.rule("FS602", WARNING)
def acl_root_admin_open(case: Case) -> Iterator[Hit]:
    """Root says who may submit, and lets everybody administer.

    When: aclSubmitApps of root names who may submit, and aclAdministerApps of root is not written, or is *.
    Effect: who may administer may submit, so everybody submits everywhere, and may kill what others run.
    Write: aclAdministerApps of root, with the administrators.
    Versions: all
    Source: FairScheduler.addApplication
    Bad: <queue name="root"><aclSubmitApps> </aclSubmitApps></queue>
    Good:
        <queue name="root"><aclSubmitApps> </aclSubmitApps><aclAdministerApps>admin</aclAdministerApps></queue>
    """
    lists = case.access.table[ROOT]
    if lists[SUBMIT].element is not None and not lists[SUBMIT].everybody and lists[ADMINISTER].everybody:
        yield Hit(
            lists[SUBMIT].element, f"{SUBMIT} of root is not open, {ADMINISTER} of root is",
            "everybody may administer, so everybody may submit, too",
            f"write <{ADMINISTER}> in root with the administrators", other=lists[ADMINISTER].element,
        )  # fmt: skip


# -- how lists are written


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
    for name, field, _ in _lists(case, *_ALL_ACLS):
        users, blank, groups = field.value.partition(" ")
        if blank and users.endswith(",") and groups.strip():
            yield Hit(
                field.element, f"{name}: {field.value!r:.80}",
                f"{groups.strip()!r:.60} is read as groups, not as users",
                f"write {users + groups.strip()!r:.80} if these are users",
            )  # fmt: skip


@FAMILY.rule("FS604", WARNING)
def acl_multiline(case: Case) -> Iterator[Hit]:
    """A list begins on a line of its own.

    When: a line break or tab stands before the first blank, and names after it.
    Effect: the text is not trimmed, and its first blank ends the users: all names are groups.
    Write: the list directly between the tags.
    Versions: all
    Source: AccessControlList, YARN-1288
    Bad:
        <queue name="a"><aclSubmitApps>
            alice,bob
        </aclSubmitApps></queue>
    Good: <queue name="a"><aclSubmitApps>alice,bob</aclSubmitApps></queue>
    """
    for name, field, _ in _lists(case, *_ALL_ACLS):
        users, _, groups = field.value.partition(" ")
        if users and not users.strip() and groups.strip():
            yield Hit(
                field.element, f"{name} begins with a line break", "all of its names are groups, none a user",
                f"write {groups.strip()!r:.80} directly between the tags",
            )  # fmt: skip


@FAMILY.rule("FS606", WARNING)
def acl_star_in_list(case: Case) -> Iterator[Hit]:
    """A * stands among names.

    When: * is one of several users, or of several groups.
    Effect: it is a user or group of that name; it does not let everybody in.
    Write: * alone, or the names alone.
    Versions: all
    Source: AccessControlList
    Bad: <queue name="a"><aclSubmitApps>*,alice</aclSubmitApps></queue>
    Good: <queue name="a"><aclSubmitApps>*</aclSubmitApps></queue>
    """
    for name, field, entry in _lists(case, *_ALL_ACLS):
        if "*" in entry.users or "*" in entry.groups:
            yield Hit(
                field.element, f"{name}: * among other names in {field.value!r:.60}",
                "it is a name like any other, and lets nobody in", "write * alone, or the names alone",
            )  # fmt: skip


@FAMILY.rule("FS607", WARNING)
def acl_star_as_group(case: Case) -> Iterator[Hit]:
    """A * for one half of a list opens all of it.

    When: users or groups are *, and the other half has names.
    Effect: everybody is let in; the names say nothing.
    Write: * alone, or the names alone.
    Versions: all
    Source: AccessControlList
    Bad: <queue name="a"><aclSubmitApps>alice *</aclSubmitApps></queue>
    Good: <queue name="a"><aclSubmitApps>alice</aclSubmitApps></queue>
    """
    for name, field, entry in _lists(case, *_ALL_ACLS):
        if entry.everybody and field.value.strip() != "*":
            users, _, groups = field.value.partition(" ")
            if users.strip() and groups.strip():
                yield Hit(field.element, f"{name}: {field.value!r:.60}", "everybody is let in",
                          "write * alone, or the names alone")  # fmt: skip


def _items(entry: Entry) -> Sequence[str]:
    return (*entry.users, *entry.groups)


@FAMILY.rule("FS608", WARNING)
def acl_tab_separator(case: Case) -> Iterator[Hit]:
    """A tab stands between users and groups.

    When: a name holds a tab or another blank that is no space.
    Effect: only a space ends the users: the names on both sides are one odd name.
    Write: one space.
    Versions: all
    Source: AccessControlList
    Bad: <queue name="a"><aclSubmitApps>alice&#9;dev</aclSubmitApps></queue>
    Good: <queue name="a"><aclSubmitApps>alice dev</aclSubmitApps></queue>
    """
    for name, field, entry in _lists(case, *_ALL_ACLS):
        odd = [item for item in _items(entry) if any(char.isspace() and char != " " for char in item)]
        if odd:
            yield Hit(field.element, f"{name}: {odd[0]!r:.60} is one name", "a blank that is no space ends nothing",
                      "write one space between users and groups, commas between names")  # fmt: skip


@FAMILY.rule("FS609", WARNING)
def acl_third_part(case: Case) -> Iterator[Hit]:
    """A list has a second space.

    When: the name of a group holds a space.
    Effect: only the first space counts: `dev ops` is one group.
    Write: commas between groups: alice dev,ops.
    Versions: all
    Source: AccessControlList
    Bad: <queue name="a"><aclSubmitApps>alice dev ops</aclSubmitApps></queue>
    Good: <queue name="a"><aclSubmitApps>alice dev,ops</aclSubmitApps></queue>
    """
    for name, field, entry in _lists(case, *_ALL_ACLS):
        odd = [group for group in entry.groups if " " in group]
        if odd:
            yield Hit(field.element, f"{name}: the group {odd[0]!r:.60}", "one group, with a space in its name",
                      f"write {','.join(odd[0].split())!r:.60} if these are several")  # fmt: skip


@FAMILY.rule("FS610", WARNING)
def acl_bad_separator(case: Case) -> Iterator[Hit]:
    """Names are separated by something else than a comma.

    When: a name holds ; or |, up to 2.8.1 also a line break.
    Effect: it is one odd name.
    Write: commas.
    Versions: all
    Source: AccessControlList
    Bad: <queue name="a"><aclSubmitApps>alice;bob</aclSubmitApps></queue>
    Good: <queue name="a"><aclSubmitApps>alice,bob</aclSubmitApps></queue>
    """
    for name, field, entry in _lists(case, *_ALL_ACLS):
        odd = [item for item in _items(entry) if any(mark in item for mark in ";|\n")]
        if odd:
            right = odd[0].replace(";", ",").replace("|", ",").replace("\n", ",")
            yield Hit(field.element, f"{name}: {odd[0]!r:.60} is one name", "only commas separate names",
                      f"write {right!r:.60}")  # fmt: skip


@FAMILY.rule("FS611", WARNING)
def acl_stricter_than_ancestor(case: Case) -> Iterator[Hit]:
    """A list is narrower than that of a queue above.

    When: a list names some of those whom the list of a queue above names, and nobody else; or nobody, below a queue
        that names somebody (root does not count for that).
    Effect: who is let in above is let in here, too.
    Write: the wide list further down only.
    Versions: all
    Source: ConfiguredYarnAuthorizer
    Bad:
        <queue name="p"><aclSubmitApps>alice,bob</aclSubmitApps>
        <queue name="a"><aclSubmitApps>alice</aclSubmitApps></queue></queue>
    Good: <queue name="p"><queue name="a"><aclSubmitApps>alice</aclSubmitApps></queue></queue>
    """
    table = case.access.table
    found: dict[tuple[str, str], list[tuple[str, Field, list[str]]]] = {}
    for key, kind, field in case.fields(*_ACLS):
        entry = _entry(case, field)
        names = {*entry.users}, {*entry.groups}
        above = "" if entry.everybody else parent_of(key)
        while above:
            other = table.get(above, {}).get(kind)
            if other is not None and other.element is not None and not other.everybody:
                wide = {*other.users}, {*other.groups}
                more = sorted((wide[0] - names[0]) | (wide[1] - names[1]))
                inside = names[0] <= wide[0] and names[1] <= wide[1]
                if more and inside and (above != ROOT or any(names)):
                    found.setdefault((kind, above), []).append((key, field, more))
                    break
            above = parent_of(above)
    for (kind, above), hits in found.items():
        _, field, more = hits[0]
        also = f"{listed(more)} may do it here, too" if len(hits) == 1 else "who is let in there may do it here, too"
        yield Hit(
            field.element, f"{kind} of {listed([key for key, _, _ in hits])} is narrower than that of {above}",
            f"{also}: lists above count", f"take names out of {above}", other=table[above][kind].element,
        )  # fmt: skip


@FAMILY.rule("FS612", WARNING)
def acl_principal_not_short(case: Case) -> Iterator[Hit]:
    """A user is written as a Kerberos principal.

    When: a user holds @ or /.
    Effect: users are compared by their short names: it is nobody's.
    Write: the short name.
    Versions: all
    Source: AccessControlList
    Bad: <queue name="a"><aclSubmitApps>alice@EXAMPLE.COM</aclSubmitApps></queue>
    Good: <queue name="a"><aclSubmitApps>alice</aclSubmitApps></queue>
    """
    for name, field, entry in _lists(case, *_ALL_ACLS):
        odd = [user for user in entry.users if "@" in user or "/" in user]
        if odd:
            short = odd[0].partition("@")[0].partition("/")[0]
            hint = f"write {short!r:.60}" if short else "write the short name; groups stand behind a space"
            yield Hit(field.element, f"{name}: the user {odd[0]!r:.60}", "no short name of a user is like that", hint)


# -- what yarn-site says


@FAMILY.rule("FS613", WARNING, SITE)
def acl_flag_off(case: Case) -> Iterator[Hit]:
    """Lists are written, and yarn.acl.enable is off.

    When: some list keeps somebody out, and yarn.acl.enable is not true.
    Effect: the scheduler looks at who submits all the same. Killing, moving and viewing are open to everybody.
    Write: yarn.acl.enable true.
    Versions: all
    Source: FairScheduler.addApplication, QueueACLsManager
    Bad: <queue name="root"><aclSubmitApps>a</aclSubmitApps><aclAdministerApps>b</aclAdministerApps></queue>
    Given: -D yarn.acl.enable=false
    Good: <queue name="root"><aclSubmitApps>a</aclSubmitApps><aclAdministerApps>b</aclAdministerApps></queue>
    Given: -D yarn.acl.enable=true -D yarn.admin.acl=yarn
    """
    if _on(case, _ENABLE):
        return
    root = case.access.table[ROOT]
    for kind in _ACLS:
        field = next((field for _, field, entry in _lists(case, kind) if not entry.everybody), None)
        if field is not None and not root[kind].everybody:
            yield Hit(field.element, f"{kind} is written, and {_ENABLE} is not true",
                      "who may submit is looked at all the same; killing, moving and viewing are open",
                      f"set {_ENABLE} to true")  # fmt: skip
            return


@FAMILY.rule("FS614", WARNING, SITE)
def acl_yarn_admin_star(case: Case) -> Iterator[Hit]:
    """Everybody is an administrator of YARN.

    When: yarn.acl.enable is true, and yarn.admin.acl is not set, or is *.
    Effect: everybody may kill, move and view every application; the lists of who may submit hold all the same.
    Write: yarn.admin.acl with the administrators.
    Versions: all
    Source: yarn-default.xml, ApplicationACLsManager
    Bad: <queue name="a"/>
    Given: -D yarn.acl.enable=true
    Good: <queue name="a"/>
    Given: -D yarn.acl.enable=true -D yarn.admin.acl=yarn
    """
    if not _on(case, _ENABLE):
        return
    value = case.written(_ADMIN)
    if value is None or value.text.strip() == "*":
        yield Hit(
            value or case.written(_ENABLE), f"{_ADMIN} is {'*' if value else 'not set'}",
            "everybody may kill, move and view every application; lists of who may submit still hold",
            "set it to the administrators",
        )  # fmt: skip


@FAMILY.rule("FS615", WARNING, SITE)
def reservation_acl_inactive(case: Case) -> Iterator[Hit]:
    """Lists for reservations are not looked at.

    When: a list for reservations is written, and yarn.acl.enable or yarn.acl.reservation-enable is not true.
    Effect: everybody may make, list and end reservations.
    Write: both properties true.
    Versions: 2.8 and later
    Source: ReservationsACLsManager
    Bad: <queue name="a"><reservation/><aclSubmitReservations>al</aclSubmitReservations></queue>
    Given: -D yarn.acl.enable=true -D yarn.admin.acl=yarn
    Good: <queue name="a"><reservation/><aclSubmitReservations>al</aclSubmitReservations></queue>
    Given: -D yarn.acl.enable=true -D yarn.acl.reservation-enable=true
    """
    off = [name for name in (_ENABLE, _RESERVATIONS) if not _true(case, name)]
    first = next(iter(case.fields(*_RESERVATION_ACLS)), None)
    if first is not None and off:
        key, tag, field = first
        yield Hit(field.element, f"{tag} of {key}: {' and '.join(off)} {'is' if len(off) == 1 else 'are'} not true",
                  "not looked at: everybody may", "set it to true")  # fmt: skip


def _true(case: Case, name: str) -> bool:
    value = case.written(name)
    return value is not None and value.text.strip().lower() == "true"


@FAMILY.rule("FS617", WARNING, TREE)
def acl_locks_everyone_out(case: Case) -> Iterator[Hit]:
    """Nobody may submit to a queue.

    When: the lists of a leaf and of all queues above it name nobody.
    Effect: every application for it is refused.
    Write: who may submit, in the leaf.
    Versions: all
    Source: FairScheduler.addApplication
    Bad:
        <queue name="root"><aclSubmitApps> </aclSubmitApps><aclAdministerApps> </aclAdministerApps>
        <queue name="a"/></queue>
    Good:
        <queue name="root"><aclSubmitApps> </aclSubmitApps><aclAdministerApps> </aclAdministerApps>
        <queue name="a"><aclSubmitApps> dev</aclSubmitApps></queue></queue>
    """
    if not all(_nobody(entry) for entry in case.access.table[ROOT].values()):
        return
    closed = [
        queue for queue in case.queues
        if queue.leaf and queue.element is not None
        and all(_nobody(entry) for _, lists in case.access.lists(full_name(queue.name)) for entry in lists.values())
    ]  # fmt: skip
    if closed:
        yield Hit(closed[0].element, f"nobody may submit to {listed([queue.name for queue in closed])}",
                  "every application is refused", f"write {SUBMIT} with users or groups in it")  # fmt: skip
