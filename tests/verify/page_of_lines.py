"""A blank frame and a reader with given lines, for verdicts that depend on texts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from handeye.geometry import Box
from handeye.screen import Screen
from handeye.text import TextLine


def frame(level: int = 250) -> Screen:
    return Screen(np.full((1600, 720, 3), level, dtype=np.uint8))


@dataclass(frozen=True)
class PageReader:
    """Reads `texts` below each other, from 300 pixels down; a text may come with its box."""

    texts: Sequence[str | TextLine]
    name: str = "page"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return tuple(
            text if isinstance(text, TextLine) else TextLine(text, Box(40, 300 + 100 * at, 400, 340 + 100 * at), 0.99)
            for at, text in enumerate(self.texts)
        )

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        return tuple(line for line in self.read(screen) if box.contains(line.box.center))
