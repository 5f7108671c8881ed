"""Where one label ends and the next begins: labels that a reader joined are taken apart, and pieces of one are joined.

A reader hands over lines by its own idea of a line. Icons are read as letters and stick to their labels, the labels of a row
become one line, and one label becomes two lines. What decides is empty room, measured in the size of the letters (em): a line's
box is as high as its highest sign, the letters of a row of a table or beside an icon are not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from handeye.geometry import Box
from handeye.locate.parts import ends_in_negation
from handeye.locate.text_forms import is_ideograph
from handeye.ocr.base import TextLine

# Empty room between two labels, in em. On the corpus's screens that may be tuned on, 11,280 gaps between the characters of one
# label come to 0.49 at most, 119 between two labels to 0.73 at least (held out: 0.53 at most, and 96 % above 0.7). Between an
# icon that was read as a character and its label: 0.5-1.6, which is enough only beside a lone character.
_LABEL_ROOM: Final = 0.7
_ICON_ROOM: Final = 0.5
# Full-width marks stand in a cell that they fill by half or a third: “ ” ， 、 （ leave 0.6-0.78 of it empty, · on both sides.
_MARK_ROOM: Final = 0.55
# Room is told to so many digits: the last bit of a sum must not tell a screen from the same one at another scale.
_DIGITS: Final = 6
# Without measured gaps: a character is at most so many line heights wide, and its place is right to the rest.
_WIDEST: Final = 1.2
# How high capitals and digits are, in em. Where the letters' size cannot be told, a line is taken to hold only these.
_CAPITAL_HEIGHT: Final = 0.7
# Advances in em, as Arial has them: common interface fonts differ by a tenth. An ideograph is an em wide.
_ADVANCES: Final = {
    **dict.fromkeys("0123456789abcdeghnopqsuvxyz", 0.55),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ", 0.68),
    **dict.fromkeys("mwMW", 0.85),
    **dict.fromkeys("iljI", 0.25),
    **dict.fromkeys("frt", 0.3),
}
# Neighbours further apart (in em) tell of a blank and not of the letters' size. What is far is known once the size is: the
# first round counts too much, the third finds nothing new.
_NEXT: Final = 0.35
_ROUNDS: Final = 3
# Letters are at least so high beside an icon or a badge, in line heights: 0.4-0.6 on the corpus's screens. Two of Latin letters
# or one of ideographs tell their size, less is chance: a reader knows a character's place to a third of its width.
_SMALLEST: Final = 0.35
_TELLING: Final = 1.0
# Pieces with no more room between them than two blanks are one line, as the measures above tell.
_WORD_ROOM: Final = 0.5
# They share this much of the lower one's height, and are not more unlike in height than "mm" and "Mj".
_SAME_ROW: Final = 0.6
_MOST_UNLIKE: Final = 2.0
# Lines of one wrapped label: at most so far apart, and begin, end or have their middle at the same place (in line heights).
# In buttons and captions the ink of two lines is 0.3-0.7 apart; rows of a menu or list 0.9 and more.
_LINE_ROOM: Final = 0.8
_SHIFT: Final = 0.6
_WRAPPED_UNLIKE: Final = 1.6
MOST_WRAPPED: Final = 3


def labels_of(line: TextLine) -> list[TextLine]:
    """The line as the labels that stand apart on it: one, or several that a reader joined."""
    return [
        TextLine(
            line.text[start:end], line.box_of(start, end), line.confidence, line.char_x[start:end], line.gaps[start:end]
        )
        for start, end in apart(line)
    ]


def apart(line: TextLine) -> list[tuple[int, int]]:
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
        beside_icon = (place == 1 and _may_be_icon(line, runs[0])) or (
            place == len(pieces) - 1 and _may_be_icon(line, piece)
        )
        if runs and room < _LABEL_ROOM and not beside_icon:
            runs[-1] = (runs[-1][0], piece[1])
        else:
            runs.append(piece)
    return runs


def runs_of(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Every unbroken sequence of spans but the whole."""
    for first in range(len(spans)):
        for last in range(first, len(spans)):
            if last - first + 1 < len(spans):
                yield spans[first][0], spans[last][1]


def joined_rows(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines, with pieces that stand on one row no further apart than words made into one line."""
    rows: list[list[TextLine]] = []
    recent: list[list[TextLine]] = []  # rows that the next line may continue
    for line in sorted(lines, key=lambda each: (each.box.left, each.box.top)):
        recent = [
            row for row in recent if line.box.left - row[-1].box.right <= _WORD_ROOM * _MOST_UNLIKE * row[-1].box.height
        ]
        row = next((row for row in recent if _continues(row[-1], line)), None)
        if row is not None:
            row.append(line)
        else:
            rows.append([line])
            recent.append(rows[-1])
    whole = [row[0] if len(row) == 1 else _joined(row) for row in rows]
    return sorted(whole, key=lambda each: (each.box.top, each.box.left))


def wrapped(lines: Sequence[TextLine]) -> Iterator[tuple[TextLine, ...]]:
    """
    Every run of two or three lines that can be one label wrapped: close below each other, aligned, and with nothing above or
    below that continues them the same way (a list, a paragraph).
    """
    ordered = sorted(lines, key=lambda line: line.box.top)
    below = {id(line): _below(line, ordered[place + 1 :]) for place, line in enumerate(ordered)}
    continued = {id(after) for after in below.values() if after is not None}
    for first in ordered:
        if id(first) in continued:
            continue
        run = [first]
        while (after := below[id(run[-1])]) is not None and len(run) <= MOST_WRAPPED:
            run.append(after)
        if 2 <= len(run) <= MOST_WRAPPED:
            yield tuple(run)


def continues(line: TextLine, before: TextLine) -> bool:
    """Whether a line may be the rest of a label that begins with `before`: behind it on its row, or wrapped below it."""
    return _continues(before, line) or _below(before, (line,)) is not None


def around(boxes: Sequence[Box]) -> Box:
    """The box around all boxes."""
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _below(line: TextLine, later: Sequence[TextLine]) -> TextLine | None:
    """The nearest line that may be the rest of a wrapped label."""
    box, height = line.box, line.box.height
    for other in later:
        room = other.box.top - box.bottom
        if room > _LINE_ROOM * height:
            return None
        unlike = max(height, other.box.height) / max(1, min(height, other.box.height))
        shift = min(
            abs(other.box.left - box.left),
            abs(other.box.right - box.right),
            abs(other.box.left + other.box.right - box.left - box.right) / 2,
        )
        if room > -height / 2 and unlike <= _WRAPPED_UNLIKE and shift <= _SHIFT * height:
            return other
    return None


def _continues(piece: TextLine, line: TextLine) -> bool:
    """Whether `line` stands behind `piece` on its row, no further than a word does."""
    shared = min(piece.box.bottom, line.box.bottom) - max(piece.box.top, line.box.top)
    if shared <= 0:
        return False
    low, high = sorted((piece.box.height, line.box.height))
    room = line.box.left - piece.box.right
    return shared >= _SAME_ROW * low and high <= _MOST_UNLIKE * low and -low / 2 <= room <= _WORD_ROOM * high


def _joined(pieces: Sequence[TextLine]) -> TextLine:
    """Pieces of one row as one line, with a blank between them; positions that a piece does not know are estimated."""
    text, centres, gaps = "", [], []
    measured = all(len(piece.gaps) == len(piece.text) for piece in pieces)
    for before, piece in zip((None, *pieces), pieces, strict=False):
        room = 0
        if before is not None:
            room = max(0, piece.box.left - before.box.right)
            text += " "
            centres.append((before.box.right + piece.box.left) / 2)
            gaps.append(0)
        text += piece.text
        centres += _centres(piece)
        gaps += [room, *piece.gaps[1:]]
    confidence = min(piece.confidence for piece in pieces)
    return TextLine(
        text, around([piece.box for piece in pieces]), confidence, tuple(centres), tuple(gaps) if measured else ()
    )


def _centres(line: TextLine) -> Sequence[float]:
    if len(line.char_x) == len(line.text):
        return line.char_x
    step = line.box.width / max(1, len(line.text))
    return [line.box.left + (index + 0.5) * step for index in range(len(line.text))]


def _may_be_icon(line: TextLine, run: tuple[int, int]) -> bool:
    """Whether it is one character, and none that turns the meaning of its neighbour (不 同意)."""
    return run[1] - run[0] == 1 and not ends_in_negation(line.text[run[0]])


def _rooms(line: TextLine) -> Iterator[tuple[int, float]]:
    """Each character but blanks, with the empty room before it that it and its neighbour do not explain, in em."""
    previous: int | None = None
    em = _em(line)
    for index, character in enumerate(line.text):
        if character.isspace():
            continue
        room = 0.0 if previous is None else _empty(line, previous, index) / em
        if previous is not None:
            room -= _MARK_ROOM * sum(map(_is_mark, (line.text[previous], character)))
        yield index, round(room, _DIGITS)
        previous = index


def _em(line: TextLine) -> float:
    """
    The size of a line's letters in pixels, from how far apart neighbours stand; no more than its height allows.

    A row of a table is as high as its badges, and a line with an icon as high as the icon.
    """
    em = line.box.height / _CAPITAL_HEIGHT
    if len(line.gaps) != len(line.text) or len(line.char_x) != len(line.text):
        return em
    for _ in range(_ROUNDS):
        width = units = 0.0
        for place, (one, other) in enumerate(pairwise(line.text)):
            advances = _advance(one), _advance(other)
            if all(advances) and line.gaps[place + 1] <= _NEXT * em:
                width += line.char_x[place + 1] - line.char_x[place]
                units += sum(advances) / 2
        if units < _TELLING:
            break
        em = max(_SMALLEST * line.box.height, min(em, width / units))
    return em


def _advance(character: str) -> float:
    """How wide a letter, digit or ideograph is, in em; 0 for what tells nothing."""
    return 1.0 if is_ideograph(character) else _ADVANCES.get(character, 0.0)


def _empty(line: TextLine, before: int, index: int) -> float:
    """Pixels without ink between two neighbours: as measured, else guessed from their centres, else 0."""
    if len(line.gaps) == len(line.text):
        return line.gaps[index]
    if len(line.char_x) == len(line.text):
        return line.char_x[index] - line.char_x[before] - _WIDEST * line.box.height
    return 0.0


def _is_mark(character: str) -> bool:
    """Whether it leaves room in its cell: punctuation and its look-alikes, however wide they were written."""
    return unicodedata.category(character)[0] == "P" or character in "|丨~"
