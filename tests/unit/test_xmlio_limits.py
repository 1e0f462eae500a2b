"""What the XML layer refuses to spend time or memory on, and the large files that it reads through lxml."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import pytest

from fairsim.diag import Pos
from fairsim.xmlio import guard
from fairsim.xmlio.reader import FAST_FROM, Document, XmlRefused, read_document


def read(data: bytes | str, *, secure: bool = True) -> Document:
    return read_document(data.encode() if isinstance(data, str) else data, secure=secure)


def refusal(data: bytes | str, *, secure: bool = True) -> XmlRefused:
    with pytest.raises(XmlRefused) as caught:
        read(data, secure=secure)
    return caught.value


def bomb(leaf: str) -> str:
    values = [leaf, *(f"&l{level};" * 10 for level in range(12))]
    return "".join(f"<!ENTITY l{level} '{value}'>" for level, value in enumerate(values))


@pytest.mark.parametrize(
    "text",
    [
        f"<!DOCTYPE a [{bomb('lol')}]><a>&l12;</a>",
        f"<!DOCTYPE a [{bomb('')}]><a>&l12;</a>",
        f"<!DOCTYPE a [{bomb('x')}]><a b='&l12;'/>",
        f"<!DOCTYPE a [{bomb('x')}<!ATTLIST a b CDATA '&l12;'>]><a/>",
        f"<!DOCTYPE a [<!ENTITY e '{'x' * 10_000}'>]><a>{'&e;' * 60_000}</a>",
        f"<!DOCTYPE a [<!ENTITY e ''>]><a>{'&e;' * 64_001}</a>",
    ],
)
def test_entity_bombs(text: str) -> None:
    finding = refusal(text, secure=False).finding
    assert (finding.code, finding.refuses) == ("FS101", True)
    assert "entities expand" in finding.message


def test_bomb_that_is_not_set_off() -> None:
    assert read(f"<!DOCTYPE a [{bomb('lol')}]><a>x</a>", secure=False).root.text == "x"
    assert read(f"<!DOCTYPE a [<!ENTITY e ''>]><a>{'&e;' * 64_000}x</a>", secure=False).root.text == "x"


def test_recursive_and_nested_entities() -> None:
    assert "itself" in refusal("<!DOCTYPE a [<!ENTITY e '&e;'>]><a>&e;</a>", secure=False).finding.message
    chain = "".join(f"<!ENTITY l{level} '&l{level + 1};'>" for level in range(1000))
    assert refusal(f"<!DOCTYPE a [{chain}]><a>&l0;</a>", secure=False).finding.code == "FS123"


def test_size_limits() -> None:
    assert refusal(b" " * (guard.MAX_BYTES + 1)).finding.pos is None
    deep = "<a>" * 500 + "</a>" * 500
    assert read(deep).root.tag == "a"
    for levels in (501, 200_000):
        finding = refusal("<a>\n" * levels).finding
        assert (finding.code, finding.refuses, finding.pos) == ("FS123", False, Pos(501, 1))
    assert "more than 500 deep" in finding.message
    assert "longer than" in refusal("<!DOCTYPE a [" + "<!--" * 20_000, secure=False).finding.message


def test_number_of_nodes_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MAX_NODES", 10)
    assert len(read("<a>" + "<b/>" * 9 + "</a>").root) == 9
    for content in ("<b/>" * 10, "<b c='1'/>" * 5, "<!-- c -->" * 10):
        finding = refusal(f"<a>{content}</a>").finding
        assert (finding.code, finding.refuses) == ("FS123", False)


def test_limits_of_the_jdk() -> None:
    def attributes(count: int) -> str:
        return "<a>" + "<b " + " ".join(f"a{n}='>'" for n in range(count)) + "/></a>"

    assert len(read(attributes(10_000)).root) == 1
    assert "10000 attributes" in refusal(attributes(10_001)).finding.message
    for text in ("<{}/>", "<a {}='1'/>", "<a><?{} x?></a>"):
        assert read(text.format("é" * 1000)).root is not None
        assert refusal(text.format("é" * 1001)).finding.refuses


def test_many_equal_signs_in_text_are_no_attributes() -> None:
    assert read("<a>" + "b='1' " * 20_000 + "</a>").root.text is not None


@pytest.mark.parametrize(
    "data",
    [
        b"<a b='" + b"x" * 4_000_000,
        b"<a>" + b"]]" * 2_000_000,
        b"<!--" * 1_000_000,
        b"<a>" + b":" * 600_000 + b"</a>",
        b"<!DOCTYPE a [" + b"\"'" * 1_000_000,
        b"<?xml" + b" " * 4_000_000,
        b"\xff" * 600_000,
        b"<?xml version='1.1'?><a>" + b'="' * 1_000_000,
        b"<a " + b"b=" * 1_000_000,
    ],
)
@pytest.mark.parametrize("secure", [True, False])
def test_hostile_input_ends_soon(data: bytes, secure: bool) -> None:
    with contextlib.suppress(XmlRefused):
        read(data, secure=secure)


# ---------------------------------------------------------------------------------------------------------------------
def large(content: str = "") -> str:
    queue = '  <queue name="q">\n    <weight>2<!-- : -->.0</weight>\n  </queue>\n'
    return f"<allocations>{content}\n" + queue * (FAST_FROM // len(queue) + 1) + "</allocations>\n"


def kind(document: Document) -> str:
    return type(document).__name__


def test_large_files_take_the_fast_way() -> None:
    document = read(large("<b/>"))
    assert kind(document) == "_LxmlDocument"
    assert document.doctype is None
    queues = list(document.root)
    assert document.pos(queues[1]) == Pos(2, 3)
    (weight,) = queues[-1]
    assert weight.text == "2.0"
    assert not document.has_children(queues[0])
    assert document.first_is_markup(document.root)
    assert document.pos(weight).column == 5
    assert document.attribute_names(queues[1]) == ["name"]
    assert document.comments[0] == (Pos(3, 14), " : ")
    assert len(document.comments) == len(queues) - 1


@pytest.mark.parametrize(
    "content",
    ["<![CDATA[x]]>", "<?pi?>", "<x:q/>", "<q x:y=''/>", "<q xmlns='u'/>", "<é/>", "<q é=''/>", f"<{'n' * 999}/>"],
)
def test_what_the_parsers_see_differently_takes_the_exact_way(content: str) -> None:
    assert kind(read(large(content))) == "NodeDocument"


def test_large_files_are_refused_all_the_same() -> None:
    assert refusal(large("<b>")).finding.code == "FS101"
    assert refusal("<!DOCTYPE a>" + large()).finding.code == "FS103"
    assert refusal(large("<n" + "n" * 1000 + "/>")).finding.code == "FS101"
    assert kind(read(large("<d>" * 300 + "</d>" * 300))) == "NodeDocument"
    assert kind(read(("<?xml version='1.0' encoding='ISO-8859-1'?>" + large("é")).encode("latin-1"))) == "_LxmlDocument"


def test_small_files_load_no_lxml() -> None:
    code = (
        "import sys; from fairsim.xmlio.reader import read_document; read_document(b'<a/>', secure=True);"
        "print([name for name in ('lxml', 'dataclasses', 'inspect', 'fairsim.xmlio.explain') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
