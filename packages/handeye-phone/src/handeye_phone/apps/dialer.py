"""The dialer: a number pad, and the page of a call."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from handeye.geometry import Box
from handeye_phone.apps.base import App, Host
from handeye_phone.drawing.scene import FillPaint, IconPaint, Label, Node
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.system.intent import Intent

_PAD: Final = (
    ("1", ""),
    ("2", "ABC"),
    ("3", "DEF"),
    ("4", "GHI"),
    ("5", "JKL"),
    ("6", "MNO"),
    ("7", "PQRS"),
    ("8", "TUV"),
    ("9", "WXYZ"),
    ("*", ""),
    ("0", "+"),
    ("#", ""),
)
_LONGEST: Final = 32  # digits that fit the display


class Dialer(App):
    package = "com.android.dialer"
    label = "电话"
    activity = ".DialtactsActivity"
    icon = "call"
    version = "14"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.number = ""
        self.calling = False
        self.calls: list[str] = []  # every number that was called, oldest first

    def opened(self, intent: Intent | None, fresh: bool) -> None:
        if fresh:
            self.number, self.calling = "", False
        if intent is not None and intent.data and intent.data.startswith("tel:"):
            self.number = unquote(intent.data[4:])[:_LONGEST]
            if (intent.action or "").endswith("CALL"):
                self._call()
            else:
                self.calling = False

    def clear_data(self) -> None:
        self.number, self.calling = "", False

    @property
    def light_ink(self) -> bool:
        return self.calling

    def screen_name(self) -> str:
        return "call" if self.calling else "dialpad"

    def back(self) -> bool:
        if self.calling:
            self.calling = False
            return True
        return False

    def _press(self, digit: str) -> None:
        self.number = (self.number + digit)[:_LONGEST]

    def _erase(self) -> None:
        self.number = self.number[:-1]

    def _call(self) -> None:
        self.calling = bool(self.number)
        if self.calling:
            self.calls.append(self.number)

    def _hang_up(self) -> None:
        self.calling = False

    def build(self, ui: LayoutContext) -> Node:
        return self._call_page(ui) if self.calling else self._pad_page(ui)

    def _pad_page(self, ui: LayoutContext) -> Node:
        body = ui.body
        step = min(ui.dp(72), body.height * 3 // 5 // 5)
        width = min(ui.dp(108), ui.size.width // 3)
        top = body.bottom - step * 5 - ui.dp(8)
        left = (ui.size.width - 3 * width) // 2
        display = Box(ui.dp(16), max(body.top, top - ui.dp(110)), ui.size.width - ui.dp(16), top)
        kids = [ui.text(display, self.number, 34, ui.theme.text, rid="digits", align="center")]
        for index, (digit, letters) in enumerate(_PAD):
            x, y = left + index % 3 * width, top + index // 3 * step
            kids.append(self._digit(ui, Box(x, y, x + width, y + step), digit, letters))
        row = top + 4 * step
        call = Box(left + width, row, left + 2 * width, row + step)
        side = min(ui.dp(60), step - ui.dp(4))
        disc = Box(call.center.x - side // 2, call.center.y - side // 2, call.center.x - side // 2 + side, 0)
        disc = Box(disc.left, disc.top, disc.right, disc.top + side)
        round_paint = (FillPaint("#1fa855", side // 2), IconPaint("phone", round(side * 0.8), "#ffffff"))
        kids.append(
            Node(
                box=call,
                cls="android.widget.ImageButton",
                rid="dialpad_voice_call_button",
                desc="拨号",
                on_tap=self._call,
                kids=(Node(box=disc, paint=round_paint, dumped=False),),
            )
        )
        if self.number:
            erase = Box(left + 2 * width, row, left + 3 * width, row + step)
            kids.append(
                ui.icon(erase, "key_delete", 26, tint=ui.theme.dim, desc="退格", rid="deleteButton", on_tap=self._erase)
            )
        return ui.page(kids, fill=ui.theme.surface)

    def _digit(self, ui: LayoutContext, box: Box, digit: str, letters: str) -> Node:
        size = min(ui.dp(30), box.height // 2)
        half = Box(box.left, box.top, box.right, box.bottom - (box.height // 4 if letters else 0))
        kids = [Node(box=half, paint=(Label((digit,), size, ui.theme.text, "center"),), dumped=False)]
        if letters:
            low = Box(box.left, box.bottom - box.height * 2 // 5, box.right, box.bottom)
            label = Label((letters,), min(ui.dp(11), box.height // 5), ui.theme.dim, "center")
            kids.append(Node(box=low, paint=(label,), dumped=False))
        return Node(
            box=box,
            cls="android.widget.Button",
            rid="dialpad_key",
            text=digit,
            kids=tuple(kids),
            on_tap=lambda: self._press(digit),
        )

    def _call_page(self, ui: LayoutContext) -> Node:
        body = ui.body
        name = Box(
            ui.dp(16), body.top + body.height // 8, ui.size.width - ui.dp(16), body.top + body.height // 8 + ui.dp(52)
        )
        note = Box(name.left, name.bottom, name.right, name.bottom + ui.dp(32))
        side = ui.dp(68)
        x, y = ui.size.width // 2 - side // 2, body.bottom - side - min(ui.dp(56), body.height // 10)
        end = Box(x, y, x + side, y + side)
        return ui.page(
            [
                ui.text(name, self.number, 34, "#ffffff", rid="number", align="center", weight=500),
                ui.text(note, "正在拨号…", 16, "#c8d2e4", rid="call_state", align="center"),
                ui.icon(
                    end,
                    "phone",
                    46,
                    tint="#ffffff",
                    desc="挂断",
                    rid="end_call",
                    on_tap=self._hang_up,
                    paint=(FillPaint("#e5484d", side // 2),),
                ),
            ],
            fill="#1d2a44",
        )
