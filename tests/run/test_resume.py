"""Tests of resuming a run: from the last proof that still holds, without repeating any action."""

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


def test_resume_continues_after_the_last_proved_step() -> None:
    again = Again(CHAT, [PROVED], page="chat")
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["InputText", "Tap"]
    assert again.result.step_results[0].step.action is ActionName.CHECK


def test_resume_on_another_page_starts_over() -> None:
    again = Again(CHAT, [PROVED], page="home")
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["Tap", "InputText", "Tap"]


def test_resume_without_proved_steps_starts_over() -> None:
    again = Again(CHAT, [], page="home")
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["Tap", "InputText", "Tap"]


GONE = StepPlan(1, ActionName.TAP, target=Target(text="Send"), expect=Expectation(gone="Send"))


@pytest.mark.parametrize("status", [BEGUN, FAILED, DONE])
def test_remaining_final_check_is_verified_without_acting(status: StepStatus) -> None:
    """The step before proved only that a text is gone, which does not locate the page; the check does."""
    again = Again([ALICE, typing("hello"), GONE, check("Sent")], [PROVED, PROVED, PROVED, status], page="sent")
    assert again.done() == []
    assert again.result.status is TaskStatus.SUCCESS
    assert [each.step.step for each in again.result.step_results] == [4]
    absent = Again([ALICE, typing("hello"), GONE, check("Sent")], [PROVED, PROVED, PROVED, status], page="home")
    assert absent.done() == []
    assert absent.result.status is TaskStatus.NEEDS_REVIEW


def test_gone_check_on_another_page_is_not_proof() -> None:
    gone = StepPlan(1, ActionName.CHECK, expect=Expectation(gone="Send"))
    again = Again([ALICE, typing("hello"), GONE, gone], [PROVED, PROVED, PROVED, BEGUN], page="home")
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW


@pytest.mark.parametrize("status", [BEGUN, FAILED, DONE])
def test_possibly_sent_message_is_checked_and_not_resent(status: StepStatus) -> None:
    arrived = Again(CHAT, [PROVED, PROVED, status], page="sent")
    assert arrived.done() == []
    assert arrived.result.status is TaskStatus.SUCCESS
    absent = Again(CHAT, [PROVED, PROVED, status], page="chat")
    assert absent.done() == []
    assert absent.result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in absent.result.error_message


def test_possibly_sent_message_without_check_needs_review() -> None:
    again = Again(CHAT[:3], [PROVED, PROVED, BEGUN], page="chat")
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in again.result.error_message


def test_check_true_before_sending_does_not_prove_it() -> None:
    """The draft shows the message text too, so the button must also be seen gone."""
    send = replace(tap("Send"), expect=Expectation(gone="Send"))
    steps = [*CHAT[:2], send, check("Chat")]
    absent = Again(steps, [PROVED, PROVED, BEGUN], page="chat")
    assert absent.done() == []
    assert absent.result.status is TaskStatus.NEEDS_REVIEW
    arrived = Again(steps, [PROVED, PROVED, BEGUN], page="sent")
    assert arrived.result.status is TaskStatus.SUCCESS
    alone = Again(steps[:3], [PROVED, PROVED, BEGUN], page="home")
    assert alone.result.status is TaskStatus.NEEDS_REVIEW


def test_actions_after_possibly_sent_message_need_review() -> None:
    again = Again([*CHAT, tap("Chat"), check("Chat")], [PROVED, PROVED, BEGUN], page="sent")
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in again.result.error_message


def test_sent_message_is_not_resent_when_starting_over() -> None:
    again = Again([*CHAT, tap("Chess", "Board")], [PROVED, PROVED, PROVED, PROVED, FAILED], page="home")
    assert not any(isinstance(action, InputText) for action in again.device.performed)
    assert again.result.status is TaskStatus.NEEDS_REVIEW


def test_gone_proof_alone_does_not_locate_the_page() -> None:
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
def test_text_already_in_field_is_not_retyped(status: StepStatus) -> None:
    again = typed_before([PROVED, status], "hello")
    assert again.done() == ["Tap"]
    assert again.result.status is TaskStatus.SUCCESS
    assert again.device.typed == "hello"


@pytest.mark.parametrize("status", [BEGUN, FAILED, DONE])
def test_text_missing_from_field_is_typed(status: StepStatus) -> None:
    again = typed_before([PROVED, status], "")
    assert again.done() == ["InputText", "Tap"]
    assert again.result.status is TaskStatus.SUCCESS
    assert again.device.typed == "hello"


def test_unknown_field_content_needs_review() -> None:
    again = typed_before([PROVED, BEGUN], "hello", untyped=False)
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may still stand in its field" in again.result.error_message


def test_emoji_not_readable_by_ocr_is_not_retyped() -> None:
    again = typed_before([PROVED, BEGUN], "", steps=[CHAT[0], typing("👍"), *CHAT[2:]])
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW


def test_starting_over_does_not_append_to_typed_text() -> None:
    again = typed_before([DONE, DONE], "hello", untyped=False, page="home")
    assert "InputText" not in again.done()
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may still stand in its field" in again.result.error_message


def test_draft_in_field_does_not_prove_sending() -> None:
    """The send step expects the very text that is still in the field."""
    again = typed_before([PROVED, PROVED, BEGUN], "hello", steps=[*CHAT[:2], tap("Send", "hello"), check("hello")])
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent" in again.result.error_message


def test_step_unproved_before_resume_needs_review() -> None:
    steps = [tap("Bold", "In bold"), check("Chat"), check("Send")]
    assert Again(steps, [PROVED, PROVED], page="chat").result.status is TaskStatus.SUCCESS
    doubtful = Again(steps, [DONE, PROVED], page="chat")
    assert doubtful.result.status is TaskStatus.NEEDS_REVIEW
    assert "not proved" in doubtful.result.error_message


def test_gone_proof_keeps_page_of_the_earlier_proof() -> None:
    gone = StepPlan(1, ActionName.CHECK, expect=Expectation(gone="No results"))
    again = Again([CHAT[0], gone, *CHAT[1:]], [PROVED, PROVED, BEGUN], page="chat", typed="hello", untyped=True)
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["Tap"]
    unproved = Again([CHAT[0], gone, *CHAT[1:]], [DONE, PROVED], page="home")
    assert unproved.done() == ["Tap", "InputText", "Tap"]


def test_starting_over_with_unsent_draft_reopens_the_chat() -> None:
    """An unsent draft does not prevent the taps that lead back to its field."""
    again = typed_before([DONE, DONE], "", page="home")
    assert again.result.status is TaskStatus.SUCCESS
    assert again.done() == ["Tap", "InputText", "Tap"]


def test_filled_field_is_not_searched_as_empty() -> None:
    field = StepPlan(1, ActionName.TAP, target=Target(text="Empty field", role="input"))
    steps = [CHAT[0], field, *CHAT[1:]]
    again = typed_before([PROVED, DONE, BEGUN], "hello", steps=steps)
    assert again.result.status is TaskStatus.SUCCESS, again.result.error_message
    assert again.done() == ["Tap"]
    assert again.device.typed == "hello"


def test_text_planned_twice_is_typed_twice() -> None:
    """Only text typed by the earlier run is searched for, and only once."""
    again = Again([CHAT[0], typing("ha"), typing("ha")], [PROVED, BEGUN], page="chat", untyped=True)
    assert again.device.typed == "haha"


# -- a word that was searched for

SEARCH = [ALICE, typing("Ann"), tap("Ann", "Sent"), check("Sent")]


def test_possibly_typed_search_word_is_erased_and_retyped() -> None:
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
def test_text_before_a_possible_send_is_not_erased(steps: Sequence[StepPlan]) -> None:
    typed = str(steps[1].params["text"])
    again = typed_before([PROVED, BEGUN], typed, steps=steps, untyped=False)
    assert again.done() == []
    assert again.result.status is TaskStatus.NEEDS_REVIEW
