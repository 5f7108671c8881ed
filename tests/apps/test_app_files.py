"""Tests of malformed module files: each error has the file, the line and the expected value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from handeye.apps import ModuleLocation, ModuleRegistry, Source
from handeye.apps.handler import load_module
from handeye.apps.json_schemas import FILES
from handeye.documents import SIZE_LIMIT, Document, parse_yaml, problems_in, read_yaml
from handeye.errors import ConfigError, HandeyeError

CONFIG = "name: demo\ntitle: Demo\n"
TASK = """\
tasks:
  - name: hello
    patterns: 你好{who}
    slots: {who: {type: name}}
    steps:
      - action: tap
        target: text:{who}
"""


def module(folder: Path, tasks: str = TASK, config: str = CONFIG) -> Path:
    home = folder / "demo"
    home.mkdir()
    (home / "config.yaml").write_text(config, encoding="utf-8")
    (home / "tasks.yaml").write_text(tasks, encoding="utf-8")
    return home


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a: 1\na: 2\n", 2, "twice, first in line 1"),
        ("a:\n  - [1, 2\nb: 3", 3, "not valid YAML"),
        ("a: &x [1]\nb: *x\n", 1, "anchors"),
        ("<<: {a: 1}\n", 1, "merge keys"),
        ("a: !!python/object/apply:os.system ['true']\n", 1, "tag"),
        ("a: !!timestamp 2020-01-01\n", 1, "tag"),
        ("a: 1\n---\nb: 2\n", 2, "second document"),
        ("? [a]\n: 1\n", 1, "a key is a list"),
        ("[" * 100, 1, "nested more than"),
        ("[" * 10_000, 1, ""),  # PyYAML may refuse it first, in words of its own
        ("a: b: c\n", 1, "not valid YAML"),
        ("a:\n\t- 1\n", 2, "not valid YAML"),
        ('a: "\x01"\n', None, "not valid YAML"),
    ],
)
def test_unsupported_yaml_is_refused(text: str, line: int | None, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_yaml(text, Path("x.yaml"))
    assert caught.value.line == line
    assert says in str(caught.value)
    assert str(caught.value).startswith("x.yaml")


def test_plain_values_follow_yaml_1_2() -> None:
    text = "a: on\nb: no\nc: true\nd: 010\ne: 1.5\nf: 2020-01-01\ng: '1'\nh: ~\ni: 张三\nj: 1_000\nk: .inf\n"
    assert parse_yaml(text, Path("x")).value == {
        "a": "on", "b": "no", "c": True, "d": 10, "e": 1.5, "f": "2020-01-01", "g": "1", "h": None, "i": "张三",
        "j": "1_000", "k": ".inf",
    }  # fmt: skip


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    latin, large = tmp_path / "latin.yaml", tmp_path / "large.yaml"
    latin.write_bytes(b"a: 1\nb: \xff\xfe\n")
    large.write_bytes(b"a" * (SIZE_LIMIT + 1))
    for path, line, says in (
        (latin, 2, "UTF-8"),
        (large, None, "larger"),
        (tmp_path / "none.yaml", None, "No such file"),
    ):
        with pytest.raises(ConfigError, match=says) as caught:
            read_yaml(path)
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("patterns:", "patern:", 3, "unknown key 'patern' (expected 'patterns')"),
        ("action: tap", "action: tapp", 6, "'tapp'"),
        ("        target: text:{who}\n", "", 6, "tap without a target"),
        ("text:{who}", "text:{whom}", 7, "unknown slot 'whom'"),
        ("text:{who}", "{text: a, regoin: [0, 0, 1, 1]}", 7, "expected 'region'"),
        ("text:{who}", "{text: a, region: [0, 0.5, 1, 0.2]}", 7, "region is"),
        ("text:{who}", "{text: a, region: [0, 0.5, 1]}", 7, "four fractions"),
        ("text:{who}", "{text: a, region: middle}", 7, "unknown region 'middle'"),
        ("text:{who}", "{exact: true}", 7, "says nothing"),
        ("text:{who}", "12", 7, "12"),
        ("你好{who}", "你好{who", 3, "character 3"),
        ("你好{who}", "你好", 3, "without a value"),
        ("你好{who}", "['你好{who}和{x}']", 3, "does not describe"),
        ("type: name", "type: nam", 4, "'nam'"),
        ("type: name", "type: one_of", 4, "values"),
        ("tasks:\n", "tasks: []\ntask:\n", 2, "unknown key 'task'"),
        ("        target: text:{who}\n", "        target: a\n        retry: -1\n", 8, "-1"),
        ("        target: text:{who}\n", "        target: a\n        timeout: '3'\n", 8, "'3'"),
        ("        target: text:{who}\n", "        target: a\n        params: {text: a}\n", 8, "unknown key 'text'"),
        ("action: tap\n        target: text:{who}", "action: swipe\n        params: {direction: lefft}", 7, "'lefft'"),
        ("action: tap\n        target: text:{who}", "action: press_key", 6, "key"),
        ("action: tap\n        target: text:{who}", "action: input_text\n        params: {text: true}", 7, "in quotes, 'true'"),
        ("action: tap\n        target: text:{who}", "use: other", 6, "uses 'other'"),
        ("action: tap\n        target: text:{who}", "use: nowhere.other", 6, "no app module 'nowhere'"),
        ("action: tap\n        target: text:{who}", "use: hello\n        args: {who: a}", 6, "circle"),
        ("action: tap\n        target: text:{who}", "use: system.open_app", 6, "without 'app'"),
        ("action: tap\n        target: text:{who}", "use: system.go_home\n        args: {x: a}", 7, "with 'x'"),
        ("        target: text:{who}\n", "        target: a\n        fallback: {action: tap}\n", 8, "target_ref"),
        ("        target: text:{who}\n", "        target: a\n        fallback: {action: swipe}\n", 8, "direction"),
        ("        target: text:{who}\n", "        target: a\n        expect: {exact: true}\n", 8, "says nothing"),
        ("    slots: {who: {type: name}}\n", "", 3, "does not describe"),
    ],
)  # fmt: skip
def test_task_errors_name_line_and_expected_value(tmp_path: Path, old: str, new: str, line: int, says: str) -> None:
    assert old in TASK
    home = module(tmp_path, TASK.replace(old, new))
    error = ModuleRegistry([home], environment={}).broken["demo"].error
    assert error is not None
    assert (error.file.name, error.line) == ("tasks.yaml", line)
    assert says in str(error)
    assert error.expected


@pytest.mark.parametrize(
    ("config", "line", "says"),
    [
        ("title: Demo\n", 1, "'name' is missing"),
        ("name: other\ntitle: Demo\n", 1, "the folder's name, 'demo'"),
        ("name: demo\ntitle: Demo\npackage: 7\n", 3, "package"),
        ("name: demo\ntitle: Demo\npackage: 'a b'\n", 3, "Android package"),
        ("name: demo\ntitle: Demo\nkeywords: [1]\n", 3, "in quotes"),
        ("name: demo\ntitel: Demo\n", 2, "expected 'title'"),
        ("- name\n", 1, "keys and values"),
        ("", 1, "is empty"),
    ],
)
def test_config_errors_name_line_and_expected_value(tmp_path: Path, config: str, line: int, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_module(ModuleLocation(module(tmp_path, config=config), Source.GIVEN, ""))
    assert (caught.value.file.name, caught.value.line) == ("config.yaml", line)
    assert says in str(caught.value)


def test_handler_in_user_folder_is_not_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    home = module(tmp_path)
    (home / "handler.py").write_text(
        "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n", encoding="utf-8"
    )
    handler = load_module(ModuleLocation(home, Source.USER, ""))
    assert handler.plan("你好李四") is not None
    assert not (home / "ran").exists()
    assert "is not run" in caplog.text


def test_installed_module_may_define_a_handler(tmp_path: Path) -> None:
    home = module(tmp_path)
    code = "from handeye.apps import AppHandler\n\nclass Handler(AppHandler):\n    def prompt(self):\n        return 'mine'\n"
    (home / "handler.py").write_text(code, encoding="utf-8")
    place = ModuleLocation(home, Source.INSTALLED, "")
    assert load_module(place).prompt() == "mine"
    (home / "handler.py").write_text("Handler = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="class Handler"):
        load_module(place)


def test_unusable_module_folders_raise_handeye_errors(tmp_path: Path) -> None:
    with pytest.raises(HandeyeError, match="is not a folder"):
        ModuleRegistry([tmp_path / "nothing"], environment={})
    with pytest.raises(HandeyeError, match="has no app module"):
        ModuleRegistry([tmp_path], environment={})


CONFIGURED = {"name": "a", "title": "b"}
STEP = {"action": "tap", "target": "a"}


def task(**step: Any) -> Any:
    return {"tasks": [{"name": "a", "steps": [{**STEP, **step}]}]}


@pytest.mark.parametrize(
    ("kind", "value", "says"),
    [
        ("config", None, "the file is empty (expected keys and values)"),
        ("config", {**CONFIGURED, "name": "a b"}, "name is 'a b' (expected at most 64 letters, digits and _, not a digit"),
        ("config", {**CONFIGURED, "keywords": [""]}, "keywords.0 is '' (expected a text that is not empty)"),
        ("config", {**CONFIGURED, "keywords": None}, "keywords has no value (expected a list)"),
        ("config", {**CONFIGURED, "aliases": [True]}, "aliases.0 is true (expected a text: put it in quotes, 'true')"),
        ("tasks", {"tasks": [{"name": "a", "steps": []}]}, "steps is [] (expected at least 1)"),
        ("tasks", task(retry=-1, timeout=3000), "retry is -1 (expected 0 or more)"),
        ("tasks", task(repeat=1.5), "repeat is 1.5 (expected a whole number)"),
        ("tasks", task(use="1 b"), "use is '1 b' (expected task, or module.task)"),
        ("tasks", task(target="{x}"), "unknown slot 'x' in '{x}' (expected slots, in which"),
        ("tasks", task(expect={"text": "a", "region": "top"}), "'top' (expected [left, top, right, bottom])"),
        ("tasks", {"tasks": [{**task()["tasks"][0], "slots": {"x y": {}}}]}, "slots has the key 'x y' (expected at most"),
        ("index", {"ui": {"a": {"path": "b", "position": [1, 0, 0, 1]}}}, "is empty (expected left < right, and top"),
        ("index", {"ui": {"a": {"path": "b", "resolution": [9]}}}, "resolution has 1 values (expected one more)"),
        ("index", {"ui": {"a": {"path": "b", "exists": 3}}}, "exists is 3 (expected true or false)"),
        ("aliases", {"搜索": "a b"}, "搜索 is 'a b' (expected at most 64 letters"),
    ],
)  # fmt: skip
def test_validation_messages_are_plain_english(kind: str, value: Any, says: str) -> None:
    told = [str(each) for each in problems_in(Document(Path("x"), value, {}), FILES[kind])]
    assert any(says in line for line in told), told
