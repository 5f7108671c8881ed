"""
Start and stop apps on the phone.

`user` is the id of the user whose apps are meant, None if the phone does not report the current user. Commands always
name the user: without one, some phones ask whether to open an app or its clone, or refuse to list packages for a user
that the shell may not access.
"""

from __future__ import annotations

import re
from itertools import takewhile
from urllib.parse import quote

from handeye.devices.android.link import Link
from handeye.devices.android.transport import ShellResult
from handeye.errors import CommandFailed, UsageError

# Java package names; other text could be parsed as an option of `am` or `pm`.
_PACKAGE = re.compile(r"[A-Za-z]\w*(\.\w+)*", re.ASCII)
_COMPONENT = re.compile(r"^\s*([\w.]+/[\w.$]+)\s*$", re.MULTILINE)
_START_PAGES = ("-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S")
_VERSION = re.compile(r"^\s*versionName=(\S+)", re.MULTILINE)
# `UserInfo{10:Work profile:1030} running`, and of `dumpsys package`: `User 10: ceDataInode=4711 installed=true ...`
_USER = re.compile(r"UserInfo\{(\d+):(.*):[0-9a-fA-F]+\}")
_INSTALLED_FOR = re.compile(r"^\s*User (\d+):[^\n]*\binstalled=true\b", re.MULTILINE)
_NUMBER = re.compile(r"[+*#\d][\d*#,;p.()/ -]*", re.ASCII)


def current_user(link: Link) -> int | None:
    """Return the current user's id, or None if the phone does not report it."""
    output = link.shell("am", "get-current-user", repeat=True).text.strip()
    return int(output) if output.isascii() and output.isdigit() else None


def launch_app(link: Link, package: str, user: int | None = None, display: int | None = None) -> None:
    """
    Bring an app's start page to the front, as its icon does. If there are several, such as those of debug tools built
    into an app, choose the one whose class name shares most with the package. Raises CommandFailed if the app is not
    installed for the user.
    """
    _check_package(package)
    if (component := _start_page(link, package, user)) is not None:
        result = link.shell(*_start(user, display), *_START_PAGES, "-n", component)
    elif not user and is_installed(link, package, user):
        # Before Android 7 there is no `resolve-activity`. Monkey takes no user, and enables the rotation sensor.
        result = link.shell("monkey", "-p", package, "-c", "android.intent.category.LAUNCHER", "1")
    else:
        why = why_not_installed(link, package, user) or f"{package} has no page to start with"
        raise CommandFailed(f"launch {package}", 1, why)
    _must_have_started(result, f"launch {package}")


def _start(user: int | None, display: int | None) -> tuple[str, ...]:
    return ("am", "start", *_user_option(user), *(("--display", str(display)) if display else ()))


def _user_option(user: int | None) -> tuple[str, ...]:
    return ("--user", str(user)) if user is not None else ()


def why_not_installed(link: Link, package: str, user: int | None = None) -> str | None:
    """
    Return why an app is not installed for a user, with the remedy; None if it is installed, or the phone does not
    report it.
    """
    users = dict(_USER.findall(link.shell("pm", "list", "users", repeat=True).text))
    if user is not None and users and str(user) not in users:
        known = ", ".join(f"{number} ({name})" for number, name in users.items())
        return f"there is no user {user} on {link.serial}; it has {known}"
    output = link.shell("dumpsys", "package", package, repeat=True).text
    owners = _INSTALLED_FOR.findall(output)
    if str(user or 0) in owners or (not owners and f"Package [{package}]" in output):
        return None
    others = ", ".join(f"{each} ({users[each]})" if each in users else each for each in dict.fromkeys(owners))
    if not others:
        return f"{package} is not installed on {link.serial}; install it first"
    return (
        f"{package} is installed for user {others} only, not for user {user or 0}. Name the user: --user {owners[0]}, or "
        f"?user={owners[0]} at the end of the device's URI"
    )


def _start_page(link: Link, package: str, user: int | None) -> str | None:
    """Return the start component; None before Android 7, which does not support the query, and for an app without one."""
    for question in ("resolve-activity", "query-activities"):  # several resolve to the system's chooser, not the app
        output = link.shell(
            "cmd", "package", question, "--brief", *_user_option(user), *_START_PAGES, package, repeat=True
        )
        if found := [name for name in _COMPONENT.findall(output.text) if name.startswith(f"{package}/")]:
            break
    return max(found, key=lambda name: _shared_labels(package, name.partition("/")[2]), default=None)


def _shared_labels(package: str, name: str) -> int:
    """
    Count the labels that a class name and its package share from the start: a debug tool's class has another namespace.
    """
    if name.startswith("."):
        return len(package.split("."))
    pairs = zip(package.split("."), name.split("."), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def stop_app(link: Link, package: str, user: int | None = None) -> None:
    """Stop an app, but not another user's clone of it. Does nothing if it does not run."""
    _check_package(package)
    result = link.shell("am", "force-stop", *_user_option(user), package, repeat=True)
    if result.exit_code:
        raise CommandFailed(f"am force-stop {package}", result.exit_code, result.said)


def open_url(link: Link, url: str, user: int | None = None, display: int | None = None) -> None:
    """Open an address in the app that handles it; an address without a scheme gets `https://`."""
    address = url.strip()
    if not address or any(char.isspace() or not char.isprintable() for char in address):
        raise UsageError(f"{url!r} is not an address: it is empty, or has blanks in it")
    if not _SCHEME.match(address):
        address = f"https://{address}"
    result = link.shell(*_start(user, display), "-a", "android.intent.action.VIEW", "-d", address)
    _must_have_started(result, f"open {address}")


def call(link: Link, number: str, user: int | None = None, display: int | None = None) -> None:
    """Call a telephone number. `*` and `#` are passed on unchanged."""
    if not _NUMBER.fullmatch(number.strip()):
        raise UsageError(f"{number!r} is not a telephone number")
    address = f"tel:{quote(re.sub(r'[ ()/.-]', '', number), safe='+*,;')}"
    result = link.shell(*_start(user, display), "-a", "android.intent.action.CALL", "-d", address)
    _must_have_started(result, "call")


def is_installed(link: Link, package: str, user: int | None = None) -> bool:
    """Return True if a package is installed for a user."""
    _check_package(package)
    answer = link.ask("pm", "list", "packages", *_user_option(user), package)
    return f"package:{package}" in answer.split()


def app_version(link: Link, package: str) -> str | None:
    """
    Return the version name that the developer gave the installed app ("8.0.50"); None if it is not installed or has
    none.
    """
    _check_package(package)
    named = _VERSION.search(link.ask("dumpsys", "package", package))
    return named[1] if named is not None else None


def _check_package(package: str) -> None:
    if not _PACKAGE.fullmatch(package):
        raise UsageError(f"{package!r} is not the name of an Android package, such as 'com.tencent.mm'")


def _must_have_started(result: ShellResult, what: str) -> None:
    # `am start` and `monkey` of some versions report a failure only in their output.
    failed = re.search(r"^(Error\b|\*\* No activities|java\.lang|Exception)", result.said, re.MULTILINE)
    if result.exit_code or failed:
        raise CommandFailed(what, result.exit_code or 1, result.said)
