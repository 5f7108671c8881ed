"""Choose the provider that reads a device's accessibility tree."""

from __future__ import annotations

import os

from handeye.devices import DesktopBackend, DesktopDevice, Device, TreeAware
from handeye.perceive.base import StateProvider, WindowProvider
from handeye.perceive.uiautomator import UiAutomatorProvider
from handeye.perceive.window_tree import WindowTree


def provider_for(device: Device | None) -> StateProvider | None:
    """Return the provider of the device's accessibility tree, or None if it has no tree (e.g. a picture)."""
    if isinstance(device, DesktopDevice):
        provider = window_provider_for(device.backend)
        return WindowTree(provider, device.backend) if provider is not None else None
    return UiAutomatorProvider(device) if isinstance(device, TreeAware) else None


def window_provider_for(backend: DesktopBackend) -> WindowProvider | None:
    """
    Return the tier-1 provider of a desktop's windows (docs/spec/perception-tiers.md), or None if there is none. Raises
    MissingPart if its dependencies are not installed.
    """
    if backend.uri.startswith("linux:"):
        from handeye.perceive.atspi import AtspiStateProvider

        # The environment of the desktop's own session: two sessions on one machine do not see each other's applications.
        return AtspiStateProvider(
            environment=getattr(backend, "environment", os.environ),
            popups=lambda window: [each.box for each in backend.menus() if each.process == window.process],
        )
    if backend.uri.startswith("windows:"):
        from handeye.perceive.uia import UIAStateProvider

        return UIAStateProvider(getattr(backend, "popups", lambda window: ()))
    return None
