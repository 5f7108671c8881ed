"""
Check which app is in front before and after a step, verify BACK by the device's windows, and return to an app's first page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from handeye.actions import PressKey
from handeye.blockers import SuggestionAction
from handeye.clock import Deadline
from handeye.devices import AppAware, Device, OpenWindows, UserAware, WindowAware, is_other_users_app
from handeye.errors import DeviceLost, DeviceOffline, InvalidPlan, RunStopped
from handeye.matching import ScreenStability, View, is_same_view
from handeye.plan import ActionName, StepPlan
from handeye.run.idempotency import key_of, sends_by_key
from handeye.run.recovery import BACK, Recovery
from handeye.run.result import EventKind, StepResult, StepStatus, has_to_prove
from handeye.run.state import Context
from handeye.screen import Screen
from handeye.target import ANOTHER_APP, HOME_APP, Expectation, Target
from handeye.verify import VerifyResult

# Actions that lead out of the app in front, to one that the step does not name.
_LEAVES: Final = frozenset({ActionName.GO_HOME, ActionName.OPEN_URL, ActionName.CALL})

_NO_NAMES: Final = (None, "", HOME_APP, ANOTHER_APP)
_AS_AFTER_A_CRASH: Final = "the home screen is in front, as after a crash; before it was {before}"


def front_app(device: Device) -> str | None:
    """Return the package of the app in front, or None when this device cannot tell. Raises DeviceError."""
    return device.front_app() if isinstance(device, AppAware) else None


def is_home(device: Device) -> bool:
    """Return True if the device reports that the home screen is in front. Raises DeviceError."""
    return isinstance(device, AppAware) and device.front_app() == device.home_app() is not None


def without_icon(step: StepPlan, device: Device) -> StepPlan:
    """
    Return the step, with a tap on an app's icon replaced by a launch of that app where the icons of the home screen are
    another user's. Raises DeviceError.
    """
    package = _named_app(step)
    if package is None or not isinstance(device, UserAware) or not device.has_other_icons():
        return step
    start = {"package": package}
    return replace(step, action=ActionName.LAUNCH_APP, params=start, target=None, target_ref=None, fallback=None)


def why_no_icon(step: StepPlan, device: Device) -> str:
    """Return the reason why the icon of an app is missing; empty where the device does not give one. Raises DeviceError."""
    package = _named_app(step)
    return (device.why_not_installed(package) or "") if package is not None and isinstance(device, UserAware) else ""


def _named_app(step: StepPlan) -> str | None:
    """Return the app whose icon the step taps; None for any other step."""
    expect = step.expectation
    if step.action is not ActionName.TAP or expect is None or expect.is_evidence or expect.app in _NO_NAMES:
        return None
    return expect.app


def app_reached(results: Sequence[StepResult]) -> str | None:
    """
    Return the app that these steps have led into, by the last of them that started or proved one; None where none did, or a
    later step left it for an app that it does not name.
    """
    for result in reversed(results):
        step, expect = result.step, result.step.expectation
        if result.status is StepStatus.SKIPPED:
            # A step that was skipped because an app was in front (`unless`) proves that app.
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
    Return the verdict on the picture combined with the one on the app: both must hold, and one that fails decides.

    `before` is the app that was in front before the act. Raises DeviceError.
    """
    wanted = expect.app
    home = device.home_app() if isinstance(device, AppAware) and wanted in (HOME_APP, ANOTHER_APP) else None
    wanted = home if wanted == HOME_APP else wanted
    holds, evidence = _app_verdict(wanted, before, front_app(device), home)
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
    """
    Return an undecided verdict, to be checked again, where the connection was lost while the device was asked for the app.
    """
    said = ("which app is in front could not be asked: the link was lost", *verdict.evidence)
    wait = SuggestionAction.WAIT
    return replace(verdict, verified=False, matches_expected=None, suggestion=wait, evidence=said)


def against_home(verdict: VerifyResult, before: str | None, device: Device) -> VerifyResult:
    """
    Return the verdict, contradicted where the app that it is about has been replaced by the home screen: after a crash, an
    absent text proves nothing, and a switch that is not seen does not stay undecided. `before` is the app that was in front
    before. Raises DeviceError.
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
    Return a refusal of typing or sending where the home screen is in front instead of `app`; None for any other step. Raises
    DeviceError.
    """
    types = step.action is ActionName.INPUT_TEXT or sends_by_key(step)
    if not types or app is None or not isinstance(device, AppAware):
        return None
    front = front_app(device)
    if front is None or front == app or front != device.home_app():
        return None
    return VerifyResult(False, 1.0, matches_expected=False, evidence=(_AS_AFTER_A_CRASH.format(before=app),))


def _app_verdict(wanted: str | None, before: str | None, now: str | None, home: str | None) -> tuple[bool | None, str]:
    if wanted is None:
        return None, "the device does not say which app is its home screen"
    if now is None or (wanted == ANOTHER_APP and before is None):
        return None, "the device does not say which app is in front"
    if wanted == ANOTHER_APP and now == home and now != before:
        return False, _AS_AFTER_A_CRASH.format(before=before)
    holds = now != before and not is_other_users_app(now) if wanted == ANOTHER_APP else now == wanted
    return holds, f"{now} is in front" + (f", before it was {before}" if before and before != now else "")


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


# Verification of BACK by the device's windows, for steps that expect nothing more.


# BACK by Android's key name and key code.
_BACK: Final = frozenset({"BACK", 4})
# Confidence of a verdict that the device itself gives, as for the app in front.
_BY_DEVICE: Final = 0.95


def windows_before(step: StepPlan, device: Device) -> OpenWindows | None:
    """Return the open windows for a step that only goes back; None for any other step, or where the device cannot tell."""
    if key_of(step) not in _BACK or step.expectation is None or has_to_prove(step):
        return None
    return device.open_windows() if isinstance(device, WindowAware) else None


def with_window(verdict: VerifyResult, before: OpenWindows, device: Device) -> VerifyResult:
    """
    Return the verdict on a screen that has changed after BACK: proved where another window of the same app is in front, which
    was open before, and the window before is closed.

    A new window has come up by itself. Another app's window, including the home screen's, proves nothing: an app that crashes
    leads there as well. Windows without an app in their name (the lock screen, the status bar, a pop-up) are always open, or
    belong to no app. Where the connection is lost meanwhile, nothing is proved. Raises any other DeviceError.
    """
    try:
        now = device.open_windows() if isinstance(device, WindowAware) else None
    except (DeviceLost, DeviceOffline) as error:
        return _with_note(verdict, f"which window is in front could not be asked: {error}")
    if now is None or now.front == before.front:
        return verdict
    front, left = _name(now.front), _name(before.front)
    if now.front not in before.every:
        return _with_note(verdict, f"{front} is in front, and was not open before")
    if _app(now.front) is None or _app(now.front) != _app(before.front):
        return _with_note(verdict, f"{front} is in front, as after a crash; before it was {left}")
    if before.front in now.every:
        return _with_note(verdict, f"{front} is in front, but {left} is still open")
    said = f"BACK led from {left} to {front}, which was open beneath it"
    return replace(
        verdict, verified=True, confidence=_BY_DEVICE, matches_expected=True, evidence=(said, *verdict.evidence)
    )


def _app(window: str) -> str | None:
    """Return the app that a window belongs to; None where its name does not tell."""
    package, slash, _ = _name(window).partition("/")
    return package if slash and package else None


def _name(window: str) -> str:
    """Return the window's name without its hash and user."""
    return window.rpartition(" ")[2]


def _with_note(verdict: VerifyResult, said: str) -> VerifyResult:
    return replace(verdict, evidence=(*verdict.evidence, said))


# Return to an app's first page by pressing BACK repeatedly (docs/spec/vision-agent.md).


_WANTED: Final = "it needs a target that stands on the first page only"


class HomePageNavigation:
    """Presses BACK until the first page is seen. Raises RunStopped with a reason where that cannot succeed."""

    def __init__(self, context: Context, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._recovery = recovery
        self._result = result
        self._looks = first_page_expectations(result.step)

    def reach(self) -> tuple[VerifyResult, Screen]:
        """
        Return the verdict that proves the first page, and the frame that shows it.

        Raises RunStopped when the app was left, when the screen no longer changes with BACK, and after `Limits.backs`
        presses.
        """
        limits = self._context.limits
        app = self._front_app()
        for pressed in range(limits.backs + 1):
            screen = self._recovery.clear_way(self._settled(self._recovery.capture()))
            self._stay_in(app)
            verdict = self._verify_page(screen)
            if verdict.verified:
                return replace(verdict, evidence=(*verdict.evidence, f"BACK was pressed {pressed} times")), screen
            if pressed < limits.backs:
                self._press_back(screen, verdict)
                self._stay_in(app)
        raise RunStopped(
            f"the first page was not reached with {limits.backs} times BACK: {'; '.join(verdict.evidence)}"
        )

    def _verify_page(self, screen: Screen) -> VerifyResult:
        """Return the first verdict that proves the page, else the last one: by picture, then by text, then by a model."""
        verifier = self._context.tools.verifier
        for look in self._looks:
            verdict = verifier.verify(look, None, screen)
            if verdict.verified:
                break
        return verdict

    def _press_back(self, screen: Screen, verdict: VerifyResult) -> None:
        context = self._context
        if self._recovery.call_with_reconnect(f"during {BACK}", lambda: context.device.perform(PressKey(BACK))) is None:
            return  # the next look decides what follows
        context.tell(EventKind.ACTED, self._result, BACK)
        context.clock.sleep(context.limits.back_s)
        deadline, before = Deadline(context.clock, context.limits.unmoved_s), View.of(screen)
        while is_same_view(before, View.of(self._recovery.capture())):
            if deadline.passed:
                raise RunStopped(
                    f"the first page was not reached: the screen no longer changes with BACK ({'; '.join(verdict.evidence)})"
                )
            context.clock.sleep(context.limits.poll_s)

    def _settled(self, screen: Screen) -> Screen:
        context = self._context
        stillness, deadline = ScreenStability(), Deadline(context.clock, context.limits.unmoved_s)
        while not stillness.is_stable(screen) and not deadline.passed:
            context.clock.sleep(context.limits.still_s)
            screen = self._recovery.capture()
        return screen

    def _stay_in(self, app: str | None) -> None:
        now = self._front_app()
        if app is not None and now is not None and now != app:
            raise RunStopped(f"BACK has left {app} before its first page was seen; {now} is in front")

    def _front_app(self) -> str | None:
        device = self._context.device
        asked = self._recovery.call_with_reconnect("while asking for the app in front", lambda: (front_app(device),))
        return asked[0] if asked is not None else front_app(device)


def first_page_expectations(step: StepPlan) -> tuple[Expectation, ...]:
    """
    Return the expectations that identify the first page, in the order in which they are tried: the step's own, else its
    target by picture, by text and by description.

    Raises InvalidPlan when the step has neither.
    """
    if step.expectation is not None and step.expectation.is_evidence:
        return (step.expectation,)
    target = step.wanted
    ways = _target_expectations(target) if target is not None else ()
    if not ways:
        raise InvalidPlan(f"step {step.step} ({step.action.value}): {_WANTED}")
    return ways


def _target_expectations(target: Target) -> tuple[Expectation, ...]:
    whole = Expectation(region=target.region, exact=target.exact)
    return (
        *((replace(whole, reference=target.reference),) if target.reference else ()),
        *((replace(whole, text=target.text),) if target.text else ()),
        *((replace(whole, description=target.description),) if target.description else ()),
    )
