"""Which Python codec decodes what Java decodes under a name of an XML declaration."""

from __future__ import annotations

import re
from typing import NamedTuple

REPLACE, STRICT = "replace", "strict"


class Encoding(NamedTuple):
    """A Python codec; `errors` says what to do with bytes that mean nothing in it.

    Java replaces such bytes by U+FFFD. For the codecs marked `replace` Python does so at the same places; for the
    multi-byte ones it may take another number of bytes at a time, so they are `strict`.
    """

    codec: str
    errors: str


# One line a codec: the names under which the JDK knows the same character set (Xerces' EncodingMap and the aliases of
# java.nio.charset, JDK 17), in lower case. Compared byte by byte with the JDK's decoders.
_SINGLE_BYTE = """
latin-1: cp819 csisolatin1 ibm-819 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso8859_1 iso_8859-1 iso_8859_1 l1 latin1
iso8859-2: cp912 csisolatin2 ibm-912 ibm912 iso-8859-2 iso-ir-101 iso8859-2 iso8859_2 iso_8859-2 l2 latin2
iso8859-3: cp913 csisolatin3 ibm-913 ibm913 iso-8859-3 iso-ir-109 iso8859-3 iso8859_3 iso_8859-3 l3 latin3
iso8859-4: cp914 csisolatin4 ibm-914 ibm914 iso-8859-4 iso-ir-110 iso8859-4 iso8859_4 iso_8859-4 l4 latin4
iso8859-5: cp915 csisolatincyrillic cyrillic ibm-915 ibm915 iso-8859-5 iso-ir-144 iso8859-5 iso8859_5 iso_8859-5
iso8859-6: arabic asmo-708 cp1089 csisolatinarabic ecma-114 ibm-1089 ibm1089 iso-8859-6 iso-ir-127 iso8859-6
  iso8859_6 iso_8859-6
iso8859-7: cp813 csisolatingreek ecma-118 elot_928 greek greek8 ibm-813 ibm813 iso-8859-7 iso-ir-126 iso8859-7
  iso8859_7 iso_8859-7 sun_eu_greek
iso8859-8: cp916 csisolatinhebrew hebrew ibm-916 ibm916 iso-8859-8 iso-8859-8-i iso-ir-138 iso8859-8 iso8859_8
  iso_8859-8
iso8859-9: cp920 csisolatin5 ibm-920 ibm920 iso-8859-9 iso-ir-148 iso8859-9 iso8859_9 iso_8859-9 l5 latin5
iso8859-13: iso-8859-13 iso8859-13 iso8859_13 iso_8859-13
iso8859-15: cp923 csiso885915 csisolatin0 csisolatin9 ibm-923 ibm923 iso-8859-15 iso8859-15 iso8859_15
  iso8859_15_fdis iso_8859-15 l9 latin-9 latin0 latin9
iso8859-16: csiso885916 iso-8859-16 iso-ir-226 iso8859_16 iso_8859-16 l10 latin10
iso8859-11: iso-8859-11 iso8859_11 x-iso-8859-11
cp1250: cp1250 cp5346 windows-1250
cp1251: ansi-1251 cp1251 cp5347 windows-1251
cp1252: cp1252 cp5348 ibm-1252 ibm1252 windows-1252
cp1253: cp1253 cp5349 windows-1253
cp1254: cp1254 cp5350 windows-1254
cp1255: cp1255 windows-1255
cp1256: cp1256 windows-1256
cp1257: cp1257 cp5353 windows-1257
cp1258: cp1258 windows-1258
cp874: ms-874 ms874 windows-874 x-windows-874
koi8-r: cskoi8r koi8 koi8-r koi8_r
koi8-u: koi8-u koi8_u
cp437: cp437 cspc8codepage437 ibm-437 ibm437 windows-437
cp775: cp775 cspc775baltic ibm-775 ibm775
cp850: cp850 cspc850multilingual ibm-850 ibm850
cp852: cp852 cspcp852 ibm-852 ibm852
cp855: cp855 csibm855 cspcp855 ibm-855 ibm855
cp857: cp857 csibm857 ibm-857 ibm857
cp860: cp860 csibm860 ibm-860 ibm860
cp861: cp-is cp861 csibm861 ibm-861 ibm861
cp862: cp862 csibm862 cspc862latinhebrew ibm-862 ibm862
cp863: cp863 csibm863 ibm-863 ibm863
cp864: cp864 csibm864 ibm-864 ibm864
cp865: cp865 csibm865 ibm-865 ibm865
cp866: cp866 csibm866 ibm-866 ibm866
cp869: cp-gr cp869 csibm869 ibm-869 ibm869
cp858: ccsid00858 cp00858 cp858 ibm-858 ibm00858 ibm858
cp737: cp737 ibm-737 ibm737 x-ibm737
mac-roman: macroman x-macroman
mac-latin2: maccentraleurope x-maccentraleurope
"""

_MULTI_BYTE = """
big5: big5 csbig5
euc_jp: cseucpkdfmtjapanese euc-jp euc_jp eucjis eucjp extended_unix_code_packed_format_for_japanese x-euc-jp
  x-eucjp
euc_kr: cseuckr csksc56011987 euc-kr euc_kr euckr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601
  ksc5601-1987 ksc5601_1987 ksc_5601
gb18030: gb18030 gb18030-2022
gb2312: csgb2312 euc-cn euc_cn euccn gb2312 gb2312-1980 gb2312-80 x-euc-cn
gbk: cp936 gbk ms936 windows-936 ms_936 x-mswin-936
shift_jis: csshiftjis ms_kanji shift-jis shift_jis sjis x-sjis
cp932: cswindows31j ms932 windows-31j windows-932
iso2022_jp: csiso2022jp csjisencoding iso-2022-jp iso2022jp jis jis_encoding
cp949: ms949 ms_949 windows-949 windows949 x-windows-949
"""

_UNICODE = """
utf-8: unicode-1-1-utf-8 utf-8 utf8
utf-16: unicode unicodebig utf-16 utf-16be utf16 utf_16
utf-16-be: iso-10646-ucs-2 unicodebigunmarked utf_16be x-utf-16be
utf-16-le: unicodelittleunmarked utf_16le x-utf-16le
utf-32: utf-32 utf32 utf_32
utf-32-be: utf-32be utf_32be x-utf-32be
utf-32-le: utf-32le utf_32le x-utf-32le
"""

# ASCII is the one that the JDK's XML parser decodes itself, so that a byte above 0x7F is an error there.
_ASCII = """
ascii: ansi_x3.4-1968 ansi_x3.4-1986 ascii cp367 csascii ibm-367 ibm367 iso-ir-6 iso646-us us us-ascii
"""

# Characters that come out of bytes which the JDK reads otherwise, by codec, as the inside of a regular expression.
DOUBTFUL = {
    "big5": "\u2574\uffe3\u02cd\uff0f\uff3c",
    "cp932": "\x80\uf8f0-\uf8f3",
    "gb18030": "\ue78d-\ue796\ue7c7\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
    "gbk": "\u2295",
}
# The dash 0x815C of Shift_JIS and 0xA1BD of EUC-JP is U+2014 to the JDK and U+2015 to Python.
DASH = ("shift_jis", "euc_jp")

# Names of other character sets of the JDK, mostly EBCDIC and old Unix and Macintosh ones.
_OTHER_OF_JAVA = re.compile(
    r"(x-|x0|ascii7$|big5|ccsid|cesu|cns|cp\d|cp-ar|cpibm|cpeuccn|cs-ebcdic|cscesu|cshalf|csibm|csiso|default$|ebcdic|euc"
    r"|ibm|iscii|iso-?2022|iso-ir|jis|johab|ksc5601.1992|mac|ms\d|pck|sjis|st_sev|tis-?620|unicode|utf[-_]?(?:16|32)|windows-)"
)


def find_encoding(name: str) -> Encoding | None:
    """Returns the codec for a declared encoding name, or None for a name that is not in the tables."""
    return _names().get(name.lower())


def java_may_know(name: str) -> bool:
    """True if Java may well have a character set of that name although `find_encoding` has none."""
    return _OTHER_OF_JAVA.match(name.lower()) is not None


def _names() -> dict[str, Encoding]:
    names: dict[str, Encoding] = {}
    for table, errors in ((_SINGLE_BYTE, REPLACE), (_UNICODE, STRICT), (_MULTI_BYTE, STRICT), (_ASCII, STRICT)):
        for line in table.strip().replace("\n  ", " ").splitlines():
            codec, aliases = line.split(": ")
            names.update(dict.fromkeys(aliases.split(), Encoding(codec, errors)))
    return names
