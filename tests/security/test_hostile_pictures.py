"""Tests of hostile pictures: bounded memory and time, no other program started, one kind of error."""

from __future__ import annotations

import io
import os
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from typer.testing import CliRunner

from handeye.apps import AssetsManager
from handeye.cli.app import app
from handeye.errors import InvalidImage, InvalidReference, SearchTimedOut
from handeye.locate import VisualLocator, find_all
from handeye.matching import Reference
from handeye.ocr import PaddleReader
from handeye.picture_files import FORMATS, MAX_PIXELS
from handeye.screen import Screen
from handeye.time_limit import time_limit

# In a process of its own, so that its memory can be told.
MEASURED = """
import resource, sys
from handeye.errors import HandeyeError
from handeye.screen import Screen
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    try:
        print("read", Screen.open(path).size)
    except HandeyeError as error:
        print(type(error).__name__, str(error)[:300].replace(chr(10), " "))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def measured(*paths: Path) -> tuple[list[str], int]:
    """The outcome of each picture, and the growth of the memory in MB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *map(str, paths)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    *lines, grown = done.stdout.splitlines()
    return lines, int(grown) >> 10


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *more: bytes, bits: int = 8, colour: int = 0) -> bytes:
    """A PNG of one colour, as small as it can be; `more` chunks stand before the pixels."""
    samples = {0: 1, 2: 3, 6: 4}[colour]
    row = bytes(1 + width * samples * bits // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    chunks = (chunk(b"IHDR", header), *more, chunk(b"IDAT", packed), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def picture(size: tuple[int, int] = (60, 40)) -> Image.Image:
    made = Image.linear_gradient("L").resize(size).convert("RGB")
    ImageDraw.Draw(made).rectangle((5, 5, 20, 20), "red")
    return made


def encoded(kind: str, made: Image.Image | None = None) -> bytes:
    out = io.BytesIO()
    (made or picture()).save(out, kind)
    return out.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="resource is not there")
def test_decompression_bomb_is_refused_by_its_header(tmp_path: Path) -> None:
    bombs = []
    for number, made in enumerate(
        (
            png(16_000, 16_000),
            png(65_000, 1_000),
            png(1_000, 65_000, bits=16),
            png(8_000, 8_000, colour=6),
        )
    ):
        bombs.append(tmp_path / f"{number}.png")
        bombs[-1].write_bytes(made)
    lines, grown = measured(*bombs)
    assert all(line.startswith("InvalidImage") and "at most 50,000,000 are read" in line for line in lines), lines
    assert grown < 20


@pytest.mark.wide
@pytest.mark.skipif(sys.platform == "win32", reason="resource is not there")
@pytest.mark.parametrize(("bits", "colour"), [(8, 0), (16, 0), (8, 2), (16, 2), (8, 6), (16, 6)])
def test_largest_allowed_picture_uses_bounded_memory(tmp_path: Path, bits: int, colour: int) -> None:
    path = tmp_path / "largest.png"
    path.write_bytes(png(7_000, 7_000, bits=bits, colour=colour))
    lines, grown = measured(path)
    assert lines == ["read Size(width=7000, height=7000)"]
    assert grown < 1_000


@pytest.mark.parametrize("kind", FORMATS)
def test_supported_formats_are_read(kind: str, tmp_path: Path) -> None:
    (tmp_path / "no suffix").write_bytes(encoded(kind))
    assert Screen.open(tmp_path / "no suffix").size == (60, 40)
    assert Screen.from_bytes(encoded(kind)).size == (60, 40)


@pytest.mark.parametrize("kind", ["EPS", "PPM", "TGA", "ICO", "PCX", "SGI", "PDF", "JPEG2000"])
def test_other_formats_are_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(encoded(kind))
    with pytest.raises(InvalidImage, match=r"picture\.png"):
        Screen.open(path)
    with pytest.raises(InvalidReference, match=r"picture\.png"):
        Reference.open(path)
    with pytest.raises(InvalidReference):
        AssetsManager(tmp_path).find("picture")


def test_postscript_does_not_start_ghostscript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow passes PostScript to the first `gs` in PATH."""
    gs = tmp_path / "gs"
    gs.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    gs.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "a.png").write_bytes(encoded("EPS"))
    for words in (["ocr"], ["parse"], ["locate"], ["match"]):
        more = {"locate": ["x"], "match": [str(tmp_path / "a.png")]}.get(words[0], [])
        assert CliRunner().invoke(app, [*words, str(tmp_path / "a.png"), *more]).exit_code == 2
    assert not (tmp_path / "started").exists()


def damaged(number: int) -> bytes:
    """The picture of that number, in any of the formats, damaged in one of six ways."""
    chance = random.Random(number)
    whole = encoded(FORMATS[number % len(FORMATS)], picture((200, 150)))
    content = bytearray(whole)
    match number // len(FORMATS) % 6:
        case 0:
            del content[chance.randint(1, len(content) - 1) :]
        case 1:
            for _ in range(chance.randint(1, 60)):
                content[chance.randrange(len(content))] = chance.randrange(256)
        case 2:
            begin = chance.randrange(len(content))
            del content[begin : begin + chance.randint(1, 200)]
        case 3:
            begin = chance.randrange(len(content))
            content[begin:begin] = chance.randbytes(chance.randint(1, 200))
        case 4:
            content[: chance.randint(4, 60)] = encoded(FORMATS[(number + 1) % len(FORMATS)])[: chance.randint(4, 60)]
        case _:
            for at in range(4, min(64, len(content)), 4):
                if chance.random() < 0.3:
                    content[at : at + 4] = struct.pack(">I", chance.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF]))
    return bytes(content)


@pytest.mark.skipif(sys.platform == "win32", reason="resource is not there")
@pytest.mark.parametrize("count", [14, pytest.param(140, marks=pytest.mark.wide)])
def test_damaged_pictures_are_refused_or_read(tmp_path: Path, count: int) -> None:
    paths = []
    for number in range(count):
        paths.append(tmp_path / f"{number}.png")
        paths[-1].write_bytes(damaged(number))
    lines, grown = measured(*paths)
    assert {line.split()[0] for line in lines} == {"read", "InvalidImage"}
    assert [line for line, path in zip(lines, paths, strict=True) if line[0] == "I" and path.name not in line] == []
    assert grown < 300


@pytest.mark.parametrize("cut", [20, 200, -100, -1])
def test_truncated_avif_is_an_invalid_image(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "damaged.avif"
    path.write_bytes(encoded("AVIF", picture((300, 300)))[:cut])
    with pytest.raises(InvalidImage, match=r"damaged\.avif"):
        Screen.open(path)


def test_altered_avif_raises_only_invalid_image() -> None:
    """Some of these end in a RuntimeError of libavif."""
    whole = encoded("AVIF", Image.linear_gradient("L").resize((300, 300)).convert("RGB"))
    refused = 0
    for seed in range(60):
        chance, changed = random.Random(seed), bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            changed[chance.randrange(min(400, len(changed)))] = chance.randrange(256)
        try:
            Screen.from_bytes(bytes(changed))
        except InvalidImage:
            refused += 1
    assert refused > 30


def test_jpeg_with_many_scans_is_refused(tmp_path: Path) -> None:
    """Each scan of about 70 bytes processes all pixels again."""
    out = io.BytesIO()
    picture((300, 300)).save(out, "JPEG", progressive=True)
    whole = out.getvalue()
    last = whole.rindex(b"\xff\xda")
    path = tmp_path / "scans.jpg"
    path.write_bytes(whole[:last] + whole[last:-2] * 200 + whole[-2:])
    with pytest.raises(InvalidImage, match=r"scans\.jpg.*over 100 scans"):
        Screen.open(path)
    path.write_bytes(whole)
    assert Screen.open(path).size == (300, 300)


def test_scans_after_jpeg_thumbnail_are_counted(tmp_path: Path) -> None:
    """The thumbnail of a photo is a JPEG inside a segment: its end marker does not end the photo."""
    whole = encoded("JPEG", picture((300, 300)))
    out = io.BytesIO()
    picture((300, 300)).save(out, "JPEG", progressive=True)
    scans = out.getvalue()
    last = scans.rindex(b"\xff\xda")
    segment = b"\xff\xe1" + struct.pack(">H", len(whole) + 2) + whole
    path = tmp_path / "thumbnail.jpg"
    path.write_bytes(scans[:2] + segment + scans[2:last] + scans[last:-2] * 200 + scans[-2:])
    with pytest.raises(InvalidImage, match="over 100 scans"):
        Screen.open(path)


@pytest.mark.parametrize("progressive", [False, True])
def test_photo_with_appended_video_is_read(progressive: bool) -> None:
    """Phones append a video to a photo, whose bytes are arbitrary."""
    out = io.BytesIO()
    picture((300, 300)).save(out, "JPEG", progressive=progressive, restart_marker_rows=1)
    film = random.Random(4).randbytes(10 << 20) + b"\xff\xda" * 200
    assert Screen.from_bytes(out.getvalue() + film).size == (300, 300)


@pytest.mark.skipif(sys.platform == "win32", reason="resource is not there")
def test_oversized_tiff_tiles_are_refused(tmp_path: Path) -> None:
    """Each tile is decoded whole, so a picture of 16x16 pixels would take 2 GB."""
    side = 45_056
    packed = zlib.compressobj(9)
    data = b"".join(packed.compress(bytes(side)) for _ in range(side)) + packed.flush()
    tags = {256: 16, 257: 16, 258: 8, 259: 8, 262: 1, 277: 1, 322: side, 323: side, 324: 200, 325: len(data)}
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags.items())
    header = struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + entries + bytes(4)
    path = tmp_path / "tiles.tif"
    path.write_bytes(header.ljust(200, b"\0") + data)
    lines, grown = measured(path)
    assert "at most 50,000,000 are read" in lines[0]
    assert grown < 50


def a_tiff(tags: dict[int, tuple[int, int]], data: bytes) -> bytes:
    """One with these (type, count) tags besides those of a gray picture of 16x16 pixels; `data` begins at byte 400."""
    usual = {256: 16, 257: 16, 258: 8, 259: 1, 262: 1, 273: 400, 277: 1, 278: 16, 279: 256}
    entries = {tag: (4, 1, value) for tag, value in usual.items()} | {
        tag: (kind, count, 400) for tag, (kind, count) in tags.items()
    }
    rows = b"".join(struct.pack("<HHII", tag, *entries[tag]) for tag in sorted(entries))
    return (struct.pack("<2sHIH", b"II", 42, 8, len(entries)) + rows + bytes(4)).ljust(400, b"\0") + data


@pytest.mark.skipif(sys.platform == "win32", reason="resource is not there")
@pytest.mark.parametrize(
    "made",
    [
        pytest.param(lambda: encoded("JPEG")[:2] + b"\xff\xef\0\2" * 2_000_000 + encoded("JPEG")[2:], id="segments"),
        pytest.param(lambda: png(16, 16, *[chunk(b"zzZz", b"")] * 700_000), id="chunks"),
        pytest.param(lambda: encoded("GIF")[:-1] + b"!\xfe\1a\0" * 700_000 + b";", id="comments"),
        pytest.param(lambda: a_tiff({282: (5, 1_000_000)}, bytes(8_000_000)), id="values"),
    ],
)
def test_file_with_many_parts_is_refused_before_decoding(tmp_path: Path, made: Callable[[], bytes]) -> None:
    """Pillow keeps each part: 32 MB of empty segments took 34 seconds and 1.1 GB."""
    path = tmp_path / "parts"
    path.write_bytes(made())
    lines, grown = measured(path)
    assert "it has over 300,000 parts" in lines[0]
    assert grown < 60


def test_wide_tiled_tiff_is_read(tmp_path: Path) -> None:
    """The tiles are higher than the picture."""
    side = 1024
    row = b"".join(struct.pack("<HHII", *each) for each in (
        (256, 4, 1, 50_000), (257, 4, 1, 800), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (277, 3, 1, 1),
        (322, 4, 1, side), (323, 4, 1, side), (324, 4, 49, 400), (325, 4, 49, 600),
    ))  # fmt: skip
    content = (struct.pack("<2sHIH", b"II", 42, 8, 10) + row + bytes(4)).ljust(400, b"\0")
    content += struct.pack("<49I", *[800] * 49).ljust(200, b"\0") + struct.pack("<49I", *[side * side] * 49).ljust(
        200, b"\0"
    )
    (tmp_path / "wide.tif").write_bytes(content + bytes(side * side))
    assert Screen.open(tmp_path / "wide.tif").size == (50_000, 800)


def test_side_length_is_limited() -> None:
    with pytest.raises(InvalidImage, match="at most 100,000 a side"):
        Screen.from_bytes(png(200_000, 2))


def test_unknown_format_error_contains_no_object_address() -> None:
    with pytest.raises(InvalidImage, match="it is none of PNG, JPEG"):
        Screen.from_bytes(b"no picture")


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no such paths here")
def test_shell_pipe_is_refused_as_image() -> None:
    done = subprocess.run([sys.executable, "-m", "handeye", "ocr", "/dev/stdin"], input=b"x", capture_output=True)
    assert done.returncode == 2
    assert b"it is no regular file" in done.stderr


def test_damaged_image_gives_one_error_line(tmp_path: Path) -> None:
    (tmp_path / "damaged.png").write_bytes(encoded("PNG")[:60])
    (tmp_path / "bomb.png").write_bytes(png(10_000, 10_000))
    for name in ("damaged.png", "bomb.png"):
        words = [sys.executable, "-m", "handeye", "ocr", str(tmp_path / name)]
        done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8")
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
        assert name in done.stderr


def test_match_command_ends_at_its_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handeye.commands.pictures.SEARCH_SECONDS", 0)
    Image.fromarray(noise(40).pixels).save(tmp_path / "reference.png")
    Image.fromarray(noise(300).pixels).save(tmp_path / "screen.png")
    answer = CliRunner().invoke(app, ["match", str(tmp_path / "reference.png"), str(tmp_path / "screen.png")])
    assert answer.exit_code != 0
    assert "longer than 0 s" in answer.output


def test_template_matching_ends_at_its_deadline() -> None:
    reference = Reference("noise", np.random.default_rng(6).integers(0, 256, (40, 40, 3), dtype=np.uint8))
    with time_limit(0), pytest.raises(SearchTimedOut):
        find_all(reference, noise(300))


def test_compressed_text_chunks_are_limited(tmp_path: Path) -> None:
    path = tmp_path / "text.png"
    bomb = zlib.compress(bytes(100 << 20), 9)
    path.write_bytes(png(40, 40, *(chunk(b"zTXt", b"a%d\0\0" % number + bomb) for number in range(5))))
    with pytest.raises(InvalidImage, match=r"text\.png"):
        Screen.open(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_special_and_huge_files_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "zeros.png").symlink_to("/dev/zero")
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(10 << 30)
    for name in ("pipe.png", "zeros.png", "huge.png"):
        with pytest.raises(InvalidImage, match=name):
            Screen.open(tmp_path / name)
        with pytest.raises(InvalidReference, match=name):
            Reference.open(tmp_path / name)
    answer = CliRunner().invoke(app, ["match", str(tmp_path / "pipe.png"), str(tmp_path / "zeros.png")])
    assert answer.exit_code == 2


def test_reference_size_is_checked_in_header(tmp_path: Path) -> None:
    path = tmp_path / "reference.png"
    path.write_bytes(png(5_000, 5_000))
    with pytest.raises(InvalidReference, match="at most 16,777,216 are read"):
        Reference.open(path)


# The time of a search


def noise(side: int) -> Screen:
    return Screen(np.random.default_rng(5).integers(0, 256, (side, side, 3), dtype=np.uint8))


@pytest.mark.wide
def test_noise_is_searched_in_bounded_time() -> None:
    """It took two minutes before lines were searched in rows, fifteen seconds after."""
    found = VisualLocator(vision=None).locate("Save", noise(3_000))
    assert [attempt.error for attempt in found.attempts if isinstance(attempt.error, SearchTimedOut)] == []


def test_search_ends_at_its_deadline() -> None:
    locator = VisualLocator(vision=None, deadline_s=0.5)
    found = locator.locate("Save", noise(2_000))
    assert not found.success
    told = {attempt.strategy: attempt for attempt in found.attempts}
    assert isinstance(told["ocr"].error, SearchTimedOut)
    assert told["ranker"].note == "the 0.5 s of the search are over"
    assert "longer than 0.5 s" in (found.error or "")


def test_ocr_has_its_own_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handeye.ocr.paddle.READ_SECONDS", 0.2)
    with pytest.raises(SearchTimedOut):
        PaddleReader().read(noise(1_500))


def test_nested_time_limits_use_the_shortest() -> None:
    with time_limit(0.1), time_limit(100), pytest.raises(SearchTimedOut):
        PaddleReader().read(noise(1_500))


def test_pixel_limit_allows_8k_screens() -> None:
    assert MAX_PIXELS > 7_680 * 4_320
