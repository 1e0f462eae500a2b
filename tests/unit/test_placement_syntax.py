"""The queuePlacementPolicy element: what is read, what Hadoop refuses at load, before and after its rewrite in 3.3."""

from __future__ import annotations

import pytest

from fairsim.config.allocation import read_allocation
from fairsim.config.placement_syntax import Rule
from fairsim.diag import ERROR, WARNING, Finding, Pos
from fairsim.profiles import profile
from fairsim.xmlio.reader import read_document
from tests.helpers import PLAIN, codes, raw_of

OLD = ("2.6", "2.7", "2.8", "2.9", "2.10", "3.0", "3.1", "3.2")
NEW = ("3.3", "3.4", "3.5")


def policy(rules: str) -> str:
    return f"<queuePlacementPolicy>{rules}</queuePlacementPolicy>"


def rule(name: str, inner: str = "", create: str | None = None, queue: str | None = None) -> str:
    attributes = f' name="{name}"'
    attributes += "" if create is None else f' create="{create}"'
    attributes += "" if queue is None else f' queue="{queue}"'
    return f"<rule{attributes}>{inner}</rule>"


REJECT, DEFAULT, USER = rule("reject"), rule("default"), rule("user")
SPECIFIED, GROUP = rule("specified"), rule("primaryGroup")


def shown(one: Rule) -> str:
    """Returns name, + for create, =queue, (rule inside)."""
    nested = f"({shown(one.nested)})" if one.nested else ""
    return one.name + "+" * one.create + (f"={one.queue}" if one.queue else "") + nested


def answer(inner: str, hadoop: str) -> str:
    """Returns the rules in order, the code of the first refusal, or `kept` where Hadoop keeps the rules it had."""
    raw = raw_of(inner, hadoop)
    if raw.refusals:
        return codes(raw)[0]
    return "kept" if raw.rules is None else " ".join(map(shown, raw.rules))


# inner XML, answer up to 3.2, answer from 3.3 on; every row was asked from the jars of both generations
ROWS: list[tuple[str, str, str]] = [
    # nothing in it
    ("<queuePlacementPolicy/>", "FS701", "FS701"),
    (policy("<!-- x -->"), "FS701", "FS701"),
    (policy(" "), "FS702", "kept"),
    (policy("<?x y?>"), "FS702", "kept"),
    (policy("<![CDATA[]]>"), "FS702", "kept"),
    (policy("text"), "FS702", "kept"),
    # which elements are rules
    (policy('<foo name="default"/>'), "default+", "kept"),
    (policy("<foo/>" + DEFAULT), "FS703", "default+"),
    (policy('<RULE name="default"/>'), "default+", "default+"),
    (policy("text" + DEFAULT + "text"), "default+", "default+"),
    # names
    (policy("<rule/>" + DEFAULT), "FS703", "FS703"),
    (policy(rule("") + DEFAULT), "FS703", "FS703"),
    (policy(rule("Default")), "FS704", "FS704"),
    (policy(rule("primarygroup") + DEFAULT), "FS704", "FS704"),
    (policy(rule(" user") + DEFAULT), "FS704", "FS704"),
    # create
    (policy(rule("user", create="TRUE")), "user+", "user+"),
    (policy(rule("user", create="false") + REJECT), "user reject+", "user reject+"),
    (policy(rule("user", create="yes")), "FS706", "FS706"),
    (policy(rule("user", create=" true")), "FS706", "FS706"),
    (policy(rule("user", create="")), "FS706", "user+"),
    # the queue of the default rule
    (policy(rule("default", queue="a")), "default+=a", "default+=a"),
    (policy(rule("default", queue="")), "default+", "default+"),
    (policy(rule("default", queue="a..b")), "default+=a..b", "default+=a..b"),
    # a rule that always decides must stand last, and the last must be one
    (policy(SPECIFIED + USER + DEFAULT), "FS705", "FS705"),
    (policy(REJECT + DEFAULT), "FS705", "FS705"),
    (policy(DEFAULT + REJECT), "FS705", "FS705"),
    (policy(rule("default", create="false") + REJECT), "FS705", "default reject+"),
    (policy(rule("default", create="false")), "default", "FS707"),
    (policy(SPECIFIED), "FS706", "FS706"),
    (policy(rule("specified", create="false") + rule("primaryGroup", create="false")), "FS706", "FS706"),
    (policy(rule("secondaryGroupExistingQueue")), "FS706", "FS706"),
    (policy(GROUP), "primaryGroup+", "primaryGroup+"),
    (policy(SPECIFIED + GROUP), "specified+ primaryGroup+", "specified+ primaryGroup+"),
    # nestedUserQueue
    (policy(rule("nestedUserQueue") + REJECT), "FS708", "FS708"),
    (policy(rule("nestedUserQueue", '<Rule name="default"/>') + REJECT), "FS708", "FS709"),
    (policy(rule("nestedUserQueue", DEFAULT)), "FS710", "nestedUserQueue+(default+)"),
    (policy(rule("nestedUserQueue", DEFAULT) + REJECT), "nestedUserQueue+(default+) reject+", "FS709"),
    (policy(rule("nestedUserQueue", GROUP, create="false") + REJECT),
     "nestedUserQueue(primaryGroup+) reject+", "nestedUserQueue(primaryGroup+) reject+"),
    (policy(rule("nestedUserQueue", rule("secondaryGroupExistingQueue")) + DEFAULT),
     "nestedUserQueue+(secondaryGroupExistingQueue+) default+",
     "nestedUserQueue+(secondaryGroupExistingQueue+) default+"),
    (policy(rule("nestedUserQueue", rule("default", create="false")) + REJECT),
     "nestedUserQueue+(default) reject+", "nestedUserQueue+(default) reject+"),
    # several rules inside: the first, from 3.3 on the last
    (policy(rule("nestedUserQueue", GROUP + USER, create="false") + REJECT),
     "nestedUserQueue(primaryGroup+) reject+", "FS713"),
    (policy(rule("nestedUserQueue", rule("x") + GROUP, create="false") + REJECT),
     "FS704", "nestedUserQueue(primaryGroup+) reject+"),
    (policy(rule("nestedUserQueue", rule("nestedUserQueue", DEFAULT), create="false") + REJECT),
     "nestedUserQueue(nestedUserQueue+(default+)) reject+", "FS711"),
    (policy(rule("nestedUserQueue", USER, create="false") + REJECT), "nestedUserQueue(user+) reject+", "FS713"),
    (policy(rule("nestedUserQueue", REJECT) + DEFAULT), "nestedUserQueue+(reject+) default+", "FS711"),
    # rules inside of other rules are read from 3.3 on
    (policy(rule("user", GROUP)), "user+", "user+(primaryGroup+)"),
    (policy(rule("user", SPECIFIED)), "user+", "FS706"),
    (policy(rule("user", rule("default", create="false"))), "user+", "FS706"),
    (policy(rule("user", rule("x")) + REJECT), "FS705", "FS704"),
    (policy(rule("user", "<rule/>") + REJECT), "FS705", "FS703"),
    (policy(rule("user", rule("nestedUserQueue", DEFAULT))), "user+", "FS711"),
    (policy(rule("user", USER)), "user+", "FS713"),
    (policy(rule("primaryGroup", GROUP)), "primaryGroup+", "FS713"),
    (policy(rule("secondaryGroupExistingQueue", rule("secondaryGroupExistingQueue")) + REJECT),
     "secondaryGroupExistingQueue+ reject+", "FS713"),
    (policy(rule("specified", SPECIFIED) + USER), "specified+ user+", "FS713"),
    (policy(rule("specified", USER) + USER), "specified+ user+", "FS712"),
    (policy(rule("default", USER)), "default+", "FS712"),
    (policy(rule("default", DEFAULT)), "default+", "FS713"),
    (policy(rule("reject", DEFAULT)), "reject+", "FS712"),
    (policy(rule("primaryGroup", rule("default", rule("x"), queue="g"))),
     "primaryGroup+", "primaryGroup+(default+=g)"),  # what is nested deeper is not read
    # 3.3 and later: names and forbidden rules first, then the order, then what each rule takes inside
    (policy(rule("user", USER) + REJECT), "FS705", "FS705"),
    (policy(rule("specified", USER) + USER + REJECT), "FS705", "FS705"),
    (policy(rule("specified", USER) + rule("usre")), "FS704", "FS704"),
    (policy(rule("specified", REJECT) + REJECT), "specified+ reject+", "FS711"),
    (policy(rule("reject", rule("user", create="false")) + SPECIFIED + USER), "FS705", "FS712"),
    (policy(rule("reject", USER) + SPECIFIED), "FS705", "FS705"),
    # only the last of several is looked at
    (policy(rule("x")) + policy(DEFAULT), "default+", "default+"),
    (policy(DEFAULT) + "<queuePlacementPolicy/>", "FS701", "FS701"),
]  # fmt: skip


@pytest.mark.parametrize(("inner", "old", "new"), ROWS)
def test_both_generations(inner: str, old: str, new: str) -> None:
    assert {hadoop: answer(inner, hadoop) for hadoop in OLD} == dict.fromkeys(OLD, old)
    assert {hadoop: answer(inner, hadoop) for hadoop in NEW} == dict.fromkeys(NEW, new)


def test_without_the_element_there_are_no_rules() -> None:
    assert answer("", "3.4") == "kept"
    assert raw_of("").findings == []


HINT_LAST = 'end with <rule name="default"/> or <rule name="reject"/>'
HINT_INSIDE = "nest specified, user, primaryGroup or another rule that names a queue"
HINT_NAMES = "rules: specified, user, primaryGroup, secondaryGroupExistingQueue, nestedUserQueue, default, reject"


def at(column: int) -> Pos:
    return Pos(2, column)


# inner XML of the element, version, then: code, name, message, hint, place, second place
REFUSALS: list[tuple[str, str, tuple[str, str, str, str, Pos, Pos | None]]] = [
    ("", "3.4",
     ("FS701", "placement-empty", "queuePlacementPolicy is empty", "write a <rule> or drop it", Pos(1, 14), None)),
    (" ", "3.2",
     ("FS702", "placement-no-rule", "queuePlacementPolicy without a rule", "write a <rule>", Pos(1, 14), None)),
    ("\n<rule/>", "3.4",
     ("FS703", "rule-name-missing", "<rule> without a name", 'write name="specified" or another rule', at(1), None)),
    ("\n<x/>", "3.2",
     ("FS703", "rule-name-missing", "<x> without a name", 'write name="specified" or another rule', at(1), None)),
    ('\n <rule name="specifed"/>', "3.4",
     ("FS704", "rule-name-unknown", "unknown rule 'specifed'", "did you mean specified?", at(2), None)),
    ('\n<rule name="queue"/>', "3.4", ("FS704", "rule-name-unknown", "unknown rule 'queue'", HINT_NAMES, at(1), None)),
    ("\n" + USER + DEFAULT, "3.4",
     ("FS705", "rule-unreachable", "rule default is never reached",
      "user before it always decides: move or drop one", at(26), at(1))),
    ("\n" + SPECIFIED, "3.4",
     ("FS706", "rule-list-not-terminal", "the last rule, specified, may pass", HINT_LAST, at(1), None)),
    ("\n" + rule("default", create="false"), "3.4",
     ("FS707", "default-rule-create-false", 'the last rule is default with create="false"',
      'drop create="false" or add <rule name="reject"/>', at(1), None)),
    ("\n" + rule("nestedUserQueue") + DEFAULT, "3.2",
     ("FS708", "nested-user-queue-without-parent", "nestedUserQueue without a rule in it",
      'nest a rule, such as <rule name="primaryGroup"/>', at(1), None)),
    ("\n" + rule("nestedUserQueue", DEFAULT) + REJECT, "3.3",
     ("FS709", "nested-user-queue-now-terminal", "rule reject is never reached",
      "nestedUserQueue before it always decides from Hadoop 3.3 on: move or drop one", at(65), at(1))),
    ("\n" + rule("nestedUserQueue", DEFAULT), "3.2",
     ("FS710", "nested-user-queue-last", "nestedUserQueue can not be the last rule before Hadoop 3.3",
      HINT_LAST, at(1), None)),
    ("\n" + rule("nestedUserQueue", REJECT) + DEFAULT, "3.4",
     ("FS711", "parent-rule-forbidden", "reject can not be the rule inside of nestedUserQueue",
      HINT_INSIDE, at(30), None)),
    ("\n" + rule("default", USER), "3.4",
     ("FS712", "parent-rule-not-allowed-here", "default takes no rule inside", "drop the inner rule", at(22), None)),
    ("\n" + rule("nestedUserQueue", USER), "3.4",
     ("FS713", "parent-rule-same-kind", "user inside of nestedUserQueue is the same rule",
      "nest another rule", at(30), None)),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "hadoop", "wanted"), REFUSALS, ids=[wanted[0] for _, _, wanted in REFUSALS])
def test_refusal(rules: str, hadoop: str, wanted: tuple[str, str, str, str, Pos, Pos | None]) -> None:
    code, name, message, hint, pos, other = wanted
    effect = f"Hadoop {profile(hadoop).label} would not load this file"
    assert raw_of(policy(rules), hadoop).findings == [
        Finding(code, name, ERROR, message, pos, effect, hint, refuses=True, other=other)
    ]


REMARKS = [
    (policy(" "), "3.4", "FS702", "queuePlacementPolicy without a rule",
     "ignored: the rules of before, at start those of yarn-site, stay"),
    (policy(rule("nestedUserQueue", DEFAULT + GROUP)), "3.4", "FS714", "2 rules inside of nestedUserQueue",
     "only the last one is read"),
    (policy(rule("user", GROUP)), "3.2", "FS715", "a rule inside of user", "ignored before Hadoop 3.3"),
    (policy("<Rules/>" + DEFAULT), "3.4", "FS716", "<Rules> in queuePlacementPolicy", "ignored"),
    (policy(USER) + policy(DEFAULT), "3.4", "FS717", "an earlier queuePlacementPolicy", "only the last one is read"),
    (policy(rule("user", create="no") + DEFAULT), "3.4", "FS718", "create='no'", "read as false"),
]  # fmt: skip


@pytest.mark.parametrize(("inner", "hadoop", "code", "message", "effect"), REMARKS)
def test_remark(inner: str, hadoop: str, code: str, message: str, effect: str) -> None:
    (finding,) = raw_of(inner, hadoop).findings
    assert (finding.code, finding.severity, finding.message, finding.effect) == (code, WARNING, message, effect)
    assert not finding.refuses


def test_every_rule_that_is_wrong_is_found() -> None:
    rules = "<rule/>" + rule("x") + rule("nestedUserQueue", REJECT) + rule("nestedUserQueue")
    assert codes(raw_of(policy(rules))) == ["FS703", "FS704", "FS711", "FS708"]
    assert codes(raw_of(policy(rule("user", USER) + rule("default", GROUP)))) == ["FS705", "FS713", "FS712"]


def test_vendor_build_reads_as_its_base() -> None:
    data = f"<allocations>{policy(rule('nestedUserQueue', DEFAULT) + REJECT)}</allocations>".encode()
    assert read_allocation(read_document(data, secure=True), profile("cdp-7.1.9"), PLAIN).refusals == []
