"""Tests of the flow of a run: conditions, read values, batches and replans."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from handeye.actions import InputText, PressKey, Tap
from handeye.blockers import Blocker, BlockerType, DismissSuggestion, PermissionPolicy, SuggestionAction
from handeye.errors import BudgetExceeded, DeviceLost, DeviceOffline, OcrFailed, RunStopped, WriteFailed
from handeye.geometry import Box
from handeye.plan import ActionName, Condition, StepPlan, TaskPlan, TaskPlanner, TextTemplate
from handeye.run import (
    Event,
    EventKind,
    ExecutionLevel,
    StepStatus,
    TaskResult,
    TaskRunner,
    TaskStatus,
    Tools,
    ignore_events,
)
from handeye.run.levels import Limits
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import (
    FakeClock,
    FakeDevice,
    FakeFinder,
    FakePage,
    FakePlanner,
    FakeVerifier,
    failing_on,
)
from handeye.text import TextLine
from handeye.verify import VerifyResult

HERE, THERE, BELOW = Box(0, 0, 40, 40), Box(50, 50, 90, 90), Box(0, 100, 40, 140)


def tap(text: str, expect: str | None = None, **more: object) -> StepPlan:
    expectation = Expectation(text=expect) if expect else None
    return StepPlan(1, ActionName.TAP, target=Target(text=text), expect=expectation, **more)  # type: ignore[arg-type]


def typing(text: str, **more: object) -> StepPlan:
    return StepPlan(1, ActionName.INPUT_TEXT, params={"text": text}, **more)  # type: ignore[arg-type]


def check(text: str, **more: object) -> StepPlan:
    return StepPlan(1, ActionName.CHECK, expect=Expectation(text=text), **more)  # type: ignore[arg-type]


class OneApp(FakeDevice):
    """All pages are of one app, but for those whose name begins with "other"."""

    def front_app(self) -> str | None:
        return "other" if self.page.startswith("other") else "app"

    def home_app(self) -> str | None:
        return None


class PageReader:
    """Reads what the frame's page declares: its texts, and `lines` beside them."""

    name = "pages"

    def __init__(self, device: FakeDevice, lines: Sequence[TextLine] = ()) -> None:
        self._device = device
        self._lines = tuple(lines)

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        page = self._device.pages[screen.window["page"]]
        return (*(TextLine(text, box, 1.0) for text, box in page.texts.items()), *self._lines)


class Suggesting(FakeVerifier):
    """Makes one suggestion for whatever is not proved; with WAIT it cannot decide yet."""

    def __init__(
        self, device: FakeDevice, doubts: Mapping[str, str] | None = None, suggests: SuggestionAction | None = None
    ) -> None:
        super().__init__(device, doubts)
        self._suggests = suggests

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        verdict = super().verify(expect, before, after)
        if self._suggests is None or verdict.verified:
            return verdict
        decided = None if self._suggests is SuggestionAction.WAIT else verdict.matches_expected
        return replace(verdict, suggestion=self._suggests, matches_expected=decided)


TASK = "turn on dark mode, send hello and pay for the order"
"""Asks for all that the other plans do, which count as a model's."""


class World:
    """One device, one plan for TASK, others for when it fails, and a clock that does not wait."""

    def __init__(
        self,
        pages: dict[str, FakePage],
        *steps: StepPlan,
        others: Sequence[Sequence[StepPlan]] = (),
        lines: Sequence[TextLine] = (),
        start: str = "home",
        limits: Limits | None = None,
        policy: PermissionPolicy | None = None,
        doubts: dict[str, str] | None = None,
        suggests: SuggestionAction | None = None,
    ) -> None:
        self.frames = 0
        self.device = OneApp(pages, start=start, home="home" if "home" in pages else start, trouble=self._count)
        self.planner = FakePlanner({TASK: steps}, {TASK: others})
        self.events: list[Event] = []
        self.heard: Callable[[Event], object] = ignore_events
        self.clock = FakeClock()
        verifier = Suggesting(self.device, doubts, suggests)
        self.tools = Tools(FakeFinder(self.device), verifier, reader=PageReader(self.device, lines))
        self.limits = limits
        self.policy = policy
        self.runner = self.runner_with(self.planner)

    def runner_with(self, planner: TaskPlanner) -> TaskRunner:
        return TaskRunner(
            self.device,
            planner=planner,
            tools=lambda plan: self.tools,
            clock=self.clock,
            listen=self._hear,
            limits=self.limits,
            policy=self.policy,
        )

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        self.heard(event)

    def run(self) -> TaskResult:
        return self.runner.run(TASK)

    def done(self) -> list[str]:
        return [type(action).__name__ for action in self.device.performed]

    def count_of(self, kind: type) -> int:
        return sum(isinstance(action, kind) for action in self.device.performed)

    def _count(self, call: str) -> None:
        self.frames += call == "screenshot"


def mail_pages() -> dict[str, FakePage]:
    return {
        "home": FakePage({"Mail": HERE}, {"Mail": "mail"}),
        "mail": FakePage({"Inbox": THERE}, keys={"BACK": "home"}),
    }


# -- conditions


def unless(text: str, group: int = 1) -> Condition:
    return Condition(Expectation(text=text), wanted=False, group=group)


def test_step_with_unmet_condition_is_skipped_with_reason() -> None:
    opening = replace(tap("Mail", "Inbox"), conditions=(unless("Inbox"),))
    world = World(mail_pages(), opening, check("Inbox"), start="mail")
    result = world.run()
    assert result.status is TaskStatus.SUCCESS
    assert [each.status for each in result.step_results] == [StepStatus.SKIPPED, StepStatus.SUCCESS]
    assert any("Inbox" in note for note in result.step_results[0].notes)
    assert world.done() == []


def test_step_whose_condition_holds_is_executed() -> None:
    opening = replace(tap("Mail", "Inbox"), conditions=(unless("Inbox"),))
    world = World(mail_pages(), opening, check("Inbox"))
    assert world.run().status is TaskStatus.SUCCESS
    assert world.done() == ["Tap"]


def test_condition_group_is_decided_once_for_all_steps() -> None:
    """Opening the app makes "already open" true; the second step of the group is still executed."""
    pages = {**mail_pages(), "mail": FakePage({"Inbox": THERE}, {"Inbox": "list"}), "list": FakePage({"Letters": HERE})}
    group = [replace(step, conditions=(unless("Inbox"),)) for step in (tap("Mail", "Inbox"), tap("Inbox", "Letters"))]
    assert World(pages, *group).run().status is TaskStatus.SUCCESS
    alone = [replace(step, conditions=(unless("Inbox", number),)) for number, step in enumerate(group, 1)]
    result = World(pages, *alone).run()
    assert result.step_results[1].status is StepStatus.SKIPPED


def test_all_conditions_of_a_step_must_hold() -> None:
    both = (unless("Inbox", 1), Condition(Expectation(text="Chess"), wanted=True, group=2))
    result = World(mail_pages(), replace(tap("Mail", "Inbox"), conditions=both), check("Mail")).run()
    assert result.step_results[0].status is StepStatus.SKIPPED


def test_undecided_condition_counts_as_not_holding() -> None:
    vague = Condition(Expectation(changed=True), wanted=False, group=1)
    world = World(mail_pages(), replace(tap("Mail", "Inbox"), conditions=(vague,)))
    assert world.run().status is TaskStatus.SUCCESS
    sure = replace(vague, wanted=True)
    skipped = World(mail_pages(), replace(tap("Mail", "Inbox"), conditions=(sure,)))
    assert skipped.run().step_results[0].status is StepStatus.SKIPPED


def test_the_app_in_front_can_be_a_condition() -> None:
    elsewhere = Condition(Expectation(app="app"), wanted=False, group=1)
    world = World(mail_pages(), replace(tap("Mail", "Inbox"), conditions=(elsewhere,)), check("Mail"))
    assert world.run().status is TaskStatus.SUCCESS
    assert world.done() == []


def test_run_with_skipped_last_step_needs_review() -> None:
    result = World(mail_pages(), replace(tap("Mail", "Inbox"), conditions=(unless("Mail"),))).run()
    assert result.status is TaskStatus.NEEDS_REVIEW


# -- values


def reading(take: str | None = None, **params: object) -> StepPlan:
    said = {"save_as": "version", **({"take": take} if take else {}), **params}
    return StepPlan(1, ActionName.READ, target=Target(text="Version"), params=said, timeout=500)


def late(step: StepPlan, **places: str) -> StepPlan:
    return replace(step, late={place.replace("_", "."): TextTemplate.parse(text) for place, text in places.items()})


def about_page() -> dict[str, FakePage]:
    return {"home": FakePage({"Version": Box(4, 20, 44, 30)})}


RIGHT = TextLine("14", Box(60, 20, 70, 30), 0.99)
UNDER = TextLine("Build 7", Box(4, 32, 40, 40), 0.99)
FAR = TextLine("Storage", Box(4, 80, 40, 90), 0.99)


@pytest.mark.parametrize(
    ("take", "lines", "value"),
    [
        (None, [RIGHT, UNDER, FAR], "14"),
        (None, [UNDER, FAR], "Build 7"),
        ("row", [RIGHT], "14"),
        ("right", [RIGHT, UNDER], "14"),
        ("below", [RIGHT, UNDER, FAR], "Build 7"),
        ("text", [RIGHT, UNDER], "Version"),
    ],
)
def test_value_next_to_label_is_read_and_typed(take: str | None, lines: list[TextLine], value: str) -> None:
    say = late(typing("", expect=Expectation(text="")), params_text="it is {version}", expect_text="it is {version}")
    world = World(about_page(), reading(take), say, lines=lines)
    result = world.run()
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert result.values == {"version": value}
    assert result.step_results[0].value == value
    assert world.device.typed == f"it is {value}"
    assert result.step_results[1].step.params["text"] == f"it is {value}"


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [FAR],
        [TextLine("14", RIGHT.box, 0.4)],
        [TextLine("x" * 5000, RIGHT.box, 0.99)],
        [TextLine("\x00\x1b\u202e", RIGHT.box, 0.99)],
    ],
    ids=["nothing", "the next row", "hardly readable", "a page", "nothing visible"],
)
def test_missing_or_unreadable_value_fails_the_read_step(lines: list[TextLine]) -> None:
    world = World(about_page(), reading(), typing("later"), lines=lines)
    result = world.run()
    assert result.status is TaskStatus.FAILED
    assert "stands beside" in result.error_message
    assert world.count_of(InputText) == 0


def test_value_from_screen_is_not_expanded_as_template() -> None:
    hostile = TextLine("a\x07b\u202e {version}\n{{c}}", RIGHT.box, 0.99)
    say = late(typing("", expect=Expectation(text="a")), params_text="{version}")
    world = World(about_page(), reading(), say, lines=[hostile])
    assert world.run().status is TaskStatus.SUCCESS
    assert world.device.typed == "a b {version} {{c}}"


def test_pattern_extracts_the_value_slot() -> None:
    line = TextLine("Android 14 (stable)", RIGHT.box, 0.99)
    result = World(about_page(), reading(pattern="Android {value} (stable)"), lines=[line]).run()
    assert result.values == {}
    assert result.status is TaskStatus.FAILED
    result = World(
        about_page(), reading(pattern="Android {value}"), lines=[TextLine("Android 14", RIGHT.box, 0.9)]
    ).run()
    assert result.values == {"version": "14"}
    assert result.status is TaskStatus.SUCCESS


@pytest.mark.parametrize("params", [{"take": "left"}, {"pattern": "no slot"}])
def test_invalid_read_parameters_are_named_in_the_error(params: dict[str, object]) -> None:
    result = World(about_page(), reading(**params), lines=[RIGHT]).run()
    assert result.status is TaskStatus.FAILED
    assert "left" in result.error_message or "value" in result.error_message


def test_step_with_unread_value_fails_before_acting() -> None:
    world = World(about_page(), late(typing(""), params_text="{version}"))
    assert world.run().status is TaskStatus.FAILED
    assert world.done() == ["GoHome"]


# -- levels and batches


def press(key: str, **more: object) -> StepPlan:
    return StepPlan(1, ActionName.PRESS_KEY, params={"key": key}, **more)  # type: ignore[arg-type]


def launch(package: str = "a.b") -> StepPlan:
    return StepPlan(1, ActionName.LAUNCH_APP, params={"package": package})


def test_consecutive_direct_commands_are_batched_without_screenshots() -> None:
    steps = [launch(), StepPlan(1, ActionName.WAIT, params={"duration": 700}), press("BACK"), press("VOLUME_UP")]
    world = World({"home": FakePage()}, *steps)
    seen: list[int] = []
    world.device.trouble = lambda call: seen.append(len(world.device.performed)) if call == "screenshot" else None
    result = world.run()
    assert [each.status for each in result.step_results] == [StepStatus.UNVERIFIED] * 4
    assert [each.level for each in result.step_results] == [ExecutionLevel.FIRE_AND_FORGET] * 4
    assert set(seen) == {3}  # only after the last of the three actions
    assert result.status is TaskStatus.NEEDS_REVIEW


def test_batch_waits_the_pause_of_each_level() -> None:
    world = World({"home": FakePage()}, launch(), press("BACK"), press("BACK"))
    began = world.clock.now()
    world.run()
    assert world.clock.now() - began == pytest.approx(0.5 + 0.1 + 0.1)


def test_expectation_ends_the_batch() -> None:
    world = World(mail_pages(), press("BACK", expect=Expectation(text="Mail")), press("VOLUME_UP"), start="mail")
    result = world.run()
    assert result.step_results[0].status is StepStatus.SUCCESS
    assert result.step_results[0].screenshot_after is not None


def test_wait_ends_when_screen_is_stable() -> None:
    slow = World(mail_pages(), tap("Mail", wait_after=9000), check("Inbox"))
    began = slow.clock.now()
    assert slow.run().status is TaskStatus.SUCCESS
    assert slow.clock.now() - began < 1.0


def test_unchanged_screen_is_waited_for_in_full() -> None:
    pages = {"home": FakePage({"Mail": HERE})}
    world = World(pages, tap("Mail", wait_after=9000), check("Mail"))
    began = world.clock.now()
    world.run()
    assert world.clock.now() - began >= 9.0


# -- other plans


def test_replan_replaces_the_remaining_steps() -> None:
    world = World(mail_pages(), tap("Chess"), tap("Nothing"), others=[[tap("Mail", "Inbox")]])
    result = world.run()
    assert result.status is TaskStatus.SUCCESS
    assert [each.status for each in result.step_results] == [StepStatus.FAILED, StepStatus.SUCCESS]
    assert [each.step.step for each in result.step_results] == [1, 2]
    assert "Chess" in world.planner.asked[0]
    assert len(result.replans) == 1
    assert EventKind.REPLANNED in [event.kind for event in world.events]
    assert world.device.page == "mail"


def test_first_failure_is_reported_without_a_replan() -> None:
    result = World(mail_pages(), tap("Chess")).run()
    assert result.status is TaskStatus.FAILED
    assert "Chess" in result.error_message
    assert any("no other plan" in note for note in result.step_results[0].notes)


def test_number_of_replans_is_limited() -> None:
    world = World(mail_pages(), tap("Chess"), others=[[tap("Go")]] * 9, limits=Limits(replans=3))
    assert world.run().status is TaskStatus.FAILED
    assert len(world.planner.asked) == 3


def test_possibly_sent_message_is_not_resent_by_replan() -> None:
    """The tap on Send changed the screen without the expected proof, so the message may have been sent."""
    pages = {
        "home": FakePage({"Send": HERE}, {"Send": "odd"}),
        "odd": FakePage({"Send": HERE}, {"Send": "odd"}),
    }
    again = [typing("hello"), tap("Send", "Sent")]
    world = World(pages, typing("hello"), tap("Send", "Sent"), others=[again, again])
    result = world.run()
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in result.error_message
    assert world.count_of(InputText) == 1
    assert world.count_of(Tap) == 1


def test_sent_message_is_not_resent_by_replan() -> None:
    pages = {"home": FakePage({"Send": HERE}, {"Send": "sent"}), "sent": FakePage({"Sent": THERE})}
    again = [typing("hello"), tap("Send", "Sent")]
    world = World(pages, typing("hello"), tap("Send", "Sent"), tap("Chess"), others=[again])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.count_of(InputText) == 1


def test_replan_may_check_whether_message_was_sent() -> None:
    pages = {
        "home": FakePage({"Send": HERE}, {"Send": "odd"}),
        "odd": FakePage({"Back": HERE}, {"Back": "chat"}),
        "chat": FakePage({"Sent": THERE}),
    }
    world = World(pages, typing("hello"), tap("Send", "Sent"), others=[[tap("Back", "Sent")]])
    assert world.run().status is TaskStatus.SUCCESS
    assert world.count_of(InputText) == 1


def test_unsent_draft_is_erased_before_replan_types_again() -> None:
    pages = {"home": FakePage({"Post": HERE}, {"Post": "sent"}), "sent": FakePage({"Sent": THERE})}
    world = World(pages, typing("hello"), tap("Send", "Sent"), others=[[typing("hello"), tap("Post", "Sent")]])
    assert world.run().status is TaskStatus.SUCCESS
    assert world.done() == ["InputText", "EraseText", "InputText", "Tap"]


def test_tapping_the_typed_search_result_is_not_sending() -> None:
    """A name is typed into a search field and its result is tapped: a replan may search again."""
    pages = {
        "home": FakePage({"Alice": HERE}, {"Alice": "odd"}),
        "odd": FakePage({"Search": THERE}, {"Search": "found"}),
        "found": FakePage({"Alice": HERE}, {"Alice": "chat"}),
        "chat": FakePage({"Hello, Alice": THERE}),
    }
    again = [tap("Search"), typing("Alice"), tap("Alice", "Hello, Alice")]
    world = World(pages, typing("Alice"), tap("Alice", "Hello, Alice"), others=[again])
    assert world.run().status is TaskStatus.SUCCESS


def test_replan_does_not_toggle_a_switch_back() -> None:
    def turn(expect: str) -> StepPlan:
        return replace(tap("Dark mode", expect), description="tap the switch of Dark mode")

    pages = {
        "off": FakePage({"Dark mode": HERE}, {"Dark mode": "on"}),
        "on": FakePage({"Dark mode": HERE}, {"Dark mode": "off"}),
    }
    world = World(pages, turn("It is on"), others=[[turn("On")], [turn("On")]], start="off")
    result = world.run()
    assert world.count_of(Tap) == 1
    assert result.status is TaskStatus.NEEDS_REVIEW


def test_irreversible_tap_is_done_once() -> None:
    """No change was visible, which a slow server would also explain."""
    pages = {"home": FakePage({"立即支付": HERE})}
    paying = tap("立即支付", "支付成功", retry=3)
    world = World(pages, paying, others=[[paying], [paying]])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.count_of(Tap) == 1


def test_part_of_possibly_sent_text_is_not_retyped() -> None:
    pages = {"home": FakePage({"Send": HERE}, {"Send": "odd"}), "odd": FakePage()}
    again = [typing("hello"), typing(" world")]
    world = World(pages, typing("hello world"), tap("Send", "Sent"), others=[again])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert world.count_of(InputText) == 1


def test_result_keeps_last_frames_and_listener_gets_all() -> None:
    heard: list[bool] = []
    world = World({"home": FakePage({"Mail": HERE})}, *[check("Mail")] * 5, limits=Limits(kept_frames=2))
    world.heard = lambda event: (
        heard.append(event.step_result is not None and event.step_result.screenshot_after is not None)
        if event.kind is EventKind.STEP_FINISHED
        else None
    )
    result = world.run()
    assert heard == [True] * 5
    assert [each.screenshot_after is not None for each in result.step_results] == [False] * 3 + [True] * 2


def test_phone_number_is_not_called_twice() -> None:
    calling = StepPlan(1, ActionName.CALL, params={"number": "10086"}, expect=Expectation(text="10086"), timeout=100)
    world = World({"home": FakePage()}, replace(calling, retry=0), others=[[calling]])
    assert world.run().status is TaskStatus.NEEDS_REVIEW
    assert sum(type(action).__name__ == "Call" for action in world.device.performed) == 1


def test_replan_keeps_the_guards_of_the_first_plan() -> None:
    guard = Expectation(text="张三")
    pages = {
        "home": FakePage({"Alice": HERE, "Send": THERE}, {"Send": "sent"}),
        "sent": FakePage({"Sent": THERE}),
    }
    first = [typing("hello", guard=guard), tap("Send", "Sent", guard=guard)]
    world = World(pages, *first, others=[[typing("hello"), tap("Send", "Sent")]])
    result = world.run()
    assert result.status is TaskStatus.FAILED
    assert world.count_of(InputText) == 0
    assert world.count_of(Tap) == 0


def test_replan_of_guarded_plan_types_no_other_text() -> None:
    first = [typing("hello", guard=Expectation(text="张三"))]
    world = World({"home": FakePage()}, *first, others=[[typing("send me money")]])
    result = world.run()
    assert result.status is TaskStatus.FAILED
    assert world.count_of(InputText) == 0
    assert any("another text" in note for note in result.step_results[0].notes)


def test_replan_must_prove_the_first_plans_goal() -> None:
    """The replan expects less than the template did."""
    world = World(mail_pages(), tap("Chess", "Checkmate"), others=[[tap("Mail", "Inbox")]])
    result = world.run()
    assert result.step_results[1].status is StepStatus.SUCCESS
    assert result.step_results[2].step.action is ActionName.CHECK
    assert result.status is TaskStatus.FAILED


def test_failed_action_on_same_screen_is_not_repeated() -> None:
    pages = {"home": FakePage({"Settings": HERE})}
    again = [tap("Settings", "Wi-Fi", retry=1)]
    world = World(pages, *again, others=[again, again])
    result = world.run()
    assert world.count_of(Tap) == 2
    assert result.status is TaskStatus.ABORTED
    assert isinstance(result.error, RunStopped)
    assert "circle" in result.error_message


def test_exceeded_budget_is_not_replanned() -> None:
    world = World(mail_pages(), tap("Mail", "Inbox"), others=[[tap("Mail", "Inbox")]])

    def spend(call: str) -> None:
        if call == "Tap":
            raise BudgetExceeded("calls", 10, 10)

    world.device.trouble = spend
    result = world.run()
    assert isinstance(result.error, BudgetExceeded)
    assert world.planner.asked == []


# -- what the verifier suggests


def test_abort_suggestion_ends_the_run_without_replan() -> None:
    world = World(mail_pages(), tap("Mail", "Spam"), others=[[tap("Mail")]], suggests=SuggestionAction.ABORT)
    assert world.run().status is TaskStatus.ABORTED
    assert world.planner.asked == []
    assert world.count_of(Tap) == 1


def test_replan_suggestion_skips_remaining_retries() -> None:
    pages = {"home": FakePage({"Mail": HERE, "Post": THERE}, {"Post": "mail"}), "mail": FakePage({"Inbox": THERE})}
    other = [tap("Post", "Inbox")]
    world = World(pages, tap("Mail", "Inbox", retry=5), others=[other], suggests=SuggestionAction.REPLAN)
    assert world.run().status is TaskStatus.SUCCESS
    assert world.count_of(Tap) == 2


def test_step_skipped_by_suggestion_is_not_proved() -> None:
    world = World(mail_pages(), tap("Mail", "Spam"), check("Inbox"), suggests=SuggestionAction.SKIP)
    result = world.run()
    assert [each.status for each in result.step_results] == [StepStatus.SKIPPED, StepStatus.SUCCESS]
    assert result.status is TaskStatus.NEEDS_REVIEW


def test_wait_suggestion_polls_until_the_timeout() -> None:
    world = World(mail_pages(), tap("Mail", "Spam", timeout=2000), suggests=SuggestionAction.WAIT)
    began = world.clock.now()
    result = world.run()
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert world.clock.now() - began >= 2.0
    assert world.count_of(Tap) == 1


def test_repeated_tap_is_shifted_within_bounding_box() -> None:
    world = World({"home": FakePage({"Settings": HERE})}, tap("Settings", "Wi-Fi", retry=2))
    world.run()
    places = [(action.at.x, action.at.y) for action in world.device.performed if isinstance(action, Tap)]
    assert places[0] == HERE.center
    assert places[1] != places[0]
    assert all(HERE.contains((int(x), int(y))) for x, y in places)


# -- what stands in the way


def request(grant: bool = True) -> FakePage:
    allow, deny = Box(60, 150, 90, 170), Box(10, 150, 30, 170)
    how = DismissSuggestion("tap", "text:Deny", "tap 'Deny'")
    granting = DismissSuggestion("tap", "text:Allow", "tap 'Allow'") if grant else None
    blocker = Blocker(
        BlockerType.PERMISSION, "a permission request", how, Box(0, 100, 100, 200), "允许微信使用相机", granting
    )
    return FakePage({"Allow": allow, "Deny": deny}, {"Allow": "granted", "Deny": "home"}, blocker=blocker)


@pytest.mark.parametrize(
    ("policy", "page"),
    [
        (None, "mail"),
        (PermissionPolicy("deny"), "mail"),
        (PermissionPolicy("allow-listed", ("位置",)), "mail"),
        (PermissionPolicy("allow-listed", ("相机",)), "granted"),
        (PermissionPolicy("ask", ask=lambda blocker: True), "granted"),
        (PermissionPolicy("ask", ask=lambda blocker: False), "mail"),
    ],
)
def test_permission_dialogs_are_decided_by_the_policy(policy: PermissionPolicy | None, page: str) -> None:
    pages = {**mail_pages(), "asking": request(), "granted": FakePage({"Mail": HERE}, {"Mail": "granted"})}
    world = World(pages, tap("Mail", "Inbox"), start="asking", policy=policy)
    notes = world.run().step_results[0].notes
    assert any(("granted" if page == "granted" else "dismissed") in note for note in notes)
    first = world.device.performed[0]
    assert isinstance(first, Tap)
    assert (first.at.x > 50) == (page == "granted")


def test_undecided_permission_needs_a_person() -> None:
    pages = {**mail_pages(), "asking": request()}
    world = World(pages, tap("Mail", "Inbox"), start="asking", policy=PermissionPolicy("ask", ask=lambda blocker: None))
    result = world.run()
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert "only a person" in result.error_message
    assert world.done() == []


def test_doubt_about_the_target_stops_the_tap() -> None:
    world = World(mail_pages(), tap("Mail", "Inbox"), doubts={"Mail": "'Mail' is disabled"})
    result = world.run()
    assert result.status is TaskStatus.FAILED
    assert "is disabled" in result.error_message
    assert world.count_of(Tap) == 0


# -- back to the first page


def home_step(**more: object) -> StepPlan:
    return StepPlan(1, ActionName.RETURN_HOME, target=Target(text="Chats"), **more)  # type: ignore[arg-type]


def deep(levels: int) -> dict[str, FakePage]:
    pages = {f"page {n}": FakePage(keys={"BACK": f"page {n - 1}" if n > 1 else "home"}) for n in range(1, levels + 1)}
    return {"home": FakePage({"Chats": HERE}, keys={"BACK": "other"}), "other": FakePage(), **pages}


@pytest.mark.parametrize("levels", [0, 1, 3, 10])
def test_back_is_pressed_until_the_first_page_shows(levels: int) -> None:
    world = World(deep(levels), home_step(), start=f"page {levels}" if levels else "home")
    result = world.run()
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert world.count_of(PressKey) == levels
    assert world.device.page == "home"


def test_back_is_pressed_ten_times_at_most() -> None:
    world = World(deep(11), home_step(), start="page 11")
    result = world.run()
    assert result.status is TaskStatus.FAILED
    assert world.count_of(PressKey) == 10
    assert "10 times" in result.error_message


def test_return_home_fails_when_screen_stops_changing() -> None:
    world = World({"home": FakePage()}, home_step())
    result = world.run()
    assert result.status is TaskStatus.FAILED
    assert "no longer changes" in result.error_message
    assert world.count_of(PressKey) == 1


def test_return_home_fails_when_app_is_left() -> None:
    pages = {"home": FakePage(keys={"BACK": "other"}), "other": FakePage({"Chats": HERE})}
    result = World(pages, home_step()).run()
    assert result.status is TaskStatus.FAILED
    assert "has left app" in result.error_message


def test_return_home_without_a_target_fails() -> None:
    result = World({"home": FakePage()}, StepPlan(1, ActionName.RETURN_HOME)).run()
    assert "needs a target" in result.error_message


# -- what stays when a plan is replaced


def test_second_replan_keeps_guards_of_the_first_plan() -> None:
    guard = Expectation(text="Tom")
    pages = {"home": FakePage({"Ann": HERE, "Send": THERE})}
    first = [check("Tom", timeout=100), typing("hi", guard=guard), tap("Send", "hi", guard=guard), check("hi")]
    for second in ([typing("hi"), tap("Send"), check("Ann")], [typing("other words"), tap("Send"), check("Ann")]):
        world = World(pages, *first, others=[[tap("Nowhere")], second])
        result = world.run()
        assert len(world.planner.asked) == 2
        assert not result.success
        assert world.count_of(InputText) == 0


def test_second_replan_must_prove_the_first_plans_goal() -> None:
    world = World(mail_pages(), tap("Chess", "Checkmate"), others=[[tap("Go")], [tap("Mail", "Inbox")]])
    result = world.run()
    assert result.status is TaskStatus.FAILED
    assert result.step_results[-1].step.expectation == Expectation(text="Checkmate")


def test_replan_keeps_guard_filled_with_read_value() -> None:
    pages = {"home": FakePage({"Version": Box(4, 20, 44, 30), "Send": THERE})}
    say = late(typing("", guard=Expectation(text="")), params_text="it is {version}", guard_text="{version} only")
    world = World(pages, reading(), say, others=[[typing("it is 14"), tap("Send")]], lines=[RIGHT])
    result = world.run()
    assert result.status is TaskStatus.FAILED
    assert result.replans[0].steps[0].guard == Expectation(text="14 only")
    assert world.count_of(InputText) == 0


# -- ends


def test_ocr_failure_during_replan_keeps_possibly_sent_warning() -> None:
    class Broken(FakePlanner):
        def replan(self, *args: object, **more: object) -> TaskPlan:
            raise OcrFailed("the reader failed")

    world = World({"home": FakePage({"Send": HERE}, {"Send": "odd"}), "odd": FakePage()})
    steps = {TASK: [typing("hello"), tap("Send", "Sent")]}
    result = world.runner_with(Broken(steps)).run(TASK)
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in result.error_message
    assert any("the reader failed" in note for note in result.step_results[-1].notes)


def test_result_survives_a_failed_plan_memory_write() -> None:
    class Forgetful(FakePlanner):
        def succeeded(self, plan: TaskPlan) -> None:
            raise WriteFailed("plans", OSError("disk full"))

        failed = succeeded

    world = World(mail_pages())
    for text, status in (("Mail", TaskStatus.SUCCESS), ("Chess", TaskStatus.FAILED)):
        world.device.page = "home"
        assert world.runner_with(Forgetful({TASK: [check(text)]})).run(TASK).status is status
        assert world.events[-1].kind is EventKind.RUN_FINISHED


def test_interrupted_run_reports_possibly_sent_message() -> None:
    world = World({"home": FakePage({"Send": HERE})}, typing("hello"), tap("Send", "Sent"))

    def interrupt(event: Event) -> None:
        if event.kind is EventKind.ACTED and event.step is not None and event.step.action is ActionName.TAP:
            world.device.trouble = failing_on({1: KeyboardInterrupt()})

    world.heard = interrupt
    with pytest.raises(KeyboardInterrupt):
        world.run()
    end = world.events[-1]
    assert end.kind is EventKind.RUN_FINISHED
    assert end.result is not None
    assert end.result.status is TaskStatus.ABORTED
    assert "interrupted; it may have been sent" in end.message


@pytest.mark.parametrize("error", [KeyboardInterrupt(), KeyError("a fault")])
def test_run_finished_event_follows_error_in_go_home(error: BaseException) -> None:
    world = World(mail_pages(), tap("Chess"))

    def fall(call: str) -> None:
        if call == "GoHome":
            raise error

    world.device.trouble = fall
    with pytest.raises(type(error)):
        world.run()
    end = world.events[-1]
    assert end.kind is EventKind.RUN_FINISHED
    assert end.result is not None
    assert end.result.status is TaskStatus.FAILED


def test_planner_exception_is_reported_in_run_finished() -> None:
    class Faulty(FakePlanner):
        def plan(self, *args: object, **more: object) -> TaskPlan:
            raise KeyError("x")

    world = World(mail_pages())
    with pytest.raises(KeyError):
        world.runner_with(Faulty({})).run(TASK)
    end = world.events[-1]
    assert end.kind is EventKind.RUN_FINISHED
    assert end.result is not None
    assert end.result.status is TaskStatus.ABORTED
    assert "fault" in end.message


def test_device_loss_during_return_home_is_retried() -> None:
    world = World(deep(3), home_step(), start="page 3")
    lost = iter([DeviceLost("gone"), DeviceOffline("gone")])

    def lose(call: str) -> None:
        if call == "PressKey" and (error := next(lost, None)) is not None:
            raise error

    world.device.trouble = lose
    result = world.run()
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert world.count_of(PressKey) == 3


def test_device_loss_in_front_app_query_is_retried() -> None:
    opened = Expectation(text="Inbox", app="app")
    world = World(mail_pages(), replace(tap("Mail"), expect=opened), home_step(expect=Expectation(text="Mail")))
    asked: list[str] = []

    def front_app() -> str:
        asked.append("front_app")
        if len(asked) in (2, 4):
            raise DeviceLost("gone")
        return "app"

    world.device.front_app = front_app  # type: ignore[method-assign]
    result = world.run()
    assert result.status is TaskStatus.SUCCESS, result.error_message
    assert len(asked) > 4


class SaysSo(FakeVerifier):
    """Suggests to skip what held before, as the verifier does that looks at screens."""

    def verify(self, expect: Expectation | None, before: Screen | None, after: Screen) -> VerifyResult:
        verdict = super().verify(expect, before, after)
        if not verdict.verified or verdict.screen_changed:
            return verdict
        return replace(verdict, suggestion=SuggestionAction.SKIP, suggestion_detail="it was so before")


def test_expectation_already_met_is_skipped_and_unproved() -> None:
    world = World(mail_pages(), tap("Inbox", "Inbox"), check("Inbox"), start="mail")
    world.tools = replace(world.tools, verifier=SaysSo(world.device))
    result = world.run()
    assert [each.status for each in result.step_results] == [StepStatus.SKIPPED, StepStatus.SUCCESS]
    assert any("it was so before" in note for note in result.step_results[0].notes)
    assert world.count_of(Tap) == 1
    assert result.status is TaskStatus.NEEDS_REVIEW


def test_replan_gets_acted_but_skipped_step_as_done() -> None:
    class Listening(FakePlanner):
        told: Sequence[StepPlan] = ()

        def replan(self, *args: Any) -> TaskPlan:
            self.told = args[-1]
            return super().replan(*args)

    planner = Listening({TASK: [tap("Inbox", "Inbox"), tap("Chess")]}, {TASK: [[check("Inbox")]]})
    world = World(mail_pages(), start="mail")
    world.tools = replace(world.tools, verifier=SaysSo(world.device))
    world.runner_with(planner).run(TASK)
    assert [step.target for step in planner.told] == [Target(text="Inbox")]


def test_missing_target_raises_a_not_found_event() -> None:
    world = World(mail_pages(), tap("Chess"))
    world.run()
    told = [event for event in world.events if event.kind is EventKind.NOT_FOUND]
    assert len(told) == 1
    assert "Chess" in told[0].message


def test_replan_keeps_the_guard_of_send_step() -> None:
    """The template typed without a guard, and would have sent only in Tom's chat."""
    pages = {"home": FakePage({"Ann": HERE, "Send": THERE})}
    first = [tap("Search"), typing("hi"), tap("Send", "hi", guard=Expectation(text="Tom"))]
    world = World(pages, *first, others=[[typing("hi"), tap("Send", "hi")]])
    assert not world.run().success
    assert world.count_of(Tap) == 0


@pytest.mark.parametrize(
    ("error", "told"), [(KeyboardInterrupt(), []), (DeviceOffline("gone"), []), (None, ["failed"])]
)
def test_plan_memory_drops_only_plans_that_failed(error: BaseException | None, told: list[str]) -> None:
    heard: list[str] = []

    class Learning(FakePlanner):
        def succeeded(self, plan: TaskPlan) -> None:
            heard.append("succeeded")

        def failed(self, plan: TaskPlan) -> None:
            heard.append("failed")

    world = World({"home": FakePage({"Settings": HERE})}, limits=Limits(reconnect_s=1))
    world.device.trouble = failing_on(dict.fromkeys(range(2, 200), error) if error is not None else {})
    with contextlib.suppress(KeyboardInterrupt):
        world.runner_with(Learning({TASK: [tap("Settings", "Wi-Fi", retry=0)]})).run(TASK)
    assert world.events[-1].kind is EventKind.RUN_FINISHED
    assert heard == told


def test_unerased_draft_is_sent_only_under_first_guard() -> None:
    """Without a text reader the draft cannot be erased; meanwhile another chat was opened."""
    guard = Expectation(text="Tom")
    pages = {
        "home": FakePage({"Tom": HERE, "Send": THERE}),
        "tom": FakePage({"Tom": HERE, "Send": THERE, "Hello": BELOW}),
        "ann": FakePage({"Ann": HERE, "Send": THERE}),
    }
    first = [typing("hi", guard=guard), tap("Absent", timeout=100), tap("Send", "hi", guard=guard)]
    for page, taps in (("tom", 1), ("ann", 0)):
        world = World(pages, *first, others=[[tap("Send", "hi", retry=0)]])
        world.tools = replace(world.tools, reader=None)
        world.heard = lambda event, page=page, world=world: (
            setattr(world.device, "page", page) if event.kind is EventKind.NOT_FOUND else None
        )
        assert not world.run().success
        assert world.count_of(Tap) == taps
        assert world.device.typed == "hi"
