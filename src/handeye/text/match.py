"""Match a requested text with the lines that OCR read.

Layers, best first; the first layer with a match decides:

* exact ........ the line is the text
* normalised ... equal except for width (NFKC), case, spaces, kinds of quotes and punctuation at the ends
* label ........ as in both, for a part of a line that is separated by empty space
* decorated .... equal except for what controls add to their labels: a mnemonic (S), a shortcut Ctrl+S, a bullet, an emoji
* variant ...... equal in the other Chinese script (設置, 设置), or without accents
* wrapped ...... lines of one paragraph that together are the text; a longer text also among other lines
* title ........ a part of a longer line between 《 and 》, which separate a link from its sentence
* part ......... a part of the line between word borders, with a count or a bullet next to it ("Inbox (12)"); among further
  words or numbers only a candidate; after a negation no match at all. The box is cut to the part, as for a title
* misread ...... a few letters differ by typical OCR errors (0/O, l/I/1), if the text is long enough; only a candidate if the
  reader was confident, or if one of them is a digit (user1 and userl are two people)

Pieces of one row no further apart than words are joined before that (labels.py). `exact=True` stops after "normalised", and
rejects text in quotes or brackets. A wrong match is worse than none: a Chinese text of one or two characters never matches
inside a longer run of Chinese (张三 is not 张三丰), a misread text may not differ in a digit or in a character that changes the
meaning, and a part among further words is no match ("Save" in "Save as", "Do not save").
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rapidfuzz.distance import Hamming, Levenshtein

from handeye.geometry import Box
from handeye.text.blocks import LEAST_WRAPPED, follows_below, wrapped_blocks
from handeye.text.folding import (
    Form,
    differs_in_meaning,
    edits,
    fold,
    is_ideograph,
    merge_thin_letters,
    normalize,
    plain,
    same_text,
    simplify,
    without_accents,
    without_diacritics,
)
from handeye.text.labels import (
    core_of,
    follows_on_row,
    joined_rows,
    label_spans,
    labels_of,
    runs_of,
    without_mnemonic_sign,
)
from handeye.text.lines import TextLine
from handeye.text.partial import ends_in_negation, is_counted, is_negated, is_word

LAYERS: Final = (
    *(
        "exact",
        "normalised",
        "label",
        "decorated",
        "variant",
        "wrapped",
        "title",
        "part",
        "misread",
        "negated",
    ),
)
"""The names of the layers, best first."""

# Confidence of an uncertain match: letters that OCR confuses in a line of low confidence; two lines that may be one label;
# a label without its accents, or next to its count.
UNCERTAIN: Final = 0.78
# Confidence of a match that is reported but never chosen: a part of a line, which belongs to another control or to a sentence
# ("Save as", "Error: Save"), and a different text that was read well.
CANDIDATE: Final = 0.45
# OCR confidence below which look-alike letters may be confused. A different letter in a line that was read well is another
# word (Kin, Kim, user1, userl).
LOW_CONFIDENCE: Final = 0.9
# OCR confidence of lines that were read well. Of 2,187 correctly read lines of the corpus, 98 % had a higher confidence, of
# those with a misread letter none.
HIGH_CONFIDENCE: Final = 0.97
# Letters per allowed difference: with fewer, "Log in" would match "Log on", 上一页 下一页, and 全部订单 全部账单.
_LETTERS_PER_EDIT: Final = 8
# Letters that OCR confuses. "Upload" and "Unload", "Remove" and "Remote" differ in others: they are different words.
_LOOK_ALIKE: Final = tuple(
    map(frozenset, ("ace0", "1tfjr", "uvy", "vwy", "mnr", "hbk", "gq9y", "s5", "b8", "z2", "nhu", "dc1"))
)
# Characters that OCR misses or adds.
_THIN: Final = frozenset("1'`,.;:-_·")
# Punctuation at a text's ends that is not an OCR artefact, but joins the text to its neighbour.
_JOINING: Final = frozenset("、,;/&")
_QUOTING: Final = frozenset({"Pi", "Pf", "Ps", "Pe"})


@dataclass(frozen=True, slots=True)
class TextMatch:
    """
    One match of the text: `text` and `box` (frame pixels) of the matching part of `line`; `confidence` 0-1. `first` is the
    box of the first line of a wrapped text: a click between the lines of a link misses it.
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
    Return all matches of the best layer that has any, most confident first; empty if `wanted` is not there or blank.

    `negated` also returns "Don't save" for "save", as the last layer: for checks whether a text is still visible.
    """
    if not normalize(wanted):  # spaces, but also soft hyphens and the like, would match everywhere
        return []
    lines = tuple(lines)
    rows = joined_rows(lines)
    open_ended = () if negated else tuple(line for line in lines if ends_in_negation(line.text))
    for layer in (_STRICT if exact else _STRICT + _FORGIVING) + ((_negated,) if negated else ()):
        found = list(layer(wanted, rows))
        if found and layer in _STRICT:  # also lines that were joined to their neighbours, which is random
            found += layer(wanted, [line for line in lines if line not in rows])
        matches = [match for match in found if not exact or _is_own_label(wanted, match.text)]
        matches = [match for match in matches if not any(_continues(match.line, line) for line in open_ended)]
        if matches:
            return sorted(matches, key=lambda match: -match.confidence)
    return []


def _continues(line: TextLine, before: TextLine) -> bool:
    """Return True if a line may be the rest of a label: after its beginning on the row, or wrapped below it."""
    return follows_on_row(before, line) or follows_below(before, line, before)


def _exact(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    return _matching_labels(lines, normalize(wanted), lambda text: text.strip() == wanted.strip(), "exact")


def _normalised(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    return _matching_labels(lines, normalize(wanted), lambda text: same_text(wanted, text), "normalised")


def _matching_labels(
    lines: Sequence[TextLine], want: str, is_meant: Callable[[str], bool], layer: str
) -> Iterator[TextMatch]:
    """Yield the lines, and the labels separated by space inside a line, for which `is_meant` is true."""
    marks = not any(map(str.isalnum, want))  # the normalised line lacks punctuation at its ends
    for line in lines:
        if is_meant(line.text):
            yield _whole(line, layer)
        elif marks or want in normalize(line.text):
            for start, end in runs_of(label_spans(line)):
                if is_meant(line.text[start:end]):
                    yield _cut(line, start, end, "label")


def _decorated(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    """Yield the lines that equal the text without the decoration that only one of them has."""
    start, end = core_of(wanted)
    if wanted[end:].strip() in "+＋-–—":  # "Volume +" is not Volume
        end = len(wanted)
    want, asked = normalize(wanted), normalize(without_mnemonic_sign(wanted, start, end))
    for line in lines:
        start, end = core_of(line.text)
        if normalize(without_mnemonic_sign(line.text, start, end)) == want or normalize(line.text) == asked:
            yield _cut(line, start, end, "decorated")


def _variant(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    simplified, bared = simplify(wanted), without_diacritics(wanted)
    for line in lines:
        holds = simplified in simplify(line.text) or bared in without_diacritics(line.text)
        labels = runs_of(label_spans(line)) if holds else ()  # labels joined in the line
        for start, end in ((0, len(line.text)), *labels):
            text = line.text[start:end]
            if simplified == simplify(text):
                yield _cut(line, start, end, "variant")
            elif bared == without_diacritics(text) and bared in (
                simplified,
                simplify(text),
            ):  # accents on one side only
                yield _cut(line, start, end, "variant", UNCERTAIN)


def wrapped_matches(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    """Yield the matches of a text on several lines; `match_text` returns them only if no better layer matches."""
    for block in wrapped_blocks(wanted, lines):
        text = " ".join(line.text for line in block.lines)
        whole = TextLine(text, block.box, min(line.confidence for line in block.lines))
        confidence = 1.0 if len(normalize(wanted)) >= LEAST_WRAPPED else UNCERTAIN
        yield replace(_whole(whole, "wrapped", confidence), first=block.lines[0].box)


def _part(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    found = [match for match, negated in _mentions(wanted, lines) if not negated]
    titles = [match for match in found if match.layer == "title"]
    return iter(titles or found)


def _negated(wanted: str, lines: Sequence[TextLine]) -> Iterator[TextMatch]:
    return (replace(match, layer="negated") for match, negated in _mentions(wanted, lines) if negated)


def _mentions(wanted: str, lines: Sequence[TextLine]) -> Iterator[tuple[TextMatch, bool]]:
    """Yield the matching parts of lines, and whether a negation before each reverses its meaning."""
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
            confidence = UNCERTAIN if counted else CANDIDATE * len(want.text) / len(have.text)
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
            found.append((line, _confidence(line) <= LOW_CONFIDENCE and not any(map(str.isdigit, changed))))
    for line, doubted in found:
        yield _whole(line, "misread", UNCERTAIN if doubted and len(found) == 1 else CANDIDATE)


_STRICT: Final[tuple[Callable[[str, Sequence[TextLine]], Iterator[TextMatch]], ...]] = (_exact, _normalised)
_FORGIVING: Final = (_decorated, _variant, wrapped_matches, _part, _misread)


def _whole(line: TextLine, layer: str, confidence: float = 1.0) -> TextMatch:
    return TextMatch(line.text, line.box, line, layer, confidence * math.sqrt(_confidence(line)))


def _cut(line: TextLine, start: int, end: int, layer: str, confidence: float = 1.0) -> TextMatch:
    return TextMatch(
        line.text[start:end], line.box_of(start, end), line, layer, confidence * math.sqrt(_confidence(line))
    )


def _confidence(line: TextLine) -> float:
    """Return the confidence of a line, 0-1; 0 for an invalid number."""
    return line.confidence if 0 <= line.confidence <= 1 else 0.0


def _is_own_label(wanted: str, text: str) -> bool:
    """
    Return True if the text is a label itself, not in quotes (which refer to it) or joined to more text by punctuation.
    """
    return not _marks(text) - _marks(wanted)  # 张三、 is another name than 张三


def _marks(text: str) -> set[str]:
    """Return the joining punctuation at the ends of a text, and a quotation mark for all kinds of quotes and brackets."""
    normal = unicodedata.normalize("NFKC", text).strip()
    ends = normal[:1] + normal[-1:]
    quoting = any(each in "\"'" or unicodedata.category(each) in _QUOTING for each in ends)
    return ({*ends} & _JOINING) | ({'"'} if quoting else set())


def _is_misreading(touched: str) -> bool:
    """Return True if the difference may be an OCR error: look-alike letters, a missed thin character, another ideograph."""
    if len(touched) == 1:
        return touched in _THIN
    if all(map(is_ideograph, touched)):
        return True
    return any(touched[0] in letters and touched[1] in letters for letters in _LOOK_ALIKE)


def possible_misreadings(text: str, lines: Sequence[TextLine]) -> list[TextLine]:
    """
    Return the labels with low OCR confidence that differ from `text` in at most half of its characters, none missing; and
    those that differ only in thin letters, which OCR confuses at any confidence.
    """
    wanted = simplify(text)
    return [
        label
        for line in lines
        for label in labels_of(line)
        if not same_text(text, label.text)
        and (
            (not label.confidence > LOW_CONFIDENCE and _is_like(wanted, label.text))
            or differs_in_thin_letters(text, label.text)
        )
    ]


def differs_in_thin_letters(text: str, read: str) -> bool:
    """Return True if a reading differs from `text` only in thin letters: I, l, 1 and the apostrophe."""
    return merge_thin_letters(text) == merge_thin_letters(read) and not same_text(text, read)


def _is_like(wanted: str, text: str) -> bool:
    have = simplify(text)
    return len(have) == len(wanted) and 2 * Hamming.distance(wanted, have) <= len(wanted)
