"""Asks Hadoop: the oracle of one version as a process that stays, and a single batch of questions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

RUN = Path(__file__).with_name("run")
# A process serves some thousand short cases: the compiler that optimises most costs more time than it saves.
_JAVA_OPTIONS = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}

Request = dict[str, Any]


class OracleGone(RuntimeError):
    """The oracle ended before it had answered; its last words are the message."""


class Oracle:
    """The oracle of one Hadoop version, built if need be. One batch after the other; a context manager."""

    def __init__(self, version: str):
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self.process = subprocess.Popen(
            [sys.executable, str(RUN), version],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, encoding="utf-8",
            env=_JAVA_OPTIONS | os.environ,
        )  # fmt: skip

    def ask(self, requests: Sequence[Request]) -> list[Any]:
        """Returns the answers, in order. Raises OracleGone when one is missing."""
        lines = "".join(json.dumps({"id": number, **request}) + "\n" for number, request in enumerate(requests))
        feeder = threading.Thread(target=self._feed, args=(lines,))
        feeder.start()
        assert self.process.stdout is not None
        answers = []
        for number in range(len(requests)):
            answer = json.loads(self.process.stdout.readline() or "null")
            if answer is None or answer.get("id") != number:
                self.process.kill()
                feeder.join()
                raise OracleGone(f"{number} answers to {len(requests)} questions: {answer} {self.last_words()}")
            answers.append(answer)
        feeder.join()
        return answers

    def _feed(self, lines: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(lines)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # ask() says what is missing

    def last_words(self) -> str:
        """Returns the end of what the oracle wrote to standard error."""
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")[-2000:]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.process.terminate()
        try:
            if self.process.stdin is not None:
                self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.errors.close()


def ask(version: str, requests: Iterable[Request]) -> list[Any]:
    """Returns the oracle's answers, in order. Raises OracleGone when one is missing."""
    with Oracle(version) as oracle:
        return oracle.ask(list(requests))
