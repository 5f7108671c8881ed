"""Tests of decoding raw frames of every format, and of refusing invalid data."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from handeye.devices.android.capture import decode_png, decode_raw
from handeye.errors import CaptureFailed

# Two rows of three: red, green, blue; white, black, and a colour whose channels all differ.
PICTURE = np.array(
    [[[255, 0, 0], [0, 255, 0], [0, 0, 255]], [[255, 255, 255], [0, 0, 0], [200, 100, 48]]], dtype=np.uint8
)


def frame(code: int, body: bytes, *, header: int = 16) -> bytes:
    return struct.pack("<3I", 3, 2, code) + b"\1\0\0\0"[: header - 12] + body


def with_alpha(picture: np.ndarray, alpha: int = 255) -> np.ndarray:
    return np.concatenate([picture, np.full((2, 3, 1), alpha, np.uint8)], axis=2)


BODIES = {
    1: with_alpha(PICTURE).tobytes(),
    2: with_alpha(PICTURE, 0).tobytes(),
    3: PICTURE.tobytes(),
    5: with_alpha(PICTURE[:, :, ::-1]).tobytes(),
}


@pytest.mark.parametrize("header", [12, 16])
@pytest.mark.parametrize("code", sorted(BODIES))
def test_a_frame_of_eight_bits_is_decoded_exactly(code: int, header: int) -> None:
    pixels = decode_raw(frame(code, BODIES[code], header=header))
    assert np.array_equal(pixels, PICTURE)
    assert pixels.flags.c_contiguous


@pytest.mark.parametrize("header", [12, 16])
def test_rgb_565_keeps_the_order_of_its_channels(header: int) -> None:
    words = [(int(r) >> 3) << 11 | (int(g) >> 2) << 5 | int(b) >> 3 for r, g, b in PICTURE.reshape(-1, 3)]
    pixels = decode_raw(frame(4, struct.pack("<6H", *words), header=header))
    assert np.abs(pixels.astype(int) - PICTURE).max() <= 8  # five bits of red and blue


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"screencap: permission denied\n",
        frame(1, BODIES[1][:-1]),
        frame(1, BODIES[1] + b"\r\n"),
        frame(99, BODIES[1]),
        struct.pack("<4I", 0, 2, 1, 0),
        struct.pack("<4I", 0xFFFFFFFF, 0xFFFFFFFF, 1, 0) + b"\0" * 64,
        struct.pack("<4I", 1080, 2400, 1, 0),
    ],
)
def test_invalid_raw_frame_is_refused(content: bytes) -> None:
    with pytest.raises(CaptureFailed):
        decode_raw(content)


def test_a_refusal_quotes_what_the_phone_said() -> None:
    with pytest.raises(CaptureFailed, match="permission denied"):
        decode_raw(b"screencap: permission denied\n")


def test_black_frame_is_accepted() -> None:
    assert not decode_raw(frame(1, b"\0\0\0\xff" * 6)).any()


def png() -> bytes:
    out = io.BytesIO()
    Image.fromarray(PICTURE).save(out, "PNG")
    return out.getvalue()


def test_png_after_a_warning_is_decoded() -> None:
    warned = b"[Warning] Multiple displays were found, but no display id was specified!\n" + png()
    assert np.array_equal(decode_png(warned), PICTURE)


@pytest.mark.parametrize("content", [b"", b"Killed\n", png()[:-20], png().replace(b"\n", b"\r\n")])
def test_a_broken_png_is_refused(content: bytes) -> None:
    with pytest.raises(CaptureFailed):
        decode_png(content)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_decoded_or_refused(content: bytes) -> None:
    for decode in (decode_raw, decode_png):
        try:
            pixels = decode(content)
        except CaptureFailed:
            continue
        assert pixels.ndim == 3
        assert pixels.shape[2] == 3
