"""Question, answer and protocol of visual grounding: finding one element on a picture with a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from handeye.clock import Deadline
from handeye.elements import UIElement, UIState
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.usage import Usage


@dataclass(frozen=True, slots=True)
class Question:
    """
    The element to find on `screen`: `words` (a label, a description) or `reference` (a picture of it), or both.

    `role` is the kind of control and `context` information about the screen, both only for the prompt. `state` holds
    the elements that are known already (tree, OCR). `within` limits the search to a part of the frame, in pixels.
    `label` is the element's own text, where it is known: the text that is read at a place can then confirm or
    contradict it. With `enlarge`, a small part may be magnified. `candidates` are the elements that a ranker has
    scored, the most probable first: their `confidence` is the probability (0-1) that each is meant; the remainder to 1
    is the probability of all others and of none.
    """

    screen: Screen
    words: str = ""
    reference: Image.Image | None = None
    role: str | None = None
    context: str = ""
    state: UIState | None = None
    within: Box | None = None
    label: str = ""
    enlarge: bool = True
    candidates: tuple[UIElement, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """
    A place that a model named, in pixels of the frame.

    `confidence` is 0-1; None when the model stated none. `is_point` marks a small box made around a single point: only
    its centre comes from the model. `label` is the model's name for it.

    `element` is the known element at this place. `confirmed_by` names what confirms the place apart from the model's
    own answer ("text", "verify", "vote"), `doubts` lists what contradicts it.
    """

    box: Box
    confidence: float | None = None
    is_point: bool = False
    label: str = ""
    element: UIElement | None = None
    confirmed_by: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounding:
    """
    The places of the element: the best first, none when the model does not see it (then `reason` is why, and
    `suggestion` what to do about it, in its words). `notes` list what was done to verify it: zoomed, snapped, voted.
    `candidates` are places that were named and then rejected: they are never acted on, but a person may choose one.
    """

    places: tuple[Place, ...] = ()
    reason: str = ""
    suggestion: str = ""
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    candidates: tuple[Place, ...] = ()


class Grounder(Protocol):
    """
    Answers grounding questions. Raises ModelError when the model could not be asked and InvalidReply when its answer
    cannot be parsed: no click ever results from a reply that could not be parsed.
    """

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding: ...
