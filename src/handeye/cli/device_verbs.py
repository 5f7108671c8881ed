"""Verbs about devices, the virtual phone and what is installed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from handeye._version import __version__
from handeye.cli.calling import ANY, Json, call, guarded, print_json


@guarded
def devices(as_json: Json = False) -> None:
    """List the Android devices that adb knows."""
    from handeye.commands import DEVICES

    call(DEVICES, as_json)


@guarded
def connect(address: Annotated[str, typer.Argument(help="HOST:PORT")], as_json: Json = False) -> None:
    """Connect to a phone over TCP."""
    from handeye.commands import CONNECT

    call(CONNECT, as_json, address=address)


@guarded
def screenshot(
    path: Annotated[Path | None, typer.Argument(help="The PNG file to write.", show_default="screenshot.png")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The same, by name.")] = None,
    window: Annotated[
        str | None, typer.Option("--window", "-w", help="Only this window of a desktop: its title, program:NAME, id:N.")
    ] = None,
    monitor: Annotated[
        str | None,
        typer.Option("--monitor", "-m", help="Only this monitor of a desktop: its name, its number, or primary."),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            "--device",
            "-d",
            help="android:///SERIAL, android:, phone:, linux: ...; else HANDEYE_DESKTOP or HANDEYE_DEVICE; else, with "
            "--window or --monitor, this computer's desktop, and without, the only phone.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Save what a phone or a desktop shows as PNG."""
    from handeye.commands import SCREENSHOT

    if path is not None and out is not None:
        raise typer.BadParameter("name one file: PATH, or --out PATH")
    target = path or out or Path("screenshot.png")
    shown = device or _pictured(window or monitor)
    call(SCREENSHOT, as_json, out=target, device=shown, window=window, monitor=monitor)


def _pictured(part: str | None) -> str:
    """What a picture is taken of when no --device says it. Raises typer.BadParameter where the environment names two."""
    from handeye.desktop import default_desktop

    desktop, phone = os.environ.get("HANDEYE_DESKTOP"), os.environ.get("HANDEYE_DEVICE")
    if part is None and desktop and phone and desktop != phone:
        raise typer.BadParameter(
            f"HANDEYE_DESKTOP is {desktop!r} and HANDEYE_DEVICE is {phone!r}: say with --device of which a picture is wanted"
        )
    return desktop or phone or (default_desktop() if part is not None else ANY)


@guarded
def phone_start(
    port: Annotated[int, typer.Option(help="TCP port on 127.0.0.1; 0 picks a free one.")] = 15555,
    scenario: Annotated[str, typer.Option(help="Disturbances: names joined by commas, or a file.")] = "calm",
    window: Annotated[bool, typer.Option("--window", help="Show it live in a local web page.")] = False,
    auth: Annotated[str, typer.Option(help="How keys are treated: open, keys or refuse.")] = "open",
    as_json: Json = False,
) -> None:
    """Run the virtual phone until Ctrl-C."""
    from handeye.commands import PHONE_START

    call(PHONE_START, as_json, port=port, scenario=scenario, window=window, auth=auth)


@guarded
def phone_state(port: Annotated[int, typer.Option(help="Its port.")] = 15555, as_json: Json = False) -> None:
    """Print what the virtual phone itself says."""
    from handeye.commands import PHONE_STATE

    call(PHONE_STATE, as_json, port=port)


@guarded
def phone_scenario(
    names: Annotated[str | None, typer.Argument(help="Names joined by commas, or a file; none lists them.")] = None,
    port: Annotated[int, typer.Option(help="Its port.")] = 15555,
    as_json: Json = False,
) -> None:
    """Switch disturbances on, or list them."""
    from handeye.commands import PHONE_SCENARIO

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
    from handeye.commands import MODEL_CHECK

    call(MODEL_CHECK, as_json, model=model, preset=preset, profile=profile, role=role)


@guarded
def doctor(as_json: Json = False) -> None:
    """Say what is installed, what is missing, and how to get it."""
    from handeye.commands import DOCTOR

    call(DOCTOR, as_json)


@guarded
def version(as_json: Json = False) -> None:
    """Print the version."""
    if as_json:
        print_json({"version": __version__})
    else:
        typer.echo(f"handeye {__version__}")
