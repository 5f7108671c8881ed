"""Which provider reads the tree of which device."""

from __future__ import annotations

import os

from handeye.devices import DesktopBackend, DesktopDevice, Device, TreeAware
from handeye.perceive.android.uiautomator import UiAutomatorProvider
from handeye.perceive.base import StateProvider, WindowProvider
from handeye.perceive.window_tree import WindowTree


def provider_for(device: Device | None) -> StateProvider | None:
    """What reads the accessibility tree of that device; None where there is none, such as for a picture."""
    if isinstance(device, DesktopDevice):
        provider = window_provider_for(device.backend)
        return WindowTree(provider, device.backend) if provider is not None else None
    return UiAutomatorProvider(device) if isinstance(device, TreeAware) else None


def window_provider_for(backend: DesktopBackend) -> WindowProvider | None:
    """
    What reads the windows of that desktop: seed 002's tier 1. None where there is nothing. Raises MissingPart when it is not
    installed.
    """
    if backend.uri.startswith("linux:"):
        from handeye.perceive.atspi import AtspiStateProvider

        # The session that the desktop belongs to: two sessions on one machine know nothing of each other's applications.
        return AtspiStateProvider(
            environment=getattr(backend, "environment", os.environ),
            popups=lambda window: [each.box for each in backend.menus() if each.process == window.process],
        )
    if backend.uri.startswith("windows:"):
        from handeye.perceive.uia import UIAStateProvider

        return UIAStateProvider(getattr(backend, "popups", lambda window: ()))
    return None
