"""
Programs and libraries that some tests need and no package of Python brings.

Where one is missing, its tests are skipped with the command that installs it. Each function may be called in a test, in a
fixture, or at the top of a file to skip all of it.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from handeye.errors import MissingPart
from handeye.testing.desktop import check_installed

SYSTEM_PYTHON: Final = Path("/usr/bin/python3")
"""The Python that has Debian's GTK, Qt 5 and Tk."""

_IMPORT_GTK: Final = (SYSTEM_PYTHON, "-c", "import gi; gi.require_version('Gtk', '3.0')")
_CALC_WITH_GTK: Final = ("libsclo.so", "libvclplug_gtk3lo.so")
"""Files of LibreOffice: Calc, and what draws it with GTK 3, without which it has no accessibility tree."""


def need(program: str, packages: str = "") -> None:
    """A program on PATH; `packages` are Debian's, where they are called otherwise."""
    _need(shutil.which(program) is not None, f"needs {program}: apt-get install {packages or program}")


def need_desktop() -> None:
    """All that `PrivateDesktop` needs."""
    try:
        check_installed()
    except MissingPart as missing:
        pytest.skip(str(missing), allow_module_level=True)


def need_calc() -> None:
    """LibreOffice Calc, which may be missing where the rest of LibreOffice is installed."""
    office = Path(shutil.which("libreoffice") or "/nowhere").resolve()
    _need(
        all(office.with_name(part).exists() for part in _CALC_WITH_GTK),
        "needs LibreOffice Calc: apt-get install libreoffice-calc libreoffice-gtk3",
    )


def need_gtk() -> None:
    _need(_has_gtk(), "needs GTK 3: apt-get install python3-gi gir1.2-gtk-3.0")


def need_tk() -> None:
    _need(_has_module("tkinter"), "needs Tk: apt-get install python3-tk")


def need_qt5() -> None:
    _need(_has_module("PyQt5.QtWidgets"), "needs Qt 5: apt-get install python3-pyqt5")


def need_pyside() -> None:
    """PySide6 with the system libraries that its windows need."""
    reason = _why_no_pyside()
    _need(not reason, reason)


def _need(there: bool, reason: str) -> None:
    if not there:
        pytest.skip(reason, allow_module_level=True)


@functools.cache
def _has_gtk() -> bool:
    return SYSTEM_PYTHON.exists() and not subprocess.run(_IMPORT_GTK, capture_output=True, check=False).returncode


@functools.cache
def _has_module(name: str) -> bool:
    asked = (SYSTEM_PYTHON, "-c", f"import {name}")
    return SYSTEM_PYTHON.exists() and not subprocess.run(asked, capture_output=True, check=False).returncode


@functools.cache
def _why_no_pyside() -> str:
    found = importlib.util.find_spec("PySide6")
    if found is None or found.origin is None:
        return "needs PySide6: pip install PySide6-Essentials"
    try:  # loading Qt's X11 plugin tells the first library that is missing
        ctypes.CDLL(str(Path(found.origin).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"))
    except OSError as error:
        return f"needs a library of the system for PySide6 (.ci/run installs them): {error}"
    return ""
