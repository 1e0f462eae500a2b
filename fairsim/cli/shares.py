"""`fairsim shares`: the steady and instantaneous fair share of every queue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from fairsim.cli import options
from fairsim.cli.options import Inputs
from fairsim.cli.output import Output
from fairsim.errors import InputError, UsageError

HANG_HINT = "write a usual weight such as 1.0, and minima and maxima that the cluster can hold"
INT_HINT = (
    "this version adds up shares in 32 bits; 2.10, 3.1.2, 3.2.1 and later add in 64. Here it ends with minima, maxima "
    "and a cluster whose sums stay below 2^31"
)


@click.command("shares")
@options.inputs
@click.option("--active", multiple=True, metavar="Q,...", help="Queues that run applications; also parents, patterns.")
@click.option("--all-active", is_flag=True, help="Every leaf queue runs applications (the default).")
@click.option("--apps", multiple=True, metavar="Q=N|FILE", help="Running applications: root.a=3, or a YAML, CSV file.")
@click.option("--am", metavar="SIZE", help="Size of a master, such as 2g,1c: shows how many fit.")
@click.option("--explain", multiple=True, metavar="QUEUE", help="Show how the share of QUEUE comes about.")
@options.tables
@options.output("text", "json", "jsonl", "csv", "markdown")
def command(inputs: Inputs, out: Output, **wishes: Any) -> None:
    """Steady and instantaneous fair share of every queue of ALLOC, as Hadoop computes them.

    \b
    fairsim shares fair-scheduler.xml --cluster 800g,200c
    fairsim shares --cluster 40x20g,5c --active busy --explain busy
    fairsim shares --cluster 400g,100c..1600g,400c/400g,100c
    """
    from fairsim.cli.shares_answer import Wishes, answer

    if sum(bool(wishes[name]) for name in ("active", "all_active", "apps")) > 1:
        raise UsageError("--active, --all-active and --apps exclude each other", hint="keep one of them")
    with told_when_it_hangs(inputs, out):
        answer(inputs, out, Wishes(**wishes))


@contextmanager
def told_when_it_hangs(inputs: Inputs, out: Output) -> Iterator[None]:
    """Lets a command that computes shares say where Hadoop would never end."""
    from fairsim.shares.solve import Hangs

    try:
        yield
    except Hangs as hang:
        odd = ", ".join(f"{queue.name} has the weight {queue.weight}" for queue in hang.suspects()[:3])
        size = hang.cluster
        when = "before any node has joined" if size is None else f"on a cluster of {', '.join(map(str, size))}"
        raise InputError(
            f"Hadoop {out.hadoop} would hang {when}: its search for {hang} never ends, and the scheduler stands still",
            where=inputs.allocation.name,
            pos=hang.place,
            hint=f"{odd}: {HANG_HINT}" if odd else HANG_HINT if inputs.profile.line == "L" else INT_HINT,
        ) from None
