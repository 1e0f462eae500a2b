"""The process `fairsim`: how it starts and ends. What it can do stands in `fairsim.cli.commands`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from fairsim.cli import exits

#: New objects before Python looks for garbage in rings, instead of 700. What fairsim builds lives until it ends, so
#: looking finds nothing: with 100,000 queues it is done 2,400 times and takes a fifth of the time.
GARBAGE_THRESHOLD = 20_000_000


def main() -> NoReturn:
    """Runs the command line and ends the process."""
    try:
        gc.set_threshold(GARBAGE_THRESHOLD)
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before there is anybody to catch it
        code = exits.INTERRUPTED
    _end(code)


def run(args: Sequence[str]) -> int:
    """Runs one command line and returns its exit code; nothing escapes."""
    from fairsim.cli.commands import answer  # loads click: after the threshold is set

    return answer(args)


def _end(code: int) -> NoReturn:
    """Ends the process without taking its objects apart one by one, and without a last flush that could fail.

    All output is flushed, all files are closed, no thread is left when a command returns.
    """
    if sys.gettrace() is None and sys.getprofile() is None:  # a profiler has its say after the usual end
        atexit._run_exitfuncs()  # noqa: SLF001 - there is no public way to call them
        os._exit(code)
    sys.exit(code)
