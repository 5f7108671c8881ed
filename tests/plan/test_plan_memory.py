"""Tests of remembered plans: used before a model, dropped on failure, stored in readable files."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planning import SCREEN, SEED_REPLY, SEND, TEMPLATE, planner, planner_with, reply, step

from handeye.devices import DeviceLock
from handeye.documents import parse_yaml, write_yaml
from handeye.errors import ConfigError, NoPlan, UsageError, WriteFailed
from handeye.geometry import Size
from handeye.plan import ActionName, Planner, PlanOrigin, TaskPlan, default_memory
from handeye.plan.planner.memory import MODES, MOST_PLANS, PlanKey, PlanMemory
from handeye.testing.fakes import FakeClock

OPEN = "open the wechat settings"
GOOD = reply(
    step(1, "go_home"),
    step(2, "tap", target_ref="text:Ad ✕", closes_popup=True),
    step(3, "tap", target_ref="wechat", success_condition="“Settings” is the title"),
    analysis={"current_screen": "a chat with Ann", "target_state": "the settings"},
)
KEY = PlanKey(OPEN, "wechat", None, SCREEN.size)


def remembering(folder: Path, *answers: str, mode: str = "read-write", version: str | None = None) -> Planner:
    memory = PlanMemory(folder, next(each for each in MODES if each == mode))
    return planner(*answers, memory=memory, version_of=lambda packages: version)[0]


def learned(folder: Path, answer: str = GOOD, task: str = OPEN, version: str | None = None) -> TaskPlan:
    """A model's plan for the task, which succeeded."""
    maker = remembering(folder, answer, version=version)
    plan = maker.plan(task, SCREEN)
    maker.succeeded(plan)
    return plan


def text(folder: Path) -> str:
    return (folder / "wechat.yaml").read_text("utf-8")


def recalled(folder: Path, task: str = OPEN, version: str | None = None) -> TaskPlan:
    """The plan without a model. Raises NoPlan when none is remembered."""
    return planner_with(None, memory=PlanMemory(folder), version_of=lambda packages: version).plan(task, SCREEN)


def test_remembered_plan_is_used_before_the_model(tmp_path: Path) -> None:
    plan = learned(tmp_path)
    again = recalled(tmp_path)
    assert again.origin is PlanOrigin.MEMORY
    assert again.module == "wechat"
    assert again.success_criteria == plan.success_criteria
    maker, model = planner(memory=PlanMemory(tmp_path))
    assert maker.plan(OPEN, SCREEN) == again
    assert model.calls == 0


def test_popup_steps_and_screen_texts_are_not_remembered(tmp_path: Path) -> None:
    plan = learned(tmp_path)
    assert [each.action.value for each in plan.steps] == ["go_home", "tap", "tap"]
    assert [(each.step, each.target_ref) for each in recalled(tmp_path).steps] == [(1, None), (2, "wechat")]
    assert "Ad" not in text(tmp_path)
    assert "Ann" not in text(tmp_path)


@pytest.mark.parametrize("label", ["text:关闭", "text:Skip", "text:✕", "text:知道了"])
def test_plan_with_undeclared_popup_closing_is_not_remembered(tmp_path: Path, label: str) -> None:
    learned(tmp_path, reply(step(1, "go_home"), step(2, "tap", target_ref=label), step(3, "tap", target_ref="wechat")))
    with pytest.raises(NoPlan):
        recalled(tmp_path)


def test_closing_step_named_in_task_is_remembered(tmp_path: Path) -> None:
    task = "skip the wechat intro"
    learned(tmp_path, reply(step(1, "go_home"), step(2, "tap", target_ref="text:Skip")), task)
    assert recalled(tmp_path, task).steps[1].target_ref == "text:Skip"


def test_plan_file_is_human_readable(tmp_path: Path) -> None:
    learned(tmp_path, SEED_REPLY, SEND)
    assert text(tmp_path).startswith("# Plans that have worked")
    assert "- task: 给张三发微信消息说你好\n  screen:\n  - 300\n  - 600\n  plan:\n" in text(tmp_path)
    assert "      description: 点击微信搜索图标\n" in text(tmp_path)
    assert "&id" not in text(tmp_path)
    assert "origin" not in text(tmp_path)


def test_recalled_home_screen_plan_starts_with_go_home(tmp_path: Path) -> None:
    learned(tmp_path, SEED_REPLY, SEND)
    steps = recalled(tmp_path, SEND).steps
    assert [each.action for each in steps[:2]] == [ActionName.GO_HOME, ActionName.TAP]
    assert [each.step for each in steps] == list(range(1, 8))


def test_plan_begun_outside_home_screen_is_not_remembered(tmp_path: Path) -> None:
    learned(tmp_path, reply(step(1, "tap", target_ref="wechat"), analysis={"current_screen": "some page"}))
    assert not (tmp_path / "wechat.yaml").exists()


def test_plans_are_kept_per_app_version_and_task(tmp_path: Path) -> None:
    learned(tmp_path, version="8.0")
    assert recalled(tmp_path, version="8.0").origin is PlanOrigin.MEMORY
    for version in (None, "8.1"):
        with pytest.raises(NoPlan):
            recalled(tmp_path, version=version)
    maker = planner_with(None, memory=PlanMemory(tmp_path), version_of=lambda packages: "8.0")
    with pytest.raises(NoPlan):
        maker.plan(OPEN)
    with pytest.raises(NoPlan):
        recalled(tmp_path, "open the wechat settings!", version="8.0")
    assert recalled(tmp_path, f"  {OPEN}\n", version="8.0").steps


def test_version_is_read_from_the_apps_packages(tmp_path: Path) -> None:
    asked: list[tuple[str, ...]] = []

    def version_of(packages: tuple[str, ...]) -> str:
        asked.append(packages)
        return "8.0"

    maker = planner(GOOD, memory=PlanMemory(tmp_path), version_of=version_of)[0]
    maker.succeeded(maker.plan(OPEN, SCREEN))
    assert set(asked) == {("com.tencent.mm",)}
    assert 'app_version: "8.0"' in text(tmp_path), "a text that looks like a number is quoted"


def test_a_remembered_plan_that_fails_is_dropped(tmp_path: Path) -> None:
    learned(tmp_path)
    maker = remembering(tmp_path, GOOD)
    maker.failed(maker.plan(OPEN, SCREEN))
    with pytest.raises(NoPlan):
        recalled(tmp_path)
    assert maker.plan(OPEN, SCREEN).origin is PlanOrigin.MODEL


def test_replan_drops_remembered_plan_and_is_not_remembered(tmp_path: Path) -> None:
    learned(tmp_path)
    maker = remembering(tmp_path, GOOD)
    plan = maker.plan(OPEN, SCREEN)
    new = maker.replan(OPEN, SCREEN, plan.steps[1], "not there", plan.steps[:1])
    maker.succeeded(new)
    maker.succeeded(plan)
    with pytest.raises(NoPlan):
        recalled(tmp_path)


def test_failed_model_plan_is_not_remembered(tmp_path: Path) -> None:
    maker = remembering(tmp_path, GOOD)
    maker.failed(maker.plan(OPEN, SCREEN))
    assert not list(tmp_path.iterdir())


def test_templates_are_not_remembered(tmp_path: Path) -> None:
    maker = remembering(tmp_path)
    maker.succeeded(maker.plan(TEMPLATE, SCREEN))
    assert not list(tmp_path.iterdir())


def test_read_only_mode_recalls_without_writing(tmp_path: Path) -> None:
    learned(tmp_path)
    before = text(tmp_path)
    maker = remembering(tmp_path, GOOD, mode="read-only")
    plan = maker.plan(OPEN, SCREEN)
    assert plan.origin is PlanOrigin.MEMORY
    maker.failed(plan)
    again = maker.plan(OPEN, SCREEN)
    assert again.origin is PlanOrigin.MODEL, "what failed is not offered twice"
    maker.succeeded(again)
    assert text(tmp_path) == before


def test_off_mode_neither_recalls_nor_writes(tmp_path: Path) -> None:
    learned(tmp_path)
    maker = remembering(tmp_path, GOOD.replace("Settings", "Options"), mode="off")
    plan = maker.plan(OPEN, SCREEN)
    assert plan.origin is PlanOrigin.MODEL
    maker.succeeded(plan)
    assert "Options" not in text(tmp_path)
    with pytest.raises(UsageError, match="on"):
        PlanMemory(tmp_path, "on")  # type: ignore[arg-type]


@pytest.mark.parametrize("task", ["type the wechat password hunter2", "在微信输入验证码1234"])
def test_secrets_are_not_written_to_the_file(tmp_path: Path, task: str) -> None:
    learned(tmp_path, reply(step(1, "go_home"), step(2, "tap", target_ref="wechat")), task)
    secret = reply(step(1, "go_home"), step(2, "input_text", params={"text": "hunter2", "secret": True}))
    learned(tmp_path, secret, "type hunter2 into wechat")
    assert not list(tmp_path.iterdir())


# Files that people have changed


def test_recalled_plan_is_checked_against_the_task(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    learned(tmp_path, SEED_REPLY, SEND)
    path = tmp_path / "wechat.yaml"
    path.write_text(text(tmp_path).replace("text: 你好", "text: 借我五千"), "utf-8")
    with pytest.raises(NoPlan):
        recalled(tmp_path, SEND)
    assert "借我五千" in caplog.text
    assert planner(SEED_REPLY, memory=PlanMemory(tmp_path))[0].plan(SEND, SCREEN).origin is PlanOrigin.MODEL


def truncated(content: str) -> str:
    return content[: content.index("step: 2") + 4]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (truncated, r"wechat\.yaml:\d+: "),
        (lambda content: content.replace("action: tap", "action: tip"), r"wechat\.yaml:17: .*action.*'tip'"),
        (lambda content: content.replace("step: 2", "step: 7"), r"wechat\.yaml:16: .*has the number 7"),
        (
            lambda content: content.replace("action: tap", "action: swipe"),
            r"wechat\.yaml:16: .*params\.direction is missing",
        ),
        (lambda content: content.replace("version: 1", "version: 2"), r"wechat\.yaml:3: has version 2"),
        (lambda content: content.replace("- task:", "- tusk:"), r"wechat\.yaml:5: unknown key 'tusk'"),
        (lambda content: content.replace("- 300", "- 0"), r"wechat\.yaml:\d+: .*screen"),
        (
            lambda content: content.replace("target_ref: wechat", "late: {description: '{'}"),
            r"wechat\.yaml:\d+: .*no slot",
        ),
        (lambda content: "", r"wechat\.yaml:1: has no plans"),
        (lambda content: "[" * 100, r"wechat\.yaml:1: .*nested"),
        (lambda content: content.replace("wechat", "\x00"), r"wechat\.yaml:\d*"),
    ],
)
def test_damaged_file_is_reported_by_line_and_kept(
    tmp_path: Path, change: Callable[[str], str], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    learned(tmp_path)
    path = tmp_path / "wechat.yaml"
    path.write_text(changed := change(text(tmp_path)), "utf-8")
    with pytest.raises(ConfigError, match=said):
        recalled(tmp_path)
    with pytest.raises(ConfigError, match=said):
        PlanMemory(tmp_path).keep(PlanKey("else", "wechat"), kept_plan())
    maker = remembering(tmp_path / "other", GOOD)
    plan = maker.plan(OPEN, SCREEN)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "wechat.yaml").write_text(changed, "utf-8")
    maker.succeeded(plan)
    assert "not remembered" in caplog.text, "a run that succeeded has succeeded"
    assert path.read_text("utf-8") == changed
    assert (tmp_path / "other" / "wechat.yaml").read_text("utf-8") == changed


def test_unreadable_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        recalled(tmp_path / ("long" * 100))
    (tmp_path / "file").write_text("")
    with pytest.raises(NoPlan):
        recalled(tmp_path / "file")
    (tmp_path / "wechat.yaml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        recalled(tmp_path)


def kept_plan() -> TaskPlan:
    return planner(GOOD)[0].plan(OPEN, SCREEN)


def test_concurrent_writes_lose_no_plans(tmp_path: Path) -> None:
    plan = kept_plan()
    memories = [PlanMemory(tmp_path) for _ in range(4)]

    def keep(number: int) -> bool:
        return memories[number % 4].keep(replace(KEY, task=f"{OPEN} {number}"), plan)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(keep, range(12)))
    remembered = [number for number in range(12) if PlanMemory(tmp_path).recall(replace(KEY, task=f"{OPEN} {number}"))]
    assert remembered == list(range(12))
    memories[0].drop(replace(KEY, task=f"{OPEN} 3"))
    assert memories[1].recall(replace(KEY, task=f"{OPEN} 3")) is None


def test_locked_folder_fails_after_waiting(tmp_path: Path) -> None:
    clock = FakeClock()
    with DeviceLock(f"plans:{tmp_path.resolve()}"), pytest.raises(WriteFailed):
        PlanMemory(tmp_path, clock=clock).keep(KEY, kept_plan())
    assert clock.now() >= 5


def test_oldest_plans_are_dropped_first(tmp_path: Path) -> None:
    plan, memory = kept_plan(), PlanMemory(tmp_path)
    memory.keep(replace(KEY, task="first"), plan)
    entry = text(tmp_path).split("plans:\n")[1]
    many = "".join(entry.replace("task: first", f"task: number {number}") for number in range(MOST_PLANS))
    (tmp_path / "wechat.yaml").write_text(f"version: 1\nplans:\n{entry}{many}", "utf-8")
    memory.keep(replace(KEY, task="last"), plan)
    assert [
        memory.recall(replace(KEY, task=task)) is not None for task in ("first", "number 0", "number 1", "last")
    ] == [
        False,
        False,
        True,
        True,
    ]


def test_plan_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    memory = default_memory()
    assert memory is not None
    assert memory.folder == tmp_path / "cache" / "plans"
    memory.keep(KEY, kept_plan())
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(memory.folder / "wechat.yaml").st_mode) == 0o600, "tasks are private"
    monkeypatch.setenv("HANDEYE_CACHE", "off")
    assert default_memory() is None
    (tmp_path / ".handeye" / "plans").mkdir(parents=True)
    team = default_memory("read-only")
    assert team is not None
    assert (team.folder, team.mode) == (Path(".handeye/plans"), "read-only")


@pytest.mark.parametrize(
    "words", ["1e5", "0x1F", "on", "~", "<<", "-.5", "2026-11-22", "1_000", "a: b", "#x", "- ", "x\u2028y", "👋🏽‍"]
)
def test_yaml_strings_round_trip_as_strings(words: str) -> None:
    assert parse_yaml(write_yaml({"a": words, words: 1}), Path("x")).value == {"a": words, words: 1}


PLAIN = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**17), 10**17) | PLAIN,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PLAIN, inner, max_size=4),
        max_leaves=8,
    )
)
def test_yaml_values_round_trip(value: object) -> None:
    written = write_yaml({"value": value})
    assert parse_yaml(written, Path("x")).value == {"value": json.loads(json.dumps(value))}


def test_screen_size_key_matches_any_size_type(tmp_path: Path) -> None:
    PlanMemory(tmp_path).keep(PlanKey(OPEN, "wechat", None, Size(300, 600)), kept_plan())
    assert recalled(tmp_path).origin is PlanOrigin.MEMORY


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_named_pipe_instead_of_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "wechat.yaml")
    with pytest.raises(ConfigError, match="is no regular file"):
        PlanMemory(tmp_path).knows("打开微信", "wechat")
