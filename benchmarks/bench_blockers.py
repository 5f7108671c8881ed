"""Cost of blocker detection: on clear pages, where no text is read, and on pages with something over them.

    python benchmarks/bench_blockers.py

Milliseconds are CPU time of the thread on 1080x2400 frames of the virtual phone, each frame fresh; the last column is
the share of one reading of the whole frame, measured in the same run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from handeye.blockers.detector import find_blocker
from handeye.geometry import Box
from handeye.ocr import PaddleReader
from handeye.screen import Pixels, Screen
from handeye.text import TextLine
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario

BUDGET_CLEAR_MS = 10.0
SAMPLES = 15
PAGES = {"home": "", "messenger": "com.tencent.mm", "settings": "com.android.settings", "browser": "com.android.chrome"}
OVER = ("permission", "advert", "loading")


class Counting:
    """Text reader that returns no text and counts its calls."""

    name = "counting"

    def __init__(self) -> None:
        self.reads = 0

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        self.reads += 1
        return ()

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        return self.read(screen)


def frame(scenario: str, package: str) -> Pixels:
    """Return the phone's frame 0.4 s after the app was opened."""
    now = 0.0
    phone = PhoneModel(Scenario.parse(scenario), clock=lambda: now)
    if package:
        phone.launch(package)
    now = 0.4
    return Screen.from_image(phone.frame()).pixels


def cpu_ms(call: Callable[[], Any], samples: int = SAMPLES) -> float:
    times = []
    for _sample in range(samples):
        start = time.thread_time()
        call()
        times.append((time.thread_time() - start) * 1000)
    return statistics.median(times)


def fresh_ms(call: Callable[[PaddleReader], Any]) -> float:
    """Return the median CPU ms with a new reader each time (readers cache what they read), its models loaded."""
    times = []
    for _sample in range(3):
        reader = PaddleReader(threads=1)
        reader.read(Screen(np.full((64, 64, 3), 255, np.uint8)))
        times.append(cpu_ms(lambda reader=reader: call(reader), 1))
    return statistics.median(times)


def main() -> None:
    cv2.setNumThreads(1)
    worst = 0.0
    print(f"{'page':32}{'ms':>8}{'read':>6}")
    for theme in ("", "dark"):
        for name, package in PAGES.items():
            pixels, reader = frame(theme, package), Counting()
            find_blocker(Screen(pixels), reader)
            took = cpu_ms(lambda pixels=pixels: find_blocker(Screen(pixels), Counting()))
            worst = max(worst, took)
            print(f"{f'{name} {theme}':32}{took:8.1f}{reader.reads:6}")
    print(f"worst of the clear pages: {worst:.1f} ms of {BUDGET_CLEAR_MS:.0f}")
    whole = frame("", PAGES["messenger"])
    read = fresh_ms(lambda reader: reader.read(Screen(whole)))
    for scenario in OVER:
        pixels = frame(scenario, PAGES["messenger"])
        took = fresh_ms(lambda reader, pixels=pixels: find_blocker(Screen(pixels), reader))
        print(f"{scenario:32}{took:8.1f}  {took / read:.2f} of reading the frame ({read:.0f} ms)")


if __name__ == "__main__":
    main()
