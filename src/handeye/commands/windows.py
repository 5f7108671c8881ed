"""`handeye windows` and `focus`: which windows a desktop has, and which one has the keyboard."""

from __future__ import annotations

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, Outcome
from handeye.commands.desktop import window_data, window_line
from handeye.desktop.session import DesktopSession


class WindowsParams(BaseModel):
    """Parameters of `windows`."""

    device: str | None = Field(None, description="which desktop, as a URI")


def windows(params: WindowsParams, context: Context) -> Outcome:
    """List the windows, the topmost first."""
    with DesktopSession(params.device) as session:
        found = session.windows()
    return Outcome(
        {"windows": [window_data(each) for each in found]}, tuple(map(window_line, found)) or ("there is no window",)
    )


class FocusParams(WindowsParams):
    """Parameters of `focus`."""

    title: str = Field(min_length=1, description="its title or a part of it, re:PATTERN, program:NAME, or id:N")


def focus(params: FocusParams, context: Context) -> Outcome:
    """Raise a window and give it the keyboard."""
    with DesktopSession(params.device) as session:
        window = session.focus(params.title)
    return Outcome({"window": window_data(window)}, (window_line(window),))


WINDOWS = Command("windows", "List the windows of a desktop.", Effect.READ, WindowsParams, windows)
FOCUS = Command("focus", "Give a window the keyboard.", Effect.ACT, FocusParams, focus)
