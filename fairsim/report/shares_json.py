"""The JSON of `fairsim shares` (schema 1): resources are maps by YARN name, unlimited is null."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fairsim.javanum import shortest_float32
from fairsim.model.apps import App
from fairsim.model.queues import QueueTree
from fairsim.model.resources import INT_MAX, Amount
from fairsim.report.queue_notes import notes_of
from fairsim.report.shares import line_of
from fairsim.report.views import View, any_number, bounded, fitting_masters
from fairsim.shares.explain import Explanation


def document(
    views: Sequence[View],
    notes: Sequence[str],
    findings: Sequence[dict[str, Any]],
    apps: Sequence[dict[str, Any]] | None,
    explanations: Sequence[Explanation],
) -> dict[str, Any]:
    """Returns the answer: one `queues` list, or `runs` with one for each size of the cluster."""
    tree = views[0].tree
    answer: dict[str, Any] = {"schema": 1, "command": "shares", "hadoop": tree.profile.label}
    if len(views) == 1:
        answer.update(_run(views[0]))
    else:
        answer["runs"] = [_run(view) for view in views]
    answer["not_created"] = [
        {"queue": lost.name, "fault": lost.fault, "reason": lost.reason, "line": _line(tree, lost.element)}
        for lost in tree.lost
    ]
    if apps is not None:
        answer["apps"] = list(apps)
    if explanations:
        answer["explain"] = [_explanation(tree, one) for one in explanations]
    answer["findings"] = list(findings)
    answer["notes"] = list(notes)
    return answer


def records(views: Sequence[View]) -> Iterator[dict[str, Any]]:
    """Yields one object for each queue (and size of the cluster), for JSON lines."""
    for view in views:
        cluster = _amount(view.tree, view.shares.cluster)
        for record in _queues(view):
            yield {"hadoop": view.tree.profile.label, "cluster": cluster, **record}


def _run(view: View) -> dict[str, Any]:
    return {"cluster": _amount(view.tree, view.shares.cluster), "queues": list(_queues(view))}


def _queues(view: View) -> Iterator[dict[str, Any]]:
    tree, shares = view.tree, view.shares
    for index, (queue, room, notes) in enumerate(zip(shares.queues, view.rooms, notes_of(view), strict=True)):
        most = bounded(shares.maxima[index], view.unlimited)
        apps = tree.max_running_apps(queue).value
        record = {
            "queue": queue.name,
            "parent": queue.parent.name if queue.parent else None,
            "leaf": queue.leaf,
            "policy": queue.policy,
            "weight": shortest_float32(queue.weight),
            "min": _amount(tree, queue.min),
            "max": None if most is None else dict(zip(tree.types.names, most, strict=True)),
            "steady": _amount(tree, shares.steady[index]),
            "instantaneous": _amount(tree, shares.instantaneous[index]),
            "active": shares.active[index],
            "am_limit": dict(zip(tree.types.names, room, strict=True)) if room and any_number(room) else None,
            "max_running_apps": None if apps == INT_MAX else apps,
            "line": line_of(tree, queue),
            "notes": notes,
        }
        if view.master is not None:
            record["am_fit"] = fitting_masters(view, index)
        yield record


def app_record(tree: QueueTree, app: App, waits: str, share: Amount) -> dict[str, Any]:
    """Returns one application as an object."""
    return {
        "app": app.name,
        "queue": app.queue,
        "user": app.user or None,
        "runnable": not waits,
        "waits": waits or None,
        "demand": _amount(tree, app.demand),
        "instantaneous": _amount(tree, share),
    }


def _explanation(tree: QueueTree, one: Explanation) -> dict[str, Any]:
    unlimited = dict(zip(tree.types.names, tree.unlimited(), strict=True))
    return {
        "queue": one.queue,
        "mode": one.mode,
        "steps": [
            {
                "parent": step.parent, "policy": step.policy, "resource": step.kind, "total": step.total,
                "taken": step.taken, "target": step.target, "ratio": step.ratio, "sum": step.sum,
                "children": [
                    {
                        **member._asdict(),
                        "weight": shortest_float32(member.weight),
                        "max": None if member.max >= unlimited[step.kind] else member.max,
                    }
                    for member in step.members
                ],
            }
            for step in one.steps
        ],
        "undivided": one.undivided,
        "starved": one.starved,
    }  # fmt: skip


def _amount(tree: QueueTree, amount: Amount) -> dict[str, int]:
    return dict(zip(tree.types.names, amount, strict=True))


def _line(tree: QueueTree, element: Any) -> int | None:
    return None if tree.locate is None or element is None else tree.locate(element).line
