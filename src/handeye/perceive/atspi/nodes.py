"""One accessible object as its application reports it, and the questions that fill it in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from handeye.geometry import Box
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    CHECKABLE,
    COMPONENT,
    EDITABLE,
    FOCUSABLE,
    SELECTABLE,
    SHOWING,
    UNKNOWN,
    VISIBLE,
    Question,
    Ref,
    numbers_of,
    property_of,
    ref_from,
    role_name,
    states_of,
)
from handeye.perceive.element_format import MAX_TEXT, clean_text

TEXT: Final = "org.a11y.atspi.Text"
VALUE: Final = "org.a11y.atspi.Value"
TABLE: Final = "org.a11y.atspi.Table"

# Larger coordinates are not on a screen: X11 uses 16 bits. GTK returns INT_MIN for hidden objects.
_FARTHEST: Final = 1 << 15
_SCREEN_COORDINATES: Final = 0
_LABELLED_BY: Final = 2

PASSWORDS: Final = numbers_of("password text")
_WITH_TEXT: Final = numbers_of("text", "entry", "terminal", "spin button", "autocomplete", "editbar", "document text")
_WITH_VALUE: Final = numbers_of("slider", "spin button", "progress bar", "scroll bar", "dial", "level bar", "rating")
# Roles that are named by an adjacent label if they have no name of their own.
_LABELLED: Final = (
    numbers_of("text", "entry", "password text", "spin button", "combo box", "slider", "check box", "autocomplete")
    | _WITH_VALUE
) - numbers_of("scroll bar", "progress bar")
# Roles that GTK and Qt name by their selected entry, whatever their label.
_NAMED_BY_CHOICE: Final = numbers_of("combo box")
# Rows and cells are many, and their attributes do not identify them.
_WITHOUT_DETAILS: Final = numbers_of(
    *("table cell", "list item", "tree item", "table row", "menu item", "table column header", "table row header")
)


@dataclass(slots=True, eq=False)
class Node:
    """An object of a tree. `box` is in desktop pixels or None, `role_name` is AT-SPI's or the toolkit's own."""

    ref: Ref
    role: int = 0
    role_name: str = ""
    name: str = ""
    is_labelled: bool = False  # its name is that of a label
    description: str = ""
    states: int = 0
    box: Box | None = None
    children: list[Node] = field(default_factory=list)
    claims: int = 0  # reported number of children, -1 if not reported
    text: str | None = None
    range: tuple[float, float, float] | None = None  # least, most, now
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def showing(self) -> bool:
        return bool(self.states & SHOWING)

    @property
    def scrolled_out(self) -> bool:
        """True if it is reported as visible but not showing: scrolled out, or in a closed menu."""
        return bool(self.states & VISIBLE) and not self.states & SHOWING

    def told(self, role: Any, states: Any, name: Any = None) -> None:
        self.role = role if isinstance(role, int) else 0
        self.role_name = role_name(self.role)
        self.states = states if isinstance(states, int) else states_of(states)
        if name is not None:
            self.name = clean_text(name).strip()  # GTK pads menu items with blanks


def extents_of(ref: Ref) -> Question:
    return Question(ref, COMPONENT, "GetExtents", "(iiii)", "u", (_SCREEN_COORDINATES,))


def at_point(ref: Ref, x: int, y: int) -> Question:
    return Question(ref, COMPONENT, "GetAccessibleAtPoint", "(so)", "iiu", (x, y, _SCREEN_COORDINATES))


def box_from(extents: Any) -> Box | None:
    """
    Return a box from x, y, width, height, or None for a position that is not on the screen: INT_MIN, zero or absurd
    numbers.
    """
    if extents is None:
        return None
    x, y, width, height = extents
    if width <= 0 or height <= 0 or max(abs(x), abs(y), width, height) > _FARTHEST:
        return None
    return Box(x, y, x + width, y + height)


async def read_states(caller: Caller, nodes: Sequence[Node]) -> None:
    """Read only the states of the nodes."""
    answers = await caller.ask_all([_states(node.ref) for node in nodes])
    for node, states in zip(nodes, answers, strict=True):
        node.states = states_of(states)


async def read_basics(caller: Caller, nodes: Sequence[Node]) -> None:
    """
    Read role, states, name and box of nodes of which at most the states are known; no box of nodes scrolled out of view.
    """
    await read_states(caller, [node for node in nodes if not node.states])
    placed = [node for node in nodes if not node.scrolled_out]
    answers = await caller.ask_all(
        [
            *(extents_of(node.ref) for node in placed),
            *(Question(node.ref, ACCESSIBLE, "GetRole", "u") for node in nodes),
            *(property_of(node.ref, ACCESSIBLE, "Name", "s") for node in nodes),
        ]
    )
    for node, extents in zip(placed, answers, strict=False):
        node.box = box_from(extents)
    told = answers[len(placed) :]
    for node, role, name in zip(nodes, told, told[len(nodes) :], strict=False):
        if role is not None:
            node.told(role, node.states, name)


def _states(ref: Ref) -> Question:
    return Question(ref, ACCESSIBLE, "GetState", "au")


async def read_details(caller: Caller, nodes: Iterable[Node], toolkit: str) -> None:
    """
    Read the content of text fields, the values of sliders, the labels of unnamed objects, and the developer-given ids.
    """
    wanted: list[tuple[Node, str, Question]] = []
    for node in nodes:
        wanted += [(node, about, question) for about, question in _details_of(node, toolkit)]
    answers = await caller.ask_all([question for _, _, question in wanted])
    lengths: list[tuple[Node, int]] = []
    labels: list[tuple[Node, Ref]] = []
    numbers: dict[Node, dict[str, float]] = {}
    for (node, about, _), answer in zip(wanted, answers, strict=True):
        if answer is None:
            continue
        if about == "length":
            lengths.append((node, answer))
        elif about in ("least", "most", "now"):
            numbers.setdefault(node, {})[about] = answer
        elif about == "labels":
            labels += [(node, label) for label in _labels(answer)]
        elif about == "role name":
            node.role_name = clean_text(answer) or node.role_name
        elif about == "id":
            node.attributes["accessible-id"] = clean_text(answer)
        else:
            node.attributes |= {
                clean_text(key): clean_text(value) for key, value in list(answer.items())[:_MOST_ATTRIBUTES]
            }
    for node, limits in numbers.items():
        if len(limits) == _NUMBERS:
            node.range = (limits["least"], limits["most"], limits["now"])
    await _read_texts(caller, lengths, labels)


# Toolkits that report ids by the property and nothing useful in attributes; browsers do the opposite.
_IDS: Final = frozenset({"gtk", "Qt"})
_MOST_ATTRIBUTES: Final = 100
_NUMBERS: Final = 3


def _details_of(node: Node, toolkit: str) -> Iterable[tuple[str, Question]]:
    ref = node.ref
    if node.role in UNKNOWN:
        yield "role name", Question(ref, ACCESSIBLE, "GetRoleName", "s")
    if holds_text(node):
        yield "length", property_of(ref, TEXT, "CharacterCount", "i")
    if node.role in _WITH_VALUE:
        yield "least", property_of(ref, VALUE, "MinimumValue", "d")
        yield "most", property_of(ref, VALUE, "MaximumValue", "d")
        yield "now", property_of(ref, VALUE, "CurrentValue", "d")
    if node.role in _LABELLED and (not node.name or node.role in _NAMED_BY_CHOICE):
        yield "labels", Question(ref, ACCESSIBLE, "GetRelationSet", "a(ua(so))")
    usable = node.states & (FOCUSABLE | EDITABLE | CHECKABLE | SELECTABLE)
    if usable and node.role not in _WITHOUT_DETAILS:
        if toolkit in _IDS:
            yield "id", property_of(ref, ACCESSIBLE, "AccessibleId", "s")
        if toolkit not in _IDS or (toolkit == "gtk" and holds_text(node)):  # a field's placeholder
            yield "attributes", Question(ref, ACCESSIBLE, "GetAttributes", "a{ss}")


def holds_text(node: Node) -> bool:
    """Return True if it has text content that may be read; never for a password field."""
    if node.role in PASSWORDS:
        return False
    return node.role in _WITH_TEXT or bool(node.states & EDITABLE)


def _labels(relations: Any) -> list[Ref]:
    return [ref for kind, targets in relations if kind == _LABELLED_BY for pair in targets if (ref := ref_from(pair))]


async def _read_texts(caller: Caller, lengths: Sequence[tuple[Node, int]], labels: Sequence[tuple[Node, Ref]]) -> None:
    held = [(node, length) for node, length in lengths if length > 0]
    questions = [
        Question(node.ref, TEXT, "GetText", "s", "ii", (0, min(length, MAX_TEXT))) for node, length in held
    ] + [property_of(label, ACCESSIBLE, "Name", "s") for _, label in labels]
    answers = await caller.ask_all(questions)
    for node, _ in lengths:
        node.text = ""
    for (node, _), text in zip(held, answers, strict=False):
        node.text = clean_text(text) if text is not None else None
    for (node, _), name in zip(labels, answers[len(held) :], strict=True):
        if name and node.role in _NAMED_BY_CHOICE and node.name:
            node.description = clean_text(name)
        elif name:
            node.name = f"{node.name} {clean_text(name)}".strip()
            node.is_labelled = True
