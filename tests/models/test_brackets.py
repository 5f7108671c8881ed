"""Tests of replies with unbalanced or full-width brackets, and with two box tags of which one is a place."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ConfigDict

from handeye.errors import InvalidReply
from handeye.models import Prompt, ask_json
from handeye.models.families.lookup import profile_named
from handeye.models.reply.reader import read_reply
from handeye.testing.models import ScriptedModel


@pytest.mark.parametrize(
    ("family", "reply", "said"),
    [
        ("qwen2.5-vl", '[{"bbox_2d": [100, 200, 140, 240, "label": "Send"}]', "'[' is closed by '}'"),
        ("qwen2.5-vl", '```json\n[{"bbox_2d": [100, 200, 140, 240], "label": "Send"}\n```', "'[' is not closed"),
        ("qwen2.5-vl", "[100, 200, 140, 240)", "'[' is closed by ')'"),
        ("qwen2.5-vl", "100, 200, 140, 240]", "']' closes none"),
        ("qwen-vl", "<ref>OK</ref><box>(1,2),(3,4</box>", "'(' is not closed"),
        ("gta1", "(100, 200", "'(' is not closed"),
        ("ui-venus", "(100, 200]", "'(' is closed by ']'"),
        ("ui-tars-1.5", "Thought: x\nAction: click(start_box='(100,200')", "'(' is not closed"),
        ("gta1", "（100，200］", "'(' is closed by ']'"),
    ],
)
def test_mismatched_brackets_are_named_in_the_error(family: str, reply: str, said: str) -> None:
    with pytest.raises(InvalidReply) as caught:
        read_reply(reply, profile_named(family))
    assert caught.value.problem == f"its brackets do not match: {said}"


@pytest.mark.parametrize(
    "reply", ["1) It is a nice button :)", "The button (see above is blue.", "It is 100, 200 wide."]
)
def test_brackets_in_prose_are_not_reported(reply: str) -> None:
    with pytest.raises(InvalidReply) as caught:
        read_reply(reply, profile_named("qwen2.5-vl"))
    assert "bracket" not in caught.value.problem


@pytest.mark.parametrize(
    ("family", "reply", "numbers"),
    [
        ("qwen2.5-vl", "［100, 200, 140, 240］", (100, 200, 140, 240)),
        ("qwen2.5-vl", '［｛"bbox_2d"：［100，200，140，240］，"label"："Send"｝］', (100, 200, 140, 240)),
        ("qwen2.5-vl", "[{“bbox_2d”: [100, 200, 140, 240], “label”: “Send”}]", (100, 200, 140, 240)),
        ("gta1", "（100，200）", (100, 200)),
        ("gta1", "坐标：（100，200）", (100, 200)),
        ("glm-v", "<|begin_of_box|>【【1，2，3，4】】<|end_of_box|>", (1, 2, 3, 4)),
        ("qwen-vl", "<ref>发送</ref><box>（1，2），（3，4）</box>", (1, 2, 3, 4)),
        ("ui-tars-1.5", "Thought: x\nAction: click(start_box=‘（100，200）’)", (100, 200)),
        ("ui-tars-1.5", "Action：click（start_box=“(100,200)”）", (100, 200)),
        ("autoglm", "<answer>do（action=“Tap”, element=［100，200］）</answer>", (100, 200)),
        ("molmo", "<point x=“63.5” y=“44.5” alt=“OK”>OK</point>", (63.5, 44.5)),
    ],
)
def test_full_width_brackets_and_quotation_marks_are_read(family: str, reply: str, numbers: tuple[float, ...]) -> None:
    assert [place.numbers for place in read_reply(reply, profile_named(family)).places] == [numbers]


def test_label_keeps_full_width_characters() -> None:
    reply = '{"bbox_2d": [100, 200, 140, 240], "label": "发送（测试）“引号”"}'
    assert read_reply(reply, profile_named("qwen2.5-vl")).places[0].label == "发送（测试）“引号”"


def test_denial_with_full_width_characters_is_recognised() -> None:
    for reply in ("没有找到（发送）按钮。", "［100，200，140，240］，没有找到这个按钮"):
        assert not read_reply(reply, profile_named("qwen2.5-vl")).places


class Plan(BaseModel):
    model_config = ConfigDict(extra="forbid")
    steps: list[str]


@pytest.mark.parametrize("reply", ["｛“steps”：［“打开（设置）”］｝", '{"steps"：［"打开（设置）"］}'])
def test_json_object_in_full_width_brackets_is_read(reply: str) -> None:
    assert ask_json(ScriptedModel([reply]), Prompt(("plan",)), Plan)[0].steps == ["打开（设置）"]


# Of two boxes the one that names a place


@pytest.mark.parametrize(
    ("family", "reply", "numbers"),
    [
        (
            "glm-v",
            "The <|begin_of_box|>Send<|end_of_box|> is at <|begin_of_box|>[[1,2,3,4]]<|end_of_box|>",
            (1, 2, 3, 4),
        ),
        ("glm-v", "<|begin_of_box|>[[1,2,3,4]]<|end_of_box|> <|begin_of_box|>发送按钮<|end_of_box|>", (1, 2, 3, 4)),
        ("autoglm", '<answer>Send</answer><answer>do(action="Tap", element=[100,200])</answer>', (100, 200)),
        ("qwen-vl", "<box></box><box>(1,2),(3,4)</box>", (1, 2, 3, 4)),
        ("qwen2.5-vl", '[{"bbox_2d": []}, {"bbox_2d": [1, 2, 30, 40], "label": "Send"}]', (1, 2, 30, 40)),
        (
            "qwen2.5-vl",
            '[{"bbox_2d": null, "label": "x"}, {"bbox_2d": [1, 2, 30, 40], "label": "Send"}]',
            (1, 2, 30, 40),
        ),
        ("ui-tars-1.5", "Action: click(start_box='(100,200)', end_box='')", (100, 200)),
        ("ui-tars-1.5", "Action: click(start_box='(100,200)', end_box=None)", (100, 200)),
    ],
)
def test_only_box_tag_with_coordinates_is_read(family: str, reply: str, numbers: tuple[float, ...]) -> None:
    assert [place.numbers for place in read_reply(reply, profile_named(family), "Send").places] == [numbers]


@pytest.mark.parametrize(
    ("family", "reply"),
    [
        ("glm-v", "<|begin_of_box|>[[1,2,3,4]]<|end_of_box|> or <|begin_of_box|>[[5,6,7,8]]<|end_of_box|>"),
        ("glm-v", "<|begin_of_box|>[[1,2,3,4]]<|end_of_box|> <|begin_of_box|>none<|end_of_box|>"),
        ("glm-v", "<|begin_of_box|>[[1,2,3,4]]<|end_of_box|> <|begin_of_box|>Send is not visible<|end_of_box|>"),
        ("qwen2.5-vl", '[{"bbox_2d": [], "label": "Send"}, {"bbox_2d": [1, 2, 30, 40], "label": "Cancel"}]'),
        ("ui-tars-1.5", "Action: click(start_box='(100,200)', end_box='(300,400)')"),
    ],
)
def test_contradicting_box_tags_are_refused(family: str, reply: str) -> None:
    with pytest.raises(InvalidReply):
        read_reply(reply, profile_named(family), "Send")
