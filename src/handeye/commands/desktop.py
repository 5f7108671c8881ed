"""Shared parts of the desktop verbs: the session, the listed numbers, and the refusal of outdated ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from handeye.commands.base import Context, ExitCode, Outcome
from handeye.commands.parameters import Cli, ModelName
from handeye.desktop import (
    ActionOutcome,
    DesktopSession,
    Filter,
    Page,
    SavedStates,
    WindowState,
    as_data,
    lines_of,
    notes_of,
    page_of,
)
from handeye.devices import Window, numbered, shortened
from handeye.errors import StateChanged, UsageError, WriteFailed
from handeye.screen import InputPoint
from handeye.visible import shown

_DIGITS: Final = 7  # of a number that `state` could list
_MOST_OF_DEED: Final = 600  # characters: a title, two elements with their names, and from what they were derived
_NUMBERS_ONLY: Final = re.compile(r"[-+0-9.,;×\s]*[0-9][-+0-9.,;×\s]*", re.ASCII)


Desktop = Annotated[
    str | None,
    Cli(flags=("--device", "-d"), variable="HANDEYE_DESKTOP"),
    Field(description="linux:, linux::99, windows:; else this computer's own"),
]


class DesktopParams(BaseModel):
    """Parameters of every verb of a desktop."""

    window: Annotated[str | None, Cli(flags=("--window", "-w"))] = Field(
        None, description="The window's title or a part of it, re:PATTERN, program:NAME or id:N."
    )
    device: Desktop = None


class AskingParams(DesktopParams):
    """Parameters of the verbs that may ask a model."""

    vision: bool = Field(False, description="Ask the configured model to look, for what nothing else knows.")
    model: ModelName = None


@contextmanager
def desktop_of(params: DesktopParams, *, infer: bool = False, vision: bool = False) -> Iterator[DesktopSession]:
    """Yield the session of a verb."""
    model = params.model if isinstance(params, AskingParams) else None
    with DesktopSession(params.device, infer=infer, vision=vision, model=model) as session:
        yield session


def on_listed(params: DesktopParams, context: Context, act: Callable[[DesktopSession], Outcome]) -> Outcome:
    """
    Act with the numbers that were listed last, of `params.window` if it is named. If an element has changed since, nothing is
    done, and the outcome has the new numbers. Raises UsageError when nothing was listed.
    """
    with desktop_of(params) as session:
        kept = SavedStates(session.device.uri)
        session.recall(kept.last(session.window(params.window).id if params.window is not None else None))
        return _unless_changed(session, kept, context, act)


def on_meant(
    params: AskingParams, context: Context, named: str, act: Callable[[DesktopSession, int | str], ActionOutcome]
) -> Outcome:
    """Call `act` with the element that a number or a phrase names, and return its outcome."""
    what = meant(named)

    def acted(session: DesktopSession) -> Outcome:
        return done(act(session, what), what)

    if isinstance(what, int):
        return on_listed(params, context, acted)
    with desktop_of(params, vision=params.vision) as session:
        kept = SavedStates(session.device.uri)
        with suppress(UsageError):  # a phrase needs no numbers; the end of a drag may
            session.recall(kept.last())
        return _unless_changed(session, kept, context, acted)


def _unless_changed(
    session: DesktopSession, kept: SavedStates, context: Context, act: Callable[[DesktopSession], Outcome]
) -> Outcome:
    try:
        return act(session)
    except StateChanged as error:
        return _refused(error, kept, context)


def meant(named: str) -> int | str:
    """Return a number that `state` lists ("12", "[12]"), or the phrase. Raises UsageError for other numbers."""
    plain = named.strip().removeprefix("[").removesuffix("]")
    if plain.isascii() and plain.isdecimal() and len(plain) <= _DIGITS:
        return int(plain)
    if _NUMBERS_ONLY.fullmatch(plain):
        raise UsageError(
            f"{shortened(named)!r} is no number that `handeye state` lists; what is called so needs its kind too: the cell 1.5"
        )
    return named


def listing_of(state: WindowState, page: Page) -> Outcome:
    """Return a page of a state, for people and machines."""
    window = state.window
    lines = [window_line(window), *lines_of(page), *_counted(page, len(state.elements))]
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


def kept_listing(
    state: WindowState, kept: SavedStates, wanted: Filter | None = None, page: int = 1, *, escaped: bool = False
) -> Outcome:
    """
    Return a page of a state, and save its numbers for later commands. A failure to save is a warning in the outcome.
    `escaped`: see `page_of`.
    """
    listed = listing_of(state, page_of(state, wanted, page, escaped=escaped))
    try:
        kept.keep(state)
    except WriteFailed as error:
        return replace(listed, warnings=(f"the numbers hold for no other command: {error}",))
    return listed


def _counted(page: Page, total: int) -> list[str]:
    """Return a line with the number of listed elements, unless all are listed."""
    if page.pages > 1:
        among = f", {total} in all" if page.matching != total else ""
        return [f"page {page.number} of {page.pages}: {len(page.elements)} of {page.matching} elements{among}"]
    return [f"{page.matching} of {total} elements"] if page.matching != total or not total else []


def window_line(window: Window) -> str:
    """Return a window for people, beginning with a name that is unique."""
    marks = [name for name in ("focused", "minimized") if getattr(window, name)]
    line = f"{shown(numbered(window))} at {','.join(map(str, window.box))}"
    return line + (f" ({', '.join(marks)})" if marks else "")


def window_data(window: Window) -> Mapping[str, Any]:
    """Return a window for machines."""
    return {
        "id": window.id,
        "title": shortened(window.title),
        "program": shortened(window.program),
        "process": window.process,
        "rect": list(window.box),
        "focused": window.focused,
        "minimized": window.minimized,
    }


def done(deed: ActionOutcome, target: int | str | None = None) -> Outcome:
    """
    Return the outcome of an action on `target`, as the person named it. FAILED if the action is proved to have had no effect.
    """
    told = {
        "done": deed.note,
        "verified": deed.verified,
        "target": target,
        "tier": deed.tier or None,
        "element": as_data(deed.element) if deed.element is not None else None,
        "window": window_data(deed.window) if deed.window is not None else None,
        "at": _pixel(deed.at),
        "to": _pixel(deed.to),
    }
    line = shown(deed.note, _MOST_OF_DEED) + ("; verified" if deed.verified else "")
    return Outcome(told, (line,), ExitCode.OK if deed.verified is not False else ExitCode.FAILED)


def _pixel(point: InputPoint | None) -> list[float] | None:
    return [int(each) if each.is_integer() else each for each in map(float, point)] if point is not None else None


def _refused(error: StateChanged, kept: SavedStates, context: Context) -> Outcome:
    said = str(error)
    told = {"error": said, "kind": type(error).__name__, "exit_code": int(ExitCode.FAILED)}
    if not isinstance(error.state, WindowState):
        return Outcome(told, (shown(said),), ExitCode.FAILED)
    fresh = kept_listing(error.state, kept, escaped=context.escaped)
    head = f"{shown(said)}. These are the numbers now:"
    return Outcome({**told, "state": fresh.data}, (head, *fresh.lines), ExitCode.FAILED, fresh.warnings)
