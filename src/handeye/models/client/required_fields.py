"""Required fields named in a server's error message: a closed list, so that the message cannot set anything else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

# DashScope ("parameter.enable_thinking must be set to false for non-streaming calls"), vLLM and SGLang chat templates
# ("chat_template_kwargs"), and messages that name only "thinking".
_SWITCH: Final = re.compile(
    r"chat_template_kwargs(?:\W{1,8}(?:enable_)?thinking\b)?|\benable_thinking\b"
    r"|\bthinking(?:\.type\b|(?=\W{1,3}(?:must|should|has to|needs? to)\b)|(?<=set thinking)(?=\W{1,3}(?:to|=)))",
    re.ASCII,
)
_NEEDED: Final = re.compile(
    r"\b(?:must|should|requires?|required|missing|needs?|please|only|restricted|expected|mandatory)\b"
    r"|必须|必需|需要|缺少|缺失|请|只能|仅"
)
_VALUE: Final = re.compile(r"\b(?:(true|enabled|on)|false|disabled|off)\b", re.ASCII)
# A list of allowed values does not demand one of them: "must be one of enabled, disabled".
_EITHER: Final = re.compile(r"\bone of\b|\beither\b|\b(?:boolean|bool)\b")
# Characters after a field's name in which its value is searched.
_NEAR: Final = 80

# DashScope ("This model only support stream mode, please enable the stream parameter"); gateways ("Stream must be true").
_STREAM: Final = re.compile(
    r"\bonly (?:\w+ ){0,3}?['\"`]?stream(?:ing)?\b"
    r"|\b['\"`]?stream(?:ing)?['\"`]?\W+(?:\w+\W+){0,4}?(?:true|required|mandatory|enabled)\b"
    r"|\b(?:enable|use|turn on|switch to) (?:the )?['\"`]?stream(?:ing)?\b|[只仅].{0,4}(?:流|stream\b)"
    r"|(?:请(?!求)|必须|需|须).{0,6}流式|stream\W{0,3}(?:参数)?(?:必须|需|应)",
    re.ASCII,
)
# Phrases that forbid non-streaming calls.
_STREAM_ONLY: Final = re.compile(
    r"\bnon-?stream\w*\W+(?:\w+\W+){0,4}?(?:not|un\w+|disabled)\b|\bnot support(?:ed)? (?:for )?non-?stream|不支持非流",
    re.ASCII,
)
# Words that turn a demand into a condition or a refusal: "not supported when stream is true".
_CONDITION: Final = re.compile(
    r"\b(?:when|if|while|unless|along|together|not|cannot|never|disabled?|incompatible|unsupported|invalid)\b|n't\b|stream_"
    r"|[不非未]|当(?!前)|如果|关闭|取消|禁用|无法",
    re.ASCII,
)
_CLAUSE_END: Final = re.compile(r"[,;!?\n，；。！？]|\.(?!\w)")


def fields_required_by(words: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    Return the fields that a server's error message demands and the request `body` does not contain yet: for thinking
    and for streaming.

    >>> fields_required_by("parameter.enable_thinking must be set to false for non-streaming calls", {})
    {'enable_thinking': False}
    >>> fields_required_by("Unknown parameter: 'enable_thinking'", {})
    {}
    """
    said = words.lower()
    if (named := _SWITCH.search(said)) and _NEEDED.search(said):
        near = said[named.end() : named.end() + _NEAR]
        value = _VALUE.search(near)
        field = _thinking(named[0], value is not None and value[1] is not None)
        if not _EITHER.search(near) and any(body.get(name) != wanted for name, wanted in field.items()):
            return field
    clauses = _CLAUSE_END.split(said)
    needed = any(_STREAM.search(clause) and not _CONDITION.search(clause) for clause in clauses)
    if (needed or _STREAM_ONLY.search(said)) and not body.get("stream"):
        return {"stream": True}
    return {}


def _thinking(name: str, on: bool) -> Mapping[str, Any]:
    """Return the field of that name that turns thinking on or off."""
    if "chat_template_kwargs" in name:
        inner = "thinking" if re.search(r"\Wthinking$", name) else "enable_thinking"
        return {"chat_template_kwargs": {inner: on}}
    if name == "enable_thinking":
        return {"enable_thinking": on}
    return {"thinking": {"type": "enabled" if on else "disabled"}}
