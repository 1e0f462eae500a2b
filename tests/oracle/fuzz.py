"""Compares fairsim with Hadoop's own classes on random files, and shrinks what they disagree on.

    python -m tests.oracle.fuzz --hadoop 3.4.1 --mode shares --cases 1000 --seed 1      (make fuzz-oracle)
    python -m tests.oracle.fuzz --hadoop 3.4.1 --case request.json                      one request again
Exit code 1 where they disagree, 2 where Hadoop answered nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from fairsim.profiles import Profile, profile
from tests.oracle.ask import Oracle, OracleGone, Request
from tests.oracle.cases import make_case
from tests.oracle.compare import Answer, differences
from tests.oracle.modes import FORETOLD_MS, MODES, TIMEOUT_MS, Asked, Mode, answered, compared, timed
from tests.oracle.shrink import shrink

BATCH = 500
RANDOM = 16  # so often a request is asked again to see whether the answer is always the same
MOST_RESTARTS = 20


class Side:
    """Both sides of a comparison: one mode, one Hadoop version, with the process that answers for Hadoop."""

    def __init__(self, mode: Mode, version: str, oracle: Oracle | None = None):
        self.mode = mode
        self.version = version
        self.hadoop: Profile = profile(version)
        self.oracle = oracle or Oracle(version)
        self.died = self.gone = 0

    def close(self) -> None:
        """Ends the oracle."""
        with self.oracle:
            pass

    def ask(self, requests: Sequence[Request], ours: Sequence[Answer], *, patient: bool = True) -> list[Any]:
        """Returns the oracle's answers; what died is asked again, and if patient, what hung and should not."""
        if not patient:
            return self._asked([request | {"timeout_ms": FORETOLD_MS} for request in requests])
        asked = [timed(request, answer) for request, answer in zip(requests, ours, strict=True)]
        answers = self._asked(asked)
        for number, (answer, mine) in enumerate(zip(answers, ours, strict=True)):
            foretold = "hang" in mine
            if answer.get("died") or (answer.get("hang") and not foretold):
                again = asked[number] | {"timeout_ms": 2 * TIMEOUT_MS}
                answers[number] = self._asked([again])[0]
        return answers

    def _asked(self, requests: Sequence[Request]) -> list[Any]:
        try:
            return self.oracle.ask(requests)
        except OracleGone as gone:
            self.gone += 1
            if self.gone > MOST_RESTARTS:  # it does not run here at all
                raise
            print(f"the oracle is started again: {gone}", file=sys.stderr, flush=True)
            self.oracle = Oracle(self.version)
        if len(requests) == 1:
            return [{"died": True}]
        half = len(requests) // 2
        return self._asked(requests[:half]) + self._asked(requests[half:])

    def compare(self, requests: Sequence[Request], ours: Sequence[Answer], theirs: Sequence[Any]) -> list[Asked]:
        """Returns the answers compared; those to which Hadoop gave none are counted and left out."""
        found = []
        for request, mine, their in zip(requests, ours, theirs, strict=True):
            if their.get("died"):
                self.died += 1
                continue
            found.append(compared(self.mode, request, their, mine, self.hadoop))
        return found

    def both(self, requests: Sequence[Request]) -> list[Asked]:
        """Returns both answers to each request that Hadoop answers."""
        ours = [answered(self.mode, request, self.hadoop) for request in requests]
        return self.compare(requests, ours, self.ask(requests, ours))

    def is_random(self, asked: Asked) -> bool:
        """Tells whether Hadoop itself answers a request now in this way, now in that, and once as fairsim does."""
        again = [self.mode.reduced(one, asked.request, self.hadoop) for one in self._asked([asked.request] * RANDOM)]
        others = [one for one in again if one != asked.hadoop]
        return any(not differences(one, asked.fairsim, self.mode.fields) for one in others)

    def same_matter(self, like: Asked) -> Any:
        """Returns the test for smaller requests: do the two sides still differ in a field in which `like` does?"""
        fields = {one.field for one in like.found}

        def test(requests: Sequence[Request]) -> list[bool]:
            size = self.mode.batch  # a whole run and its answers are large
            parts = [requests[start : start + size] for start in range(0, len(requests), size)]
            return [found for part in parts for found in test_part(part)]

        def test_part(requests: Sequence[Request]) -> list[bool]:
            ours = [answered(self.mode, request, self.hadoop) for request in requests]
            theirs = self.ask(requests, ours, patient=False)
            return [
                not their.get("died")
                and any(one.field in fields for one in compared(self.mode, request, their, mine, self.hadoop).found)
                for request, mine, their in zip(requests, ours, theirs, strict=True)
            ]

        return test


class Batch(NamedTuple):
    """Cases of one batch: the seed of each, the requests, fairsim's answers."""

    seeds: list[int]
    requests: list[Request]
    ours: list[Answer]


def batches(side: Side, first: int, count: int, until: float) -> Iterator[Batch]:
    """Yields the cases of the seeds from `first` on, in batches, until the time is over."""
    size = side.mode.batch
    for start in range(first, first + count, size):
        if time.monotonic() > until:
            return
        cases = [make_case(seed, side.hadoop, real=True) for seed in range(start, min(start + size, first + count))]
        cases.sort(key=lambda case: len(case.custom))  # a process serves one set of types: keep them together
        requests = [side.mode.make(case, side.hadoop) for case in cases]
        ours = [answered(side.mode, request, side.hadoop) for request in requests]
        yield Batch([case.seed for case in cases], requests, ours)


class Tally(NamedTuple):
    """What a run found: how many cases of each verdict, and the seeds of those that differ."""

    verdicts: Counter[str]
    differ: list[tuple[int, Asked]]


def run(side: Side, first: int, count: int, until: float, most: int) -> Tally:
    """Returns the outcome of a run; it ends early where `most` cases differ. One batch is made while one is asked."""
    tally = Tally(Counter(), [])
    with ThreadPoolExecutor(1) as pool:
        waiting: tuple[Batch, Future[list[Any]]] | None = None
        for batch in batches(side, first, count, until):
            future = pool.submit(side.ask, batch.requests, batch.ours)
            if waiting is not None:
                _count(side, waiting[0], waiting[1].result(), tally)
            waiting = batch, future
            if len(tally.differ) >= most:
                break
        if waiting is not None:
            _count(side, waiting[0], waiting[1].result(), tally)
    return tally


def _count(side: Side, batch: Batch, theirs: Sequence[Any], tally: Tally) -> None:
    for seed, request, mine, their in zip(batch.seeds, batch.requests, batch.ours, theirs, strict=True):
        for asked in side.compare([request], [mine], [their]):
            if asked.found and side.is_random(asked):
                print(f"{side.version} {side.mode.name} seed {seed}: Hadoop answers in more than one way", flush=True)
                tally.verdicts["random"] += 1
                continue
            tally.verdicts["differ" if asked.found else _verdict(asked.fairsim)] += 1
            if asked.found:
                tally.differ.append((seed, asked))


def _verdict(answer: Answer) -> str:
    return "loads" if "queues" in answer else next(iter(answer))


def report(side: Side, seed: int | None, asked: Asked) -> None:
    """Shrinks one difference and prints it, with a command that asks it again."""
    name = "" if seed is None else f" seed {seed}"
    print(f"\n{side.version} {side.mode.name}{name}: Hadoop and fairsim differ", flush=True)
    small = shrink(asked.request, side.mode.shrinks, side.same_matter(asked))
    again = side.both([small]) or [asked]
    last = again[0] if again[0].found else asked  # Hadoop may be random
    for line in last.found[:10]:
        print(f"  {line}")
    text = json.dumps(last.request, ensure_ascii=False)
    if "alloc" in last.request:
        print(last.request["alloc"])
    quoted = text.replace("'", "'\\''")
    command = f"-m tests.oracle.fuzz --hadoop {side.version} --mode {side.mode.name} --case -"
    print(f"again: echo '{quoted}' | {sys.executable} {command}")
    print(f"  Hadoop:  {json.dumps(last.hadoop)[:2000]}")
    print(f"  fairsim: {json.dumps(last.fairsim)[:2000]}", flush=True)


def once(side: Side, request: Request) -> int:
    """Asks one request and prints both answers; returns the exit code."""
    for asked in side.both([request]):
        print(f"Hadoop:  {json.dumps(asked.hadoop)}\nfairsim: {json.dumps(asked.fairsim)}")
        print("\n".join(map(str, asked.found)) or "no difference")
        return int(bool(asked.found))
    print("Hadoop's process died")
    return 1


def main() -> int:
    """Reads the command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hadoop", default="3.4.1", metavar="VERSION")
    parser.add_argument("--mode", choices=sorted(MODES), help="default: shares, or that of the request")
    parser.add_argument("--cases", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, help="the first one (1)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--most", type=int, default=5, help="stop after so many that differ (5)")
    parser.add_argument("--case", metavar="FILE", help="ask this request (JSON) instead; - is standard input")
    given = parser.parse_args()
    if given.case:
        request = json.loads(sys.stdin.read() if given.case == "-" else Path(given.case).read_text(encoding="utf-8"))
        side = Side(MODES[given.mode or request["mode"]], given.hadoop)
        code = once(side, request)
        side.close()
        return code
    side = Side(MODES[given.mode or "shares"], given.hadoop)
    started = time.monotonic()
    tally = run(side, given.seed, given.cases, started + given.seconds, given.most)
    for seed, asked in tally.differ[: given.most]:
        report(side, seed, asked)
    side.close()
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.verdicts.items()))
    died = f"; {side.died} not compared: Hadoop's process died at them, twice" if side.died else ""
    total, seconds = sum(tally.verdicts.values()), time.monotonic() - started
    print(f"{given.hadoop} {side.mode.name}: {total} cases from seed {given.seed}: {counts}{died} ({seconds:.0f} s)")
    return 1 if tally.differ else 0 if tally.verdicts else 2


if __name__ == "__main__":
    sys.exit(main())
