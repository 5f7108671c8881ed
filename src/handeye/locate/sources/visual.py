"""Asking a model that sees, behind a protocol: whatever it answers is checked before anybody clicks on it."""

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

# Two boxes that share so much of what they cover together are one place, named twice.
SAME_PLACE: Final = 0.5
# A model that prefers one of its places by so much of its own scale has chosen it. Models state their confidence in steps of
# 0.05 or 0.1: one step is no preference, and two may be two roundings.
CLEAR_GAP: Final = 0.2


class VisionFinder(Protocol):
    """
    A model that finds things on a picture.

    `find` answers with elements (boxes in pixels of the frame, `confidence` 0-1, the best one first), or None when it sees
    nothing of the kind. Raises a HandeyeError when it could not be asked or its answer cannot be understood.
    """

    def find(self, target: Target, screen: Screen) -> UIElement | Sequence[UIElement] | None: ...


@runtime_checkable
class JudgedFinder(Protocol):
    """
    A finder that holds what its model says against other evidence: it is as sure as its evidence, not as the model, and says in
    words what that is. `judge` is asked instead of `find`, and raises what that raises.
    """

    def judge(self, target: Target, screen: Screen) -> Accepted: ...


@runtime_checkable
class ChoosingFinder(JudgedFinder, Protocol):
    """
    A judged finder whose model, in doubt, chooses among what a ranker has weighed: `candidates`, the most probable first, with
    their probability as `confidence`. `judge_among` raises what `judge` raises.
    """

    def judge_among(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Accepted: ...


class VisualStrategy:
    """
    Asks `finder` for the target's description or text.

    Boxes outside of the frame, of no size or of the whole frame's size are dropped; what reaches over an edge is cut. A
    confidence that is no number from 0 to 1 is none: 0, on which nobody acts. More than
    handeye.models.grounding.acceptance.UNCONFIRMED_MOST is believed of a JudgedFinder only. Boxes that share SAME_PLACE are
    one; of several places the best is taken when the model prefers it by CLEAR_GAP, else they are equally good. Whatever the
    finder raises leaves here as a LocateError, so that the next strategy is asked. `weighed` is what a ranker has weighed
    for the same search (`among`).
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
        """Return a strategy with the same model, which in doubt chooses among what a ranker has weighed."""
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
        places = _apart(usable)
        judged = isinstance(self._finder, JudgedFinder)  # what has been judged and is still several, stays several
        if not judged and not target.chooses and _is_preferred(places):
            places, note = places[:1], f"{note}, which is far less sure of {len(places) - 1} more"
        most = 1.0 if judged else UNCONFIRMED_MOST
        elements = tuple(replace(each, confidence=min(most, each.confidence)) for each in places)
        # A model reads "the second" and "below" itself: what it chose is not chosen from again.
        return Match(elements, note, settled=len(elements) == 1, doubtful=doubtful)

    def _ask(self, target: Target, screen: Screen) -> tuple[tuple[object, ...] | None, tuple[object, ...], str]:
        """
        Return the model's answer, unchecked, what was refused of it, and a remark about both. What was refused is a rival of a
        find that nothing bears out. A finder is anybody's code over anybody's client.
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
        except Exception as error:  # a client's own errors have no base class that could be named
            raise LocateError(f"the vision model could not be asked: {type(error).__name__}: {error}") from error


def pictures_of(images: ReferenceSource) -> Callable[[str], Image.Image | None]:
    """The first picture of a reference's name, as a model is shown it; None when nothing has that name."""

    def picture(name: str) -> Image.Image | None:
        return next((Image.fromarray(reference.pixels) for reference in images.find(name)), None)

    return picture


def _usable(elements: Sequence[object], screen: Screen) -> tuple[UIElement, ...]:
    """Return the elements that can be used on that frame, as they can be used."""
    return tuple(each for each in (_checked(element, screen) for element in elements) if each is not None)


def _apart(elements: Sequence[UIElement]) -> list[UIElement]:
    """One element for each place, the surest first."""
    places: list[UIElement] = []
    for element in sorted(elements, key=lambda each: -each.confidence):
        if all(element.bbox.iou(place.bbox) < SAME_PLACE for place in places):
            places.append(element)
    return places


def _is_preferred(places: Sequence[UIElement]) -> bool:
    """Return True if the first of several places is believed, and much more than the next."""
    if len(places) < 2 or places[0].confidence < LEAST_CONFIDENCE:
        return False
    return round(places[0].confidence - places[1].confidence, 6) >= CLEAR_GAP


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
