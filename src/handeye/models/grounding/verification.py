"""Verification: ask a model whether the outlined element is the requested one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Literal

from PIL import Image, ImageDraw

from handeye.clock import Deadline
from handeye.errors import InvalidReply
from handeye.geometry import Box
from handeye.models.chat import ChatModel
from handeye.models.grounding.escalation import Seen, Use, is_triggered, same_size, signs
from handeye.models.grounding.grounder import Grounder, Grounding, Place, Question
from handeye.models.grounding.prompts import encoded, verify_prompt
from handeye.models.grounding.retry_on_parse_error import ask_until_read
from handeye.models.reply.denials import without_quotes
from handeye.models.reply.short import bare, short_object
from handeye.screen import Screen
from handeye.usage import Usage

# Pixels of the frame that are shown around the box, and the least size of the crop: the context decides what an element is.
ROOM: Final = 160
LEAST_SHOWN: Final = 480
# Longer side of the crop in pixels, shrunk if it is longer: every family accepts this size without resizing.
MOST_SHOWN: Final = 1024
OUTLINE: Final = (255, 0, 200)  # a colour that hardly any page has
_HALO: Final = (255, 255, 255)
_STROKE: Final = 3

# Most places to ask about. Several places are mostly two or three; a model that lists more has not found a specific element.
MOST_PLACES: Final = 4
# Least confidence of a yes or no; below it the model itself considers its answer more likely wrong than right.
LEAST_SURE: Final = 0.5
_ANSWERS: Final = frozenset({"answer", "reason", "confidence"})


class Verdict(Enum):
    """Answer to "is this it?"."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


_WORDS: Final = {
    **dict.fromkeys(("yes", "true", "是", "是的", "对"), Verdict.YES),
    **dict.fromkeys(("no", "false", "否", "不是", "不"), Verdict.NO),
    **dict.fromkeys(("unsure", "not sure", "uncertain", "unknown", "不确定"), Verdict.UNSURE),
}

_SURE_WORDS: Final = frozenset({"high", "very high", "certain", "sure", "高", "很高"})
# "It is not the Save button", "does not match", "looks like another one". Deliberately broad: a yes that counts as unsure loses
# a correct place, but a wrong yes causes a wrong click.
_DENIAL: Final = re.compile(
    r"\b(?:is|are|was|does|do|did|can)(?: not|n't)\b|\bcannot\b|\bnot (?:it|the|a|an|what|this|that|match\w*)\b"
    r"|\bno (?:such|match)|\bnone of\b|\bnothing\b|\b(?:something|somewhere) else\b|\banother\b|\bdifferent\b|\bwrong\b"
    r"|\b(?:instead|rather than)\b|不是|并非|不符|不匹配|没有|错误"
)


def verify(grounder: Grounder, model: ChatModel, *, when: Use = "on", seen: Seen = same_size) -> Grounder:
    """
    Wrap `grounder`: show `model` a place with a box drawn around it and ask "is this the …?". Costs one call with a
    small picture (two when its answer cannot be parsed) for each place, for at most `MOST_PLACES` and until two are
    confirmed; none for "not here".

    "No" makes the place a candidate. "Unsure" adds a doubt, and so does a second answer that cannot be parsed. "Yes"
    confirms the place ("verify") when it is the only one left; of two Save buttons each is "Save", and both stay.
    """
    return grounder if when == "off" else _Verify(grounder, model, when, seen)


@dataclass(frozen=True, slots=True)
class _Verify:
    grounder: Grounder
    model: ChatModel
    when: Literal["auto", "on"]
    seen: Seen

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        answer = self.grounder.ground(question, deadline)
        if not answer.places or (
            self.when == "auto" and not is_triggered("verify", signs(question, answer, self.seen))
        ):
            return answer
        asked: list[tuple[Place, Verdict, str]] = []
        for place in answer.places[:MOST_PLACES]:
            verdict, reason, usage = self._ask(question, place, deadline)
            answer = replace(answer, usage=answer.usage + usage)
            asked.append((place, verdict, reason))
            if [each for _place, each, _reason in asked].count(Verdict.YES) > 1:
                break  # a single place can no longer result
        return _apply_verdicts(answer, asked)

    def _ask(self, question: Question, place: Place, deadline: Deadline | None) -> tuple[Verdict, str, Usage]:
        picture = encoded(boxed(question.screen, place.box))
        try:
            (verdict, reason), usage = ask_until_read(
                self.model, lambda problem: verify_prompt(question, picture, problem), read_verdict, deadline
            )
        except InvalidReply as error:
            return Verdict.UNSURE, error.problem, error.usage or Usage()
        return verdict, reason, usage


def boxed(screen: Screen, box: Box) -> Image.Image:
    """Return the part of the frame around `box`, with the box drawn just outside of its content."""
    shown = _around(box, screen)
    part = screen.image.crop(shown)
    scale = min(1.0, MOST_SHOWN / max(part.size))
    if scale < 1:
        part = part.resize(
            (max(1, round(part.width * scale)), max(1, round(part.height * scale))), Image.Resampling.BOX
        )
    inner = box.translate(-shown.left, -shown.top)
    left, top, right, bottom = (round(edge * scale) for edge in inner)
    pen = ImageDraw.Draw(part)
    for grow, colour, width in ((_STROKE + 2, _HALO, _STROKE + 2), (_STROKE + 1, OUTLINE, _STROKE)):
        pen.rectangle((left - grow, top - grow, right - 1 + grow, bottom - 1 + grow), outline=colour, width=width)
    return part


def _around(box: Box, screen: Screen) -> Box:
    x, y = box.center
    half_x = max(box.width // 2 + ROOM, LEAST_SHOWN // 2)
    half_y = max(box.height // 2 + ROOM, LEAST_SHOWN // 2)
    return Box(x - half_x, y - half_y, x + half_x, y + half_y).clip(screen.size)


def read_verdict(reply: str) -> tuple[Verdict, str]:
    """
    Return the verdict and its reason, from {"answer": "yes", "reason": …} or the bare word. Raises InvalidReply for
    anything else.

    A yes or no with a confidence below `LEAST_SURE` is unsure, and so is a yes whose reason contradicts it.
    """
    data = short_object(reply, _ANSWERS)
    answer = data.get("answer") if data is not None else bare(reply)
    if isinstance(answer, bool):
        answer = "yes" if answer else "no"
    verdict = _WORDS.get(answer.strip(" .。!！\"'\n").casefold()) if isinstance(answer, str) else None
    if verdict is None:
        raise InvalidReply('it is neither "yes" nor "no" nor "unsure"', reply)
    said = data.get("reason") if data is not None else ""
    reason = said[:200] if isinstance(said, str) else ""
    hesitant = data is not None and not _is_confident(data.get("confidence"))
    if hesitant or (verdict is Verdict.YES and isinstance(said, str) and _denies(said)):
        verdict = Verdict.UNSURE
    return verdict, reason


def _is_confident(confidence: object) -> bool:
    """
    Return True if a stated confidence is high enough. None counts as high enough; a value that is no confidence does
    not.
    """
    if confidence is None:
        return True
    if isinstance(confidence, str):
        said = confidence.strip().casefold()
        if said in _SURE_WORDS:
            return True
        try:
            confidence = float(said.removesuffix("%")) / (100 if said.endswith("%") else 1)
        except ValueError:
            return False
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        return False
    # Models also write 90 and 90 % for 0.9. More than 1 counts as percent, so that 5 is low, even if it meant 5 of 5.
    share = confidence / 100 if confidence > 1 else confidence
    return LEAST_SURE <= share <= 1


def _denies(reason: str) -> bool:
    """Return True if the reason for a yes contains a denial, outside of quotations ("not now", a label)."""
    return bool(_DENIAL.search(without_quotes(reason).casefold()))


def _apply_verdicts(answer: Grounding, asked: Sequence[tuple[Place, Verdict, str]]) -> Grounding:
    """Apply the verdicts to the answer; places that were not asked about are unchanged."""
    left: list[Place] = []
    refused: list[Place] = []
    notes: list[str] = []
    why = ""
    for place, verdict, reason in asked:
        note = f"asked whether that is it: {verdict.value}"
        notes.append(note)
        if verdict is Verdict.NO:
            refused.append(place)
            why = why or f"what was found is something else{f': {reason}' if reason else ''}"
        elif verdict is Verdict.UNSURE:
            left.append(replace(place, doubts=(*place.doubts, f"{note}{f' ({reason})' if reason else ''}")))
        else:
            left.append(place)
    left += answer.places[len(asked) :]
    if len(left) == 1 and any(place is left[0] and verdict is Verdict.YES for place, verdict, _reason in asked):
        left = [replace(left[0], confirmed_by=(*left[0].confirmed_by, "verify"))]
    return replace(
        answer,
        places=tuple(left),
        reason=answer.reason or ("" if left else why),
        notes=(*answer.notes, *dict.fromkeys(notes)),
        candidates=(*answer.candidates, *refused),
    )
