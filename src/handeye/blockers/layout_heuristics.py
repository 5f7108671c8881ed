"""Fast heuristics that decide whether a frame is worth reading for a blocker: some milliseconds instead of half a second."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels, Screen
from handeye.target import Region

# A downsampled copy of a frame, made once: enough to detect cards, pages and letters, at a tenth of the cost.


# Approximate length in pixels of the copy's shorter side: letters are still 4 pixels high.
COARSE: Final = 360


def downsampling_step(screen: Screen) -> int:
    """Return the number of frame pixels per pixel of the copy."""
    return max(1, min(screen.size) // COARSE)


def downsampled_pixels(screen: Screen) -> Pixels:
    """Return every `downsampling_step`-th pixel of every such row, of shape (height, width, 3)."""
    known: Pixels | None = screen.derived.get(("coarse", 3))
    if known is None:
        step, (width, height) = downsampling_step(screen), screen.size
        size = (-(-width // step), -(-height // step))
        # The same as `pixels[::step, ::step]`, which numpy copies byte by byte: ten times as fast.
        small = cv2.resize(screen.pixels, size, interpolation=cv2.INTER_NEAREST)
        known = screen.derived["coarse", 3] = np.asarray(small, np.uint8)
    return known


def downsampled_gray(screen: Screen) -> Pixels:
    """Return the luma of `downsampled_pixels`, of shape (height, width)."""
    known: Pixels | None = screen.derived.get(("coarse", 1))
    if known is None:
        gray = np.asarray(cv2.cvtColor(downsampled_pixels(screen), cv2.COLOR_RGB2GRAY), np.uint8)
        known = screen.derived["coarse", 1] = gray
    return known


def brightest(pixels: Pixels) -> Pixels:
    """Return the largest of the three channels of each pixel."""
    red, green, blue = cv2.split(pixels)
    return np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8)


Mask = npt.NDArray[np.bool_]

_INK: Final = 40  # gray levels to the page's colour
# A page that is loading or failed to load: at most so many runs of rows with ink, and this share of ink.
_PAGE: Final = (0.12, 0.9)
_MOST_RUNS: Final = 9
_MOST_INK: Final = 0.12
_OFF_CENTRE: Final = 0.12
# A row of keys: at least so many letters of one size in one line, at a distance of about a tenth of the width and over most
# of it.
_KEYS: Final = 7
_KEY_ROWS: Final = 2
_KEY_PITCH: Final = (0.055, 0.13)
_KEY_SPAN: Final = 0.55
_LOWER: Final = 0.45
_LETTER: Final = (0.012, 0.075)  # of the width: a key's letter, from a wide keyboard's to a narrow one's
# A skip button: in the right corners, wider than high, like letters in a pill.
_CORNERS: Final = ((0.6, 0.03, 1.0, 0.16), (0.6, 0.84, 1.0, 0.98))
# The same in landscape: a bar takes a larger share of the lower screen.
_CORNERS_ACROSS: Final = ((0.6, 0.03, 1.0, 0.24), (0.6, 0.78, 1.0, 0.98))
_PILL_HEIGHT: Final = (0.012, 0.05)  # of the longer side
_PILL_ASPECT: Final = (1.5, 8.0)
# A page's most common shade covers at least this share; a full-screen advert is a picture.
_FLAT_PAGE: Final = 0.5
_COLOURED: Final = 60  # levels between the strongest and the weakest of a colour's three parts
# A loading card: dark, about as wide as high, in the very middle of a lit page.
_FACE_DARK: Final = 110
_FACE_LIT: Final = 190
_FACE_WIDTH: Final = (0.18, 0.6)
_FACE_ASPECT: Final = (0.6, 2.6)
_FACE_OFF: Final = 0.05
_FACE_FILL: Final = 0.7


def is_sparse(screen: Screen) -> bool:
    """Return True if the page shows as little, and in its middle, as one that is loading or could not be loaded."""
    gray = downsampled_gray(screen)
    top, bottom = (round(share * gray.shape[0]) for share in _PAGE)
    page = gray[top:bottom]
    away = np.asarray(cv2.absdiff(page, np.full_like(page, int(np.median(page[::2, ::2])))) > _INK, np.bool_)
    if np.count_nonzero(away) > _MOST_INK * away.size:
        return False
    rows = away.any(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], rows, [False])).astype(np.int8)))
    runs = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    return len(runs) <= _MOST_RUNS and all(_is_central(away[start:end]) for start, end in runs)


def _is_central(rows: Mask) -> bool:
    columns = np.flatnonzero(rows.any(axis=0))
    width = rows.shape[1]
    return bool(abs(columns[0] + columns[-1] - width) <= 2 * _OFF_CENTRE * width)


def has_key_rows(screen: Screen) -> bool:
    """Return True if the lower half has rows of single letters, spaced like keys."""
    gray = downsampled_gray(screen)
    lower = np.ascontiguousarray(gray[round(_LOWER * gray.shape[0]) :])
    width = lower.shape[1]
    boxes = _pieces(lower, (_LETTER[0] * width, _LETTER[1] * width))
    rows = 0
    while len(boxes) and rows < _KEY_ROWS:
        middle = boxes[:, 1] + boxes[:, 3] / 2
        same = np.abs(middle - middle[0]) <= max(2.0, 0.25 * boxes[0, 3])
        rows += _is_key_row(boxes[same], width)
        boxes = boxes[~same]
    return rows >= _KEY_ROWS


def _is_key_row(row: npt.NDArray[np.int32], width: int) -> bool:
    if len(row) < _KEYS:
        return False
    centres = np.sort(row[:, 0] + row[:, 2] / 2)
    pitch = float(np.median(np.diff(centres))) / width
    return _KEY_PITCH[0] <= pitch <= _KEY_PITCH[1] and float(np.ptp(centres)) >= _KEY_SPAN * width


def _pieces(gray: Pixels, heights: tuple[float, float]) -> npt.NDArray[np.int32]:
    """Return the boxes (left, top, width, height) of ink as high as letters, dark on light or light on dark."""
    window = max(3, round(heights[1]))
    ink = (cv2.absdiff(gray, cv2.blur(gray, (window, window))) > _INK // 2).astype(np.uint8)
    _count, _labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    boxes = np.asarray(stats[1:, :4], np.int32)
    fits = (boxes[:, 3] >= heights[0]) & (boxes[:, 3] <= heights[1]) & (boxes[:, 2] <= heights[1])
    return np.asarray(boxes[fits], np.int32)


def _is_flat(gray: Pixels) -> bool:
    """Return True if one shade covers most of it, like a page's background."""
    shades = np.bincount((gray[::2, ::2] >> 4).ravel(), minlength=16)
    return float(shades.max()) >= _FLAT_PAGE * float(shades.sum())


def is_full_screen_picture(screen: Screen) -> bool:
    """Return True if it looks like a full-screen advert: a picture, or a background of a colour that no page has."""
    ground = np.median(downsampled_pixels(screen)[::4, ::4], axis=(0, 1))
    return not _is_flat(downsampled_gray(screen)) or float(np.ptp(ground)) > _COLOURED


def skip_corners(screen: Screen) -> list[Box]:
    """Return the corners that may contain a skip button: a pill of letters on a picture, or alone in its row of a page."""
    gray = downsampled_gray(screen)
    flat = _is_flat(gray)
    height, width = gray.shape
    corners = []
    for left, top, right, bottom in _CORNERS if height >= width else _CORNERS_ACROSS:
        pills = _pills(gray[round(top * height) : round(bottom * height)], max(height, width))
        inside = [pill for pill in pills if pill >= left * width]
        if inside and not (flat and len(pills) > len(inside)):
            box = Region(left, top, right, bottom).box(screen.size)
            corners.append(box)
    return corners


def _pills(band: Pixels, side: int) -> list[int]:
    """
    Return the left edges of shapes that are wider than high and as high as a label, in a band of a frame whose longer side is
    `side`.
    """
    edges = cv2.morphologyEx(np.ascontiguousarray(band), cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8))
    joined = cv2.dilate((edges > _INK // 2).astype(np.uint8), np.ones((1, max(3, side // 110)), np.uint8))
    _count, _labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    wide, high = stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]
    fits = (high >= _PILL_HEIGHT[0] * side) & (high <= _PILL_HEIGHT[1] * side)
    fits &= (wide >= _PILL_ASPECT[0] * high) & (wide <= _PILL_ASPECT[1] * high)
    return [int(left) for left in stats[1:, cv2.CC_STAT_LEFT][fits]]


def loading_card(screen: Screen) -> Box | None:
    """Return a dark card in the very middle of a lit page, as a loading message has; None without one."""
    gray, step = downsampled_gray(screen), downsampling_step(screen)
    height, width = gray.shape
    if gray[height // 2, width // 2] > _FACE_LIT and np.median(gray[height // 2, width // 3 : -width // 3]) > _FACE_LIT:
        return None
    if np.median(gray[::4, ::4]) < _FACE_LIT:
        return None
    dark = (gray < _FACE_DARK).astype(np.uint8)
    # Its own text is filled first; then the page's text, which may touch it, is removed.
    closed = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    faces = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((25, 25), np.uint8))
    _count, labels, stats, _ = cv2.connectedComponentsWithStats(faces, connectivity=4)
    index = int(labels[height // 2, width // 2])
    if not index:
        return None
    left, top, wide, high, area = stats[index].tolist()
    central = abs(left + wide / 2 - width / 2) <= _FACE_OFF * width and abs(top + high / 2 - height / 2) <= 0.1 * height
    shaped = _FACE_WIDTH[0] <= wide / width <= _FACE_WIDTH[1] and _FACE_ASPECT[0] <= wide / high <= _FACE_ASPECT[1]
    if not central or not shaped or area < _FACE_FILL * wide * high:
        return None
    return Box(left, top, left + wide, top + high).scale(step, step).clip(screen.size)
