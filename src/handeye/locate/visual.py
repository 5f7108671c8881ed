"""Asking a model that sees, behind a protocol: whatever it answers is checked before anybody clicks on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal, Protocol

from PIL import Image

from handeye.elements import UIElement
from handeye.errors import HandeyeError, InvalidBox, LocateError
from handeye.geometry import CoordinateSpace, check_location, to_pixel_box
from handeye.locate.base import Match
from handeye.locate.reference import ReferenceSource
from handeye.locate.text_forms import normalize
from handeye.screen import Screen
from handeye.target import Target

# More than this share of the frame is the page, not an element on it: what a model answers when it did not find the thing.
MOST_OF_FRAME: Final = 0.9
# Pixels of the shorter side. The smallest thing people click is a checkbox or a close sign of 8 px.
LEAST_SIDE: Final = 4


class VisionFinder(Protocol):
    """
    A model that finds things on a picture.

    `find` answers with elements (boxes in pixels of the frame, `confidence` 0-1, the best one first), or None when it sees
    nothing of the kind. Raises a HandeyeError when it could not be asked or its answer cannot be understood.
    """

    def find(self, target: Target, screen: Screen) -> UIElement | Sequence[UIElement] | None: ...


class VisualStrategy:
    """
    Asks `finder` for the target's description or text.

    Boxes outside of the frame, of no size or of the whole frame's size are dropped; what reaches over an edge is cut. A
    confidence that is no number from 0 to 1 is none: 0, on which nobody acts. Several elements are several places.
    Whatever the finder raises leaves here as a LocateError, so that the next strategy is asked.
    """

    def __init__(self, finder: VisionFinder) -> None:
        self._finder = finder

    @property
    def name(self) -> str:
        return "visual"

    @property
    def reads_phrases(self) -> Literal[True]:
        return True

    def accepts(self, target: Target) -> str | None:
        words = target.phrase or target.description or target.text or ""
        return None if normalize(words) else "there are no words to ask a model for"

    def locate(self, target: Target, screen: Screen) -> Match | None:
        elements = self._ask(target, screen)
        if elements is None:
            return None
        usable = tuple(each for each in (_checked(element, screen) for element in elements) if each is not None)
        dropped = len(elements) - len(usable)
        note = f"{dropped} of {len(elements)} boxes are no places on the screen" if dropped else "as the model says"
        return Match(usable, note)

    def _ask(self, target: Target, screen: Screen) -> tuple[object, ...] | None:
        """What the model answered, unchecked. A finder is anybody's code over anybody's network client."""
        try:
            answer = self._finder.find(target, screen)
            return answer if answer is None else (answer,) if isinstance(answer, UIElement) else tuple(answer)
        except HandeyeError:
            raise
        except Exception as error:  # a client's own errors have no base class that could be named
            raise LocateError(f"the vision model could not be asked: {type(error).__name__}: {error}") from error


def pictures_of(images: ReferenceSource) -> Callable[[str], Image.Image | None]:
    """The first picture of a reference's name, as a model is shown it; None when nothing has that name."""

    def picture(name: str) -> Image.Image | None:
        return next((Image.fromarray(reference.pixels) for reference in images.find(name)), None)

    return picture


def _checked(element: object, screen: Screen) -> UIElement | None:
    """The element as it can be used on that frame; None when it is none, or its box is no place on it."""
    if not isinstance(element, UIElement):
        return None
    try:
        box = to_pixel_box(element.bbox, screen.size, space=CoordinateSpace.PIXEL)
    except InvalidBox:
        return None
    visible = box.intersect(screen.box)
    if visible is None or min(visible.width, visible.height) < LEAST_SIDE:
        return None
    if visible.area > MOST_OF_FRAME * screen.box.area or not check_location(box, screen.size).can_interact:
        return None
    confidence = element.confidence
    sound = isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
    return replace(
        element,
        bbox=visible,
        visible_region=None if visible == box else visible,
        confidence=float(confidence) if sound else 0.0,
        source="visual",
    )
