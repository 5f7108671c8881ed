"""Which provider reads the tree of which device."""

from __future__ import annotations

from handeye.devices.base import Device, TreeAware
from handeye.perceive.base import StateProvider
from handeye.perceive.uiautomator import UiAutomatorProvider


def provider_for(device: Device) -> StateProvider | None:
    """Who reads what is on that device's screen; None for a device without a tree, such as a picture."""
    return UiAutomatorProvider(device) if isinstance(device, TreeAware) else None
