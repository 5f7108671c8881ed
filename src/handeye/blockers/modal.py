"""
Detect something over a darkened page: the layout that every modal dialog, pop-up and bottom sheet has.

It is detected by brightness alone, on a downsampled copy of the frame: a page that is lit costs two milliseconds and no
reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from handeye.blockers.layout_heuristics import brightest, downsampled_pixels, downsampling_step
from handeye.geometry import Box, Size
from handeye.screen import Pixels, Screen

Mask = npt.NDArray[np.bool_]

# Behind a dialog Android, iOS and the web darken the page to 30-68 % (vant 30, antd 55, Framework7 60, Vuetify 68): what was
# white is then at most this bright. From there on the page itself is lit.
_LIT_PAGE: Final = 190
# On a dark theme only letters are bright: the page's are darkened below one of these (255 * 0.62, * 0.75), the card's are not.
_DARK_PAGE: Final = 40
_BRIGHT_WORDS: Final = (158, 192)
# Under a scrim nothing is brighter than what was white; video noise and JPEG reach this much above it.
_ABOVE_CAP: Final = 1.12
_NOISE: Final = 8
_MOST_OFF_CENTRE: Final = 0.1  # a card is centred: its two side margins differ by no more than this share of the width
_SMALLEST: Final = 0.02  # of the frame's area
# A row or column is lit when this share of it is: less is the reflection on an icon.
_LIT_SHARE: Final = 0.004
# This share of the frame may be lit outside of a card as noise. A lit title shows that the page is lit.
_STRAY: Final = 0.0003
# An advert's ✕ hangs below its card, or above its corner: so far, and so large, as shares of the frame's shorter side.
_CROSS_AWAY: Final = 0.22
_SAME_COLOUR: Final = 10
_RIM_LIT: Final = 0.5
# This share of a dark card's column or row has its colour; its buttons take the rest.
_CARD_SHARE: Final = 0.3
# A sheet is nearly as wide as the frame and leaves at least this share of it to the page above.
_SHEET_WIDTH: Final = 0.9
_SHEET_TOP: Final = 0.2
_SHEET_LEAST: Final = 0.06
# Minimum lit share of a sheet's row: words and icons take less than the rest; its rounded corners take less than this share
# of the width.
_SHEET_ROW: Final = 0.4
_CORNER: Final = 0.08
# A dimmed page is flat where it was white: this share of it is as bright as its brightest. A photo above a white card is not.
_FLAT_SHARE: Final = 0.15
_FLAT: Final = 3
# Under a scrim the page still shows: this share of it differs by so many levels from its ground. Short lists have 0.8 %.
_CONTENT: Final = 10
_CONTENT_SHARE: Final = 0.003


class Shape(Enum):
    CARD = "card"
    SHEET = "sheet"


class _Margins(NamedTuple):
    """
    Areas that a card leaves free, as shares of the frame: rows of the system's bars that are ignored, then its own margins.
    """

    status_bar: float
    navigation_bar: float
    top: float
    bottom: float
    side: float


# The bars are not always darkened. The title of an ordinary portrait page is nearer to the top edge than any dialog.
_PORTRAIT: Final = _Margins(status_bar=0.05, navigation_bar=0.06, top=0.08, bottom=0.08, side=0.025)
# In landscape a dialog may fill the height, but leaves much room at its sides.
_LANDSCAPE: Final = _Margins(status_bar=0.06, navigation_bar=0.075, top=0.0, bottom=0.0, side=0.12)


@dataclass(frozen=True, slots=True)
class Modal:
    """
    The card or sheet in frame pixels. `darkened` is True when it is light and the page around it is not: proof of a scrim.

    On a dark theme the page is dark anyway, and a landscape screen may be a desktop with a window on a dark wallpaper: there
    only text can distinguish a dialog from a page.
    """

    box: Box
    darkened: bool
    shape: Shape = Shape.CARD


def find_modal(screen: Screen) -> Modal | None:
    """Return the card or sheet that alone is lit, or None when the page itself is lit."""
    step = downsampling_step(screen)
    room = _PORTRAIT if screen.size.height > screen.size.width else _LANDSCAPE
    edges = _edges(screen, step, room)
    cap, usual = float(np.percentile(edges, 99)), float(np.median(edges))
    if cap > _LIT_PAGE:
        return None
    pixels = downsampled_pixels(screen)
    bright = brightest(pixels)
    found: Modal | None = None
    if usual >= _DARK_PAGE:
        lit = bright > cap * _ABOVE_CAP + _NOISE
        found = _light_card(_page(lit, room), bright, room) or _light_sheet(lit, bright, cap, room)
    if found is None and cap < _BRIGHT_WORDS[0]:
        found = _light_card(_page(bright > _BRIGHT_WORDS[0], room), bright, room)
    if usual < _DARK_PAGE:
        for least in _BRIGHT_WORDS:
            found = found or _dark_card(pixels, _page(bright > least, room), room)
    return Modal(found.box.scale(step, step).clip(screen.size), found.darkened, found.shape) if found else None


def _edges(screen: Screen, step: int, room: _Margins) -> npt.NDArray[np.uint8]:
    """Return the brightness of the page where no card reaches: along its left and right edges, above any sheet."""
    width, height = screen.size
    side = max(1, width // 50)
    rows = slice(round(height * room.status_bar), round(height * _SHEET_TOP * 2), step)
    edges = np.concatenate((screen.pixels[rows, :side], screen.pixels[rows, -side:]), axis=1)
    return np.asarray(edges.max(axis=2), np.uint8)


def _page(lit: Mask, room: _Margins) -> Mask:
    """Return the lit pixels between the system's bars, which are not always darkened."""
    height = lit.shape[0]
    page = lit.copy()
    page[: round(height * room.status_bar)] = page[height - round(height * room.navigation_bar) :] = False
    return page


def _light_card(lit: Mask, bright: Pixels, room: _Margins) -> Modal | None:
    """Return the one large lit rectangle, if nothing else is lit but perhaps its ✕."""
    box = _largest(lit)
    height, width = lit.shape
    if box is None or not _placed_like_a_card(box, width, height, room):
        return None
    inside = lit[box.top : box.bottom, box.left : box.right]
    if _rim_share(inside) <= _RIM_LIT or _is_lit_outside(lit, box):
        return None
    around = np.delete(bright, np.s_[box.top : box.bottom], axis=0)
    return Modal(box, height > width and _shows_page(around))


def _light_sheet(lit: Mask, bright: npt.NDArray[np.uint8], cap: float, room: _Margins) -> Modal | None:
    """Return a lit sheet from the bottom edge up over a page that is dimmed: flat where it was white."""
    height, width = lit.shape
    first, last = round(height * room.status_bar), height - round(height * room.navigation_bar)
    covered = np.flatnonzero(lit[first:last].mean(axis=1) < _SHEET_ROW)
    top = first + (int(covered[-1]) + 1 if len(covered) else 0)
    if width > height or top >= last - _SHEET_LEAST * height or top - first < _SHEET_TOP * height:
        return None
    # Rounded corners leave its first rows a bit shorter.
    above = slice(first, top - round(_CORNER * width))
    flat = float((np.abs(bright[above].astype(np.int16) - round(cap)) <= _FLAT).mean())
    if lit[above].mean() > _STRAY or flat < _FLAT_SHARE:
        return None
    return Modal(Box(0, top, width, height), _shows_page(bright[above]), Shape.SHEET)


def _dark_card(pixels: Pixels, page: Mask, room: _Margins) -> Modal | None:
    """Return a card or a sheet of a dark theme, by the extent of its bright text."""
    rows = np.flatnonzero(page.mean(axis=1) > _LIT_SHARE)
    columns = np.flatnonzero(page[rows[0] : rows[-1] + 1].mean(axis=0) > _LIT_SHARE) if len(rows) else rows
    if not len(columns):
        return None
    words = Box(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    height, width = page.shape
    if words.top < _SHEET_TOP * height and not _apart_from_edges(words, width, height, room):
        return None
    card = _grown(pixels, words)
    if _placed_like_a_card(card, width, height, room):
        return Modal(card, False)
    wide = card.width >= _SHEET_WIDTH * width and card.bottom >= height * (1 - room.navigation_bar) - 1
    return Modal(card, False, Shape.SHEET) if wide and height > width and card.top >= _SHEET_TOP * height else None


def _shows_page(around: Pixels) -> bool:
    """Return True if a page is visible under the scrim. A card on a plain colour may be the page itself."""
    away = cv2.absdiff(around, np.full_like(around, int(np.median(around[::2, ::2])))) > _CONTENT
    return float(np.count_nonzero(away)) >= _CONTENT_SHARE * away.size


def _largest(lit: Mask) -> Box | None:
    # Every second pixel of every second row: a card is large, and that takes a quarter of the time.
    small = np.ascontiguousarray(lit[::2, ::2]).view(np.uint8)
    _count, _labels, stats, _ = cv2.connectedComponentsWithStats(small, connectivity=4)
    if len(stats) < 2:
        return None
    left, top, width, height, _area = stats[1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())].tolist()
    return Box(left, top, left + width, top + height).scale(2, 2).clip(Size(lit.shape[1], lit.shape[0]))


def _is_lit_outside(lit: Mask, card: Box) -> bool:
    """Return True if more is lit outside of the card than noise and a ✕ at its edge."""
    outside = lit.copy()
    card = card.expand(2).clip(Size(lit.shape[1], lit.shape[0]))  # it is known to two pixels
    outside[card.top : card.bottom, card.left : card.right] = False
    away = round(_CROSS_AWAY * min(lit.shape))
    outside[card.bottom : card.bottom + away, max(0, card.center.x - away // 2) : card.center.x + away // 2] = False
    outside[max(0, card.top - away) : card.top, max(0, card.right - away) : card.right + away] = False
    return float(outside.mean()) > _STRAY


def _apart_from_edges(box: Box, width: int, height: int, room: _Margins) -> bool:
    return (
        min(box.left, width - box.right) >= room.side * width
        and box.top >= room.top * height
        and box.bottom <= height * (1 - room.bottom)
    )


def _placed_like_a_card(box: Box, width: int, height: int, room: _Margins) -> bool:
    central = abs(box.left - (width - box.right)) <= _MOST_OFF_CENTRE * width
    return _apart_from_edges(box, width, height, room) and central and box.area >= _SMALLEST * width * height


def _rim_share(lit: Mask) -> float:
    """Return the share of the rim that is lit: nearly all of a light card's, hardly any of a dark card with letters."""
    height, width = lit.shape
    y, x = max(3, height // 50), max(3, width // 50)  # the box is known to two pixels
    return float(min(lit[y].mean(), lit[-1 - y].mean(), lit[:, x].mean(), lit[:, -1 - x].mean()))


def _grown(pixels: Pixels, words: Box) -> Box:
    """Return a dark card, from the extent of its words: as far as its colour reaches."""
    height, width = pixels.shape[:2]
    around = words.expand(max(2, words.width // 60)).clip(Size(width, height))
    # Above the words is the card itself; below them may be the face of its last button.
    colour = np.median(pixels[around.top, around.left : around.right], axis=0)
    same = cv2.inRange(pixels, colour - _SAME_COLOUR, colour + _SAME_COLOUR) > 0
    top = _reach(same[: around.top, around.left : around.right][::-1])
    bottom = _reach(same[around.bottom :, around.left : around.right])
    left = _reach(same[around.top : around.bottom, : around.left].T[::-1])
    right = _reach(same[around.top : around.bottom, around.right :].T)
    return Box(around.left - left, around.top - top, around.right + right, around.bottom + bottom)


def _reach(lines: Mask) -> int:
    """Return the number of lines, from the first on, that are mostly of the colour."""
    other = np.flatnonzero(lines.mean(axis=1) < _CARD_SHARE) if lines.size else np.empty(0, np.intp)
    return int(other[0]) if len(other) else len(lines)
