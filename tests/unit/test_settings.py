"""fairsim's own settings: order of the sources, places, paths, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fairsim.config.settings import KEYS, Setting, Settings, SettingValue, read_settings, show
from fairsim.diag import Pos
from fairsim.errors import InputError


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(text: str, name: str = ".fairsim.yaml") -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text)


def error(**arguments: object) -> tuple[str | None, Pos | None, str, str | None]:
    with pytest.raises(InputError) as caught:
        read_settings(**arguments)  # type: ignore[arg-type]
    return caught.value.where, caught.value.pos, caught.value.message, caught.value.hint


def test_nothing_given() -> None:
    assert read_settings() == Settings({})
    assert [row[1:] for row in show(read_settings())] == [("-", "default")] * len(KEYS)


def test_flag_over_environment_over_file() -> None:
    write("hadoop: 3.1\nformat: json\nhuman: true\n")
    environ = {"FAIRSIM_HADOOP": "3.2", "FAIRSIM_FORMAT": "csv", "PATH": "/bin"}
    flags: dict[str, SettingValue | None] = {"hadoop": "3.3", "format": None, "define": ()}
    settings = read_settings(environ=environ, flags=flags)
    assert settings.values == {
        "hadoop": Setting("3.3", "--hadoop"),
        "format": Setting("csv", "FAIRSIM_FORMAT"),
        "human": Setting(True, ".fairsim.yaml:3:8"),
    }
    assert read_settings(environ=environ, use_file=False).get("human") is None
    assert settings.text("hadoop") == "3.3"
    assert settings.flag("human")
    assert not settings.flag("wide")
    assert settings.texts("define") == ()


def test_kinds_of_values() -> None:
    write(
        "yarn-site: [a.xml, b.xml]\nresource-types: r.xml\ndefine: [x=1, y=2]\nwidth: 200\nwide: no\n"
        "color: never\ncluster: 800g,200c\ncolumns: queue\nalloc:\n"
    )
    values = {name: setting.value for name, setting in read_settings().values.items()}
    assert values == {
        "yarn-site": ("a.xml", "b.xml"), "resource-types": ("r.xml",), "define": ("x=1", "y=2"), "width": 200,
        "wide": False, "color": "never", "cluster": "800g,200c", "columns": ("queue",),
    }  # fmt: skip
    rows = {name: shown for name, shown, _origin in show(read_settings())}
    assert (rows["yarn-site"], rows["wide"], rows["width"], rows["alloc"]) == ("a.xml, b.xml", "false", "200", "-")


def test_environment_lists() -> None:
    settings = read_settings(environ={"FAIRSIM_YARN_SITE": "a.xml:b.xml", "FAIRSIM_COLUMNS": "queue, steady", "X": "y"})
    assert settings.texts("yarn-site") == ("a.xml", "b.xml")
    assert settings.texts("columns") == ("queue", "steady")


def test_empty_variables_are_unset_and_unknown_ones_are_said() -> None:
    environ = {"FAIRSIM_HADOOP": "", "FAIRSIM_HADOP": "3.1", "FAIRSIM_Q": "1", "FAIRSIM_DEBUG": "1"}
    settings = read_settings(environ=environ)
    assert settings.values == {}
    assert settings.notes == (
        "the variable FAIRSIM_HADOP is no setting of fairsim; did you mean FAIRSIM_HADOOP?",
        "the variable FAIRSIM_Q is no setting of fairsim",
    )


def test_paths_are_relative_to_the_settings_file(tmp_path: Path) -> None:
    write("alloc: a.xml\nyarn-site: /etc/y.xml\ncluster: c.yaml\nhadoop: 3.1\n", "conf/.fairsim.yaml")
    settings = read_settings("conf")
    assert settings.text("alloc") == "conf/a.xml"
    assert settings.texts("yarn-site") == ("/etc/y.xml",)
    assert settings.text("cluster") == "conf/c.yaml"
    assert settings.get("hadoop") == Setting("3.1", "conf/.fairsim.yaml:4:9")
    write("cluster: 800g,200c\nalloc: '-'\n", "conf/.fairsim.yaml")
    assert read_settings("conf").text("cluster") == "800g,200c"
    assert read_settings("conf").text("alloc") == "-"
    write("cluster: nodes\n", "conf/.fairsim.yaml")
    write("{}", "conf/nodes")
    assert read_settings(config="conf/.fairsim.yaml").text("cluster") == "conf/nodes"


def test_no_folder_above_is_searched(tmp_path: Path) -> None:
    write("hadoop: 3.1\n")
    (tmp_path / "below").mkdir()
    assert read_settings("below").values == {}


def test_pyproject() -> None:
    text = '[tool.fairsim]\nhadoop = "3.1"\nhuman = true\nwidth = 99\ncolumns = ["queue"]\nalloc = "a.xml"\n'
    write(text, "pyproject.toml")
    settings = read_settings()
    assert settings.get("hadoop") == Setting("3.1", "pyproject.toml: tool.fairsim.hadoop")
    assert settings.flag("human")
    assert settings.texts("columns") == ("queue",)
    assert settings.values["width"].value == 99
    write("hadoop: 3.2\n")
    assert read_settings().text("hadoop") == "3.2"
    assert read_settings().notes == (
        "pyproject.toml has [tool.fairsim], which is not read beside .fairsim.yaml",
        "settings from .fairsim.yaml: hadoop",
    )
    assert read_settings(config="pyproject.toml").text("hadoop") == "3.1"


@pytest.mark.parametrize(
    "text",
    ["", "[tool.ruff]\nline-length = 9\n", "[project]\nname = 'fairsim'\n", "tool = 'fairsim'\n", "not toml at all ["],
)
def test_pyproject_of_others(text: str) -> None:
    write(text, "pyproject.toml")
    assert read_settings() == Settings({})


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[tool.fairsim]\nhadop = '3'\n", "unknown key 'hadop' in [tool.fairsim]", "did you mean hadoop?"),
        ("[tool]\nfairsim = 3\n", "tool.fairsim is not a table", "write [tool.fairsim]"),
        ("[tool.fairsim]\nhadoop = 1.5\n", "tool.fairsim.hadoop must be a text or a list of texts",
         'write hadoop = "1.5"'),
        ("[tool.fairsim]\nhadoop = []\n", "hadoop must be one text (the Hadoop version, such as 3.4)", None),
        ("[tool.fairsim]\ncolor = 'blue'\n", "color must be one of auto, always, never, not 'blue'", None),
    ],
)
def test_pyproject_refused(text: str, message: str, hint: str | None) -> None:
    write(text, "pyproject.toml")
    assert error() == ("pyproject.toml", None, message, hint)


def test_broken_pyproject() -> None:
    write("[tool]\n[tool.fairsim\n", "pyproject.toml")
    message = "not TOML: Expected ']' at the end of a table declaration"
    assert error() == ("pyproject.toml", Pos(2, 14), message, None)


@pytest.mark.parametrize(
    ("text", "pos", "message", "hint"),
    [
        ("hadop: 3.1\n", Pos(1, 1), "unknown key 'hadop' in the settings", "did you mean hadoop?"),
        ("hadoop: 3.1\nhadoop: 3.2\n", Pos(2, 1), "the key 'hadoop' is written twice, first at 1:1",
         "keep one of the two"),
        ("hadoop: [3.1]\n", Pos(1, 9), "hadoop must be one text (the Hadoop version, such as 3.4)", None),
        ("hadoop: {a: b}\n", Pos(1, 1), "hadoop must be a text or a list, not a map", None),
        ("human: maybe\n", Pos(1, 8), "human must be true or false, not 'maybe'", None),
        ("width: 1e3\n", Pos(1, 8), "width must be a whole number, not '1e3'", None),
        ("fail-on: warn\n", Pos(1, 10), "fail-on must be one of error, warning, info, never, not 'warn'",
         "did you mean warning?"),
        ("- hadoop\n", Pos(1, 1), "the settings must be a map of keys and values, not a list", None),
        ("define: [[x]]\n", Pos(1, 10), "define must be a single value, not a list", None),
        ("a: [\n", Pos(2, 1), "not YAML: expected the node content, but found '<stream end>'", None),
    ],
)  # fmt: skip
def test_files_refused(text: str, pos: Pos, message: str, hint: str | None) -> None:
    write(text)
    assert error() == (".fairsim.yaml", pos, message, hint)


def test_other_refusals() -> None:
    message = "width must be a whole number, not 'x'"
    assert error(environ={"FAIRSIM_WIDTH": "x"}) == ("FAIRSIM_WIDTH", None, message, None)
    where, _pos, message, _hint = error(config="none.yaml")
    assert (where, message) == ("none.yaml", "the settings cannot be read: No such file or directory")


def test_an_empty_file_says_nothing() -> None:
    write("\n")
    assert read_settings() == Settings({})


def test_yaml_is_loaded_for_yaml_only() -> None:
    write('[tool.fairsim]\nhadoop = "3.1"\n', "pyproject.toml")
    code = (
        "import sys; from fairsim.config.settings import read_settings; read_settings(environ={'FAIRSIM_WIDTH': '9'});"
        "print([name for name in ('yaml', 'json', 'lxml', 'dataclasses') if name in sys.modules])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env={"PYTHONPATH": str(root)}
    )
    assert done.stdout.strip() == "[]"
