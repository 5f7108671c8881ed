"""The phone behind the glass: touches, keys and intents in; a picture and a hierarchy out.

Single-threaded: the daemon calls it on its event loop. Nothing here waits; what changes with time is computed from the
injected clock whenever somebody looks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from PIL import Image

from handeye.geometry import Size
from handeye.phone import hierarchy, ime, keys, paint, systemui
from handeye.phone.apps.base import App, Dialog
from handeye.phone.disturbances import Disturbances
from handeye.phone.hierarchy import NotIdle
from handeye.phone.input_methods import InputMethods
from handeye.phone.installed import PHYSICAL_DENSITY, PROPS, SETTINGS, Installed
from handeye.phone.intent import Intent, Package, StartResult, full_component
from handeye.phone.scenario import Scenario
from handeye.phone.scene import Node, TextField, Window
from handeye.phone.settings import SettingsStore
from handeye.phone.state import PhoneState
from handeye.phone.theme import DARK, LIGHT
from handeye.phone.touch import SLOP_DP, Touch, TouchScreen
from handeye.phone.ui import Ui

__all__ = ["Intent", "NotIdle", "Package", "PhoneModel", "StartResult"]

PHYSICAL_SIZE: Final = Size(1080, 2400)
_STARTED_AT_MINUTE: Final = 9 * 60 + 30  # the phone's clock starts at 9:30, so that pictures are reproducible


class PhoneModel:
    """One phone. All coordinates are pixels of the current orientation."""

    def __init__(self, scenario: Scenario | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._born = clock()
        self.physical_size = PHYSICAL_SIZE
        self.physical_density = PHYSICAL_DENSITY
        self._size_override: Size | None = None
        self._density_override: int | None = None
        self.settings = SettingsStore(self._setting_changed)
        self.props = dict(PROPS)
        for (namespace, key), value in SETTINGS.items():
            self.settings.mirror(namespace, key, value)
        self.awake = True
        self.volume = 7
        self._volume_until = 0.0
        self._glass = TouchScreen(self._changed, self._pressed)
        self._focus: TextField | None = None
        self._focus_app = ""
        self._keyboard_up = False
        self._keyboard = ime.Keyboard(self)
        self._dialogs: list[Dialog] = []
        self._recents = False
        self._dark = False
        self._version = 0  # counts changes; windows and picture remember theirs
        self._built = self._drawn = -1
        self._windows: list[Window] = []
        self._wakes: list[float] = []
        self._picture: Image.Image | None = None
        self._installed = Installed(self)
        self._apps = self._installed.apps
        self._launcher, self._messenger = self._installed.launcher, self._installed.messenger
        self._running: list[str] = [self._launcher.package]  # the last one is at the front
        self._methods = InputMethods(self.settings, self._changed)
        self._trouble = Disturbances(self, self._messenger)
        self._scenario = Scenario()
        self.set_scenario(scenario or Scenario())

    # ---- scenario

    @property
    def scenario(self) -> Scenario:
        return self._scenario

    def set_scenario(self, scenario: Scenario) -> None:
        """Switch disturbances; what is on the screen stays, permission request and crash may come again."""
        self._scenario = scenario
        self._trouble.rearm()
        self._messenger.book.hidden = frozenset(scenario.missing_contacts)
        self.settings.mirror("system", "accelerometer_rotation", "0")
        self.settings.mirror("system", "user_rotation", str(scenario.rotation))
        self.set_night_mode(scenario.dark)
        self._methods.install_adb_keyboard(scenario.adb_keyboard)

    # ---- display

    @property
    def rotation(self) -> int:
        """Quarter turns, 0..3."""
        value = self.settings.get("system", "user_rotation") or "0"
        if self.settings.get("system", "accelerometer_rotation") == "1":
            return self._scenario.rotation  # the sensor decides
        return int(value) if value in ("0", "1", "2", "3") else 0

    @property
    def size(self) -> Size:
        """Pixels of the current orientation."""
        base = self._size_override or self.physical_size
        return Size(base.height, base.width) if self.rotation % 2 else base

    @property
    def density(self) -> int:
        return self._density_override or self._scenario.density or self.physical_density

    def override_size(self, size: Size | None) -> None:
        """`wm size`: None goes back to the physical one."""
        self._size_override = size
        self._changed()

    def override_density(self, density: int | None) -> None:
        """`wm density`: None goes back to the scenario's or physical one."""
        self._density_override = density
        self._changed()

    def set_night_mode(self, on: bool) -> None:
        """Dark theme for the whole phone."""
        self._dark = on
        self.settings.mirror("secure", "ui_night_mode", "2" if on else "1")
        self._changed()

    @property
    def night_mode(self) -> bool:
        return self._dark

    def frame(self) -> Image.Image:
        """The current picture, RGBA. The same object as long as nothing changed."""
        self._build()
        if self._picture is None or self._drawn != self._version:
            self._picture = paint.render(self._windows if self.awake else [], self.size)
            self._drawn = self._version
        return self._picture

    def hierarchy(self) -> str:
        """uiautomator's XML of the active window. Raises NotIdle when the scenario says so."""
        if self._scenario.never_idle:
            raise NotIdle("the screen does not come to rest (scenario never-idle)")
        self._build()
        return hierarchy.dump(self._active_window(), self.size, self.rotation)

    def next_deadline(self) -> float | None:
        """Clock time at which the picture changes by itself, if it does."""
        self._build()
        waiting = list(self._wakes)
        hold = self._glass.deadline()
        if hold is not None:
            waiting.append(hold)
        return min(waiting, default=None)

    # ---- building

    def _ui(self) -> Ui:
        density = self.density
        return Ui(
            size=self.size,
            density=density,
            theme=DARK if self._dark else LIGHT,
            top=round(systemui.STATUS_DP * density / 160),
            bottom=round(systemui.NAVIGATION_DP * density / 160),
            now=self._clock(),
            clock=self.wall_clock(),
            focus=self._focus if self._focus_app == self.front.package and not self._dialogs else None,
        )

    def _build(self) -> None:
        self._advance()
        if self._built == self._version:
            return
        self._built = self._version
        self._wakes = [self._next_minute()]
        ui = self._ui()
        app_ui, keyboard = ui, None
        if self.input_shown:
            covers = self._scenario.keyboard_covers
            height = self._keyboard.height(ui, self._methods.selected, covers)
            field = self._focus
            enter = "search" if field is not None and field.submit is not None else "key_enter"
            keyboard = self._keyboard.build(ui, self._methods.selected, height, enter)
            if not covers or self._methods.selected != ime.LATIN:
                app_ui = ui.with_bottom(height)
        app = self.front
        windows = [Window(app.package, full_component(f"{app.package}/{app.activity}"), app.build(app_ui))]
        if keyboard is not None:
            windows.append(Window(self._methods.selected.partition("/")[0], "InputMethod", keyboard, focusable=False))
        if self._recents:
            shown = [self._apps[name] for name in reversed(self._running) if name != self._launcher.package]
            root = systemui.recents(ui, shown, self.launch, self._clear_recents)
            windows.append(Window(self._launcher.package, _RECENTS, root))
        windows.extend(Window(d.package, full_component(d.component), d.build(ui)) for d in self._dialogs)
        windows.extend(self._bars(ui, app))
        self._windows = windows

    def _bars(self, ui: Ui, app: App) -> list[Window]:
        light_ink = app.light_ink or self._recents or (bool(self._dialogs) and not self._dark)
        ink = "#ffffff" if light_ink else ui.theme.text
        nav_ink = ui.theme.text if self.input_shown else ink
        on = self.settings.flag
        radios = systemui.Radios(
            on("global", "airplane_mode_on"), on("global", "wifi_on"), on("global", "bluetooth_on")
        )
        actions = (
            ("nav_back", "返回", lambda: self.key(keys.BACK)),
            ("nav_home", "主屏幕", lambda: self.key(keys.HOME)),
            ("nav_recents", "概览", lambda: self.key(keys.APP_SWITCH)),
        )
        roots = [systemui.status_bar(ui, ink, radios), systemui.navigation_bar(ui, nav_ink, actions)]
        if ui.now < self._volume_until:
            self.wake_at(self._volume_until)
            roots.append(systemui.volume_panel(ui, self.volume))
        return [Window(systemui.PACKAGE, "StatusBar", root, focusable=False) for root in roots]

    def _active_window(self) -> Window:
        return next(window for window in reversed(self._windows) if window.focusable)

    def _advance(self) -> None:
        """Let time pass: timers that ran out, long presses, dialogs that waited for the app to load."""
        now = self._clock()
        if any(when <= now for when in self._wakes):
            self._wakes = []
            self._changed()
        self._glass.hold(now)
        if self.front is self._messenger and not self._messenger.loading:
            self._trouble.app_is_ready()

    def _changed(self) -> None:
        self._version += 1

    def _next_minute(self) -> float:
        passed = self._clock() - self._born
        return self._born + (int(passed // 60) + 1) * 60

    # ---- Host

    def now(self) -> float:
        return self._clock()

    def wall_clock(self) -> str:
        minute = _STARTED_AT_MINUTE + int((self._clock() - self._born) // 60)
        return f"{minute // 60 % 24:02d}:{minute % 60:02d}"

    def wake_at(self, when: float) -> None:
        self._wakes.append(when)

    @property
    def front(self) -> App:
        """The app whose window is in front."""
        return self._apps[self._running[-1]]

    def launch(self, package: str, intent: Intent | None = None) -> None:
        """Bring an app to the front, starting it if needed."""
        app = self._apps[package]
        fresh = package not in self._running
        came = fresh or self._running[-1] != package
        self._leave()
        self._running = [*(name for name in self._running if name != package), package]
        if came or intent is not None:
            app.opened(intent, fresh)
        if app is self._messenger and came:
            self._trouble.app_opened()
        self._changed()

    def go_home(self) -> None:
        already = self.front is self._launcher and not self._recents and not self._dialogs
        self.launch(self._launcher.package)
        if already:
            self._launcher.opened(None, False)
        self._changed()

    def open_url(self, url: str) -> None:
        self.launch(self._installed.browser.package, Intent(action="android.intent.action.VIEW", data=url))

    def dial(self, number: str) -> None:
        self.launch(self._installed.dialer.package, Intent(action="android.intent.action.CALL", data=f"tel:{number}"))

    def set_focus(self, field: TextField | None) -> None:
        """Give the keyboard to a field, or take it away."""
        self._focus, self._focus_app = field, self.front.package
        self._keyboard_up = field is not None
        self._keyboard.shift = False
        self._changed()

    def show_dialog(self, dialog: Dialog) -> None:
        self._dialogs.append(dialog)
        self._changed()

    def close_dialog(self) -> None:
        """Close the topmost dialog."""
        if self._dialogs:
            self._dialogs.pop()
            self._changed()

    def packages_installed(self) -> list[Package]:
        return list(self.packages.values())

    def _leave(self) -> None:
        self._dialogs.clear()
        self._trouble.drop_pending()
        self._recents = False
        self._glass.cancel()
        self.set_focus(None)

    def _clear_recents(self) -> None:
        for name in self._running:
            self._stop(name)
        self.go_home()

    # ---- touches

    def touch_down(self, x: float, y: float) -> None:
        """A finger lands."""
        self._build()
        self._glass.cancel()
        if self.awake:
            self._glass.down(Touch(x, y, self._clock(), self._path_at(x, y), SLOP_DP * self.density / 160))

    def _path_at(self, x: float, y: float) -> tuple[Node, ...]:
        for window in reversed(self._windows):
            path = window.root.path_at(x, y)
            if path:
                return path
            if window.focusable:
                return ()
        return ()

    def touch_move(self, x: float, y: float) -> None:
        """The finger slides."""
        self._advance()
        self._glass.move(x, y)

    def touch_up(self, x: float, y: float) -> None:
        """The finger leaves: a tap, the end of a scroll, or nothing."""
        self._advance()
        self._glass.up(x, y)

    def _pressed(self, node: Node | None, x: float, y: float) -> None:
        counts = self._in_messenger  # the tap on its icon is not yet one in it
        if node is not None and node.on_tap is not None:
            node.on_tap()
        elif node is not None and node.field is not None:
            self.set_focus(node.field)
            if node.place_caret is not None:
                node.place_caret(x, y)
        if node is not None:
            self._changed()
        if counts and self._in_messenger:
            self._trouble.tapped()

    @property
    def _in_messenger(self) -> bool:
        return self.front is self._messenger and not self._recents

    # ---- keys and text

    def key(self, code: int, *, long: bool = False) -> None:
        """Press an Android key. Unknown codes do nothing, as on a phone without that key."""
        self._advance()
        self._glass.cancel()
        if code in keys.WAKE_CODES:
            self.awake = not self.awake if code == keys.POWER else code == keys.WAKEUP
            self._changed()
            return
        if not self.awake:
            return
        action = self._key_actions().get(code)
        if action is not None:
            action()
        elif code in keys.CHARACTERS:
            self.type_text(keys.CHARACTERS[code])
        elif (field := self._active_field) is not None:
            keys.edit(field, code)
        self._changed()

    def _key_actions(self) -> dict[int, Callable[[], None]]:
        return {
            keys.BACK: self._back,
            keys.ESCAPE: self._back,
            keys.HOME: self.go_home,
            keys.APP_SWITCH: self._toggle_recents,
            keys.VOLUME_UP: lambda: self._set_volume(self.volume + 1),
            keys.VOLUME_DOWN: lambda: self._set_volume(self.volume - 1),
            keys.VOLUME_MUTE: lambda: self._set_volume(0),
            keys.CALL: lambda: self.launch(self._installed.dialer.package),
            keys.SEARCH: lambda: None,
        }

    @property
    def _active_field(self) -> TextField | None:
        """The field that key events reach: the focused one of the front window."""
        if self._dialogs or self._recents or self._focus_app != self.front.package or self.front.loading:
            return None
        return self._focus

    def _back(self) -> None:
        if self._dialogs:
            on_back = self._dialogs[-1].on_back
            if on_back is not None:
                on_back()
        elif self._recents:
            self._recents = False
        elif self.input_shown:
            self._keyboard_up = False
        elif not self.front.back() and self.front is not self._launcher:
            self._leave()
            self._stop(self.front.package)

    def _toggle_recents(self) -> None:
        shown = not self._recents
        self._leave()
        self._recents = shown

    def _set_volume(self, level: int) -> None:
        self.volume = min(max(0, level), systemui.VOLUME_STEPS)
        self._volume_until = self._clock() + systemui.VOLUME_SHOWN_S

    def type_text(self, text: str) -> None:
        """Text of key events or of a keyboard, into the focused field; without one it is lost, as on Android."""
        self._advance()
        field = self._active_field
        if field is not None:
            field.insert(text)
            self._changed()

    def commit(self, text: str) -> None:
        """A keyboard's text."""
        self.type_text(text)

    # ---- intents

    def start_activity(self, intent: Intent) -> StartResult:
        """Start what the intent names or, without a component, what handles its action and data."""
        self._advance()
        package, known = self._installed.resolve(intent)
        if package is None:
            return StartResult.NOT_FOUND if known else StartResult.UNRESOLVED
        if package == self._launcher.package:
            self.go_home()
            return StartResult.OK
        running, front = package in self._running, self.front.package == package
        plain = intent.data is None and not (intent.action or "").startswith("android.settings")
        self.launch(package, None if plain else intent)
        if running and plain:
            return StartResult.DELIVERED_TO_TOP if front else StartResult.BROUGHT_TO_FRONT
        return StartResult.OK

    def broadcast(self, intent: Intent) -> None:
        """Deliver a broadcast. ADBKeyboard hears it while it is the selected keyboard of a focused field."""
        self._advance()
        field = self._active_field
        if self._methods.selected == ime.ADB and field is not None:
            ime.receive(intent, field, self)
            self._changed()

    def force_stop(self, package: str) -> None:
        """End an app; when it was in front, the home screen comes up."""
        if package in self._apps and package != self._launcher.package and package in self._running:
            if self.front.package == package:
                self._leave()
            self._stop(package)
            self._changed()

    def _stop(self, package: str) -> None:
        if package != self._launcher.package:
            self._running = [name for name in self._running if name != package] or [self._launcher.package]

    @property
    def packages(self) -> Mapping[str, Package]:
        """Everything installed, by name."""
        return self._installed.packages(adb_keyboard=self._scenario.adb_keyboard)

    @property
    def focused_activity(self) -> str:
        """`package/.Class` of the resumed activity."""
        for dialog in reversed(self._dialogs):
            if dialog.tag == "permission":
                return dialog.component
        return f"{self.front.package}/{self.front.activity}"

    @property
    def focused_window(self) -> str:
        """The title of the window with the focus."""
        self._build()
        return self._active_window().component

    # ---- input methods

    @property
    def input_methods(self) -> list[str]:
        """Installed keyboards."""
        return list(self._methods.installed)

    @property
    def enabled_input_methods(self) -> list[str]:
        return list(self._methods.enabled)

    @property
    def input_method(self) -> str:
        """The selected keyboard."""
        return self._methods.selected

    @property
    def input_shown(self) -> bool:
        """Whether a keyboard is on the screen."""
        return self._keyboard_up and self.awake and self._active_field is not None

    def enable_input_method(self, id: str, on: bool = True) -> bool:
        """`ime enable|disable`; False for an unknown keyboard."""
        return self._methods.enable(id, on=on)

    def set_input_method(self, id: str) -> bool:
        """`ime set`; False for a keyboard that is not enabled."""
        return self._methods.select(id)

    def _setting_changed(self, namespace: str, key: str, value: str | None) -> None:
        """A command or the settings app wrote a setting: the phone follows."""
        if (namespace, key) == ("secure", "ui_night_mode"):
            self.set_night_mode(value == "2")
        elif namespace == "secure":
            self._methods.setting_written(key, value)
        self._changed()

    # ---- state

    @property
    def state(self) -> PhoneState:
        """A snapshot for tests."""
        self._build()
        book, field = self._messenger.book, self._active_field
        messages = {name: [{"from": m.sender, "text": m.text} for m in said] for name, said in book.messages.items()}
        chat = self._messenger.chat
        draft = self._messenger.drafts[chat].text if chat in self._messenger.drafts else ""
        return PhoneState(
            app=self.front.package,
            screen=self.front.screen_name(),
            chat=chat,
            draft=draft,
            query=self._messenger.query,
            url=self._installed.browser.url,
            dialed=self._installed.dialer.number,
            dialog=self._dialogs[-1].tag if self._dialogs else "",
            page=self._launcher.page,
            input_shown=self.input_shown,
            input_method=self._methods.selected,
            focused_text=field.text if field is not None else None,
            switches=self._installed.settings.switches(),
            messages=messages,
            sent={name: list(texts) for name, texts in book.sent.items()},
            permissions=dict(self._trouble.permissions),
            adverts_followed=self._trouble.adverts_followed,
            crashes=self._trouble.crashes,
        )


_RECENTS: Final = "com.android.launcher3/com.android.quickstep.RecentsActivity"
