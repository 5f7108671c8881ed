"""The candidates of a question: the elements that all sources see on one frame, each once."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.locate.icon_words import id_tokens

Column = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

LONGEST_LABEL = 300
"""Characters of a text that are compared; more are no label."""
SAME_PLACE = 0.7
"""Share of the smaller box by which two elements with the same text are one element, seen by two sources."""
SIDES: Final = ("left", "right", "above", "below", "inside")
"""Where a text beside a candidate is."""
_REACH: Final = 6.0  # heights of the lower one: a text that is farther away is no label of it
_JOINING: Final = frozenset("\ufe0e\ufe0f\u200d")
_MOST_SIGNS: Final = 3
_REMEMBERED: Final = 4096  # texts, those of some forty screens
_PLAIN_NAMES: Final = {
    "leftwards arrow": "back arrow",
    "black right-pointing triangle": "play",
    "black left-pointing triangle": "previous",
    "multiplication x": "close",
    "multiplication sign": "close",
    "trigram for heaven": "menu",
    "black telephone": "phone",
    "house building": "home",
    "open file folder": "folder",
    "wastebasket": "trash, delete",
    "bust in silhouette": "person, profile",
    "shopping trolley": "shopping cart",
    "left-pointing magnifying glass": "search",
    "right-pointing magnifying glass": "search",
}
"""What people call signs whose names in Unicode say how they are drawn."""
LARGEST_CONTROL: Final = 0.2
"""Share of the screen; what can be clicked and is larger is a page, and no control of what it holds."""


@dataclass(frozen=True)
class Pool:
    """
    Candidates on a frame of `size`. `icon_scores` gives, for the icons among `elements` by their place in it, how probable it
    is that they show what the question names (0-1). `earlier` are the elements that strategies found before, the best first;
    `answered` whether they found one of them alone.
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
        shown = [each.visible_region or each.bbox for each in self.elements]
        return np.array([tuple(box) for box in shown], dtype=np.float64).reshape(-1, 4)

    @cached_property
    def centers(self) -> npt.NDArray[np.float64]:
        """Centres of shape (n, 2) in pixels."""
        boxes = self.boxes
        return np.stack([(boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2], axis=1)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each element; of signs alone, such as an arrow or a bell, their names."""
        return tuple(_spoken(each.text.strip()[:LONGEST_LABEL]) for each in self.elements)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names that a tree gives an element beside its text: its description, else the words of its id."""
        return tuple(_name(each)[:LONGEST_LABEL] for each in self.elements)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The text of an element, else its name."""
        return tuple(text or name for text, name in zip(self.texts, self.names, strict=True))

    @cached_property
    def controls(self) -> npt.NDArray[np.intp]:
        """The index of the smallest control that each candidate lies in; its own index, where it is one or lies in none."""
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
        around[own, own] = np.where(holds, 0.0, np.inf)  # a control is its own
        best = np.argmin(around, axis=0)
        return np.where(np.isfinite(around[best, own]), best, own)

    @cached_property
    def neighbours(self) -> tuple[tuple[Indices, Column], ...]:
        """
        For each of SIDES, the index of the nearest text there of each candidate (-1: none), and its distance in heights (NaN:
        none). Inside is the only text there; it has no distance.
        """
        return _neighbours(self)


def merged(sources: Sequence[Sequence[UIElement]]) -> tuple[UIElement, ...]:
    """The elements of all sources, the best source first; a later one that repeats an earlier element is left out."""
    kept: list[UIElement] = []
    for elements in sources:
        before = list(kept)
        kept += [each for each in elements if not any(_repeats(each, other) for other in before)]
    return tuple(kept)


def overlap(one: Box, other: Box) -> float:
    """The area that two boxes share, as a share of the smaller one."""
    shared = one.intersect(other)
    return shared.area / max(1, min(one.area, other.area)) if shared else 0.0


def lead(values: Column) -> Column:
    """Return the lead of each value over the highest of the others; below 0 where it is not the highest itself."""
    if len(values) < 2:
        return values
    first, second = np.sort(values)[[-1, -2]]
    above: Column = values - np.where(values == first, second, first)
    return above


def _repeats(each: UIElement, other: UIElement) -> bool:
    return (
        each.text.strip() == (other.text or other.description).strip() and overlap(each.bbox, other.bbox) >= SAME_PLACE
    )


@lru_cache(maxsize=_REMEMBERED)
def _spoken(text: str) -> str:
    """Return a text; for one that consists of one to three signs, the names that Unicode gives them."""
    signs = [each for each in text if not unicodedata.combining(each) and each not in _JOINING]
    if not signs or len(signs) > _MOST_SIGNS or not all(unicodedata.category(each) in ("So", "Sm") for each in signs):
        return text
    names = [unicodedata.name(each, "").lower() for each in signs]
    return " ".join(_PLAIN_NAMES.get(name, name) for name in names).strip() or text


def _neighbours(pool: Pool) -> tuple[tuple[Indices, Column], ...]:
    """For each side the index of each candidate's nearest text there (-1: none) and its distance in heights (NaN: none)."""
    count = len(pool)
    texts = np.array([at for at, text in enumerate(pool.texts) if text], dtype=np.intp)
    if not len(texts):
        return tuple((np.full(count, -1, np.intp), np.full(count, np.nan)) for _ in SIDES)
    left, top, right, bottom = (pool.boxes[:, None, edge] for edge in range(4))
    text_left, text_top, text_right, text_bottom = (pool.boxes[None, texts, edge] for edge in range(4))
    level = np.minimum(bottom, text_bottom) - np.maximum(top, text_top) > 0
    in_column = np.minimum(right, text_right) - np.maximum(left, text_left) > 0
    height = np.maximum(1.0, np.minimum(bottom - top, text_bottom - text_top))
    x, y = (text_left + text_right) / 2, (text_top + text_bottom) / 2
    within = (left <= x) & (x < right) & (top <= y) & (y < bottom)
    own = np.arange(count)[:, None] == texts[None, :]
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    gaps = (
        np.where(level & (x < middle_x), left - text_right, np.nan),
        np.where(level & (x > middle_x), text_left - right, np.nan),
        np.where(in_column & (y < middle_y), top - text_bottom, np.nan),
        np.where(in_column & (y > middle_y), text_top - bottom, np.nan),
    )
    found = []
    for gap in gaps:
        shares = np.where(own | within, np.nan, np.maximum(gap, 0) / height)
        shares = np.where(shares <= _REACH, shares, np.inf)
        nearest = np.argmin(shares, axis=1)
        distance = shares[np.arange(count), nearest]
        found.append(
            (np.where(np.isfinite(distance), texts[nearest], -1), np.where(np.isfinite(distance), distance, np.nan))
        )
    inside = within & ~own
    single = inside.sum(axis=1) == 1
    found.append((np.where(single, texts[np.argmax(inside, axis=1)], -1), np.full(count, np.nan)))
    return tuple(found)


def _name(element: UIElement) -> str:
    if element.source in _SEEN:
        return str(element.metadata.get("label", ""))
    return element.description.strip() or " ".join(id_tokens(str(element.metadata.get("id", ""))))


_SEEN = frozenset({"ocr", "parser", "template"})
"""Sources whose descriptions are remarks about how an element was found, and no words of the screen."""
