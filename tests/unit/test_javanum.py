"""Java's numbers and strings against what a JDK answers."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairsim.javanum import (
    INT_MAX,
    INT_MIN,
    LONG_MAX,
    LONG_MIN,
    float32,
    hash_set_order,
    parse_double,
    parse_float,
    parse_int,
    parse_long,
    shortest_float32,
    string_hash,
    to_int,
    to_long,
    trim,
    wrap_int,
    wrap_long,
)

# One line a call that JDK 17 answered: [what, text, result]. Floating-point results are hexadecimal, null stands for
# NumberFormatException. `weight` is (float) Double.parseDouble(text).
VECTORS = Path(__file__).parent.parent / "vectors" / "java_numbers.jsonl"
ROWS = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]


def weight(text: str) -> float | None:
    value = parse_double(text)
    return None if value is None else float32(value)


CALLS: dict[str, Callable[[str], object]] = {
    "int": parse_int, "long": parse_long, "double": parse_double, "float": parse_float, "weight": weight, "trim": trim,
}  # fmt: skip


def same(left: object, right: object) -> bool:
    """Equal, of one sign when zero, or both NaN."""
    if isinstance(left, float) and isinstance(right, float):
        return left.hex() == right.hex()
    return left == right and type(left) is type(right)


@pytest.mark.parametrize("what", CALLS)
def test_parsing_is_the_jdks(what: str) -> None:
    rows = [(text, result) for call, text, result in ROWS if call == what]
    assert len(rows) >= 10
    if what in ("double", "float", "weight"):
        rows = [(text, None if result is None else float.fromhex(result)) for text, result in rows]
    wrong = [(text, result, CALLS[what](text)) for text, result in rows if not same(CALLS[what](text), result)]
    assert wrong == []


def test_the_table_has_what_tends_to_go_wrong() -> None:
    """Were the file cut short, the test above would still pass."""
    texts = {(call, text) for call, text, _ in ROWS}
    assert len(ROWS) > 800
    assert texts >= {
        ("int", "\u0663\u0664"), ("long", "9223372036854775808"), ("double", "0x1.8p1"), ("double", "NaNd"),
        ("float", "0x1.00000100000000001p0"), ("float", "3.4028235677973366e38"),
        ("weight", "1.00000017881393432617187500"), ("trim", "\u00a0a\u00a0"),
    }  # fmt: skip


@pytest.mark.parametrize("digit", ["0", "\u0660", "\uff10"])
def test_long_numbers_of_zeros(digit: str) -> None:
    """Python's int() refuses more than 4300 digits, Java does not."""
    assert parse_int(digit * 5000 + "7") == 7
    assert parse_long("-" + digit * 5000 + "7") == -7
    assert parse_long(digit * 5000) == 0


@pytest.mark.parametrize("digits", ["1" * 5000, "0" * 5000 + "1" * 25, "9" * 4000])
def test_long_numbers_out_of_range(digits: str) -> None:
    assert parse_int(digits) is None
    assert parse_long(digits) is None


def test_a_float_is_rounded_once_from_thousands_of_digits() -> None:
    middle = "1.000000059604644775390625"  # between 1 and the next float
    assert parse_float(middle + "0" * 6000) == 1.0
    assert parse_float(middle + "0" * 6000 + "1") == float32(1.0000001192092896)
    assert parse_float("-" + middle + "0" * 6000 + "1f") == float32(-1.0000001192092896)
    assert parse_float("0x1." + "000001" + "0" * 6000 + "1p0") == float32(1.0000001192092896)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
@example(0.0)
@example(3.4028234663852886e38)
@example(-3.4028234663852886e38)
def test_floats_next_to_the_middle_of_two_floats(below: float) -> None:
    """The middle, decimal and hexadecimal, and one hair below and above."""
    bits = int.from_bytes(struct.pack("<f", abs(below)), "little") + (1 if below >= 0 else -1)
    above = below if below == 0 else math.copysign(1, below)
    above = 2.0**-149 if below == 0 else above * float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])
    step = 2.0**128 if math.isinf(above) else above  # as if there were one float more
    middle = (Fraction(below) + Fraction(step)) / 2
    hair = abs(middle) / 10**20
    assert parse_float(exactly(middle)) == parse_float(float(middle).hex()) == float32(float(middle))
    assert parse_float(exactly(middle + hair)) == above
    assert parse_float(exactly(middle - hair)) == below


def exactly(value: Fraction) -> str:
    """The decimal text of a number whose denominator has no primes but 2 and 5."""
    places = 0
    while value.denominator != 1:
        value, places = value * 10, places + 1
    return f"{value.numerator}e-{places}"


@pytest.mark.parametrize(
    ("value", "as_int", "as_long", "as_float"),
    [
        (0.0, 0, 0, 0.0),
        (-0.0, 0, 0, -0.0),
        (0.9, 0, 0, 0.8999999761581421),
        (-0.9, 0, 0, -0.8999999761581421),
        (1.5, 1, 1, 1.5),
        (-1.5, -1, -1, -1.5),
        (2147483646.9, 2147483646, 2147483646, 2147483648.0),
        (2147483647.5, INT_MAX, 2147483647, 2147483648.0),
        (2147483648.0, INT_MAX, 2147483648, 2147483648.0),
        (-2147483648.9, INT_MIN, -2147483648, -2147483648.0),
        (-2147483649.0, INT_MIN, -2147483649, -2147483648.0),
        (1e18, INT_MAX, 10**18, 9.999999843067494e17),
        (9.223372036854775e18, INT_MAX, 9223372036854774784, 2.0**63),
        (2.0**63, INT_MAX, LONG_MAX, 2.0**63),
        (-(2.0**63), INT_MIN, LONG_MIN, -(2.0**63)),
        (-1e19, INT_MIN, LONG_MIN, -9999999980506447872.0),
        (1e300, INT_MAX, LONG_MAX, math.inf),
        (-1e300, INT_MIN, LONG_MIN, -math.inf),
        (math.nan, 0, 0, math.nan),
        (math.inf, INT_MAX, LONG_MAX, math.inf),
        (-math.inf, INT_MIN, LONG_MIN, -math.inf),
        (4.9e-324, 0, 0, 0.0),
    ],
)
def test_casts(value: float, as_int: int, as_long: int, as_float: float) -> None:
    assert to_int(value) == as_int
    assert to_long(value) == as_long
    assert same(float32(value), as_float)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (9223372036854775 * 1000, 9223372036854775000),
        (9223372036854776 * 1000, -9223372036854775616),
        (18446744073709551 * 1000, -616),
        (LONG_MAX * 1000, -1000),
        (LONG_MIN * 1000, 0),
        (-5000, -5000),
    ],
)
def test_long_products_wrap(value: int, wanted: int) -> None:
    assert wrap_long(value) == wanted


@pytest.mark.parametrize(("value", "wanted"), [(3000000000, -1294967296), (LONG_MAX, -1), (-3000000000, 1294967296)])
def test_int_casts_wrap(value: int, wanted: int) -> None:
    assert wrap_int(value) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (0.30000001192092896, 0.3),
        (0.699999988079071, 0.7),
        (16777216.0, 16777216.0),
        (-0.30000001192092896, -0.3),
        (33.29999923706055, 33.3),
        (123456.7890625, 123456.79),
        (3.4028234663852886e38, 3.4028235e38),
        (1.0000000150474662e30, 1e30),
        (9.999999171244748e32, 9.999999e32),
        (9.999999974752427e-07, 1e-6),
        (1.401298464324817e-45, 1e-45),
        (math.inf, math.inf),
        (-0.0, -0.0),
        (2.5, 2.5),
    ],
)
def test_shortest_number_of_a_float(value: float, wanted: float) -> None:
    assert float32(value) == value
    assert same(shortest_float32(value), wanted)


@given(st.floats(width=32, allow_nan=False))
def test_shortest_number_reads_back_as_the_same_float(value: float) -> None:
    assert same(float32(shortest_float32(value)), value)


def test_shortest_number_of_nan() -> None:
    assert math.isnan(shortest_float32(math.nan))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", 0), ("a", 97), ("root", 3506402), ("root.default", 497640757), ("AaAa", 2031744), ("BBBB", 2031744),
        ("été", 227742), ("\U0001f600", 1772899), ("root.queue.with.a.long.name.0123456789", 1133374978),
        ("\ufeffq", 2023762), ("\0", 0), ("polygenelubricants", -2147483648), ("\ud800", 55296),
    ],
)  # fmt: skip
def test_string_hash(text: str, wanted: int) -> None:
    assert string_hash(text) == wanted


def q(numbers: str) -> list[str]:
    return [f"root.q{number}" for number in numbers.split()]


@pytest.mark.parametrize(
    ("added", "walked"),
    [
        ([], []),
        (["root.a", "root.b", "root.c"], ["root.a", "root.b", "root.c"]),
        # twelve fit into sixteen buckets, the thirteenth doubles the table
        (q("1 2 3 4 5 6 7 8 9 10 11 12"), q("6 5 8 7 9 10 11 12 2 1 4 3")),
        (q("1 2 3 4 5 6 7 8 9 10 11 12 13"), q("2 1 4 3 6 5 8 7 9 10 11 12 13")),
        # words of one bucket stay in the order in which they came; the second BBBB changes nothing
        (["BBBB", "AaAa", "BBAa", "AaBB", "x", "BBBB"], ["x", "BBBB", "AaAa", "BBAa", "AaBB"]),
        (["AaBB", "BBAa", "AaAa", "BBBB", "x"], ["x", "AaBB", "BBAa", "AaAa", "BBBB"]),
        (["root.users.al", "root.users.bob", "root.prod.etl", "root.prod.adhoc", "root.default", "root.été", "root"],
         ["root.prod.etl", "root.prod.adhoc", "root.users.bob", "root", "root.users.al", "root.default", "root.été"]),
    ],
)  # fmt: skip
def test_order_of_a_hash_set(added: list[str], walked: list[str]) -> None:
    assert hash_set_order(added) == walked


def test_order_of_a_large_hash_set() -> None:
    found = hash_set_order(f"root.q{number}" for number in range(400))
    assert sorted(found) == sorted(f"root.q{number}" for number in range(400))
    assert found[:20] == q("119 117 238 359 118 239 115 236 357 116 237 358 113 234 355 114 235 356 111 232")
    assert found[60:80] == q("120 241 362 9 121 242 363 360 240 361 139 137 258 379 138 259 135 256 377 136")
