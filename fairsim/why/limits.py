"""Checks at submission and of the running limits: size of the master, access, zero resources, maxRunningApps.

Follows RMAppManager.validateAndCreateResourceRequest, SchedulerUtils.validateResourceRequest, FairScheduler
.addApplication (zero resources, 3.2) and MaxRunningAppsEnforcer.canAppBeRunnable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairsim.config.resource_types import Limits, container_size
from fairsim.model.queues import Queue, QueueTree, Setting
from fairsim.model.resources import LONG_MAX, Amount, ResourceTypes
from fairsim.shares.apps import user_limit
from fairsim.why.parts import PASSES, REFUSED, STOPS, UNKNOWN, Check, Source
from fairsim.why.site import SiteRules
from fairsim.why.standing import Standing, has_limit


class Words:
    """Numbers and places as the chain writes them."""

    def __init__(self, tree: QueueTree, file: str):
        self.tree = tree
        self.file = file
        self.types: ResourceTypes = tree.types
        self.names = ["MB" if index == 0 else name for index, name in enumerate(tree.types.names)]

    def amount(self, amount: Sequence[int | None]) -> str:
        """Returns `2048 MB, 1 vcores`; types without a bound are said to be so, custom ones left out where 0."""
        parts = []
        for index, (part, name) in enumerate(zip(amount, self.names, strict=True)):
            if index < 2 or part:
                one = name.removesuffix("s") if index == 1 and part == 1 else name
                parts.append(f"any {name}" if part is None or part >= LONG_MAX else f"{part} {one}")
        return ", ".join(parts)

    def map(self, amount: Sequence[int | None]) -> dict[str, int | None]:
        """Returns the amount by type for programs, None for what is not limited."""
        bounds = zip(self.types.names, amount, self.tree.unlimited(), strict=True)
        return {name: None if part is None or part >= most else part for name, part, most in bounds}

    def setting(self, setting: Setting, element: str) -> Source:
        """Returns where a value of the file comes from; `element` is its name where the origin has none."""
        what = f"<{setting.of}>" if setting.origin == "file-default" else f"<{element}>"
        if setting.origin in ("own", "inherited", "changed") and setting.of.startswith("root"):
            what = f"<{element}> of {setting.of}"
        if setting.element is None or self.tree.locate is None:
            return Source(what, "changed" if setting.origin == "changed" else "default")
        return Source(what, "file", self.file, self.tree.locate(setting.element).line)

    def field(self, queue: Queue, element: str) -> Source | None:
        """Returns the place of a queue's own element, None when the file has none."""
        field = queue.fields.get(element)
        if field is None:
            return None
        return self.setting(Setting(field.value, "own" if field.element is not None else "changed", queue.name,
                                    field.element), element)  # fmt: skip

    def over(self, amount: Sequence[int], limit: Sequence[int]) -> str:
        """Returns the types in which an amount is above a limit: `3072 MB of 2048, 3 vcores of 2`."""
        parts = zip(amount, limit, self.names, strict=True)
        return ", ".join(f"{part} {name} of {most}" for part, most, name in parts if part > most)


def fits(amount: Sequence[int], limit: Sequence[int]) -> bool:
    """Returns whether no type is above its limit (Resources.fitsIn)."""
    return all(part <= most for part, most in zip(amount, limit, strict=True))


def rounded(asked: Amount, rules: SiteRules, most: Amount, tree: QueueTree, *, master: bool) -> Amount:
    """Returns the size that Hadoop gives for a request, at most `most`; see `container_size`."""
    limits = Limits(rules.minimum, rules.maximum, rules.increment)
    return container_size(asked, limits, most, tree.profile, master=master)


def size_checks(
    words: Words, asked: Amount, rules: SiteRules, largest: tuple[Amount, bool], queue: Queue | None
) -> Iterator[Check]:
    """Yields the checks of the size of a master against what a single container may have at most.

    `largest` is the largest node of each type alone, and whether nodes are known: if not, it is the sum of them all.
    `queue`: the one whose maxContainerAllocation counts, None when it does not exist yet.
    """
    tree, size = words.tree, words.amount(asked)
    numbers = {"ask": words.map(asked), "limit": words.map(rules.maximum)}
    if fits(asked, rules.maximum):
        text = f"{size} is within {words.amount(rules.maximum)}"
        yield Check("maximum_allocation", "", PASSES, text, rules.maximum_from, numbers=numbers)
    else:
        over = words.over(asked, rules.maximum)
        names = [one for one, want, most in zip(rules.maximum_from, asked, rules.maximum, strict=True) if want > most]
        raise_it = " and ".join(one.what for one in names)
        default = any(one.origin == "default" for one in names)
        hint = f"ask for a smaller master, or raise {raise_it}"
        hint += "; if yarn-site.xml sets it, name the file with --yarn-site" if default else ""
        text = f"{size} is larger than a container may be: {over}"
        yield Check(
            "maximum_allocation", "", STOPS, text, tuple(names), REFUSED,
            f"the master is larger than the maximum allocation: {over}", numbers, hint=hint,
        )  # fmt: skip
    if tree.profile.version >= (2, 7, 0) and (largest[1] or not fits(asked, largest[0])):
        yield _largest(words, asked, largest[0])
    limit = tree.max_container(queue) if queue is not None and tree.profile.features.max_container_allocation else None
    if limit is not None and limit.value is not None and queue is not None:
        yield _container_limit(words, asked, limit, queue)


def _largest(words: Words, asked: Amount, largest: Amount) -> Check:
    source = (Source("largest node", "cluster"),)
    numbers = {"ask": words.map(asked), "limit": words.map(largest)}
    text = f"{words.amount(asked)} is within the largest node, {words.amount(largest)}"
    if fits(asked, largest):
        return Check("largest_node", "", PASSES, text, source, numbers=numbers)
    over = words.over(asked, largest)
    return Check(
        "largest_node", "", STOPS, f"no node is large enough: {over}", source, REFUSED,
        f"the master is larger than the largest node: {over}", numbers, hint="ask for a smaller master",
    )  # fmt: skip


def _container_limit(words: Words, asked: Amount, limit: Setting, queue: Queue) -> Check:
    most = limit.value.amount
    source = (words.setting(limit, "maxContainerAllocation"),)
    numbers = {"ask": words.map(asked), "limit": words.map(most)}
    if fits(asked, most):
        text = f"{words.amount(asked)} is within {words.amount(most)}"
        return Check("container_limit", queue.name, PASSES, text, source, numbers=numbers)
    over = words.over(asked, most)
    hint = f"ask for a smaller master, or raise maxContainerAllocation of {limit.of}"
    return Check(
        "container_limit", queue.name, STOPS, f"larger than a container may be in this queue: {over}", source, REFUSED,
        f"the master is larger than maxContainerAllocation of {limit.of}: {over}", numbers, hint=hint,
    )  # fmt: skip


def zero_check(words: Words, ask: Amount, queue: Queue, most: Amount) -> Check:
    """Returns whether the master asks for something of which the leaf may have nothing (3.2 and later)."""
    nothing = [name for part, limit, name in zip(ask, most, words.names, strict=True) if part > 0 and limit == 0]
    numbers = {"ask": words.map(ask), "limit": words.map(most)}
    limit = words.tree.max_limit(queue)
    if not nothing:
        text = "nothing that it asks for has a maximum of 0"
        return Check("zero_resource", queue.name, PASSES, text, numbers=numbers)
    names = " and ".join(nothing)
    hint = f"give {queue.name} a maxResources with {names}, or take the 0 out"
    return Check(
        "zero_resource", queue.name, STOPS, f"the queue may have 0 {names}, and the master asks for some",
        (words.setting(limit, "maxResources"),), REFUSED, f"the maximum of {queue.name} is 0 {names}", numbers,
        hint=hint,
    )  # fmt: skip


def running_checks(words: Words, standing: Standing, user: str, queue: Queue, *, runs: bool) -> Iterator[Check]:
    """Yields the running limits: the user's, then those of the queues from the leaf up to root.

    `runs`: the application is one of those that run already.
    """
    tree = words.tree
    field = tree.users.get(user)
    by_name = field is not None
    field = field or tree.defaults.get("userMaxAppsDefault")
    most, count = user_limit(tree, user), standing.users.get(user, 0)
    besides = " besides it" if runs else ""
    if not user:
        yield Check("user_limit", "", UNKNOWN, "the state does not tell the user: no limit of users is looked at")
    elif field is not None:
        element = f'<user name="{user}">' if by_name else "<userMaxAppsDefault>"
        file = field.element is not None and tree.locate is not None
        line = tree.locate(field.element).line if file and tree.locate is not None else None
        source = Source(element, "file" if file else "changed", words.file if file else None, line)
        numbers = {"running": count, "limit": most}
        if count < most or runs:
            text = f"{count} of {most} applications of {user} run{besides}"
            yield Check("user_limit", user, PASSES, text, (source,), numbers=numbers)
        else:
            place = standing.position(user=user)
            hint = f"wait until one of {user}'s applications ends, or raise the limit in {element}"
            if most <= 0:
                hint = f"raise the limit in {element}: as it is, no application of {user} ever runs"
            yield Check(
                "user_limit", user, STOPS, f"{count} of {most} applications of {user} run: place {place} in the line",
                (source,), reason=f"user limit: {count} of {most} applications of {user} run, {_turn(place, most)}",
                numbers={**numbers, "position": place}, hint=hint,
            )  # fmt: skip
    else:
        text = f"{_applications(count)} of {user} run{'s' * (count == 1)}{besides}: no limit"
        yield Check("user_limit", user, PASSES, text, numbers={"running": count, "limit": None})
    yield from _queue_limits(words, standing, queue, besides, runs=runs)


def _turn(place: int, limit: int) -> str:
    return "never" if limit <= 0 else f"position {place} in line"


def _applications(count: int) -> str:
    return f"{count} application{'s' * (count != 1)}"


def _queue_limits(words: Words, standing: Standing, queue: Queue, besides: str, *, runs: bool) -> Iterator[Check]:
    tree, none = words.tree, True
    for level in reversed(queue.path()):
        limit = tree.max_running_apps(level)
        count = standing.running[level.name]
        if not has_limit(limit.value):
            continue
        none = False
        source = words.setting(limit, "maxRunningApps")
        numbers = {"running": count, "limit": limit.value}
        if count < limit.value or runs:
            text = f"{count} of {limit.value} applications run{besides}"
            yield Check("queue_limit", level.name, PASSES, text, (source,), numbers=numbers)
            continue
        place = standing.position(queue=level.name)
        hint = f"wait until an application in {level.name} ends, or raise its maxRunningApps"
        if limit.value <= 0:
            hint = f"raise maxRunningApps of {level.name}: as it is, no application ever runs there"
        yield Check(
            "queue_limit", level.name, STOPS, f"{count} of {limit.value} applications run: place {place} in the line",
            (source,), numbers={**numbers, "position": place}, hint=hint,
            reason=f"running limit of {level.name}: {count} of {limit.value} run, {_turn(place, limit.value)}",
        )  # fmt: skip
    if none:
        count = standing.running[queue.name]
        text = f"{_applications(count)} run{'s' * (count == 1)}{besides}: no limit up to root"
        numbers = {"running": standing.running[queue.name], "limit": None}
        yield Check("queue_limit", queue.name, PASSES, text, numbers=numbers)
