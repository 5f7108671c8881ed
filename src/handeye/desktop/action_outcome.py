"""Acts on a desktop, in words for people and as values for programs."""

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
    An act, done. `note` is the whole sentence: `clicked [10] [Button] "Delete" in 'Contacts' at (588, 294)`. `element` is what
    it was done on, its `id` the number that a person gave, None for a phrase; `at` is where it began and `to` where it ended,
    in desktop pixels; `tier` is who knew what a phrase meant.
    """

    window: Window | None = None
    element: UIElement | None = None
    at: InputPoint | None = None
    to: InputPoint | None = None
    tier: str = ""

    def with_effect(self, verified: bool | None, why: str = "") -> ActionOutcome:
        """The same with what is known of its effect; where that is false, `why` says what is there instead."""
        said = f"; {why or 'it had no effect that can be seen'}" if verified is False else ""
        return replace(self, verified=verified, note=self.note + said)

    def as_seen(self, verified: bool | None, seen: str) -> ActionOutcome:
        """The same with what a picture tells of its effect, and of what is seen."""
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
    """Return the outcome of an act (`act`: "clicked") on what was aimed at, from `at` to `to`, which lies `onto` something."""
    derived = aim.element.metadata.get("derived_from")
    how = f" by tier {aim.tier}{f' ({derived})' if derived else ''}" if aim.tier else ""
    words = f"{act} {called(aim.element, number)} in {shortened(aim.state.window.title)!r}"
    if at is not None:
        words += f" at ({at.x:g}, {at.y:g})" if to is None else f" from ({at.x:g}, {at.y:g})"
    if to is not None:
        words += f" to ({to.x:g}, {to.y:g})" + (f" onto {onto}" if onto else "")
    element = replace(aim.element, id=number, parent=None)
    return ActionOutcome(words + how + (f"; {note}" if note else ""), None, aim.state.window, element, at, to, aim.tier)


def called(element: UIElement, number: int | None) -> str:
    """`[10] [Button] "Delete"`, without the number where a person gave none."""
    line = element_line(replace(element, id=number)).rpartition(" rect=")[0]
    return line if number is not None else line.partition("] ")[2]
