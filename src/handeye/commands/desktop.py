"""What the verbs of a desktop have in common: the session, the numbers that were listed, and the refusal of old ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Final

from pydantic import BaseModel, Field

from handeye.actions import ActionResult
from handeye.commands.base import ExitCode, Outcome
from handeye.commands.display import MOST_OF_NOTE, shown
from handeye.desktop.kept import KeptStates
from handeye.desktop.pages import Filter, Page, as_data, lines_of, notes_of, page_of
from handeye.desktop.session import DesktopSession
from handeye.desktop.state import WindowState
from handeye.devices.desktop.base import Window
from handeye.errors import StateChanged, UsageError, WriteFailed

_DIGITS: Final = 7  # of a number that `state` could list


class DesktopParams(BaseModel):
    """What every verb of a desktop takes."""

    device: str | None = Field(
        None, description="which desktop, as a URI: linux:, linux::99; this computer's own otherwise"
    )
    window: str | None = Field(None, description="the window's title, a part of it, or re:PATTERN")
    vision: bool = Field(False, description="also what only can be seen: asks the configured model")
    model: str | None = Field(None, description="the model to ask; with --infer, about structure too")


@contextmanager
def desktop_of(params: DesktopParams, *, infer: bool = False, vision: bool = False) -> Iterator[DesktopSession]:
    """The session that a verb works with."""
    with DesktopSession(params.device, infer=infer, vision=vision, model=params.model) as session:
        yield session


def on_listed(params: DesktopParams, act: Callable[[DesktopSession], Outcome]) -> Outcome:
    """
    Act with the numbers that were listed last, of `params.window` if it is named. Where an element has changed since, that
    and the fresh numbers are the outcome, and nothing was done. Raises UsageError when nothing was listed.
    """
    with desktop_of(params) as session:
        kept = KeptStates(session.device.uri)
        session.recall(kept.last(session.window(params.window).id if params.window is not None else None))
        try:
            return act(session)
        except StateChanged as error:
            return _refused(error, kept)


def on_meant(
    params: DesktopParams,
    what_was_done: str,
    named: str,
    act: Callable[[DesktopSession, int | str], ActionResult],
    *,
    joined: str = "",
) -> Outcome:
    """Act on what a person named by its number or in words (`act`), and say so."""
    what = meant(named)
    words = f"[{what}]" if isinstance(what, int) else repr(what)
    said = " ".join(part for part in (what_was_done, joined, words) if part)

    def acted(session: DesktopSession) -> Outcome:
        return done(shown(said), act(session, what), target=what)

    if isinstance(what, int):
        return on_listed(params, acted)
    with desktop_of(params, vision=params.vision) as session:
        with suppress(UsageError):  # a phrase needs none; what it is dragged to may
            session.recall(KeptStates(session.device.uri).last())
        return acted(session)


def meant(named: str) -> int | str:
    """A number that `state` lists ("12", "[12]"), or a phrase."""
    plain = named.strip().removeprefix("[").removesuffix("]")
    return int(plain) if plain.isascii() and plain.isdecimal() and len(plain) <= _DIGITS else named


def listing_of(state: WindowState, page: Page) -> Outcome:
    """A page of a state, for people and machines."""
    window = state.window
    lines = [f"{shown(str(window))} at {','.join(map(str, window.box))}", *lines_of(page)]
    if page.pages > 1:
        lines.append(f"page {page.number} of {page.pages}: {len(page.elements)} of {page.matching} elements")
    notes = tuple(shown(note) for note in notes_of(state.notes))
    data = {
        "window": window_data(window),
        "elements": [as_data(each) for each in page.elements],
        "page": page.number,
        "pages": page.pages,
        "matching": page.matching,
        "total": len(state.elements),
        "notes": list(notes),
    }
    return Outcome(data, (*lines, *(f"note: {note}" for note in notes)))


def kept_listing(state: WindowState, kept: KeptStates, wanted: Filter | None = None, page: int = 1) -> Outcome:
    """A page of a state whose numbers hold from now on. Where they cannot be kept, the listing is told all the same."""
    listed = listing_of(state, page_of(state, wanted, page))
    try:
        kept.keep(state)
    except WriteFailed as error:
        return replace(listed, warnings=(f"the numbers hold for no other command: {error}",))
    return listed


def window_data(window: Window) -> Mapping[str, Any]:
    """A window for machines."""
    return {
        "id": window.id,
        "title": window.title,
        "program": window.program,
        "process": window.process,
        "rect": list(window.box),
        "focused": window.focused,
        "minimized": window.minimized,
    }


def done(what: str, result: ActionResult, **data: Any) -> Outcome:
    """What was done, and what is known of its effect: something that is proved to have failed is a failure."""
    proof = {True: "; verified", False: "; it had no effect that can be seen", None: ""}[result.verified]
    note = f": {shown(result.note, MOST_OF_NOTE)}" if result.note else ""
    told = {"done": what, "note": result.note, "verified": result.verified, **data}
    return Outcome(told, (f"{what}{note}{proof}",), ExitCode.OK if result.verified is not False else ExitCode.FAILED)


def _refused(error: StateChanged, kept: KeptStates) -> Outcome:
    said = str(error)
    told = {"error": said, "kind": type(error).__name__, "exit_code": int(ExitCode.FAILED)}
    if not isinstance(error.state, WindowState):
        return Outcome(told, (shown(said),), ExitCode.FAILED)
    fresh = kept_listing(error.state, kept)
    head = f"{shown(said)}. These are the numbers now:"
    return Outcome({**told, "state": fresh.data}, (head, *fresh.lines), ExitCode.FAILED, fresh.warnings)
