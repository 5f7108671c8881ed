"""Windows with known pixels on a private desktop: see beds/pattern_client.py."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from handeye.devices.desktop.base import Window
from handeye.geometry import Box
from handeye.testing.desktop import PrivateDesktop

CLIENT = Path(__file__).parent / "beds" / "pattern_client.py"
DEADLINE_S = 20.0


@contextmanager
def shown(desktop: PrivateDesktop, title: str, seed: int, box: Box, *options: str) -> Iterator[Window]:
    """A window whose client area shows `pattern(..., seed)`, asked for at the place of `box`; gone at the end."""
    numbers = map(str, (seed, box.left, box.top, box.width, box.height))
    process = desktop.launch(sys.executable, CLIENT, title, *numbers, *options)
    try:
        yield desktop.wait_for_window(title, process=process)
    finally:
        process.kill()
        process.wait()
        until(lambda: all(window.title != title for window in desktop.backend.windows()))


def until(holds: Callable[[], bool]) -> None:
    """Wait for a condition."""
    limit = time.monotonic() + DEADLINE_S
    while not holds():
        assert time.monotonic() < limit, "the condition did not come true"
        time.sleep(0.01)
