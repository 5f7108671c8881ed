"""Tests of reply parsing: real replies are read correctly, ambiguous and unreadable ones are refused."""

import gc
import time
from contextlib import suppress
from math import isfinite

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reply_refused import REFUSED
from reply_table import NO, ROWS, UNREADABLE

from handeye.errors import InvalidReply
from handeye.geometry import Box, Size
from handeye.locate import parse_grounder_response
from handeye.models import Picture, Profile, SentImage, places
from handeye.models.families.general import FAMILIES
from handeye.models.families.lookup import profile_named
from handeye.models.families.profile import THINKING
from handeye.models.reply.objects import LOW
from handeye.models.reply.reader import read_reply
from handeye.testing.model_replies import write_box


@pytest.mark.parametrize(
    ("family", "reply", "expected"), ROWS, ids=[f"{at}-{row[0]}-{row[1][:30]!r}" for at, row in enumerate(ROWS)]
)
def test_reply_table_is_read_as_expected(family: str, reply: str, expected: list[tuple[float, ...]] | str) -> None:
    profile = profile_named(family)
    if expected == UNREADABLE:
        with pytest.raises(InvalidReply):
            read_reply(reply, profile)
        return
    read = read_reply(reply, profile)
    assert [place.numbers for place in read.places] == ([] if expected == NO else expected)


@pytest.mark.parametrize(
    ("family", "reply"), REFUSED, ids=[f"{at}-{row[0]}-{row[1][:30]!r}" for at, row in enumerate(REFUSED)]
)
def test_replies_resembling_a_place_are_not_read(family: str, reply: str) -> None:
    with suppress(InvalidReply):
        assert read_reply(reply, profile_named(family)).places == ()


@pytest.mark.parametrize("profile", FAMILIES, ids=lambda profile: profile.name)
@pytest.mark.parametrize(("opening", "closing"), THINKING)
def test_thinking_is_not_read_as_answer(profile: Profile, opening: str, closing: str) -> None:
    sent = SentImage(Picture(b""), Size(500, 500), Box(0, 0, 500, 500), Size(500, 500))
    first, second = (
        write_box(profile, sent, Box(at, at, at + 90, at + 90), "OK").rpartition("</think>")[2] for at in (100, 300)
    )
    read = read_reply(f"{opening}It may be {first}{closing}{second}", profile)
    assert read.places == read_reply(second, profile).places
    with pytest.raises(InvalidReply):
        read_reply(f"{opening}It may be {first}", profile)


def test_places_in_different_spaces_are_refused() -> None:
    reply = '[{"bbox":[100,100,200,200],"confidence":0.9},{"bbox":[1200,300,1300,400],"confidence":0.2}]'
    sent = SentImage(Picture(b""), Size(1500, 1500), Box(0, 0, 1500, 1500), Size(1500, 1500))
    with pytest.raises(InvalidReply, match="different spaces"):
        places(read_reply(reply, profile_named("generic")), sent, profile_named("generic"))


@pytest.mark.parametrize(
    ("stated", "confidence"),
    [
        ("0.8", 0.8), ("95", 0.95), ("5", 0.05), ("-1", 0.0), ("500", 0.0), ("true", 0.0), ("NaN", 0.0), ('"5%"', 0.05),
        ('"0.5%"', 0.005), ('"0.9"', 0.9), ('"4/5"', 0.0), ('"very low"', LOW), ('"low"', LOW), ('"unsure"', LOW),
        ('"high"', None), ("null", None),
    ],
)  # fmt: skip
def test_stated_confidence_is_read_conservatively(stated: str, confidence: float | None) -> None:
    (place,) = read_reply(f'{{"bbox": [1, 2, 3, 4], "confidence": {stated}}}', profile_named("generic")).places
    assert place.confidence == confidence


def test_bare_corners_are_a_box_for_point_families() -> None:
    """Not in the table: truncated after the first corner it is a complete point, which only the finish reason shows."""
    (place,) = read_reply("Save(460,66),(683,252)", profile_named("os-atlas-7b")).places
    assert (place.numbers, place.label) == ((460, 66, 683, 252), "Save")


@pytest.mark.parametrize(
    ("numbers", "middle"), [('x="0.5" y="0.8"', (5, 8)), ('x="0.55" y="0.81"', None), ('x="0" y="1"', (0, 10))]
)
def test_point_below_one_percent_is_read_as_percent(numbers: str, middle: tuple[int, int] | None) -> None:
    """Percent has one decimal place; a number with more may be a fraction of 1."""
    sent = SentImage(Picture(b""), Size(1000, 1000), Box(0, 0, 1000, 1000), Size(1000, 1000))
    read = read_reply(f"<point {numbers} alt='OK'>OK</point>", profile_named("molmo"))
    if middle is None:
        with pytest.raises(InvalidReply, match="within 0-1"):
            places(read, sent, profile_named("molmo"))
    else:
        (place,) = places(read, sent, profile_named("molmo")).places
        assert place.box.contains(middle)


def test_reply_table_rows_are_unique_and_sufficient() -> None:
    """At least 200 different rows."""
    assert len({(family, reply) for family, reply, _expected in ROWS}) == len(ROWS) >= 200


def test_not_found_reply_keeps_reason_and_suggestion() -> None:
    read = read_reply(
        '{"found": false, "reason": "a login page", "suggestion": "log in first"}', profile_named("generic")
    )
    assert (read.places, read.reason, read.suggestion) == ((), "a login page", "log in first")
    read = read_reply("There is no Save button on this page.", profile_named("generic"))
    assert read.reason == "There is no Save button on this page."


def test_labels_and_confidences_are_read() -> None:
    reply = '[{"bbox": [1, 2, 3, 4], "label": "Save", "confidence": 0.8}, {"bbox": [5, 6, 7, 8]}]'
    first, second = read_reply(reply, profile_named("generic")).places
    assert (first.label, first.confidence) == ("Save", 0.8)
    assert (second.label, second.confidence) == ("", None)


def test_invalid_reply_has_problem_and_quotes_reply() -> None:
    with pytest.raises(InvalidReply, match=r"begins with") as caught:
        read_reply('{"bbox": [1, 2, 3', profile_named("generic"))
    assert "cut off" in caught.value.problem
    assert caught.value.reply == '{"bbox": [1, 2, 3'


WORDS = """
0 1 2 9 10 99 100 512 999 1000 1001 -1 0.5 1.5 .5 1e9 1e999 NaN 065 00 १२ 六年 true false null None found bbox bbox_2d
box_2d point x y xmin ymin xmax ymax x1 y1 x2 y2 action name arguments label reason click tap type scroll do pyautogui.
Action: Thought: start_box= element= end_box= x= y= <box> </box> <|box_start|> <|box_end|> <bbox> </bbox> <point> </point> <ref>
</ref> <loc_5> <loc_9999999> <think> </think> ◁think▷ <answer> </answer> <|begin_of_box|> <|end_of_box|> <tool_call>
</tool_call> <function=click> <parameter=x> </parameter> ```json ``` // /* */ cannot find not 未找到 😀 {"found":true,"bbox":[
{"bbox_2d":[1,2,3,4]} [1,2] (1,2),(3,4) click(start_box='(1,2)')
"""
PIECES = [*WORDS.split(), *"[](){}<>,:;.=\"'\\/-+ \n%|#*_`“”，：（）\u202e\ufeff\x00", '<point x="1" y="2" alt="a">']
FAMILY_NAMES = [profile.name for profile in FAMILIES]
REPLIES = [row[1] for row in (*ROWS, *REFUSED)]
SENT = SentImage(Picture(b""), Size(1000, 700), Box(10, 20, 1090, 2420), Size(1100, 2500))


@st.composite
def changed_replies(draw: st.DrawFn) -> str:
    """A reply of the table with parts cut out, doubled, or replaced by what stands in others."""
    text = draw(st.sampled_from(REPLIES))
    for _change in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        text = text[:start] + draw(st.sampled_from(["", *PIECES, text[start:end] * 2])) + text[end:]
    return text


ANY_REPLY = st.one_of(
    changed_replies(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.text(max_size=200)
)


def check(text: str, family: str) -> None:
    """Only InvalidReply comes out of it, and what is read lies on the part that was sent."""
    profile = profile_named(family)
    try:
        read = read_reply(text, profile)
        found = places(read, SENT, profile)
    except InvalidReply:
        return
    for said in read.places:
        assert len(said.numbers) in (2, 4)
        assert all(isfinite(number) for number in said.numbers)
    for place in found.places:
        assert place.box.clip(SENT.frame) == place.box
        left, top = place.box.center
        assert SENT.part.contains((left, top))


@settings(max_examples=600, deadline=None)
@given(ANY_REPLY, st.sampled_from(FAMILY_NAMES))
def test_any_text_is_read_or_invalid_reply(text: str, family: str) -> None:
    check(text, family)


@pytest.mark.soak
@settings(max_examples=400_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(ANY_REPLY, st.sampled_from(FAMILY_NAMES))
def test_any_text_is_read_or_invalid_reply_soak(text: str, family: str) -> None:
    check(text, family)


def test_truncated_reply_never_gives_another_place() -> None:
    """At every length: never another box, and never "not found"."""
    for family, text, expected in ROWS:
        if expected in (NO, UNREADABLE):
            continue
        for length in range(len(text)):
            with suppress(InvalidReply):
                said = [place.numbers for place in read_reply(text[:length], profile_named(family)).places]
                assert said == expected[: len(said) or 1], text[:length]


REPEATED = [
    "[", "{", "(", '{"a":', '{"bbox":[1,2,3,4]}', "[1,", "[1,2] ", "(1,2),", '"', "'", '{"a":"', "\\", "/*", "[/*", "# ", "1 ",
    "1,", "9", "<box>", "<box>(1,2)", "<box ", '<point x="1" ', "<loc_1>", "<think>", "</think>", "<answer>", "click(", "a.",
    "<|begin_of_box|>", "a(", "click(x=1,", "<function=click>", "<parameter=x>", "```json", "“", "《", "can't ", "没有", " ",
    "\n", "{}", "[{}]", "<ref>x", "[1,2] and ", "-1 ", "<tool_call>{",
]  # fmt: skip
SHORT, LONG = 6_000, 24_000
# Linear is 4; timers and the collector make it 6 at times; quadratic is 16.
MOST_GROWTH = 9
# Below this a measurement is noise: two passes over a text take longer.
NOISE_S = 0.002


# Another process on the core is not the reader's doing: the best of some counts.
TRIES = 6


def seconds(text: str) -> float:
    gc.disable()
    try:
        start = time.process_time()
        with suppress(InvalidReply):
            read_reply(text, profile_named("generic"))
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize("piece", REPEATED)
def test_reading_time_is_linear_in_reply_length(piece: str) -> None:
    # Whole pieces: a cut one ends the reading elsewhere, and at another price.
    short, long = (piece * (length // len(piece)) for length in (SHORT, LONG))
    limit = MOST_GROWTH * max(min(seconds(short) for _ in range(3)), NOISE_S)
    assert any(seconds(long) < limit for _ in range(TRIES))


@pytest.mark.parametrize("piece", ["<think>", "</think>", "x", "[1,2]", "<think></think>"])
def test_megabyte_of_garbage_is_refused(piece: str) -> None:
    with pytest.raises(InvalidReply):
        read_reply(piece * (1_000_000 // len(piece)), profile_named("generic"))


def test_long_thinking_does_not_hide_the_answer() -> None:
    read = read_reply("<think>" + "[1, 2] or " * 100_000 + "</think>[3, 4]", profile_named("qwen3-vl"))
    assert [place.numbers for place in read.places] == [(3, 4)]


@pytest.mark.parametrize(
    ("reply", "box"),
    [
        ('{"found": true, "bbox": [0.1, 0.2, 0.3, 0.4],} // here', (100, 200, 300, 400)),
        ('[{"found": true, "bbox": [0.1, 0.2, 0.3, 0.4]}]', (100, 200, 300, 400)),
        ('{"found": true, "bbox": [0.1, 0.2, 0.3, 0.4], "description": "cut o', (100, 200, 300, 400)),
        ('{"found": true, "bbox": [0.1, 0.2, 0.3, 0.', None),
        ('{"found": true, "bbox": [0.1, 0.2, 0.3, 0.4]} no, {"found": true, "bbox": [0.5, 0.6, 0.7, 0.8]}', None),
    ],
)
def test_grounder_response_is_parsed_strictly(reply: str, box: tuple[int, ...] | None) -> None:
    found = parse_grounder_response(reply, 1000, 1000, {"role": "button", "text": "OK"})
    assert (found and found.bbox) == box
