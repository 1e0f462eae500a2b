"""The linter against Hadoop's own verdicts, kept as vectors: an error where a file does not load, and nowhere else."""

from __future__ import annotations

import json

import pytest

from fairsim.profiles import profile
from tests.oracle import lint_mode
from tests.vectors.test_vectors import LINES, cases


@pytest.mark.parametrize("version", LINES)
def test_every_verdict(version: str) -> None:
    hadoop = profile(version)
    wrong = []
    for line in cases(f"load/{version}.jsonl.gz"):
        case = json.loads(line)
        theirs = case["answer"]
        expected = "does not load" if "refused" in theirs else "hang" if "hang" in theirs else "loads"
        found = lint_mode.fairsim(case, hadoop)
        if expected not in found:
            wrong.append(f"seed {case['seed']}: {expected}, {found}")
    assert wrong == []
