"""One vocabulary of roles for every platform and for people's words.

A role is the kind of a control: "button", "input", "switch". Platforms name them by class (`android.widget.Button`), by
number (UI Automation 50000) or by words; people say "按钮" or "text box". Both are rows of data here.
"""

from __future__ import annotations

from typing import Final

# People's words for each role. The role "item" is what they say of anything that can be pointed at: it rules nothing out.
ROLES: Final[dict[str, tuple[str, ...]]] = {
    "button": ("button", "btn", "push button", "按钮", "按键", "按鈕"),
    "input": (
        *("input", "text box", "textbox", "text field", "textfield", "edit", "edit box", "input box", "input field"),
        *("search box", "search field", "search bar", "message box", "field", "entry"),
        *("输入框", "文本框", "搜索框", "编辑框", "输入栏", "搜索栏", "输入域", "輸入框", "搜尋框"),
    ),
    "checkbox": ("checkbox", "check box", "tick box", "tickbox", "复选框", "勾选框", "多选框", "核取方塊"),
    "radio": ("radio", "radio button", "单选框", "单选按钮"),
    "switch": ("switch", "toggle", "toggle switch", "toggle button", "switch button", "开关", "開關"),
    "slider": ("slider", "seek bar", "seekbar", "滑块", "滑动条", "进度滑块"),
    "dropdown": (
        *(
            "dropdown",
            "drop down",
            "combo box",
            "combobox",
            "select box",
            "spinner",
            "drop down list",
            "drop down menu",
        ),
        *("下拉框", "下拉菜单", "下拉列表", "组合框"),
    ),
    "icon": ("icon", "symbol", "logo", "glyph", "图标", "标志", "符号", "圖示"),
    "image": ("image", "picture", "photo", "pic", "thumbnail", "photograph", "图片", "图像", "照片", "缩略图", "圖片"),
    "video": ("video", "视频"),
    "text": ("text", "label", "paragraph", "文字", "文本"),
    "heading": ("heading", "title", "header", "标题"),
    "link": ("link", "hyperlink", "链接", "超链接", "連結"),
    "tab": ("tab", "标签", "选项卡", "标签页"),
    "menu": ("menu", "菜单", "選單"),
    "menu item": ("menu item", "菜单项"),
    "list": ("list", "列表"),
    "list item": ("list item", "列表项"),
    "row": ("row", "行"),
    "column": ("column", "列"),
    "cell": ("cell", "grid cell", "单元格"),
    "table": ("table", "grid", "表格"),
    "dialog": ("dialog", "dialogue", "popup", "pop up", "dialog box", "对话框", "弹窗", "弹框"),
    "window": ("window", "窗口"),
    "toolbar": ("toolbar", "tool bar", "工具栏"),
    "status bar": ("status bar", "statusbar", "notification bar", "状态栏"),
    "progress bar": ("progress bar", "progressbar", "进度条"),
    "item": (
        "item",
        "option",
        "choice",
        "element",
        "control",
        "thing",
        "box",
        "block",
        "card",
        "选项",
        "项目",
        "控件",
        "元素",
        "卡片",
    ),
}


def role_of(word: str) -> str | None:
    """The role that a person's word names, in any case and number; None when it names none."""
    plain = " ".join(word.casefold().replace("-", " ").split())
    return _BY_WORD.get(plain) or _BY_WORD.get(plain.removesuffix("s")) or _BY_WORD.get(plain.removesuffix("es"))


_BY_WORD: Final = {word: role for role, words in ROLES.items() for word in words}
