"""Tests of Screen: frames from image files and bytes, and conversion from pixels to input points."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ExifTags, Image, ImageOps

from handeye.errors import InvalidImage
from handeye.geometry import Box, Point, Size
from handeye.screen import InputPoint, Screen


def encoded(image: Image.Image, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize(
    ("mode", "colour", "kind"),
    [
        ("RGB", (200, 30, 30), "PNG"),
        ("RGBA", (200, 30, 30, 255), "PNG"),
        ("P", 1, "PNG"),
        ("L", 77, "PNG"),
        ("1", 1, "PNG"),
        ("I;16", 30000, "PNG"),
        ("CMYK", (0, 200, 200, 0), "JPEG"),
        ("RGB", (200, 30, 30), "WEBP"),
    ],
)
def test_every_image_mode_becomes_rgb(mode: str, colour: int, kind: str) -> None:
    screen = Screen.from_bytes(encoded(Image.new(mode, (30, 20), colour), kind))
    assert screen.size == Size(30, 20)
    assert screen.pixels.shape == (20, 30, 3)
    assert screen.gray.shape == (20, 30)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparent_pixels_become_white(mode: str) -> None:
    image = Image.new("RGBA", (20, 10), (0, 0, 0, 0))
    image.paste((0, 0, 0, 255), (0, 0, 5, 10))
    stored = io.BytesIO()
    image.convert(mode).save(stored, "PNG")
    pixels = Screen.from_bytes(stored.getvalue()).pixels
    assert (pixels[:, :5] == 0).all()
    assert (pixels[:, 5:] == 255).all()


def test_sixteen_bits_keep_their_brightness() -> None:
    screen = Screen.from_bytes(encoded(Image.new("I;16", (4, 4), 32768)))
    assert abs(int(screen.pixels[0, 0, 0]) - 128) <= 1


@pytest.mark.parametrize("cut", [0, 1, 8, 20, 60])
def test_truncated_bytes_are_an_error(cut: int) -> None:
    with pytest.raises(InvalidImage):
        Screen.from_bytes(encoded(Image.effect_noise((64, 64), 80))[:cut])


@given(st.binary(max_size=200))
def test_random_bytes_raise_invalid_image(data: bytes) -> None:
    with pytest.raises(InvalidImage):
        Screen.from_bytes(data)


def test_missing_or_invalid_image_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidImage, match="nothing"):
        Screen.open(tmp_path / "nothing.png")
    (tmp_path / "text.png").write_text("hello")
    with pytest.raises(InvalidImage, match="text"):
        Screen.open(tmp_path / "text.png")
    with pytest.raises(InvalidImage):
        Screen.open(tmp_path)


@pytest.mark.parametrize("shape", [(0, 5, 3), (5, 0, 3), (5, 5), (5, 5, 4)])
def test_array_of_wrong_shape_raises_invalid_image(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidImage):
        Screen(np.zeros(shape, dtype=np.uint8))


def test_frame_pixels_are_read_only() -> None:
    screen = Screen(np.zeros((4, 4, 3), dtype=np.uint8))
    with pytest.raises(ValueError, match="read-only"):
        screen.pixels[0, 0] = 1


def test_reversed_channel_view_is_copied() -> None:
    bgr = np.random.default_rng(1).integers(0, 255, (9, 7, 3), dtype=np.uint8)
    screen = Screen(bgr[:, :, ::-1])
    assert screen.pixels.flags.c_contiguous
    assert (screen.pixels == bgr[:, :, ::-1]).all()
    assert bgr.flags.writeable


def test_gray_image_is_luma() -> None:
    pixels = np.zeros((1, 3, 3), dtype=np.uint8)
    pixels[0, 0], pixels[0, 1], pixels[0, 2] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    assert [abs(int(value) - want) <= 1 for value, want in zip(Screen(pixels).gray[0], (76, 149, 29), strict=True)]


@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from([1, 2, 3, 4, 6, 8]))
def test_reduced_frame_holds_block_averages(width: int, height: int, factor: int) -> None:
    pixels = np.random.default_rng(width * height).integers(0, 255, (height, width, 3), dtype=np.uint8)
    screen = Screen(pixels)
    small = screen.reduced(factor)
    assert small.shape == (-(-height // factor), -(-width // factor))
    whole = screen.gray[: height // factor * factor, : width // factor * factor].astype(float)
    means = whole.reshape(height // factor, factor, width // factor, factor).mean(axis=(1, 3))
    assert np.abs(small[: means.shape[0], : means.shape[1]] - means).max(initial=0) <= 2
    assert screen.reduced(factor) is small  # computed once


def test_only_equal_frames_have_equal_digests() -> None:
    one, same, other = (Screen(np.full((8, 8, 3), shade, dtype=np.uint8)) for shade in (5, 5, 6))
    assert one.digest == same.digest != other.digest


def test_released_frame_recomputes_derived_images() -> None:
    screen = Screen(np.full((8, 8, 3), 90, dtype=np.uint8))
    before, small = screen.gray, screen.reduced(2)
    screen.release()
    assert screen.gray is not before
    assert (screen.gray == before).all()
    assert (screen.reduced(2) == small).all()
    assert screen.image.size == (8, 8)


@given(
    st.floats(0.5, 4),
    st.floats(-4000, 4000),
    st.integers(0, 90),
    st.integers(0, 40),
)
def test_crop_maps_to_the_same_input_points(scale: float, origin: float, x: int, y: int) -> None:
    screen = Screen(np.zeros((50, 100, 3), dtype=np.uint8), pixels_per_unit=scale, origin=InputPoint(origin, 7.0))
    part = screen.crop(Box(x, y, 100, 50))
    assert part.to_input(Point(0, 0)) == pytest.approx(screen.to_input(Point(x, y)))
    assert part.size == Size(100 - x, 50 - y)


def test_png_round_trip() -> None:
    screen = Screen(np.random.default_rng(1).integers(0, 255, (20, 30, 3), dtype=np.uint8))
    assert (Screen.from_bytes(screen.to_png()).pixels == screen.pixels).all()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(orientation: int, tmp_path: Path) -> None:
    """Pillow's own transposition is the reference for the eight EXIF orientations."""
    image = Image.new("RGB", (40, 24), "white")
    image.paste((200, 0, 0), (0, 0, 8, 8))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    path = tmp_path / "photo.png"
    image.save(path, exif=exif)
    with Image.open(path) as stored:
        upright = np.asarray(ImageOps.exif_transpose(stored))
    assert (Screen.open(path).pixels == upright).all()
    assert (Screen.from_bytes(path.read_bytes()).pixels == upright).all()
    assert Screen.open(path).size == ((40, 24) if orientation < 5 else (24, 40))


@given(st.binary(max_size=60))
def test_image_with_damaged_exif_is_accepted(data: bytes) -> None:
    out = io.BytesIO()
    Image.new("RGB", (6, 4)).save(out, "JPEG", exif=b"Exif\0\0" + data)
    assert Screen.from_bytes(out.getvalue()).size == (6, 4)
