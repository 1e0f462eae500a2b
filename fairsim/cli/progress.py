"""How far a long run is, on standard error where that is a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from fairsim.cli.output import Output


class Progress:
    """A bar that tells the time of the trace, the containers so far, their rate and how long it will take."""

    def __init__(self, out: Output, end_ms: int, containers: int, number: int, of: int):
        self.end_ms = max(end_ms, 1)
        self.containers = max(containers, 1)
        self.what = f"run {number + 1} of {of}" if of > 1 else "replay"
        self.bar: Any = None
        self.task: Any = None
        self.shown = 0.0
        self.begin = 0.0
        stream = sys.stderr
        self.wanted = not out.quiet and stream is not None and stream.isatty()

    def __enter__(self) -> Self:
        self.begin = time.monotonic()
        if self.wanted:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn(),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip
            self.bar.start()
            self.task = self.bar.add_task(self.what, total=1.0, told="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def at(self, now_ms: int, containers: int) -> None:
        """Tells how far the run is: a time of the trace, and so many containers allocated."""
        if self.bar is None:
            return
        moment = time.monotonic()
        if moment - self.shown < 0.2:
            return
        self.shown = moment
        rate = containers / max(moment - self.begin, 0.001)
        part = max(min(containers / self.containers, 1.0), 0.0)
        told = f"{now_ms // 3_600_000}:{now_ms // 60_000 % 60:02} {containers:,} containers, {rate:,.0f}/s"
        self.bar.update(self.task, completed=part, told=told)
