"""Mouse and keyboard of a desktop: `handeye click`, `drag`, `scroll`, `click-at`, `drag-at`, `type` and `press`."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import Field

from handeye.actions import MOST_TAPS
from handeye.commands.base import Context, Outcome
from handeye.commands.desktop import AskingParams, DesktopParams, desktop_of, done, meant, on_meant
from handeye.commands.parameters import ARGUMENT, Cli
from handeye.desktop import ActionOutcome, DesktopSession
from handeye.errors import UsageError

_OFFSET: Final = re.compile(r"\s*([-+]?[0-9]{1,6})\s*,\s*([-+]?[0-9]{1,6})\s*")
_LIKE_OFFSET: Final = re.compile(r"\s*[-+]?[0-9.]+\s*[,;，x× ]\s*[-+]?[0-9.]+\s*", re.IGNORECASE)
_MOST: Final = 100_000

Button = Annotated[Literal["left", "middle", "right"], Field(description="left, middle or right.")]
Count = Annotated[int, Field(ge=1, le=MOST_TAPS, description="Clicks in a row: 2 for a double click.")]
ElementArgument = Annotated[
    str, ARGUMENT, Field(min_length=1, description="A number that `state` has listed, or a phrase: the Save button.")
]
Coordinate = Annotated[float, ARGUMENT, Field(ge=-_MOST, le=_MOST)]


class ClickParams(AskingParams):
    """Parameters of `click`."""

    what: ElementArgument
    button: Button = "left"
    count: Count = 1


def click(params: ClickParams, context: Context) -> Outcome:
    """Click an element."""
    return on_meant(
        params,
        context,
        params.what,
        lambda session, what: session.click(what, params.window, button=params.button, count=params.count),
    )


class DragParams(AskingParams):
    """Parameters of `drag`."""

    what: ElementArgument
    to: Annotated[str, ARGUMENT] = Field(
        min_length=1, description="Another one, or how far: DX,DY (after -- when negative)."
    )


def drag(params: DragParams, context: Context) -> Outcome:
    """Drag an element onto another one, or by so many pixels."""
    to = _end(params.to)
    return on_meant(params, context, params.what, lambda session, what: session.drag(what, to, params.window))


def _end(named: str) -> int | str | tuple[int, int]:
    """Return the end of a drag: a number, a phrase, or an offset in pixels. Raises UsageError for other numbers."""
    offset = _OFFSET.fullmatch(named)
    if offset is not None:
        return int(offset[1]), int(offset[2])
    if _LIKE_OFFSET.fullmatch(named):
        raise UsageError(
            f"{named[:40]!r} is not how far to drag: write DX,DY in whole pixels, such as 40,0 or -- -40,0"
        )
    return meant(named)


class ScrollParams(AskingParams):
    """Parameters of `scroll`."""

    what: ElementArgument
    down: int = Field(3, ge=-1000, le=1000, description="Notches of the wheel; up when negative.")
    across: int = Field(0, ge=-1000, le=1000, description="Notches to the right; to the left when negative.")


def scroll(params: ScrollParams, context: Context) -> Outcome:
    """Turn the wheel over an element."""
    return on_meant(
        params,
        context,
        params.what,
        lambda session, what: session.scroll(what, params.down, params.across, params.window),
    )


class ClickAtParams(DesktopParams):
    """Parameters of `click-at`."""

    x: Coordinate
    y: Coordinate
    button: Button = "left"
    count: Count = 1


def click_at(params: ClickAtParams, context: Context) -> Outcome:
    """Click a place."""
    with desktop_of(params) as session:
        return done(session.click_at(params.x, params.y, params.window, button=params.button, count=params.count))


class DragAtParams(DesktopParams):
    """Parameters of `drag-at`."""

    x1: Coordinate
    y1: Coordinate
    x2: Coordinate
    y2: Coordinate


def drag_at(params: DragAtParams, context: Context) -> Outcome:
    """Drag from a place to another one."""
    with desktop_of(params) as session:
        return done(session.drag_at(params.x1, params.y1, params.x2, params.y2, params.window))


class TypeParams(AskingParams):
    """Parameters of `type`."""

    text: Annotated[str | None, ARGUMENT] = Field(
        None, description="Any text (after -- when it begins with a dash).", repr=False
    )
    stdin: bool = Field(False, description="Read the text from standard input: no other program sees it.")
    env: Annotated[str | None, Cli(metavar="NAME")] = Field(None, description="Take it from this variable.")
    into: str | None = Field(None, description="Click this first: a number, or a phrase.")
    replace: bool = Field(False, description="In place of what the field, slider or spin box holds.")


def type_text(params: TypeParams, context: Context) -> Outcome:
    """Type a text. It is never printed, since it may be a secret; of one that is no argument, not even the length."""
    text = context.text_given(params.text, params.stdin, params.env)

    def typed(session: DesktopSession, into: int | str | None) -> ActionOutcome:
        return session.type(text, into, params.window, secret=params.text is None, replace=params.replace)

    if params.into is None:
        with desktop_of(params) as session:
            return done(typed(session, None))
    return on_meant(params, context, params.into, typed)


class PressParams(DesktopParams):
    """Parameters of `press`."""

    keys: Annotated[str, ARGUMENT] = Field(min_length=1, description="A key, or several together: enter, ctrl+s.")


def press(params: PressParams, context: Context) -> Outcome:
    """Press a key, or several together."""
    with desktop_of(params) as session:
        return done(session.press(params.keys, params.window))
