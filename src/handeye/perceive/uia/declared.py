"""Create comtypes classes from the COM declarations in `interfaces.py`. Works on Windows only."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping
from typing import Any, Final

from handeye.perceive.uia.interfaces import INTERFACES, Interface

_SIGNATURE: Final = re.compile(r"(?P<name>\w+)\((?P<arguments>.*)\)")


def declare(comtypes: Any) -> Mapping[str, Any]:
    """Return a class for each interface, by name. `comtypes` is the module."""
    made: dict[str, Any] = {"IUnknown": comtypes.IUnknown}
    for name, interface in INTERFACES.items():
        made[name] = type(name, (made[interface.base],), {"_iid_": comtypes.GUID(f"{{{interface.iid}}}")})
    for name, interface in INTERFACES.items():
        made[name]._methods_ = [_method(comtypes, made, signature) for signature in interface.methods]
    return made


def arguments_of(signature: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """
    Return a method's name, and the direction and type of each argument.

    >>> arguments_of("GetElement(in int, out IUIAutomationElement*)")
    ('GetElement', (('in', 'int'), ('out', 'IUIAutomationElement*')))
    """
    match = _SIGNATURE.fullmatch(signature)
    assert match is not None, signature
    words = [each.split() for each in match["arguments"].split(", ") if each]
    return match["name"], tuple((direction, kind) for direction, kind in words)


def _method(comtypes: Any, made: Mapping[str, Any], signature: str) -> Any:
    name, arguments = arguments_of(signature)
    outs = sum(direction == "out" for direction, _ in arguments)
    parameters = []
    for number, (direction, kind) in enumerate(arguments):
        resolved = _type(comtypes, made, kind)
        if direction == "out":
            flags = ["out", "retval"] if outs == 1 else ["out"]
            parameters.append((flags, ctypes.POINTER(resolved), f"a{number}"))
        else:
            parameters.append((["in"], resolved, f"a{number}"))
    return comtypes.COMMETHOD([], comtypes.HRESULT, name, *parameters)


def _type(comtypes: Any, made: Mapping[str, Any], kind: str) -> Any:
    """Return the ctypes type; a plain pointer for types that are never passed: arrays, and undeclared interfaces."""
    known = {
        "int": ctypes.c_int,
        "long": ctypes.c_int32,
        "BOOL": ctypes.c_int,
        "DWORD": ctypes.c_uint32,
        "double": ctypes.c_double,
        "UIA_HWND": ctypes.c_void_p,
        "LPCWSTR": ctypes.c_wchar_p,
        "BSTR": comtypes.BSTR,
        "VARIANT": comtypes.automation.VARIANT,
        "RECT": _Rect,
        "POINT": _Point,
    }
    if kind in known:
        return known[kind]
    interface = made.get(kind.removesuffix("*"))
    return ctypes.POINTER(interface) if kind.endswith("*") and interface is not None else ctypes.c_void_p


class _Rect(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_int32) for name in ("left", "top", "right", "bottom"))


class _Point(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_int32) for name in ("x", "y"))


def methods_before(interface: Interface) -> int:
    """Return the number of inherited methods that precede its own in its table, IUnknown's three included."""
    if interface.base == "IUnknown":
        return 3
    base = INTERFACES[interface.base]
    return methods_before(base) + len(base.methods)
