"""Applications for `--apps`: `root.a=3` as text, or a file (YAML or JSON list, CSV) with one application a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from fairsim.config.names import full_name, near_queue
from fairsim.diag import Pos, did_you_mean
from fairsim.errors import InputError, UsageError
from fairsim.model.apps import App
from fairsim.model.queues import QueueTree
from fairsim.model.resources import Amount, ResourceTypes

if TYPE_CHECKING:
    import csv

WHERE = "--apps"
MOST = 1_000_000
_KEYS = ("queue", "app", "user", "count", "demand", "start")


def parse_size(text: str, types: ResourceTypes, where: str) -> Amount:
    """Returns the amount of a size such as `2g,1c` (memory, vcores, then NAME=QTY). Raises InputError."""
    from fairsim.config.cluster import parse_cluster

    try:
        size = parse_cluster(text, types)
    except (InputError, UsageError) as error:
        hint = error.hint and error.hint.replace("800g,200c", "2g,1c")
        raise InputError(error.message, where=where, hint=hint) from None
    for name, _ in size.units:
        if name not in types.names:
            hint = "name it in --cluster too, or leave it out here"
            raise InputError(f"the cluster has no {name}", where=where, hint=hint)
    return size.total(types)


def parse_master(text: str, types: ResourceTypes) -> Amount:
    """Returns the size of a master that `--am` gives. Raises InputError, also for one of which nothing is above 0."""
    size = parse_size(text, types, "--am")
    if not any(size):
        raise InputError(f"{text!r:.60} is no size of a master", where="--am", hint="write 2g,1c")
    return size


def read_apps(texts: Sequence[str], tree: QueueTree, read: Callable[[str], bytes]) -> list[App]:
    """Returns the applications that `--apps` names, in order; `read` gives the bytes of a file.

    Raises InputError with file, line and column, UsageError for an argument that is neither Q=N nor a file.
    """
    apps: list[App] = []
    for text in texts:
        queue, equals, count = text.rpartition("=")
        if equals and queue and "=" not in queue and count.strip().isdigit():
            row = {"queue": (queue.strip(), None), "count": (count.strip(), None)}
            apps += _row(row, tree, WHERE, len(apps))
        elif not text.strip() or _is_no_file(text, count if equals else None):
            hint = "write root.a=3 (repeat --apps for more queues), or name a .yaml, .json or .csv file"
            raise UsageError(f"{text!r} is not QUEUE=NUMBER", where=WHERE, hint=hint)
        else:
            for record in _records(read(text), text):
                apps += _row(record, tree, text, len(apps))
                _check_number(apps, text)
        _check_number(apps, WHERE)
    return apps


def _is_no_file(text: str, count: str | None) -> bool:
    """Tells by the dots: the name of a file has an ending or a folder, and what follows an = is no decimal."""
    if count is not None:
        return "." not in count or count.strip().replace(".", "").isdigit()
    return "." not in text and "/" not in text


def _check_number(apps: Sequence[App], where: str) -> None:
    if len(apps) > MOST:
        raise InputError(f"more than {MOST} applications", where=where)


Record = Mapping[str, tuple[str, Pos | None]]


def _records(data: bytes, name: str) -> list[Record]:
    if name.lower().endswith(".csv"):
        return _csv(data, name)
    from fairsim.config.yamlio import YamlFile, read_yaml

    reader = YamlFile(name)  # JSON is YAML
    rows: list[Record] = []
    for item in reader.seq(read_yaml(data, name), "the list of applications").items:
        fields = reader.fields(item, "an application", _KEYS)
        rows.append({key: (reader.text(value, key), value.pos) for key, (_, value) in fields.items()})
    return rows


def _csv(data: bytes, name: str) -> list[Record]:
    import csv
    import io

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8", where=name) from None
    reader = csv.DictReader(io.StringIO(text, newline=None), restkey="", strict=True)
    try:
        return _csv_rows(reader, name)
    except csv.Error as error:
        place = Pos(max(reader.reader.line_num, 1), 1)
        hint = "one application a line, commas between the cells"
        raise InputError(f"not CSV: {error}", where=name, pos=place, hint=hint) from None


def _csv_rows(reader: csv.DictReader[str], name: str) -> list[Record]:
    names = list(reader.fieldnames or ())
    if not names:
        raise InputError("the file is empty", where=name, hint="begin with a line of columns: " + ",".join(_KEYS))
    if len(set(names)) < len(names):
        raise InputError("a column stands there twice", where=name, pos=Pos(1, 1), hint="keep one of the two")
    for key in names:
        if key not in _KEYS:
            near = did_you_mean(key, _KEYS)
            hint = f"did you mean {near}?" if near else "columns: " + ", ".join(_KEYS)
            column = 1 + sum(len(other) + 1 for other in names[: names.index(key)])
            raise InputError(f"unknown column {key!r}", where=name, pos=Pos(1, column), hint=hint)
    rows: list[Record] = []
    for row in reader:
        if "" in row:
            raise InputError("more cells than columns", where=name, pos=Pos(reader.line_num, 1))
        rows.append({key: (value, Pos(reader.line_num, 1)) for key, value in row.items() if value})
    return rows


def _row(row: Record, tree: QueueTree, where: str, before: int) -> list[App]:
    if "queue" not in row:
        pos = next(iter(row.values()))[1] if row else None
        raise InputError("an application without a queue", where=where, pos=pos, hint="write queue: root.a")
    name, pos = row["queue"]
    queue = leaf_named(tree, name, where, pos)
    count = _integer(row, "count", 1, where)
    if count > MOST:
        raise InputError(f"more than {MOST} applications", where=where, pos=pos)
    text, place = row.get("demand", ("", None))
    try:
        demand = parse_size(text, tree.types, where) if text else tree.types.zero()
    except InputError as error:
        raise InputError(error.message, where=where, pos=place, hint=error.hint) from None
    start = _integer(row, "start", 0, where)
    base = row.get("app", ("", None))[0]
    user = row.get("user", ("", None))[0]
    labels = [base or f"app{before + number + 1}" for number in range(count)]
    if base and count > 1:
        labels = [f"{base}-{number + 1}" for number in range(count)]
    return [App(label, queue, demand, start, user) for label in labels]


def _integer(row: Record, key: str, default: int, where: str) -> int:
    if key not in row:
        return default
    text, pos = row[key]
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise InputError(f"{key} {text!r} is not a whole number", where=where, pos=pos, hint=f"write {key} in digits")
    return int(text)


def leaf_named(tree: QueueTree, name: str, where: str, pos: Pos | None = None) -> str:
    """Returns the full name of an existing leaf queue. Raises InputError that says why it is none."""
    full = full_name(name)
    queue = tree.queues.get(full)
    if queue is not None and queue.leaf:
        return full
    if queue is not None:
        leaves = [one.name for one in queue.walk() if one.leaf]
        hint = f"leaves below it: {', '.join(leaves[:5])}" if leaves else "it has no leaf queues"
        raise InputError(f"{full} is a parent; applications run in leaf queues", where=where, pos=pos, hint=hint)
    raise no_queue(tree, full, where, pos)


def no_queue(tree: QueueTree, full: str, where: str, pos: Pos | None = None) -> InputError:
    """Returns the error for a queue that does not exist: never created, or unknown."""
    for lost in tree.lost:
        if lost.name == full:
            reason = lost.reason if lost.fault == full else f"{lost.reason} ({lost.fault})"
            return InputError(f"Hadoop does not create {full}: {reason}", where=where, pos=pos)
    near = near_queue(full, tree.queues)
    hint = f"did you mean {near}?" if near else "fairsim shares lists the queues"
    return InputError(f"there is no queue {full}", where=where, pos=pos, hint=hint)


def chosen_leaves(tree: QueueTree, texts: Sequence[str], where: str) -> frozenset[str]:
    """Returns the leaf queues that the names stand for: leaves, parents (all leaves below), patterns with * and ?."""
    from fnmatch import fnmatchcase

    found: set[str] = set()
    for name in (part.strip() for text in texts for part in text.split(",")):
        if not name:
            continue
        full = full_name(name)
        if full in tree.queues:
            matches = [tree.queues[full]]
        elif any(mark in name for mark in "*?["):
            matches = [queue for queue in tree.queues.values() if fnmatchcase(queue.name, full)]
        else:
            raise no_queue(tree, full, where)
        leaves = {queue.name for match in matches for queue in match.walk() if queue.leaf}
        if not leaves:
            raise InputError(f"no leaf queue is meant by {name!r}", where=where)
        found |= leaves
    if not found:
        raise InputError("no queue is named", where=where, hint="name queues, or leave the option out: all are active")
    return frozenset(found)
