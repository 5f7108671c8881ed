"""Tests of borders and resize handles of tables inferred from boxes alone (docs/spec/perception-tiers.md, tier 1+)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structural_targets import inferred, target

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive import StructuralInferenceProvider
from handeye.perceive.structure.derivation import derive
from handeye.perceive.structure.provider import infer
from handeye.testing.perceiving import FixedProvider, window_of

WINDOW = Box(0, 0, 1000, 800)


def table(
    columns: Sequence[tuple[str, int]],
    rows: int = 0,
    *,
    left: int = 100,
    top: int = 100,
    first: int = 1,
    height: int = 20,
) -> list[UIElement]:
    """A table with headers of these names and widths, and rows of cells; its frame has 100 free pixels at right and below."""
    width = sum(wide for _, wide in columns)
    found = [target(first, "table", (left, top, left + width + 100, top + height * (rows + 1) + 100), "Files")]
    x = left
    for name, wide in columns:
        found.append(target(first + len(found), "header item", (x, top, x + wide, top + height), name, first))
        x += wide
    for row in range(rows):
        x, y = left, top + height * (row + 1)
        for name, wide in columns:
            found.append(target(first + len(found), "cell", (x, y, x + wide, y + height), f"{name} {row + 1}", first))
            x += wide
    return found


# -- the seed's formulas


def test_column_border_has_box_and_derivation() -> None:
    """`border_x = headerA.rect.right`: the seed's `derived_from`, no control, numbered after the other elements."""
    targets = [
        target(1, "table", (0, 100, 300, 200), "Files"),
        target(2, "button", (0, 0, 50, 20), "Save"),
        target(3, "header item", (0, 100, 120, 120), "Name", 1),
        target(4, "header item", (120, 100, 300, 120), "Size", 1),
    ]
    detection = StructuralInferenceProvider(FixedProvider(targets)).detect(window_of())
    listed, controls = detection
    border = listed[4]
    assert (border.element_type, border.description, border.id) == (
        "column border", "column border between Name and Size", 5,
    )  # fmt: skip
    assert border.metadata["derived_from"] == "border_x = A.rect[2], using A=[3] HeaderItem"
    assert border.center.x == 120
    assert (border.bbox.top, border.bbox.bottom) == (100, 120)
    assert border.confidence >= 0.7
    assert controls[4] is None
    assert tuple(listed[:4]) == tuple(targets)


def test_row_border_between_rows_without_headers() -> None:
    found = inferred(table([("Name", 100), ("Size", 100)], rows=3))
    border = found["row border between Name 1 and Name 2"]
    assert border.center.y == 140
    assert border.metadata["derived_from"].startswith("border_y = A.rect[3], using A=[4] DataItem")
    assert "row border between Name 2 and Name 3" in found
    assert not any("Size 1" in name for name in found)


def test_table_has_a_resize_handle() -> None:
    handle = inferred(table([("Name", 100), ("Size", 100)], rows=2))["resize handle of Files"]
    right, bottom = 400, 260
    assert handle.bbox == (right - 8, bottom - 8, right, bottom)


# -- really adjacent


def test_headers_with_gap_have_no_column_border() -> None:
    targets = table([("Name", 100), ("Size", 100)])
    apart = [*targets[:2], replace(targets[2], bbox=targets[2].bbox.translate(30, 0))]
    assert "column border between Name and Size" not in inferred(apart)


def test_hidden_column_has_no_border() -> None:
    targets = table([("Name", 100), ("Hidden", 0), ("Size", 100)])
    found = inferred(targets)
    assert "column border between Name and Size" in found
    assert not any("Hidden" in name for name in found)


def test_adjacent_tables_share_no_column_border() -> None:
    left = table([("Name", 100), ("Size", 100)])
    left[0] = replace(left[0], bbox=Box(100, 100, 300, 300))
    right = table([("Owner", 100), ("Date", 100)], left=300, first=10)
    found = inferred([*left, *right])
    assert {name for name in found if name.startswith("column border between")} == {
        "column border between Name and Size", "column border between Owner and Date",
    }  # fmt: skip


def test_headers_without_parent_belong_to_enclosing_table() -> None:
    left = table([("Name", 100), ("Size", 100)])
    left[0] = replace(left[0], bbox=Box(100, 100, 300, 300))
    right = table([("Owner", 100), ("Date", 100)], left=300, first=10)
    found = inferred([replace(each, parent=None) for each in (*left, *right)])
    assert "column border between Size and Owner" not in found
    assert "column border between Owner and Date" in found


def test_nested_tables_share_no_column_borders() -> None:
    outer = table([("A", 300), ("B", 300)])
    inner = table([("C", 50), ("D", 50)], left=110, top=130, first=10)
    inner[0] = replace(inner[0], parent=1)
    names = {name for name in inferred([*outer, *inner]) if "between" in name}
    assert names == {"column border between A and B", "column border between C and D"}


def test_right_to_left_borders_are_named_in_order() -> None:
    """In Arabic the first column is the rightmost; the border after the last one is at its left."""
    targets = [
        target(1, "table", (0, 0, 500, 300), "ملفات"),
        target(2, "header item", (400, 0, 500, 20), "الاسم", 1),
        target(3, "header item", (300, 0, 400, 20), "الحجم", 1),
    ]
    found = inferred(targets)
    assert found["column border between الاسم and الحجم"].center.x == 400
    assert found["column border after الحجم"].center.x == 300


def test_headers_mirrored_to_cells_have_no_borders() -> None:
    """As Qt 6.12 reports right-to-left tables: cells in place, headers at their left-to-right positions."""
    targets = [
        target(1, "table", (362, 187, 882, 487), "Files"),
        target(2, "header item", (363, 188, 463, 210), "Name", 1),
        target(3, "header item", (463, 188, 563, 210), "Size", 1),
        target(4, "cell", (768, 210, 867, 239), "Name 1", 1, toolkit="Qt"),
        target(5, "cell", (668, 210, 767, 239), "Size 1", 1, toolkit="Qt"),
    ]
    assert not any(name.startswith("column") for name in inferred(targets))
    straight = [*targets[:3], replace(targets[3], bbox=targets[4].bbox), replace(targets[4], bbox=targets[3].bbox)]
    assert "column border between Name and Size" in inferred(straight)


def wpf_grid() -> list[UIElement]:
    """As WPF tells a grid of two columns: each header has its grippers, but for one that would resize nothing."""
    return [
        target(1, "table", (442, 277, 657, 337), "Current Animals datagrid", toolkit="WPF"),
        target(2, "header", (443, 278, 656, 302), parent=1, toolkit="WPF"),
        target(3, "header item", (443, 278, 493, 302), "Species", 2, toolkit="WPF"),
        target(4, "grip", (485, 278, 493, 302), parent=3, toolkit="WPF"),
        target(5, "header item", (493, 278, 540, 302), "Weight", 2, toolkit="WPF"),
        target(6, "grip", (493, 278, 501, 302), parent=5, toolkit="WPF"),
        target(7, "grip", (533, 278, 541, 302), parent=5, toolkit="WPF"),
    ]


def test_wpf_grid_borders_lie_on_grippers() -> None:
    targets = wpf_grid()
    found = inferred(targets)
    grippers = [each.bbox for each in targets if each.element_type == "grip"]
    assert list(found) == ["column border between Species and Weight", "column border after Weight"]
    assert all(any(grip.contains(each.center) for grip in grippers) for each in found.values())


def test_unnamed_grippers_are_listed_as_column_borders() -> None:
    detection = StructuralInferenceProvider(FixedProvider(wpf_grid())).detect(window_of())
    assert [each.element_type for each in detection.targets] == [
        *("table", "header", "header item", "header item", "column border", "column border"),
    ]
    named = [replace(each, text="grip") if each.element_type == "grip" else each for each in wpf_grid()]
    kept = StructuralInferenceProvider(FixedProvider(named)).detect(window_of())
    assert sum(each.element_type == "grip" for each in kept.targets) == 3


def test_wpf_grid_without_grippers_has_no_borders() -> None:
    """Columns of fixed width have no grippers, and neither have rows without headers."""
    rows = [
        target(10 + number, "cell", (443, 302 + 10 * number, 656, 312 + 10 * number), f"row {number}", 1, toolkit="WPF")
        for number in range(2)
    ]
    kept = [each for each in wpf_grid() if each.element_type != "grip"]
    assert not inferred([*kept, *rows])


def test_last_column_border_needs_room_after_it() -> None:
    with_room = table([("Name", 100), ("Size", 100)])
    # The last pixel of the header: one further is free space, which Qt does not drag.
    assert inferred(with_room)["column border after Size"].center.x == 299
    full = [replace(with_room[0], bbox=Box(100, 100, 300, 300)), *with_room[1:]]
    assert "column border after Size" not in inferred(full)


def test_border_scrolled_out_is_not_inferred() -> None:
    targets = table([("Name", 100), ("Size", 100)])
    cut = replace(targets[1], visible_region=Box(100, 100, 150, 120))
    assert "column border between Name and Size" not in inferred([targets[0], cut, targets[2]])


def test_column_with_hidden_start_keeps_its_border() -> None:
    targets = table([("Name", 100), ("Size", 100)])
    cut = replace(targets[1], visible_region=Box(150, 100, 200, 120))
    assert inferred([targets[0], cut, targets[2]])["column border between Name and Size"].center.x == 200


def test_row_borders_lie_on_row_headers() -> None:
    targets = [
        target(1, "table", (0, 0, 400, 400), "Sheet"),
        target(2, "header item", (20, 0, 120, 20), "A", 1),
        target(3, "header item", (120, 0, 220, 20), "B", 1),
        target(4, "header item", (0, 20, 20, 50), "1", 1),
        target(5, "header item", (0, 50, 20, 80), "2", 1),
        target(6, "cell", (20, 20, 120, 50), "x", 1),
        target(7, "cell", (20, 50, 120, 80), "y", 1),
    ]
    found = inferred(targets)
    assert found["row border between 1 and 2"].bbox == (0, 47, 20, 53)
    assert "column border between A and B" in found
    assert not any("x" in name for name in found if name.startswith("row"))


def test_scrolling_table_has_no_resize_handle() -> None:
    targets = table([("Name", 100), ("Size", 100)], rows=3)
    bar = target(99, "scroll bar", (390, 100, 400, 280), parent=1)
    assert "resize handle of Files" in inferred(targets)
    assert "resize handle of Files" not in inferred([*targets, bar])
    reaching = [replace(targets[0], bbox=Box(100, 100, 400, 180)), *targets[1:]]
    assert "resize handle of Files" not in inferred(reaching)


def test_table_filling_its_pane_has_no_handle() -> None:
    targets = [replace(each, parent=50) if each.id == 1 else each for each in table([("Name", 100), ("Size", 100)])]
    pane = target(50, "pane", (100, 100, 400, 220))
    assert "resize handle of Files" not in inferred([pane, *targets])


def test_row_border_outside_its_table_is_omitted() -> None:
    """As Qt 6 reports the last rows of a table: most of this border's box lies under the bottom scroll bar."""
    targets = [
        target(1, "table", (192, 171, 826, 704), "Big", toolkit="Qt"),
        target(2, "header item", (193, 643, 253, 673), "Row 15", 1, **{"class": "table row header"}),
        target(3, "header item", (193, 673, 253, 703), "Row 16", 1, **{"class": "table row header"}),
        replace(
            target(4, "header item", (193, 703, 253, 733), "Row 17", 1, **{"class": "table row header"}),
            visible_region=Box(193, 703, 253, 704),
        ),
    ]
    assert [name for name in inferred(targets) if name.startswith("row")] == ["row border between Row 15 and Row 16"]


def test_row_border_under_scroll_bar_is_omitted() -> None:
    """Qt lists no scroll bars of its tables: columns beyond the table's edge mean that one is at the bottom."""
    targets = [
        target(1, "table", (0, 0, 300, 200), "Big", toolkit="Qt"),
        target(2, "header item", (0, 160, 60, 190), "Row 1", 1, **{"class": "table row header"}),
        target(3, "header item", (0, 190, 60, 198), "Row 2", 1, **{"class": "table row header"}),
    ]
    beyond = replace(
        target(4, "header item", (200, 0, 400, 20), "Owner", 1, **{"class": "table column header"}),
        visible_region=Box(200, 0, 300, 20),
    )
    assert "row border between Row 1 and Row 2" in inferred(targets)
    assert "row border between Row 1 and Row 2" not in inferred([*targets, beyond])
    told = target(5, "scroll bar", (0, 185, 300, 200), parent=1)
    assert "row border between Row 1 and Row 2" not in inferred([*targets, told])


def test_scroll_bar_gap_gives_no_last_column_border() -> None:
    """Qt trees stretch their last column to the scroll bar, and it springs back: there is nothing to drag."""
    targets = table([("Name", 100), ("Size", 100)])
    for bar in (15, 34):
        beside_a_bar = [replace(targets[0], bbox=Box(100, 100, 300 + bar + 1, 300)), *targets[1:]]
        assert "column border after Size" not in inferred(beside_a_bar)


def test_web_page_tables_have_no_inferred_parts() -> None:
    page = target(90, "document", (0, 0, 900, 600), **{"class": "document web"})
    targets = [replace(each, parent=90) if each.id == 1 else each for each in table([("A", 100), ("B", 100)], rows=2)]
    assert not inferred([page, *targets])


# -- hostile and large


def test_invisible_elements_give_no_parts() -> None:
    nowhere = [
        target(1, "header item", (0, 0, 0, 0), "A"),
        target(2, "header item", (-(2**31), -(2**31), -(2**31), -(2**31)), "B"),
        replace(target(3, "header item", (0, 0, 100, 20), "C"), id=None),
        target(4, "table", (0, 0, -5, -5)),
        target(5, "toolbar", (0, 0, 100, 20), parent=5),
    ]
    assert not infer(tuple(nowhere))


def test_screen_names_stay_on_one_line() -> None:
    found = inferred(table([("Na\nme\u202e\x07", 100), ("x" * 5000, 100)]))
    name = next(name for name in found if "between" in name)
    assert "\n" not in name
    assert "\u202e" not in name
    assert "\x07" not in name
    assert len(name) < 250


def test_table_of_ten_thousand_cells_has_all_borders() -> None:
    parts = infer(tuple(table([(name, 50) for name in "ABCDEFGHIJ"], rows=1000)))
    assert sum(part.role == "row border" for part in parts) == 999
    assert sum(part.role == "column border" for part in parts) == 10


steps = st.integers(0, 12).map(lambda step: step * 10)
boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    steps, steps, steps, steps,
)  # fmt: skip
roles = st.sampled_from(
    [
        "header item",
        "cell",
        "table row",
        "table",
        "tree",
        "list",
        "pane",
        "splitter",
        "grip",
        "toolbar",
        "button",
        "window",
    ]
)


@given(st.lists(st.tuples(roles, boxes, st.integers(0, 12)), max_size=12))
def test_boxes_can_be_recomputed_from_their_derivations(parts: list[tuple[str, Box, int]]) -> None:
    """For any elements, also with cyclic parents."""
    targets = tuple(
        target(number, role, box, f"n{number}", parent or None) for number, (role, box, parent) in enumerate(parts, 1)
    )
    rects = {each.id: each.bbox for each in targets if each.id is not None}
    for part in infer(targets):
        assert part.confidence >= 0.7
        derivation = derive(part.derived_from, rects)
        assert tuple(anchor.id for anchor in derivation.anchors) == part.anchors
        assert derivation.box(rects) == part.box


def test_thousand_headers_have_all_their_borders() -> None:
    """Headers in one line, each with its neighbour."""
    found = inferred(table([(f"c{number}", 10) for number in range(1000)]))
    assert sum(name.startswith("column border between") for name in found) == 999


@pytest.mark.parametrize("role", ["column border", "row border", "resize handle", "splitter", "panel grip"])
def test_inferred_roles_are_known_control_types(role: str) -> None:
    from handeye.perceive import control_type
    from handeye.roles import role_named

    assert role_named(control_type(role)) == role
