"""Many placements, a line each, written as they come: in every format, without a table in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairsim.placement.submission import PLACED, Landing, Placement
from fairsim.report.cells import escape
from fairsim.report.place import KEYS, line_of, quoted, submission

Groups = Sequence[str] | bool | None


class Rows:
    """How the rows of one format are written: `head`, then rows with `between` them, then `end` with the counts.

    A row has two parts: who asks for what (`row`), and what becomes of it (`tail`), which may be that of many rows.
    """

    def __init__(self, placement: Placement, form: str):
        self.label = placement.tree.profile.label
        self.rules: dict[int, tuple[int, str, int | None]] = {
            id(rule): (number, rule.name, line_of(placement, rule.element))
            for number, rule in enumerate(placement.policy.rules, 1)
        }
        self.form = form
        self.head = self.between = ""
        self.row: Callable[[str, Groups, Sequence[str] | None, str | None, str], str] = self._text
        self.tail: Callable[[Landing], str] = _text_tail
        if form in ("csv", "markdown"):
            self.cell, mark = (_csv_cell, ",") if form == "csv" else (_markdown_cell, " | ")
            self.mark = mark
            self.row, self.tail = self._cells, self._cells_tail
            self.ends = ("", "\n") if form == "csv" else ("| ", " |\n")
            self.head = f"{self.ends[0]}{mark.join(map(self.cell, KEYS))}{self.ends[1]}"
            if form == "markdown":
                self.head += f"| {' | '.join(['---'] * len(KEYS))} |\n"
        elif form in ("json", "jsonl"):
            import json

            self.encode: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
            self.row, self.tail = self._json, self._json_tail
            self.ends = ("", "\n") if form == "jsonl" else ("  ", "")
        if form == "json":
            label = self.encode(self.label)
            self.head = f'{{\n "schema": 1,\n "command": "place",\n "hadoop": {label},\n "results": [\n'
            self.between = ",\n"

    def end(self, counts: Mapping[str, int]) -> str:
        """Returns what ends the output; `counts` are the rows by outcome."""
        return f'\n ],\n "counts": {self.encode(dict(counts))}\n}}\n' if self.form == "json" else ""

    def _values(self, landing: Landing) -> tuple[Any, ...]:
        rule = landing.rule
        number, name, line = self.rules[id(rule)] if rule is not None else (None, None, None)
        return (
            landing.outcome, landing.queue if landing.outcome == PLACED else None, number, name, line,
            [one.name for one in landing.made], landing.code or None, landing.text or None,
        )  # fmt: skip

    @staticmethod
    def _text(user: str, told: Groups, _groups: Sequence[str] | None, requested: str | None, tail: str) -> str:
        text = submission(user, told, requested)
        return f"{text if text.isprintable() else escape(text)}{tail}"

    def _cells(
        self, user: str, _told: Groups, groups: Sequence[str] | None, requested: str | None, tail: str
    ) -> str:
        cell, mark = self.cell, self.mark
        return f"{self.ends[0]}{cell(user)}{mark}{cell(groups)}{mark}{cell(requested)}{tail}"

    def _cells_tail(self, landing: Landing) -> str:
        return f"{self.mark}{self.mark.join(map(self.cell, self._values(landing)))}{self.ends[1]}"

    def _json(self, user: str, _told: Groups, groups: Sequence[str] | None, requested: str | None, tail: str) -> str:
        encode = self.encode
        begin = f'{self.ends[0]}{{"user": {encode(user)}, "groups": {encode(groups)}'
        return f'{begin}, "requested": {encode(requested)}, {tail}'

    def _json_tail(self, landing: Landing) -> str:
        members = dict(zip(KEYS[3:], self._values(landing), strict=True))
        return f"{self.encode(members)[1:]}{self.ends[1]}"


def _text_tail(landing: Landing) -> str:
    if landing.outcome == PLACED:
        return f" -> {escape(quoted(landing.queue))}\n"
    return f" -> {landing.outcome}:{landing.code}\n"


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else "; ".join(value) if isinstance(value, list | tuple) else str(value)


def _csv_cell(value: Any) -> str:
    text = _plain(value)
    special = "," in text or '"' in text or "\n" in text or "\r" in text
    return '"' + text.replace('"', '""') + '"' if special else text


def _markdown_cell(value: Any) -> str:
    from fairsim.report.markdown import text

    return text(_plain(value))
