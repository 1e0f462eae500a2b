"""Tables in GitHub's Markdown, for comments and documents."""

from __future__ import annotations

from collections.abc import Sequence

from fairsim.report.cells import shown
from fairsim.report.table import RIGHT, Table

_SPECIAL = str.maketrans({c: "\\" + c for c in "\\`*_{}[]<>|~#"} | {"&": "&amp;", "\n": " "})


def render(table: Table) -> str:
    """Returns the table as Markdown; every character of a cell shows as it is."""
    parts = [f"### {text(table.title)}\n"] if table.title else []
    heads = [text(column.head) for column in table.columns]
    rules = ["---:" if column.align == RIGHT else "---" for column in table.columns]
    cells = [_escaped(shown(column, values)) for column, values in zip(table.columns, table.by_column(), strict=True)]
    lines = [_line(heads), _line(rules), *map(_line, zip(*cells, strict=True)), ""]
    parts.append("\n".join(lines))
    if table.notes:
        parts.append("\n".join(f"- {text(note)}" for note in table.notes) + "\n")
    return "\n".join(parts)


def block(content: Table | str) -> str:
    """Returns a table or a paragraph as Markdown that ends in a line break."""
    return render(content) if isinstance(content, Table) else text(content) + "\n"


def text(plain: str) -> str:
    """Returns a text in which Markdown sees no marks."""
    return plain.translate(_SPECIAL)


def _escaped(texts: Sequence[str]) -> Sequence[str]:
    if "".join(texts).replace(".", "").replace(" ", "").isalnum():
        return texts
    return [text(one) for one in texts]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
