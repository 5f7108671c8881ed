"""Tests of the runner on fake pages: proofs, fallbacks, dialogs, retries and how runs end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handeye.actions import EraseText, GoHome, InputText, PressKey, Swipe, Tap
from handeye.blockers import Blocker, BlockerType, DismissSuggestion
from handeye.errors import DeviceLost, NoPlan
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.run import Event, EventKind, StepStatus, TaskRunner, TaskStatus, Tools
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier, failing_on

HERE, THERE = Box(0, 0, 40, 40), Box(50, 50, 90, 90)


def tap(text: str, expect: str | None = None, **more: object) -> StepPlan:
    expectation = Expectation(text=expect) if expect else None
    return StepPlan(1, ActionName.TAP, target=Target(text=text), expect=expectation, **more)  # type: ignore[arg-type]


class World:
    """One device, one plan named "task", a clock that does not wait."""

    def __init__(self, pages: dict[str, FakePage], *steps: StepPlan, start: str = "home", **more: object) -> None:
        self.device = FakeDevice(pages, start=start, **more)  # type: ignore[arg-type]
        self.events: list[Event] = []
        self.clock = FakeClock()
        self.finder = FakeFinder(self.device)
        tools = Tools(self.finder, FakeVerifier(self.device))
        self.runner = TaskRunner(
            self.device,
            planner=FakePlanner({"task": steps}),
            tools=lambda plan: tools,
            clock=self.clock,
            listen=self.events.append,
        )

    def kinds(self) -> list[str]:
        return [event.kind.value for event in self.events]

    def count(self, kind: type) -> int:
        return sum(isinstance(action, kind) for action in self.device.performed)


def two_pages(**home: object) -> dict[str, FakePage]:
    return {
        "home": FakePage({"Mail": HERE}, {"Mail": "mail"}, **home),  # type: ignore[arg-type]
        "mail": FakePage({"Inbox": THERE}),
    }


def test_a_proved_goal_is_a_success() -> None:
    world = World(two_pages(), tap("Mail", "Inbox"))
    result = world.runner.run("task")
    assert result.status is TaskStatus.SUCCESS
    assert world.device.page == "mail"
    assert world.kinds()[0] == "run_started"
    assert world.kinds()[-1] == "run_finished"
    step = result.step_results[0]
    assert step.status is StepStatus.SUCCESS
    assert step.screenshot_before is not None
    assert step.screenshot_after is not None
    assert step.screenshot_before.digest != step.screenshot_after.digest


def test_unproved_goal_is_not_a_success() -> None:
    result = World(two_pages(), tap("Mail")).runner.run("task")
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert result.step_results[0].status is StepStatus.UNVERIFIED
    assert not result.success


def test_run_simple_is_true_only_when_proved() -> None:
    assert World(two_pages(), tap("Mail", "Inbox")).runner.run_simple("task")
    assert not World(two_pages(), tap("Mail")).runner.run_simple("task")


def test_an_unknown_task_never_touches_the_device() -> None:
    world = World(two_pages())
    result = world.runner.run("bake a cake")
    assert result.status is TaskStatus.FAILED
    assert isinstance(result.error, NoPlan)
    assert world.device.performed == []


def test_finder_is_notified_of_proved_and_failed_locations() -> None:
    proved = World(two_pages(), tap("Mail", "Inbox"))
    proved.runner.run("task")
    assert proved.finder.judged == [(Target(text="Mail"), True)]
    failed = World(two_pages(), tap("Mail", "Spam", retry=0))
    failed.runner.run("task")
    assert failed.finder.judged == [(Target(text="Mail"), False)]
    undecided = World(two_pages(), tap("Mail"))
    undecided.runner.run("task")
    assert undecided.finder.judged == []


def test_no_locations_are_learned_after_typing_secret() -> None:
    secret = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hunter2", "secret": True})
    world = World(two_pages(), secret, tap("Mail", "Inbox"))
    assert world.runner.run("task").step_results[-1].status is StepStatus.SUCCESS
    assert world.finder.judged == []


def test_fallback_runs_three_times_then_device_goes_home() -> None:
    world = World(two_pages(), tap("Chess", fallback={"action": "swipe", "params": {"direction": "left"}}))
    result = world.runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert world.count(Swipe) == 3
    assert world.count(Tap) == 0
    assert isinstance(world.device.performed[-1], GoHome)
    assert "Chess" in result.error_message


def test_successful_fallback_is_not_repeated() -> None:
    pages = {
        "first": FakePage(swipes={"left": "second"}),
        "second": FakePage({"Mail": HERE}, {"Mail": "mail"}),
        "mail": FakePage({"Inbox": THERE}),
    }
    step = tap("Mail", "Inbox", fallback={"action": "swipe", "params": {"direction": "left"}})
    world = World(pages, step, start="first")
    assert world.runner.run("task").success
    assert world.count(Swipe) == 1
    assert EventKind.FALLBACK.value in world.kinds()


@pytest.mark.parametrize(
    "fallback", [{"action": "shake"}, {"action": "swipe", "params": {"direction": "sideways"}}, {}]
)
def test_an_unknown_fallback_is_named(fallback: dict[str, object]) -> None:
    result = World(two_pages(), tap("Chess", fallback={"x": 1, **fallback})).runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert "fallback" in result.error_message or "sideways" in result.error_message


def test_target_with_two_matches_is_refused() -> None:
    world = World({"home": FakePage({"Mail": HERE}, {"Mail": "home"}, twins=("Mail",))}, tap("Mail"))
    result = world.runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert "2 places" in result.error_message
    assert world.count(Tap) == 0


def dialog(button: str | None, kind: BlockerType = BlockerType.PERMISSION) -> Blocker:
    how = DismissSuggestion("tap", f"text:{button}") if button else None
    return Blocker(kind, "a dialog", how, Box(0, 100, 100, 200))


def test_dialog_is_dismissed_before_tapping_beneath_it() -> None:
    pages = {
        "asking": FakePage({"Mail": HERE, "Deny": Box(10, 150, 30, 170)}, {"Deny": "home"}, blocker=dialog("Deny")),
        **two_pages(),
    }
    world = World(pages, tap("Mail", "Inbox"), start="asking")
    result = world.runner.run("task")
    assert result.success
    assert [type(action) for action in world.device.performed] == [Tap, Tap]
    assert any("dismissed permission" in note for note in result.step_results[0].notes)


def test_dialog_containing_the_target_is_not_dismissed() -> None:
    pages = {
        "asking": FakePage(
            {"Allow": Box(60, 150, 90, 170)}, {"Allow": "mail"}, blocker=dialog("Deny", BlockerType.DIALOG)
        ),
        "mail": FakePage({"Inbox": THERE}),
    }
    world = World(pages, tap("Allow", "Inbox"), start="asking")
    assert world.runner.run("task").success
    assert len(world.device.performed) == 1


def test_undismissable_dialog_fails_after_three_back_presses() -> None:
    world = World({"home": FakePage({"Mail": HERE}, blocker=dialog(None, BlockerType.DIALOG))}, tap("Mail"))
    result = world.runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert world.count(PressKey) == 3
    assert world.count(Tap) == 0


def test_dialog_after_the_tap_is_dismissed_during_verification() -> None:
    pages = {
        "home": FakePage({"Mail": HERE}, {"Mail": "asking"}),
        "asking": FakePage({"Deny": Box(10, 150, 30, 170)}, {"Deny": "mail"}, blocker=dialog("Deny")),
        "mail": FakePage({"Inbox": THERE}),
    }
    world = World(pages, tap("Mail", "Inbox"))
    assert world.runner.run("task").success
    assert world.count(Tap) == 2


def test_endless_spinner_fails_within_the_time_limit() -> None:
    spinner = Blocker(BlockerType.LOADING, "a spinner")
    world = World({"home": FakePage(blocker=spinner)}, tap("Mail"))
    start = world.clock.now()
    assert world.runner.run("task").status is TaskStatus.FAILED
    assert world.clock.now() - start < 60


def test_tap_without_effect_uses_all_retries() -> None:
    pages = {"home": FakePage({"Settings": HERE})}
    world = World(pages, tap("Settings", "Wi-Fi", retry=2))
    result = world.runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert world.count(Tap) == 3
    assert result.step_results[0].retry_count == 2
    assert "'Wi-Fi' is there does not hold" in result.error_message


def test_text_is_not_retyped_once_screen_changed() -> None:
    step = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hello"}, expect=Expectation(text="world"), retry=2)
    world = World({"home": FakePage()}, step)
    assert world.runner.run("task").status is TaskStatus.FAILED
    assert world.count(InputText) == 1


def test_text_with_a_target_taps_the_field_first() -> None:
    step = StepPlan(
        1,
        ActionName.INPUT_TEXT,
        params={"text": "hello"},
        target=Target(text="field"),
        expect=Expectation(text="hello"),
    )
    world = World({"home": FakePage({"field": HERE})}, step)
    assert world.runner.run("task").success
    assert [type(action) for action in world.device.performed] == [Tap, InputText]


def test_a_check_waits_and_never_acts() -> None:
    step = StepPlan(1, ActionName.CHECK, expect=Expectation(text="Inbox"))
    world = World(two_pages(), step)
    result = world.runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert [type(action) for action in world.device.performed] == [GoHome]


def test_steps_after_a_failure_are_not_started() -> None:
    world = World(two_pages(), tap("Chess"), tap("Mail"))
    result = world.runner.run("task")
    assert len(result.step_results) == 1
    assert world.count(Tap) == 0


def test_device_loss_during_tap_does_not_repeat_it() -> None:
    # Calls: 1 frame, 2 the tap (its effect is lost), 3 frame ...
    mail = replace(tap("Mail", "Inbox", retry=1), target=Target(text="Mail", role="tab"))
    world = World(two_pages(), mail, trouble=failing_on({2: DeviceLost("gone")}))
    result = world.runner.run("task")
    assert result.success
    assert world.count(Tap) == 1
    assert any("link was lost" in note for note in result.step_results[0].notes)


def test_device_that_stays_lost_fails_in_time() -> None:
    def gone(call: str) -> None:
        raise DeviceLost("gone")

    world = World(two_pages(), tap("Mail"), trouble=gone)
    start = world.clock.now()
    result = world.runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert isinstance(result.error, DeviceLost)
    assert result.error_message.count("gone") == 1
    assert world.clock.now() - start < 120


def test_ctrl_c_propagates_and_reports_partial_result() -> None:
    world = World(two_pages(), tap("Mail", "Inbox"), trouble=failing_on({2: KeyboardInterrupt()}))
    with pytest.raises(KeyboardInterrupt):
        world.runner.run("task")
    last = world.events[-1]
    assert last.kind is EventKind.RUN_FINISHED
    assert last.result is not None
    assert last.result.status is TaskStatus.ABORTED
    assert len(last.result.step_results) == 1


def test_missing_step_parameter_is_named_in_the_error() -> None:
    result = World(two_pages(), StepPlan(1, ActionName.INPUT_TEXT)).runner.run("task")
    assert "'text'" in result.error_message


@pytest.mark.parametrize(
    ("action", "params", "word"),
    [
        (ActionName.TAP, {}, "target"),
        (ActionName.SWIPE, {"direction": "round"}, "round"),
        (ActionName.PRESS_KEY, {"key": True}, "press_key"),
        (ActionName.WAIT, {"duration": -5}, "duration"),
        (ActionName.WAIT, {"duration": "long"}, "duration"),
    ],
)
def test_invalid_step_parameter_is_named_in_the_error(action: ActionName, params: dict[str, object], word: str) -> None:
    result = World(two_pages(), StepPlan(1, action, params=params)).runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert word in result.error_message


def test_secret_appears_in_no_event_or_note() -> None:
    step = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hunter2", "secret": True})
    world = World({"home": FakePage()}, step)
    result = world.runner.run("task")
    told = " ".join(event.message for event in world.events) + str(result.to_dict()) + repr(world.device.performed)
    assert "hunter2" not in told


class AwarePhone(FakeDevice):
    """A device that knows which app is in front: each page is one."""

    def front_app(self) -> str | None:
        return f"app.{self.page}"

    def home_app(self) -> str | None:
        return f"app.{self.home}"


def app_world(pages: dict[str, FakePage], step: StepPlan, device: type[FakeDevice]) -> World:
    world = World(pages, step)
    world.device.__class__ = device
    return world


@pytest.mark.parametrize(
    ("app", "page", "status"),
    [
        ("another", "mail", TaskStatus.SUCCESS),
        ("another", "home", TaskStatus.FAILED),
        ("app.mail", "mail", TaskStatus.SUCCESS),
        ("app.chess", "mail", TaskStatus.FAILED),
        ("home", "mail", TaskStatus.FAILED),
        ("home", "home", TaskStatus.NEEDS_REVIEW),  # it was in front before, and the tap did nothing
    ],
)
def test_front_app_expectation_is_checked_on_device(app: str, page: str, status: TaskStatus) -> None:
    pages = {"home": FakePage({"Mail": HERE}, {"Mail": page}), "mail": FakePage({"Inbox": THERE})}
    step = StepPlan(1, ActionName.TAP, target=Target(text="Mail"), expect=Expectation(app=app))
    result = app_world(pages, step, AwarePhone).runner.run("task")
    assert result.status is status
    assert result.step_results[0].verify_result is not None
    assert any("is in front" in line for line in result.step_results[0].verify_result.evidence)


def test_unknown_front_app_proves_nothing() -> None:
    step = StepPlan(1, ActionName.TAP, target=Target(text="Mail"), expect=Expectation(app="another"))
    assert World(two_pages(), step).runner.run("task").status is TaskStatus.NEEDS_REVIEW


def test_tap_that_changed_the_screen_is_not_repeated() -> None:
    pages = {
        "off": FakePage({"Switch": HERE}, {"Switch": "on"}),
        "on": FakePage({"Switch": HERE}, {"Switch": "off"}),
    }
    world = World(pages, tap("Switch", "something else", retry=2), start="off")
    assert world.runner.run("task").status is TaskStatus.FAILED
    assert world.count(Tap) == 1


def test_tap_swallowed_by_a_dialog_is_repeated() -> None:
    pages = {
        "home": FakePage({"Mail": HERE}, {"Mail": "asking"}),
        "asking": FakePage({"Deny": Box(10, 150, 30, 170)}, {"Deny": "home again"}, blocker=dialog("Deny")),
        "home again": FakePage({"Mail": HERE}, {"Mail": "mail"}, looks="home"),
        "mail": FakePage({"Inbox": THERE}),
    }
    world = World(pages, replace(tap("Mail", "Inbox"), target=Target(text="Mail", role="tab")))
    assert world.runner.run("task").success
    assert world.count(Tap) == 3


def test_failed_guard_stops_the_action() -> None:
    guarded = replace(tap("Mail", "Inbox"), guard=Expectation(text="张三"))
    world = World(two_pages(), guarded)
    result = world.runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert "nothing was done" in result.error_message
    assert world.count(Tap) == 0


def test_check_with_failed_guard_fails() -> None:
    """The message is visible, but under another person's title."""
    step = StepPlan(1, ActionName.CHECK, expect=Expectation(text="Mail"), guard=Expectation(text="张三"))
    result = World(two_pages(), step).runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert "张三" in result.error_message


def test_guard_that_holds_allows_the_action() -> None:
    world = World(two_pages(), replace(tap("Mail", "Inbox"), guard=Expectation(text="Mail")))
    assert world.runner.run("task").success


def test_device_loss_during_unverified_typing_fails_step() -> None:
    typing = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hello"})
    world = World(two_pages(), typing, tap("Mail", "Inbox"), trouble=failing_on({2: DeviceLost("gone")}))
    result = world.runner.run("task")
    assert result.status is TaskStatus.FAILED
    assert len(result.step_results) == 1
    assert world.count(Tap) == 0


def test_unsent_text_is_erased_after_a_failure() -> None:
    typing = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hello"})
    world = app_world_of({"home": FakePage()}, typing, tap("Send"))
    assert world.runner.run("task").status is TaskStatus.FAILED
    assert [type(action) for action in world.device.performed] == [InputText, EraseText, GoHome]
    assert world.device.performed[1] == EraseText(5)


def test_sent_text_is_not_erased_after_failure() -> None:
    pages = {"home": FakePage({"Send": HERE}, {"Send": "sent"}), "sent": FakePage({"done": THERE})}
    typing = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hello"})
    world = app_world_of(pages, typing, tap("Send", "done"), tap("Chess"))
    assert world.runner.run("task").status is TaskStatus.FAILED
    assert world.count(EraseText) == 0


def test_ctrl_c_erases_draft_without_going_home() -> None:
    typing = StepPlan(1, ActionName.INPUT_TEXT, params={"text": "hello"})
    world = app_world_of({"home": FakePage({"Send": HERE})}, typing, tap("Send"))
    world.device.trouble = lambda call: interrupt() if call == "Tap" else None
    with pytest.raises(KeyboardInterrupt):
        world.runner.run("task")
    assert [type(action) for action in world.device.performed] == [InputText, EraseText]


def interrupt() -> None:
    raise KeyboardInterrupt


def app_world_of(pages: dict[str, FakePage], *steps: StepPlan) -> World:
    world = World(pages, *steps)
    world.device.__class__ = OneApp
    return world


class OneApp(FakeDevice):
    """All pages are of one app."""

    def front_app(self) -> str | None:
        return "app"

    def home_app(self) -> str | None:
        return None


def test_text_visible_before_does_not_prove_a_tap() -> None:
    pages = {"home": FakePage({"Mail": HERE, "Inbox": THERE})}
    result = World(pages, tap("Mail", "Inbox")).runner.run("task")
    assert result.status is TaskStatus.NEEDS_REVIEW


def test_one_unproved_step_makes_the_run_need_review() -> None:
    pages = {"home": FakePage({"Mail": HERE, "Inbox": THERE})}
    check = StepPlan(2, ActionName.CHECK, expect=Expectation(text="Mail"))
    result = World(pages, tap("Mail", "Inbox"), check).runner.run("task")
    assert result.step_results[-1].status is StepStatus.SUCCESS
    assert result.status is TaskStatus.NEEDS_REVIEW
