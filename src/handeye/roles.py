"""One vocabulary of roles for every platform and for people's words.

A role is the kind of a control: "button", "input", "switch". Platforms name them by class (`android.widget.Button`), by
number (UI Automation 50000) or by words; people say "按钮" or "text box". Both are rows of data here.
"""

from __future__ import annotations

from typing import Final

ROLES: Final[dict[str, tuple[str, ...]]] = {
    "button": ("button", "btn", "按钮", "按键"),
    "input": ("input", "text box", "textbox", "text field", "edit", "search box", "输入框", "文本框", "搜索框"),
    "checkbox": ("checkbox", "check box", "复选框", "勾选框"),
    "radio": ("radio", "radio button", "单选框", "单选按钮"),
    "switch": ("switch", "toggle", "开关"),
    "icon": ("icon", "图标"),
    "image": ("image", "picture", "photo", "图片", "图像"),
    "text": ("text", "label", "文字", "文本"),
    "link": ("link", "链接"),
    "tab": ("tab", "标签", "选项卡"),
    "menu item": ("menu item", "option", "菜单项", "选项"),
}


def role_of(word: str) -> str | None:
    """The role that a person's word names, in any case; None when it names none."""
    plain = " ".join(word.casefold().split())
    return _BY_WORD.get(plain)


_BY_WORD: Final = {word: role for role, words in ROLES.items() for word in words}
