"""Data that is written as it comes, where an answer may be larger than memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fairsim.cli.output import Output
from fairsim.errors import InputError, UsageError


@contextmanager
def sink(out: Output) -> Iterator[Callable[[str], None]]:
    """Gives a function that writes a text to standard output, or to the file of --output, whole or not at all."""
    if out.path is None:
        yield out.write
        return
    if os.path.exists(out.path) and not os.path.isfile(out.path):  # a pipe or a device
        with open(out.path, "wb") as stream:
            yield lambda text: _write(stream.write, text)
        return
    path = os.path.realpath(out.path)
    for name in {*out.inputs, *(source.name for source in out.sources)}:
        if "\0" not in name and os.path.isfile(name) and os.path.exists(path) and os.path.samefile(name, path):
            hint = "name another file: this one would be lost"
            raise UsageError(f"{out.path} is an input of this run", where="--output", hint=hint)
    draft = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.getpid()}.part")
    try:
        with open(draft, "wb") as stream:
            yield lambda text: _write(stream.write, text)
        if os.path.exists(path):
            os.chmod(draft, os.stat(path).st_mode & 0o7777)
        os.replace(draft, path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", where=out.path) from None
    finally:
        if os.path.exists(draft):
            os.unlink(draft)


def _write(write: Callable[[bytes], int], text: str) -> None:
    write(text.encode("utf-8", "backslashreplace"))
