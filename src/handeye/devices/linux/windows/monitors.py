"""Monitors of an X server."""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType

from Xlib.display import Display
from Xlib.error import XError

from handeye.devices.desktop.base import USUAL_DPI, Monitor
from handeye.devices.linux.connection import text
from handeye.geometry import Box

# RANDR's rotation is a bit flag, counted anticlockwise; the upper bits are reflections.
_DEGREES = MappingProxyType({1: 0, 2: 270, 4: 180, 8: 90})

_PLAUSIBLE_SCALES = (0.5, 8.0)  # a dpi of 48 to 768; others are mistakes in .Xresources
_MM_PER_INCH = 25.4


def monitors(display: Display) -> tuple[Monitor, ...]:
    """
    Return all monitors, the primary one first; the whole screen as one if the server knows none (RANDR before 1.5).

    The scale is `Xft.dpi` of the resource database over 96: desktops set it for their HiDPI factor, and GTK, Qt and
    Chromium derive font sizes from it. X11 has one for all monitors; the physical size that a monitor reports is often
    wrong. The dpi is the same `Xft.dpi`, or without one that of the server's start (`-dpi`), which scales nothing but
    Qt's fonts.
    """
    reported = _font_dpi(display)
    scale, dpi = (1.0, _server_dpi(display)) if reported is None else (reported / USUAL_DPI, reported)
    found = _by_randr(display, scale, dpi)
    if not found:
        screen = display.screen()
        box = Box(0, 0, screen.width_in_pixels, screen.height_in_pixels)
        return (Monitor("screen", box, True, scale, dpi=dpi),)
    if not any(monitor.primary for monitor in found):
        found[0] = replace(found[0], primary=True)
    return tuple(sorted(found, key=lambda monitor: not monitor.primary))


def _by_randr(display: Display, scale: float, dpi: float) -> list[Monitor]:
    if not display.has_extension("RANDR"):
        return []
    version = display.xrandr_query_version()
    if (version.major_version, version.minor_version) < (1, 5):
        return []
    return [
        Monitor(
            display.get_atom_name(row.name),
            Box(row.x, row.y, row.x + row.width_in_pixels, row.y + row.height_in_pixels),
            bool(row.primary),
            scale,
            _rotation(display, row.crtcs),
            dpi,
        )
        for row in display.screen().root.xrandr_get_monitors().monitors
        if row.width_in_pixels and row.height_in_pixels
    ]


def _rotation(display: Display, outputs: list[int]) -> int:
    """Return the rotation of a monitor's first output. (python-xlib calls a monitor's outputs `crtcs`.)"""
    stamp = display.screen().root.xrandr_get_screen_resources_current().config_timestamp
    for output in outputs:
        try:
            crtc = display.xrandr_get_output_info(output, stamp).crtc
            if crtc:
                return _DEGREES.get(display.xrandr_get_crtc_info(crtc, stamp).rotation & 15, 0)
        except XError:
            continue  # it was unplugged
    return 0


def _font_dpi(display: Display) -> float | None:
    """Return `Xft.dpi`, or None if it is not set or implausible."""
    lines = (text(display.screen().root, display, "RESOURCE_MANAGER") or "").splitlines()
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "Xft.dpi":
            try:
                reported = float(value)
            except ValueError:
                continue
            if _is_plausible(reported):
                return reported
    return None


def _server_dpi(display: Display) -> float:
    """
    Return the server's dpi from the longer side of the screen in pixels and whole millimetres, so rounded to an
    integer.
    """
    screen = display.screen()
    sides = (screen.width_in_mms, screen.width_in_pixels), (screen.height_in_mms, screen.height_in_pixels)
    millimetres, pixels = max(sides)
    reported = round(pixels * _MM_PER_INCH / max(millimetres, 1))
    return float(reported) if _is_plausible(reported) else USUAL_DPI


def _is_plausible(dpi: float) -> bool:
    return math.isfinite(dpi) and _PLAUSIBLE_SCALES[0] <= dpi / USUAL_DPI <= _PLAUSIBLE_SCALES[1]
