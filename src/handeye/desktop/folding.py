"""What opens and closes at its label only, wherever else its box is: a click at its middle is lost, so its handle does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from handeye.clock import Clock, Deadline
from handeye.desktop.effect import DEADLINE_S, POLL_S
from handeye.elements import UIElement
from handeye.errors import DeviceError
from handeye.perceive.base import Control

# GTK tells an expander as a toggle button that is as wide as all that it can hold, and takes the clicks on its arrow and label.
_HEADS: Final = frozenset({("gtk", "toggle button")})


def folds_at_its_label(element: UIElement) -> bool:
    about = element.metadata
    return (about.get("toolkit"), about.get("class")) in _HEADS and bool(about.get("expandable"))


def fold(element: UIElement, control: Control, look: Callable[[], UIElement | None], clock: Clock) -> bool | None:
    """
    Open what is closed, and close what is open; whether `look`, which gives it as it is afterwards, says that it is so. None
    where it cannot be found again. Raises DeviceError for what is disabled, and what pressing it raises.
    """
    if element.enabled is False:
        raise DeviceError("it is disabled: a click does nothing")
    wanted = not element.metadata.get("expanded")
    control.invoke()
    deadline = Deadline(clock, DEADLINE_S)
    while True:
        now = look()
        if now is not None and bool(now.metadata.get("expanded")) == wanted:
            return True
        if deadline.passed:
            return None if now is None else False
        deadline.pause(POLL_S)
