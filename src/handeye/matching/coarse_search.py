"""
Coarse search: correlate one picture at many scales with a whole reduced frame, through one Fourier transform of the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from handeye.matching.correlation import Floats, FramePlane
from handeye.screen import Pixels, Screen, averaged

Kind = Literal["gray", "edges"]
T = TypeVar("T")

_WORTH_A_THREAD: Final = 4  # scales; starting a thread takes 0.1 ms, one scale about 0.5 ms
_SQUARE: Final = np.ones((3, 3), np.uint8)


def outline(gray: Pixels) -> Pixels:
    """Return the range (0-255) of the gray values around each pixel: the same for light on dark as for dark on light."""
    return np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, _SQUARE), np.uint8)


def _on_two_cores(work: Callable[[Sequence[float]], T], scales: Sequence[float]) -> list[T]:
    """
    Run `work` on the scales, every second one in another thread: OpenCV, which takes nearly all the time, releases the GIL.
    """
    if len(scales) < _WORTH_A_THREAD:
        return [work(scales)]
    with ThreadPoolExecutor(1) as other:
        half = other.submit(work, scales[1::2])
        return [work(scales[::2]), half.result()]


def blur(pixels: Pixels) -> Pixels:
    """
    Return the pixels slightly blurred (binomial, 3x3).

    Block averages depend on the position of the grid, and thin strokes shifted by half a pixel look different: of 27 equal
    checkboxes and stars on a real page, 12 were found without blurring, 26 with it.
    """
    return np.asarray(cv2.GaussianBlur(pixels, (3, 3), 0, borderType=cv2.BORDER_REPLICATE), np.uint8)


@dataclass(frozen=True, slots=True)
class Hit:
    """A match on a reduced frame: corner and size in its pixels, the picture's scale, the correlation (-1 to 1)."""

    left: int
    top: int
    width: int
    height: int
    scale: float
    score: float


class ScaleMaps:
    """Correlations of one picture at several scales over one plane; scales are compared at the centers of their windows."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.rows, self.columns = shape[0], shape[1]
        self._best = np.full((self.rows, self.columns), -1.0, np.float32)
        self._which = np.zeros((self.rows, self.columns), np.uint16)
        self._sizes: list[tuple[float, int, int]] = []

    def add(self, scale: float, width: int, height: int, scores: Floats, left: int = 0, top: int = 0) -> None:
        """Add the correlations at one scale, at which the picture has that size, of the part at `left`, `top`."""
        rows, columns = scores.shape
        top, left = top + height // 2, left + width // 2
        self._take(
            scores,
            np.full(scores.shape, len(self._sizes), np.uint16),
            (slice(top, top + rows), slice(left, left + columns)),
        )
        self._sizes.append((scale, width, height))

    def join(self, other: ScaleMaps) -> None:
        """Merge the maps of another picture or of other scales over the same plane."""
        whole = slice(None), slice(None)
        self._take(other._best, other._which + np.uint16(len(self._sizes)), whole)
        self._sizes += other._sizes

    def _take(self, scores: Floats, which: npt.NDArray[np.uint16], where: tuple[slice, slice]) -> None:
        best, of = self._best[where], self._which[where]
        better = cv2.compare(scores, best, cv2.CMP_GT)
        cv2.copyTo(scores, better, best)
        cv2.copyTo(which, better, of)

    def local_maxima(self, most: int) -> list[Hit]:
        """
        Return the local maxima over all scales, best first, at most `most`; their neighbourhood is the smallest picture
        size.
        """
        if not self._sizes:
            return []
        _scale, width, height = min(self._sizes)
        around = np.ones((max(3, height // 2 * 2 + 1), max(3, width // 2 * 2 + 1)), np.uint8)
        found = (self._best >= cv2.dilate(self._best, around)) & (self._best > COARSE_FLOOR)
        at = cv2.findNonZero(found.view(np.uint8))
        if at is None:
            return []
        columns, rows = np.asarray(at).reshape(-1, 2).T
        order = np.argsort(-self._best[rows, columns])[:most]
        return [
            self._hit(row, column) for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True)
        ]

    def near(self, x: int, y: int) -> float:
        """Return the best score of a window whose center is within a pixel of (x, y), at any scale."""
        part = self._best[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
        return float(part.max(initial=-1.0))

    def _hit(self, row: int, column: int) -> Hit:
        scale, width, height = self._sizes[self._which[row, column]]
        return Hit(column - width // 2, row - height // 2, width, height, scale, float(self._best[row, column]))


Part = tuple[FramePlane, int, int]


def correlate_scales(
    parts: Sequence[Part],
    shape: tuple[int, ...],
    picture: Pixels,
    mask: Pixels | None,
    factor: int,
    scales: Sequence[float],
    *,
    softly: bool,
) -> ScaleMaps:
    """
    Return the correlations of a picture with the frame at every position and each of `scales`.

    The frame is reduced by `factor`. Only `parts` of it are searched: planes with their left and top; `shape` (height,
    width) is that of the whole reduced frame. `softly`: the planes are blurred by `blur`, so the picture must be, too.
    """

    def correlated(some: Sequence[float]) -> ScaleMaps:
        maps, desks = ScaleMaps(shape), [plane.new_buffers() for plane, _left, _top in parts]
        for scale in some:
            width, height = round(picture.shape[1] * scale / factor), round(picture.shape[0] * scale / factor)
            if min(width, height) < LEAST_COARSE:
                continue
            small, small_mask = resized(picture, mask, width, height)
            small = blur(small) if softly else small
            for (plane, left, top), desk in zip(parts, desks, strict=True):
                if height <= plane.pixels.shape[0] and width <= plane.pixels.shape[1]:
                    maps.add(scale, width, height, plane.correlate(small, small_mask, desk), left, top)
        return maps

    for plane, _left, _top in parts:
        plane.prepare(mask is not None)
    maps, *others = _on_two_cores(correlated, scales)
    for other in others:
        maps.join(other)
    return maps


# A picture cannot be recognised with a shorter side than this.
LEAST_COARSE: Final = 4
# Covered icons reached at least 0.37 in the calibration scenes, on the level where their shorter side has 16 pixels.
COARSE_FLOOR: Final = 0.35


def resized(picture: Pixels, mask: Pixels | None, width: int, height: int) -> tuple[Pixels, Pixels | None]:
    """Return the picture and its mask resized."""
    how = cv2.INTER_AREA if width < picture.shape[1] else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(picture, (width, height), interpolation=how), np.uint8)
    if mask is None:
        return small, None
    return small, np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def plane_of(screen: Screen, kind: Kind, factor: int, *, softly: bool = False) -> FramePlane:
    """Return the frame's gray values or outlines, reduced by `factor`; cached with the screen until it is released."""
    name = f"{'soft ' if softly else ''}{kind} plane"
    known: FramePlane | None = screen.derived.get((name, factor))
    if known is None:
        pixels = _reduced(screen, kind, factor)
        known = screen.derived[name, factor] = FramePlane(blur(pixels) if softly else pixels)
    return known


def _reduced(screen: Screen, kind: Kind, factor: int) -> Pixels:
    """Reduce in two steps through a size that the next level needs as well: a direct reduction takes four times as long."""
    base = outline_base(factor)
    half = screen.reduced(base)
    return averaged(half if kind == "gray" else outline(half), factor // base)


def outline_base(factor: int) -> int:
    """
    Return the reduction factor at which outlines are computed: with 2 there are a quarter of the pixels, and matches are
    found as well.
    """
    return 2 if factor % 2 == 0 else 1
