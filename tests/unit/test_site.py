"""yarn-site: how files are read and merged, typed values, resource types, and what is said about mistakes.

What Hadoop does was measured with its Configuration and ResourceUtils, 2.6.5 to 3.5.0.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsim.config.properties import KNOWN
from fairsim.config.resource_types import Limits, read_limits, read_resource_types
from fairsim.config.site import Site, Typed, build_site, read_site
from fairsim.diag import Finding, Pos
from fairsim.errors import InputError
from fairsim.model.cluster import Property
from fairsim.model.resources import LONG_MAX, ResourceTypes
from fairsim.profiles import Profile, profile

V34, V32, V31, V30 = profile("3.4"), profile("3.2"), profile("3.1"), profile("3.0")
V210, V28, V27 = profile("2.10"), profile("2.8"), profile("2.7")

PREEMPTION = "yarn.scheduler.fair.preemption"
MAX_ASSIGN = "yarn.scheduler.fair.max.assign"
MIN_MB = "yarn.scheduler.minimum-allocation-mb"
UPDATE = "yarn.scheduler.fair.update-interval-ms"
THRESHOLD = "yarn.scheduler.fair.preemption.cluster-utilization-threshold"


def xml(*bodies: str) -> bytes:
    return ("<configuration>\n" + "\n".join(bodies) + "\n</configuration>\n").encode()


def prop(name: str, value: str, tail: str = "") -> str:
    return f"<property><name>{name}</name><value>{value}</value>{tail}</property>"


def site(*bodies: str) -> Site:
    return build_site([("yarn-site.xml", xml(*bodies))])


def defined(*texts: str) -> Site:
    return build_site(defines=texts)


def findings(made: Site, version: Profile = V34) -> list[Finding]:
    return [item.finding for item in made.findings(version)]


def only(made: Site, version: Profile = V34) -> Finding:
    (finding,) = findings(made, version)
    return finding


# ---------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "newer", "older"),
    [
        ("<property><name>k</name><value> 5 </value></property>", " 5 ", " 5 "),
        ("<property><name> k </name><value>5</value></property>", "5", "5"),
        ("<property><value>5</value><name>k</name></property>", "5", "5"),
        ("<property><name>k</name><value></value></property>", None, None),
        ("<property><name>k</name><value/></property>", None, None),
        ("<property><name>k</name></property>", None, None),
        ("<property><name>k</name><value>5</value><value>6</value></property>", "6", "6"),
        ("<property><name>k</name><value><!-- five -->5<!-- six --></value></property>", "5", "5"),
        ("<property><name>k</name><value><![CDATA[5]]></value></property>", "5", "5"),
        ("<property name='k' value='5'/>", "5", None),
        ("<property name=' k ' value='5'/>", None, None),
        ("<property name='k'><value>5</value></property>", "5", None),
        ("<configuration><property><name>k</name><value>5</value></property></configuration>", "5", "5"),
        ("<x><property><name>k</name><value>5</value></property></x>", "5", None),
        ("<Property><name>k</name><value>5</value></Property>", None, "5"),
        ("<property><value>5</value></property>", None, None),
        ("<name>k</name><value>5</value>", None, None),
        ("<y:property xmlns:y='u'><y:name>k</y:name><y:value>5</y:value></y:property>", "5", None),
    ],
)
def test_properties_of_a_file(body: str, newer: str | None, older: str | None) -> None:
    made = site(body)
    assert (made.text("k", V34), made.text("k", V28)) == (newer, older)


def test_values_keep_their_place() -> None:
    made = build_site(
        [("yarn-site.xml", xml(prop("a", "1"), "<property>\n <name>b</name>\n <value>2</value>\n</property>"))],
        ("c.yaml", [Property("c", "3", Pos(4, 7))]),
        ["d=4"],
    )
    origins = {name: value.origin for name, value in made.written(V34).items()}
    assert origins == {"a": "yarn-site.xml:2:25", "b": "yarn-site.xml:5:2", "c": "c.yaml:4:7", "d": "-D d"}


def test_later_sources_win() -> None:
    files = [("yarn-site.xml", xml(prop("k", "1"), prop("k", "2"))), ("more.xml", xml(prop("k", "3")))]
    assert build_site(files[:1]).text("k", V34) == "2"
    assert build_site(files).text("k", V34) == "3"
    cluster = ("c.yaml", [Property("k", "4", Pos(1, 1))])
    assert build_site(files, cluster).text("k", V34) == "4"
    assert build_site(files, cluster, ["k=5", " k = 6"]).text("k", V34) == " 6"
    assert build_site(files, cluster, ["k="]).text("k", V34) == "4"  # an empty value is none


@pytest.mark.parametrize(
    ("tail", "kept"),
    [
        ("<final>true</final>", "1"),
        ("<final>false</final>", "2"),
        ("<final> true </final>", "2"),
        ("<final>TRUE</final>", "2"),
    ],
)
def test_final(tail: str, kept: str) -> None:
    assert site(prop("k", "1", tail), prop("k", "2")).text("k", V34) == kept


def test_final_is_said() -> None:
    made = build_site([("yarn-site.xml", xml(prop(UPDATE, "100", "<final>true</final>")))], defines=[f"{UPDATE}=200"])
    (found,) = made.findings(V34)
    assert found.where == f"-D {UPDATE}"
    assert found.finding == Finding(
        "FS927", "final-property-kept", "warning",
        f"{UPDATE}=200 has no effect: yarn-site.xml:2:62 makes it final", None,
        "the first value stays", "take <final> out there, or this value here",
    )  # fmt: skip
    assert made.integer(UPDATE, V34) == Typed(100, "yarn-site.xml:2:62")


def test_final_without_a_value_keeps_later_values_out() -> None:
    assert site("<property><name>k</name><final>true</final></property>", prop("k", "2")).text("k", V34) is None


def test_include_is_not_read() -> None:
    made = site('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="other.xml"/>')
    assert only(made) == Finding(
        "FS119", "xinclude-used", "warning", "the included file 'other.xml' is not read", Pos(2, 1),
        "Hadoop reads it at this place", "give the file on its own; later files win",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "pos", "message", "hint"),
    [
        ("<allocations/>", Pos(1, 1), "<allocations> is not a Hadoop configuration",
         "this is an allocation file: give it as ALLOC"),
        ("<a/>", Pos(1, 1), "<a> is not a Hadoop configuration", "the root of such a file is <configuration>"),
    ],
)  # fmt: skip
def test_files_of_another_kind(text: str, pos: Pos, message: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        build_site([("y.xml", text.encode())])
    error = caught.value
    assert (error.where, error.pos, error.message, error.hint) == ("y.xml", pos, message, hint)


def test_broken_xml_has_a_place() -> None:
    with pytest.raises(InputError) as caught:
        build_site([("y.xml", b"<configuration>\n<property></configuration>")])
    assert caught.value.where == "y.xml"
    assert caught.value.pos is not None
    assert caught.value.pos.line == 2


def test_another_root_with_properties() -> None:
    made = build_site([("y.xml", b"<conf><property><name>k</name><value>5</value></property></conf>")])
    assert made.text("k", V34) == "5"
    assert only(made).message == "the root is <conf>, not <configuration>"


def test_markup_in_a_value_is_said() -> None:
    made = site("<property><name>k</name><value>a<b>c</b></value></property>")
    assert only(made).message == "the value of k has elements inside; only its first text is read"


@pytest.mark.parametrize("text", ["k", "=5", " =5", ""])
def test_definitions_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        defined(text)
    assert caught.value.message == f"{text!r} is not NAME=VALUE"
    assert (caught.value.where, caught.value.hint) == ("-D", "write -D yarn.scheduler.fair.preemption=true")


def test_read_site(tmp_path: Path) -> None:
    path = tmp_path / "yarn-site.xml"
    path.write_bytes(xml(prop("k", "5")))
    assert read_site([str(path)], defines=["j=6"]).text("k", V34) == "5"
    with pytest.raises(InputError, match="the file cannot be read: No such file or directory"):
        read_site([str(tmp_path / "none.xml")])


# ---------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["k=1${b}2", "b=3"], "132"),
        (["k=1${nob}2${b}", "b=3"], "1${nob}2${b}"),
        (["k=${ b}|${b }|$b|${}|${b}", "b=3"], "${ b}|${b }|$b|${}|3"),
        (["k=${x${b}}", "b=3", "x3=7"], "7"),
        (["k=" + "${b}" * 19, "b=3"], "3" * 19),
        (["k=${k}"], "${k}"),
        (["k=a${k}b"], "a${k}b"),
        (["k=${z}-${j}", "z=5", "j=x${j}"], "${z}-${j}"),
        (["k=${env.HOME}"], "${env.HOME}"),
        (["k=${user.name}"], "${user.name}"),
        (["k=${fs}", "fs=${b}", "b=9"], "9"),
    ],
)
def test_variables(texts: list[str], expected: str) -> None:
    assert defined(*texts).text("k", V34) == expected


@pytest.mark.parametrize("texts", [["k=" + "${b}" * 20, "b=3"], ["k=${b}", "b=x${k}"]])
def test_variables_without_end(texts: list[str]) -> None:
    assert defined(*texts).expand(texts[0][2:], V34).endless


def test_a_variable_of_itself_has_no_end_before_3_0() -> None:
    assert defined("k=${k}").expand("${k}", V210).endless


# ---------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12), (" 12\n", 12), ("+5", 5), ("-5", -5), ("0x1F", 31), ("0X1f", 31), ("-0x10", -16), ("0x-5", -5),
        ("0x+5", 5), ("٣", 3), ("0x٣", 3), ("2147483647", 2147483647), ("0x7FFFFFFF", 2147483647),
    ],
)  # fmt: skip
def test_integers(text: str, value: int) -> None:
    made = defined(f"{MAX_ASSIGN}={text}")
    assert made.integer(MAX_ASSIGN, V34) == Typed(value, f"-D {MAX_ASSIGN}")
    assert findings(made) == []


@pytest.mark.parametrize(
    "text",
    ["1.5", "1_000", "5d", "--5", "0x", "+0x5", "-0x-5", "2147483648", "0xFFFFFFFF", "\u00a05", "true", " ", "1e3"],
)
def test_integers_refused(text: str) -> None:
    made = defined(f"{MAX_ASSIGN}={text}")
    assert made.integer(MAX_ASSIGN, V34) == Typed(-1, f"default, not -D {MAX_ASSIGN}")
    finding = only(made)
    assert (finding.code, finding.name, finding.severity, finding.refuses) == (
        "FS925", "number-property-invalid", "error", True,
    )  # fmt: skip
    assert finding.message == f"{MAX_ASSIGN} is {text.strip(' ')!r}, not a whole number (int)"
    assert finding.effect == "the ResourceManager does not start (NumberFormatException)"
    assert finding.hint == "write plain digits, such as the default -1"


def test_longs_and_floats() -> None:
    made = defined(f"{UPDATE}=0xFFFFFFFF", f"{THRESHOLD}=.5f")
    assert made.integer(UPDATE, V34).value == 4294967295
    assert made.real(THRESHOLD, V34) == Typed(0.5, f"-D {THRESHOLD}")
    assert defined().real(THRESHOLD, V34) == Typed(0.800000011920929, "default")
    bad = defined(f"{THRESHOLD}=80%")
    assert bad.real(THRESHOLD, V34).value == 0.800000011920929
    assert only(bad).message == f"{THRESHOLD} is '80%', not a number (float)"
    assert only(bad).hint == "write a number, such as the default 0.8"


@pytest.mark.parametrize(("text", "value"), [("true", True), (" TRUE ", True), ("False", False), ("", False)])
def test_booleans(text: str, value: bool) -> None:
    made = site(prop(PREEMPTION, text))
    assert made.boolean(PREEMPTION, V34).value is value
    assert findings(made) == []


def test_booleans_that_are_neither() -> None:
    made = site(prop(PREEMPTION, "yes"), prop("yarn.scheduler.fair.allow-undeclared-pools", "0"))
    first, second = findings(made)
    assert first == Finding(
        "FS919", "boolean-property-invalid", "warning", f"{PREEMPTION} is 'yes', neither true nor false", Pos(2, 54),
        "the default false is used without a word", "write true or false, or take it out for false",
    )  # fmt: skip
    assert second.effect == "the default true is used without a word"
    assert made.boolean(PREEMPTION, V34) == Typed(False, "default, not yarn-site.xml:2:54")
    assert made.boolean("yarn.scheduler.fair.allow-undeclared-pools", V34).value is True


def test_unresolved_variables_are_said() -> None:
    made = site(prop(MAX_ASSIGN, "${env.ASSIGN}"))
    assert only(made) == Finding(
        "FS926", "property-not-expanded", "warning",
        f"{MAX_ASSIGN}: ${{env.ASSIGN}} is not given here, so the value stays '${{env.ASSIGN}}'", Pos(2, 54), "",
        "write the value, or give it with -D env.ASSIGN=VALUE",
    )  # fmt: skip
    assert made.integer(MAX_ASSIGN, V34).value == -1


def test_endless_variables_are_said() -> None:
    made = site(prop(MAX_ASSIGN, "${b}"), prop("b", f"x${{{MAX_ASSIGN}}}"))
    finding = only(made)
    assert (finding.code, finding.refuses) == ("FS925", True)
    assert finding.message == f"{MAX_ASSIGN}: the variables in '${{b}}' refer to each other without end"


def test_names_that_are_not_quite_right() -> None:
    made = site(prop("YARN.scheduler.fair.allocation.file", "/x.xml"), prop("yarn.scheduler.fair.zzz", "1"))
    first, second = findings(made)
    assert first == Finding(
        "FS918", "unknown-fair-property", "warning",
        "Hadoop has no property YARN.scheduler.fair.allocation.file (names are case-sensitive)", Pos(2, 59),
        "ignored", "did you mean yarn.scheduler.fair.allocation.file?",
    )  # fmt: skip
    assert second.code == "FS918"


def test_properties_of_other_versions() -> None:
    made = site(
        prop("yarn.scheduler.fair.preemptionInterval", "5000"),
        prop("yarn.scheduler.fair.reservable-nodes", "0.1"),
        prop("yarn.scheduler.fair.event-log-enabled", "true"),
        prop("yarn.resource-types", "gpu"),
    )
    assert [(finding.code, finding.message) for finding in findings(made, V34)] == [
        ("FS917", "yarn.scheduler.fair.preemptionInterval is not read since Hadoop 2.9"),
        ("FS917", "yarn.scheduler.fair.event-log-enabled is not read since Hadoop 3.0"),
    ]
    assert [(finding.code, finding.message) for finding in findings(made, V27)] == [
        ("FS918", "yarn.scheduler.fair.reservable-nodes is first read by Hadoop 2.8, not by 2.7.7"),
        ("FS928", "yarn.resource-types is first read by Hadoop 2.10, not by 2.7.7"),
    ]
    assert made.integer("yarn.scheduler.fair.preemptionInterval", V34) == Typed(5000, "default")


def test_locality_delay_needs_continuous_scheduling() -> None:
    delay = prop("yarn.scheduler.fair.locality-delay-node-ms", "100")
    assert only(site(delay)).code == "FS917"
    assert findings(site(delay, prop("yarn.scheduler.fair.continuous-scheduling-enabled", "true"))) == []


def test_a_bad_locality_delay_is_read_all_the_same() -> None:
    assert only(site(prop("yarn.scheduler.fair.locality-delay-node-ms", "x"))).refuses


def test_bad_numbers_of_preemption_matter_when_it_is_on() -> None:
    kill = prop("yarn.scheduler.fair.waitTimeBeforeKill", "1s")
    finding = only(site(kill))
    assert (finding.code, finding.severity, finding.refuses) == ("FS925", "warning", False)
    assert finding.effect == (
        "not read while yarn.scheduler.fair.preemption is off; once it is on, the ResourceManager does not start"
    )
    assert only(site(kill, prop(PREEMPTION, "true"))).refuses
    assert findings(site(kill), V27)[0].refuses


def test_own_sources_are_checked_for_unknown_names() -> None:
    name = "yarn.scheduler.minimum-alocation-mb"
    assert findings(site(prop(name, "5"))) == []  # yarn-site.xml is full of properties that are none of our business
    assert only(defined(f"{name}=5")) == Finding(
        "FS928", "property-not-used", "warning", f"fairsim does not use the property {name}", None, "",
        f"did you mean {MIN_MB}?",
    )  # fmt: skip


def test_am_preemption_of_a_queue() -> None:
    made = site(prop("yarn.scheduler.fair.am.preemption.root.a", "no"))
    assert only(made).code == "FS919"
    assert made.boolean("yarn.scheduler.fair.am.preemption.root.a", V34).value is True
    assert only(made, V32).message.endswith("is first read by Hadoop 3.3, not by 3.2.4")


def test_defaults_by_version() -> None:
    name = "yarn.scheduler.maximum-allocation-vcores"
    assert (defined().integer(name, V27).value, defined().integer(name, V28).value) == (32, 4)
    with pytest.raises(KeyError):
        defined().typed("yarn.scheduler.fair.nonsense", V34)


def test_every_known_property_has_a_value_of_its_type() -> None:
    kinds = {"boolean": bool, "int": int, "long": int, "float": float, "text": str}
    for name, entry in KNOWN.items():
        for version in (V27, V210, V34):
            value = defined().typed(name, version).value
            assert value is None or type(value) is kinds[entry.kind], name


# ---------------------------------------------------------------------------------------------------------------------
def types(text: str, *more: str, version: Profile = V34) -> tuple[str, ...]:
    made = defined(f"yarn.resource-types={text}", *(f"yarn.resource-types.{item}" for item in more))
    refused = [finding for finding in findings(made, version) if finding.refuses]
    return tuple(finding.message for finding in refused) or made.resource_types(version).custom


@pytest.mark.parametrize(
    ("text", "version", "custom"),
    [
        ("gpu", V34, ("gpu",)),
        ("gpu", V27, ()),
        ("a, b", V34, ("a", "b")),
        ("a,\nb\nc", V34, ("a", "b", "c")),
        ("a,,b", V32, ("a", "b")),
        ("a, b", V210, ("a", " b")),
        ("1a", V210, ("1a",)),
        ("vcores,a", V210, ("a",)),
        ("vcores,a", V30, ("a",)),
        ("MEMORY", V34, ("MEMORY",)),
        ("a_b.c-d,a.b-c.d/e", V34, ("a_b.c-d", "a.b-c.d/e")),
        ("FB,Ea,gpu", V34, ("FB", "Ea", "gpu")),
        ("gpu,Ea,FB", V34, ("Ea", "FB", "gpu")),
        ("a,", V34, ("a",)),
        (" ", V34, ()),
    ],
)
def test_resource_types(text: str, version: Profile, custom: tuple[str, ...]) -> None:
    assert types(text, version=version) == custom


NOT_A_NAME = "yarn.resource-types: {!r} cannot be the name of a resource type"


@pytest.mark.parametrize(
    ("text", "version", "message"),
    [
        ("memory", V34, "yarn.resource-types defines memory anew"),
        ("memory-mb", V34, "yarn.resource-types defines memory-mb anew"),
        ("memory-mb", V210, "yarn.resource-types defines memory-mb anew"),
        ("vcores", V31, "yarn.resource-types defines vcores anew"),
        ("a,a", V34, "yarn.resource-types names a twice"),
        ("a,,b", V34, "yarn.resource-types has an empty entry"),
        ("a, b", V32, NOT_A_NAME.format(" b")),
        ("1a", V30, NOT_A_NAME.format("1a")),
        ("yarn_io/a", V34, NOT_A_NAME.format("yarn_io/a")),
        ("a/b/c", V34, NOT_A_NAME.format("a/b/c")),
        ("é", V34, NOT_A_NAME.format("é")),
        ("x-.y/a", V34, NOT_A_NAME.format("x-.y/a")),
    ],
)
def test_resource_types_refused(text: str, version: Profile, message: str) -> None:
    assert types(text, version=version) == (message,)


def test_what_is_said_about_refused_types() -> None:
    made = site(prop("yarn.resource-types", "gpu, disk"))
    assert only(made, V32) == Finding(
        "FS923", "resource-type-redefined", "error", NOT_A_NAME.format(" disk"), Pos(2, 43),
        "the ResourceManager does not start",
        "write the list without blanks (Hadoop 3.2.4 does not cut them off)", refuses=True,
    )  # fmt: skip
    assert made.findings(V32)[0].where == "yarn-site.xml"
    assert made.resource_types(V32).custom == ("gpu",)


@pytest.mark.parametrize(
    ("more", "version", "message"),
    [
        ("a.units=g", V34, "yarn.resource-types.a.units is 'g', which is not a unit"),
        ("a.units= G", V34, "yarn.resource-types.a.units is ' G', which is not a unit"),
        ("a.type=countable", V34, "yarn.resource-types.a.type is 'countable', unknown to Hadoop"),
        ("a.minimum-allocation=5G", V34, "yarn.resource-types.a.minimum-allocation is '5G', not a whole number (long)"),
        ("a.increment-allocation=5  G", V34,
         "yarn.resource-types.a.increment-allocation is '5  G', not a number with at most one blank and a unit"),
        ("memory-mb.increment-allocation=1g", V34,
         "yarn.resource-types.memory-mb.increment-allocation is '1g', not a number with at most one blank and a unit"),
    ],
)  # fmt: skip
def test_settings_of_a_type_refused(more: str, version: Profile, message: str) -> None:
    assert types("a", more, version=version) == (message,)


def test_gpus_have_no_unit() -> None:
    unit = "yarn.io/gpu.units=G"
    message = "yarn.resource-types.yarn.io/gpu.units is 'G', but yarn.io/gpu is counted in whole ones"
    assert types("yarn.io/gpu", unit) == types("yarn.io/gpu", unit, version=V210) == (message,)
    assert types("yarn.io/gpu", unit, version=V30) == ("yarn.io/gpu",)


def test_settings_of_a_type_that_is_not_named() -> None:
    made = site(prop("yarn.resource-types", "yarn.io/gpu"), prop("yarn.resource-types.yarn.io/gpo.units", "G"))
    assert only(made) == Finding(
        "FS928", "property-not-used", "warning",
        "yarn.resource-types.yarn.io/gpo.units is about a resource type that yarn.resource-types does not name",
        Pos(3, 61), "ignored", "did you mean yarn.io/gpu?",
    )  # fmt: skip


def test_units_and_volumes() -> None:
    made = defined(
        "yarn.resource-types=a,b,c",
        "yarn.resource-types.a.units=Gi",
        "yarn.resource-types.b.tags=x , system:csi-volume",
    )
    read = read_resource_types(made, V34)
    assert read.types == ResourceTypes(("memory-mb", "vcores", "a", "c", "b"), ("Mi", "", "Gi", "", ""))
    assert (read.uncounted, read.findings) == (("b",), ())
    assert read_resource_types(made, V32).types.custom == ("a", "b", "c")


def test_limits() -> None:
    plain = ResourceTypes()
    assert read_limits(defined(), plain, V34) == Limits((1024, 1), (8192, 4), (1024, 1))
    made = defined(
        f"{MIN_MB}=512",
        "yarn.resource-types.memory-mb.maximum-allocation=16384",
        "yarn.resource-types.vcores.minimum-allocation=-1",
        "yarn.resource-types=a,b",
        "yarn.resource-types.a.units=M",
        "yarn.resource-types.a.maximum-allocation=0x10",
        "yarn.resource-types.a.increment-allocation=2G",
        "yarn.resource-types.memory-mb.increment-allocation=2 Gi",
    )
    kinds = made.resource_types(V34)
    assert kinds.custom == ("a", "b")
    assert read_limits(made, kinds, V34) == Limits(
        (512, 1, 0, 0), (16384, 4, 16, LONG_MAX), (2048, 1, 2000, 0),
    )  # fmt: skip
    assert read_limits(made, made.resource_types(V30), V30).increment == (1024, 1, 0, 0)
    assert read_limits(made, plain, V27) == Limits((512, 1), (8192, 32), (1024, 1))


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(InputError):
        build_site([("y.xml", b"<configuration>" + data + b"</configuration>")]).findings(V34)


@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(KNOWN)), st.text("0123456789abctruefls${}.-+x ,\n", min_size=1, max_size=12)),
        max_size=6,
    )
)
def test_getters_never_fail(pairs: list[tuple[str, str]]) -> None:
    made = defined(*(f"{name}={text}" for name, text in pairs))
    for version in (V27, V210, V32, V34):
        for name in KNOWN:
            made.typed(name, version)
        made.findings(version)
        read_limits(made, made.resource_types(version), version)
