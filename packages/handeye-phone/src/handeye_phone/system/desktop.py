"""State of the phone: display, running apps, dialogs over them, keyboard focus.

Implements the `Host` interface of apps and disturbances; touches, keys, intents and the picture are in `model`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from handeye.geometry import Box, Size
from handeye_phone.apps.base import App, Dialog
from handeye_phone.drawing.scene import TextField
from handeye_phone.scenario import Scenario
from handeye_phone.system.disturbances import Disturbances
from handeye_phone.system.installed import PHYSICAL_DENSITY, PROPS, SETTINGS, Installed
from handeye_phone.system.intent import Intent, Package
from handeye_phone.system.keyboards import InputMethods
from handeye_phone.system.settings import SettingsStore

PHYSICAL_SIZE: Final = Size(1080, 2400)
_STARTED_AT_MINUTE: Final = 9 * 60 + 30  # the phone's clock starts at 9:30, so that pictures are reproducible


class Desktop:
    """Apps, dialogs, focus, settings and display of one phone. All coordinates are pixels of the current orientation."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._born = clock()
        self.physical_size = PHYSICAL_SIZE
        self.physical_density = PHYSICAL_DENSITY
        self._size_override: Size | None = None
        self._density_override: int | None = None
        self.settings = SettingsStore(self._setting_changed)
        self.props = dict(PROPS)
        for (namespace, key), value in SETTINGS.items():
            self.settings.put_silently(namespace, key, value)
        self.awake = True
        self.keyguard_shown = False
        self.shade_shown = False
        self.floating_at: Box | None = None
        self._focus: TextField | None = None
        self._focus_app: App | None = None
        self._keyboard_up = False
        self._dialogs: list[Dialog] = []
        self._recents = False
        self._dark = False
        self._version = 0  # counts changes; windows and picture record the one they were made for
        self._wakes: list[float] = []
        self._installed = Installed(self)
        self._profiles = {0: self._installed}
        self._apps = self._installed.apps
        self._launcher, self._messenger = self._installed.launcher, self._installed.messenger
        self._running: list[App] = [self._launcher]  # the last one is at the front
        self._methods = InputMethods(self.settings, self._changed)
        self._trouble = Disturbances(self)
        self._scenario = Scenario()

    # ---- scenario

    @property
    def scenario(self) -> Scenario:
        return self._scenario

    def set_scenario(self, scenario: Scenario) -> None:
        """Switch disturbances; the screen's content stays, permission request and crash may occur again."""
        self._scenario = scenario
        self._trouble.rearm()
        self._messenger.book.hidden = frozenset(scenario.missing_contacts)
        self.settings.put_silently("system", "accelerometer_rotation", "0")
        self.settings.put_silently("system", "user_rotation", str(scenario.rotation))
        self.set_night_mode(scenario.dark)
        self._methods.install_adb_keyboard(scenario.adb_keyboard)
        self.props["ro.build.version.sdk"] = str(scenario.sdk)
        self.keyguard_shown = bool(scenario.lock)
        self.shade_shown = scenario.shade
        self.awake = not scenario.asleep
        for user in scenario.users:
            if user not in self._profiles:
                self._profiles[user] = Installed(self, user)

    # ---- sleep, lock screen and shade

    def sleep(self) -> None:
        """Switch the display off; the lock screen, if any, is shown when it is switched on."""
        self.awake = False
        self.keyguard_shown = bool(self._scenario.lock)
        self._changed()

    def wake(self) -> None:
        """Switch the display on."""
        self.awake = True
        self._changed()

    def dismiss_keyguard(self) -> None:
        """Dismiss the lock screen, unless it asks for a code."""
        if self.awake and self._scenario.lock != "code":
            self.keyguard_shown = False
            self._changed()

    def drag_floating(self, box: Box) -> None:
        """Move the scenario's bubble or picture to a place."""
        self.floating_at = box
        self._changed()

    def show_shade(self, shown: bool) -> None:
        """Pull the notification shade down, or push it up."""
        self.shade_shown = shown
        self._changed()

    # ---- display

    @property
    def rotation(self) -> int:
        """Quarter turns, 0..3."""
        value = self.settings.get("system", "user_rotation") or "0"
        if self.settings.get("system", "accelerometer_rotation") == "1":
            return self._scenario.rotation  # as the sensor reports it
        return int(value) if value in ("0", "1", "2", "3") else 0

    @property
    def size(self) -> Size:
        """Width and height in pixels in the current orientation."""
        base = self._size_override or self.physical_size
        return Size(base.height, base.width) if self.rotation % 2 else base

    @property
    def density(self) -> int:
        return self._density_override or self._scenario.density or self.physical_density

    def override_size(self, size: Size | None) -> None:
        """Set the size, as `wm size`; None restores the physical one."""
        self._size_override = size
        self._changed()

    def override_density(self, density: int | None) -> None:
        """Set the density, as `wm density`; None restores the scenario's or physical one."""
        self._density_override = density
        self._changed()

    def set_night_mode(self, on: bool) -> None:
        """Set the dark theme for the whole phone."""
        self._dark = on
        self.settings.put_silently("secure", "ui_night_mode", "2" if on else "1")
        self._changed()

    @property
    def night_mode(self) -> bool:
        return self._dark

    # ---- time

    def _changed(self) -> None:
        self._version += 1

    def _next_minute(self) -> float:
        passed = self._clock() - self._born
        return self._born + (int(passed // 60) + 1) * 60

    def now(self) -> float:
        return self._clock()

    def wall_clock(self) -> str:
        minute = _STARTED_AT_MINUTE + int((self._clock() - self._born) // 60)
        return f"{minute // 60 % 24:02d}:{minute % 60:02d}"

    def wake_at(self, when: float) -> None:
        self._wakes.append(when)

    # ---- apps

    @property
    def front(self) -> App:
        """App whose window is in front."""
        return self._running[-1]

    def launch(self, package: str, intent: Intent | None = None, user: int = 0) -> None:
        """Bring an app of a user to the front, starting it if needed."""
        app = self._profiles[user].apps[package]
        fresh = app not in self._running
        came = fresh or self.front is not app
        self._leave()
        self._running = [*(each for each in self._running if each is not app), app]
        if came or intent is not None:
            app.opened(intent, fresh)
        if package == self._scenario.app and came:
            self._trouble.app_opened(app)
        self._changed()

    def bring(self, app: App) -> None:
        """Bring a running app to the front."""
        self.launch(app.package, user=app.user)

    def go_home(self) -> None:
        self.shade_shown = False
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
        """Set the focused field, or clear the focus."""
        self._focus, self._focus_app = field, self.front
        self._keyboard_up = field is not None
        self._changed()

    def show_dialog(self, dialog: Dialog) -> None:
        self._dialogs.append(dialog)
        self._changed()

    def close_dialog(self) -> None:
        """Close the topmost dialog."""
        if self._dialogs:
            self._dialogs.pop()
            self._changed()

    def withdraw(self, dialog: Dialog) -> None:
        """Close this dialog, whatever its place in the stack; does nothing if it is closed already."""
        if dialog in self._dialogs:
            self._dialogs.remove(dialog)
            self._changed()

    def _leave(self) -> None:
        self._dialogs.clear()
        self._trouble.drop_pending()
        self._recents = False
        self.set_focus(None)

    def clear_recents(self) -> None:
        """End every app and go home."""
        for app in self._running:
            self._stop(app)
        self.go_home()

    def force_stop(self, package: str, user: int | None = None) -> None:
        """End an app, for all users if none is given; if it was in front, show the home screen."""
        for app in self._running:
            if app.package == package and user in (None, app.user) and app is not self._launcher:
                if self.front is app:
                    self._leave()
                self._stop(app)
                self._changed()

    def clear_data(self, package: str) -> None:
        """End an app and clear its data; does nothing for a package without an app."""
        self.force_stop(package)
        if (app := self._apps.get(package)) is not None:
            app.clear_data()
            if package == self._scenario.app:
                self._trouble.forget_permissions()
            self._changed()

    def _stop(self, app: App) -> None:
        if app is not self._launcher:
            self._running = [each for each in self._running if each is not app] or [self._launcher]

    @property
    def packages(self) -> Mapping[str, Package]:
        """Packages installed for any user, by name."""
        return self._installed.packages(adb_keyboard=self._scenario.adb_keyboard)

    @property
    def users(self) -> tuple[int, ...]:
        """Users, the current one first."""
        return (0, *self._scenario.users)

    def is_installed(self, package: str, user: int = 0) -> bool:
        """Return True if a package is installed for a user; packages without an icon are installed for every user."""
        if user not in self.users or package not in self.packages:
            return False
        if user == 0:
            return not (self._scenario.only_other_users and package == self._scenario.app)
        has_icon = package in self._apps
        return not has_icon or package in (self._scenario.app, self._installed.browser.package)

    # ---- focus and keyboards

    @property
    def focused_activity(self) -> str:
        """`package/.Class` of the resumed activity."""
        for dialog in reversed(self._dialogs):
            if dialog.tag in ("permission", "photo picker"):
                return dialog.component
        return f"{self.front.package}/{self.front.open_activities[0]}"

    @property
    def activity_stack(self) -> list[tuple[str, int]]:
        """`package/.Class` and user of the open activities, the one in front first; windows stay stacked."""
        return [
            (f"{app.package}/{activity}", app.user)
            for app in reversed(self._running)
            for activity in app.open_activities
        ]

    @property
    def _active_field(self) -> TextField | None:
        """Field that receives key events: the focused one of the front window."""
        if self.keyguard_shown or self.shade_shown:
            return None
        if self._dialogs or self._recents or self._focus_app is not self.front or self.front.loading:
            return None
        return self._focus

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
        """True if a keyboard is on the screen."""
        return self._keyboard_up and self.awake and self._active_field is not None

    def enable_input_method(self, id: str, on: bool = True) -> bool:
        """Enable or disable a keyboard, as `ime enable|disable`. Return False for an unknown one."""
        return self._methods.enable(id, on=on)

    def set_input_method(self, id: str) -> bool:
        """Select a keyboard, as `ime set`. Return False for one that is not enabled."""
        return self._methods.select(id)

    def _setting_changed(self, namespace: str, key: str, value: str | None) -> None:
        """Apply a setting that a command or the settings app wrote."""
        if (namespace, key) == ("secure", "ui_night_mode"):
            self.set_night_mode(value == "2")
        elif namespace == "secure":
            self._methods.setting_written(key, value)
        self._changed()
