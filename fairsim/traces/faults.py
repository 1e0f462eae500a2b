"""What can be wrong with a trace: records that are refused, and remarks that end no run."""

from __future__ import annotations

from collections.abc import Sequence

from fairsim.diag import did_you_mean

MOST_KEPT = 200  # kinds of remarks; a file with more of them is not what it seems to be

PARSE, NO_ARRIVAL, TWICE, TIME, SIZE, DIST = "T001", "T002", "T003", "T004", "T005", "T006"
AFTER, COUNT, DURATIONS, KINDS, VALUE, UNKNOWN = "T007", "T008", "T009", "T010", "T011", "T012"


class Bad(Exception):
    """A record that is refused: a code, why, and what to write instead.

    `field` and `value` are what is wrong in it (None for the record as a whole), `stage` the number of its stage.
    `line` counts from the first line of the record, `column` from 1.
    """

    def __init__(
        self, code: str, reason: str, hint: str = "", *, field: str = "", value: object = None,
        stage: int | None = None, line: int = 0, column: int = 1,
    ):  # fmt: skip
        super().__init__(reason)
        self.code, self.reason, self.hint = code, reason, hint
        self.field, self.value = field, value
        self.stage, self.line, self.column = stage, line, column

    def about(self, field: str, value: object) -> Bad:
        """Returns this with the field it is about, unless it knows one."""
        if not self.field:
            self.field, self.value = field, value
        return self

    @property
    def path(self) -> str:
        """Returns the field, with its stage."""
        if self.stage is None:
            return self.field
        return f"stages[{self.stage}].{self.field}" if self.field else f"stages[{self.stage}]"

    def text(self, number: int) -> str:
        """Returns what is wrong with record `number` (0: with the file): code, field, value as written, the reason."""
        about = [f"record {number}"] if number else []
        if self.path:
            about.append(self.path if self.value is None else f"{self.path} {shown(self.value)}")
        elif self.value is not None:
            about.append(shown(self.value))
        return f"{self.code} {', '.join(about)}{': ' if about else ''}{self.reason}"


def shown(value: object) -> str:
    """Returns a value for a message, cut where it is long."""
    if isinstance(value, list | tuple | dict):
        return f"of {len(value)} items"
    if isinstance(value, int) and abs(value) >= 10**40:
        return "of very many digits"
    text = repr(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:60] + "…"


class Notes:
    """Remarks about a trace, each told once with the place of the first record that gave rise to it."""

    def __init__(self, where: str, *, strict: bool = False):
        self.where = where
        self.strict = strict
        self.line = 0  # of the record that is being read
        self._found: dict[str, tuple[int, str]] = {}  # the first line, and what helps
        self._counts: dict[str, int] = {}
        self._more = 0

    def tell(self, text: str, hint: str = "") -> None:
        """Adds a remark about the record that is being read."""
        if text in self._found:
            self._counts[text] += 1
        elif len(self._found) < MOST_KEPT:
            self._found[text] = self.line, hint
            self._counts[text] = 1
        else:
            self._more += 1

    def unknown(self, key: str, what: str, known: Sequence[str]) -> None:
        """Remarks on a key that nobody reads; raises Bad where that is an error."""
        text = f"unknown key {key!r:.60} in {what}"
        if not self.strict and (text in self._found or len(self._found) >= MOST_KEPT):
            self.tell(text)
            return
        near = did_you_mean(key[:100], known)
        if self.strict:
            hint = f"did you mean {near}?" if near else "keys are " + ", ".join(known)
            raise Bad(UNKNOWN, f"unknown key in {what}", hint, field=f"{key:.60}")
        self.tell(text, f"did you mean {near}?" if near else "")

    def texts(self) -> tuple[str, ...]:
        """Returns the remarks with their places, in the order in which they came up."""
        found = []
        for text, (line, hint) in self._found.items():
            number = self._counts[text]
            found.append(
                f"{self.where}{f':{line}' if line else ''}: {text}"
                f"{f', {number} times' if number > 1 else ''}{f'; {hint}' if hint else ''}"
            )
        if self._more:
            found.append(f"{self.where}: and {self._more} remarks of other kinds")
        return tuple(found)
