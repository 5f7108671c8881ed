"""What a run does when something stands in the way: dismiss, wait, reconnect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from handeye.actions import PressKey, Tap
from handeye.blockers import PASSIVE, Blocker, BlockerType, DismissSuggestion, Grant, back
from handeye.clock import Deadline
from handeye.devices import KeyboardAware, KeyboardPlaced, TouchAware
from handeye.errors import DeviceError, DeviceLost, DeviceNotFound, DeviceOffline, PersonNeeded
from handeye.geometry import Box, Point
from handeye.run.device_actions import swipe
from handeye.run.press_checks import is_sure_if_irreversible
from handeye.run.result import EventKind, StepResult
from handeye.run.state import Context, RunState
from handeye.screen import Screen
from handeye.target import Expectation, Target

BACK = "BACK"
GONE: Final = "the device is gone, and waited for, {:g} s at most"
IS_BACK: Final = "the device is back after {:.0f} s"
BLACK: Final = "the picture is black: "
T = TypeVar("T")


class Recovery:
    """Recovery for one step; counts its own attempts, so that no loop is endless."""

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
        """A frame; a lost link is given time to come back. Raises DeviceError."""
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

    def bridged(self, when: str, call: Callable[[], T]) -> T | None:
        """
        Return the result of the device call; None, and a note, when the link was lost `when` it was made and came back: nobody
        knows then whether the device got it. Raises DeviceError.
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
        The first frame once a device whose call failed with `error`, and `began` then, gives frames again.

        Raises the last DeviceError when it does not within `reconnect_s` of that. A call that has begun by then may itself wait
        for the device (20 s on Android).
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
        False when a dialog lies over the screen and `box` is not a part of it, and inside of what only the policy or a person
        may answer, whatever the plan says.
        """
        blocker = self._tools.verifier.find_blocker(screen)
        if blocker is None or blocker.type in PASSIVE:
            return True
        return not _asks(blocker) and blocker.box is not None and blocker.box.contains(box.center)

    def hides(self, expect: Expectation, screen: Screen, *, page: bool = False) -> Blocker | None:
        """
        The blocker over the screen where nothing but the absence of something is expected: it may be just covered. Or where the
        whole `page` counts: under a dialog it may say that it could not be loaded.
        """
        if not page and not is_absence(expect):
            return None
        blocker = self._tools.verifier.find_blocker(screen)
        return None if blocker is None or blocker.type in PASSIVE else blocker

    def answer_requests(self, screen: Screen) -> Screen:
        """
        The screen once no permission request is in front: nothing is typed or pressed into one.

        Raises PersonNeeded for what only a person may answer.
        """
        while (blocker := self._tools.verifier.find_blocker(screen)) is not None and _asks(blocker):
            if not self.remove_blocker(screen, blocker):
                raise PersonNeeded(f"{blocker.description} is in the way, and does not go away ({blocker.words!r})")
            screen = self.capture()
        return screen

    def clear_way(self, screen: Screen) -> Screen:
        """The screen once nothing that can be dismissed lies over it."""
        while self.remove_blocker(screen):
            screen = self.capture()
        return screen

    def remove_blocker(self, screen: Screen, known: Blocker | None = None) -> bool:
        """
        True when something stood in the way (`known`, where it was seen before) and was dealt with; look again then.

        Raises PersonNeeded for what only a person may answer.
        """
        blocker = known or self._tools.verifier.find_blocker(screen)
        if blocker is None or blocker.type is BlockerType.NONE:
            return False
        if blocker.type is BlockerType.KEYBOARD and not self._may_close_keyboard():
            return False
        if blocker.type is BlockerType.LOADING or _goes_by_itself(blocker):
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
        how = self._way_past(blocker)
        granted = how is not None and how in (blocker.grant, *blocker.grants.values())
        self._chooses_photos = granted and how == blocker.grants.get(Grant.SELECTED)
        self._note(f"{'granted' if granted else 'dismissed'} {blocker.type.value}: {blocker.description}")
        self.bridged("while it was dismissed", lambda: self._dismiss(how, screen))
        self._clock.sleep(self._limits.settle_s)
        return True

    def keyboard_shown(self) -> bool | None:
        """Return True if the device shows a keyboard; None where it does not say. Raises DeviceError."""
        device = self._device
        if not isinstance(device, KeyboardAware):
            return None
        return self.bridged("while asking for the keyboard", device.keyboard_shown)

    def keyboard_over(self, place: Point, screen: Screen) -> Blocker | None:
        """The keyboard, of any script, where the device says that it lies over `place` of `screen`. Raises DeviceError."""
        device = self._device
        if not isinstance(device, KeyboardPlaced):
            return None
        box = self.bridged("while asking for the keyboard", device.keyboard_box)
        at = screen.to_input(place)
        if box is None or not box.contains((int(at.x), int(at.y))):
            return None
        return Blocker(BlockerType.KEYBOARD, "the keyboard", back(), box)

    def window_over(self, place: Point, screen: Screen) -> str | None:
        """The window over the front app that gets the touches at `place` of `screen`, by the device. Raises DeviceError."""
        device = self._device
        if not isinstance(device, TouchAware):
            return None
        at = screen.to_input(place)
        return self.bridged("while asking what lies there", lambda: device.window_over(Point(int(at.x), int(at.y))))

    def _may_close_keyboard(self) -> bool:
        """
        Return True if the keys that are seen are the device's: on a page that draws its own, a word game, BACK would leave it.
        Where the device does not say, they are taken for its own once after a field was typed into or tapped.
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

    def _way_past(self, blocker: Blocker) -> DismissSuggestion | None:
        """Return the policy's decision; None where nothing is known but BACK. Raises PersonNeeded."""
        how = self._context.policy.dismissal(blocker)
        if blocker.needs_person or (how is None and blocker.type is BlockerType.PERMISSION):
            raise PersonNeeded(
                f"{blocker.description} is in the way, and only a person may answer it ({blocker.words!r})"
            )
        return how

    def _dismiss(self, how: DismissSuggestion | None, screen: Screen) -> None:
        """By the suggestion; without one, or where it cannot be found, with BACK (seed 004)."""
        if how is not None and how.action == "tap":
            box = how.box
            if box is None and how.target_ref:
                found = self._tools.finder.locate(Target.parse(how.target_ref), screen)
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


def _goes_by_itself(blocker: Blocker) -> bool:
    return blocker.dismiss_suggestion is not None and blocker.dismiss_suggestion.action == "wait"


def _asks(blocker: Blocker) -> bool:
    """Return True if the blocker asks for what a plan may not give."""
    return blocker.needs_person or blocker.type is BlockerType.PERMISSION
