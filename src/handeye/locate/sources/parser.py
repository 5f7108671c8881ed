"""The screen parser's front door: what is on a screen, and where what a person names is among it."""

from __future__ import annotations

import threading
from typing import Final, Literal

from handeye.elements import UIState
from handeye.errors import UsageError
from handeye.locate.base import Strategy, requested_confidence
from handeye.locate.chain import LocateChain
from handeye.locate.ranker import bundled_ranker
from handeye.locate.sources.ocr import OcrStrategy
from handeye.locate.sources.ranker import RankingStrategy, Sources
from handeye.locate.text_lines import read_lines
from handeye.ocr import CachedReader, PaddleReader, TextReader, same_pixels
from handeye.parse import EmbeddedParser, Parsed
from handeye.screen import Pixels, Screen, Screenshot, as_screen
from handeye.target import LocateResult, Target
from handeye.text import TextLine

# Frames that are remembered: a step looks at one several times, for its target and for each of its neighbours.
_REMEMBERED: Final = 2


class ScreenParser:
    """
    Sees the controls of a screen by name, offline: no key, no GPU, no download.

    `reader` is the bundled one unless another is given; None reads no text. `provider` is what looks, in place of the embedded
    parser. Models load at the first frame. Safe to share between threads; the same frame gives the same answer.
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
        self._frames: list[tuple[Pixels, Parsed]] = []
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
        Every visible control and text, in reading order and numbered from 1; boxes in its pixels. Raises OcrFailed,
        ParserFailed, and what `handeye.screen.as_screen` raises.
        """
        return self.look(screenshot).state

    def detect(self, screen: Screen) -> UIState:
        """`parse`, as a StateProvider calls it."""
        return self.parse(screen)

    def find(self, screenshot: Screenshot, target: Target | str) -> LocateResult:
        """
        Find a target: by its words where they are read, by its kind and by what icons show.

        Never raises for a target that is not there: the result's `attempts` tell. Raises UsageError for what is no target.
        """
        if isinstance(target, str):
            target = Target.parse(target)
        elif not isinstance(target, Target):
            raise UsageError(f"{target!r} is no target: give words or a Target")
        return self._chain.locate(target, as_screen(screenshot))

    def look(self, screenshot: Screenshot) -> Parsed:
        """`parse`, with what is needed to ask about its icons. Equal frames are answered from memory."""
        screen = as_screen(screenshot)
        with self._lock:
            for pixels, parsed in self._frames:
                if same_pixels(pixels, screen.pixels):
                    return parsed
            parsed = self._provider.look(screen)
            self._frames = [(screen.pixels, parsed), *self._frames[: _REMEMBERED - 1]]
            return parsed

    def icon_scores(self, phrase: str, parsed: Parsed) -> dict[int, float]:
        """The probability (0-1) of each icon, by its element's id, that it is what a phrase names."""
        return self._provider.icon_scores(phrase, parsed)

    def clear(self) -> None:
        """Forget the frames."""
        with self._lock:
            self._frames.clear()


class _Checked:
    """A reader that may be anybody's code: what it says is checked before it is believed."""

    def __init__(self, reader: TextReader) -> None:
        self._reader = reader

    @property
    def name(self) -> str:
        return self._reader.name

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return read_lines(self._reader, screen)
