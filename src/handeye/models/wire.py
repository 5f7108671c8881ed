"""What the two wire formats have in common: careful reading of replies, and what a server's complaint means."""

from __future__ import annotations

import json
import math
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
from handeye.models.retry import TRANSIENT_STATUSES
from handeye.models.secret import Secret

# No prompt has more: the largest context windows hold 10 million tokens. A larger number is a defect or a lie.
_MOST_TOKENS: Final = 10_000_000
# What a picture costs at least in every family's own figures; text has some 4 bytes a token, Chinese 3. Only for servers that
# do not say what a question has cost them.
_TOKENS_OF_A_PICTURE: Final = 1000
_BYTES_OF_A_TOKEN: Final = 3
# Of a server's own words in an error: enough for the reason, too little for a page of HTML.
_SHOWN: Final = 300

# A server that counts money says so with 402, or hides it in a 429: nothing gets better by asking again.
# OpenAI; Zhipu (1113: in arrears); DashScope.
_NO_CREDIT: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached", "1113", "arrearage"})
# A server that looked at the question and will not have it answered: Azure, Zhipu, DashScope, Ark.
_REFUSALS: Final = frozenset({"content_filter", "1301", "data_inspection_failed", "sensitivecontentdetected"})

# llama.cpp says 500 to a picture for a model without eyes.
_NO_EYES: Final = "image input is not supported"


@dataclass(frozen=True, slots=True)
class Told:
    """What a reply says it has cost. None where it says nothing that can be true; `cost` is in US dollars."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply as read off the wire. `model` is who answered, by the server's word; `note` as in `Reply`."""

    text: str
    ending: Ending
    told: Told
    model: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Complaint:
    """A server's error: the HTTP status (0 for none), its own code and the parameter that it names, and its words, clean."""

    status: int
    code: str
    parameter: str
    words: str

    @property
    def refuses(self) -> bool:
        return self.code.lower() in _REFUSALS or self.code.lower().startswith("sensitivecontent")

    @property
    def transient(self) -> bool:
        hopeless = self.code.lower() in _NO_CREDIT or _NO_EYES in self.words.lower()
        return self.status in TRANSIENT_STATUSES and not hopeless

    def error(self, model: str, address: str) -> ModelError:
        """The same as a ModelError, with what to do."""
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


def complaint(status: int, body: object, key: Secret) -> Complaint:
    """Read a server's error out of its reply, whatever that looks like."""
    first = body[0] if isinstance(body, list) and body else body  # Gemini sends a list of one error
    error = first.get("error", first) if isinstance(first, Mapping) else first
    if not isinstance(error, Mapping):
        return Complaint(status, "", "", clean(_words(error), key))
    nested = error.get("metadata")
    raw = nested.get("raw") if isinstance(nested, Mapping) else None  # OpenRouter's upstream
    words = _words(error)
    words = f"{words} ({raw})" if isinstance(raw, str) and raw else words
    code = _code(error.get("code")) or _string(error.get("type"))
    return Complaint(status, code, _string(error.get("param")), clean(words, key))


# Where servers put their words, the first that holds any; `detail` is FastAPI's.
_WORDS_IN: Final = ("message", "detail", "msg", "error", "errors")
_MOST_MISTAKES: Final = 5


def _words(said: object, depth: int = 4) -> str:
    """A server's words, in whatever it wraps them: a text, JSON in a text, or FastAPI's `[{"loc": [...], "msg": ...}]`."""
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
    words = next(filter(None, (_words(said.get(name), depth - 1) for name in _WORDS_IN)), "")
    place = said.get("loc")
    if isinstance(place, list) and (names := [str(part) for part in place if part != "body"]):
        return f"{'.'.join(names)}: {words}"
    return words


def clean(text: str, key: Secret) -> str:
    """A server's words for an error message: one line, short, printable, without keys."""
    line = " ".join(key.scrub(text[: 8 * _SHOWN]).split())
    line = "".join(character if character.isprintable() else "�" for character in line)
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def parsed(content: bytes, media_type: str, key: Secret, address: str) -> Mapping[str, Any] | InvalidReply:
    """
    The JSON object that a reply of status 200 must be. The error is returned: the frames of this module hold what the server
    has sent, which may be the key, and a traceback shows frames.
    """
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, Mapping):
        return body
    shown = clean(content[: 8 * _SHOWN].decode("utf-8", "replace"), key)
    return InvalidReply(
        f"{address} sent {media_type or 'something'} that is no JSON object; is base_url the API's address?", shown
    )


def answer_elsewhere(
    text: str, calls: Sequence[tuple[object, object]], thoughts: tuple[str, str], ending: Ending
) -> tuple[str, str]:
    """
    The answer of a message whose own `text` is empty, or ends where a tool call began, and a note that says where it stood, or
    that there is none: `calls` are the names and arguments of tool calls, `thoughts` what is marked as thinking and the name of
    its field. Servers put a whole answer there when the model wrote no mark between the two; thinking that was cut off is none.
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


def said_tokens(value: object) -> int | None:
    """A number of tokens that can be true."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST_TOKENS:
        return None
    return int(value) if value == int(value) else None


def said_cost(value: object) -> float | None:
    """A price in US dollars that can be true: no single question costs a thousand."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
        return None
    return float(value)


def guessed_tokens(prompt: Prompt) -> int:
    """About what a question costs, for a server that does not say."""
    pictures = sum(not isinstance(part, str) for part in prompt.parts)
    letters = sum(
        len(part.encode("utf-8", "replace")) for part in (*prompt.parts, prompt.system or "") if isinstance(part, str)
    )
    return max(1, pictures * _TOKENS_OF_A_PICTURE + math.ceil(letters / _BYTES_OF_A_TOKEN))


def guessed_tokens_of(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_OF_A_TOKEN)


def member(value: object, name: str) -> Any:
    """`value[name]` of a foreign object; None when there is no such thing."""
    return value.get(name) if isinstance(value, Mapping) else None


def strict(schema: object) -> bool:
    """
    Whether a JSON schema is as strict servers want it: each object closed, all of its members required (OpenAI, "Structured
    outputs", supported schemas).
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
    """`text` without what UTF-8 cannot carry: halves of characters, as broken names of files and windows have."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _code(value: object) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
