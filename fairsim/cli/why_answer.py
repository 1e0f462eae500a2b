"""The work of `fairsim why`: scene, state, question, chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fairsim.cli import exits
from fairsim.cli.options import Inputs
from fairsim.cli.output import JSON, Block, Output, Source
from fairsim.cli.place_answer import check_queue_name
from fairsim.cli.reading import read_input
from fairsim.cli.scene import Scene, set_scene
from fairsim.cli.why_place import desk
from fairsim.config.apps import parse_master, parse_size
from fairsim.config.names import full_name
from fairsim.config.site import Site
from fairsim.diag import did_you_mean
from fairsim.errors import InputError, UsageError
from fairsim.model.resources import Amount
from fairsim.model.state import RUNNING, AppUse, State
from fairsim.report import why as report
from fairsim.why.chain import Case, why
from fairsim.why.grow import grow
from fairsim.why.parts import Question
from fairsim.why.room import Ground
from fairsim.why.site import SiteRules, site_rules


class Wishes(NamedTuple):
    """The options of the command."""

    user: str | None
    queue: str | None
    am: str | None
    state: tuple[str, ...]
    app: str | None
    ask: str | None
    groups: Mapping[str, Any]


def answer(inputs: Inputs, out: Output, wishes: Wishes) -> int:
    """Writes the answer and returns the exit code. Raises FairsimError, and Hangs where Hadoop would not end."""
    _check(wishes)
    check_queue_name(wishes.queue)
    files = [read_input(path, out) for path in wishes.state]
    scene = set_scene(_with_cluster(inputs, files, out), out)
    tree = scene.tree
    if len(scene.sizes) > 1:
        raise UsageError("why takes one size of the cluster", where="--cluster", hint="give a single --cluster")
    cluster = scene.sizes[0][1]
    state = _state(files, scene)
    notes = [*scene.notes, *state.notes]
    if not files:
        notes.append("no --state is given: answered for an empty cluster")
    app = _app(state, wishes)
    site = scene.site or Site({})
    rules = site_rules(site, tree.profile, tree.types)
    question = _question(scene, wishes, rules, app)
    user, file = question.user, inputs.allocation.name
    place = None if app is not None else desk(scene, file, user, wishes.queue, wishes.groups, state, out)
    _grow(scene, state)
    case = Case(
        tree, file, _ground(scene, cluster, state), _largest(scene, cluster), rules, state, question, wishes.queue,
        place.land if place is not None else None,
    )
    found = why(case)
    notes = [*(place.notes if place is not None else ()), *notes]
    if question.am_assumed and app is None:
        notes.append("no --am is given: a master of the smallest size is taken")
    groups = place.told.groups if place is not None else None
    told = report.Told(tree, cluster, groups, wishes.queue, state.sources, notes)
    shown: list[Block] = [] if out.format == JSON else list(report.blocks(found, told))

    def document() -> dict[str, Any]:
        from fairsim.report.findings import finding_record

        records = [finding_record(finding, inputs.allocation.name) for finding in scene.findings]
        return report.document(found, told._replace(findings=records))

    out.show(*shown, document=document)
    return exits.ANSWERED if report.runs(found) else exits.NO


def _check(wishes: Wishes) -> None:
    if wishes.app is not None and not wishes.state:
        hint = "give the state with --state FILE"
        raise UsageError("--app names an application of the state", where="--app", hint=hint)
    if wishes.app is None and not (wishes.user or "").strip():
        raise UsageError("no user is given", where="--user", hint="write --user fred, or --app ID with --state FILE")
    if wishes.ask is not None and wishes.app is None:
        raise UsageError("--ask is about an application of the state", where="--ask", hint="give --app ID as well")


def _state(files: Sequence[Source], scene: Scene) -> State:
    if not files:
        return State()
    from fairsim.config.state import read_state

    return read_state([(source.name, source.data) for source in files], scene.tree.types)


def _with_cluster(inputs: Inputs, files: Sequence[Source], out: Output) -> Inputs:
    """Takes the cluster from the state when nothing else gives one: nodes, else the sum that the scheduler tells."""
    if inputs.clusters or any(change.partition("=")[0].strip() == "cluster" for change in inputs.changes):
        return inputs
    if not files:
        return inputs
    from fairsim.config.state import is_rm_json
    from fairsim.config.state_rm import cluster_in

    saved = [source for source in files if is_rm_json(source.data, source.name)]
    for source in saved:
        if source.data[:200].removeprefix(b"\xef\xbb\xbf").lstrip(b" \r\n\t{").startswith(b'"nodes"'):
            out.say(f"the cluster is that of {source.name}")
            return inputs._replace(clusters=(source.name,), cluster_label="--state")
    for source in saved:
        size = cluster_in(source.data, source.name)
        if size:
            out.say(f"the cluster is that of {source.name}: {size}")
            return inputs._replace(clusters=(size,), cluster_label="--state")
    return inputs


def _app(state: State, wishes: Wishes) -> AppUse | None:
    if wishes.app is None:
        return None
    found = next((one for one in state.apps if one.id == wishes.app), None)
    if found is None:
        near = did_you_mean(wishes.app, [one.id for one in state.apps])
        listed = ", ".join(one.id for one in state.apps[:5]) or "none"
        hint = f"did you mean {near}?" if near else f"the state has {listed}"
        message = f"the state has no application {wishes.app!r:.60} that has not ended"
        raise InputError(message, where="--app", hint=hint)
    if wishes.user and found.user and wishes.user != found.user:
        hint = "leave --user out, or name another --app"
        raise UsageError(f"{found.id} is of {found.user}", where="--user", hint=hint)
    if wishes.queue and full_name(wishes.queue) != found.queue:
        hint = "leave --queue out; to try another queue, drop --app"
        raise UsageError(f"{found.id} is in {found.queue}", where="--queue", hint=hint)
    return found


def _grow(scene: Scene, state: State) -> None:
    """Makes the queues of the state that the file does not name: they came into being for some application."""
    tree = scene.tree
    for name in sorted({*state.queues, *(one.queue for one in state.apps)}):
        said = state.queues.get(name)
        known = tree.queues.get(name)
        queue = grow(tree, name, leaf=said is None or said.leaf) if known is None else known
        wants_leaf = any(one.queue == name for one in state.apps)
        if queue is None or (wants_leaf and not queue.leaf):
            where = state.sources[0] if state.sources else "--state"
            why_not = "it is a parent in the allocation file"
            if queue is None:
                why_not = "Hadoop would not make it with this file"
            text = f"the state has applications in {name}" if wants_leaf else f"the state has the queue {name}"
            hint = "use the allocation file that the state belongs to"
            raise InputError(f"{text}, but {why_not}", where=where, hint=hint)


def _question(scene: Scene, wishes: Wishes, rules: SiteRules, app: AppUse | None) -> Question:
    types = scene.tree.types
    user = wishes.user or (app.user if app is not None else "")
    size = parse_master(wishes.am, types) if wishes.am is not None else None
    ask = parse_size(wishes.ask, types, "--ask") if wishes.ask else None
    if ask is not None and app is not None and app.state != RUNNING:
        message = f"{app.id} has no master yet: its first container is the master"
        raise UsageError(message, where="--ask", hint="use --am")
    return Question(user, size or _smallest(rules), size is None, app.id if app is not None else None, ask)


def _smallest(rules: SiteRules) -> Amount:
    return tuple(max(low, 0) if low else min(step, 1) for low, step in zip(rules.minimum, rules.increment, strict=True))


def _ground(scene: Scene, cluster: Amount, state: State) -> Ground:
    groups = scene.clusters[0].groups if scene.clusters else ()
    sizes = None
    if groups and scene.clusters[0].counted:
        sizes = [size for group in groups for size in [group.capacity(scene.tree.types)] * group.size]
    return Ground(cluster, sizes, state.free or None, not state.sources)


def _largest(scene: Scene, cluster: Amount) -> tuple[Amount, bool]:
    """The largest node of each type, and whether nodes are known: of a sum, no node is larger than it."""
    known = bool(scene.clusters) and scene.clusters[0].counted
    return (scene.clusters[0].largest(scene.tree.types), True) if known else (cluster, False)

