"""Decorations that controls add to their labels: mnemonics, shortcuts, bullets, arrows, marks for required fields, emoji."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from handeye.locate.text_forms import REMEMBERED, begins_with_number, is_ideograph, is_readable

# Signs drawn beside a label; a number after one may be its own (+5, +£5), so a label must follow.
_SIGNS: Final = r"+＋\-–—✓√✔×✕▶►▸▼▾▲△▽▷●○■□◆◇★☆→←↓↑>＞<›»‹«•·*≡☰\s"
_KEYS: Final = r"ctrl|control|alt|shift|cmd|command|win|meta|super|option|opt|fn|⌘|⌥|⇧|⌃"
# A label between signs, with a mnemonic (保存(S), 保存(&S)... and "Save (S)") and a shortcut ("Save Ctrl+Shift+S", "Copy ⌘C"):
# one modifier at least, then one key. A menu sign before Latin letters is read as 三.
_DECORATED: Final = re.compile(
    rf"(?:[{_SIGNS}]|三(?=\s*[A-Za-z]))*(?P<label>.+?)(?P<mnemonic>\s?[(（]&?(?P<letter>[A-Za-z])[)）][^\w+]*?)?"
    rf"(?:\s+(?:(?:{_KEYS})\s?[+\-]?\s?){{1,4}}(?:[a-z0-9,.;/=+\-]|f\d{{1,2}}|del|delete|ins|enter|return|esc|tab|space|"
    rf"home|end|up|down|left|right|backspace|pgup|pgdn|page ?up|page ?down|[←→↑↓⏎⌫]))?[{_SIGNS}]*",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST: Final = 80  # characters: longer texts are no labels, and would take long to compare


@lru_cache(maxsize=REMEMBERED)
def core_of(text: str) -> tuple[int, int]:
    """The label itself as [start, end) of `text`; all of it when nothing is added."""
    drawn = "".join("•" if _is_picture(character) else character for character in text)
    found = _DECORATED.fullmatch(drawn) if len(text) <= _LONGEST else None
    if found is None:
        return 0, len(text)
    start, end = found.span("label")
    if found["mnemonic"] and not _may_be_mnemonic(found["label"], found["letter"]):
        end = found.end("mnemonic")
    core = text[start:end].strip()
    # A single character is no label, and a sign before a number belongs to it.
    return (0, len(text)) if len(core) == 1 or (start and begins_with_number(core)) else (start, end)


def said(text: str, start: int, end: int) -> str:
    """`text[start:end]` as it is read aloud: without the sign before a mnemonic (&Save, E&xit)."""
    return text[start:end].replace("&", "")


def _may_be_mnemonic(label: str, letter: str) -> bool:
    """A letter of the label, or any beside a Chinese one; "Vitamin (C)" has none."""
    return letter.casefold() in label.casefold() or any(map(is_ideograph, label))


def _is_picture(character: str) -> bool:
    """An emoji or a dingbat, which readers read as nothing or anything; no key, and no degree sign, which is a number's."""
    is_drawn = unicodedata.category(character) in ("So", "Sk", "Cf", "Mn", "Co", "Me")
    return is_drawn and not is_readable(character) and character not in "°℃℉⌘⌥⇧⌃⏎⌫"
