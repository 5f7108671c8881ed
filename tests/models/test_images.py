"""Tests of the picture sent to a model: its size, its encoding, and exact mapping back to the frame."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from handeye.errors import InvalidBox, InvalidImage
from handeye.geometry import Box, CoordinateSpace, Point, Size
from handeye.models import Picture, Profile, SentImage, prepare
from handeye.models.families.general import FAMILIES
from handeye.models.families.images import POINT_REACH
from handeye.models.families.lookup import profile_named
from handeye.models.families.profile import PERCENT, WIDEST
from handeye.screen import Screen

WIDEST_FRAME, HIGHEST_FRAME = 7680, 4320
SIDES = st.tuples(st.integers(1, WIDEST_FRAME), st.integers(1, HIGHEST_FRAME)).flatmap(
    lambda sides: st.sampled_from([sides, sides[::-1]])
)
PROFILES = st.sampled_from(FAMILIES)
RESIZING = [profile for profile in FAMILIES if profile.resize is not None]


def sent_of(profile: Profile, frame: tuple[int, int], part: Box | None = None) -> SentImage:
    part = part or Box(0, 0, *frame)
    return SentImage(Picture(b""), profile.sent_size((part.width, part.height)), part, Size(*frame))


@st.composite
def parts(draw: st.DrawFn) -> tuple[Size, Box]:
    """A frame and a part of it."""
    width, height = draw(SIDES)
    left, top = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    right, bottom = draw(st.integers(left + 1, width)), draw(st.integers(top + 1, height))
    return Size(width, height), draw(st.sampled_from([Box(0, 0, width, height), Box(left, top, right, bottom)]))


@settings(max_examples=120, deadline=None)
@given(parts(), PROFILES, st.data())
def test_box_round_trip_is_within_half_a_pixel(where: tuple[Size, Box], profile: Profile, data: st.DataObject) -> None:
    frame, part = where
    sent = sent_of(profile, frame, part)
    full = {CoordinateSpace.UNIT: Size(1, 1), CoordinateSpace.PER_MILLE: Size(1000, 1000)}
    scale = full.get(profile.space, profile.grid or sent.size)
    left = data.draw(st.floats(part.left, part.right - 1))
    top = data.draw(st.floats(part.top, part.bottom - 1))
    truth = (
        left,
        top,
        data.draw(st.floats(left + 1, part.right)),
        data.draw(st.floats(top + 1, part.bottom)),
    )
    start, sides = (part.left, part.top), (part.width, part.height)
    said = [(edge - start[at % 2]) * scale[at % 2] / sides[at % 2] for at, edge in enumerate(truth)]
    box = sent.to_box(said, profile.space, profile.grid)
    assert all(abs(edge - true) <= 0.5 + 1e-6 for edge, true in zip(box, truth, strict=True))


@settings(max_examples=80, deadline=None)
@given(SIDES, PROFILES)
def test_sent_size_respects_budget_and_frame_size(frame: tuple[int, int], profile: Profile) -> None:
    budget = profile.budget
    size = profile.sent_size(frame)
    assert size == budget.fit(frame)
    assert min(size) >= 1
    assert all(side % budget.multiple == 0 for side in size)
    assert max(size) <= budget.long_side
    assert budget.short_side is None or min(size) <= budget.short_side
    assert budget.max_pixels is None or size.width * size.height <= budget.max_pixels
    narrow = min(frame) // budget.multiple * budget.multiple  # rounded down, as it is sent where that is not too narrow
    if frame[0] * frame[1] >= budget.min_pixels and narrow and max(frame) <= WIDEST * narrow:
        grown = max(side - own for side, own in zip(size, frame, strict=True))
        assert grown <= 0 or size.width * size.height <= budget.min_pixels + budget.multiple * max(size)


@settings(max_examples=80, deadline=None)
@given(SIDES, st.sampled_from(RESIZING))
def test_sent_size_is_unchanged_by_server_resize(frame: tuple[int, int], profile: Profile) -> None:
    assert profile.resize is not None
    size = profile.budget.fit(frame)
    assert profile.resize.seen(size) == size
    assert max(size) <= 200 * min(size)


@pytest.mark.parametrize(
    ("size", "seen"),
    [
        ((1080, 2400), (1092, 2408)),
        ((28, 28), (56, 56)),
        ((8000, 8000), (3584, 3584)),
        ((1000, 1000), (1008, 1008)),
        ((20, 2000), (28, 1988)),
    ],
)
def test_smart_resize_matches_qwen_rule(size: tuple[int, int], seen: tuple[int, int]) -> None:
    """Worked out by hand from the rule: nearest multiple of 28, at least 3136 and at most 12845056 pixels."""
    resize = profile_named("qwen2.5-vl").resize
    assert resize is not None
    assert resize.seen(size) == seen


def drawn(width: int, height: int) -> Screen:
    image = Image.new("RGB", (width, height), "white")
    if min(width, height) >= 4:
        ImageDraw.Draw(image).rectangle((width // 4, height // 4, width // 2 - 1, height // 2 - 1), "red")
    return Screen.from_image(image)


def decoded(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.data)).convert("RGB")


@pytest.mark.parametrize("name", ["qwen2.5-vl", "claude", "gpt-5", "gemini", "generic"])
@pytest.mark.parametrize("size", [(1080, 2400), (3840, 2160), (60, 40), (1, 1), (3000, 2)])
def test_sent_picture_has_declared_size_and_content(name: str, size: tuple[int, int]) -> None:
    profile = profile_named(name)
    sent = prepare(drawn(*size), profile)
    image = decoded(sent.picture)
    assert image.size == sent.size == profile.budget.fit(size)
    if min(size) < 40:
        return
    red = np.asarray(image)[:, :, 1] < 128
    ys, xs = np.nonzero(red)
    box = sent.to_box((xs.min(), ys.min(), xs.max() + 1, ys.max() + 1), CoordinateSpace.RESIZED)
    truth = (size[0] // 4, size[1] // 4, size[0] // 2, size[1] // 2)
    step = max(own / side for own, side in zip(size, sent.size, strict=True))
    assert all(abs(edge - true) <= step for edge, true in zip(box, truth, strict=True))


def test_cropped_part_maps_back_to_frame_coordinates() -> None:
    screen = drawn(400, 400)
    sent = prepare(screen, profile_named("claude"), Box(100, 100, 200, 200))
    assert sent.size == (100, 100)
    assert decoded(sent.picture).getpixel((50, 50)) == (255, 0, 0)
    assert sent.to_box((0, 0, 50, 100), CoordinateSpace.RESIZED) == (100, 100, 150, 200)
    assert sent.to_point((500, 1000), CoordinateSpace.PER_MILLE) == (150, 199)
    assert sent.to_point((50.0, 10.0), CoordinateSpace.RESIZED, PERCENT) == (150, 110)


def test_part_is_clipped_or_refused_outside_frame() -> None:
    screen, profile = drawn(400, 400), profile_named("generic")
    assert prepare(screen, profile, Box(-50, -50, 100, 100)).part == (0, 0, 100, 100)
    with pytest.raises(InvalidImage, match="outside"):
        prepare(screen, profile, Box(500, 0, 600, 100))


@given(SIDES, st.data())
def test_box_around_point_is_centered_and_inside_frame(frame: tuple[int, int], data: st.DataObject) -> None:
    point = Point(data.draw(st.integers(0, frame[0] - 1)), data.draw(st.integers(0, frame[1] - 1)))
    box = sent_of(profile_named("generic"), frame).around(point)
    assert box.center == point
    assert box.clip(frame) == box
    assert 1 <= box.width == box.height <= 2 * POINT_REACH + 1


@pytest.mark.parametrize("numbers", [(1, 2, 3), (float("nan"), 1, 2, 3), ("1", "2", "3", "4")])
def test_invalid_box_numbers_are_refused(numbers: tuple[float, ...]) -> None:
    with pytest.raises(InvalidBox):
        sent_of(profile_named("generic"), (100, 100)).to_box(numbers, CoordinateSpace.PER_MILLE)


def test_picture_bytes_are_not_in_repr() -> None:
    assert "PNG" not in repr(prepare(drawn(10, 10), profile_named("generic")))


def test_text_is_sent_as_png_photo_as_jpeg() -> None:
    profile = profile_named("gemini")
    assert prepare(drawn(1080, 1920), profile).picture.media_type == "image/png"
    noise = np.random.default_rng(0).integers(0, 256, (1000, 1000, 3)).astype(np.uint8)
    sent = prepare(Screen(noise), profile)
    assert sent.picture.media_type == "image/jpeg"
    assert len(sent.picture.data) < noise.nbytes * 0.9  # random bytes: as PNG, it would be all of them
    assert decoded(sent.picture).size == sent.size
