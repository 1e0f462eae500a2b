"""The table of `fairsim shares`: every column it can have, made on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairsim.diag import did_you_mean
from fairsim.errors import UsageError
from fairsim.javanum import INT_MAX, shortest_float32
from fairsim.model.queues import Queue, QueueTree
from fairsim.model.resources import MEMORY, VCORES
from fairsim.report.queue_notes import notes_of
from fairsim.report.table import RIGHT, Cell, Column, Table
from fairsim.report.views import View, any_number, bounded, fitting_masters, percents, short_name
from fairsim.units import human_memory

Values = Callable[[], list[Cell]]
Parts = tuple[int | None, ...]

TEXT_COLUMNS = ("queue", "policy", "weight", "min", "max", "steady", "instantaneous", "percent", "am_limit", "am_fit",
                "notes")  # fmt: skip
WIDE_COLUMNS = ("queue", "policy", "weight", "min", "max", "steady", "instantaneous", "percent", "active", "am_share",
                "am_limit", "am_fit", "max_running_apps", "origins", "notes")  # fmt: skip


class _Columns:
    """Every column that the answer can have, made on demand."""

    def __init__(self, views: Sequence[View]):
        self.views = views
        self.queues = views[0].shares.queues
        self.types = views[0].tree.types
        self.makers: dict[str, tuple[Column, Values]] = {}
        self._add_fixed()
        for view in views:
            self._add_view(view)

    def _add(self, column: Column, values: Values) -> None:
        self.makers[column.key] = (column, values)

    def _add_fixed(self) -> None:
        first = self.views[0]
        tree, queues = first.tree, self.queues
        self._add(Column("queue", "queue", rank=0, style="name"), lambda: [queue.name for queue in queues])
        self._add(Column("parent", "parent"), lambda: [queue.parent.name if queue.parent else None for queue in queues])
        self._add(Column("leaf", "leaf"), lambda: [queue.leaf for queue in queues])
        self._add(Column("policy", "policy", rank=2), lambda: [queue.policy for queue in queues])
        self._add(
            Column("weight", "weight", RIGHT, rank=2),
            lambda: _weights(queues),
        )
        self._add(Column("active", "active"), lambda: list(first.shares.active))
        self._add(
            Column("max_running_apps", "max apps", RIGHT, none="unlimited"),
            lambda: [none_if(tree.max_running_apps(queue).value, INT_MAX) for queue in queues],
        )
        self._add(
            Column("am_share", "AM share", RIGHT),
            lambda: [shortest_float32(tree.max_am_share(queue).value) if queue.leaf else None for queue in queues],
        )
        self._add(Column("origins", "from", wrap=True, rank=4), lambda: [origins_text(tree, queue) for queue in queues])
        self._add(Column("line", "line", RIGHT), lambda: [line_of(tree, queue) for queue in queues])

    def _add_view(self, view: View) -> None:
        """Adds the columns that depend on the size of the cluster; their heads name it if there are several."""
        shares, mark = view.shares, f"@{view.label}" if view.label else ""
        several = f" @{view.label}" if view.label else ""
        indexes = range(len(self.queues))
        self._add_amounts(view, "min", "min", 3, "-", lambda: [queue.min for queue in self.queues])
        self._add_amounts(
            view, "max", "max", 3, "unlimited", lambda: [bounded(most, view.unlimited) for most in shares.maxima]
        )
        self._add_amounts(view, "steady", "steady", 1, "-", lambda: shares.steady)
        self._add_amounts(view, "instantaneous", "instantaneous", 0, "-", lambda: shares.instantaneous)
        self._add_amounts(
            view, "am_limit", "AM room", 2, "-", lambda: view.rooms
        )
        self._add(
            Column(f"percent{mark}", f"%{several}", RIGHT, rank=1, digits=1),
            lambda: list(percents(view)),
        )
        self._add(
            Column(f"am_fit{mark}", f"AMs{several}", RIGHT, rank=2),
            lambda: [fitting_masters(view, index) for index in indexes],
        )
        self._add(
            Column(f"notes{mark}", f"notes{several}", rank=4, wrap=True, style="note", none=""),
            lambda: [notes or None for notes in notes_of(view)],
        )

    def _add_amounts(
        self, view: View, key: str, title: str, rank: int, none: str, amounts: Callable[[], Sequence[Parts | None]]
    ) -> None:
        """Adds an amount: one column with all types (`204800, 50`), and one for each type."""
        mark, several = (f"@{view.label}", f" @{view.label}") if view.label else ("", "")
        sparse = key == "min"

        def together() -> list[Cell]:
            texts: dict[Parts | None, str | None] = {None: None}  # limits repeat, and often shares do
            if sparse:
                texts[view.tree.types.zero()] = None
            found: list[Cell] = []
            for amount in amounts():
                if amount not in texts:
                    texts[amount] = amount_text(view, amount) if amount is not None else None
                found.append(texts[amount])
            return found

        self._add(Column(key + mark, title + several, RIGHT, rank=rank, none=none, style="number"), together)
        for kind, name in enumerate(self.types.names):
            unit = {MEMORY: "mb", VCORES: "vcores"}.get(name, name)

            def alone(kind: int = kind) -> list[Cell]:
                return [None if amount is None else amount[kind] for amount in amounts()]

            self._add(Column(f"{key}_{unit}{mark}", f"{title} {short_name(name)}{several}", RIGHT, none=none), alone)

    def select(self, keys: Sequence[str]) -> tuple[list[Column], list[list[Cell]]]:
        """Returns these columns and their values; a key without a size stands for all sizes."""
        columns, values = [], []
        for key in keys:
            names = [key] if key in self.makers else [name for name in self.makers if name.startswith(f"{key}@")]
            if not names:
                shown = dict.fromkeys(name.partition("@")[0] for name in self.makers)
                near = did_you_mean(key, shown)
                hint = f"did you mean {near}?" if near else "columns: " + ", ".join(shown)
                raise UsageError(f"there is no column {key!r}", where="--columns", hint=hint)
            for name in names:
                column, maker = self.makers[name]
                columns.append(column)
                values.append(maker())
        return columns, values


def _weights(queues: Sequence[Queue]) -> list[Cell]:
    shown = {weight: plain_number(shortest_float32(weight)) for weight in {queue.weight for queue in queues}}
    return [shown.get(queue.weight, queue.weight) for queue in queues]  # a NaN does not find itself


def plain_number(value: float) -> float | int:
    """Returns a float without fraction as an int (2 for 2.0)."""
    return int(value) if abs(value) < 1e15 and value == int(value) else value


def none_if(value: int, unlimited: int) -> int | None:
    """Returns None for the number that means unlimited."""
    return None if value == unlimited else value


def amount_text(view: View, amount: Parts) -> str:
    """Returns an amount in one cell, `204800, 50`."""
    if not view.human and None not in amount:
        return ", ".join(map(str, amount))
    if not any_number(amount):
        return "unlimited"
    return ", ".join(
        "unlimited" if part is None else human_memory(part) if view.human and kind == 0 else str(part)
        for kind, part in enumerate(amount)
    )


def line_of(tree: QueueTree, queue: Queue) -> int | None:
    """Returns the line of the file at which the queue is first written."""
    if tree.locate is None or queue.element is None:
        return None
    return tree.locate(queue.element).line


def origins_text(tree: QueueTree, queue: Queue) -> list[str]:
    """Returns where the values in force come from, those of Hadoop's defaults left out."""
    found = []
    for name, setting in tree.settings(queue):
        if setting.origin == "default":
            continue
        where = {"own": "", "changed": " by --set"}.get(setting.origin, f" from {setting.of}")
        line = f":{tree.locate(setting.element).line}" if tree.locate and setting.element is not None else ""
        found.append(f"{name}{where}{line}")
    return found


def shares_table(views: Sequence[View], keys: Sequence[str] | None, flat: bool, wide: bool) -> Table:
    """Returns the table of the queues: `keys` as asked for, else those of the form; `flat` has one number a column."""
    columns = _Columns(views)
    if keys:
        chosen, values = columns.select(keys)
    elif flat:
        chosen, values = columns.select(_flat_keys(columns))
    else:
        wanted: Sequence[str] = WIDE_COLUMNS if wide else TEXT_COLUMNS
        if len(views) > 1 and not wide:
            wanted = ("queue", "weight", "instantaneous")
        chosen, values = _without_empty(*columns.select(wanted))
    return Table.from_columns(chosen, values)


def _flat_keys(columns: _Columns) -> list[str]:
    combined = {"min", "max", "steady", "instantaneous", "am_limit", "origins"}
    return [key for key in columns.makers if key.partition("@")[0] not in combined]


def _without_empty(columns: list[Column], values: list[list[Cell]]) -> tuple[list[Column], list[list[Cell]]]:
    """Leaves out columns in which no queue has anything to say."""
    kept = [index for index, cells in enumerate(values) if any(cell is not None and cell != [] for cell in cells)]
    return [columns[index] for index in kept], [values[index] for index in kept]
