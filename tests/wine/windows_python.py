"""
A Windows Python to run under Wine, made of wheels: `python windows_python.py FOLDER`.

No registry that CI reaches has an installer of Python for Windows. The wheel of panda3d carries CPython's DLLs; the standard
library is that of the Python that runs this, of the same version; numpy and Pillow are their own wheels for Windows; the
program that starts it all is written by `start_program.py`. What was made is kept: its folder is named by what went in.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent))

from start_program import python_program

WINE: Final = Path("/usr/lib/wine/wine64")
"""Debian's, of the package wine64, which puts none on PATH."""

_HERE: Final = Path(__file__).parent
_REQUIREMENTS: Final = _HERE.parents[1] / "requirements" / "wine.txt"
_VERSION: Final = f"{sys.version_info.major}{sys.version_info.minor}"
_DLLS: Final = "deploy_libs/"
_NOT_NEEDED: Final = ("api-ms-", "tcl", "tk", "_tkinter", "libssl", "_ssl")  # the first would hide Wine's own
_START_S: Final = 180


def made_in(folder: Path) -> Path:
    """Path of the Python for the present requirements, whether it has been made or not."""
    ingredients = b"".join(file.read_bytes() for file in (_REQUIREMENTS, _HERE / "start_program.py", Path(__file__)))
    return folder / f"python{_VERSION}-{hashlib.sha256(ingredients).hexdigest()[:12]}"


def environment(made: Path, *paths: Path) -> dict[str, str]:
    """For a program of that Python: its prefix, and where it finds modules: its own, and `paths`."""
    found = [Path(sysconfig.get_path("stdlib")), made, made / "site", *paths]
    return {
        "HOME": str(made),
        "LC_ALL": "C.UTF-8",  # else Wine takes no path with letters beyond ASCII
        "PATH": os.defpath,
        "WINEPREFIX": str(made / "prefix"),
        "WINEARCH": "win64",
        "WINEDEBUG": "-all",
        # No browser, no .NET, no entries in the menus of the person who runs this, and no debugger that waits for somebody.
        "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe,winedbg.exe=",
        "PYTHONHOME": _windows_path(made),
        "PYTHONPATH": ";".join(_windows_path(path) for path in found),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }


def _windows_path(path: Path) -> str:
    return "Z:" + str(path.resolve()).replace("/", "\\")


def make(folder: Path) -> Path:
    """Make it, unless it is there; where it stands."""
    folder = folder.resolve()
    made = made_in(folder)
    if made.exists():
        return made
    for old in folder.glob("python*"):
        shutil.rmtree(old)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        wheels, new = Path(scratch) / "wheels", Path(scratch) / "python"
        _download(wheels)
        _unpack(wheels, new)
        new.rename(made)
    try:
        subprocess.run(
            [WINE, "wineboot", "-i"],
            env=environment(made),
            check=True,
            timeout=_START_S,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    except BaseException:
        shutil.rmtree(made)
        raise
    return made


def _download(to: Path) -> None:
    options = [
        "--no-deps",
        "--require-hashes",
        "--only-binary=:all:",
        "--platform",
        "win_amd64",
        "--python-version",
        _VERSION,
    ]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "download", *options]
    subprocess.run([*command, "-d", str(to), "-r", str(_REQUIREMENTS)], check=True)


def _unpack(wheels: Path, new: Path) -> None:
    new.mkdir()
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            if wheel.name.startswith("panda3d-"):
                for name in archive.namelist():
                    file = name.removeprefix(_DLLS)
                    if name.startswith(_DLLS) and file and not file.startswith(_NOT_NEEDED):
                        (new / file).write_bytes(archive.read(name))
            else:
                archive.extractall(new / "site")
    (new / "python.exe").write_bytes(python_program(f"python{_VERSION}.dll"))


if __name__ == "__main__":
    print(make(Path(sys.argv[1])))
