"""Times whole runs of fairsim against the least that such a run could do; prints ratios. See README.md.

Usage: python tests/bench/processes.py [--queues N] [--rounds N] [--profile] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAIRSIM = ["-m", "fairsim"]
CLUSTER = ["--cluster", "800000g,200000c"]


class Run:
    """A command of Python's in a process of its own."""

    def __init__(self, name: str, *arguments: str):
        self.name = name
        self.command = [sys.executable, *arguments]
        self.environ = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what is compiled once is kept, as for every user

    def seconds(self, folder: Path) -> tuple[float, int]:
        """Returns the processor time in s, and the peak memory in MiB."""
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen(self.command, stdout=output, cwd=folder, env=self.environ)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{self.name} ended with {process.returncode}")
        return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024

    def instructions(self, folder: Path) -> int:
        """Returns the instructions that the process executes, counted by valgrind: the same on a busy machine."""
        valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        done = subprocess.run([*valgrind, *self.command], capture_output=True, cwd=folder, env=self.environ, check=True)
        line = next(line for line in done.stderr.decode().splitlines() if "refs:" in line)
        return int(line.rpartition(" ")[2].replace(",", ""))


def generated(folder: Path, queues: int) -> Path:
    """Returns a file of so many queues."""
    path = folder / f"{queues}.xml"
    generate = [sys.executable, str(ROOT / "sample-configs/generate.py"), "--queues", str(queues), "--seed", "1"]
    with path.open("wb") as output:
        subprocess.run(generate, stdout=output, check=True)
    return path


def compare(least: Run, runs: Sequence[Run], rounds: int, folder: Path) -> dict[str, dict[str, float]]:
    """Returns for each run how many times the processor time of `least` it takes, and its peak memory in MiB."""
    for run in (least, *runs):
        run.seconds(folder)  # compiles, and fills the caches of the system
    ratios: dict[str, list[float]] = {run.name: [] for run in runs}
    peaks = {}
    for _ in range(rounds):
        base = least.seconds(folder)[0]
        for run in runs:
            took, peaks[run.name] = run.seconds(folder)
            ratios[run.name].append(took / base)
    found = {name: {"ratio": statistics.median(values), "peak_mib": peaks[name]} for name, values in ratios.items()}
    if shutil.which("valgrind") and rounds > 1 and "click" in least.name:
        base = least.instructions(folder)
        for run in runs:
            found[run.name]["instructions"] = run.instructions(folder) / base
    return found


def profile(path: Path, folder: Path) -> None:
    """Prints where a run on the large file spends its time."""
    stats = folder / "profile"
    command = [sys.executable, "-m", "cProfile", "-o", str(stats), *FAIRSIM, "shares", str(path), *CLUSTER]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, stdout=subprocess.DEVNULL, cwd=folder, env=environ, check=False)
    import pstats

    pstats.Stats(str(stats)).strip_dirs().sort_stats("tottime").print_stats(25)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queues", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--profile", action="store_true", help="show where the run on the large file spends its time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = str(generated(folder, 20)), generated(folder, options.queues)
        if options.profile:
            profile(large, folder)
            return 0
        report = {
            "start: times the process that imports click": compare(
                Run("import click", "-c", "import click"),
                [
                    Run("fairsim --help", *FAIRSIM, "--help"),
                    Run("fairsim shares, 20 queues", *FAIRSIM, "shares", small, "--cluster", "800g,200c"),
                ],
                options.rounds * 3,
                folder,
            ),
            f"{options.queues} queues: times the process that parses the file with lxml": compare(
                Run("lxml", "-c", f"import lxml.etree; lxml.etree.parse({str(large)!r})"),
                [
                    Run("fairsim shares", *FAIRSIM, "shares", str(large), *CLUSTER),
                    Run("fairsim shares --format csv", *FAIRSIM, "shares", str(large), *CLUSTER, "--format", "csv"),
                ],
                options.rounds,
                folder,
            ),
        }
    if options.json:
        print(json.dumps(report, indent=1))
        return 0
    for title, runs in report.items():
        print(title)
        for run, figures in runs.items():
            counted = f", instructions {figures['instructions']:.2f}" if "instructions" in figures else ""
            print(f"    {run:30} {figures['ratio']:6.2f}{counted}; peak {figures['peak_mib']:.0f} MiB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
