"""Finding a reference picture: gray values first, edges for dark mode and covered places, then colour and strokes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from handeye.elements import UIElement
from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate.base import Match
from handeye.locate.evidence import ACCEPT, proved
from handeye.locate.keypoints import find_turned
from handeye.locate.place import AGREE_EACH, AGREE_TOGETHER, EDGES_ALONE, Place, agreement, core_picture, whole_place
from handeye.locate.pyramid import (
    GAIN_LEFT,
    Peak,
    kept,
    ladder,
    look_over,
    middle,
    score_at,
    settle,
    sharpen,
    suppress,
)
from handeye.locate.reference import Reference, ReferenceSource
from handeye.locate.sweep import Kind
from handeye.screen import Screen
from handeye.target import Target

# A score like this in the picture's own size ends the search: other sizes cannot do better.
OWN_SIZE: Final = 0.95
# On the coarse level, as measured there: places that became a match by gray values alone had 0.77 and more (0.71 once, which
# the pass by both found), and those by both together 1.1 and more (0.93 once). Absent targets leave 3 and 6 such places.
COARSE_GRAY: Final = 0.72
# In its own size, compared softly, the thing itself had 0.8 and more.
COARSE_OWN: Final = 0.7
COARSE_TOGETHER: Final = 1.1
COARSE_PAIRS: Final = 8
# Places of one thing on one screen that are told apart.
MOST_PLACES: Final = 48
# Two places closer in score than this are equally good: nobody can say which one was meant.
TIE: Final = 0.03


class TemplateStrategy:
    """
    Looks for `Target.reference`, a name that `images` knows or the path of a picture, and its variants.

    Raises InvalidReference for a reference that cannot be searched for. Two equally good places are both returned.
    """

    def __init__(self, images: ReferenceSource | None = None) -> None:
        self._images = images

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
        return (Reference.open(name),)

    def locate(self, target: Target, screen: Screen) -> Match | None:
        references = self.references(target.reference or "")
        if not references:
            raise InvalidReference(
                f"there is no reference image {target.reference!r}; give its name, an alias or a path"
            )
        within = target.region.box(screen.size) if target.region else screen.box
        found = [place for reference in references for place in find_all(reference, screen, within)]
        if not found:
            return None
        best = suppress([peak for peak, _how, _reference in found])
        about = {peak: (how, reference) for peak, how, reference in found}
        equal = [peak for peak in best if peak.score >= best[0].score - TIE]
        elements = tuple(_element(peak, *about[peak], target, screen) for peak in equal)
        how, reference = about[best[0]]
        return Match(elements, f"{reference} by {how}, {best[0].score:.2f} at {best[0].scale:.2f}x")


def find_all(reference: Reference, screen: Screen, within: Box | None = None) -> list[Place]:
    """Every place where the picture is accepted: best first, in pixels of the frame."""
    look = _Look(reference, screen, within or screen.box)
    places = look.in_own_size() or look.by_gray_values() or look.by_both() or look.by_keypoints()
    return [places[index] for index in kept([place.peak for place in places])]


class _Look:
    """One search for one picture on one frame; what an earlier pass saw is used by the later ones."""

    def __init__(self, reference: Reference, screen: Screen, within: Box) -> None:
        self._reference = reference
        self._picture = core_picture(reference)
        self._scales = ladder(self._picture.coarse_step)
        self._on = (screen, self._picture)
        self._screen, self._within = screen, within

    def in_own_size(self) -> list[Place]:
        """The places where the picture stands as it was cut; where there are such, other sizes are not looked for."""
        seen = look_over(*self._on, "gray", self._within, [1.0], MOST_PLACES)
        return self._sure([peak for peak in seen.peaks if peak.score >= COARSE_OWN], 1.0, OWN_SIZE)

    def by_gray_values(self) -> list[Place]:
        """The places of any size whose gray values alone are enough."""
        self._gray = look_over(*self._on, "gray", self._within, self._scales)
        near = [peak for peak in self._gray.peaks if peak.score >= COARSE_GRAY]
        return self._sure(near, self._picture.coarse_step, ACCEPT)

    def _sure(self, peaks: list[Peak], step: float, least: float) -> list[Place]:
        near = sharpen(*self._on, "gray", self._within, peaks, step, ACCEPT)
        exact = settle(*self._on, "gray", self._within, near, step, ACCEPT)
        if not exact or exact[0].score < least:
            return []
        return self._proved([(peak, "gray values") for peak in exact])

    def by_both(self) -> list[Place]:
        """Places that gray values and edges support together, or edges so strongly that they do alone (dark mode)."""
        gray, drawn = self._gray, look_over(*self._on, "edges", self._within, self._scales)
        pairs: list[tuple[Peak, Kind]] = [
            *((replace(peak, score=peak.score + gray.near(peak)), "edges") for peak in drawn.peaks),
            *((replace(peak, score=peak.score + drawn.near(peak)), "gray") for peak in gray.peaks),
        ]
        self._likely = [pairs[index] for index in kept([peak for peak, _kind in pairs])]
        places: list[tuple[Peak, str]] = []
        for peak, kind in self._likely[:COARSE_PAIRS]:
            if peak.score >= COARSE_TOGETHER:
                places += self._together(peak, kind)
        return self._proved(places)

    def by_keypoints(self) -> list[Place]:
        """Places where the picture stands turned, or so covered that only single points of it are seen."""
        return find_turned(self._reference, self._screen, [peak.box for peak, _kind in self._likely])

    def _together(self, peak: Peak, kind: Kind) -> list[tuple[Peak, str]]:
        """
        Where both kinds of evidence together are enough near a coarse peak.

        It is placed by each kind in turn: what covers a part of the picture can draw one of them aside by a pixel or two.
        """
        step, least = self._picture.coarse_step, AGREE_EACH
        other: Kind = "edges" if kind == "gray" else "gray"
        places: list[tuple[Peak, str]] = []
        for near in sharpen(*self._on, kind, self._within, [peak], step, least):
            second = score_at(*self._on, other, near, middle(self._picture.coarse))
            drawn = near.score if kind == "edges" else second
            if drawn < EDGES_ALONE - GAIN_LEFT and near.score + second < AGREE_TOGETHER - 2 * GAIN_LEFT:
                continue
            for by in (kind, other):
                for exact in settle(*self._on, by, self._within, [near], step, least):
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


def _element(peak: Peak, how: str, reference: Reference, target: Target, screen: Screen) -> UIElement:
    visible = peak.box.clip(screen.size)
    return UIElement(
        element_type=target.role or "icon",
        description=target.reference or reference.name,
        bbox=peak.box,
        confidence=min(1.0, peak.score),
        source="template",
        visible_region=None if visible == peak.box else visible,
        metadata={"reference": reference.name, "scale": round(peak.scale, 3), "evidence": how},
    )


def _is_image_path(name: str) -> bool:
    return Path(name).suffix.lower() in (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif") and Path(name).is_file()
