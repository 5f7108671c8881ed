"""
Pictures of a desktop: the whole screen at 1080p and 4K, a region, and a window, beside Pillow, mss and python-xlib.

    python benchmarks/bench_capture.py [--rounds 20] [--check]

Everything looks at the same private X server in the same rounds, taking turns, and must see the same pixels. The budget is
docs/spec/visual-locator.md: 100 ms for a whole screen.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import mss
import numpy as np
from PIL import ImageGrab
from Xlib import X
from Xlib.display import Display

from handeye.devices import DesktopDevice, X11Backend
from handeye.geometry import Box
from handeye.screen import Pixels
from handeye.testing.desktop import PrivateDesktop

BUDGET_MS = 100.0
SCREENS = (("1080p", (1920, 1080)), ("4K", (3840, 2160)))
REGION = Box(300, 200, 1100, 800)  # 800 x 600, as in the seed's example

Job = Callable[[], Pixels]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--check", action="store_true", help="exit 1 when the budget is missed")
    arguments = parser.parse_args()
    slow = [name for name, size in SCREENS if bench(name, size, arguments.rounds) > BUDGET_MS]
    if slow and arguments.check:
        sys.exit(f"over {BUDGET_MS:g} ms: {', '.join(slow)}")


def bench(name: str, size: tuple[int, int], rounds: int) -> float:
    """Prints one screen's figures; the median milliseconds of a whole screen through the device."""
    with PrivateDesktop(size) as desktop, noise(desktop.display, size):
        backend = desktop.backend
        device = DesktopDevice(backend)
        screen = Box(0, 0, *size)
        with mss.MSS(display=desktop.display) as plain:
            jobs: dict[str, Job] = {
                "device.screenshot()": lambda: device.screenshot().pixels,
                "mss, and to RGB with numpy": lambda: np.ascontiguousarray(
                    np.asarray(plain.grab(tuple(screen)))[:, :, 2::-1]
                ),
                "Pillow ImageGrab": lambda: np.asarray(ImageGrab.grab(xdisplay=desktop.display).convert("RGB")),
                "python-xlib get_image": lambda: by_xlib(backend, screen),
            }
            taken = measured(jobs, rounds)
        print(f"{name} ({size[0]}x{size[1]})")
        report(taken)
        window = backend.windows()[0]
        parts = {
            "region of 800x600": lambda: backend.grab(REGION),
            f"window of {window.box.width}x{window.box.height}": lambda: backend.grab_window(window),
            "the same by python-xlib": lambda: by_xlib(backend, window.box),
        }
        report(measured(parts, rounds, same=False))
        listing = measured({"list of windows": lambda: np.array(len(backend.windows()))}, rounds)
        report(listing)
        return statistics.median(taken["device.screenshot()"])


def by_xlib(backend: X11Backend, box: Box) -> Pixels:
    reply = backend.display.screen().root.get_image(box.left, box.top, box.width, box.height, X.ZPixmap, 0xFFFFFFFF)
    return np.frombuffer(reply.data, np.uint8).reshape(box.height, box.width, 4)[:, :, 2::-1]


def measured(jobs: dict[str, Job], rounds: int, *, same: bool = True) -> dict[str, list[float]]:
    """Milliseconds of each round, after one that does not count and in which all must see the same."""
    seen = [job() for job in jobs.values()]
    if same and not all(np.array_equal(seen[0], other) for other in seen):
        sys.exit("the methods do not see the same pixels")
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            began = time.perf_counter()
            job()
            taken[name].append((time.perf_counter() - began) * 1000)
    return taken


def report(taken: dict[str, list[float]]) -> None:
    first = statistics.median(next(iter(taken.values())))
    for name, times in taken.items():
        median = statistics.median(times)
        print(f"  {name:28} {median:8.1f} ms   x {median / first:5.2f}   least {min(times):.1f}")


@contextmanager
def noise(display: str, size: tuple[int, int]) -> Iterator[None]:
    """A window over most of the screen, whose picture is random: nothing can be guessed or skipped."""
    connection = Display(display)
    root = connection.screen().root
    width, height = size[0] - 40, size[1] - 60
    pixmap = root.create_pixmap(width, height, 24)
    gc = pixmap.create_gc()
    pixels = np.random.default_rng(1).integers(0, 256, (height, width, 4), np.uint8)
    for top in range(0, height, 8):
        rows = pixels[top : top + 8]
        pixmap.put_image(gc, 0, top, width, len(rows), X.ZPixmap, 24, 0, rows.tobytes())
    window = root.create_window(10, 30, width, height, 0, 24, background_pixmap=pixmap, event_mask=X.ExposureMask)
    window.map()
    shown = threading.Event()
    while not shown.is_set():
        if connection.next_event().type == X.Expose:
            shown.set()
    connection.sync()
    yield
    connection.close()


main()
