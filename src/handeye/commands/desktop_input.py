"""`handeye click`, `drag`, `scroll`, `click-at` and `drag-at`: the mouse on elements and places of a desktop."""

from __future__ import annotations

import re
from typing import Final, Literal

from pydantic import Field

from handeye.actions import MOST_TAPS
from handeye.commands.base import Command, Context, Effect, Outcome
from handeye.commands.desktop import AskingParams, DesktopParams, desktop_of, done, meant, on_meant
from handeye.desktop import ActionOutcome, DesktopSession
from handeye.errors import UsageError

_OFFSET: Final = re.compile(r"\s*([-+]?[0-9]{1,6})\s*,\s*([-+]?[0-9]{1,6})\s*")
_LIKE_OFFSET: Final = re.compile(r"\s*[-+]?[0-9.]+\s*[,;，x× ]\s*[-+]?[0-9.]+\s*", re.IGNORECASE)
_MOST: Final = 100_000


class ClickParams(AskingParams):
    """Parameters of `click`."""

    what: str = Field(min_length=1, description="the number that `state` has listed, or what is meant in words")
    button: Literal["left", "middle", "right"] = Field("left", description="which button")
    count: int = Field(1, ge=1, le=MOST_TAPS, description="clicks in a row")


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

    what: str = Field(min_length=1, description="the number that `state` has listed, or what is meant in words")
    to: str = Field(min_length=1, description="another number or phrase, or how far: DX,DY in pixels")


def drag(params: DragParams, context: Context) -> Outcome:
    """Drag an element onto another one, or by so many pixels."""
    to = _end(params.to)
    return on_meant(params, context, params.what, lambda session, what: session.drag(what, to, params.window))


def _end(named: str) -> int | str | tuple[int, int]:
    """Where a drag ends: a number, a phrase, or how far. Raises UsageError for numbers that are neither."""
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

    what: str = Field(min_length=1, description="the number that `state` has listed, or what is meant in words")
    down: int = Field(3, ge=-1000, le=1000, description="notches of the wheel, up when negative")
    across: int = Field(0, ge=-1000, le=1000, description="notches to the right, to the left when negative")


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

    x: float = Field(ge=-_MOST, le=_MOST, description="pixels from the left of the desktop")
    y: float = Field(ge=-_MOST, le=_MOST, description="pixels from its top")
    button: Literal["left", "middle", "right"] = Field("left", description="which button")
    count: int = Field(1, ge=1, le=MOST_TAPS, description="clicks in a row")


def click_at(params: ClickAtParams, context: Context) -> Outcome:
    """Click a place."""
    with desktop_of(params) as session:
        return done(session.click_at(params.x, params.y, params.window, button=params.button, count=params.count))


class DragAtParams(DesktopParams):
    """Parameters of `drag-at`."""

    x1: float = Field(ge=-_MOST, le=_MOST)
    y1: float = Field(ge=-_MOST, le=_MOST)
    x2: float = Field(ge=-_MOST, le=_MOST)
    y2: float = Field(ge=-_MOST, le=_MOST)


def drag_at(params: DragAtParams, context: Context) -> Outcome:
    """Drag from a place to another one."""
    with desktop_of(params) as session:
        return done(session.drag_at(params.x1, params.y1, params.x2, params.y2, params.window))


CLICK = Command("click", "Click an element of a window.", Effect.ACT, ClickParams, click)
DRAG = Command("drag", "Drag an element.", Effect.ACT, DragParams, drag)
SCROLL = Command("scroll", "Turn the wheel over an element.", Effect.ACT, ScrollParams, scroll)
CLICK_AT = Command("click-at", "Click a place of a desktop.", Effect.ACT, ClickAtParams, click_at)
DRAG_AT = Command("drag-at", "Drag from one place of a desktop to another.", Effect.ACT, DragAtParams, drag_at)


# `handeye type` and `press`: the keyboard of a desktop.


class TypeParams(AskingParams):
    """Parameters of `type`."""

    text: str = Field(description="any text", repr=False)
    into: str | None = Field(None, description="what to click first: a number that `state` has listed, or a phrase")
    replace: bool = Field(False, description="in place of what the field holds; a number in a slider or spin box")
    secret: bool = Field(False, description="not to be told how long it is")


def type_text(params: TypeParams, context: Context) -> Outcome:
    """Type a text. It is never told again: it may be a secret."""

    def typed(session: DesktopSession, into: int | str | None) -> ActionOutcome:
        return session.type(params.text, into, params.window, secret=params.secret, replace=params.replace)

    if params.into is None:
        with desktop_of(params) as session:
            return done(typed(session, None))
    return on_meant(params, context, params.into, typed)


class PressParams(DesktopParams):
    """Parameters of `press`."""

    keys: str = Field(min_length=1, description="a key, or several together: enter, ctrl+s")


def press(params: PressParams, context: Context) -> Outcome:
    """Press a key, or several together."""
    with desktop_of(params) as session:
        return done(session.press(params.keys, params.window))


TYPE = Command("type", "Type a text.", Effect.ACT, TypeParams, type_text)
PRESS = Command("press", "Press a key, or several together.", Effect.ACT, PressParams, press)
