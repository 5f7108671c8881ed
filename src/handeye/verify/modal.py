"""A card over a darkened page: the layout that every modal dialog has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Screen

# Behind a dialog Android and iOS darken the page to 40-60 %: what was white is at most this bright (255 * 0.62).
_DARKENED: Final = 158
_LOPSIDED: Final = 0.1  # a card stands in the middle; its two side margins differ by no more of the width
_SMALLEST: Final = 0.02  # of the frame's area
# A row or column is lit when this share of it is: less is the glint of an icon.
_LIT_SHARE: Final = 0.004
_SAME_COLOUR: Final = 10
_FACE_SHARE: Final = 0.5
# So much of a dark card's column or row has its colour; the faces of its buttons take the rest.
_CARD_SHARE: Final = 0.3


class _Room(NamedTuple):
    """What a card keeps free, as shares of the frame: rows of the system's bars that don't count, then its own margins."""

    status_bar: float
    navigation_bar: float
    top: float
    bottom: float
    side: float


# The bars are not always darkened. The title of an ordinary upright page is nearer to the top edge than any dialog.
_UPRIGHT: Final = _Room(status_bar=0.05, navigation_bar=0.06, top=0.08, bottom=0.08, side=0.025)
# On a lying screen a dialog may fill the height, but leaves much room beside it.
_LYING: Final = _Room(status_bar=0.06, navigation_bar=0.075, top=0.0, bottom=0.0, side=0.12)


@dataclass(frozen=True, slots=True)
class Modal:
    """
    The card in frame pixels. `darkened` is True when the card is light and the page around it is not: proof of a scrim.

    On a dark theme the page is dark anyway, and a lying screen may be a desktop with a window on a dark wallpaper: there only
    words can tell a dialog from a page.
    """

    box: Box
    darkened: bool


def find_modal(screen: Screen) -> Modal | None:
    """The card that stands alone in the light, or None when the page itself is lit."""
    width, height = screen.size
    room = _room(width, height)
    first, last = round(height * room.status_bar), height - round(height * room.navigation_bar)
    brightness = screen.pixels.max(axis=2)
    lit = brightness > _DARKENED
    lit[:first] = lit[last:] = False
    rows = np.flatnonzero(lit.mean(axis=1) > _LIT_SHARE)
    if not len(rows):
        return None
    columns = np.flatnonzero(lit[rows[0] : rows[-1] + 1].mean(axis=0) > _LIT_SHARE)
    if not len(columns):
        return None
    light = Box(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    inside = lit[light.top : light.bottom, light.left : light.right]
    if _rim_share(inside) > _FACE_SHARE:
        return Modal(light, height > width) if _stands_like_a_card(light, width, height) else None
    if not _apart_from_edges(light, width, height):
        return None
    card = _grown(screen, light)
    return Modal(card, False) if _stands_like_a_card(card, width, height) else None


def _room(width: int, height: int) -> _Room:
    return _UPRIGHT if height > width else _LYING


def _apart_from_edges(box: Box, width: int, height: int) -> bool:
    room = _room(width, height)
    return (
        min(box.left, width - box.right) >= room.side * width
        and box.top >= room.top * height
        and box.bottom <= height * (1 - room.bottom)
    )


def _stands_like_a_card(box: Box, width: int, height: int) -> bool:
    central = abs(box.left - (width - box.right)) <= _LOPSIDED * width
    return _apart_from_edges(box, width, height) and central and box.area >= _SMALLEST * width * height


def _rim_share(lit: npt.NDArray[np.bool_]) -> float:
    """How much of the rim is lit: nearly all of a light card's, hardly any of the letters' on a dark one."""
    height, width = lit.shape
    y, x = max(1, height // 50), max(1, width // 50)
    return float(min(lit[y].mean(), lit[-1 - y].mean(), lit[:, x].mean(), lit[:, -1 - x].mean()))


def _grown(screen: Screen, words: Box) -> Box:
    """A dark card, from the extent of its words: as far as its colour reaches."""
    around = words.expand(max(4, words.width // 60)).clip(screen.size)
    # Above the words is the card itself; below them may be the face of its last button.
    colour = np.median(screen.pixels[around.top, around.left : around.right], axis=0)
    same = np.abs(screen.pixels.astype(np.int16) - colour.astype(np.int16)).max(axis=2) <= _SAME_COLOUR
    top = _reach(same[: around.top, around.left : around.right][::-1])
    bottom = _reach(same[around.bottom :, around.left : around.right])
    left = _reach(same[around.top : around.bottom, : around.left].T[::-1])
    right = _reach(same[around.top : around.bottom, around.right :].T)
    return Box(around.left - left, around.top - top, around.right + right, around.bottom + bottom)


def _reach(lines: npt.NDArray[np.bool_]) -> int:
    """How many lines from the first on are mostly of the colour."""
    other = np.flatnonzero(lines.mean(axis=1) < _CARD_SHARE) if lines.size else np.empty(0, np.intp)
    return int(other[0]) if len(other) else len(lines)
