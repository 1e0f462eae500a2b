"""The same input gives the same bytes, whatever the seed of hashes and the locale are, in every format."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "junit", "gitlab")
LOCALES = {
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "C.UTF-8": {"LC_ALL": "C.UTF-8"},
}
OWN = """<allocations>
  <queue name="größe"><weight>-1</weight><maxResources>1,024 mb, 2 vcores</maxResources></queue>
  <queue name="b"><weigth>3</weigth><aclSubmitApps>zoë, bob</aclSubmitApps></queue>
  <!-- fairsim: ignore FS402 because → of this -->
  <user name="zoë"><maxRunningApps>many</maxRunningApps></user>
</allocations>
"""


def outputs(folder: Path, seed: int, locale: str) -> dict[str, bytes]:
    """The bytes of all formats, and of both streams, of one run."""
    others = ("LC_", "LANG", "PYTHON", "GITHUB")
    environ = {name: text for name, text in os.environ.items() if not name.startswith(others)}
    environ |= LOCALES[locale] | {"PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
    formats = [word for kind in FORMATS for word in ("--format", f"{kind}={kind}.out")]
    command = [sys.executable, "-m", "fairsim", "lint", "own.xml", "samples", "--hadoop", "2.7,3.2,3.5", *formats]
    command += ["--cluster", "800g,200c", "-D", "yarn.scheduler.fair.preemption=true", "--format", "text"]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    texts = {kind: (folder / f"{kind}.out").read_bytes() for kind in FORMATS}
    return texts | {"streams": done.stderr}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own.xml").write_text(OWN, encoding="utf-8")
    (tmp_path / "samples").mkdir()
    for path in sorted((ROOT / "sample-configs").glob("*.xml")):
        name = f"fair-scheduler-{path.name}"
        (tmp_path / "samples" / name).write_bytes(path.read_bytes())
    return tmp_path


def test_bytes_do_not_depend_on_hashes_and_locale(folder: Path) -> None:
    first = outputs(folder, 0, "C")
    assert "größe".encode() in first["text"]
    assert all(first[kind] for kind in FORMATS)
    for seed, locale in ((1, "C.UTF-8"), (2, "C"), (0, "C.UTF-8")):
        assert outputs(folder, seed, locale) == first
