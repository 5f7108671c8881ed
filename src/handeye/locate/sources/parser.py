"""Screen parser facade: the elements on a screenshot, and search for a target among them."""

from __future__ import annotations

import threading
from typing import Final, Literal

from handeye.elements import UIState
from handeye.errors import UsageError
from handeye.locate.base import Strategy, read_lines, requested_confidence
from handeye.locate.chain import LocateChain
from handeye.locate.ranker import bundled_ranker
from handeye.locate.sources.ocr import OcrStrategy
from handeye.locate.sources.ranker import RankingStrategy, Sources
from handeye.ocr import CachedReader, PaddleReader, TextReader, same_pixels
from handeye.parse import EmbeddedParser, ParsedScreen
from handeye.screen import Pixels, Screen, Screenshot, as_screen
from handeye.target import LocateResult, Target, parse_target
from handeye.text import TextLine

# Frames in the cache: a step parses one several times, for its target and for each of its anchors.
_REMEMBERED: Final = 2


class ScreenParser:
    """
    Detects the controls of a screen, offline: no key, no GPU, no download.

    `reader` is the bundled one by default; None reads no text. `provider` replaces the embedded parser. Models are loaded
    at the first frame. Thread-safe; the same frame gives the same answer.
    """

    def __init__(
        self,
        reader: TextReader | Literal["bundled"] | None = "bundled",
        *,
        provider: EmbeddedParser | None = None,
    ) -> None:
        given = CachedReader(PaddleReader()) if reader == "bundled" else reader
        self._provider = provider or EmbeddedParser(_Checked(given) if given is not None else None)
        self._lock = threading.Lock()
        self._frames: list[tuple[Pixels, ParsedScreen]] = []
        looks: list[Strategy] = [OcrStrategy(given)] if given is not None else []
        least = requested_confidence()
        ranker = RankingStrategy(bundled_ranker, Sources(None, self, given), min_confidence=least)
        self._chain = LocateChain([*looks, ranker], least_confidence=least)

    @property
    def name(self) -> str:
        return self._provider.name

    @property
    def slow(self) -> Literal[False]:
        return False

    def parse(self, screenshot: Screenshot) -> UIState:
        """
        Return every visible control and text, in reading order and numbered from 1; boxes in pixels of the screenshot.
        Raises OcrFailed, ParserFailed, and the errors of `handeye.screen.as_screen`.
        """
        return self.look(screenshot).state

    def detect(self, screen: Screen) -> UIState:
        """Parse a screen; the same as `parse`, for the StateProvider interface."""
        return self.parse(screen)

    def find(self, screenshot: Screenshot, target: Target | str) -> LocateResult:
        """
        Find a target by its text, its role and the meaning of icons.

        Does not raise for a target that is not found: see the result's `attempts`. Raises UsageError for an invalid target.
        """
        if isinstance(target, str):
            target = parse_target(target)
        elif not isinstance(target, Target):
            raise UsageError(f"{target!r} is no target: give words or a Target")
        return self._chain.locate(target, as_screen(screenshot))

    def look(self, screenshot: Screenshot) -> ParsedScreen:
        """Like `parse`, with the data for `icon_scores`. Equal frames are answered from the cache."""
        screen = as_screen(screenshot)
        with self._lock:
            for pixels, parsed in self._frames:
                if same_pixels(pixels, screen.pixels):
                    return parsed
            parsed = self._provider.look(screen)
            self._frames = [(screen.pixels, parsed), *self._frames[: _REMEMBERED - 1]]
            return parsed

    def icon_scores(self, phrase: str, parsed: ParsedScreen) -> dict[int, float]:
        """Return the probability (0-1) of each icon, by its element's id, that the phrase names it."""
        return self._provider.icon_scores(phrase, parsed)

    def clear(self) -> None:
        """Clear the cache of frames."""
        with self._lock:
            self._frames.clear()


class _Checked:
    """A text reader that may be third-party code, with its answer checked."""

    def __init__(self, reader: TextReader) -> None:
        self._reader = reader

    @property
    def name(self) -> str:
        return self._reader.name

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return read_lines(self._reader, screen)
