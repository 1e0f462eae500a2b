"""The case files of the rules: snippets that are bad, good, or near misses, with the options that go with them."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from fairsim.config.cluster import parse_clusters
from fairsim.config.site import build_site
from fairsim.lint.catalog import all_rules
from fairsim.lint.page import Example
from fairsim.lint.run import Around, Found, finish, look, look_at_site
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import DEFAULT_VERSION, profile

FOLDER = Path(__file__).parent / "cases"
KINDS = ("bad", "good", "near")


class Snippet(NamedTuple):
    """One entry of a case file. `at`, for a bad one: the places of the findings within the snippet, by commas, each a
    line, or line:column, or - for none (a finding about a property).
    """

    example: Example
    at: str = ""
    severity: str = ""


def read_cases(code: str) -> dict[str, list[Snippet]]:
    """Returns the snippets of one rule by kind."""
    text = (FOLDER / f"{code}.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - texts only: 1:17 is a place, no number
    assert set(data) <= set(KINDS), f"{code}: {sorted(data)}"
    return {kind: [_snippet(code, entry) for entry in data.get(kind, ())] for kind in KINDS}


def _snippet(code: str, entry: dict[str, Any]) -> Snippet:
    assert set(entry) <= {"file", "given", "at", "severity"}, f"{code}: {sorted(entry)}"
    example = Example(entry["file"], entry.get("given", ""))
    return Snippet(example, entry.get("at", ""), entry.get("severity", ""))


def lint(example: Example) -> list[Found]:
    """Returns all findings in a snippet, under the options that it gives."""
    words = shlex.split(example.given)
    version, defines, clusters, users, files = DEFAULT_VERSION, [], [], None, []
    for option, value in zip(words[::2], words[1::2], strict=True):
        if option == "--hadoop":
            version = value
        elif option == "--yarn-site":  # what is in the file
            text = value if value.startswith("<conf") else f"<configuration>{value}</configuration>"
            files.append(("yarn-site.xml", text.encode()))
        elif option == "-D":
            defines.append(value)
        elif option == "--cluster":
            clusters.append(value)
        elif option == "--users":  # alice=eng,ops;bob=
            pairs = (one.partition("=") for one in value.split(";"))
            users = {user: tuple(filter(None, groups.split(","))) for user, _, groups in pairs}
        else:
            raise AssertionError(f"{option} is no option of a snippet")
    hadoop = profile(version)
    site = build_site(files, defines=defines) if defines or files else None
    types = site.resource_types(hadoop) if site else None
    cluster = None
    if clusters:
        cluster = parse_clusters(clusters, types or ResourceTypes())[0]
    around = Around(site, cluster, users)
    rules = all_rules()
    found, _ = finish([look(example.file.encode(), hadoop, around, rules.values())], rules, (hadoop.label,))
    return found + (look_at_site(site, hadoop) if site else [])
