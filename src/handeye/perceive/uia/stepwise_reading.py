"""Read a window step by step, where UI Automation cannot return it as a whole."""

from __future__ import annotations

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
