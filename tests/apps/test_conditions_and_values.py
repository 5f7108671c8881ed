"""Tests of steps with conditions, repeated steps, and values read during a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.apps import ModuleRegistry
from handeye.errors import InvalidPlan
from handeye.plan import ActionName, Condition, StepPlan, TextTemplate
from handeye.target import Expectation, Region

CONFIG = "name: demo\ntitle: Demo\n"


def registry(folder: Path, tasks: str) -> ModuleRegistry:
    home = folder / "demo"
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(CONFIG, encoding="utf-8")
    (home / "tasks.yaml").write_text(tasks, encoding="utf-8")
    return ModuleRegistry([home], environment={})


def steps(folder: Path, tasks: str, task: str) -> tuple[StepPlan, ...]:
    return registry(folder, tasks).plan(task).steps


def test_condition_of_used_task_is_decided_once(tmp_path: Path) -> None:
    tasks = """\
regions: {tabs: [0, 0.8, 1, 1]}
tasks:
  - name: go
    patterns: 去{where}
    slots: {where: {type: name}}
    steps:
      - use: enter
        unless: {app: com.example.a}
      - {action: wait, when: {text: "{where}", region: tabs}, unless: {gone: x}}
      - {action: wait}
  - name: enter
    steps:
      - {action: go_home, unless: {app: home}}
      - {action: launch_app, params: {package: com.example.a}}
"""
    home, launch, wait, last = steps(tmp_path, tasks, "去家")
    outer = Condition(Expectation(app="com.example.a"), wanted=False, group=1)
    assert launch.conditions == (outer,)
    assert home.conditions == (outer, Condition(Expectation(app="home"), wanted=False, group=2))
    text, gone = wait.conditions
    assert text.expect == Expectation(text="家", region=Region(0, 0.8, 1, 1))
    assert (text.wanted, gone.wanted) == (True, False)
    assert len({outer.group, home.conditions[1].group, text.group, gone.group}) == 4
    assert last.conditions == ()


def test_each_repetition_evaluates_its_condition(tmp_path: Path) -> None:
    tasks = """\
tasks:
  - name: find
    patterns: 找{what}
    slots: {what: {type: name}}
    steps:
      - action: swipe
        params: {direction: up}
        repeat: 3
        unless: {text: "{what}", exact: true}
"""
    found = steps(tmp_path, tasks, "找钥匙")
    assert [step.step for step in found] == [1, 2, 3]
    assert [step.conditions[0].group for step in found] == [1, 2, 3]
    assert {step.conditions[0].expect for step in found} == {Expectation(text="钥匙", exact=True)}


READING = """\
tasks:
  - name: tell
    patterns: 把版本发给{contact}
    slots: {contact: {type: name}}
    steps:
      - action: read
        target: {text: 版本, exact: true}
        params: {save_as: version}
        description: 读版本
      - use: send
        args: {contact: "{contact}", message: "版本{{{version}}}，{contact}"}
  - name: send
    slots: {contact: {type: name}, message: {type: text}}
    steps:
      - action: input_text
        params: {text: "{message}"}
        description: "输入{message}"
        guard: {text: "{contact}"}
        expect: {text: "{message}"}
      - {action: tap, target: {text: "{message}"}, expect: {gone: "{message}"}}
"""


def test_read_value_is_inserted_into_later_steps(tmp_path: Path) -> None:
    read, write, tap = steps(tmp_path, READING, "把版本发给李雷")
    assert read.action is ActionName.READ
    assert read.params == {"save_as": "version", "take": "row"}
    assert set(write.late) == {"params.text", "description", "expect.text"}
    done = write.with_values({"version": "14 {contact}"})
    assert done.params == {"text": "版本{14 {contact}}，李雷"}
    assert done.description == "输入版本{14 {contact}}，李雷"
    assert (done.guard, done.expect) == (Expectation(text="李雷"), Expectation(text="版本{14 {contact}}，李雷"))
    tapped = tap.with_values({"version": "1"})
    assert tapped.target is not None
    assert tapped.target.text == "版本{1}，李雷"
    assert tapped.expect == Expectation(gone="版本{1}，李雷")
    with pytest.raises(InvalidPlan, match="no value for slot version"):
        write.with_values({})


def test_save_as_renames_values_of_used_tasks(tmp_path: Path) -> None:
    tasks = """\
tasks:
  - name: both
    patterns: 都说
    steps:
      - {use: look, args: {what: a}, save_as: {value: first}}
      - {use: look, args: {what: b}, save_as: {value: second}}
      - {use: look, args: {what: c}}
      - {action: input_text, params: {text: "{first}{second}"}}
  - name: look
    slots: {what: {type: name}}
    steps:
      - {action: read, target: {text: "{what}"}, params: {save_as: value, take: right, pattern: "剩余{value}%"}}
      - {action: check, expect: {text: "{value}"}}
"""
    found = steps(tmp_path, tasks, "都说")
    names = [step.params["save_as"] for step in found if step.action is ActionName.READ]
    assert names == ["first", "second", "value"]
    assert [step.late["expect.text"].slots for step in found if step.action is ActionName.CHECK] == [
        {"first"}, {"second"}, {"value"},
    ]  # fmt: skip
    assert found[-1].late["params.text"].slots == {"first", "second"}
    assert found[0].params["pattern"] == "剩余{value}%"


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('guard: {text: "{contact}"}', 'guard: {text: "{contact}", app: "{message}"}', 18, "into guard.app"),
        ("- {action: tap, target", '- {action: tap, unless: {text: "{message}"}, target', 20, "into unless.text"),
        ('target: {text: "{message}"}', 'target: {reference: "{message}", text: a}', 20, "into target.reference"),
        ('target: {text: "{message}"}', 'target: "{message}"', 20, "into target"),
        ('target: {text: "{message}"}', 'target: "dynamic:{message}"', 20, "into target"),
        ("message: {type: text}", "message: {type: url}", 11, "it takes a url"),
        ("message: {type: text}", "message: {type: number}", 11, "it takes a number"),
        ("save_as: version", "save_as: versoin", 11, "unknown slot 'version'"),
        ("save_as: version", "save_as: contact", 8, "is there already"),
        ("params: {save_as: version}", "params: {}", 8, "'save_as' is missing"),
        ("params: {save_as: version}", "params: {save_as: version, take: left}", 8, "'left'"),
        ("params: {save_as: version}", "params: {save_as: version, pattern: 无}", 8, "around {value}"),
        ("params: {save_as: version}", "params: {save_as: version, pattern: '{a}'}", 8, "around {value}"),
        ("params: {save_as: version}", "params: {save_as: version}\n        when: {app: home}", 12, "under a condition"),
        ("params: {save_as: version}", "params: {save_as: version}\n        repeat: 2", 9, "several times"),
        ("      - use: send\n", "      - use: send\n        save_as: {x: y}\n", 11, "does not read it"),
        ("        target: {text: 版本, exact: true}\n", "", 6, "read without a target"),
        ("description: 读版本", "description: '{version}'", 9, "read only in a later step"),
        ("description: 读版本", "unless: {switch: on}", 9, "switch without row"),
        ("description: 读版本", "unless: {row: a}", 9, "says nothing"),
        ("description: 读版本", "unless: {text: a, region: nowhere}", 9, "unknown region"),
        ("description: 读版本", "repeat: 21", 9, "21"),
        ("description: 读版本", "save_as: {a: b}", 9, "save_as without use"),
    ],
)  # fmt: skip
def test_value_errors_are_found_when_loading(tmp_path: Path, old: str, new: str, line: int, says: str) -> None:
    assert old in READING
    (place,) = registry(tmp_path, READING.replace(old, new)).broken.values()
    assert place.error is not None
    assert says in str(place.error)
    assert place.error.line == line
    assert place.error.expected


@given(st.text(max_size=20), st.text(max_size=20))
def test_nested_templates_fill_to_the_same_text(first: str, second: str) -> None:
    template = TextTemplate.parse("{{{a}}} {b}.{c}")
    inner = TextTemplate.parse("<{x}>").put({"x": TextTemplate.parse("{{{y}")})
    mixed = template.put({"a": first, "b": inner})
    assert mixed.slots == {"y", "c"}
    assert mixed.fill({"y": second, "c": "{a}"}) == f"{{{first}}} <{{{second}>.{{a}}"
    assert TextTemplate.parse(mixed.source) == mixed
