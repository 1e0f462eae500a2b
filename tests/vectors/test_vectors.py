"""fairsim against Hadoop's own answers, kept as vectors: which files load or why not, what is in force, shares."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from fairsim.profiles import profile
from tests.oracle.compare import differences
from tests.oracle.modes import MODES, answered

FOLDER = Path(__file__).parent
MANIFEST: dict[str, Any] = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
NAMES = [name for name in MANIFEST if not name.startswith("run/")]  # those stand in test_run.py
PARTS = 4  # so that several processes can share one file
LINES = ("2.7.7", "2.8.5", "2.10.2", "3.1.4", "3.2.2", "3.3.6", "3.4.1", "3.5.0")


def cases(name: str) -> list[str]:
    return gzip.decompress((FOLDER / name).read_bytes()).decode("utf-8").splitlines()


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", NAMES)
def test_every_case(name: str, part: int) -> None:
    mode, hadoop = MODES[name.partition("/")[0]], profile(MANIFEST[name]["hadoop"])
    wrong = []
    for line in cases(name)[part::PARTS]:
        case = json.loads(line)
        found = differences(case["answer"], answered(mode, case, hadoop), mode.fields)
        if found:
            wrong.append(f"seed {case['seed']}: {found[0]}")
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_the_manifest_is_about_this_file(name: str) -> None:
    entry = MANIFEST[name]
    data = gzip.decompress((FOLDER / name).read_bytes())
    assert hashlib.sha256(data).hexdigest() == entry["sha256"]
    assert len(data.splitlines()) == entry["cases"]
    assert sum(entry["verdicts"].values()) == entry["cases"]


def test_every_file_is_in_the_manifest() -> None:
    found = {str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.gz")}
    assert found - {"run/requests.jsonl.gz"} == set(MANIFEST)


@pytest.mark.parametrize("mode", ["load", "shares", "rules"])
def test_there_are_enough_vectors_of_each_line(mode: str) -> None:
    found = {name: entry["cases"] for name, entry in MANIFEST.items() if name.startswith(f"{mode}/")}
    assert found.keys() >= {f"{mode}/{version}.jsonl.gz" for version in LINES}
    assert min(found.values()) >= 2000


def test_all_vectors_together_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*/*.gz")) < 8_000_000
