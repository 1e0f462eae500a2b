"""The queues that a running scheduler has made on the fly, for `--live`.

A text file with lines `leaf root.a.fred` and `parent root.a`, or /ws/v1/cluster/scheduler saved as JSON.
"""

from __future__ import annotations

from fairsim.config.names import ROOT, full_name
from fairsim.diag import Pos
from fairsim.errors import InputError
from fairsim.model.resources import ResourceTypes

_HINT = "write lines such as `leaf root.users.fred` and `parent root.users`, or save /ws/v1/cluster/scheduler as JSON"
_KINDS = {"leaf": True, "parent": False}


def read_live(data: bytes, where: str, types: ResourceTypes) -> list[tuple[str, bool]]:
    """Returns full names, each with whether it is a leaf, those above first. Raises InputError with line and column."""
    begin = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin.startswith(b"<"):
        hint = "save it as JSON: ask for /ws/v1/cluster/scheduler with the header Accept: application/json"
        raise InputError("the file is XML, not a list of queues", where=where, hint=hint)
    if begin.startswith(b"{"):
        from fairsim.config.state_rm import state_from_rm  # loads json

        found = [(name, queue.leaf) for name, queue in state_from_rm(data, where, types).queues.items()]
        if not found:
            raise InputError("the JSON tells of no queues", where=where, hint=_HINT)
    else:
        found = list(_lines(data, where).items())
    return sorted((one for one in found if one[0] != ROOT), key=lambda one: one[0].count("."))


def _lines(data: bytes, where: str) -> dict[str, bool]:
    found: dict[str, bool] = {}
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8", where=where, hint="save it as UTF-8") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        kind, _, name = line.strip().partition(" ")
        if kind not in _KINDS or not name.strip():
            raise InputError(f"{line.strip()!r:.60} is no queue", where=where, pos=Pos(number, 1), hint=_HINT)
        name = full_name(name.strip())
        if found.setdefault(name, _KINDS[kind]) != _KINDS[kind]:
            message = f"{name} is a leaf and a parent"
            raise InputError(message, where=where, pos=Pos(number, 1), hint="keep one of the two lines")
    return found
