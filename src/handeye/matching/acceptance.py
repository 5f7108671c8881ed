"""A place where a picture was accepted, and when two kinds of evidence together are enough for that."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.matching.evidence import ACCEPT, COLOURED_SHARE
from handeye.matching.pyramid import Peak, Picture
from handeye.matching.reference import Reference

# Candidates start here (seed 004). In the measured scenes absent targets scored up to 0.82 in gray, so it alone proves nothing.
FLOOR: Final = 0.75
# Below it, gray values and edges must agree: each at least the first, both together the second. In the calibration scenes
# absent targets of the right colour came to 1.2 at most, targets of which a third was covered to 1.3-1.6.
AGREE_EACH: Final = 0.6
AGREE_TOGETHER: Final = 1.4
# Edges alone (dark mode, where gray values are inverted): absent targets came to 0.70 at most, uncovered ones to 0.77 and more.
EDGES_ALONE: Final = 0.77
# Of a picture with little colour, shape is all the evidence, and so must be stronger: look-alikes had edges of 0.80 at most,
# the thing itself in the other theme 0.84 and more.
EDGES_COLOURLESS: Final = 0.82
# What edges alone found is never sure: on the corpus 24 of 26 were right.
EDGES_ONLY: Final = 0.8
# What stands turned is never more than a candidate, from this angle (degrees) on: ⇦ is ⇨ turned, and means the opposite; ↗ is →
# turned by 45 and ✎ is ✏. The same sign by less: a photographed or tilted screen, icons that shake while they are being moved,
# pictures laid askew. A turning spinner or a folded-out chevron is in another state than its picture.
MOST_TURN: Final = 30.0
# The confidence of such a place: below the chain's least (0.5), whatever else bears it out.
TURNED_MOST: Final = 0.45
# Round corners and a pixel or two of shadow lie within this share of the shorter side.
_RIM: Final = 0.18
# With less colour than this it is a line drawing or a line of text, whose first letter could lie in the rim.
_FRAMED_SHARE: Final = 0.2


class Place(NamedTuple):
    """A place where a picture was accepted, and the evidence in words."""

    peak: Peak
    evidence: str
    reference: Reference

    @property
    def is_turned(self) -> bool:
        """True if it stands turned so far that it may mean something else: a candidate, no find."""
        return abs(self.peak.angle) > MOST_TURN


_PICTURES: Final[weakref.WeakKeyDictionary[Reference, Picture]] = weakref.WeakKeyDictionary()
_MIDDLES: Final[weakref.WeakKeyDictionary[Reference, Reference | None]] = weakref.WeakKeyDictionary()


def core_picture(reference: Reference) -> Picture:
    """The part of a reference that is searched for: its opaque core, or all of it with its mask. Made once."""
    if reference not in _PICTURES:
        core = reference.core
        gray = reference.gray[core.top : core.bottom, core.left : core.right]
        _PICTURES[reference] = Picture(gray, reference.mask if core.area == reference.gray.size else None)
    return _PICTURES[reference]


def middle_of(reference: Reference) -> Reference | None:
    """
    A filled, opaque picture without its rim, which may show what it stood on; None where that would leave too little.

    Made once.
    """
    if reference not in _MIDDLES:
        _MIDDLES[reference] = _without_rim(reference)
    return _MIDDLES[reference]


def _without_rim(reference: Reference) -> Reference | None:
    rim = round(_RIM * min(reference.gray.shape))
    if reference.mask is not None or reference.coloured < _FRAMED_SHARE or rim < 1:
        return None
    try:
        return Reference(reference.name, np.ascontiguousarray(reference.pixels[rim:-rim, rim:-rim]), reference.path)
    except InvalidReference:  # too small or too plain to prove anything
        return None


def whole_place(peak: Peak, reference: Reference) -> Peak:
    """The place of the whole picture, from that of its core."""
    core, (height, width) = reference.core, reference.gray.shape
    left, top = peak.box.left - round(core.left * peak.scale), peak.box.top - round(core.top * peak.scale)
    box = Box(left, top, left + round(width * peak.scale), top + round(height * peak.scale))
    return Peak(box, peak.score, peak.scale)


def agreement(peak: Peak, gray: float, edges: float, reference: Reference) -> list[tuple[Peak, str]]:
    """The peak when its evidence is enough, with a score below ACCEPT unless gray values alone prove it; else nothing."""
    if gray >= ACCEPT:
        return [(replace(peak, score=gray), "gray values")]
    if edges < (EDGES_COLOURLESS if reference.coloured < COLOURED_SHARE else AGREE_EACH):
        return []
    if edges < EDGES_ALONE and (min(gray, edges) < AGREE_EACH or gray + edges < AGREE_TOGETHER):
        return []
    if gray < AGREE_EACH:
        return [(replace(peak, score=min(EDGES_ONLY, max(FLOOR, edges))), f"edges {edges:.2f}")]
    score = min(ACCEPT - 0.01, max(FLOOR, gray, edges))
    return [(replace(peak, score=score), f"gray values {gray:.2f} and edges {edges:.2f}")]
