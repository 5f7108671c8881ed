"""
Seed 002's cost table, measured: nine steps on a real application, by the tiers that may be used.

    python benchmarks/desktop_tiers.py

A private desktop runs the tests' Qt 6 application (PySide6). Each step is named in words, done with mouse and keyboard, and
counts when the application's own state says so. A configuration with tier 2 asks the model that the environment names; without
one it is not run, and its line says so.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handeye.desktop.session import DesktopSession
from handeye.devices.desktop.device import DesktopDevice
from handeye.errors import HandeyeError
from handeye.models.configured import configuration
from handeye.testing.desktop import PrivateDesktop

BED = Path(__file__).parents[1] / "tests" / "desktop" / "beds" / "qt_bed.py"
TITLE = "Handeye tiers"
DEADLINE_S = 3.0
POLL_S = 0.02
State = Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    name: str
    do: Callable[[DesktopSession], object]
    reached: Callable[[State, State], bool]
    """Whether the application is as it should be, by its state before and after."""


STEPS = (
    Step("button", lambda s: s.click("the Save button"), lambda a, b: b["clicks"].get("Save", 0) == 1),
    Step(
        "edit", lambda s: s.type("你好 world", into="the Name field"), lambda a, b: b["texts"]["Name"] == "你好 world"
    ),
    Step("canvas button", lambda s: s.click("the icon in Sketch"), lambda a, b: b["clicks"].get("heart", 0) == 1),
    Step("tab", lambda s: s.click("the Table tab"), lambda a, b: b["chosen"]["tab"] == "Table"),
    Step("list", lambda s: s.click("图片"), lambda a, b: b["chosen"]["list"] == "图片"),
    Step(
        "column border",
        lambda s: s.drag("the column border between Name and Size", (40, 0)),
        lambda a, b: b["columns"]["Name"] == a["columns"]["Name"] + 40,
    ),
    Step(
        "row border",
        lambda s: s.drag("the row border below Name 1", (0, 20)),
        lambda a, b: b["rows"][0] == a["rows"][0] + 20,
    ),
    Step(
        "splitter",
        lambda s: s.drag("the splitter between Places and Folders", (0, 25)),
        lambda a, b: b["splitters"]["side"][0] == a["splitters"]["side"][0] + 25,
    ),
    Step(
        "resize handle",
        lambda s: s.drag("the resize handle of Files", (30, 24)),
        lambda a, b: b["table"] == [a["table"][0] + 30, a["table"][1] + 24],
    ),
)
CONFIGURATIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("tier 1 alone", ("1",)),
    ("tier 1, 1+", ("1", "1+")),
    ("tier 1, 2", ("1", "2")),
    ("tier 1, 3a", ("1", "3a")),
    ("tier 1, 1+, 3a", ("1", "1+", "3a")),
    ("tier 1, 1+, 2, 3a", ("1", "1+", "2", "3a")),
)


def main() -> None:
    has_model = configuration() is not None
    print(f"{'tiers':<20}{'success':>9}{'cost':>9}{'calls':>7}{'seconds':>9}  not reached")
    with PrivateDesktop() as desktop:
        for name, tiers in CONFIGURATIONS:
            if "2" in tiers and not has_model:
                print(f"{name:<20}{'-':>9}{'-':>9}{'-':>7}{'-':>9}  not run: no model is configured")
                continue
            print(measured(desktop, name, tiers), flush=True)


def measured(desktop: PrivateDesktop, name: str, tiers: tuple[str, ...]) -> str:
    process = desktop.launch(sys.executable, BED, "--title", TITLE, wait_for_title=TITLE)
    try:
        device = DesktopDevice(desktop.backend)
        with DesktopSession(device, vision="2" in tiers, tiers=tiers) as session:
            began = time.monotonic()
            missed = [step.name for step in STEPS if not carried_out(step, session, desktop, process)]
            took, usage = time.monotonic() - began, session.usage
    finally:
        process.kill()
        process.wait()
        while any(TITLE in window.title for window in desktop.backend.windows()):
            time.sleep(POLL_S)
    done = f"{len(STEPS) - len(missed)}/{len(STEPS)}"
    cost = f"${usage.cost:.3f}" if usage.cost else "$0"
    return f"{name:<20}{done:>9}{cost:>9}{usage.calls:>7}{took:>9.1f}  {', '.join(missed) or 'none'}"


def carried_out(step: Step, session: DesktopSession, desktop: PrivateDesktop, process: subprocess.Popen[bytes]) -> bool:
    before = told(desktop, process)
    try:
        step.do(session)
    except HandeyeError:
        return False
    end = time.monotonic() + DEADLINE_S
    while not step.reached(before, told(desktop, process)):
        if time.monotonic() > end:
            return False
        time.sleep(POLL_S)
    return True


def told(desktop: PrivateDesktop, process: subprocess.Popen[bytes]) -> State:
    """The last line that the application wrote of itself."""
    while not (lines := desktop.output(process).split("\n")[:-1]):
        time.sleep(POLL_S)
    state: State = json.loads(lines[-1])
    return state


if __name__ == "__main__":
    main()
