"""Two answers to one request, in one form, and what differs between them.

An answer is `{"refused": why}`, `{"hang": true}`, `{"unknown": why}` where fairsim gives none, or what the mode says,
with lists of values for each queue that exists.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fairsim.config.allocation import RawAllocation, read_allocation
from fairsim.config.build import build_tree
from fairsim.config.site import Site, build_site
from fairsim.model.cluster import ordered_types
from fairsim.model.queues import QueueTree
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import Profile
from fairsim.xmlio.reader import XmlRefused, read_document
from tests.oracle.ask import Request, ask
from tests.oracle.reasons import agree

__all__ = ["Answer", "Difference", "Verdict", "World", "ask", "differences", "hadoop_verdict", "plain", "read"]

Answer = dict[str, Any]


class Verdict(Exception):
    """There is no more to say than that the file is refused, that Hadoop hangs, or that fairsim can not tell."""

    def __init__(self, answer: Answer):
        super().__init__(str(answer))
        self.answer = answer


class World(NamedTuple):
    """What fairsim made of the file and the properties of a request."""

    hadoop: Profile
    types: ResourceTypes
    site: Site
    raw: RawAllocation
    tree: QueueTree


def read(request: Request, hadoop: Profile) -> World:
    """Returns what fairsim reads in the request. Raises Verdict where nothing is left to read."""
    types = ordered_types(dict.fromkeys(request.get("resource_types", ()), ""))
    site = build_site(defines=[f"{name}={text}" for name, text in request.get("site", {}).items()])
    for one in site.findings(hadoop):
        if one.finding.refuses:
            raise Verdict({"refused": one.finding.code})
    try:
        document = read_document(file_of(request), secure=hadoop.features.secure_xml)
    except XmlRefused as error:
        raise Verdict({"refused" if error.finding.refuses else "unknown": error.finding.code}) from None
    raw = read_allocation(document, hadoop, types)
    if raw.refusals:
        raise Verdict({"refused": raw.refusals[0].code})
    return World(hadoop, types, site, raw, build_tree(raw))


def file_of(request: Request) -> bytes:
    """Returns the bytes of the allocation file."""
    if "alloc_b64" in request:
        return base64.b64decode(request["alloc_b64"])
    return str(request["alloc"]).encode("utf-8")


def hadoop_verdict(answer: Any) -> Answer | None:
    """Returns the answer of the oracle where there is no more to it than a verdict, else None."""
    if answer.get("hang"):
        return {"hang": True}
    if answer.get("loaded") is False:
        error = answer["error"]
        return {"refused": f"{error['root_class'].rpartition('.')[2]}: {error['root_message']}"[:300]}
    if "queues" not in answer:
        return {"fault": answer.get("failed") or answer.get("bad_request") or str(answer)[:500]}
    return None


def plain(value: Any) -> Any:
    """Returns a value as the oracle's JSON has it: lists, and floats that JSON can not write as text."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return value


class Difference(NamedTuple):
    """One value that differs: in which queue (or part of the answer), which field, and both values."""

    where: str
    field: str
    hadoop: Any
    fairsim: Any

    def __str__(self) -> str:
        return f"{self.where} {self.field}: Hadoop {self.hadoop}, fairsim {self.fairsim}".lstrip()


def differences(hadoop: Answer, fairsim: Answer, fields: Sequence[str]) -> list[Difference]:
    """Returns what differs; empty when the answers agree. `fields` name the values of a queue."""
    if "unknown" in fairsim:
        return []
    if "queues" not in hadoop or "queues" not in fairsim:
        if "refused" in hadoop and "refused" in fairsim:
            why, code = hadoop["refused"], fairsim["refused"]
            return [] if agree(code, why) else [Difference("", f"reason of {code}", why, code)]
        return [] if hadoop == fairsim else [Difference("", "verdict", _kind(hadoop), _kind(fairsim))]
    found: list[Difference] = []
    for part in sorted({*hadoop, *fairsim}):
        if part != "queues":
            _compare(part, hadoop.get(part), fairsim.get(part), found)
            continue
        theirs, ours = hadoop[part], fairsim[part]
        for name in sorted({*theirs, *ours}):
            if name in theirs and name in ours:
                pairs = zip(fields, theirs[name], ours[name], strict=True)
                found += [Difference(name, field, one, other) for field, one, other in pairs if one != other]
            else:
                found.append(Difference(name, "exists", name in theirs, name in ours))
    return found


def _compare(path: str, left: Any, right: Any, found: list[Difference]) -> None:
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        for key in sorted({*left, *right}):
            _compare(f"{path} {key}", left.get(key), right.get(key), found)
    elif left != right:
        where, _, field = path.rpartition(" ")
        found.append(Difference(where, field, left, right))


def _kind(answer: Answer) -> str:
    if "queues" in answer:
        return "loads"
    return ", ".join(key if value is True else f"{key} ({value})" for key, value in answer.items())
