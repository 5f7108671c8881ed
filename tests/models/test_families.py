"""Round trips of every model family: a known place, written in the family's format, is read back exactly."""

import random
from fractions import Fraction
from math import floor

import pytest

from handeye.errors import HandeyeError
from handeye.geometry import Box, CoordinateSpace, Size
from handeye.models import Format, Picture, Place, Profile, SentImage, places
from handeye.models.families.general import FAMILIES
from handeye.models.reply.reader import read_reply
from handeye.testing.model_replies import PERCENT_DIGITS, UNIT_DIGITS, write_box

SCENES = 50
SWAPPED = 12  # scenes for each pair of profiles: one that was read right would be a chance of one in thousands
SIZES = ((1080, 2400), (720, 1280), (1920, 1080), (2560, 1440), (390, 844), (1366, 768), (3840, 2160))


def by_name(profile: Profile) -> str:
    return profile.name


def scene(chance: random.Random, profile: Profile) -> tuple[SentImage, Box]:
    """A frame as it would be sent to a model of the family, sometimes a part of it, and a control on it."""
    size = chance.choice(SIZES)
    part = Box(0, 0, *size)
    if chance.random() < 0.3:
        left, top = chance.randrange(size[0] // 2), chance.randrange(size[1] // 2)
        part = Box(left, top, chance.randint(left + 200, size[0]), chance.randint(top + 200, size[1]))
    width, height = chance.randint(9, part.width // 2), chance.randint(9, part.height // 3)
    left, top = chance.randrange(part.left, part.right - width), chance.randrange(part.top, part.bottom - height)
    sent = SentImage(Picture(b""), profile.budget.fit((part.width, part.height)), part, Size(*size))
    return sent, Box(left, top, left + width, top + height)


def best(profile: Profile, sent: SentImage, box: Box) -> Box:
    """The nearest box that the family's numbers can say: rounded to them and back, in exact arithmetic."""
    edges = []
    for at, edge in enumerate(box):
        side, start = ((sent.part.width, sent.part.left), (sent.part.height, sent.part.top))[at % 2]
        share = Fraction(edge - start, side)
        if profile.bins:
            said = (min(999, floor(share * 1000)) + Fraction(1, 2)) / 1000
        else:
            scale = steps(profile, sent.size[at % 2])
            said = Fraction(round_half_up(share * scale), scale)
        edges.append(start + round_half_up(said * side))
    return Box(*edges)


def steps(profile: Profile, sent_side: int) -> int:
    """Number of different values that the family has for a side."""
    if profile.space is CoordinateSpace.UNIT:
        return 10**UNIT_DIGITS
    if profile.space is CoordinateSpace.PER_MILLE:
        return 1000
    return sent_side if profile.grid is None else profile.grid.width * 10**PERCENT_DIGITS


def round_half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def answer(text: str, sent: SentImage, profile: Profile) -> Place:
    (place,) = places(read_reply(text, profile), sent, profile).places
    return place


@pytest.mark.parametrize("profile", FAMILIES, ids=by_name)
def test_answers_of_every_family_read_back_exactly(profile: Profile) -> None:
    chance = random.Random(profile.name)
    for _scene in range(SCENES):
        sent, truth = scene(chance, profile)
        place = answer(write_box(profile, sent, truth, "OK"), sent, profile)
        if place.is_point:
            x, y = truth.center
            assert place.box.center == best(profile, sent, Box(x, y, x, y))[:2]
        else:
            assert place.box == best(profile, sent, truth)
        fine = all(steps(profile, seen) >= side for seen, side in zip(sent.size, sizes(sent), strict=True))
        if fine and not profile.bins:
            assert place.box.center == truth.center
            assert place.is_point or place.box == truth


def sizes(sent: SentImage) -> tuple[int, int]:
    return sent.part.width, sent.part.height


def convention(profile: Profile) -> tuple[object, ...]:
    """Settings of a profile that decide how numbers are read."""
    return (profile.space, profile.grid, profile.order, profile.bins, profile.otherwise, profile.detect)


NAMED = (Format.NAMED_EDGES, Format.POINTS, Format.PYAUTOGUI, Format.POINT_ATTRIBUTES)


def differ(writer: Profile, reader: Profile) -> bool:
    """Return True if the two must read differently. Numbers with names have no order to be mistaken for another."""
    same_space = (writer.space, writer.grid, writer.bins) == (reader.space, reader.grid, reader.bins)
    same_order = writer.order is reader.order or writer.format in NAMED
    return not (same_space and same_order) and not reader.detect and reader.otherwise is not writer.space


CONVENTIONS = tuple({convention(profile): profile for profile in FAMILIES}.values())
DIFFERENT = [(writer, reader) for writer in FAMILIES for reader in CONVENTIONS if differ(writer, reader)]


@pytest.mark.parametrize(("writer", "reader"), DIFFERENT, ids=by_name)
def test_answers_read_with_wrong_profile_miss_or_fail(writer: Profile, reader: Profile) -> None:
    """Ensures that the test above fails when two such rows are swapped."""
    chance = random.Random(writer.name)
    right = 0
    for _scene in range(SWAPPED):
        sent, truth = scene(chance, writer)
        text = write_box(writer, sent, truth, "OK")
        try:
            right += answer(text, sent, reader).box == answer(text, sent, writer).box
        except HandeyeError:
            continue
    assert right <= SWAPPED // 10
