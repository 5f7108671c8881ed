"""The agent's own cost per step: everything but the device, waiting, reading and models.

    python benchmarks/bench_agent.py [--runs N] [--check]

A run of nine steps on pages of 1080x2400 pixels: proved taps, typing, checks, a swipe, a key, a condition, a value. The
frames are pages of the virtual phone, drawn before and copied for every screenshot; the finder and the verifier answer at once;
time passes only on a clock that does not wait. Every verdict compares two frames pixel by pixel, as the real one does.
Milliseconds are CPU time of the thread less that of the device, per step.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from handeye.actions import Action, ActionResult
from handeye.blockers import Blocker
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.matching import compare
from handeye.plan import ActionName, Condition, StepPlan
from handeye.run import TaskRunner, TaskStatus, Tools
from handeye.screen import Pixels, Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner
from handeye.text import TextLine
from handeye.verify import VerifyResult
from handeye_phone.model import PhoneModel

BUDGET_MS = 15.0
RUNS = 15
PLACE = Box(300, 900, 700, 1000)
VALUE = Box(720, 900, 800, 1000)
APPS = ("com.tencent.mm", "com.android.chrome", "com.android.settings")


class RealFrames(FakeDevice):
    """A device of pages whose frames are those of a phone. `spent` is the CPU time that taking them has cost, in seconds."""

    def __init__(self, pages: dict[str, FakePage], frames: dict[str, Pixels], start: str) -> None:
        super().__init__(pages, start=start)
        self._frames = frames
        self.spent = 0.0

    def screenshot(self) -> Screen:
        began = time.thread_time()
        pixels = self._frames[self.page].copy()
        pixels[1500:1560, 100 : 100 + 20 * max(1, len(self.typed))] = 0  # what was typed
        screen = Screen(pixels, window={"page": self.page, "typed": self.typed})
        self.spent += time.thread_time() - began
        return screen

    def perform(self, action: Action) -> ActionResult:
        began = time.thread_time()
        done = super().perform(action)
        self.spent += time.thread_time() - began
        return done


class Beside:
    """Reads one value beside the place that is looked for."""

    name = "beside"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return (TextLine("42", VALUE, 0.99),)


class Comparing:
    """Judges by what a frame's page declares, and by comparing it with the frame before."""

    def __init__(self, device: FakeDevice) -> None:
        self._device = device

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        changed = None if before is None else bool(compare(before, after))
        wanted = (expect.text if expect is not None else None) or ""
        holds = wanted in self._device.pages[after.window["page"]].texts or wanted in after.window["typed"]
        return VerifyResult(
            holds, 1.0, matches_expected=holds, screen_changed=changed, evidence=(f"{wanted!r} is there",)
        )

    def verify_before(self, target: Target, element: UIElement, screen: Screen) -> VerifyResult:
        return VerifyResult(True, 1.0, matches_expected=True, evidence=(f"{target} is there",))

    def find_blocker(self, screen: Screen) -> Blocker | None:
        return None


def frames() -> dict[str, Pixels]:
    drawn = {}
    for name, app in zip("abc", APPS, strict=True):
        phone = PhoneModel()
        phone.launch(app)
        drawn[name] = Screen.from_image(phone.frame()).pixels.copy()
    return drawn


def pages() -> dict[str, FakePage]:
    def page(name: str, following: str) -> FakePage:
        return FakePage(
            {f"on {name}": PLACE}, {f"on {name}": following}, swipes={"up": following}, keys={"BACK": following}
        )

    return {"a": page("a", "b"), "b": page("b", "c"), "c": page("c", "a")}


def plan() -> list[StepPlan]:
    def tap(name: str, then: str) -> StepPlan:
        return StepPlan(1, ActionName.TAP, target=Target(text=f"on {name}"), expect=Expectation(text=f"on {then}"))

    typed = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hello"}, expect=Expectation(text="hello"))
    check = StepPlan(1, ActionName.CHECK, expect=Expectation(text="on b"))
    unless = Condition(Expectation(text="on c"), wanted=False, group=1)
    steps = [
        *(tap("a", "b"), typed, check, tap("b", "c")),
        StepPlan(1, ActionName.SWIPE, params={"direction": "up"}, expect=Expectation(text="on a")),
        replace(tap("a", "b"), conditions=(unless,)),
        StepPlan(1, ActionName.PRESS_KEY, params={"key": "BACK"}, expect=Expectation(text="on c")),
        StepPlan(1, ActionName.READ, target=Target(text="on c"), params={"save_as": "value"}),
        StepPlan(1, ActionName.CHECK, expect=Expectation(text="on c")),
    ]
    return [replace(step, step=number) for number, step in enumerate(steps, 1)]


def one_run(drawn: dict[str, Pixels], steps: list[StepPlan]) -> float:
    """Milliseconds of the agent per step."""
    device = RealFrames(pages(), drawn, "a")
    tools = Tools(FakeFinder(device), Comparing(device), reader=Beside())
    runner = TaskRunner(device, planner=FakePlanner({"task": steps}), tools=lambda plan: tools, clock=FakeClock())
    began = time.thread_time()
    result = runner.run("task")
    spent = time.thread_time() - began - device.spent
    if result.status is not TaskStatus.SUCCESS:
        raise SystemExit(f"the run that is measured did not succeed: {result.error_message}")
    return spent / len(steps) * 1000


def comparing(drawn: dict[str, Pixels]) -> float:
    """Milliseconds of comparing two frames, half of them equal."""

    def once() -> float:
        before, after, same = (Screen(drawn[name].copy()) for name in "aba")
        began = time.thread_time()
        compare(before, after)
        compare(before, same)
        return (time.thread_time() - began) / 2 * 1000

    return median(once)


def median(call: Callable[[], float], runs: int = RUNS) -> float:
    return statistics.median(call() for _run in range(runs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--check", action="store_true", help="exit 1 if the budget is missed")
    options = parser.parse_args()
    drawn, steps = frames(), plan()
    one_run(drawn, steps)
    cost = median(lambda: one_run(drawn, steps), options.runs)
    print(f"the agent, per step          {cost:6.2f} ms   (budget {BUDGET_MS:g} ms)")
    print(f"of that, comparing two frames{comparing(drawn):6.2f} ms")
    if options.check and cost > BUDGET_MS:
        sys.exit(1)


if __name__ == "__main__":
    main()
