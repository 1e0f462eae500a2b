"""Damaged allocation files end in an answer, in a refusal, or in the word that Hadoop would hang; never in a fault."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from fairsim.config.load import load_allocation
from fairsim.errors import RefusedError
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import profile
from fairsim.shares.solve import Hangs, solve

SAMPLES = sorted((Path(__file__).parents[2] / "sample-configs").glob("*.xml*"))
SMALL = [path for path in SAMPLES if path.stat().st_size < 20_000]
PIECES = [b"<", b">", b"</queue>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"&", b"&#0;", b"\xff", b"\0", b"-1", b"NaN"]


TAG = re.compile(rb"<[^<>]*>")
VALUE = re.compile(rb"(?<=>)[^<>]*[^<>\s][^<>]*(?=<)")


def damaged(data: bytes, random: Random) -> bytes:
    """Returns the bytes with one to four places changed: bits flipped, bytes cut or doubled, something put in, a tag
    cut, or two values swapped.
    """
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        end = min(at + random.randint(1, 40), len(data))
        kind = random.randrange(6)
        if kind == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[end:]
        elif kind == 2:
            data = data[:end] + data[at:]
        elif kind == 3:
            data = data[:at] + random.choice(PIECES) + data[at:]
        elif kind == 4:
            data = without_a_tag(data, random)
        else:
            data = swapped(data, random)
    return data


def without_a_tag(data: bytes, random: Random) -> bytes:
    """Returns the bytes without one of their tags."""
    tags = list(TAG.finditer(data))
    if not tags:
        return data
    tag = random.choice(tags)
    return data[: tag.start()] + data[tag.end() :]


def swapped(data: bytes, random: Random) -> bytes:
    """Returns the bytes with the texts of two elements in each other's place."""
    values = list(VALUE.finditer(data))
    if len(values) < 2:
        return data
    first, second = sorted(random.sample(values, 2), key=re.Match.start)
    return data[: first.start()] + second[0] + data[first.end() : second.start()] + first[0] + data[second.end() :]


def outcome(data: bytes, hadoop: str) -> str:
    """Returns loads, refused or hangs; anything else goes up."""
    try:
        tree = load_allocation(data, "damaged.xml", profile(hadoop), ResourceTypes()).tree
    except RefusedError as error:
        return "refused" if error.findings else "refused without a reason"
    try:
        solve(tree, (819_200, 200))
    except Hangs:
        return "hangs"
    return "loads"


@pytest.mark.parametrize("hadoop", ["2.7", "2.10", "3.2", "3.4"])
def test_damaged_files_never_fault(hadoop: str) -> None:
    random = Random(hadoop)  # noqa: S311 - repeatable, not secret
    found = [outcome(damaged(random.choice(SMALL).read_bytes(), random), hadoop) for _ in range(400)]
    assert {"loads", "refused"} <= set(found) <= {"loads", "refused", "hangs"}
