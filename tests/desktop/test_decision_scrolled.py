"""Tests of finding elements that are scrolled out of view, on a desktop in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handeye.desktop import WindowState
from handeye.desktop.effects import DEADLINE_S
from handeye.desktop.element_finder import DecisionTree
from handeye.desktop.menus import Decision
from handeye.devices import Window
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, DeviceError, DeviceLost, TargetNotFound
from handeye.geometry import Box
from handeye.perceive import Control, Detection
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock

WINDOW: Window = replace(fake_window(7, "Notes", Box(100, 100, 500, 400)), focused=True)
NOWHERE = Box(0, 0, 0, 0)


class Page:
    """A window that scrolls to what it is told to: `steps` places one after the other, the last one for ever."""

    def __init__(self, *elements: UIElement, steps: tuple[Box, ...] = (Box(120, 300, 180, 320),)) -> None:
        self.elements = [element("window", "Notes", (100, 100, 500, 400), parent=None), *elements]
        self.steps = list(steps)
        self.notes: tuple[str, ...] = ()
        self.error: DeviceError | None = None
        self.scrolled: str | None = None
        self.clock = FakeClock()

    def decide(self, phrase: str) -> Decision:
        return DecisionTree(FakeDesktop([WINDOW]), self._look, clock=self.clock).decide(phrase)

    def _look(self, infer: bool, vision: bool) -> WindowState:
        numbered = []
        for number, each in enumerate(self.elements, 1):
            if each.text == self.scrolled and each.metadata.get("offscreen"):
                box = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
                each = replace(each, bbox=box, metadata={} if box.area else each.metadata)
            numbered.append(replace(each, id=number))
        controls: tuple[Control | None, ...] = tuple(Handle(self, each.text) for each in numbered)  # type: ignore[misc]
        return WindowState(WINDOW, Detection(tuple(numbered), controls, self.notes), infer, vision)


class Handle:
    """The part of a Control that is used here."""

    def __init__(self, page: Page, name: str) -> None:
        self._page, self._name = page, name

    def scroll_into_view(self) -> None:
        if self._page.error is not None:
            raise self._page.error
        self._page.scrolled = self._name


def element(
    role: str, name: str, box: tuple[int, int, int, int] | None = None, parent: int | None = 1, **about: object
) -> UIElement:
    out = {} if box else {"offscreen": True}
    place = Box(*box) if box else NOWHERE
    return UIElement(
        role,
        "",
        place,
        text=name,
        parent=parent,
        source="accessibility",
        interactive=role != "text",
        metadata={**out, **about},
    )


FAR = element("button", "btn 4.7")


@pytest.mark.parametrize("phrase", ["btn 4.7", 'the button "btn 4.7"'])
def test_offscreen_element_is_scrolled_into_view_and_found(phrase: str) -> None:
    page = Page(element("button", "btn 0.0", (110, 110, 150, 130)), FAR)
    decision = page.decide(phrase)
    assert (decision.tier, decision.element.text, decision.element.bbox) == ("1", "btn 4.7", (120, 300, 180, 320))
    assert "scrolled into it" in decision.attempts[-1].note


def test_scrolled_element_is_awaited_until_it_rests() -> None:
    page = Page(FAR, steps=(NOWHERE, Box(120, 380, 180, 400), Box(120, 340, 180, 360), Box(120, 300, 180, 320)))
    assert page.decide("btn 4.7").element.bbox == (120, 300, 180, 320)


def test_element_that_does_not_scroll_times_out() -> None:
    page = Page(FAR, steps=(NOWHERE,))
    with pytest.raises(TargetNotFound, match="did not scroll it into view"):
        page.decide("btn 4.7")
    assert page.clock.now() - FakeClock().now() == pytest.approx(DEADLINE_S), "no longer than for another effect"


def test_error_explains_why_element_cannot_be_scrolled() -> None:
    page = Page(FAR)
    page.error = DeviceError("the button does not offer it")
    with pytest.raises(TargetNotFound, match="stays there: the button does not offer it"):
        page.decide("btn 4.7")


def test_closed_application_is_device_lost_not_target_missing() -> None:
    page = Page(FAR)
    page.error = DeviceLost("the application was closed")
    with pytest.raises(DeviceLost):
        page.decide("btn 4.7")


def test_two_offscreen_matches_are_ambiguous() -> None:
    page = Page(FAR, FAR)
    with pytest.raises(AmbiguousTarget):
        page.decide("btn 4.7")
    assert page.scrolled is None


def test_covered_match_prevents_scrolling_to_offscreen_match() -> None:
    covered = element("button", "btn 4.7", (110, 110, 150, 130))
    lid = element("image", "a picture", (100, 100, 300, 200), interactive=True)
    page = Page(FAR, covered, replace(lid, interactive=True))
    with pytest.raises(TargetNotFound):
        page.decide("btn 4.7")
    assert page.scrolled is None


def test_offscreen_control_and_its_label_are_one_element() -> None:
    page = Page(FAR, element("text", "btn 4.7", parent=2))
    assert page.decide('the button "btn 4.7"').element.element_type == "button"


def test_element_of_other_role_is_not_scrolled_to() -> None:
    page = Page(element("text", "btn 4.7"))
    with pytest.raises(TargetNotFound):
        page.decide('the checkbox "btn 4.7"')
    assert page.scrolled is None


@pytest.mark.parametrize("phrase", ["the second btn 4.7", "the button left of btn 4.7"])
def test_ordinal_and_positional_phrases_do_not_scroll(phrase: str) -> None:
    page = Page(FAR)
    with pytest.raises(TargetNotFound):
        page.decide(phrase)
    assert page.scrolled is None


def test_not_found_error_mentions_unread_elements() -> None:
    page = Page()
    page.notes = ("the table 'Big' has 5,000 children: only those that can be seen were read",)
    with pytest.raises(TargetNotFound, match="not all was read: the table 'Big'"):
        page.decide("row 4000")
