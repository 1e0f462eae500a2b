"""Broken files: whatever happens to a file, it loads or is refused with reasons; nothing else is ever raised."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fairsim.config.load import load_allocation
from fairsim.diag import SEVERITIES, Finding
from fairsim.errors import RefusedError
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import profile
from fairsim.shares.solve import Hangs, solve
from tests.helpers import GPU, PLAIN

SAMPLES = Path(__file__).parents[2] / "sample-configs"
EVERYTHING = b"""<?xml version="1.0" encoding="UTF-8"?>
<!-- one of each -->
<allocations>
  <userMaxAppsDefault>5</userMaxAppsDefault>
  <queueMaxAppsDefault>50</queueMaxAppsDefault>
  <queueMaxResourcesDefault>9000 mb, 90 vcores</queueMaxResourcesDefault>
  <queueMaxAMShareDefault>0.5</queueMaxAMShareDefault>
  <defaultQueueSchedulingPolicy>fair</defaultQueueSchedulingPolicy>
  <defaultMinSharePreemptionTimeout>60</defaultMinSharePreemptionTimeout>
  <fairSharePreemptionTimeout>70</fairSharePreemptionTimeout>
  <defaultFairSharePreemptionThreshold>0.8</defaultFairSharePreemptionThreshold>
  <user name="al"><maxRunningApps>3</maxRunningApps></user>
  <queue name="root">
    <schedulingPolicy>drf</schedulingPolicy>
    <queue name="a" type="parent">
      <weight>2.5</weight>
      <minResources>1024 mb, 1 vcores</minResources>
      <maxResources>50% memory, 30% cpu</maxResources>
      <maxChildResources>2048 mb, 2 vcores</maxChildResources>
      <allowPreemptionFrom>false</allowPreemptionFrom>
      <pool name="x"><schedulingMode>fifo</schedulingMode><maxAMShare>-1.0</maxAMShare></pool>
    </queue>
    <queue name="b">
      <maxResources>memory-mb=4096, vcores=4</maxResources>
      <maxContainerAllocation>1024 mb, 1 vcores</maxContainerAllocation>
      <maxRunningApps>7</maxRunningApps>
      <aclSubmitApps>al,bo ops</aclSubmitApps>
      <fairSharePreemptionThreshold><![CDATA[.5]]></fairSharePreemptionThreshold>
    </queue>
    <queue name="default"><weight>0</weight></queue>
    <queue name="r"><reservation/><aclListReservations>*</aclListReservations></queue>
  </queue>
  <queuePlacementPolicy>
    <rule name="specified" create="false"/>
    <rule name="nestedUserQueue"><rule name="secondaryGroupExistingQueue" create="false"/></rule>
    <rule name="default" queue="b"/>
  </queuePlacementPolicy>
</allocations>
"""
SMALL = [
    b"<allocations/>",
    b'<allocations><queue name="a"/><queue name="a"><queue name="b"/></queue></allocations>',
    b'<allocations><queue name="default"><queue name="x"><weight>1e3</weight></queue></queue></allocations>',
    b'<!DOCTYPE allocations [<!ENTITY w "3">]><allocations><queue name="a"><weight>&w;</weight></queue></allocations>',
    b'<allocations><pool name="p"><minMaps>5</minMaps></pool></allocations>',
]
FILES = [
    EVERYTHING,
    *SMALL,
    *(path.read_bytes() for path in sorted(SAMPLES.glob("*.xml*")) if path.name != "large.xml"),
]
VERSIONS = ("2.6", "2.7", "2.8", "2.9", "3.0", "3.1", "3.2.0", "3.2", "3.3", "3.4", "cdp-7.1.9")

VALUES = st.sampled_from([
    b"", b" ", b"0", b"-1", b"1.5", b"x", b"NaN", b"Infinity", b"1e400", b"9999999999", b"9223372036854775807", b"50%",
    b"-50%", b"%", b"=", b",", b"memory-mb=5,vcores=2", b"memory-mb=5", b"yarn.io/gpu=1", b"10 mb, 2 vcores",
    b"1 gb, 2 c", b"fifo", b"drf", b"true", b"a.b", b"root", b"ROOT", b"default", b"<![CDATA[3]]>", b"<!-- c -->3",
    b"<b/>", b"<?p?>1", b"&#50;", b"&lt;", b"&nosuch;", b"\xd9\xa3", b"\xff", b"\x00",
])  # fmt: skip
TAG, TEXT, NAME, ATTRIBUTE = rb"<[^<>]*>", rb">([^<>]+)<", rb"</?([A-Za-z]+)", rb'="([^"]*)"'
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "latin-1", "utf-8-sig", "cp1252", "utf-32")


def _hit(draw: st.DrawFn, pattern: bytes, data: bytes) -> tuple[int, int, bytes]:
    """Returns begin, end and text of the innermost group of a drawn hit; the end of the file when there is none."""
    hits = list(re.finditer(pattern, data))
    if not hits:
        return len(data), len(data), b""
    hit = hits[draw(st.integers(0, len(hits) - 1))]
    group = hit.re.groups
    return hit.start(group), hit.end(group), hit[group]


def _accident(draw: st.DrawFn, data: bytes) -> bytes:
    """Returns the file after one accident."""
    kind = draw(st.sampled_from(("flip", "put", "cut tag", "swap", "value", "line", "cut", "encode", "splice")))
    at = draw(st.integers(0, len(data)))
    if kind == "flip":
        return data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1 :] if at < len(data) else data
    if kind == "put":
        return data[:at] + draw(VALUES | st.binary(min_size=1, max_size=3)) + data[at + draw(st.integers(0, 1)) :]
    if kind == "cut tag":
        begin, end, _ = _hit(draw, TAG, data)
        return data[:begin] + data[end:]
    if kind == "swap":
        pattern = draw(st.sampled_from((TEXT, NAME, ATTRIBUTE)))
        begin, end, _ = _hit(draw, pattern, data)
        return data[:begin] + _hit(draw, pattern, data)[2] + data[end:]
    if kind == "value":
        begin, end, _ = _hit(draw, draw(st.sampled_from((TEXT, ATTRIBUTE))), data)
        return data[:begin] + draw(VALUES) + data[end:]
    if kind == "line":
        lines = data.split(b"\n")
        lines.insert(draw(st.integers(0, len(lines))), lines[draw(st.integers(0, len(lines) - 1))])
        return b"\n".join(lines)
    if kind == "encode":
        return data.decode("utf-8", "replace").encode(draw(st.sampled_from(ENCODINGS)), "replace")
    end = draw(st.integers(at, min(at + 60, len(data))))
    if kind == "cut":
        return data[:at] + data[end:]
    other = draw(st.sampled_from(FILES))
    begin = draw(st.integers(0, len(other)))
    return data[:at] + other[begin : begin + 200] + data[at:]


@st.composite
def broken_files(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 4))):
        data = _accident(draw, data)
    return data


def check(finding: Finding, data: bytes) -> None:
    """A finding has a stable code, words, and a place inside of the file."""
    assert re.fullmatch(r"FS[0-9]{3}", finding.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", finding.name)
    assert finding.severity in SEVERITIES
    assert finding.message
    for pos in (finding.pos, finding.other):
        if pos is not None:
            assert 1 <= pos.line <= data.count(b"\n") + data.count(b"\r") + 1
            assert 1 <= pos.column <= len(data) + 1


@settings(max_examples=400)
@given(broken_files(), st.sampled_from(VERSIONS), st.sampled_from((PLAIN, GPU)))
def test_a_broken_file_loads_or_is_refused(data: bytes, hadoop: str, types: ResourceTypes) -> None:
    version = profile(hadoop)
    known = GPU if types is GPU and version.features.custom_types else PLAIN
    loaded, reasons = None, None
    try:
        loaded = load_allocation(data, "broken.xml", version, known)
    except RefusedError as refused:
        reasons = refused.findings
    if loaded is None:
        assert reasons
        for finding in reasons:
            check(finding, data)
        return
    for finding in loaded.findings:
        assert not finding.refuses
        check(finding, data)
    assert all(queue.name == name for name, queue in loaded.tree.queues.items())
    for lost in loaded.tree.lost:
        assert lost.name not in loaded.tree.queues
    with contextlib.suppress(Hangs):
        shares = solve(loaded.tree, (100_003, 97, 13)[: len(known.names)])
        assert len(shares.queues) == len(loaded.tree.queues)
