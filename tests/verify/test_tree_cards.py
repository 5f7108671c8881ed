"""Tests of dialogs found by the accessibility tree where OCR cannot read the text."""

from __future__ import annotations

from typing import Any

import pytest
from drawn_dialogs import LIGHT, Known, dialog, page
from phone_frames import Phone

from handeye.blockers import BlockerType
from handeye.blockers.detector import find_blocker
from handeye.elements import UIElement, UIState
from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen


class TreeOf:
    """A provider that counts how often it is asked."""

    name = "fixed"

    def __init__(self, state: UIState | None, *, slow: bool = False) -> None:
        self.state, self.slow, self.asked = state, slow, 0

    def detect(self, screen: Screen) -> UIState:
        self.asked += 1
        if self.state is None:
            raise TreeFailed("could not get idle state")
        return self.state


def nodes(*described: tuple[str, str, Box, dict[str, Any]]) -> tuple[UIElement, ...]:
    """A root over the whole screen and its children: role, text, box and what the platform says of them."""
    root = UIElement("group", "", Box(0, 0, 1080, 2400), id=0)
    return (
        root,
        *(
            UIElement(
                role,
                "",
                box,
                text=text,
                id=at + 1,
                parent=0,
                interactive=role == "button",
                enabled=True,
                metadata=about,
            )
            for at, (role, text, box, about) in enumerate(described)
        ),
    )


MESSAGE, LEFT, RIGHT = Box(120, 1000, 960, 1100), Box(120, 1200, 500, 1300), Box(560, 1200, 960, 1300)


def asking(package: str, refuse: str = "拒绝", allow: str = "允许") -> tuple[UIElement, ...]:
    about = {"package": package}
    return nodes(
        ("text", "要允许“微信”录制音频吗？", MESSAGE, about),
        ("button", refuse, LEFT, about),
        ("button", allow, RIGHT, about),
    )


@pytest.mark.parametrize(
    ("scenario", "kind", "label"),
    [("permission", BlockerType.PERMISSION, "拒绝"), ("crash", BlockerType.ERROR, "关闭应用")],
)
@pytest.mark.parametrize("theme", ["", "dark"])
def test_virtual_phone_dialogs_are_recognized_without_ocr(
    scenario: str, kind: BlockerType, label: str, theme: str
) -> None:
    device = Phone(f"{scenario},{theme}".strip(",")).open()
    if scenario == "crash":
        for _ in range(device.model.scenario.crash_after_taps):
            device.tap("微信(3)")
    screen, reader = device.frame(), Known()
    blocker = find_blocker(screen, reader, TreeOf(parse_hierarchy(device.model.hierarchy(), screen)))
    assert blocker is not None
    assert blocker.type is kind
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.box is not None
    assert device.box_of(label).contains(blocker.dismiss_suggestion.box.center)
    assert reader.reads == 0


@pytest.mark.parametrize(
    "package", ["com.android.permissioncontroller", "com.google.android.permissioncontroller", "com.lbe.security.miui"]
)
def test_permission_controller_window_is_a_permission_request(package: str) -> None:
    screen = Screen.from_image(page(LIGHT))
    blocker = find_blocker(screen, Known(), TreeOf(UIState(screen, asking(package))))
    assert blocker is not None
    assert blocker.type is BlockerType.PERMISSION
    assert "录制音频" in blocker.words
    assert blocker.grant is not None
    assert blocker.grant.box == RIGHT


def test_same_words_in_an_app_are_content() -> None:
    screen = Screen.from_image(page(LIGHT))
    assert find_blocker(screen, Known(), TreeOf(UIState(screen, asking("com.tencent.mm")))) is None


@pytest.mark.parametrize("cls", ["#32770", "dialog", "alert"])
def test_desktop_dialog_is_recognized_by_window_class(cls: str) -> None:
    screen = Screen.from_image(page(LIGHT))
    window = UIElement("window", "", Box(100, 900, 980, 1400), id=1, parent=0, metadata={"class": cls})
    parts = (
        UIElement("text", "", MESSAGE, text="Replace the file?", id=2, parent=1),
        UIElement("button", "", LEFT, text="Replace", id=3, parent=1, interactive=True),
        UIElement("button", "", RIGHT, text="Cancel", id=4, parent=1, interactive=True),
    )
    root = UIElement("window", "", Box(0, 0, 1080, 2400), id=0, metadata={"class": "frame"})
    blocker = find_blocker(screen, Known(), TreeOf(UIState(screen, (root, window, *parts))))
    assert blocker is not None
    assert blocker.type is BlockerType.DIALOG
    assert blocker.box == window.bbox
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.box == RIGHT


def test_tree_counts_the_buttons_of_a_notice() -> None:
    """OCR would take one button label for text; with two buttons, the dialog is not a plain notice."""
    screen = Screen.from_image(page(LIGHT))
    sign = {"id": "android:id/alertTitle"}
    notice = nodes(("text", "密码修改成功", MESSAGE, sign), ("button", "确定", RIGHT, {}))
    choice = nodes(
        ("text", "密码修改成功", MESSAGE, sign), ("button", "去看看", LEFT, {}), ("button", "确定", RIGHT, {})
    )
    for elements, action in ((notice, "tap"), (choice, "press_key")):
        blocker = find_blocker(screen, Known(), TreeOf(UIState(screen, elements)))
        assert blocker is not None
        assert blocker.dismiss_suggestion is not None
        assert blocker.dismiss_suggestion.action == action


def test_slow_tree_is_asked_only_about_unknown_card() -> None:
    screen, reader = dialog(["発見"], ["あとで", "今すぐ"])
    tree = TreeOf(UIState(screen, asking("com.android.permissioncontroller")), slow=True)
    blocker = find_blocker(screen, reader, tree)
    assert blocker is not None
    assert (blocker.type, tree.asked) == (BlockerType.PERMISSION, 1)
    screen, reader = dialog(["发现新版本"], ["以后再说", "立即更新"])
    assert find_blocker(screen, reader, tree) is not None
    assert find_blocker(Screen.from_image(page(LIGHT)), reader, tree) is None
    assert tree.asked == 1


@pytest.mark.parametrize("slow", [True, False])
def test_unreadable_tree_falls_back_to_the_image(slow: bool) -> None:
    screen, reader = dialog(["发现新版本"], ["以后再说", "立即更新"])
    blocker = find_blocker(screen, reader, TreeOf(None, slow=slow))
    assert blocker is not None
    assert blocker.type is BlockerType.DIALOG
