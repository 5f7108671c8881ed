"""Which provider reads the tree of which device."""

from __future__ import annotations

from handeye.devices.base import Device, TreeAware
from handeye.perceive.base import StateProvider
from handeye.perceive.uiautomator import UiAutomatorProvider


def provider_for(device: Device | None) -> StateProvider | None:
    """What reads the accessibility tree of that device; None where there is none, such as for a picture."""
    return UiAutomatorProvider(device) if isinstance(device, TreeAware) else None
