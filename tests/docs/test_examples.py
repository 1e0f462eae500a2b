"""README.md and docs/: every example prints what the page shows, every link and every sample file is there and used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.examples import ROOT, Example, differences, examples, pages

EXAMPLES = [example for page in pages() for example in examples(page)]
SAMPLES = sorted(path for path in (ROOT / "sample-configs").iterdir() if path.is_file())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_program_prints_what_the_page_shows(example: Example) -> None:
    assert differences(example) == "", f"{example.name}: `make docs` writes the new output, if it is right"


def test_there_are_examples() -> None:
    assert sum(example.page.name == "README.md" for example in EXAMPLES) >= 1
    assert len(EXAMPLES) >= 20


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_sample_file_is_used_in_an_example(sample: Path) -> None:
    commands = [step.command for example in EXAMPLES for step in example.steps]
    assert any(f"sample-configs/{sample.name}" in command for command in commands)


def anchors(page: Path) -> set[str]:
    """Returns the anchors of the headings, as code forges make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    assert dead == []
