"""YAML with places: every value is text, nothing is guessed.

YAML's own reading is not used (`no` is not false, `1:30` is not 90, `010` is not 8). Repeated keys are refused with
both places; anchors, aliases, merge keys and tags are refused, so that no file can grow while it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, NoReturn, TypeAlias

import yaml

from fairsim.diag import Pos, did_you_mean
from fairsim.errors import InputError

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 50
_NULLS = ("", "~", "null", "Null", "NULL")


class Scalar(NamedTuple):
    """A text and its place; `plain` without quotes."""

    text: str
    pos: Pos
    plain: bool = True

    @property
    def is_null(self) -> bool:
        """Returns whether nothing (or `null`) is written."""
        return self.plain and self.text in _NULLS


class Seq(NamedTuple):
    """A list and its place."""

    items: tuple[Value, ...]
    pos: Pos


class Map(NamedTuple):
    """A map: pairs of key and value in the order of the file, no key twice."""

    items: tuple[tuple[Scalar, Value], ...]
    pos: Pos


Value: TypeAlias = Scalar | Seq | Map


class _Open:
    """A list or map whose end has not come yet; a map holds keys and values in turn."""

    __slots__ = ("is_map", "pos", "values")

    def __init__(self, is_map: bool, pos: Pos):
        self.is_map = is_map
        self.pos = pos
        self.values: list[Value] = []


def read_yaml(data: bytes, where: str) -> Value:
    """Returns the one document in `data`; `where` names the file in errors.

    Raises InputError with line and column for anything that is not plain YAML without aliases and tags.
    """
    if len(data) > MAX_BYTES:
        raise InputError(f"the file has {len(data)} bytes; fairsim reads at most {MAX_BYTES}", where=where)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("the file is not UTF-8", where=where, pos=Pos(line, 1), hint="save it as UTF-8") from None
    try:
        return _build(text, where)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        pos = _pos(mark) if mark else None
        problem = str(error.problem or error.context or "cannot be read")
        hint = "indent with blanks, not with tabs" if "'\\t'" in problem else None
        raise InputError(f"not YAML: {problem}", where=where, pos=pos, hint=hint) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - (text.rfind("\n", 0, error.position) + 1) + 1
        message = f"not YAML: the character U+{error.character:04X} may not occur"
        raise InputError(message, where=where, pos=Pos(line, column)) from None


def _build(text: str, where: str) -> Value:
    stack: list[_Open] = []
    root: Value | None = None
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.StreamStartEvent | yaml.StreamEndEvent | yaml.DocumentEndEvent):
            continue
        pos = _pos(event.start_mark)
        if isinstance(event, yaml.DocumentStartEvent):
            if root is not None:
                raise InputError("a second document begins", where=where, pos=pos, hint="keep one document per file")
            continue
        _check_event(event, where, pos)
        done: Value
        if isinstance(event, yaml.ScalarEvent):
            done = Scalar(event.value, pos, event.implicit[0])
        elif isinstance(event, yaml.CollectionStartEvent):
            stack.append(_Open(isinstance(event, yaml.MappingStartEvent), pos))
            if len(stack) > MAX_DEPTH:
                raise InputError(f"lists and maps are nested more than {MAX_DEPTH} deep", where=where, pos=pos)
            continue
        else:
            done = _close(stack.pop(), where)
        if stack:
            stack[-1].values.append(done)
        else:
            root = done
    if root is None:
        raise InputError("the file is empty", where=where)
    return root


def _pos(mark: Any) -> Pos:
    return Pos(mark.line + 1, mark.column + 1)


def _check_event(event: yaml.Event, where: str, pos: Pos) -> None:
    if isinstance(event, yaml.AliasEvent):
        message = f"the alias *{event.anchor} is not read"
        raise InputError(message, where=where, pos=pos, hint="write the value out again")
    anchor = getattr(event, "anchor", None)
    if anchor:
        raise InputError(f"the anchor &{anchor} is not read", where=where, pos=pos, hint="take it out")
    tag = getattr(event, "tag", None)
    if tag:
        message = f"the tag {tag} is not read"
        raise InputError(message, where=where, pos=pos, hint="take it out: every value is read as text")


def _close(done: _Open, where: str) -> Value:
    if not done.is_map:
        return Seq(tuple(done.values), done.pos)
    pairs: list[tuple[Scalar, Value]] = []
    seen: dict[str, Pos] = {}
    for key, value in zip(done.values[::2], done.values[1::2], strict=True):
        if not isinstance(key, Scalar):
            raise InputError("a key must be a text", where=where, pos=key.pos)
        first = seen.setdefault(key.text, key.pos)
        if first is not key.pos:
            message = f"the key {key.text!r:.60} is written twice, first at {first.line}:{first.column}"
            raise InputError(message, where=where, pos=key.pos, hint="keep one of the two")
        pairs.append((key, value))
    return Map(tuple(pairs), done.pos)


class YamlFile:
    """Reads values of one file and names it, with the place, in every error."""

    def __init__(self, where: str):
        self.where = where

    def fail(self, message: str, pos: Pos, hint: str | None = None) -> NoReturn:
        """Raises InputError at a place of this file."""
        raise InputError(message, where=self.where, pos=pos, hint=hint)

    def fields(self, value: Value, what: str, known: Iterable[str]) -> dict[str, tuple[Scalar, Value]]:
        """Returns key and value of a map by name; raises for keys not in `known`. Empty values are left out."""
        names = list(known)
        result = {}
        for key, item in self.map(value, what).items:
            if key.text not in names:
                near = did_you_mean(key.text, names)
                hint = f"did you mean {near}?" if near else "known keys are " + ", ".join(names)
                self.fail(f"unknown key {key.text!r:.60} in {what}", key.pos, hint)
            if not (isinstance(item, Scalar) and item.is_null):
                result[key.text] = (key, item)
        return result

    def map(self, value: Value, what: str) -> Map:
        """Returns the value if it is a map, else raises."""
        if isinstance(value, Map):
            return value
        return self.fail(f"{what} must be a map of keys and values, not {_kind(value)}", value.pos)

    def seq(self, value: Value, what: str) -> Seq:
        """Returns the value if it is a list, else raises."""
        if isinstance(value, Seq):
            return value
        return self.fail(f"{what} must be a list, not {_kind(value)}", value.pos)

    def text(self, value: Value, what: str) -> str:
        """Returns the value if it is a text, else raises; `null` is not one."""
        if isinstance(value, Scalar) and not value.is_null:
            return value.text
        return self.fail(f"{what} must be a single value, not {_kind(value)}", value.pos)

    def integer(self, value: Value, what: str, low: int, high: int) -> int:
        """Returns the value if it is a whole decimal number from low to high, else raises."""
        text = self.text(value, what)
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
            self.fail(f"{what} must be a whole number, not {text!r:.60}", value.pos)
        number = int(text)
        if not low <= number <= high:
            self.fail(f"{what} must be from {low} to {high}, not {text}", value.pos)
        return number

    def boolean(self, value: Value, what: str) -> bool:
        """Returns the value if it is `true` or `false`, else raises."""
        text = self.text(value, what)
        if text not in ("true", "false"):
            self.fail(f"{what} must be true or false, not {text!r:.60}", value.pos)
        return text == "true"


def plain(value: Value) -> str | list[object] | dict[str, object] | None:
    """Returns the value without places: text, list, map, or None where nothing is written."""
    if isinstance(value, Scalar):
        return None if value.is_null else value.text
    if isinstance(value, Seq):
        return [plain(item) for item in value.items]
    return {key.text: plain(item) for key, item in value.items}


def _kind(value: Value) -> str:
    if isinstance(value, Scalar):
        return "empty" if value.is_null else f"the text {value.text!r}"
    return "a list" if isinstance(value, Seq) else "a map"


def by_name(pairs: Mapping[str, tuple[Scalar, Value]], name: str) -> Value | None:
    """Returns the value of a key out of `YamlFile.fields`, None when it is not written."""
    pair = pairs.get(name)
    return pair[1] if pair else None
