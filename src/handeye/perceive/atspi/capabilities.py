"""The current capabilities of an accessible object: its interfaces, its actions by name, its states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from handeye.errors import DeviceError
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import VALUE, Node
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    CHECKABLE,
    COMPONENT,
    DEFUNCT,
    EDITABLE,
    EXPANDABLE,
    FOCUSABLE,
    HAS_POPUP,
    SELECTABLE,
    Question,
    Ref,
    numbers_of,
    property_of,
    ref_from,
    states_of,
)
from handeye.perceive.element_format import clean_text

ACTION: Final = "org.a11y.atspi.Action"
EDITABLE_TEXT: Final = "org.a11y.atspi.EditableText"
SELECTION: Final = "org.a11y.atspi.Selection"

# Action names of toolkits, without blanks, in lower case, by purpose and the likeliest first: "click" and "activate" are
# GTK's, "press" and "showmenu" Qt's, "jump", "open" and "dodefault" Chromium's.
_NAMES: Final = {
    "invoke": (
        *(
            "click",
            "press",
            "activate",
            "jump",
            "open",
            "check",
            "uncheck",
            "select",
            "dodefault",
            "toggle",
            "showmenu",
        ),
    ),
    "toggle": ("toggle", "check", "uncheck", "click", "press", "activate"),
    "expand": ("expandorcontract", "expand", "showmenu", "open", "press", "click"),
    "select": ("select",),
}
# Roles in which "toggle" changes a state. On a cell of Qt it only selects.
_SWITCHES: Final = numbers_of(
    "check box", "toggle button", "switch", "check menu item", "radio button", "radio menu item"
)
# Roles in which pressing opens a list or a menu; pressing another role opens nothing of its own.
_OPENING: Final = numbers_of("combo box", "menu", "push button menu")
_BRANCH_WORDS: Final = ("expandorcontract", "expand")
# No element has more actions than this.
_MOST_ACTIONS: Final = 32


@dataclass(frozen=True)
class Capabilities:
    """The current capabilities of one object. `parent` is set if it supports selection of its children."""

    role: int
    interfaces: frozenset[str]
    actions: tuple[str, ...]
    states: int
    parent: Ref | None

    @property
    def offers(self) -> frozenset[str]:
        """The names of Control's methods that have an effect."""
        switch = self.role in _SWITCHES or bool(self.states & CHECKABLE)
        editable = EDITABLE_TEXT in self.interfaces and bool(self.states & EDITABLE)
        selectable = bool(self.states & SELECTABLE) and self.parent is not None
        shown = COMPONENT in self.interfaces
        known = {
            "invoke": self.action("invoke") is not None,
            "toggle": switch and self.action("toggle") is not None,
            "expand": self.action("expand") is not None,
            "select": selectable or self.action("select") is not None,
            "set_text": editable or VALUE in self.interfaces,
            "focus": shown and bool(self.states & (FOCUSABLE | EDITABLE)),
            "scroll_into_view": shown,
        }
        return frozenset(name for name, there in known.items() if there)

    def action(self, purpose: str) -> int | None:
        """Return the index of the action for a purpose, or None if there is none."""
        for name in _NAMES[purpose]:
            if name in self.actions and self._serves(purpose, name):
                return self.actions.index(name)
        return None

    def _serves(self, purpose: str, name: str) -> bool:
        if name == "toggle":
            return self.role in _SWITCHES or bool(self.states & CHECKABLE)
        if purpose == "expand":
            if name in _BRANCH_WORDS:
                return bool(self.states & EXPANDABLE)
            return name == "showmenu" or self.role in _OPENING or bool(self.states & HAS_POPUP)
        return True


async def read_capabilities(caller: Caller, ref: Ref, called: str) -> Capabilities:
    """Return the object's current capabilities. Raises DeviceError if it is gone."""
    states, role, interfaces, count, parent = await caller.ask_all(
        [
            Question(ref, ACCESSIBLE, "GetState", "au"),
            Question(ref, ACCESSIBLE, "GetRole", "u"),
            Question(ref, ACCESSIBLE, "GetInterfaces", "as"),
            property_of(ref, ACTION, "NActions", "i"),
            property_of(ref, ACCESSIBLE, "Parent", "(so)"),
        ]
    )
    caller.check(ref)
    if states is None or states_of(states) & DEFUNCT:
        raise DeviceError(f"{called} is gone")
    names = await caller.ask_all(
        [Question(ref, ACTION, "GetName", "s", "i", (n,)) for n in range(min(count or 0, _MOST_ACTIONS))]
    )
    holder = ref_from(parent) if parent is not None else None
    holds = await caller.ask_all([Question(holder, ACCESSIBLE, "GetInterfaces", "as")] if holder else [])
    return Capabilities(
        role=role or 0,
        interfaces=frozenset(interfaces or ()),
        actions=tuple(name.casefold().replace(" ", "") if name else "" for name in names),
        states=states_of(states),
        parent=holder if holds and SELECTION in (holds[0] or ()) else None,
    )


# Detection of objects that have changed since they were read.


_NAME_SHOWN = 60


class AsRead(NamedTuple):
    """An object, with the role and name that it had when it was read."""

    ref: Ref
    role: int
    name: str
    is_own: bool = True  # False if it is the name of a label

    @classmethod
    def of(cls, node: Node) -> AsRead:
        return cls(node.ref, node.role, node.name, not node.is_labelled)


async def change_among(caller: Caller, read: Sequence[AsRead]) -> str | None:
    """
    Return how the first changed object of `read` differs now, as the end of a sentence, or None if none has changed. An
    object without its own name is identified by its label, which is another object. Raises what asking raises.
    """
    answers = await caller.ask_all(
        [
            *(Question(each.ref, ACCESSIBLE, "GetRole", "u") for each in read),
            *(property_of(each.ref, ACCESSIBLE, "Name", "s") for each in read),
        ]
    )
    caller.check(read[0].ref)
    for was, role, name in zip(read, answers, answers[len(read) :], strict=False):
        called = repr(was.name[:_NAME_SHOWN]) if was.name else "what has no name"
        if role is None:
            return f"{called} is gone"
        now = clean_text(name or "").strip()
        if role != was.role:
            return f"{called} is another kind of thing now"
        if now != was.name and (now or was.is_own):
            return f"{called} is {now[:_NAME_SHOWN]!r} now" if now else f"{called} has no name any more"
    return None
