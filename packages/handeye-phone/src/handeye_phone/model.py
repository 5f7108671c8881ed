"""Model of the phone: takes touches, keys and intents; gives a picture and a hierarchy.

Single-threaded: the daemon calls it on its event loop. Nothing here waits; what changes with time is computed from the
injected clock at each access.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from PIL import Image

from handeye.geometry import Size
from handeye_phone.apps.base import Dialog
from handeye_phone.drawing import hierarchy, painter
from handeye_phone.drawing.hierarchy import NotIdle
from handeye_phone.drawing.scene import FillPaint, Node, TextField, Window
from handeye_phone.drawing.theme import DARK, LIGHT
from handeye_phone.drawing.touch import SLOP_DP, Touch, TouchScreen
from handeye_phone.drawing.widgets import LayoutContext
from handeye_phone.scenario import Scenario
from handeye_phone.state import PhoneState
from handeye_phone.system import dialogs, keyboards, keys, system_ui
from handeye_phone.system.composition import RenderState, compose
from handeye_phone.system.desktop import PHYSICAL_SIZE, Desktop
from handeye_phone.system.intent import Intent, Package, StartResult

_LAST_UNTURNED_SDK = 24
SECOND_DISPLAY: Final = 2
SECOND_SIZE: Final = Size(1080, 1920)
DARK_SIZE: Final = Size(1840, 2208)  # size of the panel that is off while the phone is folded
PANELS: Final = ("4619827259835644672", "4619827551948147201")
"""The physical numbers of the displays, as `screencap -d` takes them."""

__all__ = ["PHYSICAL_SIZE", "Intent", "NotIdle", "Package", "PhoneModel", "StartResult"]


class PhoneModel(Desktop):
    """One phone. All coordinates are pixels of the current orientation."""

    def __init__(self, scenario: Scenario | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self.volume = 7
        self._volume_until = 0.0
        self._touch_screen = TouchScreen(self._changed, self._pressed)
        self._keyboard = keyboards.Keyboard(self)
        self._built = self._drawn = -1
        self._windows: list[Window] = []
        self._picture: Image.Image | None = None
        self._captured: tuple[Image.Image, Image.Image] | None = None  # a picture, and how it was captured
        self.lit = True
        self.second: PhoneModel | None = None
        self.focused_display = 0
        self.set_scenario(scenario or Scenario())

    # ---- displays

    def set_scenario(self, scenario: Scenario) -> None:
        """Switch disturbances and the second display; the screen's content stays."""
        super().set_scenario(scenario)
        kind = scenario.second_display
        self.lit, self.focused_display = kind != "cover", SECOND_DISPLAY if kind == "cover" else 0
        if kind not in ("lit", "dark", "cover"):
            self.second = None
            return
        if self.second is None:
            self.second = PhoneModel(replace(scenario, second_display=""), clock=self._clock)
            self.second.physical_size = SECOND_SIZE
            self.second._methods = self._methods
        self.second.lit = kind != "dark"

    @property
    def displays(self) -> dict[int, PhoneModel]:
        """The displays by their logical numbers."""
        return {0: self} if self.second is None else {0: self, SECOND_DISPLAY: self.second}

    @property
    def focused(self) -> PhoneModel:
        """The display that has the focus."""
        return self.displays[self.focused_display]

    @property
    def panels(self) -> dict[str, PhoneModel | None]:
        """Content of each panel by its physical number; None for one that is dark because the phone is folded."""
        first, second = PANELS
        if self._scenario.second_display == "folded":
            return {first: None, second: self}
        return {first: self} if self.second is None else {first: self, second: self.second}

    # ---- the picture

    def frame(self) -> Image.Image:
        """The current picture, RGBA. The same object as long as nothing changed."""
        self._build()
        if self._picture is None or self._drawn != self._version:
            self._picture = painter.render(self._windows if self.awake else [], self.size)
            self._drawn = self._version
        return self._picture

    def captured(self) -> Image.Image:
        """The picture as `screencap` takes it: before Android 7.1 in memory orientation, whatever the rotation."""
        frame = self.frame()
        unturned = self._scenario.sdk <= _LAST_UNTURNED_SDK and self.rotation
        if self.lit and not self._scenario.protected and not unturned:
            return frame
        if self._captured is None or self._captured[0] is not frame:
            allowed = [] if not self.lit or not self.awake else [self._as_captured(each) for each in self._windows]
            picture = painter.render(allowed, self.size)
            self._captured = frame, picture.rotate(-90 * self.rotation, expand=True) if unturned else picture
        return self._captured[1]

    def is_protected(self, package: str) -> bool:
        """True if pictures of this app's windows are forbidden."""
        return self._scenario.protected and package in self._apps and package != self._launcher.package

    def _as_captured(self, window: Window) -> Window:
        if not self.is_protected(window.package):
            return window
        return replace(window, root=Node(box=window.root.box, paint=(FillPaint("#000000"),)))

    def hierarchy(self) -> str:
        """Return uiautomator's XML of the active window. Raises NotIdle if the scenario asks for it."""
        if self._scenario.never_idle:
            raise NotIdle("the screen does not come to rest (scenario never-idle)")
        self._build()
        return hierarchy.dump(self._active_window(), self.size, self.rotation, field_class=self._scenario.field_class)

    def next_deadline(self) -> float | None:
        """Return the clock time of the picture's next change without input, or None."""
        self._build()
        waiting = list(self._wakes)
        hold = self._touch_screen.deadline()
        if hold is not None:
            waiting.append(hold)
        return min(waiting, default=None)

    def _build(self) -> None:
        self._advance()
        if self._built == self._version:
            return
        self._built = self._version
        self._wakes = [self._next_minute()]
        self._windows = compose(self._look(), self)

    def _look(self) -> RenderState:
        ui = self._ui()
        on = self.settings.flag
        volume_shown = ui.now < self._volume_until
        if volume_shown:
            self.wake_at(self._volume_until)
        running = [app for app in reversed(self._running) if app is not self._launcher]
        return RenderState(
            ui=ui,
            app=self.front,
            field=self._focus,
            keyboard=self._keyboard if self.input_shown else None,
            method=self._methods.selected,
            keyboard_covers=self._scenario.keyboard_covers,
            recents=tuple(running) if self._recents else None,
            launcher=self._launcher.package,
            dialogs=tuple(self._dialogs),
            radios=system_ui.Radios(
                on("global", "airplane_mode_on"), on("global", "wifi_on"), on("global", "bluetooth_on")
            ),
            volume=self.volume if volume_shown else None,
            keyguard=self._scenario.lock if self.keyguard_shown else None,
            shade=self.shade_shown,
            floating=self._scenario.floating,
            floating_at=self.floating_at,
        )

    def _ui(self) -> LayoutContext:
        density = self.density
        return LayoutContext(
            size=self.size,
            density=density,
            theme=DARK if self._dark else LIGHT,
            top=round(system_ui.STATUS_DP * density / 160),
            bottom=round(system_ui.NAVIGATION_DP * density / 160),
            now=self._clock(),
            clock=self.wall_clock(),
            focus=self._focus if self._focus_app is self.front and not self._dialogs else None,
        )

    @property
    def windows(self) -> tuple[Window, ...]:
        """Windows on the screen, the topmost first."""
        self._build()
        return tuple(reversed(self._windows))

    def _active_window(self) -> Window:
        return next(window for window in reversed(self._windows) if window.focusable)

    def _advance(self) -> None:
        """Handle elapsed time: expired timers, long presses, dialogs that waited for the app to load."""
        now = self._clock()
        if any(when <= now for when in self._wakes):
            self._wakes = []
            self._changed()
        self._touch_screen.hold(now)
        if self.front.package == self._scenario.app and not self.front.loading:
            self._trouble.app_is_ready()

    # ---- side effects of changes on the desktop

    def set_focus(self, field: TextField | None) -> None:
        """Set the focused field, or clear the focus."""
        super().set_focus(field)
        self._keyboard.shift = False

    def _leave(self) -> None:
        super()._leave()
        self._touch_screen.cancel()

    # ---- initial states for tests

    def open_chat(self, contact: str) -> None:
        """Open this contact's chat in the messenger. Raises KeyError for an unknown name."""
        book = self._messenger.book
        if contact in book.hidden:
            raise KeyError(contact)
        book.contact(contact)
        self.launch(self._messenger.package)
        self._messenger.open_chat(contact)
        self._changed()

    def write_draft(self, contact: str, text: str) -> None:
        """Leave an unsent draft in a chat's field."""
        self._messenger.drafts.setdefault(contact, TextField(multiline=True)).insert(text)
        self._changed()

    # ---- touches

    def touch_down(self, x: float, y: float) -> None:
        """Begin a touch."""
        self._build()
        self._touch_screen.cancel()
        if self.awake:
            self._touch_screen.down(Touch(x, y, self._clock(), self._path_at(x, y), SLOP_DP * self.density / 160))

    def _path_at(self, x: float, y: float) -> tuple[Node, ...]:
        for window in reversed(self._windows):
            path = window.root.path_at(x, y)
            if path:
                return path
            if window.focusable:
                return ()
        return ()

    def touch_move(self, x: float, y: float) -> None:
        """Move the touch."""
        self._advance()
        self._touch_screen.move(x, y)

    def touch_up(self, x: float, y: float) -> None:
        """End the touch: a tap, the end of a scroll, or nothing."""
        self._advance()
        upwards = self._touch_screen.distance_up(y)
        self._touch_screen.up(x, y, self._clock())
        if upwards > self.size.height // 5:
            if self.keyguard_shown:
                self.dismiss_keyguard()
            elif self.shade_shown:
                self.show_shade(False)

    def touch_cancel(self) -> None:
        """Cancel the touch: a scroll settles, and nothing is pressed."""
        self._advance()
        self._touch_screen.cut_off()

    def _pressed(self, node: Node | None, x: float, y: float) -> None:
        counts = self._in_disturbed_app  # the tap on the app's icon does not count
        if node is not None and node.on_tap is not None:
            node.on_tap()
        elif node is not None and node.field is not None:
            self.set_focus(node.field)
            if node.place_caret is not None:
                node.place_caret(x, y)
        if node is not None:
            self._changed()
        if counts and self._in_disturbed_app:
            self._trouble.tapped(self.front)

    @property
    def _in_disturbed_app(self) -> bool:
        return self.front.package == self._scenario.app and not self._recents

    # ---- keys and text

    def key(self, code: int, *, long: bool = False) -> None:
        """Press an Android key. Unknown codes do nothing, as on a phone without that key."""
        self._advance()
        self._touch_screen.cancel()
        if code in keys.WAKE_CODES:
            wakes = not self.awake if code == keys.POWER else code == keys.WAKEUP
            (self.wake if wakes else self.sleep)()
            return
        if not self.awake or self.keyguard_shown:
            if code == keys.MENU:
                self.dismiss_keyguard()
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
            keys.VOLUME_UP: lambda: self.set_volume(self.volume + 1),
            keys.VOLUME_DOWN: lambda: self.set_volume(self.volume - 1),
            keys.VOLUME_MUTE: lambda: self.set_volume(0),
            keys.CALL: lambda: self.launch(self._installed.dialer.package),
            keys.SEARCH: lambda: None,
        }

    def _back(self) -> None:
        if self.shade_shown:
            self.show_shade(False)
        elif self._dialogs:
            on_back = self._dialogs[-1].on_back
            if on_back is not None:
                on_back()
        elif self._recents:
            self._recents = False
        elif self.input_shown:
            self._keyboard_up = False
        elif not self.front.back() and self.front is not self._launcher:
            self._leave()
            self._stop(self.front)

    def _toggle_recents(self) -> None:
        shown = not self._recents
        self._leave()
        self._recents = shown

    def set_volume(self, level: int) -> None:
        self.volume = min(max(0, level), system_ui.VOLUME_STEPS)
        self._volume_until = self._clock() + system_ui.VOLUME_SHOWN_S

    def type_text(self, text: str) -> None:
        """Insert text of key events or a keyboard into the focused field; without one it is lost, as on Android."""
        self._advance()
        field = self._active_field
        if field is not None:
            field.insert(text)
            self._format(field)
            self._changed()

    def _format(self, field: TextField) -> None:
        """Reformat the field's text as the scenario asks for."""
        if self._scenario.field_format == "groups":
            plain = field.text.replace(" ", "")
            field.replace(" ".join(plain[at : at + 4] for at in range(0, len(plain), 4)))
        elif self._scenario.field_format == "capitals":
            field.replace(field.text.upper())

    def commit(self, text: str) -> None:
        """Insert a keyboard's text."""
        self.type_text(text)

    # ---- intents

    def start_activity(self, intent: Intent, user: int | None = None) -> StartResult:
        """
        Start the activity that the intent names or, without a component, one that handles its action and data. Without
        `user`, and if several users have the app, show a chooser, as phones of some makers do.
        """
        self._advance()
        package, known = self._installed.resolve(intent)
        if package is None or not self.is_installed(package, user or 0):
            return StartResult.NOT_FOUND if known else StartResult.UNRESOLVED
        owners = [each for each in self.users if self.is_installed(package, each)]
        if user is None and len(owners) > 1 and package in self._apps:
            self.show_dialog(self._user_chooser(package, intent, owners))
            return StartResult.OK
        if package == self._launcher.package:
            self.go_home()
            return StartResult.OK
        app = self._profiles[user or 0].apps[package]
        running, front = app in self._running, self.front is app
        plain = intent.data is None and not (intent.action or "").startswith("android.settings")
        self.launch(package, None if plain else intent, app.user)
        if running and plain:
            return StartResult.DELIVERED_TO_TOP if front else StartResult.BROUGHT_TO_FRONT
        return StartResult.OK

    def _user_chooser(self, package: str, intent: Intent, owners: list[int]) -> Dialog:
        """Return the dialog that asks which user's app to open."""

        def open_for(user: int) -> None:
            self.close_dialog()
            self.start_activity(intent, user)

        label = self._apps[package].label
        entries = [(f"{label}（{user}）" if user else label, partial(open_for, user)) for user in owners]
        return dialogs.chooser("请选择要使用的应用", entries, self.close_dialog)

    def broadcast(self, intent: Intent) -> None:
        """Deliver a broadcast. ADBKeyboard receives it while it is selected and a field has the focus."""
        self._advance()
        field = self._active_field
        if self._methods.selected == keyboards.ADB and field is not None:
            keyboards.receive(intent, field, self)
            self._format(field)
            self._changed()

    @property
    def focused_window(self) -> str | None:
        """Title of the focused window; None while the display is off."""
        self._build()
        return self._active_window().component if self.awake else None

    @property
    def focused_user(self) -> int:
        """User of the focused window."""
        self._build()
        return self._active_window().user

    def window_owner(self, title: str) -> str:
        """Return the package of the window with this title; the system's for an unknown one."""
        self._build()
        return next((window.package for window in self._windows if window.component == title), system_ui.PACKAGE)

    # ---- state

    @property
    def state(self) -> PhoneState:
        """Return a snapshot for tests."""
        self._build()
        book, field = self._messenger.book, self._active_field
        messages = {name: [{"from": m.sender, "text": m.text} for m in said] for name, said in book.messages.items()}
        chat = self._messenger.chat
        draft = self._messenger.drafts[chat].text if chat in self._messenger.drafts else ""
        return PhoneState(
            app=self.front.package,
            user=self.front.user,
            screen=self.front.screen_name(),
            chat=chat,
            draft=draft,
            query=self._messenger.query,
            url=self._installed.browser.url,
            dialed=self._installed.dialer.number,
            calls=list(self._installed.dialer.calls),
            visited=list(self._installed.browser.visited),
            volume=self.volume,
            dialog=self._dialogs[-1].tag if self._dialogs else "",
            page=self._launcher.page,
            input_shown=self.input_shown,
            input_method=self._methods.selected,
            focused_text=field.text if field is not None else None,
            switches=self._installed.settings.switches(),
            messages=messages,
            drafts={name: field.text for name, field in self._messenger.drafts.items() if field.text},
            sent={name: list(texts) for name, texts in book.sent.items()},
            permissions=dict(self._trouble.permissions),
            grants=dict(self._trouble.grants),
            adverts_followed=self._trouble.adverts_followed,
            crashes=self._trouble.crashes,
        )
