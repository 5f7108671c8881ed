"""Composition of the screen's windows, from the lowest to the topmost: app, keyboard, recents, dialogs, system bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from handeye.geometry import Box
from handeye_phone.apps.base import App, Dialog
from handeye_phone.drawing.scene import TextField, Window
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.system import keyboards, keys, system_ui
from handeye_phone.system.intent import full_component

_RECENTS: Final = "com.android.launcher3/com.android.quickstep.RecentsActivity"

_FLOATING: Final = {
    "bubble": (system_ui.PACKAGE, "Bubbles!"),
    "picture": ("com.android.chrome", "com.android.chrome/com.google.android.apps.chrome.Main"),
}


class SystemButtonHost(Protocol):
    """Interface of the phone that the system's buttons use."""

    def key(self, code: int) -> None: ...
    def bring(self, app: App) -> None: ...
    def clear_recents(self) -> None: ...


@dataclass(frozen=True, slots=True)
class RenderState:
    """Everything that a composition depends on."""

    ui: LayoutContext
    app: App  # the one in front
    field: TextField | None  # the focused one
    keyboard: keyboards.Keyboard | None  # None: no keyboard is shown
    method: str  # the selected keyboard's id
    keyboard_covers: bool  # the app does not make room for the keyboard
    recents: tuple[App, ...] | None  # the cards, latest first; None: recents are not shown
    launcher: str  # its package: recents are a window of the launcher
    dialogs: tuple[Dialog, ...]  # the lowest first
    radios: system_ui.Radios
    volume: int | None  # None: the volume panel is not shown
    keyguard: str | None  # the lock, "swipe" or "code"; None: the lock screen is not shown
    floating: str  # overlay on the app: "bubble", "picture" or "" for none
    floating_at: Box | None  # place that it was dragged to; None: its initial place
    shade: bool  # the notification shade is down


def compose(look: RenderState, controls: SystemButtonHost) -> list[Window]:
    """Return the windows, the lowest first."""
    ui = look.ui
    app_ui, keyboard = _room_for_keyboard(look)
    app = look.app
    windows = [
        Window(app.package, full_component(f"{app.package}/{app.open_activities[0]}"), app.build(app_ui), user=app.user)
    ]
    if keyboard is not None:
        windows.append(keyboard)
    if look.recents is not None:
        root = system_ui.recents(ui, look.recents, controls.bring, controls.clear_recents)
        windows.append(Window(look.launcher, _RECENTS, root))
    for d in look.dialogs:
        user = app.user if d.package == app.package else 0
        windows.append(Window(d.package, full_component(d.component), d.build(ui), user=user))
    windows.extend(_bars(look, controls))
    if look.floating and look.keyguard is None:
        owner, title = _FLOATING[look.floating]
        root = system_ui.floating(ui, look.floating, look.floating_at)
        windows.append(Window(owner, title, root, focusable=False))
    if look.keyguard is not None:
        windows.append(Window(system_ui.PACKAGE, system_ui.SHADE, system_ui.keyguard(ui, look.keyguard)))
    elif look.shade:
        windows.append(Window(system_ui.PACKAGE, system_ui.SHADE, system_ui.shade(ui)))
    return windows


def _room_for_keyboard(look: RenderState) -> tuple[LayoutContext, Window | None]:
    """Return (layout context of the app, the keyboard's window)."""
    ui, keyboard = look.ui, look.keyboard
    if keyboard is None:
        return ui, None
    height = keyboard.height(ui, look.method, look.keyboard_covers)
    enter = "search" if look.field is not None and look.field.submit is not None else "key_enter"
    root = keyboard.build(ui, look.method, height, enter)
    window = Window(look.method.partition("/")[0], "InputMethod", root, focusable=False)
    covers = look.keyboard_covers and look.method == keyboards.LATIN
    return (ui if covers else ui.with_bottom(height)), window


def _bars(look: RenderState, controls: SystemButtonHost) -> list[Window]:
    ui, dark = look.ui, look.ui.theme.dark
    light_ink = look.app.light_ink or look.recents is not None or (bool(look.dialogs) and not dark)
    ink = "#ffffff" if light_ink else ui.theme.text
    nav_ink = ui.theme.text if look.keyboard is not None else ink
    actions = (
        ("nav_back", "返回", lambda: controls.key(keys.BACK)),
        ("nav_home", "主屏幕", lambda: controls.key(keys.HOME)),
        ("nav_recents", "概览", lambda: controls.key(keys.APP_SWITCH)),
    )
    roots = [system_ui.status_bar(ui, ink, look.radios), system_ui.navigation_bar(ui, nav_ink, actions)]
    if look.volume is not None:
        roots.append(system_ui.volume_panel(ui, look.volume))
    return [Window(system_ui.PACKAGE, "StatusBar", root, focusable=False) for root in roots]
