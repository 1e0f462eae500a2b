"""What the linter finds in files as people write them, kept after a look at each.

findings.json holds, by the number of a file, its findings: code, line and severity, and the lines of Hadoop where it is
not all of them. `KEEP_FINDINGS=1 pytest tests/corpus/test_lint.py` writes it anew: read what changed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fairsim.lint.catalog import all_rules
from fairsim.lint.run import Around, finish, look
from fairsim.profiles import profile

pytestmark = pytest.mark.corpus

KEPT = Path(__file__).with_name("findings.json")
LINES = ("2.7", "2.10", "3.1", "3.2", "3.3", "3.4", "3.5")


def findings(data: bytes) -> list[str]:
    """Returns the findings of all lines in short: `FS108 12 warning`, `FS219 2 info (2.7 2.10)`."""
    rules = all_rules()
    hadoop = {profile(line).label: line for line in LINES}
    looks = [look(data, profile(line), Around(), rules.values()) for line in LINES]
    found, _ = finish(looks, rules, tuple(hadoop))
    lines: dict[str, set[str]] = {}
    for one in found:
        pos = one.finding.pos
        key = f"{one.finding.code} {pos.line if pos else '-'} {one.finding.severity}"
        lines.setdefault(key, set()).update(hadoop[label] for label in one.hadoop)
    return [
        key if len(held) == len(LINES) else f"{key} ({' '.join(line for line in LINES if line in held)})"
        for key, held in lines.items()
    ]


def test_findings_are_those_that_were_looked_at(corpus: Path) -> None:
    found = {path.stem: findings(path.read_bytes()) for path in sorted((corpus / "real").glob("*.xml"))}
    if os.environ.get("KEEP_FINDINGS"):
        KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(KEPT.read_text(encoding="utf-8"))
