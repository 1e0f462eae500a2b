"""The landing of an application by the placement rules and the access lists, as the chain of `why` takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fairsim.cli.output import Output
from fairsim.cli.place import command as place
from fairsim.cli.place_answer import Wishes as PlaceWishes
from fairsim.cli.place_answer import check_wishes, placement_of, user_groups
from fairsim.cli.scene import Scene
from fairsim.config.properties import FAIR_PREFIX
from fairsim.config.site import Site
from fairsim.errors import InputError
from fairsim.model.state import State
from fairsim.placement.live import BadName, NoLeaf
from fairsim.placement.rules import User
from fairsim.placement.submission import FATAL, PLACED, Placement, Submission
from fairsim.placement.submission import Landing as Submitted
from fairsim.report.place import (
    ENDS,
    Told,
    consulted,
    groups_matter,
    line_of,
    no_groups_note,
    number_of,
    rule_text,
    verdict_text,
)
from fairsim.report.place_hints import hint_of
from fairsim.why.parts import Landing, Permission, Source
from fairsim.why.site import source_of

#: The options of `fairsim place` that tell the groups of a user: the same here.
GROUP_OPTIONS = ("group", "groups", "no_groups", "groups_file", "core_site")


def group_params() -> list[Any]:
    """Returns the click parameters of those options."""
    return [param for param in place.params if param.name in GROUP_OPTIONS]


class Desk(NamedTuple):
    """Who submits, under which rules; `implied` are the properties that make the rules of a file without a policy.

    `notes` gathers remarks.
    """

    placement: Placement
    told: Told
    implied: tuple[Source, ...]
    notes: list[str]

    def land(self, requested: str | None) -> Landing:
        """Returns where an application lands that asks for this queue."""
        user = User(self.told.user, self.told.groups)
        found = self.placement.submit(Submission(user, requested), trace=True)
        if self.told.assumed and groups_matter(self.told, found):
            self.notes.append(no_groups_note(user.name))
        hint, trace = hint_of(self.told, found), tuple(_trace(self.told, found))
        trace = trace if len(trace) > 1 or found.outcome != PLACED else ()
        if found.outcome != PLACED and found.step != "acl":
            text = f"{found.text}; {ENDS[FATAL]}" if found.outcome == FATAL else found.text
            return Landing("refused", "", text, trace=trace, sources=self.sources(found), hint=hint)
        assert found.rule is not None
        made = tuple(one.name for one in found.made)
        text = f"rule {number_of(self.placement, found.rule)}, {found.rule.name}"
        sources = self.sources(found)
        return Landing("placed", found.queue, text, made, sources, trace, _permission(self.told, found, hint))

    def sources(self, found: Submitted) -> tuple[Source, ...]:
        """Returns where the rule stands that placed the application."""
        rule = found.rule
        if rule is None or self.placement.implicit:
            return self.implied if self.placement.implicit else ()
        line = line_of(self.placement, rule.element)
        return (Source(f'<rule name="{rule.name}">', "file", self.told.file, line),)


def desk(
    scene: Scene, file: str, user: str, requested: str | None, options: Mapping[str, Any], state: State, out: Output
) -> Desk:
    """Returns the desk of one user. Raises FairsimError for options that do not go together, and for a state whose
    queues do not go with the file.
    """
    given = {param.name: None for param in place.params} | {"user": user, "queue": requested} | dict(options)
    wishes = PlaceWishes(given)
    check_wishes(wishes)
    groups = user_groups(scene, wishes, out)
    placement = placement_of(scene, False)
    for name, said in sorted(state.queues.items()):
        _add(placement, name, said.leaf, state)
    for name in sorted({one.queue for one in state.apps}):
        _add(placement, name, True, state)
    assumed = groups.assumed and user not in groups.overrides
    site = scene.site or Site({})
    names = (f"{FAIR_PREFIX}allow-undeclared-pools", f"{FAIR_PREFIX}user-as-default-queue")
    implied = tuple(source_of(name, site.typed(name, scene.tree.profile).origin) for name in names)
    return Desk(placement, Told(placement, file, user, groups.of(user), assumed, requested, True), implied, [])


def _add(placement: Placement, name: str, leaf: bool, state: State) -> None:
    if placement.live.get(name) is not None:  # of another kind: told when the state is looked at
        return
    try:
        placement.live.add(name, leaf)
    except (BadName, NoLeaf) as error:
        hint = "use the allocation file that the state belongs to"
        raise InputError(f"the state has the queue {name}: {error}", where=state.sources[0], hint=hint) from None


def _trace(told: Told, found: Submitted) -> Sequence[str]:
    lines = []
    for step in found.steps or ():
        named = f"inside it, {step.rule.name}" if step.depth else rule_text(told, step.rule)
        queue = f" for {step.candidate}" if step.candidate else ""
        lines.append(f"{named}: {step.verdict}{queue}, {step.text}")
    return lines


def _permission(told: Told, found: Submitted, hint: str) -> Permission | None:
    access = found.access
    if access is None:
        return None
    if not access.allowed:
        text = "no list of the queue or of one above it lets the user in"
        return Permission(False, text, details=tuple(consulted(told, found.queue)), hint=hint)
    who = verdict_text(told, access).rpartition(": ")[2]
    element = access.entry.element if access.entry is not None else None
    line = line_of(told.placement, element)
    source = Source(f"<{access.kind}> of {access.queue}", "default" if line is None else "file",
                    None if line is None else told.file, line)  # fmt: skip
    return Permission(True, f"{access.kind} of {access.queue} lets in {who}", (source,))
