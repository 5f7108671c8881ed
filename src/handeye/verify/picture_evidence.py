"""
Evidence from reference pictures: a part of a page by template matching, a whole page by its layout; and the state of
switches.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.elements import UIState
from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate import TemplateStrategy, find_all
from handeye.matching import (
    DIFFERENT_PAGE,
    SAME_PAGE,
    PageSimilarity,
    Reference,
    is_whole_screen,
    may_be_stretched,
    part_similarity,
    similarity_of_pages,
)
from handeye.screen import Pixels, Screen
from handeye.target import Expectation
from handeye.verify.base import Evidence


def by_reference(templates: TemplateStrategy, expect: Expectation, after: Screen) -> Evidence:
    """Return the finding on whether the image `expect.reference`, in any of its variants, is seen. Raises LocateError."""
    name = expect.reference or ""
    references = templates.references(name)
    if not references:
        return Evidence(None, f"there is no reference image {name!r} to compare with")
    within = expect.region.box(after.size) if expect.region else None
    return best([compared(reference, after, within) for reference in references])


def best(findings: list[Evidence]) -> Evidence:
    """
    Return the best finding of several variants, of which one is enough: one that holds, else an undecided one, else the most
    confident no.
    """
    order = {True: 2, None: 1, False: 0}
    return max(findings, key=lambda finding: (order[finding.holds], finding.confidence))


def compared(reference: Reference, after: Screen, within: Box | None) -> Evidence:
    """
    Compare a reference with the frame: as a page when it has this page's shape, else as a part of one; with the shape of
    another screen as either. A picture that was cut from a screen instead of scaled stays undecided.
    """
    page = reference.pixels[:, :, :3]
    if within is None and is_whole_screen(page.shape, after):
        return _page(similarity_of_pages(page, after), str(reference))
    stretched = _stretched(page, after, str(reference)) if within is None else None
    if stretched is not None and stretched.holds is not False:
        return stretched
    found = [place for place in find_all(reference, after, within) if not place.is_turned]
    if not found and stretched is not None:
        cut = part_similarity(page, after).whole
        return (
            stretched
            if cut < DIFFERENT_PAGE
            else Evidence(None, f"{reference} may be a part of what is seen: {cut:.2f}")
        )
    if not found:
        return Evidence(False, f"{reference} is not on the screen", 0.8)
    peak, how, _reference = found[0]
    return Evidence(True, f"{reference} is there by {how}, {peak.score:.2f}", min(1.0, peak.score))


def by_picture(expected: Screen, after: Screen) -> Evidence:
    """
    Return the finding on whether a picture is seen, as a page or as a part of one. Raises InvalidReference for one that is
    too large or too plain.
    """
    if is_whole_screen(expected.pixels.shape, after):
        return _page(similarity_of_pages(expected.pixels, after), "the expected page")
    if (stretched := _stretched(expected.pixels, after, "the expected page")) is not None and stretched.holds:
        return stretched
    if expected.size.width > after.size.width * 2 or expected.size.height > after.size.height * 2:
        raise InvalidReference(f"the expected picture ({expected.size}) cannot be a part of a {after.size} screen")
    return compared(Reference("expected", expected.pixels), after, None)


def _stretched(page: Pixels, after: Screen, what: str) -> Evidence | None:
    """Compare the picture as a whole screen of another shape; None when it has no screen's shape."""
    return (
        _page(similarity_of_pages(page, after), f"{what}, stretched to the screen's shape,")
        if may_be_stretched(page, after)
        else None
    )


_ALIKE_IN_OTHER_COLOURS: Final = "has the same layout in other colours: it may be the other theme"


def _page(alike: PageSimilarity, what: str) -> Evidence:
    whole = alike.whole
    if whole >= SAME_PAGE:
        return Evidence(True, f"{what} is what is seen: likeness {whole:.2f}", whole)
    if whole < DIFFERENT_PAGE and alike.in_other_colours:
        return Evidence(None, f"{what} {_ALIKE_IN_OTHER_COLOURS} (edges {alike.edges:.2f})")
    if whole >= DIFFERENT_PAGE:
        return Evidence(
            None, f"{what} may be what is seen: likeness {whole:.2f} is neither that of one page nor of two"
        )
    return Evidence(False, f"{what} is not what is seen: likeness {whole:.2f}", 1 - whole)


# State of the switch in a row: by the position of its knob and by its colour, which have to agree.


_SWITCHES: Final = frozenset({"switch", "checkbox"})
# Width to height of a switch (iOS 1.65, Material 1.6, the web's 1.8-2), and its height as a share of its row.
_ASPECT: Final = (1.45, 2.4)
_HEIGHT: Final = (0.2, 0.9)
_SMALLEST: Final = 12  # pixels: below it a knob is too small to be distinguished from its track
_INK: Final = 14  # gray levels to the row's ground: pale tracks are #e0e0e0 on white
_FILLED: Final = 0.55  # of its box, for a pill: letters and icons fill less
_DIFFERS: Final = 16  # levels of one channel between knob and track: iOS has 22 between white and an idle track
_STRONG: Final = 80  # levels between the track of a black and white switch that is on, and its row
_COLOURED: Final = 50  # levels between a colour's channels: below it is gray
_SURE: Final = 0.85


def switch_in(screen: Screen, row: Box, wanted: bool, state: UIState | None = None) -> Evidence:
    """
    Return the finding on whether the one switch in `row` is on (`wanted`) or off, by the picture, else by the tree's `state`.
    """
    seen = _is_on(screen, row)
    how = "as it is drawn"
    if seen is None and state is not None:
        seen, how = _is_on_in_tree(state, row), "as the tree says"
    if seen is None:
        return Evidence(None, "no single switch can be told in its row")
    return Evidence(seen is wanted, f"its switch is {'on' if seen else 'off'}, {how}", _SURE)


def _is_on_in_tree(state: UIState, row: Box) -> bool | None:
    switches = [
        element
        for element in state.elements
        if element.element_type in _SWITCHES and row.contains(element.center) and element.bbox.area
    ]
    return bool(switches[0].metadata.get("checked")) if len(switches) == 1 else None


def _is_on(screen: Screen, row: Box) -> bool | None:
    """
    Return the state of the switch by the picture; None when there is no pill in the row, several, or one whose knob and
    colour contradict each other.
    """
    pixels = screen.pixels[row.top : row.bottom, row.left : row.right]
    ground = np.median(pixels.reshape(-1, 3), axis=0)
    pills = _pills(pixels, ground)
    return _pill_state(pixels, pills[0], ground) if len(pills) == 1 else None


def _pills(pixels: Pixels, ground: npt.NDArray[np.float64]) -> list[Box]:
    ink = (np.abs(pixels.astype(np.int16) - ground.astype(np.int16)).max(axis=2) > _INK).astype(np.uint8)
    # A white knob on a white row leaves a hole in its track.
    outlines, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    pills = []
    for outline in outlines:
        left, top, width, height = cv2.boundingRect(outline)
        low, high = (share * pixels.shape[0] for share in _HEIGHT)
        if not (max(low, _SMALLEST) <= height <= high and _ASPECT[0] <= width / height <= _ASPECT[1]):
            continue
        if cv2.contourArea(outline) >= _FILLED * width * height:
            pills.append(Box(left, top, left + width, top + height))
    return pills


def _pill_state(pixels: Pixels, pill: Box, ground: npt.NDArray[np.float64]) -> bool | None:
    half = pill.height // 2
    y = pill.center.y
    left, right = (_colour(pixels, x, y, half // 3) for x in (pill.left + half, pill.right - half))
    # The track is seen above and below the knob, which is smaller than it.
    track = _colour(pixels, pill.center.x, pill.top + max(1, pill.height // 14), max(1, pill.height // 24))
    knob_left, knob_right = (_far(end, track, _DIFFERS) for end in (left, right))
    if knob_left == knob_right:
        return None
    coloured = bool(np.ptp(track) > _COLOURED)
    if knob_left:
        return None if coloured else False
    return True if coloured or _far(track, ground, _STRONG) else None


def _colour(pixels: Pixels, x: int, y: int, radius: int) -> npt.NDArray[np.float64]:
    part = pixels[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
    return np.asarray(np.median(part.reshape(-1, 3), axis=0), np.float64)


def _far(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64], levels: int) -> bool:
    return bool(np.abs(one - other).max() > levels)
