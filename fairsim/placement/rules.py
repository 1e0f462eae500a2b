"""The rules of a placement policy, asked one after the other, in both generations.

Up to 3.2 QueuePlacementPolicy and QueuePlacementRule, from 3.3 on (YARN-8967) PlacementManager, the rules of
resourcemanager.placement and FairQueuePlacementUtils.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairsim.config.allocation import RawAllocation
from fairsim.config.names import DEFAULT_QUEUE, ROOT, UNICODE_BLANKS, full_name
from fairsim.config.placement_syntax import Rule
from fairsim.javanum import trim
from fairsim.placement.live import Live
from fairsim.profiles import Profile

PASS, PLACE, THROW, REJECT = "passes", "places", "throws", "rejects"
BELOW_ROOT = ROOT + "."
DOT = "_dot_"


class User:
    """Who submits: name, and groups in order, the primary one first; None where Hadoop cannot look them up."""

    __slots__ = ("groups", "name")

    def __init__(self, name: str, groups: Sequence[str] | None = ()):
        self.name = name
        self.groups = groups


class Step:
    """What one rule did: `verdict` passes, places, throws or rejects, `code` why, `text` in words.

    `depth` is 1 for a rule inside another; `candidate` is the queue that it named, `state` what that queue is.
    """

    __slots__ = ("candidate", "code", "depth", "rule", "state", "text", "verdict")

    def __init__(
        self, rule: Rule, depth: int, verdict: str, code: str, text: str, candidate: str = "", state: str = ""
    ):
        self.rule = rule
        self.depth = depth
        self.verdict = verdict
        self.code = code
        self.text = text
        self.candidate = candidate
        self.state = state


class Stop(Exception):
    """A rule ends the search without a queue. `rejects`: it says no; else an exception leaves the rules.

    `uncaught`: no exception that Hadoop expects, so that it leaves the scheduler itself.
    """

    def __init__(self, code: str, message: str, *, rejects: bool = False, uncaught: bool = False):
        super().__init__(message)
        self.code, self.rejects, self.uncaught = code, rejects, uncaught


class Decided:
    """The queue that the rules name, and the rule (both None: no rule does)."""

    __slots__ = ("queue", "rule")

    def __init__(self, queue: str | None, rule: Rule | None):
        self.queue = queue
        self.rule = rule


def implicit_rules(create: bool, user_queues: bool) -> list[Rule]:
    """Returns the rules of a file without a policy: allow-undeclared-pools and user-as-default-queue of yarn-site."""

    def rule(name: str, flag: bool = True) -> Rule:
        return Rule(name, flag, "", None, None)  # type: ignore[arg-type]

    if create:
        return [rule("specified"), rule("user" if user_queues else "default")]
    users = [rule("user", False)] if user_queues else []
    return [rule("specified", False), *users, rule("default")]


class Policy:
    """The rules in force. `decide` asks them; subclasses are the two generations.

    `personal` tells afterwards whether the name of the user played a part: if not, others with the same groups and the
    same request fare alike.
    """

    def __init__(self, rules: Sequence[Rule], profile: Profile, raw: RawAllocation):
        self.rules = rules
        self.version = profile.version
        self.raw = raw
        self.live: Live
        self.user: User
        self.requested = ""
        self.personal = False
        self.steps: list[Step] | None = None

    def decide(self, live: Live, user: User, requested: str, steps: list[Step] | None) -> Decided:
        """Returns the queue for an application; `steps` collects what each rule did. Raises Stop."""
        self.live, self.user, self.requested, self.steps = live, user, requested, steps
        self.personal = False
        for rule in self.rules:
            queue = self.ask(rule, 0)
            if queue is not None:
                return Decided(queue, rule)
        return self.at_end()

    def ask(self, rule: Rule, depth: int) -> str | None:
        """Returns the queue that a rule names, None where it passes. Raises Stop."""
        raise NotImplementedError

    def at_end(self) -> Decided:
        """Returns what happens when every rule has passed. Raises Stop."""
        raise NotImplementedError

    def note(
        self, rule: Rule, depth: int, verdict: str, code: str, text: str, candidate: str = "", state: str = ""
    ) -> None:
        if self.steps is not None:
            self.steps.append(Step(rule, depth, verdict, code, text, candidate, state))

    def throw(self, rule: Rule, depth: int, code: str, text: str, *, uncaught: bool = False) -> Stop:
        self.note(rule, depth, THROW, code, text)
        return Stop(code, text, uncaught=uncaught)


def policy_of(rules: Sequence[Rule], profile: Profile, raw: RawAllocation) -> Policy:
    """Returns the rules as this version asks them."""
    return (NewPolicy if profile.features.placement_rewrite else OldPolicy)(rules, profile, raw)


class OldPolicy(Policy):
    """Rules inside the scheduler, up to 3.2. What they know of queues are the names in the file."""

    def __init__(self, rules: Sequence[Rule], profile: Profile, raw: RawAllocation):
        super().__init__(rules, profile, raw)
        self.configured = {*raw.leaves, *raw.parents}
        self.dots = self.version >= (2, 7, 0)
        self.trims = self.version >= (2, 8, 0)

    def at_end(self) -> Decided:
        raise Stop("NO_RULE", "every rule passed, and none is left", uncaught=self.version < (2, 9, 0))

    def clean(self, name: str) -> str:
        if self.trims:
            name = trim(name)
        return name.replace(".", DOT) if self.dots else name

    def ask(self, rule: Rule, depth: int) -> str | None:
        if rule.name == "reject":
            self.note(rule, depth, REJECT, "REJECT_RULE", "rejects every application that comes to it")
            raise Stop("REJECT_RULE", "the rule reject rejects it", rejects=True)
        try:
            queue = self._named(rule, depth)
        except Stop as stop:
            if stop.rejects and not rule.create:
                self.note(rule, depth, PASS, "NOT_STATIC", "names no queue, and create is false")
                return None
            raise
        if queue is None:
            return None
        if rule.create:
            self.note(rule, depth, PLACE, "CREATE_ALLOWED", "create is true", queue, self._state(queue))
        elif queue in self.configured:
            self.note(rule, depth, PLACE, "STATIC", "the file names the queue", queue, self._state(queue))
        else:
            self.note(rule, depth, PASS, "NOT_STATIC", "create is false, and the file does not name the queue", queue,
                      self._state(queue))  # fmt: skip
            return None
        return queue

    def _state(self, queue: str) -> str:
        known = self.live.known.get(queue)
        return known.state if known is not None else "absent"

    def _named(self, rule: Rule, depth: int) -> str | None:
        """Returns the queue that a rule speaks of; None, with a step, where there is none."""
        if rule.name == "specified":
            if self.requested == "default":
                self.note(rule, depth, PASS, "REQ_IS_DEFAULT", "no queue but default is asked for")
                return None
            return _below_root(self.requested)
        if rule.name == "user":
            self.personal = True
            return BELOW_ROOT + self.clean(self.user.name)
        if rule.name == "primaryGroup":
            return BELOW_ROOT + self.clean(self._groups(rule, depth, primary=True)[0])
        if rule.name == "secondaryGroupExistingQueue":
            for group in self._groups(rule, depth, primary=False)[1:]:
                queue = BELOW_ROOT + self.clean(group)
                if queue in self.configured:
                    return queue
            self.note(rule, depth, PASS, "NO_SECONDARY_MATCH", "the file names no queue of a secondary group")
            return None
        if rule.name == "default":
            return _below_root(rule.queue) if rule.queue else DEFAULT_QUEUE
        return self._nested(rule, depth)

    def _nested(self, rule: Rule, depth: int) -> str | None:
        assert rule.nested is not None
        self.personal = True
        parent = self.ask(rule.nested, depth + 1)
        if parent is None:
            self.note(rule, depth, PASS, "PARENT_PASSED", "the rule inside passes")
            return None
        parent = _below_root(parent)
        if parent in self.raw.leaves:
            self.note(rule, depth, PASS, "PARENT_IS_LEAF", f"{parent} is a leaf queue in the file", parent)
            return None
        return f"{parent}.{self.clean(self.user.name)}"

    def _groups(self, rule: Rule, depth: int, *, primary: bool) -> Sequence[str]:
        groups = self.user.groups
        if groups is None:
            raise self.throw(rule, depth, "GROUP_LOOKUP", "the groups of the user cannot be looked up")
        if primary and not groups:
            text = "the user has no groups"
            raise self.throw(rule, depth, "NO_GROUPS", text, uncaught=self.version < (2, 8, 0))
        return groups


def _below_root(name: str) -> str:
    return name if name.startswith(BELOW_ROOT) else BELOW_ROOT + name


class NewPolicy(Policy):
    """Rules before the scheduler, from 3.3 on. What they know are the queues that exist, but those made on the fly."""

    def at_end(self) -> Decided:
        return Decided(None, None)

    @staticmethod
    def clean(name: str) -> str:
        return name.strip(UNICODE_BLANKS).replace(".", DOT)

    def ask(self, rule: Rule, depth: int) -> str | None:
        if rule.name == "reject":
            self.note(rule, depth, PASS, "REJECT_RULE", "rejects: no rule comes after it")
            return None
        if rule.name == "specified":
            requested = self.requested
            if requested != requested.strip(UNICODE_BLANKS) or requested.startswith(".") or requested.endswith("."):
                text = f"{requested!r} is no name of a queue: a dot or blank at an end"
                raise self.throw(rule, depth, "BAD_NAME", text)
            if requested == "default":
                self.note(rule, depth, PASS, "REQ_IS_DEFAULT", "no queue but default is asked for")
                return None
            return self._create_or_static(rule, depth, requested and full_name(requested))
        if rule.name == "default":
            return self._create_or_static(rule, depth, self._default(rule.queue))
        if rule.name == "secondaryGroupExistingQueue":
            return self._secondary(rule, depth)
        name = self.user.name
        if rule.name == "primaryGroup":
            groups = self._groups(rule, depth)
            if not groups:
                raise self.throw(rule, depth, "NO_GROUPS", "the user has no groups")
            name = groups[0]
        else:
            self.personal = True
        above = self._above(rule, depth)
        if above is None:
            return None
        return self._create_or_static(rule, depth, _join(above, self.clean(name)))

    @staticmethod
    def _default(queue: str) -> str:
        if not queue or queue != queue.strip(UNICODE_BLANKS) or queue.startswith(".") or queue.endswith("."):
            return DEFAULT_QUEUE
        return full_name(queue)

    def _above(self, rule: Rule, depth: int) -> str | None:
        """Returns the parent that the rule inside names ("": there is none inside); None, with a step, to pass."""
        if rule.nested is None:
            return ""
        parent = self.ask(rule.nested, depth + 1)
        if parent is None:
            self.note(rule, depth, PASS, "PARENT_PASSED", "the rule inside passes")
            return None
        known = self.live.get(parent)
        if known is not None and known.leaf:
            self.note(rule, depth, PASS, "PARENT_IS_LEAF", f"{parent} is a leaf queue", parent, known.state)
            return None
        return parent

    def _secondary(self, rule: Rule, depth: int) -> str | None:
        groups = self._groups(rule, depth)
        above = self._above(rule, depth)
        if above is None:
            return None
        for group in groups if self.version >= (3, 4, 0) else groups[1:]:
            queue = _join(above, self.clean(group))
            known = self.live.get(queue)
            if known is not None and known.static:
                text = f"the file names the queue of group {group}"
                self.note(rule, depth, PLACE, "STATIC", text, queue, known.state)
                return queue
        self.note(rule, depth, PASS, "NO_SECONDARY_MATCH", "no queue of the file is that of a group")
        return None

    def _create_or_static(self, rule: Rule, depth: int, queue: str) -> str | None:
        known = self.live.get(queue)
        state = known.state if known is not None else "absent"
        if rule.create:
            self.note(rule, depth, PLACE, "CREATE_ALLOWED", "create is true", queue, state)
            return queue
        if known is not None and known.static:
            self.note(rule, depth, PLACE, "STATIC", "the file names the queue", queue, state)
            return queue
        if known is not None:
            text = "create is false, and the queue was made on the fly"
            self.note(rule, depth, PASS, "DYNAMIC_ONLY", text, queue, state)
        else:
            self.note(rule, depth, PASS, "NOT_STATIC", "create is false, and the queue does not exist", queue, state)
        return None

    def _groups(self, rule: Rule, depth: int) -> Sequence[str]:
        if self.user.groups is None:
            raise self.throw(rule, depth, "GROUP_LOOKUP", "the groups of the user cannot be looked up")
        return self.user.groups


def _join(above: str, name: str) -> str:
    return f"{above}.{name}" if above else full_name(name)
