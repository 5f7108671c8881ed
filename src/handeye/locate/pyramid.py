"""Searching one picture in another at unknown scale: three levels, coarse to fine, on gray values or on edges."""

from __future__ import annotations

import math
import threading
import weakref
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels, Screen

Kind = Literal["gray", "edges"]

SCALES: Final = (0.5, 1.5)  # seed 004
# On the coarse level the shorter side of the picture has about so many pixels: fewer lose small icons, more cost time.
_COARSE_SIDE: Final = 16
_COARSEST: Final = 6
# A scale that is off by this many coarse pixels over the picture's width still keeps most of its peak (measured: 0.8 of it).
_STEP_PX: Final = 1.5
_OFF_SCALE: Final = 0.6  # of a score, with some room: less at first cannot become enough
# On the finer levels the scale is known when the picture's far edge is off by less than this.
_FINE_PX: Final = 1.2
# Coarse peaks below this, or this far below the best, never became a match in the calibration scenes.
_COARSE_FLOOR: Final = 0.45
_COARSE_BEHIND: Final = 0.3
_COARSE_PEAKS: Final = 24
# What a score may still gain after the level of that factor.
_GAIN_LEFT: Final = {2: 0.12, 1: 0.0}
# A score like this in the picture's own size ends the search: other sizes cannot do better.
_OWN_SIZE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Peak:
    """A place where the picture may be: `score` is the normalised correlation, -1 to 1; `box` in pixels of the frame."""

    box: Box
    score: float
    scale: float


@dataclass(frozen=True, slots=True)
class _Plane:
    """A picture, and which of its pixels count."""

    pixels: Pixels
    mask: Pixels | None = None

    def resized(self, width: int, height: int) -> _Plane:
        how = cv2.INTER_AREA if width < self.pixels.shape[1] else cv2.INTER_LINEAR
        pixels = np.asarray(cv2.resize(self.pixels, (width, height), interpolation=how), np.uint8)
        if self.mask is None:
            return _Plane(pixels)
        mask = cv2.resize(self.mask, (width, height), interpolation=cv2.INTER_NEAREST)
        return _Plane(pixels, np.asarray(mask, np.uint8))


class Frame:
    """A frame's gray values and edges at reduced sizes, each computed once."""

    def __init__(self, pixels: Pixels) -> None:
        self.gray: Pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
        self._levels: dict[tuple[Kind, int], Pixels] = {("gray", 1): self.gray}
        self._lock = threading.Lock()

    def level(self, kind: Kind, factor: int) -> Pixels:
        """The gray values or edges, `factor` times smaller."""
        with self._lock:
            return self._level(kind, factor)

    def _level(self, kind: Kind, factor: int) -> Pixels:
        known = self._levels.get((kind, factor))
        if known is not None:
            return known
        if kind == "edges" and factor == 1:
            made = edges(self.gray)
        else:
            made = _shrunk(self._level(kind, 1), factor)
        self._levels[kind, factor] = made
        return made


_FRAMES: Final[weakref.WeakKeyDictionary[Screen, Frame]] = weakref.WeakKeyDictionary()
_FRAMES_LOCK: Final = threading.Lock()


def frame_of(screen: Screen) -> Frame:
    """The screen's levels; kept as long as the screen is."""
    with _FRAMES_LOCK:
        frame = _FRAMES.get(screen)
        if frame is None:
            frame = _FRAMES[screen] = Frame(screen.pixels)
        return frame


def edges(gray: Pixels) -> Pixels:
    """Strength of edges, 0-255: the same for light on dark as for dark on light."""
    across = cv2.Sobel(gray, cv2.CV_16S, 1, 0, ksize=3)
    down = cv2.Sobel(gray, cv2.CV_16S, 0, 1, ksize=3)
    return np.asarray(cv2.addWeighted(cv2.convertScaleAbs(across), 0.5, cv2.convertScaleAbs(down), 0.5, 0), np.uint8)


def search(frame: Frame, gray: Pixels, mask: Pixels | None, kind: Kind, within: Box, floor: float) -> list[Peak]:
    """
    All places inside `within` whose score reaches `floor`, best first, none overlapping another.

    `gray` is the picture, `mask` its counting pixels. Scales from 0.5 to 1.5 in steps that cannot jump over a peak; where the
    picture stands in its own size, other sizes are not looked for.
    """
    plane = _Plane(gray if kind == "gray" else edges(gray), mask)
    coarse = max(1, min(_COARSEST, round(min(gray.shape) / _COARSE_SIDE)))
    ratio = 1 + _STEP_PX / max(_COARSE_SIDE / 2, max(gray.shape) / coarse)
    for scales in ([1.0], _ladder(ratio)):
        peaks = _sweep(frame.level(kind, coarse), plane, coarse, within, scales)
        peaks = _to_full_size(frame, plane, kind, within, peaks, coarse, ratio, floor)
        if peaks and peaks[0].score >= _OWN_SIZE:
            break
    return [peak for peak in peaks if peak.score >= floor]


def _to_full_size(
    frame: Frame, plane: _Plane, kind: Kind, within: Box, peaks: list[Peak], coarse: int, ratio: float, floor: float
) -> list[Peak]:
    """The coarse peaks, placed and scaled exactly, best first; those that fall behind on the way are dropped."""
    longest = max(plane.pixels.shape)
    before, step = coarse, ratio
    for factor in (2, 1) if coarse > 3 else (1,):
        finer = 1 + _FINE_PX * factor / longest
        least = floor - _GAIN_LEFT[factor]
        refined = (
            _refine(frame.level(kind, factor), plane, factor, peak, within, before, step, finer, least)
            for peak in peaks
        )
        peaks = suppress([peak for peak in refined if peak and peak.score >= least])
        before, step = factor, finer
    return peaks


def score_at(frame: Frame, gray: Pixels, mask: Pixels | None, kind: Kind, peak: Peak) -> float:
    """How well the picture fits at one place found by another pass."""
    plane = _Plane(gray if kind == "gray" else edges(gray), mask)
    whole = Box(0, 0, frame.gray.shape[1], frame.gray.shape[0])
    best = _refine(frame.level(kind, 1), plane, 1, peak, whole, 3, 1.0, 1.0)
    return best.score if best else 0.0


def suppress(peaks: list[Peak], most: int | None = None) -> list[Peak]:
    """The peaks, best first, without those whose middle lies in the inner half of a better one; at most `most`."""
    kept: list[Peak] = []
    taken: list[tuple[float, float, int, int]] = []  # plain numbers: a sweep has some hundred peaks
    for peak in sorted(peaks, key=lambda peak: -peak.score):
        left, top, right, bottom = peak.box
        x, y, width, height = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
        for other_x, other_y, other_width, other_height in taken:
            if abs(x - other_x) * 2 < max(width, other_width) and abs(y - other_y) * 2 < max(height, other_height):
                break
        else:
            kept.append(peak)
            taken.append((x, y, width, height))
            if len(kept) == most:
                break
    return kept


def _ladder(ratio: float) -> list[float]:
    """Scales around 1, `ratio` apart, from the lowest to the highest of `SCALES`."""
    low, high = SCALES
    down, up = math.ceil(-math.log(low) / math.log(ratio)), math.ceil(math.log(high) / math.log(ratio))
    return [min(high, max(low, ratio**power)) for power in range(-down, up + 1)]


def _sweep(level: Pixels, plane: _Plane, factor: int, within: Box, scales: list[float]) -> list[Peak]:
    """The strongest places on one level, over all scales."""
    left, top = within.left // factor, within.top // factor
    area = level[top : -(-within.bottom // factor), left : -(-within.right // factor)]
    peaks: list[Peak] = []
    for scale in scales:
        found = _correlate(area, plane, scale / factor)
        if found is None:
            continue
        scores, width, height = found
        around = np.ones((max(3, height // 2 * 2 + 1), max(3, width // 2 * 2 + 1)), np.uint8)
        tops = (scores >= _COARSE_FLOOR) & (scores >= cv2.dilate(scores, around))
        rows, columns = np.nonzero(tops)
        order = np.argsort(-scores[rows, columns])[:_COARSE_PEAKS]
        for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
            box = Box(
                (left + column) * factor,
                (top + row) * factor,
                (left + column + width) * factor,
                (top + row + height) * factor,
            )
            peaks.append(Peak(box, float(scores[row, column]), scale))
    least = max((peak.score for peak in peaks), default=0.0) - _COARSE_BEHIND
    return suppress([peak for peak in peaks if peak.score >= least], _COARSE_PEAKS)


def _refine(
    level: Pixels,
    plane: _Plane,
    factor: int,
    peak: Peak,
    within: Box,
    before: int,
    step: float,
    finer: float,
    least: float = -1.0,
) -> Peak | None:
    """
    The best fit near `peak`, whose place is known to `before` pixels and whose scale to a factor of `step`.

    Halves the step of the scale until it is below `finer`; gives up where that cannot reach a score of `least`.
    """
    window = peak.box.expand(before + round(max(peak.box.width, peak.box.height) * (step - 1))).intersect(within)
    if window is None:
        return None
    left, top = window.left // factor, window.top // factor
    area = level[top : -(-window.bottom // factor), left : -(-window.right // factor)]
    best = _best_at(area, plane, factor, peak.scale, left, top)
    if best is None or best.score < _OFF_SCALE * least:
        return None
    turn = math.sqrt(step)
    while turn > 1 and turn * turn > finer:
        for scale in (best.scale * turn, best.scale / turn):
            other = _best_at(area, plane, factor, min(SCALES[1], max(SCALES[0], scale)), left, top)
            if other and other.score > best.score:
                best = other
        turn = math.sqrt(turn)
    return best


def _best_at(area: Pixels, plane: _Plane, factor: int, scale: float, left: int, top: int) -> Peak | None:
    """The best place at one scale; `left`, `top` is the area's corner on its level."""
    found = _correlate(area, plane, scale / factor)
    if found is None:
        return None
    scores, width, height = found
    _low, score, _where, (column, row) = cv2.minMaxLoc(scores)
    at_x, at_y = (left + column) * factor, (top + row) * factor
    return Peak(Box(at_x, at_y, at_x + width * factor, at_y + height * factor), float(score), scale)


def _correlate(area: Pixels, plane: _Plane, scale: float) -> tuple[npt.NDArray[np.float32], int, int] | None:
    """Normalised correlation at every place, with the scaled picture's width and height; None where it does not fit."""
    width, height = round(plane.pixels.shape[1] * scale), round(plane.pixels.shape[0] * scale)
    if min(width, height) < 4 or height > area.shape[0] or width > area.shape[1]:
        return None
    small = plane.resized(width, height)
    scores = cv2.matchTemplate(area, small.pixels, cv2.TM_CCOEFF_NORMED, mask=small.mask)
    if small.mask is not None:
        scores = np.nan_to_num(scores, copy=False, nan=0.0, posinf=0.0, neginf=0.0)
    scores[(scores > 1.001) | (scores < -1.001)] = 0
    return np.asarray(scores, np.float32), width, height


def _shrunk(pixels: Pixels, factor: int) -> Pixels:
    height, width = pixels.shape
    size = (max(1, -(-width // factor)), max(1, -(-height // factor)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
