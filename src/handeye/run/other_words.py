"""Acting on what was found by other words than its label: what it takes, and what must be seen there."""

from __future__ import annotations

from typing import Final

from handeye.elements import UIElement
from handeye.locate.icon_words import id_tokens
from handeye.plan.base import ActionName, StepPlan
from handeye.plan.words import named_acts
from handeye.run.once import is_final
from handeye.run.task_check import words_at
from handeye.run.tools import Tools
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.verify.base import VerifyResult
from handeye.visible import shown

LEAST_FOR_GOOD: Final = 0.95
"""Probability from which on an act that cannot be taken back is carried out on what was found by other words."""
_RANKER: Final = "ranker"
_FIELD: Final = "input"
_MOST_OF_LABEL: Final = 80


def is_by_other_words(located: LocateResult) -> bool:
    """Return True if the ranker has found it: its label may be another one, and its confidence is a probability."""
    return located.method_used == _RANKER


def is_sure_for_good(located: LocateResult) -> bool:
    """Return True if what was found is sure enough for an act that cannot be taken back."""
    element = located.element
    return element is not None and (not is_by_other_words(located) or element.confidence >= LEAST_FOR_GOOD)


def against_other_words(step: StepPlan, located: LocateResult, screen: Screen, tools: Tools) -> VerifyResult | None:
    """
    Return what speaks against the step's act on what was found by other words: it cannot be taken back, by the words of the
    step or by those that stand there, and is not probable enough for that. None for other finds, and for steps that touch
    nothing. Raises OcrFailed, or a DeviceError of the tree's device.
    """
    element = located.element
    touches = step.action.needs_target or step.action is ActionName.INPUT_TEXT
    if element is None or not touches or is_sure_for_good(located):
        return None
    words, names = _words_of(element, screen, tools)
    if not is_final(step) and not _is_final_by(words) and not _is_final_by(names):
        return None
    label = shown(words or names or element.element_type, _MOST_OF_LABEL)
    evidence = (
        f"{label!r} is what the words mean with a probability of {element.confidence:.2f} only, and what cannot be taken back "
        f"needs {LEAST_FOR_GOOD}: say its label"
    )
    return VerifyResult(False, LEAST_FOR_GOOD, matches_expected=False, evidence=(evidence,))


def as_found(target: Target, located: LocateResult) -> Target:
    """
    Return what must be seen where something was found: the target; its own text, where other words have found it, and no kind:
    the ranker has weighed that.
    """
    element = located.element
    if element is None or not is_by_other_words(located):
        return target
    own = _own_words(element)
    said = target.phrase or target.description or target.text
    return Target(text=own, region=target.region) if own else Target(description=said, region=target.region)


def _words_of(element: UIElement, screen: Screen, tools: Tools) -> tuple[str, str]:
    """What stands on the control, and its names: its drawing's and the program's. Nothing for a field, which holds content."""
    seen, role = words_at(element, element.center, screen, tools)
    if _FIELD in (role, element.element_type):
        return "", ""
    metadata = element.metadata
    names = [str(metadata.get("label", "")), *id_tokens(str(metadata.get("id", "")))]
    return seen or _own_words(element), " ".join(filter(None, names))


def _own_words(element: UIElement) -> str:
    """The words of an element; what parsers describe are remarks."""
    return element.text or (element.description if element.source == "accessibility" else "")


def _is_final_by(words: str) -> bool:
    """Return True if a control of these words does, or agrees to, what has consequences."""
    tap = StepPlan(1, ActionName.TAP, target=Target(text=words))
    return bool(words) and (any(named_acts(words)) or is_final(tap))
