"""An accepted template match, and the thresholds at which two kinds of evidence together suffice."""

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

# Lowest score of a candidate (docs/spec/vision-agent.md). In the measured scenes absent targets scored up to 0.82 in gray
# values, so this score alone proves nothing.
FLOOR: Final = 0.75
# Below ACCEPT, gray values and edges must agree: each at least AGREE_EACH, their sum at least AGREE_TOGETHER. In the
# calibration scenes absent targets of the right colour reached 1.2 at most, targets covered by a third 1.3-1.6.
AGREE_EACH: Final = 0.6
AGREE_TOGETHER: Final = 1.4
# Edges alone (dark mode, where gray values are inverted): absent targets reached 0.70 at most, uncovered targets at least
# 0.77.
EDGES_ALONE: Final = 0.77
# A picture with little colour has only its shape as evidence, so the threshold is higher: look-alikes reached 0.80 at most in
# edges, the target itself in the other theme at least 0.84.
EDGES_COLOURLESS: Final = 0.82
# Highest score of a match by edges alone: on the corpus 24 of 26 such matches were right.
EDGES_ONLY: Final = 0.8
# Above this rotation (degrees) a match is only a candidate: ⇦ is ⇨ rotated, and means the opposite; ↗ is → rotated by 45,
# and ✎ is ✏. A rotated spinner or an expanded chevron is in another state than its picture. Smaller rotations are the same
# symbol: a photographed or tilted screen, icons that shake while they are being moved, pictures placed askew.
MOST_TURN: Final = 30.0
# Highest confidence of a rotated match: below the chain's minimum (0.5), whatever the other evidence.
TURNED_MOST: Final = 0.45
# Round corners and a pixel or two of shadow lie within this share of the shorter side.
_BORDER_SHARE: Final = 0.18
# With a smaller share of colour it is a line drawing or a line of text, whose first letter could lie in the border.
_FRAMED_SHARE: Final = 0.2


class AcceptedMatch(NamedTuple):
    """A template match that was accepted, with its evidence in words."""

    peak: Peak
    evidence: str
    reference: Reference

    @property
    def is_turned(self) -> bool:
        """True if it is rotated so far that it may mean something else: a candidate, not a match."""
        return abs(self.peak.angle) > MOST_TURN


_PICTURES: Final[weakref.WeakKeyDictionary[Reference, Picture]] = weakref.WeakKeyDictionary()
_MIDDLES: Final[weakref.WeakKeyDictionary[Reference, Reference | None]] = weakref.WeakKeyDictionary()


def core_picture(reference: Reference) -> Picture:
    """Return the part of a reference to search for: its opaque core, or all of it with its mask. Computed once."""
    if reference not in _PICTURES:
        core = reference.core
        gray = reference.gray[core.top : core.bottom, core.left : core.right]
        _PICTURES[reference] = Picture(gray, reference.mask if core.area == reference.gray.size else None)
    return _PICTURES[reference]


def middle_of(reference: Reference) -> Reference | None:
    """
    Return a filled, opaque picture without its border, which may show its background; None if too little would remain.

    Computed once.
    """
    if reference not in _MIDDLES:
        _MIDDLES[reference] = _without_border(reference)
    return _MIDDLES[reference]


def _without_border(reference: Reference) -> Reference | None:
    rim = round(_BORDER_SHARE * min(reference.gray.shape))
    if reference.mask is not None or reference.coloured < _FRAMED_SHARE or rim < 1:
        return None
    try:
        return Reference(reference.name, np.ascontiguousarray(reference.pixels[rim:-rim, rim:-rim]), reference.path)
    except InvalidReference:  # too small or too plain to prove anything
        return None


def whole_place(peak: Peak, reference: Reference) -> Peak:
    """Return the peak of the whole picture, from that of its core."""
    core, (height, width) = reference.core, reference.gray.shape
    left, top = peak.box.left - round(core.left * peak.scale), peak.box.top - round(core.top * peak.scale)
    box = Box(left, top, left + round(width * peak.scale), top + round(height * peak.scale))
    return Peak(box, peak.score, peak.scale)


def agreement(peak: Peak, gray: float, edges: float, reference: Reference) -> list[tuple[Peak, str]]:
    """
    Return the peak with its evidence in words, or an empty list if the evidence does not suffice. The score is below ACCEPT
    unless gray values alone suffice.
    """
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
