"""Test of a task without a template on the virtual phone: planned by a model, then run from memory."""

from __future__ import annotations

import pytest
from planning import reply, step

from handeye.models import LLMConfig
from handeye.plan import PlanOrigin
from handeye.session import connect
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply

TASK = "在微信里看看发现页面"
PLAN = reply(
    step(
        1,
        "tap",
        target_ref="wechat",
        description="点击微信图标",
        success_condition="“通讯录”在页面上",
        fallback={"action": "swipe", "params": {"direction": "left"}},
    ),
    step(2, "tap", target_ref="text:发现", success_condition="“朋友圈”在页面上"),
    analysis={"current_screen": "手机桌面"},
    success_criteria="“朋友圈”在页面上",
)


def answer(asked: ModelRequest) -> ScriptedReply:
    """Plans; sees nothing when it is asked where something is."""
    return ScriptedReply(PLAN if "You plan" in asked.text else '{"found": false, "reason": "another page"}')


@pytest.mark.usefixtures("adb_port")
def test_model_plan_is_reused_from_memory_without_model() -> None:
    with ModelServer(answer) as server, connect("phone:", model=LLMConfig.custom("", server.base_url, "m")) as phone:
        first = phone.run(TASK)
        assert (first.success, first.error_message) == (True, "")
        assert first.plan is not None
        assert first.plan.origin is PlanOrigin.MODEL
        planned = [asked for asked in server.questions if "You plan" in asked.text]
        assert len(planned) == 1
        assert "1080x2400" in planned[0].text
        assert "微信 com.tencent.mm" in planned[0].text
        assert first.usage is not None
        assert first.usage.calls == len(server.questions) <= 4
    with connect("phone:", model="off") as phone:
        again = phone.run(TASK)
    assert (again.success, again.error_message, again.usage) == (True, "", None)
    assert again.plan is not None
    assert again.plan.origin is PlanOrigin.MEMORY
