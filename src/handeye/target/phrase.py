"""Parse a target in a person's words, without a model. docs/targets.md explains the forms with examples.

Forms are tried in this order: `dynamic:words`, `text:words`, key=value pairs, the path of a picture, a phrase in English or
Chinese, a plain text or name. A phrase keeps its words (`Target.phrase`): a label with exactly these words takes precedence. In
doubt words are plain text: a label parsed as a phrase would match something else, a phrase taken as a label is only not found.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import Final

from handeye.errors import UsageError
from handeye.target import chinese, english
from handeye.target.pairs import parse_pairs
from handeye.target.parsed import MAX_DEPTH, ParsedPhrase
from handeye.target.values import DYNAMIC, TEXT, Target
from handeye.text import quotations

# Longest phrase, in characters, that is parsed; a longer text is searched for literally.
LONGEST_PHRASE: Final = 300
_PICTURES: Final = frozenset((".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif"))


def parse_target(query: str, depth: int = 0) -> Target:
    """
    Return the target that the words describe; docs/targets.md has the grammar.

    `dynamic:words` is a description, `text:words` the exact text of the control; words that are no phrase are tried as a
    reference image's name and as text. Takes time linear in the length of `query`. Raises UsageError for an empty query, for
    unknown keys and invalid values, and for relations that are nested too deep.
    """
    if depth >= MAX_DEPTH:
        raise UsageError(f"a target names at most {MAX_DEPTH} neighbours one inside the other")
    query = query.strip()
    if query.startswith(DYNAMIC):
        return Target(description=query[len(DYNAMIC) :].strip())
    if query.startswith(TEXT):
        return Target(text=query[len(TEXT) :].strip(), exact=True)
    pairs = parse_pairs(query, lambda value: parse_target(value, depth + 1))
    if pairs is not None:
        return pairs
    plain = Target(text=query, reference=query)
    if len(query) > LONGEST_PHRASE or PurePath(query).suffix.lower() in _PICTURES:
        return plain
    quoted = quotations(query)
    if len(quoted) == 1 and quoted[0].end - quoted[0].start == len(query):
        return Target(text=quoted[0].text, reference=quoted[0].text, literal=True)
    reading = _read(query)
    if reading is None:  # a quotation in a sentence is not searched for alone: the sentence may negate it
        return Target(description=query, phrase=query) if len(quoted) == 1 else plain
    counted = reading.ordinal or any(each.counts_lines for each in reading.relations)
    if reading.unknown and (counted or not (reading.text or reading.relations)):
        return Target(description=query, phrase=query)  # the second of the red ones is not the second of all
    return reading.target(query)


def _read(phrase: str) -> ParsedPhrase | None:
    """Return the phrase parsed by one of the grammars, or None if it may be a label (see docs/targets.md)."""
    return chinese.read(phrase) or english.read(phrase)


def literal_texts(phrase: str) -> tuple[str, ...]:
    """
    Return the labels that a person's words may repeat literally: all words, and those after a verb ("click on Copy link").
    """
    asked = english.without_request(phrase) or chinese.without_request(phrase)
    return (phrase,) if not asked or asked == phrase else (phrase, asked)


def word_as_label(target: Target) -> Target | None:
    """
    Return the target with the word for a role or an appearance as its label, if nothing else names it: "the second Photos",
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
