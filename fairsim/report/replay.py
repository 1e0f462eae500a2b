"""What came of a replay: waits and shares of queues and users, jams, and the story of one application."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fairsim.replay.obstacle import obstacle
from fairsim.replay.record import QueueRecord, Recorder, Tally
from fairsim.replay.scheduler import Scheduler
from fairsim.replay.story import Story
from fairsim.report.table import RIGHT, Column, Table
from fairsim.traces.trace import Trace
from fairsim.units import format_amount

Block = Table | str
JAM = 0.05  # so great a part of the time makes a jam worth telling
MOST = 6


class Run(NamedTuple):
    """One run: its name, the scheduler and what was remembered, how far it went, and whether it was broken off."""

    name: str
    scheduler: Scheduler
    recorder: Recorder
    end_ms: int
    partial: bool
    story: Story | None
    too_large: dict[str, str]


def span(ms: Any) -> str:
    """Returns a time in short: 0.5s, 45s, 18m12s, 2h05m, 3d04h."""
    if ms < 10_000:
        return f"{ms / 1000:.1f}s".replace(".0s", "s")
    seconds = round(ms / 1000)
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m{seconds % 60:02}s"
    minutes = seconds // 60
    if minutes < 48 * 60:
        return f"{minutes // 60}h{minutes % 60:02}m"
    return f"{minutes // 1440}d{minutes // 60 % 24:02}h"


# -- records


def tally_record(tally: Tally) -> dict[str, Any]:
    """Returns the numbers that queues, users and the cluster have."""
    return {
        "apps": tally.apps, **tally.ended, "running": tally.running, "pending": tally.pending,
        "containers": tally.containers, "lost": tally.lost, "wait_ms": tally.first.record(),
        "master_wait_ms": tally.master.record(), "container_wait_ms": tally.container.record(),
        "duration_ms": tally.whole.record(),
    }  # fmt: skip


def queue_record(record: QueueRecord, end_ms: int) -> dict[str, Any]:
    """Returns all that is told of a queue. Means are those of the time in which it used or wanted something."""
    wants = record.wants_ms or 1
    return {
        "queue": record.name, "leaf": record.leaf, **tally_record(record),
        "mean_pending": record.pending_ms / end_ms if end_ms else 0.0,
        "mean_running": record.running_ms / end_ms if end_ms else 0.0,
        "wants_ms": record.wants_ms, "below_share_ms": record.short_ms, "masters_only_ms": record.masters_ms,
        "held_back_ms": record.held_ms,
        "used_mb": round(record.used_ms[0] / wants), "used_vcores": round(record.used_ms[1] / wants),
        "share_mb": round(record.share_ms[0] / wants), "share_vcores": round(record.share_ms[1] / wants),
        "steady_mb": record.steady[0], "steady_vcores": record.steady[1], "most_used_mb": record.most[0],
    }  # fmt: skip


def jain(records: Sequence[QueueRecord]) -> float | None:
    """Returns how evenly the leaves got their shares: 1 is even (Jain, Chiu, Hawe), None where no leaf wanted any."""
    leaves = [record for record in records if record.leaf and record.share_ms[0]]
    ratios = [min(record.used_ms[0] / record.share_ms[0], 1.0) for record in leaves]
    squares = sum(ratio * ratio for ratio in ratios)
    return sum(ratios) ** 2 / (len(ratios) * squares) if squares else None


def cluster_record(run: Run) -> dict[str, Any]:
    """Returns what is told of the whole cluster."""
    recorder = run.recorder
    root = recorder.queues["root"]
    room = recorder.room_ms
    return {
        **tally_record(recorder.total), "nodes": len(run.scheduler.nodes), "simulated_ms": run.end_ms,
        "updates": recorder.updates, "refusals": dict(sorted(recorder.refusals.items())),
        "used_part_mb": root.used_ms[0] / room[0] if room[0] else 0.0,
        "used_part_vcores": root.used_ms[1] / room[1] if room[1] else 0.0,
        "kept_node_ms": recorder.kept_ms, "jain": jain(list(recorder.queues.values())),
    }  # fmt: skip


def run_record(run: Run) -> dict[str, Any]:
    """Returns all that is told of a run."""
    recorder = run.recorder
    return {
        "variant": run.name, "partial": run.partial, "cluster": cluster_record(run),
        "queues": [queue_record(record, run.end_ms) for record in recorder.queues.values()],
        "users": [{"user": name, **tally_record(tally)} for name, tally in sorted(recorder.users.items())],
        "jams": jams(run),
    }  # fmt: skip


def document(runs: Sequence[Run], trace: Trace, seed: int, label: str) -> dict[str, Any]:
    """Returns the answer as JSON has it; queues, users and cluster are those of the first run."""
    found = [run_record(run) for run in runs]
    first = {key: value for key, value in found[0].items() if key not in ("variant", "partial")}
    return {
        "schema": 1, "command": "replay", "hadoop": label, "seed": seed, "partial": runs[-1].partial,
        "trace": {"apps": trace.count, "containers": trace.containers, "end_ms": trace.end_ms}, **first,
        "variants": found if len(found) > 1 else [],
    }  # fmt: skip


def records(runs: Sequence[Run]) -> Iterator[dict[str, Any]]:
    """Yields a record for each queue, user and cluster of each run."""
    for run in runs:
        told = run_record(run)
        for kind, many in (("queue", told["queues"]), ("user", told["users"]), ("cluster", [told["cluster"]])):
            for one in many:
                yield {"variant": run.name, "kind": kind, **one}


# -- jams


def jams(run: Run) -> list[str]:
    """Returns what stood in the way for long, or stands there for ever, in words."""
    recorder, scheduler = run.recorder, run.scheduler
    found = [
        f"{record.name}: nothing but masters ran for {span(record.masters_ms)}, while others waited for theirs; "
        "a smaller maxAMShare leaves room for their containers"
        for record in recorder.queues.values()
        if record.masters_ms > JAM * max(run.end_ms, 1) and record.masters_ms >= 10_000
    ]
    found += [
        f"{record.name}: running limits (of queues or users) held applications back for {span(record.held_ms)}"
        for record in recorder.queues.values()
        if record.held_ms > JAM * max(run.end_ms, 1)
    ]
    stuck: dict[tuple[str, str], int] = {}
    for number in recorder.running:
        attempt = scheduler.attempts.get(number)
        if attempt is not None and attempt.keys:
            key = attempt.queue.name, obstacle(scheduler, attempt)
            stuck[key] = stuck.get(key, 0) + 1
    for (queue, reason), count in list(stuck.items())[:MOST]:
        waits = "waits" if count == 1 else "wait"
        found.append(f"{queue}: at the end {count} application{'s' * (count != 1)} still {waits} for {reason}")
    if len(stuck) > MOST:
        found.append(f"and {len(stuck) - MOST} more such")
    whole = len(scheduler.nodes) * run.end_ms
    if whole and recorder.kept_ms > JAM * whole:
        part = recorder.kept_ms / whole
        found.append(f"nodes were kept for containers too large for what they had free {part:.0%} of the time")
    for app, stage in run.too_large.items():
        found.append(f"{app}: a container of its stage {stage} is larger than any node or the maximum allocation")
    for code, count in sorted(recorder.refusals.items()):
        found.append(f"{count} application{'s' * (count != 1)} refused: {code}")
    return found


# -- for people

_TIMES = {"align": RIGHT, "show": span}
_QUEUE_COLUMNS = [
    Column("variant", "", rank=0), Column("queue", "queue", rank=0, style="name"),
    Column("apps", "apps", RIGHT, rank=0), Column("finished", "ended", RIGHT),
    Column("pending", "left", RIGHT, rank=2), Column("wait_p50", "wait p50", rank=0, **_TIMES),  # type: ignore[arg-type]
    Column("wait_p99", "p99", rank=0, **_TIMES), Column("wait_max", "max", **_TIMES),  # type: ignore[arg-type]
    Column("container_p50", "container p50", rank=3, **_TIMES),  # type: ignore[arg-type]
    Column("container_p99", "p99", rank=3, **_TIMES),  # type: ignore[arg-type]
    Column("used_mb", "used", RIGHT, "MB"), Column("share_mb", "share", RIGHT, "MB"),
    Column("steady_mb", "steady", RIGHT, "MB", rank=2),
    Column("below_share", "below share", RIGHT, rank=0, show=lambda part: f"{part:.0%}"),
    Column("differs", "", rank=0, none=""),
]  # fmt: skip
_USER_COLUMNS = [
    Column("variant", "", rank=0), Column("user", "user", rank=0, style="name"),
    Column("apps", "apps", RIGHT, rank=0), Column("finished", "ended", RIGHT),
    Column("wait_p50", "wait p50", rank=0, **_TIMES),  # type: ignore[arg-type]
    Column("wait_p99", "p99", rank=0, **_TIMES),  # type: ignore[arg-type]
    Column("wait_max", "max", **_TIMES), Column("containers", "containers", RIGHT, rank=2),  # type: ignore[arg-type]
    Column("differs", "", rank=0, none=""),
]  # fmt: skip


def _row(told: dict[str, Any]) -> dict[str, Any]:
    wait, container = told["wait_ms"], told["container_wait_ms"]
    row = {
        **told, "wait_p50": wait["p50"], "wait_p99": wait["p99"], "wait_max": wait["max"],
        "container_p50": container["p50"], "container_p99": container["p99"],
    }  # fmt: skip
    if "wants_ms" in told:
        row["below_share"] = told["below_share_ms"] / told["wants_ms"] if told["wants_ms"] else 0.0
    return row


def _table(columns: Sequence[Column], runs: Sequence[Run], key: str, title: str) -> Table:
    told = {run.name: run_record(run) for run in runs}
    many = f"{key}s"
    names = dict.fromkeys(one[key] for record in told.values() for one in record[many])
    by_name = {name: {one[key]: _row(one) for one in record[many]} for name, record in told.items()}
    shown = [column for column in columns if len(runs) > 1 or column.key not in ("variant", "differs")]
    rows = []
    for name in names:
        first = None
        for run in runs:
            row = by_name[run.name].get(name)
            if row is None or not (row["apps"] or row.get("wants_ms")):
                continue
            row["variant"] = _letter(runs, run)
            cells = [row.get(column.key) for column in shown]
            compared = [row.get(column.key) for column in shown if column.key not in ("variant", "differs")]
            first = first or compared
            if len(runs) > 1:
                cells[-1] = "differs" if compared != first else None
            rows.append(cells)
    return Table(shown, rows, title)


def _letter(runs: Sequence[Run], run: Run) -> str:
    """Returns the short name of a run: A, B, C."""
    place = runs.index(run)
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def blocks(runs: Sequence[Run], label: str) -> list[Block]:
    """Returns the answer for people."""
    found: list[Block] = []
    for run in runs:
        told = cluster_record(run)
        head = f"{_letter(runs, run)}  " if len(runs) > 1 else ""
        part = ", broken off" if run.partial else ""
        even = f", evenness {told['jain']:.2f}" if told["jain"] is not None else ""
        ended = " ".join(f"{told[how]} {how}" for how in ("finished", "killed", "failed", "refused") if told[how])
        used = f"memory {told['used_part_mb']:.0%} used, vcores {told['used_part_vcores']:.0%}"
        found.append(
            f"{head}{run.name}: {told['apps']} applications, {told['containers']} containers in "
            f"{span(run.end_ms)}{part}: {ended or 'none ended'}; {used}{even}"
        )
    nodes = len(runs[0].scheduler.nodes)
    cluster = format_amount(runs[0].scheduler.cluster, runs[0].scheduler.tree.types)
    title = f"Hadoop {label}, {nodes} nodes, {cluster}"
    found.append(_table(_QUEUE_COLUMNS, runs, "queue", title))
    found.append(_table(_USER_COLUMNS, runs, "user", ""))
    for run in runs:
        lines = jams(run)
        if lines:
            head = f"{_letter(runs, run)}  " if len(runs) > 1 else ""
            found.append("\n".join(f"{head}{line}" for line in lines))
    return found


# -- one application


def story(run: Run) -> list[Block]:
    """Returns the story of an application for people."""
    told = run.story
    assert told is not None
    rows = [(span(line.time), line.text) for line in told.lines]
    notes = [f"{told.missed} more lines are left out"] if told.missed else []
    columns = [Column("time", "at", RIGHT, rank=0), Column("text", told.id, wrap=True, rank=0)]
    return [Table(columns, rows, "", notes)]


def story_records(run: Run) -> Iterator[dict[str, Any]]:
    """Yields the story line by line."""
    assert run.story is not None
    for line in run.story.lines:
        yield {"time_ms": line.time, "app": run.story.id, "text": line.text}


def story_document(run: Run, label: str) -> dict[str, Any]:
    """Returns the story as JSON has it."""
    assert run.story is not None
    return {
        "schema": 1, "command": "replay", "hadoop": label, "partial": run.partial, "app": run.story.id,
        "story": [{"time_ms": line.time, "text": line.text} for line in run.story.lines],
    }  # fmt: skip
