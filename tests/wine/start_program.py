"""
A Windows program that starts a Python DLL: no wheel carries python.exe, and a compiler for one would cost CI a minute.

A program of 64 bits in the PE format, written byte by byte: headers, one section with its imports, and the instructions
of

    int main() { int argc; wchar_t **argv = CommandLineToArgvW(GetCommandLineW(), &argc); ExitProcess(Py_Main(argc, argv)); }
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Final

_BASE: Final = 0x1_4000_0000
_SECTION_AT: Final = 0x1000  # in memory
_FILE_ALIGNMENT: Final = 0x200
_DOS_HEADER_BYTES: Final = 0x40
_MACHINE_AMD64: Final = 0x8664
_OPTIONAL_HEADER_BYTES: Final = 240
_CONSOLE: Final = 3
_RUNNABLE: Final = 0x22  # executable, large addresses
_READ_WRITE_RUN: Final = 0xE000_0060


def python_program(dll: str) -> bytes:
    """The program; `dll` is the Python that it starts, such as "python311.dll"."""
    wanted = {
        "kernel32.dll": ("GetCommandLineW", "ExitProcess"),
        "shell32.dll": ("CommandLineToArgvW",),
        dll: ("Py_Main",),
    }
    code_bytes = len(_code(dict.fromkeys((name for names in wanted.values() for name in names), 0)))
    imports, table_at, table_bytes, slots = _imports(wanted, _SECTION_AT + _aligned(code_bytes, 16))
    code = _code(slots)
    section = code.ljust(_aligned(code_bytes, 16), b"\xcc") + imports
    return _headers(len(section), table_at, table_bytes) + section.ljust(_aligned(len(section), _FILE_ALIGNMENT), b"\0")


def _code(slots: Mapping[str, int]) -> bytes:
    """The instructions; `slots` are the addresses of the pointers to what they call, counted from the base."""
    code = bytearray(b"\x48\x83\xec\x38")  # sub rsp, 56: shadow space for what is called, argc, and an aligned stack

    def call(name: str) -> None:
        after = _SECTION_AT + len(code) + 6
        code.extend(b"\xff\x15" + struct.pack("<i", slots[name] - after))  # call [rip + ...]

    call("GetCommandLineW")
    code += b"\x48\x89\xc1"  # mov rcx, rax
    code += b"\x48\x8d\x54\x24\x30"  # lea rdx, [rsp + 48]
    call("CommandLineToArgvW")
    code += b"\x8b\x4c\x24\x30"  # mov ecx, [rsp + 48]
    code += b"\x48\x89\xc2"  # mov rdx, rax
    call("Py_Main")
    code += b"\x89\xc1"  # mov ecx, eax
    call("ExitProcess")
    return bytes(code)


def _imports(wanted: Mapping[str, Sequence[str]], at: int) -> tuple[bytes, int, int, dict[str, int]]:
    """
    The import section for an address: its bytes, the address and length of its directory, and where each function's pointer
    will stand. First the directory, then for each DLL the pointers twice (for reading and to be filled in), then the names.
    """
    directory_bytes = 20 * (len(wanted) + 1)
    pointers_bytes = sum(2 * 8 * (len(names) + 1) for names in wanted.values())
    names_at = at + directory_bytes + pointers_bytes
    directory, pointers, texts = b"", b"", b""
    slots: dict[str, int] = {}

    def put(text: bytes) -> int:
        nonlocal texts
        place = names_at + len(texts)
        texts += text + b"\0" * (2 - len(text) % 2)
        return place

    for dll, names in wanted.items():
        hints = struct.pack(f"<{len(names) + 1}Q", *(put(b"\0\0" + name.encode()) for name in names), 0)
        first = at + directory_bytes + len(pointers)
        filled = first + len(hints)
        directory += struct.pack("<5I", first, 0, 0, put(dll.encode()), filled)
        pointers += hints + hints
        slots |= {name: filled + 8 * number for number, name in enumerate(names)}
    return directory + b"\0" * 20 + pointers + texts, at, directory_bytes, slots


def _headers(section_bytes: int, imports_at: int, imports_bytes: int) -> bytes:
    """DOS, PE and section headers, padded to one block of the file."""
    in_file = _aligned(section_bytes, _FILE_ALIGNMENT)
    end = _SECTION_AT + _aligned(section_bytes, _SECTION_AT)
    dos = b"MZ".ljust(_DOS_HEADER_BYTES - 4, b"\0") + struct.pack("<I", _DOS_HEADER_BYTES)
    coff = b"PE\0\0" + struct.pack("<HHIIIHH", _MACHINE_AMD64, 1, 0, 0, 0, _OPTIONAL_HEADER_BYTES, _RUNNABLE)
    optional = struct.pack("<HBBIIIII", 0x20B, 1, 0, in_file, 0, 0, _SECTION_AT, _SECTION_AT)
    optional += struct.pack("<QIIHHHHHHI", _BASE, _SECTION_AT, _FILE_ALIGNMENT, 6, 0, 0, 0, 6, 0, 0)
    optional += struct.pack("<IIIHH", end, _FILE_ALIGNMENT, 0, _CONSOLE, 0)
    optional += struct.pack("<QQQQII", 1 << 20, 1 << 16, 1 << 20, 1 << 16, 0, 16)  # stack and heap; 16 directories
    optional += struct.pack("<4I", 0, 0, imports_at, imports_bytes).ljust(8 * 16, b"\0")
    section = struct.pack(
        "<8sIIIIIIHHI", b".text", section_bytes, _SECTION_AT, in_file, _FILE_ALIGNMENT, 0, 0, 0, 0, _READ_WRITE_RUN
    )
    return (dos + coff + optional + section).ljust(_FILE_ALIGNMENT, b"\0")


def _aligned(number: int, to: int) -> int:
    return -(-number // to) * to
