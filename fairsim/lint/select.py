"""Which rules are on for a file: --select, --ignore, --per-file-ignore."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch

from fairsim.errors import UsageError
from fairsim.lint.catalog import chosen

PER_FILE = "--per-file-ignore"


class Selection:
    """Codes and prefixes that are on and off; the longer prefix wins, of equal ones the one that is off."""

    def __init__(self, select: Sequence[str] = (), ignore: Sequence[str] = (), per_file: Sequence[str] = ()):
        self.select = chosen(select, "--select") or ("FS",)
        self.ignore = chosen(ignore, "--ignore")
        self.per_file = [_per_file(text) for text in per_file]

    def on(self, code: str, path: str | None = None) -> bool:
        """Tells whether a rule is on, in this file."""
        off = list(self.ignore)
        if path is not None:
            off += [one for pattern, codes in self.per_file if _is_about(pattern, path) for one in codes]
        return _longest(code, self.select) > _longest(code, off)


def _longest(code: str, prefixes: Sequence[str]) -> int:
    return max((len(one) for one in prefixes if code.startswith(one)), default=0)


def _per_file(text: str) -> tuple[str, tuple[str, ...]]:
    pattern, colon, codes = text.rpartition(":")
    if not colon or not pattern or not codes:
        raise UsageError(f"{text!r} is not PATTERN:CODES", where=PER_FILE, hint="write legacy/*.xml:FS3,FS601")
    return pattern.strip(), chosen([codes], PER_FILE)


def _is_about(pattern: str, path: str) -> bool:
    """A pattern is about a path where it fits all of it, or its last parts."""
    path = path.replace("\\", "/").removeprefix("./")
    return fnmatch(path, pattern) or fnmatch(path, f"*/{pattern}")
