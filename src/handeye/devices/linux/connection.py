"""Connect to an X server, read window properties, and translate X errors."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from Xlib import X
from Xlib.display import Display
from Xlib.error import ConnectionClosedError, DisplayError, XError, xerror_class
from Xlib.xobject.drawable import Window as XWindow

from handeye.devices.linux.wayland import display_error
from handeye.errors import DeviceError, DeviceLost

# Large enough for every property read here, in units of four bytes: a title of 64 KB, a list of 16,384 windows.
_LONGEST_PROPERTY = 16384


def connect(display: str | None) -> Display:
    """Return a connection to `display`, such as ":99"; None is that of the environment. Raises DeviceNotFound."""
    try:
        made = Display(display)
    except (DisplayError, ConnectionClosedError, OSError, ValueError, OverflowError, AssertionError) as error:
        raise display_error(display, str(error)) from error
    for (
        code,
        kind,
    ) in xerror_class.items():  # python-xlib's RANDR reuses the codes of BadRequest and BadValue
        made.extension_add_error(code, kind)
    made.set_error_handler(
        lambda *_: None
    )  # errors of requests without a reply are ignored: a window may vanish at any moment
    return made


@contextmanager
def translate_x_errors(display: Display) -> Iterator[None]:
    """Translate X errors: DeviceLost if the X server is gone, DeviceError if it refuses a request."""
    try:
        yield
    except (ConnectionClosedError, OSError) as error:
        raise DeviceLost(
            f"the X server {display.get_display_name()} ended or closed the connection: {error}"
        ) from error
    except XError as error:
        raise DeviceError(f"the X server {display.get_display_name()} refuses: {type(error).__name__}") from error


def numbers(window: XWindow, display: Display, name: str) -> tuple[int, ...]:
    """Return an integer property; empty if the window lacks it, or is gone."""
    value = _property(window, display, name)
    return () if value is None or isinstance(value, bytes) else tuple(map(int, value))


def text(window: XWindow, display: Display, name: str) -> str | None:
    """Return a text property, or None if the window lacks it, or is gone."""
    value = _property(window, display, name)
    if not isinstance(value, bytes):
        return None
    try:  # a property that was cut in the middle of a character: the partial character is dropped
        return codecs.getincrementaldecoder("utf-8")().decode(value, final=len(value) < 4 * _LONGEST_PROPERTY)
    except UnicodeDecodeError:
        return value.decode("latin-1")  # ICCCM's STRING


def _property(window: XWindow, display: Display, name: str) -> bytes | Sequence[int] | None:
    with suppress(XError):
        found = window.get_property(display.get_atom(name), X.AnyPropertyType, 0, _LONGEST_PROPERTY)
        if found is not None and found.format:
            value: bytes | Sequence[int] = found.value
            return value
    return None
