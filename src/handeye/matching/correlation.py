"""
Normalised correlation of one picture with every position of another, through Fourier transforms that are computed once.
"""

from __future__ import annotations

import math
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.screen import Pixels

Floats = npt.NDArray[np.float32]
Sums = npt.NDArray[Any]

# Standard deviation (0-255) below which a window counts as flat: noise must not be amplified to a pattern.
_FLAT: Final = 3.0
# Mid-gray, which is subtracted: small values keep the transform of the squares exact in single precision.
_MIDDLE: Final = 128.0
# A larger correlation results from a division by zero; rounding errors exceed 1 by less.
_ROUNDED: Final = 1.001
# Number of pixels of 0-255 whose sum always fits in 32 bits.
_MOST_SUMMED: Final = (2**31 - 1) // 255


class CorrelationBuffers:
    """Buffers for one thread: new arrays for every scale would cost as much time as the arithmetic."""

    def __init__(self, shape: tuple[int, ...], sums: npt.DTypeLike) -> None:
        self.kernel, self.product, self.found = (np.empty(shape, np.float32) for _ in range(3))
        self.spread, self.of_mean = (np.empty(shape, np.float32) for _ in range(2))
        self.sums, self.squares = np.empty(shape, sums), np.empty(shape, np.float64)

    def transform(self, kernel: Floats) -> Floats:
        """Return the Fourier transform of a kernel, zero-padded to the right and below."""
        self.kernel.fill(0)
        self.kernel[: kernel.shape[0], : kernel.shape[1]] = kernel
        return np.asarray(cv2.dft(self.kernel, dst=self.kernel), np.float32)

    def against(self, spectrum: Floats, transformed: Floats) -> Floats:
        """Return the circular correlation of the plane with that spectrum and a transformed kernel."""
        product = cv2.mulSpectrums(spectrum, transformed, 0, c=self.product, conjB=True)
        flags = cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT
        return np.asarray(cv2.dft(product, dst=self.found, flags=flags), np.float32)


class FramePlane:
    """Values 0-255 of one picture, shape (height, width), prepared to search other pictures in it."""

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = pixels
        height, width = pixels.shape
        # Zero-padded at the right and bottom: a length with large prime factors takes up to five times as long.
        self._values = np.zeros((cv2.getOptimalDFTSize(height), cv2.getOptimalDFTSize(width)), np.float32)
        np.subtract(pixels, _MIDDLE, out=self._values[:height, :width], dtype=np.float32)
        self._spectrum: Floats | None = None
        self._square_spectrum: Floats | None = None
        self._integrals: tuple[Sums, Sums] | None = None

    def part(self, left: int, top: int, right: int, bottom: int) -> FramePlane:
        """Return the plane of a part; this plane itself if the part is all of it."""
        height, width = self.pixels.shape
        if (left, top) == (0, 0) and right >= width and bottom >= height:
            return self
        return FramePlane(self.pixels[top:bottom, left:right])

    def prepare(self, masked: bool) -> None:
        """Compute what all searches share, before several threads need it."""
        self._transform()
        if masked:
            self._transform_of_squares()
        else:
            self._summed()

    def new_buffers(self) -> CorrelationBuffers:
        """Return buffers for `correlate`. Each thread needs its own."""
        return CorrelationBuffers(self._values.shape, np.int32 if self.pixels.size <= _MOST_SUMMED else np.float64)

    def correlate(self, small: Pixels, mask: Pixels | None, desk: CorrelationBuffers | None = None) -> Floats:
        """
        Return the normalised correlation (zero mean) of `small` at each position where it fits, shape (height, width).

        Like cv2.matchTemplate's TM_CCOEFF_NORMED, without the pixels whose mask is zero; flat positions are 0. With a
        `desk`, the result is a view of its buffers and valid until the next call.
        """
        desk = desk or self.new_buffers()
        counting = None if mask is None else (mask > 0).astype(np.float32)
        wanted, count, strength = _centred(small, counting)
        fits = slice(self.pixels.shape[0] - small.shape[0] + 1), slice(self.pixels.shape[1] - small.shape[1] + 1)
        if strength < 1.0:
            return np.zeros_like(desk.found[fits])
        sums, squares = (
            self._window_sums(small.shape, fits, desk) if counting is None else self._sums(counting, fits, desk)
        )
        of_mean, spread = desk.of_mean[fits], desk.spread[fits]
        cv2.multiply(sums, sums, dst=of_mean, scale=1 / count, dtype=cv2.CV_32F)
        np.copyto(spread, squares, casting="same_kind")
        cv2.subtract(spread, of_mean, dst=spread)
        cv2.max(spread, count * _FLAT * _FLAT, dst=spread)  # type: ignore[call-overload]  # accepts a number, too
        cv2.sqrt(spread, dst=spread)
        found = desk.against(self._transform(), desk.transform(wanted))[fits]
        return np.asarray(cv2.divide(found, spread, dst=found, scale=1 / strength), np.float32)

    def _window_sums(
        self, window: tuple[int, ...], fits: tuple[slice, slice], desk: CorrelationBuffers
    ) -> tuple[Sums, Sums]:
        """Return the sum and the sum of squares of each window of that shape."""
        height, width = window
        room = desk.sums[fits], desk.squares[fits]
        for integral, each in zip(self._summed(), room, strict=True):
            cv2.subtract(integral[height:, width:], integral[:-height, width:], dst=each)
            cv2.subtract(each, integral[height:, :-width], dst=each)
            cv2.add(each, integral[:-height, :-width], dst=each)
        return room

    def _sums(self, counting: Floats, fits: tuple[slice, slice], desk: CorrelationBuffers) -> tuple[Sums, Sums]:
        """Return the same for the counting pixels of each window, relative to mid-gray."""
        transformed = desk.transform(counting)
        sums = desk.against(self._transform(), transformed)[fits].copy()
        return sums, desk.against(self._transform_of_squares(), transformed)[fits]

    def _summed(self) -> tuple[Sums, Sums]:
        if self._integrals is None:
            depth = cv2.CV_32S if self.pixels.size <= _MOST_SUMMED else cv2.CV_64F
            sums, squares = cv2.integral2(np.ascontiguousarray(self.pixels), sdepth=depth, sqdepth=cv2.CV_64F)
            self._integrals = np.asarray(sums), np.asarray(squares)
        return self._integrals

    def _transform(self) -> Floats:
        if self._spectrum is None:
            self._spectrum = np.asarray(cv2.dft(self._values), np.float32)
        return self._spectrum

    def _transform_of_squares(self) -> Floats:
        if self._square_spectrum is None:
            self._square_spectrum = np.asarray(cv2.dft(self._values * self._values), np.float32)
        return self._square_spectrum


def normalised_correlation(gray: Pixels, wanted: Pixels) -> Floats | None:
    """Return the absolute correlation (0-1) of `wanted` at each position of a small picture; None if it does not fit."""
    if gray.shape[0] < wanted.shape[0] or gray.shape[1] < wanted.shape[1]:
        return None
    scores = np.abs(cv2.matchTemplate(gray, wanted, cv2.TM_CCOEFF_NORMED))
    scores[~(scores <= _ROUNDED)] = 0  # flat positions: division by zero
    return np.asarray(scores, np.float32)


def _centred(small: Pixels, counting: Floats | None) -> tuple[Floats, float, float]:
    """
    Return the values minus their mean (0 where they do not count), the number that count, and the root of the sum of their
    squares.
    """
    if counting is None:
        mean, deviation = cv2.meanStdDev(small)
        wanted = np.subtract(small, float(mean[0, 0]), dtype=np.float32)
        return wanted, float(small.size), float(deviation[0, 0]) * math.sqrt(small.size)
    count = max(1.0, float(counting.sum()))
    wanted = small.astype(np.float32)
    wanted = (wanted - np.float32((wanted * counting).sum() / count)) * counting
    return wanted, count, float(np.sqrt((wanted * wanted).sum()))
