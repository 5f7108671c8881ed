"""Elements of UI Automation made in Python: COM objects whose tables comtypes lays out from our declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import comtypes
import comtypes.automation

from handeye.perceive.uia.com import _read_down
from handeye.perceive.uia.declared import _Rect, declare

CLASSES = declare(comtypes)


class Element(comtypes.COMObject):
    """What has been cached of an element; asked for anything else, it fails as COM objects do (E_NOTIMPL)."""

    _com_interfaces_ = (CLASSES["IUIAutomationElement"],)

    def __init__(self, told: Mapping[int, Any], rect: Sequence[int], children: Sequence[Element] = ()) -> None:
        super().__init__()
        self._told, self._rect, self._elements = told, rect, tuple(children)

    def GetCachedPropertyValue(self, number: int) -> Any:
        return comtypes.automation.VARIANT(self._told.get(number))

    def get_CachedBoundingRectangle(self) -> Any:
        return _Rect(*self._rect)

    def GetCachedChildren(self) -> Any:
        return Elements(self._elements).QueryInterface(CLASSES["IUIAutomationElementArray"]) if self._elements else None


class Elements(comtypes.COMObject):
    _com_interfaces_ = (CLASSES["IUIAutomationElementArray"],)

    def __init__(self, elements: Sequence[Element]) -> None:
        super().__init__()
        self._elements = elements

    def get_Length(self) -> int:
        return len(self._elements)

    def GetElement(self, index: int) -> Any:
        return self._elements[index].QueryInterface(CLASSES["IUIAutomationElement"])


class Field(comtypes.COMObject):
    _com_interfaces_ = (CLASSES["IUIAutomationValuePattern"],)
    text = ""

    def SetValue(self, text: str) -> None:
        self.text = text


def set_text(text: str) -> str:
    """What a field gets that is told to hold a text."""
    field = Field()
    field.QueryInterface(CLASSES["IUIAutomationValuePattern"]).SetValue(text)
    return field.text


def read_python_elements(told: Any, most: int) -> tuple[Any, int, bool]:
    """What is read of a tree of such elements, given as (properties, rectangle, children), in the same form."""
    top = _element(told).QueryInterface(CLASSES["IUIAutomationElement"])
    root, read, whole = _read_down(top, most)
    return _plain(root), read, whole


def _element(told: Any) -> Element:
    properties, rect, children = told
    return Element(properties, rect, [_element(child) for child in children])


def _plain(node: Any) -> Any:
    known = {number: value for number, value in node.properties.items() if value is not None}
    return known, node.box, sorted(int(one) for one in node.patterns), [_plain(child) for child in node.children]
