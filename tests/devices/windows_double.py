"""Win32 by a script: monitors, windows and a keyboard in memory, and a record of what was sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from handeye.devices.windows.api import KeyEvent, MonitorRow, MouseEvent, WindowRow
from handeye.geometry import Box, Point
from handeye.screen import Pixels

CAPTION = 0x00CF0000
POPUP_STYLE = 0x80000000
TOOL, TOPMOST, TRANSPARENT, NO_ACTIVATE = 0x80, 0x8, 0x20, 0x08000000


def row(id: int, title: str, client: Box, **about: object) -> WindowRow:
    """A window with a title bar of 30 pixels and edges of 8."""
    frame = Box(client.left - 8, client.top - 30, client.right + 8, client.bottom + 8)
    made = WindowRow(id, title, "Notepad", client, frame, 40 + id, "notepad.exe", CAPTION, 0)
    return replace(made, **about)  # type: ignore[arg-type]


class ScriptedWin32:
    """A Win32. `shown` is topmost first; the foreground is given at request number `gives_focus_after`."""

    def __init__(self, *shown: WindowRow, monitors: Sequence[MonitorRow] | None = None) -> None:
        self.shown = list(shown)
        self.screens = list(monitors or [MonitorRow("DISPLAY1", Box(0, 0, 1920, 1080), True)])
        self.focused = shown[0].id if shown else 0
        self.asked_for_focus = 0
        self.asked_for_keys = 0
        self.gives_focus_after = 1
        self.hung = False
        self.running: set[int] = set()
        self.drawn: Pixels | None = None
        self.copied: list[Box] = []
        self.sent: list[MouseEvent | KeyEvent] = []
        self.takes = 10**9
        self.at = Point(0, 0)
        self.lands: Callable[[Point], Point] = lambda to: to
        self.down: set[int] = set()
        self.went_down: set[int] = set()  # since somebody asked last
        self.swapped = False
        self.layout: dict[str, tuple[int, int]] = {"?": (0xBF, 1), "/": (0xBF, 0), "€": (0x45, 6), "漢": (0x41, 8)}
        self.board: str | None = None
        self.other_content = False
        self.programs = {"notepad.exe": "C:\\windows\\notepad.exe"}
        self.started: list[str] = []
        self.pasted: list[str | None] = []

    # -- what is there

    def monitors(self) -> Sequence[MonitorRow]:
        return self.screens

    def virtual_screen(self) -> Box:
        boxes = [screen.box for screen in self.screens]
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )

    def windows(self) -> Sequence[int]:
        return [each.id for each in self.shown]

    def about(self, window: int) -> WindowRow | None:
        return next((each for each in self.shown if each.id == window), None)

    def popup_of(self, window: int) -> int:
        return next((each.id for each in self.shown if each.owner == window and each.style & CAPTION), window)

    def foreground(self) -> int:
        return self.focused

    def is_hung(self, window: int) -> bool:
        return self.hung

    def is_running(self, process: int) -> bool:
        return process in self.running

    # -- pixels

    def copy_screen(self, box: Box) -> Pixels:
        self.copied.append(box)
        return np.full((box.height, box.width, 3), 9, np.uint8)

    def print_window(self, window: int, width: int, height: int) -> Pixels | None:
        return self.drawn

    # -- hands

    def send(self, events: Sequence[MouseEvent | KeyEvent]) -> int:
        taken = list(events)[: self.takes]
        self.sent += taken
        for event in taken:
            if isinstance(event, MouseEvent) and event.flags & 0x8000:
                self.at = self.lands(pixel_of(event, self.virtual_screen()))
            if isinstance(event, KeyEvent) and event.key:
                (self.down.discard if event.flags & 2 else self.down.add)(event.key)
        if any(isinstance(event, KeyEvent) and event.key == 0x56 for event in taken):
            self.pasted.append(self.board)
        return len(taken)

    def pointer(self) -> Point:
        return self.at

    def put_pointer(self, to: Point) -> bool:
        self.at = to if any(screen.box.contains(to) for screen in self.screens) else self.at
        return True

    def is_down(self, key: int) -> bool:
        return self.key_state(key)[0]

    def key_state(self, key: int) -> tuple[bool, bool]:
        self.asked_for_keys += 1
        went_down = key in self.went_down
        self.went_down.discard(key)
        return key in self.down, went_down

    def buttons_swapped(self) -> bool:
        return self.swapped

    def key_for(self, character: str) -> tuple[int, int] | None:
        return self.layout.get(character)

    def scan_code(self, key: int) -> int:
        return key + 1

    # -- focus

    def restore(self, window: int) -> None:
        self._change(window, minimized=False)

    def set_foreground(self, window: int) -> bool:
        self.asked_for_focus += 1
        if self.asked_for_focus >= self.gives_focus_after:
            self.focused = window
        return self.focused == window

    def set_foreground_attached(self, window: int) -> bool:
        return self.set_foreground(window)

    def put_on_top(self, window: int) -> None:
        own = self.about(window)
        if own is not None and self.focused == window:
            self.shown.remove(own)
            self.shown.insert(sum(bool(each.extended & TOPMOST) for each in self.shown), own)

    def ask_to_close(self, window: int) -> bool:
        self.shown = [each for each in self.shown if each.id != window]
        return True

    # -- programs

    def find_program(self, name: str) -> str | None:
        return self.programs.get(name.casefold())

    def start(self, path: str) -> None:
        self.started.append(path)

    def open_address(self, address: str) -> None:
        self.started.append(address)

    # -- clipboard

    def clipboard(self) -> str | None:
        return self.board

    def holds_other_than_text(self) -> bool:
        return self.other_content

    def set_clipboard(self, text: str | None) -> None:
        self.board = text

    def _change(self, window: int, **about: object) -> None:
        self.shown = [replace(each, **about) if each.id == window else each for each in self.shown]  # type: ignore[arg-type]


def pixel_of(event: MouseEvent, screen: Box) -> Point:
    """Pixel at which Windows puts the pointer: steps of 1/65,536 of all monitors, rounded down."""
    return Point(screen.left + event.x * screen.width // 65536, screen.top + event.y * screen.height // 65536)
