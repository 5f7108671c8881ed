"""Making the corpus: rendered pages, phone screens and windows, always the same ones."""

from __future__ import annotations

import time
from pathlib import Path

from corpus import phone_screens, qt_windows, web_pages


def generate(folder: Path) -> int:
    """Make every screen into `folder`/screens; the number of screens. Raises SystemExit that names what is missing."""
    start = time.perf_counter()
    web_pages.install(folder)
    count = 0
    for maker in (phone_screens.render, qt_windows.render, web_pages.render):
        for _scene in maker(folder):
            count += 1
            print(f"\r{count} screens", end="", flush=True)
    print(f"\r{count} screens in {time.perf_counter() - start:.0f} s")
    (folder / "screens" / "done").write_text(str(count))
    return count
