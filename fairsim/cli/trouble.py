"""How a run that gives no answer says why."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from fairsim.cli.output import Output, Source
from fairsim.diag import Finding
from fairsim.errors import FairsimError, RefusedError
from fairsim.report.cells import escape
from fairsim.report.findings import finding_text, place, snippet

MAX_SHOWN = 50  # findings; a file with more is not read to its end by anybody
MAX_BYTES = 16 * 1024 * 1024  # of a file that is read again to show a line of it


def explain(error: FairsimError, out: Output) -> None:
    """Writes an error to standard error: what, where, the source line, what to write instead."""
    style, width = out.talk_style(), out.talk_width()
    label = style.paint("error", "fairsim: error:")
    findings = _findings(error)
    source = _source(error, out) if findings or error.pos else None
    if findings:
        name = error.where or (source.name if source else "the file")
        refused = any(finding.refuses for finding in findings)
        verdict = f"Hadoop {out.hadoop} would not load" if refused else "fairsim gives no answer for"
        verdict += " this file"
        if isinstance(error, RefusedError) and error.verdict:
            verdict = error.verdict
        out.complain(f"{label} {escape(name)}: {verdict}")
        lines = lines_of(source)
        for one in findings[:MAX_SHOWN]:
            finding = one._replace(effect="") if one.effect == verdict else one  # said above
            out.complain(finding_text(finding, name, lines, out.hadoop, style, width).rstrip("\n"))
        if len(findings) > MAX_SHOWN:
            out.complain(f"fairsim: and {len(findings) - MAX_SHOWN} more")
        return
    where = error.where or (source.name if source else "")
    of_option = where.startswith("-")
    at = place(where, None if of_option else error.pos)
    out.complain(f"{label} {at}: {escape(error.message)}" if where else f"{label} {escape(error.message)}")
    for line in snippet(error.pos, lines_of(source), "", style, width, numbered=not of_option):
        out.complain(line)
    if error.hint:
        out.complain(f"    = {escape(error.hint)}")


def _findings(error: FairsimError) -> tuple[Finding, ...]:
    """The findings that an error carries: those of RefusedError, the one of XmlRefused (not imported for this)."""
    if isinstance(error, RefusedError):
        return error.findings
    finding = getattr(error, "finding", None)
    return (finding,) if isinstance(finding, Finding) else ()


def _source(error: FairsimError, out: Output) -> Source | None:
    """The input that an error is about: the one it names, else the allocation file; read again if nobody kept it."""
    for source in out.sources:
        if source.name == error.where or (error.where is None and not source.name.startswith("-")):
            return source
    if error.where and os.path.isfile(error.where) and os.path.getsize(error.where) <= MAX_BYTES:
        with open(error.where, "rb") as stream:
            return Source(error.where, stream.read())
    return None


def lines_of(source: Source | None) -> list[str]:
    """The lines of a source as the readers count them."""
    if source is None:
        return []
    data = source.data
    if data.lstrip()[:1] in (b"<", b"\x00") or data[:2] in (b"\xfe\xff", b"\xff\xfe"):
        from fairsim.xmlio.decode import decode  # XML has its own ways to say how it is encoded

        with suppress(FairsimError):
            data = decode(data).utf8
    text = data.decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def fault(error: Exception, args: Sequence[str], out: Output) -> None:
    """Writes two lines about a bug of fairsim, and the details to a file in the folder for temporary files."""
    import platform
    import tempfile
    import traceback

    from fairsim import __version__

    trace = "".join(traceback.format_exception(error))
    what = escape(traceback.format_exception_only(error)[-1].strip())
    report = [
        f"fairsim {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"arguments: {list(args)!r}",
        "",
        trace,
    ]
    if out.debug:
        out.complain(trace.rstrip())
    out.complain(f"fairsim: bug: {what}")
    try:
        handle, path = tempfile.mkstemp(prefix="fairsim-bug-", suffix=".txt")
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write("\n".join(report))
        where = path
    except OSError:
        where = "the output of the same command with --debug"
    out.complain(f"fairsim: this is a fault of fairsim, not of your input; please report it with {where}")
    sys.stderr.flush()
