"""Regular expressions that are compiled when they are first used: most runs need a few of the many that exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


class Pattern:
    """A regular expression with the methods of `re.Pattern` that fairsim uses."""

    __slots__ = ("_compiled", "_flags", "_source")

    def __init__(self, source: str, flags: int = 0):
        self._source = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def _ready(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        return self._compiled

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Returns the match at `start`, None without one."""
        return self._ready().match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Returns the match of the whole text, None without one."""
        return self._ready().fullmatch(text)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Returns the first match from `start` on, None without one."""
        return self._ready().search(text, start)

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """Yields the matches from left to right, from `start` on."""
        return self._ready().finditer(text, start)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Returns the text with every match replaced."""
        return self._ready().sub(new, text)
