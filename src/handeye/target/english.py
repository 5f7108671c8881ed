"""The grammar of English phrases: "the third “Delete” from the bottom", "click on the icon to the left of Settings".

phrase := [verb] noun
"""

from __future__ import annotations

from typing import Final, NamedTuple

from handeye.target import english_words as words
from handeye.target.english_noun import NounParser
from handeye.target.reading import NOUNS_OF_LABELS, Reading

# A text of more words is prose, unless it is asked for.
_LONGEST_LABEL: Final = 8


class Request(NamedTuple):
    """Words that ask, before what is asked for: `sure` when no label begins so. `next` is the first token after them."""

    sure: bool
    next: int


def read(source: str) -> Reading | None:
    """The parts of an English phrase; None when `source` may as well be a label, or says what is not meant."""
    parser = NounParser(source)
    request = _request(parser)
    if any(_is_beyond(parser, at) or _negates(parser, at) for at in range(len(parser.tokens))):
        return None
    found = parser.noun(request.next)
    if found is None or parser.too_deep or found[1] < len(parser.tokens):
        return None
    reading = found[0]
    return reading if reading.names_something and _is_phrase(parser, request, reading) else None


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
    after = parser.past_articles(after) if after else after
    return parser.text(after, len(parser.tokens)) or None if after else None


def _request(parser: NounParser) -> Request:
    start = 0
    while (after := parser.at(start, words.POLITE)) > start:
        start = after
    after = parser.at(start, words.ASKING)
    if after > start:
        return Request(True, after)
    after = parser.at(start, words.MAYBE_ASKING)
    belongs = parser.word(after) in words.PARTICLES  # "open in the File menu" names an Open, "check out" is one verb
    return Request(False, 0 if belongs or after == start else after)


def _is_beyond(parser: NounParser, at: int) -> bool:
    """Whether no rule reads what begins at `at`: "among X", "two rows below X"."""
    if parser.word(at) in words.NUMBERS and parser.word(at + 1) in words.LINES:
        return parser.relation(parser.led(at + 2)) is not None
    return parser.word(at) in words.NOT_READ


def _negates(parser: NounParser, at: int) -> bool:
    """
    Whether the word at `at` says what is not meant: "the button that is not Save", "do not click". In "Not now" and "the Do not
    disturb switch" it belongs to a label.
    """
    if parser.word(at) not in words.NEGATIONS:
        return False
    if at and (parser.tokens[at - 1].comma or parser.word(at - 1) in words.IS | words.LEADS or parser.role(at - 1, at)):
        return True
    after = at + 1
    quoted = after < len(parser.tokens) and parser.tokens[after].quoted is not None
    asked = parser.at(after, words.ASKING) > after or parser.at(after, words.MAYBE_ASKING) > after
    return quoted or asked or parser.word(after) in words.ARTICLES or parser.relation(after) is not None


def _is_phrase(parser: NounParser, request: Request, reading: Reading) -> bool:
    """Whether it was meant as a phrase. A relation is checked on the screen, so it needs the least other evidence."""
    rest = parser.tokens[request.next :]
    if request.next and _ends_label(parser, request):
        return False
    if request.sure or reading.quoted:
        return True
    if reading.role is None and reading.text and len(reading.text.split()) > _LONGEST_LABEL:
        return False
    if reading.relations:
        return _is_related(parser, request, reading)
    if reading.position is not None:
        return True
    named = reading.role is not None and (reading.article or _is_bare_kind(parser, request.next))
    kind = bool(reading.text or reading.ordinal or reading.colour)
    if request.next:
        selected = parser.word(request.next - 1) in words.SELECTING and rest[0].word not in words.NOBODYS
        return reading.article or (named and kind) or (selected and _is_lower(parser))
    if reading.role is None:
        return reading.ordinal is not None and (_is_counted(parser, reading) or not rest[-1].word.isascii())
    return named and (kind or _is_the_only(parser, reading))


def _is_the_only(parser: NounParser, reading: Reading) -> bool:
    """Whether a kind alone is meant: "the combo box" is the only one there. "The option" may be anything."""
    return reading.article and reading.role != "item" and _is_lower(parser)


def _is_counted(parser: NounParser, reading: Reading) -> bool:
    """Whether an ordinal counts: "the second Delete", "third Edit from the top"; not The Last Samurai, nor Second floor."""
    if any(parser.from_side(at) for at in range(1, len(parser.tokens))):
        return True
    counted = parser.ordinal(1)
    return reading.article and counted is not None and parser.text(0, counted[1]).islower()


def _is_related(parser: NounParser, request: Request, reading: Reading) -> bool:
    """Whether a relation was meant. Prose and labels are full of "in the" (Items in cart, Open in the app)."""
    if request.next or reading.role is not None or reading.article:
        bare = reading.role in NOUNS_OF_LABELS and not (request.next or reading.article or reading.text)
        prose = len((reading.text or "").split()) > _LONGEST_LABEL
        return (not bare or _is_lower(parser)) and (not prose or request.next > 0)
    held = all(each.anchor.role is not None or each.anchor.phrase is not None for each in reading.relations)
    loose = any(each.kind in words.LOOSE_KINDS for each in reading.relations)
    return held or not loose or any(token.quoted is not None for token in parser.tokens)


def _is_bare_kind(parser: NounParser, start: int) -> bool:
    """Whether the last words name a kind of control that labels do not end with; a tab's name is no deed (New tab)."""
    end = next((at for at in range(start, len(parser.tokens)) if parser.page(at) > at), len(parser.tokens))
    _role, first = parser.role_before(start, end)
    kind = " ".join(token.word for token in parser.tokens[first:end])
    if kind in words.ALWAYS_KINDS:
        return True
    written_lower = not any(map(str.isupper, parser.text(first, end)))
    return kind in words.BARE_KINDS and written_lower and parser.word(start) not in words.DEEDS


def _ends_label(parser: NounParser, request: Request) -> bool:
    """Whether what follows a verb makes a label with it: Select all, Tap to retry, Click here, Go to the top."""
    rest = range(request.next, len(parser.tokens))
    if not rest or parser.word(rest[0]) in words.GO_ON:
        return True
    if all(parser.is_article(at) or parser.word(at) in words.SIDES or parser.word(at) in words.PAGES for at in rest):
        return True
    return not request.sure and len(rest) == 1 and parser.word(rest[0]) in words.ENDS_OF_LABELS


def _is_lower(parser: NounParser) -> bool:
    """Whether nothing but quotations is written with capitals: labels mostly are."""
    return not any(
        character.isupper()
        for token in parser.tokens
        if token.quoted is None
        for character in parser.source[token.start : token.end]
    )
