"""A run as plain facts and frames, from which every report is generated."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from PIL import Image
from pydantic import ConfigDict

from handeye._version import __version__
from handeye.errors import InvalidImage
from handeye.files import read_regular
from handeye.picture_files import open_picture
from handeye.plan import REDACTION, StepPlan, TaskPlan, is_secret
from handeye.report.redaction import Secrets
from handeye.run import StepResult, StepStatus, TaskResult, TaskStatus
from handeye.screen import Screen
from handeye.usage import Usage

INTERRUPTED: Final = "interrupted"
"""Status of a run, and of its last step, that was cut short: Ctrl-C, a killed process, a power cut."""

FRAME_LIMIT: Final = 64 * 1024 * 1024
"""Maximum size of a frame file in bytes."""

# Files may come from an untrusted source: "inf" and "nan" are rejected.
_FINITE: Final = ConfigDict(allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class Picture:
    """A frame by its name ("03-before") and its size in pixels."""

    name: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One locator strategy that was tried for a step."""

    __pydantic_config__: ClassVar[ConfigDict] = _FINITE

    strategy: str
    outcome: str
    note: str
    confidence: float | None
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class StepRecord:
    """
    Facts of one step. Boxes are pixels of the `before` frame; `started` is seconds since the epoch.

    `verified` is the verdict: True, False, or None if it could not be decided or was not checked. `usage` is the model
    usage; None without a model call. `level` is the execution level (docs/spec/vision-agent.md), `value` the text read
    from the screen, `error_kind` the class of the error that ended the step.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _FINITE

    number: int
    action: str
    description: str
    status: str
    target: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    started: float = 0.0
    elapsed_s: float = 0.0
    retries: int = 0
    error: str = ""
    method: str = ""
    confidence: float | None = None
    box: tuple[int, int, int, int] | None = None
    candidates: tuple[tuple[int, int, int, int], ...] = ()
    attempts: tuple[AttemptRecord, ...] = ()
    expected: str = ""
    verified: bool | None = None
    verdict: str = ""
    evidence: tuple[str, ...] = ()
    blocker: str = ""
    notes: tuple[str, ...] = ()
    before: Picture | None = None
    after: Picture | None = None
    usage: Usage | None = None
    level: int | None = None
    value: str | None = None
    error_kind: str = ""

    @property
    def shown_status(self) -> str:
        """`status` for people: an unverified step without an expectation is shown as done."""
        return "done" if self.status == StepStatus.UNVERIFIED.value and not self.expected else self.status

    @classmethod
    def of(cls, result: StepResult, before: Picture | None = None, after: Picture | None = None) -> Self:
        """Return the facts of `result` so far, with its frames under the names of their files."""
        step, located, verdict = result.step, result.located, result.verify_result
        element = located.element if located else None
        return cls(
            number=step.step,
            action=step.action.value,
            description=step.description,
            status=result.status.value,
            target=str(step.wanted) if step.wanted else "",
            params=_params(step),
            started=result.start_time,
            elapsed_s=round(result.elapsed_s, 3),
            retries=result.retry_count,
            error=result.error_message,
            method=located.method_used if located and located.success else "",
            confidence=round(element.confidence, 3) if element else None,
            box=_corners(element.bbox) if element else None,
            candidates=tuple(_corners(other.bbox) for other in located.candidates) if located else (),
            attempts=tuple(
                AttemptRecord(each.strategy, each.outcome, each.note, each.confidence, round(each.elapsed_ms, 1))
                for each in (located.attempts if located else ())
            ),
            expected=str(step.expectation) if step.expectation else (step.success_condition or ""),
            # `is not None`: a verdict without proof is falsy.
            verified=(verdict.verified or verdict.matches_expected) if verdict is not None else None,
            verdict=(verdict.suggestion_detail or verdict.change_description) if verdict is not None else "",
            evidence=verdict.evidence if verdict is not None else (),
            blocker=f"{verdict.blocker.type.value}: {verdict.blocker.description}"
            if verdict is not None and verdict.blocker
            else "",
            notes=tuple(result.notes),
            before=before,
            after=after,
            usage=_rounded(result.usage),
            level=result.level.value,
            value=result.value,
            error_kind=type(result.error).__name__ if result.error is not None else "",
        )


@dataclass(frozen=True, slots=True)
class RunRecord:
    """
    A run. `started` is seconds since the epoch, 0 if unknown; durations are seconds.

    `pictures` contains the frames by name, each a Screen or the Path of an image file; equal frames of different steps
    are shared. `usage` is the model usage; None without a model call. `origin` is the source of the plan, `replans` the
    number of plans that replaced it, `resumed` how often the run was resumed after an early end.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _FINITE

    task: str
    status: str
    error: str = ""
    device: str = ""
    module: str = ""
    template: str = ""
    success_criteria: str = ""
    started: float = 0.0
    total_s: float = 0.0
    version: str = ""
    steps: tuple[StepRecord, ...] = ()
    usage: Usage | None = None
    error_kind: str = ""
    origin: str = ""
    replans: int = 0
    resumed: int = 0
    pictures: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, result: TaskResult) -> Self:
        """Return the facts of `result`. Text typed by a step whose params contain `secret` is redacted everywhere."""
        store, plan, secrets = _FrameStore(), result.plan, Secrets.of(result)
        facts = cls(
            task=result.task,
            status=result.status.value,
            error=result.error_message,
            device=result.device,
            **plan_facts(plan),
            started=result.step_results[0].start_time if result.step_results else 0.0,
            total_s=round(result.total_time, 3),
            version=__version__,
            steps=tuple(
                _mark_interrupted(step_record(step, secrets, *store.frames_of(step, number)), result)
                for number, step in enumerate(result.step_results, 1)
            ),
            usage=_rounded(result.usage),
            error_kind=type(result.error).__name__ if result.error is not None else "",
            replans=len(result.replans),
        )
        hidden: Self = secrets.hidden(facts)
        return dataclasses.replace(hidden, pictures=store.frames)

    @property
    def model_calls(self) -> int:
        """Number of model calls."""
        return self.usage.calls if self.usage is not None else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the record for JSON, without pixels; `usage` only where a model was called."""
        facts = dataclasses.asdict(dataclasses.replace(self, pictures={})) | {"pictures": sorted(self.pictures)}
        for part in (facts, *facts["steps"]):
            if part["usage"] is None:
                del part["usage"]
        return facts


def picture_webp(source: Screen | Path, *, side: int | None = None, quality: int = 80) -> bytes:
    """
    Return a frame as WebP, its shorter side at most `side` pixels. Raises InvalidImage if the file cannot be read.

    Uses the encoder's fastest setting: a report should not take longer than the run.
    """
    image = (source if isinstance(source, Screen) else read_frame(source)).image
    shorter = min(image.size)
    if side is not None and shorter > side:
        size = (max(1, round(image.width * side / shorter)), max(1, round(image.height * side / shorter)))
        image = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    out = io.BytesIO()
    try:
        image.save(out, "WEBP", quality=quality, method=1)
    except (OSError, ValueError) as error:  # WebP allows at most 16383 pixels a side
        raise InvalidImage(
            f"a frame of {image.width}x{image.height} pixels cannot be written as WebP: {error}"
        ) from error
    return out.getvalue()


def read_frame(path: Path) -> Screen:
    """
    Return a frame from its file, which may be untrusted. Raises InvalidImage for an unreadable file, and for a link out
    of its folder.
    """
    try:
        content = read_regular(path, FRAME_LIMIT, within=path.parent)
        with open_picture(content) as image:
            return Screen.from_image(image, path=path)
    except (OSError, InvalidImage) as error:
        raise InvalidImage(f"{str(path)!r} is not a readable frame: {error}") from error


def local_time(seconds: float, form: str) -> str:
    """Return seconds since the epoch as local time; empty for 0, and for a time outside the range of the calendar."""
    with suppress(OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(seconds).astimezone().strftime(form) if seconds else ""
    return ""


def plan_facts(plan: TaskPlan | None) -> dict[str, Any]:
    """Return the fields of a run's record that describe its plan."""
    if plan is None:
        return {}
    return {
        "module": plan.module,
        "template": str(plan.analysis.get("template", "")),
        "success_criteria": plan.success_criteria,
        "origin": plan.origin.value,
    }


class _FrameStore:
    """Stores each different frame once."""

    def __init__(self) -> None:
        self.frames: dict[str, Screen] = {}
        self._names: dict[tuple[int, int, int], str] = {}

    def frames_of(self, result: StepResult, number: int) -> tuple[Picture | None, Picture | None]:
        before = self.keep(result.screenshot_before, f"{number:02d}-before")
        return before, self.keep(result.screenshot_after, f"{number:02d}-after")

    def keep(self, screen: Screen | None, name: str) -> Picture | None:
        if screen is None:
            return None
        key = (screen.digest, *screen.size)
        stored_name = self._names.setdefault(key, name)
        self.frames.setdefault(stored_name, screen)
        return Picture(stored_name, screen.size.width, screen.size.height)


def step_record(
    result: StepResult, secrets: Secrets, before: Picture | None = None, after: Picture | None = None
) -> StepRecord:
    """Return `StepRecord.of` the result, with all secrets known so far redacted."""
    secrets.add_result(result)
    record = StepRecord.of(result, before, after)
    if record.value is not None and secrets.reads_secret(result.step):
        record = dataclasses.replace(record, value=REDACTION, evidence=())
    hidden: StepRecord = secrets.hidden(record)
    return hidden


def _mark_interrupted(step: StepRecord, result: TaskResult) -> StepRecord:
    """Return the step; one that is still running although its run has ended is INTERRUPTED."""
    cut_short = step.status == StepStatus.RUNNING.value and result.status is not TaskStatus.RUNNING
    return dataclasses.replace(step, status=INTERRUPTED) if cut_short else step


def _rounded(usage: Usage | None) -> Usage | None:
    """Return the usage rounded as in JSON, so that a report made from the file is the same."""
    return None if usage is None else Usage(**usage.to_dict())


def _corners(box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = (int(edge) for edge in box)
    return left, top, right, bottom


def _params(step: StepPlan) -> dict[str, str]:
    hidden = {"text": REDACTION} if is_secret(step) and "text" in step.params else {}
    return {key: str(value) for key, value in step.params.items() if key != "secret"} | hidden
