"""Fast access to an element's cached properties, which is most of the time of a reading on our side."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

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
