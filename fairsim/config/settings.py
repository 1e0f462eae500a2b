"""fairsim's own settings: flag, then environment, then the settings file of the current folder, then the default.

The file is `.fairsim.yaml`, or `[tool.fairsim]` of pyproject.toml beside it; no other folder is searched. Paths in it
are relative to it, paths in flags and the environment to the current folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairsim.diag import Pos, did_you_mean
from fairsim.errors import InputError

FILE_NAME = ".fairsim.yaml"
PYPROJECT = "pyproject.toml"
PREFIX = "FAIRSIM_"
_OTHER_VARIABLES = ("FAIRSIM_DEBUG",)  # read by the command line itself
MAX_BYTES = 4 * 1024 * 1024

TEXT, PATH, PATHS, SIZE, FLAG, NUMBER, LIST = "text", "path", "paths", "size", "flag", "number", "list"

SettingValue = str | bool | int | tuple[str, ...]


class Key:
    """A setting: its name (as in the flag), kind, and the only values it can have, if there are such."""

    __slots__ = ("choices", "kind", "meaning", "name")

    def __init__(self, name: str, kind: str, meaning: str, choices: tuple[str, ...] = ()):
        self.name = name
        self.kind = kind
        self.meaning = meaning
        self.choices = choices


_TABLE = (
    Key("alloc", PATH, "the allocation file"),
    Key("hadoop", TEXT, "the Hadoop version, such as 3.4"),
    Key("cluster", SIZE, "the size of the cluster, or a file that describes it"),
    Key("yarn-site", PATHS, "yarn-site.xml"),
    Key("resource-types", PATHS, "resource-types.xml"),
    Key("define", LIST, "yarn-site values, NAME=VALUE"),
    Key("format", TEXT, "the form of the output"),
    Key("columns", LIST, "the columns of tables"),
    Key("human", FLAG, "memory in g as well"),
    Key("wide", FLAG, "every column"),
    Key("width", NUMBER, "characters per line"),
    Key("color", TEXT, "colours", ("auto", "always", "never")),
    Key("fail-on", TEXT, "findings that make the exit code 1", ("error", "warning", "info", "never")),
    Key("select", LIST, "codes of rules to run"),
    Key("ignore", LIST, "codes of rules to leave out"),
    Key("per-file-ignore", LIST, "codes of rules to leave out in some files, PATTERN:CODES"),
    Key("baseline", PATH, "findings that are known and put up with"),
)

KEYS: dict[str, Key] = {key.name: key for key in _TABLE}

_WORDS = {
    "1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False,
}  # fmt: skip


class Setting(NamedTuple):
    """A value and where it comes from: a flag, a variable, a file with line and column."""

    value: SettingValue
    origin: str


class Settings(NamedTuple):
    """The settings in force by name, and remarks for people (a file that is not read, an unknown variable)."""

    values: Mapping[str, Setting]
    notes: tuple[str, ...] = ()

    def get(self, name: str) -> Setting | None:
        """Returns the setting, None when nobody gave it (its default is up to the command)."""
        return self.values.get(name)

    def text(self, name: str) -> str | None:
        """Returns the value of a setting that is one text, None when nobody gave it."""
        setting = self.values.get(name)
        return setting.value if setting is not None and isinstance(setting.value, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """Returns the value of a setting that is a list of texts, empty when nobody gave it."""
        setting = self.values.get(name)
        return setting.value if setting is not None and isinstance(setting.value, tuple) else ()

    def flag(self, name: str) -> bool:
        """Returns whether a flag is set."""
        setting = self.values.get(name)
        return setting is not None and setting.value is True


def read_settings(
    folder: str = ".",
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, SettingValue | None] | None = None,
    *,
    config: str | None = None,
    use_file: bool = True,
) -> Settings:
    """Returns the settings in force: `flags` over `environ` over the file of `folder`.

    `flags` maps names to values, None for a flag that was not given. `config` is a settings file to read instead of
    the folder's; `use_file=False` reads none. Raises InputError, with the place, for unknown keys and wrong values.
    """
    notes: list[str] = []
    values: dict[str, Setting] = {}
    if config is not None:
        values.update(_read_file(config))
    elif use_file:
        values.update(_read_folder(folder, notes))
    values.update(_read_environment(environ or {}, notes))
    for name, value in (flags or {}).items():
        if value is not None and value != ():
            values[name] = Setting(value, f"--{name}")
    used = [name for name, setting in values.items() if not setting.origin.startswith(("--", PREFIX))]
    if used:
        file = values[used[0]].origin.partition(":")[0]
        notes.append(f"settings from {file}: {', '.join(used)}")
    return Settings(values, tuple(notes))


def _read_folder(folder: str, notes: list[str]) -> dict[str, Setting]:
    own, project = _join(folder, FILE_NAME), _join(folder, PYPROJECT)
    if os.path.isfile(own):
        if os.path.isfile(project) and "tool.fairsim" in _read(project).decode("utf-8", "replace"):
            notes.append(f"{PYPROJECT} has [tool.fairsim], which is not read beside {FILE_NAME}")
        return _from_yaml(own)
    return _from_pyproject(project) if os.path.isfile(project) else {}


def _read_file(path: str) -> dict[str, Setting]:
    if not path.lower().endswith(".toml"):
        return _from_yaml(path)
    return _from_pyproject(path)


def _join(folder: str, name: str) -> str:
    return name if folder in ("", ".") else os.path.join(folder, name)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"the settings cannot be read: {error.strerror or error}", where=path) from None
    if len(data) > MAX_BYTES:
        raise InputError(f"the settings are larger than {MAX_BYTES} bytes", where=path)
    return data


def _from_yaml(path: str) -> dict[str, Setting]:
    from fairsim.config.yamlio import Scalar, Seq, YamlFile, read_yaml  # loads yaml

    data = _read(path)
    if not data.strip():
        return {}
    reader = YamlFile(path)
    found = {}
    for name, (written, value) in reader.fields(read_yaml(data, path), "the settings", KEYS).items():
        pos = value.pos
        texts: str | tuple[str, ...]
        if isinstance(value, Seq):
            texts = tuple(reader.text(item, name) for item in value.items)
        elif isinstance(value, Scalar):
            texts = value.text
        else:
            reader.fail(f"{name} must be a text or a list, not a map", written.pos)
        found[name] = Setting(_value(KEYS[name], texts, path, pos), f"{path}:{pos.line}:{pos.column}")
    return _beside(found, path)


def _from_pyproject(path: str) -> dict[str, Setting]:
    data = _read(path)
    if b"fairsim" not in data or b"tool" not in data:
        return {}
    import tomllib  # only when there is something to read

    try:
        tools = tomllib.loads(data.decode("utf-8")).get("tool")
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8", where=path, hint="save it as UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r" \(at line ([0-9]+), column ([0-9]+)\)$", str(error))
        pos = Pos(int(place[1]), int(place[2])) if place else None
        raise InputError(f"not TOML: {str(error)[: place.start() if place else None]}", where=path, pos=pos) from None
    table = tools.get("fairsim") if isinstance(tools, dict) else None
    if table is None:
        return {}
    if not isinstance(table, dict):
        raise InputError("tool.fairsim is not a table", where=path, hint="write [tool.fairsim]")
    found = {}
    for name, value in table.items():
        if name not in KEYS:
            raise InputError(f"unknown key {name!r} in [tool.fairsim]", where=path, hint=_known(name))
        given = value if isinstance(value, list) else [value]
        if not all(isinstance(item, str | bool | int) for item in given):
            hint = f'write {name} = "{value}"' if isinstance(value, float) else None
            raise InputError(f"tool.fairsim.{name} must be a text or a list of texts", where=path, hint=hint)
        texts = tuple(str(item).lower() if isinstance(item, bool) else str(item) for item in given)
        one = texts if isinstance(value, list) else texts[0]
        found[name] = Setting(_value(KEYS[name], one, path, None), f"{path}: tool.fairsim.{name}")
    return _beside(found, path)


def _read_environment(environ: Mapping[str, str], notes: list[str]) -> dict[str, Setting]:
    found = {}
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable in _OTHER_VARIABLES or not environ[variable]:
            continue
        name = variable.removeprefix(PREFIX).lower().replace("_", "-")
        if name not in KEYS:
            near = did_you_mean(name, KEYS)
            meant = f"; did you mean {PREFIX}{near.upper().replace('-', '_')}?" if near else ""
            notes.append(f"the variable {variable} is no setting of fairsim{meant}")
            continue
        text = environ[variable]
        separator = os.pathsep if KEYS[name].kind == PATHS else ","
        texts = tuple(text.split(separator)) if KEYS[name].kind in (LIST, PATHS) else text
        found[name] = Setting(_value(KEYS[name], texts, variable, None), variable)
    return found


def _value(key: Key, texts: str | tuple[str, ...], where: str, pos: Pos | None) -> SettingValue:
    """Returns the text or texts as the kind of the setting wants them."""
    if key.kind in (LIST, PATHS):
        listed = (texts,) if isinstance(texts, str) else texts
        return tuple(text.strip() for text in listed if text.strip())
    if key.kind == SIZE and not isinstance(texts, str):
        return texts
    if not isinstance(texts, str) or not texts.strip():
        raise InputError(f"{key.name} must be one text ({key.meaning})", where=where, pos=pos)
    text = texts.strip()
    if key.kind == FLAG:
        flag = _WORDS.get(text.lower())
        if flag is None:
            raise InputError(f"{key.name} must be true or false, not {text!r:.60}", where=where, pos=pos)
        return flag
    if key.kind == NUMBER:
        if not (text.isascii() and text.isdigit() and len(text) < 6):
            raise InputError(f"{key.name} must be a whole number, not {text!r:.60}", where=where, pos=pos)
        return int(text)
    if key.choices and text not in key.choices:
        near = did_you_mean(text, key.choices)
        hint = f"did you mean {near}?" if near else None
        choices = ", ".join(key.choices)
        raise InputError(f"{key.name} must be one of {choices}, not {text!r:.60}", where=where, pos=pos, hint=hint)
    return text


def _beside(found: dict[str, Setting], path: str) -> dict[str, Setting]:
    """Returns the settings with paths made relative to the settings file."""
    folder = os.path.dirname(path)
    if not folder:
        return found

    def place(text: str) -> str:
        return text if text == "-" else os.path.join(folder, text)

    def place_size(text: str) -> str:
        is_file = text.lower().endswith((".yaml", ".yml", ".json")) or os.path.isfile(place(text))
        return place(text) if is_file else text

    placed = dict(found)
    for name, setting in found.items():
        change = {PATH: place, PATHS: place, SIZE: place_size}.get(KEYS[name].kind)
        if change is not None and not isinstance(setting.value, bool | int):
            value = setting.value
            moved = change(value) if isinstance(value, str) else tuple(map(change, value))
            placed[name] = setting._replace(value=moved)
    return placed


def _known(name: str) -> str:
    near = did_you_mean(name, KEYS)
    return f"did you mean {near}?" if near else "known keys are " + ", ".join(KEYS)


def show(settings: Settings) -> Sequence[tuple[str, str, str]]:
    """Returns name, value and origin of every setting, for `--show-settings`; "-" where nobody gave one."""
    rows = []
    for name in KEYS:
        setting = settings.get(name)
        if setting is None:
            rows.append((name, "-", "default"))
        else:
            value = setting.value
            shown = ", ".join(value) if isinstance(value, tuple) else str(value)
            shown = shown.lower() if isinstance(value, bool) else shown
            rows.append((name, shown, setting.origin))
    return rows
