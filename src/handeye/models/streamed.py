"""Answers that come as server-sent events, put together to the one object that the wire format has without streaming."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handeye.models.wire import member


def events(content: bytes) -> list[Mapping[str, Any]] | None:
    """The JSON objects of server-sent events, the end mark "[DONE]" as an empty one; None for what is no such stream."""
    found: list[Mapping[str, Any]] = []
    for data in _data(content):
        if data.strip() == "[DONE]":
            found.append({})
            continue
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if isinstance(value, Mapping) and value:
            found.append(value)
    return found or None


def _data(content: bytes) -> Iterator[str]:
    """The data of each event; its lines are joined, comments and other fields left out."""
    lines: list[str] = []
    for line in [*content.decode("utf-8", "replace").splitlines(), ""]:
        if line.startswith("data:"):
            lines.append(line.removeprefix("data:").removeprefix(" "))
        elif not line.strip() and lines:
            yield "\n".join(lines)
            lines = []


def joined_choices(found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """
    The chat completion that chunks are the pieces of, without further choices than the first; None when it was not ended.
    """
    message: dict[str, Any] = {}
    calls: dict[Any, dict[str, Any]] = {}
    made: dict[str, Any] = {}
    reason: Any = None
    for chunk in found:
        made |= {name: chunk[name] for name in ("id", "model", "usage", "error") if chunk.get(name)}
        choice: Any = next((each for each in chunk.get("choices") or () if not member(each, "index")), None)
        for name, piece in (member(choice, "delta") or member(choice, "message") or {}).items():
            if name == "tool_calls":
                _add_calls(calls, piece)
            elif isinstance(piece, str | list) and isinstance(message.get(name, piece), type(piece)) and name != "role":
                message[name] = message[name] + piece if name in message else piece
        reason = member(choice, "finish_reason") or reason
        made |= {"error": choice["error"]} if member(choice, "error") else {}
    if made.get("error"):
        return made
    if reason is None and {} not in found:
        return None
    if calls:
        message["tool_calls"] = list(calls.values())
    return made | {"choices": [{"message": message, "finish_reason": reason}]}


def _add_calls(calls: dict[Any, dict[str, Any]], pieces: object) -> None:
    """Add the pieces of tool calls to what came before of each: a name at first, then its arguments bit by bit."""
    for piece in pieces if isinstance(pieces, list) else ():
        function = calls.setdefault(member(piece, "index"), {"function": {"name": "", "arguments": ""}})["function"]
        for name in function:
            part = member(member(piece, "function"), name)
            function[name] += part if isinstance(part, str) else ""


def joined_blocks(found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The message of Anthropic's format that events are the pieces of; None when it was not ended."""
    made: dict[str, Any] = {}
    blocks: dict[Any, dict[str, Any]] = {}
    usage: dict[str, Any] = {}
    ended = False
    for event in found:
        kind, index = event.get("type"), event.get("index")
        if kind == "error":
            return event
        message = event.get("message")
        if kind == "message_start" and isinstance(message, Mapping):
            made |= message
            usage |= message.get("usage") or {}
        elif kind == "content_block_start" and isinstance(block := event.get("content_block"), Mapping):
            blocks[index] = dict(block)
        elif kind == "content_block_delta":
            block = blocks.setdefault(index, {"type": "text"})
            for name, piece in (event.get("delta") or {}).items():
                if name != "type" and isinstance(piece, str):
                    block[name] = str(block.get(name) or "") + piece
        elif kind == "message_delta":
            made |= {name: value for name, value in (event.get("delta") or {}).items() if value is not None}
            usage |= {name: value for name, value in (event.get("usage") or {}).items() if value is not None}
        ended = ended or kind == "message_stop" or made.get("stop_reason") is not None
    return {**made, "usage": usage, "content": list(blocks.values())} if ended else None
