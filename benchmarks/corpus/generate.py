"""Making the corpus: rendered pages, phone screens and windows, always the same ones."""

from __future__ import annotations

import time
from itertools import chain
from pathlib import Path

from corpus import drawn_screens, phone_screens, qt_windows, web_pages


def generate(folder: Path, only: str = "") -> int:
    """
    Make every screen into `folder`/screens; the number of screens. Raises SystemExit that names what is missing.

    `only` limits the rendered pages to those whose name holds it.
    """
    start = time.perf_counter()
    web_pages.install(folder)
    count = 0
    makers = (
        drawn_screens.render(folder),
        phone_screens.render(folder),
        qt_windows.render(folder),
        web_pages.render(folder, only),
    )
    for count, _scene in enumerate(chain(*makers), 1):
        print(f"\r{count} screens", end="", flush=True)
    print(f"\r{count} screens in {time.perf_counter() - start:.0f} s")
    (folder / "screens" / "done").write_text(str(count))
    return count
