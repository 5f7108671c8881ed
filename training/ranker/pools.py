"""Records kept of a screen: the questions about it, and the candidates of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box, Point
from handeye.locate.ranker.candidates import Pool

SLACK_PX: Final = 2


@dataclass(frozen=True)
class Asked:
    """A question about a screen. `boxes` are in pixels of the frame; none of them: only a refusal is right."""

    words: str
    boxes: tuple[Box, ...]
    kind: str
    language: str


@dataclass(frozen=True)
class Seen:
    """A question, the pool of its candidates, and how the strategies before the ranker answered it."""

    screen: str
    group: str
    way: str
    asked: Asked
    pool: Pool
    before: str


def is_right(element: UIElement, boxes: Sequence[Box]) -> bool:
    """Return True if a click in the middle of an element hits one of the boxes."""
    return is_hit(element.center, boxes)


def is_hit(point: Point, boxes: Sequence[Box]) -> bool:
    """Return True if a point is in one of the boxes, or at most SLACK_PX beside it."""
    return any(_widened(box).contains(point) for box in boxes)


def _widened(box: Box) -> Box:
    return Box(box.left - SLACK_PX, box.top - SLACK_PX, box.right + SLACK_PX, box.bottom + SLACK_PX)
