"""The grammar of English phrases: "the third “Delete” from the bottom", "click on the icon to the left of Settings".

phrase := [verb] noun
"""

from __future__ import annotations

from typing import Final, NamedTuple

from handeye.target import english_words as words
from handeye.target.english_noun import NOUNS_OF_LABELS, NounParser
from handeye.target.english_tokens import Token
from handeye.target.reading import Reading
from handeye.target.values import Target

# These are not, however they are written.
_UNMISTAKABLE: Final = frozenset(("button", "icon", "checkbox", "input", "combo box"))

# Of these, a name before the word says which one (Overview tab), unless it is a deed (New tab, Close tab).
_NAMED_KINDS: Final = frozenset(("tab", "menu item"))


class Request(NamedTuple):
    """Words that ask, before what is asked for: `sure` when no label begins so. `next` is the first token after them."""

    sure: bool
    next: int


def parse(source: str) -> Target | None:
    """The target of an English phrase; None when `source` may as well be a label (see docs/targets.md for what decides)."""
    parser = NounParser(source)
    request = _request(parser)
    if any(token.word in words.NOT_READ for token in parser.tokens):
        return None
    found = parser.noun(request.next)
    if found is None or parser.too_deep or found[1] < len(parser.tokens):
        return None
    reading = found[0]
    if not reading.names_something or not _is_phrase(parser, request, reading):
        return None
    if reading.unknown and (reading.ordinal or (reading.role and not reading.text and not reading.relations)):
        return Target(description=source, phrase=source)  # the second of the red ones is not the second of all
    return reading.target(source)


def asks(source: str) -> bool:
    """Whether the words begin like a request, or speak of a kind of control, and go on."""
    parser = NounParser(source)
    request = _request(parser)
    verb = request.next > 0 and request.next + 1 < len(parser.tokens)
    return verb or (len(parser.tokens) > 2 and any(parser.role(at, at + 1) for at in range(len(parser.tokens))))


def without_request(source: str) -> str | None:
    """The words after "please click on the"; None when nothing of that is there, or nothing else is."""
    parser = NounParser(source)
    after = _request(parser).next
    after = parser.skip(after, words.ARTICLES) if after else after
    return parser.text(after, len(parser.tokens)) or None if after else None


def _request(parser: NounParser) -> Request:
    start = 0
    while (after := parser.at(start, words.POLITE)) > start:
        start = after
    after = parser.at(start, words.ASKING)
    if after > start:
        return Request(True, after)
    after = parser.at(start, words.MAYBE_ASKING)
    belongs = (parser.word(after),) in words.LOOSE  # "open in the File menu" names an Open
    return Request(False, start if belongs else after)


def _is_phrase(parser: NounParser, request: Request, reading: Reading) -> bool:
    """Whether it was meant as a phrase. A relation is checked on the screen, so it needs the least other evidence."""
    rest = parser.tokens[request.next :]
    if request.next and _ends_label(rest, request.sure):
        return False
    kind = reading.text is not None or reading.ordinal is not None or reading.position is not None
    noun = reading.role in NOUNS_OF_LABELS
    lower = _is_lower(parser)
    if reading.relations:  # Items in cart
        return bool(request.next or reading.article or reading.text or lower) or not noun
    if reading.quoted or request.sure:
        return True
    if reading.position is not None:
        return True
    if request.next and (reading.article or lower or (reading.role is not None and kind)):
        return True
    if reading.role is None:
        return reading.ordinal is not None and ((reading.article and lower) or not rest[-1].word.isascii())
    if noun and not (reading.role in _NAMED_KINDS and _written_lower(parser) and rest[0].word not in words.DEEDS):
        return reading.article and kind
    return kind and (reading.article or reading.role in _UNMISTAKABLE or _written_lower(parser))


def _ends_label(rest: list[Token], sure: bool) -> bool:
    """Whether what follows a verb makes a label with it: Select all, Tap to retry, Click here."""
    if not rest or rest[0].word in words.GO_ON:
        return True
    return not sure and len(rest) == 1 and rest[0].word in words.ENDS_OF_LABELS


def _is_lower(parser: NounParser) -> bool:
    """Whether nothing but quotations is written with capitals: labels mostly are."""
    return not any(
        character.isupper()
        for token in parser.tokens
        if token.quoted is None
        for character in parser.source[token.start : token.end]
    )


def _written_lower(parser: NounParser) -> bool:
    """Whether the last word, which names the kind, is no part of a title (Nintendo Switch)."""
    last = parser.tokens[-1]
    return last.quoted is not None or not any(map(str.isupper, parser.source[last.start : last.end]))
