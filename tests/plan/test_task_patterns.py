"""Tests of the task-template language: matches, slots and hostile input."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.errors import InvalidPlan
from handeye.plan import TASK_LIMIT, Pattern, Slot, SlotType, TextTemplate, fold
from handeye.plan.templates.slots import trim_marks

NAME = Slot(SlotType.NAME)
SEND = "给{contact}发[一条|条](微信|wechat)[消息|信息][,](说|:)[:|,]{message}"


def send(task: str) -> dict[str, str] | None:
    found = Pattern.parse(SEND, {"contact": NAME}).match(task)
    return dict(found.slots) if found else None


@pytest.mark.parametrize(
    ("task", "contact", "message"),
    [
        ("给张三发微信消息说你好", "张三", "你好"),
        ("给张三发微信消息说你说什么", "张三", "你说什么"),
        ("给张三发微信说给李四发微信消息说好", "张三", "给李四发微信消息说好"),
        ("给张三发微信消息说你好！", "张三", "你好！"),
        ("给张三发微信消息，说：你好", "张三", "你好"),
        ("  给 张三 发 微信消息 说  Hello  World \n", "张三", "Hello  World"),
        ("给张三，发微信说hi", "张三", "hi"),
        ("给A.J.发WeChat消息:Hi There", "A.J.", "Hi There"),
        ("给张三发ＷＥＣＨＡＴ消息：ＡＢＣ", "张三", "ＡＢＣ"),
        ("给张三发条微信说👋🏽‍ שלום {contact}", "张三", "👋🏽‍ שלום {contact}"),
        ("请帮我给张三发微信说你好", "张三", "你好"),
        ("给张三发微信说line 1\nline 2", "张三", "line 1\nline 2"),
        ("给“张三发微信说”发微信消息说“ 你好 ”", "张三发微信说", " 你好 "),
        ('给"张三"发微信说"你好"。', "张三", "你好"),
        ("给「张三」发微信说「你好」", "张三", "你好"),
        ("给.*+?^$(|)[a]\\发微信说(?P<x>.*)", ".*+?^$(|)[a]\\", "(?P<x>.*)"),
        ("给$(rm -rf /);'发微信说`id`", "$(rm -rf /);'", "`id`"),
    ],
)
def test_slots_are_kept_as_typed(task: str, contact: str, message: str) -> None:
    assert send(task) == {"contact": contact, "message": message}


@pytest.mark.parametrize(
    "task",
    [
        "",
        " ",
        "你好",
        "给张三发微信消息",
        "给张三发微信消息说",
        "给张三发微信消息说   ",
        "给发微信说你好",
        "我要给张三发微信说你好",
    ],
)
def test_only_whole_tasks_fit(task: str) -> None:
    assert send(task) is None


def test_trailing_punctuation_after_a_pattern_is_ignored() -> None:
    assert Pattern.parse("打开微信").match("打开微信。！")
    assert not Pattern.parse("打开微信").match("打开微信读书")


def test_pattern_space_matches_any_run_of_spaces() -> None:
    pattern = Pattern.parse("open {app}", {"app": NAME})
    found = pattern.match("OPEN \t Chrome.")
    assert found
    assert dict(found.slots) == {"app": "Chrome"}
    assert pattern.match("openChrome") is None


def test_more_specific_pattern_ranks_better() -> None:
    narrow, wide = Pattern.parse("打开微信"), Pattern.parse("打开{app}")
    first, second = narrow.match("打开微信"), wide.match("打开微信")
    assert first
    assert second
    assert first.rank < second.rank
    assert first.share == 1.0
    assert second.share == 0.5


def test_pattern_gives_its_simplest_example() -> None:
    assert Pattern.parse(SEND).example == "给{contact}发微信说{message}"


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        (Slot(SlotType.NUMBER), "５０", "50"),
        (Slot(SlotType.NUMBER), "+86", "+86"),
        (Slot(SlotType.NUMBER, maximum=100), "101", None),
        (Slot(SlotType.NUMBER), "五十", None),
        (Slot(SlotType.NUMBER), "1e9", None),
        (Slot(SlotType.URL), "example.com/a?b=c", "https://example.com/a?b=c"),
        (Slot(SlotType.URL), "http://例子.中国", "http://例子.中国"),
        (Slot(SlotType.URL), "localhost:8080", "https://localhost:8080"),
        (Slot(SlotType.URL), "javascript:alert(1)", None),
        (Slot(SlotType.URL), "intent://x#Intent;end", None),
        (Slot(SlotType.URL), "file:///etc/passwd", None),
        (Slot(SlotType.URL), "https://a.b:99999/", None),
        (Slot(SlotType.URL), "微信", None),
        (Slot(SlotType.ONE_OF, {"大": "up", "小": "down"}), "小。", "down"),
        (Slot(SlotType.ONE_OF, {"大": "up"}), "中", None),
        (Slot(SlotType.NAME), "张三\n李四", None),
        (Slot(SlotType.NAME), "长" * 65, None),
        (Slot(max_length=3), "四个字了", None),
    ],
)
def test_slot_types_accept_only_their_values(kind: Slot, typed: str, value: str | None) -> None:
    assert kind.accept(typed) == value


def test_invalid_slot_value_prevents_the_match() -> None:
    pattern = Pattern.parse("打开{url}", {"url": Slot(SlotType.URL)})
    assert pattern.match("打开微信") is None
    found = pattern.match("打开example.com。")
    assert found
    assert found.slots["url"] == "https://example.com"


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("", "empty"),
        ("[可有可无]", "empty task"),
        ("{a}{b}", "nothing tells"),
        ("{a}[x]{b}", "nothing tells"),
        ("{a} {b} {a}", "nothing tells"),
        ("{a}和{a}", "twice"),
        ("打开(微信", "never closed; expected ')'"),
        ("打开微信)", "closes nothing"),
        ("打开{}", "character 3: expected a slot"),
        ("打开{1x}", "expected a slot"),
        ("打开{app", "expected a slot"),
        ("x\\", "backslash"),
        ("(" * 9 + "a" + ")" * 9, "nested"),
        ("a" * 501, "501 characters"),
    ],
)
def test_invalid_pattern_error_names_position_and_cause(pattern: str, says: str) -> None:
    with pytest.raises(InvalidPlan, match=None) as caught:
        Pattern.parse(pattern)
    assert says in str(caught.value)


def test_protected_characters_are_literal() -> None:
    found = Pattern.parse(r"a\(b\)\{c\}\\{x}").match("a(b){c}\\value")
    assert found
    assert found.slots["x"] == "value"


@pytest.mark.parametrize(
    "task",
    [
        "给" + "发微信" * 3000 + "说好",
        "给" + "a" * 10_000,
        "给" + " " * 10_000 + "发",
        "给" + "“" * 5_000 + "”" * 5_000 + "发微信说",
        "给" + "发" * 10_000 + "说" * 9_000,
        "a" * TASK_LIMIT,
        "说" * (TASK_LIMIT + 1),
    ],
)
def test_hostile_tasks_match_in_linear_time(task: str) -> None:
    patterns = [
        Pattern.parse(SEND),
        Pattern.parse("[a|aa|aaa][a|aa][a|aaa]{x}[b|c]b{y}b"),
        Pattern.parse("{a}发{b}发{c}"),
    ]
    start = time.process_time()
    for pattern in patterns:
        pattern.match(task)
    assert time.process_time() - start < 4.0  # quadratic work would be 10**8 steps: minutes


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_message_arrives_unchanged(message: str) -> None:
    found = send(f"给张三发微信消息说“{message}”")
    if message.strip() and "”" not in message:
        assert found == {"contact": "张三", "message": message}


@given(st.text(max_size=80))
def test_folding_keeps_the_length(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert trim_marks(trim_marks(text)) == trim_marks(text)


@given(st.text(max_size=40), st.text(max_size=40))
def test_filled_values_are_not_expanded_again(first: str, second: str) -> None:
    template = TextTemplate.parse("{{{a}}} - {b}{a}")
    assert template.slots == {"a", "b"}
    assert template.fill({"a": first, "b": second}) == f"{{{first}}} - {second}{first}"


def test_stray_brace_or_missing_value_is_refused() -> None:
    for source in ("{", "a}", "{a b}", "{a.b}", "{0}", "{}"):
        with pytest.raises(InvalidPlan, match="character"):
            TextTemplate.parse(source)
    with pytest.raises(InvalidPlan, match="no value for slot b"):
        TextTemplate.parse("{b}").fill({"a": "1"})
