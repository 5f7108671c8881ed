"""Which app is in front: asked of the device, where it can say, before a step and after it; and which one should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from handeye.blockers.base import SuggestionAction
from handeye.devices.base import AppAware, Device, UserAware, is_anothers
from handeye.plan.base import ActionName, StepPlan
from handeye.run.once import sends_by_key
from handeye.run.result import StepResult, StepStatus
from handeye.target import ANOTHER_APP, HOME_APP, Expectation
from handeye.verify.base import VerifyResult

# What leads out of the app that was in front, to one that the step does not name.
_LEAVES: Final = frozenset({ActionName.GO_HOME, ActionName.OPEN_URL, ActionName.CALL})

_NO_NAMES: Final = (None, "", HOME_APP, ANOTHER_APP)
_AS_AFTER_A_CRASH: Final = "the home screen is in front, as after a crash; before it was {before}"


def front_app(device: Device) -> str | None:
    """The app in front, or None when this device cannot tell. Raises DeviceError."""
    return device.front_app() if isinstance(device, AppAware) else None


def is_home(device: Device) -> bool:
    """Whether the home screen is surely in front. Raises DeviceError."""
    return isinstance(device, AppAware) and device.front_app() == device.home_app() is not None


def without_icon(step: StepPlan, device: Device) -> StepPlan:
    """
    A tap on an app's icon, as the start of that app where the icons of the home screen are another user's. Raises DeviceError.
    """
    package = _named_app(step)
    if package is None or not isinstance(device, UserAware) or not device.has_other_icons():
        return step
    start = {"package": package}
    return replace(step, action=ActionName.LAUNCH_APP, params=start, target=None, target_ref=None, fallback=None)


def why_no_icon(step: StepPlan, device: Device) -> str:
    """Why the icon of an app is not there, as far as the device says; empty where it does not. Raises DeviceError."""
    package = _named_app(step)
    return (device.why_not_installed(package) or "") if package is not None and isinstance(device, UserAware) else ""


def _named_app(step: StepPlan) -> str | None:
    """The app whose icon the step taps; None where it does something else."""
    expect = step.expectation
    if step.action is not ActionName.TAP or expect is None or expect.is_evidence or expect.app in _NO_NAMES:
        return None
    return expect.app


def app_reached(results: Sequence[StepResult]) -> str | None:
    """
    The app that these steps have led into, by the last of them that has started or proved one; None where none has, or a later
    one has left it for an app that it does not name.
    """
    for result in reversed(results):
        step, expect = result.step, result.step.expectation
        if result.status is StepStatus.SKIPPED:
            # One that is not needed in an app was left out in that app.
            unless = [each.expect.app for each in step.conditions if not each.wanted]
            app = unless[0] if len(step.conditions) == len(unless) == 1 else None
        elif result.status is StepStatus.SUCCESS and expect is not None and expect.app:
            app = expect.app
        elif step.action is ActionName.LAUNCH_APP:
            app = str(step.params.get("package", ""))
        elif step.action in _LEAVES:
            return None
        else:
            continue
        if app:
            return None if app in (HOME_APP, ANOTHER_APP) else app
    return None


def with_app(verdict: VerifyResult, expect: Expectation, before: str | None, device: Device) -> VerifyResult:
    """
    The verdict on the picture together with the one on the app: both must hold, and one that fails decides.

    `before` is the app that was in front before the act. Raises DeviceError.
    """
    wanted = expect.app
    home = device.home_app() if isinstance(device, AppAware) and wanted in (HOME_APP, ANOTHER_APP) else None
    wanted = home if wanted == HOME_APP else wanted
    holds, evidence = _judged(wanted, before, front_app(device), home)
    if expect.is_evidence:
        holds = _both(verdict.matches_expected, holds)
    elif verdict.matches_expected is False:
        holds = False
    return replace(
        verdict,
        verified=holds is True,
        confidence=max(verdict.confidence, 0.95) if holds else verdict.confidence,
        matches_expected=holds,
        suggestion=SuggestionAction.CONTINUE if holds is not False else SuggestionAction.RETRY,
        suggestion_detail="" if holds else verdict.suggestion_detail,
        evidence=(evidence, *verdict.evidence),
    )


def without_app(verdict: VerifyResult) -> VerifyResult:
    """The verdict on the picture where the link was lost while the app was asked for: that decides nothing yet, look again."""
    said = ("which app is in front could not be asked: the link was lost", *verdict.evidence)
    wait = SuggestionAction.WAIT
    return replace(verdict, verified=False, matches_expected=None, suggestion=wait, evidence=said)


def against_home(verdict: VerifyResult, before: str | None, device: Device) -> VerifyResult:
    """
    The verdict, unless the app that it is about is gone: where the home screen has come to the front, that something is gone
    proves nothing, and a switch that is not seen is none that stays undecided. `before` is the app that was in front before.
    Raises DeviceError.
    """
    if before is None or not isinstance(device, AppAware):
        return verdict
    now, home = front_app(device), device.home_app()
    if now is None or now == before or now != home:
        return verdict
    evidence = (*verdict.evidence, _AS_AFTER_A_CRASH.format(before=before))
    return replace(
        verdict, verified=False, matches_expected=False, suggestion=SuggestionAction.REPLAN, evidence=evidence
    )


def against_lost_app(step: StepPlan, app: str | None, device: Device) -> VerifyResult | None:
    """
    What speaks against typing or sending: that `app`, which should be in front, is not, but the home screen. None for any other
    step. Raises DeviceError.
    """
    types = step.action is ActionName.INPUT_TEXT or sends_by_key(step)
    if not types or app is None or not isinstance(device, AppAware):
        return None
    front = front_app(device)
    if front is None or front == app or front != device.home_app():
        return None
    return VerifyResult(False, 1.0, matches_expected=False, evidence=(_AS_AFTER_A_CRASH.format(before=app),))


def _judged(wanted: str | None, before: str | None, now: str | None, home: str | None) -> tuple[bool | None, str]:
    if wanted is None:
        return None, "the device does not say which app is its home screen"
    if now is None or (wanted == ANOTHER_APP and before is None):
        return None, "the device does not say which app is in front"
    if wanted == ANOTHER_APP and now == home and now != before:
        return False, _AS_AFTER_A_CRASH.format(before=before)
    holds = now != before and not is_anothers(now) if wanted == ANOTHER_APP else now == wanted
    return holds, f"{now} is in front" + (f", before it was {before}" if before and before != now else "")


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True
