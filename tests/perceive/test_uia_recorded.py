"""Tests of UI Automation trees of a WPF program (Axe.Windows' sample, MIT), recorded on Windows by Accessibility Insights.

Each tree has a screenshot of the same window. They are not part of this repository: they lie in the folder HANDEYE_UIA_TREES,
else in `shared/data/windows_uia` beside the checkout, as NAME.snapshot.json and NAME.png. Expected values are read from the
files independently."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from uia_snapshot import SnapshotApi

from handeye.devices import Window
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate import AccessibilityStrategy, LocateChain
from handeye.ocr import PaddleReader
from handeye.perceive import Detection, StructuralInferenceProvider
from handeye.perceive.uia import UIAStateProvider
from handeye.perceive.uia.vocabulary import CONTROL_TYPES, FIRST_CONTROL_TYPE
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.perceiving import FakeProvider
from handeye.testing.uia_snapshots import node_from

BESIDE: Final = Path(__file__).parents[3] / "shared" / "data" / "windows_uia"
FOLDER: Final = Path(os.environ.get("HANDEYE_UIA_TREES", BESIDE))
FILES: Final = sorted(FOLDER.glob("WildlifeManager*.snapshot.json"))
HANDLE: Final = 0x20202

pytestmark = [
    pytest.mark.may_skip,
    pytest.mark.skipif(not FILES, reason="no recorded trees at HANDEYE_UIA_TREES, nor beside the checkout"),
]

METHODS: Final = {
    "InvokePattern": "invoke",
    "TogglePattern": "toggle",
    "SelectionItemPattern": "select",
    "ExpandCollapsePattern": "expand",
    "ScrollItemPattern": "scroll_into_view",
}


class Told(NamedTuple):
    """A control as its file tells it: `patterns` by their names."""

    kind: str
    name: str
    box: tuple[int, int, int, int]
    holder: tuple[int, int, int, int] | None
    patterns: frozenset[str]


class Recorded:
    """A window of a file: what is told of it, and a UI Automation that tells it."""

    def __init__(self, file: Path) -> None:
        desktop = json.loads(file.read_text(encoding="utf-8"))
        self.row = next(child for child in desktop["Children"] if _kind(child) == "Window")
        self.told = list(_shown(self.row, None))
        self.api = SnapshotApi({HANDLE: node_from(self.row)})
        box = Box(*self.told[0].box)
        self.window = Window(HANDLE, self.told[0].name, box, box, 42, "app.exe", True)
        self.screen = Screen.open(file.with_name(file.name.replace(".snapshot.json", ".png")))

    def detect(self) -> Detection:
        return UIAStateProvider(api=self.api).detect(self.window)

    def on_picture(self) -> tuple[UIElement, ...]:
        """The elements at the pixels of the window's picture."""
        left, top, _, _ = self.window.box
        return tuple(_moved(each, -left, -top) for each in self.detect().targets if "offscreen" not in each.metadata)


@pytest.fixture(scope="module", params=FILES, ids=lambda file: file.name.removesuffix(".snapshot.json"))
def recorded(request: pytest.FixtureRequest) -> Recorded:
    return Recorded(request.param)


def _value(row: Mapping[str, Any], property: int) -> Any:
    return row["Properties"].get(str(property), {}).get("Value")


def _kind(row: Mapping[str, Any]) -> str:
    return CONTROL_TYPES[_value(row, 30003) - FIRST_CONTROL_TYPE]


def _shown(row: Mapping[str, Any], holder: tuple[int, int, int, int] | None) -> Iterator[Told]:
    """Yield a window's visible elements from the file, without its title bar, which is not part of its content."""
    if _kind(row) == "TitleBar":
        return
    rect = _value(row, 30001)
    if rect and not _value(row, 30022):
        left, top, width, height = map(int, rect)
        box = (left, top, left + width, top + height)
        yield Told(_kind(row), _value(row, 30005) or "", box, holder, frozenset(one["Name"] for one in row["Patterns"]))
        holder = box
    for child in row["Children"] or ():
        yield from _shown(child, holder)


def _moved(element: UIElement, dx: int, dy: int) -> UIElement:
    region = element.visible_region
    return replace(
        element, bbox=element.bbox.translate(dx, dy), visible_region=region.translate(dx, dy) if region else None
    )


def test_visible_controls_have_recorded_type_name_and_box(recorded: Recorded) -> None:
    targets = recorded.detect().targets
    by_number = {each.id: each for each in targets}
    shown = [each for each in targets if "offscreen" not in each.metadata]
    assert len(shown) > 20
    for element, told in zip(shown, recorded.told, strict=True):
        holder = by_number[element.parent].bbox if element.parent is not None else None
        assert (element.metadata["class"], element.bbox, holder) == (told.kind, told.box, told.holder)
        assert told.name in (element.text, element.description)
        assert element.enabled
        assert (element.visible_region or element.bbox).intersect(recorded.window.box) is not None


def test_control_types_have_the_expected_roles(recorded: Recorded) -> None:
    roles = {each.metadata["class"]: each.element_type for each in recorded.detect().targets}
    expected = {
        **{"Window": "window", "Button": "button", "Edit": "input", "Text": "text", "List": "list", "Menu": "menu"},
        **{"ListItem": "list item", "DataGrid": "table", "Header": "header", "HeaderItem": "header item"},
        **{"MenuItem": "menu item", "Thumb": "grip", "Custom": "custom"},
    }
    assert {kind: expected[kind] for kind in roles} == roles


def test_controls_offer_the_recorded_patterns(recorded: Recorded) -> None:
    found = recorded.detect()
    pairs = [pair for pair in zip(found.targets, found.controls, strict=True) if "offscreen" not in pair[0].metadata]
    done = Counter[str]()
    for (element, control), told in zip(pairs, recorded.told, strict=True):
        assert control is not None
        offered = {METHODS[one] for one in told.patterns & METHODS.keys()}
        assert control.offers & (METHODS.keys() | set(METHODS.values())) == offered
        if "InvokePattern" in told.patterns:
            control.invoke()
            assert recorded.api.done[-1] == ("invoke", element.text, "")
            done["invoked"] += 1
    assert done["invoked"] >= 4


def test_elements_are_located_or_ambiguous_by_name(recorded: Recorded) -> None:
    elements = recorded.on_picture()
    chain = LocateChain([AccessibilityStrategy(FakeProvider(elements))])
    named = [each for each in elements if each.text]
    like = Counter((each.text, each.element_type) for each in named)
    results = Counter[str]()
    for meant in named:
        found = chain.locate(Target(text=meant.text, role=meant.element_type, exact=True), recorded.screen)
        if like[meant.text, meant.element_type] > 1:
            assert found.element is None
            assert meant.bbox in [each.bbox for each in found.candidates]
            results["ambiguous"] += 1
        else:
            assert found.element is not None, f"{meant.element_type} {meant.text!r}: {found.attempts}"
            assert found.element.bbox == meant.bbox
            assert meant.bbox.contains(found.element.center)
            results["found"] += 1
    assert results["found"] > 10 * results["ambiguous"] > 0


@pytest.mark.parametrize(
    ("kind", "role"), [("ListItem", "list item"), ("Button", "button"), ("HeaderItem", "header item")]
)
def test_ordinal_counts_elements_in_reading_order(recorded: Recorded, kind: str, role: str) -> None:
    elements = recorded.on_picture()
    chain = LocateChain([AccessibilityStrategy(FakeProvider(elements))])
    boxes = [each.bbox for each in elements if each.metadata["class"] == kind]
    assert len(boxes) >= 2
    for number in (*range(1, len(boxes) + 1), -1):
        found = chain.locate(Target(role=role, ordinal=number), recorded.screen).element
        assert found is not None
        assert found.bbox == sorted(boxes, key=lambda box: (box.top // 10, box.left))[number - (number > 0)]


def test_ocr_lines_lie_in_tree_boxes() -> None:
    """OCR, which knows nothing of the tree, confirms boxes and names by the screenshot."""
    recorded = Recorded(FILES[0])  # reading costs a second
    texts = {each.text: each.bbox for each in recorded.on_picture() if each.metadata["class"] == "Text"}
    read = {line.text: line.box for line in PaddleReader().read(recorded.screen) if line.text in texts}
    assert len(read) >= 0.8 * len(texts)
    assert all(texts[text].contains(box.center) for text, box in read.items())


def test_inferred_column_borders_lie_on_recorded_grips(recorded: Recorded) -> None:
    """WPF lists its grips: each column border lies on one, and nothing else is inferred."""
    found = StructuralInferenceProvider(UIAStateProvider(api=recorded.api)).detect(recorded.window)
    parts = [each for each in found.targets if each.source == "structure"]
    grips = [Box(*told.box) for told in recorded.told if told.kind == "Thumb"]
    headers = [told for told in recorded.told if told.kind == "HeaderItem"]
    assert [each.element_type for each in parts] == ["column border"] * len(headers)
    assert len(parts) >= 2
    for border, header in zip(parts, headers, strict=True):
        assert any(grip.contains(border.center) for grip in grips)
        assert abs(border.center.x - header.box[2]) <= 1
        assert header.name in border.metadata["between"]
