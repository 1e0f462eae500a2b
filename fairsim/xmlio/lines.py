"""From a byte of a UTF-8 text to its line and column."""

from __future__ import annotations

import re

from fairsim.diag import Pos


class Lines:
    """The lines of a text; where they start is found when the first place is asked for."""

    __slots__ = ("_starts", "utf8")

    def __init__(self, utf8: bytes):
        self.utf8 = utf8
        self._starts: list[int] = []

    def pos(self, index: int) -> Pos:
        """Returns line and column, from 1 and in characters, of the byte at `index`; CR, LF and CR LF end lines."""
        from bisect import bisect_right  # only when something is to be said: keeps start-up short

        if not self._starts:
            self._starts = [0, *(match.end() for match in re.finditer(rb"\r\n?|\n", self.utf8))]
        line = bisect_right(self._starts, index)
        column = len(self.utf8[self._starts[line - 1] : index].decode("utf-8", "replace")) + 1
        return Pos(line, column)
