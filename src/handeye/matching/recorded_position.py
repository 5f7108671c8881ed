"""Expected position and scale of a reference, from the size of the screen that it was cut from and its position there."""

from __future__ import annotations

from typing import Final

from handeye.geometry import Box, Size
from handeye.matching.pyramid import SCALES
from handeye.matching.reference import Reference
from handeye.screen import Screen

# Status bars and another density shift an element by this share of the screen's shorter side (a bar of 24 dp on 411 dp).
_DRIFT: Final = 0.06


def expected_scale(reference: Reference, screen: Screen) -> float | None:
    """Return the expected scale of the picture on this screen, relative to its original size, or None if it is unknown."""
    if reference.captured is None or not same_orientation(reference.captured, screen.size):
        return None
    scale = screen.size.width / reference.captured.width
    return scale if SCALES[0] <= scale <= SCALES[1] else None


def expected_window(reference: Reference, screen: Screen) -> Box | None:
    """Return the part of this screen where the picture is expected, with a margin, or None if it is unknown."""
    if reference.position is None or expected_scale(reference, screen) is None:
        return None
    return reference.position.box(screen.size).expand(round(_DRIFT * min(screen.size))).intersect(screen.box)


def same_orientation(one: Size, other: Size) -> bool:
    """Return True if both screens are portrait (square counts as portrait) or both are landscape."""
    return (one.height >= one.width) == (other.height >= other.width)
