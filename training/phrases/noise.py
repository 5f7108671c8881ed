"""Changes that people make to what they read: case, quotes, marks, width, script variant, a wrong letter."""

from __future__ import annotations

import random
import unicodedata
from typing import Final

from handeye.parse.vocabulary.table import read_traditional
from training.phrases.matching import is_spaceless

QUOTES: Final = (
    *(('"', '"'), ("“", "”"), ("'", "'"), ("‘", "’"), ("「", "」"), ("『", "』"), ("«", "»"), ("„", "“"), ("`", "`")),
    *(("【", "】"), ("[", "]"), ("《", "》"), ("''", "''"), ("*", "*")),
)
ODD_QUOTES: Final = (
    ('"', ""),
    ("“", ""),
    ("", '"'),
    ("“", '"'),
    ("'", ""),
    ("「", ""),
    ("”", "“"),
    ("‘", ""),
    ("„", '"'),
)
ENDINGS: Final = {
    "": (".", "!", "?", "...", " :)", " 👍", " 🙏", "  "),
    "zh": ("。", "!", "\uff01", "\uff1f", "...", "~", " 👍", "谢谢"),
}
_FULL_WIDTH: Final = str.maketrans(",?():", "\uff0c\uff1f\uff08\uff09\uff1a")
TRAILING: Final = "….: ?!*"  # characters
_KEYS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_TO_TRADITIONAL: Final[dict[int, str]] = {}
for _code, _plain in read_traditional().items():
    _TO_TRADITIONAL.setdefault(ord(_plain), chr(_code))


def quoted(chance: random.Random, text: str) -> str:
    """The text in quotation marks of some kind, a tenth of them odd or unclosed."""
    usual = QUOTES[:6] if chance.random() < 0.8 else QUOTES
    opening, closing = chance.choice(ODD_QUOTES if chance.random() < 0.1 else usual)
    return f"{opening}{text}{closing}"


def recased(chance: random.Random, text: str) -> str:
    """The text in lower case, upper case or with capitals at words."""
    return chance.choice((text.lower(), text.lower(), text.lower(), text.upper(), text.title(), text.capitalize()))


def simplified_marks(chance: random.Random, text: str) -> str:
    """The text without its trailing marks, or in another width."""
    stripped = text.rstrip(TRAILING)
    if stripped and stripped != text:
        return stripped
    if chance.random() < 0.3 and text.isascii() and len(text) < 16:
        return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)
    return unicodedata.normalize("NFKC", text)


def traditional(text: str) -> str:
    """Chinese in traditional characters."""
    return text.translate(_TO_TRADITIONAL)


def mistyped(chance: random.Random, text: str) -> str:
    """The text with one letter doubled, dropped, exchanged or hit beside; unchanged if it is short or not in Latin letters."""
    places = [at for at, letter in enumerate(text) if letter.isascii() and letter.isalpha() and at > 0]
    if len(places) < 5 or is_spaceless(text):
        return text
    at = chance.choice(places)
    kind = chance.choice(("drop", "double", "swap", "beside"))
    if kind == "drop":
        return text[:at] + text[at + 1 :]
    if kind == "double":
        return text[:at] + text[at] + text[at:]
    if kind == "swap" and at + 1 < len(text):
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    row = next(row for row in _KEYS if text[at].lower() in row)
    column = row.index(text[at].lower())
    return text[:at] + row[column - 1 if column else 1] + text[at + 1 :]


def finished(chance: random.Random, words: str, language: str) -> str:
    """A phrase as it is typed: now and then another ending, a capital, Chinese marks in half or full width."""
    if chance.random() < 0.15:
        words = words[:1].upper() + words[1:]
    if chance.random() < 0.1 and words[-1].isalnum():
        words += chance.choice(ENDINGS.get(language, ENDINGS[""]))
    if language == "zh" and chance.random() < 0.5:
        words = words.translate(_FULL_WIDTH)
    return words
