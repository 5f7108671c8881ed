"""
Tier 1+ of docs/spec/perception-tiers.md: parts inferred from a window's structure, added to what its application reports.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Final

from handeye.clock import Clock, Deadline, SystemClock
from handeye.devices import Window
from handeye.elements import UIElement
from handeye.errors import ConfigError, MissingPart, ModelError
from handeye.models import ChatModel
from handeye.perceive.base import Detection, WindowProvider
from handeye.perceive.element_format import numbered
from handeye.perceive.structure.derivation import LEAST_CONFIDENCE, Inference
from handeye.perceive.structure.layout import Layout
from handeye.perceive.structure.model import ask_for_parts
from handeye.perceive.structure.panes import pane_parts
from handeye.perceive.structure.tables import table_parts
from handeye.usage import Usage

MODEL_DEADLINE_S: Final = 20.0
"""
docs/spec/perception-tiers.md gives a model 0.5-1.5 s. After twenty the call is abandoned: the rules' parts are there
anyway.
"""


class StructuralInferenceProvider:
    """
    A WindowProvider that adds inferred parts to those of `provider`: borders of columns and rows, splitters, resize
    handles, panel grips.

    Rules find them from rectangles alone, free and exactly. A `model`, if given, is asked in text for further parts; those
    with a confidence below 0.7, or whose rectangle does not follow from other elements, are dropped. A model that fails
    becomes a note. `usage` is its cost so far.
    """

    def __init__(
        self,
        provider: WindowProvider,
        model: ChatModel | None = None,
        *,
        deadline_s: float = MODEL_DEADLINE_S,
        clock: Clock | None = None,
    ) -> None:
        self._provider = provider
        self._model = model
        self._deadline_s = deadline_s
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._usage = Usage()

    @property
    def name(self) -> str:
        return f"{self._provider.name}+structure"

    @property
    def usage(self) -> Usage:
        return self._usage

    def detect(self, window: Window) -> Detection:
        """
        Return the targets of `provider` with their controls, followed by the inferred parts without controls. An unnamed
        handle appears only as the part that it was inferred to be. Raises what `provider` raises.
        """
        base = self._provider.detect(window)
        targets = numbered(base.targets)
        parts = list(infer(targets))
        notes = list(base.notes)
        handles = _replaced_handles(targets, parts)
        listed = tuple(each for each in targets if each.id not in handles)
        if self._model is not None:
            added, model_notes = self._ask(self._model, listed, parts)
            parts += added
            notes += model_notes
        inferred = (part.element(number) for number, part in enumerate(parts, len(targets) + 1))
        kept = [control for each, control in zip(targets, base.controls, strict=True) if each.id not in handles]
        return Detection(numbered((*listed, *inferred)), (*kept, *(None for _ in parts)), tuple(notes))

    def _ask(
        self, model: ChatModel, targets: tuple[UIElement, ...], known: list[Inference]
    ) -> tuple[tuple[Inference, ...], tuple[str, ...]]:
        try:
            answer = ask_for_parts(model, targets, known, deadline=Deadline(self._clock, self._deadline_s))
        except (ModelError, ConfigError, MissingPart) as error:
            self._spend(getattr(error, "usage", None) or Usage())
            return (), (f"the model could not be asked for more parts: {error}",)
        self._spend(answer.usage)
        return answer.parts, answer.notes

    def _spend(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage


def infer(targets: tuple[UIElement, ...]) -> tuple[Inference, ...]:
    """Return the parts that the rules infer from `targets`, elements with ids and boxes in desktop pixels."""
    layout = Layout(targets)
    found = (*table_parts(layout), *pane_parts(layout))
    return tuple(part for part in found if part.confidence >= LEAST_CONFIDENCE)


def _replaced_handles(targets: Iterable[UIElement], parts: Iterable[Inference]) -> set[int]:
    """
    Return the ids of handles that are listed as an inferred part instead, except those that another element refers to.
    """
    handles = {number for part in parts for number in part.instead_of}
    return handles - {anchor for part in parts for anchor in part.anchors} - {each.parent for each in targets}
