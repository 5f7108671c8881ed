"""The monitors of an X server."""

from __future__ import annotations

import math
from types import MappingProxyType

from Xlib.display import Display
from Xlib.error import XError

from handeye.devices.desktop.base import USUAL_DPI, Monitor
from handeye.devices.linux.connection import text
from handeye.geometry import Box

# RANDR's rotation is a bit, counted anticlockwise; the upper bits are reflections.
_DEGREES = MappingProxyType({1: 0, 2: 270, 4: 180, 8: 90})

_PLAUSIBLE_SCALES = (0.5, 8.0)  # a dpi of 48 to 768; others are a mistake in somebody's .Xresources


def monitors(display: Display) -> tuple[Monitor, ...]:
    """
    All of them, the primary one first; the whole screen as one where the server knows none (RANDR before 1.5).

    The scale is `Xft.dpi` of the resource database over 96: what desktops set for their HiDPI factor and what GTK, Qt and
    Chromium take their font sizes from. X11 has one for all monitors; the physical size that a monitor reports is often wrong.
    """
    scale = _scale(display)
    found = _by_randr(display, scale)
    if not found:
        screen = display.screen()
        return (Monitor("screen", Box(0, 0, screen.width_in_pixels, screen.height_in_pixels), True, scale),)
    if not any(monitor.primary for monitor in found):
        first = found[0]
        found[0] = Monitor(first.name, first.box, True, first.scale, first.rotation)
    return tuple(sorted(found, key=lambda monitor: not monitor.primary))


def _by_randr(display: Display, scale: float) -> list[Monitor]:
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
        )
        for row in display.screen().root.xrandr_get_monitors().monitors
        if row.width_in_pixels and row.height_in_pixels
    ]


def _rotation(display: Display, outputs: list[int]) -> int:
    """How the first output of a monitor is turned. (python-xlib calls a monitor's outputs `crtcs`.)"""
    stamp = display.screen().root.xrandr_get_screen_resources_current().config_timestamp
    for output in outputs:
        try:
            crtc = display.xrandr_get_output_info(output, stamp).crtc
            if crtc:
                return _DEGREES.get(display.xrandr_get_crtc_info(crtc, stamp).rotation & 15, 0)
        except XError:
            continue  # it was unplugged
    return 0


def _scale(display: Display) -> float:
    lines = (text(display.screen().root, display, "RESOURCE_MANAGER") or "").splitlines()
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "Xft.dpi":
            try:
                scale = float(value) / USUAL_DPI
            except ValueError:
                continue
            if math.isfinite(scale) and _PLAUSIBLE_SCALES[0] <= scale <= _PLAUSIBLE_SCALES[1]:
                return scale
    return 1.0
