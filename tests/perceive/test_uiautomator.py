"""Tests of parsing the XML of `uiautomator dump`: what is kept, repaired and refused."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.elements import UIElement
from handeye.errors import HandeyeError, TreeFailed
from handeye.geometry import Box
from handeye.locate import AccessibilityStrategy
from handeye.perceive import StateProvider, provider_for
from handeye.perceive.uiautomator import KEPT, MAX_DEPTH, MAX_NODES, UiAutomatorProvider, parse_hierarchy
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.fakes import FakeDevice, FakePage
from handeye.testing.perceiving import FakeTreeDevice

HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"


def frame(width: int = 100, height: int = 200, shade: int = 0, **about: Any) -> Screen:
    return Screen(np.full((height, width, 3), shade, np.uint8), **about)


def node(bounds: str, kids: str = "", **attributes: str) -> str:
    written = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<node {written} bounds="{bounds}">{kids}</node>'


def tree(*nodes: str) -> str:
    return f'{HEAD}<hierarchy rotation="0">{"".join(nodes)}</hierarchy>'


def elements(xml: str, screen: Screen | None = None) -> tuple[UIElement, ...]:
    return parse_hierarchy(xml, screen or frame()).elements


def test_a_node_becomes_an_element() -> None:
    xml = tree(
        node(
            "[0,0][100,200]",
            node(
                "[10,20][60,40]",
                text="Save &amp; close",
                content_desc="保存",
                resource_id="com.x:id/save",
                checked="true",
                clickable="true",
                enabled="false",
                **{"class": "android.widget.Button"},
            ),
            **{"class": "android.widget.FrameLayout"},
        )
    )
    root, button = elements(xml)
    assert (root.element_type, root.parent, root.enabled, root.interactive) == ("group", None, True, False)
    assert (button.element_type, button.text, button.description) == ("button", "Save & close", "保存")
    assert (button.bbox, button.parent, button.enabled, button.interactive) == (
        Box(10, 20, 60, 40),
        root.id,
        False,
        True,
    )
    assert button.metadata["id"] == "com.x:id/save"
    assert button.metadata["class"] == "android.widget.Button"
    assert button.metadata["checked"] is True
    assert "focused" not in button.metadata


def test_boxes_are_scaled_to_frame_pixels() -> None:
    xml = tree(node("[0,0][100,200]", node("[50,100][100,200]")))
    _, half = elements(xml, frame(200, 400, pixels_per_unit=2.0))
    assert half.bbox == Box(100, 200, 200, 400)


def test_boxes_are_relative_to_a_cropped_frame() -> None:
    part = frame().crop(Box(50, 100, 100, 200))
    _, place = elements(tree(node("[0,0][100,200]", node("[60,110][70,120]"))), part)
    assert place.bbox == Box(10, 10, 20, 20)


def test_visible_region_is_clipped_to_the_screen() -> None:
    _, half, gone = elements(tree(node("[0,0][100,200]", node("[50,0][150,10]") + node("[150,0][250,10]"))))
    assert half.visible_region == Box(50, 0, 100, 10)
    assert gone.bbox.intersect(Box(0, 0, 100, 200)) is None


@pytest.mark.parametrize("bounds", ["", "[1,2]", "[5,5][5,9]", "[9,9][1,1]", "[a,b][c,d]", "[1,1][99999999999,2]", "١"])
def test_node_with_invalid_bounds_has_empty_box(bounds: str) -> None:
    assert elements(tree(node(bounds)))[0].bbox.area == 0


def test_surrogate_pairs_are_joined_and_lone_ones_replaced() -> None:
    written = "a&#55357;&#56832;b&#xD83D;&#xde00;c&#55357;d&#56832;"
    assert elements(tree(node("[0,0][9,9]", text=written)))[0].text == "a😀b😀c\ufffdd\ufffd"


def test_control_characters_do_not_stop_the_reading() -> None:
    assert elements(tree(node("[0,0][9,9]", text="a&#0;b\x07c&#10;d&lt;")))[0].text == "a b c\nd<"


@pytest.mark.parametrize("end", ["", "<node", '<node text="', "</hierarchy"])
def test_truncated_tree_is_an_error(end: str) -> None:
    with pytest.raises(TreeFailed, match="1 nodes came before"):
        elements(f'{HEAD}<hierarchy><node text="a" bounds="[0,0][9,9]"/>{end}')


def test_xml_entities_are_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><hierarchy><node text="&b;"/></hierarchy>'
    with pytest.raises(TreeFailed, match="document type"):
        elements(bomb)


def test_too_many_nodes_are_refused() -> None:
    with pytest.raises(TreeFailed, match=f"more than {MAX_NODES:,} nodes"):
        elements(tree('<node bounds=""/>' * (MAX_NODES + 1)))


def test_a_tree_too_deep_is_refused_without_recursion() -> None:
    deep = MAX_DEPTH * 50
    with pytest.raises(TreeFailed, match="levels deep"):
        elements("<hierarchy>" + "<node>" * deep + "</node>" * deep + "</hierarchy>")


def test_tree_of_rotated_screen_is_refused() -> None:
    with pytest.raises(TreeFailed, match="turned in between"):
        elements(tree(node("[0,0][200,100]")))


def test_small_dialog_is_not_taken_for_rotation() -> None:
    assert len(elements(tree(node("[10,50][90,120]", node("[0,60][140,80]"))))) == 2


@given(st.text(max_size=300) | st.text("<>/node=\"'&#;[]0123 x", max_size=300))
def test_any_xml_is_read_or_refused(text: str) -> None:
    for xml in (text, tree(text)):
        with suppress(TreeFailed):  # any other error fails the test
            assert all(element.id for element in elements(xml))


# -- the provider


def test_tree_is_read_once_for_equal_frames() -> None:
    device = FakeTreeDevice(tree(node("[0,0][9,9]", text="a")))
    provider: StateProvider = UiAutomatorProvider(device)
    state = provider.detect(frame())
    assert provider.detect(frame()) is state
    assert device.asked == 1
    assert provider.detect(frame(shade=9)) is not state
    assert device.asked == 2


def test_old_tree_expires_for_equal_frame() -> None:
    device = FakeTreeDevice(tree())
    provider = UiAutomatorProvider(device)
    first = frame()
    provider.detect(first)
    provider.detect(frame(taken=first.taken + KEPT * 2))
    provider.detect(frame(taken=first.taken - timedelta(hours=1)))
    assert device.asked == 3


def test_failed_reading_does_not_return_old_tree() -> None:
    device = FakeTreeDevice(tree())
    provider = UiAutomatorProvider(device)
    provider.detect(frame())
    device.xml = "<hierarchy>"
    for _ in range(2):
        with pytest.raises(HandeyeError):
            provider.detect(frame(shade=9))
    assert device.asked == 3


def test_cleared_provider_reads_again() -> None:
    device = FakeTreeDevice(tree())
    provider = UiAutomatorProvider(device)
    provider.detect(frame())
    provider.clear()
    provider.detect(frame())
    assert device.asked == 2


def test_a_device_without_a_tree_has_no_provider() -> None:
    assert provider_for(FakeDevice({"home": FakePage()}, start="home")) is None


def test_cleared_strategy_clears_its_provider() -> None:
    device = FakeTreeDevice(tree(node("[0,0][9,9]", text="a")))
    strategy = AccessibilityStrategy(UiAutomatorProvider(device))
    for _ in range(2):
        strategy.locate(Target(text="a"), frame())
    assert device.asked == 1
    strategy.clear()
    strategy.locate(Target(text="a"), frame())
    assert device.asked == 2
