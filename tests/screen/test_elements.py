"""Tests of UIElement as a value: pickle, copy, conversion to plain dictionaries, and its click point."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict
from types import MappingProxyType

import pytest

from handeye.elements import UIElement
from handeye.geometry import Box

PLAIN = UIElement(
    "button",
    "Save",
    Box(1, 2, 30, 40),
    confidence=0.9,
    candidates=(UIElement("button", "Save as", Box(1, 50, 30, 90)),),
)
WITH_FACTS = UIElement("button", "Save", Box(1, 2, 30, 40), metadata=MappingProxyType({"layer": "exact"}))


@pytest.mark.parametrize("element", [PLAIN, WITH_FACTS])
def test_pickle_and_deepcopy_keep_element_equal(element: UIElement) -> None:
    for twin in (pickle.loads(pickle.dumps(element)), copy.deepcopy(element)):
        assert twin == element


def test_element_is_json_serialisable() -> None:
    assert json.loads(json.dumps(asdict(WITH_FACTS)))["metadata"] == {"layer": "exact"}
    assert json.loads(json.dumps(asdict(PLAIN)))["metadata"] == {}
    assert asdict(PLAIN)["candidates"][0]["description"] == "Save as"


def test_plain_tuple_becomes_a_box() -> None:
    element = UIElement(element_type="button", description="Run", bbox=(100, 200, 300, 250), confidence=0.95)  # type: ignore[arg-type]
    assert element.bbox == Box(100, 200, 300, 250)
    assert element.center == (200, 225)


@pytest.mark.parametrize(
    ("label", "visible", "center"),
    [
        ((110, 210, 150, 230), None, (130, 220)),  # the text that begins a wide cell
        ((20, 210, 60, 230), None, (200, 225)),  # the text beside a field
        ((110, 210, 150, 230), (200, 200, 300, 250), (250, 225)),  # scrolled out of view
    ],
)
def test_click_point_is_visible_label_inside_element(
    label: tuple[int, int, int, int], visible: tuple[int, int, int, int] | None, center: tuple[int, int]
) -> None:
    region = Box(*visible) if visible else None
    element = UIElement("button", "", Box(100, 200, 300, 250), visible_region=region, label_box=Box(*label))
    assert element.center == center
