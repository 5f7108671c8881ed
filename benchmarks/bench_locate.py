"""Reading and checking on phone screens, and the chain by itself: milliseconds. Pictures: `bench_template.py`.

    python benchmarks/bench_locate.py [--full] [--peers]

Under a minute; `--full` repeats more. `--peers` also runs RapidOCR's own pipeline on the same screens.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PIL import ImageDraw

from handeye.locate.chain import LocateChain
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader
from handeye.phone.model import PhoneModel
from handeye.screen import Screen
from handeye.target import Target
from handeye.verify.blockers import find_blocker

PACKAGES = ("com.android.launcher", "com.tencent.mm", "com.android.settings")


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return (time.perf_counter() - start) * 1000, result


def bench_reading(peers: bool, repeats: int) -> None:
    print("text, 1080x2400 screens of the virtual phone")
    reader = PaddleReader()
    peer = None
    if peers:
        from rapidocr import RapidOCR

        peer = RapidOCR(params={"Global.log_level": "critical"})
    for package in PACKAGES:
        phone = PhoneModel()
        if package != PACKAGES[0]:
            phone.launch(package)
        image = phone.frame().copy()
        screen = Screen.from_image(image)
        reader.read(screen)
        cold = statistics.median(timed(partial(reader.read, screen))[0] for _ in range(repeats))
        cached = CachedReader(reader)
        lines = cached.read(screen)
        same = statistics.median(timed(partial(cached.read, screen))[0] for _ in range(repeats))
        ImageDraw.Draw(image).rectangle((100, 1200, 600, 1240), fill=(200, 30, 30))
        changed, _ = timed(partial(cached.read, Screen.from_image(image)))
        blocked = statistics.median(timed(partial(find_blocker, screen, cached))[0] for _ in range(repeats))
        row = f"  {package:22} {len(lines):3} lines  cold {cold:6.0f} ms  changed a little {changed:5.0f}  same {same:5.2f}"
        row += f"  blocker {blocked:4.0f}"
        if peer is not None:
            pixels = np.ascontiguousarray(screen.pixels[:, :, ::-1])
            peer(pixels)
            own = statistics.median(timed(partial(peer, pixels))[0] for _ in range(3))
            row += f"  RapidOCR's pipeline {own:6.0f}"
        print(row)


def bench_chain() -> None:
    screen = Screen(np.zeros((2400, 1080, 3), np.uint8))
    chain, target = LocateChain([]), Target(text="x")
    runs = [timed(lambda: chain.locate(target, screen))[0] for _ in range(2000)]
    print(f"chain without strategies: {statistics.median(runs):.4f} ms")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--full", action="store_true")
    arguments.add_argument("--peers", action="store_true")
    chosen = arguments.parse_args()
    bench_chain()
    bench_reading(chosen.peers, 5 if chosen.full else 3)


if __name__ == "__main__":
    main()
