"""Devices and their screenshots: `handeye devices`, `connect` and `screenshot`."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from handeye.commands.base import Context, Outcome
from handeye.commands.parameters import ARGUMENT, Cli, NoParams
from handeye.devices import ADBController, RegionCapture, list_devices, open_device
from handeye.errors import UnsupportedAction, UsageError, WriteFailed
from handeye.session import DEFAULT_DEVICE


def show_devices(params: NoParams, context: Context) -> Outcome:
    """List what adb knows."""
    found = list_devices()
    data = {
        "devices": [{"uri": f"android:///{each.serial}", "state": each.state, "model": each.model} for each in found]
    }
    lines = tuple(f"android:///{each.serial}  {each.state}  {each.model}".rstrip() for each in found)
    hint = ("no Android device is attached; `handeye phone start` runs a virtual one",)
    return Outcome(data, lines or hint)


class ConnectParams(BaseModel):
    """Parameters of `connect`."""

    address: Annotated[str, ARGUMENT] = Field(min_length=1, description="HOST:PORT")


def connect_device(params: ConnectParams, context: Context) -> Outcome:
    """Connect to a phone over TCP and return its size and app."""
    with closing(ADBController(params.address)) as phone:
        phone.connect()
        size = phone.screen_size()
        app = phone.current_app()
        data = {"uri": phone.uri, "size": list(size), "app": str(app) if app is not None else None}
    return Outcome(data, (f"connected: {data['uri']}, {size.width}x{size.height}",))


class ScreenshotParams(BaseModel):
    """Parameters of `screenshot`."""

    path: Annotated[Path | None, ARGUMENT] = Field(
        None, description="The PNG file to write; screenshot.png if none is named."
    )
    out: Annotated[Path | None, Cli(flags=("--out", "-o"))] = Field(None, description="The same, by name.")
    window: Annotated[str | None, Cli(flags=("--window", "-w"))] = Field(
        None, description="Only this window of a desktop: its title, program:NAME, id:N."
    )
    monitor: Annotated[str | None, Cli(flags=("--monitor", "-m"))] = Field(
        None, description="Only this monitor of a desktop: its name, its number, or primary."
    )
    device: Annotated[str | None, Cli(flags=("--device", "-d"))] = Field(
        None,
        description="android:///SERIAL, android:, phone:, linux: ...; else HANDEYE_DESKTOP or HANDEYE_DEVICE; else, with "
        "--window or --monitor, this computer's desktop, and without, the only phone.",
    )


def take_screenshot(params: ScreenshotParams, context: Context) -> Outcome:
    """Save one frame as PNG. Raises UsageError when two files or two devices are named, and WriteFailed."""
    if params.path is not None and params.out is not None:
        raise UsageError("name one file: PATH, or --out PATH")
    out = params.path or params.out or Path("screenshot.png")
    with closing(open_device(params.device or _default_device(params))) as device:
        if params.window is None and params.monitor is None:
            screen = device.screenshot()
        elif isinstance(device, RegionCapture):
            screen = device.capture(window=params.window, monitor=params.monitor)
        else:
            raise UnsupportedAction(f"{device.uri} has no windows and monitors to capture; a desktop has: linux:")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(screen.to_png())  # not by way of a temporary file: it may be a pipe
    except (OSError, ValueError) as error:
        raise WriteFailed(out, error) from error
    left, top = screen.origin
    data = {
        "path": str(out),
        "size": list(screen.size),
        "origin": [left, top],
        "pixels_per_unit": screen.pixels_per_unit,
        "scale": screen.scale,
        "dpi": screen.dpi,
        **({"black": screen.black} if screen.black else {}),
    }
    warnings = (f"the picture is black: {screen.black}",) if screen.black else ()
    where = f", its left top corner at {left:g},{top:g}" if (left, top) != (0, 0) else ""
    return Outcome(data, (f"{out}: {screen.size.width}x{screen.size.height}{where}",), warnings=warnings)


def _default_device(params: ScreenshotParams) -> str:
    """
    Return the device that the environment names; else this computer's desktop for a window or monitor, and the only phone
    without. Raises UsageError where the environment names two.
    """
    from handeye.desktop import default_desktop

    is_part = params.window is not None or params.monitor is not None
    desktop, phone = os.environ.get("HANDEYE_DESKTOP"), os.environ.get("HANDEYE_DEVICE")
    if not is_part and desktop and phone and desktop != phone:
        raise UsageError(
            f"HANDEYE_DESKTOP is {desktop!r} and HANDEYE_DEVICE is {phone!r}: say with --device of which a picture is wanted"
        )
    return desktop or phone or (default_desktop() if is_part else DEFAULT_DEVICE)
