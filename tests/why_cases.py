"""What the tests of `why` share: an allocation file, a cluster and a state as text, to an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fairsim.config.cluster import parse_cluster
from fairsim.config.names import full_name
from fairsim.config.site import build_site
from fairsim.config.state import read_state
from fairsim.model.queues import QueueTree
from fairsim.model.resources import Amount
from fairsim.model.state import State
from fairsim.why.chain import Case, why
from fairsim.why.parts import Answer, Check, Landing, Placer, Question
from fairsim.why.room import Ground
from fairsim.why.site import site_rules
from tests.helpers import tree_of

#: As many leaves below a parent are named.
MOST = 5


def as_asked(tree: QueueTree) -> Placer:
    """Returns a placer that follows no rule, for tests of what comes after placement.

    It gives the queue asked for, made where it is not there, and root.default where none is asked for.
    """

    def place(requested: str | None) -> Landing:
        name = full_name(requested or "default")
        queue = tree.queues.get(name)
        if queue is not None and not queue.leaf:
            leaves = [one.name for one in queue.walk() if one.leaf]
            hint = f"leaves below it: {', '.join(leaves[:MOST])}" if leaves else "it has no leaf queues"
            return Landing("refused", "", f"{name} is a parent; applications run in leaf queues", hint=hint)
        made = [] if queue is not None else [name]
        above = name.rpartition(".")[0]
        while above and above not in tree.queues:
            made.append(above)
            above = above.rpartition(".")[0]
        if above and made and tree.queues[above].leaf:
            return Landing("refused", "", f"{name} can not be made: {above} is a leaf queue")
        return Landing("placed", name, "taken as placed where it asks", tuple(reversed(made)))

    return place


#: As large as a container may be, so that the default of 8192 MB is not in the way.
LARGE = {"yarn.scheduler.maximum-allocation-mb": "1048576", "yarn.scheduler.maximum-allocation-vcores": "1024"}


def answer(
    inner: str,
    *,
    cluster: str = "100x10g,10c",
    queue: str | None = "a",
    user: str = "fred",
    am: Amount = (1024, 1),
    state: str = "",
    app: str | None = None,
    ask: Amount | None = None,
    site: Mapping[str, str] = LARGE,
    hadoop: str = "3.4",
    place: Placer | None = None,
    loaded: State | None = None,
) -> Answer:
    """Returns the chain for one application; `state` is YAML, `loaded` a state read otherwise."""
    tree: QueueTree = tree_of(inner, hadoop)
    types = tree.types
    size = parse_cluster(cluster, types)
    known = read_state([("state.yaml", state.encode())], types) if state else loaded or State()
    properties = build_site(defines=[f"{name}={value}" for name, value in site.items()])
    rules = site_rules(properties, tree.profile, types)
    sizes = [one for group in size.groups for one in [group.capacity(types)] * group.size] if size.counted else None
    ground = Ground(size.total(types), sizes, known.free or None, not known.sources)
    largest = (size.largest(types) if size.counted else size.total(types), size.counted)
    one = next((one for one in known.apps if one.id == app), None)
    question = Question(one.user if one else user, am, False, app, ask)
    return why(Case(tree, "alloc.xml", ground, largest, rules, known, question, queue, place or as_asked(tree)))


def check(found: Answer, name: str, of: str | None = None) -> Check:
    """Returns the one check of this name (about this queue or user)."""
    those = [one for one in found.checks if one.name == name and of in (None, one.queue)]
    assert len(those) == 1, [(one.name, one.queue) for one in found.checks]
    return those[0]


def stops(found: Answer) -> str:
    """Returns the verdict and the check that decides, such as `waits am_share root.a`; `runs` when none does."""
    if found.first is None:
        return found.verdict
    one = found.checks[found.first]
    return f"{found.verdict} {one.name} {one.queue}".rstrip()


def names(checks: Iterable[Check]) -> list[str]:
    """Returns the names of the checks, in order."""
    return [one.name for one in checks]
