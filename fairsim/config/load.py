"""From the bytes of an allocation file to the queues in force, or to the reasons why Hadoop would not load it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairsim.config.allocation import RawAllocation, read_allocation
from fairsim.config.build import build_tree
from fairsim.diag import WARNING, Finding
from fairsim.errors import RefusedError
from fairsim.model.queues import QueueTree
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import Profile
from fairsim.xmlio.reader import Document, XmlRefused, read_document

if TYPE_CHECKING:
    from fairsim.config.changes import Change


class Loaded:
    """A file that loads: the queues, what was read, findings that do not stop it, what kind of file it looks like."""

    def __init__(self, tree: QueueTree, raw: RawAllocation, remark: Finding | None):
        self.tree = tree
        self.raw = raw
        self.findings = raw.findings
        self.remark = remark


def load_allocation(
    data: bytes, name: str, profile: Profile, types: ResourceTypes, changes: Sequence[Change] = ()
) -> Loaded:
    """Returns the queues of the file `name` under this Hadoop version, with the what-if changes made.

    Raises RefusedError with every reason, the first one being the one that Hadoop itself would report.
    """
    document: Document | None = None
    try:
        document = read_document(data, secure=profile.features.secure_xml)
    except XmlRefused as error:
        raise _refused(name, profile, [error.finding], data, None) from None
    raw = read_allocation(document, profile, types)
    if raw.refusals:
        raise _refused(name, profile, raw.refusals, data, document)
    if changes:
        from fairsim.config.changes import apply_changes

        apply_changes(raw, list(changes))
    tree = build_tree(raw)
    return Loaded(tree, raw, remark_on(data, document))


def _refused(
    name: str, profile: Profile, findings: list[Finding], data: bytes, document: Document | None
) -> RefusedError:
    remark = remark_on(data, document) if data.strip() else None  # an empty file: said by the reader
    hadoop = any(finding.refuses for finding in findings)  # else a limit of fairsim's own
    verdict = f"Hadoop {profile.label} would not load this file" if hadoop else "fairsim gives no answer for this file"
    error = RefusedError(verdict, [*([remark] if remark else []), *findings])
    error.where = name
    return error


def remark_on(data: bytes, document: Document | None) -> Finding | None:
    """Returns what kind of file this is when it is not (only) an allocation file of YARN, as a finding."""
    from fairsim.config.recognise import recognise

    found = recognise(data, document)
    if found is None:
        return None
    return Finding("FS124", "other-kind-of-file", WARNING, found.message, found.pos, hint=found.hint)
