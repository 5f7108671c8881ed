"""A live handle of one accessible object: the toolkit's own actions, which need no pointer."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from handeye.clock import Clock
from handeye.elements import UIElement
from handeye.errors import DeviceError, DeviceLost, UnsupportedAction
from handeye.geometry import Box, Point
from handeye.perceive.atspi.bus import AccessibilityBus
from handeye.perceive.atspi.calls import ApplicationTimeout, Caller
from handeye.perceive.atspi.capabilities import (
    ACTION,
    EDITABLE_TEXT,
    SELECTION,
    AsRead,
    Capabilities,
    change_among,
    read_capabilities,
)
from handeye.perceive.atspi.elements import element_of
from handeye.perceive.atspi.hit_testing import cover_in_page
from handeye.perceive.atspi.large_lists import number_of, read_rows, row_at
from handeye.perceive.atspi.nodes import PASSWORDS, TEXT, VALUE, Node, box_from, extents_of, read_basics
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    COMPONENT,
    EXPANDED,
    SELECTED,
    Question,
    Ref,
    numbers_of,
    property_of,
    ref_from,
    setting_of,
)
from handeye.perceive.atspi.visibility import CoordinateContext, Placed, ancestors_of, visible_box
from handeye.perceive.base import Control
from handeye.perceive.element_format import MAX_TEXT, clean_text

# Scrolling an object into view in toolkits without a command for it (Qt), by setting the values of its scroll bars.
#
# A scroll area has its viewport and its scroll bars as siblings among its children, each bar in its own box; their values
# are in pixels.


_BARS: Final = numbers_of("scroll bar")
# A scroll area has a viewport, two bars and a corner widget; an object with more children is something else.
_MOST_PARTS: Final = 6
_BOXES: Final = numbers_of("filler")
# Pixels. Bars are 14 (Fusion) to 17 (Windows) wide, twice as much on a large scale.
_WIDEST_BAR: Final = 40
# Applications that were measured had scrolled within 20 ms.
_LOOKS: Final = 10
_PAUSE_S: Final = 0.05


async def turn_scroll_bars(caller: Caller, ref: Ref) -> bool:
    """
    Scroll all containers of an object, the innermost first, until it is in view. Return True if any scroll bar was moved.
    """
    turned = False
    viewport = ref
    for area in await ancestors_of(caller, ref):
        for bar in await _scroll_bars_in(caller, area.ref, viewport):
            extents = await caller.ask_all([extents_of(ref), extents_of(viewport)])
            wanted, view = (box_from(each) for each in extents)
            if wanted is not None and view is not None and bar.box is not None:
                turned |= await _turn(
                    caller, bar, _scroll_distance(wanted, view, upright=bar.box.height > bar.box.width)
                )
        viewport = area.ref
    return turned


async def _scroll_bars_in(caller: Caller, area: Ref, viewport: Ref) -> list[Node]:
    """Return the visible scroll bars among the children of an object, or in thin boxes among them."""
    parts = [part for part in await _parts(caller, area) if part.ref != viewport]
    boxes = [part for part in parts if part.role in _BOXES and _is_thin(part)]
    inside = [part for box in boxes for part in await _parts(caller, box.ref)]
    return [part for part in (*parts, *inside) if part.role in _BARS and _is_thin(part)]


async def _parts(caller: Caller, ref: Ref) -> list[Node]:
    """Return an object's children if they are few: a table of 65,000 cells took an application ten seconds to list."""
    count = await caller.ask(property_of(ref, ACCESSIBLE, "ChildCount", "i"))
    if not isinstance(count, int) or not 0 < count <= _MOST_PARTS:
        return []
    pairs = await caller.ask(Question(ref, ACCESSIBLE, "GetChildren", "a(so)"))
    nodes = [Node(each) for pair in pairs or () if (each := ref_from(pair)) is not None]
    await read_basics(caller, nodes)
    return nodes


def _is_thin(part: Node) -> bool:
    return part.showing and part.box is not None and min(part.box.width, part.box.height) <= _WIDEST_BAR


def _scroll_distance(wanted: Box, view: Box, *, upright: bool) -> int:
    """Return by how many pixels the content must move so that as much as fits is in view, from its beginning."""
    start, end = (1, 3) if upright else (0, 2)
    before, after = wanted[start] - view[start], wanted[end] - view[end]
    if before < 0:
        return before
    return min(before, after) if after > 0 else 0


async def _turn(caller: Caller, bar: Node, by: int) -> bool:
    if not by:
        return False
    asked = [property_of(bar.ref, VALUE, name, "d") for name in ("MinimumValue", "MaximumValue", "CurrentValue")]
    reported = await caller.ask_all(asked)
    if not all(isinstance(number, float) for number in reported):
        return False
    least, most, now = reported
    to = min(max(now + by, least), most)
    if to == now:
        return False
    await caller.command(setting_of(bar.ref, VALUE, "CurrentValue", "d", to))
    return True


async def check_in_view(caller: Caller, ref: Ref, telling: CoordinateContext, before: Box | None) -> None:
    """Wait until an object is visible, as a whole or changed from `before`. Raises DeviceError if it stays as it was."""
    for look in range(_LOOKS):
        if look:
            await asyncio.sleep(_PAUSE_S)
        seen = await visible_box(caller, ref, telling)
        if seen is not None and seen.area and (seen != before or await is_whole(caller, ref, telling, seen)):
            return
    raise DeviceError(
        "its application has no command to scroll it into view, and it did not come when it got the focus"
    )


async def is_whole(caller: Caller, ref: Ref, telling: CoordinateContext, seen: Box) -> bool:
    """Return True if the visible box `seen` has the object's full size."""
    (extents,) = await caller.ask_all([extents_of(ref)])
    own = box_from(extents)
    whole = telling.scaling.pixels(own) if own is not None else None
    return whole is not None and (whole.width, whole.height) == (seen.width, seen.height)


T = TypeVar("T")

# Limit of one command, including its questions before and after.
_SECONDS: Final = 3.0
# GTK takes a second to list 3,000 children.
_ROWS_SECONDS: Final = 15.0
_ANYWHERE: Final = 6  # ATSPI_SCROLL_ANYWHERE: scroll as little as needed


class AtspiControl:
    """
    One object of an application's tree; see perceive.base.Control. Each call asks the application, within three seconds.

    Raises DeviceLost if the application is gone, DeviceError if the element is, TreeFailed if the application does not
    answer. Thread-safe.
    """

    def __init__(self, bus: AccessibilityBus, node: Node, clock: Clock, telling: CoordinateContext) -> None:
        self._bus = bus
        self._ref = node.ref
        self._role = node.role
        self._as_read = AsRead.of(node)
        self._called = f"the {node.role_name or 'element'} {node.name[:60]!r}" if node.name else f"a {node.role_name}"
        self._clock = clock
        self._telling = telling

    def __repr__(self) -> str:
        return f"<AtspiControl: {self._called}>"

    @property
    def object_id(self) -> str:
        """Its address on the accessibility bus, which is unique."""
        return f"{self._ref.bus}{self._ref.path}"

    @property
    def offers(self) -> frozenset[str]:
        """The names of the methods below that this element offers. Each access costs three requests."""
        return self._run(self._capabilities).offers

    def invoke(self) -> None:
        """Do what a click does: press, follow, open, activate."""
        self._run(lambda caller: self._act(caller, "invoke"))

    def toggle(self) -> None:
        """Toggle it."""
        self._run(lambda caller: self._act(caller, "toggle"))

    def expand(self) -> None:
        """Open a branch, a list or a menu; does nothing if it is open."""
        self._run(self._expand)

    def set_text(self, text: str) -> None:
        """Replace its content with `text`. A slider or a spin button takes a number."""
        self._run(lambda caller: self._set_text(caller, text))

    def select(self) -> None:
        """Select it among its siblings: a row, a tab, an entry of a list."""
        self._run(self._select)

    def is_selected(self) -> bool:
        """See perceive.base.Selectable."""
        return bool(self._run(self._capabilities).states & SELECTED)

    def scroll_into_view(self) -> None:
        """
        Scroll it into view. If the toolkit has no such command, the scroll bars around it are moved, else it is given the
        focus. Raises DeviceError if it is not in view afterwards.
        """
        self._run(self._scroll)

    def focus(self) -> None:
        """Give it the keyboard focus."""
        self._run(self._focus)

    def text(self) -> str | None:
        """Return its current text, a number as Python formats it, or None if it holds no text or is a password field."""
        return self._run(self._text)

    def number(self) -> float | None:
        """Return the value of a slider or spin button, or None if it has none."""
        return self._run(self._number)

    def box(self) -> Box | None:
        """Return the visible part of its bounding box in desktop pixels, or None if none of it is on the screen."""
        return self._run(lambda caller: visible_box(caller, self._ref, self._telling))

    def rows(self) -> Sequence[tuple[UIElement, Control]]:
        """See perceive.base.RowContainer."""
        nodes = self._run(lambda caller: read_rows(caller, self._ref), seconds=_ROWS_SECONDS)
        telling = self._telling._replace(view=None)
        holder = Node(self._ref, self._role)
        return [
            (
                replace(element_of(Placed(node, number, holder, None, None, None), ""), id=None),
                AtspiControl(self._bus, node, self._clock, telling),
            )
            for number, node in enumerate(nodes, 1)
        ]

    def row_at(self, at: Point) -> int | None:
        """See perceive.base.RowContainer."""
        local_point = self._telling.scaling.told(at)
        return self._run(lambda caller: row_at(caller, self._ref, local_point))

    def row_number(self) -> int | None:
        """See perceive.base.Row."""
        return self._run(lambda caller: number_of(caller, self._ref))

    def covered_by(self, at: Point) -> str | None:
        """
        Return what its page shows over it at a point in desktop pixels, or None if nothing, or if the application does not
        report that.
        """
        if not self._telling.hit_tests:
            return None
        return self._run(lambda caller: cover_in_page(caller, self._ref, at, self._telling.scaling))

    def change(self, beside: Sequence[Control]) -> str | None:
        """Return a description of how it, or one of `beside`, has changed since it was read, or None if nothing has."""
        read = [self._as_read, *(each._as_read for each in beside if isinstance(each, AtspiControl))]
        return self._run(lambda caller: change_among(caller, read))

    # -- on the bus's thread

    def _run(self, work: Callable[[Caller], Coroutine[Any, Any, T]], seconds: float = _SECONDS) -> T:
        try:
            return self._bus.run(work, seconds=seconds, clock=self._clock)
        except (UnsupportedAction, DeviceLost, ApplicationTimeout):
            raise
        except DeviceError as error:
            raise type(error)(f"{self._called}: {error}") from error

    async def _capabilities(self, caller: Caller) -> Capabilities:
        return await read_capabilities(caller, self._ref, self._called)

    async def _act(self, caller: Caller, purpose: str, abilities: Capabilities | None = None) -> None:
        abilities = abilities or await self._capabilities(caller)
        number = abilities.action(purpose)
        if number is None:
            raise self._unsupported(purpose)
        try:
            done = await caller.command(Question(self._ref, ACTION, "DoAction", "b", "i", (number,)))
        except ApplicationTimeout:
            # Qt answers only when the dialog that it has opened is closed again: the action was done.
            if await self._is_alive(caller):
                return
            raise
        if done is False:
            raise DeviceError(f"the application refused to {purpose} it")

    async def _is_alive(self, caller: Caller) -> bool:
        (states,) = await caller.ask_all([Question(self._ref, ACCESSIBLE, "GetState", "au")])
        return states is not None

    async def _expand(self, caller: Caller) -> None:
        abilities = await self._capabilities(caller)
        if "expand" in abilities.offers and abilities.states & EXPANDED:
            return
        await self._act(caller, "expand", abilities)

    async def _set_text(self, caller: Caller, text: str) -> None:
        abilities = await self._capabilities(caller)
        if "set_text" not in abilities.offers:
            raise self._unsupported("set_text")
        if VALUE in abilities.interfaces:
            try:  # a spin button applies a text only on Enter, a value at once
                number = float(text)
            except ValueError:
                if EDITABLE_TEXT not in abilities.interfaces:
                    raise UnsupportedAction(f"{self._called} takes a number, not {text[:40]!r}") from None
            else:
                await caller.command(setting_of(self._ref, VALUE, "CurrentValue", "d", number))
                return
        done = await caller.command(Question(self._ref, EDITABLE_TEXT, "SetTextContents", "b", "s", (text,)))
        if done is False:
            raise DeviceError("the application did not take the text")

    async def _select(self, caller: Caller) -> None:
        abilities = await self._capabilities(caller)
        if "select" not in abilities.offers:
            raise self._unsupported("select")
        if abilities.states & SELECTED:
            return
        if abilities.action("select") is not None:
            await self._act(caller, "select", abilities)
            return
        assert abilities.parent is not None  # otherwise "select" is not offered
        index = await caller.ask(Question(self._ref, ACCESSIBLE, "GetIndexInParent", "i"))
        if index is None or index < 0:  # Calc's indices overflow
            raise self._unsupported("select")
        done = await caller.command(Question(abilities.parent, SELECTION, "SelectChild", "b", "i", (index,)))
        if done is False:
            raise DeviceError("the application refused to select it")

    async def _scroll(self, caller: Caller) -> None:
        abilities = await self._capabilities(caller)
        if COMPONENT not in abilities.interfaces:
            raise self._unsupported("scroll_into_view")
        (done,) = await caller.ask_all([Question(self._ref, COMPONENT, "ScrollTo", "b", "u", (_ANYWHERE,))])
        if done:
            return
        before = await visible_box(caller, self._ref, self._telling)
        if before is not None and await is_whole(caller, self._ref, self._telling, before):
            return
        if not await turn_scroll_bars(caller, self._ref):
            await self._grab(caller, abilities, "scroll_into_view")
        await check_in_view(caller, self._ref, self._telling, before)

    async def _focus(self, caller: Caller) -> None:
        await self._grab(caller, await self._capabilities(caller), "focus")

    async def _grab(self, caller: Caller, abilities: Capabilities, purpose: str) -> None:
        if "focus" not in abilities.offers:
            raise self._unsupported(purpose)
        if await caller.command(Question(self._ref, COMPONENT, "GrabFocus", "b")) is False:
            raise DeviceError("the application refused to give it the focus")

    async def _text(self, caller: Caller) -> str | None:
        now = Node(self._ref)
        await read_basics(caller, [now])
        abilities = await self._capabilities(caller)
        if now.role in PASSWORDS:
            return None
        if TEXT in abilities.interfaces:
            length = await caller.ask(property_of(self._ref, TEXT, "CharacterCount", "i"))
            if length is None:
                return None
            text = await caller.ask(Question(self._ref, TEXT, "GetText", "s", "ii", (0, min(max(length, 0), MAX_TEXT))))
            return clean_text(text) if text is not None else None
        number = await self._number(caller) if VALUE in abilities.interfaces else None
        return f"{number:.12g}" if number is not None else None

    async def _number(self, caller: Caller) -> float | None:
        number = await caller.ask(property_of(self._ref, VALUE, "CurrentValue", "d"))
        return number if number is not None and math.isfinite(number) else None

    def _unsupported(self, action: str) -> UnsupportedAction:
        return UnsupportedAction(f"{self._called} does not offer {action!r}; click it instead")
