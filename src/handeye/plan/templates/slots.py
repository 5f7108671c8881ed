"""Slots of task patterns: their types and the values that they accept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import Final
from urllib.parse import SplitResult, urlsplit

from handeye.plan.templates.dictation import begins_quoted, is_one_label, is_plainly_one_text, quoted_alone

NAME_LIMIT: Final = 64
"""Most characters of a `name`: WeChat allows 32 in a remark, Android 50 in an app's label. Longer is a sentence, not a name."""

SENTENCE_MARKS: Final = ".。,，、!！?？;；:：…~～"
"""Marks that end or join sentences; they are not part of a name, nor of a task that consists of literals only."""

QUOTES: Final = (("“", "”"), ("「", "」"), ("『", "』"), ("‘", "’"), ('"', '"'), ("'", "'"))
"""Pairs of quotation marks around a slot's value; the text inside is taken exactly as typed."""

POLITE_END: Final = re.compile(
    r"(?:[\s,，.。!！~～]*"
    r"(?:(?<![a-z])(?:please|pls|thanks|thank you|thx)|谢谢[你您]?|多谢|拜托了?|好吗|可以吗|行吗))+[\s,，.。!！?？~～]*\Z"
)
"""
Polite phrases at the end of a task, in folded text. Not 吧, because names of apps end with it (贴吧, 唱吧).
"""

BRIEFLY: Final = "一下(?![子午])"
"""Softening word after a verb (打开一下, 搜索一下), as part of a pattern."""

_NUMBER: Final = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?\Z")
# Telephone numbers: E.164 has at most 15 digits, and nothing is shorter than an emergency number. One separator between groups;
# a group in parentheses is the area code, at the front.
_PHONE: Final = re.compile(r"(?P<plus>\+?)(?=[\d(])(?:\d+[-. ]?)?(?:\(\d+\) ?)?\d+(?:[-. ]\d+)*\Z", re.ASCII)
_PHONE_DIGITS: Final = range(2, 16)
# The longest national number, with its leading 0, has 13 digits (Germany); more are two numbers, or one and an extension.
_NATIONAL_DIGITS: Final = 13
# Group lengths of a number that begins with neither + nor 0: 138 0013 8000; 400 820 8820 and 555 123 4567.
_PHONE_GROUPS: Final = frozenset({(3, 4, 4), (3, 3, 4)})
_DASHES: Final = re.compile("[\u2010-\u2013]")
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?!\d+(?:[/?#]|\Z))")  # host:8080 has a port, no scheme
# Top-level domains of hosts typed without a scheme. Others may also end names of apps and files: node.js, v2.ex, Word.app.
_TOP_LEVEL: Final = re.compile(
    r"(?:com|cn|org|net|edu|gov|mil|int|io|dev|ai|info|biz|xyz|top|cc|co|uk|us|eu|de|fr|jp|kr|ru|hk|tw|sg|au|ca|example|xn--[a-z0-9-]{1,59})\Z"
)
_IPV4: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}\Z")
_PACKAGE: Final = re.compile(r"(?:com|org|net|cn|io|android)\.[^.]+\.")  # a reversed host name
_HOST: Final = re.compile(r"(?=.{1,253}\Z)[^\s.:/@\\\"'<>]{1,63}(?:\.[^\s.:/@\\\"'<>]{1,63})+\.?\Z")


class SlotType(Enum):
    """
    Type of a slot.

    * `text`: anything, exactly as typed; outside quotation marks only what is clearly one text
      (`handeye.plan.templates.dictation`). If it begins with a quotation, only politeness may follow that.
    * `name`: one line of at most 64 characters; sentence marks around it are dropped ("打开微信。").
    * `label`: the name of one icon or row; outside quotation marks without words that join two things or begin an act.
    * `number`: an integer or decimal; full-width digits become ASCII.
    * `phone`: one telephone number with blanks, hyphens, dots and an area code in parentheses; its value has only the digits
      and a leading +. Groups of digits that may be two numbers are rejected, and codes with * and #.
    * `url`: an http or https address; `https://` is added if no scheme was typed. `{NAME_host}` is its host. Outside quotation
      marks it is ASCII, except for a host that is entirely Chinese, and begins with a scheme or www., or ends in a common
      top-level domain: node.js is a name.
    * `one_of`: one of the listed values.
    """

    TEXT = "text"
    NAME = "name"
    LABEL = "label"
    NUMBER = "number"
    PHONE = "phone"
    URL = "url"
    ONE_OF = "one_of"


@dataclass(frozen=True, slots=True)
class Slot:
    """
    Rules of one slot. `one_of` maps what may be typed to the value that it means (for type ONE_OF).

    `default` is the value if the matched pattern has no such slot; without a default the slot must be in every pattern.
    `max_length` is in characters; `minimum` and `maximum` bound a number.
    """

    type: SlotType = SlotType.TEXT
    one_of: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    default: str | None = None
    max_length: int | None = None
    minimum: float | None = None
    maximum: float | None = None

    def accept(self, typed: str, *, quoted: bool = False) -> str | None:
        """
        Return the value of `typed`, or None if this slot rejects it, also because of polite or softening words around it, which
        the caller removes first. Quoted text is not trimmed.
        """
        if not quoted and _has_filler(self.type, fold(typed)):
            return None
        value = _ACCEPT[self.type](self, typed, quoted)
        if value is None or (self.max_length is not None and len(value) > self.max_length):
            return None
        return value


def _has_filler(kind: SlotType, folded: str) -> bool:
    """
    Return True if a value begins with a softening word or ends with a polite phrase. Only a text to send may end with one:
    明天见，谢谢.
    """
    if re.match(BRIEFLY, folded.lstrip()):
        return kind in (SlotType.TEXT, SlotType.NAME, SlotType.LABEL)
    return kind in (SlotType.NAME, SlotType.LABEL) and POLITE_END.search(folded) is not None


HOST: Final = "_host"
"""Suffix of a url slot's name for the address's host without `www.`, as browsers show it."""


def with_hosts(values: Mapping[str, str], kinds: Mapping[str, Slot]) -> dict[str, str]:
    """Return the values, and in addition the host of each url under the slot's name with the suffix HOST."""
    hosts = {
        name + HOST: (urlsplit(value).hostname or "").removeprefix("www.")
        for name, value in values.items()
        if name in kinds and kinds[name].type is SlotType.URL
    }
    return {**hosts, **values}


def trim_marks(text: str) -> str:
    """Return `text` without sentence marks and blanks around it; the final dot of "A.J." belongs to the name and stays."""
    inner = text.strip().strip(SENTENCE_MARKS.replace(".", "")).strip()
    bare = inner.rstrip(".").rstrip()
    return inner if "." in bare.strip(".") and inner.endswith(".") and not inner.endswith("..") else bare


@lru_cache(maxsize=16)  # one task is matched against every pattern, in a few wordings
def fold(text: str) -> str:
    """
    Return `text` with case, width and compatibility forms removed, character by character: the result has the same length.

    >>> fold("Ｗｅchat：１")
    'wechat:1'
    """
    return "".join(map(_fold_one, text))


def _fold_one(char: str) -> str:
    folded = unicodedata.normalize("NFKC", char).casefold()
    return folded if len(folded) == 1 else char


def _text(_: Slot, typed: str, quoted: bool) -> str | None:
    if quoted:
        return typed if typed.strip() else None
    value = typed.strip()
    folded = fold(value)
    if begins_quoted(folded):
        return quoted_alone(value, folded)
    return value if value and is_plainly_one_text(folded) else None


def _label(slot: Slot, typed: str, quoted: bool) -> str | None:
    value = _name(slot, typed, quoted)
    return value if value is not None and (quoted or is_one_label(fold(value))) else None


def _name(_: Slot, typed: str, quoted: bool) -> str | None:
    value = typed if quoted else trim_marks(typed)
    single_line = not any(unicodedata.category(char) in ("Cc", "Zl", "Zp") for char in value)
    return value if value.strip() and len(value) <= NAME_LIMIT and single_line else None


def _number(slot: Slot, typed: str, quoted: bool) -> str | None:
    value = fold(typed.strip())
    value = value if quoted else value.rstrip(SENTENCE_MARKS).strip()
    if not value.isascii() or not _NUMBER.match(value):
        return None
    amount = float(value)
    low, high = slot.minimum, slot.maximum
    return value if (low is None or amount >= low) and (high is None or amount <= high) else None


def _phone(_: Slot, typed: str, quoted: bool) -> str | None:
    value = _DASHES.sub("-", fold(typed.strip())).replace("\u00a0", " ")
    value = value if quoted else value.rstrip(SENTENCE_MARKS).strip()
    number = _PHONE.match(value)
    if number is None:
        return None
    groups = re.findall(r"\d+", value)
    digits = "".join(groups)
    national = digits.startswith("0") and len(digits) <= _NATIONAL_DIGITS
    is_one = len(groups) == 1 or number["plus"] or national or tuple(map(len, groups)) in _PHONE_GROUPS
    return number["plus"] + digits if is_one and len(digits) in _PHONE_DIGITS else None


def _url(_: Slot, typed: str, quoted: bool) -> str | None:
    value = typed.strip()
    if not quoted:
        value = value.rstrip(SENTENCE_MARKS)
    if not value or any(char.isspace() or not char.isprintable() for char in value):
        return None
    scheme = _SCHEME.match(value)
    if scheme is not None and scheme[1].lower() not in ("http", "https"):
        return None  # javascript:, intent:, file: and the like act on the phone instead of showing a page
    address = value if scheme else f"https://{value}"
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host or not (_HOST.match(host) or host == "localhost"):
        return None
    return address if quoted or _ends_as_typed(parts, host, bare=scheme is None) else None


def _ends_as_typed(parts: SplitResult, host: str, *, bare: bool) -> bool:
    """
    Return True if only the address was typed: Chinese text follows without a blank, and baidu.com搜索猫 is no host. Without a
    scheme (`bare`) the host must also be a plausible one: not 1.5, not node.js, not com.tencent.mm.
    """
    last = host.rstrip(".").rpartition(".")[2]
    around = parts.path + parts.query + parts.fragment
    if not around.isascii() or (not last.isascii() and any(char.isascii() for char in last)):
        return False
    if not bare or host == "localhost" or _IPV4.match(host):
        return True
    known = host.startswith("www.") or _TOP_LEVEL.match(last) is not None
    return host.isascii() and known and not _PACKAGE.match(host)


def _one_of(slot: Slot, typed: str, quoted: bool) -> str | None:
    wanted = fold(typed.strip() if quoted else trim_marks(typed))
    for spoken, value in slot.one_of.items():
        if fold(spoken) == wanted:
            return value
    return None


_ACCEPT: Final[Mapping[SlotType, Callable[[Slot, str, bool], str | None]]] = MappingProxyType(
    {
        SlotType.TEXT: _text,
        SlotType.NAME: _name,
        SlotType.LABEL: _label,
        SlotType.NUMBER: _number,
        SlotType.PHONE: _phone,
        SlotType.URL: _url,
        SlotType.ONE_OF: _one_of,
    }
)
