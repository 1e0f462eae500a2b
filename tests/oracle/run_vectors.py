"""Makes the vectors of whole runs: small ones, the same for every line, with a digest of what Hadoop decides.

    python -m tests.oracle.run_vectors 3.4.1 3.2.2 --cases 2000

The requests stand once in run/requests.jsonl.gz; of each answer (every decision, and the states that are shown) the
first 16 hex digits of its SHA-256 stand in run/VERSION.txt.gz, a line for each request. Each is asked twice; where the
answers differ, dashes stand there.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from fairsim.profiles import profile
from tests.oracle.ask import Oracle, Request
from tests.oracle.compare import Answer
from tests.oracle.run_cases import SHORT, make_run
from tests.oracle.run_mode import fairsim, reduced
from tests.oracle.vectors import FOLDER, jars, note

REQUESTS = FOLDER / "run" / "requests.jsonl.gz"
VERSIONS = ("2.10.2", "3.1.4", "3.2.2", "3.3.6", "3.4.1", "3.5.0")
GROWN = "3.1.4"  # the line whose requests all others understand, too
MOST_EVENTS = 100
BATCH = 200
NONE = "-" * 16  # Hadoop answers this one in more than one way


def digest(answer: Answer) -> str:
    """Returns the digest of an answer."""
    text = json.dumps(answer, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def grown(count: int) -> Iterator[Request]:
    """Yields so many requests of few events."""
    seed = 0
    while count:
        seed += 1
        request = make_run(seed, profile(GROWN), SHORT)
        if len(request["events"]) <= MOST_EVENTS:
            request["events"][-1]["show"] = True
            yield {"seed": seed, **request}
            count -= 1


def read_requests() -> list[Request]:
    """Returns the requests of the tree."""
    return [json.loads(line) for line in gzip.decompress(REQUESTS.read_bytes()).splitlines()]


def read_digests(version: str) -> list[str]:
    """Returns the digests of one line."""
    return gzip.decompress((FOLDER / "run" / f"{version}.txt.gz").read_bytes()).decode().split()


def ask(version: str, requests: Sequence[Request]) -> int:
    """Writes the digests of one version; returns how many differ from fairsim's."""
    hadoop, found, wrong = profile(version), [], 0
    with Oracle(version) as oracle:
        for start in range(0, len(requests), BATCH):
            part = requests[start : start + BATCH]
            answers: list[Any] = [oracle.ask(part), oracle.ask(part)]
            for request, *twice in zip(part, *answers, strict=True):
                first, second = (digest(reduced(answer, request, hadoop)) for answer in twice)
                found.append(first if first == second else NONE)
                if found[-1] not in (NONE, digest(fairsim(request, hadoop))):
                    wrong += 1
                    print(f"{version} run seed {request['seed']}: fairsim differs", flush=True)
    path = FOLDER / "run" / f"{version}.txt.gz"
    data = "\n".join(found).encode()
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    note(path, {
        "hadoop": version, "cases": len(found), "random": found.count(NONE), "left_out": wrong,
        "sha256": hashlib.sha256(data).hexdigest(), "jars": jars(version),
    })  # fmt: skip
    print(f"{version} run: {len(found)} cases, {found.count(NONE)} random, {path.stat().st_size} bytes; {wrong} differ")
    return wrong


def main() -> int:
    """Reads the command line; returns 1 where fairsim differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"default: {' '.join(VERSIONS)}")
    parser.add_argument("--cases", type=int, default=2000, metavar="N")
    parser.add_argument("--grow", action="store_true", help="make the requests anew")
    given = parser.parse_args()
    if given.grow or not REQUESTS.exists():
        lines = [json.dumps(one, separators=(",", ":")) for one in grown(given.cases)]
        REQUESTS.parent.mkdir(exist_ok=True)
        REQUESTS.write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))
    requests = read_requests()
    print(f"{len(requests)} requests, {REQUESTS.stat().st_size} bytes", flush=True)
    return int(sum(ask(version, requests) for version in given.versions or VERSIONS) > 0)


if __name__ == "__main__":
    sys.exit(main())
