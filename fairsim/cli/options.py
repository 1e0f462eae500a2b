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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any, NamedTuple

import click

from fairsim.cli.output import Output, Source
from fairsim.cli.reading import FILE_NAME, STDIN, read_input
from fairsim.config.settings import FILE_NAME as SETTINGS_FILE
from fairsim.config.settings import Settings, read_settings, show
from fairsim.diag import did_you_mean
from fairsim.errors import FairsimError, UsageError
from fairsim.profiles import DEFAULT_VERSION, Profile, profile
from fairsim.report.table import Column, Table

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]



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


class ManyInputs(NamedTuple):
    """What a command about many files is about: their paths, the versions of Hadoop, the rest as in `Inputs`."""

    paths: tuple[str, ...]
    profiles: tuple[Profile, ...]
    clusters: tuple[str, ...]
    cluster_label: str
    yarn_site: tuple[str, ...]
    resource_types: tuple[str, ...]
    defines: tuple[str, ...]


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
        *_properties(),
        _option("--set", "set", multiple=True, metavar="CHANGE", help="What if: root.a.weight=2, cluster=9g,3c."),
    )


def variants(function: Function) -> Function:
    """Adds ALLOC... and the options around them for what compares files; the command gets `inputs`, one for each.

    With --set each file comes twice: as it is, and with the changes.
    """

    def command(**given: Any) -> Any:
        out = _settled()
        return function(inputs=_gather_variants(out), **given)

    return _decorate(
        update_wrapper(command, function),
        click.argument("files", nargs=-1, metavar="[ALLOC]...", expose_value=False, callback=_keep),
        _option("--stdin-name", metavar="NAME", help="Name of standard input (ALLOC is -) in messages."),
        _option("--cluster", metavar="SPEC", help="40x20g,5c or a file."),
        _option("--hadoop", metavar="VERSION", help=f"Version of Hadoop, such as 3.3.1 (default {DEFAULT_VERSION})."),
        *_properties(),
        _option("--set", "set", multiple=True, metavar="CHANGE", help="What if: root.a.weight=2, beside the file."),
    )


def many_inputs(function: Function) -> Function:
    """Adds ALLOC... and the options around them; the command gets them as `inputs` (a `ManyInputs`)."""

    def command(**given: Any) -> Any:
        out = _settled()
        return function(inputs=_gather_many(out), **given)

    return _decorate(
        update_wrapper(command, function),
        click.argument("files", nargs=-1, metavar="[ALLOC]...", expose_value=False, callback=_keep),
        _option("--stdin-name", metavar="NAME", help="Name of standard input (ALLOC is -) in messages."),
        _option("--cluster", metavar="SPEC", help="800g,200c or 40x20g,5c or a file."),
        _option("--hadoop", metavar="A,B,…", help=f"Versions of Hadoop, such as 2.10,3.4 (default {DEFAULT_VERSION})."),
        *_properties(),
    )


def _properties() -> tuple[Decorator, ...]:
    return (
        _option("--yarn-site", multiple=True, metavar="FILE", help="yarn-site.xml; repeatable, later ones win."),
        _option("--resource-types", multiple=True, metavar="FILE", help="resource-types.xml; repeatable."),
        _option("-D", "define", multiple=True, metavar="NAME=VALUE", help="A property over those of the files."),
    )


class Formats(click.ParamType[str]):
    """Formats, each with a file to write it to if the text is FORMAT=FILE."""

    name = "format"

    def __init__(self, choices: tuple[str, ...]):
        self.choices = choices

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the text; fails for a format that there is not, and for a FILE without a name."""
        kind, equals, path = value.partition("=")
        if kind not in self.choices or (equals and not path):
            near = did_you_mean(kind, self.choices)
            hint = f"did you mean {near}?" if near and near != kind else f"choose from {', '.join(self.choices)}"
            self.fail(f"{value!r} is no format: {hint}", param, ctx)
        return value


def output(*formats: str, several: bool = False) -> Decorator:
    """Adds the options of the output in these formats (the first is the default); the command gets `out`.

    `several`: --format may be given more than once, all but one with the file that it goes to (`out.copies`).
    """
    if several:
        text = f"Form of the answer (default {formats[0]}): {', '.join(formats[1:])}; FORMAT=FILE writes it beside."
        formatted = _option("--format", multiple=True, type=Formats(formats), metavar="FORMAT[=FILE]", help=text)
    else:
        text = f"Form of the answer (default {formats[0]})."
        formatted = _option("--format", type=click.Choice(formats), help=text)

    def add(function: Function) -> Function:
        def command(**given: Any) -> Any:
            return function(out=_settled(), **given)

        return _decorate(
            update_wrapper(command, function),
            formatted,
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
    if isinstance(flags.get("format"), tuple):
        flags["format"] = _own_format(flags["format"], out)
    config = out.given.get("config")
    use_file = "no_config" not in out.given
    if config and not use_file:
        raise UsageError("--config and --no-config exclude each other", hint="leave one of them out")
    return read_settings(".", out.environ, flags, config=config, use_file=use_file)


def _own_format(texts: tuple[str, ...], out: Output) -> str | None:
    """Returns the format of the answer itself; those with a file go to `out.copies`."""
    own: list[str] = []
    for text in texts:
        kind, equals, path = text.partition("=")
        if equals:
            out.copies.append((kind, path))
        else:
            own.append(kind)
    if len(own) > 1:
        hint = f"write --format {own[0]} --format {own[1]}=FILE"
        raise UsageError(f"{len(own)} formats for one output", where="--format", hint=hint)
    return own[0] if own else None


def _formats(command: click.Command) -> tuple[str, ...]:
    """The formats that a command offers, its default first."""
    types = [param.type for param in command.params if param.name == "format"]
    return next((tuple(kind.choices) for kind in types if isinstance(kind, click.Choice | Formats)), ())


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


def _gather_variants(out: Output) -> tuple[Inputs, ...]:
    changes = out.given.get("set", ())
    paths = out.given.get("files") or (None,)
    found = [_gather(out, path)._replace(changes=()) for path in paths]
    return tuple(one for base in found for one in (base, *([base._replace(changes=changes)] if changes else [])))


def _gather(out: Output, path: str | None = None) -> Inputs:
    settings = out.settings
    assert settings is not None
    with blamed("--hadoop", label_of(settings, "hadoop")):
        version = profile(settings.text("hadoop") or DEFAULT_VERSION)
    out.hadoop = version.label
    clusters, label = _clusters(settings, out)
    return Inputs(
        read_input(path or _allocation(settings, out), out, out.given.get("stdin_name", "<stdin>")),
        version,
        clusters,
        label,
        settings.texts("yarn-site"),
        settings.texts("resource-types"),
        settings.texts("define"),
        out.given.get("set", ()),
    )


def _gather_many(out: Output) -> ManyInputs:
    settings = out.settings
    assert settings is not None
    with blamed("--hadoop", label_of(settings, "hadoop")):
        texts = (settings.text("hadoop") or DEFAULT_VERSION).split(",")
        versions = {one.label: one for one in map(profile, texts)}
    out.hadoop = ", ".join(versions)
    clusters, label = _clusters(settings, out)
    return ManyInputs(
        out.given.get("files") or (_allocation(settings, out),),
        tuple(versions.values()),
        clusters,
        label,
        settings.texts("yarn-site"),
        settings.texts("resource-types"),
        settings.texts("define"),
    )


def _clusters(settings: Settings, out: Output) -> tuple[tuple[str, ...], str]:
    """Returns the texts of --cluster, and what names them in messages; remembers them and the other inputs."""
    label = label_of(settings, "cluster")
    cluster = settings.get("cluster")
    clusters = () if cluster is None else cluster.value if isinstance(cluster.value, tuple) else (str(cluster.value),)
    if len(clusters) == 1:
        out.sources.append(Source(label, clusters[0].encode("utf-8", "surrogateescape")))
    out.inputs += [*clusters, *settings.texts("yarn-site"), *settings.texts("resource-types"), SETTINGS_FILE]
    return clusters, label


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
