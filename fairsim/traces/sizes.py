"""Sizes of containers: `2048 mb, 1 vcores`, `2g,1c`, `memory-mb=2048,vcores=1,yarn.io/gpu=1`, or a map by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairsim.diag import did_you_mean
from fairsim.errors import InputError
from fairsim.model.cluster import convert
from fairsim.model.resources import MEMORY, VCORES, Amount, ResourceTypes
from fairsim.traces.faults import SIZE, Bad
from fairsim.units import parse_memory, parse_quantity, parse_vcores

_HINT = "write memory and vcores: 2g,1c or 2048 mb, 1 vcores"
MOST_LETTERS = 2000
MEMORY_NAMES = (MEMORY, "memory", "memory_mb", "memoryMB", "mb")
VCORE_NAMES = (VCORES, "vCores", "virtualCores", "cpu", "c")


def parse_amount(value: Any, types: ResourceTypes) -> Amount:
    """Returns the amount that a text or a map by type name stands for; types it does not name are 0."""
    found: dict[str, int] = {}
    for name, size in _of_map(value) if isinstance(value, Mapping) else _of_text(value):
        key, amount = _one(name, size, types)
        if key in found:
            raise Bad(SIZE, f"{key} is given twice", "keep one of the two")
        found[key] = amount
    for key in (MEMORY, VCORES):
        if key not in found:
            raise Bad(SIZE, f"the size has no {'memory' if key == MEMORY else key}", _HINT)
    return types.amount(found)


def type_named(name: str, types: ResourceTypes) -> str | None:
    """Returns the resource type that a name or one of its other spellings means, None where there is none."""
    if name in MEMORY_NAMES:
        return MEMORY
    if name in VCORE_NAMES:
        return VCORES
    return name if name in types.names else None


def parse_part(key: str, text: str, types: ResourceTypes) -> int:
    """Returns how much of a known resource type a text means."""
    try:
        if key == MEMORY:
            return parse_memory(text)
        if key == VCORES:
            return parse_vcores(text)
        value, unit = parse_quantity(text, key)
        own = types.units[types.names.index(key)]
        return convert(value, unit or own, own, key)
    except InputError as error:
        raise Bad(SIZE, error.message, (error.hint or "").replace("800g,200c", "2g,1c")) from None


def _of_map(value: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name.strip(), plain_size(size)) for name, size in value.items()]


def plain_size(size: Any) -> str:
    """Returns the text of an amount that JSON may give as a number."""
    if isinstance(size, str):
        return size[:MOST_LETTERS]
    if isinstance(size, bool) or not isinstance(size, int | float):
        raise Bad(SIZE, f"{size!r:.40} is not an amount", 'write {"memory-mb": 2048, "vcores": 1}')
    if abs(size) < 1e18 and size == int(size):
        return str(int(size))
    raise Bad(SIZE, "the amount is not a whole number, or too large", 'write {"memory-mb": 2048, "vcores": 1}')


def _of_text(value: Any) -> list[tuple[str, str]]:
    """Returns name and size of each part; parts without a name are memory, then vcores, or tell it by their unit."""
    if not isinstance(value, str):
        raise Bad(SIZE, "this is not the size of a container", _HINT)
    if len(value) > MOST_LETTERS:
        raise Bad(SIZE, f"the text has more than {MOST_LETTERS} characters", _HINT)
    body = value.strip()
    if body.startswith("<") and body.endswith(">"):
        body = body[1:-1]
    pieces = [piece.strip() for piece in body.replace(";", ",").split(",")]
    marks = ["=" if "=" in piece else ":" for piece in pieces]
    bare = [piece for piece, mark in zip(pieces, marks, strict=True) if mark not in piece]
    if len(bare) > 2:
        raise Bad(SIZE, f"{bare[2]!r:.60} is one amount too many", _HINT)
    order = [MEMORY, VCORES]
    if len(bare) == 2 and bare[0].lower().endswith(("c", "core", "cores")):
        order.reverse()
    unnamed = iter(order)
    found = []
    for piece, mark in zip(pieces, marks, strict=True):
        name, _, size = piece.partition(mark) if mark in piece else (next(unnamed), "", piece)
        found.append((name.strip(), size))
    return found


def _one(name: str, size: str, types: ResourceTypes) -> tuple[str, int]:
    key = type_named(name, types)
    if key is None:
        near = did_you_mean(name[:100], types.names)
        near = near or next((known for known in types.custom if known.endswith("/" + name)), "")
        hint = f"did you mean {near}?" if near else f"known are {', '.join(types.names)}"
        raise Bad(SIZE, f"there is no resource type {name!r:.60}", hint)
    return key, parse_part(key, size, types)
