"""Match longer texts that wrap over several lines, perhaps with pictures (emoji) among their characters.

`match_text` searches for labels, which are mostly on one line. A message in a bubble wraps at the end of the bubble, and may
contain characters that OCR does not read: `match_block` allows both. `wrapped_blocks` finds labels by exact letters, short ones
only without neighbouring lines.
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
from handeye.text.labels import bounding_box
from handeye.text.lines import TextLine
from handeye.text.partial import is_negated

# Least characters of a text for joining lines. Shorter texts fit on a line, and 张 above 三 is not 张三.
SHORTEST_BLOCK: Final = 8
# From this many characters on a wrapped label is no coincidence, whatever the lines above and below it are.
LEAST_WRAPPED: Final = 20
# Least characters of each line of a wrapped label: 张 above 三 is not 张三.
_SHORTEST_PIECE: Final = 2
# Largest ratio of the heights of a label's lines: a name and the smaller words below it are two labels.
_MAX_HEIGHT_RATIO: Final = 1.6
# Characters per allowed error. OCR misreads about one character in fifty on rendered screens; one in twelve leaves a margin
# and is still the same text.
LETTERS_PER_ERROR: Final = 12
# Largest distance of a paragraph's lines, and of their starts or ends, in line heights.
_GAP: Final = 1.2
# OCR returns nothing, or up to two characters, for a picture among the characters.
_SIGNS_PER_PICTURE: Final = 2
# Least characters of the visible end that identify a text at least twice as long whose beginning may be off the screen.
_LEAST_TAIL: Final = 60


@dataclass(frozen=True, slots=True)
class BlockMatch:
    """
    The lines that make up the text, their bounding box, and the number of misread characters (`errors`) and of those that
    OCR cannot read.
    """

    lines: tuple[TextLine, ...]
    box: Box
    errors: int
    unreadable: int
    unseen: int = 0  # characters of the beginning that are off the screen

    @property
    def confidence(self) -> float:
        worst = min(line.confidence for line in self.lines)
        return max(0.5, 0.9 * worst - 0.03 * self.errors - 0.05 * self.unreadable)


def readable_enough(text: str) -> bool:
    """Return True if enough of a text is readable to identify it on the screen."""
    visible = [
        character
        for character in text
        if not character.isspace() and unicodedata.category(character) not in ("Cf", "Mn")
    ]
    readable = sum(map(is_readable, visible))
    return readable == len(visible) or (readable >= _SHORTEST_PIECE and readable * 2 >= len(visible))


def match_block(wanted: str, lines: Sequence[TextLine]) -> BlockMatch | None:
    """
    Return the match of a text on one or several consecutive lines, or None if it is not there or cannot be identified.
    """
    parts, pictures = _readable_parts(wanted)
    want = "".join(parts)
    if not want or not readable_enough(wanted):
        return None
    ordered = sorted(lines, key=lambda line: (line.box.top, line.box.left))
    if not pictures and len(want) < SHORTEST_BLOCK:
        return _match_line_by_line(wanted, ordered)
    best: BlockMatch | None = None
    for run in _paragraphs(ordered, 2 * len(wanted)):
        errors = _errors(want, parts, pictures, _joined(run)) if len(run) == 1 or len(want) >= SHORTEST_BLOCK else None
        if errors is not None and (best is None or errors < best.errors):
            best = _match(run, errors, pictures)
    return best or (_tail(want, ordered) if len(want) >= 2 * _LEAST_TAIL and not pictures else None)


def wrapped_blocks(wanted: str, lines: Sequence[TextLine]) -> list[BlockMatch]:
    """
    Return all matches of several lines that together read exactly as the text.

    A short text must have no neighbouring lines; one of at least LEAST_WRAPPED characters may have some, but no line above
    that negates it ("Do not"), and no line below that continues it ("and from the cloud").
    """
    want = normalize(wanted)
    ordered = sorted(lines, key=lambda line: (line.box.top, line.box.left))
    starts = [line for line in ordered if want.startswith(normalize(line.text))]
    found = [
        _match(run)
        for run in _paragraphs(ordered, len(wanted), starts, alike=True)
        if len(run) > 1 and _joined(run) == want and min(len(line.text) for line in run) >= _SHORTEST_PIECE
    ]
    return [match for match in found if not _is_part(match, ordered, alone=len(want) < LEAST_WRAPPED)]


def follows_below(line: TextLine, other: TextLine, first: TextLine, *, alike: bool = True) -> bool:
    """
    Return True if `other` is close below a line, aligned with the first line of its block and, for `alike`, of similar
    height.
    """
    room, height = other.box.top - line.box.bottom, first.box.height
    low, high = sorted((height, other.box.height))
    shift = min(
        abs(other.box.left - first.box.left),
        abs(other.box.right - first.box.right),
        abs(other.box.left + other.box.right - first.box.left - first.box.right) / 2,
    )
    is_close = -low / 2 <= room <= _GAP * height and shift <= _GAP * height
    return is_close and (not alike or high <= _MAX_HEIGHT_RATIO * low)


def _is_part(match: BlockMatch, ordered: Sequence[TextLine], *, alone: bool) -> bool:
    """
    Return True for lines that a line above negates, or that a line below continues; for `alone`, if there is any line above
    or below.
    """
    first, last = match.lines[0], match.lines[-1]
    others = [line for line in ordered if line not in match.lines]
    above = [line for line in others if follows_below(line, first, first)]
    below = [line for line in others if follows_below(last, line, first)]
    if alone:
        return bool(above or below)
    return any(is_negated(line.text) for line in above) or any(_continues(last, line, first) for line in below)


def _continues(last: TextLine, line: TextLine, first: TextLine) -> bool:
    """Return True if a line continues the sentence: it begins with a lower-case letter, or in Chinese after a full line."""
    begins = line.text.lstrip()[:1]
    is_full = last.box.width >= first.box.width - first.box.height
    return begins.islower() or (is_ideograph(begins or " ") and is_full)


def _match_line_by_line(wanted: str, ordered: Sequence[TextLine]) -> BlockMatch | None:
    """Return the match of a short text with its own line breaks: line by line, without errors."""
    rows = [row for line in wanted.splitlines() if (row := normalize(line))]
    if len(rows) < 2:
        return None
    for run in _paragraphs(ordered, 2 * len(wanted)):
        if [normalize(line.text) for line in run] == rows:
            return _match(run)
    return None


def _tail(want: str, ordered: Sequence[TextLine]) -> BlockMatch | None:
    """Return the match of the end of a long text, as far as it is on the screen."""
    best: BlockMatch | None = None
    for run in _paragraphs(ordered, len(want)):
        have = _joined(run)
        if not _LEAST_TAIL <= len(have) < len(want):
            continue
        errors = _errors(want[-len(have) :], (), 0, have)
        unseen = len(want) - len(have)
        if errors is not None and (best is None or unseen < best.unseen):
            best = _match(run, errors, unseen=unseen)
    return best


def _match(run: tuple[TextLine, ...], errors: int = 0, unreadable: int = 0, unseen: int = 0) -> BlockMatch:
    return BlockMatch(run, bounding_box([line.box for line in run]), errors, unreadable, unseen)


def _joined(run: Sequence[TextLine]) -> str:
    return normalize("".join(line.text for line in run))


def _readable_parts(text: str) -> tuple[list[str], int]:
    """Return the readable parts in normalised form, and the number of unreadable characters between them."""
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
    """Return the number of misread characters, or None if it is another text."""
    if pictures:
        between = f".{{0,{_SIGNS_PER_PICTURE * pictures}}}?"
        pattern = between + between.join(map(re.escape, parts)) + between
        return 0 if re.fullmatch(pattern, have) else None
    allowed = len(want) // LETTERS_PER_ERROR
    errors = Levenshtein.distance(want, have, score_cutoff=allowed)
    if errors > allowed or (errors and differs_in_meaning(want, have)):
        return None
    return errors


def _paragraphs(
    lines: Sequence[TextLine],
    most: int,
    starts: Sequence[TextLine] | None = None,
    *,
    alike: bool = False,
) -> Iterator[tuple[TextLine, ...]]:
    """
    Yield every line (or those of `starts`), and every sequence from it that is one paragraph of about `most` characters.
    """
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
            if follows_below(run[-1], other, line, alike=alike):
                run.append(other)
                yield tuple(run)
