"""`handeye model check`: test the configured model with one real picture."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from handeye.commands.base import Context, ExitCode, Outcome
from handeye.errors import ConfigError
from handeye.models import (
    BUTTON,
    NOT_CONFIGURED,
    Check,
    Finding,
    LLMConfig,
    Part,
    check_model,
    configuration,
    open_model,
    profile_to_use,
    unselected_vendor_keys,
)
from handeye.visible import shown

# Messages of `handeye model check`, in English and Chinese.

Words = Mapping[str, str]

ENGLISH: Final[Words] = {
    "ok": "ok",
    "failed": "FAILED",
    "unknown": "-",
    "reachable": "reachable",
    "key": "accepts the key",
    "no_key": "works without a key",
    "pictures": "sees pictures",
    "answer": "answers in a form that can be read",
    "coordinates": "says where things are",
    "model": "{model} at {address}, as the family {profile}",
    "read": "it read the word on a new picture",
    "not_read": "it found a button on a new picture, but read its word as {said!r}",
    "blind": "it did not read the word on the picture, and found nothing there: {said!r}",
    "counted": "{counting}, {order}, {off:.0f} px from the middle of a button of {width} x {height} px",
    "elsewhere": "its place is not the button, by any reading: {said!r}",
    "beside": "{counting}, {order}, but {off:.0f} px from the middle of a button of {width} x {height} px: beside it",
    "as_profile": "as the profile says",
    "against": "the profile {profile} reads it otherwise",
    "set_profile": "set LLM_PROFILE={first} ({others}these profiles read this answer right), and check again",
    "set_profile_one": "set LLM_PROFILE={first}, whose profile reads this answer right, and check again",
    "no_profile": "no profile makes this a hit; choose another model",
    "inconclusive": "what is known of this family is not certain; this check is what counts",
    "cost": "{usage}, {each:.1f} s a call",
    "0-1": "0-1",
    "0-100": "percent",
    "0-1000": "0-1000",
    "pixels of the picture sent": "pixels of the picture sent",
    "pixels of the whole frame": "pixels of the whole frame, which it was not shown",
    "x first": "x first",
    "y first": "y first",
}
CHINESE: Final[Words] = {
    "ok": "正常",
    "failed": "失败",
    "unknown": "-",
    "reachable": "可以连接",
    "key": "接受密钥",
    "no_key": "无需密钥即可使用",
    "pictures": "能看图",
    "answer": "回答可以读懂",
    "coordinates": "能说出位置",
    "model": "{model}，地址 {address}，按 {profile} 系列",
    "read": "读出了新图上的单词",
    "not_read": "找到了新图上的按钮，但把单词读成了 {said!r}",
    "blind": "没有读出图上的单词，也没有找到任何东西：{said!r}",
    "counted": "{counting}，{order}，距 {width} x {height} 像素按钮的中心 {off:.0f} 像素",
    "elsewhere": "无论怎样解读，它说的位置都不是那个按钮：{said!r}",
    "beside": "{counting}，{order}，但距 {width} x {height} 像素按钮的中心 {off:.0f} 像素：点在了旁边",
    "as_profile": "与配置一致",
    "against": "配置 {profile} 的解读与此不同",
    "set_profile": "请设置 LLM_PROFILE={first}（{others}这些配置能正确解读），然后再次检查",
    "set_profile_one": "请设置 LLM_PROFILE={first}（能正确解读），然后再次检查",
    "no_profile": "没有任何配置能让它命中，请换一个模型",
    "inconclusive": "该系列的资料并不确定，以本次检查为准",
    "cost": "{calls} 次调用，token 输入 {tokens_in} 输出 {tokens_out}，${cost:.4f}（{unpriced} 次无价格），每次 {each:.1f} 秒",
    "0-1": "0-1",
    "0-100": "百分比",
    "0-1000": "0-1000",
    "pixels of the picture sent": "所发图片的像素",
    "pixels of the whole frame": "整个画面的像素（它并未看到）",
    "x first": "x 在前",
    "y first": "y 在前",
}


def words() -> Words:
    """Return the Chinese words if HANDEYE_LANG begins with "zh": there is no task whose language could be taken."""
    return CHINESE if os.environ.get("HANDEYE_LANG", "").lower().startswith("zh") else ENGLISH


_MOST_SHOWN: Final = 400  # characters of an answer, or of a server's complaint


class CheckParams(BaseModel):
    """Parameters of `model check`."""

    model: str | None = Field(None, min_length=1, description="Another model than the one that is configured.")
    preset: str | None = Field(None, min_length=1, description="Another provider: claude, qwen, ollama ...")
    profile: str | None = Field(None, min_length=1, description="Another family's way of writing coordinates.")
    role: Literal["locator", "verifier", "planner"] = Field(
        "locator", description="Which of the configured models: locator, verifier, planner."
    )


def check(params: CheckParams, context: Context) -> Outcome:
    """
    Ask for a word and for a place on a new picture; the exit code is 0 only when everything is as the profile says. Raises
    ConfigError when no model is configured, UsageError for a profile that does not exist.
    """
    config = configuration(params.model, params.preset)
    if config is None and (waiting := unselected_vendor_keys()) is not None:
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
    """Return the check for machines. Answers of the model are shortened, and the key is removed from them."""
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
    """Return a model's or server's text on one line of bounded length, without the key."""
    return shown(config.key.scrub(" ".join(text.split())), _MOST_SHOWN)
