#!/usr/bin/env python3
"""Runs the doubtful points of Hadoop's allocation file and share computing on real jars.

    settle.py [--only REGEX] VERSION...

Prints, for each point, what each version did; versions that agree share a line. The conclusions
drawn from it are in docs/hadoop-behaviour.md.
"""
import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BIG = 2**63 - 1
SMALL = {"memory-mb": 10000, "vcores": 10}
GPU = {"yarn.io/gpu": {"units": ""}}
Answer = dict[str, Any]


@dataclass
class Point:
    """One question to the jars and how to read the answer."""

    name: str
    request: dict[str, Any]
    view: Callable[[Answer], str]
    since: tuple[int, ...] = (2, 0)
    observed: dict[str, str] = field(default_factory=dict)


POINTS: list[Point] = []


# --- reading answers ---------------------------------------------------------------------------

def number(value: object) -> str:
    return {BIG: "max", 2**31 - 1: "imax"}.get(value, str(value))  # type: ignore[call-overload]


def resource(values: dict[str, int] | None) -> str:
    return "-" if values is None else "/".join(number(v) for v in values.values())


def failure(answer: Answer) -> str | None:
    """The reason why there is no tree to look at, if there is none."""
    if answer.get("hang"):
        return "HANG in " + ("the share search" if "ComputeFairShares" in str(answer["at"])
                             else str(answer["at"]))
    for key in ("failed", "bad_request"):
        if key in answer:
            error = answer[key]
            return f"{key}: {error['root_class'].rpartition('.')[2]}: {error['root_message']}"
    if answer.get("died"):
        return "JVM died"
    if not answer["loaded"]:
        return "REFUSED " + answer["error"]["root_class"].rpartition(".")[2]
    return None


def loads(answer: Answer) -> str:
    return failure(answer) or "loads"


def refusal(answer: Answer) -> str:
    if answer.get("loaded") is False:
        error = answer["error"]
        return f"REFUSED {error['root_class'].rpartition('.')[2]}: {error['root_message']}"
    return loads(answer)


def warnings(answer: Answer) -> str:
    texts = [w["message"] for w in answer.get("warnings", [])]
    return loads(answer) + (", warns: " + " | ".join(texts) if texts else ", no warning")


def tree(*keys: str) -> Callable[[Answer], str]:
    """A view: every queue with the named values."""
    def view(answer: Answer) -> str:
        reason = failure(answer)
        if reason:
            return reason
        parts = []
        for queue in answer["queues"]:
            values = [resource(queue.get(k)) if isinstance(queue.get(k), dict | None)
                      else number(queue[k]) for k in keys]
            parts.append(queue["name"] + ("" if queue["leaf"] else "+")
                         + (" " + " ".join(values) if values else ""))
        parts += [f"NOT CREATED {name}" for name in answer.get("not_created", [])]
        for reload in answer.get("reloads", []):
            if not reload["loaded"]:
                parts.append(f"RELOAD REFUSED {reload['error']['root_class'].rpartition('.')[2]}")
        return "; ".join(parts)
    return view


def of(name: str, *keys: str) -> Callable[[Answer], str]:
    """A view: the named values of one queue."""
    def view(answer: Answer) -> str:
        reason = failure(answer)
        if reason:
            return reason
        for queue in answer["queues"]:
            if queue["name"] == name:
                return " ".join(
                    f"{k}=" + (resource(queue.get(k)) if isinstance(queue.get(k), dict | None)
                               else number(queue[k])) for k in keys)
        return f"no queue {name}"
    return view


# --- asking ------------------------------------------------------------------------------------

def ask(name: str, body: str | None, view: Callable[[Answer], str], mode: str = "load",
        since: tuple[int, ...] = (2, 0), whole: bool = False, **request: Any) -> None:
    """Adds a point; body is what stands inside <allocations> unless whole."""
    if body is not None:
        request["alloc"] = body if whole else f"<allocations>{body}</allocations>"
    POINTS.append(Point(name, {"mode": mode, "timeout_ms": 1000, **request}, view, since))


def queue(name: str, inside: str = "", kind: str = "") -> str:
    return f'<queue name="{name}"{kind}>{inside}</queue>'


def tag(name: str, text: str) -> str:
    return f"<{name}>{text}</{name}>"


def version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def run(version: str, points: list[Point]) -> None:
    points = [p for p in points if version_key(version) >= p.since]
    lines = "".join(json.dumps({"id": i, **p.request}) + "\n" for i, p in enumerate(points))
    done = subprocess.run([HERE / "run", version], input=lines, stdout=subprocess.PIPE, text=True,
                          check=True)
    for point, line in zip(points, done.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        try:
            point.observed[version] = point.view(answer)
        except (KeyError, TypeError) as error:
            point.observed[version] = f"?? {error!r} {line[:200]}"


def report(points: list[Point], asked: list[str]) -> None:
    for point in points:
        print(f"* {point.name}")
        groups: dict[str, list[str]] = {}
        for version, seen in point.observed.items():
            groups.setdefault(seen, []).append(version)
        for seen, versions in groups.items():
            everywhere = len(groups) == 1 and len(versions) == len(asked)
            print(f"    {'all' if everywhere else ' '.join(versions)}: {seen}")


def main() -> int:
    import settle_points  # noqa: F401  fills POINTS
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("versions", nargs="+")
    parser.add_argument("--only", default="", help="points whose name matches this")
    options = parser.parse_args()
    points = [p for p in POINTS if re.search(options.only, p.name)]
    for version in options.versions:
        run(version, points)
    report(points, options.versions)
    return 0


if __name__ == "__main__":
    sys.modules["settle"] = sys.modules["__main__"]
    sys.exit(main())
