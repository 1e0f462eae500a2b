"""Times `fairsim place --batch` on a million rows against a loop that only reads and splits them. See README.md.

Usage: python tests/bench/place.py [--rows N] [--queues N] [--rounds N] [--profile] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
LOOP = "import sys\nfor line in open(sys.argv[1], encoding='utf-8'):\n    line.rstrip('\\n').split('\\t')\n"
GROUPS = ("etl", "finance", "eng", "ops", "research", "sales", "audit", "web")
USERS = 2000


def allocation(folder: Path, queues: int) -> tuple[Path, list[str]]:
    """Returns a file of so many queues, and the names of those without children."""
    path = folder / "alloc.xml"
    generate = [sys.executable, str(ROOT / "sample-configs/generate.py"), "--queues", str(queues), "--seed", "1"]
    text = subprocess.run(generate, capture_output=True, check=True, encoding="utf-8").stdout
    path.write_text(text, encoding="utf-8")
    names: list[str] = []
    above: list[str] = []
    for match in re.finditer(r'<queue name="([^"]+)"[^/>]*(/?)>|</queue>', text):
        if match[1] is None:
            above.pop()
        else:
            names.append(".".join(["root", *above, match[1]]))
            if not match[2]:
                above.append(match[1])
    return path, [name for name in names if not any(other.startswith(f"{name}.") for other in names)]


def rows(path: Path, count: int, leaves: list[str], *, distinct: bool) -> Path:
    """Writes submissions: of few users who come again and again, or each of another user."""
    random = Random(1)  # noqa: S311 - repeatable, not secret
    groups = [",".join(random.sample(GROUPS, 2)) for _ in range(USERS)]
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            user = int(random.random() ** 2 * USERS)
            queue = leaves[int(random.random() ** 3 * len(leaves))]
            stream.write(f"user{number if distinct else user}\t{groups[user]}\t{queue}\n")
    return path


def seconds(*command: str) -> tuple[float, int]:
    """Returns the processor time in s, and the peak memory in MiB."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: a row was not placed
        raise SystemExit(f"{command} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def measure(alloc: Path, file: Path, count: int, rounds: int) -> dict[str, dict[str, float]]:
    """Returns for each format rows per second, how many times the time of the loop, and the peak memory in MiB."""
    found = {}
    base = [seconds("-c", LOOP, str(file))[0] for _ in range(rounds)]
    for form in ("text", "csv", "jsonl"):
        took = [seconds("-m", "fairsim", "place", str(alloc), "--batch", str(file), "--format", form) for _ in base]
        ratio = statistics.median(time / least for (time, _), least in zip(took, base, strict=True))
        found[form] = {"rows_per_s": count / min(time for time, _ in took), "ratio": ratio, "peak_mib": took[-1][1]}
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--queues", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="show where the time of rows that all differ goes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    report = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alloc, leaves = allocation(folder, options.queues)
        for title, distinct in (("2000 users", False), ("every row another user", True)):
            file = rows(folder / "rows.tsv", options.rows, leaves, distinct=distinct)
            if options.profile and distinct:
                stats = str(folder / "profile")
                command = ["-m", "cProfile", "-o", stats, "-m", "fairsim", "place", str(alloc), "--batch", str(file)]
                seconds(*command, "-o", str(folder / "out"))
                import pstats

                pstats.Stats(stats).strip_dirs().sort_stats("tottime").print_stats(25)
            elif not options.profile:
                report[title] = measure(alloc, file, options.rows, options.rounds)
    if options.json:
        print(json.dumps(report, indent=1))
        return 0
    for title, forms in report.items():
        print(f"{options.rows} rows, {options.queues} queues, {title}: against a loop that reads and splits them")
        for form, figures in forms.items():
            rate, peak = f"{figures['rows_per_s']:,.0f} rows/s", f"peak {figures['peak_mib']:.0f} MiB"
            print(f"    {form:6} {rate:>16}, {figures['ratio']:5.1f} times; {peak}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
