"""What the tests of placement share: policies and queues in a short form, to a landing.

A policy is its rules by letters: S specified, U user, P primaryGroup, G secondaryGroupExistingQueue, D default, D:q
default with queue="q", R reject, N(x) nestedUserQueue with the rule x inside; a minus behind the letter is
create="false". Queues are full names without `root.`; one that ends with a slash is a parent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairsim.config.build import build_tree
from fairsim.model.resources import Amount
from fairsim.placement.rules import User
from fairsim.placement.submission import Landing, Placement, Settings, Submission
from tests.helpers import raw_of

_NAMES = {
    "S": "specified", "U": "user", "P": "primaryGroup", "G": "secondaryGroupExistingQueue", "N": "nestedUserQueue",
    "D": "default", "R": "reject",
}  # fmt: skip


def policy(text: str) -> str:
    """Returns the element of a policy such as `S- N(P-) D:root.x`; an empty text stands for none."""
    if not text:
        return ""
    return f"<queuePlacementPolicy>{''.join(map(rule, text.split()))}</queuePlacementPolicy>"


def rule(text: str) -> str:
    """Returns the element of one rule."""
    head, paren, inner = text.partition("(")
    name, _, queue = head.partition(":")
    if not paren and queue.endswith("-"):
        queue, name = queue[:-1], name + "-"
    flag = "" if not name.endswith("-") else ' create="false"'
    target = f' queue="{queue}"' if queue else ""
    inside = rule(inner[:-1]) if paren else ""
    return f'<rule name="{_NAMES[name[0]]}"{flag}{target}>{inside}</rule>'


def queues(text: str) -> str:
    """Returns the elements of queues such as `a b/ c.d`."""
    tree: dict[str, object] = {}
    parents: set[str] = set()
    for name in text.split():
        if name.endswith("/"):
            parents.add(name := name[:-1])
        level = tree
        for part in name.split("."):
            level = level.setdefault(part, {})  # type: ignore[assignment]
    return _elements(tree, "", parents)


def _elements(tree: Mapping[str, object], above: str, parents: set[str]) -> str:
    found = ""
    for name, below in tree.items():
        kind = ' type="parent"' if above + name in parents else ""
        assert isinstance(below, dict)
        found += f'<queue name="{name}"{kind}>{_elements(below, f"{above}{name}.", parents)}</queue>'
    return found


def placement_of(
    inner: str, hadoop: str = "3.4", settings: Settings = Settings(), cluster: Amount | None = None  # noqa: B008
) -> Placement | None:
    """Returns the engine for `<allocations>inner</allocations>`, None where the file does not load."""
    raw = raw_of(inner, hadoop)
    return None if raw.refusals else Placement(raw, build_tree(raw), settings, cluster)


def told(landing: Landing) -> str:
    """Returns the queue of an application that is placed, else outcome and code: `failed:NOT_A_LEAF`."""
    return landing.queue if landing.outcome == "placed" else f"{landing.outcome}:{landing.code}"


def place(
    inner: str,
    user: str = "ann",
    groups: Sequence[str] | None = (),
    queue: str | None = None,
    hadoop: str = "3.4",
    *,
    am: Amount | None = None,
    settings: Settings = Settings(),  # noqa: B008
    cluster: Amount | None = None,
    live: Sequence[tuple[str, bool]] = (),
) -> str:
    """Returns what becomes of one application, in short; `load-error` where the file does not load."""
    placement = placement_of(inner, hadoop, settings, cluster)
    if placement is None:
        return "load-error"
    for name, leaf in live:
        placement.live.add(name, leaf)
    return told(placement.submit(Submission(User(user, groups), queue, am)))
