"""
Time to read a window's elements over AT-SPI, on real applications on a private desktop.

    .venv/bin/python benchmarks/bench_atspi.py [--runs 15]

Each application is read in three ways, one after the other in each round, so that a busy machine slows all of them:
Handeye's provider; node by node, each question after the answer to the one before, as libatspi's bindings do (role,
states, name, box and children of what is shown, and nothing else); and the same questions level by level, many at once.
LibreOffice Calc is read by the provider alone: its sheet claims 2,147,483,647 children. Wall time is the work of the
application as much as ours, and of whatever else the machine does. CPU does not depend on that: ours, and that of
everything on the private desktop (the application and the bus). An idle machine with two cores needs about the larger
of the two.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from handeye.clock import SystemClock
from handeye.devices import Window
from handeye.errors import HandeyeError
from handeye.perceive.atspi import AccessibilityBus, AtspiStateProvider
from handeye.perceive.atspi.applications import find_window
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import Node, read_basics, ref_from
from handeye.perceive.atspi.protocol import ACCESSIBLE, Question, Ref
from handeye.testing.desktop import PrivateDesktop

BEDS = Path(__file__).parents[1] / "tests" / "desktop" / "beds"
PATIENCE_S = 60.0


async def one_by_one(caller: Caller, window: Window) -> int:
    return await _walk(caller, window, at_once=1)


async def level_by_level(caller: Caller, window: Window) -> int:
    return await _walk(caller, window, at_once=10_000)


async def _walk(caller: Caller, window: Window, at_once: int) -> int:
    """Read every object shown below the window's frame and return the number of objects read."""
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


class Application(NamedTuple):
    """`title` is a part of its window's, `walked` whether all of its tree can be asked for."""

    name: str
    command: list[str]
    title: str
    walked: bool = True


@contextmanager
def opened(desktop: PrivateDesktop, application: Application) -> Iterator[Window]:
    process = desktop.launch(
        *application.command, environment={"SAL_USE_VCLPLUGIN": "gtk3"}, wait_for_title=application.title
    )
    try:
        yield desktop.wait_for_window(application.title)
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # LibreOffice is a child of its own starter
        process.wait()


def applications(folder: Path) -> Iterator[Application]:
    if subprocess.run([sys.executable, "-c", "import PySide6"], check=False, capture_output=True).returncode == 0:
        for rows in (8, 60):
            yield Application(
                f"Qt 6, {rows} rows",
                [sys.executable, str(BEDS / "qt_bed.py"), f"--rows={rows}", "--tab=Table"],
                "Qt bed",
            )
    if Path("/usr/bin/python3").exists():
        bed = ["/usr/bin/python3", str(BEDS / "gtk_bed.py"), "--rows=60", "--tab=Table"]
        yield Application("GTK 3, 60 rows", bed, "GTK bed")
    if shutil.which("featherpad"):
        yield Application("Qt 5, FeatherPad", ["featherpad", "--standalone"], "Untitled")
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
        yield Application("Chromium", ["chromium", *sandbox, *flags, page.as_uri()], "Bench page")
    if shutil.which("libreoffice"):
        sheet = folder / "numbers.csv"
        sheet.write_text("Fruit,Weight\nApple,3\nPear,5\n")
        options = ["--norestore", "--nologo", "--nofirststartwizard", "--nolockcheck", "--infilter=CSV:44,34,76,1"]
        yield Application(
            "LibreOffice Calc", ["libreoffice", "--calc", *options, str(sheet)], "numbers.csv", walked=False
        )


def cpu_of(desktop: PrivateDesktop) -> float:
    """
    Return the CPU time in ms that all processes of a private desktop have used so far, in ticks of 10 ms.

    They are recognised by their environment, or as descendants of this process: Chromium overwrites its own
    environment.
    """
    mark = str(desktop.folder).encode()
    own: set[int] = set()
    ticks: dict[int, int] = {}
    starters: dict[int, int] = {}
    for process in Path("/proc").glob("[0-9]*"):
        number = int(process.name)
        try:
            about = (process / "stat").read_text().rpartition(")")[2].split()
            starters[number], ticks[number] = int(about[1]), sum(map(int, about[11:13]))
            if mark in (process / "environ").read_bytes():
                own.add(number)
        except OSError:
            continue  # it has ended, or belongs to another user
    while more := {number for number, starter in starters.items() if starter in own | {os.getpid()}} - own:
        own |= more
    return sum(ticks[number] for number in own) * 1e3 / os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """Number of elements that one way of reading found, and its times in ms."""

    elements: int = 0
    walls: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)
    theirs: float = 0.0


def measure(
    desktop: PrivateDesktop,
    bus: AccessibilityBus,
    provider: AtspiStateProvider,
    window: Window,
    runs: int,
    *,
    walked: bool,
) -> dict[str, Cost]:
    def walk(way: Callable[[Caller, Window], Coroutine[Any, Any, int]]) -> Callable[[], int]:
        return lambda: bus.run(lambda caller: way(caller, window), seconds=PATIENCE_S, clock=SystemClock())

    ways: dict[str, Callable[[], int]] = {"handeye": lambda: len(provider.detect(window).targets)}
    if walked:
        ways |= {"one by one": walk(one_by_one), "level by level": walk(level_by_level)}
    costs = {name: Cost() for name in ways}
    for _ in range(runs):
        for name, work in ways.items():
            cost, before = costs[name], cpu_of(desktop)
            wall, cpu = time.perf_counter(), time.process_time()
            cost.elements = work()
            cost.walls.append((time.perf_counter() - wall) * 1e3)
            cost.ours.append((time.process_time() - cpu) * 1e3)
            cost.theirs += (cpu_of(desktop) - before) / runs
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    print(
        f"{'application':18}{'way':16}{'elements':>9}{'wall min':>9}{'median':>9}{'our CPU':>9}{'their CPU':>10}{'all CPU':>9}"
    )
    with tempfile.TemporaryDirectory() as folder, PrivateDesktop() as desktop:
        for application in applications(Path(folder)):
            with (
                opened(desktop, application) as window,
                AccessibilityBus(environment=desktop.environment) as bus,
                AtspiStateProvider(bus, deadline_s=PATIENCE_S) as provider,
            ):
                _settled(provider, window)
                costs = measure(desktop, bus, provider, window, runs, walked=application.walked)
            least = statistics.median(costs["handeye"].ours) + costs["handeye"].theirs
            for way, cost in costs.items():
                ours = statistics.median(cost.ours)
                print(
                    f"{application.name:18}{way:16}{cost.elements:9}{min(cost.walls):9.1f}{statistics.median(cost.walls):9.1f}"
                    f"{ours:9.1f}{cost.theirs:10.1f}{(ours + cost.theirs) / least:8.1f}x",
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
