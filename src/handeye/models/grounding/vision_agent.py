"""Find elements with a vision model: the VisionAgent of docs/spec/vision-agent.md."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from handeye.clock import Clock, Deadline, SystemClock
from handeye.elements import UIElement
from handeye.errors import ModelError
from handeye.geometry import Box, Point
from handeye.models.chat import ChatModel, Prompt, Reply
from handeye.models.families.lookup import profile_to_use
from handeye.models.families.profile import Format, Profile
from handeye.models.grounding.acceptance import Accepted, accept
from handeye.models.grounding.candidates import sound
from handeye.models.grounding.escalation import Use, ask_fallback_model
from handeye.models.grounding.grounder import Grounder, Grounding, Place, Question
from handeye.models.grounding.known_elements import ReadsLines, ReadsState, known_elements
from handeye.models.grounding.marks import marks
from handeye.models.grounding.model_grounder import ModelGrounder
from handeye.models.grounding.snap import snap
from handeye.models.grounding.tree_agreement import showing
from handeye.models.grounding.verification import verify
from handeye.models.grounding.vote import SAMPLES, vote
from handeye.models.grounding.zoom import tiles, zoom
from handeye.screen import Screen, Screenshot, as_screen
from handeye.target import Attempt, LocateResult, Target
from handeye.usage import Usage

if TYPE_CHECKING:
    from handeye.models.budget import Budget
    from handeye.models.config.model_config import LLMConfig

Pictures = Callable[[str], Image.Image | None]
"""Function that returns the reference picture of a name; None when there is none."""

_ICON_ROLES: Final = frozenset({"icon", "image"})
# Formats of families that can answer other questions than "where?". Models trained only to point answer yes to everything.
_ANSWERS_QUESTIONS: Final = frozenset({Format.NAMED_EDGES, Format.BBOX_2D, Format.BOX_2D, Format.BEGIN_BOX})


@dataclass(frozen=True, slots=True)
class Wrappers:
    """
    The wrappers of an agent, from the innermost to the outermost; their functions document what each costs.

    `auto` is decided by handeye.models.grounding.escalation. `marks` and `verify` ask the model other questions than
    "where?": an agent whose model is trained only to point, and that has no verifier, disables them, and zooms in place
    of verifying.
    """

    tiles: Use = "auto"
    zoom: Use = "auto"
    marks: Use = "auto"
    vote: Use = "auto"
    strong: Use = "auto"
    snap: Use = "auto"
    verify: Use = "auto"
    zoom_depth: int = 1
    samples: int = SAMPLES


class VisionAgent:
    """
    Finds elements by words or by a reference picture. Thread-safe if its parts are.

    `profile` describes the model's coordinate format (chosen by its name unless given; "generic" for an unknown name).
    `verifier` answers "is this it?", the model itself unless given. `strong`, with its own profile, is asked in case of
    doubt. `state` and `reader` read the known elements of a frame (a tree, text lines): answers are snapped to them and
    compared with them; if they fail, that is noted and the model's answer is used without them. `pictures` returns
    reference pictures by name. `deadline` bounds the whole task.

    Every method raises a ModelError when the model could not be asked or its answer not be parsed, and UsageError for a
    question without words and picture. If the element is not found, the result is None, or a result without success.
    """

    def __init__(
        self,
        model: ChatModel,
        profile: Profile | None = None,
        *,
        verifier: ChatModel | None = None,
        strong: ChatModel | None = None,
        strong_profile: Profile | None = None,
        wrappers: Wrappers = Wrappers(),
        state: ReadsState | None = None,
        reader: ReadsLines | None = None,
        pictures: Pictures | None = None,
        deadline: Deadline | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._profile = profile or profile_to_use(model.name)
        self._state, self._reader, self._pictures = state, reader, pictures
        self._deadline = deadline
        self._clock = clock if clock is not None else SystemClock()
        self._meter = _Meter()
        locator = self._meter.on(model)
        checker = self._meter.on(verifier) if verifier is not None else locator
        if verifier is None and self._profile.format not in _ANSWERS_QUESTIONS:
            wrappers = replace(wrappers, marks="off", verify="off")
        second = (
            ModelGrounder(self._meter.on(strong), strong_profile or profile_to_use(strong.name)) if strong else None
        )
        self._grounder = _wrapped(locator, self._profile, checker, second, wrappers)
        self._repeats = _RepeatedBoxes()

    @classmethod
    def from_config(cls, config: LLMConfig | None, *, budget: Budget | None = None, **settings: Any) -> VisionAgent:
        """
        Return an agent with the models of a configuration: its locator, its verifier and its strong model, if it names
        any, within one `budget` (by `config.limits` unless given). `settings` are further arguments of VisionAgent.

        Raises ConfigError without a configuration, MissingPart without the client libraries.
        """
        from handeye.models.budget import Budget
        from handeye.models.client.factory import open_model

        account = budget if budget is not None else Budget(config.limits if config is not None else None)
        model = open_model(config, "locator", account)
        assert config is not None  # open_model refuses None
        locator = config.for_role("locator")
        parts: dict[str, Any] = {"profile": profile_to_use(locator.model, locator.profile)}
        if config.verifier is not None:
            parts["verifier"] = open_model(config, "verifier", account)
        if locator.strong is not None:
            parts["strong"] = open_model(locator.strong, "locator", account)
            parts["strong_profile"] = profile_to_use(locator.strong.model, locator.strong.profile)
        return cls(model, **(parts | settings))

    @property
    def usage(self) -> Usage:
        """Total usage of all questions so far, including those whose answers could not be parsed."""
        return self._meter.usage

    def find_element_by_image(self, reference_image: Image.Image, screenshot: Screenshot) -> Point | None:
        """
        Return the pixel of the screenshot to click for a reference picture; None when it is not found with certainty.
        """
        return _point(self._located(Question(as_screen(screenshot), reference=reference_image)))

    def find_element(self, image: Screenshot, element_description: str) -> Point | None:
        """Return the pixel of the screenshot to click for a description; None when it is not found with certainty."""
        return _point(self.locate(element_description, image))

    def locate(self, prompt: str, screenshot: Screenshot, *, context: str = "") -> LocateResult:
        """
        Return the element that `prompt` describes; `context` is information about the screen, for the model. A doubtful
        element is only among the `candidates`, as are rejected places. `usage` is the usage of this call.
        """
        return self._located(Question(as_screen(screenshot), prompt, context=context))

    def find(self, target: Target, screen: Screen) -> UIElement | Sequence[UIElement] | None:
        """
        Return elements with their confidence, the best first, as a `handeye.locate.sources.visual.VisionFinder`.
        Doubtful ones have less than 0.5, rejected ones 0.2: the locate chain treats them as candidates. None if there
        are none at all.
        """
        return self.judge(target, screen).elements or None

    def judge(self, target: Target, screen: Screen) -> Accepted:
        """
        Return the elements of `find` with the evidence in words: why one is doubted, or what the model sees instead and
        suggests.
        """
        return self.judge_among(target, screen, ())

    def judge_among(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Accepted:
        """
        Return the same as `judge`; in case of doubt, the model is asked to choose among a ranker's `candidates` (see
        handeye.models.grounding.grounder.Question), which also give the probability of that choice.
        """
        answer, _elapsed = self._ask(replace(self._question(target, screen), candidates=sound(candidates)))
        return answer

    def _question(self, target: Target, screen: Screen) -> Question:
        picture = self._pictures(target.reference) if self._pictures and target.reference else None
        words = target.phrase or _words(target)
        within = target.region.box(screen.size) if target.region is not None else None
        # An icon is named by what it shows, not by a text on it or next to it.
        label = "" if target.role in _ICON_ROLES else target.text or ""
        return Question(screen, words, picture, target.role, within=within, label=label)

    def _located(self, question: Question) -> LocateResult:
        before = self._meter.asked_here
        answer, elapsed = self._ask(question)
        spent = self._meter.asked_here - before
        usage = spent if spent.calls else None
        shown = repr(question.words) if question.words else "the reference picture"
        if len(answer.found) == 1 and answer.found[0].reliable:
            best = answer.found[0]
            attempt = Attempt("visual", "found", answer.note, best.confidence, elapsed)
            return LocateResult(True, best, "visual", answer.candidates, attempts=(attempt,), usage=usage)
        rivals = tuple(replace(each, reliable=False) for each in (*answer.found, *answer.candidates))
        several = len(answer.found) > 1
        attempt = Attempt("visual", "ambiguous" if several else "absent", answer.note, elapsed_ms=elapsed)
        error = f"{shown} was not found (visual: {answer.note or 'absent'})"
        if several:
            error = f"{shown} fits {len(answer.found)} places; describe it more exactly"
        return LocateResult(False, None, "visual" if several else "none", rivals, error, (attempt,), usage)

    def _ask(self, question: Question) -> tuple[Accepted, float]:
        """Return the accepted answer, and the milliseconds it took."""
        start = self._clock.now()
        notes: tuple[str, ...] = ()
        if question.state is None and (self._state is not None or self._reader is not None):
            state, notes = known_elements(question.screen, self._state, self._reader)
            question = replace(question, state=state)
            if state is not None and not question.label and showing(state, question.words):
                question = replace(question, label=question.words)  # words that are read on the screen are a label
        grounding = self._grounder.ground(question, self._deadline)
        grounding = self._repeats.doubted(question, grounding)
        answer = accept(question, replace(grounding, notes=(*notes, *grounding.notes)))
        return answer, (self._clock.now() - start) * 1000


def _wrapped(
    locator: ChatModel, profile: Profile, checker: ChatModel, second: Grounder | None, wrappers: Wrappers
) -> Grounder:
    """Return the model with its wrappers around it, the innermost first."""
    seen = profile.budget.fit
    grounder: Grounder = ModelGrounder(locator, profile)
    grounder = tiles(grounder, when=wrappers.tiles, seen=seen)
    instead_of = "verify" if wrappers.verify == "off" else ""
    grounder = zoom(grounder, when=wrappers.zoom, depth=wrappers.zoom_depth, seen=seen, instead_of=instead_of)
    grounder = marks(grounder, locator, profile, when=wrappers.marks, seen=seen)
    grounder = vote(grounder, when=wrappers.vote, samples=wrappers.samples, seen=seen)
    if second is not None:
        grounder = ask_fallback_model(grounder, second, when=wrappers.strong, seen=seen)
    grounder = snap(grounder, when=wrappers.snap)
    return verify(grounder, checker, when=wrappers.verify, seen=seen)


class _Meter:
    """
    Adds up the usage of the models it wraps, in total and for each thread (a caller waits for the answer in its own
    thread).
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._here = threading.local()
        self.usage = Usage()

    @property
    def asked_here(self) -> Usage:
        """The usage of this thread's questions."""
        return getattr(self._here, "usage", Usage())

    def on(self, model: ChatModel) -> ChatModel:
        return _Metered(model, self)

    def add(self, usage: Usage) -> None:
        with self._lock:
            self.usage += usage
        self._here.usage = self.asked_here + usage


@dataclass(frozen=True, slots=True)
class _Metered:
    model: ChatModel
    meter: _Meter

    @property
    def name(self) -> str:
        return self.model.name

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply:
        try:
            reply = self.model.ask(prompt, deadline)
        except ModelError as error:
            self.meter.add(error.usage or Usage())
            raise
        self.meter.add(reply.usage)
        return reply


class _RepeatedBoxes:
    """Detects a model that names the same box for different questions about a frame."""

    # Number of other questions with exactly the same box: two names for one element are common ("send", "paper plane"), three
    # are not.
    MOST: Final = 2
    KEPT: Final = 32

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[tuple[int, Box, str], None] = {}

    def doubted(self, question: Question, grounding: Grounding) -> Grounding:
        """Return the answer, with a doubt if its box was also the answer to other questions and no text confirms it."""
        if not grounding.places or not question.words:
            return grounding
        best, words = grounding.places[0], " ".join(question.words.split()).casefold()
        here = (question.screen.digest, best.box)
        with self._lock:
            others = {asked for *place, asked in self._asked if tuple(place) == here} - {words}
            self._asked[*here, words] = None
            while len(self._asked) > self.KEPT:
                del self._asked[next(iter(self._asked))]
        if len(others) < self.MOST or "text" in best.confirmed_by:
            return grounding
        doubt = f"the same box was named for {len(others)} other things"
        doubted: Place = replace(best, doubts=(*best.doubts, doubt), confirmed_by=())
        return replace(grounding, places=(doubted, *grounding.places[1:]), notes=(*grounding.notes, doubt))


def _words(target: Target) -> str:
    """Return the words for a target without a phrase: its own, and its position."""
    words = target.description or target.text or target.reference or target.role or ""
    return str(target) if target.chooses else words


def _point(result: LocateResult) -> Point | None:
    return result.element.center if result.reliable and result.element is not None else None
