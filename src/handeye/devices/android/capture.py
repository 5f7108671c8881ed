"""
Choose the fastest capture method for a device: each is tried once, and the fastest that works is used from then on.

No order is right everywhere: raw frames (10 MB) are fastest over a fast link, gzip over USB 2, PNG over Wi-Fi; some
phones have no gzip, and some print a warning into the picture.
"""

from __future__ import annotations

import math
import secrets
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from handeye.clock import Deadline
from handeye.devices.android.link import Link
from handeye.devices.android.sync import pull_bytes
from handeye.devices.android.transport import device_connection
from handeye.errors import CaptureFailed, CommandFailed, DeviceError, DeviceOffline, InvalidImage
from handeye.geometry import Size
from handeye.screen import Pixels, Screen

# Decoding of `screencap` output.


PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Width, height, format; Android 9 added the colour space.
_HEADER_SIZES = (16, 12)
# A frame is a screen: if wider or higher than this, the header is garbage.
_MAX_SIDE = 16_384
# A warning such as "[Warning] Multiple displays were found" (Android 14) may precede the picture.
_MAX_PREFACE = 4096
# The end marker is 8 bytes before the end; some shells add a line break.
_MAX_TRAILER = 64


@dataclass(frozen=True, slots=True)
class PixelFormat:
    """A pixel format of AOSP's `graphics.h`: bytes per pixel and OpenCV's conversion to RGB (None: it is RGB)."""

    name: str
    bytes_per_pixel: int
    to_rgb: int | None


PIXEL_FORMATS = {
    1: PixelFormat("RGBA_8888", 4, cv2.COLOR_RGBA2RGB),
    2: PixelFormat("RGBX_8888", 4, cv2.COLOR_RGBA2RGB),
    3: PixelFormat("RGB_888", 3, None),
    # OpenCV names 16-bit formats from the lowest bits: Android's red, in the highest bits, is its "BGR565".
    4: PixelFormat("RGB_565", 2, cv2.COLOR_BGR5652RGB),
    5: PixelFormat("BGRA_8888", 4, cv2.COLOR_BGRA2RGB),
}


def decode_raw(content: bytes | bytearray | memoryview) -> Pixels:
    """
    Decode a raw `screencap` into RGB, shape (height, width, 3); the conversion makes the only copy.

    Raises CaptureFailed, which names the problem, if the length does not match the header exactly.
    """
    if len(content) < _HEADER_SIZES[-1]:
        raise CaptureFailed(f"{len(content)} bytes are too few for a raw frame: {_start(content)}")
    width, height, code = struct.unpack_from("<3I", content)
    pixel_format = PIXEL_FORMATS.get(code)
    if pixel_format is None or not (0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE):
        raise CaptureFailed(f"not the header of a raw frame (or a pixel format unknown here): {_start(content)}")
    size = width * height * pixel_format.bytes_per_pixel
    header = len(content) - size
    if header not in _HEADER_SIZES:
        raise CaptureFailed(
            f"a {width}x{height} {pixel_format.name} frame has {size} bytes and a header, but {len(content)} bytes came"
        )
    shape = (height, width, pixel_format.bytes_per_pixel)
    pixels = np.frombuffer(content, np.uint8, size, header).reshape(shape)
    if pixel_format.to_rgb is None:
        return pixels.copy()
    return np.asarray(cv2.cvtColor(pixels, pixel_format.to_rgb), np.uint8)


def decode_png(content: bytes | bytearray) -> Pixels:
    """Decode the output of `screencap -p` into RGB, shape (height, width, 3). Raises CaptureFailed."""
    start = content.find(PNG_SIGNATURE, 0, _MAX_PREFACE)
    if start < 0:
        raise CaptureFailed(f"not a PNG: {_start(content)}")
    if b"IEND" not in content[-_MAX_TRAILER:]:
        raise CaptureFailed(f"a PNG of {len(content)} bytes that is cut short")
    try:
        return Screen.from_bytes(bytes(content[start:])).pixels
    except InvalidImage as error:
        raise CaptureFailed(str(error)) from error


def _start(content: bytes | bytearray | memoryview) -> str:
    """Return the beginning of an answer that is not a picture: usually an error message."""
    words = bytes(content[:80]).decode("utf-8", "replace").strip()
    return repr(words) if words else "nothing came"


# The only folder that the shell user can write to on every Android version.
_TEMPORARY = "/data/local/tmp"
# Larger than a screen's raw frame can be (16K x 16K would be 1 GiB; phones are below 4K x 4K x 4): a decompression
# bomb.
_MAX_UNPACKED = 256 * 1024 * 1024
_GZIP_WINDOW = 31
# The first method starts cold, so it runs again if it took no longer than this: real phones take 0.2-0.7 s.
CHEAP_S = 0.75
# Share of a method's time that is reserved for deleting its temporary file.
_CLEANUP_SHARE = 0.1


LAST_UNTURNED_SDK = 24
"""Last SDK (Android 7.0) whose `screencap` ignores the rotation of the phone."""


def turned(pixels: Pixels, size: Size, rotation: int) -> Pixels:
    """
    Rotate an unrotated picture to `size`, after `rotation` quarter turns. A picture that already has that size was
    rotated by the manufacturer's `screencap`. Raises CaptureFailed if neither size matches.
    """
    shown = np.rot90(pixels, rotation)
    for picture in (pixels, shown) if rotation % 2 else (shown,):
        if (picture.shape[1], picture.shape[0]) == size:
            return np.ascontiguousarray(picture)
    raise CaptureFailed(
        f"the picture has {pixels.shape[1]}x{pixels.shape[0]} pixels, and the screen {size.width}x{size.height}"
    )


@dataclass(frozen=True, slots=True)
class CaptureMethod:
    """A capture method. `last_resort`: tried only if no other works, because it is never the fastest."""

    name: str
    take: Callable[[Link, Deadline, int], Pixels]
    last_resort: bool = False


def _command(panel: str) -> str:
    return f"screencap -d {panel}" if panel else "screencap"


def _raw(panel: str, link: Link, deadline: Deadline, expected: int) -> Pixels:
    return decode_raw(link.exec_out(f"{_command(panel)} 2>/dev/null", expected=expected, timeout_s=deadline.left))


def _raw_gzip(panel: str, link: Link, deadline: Deadline, expected: int) -> Pixels:
    packed = link.exec_out(f"{_command(panel)} 2>/dev/null | gzip -1", timeout_s=deadline.left)
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        frame = unpacker.decompress(packed, _MAX_UNPACKED)
    except zlib.error as error:
        raise CaptureFailed(f"not gzip ({error}): {bytes(packed[:80])!r}") from error
    if not unpacker.eof:
        raise CaptureFailed(f"the gzip stream is cut short, or larger than {_MAX_UNPACKED} bytes unpacked")
    return decode_raw(frame)


def _png(panel: str, link: Link, deadline: Deadline, expected: int) -> Pixels:
    return decode_png(link.exec_out(f"{_command(panel)} -p 2>/dev/null", timeout_s=deadline.left))


def _file(panel: str, link: Link, deadline: Deadline, expected: int) -> Pixels:
    path = f"{_TEMPORARY}/handeye-{secrets.token_hex(4)}.png"

    def pull(deadline: Deadline) -> bytes:
        with device_connection(link.server, link.serial, deadline) as connection:
            return pull_bytes(connection, path)

    taking = deadline.at_most(deadline.left * (1 - _CLEANUP_SHARE))
    try:
        made = link.shell(*_command(panel).split(), "-p", path, repeat=True, timeout_s=taking.left)
        if made.exit_code:
            raise CaptureFailed(f"screencap ended with exit code {made.exit_code}: {made.said.strip()[:200]!r}")
        return decode_png(link.call(pull, repeat=True, what="pull", timeout_s=taking.left))
    finally:
        link.shell("rm", "-f", path, repeat=True, timeout_s=deadline.left)


def methods_of(panel: str) -> tuple[CaptureMethod, ...]:
    """Return the capture methods for a display, by its physical id; "" means the only display."""
    return (
        CaptureMethod("raw", partial(_raw, panel)),
        CaptureMethod("raw+gzip", partial(_raw_gzip, panel)),
        CaptureMethod("PNG", partial(_png, panel)),
        CaptureMethod("file+pull", partial(_file, panel), last_resort=True),
    )


METHODS = methods_of("")


class Capture:
    """Captures frames of one device with the method that proved fastest. `note` describes the choice and the reason."""

    def __init__(self, link: Link, methods: tuple[CaptureMethod, ...] = METHODS) -> None:
        self._link = link
        self._methods = methods
        self._chosen: CaptureMethod | None = None
        self._expected = 0
        self.note = "no picture was taken yet"

    @property
    def method(self) -> str | None:
        """Name of the chosen method, or None before the first picture."""
        return self._chosen.name if self._chosen else None

    def take(self) -> Pixels:
        """
        Capture one frame, RGB of shape (height, width, 3). Raises CaptureFailed, with each reason, if no method works.

        If the chosen method fails, all are tried again. All together take no longer than the link's timeout.
        """
        deadline = Deadline(self._link.clock, self._link.timeout_s)
        if self._chosen is not None:
            try:
                return self._keep_size(self._chosen.take(self._link, deadline, self._expected))
            except (CaptureFailed, CommandFailed):
                self._chosen = None
        return self._race(deadline)

    def _race(self, deadline: Deadline) -> Pixels:
        times: dict[CaptureMethod, float] = {}
        failures: dict[CaptureMethod, DeviceError] = {}
        newest: Pixels | None = None
        for method in self._candidates(times):
            began = self._link.clock.now()
            half = deadline.at_most(deadline.left / 2)  # a method that hangs leaves time for the others
            try:
                newest = self._keep_size(method.take(self._link, half, self._expected))
            except (CaptureFailed, CommandFailed, DeviceOffline) as error:  # a method that hangs counts as failed
                failures[method] = error
                times.pop(method, None)
                continue
            times[method] = min(self._link.clock.now() - began, times.get(method, math.inf))
        if newest is None or not times:
            raise self._all_failed(failures, deadline)
        self._chosen = min(times, key=times.__getitem__)
        self.note = _note(self._chosen, times, failures)
        return newest

    def _candidates(self, times: dict[CaptureMethod, float]) -> Iterator[CaptureMethod]:
        """
        Yield each method once; the first again if that is cheap, as it started cold. Last resorts only if nothing
        worked.
        """
        swift = [method for method in self._methods if not method.last_resort]
        yield from swift
        if times.get(swift[0], math.inf) < CHEAP_S:
            yield swift[0]
        if not times:
            yield from (method for method in self._methods if method.last_resort)

    def _keep_size(self, pixels: Pixels) -> Pixels:
        height, width = pixels.shape[:2]
        self._expected = height * width * 4 + 16  # lets the next raw frame be received into one buffer
        return pixels

    def _all_failed(self, failures: dict[CaptureMethod, DeviceError], deadline: Deadline) -> DeviceError:
        """Build the error from the methods' reasons and the command's error output, which is kept out of the picture."""
        if all(isinstance(error, DeviceOffline) for error in failures.values()):
            return next(iter(failures.values()))
        try:
            line = "screencap -p >/dev/null"
            said = self._link.shell_line(line, repeat=True, timeout_s=deadline.left).said.strip()[:200]
        except DeviceError as error:
            said = str(error)
        reasons = "; ".join(f"{method.name}: {error}" for method, error in failures.items())
        return CaptureFailed(
            f"no picture of {self._link.serial} could be taken. screencap says: {said!r}. Tried {reasons}. "
            "Is the phone unlocked, and does the app in front allow screenshots?"
        )


def _note(best: CaptureMethod, times: dict[CaptureMethod, float], failures: dict[CaptureMethod, DeviceError]) -> str:
    parts = [f"{method.name} {seconds * 1000:.0f} ms" for method, seconds in times.items()]
    parts += [f"{method.name} failed ({reason})" for method, reason in failures.items()]
    return f"{best.name} is the fastest that works: {', '.join(parts)}"
