"""Tests of BACK: it is proved by the window below having been open before, never by a changed image."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from handeye.blockers import Blocker, BlockerType, DismissSuggestion
from handeye.devices import OpenWindows
from handeye.errors import DeviceLost
from handeye.plan import ActionName, StepPlan
from handeye.run import TaskResult, TaskRunner, TaskStatus, Tools
from handeye.screen import Screen
from handeye.target import Expectation
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.verify import VerifyResult

LIST, DETAIL, HOME = "a1 u0 mail/mail.List", "b2 u0 mail/mail.Detail", "c3 u0 launcher/launcher.Main"
OTHER, SHADE, POPUP = "e5 u0 news/news.Front", "f6 u0 NotificationShade", "a7 u0 PopupWindow:12ab"
OPEN = frozenset({LIST, DETAIL, HOME, OTHER, SHADE, POPUP})
BACK = StepPlan(1, ActionName.PRESS_KEY, params={"key": "BACK"}, expect=Expectation(changed=True))


class Windowed(FakeDevice):
    """Says for each page which window shows it."""

    shown: Mapping[str, str | None]
    open_before = OPEN
    lost = False
    closes = True

    def open_windows(self) -> OpenWindows | None:
        if self.lost and self.page != "detail":
            raise DeviceLost("the link was lost")
        front = self.shown[self.page]
        closed = {DETAIL} if self.closes and front != DETAIL else set()
        return OpenWindows(front, self.open_before - closed) if front is not None else None

    def front_app(self) -> str | None:
        front = self.shown[self.page]
        return front.split()[-1].partition("/")[0] if front else None

    def home_app(self) -> str | None:
        return "launcher"


def back(
    led_to: str | None,
    *,
    lost: bool = False,
    blocker: Blocker | None = None,
    step: StepPlan = BACK,
    begun_in: str = DETAIL,
    closes: bool = True,
) -> TaskResult:
    """A run that presses BACK on the detail's page; the page that follows stands in the window `led_to`."""
    after = FakePage(blocker=blocker, keys={"BACK": "last"})
    device = Windowed({"detail": FakePage(keys={"BACK": "after"}), "after": after, "last": FakePage()}, start="detail")
    device.shown = {"detail": begun_in, "after": DETAIL if blocker else led_to, "last": led_to}
    device.lost, device.closes = lost, closes
    tools = Tools(FakeFinder(device), Undecided(device))
    planner = FakePlanner({"task": [step]})
    return TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False).run("task")


class Undecided(FakeVerifier):
    """As the real one: what lies over the page is told with every verdict that proves nothing."""

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        verdict = super().verify(expect, before, after)
        return replace(verdict, blocker=self.find_blocker(after)) if not verdict.verified else verdict


def test_window_opened_before_proves_back() -> None:
    result = back(LIST)
    assert result.status is TaskStatus.SUCCESS
    verdict = result.step_results[0].verify_result
    assert verdict is not None
    assert verdict.evidence[0] == "BACK led from mail/mail.Detail to mail/mail.List, which was open beneath it"


@pytest.mark.parametrize(
    "led_to",
    [DETAIL, HOME, "d4 u0 advert/advert.Full", OTHER, SHADE, POPUP, None],
    ids=["the same", "the home screen", "one that has come up", "another app's", "the lock screen", "a pop-up", "none"],
)
def test_other_windows_do_not_prove_back(led_to: str | None) -> None:
    assert back(led_to).status is TaskStatus.NEEDS_REVIEW


def test_window_still_open_does_not_prove_back() -> None:
    assert back(LIST, closes=False).status is TaskStatus.NEEDS_REVIEW


@pytest.mark.parametrize("begun_in", [SHADE, POPUP])
def test_leaving_window_without_app_does_not_prove_back(begun_in: str) -> None:
    assert back(SHADE if begun_in is POPUP else POPUP, begun_in=begun_in).status is TaskStatus.NEEDS_REVIEW
    assert back(LIST, begun_in=begun_in).status is TaskStatus.NEEDS_REVIEW


def test_lost_connection_does_not_prove_back() -> None:
    assert back(LIST, lost=True).status is TaskStatus.NEEDS_REVIEW


def test_dismissed_dialog_does_not_prove_back() -> None:
    dialog = Blocker(BlockerType.DIALOG, "a request to rate", DismissSuggestion("press_key"))
    assert back(LIST, blocker=dialog).status is TaskStatus.NEEDS_REVIEW


def test_other_key_is_not_proved_by_window() -> None:
    other = StepPlan(1, ActionName.PRESS_KEY, params={"key": "MENU"}, expect=Expectation(changed=True))
    assert back(LIST, step=other).status is not TaskStatus.SUCCESS


def over_the_page(step: StepPlan) -> tuple[TaskResult, str]:
    """A run that goes back where a dialog lies over the detail's page; its result, and the page that it ended on."""
    dialog = Blocker(BlockerType.DIALOG, "a request to rate", DismissSuggestion("press_key"))
    device = Windowed(
        {
            "rating": FakePage(blocker=dialog, keys={"BACK": "detail"}),
            "detail": FakePage(keys={"BACK": "list"}),
            "list": FakePage(keys={"BACK": "home"}),
            "home": FakePage(),
        },
        start="rating",
    )
    device.shown = {"rating": DETAIL, "detail": DETAIL, "list": LIST, "home": HOME}
    tools = Tools(FakeFinder(device), Undecided(device))
    planner = FakePlanner({"task": [step]})
    result = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False).run("task")
    return result, device.page


def test_clear_way_dismisses_dialog_before_back() -> None:
    leave = replace(BACK, params={"key": "BACK", "clear_way": True})
    result, page = over_the_page(leave)
    assert (result.status, page) == (TaskStatus.SUCCESS, "list")
    assert result.step_results[0].notes == ["dismissed dialog: a request to rate"]
    unproved = replace(leave, expect=None)
    assert over_the_page(unproved)[1] == "list"  # not blindly either


def test_back_without_clear_way_is_pressed_once() -> None:
    result, page = over_the_page(BACK)
    assert (result.status, page) == (TaskStatus.NEEDS_REVIEW, "detail")
