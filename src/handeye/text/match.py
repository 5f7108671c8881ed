"""The lines that were read as the text that a person asked for.

Layers, best first; the first layer with a match decides:

* exact ........ the line is the text
* normalised ... the same but for width (NFKC), case, blanks, kinds of quotes and punctuation at the ends
* label ........ in both, a part of a line that stands apart by empty room is the text
* decorated .... the same but for what controls add to their labels: a mnemonic (S), a shortcut Ctrl+S, a bullet, an emoji
* variant ...... the same in the other Chinese script (設置, 设置), or without accents
* wrapped ...... it is lines below each other that belong together; a longer text also among other lines
* title ........ it stands in a longer line between 《 and 》, which set a link off from its sentence
* part ......... it is a part of the line between word borders, with a count or a bullet beside it ("Inbox (12)"); among further
  words or numbers only a candidate; behind a negation nothing at all. The box is cut to the part, as that of a title is
* misread ...... a few letters differ as readers misread them (0/O, l/I/1), where the text is long enough for that; only a
  candidate where the reader was not in doubt, or where a digit is one of them (user1 and userl are two people)

Pieces of one row no further apart than words are one line before that (labels.py). `exact=True` stops after "normalised", and
takes no text in quotes or brackets for the text itself. A wrong match is worse than none: a Chinese text of one or two
characters never matches inside a longer run of Chinese (张三 is not 张三丰), nothing misread may differ in a digit or in a
character that turns the meaning, and a part among further words is no find ("Save" in "Save as", "Do not save").
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rapidfuzz.distance import Hamming, Levenshtein

from handeye.geometry import Box
from handeye.text.blocks import LEAST_WRAPPED, stands_below, wrapped_blocks
from handeye.text.folding import (
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
    thinned,
    without_accents,
)
from handeye.text.labels import apart, core_of, joined_rows, labels_of, runs_of, said, stands_behind
from handeye.text.lines import TextLine
from handeye.text.partial import ends_in_negation, is_counted, is_negated, is_word

__all__ = ["LAYERS", "TextMatch", "differs_in_meaning", "fold", "labels_of", "match_text", "normalize", "same_text"]

LAYERS: Final = (
    *("exact", "normalised", "label", "decorated", "variant", "wrapped", "title", "part", "misread", "negated"),
)
"""The layers' names, best first."""

# What may be the text: letters that readers take for each other, where the reader was in doubt; two lines that may be one
# label; a label without its accents, or beside its count.
PERHAPS: Final = 0.78
# Told and never chosen: a part of a line, which belongs to another control or to a sentence ("Save as", "Error: Save"), and
# what was read well and otherwise.
CANDIDATE: Final = 0.45
# Below this a reader doubts its letters, and look-alikes may be each other. A letter that differs in a line that was read well
# is another word (Kin, Kim, user1, userl).
IN_DOUBT: Final = 0.9
# Of 2,187 lines of the corpus that were read right, 98 % had a confidence above this, of those with a misread letter none.
READ_WELL: Final = 0.97
# One letter may differ in so many: fewer would take "Log in" for "Log on", 上一页 for 下一页, 全部订单 for 全部账单.
_LETTERS_PER_EDIT: Final = 8
# Letters that readers take for each other. "Upload" and "Unload", "Remove" and "Remote" differ in others: they are other words.
_LOOK_ALIKE: Final = tuple(
    map(frozenset, ("ace0", "1tfjr", "uvy", "vwy", "mnr", "hbk", "gq9y", "s5", "b8", "z2", "nhu", "dc1"))
)
# What a reader overlooks or sees where nothing is.
_THIN: Final = frozenset("1'`,.;:-_·")
# Marks at a text's ends that are no dust and no full stop of a reader's: they stand between a text and its neighbour.
_JOINING: Final = frozenset("、,;/&")
_QUOTING: Final = frozenset({"Pi", "Pf", "Ps", "Pe"})


@dataclass(frozen=True, slots=True)
class TextMatch:
    """
    One place where the text stands: `text` and `box` (frame pixels) of the matching part of `line`; `confidence` 0-1. `first`
    is the first line of a text that wraps: a click between the lines of a link hits nothing.
    """

    text: str
    box: Box
    line: TextLine
    layer: str
    confidence: float
    first: Box | None = None


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
        if found and layer in _STRICT:  # and where it was joined to its neighbour, which is chance
            found += layer(wanted, [line for line in lines if line not in rows])
        matches = [match for match in found if not exact or _is_itself(wanted, match.text)]
        matches = [match for match in matches if not any(_continues(match.line, line) for line in open_ended)]
        if matches:
            return sorted(matches, key=lambda match: -match.confidence)
    return []


def _continues(line: TextLine, before: TextLine) -> bool:
    """Return True if a line may be the rest of a label: behind its beginning on the row, or wrapped below it."""
    return stands_behind(before, line) or stands_below(before, line, before)


def _exact(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    return _labels_that(lines, normalize(wanted), lambda text: text.strip() == wanted.strip(), "exact")


def _normalised(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    return _labels_that(lines, normalize(wanted), lambda text: same_text(wanted, text), "normalised")


def _labels_that(
    lines: Sequence[TextLine], want: str, is_meant: Callable[[str], bool], layer: str
) -> Iterator[TextMatch]:
    """The lines, and the labels that stand apart inside of one, of which `is_meant` is true."""
    marks = not any(map(str.isalnum, want))  # at a line's ends they are left out of its plain form
    for line in lines:
        if is_meant(line.text):
            yield _whole(line, layer)
        elif marks or want in normalize(line.text):
            for start, end in runs_of(apart(line)):
                if is_meant(line.text[start:end]):
                    yield _cut(line, start, end, "label")


def _decorated(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    """Compare what is asked for and what is read without the decoration that only one of them has."""
    start, end = core_of(wanted)
    if wanted[end:].strip() in "+＋-–—":  # "Volume +" is not Volume
        end = len(wanted)
    want, asked = normalize(wanted), normalize(said(wanted, start, end))
    for line in lines:
        start, end = core_of(line.text)
        if normalize(said(line.text, start, end)) == want or normalize(line.text) == asked:
            yield _cut(line, start, end, "decorated")


def _variant(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    simplified, bared = simplify(wanted), bare(wanted)
    for line in lines:
        holds = simplified in simplify(line.text) or bared in bare(line.text)
        labels = runs_of(apart(line)) if holds else ()  # those that the line joins
        for start, end in ((0, len(line.text)), *labels):
            text = line.text[start:end]
            if simplified == simplify(text):
                yield _cut(line, start, end, "variant")
            elif bared == bare(text) and bared in (simplified, simplify(text)):  # accents on one side only
                yield _cut(line, start, end, "variant", PERHAPS)


def wrapped_matches(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    """Yield the places where a text stands on several lines: `match_text` knows them only where no better layer matches."""
    for block in wrapped_blocks(wanted, lines):
        text = " ".join(line.text for line in block.lines)
        whole = TextLine(text, block.box, min(line.confidence for line in block.lines))
        confidence = 1.0 if len(normalize(wanted)) >= LEAST_WRAPPED else PERHAPS
        yield replace(_whole(whole, "wrapped", confidence), first=block.lines[0].box)


def _part(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    found = [match for match, negated in _mentions(wanted, lines) if not negated]
    titles = [match for match in found if match.layer == "title"]
    return iter(titles or found)


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
            counted = is_counted(before, line.text[first:last], line.text[last:])
            confidence = PERHAPS if counted else CANDIDATE * len(want.text) / len(have.text)
            is_title = before.endswith("《") and line.text[last:].startswith("》")
            yield _cut(line, first, last, *(("title",) if is_title else ("part", confidence))), is_negated(before)
        at = have.text.find(want.text, at + 1)


def _misread(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    want = fold(wanted)
    allowed = len(want) // _LETTERS_PER_EDIT
    found: list[tuple[TextLine, bool]] = []
    for line in lines:
        have = fold(line.text)
        if abs(len(want) - len(have)) > allowed or Levenshtein.distance(want, have, score_cutoff=allowed) > allowed:
            continue
        if want == have or (all(map(_is_misreading, edits(want, have))) and not differs_in_meaning(wanted, line.text)):
            changed = "".join(edits(normalize(wanted), normalize(line.text)))
            found.append((line, _confidence(line) <= IN_DOUBT and not any(map(str.isdigit, changed))))
    for line, doubted in found:
        yield _whole(line, "misread", PERHAPS if doubted and len(found) == 1 else CANDIDATE)


_STRICT: Final[tuple[Callable[[str, Sequence[TextLine]], Iterator[TextMatch]], ...]] = (_exact, _normalised)
_FORGIVING: Final = (_decorated, _variant, wrapped_matches, _part, _misread)


def _whole(line: TextLine, layer: str, confidence: float = 1.0) -> TextMatch:
    return TextMatch(line.text, line.box, line, layer, confidence * math.sqrt(_confidence(line)))


def _cut(line: TextLine, start: int, end: int, layer: str, confidence: float = 1.0) -> TextMatch:
    return TextMatch(
        line.text[start:end], line.box_of(start, end), line, layer, confidence * math.sqrt(_confidence(line))
    )


def _confidence(line: TextLine) -> float:
    """0-1; what is no such number, as a broken reader may say, is no confidence at all."""
    return line.confidence if 0 <= line.confidence <= 1 else 0.0


def _is_itself(wanted: str, text: str) -> bool:
    """Return True if the text is the thing's own label, and not in quotes (which speak of it) or joined to more by a mark."""
    return not _marks(text) - _marks(wanted)  # 张三、 is another name than 张三


def _marks(text: str) -> set[str]:
    """Return the joining marks at the ends of a text, and a quotation mark for all kinds of quotes and brackets."""
    normal = unicodedata.normalize("NFKC", text).strip()
    ends = normal[:1] + normal[-1:]
    quoting = any(each in "\"'" or unicodedata.category(each) in _QUOTING for each in ends)
    return ({*ends} & _JOINING) | ({'"'} if quoting else set())


def _is_misreading(touched: str) -> bool:
    """Return True if a reader may have made the difference: look-alike letters, a thin sign overlooked, another ideograph."""
    if len(touched) == 1:
        return touched in _THIN
    if all(map(is_ideograph, touched)):
        return True
    return any(touched[0] in letters and touched[1] in letters for letters in _LOOK_ALIKE)


def misread(text: str, lines: Sequence[TextLine]) -> list[TextLine]:
    """
    The labels that were read with doubt, and differ from `text` in no more than half of its characters, none missing; and those
    that differ in thin letters alone, which a reader takes for each other without any doubt.
    """
    wanted = simplify(text)
    return [
        label
        for line in lines
        for label in labels_of(line)
        if not same_text(text, label.text)
        and ((not label.confidence > IN_DOUBT and _is_like(wanted, label.text)) or is_thinly_like(text, label.text))
    ]


def is_thinly_like(text: str, read: str) -> bool:
    """Return True if a reading is `text` but for thin letters: I, l, 1 and the apostrophe."""
    return thinned(text) == thinned(read) and not same_text(text, read)


def _is_like(wanted: str, text: str) -> bool:
    have = simplify(text)
    return len(have) == len(wanted) and 2 * Hamming.distance(wanted, have) <= len(wanted)
