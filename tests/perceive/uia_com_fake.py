"""UI Automation as `connection.connect` gives it, scripted: elements, errors with their numbers, and what Win32 says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

NAME, CONTROL_TYPE = 30005, 30003
BUTTON, IMAGE, CUSTOM, GROUP, WINDOW, PANE, TITLE_BAR = 50000, 50006, 50025, 50026, 50032, 50033, 50037


class ComFault(Exception):
    """As comtypes' COMError: `hresult` is the number as Windows gives it, signed."""

    def __init__(self, code: int) -> None:
        super().__init__(hex(code))
        self.hresult = code - 0x1_0000_0000


class Some:
    """An array of elements."""

    def __init__(self, elements: Sequence[Any]) -> None:
        self._elements = elements

    def get_Length(self) -> int:
        return len(self._elements)

    def GetElement(self, index: int) -> Any:
        return self._elements[index]


class Element:
    """
    `told` by the ids of properties; `does` is called by Invoke, `slowness` by each question, `breaks` raised when it is asked
    for its children. `updated` is what it is when it is looked at alone.
    """

    def __init__(
        self,
        name: str,
        kind: int = BUTTON,
        children: Sequence[Element] = (),
        *,
        told: Mapping[int, Any] | None = None,
        does: Callable[[], None] = lambda: None,
        slowness: Callable[[], None] = lambda: None,
        breaks: Exception | None = None,
    ) -> None:
        self.told = {NAME: name, CONTROL_TYPE: kind, **(told or {})}
        self.asked: list[int] = []
        self.updated: Element | Exception | None = self
        self._children, self._does, self._slowness, self._breaks = children, does, slowness, breaks

    def cached(self, number: int) -> Any:
        self.asked.append(number)
        self._slowness()
        return self.told.get(number)

    def get_CachedBoundingRectangle(self) -> Any:
        return SimpleNamespace(left=0, top=0, right=10, bottom=10)

    def GetCachedChildren(self) -> Some | None:
        return Some(self._children) if self._children else None

    def FindAllBuildCache(self, *_: object) -> Some:
        if self._breaks is not None:
            raise self._breaks
        return Some(self._children)

    def BuildUpdatedCache(self, _request: object) -> Element | None:
        if isinstance(self.updated, Exception):
            raise self.updated
        return self.updated

    def GetCurrentPattern(self, _pattern: int) -> Any:
        return SimpleNamespace(QueryInterface=lambda _: SimpleNamespace(Invoke=self._does))


class FakeUia:
    """
    `windows` are what is there by their handles. `faults` are raised one after the other by the request for a whole window,
    then it answers; `root_fault` by a question for a window alone. `elevated` are windows of programs with more rights,
    `pumping` those that take messages.
    """

    def __init__(self, windows: Mapping[int, Element]) -> None:
        self.windows = dict(windows)
        self.faults: list[Exception] = []
        self.root_fault: Exception | None = None
        self.elevated: set[int] = set()
        self.pumping = set(windows)
        self.requests = 0

    def connect(self) -> SimpleNamespace:
        return SimpleNamespace(
            automation=self,
            classes={f"IUIAutomation{name}Pattern": None for name in ("Invoke", "LegacyIAccessible")},
            errors=(ComFault,),
            reader=lambda element: element.cached,
            whole="whole",
            single="single",
            control_view="control view",
            inner=None,
            is_window=self.windows.__contains__,
            has_more_rights=self.elevated.__contains__,
            takes_messages=self.pumping.__contains__,
        )

    def ElementFromHandleBuildCache(self, window: int, _request: object) -> Element | None:
        self.requests += 1
        if self.faults:
            raise self.faults.pop(0)
        return self.windows.get(window)

    def ElementFromHandle(self, window: int) -> Element | None:
        if self.root_fault is not None:
            raise self.root_fault
        return self.windows.get(window)
