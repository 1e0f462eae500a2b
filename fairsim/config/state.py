"""The state of a cluster for `--state`: a small YAML file, or JSON saved from the ResourceManager.

The YAML, every key optional:

    queues:
      root.a: {used: "40g,10c", am_used: "4g,2c", running: 4, waiting: 1, users: {fred: {running: 3, waiting: 1}}}
    users:
      fred: {running: 5, waiting: 2}
    apps:
      - {id: app7, queue: a, user: fred, state: waiting, am: "2g,1c", used: "8g,4c", ask: "4g,1c", count: 10, start: 3}
    free:
      node1: "16g,4c"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairsim.config.apps import parse_size
from fairsim.config.names import full_name
from fairsim.config.yamlio import Map, Value, YamlFile, by_name, read_yaml
from fairsim.errors import InputError
from fairsim.model.resources import LONG_MAX, Amount, ResourceTypes, add
from fairsim.model.state import ACCEPTED, RUNNING, WAITING, AppUse, Ask, QueueUse, State, UserUse

MOST = 1_000_000
_TOP = ("queues", "users", "apps", "free")
_QUEUE = ("used", "am_used", "running", "waiting", "users")
_USER = ("running", "waiting")
_APP = ("id", "queue", "user", "state", "am", "used", "demand", "ask", "count", "start")
_STATES = (RUNNING, ACCEPTED, WAITING)


def is_rm_json(data: bytes, name: str) -> bool:
    """Returns whether this is JSON of the ResourceManager rather than a file of our own."""
    begin = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return begin.startswith(b"{") and not name.lower().endswith((".yaml", ".yml"))


def read_state(files: Sequence[tuple[str, bytes]], types: ResourceTypes) -> State:
    """Returns the state that the files (name, contents) describe together; later ones complete earlier ones.

    Raises InputError with file, line and column (YAML) or the path inside the JSON, and when two files tell the same.
    """
    found = State()
    for name, data in files:
        if data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
            hint = "save it as JSON: ask for /ws/v1/cluster/scheduler with the header Accept: application/json"
            raise InputError("the file is XML, not the state of a cluster", where=name, hint=hint)
        if is_rm_json(data, name):
            from fairsim.config.state_rm import state_from_rm  # loads json

            one = state_from_rm(data, name, types)
        else:
            one = _Yaml(name, types).state(read_yaml(data, name))
        found = _join(found, one, name)
    return found


def _join(first: State, later: State, name: str) -> State:
    for key in ("queues", "users", "apps", "free"):
        if getattr(first, key) and getattr(later, key):
            hint = "keep one of the files: name the scheduler's JSON once and that of the applications once"
            raise InputError(f"{key} are in another state file too, {first.sources[0]}", where=name, hint=hint)
    return State(
        first.queues or later.queues, first.users or later.users, first.apps or later.apps,
        first.apps_known or later.apps_known, first.free or later.free, (*first.sources, *later.sources),
        (*first.notes, *later.notes),
    )  # fmt: skip


class _Yaml:
    """Reads the file of our own."""

    def __init__(self, where: str, types: ResourceTypes):
        self.file = YamlFile(where)
        self.types = types

    def state(self, value: Value) -> State:
        top = self.file.fields(value, "the state", _TOP)
        queues: dict[str, QueueUse] = {}
        users: dict[str, UserUse] = {}
        for key, item in self._map(by_name(top, "queues"), "queues"):
            name = full_name(key.strip())
            if name in queues:
                self.file.fail(f"{name} is written twice", item.pos, "keep one of the two")
            queues[name] = self._queue(item, name, users)
        for user, item in self._map(by_name(top, "users"), "users"):
            users[user] = self._user(item, user)
        apps = self._apps(by_name(top, "apps"))
        free = tuple(
            (node, self._size(item, f"free of {node}")) for node, item in self._map(by_name(top, "free"), "free")
        )
        return State(queues, users, apps, False, free, (self.file.where,))

    def _map(self, value: Value | None, what: str) -> list[tuple[str, Value]]:
        if value is None:
            return []
        found: Map = self.file.map(value, what)
        return [(key.text, item) for key, item in found.items]

    def _queue(self, value: Value, name: str, users: dict[str, UserUse]) -> QueueUse:
        fields = self.file.fields(value, f"the queue {name}", _QUEUE)
        running, waiting = self._count(fields, "running"), self._count(fields, "waiting")
        sums = [0, 0]
        inside = self._map(by_name(fields, "users"), f"users of {name}")
        for user, item in inside:
            one = self._user(item, user)
            sums = [sums[0] + (one.running or 0), sums[1] + (one.waiting or 0)]
            before = users.get(user, UserUse(0, 0))
            users[user] = UserUse(
                (before.running or 0) + (one.running or 0), (before.waiting or 0) + (one.waiting or 0)
            )
        if inside:
            for said, total, what in ((running, sums[0], "running"), (waiting, sums[1], "waiting")):
                if said is not None and said < total:
                    hint = f"write {what}: {total}, or leave it out"
                    self.file.fail(f"{name} has {said} {what} applications, its users {total}", value.pos, hint)
            running, waiting = running if running is not None else sums[0], waiting if waiting is not None else sums[1]
        return QueueUse(self._amount(fields, "used"), self._amount(fields, "am_used"), running, waiting)

    def _user(self, value: Value, name: str) -> UserUse:
        fields = self.file.fields(value, f"the user {name}", _USER)
        return UserUse(self._count(fields, "running"), self._count(fields, "waiting"))

    def _apps(self, value: Value | None) -> tuple[AppUse, ...]:
        if value is None:
            return ()
        found: list[AppUse] = []
        seen: set[str] = set()
        for index, item in enumerate(self.file.seq(value, "apps").items):
            fields = self.file.fields(item, "an application", _APP)
            texts = {key: self.file.text(one, key) for key, (_, one) in fields.items() if key in _APP[:4]}
            if "queue" not in texts:
                self.file.fail("an application without a queue", item.pos, "write queue: root.a")
            name = texts.get("id", f"app{index + 1}")
            if name in seen:
                self.file.fail(f"the application {name} is written twice", item.pos, "give each its own id")
            seen.add(name)
            used = self._amount(fields, "used") or self.types.zero()
            state = texts.get("state", RUNNING if any(used) else ACCEPTED)
            if state not in _STATES:
                hint = "write running, accepted (no limit holds it back, it has no master yet) or waiting (one does)"
                self.file.fail(f"{state!r:.40} is not a state of an application", fields["state"][1].pos, hint)
            ask = self._amount(fields, "ask")
            count = self._count(fields, "count")
            asks = (Ask(ask, 1 if count is None else count),) if ask is not None else ()
            start = self._count(fields, "start", LONG_MAX)
            found.append(
                AppUse(
                    name, full_name(texts["queue"]), texts.get("user", ""), state, used, self._amount(fields, "am"),
                    self._amount(fields, "demand"), index if start is None else start, asks,
                )
            )  # fmt: skip
            if len(found) > MOST:
                self.file.fail(f"more than {MOST} applications", item.pos)
        return tuple(found)

    def _count(self, fields: Mapping[str, tuple[object, Value]], name: str, most: int = 2**31 - 1) -> int | None:
        return None if name not in fields else self.file.integer(fields[name][1], name, 0, most)

    def _amount(self, fields: Mapping[str, tuple[object, Value]], name: str) -> Amount | None:
        return None if name not in fields else self._size(fields[name][1], name)

    def _size(self, value: Value, what: str) -> Amount:
        text = self.file.text(value, what)
        try:
            return parse_size(text, self.types, self.file.where)
        except InputError as error:
            return self.file.fail(error.message, value.pos, error.hint)


def total_used(state: State, types: ResourceTypes) -> Amount:
    """Returns the sum of what the listed applications use."""
    total = types.zero()
    for one in state.apps:
        total = add(total, one.used)
    return total
