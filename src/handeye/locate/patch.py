"""A small picture of a place's surroundings: is the same thing still there, and is it still the only one?

Two frames of one device that show the same thing are equal to the bit, but for dithering. So the picture must be equal pixel
by pixel, and not just correlate: a button whose label changed correlates by 0.95 to 0.97, 未 and 末 by more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box, Size
from handeye.locate.correlation import likeness
from handeye.screen import Pixels, Screen

# What dithering and graphics drivers change in a channel (0-255). A serif of 12 px text changes 30 and more.
DRIFT: Final = 3
# The picture holds the whole row beside the place, because in lists only the row's text tells one row from another. To each
# side it reaches as far as the frame's shorter side: all of a phone's width, a window's width on a desktop.
# Above and below it reaches half the place's height, at least and at most these shares of the frame's shorter side (27 and
# 67 px on a phone): the height of a list's row.
_LEAST_MARGIN: Final = 1 / 40
_MOST_MARGIN: Final = 1 / 16
# A larger part of the frame is a page, not a place: something in it always changes.
_MOST_OF_FRAME: Final = 0.3
# Below these a place shows nothing that could be recognised: more than of a picture that a person chose (locate/reference.py).
LEAST_SIDE: Final = 8
LEAST_CONTRAST: Final = 8.0
# How far a place may have moved, as a share of the frame's shorter side (64 px on a phone): a banner, a growing field.
_REACH: Final = 0.06
# Farther off it is looked for straight above and below, by the row of its pixels that says most; a page of stripes shows that
# row often.
_MOST_ROWS: Final = 64
# The moved place is looked for by at most so much of its middle, so that a wide field costs no more than a button.
_NEEDLE: Final = Size(160, 64)
# One pixel in so many rows and columns tells what else changed on the frame: every letter is hit several times.
_EVERY: Final = (4, 8)
_SAMPLE_DRIFT: Final = 16
# Beyond this share of changed pixels it is another page, on which another thing may answer to the same name.
MOST_CHANGED: Final = 0.4
# It is the same page when all that changed fits in a square of this share of the frame's shorter side (54 px on a phone): one
# digit of a clock, a caret. A name that was added to a list does not.
_DETAIL: Final = 1 / 20
# What changed and correlates with the place, light on dark or dark on light, may be a second one. It is looked for in a reduced
# picture first, halved until its shorter side would have fewer pixels than this; what is likely there is looked at two halvings
# closer, by at least so much: on the closest scale, the next, the coarsest. Of 606 equal labels put anywhere on a phone's page,
# half of them as negatives, 590 are noticed (and 302 of the 303 that are none); 3 of 569 other labels are taken for one.
_COARSE_SIDE: Final = 7
_LIKELY: Final = (0.7, 0.5, 0.35)
# A second one of another size or in other colours is found by no comparison. Where something came up that could be one, the
# screen must be looked at anew: a word, a button, a dialog, a menu. A second one is at least so large, in shares of the first:
# in one interface the largest labels are about twice as high as the smallest, and thin samples miss a label's ends. What is as
# wide as the smallest menu, a share of the frame's shorter side, may hold one however long the first is.
_RIVAL: Final = 0.4
_MENU: Final = 1 / 4
_MOST_PEAKS: Final = 24
_MOST_AREAS: Final = 8

HoldsAnother = Callable[[Box, list[Box]], bool]
"""Whether a second one stands in those parts of the frame, other than the one at that box; True when nobody can say."""

_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class Patch:
    """
    What stood where on a frame of `size`: the place itself (`core`, where its ink is), the picture `pixels` of its
    surroundings `around`, and `sample`, a thin sample of the whole frame. Boxes in pixels of that frame.
    """

    size: Size
    core: Box
    around: Box
    pixels: Pixels
    sample: Pixels

    @classmethod
    def take(cls, screen: Screen, core: Box) -> Patch | None:
        """The surroundings of `core`; None where they would prove nothing: too plain, too large, not wholly on the frame."""
        if core.intersect(screen.box) != core or min(core.width, core.height) < LEAST_SIDE:
            return None
        around = _surroundings(core, screen.size)
        if around.area > _MOST_OF_FRAME * screen.box.area or float(_gray(screen.pixels, core).std()) < LEAST_CONTRAST:
            return None
        return cls(screen.size, core, around, _cut(screen.pixels, around).copy(), sample_of(screen))

    @property
    def bytes(self) -> int:
        """Memory that it takes."""
        return self.pixels.nbytes + self.sample.nbytes

    def find(
        self,
        screen: Screen,
        *,
        same_page: bool = False,
        another: Size | None = None,
        holds_another: HoldsAnother | None = None,
    ) -> tuple[Box | None, str]:
        """
        Where `core` stands on the frame now, and the evidence; (None, why not) unless that is certain.

        It is looked for in place, then nearby. `same_page` asks that nothing but details changed on the whole frame: for a
        place that was told from others by where it stood among them. `another` is the least size of a second one, where
        `core` does not tell it: the words on a wide control. Where something has come up that is large enough, `holds_another`
        is asked whether a second one is in it; without it nobody can say, and the answer is None.
        """
        if screen.size != self.size:
            return None, "the frame has another size"
        here = self.core if self._stands(screen, self.core) else None
        if here is None and same_page:
            return None, "its surroundings changed"
        if here is None:
            here = self._nearby(screen) or self._along_column(screen)
        if here is None:
            return None, "its surroundings changed"
        changed = self._changed(screen, here)
        share = float(changed.mean())
        if share > MOST_CHANGED or (same_page and not _is_detail(changed, self.size)):
            return None, f"{share:.1%} of the frame changed"
        changed[_samples(here)] = False  # its own place is no rival
        come_up = self._come_up(screen, changed, another)
        if come_up and (holds_another is None or holds_another(here, come_up)):
            return None, "something that may hold another one has come up"
        if self._has_rival(screen, here, changed) or self._has_follower(screen, here):
            return None, "something that looks like it has come up"
        moved = (here.left - self.core.left, here.top - self.core.top)
        return here, "in place" if moved == (0, 0) else f"moved by {moved[0]}, {moved[1]} px"

    def stands(self, screen: Screen) -> bool:
        """Whether `core` is where it was, whatever else there is on the frame."""
        return screen.size == self.size and self._stands(screen, self.core)

    def _stands(self, screen: Screen, core: Box) -> bool:
        """Whether all of the surroundings that are on the frame are as they were, with `core` in the middle."""
        dx, dy = core.left - self.core.left, core.top - self.core.top
        part = self.around.translate(dx, dy).intersect(screen.box)
        if part is None or core.intersect(part) != core:
            return False
        known = part.translate(-dx - self.around.left, -dy - self.around.top)
        return int(cv2.absdiff(_cut(screen.pixels, part), _cut(self.pixels, known)).max()) <= DRIFT

    def _nearby(self, screen: Screen) -> Box | None:
        """The one place within reach where it stands now; None when there is none, or more than one."""
        needle = _middle(self.core)
        wanted = _gray(self.pixels, needle.translate(-self.around.left, -self.around.top))
        if float(wanted.std()) < LEAST_CONTRAST:
            return None
        window = needle.expand(round(_REACH * min(self.size))).clip(self.size)
        distance = cv2.matchTemplate(_gray(screen.pixels, window), wanted, cv2.TM_SQDIFF)
        rows, columns = np.nonzero(distance <= wanted.size * DRIFT**2)
        best = np.argsort(distance[rows, columns])[:_MOST_AREAS]
        places = [
            self.core.translate(window.left + int(columns[at]) - needle.left, window.top + int(rows[at]) - needle.top)
            for at in best
        ]
        standing = [place for place in places if self._stands(screen, place)]
        return standing[0] if len(standing) == 1 else None

    def _along_column(self, screen: Screen) -> Box | None:
        """The one place straight above or below where it stands now: a list that was scrolled, sorted, or grew."""
        needle = _middle(self.core)
        known = _cut(self.pixels, needle.translate(-self.around.left, -self.around.top))[..., 1].astype(np.int16)
        told = int(np.argmax(known.std(axis=1)))  # the row of pixels that says most
        strip = screen.pixels[:, needle.left : needle.right, 1].astype(np.int16)
        rows = np.flatnonzero(np.abs(strip - known[told]).max(axis=1) <= DRIFT)
        if len(rows) > _MOST_ROWS:
            return None
        places = [self.core.translate(0, int(row) - told - needle.top) for row in rows]
        standing = [place for place in places if place.intersect(screen.box) == place and self._stands(screen, place)]
        return standing[0] if len(standing) == 1 else None

    def _changed(self, screen: Screen, here: Box) -> _Mask:
        """Where the frame shows, at the samples, neither what it showed nor what moved there together with the place."""
        changed = np.asarray(cv2.absdiff(sample_of(screen), self.sample) > _SAMPLE_DRIFT)
        dx, dy = here.left - self.core.left, here.top - self.core.top
        if (dx, dy) == (0, 0) or not changed.any():
            return changed
        down, right = _EVERY
        top, left = down // 2 + dy, right // 2 + dx  # where the first sample has moved to
        rows, columns = max(0, -(top // down)), max(0, -(left // right))  # samples that have left the frame
        moved = screen.pixels[top + rows * down :: down, left + columns * right :: right, 1]
        known = self.sample[rows : rows + moved.shape[0], columns : columns + moved.shape[1]]
        unlike = cv2.absdiff(np.ascontiguousarray(moved[: known.shape[0], : known.shape[1]]), known) > _SAMPLE_DRIFT
        at_row, at_column = max(0, rows + round(dy / down)), max(0, columns + round(dx / right))
        rest = changed[at_row : at_row + unlike.shape[0], at_column : at_column + unlike.shape[1]]
        rest &= unlike[: rest.shape[0], : rest.shape[1]]
        return changed

    def _has_rival(self, screen: Screen, here: Box, changed: _Mask) -> bool:
        """Whether one of the changed parts of the frame, but for `here`, shows something that looks like the place."""
        if not changed.any():
            return False
        core = _middle(self.core)
        wanted = _gray(self.pixels, core.translate(-self.around.left, -self.around.top))
        for area in _areas(changed, core, screen.size):
            gray = _gray(screen.pixels, area)
            own = here.intersect(area)
            if own is not None:
                _cut(gray, own.translate(-area.left, -area.top))[:] = 0
            if _is_in(gray, wanted):
                return True
        return False

    def _has_follower(self, screen: Screen, here: Box) -> bool:
        """Whether where it stood something like it stands again, which looks unchanged: the next row's button."""
        if here.intersect(self.core) is not None:
            return False
        core = _middle(self.core)
        wanted = _gray(self.pixels, core.translate(-self.around.left, -self.around.top))
        return _is_in(_gray(screen.pixels, core.expand(min(core.width, core.height) // 2).clip(screen.size)), wanted)

    def _come_up(self, screen: Screen, changed: _Mask, another: Size | None) -> list[Box]:
        """What came up on the frame, and is not merely gone, as far as it is as large as a smaller second one."""
        if not changed.any():
            return []
        core = Size(self.core.width, self.core.height)
        width, height = another or (_RIVAL * core.width, _RIVAL * core.height)
        shown = sample_of(screen)
        return [
            each
            for each in _spans(changed, core)
            if each.width >= min(width, _MENU * min(self.size))
            and each.height >= height
            and int(np.ptp(shown[_samples(each)])) > _SAMPLE_DRIFT
        ]


def sample_of(screen: Screen) -> Pixels:
    """A thin sample of the frame's green values, which are nearest to lightness: no pixel is converted for it."""
    down, right = _EVERY
    return np.ascontiguousarray(screen.pixels[down // 2 :: down, right // 2 :: right, 1])


def _samples(box: Box) -> tuple[slice, slice]:
    """The rows and columns of `sample_of` that lie in a box."""
    down, right = _EVERY
    return slice(box.top // down, -(-box.bottom // down)), slice(box.left // right, -(-box.right // right))


def sample_shape(size: Size) -> tuple[int, int]:
    """Height and width of `sample_of` a frame of that size."""
    down, right = _EVERY
    return len(range(down // 2, size.height, down)), len(range(right // 2, size.width, right))


def _surroundings(core: Box, size: Size) -> Box:
    shorter = min(size)
    margin = round(min(max(core.height / 2, _LEAST_MARGIN * shorter), _MOST_MARGIN * shorter))
    return Box(core.left - shorter, core.top - margin, core.right + shorter, core.bottom + margin).clip(size)


def _middle(core: Box) -> Box:
    """The part of a place by which it is looked for."""
    width, height = min(core.width, _NEEDLE.width), min(core.height, _NEEDLE.height)
    left, top = core.left + (core.width - width) // 2, core.top + (core.height - height) // 2
    return Box(left, top, left + width, top + height)


def _is_detail(changed: _Mask, size: Size) -> bool:
    """Whether all that changed fits in one small square."""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return True
    down, right = _EVERY
    most = _DETAIL * min(size)
    return bool((rows[-1] - rows[0]) * down <= most and (columns[-1] - columns[0]) * right <= most)


def _areas(changed: _Mask, core: Box, size: Size) -> list[Box]:
    """The changed parts of the frame, large enough to hold `core`; many small ones as one."""
    spans = _spans(changed, Size(core.width, core.height))
    if len(spans) > _MOST_AREAS:
        edges = np.array(spans)
        spans = [Box(*edges[:, :2].min(axis=0).tolist(), *edges[:, 2:].max(axis=0).tolist())]
    return [
        Box(x1 - core.width, y1 - core.height, x2 + core.width, y2 + core.height).clip(size) for x1, y1, x2, y2 in spans
    ]


def _spans(changed: _Mask, reach: Size) -> list[Box]:
    """The changed parts of the frame; what is no further apart than `reach` is large is one."""
    down, right = _EVERY
    around = np.ones((reach.height // down | 1, reach.width // right | 1), np.uint8)
    part = cv2.connectedComponents(cv2.dilate(changed.astype(np.uint8), around))[1][changed]
    if not len(part):
        return []
    order = np.argsort(part, kind="stable")
    starts = np.flatnonzero(np.diff(part[order], prepend=0))  # parts are numbered from 1
    edges = [
        end.reduceat(side[order], starts) for side in reversed(np.nonzero(changed)) for end in (np.minimum, np.maximum)
    ]
    return [
        Box(left * right, top * down, (last + 1) * right, (bottom + 1) * down)
        for left, last, top, bottom in zip(*(edge.tolist() for edge in edges), strict=True)
    ]


def _cut(pixels: Pixels, box: Box) -> Pixels:
    return pixels[box.top : box.bottom, box.left : box.right]


def _gray(pixels: Pixels, box: Box) -> Pixels:
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(_cut(pixels, box)), cv2.COLOR_RGB2GRAY), np.uint8)


def _is_in(gray: Pixels, wanted: Pixels) -> bool:
    """Whether `wanted`, or its negative, stands anywhere in `gray`: coarse places first, the likely ones closer and closer."""
    halvings = max(0, (min(wanted.shape) // _COARSE_SIDE).bit_length() - 1)
    scales = [(_halved(gray, times), _halved(wanted, times)) for times in range(max(0, halvings - 2), halvings + 1)]
    *closer, coarse = scales
    scores = likeness(*coarse)
    if scores is None:
        return False
    for _peak in range(_MOST_PEAKS):
        _low, score, _where, (column, row) = cv2.minMaxLoc(scores)
        if score < _LIKELY[len(closer)]:
            return False
        if _holds(closer, row, column):
            return True
        scores[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2] = 0
    return False


def _holds(scales: list[tuple[Pixels, Pixels]], row: int, column: int) -> bool:
    """Whether a place found on the scale above the last of `scales` looks like it on all of these too."""
    for place in reversed(range(len(scales))):
        gray, wanted = scales[place]
        (height, width), top, left = wanted.shape, max(0, 2 * row - 2), max(0, 2 * column - 2)
        scores = likeness(gray[top : top + height + 5, left : left + width + 5], wanted)
        if scores is None:
            return False
        _low, score, _where, (x, y) = cv2.minMaxLoc(scores)
        if score < _LIKELY[place]:
            return False
        row, column = top + y, left + x
    return True


def _halved(gray: Pixels, times: int) -> Pixels:
    """Half as wide and high, so many times over: OpenCV does exactly this quickly."""
    for _time in range(times):
        height, width = gray.shape[0] // 2, gray.shape[1] // 2
        even = gray[: height * 2, : width * 2]
        gray = np.asarray(cv2.resize(even, (max(1, width), max(1, height)), interpolation=cv2.INTER_AREA), np.uint8)
    return gray
