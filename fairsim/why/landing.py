"""The landing of an application that is taken to be put where it asks to be, without any placement rule."""

from __future__ import annotations

from fairsim.model.queues import QueueTree
from fairsim.why.parts import Landing, Placer

#: As many leaves below a parent are named.
MOST = 5


def as_asked(tree: QueueTree) -> Placer:
    """Returns a placer that follows no rule: the queue asked for, made where it is not there; root.default for none."""

    def place(requested: str | None) -> Landing:
        name = requested or "default"
        name = name if name == "root" or name.startswith("root.") else f"root.{name}"
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
