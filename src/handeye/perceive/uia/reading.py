"""Read a window step by step, where UI Automation cannot return it as a whole."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, Final

from handeye.perceive.uia.api import Node
from handeye.perceive.uia.vocabulary import Property

_CHILDREN: Final = 2  # TreeScope
_FIRST_CHILD, _NEXT = 5, 2  # GW_...


def read_by_steps(
    root: Node,
    children: Callable[[Any], list[Node]],
    *,
    most: int,
    deepest: int,
    late: Callable[[], bool],
    errors: tuple[type[BaseException], ...],
) -> tuple[int, list[str]]:
    """
    Fill in the nodes below `root`, level by level, one request for the children of each element: a part of an application
    that does not answer costs only its own elements. Return the number of nodes read, and notes on what is missing.
    """
    waiting, read, silent, cut = deque([(root, 0)]), 1, 0, False
    while waiting:
        node, depth = waiting.popleft()
        if late():
            return read, ["the application is slow: not all of its elements were read"]
        try:
            found = children(node.handle)
        except errors:
            silent += 1
            continue
        if found and (depth >= deepest or read + len(found) > most):
            cut = True
            continue
        node.children.extend(found)
        read += len(found)
        waiting.extend((child, depth + 1) for child in found)
    notes = [f"the window has more than {most:,} elements or {deepest} levels: the rest was not read"] if cut else []
    return read, notes + ([f"{silent} of its elements did not say what they hold"] if silent else [])


def children_by(com: Any, made: Callable[[Any], Node]) -> Callable[[Any], list[Node]]:
    """
    Return a function that requests an element's children in the control view; `com` has the condition, the request of one
    element, `inner` (lists a window's child windows) and `automation`. `inner` is None where UI Automation finds them
    itself.
    """

    def children(handle: Any) -> list[Node]:
        found = handle.FindAllBuildCache(_CHILDREN, com.control_view, com.single)
        if found:
            elements = [found.GetElement(index) for index in range(found.get_Length())]
            return [made(element) for element in elements if element]
        window = handle.GetCachedPropertyValueEx(int(Property.NATIVE_WINDOW_HANDLE), False) if com.inner else None
        if not isinstance(window, int):
            return []
        elements = [com.automation.ElementFromHandle(inner) for inner in com.inner(window)]
        return [made(element.BuildUpdatedCache(com.single)) for element in elements if element]

    return children


def windows_in(api: SimpleNamespace, window: int) -> Iterator[int]:
    """Yield the visible direct child windows of a window; `api` holds the functions of Win32."""
    inner, seen = api.GetWindow(window, _FIRST_CHILD), set[int]()
    while inner and inner not in seen:  # a window that changes its z-order meanwhile may cause a cycle
        seen.add(inner)
        if api.IsWindowVisible(inner):
            yield inner
        inner = api.GetWindow(inner, _NEXT)


# Fast access to an element's cached properties, which is most of the time of a reading on our side.


PropertyReader = Callable[[int], Any]
"""Returns the cached value of a property, by its id."""

_EMPTY, _I4, _R8, _BSTR, _BOOL, _UNKNOWN = 0, 3, 5, 8, 11, 13  # VARENUM
_IGNORE_DEFAULT: Final = False  # the argument ignoreDefaultValue of GetCachedPropertyValueEx


def reader(comtypes: Any, element_class: Any) -> Callable[[Any], PropertyReader]:
    """
    Return a function that gives, for an element, the reader of its properties: a bool, a number, a text, or None.

    For an unknown property an element returns a reserved COM object that means "not supported" and would count as true; it
    is converted to None. `comtypes` is the module, `element_class` IUIAutomationElement as `declare` made it.

    Calls the method by its place in the table: comtypes' own wrapper makes and unpacks a VARIANT each time, which took 4 to
    6 times as long.
    """
    variant, clear = comtypes.automation.VARIANT, ctypes.OleDLL("oleaut32").VariantClear  # type: ignore[attr-defined,unused-ignore]
    ask = element_class._IUIAutomationElement__com_GetCachedPropertyValueEx

    def of(element: Any) -> PropertyReader:
        value = variant()  # one per element, not shared: an abandoned thread may still read
        where = ctypes.byref(value)

        def told(property: int) -> Any:
            ask(element, property, _IGNORE_DEFAULT, where)
            kind = value.vt
            if kind == _EMPTY:
                return None
            if kind == _I4:
                return value._.VT_I4
            if kind == _BOOL:
                return bool(value._.VT_BOOL)
            if kind == _R8:
                return value._.VT_R8
            found = value._.bstrVal if kind == _BSTR else None if kind == _UNKNOWN else value.value
            clear(where)
            return found if isinstance(found, bool | int | float | str) else None

        return told

    return of
