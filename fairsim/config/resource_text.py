"""Texts of minResources, maxResources and their kind, in the grammar of each Hadoop generation.

Follows FairSchedulerConfiguration.parseResourceConfigValue and ConfigurableResource. Generations:
P1 2.6 · P2 2.7 · P3 2.8 · P4 2.9 to 3.1 · P5 3.2 and CDP 7.1.9 · P6 3.3 and later.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from fairsim.javanum import INT_MAX, LONG_MAX, parse_long, to_int, to_long, trim
from fairsim.model.resources import MEMORY, VCORES, Amount, ResourceTypes
from fairsim.patterns import Pattern
from fairsim.profiles import Profile

# Possessive throughout, and a search begins at no digit but the first of its run: a text of a million digits takes no
# longer than it must, and what is found is the same.
_BLANKS = " \t\n\x0b\x0c\r"  # Java's \s
_B = rf"[{_BLANKS}]*+"
_FIRST = r"(?<![0-9])"
_NUMBER = r"[0-9]++(?:\.[0-9]*+)?+"
_WHOLE = r"([0-9]++)(?:\.[0-9]*+)?+"
_ABSOLUTE_P1 = {unit: Pattern(rf"{_FIRST}([0-9]++) ?{unit}") for unit in ("mb", "vcores")}
_ABSOLUTE_P2 = {unit: Pattern(rf"{_FIRST}([0-9]++){_B}{unit}") for unit in ("mb", "vcores")}
_ABSOLUTE_P3 = {unit: Pattern(rf"{_FIRST}{_WHOLE}{_B}{unit}") for unit in ("mb", "vcores")}
_ABSOLUTE_P6 = {unit: Pattern(rf"(-?[0-9]++)(?:\.[0-9]*+)?+{_B}{unit}") for unit in ("mb", "vcores")}
_TERMS_P6 = Pattern(rf"(?:-|{_FIRST}){_NUMBER}{_B}[a-zA-Z]++{_B}")
_PERCENT_ANY = Pattern(rf"{_FIRST}({_NUMBER}){_B}%")
_PERCENT_ONLY = Pattern(rf"(-?{_NUMBER}){_B}%{_B}")
_PERCENT_WORD = {word: Pattern(rf"{_FIRST}({_NUMBER}){_B}%{_B}{word}") for word in ("memory", "cpu")}
_PERCENT_WORD_P6 = {word: Pattern(rf"(-?{_NUMBER}){_B}%{_B}{word}") for word in ("memory", "cpu")}
_LONGEST_SHOWN = 100


def quoted(text: str) -> str:
    """Returns a text for a message: in quotes, and cut where it is very long."""
    return f"{text[:_LONGEST_SHOWN]!r}" + ("…" if len(text) > _LONGEST_SHOWN else "")


class ResourceTextError(Exception):
    """Hadoop refuses the text: code and name of the finding, what is wrong, what to write instead."""

    def __init__(self, code: str, name: str, message: str, hint: str = ""):
        super().__init__(message)
        self.code, self.name, self.message, self.hint = code, name, message, hint


class ResourceSpec(NamedTuple):
    """A parsed limit: an absolute `amount`, or `fractions` of the cluster (both by type order), never both.

    `unset` marks types that the text does not name and that take the "everything" value of the form.
    """

    text: str
    amount: Amount | None
    fractions: tuple[float, ...] | None = None

    def at(self, cluster: Amount) -> Amount:
        """Returns the amount at a cluster of this size: double product, cut toward zero, vcores to 32 bits."""
        if self.fractions is None:
            assert self.amount is not None
            return self.amount
        values = [to_long(total * part) for total, part in zip(cluster, self.fractions, strict=True)]
        values[1] = to_int(cluster[1] * self.fractions[1])
        return tuple(values)


class _Text:
    """What the parsing of one text needs."""

    __slots__ = ("profile", "text", "types")

    def __init__(self, text: str, profile: Profile, types: ResourceTypes):
        self.text = text
        self.profile = profile
        self.types = types


def parse_resource(text: str, profile: Profile, types: ResourceTypes, missing: int = LONG_MAX) -> ResourceSpec:
    """Returns the limit that `text` (untrimmed) means; raises ResourceTextError where Hadoop refuses the file.

    `missing` fills the types that a name=value text leaves out: LONG_MAX for maxima, 0 for minResources.
    """
    job = _Text(trim(text), profile, types)
    if not job.text:
        raise ResourceTextError("FS302", "resource-blank", "the resource text is blank", _examples(profile))
    if profile.features.name_value_resources and "=" in job.text:
        return _name_value(job, missing)
    if profile.features.percentages and "%" in job.text:
        return _percent(job)
    if profile.features.strict_resources:
        return _absolute_strict(job)
    return _absolute_search(job)


def _examples(profile: Profile) -> str:
    if profile.features.name_value_resources:
        return "write 1024 mb, 2 vcores or memory-mb=1024, vcores=2 or 50%"
    if profile.features.percentages:
        return "write 1024 mb, 2 vcores or 50%"
    return "write 1024 mb, 2 vcores"


def _refuse(job: _Text) -> NoReturn:
    """Raises the error that describes best why an absolute or percent text is refused."""
    low, hint = job.text.lower(), _examples(job.profile)
    if "=" in low:
        raise ResourceTextError(
            "FS318",
            "new-style-unsupported",
            f"{quoted(job.text)}: name=value resources are read from Hadoop 3.2 on",
            hint,
        )
    if "%" in low and not job.profile.features.percentages:
        raise ResourceTextError(
            "FS319", "percent-unsupported", f"{quoted(job.text)}: percentages are read from Hadoop 2.9 on", hint
        )
    if re.search(r"\d\s*(?:g|gb|gib|t|tb|kb)\b", low):
        raise ResourceTextError("FS304", "resource-wrong-unit", f"{quoted(job.text)}: memory must be in mb", hint)
    if re.search(r"\d\s*(?:core|cores|vcore|cpu|cpus|v-?cpu)\b", low) and "vcores" not in low and "%" not in low:
        raise ResourceTextError("FS304", "resource-wrong-unit", f"{quoted(job.text)}: the word must be vcores", hint)
    has_memory, has_vcores = "mb" in low, "vcores" in low
    if has_memory != has_vcores and "%" not in low:
        lacking = "vcores" if has_memory else "mb"
        raise ResourceTextError("FS303", "resource-part-missing", f"{quoted(job.text)}: no part with {lacking}", hint)
    raise ResourceTextError("FS301", "resource-unparsable", f"{quoted(job.text)} is not a resource", hint)


def _int32(digits: str) -> int:
    value = int(digits) if len(digits) < 30 else INT_MAX + 1
    if value > INT_MAX:
        raise ResourceTextError(
            "FS311",
            "resource-overflow-32bit",
            f"{digits[:_LONGEST_SHOWN]} does not fit into 32 bits ({INT_MAX} at most)",
            "write memory-mb=..., vcores=... (Hadoop 3.2 and later)",
        )
    return value


def _absolute(job: _Text, memory: int, vcores: int) -> ResourceSpec:
    return ResourceSpec(job.text, (memory, vcores) + (0,) * len(job.types.custom))


def _absolute_search(job: _Text) -> ResourceSpec:
    """P1 to P5: the first match anywhere, everything else in the text is passed over."""
    features = job.profile.features
    patterns = _ABSOLUTE_P3 if features.decimals else _ABSOLUTE_P2 if features.loose_units else _ABSOLUTE_P1
    text = job.text.lower() if features.loose_units else job.text
    found = [pattern.search(text) for pattern in patterns.values()]
    if found[0] is None or found[1] is None:
        if not features.loose_units and _ABSOLUTE_P2["mb"].search(text.lower()):
            raise ResourceTextError(
                "FS329",
                "case-or-blanks-unsupported",
                f"{quoted(job.text)}: this version reads lower case and at most one space before the unit",
                "write 1024 mb,2 vcores",
            )
        _refuse(job)
    return _absolute(job, _int32(found[0][1]), _int32(found[1][1]))


def _split(text: str, separator: str) -> list[str]:
    """Returns the parts as String.split gives them: without empty ones at the end."""
    parts = text.split(separator)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts if parts != [""] or not text else []


def _absolute_strict(job: _Text) -> ResourceSpec:
    """P6: two pieces, each starting with its number."""
    low = job.text.lower()
    pieces = _split(low, ",")
    if len(pieces) != 2:
        pieces = [match[0] for match in _TERMS_P6.finditer(low)]
        if len(pieces) > 2:
            raise ResourceTextError(
                "FS310",
                "resource-third-item",
                f"{quoted(job.text)}: more than two amounts",
                "write memory-mb=..., vcores=..., NAME=... for further types",
            )
        if len(pieces) < 2:
            _refuse(job)
    values = []
    for unit, pattern in _ABSOLUTE_P6.items():
        piece = next((trim(piece) for piece in pieces if unit in piece), None)
        if piece is None:
            _refuse(job)
        digits = _digits_before(unit, piece)
        if digits is not None:
            values.append(_int32(digits))
            continue
        match = pattern.match(piece)
        if match is None:
            _refuse_leading(job, piece, unit)
        if match[1].startswith("-") and int(match[1][:30]) < 0:
            raise ResourceTextError(
                "FS306", "resource-negative", f"{quoted(piece)} is negative", "write 0 or a positive amount"
            )
        values.append(_int32(match[1].lstrip("-")))
    return _absolute(job, values[0], values[1])


def _digits_before(unit: str, piece: str) -> str | None:
    """Returns N of a piece that is just `N UNIT`, None of any other: most are so, and no expression is needed."""
    digits = piece.removesuffix(unit).rstrip(_BLANKS)
    return digits if digits.isdigit() and digits.isascii() and len(digits) < len(piece) else None


def _refuse_leading(job: _Text, piece: str, unit: str) -> NoReturn:
    if re.search(rf"[0-9]{_B}{unit}", piece):
        raise ResourceTextError(
            "FS309",
            "resource-leading-text",
            f"{quoted(piece)} must start with the number",
            _examples(job.profile),
        )
    _refuse(job)


def _percent(job: _Text) -> ResourceSpec:
    pieces = _split(job.text.lower(), ",")
    if not pieces:
        _refuse(job)
    strict = job.profile.features.strict_resources
    custom = len(job.types.custom)
    if len(pieces) == 1:
        number = _digits_before("%", pieces[0].rstrip(_BLANKS))
        if number is None:
            match = _PERCENT_ONLY.fullmatch(pieces[0]) if strict else _PERCENT_ANY.search(pieces[0])
            if match is None:
                _refuse_percent(job)
            number = match[1]
        part = _fraction(job, number)
        # 2.9 to 3.1 compute a percentage of memory and vcores only
        rest = part if job.profile.features.name_value_resources else 0.0
        return ResourceSpec(job.text, None, (part, part) + (rest,) * custom)
    found = []
    for word in ("memory", "cpu"):
        if strict:
            piece = next((trim(piece) for piece in pieces if word in piece), None)
            match = None if piece is None else _PERCENT_WORD_P6[word].fullmatch(piece)
        else:
            match = _PERCENT_WORD[word].search(job.text.lower())
        if match is None:
            _refuse_percent(job)
        found.append(_fraction(job, match[1]))
    return ResourceSpec(job.text, None, (found[0], found[1]) + (0.0,) * custom)


def _fraction(job: _Text, number: str) -> float:
    value = float(number)
    if value < 0:
        raise ResourceTextError(
            "FS306", "resource-negative", f"{quoted(job.text)} is negative", "write a percentage from 0 up"
        )
    return value / 100.0


def _refuse_percent(job: _Text) -> NoReturn:
    low = job.text.lower()
    hint = "write 50% or 50% memory, 30% cpu"
    if job.profile.features.name_value_resources:
        hint += " or memory-mb=50%, vcores=30%"
    if "=" in low and not job.profile.features.name_value_resources:
        _refuse(job)
    pieces = _split(low, ",")
    if len(pieces) >= 2 and any("%" not in piece for piece in pieces):
        raise ResourceTextError(
            "FS327", "percent-mixed-absolute", f"{quoted(job.text)} mixes percentages and absolute amounts", hint
        )
    if len(pieces) == 1 and re.search(r"%\s*[a-z]", low):
        raise ResourceTextError(
            "FS325", "percent-with-one-word", f"{quoted(job.text)}: one percentage takes no word", hint
        )
    if len(pieces) < 2:
        raise ResourceTextError("FS301", "resource-unparsable", f"{quoted(job.text)} is not a percentage", hint)
    raise ResourceTextError("FS326", "percent-wrong-word", f"{quoted(job.text)}: the words are memory and cpu", hint)


def _name_value(job: _Text, missing: int) -> ResourceSpec:
    """P5 and P6: name=value pairs, all absolute or all percentages."""
    names = job.types.names
    as_percent = "%" in job.text
    values: dict[str, int] = {}
    parts: dict[str, float] = {}
    for pair in _split(job.text, ","):
        halves = _split(pair, "=")
        if len(halves) != 2:
            raise ResourceTextError(
                "FS301", "resource-unparsable", f"{quoted(pair.strip())} is not NAME=VALUE", _examples(job.profile)
            )
        name, value = trim(halves[0]), trim(halves[1])
        if as_percent:
            part = _named_percent(job, value)
        else:
            number = _named_number(job, name, value)
        if name not in names:
            raise _unknown_name(job, name)
        if as_percent:
            parts[name] = part
        else:
            values[name] = min(number, INT_MAX) if name == VCORES else number
    if as_percent:
        return ResourceSpec(job.text, None, tuple(parts.get(name, 1.0) for name in names))
    fill = dict.fromkeys(names, missing)
    if missing == LONG_MAX:
        fill[VCORES] = -1  # Resources.createResourceWithSameValue keeps the low 32 bits of Long.MAX_VALUE
    return ResourceSpec(job.text, tuple(values.get(name, fill[name]) for name in names))


def _named_percent(job: _Text, value: str) -> float:
    strict = job.profile.features.strict_resources
    match = _PERCENT_ONLY.fullmatch(value) if strict else _PERCENT_ANY.search(value)
    if match is None:
        raise ResourceTextError(
            "FS316",
            "new-style-mixed-percent",
            f"{quoted(job.text)}: once one value is a percentage, every value must be one",
            "write memory-mb=50%, vcores=50%",
        )
    return _fraction(job, match[1])


def _named_number(job: _Text, name: str, value: str) -> int:
    number = parse_long(value)
    pair = f"{name}={value}"[:_LONGEST_SHOWN]
    if number is None:
        with_unit = re.match(r"\s*[+-]?[0-9]+\s*[a-zA-Z]+\s*$", value) is not None
        code, kind = ("FS315", "new-style-with-unit") if with_unit else ("FS301", "resource-unparsable")
        raise ResourceTextError(code, kind, f"{pair}: the value must be a whole number", f"write {name}=1024")
    if number < 0 and job.profile.features.strict_resources:
        raise ResourceTextError("FS306", "resource-negative", f"{pair} is negative", "write 0 or more")
    return number


def _unknown_name(job: _Text, name: str) -> ResourceTextError:
    alias = {"memory": MEMORY, "mem": MEMORY, "mb": MEMORY, "cpu": VCORES, "vcore": VCORES, "cores": VCORES}
    folded = {known.lower(): known for known in job.types.names}
    near = folded.get(name.lower()) or alias.get(name.lower())
    known = ", ".join(job.types.names)
    hint = f"did you mean {near}?" if near else f"known types: {known}; others come from resource-types.xml"
    return ResourceTextError("FS314", "new-style-unknown-name", f"unknown resource type {quoted(name)}", hint)
