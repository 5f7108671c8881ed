"""Android's system UI: status bar, navigation bar, volume panel, recent apps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from handeye.geometry import Box
from handeye_phone.apps.base import App
from handeye_phone.drawing.scene import FillPaint, IconPaint, Node
from handeye_phone.drawing.widgets import LayoutContext

PACKAGE: Final = "com.android.systemui"
SHADE: Final = "NotificationShade"  # the window of the lock screen, too
STATUS_DP: Final = 32
NAVIGATION_DP: Final = 36
VOLUME_SHOWN_S: Final = 3.0  # as long as Android shows its volume panel
VOLUME_STEPS: Final = 15


@dataclass(frozen=True, slots=True)
class Radios:
    """State of the radios, which decides the status icons."""

    airplane: bool
    wifi: bool
    bluetooth: bool


def status_bar(ui: LayoutContext, ink: str, radios: Radios) -> Node:
    """Clock on the left, radios and battery on the right."""
    box = Box(0, 0, ui.size.width, ui.top)
    size = ui.dp(15)
    clock = ui.text(Box(ui.dp(18), 0, ui.dp(100), box.bottom), ui.clock, 14, ink, rid=f"{PACKAGE}:id/clock", weight=500)
    names = ["battery"]
    names += ["airplane"] if radios.airplane else ["signal"]
    names += ["wifi"] if radios.wifi else []
    names += ["bluetooth"] if radios.bluetooth else []
    kids, right = [clock], box.right - ui.dp(16)
    for name in names:
        place = Box(right - size, 0, right, box.bottom)
        kids.append(Node(box=place, cls="android.widget.ImageView", desc=name, paint=(IconPaint(name, size, ink),)))
        right -= size + ui.dp(5)
    return Node(box=box, cls="android.widget.FrameLayout", kids=tuple(kids))


def navigation_bar(ui: LayoutContext, ink: str, actions: Sequence[tuple[str, str, Callable[[], None]]]) -> Node:
    """Back, home and recents as (glyph, description, handler)."""
    height = ui.dp(NAVIGATION_DP)
    box = Box(0, ui.size.height - height, ui.size.width, ui.size.height)
    width = min(ui.dp(96), box.width // 4)
    left = box.center.x - width * len(actions) // 2
    kids = []
    for index, (icon, desc, handler) in enumerate(actions):
        cell = Box(left + index * width, box.top, left + (index + 1) * width, box.bottom)
        kids.append(ui.icon(cell, icon, 17, tint=ink, desc=desc, rid=f"{PACKAGE}:id/{icon}", on_tap=handler))
    return Node(box=box, cls="android.widget.FrameLayout", kids=tuple(kids), block=True)


def volume_panel(ui: LayoutContext, level: int) -> Node:
    """The slider that appears for a while after a volume key."""
    width, height = ui.dp(52), min(ui.dp(220), ui.body.height - ui.dp(20))
    right, top = ui.size.width - ui.dp(14), ui.body.top + (ui.body.height - height) // 3
    box = Box(right - width, top, right, top + height)
    rail = Box(box.left + ui.dp(8), box.top + ui.dp(8), box.right - ui.dp(8), box.bottom - ui.dp(8))
    filled = Box(rail.left, rail.bottom - max(rail.width, rail.height * level // VOLUME_STEPS), rail.right, rail.bottom)
    glyph = Box(rail.left, rail.bottom - rail.width, rail.right, rail.bottom)
    kids = (
        Node(box=rail, paint=(FillPaint(ui.theme.tonal, ui.dp(18)),), dumped=False),
        Node(box=filled, paint=(FillPaint(ui.theme.system, ui.dp(18)),), dumped=False),
        Node(box=glyph, paint=(IconPaint("volume", ui.dp(18), ui.theme.on_system),), dumped=False),
    )
    return ui.card(box, kids, radius=26)


def keyguard(ui: LayoutContext, lock: str) -> Node:
    """The lock screen: a clock, and a hint for unlocking."""
    middle = ui.size.height // 2
    clock = ui.text(
        Box(0, middle - ui.dp(160), ui.size.width, middle - ui.dp(60)), ui.clock, 64, "#ffffff", align="center",
        rid=f"{PACKAGE}:id/lockscreen_clock_view",
    )  # fmt: skip
    hint = "输入 PIN 码" if lock == "code" else "向上滑动即可解锁"
    bottom = Box(0, ui.size.height - ui.dp(110), ui.size.width, ui.size.height - ui.dp(70))
    kids = (
        clock,
        ui.text(bottom, hint, 16, "#ffffff", align="center", rid=f"{PACKAGE}:id/keyguard_indication_text"),
    )
    return Node(box=ui.screen, cls="android.widget.FrameLayout", paint=(FillPaint("#1b2a49"),), kids=kids, block=True)


def shade(ui: LayoutContext) -> Node:
    """The notification shade over the whole screen: quick settings, and no notifications."""
    rows = ("WLAN", "蓝牙", "手电筒", "自动旋转")
    side = ui.size.width // 2
    kids = [
        ui.text(
            Box(side * (at % 2), ui.top + ui.dp(70 * (at // 2)), side * (at % 2 + 1), ui.top + ui.dp(70 * (at // 2) + 60)),
            name, 16, "#ffffff", align="center", rid=f"{PACKAGE}:id/tile_label",
        )
        for at, name in enumerate(rows)
    ]  # fmt: skip
    below = Box(0, ui.top + ui.dp(200), ui.size.width, ui.top + ui.dp(240))
    kids.append(ui.text(below, "没有通知", 16, "#ffffff", align="center", rid=f"{PACKAGE}:id/no_notifications"))
    return Node(
        box=ui.screen, cls="android.widget.FrameLayout", paint=(FillPaint("#202020"),), kids=tuple(kids), block=True
    )


def floating(ui: LayoutContext, kind: str, box: Box | None) -> Node:
    """A chat's bubble, or another app's picture in picture, at the lower right."""
    width, height = (ui.dp(60), ui.dp(60)) if kind == "bubble" else (ui.dp(208), ui.dp(117))
    right, bottom = ui.size.width - ui.dp(8), ui.body.bottom - ui.dp(4)
    box = box or Box(right - width, bottom - height, right, bottom)
    paint = FillPaint("#3d5afe", ui.dp(30)) if kind == "bubble" else FillPaint("#202124", ui.dp(8))
    return Node(box=box, paint=(paint,), block=True, dumped=False)


def recents(ui: LayoutContext, apps: Sequence[App], open_app: Callable[[App], None], clear: Callable[[], None]) -> Node:
    """Cards of the running apps, latest first."""
    width = min(ui.dp(240), ui.size.width * 2 // 3)
    height = min(ui.dp(400), ui.body.height - ui.dp(120))
    top = ui.body.top + (ui.body.height - height) // 2 - ui.dp(16)
    kids: list[Node] = []
    left = ui.size.width // 2 - width // 2
    for index, app in enumerate(apps[:3]):
        x = left - index * (width + ui.dp(14))
        box = Box(x, top, x + width, top + height)
        head = Box(box.left, box.top, box.right, box.top + ui.dp(44))
        picture = Box(box.left, head.bottom, box.right, box.bottom)
        contents = (
            Node(
                box=picture,
                paint=(IconPaint(app.icon, min(ui.dp(72), picture.height), dark=ui.theme.dark),),
                dumped=False,
            ),
            ui.text(head, app.label, 15, ui.theme.text, inset=16, weight=500),
        )
        kids.append(
            Node(
                box=box,
                cls="android.widget.FrameLayout",
                rid="snapshot",
                desc=app.label,
                kids=contents,
                paint=(FillPaint(ui.theme.surface, ui.dp(20), shadow=ui.dp(8)),),
                on_tap=partial(open_app, app),
            )
        )
    if apps:
        middle = ui.size.width // 2
        button = Box(middle - ui.dp(60), top + height + ui.dp(16), middle + ui.dp(60), top + height + ui.dp(56))
        kids.append(ui.button(button, "全部清除", clear, fill=ui.theme.tonal, radius=20, rid="clear_all"))
    else:
        kids.append(ui.text(ui.body, "近期没有任何内容", 16, "#ffffff", align="center"))
    return Node(
        box=ui.screen, cls="android.widget.FrameLayout", paint=(FillPaint("#00000099"),), kids=tuple(kids), block=True
    )
