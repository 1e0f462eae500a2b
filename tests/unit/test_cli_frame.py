"""How a run ends, where its output goes, and what it loads."""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from fairsim.cli import commands, exits, main, options, reading
from fairsim.cli.options import Inputs
from fairsim.cli.output import Output
from fairsim.diag import ERROR, Finding, Pos
from fairsim.errors import InputError, RefusedError, UsageError
from fairsim.report.table import RIGHT, Column, Table

ALLOCATIONS = b'<allocations>\n  <queue name="a"><weight>x</weight></queue>\n</allocations>\n'
ROOT = Path(__file__).resolve().parents[2]

#: A command for the frame to run: it prints a table and ends in the way that it is told.
PROBE = """
import signal, sys, time, types, click
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
from fairsim.cli import commands, main, options
from fairsim.report.table import RIGHT, Column, Table

@click.command("probe")
@click.argument("rows", type=int)
@click.option("--end", default="")
@options.output("text", "json", "jsonl", "csv", "markdown")
@options.tables
def command(rows, end, out):
    "Probe."
    if end == "bug":
        raise ZeroDivisionError("x\\x1b[31m")
    if end == "sleep":
        print("started", file=sys.stderr, flush=True)
        time.sleep(30)
    columns = [Column("queue", "queue"), Column("mb", "steady", RIGHT, "MB"), Column("n", "notes", wrap=True)]
    table = Table(columns, [(f"root.caf\\u00e9{i}", i, "some words of running text") for i in range(rows)])
    out.show(table, document=lambda: {"schema": 1, "rows": list(table.records())})
    return 1 if end == "no" else None

module = types.ModuleType("fairsim_probe")
module.command = command
sys.modules["fairsim_probe"] = module
commands.COMMANDS["probe"] = ("fairsim_probe", "Probe.")
if __name__ == "__main__":
    main.main()
"""


def clean(**more: str) -> dict[str, str]:
    """The variables for a process of its own: those of this one without what changes output."""
    dropped = ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TERM", "LANG", "LC_ALL", "PYTHONIOENCODING", "PYTHONUTF8")
    kept = {key: value for key, value in os.environ.items() if key not in dropped and not key.startswith("FAIRSIM_")}
    return {**kept, "TERM": "xterm", "PYTHONPATH": str(ROOT), **more}


def spawn(*args: str, env: dict[str, str] | None = None, **streams: Any) -> subprocess.Popen[bytes]:
    return start("-c", PROBE, "probe", *args, env=env, **streams)


def fairsim(*args: str, **streams: Any) -> subprocess.Popen[bytes]:
    return start("-m", "fairsim", *args, **streams)


def start(*args: str, env: dict[str, str] | None = None, **streams: Any) -> subprocess.Popen[bytes]:
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen([sys.executable, *args], env=env or clean(), **streams)


def probe(*args: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    with spawn(*args, env=env) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, out.decode(), err.decode()


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """A module whose `body` is what the command `probe` does; in an empty folder without settings."""
    module: Any = ModuleType("fairsim_probe")

    @click.command("probe")
    @options.inputs
    @options.output("text", "json", "csv")
    @options.tables
    def run_probe(inputs: Inputs, out: Output) -> Any:
        module.inputs, module.out = inputs, out
        return module.body(inputs, out)

    module.command = run_probe
    module.body = lambda _inputs, _out: None
    monkeypatch.setitem(sys.modules, "fairsim_probe", module)
    monkeypatch.setitem(commands.COMMANDS, "probe", ("fairsim_probe", "Probe."))
    for name in [name for name in os.environ if name.startswith("FAIRSIM_")] + ["HADOOP_CONF_DIR", "COLUMNS"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alloc.xml").write_bytes(ALLOCATIONS)
    return module


def raising(error: BaseException) -> Any:
    def body(_inputs: Inputs, _out: Output) -> None:
        raise error

    return body


# -- exit codes


@pytest.mark.parametrize(
    ("answer", "code"), [(None, exits.ANSWERED), (0, exits.ANSWERED), (1, exits.NO), (2, exits.NOT_ANSWERED)]
)
def test_a_command_returns_its_code(command: Any, answer: int | None, code: int) -> None:
    command.body = lambda _inputs, _out: answer
    assert main.run(["probe", "alloc.xml"]) == code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("a"), exits.NOT_ANSWERED),
        (InputError("a"), exits.NOT_ANSWERED),
        (click.UsageError("a"), exits.NOT_ANSWERED),
        (FileNotFoundError(2, "No such file", "x"), exits.NOT_ANSWERED),
        (MemoryError(), exits.NOT_ANSWERED),
        (click.Abort(), exits.INTERRUPTED),
        (KeyboardInterrupt(), exits.INTERRUPTED),
        (BrokenPipeError(), exits.CLOSED_PIPE),
    ],
)
def test_an_error_ends_with_its_code(
    command: Any, capsys: pytest.CaptureFixture[str], error: BaseException, code: int
) -> None:
    command.body = raising(error)
    assert main.run(["probe", "alloc.xml"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert err.startswith("fairsim: error: ") == (code == exits.NOT_ANSWERED)


def test_help_version_and_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["--help"]) == exits.ANSWERED
    shown = capsys.readouterr().out
    assert shown.startswith("Usage: fairsim [OPTIONS] COMMAND")
    assert all(name in shown and line in shown for name, (_, line) in commands.COMMANDS.items())
    assert main.run(["-h"]) == exits.ANSWERED
    assert capsys.readouterr().out == shown
    assert main.run([]) == exits.NOT_ANSWERED
    assert capsys.readouterr().err == shown
    assert main.run(["--version"]) == exits.ANSWERED
    assert capsys.readouterr().out.startswith("fairsim ")
    assert main.run(["shares", "--help"]) == exits.ANSWERED
    assert "--cluster" in capsys.readouterr().out


def test_wrong_words_get_a_suggestion(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["sharse"]) == exits.NOT_ANSWERED
    assert "Did you mean 'shares'?" in capsys.readouterr().err
    assert main.run(["probe", "--clutser", "x"]) == exits.NOT_ANSWERED
    err = capsys.readouterr().err
    assert err.startswith("fairsim: error: No such option '--clutser'.")
    assert "'--cluster'" in err
    assert "fairsim probe --help" in err
    assert main.run(["probe", "alloc.xm"]) == exits.NOT_ANSWERED
    assert capsys.readouterr().err == (
        "fairsim: error: alloc.xm: cannot be read: No such file or directory\n    = did you mean alloc.xml?\n"
    )
    assert main.run(["probe", "hdfs://x/y.xml"]) == exits.NOT_ANSWERED
    assert "local files" in capsys.readouterr().err
    assert main.run(["probe", "."]) == exits.NOT_ANSWERED
    assert "fair-scheduler.xml" in capsys.readouterr().err


def test_a_bug_is_two_lines_and_a_file(tmp_path: Path) -> None:
    code, out, err = probe("3", "--end", "bug", env=clean(TMPDIR=str(tmp_path)))
    assert code == exits.BUG
    assert out == ""
    first, second = err.splitlines()
    assert first == "fairsim: bug: ZeroDivisionError: x\\x1b[31m"
    assert second.startswith("fairsim: this is a fault of fairsim")
    (report,) = tmp_path.glob("fairsim-bug-*.txt")
    assert second.endswith(str(report))
    text = report.read_text()
    assert "Traceback" in text
    assert "--end" in text


def test_debug_shows_the_trace(tmp_path: Path) -> None:
    code, _, err = probe("3", "--end", "bug", "--debug", env=clean(TMPDIR=str(tmp_path)))
    assert code == exits.BUG
    assert err.startswith("Traceback")


def test_ctrl_c() -> None:
    with spawn("3", "--end", "sleep") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"started\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == exits.INTERRUPTED
    assert err == b""


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("rows", [1, 20000])
@pytest.mark.parametrize("form", ["text", "csv", "json"])
def test_a_reader_that_goes_away_ends_the_run_in_silence(unbuffered: str, rows: int, form: str) -> None:
    reader, writer = os.pipe()
    with spawn(str(rows), "--format", form, env=clean(PYTHONUNBUFFERED=unbuffered), stdout=writer) as process:
        os.close(writer)
        if rows > 1:
            os.read(reader, 10)
        os.close(reader)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (exits.CLOSED_PIPE, b"")


def test_help_into_a_closed_pipe() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with fairsim("--help", stdout=writer) as process:
        os.close(writer)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (exits.CLOSED_PIPE, b"")


def test_errors_into_a_closed_pipe() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with fairsim("x", stdout=writer, stderr=writer) as process:
        os.close(writer)
    assert process.returncode == exits.CLOSED_PIPE


def test_all_of_a_long_answer_arrives_through_a_slow_pipe() -> None:
    with spawn("20000", env=clean(PYTHONUNBUFFERED="1")) as process:
        assert process.stdout is not None
        time.sleep(0.5)
        out, _ = process.communicate(timeout=60)
    assert out.count(b"\n") == 20001


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_an_error() -> None:
    with Path("/dev/full").open("wb") as full, spawn("3", stdout=full) as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == exits.NOT_ANSWERED
    assert err == b"fairsim: error: standard output: cannot be written: No space left on device\n"
    code, _, err_text = probe("3", "--output", "/dev/full")
    assert code == exits.NOT_ANSWERED
    assert err_text.startswith("fairsim: error: /dev/full: cannot be written")


def test_a_closed_standard_output_is_an_error() -> None:
    shell = ["/bin/sh", "-c", '"$0" -c "$1" probe 3 >&-', sys.executable, PROBE]
    done = subprocess.run(shell, env=clean(), stderr=subprocess.PIPE, check=False)
    assert done.returncode == exits.NOT_ANSWERED
    assert b"standard output is closed" in done.stderr


def test_the_quick_end_leaves_nothing_out() -> None:
    script = (
        "import atexit, sys\nfrom fairsim.cli.main import main\nsys.argv[1:] = ['--version']\n"
        "atexit.register(print, 'at exit', flush=True)\nmain()"
    )
    with start("-c", script) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert out.startswith(b"fairsim ")
    assert out.endswith(b"\nat exit\n")
    with start("-m", "cProfile", "-m", "fairsim", "--version") as process:
        out, _ = process.communicate(timeout=60)
    assert b"function calls" in out


# -- what errors look like


def test_a_refused_file_is_shown_with_its_lines(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = "Hadoop 3.3.6 would not load this file"
    findings = [
        Finding("FS201", "bad-weight", ERROR, "'x' is not a number", Pos(2, 19), verdict, "write 1.0", refuses=True),
        Finding("FS202", "other", ERROR, "no place", None, "the load fails", refuses=True),
    ]
    command.body = raising(RefusedError("no", findings))
    assert main.run(["probe", "alloc.xml", "--hadoop", "3.3"]) == exits.NOT_ANSWERED
    assert capsys.readouterr().err == """\
fairsim: error: alloc.xml: Hadoop 3.3.6 would not load this file
alloc.xml:2:19: error FS201 bad-weight
  2 |   <queue name="a"><weight>x</weight></queue>
    |                   ^^^^^^^^ 'x' is not a number
    = write 1.0
alloc.xml: error FS202 other: no place
    = Hadoop 3.3.6: the load fails
"""


def test_many_findings_are_cut(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    one = Finding("FS201", "bad", ERROR, "m", Pos(2, 19), refuses=True)
    command.body = raising(RefusedError("no", [one] * 70))
    main.run(["probe", "alloc.xml"])
    assert capsys.readouterr().err.endswith("fairsim: and 20 more\n")


def test_a_limit_of_fairsim_is_not_blamed_on_hadoop(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from fairsim.xmlio.refusal import beyond_limit

    command.body = raising(beyond_limit("too deep", Pos(1, 1)))
    assert main.run(["probe", "alloc.xml"]) == exits.NOT_ANSWERED
    err = capsys.readouterr().err
    assert err.startswith("fairsim: error: alloc.xml: fairsim gives no answer for this file\n")
    assert "  1 | <allocations>\n" in err


def test_errors_with_places_show_the_line(command: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("nodes:\n  - memory: 8q\n")
    command.body = raising(InputError("no unit", where="c.yaml", pos=Pos(2, 13), hint="write 8g"))
    main.run(["probe", "alloc.xml"])
    assert capsys.readouterr().err == (
        "fairsim: error: c.yaml:2:13: no unit\n  2 |   - memory: 8q\n    |             ^^\n    = write 8g\n"
    )
    command.body = raising(InputError("no vcores", where="--cluster", pos=Pos(1, 8)))
    main.run(["probe", "alloc.xml", "--cluster", "8g,3c+ 9g"])
    assert capsys.readouterr().err == "fairsim: error: --cluster: no vcores\n    8g,3c+ 9g\n           ^^\n"


@pytest.mark.parametrize("codec", ["utf-16", "iso-8859-1", "utf-8-sig"])
def test_lines_are_decoded_as_the_reader_does(command: Any, capsys: pytest.CaptureFixture[str], codec: str) -> None:
    declared = {"utf-8-sig": "utf-8"}.get(codec, codec)
    text = f'<?xml version="1.0" encoding="{declared}"?>\r\n<a name="é"/>'
    Path("alloc.xml").write_bytes(text.encode(codec))
    command.body = raising(InputError("m", pos=Pos(2, 4)))
    main.run(["probe", "alloc.xml"])
    assert '  2 | <a name="é"/>\n    |    ^^^^' in capsys.readouterr().err


# -- inputs and settings


def test_where_the_allocation_file_is_looked_for(
    command: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "_usual_places", lambda environ: [*places(environ)][:-1])
    assert main.run(["probe"]) == exits.NOT_ANSWERED
    assert "no allocation file is given" in capsys.readouterr().err

    def used() -> str:
        assert main.run(["probe"]) == exits.ANSWERED
        return capsys.readouterr().err

    conf = tmp_path / "conf"
    conf.mkdir()
    (conf / "fair-scheduler.xml").write_text("<allocations/>")
    monkeypatch.setenv("HADOOP_CONF_DIR", str(conf))
    assert used() == f"fairsim: using {conf}/fair-scheduler.xml\n"
    (tmp_path / "fair-scheduler.xml").write_bytes(ALLOCATIONS)
    assert used() == "fairsim: using fair-scheduler.xml\n"
    (tmp_path / ".fairsim.yaml").write_text("alloc: alloc.xml\nhadoop: 2.7\n")
    from_file = "fairsim: settings from .fairsim.yaml: alloc, hadoop\n"
    assert used() == f"{from_file}fairsim: using alloc.xml (.fairsim.yaml:1:8)\n"
    assert command.inputs.profile.label == "2.7.7"
    (tmp_path / "other.xml").write_bytes(b"<x/>")
    monkeypatch.setenv("FAIRSIM_ALLOC", "other.xml")
    assert used() == "fairsim: settings from .fairsim.yaml: hadoop\nfairsim: using other.xml (FAIRSIM_ALLOC)\n"
    assert command.inputs.allocation == ("other.xml", b"<x/>")
    assert main.run(["probe", "alloc.xml", "--no-config"]) == exits.ANSWERED
    assert capsys.readouterr().err == ""
    assert command.inputs.allocation == ("alloc.xml", ALLOCATIONS)
    assert command.inputs.profile.label.startswith("3.5.")
    monkeypatch.setenv("FAIRSIM_ALLOC", "gone.xml")
    assert main.run(["probe"]) == exits.NOT_ANSWERED


places = options._usual_places


def test_standard_input_has_a_name(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("alloc.xml").open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": stream, "isatty": lambda _self: False})())
        assert main.run(["probe", "-", "--stdin-name", "fs.xml"]) == exits.ANSWERED
    assert command.inputs.allocation == ("fs.xml", ALLOCATIONS)


def test_a_file_beyond_the_limit(
    command: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 20)
    assert main.run(["probe", "alloc.xml"]) == exits.NOT_ANSWERED
    assert "larger than" in capsys.readouterr().err


def test_options_reach_the_command(command: Any) -> None:
    args = (
        "--cluster 1g,1c --cluster 2g,2c --hadoop 3.2 --yarn-site y1 --yarn-site y2 --resource-types r"
        " -D a=b --set c=d --columns queue,mb --human --wide --width 0"
    )
    assert main.run(["probe", "alloc.xml", *args.split()]) == exits.ANSWERED
    inputs, out = command.inputs, command.out
    assert inputs.clusters == ("1g,1c", "2g,2c")
    assert (inputs.profile.label, out.hadoop) == ("3.2.4", "3.2.4")
    assert (inputs.yarn_site, inputs.resource_types) == (("y1", "y2"), ("r",))
    assert (inputs.defines, inputs.changes) == (("a=b",), ("c=d",))
    assert (out.columns, out.human, out.wide, out.text_width()) == (("queue", "mb"), True, True, None)


def test_show_settings(command: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSIM_HADOOP", "3.1")
    Path(".fairsim.yaml").write_text("cluster: 8g,8c\nwidth: 50\n")
    assert main.run(["probe", "gone.xml", "--show-settings", "--format", "csv", "-D", "a=b"]) == exits.ANSWERED
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "setting,value,origin"
    expected = {"alloc,gone.xml,ALLOC", "hadoop,3.1,FAIRSIM_HADOOP", "define,a=b,-D", "width,50,.fairsim.yaml:2:8"}
    assert expected < {*lines}
    assert '"8g,8c"' in "".join(lines)


def test_a_format_of_another_command_in_the_settings(
    command: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRSIM_FORMAT", "sarif")
    assert main.run(["probe", "alloc.xml"]) == exits.NOT_ANSWERED
    assert capsys.readouterr().err.startswith("fairsim: error: FAIRSIM_FORMAT: 'sarif' is not a format")
    assert main.run(["probe", "alloc.xml", "--format", "csv"]) == exits.ANSWERED
    assert main.run(["probe", "alloc.xml", "--config", "x", "--no-config"]) == exits.NOT_ANSWERED


def test_quiet_and_verbose(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def body(_inputs: Inputs, out: Output) -> None:
        out.say("one")
        out.detail("two")

    command.body = body
    for args, expected in ([], "fairsim: one\n"), (["-q"], ""), (["-v"], "fairsim: one\nfairsim: two\n"):
        main.run(["probe", "alloc.xml", *args])
        assert capsys.readouterr().err == expected


# -- where output goes


def table_of(command: Any) -> None:
    table = Table([Column("queue", "queue"), Column("mb", "MB", RIGHT)], [("root.é", 5)])
    command.body = lambda _inputs, out: out.show("a line", table, document=lambda: {"schema": 1})


def test_a_file_is_written_whole_or_not_at_all(command: Any, tmp_path: Path) -> None:
    table_of(command)
    target = tmp_path / "out.csv"
    assert main.run(["probe", "alloc.xml", "--format", "csv", "--output", "out.csv"]) == exits.ANSWERED
    assert target.read_text("utf-8") == "queue,mb\nroot.é,5\n"
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask
    target.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(target)
    assert main.run(["probe", "alloc.xml", "-o", str(link), "--color", "auto"]) == exits.ANSWERED
    assert link.is_symlink()
    assert target.read_text("utf-8") == "a line\n\nqueue   MB\nroot.é   5\n"
    assert target.stat().st_mode & 0o777 == 0o600
    command.body = raising(InputError("no"))
    before = target.read_bytes()
    assert main.run(["probe", "alloc.xml", "-o", "out.csv"]) == exits.NOT_ANSWERED
    assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alloc.xml", "link", "out.csv"]


def test_a_file_that_cannot_be_written(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    table_of(command)
    assert main.run(["probe", "alloc.xml", "-o", "gone/out.txt"]) == exits.NOT_ANSWERED
    assert capsys.readouterr().err.startswith("fairsim: error: gone/out.txt: cannot be written")


def test_data_and_talk_do_not_mix(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def body(_inputs: Inputs, out: Output) -> None:
        out.say("talk")
        out.show("data", document=dict)

    command.body = body
    main.run(["probe", "alloc.xml", "-o", "-"])
    assert capsys.readouterr() == ("data\n", "fairsim: talk\n")


@pytest.mark.parametrize("variables", [{"LANG": "C"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}])
def test_any_locale_prints_any_name(variables: dict[str, str]) -> None:
    ascii_only = "PYTHONUTF8" in variables
    for form in ("text", "csv", "json", "markdown"):
        code, out, err = probe("1", "--format", form, env=clean(**variables))
        assert (code, err) == (0, "")
        expected = "root.caf\\xe90" if ascii_only and form in ("text", "markdown") else "root.café0"
        assert expected in out


@pytest.mark.parametrize(
    ("args", "variables", "colour"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1", "TERM": "dumb"}, False),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"FAIRSIM_COLOR": "always"}, True),
    ],
)
def test_colour_into_a_pipe(args: list[str], variables: dict[str, str], colour: bool) -> None:
    assert ("\x1b[" in probe("2", *args, env=clean(**variables))[1]) == colour


def terminal(columns: int, *args: str, **variables: str) -> str:
    """What the probe prints on a terminal of so many columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    with spawn("2", *args, env=clean(**variables), stdout=theirs, stderr=theirs):
        os.close(theirs)
        parts = []
        try:
            while part := os.read(ours, 4096):
                parts.append(part)
        except OSError:  # Linux's way to say that the other side is closed
            pass
        os.close(ours)
    return b"".join(parts).decode().replace("\r\n", "\n")


WIDE = "queue       steady MB  notes\nroot.café0          0  some words of running text\n"
NARROW = "queue       steady MB\nroot.café0          0\n    some words of running text\n"


def test_a_terminal_gets_its_width_and_colour() -> None:
    assert terminal(100).startswith("\x1b[1mqueue")
    assert terminal(100, NO_COLOR="1").startswith(WIDE)
    assert terminal(100, TERM="dumb").startswith(WIDE)
    assert terminal(40, NO_COLOR="1").startswith(NARROW)
    assert terminal(100, NO_COLOR="1", COLUMNS="40").startswith(NARROW)
    assert terminal(40, NO_COLOR="1", COLUMNS="100").startswith(WIDE)
    assert terminal(40, "--width", "90", NO_COLOR="1").startswith(WIDE)
    assert terminal(40, "--width", "0", NO_COLOR="1").startswith(WIDE)


def test_a_pipe_gets_all_the_width_it_needs() -> None:
    assert probe("2", env=clean(COLUMNS="40"))[1].startswith(WIDE)
    assert probe("2", "--width", "40")[1].startswith(NARROW)
    assert probe("2", env=clean(FAIRSIM_WIDTH="40"))[1].startswith(NARROW)


# -- what is loaded


LOADED = """
import sys
import click
before = set(sys.modules)
from fairsim.cli.main import run
code = run(sys.argv[1:])
sys.stderr.write(" ".join(sorted(set(sys.modules) - before)))
sys.exit(code)
"""


HEAVY = {"rich", "lxml", "numpy", "yaml", "json", "pathlib", "tempfile", "dataclasses", "difflib", "tomllib"}


def loaded(*args: str) -> set[str]:
    with start("-c", LOADED, *args, stdout=subprocess.DEVNULL) as process:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    return set(err.decode().split())


def test_help_loads_nothing_that_it_does_not_need() -> None:
    for args in (["--help"], ["--version"]):
        modules = loaded(*args)
        assert {name for name in modules if name.startswith("fairsim")} == {
            "fairsim", "fairsim.cli", "fairsim.cli.commands", "fairsim.cli.exits", "fairsim.cli.main",
            "fairsim.cli.output", "fairsim.diag", "fairsim.errors", "fairsim.report", "fairsim.report.style",
            "fairsim.report.table",
        }  # fmt: skip
        assert not modules & HEAVY


def test_the_frame_of_a_command_loads_no_heavy_module(tmp_path: Path) -> None:
    script = PROBE.replace("main.main()", "main.run(sys.argv[1:])\n    print(*sys.modules)")
    with start("-c", script, "probe", "1", cwd=tmp_path) as process:
        out, _ = process.communicate(timeout=60)
    modules = set(out.decode().split())
    assert "fairsim.report.text" in modules
    assert not modules & HEAVY
