"""Whole runs of the command line: what each prints on both streams, and its exit code.

A case is a file: the command after `$ `, then what it prints on standard output, after `--- err` on standard error,
after `--- code` its exit code. `GOLDEN=write pytest tests/golden` writes the files anew; read the difference.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from fairsim.cli.main import run

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*/*.txt"))
WRITE = os.environ.get("GOLDEN") == "write"


@pytest.mark.parametrize("case", CASES, ids=[f"{case.parent.name}/{case.stem}" for case in CASES])
def test_run(case: Path, capfd: pytest.CaptureFixture[str], root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    command = case.read_text(encoding="utf-8").splitlines()[0]
    words = shlex.split(command)
    assert words[:2] == ["$", "fairsim"]
    code = run(words[2:])
    out, err = capfd.readouterr()
    found = f"{command}\n{out}--- err\n{err}--- code\n{code}\n"
    if WRITE:
        case.write_text(found, encoding="utf-8")
    assert found == case.read_text(encoding="utf-8")
