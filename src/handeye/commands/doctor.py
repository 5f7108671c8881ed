"""`handeye doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from PIL import Image

from handeye._version import __version__
from handeye.commands.base import Command, Context, Effect, ExitCode, Outcome
from handeye.commands.devices import NoParams
from handeye.devices.android.discovery import list_devices
from handeye.devices.android.server import AdbServer
from handeye.errors import HandeyeError
from handeye.ocr.paddle import PaddleReader
from handeye.screen import Screen

NEEDED = ("adbutils", "numpy", "onnxruntime", "opencv-python-headless", "pillow", "rapidfuzz")


@dataclass(frozen=True, slots=True)
class Finding:
    """One checked thing. `remedy` is empty when nothing is wrong; a finding that is not `needed` does not fail the check."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""
    needed: bool = True


def check(params: NoParams, context: Context) -> Outcome:
    """Look at every part; the exit code is 6 when a needed one is missing."""
    findings = [finding for part in _PARTS for finding in part()]
    missing = any(not each.ok and each.needed for each in findings)
    data = {
        "version": __version__,
        "ok": not missing,
        "findings": [
            {"name": f.name, "ok": f.ok, "detail": f.detail, "remedy": f.remedy, "needed": f.needed} for f in findings
        ],
    }
    lines: list[str] = []
    for each in findings:
        mark = "ok     " if each.ok else ("MISSING" if each.needed else "-      ")
        lines.append(f"{mark} {each.name}: {each.detail}")
        if each.remedy and not each.ok:
            lines.append(f"        {each.remedy}")
    return Outcome(data, tuple(lines), ExitCode.MISSING if missing else ExitCode.OK)


def _python() -> Iterable[Finding]:
    ok = sys.version_info >= (3, 11)
    yield Finding("python", ok, f"{platform.python_version()} on {platform.platform()}", "use Python 3.11 or newer")
    yield Finding("handeye", True, __version__)


def _packages() -> Iterable[Finding]:
    for name in NEEDED:
        try:
            yield Finding(name, True, version(name))
        except PackageNotFoundError:
            yield Finding(name, False, "not installed", f"pip install {name}")


def _ocr() -> Iterable[Finding]:
    try:
        PaddleReader().read(_blank())
        yield Finding("OCR models", True, "load and run")
    except HandeyeError as error:
        yield Finding("OCR models", False, str(error), "pip install --force-reinstall handeye onnxruntime")


def _blank() -> Screen:
    """White, and just large enough to load the models and run them once."""
    return Screen.from_image(Image.new("RGB", (64, 64), "white"))


def _adb() -> Iterable[Finding]:
    server = AdbServer()
    try:
        yield Finding("adb", True, server.binary_version())
        yield Finding("adb server", True, f"version {server.version()} answers on {server.host}:{server.port}")
    except HandeyeError as error:
        yield Finding("adb", False, str(error), "pip install --force-reinstall adbutils, or set ADB_PATH")
        return
    try:
        found = list_devices(server)
    except HandeyeError as error:
        yield Finding("devices", False, str(error), needed=False)
        return
    if not found:
        yield Finding("devices", False, "none attached", "attach a phone, or run `handeye phone start`", needed=False)
    for each in found:
        yield Finding(f"device {each.serial}", each.state == "device", each.state, _REMEDIES.get(each.state, ""), False)


_REMEDIES = {
    "unauthorized": "unlock the phone and accept this computer's key",
    "offline": "wait a few seconds, or `adb disconnect` and connect again",
}
_PARTS: tuple[Callable[[], Iterable[Finding]], ...] = (_python, _packages, _ocr, _adb)

DOCTOR = Command("doctor", "Say what is installed, what is missing and how to get it.", Effect.READ, NoParams, check)
