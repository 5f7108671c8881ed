"""`handeye doctor`: installed and missing parts, and how to get them; `handeye version`."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from PIL import Image

from handeye._version import __version__
from handeye.commands.base import Context, ExitCode, Outcome
from handeye.commands.parameters import NoParams
from handeye.commands.trust import usable_in
from handeye.devices import AdbServer, list_devices
from handeye.errors import ConfigError, HandeyeError
from handeye.models import (
    DEFAULT_FILE,
    GUESSED,
    INSTALL,
    NOT_CONFIGURED,
    ROLES,
    UNVERSIONED,
    LLMConfig,
    Settings,
    configuration,
    dotenv_variables,
    profile_to_use,
    redacted_excerpt,
    unselected_vendor_keys,
)
from handeye.ocr import PaddleReader
from handeye.screen import Screen
from handeye.trusted_files import reason_for_distrust

NEEDED = ("adbutils", "numpy", "onnxruntime", "opencv-python-headless", "pillow", "rapidfuzz")


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check. `remedy` is empty when nothing is wrong; a finding that is not `needed` does not fail the check."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""
    needed: bool = True


def check(params: NoParams, context: Context) -> Outcome:
    """Check every part; the exit code is 6 when a needed one is missing."""
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
    """Return a white screen just large enough to load the models and run them once."""
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


def _optional_parts() -> Iterable[Finding]:
    """Yield the virtual phone, and the part that controls this system's desktop."""
    yield _optional(
        "virtual phone", ("handeye_phone",), "pip install . ./packages/handeye-phone (in a clone of Handeye)"
    )
    if sys.platform in _DESKTOP_PARTS:
        extra, modules = _DESKTOP_PARTS[sys.platform]
        yield _optional("desktop control", modules, f"pip install 'handeye[{extra}]'")


def _optional(name: str, modules: Sequence[str], remedy: str) -> Finding:
    missing = [each for each in modules if find_spec(each) is None]
    return Finding(name, not missing, f"no {', '.join(missing)}" if missing else "installed", remedy, needed=False)


# The extra of pyproject.toml, and the modules that it installs.
_DESKTOP_PARTS: Final = {"linux": ("linux", ("Xlib", "mss", "dbus_fast")), "win32": ("windows", ("comtypes",))}


def _models() -> Iterable[Finding]:
    """Yield the configured models. Nothing is sent: that is `handeye model check`."""
    try:
        config = configuration()
    except ConfigError as error:
        yield Finding("model", False, str(error), "correct it, or take it away", needed=False)
        return
    if config is None and (waiting := unselected_vendor_keys()) is not None:
        names, choices = waiting
        detail = f"{names} is set, but no model is chosen; nothing is sent anywhere"
        yield Finding("model", False, detail, f"set {choices}", needed=False)
        return
    if config is None:
        yield Finding(
            "model", False, "none configured; everything works offline", f"set {NOT_CONFIGURED}", needed=False
        )
        return
    yield _model("model", config)
    for role in ROLES:
        own: LLMConfig | None = getattr(config, role)
        if own is not None:
            yield _model(f"model, {role}", own)
    if config.strong is not None:
        yield _model("model, on doubt", config.strong)


def _folder() -> Iterable[Finding]:
    """Yield files of the working folder that are not used because they are not trusted."""
    settings = Settings({})
    settings.load()
    if settings.in_file and not settings.in_file & dotenv_variables():
        yield _foreign(settings.in_file)
    for path in usable_in(Path()):
        if path.name == DEFAULT_FILE and not settings.has_unused:
            continue  # another program's
        if why := reason_for_distrust(path):
            remedy = f"look at it, then `handeye trust {shlex.quote(str(Path.cwd()))}`"
            yield Finding(str(path), False, f"found, and not used: {why}", remedy, needed=False)


def _foreign(names: Iterable[str]) -> Finding:
    """Return the finding for a `.env` that sets none of our names: another program's, or one with misspelled names."""
    detail = "found, and it holds none of the names that handeye reads, such as LLM_PROVIDER or OPENAI_API_KEY"
    meant = ((name, get_close_matches(name.upper(), sorted(dotenv_variables()), 1, _CLOSE)) for name in sorted(names))
    remedies = [f"{redacted_excerpt(name)} may have to be {close[0]}" for name, close in meant if close]
    return Finding(DEFAULT_FILE, not remedies, detail, "; ".join(remedies), needed=False)


# OPENAI_KEY for OPENAI_API_KEY is 0.83, LLM_KEY for LLM_API_KEY 0.78; DB_URL, which is anybody's, for LLM_BASE_URL 0.56.
_CLOSE = 0.7


def _model(name: str, config: LLMConfig) -> Finding:
    """Return the finding for a configured model. Of its key it says only if there is one."""
    detail = f"{config}, {'with a key' if config.key else 'without a key'}"
    if find_spec(config.api) is None:
        return Finding(
            name, False, f"{detail}; its client library {config.api} is not installed", INSTALL, needed=False
        )
    try:
        profile = profile_to_use(config.model, config.profile)
    except HandeyeError as error:
        return Finding(name, False, f"{detail}; {error}", "correct LLM_PROFILE", needed=False)
    family = "no family that is known" if profile.guessed == GUESSED else f"the family {profile.name}"
    family += f" ({UNVERSIONED})" if profile.guessed == UNVERSIONED else ""
    return Finding(name, True, f"{detail}, {family}; `handeye model check` asks it", needed=False)


_REMEDIES = {
    "unauthorized": "unlock the phone and accept this computer's key",
    "offline": "wait a few seconds, or `adb disconnect` and connect again",
}
_PARTS: tuple[Callable[[], Iterable[Finding]], ...] = (
    _python,
    _packages,
    _ocr,
    _adb,
    _optional_parts,
    _models,
    _folder,
)


# `handeye version`.


def show_version(params: NoParams, context: Context) -> Outcome:
    """Print the version."""
    return Outcome({"version": __version__}, (f"handeye {__version__}",))
