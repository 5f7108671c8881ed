"""Detect Wayland sessions, and report them instead of capturing a black picture."""

from __future__ import annotations

import os

from Xlib.display import Display

from handeye.errors import CaptureFailed, DeviceNotFound

_WHAT_WORKS = (
    "Wayland lets no program look at the screen or move the pointer. Log in to an X11 session (the login screen has a choice "
    "of sessions, often called 'on Xorg'); or control single applications that run under XWayland, by their window"
)


def display_error(display: str | None, why: str) -> DeviceNotFound:
    """Return the error to raise if there is no X server to connect to."""
    named = display or os.environ.get("DISPLAY") or None  # an empty value counts as unset
    if named is None and os.environ.get("WAYLAND_DISPLAY"):
        return DeviceNotFound(f"this is a Wayland session without XWayland. {_WHAT_WORKS}")
    if named is None:
        return DeviceNotFound(
            "there is no desktop: DISPLAY is not set, or empty. Run it in a desktop session, or name one: linux::0"
        )
    remedy = "name one that runs, such as linux::0; DISPLAY says which is this session's"
    if os.environ.get("WAYLAND_DISPLAY"):
        remedy = f"this is a Wayland session. {_WHAT_WORKS}"
    return DeviceNotFound(f"there is no X server at {named!r} ({why.strip() or 'it does not answer'}): {remedy}")


def is_xwayland(display: Display) -> bool:
    """
    Return True if this X server shows its windows on a Wayland desktop.

    The server is queried, not the environment: a private Xvfb started in a Wayland session is a real X server.
    """
    return display.query_extension("XWAYLAND") is not None or any(
        name.startswith("XWAYLAND") for name in _output_names(display)
    )


def refuse_screen(display: Display) -> None:
    """Raise CaptureFailed under XWayland, where the whole screen is black."""
    if is_xwayland(display):
        raise CaptureFailed(f"the whole screen cannot be captured here. {_WHAT_WORKS}, as in linux:?window=TITLE")


def _output_names(display: Display) -> list[str]:
    """Return the output names: servers before 23.1 have no XWAYLAND extension to query."""
    if not display.has_extension("RANDR"):
        return []
    root = display.screen().root
    resources = root.xrandr_get_screen_resources_current()
    stamp = resources.config_timestamp
    return [display.xrandr_get_output_info(output, stamp).name for output in resources.outputs]
