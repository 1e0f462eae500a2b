"""What an application of a workload asks for: who, where to, and the stages of its containers. Times in ms."""

from __future__ import annotations

from typing import NamedTuple

from fairsim.model.resources import Amount

BATCH, HOLD = "batch", "hold"
RESTART, DROP = "restart", "drop"


class Dist(NamedTuple):
    """Where durations in seconds are drawn from: const, uniform, exp, normal, lognormal, weibull, pareto, choice.

    `weights` go with the arguments of choice. `low` and `high` clip what is drawn.
    """

    kind: str
    args: tuple[float, ...]
    weights: tuple[float, ...] = ()
    low: float | None = None
    high: float | None = None


class Locality(NamedTuple):
    """Which places containers prefer: any; hosts or racks by name; spread: `each` hosts by lot for each container."""

    kind: str = "any"
    names: tuple[str, ...] = ()
    each: int = 0


class Stage(NamedTuple):
    """Containers of one kind. They are asked for when those of the stages in `after` have ended.

    priority: small numbers are served first. parallel: so many run or are asked for at a time, 0 for all of them.
    slowstart: the part of the stages before that must have ended. mode: `hold` containers run until every other stage
    of the application has ended. on_preempt: what becomes of a lost container, restart or drop. duration: a
    distribution, or one time for each container; None in mode hold.
    """

    name: str
    containers: int
    size: Amount
    after: tuple[str, ...] = ()
    priority: int = 20
    relax: bool = True
    delay_ms: int = 0
    slowstart: float = 1.0
    parallel: int = 0
    mode: str = BATCH
    on_preempt: str = RESTART
    duration: Dist | tuple[int, ...] | None = None
    locality: Locality = Locality()


class AppSpec(NamedTuple):
    """One application. am: the size of its master, None for one that runs elsewhere. groups None: nobody told them.

    `type` is what reports group by. priority: kept, the fair scheduler takes no notice of it.
    hold_ms: its master stays so long after the last stage. kill_after_ms: it is killed so long after its arrival.
    """

    id: str
    arrival_ms: int
    user: str
    stages: tuple[Stage, ...]
    queue: str | None = None
    groups: tuple[str, ...] | None = None
    am: Amount | None = (1024, 1)
    hold_ms: int = 0
    kill_after_ms: int | None = None
    type: str = "app"
    priority: int = 0
