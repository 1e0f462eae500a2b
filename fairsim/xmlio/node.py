"""The element protocol that the readers of files are written against, and our own light fulfilment of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, cast

from fairsim.diag import Pos
from fairsim.xmlio.lines import Lines

_CDATA = b"<![CDATA["
NO_CHILD, TEXT_FIRST, MARKUP_FIRST = 0, 1, 2


class Element(Protocol):
    """An element as Hadoop's DOM shows it, whichever parser built it.

    Iteration gives the child elements in order and `len` their number, so an element without child elements
    is false: compare with None, never by truth.
    """

    @property
    def tag(self) -> str:
        """The qualified name as written; prefixes are part of it."""

    @property
    def text(self) -> str | None:
        """The data of the first child node when that is a text node, else None.

        Comments do not count, and the texts around one are joined. A CDATA section is a text node of its own;
        an element or a processing instruction ends the text. (Hadoop: `((Text) element.getFirstChild()).getData()`.)
        """

    def get(self, key: str, /) -> str | None:
        """The value of an attribute, or None; Hadoop's DOM call gives an empty string instead of None."""

    def __iter__(self) -> Iterator[Element]: ...

    def __len__(self) -> int: ...


class Node:
    """An element built from expat's events; fulfils `Element`."""

    __slots__ = ("at", "attributes", "children", "first", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], at: int):
        self.tag = tag
        self.attributes = attributes
        self.text: str | None = None
        self.children: Sequence[Node] = ()
        self.first = NO_CHILD
        self.at = at  # the byte of its start tag, in the text given to expat

    def get(self, key: str, /) -> str | None:
        """The value of an attribute, or None."""
        return self.attributes.get(key)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.children)

    def __len__(self) -> int:
        return len(self.children)

    def __repr__(self) -> str:
        return f"<{self.tag} at byte {self.at}>"


class Comment(NamedTuple):
    """A comment and where its `<!--` starts."""

    pos: Pos
    text: str


class Document:
    """A parsed file: the root element, and what is known about the places of its parts.

    `doctype` is the place of the DOCTYPE, if there is one.
    """

    root: Element
    doctype: Pos | None

    @property
    def comments(self) -> list[Comment]:
        """All comments in document order."""
        raise NotImplementedError

    @property
    def later_texts(self) -> list[tuple[Element, Pos]]:
        """Texts that are not blank and not the `text` of their element, which Hadoop does not read: element, place."""
        raise NotImplementedError

    def pos(self, el: Element) -> Pos:
        """The place of the `<` of the start tag of `el`; for one that came from an entity, of the reference."""
        raise NotImplementedError

    def attribute_names(self, el: Element) -> list[str]:
        """The names of the attributes of `el` in the order of the file."""
        raise NotImplementedError

    def has_children(self, el: Element) -> bool:
        """True if `el` has any child node other than comments (else Hadoop's first child is null)."""
        raise NotImplementedError

    def first_is_markup(self, el: Element) -> bool:
        """True if the first child node is an element or a processing instruction (Hadoop's cast to text fails)."""
        raise NotImplementedError


class NodeDocument(Document):
    """A document made of `Node`."""

    def __init__(self, root: Node, doctype: Pos | None, comments: list[tuple[int, str]],
                 later: list[tuple[Node, int]], lines: Lines):  # fmt: skip
        self.root = root
        self.doctype = doctype
        self._comments = comments
        self._later = later
        self._lines = lines

    @property
    def comments(self) -> list[Comment]:
        """All comments in document order."""
        return [Comment(self._lines.pos(at), text) for at, text in self._comments]

    @property
    def later_texts(self) -> list[tuple[Element, Pos]]:
        """Texts that are not blank and not the `text` of their element."""
        return [(node, self._lines.pos(self._start(at))) for node, at in self._later]

    def _start(self, end: int) -> int:
        """Where the text begins that ends before a byte: behind the markup before it, and behind blanks."""
        utf8 = self._lines.utf8
        section = utf8.rfind(_CDATA, 0, end)
        start = max(utf8.rfind(b">", 0, end) + 1, section + len(_CDATA) if section >= 0 else 0)
        while start < end and utf8[start : start + 1].isspace():
            start += 1
        return start

    def pos(self, el: Element) -> Pos:
        """The place of the start tag of `el`."""
        return self._lines.pos(cast(Node, el).at)

    def attribute_names(self, el: Element) -> list[str]:
        """The names of the attributes of `el` in the order of the file."""
        return list(cast(Node, el).attributes)

    def has_children(self, el: Element) -> bool:
        """True if `el` has any child node other than comments."""
        return cast(Node, el).first != NO_CHILD

    def first_is_markup(self, el: Element) -> bool:
        """True if the first child node of `el` is an element or a processing instruction."""
        return cast(Node, el).first == MARKUP_FIRST
