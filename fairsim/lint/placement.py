"""7xx: the placement policy."""

from __future__ import annotations

from collections.abc import Iterator

from fairsim.config.names import DEFAULT_QUEUE, ROOT, UNICODE_BLANKS, full_name, near_queue, parent_of, trim_name
from fairsim.config.placement_syntax import Rule as PlacementRule
from fairsim.config.properties import FAIR_PREFIX
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.lint.amounts import listed
from fairsim.lint.case import Case
from fairsim.lint.rule import SITE, TREE, USERS, Family, Hit
from fairsim.lint.structure import placed_rules
from fairsim.model.queues import Queue

FAMILY = Family()
_MAKES_FOR_USERS = ("user", "primaryGroup", "nestedUserQueue")


@FAMILY.told("FS701", ERROR)
def placement_empty() -> None:
    """The placement policy is empty.

    When: queuePlacementPolicy has nothing in it, or a comment.
    Effect: the file is not loaded.
    Write: a rule, or leave the policy out: then those of yarn-site are in force.
    Versions: all
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy/>
    Good: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.told("FS702", WARNING)
def placement_no_rule() -> None:
    """The placement policy has no rule.

    When: queuePlacementPolicy has text or other elements, and no rule.
    Effect: from 3.3 on it is passed over: rules of before stay, at the start those of yarn-site. Up to 3.2 the file is
        not loaded.
    Write: a rule.
    Versions: 3.3 and later; an error before
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy> </queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.told("FS703", ERROR)
def rule_name_missing() -> None:
    """A rule has no name.

    When: name is absent or empty.
    Effect: the file is not loaded.
    Write: one of the seven names.
    Versions: all
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy><rule/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.told("FS704", ERROR)
def rule_name_unknown() -> None:
    """The name of a rule is none of Hadoop's.

    When: name is not exactly specified, user, primaryGroup, secondaryGroupExistingQueue, nestedUserQueue, default or
        reject.
    Effect: the file is not loaded.
    Write: one of these, in this spelling.
    Versions: all
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy><rule name="Default"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.told("FS705", ERROR)
def rule_unreachable() -> None:
    """A rule stands behind one that always decides.

    When: a rule that finds a queue for every application, or rejects it, is not the last.
    Effect: the file is not loaded.
    Write: the rule last, or with create="false".
    Versions: all; which rules always decide has changed in 3.3
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy><rule name="user"/><rule name="default"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="user" create="false"/><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.told("FS706", ERROR)
def rule_list_not_terminal() -> None:
    """The last rule may pass.

    When: the last rule does not find a queue for every application.
    Effect: the file is not loaded.
    Write: default or reject at the end.
    Versions: all
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy><rule name="specified" create="false"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="specified" create="false"/><rule name="reject"/></queuePlacementPolicy>
    """


@FAMILY.told("FS707", ERROR)
def default_rule_create_false() -> None:
    """The last rule is default, and creates no queue.

    When: default with create="false" stands at the end.
    Effect: from 3.3 on it may pass, so the file is not loaded.
    Write: no create="false", or reject behind it.
    Versions: 3.3 and later
    Source: YARN-8967
    Bad:
        <queue name="a"/>
        <queuePlacementPolicy><rule name="default" create="false" queue="a"/></queuePlacementPolicy>
    Good:
        <queue name="a"/>
        <queuePlacementPolicy>
          <rule name="default" create="false" queue="a"/><rule name="reject"/>
        </queuePlacementPolicy>
    """


@FAMILY.told("FS708", ERROR)
def nested_user_queue_without_parent() -> None:
    """The rule nestedUserQueue has no rule inside.

    When: there is none.
    Effect: the file is not loaded.
    Write: the rule that names the parent of the queues, inside.
    Versions: all
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy><rule name="nestedUserQueue"/><rule name="default"/></queuePlacementPolicy>
    Good:
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="secondaryGroupExistingQueue"/></rule><rule name="default"/>
        </queuePlacementPolicy>
    """


@FAMILY.told("FS709", ERROR)
def nested_user_queue_now_terminal() -> None:
    """Rules stand behind a nestedUserQueue that always decides.

    When: nestedUserQueue, and the rule inside, create queues, and it is not the last.
    Effect: from 3.3 on the file is not loaded; before, no nestedUserQueue was taken to decide always.
    Write: it last.
    Versions: 3.3 and later
    Source: YARN-8967
    Bad:
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="default" queue="u"/></rule><rule name="reject"/>
        </queuePlacementPolicy>
    Good:
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="default" queue="u"/></rule>
        </queuePlacementPolicy>
    """


@FAMILY.told("FS710", ERROR)
def nested_user_queue_last() -> None:
    """The last rule is nestedUserQueue.

    When: it stands at the end.
    Effect: up to 3.2 the file is not loaded: the rule may pass.
    Write: default or reject behind it.
    Versions: up to 3.2
    Source: QueuePlacementRule
    Bad:
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="default" queue="u"/></rule>
        </queuePlacementPolicy>
    Given: --hadoop 3.2
    Good:
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="default" queue="u"/></rule><rule name="reject"/>
        </queuePlacementPolicy>
    Given: --hadoop 3.2
    """


@FAMILY.told("FS711", ERROR)
def parent_rule_forbidden() -> None:
    """The rule inside another is one that may not stand there.

    When: reject or nestedUserQueue stands inside of a rule.
    Effect: from 3.3 on the file is not loaded.
    Write: a rule that names a queue.
    Versions: 3.3 and later
    Source: QueuePlacementPolicy
    Bad:
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="reject"/></rule><rule name="default"/>
        </queuePlacementPolicy>
    Good:
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="specified" create="false"/></rule><rule name="default"/>
        </queuePlacementPolicy>
    """


@FAMILY.told("FS712", ERROR)
def parent_rule_not_allowed_here() -> None:
    """A rule has one inside that takes none.

    When: specified, default or reject has a rule inside.
    Effect: from 3.3 on the file is not loaded; before, the inner rule is not read (FS715).
    Write: no rule inside.
    Versions: 3.3 and later
    Source: FSPlacementRule
    Bad: <queuePlacementPolicy><rule name="default"><rule name="user"/></rule></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.told("FS713", ERROR)
def parent_rule_same_kind() -> None:
    """The rule inside is the same as the one around it.

    When: both rules are of one class; user and nestedUserQueue are.
    Effect: from 3.3 on the file is not loaded.
    Write: another rule inside.
    Versions: 3.3 and later
    Source: FSPlacementRule
    Bad: <queuePlacementPolicy><rule name="nestedUserQueue"><rule name="user"/></rule></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="nestedUserQueue"><rule name="primaryGroup"/></rule></queuePlacementPolicy>
    """


@FAMILY.rule("FS714", WARNING)
def several_parent_rules(case: Case) -> Iterator[Hit]:
    """A rule has several inside.

    When: more than one rule stands inside of another.
    Effect: from 3.3 on the last of them is read, before the first.
    Write: one.
    Versions: all
    Source: QueuePlacementPolicy
    Bad:
        <queuePlacementPolicy><rule name="nestedUserQueue">
          <rule name="specified"/><rule name="default" queue="u"/></rule></queuePlacementPolicy>
    Good:
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="default" queue="u"/></rule>
        </queuePlacementPolicy>
    """
    if case.profile.features.placement_rewrite:
        return  # the reader says so
    for rule in placed_rules(case.raw.rules):
        inner = [element for element in rule.element if element.tag == "rule"]
        if rule.name == "nestedUserQueue" and len(inner) > 1:
            yield Hit(inner[1], f"{len(inner)} rules inside of {rule.name}", "only the first one is read", "keep one")


@FAMILY.told("FS715", WARNING)
def parent_rule_outside_nested() -> None:
    """A rule is not read because of where it stands.

    When: a rule stands inside of another than nestedUserQueue.
    Effect: up to 3.2 it is not read; from 3.3 on it names the parent, so that an upgrade changes where applications
        land.
    Write: nestedUserQueue around it, or one of the two alone.
    Versions: up to 3.2
    Source: YARN-8967
    Bad: <queuePlacementPolicy><rule name="primaryGroup"><rule name="default" queue="g"/></rule></queuePlacementPolicy>
    Given: --hadoop 3.2
    Good: <queuePlacementPolicy><rule name="primaryGroup"/></queuePlacementPolicy>
    Given: --hadoop 3.2
    """


@FAMILY.told("FS716", WARNING)
def non_rule_child() -> None:
    """An element of the policy is no rule.

    When: an element in queuePlacementPolicy is not called rule.
    Effect: from 3.3 on it is passed over. Up to 3.2 it is taken for a rule, by its name.
    Write: rule.
    Versions: 3.3 and later
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy><Rules/><rule name="default"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.told("FS717", WARNING)
def several_placement_policies() -> None:
    """There are several placement policies.

    When: queuePlacementPolicy comes more than once.
    Effect: the last is read; the others are not even checked.
    Write: one.
    Versions: all
    Source: AllocationFileParser
    Bad:
        <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
        <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.told("FS718", WARNING)
def create_flag_not_boolean() -> None:
    """The flag create is neither true nor false.

    When: create has another text.
    Effect: it is false.
    Write: true or false.
    Versions: all
    Source: FSPlacementRule
    Bad: <queuePlacementPolicy><rule name="user" create="yes"/><rule name="default"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="user" create="false"/><rule name="default"/></queuePlacementPolicy>
    """


@FAMILY.rule("FS719", INFO)
def rule_attribute_ignored(case: Case) -> Iterator[Hit]:
    """A rule has an attribute that is not read.

    When: it has another one than name, create, and for default queue.
    Effect: none.
    Write: no such attribute.
    Versions: all
    Source: FSPlacementRule
    Bad: <queuePlacementPolicy><rule name="specified" queue="u"/><rule name="default"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="specified"/><rule name="default" queue="u"/></queuePlacementPolicy>
    """
    for rule in placed_rules(case.raw.rules):
        known = ("name", "create", "queue") if rule.name == "default" else ("name", "create")
        odd = [name for name in case.document.attribute_names(rule.element) if name not in known]
        if odd:
            hint = "name the queue in the rule default" if odd[0] == "queue" else f"drop {odd[0]}"
            yield Hit(rule.element, f"rule {rule.name}: {listed(odd)}", "not read", hint)


# -- where the rule default leads


def _defaults(case: Case) -> Iterator[tuple[PlacementRule, str]]:
    """Yields the rules default that stand alone and name a queue, with its full name."""
    for rule in case.raw.rules or ():
        if rule.name == "default" and rule.queue:
            new = case.profile.features.placement_rewrite or rule.queue.startswith(f"{ROOT}.")
            yield rule, full_name(rule.queue) if new else f"{ROOT}.{rule.queue}"


def _falls_back(queue: str) -> bool:
    return queue != queue.strip(UNICODE_BLANKS) or queue.startswith(".") or queue.endswith(".")


@FAMILY.rule("FS720", WARNING)
def default_rule_queue_invalid(case: Case) -> Iterator[Hit]:
    """The rule default names no proper queue.

    When: queue begins or ends with a blank or a dot.
    Effect: from 3.3 on root.default is taken for it, with a line in the log; from 2.8 to 3.2 applications are rejected;
        up to 2.7 a queue of that name is made.
    Write: the name alone.
    Versions: all
    Source: DefaultPlacementRule
    Bad: <queuePlacementPolicy><rule name="default" queue=".u"/></queuePlacementPolicy>
    Good: <queue name="u"/><queuePlacementPolicy><rule name="default" queue="u"/></queuePlacementPolicy>
    """
    for rule in placed_rules(case.raw.rules):
        if rule.name == "default" and rule.queue and _falls_back(rule.queue):
            features = case.profile.features
            effect = "a queue of that name is made"
            if features.placement_rewrite:
                effect = f"{DEFAULT_QUEUE} is taken instead"
            elif features.nonempty_names and any(
                not part or part != trim_name(part, case.profile) for part in rule.queue.split(".")
            ):
                effect = "who comes to it is rejected"
            yield Hit(
                rule.element, f"rule default: the queue {rule.queue!r}", effect,
                f"write queue={rule.queue.strip(UNICODE_BLANKS + '.')!r}",
            )  # fmt: skip


@FAMILY.rule("FS721", ERROR)
def default_rule_queue_empty_node(case: Case) -> Iterator[Hit]:
    """The rule default names a queue with an empty part.

    When: queue holds two dots in a row.
    Effect: from 3.3 on the first application that comes to it ends the ResourceManager, unless create is false: then
        the rule passes; from 2.8 to 3.2 it is rejected.
    Write: one dot.
    Versions: 2.8 and later
    Source: QueueManager, EventDispatcher
    Bad: <queuePlacementPolicy><rule name="default" queue="a..b"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="default" queue="a.b"/></queuePlacementPolicy>
    """
    features = case.profile.features
    for rule, name in _defaults(case):
        if ".." in name and features.nonempty_names and not (features.placement_rewrite and _falls_back(rule.queue)):
            effect = "who comes to it is rejected"
            severity = None
            if features.placement_rewrite:
                effect = "the first application that comes to it ends the ResourceManager"
                if not rule.create:
                    effect, severity = "the rule passes for everybody", WARNING
            yield Hit(rule.element, f"rule default: the queue {rule.queue!r} has an empty part", effect,
                      "write one dot", severity)  # fmt: skip


@FAMILY.rule("FS722", ERROR, TREE)
def default_rule_queue_is_parent(case: Case) -> Iterator[Hit]:
    """The rule default leads to a parent.

    When: its queue has children or is a parent by type, up to 3.2 also by <reservation>; from 3.3 on also root (up to
        3.2 the name root means root.root there).
    Effect: every application that comes to it is rejected.
    Write: a leaf.
    Versions: all
    Source: FairScheduler.addApplication
    Bad:
        <queue name="p"><queue name="a"/></queue>
        <queuePlacementPolicy><rule name="default" queue="p"/></queuePlacementPolicy>
    Good:
        <queue name="p"><queue name="a"/></queue>
        <queuePlacementPolicy><rule name="default" queue="p.a"/></queuePlacementPolicy>
    """
    for rule, name in _defaults(case):
        queue = case.tree.queues.get(name)
        takes = case.profile.features.placement_rewrite and "reservation" in (queue.fields if queue else ())
        if queue is not None and not queue.leaf and not takes:
            leaf = next((one.name for one in queue.walk() if one.leaf), "")
            hint = f"name a leaf, such as {leaf.removeprefix('root.')}" if leaf else "name a leaf"
            yield Hit(rule.element, f"rule default: {name} is a parent", "who comes to it is rejected", hint,
                      other=queue.element)  # fmt: skip


@FAMILY.rule("FS723", WARNING, TREE)
def default_rule_queue_undeclared(case: Case) -> Iterator[Hit]:
    """The rule default leads to a queue that the file does not have.

    When: its queue is not in the file.
    Effect: with create it is made on the fly, with the defaults; without, the rule passes.
    Write: the queue in the file, or the name of one that is.
    Versions: all
    Source: DefaultPlacementRule
    Bad: <queue name="type"/><queuePlacementPolicy><rule name="default" queue="typo"/></queuePlacementPolicy>
    Good: <queue name="type"/><queuePlacementPolicy><rule name="default" queue="type"/></queuePlacementPolicy>
    """
    queues = case.tree.queues
    for rule, name in _defaults(case):
        if name in queues or ".." in name or _falls_back(rule.queue) or _above(case, name).leaf:
            continue
        near = near_queue(name, [queue.name for queue in queues.values() if queue.leaf])
        yield Hit(
            rule.element, f"rule default: {name} is not in the file",
            "made on the fly, with the defaults" if rule.create else "the rule passes",
            f"did you mean {near.removeprefix('root.')}?" if near else "write the queue",
        )  # fmt: skip


def _above(case: Case, name: str) -> Queue:
    """The deepest queue above a name that exists."""
    above = parent_of(name)
    while above and above not in case.tree.queues:
        above = parent_of(above)
    return case.tree.queues[above or ROOT]


@FAMILY.rule("FS724", ERROR, TREE)
def default_rule_below_leaf(case: Case) -> Iterator[Hit]:
    """The rule default leads below a leaf.

    When: its queue would be a child of a leaf.
    Effect: it cannot be made: every application that comes to it is rejected.
    Write: a queue that exists, or make the leaf a parent.
    Versions: all
    Source: QueueManager.createQueue
    Bad: <queue name="a"/><queuePlacementPolicy><rule name="default" queue="a.b"/></queuePlacementPolicy>
    Good:
        <queue name="a" type="parent"/>
        <queuePlacementPolicy><rule name="default" queue="a.b"/></queuePlacementPolicy>
    """
    for rule, name in _defaults(case):
        if name in case.tree.queues or not rule.create or ".." in name or _falls_back(rule.queue):
            continue
        above = _above(case, name)
        if above.leaf:
            yield Hit(rule.element, f"rule default: {name} would be below {above.name}, which is a leaf",
                      "who comes to it is rejected", f'name a leaf, or make {above.name} a parent with type="parent"',
                      other=above.element)  # fmt: skip


@FAMILY.rule("FS725", WARNING, TREE)
def nested_rule_yields_leaf(case: Case) -> Iterator[Hit]:
    """The rule inside another names a leaf for the parent.

    When: the inner rule is default, and its queue is a leaf.
    Effect: the rule passes for everybody; up to 3.2 a leaf that the file does not have (root.default) is taken for a
        parent, and applications are rejected.
    Write: type="parent" in that queue, if it has no children.
    Versions: all; up to 3.2 inside of nestedUserQueue
    Source: UserPlacementRule, QueuePlacementRule
    Bad:
        <queue name="u"/>
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="default" queue="u" create="false"/></rule><rule name="default"/>
        </queuePlacementPolicy>
    Good:
        <queue name="u" type="parent"/>
        <queuePlacementPolicy>
          <rule name="nestedUserQueue"><rule name="default" queue="u" create="false"/></rule><rule name="default"/>
        </queuePlacementPolicy>
    """
    for rule in case.raw.rules or ():
        inner = rule.nested
        if inner is None or inner.name != "default":
            continue
        name = full_name(inner.queue) if inner.queue else DEFAULT_QUEUE
        queue = case.tree.queues.get(name)
        if queue is not None and queue.leaf:
            passes = case.profile.features.placement_rewrite or queue.element is not None
            yield Hit(inner.element, f"rule {rule.name}: {name}, the parent, is a leaf",
                      "the rule passes for everybody" if passes else "who comes to it is rejected",
                      'write type="parent" in that queue', other=queue.element)  # fmt: skip


@FAMILY.rule("FS726", WARNING, TREE)
def rule_never_matches(case: Case) -> Iterator[Hit]:
    """A rule that creates no queue finds none.

    When: user, primaryGroup or secondaryGroupExistingQueue looks for queues of the file directly below root, and there
        is none; with users and groups given, none that is called like one of them.
    Effect: it passes for everybody.
    Write: the queues, create="true", or drop the rule.
    Versions: all
    Source: FSPlacementRule
    Bad: <queuePlacementPolicy><rule name="user" create="false"/><rule name="default"/></queuePlacementPolicy>
    Good:
        <queue name="alice"/>
        <queuePlacementPolicy><rule name="user" create="false"/><rule name="default"/></queuePlacementPolicy>
    """
    names = {queue.name.rpartition(".")[2] for queue in case.tree.root.children if queue.name != DEFAULT_QUEUE}
    for rule in case.raw.rules or ():
        groups = rule.name == "secondaryGroupExistingQueue"
        if rule.nested is not None or not (groups or (rule.name in ("user", "primaryGroup") and not rule.create)):
            continue
        wanted = _wanted(case, rule.name)
        if not (names if wanted is None else names & wanted):
            what = "no queue" if wanted is None else "no queue that is called so"
            yield Hit(rule.element, f"rule {rule.name} finds {what} below root", "it passes for everybody",
                      'write such queues, or create="true"' if not groups else "write such queues")  # fmt: skip


def _wanted(case: Case, rule: str) -> set[str] | None:
    """The names that a rule may come up with, where users are known."""
    if case.users is None:
        return None
    if rule == "user":
        names = set(case.users)
    elif rule == "primaryGroup":
        names = {groups[0] for groups in case.users.values() if groups}
    else:
        first = 0 if case.profile.version >= (3, 4, 0) else 1
        names = {group for groups in case.users.values() for group in groups[first:]}
    return {name.replace(".", "_dot_") for name in names}


# -- what rules lead to


@FAMILY.rule("FS727", INFO)
def anyone_creates_queues(case: Case) -> Iterator[Hit]:
    """Anybody creates queues by asking for them.

    When: the rule specified has create="true", or no create.
    Effect: a misspelt queue is a new one, with weight 1 and without a maximum, and takes a share.
    Write: create="false".
    Versions: all
    Source: SpecifiedPlacementRule
    Bad: <queuePlacementPolicy><rule name="specified"/><rule name="default"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="specified" create="false"/><rule name="default"/></queuePlacementPolicy>
    """
    for rule in case.raw.rules or ():
        if rule.name == "specified" and rule.create:
            yield Hit(rule.element, "rule specified creates the queues that are asked for",
                      "a misspelt name is a new queue, with weight 1 and the default limits",
                      'write create="false"')  # fmt: skip


@FAMILY.rule("FS728", INFO, TREE)
def ad_hoc_queues_unlimited(case: Case) -> Iterator[Hit]:
    """Queues made for users have no maximum.

    When: user, primaryGroup or nestedUserQueue creates queues, specified does not (FS727), and neither
        maxChildResources of a parent nor queueMaxResourcesDefault is written.
    Effect: each has weight 1 and may take the whole cluster.
    Write: maxChildResources in the parent, or queueMaxResourcesDefault.
    Versions: 2.9 and later
    Source: YARN-4702
    Bad: <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
    Good:
        <queue name="root"><maxChildResources>20%</maxChildResources></queue>
        <queuePlacementPolicy><rule name="user"/></queuePlacementPolicy>
    """
    if not case.profile.features.max_child_resources or "queueMaxResourcesDefault" in case.raw.defaults:
        return
    if any(True for _ in case.fields("maxChildResources")):
        return
    for rule in case.raw.rules or ():
        if rule.name == "specified" and rule.create:
            return
        if rule.name in _MAKES_FOR_USERS and rule.create:
            yield Hit(
                rule.element, f"rule {rule.name} creates queues without a maximum",
                "each has weight 1 and may take the whole cluster", "write maxChildResources in their parent",
            )  # fmt: skip
            return


@FAMILY.rule("FS729", INFO, SITE)
def site_properties_shadowed(case: Case) -> Iterator[Hit]:
    """Properties about placement are not in force.

    When: the file has a placement policy, and yarn-site sets allow-undeclared-pools or user-as-default-queue.
    Effect: both are for files without a policy.
    Write: drop them.
    Versions: all
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    Given: -D yarn.scheduler.fair.user-as-default-queue=false
    Good: <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    Given: -D yarn.acl.enable=false
    """
    if case.raw.rules is None:
        return
    for name in ("allow-undeclared-pools", "user-as-default-queue"):
        value = case.written(FAIR_PREFIX + name)
        if value is not None:
            yield Hit(value, f"{value.name} is set, and the file has a queuePlacementPolicy", "not in force", "drop it")


@FAMILY.rule("FS730", INFO, TREE, USERS)
def secondary_group_sees_primary(case: Case) -> Iterator[Hit]:
    """The rule for secondary groups finds the queue of a primary one.

    When: secondaryGroupExistingQueue is used, and a queue below root is called like somebody's primary group.
    Effect: from 3.4 on the primary group is tried, too, and first.
    Write: nothing, if this is meant.
    Versions: 3.4 and later
    Source: HADOOP-17079
    Bad:
        <queue name="eng"/>
        <queuePlacementPolicy><rule name="secondaryGroupExistingQueue"/><rule name="default"/></queuePlacementPolicy>
    Given: --users ann=eng,ops
    Good:
        <queue name="ops"/>
        <queuePlacementPolicy><rule name="secondaryGroupExistingQueue"/><rule name="default"/></queuePlacementPolicy>
    Given: --users ann=eng,ops
    """
    if case.profile.version < (3, 4, 0):
        return
    first = sorted({groups[0] for groups in (case.users or {}).values() if groups})
    found = [name for name in first if f"{ROOT}.{name.replace('.', '_dot_')}" in case.tree.queues]
    for rule in case.raw.rules or ():
        if found and rule.name == "secondaryGroupExistingQueue" and rule.nested is None:
            yield Hit(rule.element, f"rule {rule.name} places by primary group, too: {listed(found)}",
                      "up to 3.3 only secondary groups count", "nothing, if this is meant")  # fmt: skip


@FAMILY.rule("FS731", ERROR)
def all_apps_rejected(case: Case) -> Iterator[Hit]:
    """Every application is rejected.

    When: the first rule is reject.
    Effect: no application is ever accepted.
    Write: the rules that accept some, before it.
    Versions: all
    Source: QueuePlacementPolicy
    Bad: <queuePlacementPolicy><rule name="reject"/></queuePlacementPolicy>
    Good: <queuePlacementPolicy><rule name="specified" create="false"/><rule name="reject"/></queuePlacementPolicy>
    """
    rules = case.raw.rules
    if rules and rules[0].name == "reject":
        yield Hit(rules[0].element, "the first rule is reject", "no application is ever accepted",
                  "write rules that accept some before it")  # fmt: skip
