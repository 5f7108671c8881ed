"""Join server-sent events to the one object that the API returns without streaming."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from handeye.models.client.wire_format import arguments_of, failed, is_json, member, message_of

# A field or a comment; only the standard's three line ends are used, as JSON may contain U+2028 and others unescaped.
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_FIELD: Final = re.compile(r"[\w-]*:", re.ASCII)


class UnreadableStream(ValueError):
    """Events that do not have the API's format: they may contain a part of the answer."""


def events(content: bytes) -> list[Mapping[str, Any]] | None:
    """
    Return the JSON objects of server-sent events, the end mark "[DONE]" as an empty one; None if the content is no such
    stream. Raises UnreadableStream for a stream that contains anything else.
    """
    lines = _LINE_END.split(content.decode("utf-8-sig", "replace"))
    if not any(line.startswith("data:") for line in lines):
        return None
    found: list[Mapping[str, Any]] = []
    for data in _data(lines):
        if data == "[DONE]":
            found.append({})
        elif event := _object(_json(data)):
            found.append(event)
    return found or None


def _data(lines: Sequence[str]) -> Iterator[str]:
    """
    Yield the data of each event: its lines joined, or each line separately where no empty line separates the events.
    """
    data: list[str] = []
    for line in [*lines, ""]:
        if line.strip() and not _FIELD.match(line):
            raise UnreadableStream
        if line.startswith("data:") and (piece := line.removeprefix("data:").strip()):
            data.append(piece)
        elif not line.strip():
            yield from ["\n".join(data)] if data and is_json("\n".join(data)) else data
            data = []


def _json(data: str) -> Any:
    try:
        return json.loads(data, strict=False)
    except (ValueError, RecursionError):
        raise UnreadableStream from None


def joined_choices(found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """
    Return the chat completion that the chunks form, with only the first choice, or the error that a chunk contains;
    None when the stream has no end. Raises UnreadableStream for chunks in another format.
    """
    message: dict[str, Any] = {}
    calls: list[dict[str, Any]] = []
    made: dict[str, Any] = {}
    reason: Any = None
    in_pieces = False
    if not any("choices" in chunk for chunk in found):
        return _merged(found)
    for chunk in found:
        if chunk.get("choices") is None and failed(chunk):
            return chunk
        made |= {name: chunk[name] for name in ("id", "model", "usage", "error") if chunk.get(name)}
        choices = [_object(each) for each in _list(chunk.get("choices"))]
        choice = next((each for each in choices if not each.get("index")), {})
        if in_pieces and member(choice, "message"):  # the whole message, sent after its pieces
            message, calls = {}, []
        in_pieces = in_pieces or bool(choice.get("delta"))
        for name, piece in _object(message_of(choice)).items():
            if name == "tool_calls":
                _add_calls(calls, piece)
            elif piece is not None:
                message[name] = _added(message.get(name), piece)
        reason = choice.get("finish_reason") or reason
        made |= {"error": choice["error"]} if choice.get("error") else {}
    if made.get("error"):
        return made
    if reason is None and {} not in found:
        return None
    if calls:
        message["tool_calls"] = calls
    return made | {"choices": [{"message": message, "finish_reason": reason}]}


def _add_calls(calls: list[dict[str, Any]], pieces: object) -> None:
    """
    Add the pieces of tool calls to `calls`: a name first, then its arguments in pieces. A different id begins another
    call; if calls have neither id nor index, a different name does, or a name after complete arguments.
    """
    for piece in map(_object, [pieces] if isinstance(pieces, Mapping) else _list(pieces)):
        function = _object(piece.get("function") or piece)
        index, identity, name = _index(piece), piece.get("id"), function.get("name")
        call = next((call for call in reversed(calls) if index is None or call["index"] == index), None)
        if call is not None and identity:
            another = call["id"] not in (None, identity)
        elif call is not None and index is None and name:
            before = call["function"].get("arguments")
            another = name != call["function"].get("name") or isinstance(before, Mapping) or is_json(before)
        else:
            another = False
        if call is None or another:
            call = {"index": index, "id": identity, "function": {}}
            calls.append(call)
        made = call["function"]
        if name and name != made.get("name"):
            made["name"] = _added(made.get("name"), name)
        if (arguments := arguments_of(function)) is not None:
            made["arguments"] = _added(made.get("arguments"), arguments)


def joined_blocks(found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """
    Return the message in Anthropic's format that the events form, or the error that one contains; None when the stream
    has no end. Raises UnreadableStream for events in another format.
    """
    made: dict[str, Any] = {}
    blocks: dict[str, dict[str, Any]] = {}
    usage: dict[str, Any] = {}
    ended = False
    if not any(isinstance(event.get("type"), str) for event in found):
        return _merged(found)
    for event in found:
        kind, delta = event.get("type"), _object(event.get("delta"))
        if kind == "error" or (kind is None and failed(event)):
            return event
        begins = kind == "content_block_start"
        index = str(event["index"] if _index(event) is not None else len(blocks) - (not begins))
        if kind == "message_start":
            made |= _object(event.get("message"))
            usage |= _object(made.get("usage"))
        elif begins:
            blocks[index] = dict(_object(event.get("content_block")))
        elif kind == "content_block_delta":
            block = blocks.setdefault(index, {"type": "text"})
            for name, piece in delta.items():
                if name != "type" and piece is not None:
                    block[name] = _added(block.get(name), piece)
        elif kind == "message_delta":
            made |= {name: value for name, value in delta.items() if value is not None}
            usage |= {name: value for name, value in _object(event.get("usage")).items() if value is not None}
        ended = ended or kind == "message_stop" or made.get("stop_reason") is not None
    return {**made, "usage": usage, "content": list(blocks.values()) or made.get("content", [])} if ended else None


def _merged(found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return events without an answer merged to one object, such as an error."""
    return {name: value for event in found for name, value in event.items()} or None


def _added(before: object, piece: object) -> object:
    """Return `before` with the next piece added: two texts are concatenated, other values are collected in a list."""
    if before is None:
        return piece
    if isinstance(before, str) and isinstance(piece, str):
        return before + piece
    return [part for each in (before, piece) for part in (each if isinstance(each, list) else [each])]


def _index(piece: Mapping[str, Any]) -> int | str | None:
    if not isinstance(index := piece.get("index"), int | str | None):
        raise UnreadableStream
    return index


def _object(value: object) -> Mapping[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise UnreadableStream
    return value or {}


def _list(value: object) -> Sequence[object]:
    if value is not None and not isinstance(value, list):
        raise UnreadableStream
    return value or []
