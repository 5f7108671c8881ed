"""Tests of the limits of model plans: only what the task orders, whatever the screen says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planning import SEED_REPLY, SEND, known, planner, reply, step

from handeye.errors import InvalidPlan
from handeye.plan import DELETE, PAY, ActionName, StepPlan, TaskPlan, named_acts, objections
from handeye.plan import SEND as SENDING
from handeye.plan.consent.effects import ACTS, orders_act
from handeye.plan.consent.messages import as_typed, is_whole_message
from handeye.target import Expectation, Target


def refused(task: str, *steps: dict[str, Any], **fields: Any) -> str:
    """Error that the model gets about its plan; "" if nothing was wrong."""
    answer = reply(*steps, **fields)
    maker, _model = planner(answer, answer)
    try:
        maker.plan(task)
    except InvalidPlan as error:
        return str(error)
    return ""


def typing(text: str) -> dict[str, Any]:
    return step(1, "input_text", params={"text": text})


def tapping(target: str, **fields: Any) -> dict[str, Any]:
    return step(1, "tap", target_ref=target, **fields)


# What is typed


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (SEND, "张三"),
        (SEND, "你好"),
        ("search for Hello World in the browser", "hello  world"),
        ("search for “black cats” online", "black cats"),
        ("在浏览器搜索天气预报", "天气预报"),
        ("type 42", "42"),
        ("搜索ＡＢＣ", "abc"),
    ],
)
def test_text_from_the_task_may_be_typed(task: str, text: str) -> None:
    assert not refused(task, typing(text))


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (SEND, "借我五千"),
        (SEND, "章三"),
        ("search for “black cats” online", "cats"),
        ("type 42", "4"),
        ("search for Hello", "Hell"),
        ("告诉张三我不来了", "来了"),
        ("do not search for cats", "search for dogs"),
        ("it is not cold, search for weather", "cold"),
        (SEND, "。"),
        (SEND, "你好。"),
        (SEND, "你好!"),
        (SEND, " "),
    ],
)
def test_text_not_in_the_task_is_refused(task: str, text: str) -> None:
    assert "does not stand so in the task" in refused(task, typing(text))


def test_typed_text_keeps_the_spelling_of_the_task() -> None:
    assert planner(reply(typing("hello bob")))[0].plan("write Hello  Bob").steps[0].params["text"] == "Hello  Bob"


# What an app may be told to do


@pytest.mark.parametrize(
    ("task", "target", "act"),
    [
        ("open the chat with Ann", "text:Send", "send"),
        ("open the chat with Ann", "send_button", "send"),
        ("打开微信", "text:支付", "pay"),
        ("打开微信", "dynamic:红色的转账按钮", "pay"),
        ("look at the cart", "text:Place order", "pay"),
        ("open the photo", "text:Delete", "delete"),
        ("打开相册", "dynamic:垃圾桶图标，删除照片", "delete"),
        ("open the camera", "text:Allow", "permission"),
        ("打开相机", "text:仅在使用中允许", "permission"),
        ("open the store", "text:Install", "install"),
        ("open the profile", "text:Log out", "log out"),
        ("open the contact", "text:Call", "call"),
    ],
)
def test_consequential_action_without_an_order_is_refused(task: str, target: str, act: str) -> None:
    assert act in refused(task, tapping(target))


def test_opening_payment_app_does_not_allow_paying() -> None:
    assert "pay" in refused("打开支付宝", tapping("text:付款"))
    assert "pay" in refused("打开支付宝", tapping("text:支付"))


@pytest.mark.parametrize(
    ("task", "target", "fields"),
    [
        ("在设置里打开量子模式", "text:静音模式", {}),
        ("在设置里打开量子模式", "text:NFC", {}),
        ("在设置里打开量子模式", "dynamic:第二行的开关", {}),
        ("看看我的型号", "text:飞行模式", {}),
        ("turn on quantum mode", "text:Airplane mode", {}),
        ("turn on quantum mode", "text:Use Bluetooth", {}),
        ("open the chat with Ann", "text:Mute", {}),
        ("烤一个蛋糕", "text:触摸时振动", {}),
        ("在设置里打开量子模式", "text:儿童", {"success_condition": "“儿童”已打开"}),
    ],
)
def test_switch_not_named_in_the_task_is_refused(task: str, target: str, fields: dict[str, Any]) -> None:
    assert "switch that the task does not name" in refused(task, tapping(target, **fields))


@pytest.mark.parametrize(
    ("task", "target"),
    [
        ("让静音模式生效", "text:静音模式"),
        ("mute the phone", "text:Mute"),
        ("使用蓝牙", "text:使用蓝牙"),
        ("turn on airplane mode", "text:Airplane mode"),
        ("看看显示设置", "text:显示"),
    ],
)
def test_switch_named_in_the_task_is_allowed(task: str, target: str) -> None:
    assert not refused(task, tapping(target))


def test_last_tapped_settings_row_must_be_named() -> None:
    start = step(1, "launch_app", params={"package": "com.android.settings"})
    lead = step(2, "tap", target_ref="text:显示")
    named = step(3, "tap", target_ref="text:字体大小")
    assert not refused("把字体大小调大", start, lead, named)
    assert "tapped last" in refused("把字体大小调大", start, lead)
    assert "tapped last" in refused("在设置里打开量子纠缠", start, step(2, "tap", target_ref="text:儿童"))
    assert not refused("在设置里看看存储", start, lead)


def test_step_description_and_fallback_are_checked_for_actions() -> None:
    assert "pay" in refused("打开微信", tapping("dynamic:右下角的绿色按钮", description="点击“确认支付”按钮"))
    assert "pay" in refused("打开微信", tapping("made_up_icon", description="tap the Pay button"))
    fallback = {"action": "tap", "target_ref": "text:立即购买"}
    assert "pay" in refused("打开微信", tapping("wechat", fallback=fallback))


@pytest.mark.parametrize(
    ("task", "target"),
    [
        ("delete the alarm", "text:Delete"),
        ("删掉闹钟", "text:删除"),
        ("allow the camera", "text:Allow"),
        ("打开支付宝", "text:支付宝"),
        ("delete the alarm", "dynamic:the field left of the send button"),
        ("删掉闹钟", "dynamic:发送按钮左边的输入框"),
        ("open wechat", "text:Sender"),
        ("call 10086", "dynamic:the green call button"),
    ],
)
def test_ordered_action_or_nearby_control_is_allowed(task: str, target: str) -> None:
    assert not refused(task, tapping(target))


def test_forbidden_action_is_not_an_order() -> None:
    assert "send" in refused("open the chat with Ann, do not send anything", tapping("text:Send"))
    assert "delete" in refused("打开相册，不要删除照片", tapping("text:删除"))


@pytest.mark.parametrize(
    ("task", "target"),
    [
        ("在淘宝里看看我的订单", "text:去付款"),
        ("看看有没有人付款", "text:确认付款"),
        ("打开付款记录", "text:付款"),
        ("在微信里取消付款", "text:付款"),
        ("check my order status", "text:Buy now"),
        ("看看有没有人删除了我", "text:删除"),
        ("where can I buy batteries? search the web", "text:Pay"),
        ("你付款了吗", "text:付款"),
        ("退出微信", "text:退出登录"),
        ("打开权限设置", "text:允许"),
        ("看看张三发了什么", "text:发送"),
        *(
            ("在微信里看看发现页面", f"text:{words}")
            for words in (
                "改密码",
                "转给他",
                "信任此设备",
                "加入黑名单",
                "重设",
                "领取",
                "Confirm",
                "Trust this device",
                *(
                    "打款",
                    "抹除",
                    "一键清理",
                    "冻结",
                    "踢出",
                    "接听",
                    "OK",
                    "Yes",
                    "继续",
                    "完成",
                    "Unfriend",
                    "Proceed",
                ),
                "Start free trial",
            )
        ),
    ],
)
def test_mentioned_action_without_an_order_is_refused(task: str, target: str) -> None:
    assert refused(task, tapping(target))


def test_question_about_a_number_does_not_allow_calling() -> None:
    for task in ("看看电话号码13800138000是谁的", "whose phone number is 13800138000?"):
        assert refused(task, step(1, "call", params={"number": "13800138000"})), task


@pytest.mark.parametrize(
    ("task", "target"),
    [
        ("在微信里取消付款", "text:取消付款"),
        ("看看购物车，然后付款", "text:去付款"),
        ("看看购物车并付款", "text:去付款"),
        ("在微信里看看发现页面", "text:朋友圈"),
        ("打开微信的登录记录", "text:登录记录"),
        ("修改我的密码", "text:确定"),
        ("帮我领取红包", "text:领取"),
        ("check the cart and buy it", "text:Buy now"),
        ("退出登录", "text:退出登录"),
    ],
)
def test_action_ordered_after_looking_is_allowed(task: str, target: str) -> None:
    assert not refused(task, tapping(target))


def reading(what: str, *more: dict[str, Any]) -> list[dict[str, Any]]:
    return [step(1, "read", target_ref=what, params={"save_as": "code"}), *more]


def test_only_values_named_in_task_are_read() -> None:
    typed = step(2, "input_text", target_ref="dynamic:输入框", params={"text": "{code}"})
    look = "看看微信通知并告诉我"
    assert "ask for what is read" in refused(look, *reading("dynamic:微信通知里的验证码"))
    assert "ask for what is read" in refused(look, *reading("dynamic:微信里的余额"))
    assert "nothing to be typed" in refused(look, *reading("dynamic:微信通知", typed))
    assert not refused(look, *reading("dynamic:微信通知"))
    assert not refused("把微信通知填到表格里", *reading("dynamic:微信通知", typed))
    assert "ask for what is read" in refused("read the chat in wechat", *reading("dynamic:the password of the chat"))


def test_payment_amount_must_be_in_the_task() -> None:
    assert not refused("pay 50 yuan", tapping("text:Pay 50"))
    assert "the number 500 is not in the task" in refused("pay 50 yuan", tapping("text:Pay 500"))


# Calls, apps, addresses, keys


@pytest.mark.parametrize(
    ("task", "number", "fine"),
    [
        ("call 138-0013-8000", "13800138000", True),
        ("拨打10086", "10086", True),
        ("打电话给(021) 5555 1234", "02155551234", True),
        ("拨打10086", "110", False),
        ("拨打10086", "1008", False),
        ("拨打10086", "10086#", False),
        ("拨打10086", "*#06#", False),
        ("send 10086 to Ann", "10086", False),
        ("打开微信", "10086", False),
    ],
)
def test_only_number_from_the_task_is_called(task: str, number: str, fine: bool) -> None:
    assert (refused(task, step(1, "call", params={"number": number})) == "") is fine


@pytest.mark.parametrize(
    ("package", "fine"), [("com.tencent.mm", True), ("com.android.settings", True), ("com.bank", False)]
)
def test_only_known_apps_are_launched(package: str, fine: bool) -> None:
    assert (refused("open it", step(1, "launch_app", params={"package": package})) == "") is fine


def test_additional_packages_may_be_allowed() -> None:
    maker, _model = planner(reply(step(1, "launch_app", params={"package": "com.bank"})), packages=["com.bank"])
    assert maker.plan("open it").steps[0].params == {"package": "com.bank"}


@pytest.mark.parametrize(
    ("task", "url", "fine"),
    [
        ("open example.com", "https://example.com", True),
        ("open example.com", "https://www.example.com/", True),
        ("open www.example.com/a/b", "http://www.example.com/a/b", True),
        ("search for cats on example.com", "https://example.com/search?q=cats", True),
        ("打开example.com搜索猫", "https://example.com/?wd=%E7%8C%AB", True),
        ("open example.com:8080", "http://example.com:8080", True),
        ("open example.com", "http://example.com:8080", False),
        ("open example.com.cn", "https://example.com", False),
        ("open myexample.com", "https://example.com", False),
        ("open ann@example.com", "https://example.com", False),
        ("open example.com", "https://example.com.evil.org", False),
        ("open example.com", "https://example.com@evil.org", False),
        ("open example.com", "https://example.com/logout", False),
        ("search for cats on example.com", "https://example.com/?q=dogs", False),
        ("open the page", "https://evil.org/?q=page", False),
        ("open example.com", "intent://example.com", False),
        ("open example.com", "https://example.com\\@evil.org", False),
    ],
)
def test_only_urls_from_the_task_are_opened(task: str, url: str, fine: bool) -> None:
    assert (refused(task, step(1, "open_url", params={"url": url})) == "") is fine


@pytest.mark.parametrize(
    ("key", "fine"), [("BACK", True), ("home", True), ("VOLUME_UP", True), ("POWER", False), ("A", False)]
)
def test_only_navigation_keys_are_allowed(key: str, fine: bool) -> None:
    assert (refused("do it", step(1, "press_key", params={"key": key})) == "") is fine
    fallback = {"action": "press_key", "params": {"key": key}}
    assert (refused("do it", tapping("wechat", fallback=fallback)) == "") is fine


def test_numeric_key_codes_are_checked_like_names() -> None:
    assert not refused("go back", step(1, "press_key", params={"keycode": 4}))
    assert "the key 5" in refused("go back", step(1, "press_key", params={"keycode": 5}))


# Sending


def sending(message: str, name: str | None, target: str = "text:Send", search: str = "") -> list[dict[str, Any]]:
    found = [typing(search)] if search else []
    guard = {"guard": name} if name else {}
    steps = [*found, typing(message), tapping(target, **guard)]
    return [each | {"step": number} for number, each in enumerate(steps, 1)]


TELL = "tell Ann on chat: I am not coming, ask Bob"


@pytest.mark.parametrize(
    ("task", "message", "name"),
    [
        (TELL, "I am not coming, ask Bob", "Ann"),
        ("send hello to Ann", "hello", "Ann"),
        ("给张三发消息说明天见", "明天见", "张三"),
        ("告诉张三我不来了", "我不来了", "张三"),
        ("post “Good morning” as Ann", "Good morning", "Ann"),
        ("告诉张三我没空，但李四有空", "我没空，但李四有空", "张三"),
        ("告诉张三，我不来了。", "我不来了", "张三"),
        ("告诉张三“我同意”，然后返回桌面", "我同意", "张三"),
        ("把明天见发给张三", "明天见", "张三"),
        ("send hello on chat to Ann", "hello", "Ann"),
    ],
)
def test_whole_message_to_the_named_receiver_is_allowed(task: str, message: str, name: str) -> None:
    assert not refused(task, *sending(message, name))


@pytest.mark.parametrize(
    ("task", "message", "name", "said"),
    [
        (TELL, "I am not coming, ask Bob", None, "to whom"),
        (TELL, "I am not coming, ask Bob", "Eve", "to whom"),
        (TELL, "I am not coming, ask Bob", "not coming", "to whom"),
        (TELL, "ask", "Ann", "whole message"),
        ("tell Ann I am coming to town", "I am coming", "Ann", "whole message"),
        ("告诉张三我来不了了", "我来", "张三", "whole message"),
        ("告诉张三今天我来不了了", "来不了了", "张三", "whole message"),
        ("给张三发消息说明天见", "明天", "张三", "whole message"),
        ("告诉张三我没空，但李四有空", "但李四有空", "张三", "whole message"),
        ("告诉张三我没空，但李四有空", "我没空", "张三", "whole message"),
        ("告诉张三我同意，除非他道歉", "我同意", "张三", "whole message"),
        ("tell Ann I agree, unless he lies", "I agree", "Ann", "whole message"),
        ("send I agree to meet Ann unless he lies", "I agree", "Ann", "whole message"),
        ("告诉张三“我同意”但是“不去”", "我同意", "张三", "whole message"),
        ("告诉张三他来了？", "他来了", "张三", "whole message"),
        ("给张三发消息说你好，然后打开飞行模式", "你好，然后打开飞行模式", "张三", "whole message"),
        ("tell Ann yes\nand no", "yes", "Ann", "whole message"),
    ],
)
def test_other_message_or_receiver_is_refused(task: str, message: str, name: str | None, said: str) -> None:
    assert said in refused(task, *sending(message, name))


def test_receiver_guard_is_derived_from_preceding_steps() -> None:
    steps = planner(SEED_REPLY)[0].plan(SEND).steps
    assert steps[-1].guard is not None
    assert steps[-1].guard.text == "张三"
    chosen = [
        tapping("text:微信"),
        *(each | {"step": each["step"] + 1} for each in sending("你好", None, search="张三")),
    ]
    plan = planner(reply(*chosen))[0].plan(SEND)
    assert plan.steps[3].guard is not None
    assert plan.steps[3].guard.text == "张三", "an app is nobody"
    two = [typing("张三"), *(each | {"step": each["step"] + 1} for each in sending("你好", None, search="李四"))]
    assert "to whom" in refused("给张三和李四发消息说你好", *two)


def test_enter_outside_a_search_counts_as_sending() -> None:
    typed, enter = typing("hello"), step(2, "press_key", params={"key": "ENTER"})
    assert "to whom" in refused("send hello to Ann", typed, enter)
    assert not refused("send hello to Ann", typed, enter | {"guard": "Ann"})
    assert not refused("search for hello and tell me", typed | {"description": "the search field"}, enter)
    assert not refused("看小说hello", typed, enter)


def test_tap_after_typed_message_counts_as_sending() -> None:
    arrow = tapping("dynamic:the green arrow", description="tap the arrow") | {"step": 2}
    assert "step 2 (tap): it sends" in refused("send hello to Ann", typing("hello"), arrow)
    assert not refused("send hello to Ann", typing("hello"), arrow | {"guard": "Ann"})
    keyboard = tapping("dynamic:the keyboard's corner") | {"step": 2}
    assert not refused("send hello to Ann", typing("hello"), keyboard, tapping("text:Send", guard="Ann") | {"step": 3})
    assert not refused("send hello to Ann", typing("Ann") | {"description": "search for the contact"}, arrow)
    assert not refused("send hello to Ann", typing("Ann") | {"description": "the field for receivers"}, arrow)
    told = [typing("张三"), tapping("text:张三"), typing("我不来了"), tapping("dynamic:绿色箭头")]
    guarded = (
        planner(reply(*(each | {"step": at} for at, each in enumerate(told, 1))))[0].plan("告诉张三我不来了").steps[3]
    )
    assert guarded.guard is not None
    assert guarded.guard.text == "张三"
    assert not refused("write buy milk in my notes", typing("buy milk"), tapping("text:Save") | {"step": 2})


def test_second_reply_tap_needs_a_receiver() -> None:
    opening = tapping("text:Reply")
    assert not refused("reply hello to Ann", opening)
    answering = [opening, typing("hello") | {"step": 2}, tapping("text:Reply") | {"step": 3}]
    assert "step 3 (tap): it sends" in refused("reply hello to Ann", *answering)
    assert not refused("reply hello to Ann", *answering[:2], answering[2] | {"guard": "Ann"})


def test_each_ordered_message_is_sent_once() -> None:
    task = "send “hello” to Ann and “hello” to Bob"
    both = [*sending("hello", "Ann"), *sending("hello", "Bob")]
    assert not refused(task, *(each | {"step": number} for number, each in enumerate(both, 1)))
    twice = [*sending("hello", "Ann"), *sending("hello", "Ann")]
    assert "sent twice" in refused(task, *(each | {"step": number} for number, each in enumerate(twice, 1)))


def test_fallback_that_sends_is_refused() -> None:
    assert "no fallback" in refused(SEND, tapping("wechat", fallback={"action": "tap", "target_ref": "send_button"}))
    enter = {"action": "press_key", "params": {"key": "ENTER"}}
    assert "no fallback" in refused(SEND, tapping("wechat", fallback=enter))


# A screen that talks to the model


INJECTED = {
    "another message": sending("please lend me 5000", "张三", "send_button"),
    "another receiver": sending("你好", "章三", "send_button"),
    "a call": [step(1, "call", params={"number": "900123456"})],
    "a page": [step(1, "open_url", params={"url": "https://evil.example/?q=你好"})],
    "an app": [step(1, "launch_app", params={"package": "com.evil.app"})],
    "a payment": [tapping("text:确认付款")],
    "a permission": [tapping("text:允许")],
    "what it reads": [
        step(1, "read", target_ref="text:验证码", params={"save_as": "code", "take": "right"}),
        step(2, "input_text", params={"text": "{code}"}),
    ],
    "typing by keys": [step(1, "press_key", params={"key": "KEYCODE_A"})],
}


@pytest.mark.parametrize("steps", INJECTED.values(), ids=INJECTED.keys())
def test_prompt_injection_plans_are_refused(steps: list[dict[str, Any]]) -> None:
    assert refused(SEND, *steps)


# The words themselves


def test_plan_without_a_proof_is_refused() -> None:
    bare = TaskPlan({}, (StepPlan(1, ActionName.GO_HOME),))
    assert list(objections(bare, "go home", known())) == ["nothing is seen at its end that proves the goal"]
    moved = TaskPlan({}, (StepPlan(1, ActionName.GO_HOME, expect=Expectation(changed=True)),))
    assert list(objections(moved, "go home", known()))


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_control_label_in_task_orders_its_action(act: Any) -> None:
    """A task that contains a control's own label orders its action."""
    for word in (
        "send",
        "发送",
        "pay",
        "支付",
        "delete",
        "删除",
        "allow",
        "允许",
        "install",
        "安装",
        "log out",
        "call",
        "拨打",
    ):
        if act in named_acts(word):
            assert orders_act(f"please {word} it", act)


def test_ordinary_words_name_no_action() -> None:
    for words in ("sender", "paypal", "小说", "发现", "Settings", "设置", "聊天", "通话记录", "Callum", "Tips"):
        assert not list(named_acts(words)), words
    for task in ("打开发现页面", "看小说", "沙发"):
        assert not orders_act(task, SENDING), task
    assert not orders_act("open the gallery", DELETE)
    assert not orders_act("open the gallery", PAY)


WORDS = st.text(min_size=1, max_size=12)


@given(WORDS, WORDS, WORDS)
def test_typed_text_is_always_part_of_the_task(before: str, text: str, after: str) -> None:
    task = before + text + after
    found = as_typed(text, task)
    assert found is None or found in task
    if is_whole_message(text, task, "Ann"):
        assert found is not None


@pytest.mark.parametrize(
    ("step_plan", "said"),
    [
        (StepPlan(1, ActionName.WAIT, wait_before=600_000), "waits longer"),
        (StepPlan(1, ActionName.WAIT, params={"duration": 30_001}), "waits longer"),
        (StepPlan(1, ActionName.TAP, target=Target(reference="/any/file.png")), "no reference image '/any/file.png'"),
        (StepPlan(1, ActionName.TAP, target_ref="../x.png"), "no reference image"),
        (StepPlan(1, ActionName.CHECK, verify_ref="/dev/stdin"), "no reference image"),
        (StepPlan(1, ActionName.CHECK, expect=Expectation(reference="/dev/stdin")), "no reference image"),
        (
            StepPlan(1, ActionName.TAP, target_ref="wechat", fallback={"action": "tap", "target_ref": "/x"}),
            "no reference",
        ),
    ],
)
def test_remembered_plan_has_the_limits_of_a_models(step_plan: StepPlan, said: str) -> None:
    proof = StepPlan(2, ActionName.CHECK, expect=Expectation(text="done"))
    assert any(said in each for each in objections(TaskPlan({}, (step_plan, proof)), "打开微信", known()))


# Taps in a row


@pytest.mark.parametrize("task", ["双击“早上好”", "double tap “早上好”", "点两下“早上好”"])
def test_double_tap_ordered_by_the_task_is_allowed(task: str) -> None:
    assert not refused(task, tapping("text:早上好", params={"count": 2}))


@pytest.mark.parametrize("task", ["点击“早上好”", "tap “早上好”"])
def test_double_tap_without_an_order_is_refused(task: str) -> None:
    assert "double tap" in refused(task, tapping("text:早上好", params={"count": 2}))


@pytest.mark.parametrize("count", [0, 4, True, "2"])
def test_number_of_taps_is_checked(count: object) -> None:
    assert "count" in refused("双击“早上好”", tapping("text:早上好", params={"count": count}))
