"""Wayland: what can be said instead of a black picture."""

from __future__ import annotations

import os

from Xlib.display import Display

from handeye.errors import CaptureFailed, DeviceNotFound

_WHAT_WORKS = (
    "Wayland lets no program look at the screen or move the pointer. Log in to an X11 session (the login screen has a choice "
    "of sessions, often called 'on Xorg'); or control single applications that run under XWayland, by their window"
)


def no_display(display: str | None, why: str) -> DeviceNotFound:
    """What to raise when there is no X server to talk to."""
    named = display or os.environ.get("DISPLAY") or None  # an empty one names none
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
    Whether this X server only shows its windows on a Wayland desktop.

    The server is asked, not the environment: a private Xvfb that was started in a Wayland session is a real one.
    """
    return display.query_extension("XWAYLAND") is not None or any(
        name.startswith("XWAYLAND") for name in _output_names(display)
    )


def refuse_screen(display: Display) -> None:
    """Raises CaptureFailed under XWayland, whose whole screen is black."""
    if is_xwayland(display):
        raise CaptureFailed(f"the whole screen cannot be captured here. {_WHAT_WORKS}, as in linux:?window=TITLE")


def _output_names(display: Display) -> list[str]:
    """The names of the outputs: servers before 23.1 have no extension to ask for."""
    if not display.has_extension("RANDR"):
        return []
    root = display.screen().root
    resources = root.xrandr_get_screen_resources_current()
    stamp = resources.config_timestamp
    return [display.xrandr_get_output_info(output, stamp).name for output in resources.outputs]
