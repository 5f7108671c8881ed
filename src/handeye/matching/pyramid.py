"""Searching one picture in another at unknown scale, coarse to fine, on gray values or on edges."""

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
    outline,
    outline_base,
    plane_of,
    resized,
    soft,
    sweep,
)
from handeye.matching.correlation import FramePlane, FrameSpectra
from handeye.screen import Pixels, Screen, averaged

SCALES: Final = (0.5, 1.5)  # seed 004
# How many times smaller a picture is searched for first, by the pixels of its shorter side: smaller loses small icons and
# words (half a pixel of the coarse level is a stroke then), larger costs time.
_COARSE: Final = ((12, 192), (8, 128), (6, 75), (4, 60), (2, 14), (1, 0))
# Pixels of the coarse level by which the longer side differs from one scale to the next. With 2.2 the true place was missing
# among the candidates in 5 of 96 scenes (4 of them covered or dark), with 3 in 7, and its scores fell by up to 0.2.
_STEP_PX: Final = 2.2
_LEAST_LONGER: Final = 8  # pixels of the coarse level: steps are never wider than for that
# On the finer levels the scale is known when the picture's far edge is off by less than this.
_FINE_PX: Final = 1.2
# Small pictures have strokes as thin as the coarse grid, and so does a word in its own size: they are compared softly
# (sweep.soft). At other scales that would let too much else come near: 20 places for 9 on a screen without the picture.
_SOFT_FACTOR: Final = 2
# Of a picture that looks like itself with so much on the coarse level, on one of both, nothing is lost there: labels on faces
# cut at their border came to 0.29-0.70, icons and buttons with a margin to 0.82 and more.
_SEEN: Final = 0.75
# Places of the coarse level that are kept of each kind: the true one was among them in 91 of 96 scenes.
COARSE_PEAKS: Final = 16
# What a score may still gain after the level in between.
GAIN_LEFT: Final = 0.12
_OFF_SCALE: Final = 0.6  # of a score, with some room: less at first cannot become enough
# What it may still gain by a better scale after the first ones around it were tried: 154 searches showed 0.05 and 0.32 at most.
_SCALE_GAIN: Final[dict[Kind, float]] = {"gray": 0.1, "edges": 0.4}


@dataclass(frozen=True, slots=True)
class Peak:
    """
    A place where the picture may be.

    `box` is in pixels of the frame, `score` the normalised correlation (-1 to 1), `scale` the size there by the picture's own,
    `angle` its turn in degrees, clockwise; the box then encloses the turned picture.
    """

    box: Box
    score: float
    scale: float
    angle: float = 0.0


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture that is searched for: gray values, which of them count (255; None: all), and the first scale if not by size."""

    gray: Pixels
    mask: Pixels | None = None
    finer: int | None = None

    @property
    def coarse(self) -> int:
        """The times that it is made smaller for the first search: `finer`, or by its size."""
        if self.finer is not None:
            return self.finer
        shorter = min(self.gray.shape)
        return next(factor for factor, least in _COARSE if shorter >= least)

    @cached_property
    def is_faint(self) -> bool:
        """
        True if the coarse level may miss it in its own size.

        There its border mixes with what lies around it, and the grid may lie otherwise: a label on a button that was cut at
        its very face correlated at 0.39-0.61 with itself. So it is compared with itself half a step of the grid away, on
        black and on white.
        """
        factor, (height, width) = self.coarse, self.gray.shape
        if factor <= _SOFT_FACTOR or self.mask is not None or self.finer is not None:
            return False
        own = FramePlane(
            soft(np.asarray(resized(self.gray, None, round(width / factor), round(height / factor))[0], np.uint8))
        )
        room = ((factor + factor // 2, 2 * factor),) * 2
        shown = (soft(averaged(np.pad(self.gray, room, constant_values=around), factor)) for around in (0, 255))
        return all(float(FramePlane(place).correlate(own.pixels, None).max(initial=0.0)) < _SEEN for place in shown)

    @property
    def coarse_step(self) -> float:
        """The distance of neighbouring scales of the coarse search: the same pixels at each of them."""
        longer: float = max(self.gray.shape) / self.coarse
        return _STEP_PX / max(_LEAST_LONGER, longer)

    def seen_as(self, kind: Kind) -> Pixels:
        """Its gray values, or its edges in its own size."""
        return self.gray if kind == "gray" else edges(self.gray)


def edges(gray: Pixels) -> Pixels:
    """Strength of edges, 0-255: the same for light on dark as for dark on light."""
    across = cv2.Sobel(gray, cv2.CV_16S, 1, 0, ksize=3)
    down = cv2.Sobel(gray, cv2.CV_16S, 0, 1, ksize=3)
    return np.asarray(cv2.addWeighted(cv2.convertScaleAbs(across), 0.5, cv2.convertScaleAbs(down), 0.5, 0), np.uint8)


@dataclass(frozen=True, slots=True)
class Coarse:
    """The scores of a picture on the coarse level, everywhere, and their `peaks`, the best first."""

    peaks: list[Peak]
    maps: ScaleMaps
    factor: int
    left: int
    top: int

    def near(self, peak: Peak) -> float:
        """The best score around a peak of the other kind, at any scale: no less than at its own."""
        x, y = peak.box.center
        return self.maps.near(int(x) // self.factor - self.left, int(y) // self.factor - self.top)


def look_over(
    screen: Screen,
    picture: Picture,
    kind: Kind,
    within: Box,
    scales: Sequence[float],
    most: int = COARSE_PEAKS,
    only: Sequence[Box] | None = None,
) -> Coarse:
    """The picture on the coarse level over all `scales`, in these parts of `within`; no peak overlaps another by much."""
    factor = picture.coarse
    left, top = within.left // factor, within.top // factor
    softly = factor <= _SOFT_FACTOR or len(scales) == 1
    plane = plane_of(screen, kind, factor, softly=softly)
    plane = plane.part(left, top, -(-within.right // factor), -(-within.bottom // factor))
    parts = [(plane, 0, 0)] if only is None else [_part_of(plane, box, factor, left, top) for box in only]
    view = _coarse_view(picture, kind, factor)
    maps = sweep(parts, plane.pixels.shape, view, picture.mask, factor, scales, softly=softly)
    hits = maps.tops(2 * most)
    peaks = [Peak(_box_of(hit, factor, left, top, picture), hit.score, hit.scale) for hit in hits]
    return Coarse(suppress(peaks, most), maps, factor, left, top)


def _part_of(plane: FramePlane, box: Box, factor: int, left: int, top: int) -> Part:
    """The part of a plane, whose corner is at `left`, `top` of its level, that shows a box of the frame."""
    first, upper = box.left // factor - left, box.top // factor - top
    return plane.part(first, upper, -(-box.right // factor) - left, -(-box.bottom // factor) - top), first, upper


def _coarse_view(picture: Picture, kind: Kind, factor: int) -> Pixels:
    """The picture in its own size as the frame's plane of that kind shows it."""
    if kind == "gray":
        return picture.gray
    height, width = picture.gray.shape
    drawn = outline(averaged(picture.gray, outline_base(factor)))
    return np.asarray(cv2.resize(drawn, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def _box_of(hit: Hit, factor: int, left: int, top: int, picture: Picture) -> Box:
    x, y = (left + hit.left) * factor, (top + hit.top) * factor
    height, width = picture.gray.shape
    return Box(x, y, x + round(width * hit.scale), y + round(height * hit.scale))


def sharpen(
    screen: Screen, picture: Picture, kind: Kind, within: Box, peaks: Iterable[Peak], off: float, least: float
) -> list[Peak]:
    """Coarse peaks, whose scales are `off` by that at most, on the level in between: those that can reach `least`."""
    coarse = picture.coarse
    factor = middle(coarse)
    if factor == coarse:
        return [peak for peak in peaks if peak.score >= least - GAIN_LEFT]
    search = _Search(screen, picture, kind, within, factor)
    refined = (search.refine(peak, coarse, 1 + off / peak.scale, least - GAIN_LEFT) for peak in peaks)
    return suppress([peak for peak in refined if peak and peak.score >= least - GAIN_LEFT])


def settle(
    screen: Screen, picture: Picture, kind: Kind, within: Box, peaks: Iterable[Peak], off: float, least: float
) -> list[Peak]:
    """Sharpened peaks at full size, exactly placed and scaled, where they reach `least`: best first."""
    factor = middle(picture.coarse)
    if factor < picture.coarse:
        off = min(off, _FINE_PX * factor / max(picture.gray.shape))
    search = _Search(screen, picture, kind, within, 1)
    refined = (search.refine(peak, factor, 1 + off / peak.scale, least) for peak in peaks)
    return suppress([peak for peak in refined if peak and peak.score >= least])


def score_at(screen: Screen, picture: Picture, kind: Kind, peak: Peak, factor: int = 1) -> float:
    """Return the score of the picture at one place that is known, give or take three pixels."""
    best = _Search(screen, picture, kind, screen.box, factor).refine(peak, 3, 1.0, -1.0)
    return best.score if best else 0.0


def middle(coarse: int) -> int:
    """The factor of the level between the coarse one and full size; the coarse one itself when there is none."""
    return max(2, coarse // 3) if coarse > 3 else coarse


def kept(peaks: Sequence[Peak], most: int | None = None) -> list[int]:
    """Return the peaks whose middle is not in the inner half of a better one, the best first; at most `most`."""
    stay: list[int] = []
    taken: list[tuple[float, float, int, int]] = []  # plain numbers: this is asked often
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


def suppress(peaks: Sequence[Peak], most: int | None = None) -> list[Peak]:
    """The peaks that stay, best first: see `kept`."""
    return [peaks[index] for index in kept(peaks, most)]


def ladder(step: float) -> list[float]:
    """Scales around 1, `step` apart, from the lowest to the highest of `SCALES`."""
    low, high = SCALES
    down, up = math.ceil((1 - low) / step), math.ceil((high - 1) / step)
    return [min(high, max(low, 1 + step * index)) for index in range(-down, up + 1)]


class _Search:
    """One picture on one level of one frame."""

    def __init__(self, screen: Screen, picture: Picture, kind: Kind, within: Box, factor: int) -> None:
        self._screen, self._kind, self._within, self._factor = screen, kind, within, factor
        self._pixels, self._mask = picture.seen_as(kind), picture.mask
        self._finer = 1 + _FINE_PX * factor / max(picture.gray.shape)

    def refine(self, peak: Peak, before: int, step: float, least: float) -> Peak | None:
        """
        The best fit near `peak`, whose place is known to `before` pixels and whose scale to a factor of `step`.

        Halves the step of the scale until it is fine enough; gives up where that cannot reach a score of `least`.
        """
        factor = self._factor
        window = peak.box.expand(before + round(max(peak.box.width, peak.box.height) * (step - 1)))
        area = window.intersect(self._within)
        if area is None:
            return None
        left, top = area.left // factor, area.top // factor
        plane = FramePlane(self._part(left, top, -(-area.right // factor), -(-area.bottom // factor)))
        desk = plane.desk()
        best = self._best(plane, desk, peak.scale, left, top)
        if best is None or best.score < _OFF_SCALE * least:
            return None
        turn = step  # phase can make a neighbour of the right scale look better
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

    def _best(self, plane: FramePlane, desk: FrameSpectra, scale: float, left: int, top: int) -> Peak | None:
        """The best place at one scale; `left`, `top` is the plane's corner on the level."""
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
    """Return the top (-1 to 1) of the parabola through three scores; 0 when it has none."""
    if lower is None or upper is None:
        return 0.5 if upper else -0.5
    bend = lower.score - 2 * middle.score + upper.score
    if bend >= 0:
        return 0.5 if upper.score > lower.score else -0.5
    return max(-1.0, min(1.0, (lower.score - upper.score) / (2 * bend)))
