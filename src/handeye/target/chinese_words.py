"""The Chinese words that the phrase grammar knows."""

from __future__ import annotations

import re
from typing import Final

from handeye.target.values import Position, RelationKind

_IN_VIEW: Final = (
    r"(?:在|从)?(?:当前|这个|这张|本|手机|该)?(?:截图|屏幕|页面|界面|画面|窗口|图片?)(?:中|上|里|内|里面|上面)?的?"
)
# Said before what is meant, and no part of it.
POLITE: Final = re.compile(rf"(?:请问|请你|请|麻烦你?|帮我|帮忙|帮|我想要?|我要|给我|{_IN_VIEW}(?=\S{{2}})|[,，、\s])+")
# Nobody labels a control 点击...: these always ask.
ASKING: Final = re.compile(
    r"(?:点击一下|点击|点按|点一下|点选|单击|双击|右击|右键单击|轻触|轻点|长按|触摸|按一下|按下|找到|找出|找一下|定位到|定位出)\s*"
)
# Labels begin with these too: 打开文件, 选择图片, 查找替换, 定位服务.
MAYBE_ASKING: Final = re.compile(r"(?:定位|查找|寻找|选择|选中|勾选|打开|切换到|进入|识别|按|找|点)\s*")
# Said after it.
ASKED: Final = re.compile(r"(?:所在)?(?:的(?:位置|坐标|中心点?|地方)|在哪儿?里?|一下|吧|呢|[。！？!?\s])+\Z")

_SIDE: Final = "(?:边|侧|面|方|手边|手侧)"
# Of 上一行 and 下一行 nobody says how far they go.
_LINE: Final = r"(?:那一?|这一?|该|所在的?那?一?|同一?|(?<![上下])一)"
# What joins an anchor to what is asked for, before 的: 飞行模式那一行的开关, “取消”右边的按钮, 文件菜单中的打开.
RELATIONS: Final = (
    (RelationKind.ROW, re.compile(rf"(?:的|在)?(?:同)?{_LINE}行(?:中|里|上|内)?的?\Z")),
    (RelationKind.COLUMN, re.compile(rf"(?:的|在)?(?:同)?{_LINE}列(?:中|里|上|内)?的?\Z")),
    (RelationKind.RIGHT_OF, re.compile(rf"的?(?:紧?右){_SIDE}?\Z")),
    (RelationKind.LEFT_OF, re.compile(rf"的?(?:紧?左){_SIDE}?\Z")),
    (RelationKind.ABOVE, re.compile(r"的?(?:正|紧)?(?:上边|上侧|上面|上方|之上)\Z")),
    (RelationKind.BELOW, re.compile(r"的?(?:正|紧)?(?:下边|下侧|下面|下方|之下|底下)\Z")),
    (RelationKind.BESIDE, re.compile(r"的?(?:旁边|边上|旁|隔壁|一旁|侧边|身旁)\Z")),
    (RelationKind.NEAR, re.compile(r"的?(?:附近|周围|周边)\Z")),
    (RelationKind.BEFORE, re.compile(r"的?(?:前面|之前|前边)\Z")),
    (RelationKind.AFTER, re.compile(r"的?(?:后面|之后|后边)\Z")),
    (RelationKind.IN, re.compile(r"的?(?:里面|里边|内部|之中|当中|中间|里|中|内|上)\Z")),
)
POSITIONS: Final = (
    *(
        (position, re.compile(rf"的?最?(?:{first}{second}|{second}{first})(?:角落?|{_SIDE}|部)?\Z"))
        for position, first, second in (
            (Position.TOP_LEFT, "左", "上"),
            (Position.TOP_RIGHT, "右", "上"),
            (Position.BOTTOM_LEFT, "左", "下"),
            (Position.BOTTOM_RIGHT, "右", "下"),
        )
    ),
    (Position.TOP, re.compile(rf"的?最?(?:顶部|顶端|顶上|最上{_SIDE}|上{_SIDE}|上半部分?|上部)\Z")),
    (Position.BOTTOM, re.compile(rf"的?最?(?:底部|底端|底下|最下{_SIDE}|下{_SIDE}|下半部分?|下部)\Z")),
    (Position.LEFT, re.compile(rf"的?最?左{_SIDE}\Z")),
    (Position.RIGHT, re.compile(rf"的?最?右{_SIDE}\Z")),
    (Position.CENTER, re.compile(r"的?(?:正?中间|正?中央|中心|正中)\Z")),
)
# The corner or the end of an anchor is a place inside it; its side is a relation to it.
INSIDE: Final = re.compile(r"(?:角落?|顶部|顶端|底部|底端|中间|中央|中心|最[上下左右].)\Z")
# Words of place that stand before a name without 的: 底部输入框, 右上角✕.
FRONT: Final = re.compile(
    r"(?:屏幕|页面|界面)?最?(?:[左右][上下]角|[上下][左右]角|顶部|底部|左侧|右侧|左边|右边|上方|下方|中间|中央)"
)

VIEW: Final = re.compile(rf"{_IN_VIEW}\Z")
_DIGITS: Final = "一二三四五六七八九"
NUMBER: Final = "[0-9０-９]{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]"
MEASURES: Final = "个|張|张|项|条|只|枚|款|颗|幅|块|处|位|段|行|列|排"
ORDINAL: Final = re.compile(
    rf"(?:(?P<back>倒数)?第(?P<number>{NUMBER})|(?P<last>最后|末尾|最末)(?:一|的一)?|(?P<first>首|头一))(?P<measure>{MEASURES})(?:的|是)?\s*"
)
LINE: Final = re.compile(rf"(?:(?:倒数)?第(?:{NUMBER})|最后一)[行列排]")
# Sides that need no 的 before a role: 取消右边按钮.
SIDES: Final = re.compile(r"(?:右边|右侧|左边|左侧|旁边|上方|下方)\Z")
IN_END: Final = re.compile(r"(?:里面|中|里|内|上)?的?\Z")
# How a text is announced: 名为“搜索”的按钮, 写着保存的按钮.
SAYING: Final = re.compile(
    r"\A(?:名为|名叫|名字叫|叫做|叫|写着|写有|标有|标着|显示为|显示|带有|文字为|文字是|文本为|文本是|标题为|标题是|内容为|内容是|标签为)(?P<text>.+?)的?\Z",
    re.DOTALL,
)


# How a thing looks: of all this only a colour can be told from the frame.
LOOKS: Final = re.compile(
    r"(?:粉红色?|[深浅淡亮暗]?[红黄蓝绿白黑灰橙紫粉青棕金银]色?|[大小长]|圆形?|方形?|圆角|高亮|加粗|[深浅]色)+的?"
)
COLOUR: Final = re.compile(r"(?P<name>粉红|[红黄蓝绿白黑灰橙紫粉棕])色?的?\Z")
COLOURS: Final = {
    **{
        "红": "red",
        "橙": "orange",
        "黄": "yellow",
        "绿": "green",
        "蓝": "blue",
        "紫": "purple",
        "粉": "pink",
        "粉红": "pink",
    },
    **{"棕": "brown", "黑": "black", "灰": "gray", "白": "white"},
}
# Places in nobody's sense: 线上的课程, 晚上的会议.
NO_PLACES: Final = re.compile(
    r"(?:[晚早线网以马路手世楼地身]上|[心其家途空水集手世]中|[国室站以店体海境]内|[城心家夜这那哪]里)\Z"
)
BETWEEN: Final = re.compile(r"(?:在|位于|处于)?(?P<both>.+[和与跟同、].+)(?:之间|中间)\Z", re.DOTALL)
AND: Final = re.compile("[和与跟同、]")
# What labels do with a thing of some kind.
DEEDS: Final = re.compile(
    "新建?|新增|关闭|打开|添加|增加|编辑|删除|复制|全部|所有|其他|其它|我的|创建|管理|移动|切换|恢复|隐藏|显示|选择|更多|下一|上一|无|没有"
)
# Say what is not meant. 不同意 and 不再显示 are labels.
NEGATION: Final = re.compile(
    r"不是|并非|不在|除了|[以之]外|(?:不要|不用|不能|不可以?|不准|不许|切?勿|别)再?(?:去|用)?(?:点|按|单击|双击|右击|长按|触摸|选|勾选|打开|找)"
)
# Points at what stands there: 最下面那个搜索 is 最下面的搜索.
POINTED: Final = re.compile("(?<=[边面侧方角部端旁央间近])的?[那这]一?个(?=.)")
# Without a name: “删除”右边那个.
POINTED_LAST: Final = re.compile("(?<=[边面侧方角部端旁央间近])的?[那这]一?个\\Z")
# From which end is counted: 右数第二个, 从右往左数第二个, 左起第三个.
COUNTED_FROM: Final = re.compile(
    r"(?:从|由|自)?(?P<side>[左右上下])(?:[边侧面手]|手边)?(?:[往向到至][左右上下](?:[边侧面])?)?(?:开始)?(?:数|起|数起|数过来|开始)的?(?=第)"
)
BACKWARDS: Final = frozenset("右下")
HERE: Final = frozenset(("这里", "此处", "这儿", "此", "下方", "上方"))


def colour_of(words: str) -> str | None:
    """The one colour that the words name: 红色的; None for 大, 圆形, 浅蓝色."""
    found = COLOUR.match(words)
    return COLOURS[found["name"]] if found else None


def number_of(written: str) -> int:
    """The number that Chinese or decimal digits write, 1-999."""
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.replace("两", "二").rpartition("十")
    value = _DIGITS.index(ones) + 1 if ones else 0
    return value + (10 * (_DIGITS.index(tens) + 1 if tens else 1) if ten else 0)
