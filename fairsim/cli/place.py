"""`fairsim place`: where an application lands, and who may submit where."""

from __future__ import annotations

from typing import Any

import click

from fairsim.cli import options
from fairsim.cli.options import Inputs
from fairsim.cli.output import Output


@click.command("place")
@options.inputs
@click.option("--user", metavar="NAME", help="Who submits.")
@click.option("--queue", metavar="QUEUE", help="The queue asked for; without it none is.")
@click.option("--group", multiple=True, metavar="NAME", help="A group of the user, the primary one first; repeatable.")
@click.option("--groups", metavar="A,B,…", help="The same in one option; '' for a known user without groups.")
@click.option("--no-groups", is_flag=True, help="The groups of the user cannot be looked up.")
@click.option("--groups-file", metavar="FILE", help="Users with groups; or passwd:FILE,group:FILE.")
@click.option("--core-site", multiple=True, metavar="FILE", help="core-site.xml, for fixed groups; repeatable.")
@click.option("--am", metavar="SIZE", help="Size of the master, such as 2g,1c.")
@click.option("--live", metavar="FILE", help="Queues made on the fly: lines `leaf NAME`, or the scheduler's JSON.")
@click.option("--explain", is_flag=True, help="Show every rule and every check.")
@click.option("--list", "list_", is_flag=True, help="List the queues that the user may submit to.")
@click.option("--who", metavar="QUEUE", help="Show who may submit to a queue.")
@click.option("--batch", metavar="FILE", help="Many submissions: user, groups, queue a line; - is standard input.")
@click.option("--stateful", is_flag=True, help="Queues made for one line of --batch are there for the next.")
@click.option("--expect", metavar="FILE", help="Check expectations: lines `fred,eng x -> root.x`.")
@options.output("text", "json", "jsonl", "csv", "markdown")
def command(inputs: Inputs, out: Output, **wishes: Any) -> int:
    """Where an application of a user lands: by which rule, in which queue, or why it is refused.

    \b
    fairsim place fair-scheduler.xml --user fred --queue etl --groups eng,ops
    fairsim place --user fred --explain
    fairsim place --user fred --list
    fairsim place --who root.etl
    fairsim place --batch submissions.tsv --groups-file groups.txt --format csv
    fairsim place --expect placements.txt

    Ends with 1 when an application is refused or an expectation fails.
    """
    from fairsim.cli.place_answer import Wishes, answer

    return answer(inputs, out, Wishes(wishes))
