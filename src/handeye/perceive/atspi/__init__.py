"""AT-SPI: what Linux applications say of their windows. Needs `pip install 'handeye[linux]'`."""

from handeye.perceive.atspi.bus import AccessibilityBus
from handeye.perceive.atspi.provider import DEADLINE_S, AtspiStateProvider

__all__ = ["DEADLINE_S", "AccessibilityBus", "AtspiStateProvider"]
