"""What each Hadoop version reads in an allocation file: values, what it refuses first, where, what is not in force."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest

from fairsim.config.allocation import read_allocation
from fairsim.config.values import QUEUE_ELEMENTS, TOP_ELEMENTS
from fairsim.diag import ERROR, INFO, WARNING, Finding, Pos
from fairsim.model.resources import LONG_MAX
from fairsim.profiles import profile
from fairsim.xmlio.reader import read_document
from tests.helpers import GPU, PLAIN, codes, raw_of

INT_MAX = 2**31 - 1
ALL = ("2.6", "2.7", "2.8", "2.9", "2.10", "3.0", "3.1", "3.2", "3.3", "3.4", "3.5")


def queue(inner: str, name: str = "a") -> str:
    return f'<queue name="{name}">{inner}</queue>'


def field(tag: str, content: str) -> str:
    """Returns queue a with one value element."""
    return queue(f"<{tag}>{content}</{tag}>")


def value_of(inner: str, name: str, hadoop: str = "3.4", key: str = "root.a") -> object:
    raw = raw_of(inner, hadoop)
    assert raw.refusals == []
    return raw.queues[key].fields[name].value


def default_of(inner: str, name: str, hadoop: str = "3.4") -> object:
    raw = raw_of(inner, hadoop)
    assert raw.refusals == []
    found = raw.defaults.get(name)
    return None if found is None else found.value


def first(inner: str, hadoop: str = "3.4") -> Finding | None:
    """Returns the refusal that Hadoop itself would report, None when the file loads."""
    refusals = raw_of(inner, hadoop).refusals
    return refusals[0] if refusals else None


def first_code(inner: str, hadoop: str = "3.4") -> str | None:
    found = first(inner, hadoop)
    return None if found is None else found.code


def short(finding: Finding) -> tuple[str, str, str, str, str]:
    return finding.code, finding.severity, finding.message, finding.effect, finding.hint


# --- places: lines and columns from 1, in characters

FILE = """<?xml version="1.0"?>
<allocations>
  <queue name="é">
\t<weight>1,5</weight>
    <queue name="\U0001f600"><!-- x --><maxRunningApps/></queue><maxResources>
      4 gb, 2 vcores
    </maxResources>
  </queue>
  <userMaxAppsDefault>many</userMaxAppsDefault>
  <queuePlacementPolicy>
    <rule name="specifed"/>
  </queuePlacementPolicy>
</allocations>
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_every_refusal_has_its_place(newline: str, encoding: str) -> None:
    data = FILE.replace("\n", newline).encode(encoding)
    raw = read_allocation(read_document(data, secure=True), profile("3.4"), PLAIN)
    assert [(finding.code, finding.pos) for finding in raw.refusals] == [
        ("FS401", Pos(4, 2)),
        ("FS104", Pos(5, 31)),
        ("FS304", Pos(5, 56)),
        ("FS704", Pos(11, 5)),
        ("FS407", Pos(9, 3)),
    ]


def test_a_value_from_an_entity_has_the_place_of_its_element() -> None:
    data = '<!DOCTYPE allocations [<!ENTITY w "x">]>\n<allocations>\n ' + field("weight", "&w;") + "</allocations>"
    raw = read_allocation(read_document(data.encode(), secure=False), profile("3.2"), PLAIN)
    assert [(finding.code, finding.pos) for finding in raw.refusals] == [("FS401", Pos(3, 18))]


# --- the document element


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("<Allocations/>", "the document element is <Allocations> (case matters)"),
        ("<configuration/>", "the document element is <configuration>"),
        ('<x:allocations xmlns:x="u"/>', "the document element is <x:allocations>"),
    ],
)
@pytest.mark.parametrize("hadoop", ["2.7", "3.4"])
def test_wrong_document_element(data: str, message: str, hadoop: str) -> None:
    raw = read_allocation(read_document(data.encode(), secure=True), profile(hadoop), PLAIN)
    (finding,) = raw.findings
    label = profile(hadoop).label
    assert finding == Finding("FS102", "wrong-root-element", ERROR, message, Pos(1, 1),
                              f"Hadoop {label} would not load this file", "write <allocations>", True)  # fmt: skip


def test_a_default_namespace_does_no_harm() -> None:
    data = b'<allocations xmlns="u"><queue name="a"><weight>2</weight></queue></allocations>'
    raw = read_allocation(read_document(data, secure=True), profile("3.4"), PLAIN)
    assert raw.queues["root.a"].fields["weight"].value == 2.0


# --- the text of a value element

MARKUP, EMPTY, NUMBER = "FS105", "FS104", "FS401"
TEXTS: list[tuple[str, float | str]] = [
    ("2.0", 2.0),
    ("", EMPTY),
    ("<!-- c -->", EMPTY),
    (" ", NUMBER),
    ("<!-- a -->2<!-- b -->.5<!-- c -->", 2.5),
    ("<![CDATA[2.0]]>", 2.0),
    (" <![CDATA[2.0]]>", NUMBER),
    ("2<![CDATA[.5]]>", 2.0),
    ("2<b>.0</b>", 2.0),
    ("2<?pi?>.5", 2.0),
    ("<b/>2", MARKUP),
    ("<?pi?>2", MARKUP),
    ("<!-- c --><b/>2", MARKUP),
    ("&#50;", 2.0),
    ("\n\t 2.0 \r\n", 2.0),
    ("&#10;2&#13;", 2.0),
    ("\u00a02", NUMBER),
    ("2\u2003", NUMBER),
    ("<![CDATA[]]>2", NUMBER),
]


@pytest.mark.parametrize(("content", "wanted"), TEXTS)
@pytest.mark.parametrize("hadoop", ["2.7", "3.0", "3.4"])
def test_text_of_a_value(content: str, wanted: float | str, hadoop: str) -> None:
    raw = raw_of(field("weight", content), hadoop)
    found = codes(raw)[0] if raw.refusals else raw.queues["root.a"].fields["weight"].value
    assert found == wanted


@pytest.mark.parametrize("tag", [*QUEUE_ELEMENTS])
def test_an_empty_value_in_a_queue_is_refused_once_the_element_is_known(tag: str) -> None:
    _, feature = QUEUE_ELEMENTS[tag]
    for hadoop in ALL:
        known = feature is None or getattr(profile(hadoop).features, feature)
        if tag == "reservation":  # its text is never asked for
            assert codes(raw_of(field(tag, ""), hadoop)) == []
        else:
            assert codes(raw_of(field(tag, ""), hadoop)) == ["FS104"] * known, hadoop
            assert codes(raw_of(field(tag, "<x/>"), hadoop)) == ["FS105"] * known, hadoop


@pytest.mark.parametrize("tag", [*TOP_ELEMENTS])
def test_an_empty_value_at_the_top_is_refused_once_the_element_is_known(tag: str) -> None:
    _, feature, _ = TOP_ELEMENTS[tag]
    for hadoop in ALL:
        known = feature is None or getattr(profile(hadoop).features, feature)
        assert codes(raw_of(f"<{tag}/>", hadoop)) == ["FS104"] * known, hadoop


def test_an_empty_limit_of_a_user_is_refused() -> None:
    assert [short(finding) for finding in raw_of('<user name="u"><maxRunningApps/></user>').findings] == [
        ("FS104", ERROR, "<maxRunningApps> is empty", "Hadoop 3.4.3 would not load this file",
         "write a value or drop the element"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", [" dev", "*", " ", "\n  al,bob dev\n", "al <![CDATA[x]]>"])
def test_the_text_of_an_acl_is_kept_as_it_is(text: str) -> None:
    wanted = text.partition("<")[0]
    assert value_of(field("aclSubmitApps", text), "aclSubmitApps") == wanted


# --- elements that are not known

IGNORED = [
    ("<foo/>", "FS107", "unknown element <foo>", "ignored", ""),
    ("<queueMaxResourceDefault/>", "FS107", "unknown element <queueMaxResourceDefault>", "ignored",
     "did you mean <queueMaxResourcesDefault>?"),
    ("<Queue/>", "FS107", "unknown element <Queue>", "ignored", "did you mean <queue>?"),
    ('<ue name="x"/>', "FS107", "unknown element <ue>", "ignored", ""),
    ('<x:queue xmlns:x="u" name="x"/>', "FS107", "unknown element <x:queue>", "ignored", "did you mean <queue>?"),
    ("<maxRunningApps/>", "FS110", "<maxRunningApps> outside of a queue", "ignored", "move it into a <queue>"),
    (field("maxresources", "x"), "FS108", "unknown element <maxresources>", "silently ignored",
     "did you mean <maxResources>?"),
    (field("foo", ""), "FS108", "unknown element <foo>", "silently ignored", ""),
    (queue('<u name="x"/>'), "FS108", "unknown element <u>", "silently ignored", ""),
    (field("queueMaxAppsDefault", ""), "FS109", "<queueMaxAppsDefault> inside a queue", "silently ignored",
     "move it directly below <allocations>"),
    (field("user", ""), "FS109", "<user> inside a queue", "silently ignored", "move it directly below <allocations>"),
    (field("queuePlacementPolicy", ""), "FS109", "<queuePlacementPolicy> inside a queue", "silently ignored",
     "move it directly below <allocations>"),
    ('<user name="u"><weight/></user>', "FS111", "<weight> in <user>", "silently ignored",
     "write <maxRunningApps>; nothing else is read"),
]  # fmt: skip


@pytest.mark.parametrize(("inner", "code", "message", "effect", "hint"), IGNORED)
@pytest.mark.parametrize("hadoop", ["2.6", "3.1", "3.4"])
def test_unknown_element(inner: str, code: str, message: str, effect: str, hint: str, hadoop: str) -> None:
    raw = raw_of(inner, hadoop)
    assert [short(finding) for finding in raw.findings] == [(code, WARNING, message, effect, hint)]
    assert list(raw.queues) == (["root.a"] if inner.startswith("<queue ") else [])


def test_text_and_attributes_around_values_are_passed_over() -> None:
    raw = raw_of('stray<queue name="a" weight="9" x="">stray<weight>2</weight></queue>&amp;')
    assert raw.findings == []
    assert raw.queues["root.a"].fields["weight"].value == 2.0


def test_every_tail_of_queue_nests_a_queue() -> None:
    tails = "".join(f'<{tag} name="{tag}"/>' for tag in ("queue", "pool", "ueue", "eue", "ue", "e"))
    raw = raw_of(queue(tails))
    assert list(raw.leaves) == [f"root.a.{tag}" for tag in ("queue", "pool", "ueue", "eue", "ue", "e")]
    assert list(raw.parents) == ["root.a"]
    assert [short(finding) for finding in raw.findings] == [
        ("FS113", WARNING, f"<{tag}>", "Hadoop takes it for a queue", "write <queue>")
        for tag in ("ueue", "eue", "ue", "e")
    ]


def test_a_tail_of_queue_needs_a_name_too() -> None:
    assert first_code(queue("<e>bold</e>")) == "FS201"


@pytest.mark.parametrize(("kind", "parent"), [("parent", True), ("Parent", False), ("parent ", False), ("", False)])
def test_type(kind: str, parent: bool) -> None:
    raw = raw_of(f'<queue name="a" type="{kind}"/>')
    assert list(raw.parents if parent else raw.leaves) == ["root.a"]
    said = [] if parent or not kind else [
        ("FS211", WARNING, f"type={kind!r}", 'ignored: only type="parent" is read', 'write type="parent" or drop it')
    ]  # fmt: skip
    assert [short(finding) for finding in raw.findings] == said


# --- which version knows which element

SINCE = {
    "maxChildResources": "2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "maxContainerAllocation": "3.2 3.3 3.4 3.5",
    "allowPreemptionFrom": "2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "aclAdministerReservations": "2.8 2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "aclListReservations": "2.8 2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "aclSubmitReservations": "2.8 2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "reservation": "2.7 2.8 2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "queueMaxResourcesDefault": "2.8 2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "reservation-planner": "2.7 2.8 2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "reservation-agent": "2.7 2.8 2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
    "reservation-policy": "2.7 2.8 2.9 2.10 3.0 3.1 3.2 3.3 3.4 3.5",
}


@pytest.mark.parametrize("tag", [*QUEUE_ELEMENTS, *TOP_ELEMENTS])
@pytest.mark.parametrize("hadoop", ALL)
def test_element_is_read_from_its_version_on(tag: str, hadoop: str) -> None:
    text = {"schedulingPolicy": "drf", "schedulingMode": "drf", "reservation": "",
            "defaultQueueSchedulingPolicy": "drf", "defaultQueueSchedulingMode": "drf"}.get(tag, "1")  # fmt: skip
    if "Resource" in tag or tag == "maxContainerAllocation":
        text = "1 mb, 1 vcores"
    in_queue = tag in QUEUE_ELEMENTS and not (tag == "fairSharePreemptionTimeout" and tag in TOP_ELEMENTS)
    raw = raw_of(field(tag, text) if in_queue else f"<{tag}>{text}</{tag}>", hadoop)
    name = {"schedulingMode": "schedulingPolicy", "defaultQueueSchedulingMode": "defaultQueueSchedulingPolicy"}
    known = hadoop in SINCE.get(tag, " ".join(ALL)).split()
    held = raw.queues["root.a"].fields if in_queue else raw.defaults
    assert (name.get(tag, tag) in held) == known
    effect = f"ignored: Hadoop {profile(hadoop).label} does not know it"
    said = [] if known else [("FS426", WARNING, f"<{tag}>", effect, "")]
    assert [short(finding) for finding in raw.findings] == said


def test_an_element_that_a_version_does_not_know_is_not_checked() -> None:
    assert codes(raw_of(field("maxContainerAllocation", "x"), "3.1")) == []
    assert codes(raw_of(field("maxContainerAllocation", "x"), "3.2")) == ["FS301"]
    assert codes(raw_of("<queueMaxResourcesDefault>x</queueMaxResourcesDefault>", "2.7")) == []
    assert codes(raw_of("<queueMaxResourcesDefault>x</queueMaxResourcesDefault>", "2.8")) == ["FS301"]


# --- numbers and flags; the grammar itself is in test_javanum.py

VALUES: list[tuple[str, str, object]] = [
    ("maxRunningApps", "7", 7),
    ("maxRunningApps", " +7\n", 7),
    ("maxRunningApps", "\u0663\u0664", 34),
    ("maxRunningApps", "-2147483648", -(2**31)),
    ("maxRunningApps", "0", 0),
    ("maxRunningApps", "1.0", "FS407"),
    ("maxRunningApps", "2147483648", "FS407"),
    ("maxRunningApps", " ", "FS407"),
    ("maxRunningApps", "1_0", "FS407"),
    ("minSharePreemptionTimeout", "60", 60_000),
    ("minSharePreemptionTimeout", "9223372036854775", 9223372036854775000),
    ("minSharePreemptionTimeout", "9223372036854776", -9223372036854775616),
    ("minSharePreemptionTimeout", "9223372036854775807", -1000),
    ("minSharePreemptionTimeout", "-1", -1000),
    ("minSharePreemptionTimeout", "9223372036854775808", "FS418"),
    ("minSharePreemptionTimeout", "60s", "FS418"),
    ("fairSharePreemptionTimeout", "1.5", "FS418"),
    ("fairSharePreemptionTimeout", " ", "FS418"),
    ("weight", "1e3", 1000.0),
    ("weight", "2.5f", 2.5),
    ("weight", "0x1p3", 8.0),
    ("weight", "-1", -1.0),
    ("weight", "1e39", math.inf),
    ("weight", "1e-50", 0.0),
    ("weight", ".3", 0.30000001192092896),
    ("weight", "16777217", 16777216.0),
    ("weight", "1.00000017881393432617187500", 1.0000002384185791),
    ("weight", "inf", "FS401"),
    ("weight", "1,5", "FS401"),
    ("maxAMShare", "0.7", 0.699999988079071),
    ("maxAMShare", "2", 1.0),
    ("maxAMShare", "-1.0f", -1.0),
    ("maxAMShare", "-0.5", -0.5),
    ("maxAMShare", "50%", "FS428"),
    ("fairSharePreemptionThreshold", "-0.5", 0.0),
    ("fairSharePreemptionThreshold", "1.5", 1.0),
    ("fairSharePreemptionThreshold", ".8", 0.800000011920929),
    ("fairSharePreemptionThreshold", "Infinity", 1.0),
    ("fairSharePreemptionThreshold", "", "FS104"),
    ("fairSharePreemptionThreshold", "0,5", "FS428"),
    ("allowPreemptionFrom", "TRUE", True),
    ("allowPreemptionFrom", " true ", True),
    ("allowPreemptionFrom", "false", False),
    ("allowPreemptionFrom", "yes", False),
    ("allowPreemptionFrom", "1", False),
]


@pytest.mark.parametrize(("tag", "text", "wanted"), VALUES)
@pytest.mark.parametrize("hadoop", ["2.9", "3.4"])
def test_value(tag: str, text: str, wanted: object, hadoop: str) -> None:
    if isinstance(wanted, str):
        assert first_code(field(tag, text), hadoop) == wanted
    else:
        assert value_of(field(tag, text), tag, hadoop) == wanted


@pytest.mark.parametrize("tag", ["weight", "maxAMShare", "fairSharePreemptionThreshold"])
def test_nan_stays(tag: str) -> None:
    found = value_of(field(tag, "NaN"), tag)
    assert isinstance(found, float)
    assert math.isnan(found)


DEFAULTS: list[tuple[str, str, object]] = [
    ("userMaxAppsDefault", "5", 5),
    ("queueMaxAppsDefault", "-1", -1),
    ("queueMaxAMShareDefault", "1.5", 1.0),
    ("queueMaxAMShareDefault", "-1", -1.0),
    ("defaultQueueSchedulingPolicy", " DRF ", "drf"),
    ("defaultFairSharePreemptionTimeout", "3", 3000),
    ("fairSharePreemptionTimeout", "3", 3000),
    ("defaultMinSharePreemptionTimeout", "-3", -3000),
    ("defaultFairSharePreemptionThreshold", "7", 1.0),
    ("reservation-planner", " com.example.Planner ", "com.example.Planner"),
    ("reservation-agent", " ", ""),
]


@pytest.mark.parametrize(("tag", "text", "wanted"), DEFAULTS)
@pytest.mark.parametrize("hadoop", ["2.7", "3.0", "3.1", "3.4"])
def test_default(tag: str, text: str, wanted: object, hadoop: str) -> None:
    assert default_of(f"<{tag}>{text}</{tag}>", tag, hadoop) == wanted


def test_resources_of_the_elements() -> None:
    """Types that are not named: 0 in minResources, everything in the limits, but vcores -1."""
    raw = raw_of(
        queue("<minResources>memory-mb=5</minResources><maxResources>memory-mb=6</maxResources>"
              "<maxChildResources>vcores=7</maxChildResources>"
              "<maxContainerAllocation>yarn.io/gpu=8</maxContainerAllocation>")
        + "<queueMaxResourcesDefault>9 mb, 9 vcores</queueMaxResourcesDefault>",
        types=GPU,
    )  # fmt: skip
    fields = raw.queues["root.a"].fields
    assert fields["minResources"].value.amount == (5, 0, 0)
    assert fields["maxResources"].value.amount == (6, -1, LONG_MAX)
    assert fields["maxChildResources"].value.amount == (LONG_MAX, 7, LONG_MAX)
    assert fields["maxContainerAllocation"].value.amount == (LONG_MAX, -1, 8)
    assert raw.defaults["queueMaxResourcesDefault"].value.amount == (9, 9, 0)


# --- scheduling policies


@pytest.mark.parametrize("hadoop", ["2.6", "2.8", "2.9", "3.4"])
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("fair", "fair"), ("FIFO", "fifo"), (" Drf\n", "drf"), ("f\u0131fo", "fifo"),
        ("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FairSharePolicy", "fair"),
        ("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FifoPolicy", "fifo"),
        ("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.DominantResourceFairnessPolicy", "drf"),
        ("com.example.Policy$Inner", "com.example.Policy$Inner"),
    ],
)  # fmt: skip
def test_policy(text: str, wanted: str, hadoop: str) -> None:
    assert value_of(field("schedulingPolicy", text), "schedulingPolicy", hadoop) == wanted
    assert value_of(field("schedulingMode", text), "schedulingPolicy", hadoop) == wanted


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("drff", "did you mean drf?"),
        ("fait", "did you mean fair?"),
        ("capacity", "write fair, fifo or drf"),
        (" ", "write fair, fifo or drf"),
        ("F\u0130FO", "did you mean fifo?"),
        ("drf\u00a0", "did you mean drf?"),
        (".fair", "did you mean fair?"),
        ("com..Policy", "write fair, fifo or drf"),
        ("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.fairsharepolicy",
         "write fair, fifo or drf"),
        ("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.SchedulingPolicy", "write fair, fifo or drf"),
        ("java.lang.String", "write fair, fifo or drf"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("hadoop", ["2.6", "3.4"])
def test_policy_that_does_not_exist(text: str, hint: str, hadoop: str) -> None:
    finding = first(field("schedulingPolicy", text), hadoop)
    assert finding is not None
    word = text.strip(" ")
    assert (finding.code, finding.name, finding.pos) == ("FS501", "policy-unknown", Pos(1, 30))
    assert (finding.message, finding.hint) == (f"<schedulingPolicy>: unknown scheduling policy {word!r}", hint)


@pytest.mark.parametrize(("hadoop", "refused"), [("2.6", False), ("2.8", False), ("2.9", True), ("3.4", True)])
@pytest.mark.parametrize("tag", ["defaultQueueSchedulingPolicy", "defaultQueueSchedulingMode"])
@pytest.mark.parametrize("last", ["", "fair"])
def test_fifo_as_default(tag: str, hadoop: str, refused: bool, last: str) -> None:
    """Parsed where it stands: a later element does not help."""
    inner = f"<{tag}>FIFO</{tag}>" + (f"<{tag}>{last}</{tag}>" if last else "")
    finding = first(inner, hadoop)
    if not refused:
        assert default_of(inner, "defaultQueueSchedulingPolicy", hadoop) == (last or "fifo")
        return
    assert finding is not None
    assert (finding.code, finding.name) == ("FS502", "default-policy-fifo")
    assert finding.message == f"<{tag}>: fifo can not be the default: parents may not be fifo"
    assert finding.hint == "write fair or drf here and <schedulingPolicy>fifo</schedulingPolicy> in the leaves"


# --- names of queues


class Named(NamedTuple):
    """A name attribute as written in XML, and the key it becomes, or the code of the refusal, by version."""

    written: str
    wanted: dict[str, str]


NAMES = [
    Named("a", {"2.6 2.7 2.8 2.9 2.10 3.0 3.1 3.4": "root.a"}),
    Named(" a ", {"2.6 2.7": "root. a ", "2.8 2.9 3.0 3.4": "root.a"}),
    Named("&#9;a&#10;", {"2.7": "root.\ta\n", "2.8 2.9 3.4": "root.a"}),
    Named("\ta\n", {"2.7": "root. a ", "2.8 3.4": "root.a"}),  # XML makes blanks of them
    Named("&#160;a&#8195;", {"2.7 2.8": "root.\u00a0a\u2003", "2.9 2.10 3.0 3.4": "root.a"}),
    Named("&#133;a", {"2.8": "root.\x85a", "2.9 3.4": "root.a"}),
    Named("&#6158;a", {"2.8 3.0 3.1 3.4": "root.\u180ea", "2.9 2.10": "root.a"}),
    Named("a&#8203;", {"2.9 3.4": "root.a\u200b"}),
    Named("&#65279;a", {"2.9 3.4": "root.\ufeffa"}),
    Named("a b/c@d", {"2.6 3.4": "root.a b/c@d"}),
    Named("a&#10;b", {"2.6 3.4": "root.a\nb"}),
    Named("été", {"2.6 3.4": "root.été"}),
    Named("a.b", {"2.6": "root.a.b", "2.7 2.8 3.0 3.4": "FS202"}),
    Named(" . ", {"2.6": "root. . ", "2.7 2.8 3.4": "FS202"}),
    Named("root.a", {"2.6": "root.root.a", "2.7 3.4": "FS202"}),
    Named("", {"2.6 2.7": "root.", "2.8 2.9 3.0 3.4": "FS201"}),
    Named(" ", {"2.6 2.7": "root. ", "2.8 2.9 3.4": "FS201"}),
    Named("&#160;", {"2.8": "root.\u00a0", "2.9 3.4": "FS201"}),
    Named("root", {"2.6 3.4": "root"}),
    Named("Root", {"2.6 3.4": "Root"}),
    Named("ROOT", {"2.6 3.4": "ROOT"}),
    Named(" root", {"2.6 2.7": "root. root", "2.8 3.4": "root.root"}),
    Named("roots", {"2.6 3.4": "root.roots"}),
    Named("default", {"2.6 3.4": "root.default"}),
]


@pytest.mark.parametrize("case", NAMES, ids=[repr(case.written) for case in NAMES])
def test_name(case: Named) -> None:
    for versions, wanted in case.wanted.items():
        for hadoop in versions.split():
            raw = raw_of(f'<queue name="{case.written}"/>', hadoop)
            assert (codes(raw)[0] if raw.refusals else next(iter(raw.queues))) == wanted, hadoop


def test_a_missing_name_is_an_empty_one() -> None:
    assert list(raw_of("<queue><weight>2</weight></queue>", "2.7").queues) == ["root."]
    assert first_code("<queue><weight>2</weight></queue>") == "FS201"


def test_keys_below_a_root_of_another_case() -> None:
    assert list(raw_of('<queue name="ROOT"><queue name="a"><queue name="b"/></queue></queue>').queues) == [
        "ROOT", "ROOT.a", "ROOT.a.b",
    ]  # fmt: skip


def test_root_inside_root() -> None:
    assert list(raw_of('<queue name="root"><queue name="root"/></queue>').queues) == ["root", "root.root"]


def test_what_is_said_of_names() -> None:
    assert [short(finding) for finding in raw_of('<queue name=" a "/>').findings] == [
        ("FS203", WARNING, "queue name ' a '", "read as 'a'", "drop the blanks"),
    ]
    loads_not = "Hadoop 3.4.3 would not load this file"
    assert [short(finding) for finding in raw_of('<queue name="a.b"/>').findings] == [
        ("FS202", ERROR, "queue name 'a.b' contains a dot", loads_not, "nest the queues instead"),
    ]
    assert [short(finding) for finding in raw_of("<queue/>").findings] == [
        ("FS201", ERROR, "a queue without a name", loads_not, 'write name="..."'),
    ]


@pytest.mark.parametrize("hadoop", ["2.6", "2.8", "3.0", "3.4"])
@pytest.mark.parametrize(
    ("inner", "column"),
    [
        ('<queue name="root"/><queue name="b"/>', 34),
        ('<queue name="b"/><queue name="root"/>', 14),
        ('<queue name="ROOT"/><pool name="b"/>', 34),
        ('<pool name="root"/><queue name="b"/>', 33),
        ('<queue name="root"/><queue name="root"/>', 34),
    ],
)
def test_queues_beside_root(inner: str, column: int, hadoop: str) -> None:
    finding = first(inner, hadoop)
    assert finding is not None
    assert (finding.code, finding.name, finding.pos) == ("FS205", "root-with-siblings", Pos(1, column))
    assert (finding.message, finding.hint) == ("queues stand beside root", 'move them into <queue name="root">')


def test_a_root_with_blanks_may_have_siblings() -> None:
    assert list(raw_of('<queue name=" root "/><queue name="b"/>').queues) == ["root.root", "root.b"]


# --- leaves, parents, reservations


LEAF, BOTH, PARENT = "leaf", "leaf and parent", "parent"


@pytest.mark.parametrize(
    ("inner", "wanted"),
    [
        ('<queue name="a"/>', {"2.6 2.8 3.0 3.4": LEAF}),
        ('<queue name="a"><queue name="b"/></queue>', {"2.6 2.8 3.0 3.4": PARENT}),
        ('<queue name="a" type="parent"/>', {"2.6 2.7 2.8 2.9 3.4": PARENT}),
        ('<queue name="a" type="parent"><queue name="b"/></queue>',
         {"2.6 2.9 2.10 3.0 3.4": PARENT, "2.7 2.8": "FS212"}),
        ('<queue name="a"><reservation/></queue>',
         {"2.6": LEAF, "2.7 2.8": PARENT, "2.9 2.10 3.0 3.1": BOTH, "3.2 3.3 3.4": PARENT}),
        ('<queue name="a"><reservation>false</reservation></queue>', {"2.7 3.2": PARENT}),
        ('<queue name="a"><reservation/><queue name="b"/></queue>',
         {"2.6 2.7 2.8": PARENT, "2.9 2.10 3.0 3.1 3.2 3.4": "FS213"}),
        ('<queue name="a"><queue name="b"/><reservation/></queue>', {"2.7 2.8": PARENT, "2.9 3.1 3.4": "FS213"}),
        ('<queue name="a" type="parent"><reservation/></queue>', {"2.6": PARENT, "2.7 2.8 2.9 3.0 3.1 3.4": "FS213"}),
        ('<queue name="a" type="parent"><queue name="b"/><reservation/></queue>',
         {"2.6": PARENT, "2.7 2.8": "FS212", "2.9 3.4": "FS213"}),
        ('<queue name="a"><reservation/></queue><queue name="a"/>', {"2.7 2.9 3.2 3.4": BOTH}),
        ('<queue name="a"><reservation/></queue><queue name="a"><queue name="b"/></queue>',
         {"2.7 2.8 3.2 3.4": PARENT, "2.9 3.1": BOTH}),
        ('<queue name="a"/><queue name="a"><queue name="b"/></queue>', {"2.6 3.4": BOTH}),
        ('<queue name="a"><maxAMShare>.5</maxAMShare><queue name="b"/></queue>',
         {"2.6 2.10 3.1 3.2.2 3.3.0": PARENT, "3.2.3 3.3.1 3.4.0": "FS216"}),
        ('<queue name="a" type="parent"><maxAMShare>-1</maxAMShare></queue>',
         {"3.2.2 3.3.0": PARENT, "3.2.3 3.4": "FS216"}),
        # each declaration is checked by itself
        ('<queue name="a"><maxAMShare>.5</maxAMShare></queue><queue name="a"><queue name="b"/></queue>', {"3.4": BOTH}),
        ('<queue name="a"><maxAMShare>.5</maxAMShare><reservation/><queue name="b"/></queue>', {"3.4": "FS213"}),
    ],
)  # fmt: skip
def test_leaf_or_parent(inner: str, wanted: dict[str, str]) -> None:
    for versions, kind in wanted.items():
        for hadoop in versions.split():
            raw = raw_of(inner, hadoop)
            sets = [name for name, keys in ((LEAF, raw.leaves), (PARENT, raw.parents)) if "root.a" in keys]
            assert (codes(raw)[0] if raw.refusals else " and ".join(sets)) == kind, hadoop


@pytest.mark.parametrize(
    ("inner", "hadoop", "column", "code", "message", "hint"),
    [
        ('<queue name="a" type="parent"><queue name="b"/></queue>', "2.8", 14, "FS212",
         'root.a has child queues and type="parent"', 'drop type="parent"'),
        ('<queue name="a"><reservation/><queue name="b"/></queue>', "3.4", 30, "FS213",
         "root.a is a parent and reservable", "reservations belong into leaves"),
        ('<queue name="a"><maxAMShare>.5</maxAMShare><queue name="b"/></queue>', "3.4", 30, "FS216",
         "maxAMShare on root.a, which is a parent", "move it into the leaves"),
    ],
)  # fmt: skip
def test_what_is_said_of_parents(inner: str, hadoop: str, column: int, code: str, message: str, hint: str) -> None:
    finding = first(inner, hadoop)
    assert finding is not None
    assert (finding.code, finding.pos, finding.message, finding.hint) == (code, Pos(1, column), message, hint)


def test_am_share_on_a_parent_is_a_remark_before_it_is_refused() -> None:
    inner = '<queue name="a"><maxAMShare>.5</maxAMShare><queue name="b"/></queue>'
    assert [short(finding) for finding in raw_of(inner, "3.2.2").findings] == [
        ("FS216", WARNING, "maxAMShare on root.a, which is a parent", "no effect; refused from 3.2.3 and 3.3.1 on",
         "move it into the leaves"),
    ]  # fmt: skip


# --- what is written twice


def test_the_later_value_wins() -> None:
    raw = raw_of(queue("<weight>1</weight><weight>2</weight>"))
    assert raw.queues["root.a"].fields["weight"].value == 2.0
    (finding,) = raw.findings
    wanted = ("FS116", WARNING, "weight is written twice", "not in force: the later value wins", "keep one")
    assert short(finding) == wanted
    assert (finding.pos, finding.other) == (Pos(1, 30), Pos(1, 48))


@pytest.mark.parametrize("hadoop", ["2.8", "3.0", "3.1", "3.4"])
@pytest.mark.parametrize("tag", ["userMaxAppsDefault", "defaultMinSharePreemptionTimeout", "queueMaxAppsDefault"])
def test_the_later_default_wins(tag: str, hadoop: str) -> None:
    inner = f"<{tag}>1</{tag}><{tag}>2</{tag}>"
    assert default_of(inner, tag, hadoop) in (2, 2000)
    (finding,) = raw_of(inner, hadoop).findings
    assert (finding.code, finding.pos, finding.effect) == ("FS116", Pos(1, 14), "not in force: the later value wins")


def test_aliases_are_one_element() -> None:
    both = "<schedulingMode>drf</schedulingMode><schedulingPolicy>fair</schedulingPolicy>"
    assert value_of(queue(both), "schedulingPolicy") == "fair"
    both = "<schedulingPolicy>fair</schedulingPolicy><schedulingMode>drf</schedulingMode>"
    assert value_of(queue(both), "schedulingPolicy") == "drf"
    both = both.replace("scheduling", "defaultQueueScheduling")
    assert default_of(both, "defaultQueueSchedulingPolicy") == "drf"


@pytest.mark.parametrize(
    "inner",
    [
        queue("<allowPreemptionFrom>false</allowPreemptionFrom><allowPreemptionFrom>true</allowPreemptionFrom>"),
        field("allowPreemptionFrom", "false") + field("allowPreemptionFrom", "true"),
        field("allowPreemptionFrom", "true") + field("allowPreemptionFrom", "false"),
    ],
)
def test_a_queue_once_protected_stays_protected(inner: str) -> None:
    assert value_of(inner, "allowPreemptionFrom") is False
    assert "FS116" in [finding.code for finding in raw_of(inner).findings]


def test_declarations_of_one_queue_are_merged() -> None:
    raw = raw_of(
        queue("<weight>1</weight><maxRunningApps>3</maxRunningApps>" + queue("", "x"))
        + queue("<weight>2</weight>" + queue("", "y"), " a ")
    )
    fields = raw.queues["root.a"].fields
    assert (fields["weight"].value, fields["maxRunningApps"].value) == (2.0, 3)
    assert list(raw.leaves) == ["root.a.x", "root.a.y"]
    assert [finding.code for finding in raw.findings] == ["FS203", "FS208", "FS116"]
    duplicate = raw.findings[1]
    assert duplicate.message == "queue root.a is written twice"
    assert duplicate.effect == "merged value by value, later ones win"
    assert duplicate.other == Pos(1, 14)


@pytest.mark.parametrize(("hadoop", "kept"), [("2.7", []), ("2.10", []), ("3.0", []), ("3.1", [1, 2]), ("3.4", [1, 2])])
def test_access_lists_of_two_declarations(hadoop: str, kept: list[int]) -> None:
    """Up to 3.0 the later declaration takes the place of all lists, from 3.1 on each list stands for itself."""
    names = ("aclSubmitApps", "aclListReservations", "aclAdministerApps")
    fields = [f"<{name}>{name}</{name}>" for name in names]
    raw = raw_of(queue(fields[0] + fields[1] + "<weight>5</weight>") + queue(fields[2]), hadoop)
    found = raw.queues["root.a"].fields
    wanted = {"weight", "aclAdministerApps", *(["aclSubmitApps", "aclListReservations"] if kept else [])}
    assert set(found) == wanted


def test_users() -> None:
    raw = raw_of(
        '<user name="u"><maxRunningApps>3</maxRunningApps></user>'
        '<user name=" u "><maxRunningApps>4</maxRunningApps></user>'
        "<user><maxRunningApps>5</maxRunningApps></user>"
        '<user name="u"><maxRunningApps>6</maxRunningApps><maxRunningApps>7</maxRunningApps></user><user name="v"/>'
    )
    assert {name: limit.value for name, limit in raw.users.items()} == {"u": 7, " u ": 4, "": 5}


# --- the order of checks: what Hadoop reports first

DEFAULTS_BROKEN = (
    "<defaultMinSharePreemptionTimeout>m</defaultMinSharePreemptionTimeout>"
    "<defaultFairSharePreemptionTimeout>f</defaultFairSharePreemptionTimeout>"
    "<defaultFairSharePreemptionThreshold>t</defaultFairSharePreemptionThreshold>"
)
ROOT_SETS_ALL = queue(
    "<minSharePreemptionTimeout>1</minSharePreemptionTimeout><fairSharePreemptionTimeout>2</fairSharePreemptionTimeout>"
    "<fairSharePreemptionThreshold>.3</fairSharePreemptionThreshold>", "root",
)  # fmt: skip
LEGACY, FAIR = "fairSharePreemptionTimeout", "defaultFairSharePreemptionTimeout"


def top(tag: str, text: str) -> str:
    return f"<{tag}>{text}</{tag}>"


@pytest.mark.parametrize(
    ("inner", "wanted"),
    [
        # in one queue: its name, its values and children in document order, then what a parent must not have
        (queue("<weight>x</weight>", "a.b"), {"2.6": "'x'", "2.7 3.4": "a dot"}),
        (queue("<weight>x</weight>", ""), {"2.7": "'x'", "2.8 3.4": "without a name"}),
        (queue("<weight>x</weight>" + queue("<weight>y</weight>")), {"2.6 3.0 3.4": "'x'"}),
        (queue(queue("<weight>y</weight>") + "<weight>x</weight>"), {"2.6 3.0 3.4": "'y'"}),
        (queue("<maxAMShare>.5</maxAMShare>" + queue("<weight>y</weight>")), {"2.6 3.4": "'y'"}),
        (queue("<reservation/>" + queue("") + "<weight>y</weight>"), {"2.6 3.4": "'y'"}),
        # among queues: document order, the siblings of root when root is reached
        (queue("<weight>x</weight>", "root") + queue(""), {"2.6 3.4": "beside root"}),
        (queue("<weight>x</weight>") + queue("", "root"), {"2.6 3.4": "'x'"}),
        # before any queue: users, the default policy, and empty elements; up to 3.0 all defaults
        (queue("<weight>x</weight>") + "<user><maxRunningApps>z</maxRunningApps></user>", {"2.6 3.0 3.4": "'z'"}),
        (queue("<weight>x</weight>") + top("defaultQueueSchedulingPolicy", "zz"), {"2.6 3.0 3.4": "'zz'"}),
        (queue("<weight>x</weight>") + "<queueMaxAppsDefault/>", {"2.6 3.0 3.4": "is empty"}),
        (queue("<weight>x</weight>") + top("queueMaxAppsDefault", "q"), {"2.6 2.10 3.0": "'q'", "3.1 3.4": "'x'"}),
        (top("userMaxAppsDefault", "x") + "<queueMaxAppsDefault/>", {"2.6 3.0": "'x'", "3.1 3.4": "is empty"}),
        # behind the queues: the placement rules
        ("<queuePlacementPolicy/>" + queue("<weight>x</weight>"), {"2.6 3.2 3.4": "'x'"}),
        ("<queuePlacementPolicy/>" + top("queueMaxAppsDefault", "q"), {"2.6 3.0": "'q'", "3.1 3.4": "Policy is empty"}),
        # then the defaults of root, then the others, in an order of their own
        (top("queueMaxAMShareDefault", "a") + top("queueMaxAppsDefault", "q") + top("queueMaxResourcesDefault", "r")
         + top("userMaxAppsDefault", "u"), {"2.6 2.10 3.0": "'a'", "3.1 3.4": "'u'"}),
        (top("queueMaxAMShareDefault", "a") + top("queueMaxAppsDefault", "q") + top("queueMaxResourcesDefault", "r"),
         {"2.8 3.0": "'a'", "3.1 3.4": "'r'"}),
        (top("queueMaxAMShareDefault", "a") + top("queueMaxAppsDefault", "q"), {"2.6 3.0": "'a'", "3.1 3.4": "'q'"}),
        (top("userMaxAppsDefault", "u") + top("defaultFairSharePreemptionThreshold", "t") + top(FAIR, "f")
         + top("defaultMinSharePreemptionTimeout", "m"), {"2.6 3.0": "'u'", "3.1 3.4": "'m'"}),
        (top("defaultFairSharePreemptionThreshold", "t") + top(LEGACY, "l"), {"2.6 3.0": "'t'", "3.1 3.4": "'l'"}),
        # defaults that are never needed are never parsed from 3.1 on
        (DEFAULTS_BROKEN + ROOT_SETS_ALL, {"2.6 2.10 3.0": "'m'", "3.1 3.2 3.3 3.4": ""}),
        (top("queueMaxAppsDefault", "x") + top("queueMaxAppsDefault", "3"), {"2.6 3.0": "'x'", "3.1 3.4": ""}),
        (top("defaultMinSharePreemptionTimeout", "x") * 2, {"2.6 3.1": "'x'"}),
        (top(FAIR, "5") + top(LEGACY, "x"), {"2.6 2.10 3.0 3.1 3.4": ""}),
        (top(LEGACY, "x") + top(FAIR, "5"), {"2.6 2.10 3.0": "'x'", "3.1 3.4": ""}),
        (top(FAIR, "5") + top(LEGACY, ""), {"2.6 2.10 3.0": "", "3.1 3.4": "is empty"}),
        (top(LEGACY, "5") + top(LEGACY, "x"), {"2.6 3.0": "", "3.1 3.4": "'x'"}),
        (top(LEGACY, "x") + top(LEGACY, "5"), {"2.6 3.0": "'x'", "3.1 3.4": ""}),
        (top(LEGACY, "x") + field(LEGACY, "5").replace('"a"', '"root"'), {"3.0": "'x'", "3.1 3.4": ""}),
    ],
)  # fmt: skip
def test_what_is_reported_first(inner: str, wanted: dict[str, str]) -> None:
    for versions, part in wanted.items():
        for hadoop in versions.split():
            finding = first(inner, hadoop)
            if part:
                assert finding is not None, hadoop
                assert part in finding.message, hadoop
            else:
                assert finding is None, hadoop


@pytest.mark.parametrize(
    ("inner", "wanted"),
    [
        (top(FAIR, "5") + top(LEGACY, "7"), {"2.6 3.0 3.1 3.4": 5000}),
        (top(LEGACY, "7") + top(FAIR, "5"), {"2.6 3.0 3.1 3.4": 5000}),
        (top(LEGACY, "7") + top(LEGACY, "8"), {"2.6 2.10 3.0": 7000, "3.1 3.4": 8000}),
        (top(LEGACY, "9223372036854775807") + top(LEGACY, "8"), {"2.6 3.0": -1000, "3.1": 8000}),
    ],
)
def test_legacy_timeout(inner: str, wanted: dict[str, int]) -> None:
    for versions, value in wanted.items():
        for hadoop in versions.split():
            raw = raw_of(inner, hadoop)
            held = raw.defaults.get(FAIR) or raw.defaults[LEGACY]
            assert held.value == value, hadoop


@pytest.mark.parametrize(
    ("inner", "hadoop", "wanted"),
    [
        (top(LEGACY, "1") + top(FAIR, "2"), "3.4",
         ("FS117", WARNING, f"<{LEGACY}>", f"not in force: {FAIR} is used", "drop one of the two")),
        (top(LEGACY, "1") + top(FAIR, "2"), "3.0",
         ("FS117", WARNING, f"<{LEGACY}>", f"not in force: {FAIR} is used", "drop one of the two")),
        (top(FAIR, "2") + top(LEGACY, "1"), "3.0",
         ("FS117", WARNING, f"<{LEGACY}>", f"not in force: {FAIR} is used", "drop one of the two")),
        (top(LEGACY, "1") + top(LEGACY, "2"), "3.0",
         ("FS116", WARNING, f"{LEGACY} is written twice", "not in force: the first value wins", "keep one")),
        (top(LEGACY, "x") + top(FAIR, "2"), "3.4",
         ("FS122", WARNING, f"<{LEGACY}>: 'x' is not a whole number of seconds",
          "never parsed: another value is used; Hadoop up to 3.0 refuses the file", "write seconds without a unit")),
        (top(FAIR, "2") + field(LEGACY, "5").replace('"a"', '"root"'), "3.4",
         ("FS125", INFO, f"<{FAIR}>", "not in force: the value of the root queue is used", "drop one of the two")),
    ],
)  # fmt: skip
def test_what_is_said_of_defaults_not_in_force(inner: str, hadoop: str, wanted: tuple[str, ...]) -> None:
    assert [short(finding) for finding in raw_of(inner, hadoop).findings] == [wanted]


def test_reading_goes_on_behind_a_refusal() -> None:
    fine = queue("<maxRunningApps>1</maxRunningApps>", "b.c") + queue("<weight>3</weight>", "d")
    raw = raw_of(queue("<weight>x</weight>") + fine)
    assert codes(raw) == ["FS401", "FS202"]
    assert raw.queues["root.d"].fields["weight"].value == 3.0
    assert raw.queues["root.b.c"].fields["maxRunningApps"].value == 1


def test_deep_nesting_is_read() -> None:
    inner = ""
    for level in range(400):
        inner = f'<queue name="q{level}">{inner}</queue>'
    raw = raw_of(inner)
    assert len(raw.queues) == 400
    assert len(raw.leaves) == 1


# --- texts of resources that fail; the grammar itself is in test_resource_text.py


@pytest.mark.parametrize(
    ("text", "hadoop", "code", "message", "hint"),
    [
        ("memory-mb=50%, vcores=50%", "3.1", "FS318",
         "'memory-mb=50%, vcores=50%': name=value resources are read from Hadoop 3.2 on",
         "write 1024 mb, 2 vcores or 50%"),
        ("%", "3.4", "FS301", "'%' is not a percentage",
         "write 50% or 50% memory, 30% cpu or memory-mb=50%, vcores=30%"),
        (".5%", "3.4", "FS301", "'.5%' is not a percentage",
         "write 50% or 50% memory, 30% cpu or memory-mb=50%, vcores=30%"),
        ("50%, 30%", "2.9", "FS326", "'50%, 30%': the words are memory and cpu", "write 50% or 50% memory, 30% cpu"),
    ],
)  # fmt: skip
def test_resource(text: str, hadoop: str, code: str, message: str, hint: str) -> None:
    finding = first(field("maxResources", text), hadoop)
    assert finding is not None
    assert (finding.code, finding.message, finding.hint) == (code, f"<maxResources>: {message}", hint)


MANY = 300_000


@pytest.mark.parametrize("tag", ["maxResources", "weight", "maxAMShare", "maxRunningApps"])
@pytest.mark.parametrize(
    "text",
    ["9" * MANY, "9" * MANY + "x", "9." * MANY, "5" + " " * MANY + "x", "9x" * MANY, "9%" * MANY, "-" * MANY,
     "x=" + "9" * MANY, "1e" + "9" * MANY, "0x1p" + "9" * MANY, "\u0660" * MANY + "x"],
    ids=range(11),
)  # fmt: skip
@pytest.mark.parametrize("hadoop", ["2.6", "2.8", "3.1", "3.3"])
def test_endless_values_end(tag: str, text: str, hadoop: str) -> None:
    """Expressions that try every digit as a beginning, or go back over what they took, would need hours."""
    for finding in raw_of(field(tag, text), hadoop).findings:
        assert len(finding.message) < 300


@pytest.mark.parametrize(
    ("hadoop", "children", "reservable"),
    [
        ("2.6", ["root.a", "root.a.j"], ["root.a.j", "root.a"]),
        ("2.7", ["root.a.j", "root.a"], ["root.a", "root.a.j"]),
        ("2.8", ["root.a.j", "root.a"], ["root.a", "root.a.j"]),
        ("2.9", ["root.a.j", "root.a"], None),
    ],
)
def test_when_a_parent_is_known(hadoop: str, children: list[str], reservable: list[str] | None) -> None:
    """Of two names in one bucket of a hash set, as these are, the first added comes first."""
    below = '<queue name="j"><queue name="c"/></queue>'
    assert list(raw_of(f'<queue name="a"><queue name="leaf"/>{below}</queue>', hadoop).parents) == children
    raw = raw_of(f'<queue name="a"><reservation/>{below}</queue>', hadoop)
    assert (None if raw.refusals else list(raw.parents)) == reservable
