"""Tables as plain data: columns that say what they hold, rows of Python values.

A renderer decides how a table looks; whoever makes the table only says what is in it:

    table = Table(
        [Column("queue", "queue"), Column("steady_mb", "steady", RIGHT, "MB"), Column("notes", "notes", wrap=True)],
        [("root.a", 2048, ["raised to min"]), ("root.b", 6144, [])],
        title="Shares of 8192 MB, 8 vcores",
        notes=["root.b is taken as active"],
    )
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from fairsim.diag import did_you_mean
from fairsim.errors import UsageError

LEFT, RIGHT = "left", "right"

#: What a cell may hold. None is "nothing to say" or "unlimited", see `Column.none`; a sequence holds several remarks.
Cell = str | int | float | bool | None | Sequence[str]


class Column(NamedTuple):
    """What one column holds and how it is shown.

    `key` names it in csv, json and `--columns`; `title` and `unit` make the head of the text forms ("steady MB").
    `none` is shown for None in the text forms (csv leaves the cell empty, json writes null). `digits` fixes the
    decimals of floats in the text forms; `show` overrides how a value that is not None is written there.
    `rank` says what a narrow terminal may move to a line below: 0 last, higher numbers first. `wrap` marks running
    text, which may be broken at blanks. `style` is a name from `fairsim.report.style`.
    """

    key: str
    title: str
    align: str = LEFT
    unit: str = ""
    rank: int = 1
    wrap: bool = False
    none: str = "-"
    digits: int | None = None
    show: Callable[[Any], str] | None = None
    style: str = ""

    @property
    def head(self) -> str:
        """Returns the title with its unit."""
        return f"{self.title} {self.unit}" if self.unit else self.title


class Table:
    """Columns, rows (one value for each column), an optional title above and notes below.

    The first column names the row (a queue, a user): it stays on the first line of a row at any width, and its
    cells are never cut. `from_columns` makes a table from values that are at hand column by column.
    """

    __slots__ = ("_rows", "_values", "columns", "notes", "title")

    def __init__(
        self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], title: str = "", notes: Sequence[str] = ()
    ):
        self.columns = tuple(columns)
        self._rows: Sequence[Sequence[Cell]] | None = rows
        self._values: Sequence[Sequence[Cell]] | None = None
        self.title = title
        self.notes = tuple(notes)

    @classmethod
    def from_columns(
        cls, columns: Sequence[Column], values: Sequence[Sequence[Cell]], title: str = "", notes: Sequence[str] = ()
    ) -> Table:
        """Returns a table whose `values` stand column by column."""
        table = cls(columns, (), title, notes)
        table._rows, table._values = None, values
        return table

    @property
    def rows(self) -> Sequence[Sequence[Cell]]:
        """The values row by row."""
        if self._rows is None:
            self._rows = list(zip(*self.by_column(), strict=True))
        return self._rows

    def by_column(self) -> Sequence[Sequence[Cell]]:
        """Returns the values column by column."""
        if self._values is None:
            self._values = list(zip(*self.rows, strict=True)) if self.rows else [()] * len(self.columns)
        return self._values

    def records(self) -> Iterator[dict[str, Cell]]:
        """Yields each row as a mapping from column key to value."""
        keys = [column.key for column in self.columns]
        for row in self.rows:
            yield dict(zip(keys, row, strict=True))

    def select(self, keys: Iterable[str]) -> Table:
        """Returns the table with these columns only, in this order. Raises UsageError for a key that is not there."""
        places = {column.key: place for place, column in enumerate(self.columns)}
        chosen = []
        for key in keys:
            if key not in places:
                near = did_you_mean(key, places)
                hint = f"did you mean {near}?" if near else "columns: " + ", ".join(places)
                raise UsageError(f"there is no column {key!r}", where="--columns", hint=hint)
            chosen.append(places[key])
        if not chosen:
            raise UsageError("no column is named", where="--columns", hint="columns: " + ", ".join(places))
        values = self.by_column()
        columns = [self.columns[place] for place in chosen]
        return Table.from_columns(columns, [values[place] for place in chosen], self.title, self.notes)
