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
from handeye.text.folding import differs_in_meaning, is_ideograph, is_readable, normalize
from handeye.text.labels import around
from handeye.text.lines import TextLine
from handeye.text.partial import is_negated

# Shorter texts fit on a line; joining lines for them would make 张三 out of a 张 above a 三.
SHORTEST_BLOCK: Final = 8
# So many characters are no coincidence: a label that wraps is one, whatever stands above and below it.
LEAST_WRAPPED: Final = 20
# Characters of each line of a label that wraps: a 张 above a 三 is not 张三.
_SHORTEST_PIECE: Final = 2
# Lines of a label differ no more in height: a name and the smaller words below it are two.
_UNLIKE: Final = 1.6
# Readers misread about one character in fifty on rendered screens; one in twelve leaves room and is still the same text.
LETTERS_PER_ERROR: Final = 12
# Lines of one paragraph are at most so many line heights apart, and begin or end within so many of the same place.
_GAP: Final = 1.2
# A picture among the characters is read as nothing, or as up to two signs.
_SIGNS_PER_PICTURE: Final = 2
# Of a text at least twice as long, whose beginning may have left the screen, so many characters of its end prove the rest.
_LEAST_TAIL: Final = 60


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
    return readable == len(visible) or (readable >= _SHORTEST_PIECE and readable * 2 >= len(visible))


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
    for run in _runs(ordered, 2 * len(wanted)):
        errors = _errors(want, parts, pictures, _joined(run)) if len(run) == 1 or len(want) >= SHORTEST_BLOCK else None
        if errors is not None and (best is None or errors < best.errors):
            best = _match(run, errors, pictures)
    return best or (_tail(want, ordered) if len(want) >= 2 * _LEAST_TAIL and not pictures else None)


def wrapped_blocks(wanted: str, lines: Sequence[TextLine]) -> list[BlockMatch]:
    """
    Return all places where several lines read exactly as a text. A short one stands alone there; one of at least LEAST_WRAPPED
    characters may stand among others, but not where a line above negates it ("Do not") or the line below goes on ("and from the
    cloud").
    """
    want = normalize(wanted)
    ordered = sorted(lines, key=lambda line: (line.box.top, line.box.left))
    starts = [line for line in ordered if want.startswith(normalize(line.text))]
    found = [
        _match(run)
        for run in _runs(ordered, len(wanted), starts, alike=True)
        if len(run) > 1 and _joined(run) == want and min(len(line.text) for line in run) >= _SHORTEST_PIECE
    ]
    return [match for match in found if not _is_part(match, ordered, alone=len(want) < LEAST_WRAPPED)]


def stands_below(line: TextLine, other: TextLine, first: TextLine, *, alike: bool = True) -> bool:
    """
    Return True if `other` stands close below a line, aligned with the first line of its block and, for `alike`, about as high.
    """
    room, height = other.box.top - line.box.bottom, first.box.height
    low, high = sorted((height, other.box.height))
    shift = min(
        abs(other.box.left - first.box.left),
        abs(other.box.right - first.box.right),
        abs(other.box.left + other.box.right - first.box.left - first.box.right) / 2,
    )
    is_close = -low / 2 <= room <= _GAP * height and shift <= _GAP * height
    return is_close and (not alike or high <= _UNLIKE * low)


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
    for run in _runs(ordered, 2 * len(wanted)):
        if [normalize(line.text) for line in run] == rows:
            return _match(run)
    return None


def _tail(want: str, ordered: Sequence[TextLine]) -> BlockMatch | None:
    """The end of a long text, as long as the screen shows of it."""
    best: BlockMatch | None = None
    for run in _runs(ordered, len(want)):
        have = _joined(run)
        if not _LEAST_TAIL <= len(have) < len(want):
            continue
        errors = _errors(want[-len(have) :], (), 0, have)
        unseen = len(want) - len(have)
        if errors is not None and (best is None or unseen < best.unseen):
            best = _match(run, errors, unseen=unseen)
    return best


def _match(run: tuple[TextLine, ...], errors: int = 0, unreadable: int = 0, unseen: int = 0) -> BlockMatch:
    return BlockMatch(run, around([line.box for line in run]), errors, unreadable, unseen)


def _joined(run: Sequence[TextLine]) -> str:
    return normalize("".join(line.text for line in run))


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


def _runs(
    lines: Sequence[TextLine],
    most: int,
    starts: Sequence[TextLine] | None = None,
    *,
    alike: bool = False,
) -> Iterator[tuple[TextLine, ...]]:
    """Every line (of `starts` alone, if given), and every sequence from it that is one paragraph of about `most` characters."""
    for at, line in enumerate(lines):
        if starts is not None and line not in starts:
            continue
        run = [line]
        yield (line,)
        for other in lines[at + 1 :]:
            if (
                sum(len(each.text) for each in run) > most
                or other.box.top - run[-1].box.bottom > _GAP * line.box.height
            ):
                break
            if stands_below(run[-1], other, line, alike=alike):
                run.append(other)
                yield tuple(run)
