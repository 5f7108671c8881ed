"""Elements of UI Automation made in Python: COM objects whose tables comtypes lays out from our declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import comtypes
import comtypes.automation

from handeye.perceive import Node
from handeye.perceive.uia.com import node_of, read_down
from handeye.perceive.uia.declared import _Rect, declare
from handeye.perceive.uia.reading import children_by, read_by_steps, reader

CLASSES = declare(comtypes)
READER = reader(comtypes, CLASSES["IUIAutomationElement"])

NOT_SUPPORTED = "not supported"
"""Told of a property, and of those that are not told: UI Automation's own object that stands for it."""
FAILS = "fails"
"""The name of an element that fails when it is asked for what it holds."""
E_FAIL = -0x7FFF_BFFB


class _NotSupported(comtypes.COMObject):
    _com_interfaces_ = (comtypes.IUnknown,)


NOT_SUPPORTED_VALUE = _NotSupported().QueryInterface(comtypes.IUnknown)


class Element(comtypes.COMObject):
    """Cached properties of an element; any other request fails as COM objects do (E_NOTIMPL)."""

    _com_interfaces_ = (CLASSES["IUIAutomationElement"],)

    def __init__(self, told: Mapping[int, Any], rect: Sequence[int], children: Sequence[Element | None] = ()) -> None:
        super().__init__()
        self._told, self._rect, self._elements = told, rect, tuple(children)

    def GetCachedPropertyValueEx(self, number: int, ignore_default: int) -> Any:
        assert not ignore_default
        told = self._told.get(number, NOT_SUPPORTED)
        return comtypes.automation.VARIANT(NOT_SUPPORTED_VALUE if told == NOT_SUPPORTED else told)

    def get_CachedBoundingRectangle(self) -> Any:
        return _Rect(*self._rect)

    def FindAllBuildCache(self, scope: int, condition: Any, request: Any) -> Any:
        if self._told.get(30005) == FAILS:
            raise comtypes.COMError(E_FAIL, "it failed", (None, None, None, 0, None))
        return self.GetCachedChildren()

    def GetCachedChildren(self) -> Any:
        return Elements(self._elements).QueryInterface(CLASSES["IUIAutomationElementArray"]) if self._elements else None


class Elements(comtypes.COMObject):
    _com_interfaces_ = (CLASSES["IUIAutomationElementArray"],)

    def __init__(self, elements: Sequence[Element | None]) -> None:
        super().__init__()
        self._elements = elements

    def get_Length(self) -> int:
        return len(self._elements)

    def GetElement(self, index: int) -> Any:
        element = self._elements[index]
        return element.QueryInterface(CLASSES["IUIAutomationElement"]) if element is not None else None


class Field(comtypes.COMObject):
    _com_interfaces_ = (CLASSES["IUIAutomationValuePattern"],)
    text = ""

    def SetValue(self, text: str) -> None:
        self.text = text


def set_text(text: str) -> str:
    """Set a field's value and return the text that it received."""
    field = Field()
    field.QueryInterface(CLASSES["IUIAutomationValuePattern"]).SetValue(text)
    return field.text


def read_python_elements(told: Any, most: int) -> tuple[Any, int, list[str]]:
    """
    Read a tree of such elements, given as (properties, rectangle, children).

    Return it in the same form, the number of elements, and notes on what is missing.
    """
    root = _node(_element(told).QueryInterface(CLASSES["IUIAutomationElement"]))
    read, notes = read_down(root, _node, most=most, late=lambda: False)
    return _plain(root), read, notes


def read_python_elements_by_steps(told: Any) -> tuple[Any, int, list[str]]:
    """The same, with a request for the children of each element."""
    root = _node(_element(told).QueryInterface(CLASSES["IUIAutomationElement"]))
    asked = SimpleNamespace(control_view=None, single=None, inner=None)
    children, errors = children_by(asked, _node), (comtypes.COMError,)
    read, notes = read_by_steps(root, children, most=100, deepest=9, late=lambda: False, errors=errors)
    return _plain(root), read, notes


def _node(element: Any) -> Node:
    return node_of(element, READER)


def _element(told: Any) -> Element:
    properties, rect, children = told
    return Element(properties, rect, [_element(child) if child is not None else None for child in children])


def _plain(node: Any) -> Any:
    known = {number: value for number, value in node.properties.items() if value is not None}
    return known, node.box, sorted(int(one) for one in node.patterns), [_plain(child) for child in node.children]
