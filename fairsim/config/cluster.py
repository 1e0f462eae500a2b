"""The `--cluster` argument to clusters: sizes as text, ranges of sizes, or a file.

Grammar of the text, blanks allowed around every part:

    SIZES  := SIZE (";" SIZE)*              several clusters
    SIZE   := ITEM ("+" ITEM)* | RANGE
    ITEM   := [COUNT "x"] AMOUNT ["@" RACK] ["#" PARTITION]
    AMOUNT := MEM "," VCORES ("," NAME "=" QTY)* | "<memory:" MEM ", vCores:" VCORES ("," NAME ":" QTY)* ">"
    RANGE  := ITEM ".." ITEM "/" STEP       STEP is an AMOUNT, or a COUNT "x" when the counts differ

A file ends in .yaml, .yml or .json, or exists under the name given. Neither yaml nor json is loaded for texts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from fairsim.config.node_values import (
    Place,
    check_cluster,
    check_partition,
    check_rack,
    check_type,
    read_quantity,
    read_size,
)
from fairsim.diag import Pos, did_you_mean
from fairsim.errors import InputError, UsageError
from fairsim.model.cluster import DEFAULT_RACK, Cluster, NodeGroup, Quantity
from fairsim.model.resources import ResourceTypes
from fairsim.patterns import Pattern
from fairsim.units import format_amount, human_memory, parse_memory, parse_vcores

WHERE = "--cluster"
MAX_CLUSTERS = 1000
MAX_BYTES = 256 * 1024 * 1024
_FILE_ENDINGS = (".yaml", ".yml", ".json")

_COUNT = Pattern(r"\s*([0-9]+)\s*([xX*\u00d7])\s*")
_COUNT_MARKS = frozenset("xX*\u00d7")
_STEP = Pattern(r"/(?=\s*[0-9<])")
_COUNT_STEP = Pattern(r"\s*([0-9]+)\s*[xX]?\s*")
_VCORES_FIRST = Pattern(r"[0-9]+\s*(?:c|v?cores?)", re.IGNORECASE)
_VCORES_END = frozenset("cCeEsS")
_NAMED = Pattern(r"\s*([^=:\s]*)\s*[=:]\s*")
_MEMORY_NAMES = ("memory", "memory-mb")


def parse_cluster(text: str, types: ResourceTypes | None = None) -> Cluster:
    """Returns the one cluster that `text` describes; see `parse_clusters`. UsageError when it describes several."""
    clusters = parse_clusters([text], types)
    if len(clusters) != 1:
        message = f"{text!r:.60} describes {len(clusters)} clusters; one is needed here"
        raise UsageError(message, where=WHERE, hint=f"write one size, such as {clusters[0].source}")
    return clusters[0]


def parse_clusters(texts: Sequence[str], types: ResourceTypes | None = None) -> list[Cluster]:
    """Returns the clusters that the arguments describe, in order: one for each size, range step and file.

    `types` are the resource types of yarn-site: when they have custom ones, no others may occur, and quantities must
    be whole in their units. Raises InputError with file, line and column, or the column in the argument.
    """
    clusters = [cluster for text in texts for cluster in _parse(text, types)]
    if len(clusters) > MAX_CLUSTERS:
        raise InputError(f"these are {len(clusters)} clusters; fairsim takes at most {MAX_CLUSTERS}", where=WHERE)
    return clusters


def _parse(text: str, types: ResourceTypes | None) -> list[Cluster]:
    name = text.strip()
    # pathlib takes longer to load than all else here
    if name.lower().endswith(_FILE_ENDINGS) or ("\0" not in name and os.path.isfile(name)):
        return [read_cluster_file(name, types)]
    if not name:
        raise InputError("the size of the cluster is empty", where=WHERE, hint="write a size such as 800g,200c")
    if "," not in name and ("/" in name or re.search(r"\.[A-Za-z]{2,}$", name)):
        hint = "write a size such as 800g,200c, or the name of a .yaml or .json file"
        raise InputError(f"there is no file {name!r:.60}, and it is not a size either", where=WHERE, hint=hint)
    parser = _Text(types)
    return [cluster for piece in _split(Part(text, 0), ";") for cluster in parser.size(piece)]


def read_cluster_file(name: str, types: ResourceTypes | None = None) -> Cluster:
    """Returns the cluster of a YAML description or of JSON saved from the ResourceManager; see `cluster_from_bytes`."""
    try:
        with open(name, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        message = f"the cluster file cannot be read: {error.strerror or error}"
        raise InputError(message, where=name, hint="write a size such as 800g,200c, or an existing file") from None
    return cluster_from_bytes(data, name, types)


def cluster_from_bytes(data: bytes, name: str, types: ResourceTypes | None = None) -> Cluster:
    """Returns the cluster described by the contents of the file `name`: JSON if they begin with `{`, else YAML."""
    if len(data) > MAX_BYTES:
        raise InputError(f"the file is larger than {MAX_BYTES} bytes", where=name)
    begin = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin.startswith((b"{", b"[")) and not name.lower().endswith((".yaml", ".yml")):
        from fairsim.config.cluster_rm import cluster_from_rm  # loads json

        return cluster_from_rm(data, name, types)
    if begin.startswith(b"<"):
        hint = "save it as JSON: ask for /ws/v1/cluster/nodes with the header Accept: application/json"
        raise InputError("the file is XML, not a description of a cluster", where=name, hint=hint)
    from fairsim.config.cluster_yaml import cluster_from_yaml  # loads yaml

    return cluster_from_yaml(data, name, types)


class Part:
    """A piece of the argument and where it begins in it, counted from 0."""

    __slots__ = ("start", "text")

    def __init__(self, text: str, start: int):
        self.text = text
        self.start = start

    def cut(self, begin: int, end: int | None = None) -> Part:
        """Returns the piece from `begin` to `end` without blanks around it."""
        piece = self.text[begin:end]
        return Part(piece.strip(), self.start + begin + len(piece) - len(piece.lstrip()))

    @property
    def place(self) -> Place:
        """Returns the place, as a column of the argument."""
        return Place(WHERE, Pos(1, self.start + 1))


def _split(part: Part, mark: str) -> Iterator[Part]:
    """Yields the pieces between marks that are not inside `<...>`."""
    begin, depth = 0, 0
    for index, char in enumerate(part.text):
        depth += (char == "<") - (char == ">")
        if char == mark and depth <= 0:
            yield part.cut(begin, index)
            begin = index + 1
    yield part.cut(begin)


class _Text:
    """The grammar of the text, for one set of resource types."""

    def __init__(self, types: ResourceTypes | None):
        self.types = types

    def size(self, part: Part) -> list[Cluster]:
        if ".." in part.text:
            return self.range(part)
        items = list(_split(part, "+"))
        groups = tuple(self.item(item) for item in items)
        return [self.cluster(groups, part.text, [item.place for item in items])]

    def cluster(self, groups: tuple[NodeGroup, ...], source: str, places: list[Place]) -> Cluster:
        names = dict.fromkeys(quantity.name for group in groups for quantity in group.custom)
        known = dict(zip(self.types.names, self.types.units, strict=True)) if self.types else {}
        units = tuple((name, known.get(name, "")) for name in names)
        return check_cluster(Cluster(groups, source, units), places)

    def item(self, part: Part) -> NodeGroup:
        """Returns the nodes of one ITEM."""
        if not part.text:
            raise part.place.error("a size is missing here", "write a size such as 800g,200c")
        size, counted, begin = 1, False, 0
        if not _COUNT_MARKS.isdisjoint(part.text) and (match := _COUNT.match(part.text)):
            if match[2] in "*\u00d7":
                raise part.cut(match.start(2)).place.error("the count is followed by an x", f"write {match[1]}x")
            size, counted, begin = read_size(match[1], part.place), True, match.end()
        text = part.text
        label, rack_at = text.find("#", begin), text.find("@", begin)
        if 0 <= label < rack_at:
            raise part.cut(rack_at).place.error("the rack comes before the partition", "write 40x20g,5c@/r1#gpu")
        end = min((mark for mark in (label, rack_at) if mark >= 0), default=len(text))
        memory, vcores, custom = self.amount(part.cut(begin, end))
        rack, partition = DEFAULT_RACK, ""
        if rack_at >= 0:
            piece = part.cut(rack_at + 1, label if label >= 0 else None)
            rack = check_rack(piece.text, piece.place)
        if label >= 0:
            piece = part.cut(label + 1)
            partition = check_partition(piece.text, piece.place)
        return NodeGroup(size, memory, vcores, custom, rack=rack, partition=partition, counted=counted)

    def amount(self, part: Part) -> tuple[int, int, tuple[Quantity, ...]]:
        """Returns memory in MB, vcores and the custom quantities of one AMOUNT."""
        if part.text.startswith("<"):
            if not part.text.endswith(">"):
                raise part.place.error("the closing > is missing", "write <memory:8192, vCores:8>")
            part = part.cut(1, -1)
        pieces = list(_split(part, ","))
        names = [_NAMED.match(piece.text) if "=" in piece.text or ":" in piece.text else None for piece in pieces]
        bare = [piece for piece, name in zip(pieces, names, strict=True) if name is None]
        if len(bare) > 2:
            hint = "write MEMORY,VCORES and then NAME=NUMBER; thousands are written without marks"
            raise bare[2].place.error(f"{bare[2].text!r:.60} is one amount too many", hint)
        if len(bare) == 2 and bare[0].text[-1:] in _VCORES_END and _VCORES_FIRST.fullmatch(bare[0].text):
            bare.reverse()
        keys = [("memory", piece, piece) for piece in bare[:1]] + [("vcores", piece, piece) for piece in bare[1:]]
        for piece, name in zip(pieces, names, strict=True):
            if name is not None:
                keys.append((self.key(name[1], piece), piece, piece.cut(name.end())))
        return self.values(part, keys)

    def key(self, name: str, piece: Part) -> str:
        if name.lower() in _MEMORY_NAMES:
            return "memory"
        if name.lower() == "vcores":
            return "vcores"
        return check_type(name, self.types, piece.place)

    def values(self, part: Part, keys: list[tuple[str, Part, Part]]) -> tuple[int, int, tuple[Quantity, ...]]:
        first: dict[str, Part] = {}
        memory = vcores = -1
        custom = []
        for key, piece, value in keys:
            if key in first:
                later, earlier = (piece, first[key]) if piece.start > first[key].start else (first[key], piece)
                message = f"{key} is given twice, first in column {earlier.start + 1}"
                raise later.place.error(message, "keep one of the two")
            first[key] = piece
            if key == "memory":
                memory = value.place.parse(parse_memory, value.text)
            elif key == "vcores":
                vcores = value.place.parse(parse_vcores, value.text)
            else:
                custom.append(read_quantity(value.text, key, self.types, value.place))
        if memory < 0:
            hint = _meant("memory", first) or "write memory, then vcores: 800g,200c"
            raise part.place.error(f"{part.text!r:.60} has no memory", hint)
        if vcores < 0:
            hint = _meant("vcores", first) or "write memory, then vcores: 800g,200c"
            raise part.place.error(f"{part.text!r:.60} has no vcores", hint)
        return memory, vcores, tuple(custom)

    def range(self, part: Part) -> list[Cluster]:
        """Returns the clusters from the first size to the last, both included."""
        middle = part.text.index("..")
        steps = list(_STEP.finditer(part.text, middle))
        if not steps:
            hint = f"add the step after a slash: {part.text:.60}/1g,1c, or /10x where the counts of nodes differ"
            raise part.place.error("a range of sizes needs a step", hint)
        slash = steps[-1].start()
        first, last, step = part.cut(0, middle), part.cut(middle + 2, slash), part.cut(slash + 1)
        for end in (first, last, step):
            for mark in "+@#":
                if mark in end.text:
                    message = f"a range takes single sizes, without {mark}"
                    raise end.cut(end.text.index(mark)).place.error(message, "write 400g,100c..1600g,400c/400g,100c")
        begin, finish = self.item(first), self.item(last)
        if begin.counted != finish.counted:
            raise last.place.error("one end of the range has a count, the other has none", "write both as COUNTxSIZE")
        if begin.size != finish.size:
            groups = self.count_range(begin, finish, last, step)
        else:
            groups = self.size_range(begin, finish, last, step)
        return [self.cluster((group,), _describe(group), [part.place]) for group in groups]

    def count_range(self, begin: NodeGroup, finish: NodeGroup, last: Part, step: Part) -> list[NodeGroup]:
        if finish._replace(size=begin.size) != begin:
            raise last.place.error("count and size of the nodes both change in this range", "let one of them change")
        match = _COUNT_STEP.fullmatch(step.text)
        if not match:
            raise step.place.error(f"{step.text!r:.60} is not a number of nodes to step by", "write a step such as 10x")
        number = _steps([(begin.size, finish.size, read_size(match[1], step.place), "the count")], last)
        width = (finish.size - begin.size) // number
        return [begin._replace(size=begin.size + width * index) for index in range(number + 1)]

    def size_range(self, begin: NodeGroup, finish: NodeGroup, last: Part, step: Part) -> list[NodeGroup]:
        memory, vcores, custom = self.amount(step)
        ends = {quantity.name: quantity for quantity in finish.custom}
        widths = {quantity.name: quantity for quantity in custom}
        if {quantity.name for quantity in begin.custom} != set(ends) or not set(widths) <= set(ends):
            raise last.place.error("the resource types of start, end and step differ", "name the same ones in each")
        lanes = [(begin.memory_mb, finish.memory_mb, memory, "memory"), (begin.vcores, finish.vcores, vcores, "vcores")]
        for quantity in begin.custom:
            end, width = ends[quantity.name], widths.get(quantity.name, Quantity(quantity.name, 0, quantity.unit))
            if not quantity.unit == end.unit == width.unit:
                raise last.place.error(f"the units of {quantity.name} differ", "write the same unit in each")
            lanes.append((quantity.value, end.value, width.value, quantity.name))
        number = _steps(lanes, last)
        groups = []
        for index in range(number + 1):
            values = [low + (high - low) // number * index for low, high, _width, _name in lanes]
            kept = tuple(old._replace(value=new) for old, new in zip(begin.custom, values[2:], strict=True))
            groups.append(begin._replace(memory_mb=values[0], vcores=values[1], custom=kept))
        return groups


def _steps(lanes: Sequence[tuple[int, int, int, str]], last: Part) -> int:
    """Returns how many steps lead from start to end, the same number for every lane (start, end, step, name)."""
    counts: dict[str, int] = {}
    for low, high, width, name in lanes:
        if high < low:
            raise last.place.error(f"{name} goes down, from {low} to {high}", "write the smaller size first")
        if high == low and not width:
            continue
        if not width or (high - low) % width:
            wanted = f"in steps of {width}" if width else "without a step"
            hint = "choose a step that divides the difference" if width else "give the step for it too"
            raise last.place.error(f"{name} does not get from {low} to {high} {wanted}", hint)
        counts[name] = (high - low) // width
    if len(set(counts.values())) != 1:
        said = ", ".join(f"{count} for {name}" for name, count in counts.items()) or "none"
        raise last.place.error(f"the parts of the range need different numbers of steps: {said}", "adjust the step")
    number = next(iter(counts.values()))
    if not 1 <= number < MAX_CLUSTERS:
        raise last.place.error(f"the range has {number} steps", f"give a range of 1 to {MAX_CLUSTERS - 1} steps")
    return number


def _meant(name: str, written: Iterable[str]) -> str:
    near = next((word for word in written if word not in ("memory", "vcores") and did_you_mean(word, [name])), "")
    return f"did you mean {name}, not {near}?" if near else ""


def _describe(group: NodeGroup) -> str:
    units = [(quantity.name, quantity.unit) for quantity in group.custom]
    names, marks = [name for name, _unit in units], [unit for _name, unit in units]
    types = ResourceTypes(("memory-mb", "vcores", *names), ("Mi", "", *marks))
    amount = (group.memory_mb, group.vcores, *(quantity.value for quantity in group.custom))
    exact = "~" not in human_memory(group.memory_mb)
    return (f"{group.size}x" if group.counted else "") + format_amount(amount, types, human=exact)
