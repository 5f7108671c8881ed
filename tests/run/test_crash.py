"""Tests of app crashes during a run: the plan restarts where that is safe, and nothing is sent twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from handeye.actions import Action, ActionResult, InputText, LaunchApp, PressKey, Swipe, Tap
from handeye.blockers import Blocker, BlockerType, DismissSuggestion
from handeye.geometry import Box, Point
from handeye.plan import ActionName, Condition, PlanOrigin, StepPlan, TaskPlan
from handeye.run import ResumePoint, StepStatus, TaskResult, TaskRunner, TaskStatus, Tools
from handeye.run.levels import Limits
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

TOM, FIELD, SEND, CLOSE = Box(0, 0, 40, 40), Box(0, 150, 40, 190), Box(50, 150, 90, 190), Box(50, 50, 90, 90)
MESSENGER = "com.example.chat"
IN_APP = Expectation(app=MESSENGER)
TITLE = Expectation(text="Tom")


def launch(**more: Any) -> StepPlan:
    return StepPlan(1, ActionName.LAUNCH_APP, params={"package": MESSENGER}, expect=IN_APP, **more)


def tap(text: str, expect: str, **more: Any) -> StepPlan:
    return StepPlan(2, ActionName.TAP, target=Target(text=text), expect=Expectation(text=expect), **more)


def typing(text: str = "hi", **more: Any) -> StepPlan:
    return StepPlan(3, ActionName.INPUT_TEXT, params={"text": text}, guard=TITLE, **more)


SAY_HI = (launch(), tap("Tom", "field"), typing(), tap("Send", "delivered", guard=TITLE))

Crashes = Callable[[Action], bool]


def at_tap_on(box: Box, times: int = 1) -> Crashes:
    left = [times]

    def crashes(action: Action) -> bool:
        hit = isinstance(action, Tap) and box.contains(Point(int(action.at.x), int(action.at.y)))
        left[0] -= hit
        return hit and left[0] >= 0

    return crashes


def at_typing(action: Action) -> bool:
    return isinstance(action, InputText)


class Phone(FakeDevice):
    """
    A messenger and the home screen. When the messenger `crashes` at an action, that action may have been done before
    (`saves`), and a report is shown over the home screen if `reports` says so.
    """

    def __init__(self, crashes: Crashes, *, saves: bool = False, reports: bool = False, tells: bool = True) -> None:
        report = Blocker(BlockerType.ERROR, "a crash report", DismissSuggestion("tap", box=CLOSE))
        pages = {
            "desk": FakePage(),
            "report": FakePage({"Close": CLOSE}, {"Close": "desk"}, blocker=report),
            "chats": FakePage({"Tom": TOM}, {"Tom": "chat"}),
            "chat": FakePage({"Tom": TOM, "field": FIELD, "Send": SEND}, {"Send": "sent"}),
            "sent": FakePage({"Tom": TOM, "field": FIELD, "delivered": SEND}),
        }
        super().__init__(pages, start="desk")
        self.crashes, self.saves, self.tells = crashes, saves, tells
        self.after = "report" if reports else "desk"
        self.sent: list[str] = []
        self.known_as: dict[str, str] = {}
        self.swiped: dict[str, str] = {}

    def front_app(self) -> str | None:
        if not self.tells:
            return None
        return self.known_as.get(self.page, MESSENGER if self.page in ("chats", "chat", "sent") else "desk")

    def home_app(self) -> str | None:
        return "desk"

    def perform(self, action: Action) -> ActionResult:
        inside = self.page in ("chats", "chat", "sent")
        crashes = inside and self.crashes(action)
        if crashes and not self.saves:
            self.performed.append(action)
        else:
            self._do(action)
        if crashes:
            self.page, self.typed = self.after, ""
        return ActionResult()

    def _do(self, action: Action) -> None:
        before = self.page
        super().perform(action)
        if isinstance(action, LaunchApp):
            self.page = "chats"
        if isinstance(action, Swipe):
            self.page = self.swiped.get(before, before)
        if before == "chat" and self.page == "sent":
            self.sent.append(self.typed)
            self.typed = ""

    def count(self, kind: type[Action]) -> int:
        return sum(isinstance(action, kind) for action in self.performed)


class World:
    def __init__(
        self,
        phone: Phone,
        steps: Sequence[StepPlan] = SAY_HI,
        *,
        others: Sequence[Sequence[StepPlan]] = (),
        origin: PlanOrigin = PlanOrigin.TEMPLATE,
        limits: Limits | None = None,
    ) -> None:
        tools = Tools(FakeFinder(phone), FakeVerifier(phone))
        self.planner = FakePlanner({"task": steps}, {"task": others}, origin=origin)
        self.runner = TaskRunner(
            phone, planner=self.planner, tools=lambda plan: tools, clock=FakeClock(), limits=limits, rest=False
        )

    def run(self) -> TaskResult:
        return self.runner.run("task")


@pytest.mark.parametrize("reports", [False, True], ids=["home", "report"])
@pytest.mark.parametrize("origin", [PlanOrigin.TEMPLATE, PlanOrigin.MEMORY])
def test_plan_restarts_after_app_crash_without_a_model(reports: bool, origin: PlanOrigin) -> None:
    phone = Phone(at_tap_on(TOM), reports=reports)
    world = World(phone, origin=origin)
    result = world.run()
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert phone.sent == ["hi"]
    assert world.planner.asked == []
    assert [plan.origin for plan in result.replans] == [origin]
    assert [each.step.step for each in result.step_results] == [1, 2, 3, 4, 5, 6]
    (failed,) = [each for each in result.step_results if each.status is StepStatus.FAILED]
    assert any(f"{MESSENGER} is not in front any more" in note for note in failed.notes)


@pytest.mark.parametrize(("page", "status"), [("desk", TaskStatus.SUCCESS), ("chats", TaskStatus.FAILED)])
def test_plan_restarts_after_home_screen_swipe_only(page: str, status: TaskStatus) -> None:
    """The messenger's template swipes sideways through the home screen to find the icon."""
    swipe = {"action": "swipe", "params": {"direction": "left"}}
    looked = StepPlan(1, ActionName.TAP, target=Target(text="Icon"), expect=IN_APP, fallback=swipe)
    phone = Phone(at_tap_on(TOM))
    phone.pages["icons"] = FakePage({"Icon": FIELD}, {"Icon": "chats"})
    phone.swiped, phone.page = {page: "icons"}, page
    world = World(phone, (looked, *SAY_HI[1:]))
    result = world.run()
    assert result.status is status, result.error_message
    assert phone.sent == (["hi"] if status is TaskStatus.SUCCESS else [])
    notes = [note for each in result.step_results for note in each.notes]
    assert any("may do harm a second time" in note for note in notes) is (status is TaskStatus.FAILED), notes


def test_step_without_retries_is_redone_after_crash() -> None:
    steps = (launch(), tap("Tom", "field", retry=0), *SAY_HI[2:])
    phone = Phone(at_tap_on(TOM))
    assert World(phone, steps).run().status is TaskStatus.SUCCESS
    assert phone.sent == ["hi"]


def test_unsent_text_is_not_retyped_after_crash() -> None:
    phone = Phone(at_typing)
    result = World(phone).run()
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert (phone.sent, phone.count(InputText)) == ([], 1)


@pytest.mark.parametrize("saves", [False, True], ids=["it is not sent", "it is sent"])
@pytest.mark.parametrize("reports", [False, True], ids=["home", "report"])
@pytest.mark.parametrize("origin", list(PlanOrigin))
def test_possibly_sent_message_is_not_resent_after_crash(saves: bool, reports: bool, origin: PlanOrigin) -> None:
    phone = Phone(at_tap_on(SEND), saves=saves, reports=reports)
    result = World(phone, origin=origin).run()
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in result.error_message
    assert phone.sent == (["hi"] if saves else [])
    assert phone.count(InputText) == 1


def test_button_gone_by_crash_does_not_prove_sending() -> None:
    steps = (*SAY_HI[:3], replace(SAY_HI[3], expect=Expectation(gone="Send")))
    phone = Phone(at_tap_on(SEND))
    result = World(phone, steps).run()
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert phone.count(InputText) == 1


def test_repeated_crash_stops_at_the_replan_limit() -> None:
    phone = Phone(at_tap_on(TOM, times=9))
    result = World(phone, limits=Limits(replans=2)).run()
    assert result.status in (TaskStatus.FAILED, TaskStatus.ABORTED)
    assert phone.count(LaunchApp) == 3
    assert phone.sent == []


def test_model_plan_is_replanned_by_model_after_crash() -> None:
    phone = Phone(at_tap_on(TOM))
    world = World(phone, others=[SAY_HI], origin=PlanOrigin.MODEL)
    result = world.run()
    assert result.status is TaskStatus.SUCCESS
    assert len(world.planner.asked) == 1
    assert phone.sent == ["hi"]


def test_model_plan_restarts_after_crash_without_a_replan() -> None:
    phone = Phone(at_tap_on(TOM))
    world = World(phone, origin=PlanOrigin.MODEL)
    result = world.run()
    assert result.status is TaskStatus.SUCCESS
    assert len(world.planner.asked) == 1
    assert phone.sent == ["hi"]


@pytest.mark.parametrize("origin", [PlanOrigin.MODEL, PlanOrigin.MEMORY])
def test_plan_begun_inside_app_is_not_restarted(origin: PlanOrigin) -> None:
    steps = (StepPlan(1, ActionName.CHECK, expect=IN_APP), *SAY_HI[1:])
    phone = Phone(at_tap_on(TOM))
    phone.page = "chats"
    result = World(phone, steps, origin=origin).run()
    assert result.status is TaskStatus.FAILED
    assert result.replans == []


def test_failure_inside_the_app_does_not_restart_plan() -> None:
    phone = Phone(at_tap_on(TOM, times=0))
    result = World(phone, (launch(), tap("Ann", "field"))).run()
    assert result.status is TaskStatus.FAILED
    assert phone.count(LaunchApp) == 1


def test_unknown_front_app_does_not_restart_the_plan() -> None:
    phone = Phone(at_tap_on(TOM), tells=False)
    result = World(phone, (replace(launch(), expect=None), *SAY_HI[1:])).run()
    assert result.status is TaskStatus.FAILED
    assert result.replans == []


def test_skipped_launch_step_still_identifies_the_app() -> None:
    phone = Phone(at_tap_on(TOM))
    phone.page = "chats"
    unless = (Condition(IN_APP, wanted=False),)
    result = World(phone, (launch(conditions=unless), *SAY_HI[1:])).run()
    assert result.status is TaskStatus.SUCCESS
    assert phone.count(LaunchApp) == 1


@pytest.mark.parametrize(("tells", "waits"), [(True, False), (False, True)])
def test_go_home_on_home_screen_does_not_wait(tells: bool, waits: bool) -> None:
    """Nothing changes, so nothing is waited for, unless the device cannot report the app in front."""
    phone = Phone(lambda action: False, tells=tells)
    result = World(phone, (StepPlan(1, ActionName.GO_HOME, wait_after=2000),)).run()
    (step,) = result.step_results
    assert (step.elapsed_s > 1.5) is waits, step.elapsed_s


def test_plan_that_left_app_itself_is_not_restarted() -> None:
    home = StepPlan(2, ActionName.GO_HOME)
    phone = Phone(at_tap_on(TOM))
    result = World(phone, (launch(), home, tap("Tom", "field"))).run()
    assert result.status is TaskStatus.FAILED
    assert phone.count(LaunchApp) == 1


@pytest.mark.parametrize("reports", [False, True], ids=["home", "report"])
@pytest.mark.parametrize("sends", ["typing", "key"])
def test_nothing_is_typed_on_home_screen_after_crash(reports: bool, sends: str) -> None:
    quiet = StepPlan(
        2, ActionName.TAP, target=Target(text="Tom", role="list item")
    )  # nothing shows whether it has worked
    enter = StepPlan(3, ActionName.PRESS_KEY, params={"key": "ENTER"}, expect=Expectation(text="field"))
    blind = StepPlan(3, ActionName.INPUT_TEXT, params={"text": "hi"})
    phone = Phone(at_tap_on(TOM), reports=reports)
    typed_on: list[str] = []
    perform = phone.perform

    def watch(action: Action) -> ActionResult:
        if isinstance(action, InputText | PressKey):
            typed_on.append(phone.page)
        return perform(action)

    phone.perform = watch  # type: ignore[method-assign]
    steps = (launch(), quiet, *((blind, SAY_HI[3]) if sends == "typing" else (enter,)))
    assert World(phone, steps).run().status is (TaskStatus.SUCCESS if sends == "typing" else TaskStatus.NEEDS_REVIEW)
    assert typed_on == ["chat"]
    assert phone.sent == (["hi"] if sends == "typing" else [])


MAPS = "com.example.maps"
SPIN, ROUTE = Box(0, 0, 40, 40), Box(50, 50, 90, 90)


class Fair(Phone):
    """An app with a lottery, and a map that it leads to; the app crashes at `crashes`."""

    def __init__(self, crashes: Crashes = lambda action: False, *, word: str = "Spin") -> None:
        super().__init__(crashes)
        self.pages = {
            **self.pages,
            "chats": FakePage({word: SPIN}, {word: "chat"}),
            "chat": FakePage({"Drawn": SPIN, "Route": ROUTE}, {"Route": "maps"}),
            "maps": FakePage({"Map": SPIN, "Start": ROUTE}, {"Start": "driving"}),
            "driving": FakePage({"Arrived": SPIN}),
        }
        self.known_as = {"maps": MAPS, "driving": MAPS}

    def taps(self, box: Box) -> int:
        hits = [action.at for action in self.performed if isinstance(action, Tap)]
        return sum(box.contains(Point(int(at.x), int(at.y))) for at in hits)


SPIN_AND_GO = (launch(), tap("Spin", "Drawn"), tap("Route", "Map"))
START = StepPlan(1, ActionName.TAP, target=Target(text="Start"), expect=Expectation(text="Arrived"))


def test_switch_to_another_app_is_not_a_crash() -> None:
    phone = Fair()
    world = World(phone, (*SPIN_AND_GO, tap("Go", "Arrived")), others=[[START]])
    result = world.run()
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert len(world.planner.asked) == 1
    assert (phone.count(LaunchApp), phone.taps(SPIN)) == (1, 1)


def test_failure_in_another_app_does_not_restart_plan() -> None:
    phone = Fair()
    result = World(phone, (*SPIN_AND_GO, tap("Go", "Arrived"))).run()
    assert result.status is TaskStatus.FAILED
    assert result.replans == []
    assert (phone.count(LaunchApp), phone.taps(SPIN)) == (1, 1)


@pytest.mark.parametrize("word", ["Spin", "抽奖", "叫车", "取号", "送出", "解锁", "Request ride", "Retweet", "Bid"])
@pytest.mark.parametrize("origin", list(PlanOrigin))
def test_cumulative_action_is_not_repeated_after_crash(word: str, origin: PlanOrigin) -> None:
    phone = Fair(at_tap_on(ROUTE), word=word)
    result = World(phone, (launch(), tap(word, "Drawn"), tap("Route", "Map")), origin=origin).run()
    assert not result.success
    assert phone.taps(SPIN) == 1
    assert any("may do harm a second time" in note for note in result.step_results[-1].notes)


def test_crashing_cumulative_action_is_not_repeated() -> None:
    phone = Fair(at_tap_on(SPIN))
    assert not World(phone, SPIN_AND_GO).run().success
    assert phone.taps(SPIN) == 1


def test_planner_is_asked_when_restart_is_unsafe() -> None:
    phone = Fair(at_tap_on(ROUTE))
    look = StepPlan(1, ActionName.CHECK, expect=Expectation(text="Drawn"))
    world = World(phone, SPIN_AND_GO, others=[[launch(), look]])
    world.run()
    assert world.planner.asked[0] == "text 'Map' is there does not hold"
    assert phone.taps(SPIN) == 1


def test_resumed_run_counts_actions_done_before() -> None:
    phone = Fair(at_tap_on(ROUTE))
    phone.page = "chat"
    inside = StepPlan(1, ActionName.CHECK, expect=IN_APP)
    tab = replace(SPIN_AND_GO[2], target=Target(text="Route", role="tab"))
    way = (*SPIN_AND_GO[:2], inside, tab)
    steps = tuple(replace(step, step=number) for number, step in enumerate(way, 1))
    earlier = ResumePoint(TaskPlan({}, steps), {1: StepStatus.SUCCESS, 2: StepStatus.SUCCESS})
    world = World(phone, SPIN_AND_GO)
    result = world.runner.run("task", resume=earlier)
    assert "text 'Spin' was done, and may do harm a second time" in str(result.step_results[-1].notes)
    assert (phone.count(LaunchApp), phone.taps(SPIN)) == (0, 0)
