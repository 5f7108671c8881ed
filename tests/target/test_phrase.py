"""Tests of telling phrases, labels and unreadable queries apart. docs/targets.md has examples of each form."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handeye.errors import UsageError
from handeye.target import RelationKind, Target, parse_target, word_as_label

LABELS = """
Save|Sign in|Turn on|Log in with Google|Back to top|Top 10|First name|Last name|Last seen|Top rated|Right now|Bottom line
Select all|Select language|Go to settings|Find my phone|Find a store|Click here|Tap to retry|Press any key to continue|Touch ID
Press and hold|Take photo|Take a photo|Choose file|Open settings|Check out|Copy link|New tab|Edit text|Profile picture|Label
Nintendo Switch|The New York Times|The Last Samurai|Second floor|last item|Sign in to continue|Items in cart|Next to you|Near me
Turn on the light|What's new|Don't save|Not now|Do not disturb|Save without formatting|Everyone except me|The second chance
Page 2 of 10|The Link|the option|a button|Send feedback to us|Remember me on this device|Email or phone|the OK
Now playing|the checkbox in the row below Ann|Name of the first pet|Best of the first season
select tips|move to trash|go to rewards|go to first page|go to my account|the number
take a photo|choose a file|choose your country|find a store|check out the glow community|please rate us|where are you from
jango radio|voice input|change logo|search radios|go to the top|open with|open new tab|add symbol|tap to hear it|just hold on
fans out even in the rain|put it in the other one|Open in the app|night in the woods|can you recommend a restaurant
E=mc2|a=b|C:\\Users|https://example.org/?a=1|50%|+1|a/b|(empty)|:-)|100 % of users
运行|右边|右边的|上一页|编辑|附近的人|我的收藏|第二页|第一条消息|第一个|打开文件|选择图片|复制链接
返回上一页|点击这里|按钮|开关|图片|底部导航|线上的课程|首行缩进|第一行代码|第一列冻结|第一排座位|顶部Banner|左边A
我的图片|新建标签|所有标签|标签|Close tab|Open in new tab|查找替换|定位服务
Switch between apps|Difference between A and B|Today's deals|Bob's Burgers|Bob's Delete|数第二个|和平之间|左右数|那个
不在服务区|不要再次提醒|除非另有说明|删除图片|最后一次更新|第三方登录|你好，世界|حفظ|Сохранить|保存する
"""


@pytest.mark.parametrize("label", [label for line in LABELS.strip().splitlines() for label in line.split("|")])
def test_label_is_not_parsed_as_phrase(label: str) -> None:
    target = parse_target(label)
    assert (target.text, target.reference, target.phrase) == (label, label, None)
    assert not target.chooses
    assert target.role is None


@pytest.mark.parametrize(
    "words",
    [
        "定位代码编辑区域",
        "scroll the image until it fits",
        "the button between Save and Cancel when nothing is selected there",
        "“确定”和“取消”和“帮助”之间的按钮",
        "the Delete two rows below Bob",
        "click 2 rows above Bob",
    ],
)
def test_unreadable_phrase_is_kept_whole(words: str) -> None:
    target = parse_target(words)
    assert words in (target.text, target.phrase)
    assert target.text in (None, words) or target.relations


@pytest.mark.parametrize(
    "words",
    [
        "the round button",
        "浅蓝色的按钮",
        "click on the second blue icon",
        "the second button to the left",
        "第二个红色的按钮",
        "the Edit in the top row for Bob",
        "the Edit in the second row from the middle",
        "圆形的按钮",
    ],
)
def test_unclear_phrase_becomes_description_for_the_model(words: str) -> None:
    target = parse_target(words)
    assert target.description == words
    assert target.role is None
    assert (target.ordinal, target.colour) == (None, None)


@pytest.mark.parametrize(
    "words", ["the black friday button", "Red Cross button", "the Blue Shield button", "红包按钮", "白名单按钮"]
)
def test_colour_word_inside_name_is_not_colour(words: str) -> None:
    target = parse_target(words)
    assert target.colour is None
    assert target.text in (words, words.removesuffix(" button").removeprefix("the "), words.removesuffix("按钮"))


OPPOSITES = """
do not click "Delete"|don't click "Delete"|never tap "Delete"|the button that is not "Delete"|anything but "Delete"
without "Delete"|undo "Delete"|Cancel the "Delete"|the opposite of "Delete"|next to "Delete"|close "Delete"|Save "as"
go back from "Delete"|whenever there is a “Retry” somewhere, use it|不要点击“删除”|请勿点击“删除”|除了“删除”以外的按钮
不是“删除”的那个按钮|不在“删除”右边的按钮|关闭“删除”|取消“删除”|删除“张三”
"""


@pytest.mark.parametrize("words", [words for line in OPPOSITES.strip().splitlines() for words in line.split("|")])
def test_quotation_among_unknown_words_is_not_the_text(words: str) -> None:
    target = parse_target(words)
    assert (target.description, target.phrase) == (words, words)
    assert (target.text, target.role, target.relations) == (None, None, ())


@pytest.mark.parametrize(
    "words",
    [
        *(
            "the Edit button not next to Bob",
            "the Save button, not the Save as button",
            "the button that isn't below Name",
        ),
        *(
            "don't click the Save button",
            "do not select the last option",
            "不是删除的按钮",
            "不要点击右上角的按钮",
            "李四下一行的编辑",
        ),
    ],
)
def test_negated_phrase_is_not_split(words: str) -> None:
    target = parse_target(words)
    assert target.text == words
    assert not target.chooses
    assert target.role is None


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("the Not now button", "Not now"),
        ("the Do not disturb switch", "Do not disturb"),
        ("the Don't save button", "Don't save"),
        ("不同意按钮", "不同意"),
        ("不再显示的复选框", "不再显示"),
        ('press "Save", please', "Save"),
        ('click on the small "Save" icon', "Save"),
        ('combo box "Country"', "Country"),
    ],
)
def test_label_may_contain_a_negation(words: str, text: str) -> None:
    assert parse_target(words).text == text


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        ("the third Edit", "text=Edit ordinal=3"),
        ("Edit in the row of Carol", "text=Edit row=Carol"),
        ("the Edit next to Bob", "text=Edit beside=Bob"),
        ("the last Delete", "text=Delete ordinal=-1"),
        ("third Edit from the top", "text=Edit ordinal=3"),
        ("the 2nd Save", "text=Save ordinal=2"),
        ("File menu", "text=File role=menu"),
        ("click the Today's deals button", 'text="Today\'s deals" role=button'),
        ("the Delete button in row 0", "text=Delete role=button row=0"),
        ("the Delete button in row 3", 'text=Delete role=button row="role=row ordinal=3"'),
        ("the Edit in row 2 from the bottom", 'text="Edit in row 2" position=bottom'),
        ("the Edit in the second row from the bottom", 'text=Edit row="role=row ordinal=-2"'),
        ("the Edit in the last column of the page", 'text=Edit column="role=column ordinal=-1"'),
        ("the Edit in the top row of the Users table", 'text=Edit row="role=row ordinal=1" in="text=Users role=table"'),
        ("the Save button in the bottom row", 'text=Save role=button row="role=row ordinal=-1"'),
        ("Save in the first line", 'text=Save row="role=row ordinal=1"'),
        ("the First line button", 'text="First line" role=button'),
        ("the price of the second card", 'text=price in="role=card ordinal=2"'),
        ("the third icon to the right of the page", "role=icon ordinal=3 position=right"),
        ("click In stock", 'text="In stock"'),
        ("press Up", "text=Up"),
        ("press the digit 3", "text=3"),
        ("number 7 right of Total", "text=7 right_of=Total"),
        ("the number 7 button", "text=7 role=button"),
        ("the number pad button", 'text="number pad" role=button'),
        ("the Home tab in the tab bar", 'text=Home role=tab in="role=tab bar"'),
        ("the text tab", "text=tab role=text"),
        ("the Delete button for Bob", "text=Delete role=button row=Bob"),
        ('Save in dialog "Confirm"', "text=Save in=Confirm"),
        ("最下面那个搜索", "text=搜索 position=bottom"),
        ("倒数第二行的编辑", 'text=编辑 row="role=row ordinal=-2"'),
        ("左上角返回", "text=返回 position=top-left"),
        ("最后一行的编辑", 'text=编辑 row="role=row ordinal=-1"'),
        ("第一列的编辑", 'text=编辑 column="role=column ordinal=1"'),
        ("第二行“编辑”", 'text=编辑 row="role=row ordinal=2"'),
        ("点击第二行开关", 'role=switch row="role=row ordinal=2"'),
        ("第二行删除按钮", 'text=删除 role=button row="role=row ordinal=2"'),
        ("李四右侧按钮", "role=button right_of=李四"),
        ("添加一行按钮", "text=添加一行 role=button"),
        ("底部“保存”", "text=保存 position=bottom"),
        ("当前页面的设置按钮", "text=设置 role=button"),
        ("图片的删除按钮", "text=图片的删除 role=button"),
        ("图片的开关", "text=图片 role=switch"),
        ("图片那一行的删除按钮", "text=删除 role=button row='role=image'"),
        ("图片右上角的关闭", "text=关闭 position=top-right"),
        ("首行缩进按钮", "text=首行缩进 role=button"),
        ("从左边开始第二个按钮", "role=button ordinal=2"),
        ("第二行第三列", 'role=item ordinal=3 row="role=row ordinal=2"'),
        ("the third item of the second list", 'role=item ordinal=3 in="role=list ordinal=2"'),
        ("the button between A and B", "role=button between=A between=B"),
        ("the button between a and b", "role=button between=a between=b"),
        ("the A button", "text=A role=button"),
        ("Click The A Button", "text=A role=button"),
        ("CLICK THE A BUTTON", "text=A role=button"),
        ("press A button", "text=A role=button"),
        ("TAP A BACK BUTTON", "text=BACK role=button"),
        ("Tap A Back Button", "text=Back role=button"),
        ("Tap A Back", "text=Back"),
        ("Click A Button", "role=button"),
        ("the button right of A", "role=button right_of=A"),
        ("click a button", "role=button"),
        ("the combo box", 'role="combo box"'),
        ("文件菜单中的最近子菜单里的报告", 'text=报告 in="text=最近 role=menu in=文件"'),
        ("the Tango item in the View menu", 'text=Tango role=item in="text=View role=menu"'),
        ("the Tango item in the Scheme submenu", 'text=Tango role=item in="text=Scheme role=menu"'),
    ],
)
def test_phrase_equals_its_key_query(words: str, keys: str) -> None:
    said, meant = parse_target(words), parse_target(keys)
    assert (said.text, said.role, said.ordinal, said.position) == (
        meant.text,
        meant.role,
        meant.ordinal,
        meant.position,
    )
    assert [(each.kind, each.anchor.text, each.anchor.ordinal) for each in said.relations] == [
        (each.kind, each.anchor.text, each.anchor.ordinal) for each in meant.relations
    ]


@pytest.mark.parametrize(
    ("words", "label", "keys"),
    [
        ("the second Photos", "Photos", "text=Photos ordinal=2 exact=true"),
        ("第二个 视频", "视频", "text=视频 ordinal=2 exact=true"),
        ("工具右边的窗口", "窗口", "text=窗口 right_of=工具 exact=true"),
    ],
)
def test_role_word_may_be_a_label(words: str, label: str, keys: str) -> None:
    said = parse_target(words)
    assert said.text is None
    assert word_as_label(said) == replace(parse_target(keys), reference=label, literal=False)


@pytest.mark.parametrize("words", ["the second Save button", "Photos", "the Save button", "text=Photos ordinal=2"])
def test_named_target_has_no_word_as_label(words: str) -> None:
    assert word_as_label(parse_target(words)) is None


@pytest.mark.parametrize("words", ['"Save"', "“保存”", 'the "Save" button', "点击「保存」", "text=Save"])
def test_quoted_or_keyed_text_is_literal(words: str) -> None:
    assert parse_target(words).literal
    assert not parse_target(words.translate(dict.fromkeys(map(ord, '"“”「」'))).removeprefix("text=")).literal


def test_phrase_with_two_quotations_stays_whole() -> None:
    words = "either “Retry” or “Cancel”"
    target = parse_target(words)
    assert target == Target(text=words, reference=words)


def test_relations_joined_by_and_apply_to_target() -> None:
    target = parse_target("the button right below Name and left of Cancel")
    assert [(each.kind, each.anchor.text) for each in target.relations] == [
        (RelationKind.BELOW, "Name"),
        (RelationKind.LEFT_OF, "Cancel"),
    ]


def test_trailing_position_belongs_to_anchor_without_text() -> None:
    said_of_target = parse_target("the icon above Me which is at the bottom right corner of the page")
    assert said_of_target.position is not None
    said_of_anchor = parse_target("the first tab below the button which is on the top left corner of the web page")
    assert said_of_anchor.position is None
    assert said_of_anchor.relations[0].anchor.position is not None


@pytest.mark.parametrize("text", ["don't", "it's John's", "rock ’n’ roll", "l’eau"])
def test_apostrophes_are_not_quotation_marks(text: str) -> None:
    assert parse_target(text).text == text


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ('texxt="Save"', "texxt"),
        ("text=a text=b", "text"),
        ("text=a position=upstairs", "upstairs"),
        ("text=a ordinal=second", "second"),
        ("text=a ordinal=0", "ordinal"),
        ("text=a exact=perhaps", "perhaps"),
        ("text=a region=0,0,2,2", "0,0,2,2"),
        ("text=a region=nan,0,1,1", "nan"),
        ("text=a region=0,0,1", "region"),
        ("text=a role=xyz", "xyz"),
        ("path=//[", "character 1"),
        ("path=//Button[@colour='red']", "attributes"),
        ("text=", "empty"),
        ("", "empty"),
        ("text:", "empty"),
        ("near=near=near=near=near=near=near=near=x text=y", "neighbours"),
        ("text=a near=" + "9" * 5000 + " ordinal=" + "9" * 5000, "ordinal"),
    ],
)
def test_error_names_the_wrong_key_or_value(query: str, named: str) -> None:
    with pytest.raises(UsageError, match=named):
        parse_target(query)


@pytest.mark.parametrize("query", ['what="{}"', '{}="x"', "text=a ordinal={}", "text=a text={}"])
def test_error_message_truncates_long_query(query: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_target(query.format("y" * 100_000))
    assert len(str(raised.value)) < 1_000


def test_overlong_relation_chain_stays_whole() -> None:
    words = "the icon" + " left of the icon" * 15 + " left of Save"
    assert parse_target(words) == Target(text=words, reference=words)
