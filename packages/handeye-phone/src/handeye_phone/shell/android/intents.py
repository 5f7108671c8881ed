"""Intents on the command line: `am`'s options, and how Android prints an intent."""

from __future__ import annotations

import re
from collections.abc import Callable

from handeye_phone.shell.android.shellcommand import Arguments, JavaException
from handeye_phone.system.intent import Intent

MAIN = "android.intent.action.MAIN"
LAUNCHER = "android.intent.category.LAUNCHER"
Extra = str | int | bool | float | list[str] | list[int]

# Options that only change how the activity's task is made; the virtual phone has one task per app.
FLAGS = frozenset(
    f"--{name}"
    for name in (
        "grant-read-uri-permission", "grant-write-uri-permission", "activity-clear-top", "activity-clear-task",
        "activity-new-task" , "activity-single-top", "activity-no-animation", "activity-no-history",
        "activity-brought-to-front", "activity-exclude-from-recents", "activity-reorder-to-front", "activity-task-on-home",
        "receiver-foreground", "receiver-registered-only", "include-stopped-packages", "exclude-stopped-packages",
        "debug-log-resolution", "selector",
    )
)  # fmt: skip
PACKAGE_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._")


class IntentBuilder:
    """Collects an intent from options, then from the final URI, component or package word."""

    def __init__(self) -> None:
        self.action: str | None = None
        self.component: str | None = None
        self.package: str | None = None
        self.data: str | None = None
        self.type: str | None = None
        self.categories: list[str] = []
        self.extras: dict[str, Extra] = {}
        self.flags = 0

    def option(self, option: str, args: Arguments) -> bool:
        """Take an option and its values. Return False if it is no intent option. Raises JavaException."""
        single = {"-a": "action", "-d": "data", "-t": "type", "-p": "package"}.get(option)
        if single is not None:
            setattr(self, single, args.required())
        elif option == "-n":
            self.component = component(args.required())
        elif option == "-c":
            self.categories.append(args.required())
        elif option == "-f":
            self.flags |= _flags(args.required())
        elif option in EXTRAS:
            name = args.required()
            self.extras[name] = EXTRAS[option](args.required())
        elif option == "--esn":
            self.extras[args.required()] = ""
        elif option not in FLAGS:
            return False
        return True

    def finish(self, args: Arguments) -> Intent:
        """Return the intent, with the words after the options. Raises JavaException if nothing was given."""
        word = args.next()
        if word is not None:
            if "://" in word or (":" in word and "/" not in word.partition(":")[0]):
                self.data = self.data or word
                self.action = self.action or "android.intent.action.VIEW"
            elif "/" in word:
                self.component = component(word)
            else:
                self.package = word
                self.action = self.action or MAIN
                if not self.categories:
                    self.categories.append(LAUNCHER)
        elif not (self.action or self.component or self.package or self.data or self.categories or self.extras):
            raise JavaException.argument("No intent supplied")
        return Intent(
            action=self.action,
            component=self.component,
            package=self.package,
            data=self.data,
            categories=tuple(self.categories),
            extras=self.extras,
            type=self.type,
        )


def component(text: str) -> str:
    """Return a checked `package/class`. Raises JavaException."""
    package, slash, name = text.partition("/")
    if not slash or not package or not name or not set(package) <= PACKAGE_NAME_CHARACTERS:
        raise JavaException.argument(f"Bad component name: {text}")
    return text


def _flags(text: str) -> int:
    try:
        return int(text, 0) & 0xFFFFFFFF
    except ValueError as error:
        raise JavaException("java.lang.NumberFormatException", f'For input string: "{text}"') from error


def _integer(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError as error:
        raise JavaException("java.lang.NumberFormatException", f'For input string: "{text}"') from error


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise JavaException("java.lang.NumberFormatException", f'For input string: "{text}"') from error


def _boolean(text: str) -> bool:
    if text.lower() in ("true", "t", "1"):
        return True
    if text.lower() in ("false", "f", "0"):
        return False
    raise JavaException.argument(f"Invalid boolean value: {text}")


def _strings(text: str) -> list[str]:
    """Split at commas; a backslash escapes a comma."""
    out, current = [], ""
    at = 0
    while at < len(text):
        if text.startswith("\\,", at):
            current += ","
            at += 2
        elif text[at] == ",":
            out.append(current)
            current = ""
            at += 1
        else:
            current += text[at]
            at += 1
    return [*out, current]


def _integers(text: str) -> list[int]:
    return [_integer(item) for item in text.split(",")]


EXTRAS: dict[str, Callable[[str], Extra]] = {
    "-e": str,
    "--es": str,
    "--ez": _boolean,
    "--ei": _integer,
    "--el": _integer,
    "--ef": _float,
    "--ed": _float,
    "--eu": str,
    "--ecn": str,
    "--esa": _strings,
    "--esal": _strings,
    "--eia": _integers,
    "--eial": _integers,
    "--ela": _integers,
    "--elal": _integers,
}


def full_component(text: str) -> str:
    """Return `package/package.Class` for `package/.Class`."""
    package, _, name = text.partition("/")
    return f"{package}/{package}{name}" if name.startswith(".") else text


def short_component(text: str) -> str:
    """Return `package/.Class` for `package/package.Class`."""
    package, _, name = text.partition("/")
    return f"{package}/{name.removeprefix(package)}" if name.startswith(package + ".") else text


def describe(intent: Intent, flags: int = 0) -> str:
    """Format as `Intent.toString` does (`Intent { act=... }`); extras are only mentioned, data is cut after its host."""
    parts: list[str] = []
    if intent.action:
        parts.append(f"act={intent.action}")
    if intent.categories:
        parts.append(f"cat=[{','.join(intent.categories)}]")
    if intent.data:
        parts.append(f"dat={_safe_data(intent.data)}")
    if intent.type:
        parts.append(f"typ={intent.type}")
    if flags:
        parts.append(f"flg={flags:#x}")
    if intent.package:
        parts.append(f"pkg={intent.package}")
    if intent.component:
        parts.append(f"cmp={short_component(intent.component)}")
    if intent.extras:
        parts.append("(has extras)")
    return f"Intent {{ {' '.join(parts)} }}"


def _safe_data(data: str) -> str:
    """Format as `Uri.toSafeString` does: no phone numbers and no paths of web pages, for logs."""
    scheme, _, rest = data.partition(":")
    if scheme in ("tel", "sip", "sms", "smsto", "mailto"):
        return f"{scheme}:{re.sub(r'[^-@.]', 'x', rest)}"
    if scheme in ("http", "https", "ftp", "rtsp") and rest.startswith("//"):
        host = rest[2:].partition("/")[0]
        return f"{scheme}://{host}/..."
    return data
