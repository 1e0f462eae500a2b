"""XML bytes to documents: the first-text rule, places, encodings, refusals."""

from __future__ import annotations

import pytest

from fairsim.diag import Pos
from fairsim.xmlio.encodings import find_encoding
from fairsim.xmlio.lines import Lines
from fairsim.xmlio.node import Element
from fairsim.xmlio.reader import Document, XmlRefused, read_document

EMPTY, MARKUP = "no child node", "markup first"


def read(data: bytes | str, *, secure: bool = True) -> Document:
    return read_document(data.encode() if isinstance(data, str) else data, secure=secure)


def refusal(data: bytes | str, *, secure: bool = True) -> XmlRefused:
    with pytest.raises(XmlRefused) as caught:
        read(data, secure=secure)
    return caught.value


def value(document: Document, el: Element) -> str | None:
    """What Hadoop gets: the text, or which exception it runs into."""
    if el.text is not None:
        assert document.has_children(el)
        assert not document.first_is_markup(el)
        return el.text
    assert document.has_children(el) == document.first_is_markup(el)
    return MARKUP if document.first_is_markup(el) else EMPTY


# All rows run against the JDK's parser.
FIRST_TEXT = [
    ("2.0", "2.0"),
    ("", EMPTY),
    ("<!-- c -->", EMPTY),
    (" ", " "),
    ("\n\t", "\n\t"),
    ("<!-- c -->2", "2"),
    ("2<!-- c -->.0<!-- d -->", "2.0"),
    ("<![CDATA[2.0]]>", "2.0"),
    ("<!-- c --><![CDATA[2]]><!-- d -->.0", "2"),
    (" <![CDATA[2.0]]>", " "),
    ("2<![CDATA[.5]]>", "2"),
    ("<![CDATA[2]]><![CDATA[.5]]>", "2"),
    ("<![CDATA[]]>", ""),
    ("<![CDATA[]]>2", ""),
    ("<![CDATA[ <&]] ]]>", " <&]] "),
    ("2<b>.0</b>", "2"),
    ("2<?pi?>.5", "2"),
    ("<b/>2", MARKUP),
    ("<?pi?>2", MARKUP),
    ("<!-- c --><?pi?>", MARKUP),
    ("&#50;&#x2e;0", "2.0"),
    ("a&amp;b&lt;&gt;&quot;&apos;", "a&b<>\"'"),
    ("&#13;&#10;\r\nx\ry", "\r\n\nx\ny"),
    ("é\U0001f600\ufffd", "é\U0001f600\ufffd"),
    ("]]", "]]"),
]


@pytest.mark.parametrize(("content", "expected"), FIRST_TEXT)
def test_first_text(content: str, expected: str) -> None:
    document = read(f"<w>{content}</w>")
    assert value(document, document.root) == expected


# With a DOCTYPE, where Hadoop before 3.3.5 allows it.
ENTITIES = [
    ('<!ENTITY e "v">', "x&e;y", "xvy"),
    ('<!ENTITY e "v"><!ENTITY e "w">', "&e;", "v"),
    ('<!ENTITY e "<b/>t">', "&e;y", MARKUP),
    ('<!ENTITY e "<b/>t">', "x&e;y", "x"),
    ('<!ENTITY e "<![CDATA[q]]>">', "&e;y", "q"),
    ('<!ENTITY e "">', "&e;", EMPTY),
    ('<!ENTITY e "">', "&e;<b/>", MARKUP),
    ('<!ENTITY e "<!-- c -->v">', "u&e;w", "uvw"),
    ('<!ENTITY e "v">', "<![CDATA[k]]>&e;", "k"),
    ('<!ENTITY e "&#60;b/&#62;">', "&e;", MARKUP),
    ('<!ENTITY e "&#38;lt;b">', "&e;", "<b"),
    ('<!ENTITY f "v"><!ENTITY e "&f;&f;">', "&e;", "vv"),
    ('<!ENTITY e SYSTEM "file:///etc/passwd">', "unused", "unused"),
    ("<!ELEMENT w (b)>", " <b/>", " "),
]


@pytest.mark.parametrize(("declared", "content", "expected"), ENTITIES)
def test_internal_entities(declared: str, content: str, expected: str) -> None:
    text = f"<!DOCTYPE w [{declared}]><w>{content}</w>"
    document = read(text, secure=False)
    assert value(document, document.root) == expected
    assert document.doctype == Pos(1, 1)
    assert refusal(text).finding.code == "FS103"


def test_attribute_defaults_and_types() -> None:
    subset = '<!ATTLIST q d CDATA "x" n NMTOKENS #IMPLIED e CDATA #IMPLIED><!ENTITY v "1">'
    document = read(f'<!DOCTYPE q [{subset}]><q n="  a  b " c="  a  b " r="&v;2"/>', secure=False)
    names = document.attribute_names(document.root)
    assert [(name, document.root.get(name)) for name in names] == [
        ("n", "a b"), ("c", "  a  b "), ("r", "12"), ("d", "x"),
    ]  # fmt: skip


def test_elements() -> None:
    text = '<x:a xmlns:x="u" xmlns="v" b="1&#10;2\t3\n4"> <q/>t<!-- c --><x:q>1</x:q><?p?><q name=""/></x:a>'
    document = read(text)
    root = document.root
    assert root.tag == "x:a"
    assert document.attribute_names(root) == ["xmlns:x", "xmlns", "b"]
    assert root.get("b") == "1\n2 3 4"
    assert root.get("c") is None
    assert [child.tag for child in root] == ["q", "x:q", "q"]
    assert len(root) == 3
    assert [child.get("name") for child in root] == [None, None, ""]
    assert "x:a" in repr(root)


def test_places_count_characters() -> None:
    text = '<a>\r\n\t<b é="ü"/><c\n x="1"\n/>\r<!-- é\r\nx --> <d/></a>'
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        document = read(data)
        assert [document.pos(el) for el in document.root] == [Pos(2, 2), Pos(2, 12), Pos(6, 7)]
        assert document.pos(document.root) == Pos(1, 1)
        assert document.comments == [(Pos(5, 1), " é\nx ")]


def test_place_of_what_an_entity_holds_is_the_reference() -> None:
    document = read('<!DOCTYPE a [<!ENTITY e "<b/><c/>">]>\n<a>\n  &e;</a>', secure=False)
    assert [document.pos(el) for el in document.root] == [Pos(3, 3), Pos(3, 3)]


def test_lines() -> None:
    lines = Lines("a\rb\r\n\né\U0001f600x".encode())
    assert [lines.pos(index) for index in (0, 1, 2, 5, 6, 12)] == [
        Pos(1, 1), Pos(1, 2), Pos(2, 1), Pos(3, 1), Pos(4, 1), Pos(4, 3),
    ]  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("UTF-8", "utf-8"), ("utf-8", "utf-8-sig"), ("utf8", "utf-8"), ("ISO-8859-1", "latin-1"), ("latin1", "latin-1"),
        ("windows-1252", "cp1252"), ("Cp1252", "cp1252"), ("ISO-8859-15", "iso8859-15"), ("UTF-16", "utf-16"),
        ("UTF-16", "utf-16-be"), ("UTF-16LE", "utf-16-le"), ("utf-16", "utf-16-le"),
    ],
)  # fmt: skip
def test_encodings(declared: str, codec: str) -> None:
    document = read(f'<?xml version="1.0" encoding="{declared}"?>\n<q n="é">ü</q>'.encode(codec))
    assert (document.root.get("n"), document.root.text) == ("é", "ü")
    assert document.pos(document.root) == Pos(2, 1)


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("windows-1251", "очередь"), ("KOI8-R", "очередь"), ("GBK", "队列"), ("GB2312", "队列"), ("GB18030", "队列"),
        ("Big5", "佇列"), ("Shift_JIS", "キュー"), ("EUC-JP", "キュー"), ("EUC-KR", "대기열"), ("ISO-8859-2", "řada"),
    ],
)  # fmt: skip
def test_encodings_of_the_world(declared: str, text: str) -> None:
    encoding = find_encoding(declared)
    assert encoding is not None
    data = f"<?xml version='1.0' encoding='{declared}'?><q>{text}</q>".encode(encoding.codec)
    assert read(data).root.text == text


def test_a_dash_is_what_java_makes_of_it() -> None:
    assert read(b"<?xml version='1.0' encoding='Shift_JIS'?><q>\x81\x5c</q>").root.text == "\u2014"
    assert not refusal(b"<?xml version='1.0' encoding='windows-31j'?><q>\xa0</q>").finding.refuses


def test_bytes_without_meaning_in_a_single_byte_encoding_become_the_replacement_character() -> None:
    assert read(b"<?xml version='1.0' encoding='windows-1252'?><q>\x80\x81</q>").root.text == "\u20ac\ufffd"


def test_no_declaration() -> None:
    assert read("<q>é</q>".encode("utf-16")).root.text == "é"
    assert read("<q>é</q>").root.text == "é"


def test_xml_1_1() -> None:
    document = read('<?xml version="1.1"?>\r\n<q n="a&#x85;b">\tx</q>')
    assert (document.root.get("n"), document.root.text) == ("a\x85b", "\tx")
    assert document.pos(document.root) == Pos(2, 1)
    assert refusal('<?xml version="1.1"?><q>\x7f</q>').finding.refuses


@pytest.mark.parametrize("element", ["<q>&#1;</q>", '<q a="\t"/>', "<q>\x85</q>", "<q>\u2028</q>", "<q><\u2c00/></q>"])
def test_what_xml_1_1_has_of_its_own_gets_no_answer(element: str) -> None:
    for data in (f'<?xml version="1.1"?>{element}'.encode(), f'<?xml version="1.1"?>{element}'.encode("utf-16")):
        assert refusal(data).finding.code == "FS123"


# ---------------------------------------------------------------------------------------------------------------------
NOT_WELL_FORMED: list[tuple[str | bytes, tuple[int, int], str]] = [
    ("", (1, 1), "empty"),
    (" \n ", (1, 1), "empty"),
    ("<!-- c -->", (1, 11), "no element"),
    ('\n<?xml version="1.0"?><a/>', (2, 1), "before the XML declaration"),
    ('<?xml version="1.0"?><a/><?xml version="1.0"?>', (1, 26), "second XML declaration"),
    ('<?xml version="1.0"><a/>', (1, 1), "not ended by ?>"),
    ("<?xml version=”1.0”?><a/>", (1, 1), "typographic"),
    ('<?xml version="1.0" encoding="ab cd"?><a/>', (1, 1), "'ab cd'"),
    ('<?xml version="1.0" encoding="utf-88"?><a/>', (1, 1), "no encoding"),
    ('<?xml version="1.0" encoding="UTF-16"?><a/>', (1, 1), "not UTF-16"),
    ('<?xml version="1.2"?><a/>', (1, 1), "'1.2'"),
    ('<?xml encoding="UTF-8"?><a/>', (1, 1), "malformed"),
    ("<a>x & y</a>", (1, 7), "&"),
    ("<a>x&y</a>", (1, 7), "&"),
    ("<a>&nbsp;</a>", (1, 4), "&nbsp; is not declared; it is a name of HTML"),
    ("<a>&#0;</a>", (1, 4), "&#0;"),
    ("<a b=“1”/>", (1, 6), "typographic quote (“)"),
    ("<a b=1/>", (1, 6), "no quotes"),
    ("<a b/>", (1, 5), "the attribute b of <a> has no value"),
    ('<rule "x" create="true"/>', (1, 7), "no attribute name"),
    ("<a b='1'c='2'/>", (1, 9), "blank is missing"),
    ("<a b='1' b='2'/>", (1, 10), "b is written twice"),
    ("<a b='x<y'/>", (1, 8), "holds <"),
    ("<a b='x>\n<c/></a>", (2, 1), "closing quote is missing"),
    ("<a\n<b/></a>", (2, 1), "<a is not ended"),
    ("<a=1/>", (1, 3), "= in a wrong place"),
    ("<a>]]></a>", (1, 6), "]]>"),
    ("<a>< b/></a>", (1, 5), "a tag cannot begin with a blank"),
    ("<a>2 <1</a>", (1, 7), "a tag cannot begin with 1"),
    ("<a><!# c #></a>", (1, 6), "<!# begins nothing"),
    ("<a><!-- b <!-- c --> --></a>", (1, 15), "another comment"),
    ("<a><!-- b </a>", (1, 4), "comment that begins here is never ended"),
    ("<a><![CDATA[ b </a>", (1, 4), "CDATA"),
    ("<a><?xml version='1.0'?></a>", (1, 4), "before the XML declaration"),
    ("<a><?XML?></a>", (1, 9), "xml"),
    ("<a>\x01</a>", (1, 4), "U+0001"),
    ("<a>\n<b>\n</a>", (3, 1), "</a> cannot close <b>, which opens in line 2"),
    ("<a><weight>1<weight></a>", (1, 21), "</a> cannot close <weight>"),
    ("<a>\n<b>", (2, 4), "<b> of line 2 is open"),
    ("<a><b", (1, 4), "<b is not ended"),
    ("<a/><b/>", (1, 5), "<b> is a second root"),
    ("<a/>x", (1, 5), "after the end of the root"),
    ("<a/></a>", (1, 6), "</a> closes nothing"),
    ("hello", (1, 1), "does not begin with an element, but with hello"),
    ('{"a": 1}', (1, 1), "does not begin with an element"),
    (b"<a>\n\xe9</a>", (2, 1), "0xE9 (é in windows-1252)"),
    (b"\xef\xbb\xbf<a>\xc3\xa9\xe9</a>", (1, 5), "0xE9"),
    (b"<?xml version='1.0' encoding='US-ASCII'?><a>\xe9</a>", (1, 4), "0xE9"),
    (b"<a>\0</a>", (1, 4), "zero byte"),
    ("<a>\n\ud83d</a>".encode("utf-16", "surrogatepass"), (2, 1), "half a character"),
    ("<a/>".encode("utf-16") + b"\n", (1, 5), "half a character"),
    (b"<\0a\0/\0>\0", (1, 1), "zero byte"),
    (b"\x1f\x8b\x08\0\0", (1, 2), "0x8B"),
    (b"\xef\xbb\xbf\xef\xbb\xbf<a/>", (1, 1), "two byte order marks"),
    ('<?xml version="1.0" encoding="UTF-8"?><a/>'.encode("utf-16"), (1, 1), "says encoding UTF-8"),
]


@pytest.mark.parametrize(("data", "place", "words"), NOT_WELL_FORMED)
def test_not_well_formed(data: str | bytes, place: tuple[int, int], words: str) -> None:
    for secure in (True, False):
        finding = refusal(data, secure=secure).finding
        assert words in finding.message
        assert (finding.code, finding.severity, finding.refuses) == ("FS101", "error", True)
        assert finding.pos == Pos(*place)


def test_mismatch_names_both_places() -> None:
    finding = refusal("<a>\n <rule>\n</queue></a>").finding
    assert (finding.pos, finding.other) == (Pos(3, 1), Pos(2, 2))
    assert "</rule>" in finding.hint


# ---------------------------------------------------------------------------------------------------------------------
def test_doctype_is_refused_where_it_stands() -> None:
    text = '<?xml version="1.0"?>\n<!-- <!DOCTYPE x> -->\n <!DOCTYPE a SYSTEM "x"><a/>'
    finding = refusal(text).finding
    assert (finding.code, finding.pos, finding.refuses) == ("FS103", Pos(3, 2), True)
    assert refusal("<!-- a -- b --><!DOCTYPE a><a/>").finding.code == "FS101"
    assert refusal("<!DOCTYPE a [<!ENTITY e 'v'>").finding.code == "FS103"


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        '<!DOCTYPE a PUBLIC "p" "http://localhost/x.dtd" []><a/>',
        '<!DOCTYPE a [<!ENTITY e SYSTEM "/etc/passwd">]><a>&e;</a>',
    ],
)
def test_nothing_is_fetched(text: str) -> None:
    finding = refusal(text, secure=False).finding
    assert (finding.code, finding.refuses) == ("FS103", False)
    assert "never" in finding.message


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE a [<!ENTITY % p ''> %p;]><a/>",
        "<!DOCTYPE a [<!ENTITY e '&#13;'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA #IMPLIED b CDATA 'x'>]><a/>",
        "<?xml version='1.0' encoding='IBM037'?><a/>",
        "<?xml version='1.0' encoding='GBK'?><a>\xff</a>",
    ],
)
def test_no_answer_rather_than_a_wrong_one(text: str) -> None:
    finding = refusal(text.encode("latin-1"), secure=False).finding
    assert (finding.code, finding.refuses) == ("FS123", False)
