"""
Ask any model for a JSON object of a given shape: the schema is sent where the server supports it, always described in
the prompt, and always checked here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from handeye.clock import Deadline
from handeye.errors import InvalidReply, UsageError
from handeye.models.chat import ChatModel, Prompt
from handeye.models.grounding.prompt_delimiter import PROBLEM_ONLY, delimited, escape_invisible
from handeye.models.grounding.prompts import MORE_ROOM
from handeye.models.grounding.retry_on_parse_error import ask_until_read
from handeye.models.reply.json import CutObject, Unusable, json_values
from handeye.models.reply.short import bare
from handeye.usage import Usage

ShapeT = TypeVar("ShapeT", bound=BaseModel)

_ANSWER: Final = "Answer with nothing but one JSON object that follows this JSON schema:\n"
_AGAIN: Final = "Answer again, with one whole JSON object."
# Mistakes that are sent back with a rejected answer, each with its place. A longer list would hide the important ones.
_MOST_MISTAKES: Final = 5
_MOST_OF_ONE: Final = 160
_MOST_OF_VALUE: Final = 60
_MOST_OF_PROBLEM: Final = 900

# Keywords that every server with structured output accepts (OpenAI, "Structured outputs", supported schemas; Anthropic,
# "Structured outputs", JSON schema limitations). Limits on numbers, texts and lists are refused by one or the other.
_KEYWORDS: Final = frozenset({"type", "enum", "const", "description"})
_OF_MEMBERS: Final = ("properties", "$defs")
_OF_CHOICES: Final = ("anyOf", "oneOf")


def ask_json(
    model: ChatModel,
    prompt: Prompt,
    shape: type[ShapeT],
    *,
    check: Callable[[ShapeT], str | None] = lambda answer: None,
    deadline: Deadline | None = None,
) -> tuple[ShapeT, Usage]:
    """
    Return the answer to `prompt` as a `shape` (a pydantic model), and the usage of all tries.

    `prompt` describes the task; the shape is appended to it, and sent as a schema too where the server supports one
    (with either API; if the server refuses it, the question is asked again without). The answer must be one whole
    object that matches the shape exactly: no further names, no "1" for 1. `check` returns any other problem with it, or
    None. A wrong answer is sent back once with its problems.

    Raises InvalidReply, which says where the second answer is wrong, any other ModelError of `ChatModel.ask`, and
    UsageError for a shape that allows unknown names (give its models `extra="forbid"`) or a prompt with a schema of its
    own.
    """
    if prompt.schema is not None:
        raise UsageError("the prompt has a schema already; the shape makes it")
    schema = shape.model_json_schema()
    for name in _open_objects(schema):
        raise UsageError(f"{name} takes names that it does not know; give it ConfigDict(extra='forbid')")
    words = _ANSWER + json.dumps(schema, ensure_ascii=False)
    asked = replace(prompt, parts=(*prompt.parts, words), schema=sent_schema(schema))

    def read(text: str) -> ShapeT:
        answer = _parse(text, shape)
        if problem := check(answer):
            raise InvalidReply(escape_invisible(problem)[:_MOST_OF_PROBLEM], text)
        return answer

    return ask_until_read(model, lambda problem: _retry_prompt(asked, problem) if problem else asked, read, deadline)


def sent_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return `schema` in the form that the strictest servers accept: without bounds and defaults, every object closed,
    every member required.

    Since the bounds are removed, an answer still has to be checked against `schema`. Optional members are required too:
    the model writes them out.
    """
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    sent: dict[str, Any] = {name: value for name, value in schema.items() if name in _KEYWORDS}
    for group in _OF_MEMBERS:
        if group in schema:
            sent[group] = {name: sent_schema(part) for name, part in schema[group].items()}
    if "properties" in sent:
        sent |= {"required": list(sent["properties"]), "additionalProperties": False}
    elif isinstance(schema.get("additionalProperties"), Mapping):
        sent["additionalProperties"] = sent_schema(schema["additionalProperties"])
    if "items" in schema:
        sent["items"] = sent_schema(schema["items"])
    for choices in _OF_CHOICES:
        if choices in schema:
            sent["anyOf"] = [sent_schema(part) for part in schema[choices]]
    return sent


def _open_objects(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the titles of the objects that allow names other than their members'."""
    objects = [schema, *schema.get("$defs", {}).values()]
    for part in objects:
        if "properties" in part and part.get("additionalProperties") is not False:
            yield str(part.get("title", "the shape"))


def _retry_prompt(asked: Prompt, problem: str) -> Prompt:
    """
    Return the question with the problem of the last answer appended, and a higher token limit: it may have been cut
    off.
    """
    words = "\n".join((delimited({"problem": problem}, says=PROBLEM_ONLY), _AGAIN))
    return replace(asked, parts=(*asked.parts, words), max_tokens=asked.max_tokens * MORE_ROOM)


def _parse(text: str, shape: type[ShapeT]) -> ShapeT:
    value = _only_object(text)
    try:
        return shape.model_validate_json(_as_json(value, text), strict=True)
    except ValidationError as error:
        mistakes = error.errors(include_url=False, include_context=False)
        told = "; ".join(_describe_mistake(mistake) for mistake in mistakes[:_MOST_MISTAKES])
        more = len(mistakes) - _MOST_MISTAKES
        raise InvalidReply(f"{told}; and {more} more" if more > 0 else told, text) from None


def _only_object(text: str) -> Mapping[str, Any]:
    read = json_values(bare(text))
    objects = [value for value, _start, _end in read.values if isinstance(value, dict)]
    if read.broken:
        raise InvalidReply("a part of it looks like a JSON object and cannot be read", text)
    if len(objects) != 1:
        raise InvalidReply(f"it holds {len(objects) or 'no'} JSON object{'s' if objects else ''}, not one", text)
    if isinstance(objects[0], CutObject):
        raise InvalidReply("its JSON object is cut off", text)
    # A server that mistook the answer for a tool call has wrapped it as one (see
    # `handeye.models.client.wire_format.answer_elsewhere`).
    arguments = objects[0].get("arguments") if text.startswith("<tool_call>") else None
    return arguments if isinstance(arguments, dict) else objects[0]


def _as_json(value: Mapping[str, Any], text: str) -> str:
    def refuse(part: object) -> str:
        raise InvalidReply(f"a value {part.value if isinstance(part, Unusable) else 'cannot be read'}", text)

    try:
        return json.dumps(value, allow_nan=False, default=refuse)
    except ValueError:
        raise InvalidReply("a number is none", text) from None


def _describe_mistake(mistake: ErrorDetails) -> str:
    """Return the place of a mistake, its description, and the value found there."""
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in mistake["loc"]).lstrip(".")
    value = mistake["input"]
    shown = f", not {value!r:.{_MOST_OF_VALUE}}" if isinstance(value, str | int | float) else ""
    return escape_invisible(f"{place[:_MOST_OF_ONE]}: {mistake['msg'][:_MOST_OF_ONE]}{shown}")
