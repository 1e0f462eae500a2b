"""00x: what happens when a changed file is read again."""

from __future__ import annotations

from collections.abc import Iterator

from fairsim.config.allocation import LAST_DEFAULTS, ROOT_DEFAULTS
from fairsim.diag import WARNING, Finding
from fairsim.lint.case import Case
from fairsim.lint.rule import Family, Hit

FAMILY = Family()
_EMPTY = ("FS104", "FS105")  # of every element the text is fetched at once, and only parsed later


@FAMILY.rule("FS005", WARNING)
def placement_applied_before_failure(case: Case) -> Iterator[Hit]:
    """Placement rules come into force although the file does not load.

    When: queuePlacementPolicy is right, and the only faults are in defaults that are parsed after it.
    Effect: on a reload the new placement rules are in force, while queues, limits and lists stay the old ones, and
        nothing but a line in the log tells. The next start of the ResourceManager fails.
    Write: right values in the defaults.
    Versions: 3.3 and later
    Source: AllocationFileLoaderService.reloadAllocations, QueuePlacementPolicy
    Bad:
        <queueMaxAppsDefault>x</queueMaxAppsDefault>
        <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    Good:
        <queueMaxAppsDefault>9</queueMaxAppsDefault>
        <queuePlacementPolicy><rule name="default"/></queuePlacementPolicy>
    """
    first = _too_late(case)
    if first is not None:
        yield Hit(
            first.pos, f"the file is not loaded ({first.code}), and that shows after its placement rules are in force",
            "after a reload new rules place applications into the old queues; the next start fails",
            "mend the value before the file is copied",
        )  # fmt: skip


def _too_late(case: Case) -> Finding | None:
    """Returns the first fault where all of them show only when new placement rules are already in force."""
    refusals = case.raw.refusals
    if not refusals or not case.profile.features.placement_rewrite or case.raw.rules is None:
        return None
    lazy = {case.document.pos(element) for element in case.root if element.tag in (*ROOT_DEFAULTS, *LAST_DEFAULTS)}
    late = all(one.pos in lazy and one.code not in _EMPTY for one in refusals)
    return refusals[0] if late else None
