"""Reading text off a frame."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from handeye.geometry import Box
from handeye.screen import Screen
from handeye.text.lines import TextLine


class TextReader(Protocol):
    """Reads all text lines of a frame, top to bottom. Raises OcrFailed when it could not look."""

    @property
    def name(self) -> str: ...

    def read(self, screen: Screen) -> tuple[TextLine, ...]: ...


@runtime_checkable
class RegionReader(TextReader, Protocol):
    """A reader that can look at a part of a frame only; boxes stay in pixels of the whole frame."""

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]: ...
