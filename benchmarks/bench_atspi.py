"""
How long a window's elements take to read over AT-SPI, on real applications on a private desktop.

    .venv/bin/python benchmarks/bench_atspi.py [--runs 15]

Each application is read in three ways, one after the other in each round, so that a busy machine slows all of them: Handeye's
provider; node by node, each question after the answer to the one before, as libatspi's bindings do (role, states, name, box and
children of what is shown, and nothing else); and the same questions level by level, many at once. Wall time is the work of the
application as much as ours: the minimum of the rounds is what an idle machine would need; CPU is ours alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from handeye.clock import SystemClock
from handeye.devices.desktop.base import Window
from handeye.errors import HandeyeError
from handeye.perceive.atspi import AccessibilityBus, AtspiStateProvider
from handeye.perceive.atspi.applications import find_window
from handeye.perceive.atspi.calls import ACCESSIBLE, Caller, Question, Ref
from handeye.perceive.atspi.nodes import Node, read_basics, ref_from
from handeye.testing.desktop import PrivateDesktop

BEDS = Path(__file__).parents[1] / "tests" / "desktop" / "beds"
PATIENCE_S = 60.0


async def one_by_one(caller: Caller, window: Window) -> int:
    return await _walk(caller, window, at_once=1)


async def level_by_level(caller: Caller, window: Window) -> int:
    return await _walk(caller, window, at_once=10_000)


async def _walk(caller: Caller, window: Window, at_once: int) -> int:
    """Every object that is shown below the window's frame; the number of those that were read."""
    frame = (await find_window(caller, window, {})).frame
    level, seen = [frame], {frame.ref}
    while level:
        below: list[Node] = []
        shown = [node for node in level if node.showing]
        for start in range(0, len(shown), at_once):
            for refs in await _children(caller, shown[start : start + at_once]):
                new = [Node(ref) for ref in refs if ref not in seen]
                seen |= {node.ref for node in new}
                below += new
        for start in range(0, len(below), at_once):
            await read_basics(caller, below[start : start + at_once])
        level = below
    return len(seen)


async def _children(caller: Caller, nodes: list[Node]) -> list[list[Ref]]:
    rows = [Question(node.ref, ACCESSIBLE, "GetChildren", "a(so)") for node in nodes]
    return [[ref for pair in pairs or () if (ref := ref_from(pair))] for pairs in await caller.ask_all(rows)]


@contextmanager
def opened(desktop: PrivateDesktop, command: list[str], title: str) -> Iterator[Window]:
    process = desktop.launch(*command, wait_for_title=title)
    try:
        yield desktop.wait_for_window(title)
    finally:
        process.terminate()
        process.wait()


def applications(folder: Path) -> Iterator[tuple[str, list[str], str]]:
    if subprocess.run([sys.executable, "-c", "import PySide6"], check=False, capture_output=True).returncode == 0:
        for rows in (8, 60):
            yield (
                f"Qt 6, {rows} rows",
                [sys.executable, str(BEDS / "qt_bed.py"), f"--rows={rows}", "--tab=Table"],
                "Qt bed",
            )
    if Path("/usr/bin/python3").exists():
        yield "GTK 3, 60 rows", ["/usr/bin/python3", str(BEDS / "gtk_bed.py"), "--rows=60", "--tab=Table"], "GTK bed"
    if shutil.which("featherpad"):
        yield "Qt 5, FeatherPad", ["featherpad", "--standalone"], "Untitled"
    if shutil.which("chromium"):
        page = folder / "page.html"
        links = "".join(f"<li><a href='#{n}'>link {n}</a>" for n in range(300))
        page.write_text(f"<!doctype html><title>Bench page</title><button>Go</button><ul>{links}</ul>")
        sandbox = ["--no-sandbox", "--test-type"] if os.geteuid() == 0 else []
        flags = [
            "--force-renderer-accessibility",
            "--no-first-run",
            "--disable-gpu",
            f"--user-data-dir={folder / 'profile'}",
        ]
        yield "Chromium", ["chromium", *sandbox, *flags, page.as_uri()], "Bench page"


def timed(work: Callable[[], int]) -> tuple[int, float, float]:
    """How many elements, wall ms, CPU ms of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    count = work()
    return count, (time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3


def measure(
    bus: AccessibilityBus, provider: AtspiStateProvider, window: Window, runs: int
) -> dict[str, list[tuple[int, float, float]]]:
    def walk(way: Callable[[Caller, Window], object]) -> Callable[[], int]:
        return lambda: bus.run(lambda caller: way(caller, window), seconds=PATIENCE_S, clock=SystemClock())  # type: ignore[arg-type]

    ways: dict[str, Callable[[], int]] = {
        "handeye": lambda: len(provider.detect(window).targets),
        "one by one": walk(one_by_one),
        "level by level": walk(level_by_level),
    }
    results: dict[str, list[tuple[int, float, float]]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, work in ways.items():
            results[name].append(timed(work))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    print(f"{'application':18} {'way':15} {'elements':>8} {'min ms':>8} {'median':>8} {'our CPU':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder, PrivateDesktop() as desktop:
        for name, command, title in applications(Path(folder)):
            with (
                opened(desktop, command, title) as window,
                AccessibilityBus(environment=desktop.environment) as bus,
                AtspiStateProvider(bus) as provider,
            ):
                _settled(provider, window)
                results = measure(bus, provider, window, runs)
            least = min(wall for _, wall, _ in results["handeye"])
            for way, rows in results.items():
                walls = [wall for _, wall, _ in rows]
                cpu = statistics.median(cpu for _, _, cpu in rows)
                print(
                    f"{name:18} {way:15} {rows[-1][0]:8} {min(walls):8.1f} {statistics.median(walls):8.1f} {cpu:8.1f}"
                    f" {min(walls) / least:6.1f}",
                    flush=True,
                )


def _settled(provider: AtspiStateProvider, window: Window) -> None:
    """Wait until two readings agree: an application that has just begun adds to its tree for a while."""
    end, before = time.monotonic() + PATIENCE_S, -1
    while time.monotonic() < end:
        try:
            now = len(provider.detect(window).targets)
        except HandeyeError:
            now = -1
        if now == before > 1:
            return
        before = now
        time.sleep(0.5)


if __name__ == "__main__":
    main()
