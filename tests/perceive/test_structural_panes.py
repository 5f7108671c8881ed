"""Tests of splitters, resize handles and panel grips inferred from boxes alone (docs/spec/perception-tiers.md, tier 1+)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from structural_targets import inferred, target

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive import StructuralInferenceProvider
from handeye.testing.perceiving import FixedProvider, window_of


def test_splitter_is_centred_in_the_gap() -> None:
    found = inferred(
        [
            target(1, "pane", (0, 0, 200, 600), "Folders"),
            target(2, "pane", (206, 0, 900, 600), "Files"),
        ]
    )
    splitter = found["splitter between Folders and Files"]
    assert splitter.center.x == 203
    assert (splitter.bbox.top, splitter.bbox.bottom) == (0, 600)


def test_unnamed_panes_are_described_by_side() -> None:
    found = inferred([target(1, "pane", (0, 0, 200, 600)), target(2, "tree", (205, 0, 900, 600))])
    assert list(found) == ["splitter between the left pane and the right tree"]


def test_stacked_panes_have_a_horizontal_splitter() -> None:
    found = inferred([target(1, "pane", (0, 0, 800, 300), "Code"), target(2, "pane", (0, 305, 800, 600), "Output")])
    assert found["splitter between Code and Output"].center.y == 303


def test_tool_bar_with_leading_gap_has_grip() -> None:
    with_grip = [target(1, "toolbar", (0, 20, 800, 50), "Tools"), target(2, "button", (13, 24, 60, 46), "New", 1)]
    assert inferred(with_grip)["panel grip of Tools"].bbox == (0, 20, 13, 50)
    without = [with_grip[0], replace(with_grip[1], bbox=Box(4, 24, 60, 46))]
    assert not inferred(without)


def test_gtk_and_qt_scroll_panes_have_no_splitter() -> None:
    """Split panes have a role of their own there: panes stacked with a gap are a form."""
    panes = [
        (
            target(1, "pane", (191, 157, 1089, 317), toolkit=toolkit),
            target(2, "pane", (191, 325, 1089, 485), toolkit=toolkit),
        )
        for toolkit in ("gtk", "Qt")
    ]
    assert not any(map(inferred, panes))


def dock(number: int, box: tuple[int, int, int, int], name: str, *, closes: bool = True) -> list[UIElement]:
    """A QDockWidget as Qt 6 says it: a panel called by its title, with buttons in its corner that close and float it."""
    left, top, right, _ = box
    panel = target(number, "pane", box, name, 1, toolkit="Qt", **{"class": "panel"})
    close = target(number + 1, "button", (right - 19, top + 2, right - 1, top + 16), "Close", number, toolkit="Qt")
    inside = target(number + 1, "button", (left + 9, top + 29, right - 9, top + 53), "Apply", number, toolkit="Qt")
    return [panel, close if closes else inside]


@pytest.mark.parametrize("closes", [True, False])
def test_closable_qt_dock_has_splitters(closes: bool) -> None:
    """Whatever the central widget is. Group boxes are panels with the same gap, and have no splitter."""
    targets = [
        target(1, "window", (190, 88, 1090, 728), "Editor", toolkit="Qt", **{"class": "frame"}),
        target(2, "group", (190, 142, 828, 706), parent=1, toolkit="Qt", **{"class": "filler"}),
        target(3, "input", (192, 171, 826, 704), "what somebody wrote", 2, toolkit="Qt"),
        target(4, "toolbar", (190, 110, 1090, 142), "Tools", 1, toolkit="Qt"),
        target(5, "status bar", (190, 706, 1090, 728), "Ready", 1, toolkit="Qt"),
        *dock(6, (834, 142, 1090, 400), "Outline", closes=closes),
        *dock(8, (834, 406, 1090, 706), "Problems", closes=closes),
    ]
    expected = {
        "splitter between the left group and Outline": (828, 142, 834, 400),
        "splitter between the left group and Problems": (828, 406, 834, 706),
        "splitter between Outline and Problems": (834, 400, 1090, 406),
    }
    assert {name: tuple(each.bbox) for name, each in inferred(targets).items()} == (expected if closes else {})


def test_form_fields_have_no_splitters() -> None:
    targets = [
        target(1, "input", (0, 0, 100, 24), "a"),
        target(2, "input", (0, 30, 100, 54), "b"),
        target(3, "button", (106, 0, 200, 24), "c"),
        target(4, "pane", (0, 60, 30, 90)),
        target(5, "pane", (36, 60, 66, 90)),
    ]
    assert not inferred(targets)


def test_nested_panes_have_one_splitter() -> None:
    targets = [
        target(1, "splitter", (0, 0, 900, 600)),
        target(2, "pane", (0, 0, 200, 600), parent=1),
        target(3, "list", (0, 0, 200, 600), "Places", 2),
        target(4, "pane", (205, 0, 900, 600), parent=1),
        target(5, "tree", (205, 0, 900, 600), "Mail", 4),
    ]
    assert list(inferred(targets)) == ["splitter between Places and Mail"]
    flat = [replace(each, parent=None) for each in targets[1:]]
    assert len(inferred(flat)) == 1


def test_visible_handle_is_named_by_adjacent_panes() -> None:
    targets = [
        target(1, "splitter", (0, 0, 900, 600)),
        target(2, "list", (0, 0, 200, 600), "Places", 1),
        target(3, "document", (204, 0, 900, 600), "text that somebody wrote", 1),
        target(4, "grip", (200, 0, 204, 600), parent=1),
    ]
    listed = StructuralInferenceProvider(FixedProvider(targets)).detect(window_of()).targets
    assert [each.element_type for each in listed] == ["splitter", "list", "document", "splitter"]
    handle = listed[3]
    assert (handle.description, handle.center.x, handle.id) == (
        "splitter between Places and the right document",
        202,
        4,
    )
    assert handle.metadata["derived_from"].endswith("using A=[2] List, B=[3] Document")


def test_handle_off_centre_keeps_its_position() -> None:
    targets = [
        target(1, "splitter", (0, 0, 900, 600)),
        target(2, "list", (0, 0, 200, 600), "Places", 1),
        target(3, "grip", (200, 0, 203, 600), parent=1),
        target(4, "list", (206, 0, 900, 600), "Folders", 1),
        target(5, "list item", (206, 0, 900, 20), "Work", 4),
    ]
    listed = StructuralInferenceProvider(FixedProvider(targets)).detect(window_of()).targets
    assert [(each.id, each.parent, each.element_type) for each in listed[2:4]] == [(3, 1, "list"), (4, 3, "list item")]
    assert listed[4].bbox == (199, 0, 205, 600)
    assert listed[4].metadata["derived_from"] == "splitter_x = A.rect[2] + 2, using A=[2] List, B=[3] List"


def test_handle_without_adjacent_panes_keeps_its_position() -> None:
    targets = [
        target(1, "splitter", (0, 0, 900, 600)),
        target(2, "list", (0, 0, 200, 300), "Places", 1),
        target(3, "grip", (200, 0, 204, 600), parent=1),
        target(4, "list", (204, 300, 900, 600), "Folders", 1),
    ]
    listed = StructuralInferenceProvider(FixedProvider(targets)).detect(window_of()).targets
    assert [each.element_type for each in listed] == ["splitter", "list", "grip", "list", "splitter"]
    assert listed[4].metadata["derived_from"] == "splitter_x = (A.rect[0] + A.rect[2]) / 2, using A=[3] Thumb"


def test_named_grip_is_listed_besides_resize_handle() -> None:
    targets = [
        target(1, "window", (0, 0, 900, 600), "Editor"),
        target(2, "grip", (884, 584, 900, 600), "PART_Grip", parent=1),
    ]
    listed = StructuralInferenceProvider(FixedProvider(targets)).detect(window_of()).targets
    assert [each.element_type for each in listed] == ["window", "grip", "resize handle"]


def test_corner_grip_is_the_window_resize_handle() -> None:
    targets = [
        target(1, "window", (0, 0, 900, 600), "Editor"),
        target(2, "status bar", (0, 580, 900, 600), "Ready", 1),
        target(3, "grip", (884, 584, 900, 600), parent=2),
    ]
    listed = StructuralInferenceProvider(FixedProvider(targets)).detect(window_of()).targets
    assert [each.element_type for each in listed] == ["window", "status bar", "resize handle"]
    assert (listed[2].description, listed[2].bbox) == ("resize handle of Editor", (884, 584, 900, 600))
    assert listed[2].metadata["derived_from"].startswith("rect = (A.rect[2]-16, A.rect[3]-16, A.rect[2], A.rect[3])")
