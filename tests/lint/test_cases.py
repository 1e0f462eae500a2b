"""Every rule fires on what is bad, at the right place, and is silent on what is good or nearly bad."""

from __future__ import annotations

import pytest

from fairsim.lint.catalog import all_rules
from fairsim.lint.page import page_of
from tests.lint.case_files import FOLDER, KINDS, Snippet, lint, read_cases

RULES = list(all_rules().values())
CODES = [rule.code for rule in RULES]


def told(code: str, snippet: Snippet) -> list[str]:
    """The places of the findings of one rule in a snippet, as the case file writes them, with their severities."""
    inside = snippet.example.file != snippet.example.text
    found = []
    for one in lint(snippet.example):
        if one.finding.code == code:
            at = "-"
            if one.finding.pos:
                line, column = one.finding.pos
                at = f"{line - inside}:{column}" if ":" in snippet.at else str(line - inside)
            found.append(f"{at} {one.finding.severity}")
    return found


@pytest.mark.parametrize("rule", RULES, ids=CODES)
def test_rule_fires_where_it_should(rule) -> None:  # type: ignore[no-untyped-def]
    cases = read_cases(rule.code)
    assert all(cases[kind] for kind in KINDS), "a case file has bad, good and near snippets"
    for snippet in cases["bad"]:
        expected = [f"{at.strip()} {snippet.severity or rule.severity}" for at in snippet.at.split(",")]
        assert told(rule.code, snippet) == expected, snippet.example
    for snippet in (*cases["good"], *cases["near"]):
        assert told(rule.code, snippet) == [], snippet.example


@pytest.mark.parametrize("rule", RULES, ids=CODES)
def test_page_is_true(rule) -> None:  # type: ignore[no-untyped-def]
    page = page_of(rule)
    assert page.title
    assert page.title[0].isupper()
    assert page.title.endswith(".")
    assert told(rule.code, Snippet(page.bad)), page.bad
    assert not told(rule.code, Snippet(page.good)), page.good


def test_no_case_file_without_a_rule() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CODES)
