"""fairsim's decisions in whole runs against Hadoop's, which are kept as digests; `tests/oracle/run_vectors.py`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from fairsim.profiles import profile
from tests.oracle.run_mode import fairsim
from tests.oracle.run_vectors import NONE, VERSIONS, digest, read_digests, read_requests

MANIFEST: dict[str, Any] = json.loads((Path(__file__).parent / "manifest.json").read_text(encoding="utf-8"))
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("version", VERSIONS)
def test_every_run(version: str, part: int) -> None:
    hadoop, wrong = profile(version), []
    for request, wanted in list(zip(read_requests(), read_digests(version), strict=True))[part::PARTS]:
        if wanted not in (NONE, digest(fairsim(request, hadoop))):
            wrong.append(request["seed"])
    assert wrong == []


@pytest.mark.parametrize("version", VERSIONS)
def test_the_manifest(version: str) -> None:
    entry, found = MANIFEST[f"run/{version}.txt.gz"], read_digests(version)
    assert entry["sha256"] == hashlib.sha256("\n".join(found).encode()).hexdigest()
    assert len(found) == entry["cases"] >= 2000
    assert found.count(NONE) == entry["random"] < 20
    assert entry["left_out"] == 0
