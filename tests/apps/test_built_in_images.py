"""Tests of the shipped reference images: current with the phone's artwork, found in every theme and density."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from handeye.apps import ModuleRegistry
from handeye.geometry import Box
from handeye.locate import TemplateStrategy
from handeye.screen import Screen
from handeye.target import Target
from handeye_phone.scenario import Scenario

TOOL = Path(__file__).parents[2] / "tools" / "make_reference_images.py"
REGISTRY = ModuleRegistry(environment={})
SEND = {
    step.target.reference: step.target
    for step in REGISTRY.plan("给张三发微信消息说你好").steps
    if step.target and step.target.reference
}


@pytest.fixture(scope="module")
def tool() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("make_reference_images", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_shipped_images_match_the_artwork(tool: ModuleType) -> None:
    expected = dict(tool.images())
    stale = [path.name for path, image in expected.items() if tool.differs(path, image)]
    assert not stale, "run tools/make_reference_images.py"
    assert set(tool.BUILTIN.rglob("*.png")) == set(expected)


@pytest.mark.parametrize(
    "scenario",
    [Scenario(), Scenario(dark=True), Scenario(density=320), Scenario(density=560, dark=True)],
    ids=["calm", "dark", "small", "large dark"],
)
def test_shipped_images_are_found_on_the_phone(tool: ModuleType, scenario: Scenario) -> None:
    phone = tool.Phone(scenario)
    strategy = TemplateStrategy(REGISTRY.images("wechat"))

    def found(target: Target) -> Box:
        match = strategy.locate(target, Screen.from_image(phone.model.frame()))
        assert match is not None, target
        assert len(match.elements) == 1, target
        assert match.elements[0].reliable
        return match.elements[0].bbox

    assert phone.box(id="search").contains(found(SEND["wechat_search"]).center)
    phone.tap(phone.box(id="name", text="文件传输助手"))
    assert phone.box(id="input").contains(found(SEND["wechat_input"]).center)
    phone.tap(phone.box(id="input"))  # the keyboard moves it up
    assert phone.box(id="input").contains(found(SEND["wechat_input"]).center)
    phone.model.type_text("hi")
    phone.wait()
    assert phone.box(text="发送").contains(found(Target(reference="发送按钮")).center)
    phone.model.go_home()
    phone.wait()
    on_first_page = strategy.locate(SEND["wechat"], Screen.from_image(phone.model.frame()))
    assert on_first_page is not None
    assert not on_first_page.elements  # it is on the second page
