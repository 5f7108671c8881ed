"""Cost of the chain itself: a target that no strategy looks for. Pictures: `bench_template.py`; text: `bench_ocr.py`.

python benchmarks/bench_locate.py
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from handeye.locate import LocateChain
from handeye.screen import Screen
from handeye.target import Target

RUNS = 2000


def main() -> None:
    screen = Screen(np.zeros((2400, 1080, 3), np.uint8))
    chain, target = LocateChain([]), Target(text="x")
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        chain.locate(target, screen)
        times.append((time.perf_counter() - start) * 1000)
    print(f"chain without strategies: {statistics.median(times):.4f} ms")


if __name__ == "__main__":
    main()
