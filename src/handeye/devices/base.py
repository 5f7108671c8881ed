"""Protocols that devices implement: `Device`, which captures frames and performs actions, and optional capabilities."""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol, runtime_checkable

from handeye.actions import Action, ActionResult
from handeye.geometry import Box, Point
from handeye.screen import Screen


@runtime_checkable
class Device(Protocol):
    """
    A phone, a desktop or an image file.

    Every method raises a DeviceError, whose message names the remedy, if the device cannot be reached, and
    UnsupportedAction for what this kind of device cannot do.
    """

    @property
    def uri(self) -> str:
        """The URI that names the device on the command line, for example `android:///127.0.0.1:15555`."""
        ...

    def screenshot(self) -> Screen: ...

    def perform(self, action: Action) -> ActionResult: ...

    def close(self) -> None:
        """Release the device and restore what was changed on it (input method, port forwards)."""
        ...


@runtime_checkable
class AppAware(Protocol):
    """A device that knows which app is in the foreground."""

    def front_app(self) -> str | None:
        """Return the foreground package (Android) or program, or None if the device does not know at the moment."""
        ...

    def home_app(self) -> str | None:
        """Return the app that shows the home screen, or None if the device does not know."""
        ...


@runtime_checkable
class UserAware(Protocol):
    """A device with several users (work profile, cloned apps), each with its own apps."""

    def has_other_icons(self) -> bool:
        """Return True if the home screen's icons open the apps of a user other than the selected one."""
        ...

    def why_not_installed(self, package: str) -> str | None:
        """
        Return why an app is not installed for the selected user, with the remedy; None if it is installed, or the cause
        is unknown.
        """
        ...


def app_name_with_user(app: str, user: int) -> str:
    """Return the name that `front_app` gives an app of a user other than the selected one."""
    return f"{app} (user {user})"


def is_other_users_app(app: str) -> bool:
    """Return True if `app`, as named by `front_app`, belongs to a user other than the selected one."""
    return " (user " in app


class OpenWindows(NamedTuple):
    """Open windows of a device, each with a name that is unique while it is open: the focused one, and all of them."""

    front: str
    every: frozenset[str]


@runtime_checkable
class WindowAware(Protocol):
    """A device that can list its open windows."""

    def open_windows(self) -> OpenWindows | None:
        """Return the open windows, or None if none is focused or the device does not know. Raises DeviceError."""
        ...


@runtime_checkable
class KeyboardAware(Protocol):
    """A device with an on-screen keyboard that can report whether it is shown."""

    def keyboard_shown(self) -> bool | None:
        """Return True if the on-screen keyboard is shown, or None if the device does not know. Raises DeviceError."""
        ...


@runtime_checkable
class KeyboardBoxAware(Protocol):
    """A device that can report the bounding box of its on-screen keyboard, for any script."""

    def keyboard_box(self) -> Box | None:
        """
        Return the keyboard's bounding box in pixels of the current screen orientation; None if it is hidden or unknown.
        Raises DeviceError.
        """
        ...


@runtime_checkable
class TouchAware(Protocol):
    """A device that can report whether a touch reaches the foreground app."""

    def window_over(self, at: Point) -> str | None:
        """
        Return the name of the window that covers the foreground app at `at` and receives touches there; None if nothing
        does, or the device does not know. `at` is in pixels of the current screen orientation. Raises DeviceError.
        """
        ...


@runtime_checkable
class VersionAware(Protocol):
    """A device that can report the installed version of an app."""

    def app_version(self, package: str) -> str | None:
        """Return the version name that the app's developer gave it, or None if it is not installed. Raises DeviceError."""
        ...


@runtime_checkable
class TreeAware(Protocol):
    """A device that provides the foreground app's accessibility tree, as uiautomator XML in input coordinates."""

    def dump_hierarchy(self) -> str:
        """Return the XML. Raises DeviceError while no tree is available, for example because the screen keeps changing."""
        ...


@runtime_checkable
class RegionCapture(Protocol):
    """A device that can capture a region of its picture, one window or one monitor."""

    def capture(
        self,
        region: Box | None = None,
        window: str | re.Pattern[str] | None = None,
        monitor: str | int | None = None,
    ) -> Screen:
        """
        Capture a frame of `region`, in pixels of what `screenshot`, the window or the monitor shows; on a desktop the
        region may extend onto other monitors. `window` is a title; `monitor` is a name, a number or "primary"
        (handeye.devices.desktop.window_choice). Raises UsageError for a region outside the picture, and for a window
        together with a monitor, also if the device itself is a window; DeviceError if the capture fails.
        """
        ...
