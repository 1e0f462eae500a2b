"""Resource types and allocation limits out of yarn-site.

Followed: ResourceUtils and FairSchedulerConfiguration; what is refused was measured on 2.10.2, 3.0.3, 3.1.1, 3.2.2,
3.3.0, 3.3.1, 3.4.1 and 3.5.0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fairsim.config.node_values import is_resource_name
from fairsim.config.properties import RESOURCE_PREFIX, RESOURCE_TYPES
from fairsim.diag import ERROR, Finding, Pos, did_you_mean
from fairsim.javanum import trim
from fairsim.model.cluster import UNITS, ordered_types
from fairsim.model.resources import LONG_MAX, MEMORY, VCORES, Amount, ResourceTypes
from fairsim.profiles import Profile, Version

if TYPE_CHECKING:
    from fairsim.config.site import Site, SiteFinding

COUNTABLE = "COUNTABLE"
VOLUME_TAG = "system:csi-volume"
_BLANKS = " \t\n\x0b\f\r"  # what \s means in Java
_INCREMENT = re.compile(r"([0-9]+) ?([a-zA-Z]*)")
#: ResourceInformation.MANDATORY_RESOURCES: types whose unit is fixed, and the versions (from, before).
_LAST: Version = (99, 0, 0)
_WITHOUT_UNIT: dict[str, tuple[tuple[Version, Version], ...]] = {
    "yarn.io/gpu": (((2, 10, 0), (3, 0, 0)), ((3, 1, 0), _LAST)),
    "yarn.io/fpga": (((3, 1, 0), _LAST),),
}
_NAME_HINT = "a letter, then letters, digits and . _ -; in front at most one namespace and a slash: yarn.io/gpu"
_DOES_NOT_START = "the ResourceManager does not start"


class TypesRead(NamedTuple):
    """The types, those among them that are not counted in shares (volumes, 3.3 and later), and what is wrong."""

    types: ResourceTypes
    uncounted: tuple[str, ...]
    findings: tuple[SiteFinding, ...]


class Limits(NamedTuple):
    """Bounds of one container: raised to `minimum`, rounded up to `increment` (0: not rounded), at most `maximum`."""

    minimum: Amount
    maximum: Amount
    increment: Amount


def read_resource_types(site: Site, profile: Profile) -> TypesRead:
    """Returns the resource types that yarn-site defines for this version (ResourceUtils.initializeResourcesMap).

    From 2.10; before, memory and vcores are all there is. A type that Hadoop refuses is left out with an FS923.
    """
    if not profile.features.custom_types:
        return TypesRead(ResourceTypes(), (), ())
    return _Reader(site, profile).read()


def declared_names(site: Site, profile: Profile) -> list[str]:
    """Returns the entries of yarn.resource-types: trimmed from 3.3.1 on, before as written and without empty ones."""
    text = site.text(RESOURCE_TYPES, profile)
    if text is None:
        return []
    if profile.version < (3, 3, 1):
        return [name for name in text.split(",") if name]
    names: list[str] = []
    for piece in trim(text).split(","):  # String.split by blanks around a comma, or around ends of line
        lines = [line.strip(_BLANKS) for line in piece.split("\n")]
        names += [line for line in lines if line] or [""]
    while names and not names[-1]:
        names.pop()
    return names


def read_limits(site: Site, types: ResourceTypes, profile: Profile) -> Limits:
    """Returns the bounds of container sizes for `types` (ResourceUtils, FairSchedulerConfiguration.getIncrement…).

    `yarn.resource-types.<name>.…` goes before `yarn.scheduler.…`. Custom types: from 0, without an upper bound, not
    rounded, unless they are set. Wrong texts give the default; `Site.findings` and lint name them.
    """
    minimum, maximum, increment = [], [], []
    for name, unit in zip(types.names, types.units, strict=True):
        low, high, step = 0, LONG_MAX, 0
        if name in (MEMORY, VCORES):
            part = "mb" if name == MEMORY else "vcores"
            low, high, step = (
                site.integer(f"yarn.scheduler.{what}-allocation-{part}", profile).value
                for what in ("minimum", "maximum", "increment")
            )
        low = _bound(site, name, "minimum", low, profile)
        high = _bound(site, name, "maximum", high, profile)
        minimum.append(low)
        maximum.append(high)
        increment.append(_increment(site, name, unit, step, profile))
    return Limits(tuple(minimum), tuple(maximum), tuple(increment))


def container_size(asked: Amount, limits: Limits, most: Amount, profile: Profile, *, master: bool) -> Amount:
    """Returns the size that Hadoop gives for a request: at least the minimum, in whole increments, at most `most`.

    In 2.7 and 2.8 a master is rounded before that by RMAppManager, which knows memory only and takes the minimum for
    the increment: one vcore, whatever was asked for, and nothing at all where the minimum is 0 (YARN-5774).
    """
    if master and (2, 7, 0) <= profile.version < (2, 9, 0):
        low = limits.minimum[0]
        memory = -(-max(asked[0], low) // low) * low if low else 0
        asked = (memory, 1 if memory else 0, *asked[2:])
    found = []
    for want, low, step, high in zip(asked, limits.minimum, limits.increment, most, strict=True):
        size = max(want, low)
        found.append(min(-(-size // step) * step if step else size, high))
    return tuple(found)


def _bound(site: Site, name: str, what: str, other: int, profile: Profile) -> int:
    typed = site.typed(f"{RESOURCE_PREFIX}{name}.{what}-allocation", profile).value
    unset = typed is None or (name in (MEMORY, VCORES) and typed == -1)
    return other if unset or not isinstance(typed, int) else typed


def _increment(site: Site, name: str, unit: str, other: int, profile: Profile) -> int:
    key = f"{RESOURCE_PREFIX}{name}.increment-allocation"
    text = site.text(key, profile) if profile.version >= (3, 1, 0) else None
    match = _INCREMENT.fullmatch(text) if text is not None else None
    if match is None or match[2] not in UNITS or len(match[1]) > 19:
        return other
    numerator, denominator = UNITS[match[2] or unit]
    own_numerator, own_denominator = UNITS[unit]
    return int(match[1]) * numerator * own_denominator // (denominator * own_numerator)  # Hadoop cuts a rest off


class _Reader:
    """Reads the types of one site for one version."""

    def __init__(self, site: Site, profile: Profile):
        self.site = site
        self.profile = profile
        self.version = profile.version
        self.findings: list[SiteFinding] = []

    def read(self) -> TypesRead:
        custom: dict[str, str] = {}
        uncounted = []
        for name in (MEMORY, VCORES):
            self.check_increment(name)
        for name in declared_names(self.site, self.profile):
            if not self.accept(name, custom):
                continue
            custom[name] = self.unit(name)
            self.check_type(name)
            self.check_increment(name)
            tags = self.site.text(f"{RESOURCE_PREFIX}{name}.tags", self.profile) or ""
            if self.version >= (3, 3, 0) and VOLUME_TAG in map(trim, tags.split(",")):
                uncounted.append(name)
        return TypesRead(ordered_types(custom, uncounted), tuple(uncounted), tuple(self.findings))

    def accept(self, name: str, before: dict[str, str]) -> bool:
        checked = self.version >= (3, 0, 0)
        if not name:
            self.refuse("yarn.resource-types has an empty entry", "take the comma out")
        elif name in before:
            self.refuse(f"yarn.resource-types names {name} twice", "keep one of the two")
        elif name in ("memory", MEMORY, VCORES):
            units = self.site.text(f"{RESOURCE_PREFIX}{name}.units", self.profile) or ""
            if self.version < (3, 1, 0) and (name, units) in ((VCORES, ""), (MEMORY, "Mi")):
                return False  # taken there, without effect
            hint = "take it out: memory-mb and vcores are always there"
            self.refuse(f"yarn.resource-types defines {name} anew", hint)
        elif checked and not is_resource_name(name):
            blank = trim(name) != name and is_resource_name(trim(name))
            message = f"yarn.resource-types: {name!r:.60} cannot be the name of a resource type"
            hint = f"write the list without blanks (Hadoop {self.profile.label} does not cut them off)"
            self.refuse(message, hint if blank else _NAME_HINT)
        else:
            return True
        return False

    def unit(self, name: str) -> str:
        key = f"{RESOURCE_PREFIX}{name}.units"
        unit = self.site.text(key, self.profile) or ""
        if unit and name in _WITHOUT_UNIT and any(low <= self.version < high for low, high in _WITHOUT_UNIT[name]):
            message = f"{key} is {unit!r:.60}, but {name} is counted in whole ones"
            self.add(key, "FS923", "resource-type-redefined", message, "take the unit out")
            return ""
        if unit in UNITS:
            return unit
        known = [known for known in UNITS if known]
        near = trim(unit) if trim(unit) in UNITS else did_you_mean(unit, known)
        hint = f"did you mean {near}?" if near else "units are " + " ".join(known)
        message = f"{key} is {unit!r:.60}, which is not a unit"
        self.add(key, "FS923", "resource-type-redefined", message, f"{hint} (case and blanks count)")
        return ""

    def check_type(self, name: str) -> None:
        key = f"{RESOURCE_PREFIX}{name}.type"
        text = self.site.text(key, self.profile)
        if text is not None and text != COUNTABLE:
            hint = f"write {COUNTABLE}, or nothing"
            self.add(key, "FS923", "resource-type-redefined", f"{key} is {text!r:.60}, unknown to Hadoop", hint)

    def check_increment(self, name: str) -> None:
        key = f"{RESOURCE_PREFIX}{name}.increment-allocation"
        text = self.site.text(key, self.profile) if self.version >= (3, 1, 0) else None
        if text is None:
            return
        match = _INCREMENT.fullmatch(text)
        if match is None or match[2] not in UNITS:
            message = f"{key} is {text!r:.60}, not a number with at most one blank and a unit"
            self.add(key, "FS909", "increment-invalid", message, "write a number and a unit, such as 1024 or 1 Gi")

    def refuse(self, message: str, hint: str) -> None:
        self.add(RESOURCE_TYPES, "FS923", "resource-type-redefined", message, hint)

    def add(self, key: str, code: str, name: str, message: str, hint: str) -> None:
        from fairsim.config.site import SiteFinding

        value = self.site.written(self.profile).get(key)
        pos: Pos | None = value.pos if value else None
        finding = Finding(code, name, ERROR, message, pos, _DOES_NOT_START, hint, refuses=True)
        self.findings.append(SiteFinding(value.where if value else "", finding))
