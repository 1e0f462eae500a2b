"""An allocation file as one Hadoop version reads it: located values, what is refused, what is not in force.

Follows AllocationFileLoaderService, AllocationFileParser and AllocationFileQueueParser. Hadoop stops at the first
error; here reading goes on behind it, so that every error is found, and the findings keep Hadoop's order of checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fairsim.config.names import ROOT, trim_name
from fairsim.config.unknown import unknown_at_top, unknown_in_queue
from fairsim.config.values import ALIASES, QUEUE_ELEMENTS, TOP_ELEMENTS, Parser, ValueRefused, Values
from fairsim.diag import ERROR, INFO, WARNING, Finding
from fairsim.model.queues import Field
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import Profile
from fairsim.xmlio.reader import Document, Element

if TYPE_CHECKING:
    from fairsim.config.placement_syntax import Rule

_EMPTY_ACL = "write one blank for nobody, * for everybody (without the element: root everybody, others nobody)"
_OWN = ("maxAMShare", "reservation")  # what a declaration itself has of these matters, beside what is merged
_LOOKED_AT = frozenset({*_OWN, *ALIASES})  # with these more happens than that a value is kept
NOTHING_OWN: dict[str, Element] = {}
# Tags with which 'queue' ends: Hadoop asks the wrong way round, so all of them nest a queue inside a queue
CHILD_QUEUE_TAGS = frozenset({"queue", "pool", "ueue", "eue", "ue", "e"})


FAIR_TIMEOUT = "defaultFairSharePreemptionTimeout"
LEGACY_TIMEOUT = "fairSharePreemptionTimeout"  # at the top: the name of 2.2
# Hadoop 3.1 and later parse these last, in this order: those that the root queue may set itself, then the others
ROOT_DEFAULTS = {
    "defaultMinSharePreemptionTimeout": "minSharePreemptionTimeout",
    FAIR_TIMEOUT: "fairSharePreemptionTimeout",
    LEGACY_TIMEOUT: "fairSharePreemptionTimeout",
    "defaultFairSharePreemptionThreshold": "fairSharePreemptionThreshold",
}
LAST_DEFAULTS = ("userMaxAppsDefault", "queueMaxResourcesDefault", "queueMaxAppsDefault", "queueMaxAMShareDefault")


class RawQueue:
    """One queue as the file declares it, several declarations merged."""

    __slots__ = ("element", "fields", "index", "key")

    def __init__(self, key: str, element: Element, index: int):
        self.key = key
        self.element = element
        self.index = index  # its place among the queues of the file
        self.fields: dict[str, Field] = {}


class RawAllocation:
    """Everything that one file says, for one Hadoop version.

    `queues` by key (the name that Hadoop builds), `leaves` and `parents` the keys in the order of reading; `findings`
    in the order of Hadoop's checks, those with `refuses` make Hadoop refuse the file.
    """

    def __init__(self, document: Document, profile: Profile, types: ResourceTypes):
        self.document = document
        self.profile = profile
        self.types = types
        self.queues: dict[str, RawQueue] = {}
        self.leaves: dict[str, None] = {}
        self.parents: dict[str, None] = {}
        self.defaults: dict[str, Field] = {}
        self.users: dict[str, Field] = {}
        self.rules: list[Rule] | None = None
        self.findings: list[Finding] = []

    @property
    def refusals(self) -> list[Finding]:
        """Returns the findings for which Hadoop would not load the file, in its order of checks."""
        return [finding for finding in self.findings if finding.refuses]


def read_allocation(document: Document, profile: Profile, types: ResourceTypes) -> RawAllocation:
    """Returns what the document says to this Hadoop version; errors are findings, nothing is raised."""
    return _Reader(document, profile, types).read()


class _Reader:
    """One pass over one document."""

    def __init__(self, document: Document, profile: Profile, types: ResourceTypes):
        self.document = document
        self.profile = profile
        self.values = Values(profile, types)
        self.raw = RawAllocation(document, profile, types)
        self.steps: list[tuple[int, Finding]] = []
        self.parsed: dict[tuple[str, str | None], Any] = {}
        features = vars(profile.features)
        self.queue_parsers: dict[str, Parser] = {
            tag: parser for tag, (parser, feature) in QUEUE_ELEMENTS.items() if feature is None or features[feature]
        }
        self.top_parsers: dict[str, tuple[Parser, bool]] = {
            tag: (parser, lazy and profile.features.lazy_defaults)
            for tag, (parser, feature, lazy) in TOP_ELEMENTS.items()
            if feature is None or features[feature]
        }
        # where the order of a set depends on when a name is added: 2.6 knows a parent by its first child, 2.7 and 2.8
        # by its reservation (until YARN-4975), all others at its end
        self.parents_early = not profile.features.reservations
        self.reserves_early = profile.features.reservations and not profile.features.typed_parent_with_children
        self.refuse_text = f"Hadoop {profile.label} would not load this file"

    def read(self) -> RawAllocation:
        root = self.document.root
        if root.tag != "allocations":
            near = " (case matters)" if root.tag.lower() == "allocations" else ""
            self.refuse(1, "FS102", "wrong-root-element", f"the document element is <{root.tag}>{near}", root,
                        "write <allocations>")  # fmt: skip
            return self._finish()
        queues, placement, lazy = self._read_top(root)
        for element in queues:
            parent: str | None = ROOT
            if (element.get("name") or "").lower() == ROOT:
                parent = None
                if len(queues) > 1:
                    other = next(queue for queue in queues if queue is not element)
                    self.refuse(3, "FS205", "root-with-siblings", "queues stand beside root", other,
                                'move them into <queue name="root">')  # fmt: skip
            self._read_queue(element, parent)
        if placement is not None:
            from fairsim.config.placement_syntax import read_placement  # many files have no rules

            self.raw.rules, found = read_placement(self.document, placement, self.profile)
            self.steps.extend((4, finding) for finding in found)
        self._read_lazy(lazy)
        return self._finish()

    def _finish(self) -> RawAllocation:
        self.steps.sort(key=lambda step: step[0])
        self.raw.findings = [finding for _, finding in self.steps]
        return self.raw

    # -- top level

    def _read_top(self, root: Element) -> tuple[list[Element], Element | None, dict[str, tuple[str, Element]]]:
        queues: list[Element] = []
        placement: Element | None = None
        lazy: dict[str, tuple[str, Element]] = {}
        for element in root:
            tag = element.tag
            if tag in ("queue", "pool"):
                queues.append(element)
            elif tag == "user":
                self._read_user(element)
            elif tag == "queuePlacementPolicy":
                if placement is not None:
                    self.warn("FS717", "several-placement-policies", "an earlier queuePlacementPolicy",
                              placement, "only the last one is read", "keep one")  # fmt: skip
                placement = element
            elif tag in self.top_parsers:
                self._read_default(tag, element, lazy)
            else:
                self.steps.append((3, unknown_at_top(tag, self.document.pos(element), self.profile)))
        return queues, placement, lazy

    def _read_default(self, tag: str, element: Element, lazy: dict[str, tuple[str, Element]]) -> None:
        parser, is_lazy = self.top_parsers[tag]
        name = ALIASES.get(tag, tag)
        defaults = self.raw.defaults
        if tag == LEGACY_TIMEOUT and not is_lazy:  # up to 3.0 the first one counts, and any default element before it
            if FAIR_TIMEOUT in defaults:
                self._shadowed_legacy(element)
                return
            if tag in defaults:
                self._duplicate(name, element, defaults[tag].element, "the first value wins")
                return
        text = self._text(2, element)
        if text is None:
            return
        if name in lazy:
            self._duplicate(name, lazy[name][1], element)
        elif name in defaults:
            self._duplicate(name, defaults[name].element, element)
        if is_lazy:
            lazy[name] = (text, element)
            return
        field = self._parse(2, parser, text, element)
        if field is not None:
            if tag == FAIR_TIMEOUT and LEGACY_TIMEOUT in defaults:
                self._shadowed_legacy(defaults.pop(LEGACY_TIMEOUT).element)
            defaults[name] = field

    def _shadowed_legacy(self, element: Element) -> None:
        self.warn("FS117", "shadowed-legacy-timeout", f"<{LEGACY_TIMEOUT}>", element,
                  f"not in force: {FAIR_TIMEOUT} is used", "drop one of the two")  # fmt: skip

    def _read_lazy(self, lazy: dict[str, tuple[str, Element]]) -> None:
        """Parses what Hadoop 3.1 and later parses last, in its order; what it never needs is not checked."""
        root = self.raw.queues[ROOT].fields if ROOT in self.raw.queues else {}
        for name in (*ROOT_DEFAULTS, *LAST_DEFAULTS):
            if name not in lazy:
                continue
            text, element = lazy[name]
            parser = self.top_parsers[name][0]
            by_root = ROOT_DEFAULTS.get(name) in root
            if by_root or (name == LEGACY_TIMEOUT and FAIR_TIMEOUT in lazy):
                self._hidden(name, parser, text, element, by_root)
                continue
            field = self._parse(5 if name in ROOT_DEFAULTS else 6, parser, text, element)
            if field is not None:
                self.raw.defaults[name] = field

    def _hidden(self, name: str, parser: Parser, text: str, element: Element, by_root: bool) -> None:
        """Remarks on a default that Hadoop never parses, since another value takes its place."""
        try:
            parser(self.values, text)
        except ValueRefused as error:
            self.warn("FS122", "hidden-broken-default", f"<{name}>: {error.message}", element,
                      "never parsed: another value is used; Hadoop up to 3.0 refuses the file", error.hint)  # fmt: skip
            return
        if not by_root:
            self._shadowed_legacy(element)
            return
        self.note(INFO, "FS125", "hidden-default", f"<{name}>", element,
                  "not in force: the value of the root queue is used", "drop one of the two")  # fmt: skip

    def _read_user(self, element: Element) -> None:
        name = element.get("name") or ""
        for child in element:
            if child.tag != "maxRunningApps":
                self.warn("FS111", "unknown-user-element", f"<{child.tag}> in <user>", child, "silently ignored",
                          "write <maxRunningApps>; nothing else is read")  # fmt: skip
                continue
            text = self._text(2, child)
            field = None if text is None else self._parse(2, Values.integer, text, child)
            if field is not None:
                self.raw.users[name] = field

    # -- queues

    def _read_queue(self, element: Element, parent: str | None) -> None:
        # an explicit stack: a hostile file may nest deeper than Python recurses
        parsers, parsed = self.queue_parsers, self.parsed
        stack: list[tuple[Element, Iterator[Element], RawQueue, dict[str, Element]]] = []
        children, queue = iter(element), self._open_queue(element, parent)
        nested, own = False, NOTHING_OWN
        while True:
            fields = queue.fields
            for child in children:
                tag = child.tag
                if tag in CHILD_QUEUE_TAGS:
                    stack.append((element, children, queue, own))
                    element, children, queue = child, iter(child), self._open_queue(child, queue.key)
                    nested, own = False, NOTHING_OWN
                    break
                value = parsed.get((tag, child.text))  # large files write the same few values again and again
                if value is not None and tag not in fields and tag not in _LOOKED_AT:
                    fields[tag] = Field(value, child)
                elif tag in parsers:
                    if tag in _OWN:
                        own = {**own, tag: child}
                        if tag == "reservation" and self.reserves_early:
                            self.raw.parents[queue.key] = None
                    self._read_field(fields, tag, parsers[tag], child)
                else:
                    self.steps.append((3, unknown_in_queue(tag, self.document.pos(child), self.profile)))
            else:
                self._close_queue(queue, element, nested, own)
                if not stack:
                    return
                element, children, queue, own = stack.pop()
                nested = True
                if self.parents_early:
                    self.raw.parents[queue.key] = None

    def _open_queue(self, element: Element, parent: str | None) -> RawQueue:
        if element.tag not in ("queue", "pool"):
            self.warn("FS113", "suffix-tag-becomes-queue", f"<{element.tag}>", element,
                      "Hadoop takes it for a queue", "write <queue>")  # fmt: skip
        name = element.get("name") or ""
        if not name.isalnum():  # nothing to cut off, no dot
            name = self._checked_name(name, element)
        key = name if parent is None else f"{parent}.{name}"
        queue = self.raw.queues.get(key)
        if queue is None:
            queue = self.raw.queues[key] = RawQueue(key, element, len(self.raw.queues))
        else:
            self._duplicate_queue(queue, element)
        return queue

    def _checked_name(self, written: str, element: Element) -> str:
        features = self.profile.features
        name = trim_name(written, self.profile)
        if "." in name and features.no_dots_in_names:
            self.refuse(3, "FS202", "queue-name-has-dot", f"queue name {name!r} contains a dot", element,
                        "nest the queues instead")  # fmt: skip
        if not name and features.nonempty_names:
            self.refuse(3, "FS201", "queue-name-missing", "a queue without a name", element, 'write name="..."')
        if name != written:
            self.warn("FS203", "queue-name-outer-blanks", f"queue name {written!r}", element,
                      f"read as {name!r}", "drop the blanks")  # fmt: skip
        return name

    def _duplicate_queue(self, queue: RawQueue, element: Element) -> None:
        self.steps.append((3, Finding(
            "FS208", "duplicate-queue", WARNING, f"queue {queue.key} is written twice", self.document.pos(element),
            "merged value by value, later ones win", "write it once", other=self.document.pos(queue.element),
        )))  # fmt: skip
        if not self.profile.features.merged_acls:
            for name in [name for name in queue.fields if name.startswith("acl")]:
                del queue.fields[name]

    def _read_field(self, fields: dict[str, Field], tag: str, parser: Parser, element: Element) -> None:
        if tag == "reservation":  # its presence counts, its text is never fetched
            fields[tag] = Field(True, element)
            return
        text = self._text(3, element)
        field = None if text is None else self._parse(3, parser, text, element)
        if field is None:
            return
        self.parsed[tag, text] = field.value
        name = ALIASES.get(tag, tag)
        earlier = fields.get(name)
        if earlier is not None:
            if name == "allowPreemptionFrom" and not earlier.value:
                self._duplicate(name, element, earlier.element, "false stays")
                return
            self._duplicate(name, earlier.element, element)
        fields[name] = field

    def _close_queue(self, queue: RawQueue, element: Element, nested: bool, own: Mapping[str, Element]) -> None:
        """Files the queue as leaf or parent. `own`: elements of this declaration alone that some checks look at."""
        kind = element.get("type")
        if not nested and not kind and not own:
            self.raw.leaves[queue.key] = None
            return
        features = self.profile.features
        typed = kind == "parent"
        if kind and not typed:
            self.warn("FS211", "type-attribute-ignored", f"type={kind!r}", element,
                      "ignored: only type=\"parent\" is read", 'write type="parent" or drop it')  # fmt: skip
        is_parent = typed or nested
        reservable = "reservation" in own
        early = self.reserves_early
        if early and typed and nested:
            self.refuse(3, "FS212", "type-parent-with-children",
                        f'{queue.key} has child queues and type="parent"', element, 'drop type="parent"')  # fmt: skip
        elif reservable and (typed or (is_parent and not early)):
            self.refuse(3, "FS213", "reservation-on-parent", f"{queue.key} is a parent and reservable",
                        own["reservation"], "reservations belong into leaves")  # fmt: skip
        if is_parent and "maxAMShare" in own:
            self._am_share_on_parent(queue.key, own["maxAMShare"])
        if is_parent or reservable:
            self.raw.parents[queue.key] = None
        if not is_parent and (not reservable or not (early or features.dynamic_queues)):
            self.raw.leaves[queue.key] = None  # YARN-8268: from 2.9 to 3.1 a reservable queue is in both sets

    def _am_share_on_parent(self, key: str, element: Element) -> None:
        if self.profile.features.am_share_on_parent_refused:
            self.refuse(3, "FS216", "am-share-on-parent", f"maxAMShare on {key}, which is a parent", element,
                        "move it into the leaves")  # fmt: skip
        else:
            self.warn("FS216", "am-share-on-parent", f"maxAMShare on {key}, which is a parent", element,
                      "no effect; refused from 3.2.3 and 3.3.1 on", "move it into the leaves")  # fmt: skip

    # -- helpers

    def _text(self, step: int, element: Element) -> str | None:
        """Returns the data of the first text node; None, with a finding, where Hadoop throws."""
        text = element.text
        if text is not None:
            return text
        if self.document.first_is_markup(element):
            self.refuse(step, "FS105", "markup-before-value", f"<{element.tag}> begins with markup, not text", element,
                        "write the value first")  # fmt: skip
        else:
            self.refuse(step, "FS104", "empty-value-element", f"<{element.tag}> is empty", element,
                        _EMPTY_ACL if "acl" in element.tag[:3] else "write a value or drop the element")  # fmt: skip
        return None

    def _parse(self, step: int, parser: Parser, text: str, element: Element) -> Field | None:
        try:
            return Field(parser(self.values, text), element)
        except ValueRefused as error:
            self.refuse(step, error.code, error.name, f"<{element.tag}>: {error.message}", element, error.hint)
            return None

    def _duplicate(self, name: str, dropped: Element, kept: Element, why: str = "the later value wins") -> None:
        self.steps.append((3, Finding(
            "FS116", "duplicate-value-element", WARNING, f"{name} is written twice", self.document.pos(dropped),
            f"not in force: {why}", "keep one", other=self.document.pos(kept),
        )))  # fmt: skip

    def refuse(self, step: int, code: str, name: str, message: str, element: Element, hint: str) -> None:
        self.steps.append(
            (step, Finding(code, name, ERROR, message, self.document.pos(element), self.refuse_text, hint, True))
        )

    def warn(self, code: str, name: str, message: str, element: Element, effect: str, hint: str = "") -> None:
        self.note(WARNING, code, name, message, element, effect, hint)

    def note(self, level: str, code: str, name: str, message: str, element: Element, effect: str, hint: str) -> None:
        self.steps.append((3, Finding(code, name, level, message, self.document.pos(element), effect, hint)))
