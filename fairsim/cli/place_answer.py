"""The work of `fairsim place`: scene, engine, groups; then one submission, or what the other options ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairsim.cli import exits
from fairsim.cli.options import Inputs
from fairsim.cli.output import CSV, JSON, JSONL, Block, Output
from fairsim.cli.reading import read_input
from fairsim.cli.scene import Scene, set_scene
from fairsim.config.groups import DEFAULT_OVERRIDES, OVERRIDES, UserGroups, parse_overrides, read_groups, split_groups
from fairsim.config.names import MOST_CHARACTERS
from fairsim.errors import InputError, UsageError
from fairsim.placement.administer import Administrators
from fairsim.placement.live import BadName, NoLeaf
from fairsim.placement.rules import User
from fairsim.placement.submission import PLACED, Landing, Placement, Settings, Submission
from fairsim.report import place as report
from fairsim.report.place_hints import hint_of

if TYPE_CHECKING:
    from fairsim.model.resources import Amount

_MODES = {"list_": "--list", "who": "--who", "batch": "--batch", "expect": "--expect"}


class Wishes:
    """The options of the command."""

    def __init__(self, given: Mapping[str, Any]):
        self.user: str | None = given["user"]
        self.queue: str | None = given["queue"]
        self.group: tuple[str, ...] = given["group"]
        self.groups: str | None = given["groups"]
        self.no_groups: bool = given["no_groups"]
        self.groups_file: str | None = given["groups_file"]
        self.core_site: tuple[str, ...] = given["core_site"]
        self.am: str | None = given["am"]
        self.live: str | None = given["live"]
        self.explain: bool = given["explain"]
        self.list: bool = given["list_"]
        self.who: str | None = given["who"]
        self.batch: str | None = given["batch"]
        self.stateful: bool = given["stateful"]
        self.expect: str | None = given["expect"]
        self.modes = [option for name, option in _MODES.items() if given[name] not in (None, False)]


class Desk:
    """All that a submission is answered from."""

    def __init__(self, inputs: Inputs, out: Output, wishes: Wishes, scene: Scene):
        self.out = out
        self.scene = scene
        self.file = inputs.allocation.name
        self.groups = user_groups(scene, wishes, out)
        self.am = _master(scene, wishes.am)
        self.placement = placement_of(scene, self.am is not None)
        text = scene.site.text("yarn.admin.acl", inputs.profile) if scene.site else None
        self.administrators = Administrators(
            self.placement.settings.acl_enable, "*" if text is None else text,
            lines=inputs.profile.features.acl_lines,
        )  # fmt: skip
        remark = scene.tree.profile.remark
        self.notes = [*([remark] if remark else []), *(f"what if: {change}" for change in inputs.changes)]
        if wishes.live is not None:
            _add_live(self, wishes.live)

    def submit(
        self, user: str, groups: tuple[str, ...] | None, queue: str | None, *, trace: bool = False, keep: bool = False
    ) -> Landing:
        """Returns what becomes of one application."""
        return self.placement.submit(Submission(User(user, groups), queue, self.am), trace=trace, keep=keep)


def answer(inputs: Inputs, out: Output, wishes: Wishes) -> int:
    """Writes the answer and returns the exit code. Raises FairsimError."""
    check_wishes(wishes)
    if wishes.expect is not None:
        from fairsim.cli.place_expect import check_expectations

        return check_expectations(inputs, out, wishes)
    scene = set_scene(inputs, out, cluster_needed=False)
    if len(scene.sizes) > 1:
        raise UsageError("place takes one size of the cluster", where="--cluster", hint="give a single --cluster")
    desk = Desk(inputs, out, wishes, scene)
    if wishes.batch is not None:
        from fairsim.cli.place_batch import run_batch

        return run_batch(desk, wishes.batch, stateful=wishes.stateful)
    if wishes.list:
        from fairsim.cli.place_lists import list_queues

        return list_queues(desk, str(wishes.user))
    if wishes.who is not None:
        from fairsim.cli.place_lists import who_may

        return who_may(desk, wishes.who)
    return _one(inputs, desk, wishes)


def check_queue_name(name: str | None) -> None:
    """Raises UsageError for a name that is too long to be one."""
    if name is not None and len(name) > MOST_CHARACTERS:
        message = f"the name has {len(name)} characters; fairsim reads {MOST_CHARACTERS}"
        raise UsageError(message, where="--queue", hint="name a queue such as root.a.b")


def check_wishes(wishes: Wishes) -> None:
    """Raises UsageError for options that do not go together."""
    if len(wishes.modes) > 1:
        raise UsageError(f"{' and '.join(wishes.modes)} exclude each other", hint="keep one of them")
    mode = wishes.modes[0] if wishes.modes else ""
    if mode in ("", "--list"):
        if not (wishes.user or "").strip():
            hint = "write --user fred, or --who QUEUE, --batch FILE or --expect FILE"
            raise UsageError("no user is given", where="--user", hint=hint)
    elif wishes.user is not None:
        raise UsageError(f"{mode} is about many users", where="--user", hint="leave --user out")
    check_queue_name(wishes.queue)
    if mode and wishes.queue is not None:
        raise UsageError(f"--queue does not go with {mode}", where="--queue", hint="leave it out")
    if mode and wishes.explain:
        raise UsageError(f"--explain does not go with {mode}", where="--explain", hint="explain one submission: --user")
    if wishes.stateful and mode != "--batch":
        raise UsageError("--stateful belongs to --batch", where="--stateful", hint="leave it out, or give --batch FILE")
    ways = [name for name, given in (("--group", wishes.group), ("--groups", wishes.groups is not None),
                                     ("--no-groups", wishes.no_groups)) if given]  # fmt: skip
    if len(ways) > 1:
        raise UsageError(f"{' and '.join(ways)} exclude each other", where=ways[1], hint="keep one of them")
    if ways and wishes.user is None:
        raise UsageError(f"{ways[0]} is about one user", where=ways[0], hint="give --user, or use --groups-file")


# -- what the engine needs


def user_groups(scene: Scene, wishes: Wishes, out: Output) -> UserGroups:
    given: tuple[str, ...] | bool | None = False
    if wishes.no_groups:
        given = None
    elif wishes.groups is not None:
        given = split_groups(wishes.groups)
    elif wishes.group:
        given = tuple(dict.fromkeys(wishes.group))
    listed = None
    if wishes.groups_file is not None:
        listed = read_groups(wishes.groups_file, lambda path: read_input(path, out).data)
    text, where = DEFAULT_OVERRIDES, OVERRIDES
    site = scene.site
    if wishes.core_site:
        from fairsim.config.site import read_site

        out.inputs += wishes.core_site
        site = read_site(wishes.core_site)
    if site is not None:
        text = str(site.typed(OVERRIDES, scene.tree.profile).value)
        where = wishes.core_site[-1] if wishes.core_site else OVERRIDES
    overrides = parse_overrides(text, where)
    if wishes.user in overrides and (given is not False or listed is not None):
        out.say(f"the groups of {wishes.user} are those of {OVERRIDES}: it wins over all others")
    return UserGroups(given, listed, overrides)


def _master(scene: Scene, text: str | None) -> Amount | None:
    if text is None:
        return None
    from fairsim.config.apps import parse_master

    return parse_master(text, scene.tree.types)


def placement_of(scene: Scene, sized: bool) -> Placement:
    site, profile = scene.site, scene.tree.profile

    def switch(name: str, default: bool) -> bool:
        return default if site is None else site.boolean(name, profile).value

    settings = Settings(
        switch("yarn.scheduler.fair.allow-undeclared-pools", True),
        switch("yarn.scheduler.fair.user-as-default-queue", True),
        switch("yarn.acl.enable", False),
        _largest(scene) if sized else None,
    )
    return Placement(scene.raw, scene.tree, settings, scene.sizes[0][1] if scene.sizes else None)


def _largest(scene: Scene) -> Amount:
    """The largest container: that of yarn-site, and no more than the largest node where nodes are known."""
    from fairsim.config.resource_types import read_limits
    from fairsim.config.site import Site

    site, types = scene.site or Site({}), scene.tree.types
    most = read_limits(site, types, scene.tree.profile).maximum
    if len(scene.sizes) > 1:
        raise UsageError("place takes one size of the cluster", where="--cluster", hint="give a single --cluster")
    if not scene.clusters:
        return most
    cluster = scene.clusters[0]
    node = cluster.largest(types) if cluster.counted else cluster.total(types)
    return tuple(map(min, most, node))


def _add_live(desk: Desk, path: str) -> None:
    from fairsim.config.live_queues import read_live

    source = read_input(path, desk.out)
    for name, leaf in read_live(source.data, source.name, desk.scene.tree.types):
        try:
            desk.placement.live.add(name, leaf)
        except (BadName, NoLeaf) as error:
            kind = "leaf" if leaf else "parent"
            hint = "use the allocation file that the list belongs to, or take the queue out"
            raise InputError(f"the {kind} queue {name}: {error}", where=source.name, hint=hint) from None


# -- one submission


def _one(inputs: Inputs, desk: Desk, wishes: Wishes) -> int:
    out, user = desk.out, str(wishes.user)
    groups = desk.groups.of(user)
    landing = desk.submit(user, groups, wishes.queue, trace=True)
    assumed = desk.groups.assumed and user not in desk.groups.overrides
    told = report.Told(desk.placement, desk.file, user, groups, assumed, wishes.queue, desk.am is not None, desk.notes)
    hint = hint_of(told, landing)
    may = None
    if landing.access is not None:
        allowed, text, verdict = desk.administrators.may(desk.placement.access, user, groups or (), landing.queue)
        may = (allowed, text if verdict is None else report.verdict_text(told, verdict))
    shown: list[Block] = []
    if out.format == CSV:
        shown = [report.flat_table([report.record(told, landing)])]
    elif out.format not in (JSON, JSONL):
        shown = list(report.blocks(told, landing, hint, may, wishes.explain))

    def document() -> dict[str, Any]:
        from fairsim.report.findings import finding_record

        findings = [finding_record(finding, inputs.allocation.name) for finding in desk.scene.findings]
        return report.document(told, landing, hint, may, findings)

    out.show(*shown, document=document, records=lambda: [report.record(told, landing)])
    return exits.ANSWERED if landing.outcome == PLACED else exits.NO
