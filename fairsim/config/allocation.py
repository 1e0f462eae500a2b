"""An allocation file as one Hadoop version reads it: located values, what is refused, what is not in force.

Follows AllocationFileLoaderService, AllocationFileParser and AllocationFileQueueParser. Hadoop stops at the first
error; here reading goes on behind it, so that every error is found, and the findings keep Hadoop's order of checks.
"""

from __future__ import annotations

from typing import Any

from fairsim.config.names import ROOT, trim_name
from fairsim.config.placement_syntax import Rule, read_placement
from fairsim.config.values import ALIASES, QUEUE_ELEMENTS, TOP_ELEMENTS, Parser, ValueRefused, Values
from fairsim.diag import ERROR, INFO, WARNING, Finding, did_you_mean
from fairsim.model.queues import Field
from fairsim.model.resources import ResourceTypes
from fairsim.profiles import Profile
from fairsim.xmlio.reader import Document, Element

# Tags with which 'queue' ends: Hadoop asks the wrong way round, so all of them nest a queue inside a queue
CHILD_QUEUE_TAGS = frozenset({"queue", "pool", "ueue", "eue", "ue", "e"})


class RawQueue:
    """One queue as the file declares it, several declarations merged."""

    __slots__ = ("element", "fields", "key")

    def __init__(self, key: str, element: Element):
        self.key = key
        self.element = element
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
        features = profile.features._asdict()
        self.queue_parsers: dict[str, Parser] = {
            tag: parser for tag, (parser, feature) in QUEUE_ELEMENTS.items() if feature is None or features[feature]
        }
        self.top_parsers: dict[str, tuple[Parser, bool]] = {
            tag: (parser, lazy and profile.features.lazy_defaults)
            for tag, (parser, feature, lazy) in TOP_ELEMENTS.items()
            if feature is None or features[feature]
        }
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
                self._unknown_top(element)
        return queues, placement, lazy

    def _read_default(self, tag: str, element: Element, lazy: dict[str, tuple[str, Element]]) -> None:
        parser, is_lazy = self.top_parsers[tag]
        name = ALIASES.get(tag, tag)
        defaults = self.raw.defaults
        first_wins = tag == "fairSharePreemptionTimeout" and not self.profile.features.lazy_defaults
        if first_wins and ("defaultFairSharePreemptionTimeout" in defaults or tag in defaults):
            self.warn("FS117", "shadowed-legacy-timeout", f"<{tag}>", element, "not read", "drop it")
            return
        text = self._text(2, element)
        if text is None:
            return
        earlier = lazy.get(name, (None, None))[1] or (defaults[name].element if name in defaults else None)
        if earlier is not None:
            self._duplicate(name, earlier, element)
        if is_lazy:
            lazy[name] = (text, element)
        else:
            field = self._parse(2, parser, text, element)
            if field is not None:
                if tag == "defaultFairSharePreemptionTimeout":
                    defaults.pop("fairSharePreemptionTimeout", None)
                defaults[name] = field

    def _read_lazy(self, lazy: dict[str, tuple[str, Element]]) -> None:
        """Parses what Hadoop 3.1 and later parses last, in its order; what it never needs is not checked."""
        root_fields = self.raw.queues[ROOT].fields if ROOT in self.raw.queues else {}
        shadows = {
            "defaultMinSharePreemptionTimeout": "minSharePreemptionTimeout" in root_fields,
            "defaultFairSharePreemptionTimeout": "fairSharePreemptionTimeout" in root_fields,
            "fairSharePreemptionTimeout": "fairSharePreemptionTimeout" in root_fields
            or "defaultFairSharePreemptionTimeout" in lazy,
            "defaultFairSharePreemptionThreshold": "fairSharePreemptionThreshold" in root_fields,
            "userMaxAppsDefault": False,
            "queueMaxResourcesDefault": False,
            "queueMaxAppsDefault": False,
            "queueMaxAMShareDefault": False,
        }
        for name, shadowed in shadows.items():
            if name not in lazy:
                continue
            text, element = lazy[name]
            step = 6 if name in ("userMaxAppsDefault", "queueMaxResourcesDefault", "queueMaxAppsDefault",
                                 "queueMaxAMShareDefault") else 5  # fmt: skip
            if shadowed:
                legacy = name == "fairSharePreemptionTimeout" and "defaultFairSharePreemptionTimeout" in lazy
                by = "defaultFairSharePreemptionTimeout" if legacy else "the value of the root queue"
                code, kind = ("FS117", "shadowed-legacy-timeout") if legacy else ("FS122", "hidden-default")
                self.note(WARNING if legacy else INFO, code, kind, f"<{name}>", element,
                          f"not read: {by} is used", "drop one of the two")  # fmt: skip
                continue
            field = self._parse(step, self.top_parsers[name][0], text, element)
            if field is not None:
                self.raw.defaults[name] = field

    def _read_user(self, element: Element) -> None:
        name = element.get("name") or ""
        for child in element:
            if child.tag != "maxRunningApps":
                self.warn("FS111", "unknown-user-element", f"<{child.tag}> in <user>", child, "silently ignored")
                continue
            text = self._text(2, child)
            field = None if text is None else self._parse(2, Values.integer, text, child)
            if field is not None:
                self.raw.users[name] = field

    def _unknown_top(self, element: Element) -> None:
        tag = element.tag
        if tag in TOP_ELEMENTS:
            self._too_new(tag, element)
            return
        if tag in QUEUE_ELEMENTS:
            self.warn("FS110", "queue-element-at-top-level", f"<{tag}> outside of a queue", element,
                      "ignored", "move it into a <queue>")  # fmt: skip
            return
        near = did_you_mean(tag, (*TOP_ELEMENTS, "queue", "pool", "user", "queuePlacementPolicy"))
        self.warn("FS107", "unknown-top-level-element", f"unknown element <{tag}>", element,
                  "ignored", f"did you mean <{near}>?" if near else "")  # fmt: skip

    # -- queues

    def _read_queue(self, element: Element, parent: str | None) -> None:
        # an explicit stack: a hostile file may nest deeper than Python recurses
        stack = [self._open_queue(element, parent)]
        while stack:
            frame = stack[-1]
            for child in frame.children:
                tag = child.tag
                parser = self.queue_parsers.get(tag)
                if parser is not None:
                    self._read_field(frame, tag, parser, child)
                elif tag in CHILD_QUEUE_TAGS:
                    frame.nested = True
                    stack.append(self._open_queue(child, frame.key))
                    break
                else:
                    self._unknown_in_queue(child)
            else:
                stack.pop()
                self._close_queue(frame)

    def _open_queue(self, element: Element, parent: str | None) -> _Frame:
        features = self.profile.features
        if element.tag not in ("queue", "pool"):
            self.warn("FS113", "suffix-tag-becomes-queue", f"<{element.tag}>", element,
                      "Hadoop takes it for a queue", "write <queue>")  # fmt: skip
        written = element.get("name") or ""
        name = trim_name(written, self.profile)
        if "." in name and features.no_dots_in_names:
            self.refuse(3, "FS202", "queue-name-has-dot", f"queue name {name!r} contains a dot", element,
                        "nest the queues instead")  # fmt: skip
        if not name and features.nonempty_names:
            self.refuse(3, "FS201", "queue-name-missing", "a queue without a name", element, 'write name="..."')
        if name != written:
            self.warn("FS203", "queue-name-outer-blanks", f"queue name {written!r}", element,
                      f"read as {name!r}", "drop the blanks")  # fmt: skip
        key = name if parent is None else f"{parent}.{name}"
        queue = self.raw.queues.get(key)
        if queue is None:
            queue = self.raw.queues[key] = RawQueue(key, element)
        else:
            self._duplicate_queue(queue, element)
        return _Frame(queue, element)

    def _duplicate_queue(self, queue: RawQueue, element: Element) -> None:
        self.steps.append((3, Finding(
            "FS208", "duplicate-queue", WARNING, f"queue {queue.key} is written twice", self.document.pos(element),
            "merged value by value, later ones win", "write it once", other=self.document.pos(queue.element),
        )))  # fmt: skip
        if not self.profile.features.merged_acls:
            for name in [name for name in queue.fields if name.startswith("acl")]:
                del queue.fields[name]

    def _read_field(self, frame: _Frame, tag: str, parser: Parser, element: Element) -> None:
        fields = frame.queue.fields
        if tag in ("maxAMShare", "reservation"):
            frame.own[tag] = element
            if tag == "reservation":  # its presence counts, its text is never fetched
                fields[tag] = Field(True, element)
                return
        text = element.text
        value = self.parsed.get((tag, text))  # large files write the same few values again and again
        if value is None:
            text = self._text(3, element)
            field = None if text is None else self._parse(3, parser, text, element)
            if field is None:
                return
            self.parsed[tag, text] = field.value
        else:
            field = Field(value, element)
        name = ALIASES.get(tag, tag)
        earlier = fields.get(name)
        if earlier is not None:
            if name == "allowPreemptionFrom" and not earlier.value:
                return
            self._duplicate(name, earlier.element, element)
        fields[name] = field

    def _unknown_in_queue(self, element: Element) -> None:
        tag = element.tag
        if tag in QUEUE_ELEMENTS:
            self._too_new(tag, element)
            return
        if tag in TOP_ELEMENTS or tag in ("user", "queuePlacementPolicy"):
            self.warn("FS109", "top-level-element-inside-queue", f"<{tag}> inside a queue", element,
                      "silently ignored", "move it directly below <allocations>")  # fmt: skip
            return
        near = did_you_mean(tag, QUEUE_ELEMENTS)
        self.warn("FS108", "unknown-queue-element", f"unknown element <{tag}>", element,
                  "silently ignored", f"did you mean <{near}>?" if near else "")  # fmt: skip

    def _close_queue(self, frame: _Frame) -> None:
        queue, element = frame.queue, frame.element
        features = self.profile.features
        kind = element.get("type")
        typed = kind == "parent"
        if kind and not typed:
            self.warn("FS211", "type-attribute-ignored", f"type={kind!r}", element,
                      "ignored: only type=\"parent\" is read", 'write type="parent" or drop it')  # fmt: skip
        is_parent = typed or frame.nested
        reservable = "reservation" in frame.own
        early = features.reservations and not features.typed_parent_with_children  # 2.7 and 2.8, until YARN-4975
        if early and typed and frame.nested:
            self.refuse(3, "FS212", "type-parent-with-children",
                        f'{queue.key} has child queues and type="parent"', element, 'drop type="parent"')  # fmt: skip
        elif reservable and (typed or (is_parent and not early)):
            self.refuse(3, "FS213", "reservation-on-parent", f"{queue.key} is a parent and reservable",
                        frame.own["reservation"], "reservations belong into leaves")  # fmt: skip
        if is_parent and "maxAMShare" in frame.own:
            self._am_share_on_parent(queue.key, frame.own["maxAMShare"])
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
                        "write a value or drop the element")  # fmt: skip
        return None

    def _parse(self, step: int, parser: Parser, text: str, element: Element) -> Field | None:
        try:
            return Field(parser(self.values, text), element)
        except ValueRefused as error:
            self.refuse(step, error.code, error.name, f"<{element.tag}>: {error.message}", element, error.hint)
            return None

    def _duplicate(self, name: str, earlier: Element, later: Element) -> None:
        self.steps.append((3, Finding(
            "FS116", "duplicate-value-element", WARNING, f"{name} is written twice", self.document.pos(earlier),
            "not in force: the later value wins", "keep one", other=self.document.pos(later),
        )))  # fmt: skip

    def _too_new(self, tag: str, element: Element) -> None:
        self.warn("FS426", "element-unsupported-in-target", f"<{tag}>", element,
                  f"ignored: Hadoop {self.profile.label} does not know it")  # fmt: skip

    def refuse(self, step: int, code: str, name: str, message: str, element: Element, hint: str) -> None:
        self.steps.append(
            (step, Finding(code, name, ERROR, message, self.document.pos(element), self.refuse_text, hint, True))
        )

    def warn(self, code: str, name: str, message: str, element: Element, effect: str, hint: str = "") -> None:
        self.note(WARNING, code, name, message, element, effect, hint)

    def note(self, level: str, code: str, name: str, message: str, element: Element, effect: str, hint: str) -> None:
        self.steps.append((3, Finding(code, name, level, message, self.document.pos(element), effect, hint)))


class _Frame:
    """One open queue element on the stack of the reader."""

    __slots__ = ("children", "element", "key", "nested", "own", "queue")

    def __init__(self, queue: RawQueue, element: Element):
        self.queue = queue
        self.key = queue.key
        self.element = element
        self.children = iter(element)
        self.nested = False
        self.own: dict[str, Element] = {}  # of this declaration alone: what some checks look at
