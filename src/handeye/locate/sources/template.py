"""Finding a reference picture: gray values first, edges for dark mode and covered places, then colour and strokes."""

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
    Coarse,
    Kind,
    Peak,
    Picture,
    Place,
    Reference,
    ReferenceSource,
    agreement,
    colour_near,
    coloured_parts,
    core_picture,
    find_turned,
    is_marked,
    kept,
    ladder,
    look_over,
    middle,
    middle_of,
    proved,
    score_at,
    settle,
    sharpen,
    stored_scale,
    stored_window,
    whole_place,
)
from handeye.screen import Screen
from handeye.target import Target
from handeye.time_limit import check_time

# A score like this in the picture's own size ends the search: other sizes cannot do better.
OWN_SIZE: Final = 0.95
# The middle of a filled picture alone must be there like this: before other backgrounds it had 0.95-1.0 on real screens.
MIDDLE: Final = 0.95
# On the coarse level, as measured there: places that became a match by gray values alone had 0.77 and more (0.71 once, which
# the pass by both found), and those by both together 1.1 and more (0.93 once). Absent targets leave about 5 and 9 such places.
COARSE_GRAY: Final = 0.72
# In its own size, compared softly: on 85 real pictures 0.55 found the same places.
COARSE_OWN: Final = 0.7
# A picture that is too faint for the coarse level is searched for in its own size so many times smaller, without a border of
# two pixels of that level, which mix with what lies around.
CLOSE: Final = 2
CLOSE_RIM: Final = 4
COARSE_TOGETHER: Final = 1.1
COARSE_PAIRS: Final = 8
# Another aspect of the screen stretches what depends on its width by a little: the expected scale is off by so much.
EXPECTED_OFF: Final = 0.06
# Places of one thing on one screen that are told apart.
MOST_PLACES: Final = 500
# Files that are asked for by their paths and kept: a run asks for the same few again and again.
MOST_OPENED: Final = 64
# Degrees: between two of them a picture that is turned still agrees enough.
SMALL_TURNS: Final = (5, -5, 10, -10, 15, -15)
# Two places closer in score than this are equally good: nobody can say which one was meant.
TEMPLATE_TIE: Final = 0.03


class TemplateStrategy:
    """
    Looks for `Target.reference`, a name that `images` knows or the path of a picture, and its variants.

    Raises InvalidReference for a reference that cannot be searched for. Two equally good places are both returned. A place
    where the picture stands turned by more than 30 degrees is no find: its confidence is below the chain's least. A picture
    that is nowhere seen is looked for with light and dark exchanged, where its page is none of the frame's, and a little
    turned.
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
        """The pictures of that name; a path to an image file is one itself. Raises InvalidReference."""
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
        found: list[Place] = []
        if not target.chooses:
            found = next(filter(None, (at_stored_place(reference, screen, within) for reference in references)), [])
        found = found or [place for reference in references for place in find_all(reference, screen, within)]
        look = ""
        if not found:
            look, found = _in_other_looks(references, screen, within)
        found = [place for place in found if not place.is_turned] or found
        if not found:
            return Match((), "it is nowhere on the frame")
        best = [found[index] for index in kept([place.peak for place in found])]
        least = 0.0 if target.chooses else best[0].peak.score - TEMPLATE_TIE
        equal = tuple(_element(place, target, screen, look) for place in best if place.peak.score >= least)
        return Match(equal, _note(best[0]))


def find_all(reference: Reference, screen: Screen, within: Box | None = None) -> list[Place]:
    """
    Every place where the picture is accepted: best first, in pixels of the frame. Where it is nowhere seen and has an alpha
    channel, it is looked for as it looks on the colours of the frame.
    """
    where = screen, within or screen.box, stored_scale(reference, screen)
    places = _places(_Look(reference, *where))
    for other in () if places else reference.on_pages_of(screen):
        places = places or _places(_Look(other, *where))
    return [places[index] for index in kept([place.peak for place in places])]


def find_exchanged(reference: Reference, screen: Screen, within: Box) -> list[Place]:
    """
    Every place where a gray picture is accepted by its gray values with light and dark exchanged. None where the frame has the
    page that it was cut from: there, what is light for dark is another state.
    """
    inverted = None if reference.is_larger_than(screen.size) else reference.inverted()
    if inverted is None or reference.has_page_of(screen):
        return []
    check_time()
    look = _Look(inverted, screen, within, stored_scale(reference, screen))
    places = look.in_expected_size() or look.by_gray_values()
    return _told(places, reference, "light and dark exchanged")


def find_turned_a_little(reference: Reference, screen: Screen, within: Box) -> list[Place]:
    """Every place where the picture is accepted in its own size, but turned by one of SMALL_TURNS."""
    if reference.is_larger_than(screen.size):
        return []
    for angle in SMALL_TURNS:
        check_time()
        turned = reference.turned(angle)
        look = None if turned is None else _Look(turned, screen, within, stored_scale(reference, screen))
        if look is not None and (places := look.in_expected_size(ACCEPT)):
            return _told(places, reference, f"turned by {angle} degrees")
    return []


OTHER_LOOKS: Final = {"exchanged": find_exchanged, "turned": find_turned_a_little}
"""The ways to find a picture that is nowhere seen as it is, by the name that a find has in its metadata as its `look`."""


def _in_other_looks(references: Sequence[Reference], screen: Screen, within: Box) -> tuple[str, list[Place]]:
    """Return the first of OTHER_LOOKS in which one of the pictures is seen, and its places; an empty name and none without."""
    for look, find in OTHER_LOOKS.items():
        if places := next(filter(None, (find(each, screen, within) for each in references)), []):
            return look, places
    return "", []


def _told(places: Sequence[Place], reference: Reference, how: str) -> list[Place]:
    """Return places of a picture that was looked for otherwise, each once."""
    told = [each._replace(evidence=f"{each.evidence}, {how}", reference=reference) for each in places]
    return [told[index] for index in kept([place.peak for place in told])]


def _places(look: _Look) -> list[Place]:
    check_time()
    return look.in_expected_size() or look.by_gray_values() or look.by_middle() or look.by_both() or look.by_keypoints()


def at_stored_place(reference: Reference, screen: Screen, within: Box | None = None) -> list[Place]:
    """
    The picture where it stood when it was cut (`Reference.captured` and `position`), when it is proved there.

    Empty when nothing is stored, when the screen is turned the other way, or when the picture does not stand there once:
    that says nothing about the rest of the screen.
    """
    window = stored_window(reference, screen)
    window = window.intersect(within or screen.box) if window else None
    if window is None:
        return []
    part = screen.crop(window)
    places = _Look(reference, part, part.box, stored_scale(reference, screen)).in_expected_size(ACCEPT)
    if len(places) != 1:
        return []
    ((peak, evidence, _reference),) = places
    moved = replace(peak, box=peak.box.translate(window.left, window.top))
    return [Place(moved, f"{evidence}, where it was cut", reference)]


class _Look:
    """One search for one picture on one frame; what several passes need is computed once, on demand."""

    def __init__(self, reference: Reference, screen: Screen, within: Box, expected: float | None = None) -> None:
        self._reference = reference
        self._picture = core_picture(reference)
        self._scales = ladder(self._picture.coarse_step)
        self._on = (screen, self._picture)
        self._screen, self._within, self._expected = screen, within, expected or 1.0

    def in_expected_size(self, least: float = OWN_SIZE) -> list[Place]:
        """The places where the picture stands as it was cut, or as large as another screen should show it."""
        closely = self._picture.is_faint
        seen = self._closely() if closely else self._from_afar()
        near = self._coloured(peak for peak in seen if peak.score >= COARSE_OWN)
        off = 0.0 if self._expected == 1.0 else EXPECTED_OFF
        places = self._sure(near, off, least, sharpened=closely)
        return places + self._framed_otherwise(self._coloured(seen), off) if places else []

    def _from_afar(self) -> list[Peak]:
        return self._over("gray", [self._expected], MOST_PLACES).peaks

    def _over(self, kind: Kind, scales: list[float], most: int = COARSE_PEAKS) -> Coarse:
        """The coarse level, where the picture's colour is."""
        only = self._coloured_parts if scales is self._scales else self._where_coloured(scales)
        return look_over(*self._on, kind, self._within, scales, most, only)

    def _where_coloured(self, scales: list[float]) -> list[Box] | None:
        return coloured_parts(self._reference, self._screen, self._within, scales, self._picture.coarse)

    @cached_property
    def _coloured_parts(self) -> list[Box] | None:
        """The parts that have the picture's colour, at all sizes: both kinds ask."""
        return self._where_coloured(self._scales)

    def _closely(self) -> list[Peak]:
        """The same for a picture that is too faint on the coarse level: on a finer one, by what lies within its border."""
        height, width = self._picture.gray.shape
        inner = self._picture.gray[_within_rim(height), _within_rim(width)]
        picture = Picture(np.ascontiguousarray(inner), finer=CLOSE)
        seen = look_over(self._screen, picture, "gray", self._within, [self._expected], MOST_PLACES)
        return [replace(peak, box=self._around(peak.box)) for peak in seen.peaks]

    def _around(self, inner: Box) -> Box:
        """The place of the whole picture, from that of what lies within its border."""
        rim, (height, width) = round(CLOSE_RIM * self._expected), self._picture.gray.shape
        left, top = inner.left - rim, inner.top - rim
        return Box(left, top, left + round(width * self._expected), top + round(height * self._expected))

    @cached_property
    def _gray(self) -> Coarse:
        """The coarse level in gray values at all sizes."""
        seen = self._over("gray", self._scales)
        return replace(seen, peaks=self._coloured(seen.peaks))

    @cached_property
    def _likely(self) -> list[tuple[Peak, Kind]]:
        """The coarse places that both kinds support best, and by which kind each was seen."""
        gray, drawn = self._gray, self._over("edges", self._scales)
        pairs: list[tuple[Peak, Kind]] = [
            *((replace(peak, score=peak.score + gray.near(peak)), "edges") for peak in self._coloured(drawn.peaks)),
            *((replace(peak, score=peak.score + drawn.near(peak)), "gray") for peak in gray.peaks),
        ]
        pairs = [pair for pair in pairs if pair[0].score >= COARSE_TOGETHER]
        return [pairs[index] for index in kept([peak for peak, _kind in pairs], COARSE_PAIRS)]

    def by_gray_values(self) -> list[Place]:
        """The places of any size whose gray values alone are enough."""
        near = [peak for peak in self._gray.peaks if peak.score >= COARSE_GRAY]
        return self._sure(near, self._picture.coarse_step, ACCEPT)

    def _coloured(self, peaks: Iterable[Peak]) -> list[Peak]:
        """Those of the coarse places that have the picture's colour at a glance: a look costs less than a correlation."""
        return [peak for peak in peaks if colour_near(self._reference, self._screen, peak.box.clip(self._screen.size))]

    def _sure(self, peaks: list[Peak], off: float, least: float, *, sharpened: bool = False) -> list[Place]:
        near = peaks if sharpened else sharpen(*self._on, "gray", self._within, peaks, off, ACCEPT)
        exact = settle(*self._on, "gray", self._within, near, off, ACCEPT)
        if not exact or exact[0].score < least:
            return []
        return self._proved([(peak, "gray values") for peak in exact])

    def by_middle(self) -> list[Place]:
        """Places where all but the rim of a filled picture is there: it was cut out with another background around it."""
        return self._framed_otherwise(self._gray.peaks, self._picture.coarse_step)

    def _framed_otherwise(self, peaks: list[Peak], off: float) -> list[Place]:
        middle = middle_of(self._reference)
        if middle is None:
            return []
        picture, rim = core_picture(middle), (self._reference.gray.shape[0] - middle.gray.shape[0]) // 2
        places = []
        for peak in peaks:
            # Nothing is known of its own score yet.
            inner = [replace(peak, box=peak.box.expand(-round(rim * peak.scale)), score=1.0)]
            near = sharpen(self._screen, picture, "gray", self._within, inner, off, MIDDLE)
            for exact in settle(self._screen, picture, "gray", self._within, near, off, MIDDLE):
                whole = replace(exact, box=exact.box.expand(round(rim * exact.scale)), score=ACCEPT - 0.01)
                is_it = proved(middle, self._screen, exact.box, exact.score)
                if is_it and not is_marked(self._reference, self._screen, whole.box):
                    places.append(Place(whole, f"gray values of its middle {exact.score:.2f}", self._reference))
        return places

    def by_both(self) -> list[Place]:
        """Places that gray values and edges support together, or edges so strongly that they do alone (dark mode)."""
        return self._proved([place for peak, kind in self._likely for place in self._together(peak, kind)])

    def by_keypoints(self) -> list[Place]:
        """Places where the picture stands turned, or so covered that only single points of it are seen."""
        return find_turned(self._reference, self._screen, [peak.box for peak, _kind in self._likely])

    def _together(self, peak: Peak, kind: Kind) -> list[tuple[Peak, str]]:
        """
        Return the places near a coarse peak where both kinds of evidence together are enough.

        The picture is placed by each kind in turn: what covers a part of it can draw one of them aside by a pixel or two.
        """
        off, least = self._picture.coarse_step, AGREE_EACH
        other: Kind = "edges" if kind == "gray" else "gray"
        places: list[tuple[Peak, str]] = []
        for near in sharpen(*self._on, kind, self._within, [peak], off, least):
            second = score_at(*self._on, other, near, middle(self._picture.coarse))
            drawn = near.score if kind == "edges" else second
            if drawn < EDGES_ALONE - GAIN_LEFT and near.score + second < AGREE_TOGETHER - 2 * GAIN_LEFT:
                continue
            for by in (kind, other):
                for exact in settle(*self._on, by, self._within, [near], off, least):
                    second = score_at(*self._on, "gray" if by == "edges" else "edges", exact)
                    scores = (exact.score, second) if by == "gray" else (second, exact.score)
                    places += agreement(exact, *scores, self._reference)
        return places

    def _proved(self, places: list[tuple[Peak, str]]) -> list[Place]:
        whole = [(whole_place(peak, self._reference), how) for peak, how in places]
        return [
            Place(peak, how, self._reference)
            for peak, how in whole
            if proved(self._reference, self._screen, peak.box, peak.score)
        ]


def _within_rim(length: int) -> slice:
    """Return what lies within the border, in whole pixels of the finer level: squeezed by half a one it would be another."""
    return slice(CLOSE_RIM, CLOSE_RIM + (length - 2 * CLOSE_RIM) // CLOSE * CLOSE)


def _note(place: Place) -> str:
    return f"{place.reference.name!r} by {place.evidence}, {place.peak.score:.2f} at {place.peak.scale:.2f}x"


def _element(place: Place, target: Target, screen: Screen, look: str) -> UIElement:
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
