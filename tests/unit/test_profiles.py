"""Hadoop versions: which release has which behaviour, and what `--hadoop` takes."""

from __future__ import annotations

import pytest

from fairsim.errors import UsageError
from fairsim.profiles import (
    DEFAULT_VERSION,
    NEWEST_PATCH,
    Features,
    known_builds,
    known_lines,
    profile,
)

FORM = "write MAJOR.MINOR or MAJOR.MINOR.PATCH, such as 3.4 or 3.3.1"
KNOWN = "known lines: 2.6, 2.7, 2.8, 2.9, 2.10, 3.0, 3.1, 3.2, 3.3, 3.4, 3.5"
LINES = ("2.6", "2.7", "2.8", "2.9", "2.10", "3.0", "3.1", "3.2", "3.3", "3.4", "3.5")


def since(text: str) -> dict[str, int | None]:
    """Returns for every line the first patch release that has it: `2.9 3.0` means both lines and all later ones.

    `3.2.3` counts for its own line only, `..` ends what has begun, so that `2.10 .. 3.1.2` leaves 3.0 out.
    """
    first: dict[str, int | None] = dict.fromkeys(LINES)
    for word in text.split():
        major, minor, *patch = word.split(".")
        line = f"{major}.{minor}"
        if patch:
            first[line] = int(patch[0])
            continue
        for later in LINES[LINES.index(line) :]:
            if later.split(".")[0] == major:
                first[later] = 0
    return first


# What shows when a file is loaded was asked from the jars of the first release and of the one before it.
FIRST = {
    "bounded_am_share": "2.6 3.0",
    "no_dots_in_names": "2.7 3.0",
    "loose_units": "2.7 3.0",
    "reservations": "2.7 3.0",
    "decimals": "2.8 3.0",
    "nonempty_names": "2.8 3.0",
    "trimmed_names": "2.8 3.0",
    "queue_max_default": "2.8 3.0",
    "reservation_acls": "2.8 3.0",
    "acl_lines": "2.8.2 2.9 3.0",
    "long_values": "2.8 3.0",
    "typed_parent_with_children": "2.9 3.0",
    "policy_check": "2.9 3.0",
    "no_default_fifo": "2.9 3.0",
    "allow_preemption_from": "2.9 3.0",
    "max_child_resources": "2.9 3.0",
    "unicode_trim": "2.9 3.0",
    "percentages": "2.9 3.0",
    "max_raised_to_min": "2.9 3.0",
    "am_limit_rounded_up": "2.9 3.0",
    "all_types": "3.0",
    "custom_types": "2.10 3.0",
    "file_on_any_filesystem": "2.10 3.1",
    "lazy_defaults": "3.1",
    "merged_acls": "3.1",
    "name_value_resources": "3.2",
    "dynamic_queues": "3.2",
    "max_container_allocation": "3.2",
    "zero_resource_rejected": "3.2",
    "placement_rewrite": "3.3",
    "strict_resources": "3.3",
    "am_limit_custom_types": "3.3",
    "am_share_on_parent_refused": "3.2.3 3.3.1 3.4",
    "secure_xml": "3.3.5 3.4",
    "no_default_queue": "3.4",
    "long_sums": "2.10 3.1.2 3.2.1 3.3",
    "double_drf": "3.0",
    "tree_set_of_queues": "3.2",
    "memory_only_demand": "3.2",
    "drf_needy_mended": "3.3.6 3.4",
}


def test_the_table_names_every_feature() -> None:
    assert sorted(FIRST) == sorted(Features.__annotations__)


@pytest.mark.parametrize("feature", FIRST)
def test_feature_begins_with_its_release(feature: str) -> None:
    first = since(FIRST[feature])
    for line in LINES:
        major, minor = map(int, line.split("."))
        for patch in range(NEWEST_PATCH[major, minor] + 1):
            start = first[line]
            wanted = start is not None and patch >= start
            assert getattr(profile(f"{line}.{patch}").features, feature) is wanted, f"{line}.{patch}"


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ("2.6", "I"), ("2.7.7", "I"), ("2.8.0", "M"), ("2.9", "M"), ("2.10.0", "L"), ("3.0", "M"), ("3.1.1", "M"),
        ("3.1.2", "L"), ("3.2.0", "M"), ("3.2.1", "L"), ("3.3.0", "L"), ("3.4", "L"), ("3.5", "L"),
    ],
)  # fmt: skip
def test_arithmetic_line(version: str, line: str) -> None:
    assert profile(version).line == line


def test_a_line_means_its_newest_patch_release() -> None:
    assert known_lines() == list(LINES)
    for line in LINES:
        major, minor = map(int, line.split("."))
        short, whole = profile(line), profile(f"{line}.{NEWEST_PATCH[major, minor]}")
        assert (short.version, vars(short.features)) == (whole.version, vars(whole.features))
    assert profile("3.3").label == "3.3.6"
    assert profile("3.3").version == (3, 3, 6)
    assert profile("2.10").version == (2, 10, 2)


def test_the_default_is_known() -> None:
    assert DEFAULT_VERSION in known_lines()


@pytest.mark.parametrize("text", ["3.3.1", " 3.3.1 ", "3.3.1\n"])
def test_blanks_around_a_version_do_not_matter(text: str) -> None:
    assert profile(text).label == "3.3.1"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "unknown Hadoop version ''", FORM),
        ("3", "unknown Hadoop version '3'", FORM),
        ("3.4.1.2", "unknown Hadoop version '3.4.1.2'", FORM),
        ("3.4.", "unknown Hadoop version '3.4.'", "did you mean 3.4?"),
        ("-3.4", "unknown Hadoop version '-3.4'", "did you mean 3.4?"),
        ("3,4", "unknown Hadoop version '3,4'", FORM),
        ("٣.٤", "unknown Hadoop version '٣.٤'", FORM),
        ("3.4.99999", "unknown Hadoop version '3.4.99999'", FORM),
        ("cdp-7.1.8", "unknown Hadoop version 'cdp-7.1.8'", "did you mean cdp-7.1.9?"),
        ("emr", "unknown Hadoop version 'emr'", f"{FORM}, or one of cdp-7.1.9, cdh-6.3, cdh-5.16, hdp-3.1, hdp-2.6"),
        ("2.5", "Hadoop 2.5 is not a line that fairsim knows", KNOWN),
        ("3.6.0", "Hadoop 3.6 is not a line that fairsim knows", KNOWN),
        ("3.3.7", "Hadoop 3.3.7 is newer than the newest release known here", "the newest of this line is 3.3.6"),
    ],
)  # fmt: skip
def test_unknown_version(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        profile(text)
    assert (caught.value.message, caught.value.where, caught.value.hint) == (message, "--hadoop", hint)


@pytest.mark.parametrize(
    ("build", "base", "more"),
    [
        ("cdp-7.1.9", "3.1.4",
         {"name_value_resources", "max_container_allocation", "am_share_on_parent_refused", "secure_xml"}),
        ("cdh-6.3", "3.0.3", set()),
        ("cdh-5.16", "2.6.5", set()),
        ("hdp-3.1", "3.1.1", set()),
        ("hdp-2.6", "2.7.3", set()),
    ],
)  # fmt: skip
def test_vendor_build(build: str, base: str, more: set[str]) -> None:
    found, apache = profile(build.upper()), profile(base)
    assert found.label == build
    assert found.version == apache.version
    assert found.remark != ""
    assert apache.remark == ""
    mine, theirs = vars(found.features), vars(apache.features)
    differing = {name for name in Features.__annotations__ if mine[name] != theirs[name]}
    assert differing == more


def test_vendor_builds_are_listed() -> None:
    assert known_builds() == ["cdp-7.1.9", "cdh-6.3", "cdh-5.16", "hdp-3.1", "hdp-2.6"]
