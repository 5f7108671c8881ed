"""`handeye devices`, `connect`, `screenshot`: what is there, and what it shows."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, Outcome
from handeye.devices import ADBController, PartAware, list_devices, open_device
from handeye.errors import UnsupportedAction, WriteFailed
from handeye.session import DEFAULT_DEVICE


class NoParams(BaseModel):
    """A command without parameters."""


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

    address: str = Field(min_length=1, description="HOST:PORT of a phone with adb over TCP")


def connect_device(params: ConnectParams, context: Context) -> Outcome:
    """Connect to a phone over TCP and say what it is."""
    with closing(ADBController(params.address)) as phone:
        phone.connect()
        size = phone.screen_size()
        app = phone.current_app()
        data = {"uri": phone.uri, "size": list(size), "app": str(app) if app is not None else None}
    return Outcome(data, (f"connected: {data['uri']}, {size.width}x{size.height}",))


class ScreenshotParams(BaseModel):
    """Parameters of `screenshot`."""

    out: Path = Field(Path("screenshot.png"), description="the PNG file to write")
    device: str = Field(DEFAULT_DEVICE, description="which device, as a URI")
    window: str | None = Field(
        None, description="only this window of a desktop: its title or a part of it, re:PATTERN, program:NAME or id:N"
    )
    monitor: str | None = Field(
        None, description='only this monitor of a desktop: its name, its number from 1, or "primary"'
    )


def take_screenshot(params: ScreenshotParams, context: Context) -> Outcome:
    """Save one frame as PNG. Raises WriteFailed."""
    with closing(open_device(params.device)) as device:
        if params.window is None and params.monitor is None:
            screen = device.screenshot()
        elif isinstance(device, PartAware):
            screen = device.capture(window=params.window, monitor=params.monitor)
        else:
            raise UnsupportedAction(f"{device.uri} has no windows and monitors to capture; a desktop has: linux:")
    try:
        params.out.parent.mkdir(parents=True, exist_ok=True)
        params.out.write_bytes(screen.to_png())  # straight to it: it may be a pipe
    except (OSError, ValueError) as error:
        raise WriteFailed(params.out, error) from error
    left, top = screen.origin
    data = {
        "path": str(params.out),
        "size": list(screen.size),
        "origin": [left, top],
        "pixels_per_unit": screen.pixels_per_unit,
        "scale": screen.scale,
        "dpi": screen.dpi,
        **({"black": screen.black} if screen.black else {}),
    }
    warnings = (f"the picture is black: {screen.black}",) if screen.black else ()
    where = f", its left top corner at {left:g},{top:g}" if (left, top) != (0, 0) else ""
    return Outcome(data, (f"{params.out}: {screen.size.width}x{screen.size.height}{where}",), warnings=warnings)


DEVICES = Command("devices", "List the Android devices that adb knows.", Effect.READ, NoParams, show_devices)
CONNECT = Command("connect", "Connect to a phone over TCP.", Effect.READ, ConnectParams, connect_device)
SCREENSHOT = Command("screenshot", "Save what the device shows.", Effect.READ, ScreenshotParams, take_screenshot)
