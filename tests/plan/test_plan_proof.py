"""Tests of a plan's goal: what the plan proves must be the task, not something easily visible."""

from __future__ import annotations

import json
from typing import Any

import pytest
from planning import SCREEN, SEED_REPLY, SEND, planner, reply, step

from handeye.errors import InvalidPlan, NoPlan
from handeye.geometry import Box
from handeye.plan import StepPlan, TaskPlan, plan_from_dict, plan_to_dict
from handeye.plan.consent.content import content_of
from handeye.plan.consent.proof import MIN_COVERAGE
from handeye.plan.planner.memory import PlanMemory
from handeye.run import TaskRunner, TaskStatus, Tools
from handeye.run.resume import merged_plan
from handeye.target import Expectation
from handeye.testing.fakes import FakeDevice, FakeFinder, FakePage, FakeVerifier

CAKE = "烤一个蛋糕"


def tap(text: str, seen: str = "", **more: Any) -> dict[str, Any]:
    return step(1, "tap", target_ref=f"text:{text}", success_condition=f"“{seen or text}”", **more)


TYPED = step(1, "input_text", params={"text": CAKE})


def planned(task: str, *steps: dict[str, Any]) -> TaskPlan:
    numbered = [{**each, "step": number} for number, each in enumerate(steps, 1)]
    maker, _model = planner(reply(*numbered, success_criteria=numbered[-1].get("success_condition", "it is done")))
    return maker.plan(task, SCREEN)


@pytest.mark.parametrize(
    ("task", "steps"),
    [
        ("看看微信通讯录里都有谁", [tap("通讯录", "新的朋友")]),
        ("帮我瞧瞧浏览器首页上的新闻频道", [tap("新闻", "news.example")]),
        ("把时钟应用调出来", [step(1, "go_home"), tap("时钟", "暂无内容")]),
        ("看一下和王小明聊到哪了", [tap("王小明", "好，我去开")]),
        (
            "让蓝牙处于可用状态",
            [tap("蓝牙", "使用蓝牙"), step(1, "tap", target_ref="text:使用蓝牙", success_condition="“使用蓝牙”已打开")],
        ),
        ("turn the hotspot off", [step(1, "tap", target_ref="text:Hotspot", success_condition="“Hotspot” is off")]),
        ("open the chat with Ann", [tap("Ann")]),
        ("open the wechat settings", [tap("Settings")]),
        ("在微信里看看发现页面", [tap("发现", "朋友圈")]),
        ("show invoice 4711", [tap("4711", "Invoice 4711")]),
        ("delete the alarm", [tap("Delete", "alarm")]),
    ],
)
def test_plan_ending_with_named_target_proves_the_task(task: str, steps: list[dict[str, Any]]) -> None:
    assert planned(task, *steps).doubt == ""


@pytest.mark.parametrize(
    ("task", "steps", "why"),
    [
        (CAKE, [tap("微信")], "about something else"),
        (CAKE, [tap("Recipes", "Bake a cake")], "about something else"),
        ("打开支付宝", [tap("微信")], "about something else"),
        ("打开微信读书", [tap("微信")], "about something else"),
        ("在设置里瞧瞧量子纠缠", [tap("显示")], "about something else"),
        ("跟妈妈在微信上报个平安", [tap("微信")], "about something else"),
        ("给妈妈发条微信报个平安", [tap("妈妈"), tap("报平安")], "no step does"),
        ("看看微信通讯录里都有谁", [tap("通讯录"), tap("返回", "发现")], "plan's end says nothing"),
        ("看看“周报”的内容", [tap("月报")], "nothing of '周报'"),
        ("show invoice 4711", [tap("invoice", "invoice 4712")], "nothing of '4711'"),
        ("delete the alarm", [tap("alarm")], "no step does"),
        ("让蓝牙处于可用状态", [tap("蓝牙", "使用蓝牙")], "switch as the task wants it"),
        ("turn the hotspot off", [tap("Hotspot")], "switch as the task wants it"),
        (
            CAKE,
            [TYPED, step(1, "press_key", params={"key": "ENTER"}, success_condition="“烤一个蛋糕”")],
            "about something else",
        ),
        ("看看飞行模式", [step(1, "check", success_condition="“飞行模式”已打开")], "switch as the task wants it"),
    ],
)
def test_plan_proving_something_else_is_doubted(task: str, steps: list[dict[str, Any]], why: str) -> None:
    assert why in planned(task, *steps).doubt


def test_model_descriptions_do_not_prove_the_task() -> None:
    """Naming the cake in a description bakes no cake."""
    saying = step(
        1, "tap", target_ref="text:微信", description="烤一个蛋糕", success_condition="蛋糕烤好了，“微信”在页面上"
    )
    assert planned(CAKE, saying).doubt


def test_seed_004_plan_proves_its_task() -> None:
    maker, _model = planner(SEED_REPLY)
    assert maker.plan(SEND, SCREEN).doubt == ""


def test_message_sent_before_replan_counts_for_the_goal() -> None:
    maker, _model = planner(SEED_REPLY, reply(tap("你好"), success_criteria="“你好”"))
    first = maker.plan(SEND, SCREEN)
    assert maker.replan(SEND, SCREEN, first.steps[-1], "no bubble", first.steps).doubt == ""


def test_doubt_survives_saving_and_replanning() -> None:
    doubted = planned(CAKE, tap("微信"))
    assert plan_from_dict(plan_to_dict(doubted)).doubt == doubted.doubt
    assert merged_plan(planned(CAKE, tap("蛋糕")), doubted, after=1).doubt == doubted.doubt


def test_replan_keeps_the_expectation_of_a_template() -> None:
    template = TaskPlan(
        {}, (StepPlan(1, planned(CAKE, tap("蛋糕")).steps[0].action, "text:蛋糕", expect=Expectation(text="蛋糕")),)
    )
    other = merged_plan(template, planned(CAKE, tap("微信")), after=1)
    assert (other.doubt, other.steps[-1].expectation) == ("", Expectation(text="蛋糕"))


def run(task: str, *answers: str, memory: PlanMemory | None = None) -> Any:
    at = Box(0, 0, 9, 9)
    device = FakeDevice(
        {"home": FakePage({"微信": at}, {"微信": "app"}), "app": FakePage({"wechat": at})}, start="home"
    )
    maker, _model = planner(*answers, memory=memory)
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    return TaskRunner(device, planner=maker, tools=lambda plan: tools).run(task)


def test_doubted_plan_needs_review_and_is_not_remembered(tmp_path: Any) -> None:
    memory = PlanMemory(tmp_path)
    one = {**tap("微信"), "success_condition": None, "verify_ref": "wechat"}
    result = run(CAKE, reply(one, success_criteria="“微信”"), memory=memory)
    assert result.status is TaskStatus.NEEDS_REVIEW, result.error_message
    assert "does not prove the task: the plan is about something else than '蛋糕'" in result.error_message
    assert not list(tmp_path.iterdir()), "and is not remembered"


# A model may say that it knows no way


def refusal(words: str, **more: Any) -> str:
    return json.dumps({"steps": [], "impossible": words, **more}, ensure_ascii=False)


def test_model_may_declare_the_task_impossible() -> None:
    maker, model = planner(refusal("a phone bakes nothing\u202e\n"))
    with pytest.raises(NoPlan, match=r"the model says that this cannot be done: “a phone bakes nothing”"):
        maker.plan(CAKE, SCREEN)
    assert model.calls == 1
    assert "impossible" in model.texts[0]


def test_model_may_declare_impossible_on_retry_and_replan() -> None:
    maker, model = planner(reply(tap("发送")), refusal("no way"), refusal("it is gone"))
    with pytest.raises(NoPlan, match="no way"):
        maker.plan(CAKE, SCREEN)
    with pytest.raises(NoPlan, match="it is gone"):
        maker.replan(CAKE, SCREEN, StepPlan(1, planned(CAKE, tap("蛋糕")).steps[0].action), "not found", ())
    assert model.calls == 3


@pytest.mark.parametrize(
    "answer",
    [
        refusal("no way", steps=[tap("蛋糕")], success_criteria="“蛋糕”"),
        refusal(" "),
        refusal(" ", success_criteria="“蛋糕”"),
        refusal("no" * 500),
    ],
)
def test_incomplete_refusal_is_sent_back(answer: str) -> None:
    maker, model = planner(answer, answer)
    with pytest.raises(InvalidPlan):
        maker.plan(CAKE, SCREEN)
    assert model.calls == 2


def test_part_of_an_app_name_does_not_match() -> None:
    assert content_of("打开支付宝").share_in(["支付"]) <= MIN_COVERAGE < content_of("打开支付宝").share_in(["支付宝"])
    assert content_of("打开微信读书", ["微信"]).share_in(["微信"]) == 0


@pytest.mark.parametrize("nothing", ["", "  ", "“", "“”", "😀", "\u202e", "?!", "a" * 5000])
def test_any_text_has_a_valid_content_share(nothing: str) -> None:
    content = content_of(nothing)
    assert 0 <= content.share_in([nothing, ""]) <= 1
    assert not content.is_touched_by("")
