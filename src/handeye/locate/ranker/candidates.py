"""Candidates of a question: the elements of all sources on one frame, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.locate.icon_names import id_tokens
from handeye.locate.ranker.vocabulary import symbol_names

Column = npt.NDArray[np.float64]

LONGEST_LABEL = 300
"""Longest text, in characters, that is compared; a longer one is no label."""
ONE_PLACE: Final = 0.8
"""Share of the smaller box from which two overlapping candidates are one place to click, such as a label and its button."""
LARGEST_CONTROL: Final = 0.2
"""Largest share of the screen of a control; a larger clickable element is a page."""


@dataclass(frozen=True)
class Pool:
    """
    Candidates on a frame of `size`.

    `icon_scores` are the probabilities (0-1), by index in `elements`, that icons show what the question names. `earlier`
    are the elements that strategies found before, best first; `answered` is True if they found a single one.
    """

    elements: tuple[UIElement, ...]
    size: Size
    icon_scores: dict[int, float] = field(default_factory=dict)
    earlier: tuple[UIElement, ...] = ()
    answered: bool = False

    def __len__(self) -> int:
        return len(self.elements)

    @cached_property
    def boxes(self) -> npt.NDArray[np.float64]:
        """Boxes of shape (n, 4): left, top, right, bottom in pixels."""
        return np.array([tuple(self.box(at)) for at in range(len(self))], dtype=np.float64).reshape(-1, 4)

    def box(self, at: int) -> Box:
        """Return the visible box of a candidate in pixels."""
        element = self.elements[at]
        return element.visible_region or element.bbox

    @cached_property
    def centers(self) -> npt.NDArray[np.float64]:
        """Centers of shape (n, 2) in pixels."""
        boxes = self.boxes
        return np.stack([(boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2], axis=1)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each element; for symbols alone, such as an arrow or a bell, their names."""
        return tuple(symbol_names(each.text.strip()[:LONGEST_LABEL]) for each in self.elements)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of each element in the tree apart from its text: its description, else the words of its id."""
        return tuple(_name(each)[:LONGEST_LABEL] for each in self.elements)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The text of each element, else its name."""
        return tuple(text or name for text, name in zip(self.texts, self.names, strict=True))

    @cached_property
    def controls(self) -> npt.NDArray[np.intp]:
        """The index of the smallest control that contains each candidate; its own index if it is one or is in none."""
        count = len(self)
        limit = LARGEST_CONTROL * self.size.width * self.size.height
        areas = (self.boxes[:, 2] - self.boxes[:, 0]) * (self.boxes[:, 3] - self.boxes[:, 1])
        holds = np.array([bool(each.interactive) for each in self.elements], dtype=bool) & (areas <= limit)
        lows = (self.boxes[:, None, :2] <= self.boxes[None, :, :2]).all(axis=2)
        highs = (self.boxes[:, None, 2:] >= self.boxes[None, :, 2:]).all(axis=2)
        around = np.where(lows & highs & holds[:, None], areas[:, None], np.inf)
        own = np.arange(count)
        if not count:
            return own
        around[own, own] = np.where(holds, 0.0, np.inf)  # a control contains itself
        best = np.argmin(around, axis=0)
        return np.where(np.isfinite(around[best, own]), best, own)


def merged(sources: Sequence[Sequence[UIElement]]) -> tuple[UIElement, ...]:
    """Return the elements of all sources, the best source first, without repetitions of earlier ones."""
    kept: list[UIElement] = []
    for elements in sources:
        before = list(kept)
        kept += [each for each in elements if not any(_repeats(each, other) for other in before)]
    return tuple(kept)


def overlap(one: Box, other: Box) -> float:
    """Return the intersection of two boxes as a share of the smaller one."""
    shared = one.intersect(other)
    return shared.area / max(1, min(one.area, other.area)) if shared else 0.0


def is_one_place(one: UIElement, other: UIElement) -> bool:
    """
    Return True if the smaller element is inside the larger one, and they contain each other's centers or have the same
    text, such as a list item and its label.
    """
    mutual = one.bbox.contains(other.center) and other.bbox.contains(one.center)
    same = bool(one.text.strip()) and one.text.strip() == other.text.strip()
    return (mutual or same) and overlap(one.bbox, other.bbox) >= ONE_PLACE


def lead(values: Column) -> Column:
    """Return the difference of each value from the highest of the others; below 0 unless it is the highest itself."""
    if len(values) < 2:
        return values
    first, second = np.sort(values)[[-1, -2]]
    above: Column = values - np.where(values == first, second, first)
    return above


def _repeats(each: UIElement, other: UIElement) -> bool:
    """Return True for the same text at the same place; an icon in a larger area without a text is a separate element."""
    if each.text.strip() != (other.text or other.description).strip() or overlap(each.bbox, other.bbox) < ONE_PLACE:
        return False
    return each.element_type != "icon" or each.bbox.iou(other.bbox) >= ONE_PLACE


def _name(element: UIElement) -> str:
    if element.source in _VISUAL_SOURCES:
        return str(element.metadata.get("label", ""))
    return element.description.strip() or " ".join(id_tokens(str(element.metadata.get("id", ""))))


_VISUAL_SOURCES = frozenset({"ocr", "parser", "template"})
"""Sources whose descriptions are notes about the match, not words of the screen."""
