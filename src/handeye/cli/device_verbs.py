"""Verbs about devices, the virtual phone and what is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handeye._version import __version__
from handeye.cli.calling import ANY, DeviceUri, Json, call, guarded, print_json


@guarded
def devices(as_json: Json = False) -> None:
    """List the Android devices that adb knows."""
    from handeye.commands.devices import DEVICES

    call(DEVICES, as_json)


@guarded
def connect(address: Annotated[str, typer.Argument(help="HOST:PORT")], as_json: Json = False) -> None:
    """Connect to a phone over TCP."""
    from handeye.commands.devices import CONNECT

    call(CONNECT, as_json, address=address)


@guarded
def screenshot(
    out: Annotated[Path, typer.Option("--out", "-o", help="The PNG file to write.")] = Path("screenshot.png"),
    window: Annotated[
        str | None,
        typer.Option("--window", "-w", help="Only this window of a desktop; of this computer's, unless --device."),
    ] = None,
    device: DeviceUri = ANY,
    as_json: Json = False,
) -> None:
    """Save what the device shows as PNG."""
    from handeye.commands.devices import SCREENSHOT
    from handeye.desktop.session import default_desktop

    if window is not None and device == ANY:
        device = default_desktop()
    call(SCREENSHOT, as_json, out=out, device=device, window=window)


@guarded
def phone_start(
    port: Annotated[int, typer.Option(help="TCP port on 127.0.0.1; 0 picks a free one.")] = 15555,
    scenario: Annotated[str, typer.Option(help="Disturbances: names joined by commas, or a file.")] = "calm",
    window: Annotated[bool, typer.Option("--window", help="Show it live in a local web page.")] = False,
    auth: Annotated[str, typer.Option(help="How keys are treated: open, keys or refuse.")] = "open",
    as_json: Json = False,
) -> None:
    """Run the virtual phone until Ctrl-C."""
    from handeye.commands.phone import PHONE_START

    call(PHONE_START, as_json, port=port, scenario=scenario, window=window, auth=auth)


@guarded
def phone_state(port: Annotated[int, typer.Option(help="Its port.")] = 15555, as_json: Json = False) -> None:
    """Print what the virtual phone itself says."""
    from handeye.commands.phone import PHONE_STATE

    call(PHONE_STATE, as_json, port=port)


@guarded
def phone_scenario(
    names: Annotated[str | None, typer.Argument(help="Names joined by commas, or a file; none lists them.")] = None,
    port: Annotated[int, typer.Option(help="Its port.")] = 15555,
    as_json: Json = False,
) -> None:
    """Switch disturbances on, or list them."""
    from handeye.commands.phone import PHONE_SCENARIO

    call(PHONE_SCENARIO, as_json, names=names, port=port)


@guarded
def model_check(
    model: Annotated[str | None, typer.Option(help="Another model than the one that is configured.")] = None,
    preset: Annotated[str | None, typer.Option(help="Another provider: claude, qwen, ollama ...")] = None,
    profile: Annotated[str | None, typer.Option(help="Another family's way of writing coordinates.")] = None,
    role: Annotated[str, typer.Option(help="Which of the configured models: locator, verifier, planner.")] = "locator",
    as_json: Json = False,
) -> None:
    """Ask the configured model with a real picture: does it answer, see, and say where things are?"""
    from handeye.commands.model import MODEL_CHECK

    call(MODEL_CHECK, as_json, model=model, preset=preset, profile=profile, role=role)


@guarded
def doctor(as_json: Json = False) -> None:
    """Say what is installed, what is missing, and how to get it."""
    from handeye.commands.doctor import DOCTOR

    call(DOCTOR, as_json)


@guarded
def version(as_json: Json = False) -> None:
    """Print the version."""
    if as_json:
        print_json({"version": __version__})
    else:
        typer.echo(f"handeye {__version__}")
