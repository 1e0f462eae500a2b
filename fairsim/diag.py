"""Findings about inputs: what, where, what Hadoop does with it, what to write instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

ERROR = "error"
WARNING = "warning"
INFO = "info"
SEVERITIES = (ERROR, WARNING, INFO)


class Pos(NamedTuple):
    """A place in a text: line and column, both counted from 1, columns in characters."""

    line: int
    column: int


class Finding(NamedTuple):
    """One remark about an input. `code` is stable (FS104), `name` its kebab-case name.

    `refuses` is true when Hadoop of the examined version refuses the whole file for it; `effect` says what
    Hadoop does, `hint` what to write instead. `other` is a second place ("first written here").
    """

    code: str
    name: str
    severity: str
    message: str
    pos: Pos | None = None
    effect: str = ""
    hint: str = ""
    refuses: bool = False
    other: Pos | None = None


_LIKE_DIGITS = str.maketrans("oil", "011")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns the known word nearest to `word`, or an empty string when none is near."""
    from difflib import get_close_matches  # only when something is wrong: keeps start-up short

    by_fold = {name.casefold(): name for name in known}
    fold = word.casefold()
    as_digits = fold.translate(_LIKE_DIGITS)
    if as_digits in by_fold:
        return by_fold[as_digits]
    near = get_close_matches(fold, by_fold, n=1, cutoff=0.7)
    return by_fold[near[0]] if near else ""
