"""Colours as plain escape sequences.

Tables and findings need bold, dim and a few colours; rich would take longer to load than a small run takes.
"""

from __future__ import annotations

_CODES = {
    "head": "1",
    "title": "1",
    "name": "",
    "dim": "2",
    "note": "33",
    "good": "32",
    "bad": "31",
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "caret": "1;32",
}
RESET = "\x1b[0m"


class Style:
    """Paints texts, or leaves them alone when colour is off.

    `encoding` is that of the stream if it cannot show every character, so that widths count what will stand there.
    """

    __slots__ = ("encoding", "on")

    def __init__(self, on: bool, encoding: str | None = None):
        self.on = on
        self.encoding = encoding

    def paint(self, kind: str, text: str) -> str:
        """Returns the text in the colour of its kind."""
        start = self.start(kind)
        return f"{start}{text}{RESET}" if start and text else text

    def start(self, kind: str) -> str:
        """Returns the sequence that starts a kind, an empty text without colour."""
        code = _CODES.get(kind, "") if self.on else ""
        return f"\x1b[{code}m" if code else ""


PLAIN = Style(False)
