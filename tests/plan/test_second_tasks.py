"""Tests of messages that may continue with a second task: those need quotation marks."""

from __future__ import annotations

import pytest

from handeye.apps import ModuleRegistry
from handeye.errors import NoPlan
from handeye.plan import ActionName, fold
from handeye.plan.templates.dictation import has_second_task

APPS = ModuleRegistry(environment={})
ONE = [
    "你好",
    "明天见，记得带伞",
    "我到家了，给我打电话",
    "我到家了，打电话给我",
    "好的，谢谢！",
    "我先吃饭，然后去找他",
    "晚上八点见，路上小心",
    "我六点到，你先吃吧",
    "不用等我，你们先走",
    "到了告诉我一声",
    "票买好了，别忘了带身份证",
    "给你带了礼物，明天拿给你",
    "生日快乐，天天开心。",
    "我没空，但李四有空",
    "收到，马上来",
    "我明天辞职，别告诉妈妈",
    "回到家了，一切都好",
    "和小明一起来，不要迟到",
    "行，那就这么定了；周五见",
    "你几点到？我去接你",
    "今天很冷\n多穿一点",
    "发了照片给你，看到回复我",
    "我同意，除非他道歉",
    "在开会，一会儿回你",
    "对不起，我来晚了",
    "明天见 记得带伞",
    "文件在桌上，自己拿",
    "我在楼下，快点下来",
    "hello",
    "yes, see you tomorrow",
    "I am late, please wait for me",
    "I am not coming, ask Bob",
    "I am late. Thanks!",
    "hello; id",
    "call me when you are home, and drive carefully",
    "I'm home, call me later",
    "bring milk and bread, please",
    "good night, sleep well",
    "I agree, unless he lies",
    "happy birthday! Have a great day",
    "see you then, and send me the address",
    "done, check your mail",
    "I can open it tomorrow, no problem",
]
TWO = [
    "明天见，并且给李四发一样的",
    "明天见，也给李四说一声",
    "明天见，然后告诉李四后天见",
    "明天见，给李四发微信说后天见",
    "明天见，再跟李四说一下",
    "明天见，李四也发一份",
    "明天见，同样发给李四",
    "明天见；打开浏览器",
    "明天见，打开浏览器",
    "明天见。打开飞行模式",
    "明天见 打开飞行模式",
    "明天见并打开飞行模式",
    "明天见\n打开飞行模式",
    "明天见，帮我打开飞行模式",
    "我到家了，之后截图",
    "我到家了，截个图",
    "我到家了就返回桌面",
    "我到家了，发完返回桌面",
    "我到家了，发完以后删掉",
    "我到家了，发送后截图",
    "你好，不要发给李四",
    "你好，不用发了",
    "你好，别发给别人",
    "你好，晚上八点发",
    "你好，明天再发",
    "你好三遍",
    "你好，发三遍",
    "你好，把飞行模式打开",
    "你好，请把照片删了",
    "你好，给妈妈打个电话",
    "你好，搜索天气",
    "你好！删除聊天",
    "你好，告诉我他回了什么",
    "hello, then call him",
    "hello and then send one to Ann",
    "hello and another to Ann saying bye",
    "hello and the same to Ann",
    "hello; open the browser",
    "hello, open the browser",
    "hello. Then open the settings",
    "hello and turn on airplane mode",
    "hello, do not send it to Ann",
    "hello and tell Ann too",
    "hello, also message Ann",
    "hello and go back to the home screen",
    "hello, take a screenshot",
    "hello, and delete the chat",
]


@pytest.mark.parametrize("message", ONE)
def test_message_with_commas_is_sent_whole(message: str) -> None:
    assert not has_second_task(fold(message))
    for task in (f"给张三发微信消息说{message}", f"send a WeChat message to Tom saying {message}"):
        typed = [step.params["text"] for step in APPS.plan(task).steps if step.action is ActionName.INPUT_TEXT]
        assert typed[-1] == message


@pytest.mark.parametrize("message", TWO)
def test_message_resembling_second_task_needs_quotation_marks(message: str) -> None:
    assert has_second_task(fold(message))
    for task in (f"给张三发微信消息说{message}", f"send a WeChat message to Tom saying {message}"):
        with pytest.raises(NoPlan, match="in quotation marks"):
            APPS.plan(task)
    steps = APPS.plan(f"给张三发微信消息说“{message}”").steps
    assert [step.params["text"] for step in steps if step.action is ActionName.INPUT_TEXT][-1] == message


@pytest.mark.parametrize(
    ("task", "typed"),
    [
        ("用微信跟张三讲你好", ["张三", "你好"]),
        ("帮我用微信跟张三讲“你好”", ["张三", "你好"]),
        ("在微信里跟张三讲“你好”", ["张三", "你好"]),
        ("在微信上向张三说：你好", ["张三", "你好"]),
        ("用微信转告张三，我不来了", ["张三", "我不来了"]),
        ("在微信上回复张三：好的，谢谢", ["张三", "好的，谢谢"]),
    ],
)
def test_common_verbs_for_sending_match_a_template(task: str, typed: list[str]) -> None:
    steps = APPS.plan(task).steps
    assert [step.params["text"] for step in steps if step.action is ActionName.INPUT_TEXT] == typed


@pytest.mark.parametrize(
    "task",
    [
        "手机的Android版本是多少",
        "我的手机的安卓版本是什么？",
        "这台手机的序列号是多少",
        "what is my phone's android version?",
    ],
)
def test_phone_information_tasks_end_with_a_read(task: str) -> None:
    assert APPS.plan(task).steps[-1].action is ActionName.READ


@pytest.mark.parametrize("name", ["node.js", "v2.ex", "Word.app", "main.py"])
def test_dotted_name_is_an_app_not_a_host(name: str) -> None:
    assert all(step.action is not ActionName.OPEN_URL for step in APPS.plan(f"打开 {name}").steps)


@pytest.mark.parametrize("typed", ["baidu.com", "www.node.js", "https://v2.ex", "example.org/a", "gov.cn", "x.com.cn"])
def test_web_address_is_opened_as_url(typed: str) -> None:
    (step,) = APPS.plan(f"打开{typed}").steps
    assert step.action is ActionName.OPEN_URL
