"""
One vocabulary of roles for every platform and for people's words.

A role is the kind of a control: "button", "input", "switch". Platforms name them by class (`android.widget.Button`), by
number (UI Automation 50000) or by words; people say "按钮" or "text box". Both are data here: `ROLES` for people,
`PLATFORM_CLASSES` for platforms.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

# People's words for each role. The role "item" covers words for anything on a screen: it excludes nothing. "Edit" is a
# platform's name for a text field, but to people a button's label, so it is only listed as a class.
ROLES: Final[dict[str, tuple[str, ...]]] = {
    "button": ("button", "btn", "push button", "按钮", "按键", "按鈕"),
    "input": (
        *("input", "text box", "textbox", "text field", "textfield", "edit box", "input box", "input field"),
        *("search box", "search field", "search bar", "message box", "comment box", "field", "entry"),
        *("输入框", "文本框", "搜索框", "编辑框", "输入栏", "搜索栏", "输入域", "輸入框", "搜尋框"),
    ),
    "checkbox": ("checkbox", "check box", "tick box", "tickbox", "复选框", "勾选框", "多选框", "核取方塊"),
    "radio": ("radio", "radio button", "单选框", "单选按钮"),
    "switch": ("switch", "toggle", "toggle switch", "toggle button", "switch button", "开关", "開關"),
    "slider": ("slider", "seek bar", "seekbar", "滑块", "滑动条", "进度滑块"),
    "combo box": (
        *(
            "dropdown",
            "drop down",
            "combo box",
            "combobox",
            "select box",
            "spinner",
            "drop down list",
            "drop down menu",
            "drop down button",
        ),
        *("下拉框", "下拉菜单", "下拉列表", "组合框"),
    ),
    "spinner": (
        *("spin button", "spin box", "spinbox", "spinner field", "spinner box", "stepper", "number stepper"),
        *("numeric stepper", "number spinner", "number picker", "number box", "numeric field"),
        *("微调框", "微调按钮", "微调控件", "数值框", "数字框", "数值微调框", "数字微调框", "步进器"),
        *("微調框", "數值框"),
    ),
    "icon": ("icon", "symbol", "logo", "glyph", "图标", "标志", "符号", "圖示"),
    "image": ("image", "picture", "photo", "pic", "thumbnail", "photograph", "图片", "图像", "照片", "缩略图", "圖片"),
    "video": ("video", "视频"),
    "text": ("text", "label", "paragraph", "文字", "文本"),
    "heading": ("heading", "title", "header", "标题"),
    "link": ("link", "hyperlink", "链接", "超链接", "連結"),
    "tab": ("tab", "标签", "选项卡", "标签页"),
    "menu": ("menu", "submenu", "sub menu", "菜单", "子菜单", "選單"),
    "menu bar": ("menu bar", "菜单栏"),
    "tab bar": ("tab bar", "navigation bar", "标签栏", "导航栏"),
    "menu item": ("menu item", "菜单项"),
    "list": ("list", "列表"),
    "list item": ("list item", "列表项"),
    "table row": ("row", "行"),
    "column": ("column", "列"),
    "cell": ("cell", "grid cell", "单元格"),
    "table": ("table", "表格"),
    "window": ("window", "dialog", "dialogue", "popup", "pop up", "dialog box", "窗口", "对话框", "弹窗", "弹框"),
    "toolbar": ("toolbar", "tool bar", "工具栏"),
    "status bar": ("status bar", "statusbar", "notification bar", "状态栏"),
    "progress bar": ("progress bar", "progressbar", "进度条"),
    "card": ("card", "卡片"),
    "item": ("item", "option", "choice", "element", "control", "thing", "box", "block", "选项", "项目", "控件", "元素"),
}


def role_of(word: str) -> str | None:
    """Return the role that a person's word names, ignoring case and plural; None if it names none."""
    plain = " ".join(word.casefold().replace("-", " ").split())
    return _BY_WORD.get(plain) or _BY_WORD.get(plain.removesuffix("s")) or _BY_WORD.get(plain.removesuffix("es"))


_BY_WORD: Final = {word: role for role, words in ROLES.items() for word in words}


# -- platform classes

ANDROID: Final = "android"
UIA: Final = "uia"
ATSPI: Final = "atspi"

# Classes by platform and role, as the platform spells them; case, spaces and punctuation are ignored. "android" also
# has the component names of Rico and UIBert, found in trees made from Android screens. "uia" has UI Automation's
# control type numbers (50000-50040), its programmatic names, and its localized names in English and Chinese.
PLATFORM_CLASSES: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    ANDROID: {
        "button": ("Button", "ImageButton", "FloatingActionButton", "TEXT_BUTTON", "Chip", "Fab"),
        "input": ("EditText", "TEXT_INPUT", "Input", "AutoCompleteTextView", "SearchAutoComplete", "TextInputEditText"),
        "checkbox": ("CheckBox", "CheckedTextView"),
        "radio": ("RadioButton",),
        "switch": ("Switch", "SwitchCompat", "SwitchMaterial", "ToggleButton", "On/Off Switch"),
        "icon": ("Icon", "IconView", "TextAwesome", "FontView"),
        "image": ("ImageView", "Image", "Background Image", "SimpleDraweeView", "DraweeView", "NetworkImageView"),
        "text": ("TextView", "Text", "LABEL"),
        "tab": ("TabView", "Tab", "ActionBar.Tab"),
        "list": ("ListView", "RecyclerView", "GridView", "ExpandableListView"),
        "list item": ("List Item",),
        "menu item": ("ActionMenuItemView", "ListMenuItemView", "NavigationMenuItemView"),
        "toolbar": ("Toolbar", "ActionBar"),
        "slider": ("SeekBar", "Slider", "RatingBar"),
        "spinner": ("NumberPicker", "Number Stepper"),
        "combo box": ("Spinner",),
        "progress bar": ("ProgressBar",),
        "web view": ("WebView", "WEB_VIEW"),
        "card": ("CardView", "Card"),
        "video": ("VideoView", "Video"),
        "map": ("MapView",),
        "calendar": ("DatePicker", "CalendarView"),
        "tab bar": ("TabLayout", "TabWidget", "BottomNavigationView", "Bottom Navigation", "Multi-Tab"),
        "group": (
            "LinearLayout",
            "FrameLayout",
            "RelativeLayout",
            "ConstraintLayout",
            "ViewGroup",
            "LAYOUT",
            "ScrollView",
        ),
    },
    UIA: {
        "button": ("50000", "Button", "按钮"),
        "calendar": ("50001", "Calendar", "日历"),
        "checkbox": ("50002", "CheckBox", "check box", "复选框"),
        "combo box": ("50003", "ComboBox", "combo box", "组合框"),
        "input": ("50004", "Edit", "编辑", "编辑框"),
        "link": ("50005", "Hyperlink", "link", "超链接", "链接"),
        "image": ("50006", "Image", "graphic", "图像", "图形"),
        "list item": ("50007", "ListItem", "list item", "列表项", "列表项目"),
        "list": ("50008", "List", "list view", "列表"),
        "menu": ("50009", "Menu", "菜单"),
        "menu bar": ("50010", "MenuBar", "menu bar", "菜单栏"),
        "menu item": ("50011", "MenuItem", "menu item", "菜单项", "菜单项目"),
        "progress bar": ("50012", "ProgressBar", "progress bar", "进度栏", "进度条"),
        "radio": ("50013", "RadioButton", "radio button", "单选按钮"),
        "scroll bar": ("50014", "ScrollBar", "scroll bar", "滚动条"),
        "slider": ("50015", "Slider", "滑块"),
        "spinner": ("50016", "Spinner", "微调框", "数值调节钮"),
        "status bar": ("50017", "StatusBar", "status bar", "状态栏"),
        "tab bar": ("50018", "Tab", "选项卡"),
        "tab": ("50019", "TabItem", "tab item", "选项卡项目", "选项卡项"),
        "text": ("50020", "Text", "文本"),
        "toolbar": ("50021", "ToolBar", "tool bar", "工具栏"),
        "tooltip": ("50022", "ToolTip", "tool tip", "工具提示"),
        "tree": ("50023", "Tree", "tree view", "树", "树视图"),
        "tree item": ("50024", "TreeItem", "tree item", "tree view item", "树项目", "树项"),
        "custom": ("50025", "Custom", "自定义"),
        "group": ("50026", "Group", "组", "分组"),
        "grip": ("50027", "Thumb", "滑块柄", "缩略图"),
        "table": ("50028", "DataGrid", "datagrid", "数据网格", "50036", "Table", "表", "表格"),
        "cell": ("50029", "DataItem", "dataitem", "item", "数据项", "数据项目"),
        "document": ("50030", "Document", "文档"),
        "split button": ("50031", "SplitButton", "split button", "拆分按钮"),
        "window": ("50032", "Window", "dialog", "窗口", "对话框"),
        "pane": ("50033", "Pane", "窗格"),
        "header": ("50034", "Header", "标头", "表头"),
        "header item": ("50035", "HeaderItem", "header item", "column header", "标题项目", "标头项"),
        "title bar": ("50037", "TitleBar", "title bar", "标题栏"),
        "separator": ("50038", "Separator", "分隔符"),
        "semantic zoom": ("50039", "SemanticZoom", "semantic zoom", "语义缩放"),
        "app bar": ("50040", "AppBar", "app bar", "应用栏"),
        # Parts that no control type covers (docs/spec/perception-tiers.md, tiers 1+ and 2).
        "column border": ("ColumnBorder",),
        "row border": ("RowBorder",),
        "resize handle": ("ResizeHandle",),
        "splitter": ("Splitter",),
        "panel grip": ("PanelGrip",),
    },
    ATSPI: {
        "button": ("push button", "button", "toggle button", "push button menu", "arrow"),
        "input": ("entry", "text", "password text", "editbar", "autocomplete"),
        "checkbox": ("check box",),
        "radio": ("radio button",),
        "switch": ("switch",),
        "icon": ("icon", "desktop icon"),
        "image": ("image", "image map", "animation", "chart"),
        "video": ("video", "audio"),
        "text": (
            *("label", "static", "caption", "paragraph", "accelerator label", "definition", "footnote", "timer", "log"),
            *("marquee", "math", "mark", "suggestion", "subscript", "superscript", "description term"),
            *("description value", "content deletion", "content insertion"),
        ),
        "heading": ("heading",),
        "link": ("link",),
        "tab": ("page tab",),
        "tab bar": ("page tab list",),
        "menu": ("menu", "popup menu"),
        "menu bar": ("menu bar",),
        "menu item": ("menu item", "check menu item", "radio menu item", "tearoff menu item"),
        "list": ("list", "list box", "description list"),
        "list item": ("list item",),
        "tree": ("tree", "tree table"),
        "tree item": ("tree item",),
        "table": ("table",),
        "cell": ("table cell", "cell"),
        "table row": ("table row",),
        "header item": ("table column header", "table row header", "column header", "row header"),
        "combo box": ("combo box",),
        "slider": ("slider", "rating", "dial"),
        "spinner": ("spin button",),
        "scroll bar": ("scroll bar",),
        "progress bar": ("progress bar", "level bar"),
        "toolbar": ("tool bar",),
        "status bar": ("status bar", "statusbar", "info bar", "notification"),
        "tooltip": ("tool tip",),
        "title bar": ("title bar",),
        "window": ("frame", "window", "dialog", "alert", "file chooser", "color chooser", "font chooser"),
        "pane": (
            *("panel", "scroll pane", "layered pane", "viewport", "internal frame", "root pane", "option pane"),
            *("glass pane", "directory pane", "desktop frame", "page"),
        ),
        "splitter": ("split pane", "splitter"),
        "grip": ("grip",),
        "group": (
            *("grouping", "filler", "section", "form", "article", "landmark", "block quote", "header", "footer"),
            *("comment", "embedded"),
        ),
        "separator": ("separator",),
        "document": (
            *("document frame", "document web", "document text", "document spreadsheet", "document presentation"),
            *("document email", "html container", "terminal"),
        ),
        "calendar": ("calendar", "date editor"),
        "canvas": ("canvas", "drawing area"),
    },
}
# An app's derived class usually ends with its base class's name (TypefacedEditText, StarButton), or at least contains
# it (ButtonViewRoboto). Shorter names are not significant: every second class of Android ends in "View".
_SHORTEST_ENDING: Final = 5


@lru_cache(maxsize=1024)
def role_of_class(name: str | int, platform: str | None = None) -> str | None:
    """
    Return the role of a platform's class (`android.widget.Button`, `IMAGE_BUTTON`), control type (50000) or role name
    ("push button"), or None.

    `platform` is ANDROID, UIA or ATSPI; without one, the first that knows the name decides.
    """
    whole = str(name)
    wanted = [_plain_class(whole), _plain_class(whole.rpartition(".")[2].rpartition("$")[2])]
    for table in (_BY_CLASS[platform],) if platform else _BY_CLASS.values():
        for plain in wanted:
            if plain in table:
                return table[plain]
    if platform in (None, ANDROID):
        return next(
            (role for part, role in _ENDINGS if wanted[1].endswith(part)),
            next((role for part, role in _ENDINGS if part in wanted[1]), None),
        )
    return None


def role_named(name: str) -> str | None:
    """Return the role with this name here, among people, or on a platform (such as "TabItem"); None if there is none."""
    if name in ROLES or name in _PLATFORM_ROLES:
        return name
    return role_of(name) or role_of_class(name)


def _plain_class(name: str) -> str:
    return "".join(character for character in name.casefold() if unicodedata.category(character)[0] in "LN")


_BY_CLASS: Final = {
    platform: {_plain_class(name): role for role, names in roles.items() for name in names}
    for platform, roles in PLATFORM_CLASSES.items()
}
_PLATFORM_ROLES: Final = frozenset(role for roles in PLATFORM_CLASSES.values() for role in roles)
_ENDINGS: Final = sorted(
    ((name, role) for name, role in _BY_CLASS[ANDROID].items() if len(name) >= _SHORTEST_ENDING),
    key=lambda row: -len(row[0]),
)
