"""Tests of the default tools of a run: order of the strategies, and the location cache."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handeye.apps import ModuleRegistry
from handeye.devices import Device
from handeye.elements import UIElement, UIState
from handeye.geometry import Box
from handeye.locate import LocateChain
from handeye.plan import TaskPlan
from handeye.run import Tools, general_tools
from handeye.run.composition import compose, default_tools
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.fakes import FakeDevice, FakePage
from handeye.text import TextLine


class Phone(FakeDevice):
    """A device that has a tree."""

    def dump_hierarchy(self) -> str:
        return "<hierarchy />"


class QuickTree:
    """A tree that costs nothing to read."""

    name, slow = "quick", False

    def detect(self, screen: Screen) -> UIState:
        return UIState(screen, (UIElement("button", "Mail", Box(0, 0, 40, 40)),))


class Blind:
    """A reader that sees no text."""

    name = "blind"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return ()


def names(tools: Tools) -> list[str]:
    assert isinstance(tools.finder, LocateChain)
    return [strategy.name for strategy in tools.finder.strategies]


def device(kind: type[FakeDevice]) -> Device:
    return kind({"home": FakePage()}, start="home")


def test_strategies_are_ordered_by_cost() -> None:
    modules = ModuleRegistry(environment={})
    plan = TaskPlan({}, (), module="wechat")
    assert names(default_tools(modules)(plan)) == ["cache", "template", "ocr", "ranker"]
    assert names(default_tools(modules, device(FakeDevice))(plan)) == ["cache", "template", "ocr", "ranker"]
    with_tree = ["cache", "template", "ocr", "accessibility", "ranker"]
    assert names(default_tools(modules, device(Phone))(plan)) == with_tree
    assert names(general_tools(device(Phone))) == with_tree
    quick = compose(modules.images("system"), Blind(), tree=QuickTree())
    assert names(quick) == ["cache", "accessibility", "template", "ocr", "ranker"]


@pytest.mark.parametrize("switch", ["folder", "off"])
def test_proved_locations_are_cached_in_configured_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch: str
) -> None:
    folder = tmp_path / "kept"
    monkeypatch.setenv("HANDEYE_CACHE", str(folder) if switch == "folder" else switch)
    modules = ModuleRegistry(environment={})
    tools = default_tools(modules)(TaskPlan({}, (), module="wechat"))
    assert isinstance(tools.finder, LocateChain)
    icon = Screen.open(modules.images("wechat").find("wechat")[0].path or "").pixels
    page = np.full((1200, 1080, 3), 245, np.uint8)
    page[40 : 40 + icon.shape[0], 60 : 60 + icon.shape[1]] = icon
    target, screen = Target(reference="wechat"), Screen(page)
    assert tools.finder.locate(target, screen).method_used == "template"
    assert not list(tmp_path.rglob("*.npz"))
    tools.finder.judge(target, True)
    again = default_tools(modules)(TaskPlan({}, (), module="wechat")).finder.locate(target, screen)
    assert again.method_used == ("cache" if switch == "folder" else "template")
    assert bool(list(folder.rglob("*.npz"))) == (switch == "folder")
