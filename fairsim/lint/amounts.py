"""What the rules about amounts of resources share: how messages speak of them, and what is odd about their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from fairsim.config.resource_text import ResourceSpec
from fairsim.javanum import trim
from fairsim.lint.case import Case
from fairsim.model.queues import Field
from fairsim.model.resources import LONG_MAX, Amount
from fairsim.patterns import Pattern

DEFAULT_MAXIMUM = "queueMaxResourcesDefault"
MAXIMA = ("maxResources", "maxChildResources", DEFAULT_MAXIMUM)
CAPS = (*MAXIMA, "maxContainerAllocation")
ALL = (*CAPS, "minResources")
ABSOLUTE, PERCENT, NAMED = "absolute", "percent", "named"

_PLAIN = Pattern(r"[0-9]++ ?+mb *+,? *+[0-9]++ ?+vcores")
_MEMORY = Pattern(r"(?<![0-9])([0-9]++)(\.[0-9]*+)?+\s*+mb")
_VCORES = Pattern(r"(?<![0-9])([0-9]++)(\.[0-9]*+)?+\s*+vcores")
_ITEM = Pattern(r"[0-9][.0-9]*+\s*+[a-z]")
_SEPARATOR = Pattern(r"[,;&]")
_DIGITS = Pattern(r"[0-9]++")


def limits(case: Case, *tags: str) -> Iterator[tuple[str, str, Field]]:
    """Yields the resource values with these tags: key of the queue, empty for the default, then tag and value."""
    yield from case.fields(*(tag for tag in tags if tag != DEFAULT_MAXIMUM))
    default = case.raw.defaults.get(DEFAULT_MAXIMUM)
    if default is not None and DEFAULT_MAXIMUM in tags:
        yield "", DEFAULT_MAXIMUM, default


def named(key: str, tag: str) -> str:
    """Returns how messages call a value of the file: `maxResources of root.a`."""
    return f"{tag} of {key}" if key else tag


def listed(names: Sequence[str], most: int = 3) -> str:
    """Returns some names for a message: `root.a, root.b and 5 more`."""
    if len(names) <= most:
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"


def as_text(case: Case, amount: Amount) -> str:
    """Returns an amount as the file takes it: `4096 mb, 4 vcores`, or name by name where there are further types."""
    names = case.types.names
    if len(names) == 2 or not case.profile.features.name_value_resources:
        return f"{max(amount[0], 0)} mb, {max(amount[1], 0)} vcores"
    return ", ".join(f"{name}={max(part, 0)}" for name, part in zip(names, amount, strict=True) if part < LONG_MAX)


def of(case: Case, amount: Amount, kinds: Sequence[int]) -> str:
    """Returns some types of an amount: `4096 MB and 4 vcores`."""
    words = ["MB", *case.types.names[1:]]
    return " and ".join(f"{amount[kind]} {words[kind]}" for kind in kinds)


def form(case: Case, spec: ResourceSpec) -> str:
    """Returns in which of the three ways this version reads the text."""
    if case.profile.features.name_value_resources and "=" in spec.text:
        return NAMED
    return ABSOLUTE if spec.fractions is None else PERCENT


def pairs(text: str) -> list[tuple[str, str]]:
    """Returns names and values of a text that is read name by name."""
    found = []
    for piece in text.split(","):
        name, equals, value = piece.partition("=")
        if equals:
            found.append((trim(name), trim(value)))
    return found


# -- what is odd about an absolute text


class Odd(NamedTuple):
    """Something in a text beside a number and its unit, twice: its kind and the text."""

    kind: str
    text: str


THOUSANDS, MINUS, DECIMAL, TRAILING, LEADING, ITEM = "thousands", "minus", "decimal", "trailing", "leading", "item"


@lru_cache(maxsize=4096)
def odd_parts(text: str) -> tuple[Odd, ...]:
    """Returns what is odd in an absolute text that Hadoop takes; each version sees it in its own way."""
    low = trim(text).lower()
    if _PLAIN.fullmatch(low):
        return ()
    found = [match for match in (_MEMORY.search(low), _VCORES.search(low)) if match is not None]
    if len(found) < 2:
        return ()  # read in another way, as in 2.6 where the case counts
    first, second = sorted(found, key=lambda match: match.start())
    odd = [Odd(DECIMAL, match[0]) for match in (first, second) if match[2] is not None]
    odd += _before(low[: first.start()], first[1])
    odd += _between(low[first.end() : second.start()], second[1])
    odd += _after(low[second.end() :])
    return tuple(odd)


def _before(text: str, digits: str) -> Iterator[Odd]:
    *pieces, last = _SEPARATOR.sub(",", text).split(",")
    for piece in pieces:
        if piece is pieces[-1] and not last.strip() and _DIGITS.fullmatch(piece.strip()) and len(digits) == 3:
            yield Odd(THOUSANDS, f"{piece.strip()},{digits}")
        elif piece.strip():
            yield Odd(ITEM if _ITEM.search(piece) else TRAILING, piece.strip())
    if last.strip():
        yield Odd(MINUS if last.lstrip() == "-" else LEADING, last.strip())


def _between(text: str, digits: str) -> Iterator[Odd]:
    trailing, *pieces = _SEPARATOR.sub(",", text).split(",")
    if trailing.lstrip() == "-" and not pieces:
        yield Odd(MINUS, "-")
    elif trailing.strip(" \t-"):
        yield Odd(ITEM if _ITEM.search(trailing) else TRAILING, trailing.strip())
    if pieces:
        yield from _before(",".join(pieces), digits)


def _after(text: str) -> Iterator[Odd]:
    for piece in _SEPARATOR.sub(",", text).split(","):
        if piece.strip():
            yield Odd(ITEM if _ITEM.search(piece) else TRAILING, piece.strip())
