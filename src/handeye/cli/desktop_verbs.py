"""Verbs of a desktop: what its windows hold by number, mouse and keyboard on it."""

from __future__ import annotations

from typing import Annotated

import typer

from handeye.cli.calling import Json, ModelName, call, guarded
from handeye.cli.given_text import text_given

Desktop = Annotated[
    str | None,
    typer.Option(
        "--device", "-d", envvar="HANDEYE_DESKTOP", help="linux:, linux::99, windows:; else this computer's own"
    ),
]
WindowTitle = Annotated[
    str | None,
    typer.Option("--window", "-w", help="The window's title or a part of it, re:PATTERN, program:NAME or id:N."),
]
Vision = Annotated[
    bool, typer.Option("--vision", help="Ask the configured model to look, for what nothing else knows.")
]
Button = Annotated[str, typer.Option(help="left, middle or right.")]
Count = Annotated[int, typer.Option(help="Clicks in a row: 2 for a double click.")]


@guarded
def state(
    window: WindowTitle = None,
    infer: Annotated[bool, typer.Option("--infer", help="Also borders, splitters and handles that follow.")] = False,
    vision: Vision = False,
    model: ModelName = None,
    page: Annotated[int, typer.Option(help="Which page, when there are several.")] = 1,
    role: Annotated[str | None, typer.Option(help="Only elements of this role: Button, tab, 按钮.")] = None,
    text: Annotated[str | None, typer.Option(help="Only elements with this text.")] = None,
    visible: Annotated[bool, typer.Option("--visible", help="Only what is on the screen.")] = False,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """List the elements of a window with their numbers."""
    from handeye.commands import STATE

    asked = {"window": window, "infer": infer, "vision": vision, "page": page, "role": role, "text": text}
    call(STATE, as_json, visible=visible, device=device, model=model, **asked)


@guarded
def inspect(
    id: Annotated[int, typer.Argument(help="The number that `state` has listed.")],
    window: WindowTitle = None,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Tell everything about one element."""
    from handeye.commands import INSPECT

    call(INSPECT, as_json, id=id, window=window, device=device)


@guarded
def click(
    what: Annotated[str, typer.Argument(help="A number that `state` has listed, or a phrase: the Save button.")],
    button: Button = "left",
    count: Count = 1,
    vision: Vision = False,
    model: ModelName = None,
    window: WindowTitle = None,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Click an element of a window."""
    from handeye.commands import CLICK

    call(
        CLICK, as_json, vision=vision, model=model, what=what, button=button, count=count, window=window, device=device
    )


@guarded
def drag(
    what: Annotated[str, typer.Argument(help="A number that `state` has listed, or a phrase.")],
    to: Annotated[str, typer.Argument(help="Another one, or how far: DX,DY (after -- when negative).")],
    vision: Vision = False,
    model: ModelName = None,
    window: WindowTitle = None,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Drag an element onto another one, or by so many pixels."""
    from handeye.commands import DRAG

    call(DRAG, as_json, vision=vision, model=model, what=what, to=to, window=window, device=device)


@guarded
def scroll(
    what: Annotated[str, typer.Argument(help="A number that `state` has listed, or a phrase.")],
    down: Annotated[int, typer.Option(help="Notches of the wheel; up when negative.")] = 3,
    across: Annotated[int, typer.Option(help="Notches to the right; to the left when negative.")] = 0,
    vision: Vision = False,
    model: ModelName = None,
    window: WindowTitle = None,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Turn the wheel over an element."""
    from handeye.commands import SCROLL

    call(SCROLL, as_json, vision=vision, model=model, what=what, down=down, across=across, window=window, device=device)


@guarded
def click_at(
    x: float,
    y: float,
    button: Button = "left",
    count: Count = 1,
    window: WindowTitle = None,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Click a place of the desktop, in pixels (after -- when negative)."""
    from handeye.commands import CLICK_AT

    call(CLICK_AT, as_json, x=x, y=y, button=button, count=count, window=window, device=device)


@guarded
def drag_at(
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    window: WindowTitle = None,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Drag from one place of the desktop to another, in pixels (after -- when negative)."""
    from handeye.commands import DRAG_AT

    call(DRAG_AT, as_json, x1=x1, y1=y1, x2=x2, y2=y2, window=window, device=device)


@guarded
def type_text(
    text: Annotated[str | None, typer.Argument(help="Any text (after -- when it begins with a dash).")] = None,
    stdin: Annotated[
        bool, typer.Option("--stdin", help="Read the text from standard input: no other program sees it.")
    ] = False,
    env: Annotated[str | None, typer.Option("--env", metavar="NAME", help="Take it from this variable.")] = None,
    into: Annotated[str | None, typer.Option(help="Click this first: a number, or a phrase.")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="In place of what the field, slider or spin box holds.")
    ] = False,
    vision: Vision = False,
    model: ModelName = None,
    window: WindowTitle = None,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Type a text into what has the keyboard."""
    from handeye.commands import TYPE

    secret = text is None
    given = {"text": text_given(text, stdin, env), "secret": secret, "into": into, "window": window, "device": device}
    call(TYPE, as_json, replace=replace, vision=vision, model=model, **given)


@guarded
def press(
    keys: Annotated[str, typer.Argument(help="A key, or several together: enter, ctrl+s.")],
    window: WindowTitle = None,
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Press a key, or several together."""
    from handeye.commands import PRESS

    call(PRESS, as_json, keys=keys, window=window, device=device)


@guarded
def windows(device: Desktop = None, as_json: Json = False) -> None:
    """List the windows of a desktop, the topmost first."""
    from handeye.commands import WINDOWS

    call(WINDOWS, as_json, device=device)


@guarded
def focus(
    title: Annotated[str, typer.Argument(help="Its title or a part of it, re:PATTERN, program:NAME or id:N.")],
    device: Desktop = None,
    as_json: Json = False,
) -> None:
    """Raise a window and give it the keyboard."""
    from handeye.commands import FOCUS

    call(FOCUS, as_json, title=title, device=device)
