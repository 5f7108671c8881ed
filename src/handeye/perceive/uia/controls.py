"""A live handle of one UI Automation element: the actions of its patterns, which need no pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from handeye.errors import DeviceError, DeviceLost, TreeFailed, UnsupportedAction
from handeye.geometry import Box
from handeye.perceive.base import Control
from handeye.perceive.element_format import MAX_TEXT, clean_text
from handeye.perceive.uia.api import CallTimedOut, Node, UiaApi, Verb
from handeye.perceive.uia.vocabulary import Pattern, Property, control_type_name

T = TypeVar("T")

_NAME_SHOWN: Final = 60
_EXPANDED: Final = 1
_OFFERED_BY: Final = {
    "invoke": (Pattern.INVOKE,),
    "toggle": (Pattern.TOGGLE,),
    "select": (Pattern.SELECTION_ITEM,),
    "expand": (Pattern.EXPAND_COLLAPSE,),
    "scroll_into_view": (Pattern.SCROLL_ITEM,),
}
# Actions that may open a dialog; some toolkits (Win32, Windows Forms) answer only when it is closed again.
_MAY_OPEN: Final[frozenset[Verb]] = frozenset({"invoke", "default", "toggle", "select", "expand"})


class UiaControl:
    """
    One element of `window`; see perceive.base.Control. Each call asks the application. Raises DeviceLost if the application
    is gone, DeviceError if the element is, TreeFailed if the application does not answer. Thread-safe.
    """

    def __init__(self, api: UiaApi, node: Node, window: int) -> None:
        self._api = api
        self._window = window
        self._handle = node.handle
        self._as_read = _kind_and_name(node)
        kind, name = self._as_read
        self._called = f"the {kind} {name[:_NAME_SHOWN]!r}" if name else f"a {kind}"

    def __repr__(self) -> str:
        return f"<UiaControl: {self._called}>"

    @property
    def offers(self) -> frozenset[str]:
        """The names of the methods below that this element offers. Each access costs one request."""
        return _offers(self._look())

    def invoke(self) -> None:
        """Do what a click does: press, follow, open, activate."""
        node = self._look()
        if Pattern.INVOKE in node.patterns:
            self._do(node, "invoke", "invoke")
        else:
            self._do(node, "invoke", "default")

    def toggle(self) -> None:
        """Toggle it."""
        self._do(self._look(), "toggle", "toggle")

    def select(self) -> None:
        """Select it alone among its siblings: a row, a tab, an entry of a list."""
        self._do(self._look(), "select", "select")

    def expand(self) -> None:
        """Open a branch, a list or a menu; does nothing if it is open."""
        node = self._look()
        if node.get(Property.EXPAND_COLLAPSE_EXPAND_COLLAPSE_STATE) != _EXPANDED:
            self._do(node, "expand", "expand")

    def set_text(self, text: str) -> None:
        """Replace its content with `text`. A slider or a spin button takes a number."""
        node = self._look()
        if Pattern.VALUE in node.patterns and not node.get(Property.VALUE_IS_READ_ONLY):
            self._do(node, "set_text", "set_text", text)
            return
        if "set_text" in _offers(node):
            self._check_number(text)
        self._do(node, "set_text", "set_number", text)

    def scroll_into_view(self) -> None:
        """Scroll it into view."""
        self._do(self._look(), "scroll_into_view", "scroll")

    def focus(self) -> None:
        """Give it the keyboard focus."""
        self._do(self._look(), "focus", "focus")

    def text(self) -> str | None:
        """Return its current text, a number as Python formats it, or None if it holds no text or is a password field."""
        node = self._look()
        if node.is_password:
            return None
        if Pattern.VALUE in node.patterns:
            return clean_text(node.get(Property.VALUE_VALUE))
        if Pattern.TEXT in node.patterns:
            return clean_text(self._run(lambda: self._api.text(self._handle, MAX_TEXT)))
        number = node.get(Property.RANGE_VALUE_VALUE) if Pattern.RANGE_VALUE in node.patterns else None
        return f"{number:.12g}" if isinstance(number, int | float) else None

    def box(self) -> Box | None:
        """Return its current bounding box in desktop pixels, or None if it is not on the screen."""
        node = self._look()
        return None if node.get(Property.IS_OFFSCREEN) else node.box

    def change(self, beside: Sequence[Control]) -> str | None:
        """Return a description of how it, or one of `beside`, has changed since it was read, or None if nothing has."""
        every = [self, *(each for each in beside if isinstance(each, UiaControl))]
        nodes = self._run(lambda: self._api.look_all([each._handle for each in every]))
        for each, node in zip(every, nodes, strict=True):
            if node is None:
                return f"{each._called} is gone"
            now = _kind_and_name(node)
            if now != each._as_read:
                kind, name = now
                return f"{each._called} is {f'the {kind} {name[:_NAME_SHOWN]!r}' if name else f'a {kind}'} now"
        return None

    def _look(self) -> Node:
        return self._run(lambda: self._api.look(self._handle))

    def _do(self, node: Node, purpose: str, verb: Verb, value: str = "") -> None:
        if purpose not in _offers(node):
            raise UnsupportedAction(f"{self._called} does not offer {purpose!r}; click it instead")
        try:
            self._run(lambda: self._api.do(self._handle, verb, value))
        except CallTimedOut:
            # A program that still processes messages has opened a dialog: the action was done, and a retry would repeat
            # it.
            if verb not in _MAY_OPEN or not self._api.answers(self._window):
                raise

    def _run(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (TreeFailed, DeviceLost):
            raise
        except DeviceError as error:
            raise type(error)(f"{self._called}: {error}") from error

    def _check_number(self, text: str) -> None:
        try:
            float(text)
        except ValueError:
            raise UnsupportedAction(f"{self._called} takes a number, not {text[:40]!r}") from None


def _kind_and_name(node: Node) -> tuple[str, str]:
    """Return the control type and the name."""
    return control_type_name(node.get(Property.CONTROL_TYPE)), clean_text(node.get(Property.NAME))


def _offers(node: Node) -> frozenset[str]:
    found = {name for name, patterns in _OFFERED_BY.items() if node.patterns.intersection(patterns)}
    if Pattern.LEGACY_I_ACCESSIBLE in node.patterns and node.text_of(Property.LEGACY_I_ACCESSIBLE_DEFAULT_ACTION):
        found.add("invoke")
    if Pattern.VALUE in node.patterns and not node.get(Property.VALUE_IS_READ_ONLY):
        found.add("set_text")
    if Pattern.RANGE_VALUE in node.patterns and not node.get(Property.RANGE_VALUE_IS_READ_ONLY):
        found.add("set_text")
    if node.get(Property.IS_KEYBOARD_FOCUSABLE):
        found.add("focus")
    return frozenset(found)
