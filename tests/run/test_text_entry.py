"""Tests of reading typed text back by OCR and correcting it once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest

from handeye.actions import Action, ActionResult, InputText
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.run import StepResult, TaskRunner, TaskStatus, Tools
from handeye.run.secret_frames import NOT_KEPT
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import HEIGHT, WIDTH, FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.text import TextLine

FIELD = Box(0, 0, 90, 20)


class FieldReader:
    """Reads what stands in the field, as `sees` has it."""

    name = "field"

    def __init__(self, sees: Callable[[str], str] = str, confidence: float = 0.99) -> None:
        self._sees = sees
        self._confidence = confidence

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        typed = self._sees(screen.window["typed"])
        return (TextLine(typed, FIELD, self._confidence),) if typed else ()


class Field(FakeDevice):
    """Shows what was typed inside of the field only; a keyboard comes up below it with the first letter, if there is one."""

    keyboard = False

    def screenshot(self) -> Screen:
        pixels = np.full((HEIGHT, WIDTH, 3), 240, np.uint8)
        pixels[4:16, 4 : 4 + 8 * len(self.typed)] = 0
        if self.keyboard and self.typed:
            pixels[120:, :] = 90
        return Screen(pixels, window={"page": self.page, "typed": self.typed})


class WithKeyboard(Field):
    keyboard = True


def arriving(*texts: str) -> Callable[[str], str]:
    """The first texts arrive as these, all others as they are typed."""
    left: Iterable[str] = iter(texts)
    return lambda text: next(left, text)  # type: ignore[call-overload, no-any-return]


def typed(
    *arrives: str,
    draft: str = "",
    reader: FieldReader | None = None,
    target: bool = True,
    secret: bool = False,
    kind: type[Field] = Field,
) -> tuple[FakeDevice, StepResult]:
    """A run that types 你好吗 into the field, in which `draft` stands."""
    device = kind({"home": FakePage({"field": FIELD})}, start="home", mistype=arriving(*arrives))
    device.typed = draft
    step = StepPlan(
        1,
        ActionName.INPUT_TEXT,
        target=Target(text="field") if target else None,
        params={"text": "你好吗", "secret": secret},
    )
    tools = Tools(FakeFinder(device), FakeVerifier(device), reader=reader or FieldReader())
    planner = FakePlanner({"task": (step,)})
    result = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False).run("task")
    assert result.status is not TaskStatus.RUNNING
    return device, result.step_results[0]


def test_text_read_back_correctly_is_noted() -> None:
    device, step = typed()
    assert device.typed == "你好吗"
    assert "read as it was typed" in step.notes[0]


def test_wrong_text_is_erased_and_typed_again() -> None:
    device, step = typed("泥嚎吗")
    assert device.typed == "你好吗"
    assert "erased" in step.notes[0]


def test_wrong_text_twice_fails_the_step() -> None:
    device, step = typed("泥嚎吗", "尼豪")
    assert "twice" in step.error_message
    assert [type(action).__name__ for action in device.performed].count("InputText") == 2


def test_ocr_misreading_does_not_retype_text() -> None:
    device, step = typed(reader=FieldReader(lambda text: text.replace("吗", "妈")))
    assert device.typed == "你好吗"
    assert "misread" in step.notes[0]


@pytest.mark.parametrize(
    ("draft", "reader"),
    [
        ("草稿", FieldReader(lambda text: text.replace("草", "章") if "吗" in text else text)),
        ("", FieldReader(confidence=0.5)),
        ("", FieldReader(lambda text: "")),
        ("", FieldReader(lambda text: f"{text}，后面还有很多很多字")),
    ],
    ids=["a draft stood there", "hardly readable", "nothing to be read", "of another length"],
)
def test_unreadable_field_text_is_left_unchanged(draft: str, reader: FieldReader) -> None:
    device, step = typed("泥嚎吗", draft=draft, reader=reader)
    assert device.typed == f"{draft}泥嚎吗"
    assert "could not be read" in step.notes[0]


def test_nothing_is_typed_into_a_filled_field() -> None:
    """The earlier text would be sent along."""
    _device, step = typed(draft="不要来")
    assert "stood in the field before" in step.error_message


def test_text_must_be_alone_except_after_own_text() -> None:
    device = Field({"home": FakePage({"field": FIELD})}, start="home")
    steps = [
        StepPlan(1, ActionName.INPUT_TEXT, target=Target(text="field"), params={"text": "你好"}),
        StepPlan(2, ActionName.INPUT_TEXT, params={"text": "吗"}),
        StepPlan(3, ActionName.INPUT_TEXT, target=Target(text="field"), params={"text": "呢"}),
    ]
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    planner = FakePlanner({"task": steps})
    TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False).run("task")
    assert [action.alone for action in device.performed if isinstance(action, InputText)] == [True, False, True]


def test_device_read_back_proves_only_the_typed_text() -> None:
    class ReadingBack(Field):
        def perform(self, action: Action) -> ActionResult:
            done = super().perform(action)
            return ActionResult("read back", True) if isinstance(action, InputText) else done

    device = ReadingBack({"home": FakePage({"field": FIELD})}, start="home")
    step = StepPlan(
        1, ActionName.INPUT_TEXT, params={"text": "weather"}, expect=Expectation(text="Results for weather")
    )
    typed_only = replace(step, expect=Expectation(text="weather", new=True))
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    planner = FakePlanner({"results": [step], "text": [typed_only]})
    runner = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False)
    assert runner.run("results").status is TaskStatus.FAILED
    assert runner.run("text").status is TaskStatus.SUCCESS


def test_nothing_is_erased_after_a_keyboard_appeared() -> None:
    """The field may have moved, and keys are now read at its old place."""
    device, step = typed("泥嚎吗", kind=WithKeyboard)
    assert device.typed == "泥嚎吗"
    assert "does not show it" in step.notes[0]


def test_without_target_field_mismatch_is_only_noted() -> None:
    _device, arrived = typed(target=False)
    assert "the screen shows it" in arrived.notes[0]
    device, step = typed("泥嚎吗", target=False)
    assert "does not show it" in step.notes[0]
    assert device.typed == "泥嚎吗"


def test_a_secret_is_not_read_back() -> None:
    device, step = typed("泥嚎吗", secret=True)
    assert device.typed == "泥嚎吗"
    assert step.notes == [NOT_KEPT]
