"""The interface to UI Automation in plain data. COM objects pass through it only as opaque handles.

`com.ComApi` is the real implementation; everything else of this package is tested against trees in the same form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol

from handeye.errors import DeviceError, DeviceLost, TreeFailed, UnsupportedAction
from handeye.geometry import Box
from handeye.perceive.uia.vocabulary import Pattern, Property

Verb = Literal["invoke", "default", "set_text", "set_number", "toggle", "select", "expand", "scroll", "focus"]
"""An action on an element. "default" is its default action in MSAA, the API before UI Automation."""


class CallTimedOut(TreeFailed):
    """An application did not answer in time. It may still have performed the action."""


@dataclass(slots=True, eq=False)
class Node:
    """An element as it was read: `box` in desktop pixels or None, `properties` by property id."""

    handle: object
    box: Box | None
    properties: Mapping[int, Any]
    patterns: frozenset[Pattern]
    children: list[Node] = field(default_factory=list)

    def get(self, name: Property) -> Any:
        return self.properties.get(name)

    def text_of(self, name: Property) -> str:
        value = self.properties.get(name)
        return value if isinstance(value, str) else ""

    @property
    def is_password(self) -> bool:
        return bool(self.get(Property.IS_PASSWORD))


@dataclass(frozen=True, slots=True)
class Tree:
    """The elements of some windows, the first window's root first; `notes` report what is missing."""

    roots: Sequence[Node]
    notes: tuple[str, ...] = ()


class UiaApi(Protocol):
    """
    Every call ends within a time limit. Raises CallTimedOut if an application does not answer, TreeFailed if it is busy,
    DeviceLost if it has ended, DeviceError if an element is gone or refuses, UnsupportedAction if the element lacks the
    pattern.
    """

    def tree(self, windows: Sequence[int]) -> Tree:
        """
        Return the control view of each window, read by one request. Windows that are gone are skipped; raises TreeFailed if
        the first one is gone.
        """
        ...

    def look(self, handle: object) -> Node:
        """Return one element's current state, without children."""
        ...

    def look_all(self, handles: Sequence[object]) -> Sequence[Node | None]:
        """Return several elements as `look` does, within the time limit of one; None for those that are gone."""
        ...

    def text(self, handle: object, most: int) -> str:
        """Return the text of an element with the text pattern, at most `most` characters."""
        ...

    def do(self, handle: object, verb: Verb, value: str = "") -> None: ...

    def answers(self, window: int) -> bool:
        """Return True if the window's program responds: False if it hangs, or the window is gone."""
        ...

    def close(self) -> None: ...


# Map UI Automation's error codes (uiautomationcoreapi.h, corerror.h, winerror.h) to Handeye's errors, and mark the transient
# ones.


_NOT_OFFERED: Final = (UnsupportedAction, "it does not offer that; click it instead")
_NO_ANSWER: Final = (CallTimedOut, "the application does not answer: it hangs, or is busy")
_BUSY: Final = (TreeFailed, "the application is busy: it takes no calls now")
_GONE: Final = (DeviceError, "it is gone")
_ENDED: Final = (DeviceLost, "the application is gone")
_NONE_HERE: Final = (TreeFailed, "this Windows has no UI Automation")
_NO_RIGHTS: Final = (
    DeviceError,
    "its application has more rights than this program; run Handeye with the same rights",
)

_MEANINGS: Final = MappingProxyType[int, tuple[type[DeviceError], str]](
    {
        0x80040200: (DeviceError, "it is disabled"),  # UIA_E_ELEMENTNOTENABLED
        0x80040201: _GONE,  # UIA_E_ELEMENTNOTAVAILABLE
        0x80040204: _NOT_OFFERED,  # UIA_E_NOTSUPPORTED
        0x80131505: _NO_ANSWER,  # UIA_E_TIMEOUT
        0x80131509: (DeviceError, "it cannot do that now"),  # UIA_E_INVALIDOPERATION
        0x80004001: _NOT_OFFERED,  # E_NOTIMPL
        0x80070005: _NO_RIGHTS,  # E_ACCESSDENIED
        0x80070578: _GONE,  # ERROR_INVALID_WINDOW_HANDLE
        0x800401FD: _GONE,  # CO_E_OBJNOTCONNECTED
        0x80040154: _NONE_HERE,  # REGDB_E_CLASSNOTREG
        # The other process has ended, before a call or during one.
        0x800706BA: _ENDED,  # RPC_S_SERVER_UNAVAILABLE
        0x800706BE: _ENDED,  # RPC_S_CALL_FAILED
        0x800706BF: _ENDED,  # RPC_S_CALL_FAILED_DNE
        0x80010007: _ENDED,  # RPC_E_SERVER_DIED
        0x80010012: _ENDED,  # RPC_E_SERVER_DIED_DNE
        0x80010108: _ENDED,  # RPC_E_DISCONNECTED
        # It is running, but rejects calls now.
        0x80010001: _BUSY,  # RPC_E_CALL_REJECTED
        0x8001010A: _BUSY,  # RPC_E_SERVERCALL_RETRYLATER
        0x800706BB: _BUSY,  # RPC_S_SERVER_TOO_BUSY
        0x8001011F: _NO_ANSWER,  # RPC_E_TIMEOUT
        # Its UI Automation code raised an exception; the application goes on.
        0x80010105: (DeviceError, "the application made an error of its own when it was asked"),  # RPC_E_SERVERFAULT
    }
)

BUSY: Final = frozenset(code for code, meaning in _MEANINGS.items() if meaning is _BUSY)
"""Codes of calls that were rejected for the moment."""

WHOLE_WINDOW_ERRORS: Final = BUSY | frozenset(
    code for code, meaning in _MEANINGS.items() if meaning in (_NO_ANSWER, _NO_RIGHTS, _NONE_HERE)
)
"""
After these a window is not read step by step: each step would fail alike. "Gone" is not among them: that may be one
element, or one of several processes that draw a window.
"""


def code_of(error: BaseException) -> int:
    """Return the HRESULT of a comtypes or ctypes error as a positive number, or 0 if it has none."""
    number = getattr(error, "hresult", None)
    number = getattr(error, "winerror", None) if number is None else number
    return (number or 0) & 0xFFFFFFFF


def meaning_of(error: BaseException) -> tuple[type[DeviceError], str]:
    """Return the Handeye error class for it, and the message."""
    code = code_of(error)
    return _MEANINGS.get(code, (DeviceError, f"UI Automation failed with 0x{code:08X}"))


def is_gone(error: BaseException) -> bool:
    """Return True if the error means exactly that the element is gone."""
    return _MEANINGS.get(code_of(error)) is _GONE
