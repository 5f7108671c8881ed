"""Starting and stopping what is on the phone."""

from __future__ import annotations

import re
from itertools import takewhile
from urllib.parse import quote

from handeye.devices.android.link import Link
from handeye.devices.android.transport import ShellResult
from handeye.errors import CommandFailed, UsageError

# Java package names; anything else could be read as an option of `am` or `pm`.
_PACKAGE = re.compile(r"[A-Za-z]\w*(\.\w+)*", re.ASCII)
_COMPONENT = re.compile(r"^\s*([\w.]+/[\w.$]+)\s*$", re.MULTILINE)
_START_PAGES = ("-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S")
_VERSION = re.compile(r"^\s*versionName=(\S+)", re.MULTILINE)
_NUMBER = re.compile(r"[+*#\d][\d*#,;p.()/ -]*", re.ASCII)


def launch_app(link: Link, package: str) -> None:
    """
    Bring an app's start page to the front, as its icon does. Of several, such as those of debug tools that are built into an
    app, the one whose class is named most like the package. Raises CommandFailed when it is not installed.
    """
    _check_package(package)
    if (component := _start_page(link, package)) is not None:
        result = link.shell("am", "start", *_START_PAGES, "-n", component)
    elif is_installed(link, package):
        # Before Android 7 there is no `resolve-activity`. Not for all: monkey also switches the rotation sensor on.
        result = link.shell("monkey", "-p", package, "-c", "android.intent.category.LAUNCHER", "1")
    else:
        raise CommandFailed(f"launch {package}", 1, f"{package} is not installed on {link.serial}; install it first")
    _must_have_started(result, f"launch {package}")


def _start_page(link: Link, package: str) -> str | None:
    """The component; None before Android 7, which cannot be asked, and for an app without one."""
    told = link.shell("cmd", "package", "resolve-activity", "--brief", *_START_PAGES, package, repeat=True)
    found = [name for name in _COMPONENT.findall(told.text) if name.startswith(f"{package}/")]
    if not found:  # several resolve to the system's chooser, which is not the app
        told = link.shell("cmd", "package", "query-activities", "--brief", *_START_PAGES, package, repeat=True)
        found = [name for name in _COMPONENT.findall(told.text) if name.startswith(f"{package}/")]
    return max(found, key=lambda name: _shared_labels(package, name.partition("/")[2]), default=None)


def _shared_labels(package: str, name: str) -> int:
    """The labels that a class and its package begin with: a debug tool's class has a namespace of its own."""
    if name.startswith("."):
        return len(package.split("."))
    pairs = zip(package.split("."), name.split("."), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def stop_app(link: Link, package: str) -> None:
    """End an app. One that does not run is no error."""
    _check_package(package)
    result = link.shell("am", "force-stop", package, repeat=True)
    if result.exit_code:
        raise CommandFailed(f"am force-stop {package}", result.exit_code, result.said)


def open_url(link: Link, url: str) -> None:
    """Open an address in the app that handles it; `https://` is put before one without a scheme."""
    address = url.strip()
    if not address or any(char.isspace() or not char.isprintable() for char in address):
        raise UsageError(f"{url!r} is not an address: it is empty, or has blanks in it")
    if not _SCHEME.match(address):
        address = f"https://{address}"
    _must_have_started(link.shell("am", "start", "-a", "android.intent.action.VIEW", "-d", address), f"open {address}")


def call(link: Link, number: str) -> None:
    """Call a telephone number. `*` and `#` are allowed: they reach the phone as they are."""
    if not _NUMBER.fullmatch(number.strip()):
        raise UsageError(f"{number!r} is not a telephone number")
    address = f"tel:{quote(re.sub(r'[ ()/.-]', '', number), safe='+*,;')}"
    _must_have_started(link.shell("am", "start", "-a", "android.intent.action.CALL", "-d", address), "call")


def is_installed(link: Link, package: str) -> bool:
    """Whether a package is installed for the current user."""
    _check_package(package)
    answer = link.ask("pm", "list", "packages", package)
    return f"package:{package}" in answer.split()


def app_version(link: Link, package: str) -> str | None:
    """The installed version as its maker writes it ("8.0.50"); None when the app is not there, or says none."""
    _check_package(package)
    named = _VERSION.search(link.ask("dumpsys", "package", package))
    return named[1] if named is not None else None


def _check_package(package: str) -> None:
    if not _PACKAGE.fullmatch(package):
        raise UsageError(f"{package!r} is not the name of an Android package, such as 'com.tencent.mm'")


def _must_have_started(result: ShellResult, what: str) -> None:
    # `am start` and `monkey` of some versions report a failure in words only.
    failed = re.search(r"^(Error\b|\*\* No activities|java\.lang|Exception)", result.said, re.MULTILINE)
    if result.exit_code or failed:
        raise CommandFailed(what, result.exit_code or 1, result.said)
