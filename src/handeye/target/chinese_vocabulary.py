"""Chinese words of the phrase grammar."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import product
from typing import Final

from handeye.roles import ROLES
from handeye.target.values import Position, RelationKind


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _combinations(*parts: str) -> str:
    """Return all combinations of one word of each part, where "-" is empty."""
    return " ".join("".join(word).replace("-", "") for word in product(*map(str.split, parts)))


def first(text: str, words: Collection[str]) -> str:
    """Return the longest of the words that the text begins with; "" for none."""
    return max(filter(text.startswith, words), key=len, default="")


def last(text: str, words: Collection[str]) -> str:
    """Return the longest of the words that the text ends with; "" for none."""
    return max(filter(text.endswith, words), key=len, default="")


# Polite words before a request.
POLITE: Final = _set("请问 请你 请 麻烦 麻烦你 帮我 帮忙 帮 我想 我想要 我要 给我 , ， 、")
# Verbs that always make a request: no label begins with 点击.
ASKING: Final = _set(
    """点击一下 点击 点按 点一下 点选 单击 双击 右击 右键单击 轻触 轻点 长按 触摸 按一下 按下 找到 找出 找一下 定位到 定位出"""
)
# Verbs that labels also begin with: 打开文件, 选择图片, 查找替换, 定位服务.
MAYBE_ASKING: Final = _set("定位 查找 寻找 选择 选中 勾选 打开 切换到 进入 识别 按 找 点")
# Words at the end of a request.
ASKED: Final = _set(
    f"{_combinations('- 所在', '的位置 的坐标 的中心 的中心点 的地方')} 在哪 在哪儿 在哪里 一下 吧 呢 。 ！ ？ ! ?"
)
# Names of the whole screen. The other views may also name a row: 图片的开关.
SCREENS: Final = _set(_combinations("- 当前 这个 这张 本 手机 该", "截图 屏幕 页面 界面 画面"))
VIEWS: Final = SCREENS | _set(_combinations("- 当前 这个 这张 本 该", "窗口 图 图片"))
LED: Final = _set("在 从 位于 处于")
INSIDE: Final = _set("里面 里边 内部 之中 当中 里 中 内 上 上面")
# Words that join a location or description to the element: 最下面那个搜索.
OF: Final = "的"
JOINTS: Final = _set("的 那个 这个 那一个 这一个")
AND: Final = str.maketrans(dict.fromkeys("与跟同、", "和"))

_SIDE: Final = "边 侧 面 方"
_LINE: Final = "那 那一 这 这一 该 所在 所在的 所在那 所在那一 所在一 所在的那一 同 同一 一"
_PLACES: Final = (
    (_combinations("- 紧", "右", f"{_SIDE} 手边 手侧"), Position.RIGHT, RelationKind.RIGHT_OF),
    (_combinations("- 紧", "左", f"{_SIDE} 手边 手侧"), Position.LEFT, RelationKind.LEFT_OF),
    (_combinations("- 正 紧", "上", _SIDE) + " 之上", Position.TOP, RelationKind.ABOVE),
    (_combinations("- 正 紧", "下", _SIDE) + " 之下 底下", Position.BOTTOM, RelationKind.BELOW),
    (_combinations("最上", _SIDE) + " 顶部 顶端 顶上 上半部分 上半部 上部", Position.TOP, None),
    (_combinations("最下", _SIDE) + " 底部 底端 下半部分 下半部 下部", Position.BOTTOM, None),
    (_combinations("最左", _SIDE), Position.LEFT, None),
    (_combinations("最右", _SIDE), Position.RIGHT, None),
    ("中间 正中间 中央 正中央 中心 正中", Position.CENTER, None),
    (_combinations("- 最", "左上 上左", f"角 角落 部 {_SIDE}"), Position.TOP_LEFT, None),
    (_combinations("- 最", "右上 上右", f"角 角落 部 {_SIDE}"), Position.TOP_RIGHT, None),
    (_combinations("- 最", "左下 下左", f"角 角落 部 {_SIDE}"), Position.BOTTOM_LEFT, None),
    (_combinations("- 最", "右下 下右", f"角 角落 部 {_SIDE}"), Position.BOTTOM_RIGHT, None),
    ("旁边 边上 旁 隔壁 一旁 侧边 身旁", None, RelationKind.BESIDE),
    ("附近 周围 周边", None, RelationKind.NEAR),
    ("前面 之前 前边", None, RelationKind.BEFORE),
    ("后面 之后 后边", None, RelationKind.AFTER),
    ("里面 里边 内部 之中 当中 里 中 内 上", None, RelationKind.IN),
    (_combinations(_LINE, "行"), None, RelationKind.ROW),
    (_combinations(_LINE, "列"), None, RelationKind.COLUMN),
    ("之间", None, RelationKind.BETWEEN),
    ("上一行 下一行", None, None),  # ambiguous
)
# Position of a location word on its own, and its relation after an anchor; without a relation it is a position inside the
# anchor.
PLACES: Final = {word: (position, kind) for words, position, kind in _PLACES for word in words.split()}
LINES: Final = {word: kind for word, (_, kind) in PLACES.items() if kind in (RelationKind.ROW, RelationKind.COLUMN)}

_DIGITS: Final = "一二三四五六七八九"
_NUMBER: Final = "[0-9０-９]{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]"
ORDINAL: Final = re.compile(
    rf"(?:(?P<back>倒数)?第(?P<number>{_NUMBER})|(?P<last>最后|末尾|最末)(?:一|的一)?|首|头一)"
    r"(?P<measure>[个張张项条只枚款颗幅块处位段行列排])"
)
LINE_MEASURES: Final = "行列排"
# The end from which to count: 右数第二个, 从右往左数第二个, 左起第三个.
COUNTED_FROM: Final = re.compile(
    r"(?:从|由|自)?(?:(?P<back>[右下])|[左上])(?:[边侧面手]|手边)?(?:[往向到至][左右上下][边侧面]?)?"
    r"(?:开始|数|起|过来)+的?(?=第)"
)
# Words that introduce a text: 名为“搜索”的按钮, 写着保存的按钮.
SAYING: Final = _set(
    """名为 名叫 名字叫 叫做 叫 写着 写有 标有 标着 显示为 显示 带有
    文字为 文字是 文本为 文本是 标题为 标题是 内容为 内容是 标签为"""
)
_COLOURS: Final = {
    **{"红": "red", "橙": "orange", "黄": "yellow", "绿": "green", "蓝": "blue", "紫": "purple", "粉": "pink"},
    **{"粉红": "pink", "棕": "brown", "黑": "black", "灰": "gray", "白": "white"},
}
# Words for an appearance, with the colour: only a colour can be checked on the frame.
LOOKS: Final = {
    **dict.fromkeys(_combinations("深 浅 淡 亮 暗", " ".join(_COLOURS), "- 色").split()),
    **dict.fromkeys(_set("青 青色 金 金色 银 银色 大 小 长 圆 圆形 方 方形 圆角 高亮 加粗 深色 浅色")),
    **{f"{word}{end}": colour for word, colour in _COLOURS.items() for end in ("", "色")},
}
# Actions in labels.
CHINESE_ACTIONS: Final = _set(
    """新 新建 新增 关闭 打开 添加 增加 编辑 删除 复制 全部 所有 其他 其它 我的 创建 管理 移动 切换 恢复 隐藏 显示
    选择 更多 下一 上一 无 没有"""
)
# Negations. Prohibitions only before a verb: 不同意 and 不再显示 are labels.
NEGATIONS: Final = _set("不是 并非 不在 除了 以外 之外") | _set(
    _combinations(
        "不要 不用 不能 不可 不可以 不准 不许 勿 别", "- 再 去", "点 按 单击 双击 右击 长按 触摸 选 勾选 打开 找"
    )
)
HERE: Final = _set("这里 此处 这儿 此 下方 上方")

KINDS: Final = {word: role for role, row in ROLES.items() for word in row if role not in ("table row", "column")}
# Roles of containers, as anchors: 文件菜单中的打开.
HOLDERS: Final = frozenset(
    ("menu", "window", "list", "table", "card", "toolbar", "status bar", "tab bar", "menu bar", "tab")
)
# Roles with a name before the word (首页标签), unless it is an action (新建标签, 所有标签).
NAMED_KINDS: Final = frozenset(("tab", "menu item"))


def number_of(written: str) -> int:
    """Return the number written in Chinese or decimal digits, 1-999."""
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.replace("两", "二").rpartition("十")
    value = _DIGITS.index(ones) + 1 if ones else 0
    return value + (10 * (_DIGITS.index(tens) + 1 if tens else 1) if ten else 0)
