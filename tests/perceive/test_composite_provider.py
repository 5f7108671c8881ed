"""Tests of merging the elements of several providers (docs/spec/perception-tiers.md)."""

from __future__ import annotations

from threading import Barrier
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.elements import UIElement
from handeye.errors import CaptureFailed, ModelUnreachable, PersonNeeded, TreeFailed, UsageError
from handeye.geometry import Box
from handeye.perceive import CompositeStateProvider, Control, Detection, StructuralInferenceProvider
from handeye.testing.perceiving import FixedProvider, window_of

LIVE = cast(Control, object())


def exact(
    role: str, box: tuple[int, int, int, int], text: str = "", id: int = 1, parent: int | None = None
) -> UIElement:
    return UIElement(role, "", Box(*box), text=text, id=id, parent=parent, source="accessibility")


def guess(role: str, box: tuple[int, int, int, int], text: str = "", id: int = 1) -> UIElement:
    return UIElement(role, text, Box(*box), id=id, source="vision")


def together(*targets: list[UIElement]) -> Detection:
    return CompositeStateProvider(*(FixedProvider(each) for each in targets)).detect(window_of())


def kinds(detection: Detection) -> list[tuple[str, str]]:
    return [(each.source, each.element_type) for each in detection.targets]


def test_duplicate_keeps_exact_element_with_its_control() -> None:
    first = FixedProvider([guess("button", (90, 95, 190, 150), "Save")], name="vision")
    second = FixedProvider([exact("button", (100, 100, 200, 140), "Save")], controls=[LIVE], name="tree")
    for order in ((first, second), (second, first)):
        targets, controls = CompositeStateProvider(*order).detect(window_of())
        assert [(each.source, each.bbox) for each in targets] == [("accessibility", (100, 100, 200, 140))]
        assert controls == (LIVE,)


def test_duplicates_need_an_iou_of_one_tenth() -> None:
    """Two boxes of 100 pixels: 18 common pixels are just below an IoU of 0.1, 19 just above."""
    thing = exact("button", (0, 0, 100, 1))
    assert len(together([thing], [guess("icon", (82, 0, 182, 1))]).targets) == 2
    assert len(together([thing], [guess("icon", (81, 0, 181, 1))]).targets) == 1


def test_elements_of_one_source_are_never_merged() -> None:
    nested = [exact("pane", (0, 0, 100, 100)), exact("button", (0, 0, 100, 90), id=2, parent=1)]
    assert len(together(nested, []).targets) == 2


def test_container_is_not_merged_with_its_content() -> None:
    pane = [exact("pane", (0, 0, 400, 300))]
    assert kinds(together(pane, [guess("button", (20, 20, 220, 220))])) == [
        ("accessibility", "pane"),
        ("vision", "button"),
    ]
    # Unless it is that container itself, by another name.
    assert kinds(together(pane, [guess("image", (5, 5, 395, 295))])) == [("accessibility", "pane")]


def test_part_of_a_control_is_a_separate_element() -> None:
    tab = [exact("tab", (0, 0, 60, 30), "Form")]
    assert len(together(tab, [guess("icon", (44, 8, 60, 24), "close")]).targets) == 2
    assert len(together(tab, [guess("tab", (30, 8, 60, 24), "Form")]).targets) == 1


def test_column_border_is_not_merged_with_headers() -> None:
    headers = [exact("header item", (0, 0, 60, 22), "Name"), exact("header item", (60, 0, 120, 22), "Size", 2)]
    seen = [guess("column border", (50, 0, 70, 22), "border of Name")]
    assert len(together(headers, seen).targets) == 3


def test_seen_border_merges_with_nearby_inferred_border() -> None:
    """A model is off by up to 35 pixels; a border is too thin to overlap its detection."""
    headers = [
        exact("table", (0, 0, 600, 400), "Files"),
        exact("header item", (0, 0, 200, 22), "Name", 2, 1),
        exact("header item", (200, 0, 400, 22), "Size", 3, 1),
    ]
    structure = StructuralInferenceProvider(FixedProvider(headers))
    near = FixedProvider([guess("column border", (212, 0, 218, 22))])
    far = FixedProvider([guess("column border", (292, 0, 298, 22))])
    for seen, expected in ((near, 0), (far, 1)):
        found = CompositeStateProvider(structure, seen).detect(window_of()).targets
        assert sum(each.source == "vision" for each in found) == expected
        assert sum(each.description == "column border between Name and Size" for each in found) == 1


def test_elements_are_renumbered_in_reading_order() -> None:
    tree = [
        exact("window", (0, 0, 900, 600), "Mail", 10),
        exact("pane", (400, 40, 900, 600), "right", 20, 10),
        exact("button", (420, 60, 480, 80), "in right", 21, 20),
        exact("pane", (0, 40, 390, 600), "left", 30, 10),
        exact("button", (20, 300, 80, 320), "in left", 31, 30),
        exact("button", (0, 0, 60, 30), "top", 40, 10),
    ]
    seen = [guess("icon", (100, 100, 130, 130), "heart")]
    detection = together(tree, seen)
    assert [each.text or each.description for each in detection.targets] == [
        "Mail", "top", "left", "heart", "in left", "right", "in right",
    ]  # fmt: skip
    assert [each.id for each in detection.targets] == list(range(1, 8))
    assert [each.parent for each in detection.targets] == [None, 1, 1, None, 3, 1, 6]


def test_button_column_beside_list_is_ordered_downwards() -> None:
    tree = [
        exact("list", (0, 0, 100, 400), "list", 1),
        exact("button", (140, 10, 200, 30), "first", 2),
        exact("button", (120, 60, 180, 80), "second", 3),
    ]
    assert [each.text for each in together(tree).targets] == ["list", "first", "second"]


def test_derivations_use_the_new_numbers() -> None:
    tree = [
        exact("button", (0, 500, 50, 520), "below", 1),
        exact("table", (0, 100, 500, 300), "Files", 2),
        exact("header item", (0, 100, 120, 120), "Name", 3, 2),
        exact("header item", (120, 100, 300, 120), "Size", 4, 2),
    ]
    structure = StructuralInferenceProvider(FixedProvider(tree))
    targets = CompositeStateProvider(structure, FixedProvider([])).detect(window_of()).targets
    border = next(each for each in targets if each.description == "column border between Name and Size")
    name = next(each for each in targets if each.text == "Name")
    assert name.id == 2
    assert border.metadata["derived_from"] == "border_x = A.rect[2], using A=[2] HeaderItem"
    assert border.metadata["anchors"] == (2,)
    assert border.parent == 1


def test_providers_run_in_parallel() -> None:
    """Each waits for the other: run one after the other, the first would time out."""
    meeting = Barrier(2, timeout=20)
    both = [FixedProvider([exact("button", (0, 0, 9, 9))], meeting=meeting) for _ in range(2)]
    assert len(CompositeStateProvider(*both).detect(window_of()).targets) == 1


def test_failing_provider_is_noted() -> None:
    failing = FixedProvider(name="vision", error=ModelUnreachable("no connection"))
    detection = CompositeStateProvider(FixedProvider([exact("button", (0, 0, 9, 9))], notes=["slow"]), failing).detect(
        window_of()
    )
    assert len(detection.targets) == 1
    assert detection.notes == ("fixed: slow", "vision: no connection")


def test_error_lists_why_every_provider_failed() -> None:
    providers = [
        FixedProvider(name="a", error=CaptureFailed("gone")),
        FixedProvider(name="b", error=TreeFailed("mute")),
    ]
    with pytest.raises(TreeFailed, match="a: gone; b: mute"):
        CompositeStateProvider(*providers).detect(window_of())


def test_request_for_a_person_is_raised() -> None:
    stopped = FixedProvider(error=PersonNeeded("a password"))
    with pytest.raises(PersonNeeded):
        CompositeStateProvider(FixedProvider([]), stopped).detect(window_of())


def test_composite_without_providers_is_refused() -> None:
    with pytest.raises(UsageError):
        CompositeStateProvider()


boxes = st.builds(
    lambda x, y, w, h: (x, y, x + w, y + h), *[st.integers(0, 90)] * 2, *[st.integers(0, 60)] * 2
)  # fmt: skip
roles = st.sampled_from(["window", "pane", "button", "icon", "column border", "splitter", "header item", "grip"])
parts = st.lists(st.tuples(roles, boxes, st.integers(0, 6), st.integers(1, 6)), max_size=6)


@given(parts, parts)
def test_only_duplicates_are_dropped(first: list[Any], second: list[Any]) -> None:
    """Every element of the exact source is listed once, whatever its parent and id; numbers have no gaps."""
    tree = [exact(role, box, str(n), id, parent or None) for n, (role, box, parent, id) in enumerate(first)]
    seen = [guess(role, box, str(n), n + 1) for n, (role, box, _, _) in enumerate(second)]
    targets, controls = together(tree, seen)
    assert sorted(each.text for each in targets if each.source == "accessibility") == sorted(
        str(n) for n in range(len(tree))
    )
    assert [each.id for each in targets] == list(range(1, len(targets) + 1))
    assert len(controls) == len(targets)
