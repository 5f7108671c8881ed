"""Find the labels in OCR lines: split lines into labels, and join the pieces of a label.

OCR often reads icons as letters of a label, joins the labels of a row into one line, or splits one label into two lines. The
empty space between characters decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import median_low
from typing import Final

from handeye.geometry import Box
from handeye.text.folding import CACHE_SIZE, begins_with_number, is_ideograph, is_readable
from handeye.text.lines import TextLine
from handeye.text.partial import ends_in_negation

# Least empty space between two labels, in widths of an ideograph.
_LABEL_ROOM: Final = 0.7
# In the same unit: least space next to a single character, which may be an icon; largest space between pieces of one line
# (two spaces); and the empty half of full-width punctuation, such as “ ， 、.
_HALF: Final = 0.5
_LETTER: Final = 0.55  # width of other characters
_WIDEST: Final = 1.2  # width of a character in line heights, if only the positions of characters are known
_DIGITS: Final = 6  # rounding, so that the result does not depend on the scale of the screen
# Pieces of a row share this part of the lower one's height, and their heights differ at most like "mm" and "Mj".
_SAME_ROW: Final = 0.6
MAX_HEIGHT_RATIO: Final = 2.0
ONE_HEIGHT: Final = 1.3
"""Factor below which two text heights count as equal."""


def labels_of(line: TextLine) -> list[TextLine]:
    """Return the labels of the line: one, or several that OCR joined."""
    return [
        TextLine(
            line.text[start:end], line.box_of(start, end), line.confidence, line.char_x[start:end], line.gaps[start:end]
        )
        for start, end in label_spans(line)
    ]


def label_spans(line: TextLine) -> list[tuple[int, int]]:
    """
    Return the line's labels as [start, end) runs of characters, separated by more space than a label has inside; spaces are
    in no run. One run if the reader does not report the positions of characters.
    """
    letters = [at for at, character in enumerate(line.text) if not character.isspace()]
    size, runs = _size(line), [(at, at + 1) for at in letters[:1]]
    for place, (before, at) in enumerate(pairwise(letters), 1):
        alone = (place == 1 and _may_be_icon(line, before)) or (place == len(letters) - 1 and _may_be_icon(line, at))
        room = round(_room(line, before, at, size) / size, _DIGITS)
        if room > (_HALF if alone else _LABEL_ROOM):
            runs.append((at, at + 1))
        else:
            runs[-1] = (runs[-1][0], at + 1)
    return runs


def runs_of(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield every contiguous sequence of spans except the whole."""
    for first in range(len(spans)):
        for last in range(first, len(spans)):
            if last - first + 1 < len(spans):
                yield spans[first][0], spans[last][1]


def joined_rows(lines: Sequence[TextLine]) -> tuple[TextLine, ...]:
    """Return the lines, with pieces on one row that are no further apart than words joined into one line."""
    return tuple(lines) if len(lines) < 2 else _rows(tuple(lines))


@lru_cache(maxsize=4)  # frames: each search needs the rows of the same lines several times
def _rows(lines: tuple[TextLine, ...]) -> tuple[TextLine, ...]:
    rows: list[list[TextLine]] = []
    recent: list[list[TextLine]] = []  # rows that the next line may continue
    for line in sorted(lines, key=lambda each: (each.box.left, each.box.top)):
        recent = [
            row for row in recent if line.box.left - row[-1].box.right <= _HALF * MAX_HEIGHT_RATIO * row[-1].box.height
        ]
        row = next((row for row in recent if follows_on_row(row[-1], line)), None)
        if row is not None:
            row.append(line)
        else:
            rows.append([line])
            recent.append(rows[-1])
    whole = [row[0] if len(row) == 1 else _joined(row) for row in rows]
    return tuple(sorted(whole, key=lambda each: (each.box.top, each.box.left)))


def follows_on_row(piece: TextLine, line: TextLine) -> bool:
    """Return True if `line` follows `piece` on its row, no further away than a word."""
    shared = min(piece.box.bottom, line.box.bottom) - max(piece.box.top, line.box.top)
    if shared <= 0:
        return False
    low, high = sorted((piece.box.height, line.box.height))
    room = line.box.left - piece.box.right
    return shared >= _SAME_ROW * low and high <= MAX_HEIGHT_RATIO * low and -low / 2 <= room <= _HALF * high


def bounding_box(boxes: Sequence[Box]) -> Box:
    """Return the bounding box of all boxes."""
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _joined(pieces: Sequence[TextLine]) -> TextLine:
    """Return the pieces of one row as one line, with a space between them; unknown character positions are estimated."""
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
        text, bounding_box([piece.box for piece in pieces]), confidence, tuple(centres), tuple(gaps) if measured else ()
    )


def _centres(line: TextLine) -> Sequence[float]:
    if len(line.char_x) == len(line.text):
        return line.char_x
    step = line.box.width / max(1, len(line.text))
    return [line.box.left + (index + 0.5) * step for index in range(len(line.text))]


def _size(line: TextLine) -> float:
    """
    Return the width of an ideograph of the line in pixels, from the pitch of its characters: the line height may include
    icons.
    """
    pairs = pairwise(zip(line.text, line.char_x, strict=False))
    sizes = [
        (x - before) / (1.0 if is_ideograph(one) and is_ideograph(other) else _LETTER)
        for (one, before), (other, x) in pairs
        if not (one.isspace() or other.isspace())
    ]
    return max(1.0, min([median_low(sizes), line.box.height] if sizes else [line.box.height]))


def _room(line: TextLine, before: int, at: int, size: float) -> float:
    """Return the empty pixels before a character, without the empty part of punctuation on both sides."""
    marks = sum(unicodedata.category(line.text[each])[0] == "P" for each in (before, at))
    if len(line.gaps) == len(line.text):
        room = float(line.gaps[at])
    elif len(line.char_x) == len(line.text):
        room = line.char_x[at] - line.char_x[before] - _WIDEST * line.box.height
    else:
        return 0.0
    return room - _HALF * size * marks


def _may_be_icon(line: TextLine, at: int) -> bool:
    """Return True for a character that does not negate its neighbour (不 同意)."""
    return not ends_in_negation(line.text[at])


# Decorations that controls add to their labels: mnemonics, shortcuts, bullets, arrows, marks for required fields, emoji.

# Signs next to a label. A sign may belong to a number (+5, +£5), so a label must follow.
_SIGNS: Final = r"+＋\-–—✓√✔×✕▶►▸▼▾▲△▽▷●○■□◆◇★☆→←↓↑>＞<›»‹«•·*≡☰\s"
_KEYS: Final = r"ctrl|control|alt|shift|cmd|command|win|meta|super|option|opt|fn|⌘|⌥|⇧|⌃"
# A label between signs, with a mnemonic (保存(S), 保存(&S)... and "Save (S)") and a shortcut ("Save Ctrl+Shift+S", "Copy ⌘C"):
# at least one modifier, then one key. OCR reads a menu icon before Latin letters as 三.
_DECORATED: Final = re.compile(
    rf"(?:[{_SIGNS}]|三(?=\s*[A-Za-z]))*(?P<label>.+?)(?P<mnemonic>\s?[(（]&?(?P<letter>[A-Za-z])[)）][^\w+]*?)?"
    rf"(?:\s+(?:(?:{_KEYS})\s?[+\-]?\s?){{1,4}}(?:[a-z0-9,.;/=+\-]|f\d{{1,2}}|del|delete|ins|enter|return|esc|tab|space|"
    rf"home|end|up|down|left|right|backspace|pgup|pgdn|page ?up|page ?down|[←→↑↓⏎⌫]))?[{_SIGNS}]*",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST: Final = 80  # characters: longer texts are no labels, and would take long to match


@lru_cache(maxsize=CACHE_SIZE)
def core_of(text: str) -> tuple[int, int]:
    """Return the label without decorations as [start, end) of `text`; all of it without decorations."""
    drawn = "".join("•" if _is_picture(character) else character for character in text)
    found = _DECORATED.fullmatch(drawn) if len(text) <= _LONGEST else None
    if found is None:
        return 0, len(text)
    start, end = found.span("label")
    if found["mnemonic"] and not _may_be_mnemonic(found["label"], found["letter"]):
        end = found.end("mnemonic")
    core = text[start:end].strip()
    # A single character is no label, and a sign before a number belongs to the number.
    return (0, len(text)) if len(core) == 1 or (start and begins_with_number(core)) else (start, end)


def without_mnemonic_sign(text: str, start: int, end: int) -> str:
    """Return `text[start:end]` without the sign before a mnemonic (&Save, E&xit)."""
    return text[start:end].replace("&", "")


def _may_be_mnemonic(label: str, letter: str) -> bool:
    """Return True for a letter of the label, or any letter after a Chinese label; "Vitamin (C)" has no mnemonic."""
    return letter.casefold() in label.casefold() or any(map(is_ideograph, label))


def _is_picture(character: str) -> bool:
    """Return True for an emoji or a dingbat, which OCR reads as nothing or anything; not for a key or a degree sign."""
    is_drawn = unicodedata.category(character) in ("So", "Sk", "Cf", "Mn", "Co", "Me")
    return is_drawn and not is_readable(character) and character not in "°℃℉⌘⌥⇧⌃⏎⌫"
