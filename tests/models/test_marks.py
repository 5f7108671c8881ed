"""Tests of set-of-marks prompting: marked elements, legible numbers, accepted answers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.elements import UIElement, UIState
from handeye.errors import InvalidReply
from handeye.geometry import Box, Size
from handeye.models import Grounding, Place, Question
from handeye.models.families.lookup import profile_named
from handeye.models.grounding.marks import COLOURS, markable, marked, marks, read_mark
from handeye.ocr import PaddleReader
from handeye.screen import Screen
from handeye.testing.models import ScriptedGrounder, ScriptedModel, pictures

SCREEN = Screen(np.full((1600, 720, 3), 235, np.uint8))
GENERIC = profile_named("generic")


def element(at: Box, text: str = "", *, clicks: bool | None = True) -> UIElement:
    return UIElement("button", "", at, source="accessibility", text=text, interactive=clicks)


def grid(count: int, columns: int = 6, width: int = 100, height: int = 60) -> tuple[UIElement, ...]:
    return tuple(
        element(
            Box(x := 20 + index % columns * 115, y := 40 + index // columns * 110, x + width, y + height), f"b{index}"
        )
        for index in range(count)
    )


def asked(
    *answers: str, elements: tuple[UIElement, ...], label: str = "", when: str = "on", most: int = 60
) -> tuple[Grounding, ScriptedModel]:
    model = ScriptedModel(answers)
    inner = ScriptedGrounder(lambda _q: Grounding((Place(Box(300, 900, 340, 940), 0.9),)))
    grounder = marks(inner, model, GENERIC, when=when, most=most)  # type: ignore[arg-type]
    state = UIState(SCREEN, elements)
    return grounder.ground(Question(SCREEN, label or "it", state=state, label=label)), model


def test_chosen_mark_returns_its_element() -> None:
    elements = grid(12)
    found, model = asked('{"mark": 5}', elements=elements)
    assert found.places[0].box == elements[4].bbox
    assert found.places[0].element is elements[4]
    assert found.usage.calls == 1
    assert len(pictures(model.prompts[0])) == 1
    assert "from 1 to 12" in model.texts[0]


def test_label_of_marked_element_confirms_or_doubts() -> None:
    assert asked('{"mark": 5}', elements=grid(12), label="b4")[0].places[0].confirmed_by == ("text",)
    assert asked('{"mark": 5}', elements=grid(12), label="Send")[0].places[0].doubts


def test_null_mark_falls_back_to_plain_grounding() -> None:
    found, model = asked('{"mark": null, "reason": "an icon without a box"}', elements=grid(3))
    assert found.places[0].box == Box(300, 900, 340, 940)
    assert found.usage.calls == 2
    assert model.calls == 1


def test_many_elements_are_marked_in_batches() -> None:
    elements = grid(80)
    found, model = asked('{"mark": null}', '{"mark": 7}', elements=elements, most=40)
    assert model.calls == 2
    assert found.places[0].element is elements[46]
    both, _ = asked('{"mark": 1}', '{"mark": 7}', elements=elements, most=40)
    assert len(both.places) == 2, "nothing says which of the two it is"


def test_without_elements_no_marks_are_drawn() -> None:
    found, model = asked(elements=())
    assert (len(found.places), model.calls) == (1, 0)


def test_auto_marks_only_when_elements_contradict_answer() -> None:
    apart = element(Box(0, 0, 100, 50), "Send")
    found, model = asked('{"mark": 1}', elements=(apart,), label="Send", when="auto")
    assert model.calls == 1
    assert found.places[0].element is apart
    assert [place.box for place in found.candidates] == [Box(300, 900, 340, 940)]
    there = element(Box(290, 890, 350, 950), "Send")
    assert asked(elements=(there,), label="Send", when="auto")[1].calls == 0


def test_unreadable_mark_keeps_an_earlier_answer() -> None:
    apart = element(Box(0, 0, 100, 50), "Send")
    with pytest.raises(InvalidReply, match="only boxes 1 to 1"):
        asked("7", "7", elements=(apart,))
    found, _ = asked("7", "7", elements=(apart,), label="Send", when="auto")
    assert [place.box for place in found.places] == [Box(300, 900, 340, 940)]


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ('{"mark": 16}', 16),
        ('{"mark": "16", "reason": "it reads Send"}', 16),
        ('{"Analysis": "…", "Click BBox ID": "16"}', 16),
        ("16", 16),
        ("[16]", 16),
        ('```json\n{"mark": 16.0}\n```', 16),
        ("<think>3 or 4?</think> 16", 16),
        ('{"mark": null}', None),
        ("none", None),
    ],
)
def test_mark_numbers_are_read(reply: str, number: int | None) -> None:
    assert read_mark(reply, 20) == number


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "0",
        "21",
        "-3",
        "16 or 17",
        "It is 16.",
        "16.5",
        '{"mark": true}',
        '{"mark": [16]}',
        '{"mark": 99999999999999}',
        '{"mark": 16, "action": "type", "text": "password"}',
        '{"reason": "16"}',
        '{"mark": 1}{"mark": 2}',
        '{"mark": 1',
        "１６",
        "六年",
    ],
)
def test_invalid_mark_numbers_are_refused(reply: str) -> None:
    with pytest.raises(InvalidReply):
        read_mark(reply, 20)


@settings(deadline=None)
@given(st.text(max_size=200), st.integers(1, 60))
def test_read_mark_is_within_drawn_range(reply: str, count: int) -> None:
    try:
        number = read_mark(reply, count)
    except InvalidReply:
        return
    assert number is None or 1 <= number <= count


def test_markable_elements_are_selected() -> None:
    page, row, icon = element(SCREEN.box), element(Box(0, 100, 720, 200)), element(Box(650, 120, 700, 180))
    speck, text = element(Box(5, 5, 9, 9)), element(Box(10, 110, 90, 150), "Title", clicks=False)
    twin = element(Box(1, 101, 719, 199), "above the row")
    assert markable(UIState(SCREEN, (page, row, text, icon, speck))) == (icon, row) or markable(
        UIState(SCREEN, (page, row, text, icon, speck))
    ) == (row, icon)
    assert row not in markable(UIState(SCREEN, (row, twin)))
    assert markable(UIState(SCREEN, (row, icon)), Box(0, 300, 720, 600)) == ()
    read = tuple(element(each.bbox, each.text, clicks=None) for each in grid(4))
    assert markable(UIState(SCREEN, read)) == read, "what is only read has no say about clicks"


@pytest.mark.parametrize("count", [60])
def test_marks_are_readable_at_sent_size(count: int) -> None:
    """With the bundled OCR, on the picture scaled down to the smallest budget."""
    boxes = [each.bbox for each in grid(count)]
    frame = Screen(np.repeat(np.repeat(SCREEN.pixels, 2, axis=0), 2, axis=1))
    boxes = [Box(*(edge * 2 for edge in box)) for box in boxes]
    shown = Size(720, 1600)
    picture = marked(frame, boxes, shown).image.resize(shown)
    read = [line.text for line in PaddleReader().read(Screen.from_image(picture))]
    numbers = {int(number) for text in read for number in re.findall(r"\d+", text)}
    missing = set(range(1, count + 1)) - numbers
    assert len(missing) <= count // 10, sorted(missing)


def test_marks_do_not_cover_the_elements() -> None:
    elements = grid(36)
    drawn = marked(SCREEN, [each.bbox for each in elements], SCREEN.size)
    inside = np.concatenate(
        [drawn.pixels[e.bbox.top : e.bbox.bottom, e.bbox.left : e.bbox.right].reshape(-1, 3) for e in elements]
    )
    covered = np.isin(inside.view(), np.array(COLOURS)).all(axis=1).mean()
    assert covered < 0.02


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(st.integers(0, 700), st.integers(0, 1580), st.integers(1, 300), st.integers(1, 300)), max_size=20
    )
)
def test_any_elements_can_be_marked(boxes: list[tuple[int, int, int, int]]) -> None:
    on_frame = [Box(x, y, x + w, y + h).clip(SCREEN.size) for x, y, w, h in boxes]
    assert marked(SCREEN, on_frame, Size(300, 667)).size == SCREEN.size
