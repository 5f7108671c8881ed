"""Search one picture in another at unknown scale, coarse to fine, on gray values or on edges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.matching.coarse_search import (
    Hit,
    Kind,
    Part,
    ScaleMaps,
    blur,
    correlate_scales,
    outline,
    outline_base,
    plane_of,
    resized,
)
from handeye.matching.correlation import CorrelationBuffers, FramePlane
from handeye.screen import Pixels, Screen, averaged

SCALES: Final = (0.5, 1.5)  # docs/spec/vision-agent.md
# Reduction factor of the first search, by the least pixels of the picture's shorter side: a smaller image loses small icons
# and words (a stroke is half a pixel of the coarse level then), a larger one costs time.
_COARSE: Final = ((12, 192), (8, 128), (6, 75), (4, 60), (2, 14), (1, 0))
# Difference of the longer side from one scale to the next, in pixels of the coarse level. With 2.2 the true position was
# missing among the candidates in 5 of 96 scenes (4 of them covered or dark), with 3 in 7, and its scores fell by up to 0.2.
_STEP_PX: Final = 2.2
_LEAST_LONGER: Final = 8  # pixels of the coarse level: limits the step of smaller pictures
# On the finer levels the scale is accurate enough if the picture's far edge is off by less than this.
_FINE_PX: Final = 1.2
# Small pictures have strokes as thin as the coarse grid, and so does a word at its original size: they are blurred
# (coarse_search.soft). At other scales that lets too many candidates through: 20 instead of 9 on a screen without the
# picture.
_SOFT_FACTOR: Final = 2
# A picture that correlates this well with itself on the coarse level, on either background, is not lost there: labels on a
# button face cut at its border reached 0.29-0.70, icons and buttons with a margin at least 0.82.
_SEEN: Final = 0.75
# Candidates of the coarse level for each kind: the true position was among them in 91 of 96 scenes.
COARSE_PEAKS: Final = 16
# Largest gain of a score after the middle level.
GAIN_LEFT: Final = 0.12
_OFF_SCALE: Final = 0.6  # share of `least`, with some margin: a lower first score cannot reach it
# Largest further gain by a better scale after the first neighbouring scales: 0.05 and 0.32 at most in 154 searches.
_SCALE_GAIN: Final[dict[Kind, float]] = {"gray": 0.1, "edges": 0.4}


@dataclass(frozen=True, slots=True)
class Peak:
    """
    A candidate position of the picture.

    `box` is in pixels of the frame, `score` the normalised correlation (-1 to 1), `scale` the size relative to the
    picture's own, `angle` the rotation in degrees, clockwise; the box then encloses the rotated picture.
    """

    box: Box
    score: float
    scale: float
    angle: float = 0.0


@dataclass(frozen=True, eq=False)
class Picture:
    """
    A picture to search for: gray values, the mask of those that count (255; None: all), and the first reduction factor if
    not by size.
    """

    gray: Pixels
    mask: Pixels | None = None
    finer: int | None = None

    @property
    def coarse(self) -> int:
        """Reduction factor of the first search: `finer`, or by size."""
        if self.finer is not None:
            return self.finer
        shorter = min(self.gray.shape)
        return next(factor for factor, least in _COARSE if shorter >= least)

    @cached_property
    def is_faint(self) -> bool:
        """
        True if the coarse level may miss the picture at its original size.

        There its border mixes with the surroundings, and the pixel grid may be shifted: a label cut at the border of its
        button face correlated at 0.39-0.61 with itself. So the picture is compared with itself shifted by half a grid step,
        on black and on white.
        """
        factor, (height, width) = self.coarse, self.gray.shape
        if factor <= _SOFT_FACTOR or self.mask is not None or self.finer is not None:
            return False
        own = FramePlane(
            blur(np.asarray(resized(self.gray, None, round(width / factor), round(height / factor))[0], np.uint8))
        )
        room = ((factor + factor // 2, 2 * factor),) * 2
        shown = (blur(averaged(np.pad(self.gray, room, constant_values=around), factor)) for around in (0, 255))
        return all(float(FramePlane(place).correlate(own.pixels, None).max(initial=0.0)) < _SEEN for place in shown)

    @property
    def coarse_step(self) -> float:
        """Difference of neighbouring scales of the coarse search, constant in pixels."""
        longer: float = max(self.gray.shape) / self.coarse
        return _STEP_PX / max(_LEAST_LONGER, longer)

    def seen_as(self, kind: Kind) -> Pixels:
        """Return the gray values, or the edges at the original size."""
        return self.gray if kind == "gray" else edges(self.gray)


def edges(gray: Pixels) -> Pixels:
    """Return the strength of edges, 0-255: the same for light on dark as for dark on light."""
    across = cv2.Sobel(gray, cv2.CV_16S, 1, 0, ksize=3)
    down = cv2.Sobel(gray, cv2.CV_16S, 0, 1, ksize=3)
    return np.asarray(cv2.addWeighted(cv2.convertScaleAbs(across), 0.5, cv2.convertScaleAbs(down), 0.5, 0), np.uint8)


@dataclass(frozen=True, slots=True)
class Coarse:
    """Scores of a picture on the coarse level at every position, and their `peaks`, best first."""

    peaks: list[Peak]
    maps: ScaleMaps
    factor: int
    left: int
    top: int

    def near(self, peak: Peak) -> float:
        """Return the best score around a peak of the other kind, at any scale: no less than at its own."""
        x, y = peak.box.center
        return self.maps.near(int(x) // self.factor - self.left, int(y) // self.factor - self.top)


def search_coarse(
    screen: Screen,
    picture: Picture,
    kind: Kind,
    within: Box,
    scales: Sequence[float],
    most: int = COARSE_PEAKS,
    only: Sequence[Box] | None = None,
) -> Coarse:
    """
    Search the picture on the coarse level over all `scales`, in `within` or the parts `only` of it; overlapping peaks are
    suppressed.
    """
    factor = picture.coarse
    left, top = within.left // factor, within.top // factor
    softly = factor <= _SOFT_FACTOR or len(scales) == 1
    plane = plane_of(screen, kind, factor, softly=softly)
    plane = plane.part(left, top, -(-within.right // factor), -(-within.bottom // factor))
    parts = [(plane, 0, 0)] if only is None else [_part_of(plane, box, factor, left, top) for box in only]
    view = _coarse_view(picture, kind, factor)
    maps = correlate_scales(parts, plane.pixels.shape, view, picture.mask, factor, scales, softly=softly)
    hits = maps.local_maxima(2 * most)
    peaks = [Peak(_box_of(hit, factor, left, top, picture), hit.score, hit.scale) for hit in hits]
    return Coarse(non_maximum_suppression(peaks, most), maps, factor, left, top)


def _part_of(plane: FramePlane, box: Box, factor: int, left: int, top: int) -> Part:
    """Return the part of a plane that shows a box of the frame; the plane's corner on its level is at `left`, `top`."""
    first, upper = box.left // factor - left, box.top // factor - top
    return plane.part(first, upper, -(-box.right // factor) - left, -(-box.bottom // factor) - top), first, upper


def _coarse_view(picture: Picture, kind: Kind, factor: int) -> Pixels:
    """Return the picture at its original size as the frame's plane of that kind shows it."""
    if kind == "gray":
        return picture.gray
    height, width = picture.gray.shape
    drawn = outline(averaged(picture.gray, outline_base(factor)))
    return np.asarray(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def _box_of(hit: Hit, factor: int, left: int, top: int, picture: Picture) -> Box:
    x, y = (left + hit.left) * factor, (top + hit.top) * factor
    height, width = picture.gray.shape
    return Box(x, y, x + round(width * hit.scale), y + round(height * hit.scale))


def refine_middle(
    screen: Screen, picture: Picture, kind: Kind, within: Box, peaks: Iterable[Peak], off: float, least: float
) -> list[Peak]:
    """
    Refine coarse peaks, whose scales are off by `off` at most, on the middle level; return those that can still reach
    `least`.
    """
    coarse = picture.coarse
    factor = middle(coarse)
    if factor == coarse:
        return [peak for peak in peaks if peak.score >= least - GAIN_LEFT]
    search = _Search(screen, picture, kind, within, factor)
    refined = (search.refine(peak, coarse, 1 + off / peak.scale, least - GAIN_LEFT) for peak in peaks)
    return non_maximum_suppression([peak for peak in refined if peak and peak.score >= least - GAIN_LEFT])


def refine_full(
    screen: Screen, picture: Picture, kind: Kind, within: Box, peaks: Iterable[Peak], off: float, least: float
) -> list[Peak]:
    """Refine peaks to their exact position and scale at full size; return those that reach `least`, best first."""
    factor = middle(picture.coarse)
    if factor < picture.coarse:
        off = min(off, _FINE_PX * factor / max(picture.gray.shape))
    search = _Search(screen, picture, kind, within, 1)
    refined = (search.refine(peak, factor, 1 + off / peak.scale, least) for peak in peaks)
    return non_maximum_suppression([peak for peak in refined if peak and peak.score >= least])


def score_at(screen: Screen, picture: Picture, kind: Kind, peak: Peak, factor: int = 1) -> float:
    """Return the score of the picture at a position that is known within three pixels."""
    best = _Search(screen, picture, kind, screen.box, factor).refine(peak, 3, 1.0, -1.0)
    return best.score if best else 0.0


def middle(coarse: int) -> int:
    """Return the reduction factor between the coarse level and full size; the coarse one if there is none in between."""
    return max(2, coarse // 3) if coarse > 3 else coarse


def nms_indices(peaks: Sequence[Peak], most: int | None = None) -> list[int]:
    """
    Non-maximum suppression: return the indices of the peaks whose center is not in the inner half of a better one, best
    first.

    Returns at most `most`.
    """
    stay: list[int] = []
    taken: list[tuple[float, float, int, int]] = []  # plain numbers for speed
    for index in sorted(range(len(peaks)), key=lambda index: -peaks[index].score):
        left, top, right, bottom = peaks[index].box
        x, y, width, height = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
        for other_x, other_y, other_width, other_height in taken:
            if abs(x - other_x) * 2 < max(width, other_width) and abs(y - other_y) * 2 < max(height, other_height):
                break
        else:
            stay.append(index)
            taken.append((x, y, width, height))
            if len(stay) == most:
                break
    return stay


def non_maximum_suppression(peaks: Sequence[Peak], most: int | None = None) -> list[Peak]:
    """Return the peaks that remain after non-maximum suppression (`nms_indices`), best first."""
    return [peaks[index] for index in nms_indices(peaks, most)]


def ladder(step: float) -> list[float]:
    """Return scales around 1, `step` apart, from the lowest to the highest of `SCALES`."""
    low, high = SCALES
    down, up = math.ceil((1 - low) / step), math.ceil((high - 1) / step)
    return [min(high, max(low, 1 + step * index)) for index in range(-down, up + 1)]


class _Search:
    """Search for one picture on one level of one frame."""

    def __init__(self, screen: Screen, picture: Picture, kind: Kind, within: Box, factor: int) -> None:
        self._screen, self._kind, self._within, self._factor = screen, kind, within, factor
        self._pixels, self._mask = picture.seen_as(kind), picture.mask
        self._finer = 1 + _FINE_PX * factor / max(picture.gray.shape)

    def refine(self, peak: Peak, before: int, step: float, least: float) -> Peak | None:
        """
        Return the best fit near `peak`, whose position is known within `before` pixels and whose scale within a factor of
        `step`.

        Reduces the step of the scale until it is fine enough; returns None if a score of `least` cannot be reached.
        """
        factor = self._factor
        window = peak.box.expand(before + round(max(peak.box.width, peak.box.height) * (step - 1)))
        area = window.intersect(self._within)
        if area is None:
            return None
        left, top = area.left // factor, area.top // factor
        plane = FramePlane(self._part(left, top, -(-area.right // factor), -(-area.bottom // factor)))
        desk = plane.new_buffers()
        best = self._best(plane, desk, peak.scale, left, top)
        if best is None or best.score < _OFF_SCALE * least:
            return None
        turn = step  # grid alignment can make a neighbour of the right scale score higher
        while turn > 1 and turn * turn > self._finer:
            lower, upper = (
                self._best(plane, desk, _within_scales(best.scale * by), left, top) for by in (1 / turn, turn)
            )
            top_scale = _within_scales(best.scale * turn ** _vertex(lower, best, upper))
            tried = (lower, upper, self._best(plane, desk, top_scale, left, top))
            best = max((other for other in (best, *tried) if other), key=lambda other: other.score)
            turn **= 0.25
            if best.score < least - _SCALE_GAIN[self._kind]:
                return None
        return best

    def _part(self, left: int, top: int, right: int, bottom: int) -> Pixels:
        if self._kind == "gray":
            return self._screen.reduced(self._factor)[top:bottom, left:right]
        factor = self._factor
        whole = self._screen.gray[top * factor : bottom * factor, left * factor : right * factor]
        return averaged(edges(np.ascontiguousarray(whole)), factor)

    def _best(self, plane: FramePlane, desk: CorrelationBuffers, scale: float, left: int, top: int) -> Peak | None:
        """Return the best position at one scale; `left`, `top` is the plane's corner on the level."""
        factor = self._factor
        height, width = self._pixels.shape
        wide, high = round(width * scale / factor), round(height * scale / factor)
        rows, columns = plane.pixels.shape
        if min(wide, high) < 4 or high > rows or wide > columns:
            return None
        scores = plane.correlate(*resized(self._pixels, self._mask, wide, high), desk)
        _low, score, _where, (column, row) = cv2.minMaxLoc(scores)
        x, y = (left + column) * factor, (top + row) * factor
        return Peak(Box(x, y, x + round(width * scale), y + round(height * scale)), float(min(1.0, score)), scale)


def _within_scales(scale: float) -> float:
    return min(SCALES[1], max(SCALES[0], scale))


def _vertex(lower: Peak | None, middle: Peak, upper: Peak | None) -> float:
    """
    Return the vertex (-1 to 1) of the parabola through three scores; half a step towards the better side if it has no
    maximum.
    """
    if lower is None or upper is None:
        return 0.5 if upper else -0.5
    bend = lower.score - 2 * middle.score + upper.score
    if bend >= 0:
        return 0.5 if upper.score > lower.score else -0.5
    return max(-1.0, min(1.0, (lower.score - upper.score) / (2 * bend)))
