"""The truth as an accessibility tree, as a well-behaved platform would tell it."""

from __future__ import annotations

from corpus.truth import Scene, Thing
from handeye.elements import UIElement, UIState
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen

CLICKABLE = frozenset({"button", "tab", "checkbox", "switch", "link", "input", "menu item"})


class TruthTree:
    """A StateProvider for the screen that was set last: its platform's own tree, else one made from the truth."""

    name = "truth"
    slow = False

    def __init__(self) -> None:
        self._state: UIState | None = None

    def show(self, scene: Scene) -> None:
        screen = scene.screen
        self._state = parse_hierarchy(scene.tree, screen) if scene.tree else UIState(screen, tuple(_elements(scene)))

    def detect(self, screen: Screen) -> UIState:
        if self._state is None or self._state.screen is not screen:
            raise ValueError("the tree of another screen was asked for")
        return self._state


def _elements(scene: Scene) -> list[UIElement]:
    rows = [UIElement("table row", "", row, source="truth", id=number) for number, row in enumerate(scene.rows, 1)]
    first = len(rows) + 1
    names: dict[int, list[str]] = {}
    for thing in scene.things:
        if thing.parent is not None and thing.text:
            names.setdefault(thing.parent, []).append(thing.text)
    made = list(rows)
    for thing in scene.things:
        row = next((each.id for each in rows if each.bbox.contains(thing.place.center)), None)
        parent = row if thing.parent is None else first + thing.parent
        made.append(_element(thing, first + thing.number, parent, " ".join(names.get(thing.number, ()))))
    return made


def _element(thing: Thing, number: int, parent: int | None, name: str) -> UIElement:
    inside = thing.parent is not None
    role = ("icon" if thing.glyph else "text") if inside else thing.role
    return UIElement(
        role,
        "",
        thing.place if inside else thing.box,
        source="truth",
        text=thing.text or name,
        id=number,
        parent=parent,
        enabled=thing.enabled,
        interactive=not inside and thing.role in CLICKABLE,
    )
