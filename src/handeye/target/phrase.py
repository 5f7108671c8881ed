"""A target in a person's words, read without a model. docs/targets.md explains the forms with examples.

In this order: `dynamic:words`, `text:words`, key=value pairs, the path of a picture, a phrase in English or Chinese, a plain
text or name. A phrase keeps the words (`Target.phrase`): a label on the screen that reads the same is meant first. In doubt
words are plain: a label that is taken apart finds something else, one that is not is found or is missing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import Final

from handeye.errors import UsageError
from handeye.target import chinese, english
from handeye.target.pairs import parse_pairs
from handeye.target.parsed import DEEPEST, Reading
from handeye.target.values import DYNAMIC, TEXT, Target
from handeye.text import quotations

# Longer than anybody's way to name one thing: such a text is looked for as it is.
LONGEST_PHRASE: Final = 300
_PICTURES: Final = frozenset((".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif"))


def parse_phrase(query: str, depth: int = 0) -> Target:
    """
    Return what the words ask for.

    Takes time in proportion to the length of `query`. Raises UsageError for an empty query, for keys and values that do not
    exist, and for neighbours of neighbours without end.
    """
    if depth >= DEEPEST:
        raise UsageError(f"a target names at most {DEEPEST} neighbours one inside the other")
    query = query.strip()
    if query.startswith(DYNAMIC):
        return Target(description=query[len(DYNAMIC) :].strip())
    if query.startswith(TEXT):
        return Target(text=query[len(TEXT) :].strip(), exact=True)
    pairs = parse_pairs(query, lambda value: parse_phrase(value, depth + 1))
    if pairs is not None:
        return pairs
    plain = Target(text=query, reference=query)
    if len(query) > LONGEST_PHRASE or PurePath(query).suffix.lower() in _PICTURES:
        return plain
    quoted = quotations(query)
    if len(quoted) == 1 and quoted[0].end - quoted[0].start == len(query):
        return Target(text=quoted[0].text, reference=quoted[0].text, literal=True)
    reading = _read(query)
    if reading is None:  # what a sentence quotes is not searched for: it may say what to do with it, or not to do
        return Target(description=query, phrase=query) if len(quoted) == 1 else plain
    counted = reading.ordinal or any(each.counts_lines for each in reading.relations)
    if reading.unknown and (counted or not (reading.text or reading.relations)):
        return Target(description=query, phrase=query)  # the second of the red ones is not the second of all
    return reading.target(query)


def _read(phrase: str) -> Reading | None:
    """The parts of a phrase in one of the grammars; None where it may as well be a label (see docs/targets.md)."""
    return chinese.read(phrase) or english.read(phrase)


def literal_texts(phrase: str) -> tuple[str, ...]:
    """Texts of a label that a person's words repeat literally: the words, and those after a verb ("click on Copy link")."""
    asked = english.without_request(phrase) or chinese.without_request(phrase)
    return (phrase,) if not asked or asked == phrase else (phrase, asked)


def word_as_label(target: Target) -> Target | None:
    """
    A phrase in which only a word for a kind, or for a look, names the thing, with that word as its label: "the second Photos",
    工具右边的窗口, the button that says "red" or 红色. None for other targets.
    """
    reading = _read(target.phrase) if target.phrase is not None and not target.text else None
    if reading is None or reading.text:
        return None
    if reading.look and reading.role and not reading.ordinal:
        label = replace(reading, text=reading.look, colour=None).target()
    elif reading.word and target.role and target.chooses and not reading.unknown:
        label = replace(replace(reading, text=reading.word, role=None).target(), exact=True)
    else:
        return None
    return replace(label, region=target.region)
