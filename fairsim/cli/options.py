"""Options and arguments that several commands share.

    @click.command("shares")
    @options.inputs
    @options.output("text", "json", "csv")
    @options.tables
    def command(inputs: Inputs, out: Output) -> int | None: ...

A command returns its exit code; None is 0. What an option leaves open is taken from the environment, then from the
settings file; `--show-settings` ends the run before any input is read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any, NamedTuple

import click

from fairsim.cli.output import Output, Source
from fairsim.config.settings import FILE_NAME as SETTINGS_FILE
from fairsim.config.settings import Settings, read_settings, show
from fairsim.diag import did_you_mean
from fairsim.errors import FairsimError, InputError, UsageError
from fairsim.profiles import DEFAULT_VERSION, Profile, profile
from fairsim.report.table import Column, Table

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]

FILE_NAME = "fair-scheduler.xml"
STDIN = "-"
MAX_BYTES = 64 * 1024 * 1024


class Inputs(NamedTuple):
    """What a command is about: the allocation file, read; the rest as written on the command line or in the settings.

    `clusters` are texts for `parse_clusters`, `cluster_label` names them in messages, `defines` are NAME=VALUE,
    `changes` are the texts of `--set`.
    """

    allocation: Source
    profile: Profile
    clusters: tuple[str, ...]
    cluster_label: str
    yarn_site: tuple[str, ...]
    resource_types: tuple[str, ...]
    defines: tuple[str, ...]
    changes: tuple[str, ...]


def _keep(context: click.Context, param: click.Parameter, value: Any) -> None:
    """Hands what was given to the `Output` of the run, so that all of it is known before the command starts."""
    if value is not None and value is not False and value != ():
        context.obj.given[str(param.name)] = value


def _option(*names: str, **details: Any) -> Decorator:
    return click.option(*names, expose_value=False, callback=_keep, **details)


def inputs(function: Function) -> Function:
    """Adds ALLOC and the options around it; the command gets them as `inputs`."""

    def command(**given: Any) -> Any:
        out = _settled()
        return function(inputs=_gather(out), **given)

    return _decorate(
        update_wrapper(command, function),
        click.argument("alloc", required=False, metavar="[ALLOC]", expose_value=False, callback=_keep),
        _option("--stdin-name", metavar="NAME", help="Name of standard input (ALLOC is -) in messages."),
        _option("--cluster", multiple=True, metavar="SPEC", help="800g,200c or 40x20g,5c or a file; repeatable."),
        _option("--hadoop", metavar="VERSION", help=f"Version of Hadoop, such as 3.3.1 (default {DEFAULT_VERSION})."),
        _option("--yarn-site", multiple=True, metavar="FILE", help="yarn-site.xml; repeatable, later ones win."),
        _option("--resource-types", multiple=True, metavar="FILE", help="resource-types.xml; repeatable."),
        _option("-D", "define", multiple=True, metavar="NAME=VALUE", help="A property over those of the files."),
        _option("--set", "set", multiple=True, metavar="CHANGE", help="What if: root.a.weight=2, cluster=9g,3c."),
    )


def output(*formats: str) -> Decorator:
    """Adds the options of the output in these formats (the first is the default); the command gets `out`."""

    def add(function: Function) -> Function:
        def command(**given: Any) -> Any:
            return function(out=_settled(), **given)

        return _decorate(
            update_wrapper(command, function),
            _option("--format", type=click.Choice(formats), help=f"Form of the answer (default {formats[0]})."),
            _option("-o", "--output", metavar="FILE", help="Write the answer to FILE, whole or not at all."),
            _option("--width", type=click.IntRange(0, 99999), metavar="N", help="Columns for text; 0 is any number."),
            _option("--color", type=click.Choice(("auto", "always", "never")), help="Colours (default auto)."),
            _option("-q", "--quiet", is_flag=True, help="No remarks on standard error."),
            _option("-v", "--verbose", is_flag=True, help="More remarks on standard error."),
            _option("--debug", is_flag=True, help="Show the Python trace of a fault of fairsim."),
            _option("--config", metavar="FILE", help=f"Settings file (default {SETTINGS_FILE}, if it is there)."),
            _option("--no-config", is_flag=True, help="Read no settings file."),
            _option("--show-settings", is_flag=True, help="Show each setting and where it comes from, then end."),
        )

    return add


def tables(function: Function) -> Function:
    """Adds the options of tables: `out.columns`, `out.human` and `out.wide` hold them."""
    return _decorate(
        function,
        _option("--columns", metavar="A,B,…", help="Columns to show, by their names in csv."),
        _option("--human", is_flag=True, help="Memory in g as well."),
        _option("--wide", is_flag=True, help="Every column."),
    )


def _decorate(function: Function, *decorators: Decorator) -> Function:
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def _settled() -> Output:
    """Returns the output of this run with every setting in force; ends the run for --show-settings."""
    context = click.get_current_context()
    out: Output = context.obj
    if out.settled:
        return out
    out.settled = True
    given = out.given
    out.quiet = "quiet" in given
    out.verbose = "verbose" in given
    out.debug = out.debug or "debug" in given
    out.path = None if given.get("output") in (None, STDIN) else given["output"]
    out.color = given.get("color", out.color)
    settings = out.settings = _settings(out)
    out.color = settings.text("color") or out.color
    width = settings.get("width")
    out.width = width.value if width is not None and isinstance(width.value, int) else None
    out.format = _format(settings, _formats(context.command))
    out.columns = settings.texts("columns")
    out.human = settings.flag("human")
    out.wide = settings.flag("wide")
    for note in settings.notes:
        out.say(note)
    if "show_settings" in given:
        _show_settings(settings, out)
        context.exit()
    return out


def _settings(out: Output) -> Settings:
    flags = {name.replace("_", "-"): value for name, value in out.given.items()}
    if "columns" in flags:
        flags["columns"] = tuple(part.strip() for part in flags["columns"].split(",") if part.strip())
    config = out.given.get("config")
    use_file = "no_config" not in out.given
    if config and not use_file:
        raise UsageError("--config and --no-config exclude each other", hint="leave one of them out")
    return read_settings(".", out.environ, flags, config=config, use_file=use_file)


def _formats(command: click.Command) -> tuple[str, ...]:
    """The formats that a command offers, its default first."""
    types = [param.type for param in command.params if param.name == "format"]
    return next((tuple(kind.choices) for kind in types if isinstance(kind, click.Choice)), ())


def _format(settings: Settings, formats: tuple[str, ...]) -> str:
    setting = settings.get("format")
    if setting is None:
        return formats[0] if formats else "text"
    if setting.value not in formats:
        hint = "formats of this command: " + ", ".join(formats)
        raise UsageError(f"{setting.value!r} is not a format of this command", where=setting.origin, hint=hint)
    return str(setting.value)


_ORIGINS = {"--alloc": "ALLOC", "--define": "-D"}


def _show_settings(settings: Settings, out: Output) -> None:
    rows = [(name, value, _ORIGINS.get(origin, origin)) for name, value, origin in show(settings)]
    names = ("setting", "value", "origin")
    table = Table([Column(name, name) for name in names], rows)
    out.show(table, document=lambda: {"schema": 1, "command": "show-settings", "settings": list(table.records())})


def _gather(out: Output) -> Inputs:
    settings = out.settings
    assert settings is not None
    with blamed("--hadoop", label_of(settings, "hadoop")):
        version = profile(settings.text("hadoop") or DEFAULT_VERSION)
    out.hadoop = version.label
    label = label_of(settings, "cluster")
    cluster = settings.get("cluster")
    clusters = () if cluster is None else cluster.value if isinstance(cluster.value, tuple) else (str(cluster.value),)
    if len(clusters) == 1:
        out.sources.append(Source(label, clusters[0].encode("utf-8", "surrogateescape")))
    out.inputs += [*clusters, *settings.texts("yarn-site"), *settings.texts("resource-types"), SETTINGS_FILE]
    return Inputs(
        read_input(_allocation(settings, out), out, out.given.get("stdin_name", "<stdin>")),
        version,
        clusters,
        label,
        settings.texts("yarn-site"),
        settings.texts("resource-types"),
        settings.texts("define"),
        out.given.get("set", ()),
    )


def label_of(settings: Settings, name: str) -> str:
    """Returns the option of this name for messages, with the variable or file that the value came from."""
    setting = settings.get(name)
    return f"--{name}" if setting is None or setting.origin == f"--{name}" else f"--{name} ({setting.origin})"


@contextmanager
def blamed(option: str, label: str) -> Iterator[None]:
    """Lets errors about an option name what its value came from."""
    try:
        yield
    except FairsimError as error:
        if error.where == option:
            error.where = label
        raise


def _allocation(settings: Settings, out: Output) -> str:
    """Returns the allocation file to use; says on standard error which one when the command line does not."""
    setting = settings.get("alloc")
    if setting is not None:
        path = str(setting.value)
        if setting.origin not in _ORIGINS:
            out.say(f"using {path} ({setting.origin})")
        return path
    for path in _usual_places(out.environ):
        if os.path.isfile(path):
            out.say(f"using {path}")
            return path
    raise UsageError(
        "no allocation file is given, and none of the usual places has one",
        hint=f"name the file, set FAIRSIM_ALLOC, or go where {FILE_NAME} is",
    )


def _usual_places(environ: Mapping[str, str]) -> Iterator[str]:
    yield FILE_NAME
    if environ.get("HADOOP_CONF_DIR"):
        yield os.path.join(environ["HADOOP_CONF_DIR"], FILE_NAME)
    yield f"/etc/hadoop/conf/{FILE_NAME}"


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


def _standard_input(out: Output) -> bytes:
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
