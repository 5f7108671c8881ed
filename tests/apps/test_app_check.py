"""Tests of `handeye apps`: problems with file and line, new modules, sources of modules, and the schemas."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from handeye.apps import ModuleLocation, ModuleRegistry, Source, check_module, module_locations
from handeye.apps.discovery import BUILTIN
from handeye.apps.json_schemas import FILES, FOLDER, file_name, schema_of
from handeye.cli.app import app
from handeye.documents import read_yaml
from handeye.trusted_files import trust

CONFIG = "name: demo\ntitle: 演示\npackage: com.example.demo\n"
TASKS = """\
regions:
  top: [0, 0, 1, 0.2]
tasks:
  - name: hello
    patterns: 你好{who}
    slots: {who: {type: name}}
    steps:
      - action: tap
        target: {reference: search, region: top}
        description: "点击{who}"
      - action: check
        expect: {text: "{who}"}
"""


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module without any problem, in `handeye_apps` of the working directory."""
    for name in ("HANDEYE_APPS", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "handeye_apps" / "demo"
    (home / "images").mkdir(parents=True)
    (home / "config.yaml").write_text(CONFIG, encoding="utf-8")
    (home / "tasks.yaml").write_text(TASKS, encoding="utf-8")
    shutil.copy(BUILTIN / "system" / "images" / "setting.png", home / "images" / "search.png")
    (home / "images" / "aliases.yaml").write_text("搜索: search\n", encoding="utf-8")
    return home


def found(home: Path) -> list[tuple[str, str, int | None, str]]:
    registry = ModuleRegistry(environment={})
    problems = check_module(ModuleLocation(home, Source.GIVEN, str(home)), registry)
    return [
        ("error" if each.is_error else "warning", each.error.file.name, each.error.line, each.error.problem)
        for each in problems
    ]


def handeye(*words: str) -> Result:
    return CliRunner().invoke(app, ["apps", *words])


def answer(*words: str) -> Any:
    return json.loads(handeye(*words, "--json").stdout)


@pytest.mark.parametrize(
    ("params", "is_told"),
    [
        ("{key: VOLUME_UP}", True),
        ("{keycode: 25}", True),
        ("{key: BACK}\n        expect: {changed: true}", True),
        ("{key: BACK}", False),
        ("{key: ENTER}\n        expect: {changed: true}", False),
        ("{key: HOME}", False),
    ],
)
def test_key_confirmed_by_the_phone_needs_no_check(demo: Path, params: str, is_told: bool) -> None:
    step = f"      - action: press_key\n        params: {params}\n"
    (demo / "tasks.yaml").write_text(
        f"tasks:\n  - name: key\n    patterns: 按一下那个键\n    steps:\n{step}", encoding="utf-8"
    )
    warned = [problem for *_, problem in found(demo) if "proves nothing" in problem]
    assert (not warned) is is_told


def test_valid_module_has_no_problems(demo: Path) -> None:
    assert found(demo) == []


@pytest.mark.parametrize("place", list(module_locations(environment={})), ids=lambda place: place.folder.name)
def test_built_in_modules_have_no_problems(place: ModuleLocation) -> None:
    assert [str(each) for each in check_module(place, ModuleRegistry(environment={}))] == []


@pytest.mark.parametrize(
    ("old", "new", "severity", "line", "says"),
    [
        ("text: \"{who}\"}", "text: \"{who}\", app: home screen}", "error", 12, "is no package"),
        ("reference: search", "reference: saerch", "error", 9, "names the image 'saerch'"),
        ("reference: search", "reference: saerch, text: 搜", "warning", 9, "names the image 'saerch'"),
        ("        expect:", "        verify_ref: none\n        expect:", "error", 12, "names the image 'none'"),
        (", region: top", "", "warning", 2, "region 'top' is used nowhere"),
        ("{who: {type: name}}", "{who: {type: name}, x: {default: a}}", "warning", 6, "the slot 'x', and nothing uses it"),
        ("      - action: check\n        expect: {text: \"{who}\"}\n", "", "warning", 8, "proves nothing"),
        ("        expect: {text", "        unless: {app: home}\n        expect: {text", "warning", 11, "may be skipped"),
        ("action: check\n        expect: {text: \"{who}\"}", "use: other", "error", 11, "uses 'other', which is not there"),
        ("action: check", "action: read\n        target: {text: a}\n        params: {save_as: v}", None, None, ""),
        ("      - action: c", "      - {action: read, target: a, params: {save_as: v}}\n      - action: c",
            "warning", 11, "reads 'v'"),
        ("      - action: c", "      - {action: press_key, params: {key: BAKC}}\n      - action: c",
            "error", 11, "key that is not there"),
        ("patterns: 你好{who}", "patterns: [你好{who}, '(返回)桌面', 打开微信]\n    # ", "error", 5, ""),
        ("type: name}", "type: one_of, values: [a], default: b}", "error", 6, "is nothing that this slot takes"),
    ],
)  # fmt: skip
def test_each_problem_is_found_with_its_line(
    demo: Path, old: str, new: str, severity: str | None, line: int | None, says: str
) -> None:
    assert old in TASKS
    (demo / "tasks.yaml").write_text(TASKS.replace(old, new), encoding="utf-8")
    problems = found(demo)
    if severity is None:
        assert problems == []
        return
    assert any(each[:3] == (severity, "tasks.yaml", line) and says in each[3] for each in problems), problems


def test_all_problems_are_reported_together(demo: Path) -> None:
    (demo / "config.yaml").write_text("name: other\ntitel: a\npackage: b\n", encoding="utf-8")
    wrong = TASKS.replace("action: tap", "action: tapp").replace("description:", "descripton:")
    wrong = wrong.replace("你好{who}", "['你好{who', '[a]']").replace("type: name", "type: nam")
    (demo / "tasks.yaml").write_text(wrong, encoding="utf-8")
    (demo / "images" / "aliases.yaml").write_text("甲: serch\n乙: search\n丙: sarch\n", encoding="utf-8")
    (demo / "images" / "index.json").write_text(
        '{"icons": {"search": {"path": "search.png", "resolution": [0, 1]},\n "x": {}}}', encoding="utf-8"
    )
    (demo / "images" / "bad.png").write_bytes(b"no picture")
    (demo / "task.yaml").write_text("", encoding="utf-8")
    (demo / "handler.py").write_text("", encoding="utf-8")
    problems = found(demo)
    assert {(file, line) for _, file, line, _ in problems} == {
        ("config.yaml", 1), ("config.yaml", 2), ("config.yaml", 3),
        ("tasks.yaml", 5), ("tasks.yaml", 6), ("tasks.yaml", 8), ("tasks.yaml", 10),
        ("aliases.yaml", 1), ("aliases.yaml", 3),
        ("index.json", 1), ("index.json", 2),
        ("bad.png", None), ("task.yaml", None), ("handler.py", None),
    }  # fmt: skip
    assert len([1 for _, file, line, _ in problems if (file, line) == ("tasks.yaml", 5)]) == 2  # both patterns


def test_patterns_taken_by_another_task_are_reported(demo: Path) -> None:
    other = """\
  - name: wide
    patterns: ["{x}一下", 打开微信, 再见(吗|吧)]
    slots: {x: {type: name, default: a}}
    steps: [{action: check, expect: {text: "{x}"}}]
  - name: late
    patterns: [刷新一下, 再见吧]
    steps: [{action: check, expect: {text: a}}]
"""
    (demo / "tasks.yaml").write_text(TASKS + other, encoding="utf-8")
    said = {(severity, problem.split("'")[1]): problem for severity, _, _, problem in found(demo)}
    assert "goes to the module 'wechat', task 'open'" in said["error", "wide"]
    assert "'再见吧' is taken by the task 'wide'" in said["error", "late"]
    assert "刷新一下" not in str(said)  # the narrower pattern wins


def test_circular_and_unknown_task_uses_are_errors(demo: Path) -> None:
    circle = """\
tasks:
  - {name: one, patterns: 一, steps: [{use: two}]}
  - {name: two, patterns: 二, steps: [{use: one}]}
  - {name: three, patterns: 三, steps: [{use: nowhere.go}]}
"""
    (demo / "tasks.yaml").write_text(circle, encoding="utf-8")
    problems = found(demo)
    assert [line for severity, _, line, _ in problems if severity == "error"] == [2, 3, 4]
    assert "circle" in problems[0][3]


def test_check_command_fails_only_on_errors(demo: Path) -> None:
    assert handeye("check", str(demo)).exit_code == 0
    (demo / "tasks.yaml").write_text(TASKS.replace("reference: search", "reference: nothing"), encoding="utf-8")
    done = handeye("check")
    assert done.exit_code == 2
    assert f"error: {demo / 'tasks.yaml'}:9: task 'hello' names the image 'nothing'" in done.stdout
    told = answer("check", str(demo.parent))
    assert not told["ok"]
    (problem,) = told["problems"]
    assert (problem["severity"], problem["line"], problem["file"]) == ("error", 9, str(demo / "tasks.yaml"))
    assert handeye("check", str(demo / "images")).exit_code == 2
    assert handeye("check", str(demo / "config.yaml")).exit_code == 2


def test_list_command_shows_source_and_state(demo: Path, caplog: pytest.LogCaptureFixture) -> None:
    shutil.copytree(BUILTIN / "chrome", demo.parent / "chrome")
    (demo / "config.yaml").write_text("name: demo\n", encoding="utf-8")
    told = {(each["name"], each["source"]): each["state"] for each in answer("list")["modules"]}
    assert told[("chrome", "project")] == told[("demo", "project")] == "not trusted"
    trust(demo.parent)
    modules = answer("list")["modules"]
    told = {(each["name"], each["source"]): each["state"] for each in modules}
    assert told == {
        ("chrome", "built-in"): "replaced",
        ("system", "built-in"): "used",
        ("wechat", "built-in"): "used",
        ("chrome", "project"): "used",
        ("demo", "project"): "broken",
    }
    done = handeye("list")
    assert done.exit_code == 0
    assert "project: handeye_apps" in done.stdout
    assert "demo (handeye_apps) is left out" in caplog.text
    assert ["'title' is missing" in each["problem"] for each in modules] == [each["name"] == "demo" for each in modules]


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--title", "备忘录", "--package", "com.example.notes"),
        ("--title", 'a{b}[c|d]\\"#: - x'),
        ("--title", "שלום 👋🏽", "--package", "a.b"),
        ("--folder", "elsewhere/apps"),
    ],
)
def test_new_module_passes_check_and_plans(demo: Path, options: tuple[str, ...]) -> None:
    told = answer("new", "mine", *options)
    assert told["problems"] == []
    home = Path(told["folder"])
    title = options[1] if "--title" in options else "mine"
    assert found(home.resolve()) == []
    plan = ModuleRegistry([home], environment={}).plan(f"打开{title}")
    assert plan.analysis["template"] == "mine.open"
    assert ModuleRegistry([home], environment={}).handler("mine").title == title
    for path in (*home.glob("*.yaml"), home / "images" / "aliases.yaml"):
        named = path.read_text("utf-8").splitlines()[0].partition("$schema=")[2]
        assert (path.parent / named).resolve().is_file(), path


@pytest.mark.parametrize(
    "words",
    [("demo",), ("wechat",), ("default",), ("1a",), ("a-b",), ("x", "--package", "a b"), ("x", "--title", "a\nb")],
)
def test_invalid_new_module_names_write_nothing(demo: Path, words: tuple[str, ...]) -> None:
    before = sorted(demo.parent.parent.rglob("*"))
    assert handeye("new", *words).exit_code == 2
    assert sorted(demo.parent.parent.rglob("*")) == before


def test_existing_folder_is_not_overwritten(demo: Path) -> None:
    (demo.parent / "mine").mkdir()
    assert handeye("new", "mine").exit_code == 2
    assert list((demo.parent / "mine").iterdir()) == []


def test_shipped_schemas_are_current(tmp_path: Path) -> None:
    assert handeye("schema", str(tmp_path / "made")).exit_code == 0
    for kind in FILES:
        name = file_name(kind)
        assert (FOLDER / name).read_text("utf-8") == (tmp_path / "made" / name).read_text("utf-8"), (
            f"{name} is old: run `handeye apps schema src/handeye/apps/schemas`"
        )
        jsonschema.Draft202012Validator.check_schema(schema_of(kind))


def schema_accepts(kind: str, value: Any) -> bool:
    return jsonschema.Draft202012Validator(schema_of(kind)).is_valid(value)


@pytest.mark.parametrize("module", sorted(path.name for path in BUILTIN.iterdir()))
def test_built_in_files_match_their_schemas(module: str) -> None:
    folder = BUILTIN / module
    for kind, path in (("config", "config.yaml"), ("tasks", "tasks.yaml"), ("aliases", "images/aliases.yaml")):
        jsonschema.validate(read_yaml(folder / path).value, schema_of(kind))


STEP: dict[str, Any] = {"action": "tap", "target": "a"}


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("config", {"name": "a", "title": "b", "package": "c.d"}, [
            {"name": "a"}, {"name": "a b", "title": "b"}, {"name": "a", "title": "b", "x": 1},
        ]),
        ("aliases", {"搜索": "search"}, [{"搜索": "a b"}, ["search"]]),
        ("index", {"icons": {"a": {"path": "a.png", "resolution": [1, 2]}}}, [
            {"icons": {"a": {}}}, {"icons": {"a": {"path": "b", "position": [0, 0, 2, 2]}}},
        ]),
        ("tasks", {"tasks": [{"name": "a", "patterns": "b", "steps": [STEP]}]}, [
            {"tasks": [{"name": "a", "steps": []}]},
            {"tasks": [{"name": "a", "steps": [{**STEP, "acton": "tap"}]}]},
            {"tasks": [{"name": "a", "steps": [{**STEP, "use": "b"}]}]},
            {"tasks": [{"name": "a", "steps": [{"action": "tapp"}]}]},
            {"tasks": [{"name": "a", "steps": [{"action": "swipe", "params": {"direction": "lefft"}}]}]},
            {"tasks": [{"name": "a", "steps": [{"action": "swipe"}]}]},
            {"tasks": [{"name": "a", "steps": [{"action": "read", "target": "a", "params": {"take": "row"}}]}]},
            {"tasks": [{"name": "a", "steps": [{**STEP, "params": {"text": "x"}}]}]},
            {"tasks": [{"name": "a", "steps": [{**STEP, "expect": {"row": 3}}]}]},
            {"tasks": [{"name": "a", "steps": [{**STEP, "target": {"region": [0, 0, 2, 1], "text": "a"}}]}]},
        ]),
    ],
)  # fmt: skip
def test_schemas_accept_valid_and_refuse_invalid_values(kind: str, right: Any, wrong: list[Any]) -> None:
    assert schema_accepts(kind, right)
    for value in wrong:
        assert not schema_accepts(kind, value), value


def test_too_large_picture_is_reported(demo: Path) -> None:
    Image.new("RGB", (5000, 10)).save(demo / "images" / "large.png")
    ((severity, _, _, problem),) = found(demo)
    assert severity == "error"
    assert "large.png is 5000x10" in problem


def test_region_of_four_numbers_is_accepted(demo: Path) -> None:
    text = TASKS.replace('expect: {text: "{who}"}', "expect: {text: 甲, region: [0, 0.1, 1, 0.9]}")
    (demo / "tasks.yaml").write_text(text, encoding="utf-8")
    assert found(demo) == []


def test_replacing_a_built_in_module_is_a_warning(demo: Path) -> None:
    home = demo.rename(demo.with_name("wechat"))
    (home / "config.yaml").write_text(CONFIG.replace("name: demo", "name: wechat"), encoding="utf-8")
    assert ("warning", "wechat", None, "replaces the built-in module 'wechat'") in found(home)


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("{action: open_url, params: {url: 'javascript:alert(1)'}, description: x}", "http or https"),
        ("{action: call, params: {number: abc}, description: x}", "'abc', which is no number"),
        ("{action: tap, target: search, fallback: {action: tap, target_ref: nowhere}}", "the image 'nowhere'"),
    ],
)
def test_impossible_step_values_are_reported(demo: Path, step: str, says: str) -> None:
    (demo / "tasks.yaml").write_text(
        TASKS.replace("      - action: check", f"      - {step}\n      - action: check"), "utf-8"
    )
    assert any(says in problem for _, _, _, problem in found(demo)), found(demo)


def test_step_without_parameters_expects_no_keys(demo: Path) -> None:
    (demo / "tasks.yaml").write_text(
        TASKS.replace("- action: check", "- action: check\n        params: {duration: 5}"), "utf-8"
    )
    problems = check_module(ModuleLocation(demo, Source.GIVEN, ""), ModuleRegistry(environment={}))
    assert [each.error.expected for each in problems] == ["no keys here"]


@pytest.mark.parametrize("target", ["serach", "搜索大图表", "search_button", "saerch"])
def test_misspelt_image_target_is_reported(demo: Path, target: str) -> None:
    (demo / "images" / "aliases.yaml").write_text("搜索大图标: search\n", encoding="utf-8")
    text = TASKS.replace("target: {reference: search, region: top}", f"target: {target}")
    (demo / "tasks.yaml").write_text(text, encoding="utf-8")
    says = [problem for _, _, line, problem in found(demo) if line == 9]
    assert any(f"{target!r}" in problem and "no image" in problem for problem in says), found(demo)


@pytest.mark.parametrize("target", ["search", "搜索", "Searches", "联系人", "'text:serach'", "{who}", "'{who}serach'"])
def test_image_or_text_target_is_not_reported(demo: Path, target: str) -> None:
    text = TASKS.replace("target: {reference: search, region: top}", f"target: {target}")
    (demo / "tasks.yaml").write_text(text, encoding="utf-8")
    assert [each for each in found(demo) if "image" in each[3]] == []


def test_unknown_key_code_is_a_warning(demo: Path) -> None:
    step = "{action: press_key, params: {keycode: 999}, description: x}"
    (demo / "tasks.yaml").write_text(
        TASKS.replace("      - action: check", f"      - {step}\n      - action: check"), "utf-8"
    )
    assert [each[:3] for each in found(demo)] == [("warning", "tasks.yaml", 11)]


def test_unused_prompt_file_is_a_warning(demo: Path) -> None:
    (demo / "prompts").mkdir()
    (demo / "prompts" / "planner.txt").write_text("x", encoding="utf-8")
    assert found(demo) == []
    (demo / "prompts" / "plan.txt").write_text("x", encoding="utf-8")
    assert found(demo) == [("warning", "plan.txt", None, "is not read")]


@pytest.mark.parametrize(
    ("index", "line", "says"),
    [
        ({"icons": {}, "icon": {"a": {"path": "search.png"}}}, 1, "nobody reads 'icon'"),
        ({"$schema": "x", "version": "1.0", "icons": {"search": {"path": "search.png"}}}, None, ""),
        ({"ui": {"a": {"path": "../../../etc/hostname"}}}, 1, "leaves the folder"),
        ({"ui": {"a": {"path": "/etc/hostname"}}}, 1, "leaves the folder"),
        ({"ui": {"a": {"path": "a\0b"}}}, 1, "there is no file"),
    ],
)  # fmt: skip
def test_unused_or_unsafe_index_entries_are_warnings(demo: Path, index: Any, line: int | None, says: str) -> None:
    (demo / "images" / "index.json").write_text(json.dumps(index), encoding="utf-8")
    problems = found(demo)
    if line is None:
        assert problems == []
    else:
        assert [(each[:3], says in each[3]) for each in problems] == [(("warning", "index.json", line), True)], problems


def test_broken_picture_is_reported_by_file_name(demo: Path) -> None:
    (demo / "images" / "odd.png").write_bytes(b"no picture")
    ((severity, name, _, _),) = found(demo)
    assert (severity, name) == ("error", "odd.png")


def test_limits_apply_only_to_number_slots(demo: Path) -> None:
    (demo / "tasks.yaml").write_text(TASKS.replace("type: name", "type: name, minimum: 3"), encoding="utf-8")
    assert found(demo) == [("error", "tasks.yaml", 6, "minimum is for numbers, and the type is name")]
    (demo / "tasks.yaml").write_text(TASKS.replace("type: name", "type: number, minimum: 3, maximum: 1"), "utf-8")
    assert found(demo) == [("error", "tasks.yaml", 6, "minimum is more than maximum: no number fits")]


def test_pattern_shadowed_by_another_pattern_is_error(demo: Path) -> None:
    buy = """\
  - name: buy
    patterns: ["买{count}个{item}", "买{item}"]
    slots: {item: {type: label}, count: {type: number, default: "1"}}
    steps: [{action: check, expect: {description: "{count}个{item}"}}]
"""
    (demo / "tasks.yaml").write_text(TASKS + buy, encoding="utf-8")
    assert found(demo) == [
        (
            "error",
            "tasks.yaml",
            14,
            "task 'buy' has a pattern that never fits: '买7个甲乙' is read with '7个甲乙' as item",
        )
    ]
    (demo / "tasks.yaml").write_text(
        TASKS + buy.replace('["买{count}个{item}", "买{item}"]', "'买[{count}个]{item}'"), "utf-8"
    )
    assert found(demo) == []


def test_given_built_in_module_replaces_nothing() -> None:
    assert [each for each in found(BUILTIN / "wechat") if "replaces" in each[3]] == []
