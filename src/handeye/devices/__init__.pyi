from .android.controller import ADBController
from .android.hierarchy import repaired
from .android.keycodes import KEYCODES, keycode
from .android.server import AdbServer, list_devices
from .android.virtual import SCENARIOS, AuthPolicy, PhoneDevice, Scenario, VirtualPhone
from .android.volume import is_volume_key
from .base import (
    AppAware,
    Device,
    KeyboardAware,
    KeyboardBoxAware,
    OpenWindows,
    RegionCapture,
    TouchAware,
    TreeAware,
    UserAware,
    VersionAware,
    WindowAware,
    is_other_users_app,
)
from .desktop.base import BetweenPieces, DesktopBackend, Monitor, MouseButton, Surface, Window, shortened
from .desktop.device import DesktopDevice
from .desktop.gestures import SETTLE_S
from .desktop.reachability import capture_unmoved
from .desktop.window_choice import choose_window, numbered
from .formatted_text import arrived_formatted, is_inserted
from .linux.backend import X11Backend
from .lock import DeviceLock
from .state_files import REMEDY, state_folder
from .table import KINDS, kind_of, open_device, with_user
from .windows.functions import load, make_dpi_aware
from .windows.privileges import has_more_rights

__all__ = [
    "KEYCODES",
    "KINDS",
    "REMEDY",
    "SCENARIOS",
    "SETTLE_S",
    "ADBController",
    "AdbServer",
    "AppAware",
    "AuthPolicy",
    "BetweenPieces",
    "DesktopBackend",
    "DesktopDevice",
    "Device",
    "DeviceLock",
    "KeyboardAware",
    "KeyboardBoxAware",
    "Monitor",
    "MouseButton",
    "OpenWindows",
    "PhoneDevice",
    "RegionCapture",
    "Scenario",
    "Surface",
    "TouchAware",
    "TreeAware",
    "UserAware",
    "VersionAware",
    "VirtualPhone",
    "Window",
    "WindowAware",
    "X11Backend",
    "arrived_formatted",
    "capture_unmoved",
    "choose_window",
    "has_more_rights",
    "is_inserted",
    "is_other_users_app",
    "is_volume_key",
    "keycode",
    "kind_of",
    "list_devices",
    "load",
    "make_dpi_aware",
    "numbered",
    "open_device",
    "repaired",
    "shortened",
    "state_folder",
    "with_user",
]
