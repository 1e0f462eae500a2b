"""The table of commands, and what becomes of every way a command can end."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from fairsim import __version__
from fairsim.cli import exits
from fairsim.cli.output import Output
from fairsim.errors import FairsimError

#: Each command: the module that holds it under the name `command`, and its line in `fairsim --help`.
COMMANDS: dict[str, tuple[str, str]] = {
    "shares": ("fairsim.cli.shares", "Steady and instantaneous fair share of every queue."),
    "place": ("fairsim.cli.place", "Where an application lands, and who may submit where."),
    "lint": ("fairsim.cli.lint", "What is wrong, ignored or read differently in allocation files."),
    "explain": ("fairsim.cli.explain", "What a rule of the linter is about."),
    "replay": ("fairsim.cli.replay", "How a workload would have run, in simulated time."),
    "why": ("fairsim.cli.why", "Why an application runs, waits or is refused."),
}


def _show_help(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(ctx.get_help())
        ctx.exit()


def _show_version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"fairsim {__version__}")
        ctx.exit()


#: As click's own, which load gettext and locale even when nobody asks for help.
_eager: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False}
_help_option = click.option("-h", "--help", callback=_show_help, help="Show this message and end.", **_eager)
_version_option = click.option("--version", callback=_show_version, help="Show the version and end.", **_eager)


class _Commands(click.Group):
    """A group that imports a command when it is called, not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        if not any(param.name == "help" for param in command.params):
            _help_option(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=_Commands)
@click.option("--debug", is_flag=True, help="Show the Python trace of a fault of fairsim.")
@_version_option
@_help_option
@click.pass_obj
def fairsim(out: Output, debug: bool) -> None:
    """What Hadoop's FairScheduler does with an allocation file, told without a cluster.

    \b
    Exit codes: 0 answered; 1 answered, and the answer is no;
    2 not answered because of what was given; 3 a fault of fairsim.
    """
    out.debug = out.debug or debug


def answer(args: Sequence[str]) -> int:
    """Runs one command line and returns its exit code; nothing escapes."""
    out = Output()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _outcome(args, out)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        return exits.CLOSED_PIPE
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except OSError as error:
        out.complain(f"fairsim: error: standard output: {error.strerror or error}")
        return exits.NOT_ANSWERED
    return code


def _outcome(args: Sequence[str], out: Output) -> int:
    """Runs the command and says on standard error what went wrong."""
    try:
        return _invoke(args, out)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except click.Abort:
        return exits.INTERRUPTED
    except FairsimError as error:
        from fairsim.cli.trouble import explain

        explain(error, out)
    except click.ClickException as error:
        _usage(error, out)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        out.complain(f"fairsim: error: {place}{error.strerror or error}")
    except MemoryError:
        out.complain("fairsim: error: there is not enough memory for this input")
    except Exception as error:  # noqa: BLE001 - the one place that catches everything
        from fairsim.cli.trouble import fault

        fault(error, args, out)
        return exits.BUG
    return exits.NOT_ANSWERED


def _invoke(args: Sequence[str], out: Output) -> int:
    """Runs the command; not by click's `main`, which ends with 1 when the pipe closes."""
    if "_FAIRSIM_COMPLETE" in os.environ:
        fairsim.main(list(args), prog_name="fairsim", complete_var="_FAIRSIM_COMPLETE")
    try:
        with fairsim.make_context("fairsim", list(args), obj=out) as context:
            result: Any = fairsim.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return result if isinstance(result, int) else exits.ANSWERED


def _usage(error: click.ClickException, out: Output) -> None:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        out.complain(error.format_message())
        return
    out.complain(f"fairsim: error: {error.format_message()}")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        out.complain(f"    = see {error.ctx.command_path} --help")
