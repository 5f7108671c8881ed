"""Starting and stopping what is on the phone."""

from __future__ import annotations

import re
from urllib.parse import quote

from handeye.devices.android.link import Link
from handeye.devices.android.transport import ShellResult
from handeye.errors import CommandFailed, UsageError

# Java package names; anything else could be read as an option of `am` or `pm`.
_PACKAGE = re.compile(r"[A-Za-z]\w*(\.\w+)*", re.ASCII)
_COMPONENT = re.compile(r"^[\w.]+/[\w.$]+$", re.MULTILINE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S")
_VERSION = re.compile(r"^\s*versionName=(\S+)", re.MULTILINE)
_NUMBER = re.compile(r"[+*#\d][\d*#,;p.()/ -]*", re.ASCII)


def launch_app(link: Link, package: str) -> None:
    """Bring an app's start page to the front, as its icon does. Raises CommandFailed when it is not installed."""
    _check_package(package)
    found = link.shell(
        "cmd", "package", "resolve-activity", "--brief", "-c", "android.intent.category.LAUNCHER", package, repeat=True
    )
    component = _COMPONENT.search(found.text)
    # An app with several start pages resolves to the system's chooser, which is not the app.
    if component is not None and component[0].startswith(f"{package}/"):
        result = link.shell(
            "am", "start", "-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER",
            "-n", component[0],
        )  # fmt: skip
    elif is_installed(link, package):
        # Before Android 7 there is no `resolve-activity`. Not for all: monkey also switches the rotation sensor on.
        result = link.shell("monkey", "-p", package, "-c", "android.intent.category.LAUNCHER", "1")
    else:
        raise CommandFailed(f"launch {package}", 1, f"{package} is not installed on {link.serial}; install it first")
    _must_have_started(result, f"launch {package}")


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
