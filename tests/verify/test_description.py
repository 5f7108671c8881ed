"""Tests of descriptions that quote texts, clause by clause; unclear wording stays undecided."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_of_lines import PageReader, frame

from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.text import TextLine
from handeye.verify import ScreenVerifier
from handeye.verify.description import read_description

READ = ("发送失败", "Error 404", "微信", "Wi-Fi")


def judged(description: str) -> bool | None:
    verdict = ScreenVerifier(PageReader(READ)).verify_with_description(frame(), description)
    assert verdict.verified is (verdict.matches_expected is True)
    return verdict.matches_expected


@pytest.mark.parametrize(
    "description",
    [
        "不显示“发送失败”",
        "“发送失败”未出现",
        "没有“发送失败”",
        "看不到“发送失败”",
        "“发送失败”不见了",
        "页面上没有“发送失败”",
        "“发送失败”不在屏幕上",
        'no "Error 404" message is shown',
        'without "Error 404"',
        '"Error 404" is not showing',
        '"Error 404" isn\'t shown',
        "“Error 404” can’t be seen",
        "the screen doesn't show 'Error 404'",
        "'Error 404' has disappeared",
        "“发送失败”和“微信”消失",
        "“没有这个”和“微信”消失",
        "“微信”出现，“发送失败”消失",
        "'微信' is shown and 'Error 404' is gone",
        "“钱包”出现",
        "聊天列表里有“钱包”",
    ],
)
def test_a_negation_never_proves_presence(description: str) -> None:
    assert judged(description) is False


@pytest.mark.parametrize(
    "description",
    [
        'the switch "Wi-Fi" is off',
        "与“微信”的聊天窗口已打开，标题是联系人",
        'the message is gone and "微信" is shown',
        "“微信”，“钱包”消失",  # whether both, nobody can say
        "“微信”没有消失",
        "“发送失败”的提示已被关闭",
        "没有“微信”或“钱包”",
        "not only “微信” is shown",
        "'Error 404' failed to appear",
        "“微信”页面出现",  # the word stands on other pages too
        "“微信”里有“Wi-Fi”",
        "“钱包”的提示已被关闭",
        "“微信” " + "x" * 700,
        "已打开微信主界面",
    ],
)
def test_description_beyond_visible_text_is_undecided(description: str) -> None:
    assert judged(description) is None


@pytest.mark.parametrize(
    "description",
    [
        "“发送失败”出现",
        "显示“微信”",
        "屏幕上显示：“微信”",
        "“微信”还在",
        "“微信”、“Wi-Fi”和“发送失败”出现",
        "“微信”出现，“钱包”消失",
        "'微信' is shown and '钱包' is gone",
        "the page doesn't show “钱包”, but shows “微信”",
        '"Error 404" is there',
        "“微信”",
        "text:微信",
        "没有“钱包”和“红包”",
    ],
)
def test_clauses_that_hold_are_proved(description: str) -> None:
    assert judged(description) is True


STATES = [
    *("{} is on", "{} is now on", "{} on", "{} must be on", "{} is not on", "{} isn't on", "{} is off", "{} is in"),
    *("{} is enabled", "{} is disabled", "{} is greyed out", "{} is checked", "{} is selected", "{} can", "{} can't"),
    *("{}开", "{}关", "{}已开启", "{}关闭", "{}没有开启", "{}打开了", "{}已选中", "{}置灰", "{}是灰色的", "{}不可用"),
    *("{}：开", "{}可以", "{}可以了", "{}不可以", "{}能", "{}不能", "{}会", "{}要", "{}开着", "{}不能点"),
]
PLACES = [
    *("on {}", "in {}", "the screen on {}", "it is shown in {}", "on the {}", "now at {}", "显示在{}中", "现在在{}"),
    *("{}里有", "{}上", "{}中", "到{}", "已到{}", "在{}里"),
]


@pytest.mark.parametrize("words", [*STATES, *PLACES])
@pytest.mark.parametrize("text", ["Wi-Fi", "飞行模式"])
def test_label_does_not_prove_a_state_or_place(words: str, text: str) -> None:
    """ "Wi-Fi" is visible whether its switch is on or off, and on other pages too; 飞行模式 is not visible."""
    assert judged(words.format(f"“{text}”")) is not True
    if text in READ:
        assert judged(words.format(f"“{text}”")) is None


@pytest.mark.parametrize(
    "words",
    [
        *(
            "{} is on the screen",
            "{} is on this page",
            "{} can be seen",
            "on the page there is {}",
        ),
        *("可以看到{}", "屏幕上有{}", "{}在屏幕上", "{}在", "{}显示在页面中", "能看见{}"),
    ],
)
def test_visible_text_decides_presence_descriptions(words: str) -> None:
    assert judged(words.format("“微信”")) is True
    assert judged(words.format("“钱包”")) is False


FUTURES = [
    *("{}会出现", "会出现{}", "{}将显示", "{}即将出现", "{}就要出现了", "{}不会出现", "屏幕上会有{}", "{}会消失"),
    *(
        "{} will be shown",
        "the label {} will be visible",
        "{} won't be shown",
        "{} is going to appear",
        "{}'ll be there",
    ),
    *("{} would be seen", "{} shall be shown", "{} is about to appear", "{} will soon be gone", "soon there is {}"),
]
OUGHT = [
    "{} should be seen",
    "{}应该能看到",
    "{}应显示",
    "{} shouldn't be shown",
    "{} ought to be visible",
    "{}不应该出现",
]


@pytest.mark.parametrize("words", [*FUTURES, *OUGHT])
def test_future_or_desired_state_is_not_proved(words: str) -> None:
    assert judged(words.format("“Wi-Fi”")) is None
    assert judged(words.format("“钱包”")) is not True


@pytest.mark.parametrize("words", FUTURES)
def test_missing_text_does_not_contradict_a_future_state(words: str) -> None:
    assert judged(words.format("“钱包”")) is None


def test_future_like_word_prefix_is_not_a_future() -> None:
    assert judged("“钱包”的会话窗口已打开") is False


NAME = st.text("甲乙丙丁ABC", min_size=1, max_size=4)


@given(
    NAME,
    st.sampled_from(
        ("不显示{}", "{}没有出现", "no {} is shown", "{} isn't there", "{} is no longer visible", "{}消失")
    ),
)
def test_negated_text_is_expected_absent(name: str, pattern: str) -> None:
    told = read_description(pattern.format(f"“{name}”"))
    assert [(quoted.text, quoted.there) for quoted in told.quoted] == [(name, False)]


@given(st.text(max_size=120))
def test_any_description_is_parsed_safely(words: str) -> None:
    told = read_description(words)
    assert told.left or told.quoted or not words.strip()
    assert told.left or all(quoted.there is not None for quoted in told.quoted)


@pytest.mark.parametrize(
    ("description", "remedy"),
    [
        ("微信主界面", "put the text that must be seen in quotes"),
        ("“通讯录”显示在底部", "say of the text in quotes no more than that it is there, or is gone"),
        ('"Chats" looks selected', "say of the text in quotes no more than that it is there, or is gone"),
    ],
)
def test_undecided_description_suggests_a_remedy(description: str, remedy: str) -> None:
    lines = [TextLine(text, Box(280, 300 + at, 420, 340 + at), 0.99) for at, text in ((0, "通讯录"), (100, "Chats"))]
    verdict = ScreenVerifier(PageReader(lines)).verify_with_description(frame(), description)
    assert verdict.undecided
    assert remedy in " ".join(verdict.evidence)


def test_missing_reference_image_is_a_usage_error() -> None:
    """`AssetsManager.get_image` gives None for a name that it does not know."""
    with pytest.raises(UsageError, match="no picture to compare"):
        ScreenVerifier(PageReader([])).verify_with_reference(None, frame())  # type: ignore[arg-type]
