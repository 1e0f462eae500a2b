"""Random cases, one for each seed: an allocation file, a cluster, applications, properties of yarn-site.

A case is a question before it is known which queues there are: its applications stand at places from 0 to 1, and
`modes.py` makes a request of it.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from fairsim.profiles import Profile
from tests.oracle.grammar import FPGA, GPU, Grower
from tests.oracle.mutate import mutated, sources

MOST_32_BIT = 2_000_000_000
_FAIR = "yarn.scheduler.fair."
_SITE = {
    _FAIR + "user-as-default-queue": ("false", "false", "true", "no"),
    _FAIR + "allow-undeclared-pools": ("false", "false", "TRUE"),
    _FAIR + "preemption": ("true", "true", "yes"),
    _FAIR + "sizebasedweight": ("true", "true", "true", " true "),
    _FAIR + "assignmultiple": ("true",),
    _FAIR + "waitTimeBeforeKill": ("1000", "1000", "0x10", "1s"),
    _FAIR + "max.assign": ("3", "3", "0", "x"),
    _FAIR + "locality.threshold.node": ("0.5", "0.5", "2", "half"),
    _FAIR + "continuous-scheduling-enabled": ("false",),
    _FAIR + "update-interval-ms": ("500", "500", "5", "x"),
    "yarn.scheduler.minimum-allocation-mb": ("512", "0"),
    "yarn.scheduler.maximum-allocation-mb": ("4096",),
    "yarn.scheduler.increment-allocation-mb": ("512",),
    "yarn.acl.enable": ("true",),
}


class App(NamedTuple):
    """One application: its place among the leaf queues, from 0 to 1, and what the oracle is told about it."""

    place: float
    told: dict[str, object]


class Case(NamedTuple):
    """One case: the bytes of the file, the cluster by resource type, applications, properties, custom types."""

    seed: int
    alloc: bytes
    cluster: dict[str, int]
    apps: tuple[App, ...]
    site: dict[str, str]
    origin: str

    @property
    def custom(self) -> list[str]:
        """Returns the names of the custom resource types."""
        return list(self.cluster)[2:]


def make_case(seed: int, hadoop: Profile, *, real: bool = False) -> Case:
    """Returns the case of this seed; with `real` it may be a changed real file, which is not ours to keep."""
    random = Random(seed)  # noqa: S311 - repeatable, not secret
    custom = random.choice(([], [], [], [], [], [GPU], [GPU], [GPU, FPGA]))
    if not hadoop.features.custom_types:
        custom = []
    cluster = _cluster(random, custom)
    if not hadoop.features.long_values:
        cluster = {name: min(size, MOST_32_BIT) for name, size in cluster.items()}
    grower = Grower(random, hadoop.features, custom, wild=random.random() < 0.45)
    files = sources() if real else ()
    if files and random.random() < 0.4:
        name, data = random.choice(files)
        alloc, origin = mutated(data, files, random, grower), f"a changed {name}"
    else:
        alloc, origin = grower.file().encode("utf-8", "surrogatepass"), "grown"
    return Case(seed, alloc, cluster, _apps(random, custom), _site(random), origin)


def _cluster(random: Random, custom: list[str]) -> dict[str, int]:
    scale = random.choice((1, 1, 1, 64, 4096))
    cluster = {"memory-mb": 8192 * random.randint(1, 100) * scale, "vcores": random.randint(1, 400) * scale}
    if random.random() < 0.1:
        cluster = {"memory-mb": random.randint(0, 3000), "vcores": random.randint(0, 5)}
    return cluster | {name: random.randint(0, 16) for name in custom}


def _apps(random: Random, custom: list[str]) -> tuple[App, ...]:
    """Returns applications: usually plain ones that make a queue active, else with demands, users and times."""
    rich = random.random() < 0.4
    found = []
    for _ in range(random.choice((0, 1, 2, 3, 5, 8))):
        told: dict[str, object] = {}
        if rich:
            told["user"] = random.choice(("u", "v", "w"))
            told["start"] = 1_000_000 + random.randint(0, 5)
            demand = {"memory-mb": random.choice((0, 1, 1000, 4096, 100_000)), "vcores": random.randint(0, 4)}
            told["demand"] = demand | {name: random.randint(0, 2) for name in custom}
            told["containers"] = random.choice((1, 1, 2, 50))
        found.append(App(round(random.random(), 3), told))
    return tuple(found)


def _site(random: Random) -> dict[str, str]:
    if random.random() < 0.6:
        return {}
    names = random.sample(sorted(_SITE), random.choice((1, 1, 2, 3)))
    return {name: random.choice(_SITE[name]) for name in names}
