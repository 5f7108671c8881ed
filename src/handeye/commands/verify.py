"""`handeye verify IMAGE EXPECTED`: check that a picture shows what is expected."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated, Any

from pydantic import BaseModel, Field

from handeye.blockers import SuggestionAction
from handeye.commands.annotate import MOST_OF_NOTE, MOST_WORDS
from handeye.commands.base import Context, ExitCode, Outcome
from handeye.commands.locate import uri_of
from handeye.commands.parameters import ARGUMENT, ImageArgument, ModelName
from handeye.devices import open_device
from handeye.errors import InvalidReference, UsageError
from handeye.locate import TemplateStrategy
from handeye.models import TaskModels, configured_models
from handeye.ocr import CachedReader, PaddleReader
from handeye.perceive import provider_for
from handeye.run import default_planner
from handeye.target import Expectation
from handeye.verify import ScreenVerifier, VerifyResult
from handeye.visible import shown


class VerifyParams(BaseModel):
    """Parameters of `verify`."""

    image: ImageArgument
    expected: Annotated[str, ARGUMENT] = Field(
        "", description='What must be seen; texts in "quotation marks" are read, a model judges the rest.'
    )
    before: str | None = Field(None, min_length=1, description="A picture from before, to compare with.")
    reference: str | None = Field(
        None, min_length=1, description="A picture that must be seen: a file, or a reference image's name."
    )
    model: ModelName = None


def verify(params: VerifyParams, context: Context) -> Outcome:
    """
    Return the verdict, with its evidence: proved (OK), contradicted (FAILED) or undecided (UNVERIFIED). A change since `before`
    is reported, and proves nothing by itself.

    Raises UsageError when nothing is expected, InvalidReference, and the errors of devices and models.
    """
    if not params.expected.strip() and params.reference is None:
        raise UsageError("say what must be seen: words, or a picture with --reference")
    templates = TemplateStrategy(default_planner().images())
    if params.reference is not None and not templates.references(params.reference):
        name = shown(params.reference, MOST_WORDS)
        raise InvalidReference(f"{name!r} is neither a picture file nor the name of a reference image")
    models = configured_models(params.model)
    expect = Expectation(description=params.expected or None, reference=params.reference)
    verdict = _verdict(params, expect, templates, models)
    code = {True: ExitCode.OK, False: ExitCode.FAILED, None: ExitCode.UNVERIFIED}[verdict.matches_expected]
    cost = models.usage
    spent = {"usage": cost.to_dict()} if cost.calls else {}
    lines = (*_lines(verdict), *((f"  models: {cost}",) if cost.calls else ()))
    return Outcome({**_data(verdict), "model_calls": cost.calls, **spent}, lines, code)


def _verdict(
    params: VerifyParams, expect: Expectation, templates: TemplateStrategy, models: TaskModels
) -> VerifyResult:
    with closing(open_device(uri_of(params.image))) as device:
        after = device.screenshot()
        judge, tree = models.chat("verifier"), provider_for(device)
        verifier = ScreenVerifier(CachedReader(PaddleReader()), templates, model=judge, state=tree)
        if params.before is None:
            return verifier.verify(expect, None, after)
        with closing(open_device(uri_of(params.before))) as earlier:
            return verifier.verify(expect, earlier.screenshot(), after)


def _lines(verdict: VerifyResult) -> tuple[str, ...]:
    head = {True: "proved", False: "not as expected", None: "not decided: nothing proves it, nothing contradicts it"}
    blocker = verdict.blocker
    return (
        f"{head[verdict.matches_expected]}, confidence {verdict.confidence:.2f}",
        *(f"  evidence: {shown(each, MOST_OF_NOTE)}" for each in verdict.evidence),
        *((f"  in the way: {blocker.type.value}: {shown(blocker.description, MOST_OF_NOTE)}",) if blocker else ()),
        *_advice(verdict),
    )


def _advice(verdict: VerifyResult) -> tuple[str, ...]:
    """Return the suggested next action, unless it is to go on."""
    detail = shown(verdict.suggestion_detail, MOST_OF_NOTE)
    if verdict.suggestion is SuggestionAction.CONTINUE:
        return ()
    return (f"  suggestion: {verdict.suggestion.value}" + (f", because {detail}" if detail else ""),)


def _data(verdict: VerifyResult) -> dict[str, Any]:
    blocker = verdict.blocker
    return {
        "verified": verdict.verified,
        "matches_expected": verdict.matches_expected,
        "confidence": round(verdict.confidence, 3),
        "evidence": list(verdict.evidence),
        "screen_changed": verdict.screen_changed,
        "change_description": verdict.change_description,
        "blocker": {"type": blocker.type.value, "description": blocker.description} if blocker else None,
        "suggestion": verdict.suggestion.value,
        "suggestion_detail": verdict.suggestion_detail,
    }
