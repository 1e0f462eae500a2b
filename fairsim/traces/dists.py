"""Where durations are drawn from: `30`, `5m`, `uniform(20,300)`, `lognormal(45,20) in [1,600]`."""

from __future__ import annotations

from typing import Any, NamedTuple

from fairsim.diag import did_you_mean
from fairsim.model.workload import Dist
from fairsim.patterns import Pattern
from fairsim.traces.faults import DIST, Bad
from fairsim.traces.values import MOST_MS, number, time_ms

_CALL = Pattern(r"([A-Za-z_]+)\s*\(([^()]*)\)")
MOST = MOST_MS // 1000  # seconds
SMALLEST = 0.001
MOST_LETTERS = 10_000


class _Kind(NamedTuple):
    """Names of the arguments, and the least that each may be."""

    names: tuple[str, ...]
    least: tuple[float, ...]


_KINDS = {
    "const": _Kind(("x",), (0,)),
    "uniform": _Kind(("a", "b"), (0, 0)),
    "exp": _Kind(("mean",), (SMALLEST,)),
    "normal": _Kind(("mean", "sd"), (SMALLEST, 0)),
    "lognormal": _Kind(("mean", "sd"), (SMALLEST, 0)),
    "weibull": _Kind(("shape", "scale"), (SMALLEST, SMALLEST)),
    "pareto": _Kind(("xmin", "alpha"), (SMALLEST, SMALLEST)),
    "choice": _Kind(("x:w",), ()),
}


def parse_dist(value: Any) -> Dist:
    """Returns the distribution that a number of seconds or a text stands for."""
    if not isinstance(value, str):
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise Bad(DIST, "this is neither a time nor a distribution", "write 30, 5m or lognormal(45,20)")
        return Dist("const", (_at_least(value, 0, "the time"),))
    body = value.strip()
    if len(body) > MOST_LETTERS:
        raise Bad(DIST, f"the text has more than {MOST_LETTERS} characters", "write a shorter one")
    low = high = None
    if body.endswith("]"):
        head, _, limits = body[:-1].rpartition("[")
        if not head.rstrip().endswith(("in", "IN")):
            raise Bad(DIST, "limits stand behind the word in", "write uniform(20,300) in [30,60]")
        low, high = _bounds(limits)
        body = head.rstrip()[:-2].rstrip()
    call = _CALL.fullmatch(body)
    if call is None:
        return Dist("const", (_seconds(body),), (), low, high)
    args, weights = _arguments(call[1].lower(), call[2])
    return Dist(call[1].lower(), args, weights, low, high)


def const_ms(dist: Dist) -> int | None:
    """Returns the one time in ms that can be drawn, None where several can."""
    if dist.kind != "const":
        return None
    seconds = dist.args[0]
    if dist.low is not None and dist.high is not None:
        seconds = min(max(seconds, dist.low), dist.high)
    return round(seconds * 1000)


def _seconds(body: str) -> float:
    if not body or "(" in body or ")" in body:
        kinds = ", ".join(f"{name}({','.join(kind.names)})" for name, kind in _KINDS.items())
        raise Bad(DIST, "this is not a distribution", f"write a number of seconds or one of {kinds}")
    return time_ms(body, DIST) / 1000


def _at_least(value: Any, least: float, what: str) -> float:
    found = float(number(value, DIST, "write numbers: seconds, without a unit"))
    if found < least:
        raise Bad(DIST, f"{what} is less than {least:g}", f"write {least:g} or more")
    if found > MOST:
        raise Bad(DIST, f"{what} is more than {MOST:g}", "write a smaller number")
    return found


def _bounds(body: str) -> tuple[float, float]:
    pieces = body.replace(";", ",").split(",")
    if len(pieces) != 2:
        raise Bad(DIST, "the limits are not two numbers", "write in [1,600]")
    low, high = (_at_least(piece, 0, "a limit") for piece in pieces)
    if low > high:
        raise Bad(DIST, f"the lower limit {low:g} is more than the upper one {high:g}", f"write in [{high:g},{low:g}]")
    return low, high


def _arguments(kind: str, body: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    known = _KINDS.get(kind)
    if known is None:
        near = did_you_mean(kind, _KINDS)
        hint = f"did you mean {near}({','.join(_KINDS[near].names)})?" if near else "known are " + ", ".join(_KINDS)
        raise Bad(DIST, f"there is no distribution {kind!r:.40}", hint)
    pieces = [piece.strip() for piece in body.replace(";", ",").split(",")] if body.strip() else []
    form = f"write {kind}({','.join(known.names)})"
    if kind == "choice":
        return _choice(pieces)
    if len(pieces) != len(known.names):
        raise Bad(DIST, f"{kind} takes {len(known.names)} numbers, not {len(pieces)}", form)
    args = tuple(
        _at_least(piece, least, name) for piece, name, least in zip(pieces, known.names, known.least, strict=True)
    )
    if kind == "uniform" and args[0] > args[1]:
        raise Bad(DIST, f"a is more than b: {args[0]:g}, {args[1]:g}", f"write uniform({args[1]:g},{args[0]:g})")
    return args, ()


def _choice(pieces: list[str]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    form = "write choice(x:weight,x:weight), such as choice(10:0.9,600:0.1)"
    if not pieces:
        raise Bad(DIST, "choice has nothing to choose from", form)
    args, weights = [], []
    for piece in pieces:
        value, colon, weight = piece.partition(":")
        args.append(_at_least(value, 0, "a time"))
        weights.append(_at_least(weight, 0, "a weight") if colon else 1.0)
    if not any(weights):
        raise Bad(DIST, "all weights of choice are 0", form)
    return tuple(args), tuple(weights)
