"""
Make applications read the keyboard mapping again.

Chromium does so when a keyboard other than the last one is used (XkbNewKeyboardNotify), but not when keys of the same
one are remapped (XkbMapNotify).
"""

from __future__ import annotations

from typing import Final

from Xlib.display import Display
from Xlib.ext import xinput
from Xlib.protocol import rq

_KEY_RELEASE: Final = 2  # code of this event within the XInput extension
_LAST_CODE: Final = 255


class _FakeDeviceInput(rq.Request):
    """XTEST's FakeInput for one device (XTEST 2.2), which python-xlib lacks."""

    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(2),
        rq.RequestLength(),
        rq.Card8("event"),
        rq.Card8("detail"),
        rq.Pad(2),
        rq.Card32("time"),
        rq.Card32("root"),
        rq.Pad(8),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.Pad(7),
        rq.Card8("device"),
    )


def refresh_keyboard(display: Display) -> None:
    """
    Release a key that is not pressed on a keyboard other than XTEST's, so that the next key comes from a different
    keyboard than the last one. Does nothing if the server has no other keyboard.
    """
    input_extension = display.query_extension("XInputExtension")
    if input_extension is None or not input_extension.present:
        return
    devices = xinput.query_device(display, xinput.AllDevices).devices
    keyboards = [each for each in devices if each.use == xinput.SlaveKeyboard and "XTEST" not in str(each.name)]
    if keyboards:
        _FakeDeviceInput(
            display=display.display,
            opcode=display.display.get_extension_major("XTEST"),
            event=input_extension.first_event + _KEY_RELEASE,
            detail=_LAST_CODE,
            time=0,
            root=0,
            x=0,
            y=0,
            device=keyboards[0].deviceid,
        )
        display.sync()
