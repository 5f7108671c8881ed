"""
Reads COM interfaces out of Microsoft's metadata of the Windows API: the wheel of `requirements/windows-metadata.txt`.

The metadata names the place of every method in its table and the type of every argument, but neither its direction nor what a
SAFEARRAY holds: `as_passed` writes our declarations in the same way.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Final

from handeye.perceive.uia.declared import arguments_of, methods_before
from handeye.perceive.uia.interfaces import Interface

_REQUIREMENTS: Final = Path(__file__).parents[2] / "requirements" / "windows-metadata.txt"
_FOLDER: Final = Path(__file__).parents[2] / ".venv" / "wine"
_UI_AUTOMATION: Final = "UI/Accessibility"
_WITH_ERRORS: Final = ("Foundation", "System/Rpc", _UI_AUTOMATION)

_CLASS: Final = re.compile(
    r"^class (?P<name>\w+)\(ComPtr\):\n    extends: (?P<base>[\w.]+)\n    _iid_ = Guid\('\{(?P<iid>[-\w]+)\}'\)\n"
    r"(?P<body>(?:    .*\n)*)",
    re.MULTILINE,
)
_METHOD: Final = re.compile(
    r"@commethod\((?P<slot>\d+)\)\n    def (?P<name>\w+)\(self(?P<arguments>.*)\) -> [\w.]+\.HRESULT:"
)
_ERROR: Final = re.compile(r"^(?P<name>[A-Z]\w+): [\w.]+ = (?P<number>-?\d+)$", re.MULTILINE)
_NUMBERS: Final = re.compile(r"^(\w+) = Int32$", re.MULTILINE)
_INTERFACE: Final = re.compile(r"I(UIAutomation|Unknown$|Accessible$)")
_NAMES: Final = {
    **{"Int32": "int", "UInt32": "DWORD", "Double": "double", "VoidPtr": "void*"},
    **{"PWSTR": "LPCWSTR", "HWND": "UIA_HWND", "Guid*": "REFIID"},
}
"""What our declarations, in the words of Wine's definitions, call the same types."""


def published_wheel() -> Path:
    """Path at which `make wine` puts the wheel of the pinned version."""
    (pinned,) = re.findall(r"^(\S+)==(\S+)", _REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    name, version = pinned
    return _FOLDER / f"{name.replace('-', '_')}-{version}-py2.py3-none-any.whl"


def text_in(wheel: Path, part: str = _UI_AUTOMATION) -> str:
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(f"win32more/Windows/Win32/{part}/__init__.py").decode().replace("\r\n", "\n")


def errors_in(wheel: Path) -> dict[str, int]:
    """The HRESULTs by their names; errors of Win32 as the HRESULTs that they are told as (winerror.h, HRESULT_FROM_WIN32)."""
    told = (match for part in _WITH_ERRORS for match in _ERROR.finditer(text_in(wheel, part)))
    return {match["name"]: _hresult(int(match["number"])) for match in told}


def _hresult(number: int) -> int:
    return 0x80070000 | number if 0 < number < 0x10000 else number & 0xFFFFFFFF


def interfaces_in(text: str) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """By name: the id, the base, and the methods, each with its place in the table and its arguments' types."""
    declared = {match["name"]: match for match in _CLASS.finditer(text)}
    numbers = frozenset(_NUMBERS.findall(text))
    return {
        name: (
            match["iid"],
            match["base"].rpartition(".")[2],
            tuple(_method(method, numbers) for method in _METHOD.finditer(match["body"])),
        )
        for name, match in declared.items()
    }


def as_passed(interface: Interface) -> tuple[str, str, tuple[str, ...]]:
    """The same of one of our declarations."""
    first = methods_before(interface)
    methods = tuple(_as_passed(first + number, signature) for number, signature in enumerate(interface.methods))
    return interface.iid, interface.base, methods


def _as_passed(slot: int, signature: str) -> str:
    name, arguments = arguments_of(signature)
    told = (_plain(kind) + "*" * (direction == "out") for direction, kind in arguments)
    return f"{slot} {name}({', '.join(told)})"


def _plain(kind: str) -> str:
    kind = re.sub(r"\w+\[\]", "SAFEARRAY*", kind)
    return {"long": "int"}.get(kind, kind)


def _method(method: re.Match[str], numbers: frozenset[str]) -> str:
    told = (_type(each.partition(": ")[2], numbers) for each in method["arguments"].split(", ") if each)
    return f"{method['slot']} {method['name']}({', '.join(told)})"


def _type(kind: str, numbers: frozenset[str]) -> str:
    pointers = "*" * kind.count("POINTER(")
    name = kind.replace("POINTER(", "").rstrip(")").rpartition(".")[2]
    if name in numbers:
        name = "int"
    elif _INTERFACE.match(name):
        name += "*"
    return _NAMES.get(name + pointers) or _NAMES.get(name, name) + pointers
