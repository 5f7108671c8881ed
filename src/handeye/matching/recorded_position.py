"""The first place and scale to search for a reference, by the screen it was cut from: widths of screens, fractions of sides."""

from __future__ import annotations

from typing import Final

from handeye.geometry import Box, Size
from handeye.matching.pyramid import SCALES
from handeye.matching.reference import Reference
from handeye.screen import Screen

# Status bars and another density move a thing by so much of the screen's shorter side (a bar of 24 dp on 411 dp).
_DRIFT: Final = 0.06


def stored_scale(reference: Reference, screen: Screen) -> float | None:
    """Return the expected scale of the picture on this screen, against the size it was cut in; None when nothing says so."""
    if reference.captured is None or not held_alike(reference.captured, screen.size):
        return None
    scale = screen.size.width / reference.captured.width
    return scale if SCALES[0] <= scale <= SCALES[1] else None


def stored_window(reference: Reference, screen: Screen) -> Box | None:
    """Return the part of this screen where it is expected, with some room; None when nothing says so."""
    if reference.position is None or stored_scale(reference, screen) is None:
        return None
    return reference.position.box(screen.size).expand(round(_DRIFT * min(screen.size))).intersect(screen.box)


def held_alike(one: Size, other: Size) -> bool:
    """Return True if screens of these sizes are both held upright (a square one is) or both lying."""
    return (one.height >= one.width) == (other.height >= other.width)
