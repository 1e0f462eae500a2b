"""What a rule is: a function that yields hits, with its page in the docstring.

    @rule("FS403", INFO, NEEDS_TREE)
    def weight_zero(case: Case) -> Iterator[Hit]:
        \"\"\"A weight of 0 leaves a queue nothing but its minimum.

        When: ...
        Effect: ...
        Write: ...
        Versions: all
        Source: YARN-1458
        Bad: `<queue name="a"><weight>0</weight></queue>`
        Good: `<queue name="a"><weight>1</weight></queue>`
        \"\"\"

The name of the rule is that of the function. What the readers of the inputs find themselves (everything for which
Hadoop does not load a file is among it) has a page and no check of its own: `told`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from fairsim.diag import Pos
from fairsim.lint.case import Case

#: What a rule needs beyond the file: the queues in force (the file must load), yarn-site, a cluster, users.
TREE, SITE, CLUSTER, USERS = "a file that loads", "--yarn-site", "--cluster", "--groups-file"


class Hit(NamedTuple):
    """One place where a rule holds. `at` is an element of the file, a place in it, or a value of yarn-site.

    `severity` None is that of the rule. `other` is a second element. `refuses`: Hadoop does not start.
    """

    at: Any
    message: str
    effect: str = ""
    hint: str = ""
    severity: str | None = None
    other: Any = None
    refuses: bool = False


Check = Callable[[Case], Iterable[Hit]]


class Rule:
    """A rule of the catalogue: code, kebab-case name, headline severity, what it needs, its page, and its check.

    `check` is None for what a reader finds.
    """

    __slots__ = ("check", "code", "name", "needs", "page", "severity")

    def __init__(self, code: str, severity: str, needs: tuple[str, ...], function: Callable[..., Any], told: bool):
        self.code = code
        self.name = function.__name__.replace("_", "-")
        self.severity = severity
        self.needs = needs
        self.page = function.__doc__ or ""
        self.check: Check | None = None if told else function


class Family:
    """The rules of one module, in the order of their codes."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def rule(self, code: str, severity: str, *needs: str) -> Callable[[Check], Check]:
        """Returns the decorator that makes a function the rule of this code."""

        def add(function: Check) -> Check:
            self.rules.append(Rule(code, severity, needs, function, told=False))
            return function

        return add

    def told(self, code: str, severity: str) -> Callable[[Callable[[], None]], None]:
        """Returns the decorator for the page of what a reader finds; the function itself is never called."""

        def add(function: Callable[[], None]) -> None:
            self.rules.append(Rule(code, severity, (), function, told=True))

        return add


__all__ = ["CLUSTER", "SITE", "TREE", "USERS", "Case", "Check", "Family", "Hit", "Pos", "Rule"]
