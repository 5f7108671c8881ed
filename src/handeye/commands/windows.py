"""`handeye windows` and `focus`: which windows a desktop has, and which one has the keyboard."""

from __future__ import annotations

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, Outcome
from handeye.commands.desktop import window_data
from handeye.commands.display import shown
from handeye.desktop.session import DesktopSession
from handeye.devices.desktop.base import Window


class WindowsParams(BaseModel):
    """Parameters of `windows`."""

    device: str | None = Field(None, description="which desktop, as a URI")


def windows(params: WindowsParams, context: Context) -> Outcome:
    """List the windows, the topmost first."""
    with DesktopSession(params.device) as session:
        found = session.windows()
    return Outcome(
        {"windows": [window_data(each) for each in found]}, tuple(map(_line, found)) or ("there is no window",)
    )


class FocusParams(WindowsParams):
    """Parameters of `focus`."""

    title: str = Field(min_length=1, description="the window's title, a part of it, or re:PATTERN")


def focus(params: FocusParams, context: Context) -> Outcome:
    """Raise a window and give it the keyboard."""
    with DesktopSession(params.device) as session:
        window = session.focus(params.title)
    return Outcome({"window": window_data(window)}, (_line(window),))


def _line(window: Window) -> str:
    marks = [name for name in ("focused", "minimized") if getattr(window, name)]
    return shown(str(window)) + f" at {','.join(map(str, window.box))}" + (f" ({', '.join(marks)})" if marks else "")


WINDOWS = Command("windows", "List the windows of a desktop.", Effect.READ, WindowsParams, windows)
FOCUS = Command("focus", "Give a window the keyboard.", Effect.ACT, FocusParams, focus)
