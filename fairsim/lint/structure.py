"""2xx: names of queues and users, which queues there are, what kind each is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from fairsim.config.allocation import CHILD_QUEUE_TAGS
from fairsim.config.names import DEFAULT_QUEUE, ROOT, full_name, trim_name
from fairsim.config.placement_syntax import Rule as PlacementRule
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.lint.amounts import listed
from fairsim.lint.case import Case
from fairsim.lint.rule import SITE, TREE, USERS, Family, Hit
from fairsim.xmlio.reader import Element

FAMILY = Family()
_DOT = "_dot_"
_BY_USER = ("user", "primaryGroup")
_RESERVATIONS = "yarn.resourcemanager.reservation-system.enable"


def _siblings(case: Case) -> Iterator[list[tuple[str, Element]]]:
    """Yields the queues below each parent: trimmed name, element."""
    families: dict[int | None, list[tuple[str, Element]]] = {}
    for _, element, parent in case.queue_elements:
        name = trim_name(element.get("name") or "", case.profile)
        families.setdefault(None if parent is None else id(parent), []).append((name, element))
    yield from families.values()


def placed_rules(rules: Iterable[PlacementRule] | None) -> Iterator[PlacementRule]:
    """Yields placement rules and those inside of them."""
    for rule in rules or ():
        yield rule
        yield from placed_rules(() if rule.nested is None else (rule.nested,))


# -- names


@FAMILY.rule("FS201", ERROR)
def queue_name_missing(case: Case) -> Iterator[Hit]:
    """A queue has no name.

    When: name is absent or holds nothing but blanks.
    Effect: the file is not loaded. Up to 2.7 it is: the queue is called root. with a dot at its end.
    Write: a name.
    Versions: all; a warning up to 2.7
    Source: YARN-3241
    Bad: <queue><weight>1</weight></queue>
    Good: <queue name="a"><weight>1</weight></queue>
    """
    if case.profile.features.nonempty_names:
        return  # the reader says so
    for full, element, _ in case.queue_elements:
        name = element.get("name") or ""
        if not name.strip():
            yield Hit(element, "a queue without a name", f"it is called {full + name!r}", 'write name="..."', WARNING)


@FAMILY.told("FS202", ERROR)
def queue_name_has_dot() -> None:
    """The name of a queue has a dot.

    When: there is a dot in name.
    Effect: the file is not loaded. Hadoop 2.6 takes the dot for a level.
    Write: queues in one another: a with b in it, for a.b.
    Versions: 2.7 and later
    Source: YARN-2669
    Bad: <queue name="a.b"/>
    Good: <queue name="a"><queue name="b"/></queue>
    """


@FAMILY.rule("FS203", WARNING)
def queue_name_outer_blanks(case: Case) -> Iterator[Hit]:
    """The name of a queue has blanks around it.

    When: name begins or ends with blanks; from 2.9 on those of Unicode count, too.
    Effect: they are cut off. Up to 2.7 they belong to the name.
    Write: the name alone.
    Versions: all
    Source: YARN-3241, YARN-5272
    Bad: <queue name=" a "/>
    Good: <queue name="a"/>
    """
    if case.profile.features.trimmed_names:
        return  # the reader says so
    for _, element, _ in case.queue_elements:
        name = element.get("name") or ""
        if name.strip() and name.strip() != name:
            yield Hit(element, f"queue name {name!r:.80}", "the blanks belong to the name", "drop the blanks")


@FAMILY.rule("FS204", WARNING)
def queue_name_invisible_char(case: Case) -> Iterator[Hit]:
    """The name of a queue has a character that cannot be seen.

    When: name holds a zero-width space, a soft hyphen, a mark of byte order, a control character, or a blank of
        Unicode other than the space, and Hadoop does not cut it off.
    Effect: it is another queue than the one that is meant.
    Write: the name without it.
    Versions: all
    Source: FairSchedulerUtilities.trimQueueName
    Bad: <queue name="a&#x200B;"/>
    Good: <queue name="a"/>
    """
    for full, element, _ in case.queue_elements:
        name = trim_name(element.get("name") or "", case.profile)
        odd = next((char for char in name if char != " " and unicodedata.category(char) in _UNSEEN), None)
        if odd is not None:
            yield Hit(
                element, f"queue {full!r} has the character U+{ord(odd):04X} in its name",
                "a queue of its own, beside one of the same name without it", "type the name again",
            )  # fmt: skip


_UNSEEN = ("Cc", "Cf", "Zs", "Zl", "Zp")


@FAMILY.told("FS205", ERROR)
def root_with_siblings() -> None:
    """Queues stand beside root.

    When: a queue at the top is called root, in any case, and there is another one.
    Effect: the file is not loaded.
    Write: all queues in root, or no root.
    Versions: all
    Source: AllocationFileParser
    Bad: <queue name="root"/><queue name="a"/>
    Good: <queue name="root"><queue name="a"/></queue>
    """


@FAMILY.rule("FS206", WARNING)
def root_wrong_case(case: Case) -> Iterator[Hit]:
    """Root is written in another case.

    When: the only queue at the top is called Root or ROOT.
    Effect: it passes the test for root, and is no root: queues below it are made as root.Root.a, while limits, weights
        and lists are kept under Root.a, where nobody looks.
    Write: root.
    Versions: all
    Source: AllocationFileParser, QueueManager
    Bad: <queue name="Root"><queue name="a"><weight>2</weight></queue></queue>
    Good: <queue name="root"><queue name="a"><weight>2</weight></queue></queue>
    """
    for _, element, parent in case.queue_elements:
        name = element.get("name") or ""
        if parent is None and name != ROOT and name.lower() == ROOT:
            yield Hit(element, f"queue {name!r} is not root", "what is written in it is not in force", "write root")


@FAMILY.rule("FS207", WARNING)
def root_nested_or_blank(case: Case) -> Iterator[Hit]:
    """A queue called root is not the root.

    When: a queue below another is called root, or one at the top has blanks around the name.
    Effect: it is a queue like any other: root.root.
    Write: another name; or root at the top, without blanks.
    Versions: all
    Source: AllocationFileParser
    Bad: <queue name="root"><queue name="root"/></queue>
    Good: <queue name="root"><queue name="a"/></queue>
    """
    for _, element, parent in case.queue_elements:
        name = element.get("name") or ""
        blank = parent is None and name.strip().lower() == ROOT and name.lower() != ROOT
        if blank or (parent is not None and name.strip().lower() == ROOT):
            yield Hit(element, f"queue {name!r} is not the root", "a queue below root that is called so",
                      'write name="root" at the top' if blank else "give it another name")  # fmt: skip


@FAMILY.told("FS208", WARNING)
def duplicate_queue() -> None:
    """A queue is written twice.

    When: two queues in the same place have the same name.
    Effect: they are one, value by value, and later values win. Up to 3.0 the access lists of the first are lost.
    Write: it once.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><weight>1</weight></queue><queue name="a"><weight>5</weight></queue>
    Good: <queue name="a"><weight>5</weight></queue>
    """


@FAMILY.rule("FS209", WARNING)
def duplicate_queue_leaf_and_parent(case: Case) -> Iterator[Hit]:
    """A queue is written once as a leaf and once as a parent.

    When: of two queues with the same name one has children or is a parent by type or reservation, the other not.
    Effect: it is a parent, which takes no applications. Whether its children are made depends on an order by hashes.
    Write: it once.
    Versions: all
    Source: QueueManager.updateAllocationConfiguration
    Bad: <queue name="a"/><queue name="a"><queue name="b"/></queue>
    Good: <queue name="a"><queue name="b"/></queue>
    """
    for siblings in _siblings(case):
        kinds: dict[str, tuple[bool, Element]] = {}
        for name, element in siblings:
            parent = _is_parent(element, case.profile.features.reservations)
            first = kinds.setdefault(name, (parent, element))
            if first[0] != parent:
                yield Hit(element, f"queue {name} is written as a leaf and as a parent",
                          "it is a parent; whether its children are made depends on an order by hashes",
                          "write it once", other=first[1])  # fmt: skip


def _is_parent(element: Element, reservations: bool) -> bool:
    return element.get("type") == "parent" or any(
        child.tag in CHILD_QUEUE_TAGS or (reservations and child.tag == "reservation") for child in element
    )


@FAMILY.rule("FS210", WARNING)
def names_differ_by_case(case: Case) -> Iterator[Hit]:
    """Two queues differ by upper and lower case only.

    When: the names of two queues in the same place are equal but for their case.
    Effect: they are two queues; some users go to the wrong one.
    Write: one name.
    Versions: all
    Source: QueueManager
    Bad: <queue name="Etl"/><queue name="etl"/>
    Good: <queue name="etl"/>
    """
    for siblings in _siblings(case):
        seen: dict[str, tuple[str, Element]] = {}
        for name, element in siblings:
            before = seen.setdefault(name.lower(), (name, element))
            if before[0] != name:
                yield Hit(element, f"queues {before[0]} and {name} differ by case only", "two queues",
                          "write one of the two", other=before[1])  # fmt: skip


# -- kinds of queues


@FAMILY.told("FS211", WARNING)
def type_attribute_ignored() -> None:
    """The type of a queue is not parent.

    When: there is a type, and it is not exactly parent.
    Effect: not read: the queue is a leaf unless it has children.
    Write: type="parent", or no type.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a" type="Parent"/>
    Good: <queue name="a" type="parent"/>
    """


@FAMILY.told("FS212", ERROR)
def type_parent_with_children() -> None:
    """A queue has child queues and type="parent".

    When: both are written, for 2.7 or 2.8.
    Effect: these versions do not load the file, and complain of a reservation. Others take it.
    Write: no type; children make a parent anyway.
    Versions: 2.7, 2.8
    Source: YARN-4975
    Bad: <queue name="a" type="parent"><queue name="b"/></queue>
    Given: --hadoop 2.8
    Good: <queue name="a"><queue name="b"/></queue>
    Given: --hadoop 2.8
    """


@FAMILY.told("FS213", ERROR)
def reservation_on_parent() -> None:
    """A parent is reservable.

    When: reservation stands in a queue with type="parent"; from 2.9 on also in one with child queues.
    Effect: the file is not loaded.
    Write: reservation in leaves.
    Versions: 2.7 and later
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><reservation/><queue name="b"/></queue>
    Good: <queue name="a"><queue name="b"/></queue>
    """


@FAMILY.rule("FS214", WARNING)
def reservation_value_ignored(case: Case) -> Iterator[Hit]:
    """The text of reservation says something else than its presence.

    When: reservation holds a text such as false or no.
    Effect: the text is not read: the queue is reservable.
    Write: no reservation, or an empty one.
    Versions: 2.7 and later
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><reservation>false</reservation></queue>
    Good: <queue name="a"><reservation/></queue>
    """
    if not case.profile.features.reservations:
        return
    for name, element in case.value_elements:
        text = (element.text or "").strip()
        if name and element.tag == "reservation" and text and text.lower() != "true":
            yield Hit(element, f"reservation of {name}: {text!r:.40}", "reservable all the same: the text is not read",
                      "drop the element")  # fmt: skip


@FAMILY.rule("FS215", WARNING, SITE)
def reservation_system_off(case: Case) -> Iterator[Hit]:
    """A queue is reservable, and the reservation system is off.

    When: a queue has reservation, and yarn.resourcemanager.reservation-system.enable is not true.
    Effect: the queue is a parent all the same: applications are sent to a queue below it, root.a.a-default.
    Write: no reservation; or switch the system on.
    Versions: 2.7 and later
    Source: FairScheduler.resolveReservationQueueName
    Bad: <queue name="a"><reservation/></queue>
    Given: -D yarn.resourcemanager.reservation-system.enable=false
    Good: <queue name="a"><reservation/></queue>
    Given: -D yarn.resourcemanager.reservation-system.enable=true
    """
    if not case.profile.features.reservations:
        return
    value = case.written(_RESERVATIONS)
    if value is not None and value.text.strip().lower() == "true":
        return
    for key, _, field in case.fields("reservation"):
        last = key.rpartition(".")[2]
        yield Hit(field.element, f"{key} is reservable, and {_RESERVATIONS} is not true",
                  f"applications for it go to {full_name(key)}.{last}-default", "drop reservation")  # fmt: skip


@FAMILY.told("FS216", ERROR)
def am_share_on_parent() -> None:
    """A parent has maxAMShare.

    When: maxAMShare stands in a queue with child queues or type="parent".
    Effect: from 3.2.3, 3.3.1 and 3.4 on the file is not loaded; before, it has no effect.
    Write: it in the leaves, or queueMaxAMShareDefault.
    Versions: 3.2.3 and later of its line, 3.3.1 and later; a warning before
    Source: YARN-10528
    Bad: <queue name="a"><maxAMShare>0.3</maxAMShare><queue name="b"/></queue>
    Good: <queue name="a"><queue name="b"><maxAMShare>0.3</maxAMShare></queue></queue>
    """


@FAMILY.rule("FS217", WARNING)
def children_under_default(case: Case) -> Iterator[Hit]:
    """The queue default has child queues.

    When: default at the top has children, and this version makes default before it reads the file.
    Effect: up to 3.1 the file does not make the children, in 3.2 and 3.3 only when it is loaded a second time. Until
        then only the first application for a child makes it, where a rule may create queues.
    Write: another name for the parent.
    Versions: up to 3.3
    Source: QueueManager.initialize
    Bad: <queue name="default"><queue name="x"/></queue>
    Given: --hadoop 3.3
    Good: <queue name="general"><queue name="x"/></queue>
    Given: --hadoop 3.3
    """
    features = case.profile.features
    if features.no_default_queue:
        return
    effect = "the file does not make them, only an application for one does"
    if features.dynamic_queues:
        effect = "made when the file is loaded a second time; before, only by an application for one"
    for full, element, _ in case.queue_elements:
        if full == DEFAULT_QUEUE and any(child.tag in CHILD_QUEUE_TAGS for child in element):
            yield Hit(element, f"{DEFAULT_QUEUE} has child queues", effect, "give the parent another name")


@FAMILY.rule("FS218", WARNING, TREE)
def default_queue_missing(case: Case) -> Iterator[Hit]:
    """Applications are sent to root.default, which is not there.

    When: no queue is called default, and the rule default names no other queue and creates none.
    Effect: from 3.4 on root.default is not made at the start: who comes to this rule is rejected.
    Write: the queue default, or another one in the rule.
    Versions: 3.4 and later
    Source: YARN-7769
    Bad:
        <queue name="a"/>
        <queuePlacementPolicy>
          <rule name="specified"/><rule name="default" create="false"/><rule name="reject"/>
        </queuePlacementPolicy>
    Good:
        <queue name="a"/><queue name="default"/>
        <queuePlacementPolicy><rule name="specified"/><rule name="default"/></queuePlacementPolicy>
    """
    if not case.profile.features.no_default_queue or DEFAULT_QUEUE in case.tree.queues:
        return
    for rule in placed_rules(case.raw.rules):
        if rule.name == "default" and not rule.create and full_name(rule.queue or DEFAULT_QUEUE) == DEFAULT_QUEUE:
            yield Hit(rule.element, f"the rule default leads to {DEFAULT_QUEUE}, which does not exist",
                      "it passes: nobody is placed by it", 'write <queue name="default"/>')  # fmt: skip


@FAMILY.rule("FS219", INFO)
def implicit_default_queue(case: Case) -> Iterator[Hit]:
    """Hadoop makes root.default by itself.

    When: no queue is called default, and queues stand at the top. Upper and lower case count: Default is another one.
    Effect: root.default is there with weight 1: it takes part in the steady shares, and gets applications that name no
        queue.
    Write: the queue default, with the weight that it ought to have.
    Versions: up to 3.3
    Source: QueueManager.initialize
    Bad: <queue name="a"/>
    Given: --hadoop 3.3
    Good: <queue name="a"/><queue name="default"><weight>0.1</weight></queue>
    Given: --hadoop 3.3
    """
    if case.profile.features.no_default_queue or not case.queue_elements:
        return
    if DEFAULT_QUEUE not in case.raw.queues:
        yield Hit(case.root, f"{DEFAULT_QUEUE} is not written", "made by itself, with weight 1",
                  'write <queue name="default"> with its weight')  # fmt: skip


@FAMILY.rule("FS220", WARNING, TREE)
def parent_without_children_unreachable(case: Case) -> Iterator[Hit]:
    """Nothing can ever run below a parent.

    When: a queue with type="parent" has no children, and no placement rule can make one: none has a rule inside, and
        specified creates none.
    Effect: it takes a share of its siblings on paper only; applications sent to it are rejected.
    Write: children, or a rule such as nestedUserQueue.
    Versions: all
    Source: QueueManager, QueuePlacementPolicy
    Bad:
        <queue name="a" type="parent"/>
        <queuePlacementPolicy><rule name="specified" create="false"/><rule name="default"/></queuePlacementPolicy>
    Good:
        <queue name="a" type="parent"/>
        <queuePlacementPolicy>
          <rule name="specified" create="false"/><rule name="nestedUserQueue"><rule name="default" queue="a"/></rule>
        </queuePlacementPolicy>
    """
    rules = case.raw.rules
    if rules is None or any(rule.nested is not None or (rule.name == "specified" and rule.create) for rule in rules):
        return
    targets = [full_name(rule.queue) for rule in rules if rule.name == "default" and rule.create and rule.queue]
    for queue in case.queues:
        if queue.leaf or queue.children or queue.parent is None or "reservation" in queue.fields:
            continue
        if not any(target.startswith(f"{queue.name}.") for target in targets):
            yield Hit(queue.element, f"{queue.name} is a parent without children, and no rule makes any",
                      "nothing can run in it", "write child queues, or drop it")  # fmt: skip


@FAMILY.rule("FS221", WARNING, TREE, USERS)
def parent_named_like_placed_queue(case: Case) -> Iterator[Hit]:
    """A user or group is placed into a parent.

    When: the rule user or primaryGroup stands alone, and a parent at the top is called like a user or a group.
    Effect: applications of that user are rejected: only leaves take applications.
    Write: another name for the parent.
    Versions: all
    Source: FairScheduler.addApplication
    Bad:
        <queue name="alice"><queue name="x"/></queue>
        <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
    Given: --users alice=eng
    Good:
        <queue name="alice-team"><queue name="x"/></queue>
        <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
    Given: --users alice=eng
    """
    for kind, names in _placed_names(case):
        for name in names:
            queue = case.tree.queues.get(f"{ROOT}.{name}")
            if queue is not None and not queue.leaf:
                yield Hit(queue.element, f"{queue.name} is a parent, and the rule {kind} places {name} in it",
                          "applications are rejected", "give the parent another name")  # fmt: skip


def _placed_names(case: Case) -> Iterator[tuple[str, list[str]]]:
    """Yields user and primaryGroup, where such a rule names queues below root, with the names they may be called."""
    users = case.users or {}
    kinds = {rule.name for rule in case.raw.rules or () if rule.name in _BY_USER and rule.nested is None}
    if case.raw.rules is None:
        kinds = {"user"}
    for kind in _BY_USER:
        if kind in kinds:
            names = users if kind == "user" else {groups[0]: () for groups in users.values() if groups}
            yield kind, sorted({name.replace(".", _DOT) for name in names})


@FAMILY.rule("FS222", INFO, TREE, USERS)
def leaf_named_like_user_or_group(case: Case) -> Iterator[Hit]:
    """A user or group is placed into a queue of the file by its name.

    When: the rule user or primaryGroup stands alone, and a leaf at the top is called like a user or a group.
    Effect: that user lands in it, with its limits and weight; nothing is wrong if this is meant.
    Write: another name, if it is not meant.
    Versions: all
    Source: QueuePlacementPolicy
    Bad:
        <queue name="alice"><weight>9</weight></queue>
        <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
    Given: --users alice=eng
    Good:
        <queue name="prod"><weight>9</weight></queue>
        <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
    Given: --users alice=eng
    """
    for kind, names in _placed_names(case):
        queues = [case.tree.queues.get(f"{ROOT}.{name}") for name in names]
        found = [queue for queue in queues if queue is not None and queue.leaf and queue.element is not None]
        if found:
            yield Hit(found[0].element, f"the rule {kind} places by name: {listed([queue.name for queue in found])}",
                      "who is called so lands there", "nothing, if this is meant")  # fmt: skip


@FAMILY.rule("FS223", INFO, USERS)
def dotted_user_queue(case: Case) -> Iterator[Hit]:
    """Users with dots get queues of another name.

    When: the rule user or nestedUserQueue is there, and a user has a dot in the name.
    Effect: the queue of first.last is called first_dot_last; limits and lists have to be written for that.
    Write: first_dot_last, where a queue is meant.
    Versions: all
    Source: FairQueuePlacementUtils
    Bad: <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
    Given: --users first.last=eng
    Good: <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
    Given: --users ann=eng
    """
    rules = [rule for rule in placed_rules(case.raw.rules) if rule.name in ("user", "nestedUserQueue")]
    users = sorted(user for user in case.users or () if "." in user)
    if rules and users:
        queues = [user.replace(".", _DOT) for user in users]
        yield Hit(rules[0].element, f"users with a dot: {listed(users)}", f"their queues are called {listed(queues)}",
                  "write queues for them under these names")  # fmt: skip


# -- users


@FAMILY.rule("FS224", WARNING)
def user_name_missing(case: Case) -> Iterator[Hit]:
    """A user has no name.

    When: name is absent, empty or blank.
    Effect: the limit is kept under that name, and counts for nobody.
    Write: the name of the user.
    Versions: all
    Source: AllocationFileParser
    Bad: <user><maxRunningApps>3</maxRunningApps></user>
    Good: <user name="al"><maxRunningApps>3</maxRunningApps></user>
    """
    for element in _users(case):
        if not (element.get("name") or "").strip():
            yield Hit(element, "a user without a name", "the limit counts for nobody", 'write name="..."')


def _users(case: Case) -> list[Element]:
    return [element for element in case.root if element.tag == "user"] if case.root.tag == "allocations" else []


@FAMILY.rule("FS225", WARNING)
def user_name_outer_blanks(case: Case) -> Iterator[Hit]:
    """The name of a user has blanks around it.

    When: name begins or ends with blanks.
    Effect: they are not cut off, so it is nobody's name.
    Write: the name alone.
    Versions: all
    Source: AllocationFileParser
    Bad: <user name="al "><maxRunningApps>3</maxRunningApps></user>
    Good: <user name="al"><maxRunningApps>3</maxRunningApps></user>
    """
    for element in _users(case):
        name = element.get("name") or ""
        if name.strip() and name.strip() != name:
            yield Hit(element, f"user {name!r} has blanks around the name", "the limit counts for nobody",
                      f"write {name.strip()!r}")  # fmt: skip


@FAMILY.rule("FS226", WARNING)
def duplicate_user(case: Case) -> Iterator[Hit]:
    """A user is written twice.

    When: two users have the same name, and each a limit.
    Effect: the last limit is in force.
    Write: it once.
    Versions: all
    Source: AllocationFileParser
    Bad:
        <user name="al"><maxRunningApps>3</maxRunningApps></user>
        <user name="al"><maxRunningApps>9</maxRunningApps></user>
    Good: <user name="al"><maxRunningApps>9</maxRunningApps></user>
    """
    seen: dict[str, Element] = {}
    for element in _users(case):
        if not any(child.tag == "maxRunningApps" for child in element):
            continue
        name = element.get("name") or ""
        if name in seen:
            yield Hit(seen[name], f"user {name} is written again", "not in force: the last limit is", "write it once",
                      other=element)  # fmt: skip
        seen[name] = element


# -- queues that mean something to Hadoop, and limits of children


@FAMILY.rule("FS227", INFO, TREE)
def recovery_queue_name(case: Case) -> Iterator[Hit]:
    """A queue has the name of the one for applications that lost theirs.

    When: a queue at the top is called recovery.
    Effect: after a restart of the ResourceManager applications whose queue is no longer there are put into it.
    Write: another name, unless this is meant.
    Versions: 3.1.4, 3.2.2 and later of their lines, 3.3 and later
    Source: YARN-7913, FairScheduler.addApplication
    Bad: <queue name="recovery"/>
    Good: <queue name="recover-jobs"/>
    """
    version = case.profile.version
    if version < (3, 1, 4) or (3, 2, 0) <= version < (3, 2, 2):
        return
    queue = case.tree.queues.get(f"{ROOT}.recovery")
    if queue is not None:
        yield Hit(queue.element, f"{queue.name} is the queue for applications whose queue is gone",
                  "after a restart such applications are put into it", "give it another name")  # fmt: skip


@FAMILY.rule("FS228", WARNING, TREE)
def max_child_resources_on_leaf(case: Case) -> Iterator[Hit]:
    """A leaf limits its children.

    When: maxChildResources stands in a leaf.
    Effect: none: a leaf has no children.
    Write: maxResources, or type="parent".
    Versions: 2.9 and later
    Source: QueueManager.setChildResourceLimits
    Bad: <queue name="a"><maxChildResources>4096 mb, 4 vcores</maxChildResources></queue>
    Good: <queue name="a" type="parent"><maxChildResources>4096 mb, 4 vcores</maxChildResources></queue>
    """
    for queue in case.queues:
        field = queue.fields.get("maxChildResources")
        if field is not None and queue.leaf:
            yield Hit(field.element, f"maxChildResources of {queue.name}, which is a leaf", "no effect",
                      'write maxResources, or type="parent" if queues are to be made below it')  # fmt: skip


@FAMILY.rule("FS229", INFO, TREE)
def max_child_resources_not_deep(case: Case) -> Iterator[Hit]:
    """A limit for children does not reach the queues that are made.

    When: maxChildResources stands in a queue, and a rule makes queues two levels below it: nestedUserQueue with a rule
        inside that makes the level between.
    Effect: it counts for queues made directly below only; never for those that the file names.
    Write: the level between, with maxChildResources of its own.
    Versions: 2.9 and later
    Source: QueueManager.setChildResourceLimits
    Bad:
        <queue name="root"><maxChildResources>4096 mb, 4 vcores</maxChildResources></queue>
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="primaryGroup" create="true"/></rule><rule name="default"/>
        </queuePlacementPolicy>
    Given: --hadoop 3.2
    Good:
        <queue name="root"><queue name="eng" type="parent">
        <maxChildResources>4096 mb, 4 vcores</maxChildResources></queue></queue>
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="primaryGroup" create="true"/></rule><rule name="default"/>
        </queuePlacementPolicy>
    Given: --hadoop 3.2
    """
    field = case.tree.root.fields.get("maxChildResources")
    nested = [
        rule for rule in case.raw.rules or ()
        if rule.name == "nestedUserQueue" and rule.nested is not None and rule.nested.name == "primaryGroup"
    ]  # fmt: skip
    if field is not None and nested:
        yield Hit(field.element, "maxChildResources of root does not count for the queues of users",
                  "they are made two levels below; the queues of the groups get it",
                  "write it in queues for the groups",
                  other=nested[0].element)  # fmt: skip
