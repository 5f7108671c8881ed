"""What a device must offer: frames out, actions in."""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol, runtime_checkable

from handeye.actions import Action, ActionResult
from handeye.geometry import Box, Point
from handeye.screen import Screen


@runtime_checkable
class Device(Protocol):
    """
    A phone, a desktop or a picture.

    Both calls raise a DeviceError with the remedy when the device cannot be reached, and UnsupportedAction for what this
    kind of device cannot do.
    """

    @property
    def uri(self) -> str:
        """How the device is named on the command line, for example `android:///127.0.0.1:15555`."""
        ...

    def screenshot(self) -> Screen: ...

    def perform(self, action: Action) -> ActionResult: ...

    def close(self) -> None:
        """Let go of the device and leave it as it was found (input method, ports)."""
        ...


@runtime_checkable
class AppAware(Protocol):
    """A device that can say which app is in front."""

    def front_app(self) -> str | None:
        """The package (Android) or program; None when the device does not know at the moment."""
        ...

    def home_app(self) -> str | None:
        """What shows the home screen; None when the device does not say."""
        ...


@runtime_checkable
class UserAware(Protocol):
    """A device with several users, each with apps of their own: a work profile, clones of apps."""

    def has_other_icons(self) -> bool:
        """Whether the icons of its home screen open the apps of another user than the one whose apps are meant."""
        ...

    def why_not_installed(self, package: str) -> str | None:
        """Why an app is not there for that user, with the remedy; None where it is, or nobody knows."""
        ...


def named_with_user(app: str, user: int) -> str:
    """How `front_app` names an app of another user than the one whose apps are meant."""
    return f"{app} (user {user})"


def is_anothers(app: str) -> bool:
    """Whether `front_app` named an app so."""
    return " (user " in app


class OpenWindows(NamedTuple):
    """The windows of a device, each by a name that no other window has while it is open: the one with the focus, and all."""

    front: str
    every: frozenset[str]


@runtime_checkable
class WindowAware(Protocol):
    """A device that can say which windows are open."""

    def open_windows(self) -> OpenWindows | None:
        """None when none has the focus, or the device does not say. Raises DeviceError."""
        ...


@runtime_checkable
class KeyboardAware(Protocol):
    """A device with a keyboard on its screen, which can say whether it is shown."""

    def keyboard_shown(self) -> bool | None:
        """None when the device does not say. Raises DeviceError."""
        ...


@runtime_checkable
class KeyboardPlaced(Protocol):
    """A device that can say where on its screen the keyboard is, whatever its script."""

    def keyboard_box(self) -> Box | None:
        """In pixels as the screen is turned now; None when none is shown, or the device does not say. Raises DeviceError."""
        ...


@runtime_checkable
class TouchAware(Protocol):
    """A device that can say whether a touch reaches the app in front."""

    def window_over(self, at: Point) -> str | None:
        """
        What lies over that app at a place, in pixels as the screen is turned now, and gets the touches there; None when nothing
        does, or the device does not say. Raises DeviceError.
        """
        ...


@runtime_checkable
class VersionAware(Protocol):
    """A device that can say which version of an app is installed."""

    def app_version(self, package: str) -> str | None:
        """As the app's maker writes it; None when it is not there. Raises DeviceError."""
        ...


@runtime_checkable
class TreeAware(Protocol):
    """A device that can give the accessibility tree of what is in front, in uiautomator's XML and input units."""

    def dump_hierarchy(self) -> str:
        """Raises a DeviceError while there is none to be had, for example because the screen keeps moving."""
        ...


@runtime_checkable
class PartAware(Protocol):
    """A device that can capture a part of what it shows, one of its windows, or one of its monitors, without the rest."""

    def capture(
        self,
        region: Box | None = None,
        window: str | re.Pattern[str] | None = None,
        monitor: str | int | None = None,
    ) -> Screen:
        """
        A frame of `region`, in pixels of what `screenshot`, the window or the monitor shows; a desktop's may reach onto other
        monitors. `window` is a title, `monitor` a name, a number or "primary" (handeye.devices.desktop.window_choice). Raises
        UsageError for a region outside and for a window and a monitor at once, also where the device is a window, DeviceError.
        """
        ...
