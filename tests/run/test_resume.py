"""Going on where a run ended early: from the last proof that still holds, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from handeye.actions import InputText, Tap
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan, TaskPlan
from handeye.run import ResumePoint, StepStatus, TaskResult, TaskRunner, TaskStatus, Tools
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

HERE, THERE = Box(0, 0, 40, 40), Box(50, 50, 90, 90)
DONE, PROVED, FAILED, BEGUN = (
    StepStatus.UNVERIFIED,
    StepStatus.SUCCESS,
    StepStatus.FAILED,
    StepStatus.RUNNING,
)


def tap(text: str, expect: str | None = None) -> StepPlan:
    expectation = Expectation(text=expect) if expect else None
    return StepPlan(1, ActionName.TAP, target=Target(text=text), expect=expectation)


def typing(text: str) -> StepPlan:
    return StepPlan(1, ActionName.INPUT_TEXT, params={"text": text}, expect=Expectation(text=text))


def check(text: str) -> StepPlan:
    return StepPlan(1, ActionName.CHECK, expect=Expectation(text=text))


ALICE = replace(tap("Alice", "Chat"), target=Target(text="Alice", role="list item"))
CHAT = [ALICE, typing("hello"), tap("Send", "Sent"), check("Sent")]
PAGES: Mapping[str, FakePage] = {
    "home": FakePage({"Alice": HERE}, {"Alice": "chat"}),
    "chat": FakePage({"Chat": THERE, "Send": HERE}, {"Send": "sent"}),
    "sent": FakePage({"Chat": THERE, "Sent": HERE}),
}


class Again:
    """A second run of the same task, after a first one that came so far, with the screen where it is now."""

    def __init__(
        self,
        steps: Sequence[StepPlan],
        statuses: Sequence[StepStatus],
        *,
        page: str,
        values: Mapping[str, str] | None = None,
        typed: str = "",
        untyped: bool = False,
    ) -> None:
        numbered = [replace(step, step=number) for number, step in enumerate(steps, 1)]
        self.device = FakeDevice(PAGES, start=page, home="home")
        before = self.device.screenshot() if untyped else None
        self.device.typed = typed
        tools = Tools(FakeFinder(self.device), FakeVerifier(self.device))
        planner = FakePlanner({"task": numbered})
        runner = TaskRunner(self.device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False)
        plan = TaskPlan({}, tuple(numbered))
        earlier = ResumePoint(plan, dict(enumerate(statuses, 1)), values or {}, untyped=before)
        self.result: TaskResult = runner.run("task", resume=earlier)

    def done(self) -> list[str]:
        return [type(action).__name__ for action in self.device.performed]


def test_it_goes_on_after_the_last_proof_once_that_still_holds() -> None:
    again = Again(CHAT, [PROVED], page="chat")
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["InputText", "Tap"]
    assert again.result.step_results[0].step.action is ActionName.CHECK


def test_where_the_screen_is_elsewhere_it_begins_anew() -> None:
    again = Again(CHAT, [PROVED], page="home")
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["Tap", "InputText", "Tap"]


def test_a_run_that_proved_nothing_begins_anew() -> None:
    again = Again(CHAT, [], page="home")
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["Tap", "InputText", "Tap"]


GONE = StepPlan(1, ActionName.TAP, target=Target(text="Send"), expect=Expectation(gone="Send"))


@pytest.mark.parametrize("status", [BEGUN, FAILED, DONE])
def test_where_only_the_last_check_is_left_it_is_looked_at(status: StepStatus) -> None:
    """The act before it proved that something is gone, which says nothing about the place; the check itself does."""
    again = Again([ALICE, typing("hello"), GONE, check("Sent")], [PROVED, PROVED, PROVED, status], page="sent")
    assert again.done() == []
    assert again.result.status is TaskStatus.SUCCESS
    assert [each.step.step for each in again.result.step_results] == [4]
    absent = Again([ALICE, typing("hello"), GONE, check("Sent")], [PROVED, PROVED, PROVED, status], page="home")
    assert absent.done() == []
    assert absent.result.status is TaskStatus.NEEDS_REVIEW


def test_a_check_that_something_is_gone_is_no_proof_on_another_page() -> None:
    gone = StepPlan(1, ActionName.CHECK, expect=Expectation(gone="Send"))
    again = Again([ALICE, typing("hello"), GONE, gone], [PROVED, PROVED, PROVED, BEGUN], page="home")
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW


@pytest.mark.parametrize("status", [BEGUN, FAILED, DONE])
def test_what_may_have_been_sent_is_looked_for_and_not_sent_again(status: StepStatus) -> None:
    arrived = Again(CHAT, [PROVED, PROVED, status], page="sent")
    assert arrived.done() == []
    assert arrived.result.status is TaskStatus.SUCCESS
    absent = Again(CHAT, [PROVED, PROVED, status], page="chat")
    assert absent.done() == []
    assert absent.result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in absent.result.error_message


def test_what_may_have_been_sent_and_cannot_be_looked_for_is_left_to_a_person() -> None:
    again = Again(CHAT[:3], [PROVED, PROVED, BEGUN], page="chat")
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in again.result.error_message


def test_a_look_that_holds_without_the_act_does_not_prove_the_act() -> None:
    """The draft of a message stands on the screen too: that the button is gone has to be seen as well."""
    send = replace(tap("Send"), expect=Expectation(gone="Send"))
    steps = [*CHAT[:2], send, check("Chat")]
    absent = Again(steps, [PROVED, PROVED, BEGUN], page="chat")
    assert absent.done() == []
    assert absent.result.status is TaskStatus.NEEDS_REVIEW
    arrived = Again(steps, [PROVED, PROVED, BEGUN], page="sent")
    assert arrived.result.status is TaskStatus.SUCCESS
    alone = Again(steps[:3], [PROVED, PROVED, BEGUN], page="home")
    assert alone.result.status is TaskStatus.NEEDS_REVIEW


def test_acts_after_what_may_have_been_sent_are_left_to_a_person() -> None:
    again = Again([*CHAT, tap("Chat"), check("Chat")], [PROVED, PROVED, BEGUN], page="sent")
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in again.result.error_message


def test_what_was_sent_is_not_sent_again_by_a_new_beginning() -> None:
    again = Again([*CHAT, tap("Chess", "Board")], [PROVED, PROVED, PROVED, PROVED, FAILED], page="home")
    assert not any(isinstance(action, InputText) for action in again.device.performed)
    assert again.result.status is TaskStatus.NEEDS_REVIEW


def test_a_proof_that_something_is_gone_says_nothing_about_where_the_screen_is() -> None:
    gone = StepPlan(1, ActionName.CHECK, expect=Expectation(gone="No results"))
    again = Again([gone, tap("Alice", "Chat")], [PROVED], page="home")
    assert again.result.step_results[0].step.expectation == gone.expectation
    assert [type(action) for action in again.device.performed] == [Tap]


# -- what an earlier run has typed


def typed_before(
    statuses: Sequence[StepStatus], typed: str, *, steps: Sequence[StepPlan] = CHAT, untyped: bool = True, **more: str
) -> Again:
    """A second run on a field that holds `typed`; the frame before the first typing is known if `untyped`."""
    return Again(steps, statuses, page=more.get("page", "chat"), typed=typed, untyped=untyped)


@pytest.mark.parametrize("status", [BEGUN, FAILED, DONE])
def test_what_stands_typed_is_not_typed_again(status: StepStatus) -> None:
    again = typed_before([PROVED, status], "hello")
    assert again.done() == ["Tap"]
    assert again.result.status is TaskStatus.SUCCESS
    assert again.device.typed == "hello"


@pytest.mark.parametrize("status", [BEGUN, FAILED, DONE])
def test_what_was_not_typed_after_all_is_typed(status: StepStatus) -> None:
    again = typed_before([PROVED, status], "")
    assert again.done() == ["InputText", "Tap"]
    assert again.result.status is TaskStatus.SUCCESS
    assert again.device.typed == "hello"


def test_where_nobody_can_tell_whether_it_stands_typed_a_person_looks() -> None:
    again = typed_before([PROVED, BEGUN], "hello", untyped=False)
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may still stand in its field" in again.result.error_message


def test_signs_that_no_reader_reads_are_not_typed_again() -> None:
    again = typed_before([PROVED, BEGUN], "", steps=[CHAT[0], typing("👍"), *CHAT[2:]])
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW


def test_a_new_beginning_does_not_type_beside_what_stands_typed() -> None:
    again = typed_before([DONE, DONE], "hello", untyped=False, page="home")
    assert "InputText" not in again.done()
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may still stand in its field" in again.result.error_message


def test_a_draft_does_not_prove_that_it_was_sent() -> None:
    """The step that was to send expects the very words that stand in the field."""
    again = typed_before([PROVED, PROVED, BEGUN], "hello", steps=[*CHAT[:2], tap("Send", "hello"), check("hello")])
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in again.result.error_message


def test_what_was_never_proved_before_is_still_not_proved() -> None:
    steps = [tap("Bold", "In bold"), check("Chat"), check("Send")]
    assert Again(steps, [PROVED, PROVED], page="chat").result.status is TaskStatus.SUCCESS
    doubtful = Again(steps, [DONE, PROVED], page="chat")
    assert doubtful.result.status is TaskStatus.NEEDS_REVIEW
    assert "not proved" in doubtful.result.error_message


def test_a_proof_that_says_nothing_about_the_place_leaves_it_where_the_proof_before_saw_it() -> None:
    gone = StepPlan(1, ActionName.CHECK, expect=Expectation(gone="No results"))
    again = Again([CHAT[0], gone, *CHAT[1:]], [PROVED, PROVED, BEGUN], page="chat", typed="hello", untyped=True)
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["Tap"]
    unproved = Again([CHAT[0], gone, *CHAT[1:]], [DONE, PROVED], page="home")
    assert unproved.done() == ["Tap", "InputText", "Tap"]


def test_the_way_to_the_field_does_not_send_what_stands_in_it() -> None:
    """An unsent draft does not keep a new beginning from tapping its way to the place where it is looked for."""
    again = typed_before([DONE, DONE], "", page="home")
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["Tap", "InputText", "Tap"]


def test_the_empty_field_that_was_tapped_is_not_looked_for_once_text_stands_in_it() -> None:
    field = StepPlan(1, ActionName.TAP, target=Target(text="Empty field", role="input"))
    steps = [CHAT[0], field, *CHAT[1:]]
    again = typed_before([PROVED, DONE, BEGUN], "hello", steps=steps)
    assert again.result.status is TaskStatus.SUCCESS, again.result.error_message
    assert again.done() == ["Tap"]
    assert again.device.typed == "hello"


def test_a_text_that_a_plan_types_twice_is_typed_twice() -> None:
    """Only what the earlier run has typed is looked for, and only once."""
    again = Again([CHAT[0], typing("ha"), typing("ha")], [PROVED, BEGUN], page="chat", untyped=True)
    assert again.device.typed == "haha"


# -- a word that was searched for

SEARCH = [ALICE, typing("Ann"), tap("Ann", "Sent"), check("Sent")]


def test_a_search_word_that_may_stand_typed_is_erased_and_typed_anew() -> None:
    again = typed_before([PROVED, BEGUN], "Ann", steps=SEARCH, untyped=False)
    assert again.done()[:2] == ["EraseText", "InputText"]


@pytest.mark.parametrize(
    "steps",
    [
        [SEARCH[0], typing("Ann"), tap("Send", "Sent"), check("Sent")],
        [SEARCH[0], typing("发送"), tap("发送", "Sent"), check("Sent")],
        [SEARCH[0], typing("Ann"), tap("Next"), tap("Ann", "Sent")],
    ],
)
def test_a_text_that_may_be_sent_is_not_erased(steps: Sequence[StepPlan]) -> None:
    typed = str(steps[1].params["text"])
    again = typed_before([PROVED, BEGUN], typed, steps=steps, untyped=False)
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
