"""Score of a text reader on a page whose truth is known."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from ocr_pages import Truth

from handeye.geometry import Box
from handeye.text import TextLine

GOOD_BOX = 0.5  # IoU
CONFUSED = str.maketrans("0〇1i|!丨：，；（）？", "oolllll:,;()?")


@dataclass
class Score:
    """Counts over pages: true lines, lines found, found in their place, with a good box; readings, wrong ones."""

    lines: int = 0
    found: int = 0
    inside: int = 0
    boxed: int = 0
    readings: int = 0
    wrong: int = 0

    def __iadd__(self, other: Score) -> Score:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        return self

    def __str__(self) -> str:
        share = [100 * count / max(1, self.lines) for count in (self.found, self.inside, self.boxed)]
        return (
            f"{self.lines:5} lines  found {share[0]:5.1f} %  there {share[1]:5.1f} %  IoU>=0.5 {share[2]:5.1f} %"
            f"  wrong {100 * self.wrong / max(1, self.readings):4.1f} % of {self.readings} readings"
        )


def plain(text: str) -> str:
    """Return text without blanks, case, width and the differences that no reader can see (0/O, l/I/1)."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split()).translate(CONFUSED)


def score(truth: Iterable[Truth], lines: Sequence[TextLine]) -> Score:
    """
    Return the counts of one page.

    A line is found when a reading holds its text, there when that part's middle lies in its rectangle, boxed when the
    part's box has an IoU of 0.5 with it. A reading is wrong when its text is no part of the true text under it, nor
    holds it; what an edge cuts does not count.
    """
    counts = Score(readings=len(lines))
    expected = [(plain(item.text), Box(*item.box), item.whole) for item in truth]
    for text, box, whole in expected:
        if not whole:
            continue
        parts = [part for line in lines for part in _parts(text, line)]
        counts.lines += 1
        counts.found += bool(parts)
        counts.inside += any(box.contains(part.center) for part in parts)
        counts.boxed += any(box.iou(part) >= GOOD_BOX for part in parts)
    for line in lines:
        under = [(text, whole) for text, box, whole in expected if box.intersect(line.box)]
        counts.wrong += not any(
            not whole or text in plain(line.text) or plain(line.text) in text for text, whole in under
        )
    return counts


def misread(truth: Iterable[Truth], lines: Sequence[TextLine]) -> list[tuple[str, list[str]]]:
    """Return each line that was not found, with what was read in its place."""
    return [
        (item.text, [line.text for line in lines if line.box.intersect(Box(*item.box))])
        for item in truth
        if item.whole and not any(True for line in lines for _ in _parts(plain(item.text), line))
    ]


def _parts(text: str, line: TextLine) -> Iterable[Box]:
    """Yield the box of each occurrence of `text` in the line."""
    characters: list[str] = []
    origin: list[int] = []
    for index, character in enumerate(line.text):
        for piece in plain(character):
            characters.append(piece)
            origin.append(index)
    at = (whole := "".join(characters)).find(text)
    while at >= 0:
        yield line.box_of(origin[at], origin[at + len(text) - 1] + 1)
        at = whole.find(text, at + 1)


def made_up(truth: Iterable[Truth], lines: Sequence[TextLine]) -> list[tuple[str, Box]]:
    """Return the readings that `score` counts as wrong."""
    expected = list(truth)
    return [(line.text, line.box) for line in lines if score(expected, [line]).wrong]
