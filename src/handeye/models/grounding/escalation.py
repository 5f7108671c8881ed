"""Escalation rules: the signs that an answer is doubtful, and the wrappers that each sign triggers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Final, Literal

from handeye.clock import Deadline
from handeye.errors import InvalidReply
from handeye.geometry import Size
from handeye.models.families.profile import GUESSES
from handeye.models.grounding.grounder import Grounder, Grounding, Question
from handeye.models.grounding.place_checks import grouped, same_place
from handeye.models.grounding.retry_on_parse_error import charge
from handeye.models.grounding.tree_agreement import TreeAgreement, agreement_at, is_shown_elsewhere
from handeye.usage import Usage

Use = Literal["off", "auto", "on"]
"""When a wrapper is used: never; when the rules of `AUTO` trigger it; always."""

Seen = Callable[[Size], Size]
"""Function that returns the size in pixels at which a model sees a picture of the given size."""

# Below this confidence the model itself is not sure (docs/spec/visual-locator.md: above 0.8 is "sure"). A higher one proves
# nothing: models state 0.95 for elements that do not exist.
SURE: Final = 0.8
# Side in pixels of a vision model's image patches: 28 (Qwen2.5-VL, UI-TARS, Holo), 32 (Qwen3-VL), 14 to 28 elsewhere. A smaller
# element is a part of one patch, and its place within it is guessed.
PIECE: Final = 28
# A point does not show the element's size. On a picture that is shrunk by more than this factor, the usual icon (24 to 72 px)
# is smaller than a patch.
SHRUNK: Final = 2.0


class Sign(Enum):
    """Evidence for or against an answer."""

    ABSENT = "the model sees no such thing"
    UNSURE = "the model is not sure, or a look before left a doubt"
    GUESSED = "nobody has said of which family or version the model is, which decides what its numbers count"
    UNSTATED = "the model does not say how sure it is"
    SMALL = "the thing is smaller than the pieces that the model sees"
    SHRUNK = "the picture was shown at less than half its size"
    SEVERAL = "several places were named, or some and then refused"
    CONTRADICTED = "what is read on the screen says otherwise"
    UNREAD = "a label was asked for, the screen was read, and the label is not read at the place"
    BACKED = "what was asked for is read at the place, or a wrapper has confirmed it"


# The signs that trigger each wrapper. The reasons:
# * zoom ..... gains where the element is small (ScreenSpot-Pro +5.5 points, iterated +10.7) and loses up to 0.7 points where it
#   is not; a first answer that is doubted or contradicted is mostly near the right place.
# * tiles .... as many calls as tiles: only for an element that was not found, or not with certainty, on a picture that was
#   shrunk a lot.
# * marks .... helps weak models (+29) and hurts strong ones (-7): only where the elements contradict the answer.
# * vote ..... +2 to +3 points at two or three times the cost: only for answers that are doubted.
# * verify ... one small picture; also where a model states no confidence, and where a label was requested but not read: stated
#   confidence is not calibrated. Where no model can verify, zoom replaces it: if the coordinate space is wrong, the crop's
#   answer names another place.
# * strong ... the stronger model, for answers that the first one left in doubt.
# Snapping costs no call, so that it has no row: it happens wherever elements are known. The figures are those of
# docs/grounding-with-models.md.
AUTO: Final[Mapping[str, frozenset[Sign]]] = MappingProxyType(
    {
        "zoom": frozenset({Sign.SMALL, Sign.UNSURE, Sign.CONTRADICTED}),
        "tiles": frozenset({Sign.ABSENT, Sign.UNSURE, Sign.CONTRADICTED}),
        "marks": frozenset({Sign.CONTRADICTED}),
        "vote": frozenset({Sign.UNSURE, Sign.SEVERAL, Sign.CONTRADICTED}),
        "verify": frozenset({Sign.UNSURE, Sign.GUESSED, Sign.UNSTATED, Sign.UNREAD, Sign.CONTRADICTED}),
        "strong": frozenset({Sign.UNSURE, Sign.GUESSED, Sign.SEVERAL, Sign.CONTRADICTED}),
    }
)
# Signs that a wrapper requires, in addition to one that triggers it.
NEEDED: Final[Mapping[str, frozenset[Sign]]] = MappingProxyType({"tiles": frozenset({Sign.SHRUNK})})


def is_triggered(wrapper: str, found: frozenset[Sign], *, also: str = "") -> bool:
    """
    Return True if `auto` uses that wrapper; `also` names a disabled wrapper that it replaces. A confirmed answer
    triggers none, unless the text on the screen contradicts it: a model that repeats itself is no proof against a text.
    """
    if Sign.BACKED in found and Sign.CONTRADICTED not in found:
        return False
    return bool((AUTO[wrapper] | AUTO.get(also, frozenset())) & found) and NEEDED.get(wrapper, frozenset()) <= found


def same_size(size: Size) -> Size:
    """Return `size`: a model that sees every picture at full size."""
    return size


def signs(question: Question, grounding: Grounding, seen: Seen = same_size) -> frozenset[Sign]:
    """Return the signs for and against the best place of an answer."""
    found: set[Sign] = set()
    looked_at = question.within.clip(question.screen.size) if question.within else question.screen.box
    shown = seen(Size(looked_at.width, looked_at.height))
    shrunk = max(1.0, looked_at.width / shown.width, looked_at.height / shown.height)
    if shrunk > SHRUNK:
        found.add(Sign.SHRUNK)
    if not grounding.places:
        found.add(Sign.ABSENT)
        if grounding.candidates:
            found.add(Sign.SEVERAL)
        if is_shown_elsewhere(question.state, None, question.label):
            found.add(Sign.CONTRADICTED)
        return frozenset(found)
    best = grounding.places[0]
    if len(grounding.places) > 1:
        found.add(Sign.SEVERAL)
    if best.confidence is None:
        found.add(Sign.UNSTATED)
    if not GUESSES.isdisjoint(best.doubts):
        found.add(Sign.GUESSED)  # asking the same question again does not help: it is parsed in the same way
    if set(best.doubts) - GUESSES or (best.confidence is not None and best.confidence < SURE):
        found.add(Sign.UNSURE)
    if best.is_point:
        if shrunk > SHRUNK:
            found.add(Sign.SMALL)
    elif min(best.box.width, best.box.height) < PIECE * shrunk:
        found.add(Sign.SMALL)
    says = agreement_at(question.state, best.box, question.label, is_point=best.is_point)
    if (says is TreeAgreement.SAME or best.confirmed_by) and len(grounding.places) == 1:
        found.add(Sign.BACKED)
    elif says is not TreeAgreement.SAME and question.state is not None and question.label:
        found.add(Sign.UNREAD)
    if says is TreeAgreement.OTHER or (
        says is TreeAgreement.OPEN and is_shown_elsewhere(question.state, best.box, question.label)
    ):
        found.add(Sign.CONTRADICTED)
    return frozenset(found)


# Fallback to a stronger model when the first one is in doubt.


def ask_fallback_model(grounder: Grounder, strong: Grounder, *, when: Use = "auto", seen: Seen = same_size) -> Grounder:
    """
    Wrap `grounder`: ask `strong` when the answer of `grounder` is doubtful or cannot be parsed. Costs what `strong`
    costs.

    If both name the same single place, it is confirmed ("second model"). If they differ, the stronger model's answer is
    taken: the first one's place becomes a candidate, and there is no place when the stronger model sees none.
    """
    return grounder if when == "off" else _FallbackModel(grounder, strong, when, seen)


@dataclass(frozen=True, slots=True)
class _FallbackModel:
    grounder: Grounder
    strong: Grounder
    when: Literal["auto", "on"]
    seen: Seen

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        try:
            first = self.grounder.ground(question, deadline)
        except InvalidReply as error:
            note = f"the first model's answer could not be read: {error.problem}"
            first = Grounding(usage=error.usage or Usage(), notes=(note,))
        else:
            if self.when == "auto" and not is_triggered("strong", signs(question, first, self.seen)):
                return first
        try:
            second = self.strong.ground(question, deadline)
        except InvalidReply as error:
            charge(error, first.usage)
            if not first.places:
                raise
            return _with_doubt(first, error)
        usage, notes = first.usage + second.usage, (*first.notes, *second.notes)
        area = (question.within or question.screen.box).clip(question.screen.size)
        rivals = (*first.candidates, *second.candidates, *first.places)
        if not second.places:
            said = "the stronger model sees no such thing"
            return replace(second, usage=usage, notes=(*notes, said), candidates=rivals)
        best = second.places[0]
        others = tuple(place for place in rivals if not same_place(place, best, area))
        if len(grouped(first.places, area)) == len(second.places) == 1 and same_place(best, first.places[0], area):
            agreed = replace(best, confirmed_by=(*best.confirmed_by, "second model"))
            said = "a stronger model names the same place"
            return replace(second, places=(agreed,), usage=usage, notes=(*notes, said), candidates=others)
        return replace(second, usage=usage, notes=(*notes, "the stronger model's answer"), candidates=others)


def _with_doubt(first: Grounding, error: InvalidReply) -> Grounding:
    """Return the first answer with a further doubt, because the stronger model's answer could not be parsed."""
    doubt = f"the stronger model's answer could not be read: {error.problem}"
    best = replace(first.places[0], doubts=(*first.places[0].doubts, doubt))
    return replace(first, places=(best, *first.places[1:]), usage=error.usage or first.usage)
