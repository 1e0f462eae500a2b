"""Mode `lint`: does Hadoop load the file, and does the linter tell? Asked as in mode `load`, only the verdict counts.

Where Hadoop refuses a file, and nowhere else, the linter has a finding that says so, and all of these are errors. Where
Hadoop never ends its start, the linter has an error of another kind.
"""

from __future__ import annotations

from typing import Any

from fairsim.config.site import build_site
from fairsim.diag import ERROR
from fairsim.lint.catalog import all_rules
from fairsim.lint.run import Around, look, look_at_site
from fairsim.profiles import Profile
from fairsim.shares.solve import Hangs, solve
from tests.oracle.ask import Request
from tests.oracle.compare import Answer, file_of, hadoop_verdict

FIELDS = ()


def reduced(answer: Any, request: Request, hadoop: Profile) -> Answer:
    """Returns the verdict of the oracle's answer."""
    verdict = hadoop_verdict(answer)
    if verdict is None:
        return {"loads": True}
    return {"does not load": True} if "refused" in verdict else verdict


def fairsim(request: Request, hadoop: Profile) -> Answer:
    """Returns the verdict that the findings speak."""
    written = dict(request.get("site", {}))
    if request.get("resource_types"):
        written["yarn.resource-types"] = ",".join(request["resource_types"])
    site = build_site(defines=[f"{name}={text}" for name, text in written.items()])
    looked = look(file_of(request), hadoop, Around(site), all_rules().values())
    findings = [one.finding for one in (*looked.found, *look_at_site(site, hadoop))]
    refusals = [finding for finding in findings if finding.refuses]
    mild = [finding.code for finding in refusals if finding.severity != ERROR]
    if mild:
        return {"fault": f"refused, and no error: {mild}"}
    if refusals:
        return {"does not load": True}
    if looked.case is None:
        return {"unknown": [finding.code for finding in findings]}  # too large or deep for fairsim
    try:
        solve(looked.case.tree, looked.case.types.zero(), frozenset())
    except Hangs:
        if any(finding.severity == ERROR for finding in findings):
            return {"hang": True}
    return {"loads": True}
