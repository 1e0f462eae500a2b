"""`fairsim replay`: a workload under an allocation file, in simulated time."""

from __future__ import annotations

from typing import Any

import click

from fairsim.cli import options
from fairsim.cli.options import Inputs
from fairsim.cli.output import Output


@click.command("replay")
@options.variants
@click.option("--trace", required=True, metavar="FILE", help="The workload: JSON lines, YAML, CSV, or SLS JSON; - too.")
@click.option("--nodes", metavar="FILE", help="Nodes as SLS writes them, in place of --cluster.")
@click.option("--groups-file", metavar="FILE", help="Groups of users for whom the trace has none.")
@click.option("--until", metavar="TIME", help="Stop at this time of the trace, such as 2h.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, metavar="N", help="Of all that is drawn (0).")
@click.option("--reload", "reloads", multiple=True, metavar="TIME=FILE", help="Another file from then on; repeatable.")
@click.option("--why", metavar="APP", help="Tell what becomes of this application.")
@click.option("--timeline", metavar="FILE", help="Metrics of the queues over time, .csv or .jsonl.")
@click.option("--every", default="60s", metavar="TIME", help="Step of --timeline (60s).")
@click.option("--log", metavar="FILE", help="Every decision, as JSON lines.")
@click.option("--strict", is_flag=True, help="Unknown keys of the trace are errors.")
@click.option("--skip-bad", type=click.IntRange(0), default=0, metavar="N", help="Leave out up to N bad records.")
@options.output("text", "json", "jsonl", "csv", "markdown")
def command(inputs: tuple[Inputs, ...], out: Output, **wishes: Any) -> int:
    """How the workload of --trace would have run under ALLOC: waits, shares, jams.

    Several files, or --set, run the same workload under each, side by side.

    \b
    fairsim replay fair-scheduler.xml --cluster 40x64g,16c --trace day.jsonl
    fairsim replay old.xml new.xml --cluster 40x64g,16c --trace day.jsonl
    fairsim replay --cluster 40x64g,16c --trace day.jsonl --why app000017
    """
    from fairsim.cli.replay_answer import Wishes, answer
    from fairsim.cli.shares import told_when_it_hangs

    with told_when_it_hangs(inputs[0], out):
        return answer(inputs, out, Wishes(**wishes))
