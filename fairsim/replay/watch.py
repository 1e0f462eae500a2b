"""How a simulation is timed, and who looks on."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from fairsim.model.workload import AppSpec
from fairsim.placement.submission import Landing
from fairsim.replay.decisions import Decision
from fairsim.replay.state import Attempt, Container, Key


class Times(NamedTuple):
    """Periods in ms: of updates, of nodes, of masters, of looks at the file; and how long a master needs to start."""

    update: int = 500
    node: int = 1000
    master: int = 1000
    master_start: int = 3000
    check: int = 10_000


class Watcher(Protocol):
    """What looks on. `time` is the moment."""

    def submitted(self, time: int, spec: AppSpec, landing: Landing) -> None:
        """An application came, and was placed or not."""

    def asked(self, time: int, attempt: Attempt, key: Key, more: int) -> None:
        """A master asks for so many containers more."""

    def decided(self, time: int, decision: Decision) -> None:
        """The scheduler decided something."""

    def handed(self, time: int, container: Container) -> None:
        """A container begins to work."""

    def updated(self, time: int) -> None:
        """Shares and demands are new."""

    def ended(self, time: int, spec: AppSpec, how: str) -> None:
        """An application is over: finished, killed or failed."""
