"""Tests of the examples of docs/spec/vision-agent.md on reference images, modules and routing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from handeye.apps import AppHandler, AssetsManager, DefaultHandler, ModuleRegistry
from handeye.errors import NoPlan
from handeye.plan import ActionName, TargetType, TaskPlan
from handeye_phone.artwork import icon

INDEX = """\
{
  "version": "1.0",
  "icons": {
    "wechat": {
      "path": "icons/wechat.png",
      "aliases": ["微信", "WeChat"],
      "package": "com.tencent.mm",
      "exists": true
    }
  },
  "ui": {
    "search_icon": {
      "path": "ui/actions/search_icon.png",
      "description": "搜索图标/放大镜",
      "exists": false
    }
  },
  "states": {
    "wechat_main": {
      "path": "states/wechat/main.png",
      "description": "微信主界面",
      "exists": false
    }
  }
}
"""


@pytest.fixture
def assets_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The seed's `assets/`, in the working directory."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "assets"
    (folder / "icons").mkdir(parents=True)
    icon("wechat", 96).save(folder / "icons" / "wechat.png")
    (folder / "index.json").write_text(INDEX, encoding="utf-8")
    return folder


def test_assets_manager_example(assets_folder: Path) -> None:
    assets = AssetsManager()

    img = assets.get_image("wechat")
    assert isinstance(img, Image.Image)
    again = assets.get_image("微信")
    assert again is not None
    assert again.tobytes() == img.tobytes()

    ref_name = assets.resolve_alias("微信")
    assert ref_name == "wechat"

    refs = assets.get_available_refs()
    assert refs == {"icons": ["wechat"], "ui": [], "states": []}
    assert assets.get_image("search_icon") is None  # "exists": false


def test_added_images_are_found_by_folder(assets_folder: Path) -> None:
    for place in ("ui/actions/search_icon.png", "states/wechat/main.png", "states/system/home_screen.png"):
        path = assets_folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        icon("setting", 64).save(path)
    assert AssetsManager().get_available_refs() == {
        "icons": ["wechat"],
        "ui": ["search_icon"],
        "states": ["system_home_screen", "wechat_main"],
    }
    written = json.loads(AssetsManager().write_index().read_text("utf-8"))
    assert written["states"]["wechat_main"] == {
        "path": "states/wechat/main.png", "description": "微信主界面", "exists": True,
    }  # fmt: skip


def test_user_library_is_searched_by_every_module(assets_folder: Path) -> None:
    icon("notes", 96).save(assets_folder / "icons" / "mine.png")
    images = ModuleRegistry(environment={}).images("chrome")
    assert images.find("mine")[0].path == Path("assets/icons/mine.png")


def test_routing_example() -> None:
    routing = ModuleRegistry(environment={}).route("打开微信给张三发消息")
    assert routing.handler.name == "wechat"
    assert routing.handler.plan("打开微信给张三发消息") is None  # what to say is missing: a model would have to ask
    assert "张三" in routing.handler.prompt() or "联系人" in routing.handler.prompt()


@pytest.mark.parametrize("task", ["打开微信", "返回桌面", "音量调大", "给张三发微信消息说你好"])
def test_template_task_is_planned_without_model(task: str) -> None:
    handler = ModuleRegistry(environment={}).route(task).handler
    assert isinstance(handler, AppHandler)
    plan = handler.plan(task)
    assert isinstance(plan, TaskPlan)
    assert [step.step for step in plan.steps] == list(range(1, plan.analysis["estimated_steps"] + 1))


def test_unknown_task_goes_to_default_handler() -> None:
    registry = ModuleRegistry(environment={})
    handler = registry.route("qwertz").handler
    assert isinstance(handler, DefaultHandler)
    assert (handler.plan("qwertz"), handler.prompt(), handler.images().find("wechat")) == (None, "", ())
    with pytest.raises(NoPlan):
        registry.plan("qwertz")


def test_open_app_plan_branches_on_foreground_app() -> None:
    """在微信 → done; 在桌面 → tap the icon; 在其他应用 → go home first; then the icon, swiping left for it, then the proof."""
    home, tap, proof = ModuleRegistry(environment={}).plan("打开微信").steps
    in_wechat = tap.conditions[0]
    assert (in_wechat.expect.app, in_wechat.wanted) == ("com.tencent.mm", False)
    assert home.action is ActionName.GO_HOME
    assert [condition.expect.app for condition in home.conditions] == ["com.tencent.mm", "home"]
    assert home.conditions[0] == in_wechat
    assert (tap.target_ref, tap.target_type) == ("wechat", TargetType.ICON)
    assert tap.fallback is not None
    assert (tap.fallback["action"], tap.fallback["params"]) == ("swipe", {"direction": "left"})
    assert proof.action is ActionName.RETURN_HOME
    assert proof.conditions == ()
    assert proof.expect is not None
    assert proof.expect.is_evidence
