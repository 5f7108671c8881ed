"""UI Automation of this computer, through comtypes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Final, TypeVar

from handeye.clock import Clock, Deadline, SystemClock
from handeye.errors import DeviceError, TreeFailed, UnsupportedAction, UsageError
from handeye.geometry import Box
from handeye.perceive.uia import connection
from handeye.perceive.uia.apartment import Apartment
from handeye.perceive.uia.api import BUSY, WHOLE_WINDOW_ERRORS, Node, Tree, Verb, code_of, is_gone, meaning_of
from handeye.perceive.uia.reading import PropertyReader, children_by, read_by_steps
from handeye.perceive.uia.vocabulary import AVAILABLE, OF_EVERY_ELEMENT, OF_PATTERN, Pattern, Property, control_types

T = TypeVar("T")

# 300 elements take some 30 ms here, plus the application's own time; anything slower than this limit hangs.
READ_S: Final = 5.0
# Limit of one command. An application that opens a dialog may answer only when it is closed again.
COMMAND_S: Final = 5.0
# An application that is briefly busy accepts calls again within this time.
_BUSY_S: Final = 1.0
_AGAIN_S: Final = 0.1
# A reading stops before READ_S with a partial result: 20,000 elements take some 2 s of our own time alone.
_END_S: Final = 4.5
# Stepwise readings stop this much earlier, so that the last request is still answered.
_STEP_S: Final = 1.5

# The tree is untrusted input from an application (as in perceive/atspi/reading.py).
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 250

_TOO_MUCH: Final = f"the window has more than {MAX_NODES:,} elements or {MAX_DEPTH} levels: the rest was not read"
_TOO_LONG: Final = "the window has so many elements that not all could be read in time"
_MORE_RIGHTS: Final = (
    "the program of this window has more rights than Handeye, so Windows tells only that it is there and takes no input to it: "
    "run Handeye with the same rights"
)
# Control types that Windows itself adds to every window.
_OF_ANY_WINDOW: Final = control_types("TitleBar", "MenuBar", "ScrollBar")

_PATTERN_NAMES: Final = {
    Pattern.INVOKE: "IUIAutomationInvokePattern",
    Pattern.VALUE: "IUIAutomationValuePattern",
    Pattern.RANGE_VALUE: "IUIAutomationRangeValuePattern",
    Pattern.EXPAND_COLLAPSE: "IUIAutomationExpandCollapsePattern",
    Pattern.SELECTION_ITEM: "IUIAutomationSelectionItemPattern",
    Pattern.TEXT: "IUIAutomationTextPattern",
    Pattern.TOGGLE: "IUIAutomationTogglePattern",
    Pattern.SCROLL_ITEM: "IUIAutomationScrollItemPattern",
    Pattern.LEGACY_I_ACCESSIBLE: "IUIAutomationLegacyIAccessiblePattern",
}
_VERBS: Final[dict[Verb, tuple[Pattern, str]]] = {
    "invoke": (Pattern.INVOKE, "Invoke"),
    "default": (Pattern.LEGACY_I_ACCESSIBLE, "DoDefaultAction"),
    "set_text": (Pattern.VALUE, "SetValue"),
    "set_number": (Pattern.RANGE_VALUE, "SetValue"),
    "toggle": (Pattern.TOGGLE, "Toggle"),
    "select": (Pattern.SELECTION_ITEM, "Select"),
    "expand": (Pattern.EXPAND_COLLAPSE, "Expand"),
    "scroll": (Pattern.SCROLL_ITEM, "ScrollIntoView"),
}


class ComApi:
    """
    The real UiaApi. Raises UsageError on another system, MissingPart without comtypes. Thread-safe.

    `connect` replaces `connection.connect`; None uses that, which is the UI Automation of this computer.
    """

    _apartment: Apartment
    _com: SimpleNamespace | None
    _clock: Clock

    def __init__(self, clock: Clock | None = None, connect: Callable[[], SimpleNamespace] | None = None) -> None:
        if connect is None and sys.platform != "win32":
            raise UsageError("UI Automation is Windows' own; on Linux applications tell of themselves over AT-SPI")
        self._connect = connect or connection.connect
        self._com = None
        self._clock = clock or SystemClock()
        self._apartment = Apartment(self._enter)

    def tree(self, windows: Sequence[int]) -> Tree:
        return self._run(lambda: self._tree(windows), READ_S)

    def look(self, handle: object) -> Node:
        return self._run(lambda: self._look(handle), COMMAND_S)

    def look_all(self, handles: Sequence[object]) -> Sequence[Node | None]:
        return self._run(lambda: [self._look_if_there(handle) for handle in handles], COMMAND_S)

    def text(self, handle: object, most: int) -> str:
        return self._run(lambda: self._text(handle, most), COMMAND_S)

    def do(self, handle: object, verb: Verb, value: str = "") -> None:
        self._run(lambda: self._do(handle, verb, value), COMMAND_S, again=False)

    def answers(self, window: int) -> bool:
        return self._run(lambda: bool(self._loaded.takes_messages(window)), COMMAND_S)

    def close(self) -> None:
        self._apartment.close()

    def _run(self, work: Callable[[], T], seconds: float, *, again: bool = True) -> T:
        """
        Run `work` on the apartment's thread; with `again`, retry while the application rejects the call as busy. Never
        retry an action: an application that called another one meanwhile passes on that one's rejection after it has done
        its own part.
        """

        def translated() -> T:
            limit = Deadline(self._clock, _BUSY_S)
            while True:
                try:
                    return work()
                except self._loaded.errors as error:
                    if not again or code_of(error) not in BUSY or limit.passed:
                        kind, why = meaning_of(error)
                        raise kind(why) from error
                limit.pause(_AGAIN_S)

        return self._apartment.run(translated, seconds)

    # -- on the apartment's thread

    @property
    def _loaded(self) -> SimpleNamespace:
        assert self._com is not None
        return self._com

    def _enter(self) -> None:
        self._com = self._connect()

    def _tree(self, windows: Sequence[int]) -> Tree:
        roots: list[Node] = []
        notes: list[str] = []
        limit = Deadline(self._clock, _END_S)
        budget = MAX_NODES
        for number, window in enumerate(windows):
            try:
                root, read, missing = self._window(window, budget, limit)
            except (DeviceError, *self._loaded.errors) as error:
                there = self._loaded.is_window(window)
                if number == 0 and there:
                    raise
                if number == 0:
                    raise TreeFailed("the window is gone") from error
                if there:  # it is more than a menu that was closed meanwhile
                    notes.append(f"an open menu or list of its program could not be read: {_words(error)}")
                continue
            roots.append(root)
            budget -= read
            notes += missing
        return Tree(roots, tuple(dict.fromkeys(notes)))

    def _window(self, window: int, most: int, limit: Deadline) -> tuple[Node, int, list[str]]:
        """Return a window's root, the number of nodes read, and notes on what is missing."""
        root, read, notes = self._whole(window, most, limit) or self._by_steps(window, most, limit)
        bare = all(child.get(Property.CONTROL_TYPE) in _OF_ANY_WINDOW for child in root.children)
        if bare and self._loaded.has_more_rights(window):
            notes = [*notes, _MORE_RIGHTS]
        return root, read, notes

    def _whole(self, window: int, most: int, limit: Deadline) -> tuple[Node, int, list[str]] | None:
        """Read by one request. Return None where UI Automation fails at that, as it does if one part of the tree fails."""
        com = self._loaded
        if com.whole is None:
            return None
        try:
            element = com.automation.ElementFromHandleBuildCache(window, com.whole)
            root = self._node(element)
            read, notes = read_down(root, self._node, most=most, late=lambda: limit.passed)
        except com.errors as error:
            if code_of(error) in WHOLE_WINDOW_ERRORS:
                raise
            return None
        return root, read, notes

    def _by_steps(self, window: int, most: int, limit: Deadline) -> tuple[Node, int, list[str]]:
        com = self._loaded
        element = com.automation.ElementFromHandle(window)
        root = self._node(element and element.BuildUpdatedCache(com.single))
        read, notes = read_by_steps(
            root,
            children_by(com, self._node),
            most=most,
            deepest=MAX_DEPTH,
            late=lambda: limit.left < _STEP_S,
            errors=com.errors,
        )
        return root, read, notes

    def _node(self, element: Any) -> Node:
        return node_of(element, self._loaded.reader)

    def _look(self, handle: Any) -> Node:
        return self._node(handle.BuildUpdatedCache(self._loaded.single))

    def _look_if_there(self, handle: Any) -> Node | None:
        """Return the element's current state, or None if it is gone. Raises any other error."""
        try:
            element = handle.BuildUpdatedCache(self._loaded.single)
        except self._loaded.errors as error:
            if not is_gone(error):
                raise
            return None
        return self._node(element) if element else None

    def _text(self, handle: Any, most: int) -> str:
        document = self._pattern(handle, Pattern.TEXT).get_DocumentRange()
        return str(document.GetText(most) or "") if document else ""

    def _do(self, handle: Any, verb: Verb, value: str) -> None:
        if verb == "focus":
            handle.SetFocus()
            return
        pattern, method = _VERBS[verb]
        call = getattr(self._pattern(handle, pattern), method)
        if verb == "set_text":
            call(value)
        elif verb == "set_number":
            call(float(value))
        else:
            call()

    def _pattern(self, handle: Any, pattern: Pattern) -> Any:
        found = handle.GetCurrentPattern(pattern)
        if not found:
            raise UnsupportedAction("it does not offer that; click it instead")
        return found.QueryInterface(self._loaded.classes[_PATTERN_NAMES[pattern]])


def read_down(root: Node, made: Callable[[Any], Node], *, most: int, late: Callable[[], bool]) -> tuple[int, list[str]]:
    """
    Fill in all nodes below `root` from the cache of its element, each created by `made`. Return the number of nodes, and
    notes on what is missing. Makes no call into the application.
    """
    level, read, depth = [root], 1, 0
    while level:
        below: list[Node] = []
        for node in level:
            for child in _children(node.handle):
                if read >= most or depth >= MAX_DEPTH:
                    return read, [_TOO_MUCH]
                if late():
                    return read, [_TOO_LONG]
                node.children.append(made(child))
                read += 1
            below += node.children
        level, depth = below, depth + 1
    return read, []


def _children(element: Any) -> list[Any]:
    found = element.GetCachedChildren()
    if not found:
        return []
    children = [found.GetElement(index) for index in range(found.get_Length())]
    return [child for child in children if child]  # elements gone meanwhile are null pointers


def node_of(element: Any, reader: Callable[[Any], PropertyReader]) -> Node:
    """
    Return the cached state of one element; `reader` comes from `handeye.perceive.uia.reading.reader`. Raises DeviceError for
    a null pointer, which UI Automation returns with a success code.
    """
    if not element:
        raise DeviceError("it is gone")
    ask = reader(element)
    values = {int(one): ask(int(one)) for one in OF_EVERY_ELEMENT}
    patterns = frozenset(one for one, id in AVAILABLE.items() if ask(id))
    for pattern in patterns:
        for one in OF_PATTERN.get(pattern, ()):
            if one is not Property.VALUE_VALUE or not values[Property.IS_PASSWORD]:
                values[int(one)] = ask(int(one))
    rect = element.get_CachedBoundingRectangle()
    seen = rect.right > rect.left and rect.bottom > rect.top
    box = Box(rect.left, rect.top, rect.right, rect.bottom) if seen else None
    return Node(element, box, values, patterns)


def _words(error: BaseException) -> str:
    return str(error) if isinstance(error, DeviceError) else meaning_of(error)[1]
