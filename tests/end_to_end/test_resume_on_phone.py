"""Test of a run interrupted around its typing: the resumed run sends the message exactly once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from phone_runs import mine

from handeye.devices import PhoneDevice
from handeye.ocr import CachedReader
from handeye.plan import ActionName, StepPlan
from handeye.report import RunRecorder, load_resumable_run, prepare_folder
from handeye.run import Event, EventKind, Listener, TaskRunner, TaskStatus, default_planner
from handeye.run.composition import compose
from handeye.target import Expectation, Region, Target
from handeye.testing.fakes import FakePlanner
from handeye_phone.scenario import Scenario

TITLE = Expectation(text="张三", region=Region(0.3, 0, 0.7, 0.2), exact=True)
SEND = Region(0.84, 0.3, 1, 1)
STEPS = (
    StepPlan(1, ActionName.CHECK, expect=TITLE),
    StepPlan(2, ActionName.TAP, target=Target(reference="wechat_input", description="输入框")),
    StepPlan(3, ActionName.INPUT_TEXT, params={"text": "明天见"}, guard=TITLE),
    StepPlan(
        4,
        ActionName.TAP,
        target=Target(text="发送", region=SEND, exact=True),
        guard=TITLE,
        expect=Expectation(gone="发送", region=SEND),
    ),
    StepPlan(5, ActionName.CHECK, expect=Expectation(text="明天见", exact=True)),
)
TASK = "说明天见"


def interrupted_after(action: ActionName, recorder: RunRecorder) -> Listener:
    """Ctrl-C as soon as such an act was done."""

    def listen(event: Event) -> None:
        recorder(event)
        if event.kind is EventKind.ACTED and event.step is not None and event.step.action is action:
            raise KeyboardInterrupt

    return listen


@pytest.fixture
def carry_out(reader: CachedReader) -> Callable[[PhoneDevice, Listener], TaskRunner]:
    """A runner of the steps above, which leaves the phone as it is when the run is cut short."""
    images = default_planner().images("wechat")

    def runner(phone: PhoneDevice, listen: Listener) -> TaskRunner:
        planner = FakePlanner({TASK: STEPS})
        return TaskRunner(phone, planner=planner, tools=lambda plan: compose(images, reader), listen=listen, rest=False)

    return runner


def test_typed_message_is_sent_once_after_resume(
    adb_port: int, carry_out: Callable[[PhoneDevice, Listener], TaskRunner], tmp_path: Path
) -> None:
    """Text already in the field is not typed again."""
    folder = prepare_folder(tmp_path / "run")
    with PhoneDevice(Scenario.parse("calm")) as phone:
        phone.phone.call(lambda model: model.open_chat("张三"))
        before = mine(phone)
        with pytest.raises(KeyboardInterrupt):
            carry_out(phone, interrupted_after(ActionName.INPUT_TEXT, RunRecorder(folder))).run(TASK)
        earlier = load_resumable_run(folder).earlier
        result = carry_out(phone, RunRecorder(folder, resume=True)).run(TASK, resume=earlier)
        assert result.status is TaskStatus.SUCCESS, result.error_message
        assert ActionName.INPUT_TEXT not in [each.step.action for each in result.step_results]
        sent = mine(phone)
        for each in before:
            sent.remove(each)
        assert sent == [("张三", "明天见")]
