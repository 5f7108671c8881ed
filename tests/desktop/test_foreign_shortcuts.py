"""Tests of shortcuts whose letter the keyboard layout lacks, also from a command that ends at once."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from live_tree import until
from typing_places import CHROMIUM
from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest

from handeye.actions import PressKey
from handeye.devices import DesktopDevice
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need, need_gtk

BED = Path(__file__).parent / "beds" / "taking_bed.py"


MENU_CODE = 135


@pytest.fixture(params=["ru", "gr", "us,de,ru"])
def layout(request: pytest.FixtureRequest, desktop: PrivateDesktop) -> Iterator[None]:
    """The last of these layouts is in use. The core protocol tells of two."""
    need_gtk()
    need("setxkbmap", "x11-xkb-utils")

    def choose(*words: str) -> None:
        subprocess.run(["setxkbmap", *words], env=dict(desktop.environment), check=True, timeout=120)

    layouts = request.param.split(",")
    choose(request.param, "-option", "grp:menu_toggle")
    _tap(desktop, len(layouts) - 1)
    yield
    _tap(desktop, 1 if len(layouts) > 1 else 0)
    choose("us", "-option", "")


def _tap(desktop: PrivateDesktop, times: int) -> None:
    """The key that goes to the next layout."""
    with closing(Display(desktop.display)) as display:
        for event in (X.KeyPress, X.KeyRelease) * times:
            xtest.fake_input(display, event, MENU_CODE)
        display.sync()


def test_press_command_delivers_shortcut_to_slow_window(desktop: PrivateDesktop, layout: None) -> None:
    bed = desktop.launch(SYSTEM_PYTHON, BED, "--by", "dialog", "--slow-s", "0.3")
    desktop.wait_for_window("Letter", process=bed)
    try:
        command = (sys.executable, "-m", "handeye", "press", "ctrl+s", "--window", "Letter", "--device", desktop.uri)
        for count in (1, 2, 3):
            subprocess.run(command, env=dict(desktop.environment), check=True, timeout=120)
            until(lambda count=count: json.loads(desktop.output(bed).splitlines()[-1])["shortcuts"] == count)  # type: ignore[misc]
    finally:
        bed.kill()
        bed.wait()


_PAGE = """<!doctype html><meta charset=utf-8><title>none yet</title><script>
let count = 0
const ready = setInterval(() => { if (document.hasFocus()) { clearInterval(ready); document.title = "ready" } }, 20)
onkeydown = key => { if (key.ctrlKey && key.key == "s") document.title = `saved ${++count}`; key.preventDefault() }
</script>"""


def test_page_receives_shortcut_missing_from_keyboard_layout(desktop: PrivateDesktop, layout: None) -> None:
    need("chromium")
    page = desktop.home / "shortcut.html"
    page.write_text(_PAGE)
    profile = desktop.home / "shortcut-profile"
    process = desktop.launch("chromium", *CHROMIUM, f"--user-data-dir={profile}", f"--app=file://{page}")
    try:
        desktop.backend.focus(desktop.wait_for_window(re.compile("none yet|ready"), process=process))
        window = desktop.wait_for_window("ready", process=process)
        device = DesktopDevice(desktop.backend)
        for count in (1, 2):
            desktop.backend.focus(window)
            device.perform(PressKey("ctrl+s"))
            desktop.wait_for_window(f"saved {count}", process=process)
    finally:
        process.kill()
        process.wait()
