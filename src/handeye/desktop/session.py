"""Session on a desktop: numbered elements of its windows, mouse and keyboard (docs/spec/perception-tiers.md, tier 3)."""

from __future__ import annotations

import builtins
import json
import math
import re
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Final, Literal

from handeye.actions import Click, Drag, InputText, PressKey, Scroll
from handeye.clock import Clock, Deadline, SystemClock
from handeye.desktop.action_outcome import ActionOutcome, element_label, outcome_on
from handeye.desktop.effects import (
    DEADLINE_S,
    POLL_S,
    arrival_check,
    as_number,
    choice_effect,
    click_effect,
    page_effect,
    reports_selected,
    set_number,
    text_of,
    typed_effect,
    why_not,
)
from handeye.desktop.element_finder import TIERS, DecisionTree
from handeye.desktop.element_ids import ElementIds, SavedState
from handeye.desktop.menus import Decision, MenuInput
from handeye.desktop.mouse import DRAG_MS, Mouse
from handeye.desktop.open_menus import MENUS, box_of, is_chosen_by_handle
from handeye.desktop.picture_effects import PictureWatch, is_outside_tree
from handeye.desktop.snapshot_reader import SnapshotReader
from handeye.desktop.state import WindowState
from handeye.desktop.text_fields import (
    check_lines,
    check_not_pressed,
    check_replaced,
    check_written_in,
    focus_of,
    has_focus,
    has_lines,
    holds_number,
    is_editable,
)
from handeye.devices import DesktopDevice, Surface, Window, choose_window, kind_of, open_device, shortened
from handeye.elements import UIElement
from handeye.errors import DeviceError, DeviceNotFound, HandeyeError, LocateError, MissingPart, UsageError
from handeye.geometry import Point
from handeye.locate import requested_confidence
from handeye.models import LLMConfig
from handeye.ocr import CachedReader, PaddleReader, TextReader
from handeye.perceive import CONTENT_ROLES, Control, WindowProvider
from handeye.screen import InputPoint, Screen
from handeye.usage import Usage

Title = str | re.Pattern[str]

OPENING_S: Final = 0.5
"""Pause between presses: for this long GTK and Qt take a click in a menu or list for the end of the press that opened it."""
ANSWERS_S: Final = 2.0
"""Deadline for an element to become enabled, and for a field to get the focus: GTK takes 50 ms, a busy machine far more."""

# (toolkit, class) of elements that react only to clicks on their arrow and label: GTK exposes an expander as a toggle button as
# wide as its content. A click at its centre is lost, so it is pressed by its handle.
_FOLDING: Final = ("gtk", "toggle button")


def default_desktop() -> str:
    """Return the URI of the desktop that this program runs on."""
    return "windows:" if sys.platform == "win32" else "linux:"


class DesktopSession:
    """
    A desktop and its windows; a context manager. `device` is a desktop device, its URI, or None for this computer's own.

    The flags choose the sources of a window's elements (docs/spec/perception-tiers.md): its accessibility tree alone, with
    `infer` also elements inferred from that, with `vision` also elements seen on its picture. `model` is the model to ask
    (`handeye.models.configured.select_configuration`): about structure only if it is given, because rules cover most of that
    at no cost; about pictures also the one that the environment names. `tree` replaces this system's accessibility reader,
    `reader` is the OCR for text that is only drawn, `tiers` are those that may resolve a phrase. An element found with less
    than `min_confidence` (0-1) is not acted on, as for `handeye.Session`. Numbers are those of the last state of their
    window that this session returned or was given (`recall`).
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
        min_confidence: float | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._min_confidence = requested_confidence(min_confidence)
        self.device = device if isinstance(device, DesktopDevice) else _opened(device)
        self.infer = infer
        self.vision = vision
        self._own_device = not isinstance(device, DesktopDevice)
        self._reader = CachedReader(PaddleReader()) if reader == "bundled" else reader
        self._tiers = tuple(tiers)
        self._clock = clock or SystemClock()
        self._looking = SnapshotReader(self.device.backend, tree, model, self._clock, self._reader)
        self._numbers = ElementIds(self._looking)
        self._mouse = Mouse(self.device, self._clock, self._relist)
        self._opening = Deadline(self._clock, 0)

    # -- inspection

    def windows(self) -> tuple[Window, ...]:
        """Return all windows, the topmost first."""
        return self.device.backend.windows()

    def window(self, title: Title | None = None) -> Window:
        """Return the window of that title (`choose_window`); without a title the focused one, else the topmost one."""
        windows = self.windows()
        if title is not None:
            return choose_window(windows, title)
        shown = [each for each in windows if not each.minimized]
        if not shown:
            raise DeviceNotFound(f"{self.device.uri} shows no window")
        return next((each for each in shown if each.focused), shown[0])

    def screenshot(self, window: Title | None = None, monitor: str | int | None = None) -> Screen:
        """Return a picture of the device's monitor, of another one (`choose_monitor`), or of a window's client area."""
        return self.device.capture(window=window, monitor=monitor)

    def state(self, window: Title | None = None) -> WindowState:
        """Return the current elements of a window, numbered. Raises what reading it raises."""
        return self._numbers.relist(self.window(window), infer=self.infer, vision=self.vision)

    def inspect(self, number: int, window: Title | None = None) -> tuple[UIElement, Control | None]:
        """
        Return the current element of that number, and its live handle; `parent` is a number of the same list. Raises
        StateChanged, UsageError.
        """
        known, shown = self._numbers.listed(self._named(window))
        state, now = self._numbers.current(known, shown, number)
        element = state.element(now)
        parent = self._numbers.number_in(known, state, element.parent)
        return replace(element, id=number, parent=parent), state.control(now)

    def recall(self, known: SavedState) -> None:
        """Restore the numbers of a saved state."""
        self._numbers.keep(known)

    def find(self, phrase: str, window: Title | None = None) -> Decision:
        """
        Return the element that a phrase means in a window, by the decision tree of docs/spec/perception-tiers.md. A menu or
        combo box that the phrase names, or that is the only one with such an entry, is opened, and stays open if the element is
        found. Raises TargetNotFound, AmbiguousTarget, UsageError, DeviceError for a menu that does not open, and what reading
        the window raises.
        """
        return self._decisions(self.device.reach.in_front(self.window(window))).decide(phrase)

    def _decisions(self, chosen: Window) -> DecisionTree:
        def look(infer: bool, vision: bool) -> WindowState:
            return self._looking.read(chosen, infer=infer, vision=vision, or_nothing=True)

        return DecisionTree(
            self.device.backend,
            look,
            vision=self.vision,
            reader=self._reader,
            parser=self._looking.parser,
            tiers=self._tiers,
            bring=self._mouse.bring_into_view,
            hands=MenuInput(self._press_on, lambda key: self.device.perform(PressKey(key))),
            min_confidence=self._min_confidence,
            clock=self._clock,
        )

    def _press_on(self, state: WindowState, element: UIElement) -> None:
        """Click an element of a state that was just read."""
        control = state.control(element.id) if element.id is not None else None
        self._mouse.click(Decision(state, element, control, "1"))
        self._opening = Deadline(self._clock, OPENING_S)

    @property
    def usage(self) -> Usage:
        """Usage of models so far."""
        return self._looking.usage

    # -- actions on an element, given by its number or by a phrase

    def click(
        self, what: int | str, window: Title | None = None, *, button: str = "left", count: int = 1
    ) -> ActionOutcome:
        """
        Click an element at its centre; an expander that reacts only at its label is pressed by its handle. A disabled element
        gets ANSWERS_S to become enabled; then DeviceError. `verified` is the effect as reported by the application, for a plain
        click on a check box, a radio button, a switch, a tab, an entry of a combo box, or an expander.
        """
        aim = self._enabled(what, window)
        with _closing_menus_on_error(aim):
            return self._click_on(aim, _number(what), button, count)

    def _click_on(self, aim: Decision, number: int | None, button: str, count: int) -> ActionOutcome:
        """Click the chosen element."""
        plain = (button, count) == ("left", 1)
        if aim.control is not None and is_chosen_by_handle(aim.state, aim.element):
            if not plain:
                raise DeviceError(
                    f"{element_label(aim.element, None)} takes only a plain click: nobody tells where it is"
                )
            return self._by_handle(aim, number, "chose", self._choose)
        if aim.control is not None and plain and _is_label_only_expander(aim.element):
            return self._by_handle(aim, number, "pressed", lambda control: control.invoke())
        if aim.menus or aim.element.element_type in MENUS or box_of(aim.state, aim.element) is not None:
            self._opening.pause(OPENING_S)
        watch = self._mouse.watched(aim) if is_outside_tree(aim.element) else None
        at = self._mouse.click(aim, button=button, count=count)
        self._opening = Deadline(self._clock, OPENING_S)
        done = outcome_on(aim, number, "clicked", at=at)
        if watch is not None:
            return done.with_picture_effect(*watch.effect_of_press(aim.element))
        return done.with_effect(*self._effect_of_click(aim)) if aim.control is not None and plain else done

    def _by_handle(
        self, aim: Decision, number: int | None, did: str, act: Callable[[Control], object]
    ) -> ActionOutcome:
        """Press an element whose position is unknown or takes no click by its handle, such as an entry of a browser's list."""
        if aim.element.enabled is False or aim.control is None:
            raise DeviceError(f"{element_label(aim.element, None)} is disabled: a click does nothing")
        act(aim.control)
        return outcome_on(aim, number, did, note="by its handle").with_effect(*self._effect_of_click(aim))

    def _choose(self, entry: Control) -> None:
        entry.select()
        if self.device.backend.menus():
            self.device.perform(PressKey("escape"))

    def drag(self, what: int | str, to: int | str | tuple[int, int], window: Title | None = None) -> ActionOutcome:
        """
        Drag an element onto another one, or by (right, down) pixels; the outcome names the drop target. The other element may
        be in another window only if a phrase or the number's list names that window, and must be in view.
        """
        aim = self._aim(what, window)
        end = to if isinstance(to, tuple) else self._aim(to, window)
        with _closing_menus_on_error(aim):
            at, last = self._mouse.drag(aim, end)
        if isinstance(end, Decision):
            onto = element_label(end.element, _number(to))
        else:
            under = self._mouse.under(last)
            onto = "the desktop" if under is None else "" if under.id == aim.state.window.id else str(under)
        return outcome_on(aim, _number(what), "dragged", at=at, to=last, onto=onto)

    def type(
        self,
        text: str,
        into: int | str | None = None,
        window: Title | None = None,
        *,
        secret: bool = False,
        replace: bool = False,
    ) -> ActionOutcome:
        """
        Type into the focused element, or into an element, which is clicked first and must have the focus then. With `replace`
        the text replaces the field's content; a slider or a spin box is set to a number by its handle. `verified` is True if
        the text is there now, and in a single-line field nothing else was added; None if the application does not report it,
        as for passwords. Raises UsageError for a line break in a single-line field, which would submit it, and KeyboardTaken
        if another window takes the focus. The outcome of a `secret` text does not even contain its length.
        """
        if into is not None:
            aim: Decision | None = self._field_of(self._enabled(into, window), window)
        else:
            front = self._with_keyboard(window)
            aim = self._focused(front)
        if replace:
            check_replaced(aim.element if aim is not None else None)
            number = as_number(text)
            if aim is not None and aim.control is not None and number is not None and holds_number(aim.element):
                verified = set_number(number, aim.control, self._clock)
                done = outcome_on(aim, _number(into), "set the value of", note="by its handle")
                return done.with_effect(verified, why_not(None, aim.control))
        if aim is None:
            watch = self._watch(front)
            how = self.device.write(InputText(text, secret=secret), front).note
            note = f"; {how}" if how and not secret else ""
            done = ActionOutcome(f"{_typed(text, secret)} {shortened(front.title)!r}{note}", None, front)
            return done if secret else done.with_picture_effect(*watch.effect_of_typing(text))
        if into is not None:
            with _closing_menus_on_error(aim):
                self._click_to_write(aim, text)
        else:
            check_not_pressed(aim.element)
            check_lines(text, aim.element)
        return self._typed_into(aim, text, _number(into), secret=secret, replace=replace, clicked=into is not None)

    def press(self, keys: str, window: Title | None = None) -> ActionOutcome:
        """Press a key, or several together: "ctrl+s". Raises DeviceError if no window has the focus."""
        front = self._with_keyboard(window)
        self.device.write(PressKey(keys), front)
        return ActionOutcome(f"pressed the keys in {shortened(front.title)!r}", None, front)

    def scroll(self, what: int | str, down: int = 0, across: int = 0, window: Title | None = None) -> ActionOutcome:
        """Turn the wheel over an element; `down` and `across` are in notches."""
        aim = self._aim(what, window)
        with _closing_menus_on_error(aim):
            at = self._mouse.scroll(aim, down=down, across=across)
        return outcome_on(aim, _number(what), f"turned the wheel by {down} down and {across} across over", at=at)

    def focus(self, title: Title) -> Window:
        """Raise a window and focus it."""
        return self.device.reach.in_front(self.window(title))

    def click_at(
        self, x: float, y: float, window: Title | None = None, *, button: str = "left", count: int = 1
    ) -> ActionOutcome:
        """Click at a point in desktop pixels; with a `window`, only if a press there reaches that window."""
        at = InputPoint(x, y)
        front = self._in_window(window, at)
        self.device.perform(Click(at, button, count))
        return ActionOutcome(f"clicked{_in(front)} at ({x:g}, {y:g})", None, front, at=at)

    def drag_at(self, x1: float, y1: float, x2: float, y2: float, window: Title | None = None) -> ActionOutcome:
        """Drag between two points in desktop pixels; with a `window`, only if presses at both reach that window."""
        at, to = InputPoint(x1, y1), InputPoint(x2, y2)
        front = self._in_window(window, at, to)
        self.device.perform(Drag(at, to, DRAG_MS))
        return ActionOutcome(
            f"dragged{_in(front)} from ({x1:g}, {y1:g}) to ({x2:g}, {y2:g})", None, front, at=at, to=to
        )

    def scroll_at(self, x: float, y: float, down: int = 0, across: int = 0) -> ActionOutcome:
        """Turn the wheel over a point in desktop pixels."""
        at = InputPoint(x, y)
        self.device.perform(Scroll(at, down, across))
        return ActionOutcome(f"turned the wheel by {down} down and {across} across at ({x:g}, {y:g})", at=at)

    # -- lifecycle

    def close(self) -> None:
        """Close the readers, and the device if this session opened it."""
        self._looking.close()
        if self._own_device:
            self.device.close()

    def __enter__(self) -> DesktopSession:
        return self

    def __exit__(
        self, kind: builtins.type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- target resolution

    def _aim(self, what: int | str, title: Title | None) -> Decision:
        """Return the element to act on, with its window in front; for a number after a check that it is still the same."""
        if isinstance(what, str):
            return self.find(what, title)
        known, window = self._numbers.listed(self._named(title))
        known.identity(what)  # before its window is raised: fail for a number that was not listed
        state, now = self._numbers.current(known, self.device.reach.in_front(window), what)
        return self._decisions(state.window).in_view(Decision(state, state.element(now), state.control(now), ""))

    def _relist(self, state: WindowState) -> WindowState:
        return self._numbers.relist(state.window, infer=state.infer, vision=state.vision)

    def _enabled(self, what: int | str, title: Title | None) -> Decision:
        """Return the element to act on once it is enabled, or still disabled after ANSWERS_S."""
        aim = first = self._aim(what, title)
        with _closing_menus_on_error(first):
            for _ in Deadline(self._clock, ANSWERS_S).looks(POLL_S):
                if aim.element.enabled is not False:
                    break
                aim = self._aim(what, title)
        return replace(aim, shut=aim.shut or first.shut)

    def _named(self, title: Title | None) -> Window | None:
        return self.window(title) if title is not None else None

    def _in_window(self, title: Title | None, *places: InputPoint) -> Window | None:
        """Return the window, raised, or None without a title. Raises if a press at one of `places` would not reach it."""
        if title is None:
            return None
        front = self.focus(title)
        for place in places:
            if not all(map(math.isfinite, place)):
                raise UsageError(f"{tuple(place)} is no place on a screen")
            at = Point(math.floor(place.x), math.floor(place.y))
            self.device.reach.check(front, at, lambda popup: popup.process == front.process)
        return front

    def _with_keyboard(self, title: Title | None = None) -> Window:
        """Return the window of that title, focused; without a title the window that has the focus."""
        if title is not None:
            return self.focus(title)
        self.device.panic.check()
        holder = next((each for each in self.windows() if each.focused and not each.minimized), None)
        if holder is None:
            raise DeviceError("no window has the keyboard: name one, which gets it then")
        return holder

    # -- verification

    def _effect_of_click(self, aim: Decision) -> tuple[bool | None, str]:
        """Return True, False or None (unknown) for the expected effect of a plain click, and what is shown instead."""
        state, element = aim.state, aim.element
        if (box := box_of(state, element)) is not None:
            return choice_effect(state, box, element, lambda: self._fresh(aim), self._clock)
        if element.element_type == "tab" and not reports_selected(state, element):
            return page_effect(state, element, lambda: self._fresh(aim), self._clock), ""
        if not _is_label_only_expander(element):
            return click_effect(element, lambda: self._again(aim), self._clock), ""
        now = None
        for _ in Deadline(self._clock, DEADLINE_S).looks(POLL_S):
            now = self._again(aim)
            if now is not None and bool(now.metadata.get("expanded")) != bool(element.metadata.get("expanded")):
                return True, ""
        return None if now is None else False, ""

    def _again(self, aim: Decision) -> UIElement | None:
        """Return the current state of the element that was acted on, for an expander also by name alone; None if gone."""
        fresh = self._fresh(aim)
        if fresh is None or aim.element.id is None:
            return None
        number = fresh.number_of(aim.state.identities[aim.element.id - 1])
        if number is not None or not _is_label_only_expander(aim.element):
            return fresh.element(number) if number is not None else None
        wanted = aim.element.element_type, aim.element.text, aim.element.description
        same = [each for each in fresh.elements if (each.element_type, each.text, each.description) == wanted]
        return same[0] if len(same) == 1 else None

    def _fresh(self, aim: Decision) -> WindowState | None:
        """Return the current state of the element's window, or None if it cannot be read."""
        try:
            return self._looking.read(aim.state.window, infer=False, vision=False)
        except DeviceError:
            return None

    # -- typing

    def _field_of(self, aim: Decision, title: Title | None) -> Decision:
        """
        Return the text field of a combo box, or the field of a label that is only seen on a picture; else `aim` itself.
        """
        if aim.element.element_type == "combo box" and not aim.element.metadata.get("editable"):
            inner = next(
                (each for each in aim.state.elements if each.parent == aim.element.id and is_editable(each)), None
            )
            return replace(aim, element=inner, control=aim.state.control(inner.id or 0)) if inner is not None else aim
        if not is_outside_tree(aim.element) or aim.element.element_type in CONTENT_ROLES or not aim.element.text:
            return aim
        try:
            return self.find(f"role=input text={json.dumps(aim.element.text, ensure_ascii=False)}", title)
        except LocateError:
            return aim

    def _keys_go_to(self, front: Window) -> Window | Surface:
        """Return the popup of the window's program that took the focus by a click on a field in it; else the window."""
        holder = self.device.backend.keyboard_holder()
        return holder if holder is not None and holder.popup and holder.process == front.process else front

    def _focused(self, front: Window) -> Decision | None:
        """Return the focused element of a window, or None if its application does not report it."""
        try:
            state = self._looking.read(front, infer=False, vision=False)
        except (DeviceError, MissingPart):
            return None
        element = focus_of(state)
        return Decision(state, element, state.control(element.id or 0), "") if element is not None else None

    def _typed_into(
        self, aim: Decision, text: str, number: int | None, *, secret: bool, replace: bool, clicked: bool
    ) -> ActionOutcome:
        """Type into the focused element."""
        goes_to = self._keys_go_to(aim.state.window) if clicked else aim.state.window
        before = text_of(aim.control)
        watch = self._watch(aim.state.window) if is_outside_tree(aim.element) and not secret else None
        at_once = aim.element.element_type in CONTENT_ROLES  # a table cell shows its text only after Enter
        if replace:
            for keys in ("ctrl+a",) if text else ("ctrl+a", "delete"):
                self.device.write(PressKey(keys), goes_to)
        arriving = arrival_check(text, before if at_once and not secret else None, aim.control, self._clock)
        how = self.device.write(InputText(text, secret=secret), goes_to, arriving).note
        if watch is not None:
            return outcome_on(aim, number, _typed(text, secret), note=how).with_picture_effect(
                *watch.effect_of_typing(text, aim.element)
            )
        whole = replace or aim.element.element_type == "spinner"
        verified = typed_effect(text, before, aim.control, self._clock, whole=whole, lines=has_lines(aim.element))
        if verified and before and not whole and at_once:
            how += "; what stood there before is still there: --replace would take its place"
        done = outcome_on(aim, number, _typed(text, secret), note=how if not secret else "")
        return done.with_effect(verified if at_once or verified else None, why_not(before, aim.control))

    def _watch(self, window: Window) -> PictureWatch:
        """Start watching the picture of a window, with the session's OCR."""
        return PictureWatch(self.device.backend, window, self._clock, self._reader)

    def _click_to_write(self, aim: Decision, text: str) -> None:
        """Click the element to type into. Raises DeviceError if something else has the focus then."""
        check_written_in(aim.element)
        check_lines(text, aim.element)
        self._mouse.click(aim)
        holder: Decision | None = None
        for _ in Deadline(self._clock, ANSWERS_S).looks(POLL_S):
            holder = self._focused(self._with_keyboard())
            if holder is None or has_focus(holder, aim):
                return
        who = element_label(holder.element, None) if holder is not None else ""
        raise DeviceError(
            f"{element_label(aim.element, None)} did not get the keyboard, {who} has it: nothing was typed"
        )


def _is_label_only_expander(element: UIElement) -> bool:
    about = element.metadata
    return (about.get("toolkit"), about.get("class")) == _FOLDING and bool(about.get("expandable"))


@contextmanager
def _closing_menus_on_error(aim: Decision) -> Iterator[None]:
    """On an error close the menus that were opened for the action: the next keys would go to them."""
    try:
        yield
    except HandeyeError:
        if aim.shut is not None:
            aim.shut()
        raise


def _number(what: int | str | tuple[int, int] | None) -> int | None:
    return what if isinstance(what, int) else None


def _typed(text: str, secret: bool) -> str:
    """Return the description of typing, without the text; for a secret text also without its length."""
    return "typed the text into" if secret else f"typed {len(text)} character{'' if len(text) == 1 else 's'} into"


def _in(window: Window | None) -> str:
    return f" in {shortened(window.title)!r}" if window is not None else ""


def _opened(uri: str | None) -> DesktopDevice:
    named = uri or default_desktop()
    kind = kind_of(named)
    if kind is None or not kind.desktop:  # checked before a phone is searched for, or started
        raise UsageError(f"{named!r} is no desktop: write linux:, linux::99, linux:?window=TITLE or windows:")
    device = open_device(named)
    if not isinstance(device, DesktopDevice):
        raise TypeError(f"{kind.scheme}: opened {device!r}")
    return device
