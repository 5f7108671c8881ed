"""A finished run as plain facts and pictures: what every report is a function of."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from PIL import Image

from handeye._version import __version__
from handeye.errors import InvalidImage
from handeye.models.usage import Usage
from handeye.plan.base import ActionName, StepPlan
from handeye.run.result import StepResult, TaskResult
from handeye.screen import Screen

HIDDEN: Final = "••••"
SHORTEST_SECRET: Final = 3
"""Characters from which a secret is also blanked out where it occurs inside other text; shorter ones are in every word."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A frame by its name ("03-before") and its size in pixels."""

    name: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One strategy that was tried for a step."""

    strategy: str
    outcome: str
    note: str
    confidence: float | None
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class StepRecord:
    """
    What happened in one step. Boxes are pixels of the `before` frame; `started` is seconds since the epoch.

    `verified` is the verdict: True, False, or None when it could not be decided or was not asked. `usage` is what asking
    models has cost; None when none was asked.
    """

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


@dataclass(frozen=True, slots=True)
class RunRecord:
    """
    A run. `started` is seconds since the epoch, 0 when no step began; times are seconds.

    `pictures` holds the frames by name, each a Screen or the Path of an image file; two steps that saw the same frame
    share it. `usage` is what asking models has cost; None when none was asked.
    """

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
    pictures: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, result: TaskResult) -> Self:
        """The facts of `result`. Text typed by a step whose params say `secret` is hidden wherever it occurs."""
        shelf = _Shelf()
        plan = result.plan
        facts = cls(
            task=result.task,
            status=result.status.value,
            error=result.error_message,
            device=result.device,
            module=plan.module if plan else "",
            template=str(plan.analysis.get("template", "")) if plan else "",
            success_criteria=plan.success_criteria if plan else "",
            started=result.step_results[0].start_time if result.step_results else 0.0,
            total_s=round(result.total_time, 3),
            version=__version__,
            steps=tuple(_step(step, shelf) for step in result.step_results),
            usage=_rounded(result.usage),
        )
        steps = [step.step for step in result.step_results] + list(plan.steps if plan else ())
        secrets = {str(step.params.get("text", "")) for step in steps if step.params.get("secret")}
        hidden: Self = _hide(facts, sorted(filter(_worth_hiding, secrets), key=len, reverse=True))
        return dataclasses.replace(hidden, pictures=shelf.frames)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: everything but the pixels; `usage` only where a model was asked."""
        facts = dataclasses.asdict(dataclasses.replace(self, pictures={})) | {"pictures": sorted(self.pictures)}
        for part in (facts, *facts["steps"]):
            if part["usage"] is None:
                del part["usage"]
        return facts


def picture_webp(source: Screen | Path, *, side: int | None = None, quality: int = 80) -> bytes:
    """
    A frame as WebP, its shorter side at most `side` pixels. Raises InvalidImage when the file cannot be read.

    The encoder's fastest setting: a report should not take longer than the run.
    """
    image = (source if isinstance(source, Screen) else Screen.open(source)).image
    shorter = min(image.size)
    if side is not None and shorter > side:
        size = (max(1, round(image.width * side / shorter)), max(1, round(image.height * side / shorter)))
        image = image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    out = io.BytesIO()
    try:
        image.save(out, "WEBP", quality=quality, method=1)
    except (OSError, ValueError) as error:  # WebP ends at 16383 pixels a side
        raise InvalidImage(
            f"a frame of {image.width}x{image.height} pixels cannot be written as WebP: {error}"
        ) from error
    return out.getvalue()


class _Shelf:
    """Keeps each different frame once."""

    def __init__(self) -> None:
        self.frames: dict[str, Screen] = {}
        self._names: dict[tuple[int, int, int], str] = {}

    def keep(self, screen: Screen | None, name: str) -> Picture | None:
        if screen is None:
            return None
        key = (screen.digest, *screen.size)
        kept = self._names.setdefault(key, name)
        self.frames.setdefault(kept, screen)
        return Picture(kept, screen.size.width, screen.size.height)


def _step(result: StepResult, shelf: _Shelf) -> StepRecord:
    step, located, verdict = result.step, result.located, result.verify_result
    element = located.element if located else None
    number = f"{step.step:02d}"
    return StepRecord(
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
        # `is not None`: a verdict that proves nothing is falsy.
        verified=(verdict.verified or verdict.matches_expected) if verdict is not None else None,
        verdict=(verdict.suggestion_detail or verdict.change_description) if verdict is not None else "",
        evidence=verdict.evidence if verdict is not None else (),
        blocker=f"{verdict.blocker.type.value}: {verdict.blocker.description}"
        if verdict is not None and verdict.blocker
        else "",
        notes=tuple(result.notes),
        before=shelf.keep(result.screenshot_before, f"{number}-before"),
        after=shelf.keep(result.screenshot_after, f"{number}-after"),
        usage=_rounded(result.usage),
    )


def _rounded(usage: Usage | None) -> Usage | None:
    """As it is written down, so that a report made again is the same."""
    return None if usage is None else Usage(**usage.to_dict())


def _corners(box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = (int(edge) for edge in box)
    return left, top, right, bottom


def _params(step: StepPlan) -> dict[str, str]:
    secret = bool(step.params.get("secret")) and step.action is ActionName.INPUT_TEXT
    return {
        key: HIDDEN if secret and key == "text" else str(value) for key, value in step.params.items() if key != "secret"
    }


def _worth_hiding(text: str) -> bool:
    return len(text) >= SHORTEST_SECRET


def _hide(value: Any, secrets: list[str]) -> Any:
    """`value` with every secret blanked out, in nested records, tuples and mappings too."""
    if not secrets:
        return value
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, HIDDEN)
        return value
    if isinstance(value, tuple):
        return tuple(_hide(item, secrets) for item in value)
    if isinstance(value, Mapping):
        return {key: _hide(item, secrets) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [each.name for each in dataclasses.fields(value)]
        return dataclasses.replace(value, **{name: _hide(getattr(value, name), secrets) for name in names})
    return value
