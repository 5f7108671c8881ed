"""What controls add to their labels: mnemonics, shortcuts, bullets, arrows, marks for required fields, emoji."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from handeye.locate.text_forms import begins_with_number, is_ideograph, is_readable

# Signs drawn beside a label; a number after one may be its own (+5, +£5), so a label must follow.
_SIGNS: Final = frozenset("+＋✓√✔×✕▶►▸▼▾▲△▽▷●○■□◆◇★☆→←↓↑>＞<›»‹«•·*")
_KEYS: Final = r"ctrl|control|alt|shift|cmd|command|win|meta|super|option|opt|fn|⌘|⌥|⇧|⌃"
# "Save Ctrl+Shift+S", "Copy ⌘C": one modifier at least, then one key.
_SHORTCUT: Final = re.compile(
    rf"\s+(?:(?:{_KEYS})\s?[+\-]?\s?){{1,4}}(?:[a-z0-9,.;/=+\-]|f\d{{1,2}}|del|delete|ins|enter|return|esc|tab|space|"
    r"home|end|up|down|left|right|backspace|pgup|pgdn|page ?up|page ?down|[←→↑↓⏎⌫])\s*$",
    re.IGNORECASE,
)
# 保存(S), 保存(&S), "Save (S)". A digit in brackets is a count.
_MNEMONIC: Final = re.compile(r"\s?[(（]&?([A-Za-z])[)）](?=\W*$)")
# What toolkits write before the mnemonic's letter, and draw as an underline.
_UNDERLINED: Final = re.compile(r"&(?=[^\W_])")
# A menu sign or a grip drawn before a label of Latin letters, as readers read it.
_BARS_READ: Final = re.compile(r"\s*[三≡=☰]\s*(?=[A-Za-z])")
# Behind a number these are a part of it: -5° is not -5.
_UNITS: Final = frozenset("°℃℉%‰‱")
# A label that is looked for without its decoration has at least so many characters.
_LEAST: Final = 2
# Longer texts are no labels; the patterns need not look at them.
_LONGEST: Final = 80


def core_of(text: str) -> tuple[int, int]:
    """The label itself as [start, end) of `text`; all of it when nothing is added."""
    if len(text) > _LONGEST:
        return 0, len(text)
    start, end = 0, len(text)
    if shortcut := _SHORTCUT.search(text):
        end = shortcut.start()
    if (mnemonic := _MNEMONIC.search(text[:end])) and _may_be_mnemonic(text[: mnemonic.start()], mnemonic[1]):
        end = mnemonic.start()
    if bars := _BARS_READ.match(text):
        start = bars.end()
    while end > start and _is_added(text[end - 1]) and not _is_unit(text[start:end]):
        end -= 1
    while start < end and _is_added(text[start]):
        start += 1
    core = text[start:end].strip()
    if len(core) < _LEAST or (start and begins_with_number(core)):
        return 0, len(text)
    return start, end


def said(text: str, start: int, end: int) -> str:
    """`text[start:end]` as it is read aloud: without the sign before a mnemonic (&Save, E&xit)."""
    return _UNDERLINED.sub("", text[start:end])


def _may_be_mnemonic(label: str, letter: str) -> bool:
    """A letter of the label, or any beside a Chinese one; "Vitamin (C)" has none."""
    return letter.casefold() in label.casefold() or any(map(is_ideograph, label))


def _is_added(character: str) -> bool:
    return character in _SIGNS or character.isspace() or _is_picture(character)


def _is_unit(text: str) -> bool:
    """Return True if the last sign belongs to the number before it."""
    return text[-1] in _UNITS and text[:-1].rstrip()[-1:].isdigit()


def _is_picture(character: str) -> bool:
    """An emoji or a dingbat, which readers read as nothing or anything."""
    return not is_readable(character) and unicodedata.category(character) in ("So", "Sk", "Cf", "Mn", "Co", "Me")
