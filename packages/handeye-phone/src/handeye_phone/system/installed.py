"""Installed apps and packages, and the initial settings and properties of the phone."""

from __future__ import annotations

from typing import Final

from handeye_phone.apps.base import App, Host
from handeye_phone.apps.browser import Browser
from handeye_phone.apps.dialer import Dialer
from handeye_phone.apps.launcher import DOCK, PAGES, Launcher
from handeye_phone.apps.messenger import Messenger
from handeye_phone.apps.placeholder import Placeholder
from handeye_phone.apps.settings import SettingsApp
from handeye_phone.system import keyboards
from handeye_phone.system.intent import Intent, Package, full_component

PHYSICAL_DENSITY: Final = 420


class Installed:
    """Every app of one user, by package; resolves intents to apps."""

    def __init__(self, host: Host, user: int = 0) -> None:
        self.launcher = Launcher(host)
        self.messenger = Messenger(host)
        self.settings = SettingsApp(host)
        self.browser = Browser(host)
        self.dialer = Dialer(host)
        own: tuple[App, ...] = (self.launcher, self.messenger, self.browser, self.dialer, self.settings)
        self.apps: dict[str, App] = {app.package: app for app in own}
        for label, icon, package in (*(app for page in PAGES for app in page), *DOCK):
            if package not in self.apps:
                self.apps[package] = Placeholder(host, package, label, icon)
        for app in self.apps.values():
            app.user = user

    def packages(self, *, adb_keyboard: bool) -> dict[str, Package]:
        """All installed packages, by name."""
        found = {app.package: app.info for app in self.apps.values()}
        for extra in _EXTRA_PACKAGES:
            if extra.name != keyboards.ADB.partition("/")[0] or adb_keyboard:
                found[extra.name] = extra
        return found

    def resolve(self, intent: Intent) -> tuple[str | None, bool]:
        """Return (package that handles the intent or None, True if the intent named a component)."""
        if intent.component is not None:
            wanted = full_component(intent.component)
            for app in self.apps.values():
                if full_component(f"{app.package}/{app.activity}") == wanted:
                    return app.package, True
            return None, True
        if intent.package is not None:
            return (intent.package, True) if intent.package in self.apps else (None, False)
        return self._by_action(intent.action or "", intent.data or "", intent.categories), False

    def _by_action(self, action: str, data: str, categories: tuple[str, ...]) -> str | None:
        if "android.intent.category.HOME" in categories:
            return self.launcher.package
        if action == "android.intent.action.VIEW" and data.startswith(("http://", "https://")):
            return self.browser.package
        if action in _DIAL_ACTIONS and (data.startswith("tel:") or action.endswith("DIAL")):
            return self.dialer.package
        if action.startswith("android.settings.") and self.settings.handles(action):
            return self.settings.package
        return None


_DIAL_ACTIONS: Final = ("android.intent.action.CALL", "android.intent.action.DIAL", "android.intent.action.VIEW")
_EXTRA_PACKAGES: Final = (
    Package("android", "Android 系统", "", "14"),
    Package("com.android.systemui", "系统界面", "", "14"),
    Package("com.android.permissioncontroller", "权限控制器", "", "14"),
    Package("com.android.inputmethod.latin", "Android 键盘", "", "14"),
    Package("com.android.adbkeyboard", "ADB Keyboard", "", "2.0", system=False),
    Package("com.android.shell", "Shell", "", "14"),
)
SETTINGS: Final = {
    ("system", "accelerometer_rotation"): "0",
    ("system", "user_rotation"): "0",
    ("system", "screen_brightness"): "128",
    ("system", "screen_off_timeout"): "60000",
    ("system", "font_scale"): "1.0",
    ("global", "airplane_mode_on"): "0",
    ("global", "wifi_on"): "1",
    ("global", "bluetooth_on"): "0",
    ("global", "adb_enabled"): "1",
    ("global", "window_animation_scale"): "1.0",
    ("global", "device_name"): "Handeye Virtual Phone",
    ("secure", "android_id"): "48616e6465796531",
    ("secure", "ui_night_mode"): "1",
}
PROPS: Final = {
    "ro.build.version.release": "14",
    "ro.build.version.sdk": "34",
    "ro.build.version.security_patch": "2024-06-05",
    "ro.build.type": "user",
    "ro.build.tags": "release-keys",
    "ro.build.characteristics": "default",
    "ro.product.manufacturer": "Handeye",
    "ro.product.brand": "Handeye",
    "ro.product.model": "Virtual Phone",
    "ro.product.name": "handeye_virtual",
    "ro.product.device": "handeye",
    "ro.product.cpu.abi": "arm64-v8a",
    "ro.product.cpu.abilist": "arm64-v8a",
    "ro.hardware": "handeye",
    "ro.sf.lcd_density": str(PHYSICAL_DENSITY),
    "ro.serialno": "HANDEYE0001",
    "ro.debuggable": "0",
    "ro.secure": "1",
    "persist.sys.locale": "zh-CN",
    "persist.sys.timezone": "Asia/Shanghai",
    "sys.boot_completed": "1",
    "dev.bootcomplete": "1",
    "init.svc.adbd": "running",
}
