"""What several tests need: allocation files as text to queues and shares."""

from __future__ import annotations

from fairsim.config.allocation import RawAllocation, read_allocation
from fairsim.config.build import build_tree
from fairsim.model.queues import QueueTree
from fairsim.model.resources import Amount, ResourceTypes
from fairsim.profiles import profile
from fairsim.shares.solve import Shares, solve
from fairsim.xmlio.reader import read_document

PLAIN = ResourceTypes()
GPU = ResourceTypes(("memory-mb", "vcores", "yarn.io/gpu"), ("Mi", "", ""))


def raw_of(inner: str, hadoop: str = "3.4", types: ResourceTypes = PLAIN) -> RawAllocation:
    """Returns what this version reads in `<allocations>inner</allocations>`."""
    version = profile(hadoop)
    data = f"<allocations>{inner}</allocations>".encode()
    return read_allocation(read_document(data, secure=version.features.secure_xml), version, types)


def tree_of(inner: str, hadoop: str = "3.4", types: ResourceTypes = PLAIN) -> QueueTree:
    """Returns the queues in force; the file must load."""
    raw = raw_of(inner, hadoop, types)
    assert raw.refusals == []
    return build_tree(raw)


def shares_of(
    inner: str,
    cluster: Amount,
    active: str | None = None,
    hadoop: str = "3.4",
    types: ResourceTypes = PLAIN,
) -> tuple[QueueTree, Shares]:
    """Returns the shares; `active` lists active leaves by blanks, None makes all active."""
    tree = tree_of(inner, hadoop, types)
    leaves = None if active is None else frozenset(f"root.{name}" for name in active.split())
    return tree, solve(tree, cluster, leaves)


def by_name(shares: Shares, amounts: list[Amount]) -> dict[str, Amount]:
    """Returns amounts by queue name without `root.`, root left out."""
    named = zip(shares.queues, amounts, strict=True)
    return {queue.name.removeprefix("root."): amount for queue, amount in named if queue.name != "root"}


def codes(raw: RawAllocation) -> list[str]:
    """Returns the codes of the findings for which the file is refused."""
    return [finding.code for finding in raw.refusals]
