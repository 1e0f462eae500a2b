"""Answers as JSON: the same bytes for the same answer, one line for each member of a list of records.

NaN and the infinities, which JSON does not know, are written as the strings "NaN", "Infinity" and "-Infinity"
(null means unlimited or unknown). Exact integers of any size are written as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def dumps(document: Mapping[str, Any]) -> str:
    """Returns a document with one line for each top member and for each record in it; ends in a line break."""
    encode = _encoder()
    members = []
    for key, value in document.items():
        members.append(f" {encode(key)}: {_member(value, encode)}")
    return "{\n" + ",\n".join(members) + "\n}\n" if members else "{}\n"


def lines(records: Iterable[Mapping[str, Any]]) -> str:
    """Returns one object a line (JSON lines)."""
    encode = _encoder()
    return "".join([encode(record) + "\n" for record in records])


def _member(value: Any, encode: Any) -> str:
    if isinstance(value, list | tuple) and value and all(isinstance(one, dict) for one in value):
        return "[\n  " + ",\n  ".join(map(encode, value)) + "\n ]"
    text: str = encode(value)
    return text


def _encoder() -> Any:
    import json  # not before it is needed: `--help` and text output do without

    plain = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, default=_plain_value).encode

    def encode(value: Any) -> str:
        try:
            return plain(value)
        except ValueError:
            return plain(_finite(value))

    return encode


def _plain_value(value: Any) -> Any:
    """Numbers of numpy, and sets in a fixed order."""
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        if value != value:
            return "NaN"
        return value if abs(value) != float("inf") else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value
