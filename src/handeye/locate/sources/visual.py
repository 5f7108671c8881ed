"""Visual strategy: call a vision model through a protocol, and check its answer before it is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal, Protocol, runtime_checkable

from PIL import Image

from handeye.elements import UIElement
from handeye.errors import HandeyeError, InvalidBox, LocateError
from handeye.geometry import CoordinateSpace, check_location, to_pixel_box
from handeye.locate.base import Match
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.matching import ReferenceSource
from handeye.models import LEAST_SIDE, MOST_OF_PICTURE, UNCONFIRMED_MOST, Accepted
from handeye.screen import Screen
from handeye.target import Target
from handeye.text import normalize

# Two boxes with this IoU are the same place.
SAME_PLACE: Final = 0.5
# Difference of a model's confidence that counts as a choice. Models state their confidence in steps of 0.05 or 0.1: one
# step is no preference, and two may result from rounding.
CLEAR_GAP: Final = 0.2


class VisionFinder(Protocol):
    """
    A model that finds elements on a picture.

    `find` returns elements (boxes in pixels of the frame, `confidence` 0-1, the best one first), or None if nothing is
    found. Raises a HandeyeError if the model could not be called or its answer is invalid.
    """

    def find(self, target: Target, screen: Screen) -> UIElement | Sequence[UIElement] | None: ...


@runtime_checkable
class JudgedFinder(Protocol):
    """
    A finder that checks its model's answer against other evidence: its confidence is that of the evidence, which it
    describes in words. `judge` is called instead of `find`, and raises the same errors.
    """

    def judge(self, target: Target, screen: Screen) -> Accepted: ...


@runtime_checkable
class ChoosingFinder(JudgedFinder, Protocol):
    """
    A judged finder whose model, in doubt, chooses among ranked `candidates`, the most probable first, with their
    probability as `confidence`. `judge_among` raises the same errors as `judge`.
    """

    def judge_among(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Accepted: ...


class VisualStrategy:
    """
    Calls `finder` for the target's description or text.

    Boxes outside of the frame, without size or as large as the frame are dropped; boxes that extend over an edge are
    clipped. An invalid confidence counts as 0. Only a JudgedFinder may exceed
    handeye.models.grounding.acceptance.UNCONFIRMED_MOST. Boxes that share SAME_PLACE are one; of several places the best is
    taken if the model prefers it by CLEAR_GAP, else they are equally good. Other errors of the finder are raised as
    LocateError, so that the next strategy is tried. `weighed` are the ranked elements of the same search (`among`).
    """

    def __init__(self, finder: VisionFinder, weighed: Sequence[UIElement] = ()) -> None:
        self._finder = finder
        self._weighed = tuple(weighed)

    @property
    def name(self) -> str:
        return "visual"

    @property
    def reads_phrases(self) -> Literal[True]:
        return True

    def accepts(self, target: Target) -> str | None:
        words = target.phrase or target.description or target.text or ""
        return None if normalize(words) else "there are no words to ask a model for"

    def among(self, weighed: Sequence[UIElement]) -> VisualStrategy:
        """Return a strategy with the same model, which in doubt chooses among ranked elements."""
        return VisualStrategy(self._finder, weighed)

    def locate(self, target: Target, screen: Screen) -> Match | None:
        elements, refused, said = self._ask(target, screen)
        doubtful = _usable(refused, screen)
        if not elements:
            return Match((), said, doubtful=doubtful) if said or doubtful or elements is not None else None
        usable = _usable(elements, screen)
        dropped = len(elements) - len(usable)
        note = (
            f"{dropped} of {len(elements)} boxes are no places on the screen"
            if dropped
            else said or "as the model says"
        )
        places = _distinct(usable)
        judged = isinstance(self._finder, JudgedFinder)  # several judged places remain ambiguous
        if not judged and not target.chooses and _is_preferred(places):
            places, note = places[:1], f"{note}, which is far less sure of {len(places) - 1} more"
        most = 1.0 if judged else UNCONFIRMED_MOST
        elements = tuple(replace(each, confidence=min(most, each.confidence)) for each in places)
        # A model applies "the second" and "below" itself: its choice is not filtered again.
        return Match(elements, note, settled=len(elements) == 1, doubtful=doubtful)

    def _ask(self, target: Target, screen: Screen) -> tuple[tuple[object, ...] | None, tuple[object, ...], str]:
        """
        Return the model's answer, unchecked, the elements that it rejected, and a note. The rejected ones are rivals of an
        unconfirmed match. A finder may be third-party code.
        """
        try:
            if isinstance(self._finder, JudgedFinder):
                if self._weighed and isinstance(self._finder, ChoosingFinder):
                    judged = self._finder.judge_among(target, screen, self._weighed)
                else:
                    judged = self._finder.judge(target, screen)
                if len(judged.found) == 1 and judged.found[0].confidence > UNCONFIRMED_MOST:
                    return judged.found, judged.candidates, judged.note
                return judged.elements or None, (), judged.note
            answer = self._finder.find(target, screen)
            found = answer if answer is None else (answer,) if isinstance(answer, UIElement) else tuple(answer)
            return found, (), ""
        except HandeyeError:
            raise
        except Exception as error:  # clients have no common base class for their errors
            raise LocateError(f"the vision model could not be asked: {type(error).__name__}: {error}") from error


def pictures_of(images: ReferenceSource) -> Callable[[str], Image.Image | None]:
    """
    Return a function that returns the first picture of a reference's name for a model, or None if the name is unknown.
    """

    def picture(name: str) -> Image.Image | None:
        return next((Image.fromarray(reference.pixels) for reference in images.find(name)), None)

    return picture


def _usable(elements: Sequence[object], screen: Screen) -> tuple[UIElement, ...]:
    """Return the valid elements for that frame, corrected."""
    return tuple(each for each in (_checked(element, screen) for element in elements) if each is not None)


def _distinct(elements: Sequence[UIElement]) -> list[UIElement]:
    """Return one element per place, the most confident first."""
    places: list[UIElement] = []
    for element in sorted(elements, key=lambda each: -each.confidence):
        if all(element.bbox.iou(place.bbox) < SAME_PLACE for place in places):
            places.append(element)
    return places


def _is_preferred(places: Sequence[UIElement]) -> bool:
    """Return True if the first of several places is confident enough, and clearly more than the next."""
    if len(places) < 2 or places[0].confidence < LEAST_CONFIDENCE:
        return False
    return round(places[0].confidence - places[1].confidence, 6) >= CLEAR_GAP


def _checked(element: object, screen: Screen) -> UIElement | None:
    """Return the element corrected for that frame, or None if it is invalid."""
    if not isinstance(element, UIElement):
        return None
    try:
        box = to_pixel_box(element.bbox, screen.size, space=CoordinateSpace.PIXEL)
    except InvalidBox:
        return None
    visible = box.intersect(screen.box)
    if visible is None or min(visible.width, visible.height) < LEAST_SIDE:
        return None
    if visible.area > MOST_OF_PICTURE * screen.box.area or not check_location(box, screen.size).can_interact:
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
