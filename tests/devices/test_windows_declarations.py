"""Tests of the Win32 declarations against documented sizes and Wine's headers (apt: libwine-dev)."""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path

import pytest

from handeye.devices.windows import functions
from handeye.devices.windows.functions import FUNCTIONS
from handeye.devices.windows.native import Native
from handeye.devices.windows.structures import DEVMODEW, INPUT, SIZES_64, text_of
from handeye.errors import UsageError

HEADERS = Path("/usr/include/wine/wine/windows")
OF_LIBRARY = {
    "user32": "winuser.h",
    "gdi32": "wingdi.h",
    "kernel32": "winbase.h",
    "advapi32": "winbase.h",
    "dwmapi": "dwmapi.h",
    "shcore": "shellscalingapi.h",
}


@pytest.mark.parametrize("structure", SIZES_64)
def test_structures_have_the_windows_sizes(structure: type[ctypes.Structure]) -> None:
    assert ctypes.sizeof(structure) == SIZES_64[structure]


def test_structure_fields_have_the_windows_offsets() -> None:
    assert INPUT.of.offset == 8
    assert (DEVMODEW.dmSize.offset, DEVMODEW.dmDisplayOrientation.offset) == (68, 84)
    assert (DEVMODEW.dmPelsWidth.offset, DEVMODEW.dmPanningHeight.offset) == (172, 216)


def test_structure_text_ends_at_a_zero() -> None:
    mode = DEVMODEW()
    for number, unit in enumerate("\\\\.\\DISPLAY1\0rest".encode("utf-16-le")[::2]):
        mode.dmDeviceName[number] = unit
    assert text_of(mode.dmDeviceName) == "\\\\.\\DISPLAY1"


def declared_in_headers() -> dict[str, list[str]]:
    """The parameter types of every function of Wine's headers that we use, without their names."""
    if not HEADERS.is_dir():
        pytest.skip("Wine's headers are not installed: apt-get install libwine-dev")
    found: dict[str, list[str]] = {}
    for name in OF_LIBRARY.values():
        text = (HEADERS / name).read_text(encoding="utf-8", errors="replace")
        for match in re.finditer(r"\b(?:WINAPI|DWMAPI|STDAPI)\s+(\w+)\s*\(([\w\s,*]*)\)", text):
            arguments = match[2].strip()
            found.setdefault(match[1], [] if arguments in ("", "void", "VOID") else arguments.split(","))
    return found


@pytest.mark.parametrize("library", OF_LIBRARY)
def test_function_arguments_match_the_headers(library: str) -> None:
    published = declared_in_headers()
    compared = 0
    for name, function in FUNCTIONS[library].items():
        if name not in published:
            continue
        compared += 1
        assert len(function.takes) == len(published[name]), name
        for own, theirs in zip(function.takes, published[name], strict=True):
            assert ctypes.sizeof(own) == width_of(theirs), (name, theirs)
    assert compared == len(FUNCTIONS[library])


def width_of(declaration: str) -> int:
    """In bytes, on 64 bits: whatever is no number of 32 or 16 bits is a handle or a pointer."""
    words = declaration.replace("*", " * ").split()
    if "*" in words:
        return 8
    kinds = {"BOOL", "INT", "int", "UINT", "DWORD", "LONG", "MONITOR_DPI_TYPE", "COLORREF", "WCHAR"}
    kinds |= {"TOKEN_INFORMATION_CLASS"}
    named = [word for word in words if word in kinds]
    return (2 if named[0] == "WCHAR" else 4) if named else 8


@pytest.mark.skipif(sys.platform == "win32", reason="there it works")
def test_other_systems_are_refused() -> None:
    for call in (functions.load, Native):
        with pytest.raises(UsageError, match="Windows computer"):
            call()
