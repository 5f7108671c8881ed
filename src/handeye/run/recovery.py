"""Recovery from what is in the way of a step: dismiss blockers, wait for loading, reconnect to the device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from handeye.actions import PressKey, Tap
from handeye.blockers import PASSIVE, Blocker, BlockerType, DismissSuggestion, Grant, back
from handeye.clock import Deadline
from handeye.devices import KeyboardAware, KeyboardBoxAware, TouchAware
from handeye.errors import DeviceError, DeviceLost, DeviceNotFound, DeviceOffline, PersonNeeded
from handeye.geometry import Box, Point
from handeye.run.device_actions import swipe
from handeye.run.press_checks import is_sure_if_irreversible
from handeye.run.result import EventKind, StepResult
from handeye.run.state import Context, RunState
from handeye.screen import Screen
from handeye.target import Expectation, parse_target

BACK = "BACK"
GONE: Final = "the device is gone, and waited for, {:g} s at most"
IS_BACK: Final = "the device is back after {:.0f} s"
BLACK: Final = "the picture is black: "
T = TypeVar("T")


class Recovery:
    """Recovery for one step; its attempts are limited, so that no loop is endless."""

    def __init__(self, context: Context, result: StepResult, trail: RunState | None = None) -> None:
        self._context = context
        self._trail = trail or RunState()
        self._device = context.device
        self._tools = context.tools
        self._clock = context.clock
        self._limits = context.limits
        self._result = result
        self._dismissals = context.limits.dismissals
        self._loading: Deadline | None = None
        self._chooses_photos = False

    @property
    def dismissed(self) -> int:
        """The number of dialogs that were dismissed in this step."""
        return self._limits.dismissals - self._dismissals

    def capture(self) -> Screen:
        """Return a frame; a lost connection is given time to come back. Raises DeviceError."""
        began = self._clock.now()
        try:
            screen = self._device.screenshot()
            if screen.black:
                self._note(f"{BLACK}{screen.black}")
            return screen
        except (DeviceLost, DeviceOffline, DeviceNotFound) as error:
            screen = self.await_device(error, began)
            self._note(f"no picture: {error}")
            return screen

    def call_with_reconnect(self, when: str, call: Callable[[], T]) -> T | None:
        """
        Return the result of the device call; None, and a note, when the connection was lost `when` it was made and came back:
        it is unknown then whether the device received the call. Raises DeviceError.
        """
        began = self._clock.now()
        try:
            return call()
        except (DeviceLost, DeviceOffline) as error:
            self.await_device(error, began)
            self._note(f"the link was lost {when}: {error}")
            return None

    def await_device(self, error: DeviceError, began: float) -> Screen:
        """
        Return the first frame once the device, whose call failed with `error` and started at `began`, gives frames again.

        Raises the last DeviceError when it does not within `reconnect_s` of that. A call that was started by then may itself
        wait for the device (20 s on Android).
        """
        lost, end = began, began + self._limits.reconnect_s
        self._trail.gone = True
        told = str(error).partition(". ")[0]
        self._tell(EventKind.DEVICE, f"{GONE.format(self._limits.reconnect_s)}: {told}")
        while (now := self._clock.now()) < end:
            if now - began < self._limits.settle_s:
                self._clock.sleep(self._limits.settle_s)
            began = self._clock.now()
            try:
                screen = self._device.screenshot()
            except DeviceError as latest:
                error = latest
            else:
                self._trail.gone = False
                self._tell(EventKind.DEVICE, IS_BACK.format(self._clock.now() - lost))
                return screen
        raise error

    def may_touch(self, screen: Screen, box: Box) -> bool:
        """
        Return False when a dialog covers the screen and `box` is not a part of it, or when only the policy or a person may
        answer the dialog, whatever the plan says.
        """
        blocker = self._tools.verifier.find_blocker(screen)
        if blocker is None or blocker.type in PASSIVE:
            return True
        return not _needs_answer(blocker) and blocker.box is not None and blocker.box.contains(box.center)

    def hides(self, expect: Expectation, screen: Screen, *, page: bool = False) -> Blocker | None:
        """
        Return the blocker over the screen where only the absence of something is expected, which may be just covered; or
        where the whole `page` counts: under a dialog it may be an error page. Else None.
        """
        if not page and not is_absence(expect):
            return None
        blocker = self._tools.verifier.find_blocker(screen)
        return None if blocker is None or blocker.type in PASSIVE else blocker

    def answer_requests(self, screen: Screen) -> Screen:
        """
        Return the screen once no permission request is in front: nothing is typed or pressed into one.

        Raises PersonNeeded for what only a person may answer.
        """
        while (blocker := self._tools.verifier.find_blocker(screen)) is not None and _needs_answer(blocker):
            if not self.remove_blocker(screen, blocker):
                raise PersonNeeded(f"{blocker.description} is in the way, and does not go away ({blocker.words!r})")
            screen = self.capture()
        return screen

    def clear_way(self, screen: Screen) -> Screen:
        """Return the screen once nothing that can be dismissed covers it."""
        while self.remove_blocker(screen):
            screen = self.capture()
        return screen

    def remove_blocker(self, screen: Screen, known: Blocker | None = None) -> bool:
        """
        Return True when a blocker (`known`, where it was detected before) was dismissed or awaited; capture a new frame then.

        Raises PersonNeeded for what only a person may answer.
        """
        blocker = known or self._tools.verifier.find_blocker(screen)
        if blocker is None or blocker.type is BlockerType.NONE:
            return False
        if blocker.type is BlockerType.KEYBOARD and not self._may_close_keyboard():
            return False
        if blocker.type is BlockerType.LOADING or _is_transient(blocker):
            return self._wait_for(blocker)
        if self._chooses_photos and blocker.type is not BlockerType.PERMISSION:
            raise PersonNeeded("the photos that the app may see are to be chosen on the phone")
        if not self._dismissals:
            self._note(f"still in the way after {self._limits.dismissals} dismissals: {blocker.description}")
            return False
        self._dismissals -= 1
        self._tell(EventKind.BLOCKER, f"{blocker.type.value}: {blocker.description}")
        if blocker.type is BlockerType.ERROR:
            self._trail.reported = self._result.step
        how = self._dismissal_for(blocker)
        granted = how is not None and how in (blocker.grant, *blocker.grants.values())
        self._chooses_photos = granted and how == blocker.grants.get(Grant.SELECTED)
        self._note(f"{'granted' if granted else 'dismissed'} {blocker.type.value}: {blocker.description}")
        self.call_with_reconnect("while it was dismissed", lambda: self._dismiss(how, screen))
        self._clock.sleep(self._limits.settle_s)
        return True

    def keyboard_shown(self) -> bool | None:
        """Return True if the device shows a keyboard; None where it cannot tell. Raises DeviceError."""
        device = self._device
        if not isinstance(device, KeyboardAware):
            return None
        return self.call_with_reconnect("while asking for the keyboard", device.keyboard_shown)

    def keyboard_over(self, place: Point, screen: Screen) -> Blocker | None:
        """
        Return the keyboard, of any script, where the device reports that it covers `place` of `screen`; else None. Raises
        DeviceError.
        """
        device = self._device
        if not isinstance(device, KeyboardBoxAware):
            return None
        box = self.call_with_reconnect("while asking for the keyboard", device.keyboard_box)
        at = screen.to_input(place)
        if box is None or not box.contains((int(at.x), int(at.y))):
            return None
        return Blocker(BlockerType.KEYBOARD, "the keyboard", back(), box)

    def window_over(self, place: Point, screen: Screen) -> str | None:
        """
        Return the window over the front app that receives touches at `place` of `screen`, as the device reports it. Raises
        DeviceError.
        """
        device = self._device
        if not isinstance(device, TouchAware):
            return None
        at = screen.to_input(place)
        return self.call_with_reconnect(
            "while asking what lies there", lambda: device.window_over(Point(int(at.x), int(at.y)))
        )

    def _may_close_keyboard(self) -> bool:
        """
        Return True if the visible keys are the device's keyboard: on a page that draws its own, such as a word game, BACK
        would leave the page. Where the device cannot tell, they are taken for the keyboard once after a field was typed into
        or tapped.
        """
        shown = self.keyboard_shown()
        may = self._trail.in_field if shown is None else shown
        self._trail.in_field = False
        return may

    def _wait_for(self, blocker: Blocker) -> bool:
        if self._loading is None:
            self._loading = Deadline(self._clock, self._limits.loading_s)
            self._tell(EventKind.BLOCKER, f"{blocker.type.value}: {blocker.description}")
            self._note(f"waited for {blocker.type.value}: {blocker.description}")
        if self._loading.passed:
            return False
        self._clock.sleep(self._limits.settle_s)
        return True

    def _dismissal_for(self, blocker: Blocker) -> DismissSuggestion | None:
        """Return the policy's decision; None where only BACK is known. Raises PersonNeeded."""
        how = self._context.policy.dismissal(blocker)
        if blocker.needs_person or (how is None and blocker.type is BlockerType.PERMISSION):
            raise PersonNeeded(
                f"{blocker.description} is in the way, and only a person may answer it ({blocker.words!r})"
            )
        return how

    def _dismiss(self, how: DismissSuggestion | None, screen: Screen) -> None:
        """Dismiss by the suggestion; without one, or where its target is not found, with BACK (docs/spec/vision-agent.md)."""
        if how is not None and how.action == "tap":
            box = how.box
            if box is None and how.target_ref:
                found = self._tools.finder.locate(parse_target(how.target_ref), screen)
                box = found.element.bbox if found.success and found.element and is_sure_if_irreversible(found) else None
            if box is not None:
                self._device.perform(Tap(screen.to_input(box.center)))
                return
        if how is not None and how.action == "swipe":
            self._device.perform(swipe("up", screen))
            return
        self._device.perform(PressKey(how.keycode if how is not None and how.keycode is not None else BACK))

    def _note(self, text: str) -> None:
        if text not in self._result.notes[-1:]:
            self._result.notes.append(text)

    def _tell(self, kind: EventKind, message: str) -> None:
        self._context.tell(kind, self._result, message)


def is_absence(expect: Expectation) -> bool:
    """Return True if nothing is expected to be seen, but something to be gone."""
    shown = expect.text or expect.reference or expect.description or expect.switch is not None
    return bool(expect.gone) and not shown


def _is_transient(blocker: Blocker) -> bool:
    return blocker.dismiss_suggestion is not None and blocker.dismiss_suggestion.action == "wait"


def _needs_answer(blocker: Blocker) -> bool:
    """Return True if the blocker asks for what a plan may not decide."""
    return blocker.needs_person or blocker.type is BlockerType.PERMISSION
