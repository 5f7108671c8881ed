"""The coarse search: one picture at many scales over a whole reduced frame, through one Fourier transform of that frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from handeye.screen import Pixels, Screen, averaged

Kind = Literal["gray", "edges"]
T = TypeVar("T")
Floats = npt.NDArray[np.float32]

# Deviation of the values, 0-255, below which a window counts as flat: noise must not be blown up to a pattern.
_FLAT: Final = 3.0
# Mid-gray: what is left is small, which keeps the transform of the squares exact in single precision.
_MIDDLE: Final = 128.0
_WORTH_A_THREAD: Final = 4  # scales; starting a thread takes a tenth of a millisecond, a scale about one
_SQUARE: Final = np.ones((3, 3), np.uint8)


def outline(gray: Pixels) -> Pixels:
    """How much the gray values differ around each pixel, 0-255: the same for light on dark as for dark on light."""
    return np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, _SQUARE), np.uint8)


def _on_two_cores(work: Callable[[float], T], scales: Sequence[float]) -> list[T]:
    """The work for each scale, every second one in another thread: it is nearly all inside OpenCV, which lets others run."""
    if len(scales) < _WORTH_A_THREAD:
        return [work(scale) for scale in scales]
    with ThreadPoolExecutor(1) as other:
        half = other.map(work, scales[1::2])
        own = [work(scale) for scale in scales[::2]]
        return [*own, *half]


def soft(pixels: Pixels) -> Pixels:
    """
    Slightly blurred (binomial, 3x3).

    Averages of squares depend on where the grid lies, and thin strokes half a pixel further look like others: of 27 equal
    checkboxes and stars on a real page 12 were found without this, 26 with it.
    """
    return np.asarray(cv2.GaussianBlur(pixels, (3, 3), 0, borderType=cv2.BORDER_REPLICATE), np.uint8)


@dataclass(frozen=True, slots=True)
class Hit:
    """A place on a reduced frame: the corner and size in its pixels, the picture's scale, the correlation -1 to 1."""

    left: int
    top: int
    width: int
    height: int
    scale: float
    score: float


class Plane:
    """Gray values or outlines of one reduced frame, ready to be searched."""

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = pixels
        self._values = pixels.astype(np.float32) - np.float32(_MIDDLE)
        self._spectrum: Floats | None = None
        self._square_spectrum: Floats | None = None

    def part(self, left: int, top: int, right: int, bottom: int) -> Plane:
        """The plane of a part; itself when that is all."""
        height, width = self.pixels.shape
        if (left, top) == (0, 0) and right >= width and bottom >= height:
            return self
        return Plane(self.pixels[top:bottom, left:right])

    def correlate(self, small: Pixels, mask: Pixels | None) -> Floats:
        """
        The normalised correlation (zero mean) of `small` at each place where it fits, shape (height, width).

        As cv2.matchTemplate's TM_CCOEFF_NORMED, with the mask's zeros left out; flat places are 0.
        """
        height, width = small.shape
        rows, columns = self._values.shape[0] - height + 1, self._values.shape[1] - width + 1
        counting = np.ones(small.shape, np.float32) if mask is None else (mask > 0).astype(np.float32)
        count = float(counting.sum())
        wanted = small.astype(np.float32)
        wanted = (wanted - np.float32((wanted * counting).sum() / max(count, 1.0))) * counting
        strength = float(np.sqrt((wanted * wanted).sum()))
        if strength < 1.0 or count < 1.0:
            return np.zeros((rows, columns), np.float32)
        found = self._against(wanted)[:rows, :columns]
        sums, squares = self._sums(counting if mask is not None else None, width, height)
        spread = squares[:rows, :columns] - sums[:rows, :columns] * sums[:rows, :columns] * np.float32(1 / count)
        np.maximum(spread, np.float32(count * _FLAT * _FLAT), out=spread)
        np.sqrt(spread, out=spread)
        return np.asarray(found / (spread * np.float32(strength)), np.float32)

    def _sums(self, counting: Floats | None, width: int, height: int) -> tuple[Floats, Floats]:
        """Sum and sum of squares of the counting pixels of each window."""
        if counting is not None:
            return self._against(counting), self._against(counting, squares=True)
        box = (width, height)
        sums = cv2.boxFilter(self._values, -1, box, anchor=(0, 0), normalize=False, borderType=cv2.BORDER_REPLICATE)
        squares = cv2.sqrBoxFilter(
            self._values, -1, box, anchor=(0, 0), normalize=False, borderType=cv2.BORDER_REPLICATE
        )
        return np.asarray(sums, np.float32), np.asarray(squares, np.float32)

    def _against(self, kernel: Floats, *, squares: bool = False) -> Floats:
        """The correlation with `kernel` at each place; the last ones, where it does not fit, wrap around."""
        padded = np.zeros_like(self._values)
        padded[: kernel.shape[0], : kernel.shape[1]] = kernel
        product = cv2.mulSpectrums(self._transformed(squares), cv2.dft(padded), 0, conjB=True)
        return np.asarray(cv2.idft(product, flags=cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT), np.float32)

    def prepare(self, masked: bool) -> None:
        """Make what all scales share, before several threads ask for it."""
        self._transformed(False)
        if masked:
            self._transformed(True)

    def _transformed(self, squares: bool) -> Floats:
        if squares:
            if self._square_spectrum is None:
                self._square_spectrum = np.asarray(cv2.dft(self._values * self._values), np.float32)
            return self._square_spectrum
        if self._spectrum is None:
            self._spectrum = np.asarray(cv2.dft(self._values), np.float32)
        return self._spectrum

    def sweep(
        self, picture: Pixels, mask: Pixels | None, factor: int, scales: Sequence[float], *, softly: bool
    ) -> ScaleMaps:
        """
        The correlation at every place and each of `scales` of a picture that the frame shows `factor` times smaller.

        `softly` when the plane is soft.
        """
        maps = ScaleMaps(self.pixels.shape)

        def correlated(scale: float) -> tuple[float, int, int, Floats] | None:
            width, height = round(picture.shape[1] * scale / factor), round(picture.shape[0] * scale / factor)
            if min(width, height) < LEAST_COARSE or height > maps.rows or width > maps.columns:
                return None
            small, small_mask = resized(picture, mask, width, height)
            return scale, width, height, self.correlate(soft(small) if softly else small, small_mask)

        self.prepare(mask is not None)
        for found in _on_two_cores(correlated, scales):
            if found:
                maps.add(*found)
        return maps


class ScaleMaps:
    """Correlations of one picture at several scales over one plane, compared by the middles of the windows."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.rows, self.columns = shape[0], shape[1]
        self._best = np.full((self.rows, self.columns), -1.0, np.float32)
        self._maps: list[tuple[float, int, int, Floats]] = []

    def add(self, scale: float, width: int, height: int, scores: Floats) -> None:
        """Takes in the correlations at one scale, at which the picture has that size."""
        self._maps.append((scale, width, height, scores))
        top, left = height // 2, width // 2
        part = self._best[top : top + scores.shape[0], left : left + scores.shape[1]]
        np.maximum(part, scores, out=part)

    def tops(self, most: int) -> list[Hit]:
        """The strongest places whatever the scale, best first: local maxima over the smallest size, at most `most`."""
        if not self._maps:
            return []
        _scale, width, height, _scores = min(self._maps)
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
        """The best score with the window's middle within a pixel of (x, y), at any scale."""
        part = self._best[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
        return float(part.max(initial=-1.0))

    def _hit(self, row: int, column: int) -> Hit:
        best = Hit(column, row, 0, 0, 1.0, -2.0)
        for scale, width, height, scores in self._maps:
            top, left = row - height // 2, column - width // 2
            inside = 0 <= top < scores.shape[0] and 0 <= left < scores.shape[1]
            if inside and scores[top, left] > best.score:
                best = Hit(left, top, width, height, scale, float(scores[top, left]))
        return best


# A picture that is reduced to fewer pixels than this is nothing that could be recognised.
LEAST_COARSE: Final = 4
# Covered icons had 0.37 and more in the calibration scenes, on the level where their shorter side has 16 pixels.
COARSE_FLOOR: Final = 0.35


def resized(picture: Pixels, mask: Pixels | None, width: int, height: int) -> tuple[Pixels, Pixels | None]:
    """The picture and its mask in another size."""
    how = cv2.INTER_AREA if width < picture.shape[1] else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(picture, (width, height), interpolation=how), np.uint8)
    if mask is None:
        return small, None
    return small, np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def plane_of(screen: Screen, kind: Kind, factor: int, *, softly: bool = False) -> Plane:
    """The frame's gray values or outlines, `factor` times smaller; kept as long as the screen is, unless it is released."""
    name = f"{'soft ' if softly else ''}{kind} plane"
    known: Plane | None = screen.derived.get((name, factor))
    if known is None:
        pixels = _reduced(screen, kind, factor)
        known = screen.derived[name, factor] = Plane(soft(pixels) if softly else pixels)
    return known


def _reduced(screen: Screen, kind: Kind, factor: int) -> Pixels:
    if kind == "gray":
        return screen.reduced(factor)
    base = outline_base(factor)
    return averaged(outline(screen.reduced(base)), factor // base)


def outline_base(factor: int) -> int:
    """From which reduced size the outlines of a factor come: a quarter of the pixels, and found as well."""
    return 2 if factor % 2 == 0 else 1
