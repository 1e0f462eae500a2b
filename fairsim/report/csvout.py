"""Tables as comma-separated values: a head line of column keys, exact numbers, an empty cell for None."""

from __future__ import annotations

from collections.abc import Sequence

from fairsim.report.cells import raw
from fairsim.report.table import Table


def render(table: Table) -> str:
    """Returns the table in the form of RFC 4180 with plain line feeds; several remarks in a cell are joined by "; "."""
    keys = [column.key for column in table.columns]
    cells = [_quoted(raw(values)) for values in table.by_column()]
    return "\n".join([",".join(_quoted(keys)), *map(",".join, zip(*cells, strict=True)), ""])


def _quoted(texts: Sequence[str]) -> Sequence[str]:
    return [_cell(text) for text in texts] if _special("".join(texts)) else texts


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _special(text) else text


def _special(text: str) -> bool:
    return "," in text or '"' in text or "\n" in text or "\r" in text
