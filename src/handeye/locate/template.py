"""Finding a reference picture: gray values first, edges for dark mode and covered places, then colour and strokes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from handeye.elements import UIElement
from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate.base import Match
from handeye.locate.pyramid import Frame, Peak, frame_of, score_at, search, suppress
from handeye.locate.reference import COLOURED, Reference, ReferenceSource, chroma
from handeye.locate.strokes import strokes_at
from handeye.screen import Pixels, Screen
from handeye.target import Target

# Candidates start here (seed 004). In the measured scenes absent targets scored up to 0.82 in gray, so it alone proves nothing.
FLOOR: Final = 0.75
# No absent target reached this in gray values (measurements: 8-12 % of scenes at 0.8 or more, none at 0.9).
ACCEPT: Final = 0.9
# Below it, gray values and edges must agree: each at least the first, both together the second. In the calibration scenes
# absent targets of the right colour came to 1.2 at most, targets of which a third was covered to 1.3-1.6.
AGREE_EACH: Final = 0.6
AGREE_TOGETHER: Final = 1.4
# Edges alone (dark mode, where gray values are inverted): absent targets came to 0.70 at most, uncovered ones to 0.77 and more.
EDGES_ALONE: Final = 0.77
# The strokes must be there too (strokes.py). Found by gray values: 0.91-1.0, another label on the same button 0.84 and less.
STROKES_SURE: Final = 0.87
# Found by less: 0.94-1.0; look-alikes on the phone's pages came to 0.91 at most (a circle for a magnifier: 0.83).
STROKES_DOUBTFUL: Final = 0.93
# Of a picture with little colour, shape is all the evidence, and so must be stronger: look-alikes had edges of 0.80 at most,
# the thing itself in the other theme 0.84 and more.
EDGES_COLOURLESS: Final = 0.82
# A picture with this share of colour is a filled icon: its colours and the seen part of its outline prove it when a side is
# covered. A line drawing without a side is another drawing.
FILLED_SHARE: Final = 0.25
# The part of a covered icon that is not hidden must be there without a fault.
STROKES_UNCOVERED: Final = 0.97
# Two places closer in score than this are equally good: nobody can say which one was meant.
TIE: Final = 0.03
# Difference of the colour (CIELAB a, b; 8 bits) that lighting, scaling and JPEG explain; blue for green is 60 or more.
_COLOUR_DRIFT: Final = 14
# A picture with fewer coloured pixels than this share is compared by shape.
_COLOURED_SHARE: Final = 0.05


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


def find_all(reference: Reference, screen: Screen, within: Box | None = None) -> list[tuple[Peak, str, Reference]]:
    """Every place where the picture is accepted, with the evidence in words: best first, in pixels of the frame."""
    frame = frame_of(screen)
    within = within or screen.box
    core = reference.core
    gray = reference.gray[core.top : core.bottom, core.left : core.right]
    mask = reference.mask if core.area == reference.gray.size else None
    peaks = search(frame, gray, mask, "gray", within, AGREE_EACH)
    places = [(_whole(peak, reference), "gray values") for peak in peaks if peak.score >= ACCEPT]
    places = [place for place in places if _proved(reference, screen, place[0], STROKES_SURE)]
    if not places:
        colourless = reference.coloured < _COLOURED_SHARE
        places = _second_look(frame, gray, mask, within, peaks, EDGES_COLOURLESS if colourless else AGREE_EACH)
        places = [(_whole(peak, reference), how) for peak, how in places]
        places = [place for place in places if _proved(reference, screen, place[0], STROKES_DOUBTFUL)]
    best = suppress([peak for peak, _how in places])
    return [(peak, how, reference) for peak, how in places if peak in best]


def _proved(reference: Reference, screen: Screen, peak: Peak, least: float) -> bool:
    """Whether colours and strokes at the place bear out what the correlation says."""
    if not _colour_agrees(reference, screen, peak):
        return False
    strokes = strokes_at(reference, screen, peak.box)
    if strokes.share >= least:
        return True
    return reference.coloured >= FILLED_SHARE and strokes.share_uncovered() >= STROKES_UNCOVERED


def _whole(peak: Peak, reference: Reference) -> Peak:
    """The place of the whole picture, from that of its core."""
    core, (height, width) = reference.core, reference.gray.shape
    left, top = peak.box.left - round(core.left * peak.scale), peak.box.top - round(core.top * peak.scale)
    box = Box(left, top, left + round(width * peak.scale), top + round(height * peak.scale))
    return Peak(box, peak.score, peak.scale)


def _second_look(
    frame: Frame, gray: Pixels, mask: Pixels | None, within: Box, peaks: list[Peak], least_edges: float
) -> list[tuple[Peak, str]]:
    """Places that gray values and edges support together, or edges so strongly that they do alone (dark mode)."""
    agreed: list[tuple[Peak, str]] = []
    for peak in search(frame, gray, mask, "edges", within, least_edges):
        agreed += _agreement(peak, score_at(frame, gray, mask, "gray", peak), peak.score)
    for peak in peaks:
        if not any(suppress([other, peak]) == [other] for other, _how in agreed):
            edges = score_at(frame, gray, mask, "edges", peak)
            agreed += _agreement(peak, peak.score, edges) if edges >= least_edges else []
    return sorted(agreed, key=lambda place: -place[0].score)


def _agreement(peak: Peak, gray: float, edges: float) -> list[tuple[Peak, str]]:
    """The peak with a score below ACCEPT when its evidence is enough, else nothing."""
    if edges < EDGES_ALONE and (min(gray, edges) < AGREE_EACH or gray + edges < AGREE_TOGETHER):
        return []
    score = min(ACCEPT - 0.01, max(FLOOR, gray, edges))
    how = f"gray values {gray:.2f} and edges {edges:.2f}" if gray >= AGREE_EACH else f"edges {edges:.2f}"
    return [(Peak(peak.box, score, peak.scale), how)]


def _colour_agrees(reference: Reference, screen: Screen, peak: Peak) -> bool:
    """Whether most of what is coloured, in the picture or on the screen, has the same colour there."""
    box = peak.box.clip(screen.size)
    seen = screen.pixels[box.top : box.bottom, box.left : box.right]
    wanted = cv2.resize(reference.pixels[:, :, :3], (box.width, box.height), interpolation=cv2.INTER_AREA)
    there, here = chroma(np.asarray(wanted, np.uint8)), chroma(seen)
    counts = np.abs(there).max(axis=2) >= COLOURED
    if reference.mask is not None:
        counts &= cv2.resize(reference.mask, (box.width, box.height), interpolation=cv2.INTER_NEAREST) > 0
    if counts.mean() < _COLOURED_SHARE:
        return True
    return float(np.median(np.abs(there - here).max(axis=2)[counts])) <= _COLOUR_DRIFT


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
