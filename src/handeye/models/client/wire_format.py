"""Shared parsing of both APIs' responses: messages, usage and errors."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from handeye.errors import (
    InvalidReply,
    ModelBusy,
    ModelError,
    ModelRequestInvalid,
    ModelUnauthorized,
)
from handeye.models.chat import Ending, Prompt
from handeye.models.client.retry import TRANSIENT_STATUSES
from handeye.models.config.secret import Secret

# Most tokens of a prompt: the largest context windows have 10 million. A larger reported number is wrong.
_MOST_TOKENS: Final = 10_000_000
# Estimates for servers that report no usage. A picture costs at least this many tokens in every family's own figures; text has
# some 4 bytes a token, Chinese 3.
_TOKENS_OF_A_PICTURE: Final = 1000
_BYTES_OF_A_TOKEN: Final = 3
# Characters of a server's message in an error: enough for the reason, too few for a page of HTML.
_SHOWN: Final = 300

# Error codes for missing credit, which servers report with 402 or with 429: a retry does not help. OpenAI; Zhipu (1113: in
# arrears); DashScope.
_NO_CREDIT: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached", "1113", "arrearage"})
# Error codes of content filters: Azure, Zhipu, DashScope, Ark.
_REFUSALS: Final = frozenset({"content_filter", "1301", "data_inspection_failed", "sensitivecontentdetected"})

# llama.cpp returns 500 with this message for a picture to a model without vision.
_NO_VISION: Final = "image input is not supported"


@dataclass(frozen=True, slots=True)
class ServerUsage:
    """The usage that a reply reports. None where it reports no plausible number; `cost` is in US dollars."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A parsed reply. `model` is the name of the model as the server reports it; `note` as in `Reply`."""

    text: str
    ending: Ending
    told: ServerUsage
    model: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ApiError:
    """
    A server's error: the HTTP status (0 for none), its own code, the parameter that it names, and its message,
    redacted.
    """

    status: int
    code: str
    parameter: str
    words: str

    @property
    def refuses(self) -> bool:
        return self.code.lower() in _REFUSALS or self.code.lower().startswith("sensitivecontent")

    @property
    def transient(self) -> bool:
        hopeless = self.code.lower() in _NO_CREDIT or _NO_VISION in self.words.lower()
        return self.status in TRANSIENT_STATUSES and not hopeless

    def error(self, model: str, address: str) -> ModelError:
        """Return it as a ModelError with a remedy."""
        said = f"; it says: {self.words}" if self.words else ""
        where = f"{address} answers {self.status} for {model}"
        if self.status == 402 or self.code.lower() in _NO_CREDIT:
            return ModelUnauthorized(f"{where}: the account has no credit; top it up, or choose another provider{said}")
        if self.status == 401:
            return ModelUnauthorized(f"{where}: the key is missing or wrong; set the one of this provider{said}")
        if self.status == 403:
            return ModelUnauthorized(
                f"{where}: the key may not do this; check the account, its region and its models{said}"
            )
        if self.transient:
            return ModelBusy(f"{where}: it is overloaded, or limits the rate; wait, or ask less at once{said}")
        if self.status == 404:
            return ModelRequestInvalid(f"{where}: no such model, or base_url is not the API's address{said}")
        if 300 <= self.status < 400:
            return ModelRequestInvalid(
                f"{where}: it sends the request elsewhere, and a key is not sent on; correct base_url{said}"
            )
        return ModelRequestInvalid(f"{where}: it does not take the request{said}")


def api_error(status: int, body: object, key: Secret) -> ApiError:
    """Parse a server's error from a reply of any format."""
    first = body[0] if isinstance(body, list) and body else body  # Gemini sends a list of one error
    error = _error_of(first)
    words = _words(error)
    raw = member(member(error, "metadata"), "raw")  # the error of OpenRouter's upstream provider
    words = f"{words} ({raw})" if isinstance(raw, str) and raw else words
    code = _code_of(error)
    if status == 200 and code.isdecimal() and 400 <= int(code[:4]) < 600:
        status = int(code[:4])
    return ApiError(status, code or _string(member(error, "type")), _string(member(error, "param")), clean(words, key))


def failed(body: Mapping[str, Any]) -> bool:
    """Return True if an object without an answer reports a failure: by an error, or a code other than success."""
    return bool(body.get("error")) or _code_of(_error_of(body)).lower() not in _SUCCESS


def no_answer(body: Mapping[str, Any], key: Secret, address: str, api: str) -> ApiError | InvalidReply:
    """
    Return the error of a success response without an answer: the one that the server put in it, or any message in it.
    """
    if failed(body):
        return api_error(200, body, key)
    said = clean(_words(body), key)
    return InvalidReply(
        f"{address} sent JSON without an answer; is it {api}'s format?{f' It says: {said}' if said else ''}",
        clean(", ".join(list(body)[:12]), key),
    )


def _error_of(body: object) -> object:
    """
    Return the object that contains a server's error (MiniMax: `base_resp`), even if there is a text with a headline
    too.
    """
    return next((error for name in ("error", "base_resp") if isinstance(error := member(body, name), Mapping)), body)


def _code_of(error: object) -> str:
    return next(filter(None, (_code(member(error, name)) for name in _CODES_IN)), "")


_CODES_IN: Final = ("code", "status_code", "statusCode", "error_code", "errcode")
_SUCCESS: Final = frozenset({"", "0", "200", "ok", "success"})
_DEPTH: Final = 4
# Keys of servers' messages, the most specific first; `detail` is FastAPI's, `status_msg` MiniMax's, `title` ASP.NET's.
_WORDS_IN: Final = (
    *("message", "detail", "msg", "error_msg", "errmsg", "status_msg", "error_description", "errors", "error"),
    *("base_resp", "title"),
)
# Keys of the field that a message concerns: FastAPI, zod, others.
_PLACES_IN: Final = ("loc", "path", "field")
_MOST_MISTAKES: Final = 5


def _words(said: object, depth: int = _DEPTH) -> str:
    """Return a server's message from a text, JSON in a text, or FastAPI's `[{"loc": [...], "msg": ...}]`."""
    if isinstance(said, str):
        if depth and said.lstrip()[:1] in ("{", "["):
            with suppress(ValueError, RecursionError):
                return _words(json.loads(said), depth - 1) or said
        return said
    if not depth:
        return ""
    if isinstance(said, list):
        return "; ".join(filter(None, (_words(each, depth - 1) for each in said[:_MOST_MISTAKES])))
    if not isinstance(said, Mapping):
        return ""
    words = ""
    for name in _WORDS_IN:
        value = said.get(name)
        if name == "errors" and isinstance(value, Mapping):  # ASP.NET: {"errors": {"temperature": ["..."]}}
            value = [{"field": str(field), "msg": mistakes} for field, mistakes in value.items()]
        further = _words(value, depth - 1)
        if further.lower() not in words.lower():
            words = f"{words}; {further}" if words else further
    place = next((said[name] for name in _PLACES_IN if said.get(name)), None)
    parts = place if isinstance(place, list) else [place] if isinstance(place, str) and "/" not in place else []
    if names := [str(part) for part in parts if part != "body"]:
        return f"{'.'.join(names).removeprefix('body.')}: {words}"
    return words


def clean(text: str, key: Secret) -> str:
    """Return a server's message for an error: one line, short, printable, without keys."""
    line = " ".join(key.scrub(text[: 8 * _SHOWN]).split())
    line = "".join(character if character.isprintable() else "�" for character in line)
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def parsed(content: bytes, media_type: str, key: Secret, address: str) -> Mapping[str, Any] | InvalidReply:
    """
    Return the JSON object of a reply of status 200, or an error. The error is not raised here: a traceback shows
    frames, and this module's frames contain the server's reply, which may repeat the key.
    """
    try:
        body = json.loads(content, strict=False)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, Mapping):
        return body
    return unreadable(
        content, f"{media_type or 'something'} that is no JSON object; is base_url the API's address?", key, address
    )


def unreadable(content: bytes, what: str, key: Secret, address: str) -> InvalidReply:
    return InvalidReply(f"{address} sent {what}", clean(content[: 8 * _SHOWN].decode("utf-8-sig", "replace"), key))


# Types of message parts that are thinking and no part of the answer, and the keys of a part's text.
_THINKING: Final = re.compile(r"think|thought|reason|summary")
_TEXTS_IN: Final = ("text", "content", "thinking", "reasoning", "summary")
_THOUGHTS_IN: Final = ("reasoning_content", "reasoning", "thinking", "reasoning_details")
# Keys of a message that never contain an answer.
_ASIDE: Final = frozenset({"role", "id", "type", "name", "model", "usage", "stop_reason", "stop_sequence", "signature"})


def message_of(choice: object) -> object:
    """Return the message of a choice, under any of the API's keys: `text` is that of the older completions API."""
    message, text = member(choice, "message"), member(choice, "text")
    return message or member(choice, "delta") or ({"content": text} if text else message)


def read_message(message: Mapping[str, Any], ending: Ending) -> tuple[str, str]:
    """
    Return the answer of a message of either API, under any of the keys that servers use, and a note if that was an
    unusual one, or if there is something else in place of an answer.
    """
    content = message.get("content")
    parts = [part for part in (content if isinstance(content, list) else [content]) if part is not None]
    parts = parts if all(isinstance(part, str | Mapping) for part in parts) else []
    aside = [part for part in parts if member(part, "thought") or _THINKING.search(_string(member(part, "type")))]
    text = _plain([part for part in parts if part not in aside])
    thoughts = next(((said, name) for name in _THOUGHTS_IN if (said := _plain(message.get(name))).strip()), ("", ""))
    thoughts = thoughts if thoughts[0] else (_plain(aside), "thinking")
    text, note = answer_elsewhere(text, _calls(message, parts), thoughts, ending)
    unread = [name for name, value in message.items() if value and value != text and name not in _ASIDE]
    if not text.strip() and not note and unread:
        return text, f"no answer can be read in its {', '.join(unread[:_MOST_MISTAKES])}"
    return text, note


def _plain(value: object, depth: int = 6) -> str:
    """Return the text of a text, of a part, or of a list of those."""
    if isinstance(value, str) or not depth:
        return _string(value)
    if isinstance(value, list):
        return "".join(_plain(each, depth - 1) for each in value)
    return next(filter(None, (_plain(member(value, name), depth - 1) for name in _TEXTS_IN)), "")


def _calls(message: Mapping[str, Any], parts: Sequence[object]) -> list[tuple[object, object]]:
    """Return the names and arguments of the functions that a message calls, in its own keys or in its content."""
    said = message.get("tool_calls") or message.get("function_call")
    blocks = [part for part in parts if member(part, "type") == "tool_use"]
    functions = [member(call, "function") or call for call in (said if isinstance(said, list) else [said])]
    return [
        (member(each, "name"), arguments_of(each))
        for each in [*functions, *blocks]
        if isinstance(each, Mapping) and not {"name", *_ARGUMENTS_IN}.isdisjoint(each)
    ]


def arguments_of(function: Mapping[str, Any]) -> object:
    """Return the arguments of a called function, under any of their names."""
    return next((function[name] for name in _ARGUMENTS_IN if function.get(name) is not None), None)


_ARGUMENTS_IN: Final = ("arguments", "partial_json", "input", "parameters", "args")


def answer_elsewhere(
    text: str, calls: Sequence[tuple[object, object]], thoughts: tuple[str, str], ending: Ending
) -> tuple[str, str]:
    """
    Return the answer of a message whose own `text` is empty, or ends where a tool call began, and a note that says
    where it was found, or that there is none.

    `calls` are the names and arguments of tool calls, `thoughts` is the text marked as thinking and the name of its
    field. Servers put a whole answer there when the model wrote no mark between the two; thinking that was cut off is
    not used.
    """
    if calls:
        names = ", ".join(_string(name)[:40] for name, _arguments in calls[:_MOST_MISTAKES])
        marked = (f"<tool_call>\n{_call(name, arguments)}\n</tool_call>" for name, arguments in calls)
        return "\n".join(filter(None, (text.strip(), *marked))), f"it calls a tool that it was not given ({names})"
    thought, field = thoughts
    if text.strip():
        return text, ""
    if thought and ending == "stop":
        return thought, f"the server sent the answer as thinking ({field})"
    if thought:
        return (
            "",
            f"it only thought ({field}), and no tokens were left to answer; LLM_EXTRA_BODY can turn its thinking off",
        )
    return "", ""


def _call(name: object, arguments: object) -> str:
    if isinstance(arguments, str):
        with suppress(ValueError, RecursionError):
            arguments = json.loads(arguments)
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)


def is_json(text: object) -> bool:
    """Return True if it is the text of a complete JSON value."""
    try:
        return isinstance(text, str) and json.loads(text, strict=False) is not ...
    except (ValueError, RecursionError):
        return False


def reported_tokens(value: object) -> int | None:
    """Return a plausible number of tokens, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST_TOKENS:
        return None
    return int(value) if value == int(value) else None


def reported_cost(value: object) -> float | None:
    """Return a plausible price in US dollars (no single question costs a thousand), or None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
        return None
    return float(value)


def guessed_tokens(prompt: Prompt) -> int:
    """Return an estimate of a prompt's tokens, for a server that does not report them."""
    pictures = sum(not isinstance(part, str) for part in prompt.parts)
    letters = sum(
        len(part.encode("utf-8", "replace")) for part in (*prompt.parts, prompt.system or "") if isinstance(part, str)
    )
    return max(1, pictures * _TOKENS_OF_A_PICTURE + math.ceil(letters / _BYTES_OF_A_TOKEN))


def guessed_tokens_of(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_OF_A_TOKEN)


def member(value: object, name: str) -> Any:
    """Return `value[name]` of any object; None if there is no such member."""
    return value.get(name) if isinstance(value, Mapping) else None


def strict(schema: object) -> bool:
    """
    Return True if a JSON schema is as strict servers require it: each object closed, all of its members required
    (OpenAI, "Structured outputs", supported schemas).
    """
    if isinstance(schema, list | tuple):
        return all(strict(part) for part in schema)
    if not isinstance(schema, Mapping):
        return True
    members = schema.get("properties")
    if schema.get("type") == "object" or isinstance(members, Mapping):
        wanted = set(members) if isinstance(members, Mapping) else set()
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != wanted:
            return False
    return all(strict(part) for part in schema.values())


def well_formed(text: str) -> str:
    """
    Return `text` without lone surrogates, which UTF-8 cannot encode and which broken names of files and windows
    contain.
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _code(value: object) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
