"""Words that nothing on a screen matches: only a refusal is right, whatever similar texts the screen shows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from corpus.truth import Thing
from corpus.vocabulary import LANGUAGES, NEGATIONS, SWAPS, WORDS_ALONE

CONTROLS: Final = frozenset({"button", "tab", "checkbox", "menu item"})
# Sentences that forbid, undo or exclude the thing in quotes. None of them is the name of anything.
FORBIDDING: Final = ('do not click "{}"', 'don\'t press "{}"', 'anything but "{}"', 'the button that is not "{}"')
FORBIDDING_CHINESE: Final = ("不要点击“{}”", "别点“{}”", "除了“{}”以外的按钮", "不是“{}”的那个按钮")
_DENIED: Final = {"en": ("Don't {}", "Do not {}"), "de": ("Nicht {}",), "zh": ("不{}", "取消{}"), "zh-Hant": ("不{}",)}
# An addition to a label's own words that does not make it another label: a shortcut, as menus show it.
_SHORTCUT: Final = re.compile(r"(ctrl|alt|shift|cmd)\s*\+|\bf\d+\b", re.IGNORECASE)
_LEAST_LETTERS: Final = 3  # of an English word that is asked for alone: "as" and "me" are no targets


def plain(text: str) -> str:
    """Return the text without blanks and case, which do not distinguish labels."""
    return "".join(text.split()).casefold()


def contained(things: Sequence[Thing], language: str) -> Iterator[tuple[str, str]]:
    """Yield kind and words of texts that occur only as a part of longer labels, and so name something else."""
    present = {plain(thing.text) for thing in things if thing.text}
    fields = [
        plain(thing.text) for thing in things if thing.role == "input"
    ]  # a hint's first word may well name its field
    asked = set(_words_alone(language))
    for thing in things:
        if thing.role in CONTROLS:
            asked.update(_ends(thing.text))
    for words in sorted({plain(words): words for words in sorted(asked)}.values()):
        if plain(words) in present or any(plain(words) in each for each in fields):
            continue
        labels = [rest for thing in things if (rest := _rest(words, thing.text)) is not None]
        if labels and all(any(map(str.isalpha, rest)) and not _SHORTCUT.search(rest) for rest in labels):
            denied = any(_denies(rest) for rest in labels)
            yield ("absent: negated label" if denied else "absent: contained"), words


def denied(things: Sequence[Thing], language: str) -> Iterator[str]:
    """Yield the opposite of a button's label: "Don't save" where there is Save."""
    present = {plain(thing.text) for thing in things if thing.text}
    for thing in things:
        for form in _DENIED.get(language, ()) if thing.role == "button" and _is_spoken(thing.text) else ():
            text = thing.text if "zh" in language else thing.text[0].lower() + thing.text[1:]
            words = form.format(text)
            if not any(plain(words) in each for each in present) and not _denies(thing.text):
                yield words


def forbidden(thing: Thing, language: str) -> Iterator[str]:
    """Yield sentences that quote a button and do not ask for it."""
    for form in FORBIDDING_CHINESE if language.startswith("zh") else FORBIDDING:
        yield form.format(thing.text)


def numbers(things: Sequence[Thing]) -> Iterator[str]:
    """Yield numbers that are not there: digits of longer numbers, and numbers that differ in each digit."""
    labels = [thing.text for thing in things if thing.text]
    present = {plain(text) for text in labels}
    for digit in "0123456789":
        found = [match for text in labels for match in re.finditer(digit, text)]
        if found and digit not in present and all(_in_number(match) for match in found):
            yield digit
    for text in labels:
        other = next_number(text)
        if other != text and not any(map(str.isalpha, text)) and not any(plain(other) in each for each in present):
            yield other


def next_number(text: str) -> str:
    """Return the text with each digit one higher."""
    return "".join(str((int(character) + 1) % 10) if character in "0123456789" else character for character in text)


def mutations(text: str, language: str) -> Iterator[str]:
    """Yield other things that a person might mean, which look nearly the same."""
    if any(character.isdigit() for character in text):
        yield next_number(text)
    for old, new in SWAPS:
        if old in text:
            yield text.replace(old, new)
    words = text.split()
    if language.startswith("zh") and len(text) <= 6:
        yield text + ("表" if len(text) > 2 else "华")
        if len(text) >= 4:
            yield text[:-1] + ("单" if text[-1] != "单" else "表")
    elif text.isascii() and 1 <= len(words) <= 3:
        yield f"{text} all"
        if len(words) > 1:
            yield " ".join([{"First": "Last", "Save": "Send"}.get(words[0], "Best"), *words[1:]])


def _words_alone(language: str) -> Collection[str]:
    vocabulary = LANGUAGES.get(language, LANGUAGES["en"])
    return (*vocabulary.actions, *vocabulary.row_actions, *vocabulary.states, *WORDS_ALONE)


def _ends(label: str) -> Iterator[str]:
    """Yield the first and last word of a longer label; of a Chinese one of 4 to 6 characters, two at either end."""
    words = label.split()
    if label.isascii() and len(words) > 1:
        yield from (word for word in (words[0], words[-1]) if word.isalpha() and len(word) >= _LEAST_LETTERS)
    elif _is_chinese(label) and 4 <= len(label) <= 6:
        yield from (label[:2], label[-2:])


def _rest(words: str, label: str) -> str | None:
    """Return the rest of a label that contains the words between word boundaries; None if it does not."""
    border = "" if _is_chinese(words) else r"\b"
    match = re.search(border + re.escape(words) + border, label, re.IGNORECASE)
    return label[: match.start()] + " " + label[match.end() :] if match else None


def _denies(text: str) -> bool:
    return any(re.search(rf"\b{word}\b" if word.isascii() else word, text, re.IGNORECASE) for word in NEGATIONS)


def _in_number(match: re.Match[str]) -> bool:
    """Return True if the digit is next to another one, or to a character that joins digits to one number."""
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    return any(side.isdigit() or (side and side in ".,:/-+%") for side in (before, after))


def _is_spoken(text: str) -> bool:
    return bool(text) and all(character.isalpha() or character == " " for character in text)


def _is_chinese(text: str) -> bool:
    return bool(text) and all("\u4e00" <= character <= "\u9fff" for character in text)
