"""Outcomes of desktop actions, as a sentence and as values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from handeye.actions import ActionResult
from handeye.desktop.menus import Decision
from handeye.devices import Window, shortened
from handeye.elements import UIElement
from handeye.perceive import element_line
from handeye.screen import InputPoint


@dataclass(frozen=True, slots=True)
class ActionOutcome(ActionResult):
    """
    Outcome of an action. `note` is the whole sentence: `clicked [10] [Button] "Delete" in 'Contacts' at (588, 294)`. `element`
    is its target, with the given number as `id`, or None for a phrase; `at` is its start and `to` its end, in desktop pixels;
    `tier` is the tier that resolved the phrase.
    """

    window: Window | None = None
    element: UIElement | None = None
    at: InputPoint | None = None
    to: InputPoint | None = None
    tier: str = ""

    def with_effect(self, verified: bool | None, why: str = "") -> ActionOutcome:
        """Return the outcome with its verification; if that is False, `why` is appended to the note."""
        reason = f"; {why or 'it had no effect that can be seen'}" if verified is False else ""
        return replace(self, verified=verified, note=self.note + reason)

    def with_picture_effect(self, verified: bool | None, seen: str) -> ActionOutcome:
        """Return the outcome with its verification by a picture; `seen` is appended to the note."""
        return replace(self, verified=verified, note=self.note + (f"; {seen}" if seen else ""))


def outcome_on(
    aim: Decision,
    number: int | None,
    act: str,
    *,
    at: InputPoint | None = None,
    to: InputPoint | None = None,
    onto: str = "",
    note: str = "",
) -> ActionOutcome:
    """Return the outcome of an action (`act`: "clicked") on a target, from `at` to `to`, dropped `onto` something."""
    derived = aim.element.metadata.get("derived_from")
    how = f" by tier {aim.tier}{f' ({derived})' if derived else ''}" if aim.tier else ""
    words = f"{act} {element_label(aim.element, number)} in {shortened(aim.state.window.title)!r}"
    if at is not None:
        words += f" at ({at.x:g}, {at.y:g})" if to is None else f" from ({at.x:g}, {at.y:g})"
    if to is not None:
        words += f" to ({to.x:g}, {to.y:g})" + (f" onto {onto}" if onto else "")
    element = replace(aim.element, id=number, parent=None)
    return ActionOutcome(words + how + (f"; {note}" if note else ""), None, aim.state.window, element, at, to, aim.tier)


def element_label(element: UIElement, number: int | None) -> str:
    """Return the element as `[10] [Button] "Delete"`, without the number if it is None."""
    line = element_line(replace(element, id=number)).rpartition(" rect=")[0]
    return line if number is not None else line.partition("] ")[2]
