"""UI Automation of this computer, through comtypes."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Final, TypeVar

from handeye.clock import Clock, Deadline, SystemClock
from handeye.devices.windows.functions import load, make_dpi_aware
from handeye.errors import DeviceError, DeviceLost, MissingPart, TreeFailed, UnsupportedAction, UsageError
from handeye.geometry import Box
from handeye.perceive.uia.apartment import Apartment
from handeye.perceive.uia.api import Node, Tree, Verb
from handeye.perceive.uia.declared import declare
from handeye.perceive.uia.interfaces import CUI_AUTOMATION_8
from handeye.perceive.uia.steps import children_by, read_by_steps, windows_in
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
# What is read step by step ends before READ_S, with what there is by then.
_STEPS_S: Final = 3.0
# What UI Automation itself waits for one application: below ours, so that it is the one to say so.
_TRANSACTION_MS: Final = 4_000

# A window's tree is what an application says, and it may say anything (as in perceive/atspi/reading.py).
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 250

_TOO_MUCH: Final = f"the window has more than {MAX_NODES:,} elements or {MAX_DEPTH} levels: the rest was not read"

_SUBTREE: Final = 7  # TreeScope; a request is for the element alone where nothing is said
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

# After these a window is not read step by step: it is gone, hangs, or may not be read.
_HOPELESS: Final = frozenset({0x80040201, 0x80131505, 0x80070005, 0x800706BA, 0x80010108, 0x80040154})


class ComApi:
    """The real UiaApi. Raises UsageError on another system, MissingPart without comtypes. Safe for several threads."""

    _apartment: Apartment
    _com: SimpleNamespace | None
    _clock: Clock

    def __init__(self, clock: Clock | None = None) -> None:
        if sys.platform != "win32":
            raise UsageError("UI Automation is Windows' own; on Linux applications tell of themselves over AT-SPI")
        self._com = None
        self._clock = clock or SystemClock()
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
            try:
                return work()
            except self._loaded.errors as error:
                kind, why = _meaning(error)
                raise kind(why) from error

        return self._apartment.run(translated, seconds)

    # -- on the apartment's thread

    @property
    def _loaded(self) -> SimpleNamespace:
        assert self._com is not None
        return self._com

    def _enter(self) -> None:
        win32 = load()
        make_dpi_aware(win32)  # or UI Automation tells places in the pixels of a screen that is not scaled
        com = _comtypes()
        _keep_apartment()
        with contextlib.suppress(OSError):  # it has been entered by the import
            com.CoInitializeEx(_MULTITHREADED)
        classes = declare(com)
        try:
            automation = com.CoCreateInstance(
                com.GUID(f"{{{CUI_AUTOMATION_8}}}"),
                interface=classes["IUIAutomation2"],
                clsctx=com.CLSCTX_INPROC_SERVER,
            )
            with contextlib.suppress(com.COMError):  # READ_S holds all the same
                automation.put_TransactionTimeout(_TRANSACTION_MS)
            single = _request(automation)
            control_view = automation.get_ControlViewCondition()
        except (com.COMError, OSError) as error:
            raise TreeFailed(f"UI Automation does not start: {_meaning(error)[1]}") from error
        whole = _whole(_request(automation), com.COMError)
        self._com = SimpleNamespace(
            classes=classes,
            automation=automation,
            whole=whole,
            inner=functools.partial(windows_in, win32) if whole is None else None,
            single=single,
            control_view=control_view,
            errors=(com.COMError, OSError),
        )

    def _tree(self, windows: Sequence[int]) -> Tree:
        roots: list[Node] = []
        notes: list[str] = []
        limit = Deadline(self._clock, _STEPS_S)
        budget = MAX_NODES
        for number, window in enumerate(windows):
            try:
                root, read, missing = self._window(window, budget, limit)
            except (DeviceError, *self._loaded.errors):
                if number == 0:
                    raise
                continue  # a menu that has been closed meanwhile
            roots.append(root)
            budget -= read
            notes += missing
        return Tree(roots, tuple(dict.fromkeys(notes)))

    def _window(self, window: int, most: int, limit: Deadline) -> tuple[Node, int, list[str]]:
        """By one request; step by step where UI Automation fails at that, as it does where one part of the tree fails."""
        com = self._loaded
        try:
            if com.whole is not None:
                element = com.automation.ElementFromHandleBuildCache(window, com.whole)
                root, read, whole = _read_down(element, most)
                return root, read, [] if whole else [_TOO_MUCH]
        except com.errors as error:
            if _code(error) in _HOPELESS:
                raise
        element = com.automation.ElementFromHandle(window)
        root = _node(element and element.BuildUpdatedCache(com.single))
        read, notes = read_by_steps(
            root,
            children_by(com, _node),
            most=most,
            deepest=MAX_DEPTH,
            late=lambda: limit.passed,
            errors=com.errors,
        )
        return root, read, notes

    def _look(self, handle: Any) -> Node:
        return _node(handle.BuildUpdatedCache(self._loaded.single))

    def _text(self, handle: Any, most: int) -> str:
        document = self._pattern(handle, Pattern.TEXT).get_DocumentRange()
        return str(document.GetText(most) or "") if document else ""

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
        found = handle.GetCurrentPattern(pattern)
        if not found:
            raise UnsupportedAction("it does not offer that; click it instead")
        return found.QueryInterface(self._loaded.classes[_PATTERN_NAMES[pattern]])


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


def _keep_apartment() -> None:
    """
    Have the apartment of all threads without one of their own last as long as this process: elements outlive the thread that
    read them, and are let go of on any thread.
    """
    with contextlib.suppress(OSError, AttributeError):  # Windows 7 has not the function
        ctypes.OleDLL("ole32").CoIncrementMTAUsage(ctypes.byref(ctypes.c_void_p()))  # type: ignore[attr-defined,unused-ignore]


def _request(automation: Any) -> Any:
    """Asks for everything that is read, at once: each question of its own would be a call into the application."""
    request = automation.CreateCacheRequest()
    wanted = (*OF_EVERY_ELEMENT, Property.BOUNDING_RECTANGLE, *AVAILABLE.values())
    for one in (*wanted, *(each for some in OF_PATTERN.values() for each in some)):
        request.AddProperty(int(one))
    request.put_TreeFilter(automation.get_ControlViewCondition())
    return request


def _whole(request: Any, error: type[BaseException]) -> Any:
    """`request`, for an element with all that lies below it; None for a UI Automation that has no such (Wine 10's)."""
    try:
        request.put_TreeScope(_SUBTREE)
    except error:
        return None
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
    if not found:
        return []
    children = [found.GetElement(index) for index in range(found.get_Length())]
    return [child for child in children if child]  # of what has gone meanwhile there is a null pointer


def _node(element: Any) -> Node:
    """Raises DeviceError for a null pointer, which UI Automation gives with its word that all went well."""
    if not element:
        raise DeviceError("it is gone")
    told = {int(one): _told(element, one) for one in OF_EVERY_ELEMENT}
    patterns = frozenset[Pattern]()
    if told[Property.CONTROL_TYPE] not in _PLAIN:
        patterns = frozenset(one for one, id in AVAILABLE.items() if _told(element, id))
    for pattern in patterns:
        for one in OF_PATTERN.get(pattern, ()):
            if one is not Property.VALUE_VALUE or not told[Property.IS_PASSWORD]:
                told[int(one)] = _told(element, one)
    rect = element.get_CachedBoundingRectangle()
    seen = rect.right > rect.left and rect.bottom > rect.top
    box = Box(rect.left, rect.top, rect.right, rect.bottom) if seen else None
    return Node(element, box, told, patterns)


def _told(element: Any, property: int) -> Any:
    """
    What has been cached of a property. An element that does not know it answers its usual value, or with a COM object of UI
    Automation's own that stands for "not supported", which would count as true: None.
    """
    value = element.GetCachedPropertyValueEx(int(property), False)
    return value if isinstance(value, bool | int | float | str) else None


def _code(error: BaseException) -> int:
    number = getattr(error, "hresult", None)
    number = getattr(error, "winerror", None) if number is None else number
    return (number or 0) & 0xFFFFFFFF


def _meaning(error: BaseException) -> tuple[type[DeviceError], str]:
    code = _code(error)
    return _ERRORS.get(code, (DeviceError, f"UI Automation failed with 0x{code:08X}"))
