"""
Tests with known scenes: sent to a model that reads the picture, answered in each family's format, mapped back to frame pixels.

Every fifth goes through the vendors' libraries to a server, which treat the pictures and texts of all families alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from handeye.clock import Deadline
from handeye.errors import InvalidReply
from handeye.geometry import Box, CoordinateSpace, Point, Size
from handeye.models import ChatModel, LLMConfig, Picture, Profile, Prompt, Question, Reply, SentImage
from handeye.models.client.factory import connect
from handeye.models.families.general import FAMILIES
from handeye.models.families.lookup import profile_named
from handeye.models.grounding.model_grounder import ModelGrounder
from handeye.testing.fakes import FakeClock
from handeye.testing.model_replies import written_numbers
from handeye.testing.model_scenes import Scene, SceneModel, draw_scene
from handeye.testing.model_server import ModelRequest, ModelServer
from handeye.usage import Usage

KEY = "sk-scenes-0123456789"
# A screen and a phone that most families shrink, one that hardly any does, and odd ones. Most are small: each family is sent
# each of them, and a factor that is wrong is wrong on a small one too.
SIZES = (Size(1920, 1080), Size(1080, 2400), Size(999, 1001), Size(640, 360), Size(721, 481))


@cache
def scenes() -> tuple[Scene, ...]:
    chance = Random(20261122)
    odd = [Size(chance.randint(90, 420), chance.randint(90, 420)) for _ in range(50 - len(SIZES))]
    return tuple(draw_scene(chance, size, count=3) for size in (*SIZES, *odd))


@pytest.fixture(scope="module")
def model() -> SceneModel:
    return SceneModel(scenes(), FAMILIES[0])


@pytest.fixture(scope="module")
def server(model: SceneModel) -> Iterator[ModelServer]:
    with ModelServer(model, key=KEY) as server:
        yield server


@pytest.fixture(scope="module")
def wires(server: ModelServer) -> tuple[ChatModel, ChatModel]:
    """The same model over OpenAI's and Anthropic's wire."""
    openai = LLMConfig.custom(KEY, server.base_url, "the-model")
    anthropic = LLMConfig.custom(KEY, server.anthropic_url, "the-model", api="anthropic")
    return connect(openai, FakeClock()), connect(anthropic, FakeClock())


class Direct:
    """A script of a model server, asked without a server."""

    name = "the-model"

    def __init__(self, model: SceneModel) -> None:
        self.questions: list[ModelRequest] = []
        self._model = model

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply:
        words = "\n".join(part for part in (prompt.system or "", *prompt.parts) if isinstance(part, str))
        pictures = tuple(part for part in prompt.parts if isinstance(part, Picture))
        self.questions.append(ModelRequest("openai", "", {}, {}, words, pictures, True))
        return Reply(self._model(self.questions[-1]).text, Usage(calls=1), self.name)


@pytest.fixture
def direct(model: SceneModel) -> Direct:
    return Direct(model)


# One of so many is sent over a wire, by turns over either.
WIRED = 5


def steps(profile: Profile, sent_side: int) -> int:
    """Number of values that the family has for a side, which is its resolution."""
    if profile.space is CoordinateSpace.UNIT:
        return 10_000
    if profile.space is CoordinateSpace.PER_MILLE:
        return 1000
    return 1000 if profile.grid is not None else sent_side  # a tenth of a percent


def best(profile: Profile, sent: SentImage, place: Box | Point) -> list[int]:
    """Pixels of the frame for the family's nearest numbers, rounded half up."""
    values = []
    for at, written in enumerate(written_numbers(profile, sent, place)):
        side, sent_side = sent.frame[at % 2], sent.size[at % 2]
        full = {CoordinateSpace.UNIT: 1, CoordinateSpace.PER_MILLE: 1000}.get(profile.space)
        full = full or (profile.grid[at % 2] if profile.grid is not None else sent_side)
        exact = (Fraction(written) + (Fraction(1, 2) if profile.bins else 0)) / full * side
        values.append(int(exact + Fraction(1, 2)))
        assert abs(exact - place[at]) <= Fraction(side, steps(profile, sent_side)) / (1 if profile.bins else 2)
    return values


@pytest.mark.parametrize("profile", FAMILIES, ids=lambda profile: profile.name)
def test_fifty_scenes_map_back_exactly(
    server: ModelServer, wires: tuple[ChatModel, ChatModel], direct: Direct, model: SceneModel, profile: Profile
) -> None:
    model.speaks = profile
    exact = 0
    for number, scene in enumerate(scenes()):
        control = scene.controls[number % 3]
        turn, unwired = divmod(number, WIRED)
        asks: ChatModel = direct if unwired else wires[turn % 2]
        place = ModelGrounder(asks, profile).ground(Question(scene.screen, control.label)).places[0]
        asked = (direct if unwired else server).questions.pop()
        assert unwired or asked.wire == ("openai", "anthropic")[turn % 2]
        sent = SentImage(asked.pictures[0], size_of(asked.pictures[0]), scene.screen.box, scene.screen.size)
        assert sent.size == profile.budget.fit(scene.screen.size)
        if place.is_point:
            found, truth = Point(*place.box.center), Point(*control.box.center)
            right = best(profile, sent, truth)
            assert list(found) == [min(value, side - 1) for value, side in zip(right, scene.screen.size, strict=True)]
        else:
            found, truth = place.box, control.box
            assert list(found) == best(profile, sent, truth)
        exact += found == truth
    # Whatever a family can say to the pixel is right to the pixel.
    fine = sum(fits(profile, scene.screen.size) for scene in scenes())
    assert exact >= fine


def fits(profile: Profile, frame: Size) -> bool:
    """Return True if the family has at least two numbers for each pixel of a frame, or answers in its very pixels."""
    sent = profile.budget.fit(frame)
    if profile.space is CoordinateSpace.RESIZED and profile.grid is None:
        return sent == frame
    return not profile.bins and all(steps(profile, side) >= 2 * side for side in frame)


def size_of(picture: Picture) -> Size:
    return Size(int.from_bytes(picture.data[16:20]), int.from_bytes(picture.data[20:24]))


# One family of each way to count, that reads nothing but its own: (space, order, bins).
WAYS = ("showui", "aria-ui", "ui-venus", "molmo", "gemini", "florence-2")
SWAPPED = [(profile_named(a), profile_named(b)) for a, b in itertools.permutations(WAYS, 2)]


def test_coordinate_conventions_cover_every_family() -> None:
    ways = {way(profile) for profile in FAMILIES}
    assert ways == {way(profile_named(name)) for name in WAYS}


def way(profile: Profile) -> tuple[object, ...]:
    return profile.space, profile.grid, profile.order, profile.bins


@pytest.mark.parametrize(("speaks", "read_as"), SWAPPED, ids=lambda profile: profile.name)
def test_profile_with_other_convention_misreads_places(
    direct: Direct, model: SceneModel, speaks: Profile, read_as: Profile
) -> None:
    """Ensures that the test above fails when two rows are swapped: an answer is wrong or unreadable."""
    model.speaks = speaks
    wrong = 0
    for scene in scenes()[3:6]:
        for control in scene.controls[:2]:
            try:
                grounding = ModelGrounder(direct, read_as).ground(Question(scene.screen, control.label))
            except InvalidReply:
                wrong += 1
                continue
            sent_size = read_as.budget.fit(scene.screen.size)
            sent = SentImage(direct.questions[-1].pictures[0], sent_size, scene.screen.box, scene.screen.size)
            places = grounding.places
            if not places:
                wrong += 1
            elif places[0].is_point:
                wrong += list(places[0].box.center) != best(read_as, sent, Point(*control.box.center))
            else:
                wrong += list(places[0].box) != best(read_as, sent, control.box)
    assert wrong == 6
