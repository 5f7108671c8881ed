"""The chain's own cost, a cached place on the live frame, and memory over many locates.

    python benchmarks/bench_chain.py [--locates N]

Milliseconds are CPU time of the thread, so that a busy neighbour shows less. The cached place is looked for on 1080x2400 pages
of the virtual phone: in place, moved, refused, with a part of the frame changed, and read from the folder.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate import CacheStrategy, LocateChain, PlaceCache, VisualLocator
from handeye.locate.base import Match
from handeye.screen import Pixels, Screen
from handeye.target import Target
from handeye_phone.model import PhoneModel

BUDGET_CHAIN_MS = 0.2
BUDGET_HIT_MS = 5.0
TARGET = Target(text="通讯录")
LABEL = Box(360, 2262, 447, 2291)  # 通讯录 on the tab bar of the messenger's first page
SAMPLES = 40


class Known:
    """Stands for OCR: answers at once with the label's place."""

    name = "ocr"

    def accepts(self, target: Target) -> str | None:
        return None

    def locate(self, target: Target, screen: Screen) -> Match | None:
        return Match((UIElement("text", target.text or "", LABEL, 0.97, "ocr", target.text or ""),))


def cpu_ms(call: Callable[[], Any], samples: int = SAMPLES) -> tuple[float, float]:
    """Median and worst."""
    times = []
    for _sample in range(samples):
        start = time.thread_time()
        call()
        times.append((time.thread_time() - start) * 1000)
    return statistics.median(times), max(times)


def page() -> Pixels:
    phone = PhoneModel()
    phone.launch("com.tencent.mm")
    return Screen.from_image(phone.frame()).pixels.copy()


def changed(pixels: Pixels, box: Box) -> Pixels:
    """The page with other rows in `box`."""
    other = pixels.copy()
    other[box.top : box.bottom, box.left : box.right] = pixels[box.top : box.bottom, box.left : box.right][::-1]
    return other


def frames(pixels: Pixels) -> Iterator[tuple[str, Pixels]]:
    digit = pixels.copy()
    digit[20:50, 140:160] = 255 - digit[20:50, 140:160]
    dialog = pixels.copy()
    dialog[1000:2400] = dialog[1000:2400] // 3
    yield "in place", pixels
    yield "in place, a clock's digit changed", digit
    yield "in place, a tenth of the frame changed", changed(pixels, Box(200, 600, 900, 970))
    yield "in place, a third of the frame changed", changed(pixels, Box(0, 600, 1080, 1400))
    yield "all moved by 17 px", np.roll(pixels, 17, axis=0)
    yield "all moved by -41, 30 px", np.roll(pixels, (30, -41), axis=(0, 1))
    yield "refused: dark mode", 255 - pixels
    yield "refused: dimmed by a dialog", dialog


def bench_overhead() -> None:
    screen = Screen(np.zeros((2400, 1080, 3), np.uint8))
    chain, target = LocateChain([]), Target(text="x")
    empty, worst = cpu_ms(lambda: chain.locate(target, screen), 2000)
    locator = VisualLocator()
    whole, _worst = cpu_ms(lambda: locator.locate(target, screen), 500)
    print(f"chain without strategies {empty:.4f} ms (worst {worst:.3f}, budget {BUDGET_CHAIN_MS})")
    print(f"facade, every strategy asked and none of them configured {whole:.3f} ms")


def bench_cache(pixels: Pixels) -> None:
    cache = CacheStrategy(PlaceCache(clock=lambda: 0.0))
    element = Known().locate(TARGET, Screen(pixels)).elements[0]  # type: ignore[union-attr]
    learning, _worst = cpu_ms(lambda: cache.learn(TARGET, Screen(pixels), element))
    print(f"cache, 1080x2400: remembering {learning:.2f} ms; budget of a hit {BUDGET_HIT_MS}")
    for name, frame in frames(pixels):
        screen = Screen(frame.copy())
        match = cache.locate(TARGET, screen)
        median, worst = cpu_ms(lambda screen=screen: cache.locate(TARGET, screen))
        answer = match.note if match and match.elements else f"nothing ({match.note if match else ''})"
        print(f"  {name:40} {median:6.2f} ms   worst {worst:6.2f}   {answer}")
    with tempfile.TemporaryDirectory() as folder:
        kept = CacheStrategy(PlaceCache(Path(folder)))
        kept.learn(TARGET, Screen(pixels), element)
        kept.judge(TARGET, True)
        screen = Screen(pixels)
        median, worst = cpu_ms(lambda: CacheStrategy(PlaceCache(Path(folder))).locate(TARGET, screen))
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        print(
            f"  {'in place, first read from the folder':40} {median:6.2f} ms   worst {worst:6.2f}   {size / 1024:.0f} KB"
        )


def bench_memory(pixels: Pixels, locates: int) -> None:
    """Other targets and other frames all the time: what is kept must not grow with their number."""
    cache = CacheStrategy()
    chain = LocateChain([cache, Known()])
    tracemalloc.start()
    for number in range(locates):
        frame = pixels.copy() if number % 50 == 0 else None
        if frame is not None:
            frame[600:640, 200:240] = number % 256
            screen = Screen(frame)
        chain.locate(Target(text=f"通讯录 {number}"), screen)
        if number + 1 in (locates // 10, locates):
            gc.collect()
            print(f"  after {number + 1:6} locates: {tracemalloc.get_traced_memory()[0] / 2**20:6.1f} MiB")
    tracemalloc.stop()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--locates", type=int, default=10_000)
    chosen = arguments.parse_args()
    pixels = page()
    bench_overhead()
    bench_cache(pixels)
    print("memory of a chain that remembers, every target another one")
    bench_memory(pixels, chosen.locates)


if __name__ == "__main__":
    main()
