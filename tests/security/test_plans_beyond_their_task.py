"""Tests that generated plans stay within their task, in any spelling and with any element found at run time."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from handeye.actions import Tap
from handeye.clock import Deadline, SystemClock
from handeye.devices import PhoneDevice
from handeye.elements import UIElement, UIState
from handeye.errors import InvalidPlan, NoPlan
from handeye.geometry import Box
from handeye.ocr import CachedReader, PaddleReader
from handeye.perceive.uiautomator import UiAutomatorProvider
from handeye.plan import ActionName, Planner, PlanOrigin, StepPlan, TaskPlan, app_knowledge_for
from handeye.plan.planner.memory import PlanKey, PlanMemory
from handeye.run import TaskResult, TaskRunner, TaskStatus, Tools, default_planner
from handeye.run.composition import compose
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.testing.models import ScriptedModel
from handeye.text import TextLine, match_text, skeleton

LOOK = ("看看微信里的消息", "show the messages in WeChat")

# Words on controls with consequences, one a line: those that the lists had, and at the end of each language those they lacked.
ACT_WORDS = Path(__file__).with_name("act_words.txt").read_text("utf-8").splitlines()
WORDS = pytest.mark.parametrize(
    "words", [ACT_WORDS[::9], pytest.param(ACT_WORDS, marks=pytest.mark.wide)], ids=["some", "all"]
)
MODULES = default_planner()

# Other spellings of words on a control, each with the words. The finder takes them for each other, or people do.
SPELLINGS = {
    "发 送": "发送",
    "发\u200b送": "发送",
    "发\u00ad送": "发送",
    "发\u2060送": "发送",
    "发\ufeff送": "发送",
    "发\u3000送": "发送",
    "发\u00a0送": "发送",
    "發送": "发送",
    "發 送": "发送",
    "發\u200d送": "发送",
    "轉賬": "转账",
    "轉帳": "转账",
    "轉 賬": "转账",
    "转帐": "转账",
    "支 付": "支付",
    "刪除": "删除",
    "刪 除": "删除",
    "卸載": "卸载",
    "購買": "购买",
    "紅包": "红包",
    "撥打": "拨打",
    "⾚转账": "转账",
    "Ｓｅｎｄ": "Send",
    "S\u200bend": "Send",
    "Se\u00adnd": "Send",
    "Sénd": "Send",
    "Se\u0301nd": "Send",
    "\u0405end": "Send",
    "S\u0435nd": "Send",
    "\u0420ay": "Pay",
    "P\u0430y now": "Pay now",
    "Ра\u0443": "Pay",
    "D\u0435l\u0435t\u0435": "Delete",
    "𝐏𝐚𝐲": "Pay",
    "Ｐａｙ　ｎｏｗ": "Pay now",
    "C\u0430ll": "Call",
}


def tap(target: str, **fields: Any) -> dict[str, Any]:
    return {"step": 1, "action": "tap", "target_ref": target, **fields}


def is_accepted(task: str, *steps: dict[str, Any]) -> bool:
    answer = json.dumps({"steps": steps, "success_criteria": "“消息”在页面上"}, ensure_ascii=False)
    try:
        plan = Planner(MODULES, model=ScriptedModel([answer, answer])).plan(task)
    except InvalidPlan:
        return False
    assert plan.origin is PlanOrigin.MODEL, "a template knows this task"
    return True


@WORDS
@pytest.mark.parametrize("task", LOOK)
def test_described_acts_are_refused_in_looking_tasks(task: str, words: list[str]) -> None:
    assert [word for word in words if is_accepted(task, tap(f"dynamic:{word}", description=word))] == []


@WORDS
@pytest.mark.parametrize("task", LOOK)
def test_named_acts_are_refused_in_looking_tasks(task: str, words: list[str]) -> None:
    assert [word for word in words if is_accepted(task, tap(f"text:{word}", description=word))] == []


@WORDS
@pytest.mark.parametrize("kind", ["text:", "dynamic:"])
def test_acts_are_refused_in_fallbacks_of_looking_tasks(kind: str, words: list[str]) -> None:
    def fallback(word: str) -> dict[str, Any]:
        return {"action": "tap", "target_ref": f"{kind}{word}", "description": word}

    assert [word for word in words if is_accepted(LOOK[0], tap("text:发现", fallback=fallback(word)))] == []


@WORDS
def test_typing_into_act_controls_is_refused(words: list[str]) -> None:
    typing = [{"step": 1, "action": "input_text", "target_ref": f"text:{w}", "params": {"text": "天气"}} for w in words]
    assert [each["target_ref"] for each in typing if is_accepted("在商店的页面里查找天气", each)] == []


def test_visual_descriptions_are_refused_in_looking_tasks() -> None:
    assert not is_accepted(LOOK[0], tap("dynamic:右上角的圆点", description="点右上角"))
    assert not is_accepted(LOOK[0], tap("invented_name", description="点右上角"))
    assert not is_accepted(LOOK[0], tap("text:发现", fallback={"action": "tap", "target_ref": "dynamic:右上角的圆点"}))
    assert is_accepted(LOOK[0], tap("text:发现", description="点击发现"))


@pytest.mark.parametrize("spelling", SPELLINGS, ids=ascii)
def test_other_spellings_of_acts_are_refused(spelling: str) -> None:
    for target in (f"text:{spelling}", f"dynamic:{spelling}"):
        assert not is_accepted(LOOK[0], tap(target))
        assert not is_accepted(LOOK[0], tap("text:发现", fallback={"action": "tap", "target_ref": target}))


def recalled(folder: Path, target: Target, **fields: Any) -> TaskPlan | None:
    """Plan for a looking task from a memory that holds a tap on `target`; None if there is no plan."""
    memory = PlanMemory(folder)
    key = PlanKey.of(LOOK[0], app_knowledge_for(MODULES, LOOK[0]).module, None, None)
    tapped = StepPlan(2, ActionName.TAP, target=target, expect=Expectation(text="消息"), **fields)
    memory.keep(
        key,
        TaskPlan(
            {}, (StepPlan(1, ActionName.GO_HOME), tapped), origin=PlanOrigin.MODEL, success_criteria="“消息”在页面上"
        ),
    )
    try:
        return Planner(MODULES, memory=memory).plan(LOOK[0])
    except NoPlan:
        return None


def test_remembered_plans_with_disguised_acts_are_refused(tmp_path: Path) -> None:
    fallback = {"action": "tap", "target_ref": "text:朋友圈", "params": {}}
    assert recalled(tmp_path / "sound", Target(text="发现"), fallback=fallback) is not None
    for number, spelling in enumerate(SPELLINGS):
        hidden = fallback | {"target_ref": f"text:{spelling}"}
        assert recalled(tmp_path / f"tap {number}", Target(text=spelling)) is None, ascii(spelling)
        assert recalled(tmp_path / f"fallback {number}", Target(text="发现"), fallback=hidden) is None, ascii(spelling)


def test_invisible_characters_in_targets_are_refused(tmp_path: Path) -> None:
    assert recalled(tmp_path, Target(text="发\u200b现")) is None


@pytest.mark.parametrize(("spelling", "word"), SPELLINGS.items(), ids=ascii)
def test_finder_and_plan_check_normalise_alike(spelling: str, word: str) -> None:
    for match in match_text(spelling, [TextLine(word, Box(0, 0, 90, 30), 1.0)]):
        if match.layer in ("exact", "normalised", "variant"):
            assert skeleton(spelling).replace(" ", "") == skeleton(word).replace(" ", "")


@pytest.mark.parametrize(
    ("task", "target"),
    [
        ("把照片刪除", "text:刪除"),
        ("給張三轉賬50元", "text:轉賬"),
        ("汇款500元给张三", "text:汇款"),
        ("取消订单", "text:取消订单"),
        ("cancel my order", "text:Cancel order"),
        ("重启手机", "text:重启"),
        ("close my account", "text:Close account"),
        ("empty the trash", "text:Empty trash"),
    ],
)
def test_requested_acts_are_planned(task: str, target: str) -> None:
    assert is_accepted(task, tap(target))


# At the act: what a model finds for the plan's words, on a virtual phone.


def nodes_with(phone: PhoneDevice, shown: str) -> list[Box]:
    """The boxes of all nodes with this text, description or class."""
    return [
        Box(*map(int, re.findall(r"\d+", node.get("bounds", ""))))
        for node in ElementTree.fromstring(phone.dump_hierarchy()).iter("node")
        if shown in (node.get("text"), node.get("content-desc"), node.get("class"))
    ]


class Eyes:
    """A model that finds the node with the text or description `shown`, whatever it is asked for, and calls it a `role`."""

    def __init__(self, phone: PhoneDevice, shown: str, role: str) -> None:
        self._phone, self._shown, self._role = phone, shown, role

    def find(self, target: Target, screen: Screen) -> UIElement | None:
        nodes = nodes_with(self._phone, self._shown)
        return UIElement(self._role, str(target), nodes[0], 0.9, "visual", text="张三") if nodes else None


@pytest.fixture(scope="module")
def reader() -> CachedReader:
    return CachedReader(PaddleReader())


def center(phone: PhoneDevice, shown: str) -> tuple[int, int]:
    """The middle of the last node with this text, description or class, in pixels, once there is one."""
    deadline = Deadline(SystemClock(), 10)
    while not (nodes := nodes_with(phone, shown)) and not deadline.passed:
        deadline.pause(0.2)
    return nodes[-1].center


def carried_out(
    phone: PhoneDevice,
    reader: CachedReader,
    task: str,
    *steps: StepPlan,
    finds: str,
    tree: bool = True,
    role: str = "",
) -> TaskResult:
    """The task by a plan of a model that another model deceives: everything that only it can find is `finds`, a `role`."""

    def tools(plan: TaskPlan) -> Tools:
        state = UiAutomatorProvider(phone) if tree else None
        return compose(MODULES.images("wechat"), reader, tree=state, vision=Eyes(phone, finds, role))

    planner = FakePlanner({task: steps}, origin=PlanOrigin.MODEL)
    return TaskRunner(phone, planner=planner, tools=tools).run(task)


OPENS_SETTINGS = StepPlan(1, ActionName.LAUNCH_APP, params={"package": "com.android.settings"})
DESCRIBED = StepPlan(
    2, ActionName.TAP, "dynamic:右上角的小圆点", description="点右上角", expect=Expectation(changed=True)
)


@pytest.mark.usefixtures("adb_port")
@pytest.mark.parametrize("role", ["", "input", "combo box"])
@pytest.mark.parametrize("tree", [True, False], ids=["tree", "picture"])
def test_no_other_switch_is_turned(reader: CachedReader, *, tree: bool, role: str) -> None:
    with PhoneDevice() as phone:
        steps = OPENS_SETTINGS, DESCRIBED
        result = carried_out(phone, reader, "打开蓝牙", *steps, finds="飞行模式", tree=tree, role=role)
        assert phone.phone.state.switches["飞行模式"] is False
    assert result.status is TaskStatus.FAILED
    assert "飞行模式" in result.error_message


@pytest.mark.usefixtures("adb_port")
def test_no_call_is_made(reader: CachedReader) -> None:
    with PhoneDevice() as phone:
        phone.shell("am", "start", "-a", "android.intent.action.DIAL", "-d", "tel:10086")
        result = carried_out(phone, reader, "给张三发消息说你好", DESCRIBED, finds="拨号")
        assert phone.phone.state.calls == []
    assert result.status is TaskStatus.FAILED


@pytest.mark.usefixtures("adb_port")
def test_no_draft_is_sent(reader: CachedReader) -> None:
    with PhoneDevice() as phone:
        phone.launch_app("com.tencent.mm")
        for shown in ("Alice", "android.widget.EditText"):
            phone.tap(*center(phone, shown))
        phone.input_text("我辞职了")
        assert "发送" in phone.dump_hierarchy()
        result = carried_out(phone, reader, "看看 Alice 的聊天", DESCRIBED, finds="发送")
        assert phone.phone.state.sent == {}
    assert result.status is TaskStatus.FAILED


@pytest.mark.usefixtures("adb_port")
def test_fallback_turns_no_other_switch(reader: CachedReader) -> None:
    fallback = {"action": "tap", "target_ref": "dynamic:右上角的小圆点", "description": "点右上角"}
    missing = StepPlan(2, ActionName.TAP, target=Target(text="没有的文字", exact=True), fallback=fallback)
    with PhoneDevice() as phone:
        result = carried_out(phone, reader, "打开蓝牙", OPENS_SETTINGS, missing, finds="飞行模式")
        assert phone.phone.state.switches["飞行模式"] is False
    assert result.status is TaskStatus.FAILED


@pytest.mark.usefixtures("adb_port")
def test_requested_switch_is_turned(reader: CachedReader) -> None:
    with PhoneDevice() as phone:
        carried_out(phone, reader, "打开飞行模式", OPENS_SETTINGS, DESCRIBED, finds="飞行模式")
        assert phone.phone.state.switches["飞行模式"] is True


class PayButtonBeside:
    """A tree in which a small button lies on a large one, 20 % of its size below and right of its middle."""

    name = "accessibility"

    def detect(self, screen: Screen) -> UIState:
        large = UIElement(
            "button", "", Box(0, 100, 100, 200), source="accessibility", text="发现", id=1, interactive=True
        )
        small = UIElement(
            "button", "", Box(65, 165, 75, 175), source="accessibility", text="Pay now", id=2, interactive=True
        )
        return UIState(screen, (large, small))


def test_second_attempt_taps_no_other_control() -> None:
    device = FakeDevice({"home": FakePage({"发现": Box(0, 100, 100, 200)})}, start="home")
    tools = Tools(FakeFinder(device), FakeVerifier(device), tree=PayButtonBeside())
    step = StepPlan(
        1, ActionName.TAP, target=Target(text="发现"), expect=Expectation(text="附近"), retry=1, timeout=1000
    )
    planner = FakePlanner({LOOK[0]: (step,)}, origin=PlanOrigin.MODEL)
    result = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock()).run(LOOK[0])
    assert sum(isinstance(each, Tap) for each in device.performed) == 1
    assert "pay now" in result.error_message


PAY = Box(40, 140, 60, 150)


class ReadsPayNow:
    """Reads the label of a button that the tree does not name."""

    name = "pay"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return (TextLine("Pay now", PAY, 0.99),)


class Named:
    """A tree of these elements."""

    name = "accessibility"

    def __init__(self, *elements: UIElement) -> None:
        self._elements = elements

    def detect(self, screen: Screen) -> UIState:
        return UIState(screen, self._elements)


def named(role: str, box: Box, text: str = "", number: int = 1, **about: str) -> UIElement:
    clickable = role == "element"
    return UIElement(role, "", box, source="accessibility", text=text, id=number, interactive=clickable, metadata=about)


@pytest.mark.parametrize(
    "tree",
    [
        Named(named("web view", Box(0, 0, 100, 200), "Shop")),
        Named(named("element", Box(0, 100, 100, 200), id="com.x:id/game_view")),
        Named(named("group", Box(0, 0, 100, 200)), named("text", Box(0, 0, 100, 20), "Shop", 2),
              named("element", Box(0, 100, 100, 200), number=3)),
        Named(named("combo box", Box(0, 100, 100, 200), "Pay now")),
        None,
    ],
    ids=["web view", "canvas", "neighbour", "combo box", "no tree"],
)  # fmt: skip
@pytest.mark.parametrize("task", LOOK)
def test_text_in_picture_at_tap_point_is_checked(task: str, tree: Named | None) -> None:
    device = FakeDevice({"home": FakePage({"发现": Box(30, 135, 70, 155)})}, start="home")
    tools = Tools(FakeFinder(device), FakeVerifier(device), reader=ReadsPayNow(), tree=tree)
    planner = FakePlanner({task: (StepPlan(1, ActionName.TAP, target=Target(text="发现")),)}, origin=PlanOrigin.MODEL)
    result = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock()).run(task)
    assert not any(isinstance(each, Tap) for each in device.performed)
    assert "pay now" in result.error_message
