"""Files as people write them: each loads or is refused at the right line, and is recognised as what it is.

The collection lies beside the checkout and is not part of it. expected.json holds, by the number of a file, what it is
recognised as, and for each Hadoop line `loads` or the code and the line of the reason that Hadoop itself would report.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from fairsim.config.load import load_allocation
from fairsim.config.recognise import recognise
from fairsim.errors import RefusedError
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import profile
from fairsim.shares.solve import Hangs, solve
from fairsim.xmlio.reader import Document, XmlRefused, read_document

pytestmark = pytest.mark.corpus

EXPECTED: dict[str, dict[str, str | None]] = json.loads(
    Path(__file__).with_name("expected.json").read_text(encoding="utf-8")
)
LINES = ("2.7", "2.10", "3.1", "3.2", "3.3", "3.4")
CLUSTER = (819200, 200)


def verdict(data: bytes, hadoop: str) -> str:
    """Returns `loads`, or code and line of the first reason why Hadoop would not load the file."""
    try:
        loaded = load_allocation(data, "file", profile(hadoop), ResourceTypes())
    except RefusedError as refused:
        first = next(finding for finding in refused.findings if finding.refuses)
        assert first.pos is not None
        assert first.hint or first.code == "FS101"
        return f"{first.code} {first.pos.line}"
    with contextlib.suppress(Hangs):  # old lines do with some files
        solve(loaded.tree, CLUSTER)
    return "loads"


def kind(data: bytes) -> str | None:
    document: Document | None
    try:
        document = read_document(data, secure=True)
    except XmlRefused:
        document = None
    found = recognise(data, document)
    return found.kind if found else None


def test_every_file_is_expected(corpus: Path) -> None:
    assert sorted(path.stem for path in (corpus / "real").glob("*.xml")) == sorted(EXPECTED)


@pytest.mark.parametrize("number", EXPECTED)
def test_file(number: str, corpus: Path) -> None:
    data = (corpus / "real" / f"{number}.xml").read_bytes()
    found = {"kind": kind(data)} | {hadoop: verdict(data, hadoop) for hadoop in LINES}
    assert found == EXPECTED[number]
