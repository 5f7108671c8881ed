"""Tier 1 of docs/spec/perception-tiers.md on Linux: the elements of a window as its application reports them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from handeye.clock import Clock, SystemClock
from handeye.devices import Window
from handeye.errors import DeviceLost, TreeFailed
from handeye.geometry import Box
from handeye.perceive.atspi.applications import Shown, find_window
from handeye.perceive.atspi.bus import AccessibilityBus
from handeye.perceive.atspi.calls import ApplicationTimeout, Caller
from handeye.perceive.atspi.chromium import TOLD_BY_MATCHES, without_closed_menus
from handeye.perceive.atspi.controls import AtspiControl
from handeye.perceive.atspi.elements import element_of
from handeye.perceive.atspi.libreoffice import drawn_in, put_in_place
from handeye.perceive.atspi.nodes import Node
from handeye.perceive.atspi.reading import Reading
from handeye.perceive.atspi.scaling import UNSCALED, Scaling, scaling_of
from handeye.perceive.atspi.visibility import CoordinateContext, clipping_roles, place
from handeye.perceive.base import Detection

# A reading takes 30-300 ms. LibreOffice Calc, the slowest that was measured, answers for its 500 visible cells in 400 ms;
# on a loaded machine that may be five times as much.
DEADLINE_S: Final = 3.0

_QT: Final = "Qt"
_GTK_4: Final = "GTK"  # GTK 3 is "gtk"
_UNPLACED: Final = (
    "GTK 4 tells no places on the screen, and not what is shown: only the window itself is told; "
    "have it seen (--vision)"
)


class AtspiStateProvider:
    """
    Reads windows of Linux applications over AT-SPI: GTK 3, Qt 5 and 6, Chromium, LibreOffice.

    `bus` is the accessibility bus to use (the caller closes it), the address of a D-Bus session, or None for the session of
    `environment` (this process's own by default). Thread-safe, one reading at a time per thread.

    `popups` returns the boxes of the open menus of a window's program, to which the entries of long menus are clipped.

    A reading ends after `deadline_s`, or if the application hangs or ends: the part read so far is returned, with a note
    that the rest is missing.
    """

    def __init__(
        self,
        bus: AccessibilityBus | str | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        deadline_s: float = DEADLINE_S,
        clock: Clock | None = None,
        popups: Callable[[Window], Sequence[Box]] = lambda window: (),
    ) -> None:
        self._own = not isinstance(bus, AccessibilityBus)
        self._bus = bus if isinstance(bus, AccessibilityBus) else AccessibilityBus(bus, environment=environment)
        self._deadline_s = deadline_s
        self._clock = clock or SystemClock()
        self._popups = popups
        self._processes: dict[str, int] = {}
        self._crowded: dict[str, bool] = {}

    @property
    def name(self) -> str:
        return "atspi"

    def __enter__(self) -> AtspiStateProvider:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, unless it was passed in. The next reading makes a new one."""
        if self._own:
            self._bus.close()

    def detect(self, window: Window) -> Detection:
        """
        Return the window itself first, then its elements, parents first, with a live handle each.

        Hidden elements are left out: closed menus, other pages of a notebook. Elements that are scrolled out of view have
        an empty box and `metadata["offscreen"]`. Raises TreeFailed if the application reports nothing for this window, or
        nothing at all.
        """
        if window.minimized:
            return Detection((), (), (f"{window} is minimized: it shows nothing",))
        popups = self._popups(window)
        try:
            return self._bus.run(
                lambda caller: self._read(caller, window, popups), seconds=self._deadline_s, clock=self._clock
            )
        except DeviceLost as error:
            raise TreeFailed(f"nothing can be read of the window {window}: {error}") from error

    async def _read(self, caller: Caller, window: Window, popups: Sequence[Box]) -> Detection:
        caller.processes = self._processes
        shown = await find_window(caller, window, self._processes)
        await caller.reach(shown.frame.ref.bus)
        scaling = _scaling(shown, window)
        view = window.frame if scaling == UNSCALED or shown.frame.box is None else shown.frame.box
        reading = Reading(caller, view, [shown.frame, *shown.popups], shown.toolkit, self._crowded)
        with contextlib.suppress(ApplicationTimeout, DeviceLost):  # reported by a note, with the part read so far
            await reading.read()
            if shown.toolkit == _QT and popups:
                await reading.read_menus(popups, scaling)
        if shown.frame.ref.bus in caller.gone and not any(node.role_name for node in reading.below()):
            raise DeviceLost("the application has ended")
        drawn = drawn_in(reading.top)
        parts = put_in_place(drawn) if drawn is not None else set()
        telling = CoordinateContext(
            (drawn.root.ref, drawn.panel.ref) if drawn else None,
            scaling=scaling,
            cutting=clipping_roles(shown.toolkit),
            hit_tests=shown.toolkit == TOLD_BY_MATCHES,
        )
        bars = {node: insets.scaled(scaling.factor) for node, insets in reading.bars.items()}
        for node in reading.walk():
            node.box = scaling.pixels(node.box) if node.box is not None else None
        shown.frame.box = window.box  # GTK's box includes the decorations; X11's is exact
        placed = list(place(without_closed_menus(reading.top), telling.cutting, bars, popups))
        if shown.toolkit == _GTK_4:
            placed = [each for each in placed if each.node is shown.frame]
            reading.notes.append(_UNPLACED)
        notes = tuple(reading.notes) + _missing(caller, shown.frame, self._deadline_s)
        controls = tuple(
            AtspiControl(
                self._bus,
                each.node,
                self._clock,
                telling._replace(is_drawn=each.node in parts, view=each.view, popup=each.popup),
            )
            for each in placed
        )
        return Detection(tuple(element_of(each, shown.toolkit) for each in placed), controls, notes)


def _scaling(shown: Shown, window: Window) -> Scaling:
    """
    Return the scaling of the window's boxes. Raises TreeFailed if the reported positions cannot be those on the screen.
    """
    if shown.toolkit == _GTK_4:
        return UNSCALED  # it reports no other element
    scaling = scaling_of(shown.frame.box, window)
    if scaling is None:
        size = "nowhere" if (box := shown.frame.box) is None else f"{box.width}x{box.height}"
        raise TreeFailed(
            f"its application tells the window {window} as {size}: it is changing its size, or where it tells its elements is "
            "not where they are"
        )
    return scaling


def _missing(caller: Caller, frame: Node, deadline_s: float) -> tuple[str, ...]:
    if frame.ref.bus in caller.gone:
        return ("the tree is not whole: the application has ended while it was read",)
    if caller.cut_short:
        return (f"the tree is not whole: it could not be read within {deadline_s:g} s",)
    if frame.ref.bus in caller.hung:
        return ("the tree is not whole: the application stopped answering",)
    return ()
