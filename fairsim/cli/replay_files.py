"""The files that a replay writes beside its answer: every decision, and metrics over time. Whole or not at all."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self

from fairsim.cli.output import Output, whole_file
from fairsim.errors import UsageError
from fairsim.replay.decisions import ALLOCATE, FINISH
from fairsim.replay.record import QueueRecord, Recorder

_CHUNK = 1 << 16


class _File:
    """A text that grows, written in pieces."""

    def __init__(self, out: Output, path: str, option: str):
        out.spare_inputs(path, option)
        self.file: AbstractContextManager[Any] = whole_file(path)
        self.parts: list[str] = []
        self.size = 0

    def __enter__(self) -> Self:
        self.write_bytes = self.file.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.flush()
        self.file.__exit__(kind, error, trace)

    def write(self, text: str) -> None:
        self.parts.append(text)
        self.size += len(text)
        if self.size > _CHUNK:
            self.flush()

    def flush(self) -> None:
        self.write_bytes("".join(self.parts).encode("utf-8", "backslashreplace"))
        self.parts.clear()
        self.size = 0


class LogFile(_File):
    """Every decision, a JSON object a line: time in ms, what, application, container, node, size."""

    def __init__(self, out: Output, path: str):
        super().__init__(out, path, "--log")
        self.encode = json.JSONEncoder(ensure_ascii=False).encode
        self.ids: dict[int, str] = {}

    def hear(self, time: int, what: str, thing: Any) -> None:
        """Writes what happens."""
        if what == "submitted":
            number, spec, landing = thing
            self.ids[number] = spec.id
            line: dict[str, Any] = {
                "time_ms": time, "what": "submit", "app": spec.id, "user": spec.user, "requested": spec.queue,
                "outcome": landing.outcome, "queue": landing.queue, "code": landing.code or None,
            }  # fmt: skip
        elif what == "ended":
            line = {"time_ms": time, "what": "end", "app": self.ids.pop(thing[0]), "how": thing[2]}
        elif what == "decided":
            line = {"time_ms": time, "what": thing.kind, "app": self.ids.get(thing.app)}
            container = thing.container
            if container is not None:
                line |= {"container": container.id[1], "attempt": container.id[2], "node": container.node.name,
                         "priority": container.key[0], "size": list(container.size)}  # fmt: skip
            if thing.kind == ALLOCATE:
                line["reserved"] = bool(thing.detail)
            elif thing.kind == FINISH:
                line["exit"] = thing.detail
        else:
            return
        self.write(self.encode(line) + "\n")


#: The columns of a timeline behind time and queue, by the names of QueueMetrics and FSQueueMetrics.
METRICS = (
    "AppsSubmitted", "AppsPending", "AppsRunning", "AppsCompleted", "AppsKilled", "AppsFailed", "AllocatedMB",
    "AllocatedVCores", "AggregateContainersAllocated", "PendingMB", "PendingVCores", "FairShareMB", "FairShareVCores",
    "SteadyFairShareMB", "SteadyFairShareVCores", "MinShareMB", "MinShareVCores", "MaxShareMB", "MaxShareVCores",
    "AmResourceUsageMB", "AmResourceUsageVCores",
)  # fmt: skip


class TimelineFile(_File):
    """Metrics of every queue at every step: what is true when all of that moment has happened."""

    def __init__(self, out: Output, path: str, every: int, recorder: Recorder):
        super().__init__(out, path, "--timeline")
        ending = path.rpartition(".")[2].lower()
        if ending not in ("csv", "jsonl", "ndjson"):
            hint = "end its name with .csv or .jsonl"
            raise UsageError(f"{path!r:.80} has no known form", where="--timeline", hint=hint)
        self.csv = ending == "csv"
        self.every = every
        self.recorder = recorder
        self.next = 0
        if self.csv:
            self.write(f"time_ms,queue,{','.join(METRICS)}\n")

    def hear(self, time: int, _what: str, _thing: Any) -> None:
        """Writes the steps that have passed."""
        while self.next < time:
            self._step()

    def close(self) -> None:
        """Writes the steps up to the end of the run."""
        while self.next <= self.recorder.time:
            self._step()

    def _step(self) -> None:
        for record in self.recorder.queues.values():
            values = self._values(record)
            if self.csv:
                name = record.name
                quoted = '"' + name.replace('"', '""') + '"' if any(mark in name for mark in ',"\n\r') else name
                self.write(f"{self.next},{quoted},{','.join(map(str, values))}\n")
            else:
                line = {"time_ms": self.next, "queue": record.name, **dict(zip(METRICS, values, strict=True))}
                self.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.next += self.every

    @staticmethod
    def _values(record: QueueRecord) -> list[int]:
        state, used, demand = record.state, record.used, record.demand
        pending = [max(part - use, 0) for part, use in zip(demand, used, strict=True)]
        masters = state.am_used if record.leaf else (0, 0)
        return [
            record.apps, record.pending, record.running, record.ended["finished"], record.ended["killed"],
            record.ended["failed"], used[0], used[1], record.containers, pending[0], pending[1], record.share[0],
            record.share[1], record.steady[0], record.steady[1], state.min[0], state.min[1], state.max[0],
            state.max[1], masters[0], masters[1],
        ]  # fmt: skip
