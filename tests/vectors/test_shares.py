"""fairsim against Hadoop's own answers, kept as vectors: which files load, the queues in force, every share."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.oracle.compare import differences, fairsim_answer

FOLDER = Path(__file__).parent / "shares"
PARTS = 8
FILES = sorted(FOLDER.glob("*.jsonl.gz"))


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("path", FILES, ids=[path.name.removesuffix(".jsonl.gz") for path in FILES])
def test_every_case(path: Path, part: int) -> None:
    version = path.name.removesuffix(".jsonl.gz")
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()[part::PARTS]
    assert lines
    wrong = []
    for line in lines:
        case = json.loads(line)
        found = fairsim_answer(case["alloc"], case["cluster"], case["active"], version)
        if different := differences(case["answer"], found):
            wrong.append(f"seed {case['seed']}: {different[0]}")
    assert wrong == []


def test_there_are_vectors_for_each_arithmetic_line() -> None:
    lines = {path.name.rpartition(".jsonl")[0] for path in FILES}
    assert {"2.7.7", "2.8.5", "2.10.2", "3.1.4", "3.3.6", "3.4.1", "3.5.0"} <= lines
