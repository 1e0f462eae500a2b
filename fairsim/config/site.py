"""yarn-site: properties of several sources merged as Hadoop's Configuration does, with typed values and their origin.

Followed: Configuration and StringUtils, compared with the jars of 2.6.5 to 3.5.0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from fairsim.config.properties import (
    BOOL,
    FAIR_PREFIX,
    FLOAT,
    INT,
    KNOWN,
    LONG,
    RESOURCE_PREFIX,
    TEXT,
    Known,
    Plain,
    known,
)
from fairsim.diag import ERROR, INFO, WARNING, Finding, Pos, did_you_mean
from fairsim.errors import InputError
from fairsim.javanum import INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, parse_float, parse_int, parse_long, trim
from fairsim.model.cluster import Property
from fairsim.model.resources import MEMORY, VCORES, ResourceTypes
from fairsim.profiles import Profile, Version

if TYPE_CHECKING:
    from fairsim.config.site_xml import Entry

T = TypeVar("T")

DEFINE = "-D"
MAX_SUBSTITUTIONS = 20
_VARIABLE = re.compile(r"\$\{([^}$ ]+)\}")
_HEX = re.compile(r"[+-]?[\da-fA-F]+")  # digits of any script, as Character.digit
DOES_NOT_START = "the ResourceManager does not start"
#: Read by the preemption thread, which from 2.9 on is there only when preemption is on.
_FOR_PREEMPTION = {
    FAIR_PREFIX + name
    for name in ("preemption.cluster-utilization-threshold", "waitTimeBeforeKill", "waitTimeBeforeNextStarvationCheck")
}


class SiteValue(NamedTuple):
    """A property as written: its text, and the file (or option) and place it comes from.

    `own` is true for sources of fairsim (`-D`, the cluster description), false for Hadoop's files.
    """

    name: str
    text: str
    where: str
    pos: Pos | None = None
    own: bool = False

    @property
    def origin(self) -> str:
        """Returns file, line and column as text."""
        return f"{self.where}:{self.pos.line}:{self.pos.column}" if self.pos else self.where


class Typed(NamedTuple, Generic[T]):
    """The value that Hadoop uses, and where it comes from: "default" or a place."""

    value: T
    origin: str


class SiteFinding(NamedTuple):
    """A finding and the file or option that it is about."""

    where: str
    finding: Finding


class Expanded(NamedTuple):
    """A text with its `${...}` filled in; `open` is the first variable that stays, `endless` when Hadoop throws."""

    text: str
    open: str = ""
    endless: bool = False


class Site:
    """Merged yarn-site values; build it with `build_site`. Getters never fail: see `findings` for what is wrong.

    `newer` holds the values as Hadoop 2.9 and later read the files, `older` as those before do.
    """

    __slots__ = ("newer", "older", "remarks")

    def __init__(
        self,
        newer: Mapping[str, SiteValue],
        older: Mapping[str, SiteValue] | None = None,
        remarks: Sequence[SiteFinding] = (),
    ):
        self.newer = newer
        self.older = newer if older is None else older
        self.remarks = tuple(remarks)  # about the sources themselves, whatever the version

    def written(self, profile: Profile) -> Mapping[str, SiteValue]:
        """Returns every property by name, as this version reads the files."""
        return self.newer if profile.version >= (2, 9, 0) else self.older

    def text(self, name: str, profile: Profile) -> str | None:
        """Returns the text with variables filled in and not trimmed (Configuration.get), None without a value."""
        value = self.written(profile).get(name)
        return self.expand(value.text, profile).text if value else None

    def boolean(self, name: str, profile: Profile) -> Typed[bool]:
        """Returns a boolean property of the table: `true` and `false` in any case, else the default."""
        typed = self.typed(name, profile)
        return Typed(bool(typed.value), typed.origin)

    def integer(self, name: str, profile: Profile) -> Typed[int]:
        """Returns an int or long property of the table; the default when the text is no number."""
        typed = self.typed(name, profile)
        assert isinstance(typed.value, int)
        return Typed(typed.value, typed.origin)

    def real(self, name: str, profile: Profile) -> Typed[float]:
        """Returns a float property of the table, rounded to binary32; the default when the text is no number."""
        typed = self.typed(name, profile)
        assert isinstance(typed.value, float)
        return Typed(typed.value, typed.origin)

    def typed(self, name: str, profile: Profile) -> Typed[Plain | None]:
        """Returns any property of the table by its own type; KeyError for a name that is not in it."""
        entry = known(name)
        if entry is None:
            raise KeyError(name)
        default = entry.default_in(profile)
        if isinstance(default, float):
            default = parse_float(repr(default))
        value = self.written(profile).get(name)
        if value is None or not entry.read_by(profile):
            return Typed(default, "default")
        expanded = self.expand(value.text, profile)
        parsed = None if expanded.endless else _PARSERS[entry.kind](trim(expanded.text))
        return Typed(default, f"default, not {value.origin}") if parsed is None else Typed(parsed, value.origin)

    def expand(self, text: str, profile: Profile) -> Expanded:
        """Returns the text with each `${name}` replaced by that property (Configuration.substituteVars).

        Java's system properties and, from 3.0, `${env.X}` are not known here and stay as written.
        """
        result = text
        written = self.written(profile)
        for _ in range(MAX_SUBSTITUTIONS):
            match = _VARIABLE.search(result)
            if match is None:
                return Expanded(result)
            if match[1] not in written:
                return Expanded(result, match[0])
            value = written[match[1]].text
            if profile.version >= (3, 0, 0) and match[0] in value:  # refers to itself: the text stays as it was
                return Expanded(text, match[0])
            result = result[: match.start()] + value + result[match.end() :]
        return Expanded(text, endless=True)

    def resource_types(self, profile: Profile) -> ResourceTypes:
        """Returns memory-mb, vcores and the custom types of `yarn.resource-types`, in Hadoop's order (ResourceUtils).

        Types that Hadoop would refuse are left out; `findings` names them.
        """
        from fairsim.config.resource_types import read_resource_types

        return read_resource_types(self, profile).types

    def findings(self, profile: Profile) -> list[SiteFinding]:
        """Returns what is wrong with the values for this version, in the order of the sources."""
        from fairsim.config.resource_types import declared_names, read_resource_types

        found = list(self.remarks)
        declared = declared_names(self, profile)
        for value in self.written(profile).values():
            finding = self._check(value, declared, profile)
            if finding is not None:
                found.append(SiteFinding(value.where, finding))
        return found + list(read_resource_types(self, profile).findings)

    def _check(self, value: SiteValue, declared: Sequence[str], profile: Profile) -> Finding | None:
        entry = known(value.name)
        if entry is None:
            return _unknown(value)
        if not entry.read_by(profile):
            return _not_read(value, entry, profile)
        if value.name.startswith(RESOURCE_PREFIX) and value.name not in KNOWN:
            kind = value.name.removeprefix(RESOURCE_PREFIX).rpartition(".")[0]
            if kind not in declared:
                return None if kind in (MEMORY, VCORES) else _undeclared(value, kind, declared)
        expanded = self.expand(value.text, profile)
        if expanded.endless:
            message = f"{value.name}: the variables in {value.text!r:.60} refer to each other without end"
            return Finding("FS925", "number-property-invalid", ERROR, message, value.pos, DOES_NOT_START, refuses=True)
        if expanded.open:
            message = f"{value.name}: {expanded.open} is not given here, so the value stays {expanded.text!r:.60}"
            hint = f"write the value, or give it with {DEFINE} {expanded.open[2:-1]}=VALUE"
            return Finding("FS926", "property-not-expanded", WARNING, message, value.pos, hint=hint)
        text = trim(expanded.text)
        if _PARSERS[entry.kind](text) is None and not (entry.kind == BOOL and not text):
            idle = value.name in _FOR_PREEMPTION and profile.version >= (2, 9, 0)
            idle = idle and not self.boolean(FAIR_PREFIX + "preemption", profile).value
            return _bad_value(value, entry, text, profile, read=not idle)
        delay = value.name.startswith(FAIR_PREFIX + "locality-delay-")
        if delay and not self.boolean(FAIR_PREFIX + "continuous-scheduling-enabled", profile).value:
            message = f"{value.name} is only used with continuous scheduling"
            return Finding("FS917", "obsolete-property", INFO, message, value.pos, "ignored", "take it out")
        return None


def build_site(
    files: Iterable[tuple[str, bytes]] = (),
    cluster: tuple[str, Sequence[Property]] = ("", ()),
    defines: Iterable[str] = (),
) -> Site:
    """Returns the values of Hadoop's XML files (name, contents), then the cluster description, then `-D name=value`.

    Later sources win, except over a property that an earlier file makes final. Raises InputError for contents that
    are not such a file and for a definition without `=`.
    """
    newer, older = _Merger(), _Merger()
    remarks = []
    for where, data in files:
        from fairsim.config.site_xml import read_configuration  # loads the XML reader

        configuration = read_configuration(data, where)
        remarks += [SiteFinding(where, finding) for finding in configuration.findings]
        newer.add_file(configuration.entries, where)
        older.add_file(configuration.older, where)
    own = [SiteValue(item.name, item.value, cluster[0], item.pos, own=True) for item in cluster[1]]
    for text in defines:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            hint = "write -D yarn.scheduler.fair.preemption=true"
            raise InputError(f"{text!r} is not NAME=VALUE", where=DEFINE, hint=hint)
        own.append(SiteValue(name.strip(), value, f"{DEFINE} {name.strip()}", own=True))
    for written in own:
        if written.text:
            newer.add(written, final=False)
            older.add(written, final=False)
    return Site(newer.values, older.values, remarks + newer.remarks)


def read_site(
    paths: Iterable[str], cluster: tuple[str, Sequence[Property]] = ("", ()), defines: Iterable[str] = ()
) -> Site:
    """Returns `build_site` of the files at `paths`, in this order. Raises InputError for one that cannot be read."""
    files = []
    for path in paths:
        try:
            with open(path, "rb") as stream:
                files.append((path, stream.read()))
        except OSError as error:
            raise InputError(f"the file cannot be read: {error.strerror or error}", where=path) from None
    return build_site(files, cluster, defines)


class _Merger:
    """Puts sources on top of each other."""

    def __init__(self) -> None:
        self.values: dict[str, SiteValue] = {}
        self.final: dict[str, SiteValue] = {}
        self.remarks: list[SiteFinding] = []

    def add(self, value: SiteValue, *, final: bool) -> None:
        first = self.final.get(value.name)
        if first is not None:
            if first.text != value.text:
                message = f"{value.name}={value.text:.60} has no effect: {first.origin} makes it final"
                hint = "take <final> out there, or this value here"
                effect = "the first value stays"
                finding = Finding("FS927", "final-property-kept", WARNING, message, value.pos, effect, hint)
                self.remarks.append(SiteFinding(value.where, finding))
            return
        self.values.pop(value.name, None)  # the order is that of the last writing
        self.values[value.name] = value
        if final:
            self.final[value.name] = value

    def add_file(self, entries: Iterable[Entry], where: str) -> None:
        for entry in entries:
            value = SiteValue(entry.name, entry.text or "", where, entry.pos)
            if entry.text is not None:
                self.add(value, final=entry.final)
            elif entry.final:  # no value, but later ones are kept out all the same
                self.final.setdefault(entry.name, self.values.get(entry.name, value))


def _hex_digits(text: str) -> str | None:
    """Returns sign and digits of a number written with 0x, None for another text (Configuration.getHexDigits)."""
    negative = text.startswith("-")
    body = text[1:] if negative else text
    return ("-" if negative else "") + body[2:] if body[:2] in ("0x", "0X") else None


def _integer(low: int, high: int, decimal: Callable[[str], int | None]) -> Callable[[str], int | None]:
    def parse(text: str) -> int | None:
        digits = _hex_digits(text)
        if digits is None:
            return decimal(text)
        ours = _HEX.fullmatch(digits) and max(digits) <= "\uffff" and len(digits) < 1000
        value = int(digits, 16) if ours else None
        return value if value is not None and low <= value <= high else None

    return parse


def _boolean(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


_PARSERS: Mapping[str, Callable[[str], Plain | None]] = {
    BOOL: _boolean,
    INT: _integer(INT_MIN, INT_MAX, parse_int),
    LONG: _integer(LONG_MIN, LONG_MAX, parse_long),
    FLOAT: parse_float,
    TEXT: lambda text: text,
}


def _unknown(value: SiteValue) -> Finding | None:
    if value.name.lower().startswith(FAIR_PREFIX):
        near = did_you_mean(value.name, (name for name in KNOWN if name.startswith(FAIR_PREFIX)))
        message = f"Hadoop has no property {value.name} (names are case-sensitive)"
        hint = f"did you mean {near}?" if near else "take it out"
        return Finding("FS918", "unknown-fair-property", WARNING, message, value.pos, "ignored", hint)
    if not value.own:
        return None
    near = did_you_mean(value.name, KNOWN)
    message = f"fairsim does not use the property {value.name}"
    hint = f"did you mean {near}?" if near else ""
    return Finding("FS928", "property-not-used", WARNING, message, value.pos, hint=hint)


def _undeclared(value: SiteValue, kind: str, declared: Sequence[str]) -> Finding:
    near = did_you_mean(kind, declared)
    hint = f"did you mean {near}?" if near else f"add {kind} to yarn.resource-types, or take this out"
    message = f"{value.name} is about a resource type that yarn.resource-types does not name"
    return Finding("FS928", "property-not-used", WARNING, message, value.pos, "ignored", hint)


def _not_read(value: SiteValue, entry: Known, profile: Profile) -> Finding:
    if entry.until is not None and profile.version >= entry.until:
        message = f"{value.name} is not read since Hadoop {_line(entry.until)}"
        return Finding("FS917", "obsolete-property", INFO, message, value.pos, "ignored", "take it out")
    message = f"{value.name} is first read by Hadoop {_line(entry.since or (0, 0, 0))}, not by {profile.label}"
    if value.name.startswith(FAIR_PREFIX):
        return Finding("FS918", "unknown-fair-property", WARNING, message, value.pos, "ignored")
    return Finding("FS928", "property-not-used", WARNING, message, value.pos, "ignored")


def _line(version: Version) -> str:
    return f"{version[0]}.{version[1]}" if version[2] == 0 else ".".join(map(str, version))


def _bad_value(value: SiteValue, entry: Known, text: str, profile: Profile, *, read: bool) -> Finding:
    default = entry.default_in(profile)
    if entry.kind == BOOL:
        said = str(default).lower()
        message = f"{value.name} is {text!r:.60}, neither true nor false"
        effect, hint = f"the default {said} is used without a word", f"write true or false, or take it out for {said}"
        return Finding("FS919", "boolean-property-invalid", WARNING, message, value.pos, effect, hint)
    kind = {INT: "a whole number (int)", LONG: "a whole number (long)"}.get(entry.kind, "a number (float)")
    message = f"{value.name} is {text!r:.60}, not {kind}"
    example = "" if default is None or entry.name.startswith(RESOURCE_PREFIX) else f", such as the default {default}"
    hint = f"write plain digits{example}" if entry.kind != FLOAT else f"write a number{example}"
    if not read:
        effect = f"not read while {FAIR_PREFIX}preemption is off; once it is on, {DOES_NOT_START}"
        return Finding("FS925", "number-property-invalid", WARNING, message, value.pos, effect, hint)
    starts = not value.name.startswith(("yarn.nodemanager.", "yarn.resourcemanager.reservation-system."))
    effect = f"{DOES_NOT_START} (NumberFormatException)" if starts else "what reads it fails (NumberFormatException)"
    return Finding("FS925", "number-property-invalid", ERROR, message, value.pos, effect, hint, refuses=starts)
