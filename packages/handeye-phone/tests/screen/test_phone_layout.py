"""Tests of every size, density and rotation: controls lie on the screen, do not overlap, and work."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import pytest

from handeye.geometry import Box, Size
from handeye_phone.scenario import Scenario

DISPLAYS = [
    (None, 420),
    (None, 320),
    (None, 480),
    (None, 560),
    (Size(720, 1600), 320),
    (Size(720, 1600), 280),
    (Size(1440, 3200), 560),
    (Size(1440, 3200), 420),
]


def _overlap(one: Box, other: Box) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def check_screen(hand, bounds):
    """Leaves that can be tapped do not overlap, everything is on the screen, nothing that matters is tiny."""
    size = hand.phone.size
    root = ET.fromstring(hand.phone.hierarchy())
    inside = Box(0, 0, size.width, size.height)
    tappable = []
    for node in root.iter("node"):
        box = bounds(node)
        assert box.left >= 0
        assert box.top >= 0
        assert box.right <= inside.right
        assert box.bottom <= inside.bottom
        assert box.width > 0
        assert box.height > 0
        leaf = not any(kid.get("clickable") == "true" for kid in node.iter("node") if kid is not node)
        if node.get("clickable") == "true" and leaf:
            tappable.append((node, box))
    for (one, a), (other, b) in itertools.combinations(tappable, 2):
        assert not _overlap(a, b), f"{one.attrib} {a} overlaps {other.attrib} {b}"
    return tappable


@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
@pytest.mark.parametrize(("size", "density"), DISPLAYS)
def test_sending_a_message_works_on_every_display(make_hand, bounds, size, density, rotation):
    hand = make_hand(Scenario(rotation=rotation, density=density, permission_dialog=True, advert=True))
    if size is not None:
        hand.phone.override_size(size)
    base = size or Size(1080, 2400)
    assert hand.phone.size == (base if rotation % 2 == 0 else Size(base.height, base.width))
    assert hand.phone.frame().size == hand.phone.size
    check_screen(hand, bounds)
    hand.open_messenger()
    check_screen(hand, bounds)
    hand.tap(text="拒绝")
    assert hand.sees(desc="关闭")
    hand.tap(desc="关闭")
    check_screen(hand, bounds)
    hand.tap(desc="搜索")
    hand.phone.type_text("张三")
    check_screen(hand, bounds)
    hand.tap(text="张三", id="name")
    hand.tap(id="input")
    hand.phone.type_text("你好")
    tappable = check_screen(hand, bounds)
    least = 0.5 * 160 / 2.54 * density / 160 * 0.9  # a good half centimetre: what a finger hits
    for node, box in tappable:
        if node.get("text") == "发送":
            assert min(box.width, box.height) >= least * 0.9
    assert hand.phone.frame().size == hand.phone.size
    hand.tap(text="发送")
    assert hand.sent() == {"张三": ["你好"]}


def test_rotation_and_density_can_change_while_in_use(hand):
    hand.open_messenger()
    hand.phone.settings.put("system", "user_rotation", "1")
    assert hand.phone.size == Size(2400, 1080)
    hand.open_chat("张三")
    hand.phone.settings.put("system", "user_rotation", "0")
    assert hand.phone.size == Size(1080, 2400)
    hand.tap(id="input")
    hand.phone.override_density(560)
    hand.phone.type_text("ok")
    hand.tap(text="发送")
    assert hand.sent() == {"张三": ["ok"]}


def test_launcher_keeps_its_page_when_rotated(hand):
    hand.swipe_left()
    hand.phone.frame()
    hand.phone.settings.put("system", "user_rotation", "3")
    assert hand.sees(text="微信")
    assert hand.phone.state.page == 1


def test_drawn_icon_lies_at_dumped_bounds(hand, bounds):
    hand.swipe_left()
    box = hand.box(text="微信")
    picture = hand.phone.frame().crop(box)
    colors = picture.convert("RGB").resize((16, 16)).tobytes()
    pixels = [tuple(colors[i : i + 3]) for i in range(0, len(colors), 3)]
    green = [p for p in pixels if p[1] > p[0] + 60 and p[1] > p[2] + 20]
    assert len(green) > 20
    blank = hand.box(id="page_indicator")
    assert not any(
        g > r + 60 and g > b + 20
        for r, g, b in zip(
            *[iter(hand.phone.frame().crop(blank).convert("RGB").resize((16, 16)).tobytes())] * 3, strict=True
        )
    )


def test_unchanged_frame_is_the_same_object(hand):
    first = hand.phone.frame()
    assert first.mode == "RGBA"
    assert hand.phone.frame() is first
    assert first.getchannel("A").getextrema() == (255, 255)
    dots = hand.box(id="page_indicator")
    hand.tap_at(*dots.center)
    assert hand.phone.frame() is first, "a tap on nothing changes nothing"
    hand.swipe_left()
    assert hand.phone.frame() is not first


def test_clock_advances_in_the_status_bar(hand):
    before = hand.phone.frame()
    assert hand.phone.wall_clock() == "09:30"
    hand.clock.pass_s(61)
    assert hand.phone.wall_clock() == "09:31"
    after = hand.phone.frame()
    assert before is not after
    bar = (0, 0, 1080, 84)
    assert before.crop(bar).tobytes() != after.crop(bar).tobytes()


@pytest.mark.parametrize("rotation", [0, 1])
def test_list_rows_are_clipped_at_list_edges(make_hand, rotation):
    hand = make_hand(Scenario(rotation=rotation))
    hand.phone.launch("com.android.settings")
    area = hand.box(id="list")
    before = hand.phone.frame().convert("RGB")
    for step in (37, 64, 11):  # rows stick out above and below by other amounts each time
        x, y = area.center
        hand.phone.touch_down(x, y)
        hand.phone.touch_move(x, y - 60)
        hand.phone.touch_up(x, y - 60 - step)
        after = hand.phone.frame().convert("RGB")
        assert after.crop(area) != before.crop(area)
        for outside in (Box(0, 0, before.width, area.top), Box(0, area.bottom, before.width, before.height)):
            assert after.crop(outside).tobytes() == before.crop(outside).tobytes()
