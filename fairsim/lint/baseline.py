"""Fingerprints of findings, and the file of findings that are known and put up with."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from fairsim.diag import Finding
from fairsim.errors import InputError


def fingerprints(findings: Iterable[tuple[str, Finding]]) -> list[str]:
    """Returns a text for each finding (file, finding) that stays the same when lines move.

    It is made of file, code and message; of equal ones, the first, second ... have texts of their own.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for file, finding in findings:
        key = (file.replace("\\", "/").removeprefix("./"), finding.code, finding.message)
        seen[key] += 1
        text = "\0".join((*key, str(seen[key])))
        found.append(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return found


def write_baseline(findings: Sequence[tuple[str, Finding]]) -> str:
    """Returns the text of the file: sorted, one line a finding, so that its history can be read."""
    rows = sorted(
        (file, finding.code, finding.message, mark)
        for (file, finding), mark in zip(findings, fingerprints(findings), strict=True)
    )
    entries = [
        json.dumps({"file": file, "code": code, "message": message, "fingerprint": mark}, ensure_ascii=False)
        for file, code, message, mark in rows
    ]
    inner = ",\n  ".join(entries)
    return '{\n "schema": 1,\n "findings": [' + (f"\n  {inner}\n " if entries else "") + "]\n}\n"


def read_baseline(data: bytes, where: str) -> set[str]:
    """Returns the fingerprints of the file. Raises InputError for a file of another kind."""
    hint = "write one with --write-baseline"
    try:
        document: Any = json.loads(data)
    except ValueError as error:
        raise InputError(f"not a baseline: {error}", where=where, hint=hint) from None
    entries = document.get("findings") if isinstance(document, dict) else None
    if not isinstance(entries, list) or document.get("schema") != 1:
        raise InputError("not a baseline", where=where, hint=hint)
    marks = [entry.get("fingerprint") if isinstance(entry, dict) else None for entry in entries]
    if not all(isinstance(mark, str) for mark in marks):
        raise InputError("not a baseline: an entry without a fingerprint", where=where, hint=hint)
    return {str(mark) for mark in marks}
