"""Makes the vectors: what Hadoop answers to random cases, kept so that tests need no Java.

    python -m tests.oracle.vectors 3.4.1 2.10.2 --cases 2000      (make vectors)
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

from fairsim.profiles import profile
from tests.oracle.cases import make_case
from tests.oracle.compare import differences, fairsim_answer, hadoop_answers

FOLDER = Path(__file__).parents[1] / "vectors" / "shares"
FIRST_SEED = 1
CHUNK = 1000


def make(version: str, count: int) -> None:
    """Writes the vectors of one version, and says where fairsim differs."""
    lines, wrong = [], 0
    for first in range(FIRST_SEED, FIRST_SEED + count, CHUNK):
        cases = [make_case(seed) for seed in range(first, min(first + CHUNK, FIRST_SEED + count))]
        if not profile(version).features.custom_types:
            cases = [case.plain() for case in cases]
        for case, (active, answer) in zip(cases, hadoop_answers(cases, version), strict=True):
            record: dict[str, Any] = {
                "seed": case.seed, "alloc": case.alloc, "cluster": case.cluster, "active": active, "answer": answer,
            }  # fmt: skip
            lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
            found = differences(answer, fairsim_answer(case.alloc, case.cluster, active, version))
            wrong += bool(found)
            for line in found[:5]:
                print(f"{version} seed {case.seed}: {line}", flush=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    data = "".join(f"{line}\n" for line in lines).encode()
    (FOLDER / f"{version}.jsonl.gz").write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{version}: {count} cases, {wrong} of them answered differently by fairsim", flush=True)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="+", metavar="VERSION")
    parser.add_argument("--cases", type=int, default=2000)
    given = parser.parse_args()
    for version in given.versions:
        make(version, given.cases)


if __name__ == "__main__":
    main()
