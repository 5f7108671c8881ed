"""Map device URIs to devices. Each kind of device is a table row; its modules are imported only when it is opened."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import parse_qsl, unquote

from handeye.devices.base import Device
from handeye.errors import UsageError

# Without a scheme, `XYZ123` and `192.168.1.5:5555` are adb serials. A scheme is letters before a colon that no port
# follows.
_URI = re.compile(r"(?P<scheme>[a-z][a-z0-9+-]*):(?P<rest>.*)", re.DOTALL)
_SERIAL = re.compile(r"[\w\[][\w.:\[\]%-]*", re.ASCII)
# An mDNS service name may contain spaces and brackets: "adb-R5C (2)._adb-tls-connect._tcp".
_SERVICE = re.compile(r"\w[\w.:()% -]*\._tcp\.?", re.ASCII)
# File URIs write a Windows path as `image:///C:/x.png`; the slash before the drive is not part of the path.
_SLASH_AND_DRIVE = re.compile(r"/(?=[A-Za-z]:[/\\])")
_HOST_AND_PORT = re.compile(r"[^:/]+:\d{1,5}|\[[^\]]+\]:\d{1,5}")

_PHONE_PARAMETERS = {"user", "display"}
_VIEW_PARAMETERS = {"window", "monitor"}
_DESKTOP_PARAMETERS = _VIEW_PARAMETERS | {"panic_key"}
_DESKTOP_QUERY = "write ?window=TITLE or ?monitor=NAME, ?panic_key=KEY, or both joined by &"


@dataclass(frozen=True, slots=True)
class DeviceKind:
    """
    A row of the table. `open` receives the URI's text after the scheme. `desktop`: has windows, a mouse and a keyboard.
    """

    scheme: str
    example: str
    about: str
    open: Callable[[str], Device]
    desktop: bool = False


def _open_android(rest: str) -> Device:
    from handeye.devices.android.controller import ADBController

    named, part = _phone_name_and_query(rest)
    serial = unquote(named.lstrip("/"))
    if serial and not _is_serial(serial):
        raise UsageError(f"{serial!r} is not an adb serial; `handeye devices` lists them")
    return ADBController(serial or None, user=part.get("user"), display=part.get("display")).connect()


def _phone_name_and_query(rest: str) -> tuple[str, dict[str, int]]:
    """Split `SERIAL?user=10` into the serial (or scenario names) and the query's numbers. Raises UsageError."""
    named, asked, query = rest.partition("?")
    pairs = [word.partition("=") for word in query.split("&")] if asked else []
    part = {name: int(number) for name, _, number in pairs if number.isascii() and number.isdigit()}
    if len(part) < len(pairs) or not part.keys() <= _PHONE_PARAMETERS:
        raise UsageError(
            f"{query!r} names no part of a phone: write ?user=NUMBER, ?display=NUMBER, or both joined by &"
        )
    return named, part


def with_user(uri: str, user: int | None) -> str:
    """Return the URI with `user` added to its query. Raises UsageError if it names another user or is not a phone."""
    if user is None or re.search(rf"[?&]user={user}(&|$)", uri):
        return uri
    kind = kind_of(uri)
    other = re.search(r"[?&]user=([^&]*)", uri)
    if other is not None:
        raise UsageError(f"user {user} cannot be chosen of {uri!r}, which names the user {other[1]!r}")
    if kind is not None and kind.scheme not in ("android", "phone"):
        raise UsageError(f"user {user} cannot be chosen of {uri!r}, which is no phone")
    return f"{uri}{'&' if '?' in uri else '?'}user={user}"


def _is_serial(text: str) -> bool:
    return _SERIAL.fullmatch(text) is not None or _SERVICE.fullmatch(text) is not None


def _open_phone(rest: str) -> Device:
    from handeye.devices.android.virtual import PhoneDevice, Scenario, ScenarioError

    named, part = _phone_name_and_query(rest)
    names = named.strip("/")
    try:
        scenario = Scenario.parse(names) if names else None
    except ScenarioError as error:
        raise UsageError(str(error)) from error
    return PhoneDevice(scenario, user=part.get("user"), display=part.get("display"))


def _open_image(rest: str) -> Device:
    from handeye.devices.image import ImageDevice

    if not rest:
        raise UsageError("image: needs a file, such as image:shot.png")
    path = rest.removeprefix("//") if rest.startswith("///") else rest
    device = ImageDevice(_SLASH_AND_DRIVE.sub("", path, count=1) if _SLASH_AND_DRIVE.match(path) else path)
    device.screenshot()  # reports a file that is not an image now instead of during the run
    return device


def _open_linux(rest: str) -> Device:
    display, shown = _display_and_query(rest)
    if sys.platform != "linux":
        raise UsageError("linux: controls the desktop of the Linux computer that Handeye runs on; this is not one")
    from handeye.devices.desktop.device import DesktopDevice
    from handeye.devices.desktop.keys import stop_key_of
    from handeye.devices.linux.backend import X11Backend

    key = stop_key_of(shown.get("panic_key"))
    backend = X11Backend(display or None)
    try:
        return DesktopDevice(backend, shown.get("window"), shown.get("monitor"), panic_key=key)
    except BaseException:
        backend.close()
        raise


def _display_and_query(rest: str) -> tuple[str, dict[str, str]]:
    """Split `:99?window=Notes&panic_key=F9` into the display and the query's values. Raises UsageError."""
    display, asked, query = rest.partition("?")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(asked), errors="strict")
    except ValueError as error:
        raise UsageError(f"{query!r} names nothing: {_DESKTOP_QUERY}") from error
    values = dict(pairs)
    if (
        bool(values) != bool(asked)
        or len(values) < len(pairs)
        or not values.keys() <= _DESKTOP_PARAMETERS
        or values.keys() >= _VIEW_PARAMETERS
    ):
        raise UsageError(f"{query!r} cannot be shown: {_DESKTOP_QUERY}")
    return unquote(display).strip("/"), values


def _open_windows(rest: str) -> Device:
    name, shown = _display_and_query(rest)
    if name:
        raise UsageError(
            f"there is only one Windows desktop, none called {name!r}: write windows: or windows:?window=TITLE"
        )
    if sys.platform != "win32":
        raise UsageError("windows: controls the desktop of the Windows computer that Handeye runs on; this is not one")
    from handeye.devices.desktop.device import DesktopDevice
    from handeye.devices.desktop.keys import stop_key_of
    from handeye.devices.windows.backend import Win32Backend

    key = stop_key_of(shown.get("panic_key"))
    backend = Win32Backend()
    try:
        return DesktopDevice(backend, shown.get("window"), shown.get("monitor"), panic_key=key)
    except BaseException:
        backend.close()
        raise


KINDS: Mapping[str, DeviceKind] = MappingProxyType(
    {
        kind.scheme: kind
        for kind in (
            DeviceKind(
                "android", "android:///127.0.0.1:15555", "a phone by its adb serial; the only one", _open_android
            ),
            DeviceKind("phone", "phone:permission,dark", "the virtual phone, started for you", _open_phone),
            DeviceKind("image", "image:shot.png", "a picture, to look at only", _open_image),
            DeviceKind(
                "linux",
                "linux:",
                "this Linux desktop, or a window of it: linux:?window=TITLE",
                _open_linux,
                desktop=True,
            ),
            DeviceKind(
                "windows",
                "windows:",
                "this Windows desktop, or a window of it: windows:?window=TITLE",
                _open_windows,
                desktop=True,
            ),
        )
    }
)


def kind_of(uri: str) -> DeviceKind | None:
    """Return the table row of a URI's scheme without opening anything; None for an adb serial or text that is not a URI."""
    named = _URI.fullmatch(uri.strip())
    return KINDS.get(named["scheme"]) if named is not None else None


def open_device(uri: str) -> Device:
    """
    Open the device that `uri` names; the caller closes it. A bare adb serial means `android:///SERIAL`.

    Raises UsageError for a URI that names no kind of device, MissingPart for a kind that is not installed, and the
    device's DeviceError if it cannot be reached.
    """
    named = _URI.fullmatch(uri.strip())
    kind = kind_of(uri)
    if named is not None and kind is not None:
        return kind.open(named["rest"])
    serial = uri.strip().partition("?")[0]
    if _HOST_AND_PORT.fullmatch(serial) or (named is None and _is_serial(serial)):
        return _open_android(uri.strip())
    known = ", ".join(f"{kind.example} ({kind.about})" for kind in KINDS.values())
    raise UsageError(f"{uri!r} names no device. Use one of: {known}; or a serial that `handeye devices` shows")
