"""Tasks that no template fits, so that a model plans them, and the plan that a good one would make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scenarios.tasks import BROWSER, MESSENGER, SETTINGS, Goal, Start, Task

MODEL_TASKS: Final = (
    Task("model-contacts", "看看微信通讯录里都有谁", Goal(app=MESSENGER, screen="contacts")),
    Task("model-news", "帮我瞧瞧浏览器首页上的新闻频道", Goal(visited=("https://news.example/",), app=BROWSER)),
    Task("model-clock", "把时钟应用调出来", Goal(app="com.android.deskclock")),
    Task(
        "model-message",
        "跟李雷讲一声，内容是“明天十点开会”，微信上讲",
        Goal(sent=(("李雷", "明天十点开会"),), app=MESSENGER, chat="李雷"),
    ),
    Task("model-bluetooth", "让蓝牙处于可用状态", Goal(switches={"使用蓝牙": True}, app=SETTINGS)),
    Task("model-read-chat", "看一下和王小明聊到哪了", Goal(app=MESSENGER, chat="王小明")),
    Task("model-unclear-message", "给妈妈发条微信报个平安", Goal(app=MESSENGER), Start(app=MESSENGER), solvable=False),
    Task("model-cake", "烤一个蛋糕", Goal(), solvable=False),
)


def _step(action: str, target: str = "", seen: str = "", **more: Any) -> dict[str, Any]:
    step: dict[str, Any] = {"action": action, "description": f"{action} {target}".strip()}
    if target:
        step["target_ref"] = f"text:{target}"
    if seen:
        step["success_condition"] = f"“{seen}”"
    return step | more


def _plan(criteria: str, *steps: Mapping[str, Any]) -> dict[str, Any]:
    numbered = [{"step": number, **step} for number, step in enumerate(steps, 1)]
    return {"steps": numbered, "success_criteria": criteria}


def _launch(package: str, seen: str) -> dict[str, Any]:
    return _step("launch_app", seen=seen, params={"package": package})


# What stands in a chat with 王小明 and nowhere else.
_LAST_SAID: Final = "好，我去开"

GOOD_PLANS: Final[Mapping[str, Mapping[str, Any]]] = {
    "model-contacts": _plan("“新的朋友”", _launch(MESSENGER, "通讯录"), _step("tap", "通讯录", "新的朋友")),
    "model-news": _plan("“news.example”", _launch(BROWSER, "天气"), _step("tap", "新闻", "news.example")),
    "model-clock": _plan("“暂无内容”", _step("go_home"), _step("tap", "时钟", "暂无内容")),
    "model-message": _plan(
        "“明天十点开会”",
        _launch(MESSENGER, "通讯录"),
        _step("tap", "李雷", "太好了"),
        _step("input_text", "", "", target_ref="dynamic:底部输入框", params={"text": "明天十点开会"}),
        _step("tap", "发送", "明天十点开会", guard="李雷"),
    ),
    "model-bluetooth": _plan(
        "“使用蓝牙”已打开",
        _launch(SETTINGS, "飞行模式"),
        _step("tap", "蓝牙", "使用蓝牙"),
        _step("tap", "使用蓝牙", success_condition="“使用蓝牙”已打开"),
    ),
    "model-read-chat": _plan(f"“{_LAST_SAID}”", _launch(MESSENGER, "通讯录"), _step("tap", "王小明", _LAST_SAID)),
}
