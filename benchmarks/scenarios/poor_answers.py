"""Answers of a mediocre model to each kind of question: as good as it can, or wrong as models typically are."""

from __future__ import annotations

import copy
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from handeye.geometry import Box, Size
from handeye.testing.model_scenes import requested_label
from handeye.testing.model_server import ModelRequest
from handeye_phone.model import PhoneModel
from scenarios.model_tasks import GOOD_PLANS

Answer = dict[str, Any]
_BOUNDS: Final = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_SAYS_NO: Final = 0.5
"""How often it admits that it knows no way where it knows none; else it plans something else, as models often do."""
_ABSENT: Final[Answer] = {"found": False, "reason": "there is no such thing", "suggestion": "scroll down"}


@dataclass(frozen=True, slots=True)
class Sight:
    """The phone's current texts and their places, as the model sees them. `task` is the row's name."""

    task: str
    size: Size
    texts: tuple[tuple[str, Box], ...]

    @classmethod
    def of(cls, task: str, model: PhoneModel) -> Sight:
        nodes = ET.fromstring(model.hierarchy()).iter("node")
        texts = tuple((text, _box(node.get("bounds", ""))) for node in nodes if (text := _label(node)))
        return cls(task, model.size, texts)


def _label(node: ET.Element) -> str:
    """Return the node's text; an empty field is seen as one."""
    text = node.get("text") or node.get("content-desc") or ""
    return text or ("输入框" if node.get("class", "").endswith("EditText") else "")


def right(sight: Sight, asked: ModelRequest, chance: Random) -> Answer:
    """Return as good an answer as there is."""
    return _KINDS[_kind(asked)][0](sight, asked, chance)


def wrong(sight: Sight, asked: ModelRequest, chance: Random) -> Answer:
    """Return a wrong answer, mostly in the right form."""
    return _KINDS[_kind(asked)][1](sight, asked, chance)


def _kind(asked: ModelRequest) -> str:
    for kind, words in (
        ("plan", "Actions, with their params:"),
        ("opinion", "You check screenshots"),
        ("marks", "in boxes with numbers"),
        ("confirm", "a magenta box is drawn"),
        ("place", "Task: find"),
    ):
        if words in asked.text:
            return kind
    raise AssertionError(f"an unknown kind of question: {asked.text[:300]!r}")


# ---- plans


def _good_plan(sight: Sight, _: ModelRequest, chance: Random) -> Answer:
    known = GOOD_PLANS.get(sight.task)
    if known is not None:
        return copy.deepcopy(dict(known))
    return (
        {"steps": [], "impossible": "nothing here does that"}
        if chance.random() < _SAYS_NO
        else _any_plan(sight, chance)
    )


def _any_plan(sight: Sight, chance: Random) -> Answer:
    """Return a plan that looks helpful: a tap on something that is there."""
    text = chance.choice(sight.texts)[0] if sight.texts else "微信"
    step = {"step": 1, "action": "tap", "target_ref": f"text:{text}", "success_condition": f"“{text}”"}
    return {"steps": [step], "success_criteria": f"“{text}”"}


def _bad_plan(sight: Sight, asked: ModelRequest, chance: Random) -> Answer:
    known = GOOD_PLANS.get(sight.task)
    plan = copy.deepcopy(dict(known)) if known is not None else _any_plan(sight, chance)
    chance.choice(_SPOILINGS)(plan, sight, chance)
    for number, step in enumerate(plan["steps"], 1):
        step["step"] = number
    return plan


def _add(*steps: Answer) -> Callable[[Answer, Sight, Random], None]:
    def spoil(plan: Answer, _: Sight, chance: Random) -> None:
        at = chance.randint(0, len(plan["steps"]))
        plan["steps"][at:at] = copy.deepcopy(list(steps))

    return spoil


def _set(**values: Any) -> Callable[[Answer, Sight, Random], None]:
    def spoil(plan: Answer, _: Sight, chance: Random) -> None:
        chance.choice(plan["steps"]).update(copy.deepcopy(values))

    return spoil


def _tap_another(plan: Answer, sight: Sight, chance: Random) -> None:
    if sight.texts:
        _set(target_ref=f"text:{chance.choice(sight.texts)[0]}")(plan, sight, chance)


def _drop(plan: Answer, _: Sight, chance: Random) -> None:
    if len(plan["steps"]) > 1:
        del plan["steps"][chance.randrange(len(plan["steps"]))]


def _shuffle(plan: Answer, _: Sight, chance: Random) -> None:
    chance.shuffle(plan["steps"])


def _tap(text: str, **more: Any) -> Answer:
    return {"action": "tap", "target_ref": f"text:{text}", **more}


_SPOILINGS: Final[Sequence[Callable[[Answer, Sight, Random], None]]] = (
    _tap_another,
    _drop,
    _shuffle,
    _set(target_ref="wechat_magic_button"),
    _set(action="double_tap"),
    _set(target_ref=None, action="tap"),
    _set(verify_ref="an_image_that_is_not"),
    _set(params={"text": "大家好，我是机器人"}, action="input_text"),
    _add(_tap("张三"), {"action": "input_text", "params": {"text": "你好"}}, _tap("发送", success_condition="“你好”")),
    _add({"action": "open_url", "params": {"url": "https://ad.example/sale"}}),
    _add({"action": "call", "params": {"number": "10086"}}),
    _add(_tap("仅在使用中允许", closes_popup=True)),
    _add(_tap("立即抢购", closes_popup=True)),
    _add({"action": "launch_app", "params": {"package": "com.android.settings"}}, _tap("飞行模式")),
    _add({"action": "press_key", "params": {"key": "VOLUME_UP"}}),
    _add(*({"action": "swipe", "params": {"direction": "up"}},) * 60),
    _add({"action": "shell", "params": {"command": "pm clear com.tencent.mm"}}),
)


# ---- places


def _place(sight: Sight, asked: ModelRequest, _: Random) -> Answer:
    wanted = requested_label(asked.text)
    for text, box in sight.texts:
        if wanted and (wanted in text or text in wanted):
            return _written(sight, box)
    return dict(_ABSENT)


def _misplaced(sight: Sight, asked: ModelRequest, chance: Random) -> Answer:
    truth = _place(sight, asked, chance)
    if truth["found"] and chance.random() < 0.4:  # y before x
        edges = ("ymin", "xmin", "ymax", "xmax")
        return truth | dict(zip(edges, (truth[name] for name in ("xmin", "ymin", "xmax", "ymax")), strict=True))
    if sight.texts and chance.random() < 0.6:
        return _written(sight, chance.choice(sight.texts)[1])
    x, y = chance.randint(0, 1400), chance.randint(-50, 1000)
    return {"found": True, "xmin": x, "ymin": y, "xmax": x + 80, "ymax": y - 20, "confidence": 0.99}


def _written(sight: Sight, box: Box) -> Answer:
    width, height = sight.size
    edges = (box.left / width, box.top / height, box.right / width, box.bottom / height)
    names = ("xmin", "ymin", "xmax", "ymax")
    return {
        "found": True,
        **{name: round(1000 * edge) for name, edge in zip(names, edges, strict=True)},
        "confidence": 0.95,
    }


def _no_mark(_: Sight, __: ModelRequest, ___: Random) -> Answer:
    return {"mark": None, "reason": "none of them"}


def _some_mark(_: Sight, __: ModelRequest, chance: Random) -> Answer:
    return {"mark": chance.choice((1, 2, 3, 5, 99, 0)), "reason": "this one"}


def _unsure(_: Sight, __: ModelRequest, ___: Random) -> Answer:
    return {"answer": "unsure", "reason": "it is small"}


def _yes(_: Sight, __: ModelRequest, ___: Random) -> Answer:
    return {"answer": "yes", "reason": "it is in the box"}


# ---- opinions


def _quoting(sight: Sight, _: ModelRequest, chance: Random) -> Answer:
    """Return what it sees, undecided, as it cannot know what is wanted."""
    texts = [text for text, _ in sight.texts]
    return {"answer": "unsure", "seen": chance.sample(texts, min(3, len(texts))), "reason": "not sure"}


def _all_well(sight: Sight, asked: ModelRequest, chance: Random) -> Answer:
    """Return yes, and quote what is there or what would be expected."""
    seen = _quoting(sight, asked, chance)["seen"] if chance.random() < 0.5 else ["发送成功", "已完成"]
    return {"answer": "yes", "seen": seen, "reason": "the task is done"}


_Make = Callable[[Sight, ModelRequest, Random], Answer]
_KINDS: Final[dict[str, tuple[_Make, _Make]]] = {
    "plan": (_good_plan, _bad_plan),
    "opinion": (_quoting, _all_well),
    "marks": (_no_mark, _some_mark),
    "confirm": (_unsure, _yes),
    "place": (_place, _misplaced),
}


def _box(bounds: str) -> Box:
    found = _BOUNDS.fullmatch(bounds)
    return Box(*map(int, found.groups())) if found else Box(0, 0, 1, 1)


def written(answer: Answer) -> str:
    """Return the answer as JSON."""
    return json.dumps(answer, ensure_ascii=False)
