"""`fairsim lint`: what is wrong, half in force or read differently in allocation files."""

from __future__ import annotations

from typing import Any

import click

from fairsim.cli import options
from fairsim.cli.options import ManyInputs
from fairsim.cli.output import Output


@click.command("lint")
@options.many_inputs
@click.option("--groups-file", metavar="FILE", help="Users with groups; or passwd:FILE,group:FILE.")
@click.option("--select", multiple=True, metavar="CODES", help="Only these rules: FS1,FS301; codes or how they begin.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Not these rules.")
@click.option("--per-file-ignore", multiple=True, metavar="PATTERN:CODES", help="Not these rules in such files.")
@click.option("--fail-on", metavar="SEVERITY", type=click.Choice(("error", "warning", "info", "never")),
              help="From which findings on the exit code is 1: error (default), warning, info or never.")  # fmt: skip
@click.option("--exit-zero", is_flag=True, help="Findings do not count for the exit code (as --fail-on never).")
@click.option("--statistics", is_flag=True, help="How often each rule was found, instead of the findings.")
@click.option("--baseline", metavar="FILE", help="Keep back the findings that this file knows.")
@click.option("--write-baseline", metavar="FILE", help="Write all findings of now to FILE, for --baseline.")
@click.option("--fix", is_flag=True, help="Mend what can be mended without doubt, in the files, then look again.")
@click.option("--unsafe-fixes", is_flag=True, help="Mend also where limits, rights or kinds of queues change.")
@click.option("--diff", is_flag=True, help="Show what --fix (with --unsafe-fixes) would write, and write nothing.")
@click.option("--show-files", is_flag=True, help="Show which files would be looked at, then end.")
@options.output("text", "concise", "json", "jsonl", "sarif", "github", "junit", "gitlab", several=True)
def command(inputs: ManyInputs, out: Output, **wishes: Any) -> int:
    """What is wrong, ignored or read differently in ALLOC, by version of Hadoop.

    ALLOC may be files, patterns such as 'conf/**/*.xml' and folders (in which the files named like
    fair-scheduler.xml are looked at).

    \b
    fairsim lint fair-scheduler.xml --hadoop 2.10,3.4
    fairsim lint conf/ --fail-on warning --format sarif=lint.sarif
    fairsim lint --cluster 800g,200c --yarn-site yarn-site.xml
    fairsim explain FS104

    A comment in the file switches rules off for the element behind it:
    <!-- fairsim: ignore FS601 because anybody may submit here -->

    Ends with 1 when a finding is at least as severe as --fail-on says.
    """
    from fairsim.cli.lint_answer import Wishes, answer

    return answer(inputs, out, Wishes(**wishes))
