"""Texts that change by themselves, and names that are mere answers: neither tells one thing from another."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from handeye.plan.words import named_acts

# A clock with seconds, or so much of a hundred: nothing else in a window counts like that (a time without seconds may be that
# of a train, a bare number an amount). Then what may stand beside one in a text of its own: "34 % of 100".
_RUNS: Final = re.compile(
    r"(\d{1,9}:\d\d:\d\d(?:[.,]\d{1,9})?\s*(?:[ap]\.?m\.?)?|\d{1,9}(?:[.,]\d{1,9})?\s*[%％])"
    r"|\b(?:of \d+|done|completed?|left|remaining)\b|已?完成|剩余|[\s()/|·:,;.…-]+",
    re.IGNORECASE,
)

_WORDS: Final = """
    yes no ok okay cancel confirm deny decline reject continue next proceed save keep replace overwrite apply retry ignore abort
    skip close done finish restore undo stop start run open sign
    是 否 好 确定 取消 确认 拒绝 继续 下一步 保存 不保存 替换 覆盖 应用 重试 忽略 关闭 完成
"""
# Names that say nothing of what is agreed to: that stands in a text beside them. So it is with acts that have consequences.
_ANSWERS: Final = frozenset(_WORDS.split()) | {"don't save"}


def runs(text: str) -> bool:
    """Return True if a text is nothing but a clock or a percentage."""
    return any(found[1] for found in _RUNS.finditer(text)) and not _RUNS.sub("", text)


def counts(text: str) -> bool:
    """Return True if it is a bare number of a few digits, as of the messages that a button leads to."""
    number = text.removeprefix("(").removesuffix(")").removesuffix("+")
    return number.isdecimal() and len(number) <= len("9999")


@lru_cache(maxsize=4096)
def is_answer(name: str) -> bool:
    """Return True if it is an answer to what stands elsewhere, or does to that what has consequences: "Delete user"."""
    said = name.strip(" .!…&_").replace("_", "").replace("&", "").replace("’", "'").casefold()
    has_consequences = any(any(named_acts(each)) for each in (name, said))
    return has_consequences or said in _ANSWERS or said.startswith(("confirm ", "确认"))
