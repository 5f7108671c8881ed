"""`handeye click`, `drag`, `scroll`, `click-at` and `drag-at`: the mouse on elements and places of a desktop."""

from __future__ import annotations

import re
from typing import Final, Literal

from pydantic import Field

from handeye.commands.base import Command, Context, Effect, Outcome
from handeye.commands.desktop import DesktopParams, desktop_of, done, meant, on_meant

_OFFSET: Final = re.compile(r"(-?\d{1,6}),(-?\d{1,6})")
_MOST: Final = 100_000


class ClickParams(DesktopParams):
    """Parameters of `click`."""

    what: str = Field(min_length=1, description="the number that `state` has listed, or what is meant in words")
    button: Literal["left", "middle", "right"] = Field("left", description="which button")
    count: int = Field(1, ge=1, le=3, description="clicks in a row")


def click(params: ClickParams, context: Context) -> Outcome:
    """Click an element."""
    return on_meant(
        params,
        "clicked",
        params.what,
        lambda session, what: session.click(what, params.window, button=params.button, count=params.count),
    )


class DragParams(DesktopParams):
    """Parameters of `drag`."""

    what: str = Field(min_length=1, description="the number that `state` has listed, or what is meant in words")
    to: str = Field(min_length=1, description="another number or phrase, or how far: DX,DY in pixels")


def drag(params: DragParams, context: Context) -> Outcome:
    """Drag an element onto another one, or by so many pixels."""
    offset = _OFFSET.fullmatch(params.to.strip())
    to = (int(offset[1]), int(offset[2])) if offset is not None else meant(params.to)
    return on_meant(params, "dragged", params.what, lambda session, what: session.drag(what, to, params.window))


class ScrollParams(DesktopParams):
    """Parameters of `scroll`."""

    what: str = Field(min_length=1, description="the number that `state` has listed, or what is meant in words")
    down: int = Field(3, ge=-1000, le=1000, description="notches of the wheel, up when negative")
    across: int = Field(0, ge=-1000, le=1000, description="notches to the right, to the left when negative")


def scroll(params: ScrollParams, context: Context) -> Outcome:
    """Turn the wheel over an element."""
    return on_meant(
        params,
        "scrolled",
        params.what,
        lambda session, what: session.scroll(what, params.down, params.across, params.window),
    )


class ClickAtParams(DesktopParams):
    """Parameters of `click-at`."""

    x: float = Field(ge=-_MOST, le=_MOST, description="pixels from the left of the desktop")
    y: float = Field(ge=-_MOST, le=_MOST, description="pixels from its top")
    button: Literal["left", "middle", "right"] = Field("left", description="which button")
    count: int = Field(1, ge=1, le=3, description="clicks in a row")


def click_at(params: ClickAtParams, context: Context) -> Outcome:
    """Click a place."""
    with desktop_of(params) as session:
        if params.window is not None:
            session.focus(params.window)
        result = session.click_at(params.x, params.y, button=params.button, count=params.count)
    return done(f"clicked at {params.x:g},{params.y:g}", result)


class DragAtParams(DesktopParams):
    """Parameters of `drag-at`."""

    x1: float = Field(ge=-_MOST, le=_MOST)
    y1: float = Field(ge=-_MOST, le=_MOST)
    x2: float = Field(ge=-_MOST, le=_MOST)
    y2: float = Field(ge=-_MOST, le=_MOST)


def drag_at(params: DragAtParams, context: Context) -> Outcome:
    """Drag from a place to another one."""
    with desktop_of(params) as session:
        if params.window is not None:
            session.focus(params.window)
        result = session.drag_at(params.x1, params.y1, params.x2, params.y2)
    return done(f"dragged from {params.x1:g},{params.y1:g} to {params.x2:g},{params.y2:g}", result)


CLICK = Command("click", "Click an element of a window.", Effect.ACT, ClickParams, click)
DRAG = Command("drag", "Drag an element.", Effect.ACT, DragParams, drag)
SCROLL = Command("scroll", "Turn the wheel over an element.", Effect.ACT, ScrollParams, scroll)
CLICK_AT = Command("click-at", "Click a place of a desktop.", Effect.ACT, ClickAtParams, click_at)
DRAG_AT = Command("drag-at", "Drag from one place of a desktop to another.", Effect.ACT, DragAtParams, drag_at)
