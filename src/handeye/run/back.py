"""What BACK did, where nothing more is expected of it: the device says which window it has led to."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handeye.devices.base import Device, OpenWindows, WindowAware
from handeye.errors import DeviceLost, DeviceOffline
from handeye.plan.base import StepPlan
from handeye.run.once import key_of
from handeye.run.result import has_to_prove
from handeye.verify.base import VerifyResult

# By Android's name and number.
_BACK: Final = frozenset({"BACK", 4})
# The device is asked, as it is for the app in front.
_BY_DEVICE: Final = 0.95


def windows_before(step: StepPlan, device: Device) -> OpenWindows | None:
    """The open windows, for a step that is to go back and nothing more; None for another, or where the device cannot tell."""
    if key_of(step) not in _BACK or step.expectation is None or has_to_prove(step):
        return None
    return device.open_windows() if isinstance(device, WindowAware) else None


def with_window(verdict: VerifyResult, before: OpenWindows, device: Device) -> VerifyResult:
    """
    The verdict on a screen that has changed after BACK: proved where another window of the same app is in front, which was
    open before, and the window before is closed.

    A window that is new has come up by itself. Another app's, the home screen's among them, proves nothing: an app that crashes
    leads there as well. Windows without an app in their name (the lock screen, the status bar, a pop-up) are always open, or
    are nobody's. Where the link is lost meanwhile, nothing is proved. Raises any other DeviceError.
    """
    try:
        now = device.open_windows() if isinstance(device, WindowAware) else None
    except (DeviceLost, DeviceOffline) as error:
        return _noting(verdict, f"which window is in front could not be asked: {error}")
    if now is None or now.front == before.front:
        return verdict
    front, left = _name(now.front), _name(before.front)
    if now.front not in before.every:
        return _noting(verdict, f"{front} is in front, and was not open before")
    if _app(now.front) is None or _app(now.front) != _app(before.front):
        return _noting(verdict, f"{front} is in front, as after a crash; before it was {left}")
    if before.front in now.every:
        return _noting(verdict, f"{front} is in front, but {left} is still open")
    said = f"BACK led from {left} to {front}, which was open beneath it"
    return replace(
        verdict, verified=True, confidence=_BY_DEVICE, matches_expected=True, evidence=(said, *verdict.evidence)
    )


def _app(window: str) -> str | None:
    """The app that a window belongs to; None for one whose name does not say."""
    package, slash, _ = _name(window).partition("/")
    return package if slash and package else None


def _name(window: str) -> str:
    """Without its hash and user."""
    return window.rpartition(" ")[2]


def _noting(verdict: VerifyResult, said: str) -> VerifyResult:
    return replace(verdict, evidence=(*verdict.evidence, said))
