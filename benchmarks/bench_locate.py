"""Reading, finding and checking on phone screens: milliseconds, and what was found, missed and wrong.

    python benchmarks/bench_locate.py [--full] [--scenes N] [--peers]

Under a minute; `--full` looks at 20 scenes of each kind instead of 6, and repeats more. `--peers` also runs RapidOCR's own
pipeline on the same screens, and a plain multi-scale sweep of OpenCV's matchTemplate.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import cv2
import numpy as np
from locate_scenes import KINDS, Scene, scenes
from PIL import ImageDraw

from handeye.locate.chain import LocateChain
from handeye.locate.template import find_all
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader
from handeye.phone.model import PhoneModel
from handeye.screen import Screen
from handeye.target import Target
from handeye.verify.blockers import find_blocker

PACKAGES = ("com.android.launcher", "com.tencent.mm", "com.android.settings")
PLAIN_SCALES = np.linspace(0.5, 1.5, 25)
PLAIN_ACCEPT = 0.8  # at 0.75 the plain sweep takes one absent target in four for present


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = call()
    return (time.perf_counter() - start) * 1000, result


def plain_sweep(scene: Scene) -> tuple[int, int, int, int] | None:
    """What most tools do: every scale at full size, the best score decides."""
    screen = cv2.cvtColor(scene.screen.pixels, cv2.COLOR_RGB2GRAY)
    best: tuple[float, tuple[int, int, int, int]] = (0.0, (0, 0, 0, 0))
    for scale in PLAIN_SCALES:
        small = cv2.resize(scene.reference.gray, None, fx=scale, fy=scale)
        _low, score, _where, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(screen, small, cv2.TM_CCOEFF_NORMED))
        if score > best[0]:
            best = score, (x, y, x + small.shape[1], y + small.shape[0])
    return best[1] if best[0] >= PLAIN_ACCEPT else None


def bench_template(count: int, peers: bool) -> None:
    print(f"template, 96 px icon in 1080x2400, {count} scenes of each kind")
    finders: dict[str, Callable[[Scene], Any]] = {
        "handeye": lambda scene: next((peak.box for peak, _how, _ in find_all(scene.reference, scene.screen)), None)
    }
    if peers:
        finders["plain sweep"] = plain_sweep
    for alpha in (True, False):
        for name, find in finders.items():
            times: dict[str, list[float]] = defaultdict(list)
            marks: dict[str, Counter[str]] = defaultdict(Counter)
            for scene in scenes(count, alpha=alpha):
                ms, box = timed(partial(find, scene))
                times[scene.kind].append(ms)
                if box is None:
                    mark = "refused" if scene.truth else "right"
                else:
                    mark = "right" if scene.truth and scene.truth.iou(box) >= 0.5 else "wrong"
                marks[scene.kind][mark] += 1
            print(f"  {name}, reference {'with' if alpha else 'without'} alpha")
            for kind in KINDS:
                seen = marks[kind]
                print(
                    f"    {kind:12} {statistics.median(times[kind]):7.1f} ms   worst {max(times[kind]):5.0f}"
                    f"   right {seen['right']:3}   refused {seen['refused']:3}   wrong {seen['wrong']:3}"
                )


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
    arguments.add_argument("--scenes", type=int)
    arguments.add_argument("--peers", action="store_true")
    chosen = arguments.parse_args()
    bench_chain()
    bench_reading(chosen.peers, 5 if chosen.full else 3)
    bench_template(chosen.scenes or (20 if chosen.full else 6), chosen.peers)


if __name__ == "__main__":
    main()
