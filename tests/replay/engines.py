"""The fast engine against the plain one: the same decisions under random events, and in random workloads.

    python -m tests.replay.engines --cases 1000 --seed 1 --hadoop 3.4

A case is a list of events, as mode run of the oracle has it, or, one in four, a workload in simulated time.
"""

from __future__ import annotations

import argparse
import sys

from fairsim.profiles import Profile, profile
from fairsim.shares.solve import Hangs
from tests.oracle.run_cases import make_run
from tests.oracle.run_mode import fairsim
from tests.replay.workloads import simulated


def difference(seed: int, hadoop: Profile) -> str:
    """Returns where the engines differ, an empty string when they do not."""
    if seed % 4:
        request = make_run(seed, hadoop)
        plain, fast = (fairsim(request, hadoop, fast=fast)["queues"] for fast in (False, True))
        return next((f"{name}: {plain[name]} {fast.get(name)}" for name in plain if plain[name] != fast.get(name)), "")
    try:
        (lines, state), (fast_lines, fast_state) = (simulated(seed, hadoop, fast=fast) for fast in (False, True))
    except Hangs:
        return ""
    for number, pair in enumerate(zip(lines, fast_lines, strict=False)):
        if pair[0] != pair[1]:
            return f"line {number}: {pair[0]} {pair[1]}"
    if len(lines) != len(fast_lines):
        return f"{len(lines)} and {len(fast_lines)} lines"
    return "" if state == fast_state else "the same lines, another state at the end"


def main() -> int:
    """Compares many cases, and prints those that differ."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hadoop", default="3.4")
    options = parser.parse_args()
    hadoop, wrong = profile(options.hadoop), 0
    for seed in range(options.seed, options.seed + options.cases):
        found = difference(seed, hadoop)
        if found:
            wrong += 1
            print(f"{options.hadoop} seed {seed}: {found[:1000]}", flush=True)
    print(f"{options.hadoop}: {options.cases} cases from seed {options.seed}, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
