"""Applications to type into, each of which says itself what arrived: on disk, on its standard output, in its title."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from x11_patterns import until

from handeye.devices import MouseButton, Window, X11Backend
from handeye.devices.desktop.keys import chord
from handeye.geometry import Point
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need, need_pyside

QT_BED = Path(__file__).parent / "beds" / "qt_bed.py"

_PAGE = """<!doctype html><meta charset=utf-8><title>empty</title>
<textarea id=t autofocus style="position:fixed;inset:0"></textarea>
<script>
t.onkeydown = key => { if (key.key == "Tab") { key.preventDefault(); document.execCommand("insertText", false, "\\t") } }
const ready = setInterval(() => { if (document.hasFocus()) { clearInterval(ready); document.title = "[]" } }, 20)
t.oninput = () => document.title = "[" + encodeURIComponent(t.value) + "]"</script>"""
_TITLE = re.compile(r"\[(.*)\]")
CHROMIUM = ("--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--password-store=basic")


class Place:
    """A window whose text field has the keyboard after `begin`; `read` is what stands in it."""

    def __init__(self, name: str, backend: X11Backend, window: Window, read: Callable[[], str]) -> None:
        self.name = name
        self._backend = backend
        self._window = window
        self.read = read

    def begin(self) -> None:
        """Click into the field, and empty it."""
        window = self._backend.window(self._window.id)
        assert window is not None
        if not window.focused:
            self._backend.focus(window)
        left, top, right, bottom = window.box
        self._backend.move(Point((left + right) // 2, (top + bottom) // 2))
        for down in (True, False):
            self._backend.button(MouseButton.LEFT, down=down)
        press(self._backend, "ctrl+a")
        press(self._backend, "delete")
        self.holds("")

    def holds(self, text: str) -> None:
        """Wait until exactly `text` stands in the field."""
        try:
            until(lambda: self.read() == text)
        except AssertionError:
            assert self.read() == text, self.name


def open_place(name: str, desktop: PrivateDesktop) -> Place:
    """One of mousepad (GTK 3), featherpad (Qt 5), bed (Qt 6), chromium. Skipped where it is not installed."""
    backend = desktop.backend
    if name == "bed":
        need_pyside()
        bed = desktop.launch(sys.executable, QT_BED, "--tab", "Text", "--title", "Typing bed")
        window = desktop.wait_for_window("Typing bed", process=bed)
        return Place(name, backend, window, lambda: _told(desktop.output(bed)))
    need(name)
    if name == "chromium":
        page = desktop.home / "typing.html"
        page.write_text(_PAGE)
        profile = desktop.home / "typing-profile"
        process = desktop.launch(name, *CHROMIUM, f"--user-data-dir={profile}", f"--app=file://{page}")
        window = desktop.wait_for_window(re.compile(r"empty|\[\]"), process=process)
        backend.focus(window)
        window = desktop.wait_for_window("[]", process=process)
        return Place(name, backend, window, lambda: _titled(backend, window.id))
    file = desktop.home / f"typing-{name}.txt"
    file.write_text("")
    process = desktop.launch(name, file, wait_for_title=file.name)
    window = desktop.wait_for_window(file.name, process=process)
    return Place(name, backend, window, lambda: _saved(backend, file))


def press(backend: X11Backend, keys: str) -> None:
    names = [key.name for key in chord(keys)]
    for name in names:
        backend.key(name, down=True)
    for name in reversed(names):
        backend.key(name, down=False)


def _saved(backend: X11Backend, file: Path) -> str:
    press(backend, "ctrl+s")
    return file.read_text().removesuffix("\n")


def _told(output: str) -> str:
    lines = output.split("\n")[:-1]
    return str(json.loads(lines[-1])["texts"]["Notes"]) if lines else "nothing yet"


def _titled(backend: X11Backend, id: int) -> str:
    window = backend.window(id)
    found = _TITLE.search(window.title) if window else None
    return unquote(found[1]) if found else ""
