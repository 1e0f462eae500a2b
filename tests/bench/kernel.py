"""Times the share kernel against other programs that run the same search; prints ratios. See README.md.

Usage: python tests/bench/kernel.py [--siblings N] [--rounds N] [--only WORD] [--oracle VERSION ...] [--json]
"""

from __future__ import annotations

import argparse
import ctypes
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from fairsim.shares.kernel import solve_batch, solve_groups  # noqa: E402
from fairsim.shares.search import search  # noqa: E402

LONG_MAX = 2**63 - 1


class Case:
    """One sibling set: float32 weights, longs, and the total they divide."""

    def __init__(self, name: str, weights: np.ndarray, mins: np.ndarray, maxs: np.ndarray, total: int) -> None:
        self.name, self.total = name, total
        self.narrow = weights.astype(np.float32)
        self.weights = self.narrow.astype(np.float64)
        self.mins, self.maxs = mins.astype(np.int64), maxs.astype(np.int64)

    def kernel(self) -> np.ndarray:
        return solve_groups(self.weights, self.mins, self.maxs, [0], [self.total])[0]


def cases(count: int) -> list[Case]:
    """Returns sets of `count` siblings: nothing in common, no limits, all equal, and limits that decide most shares."""
    rng = np.random.default_rng(20240601)
    weights = rng.uniform(0.1, 10.0, count)
    mins = rng.integers(0, 5_000, count)
    maxs = mins + rng.integers(1, 200_000, count)
    none, all_ = np.zeros(count), np.full(count, LONG_MAX)
    tight = rng.integers(0, 90_000, count)
    return [
        Case("random weights, minimums, maximums", weights, mins, maxs, int(maxs.sum() * 3 // 10)),
        Case("limits decide most shares", weights, tight, tight + rng.integers(1, 30_000, count), 50_000 * count),
        Case("random weights, no limits", weights, none, all_, 40_960 * count),
        Case("all equal, total not a multiple", np.ones(count), none, all_, 40_960 * count + count // 3),
    ]


class Library:
    """shares.c, compiled with -O3."""

    name = "C -O3, plain loop"
    repeats = 3

    def __init__(self, folder: Path, compiler: str) -> None:
        target = folder / "shares.so"
        command = [compiler, "-O3", "-shared", "-fPIC", "-o", str(target), str(HERE / "baseline" / "shares.c")]
        subprocess.run(command, check=True)
        self.call = ctypes.CDLL(str(target)).search
        self.call.restype = ctypes.c_int64
        self.call.argtypes = [*[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
        self.passes = 0

    def start(self, case: Case) -> None:
        self.case = case
        self.shares = np.empty(len(case.mins), np.int64)

    def time(self) -> float:
        case, shares = self.case, self.shares
        begun = time.thread_time()
        self.passes = self.call(
            case.narrow.ctypes.data, case.mins.ctypes.data, case.maxs.ctypes.data, len(shares), case.total,
            shares.ctypes.data,
        )  # fmt: skip
        spent = time.thread_time() - begun
        assert (shares == case.kernel()).all(), "the C loop and the kernel differ"
        return spent

    def end(self) -> None:
        pass


class Program:
    """Shares.java in a JVM that has run the case often enough to have compiled it."""

    name = "Java, objects behind an interface"
    repeats = 3

    def __init__(self, folder: Path, compiler: str) -> None:
        self.folder = folder
        subprocess.run([compiler, "-d", str(folder), str(HERE / "baseline" / "Shares.java")], check=True)

    def start(self, case: Case) -> None:
        lines = [str(case.total)]
        rows = zip(case.weights.tolist(), case.mins.tolist(), case.maxs.tolist(), strict=True)
        lines += [f"{weight!r} {low} {high}" for weight, low, high in rows]
        file = self.folder / "case.txt"
        file.write_text("\n".join(lines) + "\n")
        self.hash = 0
        for share in case.kernel().tolist():
            self.hash = (self.hash * 31 + share) & (2**64 - 1)
        command = ["java", "-XX:+UseSerialGC", "-cp", str(self.folder), "Shares", str(file)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.answer() == "ready"

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def time(self) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        spent, hash_ = self.answer().split()
        assert int(hash_) % 2**64 == self.hash, "the Java program and the kernel differ"
        return int(spent) / 1e9

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


class Oracle:
    """Hadoop's own ComputeFairShares, through tests/oracle, which measures the time that passes."""

    repeats = 1  # of three calls each

    def __init__(self, version: str) -> None:
        self.name = f"Hadoop {version}, ComputeFairShares"
        command = [str(HERE.parent / "oracle" / "run"), version]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def start(self, case: Case) -> None:
        rows = zip(case.weights.tolist(), case.mins.tolist(), case.maxs.tolist(), strict=True)
        request = {"id": case.name, "mode": "bench", "items": [list(row) for row in rows], "total": case.total}
        request |= {"steady": True, "warmup": 1, "reps": 3}
        self.request = json.dumps(request).encode() + b"\n"
        self.sum = int(case.kernel().sum())
        self.time()  # the first one compiles

    def time(self) -> float:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(self.request)
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["sum_of_shares"] == self.sum, "Hadoop and the kernel differ"
        return float(answer["ns_per_call_min"]) / 1e9

    def end(self) -> None:
        pass


Rival = Library | Program | Oracle


def clock(call: Callable[[], object]) -> float:
    begun = time.thread_time()
    call()
    return time.thread_time() - begun


def compare(case: Case, rivals: list[Rival], rounds: int) -> dict[str, float]:
    """Returns for each rival the median of (its time / the kernel's time), one of each in turn."""
    for rival in rivals:
        rival.start(case)
    for _ in range(3):
        case.kernel()
    ratios: dict[str, list[float]] = {rival.name: [] for rival in rivals}
    own = []
    for _ in range(rounds):
        for rival in rivals:
            # the best of three on both sides: what the machine does besides is not measured
            spent = min(rival.time() for _ in range(rival.repeats))
            mine = min(clock(case.kernel) for _ in range(3))
            ratios[rival.name].append(spent / mine)
            own.append(mine)
    for rival in rivals:
        rival.end()
    result = {name: statistics.median(values) for name, values in ratios.items()}
    result["milliseconds of the kernel itself"] = statistics.median(own) * 1e3
    return result


def scenarios(count: int, width: int, rounds: int) -> dict[str, float]:
    """Returns how many times faster the lockstep batch is than one call per scenario, by what is called."""
    rng = np.random.default_rng(7)
    weights = rng.uniform(0.1, 10.0, (count, width)).astype(np.float32).astype(np.float64)
    mins = rng.integers(0, 5_000, (count, width))
    maxs = mins + rng.integers(1, 200_000, (count, width))
    totals = (maxs.sum(axis=1) * rng.uniform(0.1, 0.9, count)).astype(np.int64)
    rows = [
        (weights[i].tolist(), mins[i].tolist(), maxs[i].tolist(), int(totals[i])) for i in range(count)
    ]
    found, hung = solve_batch(weights, mins, maxs, totals)
    assert not hung.any()
    assert [search(*row).shares for row in rows] == found.tolist(), "the batch and the single search differ"
    part = rows[: max(count // 20, 1)]  # one call per scenario costs the same for each: a part of them is enough
    scale = count / len(part)
    ratios: dict[str, list[float]] = {"search (pure Python)": [], "solve_groups (numpy)": []}
    for _ in range(rounds):
        batch = min(clock(lambda: solve_batch(weights, mins, maxs, totals)) for _ in range(3))
        single = clock(lambda: [search(*row) for row in part])
        numpy_ = clock(lambda: [solve_groups(row[0], row[1], row[2], [0], [row[3]]) for row in part])
        ratios["search (pure Python)"].append(single * scale / batch)
        ratios["solve_groups (numpy)"].append(numpy_ * scale / batch)
    return {name: statistics.median(values) for name, values in ratios.items()}


def rivals(folder: Path, versions: list[str]) -> list[Rival]:
    chosen: list[Rival] = []
    if compiler := shutil.which("gcc") or shutil.which("cc"):
        chosen.append(Library(folder, compiler))
    if (compiler := shutil.which("javac")) and shutil.which("java"):
        chosen.append(Program(folder, compiler))
    chosen += [Oracle(version) for version in versions]
    return chosen


def show(title: str, ratios: dict[str, float]) -> None:
    print(title)
    for name, ratio in ratios.items():
        print(f"    {name:38} {ratio:9.2f}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--siblings", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", metavar="WORD", help="the cases whose name has this word")
    parser.add_argument("--oracle", action="append", default=[], metavar="VERSION", help="needs mvn on first use")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    report: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        chosen = rivals(Path(folder), options.oracle)
        for case in cases(options.siblings):
            if options.only not in case.name:
                continue
            ratios = compare(case, chosen, options.rounds)
            report[case.name] = ratios
            if not options.json:
                show(f"{options.siblings} siblings, {case.name}: the kernel is so many times faster than", ratios)
    report["scenarios"] = scenarios(10_000, 50, options.rounds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if options.json:
        print(json.dumps({"ratios": report, "peak_mib": peak}, indent=1))
    else:
        show("10000 scenarios x 50 queues: lockstep is so many times faster than one by one with", report["scenarios"])
        print(f"peak memory of this process: {peak} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
