"""What `fairsim replay` does: sets the scene, runs the workload under each file, writes what came of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from fairsim.cli import exits
from fairsim.cli.options import Inputs
from fairsim.cli.output import Output
from fairsim.cli.progress import Progress
from fairsim.cli.reading import read_input
from fairsim.cli.replay_files import LogFile, TimelineFile
from fairsim.cli.scene import Scene, clusters_of, set_scene
from fairsim.config.allocation import RawAllocation
from fairsim.config.build import build_tree
from fairsim.config.groups import read_groups
from fairsim.config.site import Site
from fairsim.diag import did_you_mean
from fairsim.errors import InputError, RefusedError, UsageError
from fairsim.model.cluster import Node
from fairsim.model.workload import AppSpec, Stage
from fairsim.replay.draws import Draws
from fairsim.replay.record import Recorder
from fairsim.replay.reload import HalfReloaded
from fairsim.replay.scheduler import Scheduler, Unsupported
from fairsim.replay.simulate import Simulation, Times
from fairsim.replay.story import Story
from fairsim.replay.switches import read_switches
from fairsim.report import replay as report
from fairsim.report.replay import Run
from fairsim.traces.faults import Bad
from fairsim.traces.trace import Trace, open_trace
from fairsim.traces.values import time_ms

_CONTINUOUS = "yarn.scheduler.fair.continuous-scheduling-enabled"
_UPDATE = "yarn.scheduler.fair.update-interval-ms"
_HEARTBEAT = "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms"
_PREEMPTION = "yarn.scheduler.fair.preemption"
MOST_TOLD = 5


class Wishes(NamedTuple):
    """The options of the command."""

    trace: str
    nodes: str | None
    groups_file: str | None
    until: str | None
    seed: int
    reloads: tuple[str, ...]
    why: str | None
    timeline: str | None
    every: str
    log: str | None
    strict: bool
    skip_bad: int


class Reload(NamedTuple):
    """Another allocation file from a time on."""

    time: int
    name: str
    raw: RawAllocation


def answer(inputs: Sequence[Inputs], out: Output, wishes: Wishes) -> int:
    """Writes the answer and returns the exit code. Raises FairsimError."""
    until = _time(wishes.until, "--until") if wishes.until is not None else None
    every = _time(wishes.every, "--every")
    if every < 1:
        raise UsageError("the step is 0", where="--every", hint="write a time such as 60s")
    if len(inputs) > 1 and (wishes.timeline or wishes.log or wishes.why):
        option = "--timeline" if wishes.timeline else "--log" if wishes.log else "--why"
        raise UsageError(f"{option} is about one run", where=option, hint="give one ALLOC, without --set")
    scenes = [set_scene(one, out, cluster_needed=False) for one in inputs]
    draws = Draws(wishes.seed)
    out.inputs.append(wishes.trace)
    if wishes.trace == "-":
        from fairsim.cli.reading import claim_standard_input

        claim_standard_input(out)
    stdin = sys.stdin.buffer if wishes.trace == "-" and sys.stdin is not None else None
    with open_trace(
        wishes.trace, scenes[0].tree.types, gaps=draws.gaps, stdin=stdin, strict=wishes.strict,
        skip_bad=wishes.skip_bad,
    ) as trace:  # fmt: skip
        for text in (*trace.warnings, *trace.skipped):
            out.say(text)
        nodes = _nodes(scenes[0], trace, wishes, out)
        groups = None if wishes.groups_file is None else _groups(wishes.groups_file, out)
        runs: list[Run] = []
        for one, scene in zip(inputs, scenes, strict=True):
            run = _Run(one, scene, trace, nodes, groups, draws, wishes, out)
            runs.append(run.result(until, every, len(runs), len(inputs)))
            if runs[-1].partial:
                break
    _say_notes(scenes[0], trace, groups is not None, out)
    _show(runs, trace, wishes, out)
    return exits.INTERRUPTED if runs[-1].partial else exits.ANSWERED


def _time(text: str, option: str) -> int:
    try:
        return time_ms(text)
    except Bad as bad:
        raise UsageError(f"{text!r:.40}: {bad.reason}", where=option, hint=bad.hint) from None


def _nodes(scene: Scene, trace: Trace, wishes: Wishes, out: Output) -> Sequence[Node]:
    types = scene.tree.types
    if wishes.nodes is not None:
        from fairsim.traces.sls_nodes import read_sls_nodes

        out.inputs.append(wishes.nodes)
        return read_sls_nodes(wishes.nodes, types)
    if scene.clusters:
        cluster = scene.clusters[0]
        if not cluster.counted:
            hint = "say how many nodes: 40x64g,16c, or name a file with nodes"
            raise UsageError("a sum is no nodes to run on", where="--cluster", hint=hint)
        return list(cluster.nodes(types))
    if trace.nodes:
        return trace.nodes
    raise UsageError("no cluster is given", where="--cluster", hint="write --cluster 40x64g,16c, or name a file")


def _groups(option: str, out: Output) -> dict[str, tuple[str, ...]]:
    return read_groups(option, lambda path: read_input(path, out).data)


class _Run:
    """One run: a workload under one file."""

    def __init__(
        self, inputs: Inputs, scene: Scene, trace: Trace, nodes: Sequence[Node],
        groups: dict[str, tuple[str, ...]] | None, draws: Draws, wishes: Wishes, out: Output,
    ):  # fmt: skip
        self.inputs, self.scene, self.trace, self.nodes = inputs, scene, trace, nodes
        self.groups, self.draws, self.wishes, self.out = groups, draws, wishes, out
        tree = scene.tree
        site = scene.site or Site({})
        if site.boolean(_CONTINUOUS, tree.profile).value:
            hint = f"set {_CONTINUOUS} to false; it is deprecated since 3.1"
            raise UsageError("continuous scheduling goes by the clock of the machine: it cannot be replayed", hint=hint)
        try:
            self.scheduler = Scheduler(
                scene.raw, build_tree(scene.raw, as_created=True), read_switches(site, tree.types, tree.profile)
            )
        except Unsupported as error:
            raise UsageError(str(error), where="--hadoop", hint="write --hadoop 2.10, or later") from None
        periods = (max(site.integer(name, tree.profile).value, 1) for name in (_UPDATE, _HEARTBEAT))
        self.times = Times(*periods)
        self.too_large: dict[str, str] = {}
        self.places = [(node.name, node.rack) for node in nodes]

    def result(self, until: int | None, every: int, number: int, of: int) -> Run:
        """Runs it. Interrupted, it tells what came until then."""
        wishes, scheduler = self.wishes, self.scheduler
        story = None if wishes.why is None else Story(scheduler, wishes.why)
        reloads = [self._reload(text) for text in wishes.reloads]
        with ExitStack() as stack:
            listeners: list[Any] = [] if story is None else [story.hear]
            recorder = Recorder(scheduler)
            if wishes.log is not None:
                listeners.append(stack.enter_context(LogFile(self.out, wishes.log)).hear)
            if wishes.timeline is not None:
                timeline = stack.enter_context(TimelineFile(self.out, wishes.timeline, every, recorder))
                listeners.append(timeline.hear)
            if listeners:
                recorder.also = _all(listeners)
            simulation = Simulation(
                scheduler, self.nodes, self._apps(), recorder, times=self.times,
                draw=lambda spec, stage: self.draws.durations(spec.id, stage), places=self._places,
            )  # fmt: skip
            recorder.set_steady()
            for reload in reloads:
                simulation.at(reload.time, lambda raw=reload.raw: self._to(simulation, raw))  # type: ignore[misc]
            self._events(simulation)
            partial = False
            progress = Progress(self.out, until or self.trace.end_ms, self.trace.containers, number, of)
            try:
                with progress:
                    for time in simulation.run(until):
                        progress.at(time, recorder.total.containers)
            except KeyboardInterrupt:
                partial = True
            recorder.close(max(simulation.now, recorder.time))
            if wishes.timeline is not None:
                timeline.close()
        if story is not None and not story.lines:
            self._unknown(wishes.why or "", recorder)
        return Run(self._label(), scheduler, recorder, simulation.now, partial, story, dict(self.too_large))

    def _label(self) -> str:
        changes = f" with {', '.join(self.inputs.changes)}" if self.inputs.changes else ""
        return f"{self.inputs.allocation.name}{changes}"

    def _apps(self) -> Iterator[AppSpec]:
        groups, largest = self.groups, None
        for spec in self.trace.apps():
            if largest is None:
                largest = self.scheduler.largest()
            for stage in spec.stages:
                if len(self.too_large) < MOST_TOLD and any(map(int.__gt__, stage.size, largest)):
                    self.too_large.setdefault(spec.id, stage.name)
            if groups is not None and spec.groups is None:
                spec = spec._replace(groups=groups.get(spec.user))
            yield spec

    def _places(self, spec: AppSpec, stage: Stage) -> Iterator[Sequence[tuple[str, str]]]:
        if stage.locality.kind == "any":
            return iter(())
        return self.draws.places(spec.id, stage, self.places)

    def _reload(self, text: str) -> Reload:
        when, equals, path = text.partition("=")
        if not equals or not path:
            raise UsageError(f"{text!r:.60} is no reload", where="--reload", hint="write TIME=FILE, such as 2h=new.xml")
        time = _time(when, "--reload")
        from fairsim.config.load import load_allocation

        source = read_input(path, self.out)
        tree = self.scene.tree
        try:
            loaded = load_allocation(source.data, source.name, tree.profile, tree.types, ())
        except RefusedError as error:
            self.out.say(f"{source.name}: {error.message}: at {when} the file of before stays in force")
            return Reload(time, path, self.scene.raw)
        return Reload(time, path, loaded.raw)

    def _to(self, simulation: Simulation, raw: RawAllocation) -> None:
        try:
            simulation.reload(raw)
        except HalfReloaded as error:
            self.out.say(f"the reload ends half way, as in Hadoop: {error}")

    def _events(self, simulation: Simulation) -> None:
        """Nodes that the description of the cluster adds or removes."""
        if not self.scene.clusters or self.wishes.nodes is not None:
            return
        events: Any = self.scene.clusters[0].replay.get("events", ())
        for number, event in enumerate(events, 1):
            time = time_ms(str(event["at"]))
            if "remove" in event:
                name = str(event["remove"])
                if name not in simulation.hosts:
                    near = did_you_mean(name, list(simulation.hosts))
                    hint = f"did you mean {near}?" if near else "name a node of the cluster, such as n1"
                    raise InputError(f"there is no node {name}", where=self.scene.clusters[0].source, hint=hint)
                simulation.at(time, lambda name=name: simulation.remove_node(name))  # type: ignore[misc]
                continue
            added = event["add"]
            text = f"{added.get('count', 1)}x{added['memory']},{added['vcores']}c"
            for node in clusters_of([text], self.scene.tree.types, "events")[0].nodes(self.scene.tree.types):
                spec = node._replace(name=f"added{number}-{node.name}")
                simulation.at(time, lambda spec=spec: simulation.add_node(spec))  # type: ignore[misc]

    def _unknown(self, app: str, recorder: Recorder) -> None:
        near = did_you_mean(app, [spec.id for spec in self.trace.apps()] if self.trace.count < 100_000 else [])
        hint = f"did you mean {near}?" if near else "ids of applications are those of the trace"
        raise UsageError(f"no application {app} came", where="--why", hint=hint)


def _all(listeners: Sequence[Any]) -> Any:
    def hear(time: int, what: str, thing: object) -> None:
        for listener in listeners:
            listener(time, what, thing)

    return listeners[0] if len(listeners) == 1 else hear


def _say_notes(scene: Scene, trace: Trace, grouped: bool, out: Output) -> None:
    if scene.switched_on(_PREEMPTION):
        out.say("preemption is on in yarn-site; the replay does without it")
    by_group = ("primaryGroup", "secondaryGroupExistingQueue")
    if trace.groupless and not grouped and any(
        rule.name in by_group or (rule.nested is not None and rule.nested.name in by_group)
        for rule in scene.raw.rules or ()
    ):
        out.say(f"{trace.groupless} applications have no groups, and rules look at groups: the user's name is taken")


def _show(runs: Sequence[Run], trace: Trace, wishes: Wishes, out: Output) -> None:
    if runs[0].story is not None:
        out.show(*report.story(runs[0]), document=lambda: report.story_document(runs[0], out.hadoop),
                 records=lambda: report.story_records(runs[0]))  # fmt: skip
        return
    out.show(*report.blocks(runs, out.hadoop), document=lambda: report.document(runs, trace, wishes.seed, out.hadoop),
             records=lambda: report.records(runs))  # fmt: skip
