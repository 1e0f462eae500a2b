"""Where output goes: data to standard output or a file, talk to standard error; one place for width and colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsim.errors import InputError, UsageError
from fairsim.report.style import PLAIN, Style
from fairsim.report.table import Table

if TYPE_CHECKING:
    from fairsim.config.settings import Settings

#: What text and Markdown are made of: a table, or a paragraph.
Block = Table | str

TEXT, JSON, JSONL, CSV, MARKDOWN = "text", "json", "jsonl", "csv", "markdown"
_FOR_PROGRAMS = (JSON, JSONL, CSV, "sarif", "junit", "gitlab")  # always UTF-8


class Source(NamedTuple):
    """An input that was read: the name for messages, and its bytes."""

    name: str
    data: bytes


class Output:
    """The streams of one run and the wishes of its options.

    `given` holds the options of the command line by name, `settings` what is in force after the environment and the
    settings file. From them come `format`, `path` (None is standard output), `color` (auto, always, never), `width`
    (None: as the terminal has it, 0: any), `columns`, `human`, `wide`, `quiet` and `verbose`. `sources` holds the
    inputs read, so that an error can show the line it is about, `inputs` names further files that may be read;
    `hadoop` is the label of the version answered for. `copies` are further formats with the files they go to.
    """

    def __init__(self, environ: Mapping[str, str] | None = None):
        self.environ = os.environ if environ is None else environ
        self.given: dict[str, Any] = {}
        self.settings: Settings | None = None
        self.settled = False
        self.format = TEXT
        self.path: str | None = None
        self.copies: list[tuple[str, str]] = []
        self.color = "auto"
        self.width: int | None = None
        self.columns: tuple[str, ...] = ()
        self.human = False
        self.wide = False
        self.quiet = False
        self.verbose = False
        self.debug = bool(self.environ.get("FAIRSIM_DEBUG"))
        self.hadoop = ""
        self.sources: list[Source] = []
        self.stdin_taken = False  # one input is standard input
        self.inputs: list[str] = []

    # -- talk

    def say(self, message: str) -> None:
        """Writes a line of talk to standard error, unless --quiet."""
        if not self.quiet:
            self.complain(f"fairsim: {message}")

    def detail(self, message: str) -> None:
        """Writes a line of talk only with --verbose."""
        if self.verbose:
            self.complain(f"fairsim: {message}")

    def complain(self, text: str) -> None:
        """Writes a text to standard error whatever the options say."""
        if sys.stderr is not None:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()

    def talk_style(self) -> Style:
        """Returns the colours of standard error."""
        return Style(True) if self._colored(sys.stderr) else PLAIN

    # -- data

    def show(
        self,
        *blocks: Block,
        document: Callable[[], Mapping[str, Any]],
        records: Callable[[], Iterable[Mapping[str, Any]]] | None = None,
    ) -> None:
        """Writes the answer in the format asked for.

        `blocks` are what text and markdown show, in order; csv shows the first table of them. `document` makes the
        JSON object, `records` the objects of jsonl (without it: the rows of the first table). Both are called only
        when they are needed.
        """
        self.write(self.render(blocks, document, records))

    def render(
        self,
        blocks: Sequence[Block],
        document: Callable[[], Mapping[str, Any]],
        records: Callable[[], Iterable[Mapping[str, Any]]] | None = None,
    ) -> str:
        """Returns the answer as text in the format asked for (see `show`)."""
        if self.format in (JSON, JSONL):
            from fairsim.report import jsonout

            if self.format == JSON:
                return jsonout.dumps(document())
            return jsonout.lines(records() if records is not None else _first_table(blocks).records())
        if self.format == CSV:
            from fairsim.report import csvout

            return csvout.render(_first_table(blocks))
        if self.format == MARKDOWN:
            from fairsim.report import markdown

            return "\n".join(map(markdown.block, blocks))
        from fairsim.report import text

        width, style = self.text_width(), self.text_style()
        return "\n".join(text.block(block, width, style) for block in blocks)

    def write(self, text: str) -> None:
        """Writes data in one go: to standard output, or to the file of --output whole or not at all."""
        if self.path is not None:
            with self.target() as write:
                write(text)
            return
        stream = sys.stdout
        if stream is None:
            raise UsageError("standard output is closed", hint="open it, or use --output FILE")
        with _written("standard output"):
            self._write_stream(stream, text)

    def _write_stream(self, stream: Any, text: str) -> None:
        buffer = getattr(stream, "buffer", None)
        if buffer is None:
            stream.write(text)
        else:
            encoding = "utf-8" if self.format in _FOR_PROGRAMS else stream.encoding
            stream.flush()
            rest = memoryview(text.encode(encoding, "backslashreplace"))
            while rest:  # with PYTHONUNBUFFERED a write may take a part only
                rest = rest[buffer.write(rest) or 0 :]
        stream.flush()

    @contextmanager
    def target(self) -> Iterator[Callable[[str], Any]]:
        """Gives a function that writes texts to where the data goes, for what comes bit by bit; a file is whole or not.

        Raises UsageError for a path that is one of the files this run reads.
        """
        if self.path is None:
            yield self.write
            return
        if not self.path:
            raise UsageError("the name of the file is empty", where="--output", hint="name a file, or leave it out")
        self.spare_inputs(self.path, "--output")
        with whole_file(self.path) as write:
            yield lambda text: write(text.encode("utf-8", "backslashreplace"))

    def spare_inputs(self, path: str, option: str) -> None:
        """Raises UsageError for a path that is one of the files this run reads."""
        if os.path.exists(path):
            for name in {*self.inputs, *(source.name for source in self.sources)}:
                if "\0" not in name and os.path.isfile(name) and os.path.samefile(name, path):
                    hint = "name another file: this one would be lost"
                    raise UsageError(f"{path} is an input of this run", where=option, hint=hint)

    def write_file(self, path: str, text: str, option: str) -> None:
        """Writes a file beside the answer, whole or not at all. Raises as `target`."""
        self.spare_inputs(path, option)
        with whole_file(path) as write:
            write(text.encode("utf-8", "backslashreplace"))

    def text_style(self) -> Style:
        """Returns the colours of the data in text form: none in a file unless --color always."""
        stream = sys.stdout if self.path is None else None
        encoding = getattr(stream, "encoding", None) or "utf-8"
        narrow = None if encoding.lower().replace("-", "").startswith("utf") else encoding
        return Style(self._colored(stream), narrow)

    def text_width(self) -> int | None:
        """Returns the width for text: that of --width, else of the terminal, None (any) for pipes and files."""
        if self.width is not None:
            return self.width or None
        return None if self.path is not None else self._terminal_width(sys.stdout)

    def talk_width(self) -> int | None:
        """Returns the width of the terminal that standard error is, None when it is none."""
        return self._terminal_width(sys.stderr)

    def _terminal_width(self, stream: Any) -> int | None:
        """COLUMNS overrules what a terminal says about itself; pipes stay as wide as the text needs."""
        if not _is_terminal(stream):
            return None
        columns = self.environ.get("COLUMNS", "")
        if columns.isascii() and columns.isdigit() and int(columns) > 0:
            return int(columns)
        try:
            return os.get_terminal_size(stream.fileno()).columns or None
        except (OSError, ValueError):
            return None

    def _colored(self, stream: Any) -> bool:
        if self.color != "auto":
            return self.color == "always"
        if self.environ.get("NO_COLOR") or self.environ.get("TERM", "").lower() in ("dumb", "unknown"):
            return False
        if stream is not None and self.environ.get("FORCE_COLOR"):
            return True
        return _is_terminal(stream)


def _first_table(blocks: Iterable[Block]) -> Table:
    return next(block for block in blocks if isinstance(block, Table))


def _is_terminal(stream: Any) -> bool:
    try:
        return stream is not None and bool(stream.isatty())
    except ValueError:  # closed
        return False


@contextmanager
def _written(where: str) -> Iterator[None]:
    """Lets an error of the system name what cannot be written; a closed pipe is no such error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", where=where) from None


def _end_on_sigterm() -> Any:
    """Lets SIGTERM end the process in an orderly way; returns what it did before, None where that cannot be set."""
    import signal  # only where a file is written

    def end(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    try:
        return signal.signal(signal.SIGTERM, end)
    except ValueError:  # not in the main thread
        return None


def _restore(before: Any) -> None:
    import signal

    signal.signal(signal.SIGTERM, before)


@contextmanager
def whole_file(path: str) -> Iterator[Callable[[bytes], None]]:
    """Gives a function that writes to a file: under another name first, so that the old one stays until all is there.

    Raises InputError where it cannot be written. A pipe or a device is written as it is.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    special = os.path.exists(target) and not os.path.isfile(target)
    draft = target if special else os.path.join(folder, f".{name}.{os.getpid()}.part")
    with _written(path):
        stream = open(draft, "wb")  # noqa: SIM115 - closed below, where errors are about this file, too

    def write(data: bytes) -> None:
        with _written(path):
            stream.write(data)

    before = _end_on_sigterm()
    try:
        yield write
        with _written(path):
            stream.close()
            if not special:
                if os.path.exists(target):
                    os.chmod(draft, os.stat(target).st_mode & 0o7777)
                os.replace(draft, target)
    finally:
        with suppress(OSError):
            stream.close()
        if not special and os.path.exists(draft):
            os.unlink(draft)
        if before is not None:
            _restore(before)
