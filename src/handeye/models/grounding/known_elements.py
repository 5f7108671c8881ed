"""Elements of a frame that are known without a model: those of its tree, and its lines of text (OCR)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from handeye.elements import UIElement, UIState
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.screen import Screen

# Least confidence (0-1) of a line of text; one below it neither confirms a place nor contradicts it.
_READ: Final = 0.8


class Line(Protocol):
    """A line of text: `handeye.text.lines.TextLine`."""

    @property
    def text(self) -> str: ...

    @property
    def box(self) -> Box: ...

    @property
    def confidence(self) -> float: ...


class ReadsLines(Protocol):
    """Reads text: a `handeye.ocr.reader.TextReader`. Raises a HandeyeError when it could not read the frame."""

    def read(self, screen: Screen) -> Iterable[Line]: ...


class ReadsState(Protocol):
    """
    Reads the elements of a frame: a `handeye.perceive.base.StateProvider`. Raises a HandeyeError when it could not read
    the frame.
    """

    def detect(self, screen: Screen) -> UIState: ...


def known_elements(
    screen: Screen, state: ReadsState | None, reader: ReadsLines | None
) -> tuple[UIState | None, tuple[str, ...]]:
    """
    Return the elements that both readers find, and notes on readers that failed. The state is None when neither
    succeeded.
    """
    elements: list[UIElement] = []
    notes: list[str] = []
    looked = False
    if state is not None:
        try:
            elements += state.detect(screen).elements
            looked = True
        except HandeyeError as error:
            notes.append(f"the elements could not be read: {error}")
    if reader is not None:
        try:
            elements += [_as_element(line) for line in reader.read(screen) if line.confidence >= _READ]
            looked = True
        except HandeyeError as error:
            notes.append(f"the text could not be read: {error}")
    return (UIState(screen, tuple(elements), tuple(notes)) if looked else None), tuple(notes)


def _as_element(line: Line) -> UIElement:
    return UIElement("text", line.text, line.box, line.confidence, "ocr", line.text, label_box=line.box)
