"""Hadoop versions: which behaviour each release has.

One row a feature: the first release of every branch that has it. A release x.y.0 stands for all later lines of the
same major version, a patch release only for its own line. Sources: the JIRA of each row.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from fairsim.diag import did_you_mean
from fairsim.errors import UsageError

Version = tuple[int, int, int]

#: The newest patch release of each line; `--hadoop 3.3` means this one.
NEWEST_PATCH: dict[tuple[int, int], int] = {
    (2, 6): 5, (2, 7): 7, (2, 8): 5, (2, 9): 2, (2, 10): 2,
    (3, 0): 3, (3, 1): 4, (3, 2): 4, (3, 3): 6, (3, 4): 3, (3, 5): 0,
}  # fmt: skip

#: The default of `--hadoop`.
DEFAULT_VERSION = "3.5"


class Features:
    """What a release does, each attribute a change that came with one JIRA (see `_SINCE`)."""

    bounded_am_share: bool
    no_dots_in_names: bool
    loose_units: bool
    decimals: bool
    nonempty_names: bool
    trimmed_names: bool
    queue_max_default: bool
    reservation_acls: bool
    reservations: bool
    typed_parent_with_children: bool
    policy_check: bool
    no_default_fifo: bool
    allow_preemption_from: bool
    max_child_resources: bool
    unicode_trim: bool
    percentages: bool
    max_raised_to_min: bool
    am_limit_rounded_up: bool
    all_types: bool
    custom_types: bool
    file_on_any_filesystem: bool
    lazy_defaults: bool
    merged_acls: bool
    name_value_resources: bool
    dynamic_queues: bool
    max_container_allocation: bool
    zero_resource_rejected: bool
    placement_rewrite: bool
    strict_resources: bool
    am_limit_custom_types: bool
    am_share_on_parent_refused: bool
    secure_xml: bool
    no_default_queue: bool
    long_values: bool
    long_sums: bool
    double_drf: bool
    tree_set_of_queues: bool
    acl_lines: bool
    memory_only_demand: bool
    drf_needy_mended: bool

    def __init__(self, flags: Mapping[str, bool]):
        vars(self).update(flags)


_SINCE: dict[str, tuple[str, ...]] = {
    "bounded_am_share": ("2.6.0", "3.0.0"),  # YARN-2539: 0.5 when nothing is written
    "no_dots_in_names": ("2.7.0", "3.0.0"),  # YARN-2669
    "loose_units": ("2.7.0", "3.0.0"),  # YARN-2742: any case, any blanks before a unit
    "reservations": ("2.7.0", "3.0.0"),  # YARN-2738, YARN-2881
    "decimals": ("2.8.0", "3.0.0"),  # YARN-4256
    "nonempty_names": ("2.8.0", "3.0.0"),  # YARN-3241
    "trimmed_names": ("2.8.0", "3.0.0"),  # YARN-3241
    "queue_max_default": ("2.8.0", "3.0.0"),  # YARN-2913
    "reservation_acls": ("2.8.0", "3.0.0"),  # YARN-2575
    "acl_lines": ("2.8.2", "2.9.0", "3.0.0"),  # a line break ends a name as a comma does
    "long_values": ("2.8.0", "3.0.0"),  # YARN-4844
    "typed_parent_with_children": ("2.9.0", "3.0.0"),  # YARN-4975
    "policy_check": ("2.9.0", "3.0.0"),  # YARN-4212
    "no_default_fifo": ("2.9.0", "3.0.0"),  # YARN-4784
    "allow_preemption_from": ("2.9.0", "3.0.0"),  # YARN-4462, YARN-5831
    "max_child_resources": ("2.9.0", "3.0.0"),  # YARN-4702
    "unicode_trim": ("2.9.0", "3.0.0"),  # YARN-5272
    "percentages": ("2.9.0", "3.0.0"),  # YARN-2162
    "max_raised_to_min": ("2.9.0", "3.0.0"),  # YARN-2162
    "am_limit_rounded_up": ("2.9.0", "3.0.0"),  # YARN-6264
    "all_types": ("3.0.0",),  # YARN-4081: drf over every known type
    "custom_types": ("2.10.0", "3.0.0"),  # YARN-3926
    "file_on_any_filesystem": ("2.10.0", "3.1.0"),  # YARN-7622
    "lazy_defaults": ("3.1.0",),  # YARN-7841
    "merged_acls": ("3.1.0",),  # YARN-7841
    "name_value_resources": ("3.2.0",),  # YARN-7556
    "dynamic_queues": ("3.2.0",),  # YARN-8191
    "max_container_allocation": ("3.2.0",),  # YARN-8468
    "zero_resource_rejected": ("3.2.0",),  # YARN-8248
    "placement_rewrite": ("3.3.0",),  # YARN-8967
    "strict_resources": ("3.3.0",),  # YARN-7291, YARN-8738
    "am_limit_custom_types": ("3.3.0",),  # YARN-9323
    "am_share_on_parent_refused": ("3.2.3", "3.3.1", "3.4.0"),  # YARN-10528
    "secure_xml": ("3.3.5", "3.4.0"),  # YARN-11330
    "no_default_queue": ("3.4.0",),  # YARN-7769
    "long_sums": ("2.10.0", "3.1.2", "3.2.1", "3.3.0"),  # YARN-8833
    "double_drf": ("3.0.0",),  # YARN-6612, YARN-7374
    "tree_set_of_queues": ("3.2.0",),  # YARN-8436
    "memory_only_demand": ("3.2.0",),  # YARN-6964
    "drf_needy_mended": ("3.3.6", "3.4.0"),  # YARN-11482
}


class Profile(NamedTuple):
    """One Hadoop release: its version, the label that outputs print, its features, and a remark for vendor builds."""

    version: Version
    label: str
    features: Features
    remark: str = ""

    @property
    def line(self) -> Literal["I", "M", "L"]:
        """Returns the arithmetic line of ComputeFairShares: I (all int), M (long values, int sums) or L (all long)."""
        if self.features.long_sums:
            return "L"
        return "M" if self.features.long_values else "I"


#: Vendor builds: Apache base, features that differ from it, remark.
_VENDORS: dict[str, tuple[str, dict[str, bool], str]] = {
    "cdp-7.1.9": (
        "3.1.4",
        {
            "name_value_resources": True, "max_container_allocation": True, "am_share_on_parent_refused": True,
            "secure_xml": True,
        },
        "Apache 3.1 with the backports that were read in CDP 7.1.9; others are not modelled",
    ),
    "cdh-6.3": ("3.0.3", {}, "answered as Apache 3.0; the vendor's backports are not modelled"),
    "cdh-5.16": ("2.6.5", {}, "answered as Apache 2.6; the vendor's backports are not modelled"),
    "hdp-3.1": ("3.1.1", {}, "answered as Apache 3.1.1; the vendor's backports are not modelled"),
    "hdp-2.6": ("2.7.3", {}, "answered as Apache 2.7.3; the vendor's backports are not modelled"),
}  # fmt: skip


@cache
def _parse(text: str) -> Version:
    numbers = tuple(int(part) for part in text.split("."))
    return (numbers[0], numbers[1], numbers[2])


def _has(version: Version, firsts: tuple[str, ...]) -> bool:
    for first in map(_parse, firsts):
        same_line = version[:2] == first[:2]
        later_line = first[2] == 0 and version[0] == first[0] and version > first
        if (same_line and version >= first) or later_line:
            return True
    return False


def _flags(version: Version) -> dict[str, bool]:
    return {name: _has(version, firsts) for name, firsts in _SINCE.items()}


def profile(text: str) -> Profile:
    """Returns the profile named by `text`: `3.4`, `3.3.1`, or a vendor build such as `cdp-7.1.9`.

    MAJOR.MINOR means the newest patch release of that line. Raises UsageError for anything else.
    """
    name = text.strip().lower().removeprefix("hadoop-")
    if name in _VENDORS:
        base, changes, remark = _VENDORS[name]
        return Profile(_parse(base), name, Features(_flags(_parse(base)) | changes), remark)
    parts = name.split(".")
    if not (2 <= len(parts) <= 3 and all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts)):
        near = did_you_mean(name, [*_VENDORS, *known_lines()])
        form = "write MAJOR.MINOR or MAJOR.MINOR.PATCH, such as 3.4 or 3.3.1"
        if name[:1].isalpha():
            form += ", or one of " + ", ".join(_VENDORS)
        hint = f"did you mean {near}?" if near else form
        raise UsageError(f"unknown Hadoop version {text!r}", where="--hadoop", hint=hint)
    major, minor = int(parts[0]), int(parts[1])
    newest = NEWEST_PATCH.get((major, minor))
    if newest is None:
        raise UsageError(
            f"Hadoop {major}.{minor} is not a line that fairsim knows",
            where="--hadoop",
            hint="known lines: " + ", ".join(known_lines()),
        )
    patch = int(parts[2]) if len(parts) == 3 else newest
    if patch > newest:
        raise UsageError(
            f"Hadoop {major}.{minor}.{patch} is newer than the newest release known here",
            where="--hadoop",
            hint=f"the newest of this line is {major}.{minor}.{newest}",
        )
    version = (major, minor, patch)
    return Profile(version, ".".join(map(str, version)), Features(_flags(version)))


def known_lines() -> list[str]:
    """Returns every known line, oldest first: 2.6 ... 3.5."""
    return [f"{major}.{minor}" for major, minor in NEWEST_PATCH]


def known_builds() -> list[str]:
    """Returns what `--hadoop` takes beyond Apache versions."""
    return list(_VENDORS)
