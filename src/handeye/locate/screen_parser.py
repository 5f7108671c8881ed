"""The screen parser's front door: what is on a screen, and where what a person names is among it."""

from __future__ import annotations

from typing import Literal

from handeye.elements import UIState
from handeye.ocr.base import TextReader
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader
from handeye.parse.parser import EmbeddedParser
from handeye.screen import Screen


class ScreenParser:
    """
    Sees the controls of a screen by name, offline: no key, no GPU, no download.

    `reader` is the bundled one unless another is given; None reads no text. Models load at the first frame. Safe to use again
    for any number of frames; the same frame gives the same answer.
    """

    def __init__(self, reader: TextReader | Literal["bundled"] | None = "bundled") -> None:
        self._reader = CachedReader(PaddleReader()) if reader == "bundled" else reader
        self._provider = EmbeddedParser(self._reader)

    def parse(self, screen: Screen) -> UIState:
        """Every visible control and text, in reading order and numbered from 1; boxes in its pixels. Raises OcrFailed."""
        return self._provider.detect(screen)
