"""Tables as plain text: columns two blanks apart, one head line, no boxes; names and numbers are never cut.

Without a width (pipes, files) a table is as wide as it needs to be. With one, a table that is too wide gives way in
this order: running text is wrapped in its column; it goes below its row; a name too long for its column takes a line
of its own; the least important columns go below their row, each value behind its head.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from fairsim.report.cells import all_ascii, display_width, encodable, escape, pad, shown, widest, wrap
from fairsim.report.style import PLAIN, RESET, Style
from fairsim.report.table import RIGHT, Table

GAP = "  "
INDENT = "    "
MIN_WRAP = 28  # running text gets a column of its own only if so much is left for it
MIN_NAME = 24  # names longer than this may leave their column on narrow terminals


def block(content: Table | str, width: int | None = None, style: Style = PLAIN) -> str:
    """Returns a table or a paragraph as text that ends in a line break."""
    if isinstance(content, Table):
        return render(content, width, style)
    return "".join(f"{part}\n" for line in content.splitlines() for part in paragraph(line, width))


def render(table: Table, width: int | None = None, style: Style = PLAIN) -> str:
    """Returns the table as text that ends in a line break; `width` is that of the terminal, None for any."""
    lines: list[str] = []
    if table.title:
        lines += [style.paint("title", line) for line in paragraph(table.title, width)]
        lines.append("")
    lines += _Layout(table, width, style).lines()
    if table.notes:
        lines.append("")
        for note in table.notes:
            lines += [style.paint("note", line) for line in paragraph(note, width)]
    lines.append("")
    return "\n".join(lines)


def paragraph(text: str, width: int | None) -> list[str]:
    """Returns a text as printable lines no longer than `width` where its blanks allow."""
    text = escape(text)
    if width is None or display_width(text) <= width:
        return [text]
    return wrap(text, width)


class _Layout:
    """Where each column of one table goes at one width.

    `kept` are the columns on the first line of a row, `running` is the one of running text at its end that is
    wrapped, `below` are those on the lines below.
    """

    def __init__(self, table: Table, width: int | None, style: Style):
        self.style = style
        self.columns = table.columns
        self.cells = [
            encodable(shown(column, values), style.encoding)
            for column, values in zip(table.columns, table.by_column(), strict=True)
        ]
        self.heads = [column.head for column in table.columns]
        self.widths = list(map(max, map(widest, self.cells), map(display_width, self.heads)))
        self.room = 0
        self.kept = list(range(len(self.columns)))
        self.running: int | None = None
        self.first_wrapped = next((i for i, column in enumerate(self.columns) if column.wrap), None)
        self.below: list[int] = []
        if width is not None and self._total() > width:
            self._fold(width)

    def _total(self) -> int:
        return sum(self.widths[i] for i in self.kept) + len(GAP) * (len(self.kept) - 1)

    def _fold(self, width: int) -> None:
        running = [i for i in self.kept[1:] if self.columns[i].wrap]
        self.kept = [i for i in self.kept if i not in running]
        self.room = width - self._total() - len(GAP)
        if len(running) == 1 and self.room >= MIN_WRAP:
            self.running = running[0]
            return
        self.room = width - len(INDENT)
        while len(self.kept) > 1:
            for_name = width - (self._total() - self.widths[0])
            if for_name >= min(self.widths[0], MIN_NAME):
                self.widths[0] = min(self.widths[0], for_name)
                break
            least = max(self.kept[1:], key=lambda i: (self.columns[i].rank, i))
            self.kept.remove(least)
            self.below.append(least)
        else:
            self.widths[0] = width
        self.below = sorted([*self.below, *running])

    def lines(self) -> list[str]:
        """Returns the head line and those of the rows."""
        head = GAP.join(pad(self.heads[i], self.widths[i], self.columns[i].align == RIGHT) for i in self.kept).rstrip()
        if self.running is not None:
            head = f"{pad(head, self._total(), False)}{GAP}{self.heads[self.running]}"
        lines = [self.style.paint("head", head)]
        names = self.cells[0]
        limit = self.widths[0]
        if widest(names) > limit:
            names = ["" if display_width(name) > limit else name for name in names]
        rows = self._rows(names)
        if names is self.cells[0] and self.running is None and not self.below:
            return lines + rows
        for place, (line, name) in enumerate(zip(rows, names, strict=True)):
            if not name and self.cells[0][place]:
                lines.append(self._paint(0, self.cells[0][place]))
            if self.running is not None:
                lines += self._beside(line, self.cells[self.running][place])
            elif line:
                lines.append(line)
            if self.below:
                lines += self._details(place)
        return lines

    def _rows(self, names: Sequence[str]) -> list[str]:
        """The first line of every row: built column by column, as tables may have 100,000 rows."""
        padded: list[Sequence[str]] = []
        parts = []
        for i in self.kept:
            texts = names if i == 0 else self.cells[i]
            width = self.widths[i]
            right = self.columns[i].align == RIGHT
            if all_ascii(texts):
                part = f"%{width}s" if right else f"%-{width}s"
            else:
                texts = list(map(pad, texts, repeat(width), repeat(right)))
                part = "%s"
            if not right and i == self.kept[-1] and self.running is None:
                part = "%s"
            start = self.style.start(self.columns[i].style)
            parts.append(f"{start}{part}{RESET}" if start else part)
            padded.append(texts)
        lines = map(GAP.join(parts).__mod__, zip(*padded, strict=True))
        return list(lines) if self.running is not None else list(map(str.rstrip, lines))

    def _beside(self, line: str, text: str) -> list[str]:
        """A row with its running text in the last column, on as many lines as that needs."""
        first, *more = wrap(text, self.room)
        assert self.running is not None
        indent = " " * (self._total() + len(GAP))
        return [
            f"{line}{GAP}{self._paint(self.running, first)}".rstrip(),
            *[indent + self._paint(self.running, part) for part in more],
        ]

    def _paint(self, i: int, text: str) -> str:
        return self.style.paint(self.columns[i].style, text)

    def _details(self, place: int) -> list[str]:
        """The columns below a row: short ones side by side, running text on lines of its own."""
        lines: list[str] = []
        line = ""
        for i in self.below:
            text = self.cells[i][place]
            if text in ("", self.columns[i].none):
                continue
            if self.columns[i].wrap:
                label = "" if i == self.first_wrapped else f"{self.heads[i]}: "
                lines += [line, *(self._paint(i, part) for part in wrap(label + text, self.room))]
                line = ""
                continue
            pair = f"{self.heads[i]}: {text}"
            if line and display_width(line) + len(GAP) + display_width(pair) > self.room:
                lines.append(line)
                line = pair
            else:
                line = f"{line}{GAP}{pair}" if line else pair
        return [INDENT + part for part in (*lines, line) if part]
