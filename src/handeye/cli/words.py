"""Words of the progress lines, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping

Words = Mapping[str, str]

ENGLISH: Words = {
    "plan": "plan",
    "other_plan": "another plan",
    "steps": "steps",
    "fallback": "fallback",
    "blocker": "in the way",
    "device": "connection",
    "retry": "again",
    "verified": "verified",
    "success": "success",
    "failed": "failed",
    "aborted": "stopped",
    "interrupted": "interrupted",
    "needs_review": "needs review: done, but not proved",
}
CHINESE: Words = {
    "plan": "计划",
    "other_plan": "新计划",
    "steps": "步",
    "fallback": "备选动作",
    "blocker": "遇到阻挡",
    "device": "连接",
    "retry": "重试",
    "verified": "已验证",
    "success": "成功",
    "failed": "失败",
    "aborted": "已中止",
    "interrupted": "被中断",
    "needs_review": "需要复核：已执行，但无法证明",
}


WORDS: Mapping[str, Words] = {"en": ENGLISH, "zh": CHINESE}
