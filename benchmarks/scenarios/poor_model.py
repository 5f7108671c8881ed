"""
A model server that plays a mediocre model: it sees the phone, and is right about half of the time.

Else it is busy, too slow, breaks off, refuses, rambles, puts prose around its JSON, or answers wrongly (see `poor_answers`).
What it does follows from its seed, the task and the number of the question, so that a run can be repeated.
"""

from __future__ import annotations

import threading
from random import Random
from typing import Final, Self

from handeye.devices import PhoneDevice
from handeye.models import LLMConfig
from handeye.models.budget import Limits
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply
from scenarios.poor_answers import Sight, right, written, wrong
from scenarios.tasks import Task

# Shares of the answers. Published scores of small open models for such questions are 0.3-0.7; the rest is what free servers do.
_RIGHT: Final = 0.45
_WRAPPED: Final = 0.10
_WRONG: Final = 0.27

PATIENCE_S: Final = 4.0
"""The client's time for one question with its retries: a server that does not answer costs so long each time."""

CALLS: Final = 40
"""Questions of one task; more than any task of the suite needs, so that a run that goes round in circles ends."""

_WRAPPINGS: Final = (
    ("Sure! Here is what you asked for:\n```json\n", "\n```\nLet me know if you need anything else."),
    ("<think>The user wants { something }. I should answer.</think>\n", ""),
    ("Answer: ", " (I am quite sure)"),
)
_MISHAPS: Final = (
    ScriptedReply("slow down", status=429, headers={"retry-after-ms": "50"}),
    ScriptedReply("slow down", status=429, headers={"retry-after": "3600"}),
    ScriptedReply("internal error", status=500),
    ScriptedReply("", delay=PATIENCE_S + 2),
    ScriptedReply('{"steps": [', cut="body"),
    ScriptedReply(cut="before"),
    ScriptedReply(""),
    ScriptedReply("I'm sorry, but I can't help with controlling devices.", ending="content_filter"),
    ScriptedReply("Well, first one would look for the icon, which is usually at 12, 34 or so, and then tap it."),
    ScriptedReply('{"steps": [{"step": 1, "action": "tap", "target_', ending="length"),
    ScriptedReply('{"found": true, "xmin": "left", "steps": "none", "answer": 7, "mark": {}}'),
)


class PoorModel:
    """Runs from `with` to its end. `config` is how it is asked; `task` is the one for which it may know a good plan."""

    def __init__(self, seed: int, task: Task, device: PhoneDevice) -> None:
        self._seed, self._task, self._device = seed, task, device
        self._asked = 0
        self._lock = threading.Lock()
        self._server = ModelServer(self._answer)

    @property
    def config(self) -> LLMConfig:
        return LLMConfig.custom(
            "", self._server.base_url, "poor-vl", profile="generic", timeout=PATIENCE_S, limits=Limits(calls=CALLS)
        )

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._server.__exit__(*raised)

    def _answer(self, asked: ModelRequest) -> ScriptedReply:
        with self._lock:
            self._asked += 1
            chance = Random(f"{self._seed}/{self._task.name}/{self._asked}")
        mood = chance.random()
        if mood > _RIGHT + _WRAPPED + _WRONG:
            return chance.choice(_MISHAPS)
        sight = self._device.phone.call(lambda model: Sight.of(self._task.name, model))
        if mood > _RIGHT + _WRAPPED:
            return ScriptedReply(written(wrong(sight, asked, chance)))
        before, after = chance.choice(_WRAPPINGS) if mood > _RIGHT else ("", "")
        return ScriptedReply(f"{before}{written(right(sight, asked, chance))}{after}")
