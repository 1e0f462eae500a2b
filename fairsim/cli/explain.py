"""`fairsim explain`: the pages of the rules."""

from __future__ import annotations

from typing import Any

import click

from fairsim.cli import options
from fairsim.cli.output import Output
from fairsim.errors import UsageError


@click.command("explain")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
@click.option("--all", "every", is_flag=True, help="Every rule.")
@options.output("text", "json", "jsonl", "markdown")
def command(codes: tuple[str, ...], every: bool, out: Output) -> None:
    """What a rule of `fairsim lint` is about: when it is found, what Hadoop does, what to write instead.

    \b
    fairsim explain FS104
    fairsim explain acl-root-open
    fairsim explain --all

    A part of a code stands for all rules that begin with it: FS6.
    """
    from fairsim.lint.catalog import all_rules, chosen, find

    if not codes and not every:
        raise UsageError("no rule is named", hint="write fairsim explain FS104, or --all for the list")
    rules = all_rules()
    found = dict(rules) if every else {}
    for code in codes:
        if code.upper() not in rules and code.upper().startswith("FS") and code.upper() != "FS":
            prefix = chosen([code], "")[0]
            found |= {one: rule for one, rule in rules.items() if one.startswith(prefix)}
        else:
            rule = find(code)
            found[rule.code] = rule
    _show(list(found.values()), out, short=every and not codes)


def _show(rules: list[Any], out: Output, *, short: bool) -> None:
    from fairsim.report import rule_pages

    records = [rule_pages.record(rule) for rule in rules]

    def document() -> dict[str, Any]:
        return {"schema": 1, "command": "explain", "rules": records}

    if short and out.format in ("text", "markdown"):
        out.show(rule_pages.index(records), document=document)
    elif out.format == "markdown":
        out.write("\n".join(map(rule_pages.markdown, records)))
    elif out.format == "text":
        width, style = out.text_width(), out.text_style()
        out.write("\n".join(rule_pages.text(record, width, style) for record in records))
    else:
        out.show(document=document, records=lambda: records)
