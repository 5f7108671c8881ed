"""Test of the example plan of docs/spec/vision-agent.md with a model: asked only when nothing else locates or proves a step."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from phone_runs import mine

from handeye.devices import PhoneDevice
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.models import Prompt
from handeye.ocr import CachedReader
from handeye.plan import ActionName, PlanOrigin, StepPlan, TargetType, TaskPlan
from handeye.run import TaskRunner, TaskStatus, Tools, default_planner
from handeye.run.composition import compose
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakePlanner
from handeye.testing.models import ScriptedModel
from handeye.usage import Usage

# docs/spec/vision-agent.md counts 12 and more where every step is located and verified by a model.
MOST_CALLS = 4
SWIPE_LEFT = {"action": "swipe", "params": {"direction": "left"}, "description": "左滑桌面查找微信图标"}
TASK = "给张三发微信消息说你好"
SEED_PLAN = (
    StepPlan(1, ActionName.TAP, "wechat", TargetType.ICON, "点击微信图标打开应用", fallback=SWIPE_LEFT),
    StepPlan(2, ActionName.TAP, "wechat_search", TargetType.ICON, "点击微信搜索图标"),
    StepPlan(3, ActionName.INPUT_TEXT, params={"text": "张三"}, description="输入联系人名称"),
    StepPlan(4, ActionName.TAP, "dynamic:搜索结果中名为张三的联系人", TargetType.DYNAMIC, "点击搜索结果中的张三"),
    StepPlan(5, ActionName.INPUT_TEXT, "dynamic:底部消息输入框", params={"text": "你好"}, description="输入消息内容"),
    StepPlan(
        6,
        ActionName.TAP,
        "send_button",
        TargetType.ICON,
        "点击发送按钮",
        expect=Expectation(description="消息“你好”出现在聊天记录中"),
    ),
)


class Eyes:
    """A model that finds what the two descriptions mean, where the phone's tree has it. Counts what it was asked."""

    def __init__(self, phone: PhoneDevice, judge: ScriptedModel) -> None:
        self._phone = phone
        self._judge = judge
        self.asked: list[str] = []

    @property
    def usage(self) -> Usage:
        """Of the planner, who made the plan in one call, of this one and of the judge."""
        return Usage(calls=1 + len(self.asked) + self._judge.calls)

    def renew(self) -> None: ...

    def find(self, target: Target, screen: Screen) -> UIElement | None:
        self.asked.append(str(target))
        field = "输入框" in (target.description or "")
        found = None  # the last one: above the field of a chat there may be others
        for node in ElementTree.fromstring(self._phone.dump_hierarchy()).iter("node"):
            kind = node.get("class", "").rpartition(".")[2]
            if kind == "EditText" if field else (kind, node.get("text")) == ("TextView", "张三"):
                numbers = [int(part) for part in node.get("bounds", "").replace("][", ",").strip("[]").split(",")]
                found = UIElement("", str(target), Box(*numbers), 0.9, "visual")
        return found


def judged(prompt: Prompt) -> str:
    return json.dumps({"answer": "yes", "seen": ["你好", "张三"], "reason": "the bubble is there"}, ensure_ascii=False)


@pytest.mark.usefixtures("adb_port")
def test_seed_plan_takes_at_most_four_model_calls(reader: CachedReader) -> None:
    modules = default_planner()
    with PhoneDevice() as phone:
        judge = ScriptedModel(judged)
        eyes = Eyes(phone, judge)

        def tools(plan: TaskPlan) -> Tools:
            return compose(modules.images("wechat"), reader, vision=eyes, judge=judge, account=eyes)

        planner = FakePlanner({TASK: SEED_PLAN}, origin=PlanOrigin.MODEL)
        result = TaskRunner(phone, planner=planner, tools=tools).run(TASK)
        sent = mine(phone)
    assert result.status is TaskStatus.SUCCESS, (result.error_message, eyes.asked)
    assert sent[-1] == ("张三", "你好")
    assert eyes.usage.calls <= MOST_CALLS, (eyes.asked, judge.texts)
    assert judge.calls <= 1
    assert result.model_calls == eyes.usage.calls - 1  # the plan was made before
