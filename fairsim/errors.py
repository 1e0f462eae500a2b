"""What fairsim raises on purpose. Only the command line catches these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsim.diag import Finding, Pos


class FairsimError(Exception):
    """An error that a user can act on: a message, where it is, and what to write instead.

    `where` names the input (a file, an option), `pos` the line and column in it when they are known.
    """

    def __init__(self, message: str, *, where: str | None = None, pos: Pos | None = None, hint: str | None = None):
        super().__init__(message)
        self.message = message
        self.where = where
        self.pos = pos
        self.hint = hint


class InputError(FairsimError):
    """An input is missing, unreadable or not in its grammar (exit code 2)."""


class UsageError(FairsimError):
    """Options or arguments that do not go together (exit code 2)."""


class RefusedError(FairsimError):
    """Hadoop of the chosen version would not load this allocation file (exit code 2).

    `verdict` takes the place of these words in the report, where it is not about an allocation file.
    """

    def __init__(self, message: str, findings: Sequence[Finding], verdict: str = ""):
        super().__init__(message)
        self.verdict = verdict
        self.findings = tuple(findings)
