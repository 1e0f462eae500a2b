"""Sizes as people write them, to whole numbers, and back.

Memory is whole MB (1 g = 1024 MB, as YARN counts), vcores are whole, and other resources use the units that
Hadoop knows for resource types. Errors carry the message and the hint; the caller adds the place.
"""

from __future__ import annotations

import re

from fairsim.diag import did_you_mean
from fairsim.errors import InputError
from fairsim.model.cluster import UNITS
from fairsim.model.resources import INT_MAX, LONG_MAX, MEMORY, Amount, ResourceTypes
from fairsim.patterns import Pattern

_NUMBER = Pattern(r"([0-9]+)(?:\.([0-9]+))?[ \t]*([A-Za-z]*)")
_WHOLE = Pattern(r"([0-9]+)[ \t]*([A-Za-z]*)")
_THOUSANDS = Pattern(r"[0-9]{1,3}(?:[,'_ ][0-9]{3})+(?![0-9])")
_DIGITS = 40  # no real size has more, and long ones cost time

#: Size of a memory unit in KB: the part before `b` or `ib`, in lower case.
_MEMORY_KB = {"k": 1, "m": 1024, "g": 1024**2, "t": 1024**3, "p": 1024**4}
_MEMORY_UNITS = {unit + tail: kb for unit, kb in _MEMORY_KB.items() for tail in ("", "b", "ib")}
_VCORE_UNITS = ("", "c", "core", "cores", "vcore", "vcores")


def parse_memory(text: str) -> int:
    """Returns the MB of a text such as `800g`, `1.5t`, `8192 MB` or `8192` (MB), from 0 to 2^63-1.

    Units are binary, in any case, with or without `b` or `ib`: k m g t p. Decimals must give whole MB.
    Raises InputError, without a place, for anything else.
    """
    match = _NUMBER.fullmatch(text.strip())
    if not match:
        raise _not_a_number(text, "memory", "write whole MB or a size with a unit, such as 8192, 8192m or 8g")
    whole, fraction, unit = match[1], match[2] or "", match[3].lower()
    size = _MEMORY_UNITS.get(unit or "m")
    if size is None:
        if unit in _VCORE_UNITS:
            message = f"{text.strip()!r:.60} is a number of vcores, not memory"
            raise InputError(message, hint="memory comes first: 800g,200c")
        near = did_you_mean(unit, ("gb", "mb", "tb", "kb", "gib", "mib", "tib"))
        raise InputError(
            f"{match[3]!r:.60} is not a unit of memory",
            hint=f"did you mean {near}?" if near else "units of memory are k, m, g, t and p: 8g is 8192 MB",
        )
    _check_length(whole + fraction, "memory")
    megabytes, rest = divmod(int(whole + fraction) * size, 1024 * 10 ** len(fraction))
    if rest:
        hint = f"write {megabytes}m or {megabytes + 1}m"
        raise InputError(f"{text.strip()!r:.60} is not a whole number of MB", hint=hint)
    return _within(megabytes, LONG_MAX, text, "MB of memory")


def parse_vcores(text: str) -> int:
    """Returns the vcores of a text such as `200`, `200c` or `200 vcores`, from 0 to 2^31-1.

    Raises InputError, without a place, for anything else.
    """
    match = _NUMBER.fullmatch(text.strip())
    if not match:
        raise _not_a_number(text, "vcores", "write a whole number, such as 200 or 200c")
    whole, fraction, unit = match[1], match[2], match[3].lower()
    if unit not in _VCORE_UNITS:
        if unit in _MEMORY_UNITS:
            hint = "memory comes first: 800g,200c; thousands are written without marks"
            raise InputError(f"{text.strip()!r:.60} is an amount of memory, not vcores", hint=hint)
        near = did_you_mean(unit, _VCORE_UNITS[1:])
        hint = f"did you mean {near}?" if near else "write 200, 200c or 200 vcores"
        raise InputError(f"{match[3]!r:.60} is not a unit of vcores", hint=hint)
    _check_length(whole, "vcores")
    if fraction is not None:
        hint = f"write {int(whole)}c or {int(whole) + 1}c"
        raise InputError(f"{text.strip()!r:.60}: vcores are whole numbers", hint=hint)
    if len(whole) > 1 and whole[0] == "0":
        hint = "thousands are written without marks: 1000, not 1,000"
        raise InputError(f"{text.strip()!r:.60} is not a number of vcores", hint=hint)
    return _within(int(whole), INT_MAX, text, "vcores")


def parse_quantity(text: str, name: str) -> tuple[int, str]:
    """Returns the number and the unit of a quantity of the resource type `name`: `4` is (4, ""), `16Gi` (16, "Gi").

    No unit means the unit of the resource type itself. ResourceUtils takes the same form: a whole number, at most one
    blank, a unit of UnitsConversionUtil. Raises InputError, without a place, for anything else.
    """
    match = _WHOLE.fullmatch(text.strip())
    if not match:
        raise _not_a_number(text, name, "write a whole number, with a unit if need be, such as 4 or 16Gi")
    if match[2] not in UNITS:
        near = did_you_mean(match[2], [unit for unit in UNITS if unit])
        known = " ".join(unit for unit in UNITS if unit)
        hint = f"did you mean {near}? (case matters)" if near else f"units of resource types are {known}"
        raise InputError(f"{match[2]!r:.60} is not a unit of {name}", hint=hint)
    _check_length(match[1], name)
    return _within(int(match[1]), LONG_MAX, text, f"of {name}"), match[2]


def human_memory(megabytes: int) -> str:
    """Returns MB as `800g`, or as `512m` below 1 g; at most two decimals, rounded down, `~` when a rest is cut off.

    1536 is `1.5g`, 1000000 is `~976.56g`.
    """
    sign, size = ("-", -megabytes) if megabytes < 0 else ("", megabytes)
    if size < 1024:
        return f"{sign}{size}m"
    hundredths, rest = divmod(size * 100, 1024)
    whole, part = divmod(hundredths, 100)
    decimals = f".{part:02d}".rstrip("0") if part else ""
    return f"{'~' if rest else ''}{sign}{whole}{decimals}g"


def format_amount(amount: Amount, types: ResourceTypes, *, human: bool = False) -> str:
    """Returns the amount as the `--cluster` argument takes it: `819200m,200c,yarn.io/gpu=4`; with `human`, `800g,200c`.

    Without `human` it is exact and reads back as the same amount. Types beyond memory and vcores are named, with
    their unit, and left out where they are 0.
    """
    parts = []
    for position, (name, unit, value) in enumerate(zip(types.names, types.units, amount, strict=True)):
        if name == MEMORY:
            parts.append(human_memory(value) if human else f"{value}m")
        elif position == 1:
            parts.append(f"{value}c")
        elif value:
            parts.append(f"{name}={value}{unit}")
    return ",".join(parts)


def _not_a_number(text: str, what: str, hint: str) -> InputError:
    body = text.strip()
    if not body:
        return InputError(f"no number for {what}", hint=hint)
    if _THOUSANDS.match(body):
        plain = re.sub(r"[,'_ ](?=[0-9])", "", body)
        return InputError(f"{body!r:.60} has marks between thousands", hint=f"write {plain}")
    if body[0] in "+-":
        return InputError(f"{body!r:.60} has a sign: an amount of {what} is 0 or more", hint=hint)
    return InputError(f"{body!r:.60} is not an amount of {what}", hint=hint)


def _check_length(digits: str, what: str) -> None:
    if len(digits) > _DIGITS:
        raise InputError(f"a number of {len(digits)} digits is too long for {what}")


def _within(value: int, limit: int, text: str, what: str) -> int:
    if value > limit:
        power = limit.bit_length()
        raise InputError(f"{text.strip()!r:.60} is more than Hadoop can count (2^{power}-1 {what})")
    return value
