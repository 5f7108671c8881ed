"""Which of the lines that were read is the text that a person asked for?

Layers, best first; the first layer with a match decides:

* exact ........ the line is the text
* normalised ... the same but for width (NFKC), case, blanks and punctuation at the ends
* label ........ it stands apart by empty room inside a joined line: beside an icon read as a letter, beside another label
* part ......... it is a part of the line between word borders; the box is cut to the part
* folded ....... the same but for signs that a reader confuses: 0/O, l/I/1
* fuzzy ........ a few letters differ, where the text is long enough for that

`exact=True` stops after "label", and takes no text in quotes or brackets for the text itself. A wrong match is worse than none:
a Chinese text of one or two characters never matches inside a longer run of Chinese (张三 is not 张三丰), and nothing fuzzy may
differ in a digit or in a character that turns the meaning.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import Indel, Levenshtein

from handeye.geometry import Box
from handeye.ocr.base import TextLine

# Confidence of each layer at its best, before the reader's own confidence is counted in. Above 0.8 is "sure" (seed 001).
_EXACT: Final = 1.0
_NORMALISED: Final = 0.97
_LABEL: Final = 0.93
_PART: Final = (0.7, 0.9)  # by the share of the line that the part makes up
_FOLDED: Final = 0.85
_FUZZY: Final = (0.6, 0.8)  # by similarity
# Empty room between two labels, in line heights. Measured in ink: a blank 0.25-0.4, two blanks 0.5-0.56, words without tall
# letters 0.55 ("x more"), an icon beside its label 0.67-0.85, labels of one row 1.0 and more. Three blanks and justified
# text come to 0.8: less than a label's room is enough only beside a lone character, which an icon is often read as.
_LABEL_ROOM: Final = 1.0
_ICON_ROOM: Final = 0.6
# Full-width marks stand in a cell that they fill by half or a third: “ ” ， 、 （ leave 0.6-0.78 of it empty, · on both sides.
_MARK_ROOM: Final = 0.55
# Without measured gaps: a character is at most so many line heights wide, and its place is right to the rest.
_ADVANCE: Final = 1.2
# One letter may differ in so many: fewer would take "Log in" for "Log on", 上一页 for 下一页.
_LETTERS_PER_EDIT: Final = 6
_IDEOGRAPHS_PER_EDIT: Final = 5
_MOST_EDITS: Final = 4
# Up to so many ideographs are a name or a verb that longer words contain.
_SHORT_IDEOGRAPHS: Final = 2
_TURNS_MEANING: Final = frozenset(
    "不未非无没已勿禁允可否上下左右前后内外开关启停闭入出进退收发买卖加减增删高低大小新旧男女一二三四五六七八九十"
)
# Marks at a text's ends that are no dust and no full stop of a reader's: they stand between a text and its neighbour.
_JOINING: Final = frozenset("、,;/&")
_CONFUSED: Final = str.maketrans(
    {"0": "o", "〇": "o", "○": "o", "1": "l", "i": "l", "|": "l", "!": "l", "丨": "l", "ı": "l"}
)


# Typographic quotes and the ones that keyboards have: readers and writers choose at random.
_QUOTING: Final = frozenset({"Pi", "Pf", "Ps", "Pe"})
_QUOTES: Final = str.maketrans(dict.fromkeys("‘’‛ʼ′", "'") | dict.fromkeys("“”„", '"'))


@dataclass(frozen=True, slots=True)
class TextMatch:
    """One place where the text stands: `text` and `box` (frame pixels) of the matching part of `line`; `confidence` 0-1."""

    text: str
    box: Box
    line: TextLine
    layer: str
    confidence: float


@dataclass(frozen=True, slots=True)
class _Plain:
    """Text as it is compared, and for each of its characters the index of the original one."""

    text: str
    origin: tuple[int, ...]


def normalize(text: str) -> str:
    """Text as the "normalised" layer compares it: NFKC, case folded, no blanks, no punctuation at the ends."""
    return _plain(text).text


def fold(text: str) -> str:
    """`normalize`, with signs that readers confuse made equal (0/O, l/I/1)."""
    return normalize(text).translate(_CONFUSED)


def match_text(wanted: str, lines: Iterable[TextLine], *, exact: bool = False) -> list[TextMatch]:
    """All matches of the best layer that has any, most confident first; empty when `wanted` is not there or shows nothing."""
    if not normalize(wanted):  # blanks, but also soft hyphens and the like: they would be found everywhere
        return []
    lines = tuple(lines)
    for layer in _LAYERS[: _EXACT_LAYERS if exact else len(_LAYERS)]:
        matches = [match for line in lines for match in layer(wanted, line)]
        if exact and not _is_quoted(wanted):
            matches = [match for match in matches if not _is_quoted(match.text)]
        if exact:
            matches = [match for match in matches if not _belongs_to_more(wanted, match.text)]
        if matches:
            return sorted(matches, key=lambda match: -match.confidence)
    return []


def same_text(wanted: str, text: str) -> bool:
    """Whether two whole texts agree but for width, case, blanks and punctuation at the ends."""
    want = normalize(wanted)
    return bool(want) and want == normalize(text)


def labels_of(line: TextLine) -> list[TextLine]:
    """The line as the labels that stand apart on it: one, or several that a reader joined."""
    return [
        TextLine(
            line.text[start:end], line.box_of(start, end), line.confidence, line.char_x[start:end], line.gaps[start:end]
        )
        for start, end in _apart(line)
    ]


def _belongs_to_more(wanted: str, text: str) -> bool:
    """Whether a mark at the text's end joins it to something that was not asked for: 张三、 is another name than 张三."""
    return bool(_joining(text) - _joining(wanted))


def _joining(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", text).strip()
    return {plain[0], plain[-1]} & _JOINING if plain else set()


def _exact(wanted: str, line: TextLine) -> Iterator[TextMatch]:
    if line.text.strip() == wanted.strip():
        yield _whole(line, "exact", _EXACT)


def _normalised(wanted: str, line: TextLine) -> Iterator[TextMatch]:
    if same_text(wanted, line.text):
        yield _whole(line, "normalised", _NORMALISED)


def _label(wanted: str, line: TextLine) -> Iterator[TextMatch]:
    spans = _apart(line)
    if len(spans) > 1:
        for start, end in _runs(spans):
            if same_text(wanted, line.text[start:end]):
                yield _cut(line, start, end, "label", _LABEL)


def _part(wanted: str, line: TextLine) -> Iterator[TextMatch]:
    want, have = normalize(wanted), _plain(line.text)
    low, high = _PART
    at = have.text.find(want)
    while at >= 0:
        end = at + len(want)
        if _is_word(have, at, end, line.text):
            share = len(want) / len(have.text)
            yield _cut(line, have.origin[at], have.origin[end - 1] + 1, "part", low + (high - low) * share)
        at = have.text.find(want, at + 1)


def _folded(wanted: str, line: TextLine) -> Iterator[TextMatch]:
    if fold(wanted) == fold(line.text):
        yield _whole(line, "folded", _FOLDED)


def _fuzzy(wanted: str, line: TextLine) -> Iterator[TextMatch]:
    want, have = fold(wanted), fold(line.text)
    allowed = _edits_allowed(want)
    if not allowed or abs(len(want) - len(have)) > allowed:
        return
    if Levenshtein.distance(want, have, score_cutoff=allowed) > allowed or differs_in_meaning(wanted, line.text):
        return
    low, high = _FUZZY
    yield _whole(line, "fuzzy", low + (high - low) * Indel.normalized_similarity(want, have))


_LAYERS: Final[Sequence[Callable[[str, TextLine], Iterator[TextMatch]]]] = (
    _exact,
    _normalised,
    _label,
    _part,
    _folded,
    _fuzzy,
)
_EXACT_LAYERS: Final = 3


def _whole(line: TextLine, layer: str, confidence: float) -> TextMatch:
    return TextMatch(line.text, line.box, line, layer, confidence * _read_well(line))


def _cut(line: TextLine, start: int, end: int, layer: str, confidence: float) -> TextMatch:
    return TextMatch(line.text[start:end], line.box_of(start, end), line, layer, confidence * _read_well(line))


def _read_well(line: TextLine) -> float:
    """The reader's confidence, softened: a doubtful reading that agrees with what was asked for is not so doubtful."""
    return 0.85 + 0.15 * min(1.0, max(0.0, line.confidence))


def _plain(text: str) -> _Plain:
    characters: list[str] = []
    origin: list[int] = []
    for index, original in enumerate(text):
        for character in unicodedata.normalize("NFKC", original).translate(_QUOTES).casefold():
            if not character.isspace() and unicodedata.category(character) not in ("Cf", "Mn"):
                characters.append(character)
                origin.append(index)
    start, end = 0, len(characters)
    while start < end and _is_edge(characters[start]):
        start += 1
    while end > start and _is_edge(characters[end - 1]):
        end -= 1
    if start == end:  # nothing but punctuation: then that is what is asked for
        start, end = 0, len(characters)
    return _Plain("".join(characters[start:end]), tuple(origin[start:end]))


def _is_edge(character: str) -> bool:
    """Punctuation that a label may or may not carry at its ends; signs with a meaning (+, ¥, %, #, @) stay."""
    return unicodedata.category(character).startswith("P") and character not in "%#@&*"


def _is_ideograph(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003ffff" or character in "々〇"


def _is_word(have: _Plain, start: int, end: int, original: str) -> bool:
    """Whether [start, end) is a word of its own rather than a piece of a longer one."""
    inside = have.text[start:end]
    before = _neighbour(original, have.origin[start], -1)
    after = _neighbour(original, have.origin[end - 1], 1)
    short = sum(map(_is_ideograph, inside)) <= _SHORT_IDEOGRAPHS
    for edge, outside in ((inside[0], before), (inside[-1], after)):
        if _is_ideograph(edge):
            if short and outside is not None and (_is_ideograph(outside) or outside.isalpha()):
                return False
        elif edge.isalnum() and outside is not None and outside.isalnum() and not _is_ideograph(outside):
            return False
    # A blank between two short Chinese words is the reader's guess, not a border: 张三 丰.
    return not (
        short and _is_ideograph(inside[0]) and _across_blank(original, have.origin[start], have.origin[end - 1])
    )


def _neighbour(text: str, index: int, step: int) -> str | None:
    at = index + step
    return text[at] if 0 <= at < len(text) else None


def _across_blank(text: str, first: int, last: int) -> bool:
    before, after = text[:first].rstrip(), text[last + 1 :].lstrip()
    return (len(before) < first and bool(before) and _is_ideograph(before[-1])) or (
        len(after) < len(text) - last - 1 and bool(after) and _is_ideograph(after[0])
    )


def _apart(line: TextLine) -> list[tuple[int, int]]:
    """The line's characters as [start, end) runs with more room between them than a label has inside; blanks are in no run."""
    pieces: list[tuple[int, int]] = []
    rooms: list[float] = []  # before each piece
    for index, room in _rooms(line):
        if pieces and room < _ICON_ROOM:
            pieces[-1] = (pieces[-1][0], index + 1)
        else:
            pieces.append((index, index + 1))
            rooms.append(room)
    runs: list[tuple[int, int]] = []
    for place, (piece, room) in enumerate(zip(pieces, rooms, strict=True)):
        beside_icon = (place == 1 and _is_lone(runs[0])) or (place == len(pieces) - 1 and _is_lone(piece))
        if runs and room < _LABEL_ROOM and not beside_icon:
            runs[-1] = (runs[-1][0], piece[1])
        else:
            runs.append(piece)
    return runs


def _is_quoted(text: str) -> bool:
    """Whether a quote or bracket stands at either end: such a text speaks of the thing, it is not the thing's own label."""
    stripped = text.strip()
    return any(
        character in "\"'" or unicodedata.category(character) in _QUOTING for character in stripped[:1] + stripped[-1:]
    )


def _is_lone(run: tuple[int, int]) -> bool:
    return run[1] - run[0] == 1


def _rooms(line: TextLine) -> Iterator[tuple[int, float]]:
    """Each character but blanks, with the empty room before it that it and its neighbour do not explain, in line heights."""
    previous: int | None = None
    for index, character in enumerate(line.text):
        if character.isspace():
            continue
        room = 0.0 if previous is None else _empty(line, previous, index) / line.box.height
        if previous is not None:
            room -= _MARK_ROOM * sum(map(_is_mark, (line.text[previous], character)))
        yield index, room
        previous = index


def _empty(line: TextLine, before: int, index: int) -> float:
    """Pixels without ink between two neighbours: as measured, else guessed from their centres, else 0."""
    if len(line.gaps) == len(line.text):
        return line.gaps[index]
    if len(line.char_x) == len(line.text):
        return line.char_x[index] - line.char_x[before] - _ADVANCE * line.box.height
    return 0.0


def _is_mark(character: str) -> bool:
    """Whether it leaves room in its cell: punctuation and its look-alikes, however wide they were written."""
    return unicodedata.category(character)[0] == "P" or character in "|丨~"


def _runs(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Every unbroken sequence of spans but the whole."""
    for first in range(len(spans)):
        for last in range(first, len(spans)):
            if last - first + 1 < len(spans):
                yield spans[first][0], spans[last][1]


def _edits_allowed(folded: str) -> int:
    per_edit = _IDEOGRAPHS_PER_EDIT if any(map(_is_ideograph, folded)) else _LETTERS_PER_EDIT
    return min(_MOST_EDITS, len(folded) // per_edit)


def differs_in_meaning(wanted: str, text: str) -> bool:
    """Whether two nearly equal texts differ in a digit or in a character that turns the meaning (上/下, 开/关)."""
    want, have = normalize(wanted), normalize(text)
    for edit in Levenshtein.editops(want, have):
        touched = ""
        if edit.tag != "insert":
            touched += want[edit.src_pos]
        if edit.tag != "delete":
            touched += have[edit.dest_pos]
        confused = len(touched) == 2 and touched[0].translate(_CONFUSED) == touched[1].translate(_CONFUSED)
        if not confused and any(character.isdigit() or character in _TURNS_MEANING for character in touched):
            return True
    return False
