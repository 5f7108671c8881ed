"""AT-SPI: the accessibility trees of Linux applications. Needs `pip install 'handeye[linux]'`."""

from handeye.errors import MissingPart

try:
    import dbus_fast as _dbus_fast  # noqa: F401
except ImportError as error:
    raise MissingPart("the reader of Linux accessibility trees (dbus-fast)", "pip install 'handeye[linux]'") from error

from handeye.perceive.atspi.bus import AccessibilityBus
from handeye.perceive.atspi.provider import DEADLINE_S, AtspiStateProvider

__all__ = ["DEADLINE_S", "AccessibilityBus", "AtspiStateProvider"]
