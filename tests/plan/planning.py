"""Shared parts of the planning tests: a made-up app module, and plans by a model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from handeye.errors import NoPlan
from handeye.models import ChatModel
from handeye.plan import ActionName, Planner, PlanOrigin, StepPlan, TaskPlan, app_knowledge_for
from handeye.plan.planner.app_knowledge import AppKnowledge
from handeye.screen import Screen
from handeye.testing.models import Answer, ScriptedModel

TEMPLATE = "open the box"
SEND = "给张三发微信消息说你好"
SCREEN = Screen(np.full((600, 300, 3), 200, np.uint8))


class Library:
    def __init__(self, *names: str, **aliases: str) -> None:
        self.names = names
        self.aliases = aliases | {name: name for name in names}

    def get_available_refs(self) -> dict[str, list[str]]:
        return {"icons": list(self.names), "ui": [], "states": []}

    def resolve_alias(self, name: str) -> str | None:
        return self.aliases.get(name)


@dataclass
class App:
    name: str
    title: str
    package: tuple[str, ...]
    library: Library
    notes: str = ""

    def images(self) -> Library:
        return self.library

    def prompt(self) -> str:
        return self.notes


@dataclass
class Route:
    handler: App


@dataclass
class Search:
    libraries: Sequence[Library]


MESSENGER = App(
    "wechat",
    "微信",
    ("com.tencent.mm",),
    Library("wechat", "wechat_search", "send_button", "wechat_main", 微信="wechat"),
    "不要点击支付。",
)
SYSTEM = App("system", "系统", ("com.android.settings",), Library("home_screen", "back_arrow"))


@dataclass
class Apps:
    """Two app modules; one task has a template. `asked` are the tasks that were asked for one."""

    asked: list[str] = field(default_factory=list)
    handlers: Sequence[App] = (MESSENGER, SYSTEM)

    def base(self, module: str) -> App | None:
        return next((app for app in self.handlers if app.name == "system"), None)

    def route(self, task: str) -> Route:
        return Route(MESSENGER if "微信" in task or "wechat" in task.lower() else SYSTEM)

    def images(self, module: str) -> Search:
        return Search([app.library for app in self.handlers])

    def plan(self, task: str, screenshot: Screen | None = None, history: Sequence[StepPlan] | None = None) -> TaskPlan:
        self.asked.append(task)
        if task != TEMPLATE:
            raise NoPlan(f"no app module knows how to do {task!r}")
        return TaskPlan({}, (StepPlan(1, ActionName.GO_HOME),), module="system", origin=PlanOrigin.TEMPLATE)


def known(task: str = SEND) -> AppKnowledge:
    return app_knowledge_for(Apps(), task)


def planner(*answers: Answer, **settings: Any) -> tuple[Planner, ScriptedModel]:
    model = ScriptedModel(answers)
    return Planner(Apps(), **({"model": model} | settings)), model


def planner_with(model: ChatModel | None, **settings: Any) -> Planner:
    return Planner(Apps(), model=model, **settings)


def step(number: int, action: str, **fields: Any) -> dict[str, Any]:
    return {"step": number, "action": action, "description": f"step {number}", **fields}


def reply(*steps: dict[str, Any], **fields: Any) -> str:
    """A model's plan as text."""
    plan = {"steps": list(steps), "success_criteria": "the page shows “done”", **fields}
    return json.dumps(plan, ensure_ascii=False)


# docs/spec/vision-agent.md example, as it stands there.
SEED_REPLY = """
{
  "analysis": {
    "current_screen": "手机桌面，显示多个应用图标",
    "target_state": "微信聊天界面，与张三的对话",
    "estimated_steps": 6
  },
  "steps": [
    {"step": 1, "action": "tap", "target_ref": "wechat", "target_type": "icon", "description": "点击微信图标打开应用",
     "verify_ref": "wechat_main",
     "fallback": {"action": "swipe", "params": {"direction": "left"}, "description": "左滑桌面查找微信图标"},
     "timeout": 3000, "retry": 2},
    {"step": 2, "action": "tap", "target_ref": "wechat_search", "target_type": "icon", "description": "点击微信搜索图标",
     "fallback": {"action": "tap", "target_ref": "dynamic:顶部搜索栏区域"}},
    {"step": 3, "action": "input_text", "params": {"text": "张三"}, "description": "输入联系人名称"},
    {"step": 4, "action": "tap", "target_ref": "dynamic:搜索结果中名为张三的联系人", "target_type": "dynamic",
     "description": "点击搜索结果中的张三"},
    {"step": 5, "action": "input_text", "target_ref": "dynamic:底部消息输入框", "params": {"text": "你好"},
     "description": "输入消息内容"},
    {"step": 6, "action": "tap", "target_ref": "send_button", "target_type": "icon", "description": "点击发送按钮",
     "success_condition": "消息出现在聊天记录中"}
  ],
  "success_criteria": "消息成功发送，显示在聊天记录中",
  "potential_issues": ["微信可能需要登录", "联系人可能不存在"]
}
"""
