"""
Test doubles that ship with Handeye: a device made of pages, a finder, a verifier and a planner for it, and a clock that
does not wait.

>>> from handeye.geometry import Box
>>> phone = FakeDevice({"home": FakePage({"Mail": Box(0, 0, 50, 50)}, {"Mail": "mail"}), "mail": FakePage()}, start="home")
>>> found = FakeFinder(phone).locate(Target(text="Mail"), phone.screenshot())
>>> phone.perform(Tap(phone.screenshot().to_input(found.element.center))).note, phone.page
('', 'mail')
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from handeye.actions import Action, ActionResult, EraseText, GoHome, InputText, PressKey, Swipe, Tap
from handeye.blockers import Blocker, SuggestionAction
from handeye.elements import UIElement
from handeye.errors import NoPlan
from handeye.geometry import Box, Point
from handeye.plan import PlanOrigin, StepPlan, TaskPlan
from handeye.screen import InputPoint, Screen
from handeye.target import Attempt, Expectation, LocateResult, Target
from handeye.verify import VerifyResult

WIDTH, HEIGHT = 100, 200


class FakeClock:
    """A clock that advances only when `sleep` is called."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += max(0.0, seconds)


@dataclass
class FakePage:
    """
    A page: its texts with their boxes, the page that a tap on each leads to, and a blocker that covers it.

    `swipes` and `keys` map a swipe ("left") or a key ("BACK") to the next page. `twins` are texts that occur twice.
    Pages with the same `looks` have the same picture; without, each page has a different one.
    """

    texts: Mapping[str, Box] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    swipes: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str | int, str] = field(default_factory=dict)
    blocker: Blocker | None = None
    twins: Sequence[str] = ()
    looks: str | None = None


class FakeDevice:
    """
    A device as a state machine of pages; taps, swipes and keys move it from one to the next.

    `trouble` is called before each frame and action, and may raise: a lost link, Ctrl-C. `mistype` maps a typed text to
    the one that arrives.
    """

    uri = "fake:"

    def __init__(
        self,
        pages: Mapping[str, FakePage],
        *,
        start: str,
        home: str | None = None,
        trouble: Callable[[str], None] = lambda call: None,
        mistype: Callable[[str], str] = lambda text: text,
    ) -> None:
        self.pages = pages
        self.mistype = mistype
        self.page = start
        self.home = home or start
        self.trouble = trouble
        self.performed: list[Action] = []
        self.typed = ""
        self.closed = False

    def screenshot(self) -> Screen:
        self.trouble("screenshot")
        # Each state has a different picture, so that digests and changes are realistic.
        looks = self.pages[self.page].looks or self.page
        shade = zlib.crc32(f"{looks}\0{self.typed}".encode()) & 0xFFFFFF
        pixels = np.full((HEIGHT, WIDTH, 3), [shade & 255, shade >> 8 & 255, shade >> 16], dtype=np.uint8)
        return Screen(pixels, window={"page": self.page, "typed": self.typed})

    def perform(self, action: Action) -> ActionResult:
        self.trouble(type(action).__name__)
        self.performed.append(action)
        page = self.pages[self.page]
        match action:
            case Tap(at):
                self._tap(page, at)
            case Swipe(start, end):
                self.page = page.swipes.get(_direction(start, end), self.page)
            case PressKey(key):
                self.page = page.keys.get(key, self.page)
            case InputText(text):
                self.typed += self.mistype(text)
            case EraseText(count):
                self.typed = self.typed[: max(0, len(self.typed) - count)]
            case GoHome():
                self.page = self.home
            case _:
                pass
        return ActionResult()

    def close(self) -> None:
        self.closed = True

    def _tap(self, page: FakePage, at: InputPoint) -> None:
        for text, box in page.texts.items():
            if box.contains(Point(int(at.x), int(at.y))) and text in page.links:
                self.page = page.links[text]
                return


def _direction(start: InputPoint, end: InputPoint) -> str:
    if abs(end.x - start.x) > abs(end.y - start.y):
        return "left" if end.x < start.x else "right"
    return "up" if end.y < start.y else "down"


class FakeFinder:
    """Finds the texts of the frame's page; `judged` records the feedback on its results, in order."""

    def __init__(self, device: FakeDevice) -> None:
        self._device = device
        self.judged: list[tuple[Target, bool]] = []

    def judge(self, target: Target, held: bool) -> None:
        self.judged.append((target, held))

    def locate(self, target: Target, screen: Screen) -> LocateResult:
        page = self._device.pages[screen.window["page"]]
        name = target.text or target.reference or target.description or ""
        box = page.texts.get(name)
        if box is None:
            attempt = Attempt("fake", "absent", f"no {name!r} on page {screen.window['page']!r}")
            return LocateResult(False, None, "", error="not found", attempts=(attempt,))
        element = UIElement("text", name, box, 1.0, "fake", name)
        if name in page.twins:
            return LocateResult(
                False, None, "fake", candidates=(element, element), attempts=(Attempt("fake", "ambiguous"),)
            )
        return LocateResult(True, element, "fake", attempts=(Attempt("fake", "found"),))


class FakeVerifier:
    """Verifies by the frame's page and the text typed on it. `doubts` maps texts to reasons against touching them."""

    def __init__(self, device: FakeDevice, doubts: Mapping[str, str] | None = None) -> None:
        self._device = device
        self.doubts = doubts or {}

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        changed = before is None or before.digest != after.digest
        if expect is None or not expect.is_evidence:
            return VerifyResult(False, 0.0, screen_changed=changed, evidence=("nothing to prove",))
        page = self._device.pages[after.window["page"]]
        wanted = expect.text or expect.reference or ""
        there = not wanted or wanted in page.texts or wanted in after.window["typed"]
        gone = expect.gone is None or expect.gone not in page.texts
        ok = there and gone
        return VerifyResult(
            ok,
            1.0,
            matches_expected=ok,
            screen_changed=changed,
            blocker=None if ok else page.blocker,
            suggestion=SuggestionAction.CONTINUE if ok else SuggestionAction.RETRY,
            evidence=(f"{expect} {'holds' if ok else 'does not hold'}",),
        )

    def verify_before(self, target: Target, element: UIElement, screen: Screen) -> VerifyResult:
        """Return the verdict of `doubts` for the element's text, else whether the page contains it."""
        there = element.text in self._device.pages[screen.window["page"]].texts
        why = self.doubts.get(element.text, f"{element.text!r} is {'there' if there else 'not there any more'}")
        holds = there and element.text not in self.doubts
        return VerifyResult(holds, 1.0, matches_expected=holds, evidence=(why,))

    def find_blocker(self, screen: Screen) -> Blocker | None:
        return self._device.pages[screen.window["page"]].blocker


class FakePlanner:
    """
    Returns fixed plans by task, and the plans that replace them when they fail, in order. `asked` records the failure
    reasons.
    """

    def __init__(
        self,
        plans: Mapping[str, Sequence[StepPlan]],
        replans: Mapping[str, Sequence[Sequence[StepPlan]]] | None = None,
        *,
        origin: PlanOrigin = PlanOrigin.TEMPLATE,
    ) -> None:
        self._plans = plans
        self._origin = origin
        self._replans = {task: list(others) for task, others in (replans or {}).items()}
        self.asked: list[str] = []

    def plan(self, task: str, screenshot: Screen | None = None, history: Sequence[StepPlan] | None = None) -> TaskPlan:
        if task not in self._plans:
            raise NoPlan(f"no plan for {task!r}")
        return TaskPlan({}, tuple(self._plans[task]), module="fake", origin=self._origin)

    def replan(
        self,
        original_task: str,
        current_screenshot: Screen | None,
        failed_step: StepPlan,
        failure_reason: str,
        executed_steps: Sequence[StepPlan],
    ) -> TaskPlan:
        self.asked.append(failure_reason)
        others = self._replans.get(original_task)
        if not others:
            raise NoPlan(f"no other plan for {original_task!r}")
        return TaskPlan({}, tuple(others.pop(0)), module="fake", origin=PlanOrigin.MODEL)


def failing_on(calls: Mapping[int, BaseException]) -> Callable[[str], None]:
    """Return a `trouble` that raises at the given calls (frames and actions, counted from 1)."""
    count = 0

    def trouble(call: str) -> None:
        nonlocal count
        count += 1
        if (error := calls.get(count)) is not None:
            raise error

    return trouble


__all__ = [
    "FakeClock",
    "FakeDevice",
    "FakeFinder",
    "FakePage",
    "FakePlanner",
    "FakeVerifier",
    "failing_on",
]
