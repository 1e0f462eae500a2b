"""Java's numbers, strings and collections where results depend on them: parsing, casts, rounding, orders.

Nothing else in fairsim imitates Java. Standard library only.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from fairsim.patterns import Pattern

LONG_MAX = 2**63 - 1
LONG_MIN = -(2**63)
INT_MAX = 2**31 - 1
INT_MIN = -(2**31)

T = TypeVar("T")

_DECIMAL = Pattern(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+[fFdD]?", re.ASCII)
_HEX = Pattern(r"([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)[fFdD]?", re.ASCII)
_WORDS = {"NaN": math.nan, "Infinity": math.inf}
_FLOAT = struct.Struct("<f")
_FLOAT_MAX = (2.0 - 2.0**-23) * 2.0**127


def trim(text: str) -> str:
    """Returns `text` without the characters up to U+0020 at both ends (String.trim)."""
    return text.strip(_TRIMMED)


_TRIMMED = "".join(map(chr, range(0x21)))


def _parse_integer(text: str, low: int, high: int) -> int | None:
    digits = text[1:] if text[:1] in ("+", "-") else text
    # Character.digit takes every decimal digit of the basic plane; charAt never sees a whole higher one
    if not digits or not digits.isdecimal() or max(digits) > "\uffff":
        return None
    if len(digits) > 4000:  # int() takes 4300 digits
        digits = "".join(str(int(digit)) for digit in digits).lstrip("0") or "0"
        if len(digits) > 20:
            return None
    value = int(digits)
    if text[0] == "-":
        value = -value
    return value if low <= value <= high else None


def parse_int(text: str) -> int | None:
    """Returns the value that Integer.parseInt reads, None where it throws NumberFormatException."""
    return _parse_integer(text, INT_MIN, INT_MAX)


def parse_long(text: str) -> int | None:
    """Returns the value that Long.parseLong reads, None where it throws NumberFormatException."""
    return _parse_integer(text, LONG_MIN, LONG_MAX)


def parse_double(text: str) -> float | None:
    """Returns the value that Double.parseDouble reads, None where it throws NumberFormatException."""
    body = trim(text)
    if body.replace(".", "", 1).isdigit() and body.isascii():  # most are: no expression to compile
        return float(body)
    if _DECIMAL.fullmatch(body):
        return float(body.rstrip("fFdD"))
    if match := _HEX.fullmatch(body):
        return _hex_value(match)
    sign = -1.0 if body.startswith("-") else 1.0
    word = _WORDS.get(body[1:] if body[:1] in ("+", "-") else body)
    return None if word is None else sign * word


def _hex_value(match: re.Match[str]) -> float | None:
    sign, whole, fraction, exponent = match.groups()
    if not (whole or fraction):
        return None
    text = f"{sign}0x{whole or '0'}.{fraction or '0'}p{exponent}"
    try:
        return float.fromhex(text)
    except OverflowError:
        return -math.inf if sign == "-" else math.inf


def float32(value: float) -> float:
    """Returns the float (binary32) nearest to `value` as Java's cast has it: half to even, overflow to infinity."""
    try:
        return float(_FLOAT.unpack(_FLOAT.pack(value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def parse_float(text: str) -> float | None:
    """Returns the value that Float.parseFloat reads: rounded once from the decimal text, not by way of a double."""
    value = parse_double(text)
    if value is None or not math.isfinite(value):
        return value
    rounded = float32(value)
    if value == rounded:
        return rounded
    below, above = _floats_around(value, rounded)
    if value - below != above - value:
        return rounded
    exact = _compare_exactly(trim(text), value)  # the double lies between two floats: the text decides
    if exact == 0:
        return rounded
    return float32(below) if exact < 0 else float32(above)


def _floats_around(value: float, rounded: float) -> tuple[float, float]:
    """Returns the floats below and above a double; beyond the largest float as if there were one more."""
    if math.isinf(rounded):
        limits = (_FLOAT_MAX, 2.0**128)
        return limits if value > 0 else (-limits[1], -limits[0])
    other = _neighbour(rounded, value > rounded)
    return min(rounded, other), max(rounded, other)


def _compare_exactly(text: str, value: float) -> int:
    """Returns -1, 0 or 1: how the number that the text writes stands to a finite double near it."""
    if match := _HEX.fullmatch(text):
        sign, whole, fraction, exponent = match.groups()
        digits = int((whole or "") + (fraction or ""), 16)
        numerator, denominator = value.as_integer_ratio()
        power = int(exponent) - 4 * len(fraction or "")
        left, right = (-digits if sign == "-" else digits) * denominator, numerator
        left, right = (left << power, right) if power >= 0 else (left, right << -power)
        return (left > right) - (left < right)
    from decimal import Decimal

    number, double = Decimal(text.rstrip("fFdD")), Decimal(value)
    return (number > double) - (number < double)


def _neighbour(value: float, up: bool) -> float:
    bits = int.from_bytes(_FLOAT.pack(value), "little", signed=True)
    away = up == (bits >= 0)
    if value == 0.0:
        bits, away = (0 if up else -(2**31)), True
    moved = bits + 1 if away else bits - 1
    return float(_FLOAT.unpack(moved.to_bytes(4, "little", signed=True))[0])


def shortest_float32(value: float) -> float:
    """Returns the double with the fewest digits that rounds to this float: 0.3 for 0.30000001192092896."""
    if not math.isfinite(value) or (value == int(value) and abs(value) <= 2**24):
        return value
    for digits in range(1, 9):
        short = float(f"{value:.{digits}g}")
        if float32(short) == value:
            return short
    return float(f"{value:.9g}")


def to_long(value: float) -> int:
    """Returns the long of Java's cast: cut toward zero, NaN is 0, out of range is the nearest limit."""
    return _cast(value, LONG_MIN, LONG_MAX)


def to_int(value: float) -> int:
    """Returns the int of Java's cast from double: cut toward zero, NaN is 0, out of range is the nearest limit."""
    return _cast(value, INT_MIN, INT_MAX)


def _cast(value: float, low: int, high: int) -> int:
    if value != value:
        return 0
    if value >= high:
        return high
    return low if value <= low else int(value)


def wrap_long(value: int) -> int:
    """Returns the low 64 bits of `value` as a signed number."""
    return ((value + 2**63) & (2**64 - 1)) - 2**63


def wrap_int(value: int) -> int:
    """Returns the low 32 bits of `value` as a signed number."""
    return ((value + 2**31) & (2**32 - 1)) - 2**31


def string_hash(text: str) -> int:
    """Returns String.hashCode, signed, over UTF-16 code units."""
    data = text.encode("utf-16-le", "surrogatepass")
    result = 0
    for low, high in zip(data[::2], data[1::2], strict=True):
        result = (31 * result + (high << 8 | low)) & 0xFFFFFFFF
    return wrap_int(result)


def hash_set_order(words: Iterable[str]) -> list[str]:
    """Returns the distinct words in the order in which a java.util.HashSet, filled in this order, walks them.

    Buckets ascend, words of one bucket stay in the order of insertion; the table has 16 buckets and doubles when it
    is more than three quarters full. (Java turns a bucket of more than 8 words into a tree; not followed.)
    """
    distinct = list(dict.fromkeys(words))
    size = 16
    while len(distinct) > size * 3 // 4:
        size *= 2

    def bucket(word: str) -> int:
        code = string_hash(word) & 0xFFFFFFFF
        return (code ^ (code >> 16)) & (size - 1)

    return sorted(distinct, key=bucket)


def divide(left: float, right: float) -> float:
    """Returns the quotient of two doubles as Java has it: infinite or NaN where the divisor is 0."""
    if right:
        return left / right
    if left != left or not left:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def sign(value: float) -> int:
    """Returns (int) Math.signum: 0 for NaN."""
    return 1 if value > 0 else -1 if value < 0 else 0


class _Node(Generic[T]):
    """A node of a red-black tree."""

    __slots__ = ("item", "left", "parent", "red", "right")

    def __init__(self, item: T, parent: _Node[T] | None):
        self.item = item
        self.parent = parent
        self.left: _Node[T] | None = None
        self.right: _Node[T] | None = None
        self.red = parent is not None


def tree_set_order(items: Iterable[T], compare: Callable[[T, T], int]) -> list[T]:
    """Returns the items as a java.util.TreeSet, filled in this order, walks them.

    An item that compares as equal to one on its way down is left out. Where `compare` is no order (NaN), the shape of
    the red-black tree decides, and is followed.
    """
    root: _Node[T] | None = None
    for item in items:
        parent, way = None, 0
        node = root
        while node is not None:
            parent, way = node, compare(item, node.item)
            if way == 0:
                break
            node = node.left if way < 0 else node.right
        if parent is not None and way == 0:
            continue
        added = _Node(item, parent)
        if parent is None:
            root = added
            continue
        if way < 0:
            parent.left = added
        else:
            parent.right = added
        root = _balanced(added, root)
    found: list[T] = []
    stack: list[_Node[T]] = []
    node = root
    while stack or node is not None:
        while node is not None:
            stack.append(node)
            node = node.left
        node = stack.pop()
        found.append(node.item)
        node = node.right
    return found


def _balanced(node: _Node[T], root: _Node[T] | None) -> _Node[T] | None:
    """Restores the colours of a red-black tree above a new node; returns the root."""
    while (parent := node.parent) is not None and parent.red:
        above = parent.parent
        assert above is not None
        on_left = above.left is parent
        uncle = above.right if on_left else above.left
        if uncle is not None and uncle.red:
            parent.red = uncle.red = False
            above.red = True
            node = above
            continue
        if node is (parent.right if on_left else parent.left):
            root = _rotated(parent, root, left=on_left)
            node, parent = parent, node
        parent.red = False
        above.red = True
        root = _rotated(above, root, left=not on_left)
    if root is not None:
        root.red = False
    return root


def _rotated(node: _Node[T], root: _Node[T] | None, *, left: bool) -> _Node[T] | None:
    """Puts a child of the node in its place, the right one in a rotation to the left; returns the root."""
    child = node.right if left else node.left
    assert child is not None
    inner = child.left if left else child.right
    if left:
        node.right = inner
        child.left = node
    else:
        node.left = inner
        child.right = node
    if inner is not None:
        inner.parent = node
    above = node.parent
    child.parent, node.parent = above, child
    if above is None:
        return child
    if above.left is node:
        above.left = child
    else:
        above.right = child
    return root


class PriorityQueue(Generic[T]):
    """java.util.PriorityQueue: which of equal items comes first depends on the heap, and is followed.

    `key` gives what is compared; the smallest comes first.
    """

    def __init__(self, key: Callable[[T], float]):
        self._key = key
        self._heap: list[T] = []

    def __bool__(self) -> bool:
        return bool(self._heap)

    def add(self, item: T) -> None:
        """Puts an item in: it rises while it is smaller than the one above."""
        heap, key = self._heap, self._key(item)
        place = len(heap)
        heap.append(item)
        while place:
            above = (place - 1) // 2
            if key >= self._key(heap[above]):
                break
            heap[place] = heap[above]
            place = above
        heap[place] = item

    def poll(self) -> T:
        """Returns the first item and takes it out: the last one sinks from the top, past the smaller child."""
        heap = self._heap
        first, last = heap[0], heap.pop()
        if not heap:
            return first
        key, place, half = self._key(last), 0, len(heap) // 2
        while place < half:
            child = 2 * place + 1
            if child + 1 < len(heap) and self._key(heap[child]) > self._key(heap[child + 1]):
                child += 1
            if key <= self._key(heap[child]):
                break
            heap[place] = heap[child]
            place = child
        heap[place] = last
        return first
