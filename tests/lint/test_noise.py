"""A file as many clusters have it, with nothing wrong, gets two infos at most and nothing worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairsim.lint.page import Example
from fairsim.profiles import known_lines
from tests.lint.case_files import lint

SAMPLES = Path(__file__).parents[2] / "sample-configs"
ORDINARY = """<?xml version="1.0"?>
<allocations>
  <queue name="etl">
    <minResources>40960 mb, 10 vcores</minResources>
    <maxResources>409600 mb, 100 vcores</maxResources>
    <maxRunningApps>50</maxRunningApps>
    <weight>2.0</weight>
    <schedulingPolicy>fair</schedulingPolicy>
  </queue>
  <queue name="adhoc">
    <weight>1.0</weight>
    <queue name="analysts"/>
    <queue name="science"><weight>3.0</weight><maxAMShare>0.3</maxAMShare></queue>
  </queue>
  <queue name="default"><weight>0.5</weight></queue>
  <user name="alice"><maxRunningApps>20</maxRunningApps></user>
  <userMaxAppsDefault>10</userMaxAppsDefault>
  <queuePlacementPolicy>
    <rule name="specified"/>
    <rule name="primaryGroup" create="false"/>
    <rule name="default"/>
  </queuePlacementPolicy>
</allocations>
"""
FILES = {"ordinary": ORDINARY, "busy": (SAMPLES / "busy.xml").read_text(encoding="utf-8")}


@pytest.mark.parametrize("hadoop", known_lines())
@pytest.mark.parametrize("name", FILES)
def test_little_is_said_of_a_file_with_nothing_wrong(name: str, hadoop: str) -> None:
    found = [one.finding for one in lint(Example(FILES[name], f"--hadoop {hadoop}"))]
    assert {one.severity for one in found} <= {"info"}, found
    assert len(found) <= 2, found
