"""Taking a value from the screen, for a later step: what stands on, beside or below a place that was found."""

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
# Characters of a value. What is longer is a page, not a value, and no part of it would be right.
LONGEST: Final = 500
# Confidence (0-1) of the reader below which a value is not taken: it is typed and sent as it is read, and nobody looks at it.
LEAST_CERTAIN: Final = 0.8
# Seconds for which a value must stand unchanged before it is taken: pages show an empty or an old one until theirs arrives.
STEADY_S: Final = 1.5
# Heights of the label between it and the line below that still belongs to it.
_BELOW: Final = 1.0
# Heights of the label by which the lines above and below must be further away than the two of one row are from each other. Rows
# of a list stand at equal distances; on the settings pages of the phone a note is 0.0 to 0.7 below its title, the next 2.1.
_APART: Final = 0.5
# Label and note differ in size (16 and 14 sp in Android's lists, 17 and 13.5 on the phone); labels are read to within 5 %.
_SAME_SIZE: Final = 0.1
# Heights of the words from which a gap between two of them parts columns: a blank is 0.3 wide.
_COLUMN_GAP: Final = 0.5
# What only says that a row leads on.
_CHEVRONS: Final = frozenset(">›»〉❯→")
# What stands where a value is still to come.
_TO_COME: Final = re.compile(
    r"(?:正在)?(?:加载|载入|读取|查询|获取)中?|请稍[候等]|loading|please wait|[-‐-―—_·….。*?？\s]+", re.IGNORECASE
)
_TRAILING: Final = "….。·・ "
_INVISIBLE: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
# Marks that turn the direction of what follows: they could make a message read as another one.
_TURNING: Final = re.compile("[\\u200e\\u200f\\u061c\\u202a-\\u202e\\u2066-\\u2069\\ufeff]")
_VALUE: Final = "value"


@dataclass(frozen=True, slots=True)
class Value:
    """What was read, and how: "'14' to the right of it, by ocr"."""

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
    The value that the step's params ask for, beside `element` on that frame; None when nothing stands there.

    `take` says where: "text" on the element, "right" of it, "below" it, or in its "row" (all but the element itself), else
    below it where that is surely of the same row; "row" when nothing is said. `pattern` is a task pattern with {value} that the
    words must fit; without one, words in several columns are no value: nobody can say which of them are. The tree's words are
    taken where there is a tree: they are exact. Raises InvalidPlan for params that cannot be, and what keeps from looking.
    """
    take, pattern = _params(step)
    for source, words in _sources(element, screen, tools):
        chosen = [each for each in _chosen(take, element, words) if clean(each.text) not in _CHEVRONS]
        if pattern is None and take != "text" and _are_columns(chosen):
            return None
        text = clean(" ".join(each.text for each in chosen))
        if pattern is not None and text:
            fits = pattern.match(text)
            text = fits.slots[_VALUE] if fits is not None else ""
        if not text or len(text) > LONGEST or is_to_come(text):
            continue
        confidence = min(each.confidence for each in chosen)
        if confidence >= LEAST_CERTAIN:
            return Value(text, f"read {text!r}, by {source}", confidence)
    return None


def is_to_come(text: str) -> bool:
    """Whether it is what pages show in place of a value that they are still waiting for: "加载中…", "--"."""
    return _TO_COME.fullmatch(text.strip(_TRAILING) or text) is not None


def clean(text: str) -> str:
    """What was read as plain words: no control characters, no marks that turn the direction, single blanks."""
    plain = "".join(" " if unicodedata.category(each) in _INVISIBLE else each for each in _TURNING.sub("", text))
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
    """The words on the frame: by the tree, where it can be read, then by the reader."""
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


def _chosen(take: str, element: UIElement, words: Sequence[_Words]) -> list[_Words]:
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
    """Whether the words of one line stand apart, as a value does from the next label and its value."""
    return any(
        after.left - before.right > _COLUMN_GAP * max(before.height, after.height)
        for before, after in itertools.pairwise([each.box for each in words])
    )


def _is_in_row(below: Sequence[_Words], label: Box, own: Sequence[_Words], words: Sequence[_Words]) -> bool:
    """
    Whether what stands below is of one row with the label, and not the label of the next: that one has its own value beside
    it, is written in letters of the same size, or stands no nearer than the rows do.
    """
    if not below or any(
        other not in below and other.box.left >= label.right and _covers(other.box, each.box)
        for each in below
        for other in words
    ):
        return False
    line = below[0].box
    nearest = line.top - label.bottom + _APART * label.height
    column = [each.box for each in words if each not in below and _share_columns(each.box, label)]
    below_it = (box.top - line.bottom for box in column if box.center.y > line.bottom)
    above = (label.top - box.bottom for box in column if box.center.y < label.top)
    if any(distance < nearest for distance in (*below_it, *above)):
        return False
    return not own or _is_ideographic(own) != _is_ideographic(below) or _differ_in_size(own[0].box, line)


def _is_ideographic(words: Sequence[_Words]) -> bool:
    """Boxes of words with and without ideographs do not tell which is larger: capitals fill 0.8 of the line."""
    return any(is_ideograph(char) for each in words for char in each.text)


def _differ_in_size(one: Box, other: Box) -> bool:
    return abs(one.height - other.height) > _SAME_SIZE * max(one.height, other.height)


def _below(label: Box, words: Sequence[_Words]) -> list[_Words]:
    """The nearest line under the label that shares its columns."""
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
    """Whether the middle of the label's line lies in the box: a larger text beside a smaller label."""
    return box.top <= label.center.y <= box.bottom


def _holds(box: Box, label: Box) -> bool:
    """Whether the box is that of a group around the label."""
    return box.contains(label.center)


def _in_order(words: Sequence[_Words]) -> list[_Words]:
    return sorted(words, key=lambda each: each.box.left)
