"""
Candidate elements of a frame without duplicates, and their features.

A candidate comes from the detector, a closed shape, a drawn mark, a picture, a long thin part, a line of text, or an
assumed list row. The rescorer decides which of them are elements, and of which class; this file only computes its input:
the candidate's geometry, the output of the detector, the shapes and the texts there, a thumbnail, and its relations to
other candidates, such as same row or column.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.parse.decoding import CLASSES
from handeye.parse.detector import Detected, DetectorOutput
from handeye.parse.feature_maps import ROI_FEATURES, roi_features
from handeye.parse.overlap import ious, shared_areas
from handeye.parse.proposals import Proposals
from handeye.screen import Pixels
from handeye.text import TextLine

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# Candidates that overlap more than this are merged; the earlier source has the better box.
_SAME: Final = 0.9
_MOST: Final = 640  # candidates; a dense desktop has some 400
_LARGEST: Final = 0.9  # of the frame: larger shapes are the page itself
_SIDE: Final = 12  # side of each candidate's thumbnail, in cells
_AROUND: Final = 0.16  # share of a candidate's side that its thumbnail adds around it
_LEAST_AROUND: Final = 2
_UNIT: Final = 17.0  # pixels of a text line on a screen of scale 1
_FAR: Final = 8.0  # units; anything further counts as absent
_ROW: Final = (16, 110)  # height range of a row in pixels, on a screen of scale 1
_ALIGNED: Final = 4
_NOWHERE: Final = 1e6  # pixels
_INSIDE: Final = 0.7  # share of a line or mark that has to lie in a candidate
_SOURCES: Final = ("shape", "detector", "mark", "picture", "strip", "row", "line")
# Relations between candidates, each a boolean neighbour matrix.
RELATIONS: Final = ("row", "column", "alike", "inside", "around", "rival")


@dataclass(frozen=True, slots=True)
class Candidates:
    """
    `boxes` (n, 4) left-top-right-bottom in frame pixels; `features` (n, FEATURES); `neighbours` (relations, n, n): True
    where the column's candidate is a neighbour of the row's.
    """

    boxes: Floats
    features: Floats
    neighbours: Mask

    def __len__(self) -> int:
        return len(self.boxes)

    def offered_by(self, source: str) -> Mask:
        """
        Return a mask (n,) of the candidates from a source: "shape", "detector", "mark", "picture", "strip", "row" or
        "line".
        """
        return np.asarray(self.features[:, _SOURCES.index(source)] > 0)


def candidates(
    pixels: Pixels, sight: DetectorOutput, seen: Proposals, lines: Sequence[TextLine], scale: float
) -> Candidates:
    """
    Return the candidates of a frame (height, width, 3). `sight` has detections from a low score on; `seen` and `scale` are
    the results of `propose` and `scale_of` for the same lines. An empty frame has no candidates.
    """
    found, sources = _places(pixels, sight.found, seen, lines, scale)
    if not len(found):
        return Candidates(found, np.empty((0, FEATURES), np.float32), np.empty((len(RELATIONS), 0, 0), np.bool_))
    neighbours = _neighbours(found, _Overlaps.of(found, found), scale)
    totals = np.count_nonzero(neighbours, axis=2).astype(np.float32)
    parts = [
        sources,
        _geometry(found, pixels.shape, scale),
        _detector(found, sight.found),
        _shapes(found, seen),
        _marks(found, seen.marks),
        _texts(found, lines, scale),
        _looks(pixels, found, sources, scale),
        roi_features(found, sight.maps),
        np.log1p(totals.T),
    ]
    features = np.nan_to_num(np.concatenate(parts, 1).astype(np.float32), posinf=0.0, neginf=0.0)
    return Candidates(found, features, neighbours)


def _places(
    pixels: Pixels, detected: Sequence[Detected], seen: Proposals, lines: Sequence[TextLine], scale: float
) -> tuple[Floats, Floats]:
    """Return distinct boxes (n, 4), and which sources offered each, (n, sources)."""
    area = pixels.shape[0] * pixels.shape[1]
    offers: list[Sequence[Box]] = [
        [shape.box for shape in seen.shapes if shape.box.area <= _LARGEST * area],
        [each.box for each in detected],
        seen.marks,
        seen.pictures,
        seen.strips,
        rows(seen, lines, Box(0, 0, pixels.shape[1], pixels.shape[0]), scale),
        [line.box for line in lines],
    ]
    boxes = np.array([box for offer in offers for box in offer], np.float32).reshape(-1, 4)
    kind = np.repeat(np.arange(len(offers)), [len(offer) for offer in offers])
    if not len(boxes):
        return boxes, np.zeros((0, len(offers)), np.float32)
    same = ious(boxes, boxes) >= _SAME
    first = same.argmax(1)  # the first duplicate of each; itself if there is none
    kept = np.flatnonzero(first == np.arange(len(boxes)))
    if len(kept) > _MOST:  # the detector's most certain, then the smaller ones
        score = np.zeros(len(boxes), np.float32)
        score[kind == 1] = [each.score for each in detected]
        sizes = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
        places, others = np.nonzero(same)
        surest = np.bincount(places, score[others], len(boxes))
        order = np.lexsort((sizes[kept], -surest[kept]))
        kept = np.sort(kept[order[:_MOST]])
    ends = np.cumsum([len(offer) for offer in offers])
    sources = np.stack([same[:, end - len(offer) : end].any(1) for end, offer in zip(ends, offers, strict=True)], 1)
    return boxes[kept], sources[kept].astype(np.float32)


def rows(seen: Proposals, lines: Sequence[TextLine], frame: Box, scale: float) -> list[Box]:
    """Return possible list rows: between horizontal separators of equal length, and around left-aligned lines of text."""
    return [
        *_between([*seen.separators], scale),
        *_around_lines([line.box for line in lines], [shape.box for shape in seen.shapes], frame, scale),
    ]


def _between(separators: Sequence[Box], scale: float) -> Iterator[Box]:
    """Yield the space between two separators of equal length, and as much above the first and below the last."""
    columns: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for each in separators:
        columns[round(each.left / (4 * scale)), round(each.right / (4 * scale))].append(each)
    for column in columns.values():
        gaps = [(one, other) for one, other in pairwise(column) if _is_row(other.top - one.bottom, scale)]
        for one, other in gaps:
            yield Box(one.left, one.bottom, one.right, other.top)
        if gaps:
            first, last = gaps[0], gaps[-1]
            high = first[1].top - first[0].bottom
            yield Box(first[0].left, max(0, first[0].top - high), first[0].right, max(1, first[0].top))
            high = last[1].top - last[0].bottom
            yield Box(last[1].left, last[1].bottom, last[1].right, last[1].bottom + high)


def _around_lines(lines: Sequence[Box], panes: Sequence[Box], frame: Box, scale: float) -> Iterator[Box]:
    """
    Yield a row for each line with a left-aligned one above or below: as wide as its pane, and as high as their distance.
    """
    if len(lines) < 2:
        return
    corners = np.array(lines, np.float32)
    middle = (corners[:, 1] + corners[:, 3]) / 2
    apart = np.abs(middle[:, None] - middle)
    aligned = np.abs(corners[:, None, 0] - corners[None, :, 0]) <= _ALIGNED * scale
    pitch = np.where(aligned & (apart > 2), apart, np.inf).min(1)
    holders = np.array([frame, *panes], np.float32)
    sizes = np.prod(holders[:, 2:] - holders[:, :2], axis=1)
    for number in np.flatnonzero([_is_row(high, scale) for high in pitch.tolist()]).tolist():
        left, top, right, bottom = corners[number].tolist()
        high = float(pitch[number])
        holds = (holders[:, 0] <= left) & (holders[:, 2] >= right) & (holders[:, 1] <= top) & (holders[:, 3] >= bottom)
        holds &= holders[:, 3] - holders[:, 1] >= 1.5 * high
        if not holds.any():
            continue
        pane = holders[int(np.where(holds, sizes, np.inf).argmin())]
        yield Box(int(pane[0]), round(middle[number] - high / 2), int(pane[2]), round(middle[number] + high / 2))


def _is_row(height: float, scale: float) -> bool:
    return _ROW[0] * scale <= height <= _ROW[1] * scale


@dataclass(frozen=True, slots=True)
class _Overlaps:
    """Overlaps of (n, 4) boxes with (m, 4) others: `shared` areas (n, m), and the `areas` of both, (n, 1) and (1, m)."""

    shared: Floats
    areas: Floats
    others: Floats

    @classmethod
    def of(cls, boxes: Floats, others: Floats) -> _Overlaps:
        areas = [np.maximum(np.prod(each[:, 2:] - each[:, :2], axis=1), 1) for each in (boxes, others)]
        return cls(shared_areas(boxes, others), areas[0][:, None], areas[1][None, :])

    @property
    def iou(self) -> Floats:
        return np.asarray(self.shared / (self.areas + self.others - self.shared), np.float32)

    @property
    def within(self) -> Floats:
        """The share of each box that lies in each of the others."""
        return np.asarray(self.shared / self.areas, np.float32)

    @property
    def holds(self) -> Floats:
        """The share of each of the others that lies in each box."""
        return np.asarray(self.shared / self.others, np.float32)


def _geometry(boxes: Floats, shape: tuple[int, ...], scale: float) -> Floats:
    height, width = shape[:2]
    wide, high = (boxes[:, 2] - boxes[:, 0]) / scale, (boxes[:, 3] - boxes[:, 1]) / scale
    left, top, right, bottom = (
        boxes[:, 0] / width,
        boxes[:, 1] / height,
        boxes[:, 2] / width,
        boxes[:, 3] / height,
    )
    portrait = np.full(len(boxes), float(height > width), np.float32)
    return np.stack(
        [
            *(
                np.log(np.maximum(wide, 1)),
                np.log(np.maximum(high, 1)),
                np.log(np.maximum(wide, 1) / np.maximum(high, 1)),
            ),
            *(left, top, right, bottom, (left + right) / 2, (top + bottom) / 2, right - left, bottom - top),
            *(portrait, np.full(len(boxes), np.log(scale)), np.full(len(boxes), width / scale / 1000)),
            *((left < 0.01), (right > 0.99), (top < 0.01), (bottom > 0.99)),
        ],
        1,
    ).astype(np.float32)


def _detector(boxes: Floats, detected: Sequence[Detected]) -> Floats:
    """Return the detector's score of each class at, inside, and around each candidate; and its best overlap."""
    if not detected:
        return np.zeros((len(boxes), 3 * len(CLASSES) + 2), np.float32)
    overlaps = _Overlaps.of(boxes, np.array([each.box for each in detected], np.float32))
    shares = np.array([each.shares for each in detected], np.float32)
    scores = np.array([each.score for each in detected], np.float32)
    same = overlaps.iou
    here = _class_maxima(np.where(same >= 0.3, same, 0), shares)
    inside = _class_maxima((overlaps.holds >= 0.8) & (same < 0.5), shares)
    around = _class_maxima((overlaps.within >= 0.8) & (same < 0.5), shares)
    best = same.max(1)
    return np.concatenate([here, inside, around, best[:, None], (same * scores).max(1)[:, None]], 1)


def _class_maxima(weights: npt.NDArray[np.generic], shares: Floats) -> Floats:
    """Return the highest weighted share per candidate and class, (n, classes). Few weights are above 0."""
    most = np.zeros((len(weights), shares.shape[1]), np.float32)
    places, seen = np.nonzero(weights)
    if not len(places):
        return most
    products = weights[places, seen].astype(np.float32)[:, None] * shares[seen]
    begins = np.flatnonzero(np.diff(places, prepend=-1))
    most[places[begins]] = np.maximum.reduceat(products, begins, axis=0)
    return most


def _shapes(boxes: Floats, seen: Proposals) -> Floats:
    if not seen.shapes:
        return np.zeros((len(boxes), 6), np.float32)
    overlaps = _Overlaps.of(boxes, np.array([each.box for each in seen.shapes], np.float32))
    same = overlaps.iou
    best = same.argmax(1)
    filled = np.array([each.filled for each in seen.shapes], np.float32)[best]
    inside = (overlaps.holds >= 0.9) & (same < 0.8)
    around = (overlaps.within >= 0.9) & (same < 0.8)
    larger = np.where(around, overlaps.others / overlaps.areas, np.inf).min(1)
    most = same.max(1)
    return np.stack(
        [
            *(most, np.where(most > 0.7, filled, 0), np.log1p(inside.sum(1)), np.log1p(around.sum(1))),
            *(np.where(np.isfinite(larger), 1 / larger, 0), (inside * overlaps.others).max(1) / overlaps.areas[:, 0]),
        ],
        1,
    ).astype(np.float32)


def _marks(boxes: Floats, marks: Sequence[Box]) -> Floats:
    """
    Return the number of marks in each candidate, their share of its area, and the positions of the first and the last one.
    """
    if not marks:
        return np.zeros((len(boxes), 7), np.float32)
    places = np.array(marks, np.float32)
    overlaps = _Overlaps.of(boxes, places)
    inside = (overlaps.holds >= _INSIDE) & (overlaps.others < 0.9 * overlaps.areas)
    wide = np.maximum(boxes[:, 2] - boxes[:, 0], 1)[:, None]
    first = np.where(inside, (places[None, :, 0] - boxes[:, None, 0]) / wide, 2).min(1)
    last = np.where(inside, (boxes[:, None, 2] - places[None, :, 2]) / wide, 2).min(1)
    high = np.maximum(boxes[:, 3] - boxes[:, 1], 1)[:, None]
    off = np.where(
        inside, np.abs(places[None, :, 1] + places[None, :, 3] - boxes[:, None, 1] - boxes[:, None, 3]) / high, 2
    )
    filled = (overlaps.shared * inside).sum(1) / overlaps.areas[:, 0]
    lone = (overlaps.iou).max(1)
    count = inside.sum(1)
    return np.stack([np.log1p(count), count == 1, filled, first, last, off.min(1), lone], 1).astype(np.float32)


def _texts(boxes: Floats, lines: Sequence[TextLine], scale: float) -> Floats:
    """Return features of the text in each candidate and its alignment, and of the distance of the texts around it."""
    if not lines:
        return np.zeros((len(boxes), 21), np.float32)
    places = np.array([line.box for line in lines], np.float32)
    overlaps = _Overlaps.of(boxes, places)
    inside = overlaps.holds >= _INSIDE
    wide, high = np.maximum(boxes[:, 2] - boxes[:, 0], 1), np.maximum(boxes[:, 3] - boxes[:, 1], 1)
    count = inside.sum(1)
    any_in = count > 0
    left = np.where(inside, places[None, :, 0] - boxes[:, None, 0], _NOWHERE).min(1)
    right = np.where(inside, boxes[:, None, 2] - places[None, :, 2], _NOWHERE).min(1)
    above = np.where(inside, places[None, :, 1] - boxes[:, None, 1], _NOWHERE).min(1)
    below = np.where(inside, boxes[:, None, 3] - places[None, :, 3], _NOWHERE).min(1)
    line_high = np.where(inside, places[None, :, 3] - places[None, :, 1], 0).max(1)
    text_features = _text_features([line.text for line in lines])
    words = np.where(any_in[:, None], (inside.astype(np.float32) @ text_features) / np.maximum(count, 1)[:, None], 0)
    unit = _UNIT * scale
    nearby = _beside(boxes, places, unit)
    held = [
        *(left / wide, right / wide, left / unit, right / unit, above / high, below / high, line_high / high),
        *((left - right) / wide, (overlaps.shared * inside).sum(1) / (wide * high)),
    ]
    columns = [np.where(any_in, np.clip(each, -_FAR, _FAR), 0) for each in held]
    columns += [np.log1p(count), any_in, overlaps.iou.max(1), *words.T, *nearby]
    return np.stack(columns, 1).astype(np.float32)


def _text_features(texts: Sequence[str]) -> Floats:
    """
    Return features of each text: its length, its shares of digits and of wide letters, whether it ends like a label, and
    like a sentence.
    """
    return np.array(
        [
            (
                np.log1p(len(text)),
                sum(map(str.isdigit, text)) / max(1, len(text)),
                0 if text.isascii() else sum(ord(letter) > 0x2E80 for letter in text) / max(1, len(text)),
                text.rstrip().endswith((":", "：", "*")),
                text.rstrip().endswith((".", "。", "!", "?", "？", "！", "…")),
            )
            for text in texts
        ],
        np.float32,
    ).reshape(-1, 5)


def _beside(boxes: Floats, places: Floats, unit: float) -> list[Floats]:
    """
    Return the proximity of the next text right, left, above and below of each candidate, 0-1: 1 where it touches, 0 where
    it is far.
    """
    rows = (
        np.minimum(boxes[:, None, 3], places[None, :, 3]) - np.maximum(boxes[:, None, 1], places[None, :, 1])
    ) > 0.5 * (places[None, :, 3] - places[None, :, 1])
    columns = (
        np.minimum(boxes[:, None, 2], places[None, :, 2]) - np.maximum(boxes[:, None, 0], places[None, :, 0])
    ) > 0
    gaps = (
        (rows, places[None, :, 0] - boxes[:, None, 2]),
        (rows, boxes[:, None, 0] - places[None, :, 2]),
        (columns, boxes[:, None, 1] - places[None, :, 3]),
        (columns, places[None, :, 1] - boxes[:, None, 3]),
    )
    near = [np.where(there & (gap > -0.3 * unit), np.maximum(gap, 0), np.inf).min(1) for there, gap in gaps]
    return [np.asarray(np.exp(-each / unit), np.float32) for each in near]


def _looks(pixels: Pixels, boxes: Floats, sources: Floats, scale: float) -> Floats:
    """
    Return a grey thumbnail of each candidate and its surroundings, as differences from the surroundings; and its colours:
    the difference between inside and outside, and between its ink and that of the frame's text.
    """
    small = _cut(pixels, boxes, scale)
    rim = np.concatenate([small[:, 0], small[:, -1], small[:, 1:-1, 0], small[:, 1:-1, -1]], 1)
    outside = _median(rim)
    middle = small[:, 2:-2, 2:-2].reshape(len(boxes), -1, 3)
    inside = _median(middle)
    grey = (small - outside[:, None, None]) @ np.array([0.299, 0.587, 0.114], np.float32)
    spread = grey.reshape(len(boxes), -1).std(1)
    looks = (grey / (spread[:, None, None] + 8)).reshape(len(boxes), -1)
    off = np.abs(middle - inside[:, None])
    far = off[:, :, 0] + off[:, :, 1] + off[:, :, 2]  # faster than `sum(axis=2)`
    ink = np.take_along_axis(middle, far.argmax(1)[:, None, None], 1)[:, 0]
    colours = np.concatenate(
        [
            (inside - outside) / 64,
            np.abs(inside - outside).max(1, keepdims=True) / 64,
            _saturated(inside),
            _saturated(ink),
            (ink - inside) / 128,
            far.max(1, keepdims=True) / 255,
            spread[:, None] / 64,
            np.ascontiguousarray(rim.transpose(0, 2, 1)).std(2) / 64,
            (ink - _usual(ink, sources)) / 64,
            np.abs(ink - _usual(ink, sources)).max(1, keepdims=True) / 64,
        ],
        1,
    )
    return np.asarray(np.clip(np.concatenate([looks, colours], 1), -8, 8), np.float32)


def _cut(pixels: Pixels, boxes: Floats, scale: float) -> Floats:
    """
    Return each candidate with its surroundings as the mean colours of _SIDE by _SIDE cells, (n, _SIDE, _SIDE, 3).

    A cell's sum follows from the four corners of an integral image, whatever its size. The integral may overflow 32 bits,
    but no cell's sum does, so the differences are still correct.
    """
    edges = boxes.astype(np.float64)
    short = np.minimum(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1])
    around = np.maximum(_LEAST_AROUND * scale, _AROUND * short)[:, None]
    ends = np.array((pixels.shape[1], pixels.shape[0]))
    low = np.clip((edges[:, :2] - around).astype(np.intp), 0, ends - 1)
    high = np.maximum(low + 1, np.minimum(ends, np.rint(edges[:, 2:] + around).astype(np.intp)))
    steps = low[:, :, None] + (high - low)[:, :, None] * np.arange(_SIDE + 1) / _SIDE
    begins = steps[:, :, :-1].astype(np.intp)
    beyond = np.maximum(begins + 1, steps[:, :, 1:].astype(np.intp))
    sums = cv2.integral(pixels, sdepth=cv2.CV_32S).reshape(-1, 3)
    (top, bottom), (left, right) = (
        (begins[:, 1, :, None] * (ends[0] + 1), beyond[:, 1, :, None] * (ends[0] + 1)),
        (begins[:, 0, None, :], beyond[:, 0, None, :]),
    )
    cells = sums.take(bottom + right, axis=0)
    cells -= sums.take(bottom + left, axis=0)
    cells -= sums.take(top + right, axis=0)
    cells += sums.take(top + left, axis=0)
    sides = (beyond - begins).astype(np.float32)
    return np.asarray(cells.astype(np.float32) / (sides[:, 1, :, None, None] * sides[:, 0, None, :, None]), np.float32)


def _median(colours: Floats) -> Floats:
    """
    Return the median of (n, m, 3) colours by channel, (n, 3); m is even. Sorting short rows is faster than `np.median`.
    """
    ordered = np.sort(np.ascontiguousarray(colours.transpose(0, 2, 1)), axis=2)
    half = colours.shape[1] // 2
    return np.asarray(ordered[:, :, half - 1 : half + 1].mean(axis=2))


def _usual(ink: Floats, sources: Floats) -> Floats:
    """Return the median text colour of the frame's lines."""
    written = sources[:, _SOURCES.index("line")] > 0
    return np.asarray(np.median(ink[written], axis=0) if written.any() else np.zeros(3), np.float32)


def _saturated(colours: Floats) -> Floats:
    """Return saturation, brightness, and the hue as red and blue offsets; (n, 4)."""
    most, least = colours.max(1), colours.min(1)
    way = colours - colours.mean(1, keepdims=True)
    return np.stack([(most - least) / 64, most / 255, way[:, 0] / 64, way[:, 2] / 64], 1)


def _neighbours(boxes: Floats, overlaps: _Overlaps, scale: float) -> Mask:
    """Return the neighbour matrices of all relations, (relations, n, n)."""
    wide, high = np.maximum(boxes[:, 2] - boxes[:, 0], 1), np.maximum(boxes[:, 3] - boxes[:, 1], 1)
    middle_x, middle_y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    off_x, off_y = np.abs(middle_x[:, None] - middle_x), np.abs(middle_y[:, None] - middle_y)
    as_high = _alike(high, 0.3)
    as_wide = _alike(wide, 0.12)
    apart = overlaps.shared <= 0
    near = _FAR * _UNIT * scale
    row = as_high & apart & (off_y <= 0.2 * high[:, None]) & (off_x <= near + (wide[:, None] + wide) / 2)
    aligned = np.minimum(np.abs(boxes[:, None, 0] - boxes[None, :, 0]), off_x) <= 3 * scale
    column = as_high & apart & aligned & (off_y <= near + (high[:, None] + high) / 2)
    alike = as_wide & _alike(high, 0.12) & apart
    same = overlaps.iou
    inside = (overlaps.holds >= 0.8) & (same < 0.6)
    rival = same >= 0.3
    rival[np.diag_indices(len(boxes))] = False
    inside[np.diag_indices(len(boxes))] = False
    return np.stack([row, column, alike, inside, inside.T, rival])


def _alike(lengths: Floats, by: float) -> Mask:
    logs = np.log(lengths)
    return np.asarray(np.abs(logs[:, None] - logs) <= by)


FEATURES: Final = (
    len(_SOURCES) + 18 + 3 * len(CLASSES) + 2 + 6 + 7 + 21 + _SIDE * _SIDE + 24 + ROI_FEATURES + len(RELATIONS)
)
