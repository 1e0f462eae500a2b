"""Sizes: what is read, what is refused and how that is said, what is printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsim.errors import InputError
from fairsim.model.cluster import UNITS, convert
from fairsim.model.resources import INT_MAX, LONG_MAX, ResourceTypes
from fairsim.units import format_amount, human_memory, parse_memory, parse_quantity, parse_vcores


@pytest.mark.parametrize(
    ("text", "megabytes"),
    [
        ("800g", 819200),
        ("800G", 819200),
        ("800 gb", 819200),
        ("800GiB", 819200),
        ("8192", 8192),
        ("8192m", 8192),
        ("8192 MB", 8192),
        (" 8192mib ", 8192),
        ("1t", 1048576),
        ("1.5t", 1572864),
        ("0.5g", 512),
        ("1.0009765625g", 1025),
        ("2048k", 2),
        ("1p", 1073741824),
        ("0", 0),
        ("007m", 7),
        ("9223372036854775807", LONG_MAX),
    ],
)
def test_memory(text: str, megabytes: int) -> None:
    assert parse_memory(text) == megabytes


WRITE_MEMORY = "write whole MB or a size with a unit, such as 8192, 8192m or 8g"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "no number for memory", WRITE_MEMORY),
        ("g", "'g' is not an amount of memory", WRITE_MEMORY),
        ("1,000", "'1,000' has marks between thousands", "write 1000"),
        ("1,000,000m", "'1,000,000m' has marks between thousands", "write 1000000m"),
        ("1_000m", "'1_000m' has marks between thousands", "write 1000m"),
        ("-8g", "'-8g' has a sign: an amount of memory is 0 or more", WRITE_MEMORY),
        ("+8g", "'+8g' has a sign: an amount of memory is 0 or more", WRITE_MEMORY),
        ("8.g", "'8.g' is not an amount of memory", WRITE_MEMORY),
        ("1e3", "'1e3' is not an amount of memory", WRITE_MEMORY),
        ("٣g", "'٣g' is not an amount of memory", WRITE_MEMORY),
        ("8gbb", "'gbb' is not a unit of memory", "did you mean gb?"),
        ("8x", "'x' is not a unit of memory", "units of memory are k, m, g, t and p: 8g is 8192 MB"),
        ("8b", "'b' is not a unit of memory", "units of memory are k, m, g, t and p: 8g is 8192 MB"),
        ("200c", "'200c' is a number of vcores, not memory", "memory comes first: 800g,200c"),
        ("1.0001g", "'1.0001g' is not a whole number of MB", "write 1024m or 1025m"),
        ("1k", "'1k' is not a whole number of MB", "write 0m or 1m"),
        ("9223372036854775808", "'9223372036854775808' is more than Hadoop can count (2^63-1 MB of memory)", None),
        ("8589934592p", "'8589934592p' is more than Hadoop can count (2^63-1 MB of memory)", None),
        ("1" * 5000, "a number of 5000 digits is too long for memory", None),
    ],
)
def test_memory_refused(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse_memory(text)
    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.parametrize(
    ("text", "vcores"),
    [
        ("200", 200),
        ("200c", 200),
        ("200 vcores", 200),
        ("1vCore", 1),
        ("4 cores", 4),
        ("0", 0),
        ("2147483647", INT_MAX),
    ],
)
def test_vcores(text: str, vcores: int) -> None:
    assert parse_vcores(text) == vcores


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "no number for vcores", "write a whole number, such as 200 or 200c"),
        ("x", "'x' is not an amount of vcores", "write a whole number, such as 200 or 200c"),
        ("000", "'000' is not a number of vcores", "thousands are written without marks: 1000, not 1,000"),
        ("1.5c", "'1.5c': vcores are whole numbers", "write 1c or 2c"),
        (
            "8g",
            "'8g' is an amount of memory, not vcores",
            "memory comes first: 800g,200c; thousands are written without marks",
        ),
        ("8cors", "'cors' is not a unit of vcores", "did you mean cores?"),
        ("8q", "'q' is not a unit of vcores", "write 200, 200c or 200 vcores"),
        ("2147483648", "'2147483648' is more than Hadoop can count (2^31-1 vcores)", None),
    ],
)
def test_vcores_refused(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse_vcores(text)
    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.parametrize(
    ("text", "value", "unit"), [("4", 4, ""), ("16Gi", 16, "Gi"), ("16 Gi", 16, "Gi"), ("5m", 5, "m"), ("0", 0, "")]
)
def test_quantity(text: str, value: int, unit: str) -> None:
    assert parse_quantity(text, "yarn.io/gpu") == (value, unit)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "no number for disk", "write a whole number, with a unit if need be, such as 4 or 16Gi"),
        (
            "1.5G",
            "'1.5G' is not an amount of disk",
            "write a whole number, with a unit if need be, such as 4 or 16Gi",
        ),
        ("4g", "'g' is not a unit of disk", "did you mean G? (case matters)"),
        ("4gI", "'gI' is not a unit of disk", "did you mean Gi? (case matters)"),
        ("4xyz", "'xyz' is not a unit of disk", "units of resource types are p n u m k M G T P Ki Mi Gi Ti Pi"),
        ("9223372036854775808", "'9223372036854775808' is more than Hadoop can count (2^63-1 of disk)", None),
    ],
)
def test_quantity_refused(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse_quantity(text, "disk")
    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.parametrize(
    ("value", "unit", "to_unit", "result"),
    [
        (4, "", "", 4),
        (4, "G", "M", 4000),
        (4, "Gi", "Mi", 4096),
        (4096, "Mi", "Gi", 4),
        (2000, "m", "", 2),
        (1, "Ki", "m", 1024000),
        (10**12, "p", "", 1),
        (LONG_MAX, "", "", LONG_MAX),
    ],
)
def test_convert(value: int, unit: str, to_unit: str, result: int) -> None:
    assert convert(value, unit, to_unit, "disk") == result


@pytest.mark.parametrize(
    ("value", "unit", "to_unit", "message", "hint"),
    [
        (
            1500, "m", "", "1500m of disk is not a whole number in the unit of this resource type",
            "disk is counted in whole ones: write 1 or 2",
        ),
        (
            1, "Mi", "M", "1Mi of disk is not a whole number in the unit of this resource type",
            "disk is counted in the unit 'M': write 1M or 2M",
        ),
        (LONG_MAX, "P", "", f"{LONG_MAX}P of disk is more than 2^63-1 in the unit of this resource type", None),
    ],
)  # fmt: skip
def test_convert_refused(value: int, unit: str, to_unit: str, message: str, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        convert(value, unit, to_unit, "disk")
    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.parametrize(
    ("megabytes", "text"),
    [
        (0, "0m"),
        (512, "512m"),
        (1023, "1023m"),
        (1024, "1g"),
        (1536, "1.5g"),
        (819200, "800g"),
        (1228800, "1200g"),
        (1000000, "~976.56g"),
        (1025, "~1g"),
        (1034, "~1g"),
        (1044, "~1.01g"),
        (-1536, "-1.5g"),
    ],
)
def test_human_memory(megabytes: int, text: str) -> None:
    assert human_memory(megabytes) == text


def test_format_amount() -> None:
    types = ResourceTypes(("memory-mb", "vcores", "yarn.io/gpu", "disk"), ("Mi", "", "", "G"))
    assert format_amount((819200, 200, 4, 10), types) == "819200m,200c,yarn.io/gpu=4,disk=10G"
    assert format_amount((819200, 200, 0, 10), types, human=True) == "800g,200c,disk=10G"
    assert format_amount((1000, 0), ResourceTypes()) == "1000m,0c"


@given(st.integers(0, LONG_MAX))
def test_printed_memory_reads_back(megabytes: int) -> None:
    assert parse_memory(format_amount((megabytes, 0), ResourceTypes()).partition(",")[0]) == megabytes


@given(st.integers(0, LONG_MAX))
def test_human_memory_is_marked_exactly_when_it_loses_something(megabytes: int) -> None:
    text = human_memory(megabytes)
    if text.startswith("~"):
        shown = text[1:-1]
        hundredths = int(shown.replace(".", "")) if len(shown.partition(".")[2]) == 2 else round(float(shown) * 100)
        if megabytes < 2**40:
            assert 0 < megabytes * 100 - hundredths * 1024 < 1024
    else:
        assert parse_memory(text) == megabytes


@given(st.integers(0, 10**6), st.sampled_from(sorted(UNITS)), st.sampled_from(sorted(UNITS)))
def test_converted_quantities_convert_back(value: int, unit: str, to_unit: str) -> None:
    try:
        there = convert(value, unit, to_unit, "disk")
    except InputError:
        return
    assert convert(there, to_unit, unit, "disk") == value
