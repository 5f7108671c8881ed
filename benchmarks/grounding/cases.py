"""Questions about screens, in one form for every set."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box, Point, Size
from handeye.screen import Screen

Mode = Literal["pixels", "tree", "both"]
"""The sources of a case: the picture alone, the accessibility tree alone, or both."""
Expected = Literal["find", "refuse", "either", "count"]
"""The right answer: a place, a refusal, a place or a refusal, or a number of places."""
ABSENT: Final = "absent"


@dataclass(frozen=True)
class Question:
    """
    A phrase, or a reference image, and its true answer.

    `boxes` are the true places in pixels of the frame: an answer in any of them is right. `family` is the kind of question over
    all sets ("label", "icon", "relation", ...), `kind` the row of its set. `points` are true places of which only a point is
    known: an answer whose box contains one is right too. `count` is the number of places that a reference image has ("count"
    only).
    """

    words: str
    kind: str
    family: str
    boxes: tuple[Box, ...] = ()
    expected: Expected = "find"
    reference: Path | None = None
    points: tuple[Point, ...] = ()
    count: int = 0


@dataclass(frozen=True)
class Case:
    """
    One screen, the sources that may be used on it, and its questions.

    `group` is the application, library or session that the screen is of: the unit of the splits. `screen` is the unit of the
    bootstrap. `tree` holds the elements of the accessibility tree; with `slow_tree` it is asked after the picture, as on a
    phone. Without `picture` the frame is noise.
    """

    set: str
    mode: Mode
    group: str
    screen: str
    size: Size
    questions: tuple[Question, ...]
    picture: Path | None = None
    tree: tuple[UIElement, ...] = field(default=(), repr=False)
    slow_tree: bool = False

    def frame(self) -> Screen:
        """Return the picture as a new frame; noise where only the tree may be used."""
        if self.mode == "tree" or self.picture is None:
            return _noise(self.size)
        return Screen.open(self.picture)


@lru_cache(maxsize=2)
def _noise(size: Size) -> Screen:
    return Screen(np.random.default_rng(1).integers(0, 255, (size.height, size.width, 3), np.uint8))


@dataclass(frozen=True)
class Missing:
    """A set that could not be loaded, and the reason."""

    set: str
    reason: str


def refusal(words: str, kind: str = ABSENT, *, reference: Path | None = None) -> Question:
    """A question that only a refusal answers."""
    return Question(words, kind, ABSENT, (), "refuse", reference)
