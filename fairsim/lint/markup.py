"""1xx: the XML, elements that are not read, values that are not in force."""

from __future__ import annotations

from collections.abc import Iterator

from fairsim.config.allocation import LEGACY_TIMEOUT
from fairsim.config.values import QUEUE_ELEMENTS, TOP_ELEMENTS
from fairsim.diag import ERROR, INFO, WARNING
from fairsim.lint.amounts import listed
from fairsim.lint.case import Case
from fairsim.lint.rule import Family, Hit
from fairsim.xmlio.reader import Element

FAMILY = Family()
_QUEUES = ("queue", "pool")
_XINCLUDE = "http://www.w3.org/2001/XInclude"


@FAMILY.told("FS101", ERROR)
def xml_not_well_formed() -> None:
    """The file is no well-formed XML.

    When: a tag is not closed, a & stands alone, an attribute comes twice, something stands before the declaration,
        the file is empty.
    Effect: the parser refuses the file.
    Write: well-formed XML; & as &amp;, < as &lt;.
    Versions: all
    Source: the XML parser of the JDK
    Bad: <queue name="a">
    Good: <queue name="a"/>
    """


@FAMILY.told("FS102", ERROR)
def wrong_root_element() -> None:
    """The document element is not allocations.

    When: the outermost element has another name, another case, or a prefix.
    Effect: the file is not loaded.
    Write: <allocations> around everything.
    Versions: all
    Source: AllocationFileParser
    Bad: <Allocations/>
    Good: <allocations/>
    """


@FAMILY.told("FS103", ERROR)
def doctype_present() -> None:
    """The file has a DOCTYPE.

    When: there is a DOCTYPE. Before 3.3.5 only where it names something outside of the file, which fairsim does not
        fetch.
    Effect: from 3.3.5 and 3.4.0 on the parser refuses the file; before, entities are filled in.
    Write: the values of its entities, where they are used.
    Versions: 3.3.5 and later, 3.4.0 and later
    Source: YARN-11330
    Bad: <!DOCTYPE allocations><allocations/>
    Good: <allocations/>
    """


@FAMILY.told("FS104", ERROR)
def empty_value_element() -> None:
    """An element that must hold a value is empty.

    When: a known element of a queue, a user or the top has no text; a comment is none.
    Effect: the file is not loaded: a NullPointerException.
    Write: a value, or no element. For an access list that lets nobody in, a blank.
    Versions: all
    Source: AllocationFileParser, AllocationFileQueueParser
    Bad: <queue name="a"><weight></weight></queue>
    Good: <queue name="a"><weight>1</weight></queue>
    """


@FAMILY.told("FS105", ERROR)
def markup_before_value() -> None:
    """A value begins with markup.

    When: the first thing in a known element is another element or a processing instruction.
    Effect: the file is not loaded: a ClassCastException.
    Write: the text alone.
    Versions: all
    Source: AllocationFileParser, AllocationFileQueueParser
    Bad: <queue name="a"><weight><v>2</v></weight></queue>
    Good: <queue name="a"><weight>2</weight></queue>
    """


@FAMILY.rule("FS106", WARNING)
def value_cut_short(case: Case) -> Iterator[Hit]:
    """Only the first piece of a value is read.

    When: a value goes on behind an element, a processing instruction, or the edge of a CDATA section.
    Effect: what comes later is not read: 1<![CDATA[0]]> is 1.
    Write: the value in one piece.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><weight>1<![CDATA[0]]></weight></queue>
    Good: <queue name="a"><weight>10</weight></queue>
    """
    later = case.document.later_texts
    if not later:
        return
    cut = {id(element): pos for element, pos in later}
    for owner, element in case.value_elements:
        if id(element) in cut and (element.tag in QUEUE_ELEMENTS or element.tag in TOP_ELEMENTS):
            name = f"{element.tag} of {owner}" if owner else element.tag
            yield Hit(
                cut[id(element)], f"{name}: more text after {element.text or ''!r:.60}", "not read",
                "write the value in one piece",
            )  # fmt: skip


@FAMILY.told("FS107", WARNING)
def unknown_top_level_element() -> None:
    """An element below allocations is not known.

    When: Hadoop knows no such element there; upper and lower case count.
    Effect: a warning in the log of the ResourceManager; what it says is not in force.
    Write: the element that was meant.
    Versions: all
    Source: AllocationFileParser
    Bad: <queueMaxResourceDefault>4096 mb, 4 vcores</queueMaxResourceDefault>
    Good: <queueMaxResourcesDefault>4096 mb, 4 vcores</queueMaxResourcesDefault>
    """


@FAMILY.told("FS108", WARNING)
def unknown_queue_element() -> None:
    """An element of a queue is not known.

    When: Hadoop knows no such element in a queue; upper and lower case count.
    Effect: not in force, and not a word in any log.
    Write: the element that was meant.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><maxresources>4096 mb, 4 vcores</maxresources></queue>
    Good: <queue name="a"><maxResources>4096 mb, 4 vcores</maxResources></queue>
    """


@FAMILY.told("FS109", WARNING)
def top_level_element_inside_queue() -> None:
    """A default of the whole file stands in a queue.

    When: an element that is read below allocations only stands in a queue.
    Effect: not in force, and not a word in any log.
    Write: the element of queues (maxRunningApps for queueMaxAppsDefault), or move it to the top.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><queueMaxAppsDefault>5</queueMaxAppsDefault></queue>
    Good: <queue name="a"><maxRunningApps>5</maxRunningApps></queue>
    """


@FAMILY.told("FS110", WARNING)
def queue_element_at_top_level() -> None:
    """A setting of a queue stands outside of any queue.

    When: an element that is read in queues only stands directly below allocations.
    Effect: a warning in the log; not in force.
    Write: it in a queue, or the default of the file (queueMaxAppsDefault for maxRunningApps).
    Versions: all
    Source: AllocationFileParser
    Bad: <maxRunningApps>5</maxRunningApps>
    Good: <queueMaxAppsDefault>5</queueMaxAppsDefault>
    """


@FAMILY.told("FS111", WARNING)
def unknown_user_element() -> None:
    """A user has something else than maxRunningApps.

    When: an element in user is not maxRunningApps.
    Effect: not in force, and not a word in any log.
    Write: maxRunningApps.
    Versions: all
    Source: AllocationFileParser
    Bad: <user name="al"><maxApps>3</maxApps></user>
    Good: <user name="al"><maxRunningApps>3</maxRunningApps></user>
    """


@FAMILY.rule("FS112", WARNING)
def property_as_attribute(case: Case) -> Iterator[Hit]:
    """A setting is written as an attribute.

    When: a queue has an attribute other than name and type, a user one other than name, allocations any; attributes of
        namespaces do not count.
    Effect: not in force: attributes are not read.
    Write: an element.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a" weight="2"/>
    Good: <queue name="a"><weight>2</weight></queue>
    """
    elements: list[tuple[Element, tuple[str, ...]]] = [(case.root, ())] if case.root.tag == "allocations" else []
    elements += [(element, ("name", "type")) for _, element, _ in case.queue_elements]
    elements += [(element, ("name",)) for element in case.root if element.tag == "user"]
    for element, known in elements:
        names = case.document.attribute_names(element)
        odd = [name for name in names if name not in known and not name.startswith("xml") and ":" not in name]
        if odd:
            where = f"{element.tag} {element.get('name')}" if element.get("name") else element.tag
            example = f"<{odd[0]}>{element.get(odd[0])}</{odd[0]}>"
            yield Hit(
                element, f"{where}: the attribute{'s' if len(odd) > 1 else ''} {listed(odd)}",
                "not read", f"write {example:.60} in it" if odd[0] in QUEUE_ELEMENTS else "write elements",
            )  # fmt: skip


@FAMILY.told("FS113", WARNING)
def suffix_tag_becomes_queue() -> None:
    """A misspelt element is taken for a queue.

    When: an element in a queue is called ueue, eue, ue or e.
    Effect: Hadoop tests whether the word queue ends so: it is a child queue, and the queue around it a parent.
    Write: queue.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a"><ue name="b"/></queue>
    Good: <queue name="a"><queue name="b"/></queue>
    """


@FAMILY.rule("FS114", WARNING)
def namespace_prefix(case: Case) -> Iterator[Hit]:
    """A queue or user has a prefix.

    When: an element is called x:queue, x:pool, x:user or x:queuePlacementPolicy.
    Effect: names are compared with their prefix: the element is unknown, and all that stands in it is not in force.
    Write: the name without a prefix.
    Versions: all
    Source: AllocationFileParser
    Bad: <f:queue xmlns:f="u" name="a"/>
    Good: <queue name="a"/>
    """
    known = (*_QUEUES, "user", "queuePlacementPolicy")
    for element in (*case.root, *(child for _, queue, _ in case.queue_elements for child in queue)):
        prefix, colon, name = element.tag.rpartition(":")
        if colon and name in known:
            yield Hit(element, f"<{element.tag}> has the prefix {prefix}", "ignored with all that stands in it",
                      f"write <{name}>")  # fmt: skip


@FAMILY.rule("FS115", INFO)
def stray_text(case: Case) -> Iterator[Hit]:
    """Text stands where only elements are read.

    When: allocations, a queue, a user or the placement policy holds text of its own.
    Effect: none; what it was meant to say is not in force.
    Write: an element, or a comment.
    Versions: all
    Source: AllocationFileQueueParser
    Bad: <queue name="a">weight 2</queue>
    Good: <queue name="a"><weight>2</weight></queue>
    """
    if case.root.tag != "allocations":
        return
    later: dict[int, list[object]] = {}
    for element, pos in case.document.later_texts:
        later.setdefault(id(element), []).append(pos)
    holders = [case.root, *(element for _, element, _ in case.queue_elements)]
    holders += [element for element in case.root if element.tag in ("user", "queuePlacementPolicy")]
    for element in holders:
        text = (element.text or "").strip()
        where = f"{element.tag} {element.get('name')}" if element.get("name") else element.tag
        if text:
            yield Hit(element, f"text in {where}: {' '.join(text.split())!r:.60}", "not read",
                      "write an element or a comment")  # fmt: skip
        elif id(element) in later:
            yield Hit(later[id(element)][0], f"text in {where}", "not read", "write an element or a comment")


@FAMILY.told("FS116", WARNING)
def duplicate_value_element() -> None:
    """A value is written twice.

    When: the same element, or an old name of it, comes twice in a queue or at the top.
    Effect: the later one is in force. Up to 3.0 the first fairSharePreemptionTimeout at the top is; of
        allowPreemptionFrom a false stays.
    Write: one of the two.
    Versions: all
    Source: AllocationFileParser, QueueProperties
    Bad: <queue name="a"><weight>1</weight><weight>3</weight></queue>
    Good: <queue name="a"><weight>3</weight></queue>
    """


@FAMILY.told("FS117", WARNING)
def shadowed_legacy_timeout() -> None:
    """The old name of a timeout is written beside the new one.

    When: fairSharePreemptionTimeout and defaultFairSharePreemptionTimeout both stand at the top.
    Effect: the old one is not in force.
    Write: defaultFairSharePreemptionTimeout alone.
    Versions: all
    Source: AllocationFileParser
    Bad:
        <fairSharePreemptionTimeout>60</fairSharePreemptionTimeout>
        <defaultFairSharePreemptionTimeout>300</defaultFairSharePreemptionTimeout>
    Good: <defaultFairSharePreemptionTimeout>60</defaultFairSharePreemptionTimeout>
    """


@FAMILY.rule("FS118", INFO)
def deprecated_alias(case: Case) -> Iterator[Hit]:
    """A name is kept for old files only.

    When: pool, schedulingMode, defaultQueueSchedulingMode, or fairSharePreemptionTimeout at the top is used.
    Effect: none: it is read as its newer name.
    Write: queue, schedulingPolicy, defaultQueueSchedulingPolicy, defaultFairSharePreemptionTimeout.
    Versions: all
    Source: AllocationFileParser
    Bad: <pool name="a"/>
    Good: <queue name="a"/>
    """
    found: dict[str, tuple[str, list[Element]]] = {}
    for _, element, _ in case.queue_elements:
        if element.tag == "pool":
            found.setdefault("pool", ("queue", []))[1].append(element)
    for owner, element in case.value_elements:
        new = _NEWER.get(element.tag)
        if new and (owner == "") == (element.tag != "schedulingMode"):
            found.setdefault(element.tag, (new, []))[1].append(element)
    for old, (new, elements) in found.items():
        times = f", {len(elements)} times" if len(elements) > 1 else ""
        yield Hit(elements[0], f"<{old}> is an old name{times}", f"read as <{new}>", f"write <{new}>")


_NEWER = {
    "schedulingMode": "schedulingPolicy",
    "defaultQueueSchedulingMode": "defaultQueueSchedulingPolicy",
    LEGACY_TIMEOUT: "defaultFairSharePreemptionTimeout",
}


@FAMILY.rule("FS119", WARNING)
def xinclude_used(case: Case) -> Iterator[Hit]:
    """Another file is meant to be included.

    When: an element of XInclude stands in the file (in yarn-site Hadoop reads it, and fairsim says that it does not).
    Effect: it is not followed: the other file is not read.
    Write: all in one file.
    Versions: all
    Source: AllocationFileLoaderService
    Bad: <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="q.xml"/>
    Good: <queue name="a"/>
    """
    prefix = next(
        (name[6:] for element in (case.root, *case.root) for name in case.document.attribute_names(element)
         if name.startswith("xmlns:") and element.get(name) == _XINCLUDE), "xi",
    )  # fmt: skip
    for element in (*case.root, *(child for _, queue, _ in case.queue_elements for child in queue)):
        if element.tag == f"{prefix}:include":
            yield Hit(element, f"<{element.tag}> of {element.get('href') or 'another file'}", "not followed",
                      "write the contents into this file")  # fmt: skip


@FAMILY.rule("FS120", INFO)
def no_queues_declared(case: Case) -> Iterator[Hit]:
    """The file names no queue.

    When: there is no queue and no pool.
    Effect: queues are made on the fly, with the defaults; from 3.4 on not even root.default is there at the start.
    Write: the queues that are meant to be there.
    Versions: all
    Source: QueueManager
    Bad: <userMaxAppsDefault>5</userMaxAppsDefault>
    Good: <queue name="default"/>
    """
    if case.root.tag == "allocations" and not case.queue_elements:
        start = "no queue is there at the start" if case.profile.features.no_default_queue else "only root.default is"
        yield Hit(case.root, "no queue is written", f"{start}; all others are made on the fly, with the defaults",
                  "write the queues that are meant to be there")  # fmt: skip


@FAMILY.told("FS122", WARNING)
def hidden_broken_default() -> None:
    """A broken default is not noticed.

    When: a default for preemption has a broken value, and root has a value of its own, or the newer name is there too.
    Effect: from 3.1 on it is never parsed, so nobody notices. Up to 3.0 the file is not loaded.
    Write: a right value, or drop it.
    Versions: 3.1 and later; up to 3.0 the value is refused under its own code
    Source: YARN-7841
    Bad:
        <defaultMinSharePreemptionTimeout>x</defaultMinSharePreemptionTimeout>
        <queue name="root"><minSharePreemptionTimeout>9</minSharePreemptionTimeout></queue>
    Good: <queue name="root"><minSharePreemptionTimeout>9</minSharePreemptionTimeout></queue>
    """


@FAMILY.told("FS123", ERROR)
def file_beyond_limits() -> None:
    """The file is beyond what fairsim reads.

    When: it is larger than 64 MB, nested deeper than 500 elements, has millions of elements, or a DOCTYPE that the
        parsers understand in different ways.
    Effect: fairsim gives no answer. Hadoop may load it.
    Write: a smaller file, without a DOCTYPE.
    Versions: all
    Source: none of Hadoop's
    Bad:
        <!DOCTYPE allocations [<!ATTLIST queue name CDATA "a"><!ATTLIST queue name CDATA "b">]>
        <allocations/>
    Given: --hadoop 3.2
    Good: <queue name="a"/>
    """


@FAMILY.told("FS124", WARNING)
def other_kind_of_file() -> None:
    """The file is something else than an allocation file, or not ready yet.

    When: it looks like a template, like pools of MapReduce 1 or Spark, like a yarn-site, a page or an archive.
    Effect: what of it Hadoop reads is told by the other findings.
    Write: the file that the ResourceManager gets: rendered, unpacked, with queues.
    Versions: all
    Source: none of Hadoop's
    Bad: <queue name="a"><weight>${WEIGHT}</weight></queue>
    Good: <queue name="a"><weight>1</weight></queue>
    """


@FAMILY.told("FS125", INFO)
def hidden_default() -> None:
    """A default is not in force because root has a value of its own.

    When: a default for preemption stands at the top, and root has the same setting.
    Effect: the value of root counts, for root and all below it.
    Write: one of the two.
    Versions: 3.1 and later
    Source: AllocationFileParser
    Bad:
        <defaultMinSharePreemptionTimeout>5</defaultMinSharePreemptionTimeout>
        <queue name="root"><minSharePreemptionTimeout>9</minSharePreemptionTimeout></queue>
    Good: <queue name="root"><minSharePreemptionTimeout>9</minSharePreemptionTimeout></queue>
    """
