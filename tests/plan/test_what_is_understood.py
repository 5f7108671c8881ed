"""Tests of consequential actions: only when the whole task is understood, and only on the ordered object."""

from __future__ import annotations

from typing import Any

import pytest
from planning import planner, reply, step

from handeye.errors import InvalidPlan
from handeye.plan import ACCOUNT, CALLING, DELETE, PAY, SEND, Act
from handeye.plan.consent.effects import INSTALL, orders_act
from handeye.plan.consent.understanding import is_ordered_elsewhere, unclear_clause

NOT_TO_BE_DONE: list[tuple[Act, str]] = [
    (PAY, "在微信里给张三转账，算了，不转了"),
    (PAY, "等张三回了消息再给他转账"),
    (PAY, "张三同意了再给他付款"),
    (PAY, "给张三转账是不是要手续费"),
    (PAY, "在微信里给张三转账50元，如果他还没收就别转"),
    (PAY, "给张三转账50元？别，先看看他的消息"),
    (PAY, "order the list by name"),
    (PAY, "buy nothing, just show the cart"),
    (PAY, "pay nothing, show “cart”"),
    (PAY, "open the cart and pay nothing"),
    (PAY, "买单词书的页面给我看看"),
    (PAY, "借助浏览器看看张三"),
    (PAY, "Pay attention to the red dot"),
    (PAY, "transfer the photo to the computer"),
    (PAY, "upgrade is not wanted"),
    (PAY, "订酒店的软件打开"),
    (PAY, "把微信聊天“张三”置顶，转账先不用"),
    (PAY, "给张三转账的事不用做了，看看“张三”"),
    (PAY, "给张三转账需要密码吗"),
    (PAY, "pay Ann 50 next week"),
    (PAY, "give Ann 50 when she asks"),
    (DELETE, "keep the chat with Ann, delete nothing"),
    (DELETE, "删除张三！才怪，看看张三"),
    (DELETE, "delete Ann... just kidding, open Ann"),
    (DELETE, "明天再删除张三"),
    (DELETE, "delete Ann tomorrow"),
    (DELETE, "删除张三会怎样"),
    (DELETE, "删除张三有什么后果"),
    (DELETE, "删除张三行不行"),
    (DELETE, "delete Ann: what happens then"),
    (DELETE, "把张三删除这件事先别做，看看张三"),
    (DELETE, "删除张三？不要！打开张三的聊天"),
    (DELETE, "删除张三，开玩笑的，看看张三就行"),
    (DELETE, "等张三确认了再删除他的聊天"),
    (DELETE, "明天把张三删除"),
    (DELETE, "delete Ann if she has left"),
    (DELETE, "delete Ann? No, just open her chat"),
    (DELETE, "要不要删除张三"),
    (DELETE, "删除张三是什么意思"),
    (DELETE, "拉黑张三他会知道吗"),
    (DELETE, "删除张三的聊天会不会通知他"),
    (DELETE, "block list: show it"),
    (DELETE, "reset password page: show it"),
    (DELETE, "删除张三，别删它"),
    (DELETE, "把“旅行”相册删掉，“家人”相册要留着"),
    (DELETE, "delete the chat with Ann but keep Bob"),
    (SEND, "text size bigger"),
    (SEND, "forward 10 seconds"),
    (CALLING, "ring the changes"),
    (CALLING, "拨打10086多少钱一分钟"),
    (CALLING, "拨打10086要收费么"),
    (CALLING, "打10086是人工吗"),
    (CALLING, "call up the settings page of Ann"),
    (CALLING, "深夜给张三打10086电话是不是不好"),
    (CALLING, "帮我拨打张三的电话10086，李四的是10010"),
    (INSTALL, "安装包在哪里，请找到它"),
    (PAY, "给张三转账50元，看情况"),
    (PAY, "给张三转账50元，看看会不会成功"),
    (PAY, "给张三转账50元，找个时间"),
    (PAY, "给张三转账50元，说错了"),
    (PAY, "给张三转账50元，打开确认页就停"),
    (PAY, "到月底给张三转账50元"),
    (PAY, "到家给张三转账50元"),
    (PAY, "周五给张三转账50元"),
    (PAY, "每个月给张三转账50元"),
    (PAY, "给张三转账50元的截图"),
    (PAY, "用微信给张三转账50元犯法"),
    (PAY, "给张三转账50元太多了"),
    (PAY, "给张三转账50元不合适"),
    (PAY, "给张三转账50元会被骗"),
    (PAY, "给张三转账50元前问我"),
    (PAY, "给张三发付款"),
    (PAY, "给张三发消息付款"),
    (PAY, "给张三发消息，付款"),
    (PAY, "在备忘录里，买牛奶"),
    (PAY, "买家的评价打开"),
    (PAY, "买房攻略打开"),
    (PAY, "打赏榜打开"),
    (PAY, "pay the bill after Ann confirms"),
    (PAY, "pay the bill provided that Ann agrees"),
    (PAY, "pay the bill on Friday"),
    (PAY, "pay the bill at noon"),
    (PAY, "pay the bill this evening"),
    (PAY, "pay the bill every month"),
    (PAY, "pay the bill would be wrong"),
    (PAY, "transfer 3 photos to the computer"),
    (PAY, "in my notes write buy milk"),
    (PAY, "in notes, buy milk"),
    (PAY, "message Ann, pay the bill"),
    (PAY, "to buy or not to buy, show the cart"),
    (DELETE, "删除键截图"),
    (DELETE, "删除线加上"),
    (DELETE, "删节版打开"),
    (DELETE, "删除照片 不"),
    (DELETE, "删除照片可不行"),
    (DELETE, "删除不了照片"),
    (DELETE, "删除后恢复"),
    (DELETE, "删除照片的按钮点一下"),
    (DELETE, "清理大师打开"),
    (CALLING, "给妈妈打过电话"),
    (CALLING, "打完10086电话截图"),
    (CALLING, "打开电话，看看通话记录"),
    (CALLING, "打印电话簿"),
    (CALLING, "打电话给张三太晚了"),
    (CALLING, "呼叫转移关掉"),
    (CALLING, "call me a taxi"),
    (CALLING, "call off the meeting"),
    (CALLING, "dial down the volume"),
    (INSTALL, "下载目录打开"),
    (INSTALL, "装作没看见"),
    (INSTALL, "download folder"),
]


@pytest.mark.parametrize(("act", "task"), NOT_TO_BE_DONE)
def test_withdrawn_postponed_or_unclear_order_is_refused(act: Act, task: str) -> None:
    assert not orders_act(task, act) or unclear_clause(task, act)


@pytest.mark.parametrize(
    ("act", "task"),
    [
        (DELETE, "打开微信，删除张三"),
        (DELETE, "请把和张三的聊天删除掉，谢谢"),
        (DELETE, "在微信里删除张三，不要删除李四"),
        (DELETE, "find the last mail from Ann and delete it, please"),
        (DELETE, "delete the chat with Ann, don't delete the chat with Bob"),
        (PAY, "能帮我给张三转账50吗"),
        (PAY, "先看看余额，再付款"),
        (PAY, "transfer 50 to Ann"),
        (PAY, "order a pizza in the app"),
        (CALLING, "拨打10086，不要打10010"),
        (CALLING, "麻烦拨一下13800138000的电话"),
        (SEND, "给张三发“明天见”，不要发给李四"),
        (SEND, "跟李雷讲一声，内容是“明天十点开会”，微信上讲"),
        (INSTALL, "下载地图软件"),
        (PAY, "给张三转50块钱"),
        (PAY, "转给张三50元"),
        (PAY, "麻烦您帮我买一杯咖啡"),
        (PAY, "您帮我付一下款"),
        (PAY, "现在就付款"),
        (DELETE, "clear browsing data"),
        (ACCOUNT, "log me out"),
        (PAY, "给我买一张明天去上海的票"),
        (PAY, "买两张明天的票"),
        (PAY, "transfer 50 yuan to Ann"),
        (PAY, "transfer Ann 50, please"),
        (PAY, "打开淘宝，把购物车里的都买了"),
        (DELETE, "删除没用的照片"),
        (DELETE, "删除张三的聊天记录"),
        (DELETE, "delete the photos that are blurry"),
        (CALLING, "拨张三的电话10086"),
        (PAY, "帮我把账单结了"),
        (PAY, "给妈妈的手机充100元话费"),
        (PAY, "交电费100元"),
        (PAY, "你能不能买一张票"),
        (PAY, "make sure you pay the bill"),
        (PAY, "use the app to buy a ticket"),
        (PAY, "can u buy a ticket"),
        (PAY, "Could you kindly pay Ann 50?"),
        (PAY, "would you pay for the order?"),
        (DELETE, "昨天的照片删掉"),
        (DELETE, "照片都删了吧"),
        (DELETE, "这张照片删除"),
        (DELETE, "抖音卸载掉"),
        (DELETE, "get rid of the photo"),
        (ACCOUNT, "把微信账号退了"),
    ],
)
def test_plain_orders_are_understood(act: Act, task: str) -> None:
    assert orders_act(task, act)
    assert not unclear_clause(task, act)


def objection(task: str, *steps: dict[str, Any]) -> str:
    """Error that keeps a model's plan from being carried out; "" for one that is accepted."""
    answer = reply(*({**each, "step": at} for at, each in enumerate(steps, 1)))
    try:
        planner(answer, answer)[0].plan(task)
    except InvalidPlan as error:
        return str(error)
    return ""


def tap(text: str, **more: Any) -> dict[str, Any]:
    return step(1, "tap", target_ref=f"text:{text}", **more)


def call(number: str) -> dict[str, Any]:
    return step(1, "call", params={"number": number})


def typing(text: str) -> dict[str, Any]:
    return step(1, "input_text", params={"text": text})


def test_unclear_words_are_quoted_in_the_refusal() -> None:
    said = objection("打开微信，删除张三，才怪", tap("张三"), tap("删除"))
    assert "不确定任务里的'才怪'是什么意思" in said
    assert "删除照片" in said
    said = objection("delete Ann, just kidding", tap("Ann"), tap("Delete"))
    assert "what 'just kidding' means for it is not understood" in said
    assert "delete the photo" in said


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("let Ann know that I am late", "that I am late"),
        ("tell Ann to pay the bill", "to pay the bill"),
        ("问张三他明天来不来", "他明天来不来"),
    ],
)
def test_reported_speech_is_not_sent_verbatim(task: str, text: str) -> None:
    name = "Ann" if "Ann" in task else "张三"
    said = objection(task, tap(name), typing(text), tap("Send", guard=name))
    assert ("quotation marks" if name == "Ann" else "引号") in said


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("let Ann know I am late", "I am late"),
        ("let Ann know that I am late", "I am late"),
        ("问张三明天来不来", "明天来不来"),
        ("祝张三生日快乐", "生日快乐"),
        ("提醒张三明天开会", "明天开会"),
        ("微信告诉妈妈我晚点回去", "我晚点回去"),
    ],
)
def test_direct_speech_is_sent_verbatim(task: str, text: str) -> None:
    name = next(each for each in ("Ann", "张三", "妈妈") if each in task)
    assert not objection(task, tap(name), typing(text), tap("Send", guard=name))


@pytest.mark.parametrize(
    "task",
    [
        "打开飞行模式，算了",
        "明天打开飞行模式",
        "打开飞行模式会怎样",
        "提醒我打开飞行模式",
        "让张三打开飞行模式",
        "等张三回了再打开飞行模式",
    ],
)
def test_withdrawn_or_postponed_switch_order_is_refused(task: str) -> None:
    assert objection(task, tap("飞行模式", success_condition="“飞行模式”已打开"))


@pytest.mark.parametrize(
    ("task", "steps"),
    [
        ("在微信里删除张三，不要删除李四", [tap("李四"), tap("删除")]),
        ("删除和张三的聊天，别删李四的", [step(1, "long_press", target_ref="text:李四"), tap("删除")]),
        ("删除张三，拉黑李四", [tap("李四"), tap("删除")]),
        ("删除张三，拉黑李四", [tap("张三"), tap("拉黑")]),
        ("拨打10086，不要打10010", [call("10010")]),
        ("给张三发“你好”，不要发给李四", [tap("李四"), typing("你好"), tap("发送", guard="李四")]),
    ],
)
def test_action_on_another_object_is_refused(task: str, steps: list[dict[str, Any]]) -> None:
    assert objection(task, *steps)


@pytest.mark.parametrize(
    ("task", "steps"),
    [
        ("在微信里删除张三，不要删除李四", [tap("张三"), tap("删除")]),
        ("删除张三，拉黑李四", [tap("张三"), tap("删除"), tap("李四"), tap("拉黑")]),
        ("打开张三的聊天，把它删除", [tap("张三"), tap("删除")]),
        ("拨打10086，不要打10010", [call("10086")]),
        ("给张三发“你好”，不要发给李四", [tap("张三"), typing("你好"), tap("发送", guard="张三")]),
    ],
)
def test_action_on_the_ordered_object_is_allowed(task: str, steps: list[dict[str, Any]]) -> None:
    assert not objection(task, *steps)


def test_name_outside_the_task_is_not_another_object() -> None:
    assert not is_ordered_elsewhere("", DELETE, "删除张三")
    assert not is_ordered_elsewhere("更多", DELETE, "删除张三，不要删除李四")


@pytest.mark.parametrize(
    "task",
    [
        "看看飞行模式开着没有",
        "不要打开飞行模式，看看它的状态",
        "飞行模式有没有打开",
        "查看飞行模式",
        "check whether 飞行模式 is on",
        "别动飞行模式，看一下设置",
    ],
)
def test_switch_asked_about_or_forbidden_is_not_turned(task: str) -> None:
    assert "switch" in objection(task, tap("飞行模式", success_condition="“飞行模式”已打开"))


@pytest.mark.parametrize(
    ("task", "seen"),
    [
        ("请把WLAN给开了", "“WLAN”已关闭"),
        ("bluetooth on please", "“bluetooth” is off"),
        ("turn the hotspot off", "“hotspot” is on"),
    ],
)
def test_switch_in_the_opposite_direction_is_refused(task: str, seen: str) -> None:
    name = seen[1 : max(seen.find("”"), 1)]
    assert "the other way" in objection(task, tap(name, success_condition=seen))


def test_switch_of_unknown_direction_is_doubted() -> None:
    answer = reply(tap("飞行模式", success_condition="“飞行模式”已打开"), success_criteria="“飞行模式”已打开")
    assert planner(answer)[0].plan("飞行模式关了吗，没关就关掉，处理一下飞行模式").doubt
