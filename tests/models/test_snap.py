"""Tests of snapping: onto the clickable element, never onto another label, never far away."""

from __future__ import annotations

import numpy as np
import pytest

from handeye.elements import UIElement, UIState
from handeye.geometry import Box
from handeye.models import Grounding, Place, Question
from handeye.models.grounding.snap import snap
from handeye.models.grounding.tree_agreement import TreeAgreement, agreement_at, compared, is_shown_elsewhere
from handeye.screen import Screen
from handeye.testing.models import ScriptedGrounder

SCREEN = Screen(np.zeros((2400, 1080, 3), np.uint8))


def element(
    text: str,
    at: tuple[int, int, int, int],
    *,
    clicks: bool | None = True,
    about: str = "",
    source: str = "accessibility",
) -> UIElement:
    return UIElement("button", about, Box(*at), source=source, text=text, interactive=clicks)


def snapped(place: Place, *elements: UIElement, label: str = "") -> Place:
    model = ScriptedGrounder(lambda _question: Grounding((place,)))
    answer = snap(model).ground(Question(SCREEN, label or "x", state=UIState(SCREEN, elements), label=label))
    assert answer.usage.calls == 1, "snapping costs no call"
    return answer.places[0]


def test_box_snaps_to_enclosing_element() -> None:
    place = snapped(Place(Box(100, 100, 180, 160)), element("", (90, 90, 190, 170)))
    assert place.box == Box(90, 90, 190, 170)
    assert place.element is not None
    assert not place.confirmed_by, "an element without a text bears nothing out"


def test_matching_label_confirms_the_place() -> None:
    place = snapped(Place(Box(100, 100, 180, 160)), element("Send", (90, 90, 190, 170)), label="send")
    assert place.confirmed_by == ("text",)


def test_clickable_element_wins_over_its_label() -> None:
    button, label = element("", (0, 0, 200, 100)), element("Send", (50, 30, 150, 70), clicks=False)
    place = snapped(Place(Box(60, 35, 140, 65)), button, label, label="Send")
    assert place.box == button.bbox
    assert place.confirmed_by == ("text",)


def test_place_does_not_snap_to_other_label() -> None:
    place = snapped(Place(Box(100, 100, 180, 160)), element("Cancel", (90, 90, 190, 170)), label="Send")
    assert place.box == Box(100, 100, 180, 160)
    assert place.element is None
    assert place.doubts == ("'Cancel' is read there",)


@pytest.mark.parametrize("text", ["Don't send", "Send all", "Resend", "Item 1"])
def test_additional_words_are_another_label(text: str) -> None:
    assert snapped(Place(Box(9, 9, 20, 20)), element(text, (0, 0, 90, 40)), label="Send").doubts


@pytest.mark.parametrize("text", ["Inbox (12)", "3 Inbox", "Inbox 99+"])
def test_count_next_to_label_is_neutral(text: str) -> None:
    place = snapped(Place(Box(9, 9, 40, 30)), element(text, (0, 0, 50, 40)), label="Inbox")
    assert (place.confirmed_by, place.doubts) == ((), ())


def test_page_sized_element_is_not_snapped_to() -> None:
    assert snapped(Place(Box(100, 100, 180, 160)), element("", (0, 0, 1080, 1300))).box == Box(100, 100, 180, 160)


def test_icon_in_wide_row_is_not_snapped() -> None:
    icon = Box(1000, 520, 1048, 568)
    assert snapped(Place(icon), element("", (0, 480, 1080, 620))).box == icon
    point = Place(Box.at((1024, 544), 4), is_point=True)
    assert snapped(point, element("", (0, 480, 1080, 620))) == point


def test_point_snaps_to_small_element_under_it() -> None:
    point = Place(Box.at((140, 130), 4), is_point=True)
    place = snapped(point, element("", (100, 100, 172, 172)))
    assert place.box == Box(100, 100, 172, 172)
    assert not place.is_point


def test_content_description_confirms_but_never_contradicts() -> None:
    place = Place(Box(10, 10, 60, 60))
    assert snapped(place, element("", (0, 0, 80, 80), about="Back"), label="Back").confirmed_by == ("text",)
    assert not snapped(place, element("", (0, 0, 80, 80), about="Navigate up"), label="Back").doubts


def test_ocr_misreading_is_tolerated_but_not_tree_text() -> None:
    place = Place(Box(10, 10, 60, 30))
    assert not snapped(place, element("Setlings", (0, 0, 80, 40), source="ocr", clicks=None), label="Settings").doubts
    assert snapped(place, element("Item 2", (0, 0, 80, 40)), label="Item 1").doubts


def test_places_on_one_element_are_merged() -> None:
    button = element("", (0, 0, 100, 100))
    model = ScriptedGrounder(lambda _q: Grounding((Place(Box(10, 10, 80, 80)), Place(Box(20, 20, 90, 90)))))
    answer = snap(model).ground(Question(SCREEN, "x", state=UIState(SCREEN, (button,))))
    assert len(answer.places) == 1


def test_without_ui_state_places_are_unchanged() -> None:
    model = ScriptedGrounder(lambda _q: Grounding((Place(Box(10, 10, 80, 80)),)))
    assert snap(model).ground(Question(SCREEN, "x")).places == (Place(Box(10, 10, 80, 80)),)
    assert snap(model, when="off") is model


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Send", " send "),
        ("ＯＫ", "OK"),
        ("发送。", "发送"),
        ("Sign\u200bin", "Sign in"),
        ("Straße", "STRASSE"),
    ],
)
def test_equal_labels_compare_equal(one: str, other: str) -> None:
    assert compared(one) == compared(other)


@pytest.mark.parametrize(("one", "other"), [("-5", "5"), ("A-", "A"), (".5", "5"), ("C#", "C"), ("Save", "Safe")])
def test_different_labels_compare_unequal(one: str, other: str) -> None:
    assert compared(one) != compared(other)


def test_agreement_of_elements_with_a_place() -> None:
    state = UIState(SCREEN, (element("Send", (0, 0, 100, 50)), element("Cancel", (200, 0, 300, 50))))
    assert agreement_at(state, Box(10, 10, 30, 30), "Send") is TreeAgreement.SAME
    assert agreement_at(state, Box(210, 10, 230, 30), "Send") is TreeAgreement.OTHER
    assert agreement_at(state, Box(500, 500, 530, 530), "Send") is TreeAgreement.OPEN
    assert agreement_at(state, Box(10, 10, 30, 30), "") is TreeAgreement.OPEN
    assert agreement_at(None, Box(10, 10, 30, 30), "Send") is TreeAgreement.OPEN
    assert is_shown_elsewhere(state, Box(500, 500, 530, 530), "Send")
    assert is_shown_elsewhere(state, None, "Send")
    assert not is_shown_elsewhere(state, Box(90, 40, 130, 90), "Send")
    assert not is_shown_elsewhere(state, Box(90, 40, 130, 90), "")
