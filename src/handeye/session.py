"""Control one device: `connect(uri)` and a few verbs."""

from __future__ import annotations

import builtins
import logging
from functools import cached_property
from pathlib import Path
from types import TracebackType

from handeye.actions import ActionResult, GoHome, InputText, LaunchApp, PressKey
from handeye.blockers import PASSIVE, Blocker, BlockerType, PermissionPolicy
from handeye.clock import SystemClock
from handeye.devices import Device, DeviceLock, open_device
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, LocateError, TargetNotFound
from handeye.locate import requested_confidence
from handeye.models import LLMConfig, configured_vision
from handeye.plan import ActionName, CacheMode, StepPlan
from handeye.report import RunRecorder, check_plan_trust, load_resumable_run, prepare_folder
from handeye.run import (
    TARGET_MOVED,
    Context,
    Event,
    Listener,
    Recovery,
    ResumePoint,
    RunState,
    StepResult,
    StepStatus,
    TargetResolution,
    TaskResult,
    TaskRunner,
    Tools,
    default_agent,
    default_limits,
    default_planner,
    general_tools,
    ignore_events,
    region_unchanged,
    swipe,
    taps,
)
from handeye.screen import Screen, Screenshot, as_screen
from handeye.target import LocateResult, Target, parse_target

DEFAULT_DEVICE = "android:"
_log = logging.getLogger(__name__)


class Session:
    """
    A connected device. A context manager; closing it restores the device's state.

    `model` is the model to ask for what no other strategy finds: by default the one named by the environment
    (docs/models.md), else a configuration or a model's name; "off" disables models. A run has one budget, and so has
    each single search. `policy` decides on permissions that apps ask for, and refuses them by default; `plans` sets
    whether successful plans are remembered. Elements found with less than `min_confidence` (0-1) are not acted on; the
    default is the variable HANDEYE_MIN_CONFIDENCE, else a threshold for each strategy (docs/ranking.md); irreversible
    actions need 0.95 from the ranker in any case. Raises ConfigError if the given model cannot be used, and for an
    invalid value of the variable.
    """

    def __init__(
        self,
        device: Device,
        *,
        listen: Listener = ignore_events,
        model: LLMConfig | str | None = None,
        policy: PermissionPolicy | None = None,
        plans: CacheMode = "read-write",
        min_confidence: float | None = None,
    ) -> None:
        configured_vision(model)  # reports an unknown name now
        self._min_confidence = requested_confidence(min_confidence)
        self.device = device
        self._listen = listen
        self._recorder: RunRecorder | None = None
        self._model = model
        self._policy = policy
        self._plans: CacheMode = plans

    def run(self, task: str, *, report: str | Path | None = None, resume: ResumePoint | None = None) -> TaskResult:
        """
        Execute a task given in natural language. `report` is a folder in which the run is recorded while it happens
        (see `handeye.report`): its frames are then stored there and no longer in the result. `resume` is an earlier run
        of the task that ended early: it continues there, and repeats nothing.

        Does not raise if the task fails: see `TaskResult.status` and `error_message`. Raises DeviceBusy while another
        run uses the device, and WriteFailed if the report's folder cannot be created; nothing is done then. A report
        that cannot be written later is a logged warning, so that the result is not lost. Raises ConfigError for an
        invalid OPERATION_DELAY.
        """
        return self._run(task, resume, RunRecorder(prepare_folder(Path(report))) if report is not None else None)

    def resume(self, folder: str | Path) -> TaskResult:
        """
        Resume the run in `folder` that ended early, on this device: as `run`, and recorded in the same folder.

        Raises UsageError if it cannot be resumed (see `handeye.report.load_resumable_run`) or its plan does not belong to its
        task (`handeye.report.check_plan_trust`), and ConfigError for a damaged folder.
        """
        left = check_plan_trust(load_resumable_run(Path(folder)), default_planner())
        return self._run(left.task, left.earlier, RunRecorder(Path(folder), resume=True))

    def _run(self, task: str, resume: ResumePoint | None, recorder: RunRecorder | None) -> TaskResult:
        self._recorder = recorder
        try:
            with DeviceLock(self.device.uri):
                result = self._runner.run(task, resume=resume)
        finally:
            if recorder is not None:
                recorder.let_go()
        if recorder is not None and recorder.failure is not None:
            _log.warning("the run has no report: %s", recorder.failure)
        return result

    def _on_event(self, event: Event) -> None:
        self._listen(event)
        if self._recorder is not None:
            self._recorder(event)

    def locate(self, query: str | Target, screen: Screenshot | None = None) -> LocateResult:
        """Find an element on the screen by text, a reference image's name or path, or a `Target`."""
        target = query if isinstance(query, Target) else parse_target(query)
        return self._tools.finder.locate(target, self.screenshot() if screen is None else as_screen(screen))

    def tap(self, query: str | Target, *, count: int = 1) -> LocateResult:
        """
        Find an element and tap it, `count` times in a row: 2 for a double tap. A keyboard that covers it is hidden
        first.

        If this raises, nothing was tapped. Raises TargetNotFound, AmbiguousTarget, or the error that made a strategy
        fail (MissingPart, OcrFailed, ModelError), as the element may then exist; LocateError if another element covers
        it, or the screen changed at its position during a model call.
        """
        target = query if isinstance(query, Target) else parse_target(query)
        result = StepResult(StepPlan(1, ActionName.TAP, target=target), StepStatus.RUNNING)
        context = Context(self.device, self._tools, SystemClock(), default_limits(), ignore_events)
        state = RunState()
        recovery = Recovery(context, result, state)
        resolution = TargetResolution(context, state, recovery, result)
        while True:
            screen = self.screenshot()
            result.located = found = self.locate(target, screen)
            element = _unique(target, found)
            if found.usage is not None and not region_unchanged(element.bbox, screen, self.screenshot()):
                raise LocateError(f"{target} was found, but {TARGET_MOVED}; look again")
            if (above := _modal_above(element, self._tools.verifier.find_blocker(screen))) is not None:
                raise LocateError(f"{target} was found, but {above.description} lies over it ({above.words!r})")
            refusal = resolution.against_touch(element, screen)
            if refusal is None:
                break
            is_keyboard = refusal.blocker is not None and refusal.blocker.type is BlockerType.KEYBOARD
            if not is_keyboard or not recovery.remove_blocker(screen, refusal.blocker):
                raise LocateError(f"{target} was found, and not tapped: {'; '.join(refusal.evidence)}")
        self.device.perform(taps(screen.to_input(element.center), count))
        return found

    def type(self, text: str) -> ActionResult:
        """Type into the focused field."""
        return self.device.perform(InputText(text))

    def press(self, key: str | int) -> None:
        """Press a key by its Android name or code."""
        self.device.perform(PressKey(key))

    def swipe(self, direction: str) -> None:
        """Swipe "left", "right", "up" or "down"."""
        self.device.perform(swipe(direction, self.screenshot()))

    def launch(self, package: str) -> None:
        self.device.perform(LaunchApp(package))

    def home(self) -> None:
        self.device.perform(GoHome())

    def screenshot(self) -> Screen:
        return self.device.screenshot()

    def close(self) -> None:
        self.device.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: builtins.type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def _runner(self) -> TaskRunner:
        agent = default_agent(self.device, self._model, plans=self._plans, min_confidence=self._min_confidence)
        return TaskRunner(
            self.device,
            planner=agent.planner,
            tools=agent.tools,
            account=agent.account,
            listen=self._on_event,
            limits=default_limits(),
            policy=self._policy,
        )

    @cached_property
    def _tools(self) -> Tools:
        return general_tools(self.device, self._model, self._min_confidence)


def _modal_above(element: UIElement, blocker: Blocker | None) -> Blocker | None:
    """Return the blocker if it receives touches on an element outside of its box, else None."""
    if blocker is None or blocker.type in PASSIVE or blocker.box is None or blocker.box.contains(element.center):
        return None
    return blocker


def _unique(target: Target, found: LocateResult) -> UIElement:
    """Return the only element that was found. Raises the reason if there is none."""
    unsure = (
        found.method_used == "none"
    )  # candidates below the threshold of every strategy do not hide a failed strategy
    if found.candidates and not found.success and not (unsure and any(each.error for each in found.attempts)):
        raise AmbiguousTarget(target, found.candidates)
    if found.failure is not None:
        raise found.failure
    if not found.success or found.element is None:
        raise TargetNotFound(target, found.attempts)
    return found.element


def connect(
    uri: str | None = None,
    *,
    listen: Listener = ignore_events,
    model: LLMConfig | str | None = None,
    policy: PermissionPolicy | None = None,
    plans: CacheMode = "read-write",
    min_confidence: float | None = None,
) -> Session:
    """
    Open a device: `android:///127.0.0.1:15555`, `android:` (the only one attached), `phone:` (a new virtual phone),
    `phone:permission,dark` (with scenarios), `image:shot.png`; `android:?user=10` selects a user's apps,
    `android:?display=2` a display. The other arguments are as for `Session`. Raises UsageError, ConfigError or
    DeviceError.
    """
    configured_vision(model)  # before the device is opened
    min_confidence = requested_confidence(min_confidence)
    return Session(
        open_device(uri or DEFAULT_DEVICE),
        listen=listen,
        model=model,
        policy=policy,
        plans=plans,
        min_confidence=min_confidence,
    )
