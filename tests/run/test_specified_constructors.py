"""Tests of the constructors of docs/spec/vision-agent.md: `TaskRunner(adb, llm_config, assets_dir, temp_dir)`, `Planner()`,
`Verifier()`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import handeye
from handeye.devices import PhoneDevice
from handeye.errors import ConfigError, NoPlan, UsageError
from handeye.models import LLMConfig
from handeye.models.config.prices import Price
from handeye.run import Tools
from handeye.testing.fakes import FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.testing.model_server import ModelServer, ScriptedReply

KEY = "sk-seed-0123456789"
TASK = "在微信里看看朋友圈"
BLANK = Image.fromarray(np.full((1280, 720, 3), 240, np.uint8))


def plan(target: str) -> str:
    """A model's plan that opens the app and taps `target`."""
    tap = {
        "step": 2,
        "action": "tap",
        "target_ref": target,
        "description": "点击发现",
        "success_condition": "“朋友圈”显示在页面上",
    }
    opens = {"step": 1, "action": "launch_app", "params": {"package": "com.tencent.mm"}, "description": "打开微信"}
    return json.dumps({"steps": [opens, tap], "success_criteria": "“朋友圈”显示在页面上"}, ensure_ascii=False)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(ScriptedReply(plan("discover_tab")), key=KEY) as server:
        yield server


@pytest.fixture
def config(server: ModelServer) -> LLMConfig:
    return LLMConfig.custom(KEY, server.base_url, "any-model", price=Price(1.0, 2.0))


@pytest.mark.usefixtures("adb_port")
def test_runner_accepts_the_seed_constructor_arguments(server: ModelServer, config: LLMConfig, tmp_path: Path) -> None:
    """The model plans, the user's own image is located, and temporary files go to `temp_dir`."""
    with PhoneDevice() as phone:
        assets, temp = tmp_path / "assets", tmp_path / "temp"
        (assets / "icons").mkdir(parents=True)
        _discover_tab(phone).save(assets / "icons" / "discover_tab.png")
        runner = handeye.TaskRunner(adb=phone, llm_config=config, assets_dir=assets, temp_dir=temp)
        result = runner.run(TASK)
    assert result.success, result.error_message
    assert result.plan is not None
    assert result.plan.origin.value == "model"
    assert result.step_results[1].located is not None
    assert result.step_results[1].located.method_used == "template"
    assert len(server.questions) == 1
    assert list((temp / "places").rglob("*.npz"))


def _discover_tab(phone: PhoneDevice) -> Image.Image:
    """The icon of the messenger's third tab, as a person would cut it out."""
    from xml.etree import ElementTree

    from handeye.actions import GoHome, LaunchApp

    phone.perform(LaunchApp("com.tencent.mm"))
    nodes = ElementTree.fromstring(phone.dump_hierarchy()).iter("node")
    (bounds,) = [node.get("bounds", "") for node in nodes if node.get("text") == "发现"]
    left, top, right, bottom = (int(part) for part in bounds.replace("][", ",").strip("[]").split(","))
    picture = phone.screenshot().image.crop((left, top, right, bottom))
    phone.perform(GoHome())
    return picture


def test_custom_parts_and_default_settings_are_mutually_exclusive(tmp_path: Path) -> None:
    device = FakeDevice({"home": FakePage()}, start="home")
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    for settings in ({"llm_config": "off"}, {"assets_dir": tmp_path}, {"temp_dir": "temp"}):
        with pytest.raises(UsageError, match="planner and tools were given"):
            handeye.TaskRunner(device, planner=FakePlanner({}), tools=lambda plan: tools, **settings)
    with pytest.raises(ConfigError):
        handeye.TaskRunner(device, llm_config="no-such-model-or-provider/at all", planner=FakePlanner({}))


def test_planner_needs_no_arguments() -> None:
    planner = handeye.Planner()
    assert planner.plan("打开微信").module == "wechat"
    assert planner.plan("打开微信", BLANK, history=None).module == "wechat"
    with pytest.raises(NoPlan):
        planner.plan("没有人写过的一件事", BLANK)


def test_planner_asks_the_configured_model() -> None:
    """The screenshot may be a PIL image, as in the seed, also for a replan."""
    with ModelServer(ScriptedReply(plan("text:发现")), key=KEY) as server:
        planner = handeye.Planner(llm_config=LLMConfig.custom(KEY, server.base_url, "any-model"))
        made = planner.plan(TASK, BLANK)
        assert [step.action.value for step in made.steps][:2] == ["launch_app", "tap"]
        again = planner.replan(
            original_task=TASK,
            current_screenshot=BLANK,
            failed_step=made.steps[1],
            failure_reason="nothing changed",
            executed_steps=[made.steps[0]],
        )
        assert again.steps
        assert len(server.questions) >= 2
        assert all(question.pictures for question in server.questions)


def test_verifier_asks_a_model_only_when_configured(config: LLMConfig, server: ModelServer) -> None:
    assert handeye.Verifier().verify_with_description(BLANK, "微信主界面").matches_expected is None
    assert not server.questions
    assert not handeye.Verifier(llm_config=config).verify_with_description(BLANK, "微信主界面").verified
    assert server.questions
