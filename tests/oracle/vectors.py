"""Makes the vectors: what Hadoop answers to random cases, kept so that tests need no Java.

    python -m tests.oracle.vectors 3.4.1 2.10.2 --cases 2000      (make vectors)

Many cases are asked; kept are those that show the most, see `features.py`. Only grown files: a changed real file is not
ours to keep.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.oracle.ask import RUN, Request
from tests.oracle.cases import make_case
from tests.oracle.compare import Answer
from tests.oracle.features import chosen, features
from tests.oracle.fuzz import BATCH, Side
from tests.oracle.modes import MODES, Asked, answered

FOLDER = Path(__file__).parents[1] / "vectors"
MANIFEST = FOLDER / "manifest.json"
VERSIONS = ("2.7.7", "2.8.5", "2.10.2", "3.1.4", "3.2.2", "3.3.6", "3.4.1", "3.5.0")
ASKED = 2.5  # so many cases are asked for each that is kept
KEPT = [name for name in MODES if name not in ("both", "lint", "run")]  # both and lint ask nothing that others do not
MOST = {"hang": 0.02, "refused": 0.05}  # of what is asked; in mode load as many refusals as there are


def make(side: Side, count: int) -> int:
    """Writes the vectors of one mode and version, and says where fairsim differs; returns in how many cases.

    Those are left out, so that the tests of the tree hold; the manifest tells how many.
    """
    pool: list[tuple[int, Asked]] = []
    wrong, last = 0, 0
    for seeds, requests, ours in _batches(side, round(count * ASKED)):
        for seed, request, mine, their in zip(seeds, requests, ours, side.ask(requests, ours), strict=True):
            for asked in side.compare([request], [mine], [their]):
                if not asked.found:
                    pool.append((seed, asked))
                    continue
                wrong += 1
                if wrong <= 10:
                    print(f"{side.version} {side.mode.name} seed {seed}: {asked.found[0]}", flush=True)
        last = max(last, *seeds)
    pool.sort(key=lambda one: one[0])
    sets = [features(asked.request, asked.hadoop, side.mode.fields) for _, asked in pool]
    sizes = [len(json.dumps(asked.request)) + len(json.dumps(asked.hadoop)) // 4 for _, asked in pool]
    kept = [pool[index] for index in chosen(sets, sizes, count)]
    data = "".join(f"{_line(seed, asked)}\n" for seed, asked in kept).encode()
    path = FOLDER / side.mode.name / f"{side.version}.jsonl.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, 9, mtime=0))
    verdicts = Counter("loads" if "queues" in asked.hadoop else next(iter(asked.hadoop)) for _, asked in kept)
    note(path, {
        "hadoop": side.version, "cases": len(kept), "verdicts": dict(sorted(verdicts.items())),
        "seeds": [kept[0][0], kept[-1][0]], "asked": len(pool) + wrong, "seeds_asked": [1, last],
        "left_out": wrong, "sha256": hashlib.sha256(data).hexdigest(), "jars": jars(side.version),
    })  # fmt: skip
    print(f"{side.version} {side.mode.name}: {len(kept)} of {len(pool) + wrong} cases kept,"
          f" {path.stat().st_size} bytes; {wrong} answered differently by fairsim", flush=True)  # fmt: skip
    return wrong


def _batches(side: Side, count: int) -> Iterator[tuple[list[int], list[Request], list[Answer]]]:
    """Yields seeds, requests and fairsim's answers until there are `count` cases."""
    room = {verdict: round(count * part) for verdict, part in MOST.items()}
    if side.mode.name == "load":
        del room["refused"]
    seed = made = 0
    while made < count:
        batch: list[tuple[int, int, Request, Answer]] = []
        while len(batch) < min(BATCH, count - made):
            seed += 1
            case = make_case(seed, side.hadoop)
            request = side.mode.make(case, side.hadoop)
            ours = answered(side.mode, request, side.hadoop)
            for verdict in room.keys() & ours.keys():
                room[verdict] -= 1
            if all(room[verdict] >= 0 for verdict in room.keys() & ours.keys()):
                batch.append((len(case.custom), seed, request, ours))
        made += len(batch)
        batch.sort(key=lambda one: one[:2])  # a process serves one set of types: keep them together
        yield [one[1] for one in batch], [one[2] for one in batch], [one[3] for one in batch]


def _line(seed: int, asked: Asked) -> str:
    request = {key: value for key, value in asked.request.items() if key not in ("mode", "timeout_ms")}
    record: dict[str, Any] = {"seed": seed, **request, "answer": asked.hadoop}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def jars(version: str) -> dict[str, str]:
    """Returns name and SHA-256 of the Hadoop jars of this version, as the oracle was built with them."""
    lists = sorted((RUN.parent / "target" / version).glob("jars-*.txt"), key=lambda path: path.stat().st_mtime)
    paths = [Path(part) for part in lists[-1].read_text(encoding="utf-8").strip().split(os.pathsep)]
    hadoop = sorted(path for path in paths if path.name.startswith("hadoop-"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in hadoop}


def note(path: Path, entry: dict[str, Any]) -> None:
    """Puts what is known about one file into the manifest."""
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else {}
    manifest[str(path.relative_to(FOLDER))] = entry
    text = json.dumps(dict(sorted(manifest.items())), indent=1, ensure_ascii=False)
    MANIFEST.write_text(text + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; returns 1 where fairsim differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", metavar="VERSION", help=f"default: {' '.join(VERSIONS)}")
    parser.add_argument("--cases", type=int, default=2000, metavar="N")
    parser.add_argument("--mode", action="append", choices=sorted(MODES), help=f"default: {' '.join(KEPT)}")
    given = parser.parse_args(arguments)
    wrong = 0
    for version in given.versions or VERSIONS:
        oracle = None
        for mode in given.mode or KEPT:
            side = Side(MODES[mode], version, oracle)
            wrong += make(side, given.cases)
            oracle = side.oracle
        if oracle is not None:
            side.close()
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
