"""
A task on a desktop of its own, proved by others than Handeye: the file on disk, and the application's own word.

    python examples/desktop_demo.py

Opens an editor, types a paragraph with Chinese, saves it, and makes the side panel of another application wider. Needs
`pip install 'handeye[linux]' PySide6-Essentials`, and `apt-get install xvfb openbox dbus at-spi2-core mousepad`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from handeye.actions import ActionResult
from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice
from handeye.testing.desktop import PrivateDesktop

PARAGRAPH = "Handeye 在自己的桌面上写下这一段:看得见,点得准,说真话。Then it saves — ünïcode ✓."
BED = Path(__file__).parents[1] / "tests" / "desktop" / "beds" / "qt_bed.py"
WIDER = 60


def main() -> int:
    with PrivateDesktop() as desktop, DesktopSession(DesktopDevice(desktop.backend)) as session:
        proved = [written(desktop, session), resized(desktop, session)]
    return 0 if all(proved) else 1


def written(desktop: PrivateDesktop, session: DesktopSession) -> bool:
    """Type a paragraph into the editor and save it under a name."""
    desktop.launch("mousepad", wait_for_title="Mousepad")
    file = desktop.home / "段落.txt"
    said(session.type(PARAGRAPH, window="Mousepad"))
    session.press("ctrl+s", window="Mousepad")
    desktop.wait_for_window("Save As")
    session.press("ctrl+a", window="Save As")
    said(session.type(str(file), window="Save As"))
    said(session.click("the Save button", window="Save As"))
    proved = until(lambda: file.exists() and file.read_text("utf-8").strip() == PARAGRAPH)
    print(f"{'✓' if proved else '✗'} the file on disk: {file.read_text('utf-8').strip() if file.exists() else 'none'}")
    return proved


def resized(desktop: PrivateDesktop, session: DesktopSession) -> bool:
    """Drag the border that no application names: between the side panel and the page."""
    bed = desktop.launch(sys.executable, BED, "--title", "Side panel", wait_for_title="Side panel")

    def width() -> int:
        told = desktop.output(bed).split("\n")[:-1]
        return int(json.loads(told[-1])["splitters"]["main"][0]) if told else 0

    until(lambda: width() > 0)
    before = width()
    said(session.drag("the splitter between Places and Form", (WIDER, 0), window="Side panel"))
    proved = until(lambda: width() == before + WIDER)
    print(f"{'✓' if proved else '✗'} the application's own word: its side panel was {before} wide and is {width()} now")
    return proved


def said(result: ActionResult) -> None:
    print(f"  {result.note}{'; verified' if result.verified else ''}")


def until(reached: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


if __name__ == "__main__":
    sys.exit(main())
