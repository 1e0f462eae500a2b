"""What is drawn: the same for the same seed, of the right size, within its limits."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from statistics import fmean, stdev
from typing import Any

import pytest

from fairsim.model.workload import Dist, Locality, Stage
from fairsim.replay.draws import Draws
from fairsim.traces.dists import parse_dist

HOSTS = [(f"n{index}", f"/r{index % 3}") for index in range(10)]


def stage(duration: Dist | tuple[int, ...] | None, containers: int = 20_000, **more: Any) -> Stage:
    return Stage("map", containers, (1024, 1), duration=duration)._replace(**more)


def drawn(text: str, containers: int = 20_000) -> list[int]:
    found = Draws(1).durations("app", stage(parse_dist(text), containers))
    assert len(found) == containers
    assert all(type(ms) is int and ms >= 1 for ms in found)
    return list(found)


MEANS = [
    ("uniform(20,300)", 160, 280 / math.sqrt(12)),
    ("exp(30)", 30, 30),
    ("normal(50,5)", 50, 5),
    ("lognormal(45,20)", 45, 20),
    ("weibull(2,60)", 60 * math.gamma(1.5), 60 * math.sqrt(1 - math.gamma(1.5) ** 2)),
    ("pareto(10,4)", 40 / 3, math.sqrt(10**2 * 4 / (3**2 * 2))),
    ("choice(10:3,30:1)", 15, math.sqrt(75)),
]


@pytest.mark.parametrize(("text", "mean", "sd"), MEANS)
def test_mean_and_deviation(text: str, mean: float, sd: float) -> None:
    seconds = [ms / 1000 for ms in drawn(text)]
    assert fmean(seconds) == pytest.approx(mean, rel=0.03)
    assert stdev(seconds) == pytest.approx(sd, rel=0.15)


LIMITS = [
    ("uniform(20,300) in [30,60]", 30_000, 60_000),
    ("normal(1,100)", 1, 10**6),
    ("exp(0.001)", 1, 100),
    ("pareto(1,0.001)", 1000, 10**15),
    ("weibull(0.001,1)", 1, 10**15),
    ("lognormal(0.001,1000000000000)", 1, 10**15),
    ("choice(5:0,7:1,9:0)", 7000, 7000),
    ("const(3) in [5,6]", 5000, 5000),
    ("0", 1, 1),
    ("uniform(0,0)", 1, 1),
]


@pytest.mark.parametrize(("text", "low", "high"), LIMITS)
def test_limits(text: str, low: int, high: int) -> None:
    found = drawn(text, 1000)
    assert low <= min(found)
    assert max(found) <= high


def test_the_same_each_time() -> None:
    """The numbers themselves are fixed: a change would change every replay."""
    dist = parse_dist("exp(30)")
    assert list(Draws(1).durations("a", stage(dist, 3))) == FIXED
    assert list(Draws(1).durations("a", stage(dist, 3))) == FIXED
    others = [Draws(2).durations("a", stage(dist, 3)), Draws(1).durations("b", stage(dist, 3)),
              Draws(1).durations("a", stage(dist, 3, name="reduce"))]  # fmt: skip
    assert FIXED not in [list(one) for one in others]


FIXED = [21_861, 36_390, 44_494]


def test_what_is_known_is_not_drawn() -> None:
    assert Draws(1).durations("a", stage((5, 6), 2)) == (5, 6)
    assert Draws(1).durations("a", stage(None)) == ()
    assert list(Draws(1).gaps("a", Dist("const", (2.5,)), 3)) == [2500] * 3


def test_numpy_is_not_loaded_for_constants() -> None:
    script = (
        "import sys, json\nfrom fairsim.model.workload import *\nfrom fairsim.replay.draws import Draws\n"
        "stage = Stage('s', 3, (1, 1), duration=Dist('const', (1.5,)), locality=Locality('hosts', ('h',)))\n"
        "found = list(Draws(1).durations('a', stage)), list(Draws(1).places('a', stage, []))\n"
        "print(json.dumps([found[0], len(found[1]), 'numpy' in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert json.loads(done.stdout) == [[1500] * 3, 3, False]


def test_times_between_runs() -> None:
    found = list(Draws(1).gaps("a", Dist("exp", (30.0,)), 600))
    assert len(found) == 600
    assert found[:100] == list(Draws(1).gaps("a", Dist("exp", (30.0,)), 600))[:100]
    assert fmean(found) == pytest.approx(30_000, rel=0.15)


def test_spread_takes_different_hosts() -> None:
    one = stage(None, 500, locality=Locality("spread", (), 3))
    places = [tuple(sorted(chosen)) for chosen in Draws(1).places("a", one, HOSTS)]
    assert len(places) == 500
    assert all(len(set(chosen)) == 3 and set(chosen) <= set(HOSTS) for chosen in places)
    assert {place for chosen in places for place in chosen} == set(HOSTS)
    assert places == [tuple(sorted(chosen)) for chosen in Draws(1).places("a", one, HOSTS)]
    many = stage(None, 5, locality=Locality("spread", (), 30))
    assert [sorted(chosen) for chosen in Draws(1).places("a", many, HOSTS)] == [HOSTS] * 5
    assert list(Draws(1).places("a", one._replace(containers=1), [])) == [[]]


PLACES = [
    (Locality(), []),
    (Locality("hosts", ("n1", "elsewhere")), [("n1", "/r1"), ("elsewhere", "/default-rack")]),
    (Locality("racks", ("/r1",)), [("", "/r1")]),
]


@pytest.mark.parametrize(("locality", "wanted"), PLACES)
def test_places_by_name(locality: Locality, wanted: list[tuple[str, str]]) -> None:
    assert list(Draws(1).places("a", stage(None, 2, locality=locality), HOSTS)) == [wanted] * 2
