"""The lines of `--batch`, each a submission: tab-separated, CSV or JSON lines.

Columns are user, groups, queue in this order (two: user and queue; one: the user), or as a first line names them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsim.config.groups import GroupNames, split_groups
from fairsim.config.names import MOST_CHARACTERS
from fairsim.errors import InputError

TSV, CSV, JSONL = "tsv", "csv", "jsonl"
MOST_KEPT = 50_000  # texts of groups
COLUMNS = ("user", "groups", "queue")
_BY_ENDING = {".tsv": TSV, ".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL, ".json": JSONL}
_BY_NUMBER = {1: ("user",), 2: ("user", "queue"), 3: COLUMNS}
_HINT = "write user, groups and queue, such as fred<tab>eng,ops<tab>root.a; a first line may name the columns"
_JSON_HINT = 'write {"user": "fred", "groups": ["eng"], "queue": "a"}; groups null is a look-up that fails'

#: A user, the groups (False: the line does not tell them, None: they cannot be looked up), the queue (None: none).
Row = tuple[str, GroupNames | bool | None, str | None]


class BadRow(Exception):
    """A line that is no submission: `line` as it was read, `error` without a place."""

    def __init__(self, line: str, error: InputError):
        super().__init__(error.message)
        self.line, self.error = line, error


class Rows:
    """Reads the lines of one file; the first one decides the form where the name of the file does not."""

    def __init__(self, name: str, first: str):
        ending = name[name.rfind(".") :].lower() if "." in name else ""
        by_look = JSONL if first.lstrip().startswith("{") else TSV if "\t" in first else CSV
        self.kind = _BY_ENDING.get(ending, by_look)
        self.columns: Sequence[str] | None = None
        self.groups: dict[str, GroupNames | bool | None] = {"": False, "-": None}  # by their text
        if self.kind != JSONL:
            cells = [cell.strip().lower() for cell in self._cells(first)]
            known = [cell in COLUMNS for cell in cells]
            if all(known) and "user" in cells and len(set(cells)) == len(cells):
                self.columns = cells
            elif len(cells) > 1 and (all(known) or ("user" in cells and all(map(str.isidentifier, cells)))):
                hint = "write user, groups and queue in any order, user at least"
                raise BadRow(first, InputError("the line names columns, but not one user, groups, queue", hint=hint))

    @property
    def has_head(self) -> bool:
        """Returns whether the first line names the columns."""
        return self.columns is not None

    def read(self, line: str) -> Row | None:
        """Returns the submission of a line without its end, None where it is blank or a remark. Raises BadRow."""
        if not line.strip() or line.startswith("#"):
            return None
        if self.kind == JSONL:
            return _from_json(line)
        cells = self._cells(line)
        if len(cells) == 3 and self.columns is None:  # the usual form
            user, groups, queue = cells
        else:
            user, groups, queue = self._named(line, cells)
        if user.startswith("{"):
            hint = "write all lines as JSON objects, beginning with the first"
            raise BadRow(line, InputError("the line is a JSON object among lines of columns", hint=hint))
        if len(queue) > MOST_CHARACTERS:
            raise BadRow(line, InputError(f"the name of the queue has {len(queue)} characters", hint=_HINT))
        if not user:
            raise BadRow(line, InputError("the line has no user", hint=_HINT))
        known = self.groups
        if groups not in known:
            if len(known) > MOST_KEPT:
                known = self.groups = {"": False, "-": None}
            known[groups] = split_groups(groups.replace(";", ","))
        return user, known[groups], queue or None

    def _named(self, line: str, cells: Sequence[str]) -> tuple[str, str, str]:
        columns = self.columns or _BY_NUMBER.get(len(cells))
        if columns is None or len(columns) != len(cells):
            wanted = f"{len(columns)}" if columns else "1 to 3"
            raise BadRow(line, InputError(f"the line has {len(cells)} columns, not {wanted}", hint=_HINT))
        named = dict(zip(columns, cells, strict=True))
        return named["user"], named.get("groups", ""), named.get("queue", "")

    def _cells(self, line: str) -> list[str]:
        if self.kind == TSV:
            return line.split("\t")
        if '"' not in line:
            return line.split(",")
        import csv  # most files have no quotes

        if line.count('"') % 2:
            hint = "write each submission in one line"
            raise BadRow(line, InputError("a quote is not closed in its line", hint=hint))
        return next(csv.reader([line]))


def _from_json(line: str) -> Row:
    import json

    try:
        told: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise BadRow(line, InputError("the line is not JSON", hint=_JSON_HINT)) from None
    if not isinstance(told, dict) or not isinstance(told.get("user"), str) or not told["user"]:
        raise BadRow(line, InputError("the line is no object with a user", hint=_JSON_HINT))
    queue = told.get("queue")
    groups = told.get("groups", False)
    if isinstance(groups, list) and all(isinstance(name, str) for name in groups):
        groups = tuple(dict.fromkeys(groups))
    elif groups is not None and groups is not False:
        raise BadRow(line, InputError("groups is neither a list of names nor null", hint=_JSON_HINT))
    if queue is not None and not isinstance(queue, str):
        raise BadRow(line, InputError("queue is neither a name nor null", hint=_JSON_HINT))
    unknown = next((key for key in told if key not in COLUMNS), None)
    if unknown is not None:
        raise BadRow(line, InputError(f"unknown key {unknown!r:.40}", hint=_JSON_HINT))
    return told["user"], groups, queue
