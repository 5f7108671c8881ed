"""The two keyboards: a drawn QWERTY one whose keys type, and ADBKeyboard's thin bar that takes broadcasts."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Final, Protocol

from handeye.geometry import Box
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node, TextField
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.system.intent import Intent
from handeye_phone.system.settings import SettingsStore

LATIN: Final = "com.android.inputmethod.latin/.LatinIME"
ADB: Final = "com.android.adbkeyboard/.AdbIME"
_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SYMBOLS: Final = ("1234567890", "@#$_&-+()/", "*\"':;!?")
_KEY_DP: Final = 52
EDITOR_ACTIONS: Final = frozenset({2, 3, 4, 5, 6})  # go, search, send, next, done


class KeyboardHost(Protocol):
    """Interface of the phone that a keyboard uses."""

    def commit(self, text: str) -> None: ...
    def key(self, code: int) -> None: ...


class Keyboard:
    """State of the drawn keyboard: shift and the symbols page."""

    def __init__(self, typist: KeyboardHost) -> None:
        self._typist = typist
        self.shift = False
        self.symbols = False

    def height(self, ui: LayoutContext, method: str, covers: bool) -> int:
        """Height in pixels from the bottom of the screen, system bar included."""
        if method != LATIN:
            return ui.dp(36) + ui.bottom
        if covers:
            return ui.size.height // 3
        wanted = ui.dp(4 * _KEY_DP + 12) + ui.bottom
        return min(wanted, int(ui.size.height * (0.52 if ui.landscape else 0.4)))

    def build(self, ui: LayoutContext, method: str, height: int, enter: str) -> Node:
        """Return the keyboard's window; `enter` is the glyph on its enter key."""
        box = Box(0, ui.size.height - height, ui.size.width, ui.size.height)
        if method != LATIN:
            label = Label(("ADB Keyboard {ON}",), ui.dp(13), ui.theme.dim, "center")
            strip = Box(0, box.top, box.right, box.bottom - ui.bottom)
            text = Node(box=strip, cls="android.widget.TextView", text="ADB Keyboard {ON}", paint=(label,))
            return Node(
                box=box,
                cls="android.widget.FrameLayout",
                paint=(FillPaint(ui.theme.keyboard),),
                kids=(text,),
                block=True,
            )
        keys = self._keys(ui, Box(0, box.top + ui.dp(6), box.right, box.bottom - ui.bottom - ui.dp(4)), enter)
        return Node(
            box=box,
            cls="android.widget.FrameLayout",
            rid="keyboard",
            paint=(FillPaint(ui.theme.keyboard),),
            kids=keys,
            block=True,
        )

    def _keys(self, ui: LayoutContext, area: Box, enter: str) -> tuple[Node, ...]:
        rows = _SYMBOLS if self.symbols else _ROWS
        step = area.height // 4
        unit = area.width / 10
        kids: list[Node] = []
        for number, letters in enumerate(rows):
            shown = letters.upper() if self.shift and not self.symbols else letters
            left = area.left + (area.width - unit * len(letters)) / 2
            for index, char in enumerate(shown):
                x = left + index * unit
                cell = Box(round(x), area.top + number * step, round(x + unit), area.top + (number + 1) * step)
                kids.append(self._key(ui, cell, char, partial(self._type, char)))
        third = area.top + 2 * step
        side = round(unit * 1.5)
        kids.append(
            self._key(
                ui,
                Box(area.left, third, area.left + side, third + step),
                "",
                self._toggle_shift,
                art="key_shift",
                desc="Shift",
            )
        )
        kids.append(
            self._key(
                ui,
                Box(area.right - side, third, area.right, third + step),
                "",
                lambda: self._typist.key(67),
                art="key_delete",
                desc="删除",
            )
        )
        kids.extend(self._bottom_row(ui, Box(area.left, third + step, area.right, third + 2 * step), unit, enter))
        return tuple(kids)

    def _bottom_row(self, ui: LayoutContext, row: Box, unit: float, enter: str) -> list[Node]:
        cuts = [0.0, 1.5, 2.5, 7.5, 8.5, 10.0]
        cells = [
            Box(row.left + round(a * unit), row.top, row.left + round(b * unit), row.bottom) for a, b in pairwise(cuts)
        ]
        page = "ABC" if self.symbols else "?123"
        return [
            self._key(ui, cells[0], page, self._toggle_symbols, special=True, size=15),
            self._key(ui, cells[1], ",", lambda: self._type(",")),
            self._key(ui, cells[2], "", lambda: self._type(" "), caption="English", desc="空格"),
            self._key(ui, cells[3], ".", lambda: self._type(".")),
            self._key(ui, cells[4], "", lambda: self._typist.key(66), art=enter, desc="Enter", accent=True),
        ]

    def _key(
        self,
        ui: LayoutContext,
        cell: Box,
        char: str,
        on_tap: Callable[[], None],
        *,
        art: str = "",
        desc: str = "",
        caption: str = "",
        special: bool = False,
        accent: bool = False,
        size: float = 22,
    ) -> Node:
        theme = ui.theme
        cap = Box(cell.left + ui.dp(2.5), cell.top + ui.dp(4), cell.right - ui.dp(2.5), cell.bottom - ui.dp(4))
        fill = theme.key_special if special or art else theme.key
        ink = theme.text
        if accent:
            fill, ink = theme.system, theme.on_system
        limit = max(8, int(cap.height * 0.62))
        paints: tuple[Label | IconPaint, ...] = ()
        if art:
            paints = (IconPaint(art, min(ui.dp(22), limit), ink),)
        elif char or caption:
            shown, color = (char, ink) if char else (caption, theme.dim)
            paints = (Label((shown,), min(ui.dp(size if char else 13), limit), color, "center"),)
        under = Box(cap.left, cap.top + ui.dp(1), cap.right, cap.bottom + ui.dp(1))
        shade = Node(
            box=under, paint=(FillPaint("#0000002e" if not theme.dark else "#00000060", ui.dp(6)),), dumped=False
        )
        face = Node(box=cap, paint=(FillPaint(fill, ui.dp(6)), *paints), dumped=False)
        return Node(box=cell, cls="android.widget.Button", text=char, desc=desc, kids=(shade, face), on_tap=on_tap)

    def _type(self, text: str) -> None:
        self._typist.commit(text)
        self.shift = False

    def _toggle_shift(self) -> None:
        self.shift = not self.shift

    def _toggle_symbols(self) -> None:
        self.symbols = not self.symbols


def receive(intent: Intent, field: TextField, typist: KeyboardHost) -> None:
    """Handle a broadcast as ADBKeyboard does; malformed ones are ignored."""
    extras = intent.extras
    match intent.action:
        case "ADB_INPUT_B64":
            try:
                typist.commit(base64.b64decode(str(extras["msg"])).decode("utf-8"))
            except (KeyError, binascii.Error, ValueError):
                return
        case "ADB_INPUT_TEXT" if isinstance(extras.get("msg"), str):
            typist.commit(str(extras["msg"]))
        case "ADB_INPUT_CHARS":
            codes = extras.get("chars")
            if isinstance(codes, list) and all(str(code).isdigit() and int(code) < 0x110000 for code in codes):
                typist.commit("".join(chr(int(code)) for code in codes))
        case "ADB_INPUT_CODE" if isinstance(extras.get("code"), int):
            typist.key(int(str(extras["code"])))
        case "ADB_EDITOR_CODE" if extras.get("code") in EDITOR_ACTIONS:
            if field.submit is not None:
                field.submit()
        case "ADB_CLEAR_TEXT":
            field.replace("")
        case _:
            return


# Installed, enabled and selected keyboards: the state behind `ime`.


class InputMethods:
    """Keeps the secure settings `default_input_method` and `enabled_input_methods` consistent."""

    def __init__(self, settings: SettingsStore, changed: Callable[[], None]) -> None:
        self._settings = settings
        self._changed = changed
        self.selected = LATIN
        self.enabled = [LATIN]
        self.installed = [LATIN, ADB]

    def install_adb_keyboard(self, on: bool) -> None:
        """Install or remove ADBKeyboard; removing it while selected falls back to another."""
        self.installed = [LATIN, ADB] if on else [LATIN]
        if not on:
            self.enable(ADB, on=False)
        self._publish()

    def enable(self, name: str, *, on: bool) -> bool:
        """Enable or disable a keyboard. Return False for an unknown one."""
        if on and name not in self.installed:
            return False
        self.enabled = [other for other in self.enabled if other != name]
        if on:
            self.enabled.append(name)
        elif self.selected == name:
            self.selected = self.enabled[0] if self.enabled else LATIN
        self._publish()
        return name in (LATIN, ADB)

    def select(self, name: str) -> bool:
        """Select a keyboard. Return False for one that is not enabled."""
        if name not in self.enabled:
            return False
        self.selected = name
        self._publish()
        return True

    def setting_written(self, key: str, value: str | None) -> None:
        """Apply a written value of one of the two settings if it is valid, else restore the setting."""
        if key == "default_input_method":
            self.select(value or "")
        elif key == "enabled_input_methods":
            self.enabled = [name for name in (value or "").split(":") if name in self.installed] or [LATIN]
            if self.selected not in self.enabled:
                self.selected = self.enabled[0]
        self._publish()

    def _publish(self) -> None:
        self._settings.put_silently("secure", "default_input_method", self.selected)
        self._settings.put_silently("secure", "enabled_input_methods", ":".join(self.enabled))
        self._changed()
