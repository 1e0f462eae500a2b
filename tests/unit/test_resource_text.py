"""Resource texts of every generation against what the parsing code of each Hadoop line makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsim.config.resource_text import ResourceTextError, parse_resource
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import profile

TYPES = ResourceTypes(("memory-mb", "vcores", "gpu"), ("Mi", "", ""))
VECTORS = Path(__file__).parent.parent / "vectors" / "resource_texts.jsonl"
ROWS = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
CASES = [(version, row["text"], row[version]) for row in ROWS for version in row if version != "text"]


@pytest.mark.parametrize(("version", "text", "wanted"), CASES)
def test_text(version: str, text: str, wanted: dict[str, Any] | None) -> None:
    if wanted is None:
        with pytest.raises(ResourceTextError):
            parse_resource(text, profile(version), TYPES)
        return
    spec = parse_resource(text, profile(version), TYPES)
    if "amount" in wanted:
        assert spec.fractions is None
        assert list(spec.amount or ()) == wanted["amount"]
    else:
        assert spec.fractions is not None
        known = wanted["percent"]
        # up to 3.1 a third percentage is read and never used
        used = 3 if version in ("3.2", "3.3") else 2
        assert [100 * part for part in spec.fractions[:used]] == pytest.approx(known[:used])
        if used == 2:
            assert spec.fractions[2] == 0.0


@pytest.mark.parametrize(
    ("text", "version", "code", "hint"),
    [
        ("", "3.4", "FS302", "write 1024 mb, 2 vcores or memory-mb=1024, vcores=2 or 50%"),
        ("1024 mb", "3.4", "FS303", None),
        ("4 gb, 2 vcores", "3.4", "FS304", None),
        ("-1024 mb, 2 vcores", "3.4", "FS306", "write 0 or a positive amount"),
        ("memory 1024 mb, 2 vcores", "3.4", "FS309", None),
        ("1 mb, 2 vcores, 3 gpu", "3.4", "FS310", None),
        ("2147483648 mb, 1 vcores", "3.4", "FS311", None),
        ("memory=1024, vcores=2", "3.4", "FS314", "did you mean memory-mb?"),
        ("Memory-MB=1024, vcores=2", "3.4", "FS314", "did you mean memory-mb?"),
        ("memory-mb=1g, vcores=2", "3.4", "FS315", "write memory-mb=1024"),
        ("memory-mb=50%, vcores=2", "3.4", "FS316", "write memory-mb=50%, vcores=50%"),
        ("memory-mb=1024, vcores=2", "3.1", "FS318", None),
        ("50%", "2.8", "FS319", None),
        ("50% memory", "3.4", "FS325", None),
        ("50% memory, 30% vcores", "3.4", "FS326", None),
        ("50% memory, 2 vcores", "3.4", "FS327", None),
        ("1024 MB, 2 vcores", "2.6", "FS329", "write 1024 mb,2 vcores"),
    ],
)
def test_refusal_names_its_kind(text: str, version: str, code: str, hint: str | None) -> None:
    with pytest.raises(ResourceTextError) as caught:
        parse_resource(text, profile(version), TYPES)
    assert caught.value.code == code
    if hint is not None:
        assert caught.value.hint == hint


def test_minimum_fills_with_zero() -> None:
    assert parse_resource("vcores=2", profile("3.4"), TYPES, missing=0).amount == (0, 2, 0)


@pytest.mark.parametrize(
    ("text", "cluster", "wanted"),
    [
        ("29%", (100, 100, 100), (28, 28, 28)),  # 0.29 × 100 is just below 29
        ("50% memory, 30% cpu", (1001, 10, 8), (500, 3, 0)),
        ("gpu=25%", (100, 10, 8), (100, 10, 2)),
        ("150%", (2**62, 2**31 - 1, 1), (2**62 + 2**61, 2**31 - 1, 1)),
    ],
)
def test_percent_of_a_cluster(text: str, cluster: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    assert parse_resource(text, profile("3.4"), TYPES).at(cluster) == wanted
