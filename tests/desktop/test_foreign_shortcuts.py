"""A shortcut whose letter the layout lacks arrives, also from a command that ends at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from live_tree import until
from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest

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


def test_a_command_ends_when_the_window_has_seen_its_shortcut(desktop: PrivateDesktop, layout: None) -> None:
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
