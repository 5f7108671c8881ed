"""`handeye type` and `press`: the keyboard of a desktop."""

from __future__ import annotations

from pydantic import Field

from handeye.commands.base import Command, Context, Effect, Outcome
from handeye.commands.desktop import AskingParams, DesktopParams, desktop_of, done, on_meant
from handeye.desktop.deed import Deed
from handeye.desktop.session import DesktopSession


class TypeParams(AskingParams):
    """Parameters of `type`."""

    text: str = Field(description="any text", repr=False)
    into: str | None = Field(None, description="what to click first: a number that `state` has listed, or a phrase")
    replace: bool = Field(False, description="in place of what the field holds; a number in a slider or spin box")
    secret: bool = Field(False, description="not to be told how long it is")


def type_text(params: TypeParams, context: Context) -> Outcome:
    """Type a text. It is never told again: it may be a secret."""

    def typed(session: DesktopSession, into: int | str | None) -> Deed:
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
