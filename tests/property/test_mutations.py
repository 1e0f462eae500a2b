"""Damaged allocation files end in an answer, in a refusal, or in the word that Hadoop would hang; never in a fault."""

from __future__ import annotations

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


def damaged(data: bytes, random: Random) -> bytes:
    """Returns the bytes with one to four places changed: flipped, cut, doubled, or something put in."""
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        end = min(at + random.randint(1, 40), len(data))
        kind = random.randrange(4)
        if kind == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[end:]
        elif kind == 2:
            data = data[:end] + data[at:]
        else:
            data = data[:at] + random.choice(PIECES) + data[at:]
    return data


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
