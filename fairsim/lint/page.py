"""The page of a rule, read from its docstring.

The first line is the title. Then come fields, `When:`, `Effect:`, `Write:`, `Versions:`, `Source:`, prose that may run
over lines, and `Bad:` and `Good:`, a snippet each whose lines are kept. `Given:` below a snippet holds the options of
the command line with which it is bad or good, such as `--hadoop 3.4 -D yarn.acl.enable=true`.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from fairsim.lint.rule import Rule

PROSE = ("When", "Effect", "Write", "Versions", "Source")
SNIPPETS = ("Bad", "Good")
_FIELD = re.compile(r"^(When|Effect|Write|Versions|Source|Bad|Good|Given):[ \n]?", re.MULTILINE)
#: How a snippet begins that is a whole file; any other is the inside of <allocations>.
_WHOLE = ("<allocations", "<Allocations", "<?xml", "<!DOCTYPE")


class Example(NamedTuple):
    """A snippet and the options that go with it."""

    text: str
    given: str = ""

    @property
    def file(self) -> str:
        """The snippet as a whole file; in one that is the inside of <allocations>, line 2 is its first line."""
        return self.text if self.text.startswith(_WHOLE) else f"<allocations>\n{self.text}\n</allocations>\n"


class Page(NamedTuple):
    """What `fairsim explain` shows of a rule; `prose` by the names in PROSE."""

    title: str
    prose: dict[str, str]
    bad: Example
    good: Example


def page_of(rule: Rule) -> Page:
    """Returns the page of a rule. Raises ValueError where the docstring has not its form (a fault of fairsim)."""
    text = inspect.cleandoc(rule.page)
    parts = _FIELD.split(text)
    prose: dict[str, str] = {}
    examples: dict[str, Example] = {}
    last = ""
    for name, value in zip(parts[1::2], parts[2::2], strict=True):
        if name in SNIPPETS:
            examples[name] = Example(inspect.cleandoc(value) if value[:1] in "\n " else value.rstrip())
            last = name
        elif name == "Given":
            examples[last] = examples[last]._replace(given=" ".join(value.split()))
        else:
            prose[name] = " ".join(value.split())
    absent = [name for name in PROSE if name not in prose] + [name for name in SNIPPETS if name not in examples]
    if absent:
        raise ValueError(f"the page of {rule.code} has no {', '.join(absent)}")
    return Page(" ".join(parts[0].split()), prose, examples["Bad"], examples["Good"])
