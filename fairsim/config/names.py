"""Names of queues: what Hadoop trims, refuses, and how full names are built."""

from __future__ import annotations

from fairsim.javanum import trim
from fairsim.profiles import Profile

# FairSchedulerUtilities.trimQueueName; up to 2.10 it is Guava's CharMatcher.WHITESPACE, which has U+180E too
_UNICODE_BLANKS = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)

ROOT = "root"
DEFAULT_QUEUE = "root.default"


def trim_name(name: str, profile: Profile) -> str:
    """Returns the name without the blanks that this version cuts off (none up to 2.7)."""
    if profile.features.unicode_trim:
        return name.strip(_UNICODE_BLANKS if profile.version >= (3, 0) else _UNICODE_BLANKS + "\u180e")
    return trim(name) if profile.features.trimmed_names else name


def full_name(name: str) -> str:
    """Returns the name as QueueManager stores it: below root unless it is root or begins with `root.`."""
    return name if name == ROOT or name.startswith("root.") else f"{ROOT}.{name}"


def parent_of(name: str) -> str:
    """Returns the full name of the parent of a full name; an empty string for root."""
    return name.rpartition(".")[0]


def ancestors(name: str) -> list[str]:
    """Returns the full names above `name`, root first."""
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]
