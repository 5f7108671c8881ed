"""A grounder that asks a model for a place, in the format of its family."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from handeye.clock import Deadline
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.models.chat import ChatModel, Prompt
from handeye.models.families.images import prepare
from handeye.models.families.profile import Profile
from handeye.models.grounding.grounder import Grounding, Question
from handeye.models.grounding.place_checks import plausible_places
from handeye.models.grounding.prompt_delimiter import MakeDelimiter, random_delimiter
from handeye.models.grounding.prompts import locate_prompt, reference_picture
from handeye.models.grounding.retry_on_parse_error import ask_until_read
from handeye.models.reply.reader import places, read_reply

# Greatest magnification of a part of the frame, within the model's image budget: a crop should give the model more pixels for
# the element, not only less context.
ENLARGED: Final = 2.0
# Margin, so that rounding to whole multiples does not exceed the budget.
_ROUNDING: Final = 0.97


@dataclass(frozen=True, slots=True)
class ModelGrounder:
    """
    A Grounder: asks `model` by words, by a reference picture, or by both, and parses the answer as `profile` says. One
    call; two when the first answer cannot be parsed.

    Implausible places (the whole picture, outside of it, no size) are dropped; if none remains, the answer is "not
    here". Raises UsageError for a question without words and picture, or with words that are too long for a
    description.
    """

    model: ChatModel
    profile: Profile
    temperature: float | None = 0.0
    make_fence: MakeDelimiter = random_delimiter

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        if not question.words.strip() and question.reference is None:
            raise UsageError("a question for a model needs words or a reference picture; both are empty")
        part = (question.within or question.screen.box).clip(question.screen.size)
        closer = question.enlarge and part.area <= question.screen.box.area / 2
        shown = enlarging(self.profile, part) if closer else self.profile
        sent = prepare(question.screen, shown, part)
        reference = reference_picture(question.reference) if question.reference is not None else None

        def prompt(problem: str) -> Prompt:
            return locate_prompt(
                question,
                self.profile,
                sent.picture,
                sent.size,
                reference=reference,
                problem=problem,
                temperature=self.temperature,
                make_fence=self.make_fence,
            )

        def read(text: str) -> Grounding:
            return places(read_reply(text, self.profile, question.words), sent, self.profile)

        answer, usage = ask_until_read(self.model, prompt, read, deadline)
        return plausible_places(replace(answer, usage=usage), question.screen, part)


def enlarging(profile: Profile, part: Box) -> Profile:
    """Return the profile with a minimum size that shows `part` up to `ENLARGED` times as large, within its budget."""
    budget = profile.budget
    bounds = [ENLARGED, budget.long_side / max(part.width, part.height)]
    if budget.short_side is not None:
        bounds.append(budget.short_side / min(part.width, part.height))
    if budget.max_pixels is not None:
        bounds.append(math.sqrt(budget.max_pixels / part.area))
    grow = min(bounds) * _ROUNDING
    if grow <= 1:
        return profile
    least = max(budget.min_pixels, int(part.area * grow * grow))
    return replace(profile, budget=replace(budget, min_pixels=least))
