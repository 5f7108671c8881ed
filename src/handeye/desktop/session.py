"""A desktop in a person's hands: what its windows hold by number, and mouse and keyboard on it (seed 002, tier 3)."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Literal

from handeye.actions import ActionResult, Click, Drag, InputText, PressKey, Scroll
from handeye.clock import Clock, SystemClock
from handeye.desktop.decide import TIERS, Decision, DecisionTree
from handeye.desktop.effect import click_effect, focused, text_of, typed_effect
from handeye.desktop.hands import DRAG_MS, Hands
from handeye.desktop.identity import Identity
from handeye.desktop.kept import KeptState
from handeye.desktop.providers import Providers
from handeye.desktop.state import WindowState
from handeye.devices.desktop.base import Window
from handeye.devices.desktop.choose import choose_window
from handeye.devices.desktop.device import DesktopDevice
from handeye.devices.table import open_device
from handeye.elements import UIElement
from handeye.errors import DeviceError, DeviceLost, DeviceNotFound, MissingPart, StateChanged, TreeFailed, UsageError
from handeye.geometry import Box
from handeye.models.config import LLMConfig
from handeye.models.usage import Usage
from handeye.ocr.base import TextReader
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader
from handeye.perceive.base import Control, Detection, WindowProvider
from handeye.perceive.listing import line_of
from handeye.perceive.vision import SOURCE as SEEN
from handeye.screen import InputPoint, Screen

Title = str | re.Pattern[str]

_HOLD_TEXT = frozenset({"input", "document", "spinner", "combo box"})  # what is typed stands there at once
_NO_NUMBER = "[None] "
_READING_TRIES = 3  # a window that is being dragged moves between two looks at it


def default_desktop() -> str:
    """The URI of the desktop that this program runs on."""
    return "windows:" if sys.platform == "win32" else "linux:"


class DesktopSession:
    """
    A desktop and its windows; a context manager. `device` is one, its URI, or None for this computer's own.

    The flags choose who says what a window holds, as seed 002 has it: its application alone, with `infer` also what follows
    from that, with `vision` also what is seen. `model` is the one to ask (`handeye.models.configured.chosen`): about structure
    only when it is given, because rules know most of it for nothing; about pictures also the one that the environment names.
    `tree` takes the place of what reads applications on this system, `reader` reads what is only drawn, `tiers` may decide
    what a phrase means. Numbers are those of the last state of their window that this session gave or was given (`recall`).
    """

    def __init__(
        self,
        device: DesktopDevice | str | None = None,
        *,
        infer: bool = False,
        vision: bool = False,
        model: LLMConfig | str | None = None,
        tree: WindowProvider | None = None,
        reader: TextReader | Literal["bundled"] | None = "bundled",
        tiers: Collection[str] = TIERS,
        clock: Clock | None = None,
    ) -> None:
        self.device = device if isinstance(device, DesktopDevice) else _opened(device)
        self.infer = infer
        self.vision = vision
        self._own_device = not isinstance(device, DesktopDevice)
        self._reader = CachedReader(PaddleReader()) if reader == "bundled" else reader
        self._tiers = tuple(tiers)
        self._clock = clock or SystemClock()
        self._hands = Hands(self.device)
        self._providers = Providers(self.device.backend, tree, model, self._clock)
        self._known: dict[int, KeptState] = {}
        self._last: int | None = None

    # -- what is there

    def windows(self) -> tuple[Window, ...]:
        """All windows, the topmost first."""
        return self.device.backend.windows()

    def window(self, title: Title | None = None) -> Window:
        """The window of that title (`choose_window`), else the one with the keyboard, else the topmost one."""
        windows = self.windows()
        if title is not None:
            return choose_window(windows, title)
        shown = [each for each in windows if not each.minimized]
        if not shown:
            raise DeviceNotFound(f"{self.device.uri} shows no window")
        return next((each for each in shown if each.focused), shown[0])

    def screenshot(self, window: Title | None = None) -> Screen:
        """A picture of the monitor, or of a window's client area."""
        return self.device.screenshot() if window is None else self.device.capture(window=window)

    def state(self, window: Title | None = None) -> WindowState:
        """What a window holds now, numbered. Raises what reading it raises."""
        return self._looked(self.window(window), infer=self.infer, vision=self.vision)

    def inspect(self, number: int, window: Title | None = None) -> tuple[UIElement, Control | None]:
        """
        The element of that number as it is now, and its live handle; `parent` is a number of the same list. Raises
        StateChanged, UsageError.
        """
        state, now = self._current(number, window)
        element, known = state.element(now), self._known[state.window.id]
        parent = state.identities[element.parent - 1] if element.parent is not None else None
        listed = known.identities.index(parent) + 1 if parent in known.identities else None
        return replace(element, id=number, parent=listed), state.control(now)

    def recall(self, known: KeptState) -> None:
        """Numbers mean what they meant in a state that was kept."""
        self._known[known.window] = known
        self._last = known.window

    def find(self, phrase: str, window: Title | None = None) -> Decision:
        """
        What a phrase means in a window, by seed 002's decision tree. Raises TargetNotFound, AmbiguousTarget, UsageError, and
        what reading the window raises.
        """
        chosen = self._hands.in_front(self.window(window))

        def look(infer: bool, vision: bool) -> WindowState:
            return self._read(chosen, infer=infer, vision=vision)

        return DecisionTree(
            self.device.backend, look, vision=self.vision, reader=self._reader, tiers=self._tiers
        ).decide(phrase)

    @property
    def usage(self) -> Usage:
        """What asking models has cost so far."""
        return self._providers.usage

    # -- what is done: on a number of a state, or on what a phrase means

    def click(
        self, what: int | str, window: Title | None = None, *, button: str = "left", count: int = 1
    ) -> ActionResult:
        """
        Click an element at its centre. `verified` is what its application says: of a plain click on a check box, a radio
        button, a switch or a tab.
        """
        aim = self._aim(what, window)
        result = self._hands.click(aim.state.window, aim.element, aim.control, button=button, count=count)
        verified = None
        if aim.control is not None and (button, count) == ("left", 1):
            verified = click_effect(aim.element, lambda: self._again(aim), self._clock)
        return ActionResult(_how(aim) + result.note, verified)

    def drag(self, what: int | str, to: int | str | tuple[int, int], window: Title | None = None) -> ActionResult:
        """Drag an element onto another one, or by so many pixels to the right and down."""
        aim = self._aim(what, window)
        if isinstance(to, tuple):
            end = aim.element.center.translate(*to)
        else:
            other = self._aim(to, window)
            moved = other.state.window.box
            end = other.element.center.translate(
                aim.state.window.box.left - moved.left, aim.state.window.box.top - moved.top
            )
        result = self._hands.drag(aim.state.window, aim.element, end, is_exact=aim.control is not None)
        return ActionResult(_how(aim) + result.note)

    def type(self, text: str, into: int | str | None = None, window: Title | None = None) -> ActionResult:
        """
        Type into what has the keyboard, or into an element, which is clicked first. `verified` says whether the text stands
        there now; None where its application does not tell, as for passwords.
        """
        element: UIElement | None
        if into is not None:
            aim = self._aim(into, window)
            self._hands.click(aim.state.window, aim.element, aim.control)
            element, control = aim.element, aim.control
        else:
            element, control = self._focused(self.focus(window) if window is not None else None)
        before = text_of(control)
        result = self._hands.perform(InputText(text))
        verified = typed_effect(text, before, control, self._clock)
        if verified is False and (element is None or element.element_type not in _HOLD_TEXT):
            verified = None  # a cell of a table shows what is typed into it once that is entered
        return ActionResult(result.note, verified)

    def press(self, keys: str, window: Title | None = None) -> ActionResult:
        """Press a key, or several together: "ctrl+s"."""
        if window is not None:
            self.focus(window)
        return self._hands.perform(PressKey(keys))

    def scroll(self, what: int | str, down: int = 0, across: int = 0, window: Title | None = None) -> ActionResult:
        """Turn the wheel over an element, by notches."""
        aim = self._aim(what, window)
        result = self._hands.scroll(aim.state.window, aim.element, down=down, across=across)
        return ActionResult(_how(aim) + result.note)

    def focus(self, title: Title) -> Window:
        """Raise a window and give it the keyboard."""
        return self._hands.in_front(self.window(title))

    def click_at(self, x: float, y: float, *, button: str = "left", count: int = 1) -> ActionResult:
        """Click at a place, in desktop pixels."""
        return self._hands.perform(Click(InputPoint(x, y), button, count))

    def drag_at(self, x1: float, y1: float, x2: float, y2: float) -> ActionResult:
        """Drag from a place to another one, in desktop pixels."""
        return self._hands.perform(Drag(InputPoint(x1, y1), InputPoint(x2, y2), DRAG_MS))

    def scroll_at(self, x: float, y: float, down: int = 0, across: int = 0) -> ActionResult:
        """Turn the wheel over a place, in desktop pixels."""
        return self._hands.perform(Scroll(InputPoint(x, y), down, across))

    # -- beginning and end

    def close(self) -> None:
        """Let go of the desktop and of what read it."""
        self._providers.close()
        if self._own_device:
            self.device.close()

    def __enter__(self) -> DesktopSession:
        return self

    def __exit__(
        self, kind: builtins.type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- who looks

    def _looked(self, window: Window, *, infer: bool, vision: bool) -> WindowState:
        """The state of a window, whose numbers hold from now on."""
        state = self._read(window, infer=infer, vision=vision)
        if vision:
            state = replace(state, looks=self._looks(state))
        self._known[window.id] = KeptState.of(state)
        self._last = window.id
        return state

    def _looks(self, state: WindowState) -> Mapping[int, int]:
        """Checksums of what was only seen."""
        seen = [each for each in state.elements if each.source == SEEN and each.id is not None]
        if not seen:
            return {}
        picture = self._picture(state.window)
        return {each.id: picture.crop(_inside(each.bbox, state.window)).digest for each in seen if each.id is not None}

    def _picture(self, window: Window) -> Screen:
        return Screen(self.device.backend.grab_window(window), window=window.about)

    def _read(self, window: Window, *, infer: bool, vision: bool) -> WindowState:
        provider = self._providers.chosen(infer=infer, vision=vision)
        for _ in range(_READING_TRIES):
            detection = provider.detect(window)
            after = self.device.backend.window(window.id)
            if after is None:
                raise DeviceLost(f"the window {window} was closed")
            if after.box == window.box:
                break
            window = after
        else:
            raise TreeFailed(f"the window {window} keeps moving: nobody can say where its elements are")
        return WindowState(after, detection, infer, vision)

    # -- what is meant

    def _aim(self, what: int | str, title: Title | None) -> Decision:
        """What to act on: of a number as it is now, if that is still the same."""
        if isinstance(what, str):
            return self.find(what, title)
        state, now = self._current(what, title)
        return Decision(state, state.element(now), state.control(now), "")

    def _again(self, aim: Decision) -> UIElement | None:
        """The element that was acted on as it is now; None when it is not there any more."""
        if aim.element.id is None:
            return None
        known = aim.state.identities[aim.element.id - 1]
        try:
            fresh = self._read(aim.state.window, infer=False, vision=False)
        except DeviceError:
            return None
        number = fresh.numbered_like(known)
        return fresh.element(number) if number is not None else None

    def _focused(self, window: Window | None) -> tuple[UIElement | None, Control | None]:
        """What has the keyboard, and its live handle; None where nobody says."""
        try:
            state = self._read(window or self.window(), infer=False, vision=False)
        except (DeviceError, MissingPart):
            return None, None
        element = focused(state)
        return element, state.control(element.id) if element is not None and element.id is not None else None

    def _current(self, number: int, title: Title | None) -> tuple[WindowState, int]:
        """The window's state now, and the number that the element has there. Raises StateChanged, UsageError."""
        known, window = self._listed(title)
        wanted = known.identity(number)
        if number in known.looks:
            return self._still_seen(known, window, number)
        fresh = self._read(window, infer=known.infer, vision=False)
        now = fresh.numbered_like(wanted)
        if now is None:
            listed = self._looked(window, infer=known.infer, vision=known.vision)
            raise StateChanged(f"[{number}] {_difference(wanted, number, fresh)}", listed)
        return fresh, now

    def _still_seen(self, known: KeptState, window: Window, number: int) -> tuple[WindowState, int]:
        """Something that was only seen, if it looks as it did."""
        wanted = known.identity(number)
        box = wanted.place.translate(window.box.left, window.box.top)
        if self._picture(window).crop(_inside(box, window)).digest != known.looks[number]:
            listed = self._looked(window, infer=known.infer, vision=True)
            raise StateChanged(f"[{number}] the {wanted.role} {wanted.name!r} does not look as it did", listed)
        element = UIElement(wanted.role, wanted.name, box, source=SEEN, id=1)
        return WindowState(window, Detection((element,), (None,)), known.infer, True), 1

    def _listed(self, title: Title | None) -> tuple[KeptState, Window]:
        at = self._last if title is None else self.window(title).id
        if at is None or at not in self._known:
            raise UsageError("no elements were listed of this window yet; list them first: handeye state")
        known = self._known[at]
        window = self.device.backend.window(at)
        if window is None or window.process != known.process:
            raise StateChanged(f"the window {known.title!r} was closed")
        return known, window


def _inside(box: Box, window: Window) -> Box:
    """A box of the desktop in pixels of a window's picture."""
    return box.translate(-window.box.left, -window.box.top)


def _how(aim: Decision) -> str:
    """Which tier found what was meant, as the beginning of a note; nothing for a number."""
    if not aim.tier:
        return ""
    derived = aim.element.metadata.get("derived_from")
    return f"{line_of(aim.element).removeprefix(_NO_NUMBER)} by tier {aim.tier}{f' ({derived})' if derived else ''}; "


def _difference(wanted: Identity, number: int, fresh: WindowState) -> str:
    """What has become of an element: what stands in its place, or that it is gone."""
    called = f"the {wanted.role} {wanted.name!r}" if wanted.name else f"the {wanted.role}"
    there = fresh.identities[number - 1] if number <= len(fresh.identities) else None
    if there is not None and (there.role, there.name) == (wanted.role, wanted.name):
        return f"{called} {wanted.difference(there)}"
    same = [each for each in fresh.identities if (each.role, each.name) == (wanted.role, wanted.name)]
    if len(same) == 1 and wanted.name:
        return f"{called} {wanted.difference(same[0])}"
    return f"{called} is no longer where it was"


def _opened(uri: str | None) -> DesktopDevice:
    device = open_device(uri or default_desktop())
    if isinstance(device, DesktopDevice):
        return device
    device.close()
    raise UsageError(f"{device.uri} is no desktop: give one, such as linux: or windows:")
