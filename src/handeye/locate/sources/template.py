"""
Template strategy: find a reference picture by gray values, by edges (dark mode, covered elements), then check colour and
strokes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from handeye.elements import UIElement
from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate.base import Match
from handeye.matching import (
    ACCEPT,
    AGREE_EACH,
    AGREE_TOGETHER,
    COARSE_PEAKS,
    EDGES_ALONE,
    GAIN_LEFT,
    AcceptedMatch,
    Coarse,
    Kind,
    Peak,
    Picture,
    Reference,
    ReferenceSource,
    agreement,
    coloured_parts,
    core_picture,
    expected_scale,
    expected_window,
    find_rotated,
    has_extra_mark,
    has_main_colour,
    is_verified,
    ladder,
    middle,
    middle_of,
    nms_indices,
    refine_full,
    refine_middle,
    score_at,
    search_coarse,
    whole_place,
)
from handeye.screen import Screen
from handeye.target import Target
from handeye.time_limit import check_time

# A score from this on at the original size ends the search: other sizes cannot score higher.
OWN_SIZE: Final = 0.95
# Least score of the inner part of a filled picture alone: on other backgrounds it had 0.95-1.0 on real screens.
MIDDLE: Final = 0.95
# Thresholds of the coarse level. Matches by gray values alone had at least 0.77 there (0.71 once, found by the combined
# pass), those by gray values and edges together at least 1.1 (0.93 once). Absent targets leave about 5 and 9 such
# candidates.
COARSE_GRAY: Final = 0.72
# The same at the original size with blurring: on 85 real pictures 0.55 found the same matches.
COARSE_OWN: Final = 0.7
# A picture that is too faint for the coarse level is searched at its original size with this reduction factor, without a
# border of two pixels of that level, which mix with the surroundings.
CLOSE: Final = 2
CLOSE_RIM: Final = 4
COARSE_TOGETHER: Final = 1.1
COARSE_PAIRS: Final = 8
# Error of the expected scale: another aspect ratio stretches elements whose size depends on the screen's width a little.
EXPECTED_OFF: Final = 0.06
# Maximum number of matches of one picture on one screen.
MOST_PLACES: Final = 500
# Cached picture files: a run uses the same few again and again.
MOST_OPENED: Final = 64
# Rotations in degrees: a picture rotated by an angle between two of them still matches.
SMALL_TURNS: Final = (5, -5, 10, -10, 15, -15)
# Two matches closer in score than this are equally good, so that the target is ambiguous.
TEMPLATE_TIE: Final = 0.03


class TemplateStrategy:
    """
    Searches `Target.reference`, a name that `images` knows or the path of a picture, and its variants.

    Raises InvalidReference for a reference that cannot be searched for. Two equally good matches are both returned. A match
    rotated by more than 30 degrees is only a candidate: its confidence is below the chain's minimum. A picture that is not
    found is searched with light and dark swapped, unless the frame has the background of the picture, and slightly rotated.
    """

    def __init__(self, images: ReferenceSource | None = None) -> None:
        self._images = images
        self._opened: dict[str, tuple[int, Reference]] = {}

    @property
    def name(self) -> str:
        return "template"

    def accepts(self, target: Target) -> str | None:
        if not target.reference:
            return "no reference image is asked for"
        if not self.references(target.reference):
            return f"there is no reference image {target.reference!r}"
        return None

    def references(self, name: str) -> tuple[Reference, ...]:
        """Return the pictures of that name, or the picture at that path. Raises InvalidReference."""
        known = self._images.find(name) if self._images else ()
        if known or not _is_image_path(name):
            return known
        changed = Path(name).stat().st_mtime_ns
        at, reference = self._opened.get(name, (None, None))
        if reference is None or at != changed:
            reference = Reference.open(name)
            if len(self._opened) >= MOST_OPENED:
                self._opened.clear()
            self._opened[name] = changed, reference
        return (reference,)

    def locate(self, target: Target, screen: Screen) -> Match | None:
        references = self.references(target.reference or "")
        if not references:
            raise InvalidReference(
                f"there is no reference image {target.reference!r}; give its name, an alias or a path"
            )
        within = target.region.box(screen.size) if target.region else screen.box
        found: list[AcceptedMatch] = []
        if not target.chooses:
            found = next(
                filter(None, (at_recorded_position(reference, screen, within) for reference in references)), []
            )
        found = found or [place for reference in references for place in find_all(reference, screen, within)]
        look = ""
        if not found:
            look, found = _in_other_appearances(references, screen, within)
        found = [place for place in found if not place.is_turned] or found
        if not found:
            return Match((), "it is nowhere on the frame")
        best = [found[index] for index in nms_indices([place.peak for place in found])]
        least = 0.0 if target.chooses else best[0].peak.score - TEMPLATE_TIE
        equal = tuple(_element(place, target, screen, look) for place in best if place.peak.score >= least)
        return Match(equal, _note(best[0]))


def find_all(reference: Reference, screen: Screen, within: Box | None = None) -> list[AcceptedMatch]:
    """
    Return all accepted matches of the picture, best first, in pixels of the frame. If there are none and it has an alpha
    channel, it is searched composed on the colours of the frame.
    """
    where = screen, within or screen.box, expected_scale(reference, screen)
    places = _places(_TemplateSearch(reference, *where))
    for other in () if places else reference.on_pages_of(screen):
        places = places or _places(_TemplateSearch(other, *where))
    return [places[index] for index in nms_indices([place.peak for place in places])]


def find_inverted(reference: Reference, screen: Screen, within: Box) -> list[AcceptedMatch]:
    """
    Return all matches of a gray picture by gray values with light and dark swapped. Empty if the frame has the background
    that it was cut from: there, swapped colours mean another state.
    """
    inverted = None if reference.is_larger_than(screen.size) else reference.inverted()
    if inverted is None or reference.has_page_of(screen):
        return []
    check_time()
    look = _TemplateSearch(inverted, screen, within, expected_scale(reference, screen))
    places = look.in_expected_size() or look.by_gray_values()
    return _with_evidence(places, reference, "light and dark exchanged")


def find_slightly_rotated(reference: Reference, screen: Screen, within: Box) -> list[AcceptedMatch]:
    """Return all matches of the picture at its original size, rotated by one of SMALL_TURNS."""
    if reference.is_larger_than(screen.size):
        return []
    for angle in SMALL_TURNS:
        check_time()
        turned = reference.turned(angle)
        look = None if turned is None else _TemplateSearch(turned, screen, within, expected_scale(reference, screen))
        if look is not None and (places := look.in_expected_size(ACCEPT)):
            return _with_evidence(places, reference, f"turned by {angle} degrees")
    return []


TRANSFORMED_SEARCHES: Final = {"exchanged": find_inverted, "turned": find_slightly_rotated}
"""Searches for a picture that is not found as it is, by the name that a match has in its metadata as its `look`."""


def _in_other_appearances(
    references: Sequence[Reference], screen: Screen, within: Box
) -> tuple[str, list[AcceptedMatch]]:
    """
    Return the first of OTHER_LOOKS in which one of the pictures is found, and its matches; an empty name and list without.
    """
    for look, find in TRANSFORMED_SEARCHES.items():
        if places := next(filter(None, (find(each, screen, within) for each in references)), []):
            return look, places
    return "", []


def _with_evidence(places: Sequence[AcceptedMatch], reference: Reference, how: str) -> list[AcceptedMatch]:
    """Return the matches of a transformed picture with the transformation as evidence, each once."""
    noted = [each._replace(evidence=f"{each.evidence}, {how}", reference=reference) for each in places]
    return [noted[index] for index in nms_indices([place.peak for place in noted])]


def _places(look: _TemplateSearch) -> list[AcceptedMatch]:
    check_time()
    return look.in_expected_size() or look.by_gray_values() or look.by_middle() or look.by_both() or look.by_keypoints()


def at_recorded_position(reference: Reference, screen: Screen, within: Box | None = None) -> list[AcceptedMatch]:
    """
    Return the match of the picture at the position where it was cut (`Reference.captured` and `position`), if it is
    verified there.

    Empty if no position is stored, if the screen has another orientation, or if there is not exactly one match there; the
    rest of the screen is not searched.
    """
    window = expected_window(reference, screen)
    window = window.intersect(within or screen.box) if window else None
    if window is None:
        return []
    part = screen.crop(window)
    places = _TemplateSearch(reference, part, part.box, expected_scale(reference, screen)).in_expected_size(ACCEPT)
    if len(places) != 1:
        return []
    ((peak, evidence, _reference),) = places
    moved = replace(peak, box=peak.box.translate(window.left, window.top))
    return [AcceptedMatch(moved, f"{evidence}, where it was cut", reference)]


class _TemplateSearch:
    """One search for one picture on one frame; results that several passes need are computed once, on demand."""

    def __init__(self, reference: Reference, screen: Screen, within: Box, expected: float | None = None) -> None:
        self._reference = reference
        self._picture = core_picture(reference)
        self._scales = ladder(self._picture.coarse_step)
        self._on = (screen, self._picture)
        self._screen, self._within, self._expected = screen, within, expected or 1.0

    def in_expected_size(self, least: float = OWN_SIZE) -> list[AcceptedMatch]:
        """Return the matches at the original size, or at the size expected on this screen."""
        is_faint = self._picture.is_faint
        seen = self._coarse_within_border() if is_faint else self._coarse_at_expected_size()
        near = self._with_colour(peak for peak in seen if peak.score >= COARSE_OWN)
        off = 0.0 if self._expected == 1.0 else EXPECTED_OFF
        places = self._refined(near, off, least, sharpened=is_faint)
        return places + self._by_inner_part(self._with_colour(seen), off) if places else []

    def _coarse_at_expected_size(self) -> list[Peak]:
        return self._coarse("gray", [self._expected], MOST_PLACES).peaks

    def _coarse(self, kind: Kind, scales: list[float], most: int = COARSE_PEAKS) -> Coarse:
        """Search the coarse level, in the parts with the picture's colour."""
        only = self._coloured_parts if scales is self._scales else self._parts_with_colour(scales)
        return search_coarse(*self._on, kind, self._within, scales, most, only)

    def _parts_with_colour(self, scales: list[float]) -> list[Box] | None:
        return coloured_parts(self._reference, self._screen, self._within, scales, self._picture.coarse)

    @cached_property
    def _coloured_parts(self) -> list[Box] | None:
        """The parts with the picture's colour at all sizes, which both kinds of search need."""
        return self._parts_with_colour(self._scales)

    def _coarse_within_border(self) -> list[Peak]:
        """
        Return the coarse peaks of a picture that is too faint on the coarse level: searched on a finer one, without its
        border.
        """
        height, width = self._picture.gray.shape
        inner = self._picture.gray[_without_border(height), _without_border(width)]
        picture = Picture(np.ascontiguousarray(inner), finer=CLOSE)
        seen = search_coarse(self._screen, picture, "gray", self._within, [self._expected], MOST_PLACES)
        return [replace(peak, box=self._around(peak.box)) for peak in seen.peaks]

    def _around(self, inner: Box) -> Box:
        """Return the box of the whole picture, from that of its part without the border."""
        rim, (height, width) = round(CLOSE_RIM * self._expected), self._picture.gray.shape
        left, top = inner.left - rim, inner.top - rim
        return Box(left, top, left + round(width * self._expected), top + round(height * self._expected))

    @cached_property
    def _gray(self) -> Coarse:
        """The coarse level in gray values at all sizes."""
        seen = self._coarse("gray", self._scales)
        return replace(seen, peaks=self._with_colour(seen.peaks))

    @cached_property
    def _coarse_pairs(self) -> list[tuple[Peak, Kind]]:
        """The coarse peaks that gray values and edges together support best, with the kind that found each."""
        gray, drawn = self._gray, self._coarse("edges", self._scales)
        pairs: list[tuple[Peak, Kind]] = [
            *((replace(peak, score=peak.score + gray.near(peak)), "edges") for peak in self._with_colour(drawn.peaks)),
            *((replace(peak, score=peak.score + drawn.near(peak)), "gray") for peak in gray.peaks),
        ]
        pairs = [pair for pair in pairs if pair[0].score >= COARSE_TOGETHER]
        return [pairs[index] for index in nms_indices([peak for peak, _kind in pairs], COARSE_PAIRS)]

    def by_gray_values(self) -> list[AcceptedMatch]:
        """Return the matches of any size by gray values alone."""
        near = [peak for peak in self._gray.peaks if peak.score >= COARSE_GRAY]
        return self._refined(near, self._picture.coarse_step, ACCEPT)

    def _with_colour(self, peaks: Iterable[Peak]) -> list[Peak]:
        """Return the coarse peaks with the picture's colour: a quick check that takes less time than a correlation."""
        return [
            peak for peak in peaks if has_main_colour(self._reference, self._screen, peak.box.clip(self._screen.size))
        ]

    def _refined(self, peaks: list[Peak], off: float, least: float, *, sharpened: bool = False) -> list[AcceptedMatch]:
        near = peaks if sharpened else refine_middle(*self._on, "gray", self._within, peaks, off, ACCEPT)
        exact = refine_full(*self._on, "gray", self._within, near, off, ACCEPT)
        if not exact or exact[0].score < least:
            return []
        return self._verified([(peak, "gray values") for peak in exact])

    def by_middle(self) -> list[AcceptedMatch]:
        """Return the matches of a filled picture without its border, which may show another background."""
        return self._by_inner_part(self._gray.peaks, self._picture.coarse_step)

    def _by_inner_part(self, peaks: list[Peak], off: float) -> list[AcceptedMatch]:
        middle = middle_of(self._reference)
        if middle is None:
            return []
        picture, rim = core_picture(middle), (self._reference.gray.shape[0] - middle.gray.shape[0]) // 2
        places = []
        for peak in peaks:
            # The score of the inner part is not known yet.
            inner = [replace(peak, box=peak.box.expand(-round(rim * peak.scale)), score=1.0)]
            near = refine_middle(self._screen, picture, "gray", self._within, inner, off, MIDDLE)
            for exact in refine_full(self._screen, picture, "gray", self._within, near, off, MIDDLE):
                whole = replace(exact, box=exact.box.expand(round(rim * exact.scale)), score=ACCEPT - 0.01)
                is_it = is_verified(middle, self._screen, exact.box, exact.score)
                if is_it and not has_extra_mark(self._reference, self._screen, whole.box):
                    places.append(AcceptedMatch(whole, f"gray values of its middle {exact.score:.2f}", self._reference))
        return places

    def by_both(self) -> list[AcceptedMatch]:
        """Return the matches by gray values and edges together, or by strong edges alone (dark mode)."""
        return self._verified([place for peak, kind in self._coarse_pairs for place in self._together(peak, kind)])

    def by_keypoints(self) -> list[AcceptedMatch]:
        """Return the matches of a picture that is rotated, or covered except for single points."""
        return find_rotated(self._reference, self._screen, [peak.box for peak, _kind in self._coarse_pairs])

    def _together(self, peak: Peak, kind: Kind) -> list[tuple[Peak, str]]:
        """
        Return the matches near a coarse peak for which both kinds of evidence together suffice.

        The picture is placed by each kind in turn: a cover over a part of it can shift one of them by a pixel or two.
        """
        off, least = self._picture.coarse_step, AGREE_EACH
        other: Kind = "edges" if kind == "gray" else "gray"
        places: list[tuple[Peak, str]] = []
        for near in refine_middle(*self._on, kind, self._within, [peak], off, least):
            second = score_at(*self._on, other, near, middle(self._picture.coarse))
            drawn = near.score if kind == "edges" else second
            if drawn < EDGES_ALONE - GAIN_LEFT and near.score + second < AGREE_TOGETHER - 2 * GAIN_LEFT:
                continue
            for by in (kind, other):
                for exact in refine_full(*self._on, by, self._within, [near], off, least):
                    second = score_at(*self._on, "gray" if by == "edges" else "edges", exact)
                    scores = (exact.score, second) if by == "gray" else (second, exact.score)
                    places += agreement(exact, *scores, self._reference)
        return places

    def _verified(self, places: list[tuple[Peak, str]]) -> list[AcceptedMatch]:
        whole = [(whole_place(peak, self._reference), how) for peak, how in places]
        return [
            AcceptedMatch(peak, how, self._reference)
            for peak, how in whole
            if is_verified(self._reference, self._screen, peak.box, peak.score)
        ]


def _without_border(length: int) -> slice:
    """Return the slice without the border, in whole pixels of the finer level: half a pixel would distort it."""
    return slice(CLOSE_RIM, CLOSE_RIM + (length - 2 * CLOSE_RIM) // CLOSE * CLOSE)


def _note(place: AcceptedMatch) -> str:
    return f"{place.reference.name!r} by {place.evidence}, {place.peak.score:.2f} at {place.peak.scale:.2f}x"


def _element(place: AcceptedMatch, target: Target, screen: Screen, look: str) -> UIElement:
    peak = place.peak
    visible = peak.box.clip(screen.size)
    return UIElement(
        element_type=target.role or "icon",
        description=target.reference or place.reference.name,
        bbox=peak.box,
        confidence=min(1.0, peak.score),
        source="template",
        visible_region=None if visible == peak.box else visible,
        metadata={
            "reference": place.reference.name,
            "scale": round(peak.scale, 3),
            "angle": round(peak.angle, 1),
            "evidence": place.evidence,
            **({"look": look} if look else {}),
        },
    )


def _is_image_path(name: str) -> bool:
    return Path(name).suffix.lower() in (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif") and Path(name).is_file()
