"""
Wait until the window manager has let a click through.

A manager that raises clicked windows sees a click first, and the server withholds it from the application until the
manager releases it; keys do not wait for that, so text typed after such a click arrives before it. This is the likely,
not proven, cause of 2 wrong texts in 18 (1,000 Chinese letters, two busy cores: Openbox then took seconds to respond,
with remapped spare key codes to read).
"""

from __future__ import annotations

from Xlib import X
from Xlib.display import Display
from Xlib.protocol.event import ClientMessage
from Xlib.xobject.drawable import Window as XWindow

from handeye.clock import Clock, Deadline
from handeye.devices.linux.connection import numbers
from handeye.errors import TextInputFailed

BUSY_TIMEOUT_S = 10.0  # Openbox took up to 3 s after 55 changes of the spare key codes
POLL_S = 0.002

_QUESTION, _ANSWER = "_NET_REQUEST_FRAME_EXTENTS", "_NET_FRAME_EXTENTS"


def wait_for_window_manager(display: Display, own: XWindow, clock: Clock) -> None:
    """
    Return when the window manager has handled everything sent so far: it answers a request about the window `own`
    (EWMH), which need not be shown. Returns at once if no manager runs that supports the request. Raises
    TextInputFailed if it does not answer.
    """
    root: XWindow = display.screen().root
    question = display.get_atom(_QUESTION)
    holder = numbers(root, display, "_NET_SUPPORTING_WM_CHECK")
    if not holder or question not in numbers(root, display, "_NET_SUPPORTED"):
        return
    manager = display.create_resource_object("window", holder[0])
    if numbers(manager, display, "_NET_SUPPORTING_WM_CHECK") != holder:
        return  # it was killed
    own.delete_property(display.get_atom(_ANSWER))
    message = ClientMessage(window=own, client_type=question, data=(32, [0] * 5))
    root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
    limit = Deadline(clock, BUSY_TIMEOUT_S)
    while not numbers(own, display, _ANSWER):
        if limit.passed:
            raise TextInputFailed(
                f"the window manager has not answered for {BUSY_TIMEOUT_S:g} s: a click may still be on its way, and keys "
                "would come before it; nothing was typed"
            )
        limit.pause(POLL_S)
