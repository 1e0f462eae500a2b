"""Single values of a trace, written as JSON or as text: numbers, times, names. Raise Bad without a field."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from fairsim.diag import did_you_mean
from fairsim.model.resources import INT_MAX
from fairsim.patterns import Pattern
from fairsim.traces.faults import COUNT, TIME, VALUE, Bad

MOST_MS = 10**15  # more than 30,000 years
MOST_CONTAINERS = 10_000_000  # of one stage
MOST_LETTERS = 10_000

_NUMBER = Pattern(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_WHOLE = Pattern(r"[+-]?[0-9]{1,40}")
_TIME = Pattern(r"([+-]?[0-9.]+(?:[eE][+-]?[0-9]{1,4})?)\s*(ms|s|m|h|d)?")
_DATE = Pattern(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{1,12})?(Z|z|[+-][0-9]{2}:[0-9]{2})?"
)
_UNITS_MS = {"ms": 1, None: 1000, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_EPOCH_DAY = dt.date(1970, 1, 1).toordinal()
_TIME_HINT = "write seconds, or a unit: 90, 90s, 5m, 2h, 1d"


def number(value: Any, code: str = VALUE, hint: str = "write a number") -> int | float:
    """Returns a finite number, written as one or as text."""
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 60 or not _NUMBER.fullmatch(text):
            raise Bad(code, "this is not a number", hint)
        value = int(text) if _WHOLE.fullmatch(text) else float(text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Bad(code, "this is not a number", hint)
    if not -1e300 < value < 1e300:  # neither inf nor NaN
        raise Bad(code, "the number is too large" if value == value else "this is not a number", hint)
    return value


def whole(low: int, high: int, code: str = VALUE) -> Callable[[Any], int]:
    """Returns the reader of whole numbers from `low` to `high`."""

    def read(value: Any) -> int:
        if type(value) is int and low <= value <= high:
            return value
        hint = f"write a whole number from {low} to {high}"
        found = number(value, code, hint)
        if found != int(found):
            raise Bad(code, "this is not a whole number", hint)
        if not low <= found <= high:
            raise Bad(code, f"the number is {'less' if found < low else 'more'} than {low if found < low else high}",
                      hint)  # fmt: skip
        return int(found)

    return read


count = whole(1, MOST_CONTAINERS, COUNT)
int32 = whole(-INT_MAX - 1, INT_MAX)


def part(value: Any) -> float:
    """Returns a number from 0 to 1."""
    found = float(number(value, hint="write a number from 0 to 1"))
    if not 0 <= found <= 1:
        raise Bad(VALUE, "the number is not from 0 to 1", "write a number from 0 to 1")
    return found


def time_ms(value: Any, code: str = TIME) -> int:
    """Returns the ms of a time: a number of seconds, or a text such as `90s`, `5m`, `2h`, `1d`."""
    unit: str | None = None
    if isinstance(value, str):
        match = _TIME.fullmatch(value.strip()) if len(value) < 100 else None
        if match is None:
            raise Bad(code, "this is not a time", _TIME_HINT)
        value, unit = match[1], match[2]
    found = number(value, code, _TIME_HINT)
    if found < 0:
        raise Bad(code, "the time is negative", "write 0 or more")
    if found > MOST_MS:  # before it is multiplied
        raise Bad(code, "the time is too long", f"at most {MOST_MS // 86_400_000} days are read")
    ms = round(found * _UNITS_MS[unit])
    if ms > MOST_MS:
        raise Bad(code, "the time is too long", f"at most {MOST_MS // 86_400_000} days are read")
    return ms


def arrival(value: Any) -> tuple[int, bool]:
    """Returns the ms of an arrival, and whether it is a date (ms since 1970) rather than a time from the start."""
    if isinstance(value, str) and "-" in value[1:5] and (match := _DATE.fullmatch(value.strip())):
        return _date_ms(match), True
    if isinstance(value, str) and (":" in value or value.count("-") > 1):
        hint = "write seconds or a unit (90, 90s, 5m), or a date and time with its zone: 2024-05-01T08:00:00Z"
        raise Bad(TIME, "this is not a time", hint)
    return time_ms(value), False


def _date_ms(match: Any) -> int:
    year, month, day, hours, minutes, seconds = (int(match[group]) for group in range(1, 7))
    zone = match[8]
    if zone is None:
        raise Bad(TIME, "the time has no zone", f"write {match[0].strip()}Z, or its distance from UTC: +02:00")
    try:
        days = dt.date(year, month, day).toordinal() - _EPOCH_DAY
    except ValueError:
        raise Bad(TIME, "there is no such day", "write 2024-05-01T08:00:00Z") from None
    away = 0
    if zone not in "Zz":
        away = (int(zone[1:3]) * 60 + int(zone[4:])) * (-1 if zone[0] == "-" else 1)
    if hours > 23 or minutes > 59 or seconds > 60 or abs(away) >= 24 * 60:
        raise Bad(TIME, "there is no such time of day", "write 2024-05-01T08:00:00Z")
    of_day = (hours * 60 + minutes - away) * 60 + seconds
    return (days * 86_400 + of_day) * 1000 + round(float(match[7] or 0) * 1000)


def text(value: Any) -> str:
    """Returns a name without blanks around it; a number stands for its digits."""
    if isinstance(value, int | float) and not isinstance(value, bool) and -(10**40) < value < 10**40:
        value = str(value)
    if not isinstance(value, str):
        raise Bad(VALUE, "this is not a name", "write a text")
    found = value.strip()
    if not found:
        raise Bad(VALUE, "the name is empty", "write a name, or leave the field out")
    if len(found) > MOST_LETTERS:
        raise Bad(VALUE, f"the name has more than {MOST_LETTERS} characters", "write a shorter one")
    if not found.isascii() and any("\ud800" <= letter <= "\udfff" for letter in found):
        raise Bad(VALUE, "the name has half a character in it (a lone surrogate)", "write the whole character")
    return found


def names(value: Any) -> tuple[str, ...]:
    """Returns names out of a list, or of a text with semicolons or commas between them; `-` alone is none."""
    if isinstance(value, str):
        body = value.strip()
        value = [] if body in ("", "-") else [one for one in body.replace(",", ";").split(";") if one.strip()]
    if not isinstance(value, list):
        raise Bad(VALUE, "this is not a list of names", 'write ["a", "b"], or a;b')
    return tuple(dict.fromkeys(map(text, value)))


def boolean(value: Any) -> bool:
    """Returns true or false."""
    found = value.strip().lower() if isinstance(value, str) else value
    if found is True or found == "true":
        return True
    if found is False or found == "false":
        return False
    raise Bad(VALUE, "this is neither true nor false", "write true or false")


def one_of(words: Sequence[str]) -> Callable[[Any], str]:
    """Returns the reader of one of the words."""

    def read(value: Any) -> str:
        if value in words:
            return str(value)
        near = did_you_mean(value[:100], words) if isinstance(value, str) else ""
        raise Bad(VALUE, "this word is not known", f"did you mean {near}?" if near else "write " + " or ".join(words))

    return read
