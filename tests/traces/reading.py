"""What the tests of traces share: a trace from text, its applications, and its error as the command line has it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairsim.errors import FairsimError
from fairsim.model.resources import ResourceTypes
from fairsim.model.workload import AppSpec, Dist
from fairsim.traces.trace import Trace, open_trace

PLAIN = ResourceTypes()
GPU = ResourceTypes(("memory-mb", "vcores", "yarn.io/gpu"), ("Mi", "", ""))
LINE = '{"arrival": 0, "stages": [{"duration": 1}]}\n'


def trace_of(folder: Path, data: str | bytes, name: str = "t.jsonl", **options: Any) -> Trace:
    """Returns the trace that a file with these contents holds."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return open_trace(str(path), options.pop("types", PLAIN), **options)


def apps_of(folder: Path, data: str | bytes, name: str = "t.jsonl", **options: Any) -> list[AppSpec]:
    """Returns the applications, after a check that the trace counts them rightly."""
    with trace_of(folder, data, name, **options) as trace:
        apps = list(trace.apps())
        assert trace.count == len(apps)
        assert trace.containers == sum(stage.containers for app in apps for stage in app.stages)
        assert trace.end_ms == max((app.arrival_ms for app in apps), default=0)
        assert [app.arrival_ms for app in apps] == sorted(app.arrival_ms for app in apps)
        assert list(trace.apps()) == apps
        return apps


def error_of(folder: Path, data: str | bytes, name: str = "t.jsonl", **options: Any) -> str:
    """Returns the error for which the trace is refused: place, message, hint."""
    with pytest.raises(FairsimError) as caught:
        trace_of(folder, data, name, **options)
    assert caught.value.where == str(folder / name)
    return told(caught.value)


def told(error: FairsimError) -> str:
    """Returns an error as one line: place, message, hint."""
    place = f"{error.pos.line}:{error.pos.column}: " if error.pos else ""
    return f"{place}{error.message} | {error.hint}"


def cases(section: str) -> list[tuple[str, str]]:
    """Returns input and error of the cases in a section of refused.txt."""
    found: list[tuple[str, str]] = []
    lines: list[str] = []
    here = False
    for line in Path(__file__).with_name("refused.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            here = line == f"[{section}]"
        elif here and line.startswith(">"):
            lines.append(line[2:])
        elif here and line.startswith("= "):
            found.append(("\n".join(lines), line[2:]))
            lines = []
    return found


def every_minute(_: str, __: Dist, number: int) -> Iterator[int]:
    """Stands for random times between runs."""
    return iter([60_000] * number)


def stdin(data: bytes) -> io.BytesIO:
    """Returns bytes as standard input gives them."""
    return io.BytesIO(data)
