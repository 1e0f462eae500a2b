"""What every test has: no network, no settings of the person who runs it, examples of hypothesis that repeat."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"

# `default` repeats itself; `thorough` draws new examples at every run: HYPOTHESIS_PROFILE=thorough make test
settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", parent=settings.get_profile("default"), derandomize=False, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# What would change an answer or its look: fairsim's own settings, Hadoop's places, the terminal.
_FOREIGN = ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")


@pytest.fixture(autouse=True, scope="session")
def own_environment() -> Iterator[None]:
    """Takes foreign settings out of the environment, for the tests and the programs they start."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("FAIRSIM_") or name in _FOREIGN:
                patch.delenv(name)
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """fairsim has no network code: a test that connects anywhere fails."""

    def refuse(self: socket.socket, address: Any) -> NoReturn:
        raise AssertionError(f"a test tried to connect to {address!r}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket.socket, "connect_ex", refuse)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The collection of real allocation files beside the checkout; the test is skipped where there is none."""
    if not CORPUS.is_dir():
        pytest.skip("no collection of real allocation files at ../shared/corpus")
    return CORPUS
