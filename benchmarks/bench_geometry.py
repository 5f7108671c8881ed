"""Time to convert one box and twenty boxes to pixels, compared with the same conversion written the obvious way.

Run: `python benchmarks/bench_geometry.py [--check]`. With `--check` the exit code is 1 if a budget of
docs/spec/coordinates.md is missed: 1 µs for a per-mille box, 20 µs for twenty. Each figure is the median of many short
rounds; the rounds of all cases are interleaved, so that a slow moment of the machine touches all of them alike.
"""

from __future__ import annotations

import argparse
import logging
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from handeye.geometry import Box, CoordinateSpace, Size, to_pixel_box, to_pixel_boxes

ROUNDS = 301
CALLS_PER_ROUND = 200
SIZE = Size(1920, 1080)
ONE_BOX_US = 1.0
TWENTY_BOXES_US = 20.0
logger = logging.getLogger("bench")


def naive(values: Sequence[float], size: Size) -> Box:
    """Convert the obvious way: no check of the numbers, detection by max(), clipping by min() and max(), a log call."""
    width, height = size
    if max(values) >= min(width, height):
        return Box(*(int(value) for value in values))
    left = max(0, min(int(values[0] / 1000 * width), width - 1))
    top = max(0, min(int(values[1] / 1000 * height), height - 1))
    right = min(width, max(int(values[2] / 1000 * width), left + 1))
    bottom = min(height, max(int(values[3] / 1000 * height), top + 1))
    box = Box(left, top, right, bottom)
    logger.info("[坐标] %s -> %s, %s", values, box, size)
    return box


@dataclass
class Case:
    """One line of the result: `call` takes the round's boxes one by one, or in groups of twenty."""

    name: str
    call: Callable[[list[list[float]]], object]
    boxes: list[list[float]]
    budget: float | None = None
    samples: list[float] = field(default_factory=list)


def boxes(count: int, scale: float, digits: int | None, seed: int = 7) -> list[list[float]]:
    """Different boxes in every call, as a cache of results would otherwise look like speed."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        left, top = rng.uniform(0.01, 0.5) * scale, rng.uniform(0.01, 0.5) * scale
        edges = [left, top, left + rng.uniform(0.02, 0.4) * scale, top + rng.uniform(0.02, 0.4) * scale]
        found.append([round(edge, digits) for edge in edges])
    return found


def detected(items: list[list[float]]) -> None:
    for values in items:
        to_pixel_box(values, SIZE)


def given(space: CoordinateSpace) -> Callable[[list[list[float]]], None]:
    def loop(items: list[list[float]]) -> None:
        for values in items:
            to_pixel_box(values, SIZE, space=space)

    return loop


def from_ocr(items: list[list[float]]) -> None:
    for values in items:
        to_pixel_box(values, SIZE, source="ocr")


def resized(items: list[list[float]]) -> None:
    space, sent = CoordinateSpace.RESIZED, Size(1000, 1000)
    for values in items:
        to_pixel_box(values, SIZE, space=space, resized=sent)


def naive_loop(items: list[list[float]]) -> None:
    for values in items:
        naive(values, SIZE)


def cases() -> list[Case]:
    per_mille, unit = boxes(CALLS_PER_ROUND, 1000, None), boxes(CALLS_PER_ROUND, 1, 3)
    return [
        Case("naive, one per-mille box", naive_loop, per_mille),
        Case("to_pixel_box, per-mille, detected", detected, per_mille, ONE_BOX_US),
        Case("to_pixel_box, per-mille, given", given(CoordinateSpace.PER_MILLE), per_mille, ONE_BOX_US),
        Case("to_pixel_box, 0-1, detected", detected, unit),
        Case("to_pixel_box, 0-1, given", given(CoordinateSpace.UNIT), unit),
        Case("to_pixel_box, pixels from OCR", from_ocr, per_mille),
        Case("to_pixel_box, resized image", resized, per_mille),
        Case(
            "to_pixel_boxes, twenty per-mille",
            lambda items: to_pixel_boxes(items, SIZE),
            per_mille[:20],
            TWENTY_BOXES_US,
        ),
    ]


def measure(found: list[Case]) -> None:
    for _ in range(ROUNDS):
        for case in found:
            started = time.perf_counter()
            case.call(case.boxes)
            case.samples.append((time.perf_counter() - started) * 1e6)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 if a budget is missed")
    arguments = parser.parse_args()
    found = cases()
    measure(found)
    print(f"Python {platform.python_version()}, {ROUNDS} rounds, logging off, µs")
    print(f"{'case':36}{'median':>9}{'best':>9}{'budget':>9}{'x naive':>9}")
    missed = False
    naive_us = statistics.median(found[0].samples) / CALLS_PER_ROUND
    for case in found:
        bulk = case.budget == TWENTY_BOXES_US
        calls = 1 if bulk else len(case.boxes)
        median, best = statistics.median(case.samples) / calls, min(case.samples) / calls
        ratio = naive_us * (len(case.boxes) if bulk else 1) / median
        missed |= case.budget is not None and median >= case.budget
        budget = "" if case.budget is None else f"{case.budget:.0f}"
        print(f"{case.name:36}{median:9.3f}{best:9.3f}{budget:>9}{ratio:9.1f}")
    return 1 if arguments.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
