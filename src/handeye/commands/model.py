"""`handeye model check`: ask the configured model with one real picture, and say what it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, ExitCode, Outcome
from handeye.commands.model_words import Words, words
from handeye.errors import ConfigError
from handeye.models.check import Check, Finding, Part, check_model
from handeye.models.check_sheet import BUTTON
from handeye.models.client import NOT_CONFIGURED
from handeye.models.client_factory import open_model
from handeye.models.config import LLMConfig
from handeye.models.configured import configuration, unchosen
from handeye.models.profile_lookup import profile_to_use
from handeye.visible import shown

_MOST_SHOWN: Final = 400  # characters of an answer, or of a server's complaint


class CheckParams(BaseModel):
    """Parameters of `model check`."""

    model: str | None = Field(None, min_length=1, description="another model than the one that is configured")
    preset: str | None = Field(None, min_length=1, description="another provider, such as claude, qwen or ollama")
    profile: str | None = Field(None, min_length=1, description="another family's way of writing coordinates")
    role: Literal["locator", "verifier", "planner"] = Field("locator", description="which of the configured models")


def check(params: CheckParams, context: Context) -> Outcome:
    """
    Ask for a word and for a place on a new picture; the exit code is 0 only when everything is as the profile says. Raises
    ConfigError when no model is configured, UsageError for a profile that does not exist.
    """
    config = configuration(params.model, params.preset)
    if config is None and (waiting := unchosen()) is not None:
        names, choices = waiting
        verb = "are" if " and " in names else "is"
        raise ConfigError(f"{names} {verb} set, but no model is chosen", file="environment", expected=choices)
    if config is None:
        raise ConfigError("no model is configured", file="environment", expected=NOT_CONFIGURED)
    chosen = config.for_role(params.role)
    profile = profile_to_use(chosen.model, params.profile or chosen.profile)
    done = check_model(open_model(config, params.role), profile)
    code = ExitCode.OK if done.ok else ExitCode.FAILED
    return Outcome(_data(chosen, done), tuple(_lines(chosen, done, words())), code)


def _data(config: LLMConfig, done: Check) -> dict[str, Any]:
    """For machines. Answers are the model's words: they are cut, and could repeat the key."""
    reading = done.reading
    return {
        "ok": done.ok,
        "model": config.model,
        "address": config.base_url,
        "profile": done.profile.name,
        "conclusive": done.profile.conclusive,
        "findings": [
            {"part": each.part.value, "ok": each.ok, "detail": _said(config, each.detail)} for each in done.findings
        ],
        "reading": {"counting": reading.counting.value, "order": reading.order.value} if reading else None,
        "off_px": None if done.off is None else round(done.off, 1),
        "fitting": list(done.fitting),
        "answers": {"word": _said(config, done.words), "place": _said(config, done.place)},
        "usage": done.usage.to_dict(),
    }


def _lines(config: LLMConfig, done: Check, say: Words) -> Iterator[str]:
    yield say["model"].format(model=shown(config.model), address=config.base_url, profile=done.profile.name)
    found = {finding.part: finding for finding in done.findings}
    width = max(len(say[key]) for key in ("ok", "failed"))
    for part in Part:
        finding = found.get(part)
        mark = say["unknown"] if finding is None else say["ok" if finding.ok else "failed"]
        name = say["no_key" if part is Part.KEY and not config.key else part.value]
        detail = "" if finding is None else _detail(config, done, finding, say)
        yield f"{mark:{width}} {name}{': ' + detail if detail else ''}"
    yield from (f"{'':{width}} {line}" for line in _remedy(done, found.get(Part.COORDINATES), say))
    usage = done.usage
    cost = say["cost"].format(usage=usage, each=usage.seconds / max(1, usage.calls), **usage.to_dict())
    yield f"{'':{width}} {cost}"


def _detail(config: LLMConfig, done: Check, finding: Finding, say: Words) -> str:
    said = _said(config, finding.detail)
    if finding.part is Part.PICTURES and done.words:
        return say["read" if not finding.detail else "not_read" if finding.ok else "blind"].format(said=said)
    if finding.part is not Part.COORDINATES:
        return said
    reading, off = done.reading, done.off
    if reading is None or off is None:
        return say["elsewhere"].format(said=_said(config, done.place))
    counting, order = say[reading.counting.value], say[reading.order.value]
    how = say["counted" if done.fitting else "beside"]
    counted = how.format(counting=counting, order=order, off=off, width=BUTTON.width, height=BUTTON.height)
    if not done.fitting:
        return counted
    agrees = say["as_profile" if finding.ok else "against"].format(profile=done.profile.name)
    return f"{counted}; {agrees}"


def _remedy(done: Check, coordinates: Finding | None, say: Words) -> Iterator[str]:
    if coordinates is not None and not coordinates.ok and done.reading is not None:
        first, *others = done.fitting or ("",)
        if not first:
            yield say["no_profile"]
        elif others:
            yield say["set_profile"].format(first=first, others="".join(f"{name}, " for name in others))
        else:
            yield say["set_profile_one"].format(first=first)
    elif coordinates is not None and coordinates.ok and not done.profile.conclusive:
        yield say["inconclusive"]


def _said(config: LLMConfig, text: str) -> str:
    """A model's or server's words on one line of bounded length, without the key."""
    return shown(config.key.scrub(" ".join(text.split())), _MOST_SHOWN)


MODEL_CHECK = Command(
    "model check", "Ask the configured model with a real picture what it can do.", Effect.READ, CheckParams, check
)
