"""The JSON schemas of the outputs, as they come with the package."""

from __future__ import annotations

from typing import Any


def load_schema(command: str, *, strict: bool = False) -> dict[str, Any]:
    """Returns the schema of the JSON of a command.

    The schemas let unknown members pass, since later versions may add some; `strict` gives a form that does not,
    for tests of fairsim itself.
    """
    import json
    from importlib.resources import files

    text = (files("fairsim.report") / "schema" / f"{command}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    if strict:
        _close(schema)
    return schema


def _close(part: Any) -> None:
    """Forbids members that are not described, wherever some are."""
    if isinstance(part, dict):
        if isinstance(part.get("properties"), dict) and part.get("type") in ("object", ["object", "null"]):
            part.setdefault("additionalProperties", False)
        for one in part.values():
            _close(one)
    elif isinstance(part, list):
        for one in part:
            _close(one)
