"""The queuePlacementPolicy element: its rules, and what Hadoop refuses at load.

Two generations: up to 3.2 QueuePlacementPolicy and QueuePlacementRule, from 3.3 on (YARN-8967) the rules in
resourcemanager.placement with the checks of QueuePlacementPolicy.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, NamedTuple

from fairsim.diag import ERROR, INFO, WARNING, Finding, did_you_mean
from fairsim.profiles import Profile
from fairsim.xmlio.reader import Document, Element

RULE_NAMES = (
    "specified", "user", "primaryGroup", "secondaryGroupExistingQueue", "nestedUserQueue", "default", "reject",
)  # fmt: skip


class Rule(NamedTuple):
    """One rule as written: its name, the create flag, the queue attribute, the rule nested in it, its element."""

    name: str
    create: bool
    queue: str
    nested: Rule | None
    element: Element


def read_placement(document: Document, policy: Element, profile: Profile) -> tuple[list[Rule] | None, list[Finding]]:
    """Returns the rules in order, and findings; None instead of rules where Hadoop keeps those it had."""
    return _Placement(document, profile).read(policy)


class _Placement:
    def __init__(self, document: Document, profile: Profile):
        self.document = document
        self.profile = profile
        self.rewrite = profile.features.placement_rewrite
        self.findings: list[Finding] = []

    def read(self, policy: Element) -> tuple[list[Rule] | None, list[Finding]]:
        if not self.document.has_children(policy):
            self.refuse("FS701", "placement-empty", "queuePlacementPolicy is empty", policy,
                        "write a <rule> or drop it")  # fmt: skip
            return None, self.findings
        elements = self._rule_elements(policy)
        if not elements:
            self._no_rule(policy)
            return None, self.findings
        rules = [rule for element in elements if (rule := self._rule(element, inside=False)) is not None]
        if len(rules) == len(elements):
            self._check_order(rules)
        if self.rewrite:
            for rule in rules:
                self._check_parent(rule)
        return rules, self.findings

    def _no_rule(self, policy: Element) -> None:
        if self.rewrite:
            self.note(WARNING, "FS702", "placement-no-rule", "queuePlacementPolicy without a rule", policy,
                      "ignored: the rules of before, at start those of yarn-site, stay")  # fmt: skip
        else:
            self.refuse("FS702", "placement-no-rule", "queuePlacementPolicy without a rule", policy, "write a <rule>")

    def _rule_elements(self, policy: Element) -> list[Element]:
        if not self.rewrite:
            return list(policy)
        for element in policy:
            if element.tag.lower() != "rule":
                self.note(WARNING, "FS716", "non-rule-child", f"<{element.tag}> in queuePlacementPolicy", element,
                          "ignored")  # fmt: skip
        return [element for element in policy if element.tag.lower() == "rule"]

    def _rule(self, element: Element, inside: bool) -> Rule | None:
        """Returns the rule of an element, None after a refusal; `inside` tells that it stands in another rule."""
        name = element.get("name") or ""
        if not name:
            self.refuse("FS703", "rule-name-missing", f"<{element.tag}> without a name", element,
                        "write name=\"specified\" or another rule")  # fmt: skip
            return None
        if name not in RULE_NAMES:
            near = did_you_mean(name, RULE_NAMES)
            self.refuse("FS704", "rule-name-unknown", f"unknown rule {name!r}", element,
                        f"did you mean {near}?" if near else "rules: " + ", ".join(RULE_NAMES))  # fmt: skip
            return None
        nested = self._nested(element, name, inside)
        if nested is False:
            return None
        flag = element.get("create")
        if flag and flag.lower() not in ("true", "false"):
            self.note(WARNING, "FS718", "create-flag-not-boolean", f"create={flag!r}", element, "read as false")
        absent = not flag if self.rewrite else flag is None  # an empty flag is false before 3.3
        return Rule(name, absent or str(flag).lower() == "true", element.get("queue") or "", nested, element)

    def _nested(self, element: Element, name: str, inside: bool) -> Rule | Literal[False] | None:
        """Returns the nested rule, None without one, False after a refusal."""
        if self.rewrite:
            return None if inside else self._parent_rule(element, name)  # grandchildren are not read
        inner = [one for one in element if one.tag == "rule"]
        if name != "nestedUserQueue":
            if inner:
                self.note(WARNING, "FS715", "parent-rule-outside-nested", f"a rule inside of {name}", inner[0],
                          "ignored before Hadoop 3.3")  # fmt: skip
            return None
        if not inner:
            return self._no_inner_rule(element)
        rule = self._rule(inner[0], inside=True)
        return False if rule is None else rule

    def _no_inner_rule(self, element: Element) -> Literal[False]:
        self.refuse("FS708", "nested-user-queue-without-parent", "nestedUserQueue without a rule in it", element,
                    'nest a rule, such as <rule name="primaryGroup"/>')  # fmt: skip
        return False

    def _parent_rule(self, element: Element, name: str) -> Rule | Literal[False] | None:
        inner = [one for one in element if one.tag.lower() == "rule"]
        if len(inner) > 1:
            self.note(WARNING, "FS714", "several-parent-rules", f"{len(inner)} rules inside of {name}", inner[0],
                      "only the last one is read")  # fmt: skip
        if not inner:
            return self._no_inner_rule(element) if name == "nestedUserQueue" else None
        rule = self._rule(inner[-1], inside=True)
        if rule is None:
            return False
        if rule.name in ("reject", "nestedUserQueue"):
            self.refuse("FS711", "parent-rule-forbidden", f"{rule.name} can not be the rule inside of {name}",
                        inner[-1], "nest specified, user, primaryGroup or another rule that names a queue")  # fmt: skip
            return False
        return rule

    def _check_parent(self, rule: Rule) -> None:
        """Says why a rule refuses the one inside when Hadoop 3.3 and later start it, after all other checks."""
        if rule.nested is None:
            return
        inner = rule.nested.element
        if {rule.name, rule.nested.name} <= {"user", "nestedUserQueue"} or rule.name == rule.nested.name:
            self.refuse("FS713", "parent-rule-same-kind", f"{rule.nested.name} inside of {rule.name} is the same rule",
                        inner, "nest another rule")  # fmt: skip
        elif rule.name in ("specified", "default", "reject"):
            self.refuse("FS712", "parent-rule-not-allowed-here", f"{rule.name} takes no rule inside", inner,
                        "drop the inner rule")  # fmt: skip

    def _terminal(self, rule: Rule) -> bool:
        """Tells whether a rule always decides; with one inside, both must (Hadoop reads those from 3.3 on)."""
        if rule.name in ("specified", "secondaryGroupExistingQueue"):
            return False
        if not self.rewrite:
            return rule.name in ("reject", "default") or (rule.name != "nestedUserQueue" and rule.create)
        alone = rule.create or rule.name == "reject"
        return alone and (rule.nested is None or self._terminal(rule.nested))

    def _check_order(self, rules: list[Rule]) -> None:
        for rule, following in pairwise(rules):
            if self._terminal(rule):
                code, kind, since = "FS705", "rule-unreachable", ""
                if rule.name == "nestedUserQueue":
                    code, kind, since = "FS709", "nested-user-queue-now-terminal", " from Hadoop 3.3 on"
                self.refuse(code, kind, f"rule {following.name} is never reached", following.element,
                            f"{rule.name} before it always decides{since}: move or drop one", rule.element)  # fmt: skip
                return
        last = rules[-1]
        if not self._terminal(last):
            self._not_terminal(last)

    def _not_terminal(self, last: Rule) -> None:
        hint = 'end with <rule name="default"/> or <rule name="reject"/>'
        if last.name == "default":
            self.refuse("FS707", "default-rule-create-false", 'the last rule is default with create="false"',
                        last.element, 'drop create="false" or add <rule name="reject"/>')  # fmt: skip
        elif last.name == "nestedUserQueue" and not self.rewrite:
            self.refuse("FS710", "nested-user-queue-last", "nestedUserQueue can not be the last rule before Hadoop 3.3",
                        last.element, hint)  # fmt: skip
        else:
            self.refuse("FS706", "rule-list-not-terminal", f"the last rule, {last.name}, may pass", last.element, hint)

    def refuse(
        self, code: str, name: str, message: str, element: Element, hint: str, other: Element | None = None
    ) -> None:
        self.findings.append(Finding(
            code, name, ERROR, message, self.document.pos(element),
            f"Hadoop {self.profile.label} would not load this file", hint, True,
            None if other is None else self.document.pos(other),
        ))  # fmt: skip

    def note(self, level: str, code: str, name: str, message: str, element: Element, effect: str) -> None:
        assert level in (WARNING, INFO)
        self.findings.append(Finding(code, name, level, message, self.document.pos(element), effect))
