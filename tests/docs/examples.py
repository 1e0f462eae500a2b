"""The examples of the pages: found, run, and compared with what the page shows.

An example is a block that opens with three backticks and `console`, and has `fairsim` in a line that begins with
`$ `. Its lines are run one by one by sh from the root of the checkout, as a reader would run them; what a line prints
on standard output and standard error stands below it. A line that ends with another code than 0 is followed by
`$ echo $?`.

    python -m tests.docs.examples           compare every page
    python -m tests.docs.examples --write   write the output into the pages (make docs)
"""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
OPEN, CLOSE, PROMPT = "```console", "```", "$ "
STATUS = "echo $?"


class Step(NamedTuple):
    """One command as the page has it, and the lines below it."""

    command: str
    output: list[str]


class Example(NamedTuple):
    """One block: its page, its first line (counted from 1), the lines between the fences, the steps."""

    page: Path
    line: int
    body: list[str]
    steps: list[Step]

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


class BadExample(Exception):
    """An example that cannot stand in a page; says what to write instead."""


def pages() -> list[Path]:
    """Returns README.md and the pages of docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]


def examples(page: Path) -> list[Example]:
    """Returns the examples of a page, in order."""
    return [example for example in _blocks(page) if any("fairsim" in step.command for step in example.steps)]


def _blocks(page: Path) -> Iterator[Example]:
    start = 0
    body: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line == OPEN and not start:
            start, body = number, []
        elif line == CLOSE and start:
            yield Example(page, start, body, list(_steps(body)))
            start = 0
        elif start:
            body.append(line)


def _steps(body: list[str]) -> Iterator[Step]:
    step: Step | None = None
    for line in body:
        if line.startswith(PROMPT):
            if step:
                yield step
            step = Step(line[len(PROMPT) :], [])
        elif step:
            step.output.append(line)
    if step:
        yield step


def run(example: Example) -> list[str]:
    """Returns the lines of the block as they should be. Raises BadExample when a command fails without saying so."""
    lines, code = [], 0
    with tempfile.TemporaryDirectory() as folder:
        fairsim = Path(folder, "fairsim")
        fairsim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fairsim "$@"\n', encoding="utf-8")
        fairsim.chmod(0o755)
        environment = _environment(folder)
        for index, step in enumerate(example.steps):
            done = subprocess.run(
                ["/bin/sh", "-c", f"(exit {code})\n{step.command}"],
                cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=120, check=False, encoding="utf-8",
            )  # fmt: skip
            code = done.returncode
            output = done.stdout.splitlines()
            if "Traceback (most recent call last):" in output:
                raise BadExample(f"{example.name}: {step.command}: a traceback\n{done.stdout}")
            told = index + 1 < len(example.steps) and example.steps[index + 1].command == STATUS
            if code and not told:
                raise BadExample(f"{example.name}: {step.command}: ends with {code}; add `$ {STATUS}`\n{done.stdout}")
            lines += [PROMPT + step.command, *output]
    return lines


def _environment(folder: str) -> dict[str, str]:
    """Returns what the commands see: a plain pipe in UTF-8, no settings of the person who runs this."""
    foreign = ("FAIRSIM_", "HADOOP_", "YARN_", "LC_")
    drop = ("COLUMNS", "LINES", "FORCE_COLOR", "CLICOLOR_FORCE", "LANGUAGE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign) and name not in drop}
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return kept | {"PATH": path, "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}


def write(page: Path) -> int:
    """Runs the examples of a page and writes their output into it; returns how many blocks changed."""
    lines = page.read_text(encoding="utf-8").splitlines()
    changed = 0
    for example in reversed(examples(page)):
        fresh = run(example)
        if fresh != example.body:
            lines[example.line : example.line + len(example.body)] = fresh
            changed += 1
    if changed:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return changed


def differences(example: Example) -> str:
    """Returns how the block differs from what its commands print, empty if it does not."""
    return "\n".join(difflib.unified_diff(example.body, run(example), "the page", "the program", lineterm="", n=2))


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    failed = 0
    for page in pages():
        name = page.relative_to(ROOT)
        try:
            if arguments:
                print(f"{name}: {write(page)} of {len(examples(page))} examples changed")
                continue
            for example in examples(page):
                if found := differences(example):
                    failed += 1
                    print(f"{example.name}\n{found}")
        except BadExample as error:
            failed += 1
            print(error, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
