"""Tests of scrolling elements into view where the toolkit has no command for it, on a scripted application."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("dbus_fast")
from dbus_fast import Variant
from scripted_accessible import SEEN, WINDOW, ScriptedApplication, Thing, frame

from handeye.errors import DeviceError, UnsupportedAction
from handeye.perceive import Control
from handeye.perceive.atspi import AtspiStateProvider
from handeye.perceive.atspi.protocol import FOCUSABLE
from optional_programs import need

Reply = tuple[str, list[Any]]


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedApplication]:
    need("dbus-daemon", "dbus")
    application = ScriptedApplication()
    yield application
    application.close()


@pytest.fixture
def area(running: ScriptedApplication) -> ScrollArea:
    return ScrollArea(running)


class ScrollArea:
    """
    As Qt tells one: a viewport of 200 pixels with a page of 1,000 in it, and beside it a scroll bar in a box of its own. The
    button "Far" stands 500 pixels down the page.
    """

    def __init__(self, application: ScriptedApplication) -> None:
        self.application = application
        self.value = 0.0
        self.asked: list[tuple[str, str]] = []
        self.moves = True
        application.things = {
            "frame": frame("area"),
            "area": Thing("filler", box=(110, 60, 200, 200), children=["viewport", "box"]),
            "viewport": Thing("viewport", box=(110, 60, 185, 200), children=["page"]),
            "page": Thing("filler", box=(110, 60, 185, 1000), children=["far"]),
            "far": Thing("push button", "Far", box=(120, 560, 80, 30)),
            "box": Thing("filler", box=(295, 60, 15, 200), children=["bar"]),
            "bar": Thing("scroll bar", box=(295, 60, 15, 200)),
        }
        application.answer = lambda member, path: None
        application.answer_to = self._answer

    def _answer(self, member: str, path: str, body: list[Any]) -> Reply | None:
        if path == "bar":
            if len(body) == 3:  # it is set
                self.turn(body[2].value)
                return "v", [Variant("b", True)]
            told = {"MinimumValue": 0.0, "MaximumValue": 800.0, "CurrentValue": self.value}
            return ("d", [told[member]]) if member in told else None
        self.asked.append((member, path))
        return ("b", [True]) if member == "GrabFocus" else None

    def turn(self, to: float) -> None:
        self.value = to
        things = self.application.things
        for name, top in (("page", 60), ("far", 560)):
            x, _, width, height = things[name].box
            things[name] = replace(things[name], box=(x, round(top - to) if self.moves else top, width, height))


def far_in(area: ScrollArea, provider: AtspiStateProvider) -> Control:
    targets, controls = provider.detect(WINDOW)
    (control,) = (control for each, control in zip(targets, controls, strict=True) if each.text == "Far")
    assert control is not None
    return control


@pytest.fixture
def provider(running: ScriptedApplication) -> Iterator[AtspiStateProvider]:
    with AtspiStateProvider(environment=running.environment) as provider:
        yield provider


def test_scroll_bar_is_set_to_reveal_the_element(area: ScrollArea, provider: AtspiStateProvider) -> None:
    far = far_in(area, provider)
    assert far.box() is None
    far.scroll_into_view()
    assert area.value == 330
    assert far.box() == (120, 230, 200, 260)
    far.scroll_into_view()
    assert area.value == 330


def test_element_above_is_scrolled_to_the_top(area: ScrollArea, provider: AtspiStateProvider) -> None:
    area.turn(700)
    far = far_in(area, provider)
    far.scroll_into_view()
    assert area.value == 500
    assert far.box() == (120, 60, 200, 90)


def test_element_not_revealed_by_scroll_bar_fails(area: ScrollArea, provider: AtspiStateProvider) -> None:
    area.moves = False
    with pytest.raises(DeviceError, match="did not come"):
        far_in(area, provider).scroll_into_view()


def test_element_not_revealed_by_focus_fails(area: ScrollArea, provider: AtspiStateProvider) -> None:
    things = area.application.things
    things["area"] = replace(things["area"], children=["viewport"])
    things["far"] = replace(things["far"], states=SEEN | FOCUSABLE)
    with pytest.raises(DeviceError, match="did not come"):
        far_in(area, provider).scroll_into_view()
    assert ("GrabFocus", "far") in area.asked


def test_element_without_scrolling_or_focus_is_unsupported(area: ScrollArea, provider: AtspiStateProvider) -> None:
    things = area.application.things
    things["area"] = replace(things["area"], children=["viewport"])
    with pytest.raises(UnsupportedAction):
        far_in(area, provider).scroll_into_view()


def test_children_of_huge_siblings_are_not_read(area: ScrollArea, provider: AtspiStateProvider) -> None:
    """Another page beside it may be a table of 65,000 cells."""
    things = area.application.things
    things["other"] = Thing("filler", box=(110, 60, 15, 200), claims=65_013)
    things["area"] = replace(things["area"], children=["other", "viewport", "box"])
    far = far_in(area, provider)
    area.asked.clear()
    far.scroll_into_view()
    assert ("GetChildren", "other") not in area.asked
    assert area.value == 330
