"""The frame of the project: what is shipped, what is loaded, what the Makefile says, what the sample files do."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import fairsim

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample-configs"
LONGEST_MODULE = 400

# Modules that may be longer, each with its reason.
LONG_MODULES: dict[str, str] = {
    "fairsim/lint/capacity.py": "one family of rules, whose sums belong together",
    "fairsim/lint/resources.py": "one family of rules",
}

# Files that Hadoop 3.4 does not load, which is their point.
REFUSED = ("broken.xml", "loads-on-3.2-not-3.3.xml", "template.xml.j2")
# Files that go with others.
NO_ALLOCATION = ("resource-types.xml", "yarn-site.xml")
ALLOCATIONS = [path.name for path in sorted(SAMPLES.glob("*.xml*")) if path.name not in NO_ALLOCATION]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fairsim", *arguments],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False, encoding="utf-8",
    )  # fmt: skip


# --- what is shipped


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.iterdir()
    return zipfile.ZipFile(path)


def test_the_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = [name for name in wheel.namelist() if ".dist-info/" not in name]
    package = [path for path in (ROOT / "fairsim").rglob("*") if path.suffix in (".py", ".json", ".typed")]
    assert sorted(names) == sorted(str(path.relative_to(ROOT)) for path in package)


def test_the_wheel_holds_types_schemas_and_license(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert "fairsim/py.typed" in names
    assert any(name.startswith("fairsim/report/schema/") and name.endswith(".json") for name in names)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    (entry_points,) = (name for name in names if name.endswith("entry_points.txt"))
    assert "fairsim = fairsim.cli.main:main" in wheel.read(entry_points).decode().splitlines()


def test_the_wheel_tells_version_python_and_license(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = Parser().parsestr(wheel.read(name).decode())
    assert metadata["Version"] == fairsim.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "Apache-2.0"


def test_schemas_are_schemas() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schemas = list((ROOT / "fairsim/report/schema").glob("*.json"))
    assert schemas
    for path in schemas:
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


def test_the_changelog_begins_with_what_is_unreleased() -> None:
    headings = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert headings[0] == "## Unreleased"


def lines_without_docstrings(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            lines -= (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
    return lines


def test_modules_are_short() -> None:
    lengths = {str(path.relative_to(ROOT)): lines_without_docstrings(path) for path in ROOT.glob("fairsim/**/*.py")}
    assert [name for name, length in lengths.items() if length > LONGEST_MODULE and name not in LONG_MODULES] == []
    assert [name for name in LONG_MODULES if lengths.get(name, 0) <= LONGEST_MODULE] == []


# --- what is loaded


@pytest.mark.parametrize(
    ("arguments", "unused"),
    [
        (["--help"], {"lxml", "numpy", "rich", "yaml"}),
        (["--version"], {"lxml", "numpy", "rich", "yaml"}),
        (["shares", "sample-configs/busy.xml", "--cluster", "800g,200c"], {"numpy", "rich", "yaml"}),
        (["place", "sample-configs/busy.xml", "--user", "nina"], {"json", "lxml", "numpy", "rich", "yaml"}),
        (["lint", "sample-configs/busy.xml", "--cluster", "800g,200c", "--format", "json"], {"numpy", "rich", "yaml"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_small_command_loads_no_more_than_it_needs(arguments: list[str], unused: set[str]) -> None:
    program = (
        "import sys\nfrom fairsim.cli.main import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    )
    assert unused & set(done.stderr.splitlines()) == set()


# --- what the Makefile says on a machine that lacks something


def stand_in(folder: Path, name: str, lines: str) -> str:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def make(folder: Path, target: str, python: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    command = ["make", "-C", str(folder), target, f"PYTHON={python}"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(command, env=environment, capture_output=True, check=False, encoding="utf-8")


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    folder = tmp_path / "a fresh clone"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("target", ["demo", "test"])
def test_make_says_that_python_is_absent(fresh: Path, target: str) -> None:
    done = make(fresh, target, "python3-is-not-here")
    assert done.returncode == 2
    assert "fairsim needs Python 3.11 or newer: there is no python3-is-not-here here." in done.stderr
    assert "apt-get install python3 python3-venv" in done.stderr


@pytest.mark.parametrize("target", ["demo", "test"])
def test_make_says_that_python_is_too_old(fresh: Path, target: str) -> None:
    old = stand_in(fresh, "old python", 'case "$1 $2" in "-V "*) echo Python 3.9.2;; *version_info*) exit 1;; esac')
    done = make(fresh, target, old)
    assert done.returncode == 2
    assert f"fairsim needs Python 3.11 or newer: {old} is Python 3.9.2." in done.stderr


def test_make_says_that_venv_is_missing(fresh: Path) -> None:
    bare = stand_in(fresh, "python3", 'case "$2" in *ensurepip*) exit 1;; esac')
    done = make(fresh, "demo", bare)
    assert done.returncode == 2
    assert "lacks venv or ensurepip" in done.stderr
    assert "apt-get install python3-venv" in done.stderr


def test_make_says_that_nothing_can_be_downloaded(fresh: Path) -> None:
    python = fresh / ".venv" / "bin"
    python.mkdir(parents=True)
    stand_in(python, "python", 'case "$*" in *" install "*) echo no route >&2; exit 1;; esac')
    done = make(fresh, "demo", sys.executable)
    assert done.returncode == 2
    assert "no route" in done.stderr
    assert "pip could not install what fairsim needs" in done.stderr
    assert "PIP_INDEX_URL" in done.stderr


def test_readme_and_makefile_agree() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "```sh\nmake demo\nmake test\n```" in readme
    demo = "fairsim shares sample-configs/busy.xml --cluster 800g,200c"
    assert f"$ {demo}" in readme
    assert f"\t.venv/bin/{demo}\n" in makefile


# --- the sample files


@pytest.mark.parametrize("name", ALLOCATIONS)
def test_a_sample_loads_on_the_newest_hadoop_unless_it_is_meant_not_to(name: str) -> None:
    types = ["--resource-types", "sample-configs/resource-types.xml"] if name == "gpu.xml" else []
    cluster = "800g,200c,yarn.io/gpu=32" if types else "800g,200c"
    done = run("shares", f"sample-configs/{name}", "--cluster", cluster, "--hadoop", "3.4", *types)
    assert done.returncode == (2 if name in REFUSED else 0), done.stderr
    assert "Traceback" not in done.stderr


def test_a_sample_loads_up_to_3_2_only() -> None:
    codes = [
        run("shares", "sample-configs/loads-on-3.2-not-3.3.xml", "--cluster", "9g,9c", "--hadoop", version).returncode
        for version in ("2.9", "3.1", "3.2", "3.3", "3.4")
    ]
    assert codes == [0, 0, 0, 2, 2]


def test_the_large_sample_is_what_the_script_writes() -> None:
    command = [sys.executable, str(SAMPLES / "generate.py"), "--queues", "800", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == (SAMPLES / "large.xml").read_bytes()
    assert len(done.stdout) < 150_000


@pytest.mark.parametrize("queues", [1, 2, 7, 100, 3000])
def test_the_script_writes_as_many_queues_as_asked_for(queues: int) -> None:
    command = [sys.executable, str(SAMPLES / "generate.py"), "--queues", str(queues), "--plain", "--seed", "9"]
    text = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    assert text.count("<queue ") == queues
    assert "%" not in text
    assert "memory-mb" not in text
