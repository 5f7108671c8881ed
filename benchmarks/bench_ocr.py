"""Reading text: recall, boxes and wrong readings on pages of known truth; a frame's time cold, changed and unchanged.

    python benchmarks/bench_ocr.py [--pages N] [--peers] [--words FOLDER] [--settings]

Draws the pages first (`ocr_pages.py`, needs Chromium). `--peers` adds RapidOCR's own pipeline, and Tesseract where it
is installed; `--words` measures the word boxes of a folder with ocr_words.jsonl; `--settings` makes the table of
docs/ocr.md. Times are medians of elapsed and of processor time; read the rows of one run against each other.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from ocr_pages import render, truth_of
from ocr_score import Score, plain, score

from handeye.geometry import Box
from handeye.ocr import CachedReader, PaddleReader, RapidReader, RegionReader, TesseractReader
from handeye.ocr.weights import rapidocr_small
from handeye.screen import Screen
from handeye.text import TextLine


def timed(call: Callable[[], Any]) -> tuple[float, float, Any]:
    """Elapsed and processor milliseconds, and the result."""
    start, used = time.perf_counter(), time.process_time()
    result = call()
    return (time.perf_counter() - start) * 1000, (time.process_time() - used) * 1000, result


def bench_quality(name: str, reader: RegionReader, pictures: Sequence[Path]) -> None:
    reader.read(Screen.open(pictures[0]))
    total = Score()
    walls, used = [], []
    for picture in pictures:
        screen = Screen.open(picture)
        if isinstance(reader, PaddleReader):
            reader.clear()  # what was learnt from one page must not help with the next
        wall, cpu, lines = timed(partial(reader.read, screen))
        total += score(truth_of(picture), lines)
        if screen.size == (1920, 1080):
            walls.append(wall)
            used.append(cpu)
    speed = (
        f"1080p: {statistics.median(walls):6.0f} ms, {statistics.median(used):6.0f} ms of processor" if walls else ""
    )
    print(f"{name:24} {total}\n{'':24} {speed}")


def bench_frames(picture: Path, repeats: int) -> None:
    """One page cold, with a tenth of its area changed, scrolled, and as a new frame with equal pixels."""
    reader = PaddleReader()
    screen = Screen.open(picture)
    lines = reader.read(screen)
    middle, common = places(screen, lines)
    frames = {
        "cold": screen,
        "the middle tenth": changed_frame(screen, middle),
        "a tenth of the lines": changed_frame(screen, common),
        "scrolled": Screen(np.roll(screen.pixels, -120, axis=0).copy()),
    }
    rows: dict[str, list[tuple[float, float]]] = {name: [] for name in (*frames, "nothing changed")}
    for _ in range(repeats):
        for name, frame in frames.items():
            reader.clear()
            cached = CachedReader(reader)
            if name != "cold":
                cached.read(screen)
            rows[name].append(timed(partial(cached.read, frame))[:2])
        rows["nothing changed"].append(timed(partial(cached.read, Screen(frame.pixels.copy())))[:2])
    print(
        f"{picture.stem}, {len(lines)} lines; {touched(middle, lines)} in the middle, {touched(common, lines)} in the other"
    )
    for name, times in rows.items():
        wall, used = (statistics.median(column) for column in zip(*times, strict=True))
        print(f"  {name:22} {wall:8.2f} ms   {used:8.2f} ms of processor")


def places(screen: Screen, lines: Sequence[TextLine]) -> tuple[Box, Box]:
    """Two tenths of the frame: in its middle, and where about a tenth of the lines are touched."""
    width, height = screen.size
    rows = height // 5 // 40 * 40
    boxes = [
        Box(left, top, left + width // 2, top + rows)
        for top in range(0, height - rows, 20)
        for left in range(0, width // 2, 40)
    ]
    middle = Box(width // 4, height // 3, width // 4 + width // 2, height // 3 + rows)
    return middle, min(boxes, key=lambda box: abs(touched(box, lines) - len(lines) / 10))


def touched(box: Box, lines: Sequence[TextLine]) -> int:
    return sum(box.intersect(line.box) is not None for line in lines)


def changed_frame(screen: Screen, box: Box) -> Screen:
    """Return the page with a part redrawn: pieces of 40 rows in another order, moved by 7 pixels."""
    pixels = screen.pixels.copy()
    part = pixels[box.top : box.bottom, box.left : box.right]
    pieces = np.concatenate(np.split(part, box.height // 40)[::-1])
    pixels[box.top : box.bottom, box.left : box.right] = np.roll(pieces, 7, axis=1)
    return Screen(pixels)


def bench_words(name: str, reader: RegionReader, folder: Path) -> None:
    """Word boxes of real screenshots: how many are read, and how many boxes have an IoU of 0.5 with the truth."""
    items = [json.loads(row) for row in (folder / "ocr_words.jsonl").read_text("utf-8").splitlines()]
    count = found = boxed = 0
    for image in sorted({item["image"] for item in items}):
        lines = reader.read(Screen.open(folder / image))
        for item in (item for item in items if item["image"] == image):
            box, text = Box(*item["bbox"]), plain(item["text"])
            near = [line for line in lines if line.box.intersect(box)]
            at = [(line, plain(line.text).find(text)) for line in near]
            hits = [line.box_of(*span) for line, start in at if start >= 0 and (span := _span(line.text, text))]
            count += 1
            found += bool(hits)
            boxed += any(hit.iou(box) >= 0.5 for hit in hits)
    print(f"{name:24} {count} words  found {100 * found / count:.1f} %  IoU>=0.5 {100 * boxed / count:.1f} %")


def _span(text: str, wanted: str) -> tuple[int, int] | None:
    origin = [index for index, character in enumerate(text) for _ in plain(character)]
    at = "".join(map(plain, text)).find(wanted)
    return (origin[at], origin[at + len(wanted) - 1] + 1) if at >= 0 else None


def readers(peers: bool) -> dict[str, RegionReader]:
    chosen: dict[str, RegionReader] = {"paddle (default)": PaddleReader()}
    if peers:
        chosen["paddle, larger models"] = PaddleReader(weights=rapidocr_small)
        chosen["RapidOCR's pipeline"] = RapidReader()
        if shutil.which("tesseract"):
            chosen["Tesseract"] = TesseractReader()
    return chosen


def settings() -> dict[str, RegionReader]:
    """Return the readers that docs/ocr.md compares, by the name of their setting."""
    return {
        "defaults (scale=1.0)": PaddleReader(),
        "threads=1": PaddleReader(threads=1),
        "scale=0.5": PaddleReader(scale=0.5),
        "scale=0.75": PaddleReader(scale=0.75),
        "scale=1.5": PaddleReader(scale=1.5),
        "weights=rapidocr_small": PaddleReader(weights=rapidocr_small),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--pages", type=int, default=8, help="how many of the 32 pages are read for quality")
    arguments.add_argument("--peers", action="store_true")
    arguments.add_argument("--settings", action="store_true")
    arguments.add_argument("--words", type=Path)
    chosen = arguments.parse_args()
    pictures = render()
    sample = pictures[:: max(1, len(pictures) // chosen.pages)]
    if chosen.settings:
        for name, reader in settings().items():
            bench_quality(name, reader, sample)
        return
    for name, reader in readers(chosen.peers).items():
        if chosen.words:
            bench_words(name, reader, chosen.words)
        else:
            bench_quality(name, reader, sample)
    if not chosen.words:
        bench_frames(next(picture for picture in pictures if picture.stem == "mail_en_light_1x"), 5)


if __name__ == "__main__":
    main()
