"""
Check a configured model with one real picture: that it answers, that it sees, and how it writes coordinates.

Two questions about one new test page. Only a model that sees the picture can name the word on it and the place of the
button; the unit of the numbers in that place is found by comparing them with the true place in every known coordinate
space.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from enum import Enum
from random import Random, SystemRandom
from typing import Final

from handeye.errors import (
    BudgetExceeded,
    InvalidReply,
    ModelError,
    ModelRequestInvalid,
    ModelUnauthorized,
    ModelUnreachable,
)
from handeye.geometry import Box
from handeye.models.chat import ChatModel, Prompt, Reply
from handeye.models.check_sheet import FRAME, READINGS, Reading, Sheet, draw_sheet
from handeye.models.families.general import FAMILIES
from handeye.models.families.images import SentImage, prepare
from handeye.models.families.profile import Order, Profile
from handeye.models.grounding.grounder import Grounding, Question
from handeye.models.grounding.prompts import locate_prompt
from handeye.models.reply.reader import ReadReply, places, read_reply
from handeye.usage import Usage

WORD_QUESTION: Final = (
    "One word stands in large white letters in the dark bar at the top of this picture. "
    "Answer with that word and nothing else."
)
# Asked if the picture was refused: a server that answers this refused only the picture, otherwise it refuses everything.
_WORDS_ALONE: Final = "Answer with the word yes."
# One letter of eight may be misread: 7 of 8 alike is a ratio of 0.875. Seven letters cannot be guessed.
_ALIKE: Final = 0.87
_LETTERS: Final = re.compile(r"[A-Z]+")
# An answer may miss the button by half of its height: that is inaccuracy. An answer in another coordinate space misses it by
# more, because of how the target is chosen.
_TOLERANCE: Final = 0.5
_MOST_FITTING: Final = 4


class Part(Enum):
    """The checked parts, in the order of the check. A part that could not be observed has no finding."""

    REACHABLE = "reachable"
    KEY = "key"
    PICTURES = "pictures"
    ANSWER = "answer"
    COORDINATES = "coordinates"


@dataclass(frozen=True, slots=True)
class Finding:
    """Result for one part: whether it is ok, with the facts or the server's message."""

    part: Part
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """
    Result of checking a model. `ok` when everything is as its profile says.

    `reading` is the coordinate space and order of its numbers, None when they match none; `off` the distance of the
    place from the target's centre, in pixels of the frame, in that reading. `fitting` names the families whose profile
    reads the answer correctly, the most similar first. `words` and `place` are its raw answers.
    """

    profile: Profile
    findings: tuple[Finding, ...]
    usage: Usage = Usage()
    reading: Reading | None = None
    off: float | None = None
    fitting: tuple[str, ...] = ()
    words: str = ""
    place: str = ""

    @property
    def ok(self) -> bool:
        return len(self.findings) == len(Part) and all(finding.ok for finding in self.findings)


def check_model(model: ChatModel, profile: Profile, chance: Random | None = None) -> Check:
    """
    Ask `model` the two questions, each once, and parse its answers as `profile` says. A server that refuses the picture
    is asked once more, without it. Never raises a ModelError: errors are among the findings.

    `chance` draws the picture: a new one each time unless a seeded generator is given.
    """
    return _Checking(model, profile, chance or SystemRandom()).check()


class _Checking:
    def __init__(self, model: ChatModel, profile: Profile, chance: Random) -> None:
        self._model, self._profile = model, profile
        self._usage = Usage()
        self._sheet = draw_sheet(profile.budget.fit(FRAME), chance)
        self._sent = prepare(self._sheet.screen, profile)

    def check(self) -> Check:
        try:
            words = self._ask(Prompt((self._sent.picture, WORD_QUESTION)))
        except ModelRequestInvalid as error:
            return self._made(self._without_picture(error))
        except ModelError as error:
            return self._made(_failed(error))
        reads = says_word(words.text, self._sheet.word)
        try:
            place = self._ask(self._place_prompt())
        except ModelError as error:
            seen = (Part.REACHABLE, Part.KEY, *([Part.PICTURES] if reads else []))
            return self._made(_failed(error, seen), words=words.text)
        return self._judged(words, place, reads)

    def _without_picture(self, refused: ModelRequestInvalid) -> list[Finding]:
        """Return the findings after the question with the picture was refused: ask once more without it."""
        try:
            self._ask(Prompt((_WORDS_ALONE,)))
        except ModelRequestInvalid:
            return _failed(refused)
        except ModelError as error:
            return _failed(error)
        return [_served(Part.REACHABLE), _served(Part.KEY), Finding(Part.PICTURES, False, str(refused))]

    def _place_prompt(self) -> Prompt:
        question = Question(self._sheet.screen, self._sheet.label, role="button")
        return locate_prompt(question, self._profile, self._sent.picture, self._sent.size)

    def _ask(self, prompt: Prompt) -> Reply:
        try:
            reply = self._model.ask(prompt)
        except ModelError as error:
            self._usage += error.usage or Usage()
            raise
        self._usage += reply.usage
        return reply

    def _judged(self, words: Reply, place: Reply, reads: bool) -> Check:
        sheet, sent = self._sheet, self._sent
        fitting = tuple(row.name for row in _by_similarity(self._profile) if _hits(place.text, row, sent, sheet))
        numbers = raw_numbers(place.text, self._profile)
        reading, off = reading_of(numbers, sheet, sent) if numbers is not None else (None, None)
        sees = reads or bool(fitting) or reading is not None
        findings = [_served(Part.REACHABLE), _served(Part.KEY), Finding(Part.PICTURES, sees, _seen(reads, words))]
        if sees:
            findings += self._of_answer(place, fitting)
        return self._made(findings, reading, off, fitting[:_MOST_FITTING], words.text, place.text)

    def _of_answer(self, place: Reply, fitting: tuple[str, ...]) -> list[Finding]:
        if place.ending != "stop":
            return [Finding(Part.ANSWER, False, place.note or f"ending: {place.ending}")]
        fits = self._profile.name in fitting
        try:
            read_reply(place.text, self._profile)
        except InvalidReply as error:
            if not fitting:
                return [Finding(Part.ANSWER, False, "; ".join(filter(None, (error.problem, place.note))))]
            return [Finding(Part.ANSWER, True), Finding(Part.COORDINATES, False, error.problem)]
        return [Finding(Part.ANSWER, True), Finding(Part.COORDINATES, fits)]

    def _made(
        self,
        findings: list[Finding],
        reading: Reading | None = None,
        off: float | None = None,
        fitting: tuple[str, ...] = (),
        words: str = "",
        place: str = "",
    ) -> Check:
        return Check(self._profile, tuple(findings), self._usage, reading, off, fitting, words, place)


def says_word(text: str, word: str) -> bool:
    """Return True if an answer contains the word; one letter may be wrong."""
    said = _LETTERS.findall(text.upper())
    return bool(difflib.get_close_matches(word, said, 1, _ALIKE))


def raw_numbers(text: str, profile: Profile) -> tuple[float, ...] | None:
    """
    Return the numbers of the first place of an answer as they were written, a point or a box; None when no family's
    parser finds any.
    """
    rows = sorted(
        (profile, *FAMILIES), key=lambda row: row.order is not Order.XY
    )  # y-first readers turn numbers around
    for row in rows:
        read = _read(text, row)
        if read is not None and read.places:
            first, second, *rest = read.places[0].numbers
            if row.order is Order.XY:
                return (first, second, *rest)
            return (second, first, *reversed(rest))
    return None


def reading_of(numbers: tuple[float, ...], sheet: Sheet, sent: SentImage) -> tuple[Reading | None, float | None]:
    """
    Return the reading in which the numbers name the target, and their distance from its centre; (None, None) if there
    is none.
    """
    margin = sheet.target.expand(round(_TOLERANCE * sheet.target.height))
    found: list[tuple[float, Reading]] = []
    for reading in READINGS:
        x, y = reading.point(numbers, sent.size, sent.frame)
        if margin.left <= x <= margin.right and margin.top <= y <= margin.bottom:
            middle_x = (sheet.target.left + sheet.target.right) / 2
            middle_y = (sheet.target.top + sheet.target.bottom) / 2
            found.append((((x - middle_x) ** 2 + (y - middle_y) ** 2) ** 0.5, reading))
    if not found:
        return None, None
    off, reading = min(found, key=lambda each: each[0])
    return reading, off


def _hits(text: str, profile: Profile, sent: SentImage, sheet: Sheet) -> bool:
    """Return True if the first place of the answer, parsed for this family, lies inside the target."""
    read = _read(text, profile)
    try:
        grounding = places(read, sent, profile) if read is not None else Grounding()
    except InvalidReply:
        return False
    return bool(grounding.places) and _aims_at(grounding.places[0].box, sheet.target)


def _aims_at(box: Box, target: Box) -> bool:
    return target.contains(box.center)


def _read(text: str, profile: Profile) -> ReadReply | None:
    try:
        return read_reply(text, profile)
    except InvalidReply:
        return None


def _by_similarity(profile: Profile) -> list[Profile]:
    """Return the profile itself, then those with the same format of answer, then the others."""
    others = sorted(FAMILIES, key=lambda row: (row.format is not profile.format, not row.conclusive))
    return [profile, *(row for row in others if row.name != profile.name)]


def _served(part: Part) -> Finding:
    return Finding(part, True)


def _seen(reads: bool, words: Reply) -> str:
    if reads:
        return ""
    return (
        "; ".join(filter(None, (" ".join(words.text.split())[:80], words.note)))
        or f"the answer is empty (ending: {words.ending})"
    )


# The part that an error concerns, when it is not the answer, and the parts that must have succeeded for it to occur.
_ABOUT: Final[tuple[tuple[type[ModelError], Part, tuple[Part, ...]], ...]] = (
    (ModelUnreachable, Part.REACHABLE, ()),
    (ModelUnauthorized, Part.KEY, (Part.REACHABLE,)),
    (BudgetExceeded, Part.ANSWER, ()),  # no request was sent
)


def _failed(error: ModelError, seen: tuple[Part, ...] = ()) -> list[Finding]:
    """
    Return the finding of an error, after those of the parts that succeeded: those `seen` before, and those that the
    error implies.
    """
    about = Part.ANSWER
    shown: tuple[Part, ...] = (Part.REACHABLE,)  # a login page or a busy server has not checked the key
    for kind, part, needed in _ABOUT:
        if isinstance(error, kind):
            about, shown = part, needed
    order = list(Part)
    well = [part for part in order[: order.index(about)] if part in seen or part in shown]
    return [*map(_served, well), Finding(about, False, str(error))]
