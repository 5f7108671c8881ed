"""Random touches, keys and texts: the phone stays consistent, and only 发送 sends."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handeye.geometry import Size
from handeye_phone.scenario import Scenario
from handeye_phone.system.intent import Intent

UNIT = st.floats(-0.1, 1.1, allow_nan=False)
STEPS = st.one_of(
    st.tuples(st.just("tap"), UNIT, UNIT),
    st.tuples(st.just("down"), UNIT, UNIT),
    st.tuples(st.just("move"), UNIT, UNIT),
    st.tuples(st.just("up"), UNIT, UNIT),
    st.tuples(st.just("node"), st.integers(0, 400)),
    st.tuples(st.just("key"), st.integers(0, 320)),
    st.tuples(st.just("text"), st.text(max_size=12)),
    st.tuples(st.just("wait"), st.floats(0, 3)),
    st.tuples(st.just("open"), st.sampled_from(["com.tencent.mm", "com.android.settings", "com.android.chrome"])),
    st.tuples(st.just("turn"), st.integers(0, 3)),
    st.tuples(st.just("density"), st.sampled_from([None, 320, 560])),
)
SCENARIOS = st.sampled_from(
    [
        Scenario(),
        Scenario(permission_dialog=True, advert=True),
        Scenario(loading_ms=400, dark=True),
        Scenario(keyboard_covers=True, crash_after_taps=4),
        Scenario(missing_contacts=("张三", "Alice", "妈妈")),
    ]
)


def act(hand, bounds, step):
    """Do one step; returns whether it was a tap on 发送."""
    phone = hand.phone
    size = phone.size
    match step:
        case ("tap", x, y):
            hand.tap_at(x * size.width, y * size.height)
        case ("down", x, y):
            phone.touch_down(x * size.width, y * size.height)
        case ("move", x, y):
            phone.touch_move(x * size.width, y * size.height)
        case ("up", x, y):
            phone.touch_up(x * size.width, y * size.height)
        case ("node", number):
            nodes = [node for node in hand.nodes() if node.get("clickable") == "true"]
            if nodes:
                hand.tap_at(*bounds(nodes[number % len(nodes)]).center)
        case ("key", code):
            phone.key(code)
        case ("text", text):
            phone.type_text(text)
        case ("wait", seconds):
            hand.clock.pass_s(seconds)
        case ("open", package):
            phone.start_activity(Intent(package=package))
        case ("turn", rotation):
            phone.settings.put("system", "user_rotation", str(rotation))
        case ("density", density):
            phone.override_density(density)


def whole(hand, bounds):
    """The dump is well-formed and inside the screen."""
    size: Size = hand.phone.size
    for node in ET.fromstring(hand.phone.hierarchy()).iter("node"):
        box = bounds(node)
        assert 0 <= box.left < box.right <= size.width
        assert 0 <= box.top < box.bottom <= size.height


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scenario=SCENARIOS, steps=st.lists(STEPS, max_size=25))
def test_random_actions_keep_the_phone_consistent(make_hand, bounds, scenario, steps):
    hand = make_hand(scenario)
    for step in steps:
        sent_before, drafts = hand.sent(), hand.phone.state.draft
        act(hand, bounds, step)
        sent = hand.sent()
        if sent != sent_before:
            assert step[0] in ("tap", "up", "node"), "only a finger sends"
            new = [text for texts in sent.values() for text in texts][-1]
            assert drafts.strip()
            assert drafts in [text for texts in sent.values() for text in texts] or new == drafts
        whole(hand, bounds)
    assert hand.phone.frame().size == hand.phone.size


def test_long_random_session_reaches_many_screens(make_hand, bounds):
    dice = random.Random(20240607)
    hand = make_hand("permission,advert")
    seen = set()
    for _ in range(400):
        choice = dice.random()
        if choice < 0.75:
            act(hand, bounds, ("node", dice.randrange(400)))
        elif choice < 0.85:
            act(hand, bounds, ("key", dice.choice([4, 4, 3, 187, 67, 24])))
        elif choice < 0.92:
            act(hand, bounds, ("open", dice.choice(["com.tencent.mm", "com.android.settings", "com.android.dialer"])))
        else:
            act(hand, bounds, ("text", dice.choice(["张", "ab", "你好", "😀"])))
        state = hand.phone.state
        seen.add((state.app, state.screen))
        whole(hand, bounds)
        if dice.random() < 0.1:
            hand.phone.frame()
    assert len(seen) > 15
