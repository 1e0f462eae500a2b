"""What a workload leaves to chance: durations, preferred hosts, times between runs.

Each application and stage has a stream of random numbers of its own (PCG64, seeded from the seed and the two names), so
that one more application changes nothing for the others, and equal seeds give equal numbers on any machine.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from fairsim.model.cluster import DEFAULT_RACK
from fairsim.model.workload import Dist, Stage

if TYPE_CHECKING:
    import numpy as np

MOST_SECONDS = 10**12
_ROUNDS = 200  # of drawing again what is not above 0; half of it is, at least
_CHUNK = 256  # times between runs that are drawn at once

#: A host and its rack.
Place = tuple[str, str]


class Draws:
    """Draws for one seed."""

    def __init__(self, seed: int):
        self.seed = seed
        self._racks: tuple[Sequence[Place], dict[str, str]] = ((), {})

    def durations(self, app_id: str, stage: Stage) -> Sequence[int]:
        """Returns the ms that each container of the stage runs, 1 or more; nothing for a stage without a duration."""
        duration = stage.duration
        if not isinstance(duration, Dist):
            return duration or ()
        if duration.kind == "const":
            return (max(round(_clipped(duration.args[0], duration) * 1000), 1),) * stage.containers
        return self._ms(self._stream("duration", app_id, stage.name), duration, stage.containers, 1)

    def gaps(self, app_id: str, dist: Dist, number: int) -> Iterator[int]:
        """Yields so many times in ms between runs of a repeated application."""
        if dist.kind == "const":
            yield from repeat(round(_clipped(dist.args[0], dist) * 1000), number)
            return
        stream = self._stream("repeat", app_id, "")
        while number > 0:
            yield from self._ms(stream, dist, min(number, _CHUNK), 0)
            number -= _CHUNK

    def places(self, app_id: str, stage: Stage, hosts: Sequence[Place]) -> Iterator[Sequence[Place]]:
        """Yields the hosts, with their racks, that each container of the stage prefers; `hosts` are all there are.

        A rack alone has an empty host. A host that is not there is in the default rack, as Hadoop has it.
        """
        wanted = stage.locality
        if wanted.kind == "spread" and hosts:
            yield from self._spread(app_id, stage, hosts)
            return
        places: list[Place] = []
        if wanted.kind == "hosts":
            racks = self._racks_of(hosts)
            places = [(name, racks.get(name, DEFAULT_RACK)) for name in wanted.names]
        elif wanted.kind == "racks":
            places = [("", name) for name in wanted.names]
        yield from repeat(places, stage.containers)

    def _spread(self, app_id: str, stage: Stage, hosts: Sequence[Place]) -> Iterator[Sequence[Place]]:
        each = min(stage.locality.each, len(hosts))
        stream = self._stream("place", app_id, stage.name)
        for _ in range(stage.containers):
            chosen: dict[int, None] = {}
            if each * 2 > len(hosts):
                chosen = dict.fromkeys(stream.permutation(len(hosts))[:each].tolist())
            while len(chosen) < each:
                chosen[int(stream.integers(len(hosts)))] = None
            yield [hosts[index] for index in chosen]

    def _racks_of(self, hosts: Sequence[Place]) -> dict[str, str]:
        if self._racks[0] is not hosts:
            self._racks = hosts, dict(hosts)
        return self._racks[1]

    def _stream(self, what: str, app_id: str, stage: str) -> np.random.Generator:
        import numpy as np  # loads slowly: a workload of constants does without

        text = "\0".join((str(self.seed), what, app_id, stage))
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))

    @staticmethod
    def _ms(stream: np.random.Generator, dist: Dist, number: int, least: int) -> list[int]:
        import numpy as np

        with np.errstate(all="ignore"):  # what is beyond all numbers is cut to the most
            seconds = _drawn(stream, dist, number)
            low, high = dist.low, dist.high
            seconds = np.clip(seconds, 0 if low is None else low, MOST_SECONDS if high is None else high)
            ms: list[int] = np.maximum(np.rint(seconds * 1000), least).astype(np.int64).tolist()
        return ms


def _clipped(seconds: float, dist: Dist) -> float:
    if dist.low is not None:
        seconds = max(seconds, dist.low)
    return seconds if dist.high is None else min(seconds, dist.high)


def _drawn(stream: np.random.Generator, dist: Dist, number: int) -> np.ndarray[Any, Any]:
    """Returns seconds, not clipped."""
    import numpy as np

    first, second = (*dist.args, 0.0)[:2]
    if dist.kind == "uniform":
        return stream.uniform(first, second, number)
    if dist.kind == "exp":
        return stream.exponential(first, number)
    if dist.kind == "normal":
        return _above_zero(stream, first, second, number)
    if dist.kind == "lognormal":
        spread = math.log1p((second / first) * (second / first))  # mean and sd are those of the value
        return stream.lognormal(math.log(first) - spread / 2, math.sqrt(spread), number)
    if dist.kind == "weibull":
        return second * stream.weibull(first, number)
    if dist.kind == "pareto":
        return first * (1 + stream.pareto(second, number))
    if dist.kind == "choice":
        sums = np.cumsum(dist.weights)
        chosen = np.searchsorted(sums, stream.random(number) * sums[-1], side="right")
        last = max(index for index, weight in enumerate(dist.weights) if weight)
        found: np.ndarray[Any, Any] = np.asarray(dist.args)[np.minimum(chosen, last)]
        return found
    raise ValueError(f"no such distribution: {dist.kind}")


def _above_zero(stream: np.random.Generator, mean: float, sd: float, number: int) -> np.ndarray[Any, Any]:
    found = stream.normal(mean, sd, number)
    for _ in range(_ROUNDS):
        bad = (found <= 0).nonzero()[0]
        if not len(bad):
            break
        found[bad] = stream.normal(mean, sd, len(bad))
    return found
