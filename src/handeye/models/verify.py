"""Asking whether the thing in a drawn box is the one that was looked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Literal

from PIL import Image, ImageDraw

from handeye.clock import Deadline
from handeye.errors import InvalidReply
from handeye.geometry import Box
from handeye.models.asking import ask_until_read
from handeye.models.chat import ChatModel
from handeye.models.doubt import Seen, Use, asked_for, same_size, signs
from handeye.models.grounder import Grounder, Grounding, Question
from handeye.models.pictures import encoded
from handeye.models.prompts import verify_prompt
from handeye.models.short_reply import bare, short_object
from handeye.models.usage import Usage
from handeye.screen import Screen

# Pixels of the frame that are shown around the box, and the least that is shown at all: what a thing is depends on what stands
# beside it.
ROOM: Final = 160
LEAST_SHOWN: Final = 480
# A longer side is shrunk to this: every family takes it as it is.
MOST_SHOWN: Final = 1024
OUTLINE: Final = (255, 0, 200)  # a colour that hardly any page has
_HALO: Final = (255, 255, 255)
_STROKE: Final = 3

_ANSWERS: Final = frozenset({"answer", "reason", "confidence"})


class Verdict(Enum):
    """What was answered to "is this it?"."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


_WORDS: Final = {
    **dict.fromkeys(("yes", "true", "是", "是的", "对"), Verdict.YES),
    **dict.fromkeys(("no", "false", "否", "不是", "不"), Verdict.NO),
    **dict.fromkeys(("unsure", "not sure", "uncertain", "unknown", "不确定"), Verdict.UNSURE),
}


def verify(grounder: Grounder, model: ChatModel, *, when: Use = "on", seen: Seen = same_size) -> Grounder:
    """
    Shows `model` the best place with a box drawn around it and asks "is this the …?". Costs one call with a small picture (two
    when its answer cannot be read); none when the answer is "not here".

    Yes bears the place out ("verify"). No means that the thing was not found: the place is only a candidate. Unsure is a doubt,
    and so is a second answer that cannot be read. Of several places only the first one is shown.
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
        if not answer.places or (self.when == "auto" and not asked_for("verify", signs(question, answer, self.seen))):
            return answer
        picture = encoded(boxed(question.screen, answer.places[0].box))
        try:
            (verdict, reason), usage = ask_until_read(
                self.model, lambda problem: verify_prompt(question, picture, problem), read_verdict, deadline
            )
        except InvalidReply as error:
            (verdict, reason), usage = (Verdict.UNSURE, error.problem), Usage()
        return _judged(replace(answer, usage=answer.usage + usage), verdict, reason)


def boxed(screen: Screen, box: Box) -> Image.Image:
    """The part of the frame around `box`, with the box drawn just outside of what it encloses."""
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
    The verdict and its reason, from {"answer": "yes", "reason": …} or the bare word. Raises InvalidReply for anything else.
    """
    data = short_object(reply, _ANSWERS)
    answer = data.get("answer") if data is not None else bare(reply)
    if isinstance(answer, bool):
        answer = "yes" if answer else "no"
    verdict = _WORDS.get(answer.strip(" .。!！\"'\n").casefold()) if isinstance(answer, str) else None
    if verdict is None:
        raise InvalidReply('it is neither "yes" nor "no" nor "unsure"', reply)
    reason = data.get("reason") if data is not None else ""
    return verdict, reason[:200] if isinstance(reason, str) else ""


def _judged(answer: Grounding, verdict: Verdict, reason: str) -> Grounding:
    best, others = answer.places[0], answer.places[1:]
    note = f"asked whether that is it: {verdict.value}"
    notes = (*answer.notes, note)
    if verdict is Verdict.YES:
        # It was asked about the first of several as well: this one is chosen.
        sure = replace(best, confirmed_by=(*best.confirmed_by, "verify"))
        return replace(answer, places=(sure,), notes=notes, candidates=(*answer.candidates, *others))
    if verdict is Verdict.NO:
        why = f"what was found is something else{f': {reason}' if reason else ''}"
        return replace(
            answer, places=others, reason=answer.reason or why, notes=notes, candidates=(*answer.candidates, best)
        )
    unsure = replace(best, doubts=(*best.doubts, f"{note}{f' ({reason})' if reason else ''}"))
    return replace(answer, places=(unsure, *others), notes=notes)
