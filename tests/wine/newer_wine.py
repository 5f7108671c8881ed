"""
A Wine that has UI Automation, beside the one of this system: `python newer_wine.py FOLDER`. Needs mmdebstrap and util-linux.

Debian 12 has Wine 8, whose UI Automation cannot be created. Debian 13 has Wine 10: its files are unpacked into FOLDER, with
the libraries that they need, and a program started by `command` sees them in place of this system's, and all else as it is.
That takes a name space of its own for mounts: root, or a kernel that lets everybody have one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent))

import windows_python

_START_S: Final = 180
_SUITE: Final = "trixie"
_LIBRARIES: Final = "usr/lib/x86_64-linux-gnu"
_KEPT: Final = ("usr/lib/wine", "usr/share/wine", _LIBRARIES)  # the libraries last: they hide those of mount itself
_ZLIB: Final = "usr/x86_64-w64-mingw32/lib/zlib1.dll"
"""Debian's Wine takes it from another package, by links that are made when packages are installed; here none are."""

_MOUNTED: Final = """
set -e
for part in {parts}; do mkdir -p "/$part"; mount --bind "$0/$part" "/$part"; done
exec "$@"
"""


def made_in(folder: Path) -> Path:
    """Path of this Wine in a folder, whether it has been made or not."""
    return folder.resolve() / f"wine-of-{_SUITE}"


def command(made: Path) -> tuple[str, ...]:
    """Command that a Windows program is started with."""
    return (*_inside(made), "/usr/lib/wine/wine64")


def wineserver(made: Path) -> tuple[str, ...]:
    return (*_inside(made), "/usr/lib/wine/wineserver64")


def _inside(made: Path) -> tuple[str, ...]:
    allowed = () if os.geteuid() == 0 else ("--map-root-user",)
    return "unshare", *allowed, "--mount", "sh", "-c", _MOUNTED.format(parts=" ".join(_KEPT)), str(made)


def environment(made: Path, python: Path, *paths: Path) -> dict[str, str]:
    """As `windows_python.environment`, with a prefix of its own."""
    own = {"WINEPREFIX": str(made / "prefix"), "WINESERVER": "/usr/lib/wine/wineserver64"}
    return {**windows_python.environment(python, *paths), **own}


def make(folder: Path) -> Path:
    """Make it, unless it is there; where it stands."""
    made = made_in(folder)
    if made.exists():
        return made
    folder.mkdir(parents=True, exist_ok=True)
    python = windows_python.make(folder)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        system, new = Path(scratch) / "system", Path(scratch) / "wine"
        fetch = ("mmdebstrap", "--quiet", "--variant=extract", "--include=wine64", _SUITE, str(system))
        subprocess.run(fetch, check=True, stdin=subprocess.DEVNULL)
        for part in _KEPT:
            shutil.move(system / part, new / part)
        shutil.rmtree(new / _LIBRARIES / "wine" / "i386-windows")
        programs = new / "prefix" / "drive_c" / "windows" / "system32"
        programs.mkdir(parents=True)
        shutil.copy(system / _ZLIB, programs)
        new.rename(made)
    try:
        subprocess.run(
            [*command(made), "wineboot", "-i"],
            env=environment(made, python),
            check=True,
            timeout=_START_S,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    except BaseException:
        shutil.rmtree(made)
        raise
    return made


if __name__ == "__main__":
    print(make(Path(sys.argv[1])))
