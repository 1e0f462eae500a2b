"""One case asked of both sides, and their answers in one form.

An answer is `{"refused": true}`, `{"hang": true}`, or `{"queues": {name: [...]}}` with the values of FIELDS for each
queue that exists. Amounts are lists in the order of the case's resource types.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from fairsim.config.allocation import read_allocation
from fairsim.config.build import build_tree
from fairsim.model.cluster import ordered_types
from fairsim.model.queues import Queue, QueueTree
from fairsim.profiles import profile
from fairsim.shares.solve import Hangs, Shares, am_limit, solve
from fairsim.xmlio.reader import XmlRefused, read_document
from tests.oracle.cases import Case, pick

HERE = Path(__file__).parent
FIELDS = (
    "leaf", "policy", "weight", "min", "max", "steady", "instantaneous", "am_limit", "max_running_apps", "max_am_share",
    "min_share_preemption_timeout_ms", "fair_share_preemption_timeout_ms", "fair_share_preemption_threshold",
    "preemptable",
)  # fmt: skip
TIMEOUT_MS = 2000  # of processor time: an answer takes 5 ms

Answer = dict[str, Any]


def fairsim_answer(alloc: str, cluster: dict[str, int], active: Iterable[str], version: str) -> Answer:
    """Returns what fairsim says; whatever it raises beyond a refusal or a hang goes up."""
    hadoop = profile(version)
    types = ordered_types(dict.fromkeys(list(cluster)[2:], ""))
    try:
        document = read_document(alloc.encode("utf-8", "surrogatepass"), secure=hadoop.features.secure_xml)
    except XmlRefused:
        return {"refused": True}
    raw = read_allocation(document, hadoop, types)
    if raw.refusals:
        return {"refused": True}
    tree = build_tree(raw)
    try:
        shares = solve(tree, types.amount(cluster), frozenset(active))
    except Hangs:
        return {"hang": True}
    return {"queues": {queue.name: _values(tree, shares, index) for index, queue in enumerate(shares.queues)}}


def _values(tree: QueueTree, shares: Shares, index: int) -> list[Any]:
    queue: Queue = shares.queues[index]
    room = None
    if queue.leaf:
        room = am_limit(tree, queue, shares.instantaneous[index], shares.maxima[index], shares.cluster)
    found = [
        queue.leaf,
        queue.policy,
        queue.weight,
        list(queue.min),
        list(shares.maxima[index]),
        list(shares.steady[index]),
        list(shares.instantaneous[index]),
        None if room is None else list(room),
        tree.max_running_apps(queue).value,
        tree.max_am_share(queue).value if queue.leaf else None,
        tree.preemption(queue, "minSharePreemptionTimeout").value,
        tree.preemption(queue, "fairSharePreemptionTimeout").value,
        tree.preemption(queue, "fairSharePreemptionThreshold").value,
        tree.preemptable(queue).value,
    ]
    return [_plain(value) for value in found]


def _plain(value: Any) -> Any:
    """Returns a float that JSON can not write as text, as the oracle does."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return value


def hadoop_answers(cases: Sequence[Case], version: str) -> list[tuple[list[str], Answer]]:
    """Returns for each case the active leaves, and what Hadoop's own classes say. Builds the oracle if need be."""
    leaves = [_leaves(answer) for answer in ask(version, [_request(case, "load", ()) for case in cases])]
    active = [pick(found, case.active) for found, case in zip(leaves, cases, strict=True)]
    asked = [_request(case, "shares", chosen) for case, chosen in zip(cases, active, strict=True)]
    answers = ask(version, asked)
    return [(chosen, reduced(answer, case)) for chosen, answer, case in zip(active, answers, cases, strict=True)]


def _request(case: Case, mode: str, active: Sequence[str]) -> dict[str, Any]:
    request: dict[str, Any] = {"mode": mode, "alloc": case.alloc, "config": False, "timeout_ms": TIMEOUT_MS}
    if mode == "shares":
        request |= {"cluster": case.cluster, "active": list(active)}
    if len(case.cluster) > 2:
        request["resource_types"] = {name: {"units": ""} for name in case.types[2:]}
    return request


def ask(version: str, requests: Iterable[dict[str, Any]]) -> list[Any]:
    """Returns the oracle's answers, in order; raises RuntimeError when one is missing."""
    lines = [json.dumps({"id": number, **request}) for number, request in enumerate(requests)]
    done = subprocess.run(
        [sys.executable, str(HERE / "run"), version], input="\n".join(lines) + "\n",
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    if len(found) != len(lines):
        raise RuntimeError(f"{len(found)} answers to {len(lines)} questions: {done.stderr[-2000:]}")
    return [found[number] for number in range(len(lines))]


def _leaves(answer: Any) -> list[str]:
    return [queue["name"] for queue in answer.get("queues", ()) if queue["leaf"]]


def reduced(answer: Any, case: Case) -> Answer:
    """Returns the oracle's answer in the common form."""
    if answer.get("hang"):
        return {"hang": True}
    if answer.get("loaded") is False:
        return {"refused": True}
    if "queues" not in answer:
        raise RuntimeError(f"seed {case.seed}: {str(answer)[:500]}")
    names = ordered_types(dict.fromkeys(case.types[2:], "")).names
    return {"queues": {queue["name"]: _reduced_queue(queue, names) for queue in answer["queues"]}}


def _reduced_queue(queue: Any, names: Sequence[str]) -> list[Any]:
    def amount(key: str) -> list[int] | None:
        value = queue.get(key)
        return None if value is None else [value.get(name, 0) for name in names]

    part = queue.get("max_am_share")
    off = part is not None and abs(float(part) + 1.0) < 0.0001
    return [
        queue["leaf"], queue["policy"].lower(), queue["weight"], amount("min"), amount("max"), amount("steady"),
        amount("fair"), None if off else amount("am_limit"), queue["max_running_apps"],
        part if queue["leaf"] else None, queue["min_share_preemption_timeout_ms"],
        queue["fair_share_preemption_timeout_ms"], queue["fair_share_preemption_threshold"],
        queue.get("preemptable", True),
    ]  # fmt: skip


def differences(hadoop: Answer, fairsim: Answer) -> list[str]:
    """Returns what differs, in words; empty when the answers are equal."""
    if "queues" not in hadoop or "queues" not in fairsim:
        return [] if hadoop == fairsim else [f"Hadoop: {_kind(hadoop)}, fairsim: {_kind(fairsim)}"]
    theirs, ours = hadoop["queues"], fairsim["queues"]
    found = [f"{name} exists in Hadoop only" for name in theirs if name not in ours]
    found += [f"{name} exists in fairsim only" for name in ours if name not in theirs]
    for name in theirs.keys() & ours.keys():
        for field, left, right in zip(FIELDS, theirs[name], ours[name], strict=True):
            if left != right:
                found.append(f"{name} {field}: Hadoop {left}, fairsim {right}")
    return sorted(found)


def _kind(answer: Answer) -> str:
    return "loads" if "queues" in answer else " and ".join(answer)
