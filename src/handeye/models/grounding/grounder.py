"""Finding one thing on one picture with a model: the question, the answer, and who answers it."""

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
    The thing to find on `screen`: `words` (a label, a description) or `reference` (a picture of it), or both.

    `role` is the kind of control and `context` what is known about the screen, both for the prompt only. `state` holds the
    elements that are known already (tree, OCR). `within` limits the search to a part of the frame, in pixels. `label` is the
    text that stands on the thing, where that is known: what is read at a place can then bear it out or contradict it. A small
    part may be shown larger than it is, with `enlarge`. `candidates` are the elements that a ranker has weighed, the most
    probable first: their `confidence` is the probability (0-1) that each is meant; what is missing to 1 is that of all others
    and of none.
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

    `confidence` is 0-1; None when the model said none. `is_point` marks a small box made around a single point: its middle is
    what was said, its sides mean nothing. `label` is what the model calls it.

    `element` is what is known to stand there. `confirmed_by` names what bears the place out beside the model's own word
    ("text", "verify", "vote"), `doubts` says what speaks against it.
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
    The places of the thing: the best first, none when the model sees no such thing (`reason` says why, `suggestion` what to
    do about it, in its words). `notes` tell what was done to be sure: zoomed, snapped, voted. `candidates` are places that
    were named and then refused: nobody acts on them, a person may choose.
    """

    places: tuple[Place, ...] = ()
    reason: str = ""
    suggestion: str = ""
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    candidates: tuple[Place, ...] = ()


class Grounder(Protocol):
    """
    Answers questions. Raises ModelError when it could not be asked and InvalidReply when its answer cannot be read: nothing
    is ever clicked from a reply that could not be read.
    """

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding: ...
