"""UI Automation of this computer, through comtypes."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Final, TypeVar

from handeye.errors import DeviceError, DeviceLost, MissingPart, TreeFailed, UnsupportedAction, UsageError
from handeye.geometry import Box
from handeye.perceive.uia.apartment import Apartment
from handeye.perceive.uia.api import Node, Tree, Verb
from handeye.perceive.uia.declared import declare
from handeye.perceive.uia.interfaces import CUI_AUTOMATION_8
from handeye.perceive.uia.vocabulary import (
    AVAILABLE,
    OF_EVERY_ELEMENT,
    OF_PATTERN,
    Pattern,
    Property,
    control_types,
)

T = TypeVar("T")

# A reading of 300 elements takes some ten milliseconds where an application is not busy; what takes longer than this hangs.
READ_S: Final = 5.0
# One command. An application that opens a dialog may answer only when it is closed again.
COMMAND_S: Final = 5.0
# What UI Automation itself waits for one application: below ours, so that it is the one to say so.
_TRANSACTION_MS: Final = 4_000

# A window's tree is what an application says, and it may say anything (as in perceive/atspi/reading.py).
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 250

_ELEMENT_ONLY, _SUBTREE = 1, 7  # TreeScope
_MULTITHREADED: Final = 0

# What has no pattern that anybody would use: not asked which it has.
_PLAIN: Final = control_types("Image", "Separator", "TitleBar", "ToolTip", "Header", "Group", "Pane")

_PATTERN_NAMES: Final = {
    Pattern.INVOKE: "IUIAutomationInvokePattern",
    Pattern.VALUE: "IUIAutomationValuePattern",
    Pattern.RANGE_VALUE: "IUIAutomationRangeValuePattern",
    Pattern.EXPAND_COLLAPSE: "IUIAutomationExpandCollapsePattern",
    Pattern.SELECTION_ITEM: "IUIAutomationSelectionItemPattern",
    Pattern.TEXT: "IUIAutomationTextPattern",
    Pattern.TOGGLE: "IUIAutomationTogglePattern",
    Pattern.SCROLL_ITEM: "IUIAutomationScrollItemPattern",
    Pattern.LEGACY_I_ACCESSIBLE: "IUIAutomationLegacyIAccessiblePattern",
}
_VERBS: Final[dict[Verb, tuple[Pattern, str]]] = {
    "invoke": (Pattern.INVOKE, "Invoke"),
    "default": (Pattern.LEGACY_I_ACCESSIBLE, "DoDefaultAction"),
    "set_text": (Pattern.VALUE, "SetValue"),
    "set_number": (Pattern.RANGE_VALUE, "SetValue"),
    "toggle": (Pattern.TOGGLE, "Toggle"),
    "select": (Pattern.SELECTION_ITEM, "Select"),
    "expand": (Pattern.EXPAND_COLLAPSE, "Expand"),
    "scroll": (Pattern.SCROLL_ITEM, "ScrollIntoView"),
}

# What UI Automation's errors mean (uiautomationcoreapi.h, corerror.h, winerror.h).
_ERRORS: Final[dict[int, tuple[type[DeviceError], str]]] = {
    0x80040200: (DeviceError, "it is disabled"),  # UIA_E_ELEMENTNOTENABLED
    0x80040201: (DeviceError, "it is gone"),  # UIA_E_ELEMENTNOTAVAILABLE
    0x80040204: (UnsupportedAction, "it does not offer that; click it instead"),  # UIA_E_NOTSUPPORTED
    0x80131505: (TreeFailed, "the application does not answer: it hangs, or is busy"),  # UIA_E_TIMEOUT
    0x80131509: (DeviceError, "it cannot do that now"),  # UIA_E_INVALIDOPERATION
    0x80070005: (DeviceError, "its application has more rights than this program"),  # E_ACCESSDENIED
    0x800706BA: (DeviceLost, "the application is gone"),  # RPC_S_SERVER_UNAVAILABLE
    0x80010108: (DeviceLost, "the application is gone"),  # RPC_E_DISCONNECTED
    0x80040154: (TreeFailed, "this Windows has no UI Automation"),  # REGDB_E_CLASSNOTREG
    0x80004001: (UnsupportedAction, "it does not offer that; click it instead"),  # E_NOTIMPL
}


class ComApi:
    """The real UiaApi. Raises UsageError on another system, MissingPart without comtypes. Safe for several threads."""

    _apartment: Apartment
    _com: SimpleNamespace | None

    def __init__(self) -> None:
        if sys.platform != "win32":
            raise UsageError("UI Automation is Windows' own; on Linux applications tell of themselves over AT-SPI")
        self._com = None
        self._apartment = Apartment(self._enter)

    def tree(self, windows: Sequence[int]) -> Tree:
        return self._run(lambda: self._tree(windows), READ_S)

    def look(self, handle: object) -> Node:
        return self._run(lambda: self._look(handle), COMMAND_S)

    def text(self, handle: object, most: int) -> str:
        return self._run(lambda: self._text(handle, most), COMMAND_S)

    def do(self, handle: object, verb: Verb, value: str = "") -> None:
        self._run(lambda: self._do(handle, verb, value), COMMAND_S)

    def close(self) -> None:
        self._apartment.close()

    def _run(self, work: Callable[[], T], seconds: float) -> T:
        def translated() -> T:
            assert self._com is not None
            try:
                return work()
            except self._com.errors as error:
                kind, why = _meaning(error)
                raise kind(why) from error

        return self._apartment.run(translated, seconds)

    # -- on the apartment's thread

    def _enter(self) -> None:
        com = _comtypes()
        with contextlib.suppress(OSError):  # it has been entered by the import
            com.CoInitializeEx(_MULTITHREADED)
        classes = declare(com)
        try:
            automation = com.CoCreateInstance(
                com.GUID(f"{{{CUI_AUTOMATION_8}}}"),
                interface=classes["IUIAutomation2"],
                clsctx=com.CLSCTX_INPROC_SERVER,
            )
            automation.put_TransactionTimeout(_TRANSACTION_MS)
            requests = _request(automation, _SUBTREE), _request(automation, _ELEMENT_ONLY)
        except (com.COMError, OSError) as error:
            raise TreeFailed(f"UI Automation does not start: {_meaning(error)[1]}") from error
        self._com = SimpleNamespace(
            classes=classes,
            automation=automation,
            whole=requests[0],
            single=requests[1],
            errors=(com.COMError, OSError),
        )

    def _tree(self, windows: Sequence[int]) -> Tree:
        assert self._com is not None
        roots: list[Node] = []
        notes: list[str] = []
        budget = MAX_NODES
        for number, window in enumerate(windows):
            try:
                element = self._com.automation.ElementFromHandleBuildCache(window, self._com.whole)
            except self._com.errors:
                if number == 0:
                    raise
                continue  # a menu that has been closed meanwhile
            root, read, whole = _read_down(element, budget)
            roots.append(root)
            budget -= read
            if not whole:
                notes.append(
                    f"the window has more than {MAX_NODES:,} elements or {MAX_DEPTH} levels: the rest was not read"
                )
        return Tree(roots, tuple(notes))

    def _look(self, handle: Any) -> Node:
        assert self._com is not None
        return _node(handle.BuildUpdatedCache(self._com.single))

    def _text(self, handle: Any, most: int) -> str:
        return str(self._pattern(handle, Pattern.TEXT).get_DocumentRange().GetText(most) or "")

    def _do(self, handle: Any, verb: Verb, value: str) -> None:
        if verb == "focus":
            handle.SetFocus()
            return
        pattern, method = _VERBS[verb]
        call = getattr(self._pattern(handle, pattern), method)
        if verb == "set_text":
            call(value)
        elif verb == "set_number":
            call(float(value))
        else:
            call()

    def _pattern(self, handle: Any, pattern: Pattern) -> Any:
        assert self._com is not None
        found = handle.GetCurrentPattern(pattern)
        if not found:
            raise UnsupportedAction("it does not offer that; click it instead")
        return found.QueryInterface(self._com.classes[_PATTERN_NAMES[pattern]])


def _comtypes() -> Any:
    """The module, with its parts. Its first import enters an apartment by itself: the one that this setting names."""
    set_here = not hasattr(sys, "coinit_flags")
    if set_here:
        sys.coinit_flags = _MULTITHREADED  # type: ignore[attr-defined]
    try:
        import comtypes
        import comtypes.automation
    except ImportError as error:
        raise MissingPart(
            "the reader of Windows' UI Automation (comtypes)", "pip install 'handeye[windows]'"
        ) from error
    finally:
        if set_here:
            del sys.coinit_flags  # type: ignore[attr-defined]
    return comtypes


def _request(automation: Any, scope: int) -> Any:
    """Asks for everything that is read, at once: each question of its own would be a call into the application."""
    request = automation.CreateCacheRequest()
    wanted = (*OF_EVERY_ELEMENT, Property.BOUNDING_RECTANGLE, *AVAILABLE.values())
    for one in (*wanted, *(each for some in OF_PATTERN.values() for each in some)):
        request.AddProperty(int(one))
    request.put_TreeScope(scope)
    request.put_TreeFilter(automation.get_ControlViewCondition())
    return request


def _read_down(element: Any, most: int) -> tuple[Node, int, bool]:
    """The nodes from the cache of an element, how many they are, and whether these are all. Calls no application."""
    root = _node(element)
    level, read, depth = [root], 1, 0
    while level:
        below: list[Node] = []
        for node in level:
            for child in _children(node.handle):
                if read >= most or depth >= MAX_DEPTH:
                    return root, read, False
                node.children.append(_node(child))
                read += 1
            below += node.children
        level, depth = below, depth + 1
    return root, read, True


def _children(element: Any) -> list[Any]:
    found = element.GetCachedChildren()
    return [found.GetElement(index) for index in range(found.get_Length())] if found else []


def _node(element: Any) -> Node:
    told = {int(one): element.GetCachedPropertyValue(int(one)) for one in OF_EVERY_ELEMENT}
    patterns = frozenset[Pattern]()
    if told[Property.CONTROL_TYPE] not in _PLAIN:
        patterns = frozenset(one for one, id in AVAILABLE.items() if element.GetCachedPropertyValue(id))
    for pattern in patterns:
        for one in OF_PATTERN.get(pattern, ()):
            if one is not Property.VALUE_VALUE or not told[Property.IS_PASSWORD]:
                told[int(one)] = element.GetCachedPropertyValue(int(one))
    rect = element.get_CachedBoundingRectangle()
    seen = rect.right > rect.left and rect.bottom > rect.top
    box = Box(rect.left, rect.top, rect.right, rect.bottom) if seen else None
    return Node(element, box, told, patterns)


def _meaning(error: OSError) -> tuple[type[DeviceError], str]:
    number = getattr(error, "hresult", None)
    number = getattr(error, "winerror", None) if number is None else number
    code = (number or 0) & 0xFFFFFFFF
    return _ERRORS.get(code, (DeviceError, f"UI Automation failed with 0x{code:08X}"))
