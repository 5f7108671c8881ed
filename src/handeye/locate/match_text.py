"""Which of the lines that were read is the text that a person asked for?

Layers, best first; the first layer with a match decides:

* exact ........ the line is the text
* normalised ... the same but for width (NFKC), case, blanks, kinds of quotes and punctuation at the ends
* label ........ it stands apart by empty room inside a joined line: beside an icon read as a letter, beside another label
* decorated .... the same but for what controls add to their labels: a mnemonic (S), a shortcut Ctrl+S, a bullet, an emoji
* variant ...... the same in the other Chinese script (設置, 设置), or without accents
* wrapped ...... it is two or three lines below each other that belong together
* title ........ it stands in a longer line between 《 and 》, which set a link off from its sentence; the box is cut to it
* part ......... it is a part of the line between word borders, with a count or a bullet beside it ("Inbox (12)"); among further
  words or numbers only a candidate; behind a negation nothing at all. The box is cut to the part
* folded ....... the same but for signs that a reader confuses: 0/O, l/I/1; only a candidate where the reader was not in doubt,
  or where a digit is one of them (user1 and userl are two people)
* fuzzy ........ a few letters differ as readers misread them, where the text is long enough for that; only a candidate where
  the reader was sure of what it read

Pieces of one row no further apart than words are one line before that (labels.py). `exact=True` stops after "label", and takes
no text in quotes or brackets for the text itself. A wrong match is worse than none: a Chinese text of one or two characters
never matches inside a longer run of Chinese (张三 is not 张三丰), nothing fuzzy may differ in a digit or in a character that
turns the meaning, and a part among further words is no find ("Save" in "Save as", "Do not save").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rapidfuzz.distance import Indel, Levenshtein

from handeye.geometry import Box
from handeye.locate.decorations import core_of, said
from handeye.locate.labels import apart, around, continues, joined_rows, labels_of, runs_of, wrapped
from handeye.locate.parts import ends_in_negation, is_counted, is_negated, is_word
from handeye.locate.text_forms import (
    Form,
    bare,
    differs_in_meaning,
    edits,
    fold,
    is_ideograph,
    normalize,
    plain,
    same_text,
    simplify,
    without_accents,
)
from handeye.ocr.base import TextLine

__all__ = ["TextMatch", "differs_in_meaning", "fold", "labels_of", "match_text", "normalize", "same_text"]

# Confidence of each layer at its best, before the reader's own confidence is counted in. Above 0.8 is "sure" (seed 001).
_EXACT: Final = 1.0
_NORMALISED: Final = 0.97
_LABEL: Final = 0.93
_DECORATED: Final = 0.92
_SCRIPT: Final = 0.9
_ACCENTS: Final = 0.84
_TITLE: Final = 0.9
_WRAPPED: Final = 0.78
# A label with a count or a bullet ("Inbox (12)"), by its share of the line: it is meant, but is no sure find. And one among
# further words, in quotes or at a colon, which belongs to another control or to a sentence ("Save as", "Error: Save"): only a
# candidate, and no nearer to another one than a tie.
_COUNTED: Final = (0.72, 0.78)
_AMONG_WORDS: Final = (0.4, 0.46)
_FOLDED: Final = 0.78
# One or two signs that are merely alike prove little: 1, l, ! and | on a keypad.
_FOLDED_SHORT: Final = 0.7
_SHORT: Final = 2
# By similarity, where the reader was in doubt. Of 2,187 lines of the corpus that were read right, 98 % had a confidence above
# 0.97, of those with a misread letter none: a letter that differs in a line that was read well is another word (Kin, Kim,
# user1, userl), and no find, only a candidate.
_FUZZY: Final = (0.6, 0.8)
_OTHERWISE_READ_WELL: Final = 0.45
READ_WELL: Final = 0.97
# Below this a reader doubts its letters, and look-alikes may be each other.
IN_DOUBT: Final = 0.9
# From even chance on the reader's confidence is softened: a doubtful reading that agrees with what was asked for is not so
# doubtful. Below, it falls to nothing with it.
_EVEN: Final = 0.5
_SOFTENED: Final = 0.85
# One letter may differ in so many: fewer would take "Log in" for "Log on", 上一页 for 下一页, 全部订单 for 全部账单.
_LETTERS_PER_EDIT: Final = 6
_IDEOGRAPHS_PER_EDIT: Final = 8
_MOST_EDITS: Final = 4
# Letters that readers take for each other. "Upload" and "Unload", "Remove" and "Remote" differ in others: they are other words.
_LOOK_ALIKE: Final = tuple(
    map(frozenset, ("aceo", "ce", "il1tfjr|!", "uvy", "vwy", "mnr", "hbk", "gq9y", "s5", "b8", "z2", "nhu", "dcl"))
)
# What a reader overlooks or sees where nothing is.
_THIN: Final = frozenset("il1|!'`,.;:-_·")
# A wrapped label has at least so many characters, and so many on each line: a 张 above a 三 is not 张三.
_WRAPPED_LEAST: Final = 4
_PIECE_LEAST: Final = 2
# Marks at a text's ends that are no dust and no full stop of a reader's: they stand between a text and its neighbour.
_JOINING: Final = frozenset("、,;/&")
_TITLES: Final = re.compile("《([^《》]+)》")
_QUOTING: Final = frozenset({"Pi", "Pf", "Ps", "Pe"})


@dataclass(frozen=True, slots=True)
class TextMatch:
    """One place where the text stands: `text` and `box` (frame pixels) of the matching part of `line`; `confidence` 0-1."""

    text: str
    box: Box
    line: TextLine
    layer: str
    confidence: float


def match_text(
    wanted: str, lines: Iterable[TextLine], *, exact: bool = False, negated: bool = False
) -> list[TextMatch]:
    """
    All matches of the best layer that has any, most confident first; empty when `wanted` is not there or shows nothing.

    `negated` takes "Don't save" for a place of "save" too, as the last layer: for whoever asks whether a text is still seen.
    """
    if not normalize(wanted):  # blanks, but also soft hyphens and the like: they would be found everywhere
        return []
    lines = tuple(lines)
    rows = joined_rows(lines)
    open_ended = () if negated else tuple(line for line in lines if ends_in_negation(line.text))
    for layer in (_STRICT if exact else _STRICT + _FORGIVING) + ((_negated,) if negated else ()):
        found = list(layer(wanted, rows))
        if found and layer in (_exact, _normalised):
            found += _inside_rows(wanted, lines, rows, found[0])
        matches = [match for match in found if not exact or _is_itself(wanted, match.text)]
        matches = [match for match in matches if not any(continues(match.line, line) for line in open_ended)]
        if matches:
            return sorted(matches, key=lambda match: -match.confidence)
    return []


def _exact(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    for line in lines:
        if line.text.strip() == wanted.strip():
            yield _whole(line, "exact", _EXACT)


def _normalised(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    for line in lines:
        if same_text(wanted, line.text):
            yield _whole(line, "normalised", _NORMALISED)


def _inside_rows(
    wanted: str, lines: Sequence[TextLine], rows: Sequence[TextLine], whole: TextMatch
) -> Iterator[TextMatch]:
    """Where the same words stand inside a row, when `whole` is a row of their own: which lines are joined is chance."""
    best = _EXACT if whole.layer == "exact" else _NORMALISED
    joined = [match for match in _label(wanted, rows) if not same_text(wanted, match.line.text)]
    pieces = [line for line in lines if line not in rows and same_text(wanted, line.text)]
    for match in (*joined, *(_whole(line, "label", best) for line in pieces)):
        if whole.layer != "exact" or match.text.strip() == wanted.strip():
            yield replace(match, confidence=best * _read_well(match.line))


def _label(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    want = normalize(wanted)
    marks = not any(map(str.isalnum, want))  # at a line's ends they are left out of its plain form
    for line in lines:
        if (marks or want in normalize(line.text)) and len(spans := apart(line)) > 1:
            for start, end in runs_of(spans):
                if same_text(wanted, line.text[start:end]):
                    yield _cut(line, start, end, "label", _LABEL)


def _decorated(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    """What is asked for and what is read, without the decoration that only one of them has."""
    want, asked = normalize(wanted), normalize(said(wanted, *core_of(wanted)))
    for line in lines:
        start, end = core_of(line.text)
        if normalize(said(line.text, start, end)) == want or normalize(line.text) == asked:
            yield _cut(line, start, end, "decorated", _DECORATED)


def _variant(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    simplified, bared = simplify(wanted), bare(wanted)
    for line in lines:
        holds = simplified in simplify(line.text) or bared in bare(line.text)
        labels = runs_of(apart(line)) if holds else ()  # those that the line joins
        for start, end in ((0, len(line.text)), *labels):
            text = line.text[start:end]
            if simplified == simplify(text):
                yield _cut(line, start, end, "variant", _SCRIPT)
            elif bared == bare(text) and bared in (simplified, simplify(text)):  # accents on one side only
                yield _cut(line, start, end, "variant", _ACCENTS)


def _wrapped(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    want = normalize(wanted)
    if len(want) < _WRAPPED_LEAST:
        return
    pieces = [line for line in lines if len(line.text) >= _PIECE_LEAST and normalize(line.text) in want]
    if len(pieces) < 2:
        return
    for run in wrapped(lines):
        text = " ".join(line.text for line in run)
        if min(len(line.text) for line in run) >= _PIECE_LEAST and normalize(text) == want:
            whole = TextLine(text, around([line.box for line in run]), min(line.confidence for line in run))
            yield _whole(whole, "wrapped", _WRAPPED)


def _title(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    for line in lines:
        for title in _TITLES.finditer(line.text):
            if same_text(wanted, title[1]):
                yield _cut(line, title.start(), title.end(), "title", _TITLE)


def _part(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    return (match for match, negated in _mentions(wanted, lines) if not negated)


def _negated(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    return (replace(match, layer="negated") for match, negated in _mentions(wanted, lines) if negated)


def _mentions(wanted: str, lines: Sequence[TextLine]) -> Iterator[tuple[TextMatch, bool]]:
    """The parts of lines, and whether a negation before each turns it into the opposite."""
    want = plain(wanted)
    simplified = without_accents(wanted) if any(map(is_ideograph, wanted)) else None
    for line in lines:
        found = list(_parts(want, plain(line.text), line))
        if not found and simplified is not None:
            found = list(_parts(simplified, without_accents(line.text), line))
        yield from found


def _parts(want: Form, have: Form, line: TextLine) -> Iterator[tuple[TextMatch, bool]]:
    at = have.text.find(want.text)
    while at >= 0:
        end = at + len(want.text)
        if is_word(have, at, end, line.text):
            first, last = have.origin[at], have.origin[end - 1] + 1
            before = line.text[:first]
            low, high = _COUNTED if is_counted(before, line.text[first:last], line.text[last:]) else _AMONG_WORDS
            confidence = low + (high - low) * len(want.text) / len(have.text)
            yield _cut(line, first, last, "part", confidence), is_negated(before)
        at = have.text.find(want.text, at + 1)


def _folded(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    want = fold(wanted)
    for line in lines:
        if want == fold(line.text):
            alike = _FOLDED_SHORT if len(want) <= _SHORT else _FOLDED
            doubted = _confidence(line) < IN_DOUBT and not _differs_in_digit(wanted, line.text)
            yield _whole(line, "folded", alike if doubted else _OTHERWISE_READ_WELL)


def _fuzzy(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    want = fold(wanted)
    allowed = _edits_allowed(want)
    low, high = _FUZZY
    for line in lines if allowed else ():
        have = fold(line.text)
        if abs(len(want) - len(have)) > allowed:
            continue
        if Levenshtein.distance(want, have, score_cutoff=allowed) > allowed or differs_in_meaning(wanted, line.text):
            continue
        if all(map(_is_misreading, edits(want, have))):
            similar = low + (high - low) * Indel.normalized_similarity(want, have)
            yield _whole(line, "fuzzy", _if_doubtful(similar, line))


_STRICT: Final[tuple[Callable[[str, Sequence[TextLine]], Iterator[TextMatch]], ...]] = (_exact, _normalised, _label)
_FORGIVING: Final = (_decorated, _variant, _wrapped, _title, _part, _folded, _fuzzy)


def _whole(line: TextLine, layer: str, confidence: float) -> TextMatch:
    return TextMatch(line.text, line.box, line, layer, confidence * _read_well(line))


def _cut(line: TextLine, start: int, end: int, layer: str, confidence: float) -> TextMatch:
    return TextMatch(line.text[start:end], line.box_of(start, end), line, layer, confidence * _read_well(line))


def _read_well(line: TextLine) -> float:
    """The reader's confidence as a factor."""
    sure = _confidence(line)
    softened = _SOFTENED + (1 - _SOFTENED) * max(sure, _EVEN)
    return softened * min(1.0, sure / _EVEN)


def _confidence(line: TextLine) -> float:
    """0-1; what is no such number, as a broken reader may say, is no confidence at all."""
    return line.confidence if 0 <= line.confidence <= 1 else 0.0


def _if_doubtful(confidence: float, line: TextLine) -> float:
    """How sure a likeness is: what was read well and differs is another text."""
    return confidence if _confidence(line) < READ_WELL else _OTHERWISE_READ_WELL


def _differs_in_digit(wanted: str, text: str) -> bool:
    """Whether a digit stands where the other one of two texts that fold the same has something else."""
    pairs = zip(normalize(wanted), normalize(text), strict=False)
    return any(one != other and (one.isdigit() or other.isdigit()) for one, other in pairs)


def _is_itself(wanted: str, text: str) -> bool:
    """Whether the text is the thing's own label, and not in quotes (which speak of it) or joined to more by a mark."""
    quoted = _is_quoted(text) and not _is_quoted(wanted)
    return not quoted and not _joining(text) - _joining(wanted)  # 张三、 is another name than 张三


def _is_quoted(text: str) -> bool:
    """Whether a quote or bracket stands at either end."""
    stripped = text.strip()
    return any(
        character in "\"'" or unicodedata.category(character) in _QUOTING for character in stripped[:1] + stripped[-1:]
    )


def _joining(text: str) -> set[str]:
    normal = unicodedata.normalize("NFKC", text).strip()
    return {normal[0], normal[-1]} & _JOINING if normal else set()


def _edits_allowed(folded: str) -> int:
    per_edit = _IDEOGRAPHS_PER_EDIT if any(map(is_ideograph, folded)) else _LETTERS_PER_EDIT
    return min(_MOST_EDITS, len(folded) // per_edit)


def _is_misreading(touched: str) -> bool:
    """Whether a difference looks like a reader's mistake: look-alike letters, a thin sign overlooked, another ideograph."""
    if len(touched) == 1:
        return touched in _THIN
    if all(map(is_ideograph, touched)):
        return True
    return any(touched[0] in letters and touched[1] in letters for letters in _LOOK_ALIKE)
