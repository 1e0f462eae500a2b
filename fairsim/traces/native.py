"""fairsim's own trace: one application, as JSON or YAML writes it, to the record of the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fairsim.model.resources import Amount, ResourceTypes
from fairsim.model.workload import BATCH, DROP, HOLD, RESTART, AppSpec, Dist, Locality, Stage
from fairsim.traces.dists import parse_dist
from fairsim.traces.faults import AFTER, COUNT, DIST, DURATIONS, NO_ARRIVAL, TIME, VALUE, Bad, Notes
from fairsim.traces.sizes import parse_amount
from fairsim.traces.values import (
    MOST_CONTAINERS,
    MOST_MS,
    arrival,
    boolean,
    count,
    int32,
    names,
    one_of,
    part,
    text,
    time_ms,
    whole,
)

MOST_STAGES = 100_000
MOST_COPIES = 1_000_000
_MOST_KEPT = 2000  # texts of a field
_USUAL: Amount = (1024, 1)

APP_KEYS = (
    "id", "arrival", "user", "groups", "queue", "type", "name", "priority", "am", "label", "am_label", "stages", "hold",
    "kill_after", "repeat",
)  # fmt: skip
STAGE_KEYS = (
    "name", "after", "count", "resource", "duration", "durations", "priority", "stage_priority", "locality", "relax",
    "label", "delay", "slowstart", "parallel", "mode", "on_preempt",
)  # fmt: skip
_REPEAT_KEYS = ("count", "every")
#: What `defaults` may hold: keys of applications and of stages, where both have one that of the application.
DEFAULT_KEYS = (
    *(key for key in APP_KEYS if key not in ("id", "arrival", "name", "stages")),
    *(key for key in STAGE_KEYS if key not in ("name", "after", "durations", "priority", "label")),
)


class Repeat(NamedTuple):
    """An application that comes `times` times, each time so many seconds after the time before."""

    times: int
    every: Dist


class Entry(NamedTuple):
    """What one record of a trace says. `dated`: the arrival is in ms since 1970."""

    app: AppSpec
    repeat: Repeat | None = None
    dated: bool = False


class _Field(NamedTuple):
    """How a field is read, and what it is in the model ("": nothing). `known`: what texts were read as.

    A workload has the same texts again and again. Fields that remark on what they read have no `known`.
    """

    target: str
    read: Callable[[Any], Any]
    known: dict[str, Any] | None = None


class Native:
    """Reads records of one file. Records may hold numbers or texts; None counts as not written."""

    def __init__(self, types: ResourceTypes, notes: Notes):
        self.types = types
        self.notes = notes
        self.usual = types.amount(dict(zip(types.names, _USUAL, strict=False)))
        self.defaults: Mapping[str, Any] = {}
        self.stage_defaults: Mapping[str, Any] = {}
        self._app = {
            "id": _Field("id", text),
            "arrival": _Field("arrival_ms", arrival),
            "user": _Field("user", text, {}),
            "groups": _Field("groups", names, {}),
            "queue": _Field("queue", _queue, {}),
            "type": _Field("type", text, {}),
            "name": _Field("", text),  # read and not kept: reports group by type
            "priority": _Field("priority", int32),
            "am": _Field("am", self.master, {}),
            "label": _Field("", self.label),
            "am_label": _Field("", self.label),
            "stages": _Field("stages", _a_list),
            "hold": _Field("hold_ms", time_ms, {}),
            "kill_after": _Field("kill_after_ms", time_ms, {}),
            "repeat": _Field("repeat", self.repeat),
        }
        self._stage = {
            "name": _Field("name", text, {}),
            "after": _Field("after", names, {}),
            "count": _Field("containers", count),
            "resource": _Field("size", self.size, {}),
            "duration": _Field("duration", parse_dist, {}),
            "durations": _Field("durations", _durations),
            "priority": _Field("priority", int32),
            "stage_priority": _Field("priority", int32),
            "locality": _Field("locality", parse_locality, {}),
            "relax": _Field("relax", boolean, {}),
            "label": _Field("", self.label),
            "delay": _Field("delay_ms", time_ms, {}),
            "slowstart": _Field("slowstart", part, {}),
            "parallel": _Field("parallel", whole(1, MOST_CONTAINERS)),
            "mode": _Field("mode", one_of((BATCH, HOLD)), {}),
            "on_preempt": _Field("on_preempt", self.on_preempt),
        }

    # -- one application

    def set_defaults(self, written: Any) -> None:
        """Takes the values that hold where a record or stage says nothing. Raises Bad when one of them is wrong."""
        if not isinstance(written, Mapping):
            raise Bad(VALUE, "this is not a map of keys and values", 'write {"am": "2g,1c"}', field="defaults")
        for key in written:
            if key not in DEFAULT_KEYS:
                self.notes.unknown(str(key), "defaults", DEFAULT_KEYS)
        known = {key: value for key, value in written.items() if key in DEFAULT_KEYS}
        self.defaults = {key: value for key, value in known.items() if key in APP_KEYS}
        self.stage_defaults = {key: value for key, value in known.items() if key not in APP_KEYS}
        try:
            self.app({"arrival": 0, "stages": [{"duration": 1}]}, "")
        except Bad as bad:
            bad.field, bad.stage = f"defaults.{bad.field}", None
            raise

    def app(self, record: Any, label: str) -> Entry:
        """Returns the application of a record; `label` is its id unless the record has one. Raises Bad."""
        if not isinstance(record, Mapping):
            hint = 'write {"arrival": 0, "user": "fred", "stages": [{"duration": 30}]}'
            raise Bad(VALUE, "this is not a map of keys and values", hint, value=record)
        values = self._values(record, self.defaults, self._app, "an application")
        came = values.pop("arrival_ms", None)
        if came is None:
            raise Bad(NO_ARRIVAL, "the record has no arrival", "write arrival: 0, in seconds from the start",
                      field="arrival")  # fmt: skip
        repeat = values.pop("repeat", None)
        values.setdefault("id", label)
        values.setdefault("user", "default")
        values.setdefault("am", self.usual)
        stages = self._stages(values.get("stages", ()))
        values["stages"] = stages
        if values.get("kill_after_ms") == 0:
            raise Bad(TIME, "it would be killed as it arrives", "write a time above 0, or leave the field out",
                      field="kill_after", value=record.get("kill_after"))  # fmt: skip
        return Entry(AppSpec(arrival_ms=came[0], **values), repeat, came[1])

    def _values(
        self, record: Mapping[str, Any], defaults: Mapping[str, Any], table: Mapping[str, _Field], what: str
    ) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in {**defaults, **record}.items() if defaults else record.items():
            field = table.get(key)
            if field is None:
                self.notes.unknown(key, what, tuple(table))
                continue
            if value is None:
                continue
            target, read, known = field
            if known is not None and type(value) is str:
                if value in known:
                    values[target] = known[value]
                    continue
                if len(known) >= _MOST_KEPT:
                    known.clear()
            try:
                found = read(value)
            except Bad as bad:
                raise bad.about(key, value) from None
            if known is not None and type(value) is str:
                known[value] = found
            if target:
                values[target] = found
        return values

    # -- stages

    def _stages(self, written: Sequence[Any]) -> tuple[Stage, ...]:
        if len(written) > MOST_STAGES:
            raise Bad(VALUE, f"there are more than {MOST_STAGES} stages", "write equal containers as one stage",
                      field="stages")  # fmt: skip
        stages: list[Stage] = []
        for index, item in enumerate(written):
            try:
                stages.append(self._one_stage(item, index, stages[-1].name if stages else None))
            except Bad as bad:
                bad.stage = index
                raise
        if len(stages) > 1 or (stages and stages[0].after):
            check_order(stages)
        return tuple(stages)

    def _one_stage(self, item: Any, index: int, before: str | None) -> Stage:
        if not isinstance(item, Mapping):
            hint = 'write {"count": 10, "resource": "2g,1c", "duration": 30}'
            raise Bad(VALUE, "a stage is a map of keys and values", hint, value=item)
        values = self._values(item, self.stage_defaults, self._stage, "a stage")
        values.setdefault("name", f"s{index}")
        values.setdefault("size", self.usual)
        if before is not None:
            values.setdefault("after", (before,))
        durations = values.pop("durations", None)
        if durations is not None:
            number = values.setdefault("containers", len(durations))
            if number != len(durations):
                hint = f"write count: {len(durations)}, or leave it out"
                raise Bad(DURATIONS, f"there are {len(durations)} durations for {number} containers", hint,
                          field="durations")  # fmt: skip
            values["duration"] = durations
        values.setdefault("containers", 1)
        if values.get("mode") == HOLD:
            if values.pop("duration", None) is not None and "duration" in item:
                self.notes.tell("the duration of a stage in mode hold is not used")
        elif "duration" not in values:
            raise Bad(DIST, "the stage has no duration", "write duration: 30, or mode: hold", field="duration")
        return Stage(**values)

    # -- values that need to know the file

    def size(self, value: Any) -> Amount:
        return parse_amount(value, self.types)

    def master(self, value: Any) -> Amount | None:
        return None if value == "none" else parse_amount(value, self.types)

    def label(self, value: Any) -> None:
        if value != "":
            self.notes.tell("W102 labels are ignored: the fair scheduler knows no node labels")

    def on_preempt(self, value: Any) -> str:
        if value == "resume":
            self.notes.tell("on_preempt resume is read as restart: lost containers begin anew")
            return RESTART
        return one_of((RESTART, DROP, "resume"))(value)

    def repeat(self, value: Any) -> Repeat:
        if not isinstance(value, Mapping):
            raise Bad(VALUE, "this is not a map", "write {count: 50, every: 10m}")
        for key in value:
            if key not in _REPEAT_KEYS:
                self.notes.unknown(str(key), "repeat", _REPEAT_KEYS)
        for key in _REPEAT_KEYS:
            if value.get(key) is None:
                raise Bad(VALUE, f"{key} is missing", "write {count: 50, every: 10m}")
        try:
            number = whole(1, MOST_COPIES, COUNT)(value["count"])
        except Bad as bad:
            raise bad.about("repeat.count", value["count"]) from None
        try:
            return Repeat(number, parse_dist(value["every"]))
        except Bad as bad:
            raise bad.about("repeat.every", value["every"]) from None


def _queue(value: Any) -> str | None:
    return None if isinstance(value, str) and not value.strip() else text(value)


def _a_list(value: Any) -> Sequence[Any]:
    if not isinstance(value, list):
        raise Bad(VALUE, "this is not a list of stages", 'write [{"count": 10, "duration": 30}]')
    return value


def _durations(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise Bad(DURATIONS, "this is not a list of times", "write [30, 31.5, 28]")
    if not 1 <= len(value) <= MOST_CONTAINERS:
        raise Bad(DURATIONS, f"there are {len(value)} times in it", "write a time for each container")
    if set(map(type, value)) <= {int, float} and min(value) >= 0 and max(value) < MOST_MS // 1000:
        return tuple([round(one * 1000) or 1 for one in value])
    try:
        return tuple([time_ms(one) or 1 for one in value])
    except Bad as bad:
        raise Bad(bad.code, f"one of the times is wrong: {bad.reason}", bad.hint) from None


def parse_locality(value: Any) -> Locality:
    """Returns the places that `any`, `hosts:h1;h2`, `racks:r1` or `spread(3)` prefers. Racks begin with a slash."""
    hint = "write any, hosts:h1;h2, racks:r1;r2 or spread(3)"
    if not isinstance(value, str):
        raise Bad(VALUE, "this is not a locality", hint)
    body = value.strip()
    kind, colon, rest = (piece.strip() for piece in body.partition(":"))
    if body == "any":
        return Locality()
    if kind in ("hosts", "racks") and colon:
        found = names(rest)
        if not found:
            raise Bad(VALUE, f"no {kind} are named", hint)
        if kind == "racks":
            found = tuple(name if name.startswith("/") else f"/{name}" for name in found)
        return Locality(kind, found)
    if body.startswith("spread(") and body.endswith(")"):
        return Locality("spread", (), whole(1, 1000)(body[7:-1]))
    raise Bad(VALUE, "this is not a locality", hint)


def check_order(stages: Sequence[Stage]) -> None:
    """Raises Bad unless names are unique, and each stage comes after others of the application without a cycle."""
    by_name: dict[str, Stage] = {}
    for index, stage in enumerate(stages):
        if stage.name in by_name:
            raise Bad(VALUE, "two stages have this name", "give each its own", field="name", value=stage.name,
                      stage=index)  # fmt: skip
        by_name[stage.name] = stage
    done: set[str] = set()
    for index, stage in enumerate(stages):
        for name in stage.after:
            if name not in by_name:
                raise _bad_after(stage, index, f"there is no stage {name!r:.60}", _near(name, by_name))
            if by_name[name].mode == HOLD:
                reason = f"{name!r:.60} is in mode hold: it ends when all others have ended"
                raise _bad_after(stage, index, reason, "write after: [], or name a stage in mode batch")
        if done.issuperset(stage.after):
            done.add(stage.name)
    if len(done) < len(stages):
        _check_cycles(stages)


def _check_cycles(stages: Sequence[Stage]) -> None:
    """Takes away stages that may begin until none is left; in most applications each names only earlier ones."""
    missing = {stage.name: len(stage.after) for stage in stages}
    behind: dict[str, list[str]] = {}
    for stage in stages:
        for name in stage.after:
            behind.setdefault(name, []).append(stage.name)
    ready = [name for name, number in missing.items() if number == 0]
    while ready:
        for name in behind.get(ready.pop(), ()):
            missing[name] -= 1
            if missing[name] == 0:
                ready.append(name)
    for index, stage in enumerate(stages):
        if missing[stage.name]:
            raise _bad_after(stage, index, "the stages wait for each other in a circle", "take one of the names out")


def _bad_after(stage: Stage, index: int, reason: str, hint: str) -> Bad:
    return Bad(AFTER, reason, hint, field="after", value=";".join(stage.after), stage=index)


def _near(name: str, known: Mapping[str, Stage]) -> str:
    from fairsim.diag import did_you_mean

    near = did_you_mean(name, known)
    return f"did you mean {near}?" if near else "stages are " + ", ".join(list(known)[:10])
