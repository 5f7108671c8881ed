"""Which keyboards the phone has, which are enabled, which one is selected: the state behind `ime`."""

from __future__ import annotations

from collections.abc import Callable

from handeye.phone import ime
from handeye.phone.settings import SettingsStore


class InputMethods:
    """Keeps the secure settings `default_input_method` and `enabled_input_methods` in step."""

    def __init__(self, settings: SettingsStore, changed: Callable[[], None]) -> None:
        self._settings = settings
        self._changed = changed
        self.selected = ime.LATIN
        self.enabled = [ime.LATIN]
        self.installed = [ime.LATIN, ime.ADB]

    def install_adb_keyboard(self, on: bool) -> None:
        """Install or remove ADBKeyboard; removing it while selected falls back to another."""
        self.installed = [ime.LATIN, ime.ADB] if on else [ime.LATIN]
        if not on:
            self.enable(ime.ADB, on=False)
        self._publish()

    def enable(self, name: str, *, on: bool) -> bool:
        """`ime enable|disable`; False for an unknown keyboard."""
        if on and name not in self.installed:
            return False
        self.enabled = [other for other in self.enabled if other != name]
        if on:
            self.enabled.append(name)
        elif self.selected == name:
            self.selected = self.enabled[0] if self.enabled else ime.LATIN
        self._publish()
        return name in (ime.LATIN, ime.ADB)

    def select(self, name: str) -> bool:
        """`ime set`; False for a keyboard that is not enabled."""
        if name not in self.enabled:
            return False
        self.selected = name
        self._publish()
        return True

    def setting_written(self, key: str, value: str | None) -> None:
        """A command wrote one of the two settings: follow it where it makes sense, else write the truth back."""
        if key == "default_input_method":
            self.select(value or "")
        elif key == "enabled_input_methods":
            self.enabled = [name for name in (value or "").split(":") if name in self.installed] or [ime.LATIN]
            if self.selected not in self.enabled:
                self.selected = self.enabled[0]
        self._publish()

    def _publish(self) -> None:
        self._settings.mirror("secure", "default_input_method", self.selected)
        self._settings.mirror("secure", "enabled_input_methods", ":".join(self.enabled))
        self._changed()
