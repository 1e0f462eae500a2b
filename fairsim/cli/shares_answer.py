"""The work of `fairsim shares`: scene, shares, tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairsim.cli.options import Inputs, blamed, label_of
from fairsim.cli.output import CSV, JSON, JSONL, Block, Output
from fairsim.cli.reading import read_input
from fairsim.cli.scene import Scene, set_scene
from fairsim.config.names import full_name
from fairsim.errors import UsageError
from fairsim.model.resources import Amount
from fairsim.report.shares import shares_table
from fairsim.report.table import RIGHT, Column, Table
from fairsim.report.views import View
from fairsim.shares.solve import solve_many
from fairsim.units import format_amount

if TYPE_CHECKING:
    from fairsim.model.apps import App

    #: Applications, the reason why each waits (empty: it runs), and their shares.
    Running = list[tuple[App, str, Amount]]

PREEMPTION = "yarn.scheduler.fair.preemption"
SIZE_BASED = "yarn.scheduler.fair.sizebasedweight"


class Wishes:
    """The options of the command."""

    def __init__(
        self, active: tuple[str, ...], all_active: bool, apps: tuple[str, ...], am: str | None, explain: tuple[str, ...]
    ):
        self.active = active
        self.all_active = all_active
        self.apps = apps
        self.am = am
        self.explain = explain


def answer(inputs: Inputs, out: Output, wishes: Wishes) -> None:
    """Writes the answer. Raises FairsimError, and Hangs where Hadoop would not end."""
    scene = set_scene(inputs, out)
    tree, several = scene.tree, len(scene.sizes) > 1
    if several and (wishes.apps or wishes.explain):
        raise UsageError("--apps and --explain take one size of the cluster", hint="give a single --cluster")
    apps = _apps(scene, wishes, out)
    leaves, notes, waits = _leaves(scene, wishes, apps)
    master = _master(scene, wishes)
    if out.format in (CSV, JSONL) and (wishes.apps or wishes.explain):
        out.say(f"{out.format} has the queues only; applications and explanations are in text, markdown and json")
    runs = solve_many(tree, [amount for _, amount in scene.sizes], leaves)
    views = [
        View(tree, run, human=out.human, master=master, label=label if several else "")
        for run, (label, _) in zip(runs, scene.sizes, strict=True)
    ]
    running = _divide_apps(scene, views[0], apps, waits) if apps is not None else None
    explanations = _explanations(views[0], wishes.explain, scene.switched_on(PREEMPTION))
    notes = [*notes, *scene.notes]
    blocks: list[Block] = []
    if out.format not in (JSON, JSONL):
        with blamed("--columns", label_of(out.settings, "columns") if out.settings else "--columns"):
            blocks = _blocks(scene, views, out, running, explanations, notes)

    def document() -> dict[str, Any]:
        from fairsim.report import shares_json
        from fairsim.report.findings import finding_record

        found = [finding_record(finding, inputs.allocation.name) for finding in scene.findings]
        listed = None
        if running is not None:
            listed = [shares_json.app_record(tree, *one) for one in running]
        return shares_json.document(views, notes, found, listed, explanations)

    def records() -> Any:
        from fairsim.report import shares_json

        return shares_json.records(views)

    out.show(*blocks, document=document, records=records)


def _apps(scene: Scene, wishes: Wishes, out: Output) -> list[App] | None:
    if not wishes.apps:
        return None
    from fairsim.config.apps import read_apps

    return read_apps(wishes.apps, scene.tree, lambda path: read_input(path, out).data)


def _master(scene: Scene, wishes: Wishes) -> Amount | None:
    if wishes.am is None:
        return None
    from fairsim.config.apps import parse_master

    return parse_master(wishes.am, scene.tree.types)


def _leaves(
    scene: Scene, wishes: Wishes, apps: list[App] | None
) -> tuple[frozenset[str] | None, list[str], list[str]]:
    """Returns the active leaves (None: all), what is assumed, and for each application why it waits."""
    if apps is not None:
        from fairsim.shares.apps import runnable

        waits = runnable(scene.tree, apps)
        active = frozenset(app.queue for app, reason in zip(apps, waits, strict=True) if not reason)
        notes = [f"active are the queues of the {waits.count('')} running applications of {len(apps)}"]
        if scene.switched_on(SIZE_BASED) and not all(any(app.demand) for app in apps):
            notes.append("sizebasedweight is on: an application without a demand has the weight 0 and no share")
        return active, notes, waits
    if wishes.active:
        from fairsim.config.apps import chosen_leaves

        active = chosen_leaves(scene.tree, wishes.active, "--active")
        return active, [f"active: {len(active)} leaf queue{'s' * (len(active) != 1)}, as given"], []
    return None, ["every leaf queue is taken as active; --active names those that run applications"], []


def _divide_apps(scene: Scene, view: View, apps: list[App], waits: list[str]) -> Running:
    from fairsim.shares.apps import app_shares

    size_based = scene.switched_on(SIZE_BASED)
    return list(zip(apps, waits, app_shares(scene.tree, view.shares, apps, waits, size_based), strict=True))


def _explanations(view: View, names: Sequence[str], preemption: bool) -> list[Any]:
    if not names:
        return []
    from fairsim.config.apps import no_queue
    from fairsim.shares.explain import explain

    found = []
    for name in names:
        if not name.strip():
            raise UsageError("the name of the queue is empty", where="--explain", hint="write --explain root.a")
        queue = view.tree.queues.get(full_name(name))
        if queue is None:
            raise no_queue(view.tree, full_name(name), "--explain")
        same = view.shares.steady == view.shares.instantaneous
        modes = ("instantaneous",) if same else ("steady", "instantaneous")
        found += [explain(view.tree, view.shares, queue, mode, preemption) for mode in modes]
    return found


def _blocks(
    scene: Scene,
    views: Sequence[View],
    out: Output,
    running: Running | None,
    explanations: Sequence[Any],
    notes: Sequence[str],
) -> list[Block]:
    table = shares_table(views, out.columns, out.format == CSV, out.wide)
    tree = scene.tree
    sizes = "; ".join(format_amount(amount, tree.types, human=out.human) for _, amount in scene.sizes[:4])
    more = f"; ... {len(scene.sizes)} sizes" if len(scene.sizes) > 4 else ""
    names = ", ".join("MB" if kind == 0 else name for kind, name in enumerate(tree.types.names))
    title = f"Hadoop {tree.profile.label}, cluster {sizes}{more}; amounts: {names}"
    alone = not running and not explanations
    blocks: list[Block] = [Table.from_columns(table.columns, table.by_column(), title, notes if alone else ())]
    if running:
        blocks.append(_apps_table(running))
    if explanations:
        from fairsim.report import explain

        same = views[0].shares.steady == views[0].shares.instantaneous
        for one in explanations:
            blocks += explain.blocks(tree, one, same)
    if not alone:
        blocks += notes
    return blocks


def _apps_table(running: Running) -> Table:
    rows = [
        (app.name, app.queue, app.user or None, ", ".join(map(str, share)), f"waits: {waits}" if waits else None)
        for app, waits, share in running
    ]
    columns = [
        Column("app", "application", rank=0, style="name"),
        Column("queue", "queue", rank=0),
        Column("user", "user", rank=2),
        Column("instantaneous", "instantaneous", RIGHT, rank=0, style="number"),
        Column("notes", "notes", wrap=True, none="", style="note"),
    ]
    return Table(columns, rows, "applications")
