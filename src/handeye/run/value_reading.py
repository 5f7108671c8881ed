"""Read a value from the screen for a later step: the text on, next to or below an element."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from handeye.elements import UIElement
from handeye.errors import HandeyeError, InvalidPlan
from handeye.geometry import Box
from handeye.locate import read_lines
from handeye.plan import Pattern, StepPlan
from handeye.run.state import Tools
from handeye.screen import Screen
from handeye.text import is_ideograph

TAKES: Final = ("text", "row", "right", "below")
# Maximum length of a value in characters. A longer text is a page, not a value, and no part of it would be right.
LONGEST: Final = 500
# Reader confidence (0-1) below which a value is not taken: it is typed and sent as it is read, without review.
LEAST_CERTAIN: Final = 0.8
# Seconds for which a value must stay unchanged before it is taken: pages show an empty or an old one until theirs arrives.
STEADY_S: Final = 1.5
# Maximum gap to the line below that still belongs to the label, in heights of the label.
_BELOW: Final = 1.0
# Margin, in heights of the label, by which the neighbouring lines must be further away than the two lines of one row are from
# each other. Rows of a list have equal distances; on the settings pages of the phone a note is 0.0 to 0.7 below its title,
# the next row 2.1.
_ROW_MARGIN: Final = 0.5
# Label and note differ in size (16 and 14 sp in Android's lists, 17 and 13.5 on the phone); labels are read to within 5 %.
_SAME_SIZE: Final = 0.1
# Gap between two words, in heights of the words, from which they are in different columns: a blank is 0.3 wide.
_COLUMN_GAP: Final = 0.5
# Signs that only show that a row leads to another page.
_CHEVRONS: Final = frozenset(">›»〉❯→")
# Placeholders for a value that is still loading.
_PLACEHOLDER: Final = re.compile(
    r"(?:正在)?(?:加载|载入|读取|查询|获取)中?|请稍[候等]|loading|please wait|[-‐-―—_·….。*?？\s]+", re.IGNORECASE
)
_TRAILING: Final = "….。·・ "
_INVISIBLE: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
# Marks that change the text direction: they could make a message read as another one.
_DIRECTION_MARKS: Final = re.compile("[\\u200e\\u200f\\u061c\\u202a-\\u202e\\u2066-\\u2069\\ufeff]")
_VALUE: Final = "value"


@dataclass(frozen=True, slots=True)
class Value:
    """A value, and how it was read: "'14' to the right of it, by ocr"."""

    text: str
    evidence: str
    confidence: float


@dataclass(frozen=True, slots=True)
class _Words:
    text: str
    box: Box
    confidence: float


def take_value(step: StepPlan, element: UIElement, screen: Screen, tools: Tools) -> Value | None:
    """
    Return the value that the step's params ask for, next to `element` on that frame; None when there is none.

    `take` selects the place: "text" on the element, "right" of it, "below" it, or in its "row" (all but the element itself),
    else below it where that surely belongs to the same row; the default is "row". `pattern` is a task pattern with {value}
    that the words must fit; without one, words in several columns are no value, because it is unknown which of them are. The
    tree's words are preferred where there is a tree: they are exact. Raises InvalidPlan for invalid params, and the errors of
    tree and reader.
    """
    take, pattern = _params(step)
    for source, words in _sources(element, screen, tools):
        chosen = [each for each in _words_at(take, element, words) if clean(each.text) not in _CHEVRONS]
        if pattern is None and take != "text" and _are_columns(chosen):
            return None
        text = clean(" ".join(each.text for each in chosen))
        if pattern is not None and text:
            fits = pattern.match(text)
            text = fits.slots[_VALUE] if fits is not None else ""
        if not text or len(text) > LONGEST or is_placeholder(text):
            continue
        confidence = min(each.confidence for each in chosen)
        if confidence >= LEAST_CERTAIN:
            return Value(text, f"read {text!r}, by {source}", confidence)
    return None


def is_placeholder(text: str) -> bool:
    """Return True if the text is a placeholder for a value that is still loading: "加载中…", "--"."""
    return _PLACEHOLDER.fullmatch(text.strip(_TRAILING) or text) is not None


def clean(text: str) -> str:
    """Return the text without control characters and direction marks, with single blanks."""
    plain = "".join(
        " " if unicodedata.category(each) in _INVISIBLE else each for each in _DIRECTION_MARKS.sub("", text)
    )
    return " ".join(plain.split())


def _params(step: StepPlan) -> tuple[str, Pattern | None]:
    take = step.params.get("take", "row")
    if take not in TAKES:
        raise InvalidPlan(f"step {step.step}: take is {take!r}; it can be {', '.join(TAKES)}")
    source = step.params.get("pattern")
    if source is None:
        return take, None
    pattern = Pattern.parse(str(source))
    if _VALUE not in pattern.certain:
        raise InvalidPlan(f"step {step.step}: the pattern {source!r} has no {{{_VALUE}}}")
    return take, pattern


def _sources(element: UIElement, screen: Screen, tools: Tools) -> Iterable[tuple[str, Sequence[_Words]]]:
    """Yield the words on the frame with their source: from the tree, where it can be read, then from the text reader."""
    if tools.tree is not None:
        try:
            state = tools.tree.detect(screen)
        except HandeyeError:
            pass  # the screen moves, or shows no tree: the picture is there
        else:
            yield (
                tools.tree.name,
                [_Words(each.text, each.label_box or each.bbox, 1.0) for each in state.elements if each.text],
            )
    if tools.reader is not None:
        yield (
            tools.reader.name,
            [_Words(line.text, line.box, line.confidence) for line in read_lines(tools.reader, screen)],
        )


def _words_at(take: str, element: UIElement, words: Sequence[_Words]) -> list[_Words]:
    label = element.label_box or element.bbox
    if take == "text":
        return [each for each in words if element.bbox.contains(each.box.center)]
    own = [each for each in words if label.contains(each.box.center) or each.box.contains(label.center)]
    others = [each for each in words if each not in own and not _holds(each.box, label)]
    beside = [each for each in others if label.top <= each.box.center.y <= label.bottom or _covers(each.box, label)]
    right = [each for each in beside if each.box.left >= label.center.x]
    if take == "right":
        return _in_order(right)
    if take == "row" and beside:
        return _in_order(beside)
    below = _below(label, others)
    return below if take == "below" or _is_in_row(below, label, own, others) else []


def _are_columns(words: Sequence[_Words]) -> bool:
    """Return True if gaps separate the words of one line into columns, as a value from the next label and its value."""
    return any(
        after.left - before.right > _COLUMN_GAP * max(before.height, after.height)
        for before, after in itertools.pairwise([each.box for each in words])
    )


def _is_in_row(below: Sequence[_Words], label: Box, own: Sequence[_Words], words: Sequence[_Words]) -> bool:
    """
    Return True if the text below belongs to the label's row, and is not the label of the next row: that one has a value next
    to it, is written in letters of the same size, or is no nearer than the rows are to each other.
    """
    if not below or any(
        other not in below and other.box.left >= label.right and _covers(other.box, each.box)
        for each in below
        for other in words
    ):
        return False
    line = below[0].box
    nearest = line.top - label.bottom + _ROW_MARGIN * label.height
    column = [each.box for each in words if each not in below and _share_columns(each.box, label)]
    below_it = (box.top - line.bottom for box in column if box.center.y > line.bottom)
    above = (label.top - box.bottom for box in column if box.center.y < label.top)
    if any(distance < nearest for distance in (*below_it, *above)):
        return False
    return not own or _is_ideographic(own) != _is_ideographic(below) or _differ_in_size(own[0].box, line)


def _is_ideographic(words: Sequence[_Words]) -> bool:
    """
    Return True if any word has ideographs. Heights of words with and without them cannot be compared: capitals fill 0.8 of
    the line.
    """
    return any(is_ideograph(char) for each in words for char in each.text)


def _differ_in_size(one: Box, other: Box) -> bool:
    return abs(one.height - other.height) > _SAME_SIZE * max(one.height, other.height)


def _below(label: Box, words: Sequence[_Words]) -> list[_Words]:
    """Return the nearest line under the label that overlaps its columns."""
    under = [
        each
        for each in words
        if label.bottom - label.height // 2 <= each.box.top <= label.bottom + _BELOW * label.height
        and _share_columns(each.box, label)
    ]
    if not under:
        return []
    first = min(under, key=lambda each: each.box.top)
    return _in_order([each for each in under if first.box.top <= each.box.center.y <= first.box.bottom])


def _share_columns(box: Box, other: Box) -> bool:
    return box.left < other.right and box.right > other.left


def _covers(box: Box, label: Box) -> bool:
    """Return True if the middle of the label's line lies in the box: a larger text next to a smaller label."""
    return box.top <= label.center.y <= box.bottom


def _holds(box: Box, label: Box) -> bool:
    """Return True if the box is that of a group around the label."""
    return box.contains(label.center)


def _in_order(words: Sequence[_Words]) -> list[_Words]:
    return sorted(words, key=lambda each: each.box.left)
