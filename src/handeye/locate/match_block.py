"""Longer texts that wrap over several lines, perhaps with pictures (emoji) among their characters.

`match_text` looks for labels, which mostly stand on one line. A message in a bubble wraps where the bubble ends, and holds
characters that text readers do not read: `match_block` forgives both. `wrapped_blocks` finds labels, letter by letter, short
ones only where they stand alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import Levenshtein

from handeye.geometry import Box
from handeye.locate.labels import around
from handeye.locate.parts import is_negated
from handeye.locate.text_forms import differs_in_meaning, is_ideograph, is_readable, normalize
from handeye.ocr.base import TextLine

# Shorter texts fit on a line; joining lines for them would make 张三 out of a 张 above a 三.
SHORTEST_BLOCK: Final = 8
MOST_LINES: Final = 40
# So many characters are no coincidence: a label that wraps is one, whatever stands above and below it.
LEAST_WRAPPED: Final = 20
# Characters of a label that wraps, and of each of its lines: a 张 above a 三 is not 张三.
_SHORTEST_LABEL: Final = 4
_SHORTEST_PIECE: Final = 2
# Lines of a label differ no more in height.
_UNLIKE: Final = 1.6
# Readers misread about one character in fifty on rendered screens; one in twelve leaves room and is still the same text.
LETTERS_PER_ERROR: Final = 12
# Lines of one paragraph are at most a line height apart, and begin at the same place within a character's width.
_GAP: Final = 1.1
_SHIFT: Final = 1.2
# A picture among the characters is read as nothing, or as up to two signs.
_SIGNS_PER_PICTURE: Final = 2
# Of a text so long that its beginning may have left the screen, so many characters of its end prove the rest.
LONG_TEXT: Final = 120
LEAST_TAIL: Final = 60
# With less than this to compare, a text that is mostly pictures proves nothing.
LEAST_READABLE: Final = 2


@dataclass(frozen=True, slots=True)
class BlockMatch:
    """The lines that make up the text, the box around them, and how many characters were left out as unreadable."""

    lines: tuple[TextLine, ...]
    box: Box
    errors: int
    unreadable: int
    unseen: int = 0  # characters of the beginning that are not on the screen

    @property
    def confidence(self) -> float:
        worst = min(line.confidence for line in self.lines)
        return max(0.5, 0.9 * worst - 0.03 * self.errors - 0.05 * self.unreadable)


def readable_enough(text: str) -> bool:
    """Return True if so much of a text can be read that seeing it proves the whole."""
    visible = [
        character
        for character in text
        if not character.isspace() and unicodedata.category(character) not in ("Cf", "Mn")
    ]
    readable = sum(map(is_readable, visible))
    return readable == len(visible) or (readable >= LEAST_READABLE and readable * 2 >= len(visible))


def match_block(wanted: str, lines: Sequence[TextLine]) -> BlockMatch | None:
    """Return the text as one or several lines that follow each other; None when it is not there or cannot be told."""
    parts, pictures = _readable_parts(wanted)
    want = "".join(parts)
    if not want or not readable_enough(wanted):
        return None
    ordered = sorted(lines, key=lambda line: (line.box.top, line.box.left))
    if not pictures and len(want) < SHORTEST_BLOCK:
        return _as_broken(wanted, ordered)
    best: BlockMatch | None = None
    for run in _runs(ordered, len(want) >= SHORTEST_BLOCK):
        have = normalize("".join(line.text for line in run))
        errors = _errors(want, parts, pictures, have)
        if errors is not None and (best is None or errors < best.errors):
            best = BlockMatch(run, around([line.box for line in run]), errors, pictures)
    return best or (_tail(want, ordered) if len(want) >= LONG_TEXT and not pictures else None)


def wrapped_blocks(wanted: str, lines: Sequence[TextLine]) -> list[BlockMatch]:
    """
    Return all places where several lines read exactly as a text. A short one stands alone there; one of at least LEAST_WRAPPED
    characters may stand among others, but not where a line above negates it ("Do not") or the line below goes on ("and from the
    cloud").
    """
    want = normalize(wanted)
    if len(want) < _SHORTEST_LABEL:
        return []
    ordered = sorted(lines, key=lambda line: (line.box.top, line.box.left))
    texts = [normalize(line.text) for line in ordered]
    found: list[BlockMatch] = []
    for start, text in enumerate(texts):
        if text and len(text) < len(want) and want.startswith(text) and (run := _run_of(want, start, ordered, texts)):
            found.append(BlockMatch(tuple(run), around([line.box for line in run]), 0, 0))
    return [match for match in found if not _is_part(match, ordered, alone=len(want) < LEAST_WRAPPED)]


def stands_below(line: TextLine, other: TextLine, first: TextLine) -> bool:
    """Return True if `other` stands close below a line, as high as the first line of its block and aligned with it."""
    room, low, high = other.box.top - line.box.bottom, *sorted((first.box.height, other.box.height))
    shift = min(
        abs(other.box.left - first.box.left),
        abs(other.box.right - first.box.right),
        abs(other.box.left + other.box.right - first.box.left - first.box.right) / 2,
    )
    return -low / 2 <= room <= _GAP * first.box.height and shift <= _SHIFT * first.box.height and high <= _UNLIKE * low


def _run_of(want: str, start: int, ordered: Sequence[TextLine], texts: Sequence[str]) -> list[TextLine]:
    """Return the lines from `start` on that read together as the text; none where another line comes between."""
    run, rest = [ordered[start]], want[len(texts[start]) :]
    for line, text in zip(ordered[start + 1 :], texts[start + 1 :], strict=True):
        if not rest or line.box.top - run[-1].box.bottom > _GAP * run[0].box.height:
            break
        if stands_below(run[-1], line, run[0]):
            rest = _without_marks(rest)
            if not text or not rest.startswith(text):
                return []
            run.append(line)
            rest = rest[len(text) :]
    return run if not rest and min(len(line.text) for line in run) >= _SHORTEST_PIECE else []


def _without_marks(rest: str) -> str:
    """Return a text without the marks at its beginning, which the normal form of a line leaves out at its end."""
    return rest[
        next((at for at, character in enumerate(rest) if unicodedata.category(character)[0] != "P"), len(rest)) :
    ]


def _is_part(match: BlockMatch, ordered: Sequence[TextLine], *, alone: bool) -> bool:
    """Return True for lines that a line above negates, or that go on below; or where any line stands there, but for `alone`."""
    first, last = match.lines[0], match.lines[-1]
    others = [line for line in ordered if line not in match.lines]
    above = [line for line in others if stands_below(line, first, first)]
    below = [line for line in others if stands_below(last, line, first)]
    if alone:
        return bool(above or below)
    return any(is_negated(line.text) for line in above) or any(_goes_on(last, line, first) for line in below)


def _goes_on(last: TextLine, line: TextLine, first: TextLine) -> bool:
    """Return True if a line goes on with a sentence: it begins with a small letter, or in Chinese after a full line."""
    begins = line.text.lstrip()[:1]
    is_full = last.box.width >= first.box.width - first.box.height
    return begins.islower() or (is_ideograph(begins or " ") and is_full)


def _as_broken(wanted: str, ordered: Sequence[TextLine]) -> BlockMatch | None:
    """A short text with line breaks of its own: line for line, without a misread letter."""
    rows = [row for line in wanted.splitlines() if (row := normalize(line))]
    if len(rows) < 2:
        return None
    for run in _runs(ordered, True):
        if [normalize(line.text) for line in run] == rows:
            return BlockMatch(run, around([line.box for line in run]), 0, 0)
    return None


def _tail(want: str, ordered: Sequence[TextLine]) -> BlockMatch | None:
    """The end of a long text, as long as the screen shows of it."""
    best: BlockMatch | None = None
    for run in _runs(ordered, True):
        have = normalize("".join(line.text for line in run))
        if not LEAST_TAIL <= len(have) < len(want):
            continue
        errors = _errors(want[-len(have) :], (), 0, have)
        unseen = len(want) - len(have)
        if errors is not None and (best is None or unseen < best.unseen):
            best = BlockMatch(run, around([line.box for line in run]), errors, 0, unseen)
    return best


def _readable_parts(text: str) -> tuple[list[str], int]:
    """The readable stretches as they are compared, and how many characters between them are not readable."""
    parts, pictures, current = [], 0, ""
    for character in text:
        if is_readable(character):
            current += character
            continue
        if unicodedata.category(character) not in ("Cf", "Mn", "Cc"):
            pictures += 1
        parts.append(current)
        current = ""
    parts.append(current)
    return [normal for part in parts if (normal := normalize(part) if part.strip() else "")], pictures


def _errors(want: str, parts: Sequence[str], pictures: int, have: str) -> int | None:
    """Return how many characters were misread; None when it is another text."""
    if pictures:
        between = f".{{0,{_SIGNS_PER_PICTURE * pictures}}}?"
        pattern = between + between.join(map(re.escape, parts)) + between
        return 0 if re.fullmatch(pattern, have) else None
    allowed = len(want) // LETTERS_PER_ERROR
    errors = Levenshtein.distance(want, have, score_cutoff=allowed)
    if errors > allowed or (errors and differs_in_meaning(want, have)):
        return None
    return errors


def _runs(lines: Sequence[TextLine], may_wrap: bool) -> Iterator[tuple[TextLine, ...]]:
    """Every line, and every sequence of lines that read as one paragraph."""
    for first, line in enumerate(lines):
        run = [line]
        yield (line,)
        if not may_wrap:
            continue
        for other in lines[first + 1 :]:
            if len(run) == MOST_LINES or other.box.top - run[-1].box.bottom > _GAP * line.box.height:
                break
            if other.box.top >= run[-1].box.bottom - line.box.height / 2 and (
                abs(other.box.left - line.box.left) <= _SHIFT * line.box.height
            ):
                run.append(other)
                yield tuple(run)
