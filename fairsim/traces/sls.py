"""Traces of Hadoop's scheduler load simulator (SLS): jobs with their tasks, and the file of its nodes.

Read as AMRunner and SLSRunner of 3.2 to 3.4 read them, and the shorter names of 2.x too. Sizes are those of each task.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Any

from fairsim.model.cluster import Node
from fairsim.model.resources import MEMORY, VCORES, Amount, ResourceTypes
from fairsim.model.workload import AppSpec, Dist, Locality, Stage
from fairsim.traces.faults import COUNT, SIZE, TIME, VALUE, Bad, Notes
from fairsim.traces.files import Frame, find_field, objects, read_json
from fairsim.traces.formats import InFile
from fairsim.traces.native import MOST_COPIES, Entry, Repeat
from fairsim.traces.sizes import parse_part, plain_size, type_named
from fairsim.traces.values import MOST_CONTAINERS, MOST_MS, number, text, whole

#: Code defaults of SLSConfiguration: yarn.sls.nm.memory.mb and .vcores, yarn.sls.container.*, yarn.sls.am.container.*
NODE: Amount = (10240, 10)
CONTAINER: Amount = (1024, 1)
MASTER: Amount = (1024, 1)
MOST_NODES = 1_000_000
MAP_PRIORITY, REDUCE_PRIORITY = 20, 10
_TYPES = ("mapreduce", "stream", "dag")
_JOB = (
    "am.type", "yarn.sls.am.type", "job.start.ms", "job.end.ms", "job.queue.name", "job.id", "job.user", "job.count",
    "job.label.expression", "job.tasks",
)  # fmt: skip
_TASK = (
    "count", "container.host", "container.start.ms", "container.end.ms", "container.duration.ms", "duration.ms",
    "container.priority", "container.type", "container.execution.type", "container.allocation.id",
    "container.request.delay",
)  # fmt: skip
_CLUSTER = ("num.nodes", "num.racks")
_ms = whole(0, MOST_MS, TIME)
_count = whole(1, MOST_CONTAINERS, COUNT)

#: What tasks of one stage have in common: its name, size, host with rack, delay, and the duration in a stream.
_Kind = tuple[str, Amount, str, int, int]


def is_sls(record: Mapping[str, Any]) -> bool:
    """Returns whether the first object of a file is one of SLS."""
    return any(key in _CLUSTER or key.startswith("job.") or key in _JOB[:2] for key in record)


class Sls(InFile):
    """Reads jobs, and the cluster object among them."""

    kind = "sls"

    def __init__(self, stream: IO[bytes], types: ResourceTypes, notes: Notes):
        super().__init__(stream)
        self.types = types
        self.notes = notes
        self._nodes: tuple[Node, ...] | None = None
        self._racks: dict[str, str] = {}  # of the hosts that tasks name
        self.size = filled(types, CONTAINER)
        self.master = filled(types, MASTER)

    def frames(self) -> Iterator[Frame]:
        return objects(self.stream)

    def nodes(self) -> tuple[Node, ...] | None:
        if self._nodes is not None or not self._racks:
            return self._nodes
        capacity = filled(self.types, NODE)
        self.notes.tell(f"the trace names no cluster: its nodes are the {len(self._racks)} hosts of its tasks")
        return tuple(Node(host, rack, capacity) for host, rack in self._racks.items())

    def entry(self, data: bytes, label: str) -> Entry | None:
        record = read_json(data, self.notes)
        if any(key in record for key in _CLUSTER):
            self._cluster(record)
            return None
        try:
            return self._job(record, label)
        except Bad as bad:
            find_field(data, bad)
            raise

    def _cluster(self, record: dict[str, Any]) -> None:
        self._check_keys(record, _CLUSTER, "the cluster")
        size = _get(record, "num.nodes", whole(1, MOST_NODES), 0)
        if not size:
            raise Bad(VALUE, "the cluster has no num.nodes", 'write {"num.nodes": 10, "num.racks": 2}')
        racks = min(max(_get(record, "num.racks", whole(0, MOST_NODES), 1), 1), size)
        capacity = filled(self.types, NODE)
        found = tuple(Node(f"node{index}", f"/rack{index % racks}", capacity) for index in range(size))
        if self._nodes is not None and self._nodes != found:
            raise Bad(VALUE, "a second cluster", "keep one of the two")
        self._nodes = found

    def _job(self, record: dict[str, Any], label: str) -> Entry:
        resources = self._check_keys(record, _JOB, "a job", "am.")
        kind = _get(record, "yarn.sls.am.type" if "yarn.sls.am.type" in record else "am.type", text, "mapreduce")
        if kind not in _TYPES:
            raise Bad(VALUE, "this type of master is not read", "write mapreduce, stream or dag", field="am.type",
                      value=kind)  # fmt: skip
        start = _get(record, "job.start.ms", _ms, 0)
        end = _get(record, "job.end.ms", _ms, 0)
        queue = _get(record, "job.queue.name", text, "")
        if not queue:
            raise Bad(VALUE, "the job has no queue", 'write "job.queue.name": "root.a"', field="job.queue.name")
        if record.get("job.label.expression"):
            self.notes.tell("W102 labels are ignored: the fair scheduler knows no node labels")
        tasks = record.get("job.tasks")
        if not isinstance(tasks, list) or not tasks:
            raise Bad(VALUE, "the job has no tasks: SLS rejects it", "write a list of tasks, or take the job out",
                      field="job.tasks")  # fmt: skip
        life = end - start
        if kind == "stream" and life <= 0:
            raise Bad(TIME, "a stream lives from job.start.ms to job.end.ms, and the end is not later",
                      "write an end after the start", field="job.end.ms", value=record.get("job.end.ms"))  # fmt: skip
        kinds = self._sorted(tasks, kind)
        stages = _mapreduce(kinds) if kind == "mapreduce" else _free(kinds, life if kind == "stream" else 0)
        if kind == "stream":
            self.notes.tell("a stream is read as rounds: its containers are asked for again until its time is up")
        app = AppSpec(
            _get(record, "job.id", text, label), start, _get(record, "job.user", text, "default"), stages, queue,
            am=self._amount(record, resources, "am.", self.master), type=kind,
        )  # fmt: skip
        copies = _get(record, "job.count", whole(-MOST_COPIES, MOST_COPIES, COUNT), 1)
        return Entry(app, Repeat(copies, Dist("const", (0.0,))) if copies > 1 else None)

    def _sorted(self, tasks: list[Any], kind: str) -> dict[_Kind, list[int]]:
        """Returns the durations of the tasks, by what those of one stage have in common."""
        kinds: dict[_Kind, list[int]] = {}
        number = 0
        for index, task in enumerate(tasks):
            try:
                found = self._task(task, kind)
            except Bad as bad:
                bad.field = f"job.tasks[{index}]{'.' if bad.field else ''}{bad.field}"
                raise
            if found is not None:
                key, copies, duration = found
                number += copies
                if number > MOST_CONTAINERS:
                    raise Bad(COUNT, f"the job has more than {MOST_CONTAINERS} containers", field="job.tasks")
                kinds.setdefault(key, []).extend([duration] * copies)
        return kinds

    def _task(self, task: Any, kind: str) -> tuple[_Kind, int, int] | None:
        if not isinstance(task, dict):
            raise Bad(VALUE, "a task is an object", 'write {"container.duration.ms": 1000}', value=task)
        resources = self._check_keys(task, _TASK, "a task", "container.")
        name = _get(task, "container.type", text, "map")
        if kind == "mapreduce" and name not in ("map", "reduce"):
            self.notes.tell("tasks that are neither map nor reduce are left out, as SLS does in a mapreduce job")
            return None
        if _get(task, "container.execution.type", text, "GUARANTEED").upper() != "GUARANTEED":
            self.notes.tell("opportunistic containers are read as guaranteed ones")
        duration = _duration(task)
        delay = _get(task, "container.request.delay", whole(-MOST_MS, MOST_MS, TIME), 0)
        size = self._amount(task, resources, "container.", self.size)
        place = self._place(_get(task, "container.host", text, ""))
        stage = name if kind == "mapreduce" else "task"
        key = stage, size, place, max(delay, 0) if kind == "dag" else 0, duration if kind == "stream" else 0
        return key, _get(task, "count", _count, 1), duration

    def _place(self, path: str) -> str:
        if not path:
            return ""
        rack, host = split_host(path)
        if self._racks.setdefault(host, rack) != rack:
            raise Bad(VALUE, f"the host {host} is in {self._racks[host]} too", "give each host its own name",
                      field="container.host", value=path)  # fmt: skip
        return host

    def _check_keys(self, record: dict[str, Any], known: tuple[str, ...], what: str, prefix: str = "") -> list[str]:
        """Returns the keys of resources, and remarks on those that mean nothing."""
        resources = []
        for key in record:
            if key in known:
                continue
            name = key.removeprefix(prefix)
            if prefix and name != key and type_named(name, self.types):
                resources.append(key)
            elif prefix and name != key and "/" in name:
                known_types = ", ".join(self.types.names)
                raise Bad(SIZE, f"there is no resource type {name!r:.60}", f"known are {known_types}", field=key)
            else:
                self.notes.unknown(key, what, (*known, *(prefix + one for one in self.types.names if prefix)))
        return resources

    def _amount(self, record: dict[str, Any], keys: list[str], prefix: str, usual: Amount) -> Amount:
        if not keys:
            return usual
        found = self.types.as_map(usual)
        for key in keys:
            name = type_named(key.removeprefix(prefix), self.types)
            if name is not None and record[key] is not None:
                found[name] = _get(record, key, _part_reader(name, self.types), 0)
        return self.types.amount(found)


def _part_reader(name: str, types: ResourceTypes) -> Any:
    def read(value: Any) -> int:
        return parse_part(name, plain_size(value), types)

    return read


def _get(record: Mapping[str, Any], key: str, read: Any, usual: Any) -> Any:
    value = record.get(key)
    if value is None:
        return usual
    try:
        return read(value)
    except Bad as bad:
        raise bad.about(key, value) from None


def filled(types: ResourceTypes, usual: Amount) -> Amount:
    """Returns an amount of memory and vcores, with 0 of all other types."""
    return types.amount(dict(zip((MEMORY, VCORES), usual, strict=True)))


def _duration(task: dict[str, Any]) -> int:
    for key in ("container.duration.ms", "duration.ms"):
        if task.get(key) is not None:
            found = number(task[key], TIME, "write whole ms")
            break
    else:
        key = "container.end.ms"
        found = _get(task, key, _ms, 0) - _get(task, "container.start.ms", _ms, 0)
        if key not in task:
            hint = "write container.duration.ms, or container.start.ms and container.end.ms"
            raise Bad(TIME, "the task has no duration", hint)
    if not 0 < found <= MOST_MS or found != int(found):
        raise Bad(TIME, f"a duration of {found:.12g} ms: SLS rejects the job", "write whole ms above 0", field=key,
                  value=task[key])  # fmt: skip
    return int(found)


def split_host(path: str) -> tuple[str, str]:
    """Returns rack and host of `/rack/host`. Raises Bad."""
    rack, slash, host = path.rpartition("/")
    if not slash or not host or not rack.startswith("/") or len(rack) < 2:
        raise Bad(VALUE, "this is no host with its rack", "write /rack1/node1", field="container.host", value=path)
    return rack, host


def _stages(kinds: Mapping[_Kind, list[int]], base: str, priority: int, after: tuple[str, ...]) -> list[Stage]:
    stages: list[Stage] = []
    for (name, size, host, delay, _), durations in kinds.items():
        if name == base:
            number = len(stages) + 1
            same = durations.count(durations[0]) == len(durations)
            stages.append(
                Stage(
                    base if number == 1 else f"{base}{number}", len(durations), size, after, priority, delay_ms=delay,
                    duration=Dist("const", (durations[0] / 1000,)) if same else tuple(durations),
                    locality=Locality("hosts", (host,)) if host else Locality(),
                )
            )  # fmt: skip
    return stages


def _mapreduce(kinds: Mapping[_Kind, list[int]]) -> tuple[Stage, ...]:
    maps = _stages(kinds, "map", MAP_PRIORITY, ())
    return (*maps, *_stages(kinds, "reduce", REDUCE_PRIORITY, tuple(stage.name for stage in maps)))


def _free(kinds: Mapping[_Kind, list[int]], life: int) -> tuple[Stage, ...]:
    """The stages of a dag; those of a stream, when it has a lifetime, in as many rounds as fit into it."""
    stages = _stages(kinds, "task", MAP_PRIORITY, ())
    if not life:
        return tuple(stages)
    rounds = []
    for stage, durations in zip(stages, kinds.values(), strict=True):
        number = -(-life // durations[0])
        if stage.containers * number > MOST_CONTAINERS:
            raise Bad(COUNT, f"the stream has more than {MOST_CONTAINERS} containers in its time", field="job.end.ms")
        rounds.append(stage._replace(containers=stage.containers * number, parallel=stage.containers))
    return tuple(rounds)
