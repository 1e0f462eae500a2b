"""Reads the files that a command line names."""

from __future__ import annotations

import os
import sys

from fairsim.cli.output import Output, Source
from fairsim.diag import did_you_mean
from fairsim.errors import InputError, UsageError

FILE_NAME = "fair-scheduler.xml"
STDIN = "-"
MAX_BYTES = 64 * 1024 * 1024


def read_input(path: str, out: Output, stdin_name: str = "<stdin>") -> Source:
    """Returns the bytes of a file, or of standard input for `-`; remembers them for messages.

    Raises InputError for a file that cannot be read, or is larger than fairsim reads.
    """
    if not path.strip():
        raise UsageError("the name of a file is empty", hint="name the file, or - for standard input")
    try:
        if path == STDIN:
            source = Source(stdin_name, _standard_input(out))
        else:
            with open(path, "rb") as stream:
                source = Source(path, stream.read(MAX_BYTES + 1))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", where=path, hint=_instead(path, error)) from None
    if len(source.data) > MAX_BYTES:
        raise InputError(f"larger than the {MAX_BYTES >> 20} MB that fairsim reads", where=source.name)
    out.sources.append(source)
    return source


def claim_standard_input(out: Output) -> None:
    """Raises UsageError where an input of this run comes from standard input already."""
    if out.stdin_taken:
        raise UsageError("two inputs cannot both come from standard input", hint="name a file for one of them")
    out.stdin_taken = True


def _standard_input(out: Output) -> bytes:
    claim_standard_input(out)
    if sys.stdin is None:
        raise UsageError("standard input is closed", hint="name a file instead of -")
    if sys.stdin.isatty():
        out.say("reading from the terminal; end with Ctrl-D")
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def _instead(path: str, error: Exception) -> str | None:
    """What may have been meant by a path that cannot be read."""
    if "://" in path:
        return "fairsim reads local files only: fetch it first, or pipe it in and name the file -"
    folder, name = os.path.split(path)
    if isinstance(error, IsADirectoryError):
        return f"name a file in it, such as {os.path.join(path, FILE_NAME)}"
    if isinstance(error, FileNotFoundError):
        try:
            near = did_you_mean(name, sorted(os.listdir(folder or ".")))
        except OSError:
            return None
        return f"did you mean {os.path.join(folder, near)}?" if near else None
    return None
