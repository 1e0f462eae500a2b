"""Names of queues: what Hadoop trims, refuses, and how full names are built."""

from __future__ import annotations

from collections.abc import Iterable

from fairsim.diag import did_you_mean
from fairsim.javanum import trim
from fairsim.profiles import Profile

# FairSchedulerUtilities.trimQueueName; up to 2.10 it is Guava's CharMatcher.WHITESPACE, which has U+180E too
UNICODE_BLANKS = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)

ROOT = "root"
DEFAULT_QUEUE = "root.default"


#: Of the name of a queue that is asked for; ours, against names that fill the memory with the queues above them.
MOST_CHARACTERS = 10_000


def trim_name(name: str, profile: Profile) -> str:
    """Returns the name without the blanks that this version cuts off (none up to 2.7)."""
    if profile.features.unicode_trim:
        return name.strip(UNICODE_BLANKS if profile.version >= (3, 0) else UNICODE_BLANKS + "\u180e")
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


def near_queue(name: str, known: Iterable[str]) -> str:
    """Returns the known queue that is meant most likely by a full name that does not exist, "" when none is near.

    One that ends in the same word, else one that is spelt nearly alike; `root.` counts for nothing.
    """
    wanted = name.removeprefix("root.")
    shorts = [other.removeprefix("root.") for other in known if other != ROOT]
    same_end = [short for short in shorts if short.endswith("." + wanted)]
    near = same_end[0] if len(same_end) == 1 else did_you_mean(wanted, shorts)
    return f"{ROOT}.{near}" if near else ""
