"""`fairsim why`: why an application runs, waits or is refused."""

from __future__ import annotations

from typing import Any

import click

from fairsim.cli import options
from fairsim.cli.options import Inputs
from fairsim.cli.output import Output
from fairsim.cli.why_place import GROUP_OPTIONS, group_params


@click.command("why")
@options.inputs
@click.option("--user", metavar="NAME", help="Who submits the application.")
@click.option("--queue", metavar="QUEUE", help="The queue asked for; without it none is.")
@click.option("--am", metavar="SIZE", help="Size of its master, such as 2g,1c (default: the smallest container).")
@click.option("--state", multiple=True, metavar="FILE", help="What runs: YAML, or JSON saved from the RM; repeatable.")
@click.option("--app", metavar="ID", help="An application of the state, instead of a new one.")
@click.option("--ask", metavar="SIZE", help="Container that --app waits for (default: what the state says).")
@options.output("text", "json", "markdown")
def command(inputs: Inputs, out: Output, **wishes: Any) -> int:
    """Why an application of a user runs, waits or is refused: every check in Hadoop's order, with numbers and lines.

    \b
    fairsim why fair-scheduler.xml --user fred --queue etl --am 2g,1c --cluster 40x20g,5c
    fairsim why --user fred --state scheduler.json --state apps.json
    fairsim why --app application_1700000000000_0042 --state scheduler.json --state apps.json

    Without --state the cluster is empty. Ends with 1 when the application waits or is refused.
    """
    from fairsim.cli.shares import told_when_it_hangs
    from fairsim.cli.why_answer import Wishes, answer

    with told_when_it_hangs(inputs, out):
        groups = {name: wishes.pop(name) for name in GROUP_OPTIONS}
        return answer(inputs, out, Wishes(**wishes, groups=groups))


_after = next(place for place, param in enumerate(command.params) if param.name == "queue") + 1
command.params[_after:_after] = group_params()
