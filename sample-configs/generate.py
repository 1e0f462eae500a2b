#!/usr/bin/env python3
"""Writes a large allocation file to standard output: the same bytes for the same options, everywhere.

    python3 sample-configs/generate.py --queues 100000 --seed 1 > /tmp/large.xml

The file loads on Hadoop 3.2 and newer; with --plain, which leaves out percentages and the form name=value, also on
older lines. Needs the standard library only.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

NAMES = (
    ("finance", "research", "retail", "logistics", "platform", "media", "health", "energy", "public", "risk"),
    ("north", "south", "east", "west", "central", "overseas", "partners", "shared", "staging", "archive"),
    ("alder", "birch", "cedar", "elm", "hazel", "larch", "maple", "oak", "pine", "rowan", "spruce", "willow"),
    ("ingest", "cleanse", "join", "reports", "adhoc", "scoring", "training", "export", "checks", "backfill", "hourly"),
)
WEIGHTS = ("0.25", "0.5", "2", "2.5", "3", "4", "5", "8", "10")
DEEPEST = 5
INDENT = "  "


class Dice:
    """Repeatable choices. Only Random.random is used: its numbers are the same in every Python."""

    def __init__(self, seed: int):
        self.seed = seed
        self._next = random.Random(seed).random

    def chance(self, probability: float) -> bool:
        return self._next() < probability

    def between(self, least: int, most: int) -> int:
        return least + int(self._next() * (most - least + 1))

    def one_of(self, choices: Sequence[str]) -> str:
        return choices[self.between(0, len(choices) - 1)]


class Generator:
    """Writes one tree; `plain` keeps to what every line of Hadoop reads."""

    def __init__(self, dice: Dice, plain: bool):
        self.dice = dice
        self.plain = plain

    def document(self, queues: int) -> Iterator[str]:
        """Yields the lines of a file with this many queues below root."""
        yield '<?xml version="1.0"?>'
        plain = ", plain" if self.plain else ""
        yield f"<!-- By generate.py: {queues} queues, seed {self.dice.seed}{plain}. -->"
        yield "<allocations>"
        yield INDENT + "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
        yield INDENT + "<queueMaxAppsDefault>200</queueMaxAppsDefault>"
        yield INDENT + "<userMaxAppsDefault>50</userMaxAppsDefault>"
        yield INDENT + "<defaultMinSharePreemptionTimeout>300</defaultMinSharePreemptionTimeout>"
        yield from self.siblings(queues, 0)
        yield INDENT + '<user name="nightly">'
        yield 2 * INDENT + "<maxRunningApps>100</maxRunningApps>"
        yield INDENT + "</user>"
        yield INDENT + "<queuePlacementPolicy>"
        yield 2 * INDENT + '<rule name="specified" create="false"/>'
        yield 2 * INDENT + '<rule name="reject"/>'
        yield INDENT + "</queuePlacementPolicy>"
        yield "</allocations>"

    def siblings(self, queues: int, level: int) -> Iterator[str]:
        """Yields the children of one queue, with `queues` queues in all."""
        left = DEEPEST - level
        width = min(queues, max(self.dice.between(3, 12), round(queues ** (1 / left))))
        if left == 1 or queues <= 6:
            width = queues
        below = self.split(queues - width, width)
        for number, count in enumerate(below):
            yield from self.queue(number, count, level)

    def split(self, total: int, parts: int) -> list[int]:
        """Returns how many queues stand below each of `parts` siblings; about a third of them stay leaves."""
        if total == 0:
            return [0] * parts
        weights = [0 if self.dice.chance(0.33) else self.dice.between(1, 100) for _ in range(parts)]
        weights[self.dice.between(0, parts - 1)] += 1
        bounds, passed = [0], 0
        for weight in weights:
            passed += weight
            bounds.append(total * passed // sum(weights))
        return [high - low for low, high in pairwise(bounds)]

    def queue(self, number: int, below: int, level: int) -> Iterator[str]:
        indent = INDENT * (level + 1)
        words = NAMES[min(level, 2) if below else 3]
        again, place = divmod(number, len(words))
        name = words[place] + (f"_{again + 1}" if again else "")
        fields = list(self.fields(leaf=not below))
        if not fields and not below:
            yield f"{indent}<queue name={quoteattr(name)}/>"
            return
        yield f"{indent}<queue name={quoteattr(name)}>"
        for tag, text in fields:
            yield f"{indent}{INDENT}<{tag}>{escape(text)}</{tag}>"
        if below:
            yield from self.siblings(below, level + 1)
        yield f"{indent}</queue>"

    def fields(self, *, leaf: bool) -> Iterator[tuple[str, str]]:
        """Yields what one queue says: most say little, a few say much."""
        dice = self.dice
        if dice.chance(0.6):
            yield "weight", dice.one_of(WEIGHTS)
        if dice.chance(0.1):
            size = dice.between(1, 16)
            yield "minResources", f"{1024 * size} mb, {dice.between(1, 4) * size // 2 + 1} vcores"
        if dice.chance(0.2):
            yield "maxResources", self.maximum()
        if dice.chance(0.15):
            yield "maxRunningApps", str(dice.between(2, 150))
        if dice.chance(0.2):
            yield "aclSubmitApps", dice.one_of((" ", "etl", " analysts", "alice,bob analysts,ops"))
        if dice.chance(0.03):
            yield "fairSharePreemptionTimeout", str(60 * dice.between(1, 30))
        if leaf and dice.chance(0.08):
            yield "maxAMShare", dice.one_of(("0.1", "0.25", "0.8", "-1"))
        if leaf and dice.chance(0.1):
            yield "schedulingPolicy", dice.one_of(("fair", "fifo"))

    def maximum(self) -> str:
        dice = self.dice
        memory, vcores = 1024 * dice.between(32, 4096), dice.between(16, 2048)
        form = "absolute" if self.plain else dice.one_of(("absolute", "absolute", "absolute", "percent", "named"))
        if form == "percent":
            return f"{dice.between(1, 19) * 5}%"
        if form == "named":
            return f"memory-mb={memory}, vcores={vcores}"
        return f"{memory} mb, {vcores} vcores"


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes a large allocation file to standard output.")
    parser.add_argument("--queues", type=int, default=800, help="queues below root (800)")
    parser.add_argument("--seed", type=int, default=1, help="another number, another file (1)")
    parser.add_argument("--plain", action="store_true", help="only what every line of Hadoop reads")
    options = parser.parse_args()
    if options.queues < 1:
        parser.error("--queues must be at least 1")
    for line in Generator(Dice(options.seed), options.plain).document(options.queues):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
