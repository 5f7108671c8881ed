"""Connect to UI Automation: comtypes, the apartment, the automation object, and the cache request."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import sys
from types import SimpleNamespace
from typing import Any, Final

from handeye.devices import has_more_rights, load, make_dpi_aware
from handeye.errors import MissingPart, TreeFailed
from handeye.perceive.uia.api import meaning_of
from handeye.perceive.uia.declared import declare
from handeye.perceive.uia.interfaces import CUI_AUTOMATION_8
from handeye.perceive.uia.reading import reader, windows_in
from handeye.perceive.uia.vocabulary import AVAILABLE, OF_EVERY_ELEMENT, OF_PATTERN, Property

# UI Automation's own timeout for one application: below com.READ_S and COMMAND_S, so that it reports the timeout first.
_TRANSACTION_MS: Final = 4_000
# Time for a thread that processes messages to process an empty one.
_PUMP_MS: Final = 1_000

_SUBTREE: Final = 7  # TreeScope; the default is the element alone
_MULTITHREADED: Final = 0
_NO_MESSAGE: Final = 0  # WM_NULL
_NOT_WHEN_HUNG: Final = 2  # SMTO_ABORTIFHUNG


def connect() -> SimpleNamespace:
    """
    Enter this thread's apartment and connect to UI Automation. The result has:

    - `automation`, `classes` (interfaces by name), `errors` (exceptions of its calls), `reader` (of cached properties);
    - `whole`, the cache request for an element with its subtree, None where unsupported (Wine 10); `single`, for one element;
      `control_view`, the condition of the view; `inner`, which lists a window's child windows, None where `whole` finds them;
    - Win32 functions of a window handle: `is_window`, `has_more_rights` than this program, `takes_messages` (its thread does).

    Raises UsageError on another system, MissingPart without comtypes, TreeFailed.
    """
    win32 = load()
    make_dpi_aware(win32)  # else UI Automation reports boxes in unscaled pixels
    com = _comtypes()
    _keep_apartment()
    with contextlib.suppress(OSError):  # already entered by the import
        com.CoInitializeEx(_MULTITHREADED)
    classes = declare(com)
    try:
        automation = com.CoCreateInstance(
            com.GUID(f"{{{CUI_AUTOMATION_8}}}"), interface=classes["IUIAutomation2"], clsctx=com.CLSCTX_INPROC_SERVER
        )
        with contextlib.suppress(com.COMError):  # READ_S applies anyway
            automation.put_TransactionTimeout(_TRANSACTION_MS)
        whole, single = _whole(_request(automation), com.COMError), _request(automation)
        if whole is None:
            single.AddProperty(int(Property.NATIVE_WINDOW_HANDLE))
        control_view = automation.get_ControlViewCondition()
    except (com.COMError, OSError) as error:
        raise TreeFailed(f"UI Automation does not start: {meaning_of(error)[1]}") from error
    return SimpleNamespace(
        classes=classes,
        automation=automation,
        reader=reader(com, classes["IUIAutomationElement"]),
        whole=whole,
        single=single,
        inner=functools.partial(windows_in, win32) if whole is None else None,
        control_view=control_view,
        errors=(com.COMError, OSError),
        is_window=win32.IsWindow,
        has_more_rights=functools.partial(has_more_rights, win32),
        takes_messages=functools.partial(_takes_messages, win32),
    )


def _comtypes() -> Any:
    """
    Return the module, with its submodules. Its first import enters an apartment, the one that `sys.coinit_flags` selects.
    """
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
    Keep the multithreaded apartment alive as long as this process: elements outlive the thread that read them, and are
    released on any thread.
    """
    with contextlib.suppress(OSError, AttributeError):  # Windows 7 lacks the function
        ctypes.OleDLL("ole32").CoIncrementMTAUsage(ctypes.byref(ctypes.c_void_p()))  # type: ignore[attr-defined,unused-ignore]


def _request(automation: Any) -> Any:
    """
    Return a cache request for every property that is read: each separate question would be a call into the application.
    """
    request = automation.CreateCacheRequest()
    wanted = (*OF_EVERY_ELEMENT, Property.BOUNDING_RECTANGLE, *AVAILABLE.values())
    for one in (*wanted, *(each for some in OF_PATTERN.values() for each in some)):
        request.AddProperty(int(one))
    request.put_TreeFilter(automation.get_ControlViewCondition())
    return request


def _whole(request: Any, error: type[BaseException]) -> Any:
    """Return `request` extended to an element's subtree, or None if UI Automation does not support that (Wine 10)."""
    try:
        request.put_TreeScope(_SUBTREE)
    except error:
        return None
    return request


def _takes_messages(win32: SimpleNamespace, window: int) -> bool:
    """
    Return True if the window's thread processes a message within a second: a thread that shows a dialog does, a hanging one
    does not. UI Automation itself may answer for a window whose thread hangs, from what Windows knows of it.
    """
    answer = ctypes.c_size_t()
    asked = (_NO_MESSAGE, 0, 0, _NOT_WHEN_HUNG, _PUMP_MS, ctypes.byref(answer))
    return bool(win32.SendMessageTimeoutW(window, *asked))
